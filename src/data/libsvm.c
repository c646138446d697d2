/* LIBSVM text: a label, then index:value for what is not zero, one row a line. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/scan.h"
#include "data/source.h"

typedef struct ent_libsvm {
  size_t inputs; /* as given or found */
  bool from_zero, any_order;
  const ent_power *powers;
} ent_libsvm;

typedef struct ent_token {
  const char *text;
  size_t length;
} ent_token;

/* The next word of the line; false at its end, which may be a comment. */
static bool next_token(const char **p, ent_token *token) {
  const char *q = *p;
  while (*q == ' ' || *q == '\t' || *q == '\r')
    q++;
  token->text = q;
  if (*q == '#')
    return false;
  while (*q != ' ' && *q != '\t' && *q != '\r' && *q != '\n')
    q++;
  token->length = (size_t)(q - token->text);
  *p = q;
  return token->length > 0;
}

/* Cuts "index:value"; false if it is not of that form. */
static bool cut_pair(const ent_token *token, uint64_t *index, ent_token *value) {
  size_t digits = 0;
  *index = 0;
  while (digits < token->length && digits < 10 && token->text[digits] >= '0' && token->text[digits] <= '9')
    *index = *index * 10 + (uint64_t)(token->text[digits++] - '0');
  if (digits == 0 || digits == token->length || token->text[digits] != ':')
    return false;
  *value = (ent_token){token->text + digits + 1, token->length - digits - 1};
  return true;
}

/* Does the name end with .libsvm, perhaps with .gz or .zst behind it? */
static bool is_named_so(const char *name) {
  size_t length = strlen(name);
  if (length > 3 && strcmp(name + length - 3, ".gz") == 0)
    length -= 3;
  else if (length > 4 && strcmp(name + length - 4, ".zst") == 0)
    length -= 4;
  return length > 7 && memcmp(name + length - 7, ".libsvm", 7) == 0;
}

bool ent_looks_like_libsvm(const ent_bytes *bytes) {
  const char *p = bytes->data, *limit = bytes->data + bytes->end;
  if (is_named_so(bytes->path == NULL ? bytes->name : bytes->path))
    return true;
  while (p < limit) {
    const char *line_end = memchr(p, '\n', (size_t)(limit - p)), *q = p;
    p = line_end == NULL ? limit : line_end + 1;
    ent_token token, value;
    uint64_t index;
    double label;
    if (!next_token(&q, &token))
      continue;
    if (entropic_parse_double(token.text, token.length, &label) != ENTROPIC_OK)
      return false;
    /* The first line with more than a label shows it; one cut off by the end of the buffer does as well. */
    if (next_token(&q, &token))
      return cut_pair(&token, &index, &value) || (token.length > 4 && memcmp(token.text, "qid:", 4) == 0);
  }
  return false;
}

/* An entry of a line, for messages. */
typedef struct ent_entry {
  size_t number; /* from 1 */
  ent_token token;
} ent_entry;

static entropic_status fail_entry(entropic_context *context, const ent_source *source, const ent_entry *entry,
                                  const char *expected) {
  char shown[ENT_SHOW_SIZE];
  ent_file_place place = ent_line_map_find(source->bytes->line_map, source->bytes->name, source->bytes->line);
  return ent_fail(context, ENTROPIC_BAD_DATA, "%s, line %zu, entry %zu: found '%s', expected %s", place.file,
                  place.line, entry->number, ent_show(entry->token.text, entry->token.length, shown), expected);
}

/* The number in an entry: the label, or what stands behind the colon. */
static entropic_status read_number(entropic_context *context, const ent_source *source, const ent_entry *entry,
                                   const ent_token *number, const char *expected, double *value) {
  const ent_libsvm *state = source->state;
  const char *end = number->text + number->length;
  bool marks = source->columns.number_marks > 0 && !source->columns.numbers_only;
  if (ent_scan_double(number->text, '.', state->powers, value) == end) {
    if (marks && ent_columns_is_marked_number(&source->columns, *value))
      *value = NAN;
    return ENTROPIC_OK;
  }
  entropic_status status = entropic_parse_double(number->text, number->length, value);
  if (status == ENTROPIC_TOO_LARGE || (status == ENTROPIC_OK && isinf(*value)))
    return fail_entry(context, source, entry, "a finite number");
  if (status == ENTROPIC_NO_MEMORY)
    return ent_fail(context, status, "out of memory while reading '%s'", source->bytes->name);
  if (status == ENTROPIC_OK && !isnan(*value)) {
    if (marks && ent_columns_is_marked_number(&source->columns, *value))
      *value = NAN;
    return ENTROPIC_OK;
  }
  *value = NAN;
  if (source->columns.numbers_only || !ent_columns_is_missing(&source->columns, number->text, number->length, '.') ||
      number->length == 0)
    return fail_entry(context, source, entry, expected);
  return ENTROPIC_OK;
}

/* Where a line is read to. */
typedef struct ent_libsvm_row {
  double *values;   /* [1 + inputs], or NULL: the line is only looked at */
  int64_t last;     /* the index of the entry before, -1 at first */
  uint64_t largest; /* of the indices of all lines */
} ent_libsvm_row;

/* One of the entries of a line after its label. */
static entropic_status read_entry(entropic_context *context, ent_source *source, const ent_entry *entry,
                                  ent_libsvm_row *row) {
  const ent_libsvm *state = source->state;
  uint64_t index;
  ent_token number;
  double value = 0;
  if (!cut_pair(&entry->token, &index, &number))
    return fail_entry(context, source, entry, "index:value");
  if (index == 0 && !state->from_zero)
    return fail_entry(context, source, entry, "an index of 1 or more (indices from zero are an option)");
  if ((int64_t)index <= row->last && !state->any_order)
    return fail_entry(context, source, entry,
                      (int64_t)index == row->last ? "an index that does not appear twice"
                                                  : "indices in ascending order (any order is an option)");
  row->last = (int64_t)index;
  index += state->from_zero ? 1 : 0;
  if (source->fitted && index > state->inputs)
    return ENTROPIC_OK;
  if (index > ENT_COLUMNS_MOST || (state->inputs > 0 && index > state->inputs)) {
    char expected[80];
    snprintf(expected, sizeof expected, "an index of at most %zu",
             (state->inputs > 0 ? state->inputs : ENT_COLUMNS_MOST) - (state->from_zero ? 1 : 0));
    return fail_entry(context, source, entry, expected);
  }
  row->largest = index > row->largest ? index : row->largest;
  if (source->fitted && row->values != NULL && source->columns.list[index].mode == ENT_MODE_SKIP)
    return ENTROPIC_OK; /* nobody asks what stands there */
  entropic_status status = read_number(context, source, entry, &number, "a number after the colon", &value);
  if (status != ENTROPIC_OK || row->values == NULL)
    return status;
  return ent_columns_number(context, &source->columns, (size_t)index, source->bytes->line, value, &row->values[index]);
}

/* Begins a row: the label, and zeros. */
static entropic_status begin_row(entropic_context *context, ent_source *source, double label, double *values) {
  ent_columns *columns = &source->columns;
  for (size_t i = 1; i < columns->count; i++) {
    values[i] = 0;
    if (columns->list[i].mode == ENT_MODE_NUMBER)
      continue;
    entropic_status status = ent_columns_number(context, columns, i, source->bytes->line, 0, &values[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ent_columns_number(context, columns, 0, source->bytes->line, label, &values[0]);
}

/* Reads the line at p; *blank if there is nothing on it. */
static entropic_status read_line(entropic_context *context, ent_source *source, const char *p, ent_libsvm_row *row,
                                 bool *blank) {
  ent_entry entry = {.number = 1};
  *blank = !next_token(&p, &entry.token);
  if (*blank)
    return ENTROPIC_OK;
  double label = 0;
  entropic_status status = read_number(context, source, &entry, &entry.token, "a label that is one number", &label);
  if (status != ENTROPIC_OK)
    return status;
  if (row->values != NULL) {
    status = begin_row(context, source, label, row->values);
    if (status != ENTROPIC_OK)
      return status;
  }
  row->last = -1;
  for (entry.number = 2; next_token(&p, &entry.token); entry.number++) {
    status = read_entry(context, source, &entry, row);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Reads up to capacity rows; with values NULL all of them, only to look. */
static entropic_status read_rows(entropic_context *context, ent_source *source, double *values, size_t capacity,
                                 size_t *rows, uint64_t *largest) {
  ent_bytes *bytes = source->bytes;
  ent_libsvm_row row = {.largest = *largest};
  *rows = 0;
  while (*rows < capacity) {
    const char *p = bytes->data + bytes->at;
    size_t left = bytes->end - bytes->at;
    const char *line_end = left == 0 ? NULL : memchr(p, '\n', left);
    if (line_end == NULL && !bytes->ended) {
      bool more;
      entropic_status status = ent_bytes_more(context, bytes, &more);
      if (status != ENTROPIC_OK)
        return status;
      continue;
    }
    if (left == 0)
      break;
    bool blank;
    row.values = values == NULL ? NULL : values + *rows * source->columns.count;
    entropic_status status = read_line(context, source, p, &row, &blank);
    if (status != ENTROPIC_OK)
      return status;
    *largest = row.largest;
    *rows += !blank;
    bytes->at = line_end == NULL ? bytes->end : (size_t)(line_end - bytes->data) + 1;
    bytes->line++;
  }
  return ENTROPIC_OK;
}

static entropic_status read_libsvm(entropic_context *context, ent_source *source, double *values, size_t capacity,
                                   size_t *rows) {
  uint64_t largest = 0;
  return read_rows(context, source, values, capacity, rows, &largest);
}

static entropic_status begin_libsvm(entropic_context *context, ent_source *source) {
  (void)context;
  if (source->bytes->end >= 3 && memcmp(source->bytes->data, "\xef\xbb\xbf", 3) == 0)
    source->bytes->at = 3;
  return ENTROPIC_OK;
}

/* The largest index, by looking at all rows. */
static entropic_status find_inputs(entropic_context *context, ent_source *source, ent_libsvm *state) {
  uint64_t largest = 0;
  size_t rows;
  entropic_status status = read_rows(context, source, NULL, SIZE_MAX, &rows, &largest);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_bytes_rewind(context, source->bytes);
  if (status != ENTROPIC_OK)
    return status;
  state->inputs = (size_t)largest;
  return begin_libsvm(context, source);
}

static entropic_status open_libsvm(entropic_context *context, ent_source *source, const ent_read_options *options) {
  ent_libsvm *state = source->state = ent_new(context, 1, sizeof *state);
  if (state == NULL)
    return ENTROPIC_NO_MEMORY;
  if (options->libsvm_inputs > ENT_COLUMNS_MOST && source->fitted)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "%s is LIBSVM text, whose inputs are taken by number, and the model has an input x%zu, expected "
                    "x%d at most",
                    source->bytes->name, options->libsvm_inputs, ENT_COLUMNS_MOST);
  if (options->libsvm_inputs > ENT_COLUMNS_MOST)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "libsvm_inputs is %zu, expected at most %d", options->libsvm_inputs,
                    ENT_COLUMNS_MOST);
  *state = (ent_libsvm){options->libsvm_inputs, options->libsvm_from_zero != 0, options->libsvm_any_order != 0,
                        ent_powers_of_ten()};
  begin_libsvm(context, source);
  ent_bytes_join(source->bytes, &(ent_entry_check){NULL, NULL});
  entropic_status status = state->inputs == 0 ? find_inputs(context, source, state) : ENTROPIC_OK;
  if (status != ENTROPIC_OK)
    return status;
  status = ent_columns_create(context, &source->columns, state->inputs + 1);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i <= state->inputs; i++) {
    char name[ENTROPIC_NUMBER_SIZE + 1] = "label";
    if (i > 0) {
      name[0] = 'x';
      entropic_format_double((double)i, name + 1);
    }
    status = ent_columns_name(context, &source->columns, i, name, strlen(name));
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

const ent_reader ent_libsvm_reader = {open_libsvm, begin_libsvm, read_libsvm, ent_delete};
