/* The rows of a pass on disk: see spooling.h. */
#include "data/spooling.h"

#include <stdio.h>
#include <string.h>

#include "base/progress.h"
#include "base/text.h"
#include "base/threads.h"

/* A block is held twice in memory, as it was read and packed. */
#define ENT_BLOCK_BYTES ((size_t)16 << 20) /* each at most */
#define ENT_BLOCK_SHARE 32                 /* and this part of the bound */
/* Views of very small blocks would be larger than the blocks. */
#define ENT_BLOCK_LEAST 64

void ent_spooling_clear(ent_spooling *spooling) {
  ent_spool_free(spooling->spool);
  ent_delete(spooling->values);
  ent_delete(spooling->bytes);
  ent_delete(spooling->parts);
  spooling->spool = NULL;
  spooling->values = NULL;
  spooling->bytes = NULL;
  spooling->parts = NULL;
}

static size_t block_rows(const ent_spooling *spooling) {
  uint64_t share = spooling->where.memory / ENT_BLOCK_SHARE;
  size_t bytes = share < ENT_BLOCK_BYTES ? (size_t)share : ENT_BLOCK_BYTES;
  size_t rows = bytes / (8 * spooling->columns) / 64 * 64;
  return rows < ENT_BLOCK_LEAST ? ENT_BLOCK_LEAST : rows < ENT_PACKED_ROWS ? rows : ENT_PACKED_ROWS;
}

/* An empty spool, and room for a block. */
static entropic_status begin(entropic_context *context, ent_spooling *spooling, const ent_source *source) {
  entropic_status status = ENTROPIC_OK;
  spooling->part_count = spooling->packed_rows = 0;
  if (spooling->spool != NULL && spooling->columns == source->columns.count)
    return ent_spool_restart(context, spooling->spool);
  ent_spooling_clear(spooling);
  spooling->part_capacity = 0;
  spooling->columns = source->columns.count;
  spooling->block = block_rows(spooling);
  status = ent_spool_create(context, &spooling->where, &spooling->spool);
  if (status != ENTROPIC_OK)
    return status;
  spooling->values = ent_new_raw(context, spooling->block, spooling->columns, sizeof *spooling->values);
  spooling->bytes = ent_new_raw(context, spooling->columns, ENT_PACKED_MOST(spooling->block), 1);
  return spooling->values == NULL || spooling->bytes == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* A block that is being packed. */
typedef struct ent_spooling_block {
  const ent_spooling *spooling;
  const ent_columns *columns;
  ent_spooled_part *parts;
  size_t rows;
} ent_spooling_block;

static entropic_status pack_column(entropic_context *context, void *shared, size_t task, int worker) {
  (void)context;
  (void)worker;
  const ent_spooling_block *block = shared;
  const ent_spooling *spooling = block->spooling;
  bool cells = block->columns->list[task].missing_texts != NULL;
  block->parts[task].packed = ent_pack(spooling->values + task, block->rows, spooling->columns, cells,
                                       spooling->bytes + task * ENT_PACKED_MOST(spooling->block));
  return ENTROPIC_OK;
}

/* How large the spool will be, if the rest of the file is like what was read of it; 0 if that is not known. */
static uint64_t expected_size(const ent_spooling *spooling, const ent_source *source) {
  const ent_bytes *bytes = source->bytes;
  if (bytes == NULL || bytes->size == 0)
    return 0;
  double used = (double)(bytes->consumed + bytes->at);
  if (used <= 0)
    return 0;
  double expected = (double)ent_spool_size(spooling->spool) * ((double)bytes->size / used);
  return expected < 0x1p62 ? (uint64_t)expected : 0;
}

/* Says once how large it will be. */
static void tell_size(entropic_context *context, ent_spooling *spooling, uint64_t expected) {
  if (!spooling->stages || spooling->stage[0] != '\0')
    return;
  char size[ENT_SIZE_TEXT], shown[ENT_SHOW_SIZE];
  const char *directory = ent_spool_directory(spooling->spool);
  ent_show(directory, strlen(directory), shown);
  if (expected > 0)
    snprintf(spooling->stage, sizeof spooling->stage, "reading into a spool of about %s in %s",
             ent_size_text(expected, size), shown);
  else
    snprintf(spooling->stage, sizeof spooling->stage, "reading into a spool in %s", shown);
  ent_progress_start(context, spooling->stage, 0, 1);
}

/* Packs the rows at hand, writes them, and goes on with none. */
static entropic_status write_block(entropic_context *context, ent_spooling *spooling, const ent_source *source,
                                   size_t rows) {
  size_t columns = spooling->columns, needed;
  if (!ent_add(spooling->part_count, columns, &needed))
    return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory: the table has too many blocks");
  if (!ent_reserve(context, &spooling->parts, &spooling->part_capacity, needed, sizeof *spooling->parts))
    return ENTROPIC_NO_MEMORY;
  ent_spooling_block block = {spooling, &source->columns, spooling->parts + spooling->part_count, rows};
  entropic_status status = ent_parallel(context, columns, pack_column, &block);
  if (status != ENTROPIC_OK)
    return status;
  size_t count = 0; /* bytes, side by side */
  for (size_t i = 0; i < columns; i++) {
    block.parts[i].place = ent_spool_size(spooling->spool) + count;
    memmove(spooling->bytes + count, spooling->bytes + i * ENT_PACKED_MOST(spooling->block),
            block.parts[i].packed.bytes);
    count += block.parts[i].packed.bytes;
  }
  status = ent_spool_append(context, spooling->spool, spooling->bytes, count);
  if (status != ENTROPIC_OK)
    return status;
  spooling->part_count = needed;
  spooling->packed_rows += rows;
  uint64_t expected = expected_size(spooling, source);
  ent_spool_expect(spooling->spool, expected);
  tell_size(context, spooling, expected);
  return ENTROPIC_OK;
}

static entropic_status room(entropic_context *context, void *user, const ent_source *source, size_t rows,
                            double **values, size_t *capacity) {
  ent_spooling *spooling = user;
  entropic_status status = ENTROPIC_OK;
  if (rows == 0)
    status = begin(context, spooling, source);
  else if (rows - spooling->packed_rows == spooling->block)
    status = write_block(context, spooling, source, spooling->block);
  if (status != ENTROPIC_OK)
    return status;
  size_t used = rows - spooling->packed_rows, left = spooling->block - used, few = 16384 / spooling->columns + 1;
  *values = spooling->values + used * spooling->columns;
  *capacity = few < left ? few : left;
  return ENTROPIC_OK;
}

static size_t spare(const void *user, const ent_source *source, size_t rows) {
  (void)source;
  const ent_spooling *spooling = user;
  return spooling->block - (rows - spooling->packed_rows);
}

ent_sink ent_spooling_sink(ent_spooling *spooling) {
  return (ent_sink){room, spooling, spare};
}

/* A column of all blocks as a view of the spool, which is mapped at `from`. */
static entropic_status view_parts(entropic_context *context, const ent_spooling *spooling, size_t column,
                                  const unsigned char *from, ent_column_store *store) {
  ent_column_view *view = &store->views[column];
  *view = (ent_column_view){.element = ENT_ELEMENT_PACKED};
  for (size_t i = column; i < spooling->part_count; i += spooling->columns) {
    const ent_spooled_part *part = &spooling->parts[i];
    size_t left = store->rows - view->rows;
    ent_chunk chunk = {.rows = left < spooling->block ? left : spooling->block, .element = part->packed.element};
    if (!part->packed.none)
      chunk.values = from + part->place;
    if (!part->packed.constant)
      chunk.stride = (ptrdiff_t)ent_element_size(part->packed.element);
    if (part->packed.valid > 0)
      chunk.valid[0] = from + part->place + part->packed.valid;
    entropic_status status = ent_column_view_add(context, view, &chunk);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

entropic_status ent_spooling_finish(entropic_context *context, ent_spooling *spooling, const ent_source *source,
                                    ent_column_store **store) {
  ent_column_store *made = NULL;
  const unsigned char *from = NULL;
  entropic_status status = ENTROPIC_OK;
  if (source->rows > spooling->packed_rows)
    status = write_block(context, spooling, source, source->rows - spooling->packed_rows);
  if (status != ENTROPIC_OK)
    return status;
  ent_delete(spooling->values);
  ent_delete(spooling->bytes);
  spooling->values = NULL;
  spooling->bytes = NULL;
  status = ent_spool_map(context, spooling->spool, &from);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_column_store_create(context, spooling->columns, &made);
  if (status != ENTROPIC_OK)
    return status;
  made->rows = source->rows;
  for (size_t i = 0; i < spooling->columns; i++) {
    status = ent_column_store_name(context, made, i, source->columns.list[i].name);
    if (status != ENTROPIC_OK)
      goto fail;
    status = view_parts(context, spooling, i, from, made);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  made->spool = spooling->spool;
  spooling->spool = NULL;
  *store = made;
  return ENTROPIC_OK;
fail:
  ent_column_store_free(made);
  return status;
}
