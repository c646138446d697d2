/* What every design promises: non-increasing scores, nothing twice, nothing better left out, nested in M, independent of
 * the order of columns; and which features are taken when M cuts a group. */
#include "unit/reference.h"

static entropic_kernel *isotropic(entropic_family family, double omega, entropic_basis basis, int levels,
                                  size_t inputs) {
  entropic_axis_options options = ent_axis_options_default();
  options.family = family;
  options.omega = omega;
  options.basis = basis;
  options.max_level = levels;
  return make_kernel(&options, 1, inputs);
}

static entropic_kernel *anisotropic(uint64_t seed, size_t inputs, int levels, bool mixed) {
  entropic_axis_options *axes = calloc(inputs, sizeof *axes);
  assert_non_null(axes);
  entropic_random random = entropic_random_start(seed, 0);
  for (size_t i = 0; i < inputs; i++) {
    axes[i] = ent_axis_options_default();
    axes[i].omega = exp2(entropic_random_uniform(&random) * 8 - 6);
    axes[i].max_level = levels;
    if (mixed)
      axes[i].family = (entropic_family)entropic_random_below(&random, 4);
  }
  entropic_kernel *kernel = make_kernel(axes, inputs, inputs);
  free(axes);
  return kernel;
}

static void assert_scores_fall(const entropic_design *design) {
  for (size_t g = 1; g < entropic_design_groups(design); g++)
    assert_true(group_of(design, g).log2_score <= group_of(design, g - 1).log2_score);
}

static void fill_uniform(double *values, size_t count, uint64_t seed) {
  entropic_random random = entropic_random_start(seed, 0);
  for (size_t i = 0; i < count; i++)
    values[i] = entropic_random_uniform(&random);
}

/* ---- Nested ---- */

static void check_nested(const entropic_kernel *kernel, entropic_design_options options, size_t most) {
  listed *before = NULL;
  for (size_t m = 1; m <= most; m++) {
    options.features = m;
    entropic_design *design = make_design(kernel, &options);
    assert_int_equal(entropic_design_features(design), m);
    assert_scores_fall(design);
    listed *list = list_features(design);
    if (options.sample != NULL)
      sort_listed(list, m);
    size_t matched = 0; /* of those before, in order */
    for (size_t i = 0; i < m && matched < m - 1; i++)
      matched += compare_listed(&list[i], &before[matched]) == 0;
    assert_int_equal(matched, m - 1);
    if (options.sample == NULL && m > 1)
      assert_int_equal(memcmp(list, before, (m - 1) * sizeof *list), 0);
    free(before);
    before = list;
    entropic_design_free(design);
  }
  free(before);
}

static void designs_are_nested(void **state) {
  (void)state;
  static double sample[50 * 3];
  fill_uniform(sample, 150, 8);
  size_t most = rounds(300);
  for (int sampled = 0; sampled < 2; sampled++)
    for (int criterion = 0; criterion < 2 + sampled; criterion++) {
      entropic_design_options options = ent_design_options_default();
      options.criterion = (entropic_criterion)criterion;
      options.sample = sampled ? sample : NULL;
      options.sample_rows = 50;
      entropic_kernel *kernels[4] = {isotropic(ENTROPIC_FAMILY_CENTRED, 1, ENTROPIC_BASIS_FULL, 8, 3),
                                     anisotropic(1, 3, 8, true),
                                     isotropic(ENTROPIC_FAMILY_LAPLACE, 200, ENTROPIC_BASIS_FULL, 8, 3),
                                     isotropic(ENTROPIC_FAMILY_COSH, 2, ENTROPIC_BASIS_INTERIOR, 8, 3)};
      for (size_t i = 0; i < 4; i++) {
        check_nested(kernels[i], options, most);
        entropic_kernel_free(kernels[i]);
      }
    }
}

/* By non-zeros the groups of fewer are the first groups of more. */
static void designs_by_nonzeros_are_nested(void **state) {
  (void)state;
  entropic_kernel *kernel = anisotropic(5, 4, 7, true);
  entropic_design_options options = ent_design_options_default();
  options.nonzeros = 200;
  entropic_design *most = make_design(kernel, &options);
  for (size_t b = 1; b < 200; b++) {
    options.nonzeros = b;
    entropic_design *design = make_design(kernel, &options);
    assert_int_equal(entropic_design_groups(design), b);
    assert_int_equal(entropic_design_nonzeros(design), b);
    entropic_group last = group_of(design, b - 1), same = group_of(most, b - 1);
    assert_int_equal(last.terms_count, same.terms_count);
    if (last.terms_count > 0)
      assert_memory_equal(last.terms, same.terms, last.terms_count * sizeof *last.terms);
    assert_null(last.members);
    entropic_design_free(design);
  }
  /* features x score never increases */
  for (size_t g = 1; g < 200; g++) {
    entropic_group a = group_of(most, g - 1), b = group_of(most, g);
    assert_true(b.log2_score + log2((double)b.atoms) <= a.log2_score + log2((double)a.atoms) + 1e-8);
  }
  entropic_design_free(most);
  entropic_kernel_free(kernel);
}

/* ---- Large ---- */

static double log2_of_level(const entropic_kernel *kernel, size_t input, size_t level) {
  return log2(level_of(kernel, input, level).l2);
}

/* Another level at one input of a feature: if that scores better than the last feature, the design has it. */
static void probe(const entropic_kernel *kernel, const entropic_design *design, const listed *sorted, size_t count,
                  entropic_random *random) {
  entropic_group group = group_of(design, entropic_random_below(random, entropic_design_groups(design)));
  size_t input = entropic_random_below(random, entropic_kernel_inputs(kernel));
  size_t level = entropic_random_below(random, entropic_kernel_levels(kernel, input));
  if (group.terms_count > 0 && entropic_random_below(random, 2) == 0)
    input = group.terms[entropic_random_below(random, group.terms_count)].input;
  listed changed = {.member = 0};
  size_t used = 0, base = entropic_design_base(design, input), old = base;
  bool placed = level == base;
  for (size_t t = 0; t <= group.terms_count; t++) {
    if (!placed && (t == group.terms_count || group.terms[t].input >= input)) {
      changed.terms[2 * used] = input + 1;
      changed.terms[2 * used++ + 1] = level + 1;
      placed = true;
    }
    if (t < group.terms_count && group.terms[t].input == input) {
      old = group.terms[t].level;
    } else if (t < group.terms_count) {
      changed.terms[2 * used] = group.terms[t].input + 1;
      changed.terms[2 * used++ + 1] = group.terms[t].level + 1;
    }
  }
  double score = group.log2_score + log2_of_level(kernel, input, level) - log2_of_level(kernel, input, old);
  double last = group_of(design, entropic_design_groups(design) - 1).log2_score;
  if (score > last + 1e-6)
    assert_non_null(bsearch(&changed, sorted, count, sizeof changed, compare_listed));
  if (score < last - 1e-6)
    assert_null(bsearch(&changed, sorted, count, sizeof changed, compare_listed));
}

static void check_large(entropic_kernel *kernel, size_t features) {
  entropic_design_options options = ent_design_options_default();
  options.features = features;
  entropic_design *design = make_design(kernel, &options);
  assert_int_equal(entropic_design_features(design), features);
  assert_int_equal(entropic_design_exhausted(design), 0);
  assert_scores_fall(design);
  listed *list = list_features(design);
  sort_listed(list, features);
  assert_no_duplicates(list, features);
  entropic_random random = entropic_random_start(6, 0);
  for (size_t i = 0; i < rounds(50000); i++)
    probe(kernel, design, list, features, &random);
  free(list);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

static void a_thousand_inputs(void **state) {
  (void)state;
  size_t features = rounds(100000);
  check_large(isotropic(ENTROPIC_FAMILY_CENTRED, 1, ENTROPIC_BASIS_FULL, 16, 1000), features);
  check_large(isotropic(ENTROPIC_FAMILY_LAPLACE, 0.7, ENTROPIC_BASIS_FULL, 16, 1000), features);
  check_large(anisotropic(3, 1000, 16, false), features);
  check_large(anisotropic(4, 1000, 16, true), features);
}

/* How many features of the isotropic centred kernel have k active inputs whose levels add up to s, the line counted as
 * level 1: C(D,k) times the coefficient of z^s in (2z + 2z^2 + 4z^3 + 8z^4 + ...)^k. All of them score (w/3)^k 4^-s. */
static double count_class(size_t inputs, size_t k, size_t s) {
  double coefficients[64] = {1};
  for (size_t factor = 1; factor <= k; factor++)
    for (size_t degree = s + 1; degree-- > 0;) {
      double sum = 0;
      for (size_t l = 1; l <= degree; l++)
        sum += coefficients[degree - l] * (l == 1 ? 2 : ldexp(1, (int)l - 1));
      coefficients[degree] = sum;
    }
  double learners = coefficients[s];
  for (size_t i = 0; i < k; i++)
    learners = learners * (double)(inputs - i) / (double)(i + 1);
  return learners;
}

static void check_counts(double omega, size_t inputs, size_t features) {
  entropic_kernel *kernel = isotropic(ENTROPIC_FAMILY_CENTRED, omega, ENTROPIC_BASIS_FULL, 30, inputs);
  entropic_design_options options = ent_design_options_default();
  options.features = features;
  entropic_design *design = make_design(kernel, &options);
  double last = group_of(design, entropic_design_groups(design) - 1).log2_score;
  double better = 0, equal = 0;
  for (size_t k = 0; k < 20; k++)
    for (size_t s = k; s < 30; s++) {
      double score = (double)k * log2(omega / 3) - 2 * (double)s,
             learners = k == 0 && s > 0 ? 0 : count_class(inputs, k, s);
      if (score > last + 1e-6)
        better += learners;
      else if (score > last - 1e-6)
        equal += learners;
    }
  double found = 0;
  for (size_t g = 0; g < entropic_design_groups(design); g++)
    if (group_of(design, g).log2_score > last + 1e-6)
      found += (double)group_of(design, g).features;
  assert_true(found == better);
  assert_true(better < (double)features && (double)features <= better + equal);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

static void nothing_better_is_left_out(void **state) {
  (void)state;
  const size_t features[] = {1, 2, 77, 1001, 30000, 250000};
  for (size_t i = 0; i < rounds(6); i++) {
    check_counts(1, 1000, features[i]);
    check_counts(0.1, 100, features[i]);
    check_counts(2.5, 12, features[i]);
    check_counts(0.3, 3, features[i]);
  }
}

/* ---- Columns in another order ---- */

#define COLUMNS 6
static const size_t permutation[COLUMNS] = {4, 2, 5,
                                            0, 3, 1}; /* column i of one sample is column permutation[i] of the other */

/* The atoms of a feature by input, levels as atom numbers of their own where an input is no term. */
static void spread_out(const entropic_kernel *kernel, const entropic_group *group, uint64_t member, bool permuted,
                       uint64_t *spread) {
  for (size_t i = 0; i < 2 * COLUMNS; i++)
    spread[i] = 0;
  for (size_t t = group->terms_count; t-- > 0;) {
    size_t input = group->terms[t].input;
    uint64_t atoms = level_of(kernel, input, group->terms[t].level).atoms;
    for (size_t i = 0; permuted && i < COLUMNS; i++)
      if (permutation[i] == group->terms[t].input)
        input = i;
    spread[2 * input] = group->terms[t].level + 1;
    spread[2 * input + 1] = member % atoms + 1;
    member /= atoms;
  }
}

static void check_permuted(const entropic_kernel *kernel, entropic_design_options options, const double *sample,
                           const double *moved) {
  options.sample_rows = 70;
  options.sample = sample;
  entropic_design *first = make_design(kernel, &options);
  options.sample = moved;
  entropic_design *second = make_design(kernel, &options);
  assert_int_equal(entropic_design_groups(first), entropic_design_groups(second));
  for (size_t g = 0; g < entropic_design_groups(first); g++) {
    entropic_group a = group_of(first, g), b = group_of(second, g);
    assert_int_equal(a.features, b.features);
    assert_true(a.log2_score == b.log2_score);
    for (size_t i = 0; i < (a.members != NULL ? a.features : 1); i++) { /* of whole groups the terms say all */
      uint64_t x[2 * COLUMNS], y[2 * COLUMNS];
      spread_out(kernel, &a, a.members != NULL ? a.members[i] : i, false, x);
      bool found = false; /* members are in another order, because terms are */
      assert_int_equal(a.members != NULL, b.members != NULL);
      for (size_t j = 0; j < b.features && !found; j++) {
        spread_out(kernel, &b, b.members != NULL ? b.members[j] : j, true, y);
        found = memcmp(x, y, sizeof x) == 0;
      }
      assert_true(found);
    }
  }
  entropic_design_free(first);
  entropic_design_free(second);
}

static void columns_may_be_permuted(void **state) {
  (void)state;
  static double sample[70 * COLUMNS], moved[70 * COLUMNS];
  fill_uniform(sample, 70 * COLUMNS, 12);
  for (size_t i = 0; i < 70 * COLUMNS; i++)
    moved[i / COLUMNS * COLUMNS + permutation[i % COLUMNS]] = sample[i];
  entropic_kernel *kernels[3] = {isotropic(ENTROPIC_FAMILY_CENTRED, 2, ENTROPIC_BASIS_FULL, 4, COLUMNS),
                                 isotropic(ENTROPIC_FAMILY_LAPLACE, 3, ENTROPIC_BASIS_FULL, 4, COLUMNS),
                                 isotropic(ENTROPIC_FAMILY_SOBOLEV, 3, ENTROPIC_BASIS_INTERIOR, 4, COLUMNS)};
  for (size_t k = 0; k < 3; k++) {
    for (int criterion = 0; criterion < 3; criterion++)
      for (size_t m = 1; m < 600; m = m * 3 / 2 + 1) {
        entropic_design_options options = ent_design_options_default();
        options.criterion = (entropic_criterion)criterion;
        options.features = m;
        check_permuted(kernels[k], options, sample, moved);
        options.features = 0;
        options.nonzeros = m / 10 + 1;
        check_permuted(kernels[k], options, sample, moved);
      }
    entropic_kernel_free(kernels[k]);
  }
}

SUITE(design_order) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(designs_are_nested),      cmocka_unit_test(designs_by_nonzeros_are_nested),
      cmocka_unit_test(a_thousand_inputs),       cmocka_unit_test(nothing_better_is_left_out),
      cmocka_unit_test(columns_may_be_permuted),
  };
  return cmocka_run_group_tests_name("design: order", tests, NULL, NULL);
}
