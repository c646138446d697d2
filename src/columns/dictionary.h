/* Texts and their numbers, in order of first appearance: the categories of a column. */
#ifndef ENT_COLUMNS_DICTIONARY_H
#define ENT_COLUMNS_DICTIONARY_H

#include <stdbool.h>

#include "base/memory.h"

typedef struct ent_dictionary ent_dictionary;

entropic_status ent_dictionary_create(entropic_context *context, ent_dictionary **dictionary);
void ent_dictionary_free(ent_dictionary *dictionary);

/* The code of text[0..length); *is_new if it has just got one. */
entropic_status ent_dictionary_code(entropic_context *context, ent_dictionary *dictionary, const char *text,
                                    size_t length, uint32_t *code, bool *is_new);

/* Adds a 0-terminated text, unless it is there. */
entropic_status ent_dictionary_add(entropic_context *context, ent_dictionary *dictionary, const char *text);

/* Texts by number. */
typedef struct ent_text_list {
  size_t count;
  const char *(*text)(const void *of, size_t index); /* 0-terminated */
  const void *of;
} ent_text_list;

/* A dictionary of these texts. If they differ, the code of each is its number. */
entropic_status ent_dictionary_of(entropic_context *context, const ent_text_list *list, ent_dictionary **dictionary);

/* The code of a text that may not be there: false if it is not. */
bool ent_dictionary_find(const ent_dictionary *dictionary, const char *text, size_t length, uint32_t *code);

size_t ent_dictionary_size(const ent_dictionary *dictionary);
/* 0-terminated; NULL if there is no such code. Valid until the next text is added. */
const char *ent_dictionary_text(const ent_dictionary *dictionary, size_t code);

/* A mark that users set: is this category no number? */
bool ent_dictionary_marked(const ent_dictionary *dictionary, uint32_t code);
void ent_dictionary_mark(ent_dictionary *dictionary, uint32_t code);

/* Counts one more occurrence of a text, in that line. */
void ent_dictionary_note(ent_dictionary *dictionary, uint32_t code, size_t line);
/* Counts from 0 again. */
void ent_dictionary_recount(ent_dictionary *dictionary);
/* How often it was noted; *line is the first. */
size_t ent_dictionary_noted(const ent_dictionary *dictionary, uint32_t code, size_t *line);

/* All that is known of a text. */
typedef struct ent_dictionary_item {
  const char *text; /* 0-terminated, and may have other 0 in it; borrowed */
  size_t length;
  size_t noted, line; /* how often it was noted, and where first */
  bool marked;
} ent_dictionary_item;

ent_dictionary_item ent_dictionary_get(const ent_dictionary *dictionary, uint32_t code);
/* Adds what is known of a text elsewhere, where it was noted later than here. */
entropic_status ent_dictionary_merge(entropic_context *context, ent_dictionary *dictionary,
                                     const ent_dictionary_item *item, uint32_t *code, bool *is_new);

/* ---- Names (names.c) ---- */

/* A fixed list of names, found by their text or by the number they stand for: categories and classes of a model. */

typedef struct ent_names ent_names;

/* The list is copied. Of equal names the first counts. */
entropic_status ent_names_create(entropic_context *context, char *const *list, size_t count, ent_names **names);
void ent_names_free(ent_names *names);
size_t ent_names_count(const ent_names *names);

/* The place of a name in the list, or their count if it is not there: by text alone, or as a number ("1.0" is "1"). */
size_t ent_names_find(const ent_names *names, const char *text, size_t length);
size_t ent_names_find_number(const ent_names *names, double number);

/* Sorts names: as numbers if all of them are, otherwise by bytes. */
entropic_status ent_names_sort(entropic_context *context, char **list, size_t count);

#endif
