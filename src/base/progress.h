/* Long calls: progress, and the callback that may cancel them.
 *
 * A long call of the interface runs its work by ent_call_run. The work says in its context what it is at: a stage, and
 * the share of it that is done. If the context has a callback, the work runs on a thread of its own and the caller's
 * thread calls back at least every 50 ms, whatever the work is at. If the callback asks for it, the call is cancelled:
 * the work finds out at its next poll and fails like for any other reason. So code that may last for more than about 10 ms
 * polls as it goes along. ent_parallel does so before each task.
 *
 * Contexts of workers (threads.h) share the call, so that all of them can be cancelled. Only worker 0 reports progress:
 * the others hold it. No result depends on progress. */
#ifndef ENT_BASE_PROGRESS_H
#define ENT_BASE_PROGRESS_H

#include <stdatomic.h>

#include "base/context.h"

/* A long call that is running. */
struct ent_call {
  entropic_progress callback;
  void *user;
  double period;         /* seconds from one callback to the next */
  atomic_bool cancelled; /* the callback asked for it */
  atomic_flag writing;   /* a thread is writing the next three */
  atomic_uint version;   /* odd while the next two are being written */
  _Atomic(const char *) stage;
  _Atomic(double) done;
  /* Of the thread that made the call: */
  const char *last_stage; /* as it was reported last */
  double last_done;
  double next;            /* when to call back again, if the work runs on that thread */
  const void *own_thread; /* that thread, if the work runs on it; otherwise NULL */
};

typedef entropic_status (*ent_call_work)(entropic_context *context, void *arguments);

/* Runs the work of a long call, which starts at this stage. It runs on the caller's thread if the context is NULL, has
 * no callback, or is in a long call already; also if no thread can be started: then the polls call back. CANCELLED if the
 * callback asked for it, even if the work has succeeded meanwhile: so what the work hands out is given to the caller of
 * the interface afterwards, and only if this returns OK. */
entropic_status ent_call_run(entropic_context *context, const char *stage, ent_call_work work, void *arguments);

/* What ent_call_run is made of, for tests: begins a call in a context that has a callback and is in no call; has its work
 * run on this thread, where polls call back; ends it. */
void ent_call_begin(entropic_context *context, const char *stage, ent_call *call);
void ent_call_stay(ent_call *call);
void ent_call_end(entropic_context *context);

/* CANCELLED if the current call was cancelled, with a message; otherwise OK. The context may be NULL, here and below. */
entropic_status ent_poll(entropic_context *context);

/* Starts part number `part` of `parts` of a stage and returns what was current, for ent_progress_leave. */
ent_progress ent_progress_start(entropic_context *context, const char *stage, size_t part, size_t parts);
/* The same for work that is not reported in smaller parts, whatever it calls. */
ent_progress ent_progress_at(entropic_context *context, const char *stage, size_t part, size_t parts);
/* Enters part number `part` of `parts` of the current stage; returns what was current, for ent_progress_leave. */
ent_progress ent_progress_enter(entropic_context *context, size_t part, size_t parts);
/* Holds the current stage: until ent_progress_leave no other one is started or entered, and nothing is reported. */
ent_progress ent_progress_hold(entropic_context *context);
/* Makes the former stage, or part of it, current again. */
void ent_progress_leave(entropic_context *context, ent_progress former);

/* Reports the fraction of the current work that is done. */
void ent_progress_report(const entropic_context *context, double done);

#endif
