/* Validation errors by number of features: see curve.h. */
#include "select/curve.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

entropic_status ent_curve_start(entropic_context *context, size_t targets, ent_curve *curve) {
  *curve = (ent_curve){.targets = targets};
  curve->squares = ent_new_matrix(context, ENT_PATH_MOST, 2 * targets, sizeof *curve->squares);
  return curve->squares == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

void ent_curve_clear(ent_curve *curve) {
  ent_delete(curve->squares);
  *curve = (ent_curve){0};
}

/* Inserts an empty step. */
static void insert(ent_curve *curve, size_t at, size_t features) {
  size_t behind = curve->count - at, numbers = 2 * curve->targets;
  double *squares = curve->squares + at * numbers;
  memmove(curve->steps + at + 1, curve->steps + at, behind * sizeof *curve->steps);
  memmove(squares + numbers, squares, behind * numbers * sizeof *squares);
  memset(squares, 0, numbers * sizeof *squares);
  curve->steps[at] = (ent_curve_step){.features = features};
  curve->count++;
}

void ent_curve_add(ent_curve *curve, const ent_curve_model *model) {
  size_t at = 0, targets = curve->targets;
  while (at < curve->count && curve->steps[at].features < model->features)
    at++;
  if (at == curve->count || curve->steps[at].features != model->features) {
    if (curve->count == ENT_PATH_MOST)
      return;
    insert(curve, at, model->features);
  }
  ent_curve_step *step = &curve->steps[at];
  double *squares = curve->squares + 2 * at * targets;
  step->paths++;
  step->lambda += model->lambda;
  step->error_rate += model->error_rate;
  step->rate_variance += model->rows > 1 ? model->error_rate * (1 - model->error_rate) / (double)model->rows : NAN;
  for (size_t k = 0; k < targets; k++) {
    squares[k] += model->squares[k];
    squares[targets + k] += model->variances != NULL && model->rows > 1 ? model->variances[k] : NAN;
  }
}
