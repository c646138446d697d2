/* Text of unknown origin: compared, and made fit for a message. Text that grows. */
#ifndef ENT_BASE_TEXT_H
#define ENT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/context.h"

/* The number of bytes of the character at text[0..length), and its code; 0 if it is not valid UTF-8. length >= 1. */
size_t ent_utf8(const char *text, size_t length, uint32_t *code);
/* Control characters, and marks that change the direction of the text after them. */
bool ent_unprintable(uint32_t code);

/* Whether text[0..length) equals the word, apart from the case of A to Z, in any locale. */
bool ent_same_word(const char *text, size_t length, const char *word);
/* a to z for A to Z; other characters unchanged. */
char ent_lower(char c);

/* The size of the buffer that ent_show writes to. */
#define ENT_SHOW_SIZE 192

/* Writes text[0..length) into shown, 0-terminated: at most 40 characters, then "...". The backslash, and bytes that are
 * neither printable ASCII nor valid UTF-8, become \xNN. Returns shown. */
const char *ent_show(const char *text, size_t length, char shown[ENT_SHOW_SIZE]);
/* The same as one word of a command line, in quotes if a shell would part or change it, so that a hint can be pasted. */
#define ENT_ARGUMENT_SIZE 1024
const char *ent_show_argument(const char *text, char shown[ENT_ARGUMENT_SIZE]);

/* The system's text for an errno; safe with threads. Returns buffer or a constant. */
const char *ent_error_text(int error, char buffer[ENT_SHOW_SIZE]);

/* Text that grows. Starts as {.context = context}. bytes is 0-terminated once anything was added. */
typedef struct ent_text {
  entropic_context *context;
  entropic_status status; /* the first failure; nothing is added after it */
  char *bytes;
  size_t length, capacity;
} ent_text;

void ent_text_free(ent_text *text);
/* As they are. */
void ent_text_bytes(ent_text *text, const char *bytes, size_t count);
void ent_text_add(ent_text *text, const char *plain);
/* Not for numbers with a point: printf writes those as the locale says. */
void ent_text_format(ent_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
