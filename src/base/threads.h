/* Tasks spread over threads. Only threads.c starts threads. */
#ifndef ENT_BASE_THREADS_H
#define ENT_BASE_THREADS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/context.h"

/* Runs one task. `worker`, 0 .. ent_workers - 1, chooses its scratch memory; results must not depend on it. */
typedef entropic_status (*ent_task)(entropic_context *context, void *shared, size_t task, int worker);

/* How many workers ent_parallel uses for this many tasks. */
int ent_workers(const entropic_context *context, size_t tasks);

/* Runs tasks 0 .. tasks-1, each exactly once unless one fails or the call is cancelled (progress.h). Then it returns the status, and puts the message into
 * the context, of the failed task with the lowest number. If no thread can be started, the caller runs all tasks. */
entropic_status ent_parallel(entropic_context *context, size_t tasks, ent_task run, void *shared);

/* The same for few long tasks that use ent_parallel themselves: the threads are shared out among those that run at once.
 * Whole rounds of one task for each thread come first; then the tasks left over have more threads each. */
entropic_status ent_parallel_long(entropic_context *context, size_t tasks, ent_task run, void *shared);

/* Between these two, which may be nested, the threads of ent_parallel wait for the next call of it instead of ending: a long
 * call has thousands, and to start a thread takes as long as a small task. The context may be NULL. */
void ent_threads_hold(entropic_context *context);
void ent_threads_release(entropic_context *context);

/* Runs work(argument) on a thread of its own. Meanwhile the caller's thread calls watch(user) every `period` seconds. False,
 * and nothing has run, if no thread can be started. */
bool ent_run_watched(void (*work)(void *argument), void *argument, double period, void (*watch)(void *user),
                     void *user);

/* Initialised to zero, so a static one is ready. */
typedef struct ent_once {
  atomic_bool done;
} ent_once;

/* Runs make() at the first call in the life of the process, on any thread; others wait until it has ended. */
void ent_do_once(ent_once *once, void (*make)(void));

/* Seconds on a monotonic clock, for reports of how long things took. They decide nothing but when the seconds that a
 * caller gives to a fit are over. */
double ent_seconds(void);

/* Whether the caller's is the only thread of the process that does anything now. False if that is not known. */
bool ent_alone(void);

/* Slots limit how many threads of the process call foreign code at once that is not safe for any number of them: a
 * thread acquires one, waiting for it, and releases it after the call. At first there is one slot. Our own code shares
 * nothing that would need it. */
void ent_slot_acquire(void);
void ent_slot_release(void);

/* Waits until no slot is taken, and lets no thread take one until the same thread opens them again, now `count` >= 1 of
 * them. Other threads that want to close the slots wait meanwhile. */
void ent_slots_close(void);
void ent_slots_open(size_t count);

#endif
