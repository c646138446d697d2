/* A fit under way: what the steps of fit.c and its neighbours share. */
#ifndef ENT_FIT_FIT_H
#define ENT_FIT_FIT_H

#include "select/average.h"
#include "tune/classes.h"
#include "tune/recipe.h"
#include "tune/search.h"
#include "dataset/dataset.h"
#include "fit/options.h"
#include "loss/loss.h"
#include "model/model.h"

#define ENT_VIEWS 3 /* candidates for the scaling */

typedef struct ent_fit_wide ent_fit_wide;

typedef struct ent_fit {
  const entropic_dataset *train, *valid; /* valid may be NULL */
  const ent_fit_options *options;
  size_t inputs, scores;
  bool residual; /* features are chosen from the data */
  entropic_scaler *scalers[ENT_VIEWS];
  ent_view views[ENT_VIEWS]; /* the rows under each of them */
  double
      *scaled[ENT_VIEWS][2]; /* training and validation rows of a small table, scaled; NULL: scaled as they are read */
  size_t view_count;
  size_t plain; /* the view of the inputs in units of their own, min-max; it may be one more than view_count counts */
  entropic_scaler *scaler;         /* the one in use, of scalers */
  double *sample;                  /* all training rows, scaled, for a design by the data; NULL: none */
  const double *y, *valid_y;       /* rows x scores: the targets in units of their own, or -1 and 1 for classes */
  double *own_y, *own_valid_y;     /* these where they are not those of the data sets */
  double *weights, *valid_weights; /* of rows, where classes are weighted; NULL: as the data sets have them */
  double *class_weight;            /* [classes] that they are weighted with; NULL: they are not */
  int *unit;     /* [scores] the unit is 2 to this power, an even one: squares stay within the range of numbers, no bit
                    changes. 0 where they do so anyway */
  double *scale; /* [scores] what errors are measured by: the variances of targets, 1 for classes */
  entropic_axis_options *axes;
  ent_features features;
  size_t *fold_of;
  size_t folds; /* below 2: no validation by folds */
  ent_block valid_block;
  ent_validation_splits splits;
  double lambda; /* the one given or theory's */
  size_t size;   /* likewise: the number of features, 0: by non-zeros */
  ent_grid grid;
  bool can_validate;
  size_t members;       /* that are averaged, if not as options say; 0: as they say */
  size_t model_members; /* runs of outer validation: how many the model has; 0: as many */
  size_t pilot_parts;   /* as in a recipe */
  bool brief;           /* likewise */
  bool final;           /* members have weights of all rows, too */
  bool stacked;         /* a stack is a candidate: see stack.h */
  ent_fit_wide *wide;   /* inputs that are offered besides, or taken (wide.h); NULL: none */
  bool validate_only;   /* of outer validation only the errors are wanted, no model */
} ent_fit;

/* Everything that does not depend on what will be chosen. On failure the fit is empty. */
entropic_status ent_fit_prepare(entropic_context *context, const entropic_dataset *train, const entropic_dataset *valid,
                                const ent_fit_options *options, ent_fit *fit);
void ent_fit_clear(ent_fit *fit);
/* Deals all training rows to folds, anew if they were dealt before. */
entropic_status ent_fit_deal(entropic_context *context, ent_fit *fit);
/* What is searched for: lists, of one where something is given or nothing can be validated. */
void ent_fit_prepare_grid(ent_fit *fit);
/* Whether some rows can be held out, if there are so many folds. */
static inline bool ent_fit_can_split(const ent_fit *fit, size_t folds) {
  return folds > (fit->train->time != NULL ? 0 : 1);
}
/* Scales rows with this scaler from now on. */
void ent_fit_use(ent_fit *fit, size_t view);
/* The view that is in use. */
static inline size_t ent_fit_view(const ent_fit *fit) {
  size_t view = 0;
  while (fit->scalers[view] != fit->scaler)
    view++;
  return view;
}

/* What has been found so far. */
typedef struct ent_fit_outcome {
  entropic_solver solver;
  ent_member
      *members; /* features chosen from the data: models whose mean is taken at last; NULL: there is one already */
  size_t member_count;
  uint32_t **lists;      /* [member_count] features of members among those of their mean, once there is one; or NULL */
  double *missing;       /* [inputs] as in ent_search_result */
  ent_statistics *total; /* of the training rows, where the weights come from these; or NULL */
  ent_lifting lifting;   /* empty with the exact solver */
  entropic_kernel *kernel; /* of the exact solver */
  double lambda;
  double loss_parameter;     /* of a loss that has one */
  ent_learnt learnt;         /* by the squared loss, until another one takes over */
  double *errors;            /* [scores] mean squares of validation; NULL without */
  double *variances;         /* [scores] of these means; NULL if they are not known */
  ent_held_predictions held; /* as in ent_validation_errors */
  ent_link link;             /* what the weights are of */
  entropic_validation validation;
  size_t validation_rows;
  size_t parts; /* of the splits, that validation held out one after the other */
  ent_fit_report report;
} ent_fit_outcome;

void ent_fit_outcome_clear(ent_fit_outcome *outcome);

/* Searches for what is not given and trains on the rows of fit->splits that take part: features, weights, and for
 * classes the loss and its validation. Members stay apart. */
entropic_status ent_fit_run(entropic_context *context, ent_fit *fit, ent_fit_outcome *outcome,
                            ent_class_validation *class_validation, entropic_loss *loss);
/* Trains the weights again on the rows that take part now, more of them than before; all else stays. */
entropic_status ent_fit_finish(entropic_context *context, ent_fit *fit, ent_fit_outcome *outcome,
                               const ent_class_validation *class_validation, entropic_loss loss);
/* How many members the model has, if features are chosen from the data. */
size_t ent_fit_member_count(const ent_fit *fit);
/* The members become one model. */
entropic_status ent_fit_average_members(entropic_context *context, ent_fit_outcome *outcome);
/* The outcome of no features, in place of lifting, weights, solver, lambda and link. Numbers: the weighted
 * mean of each target. Classes: scores whose probabilities are their weighted shares, with the logistic loss and an
 * inverse temperature of 1. On failure nothing changes. */
entropic_status ent_fit_constant(entropic_context *context, const ent_fit *fit, ent_fit_outcome *outcome);

/* Components of a model besides the main one, with weights in the units of the fit, and the non-zeros of each. */
typedef struct ent_component_list {
  ent_component *components; /* [count] */
  double *nonzeros;          /* [count] */
  size_t count;
} ent_component_list;

/* Non-zeros a row, on average over the training rows as the fit scales them now. */
entropic_status ent_fit_count_nonzeros(entropic_context *context, const ent_fit *fit, const ent_map *map, double *mean);
/* Moves what the fit has made into the model, which is empty, and the components, unless `more` is NULL;
 * class_validation counts for classes. */
entropic_status ent_fit_assemble(entropic_context *context, ent_fit *fit, ent_fit_outcome *outcome,
                                 const ent_class_validation *class_validation, entropic_loss loss,
                                 ent_component_list *more, entropic_model *model);

/* The weights of the model from all rows of a table of which the training rows are a sample; the rest of it stays. Of other
 * losses than squared and logistic they stay those of the sample: report->sampled. */
entropic_status ent_fit_full_pass(entropic_context *context, const ent_fit *fit, entropic_model *model,
                                  ent_fit_report *report);

/* What is frozen with the model, for statistics of rows: model->frozen, which stays NULL where there can be none. */
entropic_status ent_fit_freeze(entropic_context *context, const ent_fit *fit, const ent_fit_outcome *outcome,
                               entropic_model *model);

/* The errors along a curve, as the report has them. */
void ent_fit_report_curve(const ent_fit *fit, const ent_curve *curve, ent_fit_report *report);
/* The standard error of the validation error, and the errors of simple references on the same rows. */
entropic_status ent_fit_report_errors(entropic_context *context, const ent_fit *fit, const ent_fit_outcome *outcome,
                                      const entropic_model *model, ent_fit_report *report);

/* Classes: the loss, and if it is not the squared one, the weights. */
entropic_status ent_fit_choose_class_loss(entropic_context *context, const ent_fit *fit, ent_fit_outcome *outcome,
                                          ent_class_validation *class_validation, entropic_loss *loss);
/* The weights alone, by a loss other than the squared one that was settled before. */
entropic_status ent_fit_finish_classes(entropic_context *context, const ent_fit *fit, ent_fit_outcome *outcome,
                                       const ent_class_validation *class_validation, entropic_loss loss);

/* The loss of the fit; the default where it is open. */
static inline entropic_loss ent_fit_loss(const ent_fit *fit) {
  return fit->options->loss == ENTROPIC_LOSS_AUTO ? ent_loss_default() : fit->options->loss;
}
/* Whether targets are numbers, and their loss is not the squared one. */
bool ent_fit_has_own_loss(const ent_fit *fit);
/* Then: the weights, which are those of the squared loss, go on to the minimum of that loss over the rows that take part. */
entropic_status ent_fit_own_loss(entropic_context *context, const ent_fit *fit, ent_fit_outcome *outcome);
/* And targets[rows] whose squares touch that loss at the scores of the outcome. */
entropic_status ent_fit_touching_targets(entropic_context *context, const ent_fit *fit, const ent_fit_outcome *outcome,
                                         double *targets);

/* Whether another form than the full one may be taken: not if something was asked for that it does not have. */
bool ent_fit_is_open(const ent_fit *fit);

/* What validation on the first parts is called. */
entropic_validation ent_fit_validation(const ent_fit *fit, size_t parts);
/* How many parts of the splits are worth a refit each, of so many features. */
size_t ent_fit_parts(const ent_fit *fit, size_t features);

#endif
