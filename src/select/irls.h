/* The logistic loss of two classes near some scores f, as a squared one: with p the probabilities there and y the
 * classes 0 and 1, rows of weight w p(1-p) and of response f + (y-p) / (p(1-p)) have the slope and the curvature of the
 * logistic loss. So whatever chooses features by squares chooses them by one of Newton's steps. */
#ifndef ENT_SELECT_IRLS_H
#define ENT_SELECT_IRLS_H

#include "solve/rows.h"

/* p(1-p) counts as no less: a row that all but surely has its class would have a response without bound if it has not. */
#define ENT_LEAST_CURVE 1e-3

/* An empty one is all zero. */
typedef struct ent_irls {
  size_t rows;
  double *labels; /* 0 and 1 */
  double *weights, *responses;
  double mean; /* of the responses, weighted */
} ent_irls;

/* Of rows whose only target is -1 or 1; `scores` becomes where to begin: [rows] the logarithm of the odds of all. Rows of
 * one class alone have none: BAD_DATA. */
entropic_status ent_irls_start(entropic_context *context, const ent_block *rows, double *scores, ent_irls *irls);
/* Weights, responses and their mean at these scores of the same rows. */
void ent_irls_set(ent_irls *irls, const ent_block *rows, const double *scores);
/* Frees and empties. */
void ent_irls_clear(ent_irls *irls);

/* The weighted mean of the logistic loss of rows whose only target is -1 or 1. */
double ent_irls_loss(const ent_block *rows, const double *scores);

#endif
