/* Long calls cancelled by their callbacks at random moments: they return soon, on time and with nothing done. How soon is
 * measured on real tables by `make cancel-gaps`; here the limits are generous, as machines are busy and sanitizers slow. */
#include "unit/cancelling.h"

#include <pthread.h>

#include "base/threads.h"

#define GENEROUS 2.0 /* seconds */
#define MOST_SECONDS 2.5

typedef struct moments {
  pthread_t caller;
  size_t calls, cancel; /* counted from 1; 0: not cancelled */
  double cancelled;     /* when */
  double then, longest; /* the last call, the longest time between two */
  bool sane, over;
} moments;

static int listen_and_cancel(void *user, const char *stage, double done) {
  moments *m = user;
  double now = ent_seconds();
  m->longest = fmax(m->longest, now - m->then);
  m->then = now;
  m->sane = m->sane && !m->over && pthread_equal(m->caller, pthread_self()) && m->cancelled == 0;
  m->sane = m->sane && stage != NULL && stage[0] != '\0' && done >= 0 && done <= 1;
  if (++m->calls != m->cancel)
    return 0;
  m->cancelled = now;
  return 1;
}

static long_setting at;

static int start(void **state) {
  bool quick = quick_tests();
  if (make_folder(state) != 0)
    return 1;
  long_start(&at, state, quick ? 200 : 600, quick ? 2000 : 100000, true);
  return 0;
}

static int stop(void **state) {
  long_stop(&at);
  return remove_folder(state);
}

static moments run(size_t which, size_t cancel, entropic_status *status) {
  double begin = ent_seconds();
  moments m = {.caller = pthread_self(), .cancel = cancel, .then = begin, .sane = true};
  ASSERT_OK(at.context, entropic_context_set_progress(at.context, listen_and_cancel, &m));
  *status = long_calls[which].run(&at);
  ASSERT_OK(at.context, entropic_context_set_progress(at.context, NULL, NULL));
  double end = ent_seconds();
  m.over = true;
  m.longest = fmax(m.longest, end - m.then);
  if (!m.sane)
    fail_msg("%s: called back wrongly", long_calls[which].name);
  if (m.longest > GENEROUS)
    fail_msg("%s: %.0f ms between two calls", long_calls[which].name, 1e3 * m.longest);
  /* Each of the calls that make up a run may end before it is called back for. */
  entropic_status expected = m.cancelled > 0 ? ENTROPIC_CANCELLED : ENTROPIC_OK;
  if (*status != expected)
    fail_msg("%s: %s after %zu calls, cancelled at %zu", long_calls[which].name, entropic_status_name(*status), m.calls,
             cancel);
  m.cancelled = m.cancelled > 0 ? end - m.cancelled : 0;
  return m;
}

static void cancelled_calls_return_soon(void **state) {
  (void)state;
  for (size_t which = 0; which < LONG_CALLS; which++) {
    bool often = strcmp(long_calls[which].name, "fit") == 0;
    entropic_status status;
    entropic_random random = entropic_random_start(4, which);
    ASSERT_OK(at.context, entropic_context_set_threads(at.context, which % 2 == 0 ? 1 : 0));
    moments whole = run(which, 0, &status);
    double longest = 0;
    double most = getenv("ENTROPIC_TEST_QUICK") != NULL ? MOST_SECONDS / 5 : MOST_SECONDS;
    double end = ent_seconds() + (often ? most : most / 8); /* on a busy machine fewer have to do */
    for (size_t i = 0; whole.calls > 0 && i < (often ? 50 : 6) && (i < 2 || ent_seconds() < end); i++) {
      moments m = run(which, 1 + (size_t)entropic_random_below(&random, whole.calls), &status);
      longest = fmax(longest, m.cancelled);
    }
    print_message("# %s: %zu calls, at most %.0f ms between two, cancelled within %.0f ms\n", long_calls[which].name,
                  whole.calls, 1e3 * whole.longest, 1e3 * longest);
    if (longest > GENEROUS)
      fail_msg("%s: %.0f ms from cancelling to the end", long_calls[which].name, 1e3 * longest);
  }
}

/* The work may run on any thread: the model is the same. */
static void a_callback_changes_no_bit(void **state) {
  (void)state;
  ent_fit_options options = long_options(&at);
  entropic_model *models[2] = {NULL, NULL};
  moments m = {.caller = pthread_self(), .sane = true};
  size_t counts[2];
  char *bytes[2], path[220];
  for (int i = 0; i < 2; i++) {
    entropic_context_set_progress(at.context, i == 1 ? listen_and_cancel : NULL, &m);
    ASSERT_OK(at.context, ent_model_fit(at.context, at.data, NULL, &options, NULL, &models[i]));
    snprintf(path, sizeof path, "%s.%d", at.saved, i);
    ASSERT_OK(at.context, entropic_model_save(at.context, models[i], path));
    bytes[i] = read_whole(path, &counts[i]);
    remove(path);
    entropic_model_free(models[i]);
  }
  entropic_context_set_progress(at.context, NULL, NULL);
  assert_true(m.sane);
  assert_int_equal(counts[0], counts[1]);
  assert_memory_equal(bytes[0], bytes[1], counts[0]);
  free(bytes[0]);
  free(bytes[1]);
}

SUITE(cancel) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cancelled_calls_return_soon),
                                     cmocka_unit_test(a_callback_changes_no_bit)};
  return cmocka_run_group_tests_name("cancel", tests, start, stop);
}
