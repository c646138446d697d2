/* The pool of candidates and how it grows, screening against plain loops in double. */
#include "unit/selecting.h"

#include "unit/fixture.h"

/* Rows, their activity and a pool. */
typedef struct pond {
  ground ground;
  entropic_kernel *kernel;
  ent_level_cache *cache;
  ent_candidate_pool *candidates;
} pond;

static void pond_start(pond *p, double omega, size_t targets, bool weighted, size_t features, size_t max_order) {
  *p = (pond){.kernel = mixed_kernel(omega)};
  mixed_ground(&p->ground, 1300, 0, targets, weighted);
  ASSERT_OK(context, ent_level_cache_create(context, p->kernel, p->ground.x, 1300, MIXED_INPUTS, &p->cache));
  ASSERT_OK(context, ent_candidate_pool_create(context, p->cache, features, &(ent_pool_limits){.max_order = max_order},
                                               &p->candidates));
}

static void pond_stop(pond *p) {
  ent_candidate_pool_free(p->candidates);
  ent_level_cache_free(p->cache);
  entropic_kernel_free(p->kernel);
  ground_stop(&p->ground);
}

/* The value of a feature at a row. */
static double value_at(const pond *p, const ent_candidate_group *group, uint64_t member, size_t row) {
  double value = 1;
  uint64_t place = 0;
  for (size_t t = 0; t < group->order; t++) {
    uint64_t atom;
    entropic_term term = group->terms[t];
    value *= atom_at(p->kernel, term.input, term.level, p->ground.x[row * MIXED_INPUTS + term.input], &atom);
    place = place * level_of(p->kernel, term.input, term.level).atoms + atom;
  }
  return place == member ? value : 0;
}

static void check_group(const pond *p, const ent_candidate_group *group) {
  uint64_t atoms = 1;
  double share = 1;
  assert_true(group->order <= p->candidates->limits.max_order && group->share > 0);
  for (size_t t = 0; t < group->order; t++) {
    entropic_term term = group->terms[t];
    assert_true(t == 0 || group->terms[t - 1].input < term.input);
    assert_true(term.level >= 1); /* never the constant, which is not written */
    atoms *= level_of(p->kernel, term.input, term.level).atoms;
    share *= p->cache->columns[term.input][term.level].share;
  }
  assert_int_equal(group->atoms, atoms);
  assert_close(group->share, share, 1e-12 * share);
}

static bool same_group(const ent_candidate_group *a, const ent_candidate_group *b) {
  return a->order == b->order && memcmp(a->terms, b->terms, a->order * sizeof *a->terms) == 0;
}

static void check_pool(const pond *p) {
  for (size_t g = 0; g < p->candidates->count; g++) {
    check_group(p, &p->candidates->groups[g]);
    for (size_t h = 0; h < g; h++)
      assert_false(same_group(&p->candidates->groups[g], &p->candidates->groups[h]));
  }
}

/* Whatever omega is, and whatever level of an input has most of the kernel: a group is its own few levels. */
static void begins_with_the_design(void **state) {
  (void)state;
  static const double omegas[] = {0.3, 3, 10, 1000};
  for (size_t i = 0; i < COUNT(omegas); i++)
    for (size_t max_order = 0; max_order <= 2; max_order++) {
      pond p;
      pond_start(&p, omegas[i], 1, false, 200, max_order);
      assert_int_equal(p.candidates->limits.max_order, max_order == 0 ? ENT_CANDIDATE_ORDER : max_order);
      check_pool(&p);
      size_t constants = 0, lines = 0, features = 0;
      for (size_t g = 0; g < p.candidates->count; g++) {
        const ent_candidate_group *group = &p.candidates->groups[g];
        constants += group->order == 0;
        lines += group->order == 1 && group->terms[0].level == 1;
        features += group->atoms;
      }
      assert_int_equal(constants, 1);
      assert_int_equal(lines, MIXED_INPUTS);
      assert_true(features >= (max_order == 1 ? 20 : 200));
      pond_stop(&p);
    }
}

/* A share is a mean square over the rows, divided among the atoms that occur. */
static void shares_equal_their_definition(void **state) {
  (void)state;
  pond p;
  pond_start(&p, 3, 1, false, 50, 2);
  for (size_t i = 0; i < MIXED_INPUTS; i++)
    for (size_t l = 0; l < p.kernel->axes[i]->level_count; l++) {
      bool seen[16] = {false};
      double sum = 0, atoms = 0;
      for (size_t r = 0; r < 1300; r++) {
        uint64_t atom;
        double value = atom_at(p.kernel, i, l, p.ground.x[r * MIXED_INPUTS + i], &atom);
        sum += value * value;
        atoms += value != 0 && !seen[atom];
        seen[atom] |= value != 0;
      }
      assert_close(p.cache->columns[i][l].share, sum / 1300 / atoms, 1e-5 * sum / 1300);
    }
  pond_stop(&p);
}

/* One step finer on an input that is there, or the first levels of one that is not. */
static bool is_child(const pond *p, const ent_candidate_group *parent, const ent_candidate_group *child) {
  size_t added = 0, finer = 0;
  for (size_t i = 0; i < MIXED_INPUTS; i++) {
    size_t before = 0, after = 0;
    for (size_t t = 0; t < parent->order; t++)
      before = parent->terms[t].input == i ? parent->terms[t].level : before;
    for (size_t t = 0; t < child->order; t++)
      after = child->terms[t].input == i ? child->terms[t].level : after;
    if (before == after)
      continue;
    if (after == 0)
      return false;
    entropic_level now = level_of(p->kernel, i, after);
    if (before == 0) {
      added++;
      bool first = now.kind == ENTROPIC_LEVEL_KIND_LINEAR || now.kind == ENTROPIC_LEVEL_KIND_CATEGORY ||
                   now.kind == ENTROPIC_LEVEL_KIND_MISSING ||
                   (now.kind == ENTROPIC_LEVEL_KIND_LEGENDRE && now.order == 2) ||
                   (now.kind == ENTROPIC_LEVEL_KIND_HAT && now.order == 1 && i != 0);
      if (!first)
        return false;
      continue;
    }
    entropic_level then = level_of(p->kernel, i, before);
    finer++;
    if (then.kind == ENTROPIC_LEVEL_KIND_LINEAR ? !((now.kind == ENTROPIC_LEVEL_KIND_LEGENDRE && now.order == 2) ||
                                                    (now.kind == ENTROPIC_LEVEL_KIND_HAT && now.order == 1))
                                                : now.kind != then.kind || now.order != then.order + 1)
      return false;
  }
  return added + finer == 1;
}

static void choose_some(pond *p) {
  for (size_t g = 0; g < p->candidates->count; g += 3) {
    uint64_t last = p->candidates->groups[g].atoms - 1;
    ASSERT_OK(context, ent_candidate_pool_select(context, p->candidates, g, last, 2 + (double)g));
    assert_true(ent_is_selected(&p->candidates->groups[g], last));
    assert_true(last == 0 || !ent_is_selected(&p->candidates->groups[g], 0));
    assert_true(p->candidates->groups[g].fresh && p->candidates->groups[g].selected == 1);
    assert_true(p->candidates->groups[g].worth == 2 + (double)g);
  }
}

/* What the best of the selected parents promises of a group; 0 if it is nobody's child. */
static double promise_of(const pond *p, size_t before, const ent_candidate_group *child) {
  double promise = 0;
  for (size_t parent = 0; parent < before; parent += 3) {
    const ent_candidate_group *from = &p->candidates->groups[parent];
    if (is_child(p, from, child))
      promise = fmax(promise, from->worth * child->share / from->share);
  }
  return promise;
}

/* Every child that can be has come in: all groups there are, one after the other. */
static void check_all_children(const pond *p, size_t before) {
  size_t levels[MIXED_INPUTS], total = 1;
  for (size_t i = 0; i < MIXED_INPUTS; i++)
    total *= p->kernel->axes[i]->level_count;
  for (size_t number = 0; number < total; number++) {
    ent_candidate_group group = {.share = 1};
    size_t rest = number, order = 0;
    for (size_t i = 0; i < MIXED_INPUTS; i++, rest /= p->kernel->axes[i - 1]->level_count) {
      levels[i] = rest % p->kernel->axes[i]->level_count;
      order += levels[i] > 0;
      group.share *= levels[i] > 0 ? p->cache->columns[i][levels[i]].share : 1;
      if (levels[i] > 0 && order <= p->candidates->limits.max_order)
        group.terms[order - 1] = (entropic_term){.input = i, .level = levels[i]};
    }
    group.order = order;
    if (order > p->candidates->limits.max_order || group.share == 0 || !(promise_of(p, before, &group) > 0))
      continue;
    bool found = false;
    for (size_t g = 0; g < p->candidates->count; g++)
      found |= same_group(&p->candidates->groups[g], &group);
    assert_true(found);
  }
}

static void grows_from_what_is_chosen(void **state) {
  (void)state;
  for (size_t max_order = 1; max_order <= 3; max_order++) {
    pond p, few;
    pond_start(&p, 3, 1, false, 10, max_order);
    pond_start(&few, 3, 1, false, 10, max_order);
    size_t before = p.candidates->count;
    ASSERT_OK(context, ent_candidate_pool_grow(context, p.candidates, 1000)); /* nothing was selected */
    assert_int_equal(p.candidates->count, before);
    choose_some(&p);
    choose_some(&few);
    ASSERT_OK(context, ent_candidate_pool_grow(context, p.candidates, 1000));
    ASSERT_OK(context, ent_candidate_pool_grow(context, few.candidates, 2));
    check_pool(&p);
    assert_true(p.candidates->count > before + 2);
    assert_int_equal(few.candidates->count, before + 2);
    check_all_children(&p, before);
    double last = INFINITY; /* the most promising first */
    for (size_t g = before; g < p.candidates->count; g++) {
      double promise = promise_of(&p, before, &p.candidates->groups[g]);
      assert_true(promise > 0 && promise <= last * (1 + 1e-12));
      last = promise;
      assert_true(g >= before + 2 || same_group(&few.candidates->groups[g], &p.candidates->groups[g]));
    }
    for (size_t g = 0; g < before; g++)
      assert_false(p.candidates->groups[g].fresh);
    size_t grown = p.candidates->count;
    ASSERT_OK(context, ent_candidate_pool_grow(context, p.candidates, 1000));
    assert_int_equal(p.candidates->count, grown);
    pond_stop(&p);
    pond_stop(&few);
  }
}

/* Inputs that are not used are in no group, not after growing either; all others are as they were. */
static void inputs_left_out(void **state) {
  (void)state;
  static const bool used[] = {true, false, true, false};
  pond p;
  pond_start(&p, 3, 1, false, 40, 3);
  ent_candidate_pool_free(p.candidates);
  ASSERT_OK(context, ent_candidate_pool_create(context, p.cache, 40, &(ent_pool_limits){.max_order = 3, .used = used},
                                               &p.candidates));
  size_t seen[MIXED_INPUTS] = {0}, begun = p.candidates->count;
  choose_some(&p);
  ASSERT_OK(context, ent_candidate_pool_grow(context, p.candidates, 1000));
  assert_true(p.candidates->count > begun);
  check_pool(&p);
  for (size_t g = 0; g < p.candidates->count; g++)
    for (size_t t = 0; t < p.candidates->groups[g].order; t++)
      seen[p.candidates->groups[g].terms[t].input]++;
  for (size_t i = 0; i < MIXED_INPUTS; i++)
    assert_int_equal(seen[i] > 0, used[i]);
  pond_stop(&p);
}

/* Inputs 0 and 2 may be together, 1 is alone, and 3 is out: before and after growing, opened or not. */
static void pools_keep_to_a_restriction(void **state) {
  (void)state;
  static size_t first[] = {0, 2}, second[] = {1};
  static const bool near[] = {true, true, true, true};
  bool alone[] = {true, true, true, false};
  ent_input_set sets[] = {{.inputs = first, .count = 2}, {.inputs = second, .count = 1}};
  const ent_restriction restriction = {.inputs = MIXED_INPUTS, .sets = {sets}, .counts = {2}, .alone = alone};
  const ent_pool_limits limits = {.max_order = 3, .restriction = &restriction};
  for (int opened = 0; opened < 2; opened++) {
    pond p;
    pond_start(&p, 3, 1, false, 40, 3);
    ent_candidate_pool_free(p.candidates);
    p.candidates = NULL;
    if (opened) {
      ASSERT_OK(context, ent_candidate_pool_open(context, p.cache, &limits, &p.candidates));
      ASSERT_OK(context, ent_candidate_pool_focus(context, p.candidates, near, 40));
    } else {
      ASSERT_OK(context, ent_candidate_pool_create(context, p.cache, 40, &limits, &p.candidates));
    }
    size_t begun = p.candidates->count, pairs = 0, singles = 0;
    choose_some(&p);
    ASSERT_OK(context, ent_candidate_pool_grow(context, p.candidates, 1000));
    assert_true(p.candidates->count > begun);
    check_pool(&p);
    for (size_t g = 0; g < p.candidates->count; g++) {
      const ent_candidate_group *group = &p.candidates->groups[g];
      assert_true(group->order <= 2);
      assert_true(group->order < 2 || (group->terms[0].input == 0 && group->terms[1].input == 2));
      assert_true(group->order < 1 || group->terms[0].input < 3);
      pairs += group->order == 2;
      singles += group->order == 1 && group->terms[0].input == 1;
    }
    assert_true(pairs > 0 && singles > 0);
    pond_stop(&p);
  }
}

static bool has_group(const ent_candidate_pool *candidates, const ent_candidate_group *group) {
  for (size_t g = 0; g < candidates->count; g++)
    if (same_group(&candidates->groups[g], group))
      return true;
  return false;
}

/* Opened, a pool has the first levels of each input that is used, and nothing else. */
static void check_openings(const pond *p, const bool *used) {
  const ent_candidate_group none = {0};
  size_t expected = 0;
  for (size_t i = 0; i < MIXED_INPUTS; i++)
    for (size_t l = 1; l < p->kernel->axes[i]->level_count; l++) {
      ent_candidate_group group = {.terms = {{.input = i, .level = l}}, .order = 1};
      bool opening = is_child(p, &none, &group) && used[i];
      assert_int_equal(has_group(p->candidates, &group), opening);
      expected += opening;
    }
  assert_int_equal(p->candidates->count, expected);
  check_pool(p);
}

/* Groups of several inputs have near ones only; inputs become near when they are selected. */
static void looks_closely_at_near_inputs(void **state) {
  (void)state;
  static const bool used[] = {true, true, true, false}, near[] = {true, false, false, true};
  pond p;
  pond_start(&p, 3, 1, false, 40, 3);
  ent_candidate_pool_free(p.candidates);
  ent_level_cache_free(p.cache);
  ASSERT_OK(context, ent_level_cache_create(context, p.kernel, p.ground.x, 1300, MIXED_INPUTS, &p.cache));
  ASSERT_OK(context,
            ent_candidate_pool_open(context, p.cache, &(ent_pool_limits){.max_order = 3, .used = used}, &p.candidates));
  check_openings(&p, used);
  size_t opened = p.candidates->count;
  ASSERT_OK(context, ent_candidate_pool_focus(context, p.candidates, near, 40));
  check_pool(&p);
  assert_true(p.candidates->count > opened);
  for (size_t g = opened; g < p.candidates->count; g++) /* the only near one that is used */
    for (size_t t = 0; t < p.candidates->groups[g].order; t++)
      assert_int_equal(p.candidates->groups[g].terms[t].input, 0);
  ent_candidate_group line = {.terms = {{.input = 2, .level = 1}}, .order = 1}, finer = line, pair = line;
  size_t at = 0;
  while (!same_group(&p.candidates->groups[at], &line))
    at++;
  while (level_of(p.kernel, 2, finer.terms[0].level).kind != ENTROPIC_LEVEL_KIND_HAT)
    finer.terms[0].level++;
  pair.terms[1] = pair.terms[0];
  pair.terms[0] = (entropic_term){.input = 0, .level = 1};
  pair.order = 2;
  assert_false(has_group(p.candidates, &pair));
  ASSERT_OK(context, ent_candidate_pool_select(context, p.candidates, at, 0, 1));
  ASSERT_OK(context, ent_candidate_pool_grow(context, p.candidates, 1000));
  check_pool(&p);
  assert_true(has_group(p.candidates, &finer) && has_group(p.candidates, &pair) && p.candidates->near[2]);
  for (size_t g = 0; g < p.candidates->count; g++)
    for (size_t t = 0; t < p.candidates->groups[g].order; t++) {
      size_t input = p.candidates->groups[g].terms[t].input;
      assert_true(used[input] && (input != 1 || p.candidates->groups[g].order == 1));
    }
  pond_stop(&p);
}

/* However few are wanted, they are the first of all that come where all do. */
static void few_children_are_the_first(void **state) {
  (void)state;
  pond all;
  pond_start(&all, 3, 1, false, 10, 3);
  size_t before = all.candidates->count;
  choose_some(&all);
  ASSERT_OK(context, ent_candidate_pool_grow(context, all.candidates, 100000));
  size_t grown = all.candidates->count - before;
  assert_true(grown > 10);
  for (size_t most = 1; most < grown; most = 2 * most + 1) {
    pond few;
    pond_start(&few, 3, 1, false, 10, 3);
    choose_some(&few);
    ASSERT_OK(context, ent_candidate_pool_grow(context, few.candidates, most));
    assert_int_equal(few.candidates->count, before + most);
    for (size_t g = before; g < few.candidates->count; g++)
      assert_true(same_group(&few.candidates->groups[g], &all.candidates->groups[g]));
    pond_stop(&few);
  }
  pond_stop(&all);
}

/* ---- Screening ---- */

static double plain_gain(const pond *p, const ent_residual *residual, const ent_candidate *candidate, double *square) {
  double sums[4] = {0}, gain = 0;
  *square = 0;
  for (size_t r = 0; r < 1300; r++) {
    double value = value_at(p, &p->candidates->groups[candidate->group], candidate->member, r);
    *square += value * value * (residual->weights == NULL ? 1 : (double)residual->weights[r]);
    for (size_t k = 0; k < residual->targets; k++)
      sums[k] += value * (double)residual->values[r * residual->targets + k];
  }
  for (size_t k = 0; k < residual->targets; k++)
    gain += sums[k] * sums[k];
  return gain / (*square + residual->ridge);
}

static bool comes_before(const ent_candidate *a, const ent_candidate *b) {
  if (a->gain != b->gain)
    return a->gain > b->gain;
  return a->group != b->group ? a->group < b->group : a->member < b->member;
}

static void check_screening(pond *p, bool weighted) {
  size_t targets = p->ground.targets, all = 0, count = 0, some = 0;
  float *values = calloc(1300 * targets, sizeof *values), *weights = calloc(1300, sizeof *weights);
  for (size_t r = 0; r < 1300; r++) {
    weights[r] = (float)p->ground.weights[r];
    for (size_t k = 0; k < targets; k++) /* a residual: the target around its middle */
      values[r * targets + k] =
          weights[r] * ((float)(p->ground.y[r * targets + k] / pow(30, (double)k)) - (float)(7 + k));
  }
  ent_residual residual = {.targets = targets, .values = values, .weights = weighted ? weights : NULL, .ridge = 0.7};
  for (size_t g = 0; g < p->candidates->count; g++)
    all += p->candidates->groups[g].atoms;
  ent_candidate *screened = calloc(all + 5, sizeof *screened), best[9];
  ASSERT_OK(context, ent_screen(context, p->candidates, &residual, all + 5, screened, &count));
  size_t next = 0;
  for (size_t g = 0; g < p->candidates->count; g++) /* what is left out is 0 at all rows that count, or selected */
    for (uint64_t member = 0; member < p->candidates->groups[g].atoms; member++) {
      ent_candidate candidate = {.group = g, .member = member};
      double square, gain = plain_gain(p, &residual, &candidate, &square);
      const ent_candidate *found = NULL;
      for (size_t i = 0; i < count; i++)
        if (screened[i].group == g && screened[i].member == member) {
          assert_null(found);
          found = &screened[i];
        }
      assert_int_equal(found != NULL, square > 0 && !ent_is_selected(&p->candidates->groups[g], member));
      if (found != NULL)
        assert_close(found->gain, gain, 1e-4 * gain + 1e-5);
      next += found != NULL;
    }
  assert_int_equal(next, count);
  for (size_t i = 1; i < count; i++)
    assert_true(comes_before(&screened[i - 1], &screened[i]));
  ASSERT_OK(context, ent_screen(context, p->candidates, &residual, 9, best, &some));
  assert_int_equal(some, 9);
  assert_memory_equal(best, screened, sizeof best);
  entropic_context *other = context_with(5); /* the same bits */
  ASSERT_OK(other, ent_screen(other, p->candidates, &residual, 9, best, &some));
  assert_memory_equal(best, screened, sizeof best);
  entropic_context_free(other);
  free(screened);
  free(values);
  free(weights);
}

static void screening_equals_plain_loops(void **state) {
  (void)state;
  for (size_t targets = 1; targets <= 3; targets++)
    for (int weighted = 0; weighted < 2; weighted++) {
      pond p;
      pond_start(&p, 3, targets, weighted, 60, targets + 1);
      check_screening(&p, weighted);
      choose_some(&p);
      check_screening(&p, weighted);
      pond_stop(&p);
    }
}

SUITE(select_candidate_pool) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(begins_with_the_design),       cmocka_unit_test(shares_equal_their_definition),
      cmocka_unit_test(grows_from_what_is_chosen),    cmocka_unit_test(inputs_left_out),
      cmocka_unit_test(screening_equals_plain_loops), cmocka_unit_test(looks_closely_at_near_inputs),
      cmocka_unit_test(few_children_are_the_first),   cmocka_unit_test(pools_keep_to_a_restriction),
  };
  return cmocka_run_group_tests_name("select_candidate_pool", tests, start_two_threads, stop);
}
