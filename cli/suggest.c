#include "suggest.h"

#include <string.h>

#include <entropic/entropic.h>

cli_suggestion suggestion_start(const char *typed) {
  /* A third of the letters may be wrong: more and the hint would be noise. */
  return (cli_suggestion){.typed = typed, .distance = strlen(typed) / 3 + 1};
}

void suggestion_try(cli_suggestion *suggestion, const char *candidate) {
  size_t length = strlen(candidate);
  size_t distance = entropic_edit_distance(suggestion->typed, strlen(suggestion->typed), candidate, length);
  if (distance >= suggestion->distance || distance >= length)
    return;
  suggestion->distance = distance;
  suggestion->best = candidate;
}
