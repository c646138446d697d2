#include "replace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "reading.h"
#include "signals.h"

/* All of a file. An exit status. */
static int read_bytes(const cli_session *session, const char *path, model_bytes *found) {
  FILE *file = fopen(path, "rb");
  size_t capacity = 0, got = 1;
  while (file && got > 0) {
    if (found->count == capacity) {
      capacity = capacity ? 2 * capacity : 65536;
      unsigned char *grown = realloc(found->bytes, capacity);
      if (!grown) {
        fclose(file);
        return complain(session, EXIT_SYSTEM, "out of memory while reading '%s'", path);
      }
      found->bytes = grown;
    }
    got = fread(found->bytes + found->count, 1, capacity - found->count, file);
    found->count += got;
  }
  bool failed = !file || ferror(file);
  if (failed)
    complain(session, EXIT_SYSTEM, "cannot read '%s': %s", path, strerror(errno));
  if (file)
    fclose(file);
  return failed ? EXIT_SYSTEM : EXIT_DONE;
}

int model_open_bytes(const cli_session *session, const char *path, entropic_model **model, model_bytes *before) {
  if (!strcmp(path, "-"))
    return model_open(session, path, model);
  int result = check_readable(session, path);
  if (!result)
    result = read_bytes(session, path, before);
  if (result)
    return result;
  entropic_status status = entropic_model_load_memory(session->context, before->bytes, before->count, model);
  return status ? model_open(session, path, model) : EXIT_DONE; /* whose message has the name of the file */
}

void model_bytes_free(model_bytes *before) {
  free(before->bytes);
  *before = (model_bytes){0};
}

int model_save_over(const cli_session *session, const entropic_model *model, const char *path,
                    const model_bytes *before) {
  signals_hold();
  entropic_status status = entropic_model_save_over(session->context, model, path, before->bytes, before->count);
  return write_end(session, true, status);
}
