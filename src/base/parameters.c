/* Sets of parameters: names are found, texts are checked and kept. */
#include "base/parameters.h"

#include <inttypes.h>
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
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "unknown parameter %s", shown);
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "unknown parameter %s; did you mean %s?", shown,
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

entropic_status ent_parameters_copy(entropic_context *context, const entropic_parameters *parameters,
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
    return ent_fail(context, ENTROPIC_TOO_LARGE, "%s: the value has more than %d bytes",
                    ent_parameters_spelling(parameters, row->info.name, spelling), TEXT_MOST);
  ent_setting setting = {0};
  entropic_status status = ent_parameter_take(context, parameters, row, text, &setting);
  if (status != ENTROPIC_OK)
    return status;
  setting.text = ent_new_text(context, text, strlen(text));
  if (setting.text == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_delete(setting_of(parameters, row)->text);
  *setting_of(parameters, row) = setting;
  return ENTROPIC_OK;
}

entropic_status ent_parameters_reset(entropic_context *context, entropic_parameters *parameters, const char *name) {
  ENT_NEED(context, parameters);
  ENT_NEED(context, name);
  const ent_parameter *row = find(parameters, name);
  if (row == NULL)
    return fail_name(context, parameters, name);
  ent_delete(setting_of(parameters, row)->text);
  *setting_of(parameters, row) = (ent_setting){0};
  return ENTROPIC_OK;
}

entropic_status entropic_parameters_set_name_style(entropic_context *context, entropic_parameters *parameters,
                                                   const char *prefix, char separator) {
  ENT_NEED(context, parameters);
  ENT_NEED(context, prefix);
  if (strlen(prefix) >= ENT_PREFIX_SIZE || separator == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "the prefix can have at most %d bytes, and the separator must be one character",
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
  return setting->text != NULL ? setting->text : row->info.default_text;
}

int entropic_parameters_is_set(const entropic_parameters *parameters, const char *name) {
  return name != NULL && ent_parameters_is_set(parameters, name);
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

bool ent_parameters_is_set(const entropic_parameters *parameters, const char *name) {
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

enum { CHOICES = 256 }; /* their numbers are bytes of files, and may have gaps */

int ent_parameters_choice(const entropic_parameters *parameters, const char *name, const char *(*name_of)(int number),
                          int first, int fallback) {
  const char *text = ent_parameters_text(parameters, name);
  if (text == NULL)
    return fallback;
  for (int number = first; number < CHOICES; number++)
    if (name_of(number) != NULL && strcmp(name_of(number), text) == 0)
      return number;
  return fallback;
}

int ent_parameters_character(const entropic_parameters *parameters, const char *name, int fallback) {
  const char *text = ent_parameters_text(parameters, name);
  int character = fallback;
  if (text != NULL)
    ent_parameter_character(text, &character);
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
  if (!ent_parameter_parse(&find(parameters, name)->info, text, strcspn(text, ","), &setting))
    return false;
  *value = setting.value;
  return true;
}

entropic_status ent_parameters_need(entropic_context *context, const entropic_parameters *parameters,
                                    unsigned purposes) {
  if (parameters == NULL || (parameters->purpose & purposes) != 0)
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the parameters were made for a different purpose than this call");
}

/* ---- From values: each goes by way of its text, so that one place checks them all ---- */

entropic_status entropic_parameters_set_flag(entropic_context *context, entropic_parameters *parameters,
                                             const char *name, int value) {
  return entropic_parameters_set(context, parameters, name, value ? "yes" : "no");
}

entropic_status entropic_parameters_set_integer(entropic_context *context, entropic_parameters *parameters,
                                                const char *name, uint64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, value);
  return entropic_parameters_set(context, parameters, name, text);
}

entropic_status entropic_parameters_set_number(entropic_context *context, entropic_parameters *parameters,
                                               const char *name, double value) {
  char text[ENTROPIC_NUMBER_SIZE];
  entropic_format_double(value, text);
  return entropic_parameters_set(context, parameters, name, text);
}

entropic_status entropic_parameters_set_numbers(entropic_context *context, entropic_parameters *parameters,
                                                const char *name, const double *values, size_t count) {
  ENT_NEED(context, parameters);
  ENT_NEED(context, name);
  ENT_NEED(context, values);
  if (count == 0)
    return ent_parameters_reset(context, parameters, name);
  char *text = ent_new_matrix(context, count, ENTROPIC_NUMBER_SIZE + 1, 1), *at = text;
  if (text == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < count; i++) {
    at += entropic_format_double(values[i], at);
    *at++ = i + 1 < count ? ',' : 0;
  }
  entropic_status status = entropic_parameters_set(context, parameters, name, text);
  ent_delete(text);
  return status;
}
