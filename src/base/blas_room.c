/* Room for OpenBLAS: see blas_room.h. */
#define _GNU_SOURCE
#include "base/blas_room.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/memory.h"
#include "base/threads.h"

#define LIBRARY ((size_t)48 << 20) /* the file of 0.3.21 with those that it needs, and a little more */
#define STACK ((size_t)8 << 20)    /* of a thread that it starts */
#define SPARE ((size_t)1 << 20)
#define MOST_BUFFERS 256 /* Debian's build knows of no more */

static atomic_size_t mapped; /* buffers that are there */

bool ent_room_for(size_t bytes) {
  const int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE; /* no reserve: what is never written needs no memory */
  void *trial = mmap(NULL, bytes, PROT_READ | PROT_WRITE, kind, -1, 0);
  if (trial == MAP_FAILED)
    return false;
  munmap(trial, bytes);
  return true;
}

static entropic_status fail_room(entropic_context *context, size_t bytes) {
  struct rlimit limit;
  char class_validation[80] = "";
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    snprintf(class_validation, sizeof class_validation, "; the limit of this process (ulimit -v) is %ju MB in all",
             (uintmax_t)(limit.rlim_cur >> 20));
  return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory: OpenBLAS needs %zu MB more of address space%s",
                  bytes >> 20, class_validation);
}

entropic_status ent_blas_room_to_load(entropic_context *context, size_t threads) {
  size_t each = threads > 1 ? ENT_BLAS_BUFFER + STACK : 0, started, bytes;
  if (!ent_multiply(threads, each, &started) || !ent_add(started, LIBRARY, &bytes))
    bytes = SIZE_MAX;
  return ent_room_for(bytes) ? ENTROPIC_OK : fail_room(context, bytes);
}

/* One more buffer, into *buffer; whether there is one. All but the first leave as much room to the program. */
static bool map_buffer(const ent_blas_buffers *buffers, size_t count, void **buffer) {
  if (!ent_room_for(ENT_BLAS_BUFFER + (count == 0 ? SPARE : ENT_BLAS_BUFFER)))
    return false;
  if (buffers->take == NULL) {
    buffers->call();
    return true;
  }
  *buffer = buffers->take(0);
  return *buffer != NULL;
}

/* With no call running, the buffers that are there are taken, and then new ones as long as there is room. */
static void map_buffers(const ent_blas_buffers *buffers, size_t wanted) {
  void *held[MOST_BUFFERS] = {NULL};
  size_t count = 0, taken;
  ent_turn_close();
  for (; count < mapped && buffers->take != NULL; count++)
    held[count] = buffers->take(0);
  while (count < wanted && map_buffer(buffers, count, &held[count]))
    count++;
  for (taken = count; taken-- > 0;)
    if (held[taken] != NULL)
      buffers->give(held[taken]);
  if (count > mapped)
    mapped = count;
  ent_turn_open(mapped > 0 ? mapped : 1);
}

entropic_status ent_blas_room_to_run(entropic_context *context, const ent_blas_buffers *buffers) {
  bool one = !buffers->shared || buffers->take == NULL;
  size_t wanted = one ? 1 : (size_t)ent_workers(context, MOST_BUFFERS);
  if (mapped < wanted)
    map_buffers(buffers, wanted);
  return mapped > 0 ? ENTROPIC_OK : fail_room(context, ENT_BLAS_BUFFER + SPARE);
}
