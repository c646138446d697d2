/* A text file line by line, plain or gzipped. */
#ifndef ENT_DATA_LINES_H
#define ENT_DATA_LINES_H

#include "data/bytes.h"

typedef struct ent_lines {
  ent_bytes *bytes;
  size_t line;      /* the number of the line last read */
  const char *text; /* it, 0-terminated, without the blanks around it; valid until the next */
} ent_lines;

/* To be closed also after a failure. */
entropic_status ent_lines_open(entropic_context *context, const char *path, ent_lines *lines);
/* The same for bytes in memory, plain text, which are copied. */
entropic_status ent_lines_open_memory(entropic_context *context, const void *bytes, size_t count, ent_lines *lines);
void ent_lines_close(ent_lines *lines);
/* Reads the next line; *more is false at the end. Empty lines may stand at the end of the file and nowhere else. */
entropic_status ent_lines_next(entropic_context *context, ent_lines *lines, bool *more);

#endif
