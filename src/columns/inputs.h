/* Inputs of rows: doubles in memory, row after row, or columns of a table that stay where they are. */
#ifndef ENT_COLUMNS_INPUTS_H
#define ENT_COLUMNS_INPUTS_H

#include "columns/column_store.h"
#include "columns/date.h"
#include "columns/dictionary.h"

/* A column as an input. */
typedef struct ent_input_column {
  const ent_column_view *view; /* NULL: zeros */
  ent_names *names;            /* of categories: a value becomes its place among them; NULL: a number */
  double *recode;              /* the place of each code of the column; NULL: values are numbers */
  ent_date_part part;          /* of a date */
} ent_input_column;

typedef struct ent_input_columns {
  size_t inputs;
  ent_input_column *list;
  size_t *row; /* the rows in use; NULL: all */
  ent_column_store *store;
} ent_input_columns;

/* Frees; NULL is fine. */
void ent_input_columns_free(ent_input_columns *columns);
/* The value of an input from that of its column. */
static inline double ent_input_value(const ent_input_column *column, double value) {
  if (column->names == NULL || value != value)
    return ent_part_is_made(column->part) ? ent_part_value(column->part, value) : value;
  return column->recode != NULL ? column->recode[(size_t)value] : (double)ent_names_find_number(column->names, value);
}

/* Either of the two, borrowed. */
typedef struct ent_inputs {
  const double *x; /* x[row * stride + input] */
  size_t stride;
  const ent_input_columns *columns; /* in its place; NULL: there is x */
} ent_inputs;

/* Values of one input in rows first, first + 1, ..., into out[row * stride]. */
void ent_inputs_column(const ent_inputs *from, size_t input, size_t first, size_t count, double *out, size_t stride);
/* All inputs of rows first, first + 1, ..., into out[count x inputs]. */
void ent_inputs_read(const ent_inputs *from, size_t inputs, size_t first, size_t count, double *out);
/* The same of rows by number. */
void ent_inputs_gather(const ent_inputs *from, size_t inputs, const size_t *numbers, size_t count, double *out);

/* One input, row after row. */
#define ENT_CURSOR_ROWS 256
typedef struct ent_inputs_cursor {
  const ent_inputs *from;
  size_t input, rows; /* of all */
  size_t first, count;
  double values[ENT_CURSOR_ROWS];
} ent_inputs_cursor;

static inline void ent_inputs_start(const ent_inputs *from, size_t input, size_t rows, ent_inputs_cursor *cursor) {
  cursor->from = from;
  cursor->input = input;
  cursor->rows = rows;
  cursor->first = cursor->count = 0;
}
void ent_inputs_refill(ent_inputs_cursor *cursor, size_t row);
/* Rows are best asked for in order. */
static inline double ent_inputs_at(ent_inputs_cursor *cursor, size_t row) {
  if (cursor->from->columns == NULL)
    return cursor->from->x[row * cursor->from->stride + cursor->input];
  if (row - cursor->first >= cursor->count)
    ent_inputs_refill(cursor, row);
  return cursor->values[row - cursor->first];
}

#endif
