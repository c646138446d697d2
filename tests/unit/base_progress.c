/* Long calls: who calls back and when, parts of parts, cancelling, and what goes on without threads. */
#define _GNU_SOURCE
#include "unit/tests.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/threads.h"
#include "unit/listening.h"

#define GENEROUS 2.0 /* seconds: the machine may be busy, and sanitizers slow */

static entropic_context *new_context(int threads) {
  entropic_context *context = NULL;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  assert_int_equal(entropic_context_set_threads(context, threads), ENTROPIC_OK);
  return context;
}

typedef struct heard {
  pthread_t caller;
  size_t calls;
  double first, last;
  const char *stage; /* the one expected */
  bool sane;
  bool over;            /* the call has returned */
  size_t cancel;        /* at this call, counted from 1; 0: never */
  double cancelled;     /* when */
  double longest, then; /* the longest time between two calls; the time of the last */
} heard;

static heard heard_of(const char *stage) {
  return (heard){.caller = pthread_self(), .stage = stage, .sane = true, .then = ent_seconds()};
}

static int hear(void *user, const char *stage, double done) {
  heard *h = user;
  double now = ent_seconds();
  h->longest = now - h->then > h->longest ? now - h->then : h->longest;
  h->then = now;
  h->sane = h->sane && !h->over && pthread_equal(h->caller, pthread_self()) && strcmp(stage, h->stage) == 0;
  h->sane = h->sane && done >= 0 && done <= 1 && (h->calls == 0 || done >= h->last);
  h->first = h->calls++ == 0 ? done : h->first;
  h->last = done;
  if (h->calls != h->cancel)
    return 0;
  h->cancelled = now;
  return -7; /* anything but 0 */
}

/* ---- Parts of parts ---- */

static entropic_status work_in_parts(entropic_context *context, void *shared, size_t task, int worker) {
  (void)worker;
  ent_progress former = ent_progress_enter(context, task, *(size_t *)shared);
  for (size_t i = 0; i < 3; i++) {
    ent_progress outer = ent_progress_enter(context, i, 3);
    for (size_t k = 0; k <= 7; k++)
      ent_progress_report(context, (double)k / 7);
    ent_progress_leave(context, outer);
  }
  ent_progress_report(context, 1);
  ent_progress_leave(context, former);
  return ENTROPIC_OK;
}

static void parts_of_parts_never_go_back(void **state) {
  (void)state;
  for (int threads = 1; threads <= 4; threads++)
    for (size_t parts = 1; parts < 50; parts++) {
      heard h = heard_of("starting");
      ent_call call;
      entropic_context *context = new_context(threads);
      listen_start(context, &call, hear, &h);
      assert_int_equal(ent_parallel(context, parts, work_in_parts, &parts), ENTROPIC_OK);
      assert_true(h.sane);
      if (threads == 1) {
        assert_int_equal(h.calls, parts * (3 * 8 + 2)); /* with the poll before each task */
        assert_true(h.first == 0 && h.last == 1);
      }
      size_t calls = h.calls;
      listen_stop(context);
      ent_progress_report(context, 1);
      assert_int_equal(ent_poll(context), ENTROPIC_OK);
      assert_int_equal(h.calls, calls);
      entropic_context_free(context);
    }
}

/* The stages heard, as text. */
static int write_stage(void *user, const char *stage, double done) {
  char *text = user;
  snprintf(text + strlen(text), 400 - strlen(text), "%s %g;", stage, done);
  return 0;
}

static void stages_follow_each_other(void **state) {
  (void)state;
  char text[400] = "";
  ent_call call;
  entropic_context *context = new_context(1);
  listen_start(context, &call, write_stage, text);
  ent_progress first = ent_progress_start(context, "one", 1, 4); /* from 1/4 to 1/2 */
  ent_progress_report(context, 0.5);
  ent_progress_at(context, "two", 1, 2); /* nothing within moves it */
  ent_progress_report(context, 0.9);
  ent_progress two = ent_progress_hold(context);
  ent_progress_start(context, "three", 0, 1);
  ent_progress_at(context, "three", 0, 1);
  ent_progress_report(context, 0.9);
  ent_progress_leave(context, two);
  ent_progress_report(context, 1);
  ent_progress_leave(context, first);
  ent_progress_report(context, 0.125);
  listen_stop(context);
  assert_string_equal(text, "one 0.25;one 0.375;two 0.5;two 0.5;two 0.5;starting 0.125;");
  entropic_context_free(context);
}

static void nobody_has_to_listen(void **state) {
  (void)state;
  size_t parts = 2;
  entropic_context *context = new_context(1);
  assert_int_equal(work_in_parts(context, &parts, 0, 0), ENTROPIC_OK);
  assert_int_equal(work_in_parts(NULL, &parts, 0, 0), ENTROPIC_OK);
  ent_progress_leave(NULL, ent_progress_start(NULL, "working", 0, 1));
  ent_progress_leave(NULL, ent_progress_at(NULL, "working", 0, 1));
  ent_progress_leave(NULL, ent_progress_hold(NULL));
  assert_int_equal(ent_poll(NULL), ENTROPIC_OK);
  assert_int_equal(entropic_context_set_progress(NULL, hear, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_context_set_progress(context, NULL, NULL), ENTROPIC_OK);
  entropic_context_free(context);
}

/* ---- Calls ---- */

typedef struct job {
  double seconds;
  bool polls;
  size_t tasks;     /* 0: no ent_parallel */
  pthread_t thread; /* that it ran on */
  double ended;
  entropic_status status; /* what it gives at the end */
} job;

static void sleep_for(double seconds) {
  struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&time, NULL);
}

static entropic_status wait_task(entropic_context *context, void *shared, size_t task, int worker) {
  (void)context, (void)task, (void)worker;
  const job *j = shared;
  sleep_for(j->seconds / (double)j->tasks);
  return ENTROPIC_OK;
}

static entropic_status wait(entropic_context *context, void *arguments) {
  job *j = arguments;
  double end = ent_seconds() + j->seconds;
  entropic_status status = j->status;
  j->thread = pthread_self();
  if (j->tasks > 0)
    status = ent_parallel(context, j->tasks, wait_task, j);
  else if (!j->polls)
    sleep_for(j->seconds);
  while (j->polls && j->tasks == 0 && ent_seconds() < end) {
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      break;
    sleep_for(0.001);
  }
  j->ended = ent_seconds();
  return status;
}

/* Work that neither reports nor polls is heard of all the same, on the caller's thread, and not after it has ended. */
static void the_callers_thread_calls_back(void **state) {
  (void)state;
  entropic_context *context = new_context(2);
  heard h = heard_of("waiting");
  job j = {.seconds = 0.3, .status = ENTROPIC_OK};
  assert_int_equal(entropic_context_set_progress(context, hear, &h), ENTROPIC_OK);
  assert_int_equal(ent_call_run(context, "waiting", wait, &j), ENTROPIC_OK);
  h.over = true;
  assert_false(pthread_equal(j.thread, pthread_self()));
  assert_in_range(h.calls, 2, 15);
  assert_true(h.sane && h.longest <= GENEROUS);
  sleep_for(0.06);
  assert_true(h.sane);
  /* Without a callback it stays here. */
  assert_int_equal(entropic_context_set_progress(context, NULL, &h), ENTROPIC_OK);
  assert_int_equal(ent_call_run(context, "waiting", wait, &j), ENTROPIC_OK);
  assert_true(h.sane && pthread_equal(j.thread, pthread_self()));
  j.status = ENTROPIC_BAD_DATA;
  assert_int_equal(ent_call_run(NULL, "waiting", wait, &j), ENTROPIC_BAD_DATA);
  entropic_context_free(context);
}

/* Work that fails by itself says why; a call that was cancelled says that. */
static void a_call_is_cancelled(void **state) {
  (void)state;
  for (int polls = 0; polls < 2; polls++)
    for (size_t tasks = 0; tasks <= 2000; tasks += 2000) {
      entropic_context *context = new_context(3);
      heard h = heard_of("waiting");
      job j = {.seconds = polls || tasks > 0 ? 60 : 0.2, .polls = polls, .tasks = tasks, .status = ENTROPIC_BAD_DATA};
      entropic_context_set_progress(context, hear, &h);
      h.cancel = 2;
      assert_int_equal(ent_call_run(context, "waiting", wait, &j), ENTROPIC_CANCELLED);
      assert_message(context, "cancelled by the progress callback");
      h.over = true;
      assert_true(h.sane && h.calls == 2);
      assert_true(ent_seconds() - h.cancelled <= GENEROUS);
      h = heard_of("waiting"); /* the next call is a new one */
      j = (job){.seconds = 0.05, .status = ENTROPIC_BAD_DATA};
      assert_int_equal(ent_call_run(context, "waiting", wait, &j), ENTROPIC_BAD_DATA);
      assert_true(h.sane);
      entropic_context_free(context);
    }
}

/* Within a call the library calls itself. */
static entropic_status nest(entropic_context *context, void *arguments) {
  job *inner = arguments;
  pthread_t thread = pthread_self();
  entropic_status status = ent_call_run(context, "inner", wait, inner);
  return pthread_equal(thread, inner->thread) ? status : ENTROPIC_SYSTEM;
}

static void calls_within_calls_stay_on_their_thread(void **state) {
  (void)state;
  entropic_context *context = new_context(1);
  heard h = heard_of("outer");
  job j = {.seconds = 60, .polls = true};
  h.cancel = 2;
  entropic_context_set_progress(context, hear, &h);
  assert_int_equal(ent_call_run(context, "outer", nest, &j), ENTROPIC_CANCELLED);
  assert_true(h.sane);
  entropic_context_free(context);
}

typedef struct nested {
  entropic_context *context; /* another one */
  heard heard;
  size_t calls;
  bool right;
} nested;

/* A callback that makes a call of its own, with another context, and cancels that. */
static int call_within(void *user, const char *stage, double done) {
  (void)stage, (void)done;
  nested *n = user;
  job j = {.seconds = 60, .polls = true};
  n->heard = heard_of("inner");
  n->heard.cancel = 1;
  n->right = n->right && ent_call_run(n->context, "inner", wait, &j) == ENTROPIC_CANCELLED && n->heard.sane;
  return ++n->calls == 3;
}

static void callbacks_may_call_with_another_context(void **state) {
  (void)state;
  entropic_context *context = new_context(1);
  nested n = {.context = new_context(1), .right = true};
  job j = {.seconds = 60, .polls = true};
  entropic_context_set_progress(context, call_within, &n);
  entropic_context_set_progress(n.context, hear, &n.heard);
  assert_int_equal(ent_call_run(context, "outer", wait, &j), ENTROPIC_CANCELLED);
  assert_true(n.right);
  assert_int_equal(n.calls, 3);
  entropic_context_free(context);
  entropic_context_free(n.context);
}

/* A stack limit that no address space can hold makes every pthread_create fail: then polls call back. */
static void polls_call_back_where_no_thread_can_be_started(void **state) {
  (void)state;
  pthread_attr_t old, huge;
  assert_int_equal(pthread_getattr_default_np(&old), 0);
  assert_int_equal(pthread_attr_init(&huge), 0);
  assert_int_equal(pthread_attr_setstacksize(&huge, (size_t)1 << 60), 0);
  assert_int_equal(pthread_setattr_default_np(&huge), 0);
  entropic_context *context = new_context(4);
  for (size_t tasks = 0; tasks <= 20000; tasks += 20000) {
    heard h = heard_of("waiting");
    job j = {.seconds = 60, .polls = true, .tasks = tasks};
    h.cancel = 5;
    entropic_context_set_progress(context, hear, &h);
    entropic_status status = ent_call_run(context, "waiting", wait, &j);
    h.over = true;
    assert_true(h.sane && pthread_equal(j.thread, pthread_self()));
    assert_int_equal(status, ENTROPIC_CANCELLED);
    assert_int_equal(h.calls, 5);
  }
  assert_int_equal(pthread_setattr_default_np(&old), 0);
  pthread_attr_destroy(&old);
  pthread_attr_destroy(&huge);
  entropic_context_free(context);
}

SUITE(base_progress) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_of_parts_never_go_back),
      cmocka_unit_test(stages_follow_each_other),
      cmocka_unit_test(nobody_has_to_listen),
      cmocka_unit_test(the_callers_thread_calls_back),
      cmocka_unit_test(a_call_is_cancelled),
      cmocka_unit_test(calls_within_calls_stay_on_their_thread),
      cmocka_unit_test(callbacks_may_call_with_another_context),
      cmocka_unit_test(polls_call_back_where_no_thread_can_be_started),
  };
  return cmocka_run_group_tests_name("base_progress", tests, NULL, NULL);
}
