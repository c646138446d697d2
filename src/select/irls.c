/* Iteratively reweighted least squares: see irls.h. */
#include "select/irls.h"

#include <math.h>

#include "base/memory.h"
#include "solve/logistic.h"

void ent_irls_clear(ent_irls *irls) {
  ent_delete(irls->labels);
  ent_delete(irls->weights);
  ent_delete(irls->responses);
  *irls = (ent_irls){0};
}

entropic_status ent_irls_start(entropic_context *context, const ent_block *rows, double *scores, ent_irls *irls) {
  double weight[2] = {0, 0};
  *irls = (ent_irls){.rows = rows->rows};
  irls->labels = ent_new(context, rows->rows, sizeof *irls->labels);
  irls->weights = ent_new(context, rows->rows, sizeof *irls->weights);
  irls->responses = ent_new(context, rows->rows, sizeof *irls->responses);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (irls->labels == NULL || irls->weights == NULL || irls->responses == NULL)
    goto fail;
  for (size_t r = 0; r < rows->rows; r++) {
    bool one = rows->y[r * rows->y_stride] > 0;
    irls->labels[r] = one;
    weight[one] += ent_weight(rows, r);
  }
  if (!(weight[0] > 0 && weight[1] > 0)) {
    status = ent_fail(context, ENTROPIC_BAD_DATA, "the training rows are all of one class, expected two");
    goto fail;
  }
  for (size_t r = 0; r < rows->rows; r++)
    scores[r] = log(weight[1] / weight[0]);
  return ENTROPIC_OK;
fail:
  ent_irls_clear(irls);
  return status;
}

void ent_irls_set(ent_irls *irls, const ent_block *rows, const double *scores) {
  double sum = 0, weight = 0;
  for (size_t r = 0; r < irls->rows; r++) {
    double chances[2];
    ent_probabilities(2, &scores[r], chances);
    double curve = fmax(chances[0] * chances[1], ENT_LEAST_CURVE);
    double off = irls->labels[r] > 0 ? chances[0] : -chances[1]; /* y - p without loss of digits */
    irls->weights[r] = ent_weight(rows, r) * curve;
    irls->responses[r] = scores[r] + off / curve;
    weight += irls->weights[r];
    sum += irls->weights[r] * irls->responses[r];
  }
  irls->mean = sum / weight;
}

double ent_irls_loss(const ent_block *rows, const double *scores) {
  double sum = 0, weight = 0;
  for (size_t r = 0; r < rows->rows; r++) {
    double front = rows->y[r * rows->y_stride] > 0 ? scores[r] : -scores[r];
    sum += ent_weight(rows, r) * (log1p(exp(-fabs(front))) + (front < 0 ? -front : 0));
    weight += ent_weight(rows, r);
  }
  return sum / weight;
}
