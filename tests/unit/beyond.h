/* Outer validation rows whose predictions other rows decide about as well. */
#ifndef ENT_TESTS_UNIT_BEYOND_H
#define ENT_TESTS_UNIT_BEYOND_H

#include "fit/outer.h"

/* Whether a row lies outside what its run has learnt from, where lines may go on: all scored rows decide that. */
static inline bool is_beyond(const ent_outer *outer, size_t form, size_t row) {
  form = form == ENT_FORM_REFERENCE ? ENT_FORM_LINEAR : form; /* the same model */
  const ent_beyond *beyond = &outer->beyond[form][ENT_BEYOND_OUTSIDE];
  for (size_t r = 0; r < beyond->rows; r++)
    if (beyond->row[r].at == row)
      return true;
  return false;
}

#endif
