/* A table in several shards within one process: every answer goes through bytes, as between processes. */
#ifndef FAULT_EXCHANGE_H
#define FAULT_EXCHANGE_H

#include "entropic/entropic.h"

enum { MOST_SHARDS = 9 };

typedef struct exchange {
  entropic_context *context; /* of the workers */
  entropic_shard *shards[MOST_SHARDS];
  size_t count;
  int turn;    /* merges from the right instead of from the left */
  int forgets; /* shards are opened anew for every question */
  const char *path;
  const entropic_parameters *parameters;
  size_t questions;
} exchange;

static inline void exchange_stop(exchange *e) {
  for (size_t i = 0; i < MOST_SHARDS; i++) {
    entropic_shard_free(e->shards[i]);
    e->shards[i] = NULL;
  }
}

/* Opens parts of a file. */
static inline entropic_status exchange_open(exchange *e) {
  entropic_status status = ENTROPIC_OK;
  exchange_stop(e);
  for (size_t i = 0; i < e->count && status == ENTROPIC_OK; i++)
    status = entropic_shard_open(e->context, &e->path, 1, e->parameters, i, e->count, &e->shards[i]);
  return status;
}

/* Merges an answer into those there are; both are freed. */
static inline entropic_status exchange_merge(exchange *e, unsigned char **all, size_t *size, unsigned char *one,
                                             size_t one_size, int before) {
  unsigned char *merged = NULL;
  size_t merged_size = 0;
  entropic_status status = before
                               ? entropic_answers_merge(e->context, one, one_size, *all, *size, &merged, &merged_size)
                               : entropic_answers_merge(e->context, *all, *size, one, one_size, &merged, &merged_size);
  entropic_bytes_free(one);
  if (status != ENTROPIC_OK)
    return status;
  entropic_bytes_free(*all);
  *all = merged;
  *size = merged_size;
  return ENTROPIC_OK;
}

/* An entropic_exchange. */
static inline entropic_status exchange_ask(void *user, const void *question, size_t size, entropic_answer *answer) {
  exchange *e = user;
  unsigned char *all = NULL;
  size_t all_size = 0;
  entropic_status status = e->forgets ? exchange_open(e) : ENTROPIC_OK;
  e->questions++;
  for (size_t i = 0; i < e->count && status == ENTROPIC_OK; i++) {
    size_t number = e->turn ? e->count - 1 - i : i, one_size = 0;
    unsigned char *one = NULL;
    status = entropic_shard_answer(e->context, e->shards[number], question, size, &one, &one_size);
    if (status != ENTROPIC_OK)
      break;
    if (i > 0) {
      status = exchange_merge(e, &all, &all_size, one, one_size, e->turn);
    } else {
      all = one;
      all_size = one_size;
    }
  }
  if (status == ENTROPIC_OK)
    status = entropic_answer_give(answer, all, all_size);
  else
    entropic_answer_fail(answer, entropic_context_message(e->context));
  entropic_bytes_free(all);
  return status;
}

#endif
