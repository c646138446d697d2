/* Numbers as people write them: see notation.h. A text is stripped from both ends of signs, units and blanks; what is
 * left has to be digits in groups, a fraction and an exponent, and is copied without its groups for the one parser of
 * numbers that there is. */
#include "columns/notation.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "columns/date.h"

/* Longer texts are no numbers that anybody writes this way. */
#define ENT_NOTED_MOST 80

/* What is left of a text between two ends. */
typedef struct ent_notation_span {
  const char *at, *end;
} ent_notation_span;

static const char *const blanks[] = {" ", "\t", "\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\xaf"};
static const char *const apostrophes[] = {"'", "\xe2\x80\x99"};
/* Signs of which others are the end come before these. */
static const char *const units[] = {
    "US$", "A$",  "C$",  "R$",  "$",   "\xe2\x82\xac", "\xc2\xa3",  "\xc2\xa5",  "\xe2\x82\xb9", "\xe2\x82\xa9",
    "kr",  "Ft",  "Rs.", "Rs",  "%",   "\xef\xbc\x85", "z\xc5\x82", "K\xc4\x8d", "\xe2\x82\xbd", "\xe2\x82\xba",
    "EUR", "USD", "GBP", "JPY", "CHF", "CNY",          "AUD",       "CAD",       "NZD",          "SEK",
    "NOK", "DKK", "PLN", "CZK", "HUF", "INR",          "BRL",       "MXN",       "ZAR",          "KRW",
    "TRY", "SGD", "HKD", "ILS", "RUB", "\xe2\x82\xaa"};

#define COUNT_OF(list) (sizeof(list) / sizeof(list)[0])

/* Takes one of the words off the front; its number, or `count`. */
static size_t take_front(ent_notation_span *span, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t length = strlen(words[i]);
    if ((size_t)(span->end - span->at) >= length && memcmp(span->at, words[i], length) == 0) {
      span->at += length;
      return i;
    }
  }
  return count;
}

static size_t take_back(ent_notation_span *span, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t length = strlen(words[i]);
    if ((size_t)(span->end - span->at) >= length && memcmp(span->end - length, words[i], length) == 0) {
      span->end -= length;
      return i;
    }
  }
  return count;
}

static void trim(ent_notation_span *span) {
  while (take_front(span, blanks, COUNT_OF(blanks)) < COUNT_OF(blanks))
    ;
  while (take_back(span, blanks, COUNT_OF(blanks)) < COUNT_OF(blanks))
    ;
}

/* What stood around the digits. */
typedef struct ent_wrapping {
  bool negative, signed_;
  size_t unit; /* COUNT_OF(units): none */
} ent_wrapping;

static void take_sign(ent_notation_span *span, ent_wrapping *wrapping) {
  static const char *const signs[] = {"+", "-", "\xe2\x88\x92"};
  if (wrapping->signed_)
    return;
  size_t sign = take_front(span, signs, COUNT_OF(signs));
  wrapping->signed_ = sign < COUNT_OF(signs);
  wrapping->negative = wrapping->negative || (wrapping->signed_ && sign > 0);
}

/* Parentheses make a number negative, and there is no other sign. */
static void take_parentheses(ent_notation_span *span, ent_wrapping *wrapping) {
  if (wrapping->signed_ || span->end - span->at <= 2 || *span->at != '(' || span->end[-1] != ')')
    return;
  span->at++;
  span->end--;
  wrapping->negative = wrapping->signed_ = true;
  trim(span);
}

/* Takes off parentheses, a sign, and one unit before or behind; the unit may also stand before the parentheses. */
static ent_wrapping unwrap(ent_notation_span *span) {
  ent_wrapping wrapping = {.unit = COUNT_OF(units)};
  trim(span);
  take_parentheses(span, &wrapping);
  take_sign(span, &wrapping);
  wrapping.unit = take_front(span, units, COUNT_OF(units));
  if (wrapping.unit == COUNT_OF(units))
    wrapping.unit = take_back(span, units, COUNT_OF(units));
  trim(span);
  take_parentheses(span, &wrapping);
  take_sign(span, &wrapping);
  return wrapping;
}

static bool is_digit(const ent_notation_span *span) {
  return span->at < span->end && *span->at >= '0' && *span->at <= '9';
}

static size_t copy_digits(ent_notation_span *span, char **to) {
  size_t count = 0;
  for (; is_digit(span); count++)
    *(*to)++ = *span->at++;
  return count;
}

/* A mark between groups: the number of its kind from 1, or 0 if there is none. */
static size_t take_group(ent_notation_span *span, char mark) {
  if (span->at < span->end && *span->at == mark) {
    span->at++;
    return 1;
  }
  if (take_front(span, blanks, COUNT_OF(blanks)) < COUNT_OF(blanks))
    return 2;
  return take_front(span, apostrophes, COUNT_OF(apostrophes)) < COUNT_OF(apostrophes) ? 3 : 0;
}

/* Digits, all together or one to three and then groups of three with the same mark between; or as India counts: one or
 * two, groups of two, and three. */
static bool copy_integer(ent_notation_span *span, char mark, char **to) {
  const char *first = *to;
  size_t count = copy_digits(span, to), kind = 0, pairs = 0, threes = 0;
  for (ent_notation_span rest = *span;; *span = rest) {
    size_t found = take_group(&rest, mark);
    if (found == 0)
      return pairs == 0 || threes == 1;
    if (count == 0 || count > 3 || first[0] == '0' || (kind != 0 && found != kind) || (pairs > 0 && threes > 0))
      return false;
    size_t digits = copy_digits(&rest, to);
    bool pair = digits == 2 && threes == 0 && count < 3 && mark == ',' && found == 1;
    if (digits != 3 && !pair)
      return false;
    pairs += pair;
    threes += !pair;
    kind = found;
  }
}

/* e, or Fortran's d, and an integer. */
static bool copy_exponent(ent_notation_span *span, char **to) {
  if (span->at == span->end)
    return true;
  char letter = *span->at++;
  if (letter != 'e' && letter != 'E' && letter != 'd' && letter != 'D')
    return false;
  *(*to)++ = 'e';
  if (span->at < span->end && (*span->at == '+' || *span->at == '-'))
    *(*to)++ = *span->at++;
  return copy_digits(span, to) > 0 && span->at == span->end;
}

static bool read_number(const char *text, size_t length, bool comma, double *value) {
  char plain[ENT_NOTED_MOST + 4], *to = plain;
  ent_notation_span span = {text, text + length};
  if (length == 0 || length > ENT_NOTED_MOST)
    return false;
  ent_wrapping wrapping = unwrap(&span);
  *to++ = wrapping.negative ? '-' : '+';
  const char *digits = to;
  if (!copy_integer(&span, comma ? '.' : ',', &to))
    return false;
  bool some = to > digits;
  if (span.at < span.end && *span.at == (comma ? ',' : '.')) {
    span.at++;
    *to++ = '.';
    some = copy_digits(&span, &to) > 0 || some;
  }
  if (!some || !copy_exponent(&span, &to))
    return false;
  return entropic_parse_double(plain, (size_t)(to - plain), value) == ENTROPIC_OK && isfinite(*value);
}

bool ent_notation_read(ent_notation notation, const char *text, size_t length, double *value) {
  switch (notation) {
  case ENT_NOTATION_POINT:
  case ENT_NOTATION_COMMA:
    return read_number(text, length, notation == ENT_NOTATION_COMMA, value);
  case ENT_NOTATION_DATE:
    return ent_parse_date(text, length, ENT_DATE_YEAR, value);
  case ENT_NOTATION_DAY:
    return ent_parse_date(text, length, ENT_DATE_DAY, value);
  case ENT_NOTATION_MONTH:
    return ent_parse_date(text, length, ENT_DATE_MONTH, value);
  case ENT_NOTATION_UTC_DATE:
    return ent_parse_instant(text, length, ENT_DATE_YEAR, value);
  case ENT_NOTATION_UTC_DAY:
    return ent_parse_instant(text, length, ENT_DATE_DAY, value);
  case ENT_NOTATION_UTC_MONTH:
    return ent_parse_instant(text, length, ENT_DATE_MONTH, value);
  case ENT_NOTATION_CLOCK:
    return ent_parse_clock(text, length, value);
  default:
    return false;
  }
}

bool ent_notation_unit(const char *text, size_t length, char unit[ENT_UNIT_SIZE]) {
  ent_notation_span span = {text, text + length};
  size_t found = unwrap(&span).unit;
  strcpy(unit, found < COUNT_OF(units) ? units[found] : "");
  return found < COUNT_OF(units);
}

bool ent_notation_is_dash(const char *text, size_t length) {
  ent_notation_span span = {text, text + length};
  ent_wrapping wrapping = unwrap(&span);
  return wrapping.unit < COUNT_OF(units) && wrapping.signed_ && span.at == span.end;
}

ent_notation_match ent_notation_match_text(const char *text, size_t length, char unit[ENT_UNIT_SIZE]) {
  ent_notation_match match = {0};
  double value[ENT_NOTATIONS] = {0};
  unit[0] = '\0';
  for (int n = ENT_NOTATION_POINT; n < ENT_NOTATIONS; n++)
    match.notations |= (unsigned)ent_notation_read((ent_notation)n, text, length, &value[n]) << n;
  const unsigned numbers = 1u << ENT_NOTATION_POINT | 1u << ENT_NOTATION_COMMA;
  const unsigned orders = 1u << ENT_NOTATION_DAY | 1u << ENT_NOTATION_MONTH;
  match.ambiguous =
      ((match.notations & numbers) == numbers && value[ENT_NOTATION_POINT] != value[ENT_NOTATION_COMMA]) ||
      ((match.notations & orders) == orders && value[ENT_NOTATION_DAY] != value[ENT_NOTATION_MONTH]);
  if ((match.notations & numbers) == 0) {
    if (match.notations != 0 && ent_date_has_zone_name(text, length))
      strcpy(unit, ENT_UNIT_ZONE);
    return match;
  }
  match.marked = ent_notation_unit(text, length, unit);
  return match;
}
