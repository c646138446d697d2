/* Validation of class models by the squared, the squared hinge and the logistic loss, and the calibration of scores to
 * probabilities. */
#ifndef ENT_TUNE_CLASSES_H
#define ENT_TUNE_CLASSES_H

#include "loss/loss.h"
#include "solve/logistic.h"
#include "tune/learner.h"

#define ENT_LEAST_PROBABILITY 1e-15 /* of the true class: keeps the logarithmic loss finite */

/* The validation figures of a class model. */
typedef struct ent_class_validation {
  double lambda;
  double error;               /* the weighted share of misclassified rows */
  double loss;                /* the weighted mean of -ln(probability of the true class) */
  double inverse_temperature; /* probabilities are those of the scores times this */
  size_t rows;                /* how many rows were validated on */
} ent_class_validation;

/* What is validated. The model without part k is fitted by learner number k, or by the last one if there are fewer. */
typedef struct ent_class_splits {
  const ent_validation_splits *splits;
  size_t classes;
  size_t parts;                /* the first so many parts are validated on */
  const ent_learner *learners; /* [learner_count] */
  size_t learner_count;
} ent_class_splits;

/* A loss whose targets are -1 and 1, one for each score: the squared one, or one by majorisation (learners then have features), with
 * lambdas[learner]. The targets of the
 * splits are -1 and 1, one for each score. The figures have the first lambda. The inverse temperature is that of least
 * loss; one row more counts as misclassified. */
entropic_status ent_class_validate_signs(entropic_context *context, const ent_class_splits *task, const double *lambdas,
                                         const ent_loss *loss, ent_class_validation *class_validation);

/* The lambdas that the logistic loss may have. */
typedef struct ent_lambda_path {
  ent_lambda_list lambdas; /* descending */
  size_t begin;            /* number of the one to begin with */
} ent_lambda_path;

/* The logistic loss with the lambda of least loss. The one target of the splits is the number of the class; learners have
 * features. After the first lambda, every second one follows on the side where the loss falls, until it falls no more or
 * hardly, or until it has taken too much work. A part that has all rows of a class is left out. If all parts are, the
 * figures have 0 rows and mean nothing. starts[learner] become fits to begin with when all rows are trained on, or NULL;
 * the caller frees them, on failure too. */
entropic_status ent_class_validate_logistic(entropic_context *context, const ent_class_splits *task,
                                            ent_lambda_path lambdas, ent_class_validation *class_validation,
                                            ent_logistic **starts);

#endif
