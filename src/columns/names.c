/* Names in a dictionary; those that are numbers also in a sorted list. See dictionary.h. */
#include "columns/dictionary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A name that is a number, and its place in the list. */
typedef struct ent_numbered {
  double number;
  size_t place;
} ent_numbered;

struct ent_names {
  size_t count;
  ent_dictionary *dictionary;
  size_t *places; /* of the dictionary's codes, which skip repeated names */
  ent_numbered *numbers;
  size_t number_count;
};

static int compare_numbered(const void *a, const void *b) {
  const ent_numbered *left = a, *right = b;
  if (left->number != right->number)
    return left->number < right->number ? -1 : 1;
  return (left->place > right->place) - (left->place < right->place);
}

static entropic_status add(entropic_context *context, ent_names *names, const char *name, size_t place) {
  uint32_t code = 0;
  bool is_new = false;
  size_t length = strlen(name);
  entropic_status status = ent_dictionary_code(context, names->dictionary, name, length, &code, &is_new);
  if (status != ENTROPIC_OK || !is_new)
    return status;
  names->places[code] = place;
  double number;
  status = entropic_parse_double(name, length, &number);
  if (status == ENTROPIC_NO_MEMORY)
    return ent_fail(context, status, "out of memory");
  if (status == ENTROPIC_OK && isfinite(number))
    names->numbers[names->number_count++] = (ent_numbered){number, place};
  return ENTROPIC_OK;
}

entropic_status ent_names_create(entropic_context *context, char *const *list, size_t count, ent_names **names) {
  ent_names *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->count = count;
  made->places = ent_new(context, count, sizeof *made->places);
  made->numbers = ent_new(context, count, sizeof *made->numbers);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (made->places == NULL || made->numbers == NULL)
    goto fail;
  status = ent_dictionary_create(context, &made->dictionary);
  if (status != ENTROPIC_OK)
    goto fail;
  for (size_t i = 0; i < count; i++) {
    status = add(context, made, list[i], i);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  qsort(made->numbers, made->number_count, sizeof *made->numbers, compare_numbered);
  *names = made;
  return ENTROPIC_OK;
fail:
  ent_names_free(made);
  return status;
}

void ent_names_free(ent_names *names) {
  if (names == NULL)
    return;
  ent_dictionary_free(names->dictionary);
  ent_delete(names->places);
  ent_delete(names->numbers);
  ent_delete(names);
}

size_t ent_names_count(const ent_names *names) {
  return names->count;
}

size_t ent_names_find(const ent_names *names, const char *text, size_t length) {
  uint32_t code;
  return ent_dictionary_find(names->dictionary, text, length, &code) ? names->places[code] : names->count;
}

size_t ent_names_find_number(const ent_names *names, double number) {
  size_t low = 0, high = names->number_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (names->numbers[middle].number < number)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < names->number_count && names->numbers[low].number == number;
  return found ? names->numbers[low].place : names->count;
}

/* A name that is being sorted. */
typedef struct ent_sorted {
  char *name;
  double number;
} ent_sorted;

static int compare_names(const void *a, const void *b) {
  const ent_sorted *left = a, *right = b;
  if (left->number != right->number)
    return left->number < right->number ? -1 : 1;
  return strcmp(left->name, right->name);
}

entropic_status ent_names_sort(entropic_context *context, char **list, size_t count) {
  ent_sorted *sorted = ent_new(context, count, sizeof *sorted);
  if (sorted == NULL)
    return ENTROPIC_NO_MEMORY;
  bool numbers = true;
  for (size_t i = 0; i < count; i++) {
    sorted[i].name = list[i];
    entropic_status parsed = entropic_parse_double(list[i], strlen(list[i]), &sorted[i].number);
    if (parsed == ENTROPIC_NO_MEMORY) {
      ent_delete(sorted);
      return ent_fail(context, parsed, "out of memory");
    }
    numbers = numbers && parsed == ENTROPIC_OK && isfinite(sorted[i].number);
  }
  for (size_t i = 0; i < count && !numbers; i++)
    sorted[i].number = 0;
  qsort(sorted, count, sizeof *sorted, compare_names);
  for (size_t i = 0; i < count; i++)
    list[i] = sorted[i].name;
  ent_delete(sorted);
  return ENTROPIC_OK;
}
