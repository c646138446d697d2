/* Room for OpenBLAS.
 *
 * OpenBLAS maps a work buffer for each call that runs at the same time as others, and one for each thread that it
 * starts. Where there is no room for one, versions before 0.3.30 ask again for ever. So buffers are mapped when we know
 * that there is room, and no more calls run at once than there are buffers. */
#ifndef ENT_BASE_BLAS_ROOM_H
#define ENT_BASE_BLAS_ROOM_H

#include <stdbool.h>

#include "base/context.h"

/* A work buffer of 0.3.21 for x86-64 and arm64. */
#define ENT_BLAS_BUFFER ((size_t)1 << 27)

/* How buffers are had: by the calls that OpenBLAS uses itself, or where a build hides these, by a call of BLAS. */
typedef struct ent_blas_buffers {
  void *(*take)(int unused);
  void (*give)(void *buffer); /* back: it stays mapped, for the next call */
  void (*call)(void);         /* needs a buffer; used if `take` is NULL */
  bool shared;                /* threads may call at once; otherwise a single buffer does */
} ent_blas_buffers;

/* Whether so many bytes more can be mapped now. */
bool ent_room_for(size_t bytes);

/* Room to load the library, which will start `threads` threads. NO_MEMORY if there is none. */
entropic_status ent_blas_room_to_load(entropic_context *context, size_t threads);

/* Buffers for the threads of the context, and as many places in ent_turn_begin: fewer where room is short. NO_MEMORY if
 * there is not even one. */
entropic_status ent_blas_room_to_run(entropic_context *context, const ent_blas_buffers *buffers);

#endif
