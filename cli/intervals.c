/* Intervals of predictions as columns: see intervals.h. */
#include "intervals.h"

#include <stdlib.h>
#include <string.h>

void intervals_clear(cli_intervals *intervals) {
  free(intervals->lower);
  free(intervals->upper);
  free(intervals->deviations);
  free(intervals->sets);
}

/* Asks for outputs of no row: the library says what is wrong. */
static entropic_status try_outputs(const cli_session *session, const cli_intervals *intervals,
                                   const entropic_outputs *outputs) {
  double x = 0;
  return entropic_predict(session->context, intervals->model, &x, 0, intervals->info.inputs, outputs);
}

static int check(const cli_session *session, const cli_intervals *intervals) {
  double number = 0;
  unsigned char set = 0;
  bool classes = intervals->info.task == ENTROPIC_TASK_CLASSIFICATION;
  entropic_outputs ends, std;
  entropic_outputs_init(&ends, sizeof ends);
  entropic_outputs_init(&std, sizeof std);
  if (intervals->std && classes)
    return complain(session, EXIT_USAGE, "--std needs a model of numbers: this one predicts classes");
  if (intervals->level >= 0) {
    ends.level = intervals->level;
    ends.class_sets = classes ? &set : NULL;
    ends.lower = classes ? NULL : &number;
  }
  std.deviations = intervals->std ? &number : NULL;
  entropic_status status = try_outputs(session, intervals, &ends);
  if (status)
    return complain_about(session, "--interval", status);
  status = try_outputs(session, intervals, &std);
  return status ? complain_about(session, "--std", status) : EXIT_DONE;
}

size_t intervals_set_size(const cli_intervals *intervals) {
  size_t size = 1;
  for (size_t c = 0; c < intervals->info.classes; c++)
    size += 2 * strlen(entropic_model_class(intervals->model, c)) + 3; /* in quotes, and a blank */
  return size;
}

int intervals_start(const cli_session *session, const entropic_model *model, size_t rows, cli_intervals *intervals) {
  entropic_status status = entropic_model_describe(session->context, model, &intervals->info, sizeof intervals->info);
  if (status)
    return complain_library(session, status);
  intervals->model = model;
  int result = check(session, intervals);
  if (result)
    return result;
  size_t targets = intervals->info.targets, classes = intervals->info.classes;
  bool level = intervals->level >= 0, complete = true;
  if (level && classes) {
    intervals->sets = calloc(rows * classes, 1);
    complete = intervals->sets != NULL;
  } else if (level) {
    intervals->lower = calloc(rows * targets, sizeof *intervals->lower);
    intervals->upper = calloc(rows * targets, sizeof *intervals->upper);
    complete = intervals->lower && intervals->upper;
  }
  if (intervals->std)
    intervals->deviations = calloc(rows * targets, sizeof *intervals->deviations);
  return complete && (!intervals->std || intervals->deviations) ? EXIT_DONE : complain_memory(session);
}

/* A column of a target; of several targets their names tell them apart. */
static void write_name(const cli_intervals *intervals, cli_output *output, const char *plain, const char *before,
                       size_t target) {
  bool several = intervals->info.targets > 1;
  output_character(output, ',');
  output_field(output, several ? before : plain, several ? entropic_model_target(intervals->model, target) : "");
}

void intervals_header(const cli_intervals *intervals, cli_output *output) {
  if (intervals->sets)
    output_string(output, ",set");
  for (size_t t = 0; t < intervals->info.targets && intervals->lower; t++) {
    write_name(intervals, output, "lower", "lower_", t);
    write_name(intervals, output, "upper", "upper_", t);
  }
  for (size_t t = 0; t < intervals->info.targets && intervals->deviations; t++)
    write_name(intervals, output, "std", "std_", t);
}

void intervals_ask(const cli_intervals *intervals, entropic_outputs *outputs) {
  outputs->level = intervals->level;
  outputs->lower = intervals->lower;
  outputs->upper = intervals->upper;
  outputs->class_sets = intervals->sets;
  outputs->deviations = intervals->deviations;
}

size_t intervals_width(const cli_intervals *intervals) {
  size_t each = (intervals->lower ? 2u : 0u) + (intervals->deviations ? 1u : 0u);
  return intervals->info.targets * each;
}

void intervals_numbers(const cli_intervals *intervals, size_t row, double *numbers) {
  size_t targets = intervals->info.targets;
  for (size_t t = 0; t < targets && intervals->lower; t++) {
    *numbers++ = intervals->lower[row * targets + t];
    *numbers++ = intervals->upper[row * targets + t];
  }
  for (size_t t = 0; t < targets && intervals->deviations; t++)
    *numbers++ = intervals->deviations[row * targets + t];
}
/* Appends a name; one with blanks or quotes in it, or none, is quoted, so that names can be separated again. */
static char *append_name(char *end, const char *name) {
  bool quoted = !*name || strpbrk(name, " \t\"");
  if (!quoted)
    return stpcpy(end, name);
  *end++ = '"';
  for (; *name; name++) {
    if (*name == '"')
      *end++ = '"';
    *end++ = *name;
  }
  *end++ = '"';
  *end = '\0';
  return end;
}

void intervals_write_set(const cli_intervals *intervals, size_t row, char *room, cli_output *output) {
  const unsigned char *set = intervals->sets + row * intervals->info.classes;
  char *end = room;
  *end = '\0';
  for (size_t c = 0; c < intervals->info.classes; c++) {
    if (!set[c])
      continue;
    if (end != room)
      *end++ = ' ';
    end = append_name(end, entropic_model_class(intervals->model, c));
  }
  output_character(output, ',');
  output_field(output, "", room);
}
