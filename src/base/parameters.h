/* Sets of parameters over a table of them. The table itself stands in a later room, which knows what there is to set;
 * each room reads its own parameters by name. */
#ifndef ENT_BASE_PARAMETERS_H
#define ENT_BASE_PARAMETERS_H

#include <stdbool.h>

#include "base/context.h"
#include "entropic/parameters.h"

/* A set with the same values. */
entropic_status ent_parameters_copy(entropic_context *context, const entropic_parameters *parameters,
                                    entropic_parameters **copy);
/* Sets a parameter to its default. BAD_ARGUMENT if there is no such name. */
entropic_status ent_parameters_reset(entropic_context *context, entropic_parameters *parameters, const char *name);

/* A row of the table. */
typedef struct ent_parameter {
  entropic_parameter info;
  /* Name number `choice` of a choice, and one line about it; NULL past the last one. NULL: the names in info.value. */
  const char *(*choice)(size_t choice, const char **help);
} ent_parameter;

typedef struct ent_parameter_table {
  const ent_parameter *rows;
  size_t count;
} ent_parameter_table;

/* What was set. */
typedef struct ent_setting {
  char *text;   /* NULL: nothing */
  double value; /* of FLAG, NUMBER; of INTEGER beside integer */
  uint64_t integer;
  bool word; /* it is one of the parameter's words, such as auto */
} ent_setting;

#define ENT_PREFIX_SIZE 8
#define ENT_SPELLING_SIZE 64

struct entropic_parameters {
  const ent_parameter_table *table;
  unsigned purpose;
  ent_setting *settings; /* one for each row of the table */
  char prefix[ENT_PREFIX_SIZE], separator;
};

entropic_status ent_parameters_create(entropic_context *context, const ent_parameter_table *table, unsigned purpose,
                                      entropic_parameters **parameters);

/* Name number `choice` of a choice, of length *length; NULL past the last one. */
const char *ent_parameter_choice(const ent_parameter *row, size_t choice, size_t *length, const char **help);

/* One number of a parameter, with blanks around it in lists; false if it is none, or out of range. */
bool ent_parameter_parse(const entropic_parameter *info, const char *text, size_t length, ent_setting *setting);
/* The character that a text is or names; false if there is none. */
bool ent_parameter_character(const char *text, int *character);
/* Checks a text for a parameter, and reads what it stands for; BAD_ARGUMENT says what is expected. */
entropic_status ent_parameter_take(entropic_context *context, const entropic_parameters *parameters,
                                   const ent_parameter *row, const char *text, ent_setting *setting);

/* In all of these `parameters` may be NULL: nothing is set. The name must be in the table; where the set's purpose does
 * not have it, nothing is set. What is set to auto is not given. */
bool ent_parameters_is_set(const entropic_parameters *parameters, const char *name);
/* The text that is given, NULL if none is. */
const char *ent_parameters_text(const entropic_parameters *parameters, const char *name);
bool ent_parameters_is(const entropic_parameters *parameters, const char *name, const char *text);
bool ent_parameters_flag(const entropic_parameters *parameters, const char *name);
uint64_t ent_parameters_integer(const entropic_parameters *parameters, const char *name, uint64_t fallback);
double ent_parameters_number(const entropic_parameters *parameters, const char *name, double fallback);
/* The number of a choice: that of the first name, from `first` to 255, that is the one given; name_of is NULL of gaps. */
int ent_parameters_choice(const entropic_parameters *parameters, const char *name, const char *(*name_of)(int number),
                          int first, int fallback);
/* A character, or what stands for it by name; 0 for none. */
int ent_parameters_character(const entropic_parameters *parameters, const char *name, int fallback);
/* Number `index` of a list that is given. */
bool ent_parameters_item(const entropic_parameters *parameters, const char *name, size_t index, double *value);
size_t ent_parameters_items(const entropic_parameters *parameters, const char *name);

/* The name as messages spell it. */
const char *ent_parameters_spelling(const entropic_parameters *parameters, const char *name,
                                    char text[ENT_SPELLING_SIZE]);
/* BAD_ARGUMENT unless the set is for one of these purposes; NULL is fine. */
entropic_status ent_parameters_need(entropic_context *context, const entropic_parameters *parameters,
                                    unsigned purposes);

/* Of candidates that are tried one by one, the one that what was typed is nearest to. */
typedef struct ent_nearest {
  const char *typed;
  size_t length;
  const char *best; /* NULL: none is near; of best_length bytes */
  size_t best_length, distance;
} ent_nearest;

ent_nearest ent_nearest_start(const char *typed, size_t length);
void ent_nearest_try(ent_nearest *nearest, const char *candidate, size_t length);

#endif
