/* Custom kernels as text: the families of the library restated, and which pairs are refused. */
#include "unit/reference.h"

typedef struct restated {
  entropic_family family;
  const char *p, *q;                       /* either these */
  const char *alpha, *beta, *left, *right; /* or these */
} restated;

static const restated all_restated[] = {
    {ENTROPIC_FAMILY_SOBOLEV, "1 + w*x", "1", NULL, NULL, NULL, NULL},
    {ENTROPIC_FAMILY_SOBOLEV, NULL, NULL, "1/w", "0", "1,-w", "1,0"},
    {ENTROPIC_FAMILY_LAPLACE, "exp(w*x)", "exp(-w*x)", NULL, NULL, NULL, NULL},
    {ENTROPIC_FAMILY_LAPLACE, NULL, NULL, "1/(2*w)", "-w/2", "1,-w", "1,w"},
    {ENTROPIC_FAMILY_COSH, "w*cosh(w*x)/sinh(w)", "cosh(w*(1-x))", NULL, NULL, NULL, NULL},
    {ENTROPIC_FAMILY_COSH, NULL, NULL, "1/w^2", "-1", "1,0", "1,0"},
    {ENTROPIC_FAMILY_BROWNIAN, "w*x", "1", NULL, NULL, NULL, NULL},
    {ENTROPIC_FAMILY_BROWNIAN, NULL, NULL, "1/w", "0", "0,1", "1,0"},
    {ENTROPIC_FAMILY_BRIDGE, "x", "1-x", NULL, NULL, NULL, NULL},
    {ENTROPIC_FAMILY_BRIDGE, NULL, NULL, "1", "0", "0,1", "0,1"},
};

static const double omegas[] = {1e-6, 1e-3, 0.1, 1, 3, 10, 37.5, 300};

static entropic_axis_options text_options(const restated *of, double omega, entropic_basis basis) {
  entropic_axis_options options = ent_axis_options_default();
  options.family = ENTROPIC_FAMILY_CUSTOM;
  options.basis = basis;
  options.omega = omega;
  options.p_text = of->p;
  options.q_text = of->q;
  options.alpha_text = of->alpha;
  options.beta_text = of->beta;
  options.left_text = of->left;
  options.right_text = of->right;
  return options;
}

static entropic_axis_options family_options(const restated *of, double omega, entropic_basis basis) {
  entropic_axis_options options = ent_axis_options_default();
  options.family = of->family;
  options.basis = basis;
  options.omega = omega;
  return options;
}

static double worst_value, worst_atom, worst_score;

static void compare_levels(const entropic_kernel *ours, const entropic_kernel *theirs, const char *name, double omega) {
  entropic_random random = entropic_random_start(7, 0);
  for (size_t level = 0; level < entropic_kernel_levels(theirs, 0); level++) {
    entropic_level a = level_of(ours, 0, level), b = level_of(theirs, 0, level);
    assert_int_equal(a.kind, b.kind);
    assert_int_equal(a.order, b.order);
    assert_true(a.atoms == b.atoms);
    worst_score = larger(worst_score, larger(fabs(a.l2 / b.l2 - 1), fabs(a.sup / b.sup - 1)));
    assert_near(a.l2, b.l2, 1e-11 * b.l2, "%s, w = %g, l2 of level %zu", name, omega, level);
    assert_near(a.sup, b.sup, 1e-11 * b.sup, "%s, w = %g, sup of level %zu", name, omega, level);
    for (int i = 0; i < 200; i++) {
      uint64_t atom, same;
      double x = i == 0 ? 0 : i == 1 ? 1 : entropic_random_uniform(&random);
      if (i % 5 == 2) /* beside nodes of all levels */
        x = ldexp(floor(ldexp(x, 3 + i % 14)), -3 - i % 14) + ldexp(i % 3 - 1, -40);
      x = ent_clamp(x);
      double value = atom_at(ours, 0, level, x, &atom), expected = atom_at(theirs, 0, level, x, &same);
      assert_true(atom == same);
      worst_atom = larger(worst_atom, fabs(value - expected) / sqrt(b.sup));
      assert_near(value, expected, 1e-11 * sqrt(b.sup), "%s, w = %g, level %zu at %.17g", name, omega, level, x);
    }
  }
}

/* Kernel, atoms and scores, all 16 levels. */
static void restated_families_are_the_same(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(all_restated); i++)
    for (size_t j = 0; j < rounds(COUNT(omegas)); j++)
      for (int basis = 0; basis < 2; basis++) {
        entropic_axis_options options = text_options(&all_restated[i], omegas[j], (entropic_basis)basis);
        entropic_kernel *ours = make_kernel(&options, 1, 1);
        options = family_options(&all_restated[i], omegas[j], (entropic_basis)basis);
        entropic_kernel *theirs = make_kernel(&options, 1, 1);
        const char *name = entropic_family_name(options.family);
        assert_int_equal(entropic_kernel_levels(ours, 0), entropic_kernel_levels(theirs, 0));
        double most = 0;
        for (int k = 0; k <= 32; k++)
          most = larger(most, ent_kernel_axis_value(theirs, 0, k / 32.0, k / 32.0));
        for (int k = 0; k <= 32; k++)
          for (int l = 0; l <= 32; l++) {
            double x = k / 32.0, y = l / 32.0, expected = ent_kernel_axis_value(theirs, 0, x, y);
            double value = ent_kernel_axis_value(ours, 0, x, y);
            worst_value = larger(worst_value, fabs(value - expected) / most);
            assert_near(value, expected, 1e-11 * most, "%s, w = %g, k(%g, %g)", name, omegas[j], x, y);
          }
        compare_levels(ours, theirs, name, omegas[j]);
        entropic_kernel_free(ours);
        entropic_kernel_free(theirs);
      }
  print_message("# largest errors: kernel %.1e, atoms %.1e, scores %.1e\n", worst_value, worst_atom, worst_score);
}

/* The same features in the same order: three inputs, all of one family, with three omegas or one. */
static void restated_designs_are_the_same(void **state) {
  (void)state;
  const size_t counts[] = {1, 7, 60, 500, 3000};
  for (size_t i = 0; i < COUNT(all_restated); i++)
    for (size_t j = 2; j < 6; j++)
      for (int variant = 0; variant < 4; variant++) {
        entropic_axis_options ours[3], theirs[3];
        entropic_basis basis = variant & 1 ? ENTROPIC_BASIS_INTERIOR : ENTROPIC_BASIS_FULL;
        for (size_t k = 0; k < 3; k++) {
          double omega = variant & 2 ? omegas[j] : omegas[j] * (1 + 0.37 * (double)k);
          ours[k] = text_options(&all_restated[i], omega, basis);
          theirs[k] = family_options(&all_restated[i], omega, basis);
          ours[k].max_level = theirs[k].max_level = 9;
        }
        entropic_kernel *our_kernel = make_kernel(ours, 3, 3), *their_kernel = make_kernel(theirs, 3, 3);
        for (int criterion = 0; criterion < 2; criterion++)
          for (size_t c = 0; c < COUNT(counts); c++) {
            entropic_design_options options = ent_design_options_default();
            options.criterion = (entropic_criterion)criterion;
            options.features = counts[c];
            entropic_design *a = make_design(our_kernel, &options), *b = make_design(their_kernel, &options);
            listed *one = list_features(a), *other = list_features(b);
            assert_int_equal(entropic_design_features(a), counts[c]);
            assert_int_equal(entropic_design_features(b), counts[c]);
            if (memcmp(one, other, counts[c] * sizeof *one) != 0) {
              print_error("%s %s, omega %g, variant %d, criterion %d, %zu features\n",
                          ours[0].p_text == NULL ? "equation" : "p, q", entropic_family_name(theirs[0].family),
                          omegas[j], variant, criterion, counts[c]);
              fail();
            }
            free(one);
            free(other);
            entropic_design_free(a);
            entropic_design_free(b);
          }
        entropic_kernel_free(our_kernel);
        entropic_kernel_free(their_kernel);
      }
}

/* Levels whose atoms differ: each atom has its score, all atoms add up to k, and k is what was written. */
static void uneven_levels(void **state) {
  (void)state;
  entropic_axis_options options = ent_axis_options_default();
  options.family = ENTROPIC_FAMILY_CUSTOM;
  options.omega = 2;
  options.max_level = 12;
  options.p_text = "exp(x^2) - 1 + x/10";
  options.q_text = "1 + w*(1 - x)^3";
  entropic_kernel *kernel = make_kernel(&options, 1, 1);
  assert_int_equal(entropic_kernel_has(kernel, 0, ENTROPIC_TRAIT_OMEGA | ENTROPIC_TRAIT_SAVED | ENTROPIC_TRAIT_HATS),
                   1);
  entropic_random random = entropic_random_start(3, 0);
  for (int i = 0; i < 300; i++) {
    double x = ldexp(floor(4096 * entropic_random_uniform(&random)), -12),
           y = ldexp(floor(4096 * entropic_random_uniform(&random)), -12);
    double low = fmin(x, y), high = larger(x, y), sum = 0;
    double expected = (expm1(low * low) + low / 10) * (1 + 2 * pow(1 - high, 3));
    for (size_t level = 0; level < entropic_kernel_levels(kernel, 0); level++) {
      uint64_t one, other;
      double a = atom_at(kernel, 0, level, x, &one), b = atom_at(kernel, 0, level, y, &other);
      sum += one == other ? a * b : 0;
    }
    assert_near(ent_kernel_axis_value(kernel, 0, x, y), expected, 1e-14, "k(%g, %g)", x, y);
    assert_near(sum, expected, 1e-13, "atoms at %g, %g", x, y);
  }
  entropic_kernel_free(kernel);
}

/* What a double cannot hold of p and q alone, their product does. */
static void large_values(void **state) {
  (void)state;
  static const restated pairs[] = {{.p = "1e300*exp(w*x)", .q = "exp(-w*x)/1e300"},
                                   {.p = "exp(w*x)", .q = "exp(-w*x)"}};
  for (size_t i = 0; i < COUNT(pairs); i++) {
    entropic_axis_options options = text_options(&pairs[i], 600, ENTROPIC_BASIS_FULL);
    options.max_level = 8;
    entropic_kernel *kernel = make_kernel(&options, 1, 1);
    for (int k = 0; k < 100; k++) {
      double x = k / 100.0;
      assert_near(ent_kernel_axis_value(kernel, 0, x, x), 1, 1e-13, "at %g", x);
      assert_near(ent_kernel_axis_value(kernel, 0, x, x + 0.01), exp(-6), 1e-12 * exp(-6), "beside %g", x);
    }
    for (size_t level = 0; level < entropic_kernel_levels(kernel, 0); level++) {
      entropic_level info = level_of(kernel, 0, level);
      assert_true(info.sup > 0 && info.sup <= 1 + 1e-12 && info.l2 > 0 && info.l2 <= 1);
    }
    double sum = 0;
    for (size_t level = 0; level < entropic_kernel_levels(kernel, 0); level++)
      sum += pow(atom_at(kernel, 0, level, 37 / 256.0, NULL), 2);
    assert_near(sum, 1, 1e-12, "sum of squares");
    entropic_kernel_free(kernel);
  }
}

typedef struct refusal {
  const char *p, *q;
  double w;
  const char *message;
} refusal;

static void wrong_pairs_are_refused(void **state) {
  (void)state;
  static const refusal refusals[] = {
      {"x", "1 +", 1, "q: column 4: expected a number"},
      {"1+x", NULL, 1, "both p and q must be given"},
      {NULL, "1", 1, "both p and q must be given"},
      {"x-1", "1", 1, "p("},
      {"-x", "1", 1, "it must be above 0 inside (0,1)"},
      {"x-0.5", "1", 1, "above 0 inside"},
      {"x", "0.5-x", 1, "q("},
      {"x", "0", 1, "q("},
      {"0", "1", 1, "p("},
      {"1", "1", 1, "p/q must increase strictly, but with w = 1 does not between x = 0 and x = 0.000976562"},
      {"2-x", "1", 1, "increase strictly"},
      {"exp(-w*x)", "exp(w*x)", 1, "increase strictly"},
      {"1+x*(1-x)", "1", 1, "does not between x = 0.5"},
      {"1/x", "1", 1, "p(0) = inf with w = 1: it must be finite on [0,1]"},
      {"1/(x-0.5)^2", "1", 1, "p(0.5) = inf"},
      {"1/(x-0.3)^2", "1", 1, "p is not smooth near x = 0.299"},
      {"x", "1/(1-x)", 1, "q(1) = inf"},
      {"x*log(x)+1", "1", 1, "p(0) = nan"},
      {"sqrt(x-0.5)", "1", 1, "p("},
      {"log(x+w)", "1", 0.5, "p("},
      {"1+x+abs(x-0.3)/2", "1", 1, "p is not smooth near x = 0.299"},
      {"sqrt(x)", "1", 1, "p is not smooth near x = 0.000122"},
      {"2+x+sin(1e7*x)", "1", 1, "or varies too fast there"},
      {"exp(w*x)", "exp(-w*x)", 5000, "varies too fast"},
      {"exp(w*x)", "exp(-w*x)", 900, "outside the range of a double"},
      {"exp(exp(exp(9*x)))", "1", 1, "p("},
      {"1e300*1e300*1e300*(1+x)", "1", 1, "outside the range of a double"},
      {"(1+x)/1e300/1e300/1e300", "1", 1, "outside the range of a double"},
      {"x^400", "1", 1, "p is not smooth near x = 0.000122"},
  };
  entropic_context *context;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  for (size_t i = 0; i < COUNT(refusals); i++) {
    const restated as = {.p = refusals[i].p, .q = refusals[i].q};
    entropic_axis_options options = text_options(&as, refusals[i].w, ENTROPIC_BASIS_FULL);
    entropic_kernel *kernel = NULL;
    entropic_status status = ent_kernel_create(context, &options, 1, 1, &kernel);
    if (status != ENTROPIC_BAD_ARGUMENT)
      print_error("not refused: %s, %s\n", refusals[i].p, refusals[i].q);
    assert_int_equal(status, ENTROPIC_BAD_ARGUMENT);
    assert_message(context, refusals[i].message);
    assert_null(kernel);
  }
  entropic_context_free(context);
}

static double user_line(double x, void *user) {
  (void)user;
  return 1 + x;
}

/* Options that do not go together. */
static void wrong_forms_are_refused(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  entropic_kernel *kernel = NULL;
  const restated pair = {.p = "1+x", .q = "1"}, equation = {.alpha = "1", .beta = "0", .left = "0,1", .right = "1,0"};
  entropic_axis_options options = text_options(&pair, 1, ENTROPIC_BASIS_FULL);
  options.alpha_text = "1";
  assert_int_equal(ent_kernel_create(context, &options, 1, 1, &kernel), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "or texts alpha, beta, left and right");
  options = text_options(&pair, 1, ENTROPIC_BASIS_FULL);
  options.p = user_line;
  assert_int_equal(ent_kernel_create(context, &options, 1, 1, &kernel), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "give functions p and q, or texts");
  for (int i = 2; i < ENT_TEXTS; i++) {
    options = text_options(&equation, 1, ENTROPIC_BASIS_FULL);
    *ent_text_of(&options, i) = NULL;
    assert_int_equal(ent_kernel_create(context, &options, 1, 1, &kernel), ENTROPIC_BAD_ARGUMENT);
    assert_message(context, "all of alpha, beta, left and right must be given");
  }
  options = text_options(&pair, 1, ENTROPIC_BASIS_FULL);
  options.family = ENTROPIC_FAMILY_LAPLACE;
  assert_int_equal(ent_kernel_create(context, &options, 1, 1, &kernel), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "the laplace kernel takes no text for p, q or an equation: that needs custom");
  options = text_options(&pair, 1, ENTROPIC_BASIS_FULL);
  options.max_level = 17;
  assert_int_equal(ent_kernel_create(context, &options, 1, 1, &kernel), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "max_level: 17");
  options.max_level = 0;
  assert_int_equal(ent_kernel_create(context, &options, 1, 1, &kernel), ENTROPIC_OK);
  assert_int_equal(entropic_kernel_levels(kernel, 0), 2);
  entropic_kernel_free(kernel);
  const restated with_w = {.p = "1+w*x", .q = "1"};
  options = text_options(&with_w, 1e5, ENTROPIC_BASIS_FULL);
  assert_int_equal(ent_kernel_create(context, &options, 1, 1, &kernel), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "omega: 100000 is not between");
  entropic_context_free(context);
}

/* Texts are copied; inputs share an axis where all is the same, and differ where a text does. */
static void texts_are_copied_and_told_apart(void **state) {
  (void)state;
  char p[] = "1+x", q[] = "1", other[] = "1+2*x";
  entropic_axis_options axes[4];
  for (size_t i = 0; i < 4; i++) {
    const restated pair = {.p = i == 1 ? other : p, .q = q};
    axes[i] = text_options(&pair, i == 3 ? 5 : 1, ENTROPIC_BASIS_FULL); /* an omega that no text has */
    axes[i].max_level = 3;
  }
  entropic_kernel *kernel = make_kernel(axes, 4, 4);
  memset(p, '?', 3);
  memset(other, '?', 5);
  q[0] = '?';
  assert_int_equal(kernel->distinct_count, 2);
  entropic_axis_options back;
  assert_int_equal(entropic_kernel_axis(NULL, kernel, 0, &back, sizeof back), ENTROPIC_OK);
  assert_string_equal(back.p_text, "1+x");
  assert_string_equal(back.q_text, "1");
  assert_null(back.alpha_text);
  assert_int_equal(entropic_kernel_axis(NULL, kernel, 1, &back, sizeof back), ENTROPIC_OK);
  assert_string_equal(back.p_text, "1+2*x");
  assert_int_equal(entropic_kernel_has(kernel, 3, ENTROPIC_TRAIT_OMEGA), 0);
  assert_int_equal(entropic_kernel_has(kernel, 3, ENTROPIC_TRAIT_SAVED), 1);
  assert_int_equal(entropic_kernel_has(kernel, 4, 0), 0);
  assert_int_equal(entropic_kernel_has(NULL, 0, 0), 0);
  assert_close(ent_kernel_axis_value(kernel, 3, 0.5, 0.7), 1.5, 1e-15);
  entropic_kernel_free(kernel);
}

/* A program that was compiled before there were texts. */
static void older_options(void **state) {
  (void)state;
  size_t size = offsetof(entropic_axis_options, p_text);
  entropic_axis_options options;
  assert_int_equal(entropic_axis_options_init(&options, size), ENTROPIC_OK);
  options.p_text = "not read";
  entropic_kernel *kernel = NULL;
  assert_int_equal(entropic_kernel_create(NULL, &options, 1, 2, &kernel), ENTROPIC_OK);
  entropic_kernel_free(kernel);
}

static void not_too_many(void **state) {
  (void)state;
  static entropic_axis_options axes[ENT_TEXT_AXES_MOST + 1];
  const restated pair = {.p = "1+w*x", .q = "1"};
  for (size_t i = 0; i <= ENT_TEXT_AXES_MOST; i++) {
    axes[i] = text_options(&pair, 1 + (double)i, ENTROPIC_BASIS_FULL);
    axes[i].max_level = 2;
  }
  entropic_kernel *kernel = make_kernel(axes, ENT_TEXT_AXES_MOST, ENT_TEXT_AXES_MOST);
  entropic_kernel_free(kernel);
  entropic_context *context = context_with(1);
  kernel = NULL;
  assert_int_equal(ent_kernel_create(context, axes, ENT_TEXT_AXES_MOST + 1, ENT_TEXT_AXES_MOST + 1, &kernel),
                   ENTROPIC_TOO_LARGE);
  assert_message(context, "more than 256 different custom kernels");
  assert_null(kernel);
  entropic_context_free(context);
}

SUITE(axis_text) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(restated_families_are_the_same),
      cmocka_unit_test(restated_designs_are_the_same),
      cmocka_unit_test(uneven_levels),
      cmocka_unit_test(large_values),
      cmocka_unit_test(wrong_pairs_are_refused),
      cmocka_unit_test(wrong_forms_are_refused),
      cmocka_unit_test(texts_are_copied_and_told_apart),
      cmocka_unit_test(older_options),
      cmocka_unit_test(not_too_many),
  };
  return cmocka_run_group_tests_name("axis: custom kernels as text", tests, NULL, NULL);
}
