/* Shards that have the rows of a table, and how to ask them: of tables whose own rows are a sample. */
#ifndef ENT_DATA_ELSEWHERE_H
#define ENT_DATA_ELSEWHERE_H

#include "data/parcel.h"
#include "entropic/shards.h"

/* What the callback of an exchange gives. */
struct entropic_answer {
  unsigned char *bytes; /* NULL: nothing yet */
  size_t size;
  char *message; /* of a failure; NULL: none was given */
};

typedef struct ent_elsewhere {
  entropic_exchange exchange;
  void *user;
  size_t shards;
  ent_parcel plan, whole; /* by which they read, and what they found, as it was decided on */
  uint64_t *first_row;    /* [shards] */
} ent_elsewhere;

/* NULL is fine. */
void ent_elsewhere_free(ent_elsewhere *elsewhere);

/* Asks all shards; *answer is to be freed. */
entropic_status ent_elsewhere_ask(entropic_context *context, const ent_elsewhere *elsewhere, const ent_parcel *question,
                                  ent_parcel *answer);

#endif
