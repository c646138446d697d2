/* Options of an axis and creating kernels: defaults, names, and one refusal for each field, which names it. */
#include "axis/axis.h"
#include "model/format.h"
#include "unit/reference.h"

static void defaults(void **state) {
  (void)state;
  entropic_axis_options options = ent_axis_options_default();
  assert_int_equal(options.family, ENTROPIC_FAMILY_CENTRED);
  assert_int_equal(options.basis, ENTROPIC_BASIS_FULL);
  assert_true(options.omega == 1);
  assert_int_equal(options.max_level, 16);
  assert_int_equal(options.smooth, 0);
  assert_int_equal(options.unit_height, 0);
  assert_true(options.p == NULL && options.q == NULL && options.user == NULL);
  assert_int_equal(options.categories, 0);
}

static void names_of_families(void **state) {
  (void)state;
  /* files have these numbers: they stay for ever */
  static const struct {
    const char *name;
    int number;
  } released[] = {{"centred", 0}, {"sobolev", 1}, {"laplace", 2},  {"cosh", 3},   {"brownian", 4},
                  {"bridge", 5},  {"custom", 6},  {"category", 7}, {"neumann", 8}};
  for (size_t i = 0; i < COUNT(released); i++)
    assert_string_equal(entropic_family_name((entropic_family)released[i].number), released[i].name);
  size_t count = ent_family_count();
  for (size_t i = 0; i < count; i++) {
    entropic_family family = (entropic_family)99;
    assert_int_equal(entropic_family_find(entropic_family_name((entropic_family)i), &family), 1);
    assert_int_equal(family, i); /* so no name appears twice */
  }
  const int none[] = {(int)count, -1, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < COUNT(none); i++) {
    assert_null(entropic_family_name((entropic_family)none[i]));
    assert_null(ent_family_help((entropic_family)none[i]));
    assert_int_equal(entropic_family_has((entropic_family)none[i], 0), 0);
  }
  entropic_family untouched = ENTROPIC_FAMILY_COSH;
  assert_int_equal(entropic_family_find(NULL, &untouched), 0);
  assert_int_equal(entropic_family_find("cosh", NULL), 0);
  assert_int_equal(untouched, ENTROPIC_FAMILY_COSH);
  const char *const wrong[] = {"", "centre", "centredd", "Centred", " centred", "gauss"};
  for (size_t i = 0; i < COUNT(wrong); i++) {
    entropic_family family = ENTROPIC_FAMILY_COSH;
    assert_int_equal(entropic_family_find(wrong[i], &family), 0);
    assert_int_equal(family, ENTROPIC_FAMILY_COSH);
  }
}

/* The text with the names of the families that have these traits: it has each of them, in order, and no other. */
static void expect_families(unsigned traits) {
  char names[ENT_FAMILIES_SIZE], expected[ENT_FAMILIES_SIZE] = "";
  for (size_t i = 0; i < ent_family_count(); i++)
    if (entropic_family_has((entropic_family)i, traits) &&
        !entropic_family_has((entropic_family)i, ENTROPIC_TRAIT_PERIODIC)) { /* nobody asks for it */
      size_t length = strlen(expected);
      snprintf(expected + length, sizeof expected - length, "%s%s", length > 0 ? " or " : "",
               entropic_family_name((entropic_family)i));
    }
  assert_string_equal(ent_families_with(traits, names), expected);
}

/* What the families of the first release with traits have of them. */
static const struct {
  const char *name;
  unsigned traits;
} known_traits[] = {
    {"centred", ENTROPIC_TRAIT_OMEGA | ENTROPIC_TRAIT_HATS | ENTROPIC_TRAIT_CONSTANT | ENTROPIC_TRAIT_SMOOTH |
                    ENTROPIC_TRAIT_MISSING | ENTROPIC_TRAIT_SAVED},
    {"sobolev", ENTROPIC_TRAIT_OMEGA | ENTROPIC_TRAIT_HATS | ENTROPIC_TRAIT_CONSTANT | ENTROPIC_TRAIT_MISSING |
                    ENTROPIC_TRAIT_SAVED},
    {"laplace", ENTROPIC_TRAIT_OMEGA | ENTROPIC_TRAIT_HATS | ENTROPIC_TRAIT_SAVED},
    {"cosh", ENTROPIC_TRAIT_OMEGA | ENTROPIC_TRAIT_HATS | ENTROPIC_TRAIT_SAVED},
    {"brownian", ENTROPIC_TRAIT_OMEGA | ENTROPIC_TRAIT_HATS | ENTROPIC_TRAIT_SAVED},
    {"bridge", ENTROPIC_TRAIT_HATS | ENTROPIC_TRAIT_SAVED},
    {"custom", ENTROPIC_TRAIT_HATS | ENTROPIC_TRAIT_FUNCTIONS},
    {"category", ENTROPIC_TRAIT_OMEGA | ENTROPIC_TRAIT_CONSTANT | ENTROPIC_TRAIT_CATEGORIES | ENTROPIC_TRAIT_SAVED},
    {"neumann", ENTROPIC_TRAIT_OMEGA | ENTROPIC_TRAIT_HATS | ENTROPIC_TRAIT_SAVED},
    {"periodic", ENTROPIC_TRAIT_OMEGA | ENTROPIC_TRAIT_HATS | ENTROPIC_TRAIT_CONSTANT | ENTROPIC_TRAIT_SMOOTH |
                     ENTROPIC_TRAIT_MISSING | ENTROPIC_TRAIT_SAVED | ENTROPIC_TRAIT_PERIODIC},
};

static void traits_of_families(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(known_traits); i++)
    for (unsigned trait = ENTROPIC_TRAIT_OMEGA; trait <= ENTROPIC_TRAIT_PERIODIC; trait *= 2) {
      entropic_family family;
      assert_int_equal(entropic_family_find(known_traits[i].name, &family), 1);
      assert_int_equal(entropic_family_has(family, trait), (known_traits[i].traits & trait) != 0);
    }
  for (unsigned traits = 1; traits < 2 * ENTROPIC_TRAIT_PERIODIC; traits++)
    expect_families(traits);
  for (size_t i = 0; i < ent_family_count(); i++) {
    entropic_family family = (entropic_family)i;
    const ent_family *table = ent_family_of(family);
    assert_true(table->help != NULL && strlen(table->help) > 0 && strlen(table->help) <= 60);
    assert_true(strchr(table->help, '\n') == NULL);
    if (entropic_family_has(family, ENTROPIC_TRAIT_SAVED))
      assert_in_range(table->since, 1, ENT_MODEL_VERSION);
    /* what is asked of the full basis: an atom for missing values needs the constant */
    if (entropic_family_has(family, ENTROPIC_TRAIT_MISSING))
      assert_int_equal(entropic_family_has(family, ENTROPIC_TRAIT_CONSTANT), 1);
  }
}

static void expect_refusal(const entropic_axis_options *options, const char *message) {
  entropic_context *context;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  entropic_kernel *kernel = NULL;
  assert_int_equal(ent_kernel_create(context, options, 1, 3, &kernel), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, message);
  assert_null(kernel);
  /* behind two good ones it is found, too */
  entropic_axis_options three[3] = {ent_axis_options_default(), ent_axis_options_default(), *options};
  assert_int_equal(ent_kernel_create(context, three, 3, 3, &kernel), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, message);
  assert_null(kernel);
  entropic_context_free(context);
}

static void each_wrong_field_is_named(void **state) {
  (void)state;
  entropic_axis_options options;
#define WRONG(message, ...)                                                                                            \
  options = ent_axis_options_default();                                                                                \
  __VA_ARGS__;                                                                                                         \
  expect_refusal(&options, message)
  WRONG("family: 99", options.family = (entropic_family)99);
  WRONG("family: -1", options.family = (entropic_family)-1);
  WRONG("basis: 2", options.basis = (entropic_basis)2);
  WRONG("basis: -1", options.basis = (entropic_basis)-1);
  WRONG("omega: 0", options.omega = 0);
  WRONG("omega: -1", options.omega = -1);
  WRONG("omega: ", options.omega = NAN);
  WRONG("omega: inf", options.omega = INFINITY);
  WRONG("omega: ", options.omega = nextafter(1e-6, 0));
  WRONG("omega: ", options.omega = nextafter(1e4, 1e5));
  WRONG("max_level: -1", options.max_level = -1);
  WRONG("max_level: 31", options.max_level = 31);
  WRONG("smooth: -1", options.smooth = -1);
  WRONG("smooth: 1", options.smooth = 1);
  WRONG("smooth: 9", options.smooth = 9);
  WRONG("smooth: ", options.smooth = 2, options.family = ENTROPIC_FAMILY_SOBOLEV);
  WRONG("smooth: ", options.smooth = 2, options.basis = ENTROPIC_BASIS_INTERIOR);
  WRONG("unit_height: ", options.unit_height = 1);
  WRONG("max_level: 0", options.max_level = 0, options.basis = ENTROPIC_BASIS_INTERIOR);
  WRONG("max_level: 0", options.max_level = 0, options.family = ENTROPIC_FAMILY_BRIDGE);
  for (int family = 0; family < ENTROPIC_FAMILY_CATEGORY; family++) {
    WRONG("categories: 3", options.categories = 3, options.family = (entropic_family)family);
    WRONG(entropic_family_name((entropic_family)family), options.categories = 3,
          options.family = (entropic_family)family);
  }
  WRONG("categories: 0", options.family = ENTROPIC_FAMILY_CATEGORY);
  WRONG("categories: 16777217", options = category_options(((size_t)1 << 24) + 1, 1));
  WRONG("categories: ", options = category_options(SIZE_MAX, 1));
  WRONG("omega: 0", options = category_options(5, 0));
  WRONG("omega: ", options = category_options(5, NAN));
  WRONG("omega: 10001", options = category_options(5, 10001));
  WRONG("smooth: ", options = category_options(5, 1), options.smooth = 2);
  WRONG("unit_height: ", options = category_options(5, 1), options.unit_height = 1);
  WRONG("basis: categories", options = category_options(5, 1), options.basis = ENTROPIC_BASIS_INTERIOR);
  WRONG("basis: categories", options = category_options(5, 1), options.basis = ENTROPIC_BASIS_INTERIOR,
        options.unit_height = 1);
#undef WRONG
}

static void inputs_and_count_are_checked(void **state) {
  (void)state;
  entropic_context *context;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  entropic_axis_options axes[3] = {ent_axis_options_default(), ent_axis_options_default(), ent_axis_options_default()};
  entropic_kernel *kernel = NULL;
  assert_int_equal(ent_kernel_create(context, axes, 1, 0, &kernel), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "inputs: 0");
  assert_int_equal(ent_kernel_create(context, axes, 1, (size_t)INT32_MAX + 1, &kernel), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "inputs: 2147483648");
  assert_int_equal(ent_kernel_create(context, axes, 2, 3, &kernel), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "count: 2");
  assert_int_equal(ent_kernel_create(context, axes, 3, 2, &kernel), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_kernel_create(context, axes, 0, 2, &kernel), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "count: 0");
  assert_null(kernel);
  assert_int_equal(ent_kernel_create(NULL, axes, 2, 3, &kernel), ENTROPIC_BAD_ARGUMENT);
  entropic_context_free(context);
  entropic_kernel_free(NULL);
}

/* What is at the ends of the allowed ranges is allowed. */
static void ends_of_the_ranges(void **state) {
  (void)state;
  const double omegas[] = {1e-6, 1e4};
  const int levels[] = {0, ENTROPIC_MAX_LEVEL};
  for (size_t i = 0; i < COUNT(omegas); i++)
    for (size_t j = 0; j < COUNT(levels); j++) {
      entropic_axis_options options = ent_axis_options_default();
      options.omega = omegas[i];
      options.max_level = levels[j];
      options.smooth = j == 0 ? 2 : 8;
      entropic_kernel *kernel = make_kernel(&options, 1, 4);
      assert_int_equal(entropic_kernel_inputs(kernel), 4);
      assert_int_equal(entropic_kernel_levels(kernel, 3), j == 0 ? 3 : 2 + 7 + 30);
      entropic_kernel_free(kernel);
    }
}

/* Options come back as given, for each input; also with more different axes than are looked back at for repeats. */
static void options_come_back(void **state) {
  (void)state;
  entropic_axis_options axes[40];
  for (size_t i = 0; i < 40; i++) {
    axes[i] = ent_axis_options_default();
    axes[i].family = (entropic_family)(i % 6);
    axes[i].omega = 1 + (double)(i * 7 % 20);
    axes[i].max_level = 1 + (int)(i % 13);
    axes[i].basis = i % 3 == 0 ? ENTROPIC_BASIS_INTERIOR : ENTROPIC_BASIS_FULL;
    axes[i].unit_height = i % 3 == 0 && i % 2 == 0;
    axes[i].smooth = i % 6 == 0 && axes[i].basis == ENTROPIC_BASIS_FULL ? 3 : 0;
  }
  entropic_kernel *kernel = make_kernel(axes, 40, 40);
  for (size_t i = 0; i < 40; i++) {
    entropic_axis_options back = ent_kernel_axis(kernel, i);
    assert_int_equal(back.family, axes[i].family);
    assert_int_equal(back.basis, axes[i].basis);
    assert_true(back.omega == (entropic_family_has(axes[i].family, ENTROPIC_TRAIT_OMEGA) ? axes[i].omega : 1));
    assert_int_equal(back.max_level, axes[i].max_level);
    assert_int_equal(back.smooth, axes[i].smooth);
    assert_int_equal(back.unit_height, axes[i].unit_height);
    entropic_kernel *alone = make_kernel(&axes[i], 1, 1);
    assert_int_equal(entropic_kernel_levels(kernel, i), entropic_kernel_levels(alone, 0));
    assert_true(ent_kernel_axis_value(kernel, i, 0.2, 0.7) == ent_kernel_axis_value(alone, 0, 0.2, 0.7));
    entropic_kernel_free(alone);
  }
  entropic_kernel_free(kernel);
}

/* Category axes that differ in nothing but the number of categories are not taken for one. */
static void categories_come_back(void **state) {
  (void)state;
  entropic_axis_options axes[6];
  static const size_t categories[6] = {3, 4, 4, 3, (size_t)1 << 24, 1};
  for (size_t i = 0; i < 6; i++) {
    axes[i] = category_options(categories[i], i == 3 ? 2 : 1);
    axes[i].max_level = (int)i; /* there are no hats: 0 is in force */
  }
  entropic_kernel *kernel = make_kernel(axes, 6, 6);
  for (size_t i = 0; i < 6; i++) {
    entropic_axis_options back = ent_kernel_axis(kernel, i);
    assert_int_equal(back.family, ENTROPIC_FAMILY_CATEGORY);
    assert_int_equal(back.categories, categories[i]);
    assert_true(back.omega == axes[i].omega);
    assert_int_equal(back.max_level, 0);
    assert_int_equal(entropic_kernel_levels(kernel, i), 2);
    assert_true(level_of(kernel, i, 1).atoms == categories[i]);
  }
  entropic_kernel_free(kernel);
}

SUITE(axis_options) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults),
      cmocka_unit_test(names_of_families),
      cmocka_unit_test(traits_of_families),
      cmocka_unit_test(each_wrong_field_is_named),
      cmocka_unit_test(inputs_and_count_are_checked),
      cmocka_unit_test(ends_of_the_ranges),
      cmocka_unit_test(options_come_back),
      cmocka_unit_test(categories_come_back),
  };
  return cmocka_run_group_tests_name("axis: options", tests, NULL, NULL);
}
