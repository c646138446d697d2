/* Headers of files after the first: see delimited.h. */
#include "data/delimited.h"

#include <stdio.h>
#include <string.h>

#include "data/dialect.h"

/* Names that are looked for at another place than their own, so that wide tables are done soon. */
#define ENT_NAMES_SOUGHT 64

/* The cells of a record, one after the other. */
typedef struct ent_record_cells {
  const ent_dialect *dialect;
  const char *next, *limit; /* next is NULL past the last cell */
  const char *line_end;
  bool ended;
} ent_record_cells;

static ent_cut next_cell(ent_record_cells *cells, ent_field *field) {
  ent_cut cut = ent_field_cut(cells->dialect, cells->next, cells->limit, cells->ended, field);
  if (cut == ENT_FIELD_CUT)
    cells->next = ent_delimited_next_field(cells->dialect, field->end, &cells->line_end);
  return cut;
}

/* The text of a cell from `at` on, one character at a time: doubled quotes are one. -1 at its end. */
static int next_character(const ent_field *field, char quote, size_t *at) {
  if (*at >= field->length)
    return -1;
  unsigned char c = (unsigned char)field->text[*at];
  *at += field->doubled && field->text[*at] == quote ? 2 : 1;
  return c;
}

static bool same_text(const ent_dialect *dialect, const ent_field *a, const ent_field *b) {
  size_t at_a = 0, at_b = 0;
  int c;
  do {
    c = next_character(a, dialect->quote, &at_a);
    if (c != next_character(b, dialect->quote, &at_b))
      return false;
  } while (c != -1);
  return true;
}

/* The header of the first file. */
static ent_record_cells header_cells(const ent_delimited *text) {
  const char *limit = text->header_text + text->header_length;
  return (ent_record_cells){&text->dialect, text->header_text, limit, NULL, true};
}

/* Is a cell one of the names? */
static bool is_name(const ent_delimited *text, const ent_field *cell) {
  ent_record_cells names = header_cells(text);
  ent_field name;
  while (names.next != NULL && next_cell(&names, &name) == ENT_FIELD_CUT)
    if (same_text(&text->dialect, &name, cell))
      return true;
  return false;
}

/* How a record compares with the header. */
typedef struct ent_header_match {
  size_t cells, names, found; /* of the record; of the header; cells that are names */
  size_t different;           /* the first cell that is not the name there */
  ent_field cell, name;       /* that cell, and that name; of length 0 if there is none */
  size_t numbers, worded;     /* columns of numbers; and cells there that are texts */
  const char *line_end;
} ent_header_match;

/* Is there text in a column of numbers? */
static void note_worded(const ent_source *source, size_t column, const ent_field *cell, ent_header_match *match) {
  const ent_delimited *text = source->state;
  column += text->dialect.row_names;
  if (column >= source->columns.count || source->columns.list[column].mode != ENT_MODE_NUMBER)
    return;
  match->numbers++;
  match->worded += !ent_field_is_number(cell, text->dialect.point) && cell->length > 0 &&
                   !ent_columns_is_missing(&source->columns, cell->text, cell->length, text->dialect.point);
}

/* Compares; false if more bytes are needed, or the record cannot be cut: *cut tells. */
static bool compare_header(const ent_source *source, ent_record_cells *cells, ent_header_match *match, ent_cut *cut) {
  const ent_delimited *text = source->state;
  ent_record_cells names = header_cells(text);
  *match = (ent_header_match){.different = SIZE_MAX};
  while (cells->next != NULL || names.next != NULL) {
    ent_field cell = {.text = ""}, name = {.text = ""};
    bool has_cell = cells->next != NULL, has_name = names.next != NULL;
    if (has_name && next_cell(&names, &name) != ENT_FIELD_CUT)
      has_name = false, names.next = NULL;
    if (has_cell) {
      *cut = next_cell(cells, &cell);
      if (*cut != ENT_FIELD_CUT)
        return false;
      note_worded(source, match->cells, &cell, match);
    }
    bool same = has_cell && has_name && same_text(&text->dialect, &cell, &name);
    if (!same && match->different == SIZE_MAX) {
      match->different = has_cell ? match->cells : match->names;
      match->cell = cell;
      match->name = name;
    }
    match->found += same || (has_cell && match->cells < ENT_NAMES_SOUGHT && cell.length > 0 && is_name(text, &cell));
    match->cells += has_cell;
    match->names += has_name;
  }
  match->line_end = cells->line_end;
  return true;
}

/* Is a record that is not the header another header? Then it has many of its names, or texts in all columns of numbers. */
static bool is_other_header(const ent_delimited *text, const ent_header_match *match) {
  if (text->header_given)
    return true;
  if (text->dialect.numbers)
    return false;
  return match->found * 2 >= match->cells || (match->numbers > 0 && match->worded == match->numbers);
}

static void refuse(const ent_entry_text *entry, size_t line, const ent_header_match *match,
                   char problem[ENT_ENTRY_PROBLEM]) {
  char cell[ENT_SHOW_SIZE], name[ENT_SHOW_SIZE];
  ent_show(match->cell.text, match->cell.length, cell);
  ent_show(match->name.text, match->name.length, name);
  if (match->different >= match->cells)
    snprintf(problem, ENT_ENTRY_PROBLEM,
             "%s, line %zu: found %zu columns, expected the %zu of %s; column %zu ('%s') is the first one missing",
             entry->file, line, match->cells, match->names, entry->first_file, match->different + 1, name);
  else if (match->different >= match->names)
    snprintf(problem, ENT_ENTRY_PROBLEM,
             "%s, line %zu: found %zu columns, expected the %zu of %s; column %zu ('%s') is too many", entry->file,
             line, match->cells, match->names, entry->first_file, match->different + 1, cell);
  else
    snprintf(
        problem, ENT_ENTRY_PROBLEM,
        "%s, line %zu, column %zu: found '%s', expected '%s' as in %s: files of one table have the same columns in "
        "the same order",
        entry->file, line, match->different + 1, cell, name, entry->first_file);
}

/* The first line from p on that is a row, or the end of the bytes; NULL if more of them are needed. */
static const char *find_row(const ent_delimited *text, const ent_entry_text *entry, const char *p) {
  const ent_bytes view = {.data = (char *)entry->bytes, .end = entry->count, .ended = entry->ended};
  const char *limit = entry->bytes + entry->count, *line_end;
  while (p < limit) {
    ent_line line = ent_delimited_classify(text, &view, p, &line_end);
    if (line == ENT_LINE_ROW)
      return p;
    if (line == ENT_LINE_MORE)
      return NULL;
    p = line_end < limit ? line_end + 1 : limit;
  }
  return entry->ended ? limit : NULL;
}

/* Goes past the lines of the title that the first file has. */
static const char *pass_title(const ent_delimited *text, const ent_entry_text *entry) {
  const char *p = entry->bytes, *limit = p + entry->count;
  for (size_t i = 0; i < text->title_lines && p != NULL; i++) {
    p = memchr(p, '\n', (size_t)(limit - p));
    p = p == NULL ? NULL : p + 1;
  }
  return p;
}

/* Goes past the other lines of a header that has several; NULL if more bytes are needed. */
static const char *pass_names(const ent_delimited *text, const ent_entry_text *entry, const char *p) {
  const char *limit = entry->bytes + entry->count;
  for (size_t i = 1; i < text->dialect.names; i++) {
    p = find_row(text, entry, p);
    if (p == NULL || p == limit)
      return p;
    ent_record_cells cells = {&text->dialect, p, limit, NULL, entry->ended};
    ent_field field;
    while (cells.next != NULL)
      if (next_cell(&cells, &field) != ENT_FIELD_CUT)
        return entry->ended ? limit : NULL;
    p = cells.line_end < limit ? cells.line_end + 1 : limit;
  }
  return p;
}

/* Looks for the header at the first row from p on. *there: it was found. */
static ent_entry_verdict look_at(const ent_source *source, const ent_entry_text *entry, const char *p, size_t *skip,
                                 ent_header_match *match) {
  const ent_delimited *text = source->state;
  const char *limit = entry->bytes + entry->count, *row = find_row(text, entry, p);
  *match = (ent_header_match){.different = SIZE_MAX};
  if (row == NULL)
    return ENT_ENTRY_MORE;
  if (row == limit)
    return ENT_ENTRY_TAKEN;
  ent_record_cells cells = {&text->dialect, row, limit, NULL, entry->ended};
  ent_cut cut = ENT_FIELD_CUT;
  if (!compare_header(source, &cells, match, &cut)) {
    match->cells = 0;
    return cut == ENT_FIELD_MORE ? ENT_ENTRY_MORE : ENT_ENTRY_TAKEN; /* a fault is found again with the row */
  }
  if (match->line_end >= limit && !entry->ended)
    return ENT_ENTRY_MORE;
  if (match->different != SIZE_MAX)
    return ENT_ENTRY_REFUSED;
  const char *after = pass_names(text, entry, match->line_end < limit ? match->line_end + 1 : limit);
  if (after == NULL)
    return ENT_ENTRY_MORE;
  *skip = (size_t)(after - entry->bytes);
  return ENT_ENTRY_TAKEN;
}

static ent_entry_verdict look(const void *user, const ent_entry_text *entry, size_t *skip,
                              char problem[ENT_ENTRY_PROBLEM]) {
  const ent_source *source = user;
  const ent_delimited *text = source->state;
  ent_header_match match;
  *skip = 0;
  if (text->header_text == NULL)
    return ENT_ENTRY_TAKEN;
  if (text->title_lines > 0) {
    const char *below = pass_title(text, entry);
    ent_entry_verdict verdict = below == NULL ? ENT_ENTRY_REFUSED : look_at(source, entry, below, skip, &match);
    if (verdict == ENT_ENTRY_MORE || (verdict == ENT_ENTRY_TAKEN && *skip > 0))
      return verdict;
  }
  ent_entry_verdict verdict = look_at(source, entry, entry->bytes, skip, &match);
  if (verdict != ENT_ENTRY_REFUSED)
    return verdict;
  if (!is_other_header(text, &match)) /* rows without a header */
    return ENT_ENTRY_TAKEN;
  const char *row = find_row(text, entry, entry->bytes);
  refuse(entry, 1 + ent_count_lines(entry->bytes, row), &match, problem);
  return ENT_ENTRY_REFUSED;
}

void ent_delimited_join(ent_source *source) {
  ent_bytes_join(source->bytes, &(ent_entry_check){look, source});
}
