/* Lifts of design files that no design room would write: groups without their prefixes, children before their parents,
 * any level as a base, any members. */
#include "unit/lift_checks.h"

#define MOST_INPUTS 40
#define MOST_GROUPS 120

/* A design file in the making. */
typedef struct draft {
  entropic_random *random;
  size_t inputs;
  bool plain; /* all bases are the constant 1 */
  entropic_kernel *kernel;
  size_t base[MOST_INPUTS];               /* counted from 1; 0 for none */
  size_t level[MOST_GROUPS][MOST_INPUTS]; /* of each group and input, counted from 1; 0: no term */
  size_t groups;
  char text[200000];
  size_t length;
} draft;

__attribute__((format(printf, 2, 3))) static void put(draft *at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  at->length += (size_t)vsnprintf(at->text + at->length, sizeof at->text - at->length, format, arguments);
  va_end(arguments);
  assert_true(at->length < sizeof at->text);
}

static uint64_t below(draft *at, uint64_t bound) {
  return entropic_random_below(at->random, bound);
}

static void draw_category(draft *at, entropic_axis_options *axis) {
  *axis = category_options(1 + below(at, below(at, 2) ? 8 : 1000), exp2((double)below(at, 20) - 10));
  put(at, "axis 1 category omega %.17g categories %zu\n", axis->omega, axis->categories);
}

static void draw_axes(draft *at) {
  entropic_axis_options axes[MOST_INPUTS];
  put(at, "entropic design 1\ncriterion l2\ninputs %zu\n", at->inputs);
  for (size_t i = 0; i < at->inputs; i++) {
    entropic_axis_options *axis = &axes[i];
    if (below(at, 5) == 0) {
      draw_category(at, axis);
      continue;
    }
    *axis = ent_axis_options_default();
    axis->family = ref_nth(below(at, 100), REF_BUILT_IN)->family;
    axis->basis = below(at, 3) == 0 ? ENTROPIC_BASIS_INTERIOR : ENTROPIC_BASIS_FULL;
    if (at->plain) {
      axis->family = below(at, 2) ? ENTROPIC_FAMILY_CENTRED : ENTROPIC_FAMILY_SOBOLEV;
      axis->basis = ENTROPIC_BASIS_FULL;
    }
    axis->max_level = 1 + (int)below(at, below(at, 4) == 0 ? 30 : 6);
    axis->omega = entropic_family_has(axis->family, ENTROPIC_TRAIT_OMEGA) ? exp2((double)below(at, 20) - 10) : 1;
    axis->unit_height = axis->basis == ENTROPIC_BASIS_INTERIOR && below(at, 2);
    if (entropic_family_has(axis->family, ENTROPIC_TRAIT_SMOOTH) && axis->basis == ENTROPIC_BASIS_FULL)
      axis->smooth = (int)below(at, 2) * 4;
    put(at, "axis 1 %s %s omega %.17g level %d smooth %d unit %d\n", entropic_family_name(axis->family),
        axis->basis == ENTROPIC_BASIS_FULL ? "full" : "interior", axis->omega, axis->max_level, axis->smooth,
        axis->unit_height);
  }
  at->kernel = make_kernel(axes, at->inputs, at->inputs);
}

static uint64_t atoms_of(const draft *at, size_t input, size_t level) {
  return level_of(at->kernel, input, level - 1).atoms;
}

/* Any level of a single atom, or none. */
static void draw_bases(draft *at) {
  for (size_t i = 0; i < at->inputs; i++) {
    size_t level = 1 + below(at, entropic_kernel_levels(at->kernel, i));
    while (atoms_of(at, i, level) > 1)
      level--;
    at->base[i] = at->plain ? 1 : below(at, 8) == 0 ? 0 : level;
    put(at, "base 1 %zu\n", at->base[i]);
  }
}

static bool is_new(const draft *at, const size_t *group) {
  for (size_t g = 0; g < at->groups; g++)
    if (memcmp(at->level[g], group, sizeof at->level[g]) == 0)
      return false;
  return true;
}

/* Keeps the product of atoms below 2^32, as designs must. */
static bool draw_group(draft *at, size_t *group, unsigned percent) {
  memset(group, 0, sizeof at->level[0]);
  uint64_t atoms = 1;
  for (size_t i = 0; i < at->inputs; i++) {
    if (at->base[i] != 0 && below(at, 100) >= percent)
      continue;
    size_t level = 1 + below(at, entropic_kernel_levels(at->kernel, i));
    while (level > 1 && (level == at->base[i] || atoms * atoms_of(at, i, level) > UINT32_MAX))
      level--;
    if (level == at->base[i] || atoms * atoms_of(at, i, level) > UINT32_MAX)
      continue; /* its lowest level is its base */
    group[i] = level;
    atoms *= atoms_of(at, i, level);
  }
  for (size_t i = 0; i < at->inputs; i++)
    if (at->base[i] == 0 && group[i] == 0)
      return false;
  return is_new(at, group);
}

/* A group without its last term, if that may be left out. */
static bool shorten(const draft *at, size_t *group) {
  size_t last = at->inputs;
  while (last > 0 && group[last - 1] == 0)
    last--;
  if (last == 0 || at->base[last - 1] == 0)
    return false;
  group[last - 1] = 0;
  return is_new(at, group);
}

static void put_group(draft *at, const size_t *group) {
  uint64_t atoms = 1;
  put(at, "%d", (int)below(at, 2000) - 1000);
  for (size_t i = 0; i < at->inputs; i++)
    if (group[i] != 0) {
      put(at, " %zu:%zu", i + 1, group[i]);
      atoms *= atoms_of(at, i, group[i]);
    }
  if (atoms > 64 || below(at, 3) == 0) {
    uint64_t count = 1 + below(at, atoms < 20 ? atoms : 20), step = atoms / count, member = 0;
    put(at, " =");
    bool first_ones = below(at, 3) == 0;
    for (uint64_t i = 0; i < count; i++) {
      member = first_ones ? i + 1 : i * step + 1 + below(at, step);
      put(at, " %llu", (unsigned long long)member);
    }
  }
  put(at, "\n");
  memcpy(at->level[at->groups++], group, sizeof at->level[0]);
}

/* Groups at random; behind some of them their prefixes, the longest first, so that children precede parents. */
static void draw_groups(draft *at, size_t wanted, unsigned percent) {
  size_t group[MOST_INPUTS];
  draft *body = calloc(1, sizeof *body);
  *body = *at;
  body->length = 0;
  for (size_t tries = 0; tries < 10 * wanted && body->groups < wanted; tries++) {
    if (!draw_group(body, group, percent))
      continue;
    put_group(body, group);
    while (body->groups < wanted && below(body, 3) > 0 && shorten(body, group)) {
      if (below(body, 4) > 0) /* some are left out */
        put_group(body, group);
    }
  }
  put(at, "groups %zu exhausted 0\n", body->groups);
  put(at, "%s", body->text);
  at->groups = body->groups;
  free(body);
}

static void written_designs(void **state) {
  draft *at = malloc(sizeof *at);
  assert_non_null(at);
  size_t lifted = 0, wanted = rounds(500);
  for (size_t round = 0; round < wanted; round++) {
    entropic_random random = entropic_random_start(23, round);
    memset(at, 0, sizeof *at);
    at->random = &random;
    at->inputs = 1 + below(at, below(at, 5) == 0 ? MOST_INPUTS : 6);
    at->plain = round % 3 == 0;
    draw_axes(at);
    draw_bases(at);
    draw_groups(at, 1 + below(at, MOST_GROUPS), at->inputs <= 10 ? 40 : at->plain ? 60 : 10);
    entropic_kernel_free(at->kernel);
    if (at->groups == 0)
      continue;
    entropic_design *design = design_of_text(in_folder(state, "written"), at->text);
    char what[40];
    snprintf(what, sizeof what, "written design %zu", round);
    check_lift(design, &random, 1 + below(at, 70), 100000, what);
    entropic_design_free(design);
    lifted++;
  }
  assert_true(lifted > wanted * 3 / 4);
  free(at);
}

/* The smallest ones by hand: a child before its parent, and a grandchild whose parent is no group. */
static void children_first(void **state) {
  static const char *const texts[] = {
      "entropic design 1\ncriterion l2\ninputs 3\naxis 3 centred full omega 1 level 5 smooth 0 unit 0\nbase 3 1\n"
      "groups 4 exhausted 0\n3 1:4 2:3 3:2\n2 1:4 2:3\n1 1:4\n0\n",
      "entropic design 1\ncriterion l2\ninputs 3\naxis 3 centred full omega 1 level 5 smooth 0 unit 0\nbase 3 1\n"
      "groups 2 exhausted 0\n3 1:5 2:4 3:5 = 1 2 9 30\n1 1:5\n",
      "entropic design 1\ncriterion l2\ninputs 2\naxis 2 laplace full omega 4 level 4 smooth 0 unit 0\nbase 2 1\n"
      "groups 3 exhausted 0\n3 1:5 2:4\n2 1:5 = 2 4\n0\n",
      "entropic design 1\ncriterion l2\ninputs 2\naxis 2 brownian full omega 4 level 4 smooth 0 unit 0\nbase 2 0\n"
      "groups 3 exhausted 0\n3 1:5 2:4\n2 1:5 2:1 = 2 4\n0 1:1 2:1\n",
      "entropic design 1\ncriterion l2\ninputs 9\naxis 9 sobolev full omega 4 level 4 smooth 0 unit 0\nbase 9 1\n"
      "groups 1 exhausted 0\n0\n",
  };
  entropic_random random = entropic_random_start(24, 0);
  for (size_t i = 0; i < COUNT(texts); i++) {
    entropic_design *design = design_of_text(in_folder(state, "small"), texts[i]);
    check_lift(design, &random, 70, 100000, texts[i]);
    entropic_design_free(design);
  }
}

SUITE(lift_written) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(children_first, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(written_designs, make_folder, remove_folder),
  };
  return cmocka_run_group_tests_name("lift_written", tests, NULL, NULL);
}
