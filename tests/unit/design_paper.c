/* The source paper's sets S_n and its random choice of features. */
#include "unit/reference.h"

static const size_t table_inputs[] = {8, 12, 32, 81};
static const uint64_t table_features[4][4] = {
    {1, 17, 161, 1121}, {1, 25, 337, 3249}, {1, 65, 2177, 50049}, {1, 163, 13447, 748495}};
static const uint64_t table_nonzeros[4][4] = {
    {1, 9, 45, 165}, {1, 13, 91, 455}, {1, 33, 561, 6545}, {1, 82, 3403, 95284}};

static entropic_kernel *hats(size_t inputs, int levels) {
  entropic_axis_options options = ent_axis_options_default();
  options.family = ENTROPIC_FAMILY_LAPLACE;
  options.basis = ENTROPIC_BASIS_INTERIOR;
  options.max_level = levels;
  options.unit_height = 1;
  return make_kernel(&options, 1, inputs);
}

static entropic_design *choose(const entropic_kernel *kernel, size_t features, uint64_t seed) {
  entropic_design_options options = ent_design_options_default();
  options.select = ENTROPIC_SELECT_PAPER;
  options.criterion = ENTROPIC_CRITERION_SUP;
  options.features = features;
  options.seed = seed;
  return make_design(kernel, &options);
}

static void sizes_are_those_of_the_table(void **state) {
  (void)state;
  for (size_t d = 0; d < COUNT(table_inputs); d++)
    for (unsigned n = 1; n <= 4; n++) {
      uint64_t features = 0, nonzeros = 0;
      assert_int_equal(ent_paper_size(NULL, table_inputs[d], n, &features, &nonzeros), ENTROPIC_OK);
      assert_true(features == table_features[d][n - 1]);
      assert_true(nonzeros == table_nonzeros[d][n - 1]);
    }
}

/* Counted by adding one input after the other: by_sum[s] features and groups have levels that add up to D + s. */
static void sizes_by_counting(void **state) {
  (void)state;
  wide features[33] = {1}, groups[33] = {1};
  for (size_t inputs = 1; inputs <= 200; inputs++) {
    for (size_t s = 32; s > 0; s--)
      for (size_t up = 1; up <= s; up++) {
        features[s] += features[s - up] * wide_power_of_two((int)up);
        groups[s] += groups[s - up];
      }
    wide all_features = 0, all_groups = 0;
    for (unsigned n = 1; n <= 33; n++) {
      all_features += features[n - 1];
      all_groups += groups[n - 1];
      uint64_t size = 7, nonzeros = 7;
      entropic_status status = ent_paper_size(NULL, inputs, n, &size, &nonzeros);
      if (all_features < wide_power_of_two(64)) {
        assert_int_equal(status, ENTROPIC_OK);
        assert_true(size == (uint64_t)all_features && nonzeros == (uint64_t)all_groups);
      } else {
        assert_int_equal(status, ENTROPIC_TOO_LARGE);
        assert_true(size == 7 && nonzeros == 7);
      }
    }
  }
}

/* One input: 2^n - 1 features, which 64 bits hold up to n = 64. */
static void sizes_at_the_limit(void **state) {
  (void)state;
  uint64_t features, nonzeros;
  for (unsigned n = 1; n <= 64; n++) {
    assert_int_equal(ent_paper_size(NULL, 1, n, &features, &nonzeros), ENTROPIC_OK);
    assert_true(features == UINT64_MAX >> (64 - n) && nonzeros == n);
  }
}

static void wrong_sizes(void **state) {
  (void)state;
  entropic_context *context;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  uint64_t features = 7, nonzeros = 8;
  assert_int_equal(ent_paper_size(context, 0, 3, &features, &nonzeros), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "inputs");
  assert_int_equal(ent_paper_size(context, 3, 0, &features, &nonzeros), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "n");
  const size_t inputs[] = {1, 2, 1000, SIZE_MAX, SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 1};
  const unsigned n[] = {65, 64, 1000, 2, UINT32_MAX, 2, 2};
  for (size_t i = 0; i < COUNT(inputs); i++) {
    assert_int_equal(ent_paper_size(context, inputs[i], n[i], &features, &nonzeros), ENTROPIC_TOO_LARGE);
    assert_message(context, "S_");
  }
  assert_true(features == 7 && nonzeros == 8);
  assert_int_equal(ent_paper_size(context, SIZE_MAX, 1, &features, &nonzeros), ENTROPIC_OK);
  assert_true(features == 1 && nonzeros == 1);
  entropic_context_free(context);
}

/* |l|_1 of a group, D counted off. */
static size_t excess(const entropic_kernel *kernel, const entropic_group *group) {
  size_t sum = 0;
  for (size_t t = 0; t < group->terms_count; t++)
    sum += (size_t)level_of(kernel, group->terms[t].input, group->terms[t].level).order - 1;
  return sum;
}

/* log2 of the product of c over all inputs. */
static double log2_norm(const entropic_kernel *kernel, const entropic_group *group) {
  size_t inputs = entropic_kernel_inputs(kernel);
  double root = log2(level_of(kernel, 0, 0).sup), sum = (double)inputs * root;
  for (size_t t = 0; t < group->terms_count; t++)
    sum += log2(level_of(kernel, group->terms[t].input, group->terms[t].level).sup) - root;
  return sum;
}

/* Asked for |S_n| features, the design is S_n. */
static void whole_sets(void **state) {
  (void)state;
  for (size_t d = 0; d < (rounds(25) == 25 ? 4 : 2); d++)
    for (size_t n = 1; n <= 4; n++) {
      entropic_kernel *kernel = hats(table_inputs[d], 16);
      size_t features = (size_t)table_features[d][n - 1], groups = (size_t)table_nonzeros[d][n - 1];
      entropic_design *design = choose(kernel, features, 1);
      assert_int_equal(entropic_design_features(design), features);
      assert_int_equal(entropic_design_groups(design), groups);
      assert_int_equal(entropic_design_nonzeros(design), groups);
      assert_int_equal(entropic_design_exhausted(design), 0);
      listed *list = calloc(groups, sizeof *list);
      assert_non_null(list);
      for (size_t g = 0; g < groups; g++) {
        entropic_group group = group_of(design, g);
        assert_true(excess(kernel, &group) < n);
        assert_true(group.atoms == UINT64_C(1) << excess(kernel, &group));
        assert_true(group.features == group.atoms && group.members == NULL);
        assert_close(group.log2_score, log2_norm(kernel, &group), 1e-8 * (double)table_inputs[d]);
        for (size_t t = 0; t < group.terms_count; t++) {
          list[g].terms[2 * t] = group.terms[t].input + 1;
          list[g].terms[2 * t + 1] = group.terms[t].level + 1;
        }
      }
      sort_listed(list, groups);
      assert_no_duplicates(list, groups);
      free(list);
      for (size_t i = 0; i < table_inputs[d]; i++)
        assert_int_equal(entropic_design_base(design, i), 0);
      entropic_design_free(design);
      entropic_kernel_free(kernel);
    }
}

/* Between two sets: M features of the smallest S_n that has enough. */
static void random_choices(void **state) {
  (void)state;
  entropic_kernel *kernel = hats(12, 16);
  const size_t counts[] = {2, 3, 24, 26, 100, 336, 338, 1000, 3248};
  const size_t sets[] = {2, 2, 2, 3, 3, 3, 4, 4, 4};
  for (size_t i = 0; i < COUNT(counts); i++) {
    entropic_design *design = choose(kernel, counts[i], 42), *again = choose(kernel, counts[i], 42);
    entropic_design *other = choose(kernel, counts[i], 43);
    listed *list = list_features(design), *same = list_features(again), *others = list_features(other);
    assert_int_equal(entropic_design_features(design), counts[i]);
    assert_int_equal(entropic_design_features(other), counts[i]);
    for (size_t g = 0; g < entropic_design_groups(design); g++) {
      entropic_group group = group_of(design, g);
      assert_true(excess(kernel, &group) < sets[i]);
      for (size_t m = 1; m < group.features && group.members != NULL; m++)
        assert_true(group.members[m - 1] < group.members[m]);
    }
    assert_memory_equal(list, same, counts[i] * sizeof *list);
    assert_true(memcmp(list, others, counts[i] * sizeof *list) != 0);
    sort_listed(list, counts[i]);
    assert_no_duplicates(list, counts[i]);
    free(list);
    free(same);
    free(others);
    entropic_design_free(design);
    entropic_design_free(again);
    entropic_design_free(other);
  }
  entropic_kernel_free(kernel);
}

/* D = 2, S_2: the root and two hats in either input. Every pair of the five is as likely as any other. */
static void pairs_are_uniform(void **state) {
  (void)state;
  entropic_kernel *kernel = hats(2, 16);
  double counts[5][5] = {{0}};
  size_t draws = rounds(50000);
  for (uint64_t seed = 0; seed < draws; seed++) {
    entropic_design *design = choose(kernel, 2, seed);
    listed *list = list_features(design);
    size_t which[2];
    for (size_t i = 0; i < 2; i++)
      which[i] = list[i].terms[0] == 0 ? 0 : (list[i].terms[0] - 1) * 2 + list[i].member + 1;
    assert_true(which[0] < which[1] && which[1] < 5);
    counts[which[0]][which[1]]++;
    free(list);
    entropic_design_free(design);
  }
  double chi_square = 0, expected = (double)draws / 10;
  for (size_t i = 0; i < COUNT(counts); i++)
    for (size_t j = i + 1; j < 5; j++)
      chi_square += (counts[i][j] - expected) * (counts[i][j] - expected) / expected;
  assert_true(chi_square < 43.8); /* nine degrees of freedom: passed once in 1.5 million times by chance */
  entropic_kernel_free(kernel);
}

/* D = 3, S_3 has 1 + 6 + 24 features: each is among ten as often as the others. */
static void every_feature_is_as_likely(void **state) {
  (void)state;
  entropic_kernel *kernel = hats(3, 16);
  listed *all;
  entropic_design *whole = choose(kernel, 31, 0);
  all = list_features(whole);
  entropic_design_free(whole);
  sort_listed(all, 31);
  double counts[31] = {0};
  size_t draws = rounds(20000);
  for (uint64_t seed = 0; seed < draws; seed++) {
    entropic_design *design = choose(kernel, 10, seed * 7919 + 1);
    listed *list = list_features(design);
    for (size_t i = 0; i < 10; i++) {
      const listed *found = bsearch(&list[i], all, 31, sizeof *all, compare_listed);
      assert_non_null(found);
      counts[found - all]++;
    }
    free(list);
    entropic_design_free(design);
  }
  /* of draws without replacement: variance p(1-p) N, and 30 degrees of freedom after scaling by 31/30 */
  double p = 10.0 / 31, chi_square = 0;
  for (size_t i = 0; i < COUNT(counts); i++)
    chi_square += pow(counts[i] - p * (double)draws, 2) / (p * (1 - p) * (double)draws) * 30 / 31;
  assert_true(chi_square < 84 && chi_square > 6);
  free(all);
  entropic_kernel_free(kernel);
}

/* The kernel's levels, of the input that has fewest, end the sets. */
static void few_levels(void **state) {
  (void)state;
  entropic_axis_options axes[3] = {ent_axis_options_default(), ent_axis_options_default(), ent_axis_options_default()};
  for (int i = 0; i < 3; i++) {
    axes[i].basis = ENTROPIC_BASIS_INTERIOR;
    axes[i].omega = 1 + i;
    axes[i].max_level = i == 1 ? 2 : 5;
  }
  entropic_kernel *kernel = make_kernel(axes, 3, 3);
  entropic_design *design = choose(kernel, 100, 1);
  assert_int_equal(entropic_design_features(design), 7);
  assert_int_equal(entropic_design_exhausted(design), 1);
  entropic_design_free(design);
  design = choose(kernel, 7, 1);
  assert_int_equal(entropic_design_features(design), 7);
  assert_int_equal(entropic_design_exhausted(design), 0);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

SUITE(design_paper) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_are_those_of_the_table),
      cmocka_unit_test(sizes_by_counting),
      cmocka_unit_test(sizes_at_the_limit),
      cmocka_unit_test(wrong_sizes),
      cmocka_unit_test(whole_sets),
      cmocka_unit_test(random_choices),
      cmocka_unit_test(pairs_are_uniform),
      cmocka_unit_test(every_feature_is_as_likely),
      cmocka_unit_test(few_levels),
  };
  return cmocka_run_group_tests_name("design: the paper's sets", tests, NULL, NULL);
}
