/* Classes whose names are the same once they are folded: see columns.h. */
#include "columns/columns.h"

#include <stdio.h>
#include <string.h>

/* A notice lists so many pairs. */
#define ENT_PAIRS_SHOWN 5

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

typedef struct ent_similar_classes {
  ent_dictionary *folded;
  const char **first; /* the first class of each folded name */
  size_t count;       /* of pairs */
  char pairs[ENT_PAIRS_SHOWN * (2 * ENT_SHOW_SIZE + 16)];
} ent_similar_classes;

static entropic_status add_class(entropic_context *context, ent_similar_classes *similar, const char *name) {
  size_t length = strlen(name);
  char *key = ent_new(context, length + 1, 1);
  if (key == NULL)
    return ENTROPIC_NO_MEMORY;
  uint32_t code = 0;
  bool is_new = false;
  entropic_status status = ent_dictionary_code(context, similar->folded, key, fold(name, length, key), &code, &is_new);
  ent_delete(key);
  if (status != ENTROPIC_OK)
    return status;
  if (is_new) {
    similar->first[code] = name;
    return ENTROPIC_OK;
  }
  char one[ENT_SHOW_SIZE], other[ENT_SHOW_SIZE];
  const char *first = similar->first[code];
  size_t used = strlen(similar->pairs);
  if (similar->count++ < ENT_PAIRS_SHOWN)
    snprintf(similar->pairs + used, sizeof similar->pairs - used, "%s'%s' and '%s'", used > 0 ? ", " : "",
             ent_show(first, strlen(first), one), ent_show(name, length, other));
  return ENTROPIC_OK;
}

static entropic_status notice_column(entropic_context *context, ent_columns *columns, const ent_column *column) {
  ent_similar_classes similar = {0};
  char shown[ENT_SHOW_SIZE], more[48] = "";
  size_t classes = ent_dictionary_size(column->dictionary);
  similar.first = ent_new(context, classes, sizeof *similar.first);
  if (similar.first == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_dictionary_create(context, &similar.folded);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < classes; i++) {
    status = add_class(context, &similar, ent_dictionary_text(column->dictionary, i));
    if (status != ENTROPIC_OK)
      goto done;
  }
  if (similar.count > ENT_PAIRS_SHOWN)
    snprintf(more, sizeof more, " and %zu more", similar.count - ENT_PAIRS_SHOWN);
  if (similar.count > 0)
    status = ent_notices_add(context, &columns->notices, "classes of %s differ only by case or blanks: %s%s",
                             ent_show(column->name, strlen(column->name), shown), similar.pairs, more);
done:
  ent_dictionary_free(similar.folded);
  ent_delete(similar.first);
  return status;
}

entropic_status ent_columns_notice_similar_classes(entropic_context *context, ent_columns *columns) {
  for (size_t i = 0; i < columns->count; i++) {
    const ent_column *column = &columns->list[i];
    if (column->role != ENTROPIC_ROLE_TARGET || column->mode != ENT_MODE_TEXT || column->known != NULL)
      continue;
    entropic_status status = notice_column(context, columns, column);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}
