/* Restrictions: which inputs the features of a model may depend on together.
 *
 * A restriction allows sets of inputs. With a set it allows all parts of it: a product of atoms has effects of its single
 * inputs as well, as atoms have means that are not 0. So what is left out has no effect at all, of any order. */
#ifndef ENT_DESIGN_RESTRICTION_H
#define ENT_DESIGN_RESTRICTION_H

#include <stdbool.h>

#include "base/context.h"

/* Some inputs, each once, and so many further ones, whichever. */
typedef struct ent_input_set {
  size_t *inputs; /* [count] */
  size_t count, others;
} ent_input_set;

/* What lists of sets say. */
typedef enum ent_restriction_kind {
  ENT_RESTRICT_ONLY = 0,    /* only these sets and their parts are allowed */
  ENT_RESTRICT_WITHOUT = 1, /* nor are these allowed, and no set that has one of them as a part */
  ENT_RESTRICT_KINDS = 2
} ent_restriction_kind;

typedef struct ent_restriction {
  size_t inputs;                           /* of the table */
  ent_input_set *sets[ENT_RESTRICT_KINDS]; /* an empty list of ONLY allows all */
  size_t counts[ENT_RESTRICT_KINDS];       /* of sets */
  size_t capacities[ENT_RESTRICT_KINDS];   /* likewise */
  char *texts[ENT_RESTRICT_KINDS];         /* the lists as text, for people; NULL: not given */
  bool *alone;                             /* [inputs] whether any feature may depend on an input */
  const size_t *numbers; /* borrowed, of copies for a part of the inputs: [part] which ones these are; NULL: all */
} ent_restriction;

/* One that allows everything. ent_restriction_free(NULL) is fine. */
entropic_status ent_restriction_create(entropic_context *context, size_t inputs, ent_restriction **restriction);
void ent_restriction_free(ent_restriction *restriction);
/* Appends a set to a list. Its inputs are taken over; on failure they stay with the caller. */
entropic_status ent_restriction_add(entropic_context *context, ent_restriction *restriction, ent_restriction_kind kind,
                                    const ent_input_set *set);
/* Fills in `alone`, once all sets are there. Returns how many inputs a feature may depend on. */
size_t ent_restriction_finish(ent_restriction *restriction);

/* Whether features may depend on these inputs together, each given once. A restriction of NULL allows all. */
bool ent_restriction_allows(const ent_restriction *restriction, const size_t *inputs, size_t count);
/* Whether any feature may depend on an input, of a finished restriction or NULL. */
static inline bool ent_restriction_has(const ent_restriction *restriction, size_t input) {
  return restriction == NULL || restriction->alone[input];
}

#endif
