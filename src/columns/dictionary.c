/* A hash table with open addressing over texts that lie one after the other: see dictionary.h. */
#include "columns/dictionary.h"

#include <string.h>

typedef struct ent_dictionary_entry {
  uint64_t hash;
  size_t start, length;
  size_t noted, line; /* how often, and where first */
  bool marked;
} ent_dictionary_entry;

struct ent_dictionary {
  ent_dictionary_entry *entries;
  size_t count, entries_capacity;
  char *text;
  size_t text_used, text_capacity;
  uint32_t *slots; /* code + 1, or 0; their number is a power of two, at most half of them taken */
  size_t slots_count;
};

entropic_status ent_dictionary_create(entropic_context *context, ent_dictionary **dictionary) {
  ent_dictionary *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->slots_count = 64;
  made->slots = ent_new(context, made->slots_count, sizeof *made->slots);
  if (made->slots == NULL) {
    ent_delete(made);
    return ENTROPIC_NO_MEMORY;
  }
  *dictionary = made;
  return ENTROPIC_OK;
}

void ent_dictionary_free(ent_dictionary *dictionary) {
  if (dictionary == NULL)
    return;
  ent_delete(dictionary->entries);
  ent_delete(dictionary->text);
  ent_delete(dictionary->slots);
  ent_delete(dictionary);
}

/* Eight bytes at a time, multiplied and folded. */
static uint64_t hash_of(const char *text, size_t length) {
  uint64_t hash = length * UINT64_C(0x9e3779b97f4a7c15);
  while (length > 0) {
    uint64_t word = 0;
    size_t part = length < 8 ? length : 8;
    memcpy(&word, text, part);
    hash = (hash ^ word) * UINT64_C(0xd6e8feb86659fd93);
    hash ^= hash >> 32;
    text += part;
    length -= part;
  }
  return hash * UINT64_C(0xd6e8feb86659fd93);
}

static entropic_status widen(entropic_context *context, ent_dictionary *dictionary) {
  size_t count = dictionary->slots_count * 2;
  uint32_t *slots = ent_new(context, count, sizeof *slots);
  if (slots == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t code = 0; code < dictionary->count; code++) {
    size_t at = dictionary->entries[code].hash >> 20 & (count - 1);
    while (slots[at] != 0)
      at = (at + 1) & (count - 1);
    slots[at] = (uint32_t)code + 1;
  }
  ent_delete(dictionary->slots);
  dictionary->slots = slots;
  dictionary->slots_count = count;
  return ENTROPIC_OK;
}

static entropic_status add(entropic_context *context, ent_dictionary *dictionary, const char *text, size_t length,
                           uint64_t hash) {
  size_t needed;
  if (dictionary->count >= UINT32_MAX / 2 || !ent_add(dictionary->text_used, length + 1, &needed))
    return ent_fail(context, ENTROPIC_TOO_LARGE, "a column has more than 2^31 categories");
  if (!ent_reserve(context, &dictionary->entries, &dictionary->entries_capacity, dictionary->count + 1,
                   sizeof *dictionary->entries))
    return ENTROPIC_NO_MEMORY;
  if (!ent_reserve(context, &dictionary->text, &dictionary->text_capacity, needed, 1))
    return ENTROPIC_NO_MEMORY;
  memcpy(dictionary->text + dictionary->text_used, text, length);
  dictionary->text[dictionary->text_used + length] = '\0';
  dictionary->entries[dictionary->count++] =
      (ent_dictionary_entry){.hash = hash, .start = dictionary->text_used, .length = length};
  dictionary->text_used = needed;
  return ENTROPIC_OK;
}

/* The slot of a text, or the empty one where it would go. */
static size_t slot_of(const ent_dictionary *dictionary, const char *text, size_t length, uint64_t hash) {
  size_t mask = dictionary->slots_count - 1, at = hash >> 20 & mask;
  for (; dictionary->slots[at] != 0; at = (at + 1) & mask) {
    const ent_dictionary_entry *entry = &dictionary->entries[dictionary->slots[at] - 1];
    if (entry->hash == hash && entry->length == length && memcmp(dictionary->text + entry->start, text, length) == 0)
      break;
  }
  return at;
}

bool ent_dictionary_find(const ent_dictionary *dictionary, const char *text, size_t length, uint32_t *code) {
  uint32_t slot = dictionary->slots[slot_of(dictionary, text, length, hash_of(text, length))];
  if (slot == 0)
    return false;
  *code = slot - 1;
  return true;
}

entropic_status ent_dictionary_code(entropic_context *context, ent_dictionary *dictionary, const char *text,
                                    size_t length, uint32_t *code, bool *is_new) {
  uint64_t hash = hash_of(text, length);
  if (dictionary->count * 2 >= dictionary->slots_count) {
    entropic_status status = widen(context, dictionary);
    if (status != ENTROPIC_OK)
      return status;
  }
  size_t at = slot_of(dictionary, text, length, hash);
  if (dictionary->slots[at] != 0) {
    *code = dictionary->slots[at] - 1;
    *is_new = false;
    return ENTROPIC_OK;
  }
  entropic_status status = add(context, dictionary, text, length, hash);
  if (status != ENTROPIC_OK)
    return status;
  dictionary->slots[at] = (uint32_t)dictionary->count;
  *code = (uint32_t)dictionary->count - 1;
  *is_new = true;
  return ENTROPIC_OK;
}

entropic_status ent_dictionary_add(entropic_context *context, ent_dictionary *dictionary, const char *text) {
  uint32_t code;
  bool is_new;
  return ent_dictionary_code(context, dictionary, text, strlen(text), &code, &is_new);
}

entropic_status ent_dictionary_of(entropic_context *context, const ent_text_list *list, ent_dictionary **dictionary) {
  ent_dictionary *made = NULL;
  entropic_status status = ent_dictionary_create(context, &made);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < list->count; i++) {
    status = ent_dictionary_add(context, made, list->text(list->of, i));
    if (status != ENTROPIC_OK)
      goto fail;
  }
  *dictionary = made;
  return ENTROPIC_OK;
fail:
  ent_dictionary_free(made);
  return status;
}

size_t ent_dictionary_size(const ent_dictionary *dictionary) {
  return dictionary == NULL ? 0 : dictionary->count;
}

const char *ent_dictionary_text(const ent_dictionary *dictionary, size_t code) {
  if (dictionary == NULL || code >= dictionary->count)
    return NULL;
  return dictionary->text + dictionary->entries[code].start;
}

bool ent_dictionary_marked(const ent_dictionary *dictionary, uint32_t code) {
  return dictionary->entries[code].marked;
}

void ent_dictionary_mark(ent_dictionary *dictionary, uint32_t code) {
  dictionary->entries[code].marked = true;
}

void ent_dictionary_note(ent_dictionary *dictionary, uint32_t code, size_t line) {
  ent_dictionary_entry *entry = &dictionary->entries[code];
  if (entry->noted++ == 0)
    entry->line = line;
}

void ent_dictionary_recount(ent_dictionary *dictionary) {
  for (size_t code = 0; code < ent_dictionary_size(dictionary); code++)
    dictionary->entries[code].noted = 0;
}

ent_dictionary_item ent_dictionary_get(const ent_dictionary *dictionary, uint32_t code) {
  const ent_dictionary_entry *entry = &dictionary->entries[code];
  return (ent_dictionary_item){dictionary->text + entry->start, entry->length, entry->noted, entry->line,
                               entry->marked};
}

entropic_status ent_dictionary_merge(entropic_context *context, ent_dictionary *dictionary,
                                     const ent_dictionary_item *item, uint32_t *code, bool *is_new) {
  entropic_status status = ent_dictionary_code(context, dictionary, item->text, item->length, code, is_new);
  if (status != ENTROPIC_OK)
    return status;
  ent_dictionary_entry *entry = &dictionary->entries[*code];
  if (entry->noted == 0)
    entry->line = item->line;
  entry->noted += item->noted;
  entry->marked = entry->marked || item->marked;
  return ENTROPIC_OK;
}

size_t ent_dictionary_noted(const ent_dictionary *dictionary, uint32_t code, size_t *line) {
  *line = dictionary->entries[code].line;
  return dictionary->entries[code].noted;
}
