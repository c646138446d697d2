/* Tasks spread over threads. The only file of the library that knows about threads. */
#ifndef ENT_BASE_THREADS_H
#define ENT_BASE_THREADS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/context.h"

/* Runs one task. `worker` is 0 .. ent_workers - 1, for scratch memory; results must not depend on it. */
typedef entropic_status (*ent_task)(entropic_context *context, void *shared, size_t task, int worker);

/* How many workers ent_parallel will use for so many tasks. */
int ent_workers(const entropic_context *context, size_t tasks);

/* Runs tasks 0 .. tasks-1, each exactly once unless one fails; returns the status and keeps the message of the failed
 * task with the lowest number among those that ran. Works, more slowly, if no thread can be started. */
entropic_status ent_parallel(entropic_context *context, size_t tasks, ent_task run, void *shared);

/* Zero at first, so fit to be static. */
typedef struct ent_once {
  atomic_bool done;
} ent_once;

/* Runs make() at the first call in the life of the process, from whichever thread; others wait for its end. */
void ent_do_once(ent_once *once, void (*make)(void));

/* Seconds on a clock that only moves forwards: to report how long things took. It decides nothing but when the seconds
 * that a caller gives to a fit are over. */
double ent_seconds(void);

/* Whether the process has no thread but the caller's, now. False if that cannot be found out. */
bool ent_alone(void);

/* Between these two at most so many threads of the process run as there are places: one at first. For what others wrote
 * and not any number of threads may call at once; our own code shares nothing that would need it. */
void ent_turn_begin(void);
void ent_turn_end(void);

/* Waits until nobody is between those two and lets nobody in; one thread at a time gets past it. It opens them again,
 * with so many places, one or more. */
void ent_turn_close(void);
void ent_turn_open(size_t places);

#endif
