/* Custom kernels that are given as text, p and q or an equation: see pair.h. */

#include <math.h>
#include <string.h>

#include "axis/pair.h"
#include "axis/shapes.h"
#include "base/progress.h"

#define SUP_POINTS 1024
#define SAME 1e-11 /* scores of a level that differ by less are the same: the atoms of a level then have one place */

/* By node, a multiple of 2^-depth. */
typedef struct ent_text_tables {
  ent_pair *pair;
  char *texts[ENT_TEXTS]; /* copies; NULL for none */
  int depth;
  double *scale[2]; /* what the wedge left and right of the node is multiplied with */
  double *norm;     /* c of the atom */
  double *l2;       /* integral of its square */
} ent_text_tables;

static size_t node_of(const ent_text_tables *tables, int level, uint64_t atom) {
  return (2 * (size_t)atom + 1) << (tables->depth - level);
}

/* The atom of a level that can be non-zero at x. */
static double atom_at(const ent_text_tables *tables, int level, double x, uint32_t *atom) {
  double height;
  *atom = ent_cell(x, level, &height);
  if (height == 0)
    return 0;
  size_t z = node_of(tables, level, *atom);
  double node = ldexp((double)z, -tables->depth), half = ldexp(1, -level);
  return x <= node ? tables->scale[0][z] * ent_pair_wedge(tables->pair, node - half, x)
                   : tables->scale[1][z] * ent_pair_wedge(tables->pair, x, node + half);
}

static void evaluate_hat(const ent_axis *axis, const ent_level *level, const double *x, size_t count, uint32_t *atoms,
                         double *values) {
  for (size_t i = 0; i < count; i++)
    values[i] = atom_at(axis->extra, level->info.order, x[i], &atoms[i]);
}

static void evaluate_boundary(const ent_axis *axis, const ent_level *level, const double *x, size_t count,
                              uint32_t *atoms, double *values) {
  const ent_text_tables *tables = axis->extra;
  int which = (int)level->info.kind == tables->pair->kinds[0] ? 0 : 1;
  memset(atoms, 0, count * sizeof *atoms);
  for (size_t i = 0; i < count; i++)
    values[i] = ent_pair_boundary(tables->pair, which, x[i]);
}

/* The value at x that is squared: of a boundary atom (0, 1), or of an atom of minus a level. */
static double integrand(const ent_text_tables *tables, int which, double x) {
  uint32_t atom;
  return which >= 0 ? ent_pair_boundary(tables->pair, which, x) : atom_at(tables, -which, x, &atom);
}

/* The integral of the square over [from,to], within one piece: a Gauss rule of eight points, or of four where the interval
 * is a small part of the piece. */
static double integrate_part(const ent_text_tables *tables, int which, double from, double to, bool small) {
  static const double points[] = {0.1834346424956498, 0.525532409916329, 0.7966664774136267, 0.9602898564975363};
  static const double weights[] = {0.362683783378362, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  static const double few_points[] = {0.3399810435848563, 0.8611363115940526};
  static const double few_weights[] = {0.6521451548625461, 0.3478548451374538};
  double middle = (from + to) / 2, half = (to - from) / 2, sum = 0;
  for (int i = 0; i < (small ? 2 : 4); i++) {
    double step = half * (small ? few_points[i] : points[i]), weight = small ? few_weights[i] : weights[i];
    double left = integrand(tables, which, middle - step), right = integrand(tables, which, middle + step);
    sum += weight * (left * left + right * right);
  }
  return sum * half;
}

static double integrate_square(const ent_text_tables *tables, int which, double from, double to) {
  double sum = 0;
  while (from < to) {
    const ent_piece *piece = ent_pair_piece(tables->pair, from);
    double end = piece->last < to ? piece->last : to, length = end - from, all = piece->last - piece->first;
    int parts = length > all / 4 ? 4 : 1;
    for (int i = 0; i < parts; i++)
      sum +=
          integrate_part(tables, which, from + length * i / parts, from + length * (i + 1) / parts, length < all / 32);
    from = end;
  }
  return sum;
}

static void append_boundary(ent_axis *axis) {
  const ent_text_tables *tables = axis->extra;
  for (int which = 0; which < tables->pair->boundary_atoms; which++) {
    if (tables->pair->kinds[which] == ENTROPIC_LEVEL_KIND_CONSTANT) {
      ent_append_constant(axis);
      continue;
    }
    double sup = 0;
    for (int i = 0; i <= SUP_POINTS; i++)
      sup = fmax(sup, fabs(ent_pair_boundary(tables->pair, which, (double)i / SUP_POINTS)));
    const entropic_level info = {.kind = (entropic_level_kind)tables->pair->kinds[which],
                                 .atoms = 1,
                                 .sup = sup * sup,
                                 .l2 = integrate_square(tables, which, 0, 1)};
    ent_append_custom(axis, (ent_level){.info = info, .evaluate = evaluate_boundary}, sup);
  }
}

/* Norm and scores of the atom with that node. */
static entropic_status measure_atom(entropic_context *context, const ent_axis *axis, int level, size_t z) {
  ent_text_tables *tables = axis->extra;
  double node = ldexp((double)z, -tables->depth), half = ldexp(1, -level), a = node - half, b = node + half;
  double left = ent_pair_wedge(tables->pair, a, node), right = ent_pair_wedge(tables->pair, node, b);
  double whole = ent_pair_wedge(tables->pair, a, b);
  tables->norm[z] = left / whole * right;
  if (!(left > 0 && right > 0 && whole > 0 && tables->norm[z] > 0 && isfinite(tables->norm[z])))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "custom kernel: p/q does not increase in double precision near x = %g: lower max_level below %d",
                    node, level);
  double scale = axis->options.unit_height ? 1 : sqrt(tables->norm[z]);
  tables->scale[0][z] = scale / left;
  tables->scale[1][z] = scale / right;
  tables->l2[z] = integrate_square(tables, -level, a, node) + integrate_square(tables, -level, node, b);
  if (axis->options.unit_height)
    tables->l2[z] *= tables->norm[z];
  return ENTROPIC_OK;
}

/* Whether the atoms of a level differ in score. If they do not, but for rounding, they all get the scores of the first, so
 * that the level is one of equals. */
static bool is_uneven(ent_text_tables *tables, int level, size_t atoms) {
  size_t first = node_of(tables, level, 0);
  double norm = tables->norm[first], l2 = tables->l2[first];
  for (size_t i = 1; i < atoms; i++) {
    size_t z = node_of(tables, level, i);
    if (!(fabs(tables->norm[z] - norm) <= SAME * norm && fabs(tables->l2[z] - l2) <= SAME * l2))
      return true;
  }
  for (size_t i = 1; i < atoms; i++) {
    size_t z = node_of(tables, level, i);
    tables->norm[z] = norm;
    tables->l2[z] = l2;
  }
  return false;
}

static entropic_status append_hats(entropic_context *context, ent_axis *axis) {
  ent_text_tables *tables = axis->extra;
  for (int l = 1; l <= tables->depth; l++) {
    size_t atoms = (size_t)1 << (l - 1);
    double sup = 0, sum = 0;
    for (size_t i = 0; i < atoms; i++) {
      entropic_status status = i % 1024 == 0 ? ent_poll(context) : ENTROPIC_OK;
      if (status != ENTROPIC_OK)
        return status;
      status = measure_atom(context, axis, l, node_of(tables, l, i));
      if (status != ENTROPIC_OK)
        return status;
    }
    bool uneven = is_uneven(tables, l, atoms);
    for (size_t i = 0; i < atoms; i++) {
      size_t z = node_of(tables, l, i);
      sup = fmax(sup, tables->norm[z]);
      sum += tables->l2[z];
    }
    const entropic_level info = {.kind = ENTROPIC_LEVEL_KIND_HAT,
                                 .order = l,
                                 .atoms = atoms,
                                 .sup = sup,
                                 .l2 = uneven ? sum / (double)atoms : tables->l2[node_of(tables, l, 0)]};
    ent_append_custom(axis, (ent_level){.info = info, .evaluate = evaluate_hat, .positive = true, .uneven = uneven},
                      axis->options.unit_height ? 1 : sqrt(sup));
  }
  return ENTROPIC_OK;
}

static entropic_status copy_texts(entropic_context *context, ent_axis *axis) {
  ent_text_tables *tables = axis->extra;
  for (int i = 0; i < ENT_TEXTS; i++) {
    const char **text = ent_text_of(&axis->options, i);
    if (*text == NULL)
      continue;
    const char *start = *text;
    size_t length = ent_text_trim(&start);
    tables->texts[i] = ent_new_text(context, start, length);
    if (tables->texts[i] == NULL)
      return ENTROPIC_NO_MEMORY;
    *text = tables->texts[i];
  }
  return ENTROPIC_OK;
}

entropic_status ent_text_prepare(entropic_context *context, ent_axis *axis) {
  ent_text_tables *tables = axis->extra = ent_new(context, 1, sizeof *tables);
  if (tables == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_pair_create(context, &axis->options, &tables->pair);
  if (status != ENTROPIC_OK)
    return status;
  status = copy_texts(context, axis);
  if (status != ENTROPIC_OK)
    return status;
  tables->depth = axis->options.max_level;
  size_t nodes = (size_t)1 << tables->depth;
  tables->norm = ent_new(context, 4 * nodes, sizeof *tables->norm);
  if (tables->norm == NULL)
    return ENTROPIC_NO_MEMORY;
  tables->l2 = tables->norm + nodes;
  tables->scale[0] = tables->l2 + nodes;
  tables->scale[1] = tables->scale[0] + nodes;
  if (axis->options.basis == ENTROPIC_BASIS_FULL)
    append_boundary(axis);
  return append_hats(context, axis);
}

double ent_text_kernel(const ent_axis *axis, double x, double y) {
  const ent_pair *pair = ((const ent_text_tables *)axis->extra)->pair;
  if (axis->options.basis == ENTROPIC_BASIS_INTERIOR)
    return ent_pair_wedge(pair, 0, x) * ent_pair_wedge(pair, y, 1) / ent_pair_wedge(pair, 0, 1);
  return ent_pair_p(pair, x) * ent_pair_q(pair, y);
}

double ent_text_atom_score(const ent_axis *axis, const ent_level *level, uint64_t atom, entropic_criterion criterion) {
  const ent_text_tables *tables = axis->extra;
  size_t node = node_of(tables, level->info.order, atom);
  return criterion == ENTROPIC_CRITERION_SUP ? tables->norm[node] : tables->l2[node];
}

void ent_text_release(ent_axis *axis) {
  ent_text_tables *tables = axis->extra;
  if (tables == NULL)
    return;
  for (int i = 0; i < ENT_TEXTS; i++)
    ent_delete(tables->texts[i]);
  ent_pair_free(tables->pair);
  ent_delete(tables->norm);
  ent_delete(tables);
}
