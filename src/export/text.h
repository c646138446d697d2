/* The text of an export: numbers, tables and names, written so that names of whatever bytes stay names. Failures are
 * remembered: the calls after one do nothing, and the status says what happened. */
#ifndef ENT_EXPORT_TEXT_H
#define ENT_EXPORT_TEXT_H

#include <stdarg.h>

#include "base/context.h"

#define ENT_EXPORT_NAME 31 /* the longest prefix of names: the parameter `name` */

typedef struct ent_export_text {
  entropic_context *context;
  entropic_output *output;
  entropic_status status; /* the first failure */
  bool single;            /* numbers are written for float */
  char name[ENT_EXPORT_NAME + 1], upper[ENT_EXPORT_NAME + 1];
  size_t column;   /* of the current line, while a table is written */
  size_t unpolled; /* bytes since the last poll */
} ent_export_text;

/* As it is. */
void ent_export_bytes(ent_export_text *text, const char *bytes, size_t count);
void ent_export_plain(ent_export_text *text, const char *plain);
/* As it is, but for @, the name and _, and $, the name in capitals. */
void ent_export_code(ent_export_text *text, const char *code);
/* The same with formats; not for numbers with a point, nor for texts of more than some words. */
void ent_export_format(ent_export_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Of any bytes, ASCII afterwards. A string literal of C99 with its quotes: without trigraphs, and without escapes that
 * could run into what follows; a literal of JavaScript, of which bytes that are not UTF-8 become U+FFFD; and words for a
 * comment of either, also within a page, the first 200 bytes at most. */
void ent_export_c_string(ent_export_text *text, const char *unsafe);
void ent_export_js_string(ent_export_text *text, const char *unsafe);
void ent_export_comment(ent_export_text *text, const char *unsafe);

/* Constants of C and of JavaScript alike, but for the f of float. What is infinite becomes the largest number. */
void ent_export_number(ent_export_text *text, double value);
/* The same, of double in any file. */
void ent_export_double(ent_export_text *text, double value);

/* Tables: begins, adds numbers on lines of 120 characters, ends. An empty one gets a 0, as C has no empty tables; `open` goes
 * through ent_export_code. */
void ent_export_table_begin(ent_export_text *text, const char *open);
void ent_export_table_number(ent_export_text *text, double value);
void ent_export_table_integer(ent_export_text *text, long long value);
void ent_export_table_word(ent_export_text *text, uint64_t value); /* hexadecimal */
void ent_export_table_end(ent_export_text *text, const char *close);

/* The type of C that holds whole numbers up to `most`: uint8_t, uint16_t, uint32_t. */
const char *ent_export_integer_type(size_t most);

#endif
