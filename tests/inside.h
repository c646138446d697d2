/* What tests see of the library: the interface, and the calls by options behind it. */
#ifndef ENTROPIC_TESTS_INSIDE_H
#define ENTROPIC_TESTS_INSIDE_H

#include "data/table.h"
#include "design/design.h"
#include "entropic/entropic.h"
#include "fit/options.h"
#include "model/metrics.h"
#include "model/model.h"
#include "model/row_reader.h"
#include "compare/comparison.h"

/* A column of a table; NULL has none. */
static inline entropic_status column_of_table(entropic_context *context, const entropic_table *table, size_t column,
                                              entropic_column *info) {
  return ent_source_column(context, table == NULL ? NULL : table->source, column, info);
}

/* A table all of whose columns must be numbers. */
static inline entropic_status table_read_numbers(entropic_context *context, const char *path, entropic_table **table) {
  ent_read_options options = ent_read_options_default();
  options.numbers_only = 1;
  return ent_table_load(context, path, &options, table);
}

/* Scores without intervals. */
static inline entropic_status model_score(entropic_context *context, const entropic_model *model,
                                          entropic_row_reader *reader, entropic_data_warnings *warnings,
                                          ent_score_figures *scores) {
  if (scores != NULL)
    scores->level = 0;
  return ent_model_score_at(context, model, reader, warnings, scores);
}

#endif
