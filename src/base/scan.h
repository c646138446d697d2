/* Reading a number in the middle of a text, fast and correctly rounded. It handles what most cells of a table hold; for
 * anything else the caller falls back to entropic_parse_double. */
#ifndef ENT_BASE_SCAN_H
#define ENT_BASE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/powers.h"

__extension__ typedef unsigned __int128 ent_wide_product;

/* mantissa x 10^exponent, correctly rounded; false if one multiplication does not decide the rounding. */
static inline bool ent_scale_decimal(uint64_t mantissa, int exponent, const ent_power *powers, double *value) {
  static const double exact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  /* Both factors are exact, so the only rounding is that of the result. */
  if (mantissa <= UINT64_C(1) << 53 && exponent >= -22 && exponent <= 22) {
    *value = exponent < 0 ? (double)mantissa / exact[-exponent] : (double)mantissa * exact[exponent];
    return true;
  }
  if (mantissa == 0 || exponent < ENT_POWER_MIN || exponent > ENT_POWER_MAX)
    return false;
  /* The upper half of a 64 x 64 bit product. Left out are the lower half of the power, whose last bit may be one too
   * high, and the lower half of the product: together between -1/2^64 and 2 units of the last bit. So the bits that are
   * rounded away decide the rounding, unless they are all 0, all 1, or one less. */
  int shift = __builtin_clzll(mantissa);
  uint64_t top = (uint64_t)((ent_wide_product)(mantissa << shift) * powers[exponent - ENT_POWER_MIN].high >> 64);
  int upper = (int)(top >> 63);
  uint64_t mask = (UINT64_C(1) << (9 + upper)) - 1, rest = top & mask;
  if (rest == 0 || rest >= mask - 1)
    return false;
  uint64_t bits = ((top >> (9 + upper)) + 1) >> 1; /* 2^52 .. 2^53 */
  /* floor(exponent x log2(10)), right for all exponents of the table. */
  int binary = (exponent * 217706) >> 16;
  int biased = binary + 63 + upper - shift + 1023;
  if (biased < 1 || biased > 2045)
    return false;
  bits = ((uint64_t)biased << 52) + (bits - (UINT64_C(1) << 52)); /* 2^53 carries into the exponent */
  memcpy(value, &bits, sizeof *value);
  return true;
}

/* Counts up to 8 digits at p, where 8 bytes may be read; their value goes to *digits. */
static inline int ent_scan_digits(const char *p, uint64_t *digits) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint64_t word;
  memcpy(&word, p, sizeof word);
  word -= UINT64_C(0x3030303030303030);
  /* The high bit of each byte that is no digit. Exact up to the first such byte; later ones do not matter. */
  uint64_t others = ((word + UINT64_C(0x7676767676767676)) | word) & UINT64_C(0x8080808080808080);
  int count = others == 0 ? 8 : __builtin_ctzll(others) >> 3;
  if (count == 0)
    return 0;
  word <<= 64 - 8 * count; /* zeros in front */
  word = (word * 10 + (word >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
  word = (word * 100 + (word >> 16)) & UINT64_C(0x0000ffff0000ffff);
  *digits = (word * 10000 + (word >> 32)) & UINT64_C(0xffffffff);
  return count;
#else
  int count = 0;
  uint64_t value = 0;
  for (; count < 8 && p[count] >= '0' && p[count] <= '9'; count++)
    value = value * 10 + (uint64_t)(p[count] - '0');
  *digits = value;
  return count;
#endif
}

/* Appends the digits at *p to the mantissa; false if they are more than 19 in all. */
static inline bool ent_scan_run(const char **p, uint64_t *mantissa, int *count) {
  static const uint64_t tens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  int got;
  do {
    uint64_t digits = 0;
    got = ent_scan_digits(*p, &digits);
    *mantissa = *mantissa * tens[got] + digits;
    *count += got;
    *p += got;
  } while (got == 8 && *count <= 19);
  return *count <= 19; /* so the mantissa is below 10^19 and has not wrapped around */
}

/* Reads [-] digits [point digits] [e [+-] digits] at p; up to 16 bytes past its end may be read. Returns the end; NULL
 * if it is not such a number, or one for entropic_parse_double. */
static inline const char *ent_scan_double(const char *p, char point, const ent_power *powers, double *value) {
  bool negative = *p == '-';
  p += negative;
  uint64_t mantissa = 0;
  int count = 0, exponent = 0;
  if (!ent_scan_run(&p, &mantissa, &count))
    return NULL;
  if (*p == point) {
    p++;
    int before = count;
    if (!ent_scan_run(&p, &mantissa, &count))
      return NULL;
    exponent = before - count;
  }
  if (count == 0)
    return NULL;
  if ((*p | 0x20) == 'e') {
    const char *q = p + 1;
    bool down = *q == '-';
    q += *q == '-' || *q == '+';
    uint64_t digits = 0;
    int got = ent_scan_digits(q, &digits);
    if (got == 0 || got > 4)
      return NULL;
    exponent += down ? -(int)digits : (int)digits;
    p = q + got;
  }
  double size;
  if (!ent_scale_decimal(mantissa, exponent, powers, &size))
    return NULL;
  *value = negative ? -size : size;
  return p;
}

#endif
