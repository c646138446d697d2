/* Inputs of rows: see inputs.h. */
#include "columns/inputs.h"

#include <string.h>

void ent_input_columns_free(ent_input_columns *columns) {
  if (columns == NULL)
    return;
  for (size_t i = 0; columns->list != NULL && i < columns->inputs; i++) {
    ent_names_free(columns->list[i].names);
    ent_delete(columns->list[i].recode);
  }
  ent_delete(columns->list);
  ent_delete(columns->row);
  ent_column_store_free(columns->store);
  ent_delete(columns);
}

/* The values of table rows from[0..count) that follow each other in one column; rows that lie together are read at
 * once. */
static void read_listed(const ent_column_view *view, const size_t *rows, size_t count, double *out, size_t stride) {
  for (size_t i = 0, run; i < count; i += run) {
    for (run = 1; i + run < count && rows[i + run] == rows[i] + run;)
      run++;
    ent_column_view_read(view, rows[i], run, out + i * stride, stride);
  }
}

static void recode(const ent_input_column *column, size_t count, double *out, size_t stride) {
  bool same = column->names == NULL && !ent_part_is_made(column->part);
  for (size_t i = 0; !same && i < count; i++)
    out[i * stride] = ent_input_value(column, out[i * stride]);
}

void ent_inputs_column(const ent_inputs *from, size_t input, size_t first, size_t count, double *out, size_t stride) {
  if (from->columns == NULL) {
    const double *x = from->x + first * from->stride + input;
    for (size_t i = 0; i < count; i++)
      out[i * stride] = x[i * from->stride];
    return;
  }
  const ent_input_column *column = &from->columns->list[input];
  if (column->view == NULL)
    for (size_t i = 0; i < count; i++)
      out[i * stride] = 0;
  else if (from->columns->row == NULL)
    ent_column_view_read(column->view, first, count, out, stride);
  else
    read_listed(column->view, from->columns->row + first, count, out, stride);
  recode(column, count, out, stride);
}

void ent_inputs_refill(ent_inputs_cursor *cursor, size_t row) {
  size_t left = cursor->rows - row;
  cursor->first = row;
  cursor->count = left < ENT_CURSOR_ROWS ? left : ENT_CURSOR_ROWS;
  ent_inputs_column(cursor->from, cursor->input, row, cursor->count, cursor->values, 1);
}

void ent_inputs_read(const ent_inputs *from, size_t inputs, size_t first, size_t count, double *out) {
  if (from->columns == NULL) {
    for (size_t r = 0; r < count; r++)
      memcpy(out + r * inputs, from->x + (first + r) * from->stride, inputs * sizeof *out);
    return;
  }
  /* A block at a time, so that what is written stays in the cache while the next column is. */
  for (size_t done = 0; done < count; done += ENT_CURSOR_ROWS) {
    size_t rows = count - done < ENT_CURSOR_ROWS ? count - done : ENT_CURSOR_ROWS;
    for (size_t i = 0; i < inputs; i++)
      ent_inputs_column(from, i, first + done, rows, out + done * inputs + i, inputs);
  }
}

void ent_inputs_gather(const ent_inputs *from, size_t inputs, const size_t *numbers, size_t count, double *out) {
  if (from->columns == NULL) {
    for (size_t r = 0; r < count; r++)
      memcpy(out + r * inputs, from->x + numbers[r] * from->stride, inputs * sizeof *out);
    return;
  }
  const ent_input_columns *columns = from->columns;
  size_t rows[ENT_CURSOR_ROWS];
  for (size_t done = 0; done < count; done += ENT_CURSOR_ROWS) {
    size_t part = count - done < ENT_CURSOR_ROWS ? count - done : ENT_CURSOR_ROWS;
    for (size_t r = 0; r < part; r++)
      rows[r] = columns->row == NULL ? numbers[done + r] : columns->row[numbers[done + r]];
    for (size_t i = 0; i < inputs; i++) {
      double *to = out + done * inputs + i;
      for (size_t r = 0; columns->list[i].view == NULL && r < part; r++)
        to[r * inputs] = 0;
      if (columns->list[i].view != NULL)
        read_listed(columns->list[i].view, rows, part, to, inputs);
      recode(&columns->list[i], part, to, inputs);
    }
  }
}
