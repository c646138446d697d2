/* JSON, written to a text that grows. Reports, the numbers of pages and the results of studies are all written here; they
 * differ in their blanks and in what strings may hold. Failures are remembered in the text. */
#ifndef ENT_BASE_JSON_H
#define ENT_BASE_JSON_H

#include "base/text.h"

#define ENT_JSON_DEPTH 16 /* objects and lists within each other, at most */

/* Starts as {.text = text}. */
typedef struct ent_json {
  ent_text *text;
  bool compact; /* no blanks after commas and colons */
  bool in_page; /* strings are safe within <script>, and show no control characters */
  bool more;    /* a comma is due before the next value */
  bool line;    /* a new line, too */
  size_t depth;
  char closing[ENT_JSON_DEPTH]; /* [depth] brackets still to come, the outermost first */
} ent_json;

/* Values within an object need a key; within a list, or outermost, it is not used and may be NULL. */
void ent_json_open_object(ent_json *json, const char *key);
void ent_json_open_list(ent_json *json, const char *key);
void ent_json_close(ent_json *json);
/* null where it is not finite. */
void ent_json_add_number(ent_json *json, const char *key, double value);
void ent_json_add_numbers(ent_json *json, const char *key, const double *values, size_t count);
void ent_json_add_integer(ent_json *json, const char *key, uint64_t value);
void ent_json_add_flag(ent_json *json, const char *key, bool value);
/* Of any bytes; NULL is null. */
void ent_json_add_text(ent_json *json, const char *key, const char *unsafe);
/* What is JSON already. */
void ent_json_add_plain(ent_json *json, const char *key, const char *plain);
/* The next value begins on a line of its own, unless it is the first of a compact list. */
void ent_json_line(ent_json *json);

#endif
