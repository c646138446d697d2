/* The types of columns, from counts made block by block: see columns.h. */
#include <math.h>
#include <string.h>

#include "data/columns.h"

/* Fewer rows than this say nothing about identifiers. */
#define ENT_IDENTIFIER_ROWS 20
/* From so many categories on, a column whose every second row brings a new one is an identifier. */
#define ENT_DICTIONARY_MOST 100000

void ent_columns_begin(ent_columns *columns) {
  for (size_t i = 0; i < columns->count; i++) {
    ent_column *column = &columns->list[i];
    column->missing = column->texts = column->ranges = column->dates = 0;
    column->same = column->consecutive = column->mode != ENT_MODE_SKIP;
    column->bad_line = 0;
  }
}

/* A cell that is NaN: missing, or bad in a way that its bits tell. */
static void count_nan(ent_column *column, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint64_t kind = column->mode == ENT_MODE_NUMBER || column->mode == ENT_MODE_DATE ? bits & 3 : 0;
  if (kind == ENT_ODD_TEXT)
    column->texts++;
  else if (kind == ENT_ODD_RANGE)
    column->ranges++;
  else if (kind == ENT_ODD_DATE)
    column->dates++;
  else
    column->missing++;
}

/* Is it constant so far, does it count so far? For most columns the first rows answer no, and that is that. */
static void follow(ent_column *column, const double *values, size_t rows, size_t stride, size_t before) {
  if (before == 0 && rows > 0) {
    column->first = values[0];
    column->last = values[0] - 1;
  }
  for (size_t row = 0; row < rows && (column->same || column->consecutive); row++) {
    double value = values[row * stride];
    column->same = column->same && (value == column->first || (isnan(value) && isnan(column->first)));
    column->consecutive = column->consecutive && value == column->last + 1 && value == floor(value);
    column->last = value;
  }
}

static void count_texts(ent_column *column, const double *values, size_t rows, size_t stride, size_t before) {
  for (size_t row = 0; row < rows; row++) {
    double value = values[row * stride];
    if (!isnan(value))
      column->texts += ent_dictionary_marked(column->dictionary, (uint32_t)value);
  }
  size_t size = ent_dictionary_size(column->dictionary);
  column->full = size > ENT_DICTIONARY_MOST && size > (before + rows) / 2 && !column->declared &&
                 column->role == ENTROPIC_ROLE_INPUT;
}

void ent_columns_count(ent_columns *columns, const double *values, size_t rows, size_t before) {
  size_t count = columns->count;
  for (size_t i = 0; i < count; i++) {
    ent_column *column = &columns->list[i];
    if (column->same || column->consecutive)
      follow(column, values + i, rows, count, before);
    if (column->mode == ENT_MODE_TEXT && !column->full)
      count_texts(column, values + i, rows, count, before);
  }
  for (size_t row = 0; row < rows; row++) {
    const double *cells = values + row * count;
    int nans = 0; /* most rows have none, and are done with after a few vector instructions */
    for (size_t i = 0; i < count; i++)
      nans |= cells[i] != cells[i];
    for (size_t i = 0; nans && i < count; i++)
      if (isnan(cells[i]))
        count_nan(&columns->list[i], cells[i]);
  }
}

static entropic_status fail_bad(entropic_context *context, const ent_columns *columns, size_t index, size_t rows) {
  const ent_column *column = &columns->list[index];
  char name[ENT_SHOW_SIZE];
  ent_show(column->name, strlen(column->name), name);
  if (column->bad_range)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s, %s %zu, column %zu (%s): found '%s', expected a finite number",
                    columns->file, columns->place, column->bad_line, index + 1, name, column->bad_text);
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "%s, %s %zu, column %zu (%s): found '%s', expected a %s as in %.4g %% of the rows (if it is a "
                  "category, list the column as categorical)",
                  columns->file, columns->place, column->bad_line, index + 1, name, column->bad_text,
                  column->mode == ENT_MODE_DATE ? "date" : "number",
                  100 * (double)(rows - column->missing - column->texts) / (double)(rows - column->missing));
}

static entropic_type type_of(const ent_column *column, size_t rows) {
  if (column->same && (column->missing == 0 || column->missing == rows) && !column->full)
    return ENTROPIC_TYPE_CONSTANT;
  bool enough = rows >= ENT_IDENTIFIER_ROWS;
  if (column->mode == ENT_MODE_TEXT) {
    size_t present = rows - column->missing;
    bool many = column->full || (enough && ent_dictionary_size(column->dictionary) >= present - present / 10);
    return many && !column->declared ? ENTROPIC_TYPE_IDENTIFIER : ENTROPIC_TYPE_CATEGORY;
  }
  if (column->mode == ENT_MODE_DATE)
    return ENTROPIC_TYPE_DATE; /* also where there is one row a day */
  return enough && column->consecutive ? ENTROPIC_TYPE_IDENTIFIER : ENTROPIC_TYPE_NUMBER;
}

bool ent_column_has_dates(const ent_column *column, size_t present) {
  return column->mode == ENT_MODE_NUMBER && column->dates > present / 2;
}

entropic_status ent_columns_decide(entropic_context *context, ent_columns *columns, size_t rows, bool *again) {
  *again = false;
  for (size_t i = 0; i < columns->count; i++) {
    ent_column *column = &columns->list[i];
    size_t present = rows - column->missing;
    if (ent_column_has_dates(column, present)) {
      column->mode = ENT_MODE_DATE;
      *again = true;
      continue; /* the next pass sees what else there is */
    }
    column->texts += column->dates;
    bool few = (double)column->texts * 100 < (double)present && !column->declared && !column->full;
    if (column->mode == ENT_MODE_SKIP || (column->texts == 0 && column->ranges == 0)) {
      column->type = type_of(column, rows);
      continue;
    }
    if (few && (column->texts > 0 || column->mode == ENT_MODE_NUMBER))
      return fail_bad(context, columns, i, rows);
    if (column->mode == ENT_MODE_NUMBER || column->mode == ENT_MODE_DATE) {
      entropic_status status = ent_column_make_text(context, column);
      if (status != ENTROPIC_OK)
        return status;
      *again = true;
    }
    column->type = type_of(column, rows);
  }
  return ENTROPIC_OK;
}
