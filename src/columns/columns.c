/* Columns: making and naming them, and messages about their cells. See columns.h. */
#include "columns/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The marks of missing values where the caller gives none. */
#define ENT_USUAL_MARKS "?,NA,N/A,nan,null"

entropic_status ent_columns_set_marks(entropic_context *context, ent_columns *columns, const char *marks) {
  if (marks != NULL) {
    columns->given_marks = ent_new_text(context, marks, strlen(marks));
    if (columns->given_marks == NULL)
      return ENTROPIC_NO_MEMORY;
  } else {
    marks = ENT_USUAL_MARKS;
  }
  size_t length = strlen(marks), used = 0;
  columns->marks = ent_new(context, length + 2, 1);
  columns->mark_numbers = ent_new(context, length / 2 + 1, sizeof *columns->mark_numbers);
  if (columns->marks == NULL || columns->mark_numbers == NULL)
    return ENTROPIC_NO_MEMORY;
  for (const char *p = marks; *p != '\0';) {
    size_t part = strcspn(p, ",");
    memcpy(columns->marks + used, p, part);
    used += part == 0 ? 0 : part + 1;
    double value;
    if (entropic_parse_double(p, part, &value) == ENTROPIC_OK && isfinite(value))
      columns->mark_numbers[columns->number_marks++] = value;
    columns->longest_mark = part > columns->longest_mark ? part : columns->longest_mark;
    p += part + (p[part] == ',');
  }
  return ENTROPIC_OK;
}

entropic_status ent_columns_create(entropic_context *context, ent_columns *columns, size_t count) {
  columns->list = ent_new(context, count, sizeof *columns->list);
  if (columns->list == NULL)
    return ENTROPIC_NO_MEMORY;
  columns->count = count;
  return ENTROPIC_OK;
}

void ent_columns_free(ent_columns *columns) {
  for (size_t i = 0; i < columns->count; i++) {
    ent_delete(columns->list[i].name);
    ent_dictionary_free(columns->list[i].dictionary);
    ent_dictionary_free(columns->list[i].words);
    ent_dictionary_free(columns->list[i].missing_texts);
    ent_delete(columns->list[i].evidence);
    ent_dictionary_free(columns->list[i].spellings);
  }
  ent_delete(columns->list);
  ent_delete(columns->given_marks);
  ent_delete(columns->marks);
  ent_delete(columns->mark_numbers);
  ent_notices_clear(&columns->notices);
}

entropic_status ent_columns_name(entropic_context *context, ent_columns *columns, size_t column, const char *name,
                                 size_t length) {
  char made[ENTROPIC_NUMBER_SIZE + 1] = "x";
  if (length == 0) {
    length = 1 + entropic_format_double((double)(column + 1), made + 1);
    name = made;
  }
  char *copy = ent_new_text(context, name, length);
  if (copy == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_delete(columns->list[column].name);
  columns->list[column].name = copy;
  return ENTROPIC_OK;
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

entropic_status ent_columns_check_names(entropic_context *context, const ent_columns *columns, size_t line) {
  ent_named *sorted = ent_new(context, columns->count, sizeof *sorted);
  if (sorted == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; i < columns->count; i++)
    sorted[i] = (ent_named){columns->list[i].name, i};
  qsort(sorted, columns->count, sizeof *sorted, compare_named);
  char shown[ENT_SHOW_SIZE], line_shown[40] = "";
  if (line > 0)
    snprintf(line_shown, sizeof line_shown, ", line %zu", line);
  for (size_t i = 1; i < columns->count; i++) {
    if (strcmp(sorted[i - 1].name, sorted[i].name) != 0)
      continue;
    status = ent_fail(context, ENTROPIC_BAD_DATA, "%s%s, column %zu: the name '%s' is already that of column %zu",
                      columns->file, line_shown, sorted[i].column + 1,
                      ent_show(sorted[i].name, strlen(sorted[i].name), shown), sorted[i - 1].column + 1);
    break;
  }
  ent_delete(sorted);
  return status;
}

static const char *column_name(const void *columns, size_t column) {
  return ((const ent_columns *)columns)->list[column].name;
}

entropic_status ent_columns_index(entropic_context *context, const ent_columns *columns, ent_dictionary **index) {
  return ent_dictionary_of(context, &(ent_text_list){columns->count, column_name, columns}, index);
}

entropic_status ent_column_make_text(entropic_context *context, ent_column *column) {
  if (column->dictionary == NULL) {
    entropic_status status = ent_dictionary_create(context, &column->dictionary);
    if (status != ENTROPIC_OK)
      return status;
  }
  column->mode = ENT_MODE_TEXT;
  return ENTROPIC_OK;
}

ent_file_place ent_columns_place(const ent_columns *columns, size_t line) {
  bool lines = columns->line_map != NULL && strcmp(columns->place, "line") == 0;
  return ent_line_map_find(lines ? columns->line_map : NULL, columns->file, line);
}

entropic_status ent_columns_fail(entropic_context *context, const ent_columns *columns, const ent_column_cell *cell,
                                 const char *expected) {
  char name[ENT_SHOW_SIZE], value[ENT_SHOW_SIZE];
  const char *of = columns->list[cell->column].name;
  ent_file_place place = ent_columns_place(columns, cell->line);
  return ent_fail(context, ENTROPIC_BAD_DATA, "%s, %s %zu, column %zu (%s): found '%s', expected %s", place.file,
                  columns->place, place.line, cell->column + 1, ent_show(of, strlen(of), name),
                  ent_show(cell->text, cell->length, value), expected);
}

void ent_columns_info(const ent_columns *columns, size_t index, entropic_column *info) {
  const ent_column *column = &columns->list[index];
  *info = (entropic_column){.name = column->name,
                            .type = column->type,
                            .role = column->role,
                            .text = column->mode == ENT_MODE_TEXT,
                            .categories = ent_dictionary_size(column->dictionary),
                            .missing = column->missing};
}
