/* Columns in memory as texts: see column_view.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "columns/column_view.h"
#include "columns/date.h"

_Static_assert(ENT_VALUE_TEXT >= ENT_DECIMAL_SIZE && ENT_VALUE_TEXT >= ENT_DATE_SIZE, "every value fits its buffer");

static void set_text(ent_value_text *text, const void *bytes, size_t length) {
  text->text = bytes;
  text->length = length;
}

/* Texts with offsets: their order has been checked. */
static void text_at_offsets(const ent_chunk *chunk, bool large, size_t row, ent_value_text *text) {
  int64_t from, to;
  if (large) {
    memcpy(&from, chunk->values + 8 * row, 8);
    memcpy(&to, chunk->values + 8 * row + 8, 8);
  } else {
    int32_t narrow[2];
    memcpy(narrow, chunk->values + 4 * row, sizeof narrow);
    from = narrow[0];
    to = narrow[1];
  }
  set_text(text, from == to ? (const void *)"" : chunk->bytes + from, (size_t)(to - from));
}

/* A length, then the text if it has 12 bytes or fewer, otherwise its first 4 bytes, the number of a buffer and its
 * place there. */
static void text_of_view(const ent_chunk *chunk, size_t row, ent_value_text *text) {
  const unsigned char *view = chunk->values + 16 * row;
  int32_t parts[4];
  memcpy(parts, view, sizeof parts);
  if (parts[0] <= 12)
    set_text(text, view + 4, (size_t)parts[0]);
  else
    set_text(text, (const char *)chunk->buffers[parts[2]] + parts[3], (size_t)parts[0]);
}

/* The text of a number, in the buffer. */
static void text_of_number(const ent_column_view *view, const unsigned char *p, double value, ent_value_text *text) {
  if (view->unit == ENT_UNIT_DATE && value > -1e6 && value < 4e6) { /* years that a date can have */
    ent_format_date(value, text->buffer);
  } else if (view->element == ENT_ELEMENT_DECIMAL) {
    ent_decimal_text(p, view->width, view->decimals, text->buffer);
  } else if (view->element == ENTROPIC_ELEMENT_UINT64) {
    uint64_t integer;
    memcpy(&integer, p, sizeof integer);
    snprintf(text->buffer, ENT_VALUE_TEXT, "%" PRIu64, integer);
  } else if (ent_element_is_integer(view->element) && view->unit == ENT_UNIT_NUMBER) {
    snprintf(text->buffer, ENT_VALUE_TEXT, "%" PRId64, ent_integer_at(view->element, p));
  } else {
    entropic_format_double(value + 0.0, text->buffer); /* so that -0 is 0 */
  }
  set_text(text, text->buffer, strlen(text->buffer));
}

/* The text of a code. */
static ent_text_found text_of_code(const ent_column_view *view, const ent_chunk *chunk, const unsigned char *p,
                                   ent_value_text *text) {
  int64_t code = ent_integer_at(ent_chunk_element(view, chunk), p);
  if (code < 0 && view->no_negatives)
    return ENT_TEXT_MISSING;
  if (code < 0 || (uint64_t)code >= chunk->codes) {
    snprintf(text->buffer, ENT_VALUE_TEXT, "%" PRId64, code);
    set_text(text, text->buffer, strlen(text->buffer));
    return ENT_TEXT_NO_CODE;
  }
  const ent_column_view *of = chunk->dictionary;
  const ent_chunk *entries = &of->chunks[0];
  return ent_column_view_text(of, entries, (size_t)code, text);
}

ent_text_found ent_column_view_text(const ent_column_view *view, const ent_chunk *chunk, size_t row,
                                    ent_value_text *text) {
  if (ent_chunk_is_missing(chunk, row))
    return ENT_TEXT_MISSING;
  const unsigned char *p = chunk->values + (ptrdiff_t)row * chunk->stride;
  if (chunk->dictionary != NULL)
    return text_of_code(view, chunk, p, text);
  const char *name;
  double value;
  bool yes;
  switch (view->element) {
  case ENT_ELEMENT_NONE:
    return ENT_TEXT_MISSING;
  case ENT_ELEMENT_NAMES:
    memcpy(&name, p, sizeof name);
    set_text(text, name, name == NULL ? 0 : strlen(name));
    return name == NULL ? ENT_TEXT_MISSING : ENT_TEXT_FOUND;
  case ENT_ELEMENT_UTF8:
  case ENT_ELEMENT_LARGE_UTF8:
    text_at_offsets(chunk, view->element == ENT_ELEMENT_LARGE_UTF8, row, text);
    return ENT_TEXT_FOUND;
  case ENT_ELEMENT_TEXT_VIEW:
    text_of_view(chunk, row, text);
    return ENT_TEXT_FOUND;
  case ENT_ELEMENT_BIT:
  case ENTROPIC_ELEMENT_BOOL8:
    yes = view->element == ENT_ELEMENT_BIT ? ent_chunk_bit(chunk, row) : *p != 0;
    set_text(text, yes ? "true" : "false", yes ? 4 : 5);
    return ENT_TEXT_FOUND;
  default:
    value = ent_column_view_number(view, chunk->first + row);
    if (value != value)
      return ENT_TEXT_MISSING;
    text_of_number(view, p, value, text);
    return ENT_TEXT_FOUND;
  }
}
