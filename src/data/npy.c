/* Arrays of NumPy, .npy: a header that is a Python dictionary, then the elements as they lie in memory. */
#include <math.h>
#include <string.h>

#include "data/source.h"

#define ENT_HEADER_MOST (1u << 20)

typedef struct ent_npy {
  size_t rows, columns;
  size_t row;            /* the next one */
  size_t skip;           /* bytes before the first element */
  char kind;             /* b, i, u, f */
  size_t size;           /* of an element */
  bool swap;             /* its bytes stand in the other order than here */
  bool fortran;          /* column after column: all of it is taken to memory */
  double *columns_first; /* column after column */
  size_t capacity;
} ent_npy;

static void free_npy(void *state) {
  ent_npy *npy = state;
  if (npy == NULL)
    return;
  ent_delete(npy->columns_first);
  ent_delete(npy);
}

static entropic_status fail_header(entropic_context *context, const ent_source *source, const char *found,
                                   size_t length, const char *expected) {
  char shown[ENT_SHOW_SIZE];
  return ent_fail(context, ENTROPIC_BAD_DATA, "%s, header: found '%s', expected %s", source->bytes->name,
                  ent_show(found, length, shown), expected);
}

static const char *skip_blanks(const char *p, const char *end) {
  while (p < end && (*p == ' ' || *p == '\n' || *p == '\t'))
    p++;
  return p;
}

/* Where the value of 'key' starts; NULL if there is no such key. */
static const char *find_value(const char *p, const char *end, const char *key) {
  size_t length = strlen(key);
  for (; p + length + 2 < end; p++) {
    if ((*p == '\'' || *p == '"') && memcmp(p + 1, key, length) == 0 && p[length + 1] == *p) {
      p = skip_blanks(p + length + 2, end);
      return p < end && *p == ':' ? skip_blanks(p + 1, end) : NULL;
    }
  }
  return NULL;
}

/* What is wrong with an element type; NULL if nothing is. */
static const char *refusal(char kind, size_t size) {
  switch (kind) {
  case 'f':
    return size == 4 || size == 8 ? NULL : "floats of 4 or 8 bytes";
  case 'i':
  case 'u':
    return size == 1 || size == 2 || size == 4 || size == 8 ? NULL : "integers of 1, 2, 4 or 8 bytes";
  case 'b':
    return size == 1 ? NULL : "booleans of 1 byte";
  case 'O':
    return "numbers (objects are pickled Python, which can run any code and is not read)";
  case 'c':
    return "real numbers, not complex ones";
  case 'S':
  case 'U':
  case 'a':
    return "numbers, not texts";
  case 'M':
  case 'm':
    return "numbers, not times";
  default:
    return "floats, integers or booleans";
  }
}

static entropic_status read_type(entropic_context *context, const ent_source *source, const char *p, const char *end,
                                 ent_npy *npy) {
  if (p == NULL)
    return fail_header(context, source, "", 0, "a type ('descr')");
  if (*p == '[') {
    const char *close = memchr(p, ']', (size_t)(end - p));
    return fail_header(context, source, p, (size_t)((close == NULL ? end : close + 1) - p),
                       "one number type (arrays of records with named fields are not read)");
  }
  const char *close = *p == '\'' || *p == '"' ? memchr(p + 1, *p, (size_t)(end - p - 1)) : NULL;
  if (close == NULL || close - p < 3)
    return fail_header(context, source, p, (size_t)(end - p), "a type such as '<f8'");
  const char *type = p + 1;
  bool marked = *type == '<' || *type == '>' || *type == '|' || *type == '=';
  const char *q = type + marked;
  npy->kind = *q++;
  npy->size = 0;
  for (; q < close && *q >= '0' && *q <= '9' && npy->size < 1000; q++)
    npy->size = npy->size * 10 + (size_t)(*q - '0');
  if (npy->kind == '?') { /* an older spelling */
    npy->kind = 'b';
    npy->size = 1;
  }
  const char *wrong = refusal(npy->kind, npy->size);
  if (wrong == NULL && q != close)
    wrong = "a type such as '<f8'";
  if (wrong != NULL)
    return fail_header(context, source, type, (size_t)(close - type), wrong);
  bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
  npy->swap = npy->size > 1 && (*type == '>' ? !big : *type == '<' ? big : false);
  return ENTROPIC_OK;
}

static entropic_status read_shape(entropic_context *context, const ent_source *source, const char *p, const char *end,
                                  ent_npy *npy) {
  const char *close = p == NULL || *p != '(' ? NULL : memchr(p, ')', (size_t)(end - p));
  if (close == NULL)
    return fail_header(context, source, p == NULL ? "" : p, p == NULL ? 0 : (size_t)(end - p),
                       "a shape such as (3, 4)");
  size_t sizes[2] = {1, 1}, count = 0;
  const char *q = skip_blanks(p + 1, close);
  while (q < close) {
    uint64_t size = 0;
    const char *first = q;
    for (; q < close && *q >= '0' && *q <= '9' && size < UINT64_C(1) << 56; q++)
      size = size * 10 + (uint64_t)(*q - '0');
    if (q == first || size >= UINT64_C(1) << 56)
      return fail_header(context, source, p, (size_t)(close + 1 - p), "a shape such as (3, 4)");
    q += q < close && *q == 'L'; /* Python 2 */
    if (count < 2)
      sizes[count] = (size_t)size;
    count++;
    q = skip_blanks(q, close);
    if (q < close && *q++ != ',')
      return fail_header(context, source, p, (size_t)(close + 1 - p), "a shape such as (3, 4)");
    q = skip_blanks(q, close);
  }
  if (count < 1 || count > 2)
    return fail_header(context, source, p, (size_t)(close + 1 - p), "a shape of one or two dimensions");
  if (sizes[0] == 0 || sizes[1] == 0)
    return fail_header(context, source, p, (size_t)(close + 1 - p), "rows and columns");
  if (sizes[1] > ENT_COLUMNS_MOST)
    return fail_header(context, source, p, (size_t)(close + 1 - p), "at most 1000000 columns");
  npy->rows = sizes[0];
  npy->columns = sizes[1];
  return ENTROPIC_OK;
}

static entropic_status read_dictionary(entropic_context *context, ent_source *source, const char *p, size_t length,
                                       ent_npy *npy) {
  const char *end = p + length;
  const char *order = find_value(p, end, "fortran_order");
  entropic_status status = read_type(context, source, find_value(p, end, "descr"), end, npy);
  if (status != ENTROPIC_OK)
    return status;
  status = read_shape(context, source, find_value(p, end, "shape"), end, npy);
  if (status != ENTROPIC_OK)
    return status;
  bool yes = order != NULL && end - order >= 4 && memcmp(order, "True", 4) == 0;
  if (!yes && (order == NULL || end - order < 5 || memcmp(order, "False", 5) != 0))
    return fail_header(context, source, order == NULL ? "" : order, order == NULL ? 0 : (size_t)(end - order),
                       "True or False ('fortran_order')");
  npy->fortran = yes && npy->columns > 1;
  return ENTROPIC_OK;
}

static entropic_status fail_short(entropic_context *context, const ent_source *source) {
  return ent_fail(context, ENTROPIC_BAD_DATA, "%s: the .npy data end too early; the file is truncated",
                  source->bytes->name);
}

/* Reads on until so many bytes are at hand. */
static entropic_status need(entropic_context *context, const ent_source *source, size_t count) {
  bool there;
  entropic_status status = ent_bytes_need(context, source->bytes, count, &there);
  if (status != ENTROPIC_OK)
    return status;
  return there ? ENTROPIC_OK : fail_short(context, source);
}

/* Magic, version, length, dictionary. */
static entropic_status read_header(entropic_context *context, ent_source *source, ent_npy *npy) {
  ent_bytes *bytes = source->bytes;
  entropic_status status = need(context, source, 12);
  if (status != ENTROPIC_OK)
    return status;
  const unsigned char *start = (const unsigned char *)bytes->data;
  if (memcmp(start, "\x93NUMPY", 6) != 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s is not a .npy file", bytes->name);
  if (start[6] < 1 || start[6] > 3)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: found .npy version %d.%d, expected 1, 2 or 3", bytes->name,
                    start[6], start[7]);
  bool wide = start[6] > 1;
  size_t prefix = wide ? 12 : 10, length = (size_t)start[8] | (size_t)start[9] << 8;
  if (wide)
    length |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
  if (length > ENT_HEADER_MOST)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: the .npy header has %zu bytes, expected at most %u", bytes->name,
                    length, ENT_HEADER_MOST);
  status = need(context, source, prefix + length);
  if (status != ENTROPIC_OK)
    return status;
  npy->skip = prefix + length;
  return read_dictionary(context, source, bytes->data + prefix, length, npy);
}

/* Bytes of one integer or float, the least significant first. */
static uint64_t load(const unsigned char *p, size_t size, bool big) {
  uint64_t bits = 0;
  for (size_t i = 0; i < size; i++)
    bits |= (uint64_t)p[i] << 8 * (big ? size - 1 - i : i);
  return bits;
}

static double element(const ent_npy *npy, const unsigned char *p) {
  bool big = npy->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  uint64_t bits = load(p, npy->size, big);
  if (npy->kind == 'b')
    return bits != 0;
  if (npy->kind == 'u')
    return (double)bits;
  if (npy->kind == 'i') {
    uint64_t sign = UINT64_C(0x80) << ((8 * npy->size - 8) & 63);
    return (double)(int64_t)((bits ^ sign) - sign);
  }
  double value;
  if (npy->size == 4) {
    uint32_t half = (uint32_t)bits;
    float single;
    memcpy(&single, &half, sizeof single);
    value = single;
  } else {
    memcpy(&value, &bits, sizeof value);
  }
  return isnan(value) ? NAN : value;
}

/* All elements of an array in Fortran's order. */
static entropic_status load_columns(entropic_context *context, ent_source *source, ent_npy *npy) {
  ent_bytes *bytes = source->bytes;
  size_t count, used = 0;
  if (!ent_multiply(npy->rows, npy->columns, &count))
    return fail_short(context, source);
  do { /* a shape has no zeros */
    entropic_status status = need(context, source, npy->size);
    if (status != ENTROPIC_OK)
      return status;
    size_t part = (bytes->end - bytes->at) / npy->size;
    part = part > count - used ? count - used : part;
    if (!ent_reserve(context, &npy->columns_first, &npy->capacity, used + part, sizeof *npy->columns_first))
      return ENTROPIC_NO_MEMORY;
    for (size_t i = 0; i < part; i++)
      npy->columns_first[used + i] = element(npy, (const unsigned char *)bytes->data + bytes->at + i * npy->size);
    used += part;
    bytes->at += part * npy->size;
  } while (used < count);
  return ENTROPIC_OK;
}

static entropic_status check_end(entropic_context *context, ent_source *source) {
  bool there;
  entropic_status status = ent_bytes_need(context, source->bytes, 1, &there);
  if (status != ENTROPIC_OK || !there)
    return status;
  return ent_fail(context, ENTROPIC_BAD_DATA, "%s: there are bytes after the array, expected the end of the file",
                  source->bytes->name);
}

static entropic_status read_npy(entropic_context *context, ent_source *source, double *values, size_t capacity,
                                size_t *rows) {
  ent_npy *npy = source->state;
  ent_bytes *bytes = source->bytes;
  size_t columns = npy->columns, width = columns * npy->size;
  *rows = 0;
  if (npy->row == npy->rows)
    return check_end(context, source);
  if (npy->fortran && npy->columns_first == NULL) {
    entropic_status status = load_columns(context, source, npy);
    if (status != ENTROPIC_OK || npy->columns_first == NULL)
      return status;
  }
  for (; *rows < capacity && npy->row < npy->rows; ++*rows, npy->row++) {
    if (!npy->fortran) {
      entropic_status status = need(context, source, width);
      if (status != ENTROPIC_OK)
        return status;
    }
    const unsigned char *p = (const unsigned char *)bytes->data + bytes->at;
    for (size_t i = 0; i < columns; i++) {
      double number = npy->fortran ? npy->columns_first[i * npy->rows + npy->row] : element(npy, p + i * npy->size);
      entropic_status status =
          ent_columns_number(context, &source->columns, i, npy->row + 1, number, &values[*rows * columns + i]);
      if (status != ENTROPIC_OK)
        return status;
    }
    bytes->at += npy->fortran ? 0 : width;
  }
  return ENTROPIC_OK;
}

/* Past the header. */
static entropic_status begin_npy(entropic_context *context, ent_source *source) {
  ent_npy *npy = source->state;
  entropic_status status = need(context, source, npy->skip);
  if (status != ENTROPIC_OK)
    return status;
  source->bytes->at += npy->skip;
  npy->row = 0;
  ent_delete(npy->columns_first);
  npy->columns_first = NULL;
  npy->capacity = 0;
  return ENTROPIC_OK;
}

static entropic_status open_npy(entropic_context *context, ent_source *source, const ent_read_options *options) {
  (void)options;
  ent_npy *npy = source->state = ent_new(context, 1, sizeof *npy);
  if (npy == NULL)
    return ENTROPIC_NO_MEMORY;
  source->columns.place = "row";
  if (source->bytes->line_map != NULL)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "%s are .npy files, expected one of them: several files are one table "
                    "only where they are text or Parquet",
                    source->bytes->name);
  entropic_status status = read_header(context, source, npy);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_columns_create(context, &source->columns, npy->columns);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < npy->columns; i++) {
    status = ent_columns_name(context, &source->columns, i, "", 0);
    if (status != ENTROPIC_OK)
      return status;
  }
  return begin_npy(context, source);
}

const ent_reader ent_npy_reader = {open_npy, begin_npy, read_npy, free_npy};
