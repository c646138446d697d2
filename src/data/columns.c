/* Columns: making and naming them, and what their cells mean. See columns.h. */
#include "data/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Texts longer than this are no numbers worth a copy with another decimal mark. */
#define ENT_NUMBER_MOST 1100
/* So many different words of a column are kept, and so many spellings of a target, of at most so many bytes each. */
#define ENT_WORDS_MOST 1000
#define ENT_SPELLINGS_MOST 20000
#define ENT_SPELLING_MOST 64
/* The marks of missing values where the caller gives none. */
#define ENT_USUAL_MARKS "?,NA,N/A,nan,null"
/* A missing cell's NaN has from this bit on the number of its text among missing_texts, from 1; 0: not known. */
#define ENT_MISSING_SHIFT 32
#define ENT_MISSING_TEXTS 1000

entropic_status ent_columns_set_marks(entropic_context *context, ent_columns *columns, const char *marks) {
  if (marks != NULL) {
    columns->given_marks = ent_new_text(context, marks, strlen(marks));
    if (columns->given_marks == NULL)
      return ENTROPIC_NO_MEMORY;
  } else {
    marks = ENT_USUAL_MARKS;
  }
  size_t length = strlen(marks), used = 0;
  columns->marks = ent_new(context, length + 2, 1);
  if (columns->marks == NULL)
    return ENTROPIC_NO_MEMORY;
  for (const char *p = marks; *p != '\0';) {
    size_t part = strcspn(p, ",");
    memcpy(columns->marks + used, p, part);
    used += part == 0 ? 0 : part + 1;
    double value;
    if (entropic_parse_double(p, part, &value) == ENTROPIC_OK && isfinite(value))
      columns->number_marks = true;
    columns->longest_mark = part > columns->longest_mark ? part : columns->longest_mark;
    p += part + (p[part] == ',');
  }
  return ENTROPIC_OK;
}

entropic_status ent_columns_create(entropic_context *context, ent_columns *columns, size_t count) {
  columns->list = ent_new(context, count, sizeof *columns->list);
  if (columns->list == NULL)
    return ENTROPIC_NO_MEMORY;
  columns->count = count;
  return ENTROPIC_OK;
}

void ent_columns_free(ent_columns *columns) {
  for (size_t i = 0; i < columns->count; i++) {
    ent_delete(columns->list[i].name);
    ent_dictionary_free(columns->list[i].dictionary);
    ent_dictionary_free(columns->list[i].words);
    ent_dictionary_free(columns->list[i].missing_texts);
    ent_delete(columns->list[i].looks);
    ent_dictionary_free(columns->list[i].spellings);
  }
  ent_delete(columns->list);
  ent_delete(columns->given_marks);
  ent_delete(columns->marks);
  ent_notices_clear(&columns->notices);
}

entropic_status ent_columns_name(entropic_context *context, ent_columns *columns, size_t column, const char *name,
                                 size_t length) {
  char made[ENTROPIC_NUMBER_SIZE + 1] = "x";
  if (length == 0) {
    length = 1 + entropic_format_double((double)(column + 1), made + 1);
    name = made;
  }
  char *copy = ent_new_text(context, name, length);
  if (copy == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_delete(columns->list[column].name);
  columns->list[column].name = copy;
  return ENTROPIC_OK;
}

/* Points to a name and knows its column, so that sorted names still do. */
typedef struct ent_named {
  const char *name;
  size_t column;
} ent_named;

static int compare_named(const void *a, const void *b) {
  const ent_named *left = a, *right = b;
  int order = strcmp(left->name, right->name);
  return order != 0 ? order : (left->column > right->column) - (left->column < right->column);
}

entropic_status ent_columns_check_names(entropic_context *context, const ent_columns *columns, size_t line) {
  ent_named *sorted = ent_new(context, columns->count, sizeof *sorted);
  if (sorted == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; i < columns->count; i++)
    sorted[i] = (ent_named){columns->list[i].name, i};
  qsort(sorted, columns->count, sizeof *sorted, compare_named);
  for (size_t i = 1; i < columns->count && status == ENTROPIC_OK; i++) {
    char shown[ENT_SHOW_SIZE];
    char line_shown[40] = "";
    if (line > 0)
      snprintf(line_shown, sizeof line_shown, ", line %zu", line);
    if (strcmp(sorted[i - 1].name, sorted[i].name) == 0)
      status = ent_fail(context, ENTROPIC_BAD_DATA,
                        "%s%s, column %zu: the name '%s' is that of column %zu, expected one of its own", columns->file,
                        line_shown, sorted[i].column + 1, ent_show(sorted[i].name, strlen(sorted[i].name), shown),
                        sorted[i - 1].column + 1);
  }
  ent_delete(sorted);
  return status;
}

entropic_status ent_columns_index(entropic_context *context, const ent_columns *columns, ent_dictionary **index) {
  ent_dictionary *made = NULL;
  entropic_status status = ent_dictionary_create(context, &made);
  for (size_t i = 0; i < columns->count && status == ENTROPIC_OK; i++) {
    uint32_t code;
    bool is_new;
    status = ent_dictionary_code(context, made, columns->list[i].name, strlen(columns->list[i].name), &code, &is_new);
  }
  if (status != ENTROPIC_OK) {
    ent_dictionary_free(made);
    return status;
  }
  *index = made;
  return ENTROPIC_OK;
}

entropic_status ent_column_make_text(entropic_context *context, ent_column *column) {
  entropic_status status = ENTROPIC_OK;
  if (column->dictionary == NULL)
    status = ent_dictionary_create(context, &column->dictionary);
  if (status == ENTROPIC_OK)
    column->mode = ENT_MODE_TEXT;
  return status;
}

bool ent_columns_is_missing(const ent_columns *columns, const char *text, size_t length) {
  if (length == 0)
    return true;
  if (length > columns->longest_mark)
    return false;
  for (const char *mark = columns->marks; *mark != '\0'; mark += strlen(mark) + 1)
    if (ent_same_word(text, length, mark))
      return true;
  return false;
}

/* What stands for no value in a column of numbers, and may be a word elsewhere. */
static bool is_soft_mark(const ent_columns *columns, const char *text, size_t length) {
  static const char *const marks[] = {"-",   "--",  ".",    "none", "nil", "#n/a", "#na", "na",
                                      "n/a", "nan", "null", "?",    "\\n", "<na>", "nat"};
  if (!columns->soft_marks)
    return false;
  for (size_t i = 0; i < sizeof marks / sizeof marks[0] && length <= 4; i++)
    if (ent_same_word(text, length, marks[i]))
      return true;
  return ent_notation_is_dash(text, length);
}

/* The bits of the oddity, then those of notations that fit, then two more. */
double ent_cell_bad(ent_data_warning warning, ent_cell_look look) {
  uint64_t bits = UINT64_C(0x7ff8000000000000) + (uint64_t)warning + ((uint64_t)look.fits << 2) +
                  ((uint64_t)look.ambiguous << (ENT_NOTATIONS + 2)) + ((uint64_t)look.marked << (ENT_NOTATIONS + 3));
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

const char *ent_column_missing_text(const ent_column *column, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  size_t number = bits >> ENT_MISSING_SHIFT & 0xffff;
  const char *text = number == 0 ? NULL : ent_dictionary_text(column->missing_texts, number - 1);
  return text == NULL ? "" : text;
}

/* Puts into the NaN of a missing cell how it is written, where a message may have to say so. */
static entropic_status note_missing(entropic_context *context, ent_column *column, const char *text, size_t length,
                                    double *value) {
  bool needed = column->role == ENTROPIC_ROLE_WEIGHT || column->role == ENTROPIC_ROLE_GROUP || column->time ||
                column->mode == ENT_MODE_WEIGHT;
  if (!needed || length == 0 || ent_dictionary_size(column->missing_texts) >= ENT_MISSING_TEXTS)
    return ENTROPIC_OK;
  uint32_t code;
  bool is_new;
  if (column->missing_texts == NULL) {
    entropic_status status = ent_dictionary_create(context, &column->missing_texts);
    if (status != ENTROPIC_OK)
      return status;
  }
  entropic_status status = ent_dictionary_code(context, column->missing_texts, text, length, &code, &is_new);
  if (status != ENTROPIC_OK)
    return status;
  uint64_t bits;
  memcpy(&bits, value, sizeof bits);
  bits |= (uint64_t)(code + 1) << ENT_MISSING_SHIFT;
  memcpy(value, &bits, sizeof bits);
  return ENTROPIC_OK;
}

entropic_status ent_columns_fail(entropic_context *context, const ent_columns *columns, size_t column, size_t line,
                                 const char *text, size_t length, const char *expected) {
  char name[ENT_SHOW_SIZE], value[ENT_SHOW_SIZE];
  const char *of = columns->list[column].name;
  return ent_fail(context, ENTROPIC_BAD_DATA, "%s, %s %zu, column %zu (%s): found '%s', expected %s", columns->file,
                  columns->place, line, column + 1, ent_show(of, strlen(of), name), ent_show(text, length, value),
                  expected);
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
static void note_bad(ent_column *column, size_t line, const char *text, size_t length, bool range) {
  if (column->bad_line != 0)
    return;
  column->bad_line = line;
  column->bad_range = range;
  ent_show(text, length, column->bad_text);
}

/* The place of a text among those that are known, by its letters or as a number. */
static entropic_status known_cell(entropic_context *context, const ent_columns *columns, size_t index, size_t line,
                                  const char *text, size_t length, char point, double *value) {
  const ent_column *column = &columns->list[index];
  size_t count = ent_names_count(column->known), place = ent_names_find(column->known, text, length);
  if (place == count) {
    double number;
    entropic_status status = parse(text, length, point, &number);
    if (status == ENTROPIC_NO_MEMORY)
      return ent_fail(context, status, "out of memory while reading '%s'", columns->file);
    if (status == ENTROPIC_OK || ent_notation_read(column->notation, text, length, &number))
      place = ent_names_find_number(column->known, number);
  }
  *value = (double)place;
  return place == count && column->expected != NULL
             ? ent_columns_fail(context, columns, index, line, text, length, column->expected)
             : ENTROPIC_OK;
}

/* Is a text of a category other than most of its column, which may have been taken for numbers or dates before? */
static bool is_word(const ent_column *column, const char *text, size_t length, char point) {
  double number;
  return column->notation == ENT_NOTATION_PLAIN ? parse(text, length, point, &number) == ENTROPIC_BAD_DATA
                                                : !ent_notation_read(column->notation, text, length, &number);
}

static entropic_status text_cell(entropic_context *context, ent_column *column, size_t line, const char *text,
                                 size_t length, char point, double *value) {
  if (column->full) {
    *value = NAN;
    return ENTROPIC_OK;
  }
  uint32_t code = 0;
  bool is_new = false;
  entropic_status status = ent_dictionary_code(context, column->dictionary, text, length, &code, &is_new);
  if (status != ENTROPIC_OK)
    return status;
  ent_dictionary_note(column->dictionary, code, line);
  if (is_new && is_word(column, text, length, point)) {
    ent_dictionary_mark(column->dictionary, code);
    note_bad(column, line, text, length, false);
  }
  *value = code;
  return ENTROPIC_OK;
}

/* What should have been there instead of a text that is no number of the column, or too large a one. */
static const char *expectation(const ent_column *column, bool range, const char *text, size_t length) {
  static const char *const expected[ENT_NOTATIONS] = {"a number",
                                                      "a number such as 1,234.5",
                                                      "a number such as 1.234,5",
                                                      "a date such as 2024-12-31 or 2024-12-31T23:59",
                                                      "a date such as 31.12.2024 or 31/12/2024",
                                                      "a date such as 12/31/2024",
                                                      "a time of day such as 23:59"};
  if (!range)
    return expected[column->notation];
  for (size_t i = 0; i < length; i++)
    if (text[i] == 'i' || text[i] == 'I')
      return "a finite number";
  return "a number within the range of double, up to 1.8e308";
}

/* Keeps a text that is no number, unless there are many different ones. */
static entropic_status note_word(entropic_context *context, ent_column *column, size_t line, const char *text,
                                 size_t length) {
  uint32_t code;
  bool is_new;
  entropic_status status = ENTROPIC_OK;
  if (column->words == NULL)
    status = ent_dictionary_create(context, &column->words);
  if (status != ENTROPIC_OK)
    return status;
  if (ent_dictionary_size(column->words) >= ENT_WORDS_MOST && !ent_dictionary_find(column->words, text, length, &code))
    return ENTROPIC_OK;
  status = ent_dictionary_code(context, column->words, text, length, &code, &is_new);
  if (status != ENTROPIC_OK)
    return status;
  ent_dictionary_mark(column->words, code);
  ent_dictionary_note(column->words, code, line);
  return ENTROPIC_OK;
}

static entropic_status begin_looks(entropic_context *context, ent_column *column, char point) {
  if (column->looks == NULL)
    column->looks = ent_new(context, 1, sizeof *column->looks);
  if (column->looks == NULL)
    return ENTROPIC_NO_MEMORY;
  column->looks->point = point;
  return ENTROPIC_OK;
}

/* Keeps the first unit of a column, and whether there are others. */
static void note_unit(ent_looks *looks, const char unit[ENT_UNIT_SIZE]) {
  if (unit[0] != '\0' && looks->unit[0] == '\0')
    memcpy(looks->unit, unit, ENT_UNIT_SIZE);
  looks->units_differ = looks->units_differ || (unit[0] != '\0' && strcmp(unit, looks->unit) != 0);
}

/* What a text may be that is no plain number, for columns that may be written otherwise. Weights are no dates. */
static ent_cell_look look_at(ent_column *column, const char *text, size_t length) {
  ent_looks *looks = column->looks;
  char unit[ENT_UNIT_SIZE];
  ent_cell_look look = ent_notation_look(text, length, unit);
  if (column->role == ENTROPIC_ROLE_WEIGHT)
    look.fits &= 1u << ENT_NOTATION_POINT | 1u << ENT_NOTATION_COMMA;
  note_unit(looks, unit);
  if (look.fits != 0 && (looks->example[0] == '\0' || (look.ambiguous && !looks->example_ambiguous))) {
    ent_show(text, length, looks->example);
    looks->example_ambiguous = look.ambiguous;
  }
  return look;
}

/* A cell that cannot be read as its column asks: kept in a tolerant pass, otherwise refused. */
static entropic_status odd_cell(entropic_context *context, ent_columns *columns, size_t index, size_t line,
                                const char *text, size_t length, char point, bool range, double *value) {
  ent_column *column = &columns->list[index];
  if (!columns->tolerant)
    return ent_columns_fail(context, columns, index, line, text, length, expectation(column, range, text, length));
  ent_cell_look look = {0};
  if (!range && ent_column_is_open(column) && column->role != ENTROPIC_ROLE_GROUP) { /* groups are texts */
    entropic_status status = begin_looks(context, column, point);
    if (status != ENTROPIC_OK)
      return status;
    look = look_at(column, text, length);
  }
  *value = ent_cell_bad(range ? ENT_ODD_RANGE : ENT_ODD_TEXT, look);
  note_bad(column, line, text, length, range);
  return range ? ENTROPIC_OK : note_word(context, column, line, text, length);
}

/* Keeps how the value of a target is written. */
static entropic_status note_spelling(entropic_context *context, ent_column *column, const char *text, size_t length,
                                     double value) {
  char key[sizeof value + ENT_SPELLING_MOST];
  uint32_t code;
  bool is_new;
  entropic_status status = ENTROPIC_OK;
  if (column->spellings == NULL)
    status = ent_dictionary_create(context, &column->spellings);
  value += 0.0; /* so that -0 is 0 */
  memcpy(key, &value, sizeof value);
  if (status == ENTROPIC_OK && length <= ENT_SPELLING_MOST) {
    memcpy(key + sizeof value, text, length);
    status = ent_dictionary_code(context, column->spellings, key, sizeof value + length, &code, &is_new);
  }
  if (ent_dictionary_size(column->spellings) > ENT_SPELLINGS_MOST || length > ENT_SPELLING_MOST) {
    ent_dictionary_free(column->spellings); /* no classes: from the next block on it is read the short way */
    column->spellings = NULL;
    column->unspelled = true;
    column->mode = column->notation == ENT_NOTATION_PLAIN ? ENT_MODE_NUMBER : column->mode;
  }
  return status;
}

/* Numbers with a decimal comma in the first rows, and those of them that may be thousands. */
static entropic_status note_commas(entropic_context *context, ent_column *column, const char *text, size_t length) {
  double value;
  if (memchr(text, ',', length) == NULL)
    return ENTROPIC_OK;
  entropic_status status = begin_looks(context, column, ',');
  if (status != ENTROPIC_OK)
    return status;
  ent_looks *looks = column->looks;
  looks->commas++;
  looks->groups += ent_notation_read(ENT_NOTATION_POINT, text, length, &value);
  if (looks->groups == looks->commas && looks->example[0] == '\0')
    ent_show(text, length, looks->example);
  return ENTROPIC_OK;
}

/* A number whose notation the first rows gave: is its unit theirs, too? */
static void note_guessed(ent_column *column, const char *text, size_t length) {
  char unit[ENT_UNIT_SIZE];
  if (column->looks == NULL || column->notation > ENT_NOTATION_COMMA)
    return;
  column->looks->marked += ent_notation_unit(text, length, unit);
  note_unit(column->looks, unit);
}

void ent_column_look_over(const ent_columns *columns, ent_column *column) {
  size_t size = ent_dictionary_size(column->dictionary);
  ent_looks *looks = column->looks;
  column->texts = 0;
  for (size_t code = 0; code < size; code++) {
    const char *text = ent_dictionary_text(column->dictionary, code);
    size_t length = strlen(text), line, times = ent_dictionary_noted(column->dictionary, (uint32_t)code, &line);
    double number;
    if (parse(text, length, looks->point, &number) != ENTROPIC_BAD_DATA)
      continue;
    if (is_soft_mark(columns, text, length)) {
      column->soft += times;
      continue;
    }
    ent_cell_look look = look_at(column, text, length);
    column->texts += times;
    for (int n = 1; n < ENT_NOTATIONS; n++)
      looks->fits[n] += (look.fits >> n & 1) * times;
    looks->ambiguous += look.ambiguous * times;
    looks->marked += look.marked * times;
  }
}

/* A number by the column's notation. BAD_DATA for text, TOO_LARGE for what is infinite or beyond the range. */
static entropic_status read_number(const ent_column *column, const char *text, size_t length, char point,
                                   double *value) {
  if (column->notation != ENT_NOTATION_PLAIN)
    return ent_notation_read(column->notation, text, length, value) ? ENTROPIC_OK : ENTROPIC_BAD_DATA;
  entropic_status status = parse(text, length, point, value);
  /* a word for "not a number" that is no mark of missing values */
  return status == ENTROPIC_OK && isnan(*value) ? ENTROPIC_BAD_DATA : status;
}

static entropic_status number_cell(entropic_context *context, ent_columns *columns, size_t index, size_t line,
                                   const char *text, size_t length, char point, double *value) {
  ent_column *column = &columns->list[index];
  entropic_status status = read_number(column, text, length, point, value);
  if (status == ENTROPIC_NO_MEMORY)
    return status;
  if (status == ENTROPIC_BAD_DATA && is_soft_mark(columns, text, length)) {
    *value = columns->tolerant ? ent_cell_bad(ENT_ODD_SOFT, (ent_cell_look){0}) : (double)NAN;
    return note_missing(context, column, text, length, value);
  }
  if (status != ENTROPIC_OK)
    return odd_cell(context, columns, index, line, text, length, point, status == ENTROPIC_TOO_LARGE, value);
  if (column->mode == ENT_MODE_WEIGHT && *value < 0)
    return ent_columns_fail(context, columns, index, line, text, length, "a weight of 0 or more");
  if (column->guessed && columns->tolerant && column->mode == ENT_MODE_NOTED)
    note_guessed(column, text, length);
  if (columns->sampling)
    return point == ',' ? note_commas(context, column, text, length) : ENTROPIC_OK;
  bool spelled = column->role == ENTROPIC_ROLE_TARGET && column->mode == ENT_MODE_NOTED && columns->tolerant &&
                 column->notation == ENT_NOTATION_PLAIN && !column->unspelled;
  return spelled ? note_spelling(context, column, text, length, *value) : ENTROPIC_OK;
}

entropic_status ent_columns_cell(entropic_context *context, ent_columns *columns, size_t index, size_t line,
                                 const char *text, size_t length, char point, double *value) {
  ent_column *column = &columns->list[index];
  if (ent_columns_is_missing(columns, text, length)) {
    if (columns->numbers_only)
      return ent_columns_fail(context, columns, index, line, text, length,
                              length == 0 ? "a number" : "a finite number");
    *value = NAN;
    return note_missing(context, column, text, length, value);
  }
  if (column->mode == ENT_MODE_TEXT)
    return column->known != NULL ? known_cell(context, columns, index, line, text, length, point, value)
                                 : text_cell(context, column, line, text, length, point, value);
  return number_cell(context, columns, index, line, text, length, point, value);
}

entropic_status ent_columns_number(entropic_context *context, ent_columns *columns, size_t index, size_t line,
                                   double number, double *value) {
  const ent_column *column = &columns->list[index];
  if (column->mode == ENT_MODE_SKIP || (isnan(number) && !columns->numbers_only)) {
    *value = NAN;
    return ENTROPIC_OK;
  }
  char text[ENTROPIC_NUMBER_SIZE];
  if (!isfinite(number))
    return ent_columns_fail(context, columns, index, line, text, entropic_format_double(number, text),
                            "a finite number");
  if (column->mode == ENT_MODE_TEXT || column->mode == ENT_MODE_WEIGHT) {
    size_t length = entropic_format_double(number + 0.0, text); /* so that -0 is 0 */
    return ent_columns_cell(context, columns, index, line, text, length, '.', value);
  }
  *value = number;
  return ENTROPIC_OK;
}

void ent_columns_info(const ent_columns *columns, size_t index, entropic_column *info) {
  const ent_column *column = &columns->list[index];
  *info = (entropic_column){.name = column->name,
                            .type = column->type,
                            .role = column->role,
                            .text = column->mode == ENT_MODE_TEXT,
                            .categories = ent_dictionary_size(column->dictionary),
                            .missing = column->missing};
}
