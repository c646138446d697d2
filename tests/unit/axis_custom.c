/* Custom kernels: what is refused, and that a built-in family's p and q make that family. */
#include "unit/reference.h"

static double never_called(double x, void *user) {
  (void)x, (void)user;
  fail();
  return NAN;
}

/* p or q with one wrong spot: `spot` of the user's array is where, [1] what it is there. */
static double spotted_p(double x, void *user) {
  const double *spot = user;
  return x == spot[0] ? spot[1] : 1 + x;
}
static double spotted_q(double x, void *user) {
  const double *spot = user;
  return x == spot[0] ? spot[1] : 1;
}
static double falling(double x, void *user) {
  (void)user;
  return 2 - x;
}
static double steep(double x, void *user) {
  return 1 + *(double *)user * x;
}

typedef struct refusal {
  entropic_kernel_factor p, q;
  double spot, value;
  int max_level;
  const char *message;
} refusal;

static void wrong_pairs_are_refused(void **state) {
  (void)state;
  const refusal refusals[] = {
      {NULL, user_one, 0, 0, 8, "p and q"},
      {user_one, NULL, 0, 0, 8, "p and q"},
      {NULL, NULL, 0, 0, 8, "p and q"},
      {never_called, never_called, 0, 0, 17, "max_level: 17"},
      {never_called, never_called, 0, 0, 30, "max_level: 30"},
      {spotted_p, user_one, 0.5, NAN, 8, "finite"},
      {spotted_p, user_one, 1, INFINITY, 8, "p(1) = inf"},
      {user_sobolev_p, spotted_q, 0.25, NAN, 8, "q(0.25) = "},
      {user_sobolev_p, spotted_q, 0, INFINITY, 8, "q(0) = inf"},
      {user_sobolev_p, spotted_q, 0, -INFINITY, 8, "finite"},
      {spotted_p, user_one, 0, -1e-300, 8, "p must be >= 0"},
      {user_sobolev_p, spotted_q, 1, -1, 8, "q >= 0"},
      {user_sobolev_p, spotted_q, 0.5, 0, 8, "> 0 inside (0,1)"},
      {user_one, user_one, 0, 0, 8, "increase strictly"},
      {falling, user_one, 0, 0, 8, "increase strictly"},
      {spotted_p, user_one, 1, 1.9990234375, 8, "between x = 0.999023 and x = 1"},
      {spotted_p, user_one, 0.5, 1, 8, "increase strictly"},
  };
  entropic_context *context;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  for (size_t i = 0; i < COUNT(refusals); i++) {
    double spot[2] = {refusals[i].spot, refusals[i].value};
    entropic_axis_options options = ent_axis_options_default();
    options.family = ENTROPIC_FAMILY_CUSTOM;
    options.p = refusals[i].p;
    options.q = refusals[i].q;
    options.user = spot;
    options.max_level = refusals[i].max_level;
    entropic_kernel *kernel = NULL;
    assert_int_equal(ent_kernel_create(context, &options, 1, 2, &kernel), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, refusals[i].message);
    assert_null(kernel);
    assert_int_equal(ent_kernel_create(NULL, &options, 1, 2, &kernel), ENTROPIC_BAD_ARGUMENT);
    assert_null(kernel);
  }
  entropic_context_free(context);
}

/* q may be 0 at 1 and p at 0, and omega does not matter. */
static void zeros_at_the_ends_are_fine(void **state) {
  (void)state;
  entropic_axis_options options = ent_axis_options_default();
  options.family = ENTROPIC_FAMILY_CUSTOM;
  options.p = user_bridge_p;
  options.q = user_bridge_q;
  options.omega = NAN;
  entropic_kernel *kernel = make_kernel(&options, 1, 1);
  assert_int_equal(entropic_kernel_levels(kernel, 0), 16);
  entropic_kernel_free(kernel);
}

/* p grows by less than a rounding between deep nodes: the message says how deep one may go, and that works. */
static void levels_too_deep_for_double(void **state) {
  (void)state;
  entropic_context *context;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  double slope = 1e-12;
  entropic_axis_options options = ent_axis_options_default();
  options.family = ENTROPIC_FAMILY_CUSTOM;
  options.p = steep;
  options.q = user_one;
  options.user = &slope;
  entropic_kernel *kernel = NULL;
  assert_int_equal(ent_kernel_create(context, &options, 1, 1, &kernel), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "lower max_level below ");
  assert_null(kernel);
  const char *number = strstr(entropic_context_message(context), "below ");
  options.max_level = atoi(number + 6) - 1;
  assert_true(options.max_level >= 10);
  assert_int_equal(ent_kernel_create(context, &options, 1, 1, &kernel), ENTROPIC_OK);
  entropic_kernel_free(kernel);
  entropic_context_free(context);
}

/* No hats at all: the boundary atoms alone, exact at the two ends. */
static void without_levels(void **state) {
  (void)state;
  double omega = 2;
  entropic_kernel *kernel = ref_kernel_make(ref_named("custom of its own"), &omega, ENTROPIC_BASIS_FULL, 0);
  assert_int_equal(entropic_kernel_levels(kernel, 0), 2);
  for (int x = 0; x < 2; x++)
    for (int y = 0; y < 2; y++) {
      double sum = 0;
      for (size_t level = 0; level < 2; level++)
        sum += atom_at(kernel, 0, level, x, NULL) * atom_at(kernel, 0, level, y, NULL);
      assert_close(sum, ref_kernel(ref_named("custom of its own"), 2, x * y, x > y ? x : y), 1e-15);
    }
  entropic_kernel_free(kernel);
}

/* k(0,0) far below k(1,1): the small one is exact to many digits of its own. */
static double barely_there(double x, void *user) {
  return *(double *)user + x;
}
static void unequal_ends(void **state) {
  (void)state;
  double start = 1e-9;
  entropic_axis_options options = ent_axis_options_default();
  options.family = ENTROPIC_FAMILY_CUSTOM;
  options.p = barely_there;
  options.q = user_one;
  options.user = &start;
  entropic_kernel *kernel = make_kernel(&options, 1, 1);
  assert_int_equal(level_of(kernel, 0, 2).kind, ENTROPIC_LEVEL_KIND_HAT);
  double sum = 0;
  for (size_t level = 0; level < 2; level++)
    sum += pow(atom_at(kernel, 0, level, 0, NULL), 2);
  assert_close(sum, 1e-9, 1e-21);
  entropic_kernel_free(kernel);
}

static void check_against(const ref_family *built_in, const ref_family *custom, double omega, entropic_basis basis) {
  entropic_kernel *theirs = ref_kernel_make(built_in, &omega, basis, 16);
  entropic_kernel *ours = ref_kernel_make(custom, &omega, basis, 16);
  size_t levels = entropic_kernel_levels(ours, 0), boundary = levels - 16;
  assert_int_equal(entropic_kernel_levels(theirs, 0), levels);
  entropic_random random = entropic_random_start(4, 0);
  for (size_t i = 0; i < rounds(200); i++) {
    double x = entropic_random_uniform(&random), y = entropic_random_uniform(&random);
    double unit = fmax(1, ent_kernel_axis_value(theirs, 0, 1, 1));
    assert_near(ent_kernel_axis_value(ours, 0, x, y), ent_kernel_axis_value(theirs, 0, x, y), 1e-12 * unit,
                "%s, w = %g", custom->name, omega);
    double sum[2] = {0, 0};
    for (size_t j = 0; j < boundary; j++) {
      sum[0] += atom_at(ours, 0, j, x, NULL) * atom_at(ours, 0, j, y, NULL);
      sum[1] += atom_at(theirs, 0, j, x, NULL) * atom_at(theirs, 0, j, y, NULL);
    }
    assert_near(sum[0], sum[1], 1e-12 * unit, "%s, w = %g, boundary part", custom->name, omega);
    for (size_t j = boundary; j < levels; j++) {
      uint64_t atom, same;
      double value = atom_at(ours, 0, j, x, &atom), expected = atom_at(theirs, 0, j, x, &same);
      assert_true(atom == same);
      assert_near(value, expected, 1e-10 * sqrt(unit), "%s, w = %g, hat %zu", custom->name, omega, j);
    }
  }
  for (size_t j = boundary; j < levels; j++) {
    entropic_level a = level_of(ours, 0, j), b = level_of(theirs, 0, j);
    assert_int_equal(a.order, b.order);
    assert_true(a.atoms == b.atoms);
    /* differences of size w h between numbers of size 1 + w */
    double tolerance = 1e-10 + 1e-15 * (1 + omega) / omega * ldexp(1, a.order);
    assert_near(a.sup, b.sup, tolerance * b.sup, "%s, w = %g, sup of hat %d", custom->name, omega, a.order);
    assert_near(a.l2, b.l2, tolerance * b.l2, "%s, w = %g, l2 of hat %d", custom->name, omega, a.order);
  }
  entropic_kernel_free(theirs);
  entropic_kernel_free(ours);
}

static void pairs_of_a_family_make_that_family(void **state) {
  (void)state;
  static const char as[] = "custom as ";
  const double omegas[] = {1e-3, 0.1, 1, 10, 100};
  size_t pairs = 0;
  for (const ref_family *custom = NULL; (custom = ref_next(custom, REF_CUSTOM)) != NULL;) {
    if (strncmp(custom->name, as, strlen(as)) != 0)
      continue;
    pairs++;
    for (size_t j = 0; j < rounds(COUNT(omegas)); j++)
      for (int basis = ENTROPIC_BASIS_FULL; basis <= ENTROPIC_BASIS_INTERIOR; basis++)
        check_against(ref_named(custom->name + strlen(as)), custom, omegas[j], (entropic_basis)basis);
  }
  assert_true(pairs > 0);
}

SUITE(axis_custom) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_pairs_are_refused),
      cmocka_unit_test(zeros_at_the_ends_are_fine),
      cmocka_unit_test(levels_too_deep_for_double),
      cmocka_unit_test(without_levels),
      cmocka_unit_test(unequal_ends),
      cmocka_unit_test(pairs_of_a_family_make_that_family),
  };
  return cmocka_run_group_tests_name("axis: custom", tests, NULL, NULL);
}
