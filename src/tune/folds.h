/* Folds: which fold of a cross-validation, or which block of time, each row belongs to. */
#ifndef ENT_TUNE_FOLDS_H
#define ENT_TUNE_FOLDS_H

#include <stdbool.h>

#include "sums/rows.h"

/* The fold of a row that takes no part: it is neither trained nor validated on. */
#define ENT_NO_FOLD SIZE_MAX

/* What folds must respect. */
typedef struct ent_fold_options {
  size_t rows;
  const double *labels; /* classes 0 .. classes-1, spread evenly over the folds; or NULL */
  size_t classes;
  const double *groups; /* 0 .. rows-1; rows of a group stay together, whatever their classes; or NULL */
  const double *time;   /* finite; folds are then blocks in the order of time, see below; or NULL. Not with groups */
  size_t initial;       /* with time: so many of the earliest rows are only trained on; 0: half of them */
} ent_fold_options;

/* fold_of[rows] becomes 0 .. *folds - 1, at random from the seed. *folds is how many are wanted and becomes how many there
 * are: not more than there are rows or groups; 1 if the rows cannot be split. The number of a fold says nothing of the
 * labels in it.
 *
 * With time, nothing is random. Fold 0 is the latest block and fold *folds - 1 the earliest one that is validated on. The
 * rows before it are always trained on and never validated on; they have the number *folds. The first time is always
 * trained on, the last one always validated on. Rows of equal times are in one block, that of the middle one of them.
 * *folds becomes the number of blocks that have rows; 0 if all times are equal. */
entropic_status ent_folds_deal(entropic_context *context, const ent_fold_options *split, uint64_t seed, size_t *fold_of,
                               size_t *folds);

/* sorted[rows] becomes all rows in the order of their classes, those of a class in random order. */
entropic_status ent_rows_by_class(entropic_context *context, const ent_fold_options *split, entropic_random *random,
                                  size_t *sorted);

/* One more than the largest number of a group; there must be groups. */
size_t ent_group_count(const ent_fold_options *split);

/* Some rows, by number; borrowed. */
typedef struct ent_row_list {
  const size_t *numbers;
  size_t count;
} ent_row_list;

/* Deals some of the rows; all others get no fold. */
entropic_status ent_folds_deal_some(entropic_context *context, const ent_fold_options *split, ent_row_list rows,
                                    uint64_t seed, size_t *fold_of, size_t *folds);

/* numbers[rows] becomes the rows that are in the fold, ascending; returns how many. */
size_t ent_fold_rows(const size_t *fold_of, size_t rows, size_t fold, size_t *numbers);

/* The rule of every split: whether rows of a fold are trained on while the fold `part` is held out. Forward, those are the
 * folds of higher numbers, which are earlier; otherwise all others. */
static inline bool ent_is_training_fold(size_t fold, size_t part, bool forward) {
  return fold != ENT_NO_FOLD && (forward ? fold > part : fold != part);
}

#endif
