/* Columns that a table does not own: see column_store.h. */
#include "columns/column_store.h"

#include <string.h>

#include "base/spool.h"
#include "columns/columns.h"

/* Releases what chunks refer to. */
static void release_rows(ent_column_store *store) {
  for (size_t i = 0; i < store->dictionary_count; i++) {
    ent_column_view_clear(store->dictionaries[i]);
    ent_delete(store->dictionaries[i]);
  }
  for (size_t i = 0; i < store->array_count; i++)
    if (store->arrays[i].release != NULL)
      store->arrays[i].release(&store->arrays[i]);
  store->dictionary_count = store->array_count = 0;
}

void ent_column_store_empty(ent_column_store *store) {
  for (size_t i = 0; i < store->columns; i++)
    store->views[i].chunk_count = store->views[i].rows = 0;
  release_rows(store);
  store->rows = 0;
}

static void free_store(ent_column_store *store) {
  for (size_t i = 0; i < store->columns; i++) {
    if (store->names != NULL)
      ent_delete(store->names[i]);
    if (store->views != NULL)
      ent_column_view_clear(&store->views[i]);
    if (store->own != NULL)
      ent_column_view_clear(&store->own[i]);
    if (store->memory != NULL)
      ent_delete(store->memory[i]);
  }
  release_rows(store);
  ent_spool_free(store->spool);
  ent_delete(store->names);
  ent_delete(store->views);
  ent_delete(store->own);
  ent_delete(store->memory);
  ent_delete(store->numbers);
  ent_delete(store->dictionaries);
  ent_delete(store->arrays);
  ent_delete(store);
}

entropic_status ent_column_store_create(entropic_context *context, size_t columns, ent_column_store **store) {
  ent_column_store *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  atomic_init(&made->users, 1);
  made->columns = columns;
  made->names = ent_new(context, columns, sizeof *made->names);
  made->views = ent_new(context, columns, sizeof *made->views);
  made->own = ent_new(context, columns, sizeof *made->own);
  made->memory = ent_new(context, columns, sizeof *made->memory);
  made->numbers = ent_new(context, columns, sizeof *made->numbers);
  if (made->names == NULL || made->views == NULL || made->own == NULL || made->memory == NULL ||
      made->numbers == NULL) {
    free_store(made);
    return ENTROPIC_NO_MEMORY;
  }
  for (size_t i = 0; i < columns; i++)
    made->numbers[i] = &made->views[i];
  *store = made;
  return ENTROPIC_OK;
}

ent_column_store *ent_column_store_share(ent_column_store *store) {
  atomic_fetch_add(&store->users, 1);
  return store;
}

void ent_column_store_free(ent_column_store *store) {
  if (store != NULL && atomic_fetch_sub(&store->users, 1) == 1)
    free_store(store);
}

static entropic_status set_name(entropic_context *context, ent_column_store *store, size_t column, const char *name,
                                size_t length) {
  store->names[column] = ent_new_text(context, name, length);
  return store->names[column] == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

entropic_status ent_column_store_name(entropic_context *context, ent_column_store *store, size_t column,
                                      const char *name) {
  name = name == NULL ? "" : name;
  return set_name(context, store, column, name, strlen(name));
}

entropic_status ent_column_store_name_plain(entropic_context *context, ent_column_store *store, size_t column,
                                            const char *name) {
  name = name == NULL ? "" : name;
  ent_column_cell plain = {.text = name, .length = strlen(name)};
  ent_cell_trim(&plain);
  return set_name(context, store, column, plain.text, plain.length);
}

entropic_status ent_column_store_dictionary(entropic_context *context, ent_column_store *store,
                                            ent_column_view **dictionary) {
  if (!ent_reserve(context, &store->dictionaries, &store->dictionary_capacity, store->dictionary_count + 1,
                   sizeof *store->dictionaries))
    return ENTROPIC_NO_MEMORY;
  *dictionary = store->dictionaries[store->dictionary_count] = ent_new(context, 1, sizeof **dictionary);
  if (*dictionary == NULL)
    return ENTROPIC_NO_MEMORY;
  store->dictionary_count++;
  return ENTROPIC_OK;
}

entropic_status ent_column_store_names(entropic_context *context, ent_column_store *store, const char *const *names,
                                       size_t count, ent_chunk *chunk) {
  ent_column_view *dictionary;
  entropic_status status = ent_column_store_dictionary(context, store, &dictionary);
  if (status != ENTROPIC_OK)
    return status;
  dictionary->element = ENT_ELEMENT_NAMES;
  dictionary->texts = true;
  chunk->dictionary = dictionary;
  chunk->codes = count;
  const ent_chunk entries = {.rows = count, .values = (const unsigned char *)names, .stride = sizeof *names};
  return ent_column_view_add(context, dictionary, &entries);
}

entropic_status ent_column_store_own(entropic_context *context, ent_column_store *store, size_t column,
                                     entropic_element element, void *values) {
  ent_column_view *own = &store->own[column];
  *own = (ent_column_view){.element = values == NULL ? ENT_ELEMENT_NONE : (int)element,
                           .no_negatives = element == ENTROPIC_ELEMENT_INT32};
  const ent_chunk chunk = {.rows = store->rows, .values = values, .stride = (ptrdiff_t)ent_element_size((int)element)};
  entropic_status status = ent_column_view_add(context, own, &chunk);
  if (status != ENTROPIC_OK)
    return status;
  store->memory[column] = values;
  store->numbers[column] = own;
  return ENTROPIC_OK;
}
