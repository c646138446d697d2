/* What a person may want to know of how a file was read: it is no fault, but may not be what was meant. */
#ifndef ENT_COLUMNS_NOTICES_H
#define ENT_COLUMNS_NOTICES_H

#include "base/memory.h"

typedef struct ent_notices {
  char **list;
  size_t count, capacity;
} ent_notices;

/* Adds a sentence, without a full stop; of ENT_MESSAGE_SIZE bytes at most, what is longer is cut. */
entropic_status ent_notices_add(entropic_context *context, ent_notices *notices, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* NULL past the last one. */
const char *ent_notices_get(const ent_notices *notices, size_t index);
void ent_notices_clear(ent_notices *notices);

#endif
