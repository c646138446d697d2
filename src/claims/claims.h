/* Every claim of the source paper, checked by measurement.
 *
 * A claim measures one number and says what it must be: at most, or at least, a limit. It sees the library only through
 * a *subject*, a small table of functions, so that tests can check another one that has a fault: each claim must then
 * fail. NaN fails every claim. */
#ifndef ENT_CLAIMS_CLAIMS_H
#define ENT_CLAIMS_CLAIMS_H

#include <math.h>
#include <stdbool.h>

#include "base/json.h"
#include "base/memory.h"
#include "design/design.h"
#include "page/page.h"
#include "claims/rate.h"
#include "claims/calls.h"

/* What is claimed about. Arguments are those of the public functions of the same purpose. */
typedef struct ent_subject {
  double (*kernel)(const entropic_kernel *kernel, size_t input, double x, double y);
  entropic_status (*atom)(entropic_context *context, const entropic_kernel *kernel, size_t input, size_t level,
                          double x, uint64_t *atom, double *value);
  entropic_status (*level)(entropic_context *context, const entropic_kernel *kernel, size_t input, size_t level,
                           entropic_level *info);
  entropic_status (*design)(entropic_context *context, const entropic_kernel *kernel,
                            const entropic_design_options *options, entropic_design **design);
  entropic_status (*size)(entropic_context *context, size_t inputs, unsigned n, uint64_t *features, uint64_t *nonzeros);
  /* The features of a design at x[rows x inputs]. */
  entropic_status (*lift)(entropic_context *context, const entropic_design *design, const double *x, size_t rows,
                          entropic_csr **csr);
  entropic_status (*rate)(entropic_context *context, const ent_rate_options *options, ent_rate *rates);
} ent_subject;

extern const ent_subject ent_subject_library;

/* ---- What a claim finds ------------------------------------------------------------------------------------ */

#define ENT_CLAIM_NOTE 400
#define ENT_CLAIM_SERIES 4
#define ENT_CLAIM_POINTS 260

typedef struct ent_claim_series {
  char name[64];
  bool curve, dashed, dots; /* no markers; a broken line; markers alone */
  size_t count;
  double x[ENT_CLAIM_POINTS], y[ENT_CLAIM_POINTS];
} ent_claim_series;

/* A number, more of what was found in words, and a picture of it if title is not NULL. */
typedef struct ent_finding {
  double value;
  char note[ENT_CLAIM_NOTE]; /* empty if there is no more to say */
  const char *title, *x_title, *y_title;
  bool x_logarithmic, y_logarithmic;
  size_t series_count;
  ent_claim_series series[ENT_CLAIM_SERIES];
} ent_finding;

/* The series of that name, a new one if there is none yet; the last one if there is no room for more. */
ent_claim_series *ent_finding_series(ent_finding *finding, const char *name);
/* Adds a point, as long as there is room. */
void ent_series_put(ent_claim_series *series, double x, double y);
/* The larger one; NaN if either is. */
double ent_worse(double a, double b);

/* ---- Claims ------------------------------------------------------------------------------------------------ */

typedef entropic_status (*ent_claim_measure)(entropic_context *context, const ent_subject *subject,
                                             ent_finding *finding);

typedef struct ent_claim {
  const char *name;     /* one word, for programs */
  const char *source;   /* where the paper says it */
  const char *text;     /* in plain words; where the paper errs, the corrected claim */
  const char *measured; /* what the value is */
  bool at_least;        /* the value must be at least the limit; otherwise at most */
  double limit;
  ent_claim_measure measure;
} ent_claim;

#define ENT_CLAIMS 37
extern const ent_claim ent_claim_list[ENT_CLAIMS];

bool ent_claim_holds(const ent_claim *claim, double value);

struct ent_claims {
  ent_finding findings[ENT_CLAIMS];
};

/* What is kept of a finding. */
typedef struct ent_claim_result {
  double value;
  char note[ENT_CLAIM_NOTE];
} ent_claim_result;

void ent_claims_keep(const ent_claims *claims, ent_claim_result results[ENT_CLAIMS]);
/* All of them with these results as `"claims": [...]`; as one JSON object. */
void ent_claims_list(ent_json *json, const ent_claim_result *results);
void ent_claims_numbers(ent_text *text, const ent_claims *claims);

/* Those of one input (claims_axis.c), of the constants C (claims_constants.c), */
entropic_status ent_claim_support(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_nested(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_combination(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_orthogonal(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_norms(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_boundary(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_expansion(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_without(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_bridge(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_pair_expansion(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_pair_orthogonal(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_root(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_tanh(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_not_sinh(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_vanish(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_order(entropic_context *context, const ent_subject *subject, ent_finding *finding);
/* of the shape of atoms (claims_shape.c), */
entropic_status ent_claim_union(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_growth(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_linear(entropic_context *context, const ent_subject *subject, ent_finding *finding);
/* of products (claims_product.c), */
entropic_status ent_claim_products(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_faces(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_product_norms(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_product_expansion(entropic_context *context, const ent_subject *subject,
                                            ent_finding *finding);
/* of designs (claims_design.c), */
entropic_status ent_claim_sum(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_product(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_knapsack(entropic_context *context, const ent_subject *subject, ent_finding *finding);
/* of the worst function (claims_lemma.c), */
entropic_status ent_claim_worst(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_lemma(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_logarithm(entropic_context *context, const ent_subject *subject, ent_finding *finding);
/* and of what they cost and give (claims_costs.c). */
entropic_status ent_claim_size(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_nonzeros(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_share(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_share_limit(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_sparse(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_completed_sparse(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_training(entropic_context *context, const ent_subject *subject, ent_finding *finding);
entropic_status ent_claim_rate(entropic_context *context, const ent_subject *subject, ent_finding *finding);

#endif
