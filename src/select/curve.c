/* Validation errors by number of features: see curve.h. */
#include "select/curve.h"

#include <string.h>

#include "base/memory.h"

entropic_status ent_curve_start(entropic_context *context, size_t targets, ent_curve *curve) {
  *curve = (ent_curve){.targets = targets};
  curve->squares = ent_new_matrix(context, ENT_PATH_MOST, targets, sizeof *curve->squares);
  return curve->squares == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

void ent_curve_clear(ent_curve *curve) {
  ent_delete(curve->squares);
  *curve = (ent_curve){0};
}

/* Inserts an empty step. */
static void insert(ent_curve *curve, size_t at, size_t features) {
  size_t behind = curve->count - at, targets = curve->targets;
  double *squares = curve->squares + at * targets;
  memmove(curve->steps + at + 1, curve->steps + at, behind * sizeof *curve->steps);
  memmove(squares + targets, squares, behind * targets * sizeof *squares);
  memset(squares, 0, targets * sizeof *squares);
  curve->steps[at] = (ent_curve_step){.features = features};
  curve->count++;
}

void ent_curve_add(ent_curve *curve, size_t features, double lambda, const double *squares, double error_rate) {
  size_t at = 0;
  while (at < curve->count && curve->steps[at].features < features)
    at++;
  if (at == curve->count || curve->steps[at].features != features) {
    if (curve->count == ENT_PATH_MOST)
      return;
    insert(curve, at, features);
  }
  curve->steps[at].paths++;
  curve->steps[at].lambda += lambda;
  curve->steps[at].error_rate += error_rate;
  for (size_t k = 0; k < curve->targets; k++)
    curve->squares[at * curve->targets + k] += squares[k];
}
