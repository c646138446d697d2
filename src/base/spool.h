/* Spools: bytes on disk in a file that has no name, so that nothing is left behind whatever ends the process. Bytes are
 * appended; then they are read again, or mapped into memory, whose resident part is bounded (residency.h). */
#ifndef ENT_BASE_SPOOL_H
#define ENT_BASE_SPOOL_H

#include "base/context.h"

typedef struct ent_spool ent_spool;

/* Where a spool is, and how much memory the process may take. */
typedef struct ent_spool_options {
  const char *directory; /* NULL: TMPDIR, or /tmp */
  uint64_t memory;       /* the bound in bytes; 0: none */
} ent_spool_options;

/* Makes an empty spool. SYSTEM if no file can be made in the directory. */
entropic_status ent_spool_create(entropic_context *context, const ent_spool_options *options, ent_spool **spool);
/* NULL is fine. What is mapped ends. */
void ent_spool_free(ent_spool *spool);

/* SYSTEM, with the size so far and the size expected, if there is no space. Not once it is mapped. */
entropic_status ent_spool_append(entropic_context *context, ent_spool *spool, const void *bytes, size_t count);
/* Says how large the spool will be in the end, about, for messages; 0: not known. */
void ent_spool_expect(ent_spool *spool, uint64_t size);
/* Empties it; what was mapped ends. */
entropic_status ent_spool_restart(entropic_context *context, ent_spool *spool);

uint64_t ent_spool_size(const ent_spool *spool);
/* The directory it is in, as text that lives as long as the spool. */
const char *ent_spool_directory(const ent_spool *spool);

/* Reads count bytes from a place on, which must be there. */
entropic_status ent_spool_read(entropic_context *context, const ent_spool *spool, uint64_t place, void *to,
                               size_t count);
/* Maps all that is there; it stays until the spool is freed. *bytes is NULL for an empty spool. */
entropic_status ent_spool_map(entropic_context *context, ent_spool *spool, const unsigned char **bytes);

#define ENT_SIZE_TEXT 32
/* A size for people, in decimal units: 812 bytes, 12 kB, 1.5 MB, 900 MB, 2.31 GB. Returns text. */
const char *ent_size_text(uint64_t bytes, char text[ENT_SIZE_TEXT]);

#endif
