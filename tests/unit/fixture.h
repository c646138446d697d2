/* A context for all tests of a program, and for those that write files a folder: setup and teardown of the group. To be
 * included last, since functions of other headers have contexts of their own. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "unit/tests.h"

static entropic_context *context;

static inline int start(void **state) {
  (void)state;
  context = context_with(1);
  return 0;
}

static inline int start_two_threads(void **state) {
  (void)state;
  context = context_with(2);
  return 0;
}

static inline int stop(void **state) {
  (void)state;
  entropic_context_free(context);
  return 0;
}

/* The folder is *state of each test; the context has two threads. */
static inline int start_in_folder(void **state) {
  start_two_threads(state);
  return make_folder(state);
}

static inline int stop_in_folder(void **state) {
  entropic_context_free(context);
  return remove_folder(state);
}

#endif
