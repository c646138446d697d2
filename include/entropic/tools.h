/* Tools: what the command and the benchmarks are written with, and programs that use the library can do without. Only
 * libentropic.a has these functions; the shared library does not export them. Experimental: see entropic.h. */
#ifdef ENTROPIC_EXPERIMENTAL
#ifndef ENTROPIC_TOOLS_H
#define ENTROPIC_TOOLS_H

#include "entropic/predict.h"
#include "entropic/statistics.h"

#ifdef __cplusplus
extern "C" {
#endif

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

ENTROPIC_STATIC entropic_random entropic_random_start(uint64_t seed, uint64_t stream);
/* 64 uniform bits. */
ENTROPIC_STATIC uint64_t entropic_random_bits(entropic_random *random);
/* Uniform on [0,1), a multiple of 2^-53. */
ENTROPIC_STATIC double entropic_random_uniform(entropic_random *random);
/* Uniform on 0 .. bound-1, without bias; bound 0 gives 0. */
ENTROPIC_STATIC uint64_t entropic_random_below(entropic_random *random, uint64_t bound);
/* Standard normal. */
ENTROPIC_STATIC double entropic_random_normal(entropic_random *random);
/* Standard Cauchy. */
ENTROPIC_STATIC double entropic_random_cauchy(entropic_random *random);
/* Chi with `degrees` >= 1 degrees of freedom: the length of a standard normal vector of that dimension. */
ENTROPIC_STATIC double entropic_random_chi(entropic_random *random, unsigned degrees);
/* A uniform permutation of 0 .. count-1 into order[count]. */
ENTROPIC_STATIC void entropic_random_permutation(entropic_random *random, size_t count, size_t *order);

/* ---- Numbers and texts ------------------------------------------------------------------------------------- */

/* Reads all of text[0..length) as one decimal number: optional sign, digits with an optional '.', optional exponent,
 * or inf, infinity, nan in any case. Exactly rounded whatever the locale. BAD_DATA if it is anything else (also if
 * empty or with blanks around it), TOO_LARGE if it is finite as written but beyond the range of double. */
ENTROPIC_STATIC entropic_status entropic_parse_double(const char *text, size_t length, double *value);

#define ENTROPIC_NUMBER_SIZE 32
/* Writes the shortest decimal that reads back as exactly this value, 0-terminated, into text[ENTROPIC_NUMBER_SIZE],
 * with '.' whatever the locale; nan, inf, -inf for the others. Returns its length. */
ENTROPIC_STATIC size_t entropic_format_double(double value, char *text);
/* Writes numbers as entropic_format_double does, with a comma between two, into text[count * ENTROPIC_NUMBER_SIZE]; in less
 * time, and not 0-terminated. Returns the length; 0 if values or text is NULL. */
ENTROPIC_STATIC size_t entropic_format_list(const double *values, size_t count, char *text);

/* Longer texts are not compared. */
#define ENTROPIC_EDIT_LENGTH 63
/* The edit distance of two texts: how many characters must be inserted, deleted, replaced or swapped with their neighbour
 * to turn one into the other; the case of A to Z is ignored. SIZE_MAX if a text is longer than ENTROPIC_EDIT_LENGTH
 * bytes. */
ENTROPIC_STATIC size_t entropic_edit_distance(const char *a, size_t a_length, const char *b, size_t b_length);

/* ---- Threads ----------------------------------------------------------------------------------------------- */

typedef void (*entropic_task_call)(void *user, size_t task);
/* Runs run(user, task) once for each task from 0 to tasks - 1, in any order, on as many threads as the context has. On
 * failure some may not have run: NO_MEMORY, or BAD_ARGUMENT if run is NULL. */
ENTROPIC_STATIC entropic_status entropic_tasks_run(entropic_context *context, size_t tasks, entropic_task_call run,
                                                   void *user /* or NULL */);

/* ---- Outputs ----------------------------------------------------------------------------------------------- */

/* An atomic output file: bytes go to a temporary file in the same folder, which is renamed on commit. "-" is standard
 * output, written directly. */
typedef struct entropic_output entropic_output;

ENTROPIC_STATIC entropic_status entropic_output_create(entropic_context *context, const char *path,
                                                       entropic_output **output);
ENTROPIC_STATIC entropic_status entropic_output_write(entropic_context *context, entropic_output *output,
                                                      const void *bytes, size_t count);
/* Renames the file to its final name. It replaces an older file, even a read-only one, and keeps its permissions. */
ENTROPIC_STATIC entropic_status entropic_output_commit(entropic_context *context, entropic_output *output);
/* Frees. Without a commit nothing is left on disk. */
ENTROPIC_STATIC void entropic_output_free(entropic_output *output);

/* ---- Writing reports --------------------------------------------------------------------------------------- */

/* An empty report, and values for it: at the end of what is open last. A key is needed in objects and not used in lists.
 * Only the last failure counts: once memory ran out, every later call fails too. */
ENTROPIC_STATIC entropic_status entropic_report_create(entropic_context *context, entropic_report **report);
ENTROPIC_STATIC entropic_status entropic_report_add_number(entropic_report *report, const char *key /* or NULL */,
                                                           double value);
ENTROPIC_STATIC entropic_status entropic_report_add_integer(entropic_report *report, const char *key /* or NULL */,
                                                            uint64_t value);
ENTROPIC_STATIC entropic_status entropic_report_add_flag(entropic_report *report, const char *key /* or NULL */,
                                                         int value);
/* Bytes that are not UTF-8 become U+FFFD. A text that is NULL is null. */
ENTROPIC_STATIC entropic_status entropic_report_add_text(entropic_report *report, const char *key /* or NULL */,
                                                         const char *text /* or NULL */);
ENTROPIC_STATIC entropic_status entropic_report_open_object(entropic_report *report, const char *key /* or NULL */);
ENTROPIC_STATIC entropic_status entropic_report_open_list(entropic_report *report, const char *key /* or NULL */);
/* Closes what is open last. BAD_ARGUMENT if nothing is. */
ENTROPIC_STATIC entropic_status entropic_report_close(entropic_report *report);

/* ---- Tables ------------------------------------------------------------------------------------------------ */

ENTROPIC_STATIC entropic_format entropic_table_format(const entropic_table *table);
/* Number of columns at the end of the lines without a name and without values; they are not part of the table. */
ENTROPIC_STATIC size_t entropic_table_empty(const entropic_table *table);

/* The line of a file of text in which the next row begins, from 1 on; of other files the number of that row. 0 if reader is
 * NULL. */
ENTROPIC_STATIC size_t entropic_row_reader_line(const entropic_row_reader *reader);

/* Carries columns of a file of delimited text along: their cells are kept as they are written, without quotes, whether or not
 * the model reads them. columns: names or numbers with commas between them; "all" is all of them, unless one has that name.
 * To be called once, before the first row is read. */
ENTROPIC_STATIC entropic_status entropic_row_reader_carry(entropic_context *context, entropic_row_reader *reader,
                                                          const char *columns);
/* How many there are, and their names in the order of the list; 0 and NULL if there is none. */
ENTROPIC_STATIC size_t entropic_row_reader_carried(const entropic_row_reader *reader);
ENTROPIC_STATIC const char *entropic_row_reader_carried_name(const entropic_row_reader *reader, size_t index);
/* The cell of a row of the last entropic_row_reader_next, from 0 on; NULL if there is none. Valid until the next one. */
ENTROPIC_STATIC const char *entropic_row_reader_carried_text(const entropic_row_reader *reader, size_t row,
                                                             size_t index);

/* The classical test functions, as tables of random inputs and the function's value. */
typedef struct entropic_generator {
  const char *name;        /* "friedman1" */
  size_t inputs;           /* its number of inputs */
  const char *description; /* one line */
} entropic_generator;

ENTROPIC_STATIC size_t entropic_generator_count(void);
/* NULL if there is no such generator. */
ENTROPIC_STATIC const entropic_generator *entropic_generator_get(size_t index);
/* The generator of that name, NULL if there is none. */
ENTROPIC_STATIC const entropic_generator *entropic_generator_find(const char *name);
/* Fills values[rows x (inputs + 1)] with rows first, first + 1, ... of the table, row after row: the inputs, then y +
 * noise * normal. A row depends on its number and the seed alone, so a table can be made in pieces. The inputs have the
 * same bits on every machine; y has those of the C library's functions. noise must be finite and not negative. */
ENTROPIC_STATIC entropic_status entropic_generate(entropic_context *context, const entropic_generator *generator,
                                                  size_t first, size_t rows, double noise, uint64_t seed,
                                                  double *values);

/* ---- Kernels and features ---------------------------------------------------------------------------------- */

/* What a family has or can do; bits, so that several go into one number. */
typedef enum entropic_trait {
  ENTROPIC_TRAIT_OMEGA = 1,       /* has the parameter w */
  ENTROPIC_TRAIT_HATS = 2,        /* has levels of hats, and so a deepest one */
  ENTROPIC_TRAIT_CONSTANT = 4,    /* the constant 1 is an atom of the full basis */
  ENTROPIC_TRAIT_SMOOTH = 8,      /* can have smooth atoms (full basis) */
  ENTROPIC_TRAIT_MISSING = 16,    /* can have an atom for missing values (full basis) */
  ENTROPIC_TRAIT_CATEGORIES = 32, /* is for categories; all others are for numbers */
  ENTROPIC_TRAIT_FUNCTIONS = 64,  /* needs the caller's functions p and q, or text for them */
  ENTROPIC_TRAIT_SAVED = 128,     /* its designs and models can be saved; custom: see entropic_kernel_has */
  ENTROPIC_TRAIT_PERIODIC = 256   /* the ends of [0,1] are one point; fits use it for parts of dates */
} entropic_trait;

/* 1 if the family has all of these traits (entropic_trait, or several of them by |), otherwise 0; 0 for a number that is
 * no family. */
ENTROPIC_STATIC int entropic_family_has(entropic_family family, unsigned traits);
/* "laplace": the text is the library's, for ever; NULL for a number that is no family. */
ENTROPIC_STATIC const char *entropic_family_name(entropic_family family);
/* 1 and *family if there is one of that name, otherwise 0; 0 too if name or family is NULL. */
ENTROPIC_STATIC int entropic_family_find(const char *name, entropic_family *family);
/* 1 if the kernel of an input has all of these traits (entropic_trait, or several of them by |), otherwise 0; 0 too if there
 * is no such input. They are those of its family. A custom kernel as text has ENTROPIC_TRAIT_SAVED besides, and
 * ENTROPIC_TRAIT_OMEGA if w stands in the text. */
ENTROPIC_STATIC int entropic_kernel_has(const entropic_kernel *kernel, size_t input, unsigned traits);

/* The criterion of a design, l2 where there was none; and its name, NULL for a number that is no criterion. */
ENTROPIC_STATIC entropic_criterion entropic_design_criterion(const entropic_design *design);
ENTROPIC_STATIC const char *entropic_criterion_name(entropic_criterion criterion);

/* A design without weights, for the calls that describe a model: columns and features are there, predictions mean nothing.
 * It lives as long as the design. NULL for NULL. */
ENTROPIC_STATIC const entropic_model *entropic_frozen_design_model(const entropic_frozen_design *design);

/* A lift by code of one kind, for tests and benchmarks. */
typedef enum entropic_lift_code {
  ENTROPIC_LIFT_CODE_BEST = 0,      /* the fastest this processor runs; all give the same bits */
  ENTROPIC_LIFT_CODE_REFERENCE = 1, /* plain C */
  ENTROPIC_LIFT_CODE_AVX2 = 2       /* at most AVX2, plain C where the processor has none */
} entropic_lift_code;

ENTROPIC_STATIC entropic_status entropic_lift_create_by(entropic_context *context, const entropic_design *design,
                                                        entropic_lift_code code, entropic_lift **lift);
/* Writes what scipy.sparse.load_npz reads; atomic. */
ENTROPIC_STATIC entropic_status entropic_csr_save_npz(entropic_context *context, const entropic_csr *csr,
                                                      const char *path);

/* ---- Names ------------------------------------------------------------------------------------------------- */

/* "regression"; NULL for a number that is no task. */
ENTROPIC_STATIC const char *entropic_task_name(entropic_task task);

/* How many languages there are: they have the numbers 0 to count - 1, which may be others in another version. */
ENTROPIC_STATIC size_t entropic_language_count(void);
/* "c", the name that the parameter `lang` has; and ".c .h .cc", the endings of files in it. The texts are the
 * library's, for ever; NULL for a number that is no language. */
ENTROPIC_STATIC const char *entropic_language_name(size_t language);
ENTROPIC_STATIC const char *entropic_language_endings(size_t language);

#ifdef __cplusplus
}
#endif
#endif
#endif
