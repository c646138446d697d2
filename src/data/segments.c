/* Segments of delimited text: see delimited.h. */

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "data/delimited.h"

/* The text of a segment and its values fit a usual second-level cache. */
#define ENT_SEGMENT_BYTES (64 * 1024)
/* Segments for each thread at a time, so that none waits long for the last; and in all, as they take memory. */
#define ENT_SEGMENTS_EACH 8
#define ENT_SEGMENTS_MOST 32
/* More of them, as more bytes may be at hand than were asked for. */
#define ENT_SEGMENTS_MORE 6
/* Bytes at hand that segments can have, so that 32 bits are enough. They are more only where a row is very long. */
#define ENT_SEGMENTS_BYTES ((size_t)1 << 31)
/* After rows that could not be parsed so many times as many bytes are read row by row, at most: 2 to the power of this. */
#define ENT_BACKOFF_MOST 6

/* Where a row of a segment ends. */
typedef struct ent_segment_row {
  uint32_t end, lines; /* bytes and lines from the start of the segment */
} ent_segment_row;

/* A cell that is left for later. Texts of one letter are many: the numbers are small, as a segment is. */
typedef struct ent_later_cell {
  uint32_t row, column;
  uint32_t line, text; /* lines and bytes from the start of the segment */
  uint32_t length;
  bool doubled;
  bool coded; /* its value is the code of a text, which is to be noted */
} ent_later_cell;

typedef enum ent_segment_end {
  ENT_SEGMENT_DONE, /* all rows that begin in it are there, or all that there is room for */
  ENT_SEGMENT_MORE, /* the last row goes on past the bytes at hand */
  ENT_SEGMENT_ODD   /* there is something that only the reader of single rows can deal with */
} ent_segment_end;

struct ent_segment {
  const char *start, *limit; /* rows that begin from start to limit are its own */
  const char *stop;          /* where the row after the last one begins */
  ent_segment_end end;
  size_t rows, lines; /* lines from start to stop */
  double *values;     /* of its rows: own_values, or where they will be asked for */
  double *own_values;
  ent_segment_row *ends;
  ent_later_cell *later;
  size_t later_count;
  size_t row_capacity, later_capacity;
};

/* Where rows will be asked for that follow. */
typedef struct ent_segment_room {
  double *values;
  size_t rows; /* that stay there until they are asked for; 0: none do */
} ent_segment_room;

struct ent_segments {
  ent_segment *list;
  size_t capacity; /* of the list */
  size_t size;     /* bytes of a segment */
  size_t count;    /* segments whose rows are handed out */
  size_t at;       /* the current one of them */
  size_t row;      /* its next row */
  size_t later;    /* its next cell that was left for later */
  size_t line;     /* where it begins */
  uint64_t resume; /* rows are read one by one up to this byte of the file */
  unsigned backoff;
};

void ent_segments_free(ent_segments *segments) {
  if (segments == NULL)
    return;
  for (size_t i = 0; segments->list != NULL && i < segments->capacity; i++) {
    ent_delete(segments->list[i].own_values);
    ent_delete(segments->list[i].ends);
    ent_delete(segments->list[i].later);
  }
  ent_delete(segments->list);
  ent_delete(segments);
}

void ent_segments_clear(ent_segments *segments) {
  if (segments == NULL)
    return;
  segments->count = segments->at = segments->row = segments->later = 0;
  segments->resume = 0;
  segments->backoff = 0;
}

static entropic_status segment_create(entropic_context *context, ent_segment *segment, size_t size, size_t columns) {
  segment->row_capacity = size / columns + 2;   /* a row has a byte for each column at least */
  segment->later_capacity = size / 2 + columns; /* only a cell without text has less than two */
  segment->own_values = ent_new_raw(context, segment->row_capacity, columns, sizeof *segment->own_values);
  segment->ends = ent_new_raw(context, segment->row_capacity, 1, sizeof *segment->ends);
  segment->later = ent_new_raw(context, segment->later_capacity, 1, sizeof *segment->later);
  bool made = segment->own_values != NULL && segment->ends != NULL && segment->later != NULL;
  return made ? ENTROPIC_OK : ENTROPIC_NO_MEMORY;
}

/* Segments of so many bytes, for tables of so many columns. */
static entropic_status create(entropic_context *context, size_t count, size_t size, size_t columns,
                              ent_segments **segments) {
  ent_segments *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_NO_MEMORY;
  made->size = size;
  made->capacity = count;
  made->list = ent_new(context, count, sizeof *made->list);
  if (made->list == NULL)
    goto fail;
  for (size_t i = 0; i < count; i++) {
    status = segment_create(context, &made->list[i], size, columns);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  *segments = made;
  return ENTROPIC_OK;
fail:
  ent_segments_free(made);
  return status;
}

void ent_segment_cell(ent_segment *segment, const ent_columns *columns, const ent_column_cell *cell, bool doubled,
                      double *value) {
  ent_peek peek = doubled ? ENT_PEEK_NOTHING : ent_columns_peek(columns, cell, value);
  if (peek == ENT_PEEK_VALUE)
    return;
  segment->later[segment->later_count++] = (ent_later_cell){.row = (uint32_t)segment->rows,
                                                            .column = (uint32_t)cell->column,
                                                            .line = (uint32_t)(segment->lines + cell->line),
                                                            .text = (uint32_t)(cell->text - segment->start),
                                                            .length = (uint32_t)cell->length,
                                                            .doubled = doubled,
                                                            .coded = peek == ENT_PEEK_CODE};
}

/* A row of delimiters alone. */
static ent_row parse_blank_row(const ent_source *source, ent_segment *segment) {
  const size_t columns = source->columns.count;
  double *row = segment->values + segment->rows * columns;
  for (size_t i = 0; i < columns; i++)
    row[i] = NAN;
  return source->columns.numbers_only ? ENT_ROW_FAILED : ENT_ROW_READ;
}

/* Parses the row at p, or goes past a line without one. Returns where the next begins; NULL at the end. */
static const char *parse_line(ent_source *source, ent_segment *segment, const char *p) {
  const ent_delimited *text = source->state;
  const ent_bytes *bytes = source->bytes;
  ent_row_cursor cursor = {.next = p, .segment = segment};
  ent_line line = ent_delimited_classify(text, bytes, p, &cursor.line_end);
  ent_row row = line == ENT_LINE_MORE ? ENT_ROW_MORE : ENT_ROW_READ;
  if (line == ENT_LINE_BLANK)
    row = parse_blank_row(source, segment);
  else if (line == ENT_LINE_ROW)
    row = ent_delimited_read_row(NULL, source, &cursor, segment->values + segment->rows * source->columns.count);
  if (row != ENT_ROW_READ) {
    segment->end = row == ENT_ROW_MORE ? ENT_SEGMENT_MORE : ENT_SEGMENT_ODD;
    return NULL;
  }
  const char *limit = bytes->data + bytes->end;
  p = cursor.line_end < limit ? cursor.line_end + 1 : limit; /* the file may end without a line feed */
  segment->lines += 1 + cursor.lines;
  if (line != ENT_LINE_SKIP)
    segment->ends[segment->rows++] = (ent_segment_row){(uint32_t)(p - segment->start), (uint32_t)segment->lines};
  return p;
}

static void parse(ent_source *source, ent_segment *segment) {
  const size_t columns = source->columns.count;
  segment->rows = segment->lines = segment->later_count = 0;
  segment->end = ENT_SEGMENT_DONE;
  segment->stop = segment->start;
  while (segment->stop < segment->limit && segment->rows < segment->row_capacity &&
         segment->later_capacity - segment->later_count >= columns) {
    const char *next = parse_line(source, segment, segment->stop);
    if (next == NULL)
      return;
    segment->stop = next;
  }
}

static entropic_status count_task(entropic_context *context, void *shared, size_t task, int worker) {
  ent_segment *segment = &((ent_segment *)shared)[task];
  (void)context;
  (void)worker;
  segment->lines = ent_count_lines(segment->start, segment->limit);
  return ENTROPIC_OK;
}

/* Task 0 reads ahead, each other one parses a segment. */
static entropic_status parse_task(entropic_context *context, void *shared, size_t task, int worker) {
  ent_source *source = shared;
  const ent_delimited *text = source->state;
  (void)context;
  (void)worker;
  if (task == 0)
    ent_bytes_read_ahead(source->bytes);
  else
    parse(source, &text->segments->list[task - 1]);
  return ENTROPIC_OK;
}

/* Cuts the bytes at hand into segments, each at a line feed. */
static size_t cut(ent_segments *segments, const ent_bytes *bytes) {
  const char *p = bytes->data + bytes->at, *end = p + ent_bytes_before_stop(bytes);
  size_t count = 0;
  while (count < segments->capacity && p < end) {
    size_t left = (size_t)(end - p), size = segments->size;
    const char *line_end = left > size ? memchr(p + size - 1, '\n', left - size + 1) : NULL;
    ent_segment *segment = &segments->list[count++];
    segment->start = p;
    p = segment->limit = line_end == NULL ? end : line_end + 1;
  }
  return count;
}

/* Chooses where the values of segments go: where they will be asked for, if all rows that there can be have room there. A
 * row takes a line at least, and the last may end without; a segment that has fewer rows than lines leaves a gap. */
static void place(ent_segments *segments, size_t count, size_t columns, const ent_segment_room *room) {
  size_t most = 1;
  bool fits = true;
  for (size_t i = 0; i < count; i++) {
    most += segments->list[i].lines;
    fits = fits && segments->list[i].lines < segments->list[i].row_capacity;
  }
  double *values = room->values;
  for (size_t i = 0; i < count; i++) {
    ent_segment *segment = &segments->list[i];
    segment->values = fits && most <= room->rows ? values : segment->own_values;
    values += segment->lines * columns;
  }
}

/* Links parsed segments: those that count are the first ones, up to one that does not end as it should. */
static size_t join(ent_source *source, ent_segment *list, size_t count) {
  for (size_t i = 1; i < count; i++) {
    if (list[i - 1].end != ENT_SEGMENT_DONE)
      return i;
    if (list[i].start == list[i - 1].stop)
      continue;
    list[i].start = list[i - 1].stop;
    list[i].values = list[i].own_values; /* it may have more rows now */
    parse(source, &list[i]);
  }
  return count;
}

/* Parses what is at hand, after reading on so that it is enough. */
static entropic_status parse_segments(entropic_context *context, ent_source *source, const ent_segment_room *room) {
  ent_delimited *text = source->state;
  ent_segments *segments = text->segments;
  ent_bytes *bytes = source->bytes;
  size_t wanted = segments->size * (segments->capacity - ENT_SEGMENTS_MORE);
  entropic_status status = ent_bytes_gather(context, bytes, wanted);
  if (status != ENTROPIC_OK)
    return status;
  size_t count = cut(segments, bytes);
  if (count < 2)
    return ENTROPIC_OK;
  status = ent_bytes_allow_ahead(context, bytes, wanted);
  if (status != ENTROPIC_OK)
    return status;
  if (room->rows > 0) {
    status = ent_parallel(context, count, count_task, segments->list);
    if (status != ENTROPIC_OK)
      return status;
  }
  place(segments, count, source->columns.count, room);
  status = ent_parallel(context, count + 1, parse_task, source);
  if (status != ENTROPIC_OK)
    return status;
  const char *limit = segments->list[count - 1].limit;
  segments->count = join(source, segments->list, count);
  segments->at = segments->row = segments->later = 0;
  segments->line = bytes->line;
  if (segments->list[segments->count - 1].end != ENT_SEGMENT_ODD) {
    segments->backoff = 0;
    return ENTROPIC_OK;
  }
  uint64_t size = (uint64_t)(limit - (bytes->data + bytes->at));
  segments->resume = bytes->consumed + bytes->at + (size << segments->backoff);
  segments->backoff += segments->backoff < ENT_BACKOFF_MOST;
  return ENTROPIC_OK;
}

/* Reads the cells of rows that are handed out which were left for later. */
static entropic_status read_later(entropic_context *context, ent_source *source, size_t rows, double *values) {
  const ent_delimited *text = source->state;
  ent_segments *segments = text->segments;
  const ent_segment *segment = &segments->list[segments->at];
  for (; segments->later < segment->later_count; segments->later++) {
    const ent_later_cell *later = &segment->later[segments->later];
    if (later->row >= segments->row + rows)
      break;
    double *value = values + (later->row - segments->row) * source->columns.count + later->column;
    const ent_column_cell cell = {later->column, segments->line + later->line, segment->start + later->text,
                                  later->length, text->dialect.point};
    if (later->coded) {
      ent_columns_note_code(&source->columns, cell.column, cell.line, value);
      continue;
    }
    entropic_status status = ent_delimited_cell(context, source, &cell, later->doubled, value);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* How many of the next `count` rows of a segment surely begin and end in one file each. */
static size_t count_unbroken(const ent_source *source, const ent_segment *segment, size_t count) {
  const ent_line_map *line_map = source->bytes->line_map;
  const ent_segments *segments = ((const ent_delimited *)source->state)->segments;
  if (line_map == NULL || segment->lines == 0 ||
      ent_line_map_are_one(line_map, segments->line, segments->line + segment->lines - 1))
    return count;
  for (size_t i = 0; i < count; i++) {
    size_t row = segments->row + i, before = row == 0 ? 0 : segment->ends[row - 1].lines;
    if (!ent_line_map_are_one(line_map, segments->line + before, segments->line + segment->ends[row].lines - 1))
      return i;
  }
  return count;
}

/* Drops the rows that were parsed and not handed out: the next one is read as a single row. */
static void drop(ent_segments *segments, const ent_bytes *bytes) {
  segments->count = segments->at = segments->row = segments->later = 0;
  segments->resume = bytes->consumed + bytes->at + 1;
}

/* Hands out rows of the current segment. */
static entropic_status take(entropic_context *context, ent_source *source, double *values, size_t capacity,
                            size_t *rows) {
  ent_segments *segments = ((const ent_delimited *)source->state)->segments;
  const ent_segment *segment = &segments->list[segments->at];
  ent_bytes *bytes = source->bytes;
  size_t columns = source->columns.count, left = segment->rows - segments->row;
  size_t count = left < capacity - *rows ? left : capacity - *rows;
  size_t unbroken = count_unbroken(source, segment, count);
  bool broken = unbroken < count;
  count = unbroken;
  double *to = values + *rows * columns;
  const double *from = segment->values + segments->row * columns;
  if (from != to)
    memmove(to, from, count * columns * sizeof *to);
  entropic_status status = read_later(context, source, count, to);
  if (status != ENTROPIC_OK)
    return status;
  *rows += count;
  segments->row += count;
  bytes->at = (size_t)(segment->start - bytes->data);
  if (segments->row < segment->rows) {
    const ent_segment_row none = {0}, *last = segments->row == 0 ? &none : &segment->ends[segments->row - 1];
    bytes->at += last->end;
    bytes->line = segments->line + last->lines;
    if (broken)
      drop(segments, bytes);
    return ENTROPIC_OK;
  }
  bytes->at += (size_t)(segment->stop - segment->start);
  bytes->line = segments->line + segment->lines;
  segments->at++;
  segments->row = segments->later = 0;
  segments->line = bytes->line;
  return ENTROPIC_OK;
}

/* Does it pay to parse segments from here on? Makes them if they are not there yet. */
static entropic_status prepare(entropic_context *context, ent_source *source, bool *pays) {
  ent_delimited *text = source->state;
  const ent_bytes *bytes = source->bytes;
  size_t size = text->segment > 0 ? text->segment : ENT_SEGMENT_BYTES, columns = source->columns.count;
  size_t left = ent_bytes_before_stop(bytes), workers = (size_t)ent_workers(context, SIZE_MAX);
  *pays = false;
  bool last = bytes->ended || (bytes->stopped && bytes->ahead_used == 0) || left < bytes->end - bytes->at;
  if (workers == 1 || bytes->frozen || source->carry != NULL || bytes->wide != 0 || columns > size / 8 + 8 ||
      (left <= 2 * size && last) || left > ENT_SEGMENTS_BYTES)
    return ENTROPIC_OK;
  *pays = text->segments == NULL || bytes->consumed + bytes->at >= text->segments->resume;
  if (text->segments != NULL)
    return ENTROPIC_OK;
  size_t count = ENT_SEGMENTS_EACH * workers;
  count = (count < ENT_SEGMENTS_MOST ? count : ENT_SEGMENTS_MOST) + ENT_SEGMENTS_MORE;
  return create(context, count, size, columns, &text->segments);
}

entropic_status ent_segments_read(entropic_context *context, ent_source *source, double *values, size_t capacity,
                                  size_t *rows) {
  const ent_delimited *text = source->state;
  while (*rows < capacity) {
    entropic_status status;
    if (text->segments != NULL && text->segments->at < text->segments->count) {
      status = take(context, source, values, capacity, rows);
      if (status != ENTROPIC_OK)
        return status;
      continue;
    }
    bool pays;
    status = prepare(context, source, &pays);
    if (status != ENTROPIC_OK || !pays)
      return status;
    text->segments->at = text->segments->count = 0;
    /* The last of them are asked for together with as many as now: these have to have room, too, or all would move. */
    const ent_segment_room room = {values + *rows * source->columns.count,
                                   source->spare < *rows ? 0 : source->spare - *rows};
    status = parse_segments(context, source, &room);
    if (status != ENTROPIC_OK)
      return status;
    const ent_segment *first = &text->segments->list[0];
    if (text->segments->count == 0 || first->stop == first->start) {
      text->segments->count = 0;
      return ENTROPIC_OK;
    }
  }
  return ENTROPIC_OK;
}
