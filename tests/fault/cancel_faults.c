/* Every long call cancelled at its polls, one after the other or at random: CANCELLED, nothing leaked, no output touched,
 * no file left. */
#include "unit/cancelling.h"

#include "base/threads.h"
#include "fault/failing_malloc.h"
#include "unit/listening.h"

/* Polls at which a call is cancelled: all of them, or so many at random; fewer of slow calls. */
enum { LEAST = 4, MOST = 60 };
#define SECONDS 0.3 /* for all that are cancelled of a call */

typedef struct counter {
  size_t calls, cancel; /* counted from 1 */
} counter;

static int count(void *user, const char *stage, double done) {
  counter *c = user;
  assert_true(stage != NULL && done >= 0 && done <= 1);
  return ++c->calls == c->cancel;
}

static long_setting at;

static int start(void **state) {
  if (make_folder(state) != 0)
    return 1;
  long_start(&at, state, 40, 50, false);
  return 0;
}

static int stop(void **state) {
  long_stop(&at);
  return remove_folder(state);
}

/* Runs a call that is cancelled at that poll; 0: not. Returns how many polls there were. */
static size_t run(size_t which, size_t cancel) {
  counter c = {.cancel = cancel};
  ent_call call;
  long live = failing_malloc_live();
  listen_start(at.context, &call, count, &c);
  entropic_status status = long_calls[which].run(&at), expected = cancel > 0 ? ENTROPIC_CANCELLED : ENTROPIC_OK;
  listen_stop(at.context);
  if (status != expected)
    fail_msg("%s, cancelled at poll %zu: the status is %s (%s)", long_calls[which].name, cancel,
             entropic_status_name(status), entropic_context_message(at.context));
  if (failing_malloc_live() != live)
    fail_msg("%s, cancelled at poll %zu: %ld blocks are never released", long_calls[which].name, cancel,
             failing_malloc_live() - live);
  return c.calls;
}

static void nothing_is_left_behind(void **state) {
  (void)state;
  for (size_t which = 0; which < LONG_CALLS; which++)
    for (int threads = 1; threads <= 3; threads += 2) {
      entropic_random random = entropic_random_start(3, which);
      ASSERT_OK(at.context, entropic_context_set_threads(at.context, threads));
      double since = ent_seconds();
      size_t polls = run(which, 0), some = polls < MOST ? polls : MOST;
      size_t affordable = (size_t)(SECONDS / (ent_seconds() - since)) + LEAST;
      if (polls == 0)
        fail_msg("%s never polls", long_calls[which].name);
      if (threads > 1) /* how many polls the caller's thread makes is then a matter of luck */
        some = some / 4, polls = polls / 4;
      some = some < affordable ? some : affordable;
      for (size_t i = 0; i < some; i++)
        run(which, polls <= some ? i + 1 : 1 + (size_t)entropic_random_below(&random, polls));
    }
}

/* A callback that is set in a context without calls does nothing, and needs no memory. */
static void setting_a_callback(void **state) {
  (void)state;
  long live = failing_malloc_live();
  failing_malloc_after(0);
  assert_int_equal(entropic_context_set_progress(at.context, count, NULL), ENTROPIC_OK);
  assert_int_equal(entropic_context_set_progress(at.context, NULL, NULL), ENTROPIC_OK);
  assert_int_equal(failing_malloc_count(), 0);
  failing_malloc_after(-1);
  assert_int_equal(failing_malloc_live(), live);
}

SUITE(cancel_faults) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_left_behind), cmocka_unit_test(setting_a_callback)};
  return cmocka_run_group_tests_name("cancel_faults", tests, start, stop);
}
