/* Whether fixed-point statistics can be those of rows. */
#include "sums/fixed.h"

bool ent_fixed_possible(const ent_fixed *fixed, const ent_fixed *without) {
  uint64_t less = without == NULL ? 0 : without->rows;
  if (less > fixed->rows || fixed->rows > ENT_FIXED_MOST_ROWS)
    return false;
  ent_int128 most = (ent_int128)(fixed->rows - less) << (2 * ent_grade_bits(fixed->grade));
  for (size_t i = 0; i < fixed->size * (fixed->size + 1) / 2; i++) {
    ent_int128 total = fixed->totals[i];
    if (without != NULL && __builtin_sub_overflow(total, without->totals[i], &total))
      return false;
    if (total > most || total < -most)
      return false;
  }
  for (size_t j = 0; j < fixed->size; j++) {
    size_t at = ent_fixed_index(j, j);
    if (fixed->totals[at] < (without == NULL ? 0 : without->totals[at]))
      return false;
  }
  return true;
}
