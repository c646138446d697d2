/* Sections of a one-dimensional kernel: see section_axis.h. */
#include "explain/section_axis.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

#define LEAST_RANGE 1e-200 /* of k(first,last): from here on left and right keep their digits */
#define MOST_RANK ((size_t)8 + 2)

void ent_section_axis_clear(ent_section_axis *axis) {
  ent_delete(axis->room);
  *axis = (ent_section_axis){0};
}

static double value_at(const ent_section_axis *s, size_t a, size_t b) {
  return s->axis->family->kernel(s->axis, s->nodes[a], s->nodes[b]);
}

double ent_section_node(const ent_axis *axis, double x) {
  double last = (double)axis->options.categories;
  if (axis->family->form != ENT_SECTION_CELLS)
    return ent_clamp(x);
  double cell = floor(ent_clamp(x) * (last + 1));
  return ((cell > last ? last : cell) + 0.5) / (last + 1);
}

/* Whether a node of a category is its last cell, which is none. */
static bool is_none(const ent_section_axis *s, size_t node) {
  double last = (double)s->axis->options.categories;
  return !(floor(s->nodes[node] * (last + 1)) < last);
}

/* ---- Sums ---- */

static void sum_products(const ent_section_axis *s, const double *weights, double *sums) {
  double carried = 0;
  for (size_t a = 0; a < s->present; a++) {
    double here = value_at(s, a, a), before = a > 0 ? value_at(s, a - 1, a - 1) : 0;
    carried = before > 0 ? carried * (value_at(s, a - 1, a) / before) : 0;
    sums[a] = carried += weights[a] * here;
  }
  carried = 0;
  for (size_t a = s->present; a > 1; a--) { /* what is right of node a - 2 */
    double here = value_at(s, a - 1, a - 1), across = value_at(s, a - 2, a - 1);
    carried = (here > 0 ? carried * (across / here) : 0) + weights[a - 1] * across;
    sums[a - 2] += carried;
  }
}

/* The functions beside the kink at a point: functions[rank]. */
static void set_functions(const ent_section_axis *s, double x, double *functions) {
  functions[0] = 1;
  functions[1] = x - 0.5;
  for (size_t l = 0, r = 2; l < s->axis->level_count; l++) {
    const ent_level *level = &s->axis->levels[l];
    uint32_t atom;
    if (level->info.kind == ENTROPIC_LEVEL_KIND_LEGENDRE)
      level->evaluate(s->axis, level, &x, 1, &atom, &functions[r++]);
  }
}

/* Their factors in the section at a node. */
static void set_own(const ent_section_axis *s, size_t node, double *own) {
  double omega = s->axis->options.omega;
  set_functions(s, s->nodes[node], own);
  own[0] = 1 + omega / 4;
  own[1] *= s->axis->family->twist * omega;
}

static double dot(const double *a, const double *b, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += a[i] * b[i];
  return sum;
}

/* kinks[node] = the sum over x of weights[x] |x - node|. */
static void sum_kinks(const ent_section_axis *s, const double *weights, double *kinks, size_t stride) {
  double all = 0, moment = 0, up_to = 0, moment_up_to = 0;
  for (size_t a = 0; a < s->present; a++) {
    all += weights[a];
    moment += weights[a] * (s->nodes[a] - 0.5);
  }
  for (size_t a = 0; a < s->present; a++) {
    double u = s->nodes[a] - 0.5;
    up_to += weights[a];
    moment_up_to += weights[a] * u;
    kinks[a * stride] = u * (2 * up_to - all) - 2 * moment_up_to + moment;
  }
}

static void sum_with_kinks(const ent_section_axis *s, const double *weights, double *sums) {
  double all[MOST_RANK] = {0}, functions[MOST_RANK], half = s->axis->options.omega / 2;
  for (size_t a = 0; a < s->present; a++) {
    set_functions(s, s->nodes[a], functions);
    for (size_t r = 0; r < s->rank; r++)
      all[r] += weights[a] * functions[r];
  }
  sum_kinks(s, weights, sums, 1);
  for (size_t a = 0; a < s->present; a++) {
    set_own(s, a, functions);
    sums[a] = dot(functions, all, s->rank) - half * sums[a];
  }
}

static void sum_cells(const ent_section_axis *s, const double *weights, double *sums) {
  double all = 0;
  for (size_t a = 0; a < s->present; a++)
    all += weights[a];
  for (size_t a = 0; a < s->present; a++)
    sums[a] = all + (is_none(s, a) ? 0 : s->axis->options.omega / 4 * weights[a]);
}

void ent_section_axis_sums(const ent_section_axis *s, const double *weights, double *sums) {
  if (s->form == ENT_SECTION_PRODUCT)
    sum_products(s, weights, sums);
  else if (s->form == ENT_SECTION_KINK)
    sum_with_kinks(s, weights, sums);
  else
    sum_cells(s, weights, sums);
  if (!s->missing)
    return;
  double all = 0, missing = weights[s->present]; /* k is 1 between a missing value and any other */
  for (size_t a = 0; a < s->present; a++) {
    all += weights[a];
    sums[a] += missing;
  }
  sums[s->present] = all + missing * (1 + s->axis->options.omega);
}

/* ---- Means of products ---- */

/* k(a,b) as a product of two numbers, where they are in range. */
static void set_factors(ent_section_axis *s) {
  size_t first = 0, last = s->present;
  while (first < last && !(value_at(s, first, first) > 0))
    first++;
  while (last > first && !(value_at(s, last - 1, last - 1) > 0))
    last--;
  double whole = first < last ? value_at(s, first, last - 1) : 0;
  if (!(whole > LEAST_RANGE)) {
    s->left = s->right = NULL;
    return;
  }
  for (size_t a = first; a < last; a++) {
    s->left[a] = value_at(s, a, last - 1) / whole;
    s->right[a] = value_at(s, first, a);
  }
}

static void set_products(ent_section_axis *s) {
  double carried = 0, inside = 0;
  for (size_t a = 0; a < s->present; a++) {
    double here = value_at(s, a, a), last = a > 0 ? value_at(s, a - 1, a - 1) : 0;
    double factor = last > 0 ? value_at(s, a - 1, a) / last : 0;
    carried = carried * factor * factor + s->shares[a] * here * here;
    s->behind[a] = inside;
    inside += s->shares[a] * here;
    s->before[a] = here > 0 ? carried / here - inside : 0;
  }
  carried = 0;
  for (size_t a = s->present; a > 0; a--) {
    double here = value_at(s, a - 1, a - 1), next = a < s->present ? value_at(s, a, a) : 0;
    double factor = next > 0 ? value_at(s, a - 1, a) / next : 0;
    carried = carried * factor * factor + s->shares[a - 1] * here * here;
    s->behind[a - 1] += here > 0 ? carried / here : 0;
  }
  set_factors(s);
}

static void set_kinks(ent_section_axis *s) {
  double square[MOST_RANK][MOST_RANK] = {{0}}, functions[MOST_RANK], half = s->axis->options.omega / 2;
  double *weights = s->left; /* products have the room */
  for (size_t a = 0; a < s->present; a++) {
    double u = s->nodes[a] - 0.5, *sums = s->sums + 3 * a;
    set_functions(s, s->nodes[a], functions);
    for (size_t r = 0; r < s->rank; r++)
      for (size_t q = 0; q < s->rank; q++)
        square[r][q] += s->shares[a] * functions[r] * functions[q];
    sums[0] = s->shares[a];
    sums[1] = s->shares[a] * u;
    sums[2] = s->shares[a] * u * u;
    for (size_t i = 0; i < 3 && a > 0; i++)
      sums[i] += sums[i - 3];
    set_own(s, a, s->own + a * s->rank);
  }
  for (size_t r = 0; r < s->rank; r++) {
    for (size_t a = 0; a < s->present; a++) {
      set_functions(s, s->nodes[a], functions);
      weights[a] = s->shares[a] * functions[r];
    }
    sum_kinks(s, weights, s->kinks + r, s->rank);
  }
  for (size_t a = 0; a < s->present; a++)
    for (size_t r = 0; r < s->rank; r++) {
      s->kinks[a * s->rank + r] *= half;
      s->of[a * s->rank + r] = dot(square[r], s->own + a * s->rank, s->rank) - s->kinks[a * s->rank + r];
    }
}

static void products_of_products(const ent_section_axis *s, size_t a, double *products) {
  for (size_t b = 0; b < s->present; b++) {
    size_t low = a < b ? a : b, high = a < b ? b : a;
    double value = s->left != NULL ? s->left[low] * s->right[high] : value_at(s, low, high);
    products[b] = value * (s->before[low] + s->behind[high]);
  }
}

/* With v the functions beside the kink, o their factors in a section and h half of omega:
 * E (o_a v - h|x-a|)(o_b v - h|x-b|) = o_b (E[v v'] o_a - h E[v |x-a|]) - h o_a E[v |x-b|] + h^2 E[|x-a| |x-b|]. */
static void products_of_kinks(const ent_section_axis *s, size_t a, double *products) {
  double half = s->axis->options.omega / 2, u = s->nodes[a] - 0.5;
  const double *own = s->own + a * s->rank, *of = s->of + a * s->rank, *all = s->sums + 3 * (s->present - 1);
  for (size_t b = 0; b < s->present; b++) {
    double w = s->nodes[b] - 0.5;
    const double *low = s->sums + 3 * (a < b ? a : b), *high = s->sums + 3 * (a < b ? b : a);
    double between = high[2] - low[2] - (u + w) * (high[1] - low[1]) + u * w * (high[0] - low[0]);
    double kinks = all[2] - (u + w) * all[1] + u * w * all[0] - 2 * between;
    products[b] =
        dot(s->own + b * s->rank, of, s->rank) - dot(own, s->kinks + b * s->rank, s->rank) + half * half * kinks;
  }
}

static void products_of_cells(const ent_section_axis *s, size_t a, double *products) {
  double omega = s->axis->options.omega / 4, all = 0, of_a = is_none(s, a) ? 0 : omega * s->shares[a];
  for (size_t b = 0; b < s->present; b++)
    all += s->shares[b];
  for (size_t b = 0; b < s->present; b++)
    products[b] = all + of_a + (is_none(s, b) ? 0 : omega * s->shares[b]) + (a == b ? omega * of_a : 0);
}

void ent_section_axis_products(const ent_section_axis *s, size_t a, double *products) {
  double missing = s->missing ? s->shares[s->present] : 0, omega = s->axis->options.omega;
  if (a == s->present) { /* the section is 1 but where the input is missing */
    for (size_t b = 0; b < s->present; b++)
      products[b] = s->means[b] + missing * omega;
    products[a] = s->means[a] + missing * (1 + omega) * omega;
    return;
  }
  if (s->form == ENT_SECTION_PRODUCT)
    products_of_products(s, a, products);
  else if (s->form == ENT_SECTION_KINK)
    products_of_kinks(s, a, products);
  else
    products_of_cells(s, a, products);
  for (size_t b = 0; b < s->present && s->missing; b++)
    products[b] += missing;
  if (s->missing)
    products[s->present] = s->means[a] + missing * omega;
}

/* ---- Creation ---- */

static size_t rank_of(const ent_axis *axis) {
  size_t rank = 2;
  for (size_t l = 0; l < axis->level_count; l++)
    rank += axis->levels[l].info.kind == ENTROPIC_LEVEL_KIND_LEGENDRE;
  return rank;
}

entropic_status ent_section_axis_create(entropic_context *context, const ent_axis *axis, const double *nodes,
                                        const double *shares, size_t count, ent_section_axis *made) {
  bool interior = axis->options.basis == ENTROPIC_BASIS_INTERIOR;
  *made = (ent_section_axis){.axis = axis, .form = interior ? ENT_SECTION_PRODUCT : axis->family->form, .count = count};
  made->missing = count > 0 && isnan(nodes[count - 1]);
  made->present = count - made->missing;
  made->rank = made->form == ENT_SECTION_KINK ? rank_of(axis) : 0;
  made->room = ent_new_matrix(context, count, 3 + 4 + 3 * made->rank + 3, sizeof *made->room);
  if (made->room == NULL)
    return ENTROPIC_NO_MEMORY;
  double *at = made->room, **const single[] = {&made->nodes, &made->shares, &made->means, &made->left,
                                               &made->right, &made->before, &made->behind};
  for (size_t i = 0; i < sizeof single / sizeof *single; i++, at += count)
    *single[i] = at;
  made->own = at;
  made->of = made->own + count * made->rank;
  made->kinks = made->of + count * made->rank;
  made->sums = made->kinks + count * made->rank;
  memcpy(made->nodes, nodes, count * sizeof *nodes);
  memcpy(made->shares, shares, count * sizeof *shares);
  ent_section_axis_sums(made, made->shares, made->means);
  if (made->form == ENT_SECTION_PRODUCT)
    set_products(made);
  else if (made->form == ENT_SECTION_KINK)
    set_kinks(made);
  return ENTROPIC_OK;
}
