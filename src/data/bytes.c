/* Bytes come through streams: see bytes.h. */
#include "data/bytes.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "data/bytes_parts.h"
#include "data/dialect.h"

/* Room before bytes that are read ahead, for the row that they end. */
#define ENT_AHEAD_FRONT (64 * 1024)

/* The size of the text, if it is known: that of all files, where none seems to be compressed. */
static uint64_t text_size(const ent_bytes *bytes, const ent_files *files) {
  if (bytes->stream.packed || bytes->wide != 0 || !bytes->seekable)
    return 0;
  return files == NULL || files->count == 1 ? bytes->stream.size : files->packed ? 0 : files->size;
}

static entropic_status set_names(entropic_context *context, ent_bytes *bytes, const char *path,
                                 const ent_files *files) {
  bytes->path = ent_new_text(context, path, strlen(path));
  if (bytes->path == NULL)
    return ENTROPIC_NO_MEMORY;
  bytes->name = strcmp(path, "-") == 0 ? "standard input" : bytes->path;
  if (files == NULL || files->count == 1)
    return ENTROPIC_OK;
  bytes->name = bytes->label = ent_new_text(context, files->label, strlen(files->label));
  if (bytes->label == NULL)
    return ENTROPIC_NO_MEMORY;
  return ent_line_map_create(context, files->path, files->count, &bytes->line_map);
}

static entropic_status open_first(entropic_context *context, const char *path, const ent_files *files,
                                  ent_bytes *bytes) {
  bool more;
  bytes->line = 1;
  entropic_status status = set_names(context, bytes, path, files);
  if (status != ENTROPIC_OK)
    return status;
  ent_stream_open(path, &bytes->stream);
  bytes->seekable = bytes->stream.regular;
  bytes->spooling = !bytes->seekable;
  if (bytes->stream.end != ENT_STREAM_ON)
    return ent_bytes_end_status(context, bytes);
  status = ent_bytes_more(context, bytes, &more);
  if (status != ENTROPIC_OK)
    return status;
  if (bytes->wide != 0 && bytes->line_map != NULL)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s is UTF-16, expected UTF-8 where a table is in several files", path);
  bytes->size = text_size(bytes, files);
  return ENTROPIC_OK;
}

static entropic_status open_bytes(entropic_context *context, const char *path, const ent_files *files,
                                  ent_bytes **bytes) {
  ent_bytes *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = open_first(context, path, files, made);
  if (status != ENTROPIC_OK) {
    ent_bytes_close(made);
    return status;
  }
  *bytes = made;
  return ENTROPIC_OK;
}

entropic_status ent_bytes_open(entropic_context *context, const char *path, ent_bytes **bytes) {
  return open_bytes(context, path, NULL, bytes);
}

entropic_status ent_bytes_open_files(entropic_context *context, const ent_files *files, ent_bytes **bytes) {
  return open_bytes(context, files->path[0], files, bytes);
}

void ent_bytes_join(ent_bytes *bytes, const ent_entry_check *check) {
  if (bytes->line_map == NULL)
    return;
  bytes->check = *check;
  bytes->joined = true;
  bytes->ended = false;
  bytes->stopped = bytes->stopped && bytes->stream.end != ENT_STREAM_ENDED;
}

entropic_status ent_bytes_open_memory(entropic_context *context, const void *from, size_t count, ent_bytes **bytes) {
  size_t capacity;
  if (!ent_add(count, ENT_BYTES_PADDING, &capacity))
    return ent_fail(context, ENTROPIC_TOO_LARGE, "%zu bytes are too many", count);
  ent_bytes *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->data = ent_new(context, capacity, 1);
  if (made->data == NULL) {
    ent_bytes_close(made);
    return ENTROPIC_NO_MEMORY;
  }
  memcpy(made->data, from, count);
  made->name = "memory";
  made->line = 1;
  made->capacity = capacity;
  made->end = count;
  made->size = count;
  made->ended = made->begun = true;
  ent_bytes_seal(made->data + made->end);
  *bytes = made;
  return ENTROPIC_OK;
}

void ent_bytes_close(ent_bytes *bytes) {
  if (bytes == NULL)
    return;
  ent_stream_close(&bytes->stream);
  ent_line_map_free(bytes->line_map);
  ent_delete(bytes->label);
  ent_delete(bytes->refusal);
  ent_delete(bytes->entry);
  ent_delete(bytes->path);
  ent_delete(bytes->data);
  ent_delete(bytes->ahead);
  ent_delete(bytes->spool);
  ent_spool_free(bytes->disk);
  ent_delete(bytes->raw);
  ent_delete(bytes);
}

/* Moves what is not used to the front, with room for `least` bytes behind it. */
static entropic_status make_room(entropic_context *context, ent_bytes *bytes, size_t least) {
  size_t used = bytes->end - bytes->at;
  bytes->consumed += bytes->at;
  if (used > 0 && bytes->at > 0)
    memmove(bytes->data, bytes->data + bytes->at, used);
  bytes->at = 0;
  bytes->end = used;
  if (bytes->data != NULL && bytes->capacity - used >= least)
    return ENTROPIC_OK;
  size_t capacity = bytes->data == NULL ? 0 : bytes->capacity + ENT_BYTES_PADDING, needed;
  /* A row longer than the buffer doubles it, so that the work stays in proportion. */
  if (!ent_add(used, used > least ? used : least, &needed) || !ent_add(needed, ENT_BYTES_PADDING, &needed))
    return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory: a line of '%s' is too long", bytes->name);
  if (!ent_reserve(context, &bytes->data, &capacity, needed, 1))
    return ENTROPIC_NO_MEMORY;
  bytes->capacity = capacity - ENT_BYTES_PADDING;
  return ENTROPIC_OK;
}

static entropic_status add_to_spool(entropic_context *context, ent_bytes *bytes, const char *from, size_t count) {
  if (bytes->disk != NULL) {
    entropic_status status = ent_spool_append(context, bytes->disk, from, count);
    if (status != ENTROPIC_OK)
      return status;
  } else {
    if (!ent_reserve(context, &bytes->spool, &bytes->spool_capacity, bytes->spool_used + count, 1))
      return ENTROPIC_NO_MEMORY;
    memcpy(bytes->spool + bytes->spool_used, from, count);
  }
  bytes->spool_used += count;
  bytes->spool_at = bytes->spool_used;
  return ENTROPIC_OK;
}

/* Up to `room` bytes to the end of the buffer. */
static entropic_status fetch(entropic_context *context, ent_bytes *bytes, size_t room, size_t *count) {
  char *to = bytes->data + bytes->end;
  size_t kept = bytes->spool_used - bytes->spool_at;
  if (kept > 0) {
    size_t part = kept < room ? kept : room;
    if (bytes->disk != NULL) {
      entropic_status status = ent_spool_read(context, bytes->disk, bytes->spool_at, to, part);
      if (status != ENTROPIC_OK)
        return status;
    } else {
      memcpy(to, bytes->spool + bytes->spool_at, part);
    }
    bytes->spool_at += part;
    *count = part;
    if (bytes->returns)
      ent_bytes_end_lines(to, to + part);
    return ENTROPIC_OK;
  }
  bool begun = bytes->begun;
  *count = begun ? 0 : ent_bytes_begin(bytes, to);
  if (bytes->wide != 0) {
    entropic_status status = ent_bytes_read_wide(context, bytes, count);
    if (status != ENTROPIC_OK)
      return status;
  } else {
    if (begun)
      *count = ent_bytes_read_chunks(bytes, to, room);
    if (*count == 0)
      return ent_bytes_end_status(context, bytes);
  }
  return bytes->spooling ? add_to_spool(context, bytes, to, *count) : ENTROPIC_OK;
}

/* Goes on to the bytes that were read ahead. What is not used is put before them, and the buffers are exchanged; more than
 * there is room for is made one with them in the old buffer. */
static entropic_status take_ahead(entropic_context *context, ent_bytes *bytes) {
  size_t used = bytes->end - bytes->at, count = bytes->ahead_used;
  if (used > ENT_AHEAD_FRONT) {
    entropic_status status = make_room(context, bytes, count);
    if (status != ENTROPIC_OK)
      return status;
    memcpy(bytes->data + bytes->end, bytes->ahead + ENT_AHEAD_FRONT, count);
    bytes->end += count;
    bytes->ahead_used = 0;
    return ENTROPIC_OK;
  }
  char *former = bytes->data;
  size_t capacity = bytes->capacity;
  memcpy(bytes->ahead + ENT_AHEAD_FRONT - used, bytes->data + bytes->at, used);
  bytes->consumed += bytes->at;
  bytes->at = ENT_AHEAD_FRONT - used;
  bytes->consumed -= bytes->at; /* modulo 2^64: only its sum with a place in the buffer counts */
  bytes->end = ENT_AHEAD_FRONT + count;
  bytes->data = bytes->ahead;
  bytes->capacity = bytes->ahead_capacity;
  bytes->ahead = former;
  bytes->ahead_capacity = capacity;
  bytes->ahead_used = 0;
  return ENTROPIC_OK;
}

/* Reads on to the end of the buffer. */
static entropic_status read_on(entropic_context *context, ent_bytes *bytes) {
  entropic_status status = make_room(context, bytes, ENT_CHUNK);
  if (status != ENTROPIC_OK)
    return status;
  size_t room = bytes->capacity - bytes->end, count = 0;
  if (room > 64u << 20)
    room = 64u << 20;
  status = fetch(context, bytes, room, &count);
  if (status == ENTROPIC_OK)
    bytes->end += count;
  return status;
}

entropic_status ent_bytes_more(entropic_context *context, ent_bytes *bytes, bool *more) {
  *more = false;
  if (bytes->ended || bytes->frozen)
    return ENTROPIC_OK;
  size_t used = bytes->end - bytes->at;
  entropic_status status = bytes->ahead_used > 0 ? take_ahead(context, bytes) : read_on(context, bytes);
  if (status != ENTROPIC_OK) {
    if (bytes->data != NULL)
      ent_bytes_seal(bytes->data + bytes->end); /* what was there before can still be scanned */
    return status;
  }
  *more = bytes->end - bytes->at > used;
  if (bytes->wide != 0 && bytes->returns)
    ent_bytes_end_lines(bytes->data + bytes->at + used, bytes->data + bytes->end);
  if (bytes->line_map != NULL)
    bytes->line_map->known = bytes->part + 1;
  bytes->ended = !*more;
  ent_bytes_seal(bytes->data + bytes->end);
  return ENTROPIC_OK;
}

entropic_status ent_bytes_gather(entropic_context *context, ent_bytes *bytes, size_t count) {
  bool more = true;
  while (bytes->end - bytes->at < count && more)
    if (ent_bytes_more(NULL, bytes, &more) == ENTROPIC_NO_MEMORY)
      return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory while reading '%s'", bytes->name);
  return ENTROPIC_OK;
}

entropic_status ent_bytes_allow_ahead(entropic_context *context, ent_bytes *bytes, size_t count) {
  size_t least = (count + ENT_CHUNK - 1) / ENT_CHUNK * ENT_CHUNK + ENT_AHEAD_FRONT;
  if (!bytes->seekable || bytes->wide != 0 || bytes->ahead_used > 0 ||
      (bytes->ahead != NULL && bytes->ahead_capacity >= least))
    return ENTROPIC_OK;
  char *made = ent_new(context, least + ENT_BYTES_PADDING, 1);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_delete(bytes->ahead);
  bytes->ahead = made;
  bytes->ahead_capacity = least;
  return ENTROPIC_OK;
}

bool ent_bytes_may_read_ahead(const ent_bytes *bytes) {
  return bytes->ahead != NULL && bytes->ahead_used == 0 && bytes->begun && !bytes->stopped && bytes->wide == 0;
}

void ent_bytes_read_ahead(ent_bytes *bytes) {
  if (ent_bytes_may_read_ahead(bytes))
    bytes->ahead_used =
        ent_bytes_read_chunks(bytes, bytes->ahead + ENT_AHEAD_FRONT, bytes->ahead_capacity - ENT_AHEAD_FRONT);
}

entropic_status ent_bytes_need(entropic_context *context, ent_bytes *bytes, size_t count, bool *there) {
  bool more = true;
  *there = false;
  while (bytes->end - bytes->at < count && more) {
    entropic_status status = ent_bytes_more(context, bytes, &more);
    if (status != ENTROPIC_OK)
      return status;
  }
  *there = bytes->end - bytes->at >= count;
  return ENTROPIC_OK;
}

void ent_bytes_take_returns(ent_bytes *bytes) {
  bytes->returns = bytes->first_returns = true;
  ent_bytes_end_lines(bytes->data + bytes->at, bytes->data + bytes->end);
  if (bytes->line_map != NULL && bytes->part == 0)
    bytes->fetched_lines = ent_count_lines(bytes->data, bytes->data + bytes->end);
  bytes->fetched_last = bytes->fetched_last == '\r' ? '\n' : bytes->fetched_last;
}

void ent_bytes_forget(ent_bytes *bytes) {
  if (!bytes->spooling || bytes->spool_at < bytes->spool_used)
    return;
  bytes->spooling = false;
  ent_delete(bytes->spool);
  bytes->spool = NULL;
  ent_spool_free(bytes->disk);
  bytes->disk = NULL;
  bytes->spool_used = bytes->spool_at = bytes->spool_capacity = 0;
}

entropic_status ent_bytes_keep_on_disk(entropic_context *context, ent_bytes *bytes, const ent_spool_options *options) {
  if (!bytes->spooling || bytes->disk != NULL)
    return ENTROPIC_OK;
  ent_spool *disk = NULL;
  entropic_status status = ent_spool_create(context, options, &disk);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_spool_append(context, disk, bytes->spool, bytes->spool_used);
  if (status != ENTROPIC_OK) {
    ent_spool_free(disk);
    return status;
  }
  ent_delete(bytes->spool);
  bytes->spool = NULL;
  bytes->spool_capacity = 0;
  bytes->disk = disk;
  return ENTROPIC_OK;
}

entropic_status ent_bytes_rewind(entropic_context *context, ent_bytes *bytes) {
  if (bytes->seekable && !ent_bytes_rewind_stream(bytes)) {
    char text[ENT_SHOW_SIZE];
    int error = bytes->stream.end == ENT_STREAM_SYSTEM ? bytes->stream.error : errno;
    return ent_fail(context, ENTROPIC_SYSTEM, "cannot read '%s': %s", bytes->path, ent_error_text(error, text));
  }
  if (!bytes->seekable && !bytes->spooling)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is not a regular file and cannot be read again", bytes->name);
  bytes->begun = bytes->begun && !bytes->seekable;
  bytes->stopped = bytes->stopped && !bytes->seekable;
  bytes->spool_at = bytes->ahead_used = 0;
  bytes->at = bytes->end = 0;
  bytes->consumed = 0;
  bytes->line = 1;
  bytes->ended = false;
  bool more;
  return ent_bytes_more(context, bytes, &more);
}

bool ent_bytes_may_seek(const ent_bytes *bytes) {
  return bytes->seekable && bytes->size > 0 && bytes->wide == 0 && bytes->line_map == NULL;
}

entropic_status ent_bytes_seek(entropic_context *context, ent_bytes *bytes, uint64_t place, size_t line) {
  if (!ent_stream_seek(&bytes->stream, place)) {
    char text[ENT_SHOW_SIZE];
    return ent_fail(context, ENTROPIC_SYSTEM, "cannot read '%s': %s", bytes->name, ent_error_text(errno, text));
  }
  bytes->begun = true;
  bytes->stopped = bytes->ended = false;
  bytes->ahead_used = bytes->at = bytes->end = 0;
  bytes->consumed = place;
  bytes->line = line;
  bool more;
  return ent_bytes_more(context, bytes, &more);
}
