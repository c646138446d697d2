/* Lines of fields: CSV and its relatives. Cells that are plain numbers, nearly all of most tables, are read in one go
 * from the buffer; any other takes the longer way through ent_field_cut and ent_columns_cell. */
#include <math.h>
#include <string.h>

#include "base/scan.h"
#include "data/dialect.h"
#include "data/header.h"
#include "data/source.h"

/* Enough to know the dialect by. */
#define ENT_SAMPLE_BYTES 65536

typedef struct ent_delimited {
  ent_dialect dialect;
  size_t void_rows; /* rows of delimiters alone that have been passed: rows if others follow, otherwise nothing */
  size_t void_line; /* the line of the first of them */
  size_t lines;     /* line feeds within the fields of this record */
  bool named;       /* columns have their names */
  size_t header;    /* the line of the header */
  bool twins;       /* it names columns the same */
  unsigned char *modes;
  const ent_power *powers;
  char *scratch; /* for fields with doubled quotes */
  size_t scratch_capacity;
} ent_delimited;

typedef enum ent_row { ENT_ROW_READ, ENT_ROW_MORE, ENT_ROW_FAILED } ent_row;

static void free_delimited(void *state) {
  ent_delimited *text = state;
  if (text == NULL)
    return;
  ent_delete(text->modes);
  ent_delete(text->scratch);
  ent_delete(text);
}

/* Makes one quote of each doubled one. */
static entropic_status undouble(entropic_context *context, ent_delimited *text, ent_field *field) {
  char *to = ent_grow(context, text->scratch, &text->scratch_capacity, field->length + 1, 1);
  if (to == NULL)
    return ENTROPIC_NO_MEMORY;
  text->scratch = to;
  size_t used = 0;
  for (size_t i = 0; i < field->length; i++) {
    to[used++] = field->text[i];
    i += field->text[i] == text->dialect.quote;
  }
  field->text = to;
  field->length = used;
  return ENTROPIC_OK;
}

static entropic_status fail_field(entropic_context *context, const entropic_source *source, size_t column,
                                  const char *what) {
  const ent_delimited *text = source->state;
  return ent_fail(context, ENTROPIC_BAD_DATA, "%s, line %zu, column %zu: %s", source->bytes->name,
                  source->bytes->line + text->lines, column + 1, what);
}

/* Where the field after this one starts; NULL if the record ends, with its line feed in *feed. */
static const char *next_field(const ent_dialect *dialect, const char *end, const char **reader) {
  if (*end != '\n') {
    const char *p = end + 1;
    if (!dialect->blank)
      return p;
    p = ent_skip_blanks(dialect, p, false);
    if (*p != '\n' && !(p[0] == '\r' && p[1] == '\n'))
      return p;
    end = p + (*p == '\r');
  }
  *reader = end;
  return NULL;
}

/* A row with too many fields, of which the first starts at p. */
static entropic_status fail_wide(entropic_context *context, entropic_source *source, const char *p) {
  const ent_delimited *text = source->state;
  const char *limit = source->bytes->data + source->bytes->end, *reader;
  size_t fields = source->columns.count;
  char shown[ENT_SHOW_SIZE] = "";
  while (p != NULL) {
    ent_field field;
    if (ent_field_cut(&text->dialect, p, limit, true, &field) != ENT_FIELD_CUT)
      break;
    if (fields++ == source->columns.count)
      ent_show(field.text, field.length, shown);
    p = next_field(&text->dialect, field.end, &reader);
  }
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "%s, line %zu: found %zu fields, expected %zu; column %zu ('%s') is too many", source->bytes->name,
                  source->bytes->line, fields, source->columns.count, source->columns.count + 1, shown);
}

static entropic_status fail_narrow(entropic_context *context, entropic_source *source, size_t fields) {
  char shown[ENT_SHOW_SIZE];
  const char *name = source->columns.list[fields].name;
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "%s, line %zu: found %zu field%s, expected %zu; column %zu (%s) is the first one missing",
                  source->bytes->name, source->bytes->line, fields, fields == 1 ? "" : "s", source->columns.count,
                  fields + 1, ent_show(name, strlen(name), shown));
}

/* Goes from the field after the last column, which starts at p, to the line feed: only so many empty ones as the
 * dialect knows may stand there. */
static ent_row end_row(entropic_context *context, entropic_source *source, const char *p, const char **reader,
                       entropic_status *status) {
  const ent_delimited *text = source->state;
  const ent_bytes *bytes = source->bytes;
  const char *q = p;
  size_t extra = 1;
  for (; *q == ' ' || *q == '\t' || *q == text->dialect.delimiter; q++)
    extra += *q == text->dialect.delimiter;
  q += q[0] == '\r' && q[1] == '\n';
  if (*q == '\n' && q >= bytes->data + bytes->end && !bytes->ended)
    return ENT_ROW_MORE;
  if (*q == '\n' && extra <= text->dialect.trailing) {
    *reader = q;
    return ENT_ROW_READ;
  }
  /* The message counts all fields of the line, so all of it has to be here. */
  if (memchr(q, '\n', (size_t)(bytes->data + bytes->end - q)) == NULL && !bytes->ended)
    return ENT_ROW_MORE;
  *status = fail_wide(context, source, p);
  return ENT_ROW_FAILED;
}

/* The long way for the cell of a column at *p; leaves *p at the next field, or NULL and *feed at the end of the row. */
static ent_row read_cell(entropic_context *context, entropic_source *source, size_t column, const char **p,
                         const char **reader, double *value, entropic_status *status) {
  ent_delimited *text = source->state;
  ent_bytes *bytes = source->bytes;
  ent_field field;
  const char *limit = bytes->data + bytes->end;
  ent_cut cut = ent_field_cut(&text->dialect, *p, limit, bytes->ended, &field);
  if (cut == ENT_FIELD_MORE)
    return ENT_ROW_MORE;
  if (cut == ENT_FIELD_FAULT) {
    *status = fail_field(context, source, column, field.fault);
    return ENT_ROW_FAILED;
  }
  *p = next_field(&text->dialect, field.end, reader);
  if (*p == NULL && *reader >= limit && !bytes->ended)
    return ENT_ROW_MORE;
  if (field.doubled)
    *status = undouble(context, text, &field);
  *value = NAN;
  if (*status == ENTROPIC_OK && text->modes[column] != ENT_MODE_SKIP)
    *status = ent_columns_cell(context, &source->columns, column, bytes->line + text->lines, field.text, field.length,
                               text->dialect.point, value);
  text->lines += field.lines;
  return *status == ENTROPIC_OK ? ENT_ROW_READ : ENT_ROW_FAILED;
}

/* Reads the row at p; *feed is its line feed. */
static ent_row read_row(entropic_context *context, entropic_source *source, const char *p, double *row,
                        const char **reader, entropic_status *status) {
  ent_delimited *text = source->state;
  const size_t count = source->columns.count;
  const char delimiter = text->dialect.delimiter, point = text->dialect.point;
  const bool blank = text->dialect.blank, plain = !source->columns.number_marks;
  const ent_power *powers = text->powers;
  const unsigned char *modes = text->modes;
  text->lines = 0;
  for (size_t column = 0; column < count; column++) {
    if (blank)
      p = ent_skip_blanks(&text->dialect, p, false);
    if (modes[column] == ENT_MODE_NUMBER && plain) {
      const char *end = ent_scan_double(p, point, powers, &row[column]);
      if (end != NULL && column + 1 < count && (*end == delimiter || (blank && *end == '\t'))) {
        p = end + 1;
        continue;
      }
      if (end != NULL && column + 1 == count && *end == '\n' && end < source->bytes->data + source->bytes->end) {
        *reader = end;
        return ENT_ROW_READ;
      }
    }
    const char *next = p;
    ent_row result = read_cell(context, source, column, &next, reader, &row[column], status);
    if (result != ENT_ROW_READ)
      return result;
    if (next == NULL && column + 1 < count) {
      *status = fail_narrow(context, source, column + 1);
      return ENT_ROW_FAILED;
    }
    p = next;
  }
  return p == NULL ? ENT_ROW_READ : end_row(context, source, p, reader, status);
}

/* What kind of line is this? */
typedef enum ent_line { ENT_LINE_ROW, ENT_LINE_SKIP, ENT_LINE_VOID, ENT_LINE_MORE } ent_line;

static ent_line classify(const ent_delimited *text, const ent_bytes *bytes, const char *p, const char **reader) {
  const ent_dialect *dialect = &text->dialect;
  /* Most lines show at their first byte that they are rows. */
  if ((unsigned char)*p > ' ' && *p != dialect->delimiter && *p != dialect->comment)
    return ENT_LINE_ROW;
  const char *limit = bytes->data + bytes->end, *q = ent_skip_blanks(dialect, p, true);
  bool comment = dialect->comment != 0 && *p == dialect->comment;
  if (comment) {
    q = memchr(p, '\n', (size_t)(limit - p));
    q = q == NULL ? limit : q;
  } else {
    q += q[0] == '\r' && (q[1] == '\n' || q + 1 == limit);
  }
  if (*q != '\n')
    return ENT_LINE_ROW;
  if (q >= limit && !bytes->ended)
    return ENT_LINE_MORE;
  *reader = q;
  return comment || ent_line_is_void(dialect, p) ? ENT_LINE_SKIP : ENT_LINE_VOID;
}

static void pass_line(ent_bytes *bytes, const char *reader, size_t lines) {
  bytes->at = (size_t)(reader - bytes->data) + 1;
  bytes->at = bytes->at > bytes->end ? bytes->end : bytes->at; /* at the end of the file the line feed is ours */
  bytes->line += 1 + lines;
}

/* Rows without a value, which stand before one that has some. */
static entropic_status add_void_row(entropic_context *context, entropic_source *source, double *row) {
  ent_delimited *text = source->state;
  if (source->columns.numbers_only)
    return ent_columns_fail(context, &source->columns, 0, text->void_line, "", 0, "a number");
  for (size_t i = 0; i < source->columns.count; i++)
    row[i] = NAN;
  text->void_rows--;
  return ENTROPIC_OK;
}

static entropic_status read_delimited(entropic_context *context, entropic_source *source, double *values,
                                      size_t capacity, size_t *rows) {
  ent_delimited *text = source->state;
  ent_bytes *bytes = source->bytes;
  const size_t count = source->columns.count;
  for (size_t i = 0; i < count; i++)
    text->modes[i] = (unsigned char)source->columns.list[i].mode;
  entropic_status status = ENTROPIC_OK;
  for (*rows = 0; *rows < capacity && status == ENTROPIC_OK;) {
    const char *p = bytes->data + bytes->at, *reader = p;
    ent_line line = bytes->at < bytes->end ? classify(text, bytes, p, &reader) : ENT_LINE_MORE;
    ent_row row = ENT_ROW_MORE;
    if (line == ENT_LINE_SKIP || line == ENT_LINE_VOID) {
      if (line == ENT_LINE_VOID && text->void_rows++ == 0)
        text->void_line = bytes->line;
      pass_line(bytes, reader, 0);
      continue;
    }
    if (line == ENT_LINE_ROW && text->void_rows > 0) {
      status = add_void_row(context, source, values + *rows * count);
      *rows += status == ENTROPIC_OK;
      continue;
    }
    if (line == ENT_LINE_ROW)
      row = read_row(context, source, p, values + *rows * count, &reader, &status);
    if (row == ENT_ROW_READ) {
      pass_line(bytes, reader, text->lines);
      ++*rows;
    } else if (row == ENT_ROW_MORE) {
      bool more, ended = bytes->ended;
      status = ent_bytes_more(context, bytes, &more);
      if (status == ENTROPIC_OK && !more && ended == bytes->ended)
        break; /* the end, or that of the sample */
    }
  }
  if (bytes->frozen)
    text->void_rows = 0; /* they will be seen again */
  return status;
}

static size_t mark_length(const ent_bytes *bytes) {
  return bytes->end >= 3 && memcmp(bytes->data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Past the byte-order mark and what stands above the header. */
static entropic_status skip_title(entropic_context *context, ent_bytes *bytes, size_t start) {
  bool there;
  size_t mark = mark_length(bytes);
  entropic_status status = ent_bytes_need(context, bytes, mark + start, &there);
  if (status != ENTROPIC_OK)
    return status;
  bytes->at = mark + start < bytes->end ? mark + start : bytes->end;
  bytes->line = 1 + ent_count_lines(bytes->data, bytes->data + bytes->at);
  return ENTROPIC_OK;
}

/* What becomes of the fields of a record: nothing, names of columns, or more of their names. */
typedef enum ent_naming { ENT_NAMING_NONE, ENT_NAMING_SET, ENT_NAMING_JOIN } ent_naming;

static entropic_status name_column(entropic_context *context, ent_columns *columns, size_t column, ent_naming naming,
                                   const ent_field *field) {
  if (naming == ENT_NAMING_NONE || column >= columns->count || field->length == 0)
    return ENTROPIC_OK;
  return naming == ENT_NAMING_SET ? ent_columns_name(context, columns, column, field->text, field->length)
                                  : ent_header_join(context, columns, column, field->text, field->length);
}

/* Goes through the record at hand to *feed. */
static entropic_status walk_record(entropic_context *context, entropic_source *source, ent_naming naming,
                                   const char **reader) {
  ent_delimited *text = source->state;
  ent_bytes *bytes = source->bytes;
  const char *p = bytes->data + bytes->at;
  text->lines = 0;
  for (size_t column = 0; p != NULL; column++) {
    ent_field field;
    ent_cut cut = ent_field_cut(&text->dialect, p, bytes->data + bytes->end, bytes->ended, &field);
    if (cut == ENT_FIELD_MORE) {
      bool more;
      entropic_status status = ent_bytes_more(context, bytes, &more);
      return status == ENTROPIC_OK ? walk_record(context, source, naming, reader) : status;
    }
    if (cut == ENT_FIELD_FAULT)
      return fail_field(context, source, column, field.fault);
    p = next_field(&text->dialect, field.end, reader);
    text->lines += field.lines;
    entropic_status status = field.doubled ? undouble(context, text, &field) : ENTROPIC_OK;
    if (status == ENTROPIC_OK)
      status = name_column(context, &source->columns, column + text->dialect.row_names, naming, &field);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* The record at hand is one more line of the header: it tells columns of equal names apart, or says something else of
 * them, such as their units. */
static entropic_status read_more_names(entropic_context *context, entropic_source *source) {
  ent_bytes *bytes = source->bytes;
  ent_columns *columns = &source->columns;
  const bool twins = ((const ent_delimited *)source->state)->twins;
  const char *reader = NULL;
  char shown[ENT_SHOW_SIZE];
  /* First only so that all of it is here: names are joined once. */
  entropic_status status = walk_record(context, source, ENT_NAMING_NONE, &reader);
  if (status == ENTROPIC_OK && twins)
    status = walk_record(context, source, ENT_NAMING_JOIN, &reader);
  if (status != ENTROPIC_OK)
    return status;
  const char *line = bytes->data + bytes->at;
  return ent_notices_add(context, &columns->notices,
                         twins ? "line %zu ('%s') is taken for names too, and put behind those above it"
                               : "line %zu ('%s') has no number and stands above numbers: it is left out",
                         bytes->line,
                         ent_show(line, (size_t)(reader - line) - (reader > line && reader[-1] == '\r'), shown));
}

/* The record at hand is line `number` of the header; `named`: columns have their names already. */
static entropic_status read_names(entropic_context *context, entropic_source *source, size_t number, bool named) {
  ent_delimited *text = source->state;
  const char *reader = NULL;
  entropic_status status = ENTROPIC_OK;
  if (number == 0)
    text->header = source->bytes->line;
  if (!named && number > 0)
    status = read_more_names(context, source);
  if (status == ENTROPIC_OK)
    status = walk_record(context, source, !named && number == 0 ? ENT_NAMING_SET : ENT_NAMING_NONE, &reader);
  if (status == ENTROPIC_OK && !named && number == 0)
    status = ent_header_has_twins(context, &source->columns, &text->twins);
  if (status == ENTROPIC_OK)
    pass_line(source->bytes, reader, text->lines);
  return status;
}

/* Past what comes before the first row; the first time columns get their names on the way. */
static entropic_status begin_delimited(entropic_context *context, entropic_source *source) {
  ent_delimited *text = source->state;
  ent_bytes *bytes = source->bytes;
  bool named = text->named;
  size_t names = 0;
  text->void_rows = 0;
  entropic_status status = skip_title(context, bytes, text->dialect.start);
  while (status == ENTROPIC_OK) {
    const char *reader = NULL;
    ent_line line = bytes->at < bytes->end ? classify(text, bytes, bytes->data + bytes->at, &reader) : ENT_LINE_MORE;
    if (line == ENT_LINE_ROW && names == text->dialect.names)
      break;
    if (line == ENT_LINE_ROW) {
      status = read_names(context, source, names++, named);
    } else if (line == ENT_LINE_MORE) {
      bool more;
      if (bytes->ended)
        break;
      status = ent_bytes_more(context, bytes, &more);
    } else {
      pass_line(bytes, reader, 0);
    }
  }
  text->named = true;
  return status == ENTROPIC_OK && !named ? ent_header_settle(context, &source->columns) : status;
}

/* Enough bytes to go by: some, and a line or two whatever their length. */
static entropic_status take_sample(entropic_context *context, ent_bytes *bytes) {
  for (;;) {
    size_t size = bytes->end - bytes->at;
    const char *first = size == 0 ? NULL : memchr(bytes->data + bytes->at, '\n', size);
    bool lines = first != NULL && memchr(first + 1, '\n', (size_t)(bytes->data + bytes->end - first - 1)) != NULL;
    if (bytes->ended || (size >= ENT_SAMPLE_BYTES && lines))
      break;
    bool more;
    entropic_status status = ent_bytes_more(context, bytes, &more);
    if (status != ENTROPIC_OK)
      return status;
  }
  size_t size = bytes->end;
  if (size > 0 && memchr(bytes->data, '\r', size) != NULL && memchr(bytes->data, '\n', size) == NULL)
    ent_bytes_take_returns(bytes);
  return ENTROPIC_OK;
}

/* Says what the first line was taken for, where that may be wrong. */
static entropic_status tell_header(entropic_context *context, const entropic_source *source,
                                   const entropic_read_options *options, ent_notices *notices) {
  const ent_delimited *text = source->state;
  if (text->dialect.row_names) {
    entropic_status status = ent_notices_add(context, notices,
                                             "line %zu has one name fewer than rows have cells: the first column is "
                                             "taken for names of rows",
                                             text->header);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (text->dialect.numbers)
    return ent_notices_add(context, notices,
                           "line %zu is taken for names, which are numbers; --header no takes it for data",
                           text->header);
  if (text->dialect.header || options->header != ENTROPIC_AUTO || source->fitted)
    return ENTROPIC_OK;
  return ent_notices_add(context, notices,
                         "no header found: line %zu is data, and columns are called x1, x2 and so on; --header yes "
                         "takes it for names",
                         source->bytes->line);
}

/* Says which lines above the header are no part of the table. */
static entropic_status tell_title(entropic_context *context, const ent_dialect *dialect, const char *start,
                                  ent_notices *notices) {
  if (dialect->titles == 0)
    return ENTROPIC_OK;
  const char *line = start + dialect->title, *end = memchr(line, '\n', dialect->start - dialect->title);
  while (end > line && (end[-1] == '\r' || end[-1] == dialect->delimiter))
    end--;
  char shown[ENT_SHOW_SIZE];
  return ent_notices_add(context, notices, "%zu line%s above the header skipped; the first is '%s'", dialect->titles,
                         dialect->titles == 1 ? "" : "s", ent_show(line, (size_t)(end - line), shown));
}

static entropic_status open_delimited(entropic_context *context, entropic_source *source,
                                      const entropic_read_options *options) {
  ent_bytes *bytes = source->bytes;
  ent_columns *columns = &source->columns;
  ent_delimited *text = source->state = ent_new(context, 1, sizeof *text);
  if (text == NULL)
    return ENTROPIC_NO_MEMORY;
  text->powers = ent_powers_of_ten();
  entropic_status status = take_sample(context, bytes);
  if (status != ENTROPIC_OK)
    return status;
  const char *start = bytes->data + mark_length(bytes);
  status = ent_dialect_find(context, columns, options, start, bytes->data + bytes->end, bytes->ended, &text->dialect);
  if (status == ENTROPIC_OK)
    status = tell_title(context, &text->dialect, start, &columns->notices);
  if (status == ENTROPIC_OK)
    status = ent_columns_create(context, columns, text->dialect.fields);
  if (status != ENTROPIC_OK)
    return status;
  columns->named = text->dialect.header;
  columns->headless = !text->dialect.header && options->header == ENTROPIC_AUTO;
  source->empty = text->dialect.trailing;
  text->modes = ent_new(context, columns->count, 1);
  if (text->modes == NULL)
    return ENTROPIC_NO_MEMORY;
  status = begin_delimited(context, source);
  if (status == ENTROPIC_OK)
    status = tell_header(context, source, options, &columns->notices);
  /* Nothing but blank lines and comments. */
  if (status == ENTROPIC_OK && bytes->ended && bytes->at == bytes->end && !text->dialect.header)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s is empty, expected rows", bytes->name);
  /* A fault in the first line comes before what is missing for its sake: a header, a column. */
  const char *reader = NULL;
  return status == ENTROPIC_OK && !text->dialect.header ? walk_record(context, source, ENT_NAMING_NONE, &reader)
                                                        : status;
}

const ent_reader ent_text_reader = {open_delimited, begin_delimited, read_delimited, free_delimited};
