/* The public calls about tables: pointers and sizes of structs are checked, parameters become options here. */
#include <stddef.h>

#include "base/memory.h"
#include "base/sized.h"
#include "data/files.h"
#include "data/table.h"

/* The struct as it was when it was first published. */
#define LEAST_COLUMN_VIEWS (offsetof(entropic_column_views, rows) + sizeof(size_t))

entropic_status entropic_table_column(entropic_context *context, const entropic_table *table, size_t column,
                                      entropic_column *info, size_t size) {
  ENT_NEED(context, table);
  ENT_NEED(context, info);
  entropic_column known;
  entropic_status status = ent_source_column(context, table->source, column, &known);
  return status != ENTROPIC_OK ? status : ent_sized_give(context, info, size, &known, sizeof known);
}

/* With the schema of another table, or of its own (NULL). */
static entropic_status load(entropic_context *context, const char *const *paths, size_t count,
                            const entropic_parameters *parameters, const entropic_table *schema_of,
                            entropic_table **table) {
  char *path = NULL;
  entropic_status status = ent_paths_join(context, paths, count, &path);
  if (status != ENTROPIC_OK)
    return status;
  ent_read_options options = ent_read_options_by(parameters);
  if (schema_of != NULL) {
    options.roles.groups = NULL; /* validation rows need no groups */
    options.roles.schema_of = &schema_of->source->columns;
    if (schema_of->source->format == ENTROPIC_FORMAT_LIBSVM)
      options.libsvm_inputs = schema_of->source->columns.count - 1;
  }
  status = ent_table_load(context, path, &options, table);
  ent_delete(path);
  return status;
}

entropic_status entropic_table_load(entropic_context *context, const char *const *paths, size_t count,
                                    const entropic_parameters *parameters, entropic_table **table) {
  ENT_NEED(context, paths);
  ENT_NEED(context, table);
  return load(context, paths, count, parameters, NULL, table);
}

entropic_status entropic_table_load_with_schema(entropic_context *context, const char *const *paths, size_t count,
                                                const entropic_parameters *parameters, const entropic_table *schema_of,
                                                entropic_table **table) {
  ENT_NEED(context, paths);
  ENT_NEED(context, schema_of);
  ENT_NEED(context, table);
  return load(context, paths, count, parameters, schema_of, table);
}

entropic_status entropic_table_create(entropic_context *context, const double *values, size_t rows, size_t columns,
                                      size_t stride, const char *const *names, const entropic_parameters *parameters,
                                      entropic_table **table) {
  ENT_NEED(context, values);
  ENT_NEED(context, table);
  ent_read_options options = ent_read_options_by(parameters);
  return ent_table_create(context, values, rows, columns, stride, names, &options.roles, table);
}

entropic_status entropic_table_borrow(entropic_context *context, const entropic_column_view *columns, size_t count,
                                      size_t rows, const entropic_parameters *parameters, entropic_table **table) {
  ENT_NEED(context, columns);
  ENT_NEED(context, table);
  ent_read_options options = ent_read_options_by(parameters);
  return ent_table_borrow(context, columns, count, rows, &options.roles, table);
}

entropic_status entropic_table_borrow_matrix(entropic_context *context, const entropic_matrix_view *matrix,
                                             const entropic_parameters *parameters, entropic_table **table) {
  ENT_NEED(context, matrix);
  ENT_NEED(context, table);
  ent_read_options options = ent_read_options_by(parameters);
  return ent_table_borrow_matrix(context, matrix, &options.roles, table);
}

/* The columns that stand behind those of a stream. */
static entropic_status take_views(entropic_context *context, const entropic_column_views *columns,
                                  entropic_column_views *known) {
  entropic_status status = ent_sized_take(context, known, sizeof *known, LEAST_COLUMN_VIEWS, columns, columns->size);
  if (status == ENTROPIC_OK && (known->columns == NULL || known->count == 0))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "columns has none, expected 1 or more");
  return status;
}

/* The stream is taken over in any case: a failure before that releases it too. */
entropic_status entropic_table_from_arrow(entropic_context *context, struct ArrowArrayStream *stream,
                                          const entropic_column_views *columns, const entropic_parameters *parameters,
                                          entropic_table **table) {
  entropic_column_views known = {0};
  ent_read_options options = ent_read_options_by(parameters);
  entropic_status status = columns == NULL ? ENTROPIC_OK : take_views(context, columns, &known);
  if (status == ENTROPIC_OK)
    return ent_table_from_arrow(context, stream, &known, &options.roles, table);
  if (stream != NULL && stream->release != NULL) {
    stream->release(stream);
    stream->release = NULL; /* which not every producer does itself */
  }
  return status;
}
