/* Sufficient statistics of the squared loss: all that ridge needs to know of any number of rows.
 *
 * With Z the lifted rows and W the weights, they are the products of the columns of [Z, 1, Y - shift] with each other
 * under W: Z'WZ, Z'W1, Z'WY, the sum of W, the sums of WY, Y'WY. Sums over rows, so the statistics of several sets of
 * rows add up to those of all, and those of some rows can be taken away again.
 *
 * Targets are shifted by a constant near their mean, so that large means do not drown what varies. */
#ifndef ENT_SOLVE_STATISTICS_H
#define ENT_SOLVE_STATISTICS_H

#include "solve/rows.h"
#include "lift/map.h"

typedef struct ent_statistics {
  size_t features, targets;
  size_t size;   /* features + 1 + targets */
  double *gram;  /* size x size, column-major, upper triangle: features, then the 1, then the targets */
  double *shift; /* of each target */
  double weight; /* the sum of the weights */
  uint64_t rows; /* how many had a weight above 0 */
  double lift_seconds, gram_seconds; /* that collecting took, for people to know */
} ent_statistics;

/* Of no rows. shift[targets], or NULL for 0. */
entropic_status ent_statistics_create(entropic_context *context, size_t features, size_t targets, const double *shift,
                                      ent_statistics **statistics);
void ent_statistics_free(ent_statistics *statistics);

/* sum += scale * other; BAD_ARGUMENT unless both have the same numbers of features and targets. Different shifts are
 * seen to. 1 merges, -1 forgets. */
entropic_status ent_statistics_add(entropic_context *context, ent_statistics *sum, double scale,
                                   const ent_statistics *other);

/* A copy of the statistics of the first `features` features alone, with all targets. */
entropic_status ent_statistics_head(entropic_context *context, const ent_statistics *statistics, size_t features,
                                    ent_statistics **head);

typedef enum ent_gram_method {
  ENT_GRAM_AUTO = 0,   /* whichever is expected to be faster */
  ENT_GRAM_DENSE = 1,  /* products of columns, by the fastest code there is */
  ENT_GRAM_SPARSE = 2, /* products of non-zeros */
  ENT_GRAM_BLAS = 3    /* products of columns by BLAS, which is dense on processors that we have no code for */
} ent_gram_method;

/* Which set a row belongs to; anything from the number of sets on: none. */
typedef size_t (*ent_fold)(void *user, size_t row);

/* Adds all rows of the source, from its first to its last, to the statistics, on the context's threads. The same bits
 * for any number of them. On failure the statistics hold some of the rows. */
entropic_status ent_statistics_collect(entropic_context *context, ent_statistics *statistics, const ent_map *map,
                                       const ent_rows *rows, ent_gram_method path);

/* The same, but products among the first `known` features need not be collected: what is there of them afterwards is
 * not to be relied on. */
entropic_status ent_statistics_extend(entropic_context *context, ent_statistics *statistics, size_t known,
                                      const ent_map *map, const ent_rows *rows, ent_gram_method path);

/* The same, each row to folds[fold(user, row)], of which there are count. Without ever holding more than a few blocks
 * of rows, at the cost of one collection. */
entropic_status ent_statistics_collect_folds(entropic_context *context, ent_statistics *const *folds, size_t count,
                                             ent_fold fold, void *user, const ent_map *map, const ent_rows *rows,
                                             ent_gram_method path);

/* Which path ENT_GRAM_AUTO takes. */
ent_gram_method ent_gram_method_choice(const ent_map *map, size_t targets);

/* The products of two columns. */
static inline double ent_product(const ent_statistics *s, size_t a, size_t b) {
  return a <= b ? s->gram[b * s->size + a] : s->gram[a * s->size + b];
}

/* The weighted mean of a target. */
static inline double ent_statistics_mean(const ent_statistics *s, size_t target) {
  return s->shift[target] + ent_product(s, s->features, s->features + 1 + target) / s->weight;
}

#endif
