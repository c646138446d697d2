/* Text of unknown origin, made fit for a message. */
#ifndef ENT_BASE_TEXT_H
#define ENT_BASE_TEXT_H

#include <stddef.h>

/* Room for what ent_show writes. */
#define ENT_SHOW_SIZE 192

/* Writes text[0..length) into shown, 0-terminated: at most 40 characters of it, then "..."; bytes that are neither
 * printable ASCII nor part of proper UTF-8, and the backslash, as \xNN. Returns shown. */
const char *ent_show(const char *text, size_t length, char shown[ENT_SHOW_SIZE]);

/* The system's text for an errno, in a form that is safe with threads. Returns buffer or a constant. */
const char *ent_error_text(int error, char buffer[ENT_SHOW_SIZE]);

#endif
