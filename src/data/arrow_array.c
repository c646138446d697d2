/* Arrow's arrays: see arrow.h. Buffers have no sizes, so what is checked is all that can be. */
#include <string.h>

#include "base/text.h"
#include "columns/column_view.h"
#include "data/arrow.h"

/* An array while it is looked at. */
typedef struct ent_arrow_look {
  const struct ArrowArray *array;
  const ent_column_view *kind;
  const char *name; /* of the column; NULL: of all rows */
  size_t column;
  bool entries;        /* it is the dictionary of the column */
  size_t first, count; /* elements in use, from the start of the buffers */
} ent_arrow_look;

static entropic_status fail(entropic_context *context, const ent_arrow_look *look, const char *what) {
  char name[ENT_SHOW_SIZE];
  if (look->name == NULL)
    return ent_fail(context, ENTROPIC_BAD_DATA, "the Arrow stream is malformed: an array of rows %s", what);
  return ent_fail(context, ENTROPIC_BAD_DATA, "the Arrow stream is malformed: column %zu (%s): %s %s", look->column + 1,
                  ent_show(look->name, strlen(look->name), name), look->entries ? "a dictionary" : "an array", what);
}

/* What every array must have: see ArrowArray. */
static entropic_status check_common(entropic_context *context, const ent_arrow_look *look, int64_t buffers) {
  const struct ArrowArray *a = look->array;
  if (a == NULL || a->release == NULL)
    return fail(context, look, a == NULL ? "is not there" : "has been released");
  if (a->length < 0 || a->length > ENT_ARROW_MOST)
    return fail(context, look, "has an impossible length");
  if (a->offset < 0 || a->offset > ENT_ARROW_MOST)
    return fail(context, look, "has an impossible offset");
  if (a->null_count < -1 || a->null_count > a->length)
    return fail(context, look, "has an impossible count of nulls");
  if (a->n_buffers != buffers)
    return fail(context, look, "has a wrong number of buffers");
  if (buffers > 0 && a->buffers == NULL)
    return fail(context, look, "has no buffers");
  bool none = look->kind != NULL && look->kind->element == ENT_ELEMENT_NONE;
  if (buffers > 0 && !none && a->null_count > 0 && a->buffers[0] == NULL)
    return fail(context, look, "has nulls but no bitmap of them");
  return ENTROPIC_OK;
}

static int64_t offset_at(const ent_arrow_look *look, size_t index) {
  const unsigned char *offsets = look->array->buffers[1];
  int64_t wide;
  int32_t narrow;
  if (look->kind->element == ENT_ELEMENT_LARGE_UTF8) {
    memcpy(&wide, offsets + 8 * index, sizeof wide);
    return wide;
  }
  memcpy(&narrow, offsets + 4 * index, sizeof narrow);
  return narrow;
}

/* Texts with offsets: these must not descend. */
static entropic_status check_offsets(entropic_context *context, const ent_arrow_look *look) {
  int64_t last = offset_at(look, look->first);
  if (last < 0)
    return fail(context, look, "has a negative text offset");
  for (size_t i = 1; i <= look->count; i++) {
    int64_t next = offset_at(look, look->first + i);
    if (next < last)
      return fail(context, look, "has text offsets that descend");
    last = next;
  }
  if (last > offset_at(look, look->first) && look->array->buffers[2] == NULL)
    return fail(context, look, "has no buffer of texts");
  return ENTROPIC_OK;
}

/* Texts as views: those that are not short must lie in a buffer. */
static entropic_status check_views(entropic_context *context, const ent_arrow_look *look) {
  const struct ArrowArray *a = look->array;
  const int64_t *sizes = a->buffers[a->n_buffers - 1];
  const unsigned char *valid = a->null_count == 0 ? NULL : a->buffers[0], *views = a->buffers[1];
  int64_t buffers = a->n_buffers - 3;
  if (buffers > 0 && sizes == NULL)
    return fail(context, look, "has no sizes of its text buffers");
  for (size_t i = look->first; i < look->first + look->count; i++) {
    int32_t parts[4];
    int64_t size;
    if (valid != NULL && !(valid[i >> 3] >> (i & 7) & 1))
      continue;
    memcpy(parts, views + 16 * i, sizeof parts);
    if (parts[0] < 0)
      return fail(context, look, "has a text of negative length");
    if (parts[0] <= 12)
      continue;
    if (parts[2] < 0 || parts[2] >= buffers || a->buffers[2 + parts[2]] == NULL)
      return fail(context, look, "has a text in a buffer that is not there");
    memcpy(&size, sizes + parts[2], sizeof size);
    if (parts[3] < 0 || parts[3] > size - parts[0])
      return fail(context, look, "has a text beyond the end of its buffer");
  }
  return ENTROPIC_OK;
}

static int64_t count_buffers(const ent_arrow_look *look) {
  switch (look->kind->element) {
  case ENT_ELEMENT_NONE: /* none, but polars has a bitmap */
    return look->array != NULL && look->array->n_buffers == 1;
  case ENT_ELEMENT_UTF8:
  case ENT_ELEMENT_LARGE_UTF8:
    return 3;
  case ENT_ELEMENT_TEXT_VIEW: /* bitmap, views, any number of texts, sizes of these */
    return look->array != NULL && look->array->n_buffers >= 3 && look->array->n_buffers <= INT32_MAX
               ? look->array->n_buffers
               : 3;
  default:
    return 2;
  }
}

/* Elements from, from + 1, ... of an array, `count` of them, must be there. */
static entropic_status check_array(entropic_context *context, ent_arrow_look *look, int64_t from, int64_t count) {
  entropic_status status = check_common(context, look, count_buffers(look));
  if (status != ENTROPIC_OK)
    return status;
  const struct ArrowArray *a = look->array;
  if (a->n_children != 0)
    return fail(context, look, "has children");
  if (from > a->length || count > a->length - from)
    return fail(context, look, "is too short");
  look->first = (size_t)(a->offset + from);
  look->count = (size_t)count;
  if (count == 0 || look->kind->element == ENT_ELEMENT_NONE)
    return ENTROPIC_OK;
  if (a->buffers[1] == NULL)
    return fail(context, look, "has no buffer of values");
  if (look->kind->element == ENT_ELEMENT_UTF8 || look->kind->element == ENT_ELEMENT_LARGE_UTF8)
    return check_offsets(context, look);
  return look->kind->element == ENT_ELEMENT_TEXT_VIEW ? check_views(context, look) : ENTROPIC_OK;
}

/* The elements in use as a chunk. */
static ent_chunk chunk_of(const ent_arrow_look *look) {
  const struct ArrowArray *a = look->array;
  ent_chunk chunk = {.rows = look->count};
  if (look->kind->element == ENT_ELEMENT_NONE || look->count == 0)
    return chunk;
  size_t size = look->kind->element == ENT_ELEMENT_DECIMAL ? look->kind->width : ent_element_size(look->kind->element);
  chunk.values = a->buffers[1];
  chunk.stride = (ptrdiff_t)size;
  if (look->kind->element == ENT_ELEMENT_BIT)
    chunk.bit = look->first;
  else
    chunk.values += look->first * size;
  if (look->kind->element == ENT_ELEMENT_UTF8 || look->kind->element == ENT_ELEMENT_LARGE_UTF8)
    chunk.bytes = a->buffers[2];
  if (look->kind->element == ENT_ELEMENT_TEXT_VIEW)
    chunk.buffers = (const void *const *)a->buffers + 2;
  if (a->null_count != 0)
    chunk.valid[0] = a->buffers[0];
  chunk.valid_bit[0] = look->first;
  return chunk;
}

/* Codes of numbers are checked here; those of texts where they are read, with the row. */
static entropic_status check_codes(entropic_context *context, const ent_arrow_look *look, const ent_chunk *chunk) {
  for (size_t row = 0; row < chunk->rows; row++) {
    if (ent_chunk_is_missing(chunk, row))
      continue;
    int64_t code = ent_integer_at(look->kind->element, chunk->values + (ptrdiff_t)row * chunk->stride);
    if (code < 0 || (uint64_t)code >= chunk->codes)
      return fail(context, look, "has a code that its dictionary does not have");
  }
  return ENTROPIC_OK;
}

static entropic_status add_dictionary(entropic_context *context, ent_column_store *store, const ent_arrow_type *type,
                                      const ent_arrow_look *look, ent_chunk *chunk) {
  ent_arrow_look entries = {.array = look->array->dictionary,
                            .kind = &type->entries,
                            .name = look->name,
                            .column = look->column,
                            .entries = true};
  entropic_status status = check_array(context, &entries, 0, entries.array == NULL ? 0 : entries.array->length);
  if (status != ENTROPIC_OK)
    return status;
  ent_column_view *dictionary;
  status = ent_column_store_dictionary(context, store, &dictionary);
  if (status != ENTROPIC_OK)
    return status;
  *dictionary = type->entries;
  ent_chunk all = chunk_of(&entries);
  status = ent_column_view_add(context, dictionary, &all);
  if (status != ENTROPIC_OK)
    return status;
  chunk->dictionary = dictionary;
  chunk->codes = entries.count;
  return type->kind.texts ? ENTROPIC_OK : check_codes(context, look, chunk);
}

static entropic_status add_column(entropic_context *context, ent_column_store *store, const ent_arrow_type *type,
                                  const struct ArrowArray *rows, size_t column) {
  if (type->unread)
    return ent_column_view_add(context, &store->views[column], &(ent_chunk){.rows = (size_t)rows->length});
  ent_arrow_look look = {
      .array = rows->children[column], .kind = &type->kind, .name = store->names[column], .column = column};
  entropic_status status = check_array(context, &look, rows->offset, rows->length);
  if (status != ENTROPIC_OK)
    return status;
  ent_chunk chunk = chunk_of(&look);
  if (rows->null_count != 0)
    chunk.valid[1] = rows->buffers[0];
  chunk.valid_bit[1] = (size_t)rows->offset;
  if (type->kind.coded) {
    status = add_dictionary(context, store, type, &look, &chunk);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ent_column_view_add(context, &store->views[column], &chunk);
}

entropic_status ent_arrow_add(entropic_context *context, ent_column_store *store, const ent_arrow_type *types,
                              size_t columns, const struct ArrowArray *array) {
  ent_arrow_look look = {.array = array};
  entropic_status status = check_common(context, &look, 1);
  if (status != ENTROPIC_OK)
    return status;
  if (array->n_children != (int64_t)columns || array->children == NULL)
    return fail(context, &look, "has not one child for each column");
  for (size_t i = 0; i < columns && array->length > 0; i++) {
    status = add_column(context, store, &types[i], array, i);
    if (status != ENTROPIC_OK)
      return status;
  }
  store->rows = store->views[0].rows;
  return ENTROPIC_OK;
}
