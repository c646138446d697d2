/* Tables. A cell of numbers carries its exact value for the script that sorts (see style.c). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "page/parts.h"

#define LONG_TEXT ((size_t)60)

static const ent_table_cell *cell_at(const ent_table *table, size_t row, size_t column) {
  return &table->cells[row * table->column_count + column];
}

static bool is_better(double value, double than, ent_best best) {
  return isnan(than) || (best == ENT_BEST_LOWEST ? value < than : value > than);
}

static size_t group_of(const ent_table *table, size_t row) {
  return table->groups == NULL ? 0 : table->groups[row];
}

/* The best number of a row; NaN if there is none. */
static double best_of_row(const ent_table *table, size_t row) {
  double found = NAN;
  for (size_t c = 0; c < table->column_count && table->best != ENT_BEST_NONE; c++) {
    double value = cell_at(table, row, c)->value;
    if (!table->columns[c].text && !isnan(value) && is_better(value, found, table->best))
      found = value;
  }
  return found;
}

/* Whether no number of its column and group is better. */
static bool is_best_of_column(const ent_table *table, size_t row, size_t column) {
  ent_best best = table->columns[column].best;
  double value = cell_at(table, row, column)->value;
  if (best == ENT_BEST_NONE || table->columns[column].text || isnan(value))
    return false;
  for (size_t r = 0; r < table->rows; r++) {
    double other = cell_at(table, r, column)->value;
    if (group_of(table, r) == group_of(table, row) && !isnan(other) && is_better(other, value, best))
      return false;
  }
  return true;
}

static const char *show(const ent_table_column *column, double value, char shown[ENT_SHOWN_NUMBER]) {
  if (column->fixed)
    return ent_show_fixed(value, column->digits, shown);
  return ent_show_number(value, column->digits > 0 ? column->digits : 4, shown);
}

static void write_number(ent_text *out, const ent_table_column *column, const ent_table_cell *cell) {
  char shown[ENT_SHOWN_NUMBER];
  if (cell->text != NULL)
    ent_text_escape(out, cell->text);
  else if (!isnan(cell->value))
    ent_text_add(out, show(column, cell->value, shown));
  if (cell->text == NULL && !isnan(cell->value) && cell->spread > 0)
    ent_text_format(out, "<span class=\"pm\"> \xc2\xb1 %s</span>",
                    column->fixed ? show(column, cell->spread, shown) : ent_show_number(cell->spread, 2, shown));
  for (size_t i = 0; i < 2 && cell->under[i] != NULL; i++) {
    ent_text_add(out, "<span class=\"under\"> ");
    ent_text_escape(out, cell->under[i]);
    ent_text_add(out, "</span>");
  }
}

/* Whether a column of texts has sentences in it, which are broken into lines. */
static bool is_long(const ent_table *table, size_t column) {
  for (size_t r = 0; table->columns[column].text && r < table->rows; r++) {
    const char *text = cell_at(table, r, column)->text;
    if (text != NULL && strlen(text) > LONG_TEXT)
      return true;
  }
  return false;
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
  } else if (is_long(table, column))
    ent_text_add(out, " class=\"long\"");
  ent_text_add(out, ">");
  if (about->text)
    ent_text_escape(out, cell->text);
  else
    write_number(out, about, cell);
  ent_text_format(out, "</%s>", tag);
}

static void write_row(ent_text *out, const ent_table *table, size_t row) {
  double best = best_of_row(table, row);
  ent_text_add(out, "<tr>");
  for (size_t c = 0; c < table->column_count; c++) {
    double value = table->columns[c].text ? NAN : cell_at(table, row, c)->value;
    write_cell(out, table, row, c, value == best || is_best_of_column(table, row, c));
  }
  ent_text_add(out, "</tr>\n");
}

static void write_head(ent_text *out, const ent_table *table) {
  ent_text_add(out, "<thead><tr>");
  for (size_t c = 0; c < table->column_count; c++) {
    const ent_table_column *column = &table->columns[c];
    ent_text_format(out, "<th scope=\"col\"%s>", column->text ? "" : " class=\"n\"");
    ent_text_escape(out, column->title);
    if (column->spread != NULL) {
      ent_text_add(out, "<span class=\"pm\">\xc2\xb1 ");
      ent_text_escape(out, column->spread);
      ent_text_add(out, "</span>");
    }
    ent_text_add(out, "</th>");
  }
  ent_text_add(out, "</tr></thead>\n");
}

/* A heading above the rows of a group. */
static void write_group_title(ent_text *out, const ent_table *table, size_t row) {
  if (table->groups == NULL || table->group_titles == NULL)
    return;
  ent_text_format(out, "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"%zu\"><span>", table->column_count);
  ent_text_escape(out, table->group_titles[group_of(table, row)]);
  ent_text_add(out, "</span></th></tr>\n");
}

void ent_write_table(ent_text *out, const ent_table *table) {
  write_head(out, table);
  ent_text_add(out, "<tbody>\n");
  for (size_t r = 0; r < table->rows; r++) {
    bool changes = table->group_titles != NULL && r > 0 && group_of(table, r) != group_of(table, r - 1);
    ent_text_add(out, changes ? "</tbody>\n<tbody>\n" : "");
    if (r == 0 || changes)
      write_group_title(out, table, r);
    write_row(out, table, r);
  }
  ent_text_add(out, "</tbody>\n");
}
