/* Split tables: see split_table.h. */
#include "compare/split_table.h"

#include <math.h>
#include <string.h>

#include "base/extreme.h"
#include "base/memory.h"
#include "tune/classes.h"
#include "tune/row_subset.h"
#include "dataset/dataset.h"

void ent_split_table_clear(ent_split_table *split_table) {
  ent_delete(split_table->x);
  ent_delete(split_table->y);
  *split_table = (ent_split_table){0};
}

entropic_status ent_split_table_start(entropic_context *context, size_t rows, size_t columns, size_t targets,
                                      size_t classes, ent_split_table *split_table) {
  ent_split_table made = {.rows = rows, .columns = columns, .classes = classes};
  made.targets = classes > 0 ? ent_class_scores(classes) : targets;
  size_t values, results;
  bool fits = ent_multiply(rows, columns, &values) && ent_multiply(rows, made.targets, &results);
  made.x = ent_new(context, fits ? values : SIZE_MAX, sizeof *made.x);
  made.y = ent_new(context, fits ? results : SIZE_MAX, sizeof *made.y);
  if (made.x == NULL || made.y == NULL) {
    ent_split_table_clear(&made);
    return ENTROPIC_NO_MEMORY;
  }
  *split_table = made;
  return ENTROPIC_OK;
}

void ent_split_table_set_class(ent_split_table *split_table, size_t row, size_t number) {
  for (size_t k = 0; k < split_table->targets; k++)
    split_table->y[row * split_table->targets + k] = number == (split_table->targets == 1 ? 1 : k) ? 1 : -1;
}

/* How many columns the inputs become: one for each category. */
static size_t count_columns(const ent_schema *schema) {
  size_t columns = 0;
  for (size_t i = 0; i < schema->inputs; i++)
    columns += schema->input[i].categories > 0 ? ent_input_atoms(&schema->input[i]) : 1;
  return columns;
}

/* A category is 1 in its own column, a missing one in the column behind the last. */
static void spread_row(const ent_schema *schema, const double *from, double *to) {
  for (size_t i = 0; i < schema->inputs; i++) {
    const ent_input *input = &schema->input[i];
    if (input->categories == 0) {
      *to++ = from[i];
      continue;
    }
    size_t atoms = ent_input_atoms(input);
    double place = isnan(from[i]) ? (double)input->categories : from[i];
    memset(to, 0, atoms * sizeof *to);
    if (place < (double)atoms)
      to[(size_t)place] = 1;
    to += atoms;
  }
}

/* Counts targets in a unit of which squares are doubles. */
static void set_unit(ent_split_table *split_table) {
  size_t values = split_table->rows * split_table->targets;
  double largest = 0;
  for (size_t i = 0; i < values; i++)
    largest = fmax(largest, fabs(split_table->y[i]));
  split_table->unit = ent_extreme_unit(largest);
  for (size_t i = 0; split_table->unit != 0 && i < values; i++)
    split_table->y[i] = ldexp(split_table->y[i], -split_table->unit);
}

entropic_status ent_split_table_of_dataset(entropic_context *context, const entropic_dataset *dataset,
                                           ent_split_table *split_table) {
  const ent_schema *schema = &dataset->schema;
  entropic_status status = ent_split_table_start(context, dataset->rows, count_columns(schema), schema->targets,
                                                 schema->classes, split_table);
  if (status != ENTROPIC_OK)
    return status;
  const ent_inputs from = ent_dataset_inputs(dataset);
  double *x = ent_new_matrix(context, ENT_CURSOR_ROWS, schema->inputs, sizeof *x);
  if (x == NULL) {
    ent_split_table_clear(split_table);
    return ENTROPIC_NO_MEMORY;
  }
  for (size_t r = 0; r < dataset->rows; r++) {
    size_t at = r % ENT_CURSOR_ROWS, left = dataset->rows - r;
    if (at == 0)
      ent_inputs_read(&from, schema->inputs, r, left < ENT_CURSOR_ROWS ? left : ENT_CURSOR_ROWS, x);
    spread_row(schema, x + at * schema->inputs, split_table->x + r * split_table->columns);
    if (ent_schema_has_classes(schema))
      ent_split_table_set_class(split_table, r, (size_t)dataset->y[r]);
    else
      memcpy(split_table->y + r * split_table->targets, dataset->y + r * schema->targets,
             schema->targets * sizeof *split_table->y);
  }
  if (!ent_schema_has_classes(schema))
    set_unit(split_table);
  ent_delete(x);
  return ENTROPIC_OK;
}

void ent_split_cut_clear(ent_split_cut *cut) {
  for (size_t i = 0; i < ENT_OTHER_SCALINGS; i++)
    ent_delete(cut->others[i]);
  ent_delete(cut->minmax);
  ent_split_table_clear(&cut->split_table);
  *cut = (ent_split_cut){0};
}

/* Scales all rows by the first `train` of them; to may be x. */
static entropic_status scale_rows(entropic_context *context, entropic_scaling scaling, const ent_split_table *rows,
                                  size_t train, double *to) {
  entropic_scaler *scaler = NULL;
  entropic_status status =
      ent_scaler_learn(context, scaling, rows->x, train, rows->columns, rows->columns, NULL, &scaler);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_scaler_fill_all(context, scaler, rows->x, rows->rows, rows->columns, to);
  entropic_scaler_free(scaler);
  return status;
}

/* The rows of the cut, not scaled yet, also by the other scalings. */
static entropic_status scale_others(entropic_context *context, ent_split_cut *cut) {
  static const entropic_scaling others[ENT_OTHER_SCALINGS] = {ENTROPIC_SCALING_BLEND, ENTROPIC_SCALING_MINMAX};
  const ent_split_table *rows = &cut->split_table;
  for (size_t i = 0; i < ENT_OTHER_SCALINGS; i++) {
    double *x = cut->others[i] = ent_new(context, rows->rows * rows->columns, sizeof *rows->x);
    if (x == NULL)
      return ENTROPIC_NO_MEMORY;
    entropic_status status = scale_rows(context, others[i], rows, cut->data.rows, x);
    if (status != ENTROPIC_OK)
      return status;
    cut->data.others[i] =
        (ent_evaluation_rows){.scaling = others[i], .x = x, .test_x = x + cut->data.rows * rows->columns};
  }
  cut->data.other_count = ENT_OTHER_SCALINGS;
  cut->data.minmax = cut->data.others[ENT_OTHER_SCALINGS - 1];
  return ENTROPIC_OK;
}

/* The rows of the cut, not scaled yet, as the printed features take them. */
static entropic_status scale_minmax(entropic_context *context, ent_split_cut *cut) {
  const ent_split_table *rows = &cut->split_table;
  double *x = cut->minmax = ent_new(context, rows->rows * rows->columns, sizeof *rows->x);
  if (x == NULL)
    return ENTROPIC_NO_MEMORY;
  cut->data.minmax = (ent_evaluation_rows){ENTROPIC_SCALING_MINMAX, x, x + cut->data.rows * rows->columns};
  return scale_rows(context, ENTROPIC_SCALING_MINMAX, rows, cut->data.rows, x);
}

entropic_status ent_split_table_cut(entropic_context *context, const ent_split_table *split_table,
                                    const ent_split_numbers *rows, entropic_scaling scaling, ent_split_cut *cut) {
  ent_split_cut made = {0};
  ent_split_table *table = &made.split_table;
  size_t columns = split_table->columns, targets = split_table->targets, train = rows->train;
  entropic_status status =
      ent_split_table_start(context, train + rows->test, columns, targets, split_table->classes, table);
  if (status != ENTROPIC_OK)
    return status;
  ent_gather_rows((ent_matrix_rows){split_table->x, columns, columns}, rows->numbers, train + rows->test, table->x);
  ent_gather_rows((ent_matrix_rows){split_table->y, targets, targets}, rows->numbers, train + rows->test, table->y);
  made.data = (ent_evaluation_data){.inputs = columns,
                                    .targets = targets,
                                    .classes = split_table->classes,
                                    .unit = split_table->unit,
                                    .rows = train,
                                    .test_rows = rows->test,
                                    .x = table->x,
                                    .y = table->y,
                                    .test_x = table->x + train * columns,
                                    .test_y = table->y + train * targets,
                                    .scaling = scaling == ENTROPIC_SCALING_AUTO ? ENTROPIC_SCALING_QUANTILE : scaling};
  if (scaling == ENTROPIC_SCALING_AUTO)
    status = scale_others(context, &made);
  else if (scaling != ENTROPIC_SCALING_MINMAX)
    status = scale_minmax(context, &made);
  if (status != ENTROPIC_OK)
    goto fail;
  status = scale_rows(context, made.data.scaling, table, train, table->x);
  if (status != ENTROPIC_OK)
    goto fail;
  *cut = made;
  return ENTROPIC_OK;
fail:
  ent_split_cut_clear(&made);
  return status;
}
