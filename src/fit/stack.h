/* The stack: a weighted sum of what the runs of outer validation have made, and of simple forms.
 *
 * A run chooses and trains without one part of the rows, so its scores of that part are of a model that has not seen these
 * rows in any way: not in its features, its kernel, its scaling, nor its weights. By these scores the weights of the sum are
 * found, which are not negative and add up to 1. The models of all runs together, in equal shares, are one candidate: each
 * has chosen by itself, so their mean varies less with the rows than any of them. The others are the linear form and the
 * constant. Then the weights of all features are trained again, on all rows.
 *
 * Errors of the stack are those of the same rows, each with weights of the sum that the other parts have found. A row is
 * scored by the one run that has not seen it, while the model is the mean of all runs. What the mean is worth follows from
 * how the runs differ at the row. All but one have seen it and differ less, so the error stays a little too large. */
#ifndef ENT_FIT_STACK_H
#define ENT_FIT_STACK_H

#include "fit/fit.h"
#include "fit/options.h"

typedef struct ent_outer ent_outer;
typedef struct ent_fitted ent_fitted;

#define ENT_STACK_CLASS_ROWS ((size_t)10000) /* up to so many rows of classes; numbers: ENT_OUTER_SMALL */
#define ENT_STACK_SCORES ((size_t)20)        /* and up to so many scores */

/* What a run has made. */
typedef struct ent_stack_run {
  ent_fit_outcome outcome;
  ent_class_validation class_validation;
  entropic_loss loss;
  size_t view;
  bool made;
} ent_stack_run;

typedef struct ent_stack {
  ent_stack_run *runs; /* [run_count] */
  size_t run_count;
  double weights[ENT_FORMS]; /* of the candidates, once they are found; 0 of what is not taken */
} ent_stack;

void ent_stack_clear(ent_stack *stack);

/* Whether a fit may become a stack: nothing is asked for that it does not have. */
bool ent_stack_is_candidate(const ent_fit *fit);

/* The weights, and the losses, errors and predictions of the stack on all rows of `outer`, which all runs have scored.
 * *usable is false if runs do not go together, or no stack has smaller losses than the full form: by enough, where that form
 * keeps promises that a sum does not. */
entropic_status ent_stack_score(entropic_context *context, const ent_fit *fit, ent_stack *stack, ent_outer *outer,
                                bool *usable);

/* The stack, trained on all rows, as a model, which is empty. */
entropic_status ent_stack_assemble(entropic_context *context, ent_fit *fit, ent_fitted *fitted, entropic_model *model);

#endif
