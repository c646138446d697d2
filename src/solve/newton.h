/* The equations of Newton's method for logistic and softmax regression. The Hessian is that of some rows at one point; the
 * right-hand side is their gradient, or another one: that of many more rows, say.
 *
 * Vectors have, for each score, one element for each feature and one for the intercept. */
#ifndef ENT_SOLVE_NEWTON_H
#define ENT_SOLVE_NEWTON_H

#include "solve/hessian.h"
#include "solve/logistic.h"
#include "solve/loss.h"
#include "solve/precondition.h"

typedef struct ent_newton {
  const ent_map *map;
  const ent_rows *rows;
  ent_pass *pass;
  ent_preconditioner *preconditioner;
  ent_hessian *hessian; /* several scores: replaces the preconditioner, once there is one */
  ent_labels *labels;
  size_t features, scores, length, all; /* length = features + 1, all = scores x length */
  double lambda, tolerance;
  double *x, *gradient, *step; /* the current point, the gradient there, the Newton step */
  double *r, *z, *p, *q;       /* of conjugate gradients */
  const double *input;         /* of the current pass */
  enum ent_newton_task { ENT_NEWTON_SCORES, ENT_NEWTON_GRADIENT, ENT_NEWTON_HESSIAN } task;
  double *along; /* [row * scores + k] the scores of p, the input of the last ENT_NEWTON_HESSIAN pass */
  double *sums;  /* `all` for each lane */
  double *block; /* a block of rows x scores for each lane */
  size_t passes;
  size_t head;                    /* features that are preconditioned exactly */
  const ent_statistics *products; /* as in the options */
  bool is_set;                    /* the preconditioner has this lambda */
  double *hessian_weights;        /* one score: the weight of each row in the Hessian that the preconditioner inverts */
  size_t inner;    /* steps of conjugate gradients of the last Newton step; many: the next renews the preconditioner */
  size_t renewals; /* of the preconditioner from the Hessian */
} ent_newton;

/* Begins at the problem's start, with its scores in the labels, or at 0. Takes the kept preconditioner of the options. On
 * failure, too, clear it. */
entropic_status ent_newton_start(entropic_context *context, const ent_logistic_problem *problem,
                                 const ent_logistic_options *options, ent_newton *n);
void ent_newton_clear(ent_newton *n);
/* Hands the preconditioner to the options, if they keep it. */
void ent_newton_keep(const ent_logistic_options *options, ent_newton *n);

/* The labels' scores from x, by a pass. */
entropic_status ent_newton_rescore(entropic_context *context, ent_newton *n);
/* Probabilities, objective and gradient at x, whose scores are known. */
entropic_status ent_newton_evaluate(entropic_context *context, ent_newton *n, ent_losses *losses, double *objective);

/* step = -H^-1 gradient, by preconditioned conjugate gradients, until the residual has fallen by the factor `forcing`; H is
 * the Hessian at the labels' probabilities, and `curvature` that of their losses. The scores of the step become the labels'
 * direction; *decrement = -gradient.step. */
entropic_status ent_newton_step(entropic_context *context, ent_newton *n, double curvature, double forcing,
                                double *decrement);

/* Whether a fit has ended here, and how. Sets objective, decrement, separated and, if it has ended, end. */
bool ent_newton_ended(const ent_newton *n, const ent_losses *losses, double objective, double decrement,
                      ent_logistic *fit);
/* The weights and intercepts of x, and the passes. */
void ent_newton_take_weights(const ent_newton *n, ent_logistic *fit);

/* a.b over the weights, without the intercepts. */
double ent_newton_weights_dot(const ent_newton *n, const double *a, const double *b);
bool ent_newton_is_finite(const double *values, size_t count);

#endif
