/* The types of columns, from counts made block by block: see columns.h. */
#include <math.h>
#include <string.h>

#include "base/mix.h"
#include "columns/columns.h"

/* Fewer rows than this say nothing about identifiers. */
#define ENT_IDENTIFIER_ROWS 20
/* From so many categories on, a column whose every second row brings a new one is an identifier. */
#define ENT_DICTIONARY_MOST 100000
/* Doubles beyond this do not have all integers. */
#define ENT_INTEGER_MOST 9007199254740992.0
/* A target that is numbers for the most part and has more values than this is no list of classes. */
#define ENT_WORDED_CLASSES 20

void ent_columns_begin(ent_columns *columns) {
  for (size_t i = 0; i < columns->count; i++) {
    ent_column *column = &columns->list[i];
    column->missing = column->soft = column->texts = column->ranges = 0;
    if (column->evidence != NULL) {
      memset(column->evidence->matches, 0, sizeof column->evidence->matches);
      column->evidence->ambiguous = column->evidence->marked = 0;
    }
    column->same = column->counting = column->mode != ENT_MODE_SKIP;
    column->hashes = 0;
    column->lowest = INFINITY;
    column->highest = -INFINITY;
    column->bad_line = 0;
    ent_dictionary_recount(column->dictionary);
    ent_dictionary_free(column->words);
    column->words = NULL;
  }
}

/* Counts a cell that is NaN: its bits say whether it is missing or what its fault is. */
static void count_nan(ent_column *column, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint64_t kind = column->mode == ENT_MODE_TEXT || column->mode == ENT_MODE_SKIP ? 0 : bits & 3;
  column->missing += kind == 0;
  column->ranges += kind == ENT_CELL_RANGE;
  column->soft += kind == ENT_CELL_SOFT;
  if (kind != ENT_CELL_TEXT)
    return;
  column->texts++;
  ent_notation_evidence *evidence = column->evidence;
  if (evidence == NULL)
    return;
  for (int n = 1; n < ENT_NOTATIONS; n++)
    evidence->matches[n] += bits >> (2 + n) & 1;
  evidence->ambiguous += bits >> (ENT_NOTATIONS + 2) & 1;
  evidence->marked += bits >> (ENT_NOTATIONS + 3) & 1;
}

static uint64_t hash_integer(double value) {
  return ent_mix((uint64_t)(int64_t)value);
}

/* Updates whether a column is constant so far, and a run of whole numbers so far. Most columns are neither after a few
 * rows, and are not looked at again. */
static void follow(ent_column *column, const double *values, size_t rows, size_t stride, size_t before) {
  if (before == 0 && rows > 0) {
    column->first = column->least = column->most = values[0];
    column->last = NAN;
  }
  for (size_t row = 0; row < rows && (column->same || column->counting); row++) {
    double value = values[row * stride];
    column->same = column->same && (value == column->first || (isnan(value) && isnan(column->first)));
    column->counting =
        column->counting && fabs(value) < ENT_INTEGER_MOST && value == floor(value) && value != column->last;
    if (!column->counting)
      continue;
    column->least = fmin(column->least, value);
    column->most = fmax(column->most, value);
    column->hashes += hash_integer(value);
    column->last = value;
  }
}

bool ent_column_is_run(const ent_column *column, size_t rows) {
  if (!column->counting || column->mode == ENT_MODE_TEXT || column->mode == ENT_MODE_SKIP ||
      column->most - column->least + 1 != (double)rows)
    return false;
  uint64_t hashes = 0;
  for (size_t i = 0; i < rows; i++)
    hashes += hash_integer(column->least + (double)i);
  return hashes == column->hashes;
}

static void count_texts(ent_column *column, const double *values, size_t rows, size_t stride, size_t before) {
  for (size_t row = 0; row < rows; row++) {
    double value = values[row * stride];
    if (!isnan(value))
      column->texts += ent_dictionary_marked(column->dictionary, (uint32_t)value);
  }
  column->full =
      !column->unlimited && ent_column_is_full(column, ent_dictionary_size(column->dictionary), before + rows);
  column->full_rows = before + rows;
}

bool ent_column_is_full(const ent_column *column, size_t texts, size_t rows) {
  return texts > ENT_DICTIONARY_MOST && texts > rows / 2 && !column->declared && !column->kept && !column->time &&
         column->role == ENTROPIC_ROLE_INPUT;
}

/* Widens the range of a target or weight. */
static void follow_range(ent_column *column, const double *values, size_t rows, size_t stride) {
  for (size_t row = 0; row < rows; row++) {
    double value = values[row * stride];
    if (!isfinite(value))
      continue;
    column->lowest = value < column->lowest ? value : column->lowest;
    column->highest = value > column->highest ? value : column->highest;
  }
}

void ent_columns_count(ent_columns *columns, const double *values, size_t rows, size_t before) {
  size_t count = columns->count;
  for (size_t i = 0; i < count; i++) {
    ent_column *column = &columns->list[i];
    if (column->same || column->counting)
      follow(column, values + i, rows, count, before);
    if (column->mode == ENT_MODE_TEXT && !column->full)
      count_texts(column, values + i, rows, count, before);
    if ((column->role == ENTROPIC_ROLE_TARGET || column->role == ENTROPIC_ROLE_WEIGHT) && column->mode != ENT_MODE_TEXT)
      follow_range(column, values + i, rows, count);
  }
  for (size_t row = 0; row < rows; row++) {
    const double *cells = values + row * count;
    int nans = 0; /* most rows have none, and are done with after a few vector instructions */
    for (size_t i = 0; i < count; i++)
      nans |= cells[i] != cells[i];
    for (size_t i = 0; nans && i < count; i++)
      if (isnan(cells[i]))
        count_nan(&columns->list[i], cells[i]);
  }
}

/* The first word of a column of texts is its bad cell. */
static void find_bad_word(ent_column *column) {
  column->bad_line = 0;
  column->bad_range = false;
  for (uint32_t code = 0; code < ent_dictionary_size(column->dictionary); code++) {
    const ent_dictionary_item item = ent_dictionary_get(column->dictionary, code);
    if (!item.marked || item.noted == 0 || (column->bad_line > 0 && item.line >= column->bad_line))
      continue;
    column->bad_line = item.line;
    ent_show(item.text, item.length, column->bad_text);
  }
}

/* A few cells of a column are no numbers. */
static entropic_status fail_bad(entropic_context *context, ent_columns *columns, size_t index, size_t rows) {
  ent_column *column = &columns->list[index];
  char name[ENT_SHOW_SIZE], words[ENT_WORDS_SIZE], word[ENT_SHOW_SIZE];
  char mark[ENT_ARGUMENT_SIZE], argument[ENT_ARGUMENT_SIZE];
  ent_show(column->name, strlen(column->name), name);
  if (column->mode == ENT_MODE_TEXT)
    find_bad_word(column);
  ent_file_place place = ent_columns_place(columns, column->bad_line);
  if (column->bad_range)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s, %s %zu, column %zu (%s): found '%s', expected a finite number",
                    place.file, columns->place, place.line, index + 1, name, column->bad_text);
  size_t present = rows - column->missing - column->soft;
  const char *what = ent_notation_noun(column->notation);
  ent_column_list_words(columns, column, words, word);
  return ent_fail(
      context, ENTROPIC_BAD_DATA,
      "%s, %s %zu, column %zu (%s): found '%s', expected a %s as in %.4g %% of the rows, but these are not: %s "
      "(--missing %s: a missing value; --categorical %s: the column holds categories)",
      place.file, columns->place, place.line, index + 1, name, column->bad_text, what,
      100 * (double)(present - column->texts) / (double)present, words, ent_show_argument(word, mark),
      ent_show_argument(column->name, argument));
}

/* A target of numbers with words among them: classes are not what is meant. */
static entropic_status refuse_words(entropic_context *context, ent_columns *columns, size_t index, size_t rows) {
  const ent_column *column = &columns->list[index];
  size_t present = rows - column->missing, size = ent_dictionary_size(column->dictionary);
  if (column->role != ENTROPIC_ROLE_TARGET || column->mode != ENT_MODE_TEXT || column->declared ||
      size <= ENT_WORDED_CLASSES || column->texts == 0 || column->texts > present / 2)
    return ENTROPIC_OK;
  return fail_bad(context, columns, index, rows);
}

static entropic_column_type type_of(const ent_column *column, size_t rows) {
  if (column->same && (column->missing == 0 || column->missing == rows) && !column->full)
    return ENTROPIC_COLUMN_TYPE_CONSTANT;
  bool enough = rows >= ENT_IDENTIFIER_ROWS;
  if (column->mode == ENT_MODE_TEXT) {
    size_t present = rows - column->missing;
    bool many = column->full || (enough && ent_dictionary_size(column->dictionary) >= present - present / 10);
    return many && !column->declared && !column->kept ? ENTROPIC_COLUMN_TYPE_IDENTIFIER : ENTROPIC_COLUMN_TYPE_CATEGORY;
  }
  if (column->mode == ENT_MODE_DATE)
    return ENTROPIC_COLUMN_TYPE_DATE; /* also where there is one row a day */
  bool numbers_rows = enough && !column->kept && (column->least == 0 || column->least == 1);
  return numbers_rows && ent_column_is_run(column, rows) ? ENTROPIC_COLUMN_TYPE_IDENTIFIER
                                                         : ENTROPIC_COLUMN_TYPE_NUMBER;
}

void ent_column_set_notation(ent_column *column, ent_notation notation) {
  ent_dictionary_free(column->dictionary);
  column->dictionary = NULL; /* texts are marked by their notation */
  column->notation = notation;
  column->mode = ent_notation_is_date(notation) ? ENT_MODE_DATE : ENT_MODE_NOTED;
  if (column->evidence == NULL)
    return;
  /* Unsettled: the other notation reads every value, too. */
  ent_notation other = notation == ENT_NOTATION_DAY     ? ENT_NOTATION_MONTH
                       : notation == ENT_NOTATION_MONTH ? ENT_NOTATION_DAY
                       : notation == ENT_NOTATION_COMMA ? ENT_NOTATION_POINT
                                                        : ENT_NOTATION_COMMA;
  column->evidence->unsettled =
      column->evidence->ambiguous > 0 && column->evidence->matches[other] >= column->evidence->matches[notation];
}

/* Does a notation of numbers read more than half of a column? The next pass sees what the others are. A notation that is
 * not the file's own needs 1 % of the values, one with units half of them: fewer may be a slip. */
static bool reads_numbers(const ent_column *column, size_t present, ent_notation notation) {
  const ent_notation_evidence *evidence = column->evidence;
  size_t read = evidence->matches[notation], words = column->texts - read;
  bool own = notation == (evidence->point == ',' ? ENT_NOTATION_COMMA : ENT_NOTATION_POINT);
  if (read == 0 || words > present / 2 || evidence->units_differ || column->ranges > 0)
    return false;
  return evidence->marked > 0 ? evidence->marked > present / 2 : own || read * 100 >= present;
}

static ent_notation find_notation(const ent_column *column, size_t present) {
  const ent_notation_evidence *evidence = column->evidence;
  ent_notation dates = ENT_NOTATION_DATE;
  if (evidence->matches[ENT_NOTATION_MONTH] > evidence->matches[dates])
    dates = ENT_NOTATION_MONTH;
  if (evidence->matches[ENT_NOTATION_DAY] > evidence->matches[dates])
    dates = ENT_NOTATION_DAY;
  if (evidence->matches[dates] > present / 2)
    return dates;
  if (evidence->matches[ENT_NOTATION_CLOCK] > present / 2)
    return ENT_NOTATION_CLOCK;
  ent_notation own = evidence->point == ',' ? ENT_NOTATION_COMMA : ENT_NOTATION_POINT;
  ent_notation other = own == ENT_NOTATION_COMMA ? ENT_NOTATION_POINT : ENT_NOTATION_COMMA;
  ent_notation better = evidence->matches[other] > evidence->matches[own] ? other : own;
  return reads_numbers(column, present, better) ? better : ENT_NOTATION_PLAIN;
}

ent_notation ent_column_find_notation(const ent_column *column, size_t present) {
  bool looked = ent_column_is_open(column) && column->texts > 0 && column->evidence != NULL;
  return looked ? find_notation(column, present) : ENT_NOTATION_PLAIN;
}

/* Drops the guess from the first rows where all rows do not agree; *back if the column has to be read again. So the order
 * of rows does not decide. */
static void drop_guess(const ent_columns *columns, ent_column *column, size_t rows, bool *back) {
  ent_notation_evidence *evidence = column->evidence;
  size_t present = rows - column->missing - column->soft, soft = column->soft, texts = column->texts;
  *back = false;
  if (!column->guessed || evidence == NULL || column->full)
    return;
  column->guessed = false;
  if (column->mode == ENT_MODE_TEXT) {
    ent_column_match_categories(columns, column);
    ent_notation notation = find_notation(column, rows - column->missing - column->soft);
    *back = notation != ENT_NOTATION_PLAIN;
    if (*back)
      ent_column_set_notation(column, notation);
    column->soft = soft;
    column->texts = texts;
  } else if (column->notation != ENT_NOTATION_PLAIN) {
    *back = column->texts > 0 || evidence->unsettled || evidence->units_differ ||
            (evidence->marked > 0 && evidence->marked <= present / 2);
    if (*back) {
      *evidence =
          (ent_notation_evidence){.point = evidence->point, .commas = evidence->commas, .groups = evidence->groups};
      column->notation = ENT_NOTATION_PLAIN;
      column->mode = ENT_MODE_NOTED;
    }
  }
}

/* Decides on one column. */
static entropic_status decide(entropic_context *context, ent_columns *columns, size_t index, size_t rows, bool *again) {
  ent_column *column = &columns->list[index];
  bool back;
  drop_guess(columns, column, rows, &back);
  if (back) {
    *again = true;
    return ENTROPIC_OK;
  }
  size_t present = rows - column->missing - column->soft;
  ent_notation notation = ent_column_find_notation(column, present);
  if (notation != ENT_NOTATION_PLAIN) {
    ent_column_set_notation(column, notation);
    *again = true; /* the next pass sees what else there is */
    return ENTROPIC_OK;
  }
  bool words = column->texts > 0 || column->ranges > 0, marks_alone = column->soft > 0 && present == 0;
  if (column->mode == ENT_MODE_SKIP || (!words && !marks_alone)) {
    column->missing += column->soft;
    column->soft = 0;
    column->type = type_of(column, rows);
    return ENTROPIC_OK;
  }
  bool few = (double)column->texts * 100 < (double)present && !column->declared && !column->full &&
             column->role != ENTROPIC_ROLE_GROUP; /* groups are texts */
  if (few && (column->texts > 0 || column->mode != ENT_MODE_TEXT))
    return fail_bad(context, columns, index, rows);
  if (column->mode != ENT_MODE_TEXT) {
    *again = true;
    return ent_column_make_text(context, column);
  }
  column->type = type_of(column, rows);
  return refuse_words(context, columns, index, rows);
}

entropic_status ent_columns_decide(entropic_context *context, ent_columns *columns, size_t rows, bool *again) {
  *again = false;
  for (size_t i = 0; i < columns->count; i++) {
    entropic_status status = decide(context, columns, i, rows, again);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}
