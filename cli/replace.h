/* Models that are changed in place, perhaps by several processes at once. */
#ifndef ENTROPIC_CLI_REPLACE_H
#define ENTROPIC_CLI_REPLACE_H

#include "output.h"

/* What a file had when it was read. */
typedef struct model_bytes {
  unsigned char *bytes; /* NULL: there are none, as the model came from standard input */
  size_t count;
} model_bytes;
/* Opens a model as model_open does, and keeps its bytes, to be freed by model_bytes_free. An exit status. */
int model_open_bytes(const cli_session *session, const char *path, entropic_model **model, model_bytes *before);
void model_bytes_free(model_bytes *before);
/* Writes a model over the file that it was read from, unless another process has changed it. An exit status. */
int model_save_over(const cli_session *session, const entropic_model *model, const char *path,
                    const model_bytes *before);

#endif
