/* Answers of one rank that are kept in a folder, so that a run that was killed need not find them again. A file is named
 * by a hash of the question, of what identifies the shard, and of the rank: a table that has changed since, other
 * parameters and another number of ranks have other names. Files are written whole or not at all. */
#ifndef ENT_MPI_CHECKPOINT_H
#define ENT_MPI_CHECKPOINT_H

#include <stdbool.h>

#include "base/context.h"

/* Whose answers they are. */
typedef struct ent_checkpoint_place {
  const char *folder; /* NULL: none are kept */
  int rank, size;
  const char *identity; /* of the shard */
} ent_checkpoint_place;

/* *bytes[*count], to be freed with entropic_bytes_free, if *found. A file that is damaged counts as none. */
entropic_status ent_checkpoint_find(entropic_context *context, const ent_checkpoint_place *place, const void *question,
                                    size_t size, unsigned char **bytes, size_t *count, bool *found);
entropic_status ent_checkpoint_keep(entropic_context *context, const ent_checkpoint_place *place, const void *question,
                                    size_t size, const void *bytes, size_t count);

#endif
