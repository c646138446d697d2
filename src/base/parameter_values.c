/* Values of parameters: texts are checked and read, and refused with what is expected. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/parameters.h"
#include "base/text.h"

/* Whether text[0..length) is one of the words, "auto|theory". */
static bool is_word(const char *words, const char *text, size_t length) {
  while (*words != 0) {
    size_t word = strcspn(words, "|");
    if (word == length && memcmp(words, text, length) == 0)
      return true;
    words += word + (words[word] == '|');
  }
  return false;
}

/* An integer written as digits, or as 1e3 or 2.5e6, exact in a double. */
static bool parse_integer(const char *text, size_t length, uint64_t *integer) {
  uint64_t value = 0;
  if (length == 0 || *text < '0' || *text > '9')
    return false;
  if (memchr(text, 'e', length) != NULL || memchr(text, 'E', length) != NULL) {
    double number;
    if (entropic_parse_double(text, length, &number) != ENTROPIC_OK || !(number >= 0 && number <= 0x1p53) ||
        number != floor(number))
      return false;
    *integer = (uint64_t)number;
    return true;
  }
  for (size_t i = 0; i < length; i++)
    if (text[i] < '0' || text[i] > '9' || __builtin_mul_overflow(value, (uint64_t)10, &value) ||
        __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value))
      return false;
  *integer = value;
  return true;
}

bool ent_parameter_parse(const entropic_parameter *info, const char *text, size_t length, ent_setting *setting) {
  bool list = info->type == ENTROPIC_PARAMETER_NUMBERS || info->type == ENTROPIC_PARAMETER_INTEGERS;
  bool whole = info->type == ENTROPIC_PARAMETER_INTEGER || info->type == ENTROPIC_PARAMETER_INTEGERS;
  while (list && length > 0 && *text == ' ') {
    text++;
    length--;
  }
  while (list && length > 0 && text[length - 1] == ' ')
    length--;
  if (!whole)
    return entropic_parse_double(text, length, &setting->value) == ENTROPIC_OK && setting->value >= info->lowest &&
           setting->value <= info->highest;
  if (!parse_integer(text, length, &setting->integer))
    return false;
  setting->value = (double)setting->integer;
  return setting->value >= info->lowest && setting->value <= info->highest;
}

/* 1e-6 and 1e6 where printf has 1e-06 and 1e+06; whole numbers in full. Large limits are powers of ten. */
static void format_limit(double value, bool whole, char text[32]) {
  snprintf(text, 32, whole && value < 0x1p64 ? "%.0f" : value >= 1e4 ? "%.0e" : "%g", value);
  if (whole && value >= 0x1p64)
    snprintf(text, 32, "%" PRIu64, UINT64_MAX);
  char *mark = strchr(text, 'e');
  if (mark == NULL)
    return;
  char *to = mark + 1, *from = to;
  if (*from == '-')
    to++;
  from += strspn(from, "+-");
  from += strspn(from, "0");
  memmove(to, from, strlen(from) + 1);
}

/* ", auto or theory": the words that a parameter takes besides, where there is another one than auto. */
static void format_words(const char *words, char text[64]) {
  size_t used = 0;
  text[0] = 0;
  while (strchr(words, '|') != NULL || (used > 0 && *words != 0)) {
    size_t length = strcspn(words, "|");
    bool last = words[length] == 0;
    used += (size_t)snprintf(text + used, 64 - used, "%s%.*s", last ? " or " : ", ", (int)length, words);
    words += length + !last;
  }
}

static entropic_status fail_number(entropic_context *context, const entropic_parameters *parameters,
                                   const entropic_parameter *info, const char *text, size_t length) {
  char low[32], high[32], words[64], spelling[ENT_SPELLING_SIZE], shown[ENT_SHOW_SIZE];
  bool whole = info->type == ENTROPIC_PARAMETER_INTEGER || info->type == ENTROPIC_PARAMETER_INTEGERS;
  bool list = info->type == ENTROPIC_PARAMETER_NUMBERS || info->type == ENTROPIC_PARAMETER_INTEGERS;
  format_limit(info->lowest, whole, low);
  format_limit(info->highest, whole, high);
  format_words(info->keywords, words);
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s %s: expected %s%s from %s to %s%s%s",
                  ent_parameters_spelling(parameters, info->name, spelling), ent_show(text, length, shown),
                  list && whole ? "" : "a ", whole ? (list ? "whole numbers" : "whole number") : "number", low, high,
                  list && whole ? ", comma separated" : "", words);
}

/* Whether a list of whole numbers has this one before `end`. */
static bool has_integer(const entropic_parameter *info, const char *text, const char *end, uint64_t integer) {
  while (text < end) {
    size_t length = strcspn(text, ",");
    ent_setting other = {0};
    if (ent_parameter_parse(info, text, length, &other) && other.integer == integer)
      return true;
    text += length + 1;
  }
  return false;
}

/* A number of bytes, 500M or 2.5G, in powers of 1024. */
static bool parse_size(const entropic_parameter *info, const char *text, ent_setting *setting) {
  static const char letters[] = "kMGT";
  size_t length = strlen(text);
  double factor = 1;
  for (size_t i = 0; length > 0 && i + 1 < sizeof letters; i++)
    if (ent_lower(text[length - 1]) == ent_lower(letters[i]))
      factor = ldexp(1, 10 * (int)(i + 1));
  if (factor > 1)
    length--;
  if (length == 0 || text[0] < '0' || text[0] > '9' || text[length - 1] < '0' || text[length - 1] > '9' ||
      entropic_parse_double(text, length, &setting->value) != ENTROPIC_OK)
    return false;
  setting->value = floor(setting->value * factor);
  if (!(setting->value >= info->lowest && setting->value <= info->highest))
    return false;
  setting->integer = (uint64_t)setting->value;
  return true;
}

/* A limit of a size: 1M, 1T. */
static void format_size(double bytes, char text[32]) {
  static const char *const units[] = {"", "k", "M", "G", "T", "P", "E"};
  size_t power = 0;
  for (; bytes >= 1024 && power + 1 < sizeof units / sizeof *units; power++)
    bytes /= 1024;
  snprintf(text, 32, "%g%s", bytes, units[power]);
}

static entropic_status take_numbers(entropic_context *context, const entropic_parameters *parameters,
                                    const entropic_parameter *info, const char *text, ent_setting *setting) {
  bool list = info->type == ENTROPIC_PARAMETER_NUMBERS || info->type == ENTROPIC_PARAMETER_INTEGERS;
  const char *start = text;
  char spelling[ENT_SPELLING_SIZE];
  for (;;) {
    size_t length = list ? strcspn(text, ",") : strlen(text);
    if (!ent_parameter_parse(info, text, length, setting))
      return fail_number(context, parameters, info, text, length);
    if (info->type == ENTROPIC_PARAMETER_INTEGERS && has_integer(info, start, text, setting->integer))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: %" PRIu64 " appears twice",
                      ent_parameters_spelling(parameters, info->name, spelling), setting->integer);
    if (text[length] == 0)
      return ENTROPIC_OK;
    text += length + 1;
  }
}

static entropic_status take_choice(entropic_context *context, const entropic_parameters *parameters,
                                   const ent_parameter *row, const char *text) {
  size_t typed = strlen(text), length, used = 0;
  const char *help, *name;
  char names[256] = "", spelling[ENT_SPELLING_SIZE], shown[ENT_SHOW_SIZE];
  ent_nearest nearest = ent_nearest_start(text, typed);
  for (size_t i = 0; (name = ent_parameter_choice(row, i, &length, &help)) != NULL; i++) {
    if (length == typed && memcmp(name, text, length) == 0)
      return ENTROPIC_OK;
    ent_nearest_try(&nearest, name, length);
    if (used + length + 2 < sizeof names)
      used += (size_t)snprintf(names + used, sizeof names - used, "%s%.*s", i > 0 ? "|" : "", (int)length, name);
  }
  ent_parameters_spelling(parameters, row->info.name, spelling);
  ent_show(text, typed, shown);
  if (nearest.best == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s %s: expected %s", spelling, shown, names);
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s %s: expected %s; did you mean %.*s?", spelling, shown, names,
                  (int)nearest.best_length, nearest.best);
}

static const struct {
  const char *name;
  char character;
} characters[] = {{"tab", '\t'},      {"\\t", '\t'}, {"space", ' '}, {"comma", ','},
                  {"semicolon", ';'}, {"pipe", '|'}, {"point", '.'}, {"none", 0}};

bool ent_parameter_character(const char *text, int *character) {
  if (text[0] != 0 && text[1] == 0) {
    *character = (unsigned char)text[0];
    return true;
  }
  for (size_t i = 0; i < sizeof characters / sizeof *characters; i++)
    if (strcmp(text, characters[i].name) == 0) {
      *character = (unsigned char)characters[i].character;
      return true;
    }
  return false;
}

/* Whether a name in a comma separated list is empty. */
static bool has_hole(const char *list) {
  for (;; list++) {
    list += strspn(list, " \t");
    if (*list == 0 || *list == ',')
      return true;
    list += strcspn(list, ",");
    if (*list == 0)
      return false;
  }
}

static bool parse_flag(const char *text, double *value) {
  static const char *const yes[] = {"yes", "true", "1", "on"}, *const no[] = {"no", "false", "0", "off"};
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
    if (strcmp(text, yes[i]) != 0 && strcmp(text, no[i]) != 0)
      continue;
    *value = strcmp(text, yes[i]) == 0;
    return true;
  }
  return false;
}

entropic_status ent_parameter_take(entropic_context *context, const entropic_parameters *parameters,
                                   const ent_parameter *row, const char *text, ent_setting *setting) {
  char spelling[ENT_SPELLING_SIZE], shown[ENT_SHOW_SIZE], low[32], high[32];
  int character;
  ent_parameters_spelling(parameters, row->info.name, spelling);
  ent_show(text, strlen(text), shown);
  setting->word = is_word(row->info.keywords, text, strlen(text));
  if (setting->word)
    return ENTROPIC_OK;
  if (*text == 0 && row->info.type != ENTROPIC_PARAMETER_TEXT)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s needs a value that is not empty: %s", spelling,
                    row->info.value);
  switch (row->info.type) {
  case ENTROPIC_PARAMETER_FLAG:
    if (parse_flag(text, &setting->value))
      return ENTROPIC_OK;
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s %s: expected yes or no", spelling, shown);
  case ENTROPIC_PARAMETER_INTEGER:
  case ENTROPIC_PARAMETER_NUMBER:
  case ENTROPIC_PARAMETER_INTEGERS:
  case ENTROPIC_PARAMETER_NUMBERS:
    return take_numbers(context, parameters, &row->info, text, setting);
  case ENTROPIC_PARAMETER_CHOICE:
    return take_choice(context, parameters, row, text);
  case ENTROPIC_PARAMETER_CHARACTER:
    if (ent_parameter_character(text, &character))
      return ENTROPIC_OK;
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s %s: expected one character, or its name, such as comma or tab",
                    spelling, shown);
  case ENTROPIC_PARAMETER_COLUMNS:
    if (!has_hole(text))
      return ENTROPIC_OK;
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s %s: a name is empty", spelling, shown);
  case ENTROPIC_PARAMETER_SIZE:
    if (parse_size(&row->info, text, setting))
      return ENTROPIC_OK;
    format_size(row->info.lowest, low);
    format_size(row->info.highest, high);
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s %s: expected a size from %s to %s, such as 500M or 2.5G",
                    spelling, shown, low, high);
  case ENTROPIC_PARAMETER_TEXT:
  case ENTROPIC_PARAMETER_COLUMN:
    break;
  }
  return ENTROPIC_OK;
}
