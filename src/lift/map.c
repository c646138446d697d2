/* The lift of a design as a feature map. */
#include "lift/map.h"

#include <stdio.h>

#include "lift/lift.h"

static entropic_status scratch_create(entropic_context *context, const void *self, void **scratch) {
  entropic_workspace *workspace = NULL;
  entropic_status status = entropic_workspace_create(context, self, &workspace);
  if (status != ENTROPIC_OK)
    return status;
  *scratch = workspace;
  return ENTROPIC_OK;
}

static void scratch_free(void *scratch) {
  entropic_workspace_free(scratch);
}

static entropic_status dense(entropic_context *context, const void *self, void *scratch, const double *x, size_t rows,
                             size_t stride, double *z, size_t ld) {
  return entropic_lift_dense(context, self, scratch, x, rows, stride, z, ld);
}

static entropic_status sparse(entropic_context *context, const void *self, void *scratch, const double *x, size_t rows,
                              size_t stride, size_t *starts, int32_t *columns, double *values) {
  return entropic_lift_sparse(context, self, scratch, x, rows, stride, starts, columns, values);
}

static void exponents(const void *self, int *exponents) {
  ent_lift_exponents(self, exponents);
}

static void describe(const void *self, char *text, size_t size) {
  snprintf(text, size, "%zu entropic optimal features of %zu inputs, at most %zu non-zero a row",
           entropic_lift_features(self), entropic_lift_inputs(self), entropic_lift_nonzeros(self));
}

ent_map ent_map_of_lift(const entropic_lift *lift) {
  static const ent_map_calls calls = {scratch_create, scratch_free, dense, sparse, exponents, describe};
  return (ent_map){.calls = &calls,
                   .self = lift,
                   .inputs = entropic_lift_inputs(lift),
                   .features = entropic_lift_features(lift),
                   .nonzeros = entropic_lift_nonzeros(lift),
                   .missing = lift->missing};
}
