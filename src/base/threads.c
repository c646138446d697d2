/* Tasks spread over threads, and work that is watched. Threads are started and joined within each call of the interface, so
 * the library keeps none between calls, and a fork or an unload there is harmless. Of tasks the caller is worker 0. */
#define _GNU_SOURCE
#include "base/threads.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/single_threaded.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/progress.h"

static pthread_mutex_t once_lock = PTHREAD_MUTEX_INITIALIZER;

/* A counting semaphore that can be closed: see ent_slot_acquire. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  size_t count, taken;
  bool closed;
} slots = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .count = 1};

/* More threads would take longer to start than they could save. */
#define ENT_MAX_WORKERS 1024

/* What all workers of a call share. */
typedef struct ent_crew {
  ent_task run;
  void *shared;
  size_t tasks;
  int threads;        /* of each worker */
  atomic_size_t next; /* the next task */
  atomic_bool failed; /* a task has failed: start no more */
} ent_crew;

typedef struct ent_worker {
  ent_crew *crew;
  pthread_t thread;
  int number;
  entropic_status status;
  size_t task;              /* the one that failed */
  entropic_context context; /* its own, so that messages do not mix */
} ent_worker;

/* The processors this process may run on. */
static int processors(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return CPU_COUNT(&set);
  long online = sysconf(_SC_NPROCESSORS_ONLN); /* more processors than cpu_set_t has room for */
  return online < 1 ? 1 : online > ENT_MAX_WORKERS ? ENT_MAX_WORKERS : (int)online;
}

int ent_workers(const entropic_context *context, size_t tasks) {
  int workers = context == NULL ? 0 : context->threads;
  if (workers == 0)
    workers = processors();
  if (workers > ENT_MAX_WORKERS)
    workers = ENT_MAX_WORKERS;
  if ((size_t)workers > tasks)
    workers = (int)tasks;
  return workers < 1 ? 1 : workers;
}

/* Tasks are started in ascending order and a started task is always finished. So when a task fails, all below it have
 * run: the lowest failure, and its message, is the same for any number of threads. */
static void *run_tasks(void *argument) {
  ent_worker *worker = argument;
  ent_crew *crew = worker->crew;
  while (!atomic_load(&crew->failed)) {
    size_t task = atomic_fetch_add(&crew->next, 1);
    if (task >= crew->tasks)
      break;
    worker->status = ent_poll(&worker->context);
    if (worker->status == ENTROPIC_OK)
      worker->status = crew->run(&worker->context, crew->shared, task, worker->number);
    if (worker->status != ENTROPIC_OK) {
      worker->task = task;
      atomic_store(&crew->failed, true);
    }
  }
  return NULL;
}

static entropic_status run_alone(entropic_context *context, size_t tasks, ent_task run, void *shared) {
  for (size_t task = 0; task < tasks; task++) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    status = run(context, shared, task, 0);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Workers that wait for their threads. */
static void workers_start(const entropic_context *context, ent_crew *crew, ent_worker *workers, int count) {
  for (int i = 0; i < count; i++) {
    workers[i].crew = crew;
    workers[i].number = i;
    workers[i].context.threads = crew->threads;
    workers[i].context.call = context == NULL ? NULL : context->call;
    workers[i].context.progress.held = true; /* only the caller's thread reports progress */
    workers[i].context.holds = 1;            /* long tasks have parallel regions of their own */
  }
  if (context != NULL)
    workers[0].context.progress = context->progress;
}

/* The failure of the lowest task, if there is one. */
static entropic_status status_of(entropic_context *context, const ent_worker *workers, int count) {
  const ent_worker *lowest = NULL;
  for (int i = 0; i < count; i++)
    if (workers[i].status != ENTROPIC_OK && (lowest == NULL || workers[i].task < lowest->task))
      lowest = &workers[i];
  return lowest == NULL ? ENTROPIC_OK : ent_fail(context, lowest->status, "%s", lowest->context.message);
}

/* ---- Threads that are kept ---- */

#define SPINS 4000 /* looks at whether there is work, some tens of microseconds, before a thread goes to sleep */

/* Threads of a context that wait for the next crew. */
typedef struct ent_kept_threads {
  pthread_mutex_t lock;
  pthread_cond_t start, done;
  pthread_t *threads;
  int count, capacity;
  ent_worker *open;  /* the workers of the current crew; NULL: there is none */
  int next, wanted;  /* the next worker to take part, up to `wanted` */
  int inside;        /* threads that take part */
  atomic_uint crews; /* so far */
  atomic_bool stop;
} ent_kept_threads;

/* Kept threads of the process that wait and have no crew which they could join at any moment. */
static atomic_int parked;

static inline void pause_thread(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* Waits a little without sleeping. Regions follow each other closely, and to be woken takes longer than many of them. */
static void spin(ent_kept_threads *kept, unsigned seen) {
  for (int i = 0; i < SPINS && atomic_load(&kept->crews) == seen && !atomic_load(&kept->stop); i++)
    pause_thread();
}

static void *wait_for_crews(void *argument) {
  ent_kept_threads *kept = argument;
  for (unsigned seen = 0;; seen = atomic_load(&kept->crews)) {
    spin(kept, seen);
    pthread_mutex_lock(&kept->lock);
    while (!atomic_load(&kept->stop) && (kept->open == NULL || kept->next >= kept->wanted))
      pthread_cond_wait(&kept->start, &kept->lock);
    if (atomic_load(&kept->stop))
      break;
    ent_worker *worker = &kept->open[kept->next++];
    kept->inside++;
    pthread_mutex_unlock(&kept->lock);
    run_tasks(worker);
    pthread_mutex_lock(&kept->lock);
    if (--kept->inside == 0)
      pthread_cond_signal(&kept->done);
    pthread_mutex_unlock(&kept->lock);
  }
  pthread_mutex_unlock(&kept->lock);
  return NULL;
}

static ent_kept_threads *kept_create(entropic_context *context, int capacity) {
  ent_kept_threads *kept = ent_new(context, 1, sizeof *kept);
  pthread_t *threads = ent_new(context, (size_t)capacity, sizeof *threads);
  if (kept == NULL || threads == NULL) {
    ent_delete(kept);
    ent_delete(threads);
    return NULL;
  }
  kept->threads = threads;
  kept->capacity = capacity;
  pthread_mutex_init(&kept->lock, NULL);
  pthread_cond_init(&kept->start, NULL);
  pthread_cond_init(&kept->done, NULL);
  return kept;
}

static void kept_free(ent_kept_threads *kept) {
  if (kept == NULL)
    return;
  pthread_mutex_lock(&kept->lock);
  atomic_store(&kept->stop, true);
  pthread_cond_broadcast(&kept->start);
  pthread_mutex_unlock(&kept->lock);
  for (int i = 0; i < kept->count; i++)
    pthread_join(kept->threads[i], NULL);
  atomic_fetch_sub(&parked, kept->count);
  pthread_cond_destroy(&kept->start);
  pthread_cond_destroy(&kept->done);
  pthread_mutex_destroy(&kept->lock);
  ent_delete(kept->threads);
  ent_delete(kept);
}

void ent_threads_hold(entropic_context *context) {
  if (context != NULL)
    context->holds++;
}

void ent_threads_release(entropic_context *context) {
  if (context == NULL || --context->holds > 0)
    return;
  kept_free(context->kept);
  context->kept = NULL;
}

/* Runs workers on kept threads, the first on the caller's. A thread that wakes up when all is done takes no part, and nobody
 * waits for it. */
static void run_kept(ent_kept_threads *kept, ent_worker *workers, int count) {
  pthread_mutex_lock(&kept->lock);
  atomic_fetch_sub(&parked, kept->count);
  while (kept->count < count - 1 && kept->count < kept->capacity &&
         pthread_create(&kept->threads[kept->count], NULL, wait_for_crews, kept) == 0)
    kept->count++;
  kept->open = workers;
  kept->next = 1;
  kept->wanted = count;
  atomic_fetch_add(&kept->crews, 1);
  pthread_cond_broadcast(&kept->start);
  pthread_mutex_unlock(&kept->lock);
  run_tasks(&workers[0]);
  pthread_mutex_lock(&kept->lock);
  kept->open = NULL;
  while (kept->inside > 0)
    pthread_cond_wait(&kept->done, &kept->lock);
  atomic_fetch_add(&parked, kept->count);
  pthread_mutex_unlock(&kept->lock);
}

/* Runs workers on new threads, the first on the caller's. */
static void run_new(ent_worker *workers, int count) {
  int started = 1;
  while (started < count && pthread_create(&workers[started].thread, NULL, run_tasks, &workers[started]) == 0)
    started++;
  run_tasks(&workers[0]);
  for (int i = 1; i < started; i++)
    pthread_join(workers[i].thread, NULL);
}

/* Runs the tasks of a crew from number `first` on, with so many workers, at least two. */
static entropic_status run_crew(entropic_context *context, ent_crew *crew, size_t first, int count) {
  bool keep = context != NULL && context->holds > 0;
  ent_worker *workers = ent_new(context, (size_t)count, sizeof *workers);
  if (workers == NULL)
    return ENTROPIC_NO_MEMORY;
  if (keep && context->kept == NULL)
    context->kept = kept_create(context, ent_workers(context, SIZE_MAX));
  if (keep && context->kept == NULL) {
    ent_delete(workers);
    return ENTROPIC_NO_MEMORY;
  }
  atomic_init(&crew->next, first);
  atomic_init(&crew->failed, false);
  workers_start(context, crew, workers, count);
  if (keep)
    run_kept(context->kept, workers, count);
  else
    run_new(workers, count);
  for (int i = 0; i < count; i++)
    ent_threads_release(&workers[i].context);
  entropic_status status = status_of(context, workers, count);
  ent_delete(workers);
  return status;
}

entropic_status ent_parallel(entropic_context *context, size_t tasks, ent_task run, void *shared) {
  int count = ent_workers(context, tasks);
  if (count == 1)
    return run_alone(context, tasks, run, shared);
  /* One thread each: a task that calls ent_parallel itself stays on its thread. */
  ent_crew crew = {.run = run, .shared = shared, .tasks = tasks, .threads = 1};
  return run_crew(context, &crew, 0, count);
}

entropic_status ent_parallel_long(entropic_context *context, size_t tasks, ent_task run, void *shared) {
  size_t threads = (size_t)ent_workers(context, SIZE_MAX), full = tasks / threads * threads, left = tasks - full;
  if (threads == 1)
    return run_alone(context, tasks, run, shared);
  entropic_status status = ent_parallel(context, full, run, shared);
  if (status != ENTROPIC_OK)
    return status;
  if (left == 1) {
    status = ent_poll(context);
    return status != ENTROPIC_OK ? status : run(context, shared, full, 0);
  }
  ent_crew crew = {.run = run, .shared = shared, .tasks = tasks, .threads = (int)(threads / (left > 0 ? left : 1))};
  return left == 0 ? ENTROPIC_OK : run_crew(context, &crew, full, (int)left);
}

/* Tasks of a program, which need not know of workers. */
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

/* Work on a thread of its own, and whether it has ended. */
typedef struct ent_watched {
  void (*work)(void *argument);
  void *argument;
  pthread_mutex_t lock;
  pthread_cond_t ended;
  bool done;
} ent_watched;

static void *run_watched(void *argument) {
  ent_watched *watched = argument;
  watched->work(watched->argument);
  pthread_mutex_lock(&watched->lock);
  watched->done = true;
  pthread_cond_signal(&watched->ended);
  pthread_mutex_unlock(&watched->lock);
  return NULL;
}

/* The time so many seconds from now. */
static struct timespec time_after(double seconds) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  long nanoseconds = at.tv_nsec + (long)(1e9 * seconds);
  at.tv_sec += nanoseconds / 1000000000;
  at.tv_nsec = nanoseconds % 1000000000;
  return at;
}

bool ent_run_watched(void (*work)(void *argument), void *argument, double period, void (*watch)(void *user),
                     void *user) {
  ent_watched watched = {
      .work = work, .argument = argument, .lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};
  pthread_t thread;
  if (pthread_create(&thread, NULL, run_watched, &watched) != 0)
    return false;
  struct timespec next = time_after(period);
  pthread_mutex_lock(&watched.lock);
  while (!watched.done)
    if (pthread_cond_clockwait(&watched.ended, &watched.lock, CLOCK_MONOTONIC, &next) != 0 && !watched.done) {
      pthread_mutex_unlock(&watched.lock);
      watch(user);
      next = time_after(period);
      pthread_mutex_lock(&watched.lock);
    }
  pthread_mutex_unlock(&watched.lock);
  pthread_join(thread, NULL);
  pthread_cond_destroy(&watched.ended);
  pthread_mutex_destroy(&watched.lock);
  return true;
}

void ent_do_once(ent_once *once, void (*make)(void)) {
  if (atomic_load(&once->done))
    return;
  pthread_mutex_lock(&once_lock);
  if (!atomic_load(&once->done)) {
    make();
    atomic_store(&once->done, true);
  }
  pthread_mutex_unlock(&once_lock);
}

void ent_slot_acquire(void) {
  pthread_mutex_lock(&slots.lock);
  while (slots.closed || slots.taken >= slots.count)
    pthread_cond_wait(&slots.changed, &slots.lock);
  slots.taken++;
  pthread_mutex_unlock(&slots.lock);
}

void ent_slot_release(void) {
  pthread_mutex_lock(&slots.lock);
  slots.taken--;
  pthread_cond_broadcast(&slots.changed);
  pthread_mutex_unlock(&slots.lock);
}

void ent_slots_close(void) {
  pthread_mutex_lock(&slots.lock);
  while (slots.closed)
    pthread_cond_wait(&slots.changed, &slots.lock);
  slots.closed = true;
  while (slots.taken > 0)
    pthread_cond_wait(&slots.changed, &slots.lock);
  pthread_mutex_unlock(&slots.lock);
}

void ent_slots_open(size_t count) {
  pthread_mutex_lock(&slots.lock);
  slots.closed = false;
  slots.count = count;
  pthread_cond_broadcast(&slots.changed);
  pthread_mutex_unlock(&slots.lock);
}

double ent_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool ent_alone(void) {
  if (__libc_single_threaded) /* stays false once there was a second thread, though it may be gone */
    return true;
  DIR *tasks = opendir("/proc/self/task");
  int count = 0;
  for (struct dirent *entry; tasks != NULL && (entry = readdir(tasks)) != NULL;)
    count += entry->d_name[0] != '.';
  if (tasks != NULL)
    closedir(tasks);
  return count - atomic_load(&parked) == 1; /* those that wait for us touch nothing */
}
