/* The methods of a comparison, and how each makes its features.
 *
 * A new method is a name in ENT_COMPARE_METHOD_MAP, a function that makes its features from a trial, and a row of the
 * table in method.c. Evaluations, experiments, pages and tests go through those. */
#ifndef ENT_COMPARE_METHOD_H
#define ENT_COMPARE_METHOD_H

#include <stdbool.h>

#include "lift/features.h"
#include "sums/rows.h"
#include "baselines/baselines.h"

/* Every method: its name here, and its name for people. Ours first. */
#define ENT_COMPARE_METHOD_MAP(X)                                                                                      \
  X(ENTROPY, "EOF")                                                                                                    \
  X(RESIDUAL, "EOF-select")                                                                                            \
  X(PRINTED, "EOF-printed")                                                                                            \
  X(INSET, "EOF-inset")                                                                                                \
  X(RKS, "RKS")                                                                                                        \
  X(ORF, "ORF")                                                                                                        \
  X(LKRF, "LKRF")                                                                                                      \
  X(EERF, "EERF")                                                                                                      \
  X(QMC, "QMC")                                                                                                        \
  X(SORF, "SORF")                                                                                                      \
  X(NYSTROEM, "Nystroem")                                                                                              \
  X(PIVOTED, "Nystroem-RPC")                                                                                           \
  X(EXACT, "kernel ridge")

typedef enum ent_compare_method {
#define ENT_COMPARE_METHOD_MEMBER(name, text) ENT_COMPARE_##name,
  ENT_COMPARE_METHOD_MAP(ENT_COMPARE_METHOD_MEMBER)
#undef ENT_COMPARE_METHOD_MEMBER
      ENT_COMPARE_METHODS
} ent_compare_method;

/* NULL for a number that is none. */
const char *ent_compare_method_name(ent_compare_method method);
/* The method of that name; ENT_COMPARE_METHODS if there is none. */
ent_compare_method ent_compare_method_find(const char *name);
/* Whether it is one of our own kinds of features, not a baseline. */
bool ent_compare_method_is_ours(ent_compare_method method);
/* Whether it is one of the four baselines of the source paper. */
bool ent_compare_method_is_papers(ent_compare_method method);
/* Whether it is exact kernel ridge, which has no features: a ceiling for baselines. */
bool ent_compare_method_is_exact(ent_compare_method method);
/* Whether its bandwidth is a multiple of the source paper's rule; our completed features are not shift-invariant and
 * have none. */
bool ent_compare_method_has_rule(ent_compare_method method);
/* Which inputs it takes. */
typedef enum ent_compare_inputs {
  ENT_INPUTS_SCALED, /* those of the comparison, by any of its scalings */
  ENT_INPUTS_MINMAX, /* scaled to [0,1] by their least and largest, as in the source paper */
  ENT_INPUTS_INSET   /* the same into [0.4,0.6]: away from the faces of the cube, where printed features are zero */
} ent_compare_inputs;
ent_compare_inputs ent_compare_method_inputs(ent_compare_method method);
/* How many kernels tuning chooses from, and their names; by the rule a method has kernel 0. */
size_t ent_compare_method_kernels(ent_compare_method method);
const char *ent_compare_method_kernel(ent_compare_method method, size_t kernel);
/* Of exact kernel ridge: the kernel itself. */
ent_random_kernel ent_compare_method_random_kernel(ent_compare_method method, size_t kernel);

/* A request: a method, and how many features. */
typedef struct ent_request {
  ent_compare_method method;
  bool tuned;      /* its bandwidth is tuned */
  size_t features; /* how many; 0: as many as `nonzeros` allow, and for exact kernel ridge */
  size_t nonzeros; /* of a row, at most, with at most ENT_METHOD_FEATURES_MOST features; EOF alone */
} ent_request;

#define ENT_METHOD_FEATURES_MOST ((size_t)2048)

/* A request with all that its features are made from. */
typedef struct ent_trial {
  const ent_request *request;
  size_t kernel; /* of the method's */
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

/* There may be fewer features than asked for. On failure *features is empty. Exact kernel ridge has none: BAD_ARGUMENT. */
entropic_status ent_method_features_make(entropic_context *context, const ent_trial *trial,
                                         ent_method_features *features);
/* Frees and empties. */
void ent_method_features_clear(ent_method_features *features);

#endif
