/* Ranks that answer questions about their shards: see entropic/entropic_mpi.h.
 *
 * A question goes to all ranks by a broadcast. Answers come back along a binary tree over the ranks in their order: in
 * round s rank r, a multiple of 2s, merges its answer with that of rank r + s. A rank that fails answers with its failure,
 * so that nobody waits for it. */
#include "entropic/entropic_mpi.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "mpi/transport.h"
#include "shard/worker.h"

#define STOP UINT64_MAX /* the size of a question that is none: the status follows */

struct entropic_cluster {
  ent_transport transport;
  entropic_shard *shard;
  char *checkpoint; /* NULL: none */
  bool ended;
};

/* An answer on its way; freed by entropic_bytes_free. */
typedef struct ent_cluster_answer {
  unsigned char *bytes;
  size_t size;
} ent_cluster_answer;

static void answer_clear(ent_cluster_answer *answer) {
  entropic_bytes_free(answer->bytes);
  *answer = (ent_cluster_answer){0};
}

/* What a rank can do by itself. The transport is the cluster's from then on. */
static entropic_status prepare(entropic_context *context, const ent_transport *transport, entropic_shard *shard,
                               const char *checkpoint, entropic_cluster **cluster) {
  entropic_status status = entropic_shard_place(context, shard, (size_t)transport->rank, (size_t)transport->size);
  if (status != ENTROPIC_OK)
    return status;
  entropic_cluster *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  *made = (entropic_cluster){.transport = *transport, .shard = shard};
  *cluster = made;
  if (checkpoint == NULL)
    return ENTROPIC_OK;
  made->checkpoint = ent_new_text(context, checkpoint, strlen(checkpoint));
  return made->checkpoint == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* What a rank sees of the table, in words. */
static void describe_view(const ent_shard_view *view, int rank, char text[100]) {
  if (view->files == 0)
    snprintf(text, 100, "rank %d sees no file", rank);
  else
    snprintf(text, 100, "rank %d sees %llu bytes in %llu file%s", rank, (unsigned long long)view->bytes,
             (unsigned long long)view->files, view->files == 1 ? "" : "s");
}

/* Collective: do all ranks see the same files? Otherwise each would fit its part of another table. */
static entropic_status compare_views(entropic_context *context, ent_transport *transport, const ent_shard_view *mine) {
  ent_shard_view *all = ent_new(context, (size_t)transport->size, sizeof *all);
  bool agreed = ent_transport_agree(transport, all != NULL);
  if (all == NULL)
    return ENTROPIC_NO_MEMORY;
  if (!agreed) {
    ent_delete(all);
    return ent_fail(context, ENTROPIC_SYSTEM, "another rank is out of memory");
  }
  ent_transport_gather(transport, mine, sizeof *mine, all);
  int other = 1;
  while (other < transport->size && memcmp(&all[other], &all[0], sizeof *all) == 0)
    other++;
  entropic_status status = ENTROPIC_OK;
  if (other < transport->size) {
    char first[100], second[100];
    bool sizes = all[0].bytes != all[other].bytes || all[0].files != all[other].files;
    describe_view(&all[0], 0, first);
    describe_view(&all[other], other, second);
    status = ent_fail(context, ENTROPIC_BAD_DATA,
                      "ranks see different tables: %s, %s%s; expected the same file on every machine", first, second,
                      sizes ? "" : ", with other contents");
  }
  ent_delete(all);
  return status;
}

/* All ranks or none go on, each with a message. */
static entropic_status begin_together(entropic_context *context, ent_transport *transport, const entropic_shard *shard,
                                      entropic_status status) {
  bool all = ent_transport_agree(transport, status == ENTROPIC_OK);
  if (!all)
    return status != ENTROPIC_OK ? status : ent_fail(context, ENTROPIC_SYSTEM, "another rank could not begin");
  ent_shard_view view;
  ent_shard_look(shard, &view);
  return compare_views(context, transport, &view);
}

entropic_status entropic_cluster_create(entropic_context *context, MPI_Comm communicator, entropic_shard *shard,
                                        const char *checkpoint, entropic_cluster **cluster) {
  if (cluster == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "cluster is NULL");
  ent_transport transport;
  entropic_cluster *made = NULL;
  entropic_status status = ent_transport_open(context, communicator, &transport);
  if (status != ENTROPIC_OK)
    return status;
  status = shard == NULL ? ent_fail(context, ENTROPIC_BAD_ARGUMENT, "shard is NULL")
                         : prepare(context, &transport, shard, checkpoint, &made);
  status = begin_together(context, &transport, shard, status);
  if (status != ENTROPIC_OK) {
    ent_transport_close(&transport);
    if (made != NULL)
      ent_delete(made->checkpoint);
    ent_delete(made);
    return status;
  }
  *cluster = made;
  return ENTROPIC_OK;
}

void entropic_cluster_free(entropic_cluster *cluster) {
  if (cluster == NULL)
    return;
  ent_transport_close(&cluster->transport);
  ent_delete(cluster->checkpoint);
  ent_delete(cluster);
}

void entropic_cluster_traffic(const entropic_cluster *cluster, uint64_t *bytes, uint64_t *messages) {
  if (bytes != NULL)
    *bytes = cluster == NULL ? 0 : cluster->transport.bytes;
  if (messages != NULL)
    *messages = cluster == NULL ? 0 : cluster->transport.messages;
}

/* The failure of a call becomes the answer. */
static entropic_status answer_failure(entropic_context *context, const entropic_cluster *cluster,
                                      entropic_status status, ent_cluster_answer *answer) {
  char where[40];
  const char *message = entropic_context_message(context);
  snprintf(where, sizeof where, "rank %d", cluster->transport.rank);
  answer_clear(answer);
  return entropic_answer_of_failure(context, status, *message != '\0' ? message : entropic_status_text(status), where,
                                    &answer->bytes, &answer->size);
}

/* The answer of this rank alone: from the checkpoint, or by work. */
static entropic_status answer_alone(entropic_context *context, const entropic_cluster *cluster, const void *question,
                                    size_t size, ent_cluster_answer *answer) {
  char identity[ENT_SHARD_IDENTITY];
  ent_shard_identify(cluster->shard, identity);
  ent_checkpoint_place place = {cluster->checkpoint, cluster->transport.rank, cluster->transport.size, identity};
  bool found = false;
  entropic_status status = ent_checkpoint_find(context, &place, question, size, &answer->bytes, &answer->size, &found);
  if (status != ENTROPIC_OK || found)
    return status;
  status = entropic_shard_answer(context, cluster->shard, question, size, &answer->bytes, &answer->size);
  if (status != ENTROPIC_OK)
    return status;
  return ent_checkpoint_keep(context, &place, question, size, answer->bytes, answer->size);
}

/* Merges what rank r + s sends into the answer. */
static entropic_status merge_received(entropic_context *context, entropic_cluster *cluster, int from,
                                      ent_cluster_answer *answer) {
  ent_cluster_answer received = {0}, merged = {0};
  entropic_status status = ent_transport_receive(context, &cluster->transport, from, &received.bytes, &received.size);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_answers_merge(context, answer->bytes, answer->size, received.bytes, received.size, &merged.bytes,
                                  &merged.size);
  answer_clear(&received);
  if (status != ENTROPIC_OK)
    return answer_failure(context, cluster, status, answer);
  answer_clear(answer);
  *answer = merged;
  return ENTROPIC_OK;
}

/* This rank's part in answering a question. On rank 0 the answer becomes that of all; on others it is sent on. */
static entropic_status answer_together(entropic_context *context, entropic_cluster *cluster, const void *question,
                                       size_t size, ent_cluster_answer *answer) {
  int rank = cluster->transport.rank;
  entropic_status status = answer_alone(context, cluster, question, size, answer);
  if (status != ENTROPIC_OK)
    status = answer_failure(context, cluster, status, answer);
  for (int step = 1; status == ENTROPIC_OK && step < cluster->transport.size; step *= 2) {
    if (rank % (2 * step) != 0)
      return ent_transport_send(context, &cluster->transport, rank - step, answer->bytes, answer->size);
    if (rank + step < cluster->transport.size)
      status = merge_received(context, cluster, rank + step, answer);
  }
  return status;
}

entropic_status entropic_cluster_exchange(void *user, const void *question, size_t size, entropic_answer *answer) {
  entropic_cluster *cluster = user;
  entropic_context *context = NULL;
  ent_cluster_answer all = {0};
  entropic_status status = entropic_context_create(&context);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_transport_share(context, &cluster->transport, question, size);
  if (status != ENTROPIC_OK)
    goto done;
  status = answer_together(context, cluster, question, size, &all);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_answer_give(answer, all.bytes, all.size);
done:
  if (status != ENTROPIC_OK)
    entropic_answer_fail(answer, entropic_context_message(context));
  answer_clear(&all);
  entropic_context_free(context);
  return status;
}

entropic_status entropic_cluster_serve(entropic_context *context, entropic_cluster *cluster) {
  if (cluster == NULL || cluster->transport.rank == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s", cluster == NULL ? "cluster is NULL" : "rank 0 asks");
  for (;;) {
    uint64_t size = ent_transport_size(&cluster->transport, 0);
    if (size == STOP)
      return (entropic_status)ent_transport_size(&cluster->transport, 0);
    unsigned char *question = NULL;
    entropic_status status = ent_transport_take(context, &cluster->transport, (size_t)size, &question);
    if (status != ENTROPIC_OK)
      return status;
    ent_cluster_answer answer = {0};
    status = answer_together(context, cluster, question, (size_t)size, &answer);
    answer_clear(&answer);
    entropic_bytes_free(question);
    if (status != ENTROPIC_OK)
      return status;
  }
}

entropic_status entropic_cluster_end(entropic_context *context, entropic_cluster *cluster, entropic_status status) {
  if (cluster == NULL || cluster->transport.rank != 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s", cluster == NULL ? "cluster is NULL" : "only rank 0 ends");
  if (cluster->ended)
    return ENTROPIC_OK;
  cluster->ended = true;
  ent_transport_size(&cluster->transport, STOP);
  ent_transport_size(&cluster->transport, (uint64_t)status);
  return ENTROPIC_OK;
}
