#include "suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define LONGEST 63

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

static bool alike(char a, char b) {
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* How many letters must be inserted, dropped, replaced or swapped with their neighbour to make b of a; case aside. */
static size_t edits(const char *a, const char *b) {
  size_t m = strlen(a), n = strlen(b);
  if (m > LONGEST || n > LONGEST)
    return LONGEST;
  size_t rows[3][LONGEST + 1];
  size_t *before = rows[0], *last = rows[1], *now = rows[2];
  for (size_t j = 0; j <= n; j++)
    last[j] = j;
  for (size_t i = 1; i <= m; i++) {
    now[0] = i;
    for (size_t j = 1; j <= n; j++) {
      now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + !alike(a[i - 1], b[j - 1]));
      if (i > 1 && j > 1 && alike(a[i - 1], b[j - 2]) && alike(a[i - 2], b[j - 1]))
        now[j] = least(now[j], before[j - 2] + 1);
    }
    size_t *spare = before;
    before = last;
    last = now;
    now = spare;
  }
  return last[n];
}

cli_suggestion suggestion_start(const char *typed) {
  /* A third of the letters may be wrong: more and the hint would be noise. */
  return (cli_suggestion){.typed = typed, .distance = strlen(typed) / 3 + 1};
}

void suggestion_try(cli_suggestion *suggestion, const char *candidate) {
  size_t distance = edits(suggestion->typed, candidate);
  if (distance >= suggestion->distance || distance >= strlen(candidate))
    return;
  suggestion->distance = distance;
  suggestion->best = candidate;
}
