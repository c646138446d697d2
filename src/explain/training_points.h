/* The distribution of the inputs in the training rows, where a component of the model is of centres: these are the
 * training rows, each of the same weight. An input has a point for each distinct coordinate of the centres of the first
 * such component. Other components may scale the input another way: there a point has the coordinate of the number that
 * it is scaled from.
 *
 * Where a number is missing and the kernel of the centres has no atom for that, a centre has the coordinate 1/2.
 * Features that see such rows elsewhere then have means of atoms that the other rows do not explain. These say which
 * share of the rows at 1/2 are missing, and there is a point for them. */
#ifndef ENT_EXPLAIN_TRAINING_POINTS_H
#define ENT_EXPLAIN_TRAINING_POINTS_H

#include "model/joint.h"

typedef struct ent_training_input {
  size_t count;
  double *shares; /* [count] of the training rows */
  double *at;     /* [components x count] within [0,1]; NaN where missing, if the component has atoms for it */
  uint32_t *of;   /* [centres] the point of each */
} ent_training_input;

typedef struct ent_training_points {
  size_t component; /* that the centres are of */
  size_t inputs, components, centres;
  ent_training_input *input; /* [inputs] */
} ent_training_points;

/* Of a model with centres. */
entropic_status ent_training_points_create(entropic_context *context, const entropic_model *model,
                                           ent_training_points **points);
void ent_training_points_free(ent_training_points *points);

/* The marginals of the features of the model over the points, where it keeps none. */
entropic_status ent_training_points_marginals(entropic_context *context, const entropic_model *model,
                                              const ent_training_points *points, ent_marginals **marginals);
/* Gives points to rows that are missing, by marginals of the training rows. */
entropic_status ent_training_points_split(entropic_context *context, const entropic_model *model,
                                          const ent_marginals *marginals, ent_training_points *points);
/* The values of an atom of a component's features at the points of an input: values[count]. */
void ent_training_points_atom(const entropic_model *model, const ent_marginals *marginals,
                              const ent_training_points *points, size_t component, size_t input, uint32_t atom,
                              double *values);

#endif
