/* Scratch memory of a feature map for several workers. */
#ifndef ENT_SUMS_SCRATCH_H
#define ENT_SUMS_SCRATCH_H

#include "lift/map.h"

/* The scratch of a worker, created when it is first used. scratch[workers] is NULL at first. */
entropic_status ent_scratch_get(entropic_context *context, const ent_map *map, void **scratch, int worker,
                                void **found);

/* Frees the scratch of all workers, and the array, which may be NULL. */
void ent_scratch_free(const ent_map *map, void **scratch, size_t workers);

#endif
