/* A context for all tests of a program, on one thread: start and stop are those of the group. To be included last, since
 * other headers have contexts of their own. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "unit/lifting.h"

static entropic_context *context;

static int start(void **state) {
  (void)state;
  context = context_with(1);
  return 0;
}

static int stop(void **state) {
  (void)state;
  entropic_context_free(context);
  return 0;
}

#endif
