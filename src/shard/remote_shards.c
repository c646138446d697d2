/* Asking shards: see remote_shards.h. */
#include "shard/remote_shards.h"

#include <string.h>

#include "base/memory.h"

void ent_remote_shards_free(ent_remote_shards *remote) {
  if (remote == NULL)
    return;
  ent_message_free(&remote->plan);
  ent_message_free(&remote->survey);
  ent_delete(remote->first_row);
  ent_delete(remote);
}

entropic_status entropic_answer_give(entropic_answer *answer, const void *bytes, size_t size) {
  if (answer == NULL || bytes == NULL)
    return ENTROPIC_BAD_ARGUMENT;
  unsigned char *copy = ent_new_raw(NULL, size, 1, 1);
  if (copy == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(copy, bytes, size);
  ent_delete(answer->bytes);
  answer->bytes = copy;
  answer->size = size;
  return ENTROPIC_OK;
}

void entropic_answer_fail(entropic_answer *answer, const char *message) {
  if (answer == NULL || message == NULL)
    return;
  ent_delete(answer->message);
  answer->message = ent_new_text(NULL, message, strlen(message)); /* without memory the status has to do */
}

entropic_status ent_remote_shards_ask(entropic_context *context, const ent_remote_shards *remote,
                                      const ent_message *question, ent_message *answer) {
  entropic_answer given = {0};
  entropic_status status = remote->exchange(remote->user, question->bytes, question->count, &given);
  if (status == ENTROPIC_OK && given.bytes == NULL)
    status = ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the exchange gave no answer");
  else if (status != ENTROPIC_OK)
    status = ent_fail(context, status, "%s", given.message != NULL ? given.message : entropic_status_text(status));
  ent_delete(given.message);
  if (status != ENTROPIC_OK) {
    ent_delete(given.bytes);
    return status;
  }
  *answer = (ent_message){given.bytes, given.size};
  return ENTROPIC_OK;
}
