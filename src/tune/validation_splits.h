/* Training rows, and how models of them are validated: on folds, on blocks of time, or on validation rows. */
#ifndef ENT_TUNE_VALIDATION_SPLITS_H
#define ENT_TUNE_VALIDATION_SPLITS_H

#include <stdbool.h>

#include "tune/folds.h"
#include "tune/row_subset.h"

/* All borrowed. Part k of the splits is fold k, or the validation rows. */
typedef struct ent_validation_splits {
  ent_block train;
  size_t inputs, targets;
  const ent_block *valid; /* validation rows; NULL: folds */
  const size_t *fold_of;  /* of each training row; ENT_NO_FOLD: the row takes no part */
  size_t folds;           /* without validation rows at least 2, or 1 forward */
  bool forward;           /* folds are blocks of time as ent_folds_deal makes them: only earlier rows are trained on */
  const double *scale;    /* [targets] mean squared errors are divided by these before they are added up */
  uint64_t seed;
  double deadline; /* on the clock of ent_seconds: no step begins that would end after it. 0: none */
} ent_validation_splits;

/* Whether a training row takes part. */
static inline bool ent_takes_part(const ent_validation_splits *splits, size_t row) {
  return splits->fold_of == NULL || splits->fold_of[row] != ENT_NO_FOLD;
}
/* Whether a row is trained on while a part is held out. */
static inline bool ent_is_training_row(const ent_validation_splits *splits, size_t row, size_t part) {
  if (splits->valid != NULL || splits->fold_of == NULL)
    return ent_takes_part(splits, row);
  return ent_is_training_fold(splits->fold_of[row], part, splits->forward);
}

/* The rows that take part, and those that do not. `rows` are those of the splits, perhaps with other inputs, weights or
 * targets, of which there are `targets`. On failure *subset is empty. */
entropic_status ent_splits_active_rows(entropic_context *context, const ent_validation_splits *splits,
                                       const ent_block *rows, size_t targets, ent_row_subset *subset);
entropic_status ent_splits_inactive_rows(entropic_context *context, const ent_validation_splits *splits,
                                         const ent_block *rows, size_t targets, ent_row_subset *subset);

/* One part held out: the rows to train on, and those to validate on. */
typedef struct ent_held_out {
  ent_row_subset train;
  ent_block validation;
  ent_row_subset copied; /* holds the validation rows, if they are a fold or have a scaler */
} ent_held_out;

/* On failure *held is empty. */
entropic_status ent_hold_out(entropic_context *context, const ent_validation_splits *splits, size_t part,
                             ent_held_out *held);
void ent_held_out_clear(ent_held_out *held);

/* Mean squared errors of several targets as one number: each divided by its scale, then averaged. */
double ent_splits_sum(const ent_validation_splits *splits, const double *errors);
/* The least of these numbers, of errors[count][targets]: which it is. Ties go to the first. */
size_t ent_splits_best(const ent_validation_splits *splits, const double *errors, size_t count);
/* Whether a step that takes so many seconds would end after the deadline. */
bool ent_splits_late(const ent_validation_splits *splits, double seconds);

#endif
