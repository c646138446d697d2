/* Scratch memory of a feature map: see scratch.h. */
#include "sums/scratch.h"

#include "base/memory.h"

entropic_status ent_scratch_get(entropic_context *context, const ent_map *map, void **scratch, int worker,
                                void **found) {
  if (scratch[worker] == NULL) {
    entropic_status status = map->calls->scratch_create(context, map->self, &scratch[worker]);
    if (status != ENTROPIC_OK)
      return status;
  }
  *found = scratch[worker];
  return ENTROPIC_OK;
}

void ent_scratch_free(const ent_map *map, void **scratch, size_t workers) {
  for (size_t i = 0; scratch != NULL && i < workers; i++)
    if (scratch[i] != NULL)
      map->calls->scratch_free(scratch[i]);
  ent_delete(scratch);
}
