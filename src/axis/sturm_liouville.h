/* p and q as solutions of a Sturm-Liouville equation, (alpha y')' + beta y = 0 on [0,1]: p fulfils c11 p'(0) + c12 p(0) = 0,
 * q fulfils c21 q'(1) + c22 q(1) = 0. Both are scaled such that p(min) q(max) is the Green's function: alpha (p'q - pq') = 1.
 *
 * Chebyshev collocation on pieces of [0,1], in integrated form: u = alpha y' is the integral of -beta y, and y that of
 * u/alpha. Small dense systems in 113 bits, from one piece to the next: the digits are relative everywhere, however fast p
 * grows, and the bits are the same on every machine. A LAPACK solution in doubles has neither. */
#ifndef ENT_AXIS_STURM_LIOUVILLE_H
#define ENT_AXIS_STURM_LIOUVILLE_H

#include "axis/expression.h"
#include "axis/pair.h"

typedef struct ent_equation {
  ent_expression alpha, beta; /* in x and w */
  ent_expression left, right; /* two values each, in w */
  double w;
} ent_equation;

/* The largest residual that is accepted, relative to the sizes of the terms of the equation. */
#define ENT_RESIDUAL_MOST 1e-11

/* Fills the draft. BAD_ARGUMENT: alpha is not above 0, something is not finite, the residual is too large, or there is no
 * Green's function. */
entropic_status ent_equation_solve(ent_draft *draft, const ent_equation *equation);

#endif
