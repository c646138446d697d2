/* Forward selection against what it says: each time the candidate by which ridge, refitted from scratch, gains most. */
#include "unit/learning.h"

#include "select/forward.h"

static const double scale[] = {1, 4, 0.25};

/* Ridge with some features and a penalty for each. */
typedef struct fitted {
  const ent_statistics *s;
  size_t features[64], count;
  double penalty[64];
} fitted;

static double centred(const ent_statistics *s, size_t feature, size_t target) {
  double mean = ent_product(s, s->features, s->features + 1 + target) / s->weight;
  return ent_product(s, feature, s->features + 1 + target) - mean * ent_product(s, feature, s->features);
}

static void solve(const fitted *f, long double *right) {
  long double *matrix = calloc(f->count * f->count + 1, sizeof *matrix);
  for (size_t i = 0; i < f->count; i++)
    for (size_t j = 0; j < f->count; j++)
      matrix[i * f->count + j] =
          (long double)ent_product(f->s, f->features[i], f->features[j]) + (i == j ? (long double)f->penalty[i] : 0);
  eliminate(matrix, right, f->count);
  free(matrix);
}

/* By how much the penalised sum of squares is below that of no features, targets divided by their scales. */
static long double explained(const fitted *f) {
  long double sum = 0;
  for (size_t k = 0; k < f->s->targets; k++) {
    long double a[64];
    for (size_t i = 0; i < f->count; i++)
      a[i] = (long double)centred(f->s, f->features[i], k);
    solve(f, a);
    for (size_t i = 0; i < f->count; i++)
      sum += a[i] * (long double)(centred(f->s, f->features[i], k) / scale[k]);
  }
  return sum;
}

/* Adds a feature: its penalty is the ridge, or what it takes for the rest of it to be no less than the floor. */
static void add(fitted *f, size_t feature, double ridge) {
  long double a[64], own = (long double)ent_product(f->s, feature, feature), left = own + (long double)ridge;
  for (size_t i = 0; i < f->count; i++)
    a[i] = (long double)ent_product(f->s, f->features[i], feature);
  solve(f, a);
  for (size_t i = 0; i < f->count; i++)
    left -= a[i] * (long double)ent_product(f->s, f->features[i], feature);
  long double floor = 1e-4L * own + (long double)ridge;
  f->features[f->count] = feature;
  f->penalty[f->count++] = ridge + (left < floor ? (double)(floor - left) : 0);
}

/* Few of many candidates are selected without the matrix of all of them: with the same bits as the first of many. */
static void check_few(ent_forward_task task, const size_t *order, const double *gains) {
  size_t few = (task.statistics->features - task.selected) / 10, again[64], count = 0;
  double same[64];
  if (few == 0 || few >= task.wanted)
    return;
  task.wanted = few;
  entropic_context *context = context_with(2);
  ASSERT_OK(context, ent_forward(context, &task, again, same, &count));
  assert_int_equal(count, few);
  assert_memory_equal(again, order, few * sizeof *order);
  assert_memory_equal(same, gains, few * sizeof *gains);
  entropic_context_free(context);
}

/* Returns how often the floor counted. */
static size_t check_forward(problem *p, size_t selected, double ridge, size_t wanted) {
  ent_statistics *s = statistics_of(p, 2, ENT_GRADE_EXACT, NULL);
  ent_forward_task task = {.statistics = s, .selected = selected, .ridge = ridge, .scale = scale, .wanted = wanted};
  size_t order[64], count = 0, guarded = 0, n = p->features - selected;
  double gains[64];
  entropic_context *context = context_with(2);
  ASSERT_OK(context, ent_forward(context, &task, order, gains, &count));
  assert_int_equal(count, wanted < n ? wanted : n);
  fitted f = {.s = s};
  for (size_t i = 0; i < selected; i++) { /* these have the ridge alone */
    f.features[i] = i;
    f.penalty[i] = ridge;
  }
  f.count = selected;
  bool taken[64] = {false};
  for (size_t step = 0; step < count; step++) {
    long double before = explained(&f), most = 0, found = -1;
    assert_true(order[step] < n && !taken[order[step]]);
    for (size_t j = 0; j < n; j++) {
      fitted with = f;
      if (taken[j])
        continue;
      add(&with, selected + j, ridge);
      long double gain = explained(&with) - before;
      most = gain > most ? gain : most;
      found = j == order[step] ? gain : found;
    }
    double tolerance = 1e-7 * (double)most + 1e-9 * (double)before;
    assert_close(gains[step], found, tolerance);
    assert_true((double)found >= (double)most - tolerance);
    taken[order[step]] = true;
    add(&f, selected + order[step], ridge);
    guarded += f.penalty[f.count - 1] > ridge;
  }
  for (int threads = 1; threads <= 5; threads += 4) { /* the same bits */
    size_t again[64];
    double same[64];
    entropic_context *other = context_with(threads);
    ASSERT_OK(other, ent_forward(other, &task, again, same, &count));
    assert_memory_equal(again, order, count * sizeof *order);
    assert_memory_equal(same, gains, count * sizeof *gains);
    entropic_context_free(other);
  }
  check_few(task, order, gains);
  entropic_context_free(context);
  ent_statistics_free(s);
  return guarded;
}

static void equals_refits(void **state) {
  (void)state;
  for (size_t targets = 1; targets <= 3; targets += 2)
    for (size_t selected = 0; selected <= 12; selected += 6)
      for (int kind = ALL_ONE; kind <= WEIGHTED; kind++) {
        problem p = problem_start(300, 3, 40, 0, targets, (problem_kind)kind);
        check_forward(&p, selected, selected == 6 ? 3 : 0.03, 15);
        problem_stop(&p);
      }
}

/* Fewer rows than features: what is left of most candidates is next to nothing. */
static void candidates_in_the_span(void **state) {
  (void)state;
  problem p = problem_start(14, 2, 40, 0, 2, ALL_ONE);
  assert_true(check_forward(&p, 3, 1e-5, 60) > 5);
  problem_stop(&p);
}

static void nothing_to_choose_from(void **state) {
  (void)state;
  problem p = problem_start(50, 2, 10, 0, 1, ALL_ONE);
  check_forward(&p, p.features, 0.1, 5);
  check_forward(&p, 2, 0.1, 0);
  ent_statistics *s = statistics_of(&p, 1, ENT_GRADE_EXACT, NULL);
  entropic_context *context = context_with(1);
  size_t order[4], count = 9;
  double gains[4];
  for (size_t i = 0; i < s->features; i++) /* equations that are not positive */
    s->gram[i * s->size + i] = -1;
  ent_forward_task task = {.statistics = s, .selected = 5, .ridge = 0.1, .scale = scale, .wanted = 4};
  assert_int_equal(ent_forward(context, &task, order, gains, &count), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "the ridge is too small");
  assert_int_equal(count, 0);
  entropic_context_free(context);
  ent_statistics_free(s);
  problem_stop(&p);
}

SUITE(select_forward) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equals_refits),
      cmocka_unit_test(candidates_in_the_span),
      cmocka_unit_test(nothing_to_choose_from),
  };
  return cmocka_run_group_tests_name("select_forward", tests, NULL, NULL);
}
