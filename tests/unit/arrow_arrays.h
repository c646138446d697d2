/* Arrow streams made by hand, whose buffers are no larger than they have to be and whose releases are counted. */
#ifndef ARROW_ARRAYS_H
#define ARROW_ARRAYS_H

#include "unit/tests.h"

#include <stdbool.h>

/* Where the producer's memory comes from: fault tests have another one. */
#ifndef ARROW_CALLOC
#define ARROW_CALLOC calloc
#endif

enum { ARROW_COLUMNS = 12, ARROW_CHUNKS = 3, ARROW_ROWS = 24, ARROW_KIND = 6 };
static const char *const arrow_formats[ARROW_COLUMNS] = {"g", "c",   "b",      "u",    "U", "vu",
                                                         "C", "tdD", "d:12,2", "tsm:", "n", "f"};
static const size_t arrow_chunk_rows[ARROW_CHUNKS] = {5, 0, 19};

/* What an array or a schema has to free, whatever was done to it since. */
typedef struct arrow_private {
  void *buffers[8];
  const void *list[8];
  struct ArrowArray *children[ARROW_COLUMNS], *shown[ARROW_COLUMNS], *dictionary;
} arrow_private;

typedef struct arrow_state {
  size_t next;          /* chunk */
  int released_arrays;  /* of rows */
  int released_schemas; /* of rows */
  int released_streams;
  int made_arrays, made_schemas;
  /* Spoils the schema, or the first array of rows; NULL: does not. */
  void (*spoil_schema)(struct ArrowSchema *schema, int how);
  void (*spoil_array)(struct ArrowArray *rows, int how);
  int how;
  int fail_schema, fail_next; /* errors: of the schema; of the rows from this chunk on, 0: none */
} arrow_state;

static arrow_state *arrow_of;

static void arrow_free(struct ArrowArray *array) {
  arrow_private *own = array->private_data;
  for (size_t i = 0; i < ARROW_COLUMNS; i++)
    if (own->children[i] != NULL) {
      arrow_free(own->children[i]);
      free(own->children[i]);
    }
  if (own->dictionary != NULL) {
    arrow_free(own->dictionary);
    free(own->dictionary);
  }
  for (size_t i = 0; i < 8; i++)
    free(own->buffers[i]);
  free(own);
  array->release = NULL;
}

static void arrow_release_rows(struct ArrowArray *array) {
  arrow_of->released_arrays++;
  arrow_free(array);
}

static struct ArrowArray *arrow_new(struct ArrowArray *array, size_t rows, size_t pad, int64_t buffers) {
  arrow_private *own = ARROW_CALLOC(1, sizeof *own);
  *array = (struct ArrowArray){.length = (int64_t)rows,
                               .offset = (int64_t)pad,
                               .null_count = -1,
                               .n_buffers = buffers,
                               .buffers = own->list,
                               .release = arrow_free,
                               .private_data = own};
  return array;
}

static void *arrow_buffer(struct ArrowArray *array, int index, size_t bytes) {
  arrow_private *own = array->private_data;
  own->list[index] = own->buffers[index] = ARROW_CALLOC(1, bytes == 0 ? 1 : bytes);
  return own->buffers[index];
}

/* The cell of a row as CSV has it; "" is missing. Row r of column c. */
static const char *arrow_cell(size_t c, size_t r, char text[64]) {
  static const char *const words[] = {"red", "green", "a word of more than twelve bytes", "blue"};
  if ((c == 10 || (c > 0 && (r + c) % 7 == 3)) && c != 11)
    return strcpy(text, "");
  switch (c) {
  case 0:
    sprintf(text, "%g", 0.25 * (double)(r * r % 17));
    break;
  case 1:
    sprintf(text, "%d", (int)(r * 5 % 23) - 11);
    break;
  case 2:
    strcpy(text, r % 3 == 0 ? "true" : "false");
    break;
  case 3:
  case 5:
  case 6:
    strcpy(text, words[(r + c) % 4]);
    break;
  case 4:
    sprintf(text, "%d.5", (int)(r % 5));
    break;
  case 7:
    sprintf(text, "2020-01-%02d", (int)(r % 9) + 1);
    break;
  case 8:
    sprintf(text, "-%d.%02d", (int)(r % 8) + 1, (int)(r * 3 % 100));
    break;
  case 9:
    sprintf(text, "1969-12-%02dT%02d:30:00.125", (int)(r % 20) + 1, (int)(r % 24));
    break;
  default:
    sprintf(text, "%g", 0.5 * (double)(r % 10));
  }
  return text;
}

/* Texts with offsets of 4 or 8 bytes. */
static void arrow_texts(struct ArrowArray *array, size_t column, size_t first, size_t rows, size_t pad) {
  bool wide = column == 4;
  char text[64];
  int64_t used = 0;
  char *offsets = arrow_buffer(array, 1, (pad + rows + 1) * (wide ? 8 : 4)), *bytes = arrow_buffer(array, 2, 64 * rows);
  for (size_t i = 0; i <= rows; i++) {
    int32_t narrow = (int32_t)used;
    memcpy(offsets + (pad + i) * (wide ? 8 : 4), wide ? (void *)&used : (void *)&narrow, wide ? 8 : 4);
    if (i < rows) {
      const char *cell = arrow_cell(column, first + i, text);
      memcpy(bytes + used, cell, strlen(cell));
      used += (int64_t)strlen(cell);
    }
  }
}

static void arrow_views(struct ArrowArray *array, size_t column, size_t first, size_t rows, size_t pad) {
  char text[64], *views = arrow_buffer(array, 1, 16 * (pad + rows)), *bytes = arrow_buffer(array, 2, 64 * rows);
  int64_t *sizes = arrow_buffer(array, 3, sizeof *sizes);
  int32_t used = 0;
  for (size_t i = 0; i < rows; i++) {
    const char *cell = arrow_cell(column, first + i, text);
    int32_t parts[4] = {(int32_t)strlen(cell), 0, 0, used};
    memcpy(views + 16 * (pad + i), parts, sizeof parts);
    memcpy(views + 16 * (pad + i) + 4, cell, parts[0] <= 12 ? (size_t)parts[0] : 4);
    if (parts[0] > 12) {
      memcpy(bytes + used, cell, (size_t)parts[0]);
      used += parts[0];
    }
  }
  *sizes = used;
}

/* A dictionary of texts, another one for each chunk; entry 1 is null. */
static void arrow_codes(struct ArrowArray *array, size_t column, size_t first, size_t rows, size_t pad) {
  char text[64];
  unsigned char *codes = arrow_buffer(array, 1, pad + rows);
  struct ArrowArray *dictionary = arrow_new(ARROW_CALLOC(1, sizeof *dictionary), rows + 2, 0, 3);
  int32_t *offsets = arrow_buffer(dictionary, 1, (rows + 3) * sizeof *offsets);
  char *bytes = arrow_buffer(dictionary, 2, 64 * rows + 1), *valid = arrow_buffer(dictionary, 0, (rows + 9) / 8);
  memset(valid, 0xff, (rows + 9) / 8);
  valid[0] = (char)~2;
  for (size_t i = 0; i < rows; i++) {
    const char *cell = arrow_cell(column, first + i, text);
    memcpy(bytes + offsets[i + 2], cell, strlen(cell));
    offsets[i + 3] = offsets[i + 2] + (int32_t)strlen(cell);
    codes[pad + i] = (unsigned char)(cell[0] == '\0' ? 1 : i + 2);
  }
  array->dictionary = ((arrow_private *)array->private_data)->dictionary = dictionary;
}

static void arrow_numbers(struct ArrowArray *array, size_t column, size_t first, size_t rows, size_t pad) {
  static const size_t sizes[ARROW_COLUMNS] = {8, 1, 0, 0, 0, 0, 0, 4, 16, 8, 0, 4};
  char text[64], *to = arrow_buffer(array, 1, (pad + rows) * sizes[column]);
  for (size_t i = 0; i < rows; i++, to += 0) {
    char *at = to + (pad + i) * sizes[column];
    double number = atof(arrow_cell(column, first + i, text));
    size_t r = first + i;
    int64_t wide[2] = {0};
    int32_t narrow = (int32_t)(18262 + r % 9);
    float single = (float)number;
    signed char byte = (signed char)number;
    switch (column) {
    case 0:
      memcpy(at, &number, 8);
      break;
    case 1:
      memcpy(at, &byte, 1);
      break;
    case 7:
      memcpy(at, &narrow, 4);
      break;
    case 8:
      wide[0] = lround(number * 100);
      wide[1] = wide[0] < 0 ? -1 : 0;
      memcpy(at, wide, 16);
      break;
    case 9: /* the 1st of December is 31 days before 1970 */
      wide[0] = (((int64_t)(r % 20) - 31) * 86400 + (int64_t)(r % 24) * 3600 + 1800) * 1000 + 125;
      memcpy(at, wide, 8);
      break;
    default:
      memcpy(at, &single, 4);
    }
  }
}

/* A column of some rows; odd ones begin behind some padding. */
static struct ArrowArray *arrow_column(size_t column, size_t first, size_t rows, size_t lead) {
  static const int64_t buffers[ARROW_COLUMNS] = {2, 2, 2, 3, 3, 4, 2, 2, 2, 2, 0, 2};
  size_t pad = column % 2 * 3;
  char text[64];
  struct ArrowArray *array = arrow_new(ARROW_CALLOC(1, sizeof *array), rows + lead, pad, buffers[column]);
  if (column == 10)
    return array;
  pad += lead;
  unsigned char *valid = arrow_buffer(array, 0, (pad + rows + 7) / 8);
  for (size_t i = 0; i < rows; i++)
    if (arrow_cell(column, first + i, text)[0] != '\0')
      valid[(pad + i) / 8] |= (unsigned char)(1 << (pad + i) % 8);
  if (column == 2) {
    unsigned char *bits = arrow_buffer(array, 1, (pad + rows + 7) / 8);
    for (size_t i = 0; i < rows; i++)
      bits[(pad + i) / 8] |= (unsigned char)((first + i) % 3 == 0 ? 1 << (pad + i) % 8 : 0);
  } else if (column == 3 || column == 4) {
    arrow_texts(array, column, first, rows, pad);
  } else if (column == 5) {
    arrow_views(array, column, first, rows, pad);
  } else if (column == ARROW_KIND) {
    arrow_codes(array, column, first, rows, pad);
  } else {
    arrow_numbers(array, column, first, rows, pad);
  }
  return array;
}

/* The rows of a chunk; the last chunk has an offset of its own. */
static int arrow_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  arrow_state *state = stream->private_data;
  size_t first = 0, chunk = state->next++;
  if (state->fail_next != 0 && chunk + 1 >= (size_t)state->fail_next)
    return 5;
  if (chunk >= ARROW_CHUNKS) {
    out->release = NULL;
    return 0;
  }
  for (size_t i = 0; i < chunk; i++)
    first += arrow_chunk_rows[i];
  size_t rows = arrow_chunk_rows[chunk], lead = chunk == 2 ? 2 : 0;
  arrow_new(out, rows, lead, 1);
  arrow_private *own = out->private_data;
  for (size_t c = 0; c < ARROW_COLUMNS; c++)
    own->children[c] = own->shown[c] = arrow_column(c, first, rows, lead);
  out->n_children = ARROW_COLUMNS;
  out->children = own->shown;
  out->release = arrow_release_rows;
  state->made_arrays++;
  if (state->spoil_array != NULL && chunk == 0)
    state->spoil_array(out, state->how);
  return 0;
}

typedef struct arrow_schemas {
  struct ArrowSchema list[ARROW_COLUMNS], *children[ARROW_COLUMNS], dictionary;
  char names[ARROW_COLUMNS][8];
} arrow_schemas;

static void arrow_release_child(struct ArrowSchema *schema) {
  schema->release = NULL;
}

static void arrow_release_schema(struct ArrowSchema *schema) {
  arrow_of->released_schemas++;
  free(schema->private_data);
  schema->release = NULL;
}

static int arrow_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  arrow_state *state = stream->private_data;
  if (state->fail_schema)
    return 5;
  arrow_schemas *all = ARROW_CALLOC(1, sizeof *all);
  for (size_t c = 0; c < ARROW_COLUMNS; c++) {
    sprintf(all->names[c], c % 5 == 4 ? " c%zu\t" : "c%zu", c); /* blanks around names do not count */
    all->list[c] =
        (struct ArrowSchema){.format = arrow_formats[c], .name = all->names[c], .release = arrow_release_child};
    all->children[c] = &all->list[c];
  }
  all->dictionary = (struct ArrowSchema){.format = "u", .name = "", .release = arrow_release_child};
  all->list[ARROW_KIND].dictionary = &all->dictionary;
  *out = (struct ArrowSchema){.format = "+s",
                              .name = "",
                              .n_children = ARROW_COLUMNS,
                              .children = all->children,
                              .release = arrow_release_schema,
                              .private_data = all};
  state->made_schemas++;
  if (state->spoil_schema != NULL)
    state->spoil_schema(out, state->how);
  return 0;
}

static const char *arrow_error(struct ArrowArrayStream *stream) {
  (void)stream;
  return "the producer has stumbled";
}

static void arrow_release_stream(struct ArrowArrayStream *stream) {
  arrow_of->released_streams++;
  stream->release = NULL;
}

static struct ArrowArrayStream arrow_stream(arrow_state *state) {
  arrow_of = state;
  return (struct ArrowArrayStream){.get_schema = arrow_schema,
                                   .get_next = arrow_next,
                                   .get_last_error = arrow_error,
                                   .release = arrow_release_stream,
                                   .private_data = state};
}

/* The same rows as a text file. */
static inline void arrow_csv(char *text) {
  char cell[64];
  for (size_t c = 0; c < ARROW_COLUMNS; c++)
    text += sprintf(text, "%sc%zu", c > 0 ? "," : "", c);
  for (size_t r = 0; r < ARROW_ROWS; r++)
    for (size_t c = 0; c < ARROW_COLUMNS; c++)
      text += sprintf(text, "%s%s", c > 0 ? "," : "\n", arrow_cell(c, r, cell));
  sprintf(text, "\n");
}

#endif
