/* The claims of the source paper: all hold for the library, and each fails for a subject with a fault of its kind. */
#include "unit/learning.h"

#include "study/claims_atoms.h"

static entropic_context *context;

static int start(void **state) {
  context = context_with(1);
  return make_folder(state);
}

static int stop(void **state) {
  entropic_context_free(context);
  return remove_folder(state);
}

/* ---- Faults ------------------------------------------------------------------------------------------------ */

static entropic_level info_of(const entropic_kernel *kernel, size_t input, size_t level) {
  entropic_level info;
  assert_int_equal(ent_kernel_level(NULL, kernel, input, level, &info), ENTROPIC_OK);
  return info;
}

static bool is_hat(const entropic_kernel *kernel, size_t input, size_t level) {
  return info_of(kernel, input, level).kind == ENTROPIC_KIND_HAT;
}

#define ATOM_FAULT(name)                                                                                               \
  static entropic_status name(entropic_context *c, const entropic_kernel *kernel, size_t input, size_t level,          \
                              double x, uint64_t *atom, double *value)

/* A quarter of its width to the right. */
ATOM_FAULT(shifted) {
  entropic_level info = info_of(kernel, input, level);
  double moved = info.kind == ENTROPIC_KIND_HAT ? x - ldexp(0.25, -info.order) : x;
  return entropic_kernel_atom(c, kernel, input, level, moved, atom, value);
}

ATOM_FAULT(shifted_third) {
  entropic_level info = info_of(kernel, input, level);
  double moved = info.kind == ENTROPIC_KIND_HAT && info.order == 3 ? x - ldexp(0.25, -info.order) : x;
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
  if (info.kind == ENTROPIC_KIND_HAT)
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
  return entropic_kernel_axis_value(kernel, input, x, y) * (1 + 1e-6 * (x - y) * (x - y));
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

static entropic_status level_is_nan(entropic_context *c, const entropic_kernel *kernel, size_t input, size_t level,
                                    entropic_level *info) {
  entropic_status status = ent_kernel_level(c, kernel, input, level, info);
  info->sup = info->l2 = NAN;
  return status;
}

static entropic_status wrong_size(entropic_context *c, size_t inputs, unsigned n, uint64_t *features,
                                  uint64_t *nonzeros) {
  entropic_status status = entropic_paper_size(c, inputs, n, features, nonzeros);
  *features += inputs == 5 && n == 3;
  return status;
}

static entropic_status wrong_nonzeros(entropic_context *c, size_t inputs, unsigned n, uint64_t *features,
                                      uint64_t *nonzeros) {
  entropic_status status = entropic_paper_size(c, inputs, n, features, nonzeros);
  *nonzeros += inputs == 81 && n == 4;
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

/* ---- Tests ------------------------------------------------------------------------------------------------- */

static double measure(const ent_claim *claim, const ent_subject *subject) {
  ent_finding *finding = calloc(1, sizeof *finding);
  ASSERT_OK(context, claim->measure(context, subject, finding));
  double value = finding->value;
  free(finding);
  return value;
}

static const ent_claim *claim_named(const char *name) {
  for (size_t i = 0; i < ENT_CLAIMS; i++)
    if (strcmp(ent_claim_list[i].name, name) == 0)
      return &ent_claim_list[i];
  fail_msg("there is no claim %s", name);
  return NULL;
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
    {"combination", "atoms bent", {.atom = bent}},
    {"orthogonal", "atoms bent", {.atom = bent}},
    {"orthogonal", "another kernel", {.kernel = other_kernel}},
    {"norms", "atoms too large", {.atom = too_large}},
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
    {"sparse", "dense rows", {.lift = lift_dense}},
    {"training", "dense rows", {.lift = lift_dense}},
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

static void all_hold_for_the_library(void **state) {
  (void)state;
  ent_claims *claims = NULL;
  ASSERT_OK(context, ent_claims_check(context, &claims));
  for (size_t i = 0; i < ENT_CLAIMS; i++)
    if (!ent_claim_holds(&ent_claim_list[i], claims->findings[i].value))
      fail_msg("%s does not hold: %g", ent_claim_list[i].name, claims->findings[i].value);
  assert_int_equal(ent_claims_failed(claims), 0);
  assert_int_equal(ent_claims_count(claims), ENT_CLAIMS);
  ent_claims_free(claims);
  ent_claims_free(NULL);
  assert_int_equal(ent_claims_check(context, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "claims is NULL");
}

static void each_fails_with_its_fault(void **state) {
  (void)state;
  bool seen[ENT_CLAIMS] = {false};
  for (size_t i = 0; i < COUNT(faults); i++) {
    const ent_claim *claim = claim_named(faults[i].claim);
    const ent_subject subject = with_fault(&faults[i].fault);
    double value = measure(claim, &subject);
    if (ent_claim_holds(claim, value))
      fail_msg("%s holds with %s: %g", claim->name, faults[i].what, value);
    seen[claim - ent_claim_list] = true;
  }
  for (size_t i = 0; i < ENT_CLAIMS; i++)
    if (!seen[i])
      fail_msg("no fault is planted for %s", ent_claim_list[i].name);
}

static void nan_fails(void **state) {
  (void)state;
  static const char *const counts[] = {"size", "nonzeros", "sparse", "training", "rate"};
  const ent_subject subject = {.kernel = kernel_is_nan,
                               .atom = atom_is_nan,
                               .level = level_is_nan,
                               .design = ent_design_create,
                               .size = entropic_paper_size,
                               .lift = lift_is_nan,
                               .rate = ent_rate_measure};
  for (size_t i = 0; i < ENT_CLAIMS; i++) {
    bool counted = false;
    for (size_t k = 0; k < COUNT(counts); k++)
      counted = counted || strcmp(ent_claim_list[i].name, counts[k]) == 0;
    if (!counted && ent_claim_holds(&ent_claim_list[i], measure(&ent_claim_list[i], &subject)))
      fail_msg("%s holds with NaN", ent_claim_list[i].name);
    assert_false(ent_claim_holds(&ent_claim_list[i], NAN));
  }
  assert_true(isnan(ent_worse(NAN, 1)) && isnan(ent_worse(1, NAN)) && ent_worse(1, 2) == 2 && ent_worse(2, 1) == 2);
  ent_subject failing = ent_subject_library;
  failing.atom = atom_fails;
  assert_false(ent_claim_holds(claim_named("support"), measure(claim_named("support"), &failing)));
}

/* Limits are limits: the value itself holds, the next one does not. */
static void limits(void **state) {
  (void)state;
  for (size_t i = 0; i < ENT_CLAIMS; i++) {
    const ent_claim *claim = &ent_claim_list[i];
    double beyond = claim->at_least ? -INFINITY : INFINITY;
    assert_true(ent_claim_holds(claim, claim->limit));
    assert_false(ent_claim_holds(claim, nextafter(claim->limit, beyond)));
    for (size_t k = 0; k < i; k++)
      assert_string_not_equal(claim->name, ent_claim_list[k].name);
    assert_null(strchr(claim->text, '\t'));
    assert_null(strchr(claim->measured, '\t'));
  }
}

/* The custom pairs solve their equations: by central differences. */
static void pairs_solve_their_equations(void **state) {
  (void)state;
  for (size_t pair = 0; pair < ENT_PAIRS; pair++) {
    entropic_axis_options options = ent_pair_options(pair, 4);
    const entropic_function solutions[] = {options.p, options.q};
    for (size_t i = 0; i < 2; i++)
      for (double x = 0.1; x < 0.95; x += 0.1) {
        double h = 1e-4, y = solutions[i](x, NULL), up = solutions[i](x + h, NULL), down = solutions[i](x - h, NULL);
        double first = (up - down) / (2 * h), second = (up - 2 * y + down) / (h * h);
        double residual = pair == 0 ? second - 8 * x * y : (1 + x) * (1 + x) * second + (1 + x) * first / 2 - 3 * y;
        assert_close(residual, 0, 1e-5);
      }
  }
}

/* Inner products against integrals of derivatives: for the bridge <f,g> is that of f'g'. */
static void inner_products_are_integrals(void **state) {
  (void)state;
  const entropic_axis_options options = ent_claim_axis_options(ENTROPIC_FAMILY_BRIDGE, 1, ENTROPIC_BASIS_FULL, 4);
  enum { CELLS = 1 << 6 };
  const double points[2] = {0.25, 0.75}, values[2] = {0.3, -0.2};
  ent_claim_axis atoms;
  ASSERT_OK(context, ent_claim_axis_open(context, &ent_subject_library, &options, &atoms));
  ent_combination f = ent_combine(&atoms, points, values, 2);
  for (int l = 1; l <= 4; l++)
    for (uint64_t i = 0; i < UINT64_C(1) << (l - 1); i++) {
      ent_combination g = ent_hat_combination(&atoms, l, i);
      double integral = 0;
      for (int k = 0; k < CELLS; k++) {
        double a = (double)k / CELLS, b = (double)(k + 1) / CELLS;
        integral += CELLS * (ent_combination_at(&atoms, &f, b) - ent_combination_at(&atoms, &f, a)) *
                    (ent_combination_at(&atoms, &g, b) - ent_combination_at(&atoms, &g, a));
      }
      assert_close(ent_combination_inner(&atoms, &f, &g), integral, 1e-13);
      assert_close(ent_combination_hat(&atoms, &f, l, i), integral, 1e-13);
    }
  ent_claim_axis_close(&atoms);
}

/* Lines, JSON and page of made-up findings, one of which does not hold. */
static void outputs(void **state) {
  ent_claims *claims = calloc(1, sizeof *claims);
  for (size_t i = 0; i < ENT_CLAIMS; i++)
    claims->findings[i].value = ent_claim_list[i].limit;
  claims->findings[2].value = NAN;
  claims->findings[0].title = "Made up";
  claims->findings[0].x_title = claims->findings[0].y_title = "x";
  for (int i = 0; i < 2 * ENT_CLAIM_POINTS; i++)
    ent_series_put(ent_finding_series(&claims->findings[0], "drawn"), i, i);
  for (int i = 0; i < 2 * ENT_CLAIM_SERIES; i++) {
    char name[200];
    snprintf(name, sizeof name, "%0100d", i);
    ent_series_put(ent_finding_series(&claims->findings[0], name), 1, 2);
  }
  assert_int_equal(ent_claims_failed(claims), 1);
  assert_int_equal(claims->findings[0].series_count, ENT_CLAIM_SERIES);
  ASSERT_OK(context, ent_claims_text(context, claims, in_folder(state, "claims.tsv")));
  char *text = read_whole(in_folder(state, "claims.tsv"), NULL);
  size_t lines = 0;
  for (const char *at = text; *at != '\0'; at++)
    lines += *at == '\n';
  assert_int_equal(lines, ENT_CLAIMS + 1);
  assert_ptr_equal(strstr(text, "number\tclaim\tvalue\tlimit\tholds\n1\tTheorem 1: "), text);
  assert_non_null(strstr(text, "\t<= 1e-11\tno\n4\t"));
  assert_non_null(strstr(text, "\t1\t<= 1\tyes\n2\t"));
  free(text);
  ASSERT_OK(context, ent_claims_json(context, claims, in_folder(state, "claims.json")));
  text = read_whole(in_folder(state, "claims.json"), NULL);
  assert_ptr_equal(strstr(text, "{\"claims\": [{\"number\": 1, \"name\": \"support\", "), text);
  assert_non_null(strstr(text, "\"value\": null, \"limit\": 1e-11, \"relation\": \"<=\", \"holds\": false}"));
  assert_non_null(strstr(text, "\"relation\": \">=\", \"holds\": true}"));
  free(text);
  ASSERT_OK(context, ent_claims_html(context, claims, in_folder(state, "claims.html")));
  text = read_whole(in_folder(state, "claims.html"), NULL);
  assert_non_null(strstr(text, "27 of 28 claims hold"));
  assert_non_null(strstr(text, "Claim 1. Made up"));
  assert_null(strstr(text, "Claim 2."));
  free(text);
  free(claims);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_hold_for_the_library),
      cmocka_unit_test(each_fails_with_its_fault),
      cmocka_unit_test(nan_fails),
      cmocka_unit_test(limits),
      cmocka_unit_test(pairs_solve_their_equations),
      cmocka_unit_test(inner_products_are_integrals),
      cmocka_unit_test(outputs),
  };
  return cmocka_run_group_tests_name("study_claims", tests, start, stop);
}
