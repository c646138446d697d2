/* Logistic weights of all rows from those of a sample: compared with the fit of all rows, for good and bad samples, on shards
 * and threads; and how it ends. */
#include "unit/gradient_rows.h"

#include "solve/precondition.h"
#include "solve/refine.h"

/* Where all rows are. */
typedef struct everything {
  const problem *p;
  size_t shards; /* added in an order that changes with every call */
  size_t calls;
  size_t fails_at; /* the call that fails; 0: none */
} everything;

static entropic_status sum_all(entropic_context *context, void *user, const ent_linear *at, ent_gradient_sums *sums) {
  everything *all = user;
  const problem *p = all->p;
  if (++all->calls == all->fails_at)
    return ent_fail(context, ENTROPIC_SYSTEM, "a shard is gone");
  for (size_t i = 0; i < all->shards; i++) {
    size_t shard = (i + all->calls) % all->shards, first = shard * p->rows / all->shards;
    some_rows some;
    some_rows_start(&some, p, first, (shard + 1) * p->rows / all->shards - first);
    entropic_status status = ent_gradient_sums_add_rows(context, sums, &p->map, &some.source, at);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* What is refined. */
typedef struct refining {
  problem *p;
  size_t classes;
  double lambda;
  size_t first, count; /* rows of the sample */
  double tolerance;
  size_t shards;
  int threads;
  bool from_0; /* not from the fit of the sample */
} refining;

static ent_logistic *refine(const refining *of) {
  entropic_context *context = context_with(of->threads);
  some_rows some;
  some_rows_start(&some, of->p, of->first, of->count);
  ent_logistic *start = NULL, *fit = NULL;
  ent_preconditioner *kept = NULL;
  ent_logistic_options options = ent_refine_options_default();
  options.tolerance = of->tolerance;
  options.kept = &kept;
  options.most_steps = 150;
  ent_logistic_problem sample = {
      .map = &of->p->map, .rows = &some.source, .classes = of->classes, .lambda = of->lambda};
  if (!of->from_0)
    ASSERT_OK(context, ent_logistic_fit(context, &sample, options, &start));
  sample.start = start;
  everything all = {.p = of->p, .shards = of->shards};
  ASSERT_OK(context, ent_logistic_refine(
                         context,
                         &(ent_refine_problem){
                             .sample = &sample, .weight_exponent = WEIGHT_EXPONENT, .sums = sum_all, .user = &all},
                         options, &fit));
  assert_int_equal(fit->passes, all.calls);
  ent_preconditioner_free(kept);
  ent_logistic_free(start);
  entropic_context_free(context);
  return fit;
}

/* Several scores: the same probabilities with weights that sum to 0 over the classes, as at the optimum. A small lambda holds
 * them there but loosely. */
static void centre(ent_logistic *fit) {
  for (size_t j = 0; fit->scores > 1 && j < fit->features; j++) {
    double mean = 0;
    for (size_t k = 0; k < fit->scores; k++)
      mean += fit->weights[k * fit->features + j] / (double)fit->scores;
    assert_close(mean, 0, 1e-4);
    for (size_t k = 0; k < fit->scores; k++)
      fit->weights[k * fit->features + j] -= mean;
  }
}

/* The fit of all rows at once. */
static ent_logistic *fit_all(problem *p, size_t classes, double lambda, double tolerance) {
  entropic_context *context = context_with(2);
  ent_logistic *fit = NULL;
  ent_logistic_options options = ent_logistic_options_default();
  options.tolerance = tolerance;
  ASSERT_OK(context, ent_logistic_fit(context,
                                      &(ent_logistic_problem){
                                          .map = &p->map, .rows = rows_of(p), .classes = classes, .lambda = lambda},
                                      options, &fit));
  centre(fit);
  entropic_context_free(context);
  return fit;
}

/* |a - b| / |b| over all weights. */
static double relative_difference(const ent_logistic *a, const ent_logistic *b) {
  double off = 0, all = 0;
  for (size_t i = 0; i < b->scores * b->features; i++) {
    off += (a->weights[i] - b->weights[i]) * (a->weights[i] - b->weights[i]);
    all += b->weights[i] * b->weights[i];
  }
  for (size_t k = 0; k < b->scores; k++) {
    off += (a->offsets[k] - b->offsets[k]) * (a->offsets[k] - b->offsets[k]);
    all += b->offsets[k] * b->offsets[k];
  }
  return sqrt(off / all);
}

static void assert_same_fit(problem *p, const ent_logistic *fit, const ent_logistic *all, double lambda) {
  double objective;
  assert_int_equal(fit->end, ENT_END_CONVERGED);
  assert_int_equal(all->end, ENT_END_CONVERGED);
  assert_true(relative_difference(fit, all) <= 1e-6);
  assert_close(fit->objective, all->objective, 1e-10 * all->objective);
  assert_true(plain_gradient(p, fit, lambda, &objective) <= 1e-8);
  assert_close(fit->objective, objective, 1e-12);
  assert_true(fit->separated == all->separated);
}

static void the_fit_of_all_rows(void **state) {
  (void)state;
  static const double lambdas[] = {1e-1, 1e-3, 1e-6, 1e-9};
  for (size_t classes = 2; classes <= 4; classes++)
    for (int kind = ALL_ONE; kind <= WEIGHTED + 1; kind++) {
      problem p = problem_start(6000, 3, 30, 0, 1, kind == ALL_ONE ? ALL_ONE : WEIGHTED);
      if (kind > WEIGHTED)
        make_missing(&p, 40);
      set_classes(&p, classes, 0.2);
      for (size_t l = 0; l < COUNT(lambdas); l++) {
        ent_logistic *all = fit_all(&p, classes, lambdas[l], 1e-10);
        ent_logistic *fit = refine(&(refining){.p = &p,
                                               .classes = classes,
                                               .lambda = lambdas[l],
                                               .first = 1000,
                                               .count = 600,
                                               .tolerance = 1e-10,
                                               .shards = 1,
                                               .threads = 2});
        assert_same_fit(&p, fit, all, lambdas[l]);
        assert_true(fit->passes <= 80); /* so small a sample is off by a third in some directions */
        ent_logistic_free(fit);
        ent_logistic_free(all);
      }
      problem_stop(&p);
    }
}

/* With all rows in the sample there is nothing to do; with the default tolerance few passes are needed. */
static void good_samples_need_few_passes(void **state) {
  (void)state;
  problem p = problem_start(60000, 2, 20, 0, 1, WEIGHTED);
  for (size_t classes = 2; classes <= 3; classes++) {
    set_classes(&p, classes, 0.2);
    ent_logistic *all = fit_all(&p, classes, 1e-5, 1e-7);
    for (size_t share = 1; share <= 3; share += 2) {
      ent_logistic *fit = refine(&(refining){.p = &p,
                                             .classes = classes,
                                             .lambda = 1e-5,
                                             .count = p.rows / share,
                                             .tolerance = 1e-7,
                                             .shards = 1,
                                             .threads = 2});
      assert_int_equal(fit->end, ENT_END_CONVERGED);
      assert_close(fit->objective, all->objective, 1e-13);
      assert_true(fit->passes <= (share == 1 ? 1 : 6));
      assert_true(relative_difference(fit, all) <= 1e-5);
      ent_logistic_free(fit);
    }
    ent_logistic_free(all);
  }
  problem_stop(&p);
}

/* Few rows, from one corner of the inputs, fewer than there are features; or a start at 0. */
static void bad_samples_lead_there_as_well(void **state) {
  (void)state;
  for (size_t classes = 2; classes <= 3; classes++) {
    problem p = problem_start(4000, 2, 60, 0, 1, WEIGHTED);
    for (size_t r = 0; r < 50; r++)
      for (size_t i = 0; i < p.inputs; i++)
        p.x[r * p.inputs + i] *= i == 0 ? 0.5 : 1;
    memset(p.z, 0, p.rows * p.features * sizeof *p.z);
    lift_plainly(&p);
    set_classes(&p, classes, 0.3);
    for (size_t k = 0; k < classes; k++)
      p.y[k] = (double)k;
    for (int i = 0; i < 2; i++) {
      double lambda = i == 0 ? 1e-2 : classes == 2 ? 1e-4 : 1e-3;
      ent_logistic *all = fit_all(&p, classes, lambda, 1e-10);
      for (int from_0 = 0; from_0 < 2; from_0++) {
        ent_logistic *fit = refine(&(refining){.p = &p,
                                               .classes = classes,
                                               .lambda = lambda,
                                               .count = from_0 ? 500 : 50,
                                               .tolerance = 1e-10,
                                               .shards = 1,
                                               .threads = 2,
                                               .from_0 = from_0});
        assert_same_fit(&p, fit, all, lambda);
        ent_logistic_free(fit);
      }
      ent_logistic_free(all);
    }
    problem_stop(&p);
  }
}

/* Not a bit depends on threads and shards. */
static void any_shards_give_the_same_weights(void **state) {
  (void)state;
  for (size_t classes = 2; classes <= 3; classes++) {
    problem p = problem_start(5000, 3, 50, 0, 1, WEIGHTED);
    set_classes(&p, classes, 0.2);
    refining of = {
        .p = &p, .classes = classes, .lambda = 1e-5, .count = 500, .tolerance = 1e-7, .shards = 1, .threads = 1};
    ent_logistic *one = refine(&of);
    for (of.shards = 2, of.threads = 2; of.threads <= 8; of.shards += 4, of.threads += 3) {
      ent_logistic *many = refine(&of);
      assert_memory_equal(many->weights, one->weights, one->scores * p.features * sizeof *one->weights);
      assert_memory_equal(many->offsets, one->offsets, one->scores * sizeof *one->offsets);
      assert_true(many->objective == one->objective && many->passes == one->passes);
      ent_logistic_free(many);
    }
    ent_logistic_free(one);
    problem_stop(&p);
  }
}

static void separable_classes(void **state) {
  (void)state;
  for (size_t classes = 2; classes <= 3; classes++) {
    problem p = problem_start(2000, 2, 10, 0, 1, ALL_ONE);
    set_classes(&p, classes, 0);
    ent_logistic *all = fit_all(&p, classes, 1e-9, 1e-10);
    refining of = {
        .p = &p, .classes = classes, .lambda = 1e-9, .count = 400, .tolerance = 1e-10, .shards = 2, .threads = 2};
    ent_logistic *fit = refine(&of);
    assert_same_fit(&p, fit, all, 1e-9);
    assert_true(fit->separated || classes > 2);
    ent_logistic_free(fit);
    ent_logistic_free(all);
    of.lambda = 0;
    fit = refine(&of);
    assert_int_equal(fit->end, ENT_END_UNBOUNDED);
    ent_logistic_free(fit);
    problem_stop(&p);
  }
}

/* Ends other than convergence, and failures. */
static void ends(void **state) {
  (void)state;
  entropic_context *context = context_with(2);
  problem p = problem_start(2000, 2, 20, 0, 1, WEIGHTED);
  set_classes(&p, 2, 0.2);
  some_rows some;
  some_rows_start(&some, &p, 0, 300);
  everything all = {.p = &p, .shards = 2};
  ent_logistic_problem sample = {.map = &p.map, .rows = &some.source, .classes = 2, .lambda = 1e-4};
  ent_refine_problem of = {.sample = &sample, .weight_exponent = WEIGHT_EXPONENT, .sums = sum_all, .user = &all};
  ent_logistic_options options = ent_refine_options_default();
  ent_logistic *fit = NULL;
  options.most_steps = 1;
  ASSERT_OK(context, ent_logistic_refine(context, &of, options, &fit));
  assert_int_equal(fit->end, ENT_END_LIMIT);
  assert_int_equal(fit->steps, 1);
  ent_logistic_free(fit);
  fit = NULL;
  options = ent_refine_options_default();
  for (all.fails_at = 1, all.calls = 0; all.fails_at <= 3; all.fails_at++, all.calls = 0) {
    assert_int_equal(ent_logistic_refine(context, &of, options, &fit), ENTROPIC_SYSTEM);
    assert_message(context, "a shard is gone");
    assert_null(fit);
  }
  all.fails_at = 0;
  ent_logistic *start = random_fit(&p, 2, 1, 1);
  start->offsets[0] = NAN;
  sample.start = start;
  ASSERT_OK(context, ent_logistic_refine(context, &of, options, &fit));
  assert_int_equal(fit->end, ENT_END_NOT_FINITE);
  ent_logistic_free(fit);
  fit = NULL;
  sample.start = NULL;
  of.weight_exponent = 0; /* too small */
  assert_int_equal(ent_logistic_refine(context, &of, options, &fit), ENTROPIC_BAD_DATA);
  assert_message(context, "beyond the scale of weights");
  of.weight_exponent = WEIGHT_EXPONENT;
  sample.lambda = NAN;
  assert_int_equal(ent_logistic_refine(context, &of, options, &fit), ENTROPIC_BAD_ARGUMENT);
  sample.lambda = 1e-4;
  /* A class of the sample that all rows do not have, by a mistake of the caller. */
  problem other = problem_start(500, 2, 20, 0, 1, WEIGHTED);
  all.p = &other;
  for (size_t r = 0; r < other.rows; r++)
    other.y[r] = 0;
  assert_int_equal(ent_logistic_refine(context, &of, options, &fit), ENTROPIC_BAD_DATA);
  assert_message(context, "class 2 has no rows");
  assert_null(fit);
  problem_stop(&other);
  ent_logistic_free(start);
  problem_stop(&p);
  entropic_context_free(context);
}

SUITE(solve_refine) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_fit_of_all_rows),
      cmocka_unit_test(good_samples_need_few_passes),
      cmocka_unit_test(bad_samples_lead_there_as_well),
      cmocka_unit_test(any_shards_give_the_same_weights),
      cmocka_unit_test(separable_classes),
      cmocka_unit_test(ends),
  };
  return cmocka_run_group_tests_name("solve_refine", tests, NULL, NULL);
}
