/* From a table to a data set: which columns and rows, and what is in them. */
#ifndef ENT_DATASET_LAYOUT_H
#define ENT_DATASET_LAYOUT_H

#include "columns/dictionary.h"
#include "data/table.h"
#include "dataset/dataset.h"

/* A column that is not there: nothing to read, or zeros in its place. */
#define ENT_NOWHERE SIZE_MAX

/* Where the parts of a data set are in a table. */
typedef struct ent_layout {
  const entropic_table *table;
  const ent_columns *columns;
  size_t inputs, targets;
  size_t *input, *target;     /* columns; an input may be ENT_NOWHERE */
  ent_date_part *part;        /* what each input has of its column */
  size_t weight, group, time; /* columns, or ENT_NOWHERE */
  size_t rows;
  size_t *row;  /* those in use */
  bool sampled; /* they are a sample; what categories there are and whether values are missing all rows say */
} ent_layout;

/* One value; for many of a column there are cursors. */
static inline double ent_layout_value(const ent_layout *layout, size_t row, size_t column) {
  double value;
  ent_table_read(layout->table, column, layout->row[row], 1, &value);
  return value;
}

/* A column, row after row. */
typedef struct ent_layout_cursor {
  const ent_layout *layout;
  size_t column;
  size_t first, count; /* rows of the table that are at hand */
  double values[ENT_CURSOR_ROWS];
} ent_layout_cursor;

static inline void ent_layout_cursor_start(const ent_layout *layout, size_t column, ent_layout_cursor *cursor) {
  cursor->layout = layout;
  cursor->column = column;
  cursor->first = cursor->count = 0;
}
void ent_layout_refill(ent_layout_cursor *cursor, size_t row);
/* The value of a row of the table, in use or not. */
static inline double ent_layout_at_row(ent_layout_cursor *cursor, size_t row) {
  const entropic_table *table = cursor->layout->table;
  if (table->values != NULL)
    return table->values[row * cursor->layout->columns->count + cursor->column];
  if (row - cursor->first >= cursor->count)
    ent_layout_refill(cursor, row);
  return cursor->values[row - cursor->first];
}
/* The value of a row in use. Rows are best asked for in order. */
static inline double ent_layout_at(ent_layout_cursor *cursor, size_t row) {
  return ent_layout_at_row(cursor, cursor->layout->row[row]);
}

/* Finds weights and groups by their roles, and the time, and makes room for so many other columns. On failure of this
 * or any of the others, clear it. */
entropic_status ent_layout_start(entropic_context *context, const entropic_table *table, size_t inputs, size_t targets,
                                 ent_layout *layout);
void ent_layout_clear(ent_layout *layout);
/* Finds the rows in use once targets are known, and counts the others into the data set. Of more than `sample` rows, if
 * that is not 0, those of a sample are looked at. */
entropic_status ent_layout_find_rows(entropic_context *context, ent_layout *layout, size_t sample,
                                     entropic_dataset *dataset);
/* BAD_DATA about the value that a row in use has in a column. */
entropic_status ent_layout_fail(entropic_context *context, const ent_layout *layout, size_t row, size_t column,
                                const char *expected);
/* Refuses a column that is text, naming its first value that is no number. */
entropic_status ent_layout_refuse_text(entropic_context *context, const ent_layout *layout, size_t column,
                                       const char *expected);

/* Behind each input that is a date, its parts that vary over the rows in use, where these go once round with it: what
 * is shorter tells the part from the date alone. A part is not made if a column has its name. There is
 * room for all of them. */
entropic_status ent_layout_add_parts(entropic_context *context, ent_layout *layout, ent_notices *notices);

/* The names of categories that rows in use have in a column of text, sorted. Names of one number, such as 1 and 1.0,
 * are one; where notices are given they say so. */
entropic_status ent_layout_names(entropic_context *context, const ent_layout *layout, size_t column,
                                 ent_notices *notices, char ***list, size_t *count);
/* The notice that a class is written in two ways. */
entropic_status ent_layout_warn_spelling(entropic_context *context, const ent_layout *layout, size_t column,
                                         const char *name, const char *other, ent_notices *notices);

/* One more value, as bits, in the hash of a column. */
#define ENT_HASH_START UINT64_C(0x9e3779b97f4a7c15)
static inline uint64_t ent_hash_step(uint64_t hash, uint64_t bits) {
  hash = (hash ^ bits) * UINT64_C(0xd6e8feb86659fd93);
  return hash ^ hash >> 32;
}
/* The first of those inputs that are the same in every row in use is an original, the others are its copies: finds for
 * each input the column of which it is a copy, or ENT_NOWHERE. Missing is the same as missing; texts are compared as
 * they are written, and are never the same as numbers. */
entropic_status ent_layout_find_copies(entropic_context *context, const ent_layout *layout, size_t *original);

/* Finds out what the target is, and its classes, into the data set's schema. */
entropic_status ent_layout_find_task(entropic_context *context, const ent_layout *layout, entropic_task task,
                                     entropic_dataset *dataset);

/* Copies values into a data set that has its schema. */
entropic_status ent_dataset_fill(entropic_context *context, const ent_layout *layout, entropic_dataset *dataset);

/* A notice for numbers that look like marks of missing values, such as -200 or 999: codes that repeat, far from all other
 * values of their column. */
entropic_status ent_dataset_warn_sentinels(entropic_context *context, entropic_dataset *dataset);

/* A notice if a good part of the rows repeats another one, which cannot be by chance: a row held out is no test of a
 * model that was trained on its copy. Rows of groups are not looked at. */
entropic_status ent_dataset_warn_repeats(entropic_context *context, entropic_dataset *dataset);

#endif
