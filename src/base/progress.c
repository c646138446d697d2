/* Long calls: see progress.h. */
#include "base/progress.h"

#include <string.h>

#include "base/residency.h"
#include "base/threads.h"

#define PERIOD 0.02 /* seconds: well below the 50 ms that are promised, as threads may wake up late */

/* Its address stands for the current thread. */
static _Thread_local char this_thread;

/* What the work reports. Long tasks report from several threads: one writes, and what another reports at that moment is
 * lost. Tasks end in any order, so within a stage a share that is smaller than the last one is dropped. */
static void publish(ent_call *call, const char *stage, double done) {
  if (atomic_flag_test_and_set(&call->writing))
    return;
  if (strcmp(atomic_load(&call->stage), stage) != 0 || done > atomic_load(&call->done)) {
    atomic_fetch_add(&call->version, 1);
    atomic_store(&call->stage, stage);
    atomic_store(&call->done, done);
    atomic_fetch_add(&call->version, 1);
  }
  atomic_flag_clear(&call->writing);
}

static bool is_cancelled(ent_call *call) {
  return atomic_load_explicit(&call->cancelled, memory_order_relaxed);
}

/* Calls back with the stage and share reported last, or, if they are being written, with those before. A call that was
 * cancelled is only waited for. */
static void call_back(void *argument) {
  ent_call *call = argument;
  if (is_cancelled(call))
    return;
  unsigned version = atomic_load(&call->version);
  const char *stage = atomic_load(&call->stage);
  double done = atomic_load(&call->done);
  if (version % 2 == 0 && version == atomic_load(&call->version)) {
    call->last_stage = stage;
    call->last_done = done;
  }
  if (call->callback(call->user, call->last_stage, call->last_done) != 0)
    atomic_store(&call->cancelled, true);
}

/* On the caller's own thread: calls back if it is time to. */
static void call_back_if_due(ent_call *call) {
  if (call->own_thread != &this_thread)
    return;
  double now = ent_seconds();
  if (now < call->next)
    return;
  call_back(call);
  call->next = now + call->period;
}

static entropic_status fail_cancelled(entropic_context *context) {
  return ent_fail(context, ENTROPIC_CANCELLED, "%s", entropic_status_text(ENTROPIC_CANCELLED));
}

entropic_status ent_poll(entropic_context *context) {
  ent_residency_poll();
  if (context == NULL || context->call == NULL)
    return ENTROPIC_OK;
  call_back_if_due(context->call);
  return is_cancelled(context->call) ? fail_cancelled(context) : ENTROPIC_OK;
}

/* The work of a call and its result. */
typedef struct ent_running {
  entropic_context *context;
  ent_call_work work;
  void *arguments;
  entropic_status status;
} ent_running;

static void run(void *argument) {
  ent_running *running = argument;
  running->status = running->work(running->context, running->arguments);
}

void ent_call_begin(entropic_context *context, const char *stage, ent_call *call) {
  *call = (ent_call){.callback = context->callback, .user = context->user, .period = PERIOD, .last_stage = stage};
  atomic_init(&call->stage, stage);
  atomic_flag_clear(&call->writing);
  context->call = call;
  context->progress = (ent_progress){.stage = stage, .to = 1};
}

void ent_call_stay(ent_call *call) {
  call->own_thread = &this_thread;
  call->next = ent_seconds() + call->period;
}

void ent_call_end(entropic_context *context) {
  context->call = NULL;
  context->progress = (ent_progress){0};
}

entropic_status ent_call_run(entropic_context *context, const char *stage, ent_call_work work, void *arguments) {
  if (context == NULL || context->callback == NULL || context->call != NULL) {
    ent_threads_hold(context);
    entropic_status status = work(context, arguments);
    ent_threads_release(context);
    return status != ENTROPIC_OK ? status : ent_poll(context);
  }
  ent_call call;
  ent_running running = {.context = context, .work = work, .arguments = arguments};
  ent_call_begin(context, stage, &call);
  ent_threads_hold(context);
  if (!ent_run_watched(run, &running, call.period, call_back, &call)) {
    ent_call_stay(&call);
    run(&running);
  }
  ent_threads_release(context);
  ent_call_end(context);
  return is_cancelled(&call) ? fail_cancelled(context) : running.status;
}

/* Reports a share of the current stage. */
static void report_share(const entropic_context *context, double share) {
  if (context->call == NULL || context->progress.held)
    return;
  publish(context->call, context->progress.stage, share);
  call_back_if_due(context->call);
}

/* Where a part begins. It is the end of the part before, and the last part ends where the stage does, to the bit: so
 * progress never goes back. */
static double start_of(const ent_progress *stage, size_t part, size_t parts) {
  return part == parts ? stage->to : stage->from + (stage->to - stage->from) * (double)part / (double)parts;
}

ent_progress ent_progress_enter(entropic_context *context, size_t part, size_t parts) {
  if (context == NULL)
    return (ent_progress){0};
  ent_progress former = context->progress;
  context->progress.from = start_of(&former, part, parts);
  context->progress.to = start_of(&former, part + 1, parts);
  return former;
}

ent_progress ent_progress_hold(entropic_context *context) {
  if (context == NULL)
    return (ent_progress){0};
  ent_progress former = context->progress;
  context->progress.held = true;
  return former;
}

void ent_progress_leave(entropic_context *context, ent_progress former) {
  if (context != NULL)
    context->progress = former;
}

void ent_progress_report(const entropic_context *context, double done) {
  if (context == NULL)
    return;
  const ent_progress *p = &context->progress;
  report_share(context, done < 1 ? p->from + (p->to - p->from) * done : p->to);
}

ent_progress ent_progress_start(entropic_context *context, const char *stage, size_t part, size_t parts) {
  if (context == NULL || context->progress.held)
    return ent_progress_hold(context);
  ent_progress former = context->progress;
  context->progress = (ent_progress){.stage = stage, .to = 1};
  ent_progress_enter(context, part, parts);
  ent_progress_report(context, 0);
  return former;
}

ent_progress ent_progress_at(entropic_context *context, const char *stage, size_t part, size_t parts) {
  ent_progress former = ent_progress_start(context, stage, part, parts);
  if (context != NULL)
    context->progress.to = context->progress.from;
  return former;
}
