/* Cells that threads read ahead of their turn: see columns.h. Whatever ent_columns_cell would change, count or refuse is
 * left to it. */
#include <math.h>

#include "columns/cell_parts.h"

static ent_peek peek_missing(const ent_columns *columns, const ent_column *column, const ent_column_cell *cell,
                             double *value) {
  *value = NAN;
  bool noted = columns->numbers_only || (cell->length > 0 && ent_column_notes_missing(column));
  return noted ? ENT_PEEK_NOTHING : ENT_PEEK_VALUE;
}

static ent_peek peek_text(const ent_columns *columns, const ent_column *column, const ent_column_cell *cell,
                          double *value) {
  uint32_t code;
  if (column->known != NULL)
    return ent_cell_known(NULL, columns, cell, value) == ENTROPIC_OK ? ENT_PEEK_VALUE : ENT_PEEK_NOTHING;
  if (ent_dictionary_size(column->dictionary) == 0 ||
      !ent_dictionary_find(column->dictionary, cell->text, cell->length, &code))
    return ENT_PEEK_NOTHING;
  *value = code;
  return ENT_PEEK_CODE;
}

/* Is the spelling of a number kept already, or need not be? */
static bool has_spelling(const ent_columns *columns, const ent_column *column, const ent_column_cell *cell,
                         double value) {
  char key[ENT_SPELLING_KEY];
  uint32_t code;
  if (!ent_column_is_spelled(columns, column))
    return true;
  if (cell->length > ENT_SPELLING_MOST || ent_dictionary_size(column->spellings) == 0)
    return false;
  return ent_dictionary_find(column->spellings, key, ent_cell_spelling(cell, value, key), &code);
}

static ent_peek peek_number(const ent_columns *columns, const ent_column *column, const ent_column_cell *cell,
                            double *value) {
  entropic_status status = ent_cell_number(column, cell, value);
  bool soft = status == ENTROPIC_BAD_DATA && !ent_column_notes_missing(column) &&
              ent_cell_is_soft_mark(columns, cell->text, cell->length);
  if (soft) {
    *value = columns->tolerant ? ent_cell_nan(ENT_CELL_SOFT, (ent_notation_match){0}) : (double)NAN;
    return ENT_PEEK_VALUE;
  }
  bool guessed =
      column->guessed && columns->tolerant && column->mode == ENT_MODE_NOTED && column->notation != ENT_NOTATION_PLAIN;
  if (status != ENTROPIC_OK || columns->sampling || guessed || (column->mode == ENT_MODE_WEIGHT && *value < 0))
    return ENT_PEEK_NOTHING;
  return has_spelling(columns, column, cell, *value) ? ENT_PEEK_VALUE : ENT_PEEK_NOTHING;
}

ent_peek ent_columns_peek(const ent_columns *columns, const ent_column_cell *written, double *value) {
  const ent_column_cell plain = ent_cell_plain(columns, written), *cell = &plain;
  const ent_column *column = &columns->list[cell->column];
  if (ent_columns_is_missing(columns, cell->text, cell->length, cell->point))
    return peek_missing(columns, column, cell, value);
  return column->mode == ENT_MODE_TEXT ? peek_text(columns, column, cell, value)
                                       : peek_number(columns, column, cell, value);
}

void ent_columns_note_code(ent_columns *columns, size_t index, size_t line, double *value) {
  ent_column *column = &columns->list[index];
  if (column->full)
    *value = NAN;
  else
    ent_dictionary_note(column->dictionary, (uint32_t)*value, line);
}
