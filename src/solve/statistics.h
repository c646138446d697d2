/* Sufficient statistics of the squared loss: all that ridge regression needs to know of any number of rows.
 *
 * They are the weighted Gram matrix of the columns [Z, 1, Y - shift], with Z the lifted rows and W the weights: Z'WZ,
 * Z'W1, Z'WY, 1'W1, 1'WY, Y'WY. All are sums over rows. So the statistics of two sets of rows add up to those of both,
 * and the statistics of some rows can be subtracted again.
 *
 * A constant near its mean is subtracted from each target, so that a large mean does not cost accuracy. */
#ifndef ENT_SOLVE_STATISTICS_H
#define ENT_SOLVE_STATISTICS_H

#include "solve/rows.h"
#include "lift/map.h"

typedef struct ent_statistics {
  size_t features, targets;
  size_t size;   /* features + 1 + targets */
  double *gram;  /* size x size, column-major, upper triangle: features, then the 1, then the targets */
  double *shift; /* [targets] subtracted from each target */
  double weight; /* the sum of the weights */
  uint64_t rows; /* how many had a weight above 0 */
  double lift_seconds, gram_seconds; /* spent on collecting, for reports */
} ent_statistics;

/* Statistics of no rows. shift[targets], or NULL for 0. */
entropic_status ent_statistics_create(entropic_context *context, size_t features, size_t targets, const double *shift,
                                      ent_statistics **statistics);
void ent_statistics_free(ent_statistics *statistics);

/* sum += scale * other; a scale of 1 merges, -1 forgets. The shifts may differ. BAD_ARGUMENT unless both have the same
 * numbers of features and targets. */
entropic_status ent_statistics_add(entropic_context *context, ent_statistics *sum, double scale,
                                   const ent_statistics *other);

/* A copy for the first `features` features alone, with all targets. */
entropic_status ent_statistics_head(entropic_context *context, const ent_statistics *statistics, size_t features,
                                    ent_statistics **head);

/* How the Gram matrix is computed. */
typedef enum ent_gram_method {
  ENT_GRAM_AUTO = 0,   /* whichever is expected to be faster */
  ENT_GRAM_DENSE = 1,  /* dense columns: our own code (products.h), or BLAS if that is faster */
  ENT_GRAM_SPARSE = 2, /* pairs of non-zeros */
  ENT_GRAM_BLAS = 3    /* dense columns, always by BLAS */
} ent_gram_method;

/* The fold of a row; a number of at least the number of folds: none. */
typedef size_t (*ent_fold)(void *user, size_t row);

/* Adds all rows of the source to the statistics, on the context's threads, with the same bits for any number of them.
 * On failure the statistics hold some of the rows. */
entropic_status ent_statistics_collect(entropic_context *context, ent_statistics *statistics, const ent_map *map,
                                       const ent_rows *rows, ent_gram_method method);

/* The statistics of all rows of the source, by the method ENT_GRAM_AUTO. */
entropic_status ent_statistics_of_rows(entropic_context *context, const ent_map *map, const ent_rows *rows,
                                       ent_statistics **statistics);

/* As ent_statistics_collect, but products among the first `known` features need not be collected; their values are undefined
 * afterwards. */
entropic_status ent_statistics_extend(entropic_context *context, ent_statistics *statistics, size_t known,
                                      const ent_map *map, const ent_rows *rows, ent_gram_method method);

/* Statistics of folds, all borrowed. */
typedef struct ent_statistics_folds {
  ent_statistics *const *statistics; /* [count] */
  size_t count;
  ent_fold fold;
  void *user; /* for `fold` */
} ent_statistics_folds;

/* As ent_statistics_collect, each row to the statistics of its fold. Takes as long as one collection and holds a few blocks of rows. */
entropic_status ent_statistics_collect_folds(entropic_context *context, const ent_statistics_folds *folds,
                                             const ent_map *map, const ent_rows *rows, ent_gram_method method);

/* The method that ENT_GRAM_AUTO stands for. */
ent_gram_method ent_gram_method_choice(const ent_map *map, size_t targets);

/* The entry of the Gram matrix for two columns. */
static inline double ent_product(const ent_statistics *s, size_t a, size_t b) {
  return a <= b ? s->gram[b * s->size + a] : s->gram[a * s->size + b];
}

/* The weighted mean of a target. */
static inline double ent_statistics_mean(const ent_statistics *s, size_t target) {
  return s->shift[target] + ent_product(s, s->features, s->features + 1 + target) / s->weight;
}

#endif
