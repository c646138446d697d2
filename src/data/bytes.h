/* The bytes of a file, plain or compressed, in a buffer that the readers parse in place. UTF-16 with a byte-order mark has
 * become UTF-8, without the mark. Several files may follow one another as one text. */
#ifndef ENT_DATA_BYTES_H
#define ENT_DATA_BYTES_H

#include <stdbool.h>

#include "base/memory.h"
#include "base/spool.h"
#include "data/files.h"
#include "columns/line_map.h"
#include "data/stream.h"

/* So many bytes may be read past the end: the first is a line feed, which stops every scan. */
#define ENT_BYTES_PADDING 64

/* What a reader says of the first bytes of a file after the first one. */
typedef enum ent_entry_verdict {
  ENT_ENTRY_TAKEN,
  ENT_ENTRY_MORE,   /* more bytes are needed to tell */
  ENT_ENTRY_REFUSED /* with a message */
} ent_entry_verdict;

#define ENT_ENTRY_PROBLEM 1024

/* The top of a file after the first one. */
typedef struct ent_entry_text {
  const char *file, *first_file;
  const char *bytes;
  size_t count;
  bool ended; /* there are no more of them */
} ent_entry_text;

/* Looks at the top of a file: *skip bytes of it are not part of the text. Called on any thread while others may parse:
 * nothing that they use is changed. */
typedef struct ent_entry_check {
  ent_entry_verdict (*look)(const void *user, const ent_entry_text *text, size_t *skip,
                            char problem[ENT_ENTRY_PROBLEM]);
  const void *user;
} ent_entry_check;

typedef struct ent_bytes {
  const char *name; /* for messages: the path, or what standard input is called */
  char *data;
  size_t at, end;    /* what has been read and not yet used */
  bool ended;        /* the file ends at `end` */
  bool frozen;       /* no more is read for now */
  size_t line;       /* of data[at], kept by the reader */
  uint64_t consumed; /* bytes that came before data[0], modulo 2^64: consumed + at is the place of data[at] */
  uint64_t size;     /* of the text; 0 if not known beforehand */
  /* The part of the file that is read: rows that begin at `stop` or later are not. 0 and 0: all of it. */
  uint64_t start, stop;

  /* Private. */
  ent_stream stream;      /* of the file that is read */
  char *path;             /* of the first file */
  char *label;            /* of several: what they are called */
  ent_line_map *line_map; /* of several; NULL: there is one */
  size_t part;            /* the file that is read */
  bool joined;            /* other files follow the first one */
  ent_entry_check check;
  char *refusal; /* why a file was refused, or NULL */
  char *entry;   /* the first bytes of a file after the first one: entry[entry_at .. entry_used) are to be read */
  size_t entry_at, entry_used, entry_capacity;
  size_t fetched_lines; /* line feeds in all that was read, of several files */
  char fetched_last;    /* the last byte that was read */
  size_t capacity;
  bool returns; /* CR alone ends lines; and in the first file */
  bool first_returns;
  bool begun;         /* its first bytes have been read */
  int wide;           /* UTF-16: 1 little-endian, 2 big-endian; otherwise 0 */
  unsigned char *raw; /* UTF-16 that is not yet UTF-8 */
  size_t raw_used;
  uint64_t raw_at; /* the place of raw[0] in the file */
  bool seekable;
  char *spool;     /* all that came from a pipe, so that it can be read again */
  ent_spool *disk; /* in its place, where memory is bounded; NULL: it is in memory */
  size_t spool_used, spool_capacity, spool_at;
  bool spooling;
  bool stopped; /* there are no more bytes, or reading failed: the stream knows why */
  char *ahead;  /* bytes that follow data[end], read before they are needed, from ENT_AHEAD_FRONT on */
  size_t ahead_capacity, ahead_used;
} ent_bytes;

/* "-" is standard input. */
entropic_status ent_bytes_open(entropic_context *context, const char *path, ent_bytes **bytes);
/* The same for files. There is only the first of them, until they are joined. */
entropic_status ent_bytes_open_files(entropic_context *context, const ent_files *files, ent_bytes **bytes);
/* From here on the other files follow the first. A line feed is put between them where there is none. Without a `look`
 * all of each file is text, but for a byte-order mark. */
void ent_bytes_join(ent_bytes *bytes, const ent_entry_check *check);
/* A copy of bytes in memory, which are text as it is. They cannot be read again. */
entropic_status ent_bytes_open_memory(entropic_context *context, const void *from, size_t count, ent_bytes **bytes);
void ent_bytes_close(ent_bytes *bytes);

/* Reads on: what is between at and end stays, but moves to the front. *more is false at the end of the file, and
 * while the bytes are frozen. */
entropic_status ent_bytes_more(entropic_context *context, ent_bytes *bytes, bool *more);
/* Reads on until at least `count` bytes are at hand; *there is false if the file ends before. */
entropic_status ent_bytes_need(entropic_context *context, ent_bytes *bytes, size_t count, bool *there);
/* Reads on like ent_bytes_need, but leaves the failure of a file for ent_bytes_more to find again: what is at hand comes
 * first. */
entropic_status ent_bytes_gather(entropic_context *context, ent_bytes *bytes, size_t count);
/* Makes room for `count` bytes, or some more, that can be read ahead. Nothing happens where that does not pay: with pipes,
 * whose rows are wanted as they come, and with UTF-16. */
entropic_status ent_bytes_allow_ahead(entropic_context *context, ent_bytes *bytes, size_t count);
/* Can bytes be read ahead now? */
bool ent_bytes_may_read_ahead(const ent_bytes *bytes);
/* Reads the bytes that follow into room of their own, where the next ent_bytes_more finds them. What is between at and end
 * stays where it is, and other threads may read it meanwhile. A failure is left to ent_bytes_more. */
void ent_bytes_read_ahead(ent_bytes *bytes);
/* From here on CR counts as a line feed. */
void ent_bytes_take_returns(ent_bytes *bytes);

/* What comes from a pipe is kept, so that it can be read again, until it is said that it need not be. */
void ent_bytes_forget(ent_bytes *bytes);
/* They are kept on disk from now on, what is kept already, too. Nothing happens with files. */
entropic_status ent_bytes_keep_on_disk(entropic_context *context, ent_bytes *bytes, const ent_spool_options *options);
/* Back to the first byte; BAD_ARGUMENT for a pipe that was not kept. */
entropic_status ent_bytes_rewind(entropic_context *context, ent_bytes *bytes);

/* Can reading begin anywhere in the file? Not if it is a pipe, compressed, or UTF-16. */
bool ent_bytes_may_seek(const ent_bytes *bytes);
/* On to a byte of such a file, which is in that line. */
entropic_status ent_bytes_seek(entropic_context *context, ent_bytes *bytes, uint64_t place, size_t line);
/* The place of data[at] in the file. */
static inline uint64_t ent_bytes_place(const ent_bytes *bytes) {
  return bytes->consumed + bytes->at;
}
/* How much of what is read of the file has been used; its size is known. */
static inline double ent_bytes_share(const ent_bytes *bytes) {
  uint64_t end = bytes->stop == 0 ? bytes->size : bytes->stop;
  return end <= bytes->start ? 1 : (double)(ent_bytes_place(bytes) - bytes->start) / (double)(end - bytes->start);
}
/* Do rows that begin at data[at] belong to another part? */
static inline bool ent_bytes_past_stop(const ent_bytes *bytes) {
  return bytes->stop != 0 && ent_bytes_place(bytes) >= bytes->stop;
}
/* How many of the bytes at hand come before the stop. */
static inline size_t ent_bytes_before_stop(const ent_bytes *bytes) {
  size_t left = bytes->end - bytes->at;
  if (bytes->stop == 0)
    return left;
  uint64_t place = ent_bytes_place(bytes), own = bytes->stop > place ? bytes->stop - place : 0;
  return own < left ? (size_t)own : left;
}

#endif
