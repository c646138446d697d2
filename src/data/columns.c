/* Columns: making and naming them, and what their cells mean. See columns.h. */
#include "data/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/date.h"

/* Texts longer than this are no numbers worth a copy with another decimal mark. */
#define ENT_NUMBER_MOST 1100

entropic_status ent_columns_set_marks(entropic_context *context, ent_columns *columns, const char *marks) {
  size_t length = strlen(marks), used = 0;
  columns->marks = ent_new(context, length + 2, 1);
  if (columns->marks == NULL)
    return ENTROPIC_NO_MEMORY;
  for (const char *p = marks; *p != '\0';) {
    size_t part = strcspn(p, ",");
    memcpy(columns->marks + used, p, part);
    used += part == 0 ? 0 : part + 1;
    double value;
    if (entropic_parse_double(p, part, &value) == ENTROPIC_OK && isfinite(value))
      columns->number_marks = true;
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
  }
  ent_delete(columns->list);
  ent_delete(columns->marks);
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
  for (size_t i = 1; i < columns->count && status == ENTROPIC_OK; i++) {
    char shown[ENT_SHOW_SIZE];
    char line_shown[40] = "";
    if (line > 0)
      snprintf(line_shown, sizeof line_shown, ", line %zu", line);
    if (strcmp(sorted[i - 1].name, sorted[i].name) == 0)
      status = ent_fail(context, ENTROPIC_BAD_DATA,
                        "%s%s, column %zu: the name '%s' is that of column %zu, expected one of its own", columns->file,
                        line_shown, sorted[i].column + 1, ent_show(sorted[i].name, strlen(sorted[i].name), shown),
                        sorted[i - 1].column + 1);
  }
  ent_delete(sorted);
  return status;
}

entropic_status ent_columns_index(entropic_context *context, const ent_columns *columns, ent_dictionary **index) {
  ent_dictionary *made = NULL;
  entropic_status status = ent_dictionary_create(context, &made);
  for (size_t i = 0; i < columns->count && status == ENTROPIC_OK; i++) {
    uint32_t code;
    bool is_new;
    status = ent_dictionary_code(context, made, columns->list[i].name, strlen(columns->list[i].name), &code, &is_new);
  }
  if (status != ENTROPIC_OK) {
    ent_dictionary_free(made);
    return status;
  }
  *index = made;
  return ENTROPIC_OK;
}

entropic_status ent_column_make_text(entropic_context *context, ent_column *column) {
  entropic_status status = ENTROPIC_OK;
  if (column->dictionary == NULL)
    status = ent_dictionary_create(context, &column->dictionary);
  if (status == ENTROPIC_OK)
    column->mode = ENT_MODE_TEXT;
  return status;
}

bool ent_columns_is_missing(const ent_columns *columns, const char *text, size_t length) {
  if (length == 0)
    return true;
  if (length > columns->longest_mark)
    return false;
  for (const char *mark = columns->marks; *mark != '\0'; mark += strlen(mark) + 1)
    if (ent_same_word(text, length, mark))
      return true;
  return false;
}

double ent_cell_bad(ent_oddity oddity) {
  uint64_t bits = UINT64_C(0x7ff8000000000000) + (uint64_t)oddity;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

entropic_status ent_columns_fail(entropic_context *context, const ent_columns *columns, size_t column, size_t line,
                                 const char *text, size_t length, const char *expected) {
  char name[ENT_SHOW_SIZE], value[ENT_SHOW_SIZE];
  const char *of = columns->list[column].name;
  return ent_fail(context, ENTROPIC_BAD_DATA, "%s, %s %zu, column %zu (%s): found '%s', expected %s", columns->file,
                  columns->place, line, column + 1, ent_show(of, strlen(of), name), ent_show(text, length, value),
                  expected);
}

/* BAD_DATA for text, TOO_LARGE for what is infinite or beyond the range. */
static entropic_status parse(const char *text, size_t length, char point, double *value) {
  char copy[ENT_NUMBER_MOST];
  if (point != '.') {
    /* The other mark is no part of a number. */
    if (length > ENT_NUMBER_MOST || memchr(text, '.', length) != NULL)
      return ENTROPIC_BAD_DATA;
    memcpy(copy, text, length);
    char *mark = memchr(copy, point, length);
    if (mark != NULL)
      *mark = '.';
    text = copy;
  }
  entropic_status status = entropic_parse_double(text, length, value);
  return status == ENTROPIC_OK && isinf(*value) ? ENTROPIC_TOO_LARGE : status;
}

/* Keeps the first bad cell of a column. */
static void note_bad(ent_column *column, size_t line, const char *text, size_t length, bool range) {
  if (column->bad_line != 0)
    return;
  column->bad_line = line;
  column->bad_range = range;
  ent_show(text, length, column->bad_text);
}

/* The place of a text among those that are known, by its letters or as a number. */
static entropic_status known_cell(entropic_context *context, const ent_columns *columns, size_t index, size_t line,
                                  const char *text, size_t length, char point, double *value) {
  const ent_column *column = &columns->list[index];
  size_t count = ent_names_count(column->known), place = ent_names_find(column->known, text, length);
  if (place == count) {
    double number;
    entropic_status status = parse(text, length, point, &number);
    if (status == ENTROPIC_NO_MEMORY)
      return ent_fail(context, status, "out of memory while reading '%s'", columns->file);
    if (status == ENTROPIC_OK)
      place = ent_names_find_number(column->known, number);
  }
  *value = (double)place;
  return place == count && column->expected != NULL
             ? ent_columns_fail(context, columns, index, line, text, length, column->expected)
             : ENTROPIC_OK;
}

static entropic_status text_cell(entropic_context *context, ent_column *column, size_t line, const char *text,
                                 size_t length, char point, double *value) {
  if (column->full) {
    *value = NAN;
    return ENTROPIC_OK;
  }
  uint32_t code = 0;
  bool is_new = false;
  entropic_status status = ent_dictionary_code(context, column->dictionary, text, length, &code, &is_new);
  if (status != ENTROPIC_OK)
    return status;
  double number;
  if (is_new && parse(text, length, point, &number) == ENTROPIC_BAD_DATA) {
    ent_dictionary_mark(column->dictionary, code);
    note_bad(column, line, text, length, false);
  }
  *value = code;
  return ENTROPIC_OK;
}

/* What should have been there instead of a text that is no number (BAD_DATA) or too large a one. */
static const char *expectation(entropic_status status, const char *text, size_t length) {
  if (status == ENTROPIC_BAD_DATA)
    return "a number";
  for (size_t i = 0; i < length; i++)
    if (text[i] == 'i' || text[i] == 'I')
      return "a finite number";
  return "a number within the range of double, up to 1.8e308";
}

static entropic_status date_cell(entropic_context *context, ent_columns *columns, size_t index, size_t line,
                                 const char *text, size_t length, double *value) {
  if (ent_parse_date(text, length, value))
    return ENTROPIC_OK;
  if (!columns->tolerant)
    return ent_columns_fail(context, columns, index, line, text, length,
                            "a date such as 2024-12-31 or 2024-12-31T23:59");
  note_bad(&columns->list[index], line, text, length, false);
  *value = ent_cell_bad(ENT_ODD_TEXT);
  return ENTROPIC_OK;
}

entropic_status ent_columns_cell(entropic_context *context, ent_columns *columns, size_t index, size_t line,
                                 const char *text, size_t length, char point, double *value) {
  ent_column *column = &columns->list[index];
  if (ent_columns_is_missing(columns, text, length)) {
    if (columns->numbers_only)
      return ent_columns_fail(context, columns, index, line, text, length,
                              length == 0 ? "a number" : "a finite number");
    *value = NAN;
    return ENTROPIC_OK;
  }
  if (column->mode == ENT_MODE_TEXT)
    return column->known != NULL ? known_cell(context, columns, index, line, text, length, point, value)
                                 : text_cell(context, column, line, text, length, point, value);
  if (column->mode == ENT_MODE_DATE)
    return date_cell(context, columns, index, line, text, length, value);
  entropic_status status = parse(text, length, point, value);
  if (status == ENTROPIC_OK && isnan(*value))
    status = ENTROPIC_BAD_DATA; /* a word for "not a number" that is no mark of missing values */
  if (status == ENTROPIC_OK && column->mode == ENT_MODE_WEIGHT && *value < 0)
    return ent_columns_fail(context, columns, index, line, text, length, "a weight of 0 or more");
  if (status == ENTROPIC_OK || status == ENTROPIC_NO_MEMORY)
    return status;
  bool range = status == ENTROPIC_TOO_LARGE;
  if (!columns->tolerant)
    return ent_columns_fail(context, columns, index, line, text, length, expectation(status, text, length));
  note_bad(column, line, text, length, range);
  bool date = !range && column->role == ENTROPIC_ROLE_INPUT && ent_parse_date(text, length, value);
  *value = ent_cell_bad(range ? ENT_ODD_RANGE : date ? ENT_ODD_DATE : ENT_ODD_TEXT);
  return ENTROPIC_OK;
}

entropic_status ent_columns_number(entropic_context *context, ent_columns *columns, size_t index, size_t line,
                                   double number, double *value) {
  const ent_column *column = &columns->list[index];
  if (column->mode == ENT_MODE_SKIP || (isnan(number) && !columns->numbers_only)) {
    *value = NAN;
    return ENTROPIC_OK;
  }
  char text[ENTROPIC_NUMBER_SIZE];
  if (!isfinite(number))
    return ent_columns_fail(context, columns, index, line, text, entropic_format_double(number, text),
                            "a finite number");
  if (column->mode == ENT_MODE_TEXT || column->mode == ENT_MODE_WEIGHT) {
    size_t length = entropic_format_double(number + 0.0, text); /* so that -0 is 0 */
    return ent_columns_cell(context, columns, index, line, text, length, '.', value);
  }
  *value = number;
  return ENTROPIC_OK;
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
