/* The resident memory of the process, where it is bounded. Pages of a mapped spool count as resident once they were read.
 * They can be dropped at any time, while other threads read them, too: the next access reads them again from the file. So
 * whoever maps a spool registers it here, and whoever reads it says so; above most of the bound all pages are dropped. The
 * bound is that of the process, as its resident size is: of several the least counts. No result depends on it. */
#ifndef ENT_BASE_RESIDENCY_H
#define ENT_BASE_RESIDENCY_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/context.h"

/* A mapping that may be dropped. Its owner keeps it until it is removed. */
typedef struct ent_mapping {
  void *bytes;
  size_t count;
  uint64_t bound; /* of the resident size, in bytes */
  struct ent_mapping *next;
} ent_mapping;

void ent_residency_add(ent_mapping *mapping);
/* Once it returns, the mapping is not used any more. */
void ent_residency_remove(ent_mapping *mapping);

/* How many mappings there are. */
extern atomic_size_t ent_residency_mappings;

/* The bound in bytes; UINT64_MAX: there is none. */
uint64_t ent_residency_bound(void);
/* Looks at the resident size, at most every few milliseconds, and drops pages if it is near the bound. */
void ent_residency_look(void);
/* The same, after so many reads of at most 64 kB each by this thread; that is what a page fault may map. */
void ent_residency_count(size_t reads);

/* Nothing but a load where there is no mapping. */
static inline void ent_residency_poll(void) {
  if (atomic_load_explicit(&ent_residency_mappings, memory_order_relaxed) > 0)
    ent_residency_look();
}
static inline void ent_residency_read(size_t bytes) {
  if (atomic_load_explicit(&ent_residency_mappings, memory_order_relaxed) > 0)
    ent_residency_count(1 + (bytes >> 16));
}

/* The resident size of the process in bytes; 0 if it is not known. */
uint64_t ent_resident_bytes(void);
/* How often pages were dropped, for tests. */
size_t ent_residency_drops(void);

#endif
