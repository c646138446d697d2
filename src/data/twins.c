/* Classes told apart by case or blanks alone: see twins.h. */
#include "data/twins.h"

#include <stdio.h>
#include <string.h>

/* So many are told. */
#define ENT_TWINS_TOLD 5

/* text[0..length) without the blanks around it and in small letters, into key; returns its length. */
static size_t fold(const char *text, size_t length, char *key) {
  size_t from = 0, used = 0;
  while (from < length && (text[from] == ' ' || text[from] == '\t'))
    from++;
  while (length > from && (text[length - 1] == ' ' || text[length - 1] == '\t'))
    length--;
  while (from < length)
    key[used++] = ent_lower(text[from++]);
  return used;
}

typedef struct ent_twins {
  ent_dictionary *folded;
  const char **first; /* the first class of each folded name */
  size_t count;
  char class_validation[ENT_TWINS_TOLD * (2 * ENT_SHOW_SIZE + 16)];
} ent_twins;

static entropic_status add_class(entropic_context *context, ent_twins *twins, const char *name) {
  size_t length = strlen(name);
  char *key = ent_new(context, length + 1, 1);
  if (key == NULL)
    return ENTROPIC_NO_MEMORY;
  uint32_t code = 0;
  bool is_new = false;
  entropic_status status = ent_dictionary_code(context, twins->folded, key, fold(name, length, key), &code, &is_new);
  ent_delete(key);
  if (status != ENTROPIC_OK)
    return status;
  if (is_new) {
    twins->first[code] = name;
    return ENTROPIC_OK;
  }
  char one[ENT_SHOW_SIZE], other[ENT_SHOW_SIZE];
  const char *first = twins->first[code];
  size_t used = strlen(twins->class_validation);
  if (twins->count++ < ENT_TWINS_TOLD)
    snprintf(twins->class_validation + used, sizeof twins->class_validation - used, "%s'%s' and '%s'",
             used > 0 ? ", " : "", ent_show(first, strlen(first), one), ent_show(name, length, other));
  return ENTROPIC_OK;
}

static entropic_status tell_column(entropic_context *context, ent_columns *columns, const ent_column *column) {
  ent_twins twins = {0};
  char shown[ENT_SHOW_SIZE], more[48] = "";
  size_t classes = ent_dictionary_size(column->dictionary);
  twins.first = ent_new(context, classes, sizeof *twins.first);
  entropic_status status = twins.first == NULL ? ENTROPIC_NO_MEMORY : ent_dictionary_create(context, &twins.folded);
  for (size_t i = 0; i < classes && status == ENTROPIC_OK; i++)
    status = add_class(context, &twins, ent_dictionary_text(column->dictionary, i));
  if (twins.count > ENT_TWINS_TOLD)
    snprintf(more, sizeof more, " and %zu more", twins.count - ENT_TWINS_TOLD);
  if (status == ENTROPIC_OK && twins.count > 0)
    status = ent_notices_add(context, &columns->notices, "classes of %s differ by case or blanks alone: %s%s",
                             ent_show(column->name, strlen(column->name), shown), twins.class_validation, more);
  ent_dictionary_free(twins.folded);
  ent_delete(twins.first);
  return status;
}

entropic_status ent_columns_tell_twins(entropic_context *context, ent_columns *columns) {
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; i < columns->count && status == ENTROPIC_OK; i++) {
    const ent_column *column = &columns->list[i];
    if (column->role == ENTROPIC_ROLE_TARGET && column->mode == ENT_MODE_TEXT && column->known == NULL)
      status = tell_column(context, columns, column);
  }
  return status;
}
