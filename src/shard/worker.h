/* A shard as a worker has it: see entropic/shards.h. */
#ifndef ENT_SHARD_WORKER_H
#define ENT_SHARD_WORKER_H

#include "shard/table_part.h"
#include "entropic/shards.h"
#include "shard/question.h"

struct entropic_shard {
  char *path;                      /* NULL: there is a table */
  entropic_parameters *parameters; /* its own */
  entropic_table *table;           /* borrowed */
  size_t part, parts;              /* of the file */
  size_t number, count;            /* among all shards */
  ent_shard *rows;                 /* once it has been opened */
  bool completed;
  uint8_t completed_by[ENT_SHA256_SIZE]; /* a hash of plan and survey */
};

/* What tells a shard from others, and from itself before its file changed. */
#define ENT_SHARD_IDENTITY 512
void ent_shard_identify(const entropic_shard *shard, char identity[ENT_SHARD_IDENTITY]);

/* What this process sees of the files that parts are taken from: all who share a table must see the same. Dates do not count,
 * as files may be copies. Nothing but bytes, so that it can be sent. */
typedef struct ent_shard_view {
  uint64_t shared; /* 0: the shard is a table of its own, and all else is 0 */
  uint64_t files, bytes;
  uint8_t digest[ENT_SHA256_SIZE]; /* of the sizes, and of the head and the tail of each file */
} ent_shard_view;
void ent_shard_look(const entropic_shard *shard, ent_shard_view *view);

#endif
