/* How good predictions are, from rows that come block by block. */
#ifndef ENT_MODEL_METRICS_H
#define ENT_MODEL_METRICS_H

#include "base/memory.h"

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

#endif
