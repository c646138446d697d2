/* Fits over ranks of MPI: libentropic_mpi, a library of its own. Experimental: see entropic.h.
 * The header is named as its library: mpi.h is that of MPI.
 *
 * Every rank has one shard of the table (shards.h). Rank 0 fits; the others answer its questions. Answers are merged along
 * a tree, so rank 0 receives as many as there are levels. Failures are agreed upon: whatever rank fails, the call on rank 0
 * fails with its message, and all ranks end. MPI must be initialised with MPI_THREAD_SERIALIZED, or with any level if the
 * context has no progress callback. */
#ifdef ENTROPIC_EXPERIMENTAL
#ifndef ENTROPIC_MPI_H
#define ENTROPIC_MPI_H

#include <mpi.h>

#include "entropic/shards.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct entropic_cluster entropic_cluster;

/* Collective. The shard is borrowed and gets its place; the communicator is duplicated. checkpoint: a folder that the
 * answers of each question are kept in, so that a run that was killed goes on with those that are there and ends with the
 * same model; NULL: none. It is for one table and one set of parameters: rank 0 asks for nothing else. A rank that has no
 * shard, because opening it failed, gives NULL: then the call fails on all ranks, and nobody waits. Ranks that take parts of
 * one table must see the same files; their sizes, heads and tails are compared, and BAD_DATA says who sees others. */
ENTROPIC_API entropic_status entropic_cluster_create(entropic_context *context, MPI_Comm communicator,
                                                     entropic_shard *shard /* or NULL */,
                                                     const char *checkpoint /* or NULL */, entropic_cluster **cluster);
/* On rank 0: an entropic_exchange whose user is the cluster. */
ENTROPIC_API entropic_status entropic_cluster_exchange(void *cluster, const void *question, size_t size,
                                                       entropic_answer *answer);
/* On the other ranks: answers questions until rank 0 ends; the status is the one that rank 0 ends with. */
ENTROPIC_API entropic_status entropic_cluster_serve(entropic_context *context, entropic_cluster *cluster);
/* On rank 0: the others return from entropic_cluster_serve with this status. */
ENTROPIC_API entropic_status entropic_cluster_end(entropic_context *context, entropic_cluster *cluster,
                                                  entropic_status status);
/* Bytes and messages that this rank has sent and received so far; any pointer may be NULL. */
ENTROPIC_API void entropic_cluster_traffic(const entropic_cluster *cluster, uint64_t *bytes, uint64_t *messages);
/* Collective after entropic_cluster_end; NULL is fine. */
ENTROPIC_API void entropic_cluster_free(entropic_cluster *cluster);

#ifdef __cplusplus
}
#endif
#endif
#endif
