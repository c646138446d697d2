/* Messages between processes: 8 bytes that name the kind, the version, what is packed, and a checksum of all that. */
#ifndef ENT_COLUMNS_MESSAGE_H
#define ENT_COLUMNS_MESSAGE_H

#include "base/pack.h"

/* A message; freed by ent_message_free. */
typedef struct ent_message {
  unsigned char *bytes;
  size_t count;
} ent_message;

void ent_message_free(ent_message *message);

/* Begins a message of a kind, which has 8 letters. */
entropic_status ent_message_begin(entropic_context *context, const char *kind, ent_packer *packer);
/* Ends it: *message is complete, or the status that of the first failure. The packer is done with in any case. */
entropic_status ent_message_end(ent_packer *packer, ent_message *message);

/* Begins to read a message; BAD_DATA if it is not of the kind, of another version, or damaged. */
entropic_status ent_message_open(entropic_context *context, const ent_message *message, const char *kind,
                                 ent_unpacker *unpacker);
/* Ends reading: the status of the first failure, and BAD_DATA if something is left. */
entropic_status ent_message_close(ent_unpacker *unpacker);

#endif
