/* Outer validation around the whole recipe: errors on rows that nothing was chosen with.
 *
 * Some rows are left out. Everything is chosen and trained on the others, and scored on the rows left out. Scalers see
 * the inputs of all rows, never their targets. Simple forms of a model are scored on the same rows: the constant, which
 * is the mean or the class frequencies, and ridge linear in the inputs. A richer form has to beat a simpler one
 * by more than noise. */
#ifndef ENT_FIT_OUTER_H
#define ENT_FIT_OUTER_H

#include "fit/beyond_rows.h"
#include "fit/fit.h"
#include "fit/options.h"
#include "fit/stack.h"

/* Outer validation rows, in the order they were scored. */
typedef struct ent_outer {
  size_t rows, targets; /* targets: 1 for classes */
  bool linear;          /* the linear form was scored */
  bool kernel;          /* so was the kernel */
  double *weights;      /* [rows] */
  double *reached;      /* [rows] room: weights in the figures of a model */
  double *times;        /* [rows] of a time series; NULL: there is none */
  size_t *group_of;     /* [rows] NULL: rows are independent; otherwise those of one group rise and fall together */
  size_t *order;        /* [rows] of a time series, by time; NULL: there is none, or ent_outer_batch is to come */
  double *deviations;   /* [rows] room */
  double *group_sums;   /* [groups] room, all 0 */
  size_t groups;        /* of all rows, left out or not */
  double *losses[ENT_FORMS];      /* [rows] what forms are compared by: squares in units of the variance, or -ln(p) */
  double *errors[ENT_FORMS];      /* [rows x targets] squares in the units of fit->y, or 1 for a wrong class */
  size_t *numbers;                /* [rows] which rows of their data set they are */
  double *predictions[ENT_FORMS]; /* [rows x targets] in the units of fit->y; classes: 1 - p of the right class */
  double *scores[ENT_FORMS];      /* [rows x scores] classes, where a stack is a candidate: scores of log odds; NULL */
  size_t *run_of;                 /* [rows] which run has left the row out */
  double *single;                 /* [rows x targets] likewise, by the first member of the full form; numbers only */
  double *between;            /* [rows x targets] numbers: the variance of its mean of members, from how these differ */
  double *surplus;            /* [rows x targets] of its squared errors: more than those of as many members as the
                                     model has; ent_outer_decide takes it away */
  size_t parts, parts_scored; /* into how many the rows were dealt, and how many were left out once */
  double mean_training_rows;  /* training rows of a run, in the mean */
  ent_beyond beyond[ENT_FORMS]
                   [ENT_BEYOND_KINDS]; /* rows outside what their run has learnt from, by kind (outer_beyond.h) */
  bool *goes_on[ENT_FORMS];   /* [inputs] whose line goes on outside the range learnt from; NULL before it is decided */
  ent_held_predictions inner; /* of validation rows of the runs, by the run's own model without that row; or none */
} ent_outer;

void ent_outer_clear(ent_outer *outer);

/* part_of[rows]: into which part each row is dealt, as in ent_folds_deal, but not as the folds of the same seed are. With
 * validation rows there are two parts: the first validates, the second chooses. Time is not looked at. */
entropic_status ent_outer_deal(entropic_context *context, const entropic_dataset *data, uint64_t seed, size_t *part_of,
                               size_t *parts);

/* Whether something is chosen by validation, so that the error on its rows is too small. */
bool ent_outer_needed(const ent_fit *fit);

/* A fit with its outer validation. The outcome has the form that was taken. */
typedef struct ent_fitted {
  ent_fit_outcome outcome;
  ent_class_validation class_validation;
  entropic_loss loss;
  ent_form form;
  bool needed;     /* outer validation was */
  double seconds;  /* that the fit itself took, without outer validation */
  ent_outer outer; /* empty if it was not, or if no row could be left out */
  ent_stack stack; /* empty if it is no candidate */
} ent_fitted;

/* `fit` is prepared. On failure *fitted has to be cleared as well. With fit->validate_only, and if outer validation is
 * needed, the outcome is not that of a model. */
entropic_status ent_outer_fit(entropic_context *context, ent_fit *fit, ent_fitted *fitted);
void ent_fitted_clear(ent_fitted *fitted);

/* The figures of a form: the validation error in the units of entropic_model_info.validation_error, its standard error
 * (rows or groups of them being independent, with Nadeau and Bengio's correction for runs that share training rows;
 * NaN where there is a single group), and the mean of -ln(p) for classes. */
typedef struct ent_figures {
  double error, spread, loss;
} ent_figures;
ent_figures ent_outer_figures(const ent_fit *fit, const ent_outer *outer, ent_form form);

/* Numbers: the share of all losses of a form that the rows with the largest ones have, one row of a hundred. */
double ent_outer_heaviest(const ent_outer *outer, ent_form form, size_t *rows);

/* outer->reached: the weights, but 0 for rows further outside what their run has learnt from than lines of the form go on.
 * One such row can be most of a mean square, and hardly any other row is like it; so figures leave them out. Returns how
 * many there are; 0 if nothing else would be left. */
size_t ent_outer_reach(const ent_outer *outer, ent_form form);

/* Writes the errors of all forms into the model and the report of the outcome; NaN if no row was left out. All are those of
 * the rows that the form taken reaches. */
void ent_outer_report(const ent_fit *fit, ent_fitted *fitted, entropic_model *model);

/* Whether the intervals of a fit come from the folds of its members, if the full form is taken: numbers of a small
 * table. */
bool ent_intervals_by_members(const ent_fit *fit);
/* The intervals of the model, by predictions of rows that their models have not seen. Without enough of these it gets
 * none. The model is complete otherwise. */
entropic_status ent_outer_intervals(entropic_context *context, const ent_fit *fit, const ent_fitted *fitted,
                                    entropic_model *model);

/* With times: groups become batches of consecutive rows, about sqrt(rows) of them, once all rows are there. Rows of one
 * time are in one batch. Without times nothing happens. */
entropic_status ent_outer_batch(entropic_context *context, ent_outer *outer);

/* By how many standard errors form b has smaller losses than form a; not above 0 if it hardly has. Where there is
 * a single group, its rows count as independent: there is nothing else to go by. */
double ent_outer_gain(const ent_outer *outer, ent_form a, ent_form b);

/* Numbers of a loss of their own: outer->losses of all forms become that loss, with the parameter that suits the residuals of the
 * full form, so that forms are compared by the same measure. */
entropic_status ent_outer_measure(entropic_context *context, const ent_fit *fit, ent_outer *outer);

/* Whether the target depends on the inputs at all: no permutation of the targets is as much correlated with them as the
 * targets themselves are. Of groups their means are permuted, which takes some groups. Rows of a time series may not be
 * permuted and tell nothing. */
entropic_status ent_evidence(entropic_context *context, const ent_fit *fit, bool *found);

#endif
