/* Sorting that can be cancelled: qsort of millions of items takes seconds. */
#ifndef ENT_BASE_SORT_H
#define ENT_BASE_SORT_H

#include "base/context.h"

/* Sorts items[count] of so many bytes each; `compare` as for qsort, without ties: runs by qsort, which are then merged.
 * CANCELLED, or NO_MEMORY for a second copy; the items are then in any order. */
entropic_status ent_sort(entropic_context *context, void *items, size_t count, size_t size,
                         int (*compare)(const void *a, const void *b));

#endif
