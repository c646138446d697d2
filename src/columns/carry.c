/* Cells that are carried along: see carry.h. */
#include "columns/carry.h"

#include <string.h>

void ent_carry_free(ent_carry *carry) {
  if (carry == NULL)
    return;
  ent_delete(carry->taken);
  ent_delete(carry->column);
  ent_delete(carry->place);
  ent_delete(carry->text);
  ent_delete(carry->start);
  ent_delete(carry);
}

static entropic_status take(entropic_context *context, const ent_columns *columns, size_t column, ent_carry *carry) {
  char shown[ENT_SHOW_SIZE];
  const char *name = columns->list[column].name;
  if (carry->taken[column])
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "column %s is listed twice, expected it once",
                    ent_show(name, strlen(name), shown));
  carry->taken[column] = true;
  carry->column[carry->count++] = column;
  return ENTROPIC_OK;
}

/* Has a column this name? */
static bool is_name(const ent_columns *columns, const char *text, size_t length) {
  for (size_t i = 0; i < columns->count; i++)
    if (strlen(columns->list[i].name) == length && memcmp(columns->list[i].name, text, length) == 0)
      return true;
  return false;
}

static entropic_status take_list(entropic_context *context, const ent_columns *columns, const char *list,
                                 ent_carry *carry) {
  size_t whole = strlen(list);
  bool name = is_name(columns, list, whole); /* it may have commas in it */
  if (!name && strcmp(list, "all") == 0) {
    for (size_t i = 0; i < columns->count; i++) {
      carry->taken[i] = true;
      carry->column[carry->count++] = i;
    }
    return ENTROPIC_OK;
  }
  for (const char *next = list;; next++) {
    ent_column_cell item = {.text = next, .length = name ? whole : strcspn(next, ",")};
    next += item.length;
    if (!is_name(columns, item.text, item.length))
      ent_cell_trim(&item);
    size_t column;
    entropic_status status =
        ent_columns_find(context, columns, &(ent_column_query){.name = item.text, .length = item.length}, &column);
    if (status == ENTROPIC_OK)
      status = take(context, columns, column, carry);
    if (status != ENTROPIC_OK || *next == '\0')
      return status;
  }
}

entropic_status ent_carry_create(entropic_context *context, const ent_columns *columns, const char *list,
                                 ent_carry **carry) {
  ent_carry *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->taken = ent_new(context, columns->count, sizeof *made->taken);
  made->column = ent_new(context, columns->count, sizeof *made->column);
  made->place = ent_new(context, columns->count, sizeof *made->place);
  entropic_status status = made->taken == NULL || made->column == NULL || made->place == NULL
                               ? ENTROPIC_NO_MEMORY
                               : take_list(context, columns, list, made);
  if (status != ENTROPIC_OK) {
    ent_carry_free(made);
    return status;
  }
  for (size_t i = 0; i < made->count; i++)
    for (size_t c = 0; c < made->column[i]; c++)
      made->place[i] += made->taken[c];
  *carry = made;
  return ENTROPIC_OK;
}

entropic_status ent_carry_add(entropic_context *context, ent_carry *carry, const char *text, size_t length) {
  if (!ent_reserve(context, &carry->text, &carry->capacity, carry->used + length + 1, 1))
    return ENTROPIC_NO_MEMORY;
  if (!ent_reserve(context, &carry->start, &carry->cell_capacity, carry->cells + 1, sizeof *carry->start))
    return ENTROPIC_NO_MEMORY;
  carry->start[carry->cells++] = carry->used;
  if (length > 0)
    memcpy(carry->text + carry->used, text, length);
  carry->text[carry->used + length] = '\0';
  carry->used += length + 1;
  return ENTROPIC_OK;
}

void ent_carry_forget(ent_carry *carry) {
  if (carry != NULL)
    carry->used = carry->cells = 0;
}

const char *ent_carry_text(const ent_carry *carry, size_t row, size_t index) {
  if (carry == NULL || index >= carry->count || row >= carry->cells / carry->count)
    return NULL;
  return carry->text + carry->start[row * carry->count + carry->place[index]];
}
