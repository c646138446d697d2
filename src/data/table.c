/* Tables of numbers in memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "data/csv.h"

struct entropic_table {
  size_t rows, columns;
  char **names;
  double *values;
  size_t capacity; /* of values */
};

void entropic_table_free(entropic_table *table) {
  if (table == NULL)
    return;
  for (size_t column = 0; table->names != NULL && column < table->columns; column++)
    ent_delete(table->names[column]);
  ent_delete(table->names);
  ent_delete(table->values);
  ent_delete(table);
}

size_t entropic_table_rows(const entropic_table *table) {
  return table == NULL ? 0 : table->rows;
}

size_t entropic_table_columns(const entropic_table *table) {
  return table == NULL ? 0 : table->columns;
}

const char *entropic_table_name(const entropic_table *table, size_t column) {
  return table == NULL || column >= table->columns ? NULL : table->names[column];
}

const double *entropic_table_values(const entropic_table *table) {
  return table == NULL ? NULL : table->values;
}

/* A first line is a header if any of its fields is text. An empty field says nothing: it is a fault either way, and the
 * other fields decide which. */
static bool is_header(const ent_csv *csv) {
  for (size_t field = 0; field < ent_csv_fields(csv); field++) {
    size_t length;
    double value;
    const char *text = ent_csv_field(csv, field, &length);
    if (length > 0 && entropic_parse_double(text, length, &value) == ENTROPIC_BAD_DATA)
      return true;
  }
  return false;
}

/* Points to a name and knows its column, so that sorted names still do. */
typedef struct ent_named {
  const char *name;
  size_t column;
} ent_named;

static int compare_named(const void *a, const void *b) {
  const ent_named *left = a, *right = b;
  int order = strcmp(left->name, right->name);
  return order != 0 ? order : (left->column > right->column) - (left->column < right->column);
}

static entropic_status check_names(entropic_context *context, const ent_csv *csv, const entropic_table *table) {
  ent_named *sorted = ent_new(context, table->columns, sizeof *sorted);
  if (sorted == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_OK;
  for (size_t column = 0; column < table->columns; column++)
    sorted[column] = (ent_named){table->names[column], column};
  qsort(sorted, table->columns, sizeof *sorted, compare_named);
  for (size_t i = 0; i < table->columns && status == ENTROPIC_OK; i++) {
    char shown[ENT_SHOW_SIZE];
    ent_show(sorted[i].name, strlen(sorted[i].name), shown);
    if (sorted[i].name[0] == '\0')
      status = ent_fail(context, ENTROPIC_BAD_DATA, "%s, line %zu, column %zu: the name is empty, expected a name",
                        ent_csv_name(csv), ent_csv_line(csv), sorted[i].column + 1);
    else if (i > 0 && strcmp(sorted[i - 1].name, sorted[i].name) == 0)
      status = ent_fail(context, ENTROPIC_BAD_DATA,
                        "%s, line %zu, column %zu: the name '%s' is that of column %zu, expected one of its own",
                        ent_csv_name(csv), ent_csv_line(csv), sorted[i].column + 1, shown, sorted[i - 1].column + 1);
  }
  ent_delete(sorted);
  return status;
}

/* Names from the first record, or made up. */
static entropic_status name_columns(entropic_context *context, const ent_csv *csv, bool header, entropic_table *table) {
  table->columns = ent_csv_fields(csv);
  table->names = ent_new(context, table->columns, sizeof *table->names);
  if (table->names == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t column = 0; column < table->columns; column++) {
    char number[ENTROPIC_NUMBER_SIZE] = "x";
    size_t length = 1 + entropic_format_double((double)(column + 1), number + 1);
    const char *name = header ? ent_csv_field(csv, column, &length) : number;
    table->names[column] = ent_new(context, length + 1, 1);
    if (table->names[column] == NULL)
      return ENTROPIC_NO_MEMORY;
    memcpy(table->names[column], name, length);
  }
  return header ? check_names(context, csv, table) : ENTROPIC_OK;
}

/* A fault of one cell: where it is, what is there, what should be. */
static entropic_status fail_cell(entropic_context *context, const ent_csv *csv, const entropic_table *table,
                                 size_t column, const char *expected) {
  char name[ENT_SHOW_SIZE], value[ENT_SHOW_SIZE];
  size_t length;
  const char *text = ent_csv_field(csv, column, &length);
  ent_show(table->names[column], strlen(table->names[column]), name);
  return ent_fail(context, ENTROPIC_BAD_DATA, "%s, line %zu, column %zu (%s): found '%s', expected %s",
                  ent_csv_name(csv), ent_csv_line(csv), column + 1, name, ent_show(text, length, value), expected);
}

/* A row with too few or too many fields. */
static entropic_status fail_width(entropic_context *context, const ent_csv *csv, const entropic_table *table) {
  size_t fields = ent_csv_fields(csv), length;
  char shown[ENT_SHOW_SIZE];
  if (fields < table->columns) {
    const char *name = table->names[fields];
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "%s, line %zu: found %zu fields, expected %zu; column %zu (%s) is the first one missing",
                    ent_csv_name(csv), ent_csv_line(csv), fields, table->columns, fields + 1,
                    ent_show(name, strlen(name), shown));
  }
  const char *extra = ent_csv_field(csv, table->columns, &length);
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "%s, line %zu: found %zu fields, expected %zu; column %zu ('%s') is too many", ent_csv_name(csv),
                  ent_csv_line(csv), fields, table->columns, table->columns + 1, ent_show(extra, length, shown));
}

/* Reads the current record as the next row. */
static entropic_status add_row(entropic_context *context, const ent_csv *csv, entropic_table *table) {
  if (ent_csv_fields(csv) != table->columns)
    return fail_width(context, csv, table);
  size_t used = table->rows * table->columns;
  double *grown = ent_grow(context, table->values, &table->capacity, used + table->columns, sizeof *grown);
  if (grown == NULL)
    return ENTROPIC_NO_MEMORY;
  table->values = grown;
  for (size_t column = 0; column < table->columns; column++) {
    size_t length;
    const char *text = ent_csv_field(csv, column, &length);
    double value = 0;
    entropic_status status = entropic_parse_double(text, length, &value);
    if (status == ENTROPIC_TOO_LARGE)
      return fail_cell(context, csv, table, column, "a number within the range of double, up to 1.8e308");
    if (status != ENTROPIC_OK)
      return fail_cell(context, csv, table, column, "a number");
    if (!isfinite(value))
      return fail_cell(context, csv, table, column, "a finite number");
    table->values[used + column] = value;
  }
  table->rows++;
  return ENTROPIC_OK;
}

static entropic_status read_table(entropic_context *context, ent_csv *csv, entropic_table *table) {
  bool more;
  entropic_status status = ent_csv_next(context, csv, &more);
  if (status != ENTROPIC_OK)
    return status;
  if (!more)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s is empty, expected rows of numbers", ent_csv_name(csv));
  bool header = is_header(csv);
  status = name_columns(context, csv, header, table);
  if (status == ENTROPIC_OK && header)
    status = ent_csv_next(context, csv, &more);
  while (status == ENTROPIC_OK && more) {
    status = add_row(context, csv, table);
    if (status == ENTROPIC_OK)
      status = ent_csv_next(context, csv, &more);
  }
  if (status == ENTROPIC_OK && table->rows == 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s has a header and no rows, expected rows of numbers",
                    ent_csv_name(csv));
  return status;
}

entropic_status entropic_table_read(entropic_context *context, const char *path, entropic_table **table) {
  if (path == NULL || table == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL", path == NULL ? "path" : "table");
  ent_csv *csv = NULL;
  entropic_table *made = ent_new(context, 1, sizeof *made);
  entropic_status status = made == NULL ? ENTROPIC_NO_MEMORY : ent_csv_open(context, path, &csv);
  if (status == ENTROPIC_OK)
    status = read_table(context, csv, made);
  ent_csv_close(csv);
  if (status != ENTROPIC_OK) {
    entropic_table_free(made);
    return status;
  }
  *table = made;
  return ENTROPIC_OK;
}
