/* Names asked for, and names made different: see header.h. */
#include "data/header.h"

#include <stdio.h>
#include <string.h>

/* So many new names are told. */
#define ENT_TOLD_MOST 5

bool ent_header_is_number(const char *name, size_t length) {
  double value;
  if (entropic_parse_double(name, length, &value) != ENTROPIC_BAD_DATA)
    return true;
  for (size_t i = 0; i < length; i++)
    if (strchr("0123456789+-., ", name[i]) == NULL || name[i] == '\0')
      return false;
  return true;
}

static entropic_status add_name(entropic_context *context, ent_dictionary *names, const char *name, size_t length) {
  uint32_t code;
  bool is_new;
  return length == 0 ? ENTROPIC_OK : ent_dictionary_code(context, names, name, length, &code, &is_new);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/* The list as one name, and the names between its commas. A list of numbers is no name. */
static entropic_status add_list(entropic_context *context, ent_dictionary *names, const char *list) {
  entropic_status status = ENTROPIC_OK;
  if (list == NULL)
    return status;
  if (strchr(list, ',') != NULL && !ent_header_is_number(list, strlen(list)))
    status = add_name(context, names, list, strlen(list));
  while (status == ENTROPIC_OK) {
    const char *end = list + strcspn(list, ","), *next = end;
    while (list < end && is_blank(*list))
      list++;
    while (end > list && is_blank(end[-1]))
      end--;
    status = add_name(context, names, list, (size_t)(end - list));
    if (*next == '\0')
      break;
    list = next + 1;
  }
  return status;
}

/* Hands the dictionary over, unless it is empty. */
static entropic_status hand_over(ent_dictionary *made, entropic_status status, ent_dictionary **names) {
  *names = status == ENTROPIC_OK && ent_dictionary_size(made) > 0 ? made : NULL;
  if (*names == NULL)
    ent_dictionary_free(made);
  return status;
}

entropic_status ent_header_asked(entropic_context *context, const entropic_roles *roles, ent_dictionary **asked) {
  const char *const lists[] = {roles->targets, roles->weights,     roles->groups, roles->ignore,
                               roles->keep,    roles->categorical, roles->time};
  ent_dictionary *made = NULL;
  entropic_status status = ent_dictionary_create(context, &made);
  for (size_t i = 0; i < sizeof lists / sizeof lists[0] && status == ENTROPIC_OK; i++)
    status = add_list(context, made, lists[i]);
  return hand_over(made, status, asked);
}

entropic_status ent_header_of(entropic_context *context, const ent_columns *columns, ent_dictionary **names) {
  ent_dictionary *made = NULL;
  entropic_status status = ent_dictionary_create(context, &made);
  for (size_t i = 0; i < columns->count && columns->named && status == ENTROPIC_OK; i++)
    if (columns->list[i].role == ENTROPIC_ROLE_INPUT)
      status = add_name(context, made, columns->list[i].name, strlen(columns->list[i].name));
  return hand_over(made, status, names);
}

entropic_status ent_header_has_twins(entropic_context *context, const ent_columns *columns, bool *twins) {
  ent_dictionary *names = NULL;
  *twins = false;
  entropic_status status = ent_dictionary_create(context, &names);
  for (size_t i = 0; i < columns->count && status == ENTROPIC_OK; i++) {
    const char *name = columns->list[i].name;
    uint32_t code;
    bool is_new = true;
    if (name != NULL)
      status = ent_dictionary_code(context, names, name, strlen(name), &code, &is_new);
    *twins = *twins || !is_new;
  }
  ent_dictionary_free(names);
  return status;
}

entropic_status ent_header_join(entropic_context *context, ent_columns *columns, size_t column, const char *name,
                                size_t length) {
  const char *before = columns->list[column].name;
  if (before == NULL)
    return ent_columns_name(context, columns, column, name, length);
  size_t first = strlen(before);
  char *joined = ent_new(context, first + length + 2, 1);
  if (joined == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(joined, before, first);
  joined[first] = '_';
  memcpy(joined + first + 1, name, length);
  entropic_status status = ent_columns_name(context, columns, column, joined, first + 1 + length);
  ent_delete(joined);
  return status;
}

/* Names on their way to being different. */
typedef struct ent_header_settling {
  ent_columns *columns;
  ent_dictionary *used;
  size_t *next; /* the number to try next behind the name of a code */
  size_t renamed, nameless;
  char class_validation[ENT_TOLD_MOST * (ENT_SHOW_SIZE + 2)];
  char told_nameless[ENT_SHOW_SIZE];
} ent_header_settling;

/* Calls a column by `base`, or, if that is used, by it and a number that is not. */
static entropic_status call(entropic_context *context, ent_header_settling *of, size_t column, const char *base,
                            bool *taken) {
  size_t length = strlen(base), size = length + 32;
  uint32_t code = 0;
  bool is_new = false;
  *taken = ent_dictionary_find(of->used, base, length, &code);
  char *name = ent_new(context, size, 1);
  if (name == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(name, base, length);
  uint32_t other;
  for (size_t *next = &of->next[code]; *taken && ent_dictionary_find(of->used, name, strlen(name), &other);)
    snprintf(name + length, size - length, ".%zu", ++*next);
  entropic_status status = ent_dictionary_code(context, of->used, name, strlen(name), &code, &is_new);
  if (status == ENTROPIC_OK)
    status = ent_columns_name(context, of->columns, column, name, strlen(name));
  ent_delete(name);
  return status;
}

static entropic_status rename_twin(entropic_context *context, ent_header_settling *of, size_t column) {
  char shown[ENT_SHOW_SIZE];
  bool taken;
  char *base = ent_new_text(context, of->columns->list[column].name, strlen(of->columns->list[column].name));
  if (base == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = call(context, of, column, base, &taken);
  ent_delete(base);
  if (status != ENTROPIC_OK)
    return status;
  const char *name = of->columns->list[column].name;
  size_t used = strlen(of->class_validation);
  if (of->renamed++ < ENT_TOLD_MOST)
    snprintf(of->class_validation + used, sizeof of->class_validation - used, "%s%s", used > 0 ? ", " : "",
             ent_show(name, strlen(name), shown));
  return ENTROPIC_OK;
}

static entropic_status name_nameless(entropic_context *context, ent_header_settling *of, size_t column) {
  char base[ENTROPIC_NUMBER_SIZE + 1] = "x";
  entropic_format_double((double)(column + 1), base + 1);
  bool taken;
  entropic_status status = call(context, of, column, base, &taken);
  if (status == ENTROPIC_OK && taken && of->nameless++ == 0)
    snprintf(of->told_nameless, sizeof of->told_nameless, "%s", of->columns->list[column].name);
  return status;
}

static entropic_status tell(entropic_context *context, const ent_header_settling *of) {
  entropic_status status = ENTROPIC_OK;
  ent_notices *notices = &of->columns->notices;
  char more[48] = "";
  if (of->renamed > ENT_TOLD_MOST)
    snprintf(more, sizeof more, " and %zu more", of->renamed - ENT_TOLD_MOST);
  if (of->renamed == 1)
    status = ent_notices_add(context, notices, "a column has the name of another before it, and is called %s",
                             of->class_validation);
  else if (of->renamed > 1)
    status = ent_notices_add(context, notices, "%zu columns have the names of others before them, and are called %s%s",
                             of->renamed, of->class_validation, more);
  if (status == ENTROPIC_OK && of->nameless > 0)
    status = ent_notices_add(context, notices, "%zu column%s without a name: the first is called %s", of->nameless,
                             of->nameless == 1 ? "" : "s", of->told_nameless);
  return status;
}

entropic_status ent_header_settle(entropic_context *context, ent_columns *columns) {
  ent_header_settling of = {.columns = columns};
  bool *twin = ent_new(context, columns->count, sizeof *twin), is_new = true;
  entropic_status status = ENTROPIC_NO_MEMORY;
  uint32_t code;
  of.next = ent_new(context, columns->count + 1, sizeof *of.next);
  if (twin == NULL || of.next == NULL)
    goto end;
  status = ent_dictionary_create(context, &of.used);
  for (size_t i = 0; i < columns->count && status == ENTROPIC_OK; i++) {
    const char *name = columns->list[i].name;
    if (name == NULL)
      continue;
    status = ent_dictionary_code(context, of.used, name, strlen(name), &code, &is_new);
    twin[i] = !is_new;
  }
  for (size_t i = 0; i < columns->count && status == ENTROPIC_OK; i++)
    if (twin[i])
      status = rename_twin(context, &of, i);
  for (size_t i = 0; i < columns->count && status == ENTROPIC_OK; i++)
    if (columns->list[i].name == NULL)
      status = name_nameless(context, &of, i);
  if (status == ENTROPIC_OK)
    status = tell(context, &of);

end:
  ent_dictionary_free(of.used);
  ent_delete(of.next);
  ent_delete(twin);
  return status;
}
