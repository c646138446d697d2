/* Rows selected by number: see row_subset.h. */
#include "tune/row_subset.h"

#include <string.h>

#include "base/memory.h"

static void delete_block(ent_row_subset *subset) {
  ent_delete(subset->x);
  ent_delete(subset->y);
  ent_delete(subset->weights);
  subset->x = subset->y = subset->weights = NULL;
  subset->capacity = 0;
}

static entropic_status reserve_block(entropic_context *context, ent_row_subset *subset, size_t rows) {
  if (subset->x != NULL && rows <= subset->capacity)
    return ENTROPIC_OK;
  delete_block(subset);
  subset->x = ent_new_matrix(context, rows, subset->from.inputs, sizeof *subset->x);
  subset->y = ent_new_matrix(context, rows, subset->from.targets, sizeof *subset->y);
  subset->weights = ent_new(context, rows, sizeof *subset->weights);
  if (subset->x == NULL || subset->y == NULL || subset->weights == NULL) {
    delete_block(subset);
    return ENTROPIC_NO_MEMORY;
  }
  subset->capacity = rows;
  return ENTROPIC_OK;
}

void ent_gather_rows(ent_matrix_rows from, const size_t *numbers, size_t count, double *to) {
  for (size_t r = 0; r < count; r++)
    memcpy(to + r * from.width, from.values + numbers[r] * from.stride, from.width * sizeof *to);
}

static entropic_status rewind_subset(entropic_context *context, void *self) {
  (void)context;
  ((ent_row_subset *)self)->from.at = 0;
  return ENTROPIC_OK;
}

static entropic_status copy_next(entropic_context *context, void *self, size_t most, ent_block *block) {
  ent_row_subset *subset = self;
  const ent_block *all = &subset->from.all;
  size_t inputs = subset->from.inputs, targets = subset->from.targets, at = subset->from.at;
  size_t left = subset->count - at, rows = left < most ? left : most;
  entropic_status status = reserve_block(context, subset, rows);
  if (status != ENTROPIC_OK)
    return status;
  const size_t *numbers = subset->numbers + at;
  const ent_inputs from = {all->x, all->x_stride, all->columns};
  ent_inputs_gather(&from, inputs, numbers, rows, subset->x);
  if (all->y != NULL)
    ent_gather_rows((ent_matrix_rows){all->y, all->y_stride, targets}, numbers, rows, subset->y);
  for (size_t r = 0; r < rows; r++)
    subset->weights[r] = ent_weight(all, numbers[r]);
  if (all->scaler != NULL)
    status = ent_scaler_fill_all(context, all->scaler, subset->x, rows, inputs, subset->x);
  if (status != ENTROPIC_OK)
    return status;
  *block = (ent_block){.first = at,
                       .rows = rows,
                       .x = subset->x,
                       .x_stride = inputs,
                       .y = all->y == NULL ? NULL : subset->y,
                       .y_stride = targets,
                       .weights = all->weights == NULL ? NULL : subset->weights,
                       .missing = all->missing};
  subset->from.at += rows;
  return ENTROPIC_OK;
}

ent_rows ent_rows_of_subset(ent_row_subset *subset) {
  if (subset->numbers == NULL)
    return ent_rows_of_memory(&subset->from);
  return (ent_rows){.self = subset,
                    .inputs = subset->from.inputs,
                    .targets = subset->from.targets,
                    .count = subset->count,
                    .rewind = rewind_subset,
                    .next = copy_next};
}

entropic_status ent_row_subset_load(entropic_context *context, ent_row_subset *subset, ent_block *block) {
  subset->from.at = 0;
  if (subset->numbers == NULL) {
    ent_rows all = ent_rows_of_memory(&subset->from);
    entropic_status status = all.next(context, all.self, subset->from.all.rows, block);
    subset->from.at = 0;
    return status;
  }
  return copy_next(context, subset, subset->count, block);
}

void ent_row_subset_clear(ent_row_subset *subset) {
  delete_block(subset);
  ent_memory_rows_clear(&subset->from);
  ent_delete(subset->own_numbers);
  *subset = (ent_row_subset){0};
}
