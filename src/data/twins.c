/* Classes told apart by case or blanks alone: see twins.h. */
#include "data/twins.h"

#include <stdio.h>
#include <string.h>

/* So many are told. */
#define ENT_TWINS_TOLD 5

/* The small letter of a letter that UTF-8 writes with two bytes, Latin, Greek or Cyrillic; others as they are. */
static uint32_t small_letter(uint32_t code) {
  bool latin = (code >= 0xc0 && code <= 0xde && code != 0xd7), greek = code >= 0x391 && code <= 0x3a9;
  bool even = (code >= 0x100 && code <= 0x137) || (code >= 0x14a && code <= 0x177) || (code >= 0x460 && code <= 0x481);
  bool odd = (code >= 0x139 && code <= 0x148) || (code >= 0x179 && code <= 0x17e);
  if (latin || greek || (code >= 0x410 && code <= 0x42f))
    return code + 0x20;
  if (code >= 0x400 && code <= 0x40f)
    return code + 0x50;
  return code + ((even && code % 2 == 0 && code != 0x130) || (odd && code % 2 == 1));
}

/* Is the character a blank? `size` gets its bytes. */
static bool is_blank(const char *text, size_t length, size_t *size) {
  *size = length >= 2 && memcmp(text, "\xc2\xa0", 2) == 0 ? 2 : 1; /* one that does not break */
  return *size == 2 || *text == ' ' || *text == '\t';
}

/* text[0..length) without the blanks around it and in small letters, into key; returns its length. */
static size_t fold(const char *text, size_t length, char *key) {
  size_t from = 0, used = 0, kept = 0, size;
  while (from < length && is_blank(text + from, length - from, &size))
    from += size;
  for (; from < length; from += size) {
    uint32_t code;
    bool blank = is_blank(text + from, length - from, &size);
    if (size == 1 && ent_utf8(text + from, length - from, &code) == 2) {
      code = small_letter(code);
      key[used++] = (char)(0xc0 | code >> 6);
      key[used++] = (char)(0x80 | (code & 0x3f));
      size = 2;
    } else {
      for (size_t i = 0; i < size; i++)
        key[used++] = ent_lower(text[from + i]);
    }
    kept = blank ? kept : used;
  }
  return kept;
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
