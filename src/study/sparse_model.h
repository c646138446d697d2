/* One method with M features in the experiment with sparse features: made, trained, asked. */
#ifndef ENT_STUDY_SPARSE_MODEL_H
#define ENT_STUDY_SPARSE_MODEL_H

#include "lift/features.h"
#include "baselines/baselines.h"
#include "solve/iterate.h"
#include "solve/ridge.h"
#include "study/sparse.h"

/* What to make and how to train it. */
typedef struct ent_sparse_request {
  ent_sparse_method method;
  size_t inputs, features;
  double scale;
  bool is_gauss;
  uint64_t seed;
  const double *ridges; /* [ridge_count] lambda N */
  size_t ridge_count;   /* conjugate gradients take the first alone */
  size_t cholesky_most;
  double tolerance;
} ent_sparse_request;

/* An empty one is all zero. */
typedef struct ent_sparse_model {
  ent_lifting lifting;    /* EOF */
  ent_random_map *random; /* RKS */
  ent_map map;
  ent_ridge *ridge;
  ent_iterated *iterated;
} ent_sparse_model;

/* Features alone. The model is cleared by the caller, also on failure. */
entropic_status ent_sparse_model_make(entropic_context *context, const ent_sparse_request *request,
                                      ent_sparse_model *model);
/* Features and weights; sets train, gram and steps of the point. */
entropic_status ent_sparse_model_train(entropic_context *context, const ent_sparse_request *request,
                                       const ent_sparse_sample *rows, ent_sparse_model *model, ent_sparse_point *point);
void ent_sparse_model_clear(ent_sparse_model *model);

/* predictions[row] of ridge number 0, as the library predicts: EOF without writing features anywhere. */
entropic_status ent_sparse_model_predict(entropic_context *context, const ent_sparse_model *model,
                                         const ent_sparse_sample *rows, double *predictions);
/* The root of the mean square of prediction minus target, for every ridge. */
entropic_status ent_sparse_model_errors(entropic_context *context, const ent_sparse_model *model,
                                        const ent_sparse_sample *rows, double *errors);
/* Sets non-zeros and products of the point, on average over some rows. */
entropic_status ent_sparse_model_count(entropic_context *context, const ent_sparse_model *model,
                                       const ent_sparse_sample *rows, ent_sparse_point *point);

#endif
