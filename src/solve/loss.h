/* The logistic loss on rows whose scores are known: what Newton's method needs of each row. */
#ifndef ENT_SOLVE_LOSS_H
#define ENT_SOLVE_LOSS_H

#include <stdbool.h>

#include "solve/rows.h"

/* All rows: class, weight, and three numbers for each score. */
typedef struct ent_labels {
  size_t rows, classes;
  size_t scores; /* 1 for two classes, otherwise one for each */
  int32_t *labels;
  double *weights;
  double weight;       /* their sum */
  double *score;       /* [row * scores + k] at the point at hand */
  double *probability; /* of class k there; of class 1 if there are two */
  double *change;      /* of the scores along the direction at hand */
} ent_labels;

/* Reads classes and weights; scores are 0. */
entropic_status ent_labels_create(entropic_context *context, const ent_rows *rows, size_t classes, ent_labels **labels);
void ent_labels_free(ent_labels *labels);

/* What is summed over all rows. */
typedef struct ent_losses {
  double loss;      /* sum of w loss */
  double curvature; /* sum of w p(1-p), the mean over the scores */
  bool separated;   /* every row with a weight has its right class in front */
  double margin;    /* the largest distance in score between right class and the best other, of rows with a weight */
} ent_losses;

/* At score + step * change; with step 0 the probabilities are set, too. On the context's threads, the same bits for any
 * number of them. */
entropic_status ent_labels_losses(entropic_context *context, ent_labels *labels, double step, ent_losses *losses);

/* out[k * rows + r] = w (p - [class]), or the derivative of that along `change` (which has that layout too), for the
 * rows `first` .. first + rows - 1. */
void ent_labels_gradient(const ent_labels *labels, size_t first, size_t rows, double *out);
void ent_labels_hessian(const ent_labels *labels, size_t first, size_t rows, double *change);

#endif
