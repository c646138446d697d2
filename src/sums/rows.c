/* Rows in memory, and the checks of every row. */
#include "sums/rows.h"

#include <math.h>
#include <stdbool.h>

#include "base/memory.h"

/* Values that are scaled at a time, by several threads: more than most blocks have. */
#define SCALED_VALUES ((size_t)1 << 16)

static entropic_status memory_rewind(entropic_context *context, void *self) {
  (void)context;
  ent_memory_rows *memory = self;
  memory->at = memory->scaled_count = 0;
  return ENTROPIC_OK;
}

void ent_memory_rows_clear(ent_memory_rows *memory) {
  ent_delete(memory->scaled);
  memory->scaled = NULL;
  memory->capacity = memory->scaled_count = 0;
}

bool ent_memory_rows_has(const ent_memory_rows *memory, size_t first, size_t rows) {
  return first >= memory->scaled_first && first + rows <= memory->scaled_first + memory->scaled_count;
}

entropic_status ent_memory_rows_reserve(entropic_context *context, ent_memory_rows *memory, size_t rows, size_t left,
                                        size_t *count) {
  size_t most = SCALED_VALUES / (memory->inputs + 1);
  *count = most < rows ? rows : most < left ? most : left;
  memory->scaled_count = 0;
  if (*count <= memory->capacity)
    return ENTROPIC_OK;
  ent_memory_rows_clear(memory);
  memory->scaled = ent_new_matrix(context, *count, memory->inputs, sizeof *memory->scaled);
  if (memory->scaled == NULL)
    return ENTROPIC_NO_MEMORY;
  memory->capacity = *count;
  return ENTROPIC_OK;
}

/* Scales the inputs of rows from `first` on, of at least `rows`. */
static entropic_status scale_rows(entropic_context *context, ent_memory_rows *memory, size_t first, size_t rows) {
  const ent_block *all = &memory->all;
  const double *x = all->columns != NULL ? NULL : all->x + first * all->x_stride;
  size_t stride = all->x_stride, count;
  entropic_status status = ent_memory_rows_reserve(context, memory, rows, all->rows - first, &count);
  if (status != ENTROPIC_OK)
    return status;
  if (all->columns != NULL) {
    const ent_inputs from = {.columns = all->columns};
    ent_inputs_read(&from, memory->inputs, first, count, memory->scaled);
    x = memory->scaled;
    stride = memory->inputs;
  }
  status = ent_scaler_fill_all(context, all->scaler, x, count, stride, memory->scaled);
  if (status != ENTROPIC_OK)
    return status;
  memory->scaled_first = first;
  memory->scaled_count = count;
  return ENTROPIC_OK;
}

/* The inputs of a block as its scaler makes them. */
static entropic_status scale_block(entropic_context *context, ent_memory_rows *memory, ent_block *block) {
  if (!ent_memory_rows_has(memory, block->first, block->rows)) {
    entropic_status status = scale_rows(context, memory, block->first, block->rows);
    if (status != ENTROPIC_OK)
      return status;
  }
  block->columns = NULL;
  block->x = memory->scaled + (block->first - memory->scaled_first) * memory->inputs;
  block->x_stride = memory->inputs;
  block->scaler = NULL;
  return ENTROPIC_OK;
}

/* The next rows, with inputs as they are stored. */
static void advance(ent_memory_rows *memory, size_t most, ent_block *block) {
  size_t left = memory->all.rows - memory->at, at = memory->at;
  *block = memory->all;
  block->first = at;
  block->rows = left < most ? left : most;
  if (block->columns == NULL && block->x != NULL)
    block->x += at * block->x_stride;
  if (block->y != NULL)
    block->y += at * block->y_stride;
  if (block->weights != NULL)
    block->weights += at;
  memory->at += block->rows;
}

static entropic_status memory_next(entropic_context *context, void *self, size_t most, ent_block *block) {
  advance(self, most, block);
  return block->scaler == NULL ? ENTROPIC_OK : scale_block(context, self, block);
}

static entropic_status memory_next_targets(entropic_context *context, void *self, size_t most, ent_block *block) {
  (void)context;
  advance(self, most, block);
  block->x = NULL;
  block->scaler = NULL;
  block->columns = NULL;
  return ENTROPIC_OK;
}

ent_rows ent_rows_of_memory(ent_memory_rows *memory) {
  return (ent_rows){.self = memory,
                    .inputs = memory->inputs,
                    .targets = memory->targets,
                    .count = memory->all.rows,
                    .rewind = memory_rewind,
                    .next = memory_next,
                    .next_targets = memory_next_targets};
}

/* 0 * value is NaN unless the value is finite. Eight sums, so that additions do not wait for each other. */
static bool are_finite(const double *values, size_t count) {
  double sums[8] = {0}, sum = 0;
  size_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (size_t k = 0; k < 8; k++)
      sums[k] += 0 * values[i + k];
  for (; i < count; i++)
    sum += 0 * values[i];
  for (size_t k = 0; k < 8; k++)
    sum += sums[k];
  return sum == 0;
}

/* A fast check of contiguous rows without weights; false may also mean that it did not apply. */
static bool is_plainly_finite(const ent_rows *rows, const ent_block *block) {
  if (block->weights != NULL)
    return false;
  if (block->x != NULL && (block->x_stride != rows->inputs || !are_finite(block->x, block->rows * rows->inputs)))
    return false;
  return block->y == NULL || (block->y_stride == rows->targets && are_finite(block->y, block->rows * rows->targets));
}

static entropic_status check_row(entropic_context *context, const ent_rows *rows, const ent_block *block, size_t r) {
  const double *x = block->x == NULL ? NULL : block->x + r * block->x_stride;
  const double *y = block->y == NULL ? NULL : block->y + r * block->y_stride;
  size_t inputs = x == NULL ? 0 : rows->inputs;
  double weight = ent_weight(block, r), sum = 0; /* NaN if anything is not finite */
  for (size_t i = 0; i < inputs; i++)
    sum += block->missing && isnan(x[i]) ? 0 : 0 * x[i];
  for (size_t t = 0; y != NULL && t < rows->targets; t++)
    sum += 0 * y[t];
  if (sum == 0 && isfinite(weight) && weight >= 0)
    return ENTROPIC_OK;
  size_t row = block->first + r + 1;
  for (size_t i = 0; i < inputs; i++)
    if (!isfinite(x[i]) && !(block->missing && isnan(x[i])))
      return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu, column %zu: %g is not a finite number", row, i + 1, x[i]);
  for (size_t t = 0; y != NULL && t < rows->targets; t++)
    if (!isfinite(y[t]))
      return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu, target %zu: %g is not a finite number", row, t + 1, y[t]);
  return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu: the weight %g; expected a finite number, not negative", row,
                  weight);
}

static entropic_status check_rows(entropic_context *context, const ent_rows *rows, const ent_block *block) {
  if (is_plainly_finite(rows, block))
    return ENTROPIC_OK;
  for (size_t r = 0; r < block->rows; r++) {
    entropic_status status = check_row(context, rows, block, r);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

entropic_status ent_rows_take(entropic_context *context, const ent_rows *rows, size_t most, ent_block *block) {
  entropic_status status = rows->next(context, rows->self, most, block);
  return status != ENTROPIC_OK ? status : check_rows(context, rows, block);
}

entropic_status ent_rows_take_targets(entropic_context *context, const ent_rows *rows, size_t most, ent_block *block) {
  entropic_status status = rows->next_targets(context, rows->self, most, block);
  return status != ENTROPIC_OK ? status : check_rows(context, rows, block);
}

entropic_status ent_rows_each(entropic_context *context, const ent_rows *rows, size_t most, ent_block_task task,
                              void *shared) {
  entropic_status status = rows->rewind(context, rows->self);
  if (status != ENTROPIC_OK)
    return status;
  for (;;) {
    ent_block block;
    status = ent_rows_take(context, rows, most, &block);
    if (status != ENTROPIC_OK || block.rows == 0)
      return status;
    status = task(context, shared, &block);
    if (status != ENTROPIC_OK)
      return status;
  }
}
