/* Notices about the columns of a table: see columns.h. */
#include <stdio.h>
#include <string.h>

#include "columns/columns.h"

#define ENT_WORDS_SHOWN 3
/* Fewer rows than this say nothing about a run of numbers. */
#define ENT_RUN_ROWS 20

/* The most frequent of the words that are not among those shown; of equally frequent ones the first in the file. */
static size_t next_word(const ent_dictionary *words, const size_t *shown, size_t count) {
  size_t size = ent_dictionary_size(words), best = size, most = 0, first = 0;
  for (size_t code = 0; code < size; code++) {
    size_t line, times = ent_dictionary_noted(words, (uint32_t)code, &line);
    bool done = !ent_dictionary_marked(words, (uint32_t)code);
    for (size_t i = 0; i < count; i++)
      done = done || shown[i] == code;
    if (!done && (times > most || (times == most && line < first))) {
      best = code;
      most = times;
      first = line;
    }
  }
  return best;
}

void ent_column_list_words(const ent_columns *columns, const ent_column *column, char list[ENT_WORDS_SIZE],
                           char first[ENT_SHOW_SIZE]) {
  const ent_dictionary *words = column->mode == ENT_MODE_TEXT ? column->dictionary : column->words;
  size_t shown[ENT_WORDS_SHOWN], count = 0, used = 0, marked = 0;
  list[0] = first[0] = '\0';
  for (size_t code = 0; code < ent_dictionary_size(words); code++)
    marked += ent_dictionary_marked(words, (uint32_t)code);
  while (count < ENT_WORDS_SHOWN && count < marked) {
    size_t code = shown[count] = next_word(words, shown, count), line;
    size_t times = ent_dictionary_noted(words, (uint32_t)code, &line);
    const char *text = ent_dictionary_text(words, code);
    char word[ENT_SHOW_SIZE];
    ent_show(text, strlen(text), word);
    if (count == 0)
      memcpy(first, word, sizeof word);
    ent_file_place place = ent_columns_place(columns, line);
    char of[ENT_SHOW_SIZE + 4] = "";
    if (place.file != columns->file)
      snprintf(of, sizeof of, " of %s", ent_show(place.file, strlen(place.file), (char[ENT_SHOW_SIZE]){0}));
    used += (size_t)snprintf(list + used, ENT_WORDS_SIZE - used, "%s'%s' (%zu, %s%s %zu%s)", count > 0 ? ", " : "",
                             word, times, times > 1 ? "first in " : "", columns->place, place.line, of);
    used = used < ENT_WORDS_SIZE ? used : ENT_WORDS_SIZE - 1;
    count++;
  }
  if (marked > count)
    snprintf(list + used, ENT_WORDS_SIZE - used, " and %zu more", marked - count);
}

/* The example of a column with its value. */
static void show_example(const ent_column *column, char text[2 * ENT_SHOW_SIZE]) {
  const char *example = column->evidence->example;
  double value;
  char number[ENTROPIC_NUMBER_SIZE];
  size_t used = (size_t)snprintf(text, 2 * ENT_SHOW_SIZE, "'%s'", example);
  if (!ent_notation_read(column->notation, example, strlen(example), &value) || column->mode == ENT_MODE_DATE)
    return;
  entropic_format_double(value, number);
  snprintf(text + used, 2 * ENT_SHOW_SIZE - used, " is %s", number);
}

/* A notice about numbers that are not plainly written. */
static entropic_status notice_numbers(entropic_context *context, ent_columns *columns, const ent_column *column,
                                      const char *name) {
  char example[2 * ENT_SHOW_SIZE];
  const ent_notation_evidence *evidence = column->evidence;
  if (column->notation == ENT_NOTATION_PLAIN) {
    bool unsure =
        evidence != NULL && evidence->commas > 0 && evidence->commas == evidence->groups && column->texts == 0;
    return !unsure ? ENTROPIC_OK
                   : ent_notices_add(context, &columns->notices,
                                     "column %s: '%s' and the like are read with a decimal comma, not as thousands "
                                     "(--decimal point reads thousands)",
                                     name, evidence->example);
  }
  if (evidence == NULL)
    return ENTROPIC_OK;
  show_example(column, example);
  const char *more = "";
  if (evidence->unsettled)
    more = column->notation == ENT_NOTATION_COMMA ? "; read with a decimal comma, as thousands would read as well"
                                                  : "; read as thousands, as a decimal comma would read as well";
  return ent_notices_add(context, &columns->notices, "column %s: %s, taken as numbers: %s%s", name,
                         column->notation == ENT_NOTATION_CLOCK ? "times of day in seconds"
                         : evidence->unit[0] != '\0'            ? "numbers with a unit"
                                                                : "numbers with marks in them",
                         example, more);
}

/* Notices about dates of which it is not clear which number is the day, and about a target of dates. */
static entropic_status notice_dates(entropic_context *context, ent_columns *columns, const ent_column *column,
                                    const char *name) {
  if (column->evidence != NULL && column->evidence->unsettled) {
    entropic_status status = ent_notices_add(
        context, &columns->notices,
        "column %s: its dates are ambiguous, as no value tells days from months; '%s' is read with the %s first", name,
        column->evidence->example, column->notation == ENT_NOTATION_DAY ? "day" : "month");
    if (status != ENTROPIC_OK)
      return status;
  }
  if (column->zone_unknown) {
    entropic_status status = ent_notices_add(context, &columns->notices,
                                             "column %s: its times have a named time zone and are read as UTC "
                                             "(times with an offset such as +01:00 keep the clock of their zone)",
                                             name);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (column->mode == ENT_MODE_DATE && column->evidence != NULL && strcmp(column->evidence->unit, ENT_UNIT_ZONE) == 0) {
    entropic_status status = ent_notices_add(context, &columns->notices,
                                             "column %s: its times have named zones, such as CET or Europe/Berlin, "
                                             "which change nothing: the clock is taken as written",
                                             name);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (column->role != ENTROPIC_ROLE_TARGET)
    return ENTROPIC_OK;
  char word[ENT_ARGUMENT_SIZE];
  return ent_notices_add(context, &columns->notices,
                         "the target %s holds dates, read as days since 1970-01-01 (--categorical %s: as classes)",
                         name, ent_show_argument(column->name, word));
}

/* A notice about words among numbers, dates or times. */
static entropic_status notice_words(entropic_context *context, ent_columns *columns, const ent_column *column,
                                    const char *name, size_t rows) {
  size_t present = rows - column->missing;
  char words[ENT_WORDS_SIZE], first[ENT_SHOW_SIZE], mark[ENT_ARGUMENT_SIZE], word[ENT_ARGUMENT_SIZE];
  if (column->declared || column->texts == 0 || column->texts > present / 2 || column->role == ENTROPIC_ROLE_GROUP ||
      column->role == ENTROPIC_ROLE_WEIGHT || column->time) /* refused later */
    return ENTROPIC_OK;
  const char *what = ent_notation_noun(column->notation);
  ent_column_list_words(columns, column, words, first);
  return ent_notices_add(
      context, &columns->notices,
      "column %s: %.4g %% of its values are %ss, but these are not: %s; treated as %s (--missing %s: a missing "
      "value; --categorical %s: the column holds categories)",
      name, 100 * (double)(present - column->texts) / (double)present, what, words,
      column->role == ENTROPIC_ROLE_TARGET              ? "classes"
      : column->type == ENTROPIC_COLUMN_TYPE_IDENTIFIER ? "names of rows, and dropped"
                                                        : "categories",
      ent_show_argument(first, mark), ent_show_argument(column->name, word));
}

static entropic_status notice_column(entropic_context *context, ent_columns *columns, const ent_column *column,
                                     size_t rows) {
  char name[ENT_SHOW_SIZE], word[ENT_ARGUMENT_SIZE];
  ent_show(column->name, strlen(column->name), name);
  if (column->mode == ENT_MODE_SKIP)
    return ENTROPIC_OK;
  if (column->mode == ENT_MODE_TEXT)
    return notice_words(context, columns, column, name, rows);
  if (column->mode == ENT_MODE_DATE)
    return notice_dates(context, columns, column, name);
  if (column->type == ENTROPIC_COLUMN_TYPE_NUMBER && column->role == ENTROPIC_ROLE_INPUT && !column->kept &&
      !columns->schema_known && rows >= ENT_RUN_ROWS && ent_column_is_run(column, rows)) {
    entropic_status status = ent_notices_add(
        context, &columns->notices,
        "column %s: the whole numbers %.0f to %.0f, each once, may only number the rows; it is used as an input "
        "(--ignore %s drops it, --keep %s confirms it)",
        name, column->least, column->most, ent_show_argument(column->name, word), word);
    if (status != ENTROPIC_OK)
      return status;
  }
  return notice_numbers(context, columns, column, name);
}

entropic_status ent_columns_add_notices(entropic_context *context, ent_columns *columns, size_t rows) {
  const ent_column *time = NULL;
  bool given = false;
  for (size_t i = 0; i < columns->count; i++) {
    const ent_column *column = &columns->list[i];
    given = given || column->time;
    if (time == NULL && column->mode == ENT_MODE_DATE && column->role == ENTROPIC_ROLE_INPUT &&
        column->type != ENTROPIC_COLUMN_TYPE_CONSTANT)
      time = column;
    entropic_status status = notice_column(context, columns, column, rows);
    if (status != ENTROPIC_OK)
      return status;
  }
  char word[ENT_ARGUMENT_SIZE];
  if (time == NULL || given || columns->schema_known)
    return ENTROPIC_OK;
  return ent_notices_add(context, &columns->notices,
                         "the rows have dates and may be in time order, for which random folds are too optimistic: "
                         "--time %s validates forward",
                         ent_show_argument(time->name, word));
}
