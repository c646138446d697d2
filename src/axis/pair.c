/* Pairs p, q: from texts to series, checks, boundary atoms, and values. */
#include "axis/pair.h"

#include <string.h>

#define CHECK_POINTS 1024
#define SERIES_GOAL 1e-19 /* error of a series, over its largest term, at which a piece is not divided further */
#define SERIES_MOST 1e-12 /* that is accepted on the smallest piece */
#define SPREAD_MOST 2000  /* largest value over least one on a piece, so that small values have their digits too */
#define BETWEEN 12        /* points between which a series is compared with its expression */
#define NOTHING 1e-25     /* of the largest k(x,x): what is less at an end is 0 */
#define CONSTANT 1e-18    /* how far from 1 the constant may be */
#define RANGE_LOW 1e-140  /* of p and q in doubles: products of two are normal numbers */
#define RANGE_HIGH 1e140
#define QUAD_EXPONENT 16383 /* the largest of a 113-bit number */

/* p and q as text. */
typedef struct ent_formulas {
  ent_expression p, q;
  double w;
} ent_formulas;

static entropic_status value_at(ent_draft *draft, const ent_formulas *formulas, int which, ent_quad x,
                                ent_quad *value) {
  ent_expression_evaluate(which == 0 ? &formulas->p : &formulas->q, x, formulas->w, value);
  bool inside = x > 0 && x < 1;
  if (!ent_quad_finite(*value))
    return ent_fail(draft->context, ENTROPIC_BAD_ARGUMENT,
                    "custom kernel: %c(%g) = %g with w = %g: it must be finite on [0,1]", "pq"[which], (double)x,
                    ent_quad_shown(*value), formulas -> w);
  if (*value < 0 || (inside && *value == 0))
    return ent_fail(
        draft->context, ENTROPIC_BAD_ARGUMENT,
        "custom kernel: %c(%g) = %g with w = %g: it must be above 0 inside (0,1), and not below 0 at the ends",
        "pq"[which], (double)x, ent_quad_shown(*value), formulas -> w);
  return ENTROPIC_OK;
}

/* One of the two on a piece; *error is that of the series, over its largest term. */
static entropic_status fit_one(ent_draft *draft, const ent_formulas *formulas, int which, ent_draft_piece *piece,
                               ent_quad *error) {
  ent_quad values[ENT_SERIES], *terms = which == 0 ? piece->p : piece->q;
  ent_quad largest = 0, least = 0, value;
  for (int i = 0; i < ENT_SERIES; i++) {
    entropic_status status =
        value_at(draft, formulas, which, ent_draft_place(piece, draft->tools->points[i]), &values[i]);
    if (status != ENTROPIC_OK)
      return status;
    largest = ent_quad_larger(largest, values[i]);
    least = i == 0 || values[i] < least ? values[i] : least;
  }
  ent_series_make(draft->tools, values, terms);
  *error = ent_series_tail(terms);
  for (int i = 0; i <= BETWEEN; i++) {
    ent_quad t = 2 * (ent_quad)i / BETWEEN - 1;
    entropic_status status = value_at(draft, formulas, which, ent_draft_place(piece, t), &value);
    if (status != ENTROPIC_OK)
      return status;
    *error = ent_quad_larger(*error, ent_quad_abs(ent_series_at(terms, t) - value) / largest);
  }
  if (piece->size == 1 && !(*error <= SERIES_MOST))
    return ent_fail(draft->context, ENTROPIC_BAD_ARGUMENT,
                    "custom kernel: %c is not smooth near x = %g, or varies too fast there: a polynomial is off by "
                    "%.1e there, expected at most %g",
                    "pq"[which], (double)ent_draft_place(piece, 0), ent_quad_shown(*error), SERIES_MOST);
  if (largest > SPREAD_MOST * least)
    *error = 1;
  return ENTROPIC_OK;
}

static entropic_status fit_formulas(ent_draft *draft, void *user, ent_draft_piece *piece, bool *fits) {
  ent_quad errors[2] = {0, 0};
  for (int which = 0; which < 2; which++) {
    entropic_status status = fit_one(draft, user, which, piece, &errors[which]);
    if (status != ENTROPIC_OK)
      return status;
  }
  *fits = errors[0] <= SERIES_GOAL && errors[1] <= SERIES_GOAL;
  return ENTROPIC_OK;
}

static entropic_status draft_formulas(ent_draft *draft, const entropic_axis_options *options) {
  static const ent_expression_form p_form = {"p", ENT_VARIABLE_X | ENT_VARIABLE_W, 1};
  static const ent_expression_form q_form = {"q", ENT_VARIABLE_X | ENT_VARIABLE_W, 1};
  ent_formulas *formulas = ent_new(draft->context, 1, sizeof *formulas);
  if (formulas == NULL)
    return ENTROPIC_NO_MEMORY;
  formulas->w = options->omega;
  entropic_status status = ent_expression_parse(draft->context, options->p_text, &p_form, &formulas->p);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_expression_parse(draft->context, options->q_text, &q_form, &formulas->q);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_draft_cover(draft, fit_formulas, formulas);
  for (int which = 0; which < 2 && status == ENTROPIC_OK; which++) {
    status = value_at(draft, formulas, which, 0, &draft->start[which]);
    if (status != ENTROPIC_OK)
      goto done;
    status = value_at(draft, formulas, which, 1, &draft->end[which]);
  }
done:
  ent_delete(formulas);
  return status;
}

static entropic_status draft_equation(ent_draft *draft, const entropic_axis_options *options) {
  const struct {
    ent_expression_form form;
    const char *text;
    size_t offset;
  } parts[] = {
      {{"alpha", ENT_VARIABLE_X | ENT_VARIABLE_W, 1}, options->alpha_text, offsetof(ent_equation, alpha)},
      {{"beta", ENT_VARIABLE_X | ENT_VARIABLE_W, 1}, options->beta_text, offsetof(ent_equation, beta)},
      {{"left", ENT_VARIABLE_W, 2}, options->left_text, offsetof(ent_equation, left)},
      {{"right", ENT_VARIABLE_W, 2}, options->right_text, offsetof(ent_equation, right)},
  };
  ent_equation *equation = ent_new(draft->context, 1, sizeof *equation);
  if (equation == NULL)
    return ENTROPIC_NO_MEMORY;
  equation->w = options->omega;
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    ent_expression *expression = (ent_expression *)((char *)equation + parts[i].offset);
    status = ent_expression_parse(draft->context, parts[i].text, &parts[i].form, expression);
    if (status != ENTROPIC_OK)
      goto done;
  }
  status = ent_equation_solve(draft, equation);
done:
  ent_delete(equation);
  return status;
}

/* Multiplies p and divides q by a power of two, so that both are about as large at most: k stays the same. */
static void balance(ent_draft *draft) {
  ent_quad most[2] = {ent_quad_abs(draft->end[0]), ent_quad_abs(draft->start[1])};
  for (size_t i = 0; i < draft->count; i++) {
    most[0] = ent_quad_larger(most[0], ent_quad_abs(draft->pieces[i].p[0]));
    most[1] = ent_quad_larger(most[1], ent_quad_abs(draft->pieces[i].q[0]));
  }
  ent_quad factor = 1;
  for (int i = 0; i < QUAD_EXPONENT && most[0] * factor * factor > 4 * most[1]; i++)
    factor /= 2;
  for (int i = 0; i < QUAD_EXPONENT && 4 * most[0] * factor * factor < most[1]; i++)
    factor *= 2;
  draft->start[0] *= factor;
  draft->end[0] *= factor;
  draft->start[1] /= factor;
  draft->end[1] /= factor;
  for (size_t i = 0; i < draft->count; i++)
    for (int k = 0; k < ENT_SERIES; k++) {
      draft->pieces[i].p[k] *= factor;
      draft->pieces[i].q[k] /= factor;
    }
}

/* Rounds the series of all pieces. */
static entropic_status round_pieces(ent_draft *draft, ent_pair *pair) {
  for (size_t i = 0; i < draft->count; i++) {
    const ent_draft_piece *from = &draft->pieces[i];
    ent_piece *to = &pair->pieces[i];
    ent_quad largest[2] = {0, 0};
    to->first = (double)from->first / ENT_UNITS;
    to->last = (double)(from->first + from->size) / ENT_UNITS;
    to->stretch = 2.0 * ENT_UNITS / from->size;
    for (int unit = from->first; unit < from->first + from->size; unit++)
      pair->piece_of[unit] = (uint16_t)i;
    for (int k = 0; k < ENT_SERIES; k++) {
      to->p[k] = (double)from->p[k];
      to->q[k] = (double)from->q[k];
      largest[0] = ent_quad_larger(largest[0], ent_quad_abs(from->p[k]));
      largest[1] = ent_quad_larger(largest[1], ent_quad_abs(from->q[k]));
    }
    for (int which = 0; which < 2; which++)
      if (!(largest[which] >= RANGE_LOW && largest[which] <= RANGE_HIGH))
        return ent_fail(draft->context, ENTROPIC_BAD_ARGUMENT,
                        "custom kernel: p and q are outside the range of a double near x = %g: a lower omega may help",
                        to->first);
    for (to->terms = ENT_SERIES; to->terms > 1; to->terms--)
      if (ent_quad_abs(from->p[to->terms - 1]) > 1e-21 * largest[0] ||
          ent_quad_abs(from->q[to->terms - 1]) > 1e-21 * largest[1])
        break;
  }
  return ENTROPIC_OK;
}

const ent_piece *ent_pair_piece(const ent_pair *pair, double x) {
  int unit = (int)(x * ENT_UNITS);
  return &pair->pieces[pair->piece_of[unit < ENT_UNITS ? unit : ENT_UNITS - 1]];
}

static double sum_at(const ent_piece *piece, const double *terms, double x) {
  double t = (x - piece->first) * piece->stretch - 1, one = 0, two = 0;
  for (int k = piece->terms - 1; k > 0; k--) {
    double next = 2 * t * one - two + terms[k];
    two = one;
    one = next;
  }
  return t * one - two + terms[0];
}

double ent_pair_p(const ent_pair *pair, double x) {
  const ent_piece *piece = ent_pair_piece(pair, x);
  return x == 0 ? pair->start[0] : sum_at(piece, piece->p, x);
}

double ent_pair_q(const ent_pair *pair, double x) {
  const ent_piece *piece = ent_pair_piece(pair, x);
  return x == 1 ? pair->end[1] : sum_at(piece, piece->q, x);
}

double ent_pair_boundary(const ent_pair *pair, int which, double x) {
  const ent_piece *piece = ent_pair_piece(pair, x);
  return sum_at(piece, piece->boundary[which], x);
}

/* (f(y) - f(x))/(t - s) for f = T_k is d_k, with d_(k+1) = 2 t d_k + 2 T_k(s) - d_(k-1): nothing cancels. */
static double wedge_within(const ent_piece *piece, double x, double y) {
  double s = (x - piece->first) * piece->stretch - 1, t = (y - piece->first) * piece->stretch - 1;
  double before = 1, now = s, slope_before = 0, slope = 1;
  double p = piece->p[0], q = piece->q[0], dp = 0, dq = 0;
  for (int k = 1; k < piece->terms; k++) {
    p += piece->p[k] * now;
    q += piece->q[k] * now;
    dp += piece->p[k] * slope;
    dq += piece->q[k] * slope;
    double next = 2 * s * now - before, slope_next = 2 * t * slope + 2 * now - slope_before;
    before = now;
    now = next;
    slope_before = slope;
    slope = slope_next;
  }
  return (y - x) * piece->stretch * (dp * q - p * dq);
}

double ent_pair_wedge(const ent_pair *pair, double x, double y) {
  const ent_piece *piece = ent_pair_piece(pair, y);
  if (x >= piece->first)
    return wedge_within(piece, x, y);
  piece = ent_pair_piece(pair, x);
  if (y <= piece->last)
    return wedge_within(piece, x, y);
  return ent_pair_p(pair, y) * ent_pair_q(pair, x) - ent_pair_p(pair, x) * ent_pair_q(pair, y);
}

/* Whether p and q make a kernel. */
static entropic_status check_pair(entropic_context *context, const ent_pair *pair, double w) {
  for (int i = 0; i <= CHECK_POINTS; i++) {
    double x = (double)i / CHECK_POINTS, p = ent_pair_p(pair, x), q = ent_pair_q(pair, x);
    bool inside = i > 0 && i < CHECK_POINTS;
    if (inside && !(p > 0 && q > 0))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                      "custom kernel: p(%g) = %g, q(%g) = %g with w = %g: both must be above 0 inside (0,1)", x, p, x,
                      q, w);
    double before = (double)(i - 1) / CHECK_POINTS;
    if (i > 0 && !(ent_pair_wedge(pair, before, x) > 0))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                      "custom kernel: p/q must increase strictly, but with w = %g does not between x = %g and x = %g",
                      w, before, x);
  }
  return ENTROPIC_OK;
}

/* A boundary atom: at_start q + at_end p. */
typedef struct ent_pair_combination {
  ent_quad at_start, at_end;
} ent_pair_combination;

static void append_boundary(const ent_draft *draft, ent_pair *pair, ent_pair_combination atom) {
  int which = pair->boundary_atoms++;
  pair->kinds[which] = which == 0 ? ENTROPIC_LEVEL_KIND_EVEN : ENTROPIC_LEVEL_KIND_LINEAR;
  for (size_t i = 0; i < draft->count; i++)
    for (int k = 0; k < ENT_SERIES; k++)
      pair->pieces[i].boundary[which][k] =
          (double)(atom.at_start * draft->pieces[i].q[k] + atom.at_end * draft->pieces[i].p[k]);
}

/* The squared norm of a combination, where neither p(0) nor q(1) is 0. */
static ent_quad norm_of(const ent_draft *draft, ent_pair_combination of) {
  return of.at_start * of.at_start * draft->start[1] / draft->start[0] + 2 * of.at_start * of.at_end +
         of.at_end * of.at_end * draft->end[0] / draft->end[1];
}

/* The combination that is 1 everywhere, if there is one. */
static bool find_constant(const ent_draft *draft, ent_pair_combination *constant) {
  ent_quad determinant = draft->start[0] * draft->end[1] - draft->start[1] * draft->end[0];
  *constant = (ent_pair_combination){.at_start = (draft->start[0] - draft->end[0]) / determinant,
                                     .at_end = (draft->end[1] - draft->start[1]) / determinant};
  for (size_t i = 0; i < draft->count; i++)
    for (int k = 0; k < ENT_SERIES; k++) {
      ent_quad term = constant->at_start * draft->pieces[i].q[k] + constant->at_end * draft->pieces[i].p[k];
      if (!(ent_quad_abs(term - (k == 0)) <= CONSTANT))
        return false;
    }
  return true;
}

/* The constant, and what is orthogonal to it. */
static void split_constant(const ent_draft *draft, ent_pair *pair, ent_pair_combination one) {
  ent_quad norm = ENT_QUAD_CALL(sqrt)(norm_of(draft, one));
  bool unit = ent_quad_abs(norm - 1) <= CONSTANT;
  append_boundary(draft, pair, (ent_pair_combination){one.at_start / norm, one.at_end / norm});
  if (unit)
    pair->kinds[0] = ENTROPIC_LEVEL_KIND_CONSTANT;
  ent_pair_combination other = {.at_start = -one.at_start - one.at_end * draft->end[0] / draft->end[1],
                                .at_end = one.at_end + one.at_start * draft->start[1] / draft->start[0]};
  norm = ENT_QUAD_CALL(sqrt)(norm_of(draft, other)) * (other.at_end < 0 ? -1 : 1);
  append_boundary(draft, pair, (ent_pair_combination){other.at_start / norm, other.at_end / norm});
}

/* Eigenvectors of the Gram matrix of k(.,0) and k(.,1). */
static void split_eigenvectors(const ent_draft *draft, ent_pair *pair) {
  ent_quad p0 = draft->start[0], q0 = draft->start[1], p1 = draft->end[0], q1 = draft->end[1];
  ent_quad a = p0 * q0, b = p0 * q1, c = p1 * q1;
  ent_quad apart = ent_quad_abs(a - c) > NOTHING * (a + c) ? (a - c) / 2 : 0; /* like ends: even and odd atoms */
  ent_quad radius = ENT_QUAD_CALL(sqrt)(apart * apart + b * b), larger = (a + c) / 2 + radius;
  ent_quad smaller = b * (q0 * p1 - b) / larger;
  ent_quad cosine = ENT_QUAD_CALL(sqrt)((1 + apart / radius) / 2), sine = ENT_QUAD_CALL(sqrt)((1 - apart / radius) / 2);
  ent_quad root = ENT_QUAD_CALL(sqrt)(larger);
  append_boundary(draft, pair, (ent_pair_combination){cosine * p0 / root, sine * q1 / root});
  if (!(smaller > NOTHING * larger))
    return;
  root = ENT_QUAD_CALL(sqrt)(smaller);
  append_boundary(draft, pair, (ent_pair_combination){-sine * p0 / root, cosine * q1 / root});
}

/* The boundary atoms: an orthonormal basis of the span of k(.,0) and k(.,1). */
static void find_boundary(ent_draft *draft, ent_pair *pair) {
  ent_pair_combination constant;
  double most = 0;
  for (int i = 0; i <= CHECK_POINTS; i++)
    most = fmax(most, ent_pair_p(pair, (double)i / CHECK_POINTS) * ent_pair_q(pair, (double)i / CHECK_POINTS));
  bool start = draft->start[0] * draft->start[1] > NOTHING * most, end = draft->end[0] * draft->end[1] > NOTHING * most;
  draft->start[0] = start ? draft->start[0] : 0;
  draft->end[1] = end ? draft->end[1] : 0;
  if (start && end && find_constant(draft, &constant))
    split_constant(draft, pair, constant);
  else if (start && end)
    split_eigenvectors(draft, pair);
  else if (start)
    append_boundary(draft, pair, (ent_pair_combination){ENT_QUAD_CALL(sqrt)(draft->start[0] / draft->start[1]), 0});
  else if (end)
    append_boundary(draft, pair, (ent_pair_combination){0, ENT_QUAD_CALL(sqrt)(draft->end[1] / draft->end[0])});
  if (end && !start) /* 0 at 0, as brownian's */
    pair->kinds[0] = ENTROPIC_LEVEL_KIND_LINEAR;
}

static void copy_ends(const ent_draft *draft, ent_pair *pair) {
  for (int which = 0; which < 2; which++) {
    pair->start[which] = (double)draft->start[which];
    pair->end[which] = (double)draft->end[which];
  }
}

entropic_status ent_pair_create(entropic_context *context, const entropic_axis_options *options, ent_pair **pair) {
  ent_draft draft = {.context = context};
  ent_pair *made = NULL;
  entropic_status status = options->p_text != NULL ? draft_formulas(&draft, options) : draft_equation(&draft, options);
  if (status != ENTROPIC_OK)
    goto done;
  balance(&draft);
  status = ENTROPIC_NO_MEMORY;
  made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    goto done;
  made->count = draft.count;
  made->pieces = ent_new(context, draft.count, sizeof *made->pieces);
  if (made->pieces == NULL)
    goto done;
  status = round_pieces(&draft, made);
  if (status != ENTROPIC_OK)
    goto done;
  copy_ends(&draft, made);
  status = check_pair(context, made, options->omega);
  if (status != ENTROPIC_OK)
    goto done;
  find_boundary(&draft, made);
  copy_ends(&draft, made);
  *pair = made;
  made = NULL;
done:
  ent_pair_free(made);
  ent_delete(draft.tools);
  ent_delete(draft.pieces);
  return status;
}

void ent_pair_free(ent_pair *pair) {
  if (pair != NULL)
    ent_delete(pair->pieces);
  ent_delete(pair);
}
