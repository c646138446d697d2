/* Allocations that fail on demand: see failing_malloc.h. */
#include "fault/failing_malloc.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>

#include "unit/tests.h"

/* The linker's names: __real_ is the C library's, __wrap_ is called in its place. The weak one is NULL unless free is
 * wrapped, too. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t number, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *memory) __attribute__((weak));
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t number, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *memory);

/* Memory that was released stays with the process: thousands of runs would otherwise ask for the same pages again and again,
 * which took three quarters of their time. */
__attribute__((constructor)) static void keep_memory(void) {
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
}

#define MOST_BLOCKS 65536
#define MOST_FAILURES 1000000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows */
static long successes_left = -1;                         /* negative: none fails */
static long count;
static void *blocks[MOST_BLOCKS]; /* not released yet, latest last */
static size_t blocks_used;

void failing_malloc_after(long successes) {
  pthread_mutex_lock(&lock);
  successes_left = successes;
  count = 0;
  pthread_mutex_unlock(&lock);
}

long failing_malloc_count(void) {
  pthread_mutex_lock(&lock);
  long result = count;
  pthread_mutex_unlock(&lock);
  return result;
}

long failing_malloc_live(void) {
  pthread_mutex_lock(&lock);
  long result = (long)blocks_used;
  pthread_mutex_unlock(&lock);
  return result;
}

/* Counts an allocation; is it the one that fails? */
static bool fails(void) {
  pthread_mutex_lock(&lock);
  bool failing = successes_left == 0;
  count++;
  if (successes_left >= 0)
    successes_left--;
  pthread_mutex_unlock(&lock);
  if (failing)
    errno = ENOMEM;
  return failing;
}

static void *remember(void *memory) {
  if (__real_free == NULL || memory == NULL)
    return memory;
  pthread_mutex_lock(&lock);
  if (blocks_used == MOST_BLOCKS)
    abort();
  blocks[blocks_used++] = memory;
  pthread_mutex_unlock(&lock);
  return memory;
}

/* Blocks that are not known came from inside the C library. */
static void forget(const void *memory) {
  pthread_mutex_lock(&lock);
  for (size_t i = blocks_used; i-- > 0;)
    if (blocks[i] == memory) {
      memmove(&blocks[i], &blocks[i + 1], (--blocks_used - i) * sizeof blocks[0]);
      break;
    }
  pthread_mutex_unlock(&lock);
}

void *__wrap_malloc(size_t size) {
  return fails() ? NULL : remember(__real_malloc(size));
}

void *__wrap_calloc(size_t number, size_t size) {
  return fails() ? NULL : remember(__real_calloc(number, size));
}

void *__wrap_realloc(void *old, size_t size) {
  if (fails())
    return NULL;
  forget(old);
  return remember(__real_realloc(old, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  return fails() ? NULL : remember(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void *memory) {
  forget(memory);
  __real_free(memory);
}

long expect_each_allocation_failure(fault_run run, void *argument) {
  return expect_allocation_failures(run, argument, 1);
}

long expect_allocation_failures(fault_run run, void *argument, long step) {
  if (step > 1 && getenv("ENTROPIC_TEST_QUICK") != NULL)
    step = 3 * step + 1;
  for (long successes = 0; successes < step * MOST_FAILURES; successes += step) {
    long live = failing_malloc_live();
    failing_malloc_after(successes);
    entropic_status status = run(argument);
    long asked = failing_malloc_count();
    failing_malloc_after(-1);
    bool met = asked > successes;
    entropic_status expected = met ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
    if (status != expected)
      fail_msg("allocation %ld of %ld fails: the status is %s, expected %s", successes + 1, asked,
               entropic_status_name(status), entropic_status_name(expected));
    if (failing_malloc_live() != live)
      fail_msg("allocation %ld fails: %ld blocks are never released", successes + 1, failing_malloc_live() - live);
    if (!met) {
      assert_true(asked > 0);
      return asked;
    }
  }
  fail_msg("there is no end of allocations");
  return 0;
}

void *untouched(void) {
  static char mark;
  return &mark;
}

entropic_status check_failed(entropic_status status, const entropic_context *context, const void *output) {
  assert_ptr_equal(output, untouched());
  assert_message(context, "out of memory");
  return status;
}
