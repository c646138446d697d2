/* Collecting rows into statistics of folds: rows are sorted by fold into blocks. */
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "solve/gram.h"

/* Rows of one fold, gathered until they fill a block; those before them are in the tally. */
typedef struct ent_fold_buffer {
  size_t rows;
  double *x, *y, *weights;
  ent_fixed_tally tally;
} ent_fold_buffer;

/* Sorts rows by fold. */
typedef struct ent_fold_sorter {
  const ent_statistics_folds *folds;
  const ent_rows *rows;
  ent_gram gram;
  size_t capacity;          /* of a buffer */
  bool weighted;            /* do rows have weights? */
  ent_fold_buffer *buffers; /* [folds] */
  ent_fixed_tally total;
  ent_fixed_sums *spare; /* of no rows, or NULL */
} ent_fold_sorter;

static void sorter_clear(ent_fold_sorter *sorter) {
  for (size_t k = 0; sorter->buffers != NULL && k < sorter->folds->count; k++) {
    ent_delete(sorter->buffers[k].x);
    ent_delete(sorter->buffers[k].y);
    ent_delete(sorter->buffers[k].weights);
    ent_fixed_tally_clear(&sorter->buffers[k].tally);
  }
  ent_delete(sorter->buffers);
  ent_fixed_tally_clear(&sorter->total);
  ent_fixed_sums_free(sorter->spare);
  ent_gram_clear(&sorter->gram);
}

/* On failure sorter_clear releases what was allocated. */
static entropic_status make_buffers(entropic_context *context, ent_fold_sorter *sorter) {
  const ent_rows *rows = sorter->rows;
  size_t capacity = ent_fixed_collector_rows(&sorter->gram.collector);
  sorter->capacity = capacity;
  sorter->buffers = ent_new(context, sorter->folds->count, sizeof *sorter->buffers);
  if (sorter->buffers == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t k = 0; k < sorter->folds->count; k++) {
    ent_fold_buffer *buffer = &sorter->buffers[k];
    buffer->x = ent_new_matrix(context, capacity, rows->inputs, sizeof *buffer->x);
    buffer->y = ent_new_matrix(context, capacity, rows->targets, sizeof *buffer->y);
    buffer->weights = ent_new(context, capacity, sizeof *buffer->weights);
    if (buffer->x == NULL || buffer->y == NULL || buffer->weights == NULL)
      return ENTROPIC_NO_MEMORY;
  }
  return ENTROPIC_OK;
}

/* Adds the gathered rows of a fold to its tally. */
static entropic_status flush(entropic_context *context, ent_fold_sorter *sorter, ent_fold_buffer *buffer) {
  ent_block block = {.rows = buffer->rows,
                     .x = buffer->x,
                     .x_stride = sorter->rows->inputs,
                     .y = buffer->y,
                     .y_stride = sorter->rows->targets,
                     .weights = sorter->weighted ? buffer->weights : NULL};
  buffer->rows = 0;
  if (buffer->tally.sums == NULL) {
    buffer->tally.sums = sorter->spare;
    sorter->spare = NULL;
  }
  return ent_fixed_collector_add(context, &sorter->gram.collector, &block, &buffer->tally);
}

/* Copies the rows of a block to the buffers of their folds. */
static entropic_status sort_block(entropic_context *context, ent_fold_sorter *sorter, const ent_block *block) {
  const ent_rows *rows = sorter->rows;
  for (size_t r = 0; r < block->rows; r++) {
    size_t k = sorter->folds->fold(sorter->folds->user, block->first + r);
    if (k >= sorter->folds->count)
      continue;
    ent_fold_buffer *to = &sorter->buffers[k];
    memcpy(to->x + to->rows * rows->inputs, block->x + r * block->x_stride, rows->inputs * sizeof *to->x);
    if (block->y != NULL)
      memcpy(to->y + to->rows * rows->targets, block->y + r * block->y_stride, rows->targets * sizeof *to->y);
    to->weights[to->rows++] = ent_weight(block, r);
    sorter->weighted = block->weights != NULL;
    if (to->rows < sorter->capacity)
      continue;
    entropic_status status = flush(context, sorter, to);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

static entropic_status sort_rows(entropic_context *context, ent_fold_sorter *sorter) {
  const ent_rows *rows = sorter->rows;
  entropic_status status = rows->rewind(context, rows->self);
  if (status != ENTROPIC_OK)
    return status;
  for (uint64_t left = ENT_FIXED_MOST_ROWS;;) {
    ent_block block;
    status = ent_rows_take(context, rows, sorter->capacity, &block);
    if (status != ENTROPIC_OK || block.rows == 0)
      return status;
    if (block.rows > left)
      return ent_fail(context, ENTROPIC_TOO_LARGE, "statistics of more than %llu rows",
                      (unsigned long long)ENT_FIXED_MOST_ROWS);
    left -= block.rows;
    status = sort_block(context, sorter, &block);
    if (status != ENTROPIC_OK)
      return status;
    if (rows->count > 0)
      ent_progress_report(context, (double)(block.first + block.rows) / (double)rows->count);
  }
}

/* Statistics of the folds, one after the other, so that they can share sums; then of all of them. */
static entropic_status write_folds(entropic_context *context, ent_fold_sorter *sorter) {
  const ent_statistics_folds *folds = sorter->folds;
  bool sliced = sorter->gram.scales.sliced;
  for (size_t k = 0; k < folds->count; k++) {
    ent_fold_buffer *buffer = &sorter->buffers[k];
    entropic_status status = flush(context, sorter, buffer);
    if (status != ENTROPIC_OK)
      return status;
    status = ent_fixed_tally_write(context, &buffer->tally, sliced, folds->statistics[k]);
    if (status != ENTROPIC_OK)
      return status;
    if (folds->total != NULL) {
      status = ent_fixed_tally_merge(context, &sorter->total, &buffer->tally, &sorter->spare);
      if (status != ENTROPIC_OK)
        return status;
    }
  }
  return folds->total == NULL ? ENTROPIC_OK : ent_fixed_tally_write(context, &sorter->total, sliced, folds->total);
}

entropic_status ent_statistics_collect_folds(entropic_context *context, const ent_statistics_folds *folds,
                                             const ent_map *map, const ent_rows *rows,
                                             const ent_collect_options *options) {
  ent_fold_sorter sorter = {.folds = folds, .rows = rows};
  const ent_statistics *first = folds->total != NULL ? folds->total : folds->count > 0 ? folds->statistics[0] : NULL;
  if (first == NULL)
    return ENTROPIC_OK;
  for (size_t k = 0; k < folds->count; k++)
    if (folds->statistics[k]->features != first->features || folds->statistics[k]->targets != first->targets)
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                      "statistics of %zu features and %zu targets do not match those of "
                      "%zu and %zu",
                      folds->statistics[k]->features, folds->statistics[k]->targets, first->features, first->targets);
  const ent_collect_options whole = {.grade = options->grade, .fixed = options->fixed};
  entropic_status status = ent_gram_start(context, first, map, rows, &whole, &sorter.gram);
  if (status != ENTROPIC_OK)
    return status;
  status = make_buffers(context, &sorter);
  if (status != ENTROPIC_OK)
    goto done;
  status = sort_rows(context, &sorter);
  if (status != ENTROPIC_OK)
    goto done;
  double start = ent_seconds(), sums = sorter.gram.collector.sum_seconds, lifts = sorter.gram.collector.lift_seconds;
  status = write_folds(context, &sorter);
  ent_fixed_collector *c = &sorter.gram.collector;
  ent_statistics *report = folds->total != NULL ? folds->total : folds->statistics[0];
  report->lift_seconds += c->lift_seconds;
  report->gram_seconds += sums + ent_seconds() - start - (c->lift_seconds - lifts);
done:
  sorter_clear(&sorter);
  return status;
}
