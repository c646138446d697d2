/* Lines of text: see lines.h. */
#include "data/lines.h"

#include <string.h>

static void skip_mark(ent_lines *lines) {
  if (lines->bytes->end >= 3 && memcmp(lines->bytes->data, "\xef\xbb\xbf", 3) == 0)
    lines->bytes->at = 3;
}

entropic_status ent_lines_open(entropic_context *context, const char *path, ent_lines *lines) {
  *lines = (ent_lines){0};
  entropic_status status = ent_bytes_open(context, path, &lines->bytes);
  if (status != ENTROPIC_OK)
    return status;
  ent_bytes_forget(lines->bytes);
  skip_mark(lines);
  return ENTROPIC_OK;
}

entropic_status ent_lines_open_memory(entropic_context *context, const void *bytes, size_t count, ent_lines *lines) {
  *lines = (ent_lines){0};
  entropic_status status = ent_bytes_open_memory(context, bytes, count, &lines->bytes);
  if (status != ENTROPIC_OK)
    return status;
  skip_mark(lines);
  return ENTROPIC_OK;
}

void ent_lines_close(ent_lines *lines) {
  ent_bytes_close(lines->bytes);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/* Any next line, also an empty one. */
static entropic_status read_line(entropic_context *context, ent_lines *lines, bool *more) {
  ent_bytes *bytes = lines->bytes;
  char *line_end;
  for (;;) {
    size_t left = bytes->end - bytes->at;
    line_end = left == 0 ? NULL : memchr(bytes->data + bytes->at, '\n', left);
    *more = left > 0;
    if (line_end != NULL || bytes->ended)
      break;
    bool read;
    entropic_status status = ent_bytes_more(context, bytes, &read);
    if (status != ENTROPIC_OK)
      return status;
  }
  lines->line = bytes->line++;
  lines->text = "";
  if (!*more)
    return ENTROPIC_OK;
  char *start = bytes->data + bytes->at, *end = line_end == NULL ? bytes->data + bytes->end : line_end;
  bytes->at = (size_t)(end - bytes->data) + (line_end != NULL);
  if (memchr(start, 0, (size_t)(end - start)) != NULL)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s, line %zu: found a NUL byte, expected text", bytes->name,
                    lines->line);
  while (start < end && is_blank(*start))
    start++;
  while (end > start && is_blank(end[-1]))
    end--;
  *end = '\0';
  lines->text = start;
  return ENTROPIC_OK;
}

entropic_status ent_lines_next(entropic_context *context, ent_lines *lines, bool *more) {
  size_t empty = 0;
  do {
    entropic_status status = read_line(context, lines, more);
    if (status != ENTROPIC_OK || !*more)
      return status;
    if (lines->text[0] == '\0' && empty == 0)
      empty = lines->line;
  } while (lines->text[0] == '\0');
  if (empty == 0)
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "%s, line %zu: the line is empty, expected text (empty lines may only end the file)",
                  lines->bytes->name, empty);
}
