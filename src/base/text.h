/* Text of unknown origin: compared, and made fit for a message. */
#ifndef ENT_BASE_TEXT_H
#define ENT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many bytes the character at text[0..length) takes, 0 if it is not proper UTF-8; length is at least 1. */
size_t ent_utf8(const char *text, size_t length, uint32_t *code);
/* Control characters, and marks that would turn the direction of the text after them around. */
bool ent_unprintable(uint32_t code);

/* Are text[0..length) and the word the same but for the case of the letters A to Z, whatever the locale? */
bool ent_same_word(const char *text, size_t length, const char *word);
/* a to z for A to Z; other characters as they are. */
char ent_lower(char c);

/* Room for what ent_show writes. */
#define ENT_SHOW_SIZE 192

/* Writes text[0..length) into shown, 0-terminated: at most 40 characters of it, then "..."; bytes that are neither
 * printable ASCII nor part of proper UTF-8, and the backslash, as \xNN. Returns shown. */
const char *ent_show(const char *text, size_t length, char shown[ENT_SHOW_SIZE]);

/* The system's text for an errno, in a form that is safe with threads. Returns buffer or a constant. */
const char *ent_error_text(int error, char buffer[ENT_SHOW_SIZE]);

#endif
