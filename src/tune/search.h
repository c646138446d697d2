/* The grid search for omega, the number of features and lambda by the squared loss, by exact cross-validation or on
 * validation rows.
 *
 * First it chooses omega, with some hundred features on some thousand rows. Then it chooses the number of features with
 * that omega. A design of fewer features is the beginning of one of more, so statistics of the largest serve all sizes,
 * each with all lambdas. From the size that omega was chosen with on, the first size that is clearly worse ends the
 * search. */
#ifndef ENT_TUNE_SEARCH_H
#define ENT_TUNE_SEARCH_H

#include "lift/features.h"
#include "select/curve.h"
#include "loss/link.h"
#include "tune/fold_statistics.h"

/* The grid. No list is empty; a single entry is given rather than searched for. */
typedef struct ent_grid {
  const double *omegas; /* a single 0: as the axes have it */
  size_t omega_count;
  const size_t *sizes; /* numbers of features, ascending; a single 0: by non-zeros */
  size_t size_count;
  const double *lambdas; /* descending */
  size_t lambda_count;
} ent_grid;

/* Which products a model may have. The simpler they are, the less it varies between the rows. All zero: any. */
typedef struct ent_product_limits {
  bool without_smooth; /* hats alone, no Legendre atoms */
  size_t max_order;    /* inputs of a product; 0: as many as the design options allow */
} ent_product_limits;

/* Predictions of validation rows, in the units of the targets, by models that have their features and weights from
 * other rows. */
typedef struct ent_held_predictions {
  size_t rows;
  size_t *numbers;     /* [rows] which training or validation rows they are */
  double *predictions; /* [rows x targets] */
} ent_held_predictions;

/* Appends; on failure nothing changes. */
entropic_status ent_held_predictions_add(entropic_context *context, const ent_held_predictions *more, size_t targets,
                                         ent_held_predictions *held);
/* Frees and empties. */
void ent_held_predictions_clear(ent_held_predictions *held);

/* The validation errors of the model that was chosen. */
typedef struct ent_validation_errors {
  double *errors;            /* [targets] mean squared errors */
  double *variances;         /* [targets] of these means; NULL: not known */
  ent_held_predictions held; /* search: of the first part; recipe: of the folds of all members, numbers only. Or none */
  size_t folds;              /* recipe: how many were held out, each for one member */
  size_t rows;               /* recipe: how many rows these had; for large tables they are a sample */
} ent_validation_errors;

/* Where the time went, in seconds. */
typedef struct ent_search_seconds {
  double design, lift, gram, solve;
} ent_search_seconds;

/* Adds seconds times `share`. */
static inline void ent_search_seconds_add(const ent_search_seconds *seconds, double share, ent_search_seconds *to) {
  to->design += share * seconds->design;
  to->lift += share * seconds->lift;
  to->gram += share * seconds->gram;
  to->solve += share * seconds->solve;
}

/* What a search or a recipe has chosen. */
typedef struct ent_search_result {
  double omega, lambda;
  ent_product_limits products;    /* recipe */
  ent_link link;                  /* recipe */
  bool wide;                      /* recipe: the inputs that were offered were taken */
  double *missing;                /* recipe: [inputs] by which weights are divided where an input is missing; or NULL */
  ent_lifting lifting;            /* search */
  ent_fold_statistics statistics; /* search: with these features */
  ent_validation_errors validation;
  ent_curve curve;         /* errors by size; empty if there was one size */
  size_t largest;          /* recipe: the largest size of a path, if a larger one might have been better; or 0 */
  bool stopped_early;      /* the deadline cut something short */
  double seconds_of_omega; /* that validating the last omega took; 0: there was none */
  ent_search_seconds seconds;
} ent_search_result;

/* On failure *result is empty. */
entropic_status ent_search(entropic_context *context, const ent_validation_splits *splits, const ent_features *features,
                           const ent_grid *grid, ent_search_result *result);
/* Chooses omega alone, with at most so many features. */
entropic_status ent_search_omega(entropic_context *context, const ent_validation_splits *splits,
                                 const ent_features *features, const ent_grid *grid, size_t size,
                                 ent_search_result *result);
/* Frees and empties. */
void ent_search_result_clear(ent_search_result *result);

#endif
