/* Address space for OpenBLAS and its work buffers.
 *
 * OpenBLAS maps one work buffer for each concurrent call and one for each thread that it starts. If the mapping fails,
 * versions before 0.3.30 retry for ever. So we make it map its buffers while we know that there is enough address
 * space, and never run more calls at once than there are buffers. */
#ifndef ENT_BASE_BLAS_BUFFERS_H
#define ENT_BASE_BLAS_BUFFERS_H

#include <stdbool.h>

#include "base/context.h"

/* The size of a work buffer of OpenBLAS 0.3.21 on x86-64 and arm64. */
#define ENT_BLAS_BUFFER ((size_t)1 << 27)

/* How to make OpenBLAS map a buffer: by its own allocator, or by a call of BLAS if the build hides the allocator. */
typedef struct ent_blas_buffers {
  void *(*allocate)(int unused); /* NULL if hidden */
  void (*release)(void *buffer); /* the buffer stays mapped, for the next call */
  void (*use)(void);             /* a call of BLAS that needs a buffer; used if `allocate` is NULL */
  bool concurrent;               /* several threads may call BLAS at once; if not, one buffer is enough */
} ent_blas_buffers;

/* Whether this many more bytes can be mapped now. */
bool ent_can_map(size_t bytes);

/* Whether there is address space to load the library, which will start `threads` threads. NO_MEMORY if not. */
entropic_status ent_blas_can_load(entropic_context *context, size_t threads);

/* Maps a buffer for each thread of the context and opens as many slots (ent_slot_acquire). Fewer if address space is
 * short; NO_MEMORY if there is not even one. */
entropic_status ent_blas_map_buffers(entropic_context *context, const ent_blas_buffers *buffers);

#endif
