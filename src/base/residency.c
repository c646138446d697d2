/* The resident memory of the process: see residency.h. */
#define _GNU_SOURCE
#include "base/residency.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/threads.h"

/* Pages are dropped above this share of the bound: the rest is for what is read and allocated until the next look. */
#define ENT_RESIDENCY_SHARE 0.8
/* Seconds from one look to the next, of polls; reads look after so many of them instead. */
#define ENT_RESIDENCY_PERIOD 0.002
#define ENT_RESIDENCY_READS 16

atomic_size_t ent_residency_mappings;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Under the lock: */
static ent_mapping *mappings;
static uint64_t bound; /* the least of them */
static int statm = -1; /* kept open while there are mappings */
static uint64_t left;  /* resident when pages were dropped last; 0: not yet */

static atomic_size_t drops;
static _Atomic(double) next_look;
static atomic_size_t reads_since; /* by all threads since pages were dropped last */
static _Thread_local size_t reads_here;

static void find_bound(void) {
  bound = UINT64_MAX;
  for (const ent_mapping *mapping = mappings; mapping != NULL; mapping = mapping->next)
    if (mapping->bound < bound)
      bound = mapping->bound;
}

void ent_residency_add(ent_mapping *mapping) {
  pthread_mutex_lock(&lock);
  mapping->next = mappings;
  mappings = mapping;
  find_bound();
  if (statm < 0)
    statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  atomic_fetch_add(&ent_residency_mappings, 1);
  pthread_mutex_unlock(&lock);
}

uint64_t ent_residency_bound(void) {
  pthread_mutex_lock(&lock);
  uint64_t least = mappings == NULL ? UINT64_MAX : bound;
  pthread_mutex_unlock(&lock);
  return least;
}

void ent_residency_remove(ent_mapping *mapping) {
  pthread_mutex_lock(&lock);
  for (ent_mapping **at = &mappings; *at != NULL; at = &(*at)->next)
    if (*at == mapping) {
      *at = mapping->next;
      atomic_fetch_sub(&ent_residency_mappings, 1);
      break;
    }
  find_bound();
  if (mappings == NULL && statm >= 0) {
    close(statm);
    statm = -1;
    left = 0;
  }
  pthread_mutex_unlock(&lock);
}

/* From the second number of statm, which counts pages. */
static uint64_t resident_from(int descriptor) {
  char text[128];
  ssize_t length = pread(descriptor, text, sizeof text - 1, 0);
  if (length <= 0)
    return 0;
  text[length] = '\0';
  char *end;
  strtoull(text, &end, 10);
  return strtoull(end, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t ent_resident_bytes(void) {
  int descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return 0;
  uint64_t bytes = resident_from(descriptor);
  close(descriptor);
  return bytes;
}

size_t ent_residency_drops(void) {
  return atomic_load(&drops);
}

/* Where the memory that is not mapped is near the bound itself, pages are not dropped after each read, but only when 1/16
 * of the bound has become resident since. How much a read makes resident the kernel decides: 64 KB, or more where files are
 * cached in large pieces. Where the resident size is not known, 64 KB a read counts. */
static bool is_near(void) {
  uint64_t since = (uint64_t)atomic_load_explicit(&reads_since, memory_order_relaxed) << 16;
  uint64_t resident = statm < 0 ? 0 : resident_from(statm);
  if (resident == 0)
    return since > bound / 4;
  return (double)resident > ENT_RESIDENCY_SHARE * (double)bound && resident >= left + bound / 16;
}

/* If another thread is at it, that will do. */
static void drop_if_near(void) {
  if (pthread_mutex_trylock(&lock) != 0)
    return;
  if (mappings != NULL && is_near()) {
    for (const ent_mapping *mapping = mappings; mapping != NULL; mapping = mapping->next)
      madvise(mapping->bytes, mapping->count, MADV_DONTNEED);
    left = statm < 0 ? 0 : resident_from(statm);
    atomic_store_explicit(&reads_since, 0, memory_order_relaxed);
    atomic_fetch_add(&drops, 1);
  }
  pthread_mutex_unlock(&lock);
}

void ent_residency_look(void) {
  double now = ent_seconds();
  if (now < atomic_load_explicit(&next_look, memory_order_relaxed))
    return;
  atomic_store_explicit(&next_look, now + ENT_RESIDENCY_PERIOD, memory_order_relaxed);
  drop_if_near();
}

void ent_residency_count(size_t reads) {
  reads_here += reads;
  if (reads_here < ENT_RESIDENCY_READS)
    return;
  atomic_fetch_add_explicit(&reads_since, reads_here, memory_order_relaxed);
  reads_here = 0;
  drop_if_near();
}
