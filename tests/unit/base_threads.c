/* Tasks spread over threads. */
#define _GNU_SOURCE
#include "unit/tests.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/threads.h"

#define TASKS 1000

typedef struct record {
  atomic_int runs[TASKS];
  atomic_int wrong_workers;
  int workers;
  size_t fail_from; /* this task and each 7th after it fail */
  pthread_t caller;
  atomic_int away; /* tasks that ran on another thread */
} record;

static entropic_status run(entropic_context *context, void *shared, size_t task, int worker) {
  record *seen = shared;
  atomic_fetch_add(&seen->runs[task], 1);
  if (worker < 0 || worker >= seen->workers)
    atomic_fetch_add(&seen->wrong_workers, 1);
  if (!pthread_equal(seen->caller, pthread_self()))
    atomic_fetch_add(&seen->away, 1);
  if (task >= seen->fail_from && (task - seen->fail_from) % 7 == 0)
    return ent_fail(context, task % 2 ? ENTROPIC_BAD_DATA : ENTROPIC_TOO_LARGE, "task %zu", task);
  return ENTROPIC_OK;
}

static void start(record *seen, entropic_context *context, int threads, size_t tasks) {
  memset(seen, 0, sizeof *seen);
  seen->fail_from = SIZE_MAX;
  seen->caller = pthread_self();
  memset(context, 0, sizeof *context);
  context->threads = threads;
  seen->workers = ent_workers(context, tasks);
}

static const int thread_counts[] = {0, 1, 2, 3, 8, 40};
#define COUNTS COUNT(thread_counts)

static void each_task_runs_once(void **state) {
  (void)state;
  static record seen;
  entropic_context context;
  for (size_t i = 0; i < COUNTS; i++) {
    start(&seen, &context, thread_counts[i], TASKS);
    assert_int_equal(ent_parallel(&context, TASKS, run, &seen), ENTROPIC_OK);
    for (int task = 0; task < TASKS; task++)
      assert_int_equal(seen.runs[task], 1);
    assert_int_equal(seen.wrong_workers, 0);
    assert_string_equal(context.message, "");
  }
  start(&seen, &context, 4, 0);
  assert_int_equal(ent_parallel(&context, 0, run, &seen), ENTROPIC_OK);
  assert_int_equal(seen.runs[0], 0);
}

static void count_run(void *user, size_t task) {
  record *seen = user;
  atomic_fetch_add(&seen->runs[task], 1);
}

/* Those of programs, which know nothing of workers. */
static void each_task_of_a_program_runs_once(void **state) {
  (void)state;
  static record seen;
  entropic_context context;
  for (size_t i = 0; i < COUNTS; i++) {
    start(&seen, &context, thread_counts[i], TASKS);
    assert_int_equal(entropic_tasks_run(&context, TASKS - 1, count_run, &seen), ENTROPIC_OK);
    for (int task = 0; task < TASKS; task++)
      assert_int_equal(seen.runs[task], task < TASKS - 1);
  }
  assert_int_equal(entropic_tasks_run(NULL, 1, count_run, &seen), ENTROPIC_OK);
  assert_int_equal(seen.runs[0], 2);
  assert_int_equal(entropic_tasks_run(&context, 1, NULL, &seen), ENTROPIC_BAD_ARGUMENT);
  assert_non_null(strstr(context.message, "run"));
}

static void lowest_failure_is_reported(void **state) {
  (void)state;
  static record seen;
  entropic_context context;
  for (size_t i = 0; i < COUNTS; i++)
    for (size_t fail_from = 0; fail_from < 60; fail_from++) {
      start(&seen, &context, thread_counts[i], TASKS);
      seen.fail_from = fail_from;
      char expected[32];
      snprintf(expected, sizeof expected, "task %zu", fail_from);
      assert_int_equal(ent_parallel(&context, TASKS, run, &seen),
                       fail_from % 2 ? ENTROPIC_BAD_DATA : ENTROPIC_TOO_LARGE);
      assert_string_equal(context.message, expected);
      for (size_t task = 0; task <= fail_from; task++)
        assert_int_equal(seen.runs[task], 1);
    }
}

static void failures_stop_the_rest(void **state) {
  (void)state;
  static record seen;
  entropic_context context;
  start(&seen, &context, 1, TASKS);
  seen.fail_from = 10;
  assert_int_equal(ent_parallel(&context, TASKS, run, &seen), ENTROPIC_TOO_LARGE);
  assert_int_equal(seen.runs[11], 0);
}

static void works_without_a_context(void **state) {
  (void)state;
  static record seen;
  entropic_context context;
  start(&seen, &context, 0, TASKS);
  assert_int_equal(ent_parallel(NULL, TASKS, run, &seen), ENTROPIC_OK);
  for (int task = 0; task < TASKS; task++)
    assert_int_equal(seen.runs[task], 1);
  seen.fail_from = 3;
  assert_int_equal(ent_parallel(NULL, TASKS, run, &seen), ENTROPIC_BAD_DATA);
}

static entropic_status nest(entropic_context *context, void *shared, size_t task, int worker) {
  (void)task;
  (void)worker;
  record *seen = shared;
  if (ent_workers(context, TASKS) != 1)
    atomic_fetch_add(&seen->wrong_workers, 1);
  return ENTROPIC_OK;
}

static void tasks_do_not_start_threads(void **state) {
  (void)state;
  static record seen;
  entropic_context context;
  start(&seen, &context, 4, TASKS);
  assert_int_equal(ent_parallel(&context, 100, nest, &seen), ENTROPIC_OK);
  assert_int_equal(seen.wrong_workers, 0);
}

/* How many threads each long task has. */
typedef struct shares {
  atomic_int runs[12];
  int threads[12];
} shares;

static entropic_status take_share(entropic_context *context, void *shared, size_t task, int worker) {
  (void)worker;
  shares *seen = shared;
  atomic_fetch_add(&seen->runs[task], 1);
  seen->threads[task] = ent_workers(context, TASKS);
  return ENTROPIC_OK;
}

static void long_tasks_share_the_threads(void **state) {
  (void)state;
  const struct {
    int threads;
    size_t tasks;
    int first, last; /* threads of the first and the last task */
  } cases[] = {{1, 5, 1, 1}, {2, 5, 1, 2}, {2, 4, 1, 1}, {4, 6, 1, 2}, {8, 3, 2, 2}, {8, 1, 8, 8}, {4, 7, 1, 1}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    shares seen = {0};
    entropic_context context = {.threads = cases[i].threads};
    assert_int_equal(ent_parallel_long(&context, cases[i].tasks, take_share, &seen), ENTROPIC_OK);
    for (size_t task = 0; task < COUNT(seen.runs); task++)
      assert_int_equal(seen.runs[task], task < cases[i].tasks);
    assert_int_equal(seen.threads[0], cases[i].first);
    assert_int_equal(seen.threads[cases[i].tasks - 1], cases[i].last);
  }
}

static void lowest_failure_of_long_tasks_is_reported(void **state) {
  (void)state;
  static record seen;
  entropic_context context;
  for (size_t fail_from = 0; fail_from < 14; fail_from++) {
    start(&seen, &context, 4, 14);
    seen.fail_from = fail_from;
    char expected[32];
    snprintf(expected, sizeof expected, "task %zu", fail_from);
    assert_int_equal(ent_parallel_long(&context, 14, run, &seen),
                     fail_from % 2 ? ENTROPIC_BAD_DATA : ENTROPIC_TOO_LARGE);
    assert_string_equal(context.message, expected);
  }
  start(&seen, &context, 4, 0);
  assert_int_equal(ent_parallel_long(&context, 0, run, &seen), ENTROPIC_OK);
  assert_int_equal(seen.runs[0], 0);
}

/* Long tasks with many small regions of their own. */
static entropic_status many_regions(entropic_context *context, void *shared, size_t task, int worker) {
  (void)task;
  (void)worker;
  record *seen = shared;
  for (int i = 0; i < 20; i++) {
    entropic_status status = ent_parallel(context, 50, run, seen);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Between hold and release threads wait for the next tasks: each task runs once, failures are the same, and while they
 * wait the caller is alone. */
static void threads_are_kept_between_tasks(void **state) {
  (void)state;
  static record seen;
  entropic_context context;
  for (size_t i = 0; i < COUNTS; i++) {
    bool alone = ent_alone();
    start(&seen, &context, thread_counts[i], TASKS);
    ent_threads_hold(&context);
    ent_threads_hold(&context);
    for (int round = 1; round <= 200; round++) {
      size_t tasks = round % 3 == 0 ? TASKS : (size_t)(round % 5);
      assert_int_equal(ent_parallel(&context, tasks, run, &seen), ENTROPIC_OK);
      assert_int_equal(ent_alone(), alone);
      if (round == 100)
        ent_threads_release(&context);
    }
    for (int task = 0; task < TASKS; task++)
      assert_int_equal(seen.runs[task], task < 5 ? seen.runs[task] : 66);
    assert_true(seen.runs[0] > seen.runs[3] && seen.runs[3] > 66);
    seen.fail_from = 500;
    assert_int_equal(ent_parallel(&context, TASKS, run, &seen), ENTROPIC_TOO_LARGE);
    assert_string_equal(context.message, "task 500");
    seen.fail_from = SIZE_MAX;
    memset(seen.runs, 0, sizeof seen.runs);
    assert_int_equal(ent_parallel_long(&context, 7, many_regions, &seen), ENTROPIC_OK);
    assert_int_equal(seen.runs[49], 7 * 20);
    assert_int_equal(seen.wrong_workers, 0);
    assert_int_equal(ent_alone(), alone);
    ent_threads_release(&context);
    assert_null(context.kept);
  }
  ent_threads_hold(NULL);
  ent_threads_release(NULL);
}

static void workers_are_limited(void **state) {
  (void)state;
  entropic_context context = {.threads = 8};
  assert_int_equal(ent_workers(&context, 3), 3);
  assert_int_equal(ent_workers(&context, 0), 1);
  assert_int_equal(ent_workers(&context, 100), 8);
  context.threads = 1000000;
  assert_int_equal(ent_workers(&context, 10000000), 1024);
}

static void automatic_follows_the_affinity(void **state) {
  (void)state;
  cpu_set_t old, one;
  if (sched_getaffinity(0, sizeof old, &old) != 0)
    skip();
  entropic_context context = {.threads = 0};
  int all = CPU_COUNT(&old) < 1024 ? CPU_COUNT(&old) : 1024;
  assert_int_equal(ent_workers(&context, 100000), all);
  CPU_ZERO(&one);
  for (size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
    if (CPU_ISSET(cpu, &old))
      CPU_SET(cpu, &one);
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
  int workers = ent_workers(&context, 100000);
  assert_int_equal(sched_setaffinity(0, sizeof old, &old), 0);
  assert_int_equal(workers, 1);
}

/* A stack limit that no address space can hold makes every pthread_create fail. */
static void works_when_no_thread_can_be_started(void **state) {
  (void)state;
  static record seen;
  entropic_context context;
  pthread_attr_t old, huge;
  assert_int_equal(pthread_getattr_default_np(&old), 0);
  assert_int_equal(pthread_attr_init(&huge), 0);
  assert_int_equal(pthread_attr_setstacksize(&huge, (size_t)1 << 60), 0);
  assert_int_equal(pthread_setattr_default_np(&huge), 0);
  start(&seen, &context, 4, TASKS);
  entropic_status status = ent_parallel(&context, TASKS, run, &seen);
  assert_int_equal(pthread_setattr_default_np(&old), 0);
  pthread_attr_destroy(&old);
  pthread_attr_destroy(&huge);
  assert_int_equal(status, ENTROPIC_OK);
  for (int task = 0; task < TASKS; task++)
    assert_int_equal(seen.runs[task], 1);
  assert_int_equal(seen.away, 0);
}

typedef struct gate {
  atomic_int inside, most;
} gate;

static entropic_status pass_often(entropic_context *own, void *shared, size_t task, int worker) {
  (void)own, (void)worker, (void)task;
  gate *g = shared;
  for (int i = 0; i < 200; i++) {
    ent_slot_acquire();
    int inside = atomic_fetch_add(&g->inside, 1) + 1, most = atomic_load(&g->most);
    while (inside > most && !atomic_compare_exchange_weak(&g->most, &most, inside))
      continue;
    sched_yield();
    atomic_fetch_sub(&g->inside, 1);
    ent_slot_release();
    if (i % 50 == 0) { /* nobody is inside while it is closed */
      ent_slots_close();
      if (atomic_load(&g->inside) != 0)
        atomic_store(&g->most, 1000);
      ent_slots_open(3);
    }
  }
  return ENTROPIC_OK;
}

/* As many threads as there are places, and none while it is closed. */
static void slots_limit_threads(void **state) {
  (void)state;
  entropic_context context = {.threads = 8};
  gate g = {0};
  ent_slots_close();
  ent_slots_open(3);
  /* On a busy machine a single thread may do all of it before another one has started. */
  for (int turn = 0; turn < 500 && atomic_load(&g.most) < 2; turn++)
    assert_int_equal(ent_parallel(&context, 16, pass_often, &g), ENTROPIC_OK);
  assert_in_range(atomic_load(&g.most), 2, 3);
  ent_slots_close();
  ent_slots_open(1);
}

SUITE(base_threads) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_task_runs_once),
      cmocka_unit_test(each_task_of_a_program_runs_once),
      cmocka_unit_test(lowest_failure_is_reported),
      cmocka_unit_test(failures_stop_the_rest),
      cmocka_unit_test(works_without_a_context),
      cmocka_unit_test(tasks_do_not_start_threads),
      cmocka_unit_test(long_tasks_share_the_threads),
      cmocka_unit_test(lowest_failure_of_long_tasks_is_reported),
      cmocka_unit_test(threads_are_kept_between_tasks),
      cmocka_unit_test(workers_are_limited),
      cmocka_unit_test(automatic_follows_the_affinity),
      cmocka_unit_test(works_when_no_thread_can_be_started),
      cmocka_unit_test(slots_limit_threads),
  };
  return cmocka_run_group_tests_name("base_threads", tests, NULL, NULL);
}
