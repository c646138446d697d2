/* Training rows and their validation: see trials.h. */
#include "tune/trials.h"

#include "base/memory.h"
#include "base/threads.h"

static entropic_status select_rows(entropic_context *context, const ent_trials *trials, const ent_block *rows,
                                   size_t targets, bool active, ent_row_subset *subset) {
  *subset = (ent_row_subset){.from = {.all = *rows, .inputs = trials->inputs, .targets = targets}};
  size_t count = 0;
  for (size_t r = 0; r < rows->rows; r++)
    count += ent_takes_part(trials, r) == active;
  if (count == rows->rows)
    return ENTROPIC_OK;
  size_t *numbers = ent_new(context, count, sizeof *numbers);
  if (numbers == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0, i = 0; r < rows->rows; r++)
    if (ent_takes_part(trials, r) == active)
      numbers[i++] = r;
  subset->numbers = subset->own_numbers = numbers;
  subset->count = count;
  return ENTROPIC_OK;
}

entropic_status ent_trials_active_rows(entropic_context *context, const ent_trials *trials, const ent_block *rows,
                                       size_t targets, ent_row_subset *subset) {
  return select_rows(context, trials, rows, targets, true, subset);
}

entropic_status ent_trials_inactive_rows(entropic_context *context, const ent_trials *trials, const ent_block *rows,
                                         size_t targets, ent_row_subset *subset) {
  return select_rows(context, trials, rows, targets, false, subset);
}

void ent_held_out_clear(ent_held_out *held) {
  ent_row_subset_clear(&held->train);
  ent_row_subset_clear(&held->copied);
  *held = (ent_held_out){0};
}

entropic_status ent_hold_out(entropic_context *context, const ent_trials *trials, size_t part, ent_held_out *held) {
  size_t rows = trials->train.rows;
  ent_memory_rows all = {.all = trials->train, .inputs = trials->inputs, .targets = trials->targets};
  *held = (ent_held_out){0};
  size_t *numbers = ent_new(context, rows, sizeof *numbers);
  if (numbers == NULL)
    return ENTROPIC_NO_MEMORY;
  held->train = (ent_row_subset){.from = all, .numbers = numbers, .own_numbers = numbers};
  held->copied = (ent_row_subset){.from = all, .numbers = numbers};
  if (trials->valid == NULL)
    held->copied.count = ent_fold_rows(trials->fold_of, rows, part, numbers);
  else
    held->copied = (ent_row_subset){.from = {.all = *trials->valid, .inputs = all.inputs, .targets = all.targets}};
  entropic_status status = ent_row_subset_load(context, &held->copied, &held->validation);
  if (status != ENTROPIC_OK) {
    ent_held_out_clear(held);
    return status;
  }
  for (size_t r = 0; r < rows; r++) /* the numbers of the validation rows are no longer needed */
    if (ent_is_training_row(trials, r, part))
      numbers[held->train.count++] = r;
  return ENTROPIC_OK;
}

double ent_trials_sum(const ent_trials *trials, const double *errors) {
  double sum = 0;
  for (size_t t = 0; t < trials->targets; t++)
    sum += errors[t] / trials->scale[t];
  return sum / (double)trials->targets;
}

size_t ent_trials_best(const ent_trials *trials, const double *errors, size_t count) {
  size_t best = 0;
  for (size_t i = 1; i < count; i++)
    if (ent_trials_sum(trials, errors + i * trials->targets) < ent_trials_sum(trials, errors + best * trials->targets))
      best = i;
  return best;
}

bool ent_trials_late(const ent_trials *trials, double seconds) {
  return trials->deadline > 0 && ent_seconds() + seconds > trials->deadline;
}
