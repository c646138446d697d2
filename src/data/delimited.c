/* Lines of fields: CSV and its relatives. Cells that are plain numbers, nearly all of most tables, are scanned in the
 * buffer; all others go through ent_field_cut and ent_columns_cell. */
#include "data/delimited.h"

#include <math.h>
#include <string.h>

static void free_delimited(void *state) {
  ent_delimited *text = state;
  if (text == NULL)
    return;
  ent_segments_free(text->segments);
  ent_delete(text->modes);
  ent_delete(text->header_text);
  ent_delete(text->scratch);
  ent_delete(text);
}

entropic_status ent_delimited_undouble(entropic_context *context, ent_delimited *text, ent_field *field) {
  if (!ent_reserve(context, &text->scratch, &text->scratch_capacity, field->length + 1, 1))
    return ENTROPIC_NO_MEMORY;
  char *to = text->scratch;
  size_t used = 0;
  for (size_t i = 0; i < field->length; i++) {
    to[used++] = field->text[i];
    i += field->text[i] == text->dialect.quote;
  }
  field->text = to;
  field->length = used;
  return ENTROPIC_OK;
}

entropic_status ent_delimited_fail(entropic_context *context, const ent_source *source, size_t lines, size_t column,
                                   const char *what) {
  ent_file_place place = ent_line_map_find(source->bytes->line_map, source->bytes->name, source->bytes->line + lines);
  return ent_fail(context, ENTROPIC_BAD_DATA, "%s, line %zu, column %zu: %s", place.file, place.line, column + 1, what);
}

const char *ent_delimited_next_field(const ent_dialect *dialect, const char *end, const char **line_end) {
  if (*end != '\n') {
    const char *p = end + 1;
    if (!dialect->blank)
      return p;
    p = ent_skip_blanks(dialect, p, false);
    if (*p != '\n' && !(p[0] == '\r' && p[1] == '\n'))
      return p;
    end = p + (*p == '\r');
  }
  *line_end = end;
  return NULL;
}

/* A row with too many fields, of which the first starts at p. */
static entropic_status fail_wide(entropic_context *context, ent_source *source, const char *p) {
  const ent_delimited *text = source->state;
  const char *limit = source->bytes->data + source->bytes->end, *line_end;
  size_t fields = source->columns.count;
  char shown[ENT_SHOW_SIZE] = "";
  while (p != NULL) {
    ent_field field;
    if (ent_field_cut(&text->dialect, p, limit, true, &field) != ENT_FIELD_CUT)
      break;
    if (fields++ == source->columns.count)
      ent_show(field.text, field.length, shown);
    p = ent_delimited_next_field(&text->dialect, field.end, &line_end);
  }
  ent_file_place place = ent_line_map_find(source->bytes->line_map, source->bytes->name, source->bytes->line);
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "%s, line %zu: found %zu fields, expected %zu; column %zu ('%s') is too many", place.file, place.line,
                  fields, source->columns.count, source->columns.count + 1, shown);
}

static entropic_status fail_narrow(entropic_context *context, ent_source *source, size_t fields) {
  char shown[ENT_SHOW_SIZE];
  const char *name = source->columns.list[fields].name;
  ent_file_place place = ent_line_map_find(source->bytes->line_map, source->bytes->name, source->bytes->line);
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "%s, line %zu: found %zu field%s, expected %zu; column %zu (%s) is the first one missing", place.file,
                  place.line, fields, fields == 1 ? "" : "s", source->columns.count, fields + 1,
                  ent_show(name, strlen(name), shown));
}

/* Goes from the field after the last column to the line feed: only so many empty fields as the dialect knows may stand
 * there. */
static ent_row end_row(entropic_context *context, ent_source *source, ent_row_cursor *cursor) {
  const ent_delimited *text = source->state;
  const ent_bytes *bytes = source->bytes;
  const char *q = cursor->next;
  size_t extra = 1;
  for (; *q == ' ' || *q == '\t' || *q == text->dialect.delimiter; q++)
    extra += *q == text->dialect.delimiter;
  q += q[0] == '\r' && q[1] == '\n';
  if (*q == '\n' && q >= bytes->data + bytes->end && !bytes->ended)
    return ENT_ROW_MORE;
  if (*q == '\n' && extra <= text->dialect.trailing) {
    cursor->line_end = q;
    return ENT_ROW_READ;
  }
  /* The message counts all fields of the line, so all of it has to be here. */
  if (memchr(q, '\n', (size_t)(bytes->data + bytes->end - q)) == NULL && !bytes->ended)
    return ENT_ROW_MORE;
  if (cursor->segment == NULL)
    cursor->status = fail_wide(context, source, cursor->next);
  return ENT_ROW_FAILED;
}

/* Keeps the text of a field, if its column is carried along. */
static entropic_status carry_field(entropic_context *context, ent_source *source, size_t column, ent_field *field) {
  if (source->carry == NULL || !source->carry->taken[column])
    return ENTROPIC_OK;
  entropic_status status = field->doubled ? ent_delimited_undouble(context, source->state, field) : ENTROPIC_OK;
  field->doubled = false;
  return status != ENTROPIC_OK ? status : ent_carry_add(context, source->carry, field->text, field->length);
}

/* The value of a field that has been cut. */
static entropic_status field_value(entropic_context *context, ent_source *source, size_t column,
                                   const ent_row_cursor *cursor, ent_field *field, double *value) {
  ent_delimited *text = source->state;
  *value = NAN;
  entropic_status status = carry_field(context, source, column, field);
  if (status != ENTROPIC_OK || text->modes[column] == ENT_MODE_SKIP)
    return status;
  ent_column_cell cell = {column, cursor->lines, field->text, field->length, text->dialect.point};
  if (cursor->segment != NULL) {
    ent_segment_cell(cursor->segment, &source->columns, &cell, field->doubled, value);
    return ENTROPIC_OK;
  }
  cell.line += source->bytes->line;
  return ent_delimited_cell(context, source, &cell, field->doubled, value);
}

entropic_status ent_delimited_cell(entropic_context *context, ent_source *source, const ent_column_cell *cell,
                                   bool doubled, double *value) {
  ent_delimited *text = source->state;
  ent_column_cell plain = *cell;
  if (doubled) {
    ent_field field = {.text = cell->text, .length = cell->length};
    entropic_status status = ent_delimited_undouble(context, text, &field);
    if (status != ENTROPIC_OK)
      return status;
    plain.text = field.text;
    plain.length = field.length;
  }
  return ent_columns_cell(context, &source->columns, &plain, value);
}

/* Reads the cell of a column, whatever it is. */
static ent_row read_cell(entropic_context *context, ent_source *source, size_t column, ent_row_cursor *cursor,
                         double *value) {
  ent_delimited *text = source->state;
  const ent_bytes *bytes = source->bytes;
  ent_field field;
  const char *limit = bytes->data + bytes->end;
  ent_cut cut = ent_field_cut(&text->dialect, cursor->next, limit, bytes->ended, &field);
  if (cut == ENT_FIELD_MORE)
    return ENT_ROW_MORE;
  if (cut == ENT_FIELD_FAULT) {
    if (cursor->segment == NULL)
      cursor->status = ent_delimited_fail(context, source, cursor->lines, column, field.fault);
    return ENT_ROW_FAILED;
  }
  cursor->next = ent_delimited_next_field(&text->dialect, field.end, &cursor->line_end);
  if (cursor->next == NULL && cursor->line_end >= limit && !bytes->ended)
    return ENT_ROW_MORE;
  if (column >= cursor->done)
    cursor->status = field_value(context, source, column, cursor, &field, value);
  if (cursor->status != ENTROPIC_OK)
    return ENT_ROW_FAILED;
  cursor->lines += field.lines;
  return ENT_ROW_READ;
}

ent_row ent_delimited_read_row(entropic_context *context, ent_source *source, ent_row_cursor *cursor, double *row) {
  const ent_delimited *text = source->state;
  const size_t count = source->columns.count;
  const char delimiter = text->dialect.delimiter, point = text->dialect.point;
  const bool blank = text->dialect.blank, plain = source->columns.number_marks == 0;
  const ent_power *powers = text->powers;
  const unsigned char *modes = text->modes;
  const char *p = cursor->next;
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
        cursor->line_end = end;
        return ENT_ROW_READ;
      }
    }
    cursor->next = p;
    ent_row result = read_cell(context, source, column, cursor, &row[column]);
    if (result != ENT_ROW_READ)
      return result;
    cursor->done = column + 1 > cursor->done ? column + 1 : cursor->done;
    p = cursor->next;
    if (p == NULL && column + 1 < count) {
      if (cursor->segment == NULL)
        cursor->status = fail_narrow(context, source, column + 1);
      return ENT_ROW_FAILED;
    }
  }
  cursor->next = p;
  return p == NULL ? ENT_ROW_READ : end_row(context, source, cursor);
}

ent_line ent_delimited_classify(const ent_delimited *text, const ent_bytes *bytes, const char *p,
                                const char **line_end) {
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
  *line_end = q;
  return comment || ent_line_is_empty(dialect, p) ? ENT_LINE_SKIP : ENT_LINE_BLANK;
}

void ent_delimited_pass(ent_bytes *bytes, const char *line_end, size_t lines) {
  bytes->at = (size_t)(line_end - bytes->data) + 1;
  bytes->at = bytes->at > bytes->end ? bytes->end : bytes->at; /* the file may end without a line feed */
  bytes->line += 1 + lines;
}

/* A row of delimiters alone: all of its values are missing. */
static entropic_status read_blank_row(entropic_context *context, ent_source *source, double *row) {
  const ent_delimited *text = source->state;
  for (size_t i = 0; i < source->columns.count; i++) {
    const ent_column_cell cell = {.column = i, .line = source->bytes->line, .text = "", .point = text->dialect.point};
    row[i] = NAN;
    entropic_status status = carry_field(context, source, i, &(ent_field){.text = ""});
    if (status == ENTROPIC_OK && text->modes[i] != ENT_MODE_SKIP)
      status = ent_columns_cell(context, &source->columns, &cell, &row[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* A row that begins in one file and ends in another: quotes were left open. */
static entropic_status fail_open_quotes(entropic_context *context, const ent_source *source) {
  ent_file_place place = ent_line_map_find(source->bytes->line_map, source->bytes->name, source->bytes->line);
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "%s, line %zu: a quoted field does not end before the file does, expected a closing quote",
                  place.file, place.line);
}

/* Reads rows one after the other until there are `capacity`, or no more. */
static entropic_status read_rows(entropic_context *context, ent_source *source, double *values, size_t capacity,
                                 size_t *rows) {
  const ent_delimited *text = source->state;
  ent_bytes *bytes = source->bytes;
  size_t done = 0;
  while (*rows < capacity && !ent_bytes_past_stop(bytes)) {
    double *row = values + *rows * source->columns.count;
    ent_row_cursor cursor = {.next = bytes->data + bytes->at, .done = done};
    ent_line line =
        bytes->at < bytes->end ? ent_delimited_classify(text, bytes, cursor.next, &cursor.line_end) : ENT_LINE_MORE;
    if (line == ENT_LINE_SKIP || line == ENT_LINE_BLANK) {
      entropic_status status = line == ENT_LINE_SKIP ? ENTROPIC_OK : read_blank_row(context, source, row);
      if (status != ENTROPIC_OK)
        return status;
      *rows += line == ENT_LINE_BLANK;
      ent_delimited_pass(bytes, cursor.line_end, 0);
      continue;
    }
    ent_row result = line == ENT_LINE_ROW ? ent_delimited_read_row(context, source, &cursor, row) : ENT_ROW_MORE;
    if (result == ENT_ROW_FAILED)
      return cursor.status;
    if (result == ENT_ROW_READ && cursor.lines > 0 &&
        !ent_line_map_are_one(bytes->line_map, bytes->line, bytes->line + cursor.lines))
      return fail_open_quotes(context, source);
    if (result == ENT_ROW_READ) {
      ent_delimited_pass(bytes, cursor.line_end, cursor.lines);
      ++*rows;
      done = 0;
      continue;
    }
    done = cursor.done;
    bool more, ended = bytes->ended;
    entropic_status status = ent_bytes_more(context, bytes, &more);
    if (status != ENTROPIC_OK)
      return status;
    if (!more && ended == bytes->ended)
      return ENTROPIC_OK; /* the end, or that of the sample */
  }
  return ENTROPIC_OK;
}

static entropic_status read_delimited(entropic_context *context, ent_source *source, double *values, size_t capacity,
                                      size_t *rows) {
  ent_delimited *text = source->state;
  for (size_t i = 0; i < source->columns.count; i++)
    text->modes[i] = (unsigned char)(source->columns.list[i].mode == ENT_MODE_NUMBER && source->carry != NULL &&
                                             source->carry->taken[i]
                                         ? ENT_MODE_NOTED /* its text is needed, too */
                                         : source->columns.list[i].mode);
  *rows = 0;
  entropic_status status = ent_segments_read(context, source, values, capacity, rows);
  if (status != ENTROPIC_OK)
    return status;
  if (*rows < capacity)
    status = read_rows(context, source, values, capacity, rows);
  return status;
}

const ent_reader ent_text_reader = {ent_delimited_open, ent_delimited_begin, read_delimited, free_delimited};
