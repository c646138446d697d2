#include "inputs.h"

#include <stdlib.h>
#include <string.h>

/* Marks the columns that are no inputs; *target is the target's number, or that of no column. */
static int choose_columns(const cli_session *session, const entropic_table *table, bool *dropped, size_t *target) {
  size_t columns = entropic_table_columns(table);
  *target = columns;
  for (size_t i = 0; i < columns; i++) {
    entropic_column column;
    entropic_table_column(NULL, table, i, &column, sizeof column);
    dropped[i] = column.role != ENTROPIC_ROLE_INPUT;
    if (column.role != ENTROPIC_ROLE_TARGET)
      continue;
    if (*target < columns)
      return complain(session, EXIT_USAGE, "--target takes one column, not both %s and %s",
                      entropic_table_name(table, *target), column.name);
    *target = i;
  }
  /* LIBSVM text says itself which column is the label. */
  if (*target == columns && entropic_table_format(table) == ENTROPIC_FORMAT_LIBSVM) {
    *target = 0;
    dropped[0] = true;
  }
  return EXIT_DONE;
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

int inputs_read(const cli_session *session, const char *path, cli_inputs *inputs) {
  *inputs = (struct cli_inputs){0};
  entropic_table *table = NULL;
  int result = reading_load(session, path, NULL, &table);
  if (result)
    return result;
  size_t target = 0;
  bool *dropped = calloc(entropic_table_columns(table) + 1, sizeof *dropped);
  if (!dropped) {
    result = complain_memory(session);
    goto done;
  }
  result = choose_columns(session, table, dropped, &target);
  if (result)
    goto done;
  result = copy_columns(session, path, table, dropped, target, inputs);
  if (result)
    inputs_free(inputs);
done:
  free(dropped);
  entropic_table_free(table);
  return result;
}

void inputs_mention(const cli_session *session, const cli_inputs *inputs, const char *more) {
  const char *left = entropic_parameters_is_set(session->parameters, "ignore") ? " left" : "";
  if (inputs->target)
    return;
  if (inputs->count == 1)
    notice(session, "no --target: the one column%s is an input%s", left, more);
  else
    notice(session, "no --target: all %zu columns%s are inputs%s", inputs->count, left, more);
}

entropic_scaling inputs_scaling(const cli_session *session) {
  const char *wanted = entropic_parameters_get(session->parameters, "scale"), *name;
  for (int i = 0; (name = entropic_scaling_name((entropic_scaling)i)); i++)
    if (!strcmp(name, wanted))
      return (entropic_scaling)i;
  return ENTROPIC_SCALING_QUANTILE;
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

int inputs_scale(const cli_session *session, const char *path, cli_inputs *inputs) {
  entropic_scaling scaling = inputs_scaling(session);
  size_t count = inputs->count;
  if (scaling == ENTROPIC_SCALING_NONE) {
    size_t clamped = clamp_all(inputs->values, inputs->rows * count);
    if (clamped)
      notice(session, "%s: %zu value%s outside [0,1] clamped (--scale none)", path, clamped, clamped == 1 ? "" : "s");
    return EXIT_DONE;
  }
  entropic_scaler *scaler;
  entropic_status status =
      entropic_scaler_create(session->context, scaling, inputs->values, inputs->rows, count, count, &scaler);
  if (status)
    return complain_about(session, path, status);
  entropic_scaler_apply(NULL, scaler, inputs->values, inputs->rows, count, inputs->values);
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
