/* Requested names, and names made unique: see header.h. */
#include "columns/header.h"

#include <stdio.h>
#include <string.h>

/* A notice lists so many new names. */
#define ENT_RENAMED_SHOWN 5

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
  if (list == NULL)
    return ENTROPIC_OK;
  if (strchr(list, ',') != NULL && !ent_header_is_number(list, strlen(list))) {
    entropic_status status = add_name(context, names, list, strlen(list));
    if (status != ENTROPIC_OK)
      return status;
  }
  for (;;) {
    const char *end = list + strcspn(list, ","), *next = end;
    while (list < end && is_blank(*list))
      list++;
    while (end > list && is_blank(end[-1]))
      end--;
    entropic_status status = add_name(context, names, list, (size_t)(end - list));
    if (status != ENTROPIC_OK || *next == '\0')
      return status;
    list = next + 1;
  }
}

/* Hands the dictionary over to the caller, who gets NULL for an empty one. */
static entropic_status hand_over(ent_dictionary *made, ent_dictionary **names) {
  *names = made;
  if (ent_dictionary_size(made) == 0) {
    ent_dictionary_free(made);
    *names = NULL;
  }
  return ENTROPIC_OK;
}

entropic_status ent_header_requested(entropic_context *context, const ent_roles *roles, ent_dictionary **requested) {
  const char *const lists[] = {roles->targets, roles->weights,     roles->groups, roles->ignore,
                               roles->keep,    roles->categorical, roles->time};
  ent_dictionary *made = NULL;
  entropic_status status = ent_dictionary_create(context, &made);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    status = add_list(context, made, lists[i]);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  return hand_over(made, requested);
fail:
  ent_dictionary_free(made);
  return status;
}

entropic_status ent_header_of(entropic_context *context, const ent_columns *columns, ent_dictionary **names) {
  ent_dictionary *made = NULL;
  entropic_status status = ent_dictionary_create(context, &made);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < columns->count && columns->named; i++) {
    if (columns->list[i].role != ENTROPIC_ROLE_INPUT)
      continue;
    status = add_name(context, made, columns->list[i].name, strlen(columns->list[i].name));
    if (status != ENTROPIC_OK)
      goto fail;
  }
  return hand_over(made, names);
fail:
  ent_dictionary_free(made);
  return status;
}

entropic_status ent_header_has_duplicates(entropic_context *context, const ent_columns *columns, bool *duplicates) {
  ent_dictionary *names = NULL;
  *duplicates = false;
  entropic_status status = ent_dictionary_create(context, &names);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < columns->count && !*duplicates; i++) {
    const char *name = columns->list[i].name;
    uint32_t code;
    bool is_new;
    if (name == NULL)
      continue;
    status = ent_dictionary_code(context, names, name, strlen(name), &code, &is_new);
    if (status != ENTROPIC_OK)
      break;
    *duplicates = !is_new;
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

/* Names that are being made unique. */
typedef struct ent_unique_names {
  ent_columns *columns;
  ent_dictionary *used;
  size_t *next; /* by code: the last number that was put behind the name */
  size_t renamed, nameless;
  char renamed_list[ENT_RENAMED_SHOWN * (ENT_SHOW_SIZE + 2)];
  char first_nameless[ENT_SHOW_SIZE];
} ent_unique_names;

/* Names a column `base`, or, if that is used, `base` and a number. */
static entropic_status name_uniquely(entropic_context *context, ent_unique_names *of, size_t column, const char *base,
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
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_columns_name(context, of->columns, column, name, strlen(name));
done:
  ent_delete(name);
  return status;
}

static entropic_status rename_duplicate(entropic_context *context, ent_unique_names *of, size_t column) {
  char shown[ENT_SHOW_SIZE];
  bool taken;
  char *base = ent_new_text(context, of->columns->list[column].name, strlen(of->columns->list[column].name));
  if (base == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = name_uniquely(context, of, column, base, &taken);
  ent_delete(base);
  if (status != ENTROPIC_OK)
    return status;
  const char *name = of->columns->list[column].name;
  size_t used = strlen(of->renamed_list);
  if (of->renamed++ < ENT_RENAMED_SHOWN)
    snprintf(of->renamed_list + used, sizeof of->renamed_list - used, "%s%s", used > 0 ? ", " : "",
             ent_show(name, strlen(name), shown));
  return ENTROPIC_OK;
}

static entropic_status name_nameless(entropic_context *context, ent_unique_names *of, size_t column) {
  char base[ENTROPIC_NUMBER_SIZE + 1] = "x";
  entropic_format_double((double)(column + 1), base + 1);
  bool taken;
  entropic_status status = name_uniquely(context, of, column, base, &taken);
  if (status != ENTROPIC_OK)
    return status;
  if (taken && of->nameless++ == 0)
    snprintf(of->first_nameless, sizeof of->first_nameless, "%s", of->columns->list[column].name);
  return ENTROPIC_OK;
}

static entropic_status add_notices(entropic_context *context, const ent_unique_names *of) {
  entropic_status status = ENTROPIC_OK;
  ent_notices *notices = &of->columns->notices;
  char more[48] = "";
  if (of->renamed > ENT_RENAMED_SHOWN)
    snprintf(more, sizeof more, " and %zu more", of->renamed - ENT_RENAMED_SHOWN);
  if (of->renamed == 1)
    status = ent_notices_add(context, notices, "a column has the same name as an earlier one and is renamed %s",
                             of->renamed_list);
  else if (of->renamed > 1)
    status = ent_notices_add(context, notices, "%zu columns have the same names as earlier ones and are renamed %s%s",
                             of->renamed, of->renamed_list, more);
  if (status != ENTROPIC_OK || of->nameless == 0)
    return status;
  return ent_notices_add(context, notices, "%zu column%s without a name: the first is called %s", of->nameless,
                         of->nameless == 1 ? "" : "s", of->first_nameless);
}

entropic_status ent_header_make_unique(entropic_context *context, ent_columns *columns) {
  ent_unique_names of = {.columns = columns};
  bool *duplicate = ent_new(context, columns->count, sizeof *duplicate), is_new = true;
  entropic_status status = ENTROPIC_NO_MEMORY;
  uint32_t code;
  of.next = ent_new(context, columns->count + 1, sizeof *of.next);
  if (duplicate == NULL || of.next == NULL)
    goto done;
  status = ent_dictionary_create(context, &of.used);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < columns->count; i++) {
    const char *name = columns->list[i].name;
    if (name == NULL)
      continue;
    status = ent_dictionary_code(context, of.used, name, strlen(name), &code, &is_new);
    if (status != ENTROPIC_OK)
      goto done;
    duplicate[i] = !is_new;
  }
  for (size_t i = 0; i < columns->count; i++) {
    status = duplicate[i] ? rename_duplicate(context, &of, i) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      goto done;
  }
  for (size_t i = 0; i < columns->count; i++) {
    status = columns->list[i].name == NULL ? name_nameless(context, &of, i) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      goto done;
  }
  status = add_notices(context, &of);
done:
  ent_dictionary_free(of.used);
  ent_delete(of.next);
  ent_delete(duplicate);
  return status;
}
