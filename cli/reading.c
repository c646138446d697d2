#include "reading.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int check_readable(const cli_session *session, const char *path) {
  if (!strcmp(path, "-"))
    return EXIT_DONE;
  struct stat info;
  if (stat(path, &info) || access(path, R_OK))
    return complain(session, EXIT_DATA, "%s: %s", path, strerror(errno));
  if (S_ISDIR(info.st_mode))
    return complain(session, EXIT_DATA, "%s: is a folder, not a file", path);
  return EXIT_DONE;
}

/* The characters of patterns. */
static bool is_pattern(const char *path) {
  return strpbrk(path, "*?[") != NULL;
}

bool names_data(const char *word) {
  struct stat info;
  return !stat(word, &info) || is_pattern(word);
}

/* One of the paths of a table. The library looks at folders and patterns. */
static int check_path(const cli_session *session, const char *path) {
  struct stat info;
  bool there = !stat(path, &info);
  if ((there && S_ISDIR(info.st_mode) && !access(path, R_OK)) || (!there && is_pattern(path)))
    return EXIT_DONE;
  return check_readable(session, path);
}

int check_data(const cli_session *session, const char *path) {
  int result = EXIT_DONE;
  if (!strchr(path, '\n'))
    return check_path(session, path);
  if (path != session->files) /* only those have line feeds between them */
    return complain(session, EXIT_USAGE, "the name '%s' has a line feed in it, expected a name of one line", path);
  for (const char *next = path; *next && !result;) {
    size_t length = strcspn(next, "\n");
    char *one = strndup(next, length);
    if (!one)
      return complain_memory(session);
    result = check_path(session, one);
    free(one);
    next += length + (next[length] == '\n');
  }
  return result;
}

int reading_load(const cli_session *session, const char *path, const entropic_table *schema, entropic_table **table) {
  int result = check_data(session, path);
  if (result)
    return result;
  struct stat info;
  session->bar->bytes = strcmp(path, "-") && !stat(path, &info) ? (double)info.st_size : 0;
  if (entropic_parameters_is_set(session->parameters, "memory"))
    progress_listen_spool(session);
  entropic_status status =
      schema ? entropic_table_load_with_schema(session->context, &path, 1, session->parameters, schema, table)
      : session->cluster ? session->cluster->load(session, table)
                         : entropic_table_load(session->context, &path, 1, session->parameters, table);
  if (status)
    return complain_library(session, status);
  const char *text;
  for (size_t i = 0; (text = entropic_table_notice(*table, i)); i++)
    if (schema) /* of two tables the notices of the second say its name */
      notice(session, "%.500s: %s", path, text);
    else
      notice(session, "%s", text);
  return EXIT_DONE;
}

/* The names of the columns, as far as there is room. */
static void list_columns(const entropic_table *table, char *text, size_t size) {
  size_t count = entropic_table_columns(table), used = 0, i = 0;
  for (; i < count && used + 100 < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%.80s", i ? ", " : "", entropic_table_name(table, i));
  if (i < count)
    snprintf(text + used, size - used, " and %zu more", count - i);
}

/* Only LIBSVM text has a target by itself. */
static int check_target(const cli_session *session, const entropic_table *table) {
  if (entropic_parameters_is_set(session->parameters, "target") ||
      entropic_table_format(table) == ENTROPIC_FORMAT_LIBSVM)
    return EXIT_DONE;
  char names[1200] = "";
  list_columns(table, names, sizeof names);
  return complain(session, EXIT_USAGE, "--target COL is required: the column to predict; the columns of DATA are %s",
                  names);
}

int reading_learn(const cli_session *session, const char *path, entropic_table **table, entropic_dataset **dataset) {
  int result = reading_load(session, path, NULL, table);
  if (result)
    return result;
  result = check_target(session, *table);
  if (result)
    return result;
  memory_keep(entropic_table_rows(*table) * entropic_table_columns(*table));
  entropic_status status = entropic_dataset_create(session->context, *table, session->parameters, dataset);
  return status ? complain_about(session, path, status) : EXIT_DONE;
}

void mention_classes(const cli_session *session, const entropic_dataset *dataset) {
  const char *text;
  for (size_t i = 0; (text = entropic_dataset_notice(dataset, i)); i++)
    notice(session, "%s", text);
}
