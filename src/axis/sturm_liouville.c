/* p and q as solutions of a Sturm-Liouville equation, by Chebyshev collocation: see pair.h. */
#include "axis/pair.h"

#define EIGENVALUE 1e-12    /* p'q - pq' over its parts: below that, p and q are the same function */
#define RESIDUAL_GOAL 1e-20 /* at which a piece is not divided further */
#define CHECKS                                                                                                         \
  (2 * ENT_SERIES) /* the residual is measured at so many points, and at one end; none is one of the points */

/* Two solutions on a piece, y and u = alpha y', that start as (1,0) and (0,1) at its left end. */
typedef struct ent_fundamental {
  ent_quad alpha[ENT_SERIES], beta[ENT_SERIES]; /* at the points */
  ent_quad y[2][ENT_SERIES], u[2][ENT_SERIES];  /* values, then terms */
  ent_quad matrix[ENT_SERIES][ENT_SERIES];
} ent_fundamental;

/* State y and u at the left end of a piece -> at its right end. */
typedef struct ent_transfer {
  ent_quad y[2], u[2]; /* of the two solutions, at the right end */
} ent_transfer;

typedef struct ent_equation_solving {
  const ent_equation *equation;
  ent_fundamental *work;
  ent_transfer transfers[ENT_PIECES_MOST];
} ent_equation_solving;

static entropic_status coefficients(ent_draft *draft, const ent_equation *equation, ent_quad x, ent_quad *alpha,
                                    ent_quad *beta) {
  ent_expression_evaluate(&equation->alpha, x, equation->w, alpha);
  ent_expression_evaluate(&equation->beta, x, equation->w, beta);
  if (!(ent_quad_finite(*alpha) && *alpha > 0))
    return ent_fail(draft->context, ENTROPIC_BAD_ARGUMENT,
                    "custom kernel: alpha(%g) = %g with w = %g: it must be finite and above 0 on [0,1]", (double)x,
                    ent_quad_shown(*alpha), equation->w);
  if (!ent_quad_finite(*beta))
    return ent_fail(draft->context, ENTROPIC_BAD_ARGUMENT,
                    "custom kernel: beta(%g) = %g with w = %g: it must be finite on [0,1]", (double)x,
                    ent_quad_shown(*beta), equation->w);
  return ENTROPIC_OK;
}

/* matrix = I + H^2 J A J B, with half the length H, the integral J, A = 1/alpha and B = beta. */
static void assemble(const ent_chebyshev *tools, ent_fundamental *work, ent_quad half) {
  for (int i = 0; i < ENT_SERIES; i++)
    for (int j = 0; j < ENT_SERIES; j++) {
      ent_quad sum = 0;
      for (int k = 0; k < ENT_SERIES; k++)
        sum += tools->integral[i][k] * (tools->integral[k][j] / work->alpha[k]);
      work->matrix[i][j] = half * half * sum * work->beta[j] + (i == j);
    }
}

static void swap(ent_quad *a, ent_quad *b) {
  ent_quad kept = *a;
  *a = *b;
  *b = kept;
}

/* Gaussian elimination with partial pivoting for both right sides, in y. */
static bool solve(ent_fundamental *work) {
  for (int k = 0; k < ENT_SERIES; k++) {
    int pivot = k;
    for (int i = k + 1; i < ENT_SERIES; i++)
      if (ent_quad_abs(work->matrix[i][k]) > ent_quad_abs(work->matrix[pivot][k]))
        pivot = i;
    if (!(ent_quad_abs(work->matrix[pivot][k]) > 0))
      return false;
    for (int j = 0; j < ENT_SERIES; j++)
      swap(&work->matrix[k][j], &work->matrix[pivot][j]);
    for (int s = 0; s < 2; s++)
      swap(&work->y[s][k], &work->y[s][pivot]);
    for (int i = k + 1; i < ENT_SERIES; i++) {
      ent_quad factor = work->matrix[i][k] / work->matrix[k][k];
      for (int j = k + 1; j < ENT_SERIES; j++)
        work->matrix[i][j] -= factor * work->matrix[k][j];
      for (int s = 0; s < 2; s++)
        work->y[s][i] -= factor * work->y[s][k];
    }
  }
  for (int s = 0; s < 2; s++)
    for (int i = ENT_SERIES - 1; i >= 0; i--) {
      for (int j = i + 1; j < ENT_SERIES; j++)
        work->y[s][i] -= work->matrix[i][j] * work->y[s][j];
      work->y[s][i] /= work->matrix[i][i];
    }
  return true;
}

/* u from y, then terms in place of values. */
static void finish_solutions(const ent_chebyshev *tools, ent_fundamental *work, ent_quad half) {
  for (int s = 0; s < 2; s++) {
    ent_quad values[ENT_SERIES];
    for (int i = 0; i < ENT_SERIES; i++) {
      ent_quad sum = 0;
      for (int j = 0; j < ENT_SERIES; j++)
        sum += tools->integral[i][j] * work->beta[j] * work->y[s][j];
      values[i] = s - half * sum;
    }
    ent_series_make(tools, values, work->u[s]);
    for (int i = 0; i < ENT_SERIES; i++)
      values[i] = work->y[s][i];
    ent_series_make(tools, values, work->y[s]);
  }
}

/* How far a solution is from the equation, between the points that it was made from: alpha y' - u and u' + beta y, over the
 * sizes of their parts. */
static entropic_status measure(ent_draft *draft, const ent_equation_solving *solving, const ent_draft_piece *piece,
                               ent_quad *residual) {
  const ent_fundamental *work = solving->work;
  ent_quad half = (ent_quad)piece->size / (2 * ENT_UNITS);
  *residual = 0;
  for (int s = 0; s < 2; s++) {
    ent_quad dy[ENT_SERIES], du[ENT_SERIES], sizes[4] = {0, 0, 0, 0}, first = 0, second = 0;
    ent_series_slope(work->y[s], dy);
    ent_series_slope(work->u[s], du);
    for (int i = 0; i <= CHECKS; i++) {
      ent_quad t = 2 * (ent_quad)i / CHECKS - 1, alpha, beta;
      entropic_status status = coefficients(draft, solving->equation, ent_draft_place(piece, t), &alpha, &beta);
      if (status != ENTROPIC_OK)
        return status;
      ent_quad y = ent_series_at(work->y[s], t), u = ent_series_at(work->u[s], t);
      first = ent_quad_larger(first, ent_quad_abs(alpha * ent_series_at(dy, t) / half - u));
      second = ent_quad_larger(second, ent_quad_abs(ent_series_at(du, t) / half + beta * y));
      const ent_quad size[4] = {ent_quad_abs(y), ent_quad_abs(u), alpha, ent_quad_abs(beta)};
      for (int k = 0; k < 4; k++)
        sizes[k] = ent_quad_larger(sizes[k], size[k]);
    }
    ent_quad flux = sizes[1] + sizes[2] * sizes[0] / half, force = sizes[3] * sizes[0] + sizes[1] / half;
    *residual = ent_quad_larger(*residual, ent_quad_larger(first / flux, force > 0 ? second / force : 0));
  }
  return ENTROPIC_OK;
}

/* The two solutions on a piece; they stand in its p and q until both ends are known. */
static entropic_status fit(ent_draft *draft, void *user, ent_draft_piece *piece, bool *fits) {
  ent_equation_solving *solving = user;
  ent_fundamental *work = solving->work;
  const ent_chebyshev *tools = draft->tools;
  ent_quad half = (ent_quad)piece->size / (2 * ENT_UNITS), residual = 1;
  for (int i = 0; i < ENT_SERIES; i++) {
    entropic_status status = coefficients(draft, solving->equation, ent_draft_place(piece, tools->points[i]),
                                          &work->alpha[i], &work->beta[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  for (int i = 0; i < ENT_SERIES; i++) {
    ent_quad sum = 0;
    for (int j = 0; j < ENT_SERIES; j++)
      sum += tools->integral[i][j] / work->alpha[j];
    work->y[0][i] = 1;
    work->y[1][i] = half * sum;
  }
  assemble(tools, work, half);
  if (solve(work)) {
    finish_solutions(tools, work, half);
    entropic_status status = measure(draft, solving, piece, &residual);
    if (status != ENTROPIC_OK)
      return status;
  }
  *fits = residual <= RESIDUAL_GOAL;
  if (piece->size == 1 && !(residual <= ENT_RESIDUAL_MOST))
    return ent_fail(
        draft->context, ENTROPIC_BAD_ARGUMENT,
        "custom kernel: the equation is solved to a residual of %.1e near x = %g, expected at most %g: alpha "
        "and beta must be smooth there, and vary less fast",
        ent_quad_shown(residual), (double)ent_draft_place(piece, 0), ENT_RESIDUAL_MOST);
  ent_transfer *transfer = &solving->transfers[piece - draft->pieces];
  for (int s = 0; s < 2; s++) {
    transfer->y[s] = ent_series_at(work->y[s], 1);
    transfer->u[s] = ent_series_at(work->u[s], 1);
  }
  for (int k = 0; k < ENT_SERIES; k++) {
    piece->p[k] = work->y[0][k];
    piece->q[k] = work->y[1][k];
  }
  return ENTROPIC_OK;
}

/* y and u at an end: c1 y' + c2 y = 0, on the side where y is above 0. */
static entropic_status start_at(ent_draft *draft, const ent_equation *equation, bool right, ent_quad state[2]) {
  const char *name = right ? "right" : "left";
  ent_quad c[2], alpha, beta;
  ent_expression_evaluate(right ? &equation->right : &equation->left, 0, equation->w, c);
  if (!(ent_quad_finite(c[0]) && ent_quad_finite(c[1])) || (c[0] == 0 && c[1] == 0))
    return ent_fail(draft->context, ENTROPIC_BAD_ARGUMENT,
                    "custom kernel: %s is %g,%g with w = %g: expected two finite numbers that are not both 0", name,
                    ent_quad_shown(c[0]), ent_quad_shown(c[1]), equation->w);
  entropic_status status = coefficients(draft, equation, right, &alpha, &beta);
  bool flip = c[0] < 0 || (c[0] == 0 && (right ? c[1] < 0 : c[1] > 0));
  state[0] = flip ? -c[0] : c[0];
  state[1] = alpha * (flip ? c[1] : -c[1]);
  return status;
}

/* The states of p at the left ends of all pieces, and those of q: through each piece, and back. Then the series. */
static void march(ent_draft *draft, const ent_equation_solving *solving, ent_quad (*p)[2], ent_quad (*q)[2]) {
  size_t count = draft->count;
  for (size_t i = 0; i < count; i++) {
    const ent_transfer *t = &solving->transfers[i];
    p[i + 1][0] = t->y[0] * p[i][0] + t->y[1] * p[i][1];
    p[i + 1][1] = t->u[0] * p[i][0] + t->u[1] * p[i][1];
  }
  for (size_t i = count; i-- > 0;) {
    const ent_transfer *t = &solving->transfers[i]; /* of determinant 1 */
    q[i][0] = t->u[1] * q[i + 1][0] - t->y[1] * q[i + 1][1];
    q[i][1] = t->y[0] * q[i + 1][1] - t->u[0] * q[i + 1][0];
  }
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < ENT_SERIES; k++) {
      ent_quad one = draft->pieces[i].p[k], other = draft->pieces[i].q[k];
      draft->pieces[i].p[k] = p[i][0] * one + p[i][1] * other;
      draft->pieces[i].q[k] = q[i][0] * one + q[i][1] * other;
    }
}

/* Divides both by the root of alpha (p'q - pq'), which is the same everywhere. */
static entropic_status normalise(ent_draft *draft, const ent_equation *equation, ent_quad (*p)[2], ent_quad (*q)[2]) {
  size_t last = draft->count;
  ent_quad wedge = p[0][1] * q[0][0] - p[0][0] * q[0][1];
  ent_quad size = ent_quad_abs(p[0][1] * q[0][0]) + ent_quad_abs(p[0][0] * q[0][1]);
  if (!(wedge > EIGENVALUE * size))
    return ent_fail(
        draft->context, ENTROPIC_BAD_ARGUMENT,
        "custom kernel: alpha (p'q - pq') = %g with w = %g, expected a number above 0: the equation with these "
        "ends has no positive Green's function; lower beta, or change left or right",
        ent_quad_shown(wedge), equation->w);
  ent_quad root = ENT_QUAD_CALL(sqrt)(wedge);
  for (size_t i = 0; i < last; i++)
    for (int k = 0; k < ENT_SERIES; k++) {
      draft->pieces[i].p[k] /= root;
      draft->pieces[i].q[k] /= root;
    }
  draft->start[0] = p[0][0] / root;
  draft->start[1] = q[0][0] / root;
  draft->end[0] = p[last][0] / root;
  draft->end[1] = q[last][0] / root;
  return ENTROPIC_OK;
}

entropic_status ent_equation_solve(ent_draft *draft, const ent_equation *equation) {
  entropic_status status = ENTROPIC_NO_MEMORY;
  ent_quad(*states)[2] = NULL;
  ent_equation_solving *solving = ent_new(draft->context, 1, sizeof *solving);
  if (solving == NULL)
    return status;
  solving->equation = equation;
  solving->work = ent_new(draft->context, 1, sizeof *solving->work);
  states = ent_new(draft->context, 2 * (ENT_PIECES_MOST + 1), sizeof *states);
  if (solving->work == NULL || states == NULL)
    goto done;
  ent_quad start[2] = {0, 0}, end[2] = {0, 0};
  status = start_at(draft, equation, false, start);
  if (status != ENTROPIC_OK)
    goto done;
  status = start_at(draft, equation, true, end);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_draft_cover(draft, fit, solving);
  if (status != ENTROPIC_OK)
    goto done;
  ent_quad(*p)[2] = states, (*q)[2] = states + draft->count + 1;
  for (int k = 0; k < 2; k++) {
    p[0][k] = start[k];
    q[draft->count][k] = end[k];
  }
  march(draft, solving, p, q);
  status = normalise(draft, equation, p, q);
done:
  ent_delete(states);
  ent_delete(solving->work);
  ent_delete(solving);
  return status;
}
