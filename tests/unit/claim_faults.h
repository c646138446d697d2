/* Subjects with a fault each, for the claims that must fail with them. */
#ifndef CLAIM_FAULTS_H
#define CLAIM_FAULTS_H

#include "unit/tests.h"

#include "claims/claims.h"

static entropic_level info_of(const entropic_kernel *kernel, size_t input, size_t level) {
  entropic_level info;
  assert_int_equal(ent_kernel_level(NULL, kernel, input, level, &info), ENTROPIC_OK);
  return info;
}

static inline bool is_hat(const entropic_kernel *kernel, size_t input, size_t level) {
  return info_of(kernel, input, level).kind == ENTROPIC_LEVEL_KIND_HAT;
}

#define ATOM_FAULT(name)                                                                                               \
  static entropic_status name(entropic_context *c, const entropic_kernel *kernel, size_t input, size_t level,          \
                              double x, uint64_t *atom, double *value)

/* A quarter of its width to the right. */
ATOM_FAULT(shifted) {
  entropic_level info = info_of(kernel, input, level);
  double moved = info.kind == ENTROPIC_LEVEL_KIND_HAT ? x - ldexp(0.25, -info.order) : x;
  return entropic_kernel_atom(c, kernel, input, level, moved, atom, value);
}

ATOM_FAULT(shifted_third) {
  entropic_level info = info_of(kernel, input, level);
  double moved = info.kind == ENTROPIC_LEVEL_KIND_HAT && info.order == 3 ? x - ldexp(0.25, -info.order) : x;
  return entropic_kernel_atom(c, kernel, input, level, moved, atom, value);
}

/* The right value at the node, and too large a one on the way to it. */
ATOM_FAULT(bent) {
  entropic_status status = entropic_kernel_atom(c, kernel, input, level, x, atom, value);
  double peak = sqrt(info_of(kernel, input, level).sup);
  if (is_hat(kernel, input, level))
    *value += 1e-6 * *value * (peak - *value);
  return status;
}

ATOM_FAULT(too_large) {
  entropic_status status = entropic_kernel_atom(c, kernel, input, level, x, atom, value);
  *value *= is_hat(kernel, input, level) ? 1 + 1e-6 : 1;
  return status;
}

ATOM_FAULT(bent_boundary) {
  entropic_status status = entropic_kernel_atom(c, kernel, input, level, x, atom, value);
  *value += is_hat(kernel, input, level) ? 0 : 1e-6 * x * (1 - x);
  return status;
}

ATOM_FAULT(no_boundary) {
  entropic_status status = entropic_kernel_atom(c, kernel, input, level, x, atom, value);
  *value *= is_hat(kernel, input, level) ? 1 : 0;
  return status;
}

ATOM_FAULT(no_third) {
  entropic_status status = entropic_kernel_atom(c, kernel, input, level, x, atom, value);
  *value *= info_of(kernel, input, level).order == 3 ? 0 : 1;
  return status;
}

/* The atoms of level 3 are zero on the outer quarter of their supports. */
ATOM_FAULT(narrow_third) {
  entropic_status status = entropic_kernel_atom(c, kernel, input, level, x, atom, value);
  entropic_level info = info_of(kernel, input, level);
  if (info.order == 3 && fabs(x - ldexp((double)(2 * *atom + 1), -3)) > 0.75 / 8)
    *value = 0;
  return status;
}

/* Not a hat but its square, on every level. */
ATOM_FAULT(squared) {
  entropic_status status = entropic_kernel_atom(c, kernel, input, level, x, atom, value);
  if (is_hat(kernel, input, level))
    *value *= *value / sqrt(info_of(kernel, input, level).sup);
  return status;
}

/* A hundredth larger from level 4 on. */
ATOM_FAULT(larger_below) {
  entropic_status status = entropic_kernel_atom(c, kernel, input, level, x, atom, value);
  *value *= info_of(kernel, input, level).order >= 4 ? 1.01 : 1;
  return status;
}

/* C instead of its root. */
ATOM_FAULT(whole_constant) {
  entropic_status status = entropic_kernel_atom(c, kernel, input, level, x, atom, value);
  *value *= is_hat(kernel, input, level) ? sqrt(info_of(kernel, input, level).sup) : 1;
  return status;
}

/* Hats with the root of another constant: as printed, as of a kernel without decay, and growing. */
static void change_constant(const entropic_kernel *kernel, size_t input, size_t level, double (*other)(double),
                            double *value) {
  entropic_level info = info_of(kernel, input, level);
  double argument = ldexp(ent_kernel_axis(kernel, input).omega, -info.order);
  if (info.kind == ENTROPIC_LEVEL_KIND_HAT)
    *value *= sqrt(other(argument) / tanh(argument));
}

static double linear(double argument) {
  return argument;
}

static double growing(double argument) {
  return 1 / argument;
}

ATOM_FAULT(sinh_constant) {
  entropic_status status = entropic_kernel_atom(c, kernel, input, level, x, atom, value);
  change_constant(kernel, input, level, sinh, value);
  return status;
}

ATOM_FAULT(linear_constant) {
  entropic_status status = entropic_kernel_atom(c, kernel, input, level, x, atom, value);
  change_constant(kernel, input, level, linear, value);
  return status;
}

ATOM_FAULT(growing_constant) {
  entropic_status status = entropic_kernel_atom(c, kernel, input, level, x, atom, value);
  change_constant(kernel, input, level, growing, value);
  return status;
}

ATOM_FAULT(atom_is_nan) {
  entropic_status status = entropic_kernel_atom(c, kernel, input, level, x, atom, value);
  *value = NAN;
  return status;
}

ATOM_FAULT(atom_fails) {
  (void)kernel, (void)input, (void)level, (void)x, (void)atom, (void)value;
  return ent_fail(c, ENTROPIC_BAD_ARGUMENT, "no such atom");
}

/* Not of the form p(min) q(max). */
static double other_kernel(const entropic_kernel *kernel, size_t input, double x, double y) {
  return ent_kernel_axis_value(kernel, input, x, y) * (1 + 1e-6 * (x - y) * (x - y));
}

static double kernel_is_nan(const entropic_kernel *kernel, size_t input, double x, double y) {
  (void)kernel, (void)input, (void)x, (void)y;
  return NAN;
}

/* The sum over hats alone. */
static double kernel_of_hats(const entropic_kernel *kernel, size_t input, double x, double y) {
  double sum = 0;
  for (size_t level = 0; level < entropic_kernel_levels(kernel, input); level++)
    if (is_hat(kernel, input, level)) {
      uint64_t atoms[2];
      double values[2];
      entropic_kernel_atom(NULL, kernel, input, level, x, &atoms[0], &values[0]);
      entropic_kernel_atom(NULL, kernel, input, level, y, &atoms[1], &values[1]);
      sum += atoms[0] == atoms[1] ? values[0] * values[1] : 0;
    }
  return sum;
}

/* By the other criterion. */
static entropic_status other_criterion(entropic_context *c, const entropic_kernel *kernel,
                                       const entropic_design_options *options, entropic_design **design) {
  entropic_design_options other = *options;
  other.criterion = options->criterion == ENTROPIC_CRITERION_SUP ? ENTROPIC_CRITERION_L2 : ENTROPIC_CRITERION_SUP;
  return ent_design_create(c, kernel, &other, design);
}

/* The paper's sets, which come by |l|. */
static entropic_status by_sum_of_levels(entropic_context *c, const entropic_kernel *kernel,
                                        const entropic_design_options *options, entropic_design **design) {
  entropic_design_options other = *options;
  other.select = ENTROPIC_SELECT_PAPER;
  return ent_design_create(c, kernel, &other, design);
}

/* One feature too few. */
static entropic_status one_less(entropic_context *c, const entropic_kernel *kernel,
                                const entropic_design_options *options, entropic_design **design) {
  entropic_design_options other = *options;
  other.features--;
  return ent_design_create(c, kernel, &other, design);
}

/* All features but those with hats of level 3 of the first input. */
static entropic_status without_third(entropic_context *c, const entropic_kernel *kernel,
                                     const entropic_design_options *options, entropic_design **design) {
  entropic_design *all = NULL;
  entropic_status status = ent_design_create(c, kernel, options, &all);
  assert_int_equal(status, ENTROPIC_OK);
  entropic_design *made = ent_design_new(c, kernel, options->criterion);
  assert_non_null(made);
  for (size_t d = 0; d < entropic_kernel_inputs(kernel); d++)
    made->base[d] = entropic_design_base(all, d);
  for (size_t g = 0; g < entropic_design_groups(all); g++) {
    entropic_group group;
    assert_int_equal(ent_design_group(c, all, g, &group), ENTROPIC_OK);
    bool third =
        group.terms_count > 0 && group.terms[0].input == 0 && info_of(kernel, 0, group.terms[0].level).order == 3;
    if (!third)
      assert_int_equal(ent_design_append(c, made, group.terms, group.terms_count, all->groups[g].cost, group.members,
                                         group.features),
                       ENTROPIC_OK);
  }
  status = ent_design_finish(c, made);
  entropic_design_free(all);
  *design = made;
  return status;
}

static entropic_status level_is_nan(entropic_context *c, const entropic_kernel *kernel, size_t input, size_t level,
                                    entropic_level *info) {
  entropic_status status = ent_kernel_level(c, kernel, input, level, info);
  info->sup = info->l2 = NAN;
  return status;
}

static entropic_status wrong_size(entropic_context *c, size_t inputs, unsigned n, uint64_t *features,
                                  uint64_t *nonzeros) {
  entropic_status status = ent_paper_size(c, inputs, n, features, nonzeros);
  *features += inputs == 5 && n == 3;
  return status;
}

static entropic_status wrong_nonzeros(entropic_context *c, size_t inputs, unsigned n, uint64_t *features,
                                      uint64_t *nonzeros) {
  entropic_status status = ent_paper_size(c, inputs, n, features, nonzeros);
  *nonzeros += inputs == 81 && n == 4;
  return status;
}

/* As if no feature were ever zero. */
static entropic_status dense_size(entropic_context *c, size_t inputs, unsigned n, uint64_t *features,
                                  uint64_t *nonzeros) {
  entropic_status status = ent_paper_size(c, inputs, n, features, nonzeros);
  *nonzeros = *features;
  return status;
}

/* Twice as many non-zeros. */
static entropic_status double_nonzeros(entropic_context *c, size_t inputs, unsigned n, uint64_t *features,
                                       uint64_t *nonzeros) {
  entropic_status status = ent_paper_size(c, inputs, n, features, nonzeros);
  *nonzeros *= 2;
  return status;
}

#define LIFT_FAULT(name)                                                                                               \
  static entropic_status name(entropic_context *c, const entropic_design *design, const double *x, size_t rows,        \
                              entropic_csr **csr)

/* Not a product: it grows with the first input. */
LIFT_FAULT(lift_bent) {
  entropic_status status = ent_subject_library.lift(c, design, x, rows, csr);
  size_t inputs = entropic_kernel_inputs(entropic_design_kernel(design));
  for (size_t r = 0; r < rows; r++)
    for (size_t i = (*csr)->starts[r]; i < (*csr)->starts[r + 1]; i++)
      (*csr)->values[i] *= 1 + 1e-6 * x[r * inputs];
  return status;
}

LIFT_FAULT(lift_too_large) {
  entropic_status status = ent_subject_library.lift(c, design, x, rows, csr);
  for (size_t i = 0; i < (*csr)->starts[rows]; i++)
    (*csr)->values[i] *= 1 + 1e-6;
  return status;
}

/* Features of which none is divided by its norm: all have the same height. */
LIFT_FAULT(lift_of_height_one) {
  entropic_status status = ent_subject_library.lift(c, design, x, rows, csr);
  for (size_t i = 0; i < (*csr)->starts[rows]; i++)
    (*csr)->values[i] = 1;
  return status;
}

LIFT_FAULT(lift_without_fourth) {
  entropic_status status = ent_subject_library.lift(c, design, x, rows, csr);
  for (size_t i = 0; i < (*csr)->starts[rows]; i++)
    (*csr)->values[i] *= (*csr)->indices[i] == 3 ? 0 : 1;
  return status;
}

LIFT_FAULT(lift_is_nan) {
  entropic_status status = ent_subject_library.lift(c, design, x, rows, csr);
  for (size_t i = 0; i < (*csr)->starts[rows]; i++)
    (*csr)->values[i] = NAN;
  return status;
}

/* Every feature is not zero in every row; there are no such values, but these claims only count. */
LIFT_FAULT(lift_dense) {
  entropic_status status = ent_subject_library.lift(c, design, x, rows, csr);
  for (size_t r = 0; r <= rows; r++)
    (*csr)->starts[r] = r * (*csr)->columns;
  return status;
}

/* The last row has one non-zero more. */
LIFT_FAULT(lift_one_more) {
  entropic_status status = ent_subject_library.lift(c, design, x, rows, csr);
  (*csr)->starts[rows]++;
  return status;
}

/* Risks that fall more slowly, by the root of the root of the number of rows. */
static entropic_status slow_rate(entropic_context *c, const ent_rate_options *options, ent_rate *rates) {
  entropic_status status = ent_rate_measure(c, options, rates);
  for (size_t i = 0; i < rates[0].count; i++)
    for (size_t run = 0; run < rates[0].runs; run++)
      rates[0].risks[i][run] *= pow(rates[0].rows[i], 0.25);
  ent_rate_fit(&rates[0]);
  return status;
}

/* One run alone has no interval. */
static entropic_status one_run(entropic_context *c, const ent_rate_options *options, ent_rate *rates) {
  ent_rate_options alone = *options;
  alone.runs = 1;
  return ent_rate_measure(c, &alone, rates);
}

/* The library with one of its functions replaced: those that are not NULL. */
typedef struct planted {
  const char *claim, *what;
  ent_subject fault;
} planted;

static const planted faults[] = {
    {"support", "atoms moved", {.atom = shifted}},
    {"support", "no boundary between atoms", {.atom = no_third}},
    {"nested", "one level moved", {.atom = shifted_third}},
    {"union", "supports narrower than two of the next level", {.atom = narrow_third}},
    {"union", "one level moved", {.atom = shifted_third}},
    {"combination", "atoms bent", {.atom = bent}},
    {"orthogonal", "atoms bent", {.atom = bent}},
    {"orthogonal", "another kernel", {.kernel = other_kernel}},
    {"norms", "atoms too large", {.atom = too_large}},
    {"growth", "C grows", {.atom = growing_constant}},
    {"growth", "features carry C", {.atom = whole_constant}},
    {"growth", "products of height 1", {.lift = lift_of_height_one}},
    {"linear", "squares of hats", {.atom = squared}},
    {"linear", "atoms moved", {.atom = shifted}},
    {"boundary", "boundary atoms bent", {.atom = bent_boundary}},
    {"boundary", "another kernel", {.kernel = other_kernel}},
    {"expansion", "no boundary atoms", {.atom = no_boundary}},
    {"expansion", "atoms too large", {.atom = too_large}},
    {"without", "a kernel of hats alone", {.kernel = kernel_of_hats}},
    {"bridge", "a level left out", {.atom = no_third}},
    {"pair-expansion", "a level left out", {.atom = no_third}},
    {"pair-orthogonal", "another kernel", {.kernel = other_kernel}},
    {"products", "features bent", {.lift = lift_bent}},
    {"faces", "features bent", {.lift = lift_bent}},
    {"product-norms", "features too large", {.lift = lift_too_large}},
    {"product-expansion", "a feature left out", {.lift = lift_without_fourth}},
    {"root", "features carry C", {.atom = whole_constant}},
    {"tanh", "C as printed", {.atom = sinh_constant}},
    {"tanh", "C linear", {.atom = linear_constant}},
    {"not-sinh", "C as printed", {.atom = sinh_constant}},
    {"vanish", "C grows", {.atom = growing_constant}},
    {"order", "C linear", {.atom = linear_constant}},
    {"order", "chosen by the sum of levels", {.design = by_sum_of_levels}},
    {"sum", "chosen by another score", {.design = other_criterion}},
    {"sum", "one feature too few", {.design = one_less}},
    {"product", "chosen by another score", {.design = other_criterion}},
    {"knapsack", "chosen by another score", {.design = other_criterion}},
    {"size", "one size wrong", {.size = wrong_size}},
    {"size", "one number of non-zeros wrong", {.size = wrong_nonzeros}},
    {"nonzeros", "one non-zero more", {.lift = lift_one_more}},
    {"share", "dense rows", {.size = dense_size}},
    {"share-limit", "twice as many non-zeros", {.size = double_nonzeros}},
    {"sparse", "dense rows", {.lift = lift_dense}},
    {"completed-sparse", "dense rows", {.lift = lift_dense}},
    {"training", "dense rows", {.lift = lift_dense}},
    {"worst", "one feature too few", {.design = one_less}},
    {"worst", "atoms too large from level 4 on", {.atom = larger_below}},
    {"lemma", "a level left out", {.design = without_third}},
    {"logarithm", "a level left out", {.design = without_third}},
    {"rate", "risks that fall slowly", {.rate = slow_rate}},
    {"rate", "no interval", {.rate = one_run}},
};

static ent_subject with_fault(const ent_subject *fault) {
  ent_subject subject = ent_subject_library;
  subject.kernel = fault->kernel != NULL ? fault->kernel : subject.kernel;
  subject.atom = fault->atom != NULL ? fault->atom : subject.atom;
  subject.level = fault->level != NULL ? fault->level : subject.level;
  subject.design = fault->design != NULL ? fault->design : subject.design;
  subject.size = fault->size != NULL ? fault->size : subject.size;
  subject.lift = fault->lift != NULL ? fault->lift : subject.lift;
  subject.rate = fault->rate != NULL ? fault->rate : subject.rate;
  return subject;
}

#endif
