/* Internals of the random numbers that unit tests see. */
#ifndef ENT_BASE_RANDOM_H
#define ENT_BASE_RANDOM_H

#include <stdint.h>

/* One block of Philox 4x32-10: the 128 bits that belong to this counter under this key. */
void ent_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t block[4]);

/* The natural logarithm of a finite x > 0 from + - * / alone: the C library's differs in the last bit between
 * processors with and without fused multiply-add, and the stream of normals must not. Within 2 ulp. */
double ent_log(double x);

#endif
