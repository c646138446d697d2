/* p and q of a custom kernel that is given as text: Chebyshev series on pieces of [0,1].
 *
 * The series are made in 113 bits and rounded once. What cancels in p(y)q(x) - p(x)q(y) where x and y are close is then
 * taken out by divided differences of the series, so that atoms have the digits of a double at every level. */
#ifndef ENT_AXIS_PAIR_H
#define ENT_AXIS_PAIR_H

#include "axis/axis.h"
#include "axis/expression.h"
#include "axis/quad.h"

#define ENT_SERIES 24  /* terms of a series, and points that it is made from */
#define ENT_UNITS 4096 /* pieces are whole numbers of these, aligned to their size */
#define ENT_PIECES_MOST 256

/* One piece while p and q are made; `first` and `size` in units. */
typedef struct ent_draft_piece {
  int first, size;
  ent_quad p[ENT_SERIES], q[ENT_SERIES];
} ent_draft_piece;

/* What the series of both forms are made with. */
typedef struct ent_chebyshev {
  ent_quad points[ENT_SERIES];
  ent_quad transform[ENT_SERIES][ENT_SERIES]; /* terms of a series from values at the points */
  ent_quad integral[ENT_SERIES][ENT_SERIES];  /* values of the integral from -1 on, from values */
} ent_chebyshev;

typedef struct ent_draft {
  entropic_context *context;
  ent_chebyshev *tools;
  ent_draft_piece *pieces;
  size_t count, capacity;
  ent_quad start[2], end[2]; /* p and q at 0 and at 1 */
} ent_draft;

typedef struct ent_piece {
  double first, last; /* its ends */
  double stretch;     /* 2 over its length */
  int terms;
  double p[ENT_SERIES], q[ENT_SERIES];
  double boundary[2][ENT_SERIES];
} ent_piece;

typedef struct ent_pair {
  ent_piece *pieces;
  size_t count;
  uint16_t piece_of[ENT_UNITS]; /* by unit */
  int boundary_atoms;
  int kinds[2];            /* ENTROPIC_LEVEL_KIND_CONSTANT: the constant 1 */
  double start[2], end[2]; /* p and q at 0 and at 1; p(0) and q(1) are exactly 0 where nothing is left of them */
} ent_pair;

/* The pair of the texts of the options: p and q themselves, or an equation (sturm_liouville.c). BAD_ARGUMENT says what is
 * wrong with a text, or where p and q make no kernel. */
entropic_status ent_pair_create(entropic_context *context, const entropic_axis_options *options, ent_pair **pair);
void ent_pair_free(ent_pair *pair);

double ent_pair_p(const ent_pair *pair, double x);
double ent_pair_q(const ent_pair *pair, double x);
double ent_pair_boundary(const ent_pair *pair, int which, double x);
/* p(y)q(x) - p(x)q(y), x <= y. */
double ent_pair_wedge(const ent_pair *pair, double x, double y);
/* The piece of x. */
const ent_piece *ent_pair_piece(const ent_pair *pair, double x);

/* For the makers of drafts. Fits series to a piece; *fits says whether they are good enough. The smallest piece has to be
 * accepted or refused. */
typedef entropic_status (*ent_piece_fit)(ent_draft *draft, void *user, ent_draft_piece *piece, bool *fits);
/* Covers [0,1] with pieces, each as large as fits. */
entropic_status ent_draft_cover(ent_draft *draft, ent_piece_fit fit, void *user);
/* Where t in [-1,1] of a piece is in [0,1]. */
ent_quad ent_draft_place(const ent_draft_piece *piece, ent_quad t);
/* Terms from values at the points. */
void ent_series_make(const ent_chebyshev *tools, const ent_quad *values, ent_quad *terms);
ent_quad ent_series_at(const ent_quad *terms, ent_quad t);
/* Terms of the derivative by t. */
void ent_series_slope(const ent_quad *terms, ent_quad *slope);
/* The largest of the last terms, over the largest of all. */
ent_quad ent_series_tail(const ent_quad *terms);

/* ---- Equations (sturm_liouville.c) ---- */

/* p and q as solutions of a Sturm-Liouville equation, (alpha y')' + beta y = 0 on [0,1]: p fulfils c11 p'(0) + c12 p(0) = 0,
 * q fulfils c21 q'(1) + c22 q(1) = 0. Both are scaled such that p(min) q(max) is the Green's function: alpha (p'q - pq') = 1.
 *
 * Chebyshev collocation on pieces of [0,1], in integrated form: u = alpha y' is the integral of -beta y, and y that of
 * u/alpha. Small dense systems in 113 bits, from one piece to the next: the digits are relative everywhere, however fast p
 * grows, and the bits are the same on every machine. A LAPACK solution in doubles has neither. */

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

/* ---- Kernels as text (custom_text.c) ---- */

/* Custom kernels that are given as text: p and q, or an equation. */

/* Appends the levels; the options of the axis have copies of the texts afterwards. */
entropic_status ent_text_prepare(entropic_context *context, ent_axis *axis);
double ent_text_kernel(const ent_axis *axis, double x, double y);
double ent_text_atom_score(const ent_axis *axis, const ent_level *level, uint64_t atom, entropic_criterion criterion);
void ent_text_release(ent_axis *axis);

#endif
