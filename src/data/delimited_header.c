/* The top of delimited text: its dialect, title and header. See delimited.h. */
#include <string.h>

#include "columns/header.h"
#include "data/delimited.h"

/* Enough to know the dialect by. */
#define ENT_SAMPLE_BYTES 65536

static size_t mark_length(const ent_bytes *bytes) {
  return bytes->end >= 3 && memcmp(bytes->data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Goes past the byte-order mark and what stands above the header. */
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

/* Goes through the fields of the record at hand, to its line feed; *lines are the line feeds within them. */
static entropic_status scan_record(entropic_context *context, ent_source *source, ent_naming naming,
                                   const char **line_end, size_t *lines) {
  ent_delimited *text = source->state;
  ent_bytes *bytes = source->bytes;
  const char *p = bytes->data + bytes->at;
  *lines = 0;
  for (size_t column = 0; p != NULL; column++) {
    ent_field field;
    ent_cut cut = ent_field_cut(&text->dialect, p, bytes->data + bytes->end, bytes->ended, &field);
    if (cut == ENT_FIELD_MORE) {
      bool more;
      entropic_status status = ent_bytes_more(context, bytes, &more);
      if (status != ENTROPIC_OK)
        return status;
      return scan_record(context, source, naming, line_end, lines); /* the bytes have moved */
    }
    if (cut == ENT_FIELD_FAULT)
      return ent_delimited_fail(context, source, *lines, column, field.fault);
    p = ent_delimited_next_field(&text->dialect, field.end, line_end);
    *lines += field.lines;
    entropic_status status = field.doubled ? ent_delimited_undouble(context, text, &field) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      return status;
    status = name_column(context, &source->columns, column + text->dialect.row_names, naming, &field);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* The record at hand is one more line of the header: it makes equal names different, or has something else, such
 * as units. */
static entropic_status read_more_names(entropic_context *context, ent_source *source) {
  ent_bytes *bytes = source->bytes;
  ent_columns *columns = &source->columns;
  const bool duplicates = ((const ent_delimited *)source->state)->duplicates;
  const char *line_end = NULL;
  size_t lines;
  char shown[ENT_SHOW_SIZE];
  /* First only so that all of it is here: names are joined once. */
  entropic_status status = scan_record(context, source, ENT_NAMING_NONE, &line_end, &lines);
  if (status != ENTROPIC_OK)
    return status;
  if (duplicates) {
    status = scan_record(context, source, ENT_NAMING_JOIN, &line_end, &lines);
    if (status != ENTROPIC_OK)
      return status;
  }
  const char *line = bytes->data + bytes->at;
  return ent_notices_add(context, &columns->notices,
                         duplicates ? "line %zu ('%s') is read as names, too, which are appended to those above it"
                                    : "line %zu ('%s') has no numbers but stands above some: it is skipped",
                         bytes->line,
                         ent_show(line, (size_t)(line_end - line) - (line_end > line && line_end[-1] == '\r'), shown));
}

/* Keeps the first line of the header, for files that follow. */
static entropic_status keep_header(entropic_context *context, const ent_source *source, const char *line_end) {
  ent_delimited *text = source->state;
  const char *start = source->bytes->data + source->bytes->at;
  if (source->bytes->line_map == NULL)
    return ENTROPIC_OK;
  text->header_length = (size_t)(line_end - start) - (line_end > start && line_end[-1] == '\r');
  text->header_text = ent_new(context, text->header_length + ENT_BYTES_PADDING, 1);
  if (text->header_text == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(text->header_text, start, text->header_length);
  text->header_text[text->header_length] = '\n';
  return ENTROPIC_OK;
}

/* The record at hand is line `number` of the header; `named`: columns have their names already. */
static entropic_status read_names(entropic_context *context, ent_source *source, size_t number, bool named) {
  ent_delimited *text = source->state;
  const char *line_end = NULL;
  size_t lines;
  bool first = number == 0;
  entropic_status status;
  if (first)
    text->header = source->bytes->line;
  if (!named && !first) {
    status = read_more_names(context, source);
    if (status != ENTROPIC_OK)
      return status;
  }
  status = scan_record(context, source, !named && first ? ENT_NAMING_SET : ENT_NAMING_NONE, &line_end, &lines);
  if (status != ENTROPIC_OK)
    return status;
  if (!named && first) {
    status = keep_header(context, source, line_end);
    if (status != ENTROPIC_OK)
      return status;
    status = ent_header_has_duplicates(context, &source->columns, &text->duplicates);
    if (status != ENTROPIC_OK)
      return status;
  }
  ent_delimited_pass(source->bytes, line_end, lines);
  return ENTROPIC_OK;
}

entropic_status ent_delimited_begin(entropic_context *context, ent_source *source) {
  ent_delimited *text = source->state;
  ent_bytes *bytes = source->bytes;
  bool named = text->named;
  size_t names = 0;
  ent_segments_clear(text->segments);
  entropic_status status = skip_title(context, bytes, text->dialect.start);
  if (status != ENTROPIC_OK)
    return status;
  text->title_lines = text->dialect.start > 0 ? bytes->line - 1 : 0;
  for (;;) {
    const char *line_end = NULL;
    ent_line line = bytes->at < bytes->end ? ent_delimited_classify(text, bytes, bytes->data + bytes->at, &line_end)
                                           : ENT_LINE_MORE;
    if ((line == ENT_LINE_ROW || line == ENT_LINE_BLANK) && names == text->dialect.names)
      break;
    if (line == ENT_LINE_ROW) {
      status = read_names(context, source, names++, named);
    } else if (line == ENT_LINE_MORE) {
      bool more;
      if (bytes->ended)
        break;
      status = ent_bytes_more(context, bytes, &more);
    } else {
      ent_delimited_pass(bytes, line_end, 0);
    }
    if (status != ENTROPIC_OK)
      return status;
  }
  text->named = true;
  return named ? ENTROPIC_OK : ent_header_make_unique(context, &source->columns);
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

/* Adds a notice of what the first line was taken for, where that may be wrong. */
static entropic_status notice_header(entropic_context *context, const ent_source *source,
                                     const ent_read_options *options, ent_notices *notices) {
  const ent_delimited *text = source->state;
  if (text->dialect.row_names) {
    entropic_status status = ent_notices_add(
        context, notices, "line %zu has one name fewer than the rows have cells: the first column is read as row names",
        text->header);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (text->dialect.numbers)
    return ent_notices_add(context, notices,
                           "line %zu is read as names, although they are numbers; --header no reads it as data",
                           text->header);
  if (text->dialect.header || options->header != ENT_AUTO || source->fitted)
    return ENTROPIC_OK;
  return ent_notices_add(context, notices,
                         "no header found: line %zu is read as data, and columns are named x1, x2 and so on; --header "
                         "yes reads it as names",
                         source->bytes->line);
}

/* Adds a notice of the lines above the header, which are no part of the table. */
static entropic_status notice_title(entropic_context *context, const ent_dialect *dialect, const char *start,
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

/* Is there nothing but blank lines, lines of delimiters and comments, to the end of the file? */
static bool has_no_text(const ent_delimited *text, const ent_bytes *bytes) {
  const char *p = bytes->data + bytes->at, *limit = bytes->data + bytes->end, *line_end = NULL;
  while (bytes->ended && p < limit && ent_delimited_classify(text, bytes, p, &line_end) != ENT_LINE_ROW)
    p = line_end < limit ? line_end + 1 : limit;
  return bytes->ended && p >= limit;
}

entropic_status ent_delimited_open(entropic_context *context, ent_source *source, const ent_read_options *options) {
  ent_bytes *bytes = source->bytes;
  ent_columns *columns = &source->columns;
  ent_delimited *text = source->state = ent_new(context, 1, sizeof *text);
  if (text == NULL)
    return ENTROPIC_NO_MEMORY;
  text->powers = ent_powers_of_ten();
  text->segment = options->segment;
  entropic_status status = take_sample(context, bytes);
  if (status != ENTROPIC_OK)
    return status;
  const ent_sniff sample = {columns, bytes->data + mark_length(bytes), bytes->data + bytes->end, bytes->ended};
  status = ent_dialect_find(context, &sample, options, &text->dialect);
  if (status != ENTROPIC_OK)
    return status;
  status = notice_title(context, &text->dialect, sample.start, &columns->notices);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_columns_create(context, columns, text->dialect.fields);
  if (status != ENTROPIC_OK)
    return status;
  columns->named = text->dialect.header;
  columns->headless = !text->dialect.header && options->header == ENT_AUTO;
  source->empty = text->dialect.trailing;
  text->modes = ent_new(context, columns->count, 1);
  if (text->modes == NULL)
    return ENTROPIC_NO_MEMORY;
  status = ent_delimited_begin(context, source);
  if (status != ENTROPIC_OK)
    return status;
  status = notice_header(context, source, options, &columns->notices);
  if (status != ENTROPIC_OK)
    return status;
  text->header_given = options->header == 1;
  ent_delimited_join(source);
  if (text->dialect.header)
    return ENTROPIC_OK;
  if (has_no_text(text, bytes))
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s is empty, expected rows", bytes->name);
  /* A fault in the first line is reported before a header or column that is missing because of it. */
  const char *line_end = NULL;
  size_t lines;
  return scan_record(context, source, ENT_NAMING_NONE, &line_end, &lines);
}
