/* Splitting rows: which fold of a cross-validation each row belongs to, and rows picked by number. */
#ifndef ENT_LEARN_FOLDS_H
#define ENT_LEARN_FOLDS_H

#include <stdbool.h>

#include "learn/rows.h"

/* The fold of a row that takes no part: it is neither learnt from nor tried on. */
#define ENT_NO_FOLD SIZE_MAX

/* What a split must respect. */
typedef struct ent_split {
  size_t rows;
  const double *labels; /* classes 0 .. classes-1, spread evenly over the folds; or NULL */
  size_t classes;
  const double *groups; /* 0 .. rows-1; rows of a group stay together, whatever their classes; or NULL */
} ent_split;

/* fold_of[rows] becomes 0 .. *folds - 1, at random from the seed. *folds is what is wanted and becomes what there is:
 * not more than there are rows or groups; 1 if there is no way to split. The number of a fold says nothing of the
 * labels in it. */
entropic_status ent_folds_deal(entropic_context *context, const ent_split *split, uint64_t seed, size_t *fold_of,
                               size_t *folds);

/* sorted[rows] becomes all rows, class by class in the order of classes, those of a class in random order; without labels
 * all in random order. */
entropic_status ent_rows_by_class(entropic_context *context, const ent_split *split, entropic_random *random,
                                  size_t *sorted);

/* One more than the largest number of a group; there must be groups. */
size_t ent_group_count(const ent_split *split);

/* Deals some of the rows alone, numbers[count], all others get no fold. */
entropic_status ent_folds_deal_some(entropic_context *context, const ent_split *split, const size_t *numbers,
                                    size_t count, uint64_t seed, size_t *fold_of, size_t *folds);

/* Rows picked out of rows in memory, in the order given; all borrowed. Free with ent_picked_free. */
typedef struct ent_picked {
  ent_block all;
  size_t inputs, targets;
  const size_t *numbers; /* which */
  size_t count;
  size_t at;
  double *x, *y, *weights; /* the block at hand */
  size_t capacity;
} ent_picked;

ent_rows ent_rows_of_picked(ent_picked *picked);
void ent_picked_free(ent_picked *picked);

/* numbers[rows] becomes the rows that are in the fold (inside) or in any other (not inside), ascending; returns how
 * many. Rows of no fold are in neither. */
size_t ent_fold_rows(const size_t *fold_of, size_t rows, size_t fold, bool inside, size_t *numbers);

#endif
