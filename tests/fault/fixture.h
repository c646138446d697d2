/* What fault tests with one context share. To be included last, as unit/fixture.h. */
#ifndef FAULT_FIXTURE_H
#define FAULT_FIXTURE_H

#include "fault/failing_malloc.h"
#include "unit/fixture.h"

/* The status of calls without an output argument; a failure is checked. */
static inline entropic_status failed(entropic_status status) {
  return status == ENTROPIC_OK ? status : check_failed(status, context, untouched());
}

#endif
