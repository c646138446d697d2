/* Work buffers of OpenBLAS: see blas.h. */
#define _GNU_SOURCE
#include "base/blas.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/memory.h"
#include "base/threads.h"

#define LIBRARY ((size_t)48 << 20) /* bytes of the library of 0.3.21 and those it needs, and a little more */
#define STACK ((size_t)8 << 20)    /* bytes of the stack of a thread that it starts */
#define SPARE ((size_t)1 << 20)
#define MOST_BUFFERS 256 /* the limit of Debian's build */

static atomic_size_t mapped; /* how many buffers are mapped */

bool ent_can_map(size_t bytes) {
  const int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE; /* never written, so no memory is reserved */
  void *trial = mmap(NULL, bytes, PROT_READ | PROT_WRITE, kind, -1, 0);
  if (trial == MAP_FAILED)
    return false;
  munmap(trial, bytes);
  return true;
}

static entropic_status fail_memory(entropic_context *context, size_t bytes) {
  struct rlimit limit;
  char limit_text[80] = "";
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    snprintf(limit_text, sizeof limit_text, "; the limit of this process (ulimit -v) is %ju MB in all",
             (uintmax_t)(limit.rlim_cur >> 20));
  return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory: OpenBLAS needs %zu MB more of address space%s",
                  bytes >> 20, limit_text);
}

entropic_status ent_blas_can_load(entropic_context *context, size_t threads) {
  size_t each = threads > 1 ? ENT_BLAS_BUFFER + STACK : 0, started, bytes;
  if (!ent_multiply(threads, each, &started) || !ent_add(started, LIBRARY, &bytes))
    bytes = SIZE_MAX;
  return ent_can_map(bytes) ? ENTROPIC_OK : fail_memory(context, bytes);
}

/* Maps one more buffer; false if there is no address space. All but the first leave as much again to the program. */
static bool map_buffer(const ent_blas_buffers *buffers, size_t count, void **buffer) {
  if (!ent_can_map(ENT_BLAS_BUFFER + (count == 0 ? SPARE : ENT_BLAS_BUFFER)))
    return false;
  if (buffers->allocate == NULL) {
    buffers->use();
    return true;
  }
  *buffer = buffers->allocate(0);
  return *buffer != NULL;
}

/* While no call runs: allocates the mapped buffers, then new ones as long as there is address space, then releases
 * all. */
static void map_more(const ent_blas_buffers *buffers, size_t wanted) {
  void *held[MOST_BUFFERS] = {NULL};
  size_t count = 0;
  ent_slots_close();
  for (; count < mapped && buffers->allocate != NULL; count++)
    held[count] = buffers->allocate(0);
  while (count < wanted && map_buffer(buffers, count, &held[count]))
    count++;
  for (size_t i = count; i-- > 0;)
    if (held[i] != NULL)
      buffers->release(held[i]);
  if (count > mapped)
    mapped = count;
  ent_slots_open(mapped > 0 ? mapped : 1);
}

entropic_status ent_blas_map_buffers(entropic_context *context, const ent_blas_buffers *buffers) {
  bool one = !buffers->concurrent || buffers->allocate == NULL;
  size_t wanted = one ? 1 : (size_t)ent_workers(context, MOST_BUFFERS);
  if (mapped < wanted)
    map_more(buffers, wanted);
  return mapped > 0 ? ENTROPIC_OK : fail_memory(context, ENT_BLAS_BUFFER + SPARE);
}
