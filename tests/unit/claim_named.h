/* Claims by name. */
#ifndef CLAIM_NAMED_H
#define CLAIM_NAMED_H

#include "unit/tests.h"

#include "claims/claims.h"

static inline const ent_claim *claim_named(const char *name) {
  for (size_t i = 0; i < ENT_CLAIMS; i++)
    if (strcmp(ent_claim_list[i].name, name) == 0)
      return &ent_claim_list[i];
  fail_msg("there is no claim %s", name);
  return NULL;
}

#endif
