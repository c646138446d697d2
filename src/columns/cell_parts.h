/* What cells.c and cell_peek.c share. */
#ifndef ENT_COLUMNS_CELL_PARTS_H
#define ENT_COLUMNS_CELL_PARTS_H

#include "columns/columns.h"

/* Spellings of a target that are longer than this are not kept. */
#define ENT_SPELLING_MOST 64
#define ENT_SPELLING_KEY (sizeof(double) + ENT_SPELLING_MOST)

/* Does the text mean a missing value in a column of numbers? Elsewhere it may be a word. */
bool ent_cell_is_soft_mark(const ent_columns *columns, const char *text, size_t length);
/* Is it kept how the missing cells of a column are written? */
bool ent_column_notes_missing(const ent_column *column);
/* Is it kept how the numbers of a column are written? */
bool ent_column_is_spelled(const ent_columns *columns, const ent_column *column);
/* The key of a number and how it is written among the spellings of its column; returns its length. The text has at most
 * ENT_SPELLING_MOST bytes. */
size_t ent_cell_spelling(const ent_column_cell *cell, double value, char key[ENT_SPELLING_KEY]);
/* The cell that its column reads. Blanks within quotes count in categories alone: of known ones where one is written so. */
ent_column_cell ent_cell_plain(const ent_columns *columns, const ent_column_cell *cell);
/* The place of a text among the known ones, by its letters or as a number. */
entropic_status ent_cell_known(entropic_context *context, const ent_columns *columns, const ent_column_cell *cell,
                               double *value);
/* A number by the column's notation. BAD_DATA for text, TOO_LARGE for what is infinite or beyond the range. */
entropic_status ent_cell_number(const ent_column *column, const ent_column_cell *cell, double *value);

#endif
