/* A log of runs that are done: see run_log.h. */
#include "compare/run_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_lock.h"
#include "base/memory.h"

/* A line: "run" or "time", method, "tuned" or "rule", features, non-zeros and number of the key, then these numbers. */
enum { ERROR, BANDWIDTH, LAMBDA, SCALING, KERNEL, TRIES, TUNING_ERROR, NONZEROS, FEATURES, RUN_NUMBERS };
enum { MAKE, TRAIN, LIFT, GIVEN, OTHERS, TIME_NUMBERS };
#define MOST_NUMBERS ((size_t)RUN_NUMBERS)
#define LINE_SIZE 1024
#define CONSTANT "constant"

typedef struct ent_log_line {
  bool time;
  ent_logged_key key;
  double numbers[MOST_NUMBERS];
} ent_log_line;

struct ent_run_log {
  int file;
  off_t size; /* of its complete lines */
  char *path;
  ent_log_line *lines;
  size_t count, capacity;
  atomic_flag busy; /* held for microseconds */
};

static void lock(ent_run_log *log) {
  while (atomic_flag_test_and_set_explicit(&log->busy, memory_order_acquire))
    ;
}

static void unlock(ent_run_log *log) {
  atomic_flag_clear_explicit(&log->busy, memory_order_release);
}

static bool same_key(const ent_logged_key *a, const ent_logged_key *b) {
  return a->number == b->number && a->request.method == b->request.method && a->request.tuned == b->request.tuned &&
         a->request.features == b->request.features && a->request.nonzeros == b->request.nonzeros;
}

static bool find_line(ent_run_log *log, bool time, const ent_logged_key *key, double *numbers) {
  bool found = false;
  if (log == NULL)
    return false;
  lock(log);
  for (size_t i = 0; i < log->count && !found; i++) {
    const ent_log_line *line = &log->lines[i];
    found = line->time == time && same_key(&line->key, key);
    if (found)
      memcpy(numbers, line->numbers, sizeof line->numbers);
  }
  unlock(log);
  return found;
}

bool ent_run_log_find(ent_run_log *log, const ent_logged_key *key, ent_performance *performance) {
  double n[MOST_NUMBERS];
  if (!find_line(log, false, key, n))
    return false;
  *performance = (ent_performance){.error = n[ERROR],
                                   .choice = {.bandwidth = n[BANDWIDTH],
                                              .lambda = n[LAMBDA],
                                              .scaling = (entropic_scaling)n[SCALING],
                                              .kernel = (size_t)n[KERNEL],
                                              .tries = (size_t)n[TRIES],
                                              .error = n[TUNING_ERROR]},
                                   .nonzeros = n[NONZEROS],
                                   .features = (size_t)n[FEATURES]};
  return true;
}

bool ent_run_log_find_time(ent_run_log *log, const ent_logged_key *key, ent_logged_time *time) {
  double n[MOST_NUMBERS];
  if (!find_line(log, true, key, n))
    return false;
  *time = (ent_logged_time){.durations = {.make = n[MAKE], .train = n[TRAIN], .lift = n[LIFT], .given = n[GIVEN]},
                            .others = n[OTHERS]};
  return true;
}

static const char *method_name(ent_compare_method method) {
  return method == ENT_COMPARE_METHODS ? CONSTANT : ent_compare_method_name(method);
}

/* One line of text, with its end; returns its length. */
static size_t write_line(const ent_log_line *line, char text[LINE_SIZE]) {
  const ent_request *request = &line->key.request;
  size_t count = line->time ? TIME_NUMBERS : RUN_NUMBERS;
  size_t length = (size_t)snprintf(text, LINE_SIZE, "%s\t%s\t%s\t%zu\t%zu\t%" PRIu64, line->time ? "time" : "run",
                                   method_name(request->method), request->tuned ? "tuned" : "rule", request->features,
                                   request->nonzeros, line->key.number);
  for (size_t i = 0; i < count; i++) {
    text[length++] = '\t';
    length += entropic_format_double(line->numbers[i], text + length);
  }
  text[length++] = '\n';
  return length;
}

static entropic_status system_failure(entropic_context *context, const ent_run_log *log, const char *what) {
  return ent_fail(context, ENTROPIC_SYSTEM, "%s: %s: %s", log->path, what, strerror(errno));
}

/* Writes all bytes, or fails. */
static entropic_status write_all(entropic_context *context, const ent_run_log *log, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(log->file, bytes, count);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return system_failure(context, log, "cannot write");
    bytes += written;
    count -= (size_t)written;
  }
  return ENTROPIC_OK;
}

static entropic_status keep_line(entropic_context *context, ent_run_log *log, const ent_log_line *line) {
  if (!ent_reserve(context, &log->lines, &log->capacity, log->count + 1, sizeof *log->lines))
    return ENTROPIC_NO_MEMORY;
  log->lines[log->count++] = *line;
  return ENTROPIC_OK;
}

static entropic_status add_line(entropic_context *context, ent_run_log *log, const ent_log_line *line) {
  char text[LINE_SIZE];
  size_t length = write_line(line, text);
  lock(log);
  entropic_status status = keep_line(context, log, line);
  if (status != ENTROPIC_OK)
    goto done;
  status = write_all(context, log, text, length);
  if (status == ENTROPIC_OK)
    log->size += (off_t)length;
  else if (ftruncate(log->file, log->size) == 0) /* half a line would spoil the next one */
    lseek(log->file, log->size, SEEK_SET);
done:
  unlock(log);
  return status;
}

entropic_status ent_run_log_add(entropic_context *context, ent_run_log *log, const ent_logged_key *key,
                                const ent_performance *performance) {
  const ent_choice *choice = &performance->choice;
  ent_log_line line = {.key = *key,
                       .numbers = {[ERROR] = performance->error,
                                   [BANDWIDTH] = choice->bandwidth,
                                   [LAMBDA] = choice->lambda,
                                   [SCALING] = (double)choice->scaling,
                                   [KERNEL] = (double)choice->kernel,
                                   [TRIES] = (double)choice->tries,
                                   [TUNING_ERROR] = choice->error,
                                   [NONZEROS] = performance->nonzeros,
                                   [FEATURES] = (double)performance->features}};
  return log == NULL ? ENTROPIC_OK : add_line(context, log, &line);
}

entropic_status ent_run_log_add_time(entropic_context *context, ent_run_log *log, const ent_logged_key *key,
                                     const ent_logged_time *time) {
  const ent_durations *d = &time->durations;
  ent_log_line line = {
      .time = true,
      .key = *key,
      .numbers = {[MAKE] = d->make, [TRAIN] = d->train, [LIFT] = d->lift, [GIVEN] = d->given, [OTHERS] = time->others}};
  return log == NULL ? ENTROPIC_OK : add_line(context, log, &line);
}

/* The next field of a line, which ends with a tab or the end of the line; *at is moved beyond: past the length only after
 * the last one. */
static size_t next_field(const char *line, size_t length, size_t *at, const char **field) {
  size_t start = *at < length ? *at : length, end = start;
  while (end < length && line[end] != '\t')
    end++;
  *field = line + start;
  *at = end + 1;
  return end - start;
}

static bool read_whole(const char *field, size_t size, uint64_t *value) {
  *value = 0;
  for (size_t i = 0; i < size; i++) {
    uint64_t digit = (uint64_t)(unsigned char)field[i] - '0'; /* what is none is larger than 9 */
    if (digit > 9 || *value > UINT64_MAX / 10 || 10 * *value > UINT64_MAX - digit)
      return false;
    *value = 10 * *value + digit;
  }
  return size > 0;
}

static bool is_word(const char *field, size_t size, const char *word) {
  return size == strlen(word) && memcmp(field, word, size) == 0;
}

static bool read_method(const char *field, size_t size, ent_compare_method *method) {
  for (*method = 0; *method <= ENT_COMPARE_METHODS; ++*method)
    if (is_word(field, size, method_name(*method)))
      return true;
  return false;
}

/* Fields of the key. */
static bool read_key(const char *text, size_t length, size_t *at, ent_log_line *line) {
  const char *f;
  uint64_t whole[3];
  size_t size = next_field(text, length, at, &f);
  line->time = is_word(f, size, "time");
  if (!line->time && !is_word(f, size, "run"))
    return false;
  size = next_field(text, length, at, &f);
  if (!read_method(f, size, &line->key.request.method))
    return false;
  size = next_field(text, length, at, &f);
  line->key.request.tuned = is_word(f, size, "tuned");
  if (!line->key.request.tuned && !is_word(f, size, "rule"))
    return false;
  for (int i = 0; i < 3; i++) {
    size = next_field(text, length, at, &f);
    if (!read_whole(f, size, &whole[i]))
      return false;
  }
  line->key.request.features = (size_t)whole[0];
  line->key.request.nonzeros = (size_t)whole[1];
  line->key.number = whole[2];
  return true;
}

static bool is_count(double value, double most) {
  return value >= 0 && value <= most && value == floor(value);
}

/* Whether a choice that the log has can be one. */
static bool is_choice(const ent_log_line *line) {
  const double *n = line->numbers;
  size_t kernels =
      line->key.request.method < ENT_COMPARE_METHODS ? ent_compare_method_kernels(line->key.request.method) : 1;
  return line->time || (is_count(n[SCALING], ENTROPIC_SCALING_BLEND) && is_count(n[KERNEL], (double)(kernels - 1)) &&
                        is_count(n[TRIES], 1e9) && is_count(n[FEATURES], 1e15));
}

static bool read_line(const char *text, size_t length, ent_log_line *line) {
  size_t at = 0;
  *line = (ent_log_line){0};
  if (!read_key(text, length, &at, line))
    return false;
  size_t count = line->time ? TIME_NUMBERS : RUN_NUMBERS;
  for (size_t i = 0; i < count; i++) {
    const char *f;
    size_t size = next_field(text, length, &at, &f);
    if (entropic_parse_double(f, size, &line->numbers[i]) != ENTROPIC_OK)
      return false;
  }
  return at == length + 1 && is_choice(line);
}

/* The whole file; *size bytes, which the caller deletes. */
static entropic_status read_file(entropic_context *context, const ent_run_log *log, char **bytes, size_t *size) {
  struct stat info;
  if (fstat(log->file, &info) != 0)
    return system_failure(context, log, "cannot read");
  char *text = ent_new(context, (size_t)info.st_size + 1, 1);
  if (text == NULL)
    return ENTROPIC_NO_MEMORY;
  *size = 0;
  while (*size < (size_t)info.st_size) {
    ssize_t got = read(log->file, text + *size, (size_t)info.st_size - *size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0) {
      ent_delete(text);
      return system_failure(context, log, "cannot read");
    }
    if (got == 0)
      break;
    *size += (size_t)got;
  }
  *bytes = text;
  return ENTROPIC_OK;
}

/* Reads the lines of the file; *end is where the last complete one ends. */
static entropic_status read_lines(entropic_context *context, ent_run_log *log, const char *text, size_t size,
                                  const char *head, size_t *end) {
  size_t number = 0;
  *end = 0;
  for (;;) {
    const char *from = text + *end, *stop = memchr(from, '\n', size - *end);
    size_t length = stop != NULL ? (size_t)(stop - from) : size - *end;
    ent_log_line line;
    number++;
    /* An incomplete line is removed; the first one only if it is the beginning of the head. */
    if (stop == NULL && (number > 1 || (length <= strlen(head) && memcmp(from, head, length) == 0)))
      return ENTROPIC_OK;
    if (number == 1 && !is_word(from, length, head))
      return ent_fail(
          context, ENTROPIC_BAD_DATA,
          "%s: it begins with \"%.*s\", expected \"%s\": it holds other runs; remove the file or choose another folder",
          log->path, (int)(length < 200 ? length : 200), from, head);
    if (number > 1 && !read_line(from, length, &line))
      return ent_fail(context, ENTROPIC_BAD_DATA, "%s:%zu: \"%.*s\" is not a line of a run log", log->path, number,
                      (int)(length < 200 ? length : 200), from);
    if (number > 1) {
      entropic_status status = keep_line(context, log, &line);
      if (status != ENTROPIC_OK)
        return status;
    }
    *end += length + 1;
  }
}

/* Reads what is there and makes the file end with a complete line, at least the head. */
static entropic_status take_up(entropic_context *context, ent_run_log *log, const char *head) {
  char *text = NULL;
  size_t size = 0, end = 0;
  entropic_status status = read_file(context, log, &text, &size);
  if (status != ENTROPIC_OK)
    return status;
  status = read_lines(context, log, text, size, head, &end);
  if (status != ENTROPIC_OK)
    goto done;
  if (end < size && ftruncate(log->file, (off_t)end) != 0) {
    status = system_failure(context, log, "cannot be written");
    goto done;
  }
  if (lseek(log->file, (off_t)end, SEEK_SET) < 0) {
    status = system_failure(context, log, "cannot be written");
    goto done;
  }
  log->size = (off_t)end;
  if (end > 0)
    goto done;
  status = write_all(context, log, head, strlen(head));
  if (status != ENTROPIC_OK)
    goto done;
  status = write_all(context, log, "\n", 1);
  log->size = (off_t)strlen(head) + 1;
done:
  ent_delete(text);
  return status;
}

entropic_status ent_run_log_open(entropic_context *context, const char *path, const char *head, ent_run_log **log) {
  ent_run_log *made = ent_new(context, 1, sizeof *made);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (made == NULL)
    return status;
  made->file = -1;
  atomic_flag_clear(&made->busy);
  made->path = ent_new_text(context, path, strlen(path));
  if (made->path == NULL)
    goto fail;
  made->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (made->file < 0) {
    status = system_failure(context, made, "cannot open");
    goto fail;
  }
  if (ent_file_lock_take(made->file, 0) == ENT_FILE_BUSY) {
    status = ent_fail(context, ENTROPIC_SYSTEM, "%s: another process is writing to it", path);
    goto fail;
  }
  status = take_up(context, made, head);
  if (status != ENTROPIC_OK)
    goto fail;
  *log = made;
  return ENTROPIC_OK;
fail:
  ent_run_log_close(made);
  return status;
}

void ent_run_log_close(ent_run_log *log) {
  if (log == NULL)
    return;
  if (log->file >= 0)
    close(log->file);
  ent_delete(log->lines);
  ent_delete(log->path);
  ent_delete(log);
}
