/* Classes on rows held out: how good the squared loss and the squared hinge loss are there, how good the logistic loss
 * is with its best lambda, and how scores become probabilities. */
#ifndef ENT_TUNE_CLASSES_H
#define ENT_TUNE_CLASSES_H

#include "tune/learner.h"
#include "solve/logistic.h"

/* How well classes were told apart on rows held out. */
typedef struct ent_class_validation {
  double lambda;
  double error;               /* the share of wrong classes, weighted */
  double loss;                /* the mean of -ln(probability of the right one), weighted */
  double inverse_temperature; /* scores times this go into the probabilities */
  size_t rows;                /* predicted */
} ent_class_validation;

/* Number of scores for so many classes: one for two, otherwise one for each. */
size_t ent_class_scores(size_t classes);

/* What is tried on the parts: part k learns by way number k, or by the last one if there are fewer. */
typedef struct ent_class_trials {
  const ent_trials *trials;
  size_t classes;
  size_t parts;                /* the first so many parts are tried on */
  const ent_learner *learners; /* [way_count] */
  size_t learner_count;
} ent_class_trials;

/* The squared loss, or the squared hinge loss (ways then have features), with lambdas[way]; the targets of the trials
 * are -1 and 1, one for each score. told->lambda is the first. The sharpness is the one of least loss, one row more
 * counting as wrong. */
entropic_status ent_class_validate_squared(entropic_context *context, const ent_class_trials *tries,
                                           const double *lambdas, bool hinge, ent_class_validation *class_validation);

/* The logistic loss with the lambda of least loss; the one target of the trials is the number of the class; ways have
 * features. Of the lambdas, which are in descending order, number `begin` is tried first, then every second one on the
 * side where the loss falls, until it does not or hardly does, or until it has taken too much work. A part that holds a
 * class whole is left out; told->rows is 0, and the rest means nothing, if all do. starts[way] become fits to begin with
 * when all rows are learnt from, or NULL; the caller frees them, on failure too. */
entropic_status ent_class_validate_logistic(entropic_context *context, const ent_class_trials *tries,
                                            const double *lambdas, size_t count, size_t begin,
                                            ent_class_validation *class_validation, ent_logistic **starts);

#endif
