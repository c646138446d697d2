#include "about.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#define LAST_SECOND 253402300799.0 /* of the year 9999 */

static bool cut_ending(char *name, const char *ending) {
  size_t length = strlen(name), tail = strlen(ending);
  if (length <= tail || name[length - tail - 1] == '/' || strcasecmp(name + length - tail, ending))
    return false;
  name[length - tail] = 0;
  return true;
}

void about_cut_endings(char *name) {
  static const char *const endings[] = {".csv", ".tsv",      ".tab", ".txt",     ".dat", ".data",   ".libsvm",
                                        ".svm", ".svmlight", ".npy", ".parquet", ".pq",  ".duckdb", ".db"};
  if (!cut_ending(name, ".gz"))
    cut_ending(name, ".zst");
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (cut_ending(name, endings[i]))
      return;
}

/* Cuts the name of a table down to one that a file can have: the first of several; of a folder without its slash; of a
 * pattern what stands before the first character of it, to a letter or digit. */
static void cut_data(char *name) {
  name[strcspn(name, "\n")] = 0;
  size_t length = strlen(name), plain = strcspn(name, "*?[");
  if (plain < length && access(name, F_OK)) {
    while (plain > 0 && !isalnum((unsigned char)name[plain - 1]))
      plain--;
    name[plain] = 0;
    if (plain == 0)
      strcpy(name, "table");
    return;
  }
  while (length > 1 && name[length - 1] == '/')
    name[--length] = 0;
  about_cut_endings(name);
}

char *about_with_ending(const char *name, const char *ending) {
  char *path = malloc(strlen(name) + strlen(ending) + sizeof "table");
  if (!path)
    return NULL;
  strcpy(path, name);
  cut_data(path);
  return strcat(path, ending);
}

char *about_name(const char *path) {
  char *name = malloc(strlen(path) + sizeof "standard input");
  if (!name)
    return NULL;
  strcpy(name, !strcmp(path, "-") ? "standard input" : path);
  cut_data(name);
  const char *last = strrchr(name, '/');
  if (last && last[1])
    memmove(name, last + 1, strlen(last));
  return name;
}

int about_date(const cli_session *session, char date[ABOUT_DATE_SIZE]) {
  const char *given = getenv("SOURCE_DATE_EPOCH");
  time_t seconds = time(NULL);
  struct tm day;
  if (given && *given) {
    double value;
    if (entropic_parse_double(given, strlen(given), &value) || !(value >= 0 && value <= LAST_SECOND))
      return complain(session, EXIT_USAGE,
                      "the environment has SOURCE_DATE_EPOCH=%s, expected seconds since 1970-01-01", given);
    seconds = (time_t)value;
  }
  if (!gmtime_r(&seconds, &day) || !strftime(date, ABOUT_DATE_SIZE, "%Y-%m-%d", &day))
    *date = 0;
  return EXIT_DONE;
}

/* Whether a shell reads the word as it stands. */
static bool is_plain(const char *word) {
  return *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-")];
}

/* A word in quotes if it needs them, at `to`; its end. */
static char *quote(const char *word, char *to) {
  if (is_plain(word))
    return stpcpy(to, word);
  *to++ = '\'';
  for (; *word; word++)
    to = *word == '\'' ? stpcpy(to, "'\\''") : (*to = *word, to + 1);
  *to++ = '\'';
  *to = 0;
  return to;
}

char *about_command(const cli_session *session) {
  size_t size = sizeof "entropic";
  for (int i = 1; i < session->argc; i++)
    size += 4 * strlen(session->argv[i]) + 3; /* each character may be a quote */
  char *line = malloc(size);
  if (!line)
    return NULL;
  char *to = stpcpy(line, "entropic");
  for (int i = 1; i < session->argc; i++) {
    *to++ = ' ';
    to = quote(session->argv[i], to);
  }
  return line;
}

int about_foot(const cli_session *session, char date[ABOUT_DATE_SIZE], char **command) {
  int result = about_date(session, date);
  if (result)
    return result;
  *command = about_command(session);
  return *command ? EXIT_DONE : complain_memory(session);
}

int about_report(const cli_session *session, entropic_report *report) {
  char date[ABOUT_DATE_SIZE], *command = NULL;
  int result = about_foot(session, date, &command);
  if (result)
    return result;
  entropic_report_add_text(report, "date", date);
  entropic_report_add_text(report, "command", command);
  free(command);
  return EXIT_DONE;
}
