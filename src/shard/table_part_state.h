/* What table_part.c and table_part_rows.c share. */
#ifndef ENT_SHARD_TABLE_PART_STATE_H
#define ENT_SHARD_TABLE_PART_STATE_H

#include "shard/table_part.h"

struct ent_shard {
  size_t part, parts; /* of the file */
  size_t number;      /* among all parts of the table */
  entropic_table *table;
  bool borrowed;       /* the table is */
  bool is_range;       /* of bytes */
  uint64_t rows_at;    /* the byte where the rows of the file begin */
  uint64_t start, end; /* of the range, once it has been read */
  size_t lines;        /* of it */
  bool read, failed, completed;
  uint64_t first_row;  /* once it is completed */
  ent_message survey;  /* of the last round */
  unsigned char *plan; /* the columns of its plan */
  size_t plan_count;
};

#endif
