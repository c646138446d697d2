/* The weights of a stack: not negative, of sum 1, with the least loss of the weighted sum of scores on rows that the
 * candidates have not seen. Few rows say little of weights, so these are drawn towards equal ones. */
#ifndef ENT_FIT_STACK_WEIGHTS_H
#define ENT_FIT_STACK_WEIGHTS_H

#include <stddef.h>

#include "base/context.h"

/* The constant comes first: weights are not drawn towards it. */
#define ENT_STACK_CANDIDATES 4
#define ENT_STACK_AVERAGED 2 /* the one that is a mean of several models in the end */
#define ENT_STACK_KERNEL 3
#define ENT_STACK_ALL_PARTS SIZE_MAX

/* Rows, all borrowed. */
typedef struct ent_stack_rows {
  size_t rows, scores;
  size_t classes;                                /* 0: numbers, with the squared loss */
  const double *y;                               /* of the data set: [row x scores], or the class of each row */
  const double *scale;                           /* [scores] numbers: squares are divided by these */
  const size_t *numbers;                         /* [rows] which rows of the data set they are */
  const double *weights;                         /* [rows] */
  const size_t *part_of;                         /* [rows] */
  const double *candidate[ENT_STACK_CANDIDATES]; /* [rows x scores]; NULL: it is not there */
  size_t averaged;
  const double *variances; /* [rows x scores] what the mean takes away of the variance of the candidate `averaged` */
} ent_stack_rows;

/* Weights by all rows but those of one part, or by all. They are multiples of 1/256. */
entropic_status ent_stack_weigh(entropic_context *context, const ent_stack_rows *rows, size_t without,
                                double weights[ENT_STACK_CANDIDATES]);
/* mix[scores]: the weighted sum of the scores of row i. */
void ent_stack_mix(const ent_stack_rows *rows, const double *weights, size_t i, double *mix);
/* By how much the loss of row i is smaller with the mean, to second order; `mix` is its weighted sum. */
double ent_stack_correction(const ent_stack_rows *rows, const double *weights, size_t i, const double *mix);

#endif
