/* Designs against brute force: every group there is, sorted by the tie rule, taken from the top.
 *
 * The rule: integer cost -log2(score) 2^32, summed over inputs; fewer active inputs; boundary before Legendre before hats
 * and categories; larger mass on the sample; smaller depth; then terms, inputs being ordered by what their second tier costs. */
#include "unit/reference.h"

#define MOST_INPUTS 4
#define MOST_LEVELS 12
#define MOST_GROUPS 20000
#define MOST_FEATURES 500

typedef struct rank {
  int64_t cost, active, kind, mass, depth;
} rank;

typedef struct tier {
  rank key;
  int64_t feature_cost;
  size_t level;
  uint64_t atoms;
} tier;

typedef struct ladder {
  size_t count, input;
  tier tiers[MOST_LEVELS];
} ladder;

/* One choice of a tier for each input. */
typedef struct candidate {
  rank key;
  size_t tiers[MOST_INPUTS];
} candidate;

typedef struct problem {
  entropic_kernel *kernel;
  size_t inputs;
  entropic_design_options options;
  ladder ladders[MOST_INPUTS];       /* by input */
  size_t order[MOST_INPUTS];         /* inputs in the order of their second tiers */
  candidate candidates[MOST_GROUPS]; /* sorted */
  size_t count;
} problem;

/* Masses may be far below all doubles, and a long double is no more than one under valgrind. */
static int64_t cost_of(wide score) {
  int64_t taken = 0;
  for (; score < wide_power_of_two(-500); taken += 500)
    score *= wide_power_of_two(500);
  int exponent;
  long double mantissa = frexpl((long double)score, &exponent);
  return (int64_t)llroundl(-log2l(mantissa) * 4294967296.0L) + (taken - exponent) * INT64_C(4294967296);
}

static int compare_ranks(const rank *a, const rank *b) {
  const int64_t x[5] = {a->cost, a->active, a->kind, a->mass, a->depth};
  const int64_t y[5] = {b->cost, b->active, b->kind, b->mass, b->depth};
  for (int i = 0; i < 5; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

static void add_rank(rank *sum, const rank *key, int64_t sign) {
  sum->cost += sign * key->cost;
  sum->active += sign * key->active;
  sum->kind += sign * key->kind;
  sum->mass += sign * key->mass;
  sum->depth += sign * key->depth;
}

static int compare_tiers(const void *a, const void *b) {
  const tier *x = a, *y = b;
  int order = compare_ranks(&x->key, &y->key);
  return order != 0 ? order : (x->level > y->level) - (x->level < y->level);
}

/* Mean square of a level on a column of the sample, and how many atoms have a row in their cell. A row that is none of
 * the categories is in the cell of none, nor is one that is missing, but where atoms are not 0 then. */
static long double mass_of(const problem *of, size_t input, size_t level, size_t *cells) {
  static unsigned char seen[1 << MOST_LEVELS];
  memset(seen, 0, sizeof seen);
  bool category = level_of(of->kernel, input, level).kind == ENTROPIC_LEVEL_KIND_CATEGORY;
  wide sum = 0;
  *cells = 0;
  for (size_t row = 0; row < of->options.sample_rows; row++) {
    uint64_t atom;
    double x = of->options.sample[row * of->inputs + input];
    wide value = atom_at(of->kernel, input, level, x, &atom);
    sum += value * value;
    if ((category || isnan(x)) && value == 0)
      continue;
    *cells += !seen[atom];
    seen[atom] = 1;
  }
  return (long double)(sum / of->options.sample_rows);
}

static void make_ladder(problem *of, size_t input) {
  ladder *made = &of->ladders[input];
  *made = (ladder){.input = input};
  for (size_t level = 0; level < entropic_kernel_levels(of->kernel, input); level++) {
    entropic_level info = level_of(of->kernel, input, level);
    size_t cells = 0;
    long double mass = of->options.sample != NULL ? mass_of(of, input, level, &cells) : 0;
    long double score = of->options.criterion == ENTROPIC_CRITERION_L2    ? info.l2
                        : of->options.criterion == ENTROPIC_CRITERION_SUP ? info.sup
                                                                          : mass / (long double)cells;
    uint64_t sharing = of->options.criterion == ENTROPIC_CRITERION_DATA ? cells : info.atoms;
    if (!(score > 0))
      continue;
    tier *added = &made->tiers[made->count++];
    *added = (tier){.level = level, .atoms = info.atoms, .feature_cost = cost_of(score)};
    added->key.cost = of->options.nonzeros > 0 ? cost_of(score * (long double)sharing) : added->feature_cost;
    static const int64_t kinds[] = {[ENTROPIC_LEVEL_KIND_LEGENDRE] = 1,
                                    [ENTROPIC_LEVEL_KIND_HAT] = 2,
                                    [ENTROPIC_LEVEL_KIND_CATEGORY] = 2,
                                    [ENTROPIC_LEVEL_KIND_MISSING] = 2};
    added->key.kind = kinds[info.kind];
    added->key.depth = info.order;
    if (of->options.sample != NULL)
      added->key.mass = mass > 0 ? cost_of(mass) : INT64_C(1) << 44; /* worse than any */
  }
  qsort(made->tiers, made->count, sizeof made->tiers[0], compare_tiers);
  for (size_t i = 1; i < made->count; i++)
    made->tiers[i].key.active = 1;
}

static int compare_inputs(const void *a, const void *b) {
  const ladder *x = a, *y = b;
  if (x->count < 2 || y->count < 2)
    return x->count != y->count ? (x->count < 2 ? 1 : -1) : (x->input > y->input) - (x->input < y->input);
  rank left = x->tiers[1].key, right = y->tiers[1].key;
  add_rank(&left, &x->tiers[0].key, -1);
  add_rank(&right, &y->tiers[0].key, -1);
  int order = compare_ranks(&left, &right);
  return order != 0 ? order : (x->input > y->input) - (x->input < y->input);
}

static const problem *sorting;

static int compare_candidates(const void *a, const void *b) {
  const candidate *x = a, *y = b;
  int order = compare_ranks(&x->key, &y->key);
  for (size_t i = 0; i < sorting->inputs && order == 0; i++) {
    size_t s = x->tiers[sorting->order[i]], t = y->tiers[sorting->order[i]];
    if (s != t) /* the one that is active here has its term first; of two that are, the better tier */
      order = s == 0 ? 1 : t == 0 ? -1 : s < t ? -1 : 1;
  }
  return order;
}

static void enumerate(problem *of, candidate *building, size_t input) {
  if (input == of->inputs) {
    if (of->options.max_order == 0 || (size_t)building->key.active <= of->options.max_order) {
      assert_true(of->count < MOST_GROUPS);
      of->candidates[of->count++] = *building;
    }
    return;
  }
  for (size_t t = 0; t < of->ladders[input].count; t++) {
    building->tiers[input] = t;
    add_rank(&building->key, &of->ladders[input].tiers[t].key, 1);
    enumerate(of, building, input + 1);
    add_rank(&building->key, &of->ladders[input].tiers[t].key, -1);
  }
}

static void solve(problem *of) {
  ladder sorted[MOST_INPUTS];
  for (size_t i = 0; i < of->inputs; i++) {
    make_ladder(of, i);
    sorted[i] = of->ladders[i];
  }
  qsort(sorted, of->inputs, sizeof sorted[0], compare_inputs);
  for (size_t i = 0; i < of->inputs; i++)
    of->order[i] = sorted[i].input;
  of->count = 0;
  enumerate(of, &(candidate){.tiers = {0}}, 0);
  sorting = of;
  qsort(of->candidates, of->count, sizeof of->candidates[0], compare_candidates);
}

static const tier *tier_of(const problem *of, const candidate *group, size_t input) {
  return &of->ladders[input].tiers[group->tiers[input]];
}

static bool has_base(const problem *of, size_t input) {
  return of->ladders[input].tiers[0].atoms == 1;
}

typedef struct share {
  uint64_t member;
  wide mass;
} share;

static int compare_shares(const void *a, const void *b) {
  const share *x = a, *y = b;
  int64_t left = x->mass > 0 ? cost_of(x->mass) : INT64_MAX;
  int64_t right = y->mass > 0 ? cost_of(y->mass) : INT64_MAX;
  if (left != right)
    return left < right ? -1 : 1;
  return (x->member > y->member) - (x->member < y->member);
}

static int compare_members(const void *a, const void *b) {
  const share *x = a, *y = b;
  return (x->member > y->member) - (x->member < y->member);
}

/* The members of a group that is cut: the first ones, or those of largest mass. */
static void cut(const problem *of, const candidate *group, uint64_t atoms, size_t wanted, share *shares) {
  for (uint64_t m = 0; m < atoms; m++)
    shares[m] = (share){.member = m};
  if (of->options.sample == NULL)
    return;
  for (size_t row = 0; row < of->options.sample_rows; row++) {
    uint64_t member = 0;
    wide product = 1;
    for (size_t i = 0; i < of->inputs; i++) {
      uint64_t atom;
      const tier *at = tier_of(of, group, i);
      product *= atom_at(of->kernel, i, at->level, of->options.sample[row * of->inputs + i], &atom);
      member = member * at->atoms + atom;
    }
    shares[member].mass += product * product;
  }
  qsort(shares, (size_t)atoms, sizeof *shares, compare_shares);
  qsort(shares, wanted, sizeof *shares, compare_members);
}

static void check_group(const problem *of, const candidate *expected, const entropic_group *found, size_t first,
                        size_t wanted, uint64_t atoms) {
  size_t term = 0;
  int64_t cost = 0;
  for (size_t i = 0; i < of->inputs; i++) {
    cost += tier_of(of, expected, i)->feature_cost;
    if (expected->tiers[i] == 0 && has_base(of, i))
      continue;
    assert_true(term < found->terms_count);
    assert_int_equal(found->terms[term].input, i);
    assert_int_equal(found->terms[term].level, tier_of(of, expected, i)->level);
    term++;
  }
  assert_int_equal(found->terms_count, term);
  assert_int_equal(found->first_feature, first);
  assert_int_equal(found->features, wanted);
  assert_true(found->atoms == atoms);
  assert_true(found->log2_score == -(double)cost / 4294967296.0);
  if (wanted == atoms) {
    assert_null(found->members);
    return;
  }
  static share shares[1 << 20];
  assert_true(atoms <= COUNT(shares));
  cut(of, expected, atoms, wanted, shares);
  assert_non_null(found->members);
  for (size_t m = 0; m < wanted; m++)
    assert_true(found->members[m] == shares[m].member);
}

static void compare(const problem *of, const entropic_design *design) {
  for (size_t i = 0; i < of->inputs; i++)
    assert_true(entropic_design_base(design, i) ==
                (has_base(of, i) ? of->ladders[i].tiers[0].level : ENTROPIC_NO_LEVEL));
  size_t features = 0, groups = 0;
  bool by_features = of->options.features > 0;
  while (groups < of->count && (by_features ? features < of->options.features : groups < of->options.nonzeros)) {
    uint64_t atoms = 1;
    for (size_t i = 0; i < of->inputs; i++)
      atoms *= tier_of(of, &of->candidates[groups], i)->atoms;
    size_t room = by_features ? of->options.features - features : SIZE_MAX;
    size_t wanted = atoms < room ? (size_t)atoms : room;
    entropic_group found;
    assert_int_equal(ent_design_group(NULL, design, groups, &found), ENTROPIC_OK);
    check_group(of, &of->candidates[groups], &found, features, wanted, atoms);
    features += wanted;
    groups++;
  }
  assert_int_equal(entropic_design_groups(design), groups);
  assert_int_equal(entropic_design_features(design), features);
  assert_int_equal(entropic_design_nonzeros(design), groups);
  assert_int_equal(entropic_design_exhausted(design),
                   by_features ? features < of->options.features : groups < of->options.nonzeros);
  assert_int_equal(entropic_design_criterion(design), of->options.criterion);
}

/* ---- Random problems ---- */

/* What was met, lest the problems leave out a case. */
static struct {
  size_t refused, exhausted, without_base, cut_by_index, cut_by_mass, nonzeros, data, custom, category, missing;
} met;

static double draw_omega(entropic_random *random) {
  static const double choices[] = {0.01, 0.3, 1, 4, 12, 30, 80, 1000};
  uint64_t choice = entropic_random_below(random, 8);
  return entropic_random_below(random, 3) > 0 ? choices[choice] : exp2(entropic_random_uniform(random) * 16 - 10);
}

static void draw_kernel(problem *of, entropic_random *random, double *omegas) {
  of->inputs = 1 + (size_t)entropic_random_below(random, MOST_INPUTS);
  static const int deepest[] = {0, 8, 6, 4, 3};
  bool alike = entropic_random_below(random, 2) == 0, interior = entropic_random_below(random, 4) == 0;
  const ref_family *family = ref_random(random, REF_ALL);
  entropic_axis_options axes[MOST_INPUTS];
  for (size_t i = 0; i < of->inputs; i++) {
    if (!alike && entropic_random_below(random, 3) == 0)
      family = ref_random(random, REF_ALL);
    if (family->family == ENTROPIC_FAMILY_CUSTOM && of->options.features > 0 &&
        of->options.criterion != ENTROPIC_CRITERION_DATA)
      family = ref_named("centred"); /* there single atoms compete: see design_custom.c */
    omegas[i] = i > 0 && alike ? omegas[0] : draw_omega(random);
    if (!ref_takes(family, omegas[i]))
      omegas[i] = 1;
    int levels = 1 + (int)entropic_random_below(random, (uint64_t)deepest[of->inputs]);
    axes[i] = ref_options(family, &omegas[i], interior ? ENTROPIC_BASIS_INTERIOR : ENTROPIC_BASIS_FULL, levels);
    if (entropic_random_below(random, 4) == 0)
      axes[i] = category_options(1 + (size_t)entropic_random_below(random, 20), omegas[i]);
    axes[i].missing = !interior && entropic_family_has(axes[i].family, ENTROPIC_TRAIT_MISSING) &&
                      entropic_random_below(random, 4) == 0;
    if (i > 0 && alike)
      axes[i] = axes[0];
    axes[i].unit_height =
        interior && axes[i].family != ENTROPIC_FAMILY_CATEGORY && i % 2 == 0 && entropic_random_below(random, 4) == 0;
  }
  of->kernel = make_kernel(axes, of->inputs, of->inputs);
}

/* Rows of uniform numbers; `grid` > 0: of few values, with ties between rows and columns. */
static void draw_sample(problem *of, entropic_random *random, double *sample, size_t rows, uint64_t grid) {
  for (size_t i = 0; i < rows * MOST_INPUTS; i++)
    sample[i] =
        grid > 0 ? (double)entropic_random_below(random, grid + 1) / (double)grid : entropic_random_uniform(random);
  of->options.sample = sample;
  of->options.sample_rows = rows;
}

static bool all_zero(const problem *of) {
  for (size_t i = 0; i < of->inputs; i++)
    if (of->ladders[i].count == 0)
      return true;
  return false;
}

static void draw_problem(problem *of, uint64_t seed, double *omegas, double *sample) {
  entropic_random random = entropic_random_start(seed, 1);
  of->options = ent_design_options_default();
  of->options.criterion = (entropic_criterion)entropic_random_below(&random, 3);
  if (entropic_random_below(&random, 3) > 0)
    of->options.features = 1 + (size_t)entropic_random_below(&random, MOST_FEATURES);
  else
    of->options.nonzeros = 1 + (size_t)entropic_random_below(&random, 150);
  of->options.max_order = (size_t)entropic_random_below(&random, 4);
  uint64_t sampling = entropic_random_below(&random, 3);
  if (of->options.criterion == ENTROPIC_CRITERION_DATA || sampling > 0)
    draw_sample(of, &random, sample, 1 + (size_t)entropic_random_below(&random, 60), sampling == 1 ? 11 : 0);
  draw_kernel(of, &random, omegas);
  for (size_t i = 0; i < of->options.sample_rows * of->inputs; i++)
    if (ent_kernel_axis(of->kernel, i % of->inputs).missing && entropic_random_below(&random, 3) == 0)
      sample[i] = NAN;
}

static void note(const problem *of, const entropic_design *design) {
  met.exhausted += entropic_design_exhausted(design) != 0;
  met.nonzeros += of->options.nonzeros > 0;
  met.data += of->options.criterion == ENTROPIC_CRITERION_DATA;
  entropic_group last;
  ent_design_group(NULL, design, entropic_design_groups(design) - 1, &last);
  if (last.members != NULL)
    *(of->options.sample != NULL ? &met.cut_by_mass : &met.cut_by_index) += 1;
  bool with_base = true, custom = false, category = false, missing = false;
  for (size_t i = 0; i < of->inputs; i++) {
    with_base = with_base && entropic_design_base(design, i) != ENTROPIC_NO_LEVEL;
    custom = custom || ent_kernel_axis(of->kernel, i).family == ENTROPIC_FAMILY_CUSTOM;
    category = category || ent_kernel_axis(of->kernel, i).family == ENTROPIC_FAMILY_CATEGORY;
    missing = missing || ent_kernel_axis(of->kernel, i).missing;
  }
  met.category += category;
  met.missing += missing;
  met.without_base += !with_base;
  met.custom += custom;
}

static uint64_t running; /* the problem at hand, for the report of a failure */

static void designs_equal_brute_force(void **state) {
  (void)state;
  static problem of;
  double omegas[MOST_INPUTS], sample[MOST_INPUTS * 64];
  size_t problems = rounds(12000);
  for (running = 0; running < problems; running++) {
    draw_problem(&of, running, omegas, sample);
    solve(&of);
    entropic_design *design = NULL;
    entropic_status status = ent_design_create(NULL, of.kernel, &of.options, &design);
    if (all_zero(&of)) {
      assert_int_equal(status, ENTROPIC_BAD_DATA);
      met.refused++;
    } else {
      assert_int_equal(status, ENTROPIC_OK);
      compare(&of, design);
      note(&of, design);
    }
    entropic_design_free(design);
    entropic_kernel_free(of.kernel);
  }
  running = UINT64_MAX;
  assert_true(met.refused < problems / 20);
  assert_true(met.refused > 0 || problems < 12000); /* about one in a thousand: a quick run may meet none */
  const size_t often[] = {met.exhausted, met.without_base, met.cut_by_index, met.cut_by_mass, met.nonzeros,
                          met.data,      met.custom,       met.category,     met.missing};
  for (size_t i = 0; i < COUNT(often); i++)
    assert_true(often[i] > problems / 50);
}

static int report(void **state) {
  (void)state;
  if (running != UINT64_MAX)
    print_error("this was problem %d\n", (int)running);
  return 0;
}

SUITE(design_brute) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(designs_equal_brute_force, report),
  };
  return cmocka_run_group_tests_name("design: brute force", tests, NULL, NULL);
}
