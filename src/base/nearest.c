/* The name that is nearest to one that somebody typed, for messages, and the distance between two texts. */
#include <string.h>

#include "base/parameters.h"
#include "base/text.h"

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

static bool is_same(char a, char b) {
  return ent_lower(a) == ent_lower(b);
}

/* Optimal string alignment: three rows of the table of distances between prefixes. */
size_t entropic_edit_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
  if (a == NULL || b == NULL || a_length > ENTROPIC_EDIT_LENGTH || b_length > ENTROPIC_EDIT_LENGTH)
    return SIZE_MAX;
  size_t rows[3][ENTROPIC_EDIT_LENGTH + 1];
  size_t *before = rows[0], *last = rows[1], *now = rows[2];
  for (size_t j = 0; j <= b_length; j++)
    last[j] = j;
  for (size_t i = 1; i <= a_length; i++) {
    now[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
      now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + !is_same(a[i - 1], b[j - 1]));
      if (i > 1 && j > 1 && is_same(a[i - 1], b[j - 2]) && is_same(a[i - 2], b[j - 1]))
        now[j] = least(now[j], before[j - 2] + 1);
    }
    size_t *spare = before;
    before = last;
    last = now;
    now = spare;
  }
  return last[b_length];
}

ent_nearest ent_nearest_start(const char *typed, size_t length) {
  /* A third of the letters may be wrong: more and the hint would be noise. */
  return (ent_nearest){.typed = typed, .length = length, .distance = length / 3 + 1};
}

void ent_nearest_try(ent_nearest *nearest, const char *candidate, size_t length) {
  size_t distance = entropic_edit_distance(nearest->typed, nearest->length, candidate, length);
  if (distance >= nearest->distance || distance >= length)
    return;
  nearest->distance = distance;
  nearest->best = candidate;
  nearest->best_length = length;
}
