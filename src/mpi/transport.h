/* Bytes between ranks. Whoever waits sleeps: ranks may be more than processors. */
#ifndef ENT_MPI_TRANSPORT_H
#define ENT_MPI_TRANSPORT_H

#include <mpi.h>
#include <stdbool.h>

#include "base/context.h"

typedef struct ent_transport {
  MPI_Comm communicator;
  bool open;
  int rank, size;
  uint64_t bytes, messages; /* sent and received by this rank */
} ent_transport;

/* Collective. Errors of MPI end all ranks, as they do by default: there is nobody left to tell. */
entropic_status ent_transport_open(entropic_context *context, MPI_Comm communicator, ent_transport *transport);
void ent_transport_close(ent_transport *transport);
/* Collective: do all ranks say yes? */
bool ent_transport_agree(ent_transport *transport, bool yes);

/* Collective: what each rank gives, `size` bytes of it, in the order of ranks: all[ranks * size]. */
void ent_transport_gather(ent_transport *transport, const void *mine, size_t size, void *all);

/* Collective: the number that rank 0 gives; what others give does not count. */
uint64_t ent_transport_size(ent_transport *transport, uint64_t number);
/* Rank 0 hands bytes to all others, their number first; the others call ent_transport_size and then _take. */
entropic_status ent_transport_share(entropic_context *context, ent_transport *transport, const void *bytes,
                                    size_t count);
/* *bytes[count], to be freed with entropic_bytes_free. If there is no memory for them all ranks end. */
entropic_status ent_transport_take(entropic_context *context, ent_transport *transport, size_t count,
                                   unsigned char **bytes);

entropic_status ent_transport_send(entropic_context *context, ent_transport *transport, int to, const void *bytes,
                                   size_t count);
entropic_status ent_transport_receive(entropic_context *context, ent_transport *transport, int from,
                                      unsigned char **bytes, size_t *count);

/* ---- Checkpoints (checkpoint.c) ---- */

/* Answers of one rank that are kept in a folder, so that a run that was killed need not find them again. A file is named
 * by a hash of the question, of what identifies the shard, and of the rank: a table that has changed since, other
 * parameters and another number of ranks have other names. Files are written whole or not at all. */

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
