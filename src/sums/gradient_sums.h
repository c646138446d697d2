/* Sums over all rows, at one point, of the gradient of the logistic or softmax loss, of the loss and of the weights: exact
 * integers in fixed point. Memory does not grow with the rows. Sums of parts of the rows, on threads, shards or MPI ranks,
 * can be added in any order, with the same bytes at the end.
 *
 * A row of weight w and class c has the scores s_k = offset_k + weights_k . z, the probabilities p_k, and
 * u_k = w (p_k - [c is k]); of two classes there is one score, of class 1. Its weight is at most 2^e, and |z_j| at most
 * 2^e_j; the intercept has z = 1. It enters as the integers
 *
 *     rint(u_k z_j 2^(46 - e - e_j)),   rint(w loss 2^(46 - e)),   rint(w 2^(46 - e)),
 *
 * with each product rounded to a double before, half to even. A loss beyond 2^40 counts as 2^40. All is computed by
 * additions, multiplications and divisions in a fixed order for each row: so the integers of a row are the same on every
 * processor, and the sums for any number of threads, any blocks, any shards and any order. A component of the mean gradient
 * is off by less than 2^(e + e_j - 46) / (mean weight), and mostly by far less, as roundings cancel.
 *
 * How shards or ranks use it: all know map, classes and e, the largest ent_fixed_exponent of a weight of any shard. Each
 * creates sums, adds its rows at the same point, and sends its bytes; whoever collects them reads and adds them. Sums at
 * different points are refused. ent_logistic_refine (refine.h) asks for such sums. */
#ifndef ENT_SUMS_GRADIENT_SUMS_H
#define ENT_SUMS_GRADIENT_SUMS_H

#include "base/sha256.h"
#include "sums/fixed.h"
#include "sums/gradient_code.h"

#define ENT_GRADIENT_MOST_WEIGHT 256 /* of the exponent of weights, up and down */

typedef struct ent_gradient_sums {
  size_t features, classes;
  size_t scores; /* 1 for two classes, otherwise one for each class */
  int weight_exponent;
  int *exponents;                 /* [features] */
  bool has_point;                 /* rows were added: only then the next is set */
  uint8_t point[ENT_SHA256_SIZE]; /* hash of the weights and offsets */
  uint64_t rows;                  /* with a weight above 0; so are the next three */
  uint64_t misplaced;             /* rows whose margin is not above 0 */
  uint64_t broken; /* rows with a score that is not finite: they count in nothing but `rows` and weights */
  double margin;   /* the largest margin: the score of the right class less the best other; -Infinity: no rows */
  ent_int128 loss;
  ent_int128 *weights;  /* [classes] */
  ent_int128 *gradient; /* [scores * (features + 1)]: for each score the features, then the intercept */
} ent_gradient_sums;

/* Sums of no rows, for the features of a map. BAD_ARGUMENT for fewer than 2 classes, or a scale out of range. */
entropic_status ent_gradient_sums_create(entropic_context *context, const ent_map *map, size_t classes,
                                         int weight_exponent, ent_gradient_sums **sums);
void ent_gradient_sums_free(ent_gradient_sums *sums);
/* What this and reading bytes have in common: sums of no rows with all scales 1, NULL for lack of memory; and BAD_ARGUMENT
 * if a scale is out of range. */
ent_gradient_sums *ent_gradient_sums_new(entropic_context *context, size_t features, size_t classes);
entropic_status ent_gradient_sums_check(entropic_context *context, const ent_gradient_sums *sums);
/* Back to no rows, at no point. */
void ent_gradient_sums_clear(ent_gradient_sums *sums);

/* Adds all rows of a source, on the context's threads, at the point `at`: weights[score * features + feature] and
 * offsets[score]. The rows' only target is the number of the class. BAD_ARGUMENT if things do not go together or the sums are
 * at another point; BAD_DATA, with the row, if a target is no class, or a weight or feature is beyond its scale; TOO_LARGE
 * beyond ENT_FIXED_MOST_ROWS rows. On failure the sums are as they were. */
entropic_status ent_gradient_sums_add_rows(entropic_context *context, ent_gradient_sums *sums, const ent_map *map,
                                           const ent_rows *rows, const ent_linear *at);
/* The same with any code, for tests and benchmarks. */
entropic_status ent_gradient_sums_add_by(entropic_context *context, ent_gradient_sums *sums, const ent_map *map,
                                         const ent_rows *rows, const ent_linear *at, const ent_gradient_code *code);

/* sum += other: merges. BAD_ARGUMENT unless both have the same features, classes and scales, and are at the same point, if
 * both have one; TOO_LARGE beyond ENT_FIXED_MOST_ROWS rows. On failure the sum is as it was. */
entropic_status ent_gradient_sums_add(entropic_context *context, ent_gradient_sums *sum,
                                      const ent_gradient_sums *other);

/* As doubles, each rounded once. gradient[scores * (features + 1)] as above. */
void ent_gradient_sums_gradient(const ent_gradient_sums *sums, double *gradient);
double ent_gradient_sums_loss(const ent_gradient_sums *sums);
/* The weight of all rows. */
double ent_gradient_sums_weight(const ent_gradient_sums *sums);

/* As bytes, the same on every machine: equal sums are equal bytes. They end with a hash of the others.
 * *bytes is to be deleted. */
entropic_status ent_gradient_sums_to_bytes(entropic_context *context, const ent_gradient_sums *sums,
                                           unsigned char **bytes, size_t *count);
/* BAD_DATA unless the bytes are those of sums, all of them and unchanged. */
entropic_status ent_gradient_sums_from_bytes(entropic_context *context, const unsigned char *bytes, size_t count,
                                             ent_gradient_sums **sums);

#endif
