/* The model of no features: see fit.h. */
#include <math.h>

#include "axis/kernel.h"
#include "base/memory.h"
#include "fit/fit.h"

#define TIE 1e-9 /* of log odds: they tell which class comes first, not by how much */

/* A kernel with the constant and an atom for missing values at every input: it takes any rows. */
static entropic_status make_kernel(entropic_context *context, size_t inputs, entropic_kernel **kernel) {
  entropic_axis_options axis = ent_axis_options_default();
  axis.max_level = 0;
  axis.missing = 1;
  return ent_kernel_create(context, &axis, 1, inputs, kernel);
}

/* The weighted mean of one target, in its unit; the second sum takes back what the first one lost. */
static double mean_of(const ent_validation_splits *splits, size_t target) {
  const ent_block *rows = &splits->train;
  double mean = 0;
  for (int pass = 0; pass < 2; pass++) {
    double sum = 0, weight = 0;
    for (size_t r = 0; r < rows->rows; r++) {
      double w = ent_takes_part(splits, r) ? ent_weight(rows, r) : 0;
      sum += w * (rows->y[r * rows->y_stride + target] - mean);
      weight += w;
    }
    mean += sum / weight;
  }
  return mean;
}

/* Scores whose probabilities are the weighted shares of the classes. Where
 * rows that take part lack a class, half a row more counts for each, so that none is impossible. Balanced classes
 * of rows without weights have the same share; the one with the most rows is called. */
static entropic_status set_odds(entropic_context *context, const ent_fit *fit, double *offsets) {
  size_t classes = fit->train->schema.classes;
  double *weights = ent_new(context, classes, sizeof *weights), sum = 0, rows = 0;
  bool lacking = false, balanced = fit->weights != NULL && fit->train->weights == NULL;
  ent_block own = fit->splits.train;
  if (balanced)
    own.weights = NULL;
  if (weights == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < fit->train->rows; r++) {
    double weight = ent_takes_part(&fit->splits, r) ? ent_weight(&own, r) : 0;
    weights[(size_t)fit->train->y[r]] += weight;
    sum += weight;
    rows += weight > 0;
  }
  for (size_t k = 0; k < classes; k++)
    lacking |= weights[k] == 0;
  for (size_t k = 0; k < classes && lacking; k++)
    weights[k] += sum / rows / 2;
  const ent_link link = ent_link_for(classes);
  ent_link_of(&link)->constant(classes, weights, sum, offsets);
  for (size_t k = 0; k < fit->scores && balanced; k++)
    offsets[k] *= TIE;
  ent_delete(weights);
  return ENTROPIC_OK;
}

entropic_status ent_fit_constant(entropic_context *context, const ent_fit *fit, ent_fit_outcome *outcome) {
  entropic_kernel *kernel = NULL;
  ent_lifting lifting = {0};
  ent_learnt learnt = {.scores = fit->scores, .count = 1};
  entropic_status status = make_kernel(context, fit->inputs, &kernel);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_lifting_none(context, kernel, &lifting);
  if (status != ENTROPIC_OK)
    goto fail;
  status = ENTROPIC_NO_MEMORY;
  learnt.weights = ent_new(context, 0, sizeof *learnt.weights);
  learnt.offsets = ent_new(context, fit->scores, sizeof *learnt.offsets);
  if (learnt.weights == NULL || learnt.offsets == NULL)
    goto fail;
  status = ENTROPIC_OK;
  if (ent_schema_has_classes(&fit->train->schema))
    status = set_odds(context, fit, learnt.offsets);
  for (size_t k = 0; k < fit->scores && !ent_schema_has_classes(&fit->train->schema); k++)
    learnt.offsets[k] = mean_of(&fit->splits, k);
  if (status != ENTROPIC_OK)
    goto fail;
  ent_lifting_clear(&outcome->lifting);
  ent_learnt_clear(&outcome->learnt);
  outcome->lifting = lifting;
  outcome->learnt = learnt;
  outcome->solver = ENTROPIC_SOLVER_DIRECT;
  outcome->lambda = 0;
  outcome->link = ent_link_for(0);
  lifting = (ent_lifting){0};
  learnt = (ent_learnt){0};
fail:
  ent_lifting_clear(&lifting);
  ent_learnt_clear(&learnt);
  entropic_kernel_free(kernel);
  return status;
}
