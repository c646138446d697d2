#include "recipe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "signals.h"

/* Which columns of a table are taken, and how they are read and scaled; all else is about kernel and features. */
static bool is_about_data(const cli_session *session, const entropic_parameter *info) {
  if (!strcmp(info->name, "target") && entropic_parameters_is_set(session->parameters, "ranges"))
    return false; /* a name that is given with them */
  return (info->purposes & ENTROPIC_PURPOSE_READ) || info->type == ENTROPIC_PARAMETER_COLUMN ||
         info->type == ENTROPIC_PARAMETER_COLUMNS || !strcmp(info->name, "scale");
}

static const char *first_given(const cli_session *session, const cli_command *command, bool about_data) {
  entropic_parameter info;
  for (size_t i = 0; next_parameter(command, &i, &info); i++)
    if (is_about_data(session, &info) == about_data && entropic_parameters_is_set(session->parameters, info.name))
      return info.name;
  return NULL;
}

const char *recipe_given(const cli_session *session, const cli_command *command) {
  return first_given(session, command, false);
}

const char *recipe_given_of_data(const cli_session *session, const cli_command *command) {
  return first_given(session, command, true);
}

void recipe_mention(const cli_session *session, const entropic_design *design) {
  if (entropic_design_exhausted(design))
    notice(session, "the kernel has only %zu features and %zu groups within these limits, fewer than requested",
           entropic_design_features(design), entropic_design_groups(design));
}

int recipe_make(const cli_session *session, size_t inputs, const double *sample, size_t rows,
                entropic_design **design) {
  entropic_status status = entropic_design_make(session->context, session->parameters, inputs, sample, rows, design);
  if (status == ENTROPIC_TOO_LARGE) /* it is the options that ask for too much */
    return complain(session, EXIT_USAGE, "%s", entropic_context_message(session->context));
  if (status)
    return complain_library(session, status);
  recipe_mention(session, *design);
  return EXIT_DONE;
}

int recipe_load(const cli_session *session, const char *path, entropic_design **design) {
  int result = check_readable(session, path);
  if (result)
    return result;
  entropic_status status = entropic_design_load(session->context, path, design);
  return status ? complain_library(session, status) : EXIT_DONE;
}

int recipe_save(const cli_session *session, const entropic_design *design, const char *path) {
  signals_hold();
  entropic_status status = entropic_design_save(session->context, design, path);
  signals_release();
  if (signals_pending())
    return signals_pending();
  return status ? write_failure(session, status) : EXIT_DONE;
}

/* Writes and commits. */
static entropic_status write_text(const cli_session *session, const unsigned char *text, size_t count,
                                  const char *path) {
  entropic_output *output = NULL;
  entropic_status status = entropic_output_create(session->context, path, &output);
  if (!status)
    status = entropic_output_write(session->context, output, text, count);
  if (!status)
    status = entropic_output_commit(session->context, output);
  entropic_output_free(output);
  return status;
}

int recipe_save_text(const cli_session *session, const unsigned char *text, size_t count, const char *path) {
  signals_hold();
  entropic_status status = write_text(session, text, count, path);
  signals_release();
  if (signals_pending())
    return signals_pending();
  return status ? write_failure(session, status) : EXIT_DONE;
}

/* Whether the axis of an input counts: a model has none that is worth telling where it does not use the input. */
static bool counts(const entropic_model *model, size_t input) {
  entropic_input_info info;
  return !model || (!entropic_model_input(NULL, model, input, &info, sizeof info) && info.used);
}

static entropic_axis_options axis_of(const entropic_kernel *kernel, size_t input) {
  entropic_axis_options axis = {0};
  entropic_kernel_axis(NULL, kernel, input, &axis, sizeof axis);
  return axis;
}

/* Of the inputs that are numbers, if there are any: the kernel of categories has no other name. */
static const char *family_of(const entropic_kernel *kernel, const entropic_model *model) {
  entropic_family categories = ENTROPIC_FAMILY_CATEGORY, numbers = categories;
  bool periodic = false;
  entropic_model_info info;
  if (model && !entropic_model_describe(NULL, model, &info, sizeof info) && !info.inputs_used)
    return "none";
  for (size_t i = 0; i < entropic_kernel_inputs(kernel); i++) {
    entropic_family family = axis_of(kernel, i).family;
    if (entropic_family_has(family, ENTROPIC_TRAIT_CATEGORIES) || !counts(model, i))
      continue;
    if (entropic_family_has(family, ENTROPIC_TRAIT_PERIODIC)) { /* of parts of dates, beside that of numbers */
      periodic = true;
      continue;
    }
    if (numbers != categories && numbers != family)
      return "mixed";
    numbers = family;
  }
  return entropic_family_name(numbers == categories && periodic ? ENTROPIC_FAMILY_PERIODIC : numbers);
}

recipe_words recipe_wording(const entropic_kernel *kernel, const entropic_model *model) {
  recipe_words words = {.family = family_of(kernel, model), .low = INFINITY, .high = -INFINITY};
  for (size_t i = 0; i < entropic_kernel_inputs(kernel); i++) {
    entropic_axis_options axis = axis_of(kernel, i);
    if (!entropic_kernel_has(kernel, i, ENTROPIC_TRAIT_OMEGA) || !counts(model, i))
      continue;
    words.low = axis.omega < words.low ? axis.omega : words.low;
    words.high = axis.omega > words.high ? axis.omega : words.high;
    words.smooth = axis.smooth > words.smooth ? axis.smooth : words.smooth;
  }
  return words;
}

size_t recipe_expressions(const entropic_kernel *kernel, const entropic_model *model,
                          cli_expression expressions[EXPRESSIONS_MOST]) {
  size_t count = 0;
  for (size_t i = 0; !count && i < entropic_kernel_inputs(kernel); i++) {
    entropic_axis_options axis = axis_of(kernel, i);
    const cli_expression all[] = {{"p", axis.p_text},       {"q", axis.q_text},       {"alpha", axis.alpha_text},
                                  {"beta", axis.beta_text}, {"left", axis.left_text}, {"right", axis.right_text}};
    for (size_t k = 0; counts(model, i) && k < sizeof all / sizeof *all; k++)
      if (all[k].text)
        expressions[count++] = all[k];
  }
  return count;
}

void recipe_describe(entropic_report *report, const entropic_kernel *kernel) {
  recipe_words words = recipe_wording(kernel, NULL);
  cli_expression expressions[EXPRESSIONS_MOST];
  size_t count = recipe_expressions(kernel, NULL, expressions);
  entropic_report_add_text(report, "kernel", words.family);
  if (count)
    entropic_report_open_object(report, "expressions");
  for (size_t i = 0; i < count; i++)
    entropic_report_add_text(report, expressions[i].name, expressions[i].text);
  if (count)
    entropic_report_close(report);
  entropic_report_add_integer(report, "smooth", (uint64_t)words.smooth);
  if (words.low >= words.high) {
    entropic_report_add_number(report, "omega", words.low == words.high ? words.low : NAN);
    return;
  }
  entropic_report_open_list(report, "omega");
  for (size_t i = 0; i < entropic_kernel_inputs(kernel); i++)
    entropic_report_add_number(report, NULL, axis_of(kernel, i).omega);
  entropic_report_close(report);
}
