/* Text of queries: see duckdb_text.h. */
#include "data/duckdb_text.h"

#include <string.h>

static void add_bytes(entropic_context *context, ent_duckdb_text *text, const char *more, size_t length) {
  if (text->failed)
    return;
  char *grown = ent_grow(context, text->text, &text->capacity, text->used + length + 1, 1);
  text->failed = grown == NULL;
  if (text->failed)
    return;
  text->text = grown;
  memcpy(grown + text->used, more, length);
  text->used += length;
  grown[text->used] = '\0';
}

void ent_duckdb_text_add(entropic_context *context, ent_duckdb_text *text, const char *more) {
  add_bytes(context, text, more, strlen(more));
}

void ent_duckdb_text_quote(entropic_context *context, ent_duckdb_text *text, const char *more, char quote) {
  add_bytes(context, text, &quote, 1);
  for (; *more != '\0'; more++)
    add_bytes(context, text, (const char[]){*more, quote}, *more == quote ? 2 : 1);
  add_bytes(context, text, &quote, 1);
}
