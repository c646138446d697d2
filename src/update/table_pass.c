/* Sums over the rows of a table: see collection.h. */
#include "update/collection.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "lift/map.h"
#include "model/row_reader.h"

/* The rows of a table as learners of classes take them: scaled inputs, the number of the class, weights. They are read anew
 * in each pass; none is kept. Rows without a class or a weight are left out. */
typedef struct ent_label_rows {
  const entropic_model *model;
  const entropic_table *table;
  const double *class_weight; /* [classes] factors of weights; NULL: none */
  entropic_row_reader *reader;
  double *x, *y, *weights;
  size_t capacity;         /* in rows */
  size_t first;            /* the number of the next row that counts */
  ent_collected collected; /* of the last pass */
} ent_label_rows;

static void clear_labels(ent_label_rows *labels) {
  entropic_row_reader_free(labels->reader);
  ent_delete(labels->x);
  ent_delete(labels->y);
  ent_delete(labels->weights);
  labels->reader = NULL;
  labels->x = labels->y = labels->weights = NULL;
  labels->capacity = 0;
}

static entropic_status go_back(entropic_context *context, void *self) {
  ent_label_rows *labels = self;
  entropic_row_reader_free(labels->reader);
  labels->reader = NULL;
  labels->first = 0;
  labels->collected = (ent_collected){0};
  return labels->table->source->rows == 0
             ? ENTROPIC_OK
             : entropic_row_reader_open_table(context, labels->model, labels->table, true, &labels->reader);
}

static entropic_status make_room(entropic_context *context, ent_label_rows *labels, size_t rows) {
  if (rows <= labels->capacity)
    return ENTROPIC_OK;
  ent_delete(labels->x);
  ent_delete(labels->y);
  ent_delete(labels->weights);
  labels->x = ent_new_matrix(context, rows, labels->model->schema.inputs, sizeof *labels->x);
  labels->y = ent_new(context, rows, sizeof *labels->y);
  labels->weights = ent_new(context, rows, sizeof *labels->weights);
  labels->capacity = rows;
  return labels->x == NULL || labels->y == NULL || labels->weights == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* Keeps those that count of `count` rows behind the first `used`; returns how many there are then. */
static size_t keep_rows(ent_label_rows *labels, size_t used, size_t count) {
  size_t inputs = labels->model->schema.inputs;
  for (size_t r = used, end = used + count; r < end; r++) {
    bool there = !isnan(labels->y[r]);
    labels->collected.without_target += !there;
    labels->collected.without_weight += there && labels->weights[r] == 0;
    if (!there || labels->weights[r] == 0)
      continue;
    if (r > used)
      memcpy(labels->x + used * inputs, labels->x + r * inputs, inputs * sizeof *labels->x);
    labels->y[used] = labels->y[r];
    labels->weights[used] =
        labels->weights[r] * (labels->class_weight == NULL ? 1 : labels->class_weight[(size_t)labels->y[r]]);
    used++;
  }
  return used;
}

static entropic_status next(entropic_context *context, void *self, size_t most, ent_block *block) {
  ent_label_rows *labels = self;
  size_t inputs = labels->model->schema.inputs, used = 0, count = labels->reader != NULL;
  entropic_status status = make_room(context, labels, most);
  while (status == ENTROPIC_OK && used < most && count > 0) {
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    status = entropic_row_reader_next(context, labels->reader, most - used, labels->x + used * inputs, labels->y + used,
                                      labels->weights + used, &count);
    if (status == ENTROPIC_OK)
      used = keep_rows(labels, used, count);
  }
  if (status != ENTROPIC_OK)
    return status;
  labels->collected.rows += used;
  ent_scaler_fill_own(labels->model->main.scaler, labels->x, used);
  *block = (ent_block){.first = labels->first,
                       .rows = used,
                       .x = labels->x,
                       .x_stride = inputs,
                       .y = labels->y,
                       .y_stride = 1,
                       .weights = labels->weights,
                       .missing = true};
  labels->first += used;
  return ENTROPIC_OK;
}

/* A source of the rows of a table with the schema of the model; all borrowed. Clear it. */
static ent_rows rows_of_labels(ent_label_rows *labels) {
  return (ent_rows){.self = labels,
                    .inputs = labels->model->schema.inputs,
                    .targets = 1,
                    .rewind = go_back,
                    .next = next,
                    .next_targets = next};
}

entropic_status ent_table_collect(entropic_context *context, const entropic_table *table, const entropic_model *model,
                                  ent_fixed *fixed, ent_collected *collected) {
  entropic_row_reader *reader = NULL;
  entropic_status status = entropic_row_reader_open_table(context, model, table, true, &reader);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_collect(context, model, reader, NULL, fixed, collected);
  entropic_row_reader_free(reader);
  return status;
}

entropic_status ent_table_add_gradient(entropic_context *context, const entropic_table *table,
                                       const ent_gradient_point *at, ent_gradient_sums *sums,
                                       ent_collected *collected) {
  ent_label_rows labels = {.model = at->model, .table = table, .class_weight = at->class_weight};
  ent_rows rows = rows_of_labels(&labels);
  ent_map map = ent_map_of_lift(at->model->main.lift);
  const ent_linear point = {at->model->main.weights, at->model->offsets, at->model->scores};
  entropic_status status = ent_gradient_sums_add_rows(context, sums, &map, &rows, &point);
  *collected = labels.collected;
  clear_labels(&labels);
  return status;
}
