/* Scaling, kernels, designs, and the lift of rows to sparse features. */
#ifndef ENTROPIC_FEATURES_H
#define ENTROPIC_FEATURES_H

#include "entropic/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Scaling ----------------------------------------------------------------------------------------------- */

typedef enum entropic_scaling {
  ENTROPIC_SCALING_AUTO = 0,     /* fits and comparisons: quantile, blend or minmax, whichever validates better */
  ENTROPIC_SCALING_QUANTILE = 1, /* the empirical distribution function: mid-ranks, linear between up to 1024 knots */
  ENTROPIC_SCALING_MINMAX = 2,   /* (x - min) / (max - min) */
  ENTROPIC_SCALING_NONE = 3,     /* unchanged */
  ENTROPIC_SCALING_BLEND = 4     /* the mean of quantile and minmax */
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
 * of inputs). Values outside the training range go to 0 or 1, except with ENTROPIC_SCALING_NONE, and in models where the
 * line of an input goes on (then as far as -1 and 2). An input that was
 * constant becomes 1/2. NaN stays NaN. */
ENTROPIC_API entropic_status entropic_scaler_apply(entropic_context *context, const entropic_scaler *scaler,
                                                   const double *values, size_t rows, size_t stride, double *scaled);
/* A scaler as a small text in memory: *bytes[*count], to be freed with entropic_bytes_free; and back, which is BAD_DATA if
 * the text is damaged. The scaler that comes back scales to the same bits. */
ENTROPIC_API entropic_status entropic_scaler_save_memory(entropic_context *context, const entropic_scaler *scaler,
                                                         unsigned char **bytes, size_t *count);
ENTROPIC_API entropic_status entropic_scaler_load_memory(entropic_context *context, const void *bytes, size_t count,
                                                         entropic_scaler **scaler);

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
  X(CUSTOM, 6, custom)     /* p(min) q(max), the caller's p and q, or text */                                          \
  X(CATEGORY, 7, category) /* 1 + w/4 [same category]; see entropic_axis_options.categories */                         \
  X(PERIODIC, 9, periodic) /* 1 + w(min - xy): 0 and 1 are one point; for parts of dates */                            \
  X(NEUMANN, 8, neumann)   /* cosh(w min) exp(-w max) */

typedef enum entropic_family {
#define ENTROPIC_FAMILY_MEMBER(name, number, table) ENTROPIC_FAMILY_##name = number,
  ENTROPIC_FAMILY_MAP(ENTROPIC_FAMILY_MEMBER)
#undef ENTROPIC_FAMILY_MEMBER
} entropic_family;

typedef enum entropic_basis {
  ENTROPIC_BASIS_FULL = 0,    /* boundary atoms and hats: the kernel exactly */
  ENTROPIC_BASIS_INTERIOR = 1 /* hats alone, which vanish at 0 and 1: the source paper's basis as printed */
} entropic_basis;

/* One of the two factors of a custom kernel. Called for x in [0,1] when the kernel is made and whenever rows are
 * lifted, possibly from several threads. */
typedef double (*entropic_kernel_factor)(double x, void *user);

/* The kernel of one input. Start from entropic_axis_options_init. */
typedef struct entropic_axis_options {
  size_t size;            /* of this struct, as the caller knows it: set by entropic_axis_options_init */
  entropic_family family; /* default centred */
  entropic_basis basis;   /* default full */
  double omega;           /* w, 1e-6 .. 1e4; default 1; unused by bridge, which has no w */
  int max_level;          /* deepest level of hats, 0 .. ENTROPIC_MAX_LEVEL; default 16; custom: at most 16 */
  int smooth;      /* Legendre atoms of degree 2 .. smooth, 0 for none, at most 8; centred and periodic, full basis */
  int unit_height; /* not 0: hats of height 1, not of norm 1 (the paper's features); interior basis only */
  entropic_kernel_factor p, q; /* custom: p/q strictly increasing, q > 0 inside (0,1), p and q finite and not negative;
                             NULL where there is text */
  void *user;                  /* handed to p and q; must outlive the kernel and all made from it */
  size_t categories; /* category: how many, 1 .. 2^24. [0,1] is cut into categories + 1 equal cells, one for each
                             and a last one for what is none of them, where every atom but the constant is 0 */
  /* Not 0: values may be missing, NaN. There every atom but the constant is 0, and one more atom is sqrt(w), which is 0
   * elsewhere: k(missing, x) = 1, k(missing, missing) = 1 + w. Default 0; full basis only, and not of every family. */
  int missing;
  /* custom as text, instead of p and q: expressions in x and w, with + - * / ^, parentheses, numbers, pi, e, and functions
   * such as exp, log, sqrt, sin, cosh, min, max. Either p_text and q_text; or all of the other four, for the equation
   * (alpha y')' + beta y = 0 of p and q, with the ends c11 p'(0) + c12 p(0) = 0 ("c11,c12") and c21 q'(1) + c22 q(1) = 0
   * ("c21,c22"), expressions in w: the kernel is then the Green's function, p(min) q(max) with alpha (p'q - pq') = 1.
   * Copied by the kernel; those that entropic_kernel_axis returns live as long as the kernel. NULL: none. */
  const char *p_text, *q_text;
  const char *alpha_text, *beta_text, *left_text, *right_text;
} entropic_axis_options;

#define ENTROPIC_MAX_LEVEL 30

/* Sets the defaults; size is sizeof(entropic_axis_options) as the caller knows it. */
ENTROPIC_API entropic_status entropic_axis_options_init(entropic_axis_options *options, size_t size);
/* A product of one-dimensional kernels, one for each input, each with its levels of atoms. */
typedef struct entropic_kernel entropic_kernel;

/* count is 1 (the same for every input) or equal to inputs; all axes have the size of the first. BAD_ARGUMENT names the field that is wrong; a custom pair
 * is checked on a grid of 1025 points. TOO_LARGE past 256 different custom kernels as text. */
ENTROPIC_API entropic_status entropic_kernel_create(entropic_context *context, const entropic_axis_options *axes,
                                                    size_t count, size_t inputs, entropic_kernel **kernel);
ENTROPIC_API void entropic_kernel_free(entropic_kernel *kernel);
ENTROPIC_API size_t entropic_kernel_inputs(const entropic_kernel *kernel);
/* The options of an input as they are in force: the first `size` bytes of them. BAD_ARGUMENT if there is no such input. */
ENTROPIC_API entropic_status entropic_kernel_axis(entropic_context *context, const entropic_kernel *kernel,
                                                  size_t input, entropic_axis_options *options, size_t size);
/* k(x,y) in closed form, as with infinitely many levels; x[inputs], y[inputs], clamped to [0,1]. With an interior
 * basis: the part of the kernel that this basis spans; unit_height makes no difference. NaN is a missing value if the
 * axis has an atom for it, otherwise the result is NaN. */
ENTROPIC_API double entropic_kernel_value(const entropic_kernel *kernel, const double *x, const double *y);

typedef enum entropic_level_kind {
  ENTROPIC_LEVEL_KIND_CONSTANT = 0, /* the first boundary atom where it is the constant 1 */
  ENTROPIC_LEVEL_KIND_EVEN = 1,     /* the first boundary atom otherwise; even about the middle for laplace and cosh */
  ENTROPIC_LEVEL_KIND_LINEAR = 2,   /* the other boundary atom: linear, or odd about the middle */
  ENTROPIC_LEVEL_KIND_LEGENDRE = 3, /* a smooth atom: a Legendre polynomial, or a sine or cosine on a periodic axis */
  ENTROPIC_LEVEL_KIND_HAT = 4,      /* a level of hats with disjoint supports */
  ENTROPIC_LEVEL_KIND_CATEGORY = 5, /* an atom for each category */
  ENTROPIC_LEVEL_KIND_MISSING = 6   /* an atom for missing values */
} entropic_level_kind;

/* One level of an input: atoms of which at most one is not zero at any point. */
typedef struct entropic_level {
  entropic_level_kind kind;
  int order; /* hats: the level l >= 1; Legendre: the degree (periodic: 2h is cos(2 pi h x), 2h + 1 its sine); otherwise 0 */
  uint64_t atoms; /* how many atoms: 2^(l-1) for hats, one for each category, otherwise 1 */
  double sup;     /* squared maximum of an atom of norm 1; custom hats: the largest over the level */
  double l2;      /* integral of the square of such an atom; custom hats: the mean over the level; categories: each as
                     likely as any other; missing values: as if one value in twelve were missing, which gives the
                     atom the score of centred's linear one */
} entropic_level;

ENTROPIC_API size_t entropic_kernel_levels(const entropic_kernel *kernel, size_t input);
/* BAD_ARGUMENT if there is no such input or level. */
ENTROPIC_API entropic_status entropic_kernel_level(entropic_context *context, const entropic_kernel *kernel,
                                                   size_t input, size_t level, entropic_level *info, size_t size);
/* The name of a level in lists of features: "hat2", "linear", "legendre3", "even", "constant", "category", "missing"; "cos1"
 * and "sin1" on a periodic axis. Writes its first size - 1 bytes and a 0 to text[size]. Returns its whole length; 0 if there
 * is no such level. */
ENTROPIC_API size_t entropic_kernel_level_name(const entropic_kernel *kernel, size_t input, size_t level, char *text,
                                               size_t size);
/* The atom of that level that can be non-zero at x (clamped to [0,1]; NaN where values may be missing) and its value
 * there. */
ENTROPIC_API entropic_status entropic_kernel_atom(entropic_context *context, const entropic_kernel *kernel,
                                                  size_t input, size_t level, double x, uint64_t *atom, double *value);

/* ---- Designs ----------------------------------------------------------------------------------------------- */

/* Which features. */
typedef enum entropic_select {
  ENTROPIC_SELECT_AUTO = 0,     /* fits: residual, unless another parameter needs entropy */
  ENTROPIC_SELECT_ENTROPY = 1,  /* by the kernel alone: the entropic design, those of largest score */
  ENTROPIC_SELECT_RESIDUAL = 2, /* from the data, by a fit: features that explain the residual of the others */
  ENTROPIC_SELECT_PAPER = 3     /* drawn at random from the smallest set S_n that has enough; interior basis only */
} entropic_select;

/* The score of a feature. */
typedef enum entropic_criterion {
  ENTROPIC_CRITERION_L2 = 0,  /* its share of the trace of the kernel operator */
  ENTROPIC_CRITERION_SUP = 1, /* squared maximum (the paper's) */
  ENTROPIC_CRITERION_DATA = 2 /* mean square over a sample, shared among the atoms of a level that the sample reaches */
} entropic_criterion;

/* Start from entropic_design_options_init. */
typedef struct entropic_design_options {
  size_t size;                  /* of this struct, as the caller knows it: set by entropic_design_options_init */
  entropic_select select;       /* entropy (default) or paper */
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

/* Sets the defaults; size is sizeof(entropic_design_options) as the caller knows it. */
ENTROPIC_API entropic_status entropic_design_options_init(entropic_design_options *options, size_t size);

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
                                                   size_t group, entropic_group *info, size_t size);
/* Which atom, from 0, a feature of a group has in one of its terms. `feature` counts as members do. 0 if there is no such
 * term. */
ENTROPIC_API uint64_t entropic_design_atom(const entropic_design *design, const entropic_group *group, size_t term,
                                           uint64_t feature);

/* A small text file that holds kernel and groups; atomic. Custom kernels cannot be saved (BAD_ARGUMENT), nor more than
 * 2^20 inputs (TOO_LARGE). */
ENTROPIC_API entropic_status entropic_design_save(entropic_context *context, const entropic_design *design,
                                                  const char *path);
/* BAD_DATA names file, line and what was expected. */
ENTROPIC_API entropic_status entropic_design_load(entropic_context *context, const char *path,
                                                  entropic_design **design);
/* The same text in memory: *bytes[*count], to be freed with entropic_bytes_free; and back. */
ENTROPIC_API entropic_status entropic_design_save_memory(entropic_context *context, const entropic_design *design,
                                                         unsigned char **bytes, size_t *count);
ENTROPIC_API entropic_status entropic_design_load_memory(entropic_context *context, const void *bytes, size_t count,
                                                         entropic_design **design);
/* Kernel and design by the parameters of a design: kernel, basis, omega, smooth, max-level; features or nonzeros, select,
 * criterion, max-order, seed. sample[rows x inputs] in [0,1] is needed by criterion data and not used otherwise, so that
 * two tables are lifted alike. */
ENTROPIC_API entropic_status entropic_design_make(entropic_context *context,
                                                  const entropic_parameters *parameters /* or NULL */, size_t inputs,
                                                  const double *sample /* or NULL */, size_t sample_rows,
                                                  entropic_design **design);

/* ---- Lifting ----------------------------------------------------------------------------------------------- */

/* The feature map of a design, compiled for evaluation. */
typedef struct entropic_lift entropic_lift;

ENTROPIC_API entropic_status entropic_lift_create(entropic_context *context, const entropic_design *design,
                                                  entropic_lift **lift);
ENTROPIC_API void entropic_lift_free(entropic_lift *lift);
ENTROPIC_API size_t entropic_lift_inputs(const entropic_lift *lift);
ENTROPIC_API size_t entropic_lift_features(const entropic_lift *lift);
ENTROPIC_API size_t entropic_lift_nonzeros(const entropic_lift *lift);

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

#ifdef __cplusplus
}
#endif
#endif
