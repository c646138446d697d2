/* Designs of custom kernels, whose atoms of one level differ in score: single atoms compete. Scores come from p and q in 113
 * bits; where two agree to nine digits, either may come first. */
#include "unit/reference.h"

#define LEVELS 6
#define MOST_ATOMS 130

typedef struct one_atom {
  size_t level;
  uint64_t atom;
  double score;
} one_atom;

typedef struct input_atoms {
  size_t count;
  one_atom atoms[MOST_ATOMS];
} input_atoms;

/* c times the integral of the hat's square, by Simpson's rule. */
static double hat_l2(const ref_family *family, wide w, wide z, wide h) {
  wide sum = 0;
  const int steps = 200;
  for (int k = 0; k < steps; k++) {
    wide left = ref_hat(family, w, z, h, z - h * k / steps), right = ref_hat(family, w, z, h, z + h * k / steps);
    sum += (k == 0 ? 1 : k % 2 ? 4 : 2) * (left * left + right * right) * h / (3 * steps);
  }
  return (double)(ref_norm(family, w, z, h) * sum);
}

static void collect(const entropic_kernel *kernel, size_t input, const ref_family *family, double omega,
                    entropic_criterion criterion, input_atoms *all) {
  all->count = 0;
  for (size_t level = 0; level < entropic_kernel_levels(kernel, input); level++) {
    entropic_level info = level_of(kernel, input, level);
    for (uint64_t i = 0; i < info.atoms; i++) {
      wide h = wide_power_of_two(-info.order), z = (2 * (wide)i + 1) * h;
      one_atom *added = &all->atoms[all->count++];
      *added = (one_atom){level, i, criterion == ENTROPIC_CRITERION_L2 ? info.l2 : info.sup};
      if (info.kind == ENTROPIC_LEVEL_KIND_HAT && family->family == ENTROPIC_FAMILY_CUSTOM)
        added->score =
            criterion == ENTROPIC_CRITERION_L2 ? hat_l2(family, omega, z, h) : (double)ref_norm(family, omega, z, h);
    }
  }
}

/* The atoms of a listed feature, one for each of the two inputs. */
static void decode(const entropic_kernel *kernel, const entropic_design *design, const listed *feature,
                   one_atom *atoms) {
  uint64_t member = feature->member;
  for (size_t input = 2; input-- > 0;) {
    atoms[input] = (one_atom){entropic_design_base(design, input), 0, 0};
    for (size_t t = 2; t-- > 0;)
      if (feature->terms[2 * t] == input + 1) {
        atoms[input].level = feature->terms[2 * t + 1] - 1;
        uint64_t count = level_of(kernel, input, atoms[input].level).atoms;
        atoms[input].atom = member % count;
        member /= count;
      }
  }
  assert_true(member == 0);
}

static size_t place(const input_atoms *all, const one_atom *atom) {
  for (size_t i = 0; i < all->count; i++)
    if (all->atoms[i].level == atom->level && all->atoms[i].atom == atom->atom)
      return i;
  fail();
  return 0;
}

static void check_design(const entropic_kernel *kernel, const input_atoms *all, const entropic_design *design) {
  static unsigned char taken[MOST_ATOMS][MOST_ATOMS];
  memset(taken, 0, sizeof taken);
  listed *list = list_features(design);
  double least = INFINITY, best_left = 0;
  size_t distinct = 0;
  for (size_t g = 0; g < entropic_design_groups(design); g++) {
    entropic_group group = group_of(design, g);
    bool known = false;
    for (size_t before = 0; before < g && !known; before++) {
      entropic_group other = group_of(design, before);
      known =
          other.terms_count == group.terms_count &&
          (group.terms_count == 0 || memcmp(other.terms, group.terms, group.terms_count * sizeof *group.terms) == 0);
    }
    distinct += !known;
    for (size_t f = 0; f < group.features; f++) {
      one_atom atoms[2];
      decode(kernel, design, &list[group.first_feature + f], atoms);
      size_t x = place(&all[0], &atoms[0]), y = place(&all[1], &atoms[1]);
      double score = all[0].atoms[x].score * all[1].atoms[y].score;
      assert_near(exp2(group.log2_score), score, 2e-9 * score, "group %zu", g);
      assert_int_equal(taken[x][y]++, 0);
      least = fmin(least, score);
    }
    if (g > 0)
      assert_true(group.log2_score <= group_of(design, g - 1).log2_score);
  }
  for (size_t x = 0; x < all[0].count; x++)
    for (size_t y = 0; y < all[1].count; y++)
      if (!taken[x][y])
        best_left = larger(best_left, all[0].atoms[x].score * all[1].atoms[y].score);
  assert_true(best_left <= least * (1 + 4e-9));
  assert_int_equal(entropic_design_nonzeros(design), distinct);
  free(list);
}

static void best_atoms_are_taken(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"custom of its own", "custom of its own"}, {"custom of its own", "centred"},
      {"laplace", "custom of its own"},           {"custom as laplace", "custom as sobolev"},
      {"custom as bridge", "custom of its own"},  {"custom as brownian", "sobolev"}};
  const size_t counts[] = {1, 2, 5, 13, 40, 111, 500, 1900};
  for (size_t p = 0; p < COUNT(pairs); p++)
    for (int criterion = 0; criterion < 2; criterion++)
      for (int basis = 0; basis < 2; basis++) {
        double omega[2] = {3, 0.4};
        entropic_axis_options axes[2];
        for (size_t i = 0; i < 2; i++)
          axes[i] = ref_options(ref_named(pairs[p][i]), &omega[i], (entropic_basis)basis, LEVELS);
        entropic_kernel *kernel = make_kernel(axes, 2, 2);
        static input_atoms all[2];
        for (size_t i = 0; i < 2; i++)
          collect(kernel, i, ref_named(pairs[p][i]), omega[i], (entropic_criterion)criterion, &all[i]);
        for (size_t c = 0; c < COUNT(counts); c++) {
          entropic_design_options options = ent_design_options_default();
          options.criterion = (entropic_criterion)criterion;
          options.features = counts[c];
          entropic_design *design = make_design(kernel, &options);
          assert_int_equal(entropic_design_features(design), counts[c]);
          check_design(kernel, all, design);
          entropic_design_free(design);
        }
        entropic_kernel_free(kernel);
      }
}

/* All features there are, once each. */
static void exhausted(void **state) {
  (void)state;
  double omega = 2;
  entropic_axis_options options = ref_options(ref_named("custom of its own"), &omega, ENTROPIC_BASIS_FULL, 4);
  entropic_kernel *kernel = make_kernel(&options, 1, 2);
  entropic_design_options asked = ent_design_options_default();
  asked.features = 1000;
  entropic_design *design = make_design(kernel, &asked);
  assert_int_equal(entropic_design_features(design), 17 * 17);
  assert_int_equal(entropic_design_nonzeros(design), 6 * 6);
  assert_int_equal(entropic_design_exhausted(design), 1);
  listed *list = list_features(design);
  sort_listed(list, 17 * 17);
  assert_no_duplicates(list, 17 * 17);
  free(list);
  entropic_design_free(design);
  asked.max_order = 1;
  design = make_design(kernel, &asked);
  assert_int_equal(entropic_design_features(design), 1 + 2 * 16);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
}

/* A single atom of a custom input times a level of another: cut by mass within that level, rows of other atoms apart. */
static void cut_by_mass(void **state) {
  (void)state;
  double omega[2] = {1, 1};
  const entropic_axis_options axes[2] = {
      ref_options(ref_named("custom of its own"), &omega[0], ENTROPIC_BASIS_INTERIOR, 3),
      ref_options(ref_named("bridge"), &omega[1], ENTROPIC_BASIS_INTERIOR, 3)};
  entropic_kernel *kernel = make_kernel(axes, 2, 2);
  entropic_design_options options = ent_design_options_default();
  options.features = 49; /* all there are: says in which group each lies, and how many features come before it */
  entropic_design *whole = make_design(kernel, &options);
  size_t checked = 0;
  for (size_t g = 0; g < entropic_design_groups(whole); g++) {
    entropic_group group = group_of(whole, g);
    if (group.features < 2)
      continue;
    /* the second input's level has several atoms; the first input is at one atom of its level, or at its base */
    uint64_t last = group.members != NULL ? group.members[group.features - 1] : group.features - 1;
    size_t level = group.terms[group.terms_count - 1].level;
    uint64_t count = level_of(kernel, 1, level).atoms;
    assert_true(count == group.features);
    double h = ldexp(1, -(int)level - 1), node = 1 - h; /* of its last atom */
    double own = 0.5;                                   /* the node of the first input's atom */
    if (group.terms_count == 2) {
      double step = ldexp(1, -(int)group.terms[0].level - 1);
      uint64_t atom = last / count;
      own = (2 * (double)atom + 1) * step;
    }
    double sample[4] = {own, node, fmod(own + 0.5, 1), h}; /* the second row belongs to another atom, or to an end */
    if (group.terms_count == 1)
      sample[2] = 0;
    options.features = group.first_feature + 1;
    options.sample = sample;
    options.sample_rows = 2;
    entropic_design *cut = make_design(kernel, &options);
    entropic_group end = group_of(cut, entropic_design_groups(cut) - 1);
    assert_int_equal(end.features, 1);
    assert_non_null(end.members);
    assert_true(end.members[0] == last);
    entropic_design_free(cut);
    checked++;
  }
  assert_true(checked >= 4);
  entropic_design_free(whole);
  entropic_kernel_free(kernel);
}

static void custom_designs_cannot_be_saved(void **state) {
  double omega = 2;
  entropic_context *context;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  const entropic_axis_options axes[2] = {ref_options(ref_named("centred"), &omega, ENTROPIC_BASIS_FULL, 4),
                                         ref_options(ref_named("custom of its own"), &omega, ENTROPIC_BASIS_FULL, 4)};
  entropic_kernel *kernel = make_kernel(axes, 2, 2);
  entropic_design_options options = ent_design_options_default();
  options.features = 9;
  entropic_design *design = make_design(kernel, &options);
  const char *path = in_folder(state, "custom.design");
  assert_int_equal(entropic_design_save(context, design, path), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "custom");
  assert_int_equal(access(path, F_OK), -1);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
  entropic_context_free(context);
}

SUITE(design_custom) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(best_atoms_are_taken),
      cmocka_unit_test(exhausted),
      cmocka_unit_test(cut_by_mass),
      cmocka_unit_test_setup_teardown(custom_designs_cannot_be_saved, make_folder, remove_folder),
  };
  return cmocka_run_group_tests_name("design: custom kernels", tests, NULL, NULL);
}
