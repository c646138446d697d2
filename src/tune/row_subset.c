/* Rows selected by number: see row_subset.h. */
#include "tune/row_subset.h"

#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

static void delete_block(ent_row_subset *subset) {
  ent_delete(subset->y);
  ent_delete(subset->weights);
  subset->y = subset->weights = NULL;
  subset->capacity = 0;
}

/* Room for the targets and weights of rows. */
static entropic_status reserve_block(entropic_context *context, ent_row_subset *subset, size_t rows) {
  if (subset->y != NULL && rows <= subset->capacity)
    return ENTROPIC_OK;
  delete_block(subset);
  subset->y = ent_new_matrix(context, rows, subset->from.targets, sizeof *subset->y);
  subset->weights = ent_new(context, rows, sizeof *subset->weights);
  if (subset->y == NULL || subset->weights == NULL) {
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
  ent_row_subset *subset = self;
  subset->from.at = subset->from.scaled_count = 0;
  return ENTROPIC_OK;
}

/* Targets and weights of the next rows; there is room for them. */
static void copy_targets(ent_row_subset *subset, size_t rows, ent_block *block) {
  const ent_block *all = &subset->from.all;
  size_t targets = subset->from.targets, at = subset->from.at;
  const size_t *numbers = subset->numbers + at;
  if (all->y != NULL)
    ent_gather_rows((ent_matrix_rows){all->y, all->y_stride, targets}, numbers, rows, subset->y);
  for (size_t r = 0; r < rows && all->weights != NULL; r++)
    subset->weights[r] = all->weights[numbers[r]];
  *block = (ent_block){.first = at,
                       .rows = rows,
                       .y = all->y == NULL ? NULL : subset->y,
                       .y_stride = targets,
                       .weights = all->weights == NULL ? NULL : subset->weights,
                       .missing = all->missing};
}

static size_t next_count(const ent_row_subset *subset, size_t most) {
  size_t left = subset->count - subset->from.at;
  return left < most ? left : most;
}

/* Copies the inputs of some of the rows that are being scaled, and scales them. */
static entropic_status gather_some(entropic_context *context, void *shared, size_t task, int worker) {
  const ent_row_subset *subset = shared;
  const ent_block *all = &subset->from.all;
  const ent_inputs from = {all->x, all->x_stride, all->columns};
  size_t first = task * ENT_CURSOR_ROWS, left = subset->from.scaled_count - first, inputs = subset->from.inputs;
  size_t rows = left < ENT_CURSOR_ROWS ? left : ENT_CURSOR_ROWS;
  double *to = subset->from.scaled + first * inputs;
  (void)context;
  (void)worker;
  ent_inputs_gather(&from, inputs, subset->numbers + subset->from.scaled_first + first, rows, to);
  if (all->scaler != NULL)
    ent_scaler_fill_own(all->scaler, to, rows);
  return ENTROPIC_OK;
}

/* The inputs of the next rows, and of some that follow. */
static entropic_status gather(entropic_context *context, ent_row_subset *subset, size_t rows) {
  ent_memory_rows *from = &subset->from;
  size_t count;
  entropic_status status = ent_memory_rows_reserve(context, from, rows, subset->count - from->at, &count);
  if (status != ENTROPIC_OK)
    return status;
  from->scaled_first = from->at;
  from->scaled_count = count;
  status = ent_parallel(context, (count + ENT_CURSOR_ROWS - 1) / ENT_CURSOR_ROWS, gather_some, subset);
  if (status != ENTROPIC_OK)
    from->scaled_count = 0;
  return status;
}

static entropic_status copy_next(entropic_context *context, void *self, size_t most, ent_block *block) {
  ent_row_subset *subset = self;
  ent_memory_rows *from = &subset->from;
  size_t rows = next_count(subset, most);
  entropic_status status = reserve_block(context, subset, rows);
  if (status != ENTROPIC_OK)
    return status;
  if (!ent_memory_rows_has(from, from->at, rows))
    status = gather(context, subset, rows);
  if (status != ENTROPIC_OK)
    return status;
  copy_targets(subset, rows, block);
  block->x = from->scaled + (from->at - from->scaled_first) * from->inputs;
  block->x_stride = from->inputs;
  from->at += rows;
  return ENTROPIC_OK;
}

static entropic_status copy_next_targets(entropic_context *context, void *self, size_t most, ent_block *block) {
  ent_row_subset *subset = self;
  size_t rows = next_count(subset, most);
  entropic_status status = reserve_block(context, subset, rows);
  if (status != ENTROPIC_OK)
    return status;
  copy_targets(subset, rows, block);
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
                    .next = copy_next,
                    .next_targets = copy_next_targets};
}

entropic_status ent_row_subset_load(entropic_context *context, ent_row_subset *subset, ent_block *block) {
  subset->from.at = subset->from.scaled_count = 0;
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
