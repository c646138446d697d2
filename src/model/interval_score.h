/* Coverage and width of intervals on rows that come block by block. */
#ifndef ENT_MODEL_INTERVAL_SCORE_H
#define ENT_MODEL_INTERVAL_SCORE_H

#include "model/intervals.h"
#include "model/metrics.h"

/* Rows with their targets, all of them there, weights above 0, and open predictions or probabilities. */
typedef struct ent_scored_rows {
  size_t count;
  const double *x, *y, *weights, *predicted;
} ent_scored_rows;

/* All zero but the level to begin with; level 0: nothing is added up. */
typedef struct ent_interval_score_sums {
  double level, weight, covered;
  double width; /* in units of 2^width_unit, which leaves room for sums of the widest intervals */
  int width_unit;
} ent_interval_score_sums;

/* Whether a class is in the set of a row: 1 - p is at most q, or it is the predicted one. */
bool ent_interval_has_class(const double *probabilities, size_t classes, double q, size_t class);

void ent_interval_score_add(const entropic_model *model, const ent_scored_rows *rows, ent_interval_score_sums *sums);
/* Sets level, coverage and width. */
void ent_interval_score_finish(const ent_interval_score_sums *sums, ent_score_figures *scores);

#endif
