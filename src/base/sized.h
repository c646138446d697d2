/* Structs of the interface that may grow: the caller says how large the one is that it knows. */
#ifndef ENT_BASE_SIZED_H
#define ENT_BASE_SIZED_H

#include "base/context.h"

/* Writes what is known, `full` bytes, to a struct of `size` bytes: the first of them; what is beyond is zero. BAD_ARGUMENT
 * if there is nowhere to write to. */
entropic_status ent_sized_give(entropic_context *context, void *to, size_t size, const void *from, size_t full);
/* Reads a struct of `size` bytes into one of `full`: what the caller does not know is zero. BAD_ARGUMENT if it has less
 * than `least` bytes, or something beyond `full` that is not zero: it was made for a later version. */
entropic_status ent_sized_take(entropic_context *context, void *to, size_t full, size_t least, const void *from,
                               size_t size);

#endif
