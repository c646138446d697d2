/* The logistic loss of rows with known scores: losses, gradients and Hessians for Newton's method. */
#ifndef ENT_SOLVE_LOSS_H
#define ENT_SOLVE_LOSS_H

#include <stdbool.h>

#include "sums/rows.h"

/* All rows: class and weight; score, probability and direction for each score. */
typedef struct ent_labels {
  size_t rows, classes;
  size_t scores; /* 1 for two classes, otherwise one for each class */
  int32_t *labels;
  double *weights;
  double weight;       /* their sum */
  double *score;       /* [row * scores + k] at the current point */
  double *probability; /* of class k there; of class 1 if there are two */
  double *direction;   /* the change of the scores along the current step */
} ent_labels;

/* Reads classes and weights; scores are 0. */
entropic_status ent_labels_create(entropic_context *context, const ent_rows *rows, size_t classes, ent_labels **labels);
void ent_labels_free(ent_labels *labels);

/* Sums over all rows. */
typedef struct ent_losses {
  double loss;      /* sum of w loss */
  double curvature; /* sum of w p(1-p), the mean over the scores */
  bool separated;   /* every row with a weight above 0 has a positive margin */
  double margin;    /* the largest margin of these rows: the score of the right class less the best other */
} ent_losses;

/* Losses at score + step * direction. A step of 0 also sets the probabilities. On the context's threads, with the same
 * bits for any number of them. */
entropic_status ent_labels_losses(entropic_context *context, ent_labels *labels, double step, ent_losses *losses);

/* The gradient of the loss in the scores, out[k * rows + r] = w (p - [class is k]), for rows first .. first + rows -
 * 1. */
void ent_labels_gradient(const ent_labels *labels, size_t first, size_t rows, double *out);
/* Multiplies v[k * rows + r] by the Hessian of the loss in the scores, in place. */
void ent_labels_hessian(const ent_labels *labels, size_t first, size_t rows, double *v);

#endif
