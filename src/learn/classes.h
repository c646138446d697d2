/* Classes on rows held out: how good the squared loss is there, how good the logistic loss is with its best lambda, and
 * how scores become probabilities. */
#ifndef ENT_LEARN_CLASSES_H
#define ENT_LEARN_CLASSES_H

#include "learn/learner.h"
#include "learn/logistic.h"

/* How well classes were told apart on rows held out. */
typedef struct ent_told {
  double lambda;
  double error;     /* the share of wrong classes, weighted */
  double loss;      /* the mean of -ln(probability of the right one), weighted */
  double sharpness; /* scores times this go into the probabilities */
  size_t rows;      /* predicted */
} ent_told;

/* Number of scores for so many classes: one for two, otherwise one for each. */
size_t ent_class_scores(size_t classes);

/* The squared loss with this lambda; the targets of the trials are -1 and 1, one for each score. Tried on the first
 * `parts` parts. The sharpness is the one of least loss there, one row more counting as wrong. */
entropic_status ent_tell_squared(entropic_context *context, const ent_way *way, const ent_trials *trials,
                                 size_t classes, size_t parts, double lambda, ent_told *told);

/* The logistic loss with the lambda of least loss; the one target of the trials is the number of the class. lambdas are
 * tried in the order given, from large to small, until the loss has risen twice or hardly falls any more, or until
 * it has taken too much work. A part that holds a class whole is left
 * out; told->rows is 0, and the rest means nothing, if all do. *start becomes a fit to begin with when all rows are
 * learnt from, or NULL; the caller frees it. */
entropic_status ent_tell_logistic(entropic_context *context, const ent_map *map, const ent_trials *trials,
                                  size_t classes, size_t parts, const double *lambdas, size_t count, ent_told *told,
                                  ent_logistic **start);

#endif
