/* Sets of parameters: names are found, texts are checked and kept. */
#include "base/parameters.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

#define TEXT_MOST (1 << 24) /* bytes of a value: a list of a million columns fits */

static bool same_name(const char *a, const char *b) {
  for (; *a != 0 || *b != 0; a++, b++)
    if (*a != *b && !(*a == '_' && *b == '-') && !(*a == '-' && *b == '_'))
      return false;
  return true;
}

/* The row of that name that the set has; NULL if there is none. */
static const ent_parameter *find(const entropic_parameters *parameters, const char *name) {
  for (size_t i = 0; i < parameters->table->count; i++) {
    const ent_parameter *row = &parameters->table->rows[i];
    if ((row->info.purposes & parameters->purpose) != 0 && same_name(name, row->info.name))
      return row;
  }
  return NULL;
}

static ent_setting *setting_of(const entropic_parameters *parameters, const ent_parameter *row) {
  return &parameters->settings[row - parameters->table->rows];
}

const char *ent_parameters_spelling(const entropic_parameters *parameters, const char *name,
                                    char text[ENT_SPELLING_SIZE]) {
  snprintf(text, ENT_SPELLING_SIZE, "%s%s", parameters == NULL ? "" : parameters->prefix, name);
  if (parameters == NULL || parameters->separator == '-')
    return text;
  for (char *at = text + strlen(parameters->prefix); *at != 0; at++)
    *at = *at == '-' ? parameters->separator : *at;
  return text;
}

static entropic_status fail_name(entropic_context *context, const entropic_parameters *parameters, const char *name) {
  char shown[ENT_SHOW_SIZE], spelling[ENT_SPELLING_SIZE];
  ent_nearest nearest = ent_nearest_start(name, strlen(name));
  for (size_t i = 0; i < parameters->table->count; i++) {
    const entropic_parameter *info = &parameters->table->rows[i].info;
    if ((info->purposes & parameters->purpose) != 0)
      ent_nearest_try(&nearest, info->name, strlen(info->name));
  }
  ent_show(name, strlen(name), shown);
  if (nearest.best == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: there is no such parameter", shown);
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: there is no such parameter; did you mean %s?", shown,
                  ent_parameters_spelling(parameters, nearest.best, spelling));
}

entropic_status ent_parameters_create(entropic_context *context, const ent_parameter_table *table, unsigned purpose,
                                      entropic_parameters **parameters) {
  entropic_parameters *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->table = table;
  made->purpose = purpose;
  made->separator = '-';
  made->settings = ent_new(context, table->count, sizeof *made->settings);
  if (made->settings == NULL) {
    ent_delete(made);
    return ENTROPIC_NO_MEMORY;
  }
  *parameters = made;
  return ENTROPIC_OK;
}

void entropic_parameters_free(entropic_parameters *parameters) {
  if (parameters == NULL)
    return;
  for (size_t i = 0; i < parameters->table->count; i++)
    ent_delete(parameters->settings[i].text);
  ent_delete(parameters->settings);
  ent_delete(parameters);
}

entropic_status entropic_parameters_copy(entropic_context *context, const entropic_parameters *parameters,
                                         entropic_parameters **copy) {
  ENT_NEED(context, parameters);
  ENT_NEED(context, copy);
  entropic_parameters *made;
  entropic_status status = ent_parameters_create(context, parameters->table, parameters->purpose, &made);
  if (status != ENTROPIC_OK)
    return status;
  memcpy(made->prefix, parameters->prefix, sizeof made->prefix);
  made->separator = parameters->separator;
  for (size_t i = 0; i < parameters->table->count; i++) {
    const ent_setting *from = &parameters->settings[i];
    if (from->text == NULL)
      continue;
    char *text = ent_new_text(context, from->text, strlen(from->text));
    if (text == NULL) {
      entropic_parameters_free(made);
      return ENTROPIC_NO_MEMORY;
    }
    made->settings[i] = *from;
    made->settings[i].text = text;
  }
  *copy = made;
  return ENTROPIC_OK;
}

const char *ent_parameter_choice(const ent_parameter *row, size_t choice, size_t *length, const char **help) {
  *help = "";
  if (row->choice != NULL) {
    const char *name = row->choice(choice, help);
    *length = name == NULL ? 0 : strlen(name);
    return name;
  }
  const char *at = row->info.value;
  for (; choice > 0 && at != NULL; choice--) {
    at = strchr(at, '|');
    at = at == NULL ? NULL : at + 1;
  }
  *length = at == NULL ? 0 : strcspn(at, "|");
  return at;
}

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

/* One number of a parameter, with blanks around it in lists. */
static bool parse_value(const entropic_parameter *info, const char *text, size_t length, ent_setting *setting) {
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
  format_words(info->words, words);
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
    if (parse_value(info, text, length, &other) && other.integer == integer)
      return true;
    text += length + 1;
  }
  return false;
}

static entropic_status take_numbers(entropic_context *context, const entropic_parameters *parameters,
                                    const entropic_parameter *info, const char *text, ent_setting *setting) {
  bool list = info->type == ENTROPIC_PARAMETER_NUMBERS || info->type == ENTROPIC_PARAMETER_INTEGERS;
  const char *start = text;
  char spelling[ENT_SPELLING_SIZE];
  for (;;) {
    size_t length = list ? strcspn(text, ",") : strlen(text);
    if (!parse_value(info, text, length, setting))
      return fail_number(context, parameters, info, text, length);
    if (info->type == ENTROPIC_PARAMETER_INTEGERS && has_integer(info, start, text, setting->integer))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: %" PRIu64 " is there twice",
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

static bool find_character(const char *text, int *character) {
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

/* Checks a text for a parameter, and reads what it stands for. */
static entropic_status take(entropic_context *context, const entropic_parameters *parameters, const ent_parameter *row,
                            const char *text, ent_setting *setting) {
  char spelling[ENT_SPELLING_SIZE], shown[ENT_SHOW_SIZE];
  int character;
  ent_parameters_spelling(parameters, row->info.name, spelling);
  ent_show(text, strlen(text), shown);
  setting->word = is_word(row->info.words, text, strlen(text));
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
    if (find_character(text, &character))
      return ENTROPIC_OK;
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s %s: expected one character, or its name, such as comma or tab",
                    spelling, shown);
  case ENTROPIC_PARAMETER_COLUMNS:
    if (!has_hole(text))
      return ENTROPIC_OK;
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s %s: a name is empty", spelling, shown);
  case ENTROPIC_PARAMETER_TEXT:
  case ENTROPIC_PARAMETER_COLUMN:
    break;
  }
  return ENTROPIC_OK;
}

entropic_status entropic_parameters_set(entropic_context *context, entropic_parameters *parameters, const char *name,
                                        const char *text) {
  ENT_NEED(context, parameters);
  ENT_NEED(context, name);
  ENT_NEED(context, text);
  const ent_parameter *row = find(parameters, name);
  if (row == NULL)
    return fail_name(context, parameters, name);
  char spelling[ENT_SPELLING_SIZE];
  if (strlen(text) > TEXT_MOST)
    return ent_fail(context, ENTROPIC_TOO_LARGE, "%s: its value has more than %d bytes",
                    ent_parameters_spelling(parameters, row->info.name, spelling), TEXT_MOST);
  ent_setting setting = {0};
  entropic_status status = take(context, parameters, row, text, &setting);
  if (status != ENTROPIC_OK)
    return status;
  setting.text = ent_new_text(context, text, strlen(text));
  if (setting.text == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_delete(setting_of(parameters, row)->text);
  *setting_of(parameters, row) = setting;
  return ENTROPIC_OK;
}

entropic_status entropic_parameters_reset(entropic_context *context, entropic_parameters *parameters,
                                          const char *name) {
  ENT_NEED(context, parameters);
  ENT_NEED(context, name);
  const ent_parameter *row = find(parameters, name);
  if (row == NULL)
    return fail_name(context, parameters, name);
  ent_delete(setting_of(parameters, row)->text);
  *setting_of(parameters, row) = (ent_setting){0};
  return ENTROPIC_OK;
}

entropic_status entropic_parameters_spell(entropic_context *context, entropic_parameters *parameters,
                                          const char *prefix, char separator) {
  ENT_NEED(context, parameters);
  ENT_NEED(context, prefix);
  if (strlen(prefix) >= ENT_PREFIX_SIZE || separator == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "a prefix has at most %d bytes, a separator is a character",
                    ENT_PREFIX_SIZE - 1);
  strcpy(parameters->prefix, prefix);
  parameters->separator = separator;
  return ENTROPIC_OK;
}

const char *entropic_parameters_get(const entropic_parameters *parameters, const char *name) {
  const ent_parameter *row = parameters == NULL || name == NULL ? NULL : find(parameters, name);
  if (row == NULL)
    return NULL;
  const ent_setting *setting = setting_of(parameters, row);
  return setting->text != NULL ? setting->text : row->info.fallback;
}

int entropic_parameters_given(const entropic_parameters *parameters, const char *name) {
  return name != NULL && ent_parameters_given(parameters, name);
}

/* The setting of a name, NULL if nothing is given. A column may be called auto: only where the word stands for the
 * default does it mean that nothing is. */
static const ent_setting *given(const entropic_parameters *parameters, const char *name) {
  const ent_parameter *row = parameters == NULL ? NULL : find(parameters, name);
  const ent_setting *setting = row == NULL ? NULL : setting_of(parameters, row);
  if (setting == NULL || setting->text == NULL)
    return NULL;
  bool automatic = (setting->word || row->info.type == ENTROPIC_PARAMETER_CHOICE) && strcmp(setting->text, "auto") == 0;
  return automatic ? NULL : setting;
}

bool ent_parameters_given(const entropic_parameters *parameters, const char *name) {
  return given(parameters, name) != NULL;
}

const char *ent_parameters_text(const entropic_parameters *parameters, const char *name) {
  const ent_setting *setting = given(parameters, name);
  return setting == NULL ? NULL : setting->text;
}

bool ent_parameters_is(const entropic_parameters *parameters, const char *name, const char *text) {
  const ent_setting *setting = given(parameters, name);
  return setting != NULL && strcmp(setting->text, text) == 0;
}

bool ent_parameters_flag(const entropic_parameters *parameters, const char *name) {
  const ent_setting *setting = given(parameters, name);
  return setting != NULL && setting->value != 0;
}

uint64_t ent_parameters_integer(const entropic_parameters *parameters, const char *name, uint64_t fallback) {
  const ent_setting *setting = given(parameters, name);
  return setting == NULL || setting->word ? fallback : setting->integer;
}

double ent_parameters_number(const entropic_parameters *parameters, const char *name, double fallback) {
  const ent_setting *setting = given(parameters, name);
  return setting == NULL || setting->word ? fallback : setting->value;
}

int ent_parameters_choice(const entropic_parameters *parameters, const char *name, const char *(*name_of)(int number),
                          int first, int fallback) {
  const char *text = ent_parameters_text(parameters, name);
  if (text == NULL)
    return fallback;
  for (int number = first; name_of(number) != NULL; number++)
    if (strcmp(name_of(number), text) == 0)
      return number;
  return fallback;
}

int ent_parameters_character(const entropic_parameters *parameters, const char *name, int fallback) {
  const char *text = ent_parameters_text(parameters, name);
  int character = fallback;
  if (text != NULL)
    find_character(text, &character);
  return character;
}

size_t ent_parameters_items(const entropic_parameters *parameters, const char *name) {
  const ent_setting *setting = given(parameters, name);
  if (setting == NULL || setting->word)
    return 0;
  size_t count = 1;
  for (const char *at = setting->text; (at = strchr(at, ',')) != NULL; at++)
    count++;
  return count;
}

bool ent_parameters_item(const entropic_parameters *parameters, const char *name, size_t index, double *value) {
  const char *text = ent_parameters_text(parameters, name);
  ent_setting setting = {0};
  if (text == NULL || index >= ent_parameters_items(parameters, name))
    return false;
  for (; index > 0; index--)
    text = strchr(text, ',') + 1;
  if (!parse_value(&find(parameters, name)->info, text, strcspn(text, ","), &setting))
    return false;
  *value = setting.value;
  return true;
}

entropic_status ent_parameters_need(entropic_context *context, const entropic_parameters *parameters,
                                    unsigned purposes) {
  if (parameters == NULL || (parameters->purpose & purposes) != 0)
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the parameters are for another purpose than this call");
}
