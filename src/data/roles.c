/* Which column is for what: lists of names and numbers, and what was meant by those that are not there. */
#include <stdio.h>
#include <string.h>

#include "data/columns.h"
#include "data/table.h"

#define ENT_NAME_MOST 60
#define ENT_LISTED_MOST 20

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Edits that turn one name into the other, of at most ENT_NAME_MOST characters each; case aside. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length) {
  size_t row[ENT_NAME_MOST + 1];
  for (size_t j = 0; j <= b_length; j++)
    row[j] = j;
  for (size_t i = 1; i <= a_length; i++) {
    size_t corner = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
      size_t changed = corner + (ent_lower(a[i - 1]) != ent_lower(b[j - 1]));
      corner = row[j];
      row[j] = least(changed, least(row[j], row[j - 1]) + 1);
    }
  }
  return row[b_length];
}

/* The name that is nearest to one that is not there, or NULL if none is near. */
static const char *find_near(const ent_columns *columns, const ent_dictionary *taken, const char *name, size_t length) {
  size_t best = length / 3 + 2;
  const char *found = NULL;
  uint32_t code;
  for (size_t i = 0; i < columns->count && length <= ENT_NAME_MOST; i++) {
    const char *other = columns->list[i].name;
    size_t other_length = strlen(other);
    if (other_length > ENT_NAME_MOST || columns->list[i].role != ENTROPIC_ROLE_INPUT ||
        (taken != NULL && ent_dictionary_find(taken, other, other_length, &code)))
      continue;
    size_t edits = distance(name, length, other, other_length);
    if (edits < best && edits < other_length) {
      best = edits;
      found = other;
    }
  }
  return found;
}

entropic_status ent_columns_fail_unknown(entropic_context *context, entropic_status status, const ent_columns *columns,
                                         const ent_dictionary *taken, const char *what, const char *name,
                                         size_t length) {
  char shown[ENT_SHOW_SIZE], near[ENT_SHOW_SIZE];
  const char *found = find_near(columns, taken, name, length);
  ent_show(name, length, shown);
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
                  columns->headless ? ", as line 1 is taken for data (--header yes takes it for names)" : "");
}

static entropic_status fail_unknown(entropic_context *context, const ent_columns *columns, const ent_dictionary *taken,
                                    const char *name, size_t length) {
  return ent_columns_fail_unknown(context, ENTROPIC_BAD_ARGUMENT, columns, taken, "", name, length);
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
entropic_status ent_columns_find(entropic_context *context, const ent_columns *columns, const ent_dictionary *taken,
                                 const char *name, size_t length, size_t *column) {
  if (find_name(columns, name, length, column))
    return ENTROPIC_OK;
  size_t number = 0;
  for (size_t i = 0; i < length; i++) {
    if (name[i] < '0' || name[i] > '9' || length > 9)
      return fail_unknown(context, columns, taken, name, length);
    number = number * 10 + (size_t)(name[i] - '0');
  }
  if (length == 0)
    return fail_unknown(context, columns, taken, name, length);
  if (number < 1 || number > columns->count)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: no column %zu; there are %zu", columns->file, number,
                    columns->count);
  *column = number - 1;
  return ENTROPIC_OK;
}

/* Says so where a name was found that is the number of another column. */
static entropic_status tell_number(entropic_context *context, ent_columns *columns, const char *name, size_t index) {
  size_t number = 0, length = strlen(name);
  if (length == 0 || length > 9 || strspn(name, "0123456789") < length)
    return ENTROPIC_OK;
  for (size_t i = 0; i < length; i++)
    number = number * 10 + (size_t)(name[i] - '0');
  if (number == 0 || number > columns->count || number == index + 1)
    return ENTROPIC_OK;
  return ent_notices_add(context, &columns->notices,
                         "column %s is the one of that name, number %zu; names come before numbers", name, index + 1);
}

static const char *const role_names[] = {"an input", "the target", "the weight", "the group", "ignored"};

/* What a list says of its columns. */
typedef enum ent_listing { ENT_LIST_ROLE, ENT_LIST_CATEGORICAL, ENT_LIST_KEEP, ENT_LIST_TIME } ent_listing;

/* A column says when rows were; an ignored one is read for that. */
static entropic_status take_time(entropic_context *context, ent_column *column, const char *shown) {
  bool allowed = column->role == ENTROPIC_ROLE_INPUT || column->role == ENTROPIC_ROLE_IGNORED;
  if (!allowed || column->declared)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "column %s is %s and cannot be the time", shown,
                    allowed ? "categorical" : role_names[column->role]);
  column->time = true;
  if (column->mode == ENT_MODE_SKIP)
    column->mode = ENT_MODE_NUMBER;
  return ENTROPIC_OK;
}

/* One item of a list, which is about the columns `listed`: these, or those of a table that they are to be like. */
static entropic_status take(entropic_context *context, ent_columns *columns, const ent_columns *listed,
                            const char *name, size_t length, entropic_role role, ent_listing listing) {
  size_t index = 0;
  entropic_status status = ent_columns_find(context, listed, NULL, name, length, &index);
  if (status != ENTROPIC_OK)
    return status;
  const char *meant = listed->list[index].name;
  if (listed == columns && strlen(meant) == length && memcmp(meant, name, length) == 0)
    status = tell_number(context, columns, meant, index);
  if (status != ENTROPIC_OK)
    return status;
  if (listed != columns && !find_name(columns, meant, strlen(meant), &index))
    return role != ENTROPIC_ROLE_WEIGHT ? ENTROPIC_OK
                                        : ent_columns_fail_unknown(context, ENTROPIC_BAD_DATA, columns, NULL,
                                                                   ", which is the weight", meant, strlen(meant));
  ent_column *column = &columns->list[index];
  char shown[ENT_SHOW_SIZE];
  ent_show(column->name, strlen(column->name), shown);
  if (listing == ENT_LIST_TIME)
    return take_time(context, column, shown);
  if (listing == ENT_LIST_KEEP) {
    if (column->role != ENTROPIC_ROLE_INPUT)
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "column %s is %s and cannot be kept as an input", shown,
                      role_names[column->role]);
    column->kept = true;
    return ENTROPIC_OK;
  }
  if (listing == ENT_LIST_CATEGORICAL) {
    if (column->role == ENTROPIC_ROLE_IGNORED)
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "column %s is ignored and cannot be categorical", shown);
    column->declared = true;
    return ent_column_make_text(context, column);
  }
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

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

static entropic_status take_list(entropic_context *context, ent_columns *columns, const ent_columns *listed,
                                 const char *list, entropic_role role, ent_listing listing, bool single) {
  if (list == NULL)
    return ENTROPIC_OK;
  size_t length = strlen(list), column;
  if (single || find_name(listed, list, length, &column))
    return take(context, columns, listed, list, length, role, listing);
  entropic_status status;
  do {
    const char *item = list, *end = list + strcspn(list, ",");
    list = end;
    if (!find_name(listed, item, (size_t)(end - item), &column)) { /* a quoted name may have blanks of its own */
      while (item < end && is_blank(*item))
        item++;
      while (end > item && is_blank(end[-1]))
        end--;
    }
    status = take(context, columns, listed, item, (size_t)(end - item), role, listing);
  } while (*list++ == ',' && status == ENTROPIC_OK);
  return status;
}

/* Columns that a table is to be like are read the same way. */
static void take_notations(ent_columns *columns, const ent_columns *like) {
  for (size_t i = 0; i < like->count; i++) {
    const ent_column *from = &like->list[i];
    size_t index;
    if (from->notation == ENT_NOTATION_PLAIN || (from->mode != ENT_MODE_NOTED && from->mode != ENT_MODE_DATE) ||
        !find_name(columns, from->name, strlen(from->name), &index) || columns->list[index].mode != ENT_MODE_NUMBER)
      continue;
    ent_column_set_notation(&columns->list[index], from->notation);
  }
}

entropic_status ent_columns_set_roles(entropic_context *context, ent_columns *columns, const entropic_roles *roles) {
  const struct {
    const char *list;
    entropic_role role;
    ent_listing listing;
    bool single;
  } lists[] = {
      {roles->targets, ENTROPIC_ROLE_TARGET, ENT_LIST_ROLE, false},
      {roles->weights, ENTROPIC_ROLE_WEIGHT, ENT_LIST_ROLE, true},
      {roles->groups, ENTROPIC_ROLE_GROUP, ENT_LIST_ROLE, true},
      {roles->ignore, ENTROPIC_ROLE_IGNORED, ENT_LIST_ROLE, false},
      {roles->categorical, ENTROPIC_ROLE_INPUT, ENT_LIST_CATEGORICAL, false},
      {roles->keep, ENTROPIC_ROLE_INPUT, ENT_LIST_KEEP, false},
      {roles->time, ENTROPIC_ROLE_INPUT, ENT_LIST_TIME, true},
  };
  const ent_columns *listed = roles->like == NULL ? columns : &roles->like->source->columns;
  entropic_status status = ENTROPIC_OK;
  if (roles->groups != NULL && roles->time != NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "there are both groups and a time, expected one of them");
  for (size_t i = 0; i < sizeof lists / sizeof lists[0] && status == ENTROPIC_OK; i++)
    status = take_list(context, columns, listed, lists[i].list, lists[i].role, lists[i].listing, lists[i].single);
  columns->alike = listed != columns;
  if (status == ENTROPIC_OK && columns->alike)
    take_notations(columns, listed);
  return status;
}
