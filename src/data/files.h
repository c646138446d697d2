/* The files that a path stands for. */
#ifndef ENT_DATA_FILES_H
#define ENT_DATA_FILES_H

#include "base/memory.h"

typedef enum ent_file_kind {
  ENT_FILE_OTHER, /* text, or whatever its reader finds out */
  ENT_FILE_PARQUET,
  ENT_FILE_DATABASE /* of DuckDB */
} ent_file_kind;

typedef struct ent_files {
  char **path;
  size_t count; /* 1 or more */
  char *label;  /* what they are called in messages */
  ent_file_kind kind;
  uint64_t size; /* of several: in all; and whether one is compressed, by its name */
  bool packed;
  size_t empty;      /* files without a byte, which were left out */
  char *first_empty; /* the first of them, or NULL */

  size_t capacity; /* of path */
} ent_files;

/* Finds them. A path that exists is that file, or the files of that folder; otherwise it may be a pattern with *, ? and
 * [...]; or several paths, each of them one of these, with a line feed between two. "-" is standard input. To be cleared
 * also after a failure. */
entropic_status ent_files_find(entropic_context *context, const char *path, ent_files *files);
void ent_files_clear(ent_files *files);

/* Several paths as one text, with a line feed between two; *path is to be freed. BAD_ARGUMENT if there is none, or one is
 * NULL. */
entropic_status ent_paths_join(entropic_context *context, const char *const *paths, size_t count, char **path);

#endif
