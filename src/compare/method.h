/* The methods of a comparison, and how each makes its features.
 *
 * A new method is a name in ENT_COMPARE_METHOD_MAP, a function that makes its features from a trial, and a row of the
 * table in method.c. Evaluations, experiments, pages and tests go through those. */
#ifndef ENT_COMPARE_METHOD_H
#define ENT_COMPARE_METHOD_H

#include <stdbool.h>

#include "lift/features.h"
#include "solve/rows.h"
#include "random/random.h"

/* Every method: its name here, and its name for people. */
#define ENT_COMPARE_METHOD_MAP(X)                                                                                      \
  X(ENTROPY, "EOF")                                                                                                    \
  X(RESIDUAL, "EOF-select")                                                                                            \
  X(PRINTED, "EOF-printed")                                                                                            \
  X(RKS, "RKS")                                                                                                        \
  X(ORF, "ORF")                                                                                                        \
  X(LKRF, "LKRF")                                                                                                      \
  X(EERF, "EERF")                                                                                                      \
  X(NYSTROEM, "Nystroem")                                                                                              \
  X(QMC, "QMC")

typedef enum ent_compare_method {
#define ENT_COMPARE_METHOD_MEMBER(name, text) ENT_COMPARE_##name,
  ENT_COMPARE_METHOD_MAP(ENT_COMPARE_METHOD_MEMBER)
#undef ENT_COMPARE_METHOD_MEMBER
      ENT_COMPARE_METHODS
} ent_compare_method;

/* NULL for a number that is none. */
const char *ent_compare_method_name(ent_compare_method method);
/* Whether it is one of our own kinds of features, not a baseline. */
bool ent_compare_method_is_ours(ent_compare_method method);
/* Whether its bandwidth is a multiple of the source paper's rule; our completed features are not shift-invariant and
 * have none. */
bool ent_compare_method_has_rule(ent_compare_method method);

/* A request: a method, and how many features. */
typedef struct ent_request {
  ent_compare_method method;
  bool tuned;      /* its bandwidth is tuned */
  size_t features; /* how many; 0: as many as `nonzeros` allow */
  size_t nonzeros; /* of a row, at most, with at most ENT_METHOD_FEATURES_MOST features; EOF alone */
} ent_request;

#define ENT_METHOD_FEATURES_MOST ((size_t)2048)

/* A request with all that its features are made from. */
typedef struct ent_trial {
  const ent_request *request;
  double bandwidth;
  uint64_t seed;
  size_t inputs;
  ent_random_data data;              /* the training rows */
  const ent_block *validation;       /* rows, at least one; EOF-select alone */
  double lambda;                     /* to select by; negative: chosen on the validation rows; EOF-select alone */
  const entropic_axis_options *axis; /* the kernel, but for its omega; NULL: the default; EOF alone */
} ent_trial;

/* The features of a method. */
typedef struct ent_method_features {
  ent_lifting lifting;    /* our own */
  ent_random_map *random; /* of a baseline */
  ent_map map;            /* of either */
} ent_method_features;

/* There may be fewer features than asked for. On failure *features is empty. */
entropic_status ent_method_features_make(entropic_context *context, const ent_trial *trial,
                                         ent_method_features *features);
/* Frees and empties. */
void ent_method_features_clear(ent_method_features *features);

#endif
