/* Allocations that fail on demand. A fault test is linked with --wrap for malloc, calloc, realloc and aligned_alloc, so
 * that the calls of the library and of the test come here; those inside the C library, zlib and cmocka do not. With
 * --wrap for free as well, blocks never released are found here; without it that is left to the sanitizers. */
#ifndef FAILING_MALLOC_H
#define FAILING_MALLOC_H

#include "inside.h"

/* So many allocations succeed from now on, then one fails, and those after it succeed again: what follows a failure
 * must not lean on later ones failing, too. Negative: none fails. Starts the count anew. */
void failing_malloc_after(long successes);

/* Allocations asked for since then, with the one that failed. */
long failing_malloc_count(void);

/* Blocks that came through here and have not been released yet; 0 if free is not wrapped. */
long failing_malloc_live(void);

/* One attempt at what is under test. It makes the calls that may run out of memory and returns the status they gave; on
 * success it also releases what it made. It should check that a failed call left its output arguments alone. */
typedef entropic_status (*fault_run)(void *argument);

/* Runs with the first allocation failing, then the second, and so on, until it gets through without meeting the
 * failure: then it must return OK, in each run before that NO_MEMORY; and each run must release all it allocated.
 * Returns how many allocations there were; at least one, or the test fails. For use within a cmocka test. */
long expect_each_allocation_failure(fault_run run, void *argument);
/* The same with the first, then the one `step` after it, and so on: for what allocates thousands of times. */
long expect_allocation_failures(fault_run run, void *argument, long step);

/* A pointer that no call may touch when it fails: what output arguments hold before it. */
void *untouched(void);

/* After a failed call: its output is still untouched, and the context's message says that memory ran out. Returns
 * status. For use within a cmocka test. */
entropic_status check_failed(entropic_status status, const entropic_context *context, const void *output);

#endif
