/* Tables. A cell of numbers carries its exact value for the script that sorts (see style.c). */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "report/parts.h"

static const ent_table_cell *cell_at(const ent_table *table, size_t row, size_t column) {
  return &table->cells[row * table->column_count + column];
}

static bool is_better(double value, double than, ent_best best) {
  return isnan(than) || (best == ENT_BEST_LOWEST ? value < than : value > than);
}

/* The best number in the row (or column) of a cell; NaN if there is none. */
static double best_along(const ent_table *table, size_t row, size_t column, bool along_row) {
  ent_best best = along_row ? table->best : table->columns[column].best;
  double found = NAN;
  size_t count = along_row ? table->column_count : table->rows;
  for (size_t i = 0; i < count && best != ENT_BEST_NONE; i++) {
    size_t at = along_row ? i : column;
    double value = cell_at(table, along_row ? row : i, at)->value;
    if (!table->columns[at].text && !isnan(value) && is_better(value, found, best))
      found = value;
  }
  return found;
}

static const char *show(const ent_table_column *column, double value, char shown[ENT_SHOWN_NUMBER]) {
  if (column->fixed)
    return ent_show_fixed(value, column->digits, shown);
  return ent_show_number(value, column->digits > 0 ? column->digits : 4, shown);
}

static void write_number(ent_text *out, const ent_table_column *column, const ent_table_cell *cell) {
  char shown[ENT_SHOWN_NUMBER];
  if (cell->text != NULL) {
    ent_text_escape(out, cell->text);
    return;
  }
  if (isnan(cell->value))
    return;
  ent_text_add(out, show(column, cell->value, shown));
  if (cell->spread > 0)
    ent_text_format(out, "<span class=\"pm\"> \xc2\xb1 %s</span>", show(column, cell->spread, shown));
}

static void write_cell(ent_text *out, const ent_table *table, size_t row, size_t column, bool best) {
  const ent_table_column *about = &table->columns[column];
  const ent_table_cell *cell = cell_at(table, row, column);
  const char *tag = column == 0 ? "th" : "td";
  ent_text_format(out, "<%s%s", tag, column == 0 ? " scope=\"row\"" : "");
  if (!about->text) {
    char number[ENTROPIC_NUMBER_SIZE] = "";
    if (isfinite(cell->value))
      entropic_format_double(cell->value, number);
    else if (!isnan(cell->value))
      snprintf(number, sizeof number, "%s1e999", cell->value < 0 ? "-" : ""); /* which a script reads as infinite */
    ent_text_format(out, " class=\"%s\" data-value=\"%s\"", best ? "n best" : "n", number);
  }
  ent_text_add(out, ">");
  if (about->text)
    ent_text_escape(out, cell->text);
  else
    write_number(out, about, cell);
  ent_text_format(out, "</%s>", tag);
}

static void write_row(ent_text *out, const ent_table *table, const double *best_of_columns, size_t row) {
  double best_of_row = best_along(table, row, 0, true);
  ent_text_add(out, "<tr>");
  for (size_t c = 0; c < table->column_count; c++) {
    double value = table->columns[c].text ? NAN : cell_at(table, row, c)->value;
    write_cell(out, table, row, c, value == best_of_row || value == best_of_columns[c]);
  }
  ent_text_add(out, "</tr>\n");
}

void ent_write_table(ent_text *out, const ent_table *table) {
  double *best_of_columns = ent_new(out->context, table->column_count, sizeof *best_of_columns);
  if (best_of_columns == NULL) {
    out->status = out->status != ENTROPIC_OK ? out->status : ENTROPIC_NO_MEMORY;
    return;
  }
  for (size_t c = 0; c < table->column_count; c++)
    best_of_columns[c] = best_along(table, 0, c, false);
  ent_text_add(out, "<thead><tr>");
  for (size_t c = 0; c < table->column_count; c++) {
    ent_text_format(out, "<th scope=\"col\"%s>", table->columns[c].text ? "" : " class=\"n\"");
    ent_text_escape(out, table->columns[c].title);
    ent_text_add(out, "</th>");
  }
  ent_text_add(out, "</tr></thead>\n<tbody>\n");
  for (size_t r = 0; r < table->rows; r++)
    write_row(out, table, best_of_columns, r);
  ent_text_add(out, "</tbody>\n");
  ent_delete(best_of_columns);
}
