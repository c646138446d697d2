/* Where the lines of a text stand that is in several files. */
#ifndef ENT_COLUMNS_LINE_MAP_H
#define ENT_COLUMNS_LINE_MAP_H

#include "base/memory.h"

typedef struct ent_file_place {
  const char *file;
  size_t line; /* of that file, from 1 */
} ent_file_place;

/* One of the files. */
typedef struct ent_part {
  char *path;
  size_t first;   /* the line of the text that is its first */
  size_t skipped; /* lines at its top that are not part of the text: a header that was there before */
} ent_part;

typedef struct ent_line_map {
  ent_part *list;
  size_t count;
  size_t known; /* of the first so many parts it is known where they begin */
} ent_line_map;

entropic_status ent_line_map_create(entropic_context *context, char *const *paths, size_t count, ent_line_map **places);
void ent_line_map_free(ent_line_map *places);
/* The place of a line of the text; `file` and the line itself if places is NULL. */
ent_file_place ent_line_map_find(const ent_line_map *places, const char *file, size_t line);
/* Do these lines stand in one file? */
bool ent_line_map_are_one(const ent_line_map *places, size_t first, size_t last);

#endif
