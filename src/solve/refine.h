/* Logistic and softmax regression on very many rows, from the fit of a sample of them: with N the sum of the weights of all
 * rows,
 *     minimise  (1/N) sum_i w_i loss_i + lambda |a|^2.
 * Nothing is kept for each of all rows: they are only asked for sums at given weights (gradient_sums.h), wherever they are,
 * one pass for each step. The sample is in memory, and is used for its Hessian.
 *
 * The method is L-BFGS, whose first matrix is the inverse of the sample's Hessian, mean loss with penalty. A step is
 * H^-1 times the gradient of all rows, found by preconditioned conjugate gradients on the sample, corrected by the last few
 * steps. With S rows in the sample and M features the error falls by about sqrt(M/S) a step, and faster later on. If a sample
 * is small or biased, more steps are needed, but they lead to the same weights. Where steps gain little, the Hessian is taken
 * anew at the current point.
 *
 * How it is called. Fit the sample by ent_logistic_fit, keeping its preconditioner (options.kept). Then refine with
 *     sample    the same problem, but with the fit as its start, and the lambda that all rows shall have,
 *     sums      a function that clears `sums` and adds all rows at the point: with rows in one place,
 *               ent_gradient_sums_add_rows; with shards, the sums of each, added up,
 *     options   those of the sample; a step takes one pass over all rows, or more if it was too long.
 * On MPI, every rank has the sample and calls this; `sums` adds up the bytes of all ranks and hands all the same ones, so all
 * take the same steps. That needs processors of one kind: the sample's Hessian is at probabilities by the C library's exp, whose
 * last bits may differ, and sums at different points are refused. Otherwise one rank calls it, and `sums` tells the others the
 * point. On one kind of processor the result depends on the sample and the sums alone: not on threads, blocks, shards or
 * ranks. */
#ifndef ENT_SOLVE_REFINE_H
#define ENT_SOLVE_REFINE_H

#include "sums/gradient_sums.h"
#include "solve/logistic.h"

/* The sums over all rows at a point, into `sums`, which is empty. */
typedef entropic_status (*ent_refine_sums)(entropic_context *context, void *user, const ent_linear *at,
                                           ent_gradient_sums *sums);

/* What is fitted; all borrowed. */
typedef struct ent_refine_problem {
  const ent_logistic_problem *sample; /* map, rows and classes of the sample; lambda; start: its fit, or NULL: at 0 */
  int weight_exponent;                /* of all rows: see ent_gradient_weight_exponent */
  ent_refine_sums sums;
  void *user;
} ent_refine_problem;

/* As ent_logistic_options_default, with fewer steps. */
ent_logistic_options ent_refine_options_default(void);

/* The fit of all rows: of its members, `passes` counts those over all rows, and `separated` is of all rows. How it ended is
 * in `end`, as with ent_logistic_fit: it converged when a further step would reduce the objective by less than half the
 * square of the tolerance, by the sample's Hessian. BAD_DATA if a class has no rows with a weight, in the sample or in all
 * rows; whatever `sums` returns. */
entropic_status ent_logistic_refine(entropic_context *context, const ent_refine_problem *problem,
                                    ent_logistic_options options, ent_logistic **fit);

#endif
