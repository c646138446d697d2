/* Outputs that are kept in memory. */
#ifndef ENT_BASE_OUTPUT_H
#define ENT_BASE_OUTPUT_H

#include "base/context.h"

/* An output whose bytes are kept; written, committed and freed as any other. */
entropic_status ent_output_create_memory(entropic_context *context, entropic_output **output);
/* The file is replaced only if it has these bytes when the output is committed; otherwise that fails with SYSTEM. They are
 * borrowed until then. */
void ent_output_expect(entropic_output *output, const void *bytes, size_t count);
/* The bytes of such an output that is committed: the caller frees them with entropic_bytes_free. */
void ent_output_take(entropic_output *output, unsigned char **bytes, size_t *count);

#endif
