/* A fixed list of names, found by their text or by the number they stand for: categories and classes of a model. */
#ifndef ENT_COLUMNS_NAMES_H
#define ENT_COLUMNS_NAMES_H

#include "columns/dictionary.h"

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
