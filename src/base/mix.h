/* A bijection of 64-bit integers that scatters them: equal on every machine and for ever, since samples of rows and
 * evidence of shards depend on it. */
#ifndef ENT_BASE_MIX_H
#define ENT_BASE_MIX_H

#include <stdint.h>

/* The finaliser of SplitMix64, by its first step: 0 is no fixed point. */
static inline uint64_t ent_mix(uint64_t value) {
  value += UINT64_C(0x9e3779b97f4a7c15);
  value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
  return value ^ value >> 31;
}

#endif
