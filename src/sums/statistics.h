/* Sufficient statistics of the squared loss: all that ridge regression needs to know of any number of rows.
 *
 * They are the weighted Gram matrix of the columns [Z, 1, Y - shift], with Z the lifted rows and W the weights: Z'WZ,
 * Z'W1, Z'WY, 1'W1, 1'WY, Y'WY. All are sums over rows. So the statistics of two sets of rows add up to those of both,
 * and the statistics of some rows can be subtracted again.
 *
 * A constant near its mean is subtracted from each target, so that a large mean does not cost accuracy. */
#ifndef ENT_SUMS_STATISTICS_H
#define ENT_SUMS_STATISTICS_H

#include "sums/rows.h"
#include "lift/map.h"

/* How exact a collection is. b: the bits of a value; see fixed.h. Either is the same for any order of rows and blocks, any
 * number of threads, and any processor. */
typedef enum ent_grade {
  ENT_GRADE_ORDER_FREE = 0, /* b = 23: the products of 65,536 rows fit into 64 bits. For choosing features. */
  ENT_GRADE_EXACT = 1       /* b = 45: two slices of 23 bits, or one number of 52. For what is kept and merged. */
} ent_grade;
#define ENT_GRADE_COUNT 2

typedef struct ent_statistics {
  size_t features, targets;
  size_t size;   /* features + 1 + targets */
  double *gram;  /* size x size, column-major, upper triangle: features, then the 1, then the targets */
  double *shift; /* [targets] subtracted from each target */
  double weight; /* the sum of the weights */
  uint64_t rows; /* how many had a weight above 0 */
  double lift_seconds, gram_seconds; /* spent on lifting and packing rows, and on products, for reports */
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

/* The fold of a row; a number of at least the number of folds: none. */
typedef size_t (*ent_fold)(void *user, size_t row);

/* Adds all rows of the source to the statistics, on the context's threads. The sums over rows are integers in fixed point,
 * rounded to doubles once, so nothing depends on the order of rows. Scales come from the map, the largest weight and the
 * largest targets: the source is read twice, the first time without inputs. An order-free collection becomes an exact one if
 * few rows have nearly all of the weight. BAD_DATA as ent_rows_take, or if a scale is out of range. On failure the
 * statistics are as they were. */
entropic_status ent_statistics_collect(entropic_context *context, ent_statistics *statistics, const ent_map *map,
                                       const ent_rows *rows, ent_grade grade);

/* The statistics of all rows of the source. */
entropic_status ent_statistics_of_rows(entropic_context *context, const ent_map *map, const ent_rows *rows,
                                       ent_grade grade, ent_statistics **statistics);

/* As ent_statistics_collect, but products among the first `known` features are not collected; their values are undefined
 * afterwards. */
entropic_status ent_statistics_extend(entropic_context *context, ent_statistics *statistics, size_t known,
                                      const ent_map *map, const ent_rows *rows, ent_grade grade);

/* How rows are collected, for tests. */
typedef struct ent_collect_options {
  ent_grade grade;
  size_t known;
  const struct ent_fixed_options *fixed; /* of fixed.h; NULL: the default ones. They do not show in the result. */
} ent_collect_options;

entropic_status ent_statistics_collect_by(entropic_context *context, ent_statistics *statistics, const ent_map *map,
                                          const ent_rows *rows, const ent_collect_options *options);

/* Statistics of folds, all borrowed. They all have the same shift. */
typedef struct ent_statistics_folds {
  ent_statistics *const *statistics; /* [count] */
  size_t count;
  ent_fold fold;
  void *user;            /* for `fold` */
  ent_statistics *total; /* of all rows that have a fold, summed as integers; NULL: not wanted */
} ent_statistics_folds;

/* As ent_statistics_collect, each row to the statistics of its fold. Takes as long as one collection and holds a few blocks
 * of rows for each fold. `known` of the options is not used. */
entropic_status ent_statistics_collect_folds(entropic_context *context, const ent_statistics_folds *folds,
                                             const ent_map *map, const ent_rows *rows,
                                             const ent_collect_options *options);

/* The entry of the Gram matrix for two columns. */
static inline double ent_product(const ent_statistics *s, size_t a, size_t b) {
  return a <= b ? s->gram[b * s->size + a] : s->gram[a * s->size + b];
}

#endif
