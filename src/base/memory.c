/* Allocation: see memory.h. */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ENT_ALIGNMENT 64
#define ENT_GROWN_BYTES ((size_t)512) /* the least size of a growing array, so that few elements move seldom */

bool ent_multiply(size_t a, size_t b, size_t *product) {
  size_t result;
  if (__builtin_mul_overflow(a, b, &result))
    return false;
  *product = result;
  return true;
}

bool ent_add(size_t a, size_t b, size_t *sum) {
  size_t result;
  if (__builtin_add_overflow(a, b, &result))
    return false;
  *sum = result;
  return true;
}

#if defined(__SANITIZE_ADDRESS__)
#define ENT_WATCHED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ENT_WATCHED
#endif
#endif

#ifdef ENT_WATCHED
/* The sanitizer must see where a block really ends. */
static void *allocate(size_t bytes, bool zeroed) {
  void *memory = aligned_alloc(ENT_ALIGNMENT, bytes);
  return memory == NULL || !zeroed ? memory : memset(memory, 0, bytes);
}

static void release(void *memory) {
  free(memory);
}
#else
/* Aligned by hand; the pointer to all of it stands before the block. For small blocks glibc's
 * aligned_alloc takes several times as long, which was a quarter of the time of a design. calloc does not touch pages
 * that come from the system: the half of a symmetric matrix that is never used takes no memory. */
static void *allocate(size_t bytes, bool zeroed) {
  if (bytes > SIZE_MAX - ENT_ALIGNMENT)
    return NULL;
  char *block = zeroed ? calloc(1, bytes + ENT_ALIGNMENT) : malloc(bytes + ENT_ALIGNMENT);
  if (block == NULL)
    return NULL;
  char *memory = block + ENT_ALIGNMENT - (uintptr_t)block % ENT_ALIGNMENT;
  memcpy(memory - sizeof block, &block, sizeof block);
  return memory;
}

static void release(void *memory) {
  char *block;
  if (memory == NULL)
    return;
  memcpy(&block, (char *)memory - sizeof block, sizeof block);
  free(block);
}
#endif

static void *new_elements(entropic_context *context, size_t count, size_t size, bool zeroed) {
  size_t bytes, padded;
  if (!ent_multiply(count, size, &bytes) || !ent_add(bytes, ENT_ALIGNMENT - 1, &padded)) {
    ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory: %zu elements of %zu bytes cannot be addressed", count, size);
    return NULL;
  }
  /* A multiple of the alignment, as aligned_alloc requires. At least one, so that a count of 0 gives a pointer too. */
  padded = padded < ENT_ALIGNMENT ? ENT_ALIGNMENT : padded / ENT_ALIGNMENT * ENT_ALIGNMENT;
  void *memory = allocate(padded, zeroed);
  if (memory == NULL) {
    ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory: %zu bytes requested", bytes);
    return NULL;
  }
  return memory;
}

void *ent_new(entropic_context *context, size_t count, size_t size) {
  return new_elements(context, count, size, true);
}

void *ent_new_matrix(entropic_context *context, size_t rows, size_t columns, size_t size) {
  size_t count;
  return ent_new(context, ent_multiply(rows, columns, &count) ? count : SIZE_MAX, size);
}

void *ent_new_raw(entropic_context *context, size_t rows, size_t columns, size_t size) {
  size_t count;
  return new_elements(context, ent_multiply(rows, columns, &count) ? count : SIZE_MAX, size, false);
}

void ent_delete(void *memory) {
  release(memory);
}

char *ent_new_text(entropic_context *context, const char *text, size_t length) {
  size_t size;
  char *copy = ent_new(context, ent_add(length, 1, &size) ? size : SIZE_MAX, 1);
  return copy == NULL ? NULL : memcpy(copy, text, length);
}

void *ent_grow(entropic_context *context, void *old, size_t *capacity, size_t needed, size_t size) {
  if (old != NULL && needed <= *capacity)
    return old;
  size_t wanted = needed > ENT_GROWN_BYTES / size ? needed : ENT_GROWN_BYTES / size, half_more;
  if (ent_add(*capacity, *capacity / 2, &half_more) && half_more > wanted)
    wanted = half_more;
  void *memory = ent_new(context, wanted, size);
  if (memory == NULL)
    return NULL;
  if (old != NULL)
    memcpy(memory, old, *capacity * size);
  ent_delete(old);
  *capacity = wanted;
  return memory;
}

bool ent_reserve(entropic_context *context, void *array, size_t *capacity, size_t needed, size_t size) {
  void *old;
  memcpy(&old, array, sizeof old); /* a pointer of another type */
  void *grown = ent_grow(context, old, capacity, needed, size);
  if (grown != NULL)
    memcpy(array, &grown, sizeof grown);
  return grown != NULL;
}
