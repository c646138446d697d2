/* Theorem 1 and its corollary: the claims about atoms of one input. */
#include <stdio.h>

#include "claims/claims_atoms.h"

#define GRID 2048  /* cells of the grid that supports are looked at on */
#define SUPPORTS 8 /* levels of hats there */
#define PAIRED 6   /* levels of hats whose pairs are all tried */
#define EXACT 11   /* points of expansions are multiples of 2^-EXACT: hats of deeper levels are 0 there */
#define PAIRS 300

/* ---- Supports ---------------------------------------------------------------------------------------------- */

static void draw_atoms(const ent_claim_axis *atoms, ent_finding *finding) {
  for (int l = 1; l <= 3; l++) {
    char name[64];
    snprintf(name, sizeof name, "level %d", l);
    ent_claim_series *series = ent_finding_series(finding, name);
    series->curve = true;
    for (int i = 0; i <= 256; i++) {
      uint64_t atom = 0;
      double x = i / 256.0, value = ent_hats_at(atoms, l, x, &atom);
      ent_series_put(series, x, value);
    }
  }
}

/* How far from its node an atom is not 0, in units of 2^-l; infinite where it is 0 nearer than that. */
static void measure_support(const ent_claim_axis *atoms, ent_finding *finding) {
  for (int l = 1; l <= SUPPORTS; l++)
    for (int j = 0; j <= GRID; j++) {
      uint64_t i = 0;
      double x = (double)j / GRID, value = ent_hats_at(atoms, l, x, &i);
      double distance = ldexp(fabs(x - ent_hat_node(l, i)), l);
      if (value != 0)
        finding->value = ent_worse(finding->value, isnan(value) ? NAN : distance);
      else if (distance < 1)
        finding->value = INFINITY;
    }
  if (ent_claim_axis_is(atoms, ENTROPIC_FAMILY_LAPLACE, 8))
    draw_atoms(atoms, finding);
}

entropic_status ent_claim_support(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Atoms of the laplace kernel, omega 8";
  finding->x_title = "x";
  finding->y_title = "atom of norm 1";
  return ent_claim_visit_cases(context, subject, SUPPORTS, measure_support, finding);
}

/* Supports as lines, a height for each level, neighbours a little apart. */
static void draw_supports(const ent_claim_axis *atoms, ent_finding *finding) {
  for (int l = 1; l <= 4; l++) {
    char name[64];
    snprintf(name, sizeof name, "level %d", l);
    ent_claim_series *series = ent_finding_series(finding, name);
    series->curve = true;
    for (int j = 0; j <= 128; j++) {
      uint64_t i = 0;
      double value = ent_hats_at(atoms, l, j / 128.0, &i);
      ent_series_put(series, j / 128.0, value != 0 ? l + 0.2 * (double)(i % 2) : NAN);
    }
  }
}

/* Points of the support of an atom that lie outside that of the next coarser level which the first of them lies in, as a
 * share of the grid. */
static void measure_nested(const ent_claim_axis *atoms, ent_finding *finding) {
  for (int l = 2; l <= SUPPORTS; l++) {
    uint64_t parents[1 << (SUPPORTS - 1)];
    bool seen[1 << (SUPPORTS - 1)] = {false};
    for (int j = 0; j <= GRID; j++) {
      uint64_t fine = 0, coarse = 0;
      double x = (double)j / GRID;
      if (ent_hats_at(atoms, l, x, &fine) == 0)
        continue;
      bool outside = fine >= UINT64_C(1) << (l - 1) || !(fabs(ent_hats_at(atoms, l - 1, x, &coarse)) > 0);
      if (!outside && !seen[fine]) {
        seen[fine] = true;
        parents[fine] = coarse;
      }
      if (outside || parents[fine] != coarse)
        finding->value += 1.0 / GRID;
    }
  }
  if (ent_claim_axis_is(atoms, ENTROPIC_FAMILY_LAPLACE, 8))
    draw_supports(atoms, finding);
}

entropic_status ent_claim_nested(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Supports of the first levels";
  finding->x_title = "x";
  finding->y_title = "level";
  return ent_claim_visit_cases(context, subject, SUPPORTS, measure_nested, finding);
}

/* ---- Inner products ---------------------------------------------------------------------------------------- */

#define PAIRED_ATOMS ((1 << PAIRED) - 1)

/* All atoms of the first levels as combinations of kernels: level l from 2^(l-1) - 1 on. */
static void combine_all(const ent_claim_axis *atoms, ent_combination *combinations) {
  for (int l = 1; l <= PAIRED; l++)
    for (uint64_t i = 0; i < UINT64_C(1) << (l - 1); i++)
      combinations[(UINT64_C(1) << (l - 1)) - 1 + i] = ent_hat_combination(atoms, l, i);
}

static void measure_combination(const ent_claim_axis *atoms, ent_finding *finding) {
  for (int l = 1; l <= PAIRED; l++)
    for (uint64_t i = 0; i < UINT64_C(1) << (l - 1); i++) {
      ent_combination f = ent_hat_combination(atoms, l, i);
      for (int j = 0; j <= 200; j++) {
        double x = j / 200.0;
        finding->value = ent_worse(finding->value, fabs(ent_combination_at(atoms, &f, x) - ent_hat_at(atoms, l, i, x)));
      }
    }
}

entropic_status ent_claim_combination(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  return ent_claim_visit_cases(context, subject, PAIRED, measure_combination, finding);
}

/* The largest inner product of atoms of two levels. It is taken twice: by values of the kernel alone, and by values of the
 * coarser atom at the points of the finer one. */
static double worst_of_levels(const ent_claim_axis *atoms, const ent_combination *combinations, int l, int m) {
  double worst = 0;
  size_t first = ((size_t)1 << (l - 1)) - 1, second = ((size_t)1 << (m - 1)) - 1;
  for (size_t i = 0; i <= first; i++)
    for (size_t j = l == m ? i + 1 : 0; j <= second; j++) {
      const ent_combination *coarse = &combinations[first + i], *fine = &combinations[second + j];
      worst = ent_worse(worst, fabs(ent_combination_inner(atoms, coarse, fine)));
      worst = ent_worse(worst, fabs(ent_combination_hat(atoms, fine, l, i)));
    }
  return worst;
}

static void measure_orthogonal(const ent_claim_axis *atoms, ent_finding *finding) {
  ent_combination combinations[PAIRED_ATOMS];
  combine_all(atoms, combinations);
  for (int l = 1; l <= PAIRED; l++)
    for (int m = l; m <= PAIRED; m++) {
      double worst = worst_of_levels(atoms, combinations, l, m);
      finding->value = ent_worse(finding->value, worst);
      if (m > l && l <= ENT_CLAIM_SERIES && ent_claim_axis_is(atoms, ENTROPIC_FAMILY_LAPLACE, 1)) {
        char name[64];
        snprintf(name, sizeof name, "with level %d", l);
        ent_series_put(ent_finding_series(finding, name), m, worst);
      }
    }
}

entropic_status ent_claim_orthogonal(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Largest inner product of two atoms (laplace, omega 1): rounding errors";
  finding->x_title = "level";
  finding->y_title = "inner product";
  finding->y_logarithmic = true;
  return ent_claim_visit_cases(context, subject, PAIRED, measure_orthogonal, finding);
}

entropic_status ent_claim_pair_orthogonal(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  return ent_claim_visit_pairs(context, subject, PAIRED, measure_orthogonal, finding);
}

/* The inverse of the Gram matrix of three kernels has 1/C in its middle; <f,f> must be 1. */
static void measure_norms(const ent_claim_axis *atoms, ent_finding *finding) {
  for (int l = 1; l <= PAIRED; l++)
    for (uint64_t i = 0; i < UINT64_C(1) << (l - 1); i++) {
      double node = ent_hat_node(l, i), half = ldexp(1, -l);
      const double points[3] = {node - half, node, node + half}, unit[3] = {0, 1, 0};
      ent_combination f = ent_hat_combination(atoms, l, i), phi = ent_combine(atoms, points, unit, 3);
      double printed = ent_combination_inner(atoms, &phi, &phi), constant = ent_hat_constant(atoms, l, i);
      finding->value = ent_worse(finding->value, fabs(ent_combination_inner(atoms, &f, &f) - 1));
      finding->value = ent_worse(finding->value, fabs(printed * constant - 1));
    }
  for (int l = 1; l <= PAIRED && ent_claim_axis_is(atoms, ENTROPIC_FAMILY_LAPLACE, 1); l++)
    ent_series_put(ent_finding_series(finding, "laplace, omega 1"), l, 1 / ent_hat_constant(atoms, l, 0));
  for (int l = 1; l <= PAIRED && ent_claim_axis_is(atoms, ENTROPIC_FAMILY_LAPLACE, 8); l++)
    ent_series_put(ent_finding_series(finding, "laplace, omega 8"), l, 1 / ent_hat_constant(atoms, l, 0));
  for (int l = 1; l <= PAIRED && ent_claim_axis_is(atoms, ENTROPIC_FAMILY_BRIDGE, 1); l++)
    ent_series_put(ent_finding_series(finding, "bridge"), l, 1 / ent_hat_constant(atoms, l, 0));
}

entropic_status ent_claim_norms(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Squared norms of atoms of height 1";
  finding->x_title = "level";
  finding->y_title = "1/C";
  finding->y_logarithmic = true;
  return ent_claim_visit_cases(context, subject, PAIRED, measure_norms, finding);
}

static void measure_boundary(const ent_claim_axis *atoms, ent_finding *finding) {
  ent_combination combinations[PAIRED_ATOMS], boundary[2];
  combine_all(atoms, combinations);
  for (size_t j = 0; j < atoms->boundaries; j++)
    boundary[j] = ent_boundary_combination(atoms, j);
  for (size_t j = 0; j < atoms->boundaries; j++) {
    for (size_t i = 0; i < PAIRED_ATOMS; i++) {
      finding->value = ent_worse(finding->value, fabs(ent_combination_inner(atoms, &boundary[j], &combinations[i])));
      finding->value = ent_worse(finding->value, fabs(ent_combination_boundary(atoms, &combinations[i], j)));
    }
    for (size_t i = 0; i <= j; i++)
      finding->value =
          ent_worse(finding->value, fabs(ent_combination_inner(atoms, &boundary[i], &boundary[j]) - (i == j ? 1 : 0)));
    for (int i = 1; i < 64; i++)
      finding->value = ent_worse(finding->value, fabs(ent_combination_at(atoms, &boundary[j], i / 64.0) -
                                                      ent_boundary_at(atoms, j, i / 64.0)));
  }
  for (size_t j = 0; j < atoms->boundaries && ent_claim_axis_is(atoms, ENTROPIC_FAMILY_LAPLACE, 8); j++) {
    ent_claim_series *series = ent_finding_series(finding, j == 0 ? "even" : "odd");
    series->curve = true;
    for (int i = 0; i <= 256; i++)
      ent_series_put(series, i / 256.0, ent_boundary_at(atoms, j, i / 256.0));
  }
}

entropic_status ent_claim_boundary(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Boundary atoms of the laplace kernel, omega 8";
  finding->x_title = "x";
  finding->y_title = "atom of norm 1";
  return ent_claim_visit_cases(context, subject, PAIRED, measure_boundary, finding);
}

/* ---- Expansions -------------------------------------------------------------------------------------------- */

/* A pair of points with finitely many non-zero atoms; among them both ends, and equal points. */
static void pair_at(int number, double *x, double *y) {
  entropic_random random = entropic_random_start(4195, (uint64_t)number);
  *x = ldexp(floor(ldexp(entropic_random_uniform(&random), EXACT)), -EXACT);
  *y = ldexp(floor(ldexp(entropic_random_uniform(&random), EXACT)), -EXACT);
  if (number % 10 == 0)
    *x = number % 20 == 0;
  if (number % 7 == 0)
    *y = *x;
}

/* The largest error of the expansion up to level l, in units of the larger of 1 and k. */
static double expansion_error(const ent_claim_axis *atoms, int l) {
  double worst = 0, x, y;
  for (int i = 0; i < PAIRS; i++) {
    pair_at(i, &x, &y);
    double k = ent_claim_axis_kernel(atoms, x, y);
    worst = ent_worse(worst, fabs(ent_claim_axis_sum(atoms, l, x, y) - k) / fmax(1, fabs(k)));
  }
  return worst;
}

static void draw_expansion(const ent_claim_axis *atoms, const char *name, ent_finding *finding) {
  for (int l = 1; l <= EXACT; l++)
    ent_series_put(ent_finding_series(finding, name), l, expansion_error(atoms, l));
}

static void measure_expansion(const ent_claim_axis *atoms, ent_finding *finding) {
  finding->value = ent_worse(finding->value, expansion_error(atoms, EXACT));
  if (ent_claim_axis_is(atoms, ENTROPIC_FAMILY_LAPLACE, 1)) {
    ent_claim_axis hats = *atoms;
    hats.boundaries = 0;
    draw_expansion(&hats, "laplace, hats alone, as printed", finding);
    draw_expansion(atoms, "laplace, with boundary atoms", finding);
  }
  if (ent_claim_axis_is(atoms, ENTROPIC_FAMILY_SOBOLEV, 1))
    draw_expansion(atoms, "sobolev, with boundary atoms", finding);
}

static void label_expansion(ent_finding *finding) {
  finding->title = "Error of the expansion by the number of levels";
  finding->x_title = "levels of hats";
  finding->y_title = "largest error at multiples of 2^-11";
  finding->y_logarithmic = true;
}

entropic_status ent_claim_expansion(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  label_expansion(finding);
  return ent_claim_visit_cases(context, subject, EXACT, measure_expansion, finding);
}

entropic_status ent_claim_pair_expansion(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  return ent_claim_visit_pairs(context, subject, EXACT, measure_expansion, finding);
}

/* What hats alone lack of k(x,x), which is 1 for laplace: the least over x. The kernel is that of the full basis. */
static void measure_without(const ent_claim_axis *atoms, ent_finding *finding) {
  ent_claim_series *series = ent_finding_series(finding, "missing of k(x,x) = 1");
  series->curve = true;
  finding->value = INFINITY;
  for (int i = 0; i <= 256; i++) {
    double x = i / 256.0, hats = 0;
    for (int l = 1; l <= EXACT; l++) {
      uint64_t atom = 0;
      double value = ent_hats_at(atoms, l, x, &atom);
      hats += value * value;
    }
    double missing = ent_claim_axis_kernel(atoms, x, x) - hats;
    ent_series_put(series, x, missing);
    finding->value = -ent_worse(-finding->value, -missing);
  }
}

entropic_status ent_claim_without(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  const entropic_axis_options options = ent_claim_axis_options(ENTROPIC_FAMILY_LAPLACE, 1, ENTROPIC_BASIS_FULL, EXACT);
  finding->title = "What hats alone lack of the laplace kernel, omega 1";
  finding->x_title = "x";
  finding->y_title = "k(x,x) minus the sum over hats";
  return ent_claim_visit_axis(context, subject, &options, measure_without, finding);
}

static void measure_bridge(const ent_claim_axis *atoms, ent_finding *finding) {
  finding->value = atoms->boundaries == 0 ? expansion_error(atoms, EXACT) : NAN;
  draw_expansion(atoms, "bridge, hats alone", finding);
}

entropic_status ent_claim_bridge(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  const entropic_axis_options options = ent_claim_axis_options(ENTROPIC_FAMILY_BRIDGE, 1, ENTROPIC_BASIS_FULL, EXACT);
  label_expansion(finding);
  return ent_claim_visit_axis(context, subject, &options, measure_bridge, finding);
}
