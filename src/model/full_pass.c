/* Rows beyond a sample: see full_pass.h. */
#include "model/full_pass.h"

#include <math.h>

#include "base/memory.h"
#include "base/progress.h"
#include "data/remote_shards.h"
#include "lift/map.h"
#include "model/label_rows.h"
#include "model/row_reader.h"

#define READ_ROWS ((size_t)1024) /* values of a column at a time */

static entropic_status collect_table(entropic_context *context, void *self, const entropic_model *model,
                                     ent_fixed *fixed, ent_collected *collected) {
  entropic_row_reader *reader = NULL;
  entropic_status status = entropic_row_reader_open_table(context, model, self, true, &reader);
  if (status != ENTROPIC_OK)
    return status;
  ent_raw_rows source = ent_raw_rows_of_reader(reader);
  status = ent_collect(context, model, &source, NULL, fixed, collected);
  entropic_row_reader_free(reader);
  return status;
}

void ent_full_pass_free_table(void *self) {
  entropic_table_free(self);
}

static entropic_status add_gradient(entropic_context *context, void *self, const ent_full_pass_gradient *at,
                                    ent_gradient_sums *sums, ent_collected *collected) {
  return ent_full_pass_add_gradient(context, self, at, sums, collected);
}

entropic_status ent_full_pass_add_gradient(entropic_context *context, const entropic_table *table,
                                           const ent_full_pass_gradient *at, ent_gradient_sums *sums,
                                           ent_collected *collected) {
  ent_label_rows labels = {.model = at->model, .table = table, .class_weight = at->class_weight};
  ent_rows rows = ent_rows_of_labels(&labels);
  ent_map map = ent_map_of_lift(at->model->lift);
  const ent_linear point = {at->model->weights, at->model->offsets, at->model->scores};
  entropic_status status = ent_gradient_sums_add_rows(context, sums, &map, &rows, &point);
  *collected = labels.collected;
  ent_label_rows_clear(&labels);
  return status;
}

static const ent_full_pass_calls calls_of_table = {collect_table, add_gradient, ent_full_pass_free_table};

void ent_full_pass_free(ent_full_pass *full_pass) {
  if (full_pass == NULL)
    return;
  full_pass->calls->free(full_pass->self);
  ent_delete(full_pass->least);
  ent_delete(full_pass->most);
  ent_delete(full_pass);
}

/* The least and the most value of a column of numbers, as far as there are values; least > most if there are none. Shards
 * have said so when they read their rows. */
static entropic_status find_range(entropic_context *context, const entropic_table *table, size_t column, double *least,
                                  double *most) {
  double values[READ_ROWS];
  size_t rows = table->remote == NULL ? table->source->rows : 0;
  *least = table->remote == NULL ? (double)INFINITY : table->source->columns.list[column].lowest;
  *most = table->remote == NULL ? (double)-INFINITY : table->source->columns.list[column].highest;
  for (size_t from = 0; from < rows; from += READ_ROWS) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    size_t count = rows - from < READ_ROWS ? rows - from : READ_ROWS;
    ent_table_read(table, column, from, count, values);
    for (size_t i = 0; i < count; i++) {
      *least = values[i] < *least ? values[i] : *least;
      *most = values[i] > *most ? values[i] : *most;
    }
  }
  return ENTROPIC_OK;
}

entropic_status ent_full_pass_of_table(entropic_context *context, const entropic_table *table, const size_t *target,
                                       size_t targets, size_t weight, ent_full_pass **full_pass) {
  ent_full_pass *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  *made = (ent_full_pass){.calls = table->remote == NULL ? &calls_of_table : &ent_full_pass_calls_of_shards,
                          .self = ent_table_share(table),
                          .rows = table->remote == NULL ? table->source->rows : table->total,
                          .least = ent_new(context, targets, sizeof *made->least),
                          .most = ent_new(context, targets, sizeof *made->most),
                          .most_weight = 1};
  entropic_status status = made->least == NULL || made->most == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status != ENTROPIC_OK)
    goto fail;
  for (size_t t = 0; t < targets; t++) {
    status = find_range(context, table, target[t], &made->least[t], &made->most[t]);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  double least;
  if (weight != SIZE_MAX)
    status = find_range(context, table, weight, &least, &made->most_weight);
  if (status != ENTROPIC_OK)
    goto fail;
  *full_pass = made;
  return ENTROPIC_OK;
fail:
  ent_full_pass_free(made);
  return status;
}
