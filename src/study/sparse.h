/* Where sparse features pay: many features of few inputs. A known function of 2 to 6 inputs with noise is learnt by
 * ridge regression on M entropic optimal features (EOF), of which few are non-zero in a row, and on random Fourier
 * features (RKS), which are dense. Both learn from the same rows. The error is the root mean square of prediction
 * minus function on test rows, over the deviation of the function. The question is what the same error costs.
 *
 * There are two functions. One is a sum of laplace kernels: it is in the space of our features, and its kinks are
 * parallel to the axes. About a thousand of its bumps fit into the cube, whatever the number of inputs. The other is a
 * sum of ridge functions, with kinks in any direction: it is not made for our features.
 *
 * Weights come from the Gram matrix and its Cholesky factor, which is how the library trains, for both methods. Where
 * that takes longer, and always beyond 4096 features, EOF are trained by conjugate gradients on compressed rows: no
 * matrix of M x M is made then. RKS is always trained by the Gram matrix: with dense rows conjugate gradients took
 * longer where we tried (1000 features of 2 inputs). Kernel, its parameter and lambda N are chosen on validation rows for each function, number of inputs,
 * method and M, with the first training rows. lambda N is the variance of the noise over that of a weight, so it does
 * not depend on N. Choosing is in nobody's time. */
#ifndef ENT_STUDY_SPARSE_H
#define ENT_STUDY_SPARSE_H

#include <stdbool.h>

#include "entropic/entropic.h"

#define ENT_SPARSE_POINTS 8 /* of a curve, at most */
#define ENT_SPARSE_CASES 20
#define ENT_SPARSE_LEVELS 4 /* errors at which costs are compared */
#define ENT_SPARSE_LEAST 2  /* inputs */
#define ENT_SPARSE_MOST 6
#define ENT_SPARSE_DIMENSIONS (ENT_SPARSE_MOST - ENT_SPARSE_LEAST + 1)

typedef enum ent_sparse_target { ENT_SPARSE_ALIGNED, ENT_SPARSE_OBLIQUE, ENT_SPARSE_TARGETS } ent_sparse_target;
typedef enum ent_sparse_method { ENT_SPARSE_EOF, ENT_SPARSE_RKS, ENT_SPARSE_METHODS } ent_sparse_method;

/* M features. Times are of one thread, in seconds. */
typedef struct ent_sparse_point {
  double features;
  double nonzeros, products; /* of a row, on average; products of two non-zeros: n (n + 1) / 2 */
  double error;
  double train;   /* making features, lifting rows, weights */
  double gram;    /* of that lifting and the Gram matrix; NaN with conjugate gradients */
  double predict; /* of a row */
  double steps;   /* of conjugate gradients; 0: Cholesky */
  double scale;   /* chosen: omega, or sigma */
  double ridge;   /* chosen: lambda N */
  bool is_gauss;  /* the kernel of RKS; otherwise laplace */
} ent_sparse_point;

/* One method with growing M, on the same rows. */
typedef struct ent_sparse_curve {
  size_t count;
  ent_sparse_point points[ENT_SPARSE_POINTS];
} ent_sparse_curve;

typedef struct ent_sparse_case {
  ent_sparse_target target;
  size_t inputs, rows;
  ent_sparse_curve curves[ENT_SPARSE_METHODS];
} ent_sparse_case;

/* How non-zeros and products of EOF grow with M: counted, not trained. */
typedef struct ent_sparse_growth {
  size_t inputs, count;
  double features[ENT_SPARSE_POINTS], nonzeros[ENT_SPARSE_POINTS], products[ENT_SPARSE_POINTS];
} ent_sparse_growth;

typedef struct ent_sparse {
  size_t count, growth_count;
  ent_sparse_case cases[ENT_SPARSE_CASES];
  ent_sparse_growth growth[ENT_SPARSE_DIMENSIONS];
} ent_sparse;

/* What is measured. */
typedef struct ent_sparse_setting {
  ent_sparse_target target;
  size_t inputs, rows;
  size_t most[ENT_SPARSE_METHODS]; /* features */
} ent_sparse_setting;

typedef struct ent_sparse_options {
  const ent_sparse_setting *settings; /* those of one function and number of inputs follow each other */
  size_t count;
  size_t first[ENT_SPARSE_METHODS];    /* the first M; then four times (EOF) or twice (RKS) as many, up to the most */
  size_t tuning_rows, tuning_features; /* what is chosen with that many of them holds for more */
  size_t validation_rows, test_rows;
  size_t growth_most;    /* features that are counted; 0: nothing is */
  size_t cholesky_most;  /* features; more EOF are always trained by conjugate gradients */
  double tolerance;      /* of these, as in ent_iterate_options */
  double repeat_seconds; /* what takes less is measured three times; the least time counts */
  uint64_t seed;
} ent_sparse_options;

/* All settings in turn. Everything but times is the same for any number of threads; times are of one thread. */
entropic_status ent_sparse_run(entropic_context *context, const ent_sparse_options *options, ent_sparse *result);
ent_sparse_options ent_sparse_options_default(bool quick, uint64_t seed);
/* With the default options. In short: few rows and features, seconds instead of minutes. */
entropic_status ent_sparse_measure(entropic_context *context, bool quick, uint64_t seed, ent_sparse *result);

/* ---- What follows from the points (sparse_fit.c) ---------------------------------------------------------- */

/* What an error costs; all but `reached` is NaN where it is not reached. */
typedef struct ent_sparse_cost {
  bool reached;
  double features, nonzeros, train, predict;
} ent_sparse_cost;

typedef struct ent_sparse_equal {
  double error;
  ent_sparse_cost costs[ENT_SPARSE_METHODS];
} ent_sparse_equal;

/* The cost at the first M that reaches the error: on the line, in logarithms, from the point before. The first point is
 * taken as it is. */
ent_sparse_cost ent_sparse_at_error(const ent_sparse_curve *curve, double error);
/* Errors at which both are compared: 2, 1.4 and 1 times the least of RKS, as far as they are below 1, the error of the
 * mean; then the least of EOF if it is smaller still. Returns how many. */
size_t ent_sparse_equals(const ent_sparse_case *one, ent_sparse_equal equals[ENT_SPARSE_LEVELS]);

/* Slopes of logarithms against log log M: for D inputs the paper has D for non-zeros of a row and 2 D for products. */
typedef struct ent_sparse_exponents {
  double nonzeros, products;
  double gram; /* seconds of the Gram matrix, on the case with most rows; NaN if there are too few */
} ent_sparse_exponents;
ent_sparse_exponents ent_sparse_exponents_of(const ent_sparse *sparse, const ent_sparse_growth *growth);

/* "aligned". */
const char *ent_sparse_target_name(ent_sparse_target target);

/* ---- Functions and rows (sparse_rows.c) ------------------------------------------------------------------- */

#define ENT_SPARSE_BUMPS 128

typedef struct ent_sparse_truth {
  ent_sparse_target target;
  size_t inputs;
  double roughness;
  double centres[ENT_SPARSE_BUMPS * ENT_SPARSE_MOST]; /* or directions */
  double offsets[ENT_SPARSE_BUMPS];                   /* of ridge functions */
  double weights[ENT_SPARSE_BUMPS];
} ent_sparse_truth;

typedef struct ent_sparse_sample {
  size_t count;
  double *x, *y; /* x[row * inputs + input] */
} ent_sparse_sample;

/* Its deviation over the cube is 1, up to that of a sample. */
entropic_status ent_sparse_truth_make(entropic_context *context, ent_sparse_target target, size_t inputs,
                                      ent_sparse_truth *truth);
double ent_sparse_truth_at(const ent_sparse_truth *truth, const double *x);
/* The first `count` rows of stream number `stream`. More rows of a stream begin with the same ones. */
entropic_status ent_sparse_sample_make(entropic_context *context, const ent_sparse_truth *truth, entropic_random random,
                                       double noise, ent_sparse_sample *rows);
void ent_sparse_sample_clear(ent_sparse_sample *rows);

#endif
