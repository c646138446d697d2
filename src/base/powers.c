/* Powers of ten to 128 bits. They are computed exactly when first needed, by multiplying and dividing a long integer by
 * ten. That takes some 50 microseconds and saves a table of 617 constants. */
#include "base/powers.h"

#include <pthread.h>
#include <stdbool.h>

/* 10^324 has 1077 bits; 2^1151 / 10^292 still has 181. */
#define ENT_LIMBS 36

static ent_power table[ENT_POWER_MAX - ENT_POWER_MIN + 1];

/* The 128 leading bits of a long integer > 0 (least limb first), rounded up. `inexact`: bits below it were lost
 * before. */
static ent_power leading(const uint32_t limbs[ENT_LIMBS], bool inexact) {
  int top = ENT_LIMBS - 1;
  while (limbs[top] == 0)
    top--;
  int shift = __builtin_clz(limbs[top]);
  uint32_t words[4];
  for (int i = 0; i < 4; i++) {
    uint64_t high = top - i >= 0 ? limbs[top - i] : 0, low = top - i >= 1 ? limbs[top - i - 1] : 0;
    words[i] = (uint32_t)((high << 32 | low) << shift >> 32);
  }
  if (top >= 4)
    inexact = inexact || (uint32_t)(limbs[top - 4] << shift) != 0;
  for (int i = top - 5; i >= 0; i--)
    inexact = inexact || limbs[i] != 0;
  ent_power power = {(uint64_t)words[0] << 32 | words[1], (uint64_t)words[2] << 32 | words[3]};
  if (inexact && ++power.low == 0)
    power.high++;
  return power;
}

static void make_table(void) {
  uint32_t limbs[ENT_LIMBS] = {1};
  for (int e = 0; e <= ENT_POWER_MAX; e++) {
    table[e - ENT_POWER_MIN] = leading(limbs, false);
    uint64_t carry = 0;
    for (int i = 0; i < ENT_LIMBS; i++) {
      carry += (uint64_t)limbs[i] * 10;
      limbs[i] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  for (int i = 0; i < ENT_LIMBS; i++)
    limbs[i] = 0;
  limbs[ENT_LIMBS - 1] = UINT32_C(1) << 31;
  for (int e = -1; e >= ENT_POWER_MIN; e--) {
    uint64_t rest = 0;
    for (int i = ENT_LIMBS - 1; i >= 0; i--) {
      rest = rest << 32 | limbs[i];
      limbs[i] = (uint32_t)(rest / 10);
      rest %= 10;
    }
    table[e - ENT_POWER_MIN] = leading(limbs, true); /* no power of two is a multiple of five */
  }
}

const ent_power *ent_powers_of_ten(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_table);
  return table;
}

ent_power ent_power_of_ten(int e) {
  return ent_powers_of_ten()[e - ENT_POWER_MIN];
}
