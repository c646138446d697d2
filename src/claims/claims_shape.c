/* The claims about the shape of atoms: supports that are unions of finer ones, heights, and how near they are to linear
 * hats. */
#include <stdio.h>

#include "base/progress.h"
#include "claims/claims_atoms.h"

#define GRID 1024 /* cells of the grid that supports are looked at on */
#define PARENTS 7 /* levels whose supports are made of two of the next level */
#define LEVELS 12
#define DEEPEST ENTROPIC_MAX_LEVEL

/* ---- Unions ------------------------------------------------------------------------------------------------ */

/* Atoms of a level, and those of the next one that are found inside their supports. */
typedef struct ent_support_pair {
  size_t inside[1 << PARENTS];            /* points of the grid inside each support */
  size_t children[1 << PARENTS];          /* how many finer supports begin in it */
  uint64_t parent_of[1 << (PARENTS + 1)]; /* where a finer support begins */
  bool has_begun[1 << (PARENTS + 1)];
} ent_support_pair;

/* Whether a point is inside one of the supports of level l and inside none of level l + 1 that began in it, or the other
 * way round. The node is where two finer supports meet: there both atoms are 0. */
static bool differs_at(const ent_claim_axis *atoms, int l, double x, ent_support_pair *pair) {
  uint64_t parent = 0, child = 0;
  bool inside = fabs(ent_hats_at(atoms, l, x, &parent)) > 0, in_child = fabs(ent_hats_at(atoms, l + 1, x, &child)) > 0;
  bool known = parent < UINT64_C(1) << (l - 1) && child < UINT64_C(1) << l;
  if (!known)
    return true;
  pair->inside[parent] += inside;
  if (inside && in_child && !pair->has_begun[child]) {
    pair->has_begun[child] = true;
    pair->parent_of[child] = parent;
    pair->children[parent]++;
  }
  bool in_union = in_child && pair->has_begun[child] && pair->parent_of[child] == parent;
  bool is_node = x == ent_hat_node(l, parent);
  return is_node ? !inside || in_child : inside != in_union || in_child != in_union;
}

/* Supports of a level as lines, neighbours a little apart. */
static void draw_supports(const ent_claim_axis *atoms, int l, ent_finding *finding) {
  char name[64];
  snprintf(name, sizeof name, "level %d", l);
  ent_claim_series *series = ent_finding_series(finding, name);
  series->curve = true;
  for (int j = 0; j <= 256; j++) {
    uint64_t i = 0;
    bool inside = fabs(ent_hats_at(atoms, l, j / 256.0, &i)) > 0;
    ent_series_put(series, j / 256.0, inside ? l + 0.2 * (double)(i % 2) : NAN);
  }
}

/* The share of points that differ; all points of a support that has not two finer ones inside differ. */
static void measure_union(const ent_claim_axis *atoms, ent_finding *finding) {
  size_t different = 0;
  for (int l = 1; l <= PARENTS; l++) {
    ent_support_pair pair = {0};
    for (int j = 0; j <= GRID; j++)
      different += differs_at(atoms, l, (double)j / GRID, &pair);
    for (size_t i = 0; i < (size_t)1 << (l - 1); i++)
      different += pair.children[i] == 2 ? 0 : pair.inside[i] + 1;
  }
  finding->value = ent_worse(finding->value, (double)different / (PARENTS * (GRID + 1)));
  for (int l = 1; l <= 3 && ent_claim_axis_is(atoms, ENTROPIC_FAMILY_LAPLACE, 8); l++)
    draw_supports(atoms, l, finding);
}

entropic_status ent_claim_union(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Each support is two of the next level, which meet at its node";
  finding->x_title = "x";
  finding->y_title = "level";
  return ent_claim_visit_cases(context, subject, PARENTS + 1, measure_union, finding);
}

/* ---- Norms ------------------------------------------------------------------------------------------------- */

/* The least and the largest of what is seen. */
typedef struct ent_norm_range {
  double least, largest;
} ent_norm_range;

static void widen(ent_norm_range *range, double value) {
  range->least = -ent_worse(-range->least, -value);
  range->largest = ent_worse(range->largest, value);
}

/* 2^-l/C of atom i. */
static double scaled_norm(const ent_claim_axis *atoms, int l, uint64_t i) {
  return ldexp(1 / ent_hat_constant(atoms, l, i), -l);
}

/* The first and the last atom of each level with w 2^-l <= 1/2. */
static void measure_growth(const ent_claim_axis *atoms, ent_finding *finding) {
  ent_norm_range range = {INFINITY, 0};
  double omega = ent_kernel_axis(atoms->kernel, atoms->input).omega;
  for (int l = 1; l <= DEEPEST; l++)
    if (ldexp(omega, -l) <= 0.5) {
      widen(&range, scaled_norm(atoms, l, 0));
      widen(&range, scaled_norm(atoms, l, (UINT64_C(1) << (l - 1)) - 1));
    }
  finding->value = ent_worse(finding->value, range.largest / range.least);
  for (int l = 1; l <= LEVELS && ent_claim_axis_is(atoms, ENTROPIC_FAMILY_LAPLACE, 1); l++)
    ent_series_put(ent_finding_series(finding, "laplace, omega 1"), l, scaled_norm(atoms, l, 0));
  for (int l = 1; l <= LEVELS && ent_claim_axis_is(atoms, ENTROPIC_FAMILY_LAPLACE, 8); l++)
    ent_series_put(ent_finding_series(finding, "laplace, omega 8"), l, scaled_norm(atoms, l, 0));
  for (int l = 1; l <= LEVELS && ent_claim_axis_is(atoms, ENTROPIC_FAMILY_CENTRED, 1); l++)
    ent_series_put(ent_finding_series(finding, "centred, omega 1"), l, scaled_norm(atoms, l, 0));
}

#define INPUTS_MOST 3
#define GROUPS_MOST 64

/* Inputs whose levels all have w 2^-l <= 1/2. */
static const struct {
  size_t inputs;
  unsigned n;
  ent_axis_case axes[INPUTS_MOST];
} growth_cases[] = {
    {2, 7, {{ENTROPIC_FAMILY_LAPLACE, 1}, {ENTROPIC_FAMILY_COSH, 1}}},
    {2, 7, {{ENTROPIC_FAMILY_NEUMANN, 1}, {ENTROPIC_FAMILY_CENTRED, 0.3}}},
    {3, 5, {{ENTROPIC_FAMILY_LAPLACE, 1}, {ENTROPIC_FAMILY_BRIDGE, 1}, {ENTROPIC_FAMILY_BROWNIAN, 0.3}}},
};

/* The node of one product of each group, x[groups x inputs], and |l|. */
static entropic_status place_nodes(entropic_context *context, const entropic_design *design, size_t groups, double *x,
                                   int *sums) {
  size_t inputs = entropic_kernel_inputs(entropic_design_kernel(design));
  for (size_t g = 0; g < groups; g++) {
    entropic_random random = entropic_random_start(2002, g);
    entropic_group group;
    entropic_status status = ent_design_group(context, design, g, &group);
    if (status != ENTROPIC_OK)
      return status;
    sums[g] = 0;
    for (size_t d = 0, term = 0; d < inputs; d++) {
      entropic_level info = {0};
      bool active = term < group.terms_count && group.terms[term].input == d;
      size_t level = active ? group.terms[term++].level : entropic_design_base(design, d);
      status = ent_kernel_level(context, entropic_design_kernel(design), d, level, &info);
      if (status != ENTROPIC_OK)
        return status;
      sums[g] += info.order;
      x[g * inputs + d] = ent_hat_node(info.order, (uint64_t)(entropic_random_uniform(&random) * (double)info.atoms));
    }
  }
  return ENTROPIC_OK;
}

/* A product of norm 1 has the height sqrt(C) at its node: that of group g stands in row g. */
static entropic_status widen_by_lift(entropic_context *context, const ent_subject *subject,
                                     const entropic_design *design, ent_norm_range *range) {
  double x[GROUPS_MOST * INPUTS_MOST];
  int sums[GROUPS_MOST];
  size_t all = entropic_design_groups(design), groups = all < GROUPS_MOST ? all : GROUPS_MOST;
  entropic_csr *csr = NULL;
  entropic_status status = place_nodes(context, design, groups, x, sums);
  if (status != ENTROPIC_OK)
    return status;
  status = subject->lift(context, design, x, groups, &csr);
  for (size_t g = 0; status == ENTROPIC_OK && g < groups; g++) {
    entropic_group group;
    double height = 0;
    status = ent_design_group(context, design, g, &group);
    for (size_t i = csr->starts[g]; status == ENTROPIC_OK && i < csr->starts[g + 1]; i++)
      if ((size_t)csr->indices[i] - group.first_feature < group.features)
        height = csr->values[i];
    widen(range, ldexp(1 / (height * height), -sums[g]));
  }
  entropic_csr_free(csr);
  return status;
}

static entropic_status measure_products(entropic_context *context, const ent_subject *subject, size_t number,
                                        ent_finding *finding) {
  size_t inputs = growth_cases[number].inputs;
  entropic_axis_options axes[INPUTS_MOST];
  entropic_design_options options = ent_design_options_default();
  entropic_kernel *kernel = NULL;
  entropic_design *design = NULL;
  ent_norm_range range = {INFINITY, 0};
  uint64_t features = 0, nonzeros = 0;
  for (size_t d = 0; d < inputs; d++)
    axes[d] = ent_claim_axis_options(growth_cases[number].axes[d].family, growth_cases[number].axes[d].omega,
                                     ENTROPIC_BASIS_INTERIOR, LEVELS);
  entropic_status status = ent_paper_size(context, inputs, growth_cases[number].n, &features, &nonzeros);
  if (status != ENTROPIC_OK)
    return status;
  options.select = ENTROPIC_SELECT_PAPER;
  options.features = (size_t)features;
  status = ent_kernel_create(context, axes, inputs, inputs, &kernel);
  if (status != ENTROPIC_OK)
    return status;
  status = subject->design(context, kernel, &options, &design);
  if (status != ENTROPIC_OK)
    goto done;
  status = widen_by_lift(context, subject, design, &range);
  finding->value = ent_worse(finding->value, pow(range.largest / range.least, 1 / (double)inputs));
done:
  entropic_design_free(design);
  entropic_kernel_free(kernel);
  return status;
}

entropic_status ent_claim_growth(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Squared norms of atoms of height 1, divided by 2^l";
  finding->x_title = "level, l";
  finding->y_title = "2^-l / C";
  finding->y_logarithmic = true;
  entropic_status status = ent_claim_visit_cases(context, subject, DEEPEST, measure_growth, finding);
  for (size_t i = 0; status == ENTROPIC_OK && i < sizeof growth_cases / sizeof *growth_cases; i++)
    status = measure_products(context, subject, i, finding);
  return status;
}

/* ---- Hats -------------------------------------------------------------------------------------------------- */

#define POINTS 64 /* of an atom */

/* The largest difference of an atom of height 1 from the linear hat, over the first, middle and last atom of a level. */
static double bend(const ent_claim_axis *atoms, int l) {
  uint64_t last = (UINT64_C(1) << (l - 1)) - 1;
  const uint64_t numbers[] = {0, last / 2, last};
  double worst = 0, half = ldexp(1, -l);
  for (size_t k = 0; k < 3; k++) {
    double node = ent_hat_node(l, numbers[k]), height = ent_hat_at(atoms, l, numbers[k], node);
    for (int j = 0; j <= POINTS; j++) {
      double t = 2.0 * j / POINTS - 1;
      worst = ent_worse(worst, fabs(ent_hat_at(atoms, l, numbers[k], node + t * half) / height - (1 - fabs(t))));
    }
  }
  return worst;
}

static void measure_linear(const ent_claim_axis *atoms, ent_finding *finding) {
  bool is_custom = ent_kernel_axis(atoms->kernel, atoms->input).family == ENTROPIC_FAMILY_CUSTOM;
  const char *name = is_custom ? (finding->series_count < 2 ? "Airy" : "Euler") : "laplace, omega 8";
  bool drawn = is_custom || ent_claim_axis_is(atoms, ENTROPIC_FAMILY_LAPLACE, 8);
  ent_claim_series *series = drawn ? ent_finding_series(finding, name) : NULL;
  for (int l = 1; l <= LEVELS; l++) {
    double difference = bend(atoms, l);
    finding->value = ent_worse(finding->value, ldexp(difference, l));
    if (drawn)
      ent_series_put(series, l, difference);
  }
}

/* By how many powers of 2 the difference falls from one level to the next, at the last of those drawn. */
static void note_orders(ent_finding *finding) {
  char shown[3][ENT_SHOWN_NUMBER];
  for (size_t i = 0; i < 3; i++) {
    const double *y = finding->series[i].y;
    ent_show_fixed(log2(y[LEVELS - 3] / y[LEVELS - 1]) / 2, 2, shown[i]);
  }
  snprintf(finding->note, sizeof finding->note,
           "at level %d the difference falls as 2^-%sl for laplace, 2^-%sl for Airy, 2^-%sl for Euler", LEVELS,
           shown[0], shown[1], shown[2]);
}

entropic_status ent_claim_linear(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Largest difference of an atom of height 1 from the linear hat";
  finding->x_title = "level, l";
  finding->y_title = "difference";
  finding->y_logarithmic = true;
  entropic_status status = ent_claim_visit_cases(context, subject, LEVELS, measure_linear, finding);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_claim_visit_pairs(context, subject, LEVELS, measure_linear, finding);
  if (status == ENTROPIC_OK)
    note_orders(finding);
  return status;
}
