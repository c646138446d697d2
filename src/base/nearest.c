/* The name that is nearest to one that somebody typed, for messages. */
#include "base/parameters.h"

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
