/* Entropic: learning from tables with entropic optimal features.
 *
 * This is the whole public interface of libentropic. Conventions, valid throughout:
 *
 *  - A function that can fail returns an entropic_status. It takes an entropic_context first; the text of the last
 *    failure is kept there (entropic_context_message). The context may be NULL: then only the text is lost.
 *    On failure output arguments keep their values, unless stated.
 *  - Handles are opaque. X_create makes one, X_free releases it; X_free(NULL) does nothing. A handle keeps what it
 *    needs of other handles: a kernel may be freed before a design that was made from it.
 *  - Arrays passed in are borrowed for the call and never kept, unless stated. Strings and arrays handed out through
 *    a const pointer belong to the handle and live as long as it does.
 *  - Inputs, rows, groups and columns are numbered from 0 in calls, from 1 in messages and files.
 *  - Handles that are not changed by a call are const there; const use of one handle from many threads is safe.
 *    A context belongs to one thread at a time.
 *  - The library never prints, exits, or touches the process's locale or signals.
 */
#ifndef ENTROPIC_H
#define ENTROPIC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ENTROPIC_VERSION_MAJOR 0
#define ENTROPIC_VERSION_MINOR 1
#define ENTROPIC_VERSION_PATCH 0

#if defined(__GNUC__)
#define ENTROPIC_API __attribute__((visibility("default")))
#else
#define ENTROPIC_API
#endif

/* "0.1.0": the version of the library that is running, which may be newer than the header's. */
ENTROPIC_API const char *entropic_version(void);

/* ---- Status ------------------------------------------------------------------------------------------------ */

/* Every status: its name, its number (stable for ever) and its text. */
#define ENTROPIC_STATUS_MAP(X)                                                                                         \
  X(OK, 0, "success")                                                                                                  \
  X(BAD_ARGUMENT, 1, "an argument is not valid")                                                                       \
  X(BAD_DATA, 2, "the data are not valid")                                                                             \
  X(NO_MEMORY, 3, "out of memory")                                                                                     \
  X(TOO_LARGE, 4, "a size is beyond what can be represented")                                                          \
  X(SYSTEM, 5, "a file or system call failed")

typedef enum entropic_status {
#define ENTROPIC_STATUS_MEMBER(name, number, text) ENTROPIC_##name = number,
  ENTROPIC_STATUS_MAP(ENTROPIC_STATUS_MEMBER)
#undef ENTROPIC_STATUS_MEMBER
} entropic_status;

/* "BAD_DATA", and "the data are not valid"; for a number that is no status "UNKNOWN" and "unknown status". */
ENTROPIC_API const char *entropic_status_name(entropic_status status);
ENTROPIC_API const char *entropic_status_text(entropic_status status);

/* ---- Context ----------------------------------------------------------------------------------------------- */

/* Holds the last message and the number of threads. */
typedef struct entropic_context entropic_context;

ENTROPIC_API entropic_status entropic_context_create(entropic_context **context);
ENTROPIC_API void entropic_context_free(entropic_context *context);

/* The text of the last failure, "" if there was none. Valid until the next call with this context. */
ENTROPIC_API const char *entropic_context_message(const entropic_context *context);

/* threads >= 1; 0 means one for each processor this process may use (the default). No result depends on it. */
ENTROPIC_API entropic_status entropic_context_set_threads(entropic_context *context, int threads);
ENTROPIC_API int entropic_context_threads(const entropic_context *context);

/* ---- Random numbers ---------------------------------------------------------------------------------------- */

/* A counter-based generator (Philox 4x32-10). The numbers depend only on seed and stream, not on machine or threads.
 * Different streams of a seed are independent, so give each task its own. It is a plain value: a copy continues the
 * same sequence. Fields are private. */
typedef struct entropic_random {
  uint32_t key[2];
  uint32_t counter[4];
  uint32_t block[4];
  uint32_t used; /* words of block handed out; 4 when it is empty */
  uint32_t has_spare;
  double spare; /* the second normal of a pair */
} entropic_random;

ENTROPIC_API entropic_random entropic_random_start(uint64_t seed, uint64_t stream);
/* 64 uniform bits. */
ENTROPIC_API uint64_t entropic_random_bits(entropic_random *random);
/* Uniform on [0,1), a multiple of 2^-53. */
ENTROPIC_API double entropic_random_uniform(entropic_random *random);
/* Uniform on 0 .. bound-1, without bias; bound 0 gives 0. */
ENTROPIC_API uint64_t entropic_random_below(entropic_random *random, uint64_t bound);
/* Standard normal. */
ENTROPIC_API double entropic_random_normal(entropic_random *random);
/* Standard Cauchy. */
ENTROPIC_API double entropic_random_cauchy(entropic_random *random);
/* Chi with `degrees` >= 1 degrees of freedom: the length of a standard normal vector of that dimension. */
ENTROPIC_API double entropic_random_chi(entropic_random *random, unsigned degrees);
/* A uniform permutation of 0 .. count-1 into order[count]. */
ENTROPIC_API void entropic_random_permutation(entropic_random *random, size_t count, size_t *order);

/* ---- Numbers and files ------------------------------------------------------------------------------------- */

/* Reads all of text[0..length) as one decimal number: optional sign, digits with an optional '.', optional exponent,
 * or inf, infinity, nan in any case. Exactly rounded whatever the locale. BAD_DATA if it is anything else (also if
 * empty or with blanks around it), TOO_LARGE if it is finite as written but beyond the range of double. */
ENTROPIC_API entropic_status entropic_parse_double(const char *text, size_t length, double *value);

#define ENTROPIC_NUMBER_SIZE 32
/* Writes the shortest decimal that reads back as exactly this value, 0-terminated, into text[ENTROPIC_NUMBER_SIZE],
 * with '.' whatever the locale; nan, inf, -inf for the others. Returns its length. */
ENTROPIC_API size_t entropic_format_double(double value, char *text);

/* Longer texts are not compared. */
#define ENTROPIC_EDIT_LENGTH 63
/* The edit distance of two texts: how many characters must be inserted, deleted, replaced or swapped with their neighbour
 * to turn one into the other; the case of A to Z is ignored. SIZE_MAX if a text is longer than ENTROPIC_EDIT_LENGTH
 * bytes. */
ENTROPIC_API size_t entropic_edit_distance(const char *a, size_t a_length, const char *b, size_t b_length);

/* An atomic output file: bytes go to a temporary file in the same folder, which is renamed on commit. "-" is standard
 * output, written directly. */
typedef struct entropic_output entropic_output;

ENTROPIC_API entropic_status entropic_output_create(entropic_context *context, const char *path,
                                                    entropic_output **output);
ENTROPIC_API entropic_status entropic_output_write(entropic_context *context, entropic_output *output,
                                                   const void *bytes, size_t count);
/* Renames the file to its final name. It replaces an older file, even a read-only one, and keeps its permissions. */
ENTROPIC_API entropic_status entropic_output_commit(entropic_context *context, entropic_output *output);
/* Frees. Without a commit nothing is left on disk. */
ENTROPIC_API void entropic_output_free(entropic_output *output);

/* ---- Tables ------------------------------------------------------------------------------------------------ */

/* What a file holds. Each may be gzipped, and each may come from standard input, "-". */
typedef enum entropic_format {
  ENTROPIC_FORMAT_AUTO = 0, /* detected from content and name */
  ENTROPIC_FORMAT_TEXT = 1, /* lines of fields: CSV and similar text, any delimiter */
  ENTROPIC_FORMAT_LIBSVM =
      2, /* label index:value index:value ...; columns are called label, x1, x2, ...; up to 1000000 inputs */
  ENTROPIC_FORMAT_NPY = 3 /* one NumPy array, 1-D or 2-D: floats, integers or booleans */
} entropic_format;

typedef enum entropic_type {
  ENTROPIC_TYPE_NUMBER = 0,
  ENTROPIC_TYPE_CATEGORY = 1,   /* some value is text, or the caller says so */
  ENTROPIC_TYPE_CONSTANT = 2,   /* the same value in every row, or none in any */
  ENTROPIC_TYPE_IDENTIFIER = 3, /* of N rows, 20 or more: text with nearly as many values as rows, or the whole numbers
                                   from 0 to N-1 or from 1 to N, each once, in any order */
  ENTROPIC_TYPE_DATE = 4,       /* dates, perhaps with times, as days since 1970-01-01 (UTC) */
  ENTROPIC_TYPE_COPY = 5        /* data sets only: an input that equals an earlier one in every row */
} entropic_type;

typedef enum entropic_role {
  ENTROPIC_ROLE_INPUT = 0,
  ENTROPIC_ROLE_TARGET = 1,
  ENTROPIC_ROLE_WEIGHT = 2,
  ENTROPIC_ROLE_GROUP = 3,
  ENTROPIC_ROLE_IGNORED = 4 /* not read: all its values are NaN, unless it is the time */
} entropic_role;

/* The roles of columns. Each field is a comma separated list of header names or numbers from 1. A name takes precedence
 * over a number, and the whole text is first tried as one name. NULL for none. All other columns are inputs. */
typedef struct entropic_roles {
  const char *targets;
  const char *weights; /* one column */
  const char *groups;  /* one column */
  const char *ignore;
  const char *categorical; /* categories even if they hold numbers; with any role but ignored */
  const char *keep;        /* inputs that would otherwise be dropped: identifiers, constants, copies */
  /* One column of numbers or dates: the time of a row. Not together with groups. The column keeps its role, input or
   * ignored. */
  const char *time;
  /* The schema that the lists refer to: columns are found by their names in that table. Only the weights must exist
   * here; other missing columns are skipped. NULL: the lists refer to the table itself. */
  const struct entropic_table *schema_of;
} entropic_roles;

#define ENTROPIC_AUTO (-1)

/* How to read a file. A field that is ENTROPIC_AUTO is detected from the first lines. Start from
 * entropic_read_options_default. Strings are borrowed for the call. */
typedef struct entropic_read_options {
  entropic_format format; /* default auto */
  int delimiter;          /* a character; ' ' stands for any run of blanks and tabs */
  int quote;              /* a character, or 0 for none */
  int decimal;            /* '.' or ',' */
  int comment;            /* lines that begin with this character are skipped; 0 for none */
  int header;             /* 1 if the first line holds names, 0 if not; auto: also by the names that roles give */
  /* Marks of missing values in text files, comma separated, in any case; an empty field always is one. NULL (default):
   * the marks the model was fitted with where rows are read for a model, otherwise "?,NA,N/A,nan,null". Unless it is "",
   * columns of numbers also have the marks None, nil, #N/A, #NA, \N, <NA>, NaT, "-", "--" and ".". */
  const char *missing;
  int numbers_only;     /* not 0: anything but a finite number, missing values too, is BAD_DATA. Default 0 */
  size_t libsvm_inputs; /* the number of inputs; 0 (default): the largest index there is */
  int libsvm_from_zero; /* not 0: indices start at 0. Default 0 */
  int libsvm_any_order; /* not 0: indices need not ascend; of equal ones the last counts. Default 0 */
  entropic_roles roles;
} entropic_read_options;

ENTROPIC_API entropic_read_options entropic_read_options_default(void);

/* The properties of a column. */
typedef struct entropic_column {
  const char *name; /* from the header, or x1, x2, ...; of equal names the second ends with .1, the third with .2 */
  entropic_type type;
  entropic_role role;
  int text;          /* 1 if its values are codes of categories, 0, 1, ... in order of first appearance */
  size_t categories; /* how many there are */
  size_t missing;    /* number of missing values */
} entropic_column;

/* Rows of a file, block by block: memory does not grow with the file. */
typedef struct entropic_source entropic_source;

/* Opens the file and reads its first lines. options may be NULL for the default. BAD_DATA names file, line, column,
 * value and what was expected. BAD_ARGUMENT: a role names a column that does not exist. */
ENTROPIC_API entropic_status entropic_source_open(entropic_context *context, const char *path,
                                                  const entropic_read_options *options, entropic_source **source);
ENTROPIC_API void entropic_source_free(entropic_source *source);
/* Reads all rows once to determine types, categories and counts, and rewinds. The text of a pipe is kept in memory for
 * that. Without a survey a column is a category if its first rows have text; text in other columns is then BAD_DATA. If
 * less than 1 % of a column's values are not numbers, the survey refuses it (BAD_DATA, with the first of them), unless
 * the column is listed as categorical. */
ENTROPIC_API entropic_status entropic_source_survey(entropic_context *context, entropic_source *source);
/* Reads up to capacity >= 1 rows into values[capacity x columns], row after row. Missing values are NaN. *rows is 0 at
 * the end, otherwise possibly less than capacity. */
ENTROPIC_API entropic_status entropic_source_read(entropic_context *context, entropic_source *source, double *values,
                                                  size_t capacity, size_t *rows);
/* Back to the first row; BAD_ARGUMENT for a pipe that has not been surveyed. */
ENTROPIC_API entropic_status entropic_source_rewind(entropic_context *context, entropic_source *source);

ENTROPIC_API entropic_format entropic_source_format(const entropic_source *source);
ENTROPIC_API size_t entropic_source_columns(const entropic_source *source);
/* The rows there are; 0 before a survey. */
ENTROPIC_API size_t entropic_source_rows(const entropic_source *source);
/* BAD_ARGUMENT if there is no such column. The name lives as long as the source. */
ENTROPIC_API entropic_status entropic_source_column(entropic_context *context, const entropic_source *source,
                                                    size_t column, entropic_column *info);
/* The text of a category, valid until more rows are read; NULL if there is none of that code. */
ENTROPIC_API const char *entropic_source_category(const entropic_source *source, size_t column, size_t code);
/* Notices about how the file was read, such as skipped lines above the header: sentences without a full stop, from
 * index 0; NULL past the last. Each lives as long as the source. A survey may add some. */
ENTROPIC_API const char *entropic_source_notice(const entropic_source *source, size_t index);

/* A whole source in memory, row by row. */
typedef struct entropic_table entropic_table;

/* Reads the whole file, as a source after its survey would. options may be NULL for the default. */
ENTROPIC_API entropic_status entropic_table_load(entropic_context *context, const char *path,
                                                 const entropic_read_options *options, entropic_table **table);
/* The same for a table of finite numbers and nothing else: the default options with numbers_only. */
ENTROPIC_API entropic_status entropic_table_read(entropic_context *context, const char *path, entropic_table **table);
/* A table of values in memory, which are copied: rows x columns, `stride` doubles from row to row; NaN is a missing
 * value. names[columns], or NULL for x1, x2, ... Of the roles' categorical columns each distinct value is a category,
 * named by its shortest decimal. roles may be NULL. */
ENTROPIC_API entropic_status entropic_table_create(entropic_context *context, const double *values, size_t rows,
                                                   size_t columns, size_t stride, const char *const *names,
                                                   const entropic_roles *roles, entropic_table **table);
ENTROPIC_API void entropic_table_free(entropic_table *table);
ENTROPIC_API size_t entropic_table_rows(const entropic_table *table);
ENTROPIC_API size_t entropic_table_columns(const entropic_table *table);
ENTROPIC_API entropic_format entropic_table_format(const entropic_table *table);
/* Number of columns at the end of the lines without a name and without values; they are not part of the table. */
ENTROPIC_API size_t entropic_table_empty(const entropic_table *table);
/* As entropic_source_notice. */
ENTROPIC_API const char *entropic_table_notice(const entropic_table *table, size_t index);
/* The name of a column; NULL if there is no such column. */
ENTROPIC_API const char *entropic_table_name(const entropic_table *table, size_t column);
/* BAD_ARGUMENT if there is no such column. */
ENTROPIC_API entropic_status entropic_table_column(entropic_context *context, const entropic_table *table,
                                                   size_t column, entropic_column *info);
/* The text of a category; NULL if there is none of that code. */
ENTROPIC_API const char *entropic_table_category(const entropic_table *table, size_t column, size_t code);
/* rows x columns, row after row. */
ENTROPIC_API const double *entropic_table_values(const entropic_table *table);

/* The classical test functions, as tables of random inputs and the function's value. */
typedef struct entropic_generator {
  const char *name;        /* "friedman1" */
  size_t inputs;           /* its number of inputs */
  const char *description; /* one line */
} entropic_generator;

ENTROPIC_API size_t entropic_generator_count(void);
/* NULL if there is no such generator. */
ENTROPIC_API const entropic_generator *entropic_generator_get(size_t index);
/* The generator of that name, NULL if there is none. */
ENTROPIC_API const entropic_generator *entropic_generator_find(const char *name);
/* Fills values[rows x (inputs + 1)] with rows first, first + 1, ... of the table, row after row: the inputs, then y +
 * noise * normal. A row depends on its number and the seed alone, so a table can be made in pieces. The inputs have the
 * same bits on every machine; y has those of the C library's functions. noise must be finite and not negative. */
ENTROPIC_API entropic_status entropic_generate(entropic_context *context, const entropic_generator *generator,
                                               size_t first, size_t rows, double noise, uint64_t seed, double *values);

/* ---- Scaling ----------------------------------------------------------------------------------------------- */

typedef enum entropic_scaling {
  ENTROPIC_SCALE_QUANTILE = 0, /* the empirical distribution function: mid-ranks, linear between up to 1024 knots */
  ENTROPIC_SCALE_MINMAX = 1,   /* (x - min) / (max - min) */
  ENTROPIC_SCALE_NONE = 2,     /* unchanged */
  ENTROPIC_SCALE_BLEND = 3,    /* the mean of quantile and minmax */
  ENTROPIC_SCALE_AUTO = 4      /* fits and comparisons: quantile, blend or minmax, whichever validates better */
} entropic_scaling;

/* The map of each input to [0,1]. */
typedef struct entropic_scaler entropic_scaler;

/* Fitted to rows x inputs values, row by row, `stride` doubles apart. A constant input becomes 1/2. NaN and
 * infinity are refused (BAD_DATA, with row and input). */
ENTROPIC_API entropic_status entropic_scaler_create(entropic_context *context, entropic_scaling scaling,
                                                    const double *values, size_t rows, size_t inputs, size_t stride,
                                                    entropic_scaler **scaler);
ENTROPIC_API void entropic_scaler_free(entropic_scaler *scaler);
/* Scales rows x inputs values into scaled (row by row, contiguous; may be `values` itself if stride equals the number
 * of inputs). Values outside the training range go to 0 or 1, except with ENTROPIC_SCALE_NONE. An input that was
 * constant becomes 1/2. NaN stays NaN. */
ENTROPIC_API void entropic_scaler_apply(const entropic_scaler *scaler, const double *values, size_t rows, size_t stride,
                                        double *scaled);

/* ---- Kernels ----------------------------------------------------------------------------------------------- */

/* Every family of kernels: its name, its number (stable for ever: files have it) and its table in src/axis/, which says
 * all else of it. w is omega, min and max are those of x and y. */
#define ENTROPIC_FAMILY_MAP(X)                                                                                         \
  X(CENTRED, 0, centred)   /* 1 + w/4 - w|x-y|/2 */                                                                    \
  X(SOBOLEV, 1, sobolev)   /* 1 + w min */                                                                             \
  X(LAPLACE, 2, laplace)   /* exp(-w|x-y|) */                                                                          \
  X(COSH, 3, cosh)         /* w cosh(w min) cosh(w(1-max)) / sinh w */                                                 \
  X(BROWNIAN, 4, brownian) /* w min */                                                                                 \
  X(BRIDGE, 5, bridge)     /* min - xy; has no w */                                                                    \
  X(CUSTOM, 6, custom)     /* p(min) q(max), the caller's p and q */                                                   \
  X(CATEGORY, 7, category) /* 1 + w/4 [same category]; see entropic_axis_options.categories */                         \
  X(NEUMANN, 8, neumann)   /* cosh(w min) exp(-w max) */

typedef enum entropic_family {
#define ENTROPIC_FAMILY_MEMBER(name, number, table) ENTROPIC_##name = number,
  ENTROPIC_FAMILY_MAP(ENTROPIC_FAMILY_MEMBER)
#undef ENTROPIC_FAMILY_MEMBER
} entropic_family;

/* What a family has or can do; bits, so that several go into one number. */
typedef enum entropic_trait {
  ENTROPIC_TRAIT_OMEGA = 1,       /* has the parameter w */
  ENTROPIC_TRAIT_HATS = 2,        /* has levels of hats, and so a deepest one */
  ENTROPIC_TRAIT_CONSTANT = 4,    /* the constant 1 is an atom of the full basis */
  ENTROPIC_TRAIT_SMOOTH = 8,      /* can have Legendre atoms (full basis) */
  ENTROPIC_TRAIT_MISSING = 16,    /* can have an atom for missing values (full basis) */
  ENTROPIC_TRAIT_CATEGORIES = 32, /* is for categories; all others are for numbers */
  ENTROPIC_TRAIT_FUNCTIONS = 64,  /* needs the caller's functions p and q */
  ENTROPIC_TRAIT_SAVED = 128      /* its designs and models can be saved */
} entropic_trait;

typedef enum entropic_basis {
  ENTROPIC_FULL = 0,    /* boundary atoms and hats: the kernel exactly */
  ENTROPIC_INTERIOR = 1 /* hats alone, which vanish at 0 and 1: the source paper's basis as printed */
} entropic_basis;

/* One of the two factors of a custom kernel. Called for x in [0,1] when the kernel is made and whenever rows are
 * lifted, possibly from several threads. */
typedef double (*entropic_function)(double x, void *user);

/* The kernel of one input. Start from entropic_axis_options_default. */
typedef struct entropic_axis_options {
  entropic_family family; /* default centred */
  entropic_basis basis;   /* default full */
  double omega;           /* w, 1e-6 .. 1e4; default 1; unused by families without ENTROPIC_TRAIT_OMEGA */
  int max_level;          /* deepest level of hats, 0 .. ENTROPIC_MAX_LEVEL; default 16; custom: at most 16 */
  int smooth;      /* Legendre atoms of degree 2 .. smooth, 0 for none, at most 8; ENTROPIC_TRAIT_SMOOTH, full basis */
  int unit_height; /* not 0: hats of height 1, not of norm 1 (the paper's features); interior basis only */
  entropic_function p, q; /* custom: p/q strictly increasing, q > 0 inside (0,1), p and q finite and not negative */
  void *user;             /* handed to p and q; must outlive the kernel and all made from it */
  size_t categories;      /* category: how many, 1 .. 2^24. [0,1] is cut into categories + 1 equal cells, one for each
                             and a last one for what is none of them, where every atom but the constant is 0 */
  /* Not 0: values may be missing, NaN. There every atom but the constant is 0, and one more atom is sqrt(w), which is 0
   * elsewhere: k(missing, x) = 1, k(missing, missing) = 1 + w. Default 0; ENTROPIC_TRAIT_MISSING with full basis only. */
  int missing;
} entropic_axis_options;

#define ENTROPIC_MAX_LEVEL 30

ENTROPIC_API entropic_axis_options entropic_axis_options_default(void);
/* How many families there are: they have the numbers 0 to count - 1. */
ENTROPIC_API size_t entropic_family_count(void);
/* "laplace", and "exp(-w|x-y|)", one line about it. The texts are the library's, for ever; NULL for a number that is no
 * family. */
ENTROPIC_API const char *entropic_family_name(entropic_family family);
ENTROPIC_API const char *entropic_family_help(entropic_family family);
/* 1 if the family has all of these traits (entropic_trait, or several of them by |), otherwise 0; 0 for a number that is
 * no family. */
ENTROPIC_API int entropic_family_has(entropic_family family, unsigned traits);
/* 1 and *family if there is one of that name, otherwise 0; 0 too if name or family is NULL. */
ENTROPIC_API int entropic_family_find(const char *name, entropic_family *family);

/* A product of one-dimensional kernels, one for each input, each with its levels of atoms. */
typedef struct entropic_kernel entropic_kernel;

/* count is 1 (the same for every input) or equal to inputs. BAD_ARGUMENT names the field that is wrong; a custom pair
 * is checked on a grid of 1025 points. */
ENTROPIC_API entropic_status entropic_kernel_create(entropic_context *context, const entropic_axis_options *axes,
                                                    size_t count, size_t inputs, entropic_kernel **kernel);
ENTROPIC_API void entropic_kernel_free(entropic_kernel *kernel);
ENTROPIC_API size_t entropic_kernel_inputs(const entropic_kernel *kernel);
/* The options of an input as they are in force; input must be below entropic_kernel_inputs. */
ENTROPIC_API entropic_axis_options entropic_kernel_axis(const entropic_kernel *kernel, size_t input);
/* k(x,y) in closed form, as with infinitely many levels; x[inputs], y[inputs], clamped to [0,1]. With an interior
 * basis: the part of the kernel that this basis spans; unit_height makes no difference. NaN is a missing value if the
 * axis has an atom for it, otherwise the result is NaN. */
ENTROPIC_API double entropic_kernel_value(const entropic_kernel *kernel, const double *x, const double *y);
/* The same for one input. */
ENTROPIC_API double entropic_kernel_axis_value(const entropic_kernel *kernel, size_t input, double x, double y);

typedef enum entropic_kind {
  ENTROPIC_KIND_CONSTANT = 0, /* the first boundary atom where it is the constant 1 */
  ENTROPIC_KIND_EVEN = 1,     /* the first boundary atom otherwise; even about the middle for laplace and cosh */
  ENTROPIC_KIND_LINEAR = 2,   /* the other boundary atom: linear, or odd about the middle */
  ENTROPIC_KIND_LEGENDRE = 3, /* a smooth polynomial */
  ENTROPIC_KIND_HAT = 4,      /* a level of hats with disjoint supports */
  ENTROPIC_KIND_CATEGORY = 5, /* an atom for each category */
  ENTROPIC_KIND_MISSING = 6   /* an atom for missing values */
} entropic_kind;

/* One level of an input: atoms of which at most one is not zero at any point. */
typedef struct entropic_level {
  entropic_kind kind;
  int order;      /* hats: the level l >= 1; Legendre: the degree; otherwise 0 */
  uint64_t atoms; /* how many atoms: 2^(l-1) for hats, one for each category, otherwise 1 */
  double sup;     /* squared maximum of an atom of norm 1; custom hats: the largest over the level */
  double l2;      /* integral of the square of such an atom; custom hats: the mean over the level; categories: each as
                     likely as any other; missing values: as if one value in twelve were missing, which gives the
                     atom the score of centred's linear one */
} entropic_level;

ENTROPIC_API size_t entropic_kernel_levels(const entropic_kernel *kernel, size_t input);
/* BAD_ARGUMENT if there is no such input or level. */
ENTROPIC_API entropic_status entropic_kernel_level(entropic_context *context, const entropic_kernel *kernel,
                                                   size_t input, size_t level, entropic_level *info);
/* The atom of that level that can be non-zero at x (clamped to [0,1]; NaN where values may be missing) and its value
 * there. */
ENTROPIC_API entropic_status entropic_kernel_atom(entropic_context *context, const entropic_kernel *kernel,
                                                  size_t input, size_t level, double x, uint64_t *atom, double *value);

/* ---- Designs ----------------------------------------------------------------------------------------------- */

typedef enum entropic_criterion {
  ENTROPIC_L2 = 0,      /* a feature's share of the trace of the kernel operator */
  ENTROPIC_SUP = 1,     /* squared maximum (the paper's) */
  ENTROPIC_DATA = 2,    /* mean square over a sample, shared among the atoms of a level that the sample reaches */
  ENTROPIC_RESIDUAL = 3 /* selected from the data by a fit; not for entropic_design_create */
} entropic_criterion;

typedef enum entropic_choice {
  ENTROPIC_BEST = 0, /* the features of largest score */
  ENTROPIC_PAPER = 1 /* features drawn at random from the smallest set S_n that has enough; interior basis only */
} entropic_choice;

/* Start from entropic_design_options_default. */
typedef struct entropic_design_options {
  entropic_choice choice;       /* default best */
  entropic_criterion criterion; /* default l2 */
  size_t features;              /* how many features; 0: no such limit. Default 0 */
  size_t nonzeros;              /* most non-zeros a row, i.e. number of groups, by features x score; 0: no such limit */
  size_t max_order;             /* most active inputs in a feature; 0 (default): no limit */
  /* Rows of inputs in [0,1] (NaN where values may be missing), row by row, or NULL. A sample breaks ties, cuts the last
   * group by data mass, and is what criterion data measures. Borrowed for the call. */
  const double *sample;
  size_t sample_rows;
  uint64_t seed; /* of the paper's random choice */
} entropic_design_options;

ENTROPIC_API entropic_design_options entropic_design_options_default(void);
ENTROPIC_API const char *entropic_criterion_name(entropic_criterion criterion);
ENTROPIC_API int entropic_criterion_find(const char *name, entropic_criterion *criterion);

/* An ordered list of features. By number of features: in order of non-increasing score of a feature; a smaller design
 * is a subset of a larger one and, without a sample, its first columns. By non-zeros: in order of non-increasing score
 * of a group, the sum over its features. The paper's choice: by |l|_1; each number of features is a new draw. */
typedef struct entropic_design entropic_design;

/* Exactly one of features and nonzeros must be set. If the limits of level and order leave fewer features than asked
 * for, the design has all of them. TOO_LARGE past 2^31 - 1 features, where a group has more than 2^53 atoms (however
 * few of them are wanted), or where a feature could overflow a double. */
ENTROPIC_API entropic_status entropic_design_create(entropic_context *context, const entropic_kernel *kernel,
                                                    const entropic_design_options *options, entropic_design **design);
ENTROPIC_API void entropic_design_free(entropic_design *design);

/* The kernel it was made from; it lives as long as the design. */
ENTROPIC_API const entropic_kernel *entropic_design_kernel(const entropic_design *design);
ENTROPIC_API size_t entropic_design_features(const entropic_design *design);
ENTROPIC_API size_t entropic_design_groups(const entropic_design *design);
/* The most non-zeros a lifted row can have. */
ENTROPIC_API size_t entropic_design_nonzeros(const entropic_design *design);
/* 1 if there were fewer features than asked for. */
ENTROPIC_API int entropic_design_exhausted(const entropic_design *design);
ENTROPIC_API entropic_criterion entropic_design_criterion(const entropic_design *design);
#define ENTROPIC_NO_LEVEL SIZE_MAX
/* The base level of an input: its level in every group in which it is not active. ENTROPIC_NO_LEVEL if it is active in
 * every group (its best level has several atoms). input must be below the kernel's number of inputs. */
ENTROPIC_API size_t entropic_design_base(const entropic_design *design, size_t input);

/* An active input of a group and the level it has there. */
typedef struct entropic_term {
  size_t input;
  size_t level;
} entropic_term;

/* A group: one level for each input; its features are one atom of each level, multiplied. */
typedef struct entropic_group {
  size_t first_feature;       /* its first column */
  size_t features;            /* how many features of it the design has */
  uint64_t atoms;             /* how many it has in all */
  const uint64_t *members;    /* which of them, ascending; NULL if all. The number of a feature counts the atoms of its
                                 terms in mixed radix, the last term fastest */
  size_t terms_count;         /* active inputs */
  const entropic_term *terms; /* by input, ascending */
  double log2_score;          /* of one of its features */
} entropic_group;

ENTROPIC_API entropic_status entropic_design_group(entropic_context *context, const entropic_design *design,
                                                   size_t group, entropic_group *info);

/* A small text file that holds kernel and groups; atomic. Custom kernels cannot be saved (BAD_ARGUMENT), nor more than
 * 2^20 inputs (TOO_LARGE). */
ENTROPIC_API entropic_status entropic_design_save(entropic_context *context, const entropic_design *design,
                                                  const char *path);
/* BAD_DATA names file, line and what was expected. */
ENTROPIC_API entropic_status entropic_design_load(entropic_context *context, const char *path,
                                                  entropic_design **design);

/* |S_n| and the non-zeros of a row for the paper's set of level n >= 1 in D >= 1 inputs; TOO_LARGE past 2^64 - 1. */
ENTROPIC_API entropic_status entropic_paper_size(entropic_context *context, size_t inputs, unsigned n,
                                                 uint64_t *features, uint64_t *nonzeros);

/* ---- Lifting ----------------------------------------------------------------------------------------------- */

/* The feature map of a design, compiled for evaluation. */
typedef struct entropic_lift entropic_lift;

typedef enum entropic_code {
  ENTROPIC_CODE_BEST = 0,      /* the fastest this processor runs; all give the same bits */
  ENTROPIC_CODE_REFERENCE = 1, /* plain C */
  ENTROPIC_CODE_AVX2 = 2       /* at most AVX2, plain C where the processor has none */
} entropic_code;

ENTROPIC_API entropic_status entropic_lift_create(entropic_context *context, const entropic_design *design,
                                                  entropic_code code, entropic_lift **lift);
ENTROPIC_API void entropic_lift_free(entropic_lift *lift);
ENTROPIC_API size_t entropic_lift_inputs(const entropic_lift *lift);
ENTROPIC_API size_t entropic_lift_features(const entropic_lift *lift);
ENTROPIC_API size_t entropic_lift_nonzeros(const entropic_lift *lift);
/* "avx512", "avx2" or "reference": the code in use. */
ENTROPIC_API const char *entropic_lift_code(const entropic_lift *lift);

/* Scratch memory for lifting, one for each thread, for blocks of any size. */
typedef struct entropic_workspace entropic_workspace;

ENTROPIC_API entropic_status entropic_workspace_create(entropic_context *context, const entropic_lift *lift,
                                                       entropic_workspace **workspace);
ENTROPIC_API void entropic_workspace_free(entropic_workspace *workspace);

/* Rows are x[row * stride + input], clamped to [0,1]; infinity is refused, and so is NaN, unless values of that input
 * may be missing (BAD_DATA, with row and column; what has been written by then is undefined). Neither call allocates.
 *
 * Dense: z[column * ld + row], ld >= rows: a column-major rows x features matrix, as BLAS takes it. */
ENTROPIC_API entropic_status entropic_lift_dense(entropic_context *context, const entropic_lift *lift,
                                                 entropic_workspace *workspace, const double *x, size_t rows,
                                                 size_t stride, double *z, size_t ld);
/* Compressed sparse rows: row r has entries starts[r] .. starts[r+1]-1 of columns (ascending) and values, starts[0] =
 * 0. Arrays: starts[rows + 1]; columns and values [rows x entropic_lift_nonzeros]. Zeros are not stored. */
ENTROPIC_API entropic_status entropic_lift_sparse(entropic_context *context, const entropic_lift *lift,
                                                  entropic_workspace *workspace, const double *x, size_t rows,
                                                  size_t stride, size_t *starts, int32_t *columns, double *values);

/* Compressed sparse rows that own their memory. */
typedef struct entropic_csr {
  size_t rows, columns;
  size_t *starts;   /* rows + 1 */
  int32_t *indices; /* the columns, ascending in each row */
  double *values;
} entropic_csr;

/* Lifts all rows, on the context's threads; the same bits for any number of them. */
ENTROPIC_API entropic_status entropic_lift_csr(entropic_context *context, const entropic_lift *lift, const double *x,
                                               size_t rows, size_t stride, entropic_csr **csr);
ENTROPIC_API void entropic_csr_free(entropic_csr *csr);
/* Writes what scipy.sparse.load_npz reads; atomic. */
ENTROPIC_API entropic_status entropic_csr_save_npz(entropic_context *context, const entropic_csr *csr,
                                                   const char *path);

/* ---- Learning ---------------------------------------------------------------------------------------------- */

typedef enum entropic_task {
  ENTROPIC_TASK_AUTO = 0,     /* detected from the target: see entropic_dataset_create */
  ENTROPIC_REGRESSION = 1,    /* numbers */
  ENTROPIC_CLASSIFICATION = 2 /* classes */
} entropic_task;

typedef enum entropic_loss {
  ENTROPIC_LOSS_AUTO = 0, /* squared for numbers; for classes whichever validates better */
  ENTROPIC_SQUARED = 1,   /* ridge; classes as -1 and 1, one against the rest */
  ENTROPIC_LOGISTIC = 2,  /* logistic or softmax; classes only */
  ENTROPIC_HINGE = 3      /* squared hinge, one against the rest: rows far on the right side cost nothing; classes only,
                             at most 6000 features */
} entropic_loss;

typedef enum entropic_solver {
  ENTROPIC_SOLVER_AUTO = 0,      /* the cheapest of the next three, which agree */
  ENTROPIC_SOLVER_DIRECT = 1,    /* normal equations, one unknown a feature */
  ENTROPIC_SOLVER_DUAL = 2,      /* dual equations, one unknown a row */
  ENTROPIC_SOLVER_ITERATIVE = 3, /* conjugate gradients; each step lifts the rows again */
  ENTROPIC_SOLVER_EXACT = 4      /* kernel ridge without features: a sum over the training rows */
} entropic_solver;

/* How features are selected. */
typedef enum entropic_select {
  ENTROPIC_SELECT_AUTO = 0,    /* residual, unless another option needs entropy */
  ENTROPIC_SELECT_ENTROPY = 1, /* by the kernel alone: the entropic design */
  ENTROPIC_SELECT_RESIDUAL = 2 /* from the data: features that explain the residual of the others */
} entropic_select;

/* Weights of classes. */
typedef enum entropic_class_weight {
  ENTROPIC_CLASS_WEIGHT_NONE = 0,    /* the row weights alone */
  ENTROPIC_CLASS_WEIGHT_BALANCED = 1 /* times rows / (classes * rows of the class): equal total weight of all classes */
} entropic_class_weight;

/* "regression", "logistic", "direct" and so on; NULL for a number that is none of them. */
ENTROPIC_API const char *entropic_task_name(entropic_task task);
ENTROPIC_API const char *entropic_loss_name(entropic_loss loss);
ENTROPIC_API const char *entropic_solver_name(entropic_solver solver);
ENTROPIC_API const char *entropic_select_name(entropic_select select);

/* The transform of a numeric target. Root is sqrt(y - origin) with the least training target as origin, or sqrt(origin
 * - y) with the largest one. It is for skewed targets such as counts and prices, whose errors grow with their values.
 * Predictions are squared, never lie beyond the origin, and are corrected for the retransformation bias. */
typedef enum entropic_target_scale {
  ENTROPIC_TARGET_AUTO = 0, /* root if the target is skewed and the validation error is smaller */
  ENTROPIC_TARGET_PLAIN = 1,
  ENTROPIC_TARGET_ROOT = 2
} entropic_target_scale;

/* "auto", "plain", "root"; NULL for any other number. */
ENTROPIC_API const char *entropic_target_scale_name(entropic_target_scale scale);
ENTROPIC_API const char *entropic_class_weight_name(entropic_class_weight weight);
ENTROPIC_API const char *entropic_scaling_name(entropic_scaling scaling);

/* Training data: the informative inputs of a table, its rows with a target, and sorted classes. */
typedef struct entropic_dataset entropic_dataset;

/* The table must have at least one target (in LIBSVM text the label). Its values are copied. Rows without a target or
 * with weight 0 are dropped. Constant inputs, identifiers and copies are dropped; a copy equals an earlier input in
 * every remaining row, missing values included. Task auto: a text target, or one with two distinct values, means
 * classes (LIBSVM: integers with at most 100 distinct values); anything else means numbers. Several targets must be
 * numbers. BAD_DATA if no row or no input is left, if a weight is negative or missing, or if there is only one class.
 * Classes are sorted: as numbers if all are, otherwise by bytes. */
ENTROPIC_API entropic_status entropic_dataset_create(entropic_context *context, const entropic_table *table,
                                                     entropic_task task, entropic_dataset **dataset);
/* A data set with the schema of another one: the same inputs, categories, targets and classes, found by name in another
 * table. BAD_DATA if one is missing, or if a row has a class that the other one does not have. */
ENTROPIC_API entropic_status entropic_dataset_create_with_schema(entropic_context *context, const entropic_table *table,
                                                                 const entropic_dataset *schema_of,
                                                                 entropic_dataset **dataset);
ENTROPIC_API void entropic_dataset_free(entropic_dataset *dataset);

/* The properties of a data set. */
typedef struct entropic_dataset_info {
  entropic_task task;
  int task_found;        /* 1 if the task was detected, not given */
  size_t rows, inputs;   /* in use */
  size_t targets;        /* 1 for classes */
  size_t classes;        /* 0 for numbers */
  size_t without_target; /* rows dropped because they have no target */
  size_t without_weight; /* rows dropped because their weight is 0 */
  size_t missing;        /* missing values in inputs in use */
  size_t unseen;         /* values in inputs in use whose category the schema does not have */
  size_t dropped;        /* inputs that were dropped */
  int weighted, grouped; /* 1 if there is a column of weights, of groups */
  size_t groups;         /* number of groups in the rows in use; 0 without such a column */
  int timed, one_time;   /* 1 if there is a column of time; 1 if all rows in use have the same time */
  int flat;              /* 1 if every target is constant over the rows in use */
} entropic_dataset_info;

ENTROPIC_API entropic_dataset_info entropic_dataset_describe(const entropic_dataset *dataset);
/* A dropped input: its name and why (constant, identifier or copy); NULL if there is no such index. */
ENTROPIC_API const char *entropic_dataset_dropped(const entropic_dataset *dataset, size_t index, entropic_type *why);
/* The name of the input that this dropped input is a copy of; NULL if it is not a copy. */
ENTROPIC_API const char *entropic_dataset_original(const entropic_dataset *dataset, size_t index);
/* Notices about classes, one sentence each, from index 0; NULL past the last. */
ENTROPIC_API const char *entropic_dataset_notice(const entropic_dataset *dataset, size_t index);

/* Progress of a fit: the name of the current stage, and its finished share, 0 to 1. Called from the thread that called
 * the fit. */
typedef void (*entropic_progress)(void *user, const char *stage, double done);

#define ENTROPIC_LAMBDA_AUTO (-1.0)       /* by validation */
#define ENTROPIC_LAMBDA_THEORY (-2.0)     /* N^(-1/2) for N rows */
#define ENTROPIC_FEATURES_THEORY SIZE_MAX /* N^(1/4) for N rows, rounded up */

#define ENTROPIC_SMOOTH_AUTO (-1) /* with residual and the centred kernel 3 or none, by validation; otherwise none */

/* How to learn. Start from entropic_fit_options_default. */
typedef struct entropic_fit_options {
  entropic_loss loss; /* default auto */
  /* Default none; balanced is for classes. It acts as row weights do: in losses, probabilities and validation
   * errors. */
  entropic_class_weight class_weight;
  entropic_solver solver; /* default auto */
  /* Default auto. Residual needs a kernel whose base is the constant (centred or sobolev, full basis), validation rows,
   * the solver auto or direct, and no number of non-zeros. */
  entropic_select select;
  /* With residual: number of members averaged into one model, at most the number of folds. 0 (default): several where
   * that is cheap enough, one if features are given. */
  size_t ensemble;
  /* Time budget: no step of the search starts that would end later; 0 (default): no limit. The model then depends on
   * the speed of the machine. */
  double seconds;
  /* Default auto: plain with entropy. Root needs residual and a single numeric target. */
  entropic_target_scale target_scale;
  entropic_scaling scaling; /* default auto: quantile with entropy */
  /* Of numeric inputs; omega, categories and missing are not used. Default as there, but smooth is
   * ENTROPIC_SMOOTH_AUTO. Residual uses hats to level 8 at most. */
  entropic_axis_options axis;
  const double *omegas;   /* one for all inputs, or one for each (category inputs too) */
  size_t omega_count;     /* 0 (default): chosen by validation; 1; or the number of inputs */
  double lambda;          /* finite, not negative, or one of the two above; default auto */
  size_t features;        /* how many; 0 (default): chosen by validation; or FEATURES_THEORY */
  size_t nonzeros;        /* instead: how many non-zeros a row at most; 0 (default): not used */
  entropic_choice choice; /* as in entropic_design_options, these four */
  entropic_criterion criterion;
  size_t max_order;
  uint64_t seed;              /* of the folds, and of the paper's random choice; default 1 */
  size_t folds;               /* of cross-validation, 2 .. 100; default 5 */
  entropic_progress progress; /* or NULL (default) */
  void *user;                 /* handed to progress */
} entropic_fit_options;

ENTROPIC_API entropic_fit_options entropic_fit_options_default(void);

/* One size of the path: means over the members of lambda and of the error on inner validation rows. In the units of
 * entropic_model_info.validation_error; for classes the error of the squared loss. */
typedef struct entropic_path_step {
  size_t features;
  size_t members; /* that reached this size */
  double lambda, error;
} entropic_path_step;

#define ENTROPIC_PATH_MOST 32

/* The form of the fitted model. A richer form must beat the simpler ones by more than noise, on outer validation rows.
 * The options features, omega, lambda, select, solver and ensemble ask for the full form. */
typedef enum entropic_form {
  ENTROPIC_FORM_NOTHING = 0, /* a constant: the mean, or the class frequencies */
  ENTROPIC_FORM_LINEAR = 1,  /* linear in the scaled inputs and in their categories */
  ENTROPIC_FORM_FULL = 2
} entropic_form;

/* "nothing", "linear" or "full"; NULL if there is no such form. */
ENTROPIC_API const char *entropic_form_name(entropic_form form);

/* Times and errors of a fit. A plain value that owns nothing. Errors are in the units of
 * entropic_model_info.validation_error, NaN if unknown. */
typedef struct entropic_fit_report {
  double design, lift, gram, solve, total; /* seconds, of which the other four are parts */
  const char *ended;                       /* NULL if the fit converged; otherwise why it stopped, a constant text */
  size_t largest;      /* the largest number of features on the path, if it was chosen; otherwise 0 */
  int hurried;         /* 1 if the time budget cut the search short */
  size_t members;      /* number of models averaged into one; 1 without averaging */
  entropic_form form;  /* of the model */
  double error_spread; /* the standard error of validation_error, for independent rows or groups */
  double mean_error;   /* reference on the same rows: the training mean, or the most frequent training class */
  double linear_error; /* reference on the same rows: ridge, linear in the scaled inputs and the categories */
  size_t path_count;   /* sizes of the path, ascending */
  entropic_path_step path[ENTROPIC_PATH_MOST];
} entropic_fit_report;

/* A model: everything that is needed to predict. */
typedef struct entropic_model entropic_model;

/* Fits a model. `valid` (or NULL) has validation rows, made with entropic_dataset_create_with_schema: half of them
 * choose omega, lambda and features (inner validation), the other half gives the reported error (outer validation).
 * Without it both use parts of the training rows. Given options are not searched. Groups: the rows of a group stay on
 * one side of every split. Time: validation is forward, in blocks of time; each block is predicted by a model trained
 * on earlier rows. The blocks do not depend on the order of rows. If `valid` has time, its earlier half is for inner
 * validation and its later half for outer validation. The weights always come from all training rows. report may be
 * NULL. The model has the same bits for any number of threads. */
ENTROPIC_API entropic_status entropic_fit(entropic_context *context, const entropic_dataset *train,
                                          const entropic_dataset *valid, const entropic_fit_options *options,
                                          entropic_fit_report *report, entropic_model **model);
ENTROPIC_API void entropic_model_free(entropic_model *model);
/* A self-contained HTML page about a fit: its summary, and a plot of the validation error against the number of
 * features, compared with the reference models. title is the name of the data. Atomic. */
ENTROPIC_API entropic_status entropic_fit_html(entropic_context *context, const entropic_model *model,
                                               const entropic_fit_report *report, const char *title, const char *path);

typedef enum entropic_validation {
  ENTROPIC_VALIDATION_NONE = 0, /* nothing to choose, or no validation possible */
  ENTROPIC_VALIDATION_FOLDS = 1,
  ENTROPIC_VALIDATION_ROWS = 2,   /* rows of another data set */
  ENTROPIC_VALIDATION_PART = 3,   /* some of the folds, each predicted by a model trained on the others */
  ENTROPIC_VALIDATION_FORWARD = 4 /* blocks of time, each predicted by a model trained on earlier rows */
} entropic_validation;

typedef struct entropic_model_info {
  entropic_task task;
  entropic_loss loss;
  entropic_solver solver; /* never auto */
  entropic_scaling scaling;
  entropic_select select;             /* never auto */
  entropic_target_scale target_scale; /* never auto. Root: predictions are target_origin + target_sign * (max(s, 0)^2 +
                                         retransformation_bias) for a score s */
  double target_origin, target_sign, retransformation_bias; /* 0 if the scale is plain */
  size_t inputs, targets;
  size_t inputs_used; /* inputs that predictions depend on: see entropic_input */
  size_t classes;     /* 0 for numbers */
  size_t scores;      /* fitted functions: targets; 1 for two classes; otherwise classes */
  size_t features;    /* exact solver: training rows. 0: the model is a constant */
  double nonzeros;    /* a row, mean over the training rows */
  size_t rows;        /* training rows */
  double lambda;
  int converged; /* 1 if the solver converged */
  uint64_t seed;
  entropic_validation validation;
  size_t folds;            /* of validation by folds or a part; forward: number of predicted blocks */
  size_t validation_rows;  /* number of outer validation rows */
  double validation_error; /* root mean square error, mean over several targets; or the share of wrong classes; NaN
                              without validation */
  double validation_loss;  /* classes: log loss, the mean of -ln(probability of the right class); otherwise NaN */
} entropic_model_info;

ENTROPIC_API entropic_model_info entropic_model_describe(const entropic_model *model);

/* An input of a model. Strings live as long as the model. */
typedef struct entropic_input {
  const char *name;
  size_t categories; /* 0: it is a number, or a category that is not used; otherwise values are codes below this */
  int missing;       /* 1 if values were missing in the training rows */
  int date;          /* 1 if it was a date: a number of days since 1970-01-01 */
  int category;      /* 1 if it is a category */
  int used;          /* 0 if no feature depends on it: its values are not read, its categories not kept */
} entropic_input;

/* BAD_ARGUMENT if there is no such input. */
ENTROPIC_API entropic_status entropic_model_input(entropic_context *context, const entropic_model *model, size_t input,
                                                  entropic_input *info);
/* Names: of a category of an input, of a target, of a class; NULL if there is none of that number. */
ENTROPIC_API const char *entropic_model_category(const entropic_model *model, size_t input, size_t code);
ENTROPIC_API const char *entropic_model_target(const entropic_model *model, size_t target);
ENTROPIC_API const char *entropic_model_class(const entropic_model *model, size_t number);
/* The range that predictions of a numeric target are clamped to; an open end is infinite. Returns 1, or 0 with nothing
 * set if the model has no range, or there is no such target. */
ENTROPIC_API int entropic_model_range(const entropic_model *model, size_t target, double *lower, double *upper);
/* Kernel and features; the exact solver has no design: NULL. A file keeps no axis of an unused input: in a loaded model
 * that axis is meaningless. */
ENTROPIC_API const entropic_kernel *entropic_model_kernel(const entropic_model *model);
ENTROPIC_API const entropic_design *entropic_model_design(const entropic_model *model);
/* The weights of a score, one for each feature (exact: for each training row), and its offset; NULL if there is no such
 * score. */
ENTROPIC_API const double *entropic_model_weights(const entropic_model *model, size_t score, double *offset);

/* Prediction. x[row * stride + input] in the order of the model's inputs, in the units of the data: numbers, or codes
 * of categories. NaN is a missing value; a code at or above the number of categories is an unseen category. Infinity
 * and other codes are BAD_DATA, with row and input. Unused inputs are not read. Many threads may use one model, each
 * with its own context. Each call uses the context's threads. No result depends on how rows are divided into calls.
 *
 * predictions[row * targets + target]: numbers, clamped to the model's range if it has one, or the index of the
 * class. */
ENTROPIC_API entropic_status entropic_model_predict(entropic_context *context, const entropic_model *model,
                                                    const double *x, size_t rows, size_t stride, double *predictions);
/* The same in two steps: predictions without clamping, then predictions[rows x targets] clamped in place. The second
 * returns how many were changed. */
ENTROPIC_API entropic_status entropic_model_predict_open(entropic_context *context, const entropic_model *model,
                                                         const double *x, size_t rows, size_t stride,
                                                         double *predictions);
ENTROPIC_API size_t entropic_model_clamp(const entropic_model *model, double *predictions, size_t rows);
/* probabilities[row * classes + class], which sum to 1; BAD_ARGUMENT for regression. The predicted class has the
 * largest probability; of equal ones it is the first. */
ENTROPIC_API entropic_status entropic_model_probabilities(entropic_context *context, const entropic_model *model,
                                                          const double *x, size_t rows, size_t stride,
                                                          double *probabilities);

/* Data warnings, counts over the inputs in use: values outside the training range (clamped to it), unseen categories
 * and missing values; and predictions clamped to the model's range. */
typedef struct entropic_data_warnings {
  size_t outside, unseen, missing, clamped;
} entropic_data_warnings;

/* Adds to the first three counts, which depend on the rows alone. */
ENTROPIC_API void entropic_model_count_data_warnings(const entropic_model *model, const double *x, size_t rows,
                                                     size_t stride, entropic_data_warnings *warnings);

/* A model file has the same bytes for the same model on every machine. The whole file and each part are checked before
 * use; docs/model-format.md describes it. Atomic. Models of custom kernels cannot be saved (BAD_ARGUMENT). */
ENTROPIC_API entropic_status entropic_model_save(entropic_context *context, const entropic_model *model,
                                                 const char *path);
/* BAD_DATA says what is wrong with the file; "-" is standard input. */
ENTROPIC_API entropic_status entropic_model_load(entropic_context *context, const char *path, entropic_model **model);

/* A row reader: rows of a file in the schema of a model, block by block. */
typedef struct entropic_row_reader entropic_row_reader;

/* Finds the inputs in use by name. In a file without names it finds them by position: in order, if the file has as many
 * columns as the model has inputs, or by number, if the model's names are x1, x2, ... as well. In LIBSVM text the label
 * is the target, and values that are not written are 0. Other columns are not read. with_targets: the targets are
 * needed as well, and `weights` of options->roles may name a column of weights. The other roles must be NULL. options
 * may be NULL. The file is read once, so it may be a pipe. */
ENTROPIC_API entropic_status entropic_row_reader_open(entropic_context *context, const entropic_model *model,
                                                      const char *path, const entropic_read_options *options,
                                                      int with_targets, entropic_row_reader **reader);
ENTROPIC_API void entropic_row_reader_free(entropic_row_reader *reader);
/* As entropic_source_notice. */
ENTROPIC_API const char *entropic_row_reader_notice(const entropic_row_reader *reader, size_t index);
/* Up to capacity >= 1 rows: x[capacity x inputs] (NaN for unused inputs), y[capacity x targets] (NaN where there is
 * none; classes: their index, BAD_DATA for an unknown class), weights[capacity] (1 without a column of weights). y and
 * weights may be NULL without targets. *rows is 0 at the end, otherwise possibly less than capacity. */
ENTROPIC_API entropic_status entropic_row_reader_next(entropic_context *context, entropic_row_reader *reader,
                                                      size_t capacity, double *x, double *y, double *weights,
                                                      size_t *rows);

/* Errors of predictions. */
typedef struct entropic_scores {
  size_t rows;            /* with a target, also those of weight 0 */
  size_t without_target;  /* rows without a target, dropped */
  double weight;          /* the sum of the weights; the errors below are weighted */
  double rmse, mae, r2;   /* regression; means over several targets; NaN for classes */
  double error, accuracy; /* classes: shares of wrong and right ones; NaN for regression */
  double logloss;         /* mean of -ln(probability of the right class) */
  double auc;             /* area under the ROC curve; several classes: mean over the classes that occur, each against
                              the rest; NaN if fewer than two occur */
} entropic_scores;

/* Scores a model on all rows of a reader that was opened with targets. BAD_DATA if no row has a target and a positive
 * weight. The memory for auc grows with the rows: 16 bytes for each row and class. Data warnings are added to warnings,
 * which may be NULL. progress may be NULL; `done` is always 0, because the number of rows is not known.
 * Probabilities below 1e-15 count as 1e-15 in logloss. r2 is NaN if a target is constant. */
ENTROPIC_API entropic_status entropic_model_score(entropic_context *context, const entropic_model *model,
                                                  entropic_row_reader *reader, entropic_progress progress, void *user,
                                                  entropic_data_warnings *warnings, entropic_scores *scores);

/* ---- Comparing (experimental) ------------------------------------------------------------------------------ */

/* Experimental: names, structs and results of this section may change in any version.
 *
 * Entropic optimal features compared with random features and other baselines, on the caller's data set: the same rows,
 * scalings, solver and tuning for all. */
typedef struct entropic_comparison entropic_comparison;

/* Start from entropic_compare_options_default. */
typedef struct entropic_compare_options {
  const size_t *features;     /* the numbers of features to compare at */
  size_t feature_count;       /* default 50, 100 and 200 */
  size_t runs;                /* splits, 1 .. 1000; default 5 */
  double test_share;          /* share of test rows, above 0 and below 1; default 0.2 */
  entropic_scaling scaling;   /* of numbers; default auto: tuned with the rest, and quantile by the rule. Categories
                                 become columns of 0 and 1 */
  uint64_t seed;              /* of splits and random features; default 1 */
  entropic_progress progress; /* or NULL (default) */
  void *user;                 /* handed to progress */
} entropic_compare_options;

ENTROPIC_API entropic_compare_options entropic_compare_options_default(void);

/* Row weights are not used; rows of a group stay on one side of a split. Missing numbers are replaced by the median. */
ENTROPIC_API entropic_status entropic_compare(entropic_context *context, const entropic_dataset *dataset,
                                              const entropic_compare_options *options,
                                              entropic_comparison **comparison);
ENTROPIC_API void entropic_comparison_free(entropic_comparison *comparison);

/* The result of one method with one number of features. */
typedef struct entropic_method_result {
  const char *name; /* EOF, EOF-select, EOF-printed, RKS, ORF, LKRF, EERF, Nystroem, QMC */
  int tuned;        /* 1: bandwidth tuned on validation rows, and the scaling if it is auto; 0: bandwidth by the rule */
  size_t features;  /* asked for */
  size_t runs;
  double error, sd;         /* on test rows: root mean square error or share of wrong classes; sd NaN for one run */
  double train_seconds;     /* of one run, on one thread: making the features and solving */
  double lift_seconds;      /* of one run, on one thread: lifting the test rows */
  double nonzeros;          /* of a lifted row, on average */
  double bandwidth;         /* in use, geometric mean */
  entropic_scaling scaling; /* in use, in most runs */
} entropic_method_result;

ENTROPIC_API size_t entropic_comparison_count(const entropic_comparison *comparison);
/* BAD_ARGUMENT if there is none of that number. */
ENTROPIC_API entropic_status entropic_comparison_get(entropic_context *context, const entropic_comparison *comparison,
                                                     size_t index, entropic_method_result *result);
/* Its errors, one for each of its runs, in order; all methods have the same rows in the same run. They belong to the
 * comparison. BAD_ARGUMENT if there is none of that number, or errors is NULL. */
ENTROPIC_API entropic_status entropic_comparison_errors(entropic_context *context,
                                                        const entropic_comparison *comparison, size_t index,
                                                        const double **errors);
/* The error of a constant on the same rows, as a reference: the mean of the training rows, or their most frequent
 * class. The fields name ("constant"), runs, error and sd are set. errors as above. BAD_ARGUMENT if an argument is
 * NULL. */
ENTROPIC_API entropic_status entropic_comparison_constant(entropic_context *context,
                                                          const entropic_comparison *comparison,
                                                          entropic_method_result *constant, const double **errors);

#ifdef __cplusplus
}
#endif
#endif
