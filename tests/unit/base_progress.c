/* Progress of long work: parts of parts, reported by the caller's thread alone. */
#include "unit/tests.h"

#include <pthread.h>
#include <string.h>

#include "base/progress.h"
#include "base/threads.h"

typedef struct heard {
  pthread_t caller;
  size_t calls;
  double first, last;
  bool sane;
} heard;

static void hear(void *user, const char *stage, double done) {
  heard *h = user;
  h->sane = h->sane && pthread_equal(h->caller, pthread_self()) && strcmp(stage, "working") == 0;
  h->sane = h->sane && done >= 0 && done <= 1 && (h->calls == 0 || done >= h->last);
  h->first = h->calls++ == 0 ? done : h->first;
  h->last = done;
}

/* A part of the work is itself some parts. */
static entropic_status work(entropic_context *context, void *shared, size_t task, int worker) {
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
      heard h = {.caller = pthread_self(), .sane = true};
      entropic_context *context = NULL;
      assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
      assert_int_equal(entropic_context_set_threads(context, threads), ENTROPIC_OK);
      ent_progress former = ent_progress_start(context, hear, &h, "working");
      assert_true(former.callback == NULL);
      assert_int_equal(ent_parallel(context, parts, work, &parts), ENTROPIC_OK);
      assert_true(h.sane);
      if (threads == 1) {
        assert_int_equal(h.calls, parts * (3 * 8 + 1));
        assert_true(h.first == 0 && h.last == 1);
      }
      ent_progress_leave(context, former);
      ent_progress_report(context, 1);
      assert_true(threads > 1 || h.calls == parts * (3 * 8 + 1));
      entropic_context_free(context);
    }
}

static void nobody_has_to_listen(void **state) {
  (void)state;
  size_t parts = 2;
  entropic_context *context = NULL;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  assert_int_equal(entropic_context_set_threads(context, 1), ENTROPIC_OK);
  assert_int_equal(work(context, &parts, 0, 0), ENTROPIC_OK);
  assert_int_equal(work(NULL, &parts, 0, 0), ENTROPIC_OK);
  ent_progress former = ent_progress_start(NULL, hear, NULL, "working");
  ent_progress_leave(NULL, former);
  assert_true(former.callback == NULL && context->progress.callback == NULL);
  entropic_context_free(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parts_of_parts_never_go_back),
                                     cmocka_unit_test(nobody_has_to_listen)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
