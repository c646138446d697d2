/* Features of any method of a contest, from what is asked of it.
 *
 * A new method is a name in ENT_BASELINE_MAP, a function that makes its features from a trial, and a row of the table in
 * entry.c; contests, races, pages and tests go through those. */
#ifndef ENT_STUDY_ENTRY_H
#define ENT_STUDY_ENTRY_H

#include <stdbool.h>

#include "lift/features.h"
#include "solve/rows.h"
#include "random/random.h"

/* Every method: its name, and how it is called by people. */
#define ENT_BASELINE_MAP(X)                                                                                            \
  X(ENTROPY, "EOF")                                                                                                    \
  X(RESIDUAL, "EOF-select")                                                                                            \
  X(PRINTED, "EOF-printed")                                                                                            \
  X(RKS, "RKS")                                                                                                        \
  X(ORF, "ORF")                                                                                                        \
  X(LKRF, "LKRF")                                                                                                      \
  X(EERF, "EERF")                                                                                                      \
  X(NYSTROEM, "Nystroem")                                                                                              \
  X(QMC, "QMC")

typedef enum ent_baseline {
#define ENT_BASELINE_MEMBER(name, text) ENT_BASELINE_##name,
  ENT_BASELINE_MAP(ENT_BASELINE_MEMBER)
#undef ENT_BASELINE_MEMBER
      ENT_BASELINES
} ent_baseline;

/* NULL for a number that is none. */
const char *ent_baseline_name(ent_baseline baseline);
/* Whether it is one of our own features, not a rival of them. */
bool ent_baseline_is_ours(ent_baseline baseline);
/* Whether its bandwidth is a multiple of the source paper's rule; our completed features are not shift-invariant and
 * have none. */
bool ent_baseline_has_rule(ent_baseline baseline);

/* What is asked of a method. */
typedef struct ent_request {
  ent_baseline baseline;
  bool tuned;      /* its bandwidth is */
  size_t features; /* how many; 0: as many as `nonzeros` pay for */
  size_t nonzeros; /* a row, at most, with at most ENT_ENTRY_MOST features; EOF alone */
} ent_request;

#define ENT_ENTRY_MOST ((size_t)2048)

/* A wish with all it takes to make features. */
typedef struct ent_trial {
  const ent_request *request;
  double bandwidth;
  uint64_t seed;
  size_t inputs;
  ent_random_data data;  /* the rows to learn from */
  const ent_block *kept; /* rows to try on, at least one; EOF-select alone */
  double lambda;         /* to select by; negative: found on the rows to try on; EOF-select alone */
} ent_trial;

typedef struct ent_study_entry {
  ent_lifting lifting;    /* ours */
  ent_random_map *random; /* the others' */
  ent_map map;            /* of either */
} ent_study_entry;

/* There may be fewer features than asked for. On failure *entry is empty. */
entropic_status ent_entry_make(entropic_context *context, const ent_trial *trial, ent_study_entry *entry);
/* Frees and empties. */
void ent_entry_clear(ent_study_entry *entry);

#endif
