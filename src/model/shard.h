/* A shard as a worker has it: see entropic/shards.h. */
#ifndef ENT_MODEL_SHARD_H
#define ENT_MODEL_SHARD_H

#include "data/shard.h"
#include "entropic/shards.h"
#include "model/question.h"

struct entropic_shard {
  char *path;                      /* NULL: there is a table */
  entropic_parameters *parameters; /* its own */
  entropic_table *table;           /* borrowed */
  size_t part, parts;              /* of the file */
  size_t number, count;            /* among all shards */
  ent_shard *rows;                 /* once it has been opened */
  bool settled;
  uint8_t settled_by[ENT_SHA256_SIZE]; /* a hash of plan and findings */
};

/* What tells a shard from others, and from itself before its file changed. */
#define ENT_SHARD_IDENTITY 512
void ent_shard_identify(const entropic_shard *shard, char identity[ENT_SHARD_IDENTITY]);

#endif
