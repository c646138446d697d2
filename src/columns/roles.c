/* Which column is for what: lists of names and numbers, and what was meant by those that are not there. */
#include <stdio.h>
#include <string.h>

#include "columns/columns.h"

#define ENT_LISTED_MOST 20

/* The column whose name is nearest to one that is not there, or NULL if none is near. */
static const char *find_near(const ent_columns *columns, const ent_column_query *query) {
  size_t best = query->length / 3 + 2;
  const char *found = NULL;
  uint32_t code;
  for (size_t i = 0; i < columns->count; i++) {
    const char *other = columns->list[i].name;
    size_t length = strlen(other);
    if (columns->list[i].role != ENTROPIC_ROLE_INPUT ||
        (query->taken != NULL && ent_dictionary_find(query->taken, other, length, &code)))
      continue;
    size_t distance = entropic_edit_distance(query->name, query->length, other, length);
    if (distance < best && distance < length) {
      best = distance;
      found = other;
    }
  }
  return found;
}

entropic_status ent_columns_fail_unknown(entropic_context *context, entropic_status status, const ent_columns *columns,
                                         const ent_column_query *query) {
  char shown[ENT_SHOW_SIZE], near[ENT_SHOW_SIZE];
  const char *found = find_near(columns, query), *what = query->what == NULL ? "" : query->what;
  ent_show(query->name, query->length, shown);
  if (found != NULL)
    return ent_fail(context, status, "%s: no column %s%s: did you mean %s?", columns->file, shown, what,
                    ent_show(found, strlen(found), near));
  if (columns->count > ENT_LISTED_MOST)
    return ent_fail(context, status, "%s: no column %s%s; there are %zu, the first is %s", columns->file, shown, what,
                    columns->count, ent_show(columns->list[0].name, strlen(columns->list[0].name), near));
  char list[ENT_MESSAGE_SIZE];
  size_t used = 0;
  for (size_t i = 0; i < columns->count && used < sizeof list; i++) {
    const char *other = columns->list[i].name;
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "",
                             ent_show(other, strlen(other), near));
  }
  return ent_fail(context, status, "%s: no column %s%s; there are %s%s", columns->file, shown, what, list,
                  columns->headless ? ", as line 1 is read as data (--header yes reads it as names)" : "");
}

static bool find_name(const ent_columns *columns, const char *name, size_t length, size_t *column) {
  for (size_t i = 0; i < columns->count; i++) {
    if (strlen(columns->list[i].name) == length && memcmp(columns->list[i].name, name, length) == 0) {
      *column = i;
      return true;
    }
  }
  return false;
}

/* Names come first: a header may have a column called 2. */
entropic_status ent_columns_find(entropic_context *context, const ent_columns *columns, const ent_column_query *query,
                                 size_t *column) {
  size_t number = 0, length = query->length;
  if (find_name(columns, query->name, length, column))
    return ENTROPIC_OK;
  if (length == 0 || length > 9)
    return ent_columns_fail_unknown(context, ENTROPIC_BAD_ARGUMENT, columns, query);
  for (size_t i = 0; i < length; i++) {
    if (query->name[i] < '0' || query->name[i] > '9')
      return ent_columns_fail_unknown(context, ENTROPIC_BAD_ARGUMENT, columns, query);
    number = number * 10 + (size_t)(query->name[i] - '0');
  }
  if (number < 1 || number > columns->count)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: no column %zu; there are %zu", columns->file, number,
                    columns->count);
  *column = number - 1;
  return ENTROPIC_OK;
}

/* Adds a notice where a name was found that is the number of another column. */
static entropic_status notice_number(entropic_context *context, ent_columns *columns, const char *name, size_t index) {
  size_t number = 0, length = strlen(name);
  if (length == 0 || length > 9 || strspn(name, "0123456789") < length)
    return ENTROPIC_OK;
  for (size_t i = 0; i < length; i++)
    number = number * 10 + (size_t)(name[i] - '0');
  if (number == 0 || number > columns->count || number == index + 1)
    return ENTROPIC_OK;
  return ent_notices_add(context, &columns->notices,
                         "column %s is the one with that name, number %zu: names take precedence over numbers", name,
                         index + 1);
}

static const char *const role_names[] = {"an input", "the target", "the weight", "the group", "ignored"};

/* What a list says of its columns. */
typedef enum ent_listing { ENT_LIST_ROLE, ENT_LIST_CATEGORICAL, ENT_LIST_KEEP, ENT_LIST_TIME } ent_listing;

/* A list of columns. */
typedef struct ent_column_list {
  const char *text; /* comma separated, or NULL */
  entropic_role role;
  ent_listing listing;
  bool single; /* it names one column, which may have commas in its name */
} ent_column_list;

/* The columns that lists are for, and those that their names are of: the same, or those of the table whose schema the
 * columns have. */
typedef struct ent_role_setting {
  ent_columns *columns;
  const ent_columns *listed;
} ent_role_setting;

/* A column says when rows were; an ignored one is read for that. */
static entropic_status set_time(entropic_context *context, ent_column *column, const char *shown) {
  bool allowed = column->role == ENTROPIC_ROLE_INPUT || column->role == ENTROPIC_ROLE_IGNORED;
  if (!allowed || column->declared)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "column %s is %s and cannot be the time", shown,
                    allowed ? "categorical" : role_names[column->role]);
  column->time = true;
  if (column->mode == ENT_MODE_SKIP)
    column->mode = ENT_MODE_NUMBER;
  return ENTROPIC_OK;
}

static entropic_status set_role(entropic_context *context, ent_column *column, entropic_role role, const char *shown) {
  if (column->role != ENTROPIC_ROLE_INPUT && column->role != role)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "column %s is %s and cannot be %s", shown, role_names[column->role],
                    role_names[role]);
  if (column->role == ENTROPIC_ROLE_TARGET && role == ENTROPIC_ROLE_TARGET)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "column %s is listed as a target twice, expected it once", shown);
  column->role = role;
  if (role == ENTROPIC_ROLE_IGNORED)
    column->mode = ENT_MODE_SKIP;
  return ENTROPIC_OK;
}

/* Sets what a list says of a column. */
static entropic_status set_listed(entropic_context *context, ent_column *column, const ent_column_list *list) {
  char shown[ENT_SHOW_SIZE];
  ent_show(column->name, strlen(column->name), shown);
  switch (list->listing) {
  case ENT_LIST_TIME:
    return set_time(context, column, shown);
  case ENT_LIST_KEEP:
    if (column->role != ENTROPIC_ROLE_INPUT)
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "column %s is %s and cannot be kept as an input", shown,
                      role_names[column->role]);
    column->kept = true;
    return ENTROPIC_OK;
  case ENT_LIST_CATEGORICAL:
    if (column->role == ENTROPIC_ROLE_IGNORED)
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "column %s is ignored and cannot be categorical", shown);
    column->declared = true;
    return ent_column_make_text(context, column);
  default:
    return set_role(context, column, list->role, shown);
  }
}

/* Finds the column of one item of a list and sets what the list says. */
static entropic_status take_item(entropic_context *context, const ent_role_setting *setting,
                                 const ent_column_list *list, const char *name, size_t length) {
  ent_columns *columns = setting->columns;
  const ent_columns *listed = setting->listed;
  size_t index = 0;
  entropic_status status =
      ent_columns_find(context, listed, &(ent_column_query){.name = name, .length = length}, &index);
  if (status != ENTROPIC_OK)
    return status;
  const char *meant = listed->list[index].name;
  if (listed == columns && strlen(meant) == length && memcmp(meant, name, length) == 0) {
    status = notice_number(context, columns, meant, index);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (listed != columns && !find_name(columns, meant, strlen(meant), &index)) {
    if (list->role != ENTROPIC_ROLE_WEIGHT)
      return ENTROPIC_OK;
    return ent_columns_fail_unknown(
        context, ENTROPIC_BAD_DATA, columns,
        &(ent_column_query){.name = meant, .length = strlen(meant), .what = ", which is the weight"});
  }
  return set_listed(context, &columns->list[index], list);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

static entropic_status take_list(entropic_context *context, const ent_role_setting *setting,
                                 const ent_column_list *list) {
  const char *next = list->text;
  if (next == NULL)
    return ENTROPIC_OK;
  size_t length = strlen(next), column;
  if (list->single || find_name(setting->listed, next, length, &column))
    return take_item(context, setting, list, next, length);
  do {
    const char *item = next, *end = next + strcspn(next, ",");
    next = end;
    if (!find_name(setting->listed, item, (size_t)(end - item), &column)) { /* a quoted name may have blanks in it */
      while (item < end && is_blank(*item))
        item++;
      while (end > item && is_blank(end[-1]))
        end--;
    }
    entropic_status status = take_item(context, setting, list, item, (size_t)(end - item));
    if (status != ENTROPIC_OK)
      return status;
  } while (*next++ == ',');
  return ENTROPIC_OK;
}

/* Columns with the schema of another table are read by its notations. */
static void take_notations(ent_columns *columns, const ent_columns *schema) {
  for (size_t i = 0; i < schema->count; i++) {
    const ent_column *from = &schema->list[i];
    size_t index;
    if (from->notation == ENT_NOTATION_PLAIN || (from->mode != ENT_MODE_NOTED && from->mode != ENT_MODE_DATE) ||
        !find_name(columns, from->name, strlen(from->name), &index) || columns->list[index].mode != ENT_MODE_NUMBER)
      continue;
    ent_column_set_notation(&columns->list[index], from->notation);
  }
}

entropic_status ent_columns_set_roles(entropic_context *context, ent_columns *columns, const ent_roles *roles) {
  const ent_column_list lists[] = {
      {roles->targets, ENTROPIC_ROLE_TARGET, ENT_LIST_ROLE, false},
      {roles->weights, ENTROPIC_ROLE_WEIGHT, ENT_LIST_ROLE, true},
      {roles->groups, ENTROPIC_ROLE_GROUP, ENT_LIST_ROLE, true},
      {roles->ignore, ENTROPIC_ROLE_IGNORED, ENT_LIST_ROLE, false},
      {roles->categorical, ENTROPIC_ROLE_INPUT, ENT_LIST_CATEGORICAL, false},
      {roles->keep, ENTROPIC_ROLE_INPUT, ENT_LIST_KEEP, false},
      {roles->time, ENTROPIC_ROLE_INPUT, ENT_LIST_TIME, true},
  };
  ent_role_setting setting = {columns, roles->schema_of == NULL ? columns : roles->schema_of};
  if (roles->groups != NULL && roles->time != NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "groups and time cannot be combined");
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    entropic_status status = take_list(context, &setting, &lists[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  columns->schema_known = setting.listed != columns;
  if (columns->schema_known)
    take_notations(columns, setting.listed);
  return ENTROPIC_OK;
}
