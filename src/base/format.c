/* Writing numbers: the shortest digits that read back as the same double, by R. Giulietti ("The Schubfach way to render
 * doubles", 2020). There is one decimal exponent at which at least one decimal and at most a few read back as the
 * double. Of these it takes the shortest, and of several the nearest. All arithmetic is on integers, so neither locale
 * nor rounding mode matters. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/portable.h"
#include "base/powers.h"
#include "entropic/entropic.h"

__extension__ typedef unsigned __int128 ent_uint128;

/* digits x 10^exponent */
typedef struct ent_shortest {
  uint64_t digits;
  int exponent;
} ent_shortest;

/* factor x power / 2^128, rounded to odd: the last bit is set if the result is inexact, so comparisons are exact. */
static uint64_t scale_to_odd(ent_power power, uint64_t factor) {
  ent_uint128 low = (ent_uint128)power.low * factor;
  ent_uint128 high = (ent_uint128)power.high * factor + (uint64_t)(low >> 64);
  /* The power may be one unit too large, so a fraction of one unit counts as exact. */
  return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* The shortest decimal of a finite value > 0. */
static ent_shortest shortest(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
  int biased = (int)(bits >> 52);
  uint64_t c = biased == 0 ? fraction : fraction | UINT64_C(1) << 52;
  int q = (biased == 0 ? 1 : biased) - 1075;     /* value = c 2^q */
  bool odd = c & 1;                              /* then the ends of the rounding interval are not in it */
  bool near_below = fraction == 0 && biased > 1; /* a power of two: the next double below is half as far */

  /* k = floor(log10(2^q)), or of 3/4 2^q: the width of the rounding interval lies within 10^k .. 10^(k+1). */
  int k = (q * 1262611 - (near_below ? 524031 : 0)) >> 22;
  int shift = q + ((-k * 1741647) >> 19) + 1;
  ent_power power = ent_power_of_ten(-k);
  /* Four times the value and the ends of its rounding interval, in units of 10^k. */
  uint64_t lower = scale_to_odd(power, (4 * c - 2 + near_below) << shift) + odd;
  uint64_t here = scale_to_odd(power, 4 * c << shift);
  uint64_t upper = scale_to_odd(power, (4 * c + 2) << shift) - odd;

  uint64_t s = here / 4;
  if (s >= 10) {
    uint64_t tens = s / 10;
    bool down = lower <= 40 * tens, up = 40 * tens + 40 <= upper;
    if (down != up)
      return (ent_shortest){tens + up, k + 1};
  }
  bool down = lower <= 4 * s, up = 4 * s + 4 <= upper;
  if (down != up)
    return (ent_shortest){s + up, k};
  bool nearer_up = here > 4 * s + 2 || (here == 4 * s + 2 && (s & 1));
  return (ent_shortest){s + nearer_up, k};
}

/* 00 to 99: two digits for one division. */
static const char two_digits[] =
    "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
    "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

/* Writes eight digits in front of `end`. */
static void write_eight(uint32_t n, char *end) {
  for (int i = 0; i < 4; i++) {
    end -= 2;
    memcpy(end, two_digits + n % 100 * 2, 2);
    n /= 100;
  }
}

/* Writes the digits of n in front of `end`; returns where they begin. */
static char *write_before(uint64_t n, char *end) {
  for (; n >= 100000000; n /= 100000000, end -= 8) /* the eights do not wait for each other */
    write_eight((uint32_t)(n % 100000000), end);
  uint32_t rest = (uint32_t)n;
  for (; rest >= 100; rest /= 100) {
    end -= 2;
    memcpy(end, two_digits + rest % 100 * 2, 2);
  }
  if (rest < 10) {
    *--end = (char)('0' + rest);
    return end;
  }
  end -= 2;
  memcpy(end, two_digits + rest * 2, 2);
  return end;
}

/* Writes the digits of n into text; returns how many. */
static int write_digits(uint64_t n, char *text) {
  char digits[20], *end = digits + sizeof digits, *first = write_before(n, end);
  memcpy(text, first, (size_t)(end - first));
  return (int)(end - first);
}

/* Writes d.ddde-07. Exponents have at least two digits, as printf writes them. */
static char *write_scientific(const char *digits, int count, int exponent, char *p) {
  *p++ = digits[0];
  if (count > 1) {
    *p++ = '.';
    memcpy(p, digits + 1, (size_t)(count - 1));
    p += count - 1;
  }
  *p++ = 'e';
  *p++ = exponent < 0 ? '-' : '+';
  unsigned size = (unsigned)(exponent < 0 ? -exponent : exponent);
  if (size < 10)
    *p++ = '0';
  return p + write_digits(size, p);
}

/* Writes plain digits, `point` of them before the decimal point; it may be negative, or more than there are. */
static char *write_plain(const char *digits, int count, int point, char *p) {
  if (point <= 0) {
    memcpy(p, "0.", 2);
    memset(p + 2, '0', (size_t)-point);
    p += 2 - point;
    memcpy(p, digits, (size_t)count);
    return p + count;
  }
  int before = count < point ? count : point;
  memcpy(p, digits, (size_t)before);
  memset(p + before, '0', (size_t)(point - before));
  p += point;
  if (count > point) {
    *p++ = '.';
    memcpy(p, digits + point, (size_t)(count - point));
    p += count - point;
  }
  return p;
}

static size_t write_word(const char *word, char *text) {
  strcpy(text, word);
  return strlen(word);
}

size_t entropic_format_double(double value, char *text) {
  if (text == NULL)
    return 0;
  if (isnan(value))
    return write_word("nan", text);
  char *p = text;
  if (signbit(value)) {
    *p++ = '-';
    value = -value;
  }
  if (isinf(value))
    return (size_t)(p - text) + write_word("inf", p);

  if (value <= 0x1p53 && value == (double)(uint64_t)value) {
    p += write_digits((uint64_t)value, p);
  } else {
    ent_shortest number = shortest(value);
    while (number.digits % 10 == 0) {
      number.digits /= 10;
      number.exponent++;
    }
    char room[20], *end = room + sizeof room, *digits = write_before(number.digits, end);
    int count = (int)(end - digits);
    int point = count + number.exponent;
    p = point > -4 && point <= 16 ? write_plain(digits, count, point, p)
                                  : write_scientific(digits, count, point - 1, p);
  }
  *p = '\0';
  return (size_t)(p - text);
}

double ent_round_digits(double value, int digits) {
  if (!isfinite(value) || value == 0)
    return value;
  ent_shortest number = shortest(fabs(value));
  uint64_t unit = 1, most = 1;
  for (int i = 0; i < digits; i++)
    most *= 10;
  while (number.digits / unit >= most) {
    unit *= 10;
    number.exponent++;
  }
  char text[ENTROPIC_NUMBER_SIZE], *end = text + write_digits((number.digits + unit / 2) / unit, text);
  *end++ = 'e';
  *end++ = number.exponent < 0 ? '-' : '+';
  end += write_digits((uint64_t)(number.exponent < 0 ? -number.exponent : number.exponent), end);
  double rounded;
  bool read = entropic_parse_double(text, (size_t)(end - text), &rounded) == ENTROPIC_OK;
  return read ? copysign(rounded, value) : value; /* not read: rounded up beyond the largest double */
}
