/* Text of queries. */
#ifndef ENT_DATA_DUCKDB_TEXT_H
#define ENT_DATA_DUCKDB_TEXT_H

#include "base/memory.h"

typedef struct ent_duckdb_text {
  char *text; /* 0-terminated; to be deleted */
  size_t used, capacity;
  bool failed; /* out of memory: the rest is not there */
} ent_duckdb_text;

void ent_duckdb_text_add(entropic_context *context, ent_duckdb_text *text, const char *more);
/* In quotes, which are doubled where they stand within: ' for texts, " for names. */
void ent_duckdb_text_quote(entropic_context *context, ent_duckdb_text *text, const char *more, char quote);

#endif
