/* Decimal numbers: see column_view.h. */
#include "columns/column_view.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "entropic/tools.h"

#define LIMBS (ENT_DECIMAL_WIDTH / 4)
#define DIGITS_MOST 80 /* of 32 bytes: 78 */

/* The magnitude in limbs, the lowest first; returns whether the number is negative. */
static bool split(const unsigned char *bytes, size_t width, uint32_t limbs[LIMBS]) {
  bool negative = bytes[width - 1] >> 7;
  unsigned char all[ENT_DECIMAL_WIDTH];
  memset(all, negative ? 0xff : 0, sizeof all);
  memcpy(all, bytes, width);
  uint64_t carry = negative;
  for (size_t i = 0; i < LIMBS; i++) {
    uint32_t limb = (uint32_t)all[4 * i] | (uint32_t)all[4 * i + 1] << 8 | (uint32_t)all[4 * i + 2] << 16 |
                    (uint32_t)all[4 * i + 3] << 24;
    carry += negative ? (uint32_t)~limb : limb;
    limbs[i] = (uint32_t)carry;
    carry >>= 32;
  }
  return negative;
}

/* Writes the digits of the magnitude, the lowest first; at least one. */
static size_t list_digits(uint32_t limbs[LIMBS], char digits[DIGITS_MOST]) {
  size_t count = 0, used = LIMBS;
  do {
    uint64_t rest = 0;
    for (size_t i = used; i-- > 0;) {
      rest = rest << 32 | limbs[i];
      limbs[i] = (uint32_t)(rest / 10);
      rest %= 10;
    }
    digits[count++] = (char)('0' + rest);
    while (used > 0 && limbs[used - 1] == 0)
      used--;
  } while (used > 0);
  return count;
}

size_t ent_decimal_text(const unsigned char *bytes, size_t width, int decimals, char text[ENT_DECIMAL_SIZE]) {
  uint32_t limbs[LIMBS];
  char digits[DIGITS_MOST];
  size_t length = 0, behind = decimals > 0 ? (size_t)decimals : 0;
  if (split(bytes, width, limbs))
    text[length++] = '-';
  size_t count = list_digits(limbs, digits), places = count > behind ? count : behind + 1;
  for (size_t place = places; place-- > 0;) {
    text[length++] = place < count ? digits[place] : '0';
    if (place == behind && behind > 0)
      text[length++] = '.';
  }
  for (int i = decimals; i < 0; i++)
    text[length++] = '0';
  text[length] = '\0';
  return length;
}

double ent_decimal_value(const unsigned char *bytes, size_t width, int decimals) {
  /* Powers of ten that are doubles: a quotient of two such numbers is rounded once. */
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  uint32_t limbs[LIMBS];
  bool negative = split(bytes, width, limbs), small = limbs[1] < 1u << 21;
  for (size_t i = 2; i < LIMBS; i++)
    small = small && limbs[i] == 0;
  double value = 0;
  if (small && decimals >= 0 && decimals <= 22) {
    value = (double)((uint64_t)limbs[1] << 32 | limbs[0]) / powers[decimals];
    return negative ? -value : value;
  }
  char text[ENT_DECIMAL_SIZE];
  size_t length = ent_decimal_text(bytes, width, decimals, text);
  entropic_parse_double(text, length, &value); /* of so few digits it always is one */
  return value;
}
