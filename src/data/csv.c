/* Comma-separated text: see csv.h. Bytes come through zlib, which hands plain files on as they are. */
#include "data/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/text.h"

#define ENT_CSV_CHUNK 65536
#define ENT_END (-1)
#define ENT_ERROR (-2)

typedef struct ent_span {
  size_t start, length;
} ent_span;

struct ent_csv {
  const char *name; /* the caller's path, or what standard input is called */
  gzFile file;
  size_t line;        /* of the next byte */
  size_t record_line; /* on which the record started */
  char *text;         /* the fields of the record, one after the other, each with a 0 */
  size_t text_used, text_capacity;
  ent_span *fields;
  size_t fields_used, fields_capacity;
  size_t chunk_at, chunk_end;
  unsigned char chunk[ENT_CSV_CHUNK];
};

static entropic_status fail_system(entropic_context *context, const char *name, int error) {
  char text[ENT_SHOW_SIZE];
  return ent_fail(context, ENTROPIC_SYSTEM, "cannot read '%s': %s", name, ent_error_text(error, text));
}

/* zlib's word on why there are no more bytes; OK at a proper end. */
static entropic_status end_status(entropic_context *context, const ent_csv *csv) {
  int code;
  gzerror(csv->file, &code);
  switch (code) {
  case Z_OK:
  case Z_STREAM_END:
    return ENTROPIC_OK;
  case Z_ERRNO:
    return fail_system(context, csv->name, errno);
  case Z_MEM_ERROR:
    return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory while reading '%s'", csv->name);
  case Z_BUF_ERROR:
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s, line %zu: the gzip data end too early; the file is truncated",
                    csv->name, csv->line);
  default:
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s, after line %zu: the gzip data are corrupt", csv->name, csv->line);
  }
}

/* Fills the chunk; *more is false at the end of the file. */
static entropic_status refill(entropic_context *context, ent_csv *csv, bool *more) {
  int count = gzread(csv->file, csv->chunk, ENT_CSV_CHUNK);
  csv->chunk_at = 0;
  csv->chunk_end = count > 0 ? (size_t)count : 0;
  *more = count > 0;
  return count > 0 ? ENTROPIC_OK : end_status(context, csv);
}

/* The next byte, which stays; ENT_END or ENT_ERROR (with *status) if there is none. */
static inline int peek(entropic_context *context, ent_csv *csv, entropic_status *status) {
  if (csv->chunk_at == csv->chunk_end) {
    bool more;
    *status = refill(context, csv, &more);
    if (!more)
      return *status == ENTROPIC_OK ? ENT_END : ENT_ERROR;
  }
  return csv->chunk[csv->chunk_at];
}

static entropic_status open_file(entropic_context *context, ent_csv *csv, const char *path) {
  bool standard = strcmp(path, "-") == 0;
  csv->name = standard ? "standard input" : path;
  int descriptor = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0)
    return fail_system(context, csv->name, errno);
  struct stat about;
  if (fstat(descriptor, &about) == 0 && S_ISDIR(about.st_mode)) {
    close(descriptor);
    return fail_system(context, csv->name, EISDIR);
  }
  csv->file = gzdopen(descriptor, "rb");
  if (csv->file == NULL) {
    close(descriptor);
    return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory while opening '%s'", csv->name);
  }
  gzbuffer(csv->file, ENT_CSV_CHUNK); /* before the first read it cannot fail */
  return ENTROPIC_OK;
}

/* A byte-order mark says nothing about UTF-8. */
static entropic_status skip_mark(entropic_context *context, ent_csv *csv) {
  bool more;
  entropic_status status = refill(context, csv, &more);
  if (status == ENTROPIC_OK && csv->chunk_end >= 3 && memcmp(csv->chunk, "\xef\xbb\xbf", 3) == 0)
    csv->chunk_at = 3;
  return status;
}

entropic_status ent_csv_open(entropic_context *context, const char *path, ent_csv **csv) {
  ent_csv *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->line = 1;
  entropic_status status = open_file(context, made, path);
  if (status == ENTROPIC_OK)
    status = skip_mark(context, made);
  if (status != ENTROPIC_OK) {
    ent_csv_close(made);
    return status;
  }
  *csv = made;
  return ENTROPIC_OK;
}

void ent_csv_close(ent_csv *csv) {
  if (csv == NULL)
    return;
  if (csv->file != NULL)
    gzclose_r(csv->file);
  ent_delete(csv->text);
  ent_delete(csv->fields);
  ent_delete(csv);
}

static entropic_status add_byte(entropic_context *context, ent_csv *csv, char byte) {
  if (csv->text_used == csv->text_capacity) {
    char *grown = ent_grow(context, csv->text, &csv->text_capacity, csv->text_used + 256, 1);
    if (grown == NULL)
      return ENTROPIC_NO_MEMORY;
    csv->text = grown;
  }
  csv->text[csv->text_used++] = byte;
  return ENTROPIC_OK;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/* Closes the field that began at `start` of the text; an unquoted one loses the blanks around it. */
static entropic_status end_field(entropic_context *context, ent_csv *csv, size_t start, bool quoted) {
  size_t end = csv->text_used;
  if (!quoted) {
    while (start < end && is_blank(csv->text[start]))
      start++;
    while (start < end && is_blank(csv->text[end - 1]))
      end--;
  }
  if (csv->fields_used == csv->fields_capacity) {
    ent_span *grown = ent_grow(context, csv->fields, &csv->fields_capacity, csv->fields_used + 16, sizeof *grown);
    if (grown == NULL)
      return ENTROPIC_NO_MEMORY;
    csv->fields = grown;
  }
  csv->fields[csv->fields_used++] = (ent_span){start, end - start};
  csv->text_used = end;
  return add_byte(context, csv, '\0');
}

static entropic_status fail_field(entropic_context *context, const ent_csv *csv, size_t line, const char *what) {
  return ent_fail(context, ENTROPIC_BAD_DATA, "%s, line %zu, column %zu: %s", csv->name, line, csv->fields_used + 1,
                  what);
}

/* Reads a quoted field, up to and with its closing quote; the opening one has been read. */
static entropic_status read_quoted(entropic_context *context, ent_csv *csv) {
  size_t line = csv->line;
  entropic_status status = ENTROPIC_OK;
  while (status == ENTROPIC_OK) {
    int byte = peek(context, csv, &status);
    if (byte == ENT_END)
      return fail_field(context, csv, line, "a quote is opened and never closed");
    if (byte == ENT_ERROR)
      return status;
    csv->chunk_at++;
    if (byte == 0)
      return fail_field(context, csv, csv->line, "there is a NUL byte, expected text");
    if (byte == '"' && peek(context, csv, &status) != '"')
      return status;
    if (byte == '"')
      csv->chunk_at++; /* a doubled quote stands for one */
    if (byte == '\n')
      csv->line++;
    status = add_byte(context, csv, (char)byte);
  }
  return status;
}

/* Reads bytes up to a comma or the end of the line, which stay. */
static entropic_status read_plain(entropic_context *context, ent_csv *csv, int *stop) {
  entropic_status status = ENTROPIC_OK;
  for (;;) {
    int byte = *stop = peek(context, csv, &status);
    if (byte == ENT_ERROR || byte == ENT_END || byte == ',' || byte == '\n')
      return status;
    if (byte == 0)
      return fail_field(context, csv, csv->line, "there is a NUL byte, expected text");
    csv->chunk_at++;
    status = add_byte(context, csv, (char)byte);
    if (status != ENTROPIC_OK)
      return status;
  }
}

/* Reads one field and says in *stop what byte ended it. */
static entropic_status read_field(entropic_context *context, ent_csv *csv, int *stop) {
  size_t start = csv->text_used;
  entropic_status status = ENTROPIC_OK;
  int first = peek(context, csv, &status);
  while (first == ' ' || first == '\t') { /* blanks may stand before a quote, too */
    csv->chunk_at++;
    first = peek(context, csv, &status);
  }
  bool quoted = first == '"';
  if (quoted) {
    csv->chunk_at++;
    status = read_quoted(context, csv);
  }
  if (status != ENTROPIC_OK)
    return status;
  size_t end = csv->text_used;
  status = read_plain(context, csv, stop);
  if (status != ENTROPIC_OK)
    return status;
  if (*stop != ',' && csv->text_used > end && csv->text[csv->text_used - 1] == '\r')
    csv->text_used--; /* CR LF, or CR at the end of the file */
  if (quoted) {
    for (size_t i = end; i < csv->text_used; i++)
      if (!is_blank(csv->text[i]))
        return fail_field(context, csv, csv->line, "there is text after a closing quote, expected a comma");
    csv->text_used = end;
  }
  return end_field(context, csv, start, quoted);
}

/* Reads one line with all its fields; *empty if there is nothing on it. */
static entropic_status read_record(entropic_context *context, ent_csv *csv, bool *empty, int *stop) {
  csv->text_used = csv->fields_used = 0;
  csv->record_line = csv->line;
  entropic_status status;
  bool quoted = peek(context, csv, &status) == '"';
  for (;;) {
    status = read_field(context, csv, stop);
    if (status != ENTROPIC_OK)
      return status;
    if (*stop != ENT_END)
      csv->chunk_at++;
    if (*stop != ',')
      break;
  }
  if (*stop == '\n')
    csv->line++;
  *empty = csv->fields_used == 1 && csv->fields[0].length == 0 && !quoted;
  return ENTROPIC_OK;
}

entropic_status ent_csv_next(entropic_context *context, ent_csv *csv, bool *more) {
  size_t empty_line = 0;
  bool empty = true;
  while (empty) {
    int stop;
    entropic_status status = read_record(context, csv, &empty, &stop);
    if (status != ENTROPIC_OK)
      return status;
    if (empty && stop == ENT_END) {
      *more = false;
      return ENTROPIC_OK;
    }
    if (empty && empty_line == 0)
      empty_line = csv->record_line;
  }
  if (empty_line != 0)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "%s, line %zu: the line is empty, expected a row (empty lines may only end the file)", csv->name,
                    empty_line);
  *more = true;
  return ENTROPIC_OK;
}

size_t ent_csv_fields(const ent_csv *csv) {
  return csv->fields_used;
}

const char *ent_csv_field(const ent_csv *csv, size_t field, size_t *length) {
  *length = csv->fields[field].length;
  return csv->text + csv->fields[field].start;
}

const char *ent_csv_name(const ent_csv *csv) {
  return csv->name;
}

size_t ent_csv_line(const ent_csv *csv) {
  return csv->record_line;
}
