#include "inputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suggest.h"

const cli_option input_options[] = {
    {.name = "target",
     .kind = OPTION_TEXT,
     .offset = offsetof(input_settings, target),
     .value = "COL",
     .help = "the column to predict; not an input: a name or a number from 1"},
    {.name = "ignore",
     .kind = OPTION_TEXTS,
     .offset = offsetof(input_settings, ignore),
     .value = "COLS",
     .help = "columns to leave out: names or numbers, comma separated;\nmay be repeated"},
    {.name = "scale",
     .kind = OPTION_CHOICE,
     .offset = offsetof(input_settings, scaling),
     .value = "quantile|minmax|none",
     .help = "how inputs are brought to [0,1] (quantile)"},
    {0}};

/* A path that cannot be read is bad input, not a failure of the system. */
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

static int unknown_column(const cli_session *session, const char *path, const entropic_table *table, const char *name) {
  cli_suggestion near = suggestion_start(name);
  size_t columns = entropic_table_columns(table);
  for (size_t i = 0; i < columns; i++)
    suggestion_try(&near, entropic_table_name(table, i));
  if (near.best)
    return complain(session, EXIT_USAGE, "%s: no column %s: did you mean %s?", path, name, near.best);
  if (columns > 20)
    return complain(session, EXIT_USAGE, "%s: no column %s; there are %zu, the first is %s", path, name, columns,
                    entropic_table_name(table, 0));
  char list[1024];
  size_t used = 0;
  for (size_t i = 0; i < columns && used < sizeof list; i++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", entropic_table_name(table, i));
  return complain(session, EXIT_USAGE, "%s: no column %s; there are %s", path, name, list);
}

/* The column of that name; the number of columns if there is none. */
static size_t find_name(const entropic_table *table, const char *name) {
  size_t columns = entropic_table_columns(table), i = 0;
  while (i < columns && strcmp(entropic_table_name(table, i), name))
    i++;
  return i;
}

/* A name, or a number from 1. Names come first: a header may have a column called 2. */
static int find_column(const cli_session *session, const char *path, const entropic_table *table, const char *name,
                       size_t *column) {
  size_t columns = entropic_table_columns(table);
  size_t named = find_name(table, name);
  if (named < columns) {
    *column = named;
    return EXIT_DONE;
  }
  size_t digits = strspn(name, "0123456789");
  if (digits == 0 || name[digits] || digits > 9)
    return unknown_column(session, path, table, name);
  size_t number = strtoul(name, NULL, 10);
  if (number < 1 || number > columns)
    return complain(session, EXIT_USAGE, "%s: no column %s; there are %zu", path, name, columns);
  *column = number - 1;
  return EXIT_DONE;
}

/* The text without the blanks around it, in place. */
static char *trim(char *text) {
  text += strspn(text, " \t");
  size_t length = strlen(text);
  while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
    length--;
  text[length] = 0;
  return text;
}

/* Marks the columns of a comma separated list; the target must not be among them. */
static int drop_columns(const cli_session *session, const char *path, const entropic_table *table, const char *list,
                        bool *dropped, size_t target) {
  char *names = strdup(list), *rest = names;
  if (!names)
    return complain_memory(session);
  int result = EXIT_DONE;
  while (rest && !result) {
    size_t column = 0;
    char *name = strsep(&rest, ",");
    if (find_name(table, name) == entropic_table_columns(table)) /* a quoted name may have blanks of its own */
      name = trim(name);
    result = *name ? find_column(session, path, table, name, &column)
                   : complain(session, EXIT_USAGE, "--ignore %s: a name is empty", list);
    if (!result && column == target)
      result = complain(session, EXIT_USAGE, "column %s is the target and cannot be ignored",
                        entropic_table_name(table, target));
    if (!result)
      dropped[column] = true;
  }
  free(names);
  return result;
}

/* Marks the columns that are no inputs; *target is the target's number, or that of no column. */
static int choose_columns(const cli_session *session, const char *path, const entropic_table *table,
                          const input_settings *settings, bool *dropped, size_t *target) {
  *target = entropic_table_columns(table);
  if (settings->target) {
    int result = find_column(session, path, table, settings->target, target);
    if (result)
      return result;
    dropped[*target] = true;
  }
  int result = EXIT_DONE;
  for (size_t i = 0; i < settings->ignore.count && !result; i++)
    result = drop_columns(session, path, table, settings->ignore.text[i], dropped, *target);
  return result;
}

static void copy_row(const entropic_table *table, size_t row, const bool *dropped, size_t target, cli_inputs *inputs) {
  size_t columns = entropic_table_columns(table);
  const double *from = entropic_table_values(table) + row * columns;
  double *to = inputs->values + row * inputs->count;
  for (size_t i = 0; i < columns; i++) {
    if (i == target)
      inputs->target[row] = from[i];
    else if (!dropped[i])
      *to++ = from[i];
  }
}

static int copy_columns(const cli_session *session, const char *path, const entropic_table *table, const bool *dropped,
                        size_t target, cli_inputs *inputs) {
  size_t columns = entropic_table_columns(table), rows = entropic_table_rows(table);
  size_t count = 0;
  for (size_t i = 0; i < columns; i++)
    count += !dropped[i];
  if (count == 0)
    return complain(session, EXIT_USAGE, "%s: no input is left", path);
  inputs->names = calloc(count, sizeof *inputs->names);
  /* Sizes fit: the table itself is as large. */
  inputs->values = malloc((rows ? rows : 1) * count * sizeof *inputs->values);
  inputs->target = target < columns ? malloc((rows ? rows : 1) * sizeof *inputs->target) : NULL;
  if (!inputs->names || !inputs->values || (target < columns && !inputs->target))
    return complain_memory(session);
  for (size_t i = 0; i < columns; i++) {
    if (dropped[i])
      continue;
    inputs->names[inputs->count] = strdup(entropic_table_name(table, i));
    if (!inputs->names[inputs->count++])
      return complain_memory(session);
  }
  inputs->rows = rows;
  for (size_t row = 0; row < rows; row++)
    copy_row(table, row, dropped, target, inputs);
  return EXIT_DONE;
}

int inputs_read(const cli_session *session, const char *path, const input_settings *settings, cli_inputs *inputs) {
  *inputs = (struct cli_inputs){0};
  int result = check_readable(session, path);
  if (result)
    return result;
  entropic_table *table = NULL;
  entropic_status status = entropic_table_read(session->context, path, &table);
  if (status)
    return complain_library(session, status);
  size_t target = 0;
  bool *dropped = calloc(entropic_table_columns(table) + 1, sizeof *dropped);
  if (!dropped) {
    result = complain_memory(session);
    goto end;
  }
  result = choose_columns(session, path, table, settings, dropped, &target);
  if (!result)
    result = copy_columns(session, path, table, dropped, target, inputs);
  if (result)
    inputs_free(inputs);

end:
  free(dropped);
  entropic_table_free(table);
  return result;
}

void inputs_mention(const cli_session *session, const input_settings *settings, const cli_inputs *inputs,
                    const char *more) {
  const char *left = settings->ignore.count ? " left" : "";
  if (settings->target)
    return;
  if (inputs->count == 1)
    notice(session, "no --target: the one column%s is an input%s", left, more);
  else
    notice(session, "no --target: all %zu columns%s are inputs%s", inputs->count, left, more);
}

static size_t clamp_all(double *values, size_t count) {
  size_t clamped = 0;
  for (size_t i = 0; i < count; i++) {
    double value = values[i];
    clamped += value < 0 || value > 1;
    values[i] = value < 0 ? 0 : value > 1 ? 1 : value;
  }
  return clamped;
}

int inputs_scale(const cli_session *session, const char *path, const input_settings *settings, cli_inputs *inputs) {
  size_t count = inputs->count;
  if (settings->scaling == ENTROPIC_SCALE_NONE) {
    size_t clamped = clamp_all(inputs->values, inputs->rows * count);
    if (clamped)
      notice(session, "%s: %zu value%s outside [0,1] clamped (--scale none)", path, clamped, clamped == 1 ? "" : "s");
    return EXIT_DONE;
  }
  entropic_scaler *scaler;
  entropic_status status = entropic_scaler_create(session->context, (entropic_scaling)settings->scaling, inputs->values,
                                                  inputs->rows, count, count, &scaler);
  if (status)
    return complain_about(session, path, status);
  entropic_scaler_apply(scaler, inputs->values, inputs->rows, count, inputs->values);
  entropic_scaler_free(scaler);
  return EXIT_DONE;
}

void inputs_free(cli_inputs *inputs) {
  for (size_t i = 0; i < inputs->count; i++)
    free(inputs->names[i]);
  free(inputs->names);
  free(inputs->values);
  free(inputs->target);
  *inputs = (struct cli_inputs){0};
}
