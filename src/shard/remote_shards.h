/* Shards that have the rows of a table, and how to ask them: of tables whose own rows are a sample. */
#ifndef ENT_SHARD_REMOTE_SHARDS_H
#define ENT_SHARD_REMOTE_SHARDS_H

#include "columns/message.h"
#include "entropic/shards.h"

/* What the callback of an exchange gives. */
struct entropic_answer {
  unsigned char *bytes; /* NULL: nothing yet */
  size_t size;
  char *message; /* of a failure; NULL: none was given */
};

typedef struct ent_remote_shards {
  entropic_exchange exchange;
  void *user;
  size_t shards;
  ent_message plan, survey; /* by which they read, and what they found, as it was decided on */
  uint64_t *first_row;      /* [shards] */
} ent_remote_shards;

/* NULL is fine. */
void ent_remote_shards_free(ent_remote_shards *remote);

/* Asks all shards; *answer is to be freed. */
entropic_status ent_remote_shards_ask(entropic_context *context, const ent_remote_shards *remote,
                                      const ent_message *question, ent_message *answer);

#endif
