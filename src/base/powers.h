/* Powers of ten to 128 bits, for reading and writing numbers. */
#ifndef ENT_BASE_POWERS_H
#define ENT_BASE_POWERS_H

#include <stdint.h>

#define ENT_POWER_MIN (-292)
#define ENT_POWER_MAX 324

/* 10^e, scaled by a power of two to 2^127 .. 2^128 and rounded up, in two halves. */
typedef struct ent_power {
  uint64_t high, low;
} ent_power;

/* For e within ENT_POWER_MIN .. ENT_POWER_MAX. */
ent_power ent_power_of_ten(int e);
/* The whole table, for loops: 10^e is at e - ENT_POWER_MIN. */
const ent_power *ent_powers_of_ten(void);

#endif
