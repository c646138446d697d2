/* Lines of several files: see places.h. */
#include "columns/line_map.h"

#include <string.h>

entropic_status ent_line_map_create(entropic_context *context, char *const *paths, size_t count,
                                    ent_line_map **places) {
  ent_line_map *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->list = ent_new(context, count, sizeof *made->list);
  if (made->list == NULL)
    goto fail;
  for (; made->count < count; made->count++) {
    ent_part *part = &made->list[made->count];
    part->path = ent_new_text(context, paths[made->count], strlen(paths[made->count]));
    if (part->path == NULL)
      goto fail;
  }
  made->list[0].first = 1;
  made->known = 1;
  *places = made;
  return ENTROPIC_OK;
fail:
  ent_line_map_free(made);
  return ENTROPIC_NO_MEMORY;
}

void ent_line_map_free(ent_line_map *places) {
  if (places == NULL)
    return;
  for (size_t i = 0; places->list != NULL && i < places->count; i++)
    ent_delete(places->list[i].path);
  ent_delete(places->list);
  ent_delete(places);
}

/* The part that a line stands in. */
static size_t part_of(const ent_line_map *places, size_t line) {
  size_t low = 0, high = places->known;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (places->list[middle].first <= line)
      low = middle;
    else
      high = middle;
  }
  return low;
}

ent_file_place ent_line_map_find(const ent_line_map *places, const char *file, size_t line) {
  if (places == NULL)
    return (ent_file_place){file, line};
  const ent_part *part = &places->list[part_of(places, line)];
  return (ent_file_place){part->path, line - part->first + 1 + part->skipped};
}

bool ent_line_map_are_one(const ent_line_map *places, size_t first, size_t last) {
  return places == NULL || part_of(places, first) == part_of(places, last);
}
