#include "session.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "signals.h"

#define SMALL_VALUES ((size_t)1 << 22)

#define MESSAGE_SIZE 2048
#define NAME_WIDTH "11"

/* File names and data end up in messages; their control characters must not reach the terminal. */
static void make_printable(char *text) {
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c < 0x20 || c == 0x7f)
      *text = '?';
  }
}

static void speak(const cli_session *session, const char *mark, const char *format, va_list arguments) {
  char text[MESSAGE_SIZE];
  vsnprintf(text, sizeof text, format, arguments); // NOLINT(clang-analyzer-valist.Uninitialized): callers start it
  make_printable(text);
  progress_end(session->bar);
  if (session->command)
    fprintf(stderr, "entropic %s: %s%s\n", session->command, mark, text);
  else
    fprintf(stderr, "entropic: %s%s\n", mark, text);
}

int complain(const cli_session *session, int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  speak(session, "", format, arguments);
  va_end(arguments);
  return status;
}

static int exit_status(entropic_status status) {
  switch (status) {
  case ENTROPIC_OK:
    return EXIT_DONE;
  case ENTROPIC_BAD_ARGUMENT:
    return EXIT_USAGE;
  case ENTROPIC_BAD_DATA:
    return EXIT_DATA;
  case ENTROPIC_NO_MEMORY:
  case ENTROPIC_TOO_LARGE:
  case ENTROPIC_SYSTEM:
  case ENTROPIC_CANCELLED:
    break;
  }
  return EXIT_SYSTEM;
}

static const char *library_message(const cli_session *session, entropic_status status) {
  const char *message = entropic_context_message(session->context);
  return *message ? message : entropic_status_text(status);
}

int complain_library(const cli_session *session, entropic_status status) {
  if (signals_pending()) /* that is why, and nothing to complain about */
    return signals_pending();
  return complain(session, exit_status(status), "%s", library_message(session, status));
}

int complain_about(const cli_session *session, const char *path, entropic_status status) {
  if (signals_pending())
    return signals_pending();
  const char *message = library_message(session, status);
  const char *name = strcmp(path, "-") ? path : "standard input"; /* as the library calls it */
  bool several = strchr(name, '\n') != NULL; /* of several files the library names the one that is meant */
  if (several || !strncmp(message, name, strcspn(name, "*?[")))
    return complain(session, exit_status(status), "%s", message);
  return complain(session, exit_status(status), "%s: %s", name, message);
}

int complain_memory(const cli_session *session) {
  return complain(session, EXIT_SYSTEM, "out of memory");
}

void notice(const cli_session *session, const char *format, ...) {
  if (session->quiet)
    return;
  va_list arguments;
  va_start(arguments, format);
  speak(session, "notice: ", format, arguments);
  va_end(arguments);
}

void summary_line(const cli_session *session, const char *name, const char *value) {
  if (session->quiet)
    return;
  char text[MESSAGE_SIZE];
  snprintf(text, sizeof text, "%-" NAME_WIDTH "s %s", name, value);
  make_printable(text);
  progress_end(session->bar);
  fprintf(stderr, "%s\n", text);
}

double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

cli_progress progress_start(const cli_session *session, const char *what) {
  return (cli_progress){.session = session, .what = what, .start = seconds_now()};
}

/* Whether it is time to draw. */
static bool is_due(cli_progress *progress) {
  double now = seconds_now();
  if (progress->session->quiet || now - progress->start < 1 || now - progress->drawn < 0.1 || !isatty(STDERR_FILENO))
    return false;
  progress->drawn = now;
  return true;
}

/* Draws the bar, and some text behind it. */
static void draw_bar(const cli_progress *progress, size_t done, size_t total, const char *more) {
  char bar[31];
  size_t filled = total ? (size_t)(30 * ((double)done / (double)total)) : 30;
  memset(bar, '.', 30);
  memset(bar, '#', filled > 30 ? 30 : filled);
  bar[30] = 0;
  fprintf(stderr, "\r%s [%s] %3.0f %%%s\033[K", progress->what, bar,
          total ? 100 * ((double)done / (double)total) : 100.0, more);
}

void progress_step(cli_progress *progress, size_t done, size_t total) {
  if (is_due(progress))
    draw_bar(progress, done, total, "");
}

void progress_rows(cli_progress *progress, size_t rows) {
  if (is_due(progress))
    fprintf(stderr, "\r%s: %zu rows\033[K", progress->what, rows);
}

#define READING "reading"

/* How fast a file is read, and how long it takes from now on; "" before that can be said, and of other work. */
static const char *reading_speed(const cli_progress *progress, double done, char text[SHOWN_SIZE]) {
  double took = seconds_now() - progress->stage_start;
  text[0] = 0;
  if (strncmp(progress->stage, READING, strlen(READING)) || took < 2 || done >= 1)
    return text;
  int used = progress->bytes > 0 ? snprintf(text, SHOWN_SIZE, ", %.0f MB/s", progress->bytes * done / took / 1e6) : 0;
  snprintf(text + used, SHOWN_SIZE - (size_t)used, ", %.0f s left", took * (1 - done) / done);
  return text;
}

/* What the library is at. The text is the library's, and may end with the call. */
static void take_stage(cli_progress *progress, const char *stage) {
  if (!strcmp(progress->stage, stage))
    return;
  bool reads = !strncmp(stage, READING, strlen(READING)) && !strncmp(progress->stage, READING, strlen(READING));
  if (!reads)
    progress->stage_start = seconds_now();
  snprintf(progress->stage, sizeof progress->stage, "%s", stage);
  progress->what = progress->stage;
  if (strncmp(stage, READING " into ", strlen(READING " into ")))
    return;
  notice(progress->session, "rows go %s", stage + strlen(READING " "));
  progress->what = READING;
}

/* An entropic_progress; user is the bar. A share of 0 may mean that nobody knows how far it has come. */
static int draw_stage(void *user, const char *stage, double done) {
  cli_progress *progress = user;
  char speed[SHOWN_SIZE];
  take_stage(progress, stage);
  if (done > 0) {
    if (is_due(progress))
      draw_bar(progress, (size_t)(1000 * (done > 1 ? 1 : done)), 1000, reading_speed(progress, done, speed));
  } else if (is_due(progress))
    fprintf(stderr, "\r%s: %.0f s\033[K", progress->what, progress->drawn - progress->start);
  return 0;
}

void progress_listen(const cli_session *session) {
  if (!session->quiet && isatty(STDERR_FILENO))
    entropic_context_set_progress(session->context, draw_stage, session->bar);
}

static int stop_if_signalled(void *user, const char *stage, double done) {
  (void)user;
  (void)stage;
  (void)done;
  return signals_pending() != 0;
}

static int draw_or_stop(void *user, const char *stage, double done) {
  return draw_stage(user, stage, done) || signals_pending() != 0;
}

void progress_heed_signals(const cli_session *session) {
  bool seen = !session->quiet && isatty(STDERR_FILENO);
  entropic_context_set_progress(session->context, seen ? draw_or_stop : stop_if_signalled, session->bar);
}

void progress_listen_spool(const cli_session *session) {
  if (!session->quiet)
    entropic_context_set_progress(session->context, draw_stage, session->bar);
}

void progress_end(cli_progress *progress) {
  if (!progress || progress->drawn <= 0)
    return;
  fputs("\r\033[K", stderr);
  progress->drawn = 0;
}

/* A search takes and gives back the same megabytes hundreds of times a second. glibc would return them to the system each
 * time, and clear new pages for the next: of small tables that is most of the time. Of large tables pieces such as a
 * column do go back, or the holes they leave would add up to a good part of the table. */
void memory_keep(size_t values) {
#ifdef __GLIBC__
  bool small = values <= SMALL_VALUES;
  mallopt(M_MMAP_THRESHOLD, small ? 64 << 20 : 4 << 20);
  mallopt(M_TRIM_THRESHOLD, small ? 256 << 20 : 32 << 20);
#else
  (void)values;
#endif
}

#define GROUPED_FROM 5 /* digits before the point */

const char *show_number(double value, int digits, char shown[SHOWN_SIZE]) {
  char plain[SHOWN_SIZE];
  double rounded = value;
  snprintf(shown, SHOWN_SIZE, "%.*g", digits, value);
  /* Rounded to 3.1e+04 it is 31000, which is written with a comma. */
  if (!strstr(shown, "e+0") || entropic_parse_double(shown, strlen(shown), &rounded))
    return shown;
  size_t count = (size_t)snprintf(plain, sizeof plain, "%.0f", fabs(rounded));
  char *to = shown;
  if (rounded < 0)
    *to++ = '-';
  for (size_t i = 0; i < count; i++) {
    if (count >= GROUPED_FROM && i && (count - i) % 3 == 0)
      *to++ = ',';
    *to++ = plain[i];
  }
  *to = 0;
  return shown;
}
