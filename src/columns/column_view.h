/* Columns in memory, as somebody else laid them out: numbers of any width, bits, decimals, dates, texts, codes of a
 * dictionary; in one piece or in chunks; any distance from row to row; missing values by a bitmap or by a mask. They
 * are read a run of rows at a time. */
#ifndef ENT_COLUMNS_COLUMN_VIEW_H
#define ENT_COLUMNS_COLUMN_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

/* What values are. The first are those of entropic_element. */
typedef enum ent_element {
  ENT_ELEMENT_BIT = ENTROPIC_ELEMENT_BOOL8 + 1, /* booleans, eight to a byte */
  ENT_ELEMENT_DECIMAL,                          /* integers of `width` bytes, in units of 10^-decimals */
  ENT_ELEMENT_NONE,                             /* no value in any row */
  ENT_ELEMENT_NAMES,                            /* const char *, 0-terminated; NULL is missing */
  ENT_ELEMENT_UTF8,                             /* offsets of 4 bytes into `bytes` */
  ENT_ELEMENT_LARGE_UTF8,                       /* offsets of 8 bytes */
  ENT_ELEMENT_TEXT_VIEW,                        /* 16 bytes each: short texts, or a place in one of the `buffers` */
  ENT_ELEMENT_CELL,  /* doubles, of which every bit is kept: a NaN may say how a missing cell is written */
  ENT_ELEMENT_PACKED /* doubles, or codes, in chunks that have elements of their own; in a mapped spool */
} ent_element;

/* What numbers mean. */
typedef enum ent_unit {
  ENT_UNIT_NUMBER,
  ENT_UNIT_DATE, /* a count since 1970-01-01, of which `per_second` are a second; 0: of days */
  ENT_UNIT_CLOCK /* the same since midnight */
} ent_unit;

struct ent_column_view;

/* Rows that lie together. */
typedef struct ent_chunk {
  size_t first, rows;
  const unsigned char *values;   /* of the first row; of texts their offsets, views or names */
  int element;                   /* of packed columns: FLOAT64 to UINT64, or CELL */
  ptrdiff_t stride;              /* bytes from row to row; not of bits */
  size_t bit;                    /* of bits: the first row's, in values */
  const unsigned char *bytes;    /* of texts with offsets */
  const void *const *buffers;    /* of texts as views */
  const unsigned char *valid[2]; /* bitmaps: a row whose bit is 0 in one of them is missing; NULL: none is */
  size_t valid_bit[2];           /* the first row's */
  const unsigned char *mask;     /* bytes: a row whose byte is not 0 is missing; NULL: none is */
  ptrdiff_t mask_stride;
  const struct ent_column_view *dictionary; /* values are codes of it; NULL: they are themselves */
  size_t codes;                             /* how many codes there are */
} ent_chunk;

typedef struct ent_column_view {
  int element; /* an entropic_element or an ent_element; of the codes where there is a dictionary */
  ent_unit unit;
  int64_t per_second;
  int64_t ahead;     /* of dates: seconds that the clock of their zone is ahead of UTC, which the counts are of */
  bool zone_unknown; /* they have a zone by its name, whose clock is not known: UTC is taken */
  size_t width;      /* of decimals */
  int decimals;
  bool coded;        /* chunks have dictionaries */
  bool texts;        /* values are texts: written out, of a dictionary, or booleans */
  bool no_negatives; /* negative numbers, or codes, are missing values */
  size_t rows;
  ent_chunk *chunks;
  size_t chunk_count, chunk_capacity;
} ent_column_view;

/* Adds a chunk behind the others; its `first` is set. On failure the view is as it was. */
entropic_status ent_column_view_add(entropic_context *context, ent_column_view *view, const ent_chunk *chunk);
void ent_column_view_clear(ent_column_view *view);

/* The bytes of an element; 0 for those that have no size. */
size_t ent_element_size(int element);
/* Is it an integer, of any width and sign? */
static inline bool ent_element_is_integer(int element) {
  return element >= ENTROPIC_ELEMENT_INT8 && element <= ENTROPIC_ELEMENT_UINT64;
}

/* What the values of a chunk are. */
static inline int ent_chunk_element(const ent_column_view *view, const ent_chunk *chunk) {
  return view->element == ENT_ELEMENT_PACKED ? chunk->element : view->element;
}

/* Reads rows first, first + 1, ... of a column that is no text as numbers, dates as days, into out[row * stride].
 * Missing values are NaN, of one bit pattern whatever NaN the column has. All rows must exist. */
void ent_column_view_read(const ent_column_view *view, size_t first, size_t count, double *out, size_t stride);
/* One of them. */
double ent_column_view_number(const ent_column_view *view, size_t row);

/* The chunk of a row; `near` is where the last one was, or 0. */
size_t ent_column_view_find(const ent_column_view *view, size_t row, size_t near);

#define ENT_VALUE_TEXT 400
typedef enum ent_text_found { ENT_TEXT_MISSING, ENT_TEXT_FOUND, ENT_TEXT_NO_CODE } ent_text_found;
typedef struct ent_value_text {
  const char *text; /* not 0-terminated */
  size_t length;
  char buffer[ENT_VALUE_TEXT]; /* of what is not stored as text; of a code that is none the code */
} ent_value_text;
/* The text of a value as it would stand in a text file: integers and decimals with all digits, other numbers by their
 * shortest decimal, booleans as true and false. `row` counts from the chunk's first. NO_CODE: it is a code beyond the
 * dictionary. */
ent_text_found ent_column_view_text(const ent_column_view *view, const ent_chunk *chunk, size_t row,
                                    ent_value_text *text);

/* ---- What column_view.c and column_text.c share ---- */

/* An integer of any width; those of 64 bits without a sign end at the most that one with a sign can be. */
int64_t ent_integer_at(int element, const unsigned char *p);
/* Is a row of the chunk said to be missing? */
bool ent_chunk_is_missing(const ent_chunk *chunk, size_t row);
/* A row of bits. */
bool ent_chunk_bit(const ent_chunk *chunk, size_t row);

/* ---- Decimals (decimal.c) ---- */

/* Decimal numbers: integers of up to 32 bytes in units of a power of ten. */

#define ENT_DECIMAL_WIDTH 32 /* the most bytes */
/* As many zeros may stand before or behind the digits. */
#define ENT_DECIMAL_PLACES 200

/* The number of a decimal, correctly rounded: bytes[width], width 4, 8, 16 or 32, is a two's complement, the lowest
 * byte first, in units of 10^-decimals. */
double ent_decimal_value(const unsigned char *bytes, size_t width, int decimals);
/* Its text, 0-terminated, with `decimals` digits behind the point; returns the length. |decimals| <=
 * ENT_DECIMAL_PLACES. */
#define ENT_DECIMAL_SIZE 320
size_t ent_decimal_text(const unsigned char *bytes, size_t width, int decimals, char text[ENT_DECIMAL_SIZE]);

#endif
