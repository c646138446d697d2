/* Sums over the rows of a table: see table_pass.h. */
#include "update/table_pass.h"

#include "lift/map.h"
#include "model/row_reader.h"
#include "update/label_rows.h"

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
  ent_rows rows = ent_rows_of_labels(&labels);
  ent_map map = ent_map_of_lift(at->model->main.lift);
  const ent_linear point = {at->model->main.weights, at->model->offsets, at->model->scores};
  entropic_status status = ent_gradient_sums_add_rows(context, sums, &map, &rows, &point);
  *collected = labels.collected;
  ent_label_rows_clear(&labels);
  return status;
}
