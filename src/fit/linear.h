/* The linear form of a model: ridge in the scaled inputs and in indicators of their categories. */
#ifndef ENT_FIT_LINEAR_H
#define ENT_FIT_LINEAR_H

#include "fit/outer.h"

#define ENT_LINEAR_LAMBDAS ((size_t)23)

/* A fit of the same rows with the linear form. It borrows from the other one, and must not be moved. */
typedef struct ent_linear_fit {
  ent_fit fit;
  ent_fit_options options;
  entropic_axis_options *axes;
  double lambdas[ENT_LINEAR_LAMBDAS];
} ent_linear_fit;

/* Linear in the inputs as a view has them: each in units of its standard deviation there, so that lambda treats all of
 * them alike (ridge as it is mostly meant), or all with the same omega. */
typedef struct ent_linear_kind {
  size_t view;
  bool standardised;
} ent_linear_kind;

/* *possible is false if there are too many features for that. Clear it in any case. */
entropic_status ent_linear_start(entropic_context *context, const ent_fit *from, ent_linear_kind kind,
                                 ent_linear_fit *linear, bool *possible);
void ent_linear_clear(ent_linear_fit *linear);

#endif
