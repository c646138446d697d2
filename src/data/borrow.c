/* Tables in the caller's memory. See memory_source.h. */
#include <string.h>

#include "data/memory_source.h"
#include "data/table.h"

/* The struct as callers of the first version knew it. */
#define LEAST_COLUMN_SIZE (offsetof(entropic_column_view, category_names) + sizeof(char **))
#define LEAST_MATRIX_SIZE (offsetof(entropic_matrix_view, names) + sizeof(char **))

static entropic_status fail_field(entropic_context *context, size_t column, const char *what) {
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "column %zu: %s", column + 1, what);
}

static entropic_status check_column(entropic_context *context, const entropic_column_view *from, size_t index) {
  bool integer = ent_element_is_integer((int)from->element);
  if (from->values == NULL)
    return fail_field(context, index, "values is NULL");
  if ((int)from->element < 0 || from->element > ENTROPIC_ELEMENT_BOOL8)
    return fail_field(context, index, "element is not one of entropic_element");
  if ((int)from->date < 0 || from->date > ENTROPIC_DATE_NANOSECONDS)
    return fail_field(context, index, "date is not one of entropic_date_unit");
  if (from->date > ENTROPIC_DATE_DAYS && !integer)
    return fail_field(context, index, "dates in seconds or less are expected to be integers");
  if (from->date != ENTROPIC_DATE_NONE && (from->categories > 0 || from->element == ENTROPIC_ELEMENT_BOOL8))
    return fail_field(context, index, "it has a date, expected numbers");
  if (from->categories > 0 && (!integer || from->category_names == NULL))
    return fail_field(context, index, integer ? "category_names is NULL" : "codes of categories are not integers");
  return ENTROPIC_OK;
}

static entropic_status view_column(entropic_context *context, const entropic_column_view *from, size_t index,
                                   ent_column_store *store) {
  static const int64_t per_second[] = {0, 0, 1, 1000, 1000000, 1000000000};
  entropic_status status = check_column(context, from, index);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_column_store_name_plain(context, store, index, from->name);
  if (status != ENTROPIC_OK)
    return status;
  ent_chunk chunk = {.rows = store->rows,
                     .values = from->values,
                     .stride = from->stride,
                     .mask = from->mask,
                     .mask_stride = from->mask_stride};
  if (from->categories > 0) {
    status = ent_column_store_names(context, store, from->category_names, from->categories, &chunk);
    if (status != ENTROPIC_OK)
      return status;
  }
  ent_column_view *view = &store->views[index];
  *view = (ent_column_view){.element = (int)from->element,
                            .unit = from->date == ENTROPIC_DATE_NONE ? ENT_UNIT_NUMBER : ENT_UNIT_DATE,
                            .per_second = per_second[from->date],
                            .coded = from->categories > 0,
                            .no_negatives = from->categories > 0,
                            .texts = from->categories > 0 || from->element == ENTROPIC_ELEMENT_BOOL8};
  return ent_column_view_add(context, view, &chunk);
}

static entropic_status check_size(entropic_context *context, const char *what, size_t size, size_t least) {
  return size >= least ? ENTROPIC_OK
                       : ent_fail(context, ENTROPIC_BAD_ARGUMENT, "size is %zu, expected sizeof(%s), at least %zu",
                                  size, what, least);
}

entropic_status ent_column_store_borrow(entropic_context *context, ent_column_store *store, size_t first,
                                        const entropic_column_view *columns, size_t count) {
  entropic_status status = check_size(context, "entropic_column_view", columns->size, LEAST_COLUMN_SIZE);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < count; i++) {
    entropic_column_view known = {0};
    const char *from = (const char *)columns + i * columns->size;
    memcpy(&known, from, columns->size < sizeof known ? columns->size : sizeof known);
    if (known.size != columns->size)
      return fail_field(context, first + i, "size is not that of the first column");
    status = view_column(context, &known, first + i, store);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

entropic_status ent_table_borrow(entropic_context *context, const entropic_column_view *columns, size_t count,
                                 size_t rows, const ent_roles *roles, entropic_table **table) {
  if (columns == NULL || table == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL", columns == NULL ? "columns" : "table");
  if (rows == 0 || count == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is 0, expected 1 or more", rows == 0 ? "rows" : "count");
  ent_column_store *store = NULL;
  entropic_status status = ent_column_store_create(context, count, &store);
  if (status != ENTROPIC_OK)
    return status;
  store->rows = rows;
  status = ent_column_store_borrow(context, store, 0, columns, count);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_table_of_columns(context, store, roles, table);
done:
  ent_column_store_free(store);
  return status;
}

entropic_status ent_table_borrow_matrix(entropic_context *context, const entropic_matrix_view *matrix,
                                        const ent_roles *roles, entropic_table **table) {
  if (matrix == NULL || table == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL", matrix == NULL ? "matrix" : "table");
  entropic_status status = check_size(context, "entropic_matrix_view", matrix->size, LEAST_MATRIX_SIZE);
  if (status != ENTROPIC_OK)
    return status;
  if (matrix->values == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "values is NULL");
  entropic_column_view *columns = ent_new(context, matrix->columns, sizeof *columns);
  if (columns == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < matrix->columns; i++)
    columns[i] = (entropic_column_view){.size = sizeof *columns,
                                        .name = matrix->names == NULL ? NULL : matrix->names[i],
                                        .values = (const char *)matrix->values + (ptrdiff_t)i * matrix->column_stride,
                                        .stride = matrix->row_stride,
                                        .element = matrix->element};
  status = ent_table_borrow(context, columns, matrix->columns, matrix->rows, roles, table);
  ent_delete(columns);
  return status;
}
