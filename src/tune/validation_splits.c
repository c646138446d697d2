/* Training rows and their validation: see validation_splits.h. */
#include "tune/validation_splits.h"

#include "base/memory.h"
#include "base/threads.h"

static entropic_status select_rows(entropic_context *context, const ent_validation_splits *splits,
                                   const ent_block *rows, size_t targets, bool active, ent_row_subset *subset) {
  *subset = (ent_row_subset){.from = {.all = *rows, .inputs = splits->inputs, .targets = targets}};
  size_t count = 0;
  for (size_t r = 0; r < rows->rows; r++)
    count += ent_takes_part(splits, r) == active;
  if (count == rows->rows)
    return ENTROPIC_OK;
  size_t *numbers = ent_new(context, count, sizeof *numbers);
  if (numbers == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0, i = 0; r < rows->rows; r++)
    if (ent_takes_part(splits, r) == active)
      numbers[i++] = r;
  subset->numbers = subset->own_numbers = numbers;
  subset->count = count;
  return ENTROPIC_OK;
}

entropic_status ent_splits_active_rows(entropic_context *context, const ent_validation_splits *splits,
                                       const ent_block *rows, size_t targets, ent_row_subset *subset) {
  return select_rows(context, splits, rows, targets, true, subset);
}

entropic_status ent_splits_inactive_rows(entropic_context *context, const ent_validation_splits *splits,
                                         const ent_block *rows, size_t targets, ent_row_subset *subset) {
  return select_rows(context, splits, rows, targets, false, subset);
}

void ent_held_out_clear(ent_held_out *held) {
  ent_row_subset_clear(&held->train);
  ent_row_subset_clear(&held->copied);
  *held = (ent_held_out){0};
}

entropic_status ent_hold_out(entropic_context *context, const ent_validation_splits *splits, size_t part,
                             ent_held_out *held) {
  size_t rows = splits->train.rows;
  ent_memory_rows all = {.all = splits->train, .inputs = splits->inputs, .targets = splits->targets};
  *held = (ent_held_out){0};
  size_t *numbers = ent_new(context, rows, sizeof *numbers);
  if (numbers == NULL)
    return ENTROPIC_NO_MEMORY;
  held->train = (ent_row_subset){.from = all, .numbers = numbers, .own_numbers = numbers};
  held->copied = (ent_row_subset){.from = all, .numbers = numbers};
  if (splits->valid == NULL)
    held->copied.count = ent_fold_rows(splits->fold_of, rows, part, numbers);
  else
    held->copied = (ent_row_subset){.from = {.all = *splits->valid, .inputs = all.inputs, .targets = all.targets}};
  entropic_status status = ent_row_subset_load(context, &held->copied, &held->validation);
  if (status != ENTROPIC_OK) {
    ent_held_out_clear(held);
    return status;
  }
  for (size_t r = 0; r < rows; r++) /* the numbers of the validation rows are no longer needed */
    if (ent_is_training_row(splits, r, part))
      numbers[held->train.count++] = r;
  return ENTROPIC_OK;
}

double ent_splits_sum(const ent_validation_splits *splits, const double *errors) {
  double sum = 0;
  for (size_t t = 0; t < splits->targets; t++)
    sum += errors[t] / splits->scale[t];
  return sum / (double)splits->targets;
}

size_t ent_splits_best(const ent_validation_splits *splits, const double *errors, size_t count) {
  size_t best = 0;
  for (size_t i = 1; i < count; i++)
    if (ent_splits_sum(splits, errors + i * splits->targets) < ent_splits_sum(splits, errors + best * splits->targets))
      best = i;
  return best;
}

bool ent_splits_late(const ent_validation_splits *splits, double seconds) {
  return splits->deadline > 0 && ent_seconds() + seconds > splits->deadline;
}
