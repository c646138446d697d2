/* Tables of values in memory. They have the same names, roles and types as tables from files. */
#include "data/table.h"

#include <string.h>

/* Copies the rows. Categories get their codes. */
static entropic_status copy_rows(entropic_context *context, const double *values, size_t rows, size_t stride,
                                 entropic_table *table) {
  ent_columns *columns = &table->source->columns;
  double *to = table->values;
  for (size_t row = 0; row < rows; row++)
    for (size_t i = 0; i < columns->count; i++, to++) {
      entropic_status status = ent_columns_number(context, columns, i, row + 1, values[row * stride + i], to);
      if (status != ENTROPIC_OK)
        return status;
    }
  return ENTROPIC_OK;
}

static entropic_status make_columns(entropic_context *context, ent_columns *columns, size_t count,
                                    const char *const *names, const ent_roles *roles) {
  columns->file = "the table";
  columns->place = "row";
  columns->first = 1;
  entropic_status status = ent_columns_create(context, columns, count);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < count; i++) {
    const char *name = names == NULL || names[i] == NULL ? "" : names[i];
    ent_column_cell plain = {.text = name, .length = strlen(name)};
    ent_cell_trim(&plain); /* as the reader of text files does */
    status = ent_columns_name(context, columns, i, plain.text, plain.length);
    if (status != ENTROPIC_OK)
      return status;
  }
  status = ent_columns_check_names(context, columns, 0);
  if (status != ENTROPIC_OK)
    return status;
  return roles == NULL ? ENTROPIC_OK : ent_columns_set_roles(context, columns, roles);
}

/* Fills a table whose source has its columns. */
static entropic_status fill_table(entropic_context *context, const double *values, size_t rows, size_t stride,
                                  entropic_table *table) {
  size_t cells, columns = table->source->columns.count;
  if (!ent_multiply(rows, columns, &cells))
    return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory: %zu rows of %zu values", rows, columns);
  table->values = ent_new(context, cells, sizeof *table->values);
  if (table->values == NULL)
    return ENTROPIC_NO_MEMORY;
  table->capacity = cells;
  table->source->rows = rows;
  bool again; /* numbers do not turn out to be text */
  ent_columns_begin(&table->source->columns);
  entropic_status status = copy_rows(context, values, rows, stride, table);
  if (status != ENTROPIC_OK)
    return status;
  ent_columns_count(&table->source->columns, table->values, rows, 0);
  status = ent_columns_decide(context, &table->source->columns, rows, &again);
  if (status != ENTROPIC_OK)
    return status;
  return ent_columns_add_notices(context, &table->source->columns, rows);
}

entropic_status ent_table_create(entropic_context *context, const double *values, size_t rows, size_t columns,
                                 size_t stride, const char *const *names, const ent_roles *roles,
                                 entropic_table **table) {
  if (values == NULL || table == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL", values == NULL ? "values" : "table");
  if (rows == 0 || columns == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is 0, expected 1 or more", rows == 0 ? "rows" : "columns");
  if (stride < columns)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "stride is %zu, expected at least columns, %zu", stride, columns);
  entropic_table *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_NO_MEMORY;
  made->source = ent_new(context, 1, sizeof *made->source);
  if (made->source == NULL)
    goto fail;
  status = make_columns(context, &made->source->columns, columns, names, roles);
  if (status != ENTROPIC_OK)
    goto fail;
  status = fill_table(context, values, rows, stride, made);
  if (status != ENTROPIC_OK)
    goto fail;
  *table = made;
  return ENTROPIC_OK;
fail:
  entropic_table_free(made);
  return status;
}
