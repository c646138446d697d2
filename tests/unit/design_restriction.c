/* Restrictions to terms: sets of inputs against their definition, and restricted designs against filtered ones. */
#include "unit/reference.h"

#include "base/memory.h"
#include "design/design.h"

#include "unit/fixture.h"

enum { INPUTS = 5, SETS = 1 << INPUTS };

/* A set of bits as one of a list. */
static ent_input_set set_of(unsigned bits, size_t others) {
  ent_input_set set = {.inputs = ent_new(context, INPUTS, sizeof *set.inputs), .others = others};
  assert_non_null(set.inputs);
  for (size_t i = INPUTS; i-- > 0;) /* descending: the order must not matter */
    if (bits >> i & 1)
      set.inputs[set.count++] = i;
  return set;
}

static void add(ent_restriction *restriction, ent_restriction_kind kind, unsigned bits, size_t others) {
  ent_input_set set = set_of(bits, others);
  ASSERT_OK(context, ent_restriction_add(context, restriction, kind, &set));
}

static bool allows(const ent_restriction *restriction, unsigned bits) {
  size_t inputs[INPUTS], count = 0;
  for (size_t i = 0; i < INPUTS; i++)
    if (bits >> i & 1)
      inputs[count++] = i;
  return ent_restriction_allows(restriction, inputs, count);
}

/* Whether a set is a part of the listed one with some further inputs (only), or has it with that many others (without):
 * every choice of the further inputs is looked at. */
static bool matches(ent_restriction_kind kind, unsigned of, size_t others, unsigned bits) {
  for (unsigned more = 0; more < SETS; more++) {
    if ((more & of) != 0 || (size_t)__builtin_popcount(more) != others)
      continue;
    unsigned all = of | more;
    if (kind == ENT_RESTRICT_ONLY ? (bits & ~all) == 0 : (all & ~bits) == 0)
      return true;
  }
  return false;
}

typedef struct listed_set {
  unsigned bits;
  size_t others;
} listed_set;

/* By the definition. */
static bool expected(listed_set lists[ENT_RESTRICT_KINDS][3], const size_t *counts, unsigned bits) {
  bool found = counts[ENT_RESTRICT_ONLY] == 0;
  for (size_t i = 0; i < counts[ENT_RESTRICT_ONLY]; i++)
    found =
        found || matches(ENT_RESTRICT_ONLY, lists[ENT_RESTRICT_ONLY][i].bits, lists[ENT_RESTRICT_ONLY][i].others, bits);
  for (size_t i = 0; i < counts[ENT_RESTRICT_WITHOUT]; i++)
    found = found && !matches(ENT_RESTRICT_WITHOUT, lists[ENT_RESTRICT_WITHOUT][i].bits,
                              lists[ENT_RESTRICT_WITHOUT][i].others, bits);
  return found;
}

/* Fills lists that leave room for the further inputs. */
static void draw_lists(entropic_random *random, listed_set lists[ENT_RESTRICT_KINDS][3], size_t *counts) {
  for (int kind = 0; kind < ENT_RESTRICT_KINDS; kind++) {
    counts[kind] = entropic_random_below(random, 4);
    for (size_t i = 0; i < counts[kind]; i++) {
      unsigned bits = (unsigned)entropic_random_below(random, SETS);
      size_t free = INPUTS - (size_t)__builtin_popcount(bits);
      size_t others = entropic_random_below(random, (free < 2 ? free : 2) + 1);
      lists[kind][i] = (listed_set){bits == 0 && others == 0 ? 1 : bits, others};
    }
  }
}

static void sets_are_those_of_the_definition(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(5, 1);
  size_t allowed = 0, refused = 0;
  for (int round = 0; round < 400; round++) {
    listed_set lists[ENT_RESTRICT_KINDS][3];
    size_t counts[ENT_RESTRICT_KINDS];
    ent_restriction *restriction;
    draw_lists(&random, lists, counts);
    ASSERT_OK(context, ent_restriction_create(context, INPUTS, &restriction));
    for (int kind = 0; kind < ENT_RESTRICT_KINDS; kind++)
      for (size_t i = 0; i < counts[kind]; i++)
        add(restriction, (ent_restriction_kind)kind, lists[kind][i].bits, lists[kind][i].others);
    size_t alone = 0;
    for (unsigned bits = 1; bits < SETS; bits++) {
      bool found = allows(restriction, bits);
      assert_int_equal(found, expected(lists, counts, bits));
      for (unsigned part = 1; found && part < bits; part++) /* with a set all its parts are allowed */
        assert_true((part & ~bits) != 0 || allows(restriction, part));
      allowed += found;
      refused += !found;
      alone += found && (bits & (bits - 1)) == 0;
    }
    assert_int_equal(ent_restriction_finish(restriction), alone);
    for (size_t i = 0; i < INPUTS; i++)
      assert_int_equal(ent_restriction_has(restriction, i), allows(restriction, 1U << i));
    ent_restriction_free(restriction);
  }
  assert_true(allowed > 1000 && refused > 1000);
  assert_true(ent_restriction_allows(NULL, NULL, 3) && ent_restriction_has(NULL, 7));
  ent_restriction_free(NULL);
}

/* x1, x2:x4 and x3:x4:x5, but not x4:x5. */
static ent_restriction *some_restriction(void) {
  ent_restriction *restriction;
  ASSERT_OK(context, ent_restriction_create(context, INPUTS, &restriction));
  add(restriction, ENT_RESTRICT_ONLY, 1, 0);
  add(restriction, ENT_RESTRICT_ONLY, 2 | 8, 0);
  add(restriction, ENT_RESTRICT_ONLY, 4 | 8 | 16, 0);
  add(restriction, ENT_RESTRICT_WITHOUT, 8 | 16, 0);
  ent_restriction_finish(restriction);
  return restriction;
}

/* The inputs of a group that are not at the constant. */
static unsigned inputs_of(const entropic_design *design, size_t g) {
  const ent_group *group = &design->groups[g];
  unsigned bits = 0;
  for (size_t t = 0, i = 0; i < INPUTS; i++) {
    const entropic_term *terms = design->terms + group->first_term;
    bool active = t < group->term_count && terms[t].input == i;
    size_t level = active ? terms[t++].level : design->base[i];
    bits |= (unsigned)(level_of(design->kernel, i, level).kind != ENTROPIC_LEVEL_KIND_CONSTANT) << i;
  }
  return bits;
}

static entropic_kernel *five_inputs(double omega) {
  entropic_axis_options axes[INPUTS];
  for (size_t i = 0; i < INPUTS; i++) {
    axes[i] = ent_axis_options_default();
    axes[i].omega = omega * (double)(1 + i);
    axes[i].max_level = 3;
  }
  axes[1] = category_options(3, omega);
  axes[3].smooth = 2;
  return make_kernel(axes, INPUTS, INPUTS);
}

/* The groups of a restricted design are those of one without that it allows, in the same order. */
static void designs_are_filtered_ones(void **state) {
  (void)state;
  entropic_kernel *kernel = five_inputs(0.7);
  ent_restriction *restriction = some_restriction();
  entropic_design_options options = ent_design_options_default();
  for (int by_groups = 0; by_groups < 2; by_groups++) {
    entropic_design *restricted, *whole;
    options.features = by_groups ? 0 : 4000;
    options.nonzeros = by_groups ? 900 : 0;
    ASSERT_OK(context, ent_design_create(context, kernel, &options, &whole));
    options.features = by_groups ? 0 : 60;
    options.nonzeros = by_groups ? 30 : 0;
    ASSERT_OK(context, ent_design_create_restricted(context, kernel, &options, restriction, &restricted));
    assert_true(restricted->group_count > 10);
    size_t at = 0, refused = 0;
    for (size_t g = 0; g < restricted->group_count; g++, at++) {
      for (; at < whole->group_count && !allows(restriction, inputs_of(whole, at)); at++)
        refused++;
      assert_true(at < whole->group_count);
      const ent_group *found = &restricted->groups[g], *expected_one = &whole->groups[at];
      assert_int_equal(found->term_count, expected_one->term_count);
      assert_memory_equal(restricted->terms + found->first_term, whole->terms + expected_one->first_term,
                          found->term_count * sizeof(entropic_term));
      assert_int_equal(found->cost, expected_one->cost);
    }
    assert_true(refused > 10);
    entropic_design_free(restricted);
    entropic_design_free(whole);
  }
  ent_restriction_free(restriction);
  entropic_kernel_free(kernel);
}

/* Where the constant is not the best level it is the base all the same: else every feature would have all inputs. */
static void the_constant_is_the_base(void **state) {
  (void)state;
  entropic_kernel *kernel = five_inputs(300);
  ent_restriction *restriction = some_restriction();
  entropic_design_options options = ent_design_options_default();
  options.criterion = ENTROPIC_CRITERION_SUP;
  options.features = 150;
  entropic_design *design, *whole;
  ASSERT_OK(context, ent_design_create(context, kernel, &options, &whole));
  assert_int_equal(level_of(kernel, 0, whole->base[0]).kind, ENTROPIC_LEVEL_KIND_LINEAR);
  ASSERT_OK(context, ent_design_create_restricted(context, kernel, &options, restriction, &design));
  unsigned seen = 0;
  size_t repeat;
  assert_int_equal(design->features, 150);
  for (size_t g = 0; g < design->group_count; g++) {
    assert_true(allows(restriction, inputs_of(design, g)));
    seen |= inputs_of(design, g);
  }
  assert_int_equal(seen, SETS - 1);
  ASSERT_OK(context, ent_design_find_repeat(context, design, &repeat));
  assert_int_equal(repeat, SIZE_MAX);
  entropic_design_free(design);
  entropic_design_free(whole);
  ent_restriction_free(restriction);
  entropic_kernel_free(kernel);
}

/* A restriction of a table, for a design of some of its inputs. */
static void inputs_have_numbers(void **state) {
  (void)state;
  static const size_t numbers[] = {1, 3, 4};
  entropic_axis_options axis = ent_axis_options_default();
  entropic_kernel *kernel = make_kernel(&axis, 1, 3);
  ent_restriction *restriction = some_restriction(), some = *restriction;
  entropic_design_options options = ent_design_options_default();
  options.features = 100;
  some.numbers = numbers;
  entropic_design *design;
  ASSERT_OK(context, ent_design_create_restricted(context, kernel, &options, &some, &design));
  bool pair = false;
  for (size_t g = 0; g < design->group_count; g++) {
    const ent_group *group = &design->groups[g];
    const entropic_term *terms = design->terms + group->first_term;
    assert_true(group->term_count <= 2);
    if (group->term_count < 2)
      continue;
    assert_true(terms[0].input == 0 && terms[1].input == 1); /* x2:x4 */
    pair = true;
  }
  assert_true(pair);
  entropic_design_free(design);
  ent_restriction_free(restriction);
  entropic_kernel_free(kernel);
}

static void refusals(void **state) {
  (void)state;
  ent_restriction *restriction = some_restriction();
  entropic_axis_options axis = ent_axis_options_default();
  entropic_design_options options = ent_design_options_default();
  entropic_design *design = NULL;
  options.features = 20;
  axis.family = ENTROPIC_FAMILY_LAPLACE;
  entropic_kernel *kernel = make_kernel(&axis, 1, INPUTS);
  assert_int_equal(ent_design_create_restricted(context, kernel, &options, restriction, &design),
                   ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "input 1 has no constant atom");
  entropic_kernel_free(kernel);
  axis.family = ENTROPIC_FAMILY_CENTRED;
  axis.basis = ENTROPIC_BASIS_INTERIOR;
  options.select = ENTROPIC_SELECT_PAPER;
  kernel = make_kernel(&axis, 1, INPUTS);
  assert_int_equal(ent_design_create_restricted(context, kernel, &options, restriction, &design),
                   ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "select paper cannot be restricted");
  assert_null(design);
  entropic_kernel_free(kernel);
  ent_restriction_free(restriction);
}

SUITE(design_restriction) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sets_are_those_of_the_definition),
      cmocka_unit_test(designs_are_filtered_ones),
      cmocka_unit_test(the_constant_is_the_base),
      cmocka_unit_test(inputs_have_numbers),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
