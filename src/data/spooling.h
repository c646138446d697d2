/* The rows of a pass on disk: a sink that packs blocks of rows into a spool, column after column, and afterwards the
 * columns as views of the mapped spool. */
#ifndef ENT_DATA_SPOOLING_H
#define ENT_DATA_SPOOLING_H

#include "columns/column_store.h"
#include "columns/packing.h"
#include "data/source.h"

/* Where a column of a block is. */
typedef struct ent_spooled_part {
  uint64_t place;
  ent_packed packed;
} ent_spooled_part;

typedef struct ent_spooling {
  ent_spool_options where;
  bool stages; /* progress says how large the spool will be */
  /* Private. */
  ent_spool *spool;
  size_t columns, block;   /* rows of a full block */
  double *values;          /* [block x columns] rows that are not yet packed */
  unsigned char *bytes;    /* [columns x ENT_PACKED_MOST(block)] packed */
  ent_spooled_part *parts; /* [blocks x columns] */
  size_t part_count, part_capacity;
  size_t packed_rows;
  char stage[256]; /* what progress says */
} ent_spooling;

/* A sink of ent_source_pass; its `user` is the spooling, whose first two fields are set and whose others are 0. */
ent_sink ent_spooling_sink(ent_spooling *spooling);
/* After a pass of so many rows: a store of all columns, with the spool. */
entropic_status ent_spooling_finish(entropic_context *context, ent_spooling *spooling, const ent_source *source,
                                    ent_column_store **store);
void ent_spooling_clear(ent_spooling *spooling);

#endif
