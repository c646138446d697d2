/* Writing many numbers: each as entropic_format_double writes it. A number is a long chain of steps that wait for each
 * other, so a few go through each step together, and steps have no branches that depend on digits. What is rare is left
 * to entropic_format_double. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/portable.h"
#include "base/powers.h"
#include "base/sixteen.h"
#include "entropic/entropic.h"

__extension__ typedef unsigned __int128 ent_list_wide;

#define TOGETHER ((size_t)16)
#define MOST_BEFORE 8 /* digits before the point, so that copies of fixed lengths stay within ENTROPIC_NUMBER_SIZE */

/* A number on its way: the 17 digits first, then the others, zeros at the end included. */
typedef struct ent_list_number {
  uint64_t whole; /* the shortest decimal is whole x 10^exponent, of 16 or 17 digits */
  int exponent;
  int count, point;                     /* digits without the zeros at the end; how many stand before the point */
  bool known;                           /* false: it is for entropic_format_double */
  char first, others[16 + MOST_BEFORE]; /* zeros behind the sixteen */
} ent_list_number;

/* The shortest decimal, as in format.c, by two multiplications where that has six. They decide it unless a comparison is
 * so close that their rounding matters. Powers of two and subnormal numbers are left out too. */
static inline void find_shortest(double value, const ent_power *powers, ent_list_number *number) {
  uint64_t bits = ent_bits_of(value) & UINT64_MAX >> 1, fraction = bits & ((UINT64_C(1) << 52) - 1);
  int biased = (int)(bits >> 52), q = biased - 1075;
  number->known = fraction != 0 && biased != 0 && biased != 2047;
  if (!number->known)
    return;
  int k = (q * 1262611) >> 22, shift = q + ((-k * 1741647) >> 19) + 1; /* the shift is 1 to 4 */
  const ent_power *power = &powers[-k - ENT_POWER_MIN];
  uint64_t c = (fraction | UINT64_C(1) << 52) << shift;
  ent_list_wide scaled = (ent_list_wide)power->high * c + (uint64_t)((ent_list_wide)power->low * c >> 64);
  uint64_t whole = (uint64_t)(scaled >> 64), tens = whole / 10;
  /* In units of 10^k 2^-60, each off by less than 2: how far the value is above the ten below it, and half the width of
   * the rounding interval. The width is between 1 and 10, so at most one multiple of ten is inside, and the nearest whole
   * number always is. */
  const uint64_t ten = UINT64_C(10) << 60, half = UINT64_C(1) << 59, doubt = 8;
  uint64_t above = (whole - 10 * tens) << 60 | (uint64_t)scaled >> 4, width = power->high >> (5 - shift);
  uint64_t below = ten - above, part = above & (2 * half - 1);
  number->known =
      above - width + doubt > 2 * doubt && below - width + doubt > 2 * doubt && part - half + doubt > 2 * doubt;
  uint64_t up = below < width, inside = up | (above < width), ones = whole - 10 * tens + (part > half);
  number->whole = 10 * (tens + up) + (ones & (inside - 1));
  number->exponent = k;
}

static inline void split_digits(ent_list_number *number) {
  static const uint64_t factors[] = {10, 1};
  const uint64_t eight = 100000000;
  bool full = number->whole >= eight * eight; /* 17 digits already */
  uint64_t all = number->whole * factors[full], top = all / eight;
  uint32_t low = (uint32_t)(all - top * eight), first = (uint32_t)top / (uint32_t)eight;
  number->first = (char)('0' + first);
  number->count = 17 - ent_write_sixteen((uint32_t)top - first * (uint32_t)eight, low, number->others);
  number->point = number->exponent + 16 + full;
  memset(number->others + 16, '0', MOST_BEFORE);
}

/* Returns where the text ends. What is copied beyond that is written over by the next number. */
static inline char *write_listed(const ent_list_number *number, double value, char *p) {
  int count = number->count, point = number->point;
  if (!number->known || point <= -4 || point > MOST_BEFORE || (point > 0 && count <= point))
    return p + entropic_format_double(value, p);
  *p = '-';
  p += signbit(value) != 0;
  if (point > 0) {
    *p = number->first;
    memcpy(p + 1, number->others, MOST_BEFORE);
    p[point] = '.';
    memcpy(p + point + 1, number->others + point - 1, 16);
    return p + count + 1;
  }
  memcpy(p, "0.000000", 8);
  p += 2 - point;
  *p = number->first;
  memcpy(p + 1, number->others, 16);
  return p + count;
}

size_t entropic_format_list(const double *values, size_t count, char *text) {
  ent_list_number numbers[TOGETHER];
  const ent_power *powers = ent_powers_of_ten();
  char *p = text;
  if (values == NULL || text == NULL)
    return 0;
  for (size_t done = 0; done < count; done += TOGETHER) {
    size_t some = count - done < TOGETHER ? count - done : TOGETHER;
    for (size_t i = 0; i < some; i++)
      find_shortest(values[done + i], powers, &numbers[i]);
    for (size_t i = 0; i < some; i++)
      if (numbers[i].known)
        split_digits(&numbers[i]);
    for (size_t i = 0; i < some; i++) {
      p = write_listed(&numbers[i], values[done + i], p);
      *p++ = ',';
    }
  }
  return count == 0 ? 0 : (size_t)(--p - text);
}
