/* The logistic loss as a squared one: see working.h. */
#include "learn/working.h"

#include <math.h>

#include "base/memory.h"
#include "learn/logistic.h"

void ent_working_clear(ent_working *working) {
  ent_delete(working->labels);
  ent_delete(working->weights);
  ent_delete(working->responses);
  *working = (ent_working){0};
}

entropic_status ent_working_start(entropic_context *context, const ent_block *rows, double *scores,
                                  ent_working *working) {
  double weight[2] = {0, 0};
  *working = (ent_working){.rows = rows->rows};
  working->labels = ent_new(context, rows->rows, sizeof *working->labels);
  working->weights = ent_new(context, rows->rows, sizeof *working->weights);
  working->responses = ent_new(context, rows->rows, sizeof *working->responses);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (working->labels == NULL || working->weights == NULL || working->responses == NULL)
    goto fail;
  for (size_t r = 0; r < rows->rows; r++) {
    bool one = rows->y[r * rows->y_stride] > 0;
    working->labels[r] = one;
    weight[one] += ent_weight(rows, r);
  }
  status = weight[0] > 0 && weight[1] > 0 ? ENTROPIC_OK
                                          : ent_fail(context, ENTROPIC_BAD_DATA,
                                                     "the rows to learn from are all of one "
                                                     "class, expected two");
  if (status != ENTROPIC_OK)
    goto fail;
  for (size_t r = 0; r < rows->rows; r++)
    scores[r] = log(weight[1] / weight[0]);
  return ENTROPIC_OK;
fail:
  ent_working_clear(working);
  return status;
}

void ent_working_set(ent_working *working, const ent_block *rows, const double *scores) {
  double sum = 0, weight = 0;
  for (size_t r = 0; r < working->rows; r++) {
    double chances[2];
    ent_probabilities(2, &scores[r], chances);
    double curve = fmax(chances[0] * chances[1], ENT_LEAST_CURVE);
    double off = working->labels[r] > 0 ? chances[0] : -chances[1]; /* y - p without loss of digits */
    working->weights[r] = ent_weight(rows, r) * curve;
    working->responses[r] = scores[r] + off / curve;
    weight += working->weights[r];
    sum += working->weights[r] * working->responses[r];
  }
  working->mean = sum / weight;
}

double ent_working_loss(const ent_block *rows, const double *scores) {
  double sum = 0, weight = 0;
  for (size_t r = 0; r < rows->rows; r++) {
    double front = rows->y[r * rows->y_stride] > 0 ? scores[r] : -scores[r];
    sum += ent_weight(rows, r) * (log1p(exp(-fabs(front))) + (front < 0 ? -front : 0));
    weight += ent_weight(rows, r);
  }
  return sum / weight;
}
