/* One input as a subject has it: see claims_atoms.h. */
#include "claims/claims_atoms.h"

#include "base/progress.h"

const ent_axis_case ent_axis_cases[ENT_AXIS_CASES] = {
    {ENTROPIC_FAMILY_CENTRED, 0.3},  {ENTROPIC_FAMILY_CENTRED, 1},  {ENTROPIC_FAMILY_CENTRED, 8},
    {ENTROPIC_FAMILY_SOBOLEV, 0.3},  {ENTROPIC_FAMILY_SOBOLEV, 1},  {ENTROPIC_FAMILY_SOBOLEV, 8},
    {ENTROPIC_FAMILY_LAPLACE, 0.3},  {ENTROPIC_FAMILY_LAPLACE, 1},  {ENTROPIC_FAMILY_LAPLACE, 8},
    {ENTROPIC_FAMILY_COSH, 0.3},     {ENTROPIC_FAMILY_COSH, 1},     {ENTROPIC_FAMILY_COSH, 8},
    {ENTROPIC_FAMILY_NEUMANN, 0.3},  {ENTROPIC_FAMILY_NEUMANN, 1},  {ENTROPIC_FAMILY_NEUMANN, 8},
    {ENTROPIC_FAMILY_BROWNIAN, 0.3}, {ENTROPIC_FAMILY_BROWNIAN, 1}, {ENTROPIC_FAMILY_BROWNIAN, 8},
    {ENTROPIC_FAMILY_BRIDGE, 1}};

entropic_axis_options ent_claim_axis_options(entropic_family family, double omega, entropic_basis basis, int depth) {
  entropic_axis_options options = ent_axis_options_default();
  options.family = family;
  options.omega = omega;
  options.basis = basis;
  options.max_level = depth;
  return options;
}

entropic_status ent_claim_axis_of(entropic_context *context, const ent_subject *subject, const entropic_kernel *kernel,
                                  size_t input, ent_claim_axis *atoms) {
  *atoms = (ent_claim_axis){.context = context, .subject = subject, .borrowed = true, .input = input};
  atoms->kernel = (entropic_kernel *)kernel;
  for (size_t level = 0; level < entropic_kernel_levels(kernel, input); level++) {
    entropic_level info;
    entropic_status status = subject->level(context, kernel, input, level, &info);
    if (status != ENTROPIC_OK)
      return status;
    if (info.kind == ENTROPIC_LEVEL_KIND_HAT) {
      atoms->hats[info.order] = level;
      atoms->depth = info.order;
    } else if (atoms->boundaries < 2)
      atoms->boundary[atoms->boundaries++] = level;
  }
  return ENTROPIC_OK;
}

entropic_status ent_claim_axis_open(entropic_context *context, const ent_subject *subject,
                                    const entropic_axis_options *options, ent_claim_axis *atoms) {
  entropic_kernel *kernel = NULL;
  *atoms = (ent_claim_axis){0};
  entropic_status status = ent_kernel_create(context, options, 1, 1, &kernel);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_claim_axis_of(context, subject, kernel, 0, atoms);
  atoms->borrowed = false;
  return status;
}

void ent_claim_axis_close(ent_claim_axis *atoms) {
  if (!atoms->borrowed)
    entropic_kernel_free(atoms->kernel);
}

double ent_claim_axis_kernel(const ent_claim_axis *atoms, double x, double y) {
  return atoms->subject->kernel(atoms->kernel, atoms->input, x, y);
}

double ent_hats_at(const ent_claim_axis *atoms, int l, double x, uint64_t *i) {
  double value;
  entropic_status status =
      atoms->subject->atom(atoms->context, atoms->kernel, atoms->input, atoms->hats[l], x, i, &value);
  return status == ENTROPIC_OK ? value : NAN;
}

double ent_hat_at(const ent_claim_axis *atoms, int l, uint64_t i, double x) {
  uint64_t at = 0;
  double value = ent_hats_at(atoms, l, x, &at);
  return at == i || isnan(value) ? value : 0;
}

double ent_boundary_at(const ent_claim_axis *atoms, size_t j, double x) {
  uint64_t atom;
  double value;
  entropic_status status =
      atoms->subject->atom(atoms->context, atoms->kernel, atoms->input, atoms->boundary[j], x, &atom, &value);
  return status == ENTROPIC_OK ? value : NAN;
}

double ent_hat_node(int l, uint64_t i) {
  return ldexp((double)(2 * i + 1), -l);
}

double ent_hat_constant(const ent_claim_axis *atoms, int l, uint64_t i) {
  double height = ent_hat_at(atoms, l, i, ent_hat_node(l, i));
  return height * height;
}

double ent_claim_axis_sum(const ent_claim_axis *atoms, int l, double x, double y) {
  double sum = 0;
  for (size_t j = 0; j < atoms->boundaries; j++)
    sum += ent_boundary_at(atoms, j, x) * ent_boundary_at(atoms, j, y);
  for (int level = 1; level <= l; level++) {
    uint64_t i = 0;
    double value = ent_hats_at(atoms, level, x, &i);
    sum += value * ent_hat_at(atoms, level, i, y);
  }
  return sum;
}

/* ---- Combinations of kernels ------------------------------------------------------------------------------- */

/* Gaussian elimination of a symmetric positive definite matrix. */
static void eliminate(double matrix[3][3], double *right, size_t count) {
  for (size_t k = 0; k < count; k++)
    for (size_t i = k + 1; i < count; i++) {
      double factor = matrix[i][k] / matrix[k][k];
      for (size_t j = k; j < count; j++)
        matrix[i][j] -= factor * matrix[k][j];
      right[i] -= factor * right[k];
    }
  for (size_t k = count; k-- > 0;) {
    for (size_t j = k + 1; j < count; j++)
      right[k] -= matrix[k][j] * right[j];
    right[k] /= matrix[k][k];
  }
}

ent_combination ent_combine(const ent_claim_axis *atoms, const double *points, const double *values, size_t count) {
  ent_combination made = {0};
  double matrix[3][3];
  for (size_t i = 0; i < count; i++)
    if (ent_claim_axis_kernel(atoms, points[i], points[i]) != 0) {
      made.points[made.count] = points[i];
      made.weights[made.count++] = values[i];
    }
  for (size_t i = 0; i < made.count; i++)
    for (size_t j = 0; j < made.count; j++)
      matrix[i][j] = ent_claim_axis_kernel(atoms, made.points[i], made.points[j]);
  eliminate(matrix, made.weights, made.count);
  return made;
}

ent_combination ent_hat_combination(const ent_claim_axis *atoms, int l, uint64_t i) {
  double node = ent_hat_node(l, i), half = ldexp(1, -l);
  const double points[3] = {node - half, node, node + half};
  double values[3];
  for (size_t k = 0; k < 3; k++)
    values[k] = ent_hat_at(atoms, l, i, points[k]);
  return ent_combine(atoms, points, values, 3);
}

ent_combination ent_boundary_combination(const ent_claim_axis *atoms, size_t j) {
  const double points[2] = {0, 1};
  const double values[2] = {ent_boundary_at(atoms, j, 0), ent_boundary_at(atoms, j, 1)};
  return ent_combine(atoms, points, values, 2);
}

double ent_combination_at(const ent_claim_axis *atoms, const ent_combination *f, double x) {
  double sum = 0;
  for (size_t i = 0; i < f->count; i++)
    sum += f->weights[i] * ent_claim_axis_kernel(atoms, f->points[i], x);
  return sum;
}

double ent_combination_inner(const ent_claim_axis *atoms, const ent_combination *f, const ent_combination *g) {
  double sum = 0;
  for (size_t j = 0; j < g->count; j++)
    sum += g->weights[j] * ent_combination_at(atoms, f, g->points[j]);
  return sum;
}

double ent_combination_hat(const ent_claim_axis *atoms, const ent_combination *f, int l, uint64_t i) {
  double sum = 0;
  for (size_t j = 0; j < f->count; j++)
    sum += f->weights[j] * ent_hat_at(atoms, l, i, f->points[j]);
  return sum;
}

double ent_combination_boundary(const ent_claim_axis *atoms, const ent_combination *f, size_t j) {
  double sum = 0;
  for (size_t i = 0; i < f->count; i++)
    sum += f->weights[i] * ent_boundary_at(atoms, j, f->points[i]);
  return sum;
}

/* ---- Kernels in turn --------------------------------------------------------------------------------------- */

entropic_status ent_claim_visit_axis(entropic_context *context, const ent_subject *subject,
                                     const entropic_axis_options *options, ent_axis_visit visit, ent_finding *finding) {
  ent_claim_axis atoms;
  entropic_status status = ent_poll(context);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_claim_axis_open(context, subject, options, &atoms);
  if (status != ENTROPIC_OK)
    goto done;
  visit(&atoms, finding);
done:
  ent_claim_axis_close(&atoms);
  return status;
}

entropic_status ent_claim_visit_cases(entropic_context *context, const ent_subject *subject, int depth,
                                      ent_axis_visit visit, ent_finding *finding) {
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; status == ENTROPIC_OK && i < ENT_AXIS_CASES; i++) {
    entropic_axis_options options =
        ent_claim_axis_options(ent_axis_cases[i].family, ent_axis_cases[i].omega, ENTROPIC_BASIS_FULL, depth);
    status = ent_claim_visit_axis(context, subject, &options, visit, finding);
  }
  return status;
}

entropic_status ent_claim_visit_pairs(entropic_context *context, const ent_subject *subject, int depth,
                                      ent_axis_visit visit, ent_finding *finding) {
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; status == ENTROPIC_OK && i < ENT_PAIRS; i++) {
    entropic_axis_options options = ent_pair_options(i, depth);
    status = ent_claim_visit_axis(context, subject, &options, visit, finding);
  }
  return status;
}

bool ent_claim_axis_is(const ent_claim_axis *atoms, entropic_family family, double omega) {
  entropic_axis_options options = ent_kernel_axis(atoms->kernel, atoms->input);
  return options.family == family && options.omega == omega;
}

/* ---- Custom pairs ------------------------------------------------------------------------------------------ */

/* Two solutions of y'' = t y, by their power series, in t = 2x: 1 + t^3/6 + ..., t + t^4/12 + ... */
static void airy_series(double x, double *even, double *odd) {
  double t = 2 * x, a = 1, b = t;
  *even = a;
  *odd = b;
  for (int k = 3; k < 60; k += 3) {
    a *= t * t * t / (k * (k - 1));
    b *= t * t * t / (k * (k + 1));
    *even += a;
    *odd += b;
  }
}

static double airy_p(double x, void *user) {
  (void)user;
  double even, odd;
  airy_series(x, &even, &odd);
  return even + odd;
}

/* Airy's Ai, which decreases. */
static double airy_q(double x, void *user) {
  (void)user;
  double even, odd;
  airy_series(x, &even, &odd);
  return 0.3550280538878172 * even - 0.2588194037928068 * odd;
}

/* Solutions of (1+x)^2 y'' + (1+x) y'/2 - 3 y = 0: the exponents solve r(r-1) + r/2 = 3. */
static double euler_p(double x, void *user) {
  (void)user;
  return (1 + x) * (1 + x);
}

static double euler_q(double x, void *user) {
  (void)user;
  return 1 / ((1 + x) * sqrt(1 + x));
}

entropic_axis_options ent_pair_options(size_t pair, int depth) {
  entropic_axis_options options = ent_claim_axis_options(ENTROPIC_FAMILY_CUSTOM, 1, ENTROPIC_BASIS_FULL, depth);
  options.p = pair == 0 ? airy_p : euler_p;
  options.q = pair == 0 ? airy_q : euler_q;
  return options;
}
