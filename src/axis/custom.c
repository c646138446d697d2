/* custom: k = p(min) q(max) for the caller's p and q. Those that are text are in custom_text.c.
 *
 * p and q are tabulated at all nodes once. What sets this family apart is that the atoms of a level differ in norm, so
 * each has its own score. Differences such as p(x)q(a) - q(x)p(a) cancel as levels deepen (about 2^-52 2^level of
 * relative error): hence at most CUSTOM_MAX_LEVEL levels. */
#include <math.h>
#include <string.h>

#include "axis/pair.h"
#include "axis/shapes.h"

#define CUSTOM_MAX_LEVEL 16
#define CHECK_POINTS 1024

typedef struct ent_custom_tables {
  int depth;                     /* nodes are multiples of 2^-depth */
  double *p, *q;                 /* at the nodes */
  double *norm;                  /* c of the atom whose node this is */
  double *l2;                    /* integral of the square of that atom, times c */
  double at_start[2], at_end[2]; /* boundary atom j = at_start[j] q(x) + at_end[j] p(x) */
} ent_custom_tables;

static double p_at(const ent_axis *axis, double x) {
  return axis->options.p(x, axis->options.user);
}

static double q_at(const ent_axis *axis, double x) {
  return axis->options.q(x, axis->options.user);
}

static entropic_status check_pair(entropic_context *context, const ent_axis *axis) {
  double p_before = 0, q_before = 0;
  for (int i = 0; i <= CHECK_POINTS; i++) {
    double x = (double)i / CHECK_POINTS, p = p_at(axis, x), q = q_at(axis, x);
    bool inside = i > 0 && i < CHECK_POINTS;
    if (!(isfinite(p) && isfinite(q)))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "custom kernel: p(%g) = %g, q(%g) = %g: both must be finite", x,
                      p, x, q);
    if (p < 0 || q < 0 || (inside && q == 0))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                      "custom kernel: p(%g) = %g, q(%g) = %g: p must be >= 0, q >= 0 and > 0 inside (0,1)", x, p, x, q);
    if (i > 0 && !(p * q_before > p_before * q))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                      "custom kernel: p/q must increase strictly, but does not between x = %g and x = %g",
                      (double)(i - 1) / CHECK_POINTS, x);
    p_before = p;
    q_before = q;
  }
  return ENTROPIC_OK;
}

/* p(y)q(x) - p(x)q(y) at nodes i and j of the table. */
static double wedge(const ent_custom_tables *tables, size_t i, size_t j) {
  return tables->p[j] * tables->q[i] - tables->p[i] * tables->q[j];
}

/* The atom of a level that can be non-zero at x, without its norm. */
static double atom_height(const ent_axis *axis, int level, double x, uint32_t *atom) {
  const ent_custom_tables *tables = axis->extra;
  double height;
  *atom = ent_cell(x, level, &height);
  if (height == 0)
    return 0;
  if (height == 1)
    return 1;
  size_t half = (size_t)1 << (tables->depth - level);
  size_t z = (2 * (size_t)*atom + 1) * half;
  double node = ldexp((double)z, -tables->depth);
  double p = p_at(axis, x), q = q_at(axis, x);
  if (x < node) {
    size_t a = z - half;
    return (p * tables->q[a] - q * tables->p[a]) / wedge(tables, a, z);
  }
  size_t b = z + half;
  return (q * tables->p[b] - p * tables->q[b]) / wedge(tables, z, b);
}

static size_t node_of(const ent_custom_tables *tables, int level, uint64_t atom) {
  return (2 * (size_t)atom + 1) << (tables->depth - level);
}

static void evaluate_hat(const ent_axis *axis, const ent_level *level, const double *x, size_t count, uint32_t *atoms,
                         double *values) {
  const ent_custom_tables *tables = axis->extra;
  for (size_t i = 0; i < count; i++) {
    double height = atom_height(axis, level->info.order, x[i], &atoms[i]);
    double norm = tables->norm[node_of(tables, level->info.order, atoms[i])];
    values[i] = axis->options.unit_height ? height : sqrt(norm) * height;
  }
}

static double boundary_at(const ent_axis *axis, int which, double x) {
  const ent_custom_tables *tables = axis->extra;
  return tables->at_start[which] * q_at(axis, x) + tables->at_end[which] * p_at(axis, x);
}

static void evaluate_boundary(const ent_axis *axis, const ent_level *level, const double *x, size_t count,
                              uint32_t *atoms, double *values) {
  int which = level->info.kind == ENTROPIC_LEVEL_KIND_EVEN ? 0 : 1;
  memset(atoms, 0, count * sizeof *atoms);
  for (size_t i = 0; i < count; i++)
    values[i] = boundary_at(axis, which, x[i]);
}

/* Integral of f(x)^2 over [from, to] in `panels` panels of an eight-point Gauss rule; `which` is a boundary atom (0, 1)
 * or minus a level. */
static double integrate_square(const ent_axis *axis, int which, double from, double to, int panels) {
  static const double points[4] = {0.1834346424956498, 0.525532409916329, 0.7966664774136267, 0.9602898564975363};
  static const double weights[4] = {0.362683783378362, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  double width = (to - from) / panels, sum = 0;
  for (int panel = 0; panel < panels; panel++) {
    double middle = from + (panel + 0.5) * width;
    for (int i = 0; i < 8; i++) {
      double x = middle + (i % 2 == 0 ? 0.5 : -0.5) * width * points[i / 2];
      uint32_t atom;
      double value = which >= 0 ? boundary_at(axis, which, x) : atom_height(axis, -which, x, &atom);
      sum += weights[i / 2] * value * value;
    }
  }
  return sum * width / 2;
}

/* Orthonormal combinations of k(.,0) and k(.,1): eigenvectors of their 2 x 2 Gram matrix. */
static void append_boundary(ent_axis *axis) {
  ent_custom_tables *tables = axis->extra;
  size_t last = (size_t)1 << tables->depth;
  double p0 = tables->p[0], q1 = tables->q[last];
  double a = p0 * tables->q[0], b = p0 * q1, c = tables->p[last] * q1;
  double middle = (a + c) / 2, half = (a - c) / 2;
  double most = fmax(fabs(half), fabs(b)), u = half / most, v = b / most;
  double radius = most > 0 ? most * sqrt(u * u + v * v) : 0; /* hypot gives other bits from one C library to the next */
  double angle = atan2(2 * b, a - c) / 2; /* of the eigenvector of the larger eigenvalue: in [0, pi/2], so positive */
  double larger = middle + radius;
  double smaller = larger > 0 ? (a * c - b * b) / larger : 0;
  double values[2] = {larger, smaller};
  double directions[2][2] = {{cos(angle), sin(angle)}, {-sin(angle), cos(angle)}};
  for (int j = 0; j < 2; j++) {
    if (!(values[j] > 1e-14 * larger))
      continue;
    tables->at_start[j] = directions[j][0] * p0 / sqrt(values[j]);
    tables->at_end[j] = directions[j][1] * q1 / sqrt(values[j]);
    double sup = 0;
    for (int i = 0; i <= CHECK_POINTS; i++)
      sup = fmax(sup, fabs(boundary_at(axis, j, (double)i / CHECK_POINTS)));
    const entropic_level info = {.kind = j == 0 ? ENTROPIC_LEVEL_KIND_EVEN : ENTROPIC_LEVEL_KIND_LINEAR,
                                 .atoms = 1,
                                 .sup = sup * sup,
                                 .l2 = integrate_square(axis, j, 0, 1, 1024)};
    ent_append_custom(axis, (ent_level){.info = info, .evaluate = evaluate_boundary}, sup);
  }
}

static entropic_status append_hats(entropic_context *context, ent_axis *axis) {
  ent_custom_tables *tables = axis->extra;
  for (int l = 1; l <= tables->depth; l++) {
    size_t half = (size_t)1 << (tables->depth - l), atoms = (size_t)1 << (l - 1);
    int panels = l < 10 ? 1 << (10 - l) : 1;
    double sup = 0, mean = 0;
    for (size_t i = 0; i < atoms; i++) {
      size_t z = (2 * i + 1) * half;
      double left = wedge(tables, z - half, z), right = wedge(tables, z, z + half);
      double whole = wedge(tables, z - half, z + half);
      double a = ldexp((double)(z - half), -tables->depth), node = ldexp((double)z, -tables->depth);
      if (!(left > 0 && right > 0 && whole > 0))
        return ent_fail(
            context, ENTROPIC_BAD_ARGUMENT,
            "custom kernel: p/q does not increase in double precision near x = %g: lower max_level below %d", node, l);
      tables->norm[z] = left * right / whole;
      tables->l2[z] = tables->norm[z] * (integrate_square(axis, -l, a, node, panels) +
                                         integrate_square(axis, -l, node, 2 * node - a, panels));
      sup = fmax(sup, tables->norm[z]);
      mean += tables->l2[z] / (double)atoms;
    }
    const entropic_level info = {.kind = ENTROPIC_LEVEL_KIND_HAT, .order = l, .atoms = atoms, .sup = sup, .l2 = mean};
    ent_append_custom(axis, (ent_level){.info = info, .evaluate = evaluate_hat, .positive = true, .uneven = true},
                      axis->options.unit_height ? 1 : sqrt(sup));
  }
  return ENTROPIC_OK;
}

/* Functions or text, and of these p and q or an equation. */
static entropic_status check_form(entropic_context *context, const entropic_axis_options *o) {
  bool functions = o->p != NULL || o->q != NULL, pair = o->p_text != NULL || o->q_text != NULL;
  bool equation = o->alpha_text != NULL || o->beta_text != NULL || o->left_text != NULL || o->right_text != NULL;
  if (functions + pair + equation > 1)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "custom kernel: give functions p and q, or texts p and q, or texts alpha, beta, left and right");
  if (equation && (o->alpha_text == NULL || o->beta_text == NULL || o->left_text == NULL || o->right_text == NULL))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "custom kernel: all of alpha, beta, left and right must be given for an equation");
  if (!equation && (pair ? o->p_text == NULL || o->q_text == NULL : o->p == NULL || o->q == NULL))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "custom kernel: both p and q must be given");
  if (o->max_level > CUSTOM_MAX_LEVEL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "max_level: %d is above %d, the most a custom kernel has",
                    o->max_level, CUSTOM_MAX_LEVEL);
  return ENTROPIC_OK;
}

static entropic_status prepare(entropic_context *context, ent_axis *axis) {
  entropic_status status = check_form(context, &axis->options);
  if (status != ENTROPIC_OK)
    return status;
  if (ent_is_text(&axis->options))
    return ent_text_prepare(context, axis);
  status = check_pair(context, axis);
  if (status != ENTROPIC_OK)
    return status;
  ent_custom_tables *tables = axis->extra = ent_new(context, 1, sizeof *tables);
  if (tables == NULL)
    return ENTROPIC_NO_MEMORY;
  tables->depth = axis->options.max_level;
  size_t nodes = ((size_t)1 << tables->depth) + 1;
  tables->p = ent_new(context, 4 * nodes, sizeof *tables->p);
  if (tables->p == NULL)
    return ENTROPIC_NO_MEMORY;
  tables->q = tables->p + nodes;
  tables->norm = tables->q + nodes;
  tables->l2 = tables->norm + nodes;
  for (size_t i = 0; i < nodes; i++) {
    double x = ldexp((double)i, -tables->depth);
    tables->p[i] = p_at(axis, x);
    tables->q[i] = q_at(axis, x);
  }
  if (axis->options.basis == ENTROPIC_BASIS_FULL)
    append_boundary(axis);
  return append_hats(context, axis);
}

static double kernel(const ent_axis *axis, double x, double y) {
  if (ent_is_text(&axis->options))
    return ent_text_kernel(axis, x, y);
  double value = p_at(axis, x) * q_at(axis, y);
  if (axis->options.basis == ENTROPIC_BASIS_INTERIOR) {
    const ent_custom_tables *tables = axis->extra;
    size_t last = (size_t)1 << tables->depth;
    double p0 = tables->p[0], q0 = tables->q[0], p1 = tables->p[last], q1 = tables->q[last];
    return (p_at(axis, x) * q0 - q_at(axis, x) * p0) * (q_at(axis, y) * p1 - p_at(axis, y) * q1) / (p1 * q0 - p0 * q1);
  }
  return value;
}

static double atom_score(const ent_axis *axis, const ent_level *level, uint64_t atom, entropic_criterion criterion) {
  if (ent_is_text(&axis->options))
    return ent_text_atom_score(axis, level, atom, criterion);
  const ent_custom_tables *tables = axis->extra;
  size_t node = node_of(tables, level->info.order, atom);
  return criterion == ENTROPIC_CRITERION_SUP ? tables->norm[node] : tables->l2[node];
}

static void release(ent_axis *axis) {
  if (ent_is_text(&axis->options)) {
    ent_text_release(axis);
    return;
  }
  ent_custom_tables *tables = axis->extra;
  if (tables != NULL)
    ent_delete(tables->p);
  ent_delete(tables);
}

const ent_family ent_family_custom = {
    .name = "custom",
    .help = "p(min) q(max), by --p and --q, or by an equation",
    .traits = ENTROPIC_TRAIT_HATS | ENTROPIC_TRAIT_FUNCTIONS,
    .since = 5,
    .prepare = prepare,
    .kernel = kernel,
    .atom_score = atom_score,
    .release = release,
};
