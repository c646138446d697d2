/* All allocation of the library goes through here. Sizes are multiplied with overflow checks. Memory is zeroed and
 * aligned to 64 bytes: a cache line, and enough for any vector instruction. Only ent_new_raw leaves it as it is. */
#ifndef ENT_BASE_MEMORY_H
#define ENT_BASE_MEMORY_H

#include <stdbool.h>

#include "base/context.h"

/* *product = a * b, *sum = a + b; false on overflow, which leaves the output as it was. */
bool ent_multiply(size_t a, size_t b, size_t *product);
bool ent_add(size_t a, size_t b, size_t *sum);

/* `count` zeroed elements of `size` bytes. NULL with a NO_MEMORY message on failure; never NULL for a count of 0. */
void *ent_new(entropic_context *context, size_t count, size_t size);
/* The same for rows x columns elements; overflow is a failure. */
void *ent_new_matrix(entropic_context *context, size_t rows, size_t columns, size_t size);
/* The same with elements of any value, for large arrays that are written before they are read. */
void *ent_new_raw(entropic_context *context, size_t rows, size_t columns, size_t size);
void ent_delete(void *memory);
/* A copy of text[0..length), 0-terminated. */
char *ent_new_text(entropic_context *context, const char *text, size_t length);

/* Grows an array to at least `needed` elements and keeps the first *capacity of them; updates *capacity. It grows at
 * least by half. NULL with a message on failure: then `old` is still valid and *capacity as it was. */
void *ent_grow(entropic_context *context, void *old, size_t *capacity, size_t needed, size_t size);
/* The same in place: `array` is the address of the pointer to the first element. False with a message on failure, and
 * nothing has changed. */
bool ent_reserve(entropic_context *context, void *array, size_t *capacity, size_t needed, size_t size);

#endif
