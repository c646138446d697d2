/* Splitting rows: which fold of a cross-validation each row belongs to, and rows picked by number. */
#ifndef ENT_TUNE_FOLDS_H
#define ENT_TUNE_FOLDS_H

#include <stdbool.h>

#include "solve/rows.h"

/* The fold of a row that takes no part: it is neither learnt from nor tried on. */
#define ENT_NO_FOLD SIZE_MAX

/* What a split must respect. */
typedef struct ent_fold_options {
  size_t rows;
  const double *labels; /* classes 0 .. classes-1, spread evenly over the folds; or NULL */
  size_t classes;
  const double *groups; /* 0 .. rows-1; rows of a group stay together, whatever their classes; or NULL */
  const double *time;   /* finite; folds are then blocks in the order of time, see below; or NULL. Not with groups */
  size_t learnt;        /* with time: so many of the earliest rows are only learnt from; 0: half of them */
} ent_fold_options;

/* fold_of[rows] becomes 0 .. *folds - 1, at random from the seed. *folds is what is wanted and becomes what there is:
 * not more than there are rows or groups; 1 if there is no way to split. The number of a fold says nothing of the
 * labels in it.
 *
 * With time, nothing is random: fold 0 is the latest block, fold *folds - 1 the earliest one that is judged, and the
 * rows before it, which are always learnt from and never judged, have the number *folds. The first of all times is always
 * learnt from, the last one always judged; rows of equal times are in one block, that of the middle one of them. *folds
 * becomes the number of blocks that have rows, 0 if all times are equal. */
entropic_status ent_folds_deal(entropic_context *context, const ent_fold_options *split, uint64_t seed, size_t *fold_of,
                               size_t *folds);

/* sorted[rows] becomes all rows, class by class in the order of classes, those of a class in random order; without labels
 * all in random order. */
entropic_status ent_rows_by_class(entropic_context *context, const ent_fold_options *split, entropic_random *random,
                                  size_t *sorted);

/* One more than the largest number of a group; there must be groups. */
size_t ent_group_count(const ent_fold_options *split);

/* Deals some of the rows alone, numbers[count], all others get no fold. */
entropic_status ent_folds_deal_some(entropic_context *context, const ent_fold_options *split, const size_t *numbers,
                                    size_t count, uint64_t seed, size_t *fold_of, size_t *folds);

/* Rows picked out of rows in memory, in the order given; all borrowed. Free with ent_row_subset_free. */
typedef struct ent_row_subset {
  ent_block all;
  size_t inputs, targets;
  const size_t *numbers; /* which */
  size_t count;
  size_t at;
  double *x, *y, *weights; /* the block at hand */
  size_t capacity;
} ent_row_subset;

ent_rows ent_rows_of_subset(ent_row_subset *subset);
void ent_row_subset_free(ent_row_subset *subset);

/* numbers[rows] becomes the rows that are in the fold, ascending; returns how many. */
size_t ent_fold_rows(const size_t *fold_of, size_t rows, size_t fold, size_t *numbers);

/* The rule of every split: whether rows of a fold are learnt from while the fold `part` is held out. Forward, the folds
 * of higher numbers are, as they are earlier; otherwise all others. */
static inline bool ent_fold_teaches(size_t fold, size_t part, bool forward) {
  return fold != ENT_NO_FOLD && (forward ? fold > part : fold != part);
}

#endif
