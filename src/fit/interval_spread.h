/* How the spread of residuals depends on the prediction and on the inputs: see intervals.h.
 *
 * Factors are added one after the other. Each candidate is one variable: its values are divided into bins, and the
 * factor of a bin is the mean of absolute residuals over the spread so far, relative to that of all rows. A candidate
 * is judged on rows that its factor has not seen: the rows are dealt to folds, and the factors that a fold gets come
 * from the others. */
#ifndef ENT_FIT_INTERVAL_SPREAD_H
#define ENT_FIT_INTERVAL_SPREAD_H

#include "model/intervals.h"

#define ENT_SPREAD_FOLDS ((size_t)5)

/* The residuals of one target. */
typedef struct ent_spread_rows {
  size_t count;
  const double *residuals; /* [count] absolute ones */
  const double *weights;   /* [count] */
  const size_t *fold_of;   /* [count] below ENT_SPREAD_FOLDS */
  const double *scores;    /* [count] predictions, as scores */
  const entropic_model *model;
  const entropic_dataset *data; /* that the rows are of, */
  const size_t *numbers;        /* [count] by these numbers */
} ent_spread_rows;

/* Finds the spread. spreads[count] becomes that of each row, by factors that have not seen its fold. */
entropic_status ent_spread_find(entropic_context *context, const ent_spread_rows *rows, ent_spread *spread,
                                double *spreads);

#endif
