#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "signals.h"

#define BUFFER_SIZE ((size_t)65536)
#define NUMBERS ((size_t)64) /* written at a time */

struct cli_output {
  const cli_session *session;
  entropic_output *file;  /* NULL: all of it stays in the buffer */
  bool held;              /* signals wait: there is a file to be cleaned up */
  entropic_status status; /* of the first write that failed */
  size_t used, capacity;
  char *buffer;
};

int write_failure(const cli_session *session, entropic_status status) {
  if (signals_pipe_broken())
    return EXIT_PIPE;
  return status == ENTROPIC_NO_MEMORY ? complain_memory(session) : complain_library(session, status);
}

bool ends_with(const char *path, const char *ending) {
  size_t length = strlen(path), tail = strlen(ending);
  return length >= tail && !strcasecmp(path + length - tail, ending);
}

static void release(cli_output *output) {
  free(output->buffer);
  free(output);
}

cli_output *output_in_memory(const cli_session *session) {
  cli_output *output = calloc(1, sizeof *output);
  if (!output)
    return NULL;
  output->session = session;
  output->capacity = BUFFER_SIZE;
  output->buffer = malloc(output->capacity);
  if (output->buffer)
    return output;
  free(output);
  return NULL;
}

cli_output *output_begin(const cli_session *session, const char *path, int *result) {
  cli_output *output = output_in_memory(session);
  if (!output) {
    *result = complain_memory(session);
    return NULL;
  }
  output->held = strcmp(path, "-") != 0;
  progress_end(session->bar);
  if (output->held)
    signals_hold();
  entropic_status status = entropic_output_create(session->context, path, &output->file);
  if (!status && ends_with(path, ".gz"))
    notice(session, "%s: the output is not compressed, whatever its name", path);
  if (!status)
    return output;
  if (output->held)
    signals_release();
  release(output);
  *result = complain_library(session, status);
  return NULL;
}

static void flush(cli_output *output) {
  if (!output->status && output->used)
    output->status = entropic_output_write(output->session->context, output->file, output->buffer, output->used);
  output->used = 0;
}

/* Makes room for some bytes, at most BUFFER_SIZE of them. There always is: what a failure leaves behind is not written. */
static void make_room(cli_output *output, size_t count) {
  if (output->capacity - output->used >= count)
    return;
  if (output->file) {
    flush(output);
    return;
  }
  char *grown = realloc(output->buffer, 2 * output->capacity);
  if (!grown) {
    output->status = ENTROPIC_NO_MEMORY;
    output->used = 0;
    return;
  }
  output->buffer = grown;
  output->capacity *= 2;
}

void output_bytes(cli_output *output, const void *bytes, size_t count) {
  const char *from = bytes;
  while (count) {
    size_t part = count < BUFFER_SIZE ? count : BUFFER_SIZE;
    make_room(output, part);
    memcpy(output->buffer + output->used, from, part);
    output->used += part;
    from += part;
    count -= part;
  }
}

void output_string(cli_output *output, const char *text) {
  output_bytes(output, text, strlen(text));
}

void output_character(cli_output *output, char character) {
  output_bytes(output, &character, 1);
}

void output_number(cli_output *output, double value) {
  make_room(output, ENTROPIC_NUMBER_SIZE);
  output->used += entropic_format_double(value, output->buffer + output->used);
}

void output_numbers(cli_output *output, const double *values, size_t count) {
  while (count) {
    size_t part = count < NUMBERS ? count : NUMBERS;
    make_room(output, NUMBERS * ENTROPIC_NUMBER_SIZE);
    output->used += entropic_format_list(values, part, output->buffer + output->used);
    values += part;
    count -= part;
    if (count)
      output_character(output, ',');
  }
}

void output_field(cli_output *output, const char *before, const char *text) {
  size_t length = strlen(text);
  bool blank = length && (strchr(" \t", text[0]) || strchr(" \t", text[length - 1]));
  bool quoted = blank || !(*before || length) || strpbrk(before, ",\"\r\n") || strpbrk(text, ",\"\r\n;");
  if (!quoted) {
    output_string(output, before);
    output_string(output, text);
    return;
  }
  output_character(output, '"');
  output_string(output, before);
  for (; *text; text++) {
    if (*text == '"')
      output_character(output, '"');
    output_character(output, *text);
  }
  output_character(output, '"');
}

void output_count(cli_output *output, uint64_t value) {
  char digits[20];
  size_t first = sizeof digits;
  do {
    digits[--first] = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  output_bytes(output, digits + first, sizeof digits - first);
}

void output_append(cli_output *output, cli_output *part) {
  flush(output);
  if (!output->status)
    output->status = part->status;
  if (!output->status && part->used)
    output->status = entropic_output_write(output->session->context, output->file, part->buffer, part->used);
  part->used = 0;
}

void output_free(cli_output *output) {
  if (output)
    release(output);
}

int output_stopped(const cli_output *output) {
  return output->status || signals_pending();
}

int output_end(cli_output *output, bool success) {
  int result = EXIT_DONE;
  flush(output);
  if (success && !output->status && !signals_pending())
    output->status = entropic_output_commit(output->session->context, output->file);
  if (output->status)
    result = write_failure(output->session, output->status);
  entropic_output_free(output->file);
  if (output->held)
    signals_release();
  release(output);
  return signals_pending() ? signals_pending() : result;
}

static bool same_inode(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The folder a path leads into; false if it cannot be looked at. */
static bool folder_of(const char *path, struct stat *folder) {
  const char *slash = strrchr(path, '/');
  if (!slash)
    return !stat(".", folder);
  char *name = strndup(path, (size_t)(slash - path) + 1);
  bool found = name && !stat(name, folder);
  free(name);
  return found;
}

static const char *last_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Whether two paths lead to the same file: through links too if both are there already, and if not, by folder and name,
 * so that x and ./x are one. */
static bool same_file(const char *a, const char *b) {
  struct stat left, right;
  if (!strcmp(a, b))
    return true;
  bool left_there = !stat(a, &left), right_there = !stat(b, &right);
  if (left_there && right_there)
    return S_ISREG(left.st_mode) && same_inode(&left, &right);
  return !left_there && !right_there && strcmp(a, "-") && strcmp(b, "-") && !strcmp(last_name(a), last_name(b)) &&
         folder_of(a, &left) && folder_of(b, &right) && same_inode(&left, &right);
}

/* Is one of the paths, of which there are several with a line feed between two, that file? */
static bool has_file(const char *paths, const char *path) {
  if (!strchr(paths, '\n'))
    return same_file(paths, path);
  for (const char *next = paths; *next;) {
    size_t length = strcspn(next, "\n");
    char *one = strndup(next, length);
    bool same = one && same_file(one, path);
    free(one);
    if (same)
      return true;
    next += length + (next[length] == '\n');
  }
  return false;
}

int destinations_check(const cli_session *session, const cli_destination *places, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 1; j < count; j++) {
      const cli_destination *a = &places[i], *b = &places[j];
      if (!a->path || !b->path || (a->read && b->read) ||
          !(b->read ? has_file(b->path, a->path) : has_file(a->path, b->path)))
        continue;
      if (a->read == b->read)
        return complain(session, EXIT_USAGE, "%s and %s cannot both go to %s", a->what, b->what,
                        strcmp(a->path, "-") ? a->path : "standard output");
      if (strcmp(a->path, "-")) /* otherwise it is standard input here, standard output there */
        return complain(session, EXIT_USAGE, "%s would replace %s: %s", a->read ? b->what : a->what,
                        a->read ? a->what : b->what, a->read ? b->path : a->path);
    }
  return EXIT_DONE;
}

int check_writable(const cli_session *session, const char *path) {
  struct stat info;
  if (!strcmp(path, "-"))
    return EXIT_DONE;
  if (!stat(path, &info))
    return S_ISDIR(info.st_mode) ? complain(session, EXIT_SYSTEM, "%s: is a folder, not a file", path) : EXIT_DONE;
  const char *slash = strrchr(path, '/');
  char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
  if (!folder)
    return complain_memory(session);
  int result = access(folder, W_OK) ? complain(session, EXIT_SYSTEM, "cannot write %s: %s", path, strerror(errno)) : 0;
  free(folder);
  return result;
}

int output_print(const cli_session *session, const char *text) {
  int result = EXIT_DONE;
  cli_output *output = output_begin(session, "-", &result);
  if (!output)
    return result;
  output_string(output, text);
  return output_end(output, true);
}

entropic_report *report_begin(const cli_session *session, int *result) {
  entropic_report *report = NULL;
  entropic_status status = entropic_report_create(session->context, &report);
  if (status)
    *result = complain_library(session, status);
  return report;
}

int report_print(const cli_session *session, const entropic_report *report, const char *path) {
  const char *text = entropic_report_json(report);
  if (!text)
    return complain_memory(session);
  int result = EXIT_DONE;
  cli_output *output = output_begin(session, path, &result);
  if (!output)
    return result;
  output_string(output, text);
  output_character(output, '\n');
  return output_end(output, true);
}
