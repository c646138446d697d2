/* Members without a row: see leave_one_out.h. */
#include "tune/leave_one_out.h"

#include <math.h>

#include "base/memory.h"
#include "solve/leverage.h"
#include "sums/pass.h"

#define MOST_ROWS ((size_t)500) /* that are looked at */
#define LEAST_LEFT 0.1          /* 1 - leverage, at least: a row that decides its own prediction says little */

/* Every so many of the rows that take part; how many. */
static size_t choose_rows(const ent_validation_splits *splits, size_t rows, size_t *numbers) {
  size_t step = (rows + MOST_ROWS - 1) / MOST_ROWS, count = 0;
  for (size_t r = 0; r < rows; r += step)
    if (ent_takes_part(splits, r))
      numbers[count++] = r;
  return count;
}

/* From scores[count x targets] and leverages of rows to scores without them. */
static void leave_out(const ent_block *block, size_t targets, const double *leverages, const double *scores,
                      const size_t *numbers, double *left_out) {
  for (size_t i = 0; i < block->rows; i++)
    for (size_t t = 0; t < targets; t++) {
      double y = block->y[i * block->y_stride + t], left = fmax(1 - leverages[i], LEAST_LEFT);
      left_out[numbers[i] * targets + t] = isnan(leverages[i]) ? NAN : y - (y - scores[i * targets + t]) / left;
    }
}

entropic_status ent_leave_one_out(entropic_context *context, const ent_validation_splits *splits, const ent_block *rows,
                                  const ent_statistics *statistics, ent_member *member) {
  size_t targets = splits->targets;
  size_t *numbers = ent_new(context, rows->rows, sizeof *numbers);
  double *leverages = ent_new(context, rows->rows, sizeof *leverages);
  double *scores = ent_new_matrix(context, rows->rows, targets, sizeof *scores);
  ent_row_subset subset = {.from = {.all = *rows, .inputs = splits->inputs, .targets = targets}};
  ent_block block;
  member->left_out = ent_new_matrix(context, rows->rows, targets, sizeof *member->left_out);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (numbers == NULL || leverages == NULL || scores == NULL || member->left_out == NULL)
    goto done;
  for (size_t i = 0; i < rows->rows * targets; i++)
    member->left_out[i] = NAN;
  subset.numbers = numbers;
  subset.count = choose_rows(splits, rows->rows, numbers);
  status = ent_row_subset_load(context, &subset, &block);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_leverages(context, statistics, member->lambda, &member->lifting.map, &block, leverages);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_scores(context, &member->lifting.map, &block,
                      &(ent_linear){member->weights, member->offsets, member->scores}, scores);
  if (status != ENTROPIC_OK)
    goto done;
  leave_out(&block, targets, leverages, scores, numbers, member->left_out);
done:
  ent_row_subset_clear(&subset);
  ent_delete(numbers);
  ent_delete(leverages);
  ent_delete(scores);
  return status;
}
