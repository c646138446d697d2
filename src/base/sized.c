#include "base/sized.h"

#include <string.h>

entropic_status ent_sized_give(entropic_context *context, void *to, size_t size, const void *from, size_t full) {
  if (to == NULL || size == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the struct to write to is NULL or has size 0");
  memcpy(to, from, size < full ? size : full);
  if (size > full)
    memset((char *)to + full, 0, size - full);
  return ENTROPIC_OK;
}

entropic_status ent_sized_take(entropic_context *context, void *to, size_t full, size_t least, const void *from,
                               size_t size) {
  if (size < least)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "size: %zu is too small, expected %zu: set the struct up with its init function", size, full);
  for (size_t i = full; i < size; i++)
    if (((const char *)from)[i] != 0)
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "size: %zu: the options are those of a later version", size);
  memcpy(to, from, size < full ? size : full);
  if (size < full)
    memset((char *)to + size, 0, full - size);
  return ENTROPIC_OK;
}
