/* Tasks of programs on the threads of a context. */
#include "base/threads.h"

/* What is run, by a caller who need not know of workers. */
typedef struct ent_caller_tasks {
  void (*run)(void *user, size_t task);
  void *user;
} ent_caller_tasks;

static entropic_status run_one(entropic_context *context, void *shared, size_t task, int worker) {
  const ent_caller_tasks *tasks = shared;
  (void)context;
  (void)worker;
  tasks->run(tasks->user, task);
  return ENTROPIC_OK;
}

entropic_status entropic_tasks_run(entropic_context *context, size_t tasks, void (*run)(void *user, size_t task),
                                   void *user) {
  ENT_NEED(context, run);
  ent_caller_tasks all = {run, user};
  return ent_parallel(context, tasks, run_one, &all);
}
