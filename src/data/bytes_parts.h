/* What the files about bytes share. */
#ifndef ENT_DATA_BYTES_PARTS_H
#define ENT_DATA_BYTES_PARTS_H

#include "data/bytes.h"

/* Bytes are read in chunks of this size: half of a usual second-level cache. */
#define ENT_CHUNK (256 * 1024)

/* Puts a line feed to stop at past the last byte, then zeros; all of it may be read. */
void ent_bytes_seal(char *end);
/* CR becomes a line feed. */
void ent_bytes_end_lines(char *from, const char *to);
/* Why there are no more bytes; OK at a proper end. */
entropic_status ent_bytes_end_status(entropic_context *context, const ent_bytes *bytes);

/* The first bytes of the first file: one chunk, or the mark of UTF-16, which are two and nothing else then. */
size_t ent_bytes_begin(ent_bytes *bytes, char *to);
/* Up to `room` bytes of the files, in chunks: so whatever is asked for, a file that is corrupt ends at the same byte. */
size_t ent_bytes_read_chunks(ent_bytes *bytes, char *to, size_t room);
/* UTF-16 as UTF-8 to the end of the buffer: a chunk at most, and nothing at the end of the file. */
entropic_status ent_bytes_read_wide(entropic_context *context, ent_bytes *bytes, size_t *count);
/* Goes back to the first byte of the first file. */
bool ent_bytes_rewind_stream(ent_bytes *bytes);

#endif
