/* Experiments: what a plan asks for, runs on any number of threads, and runs that a log has. */
#include "unit/evaluating.h"

#include "compare/experiments.h"
#include "unit/fixture.h"

static const size_t sizes[] = {5, 9}, large[] = {14, 30, 50}, budgets[] = {4, 8, 16};
enum { RUNS = 3, MAPS = ENT_COMPARE_METHODS - 1, SIZED = MAPS * 2 * 2 + MAPS * 3 + 1, EVERY = SIZED + 2 * 3 };

static const ent_experiment_plan full_plan = {.sizes = sizes,
                                              .size_count = 2,
                                              .large = large,
                                              .large_count = 3,
                                              .large_runs = 2,
                                              .budgets = budgets,
                                              .budget_count = 3,
                                              .exact_runs = 1};

/* The requests of the full plan, one after the other. */
static void plans_are_in_order(void **state) {
  (void)state;
  ent_experiments all;
  ASSERT_OK(context, ent_experiments_start_all(context, &full_plan, RUNS, &all));
  assert_int_equal(all.count, EVERY);
  assert_int_equal(all.sized, SIZED);
  assert_int_equal(all.constant.most_runs, RUNS);
  size_t at = 0;
  for (ent_compare_method method = 0; method < ENT_COMPARE_EXACT; method++)
    for (int tuned = 0; tuned < 2; tuned++)
      for (size_t i = 0; i < 2; i++, at++) {
        const ent_request *request = &all.list[at].request;
        assert_true(request->method == method && request->tuned == tuned && request->features == sizes[i]);
        assert_true(request->nonzeros == 0 && all.list[at].most_runs == RUNS);
        assert_ptr_equal(ent_experiments_find(&all, method, tuned, sizes[i]), &all.list[at]);
      }
  for (ent_compare_method method = 0; method < ENT_COMPARE_EXACT; method++)
    for (size_t i = 0; i < 3; i++, at++) {
      const ent_request *request = &all.list[at].request;
      assert_true(request->method == method && request->tuned && request->features == large[i]);
      assert_true(request->nonzeros == 0 && all.list[at].most_runs == 2);
      assert_ptr_equal(ent_experiments_find(&all, method, true, large[i]), &all.list[at]);
      assert_null(ent_experiments_find(&all, method, false, large[i]));
    }
  const ent_request *exact = &all.list[at].request;
  assert_true(exact->method == ENT_COMPARE_EXACT && exact->tuned && exact->features == 0 && exact->nonzeros == 0);
  assert_int_equal(all.list[at].most_runs, 1);
  assert_ptr_equal(ent_experiments_find(&all, ENT_COMPARE_EXACT, true, 0), &all.list[at]);
  for (at++; at < EVERY; at++) {
    const ent_request *request = &all.list[at].request;
    assert_true(request->method == ENT_COMPARE_ENTROPY && request->tuned == (at >= SIZED + 3) &&
                request->features == 0 && request->nonzeros == budgets[(at - SIZED) % 3]);
    assert_int_equal(all.list[at].most_runs, RUNS);
  }
  assert_null(ent_experiments_find(&all, ENT_COMPARE_RKS, true, 7));
  assert_null(ent_experiments_find(&all, ENT_COMPARE_ENTROPY, true, 0)); /* budgets are not found by size */
  ent_experiments_clear(&all);
  assert_true(all.list == NULL && all.count == 0);
}

/* Nothing but sizes; more runs of some than there are runs. */
static void plans_may_lack_parts(void **state) {
  (void)state;
  const ent_experiment_plan small = {.sizes = sizes, .size_count = 2}, many = {.sizes = sizes,
                                                                               .size_count = 1,
                                                                               .large = large,
                                                                               .large_count = 1,
                                                                               .large_runs = 50,
                                                                               .exact_runs = 50};
  ent_experiments all;
  ASSERT_OK(context, ent_experiments_start_all(context, &small, RUNS, &all));
  assert_true(all.count == MAPS * 2 * 2 && all.sized == all.count);
  assert_null(ent_experiments_find(&all, ENT_COMPARE_EXACT, true, 0));
  ent_experiments_clear(&all);
  ASSERT_OK(context, ent_experiments_start_all(context, &many, RUNS, &all));
  for (size_t i = 0; i < all.count; i++)
    assert_int_equal(all.list[i].most_runs, RUNS);
  ent_experiments_clear(&all);
}

static void assert_same_performance(const ent_performance *a, const ent_performance *b) {
  assert_true(a->error == b->error && a->nonzeros == b->nonzeros && a->features == b->features);
  assert_true(a->choice.scaling == b->choice.scaling && a->choice.kernel == b->choice.kernel &&
              a->choice.bandwidth == b->choice.bandwidth && a->choice.lambda == b->choice.lambda &&
              a->choice.tries == b->choice.tries && a->choice.error == b->choice.error);
}

static void assert_same_experiments(const ent_experiments *a, const ent_experiments *b) {
  assert_true(a->runs == b->runs && a->count == b->count && a->constant.runs == b->constant.runs);
  assert_memory_equal(a->constant.errors, b->constant.errors, a->constant.runs * sizeof(double));
  for (size_t i = 0; i < a->count; i++) {
    assert_int_equal(a->list[i].runs, b->list[i].runs);
    for (size_t k = 0; k < a->list[i].runs; k++) {
      assert_true(a->list[i].errors[k] == b->list[i].errors[k]);
      assert_same_performance(&a->list[i].performances[k], &b->list[i].performances[k]);
    }
  }
}

/* What every test compares with: all runs without a log on one thread. */
static arena a;
static ent_experiments plain;

static ent_experiments run_all(entropic_context *with, ent_run_log *log, size_t runs) {
  ent_experiments all;
  ASSERT_OK(with, ent_experiments_start_all(with, &full_plan, RUNS, &all));
  all.log = log;
  for (uint64_t seed = 1; seed <= runs; seed++)
    ASSERT_OK(with, ent_experiments_run(with, &all, &a.data, seed));
  return all;
}

static int start_plain(void **state) {
  arena_start(&a, 0);
  start(state);
  plain = run_all(context, NULL, RUNS);
  return make_folder(state);
}

static int stop_plain(void **state) {
  ent_experiments_clear(&plain);
  return stop_in_folder(state);
}

static void runs_add_up(void **state) {
  (void)state;
  assert_int_equal(plain.runs, RUNS);
  assert_int_equal(plain.constant.runs, RUNS);
  for (size_t i = 0; i < RUNS; i++)
    assert_close(plain.constant.errors[i], constant_error(&a), 1e-12);
  for (size_t i = 0; i < plain.count; i++) {
    const ent_experiment *e = &plain.list[i];
    size_t runs = e->most_runs;
    double sum = 0, square = 0, nonzeros = 0, features = 0, bandwidths = 1;
    assert_int_equal(e->runs, runs);
    for (size_t r = 0; r < runs; r++) {
      assert_true(e->errors[r] == e->performances[r].error);
      sum += e->errors[r];
      nonzeros += e->performances[r].nonzeros;
      features += (double)e->performances[r].features;
      bandwidths *= e->performances[r].choice.bandwidth;
    }
    double n = (double)runs, mean = sum / n;
    for (size_t r = 0; r < runs; r++)
      square += (e->errors[r] - mean) * (e->errors[r] - mean);
    assert_close(ent_experiment_mean(e), mean, 1e-15 * mean);
    assert_true(ent_experiment_mean_first(e, 1) == e->errors[0]);
    if (runs > 1)
      assert_close(ent_experiment_deviation(e), sqrt(square / (n - 1)), 1e-12);
    else
      assert_true(isnan(ent_experiment_deviation(e)));
    assert_close(ent_experiment_nonzeros(e), nonzeros / n, 1e-12 * nonzeros);
    assert_close(ent_experiment_features(e), features / n, 1e-12 * features);
    assert_close(ent_experiment_bandwidth(e), pow(bandwidths, 1 / n), 1e-12 * pow(bandwidths, 1 / n));
    assert_close(ent_experiment_bytes(e), fmin(8 * features, 12 * nonzeros) / n, 1e-9);
    assert_true(nonzeros <= features && features > 0);
    if (i >= SIZED)
      assert_true(nonzeros <= n * (double)e->request.nonzeros);
    else if (e->request.features > 0)
      assert_true(features <= n * (double)e->request.features);
    assert_true(isnan(ent_experiment_seconds(e, ENT_DURATION_TRAIN, 0.5))); /* none was measured */
  }
}

static void threads_give_the_same_bits(void **state) {
  (void)state;
  static const int threads[] = {2, 3, 8};
  for (size_t i = quick_tests() ? COUNT(threads) - 1 : 0; i < COUNT(threads); i++) {
    entropic_context *many = context_with(threads[i]);
    ent_experiments all = run_all(many, NULL, RUNS);
    assert_same_experiments(&all, &plain);
    assert_int_equal(ent_context_threads(many), threads[i]);
    ent_experiments_clear(&all);
    entropic_context_free(many);
  }
}

/* An evaluation by itself gives what is among the experiments. */
static void experiments_are_evaluations(void **state) {
  (void)state;
  ent_evaluation *evaluation = NULL;
  ASSERT_OK(context, ent_evaluation_create(context, &a.data, 2, &evaluation));
  for (size_t i = 0; i < plain.count; i += 5)
    if (plain.list[i].runs > 1) {
      ent_performance p;
      ASSERT_OK(context, ent_evaluation_run(context, evaluation, &plain.list[i].request, 2, &p));
      assert_same_performance(&p, &plain.list[i].performances[1]);
    }
  ent_evaluation_free(evaluation);
}

static ent_run_log *open_log(const char *path) {
  ent_run_log *log = NULL;
  ASSERT_OK(context, ent_run_log_open(context, path, "experiments", &log));
  return log;
}

static size_t count_lines(const char *path) {
  char *text = read_whole(path, NULL);
  size_t lines = 0;
  for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
    lines++;
  free(text);
  return lines;
}

/* Runs are logged; cut off anywhere, they go on with the same bits and nothing twice. */
static void logged_runs_go_on(void **state) {
  const char *path = in_folder(state, "runs.tsv"), *torn = in_folder(state, "torn.tsv");
  ent_run_log *log = open_log(path);
  ent_experiments all = run_all(context, log, RUNS);
  assert_same_experiments(&all, &plain);
  ent_experiments_clear(&all);
  ent_run_log_close(log);
  size_t lines = 1, size = 0;
  for (size_t i = 0; i < plain.count; i++)
    lines += plain.list[i].runs;
  lines += RUNS; /* the constant */
  assert_int_equal(count_lines(path), lines);
  char *text = read_whole(path, &size);
  for (size_t part = 0; part <= 4; part++) {
    write_file(torn, text, size * part / 4);
    entropic_context *two = context_with(2);
    log = open_log(torn);
    all = run_all(two, log, RUNS);
    assert_same_experiments(&all, &plain);
    ent_experiments_clear(&all);
    ent_run_log_close(log);
    entropic_context_free(two);
    assert_int_equal(count_lines(torn), lines);
  }
  free(text);
}

/* What a log has is not run: made-up numbers come out, and rows that are not there are not read. */
static void logged_runs_are_not_run(void **state) {
  ent_run_log *log = open_log(in_folder(state, "made-up.tsv"));
  ent_experiments all;
  ASSERT_OK(context, ent_experiments_start_all(context, &full_plan, RUNS, &all));
  for (size_t i = 0; i <= all.count; i++)
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
      const ent_logged_key key = {i < all.count ? all.list[i].request : all.constant.request, seed};
      const ent_performance p = {.error = (double)i + 0.1 * (double)seed,
                                 .choice = {.scaling = ENTROPIC_SCALING_BLEND, .bandwidth = (double)seed},
                                 .nonzeros = 3,
                                 .features = i + 1};
      ASSERT_OK(context, ent_run_log_add(context, log, &key, &p));
    }
  const ent_evaluation_data nothing = {0};
  all.log = log;
  for (uint64_t seed = 1; seed <= RUNS; seed++)
    ASSERT_OK(context, ent_experiments_run(context, &all, &nothing, seed));
  assert_int_equal(all.runs, RUNS);
  for (size_t i = 0; i <= all.count; i++) {
    const ent_experiment *e = i < all.count ? &all.list[i] : &all.constant;
    assert_int_equal(e->runs, e->most_runs);
    for (size_t k = 0; k < e->runs; k++)
      assert_true(e->errors[k] == (double)i + 0.1 * (double)(k + 1));
    if (i < all.count) {
      assert_int_equal(ent_experiment_scaling(e), ENTROPIC_SCALING_BLEND);
      assert_true(ent_experiment_features(e) == (double)(i + 1) && ent_experiment_nonzeros(e) == 3);
    }
  }
  /* A seed that the log does not have is run. */
  all.runs = all.constant.runs = 0;
  assert_int_equal(ent_experiments_run(context, &all, &nothing, RUNS + 1), ENTROPIC_BAD_DATA);
  assert_message(context, "0 training rows");
  ent_experiments_clear(&all);
  ent_run_log_close(log);
}

/* Only what is missing is run: one number of a run is made up, all others are as without a log. */
static void runs_are_completed(void **state) {
  ent_run_log *log = open_log(in_folder(state, "one.tsv"));
  const ent_performance p = {.error = 77, .choice = {.bandwidth = 1}, .nonzeros = 1, .features = 1};
  enum { WHICH = 11 };
  ASSERT_OK(context, ent_run_log_add(context, log, &(ent_logged_key){plain.list[WHICH].request, 2}, &p));
  ent_experiments all = run_all(context, log, 2);
  for (size_t i = 0; i < all.count; i++)
    for (size_t k = 0; k < all.list[i].runs; k++)
      assert_true(all.list[i].errors[k] == (i == WHICH && k == 1 ? 77 : plain.list[i].errors[k]));
  ent_experiments_clear(&all);
  ent_run_log_close(log);
}

/* Of equally frequent scalings the first, of kernels too. */
static void experiments_tell_what_most_runs_took(void **state) {
  (void)state;
  static const struct {
    entropic_scaling scalings[5], most;
    size_t kernels[5];
    const char *kernel;
  } cases[] = {{{ENTROPIC_SCALING_MINMAX, ENTROPIC_SCALING_BLEND, ENTROPIC_SCALING_BLEND, ENTROPIC_SCALING_MINMAX,
                 ENTROPIC_SCALING_BLEND},
                ENTROPIC_SCALING_BLEND,
                {1, 0, 1, 0, 1},
                "gauss"},
               {{ENTROPIC_SCALING_BLEND, ENTROPIC_SCALING_BLEND, ENTROPIC_SCALING_MINMAX, ENTROPIC_SCALING_MINMAX,
                 ENTROPIC_SCALING_QUANTILE},
                ENTROPIC_SCALING_MINMAX,
                {0, 0, 1, 1, 0},
                "laplace"},
               {{ENTROPIC_SCALING_QUANTILE, ENTROPIC_SCALING_BLEND, ENTROPIC_SCALING_QUANTILE, ENTROPIC_SCALING_MINMAX,
                 ENTROPIC_SCALING_BLEND},
                ENTROPIC_SCALING_QUANTILE,
                {0, 0, 0, 0, 0},
                "laplace"}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    ent_performance list[5] = {{0}};
    ent_experiment e = {.request.method = ENT_COMPARE_NYSTROEM, .runs = 5, .performances = list};
    for (size_t k = 0; k < 5; k++)
      list[k].choice = (ent_choice){.scaling = cases[i].scalings[k], .kernel = cases[i].kernels[k]};
    assert_int_equal(ent_experiment_scaling(&e), cases[i].most);
    assert_string_equal(ent_experiment_kernel(&e), cases[i].kernel);
    e.runs = 4; /* as many of either kernel in the second case */
    assert_string_equal(ent_experiment_kernel(&e), "laplace");
  }
}

SUITE(compare_experiments) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plans_are_in_order),
      cmocka_unit_test(plans_may_lack_parts),
      cmocka_unit_test(runs_add_up),
      cmocka_unit_test(threads_give_the_same_bits),
      cmocka_unit_test(experiments_are_evaluations),
      cmocka_unit_test(logged_runs_go_on),
      cmocka_unit_test(logged_runs_are_not_run),
      cmocka_unit_test(runs_are_completed),
      cmocka_unit_test(experiments_tell_what_most_runs_took),
  };
  return cmocka_run_group_tests_name("compare_experiments", tests, start_plain, stop_plain);
}
