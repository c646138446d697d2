/* How good predictions are, from rows that come block by block. */
#ifndef ENT_MODEL_METRICS_H
#define ENT_MODEL_METRICS_H

#include "base/memory.h"

/* Errors of predictions. */
typedef struct ent_score_figures {
  size_t rows;           /* with a target, also those of weight 0 */
  size_t without_target; /* rows without a target, dropped */
  double weight;         /* the sum of the weights; the errors below are weighted */
  double rmse, mae, r2;  /* regression; means over several targets; NaN for classes */
  double loss; /* the mean of the model's own loss of numbers, in the units of the target; NaN if it has none */
  double error, accuracy; /* classes: shares of wrong and right ones; NaN for regression */
  double logloss;         /* mean of -ln(probability of the right class) */
  double auc;             /* area under the ROC curve; several classes: mean over the classes that occur, each against
                              the rest; NaN if fewer than two occur */
  double level;           /* of intervals; 0: they were not asked for */
  double coverage, width; /* share of targets within them, and their mean width; classes: the mean size of sets */
} ent_score_figures;

typedef struct ent_metrics ent_metrics;

/* For numbers of so many targets, or, unless classes is 0, for classes. */
entropic_status ent_metrics_create(entropic_context *context, size_t targets, size_t classes, ent_metrics **metrics);
void ent_metrics_free(ent_metrics *metrics);

/* Adds rows with their targets, y[rows x targets], none of them missing, and weights above 0. `predicted` is [rows x
 * targets], or the probabilities of classes, [rows x classes]. */
entropic_status ent_metrics_add(entropic_context *context, ent_metrics *metrics, const double *y,
                                const double *predicted, const double *weights, size_t rows);

/* The measures of all rows so far, of which there is one at least; more cannot be added after that. */
entropic_status ent_metrics_finish(entropic_context *context, ent_metrics *metrics, ent_score_figures *scores);

/* entropic_model_score_intervals by figures: *scores has the level, 0 for none. warnings may be NULL. */
entropic_status ent_model_score_at(entropic_context *context, const entropic_model *model, entropic_row_reader *reader,
                                   entropic_data_warnings *warnings, ent_score_figures *scores);

#endif
