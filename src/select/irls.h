/* Iteratively reweighted least squares: the logistic loss of two classes near some scores f as a squared loss. Let p be
 * the probabilities at f and y the classes 0 and 1. Rows of weight w p(1-p) and working response f + (y-p) / (p(1-p)) have
 * the gradient and the Hessian of the logistic loss. So selection by least squares is selection by one Newton step. */
#ifndef ENT_SELECT_IRLS_H
#define ENT_SELECT_IRLS_H

#include "sums/rows.h"

/* The least p(1-p): it bounds the response of a row whose class is not the one that is almost certain. */
#define ENT_LEAST_CURVE 1e-3

/* An empty one is all zero. */
typedef struct ent_irls {
  size_t rows;
  double *labels; /* 0 and 1 */
  double *weights, *responses;
  double mean; /* of the responses, weighted */
} ent_irls;

/* For rows whose only target is -1 or 1. scores[rows] become the log-odds of the classes, where the iteration begins.
 * BAD_DATA if all rows are of one class. */
entropic_status ent_irls_start(entropic_context *context, const ent_block *rows, double *scores, ent_irls *irls);
/* Weights, responses and their mean at these scores of the same rows. */
void ent_irls_set(ent_irls *irls, const ent_block *rows, const double *scores);
/* Frees and empties. */
void ent_irls_clear(ent_irls *irls);

/* The weighted mean of the logistic loss of rows whose only target is -1 or 1. */
double ent_irls_loss(const ent_block *rows, const double *scores);

#endif
