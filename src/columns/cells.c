/* The values of cells, by the mode and notation of their column: see columns.h. */
#include <math.h>
#include <string.h>

#include "columns/cell_parts.h"
#include "columns/date.h"

/* Texts longer than this are no numbers worth a copy with another decimal mark. */
#define ENT_NUMBER_MOST 1100
/* No mark that is a number is written longer than this. */
#define ENT_NUMBER_TEXT 64
/* From this bit on the NaN of a missing cell has the number of its text among missing_texts, from 1; 0: not known. */
#define ENT_MISSING_SHIFT 32

static entropic_status parse(const char *text, size_t length, char point, double *value);

bool ent_columns_is_marked_number(const ent_columns *columns, double number) {
  for (size_t i = 0; i < columns->number_marks; i++)
    if (columns->mark_numbers[i] == number)
      return true;
  return false;
}

/* The same of a cell. Most do not begin like a number at all. */
static bool is_marked_text(const ent_columns *columns, const char *text, size_t length, char point) {
  double value;
  if (columns->number_marks == 0 || length > ENT_NUMBER_TEXT || memchr("+-.,0123456789", text[0], 14) == NULL)
    return false;
  return parse(text, length, point, &value) == ENTROPIC_OK && ent_columns_is_marked_number(columns, value);
}

bool ent_columns_is_missing(const ent_columns *columns, const char *text, size_t length, char point) {
  if (length == 0)
    return true;
  for (const char *mark = columns->marks; length <= columns->longest_mark && *mark != '\0'; mark += strlen(mark) + 1)
    if (ent_same_word(text, length, mark))
      return true;
  return is_marked_text(columns, text, length, point);
}

bool ent_cell_is_soft_mark(const ent_columns *columns, const char *text, size_t length) {
  static const char *const marks[] = {"-",   "--",  ".",    "none", "nil", "#n/a", "#na", "na",
                                      "n/a", "nan", "null", "?",    "\\n", "<na>", "nat"};
  if (!columns->soft_marks)
    return false;
  for (size_t i = 0; i < sizeof marks / sizeof marks[0] && length <= 4; i++)
    if (ent_same_word(text, length, marks[i]))
      return true;
  return ent_notation_is_dash(text, length);
}

/* The fault takes two bits, each notation that matches one, then two more. */
double ent_cell_nan(ent_cell_fault fault, ent_notation_match match) {
  uint64_t bits = UINT64_C(0x7ff8000000000000) + (uint64_t)fault + ((uint64_t)match.notations << 2) +
                  ((uint64_t)match.ambiguous << (ENT_NOTATIONS + 2)) + ((uint64_t)match.marked << (ENT_NOTATIONS + 3));
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

size_t ent_cell_missing_number(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits >> ENT_MISSING_SHIFT & 0xffff;
}

double ent_cell_set_missing_number(double value, size_t number) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits = (bits & ~(UINT64_C(0xffff) << ENT_MISSING_SHIFT)) | (uint64_t)number << ENT_MISSING_SHIFT;
  memcpy(&value, &bits, sizeof value);
  return value;
}

const char *ent_column_missing_text(const ent_column *column, double value) {
  size_t number = ent_cell_missing_number(value);
  const char *text = number == 0 ? NULL : ent_dictionary_text(column->missing_texts, number - 1);
  return text == NULL ? "" : text;
}

bool ent_column_notes_missing(const ent_column *column) {
  return column->role == ENTROPIC_ROLE_WEIGHT || column->role == ENTROPIC_ROLE_GROUP || column->time ||
         column->mode == ENT_MODE_WEIGHT;
}

/* Puts into the NaN of a missing cell how it is written, in columns where a message may have to say so. */
static entropic_status note_missing(entropic_context *context, ent_column *column, const ent_column_cell *cell,
                                    double *value) {
  if (!ent_column_notes_missing(column) || cell->length == 0 ||
      ent_dictionary_size(column->missing_texts) >= ENT_MISSING_TEXTS)
    return ENTROPIC_OK;
  entropic_status status;
  if (column->missing_texts == NULL) {
    status = ent_dictionary_create(context, &column->missing_texts);
    if (status != ENTROPIC_OK)
      return status;
  }
  uint32_t code;
  bool is_new;
  status = ent_dictionary_code(context, column->missing_texts, cell->text, cell->length, &code, &is_new);
  if (status != ENTROPIC_OK)
    return status;
  *value = ent_cell_set_missing_number(*value, code + 1);
  return ENTROPIC_OK;
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
static void note_bad(ent_column *column, const ent_column_cell *cell, bool range) {
  if (column->bad_line != 0)
    return;
  column->bad_line = cell->line;
  column->bad_range = range;
  ent_show(cell->text, cell->length, column->bad_text);
}

/* A known category: by its text; otherwise as a number, which may be written in other ways. */
entropic_status ent_cell_known(entropic_context *context, const ent_columns *columns, const ent_column_cell *cell,
                               double *value) {
  const ent_column *column = &columns->list[cell->column];
  size_t count = ent_names_count(column->known), place = ent_names_find(column->known, cell->text, cell->length);
  if (place == count) {
    double number;
    entropic_status status = parse(cell->text, cell->length, cell->point, &number);
    if (status == ENTROPIC_NO_MEMORY)
      return ent_fail(context, status, "out of memory while reading '%s'", columns->file);
    if (status == ENTROPIC_OK || ent_notation_read(column->notation, cell->text, cell->length, &number))
      place = ent_names_find_number(column->known, number);
  }
  *value = (double)place;
  return place == count && column->expected != NULL ? ent_columns_fail(context, columns, cell, column->expected)
                                                    : ENTROPIC_OK;
}

/* Is the text of a category no number or date, where most of its column may be? */
static bool is_word(const ent_column *column, const ent_column_cell *cell) {
  double number;
  return column->notation == ENT_NOTATION_PLAIN
             ? parse(cell->text, cell->length, cell->point, &number) == ENTROPIC_BAD_DATA
             : !ent_notation_read(column->notation, cell->text, cell->length, &number);
}

static entropic_status text_cell(entropic_context *context, ent_column *column, const ent_column_cell *cell,
                                 double *value) {
  if (column->full) {
    *value = NAN;
    return ENTROPIC_OK;
  }
  uint32_t code = 0;
  bool is_new = false;
  entropic_status status = ent_dictionary_code(context, column->dictionary, cell->text, cell->length, &code, &is_new);
  if (status != ENTROPIC_OK)
    return status;
  ent_dictionary_note(column->dictionary, code, cell->line);
  if (is_new && is_word(column, cell))
    ent_dictionary_mark(column->dictionary, code);
  *value = code;
  return ENTROPIC_OK;
}

/* What a message expects instead of a text that is no number of the column, or too large a number. */
static const char *expected_instead(const ent_column *column, const ent_column_cell *cell, bool range) {
  static const char *const expected[ENT_NOTATIONS] = {"a number",
                                                      "a number such as 1,234.5",
                                                      "a number such as 1.234,5",
                                                      "a date such as 2024-12-31 or 2024-12-31T23:59",
                                                      "a date such as 31.12.2024 or 31/12/2024",
                                                      "a date such as 12/31/2024",
                                                      "a time of day such as 23:59"};
  if (!range)
    return expected[ent_notation_as_written(column->notation)];
  for (size_t i = 0; i < cell->length; i++)
    if (cell->text[i] == 'i' || cell->text[i] == 'I')
      return "a finite number";
  return "a number within the range of double, up to 1.8e308";
}

/* Keeps a text that is no number, unless there are many different ones. */
static entropic_status note_word(entropic_context *context, ent_column *column, const ent_column_cell *cell) {
  uint32_t code;
  bool is_new;
  entropic_status status;
  if (column->words == NULL) {
    status = ent_dictionary_create(context, &column->words);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (ent_dictionary_size(column->words) >= ENT_WORDS_MOST &&
      !ent_dictionary_find(column->words, cell->text, cell->length, &code))
    return ENTROPIC_OK;
  status = ent_dictionary_code(context, column->words, cell->text, cell->length, &code, &is_new);
  if (status != ENTROPIC_OK)
    return status;
  ent_dictionary_mark(column->words, code);
  ent_dictionary_note(column->words, code, cell->line);
  return ENTROPIC_OK;
}

static entropic_status begin_evidence(entropic_context *context, ent_column *column, char point) {
  if (column->evidence == NULL)
    column->evidence = ent_new(context, 1, sizeof *column->evidence);
  if (column->evidence == NULL)
    return ENTROPIC_NO_MEMORY;
  column->evidence->point = point;
  return ENTROPIC_OK;
}

/* Keeps the first unit of a column, and whether there are others. */
static void note_unit(ent_notation_evidence *evidence, const char unit[ENT_UNIT_SIZE]) {
  if (unit[0] != '\0' && evidence->unit[0] == '\0')
    memcpy(evidence->unit, unit, ENT_UNIT_SIZE);
  evidence->units_differ = evidence->units_differ || (unit[0] != '\0' && strcmp(unit, evidence->unit) != 0);
}

/* The notations that read a text which is no plain number. Weights are no dates. */
static ent_notation_match match_text(ent_column *column, const char *text, size_t length) {
  ent_notation_evidence *evidence = column->evidence;
  char unit[ENT_UNIT_SIZE];
  ent_notation_match match = ent_notation_match_text(text, length, unit);
  if (column->role == ENTROPIC_ROLE_WEIGHT)
    match.notations &= 1u << ENT_NOTATION_POINT | 1u << ENT_NOTATION_COMMA;
  note_unit(evidence, unit);
  if (match.notations != 0 && (evidence->example[0] == '\0' || (match.ambiguous && !evidence->example_ambiguous))) {
    ent_show(text, length, evidence->example);
    evidence->example_ambiguous = match.ambiguous;
  }
  return match;
}

/* A cell that its column cannot read. A tolerant pass keeps it, any other refuses it. */
static entropic_status bad_cell(entropic_context *context, ent_columns *columns, const ent_column_cell *cell,
                                bool range, double *value) {
  ent_column *column = &columns->list[cell->column];
  if (!columns->tolerant)
    return ent_columns_fail(context, columns, cell, expected_instead(column, cell, range));
  ent_notation_match match = {0};
  if (!range && ent_column_is_open(column) && column->role != ENTROPIC_ROLE_GROUP) { /* groups are texts */
    entropic_status status = begin_evidence(context, column, cell->point);
    if (status != ENTROPIC_OK)
      return status;
    match = match_text(column, cell->text, cell->length);
  }
  *value = ent_cell_nan(range ? ENT_CELL_RANGE : ENT_CELL_TEXT, match);
  note_bad(column, cell, range);
  return range ? ENTROPIC_OK : note_word(context, column, cell);
}

/* A target of too many spellings has no classes: the next blocks are read without keeping them. */
static void drop_spellings(ent_column *column) {
  ent_dictionary_free(column->spellings);
  column->spellings = NULL;
  column->unspelled = true;
  if (column->notation == ENT_NOTATION_PLAIN)
    column->mode = ENT_MODE_NUMBER;
}

size_t ent_cell_spelling(const ent_column_cell *cell, double value, char key[ENT_SPELLING_KEY]) {
  value += 0.0; /* so that -0 is 0 */
  memcpy(key, &value, sizeof value);
  memcpy(key + sizeof value, cell->text, cell->length);
  return sizeof value + cell->length;
}

bool ent_column_is_spelled(const ent_columns *columns, const ent_column *column) {
  return column->role == ENTROPIC_ROLE_TARGET && column->mode == ENT_MODE_NOTED && columns->tolerant &&
         column->notation == ENT_NOTATION_PLAIN && !column->unspelled;
}

/* Keeps how the value of a target is written. */
static entropic_status note_spelling(entropic_context *context, ent_column *column, const ent_column_cell *cell,
                                     double value) {
  char key[ENT_SPELLING_KEY];
  uint32_t code;
  bool is_new;
  entropic_status status;
  if (cell->length > ENT_SPELLING_MOST) {
    drop_spellings(column);
    return ENTROPIC_OK;
  }
  if (column->spellings == NULL) {
    status = ent_dictionary_create(context, &column->spellings);
    if (status != ENTROPIC_OK)
      return status;
  }
  size_t length = ent_cell_spelling(cell, value, key);
  status = ent_dictionary_code(context, column->spellings, key, length, &code, &is_new);
  if (status != ENTROPIC_OK)
    return status;
  if (ent_dictionary_size(column->spellings) > ENT_SPELLINGS_MOST)
    drop_spellings(column);
  return ENTROPIC_OK;
}

/* Counts numbers with a decimal comma in the first rows, and those of them that may be thousands. */
static entropic_status note_commas(entropic_context *context, ent_column *column, const ent_column_cell *cell) {
  double value;
  if (memchr(cell->text, ',', cell->length) == NULL)
    return ENTROPIC_OK;
  entropic_status status = begin_evidence(context, column, ',');
  if (status != ENTROPIC_OK)
    return status;
  ent_notation_evidence *evidence = column->evidence;
  evidence->commas++;
  evidence->groups += ent_notation_read(ENT_NOTATION_POINT, cell->text, cell->length, &value);
  if (evidence->groups == evidence->commas && evidence->example[0] == '\0')
    ent_show(cell->text, cell->length, evidence->example);
  return ENTROPIC_OK;
}

/* Keeps the unit of a number whose notation was guessed from the first rows. */
static void note_guessed(ent_column *column, const ent_column_cell *cell) {
  char unit[ENT_UNIT_SIZE];
  if (column->evidence == NULL || column->notation > ENT_NOTATION_COMMA)
    return;
  column->evidence->marked += ent_notation_unit(cell->text, cell->length, unit);
  note_unit(column->evidence, unit);
}

/* Keeps that dates have the names of zones, also where the first rows had none. */
static void note_zone(ent_column *column, const ent_column_cell *cell) {
  ent_notation_evidence *evidence = column->evidence;
  if (evidence != NULL && evidence->unit[0] == '\0' && ent_date_has_zone_name(cell->text, cell->length))
    strcpy(evidence->unit, ENT_UNIT_ZONE);
}

void ent_column_match_categories(const ent_columns *columns, ent_column *column) {
  size_t size = ent_dictionary_size(column->dictionary);
  ent_notation_evidence *evidence = column->evidence;
  column->texts = 0;
  for (size_t code = 0; code < size; code++) {
    const char *text = ent_dictionary_text(column->dictionary, code);
    size_t length = strlen(text), line, times = ent_dictionary_noted(column->dictionary, (uint32_t)code, &line);
    double number;
    if (parse(text, length, evidence->point, &number) != ENTROPIC_BAD_DATA)
      continue;
    if (ent_cell_is_soft_mark(columns, text, length)) {
      column->soft += times;
      continue;
    }
    ent_notation_match match = match_text(column, text, length);
    column->texts += times;
    for (int n = 1; n < ENT_NOTATIONS; n++)
      evidence->matches[n] += (match.notations >> n & 1) * times;
    evidence->ambiguous += match.ambiguous * times;
    evidence->marked += match.marked * times;
  }
}

entropic_status ent_cell_number(const ent_column *column, const ent_column_cell *cell, double *value) {
  if (column->notation != ENT_NOTATION_PLAIN)
    return ent_notation_read(column->notation, cell->text, cell->length, value) ? ENTROPIC_OK : ENTROPIC_BAD_DATA;
  entropic_status status = parse(cell->text, cell->length, cell->point, value);
  /* A word for "not a number" that is no mark of missing values is text. */
  return status == ENTROPIC_OK && isnan(*value) ? ENTROPIC_BAD_DATA : status;
}

static entropic_status number_cell(entropic_context *context, ent_columns *columns, const ent_column_cell *cell,
                                   double *value) {
  ent_column *column = &columns->list[cell->column];
  entropic_status status = ent_cell_number(column, cell, value);
  if (status == ENTROPIC_NO_MEMORY)
    return status;
  if (status == ENTROPIC_BAD_DATA && ent_cell_is_soft_mark(columns, cell->text, cell->length)) {
    *value = columns->tolerant ? ent_cell_nan(ENT_CELL_SOFT, (ent_notation_match){0}) : (double)NAN;
    return note_missing(context, column, cell, value);
  }
  if (status != ENTROPIC_OK)
    return bad_cell(context, columns, cell, status == ENTROPIC_TOO_LARGE, value);
  if (column->mode == ENT_MODE_WEIGHT && *value < 0)
    return ent_columns_fail(context, columns, cell, "a weight of 0 or more");
  if (column->guessed && columns->tolerant && column->mode == ENT_MODE_NOTED)
    note_guessed(column, cell);
  if (columns->tolerant && column->mode == ENT_MODE_DATE)
    note_zone(column, cell);
  if (columns->sampling)
    return cell->point == ',' ? note_commas(context, column, cell) : ENTROPIC_OK;
  return ent_column_is_spelled(columns, column) ? note_spelling(context, column, cell, *value) : ENTROPIC_OK;
}

ent_column_cell ent_cell_plain(const ent_columns *columns, const ent_column_cell *cell) {
  const ent_column *column = &columns->list[cell->column];
  ent_column_cell plain = *cell;
  ent_cell_trim(&plain);
  if (plain.length == cell->length || column->mode != ENT_MODE_TEXT)
    return plain;
  bool kept =
      column->known == NULL || ent_names_find(column->known, cell->text, cell->length) < ent_names_count(column->known);
  return kept ? *cell : plain;
}

entropic_status ent_columns_cell(entropic_context *context, ent_columns *columns, const ent_column_cell *written,
                                 double *value) {
  const ent_column_cell plain = ent_cell_plain(columns, written), *cell = &plain;
  ent_column *column = &columns->list[cell->column];
  if (ent_columns_is_missing(columns, cell->text, cell->length, cell->point)) {
    if (columns->numbers_only)
      return ent_columns_fail(context, columns, cell, cell->length == 0 ? "a number" : "a finite number");
    *value = NAN;
    return note_missing(context, column, cell, value);
  }
  if (column->mode == ENT_MODE_TEXT)
    return column->known != NULL ? ent_cell_known(context, columns, cell, value)
                                 : text_cell(context, column, cell, value);
  return number_cell(context, columns, cell, value);
}

entropic_status ent_columns_number(entropic_context *context, ent_columns *columns, size_t index, size_t line,
                                   double number, double *value) {
  const ent_column *column = &columns->list[index];
  if (column->mode == ENT_MODE_SKIP || (isnan(number) && !columns->numbers_only)) {
    *value = NAN;
    return ENTROPIC_OK;
  }
  char text[ENTROPIC_NUMBER_SIZE];
  ent_column_cell cell = {.column = index, .line = line, .text = text, .point = '.'};
  if (!isfinite(number)) {
    cell.length = entropic_format_double(number, text);
    return ent_columns_fail(context, columns, &cell, "a finite number");
  }
  if (column->mode == ENT_MODE_TEXT || column->mode == ENT_MODE_WEIGHT) {
    cell.length = entropic_format_double(number + 0.0, text); /* so that -0 is 0 */
    return ent_columns_cell(context, columns, &cell, value);
  }
  *value = number;
  return ENTROPIC_OK;
}
