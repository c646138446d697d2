/* Times of trainings: medians and quartiles by hand, who takes part in which round, what is measured. */
#include "unit/evaluating.h"

#include "base/threads.h"
#include "compare/experiments.h"
#include "unit/fixture.h"

/* Experiments that have had one run, whose choices are made up. */
static ent_experiments chosen(const ent_request *requests, size_t count) {
  ent_experiments all;
  ASSERT_OK(context, ent_experiments_start(context, requests, count, 1, &all));
  all.runs = 1;
  for (size_t i = 0; i < count; i++) {
    all.list[i].runs = 1;
    all.list[i].performances[0].choice = (ent_choice){.bandwidth = 1, .lambda = 1e-3};
  }
  return all;
}

static double seconds_of(const double *trainings, size_t count, ent_duration which, double quantile) {
  ent_logged_time rounds[8];
  for (size_t i = 0; i < count; i++)
    rounds[i] = (ent_logged_time){{.train = trainings[i],
                                   .make = 10 * trainings[i],
                                   .lift = 100 * trainings[i],
                                   .given = i == 1 ? NAN : 1000 * trainings[i]},
                                  NAN};
  const ent_experiment e = {.times = {count, rounds}};
  return ent_experiment_seconds(&e, which, quantile);
}

static void quantiles_by_hand(void **state) {
  (void)state;
  static const double seven[] = {5, 1, 4, 2, 7, 3, 6}, four[] = {8, 2, 4, 1}, two[] = {3, 1}, one[] = {9};
  assert_true(seconds_of(seven, 7, ENT_DURATION_TRAIN, 0.5) == 4);
  assert_true(seconds_of(seven, 7, ENT_DURATION_TRAIN, 0.25) == 2.5);
  assert_true(seconds_of(seven, 7, ENT_DURATION_TRAIN, 0.75) == 5.5);
  assert_true(seconds_of(seven, 7, ENT_DURATION_TRAIN, 0) == 1 && seconds_of(seven, 7, ENT_DURATION_TRAIN, 1) == 7);
  assert_true(seconds_of(four, 4, ENT_DURATION_TRAIN, 0.5) == 3);
  assert_true(seconds_of(four, 4, ENT_DURATION_TRAIN, 0.25) == 1.75);
  assert_true(seconds_of(four, 4, ENT_DURATION_TRAIN, 0.75) == 5);
  assert_true(seconds_of(two, 2, ENT_DURATION_TRAIN, 0.5) == 2 && seconds_of(two, 2, ENT_DURATION_TRAIN, 0.25) == 1.5);
  assert_true(seconds_of(one, 1, ENT_DURATION_TRAIN, 0.25) == 9 && seconds_of(one, 1, ENT_DURATION_TRAIN, 0.75) == 9);
  assert_true(seconds_of(seven, 7, ENT_DURATION_MAKE, 0.5) == 40);
  assert_true(seconds_of(seven, 7, ENT_DURATION_LIFT, 0.25) == 250);
  assert_true(seconds_of(one, 1, ENT_DURATION_GIVEN, 0.5) == 9000);
  assert_true(isnan(seconds_of(seven, 7, ENT_DURATION_GIVEN, 0.5))); /* one of them is not known */
  assert_true(isnan(seconds_of(seven, 0, ENT_DURATION_TRAIN, 0.5)));
}

/* The mean over all trainings that know it. */
static void loads_by_hand(void **state) {
  (void)state;
  ent_logged_time first[] = {{.others = 0.5}, {.others = NAN}},
                  second[] = {{.others = 0}, {.others = 1}, {.others = 9}};
  ent_experiment list[] = {{.times = {2, first}}, {.times = {2, second}}, {.times = {0, NULL}}};
  ent_experiments all = {.count = 3, .list = list};
  assert_true(ent_experiments_load(&all) == 0.5);
  list[1].times.count = 1;
  assert_true(ent_experiments_load(&all) == 0.25);
  all.count = 1;
  first[0].others = NAN;
  assert_true(isnan(ent_experiments_load(&all)));
  assert_true(isnan(ent_experiments_load(&(ent_experiments){0})));
  entropic_comparison comparison = {.experiments = {.count = 3, .list = list}};
  assert_true(entropic_comparison_load(&comparison) == 0);
  assert_true(isnan(entropic_comparison_load(NULL)));
}

/* Trainings as a log has them: rows that are not there are not read. */
static void long_trainings_have_fewer_rounds(void **state) {
  enum { ROUNDS = 9, LENGTHS = 6 };
  /* At least two; then as long as one more stays below 6 seconds in all. */
  static const double lengths[LENGTHS] = {0.001, 0.6, 0.69, 1.5, 1.98, 1000};
  static const size_t expected[LENGTHS] = {9, 9, 8, 3, 3, 2};
  ent_request requests[LENGTHS];
  for (size_t i = 0; i < LENGTHS; i++)
    requests[i] = (ent_request){.method = ENT_COMPARE_RKS, .features = i + 1};
  ent_experiments all = chosen(requests, LENGTHS);
  ASSERT_OK(context, ent_run_log_open(context, in_folder(state, "long.tsv"), "times", &all.log));
  for (size_t i = 0; i < LENGTHS; i++)
    for (uint64_t round = 0; round < ROUNDS; round++) {
      const ent_logged_time t = {{.make = lengths[i] / 2, .train = lengths[i], .lift = 1, .given = NAN}, 0.25};
      ASSERT_OK(context, ent_run_log_add_time(context, all.log, &(ent_logged_key){requests[i], round}, &t));
    }
  const ent_evaluation_data nothing = {0};
  ASSERT_OK(context, ent_experiments_time(context, &all, &nothing, 1, &(ent_timing){.rounds = ROUNDS}));
  for (size_t i = 0; i < LENGTHS; i++) {
    assert_int_equal(all.list[i].times.count, expected[i]);
    assert_true(ent_experiment_seconds(&all.list[i], ENT_DURATION_TRAIN, 0.5) == lengths[i]);
    assert_true(ent_experiment_seconds(&all.list[i], ENT_DURATION_MAKE, 0.5) == lengths[i] / 2);
  }
  assert_true(ent_experiments_load(&all) == 0.25);
  /* A round that the log does not have is measured, for which there must be rows. */
  assert_int_equal(ent_experiments_time(context, &all, &nothing, 1, &(ent_timing){.rounds = ROUNDS + 1}),
                   ENTROPIC_BAD_DATA);
  assert_message(context, "0 training rows");
  assert_int_equal(all.list[0].times.count, ROUNDS);
  ent_run_log_close(all.log);
  ent_experiments_clear(&all);
}

/* An experiment without a run has no choice to train with. */
static void what_was_not_run_is_not_measured(void **state) {
  (void)state;
  static arena a;
  static const ent_request requests[] = {{.method = ENT_COMPARE_RKS, .features = 3},
                                         {.method = ENT_COMPARE_ORF, .features = 3}};
  arena_start(&a, 0);
  ent_experiments all = chosen(requests, 2);
  all.list[1].runs = 0;
  ASSERT_OK(context, ent_experiments_time(context, &all, &a.data, 1, &(ent_timing){.rounds = 3}));
  assert_int_equal(all.list[0].times.count, 3);
  assert_int_equal(all.list[1].times.count, 0);
  assert_true(isnan(ent_experiment_seconds(&all.list[1], ENT_DURATION_TRAIN, 0.5)));
  ent_experiments_clear(&all);
}

/* Every method, with numbers of features and with budgets; from lifted rows, if asked for. Measured on
 * one thread, with the same choice afterwards. */
static void what_is_measured(void **state) {
  enum { ROUNDS = 2, COUNT_ALL = ENT_COMPARE_METHODS + 1 };
  static arena a;
  ent_request requests[COUNT_ALL];
  arena_start(&a, 0);
  for (size_t i = 0; i < COUNT_ALL; i++)
    requests[i] = (ent_request){.method = (ent_compare_method)i, .features = i == ENT_COMPARE_EXACT ? 0 : 12};
  requests[COUNT_ALL - 1] = (ent_request){.method = ENT_COMPARE_ENTROPY, .nonzeros = 8};
  entropic_context *three = context_with(3);
  for (int given = 0; given < 2; given++) {
    char name[32];
    snprintf(name, sizeof name, "measured-%d.tsv", given);
    const char *path = in_folder(state, name);
    ent_experiments all = chosen(requests, COUNT_ALL), again = chosen(requests, COUNT_ALL);
    ASSERT_OK(context, ent_run_log_open(context, path, "times", &all.log));
    const ent_timing timing = {.rounds = ROUNDS, .given = given == 1};
    ASSERT_OK(three, ent_experiments_time(three, &all, &a.data, 1, &timing));
    assert_int_equal(ent_context_threads(three), 3);
    for (size_t i = 0; i < COUNT_ALL; i++) {
      const ent_experiment *e = &all.list[i];
      bool exact = e->request.method == ENT_COMPARE_EXACT;
      bool lifted = given == 1 && !exact;
      assert_int_equal(e->times.count, ROUNDS);
      for (size_t k = 0; k < ROUNDS; k++) {
        const ent_durations *d = &e->times.rounds[k].durations;
        assert_true(d->train > 0 && d->train < 60);
        assert_true(exact ? d->make == 0 && d->lift == 0 : d->make > 0 && d->make <= d->train && d->lift > 0);
        assert_true(lifted ? d->given > 0 && d->given < 60 : isnan(d->given));
        assert_true(isnan(e->times.rounds[k].others) || e->times.rounds[k].others >= 0);
      }
      assert_true(e->runs == 1 && e->performances[0].choice.lambda == 1e-3);
    }
    /* The log has all of it: no row is needed to have the same times again. */
    again.log = all.log;
    ASSERT_OK(context, ent_experiments_time(context, &again, &(ent_evaluation_data){0}, 1, &timing));
    for (size_t i = 0; i < COUNT_ALL; i++)
      assert_memory_equal(again.list[i].times.rounds, all.list[i].times.rounds, ROUNDS * sizeof(ent_logged_time));
    ent_run_log_close(all.log);
    ent_experiments_clear(&all);
    ent_experiments_clear(&again);
  }
  entropic_context_free(three);
}

/* Measured longer than a moment, the load is known wherever the system tells it, and is that of others: not above all
 * processors. */
static void loads_become_known(void **state) {
  (void)state;
  enum { MANY = 50, ROUNDS = 2 };
  static arena a;
  static ent_request requests[MANY];
  arena_start(&a, 0);
  for (size_t i = 0; i < MANY; i++)
    requests[i] = (ent_request){.method = ENT_COMPARE_RKS, .features = 300};
  ent_experiments all = chosen(requests, MANY);
  double begin = ent_seconds(), load = ent_experiments_load(&all);
  assert_true(isnan(load));
  ASSERT_OK(context, ent_experiments_time(context, &all, &a.data, 1, &(ent_timing){.rounds = ROUNDS}));
  load = ent_experiments_load(&all);
  bool known = access("/proc/stat", R_OK) == 0 && ent_seconds() - begin > 0.7;
  assert_true((load >= 0 && load <= (double)sysconf(_SC_NPROCESSORS_CONF) + 0.1) || (!known && isnan(load)));
  ent_experiments_clear(&all);
}

SUITE(compare_timing) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quantiles_by_hand),
      cmocka_unit_test(loads_by_hand),
      cmocka_unit_test(long_trainings_have_fewer_rounds),
      cmocka_unit_test(what_was_not_run_is_not_measured),
      cmocka_unit_test(what_is_measured),
      cmocka_unit_test(loads_become_known),
  };
  return cmocka_run_group_tests_name("compare_timing", tests, start_in_folder, stop_in_folder);
}
