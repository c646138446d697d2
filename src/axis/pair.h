/* p and q of a custom kernel that is given as text: Chebyshev series on pieces of [0,1].
 *
 * The series are made in 113 bits and rounded once. What cancels in p(y)q(x) - p(x)q(y) where x and y are close is then
 * taken out by divided differences of the series, so that atoms have the digits of a double at every level. */
#ifndef ENT_AXIS_PAIR_H
#define ENT_AXIS_PAIR_H

#include "axis/axis.h"
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

/* The pair of the texts of the options: p and q themselves, or an equation (sturm_liouville.h). BAD_ARGUMENT says what is
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

#endif
