/* Lifts and workspaces: creation and release. */
#include "lift/lift.h"

#include <stdio.h>

#include "base/processor.h"
#include "lift/map.h"

static const ent_code *choose_code(entropic_lift_code code) {
#if defined(__x86_64__)
  if (code == ENTROPIC_LIFT_CODE_BEST && ent_processor_has_avx512())
    return &ent_code_avx512;
  if (code != ENTROPIC_LIFT_CODE_REFERENCE && ent_processor_has_avx2())
    return &ent_code_avx2;
#else
  (void)code;
#endif
  return &ent_code_reference;
}

entropic_status entropic_lift_create_by(entropic_context *context, const entropic_design *design,
                                        entropic_lift_code code, entropic_lift **lift) {
  ENT_NEED(context, design);
  ENT_NEED(context, lift);
  if (code != ENTROPIC_LIFT_CODE_BEST && code != ENTROPIC_LIFT_CODE_REFERENCE && code != ENTROPIC_LIFT_CODE_AVX2)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "code: %d is not one of best, reference, avx2", (int)code);
  entropic_lift *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->kernel = ent_kernel_hold(design->kernel);
  made->code = choose_code(code);
  entropic_status status = ent_plan(context, design, made);
  if (status != ENTROPIC_OK)
    goto fail;
  *lift = made;
  return ENTROPIC_OK;
fail:
  entropic_lift_free(made);
  return status;
}

entropic_status entropic_lift_create(entropic_context *context, const entropic_design *design, entropic_lift **lift) {
  ENT_NEED(context, design);
  ENT_NEED(context, lift);
  return entropic_lift_create_by(context, design, ENTROPIC_LIFT_CODE_BEST, lift);
}

void entropic_lift_free(entropic_lift *lift) {
  if (lift == NULL)
    return;
  entropic_kernel_free(lift->kernel);
  ent_delete(lift->column_input);
  ent_delete(lift->beyond);
  ent_delete(lift->factors);
  ent_delete(lift->bases);
  ent_delete(lift->nodes);
  ent_delete(lift->runs);
  ent_delete(lift->emit_nodes);
  ent_delete(lift->emit_terms);
  ent_delete(lift->term_factors);
  ent_delete(lift->emit_columns);
  ent_delete(lift->places);
  ent_delete(lift->tables);
  ent_delete(lift);
}

size_t entropic_lift_inputs(const entropic_lift *lift) {
  if (lift == NULL)
    return 0;
  return lift->inputs;
}

size_t entropic_lift_features(const entropic_lift *lift) {
  if (lift == NULL)
    return 0;
  return lift->features;
}

size_t entropic_lift_nonzeros(const entropic_lift *lift) {
  if (lift == NULL)
    return 0;
  return lift->emit_count;
}

/* `vectors` vectors of ENT_TILE elements. */
static void *new_vectors(entropic_context *context, size_t vectors, size_t size) {
  size_t count;
  if (!ent_multiply(vectors, ENT_TILE, &count))
    count = SIZE_MAX; /* refused below */
  return ent_new(context, count, size);
}

entropic_status entropic_workspace_create(entropic_context *context, const entropic_lift *lift,
                                          entropic_workspace **workspace) {
  ENT_NEED(context, lift);
  ENT_NEED(context, workspace);
  entropic_workspace *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->padded = new_vectors(context, lift->inputs, sizeof *made->padded);
  made->columns = new_vectors(context, (size_t)lift->column_count + lift->beyond_count, sizeof *made->columns);
  made->missing = ent_new(context, lift->missing ? lift->column_count : 0, sizeof *made->missing);
  made->slots = new_vectors(context, lift->slot_count, sizeof *made->slots);
  made->chunk = new_vectors(context, ENT_CHUNK, sizeof *made->chunk);
  made->atoms = new_vectors(context, lift->atom_slot_count, sizeof *made->atoms);
  made->inverses = new_vectors(context, lift->base_count > 0 ? lift->factor_count : 0, sizeof *made->inverses);
  made->exponents = new_vectors(context, lift->column_count, sizeof *made->exponents);
  made->row_values = ent_new(context, lift->factor_count, sizeof *made->row_values);
  made->row_atoms = ent_new(context, lift->factor_count, sizeof *made->row_atoms);
  made->rare_values = ent_new(context, lift->emit_count, sizeof *made->rare_values);
  made->rare_columns = ent_new(context, lift->emit_count, sizeof *made->rare_columns);
  if (made->padded == NULL || made->columns == NULL || made->missing == NULL || made->slots == NULL ||
      made->chunk == NULL || made->atoms == NULL || made->inverses == NULL || made->exponents == NULL ||
      made->row_values == NULL || made->row_atoms == NULL || made->rare_values == NULL || made->rare_columns == NULL) {
    entropic_workspace_free(made);
    return ENTROPIC_NO_MEMORY;
  }
  for (size_t i = 0; i < 2 * ENT_TILE; i++)
    made->slots[i] = 1; /* the vector of ones, and the root where no base changes it */
  *workspace = made;
  return ENTROPIC_OK;
}

void entropic_workspace_free(entropic_workspace *workspace) {
  if (workspace == NULL)
    return;
  ent_delete(workspace->padded);
  ent_delete(workspace->columns);
  ent_delete(workspace->missing);
  ent_delete(workspace->slots);
  ent_delete(workspace->chunk);
  ent_delete(workspace->atoms);
  ent_delete(workspace->inverses);
  ent_delete(workspace->exponents);
  ent_delete(workspace->row_values);
  ent_delete(workspace->row_atoms);
  ent_delete(workspace->rare_values);
  ent_delete(workspace->rare_columns);
  ent_delete(workspace);
}

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
