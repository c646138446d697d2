#include "models.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "reading.h"
#include "recipe.h"

#define LINE_SIZE 512
#define INPUTS_SHOWN 10

int model_open(const cli_session *session, const char *path, entropic_model **model) {
  int result = check_readable(session, path);
  if (result)
    return result;
  entropic_status status = entropic_model_load(session->context, path, model);
  return status ? complain_library(session, status) : EXIT_DONE;
}

int check_one_stdin(const cli_session *session, const char *model, const char *data) {
  if (!strcmp(model, "-") && !strcmp(data, "-"))
    return complain(session, EXIT_USAGE, "MODEL and DATA cannot both come from standard input");
  return EXIT_DONE;
}

void mention_reading(const cli_session *session, const entropic_row_reader *reader) {
  const char *text;
  for (size_t i = 0; (text = entropic_row_reader_notice(reader, i)); i++)
    notice(session, "%s", text);
}

void mention_warnings(const cli_session *session, const entropic_data_warnings *warnings) {
  const struct {
    size_t count;
    const char *one, *many;
  } kinds[] = {{warnings->outside, "value beyond the range learnt from (it counts as its end)",
                "values beyond the range learnt from (they count as its end)"},
               {warnings->unseen, "value of a category never seen", "values of categories never seen"},
               {warnings->missing, "missing value", "missing values"},
               {warnings->clamped, "prediction cut off at an end of the model's range",
                "predictions cut off at the ends of the model's range"}};
  char text[LINE_SIZE] = "";
  size_t used = 0;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i].count)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu %s", used ? ", " : "", kinds[i].count,
                               kinds[i].count == 1 ? kinds[i].one : kinds[i].many);
  if (used)
    notice(session, "%s", text);
}

uint64_t file_size(const char *path) {
  struct stat info;
  return strcmp(path, "-") && !stat(path, &info) && S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0;
}

typedef const char *(*name_of)(const entropic_model *model, size_t number);

/* "a, b, c", cut short where it gets long. */
static void join_names(const entropic_model *model, name_of name, size_t count, char *text, size_t size) {
  size_t used = 0;
  text[0] = 0;
  for (size_t i = 0; i < count && used < size; i++) {
    if (used > size / 2) {
      snprintf(text + used, size - used, ", ... (%zu in all)", count);
      return;
    }
    used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", name(model, i));
  }
}

static void summarise_task(const entropic_model *model, const entropic_model_info *info, model_line line, void *user) {
  char value[LINE_SIZE], names[LINE_SIZE / 2];
  join_names(model, entropic_model_target, info->targets, names, sizeof names);
  bool root = info->target_scale == ENTROPIC_TARGET_SCALE_ROOT;
  snprintf(value, sizeof value, "%s of %s%s", entropic_task_name(info->task), names, root ? ", learnt as a root" : "");
  line(user, "task", value);
  if (!info->classes)
    return;
  join_names(model, entropic_model_class, info->classes, names, sizeof names);
  snprintf(value, sizeof value, "%zu: %s", info->classes, names);
  line(user, "classes", value);
}

/* "300, 2 used: x1, x7"; of many the first ten. */
static void summarise_inputs(const entropic_model *model, const entropic_model_info *info, model_line line,
                             void *user) {
  char value[LINE_SIZE];
  entropic_input input;
  size_t shown = 0;
  bool all = info->inputs_used == info->inputs;
  int used = all ? snprintf(value, sizeof value, "%zu, all used", info->inputs)
                 : snprintf(value, sizeof value, "%zu, %zu used", info->inputs, info->inputs_used);
  for (size_t i = 0; !all && shown < INPUTS_SHOWN && !entropic_model_input(NULL, model, i, &input); i++)
    if (input.used)
      used += snprintf(value + used, sizeof value - (size_t)used, "%s%.40s", shown++ ? ", " : ": ", input.name);
  if (!all && info->inputs_used > shown)
    snprintf(value + used, sizeof value - (size_t)used, " and %zu more", info->inputs_used - shown);
  line(user, "inputs", value);
  line(user, "scale", entropic_scaling_name(info->scaling));
}

/* "-1.5 to 7.25"; of several targets each with its name. */
static void summarise_range(const entropic_model *model, const entropic_model_info *info, model_line line, void *user) {
  char value[LINE_SIZE];
  size_t used = 0, bounded = 0;
  double lower, upper;
  for (size_t t = 0; t < info->targets && used < LINE_SIZE / 2 && entropic_model_range(model, t, &lower, &upper);
       t++, bounded++) {
    used += (size_t)snprintf(value + used, sizeof value - used, "%s", t ? ", " : "");
    if (info->targets > 1)
      used += (size_t)snprintf(value + used, sizeof value - used, "%.40s ", entropic_model_target(model, t));
    used += (size_t)snprintf(value + used, sizeof value - used, "%.4g to %.4g", lower, upper);
  }
  if (bounded && bounded < info->targets)
    snprintf(value + used, sizeof value - used, " and %zu more", info->targets - bounded);
  if (bounded)
    line(user, "range", value);
}

static void summarise_kernel(const entropic_model *model, model_line line, void *user) {
  char value[LINE_SIZE];
  recipe_words words = recipe_wording(entropic_model_kernel(model), model);
  int used = snprintf(value, sizeof value, "%s", words.family);
  if (words.low == words.high)
    used += snprintf(value + used, sizeof value - (size_t)used, ", omega %.4g", words.low);
  else if (words.low < words.high)
    used += snprintf(value + used, sizeof value - (size_t)used, ", omega %.4g to %.4g", words.low, words.high);
  if (words.smooth > 0)
    snprintf(value + used, sizeof value - (size_t)used, ", smooth %d", words.smooth);
  line(user, "kernel", value);
}

static void summarise_features(const entropic_model *model, const entropic_model_info *info,
                               const entropic_fit_report *report, model_line line, void *user) {
  char value[LINE_SIZE];
  if (!entropic_model_design(model)) {
    snprintf(value, sizeof value, "none: a sum over %zu row%s", info->features, info->features == 1 ? "" : "s");
    line(user, "features", value);
    return;
  }
  bool several = report && report->members > 1;
  int used =
      snprintf(value, sizeof value, "%s",
               info->select == ENTROPIC_SELECT_RESIDUAL ? "residual: from the data" : "entropy: from the kernel");
  if (several)
    snprintf(value + used, sizeof value - (size_t)used, ", %zu models averaged", report->members);
  line(user, "select", value);
  if (info->features)
    snprintf(value, sizeof value, "%zu, %.1f non-zeros a row", info->features, info->nonzeros);
  else
    snprintf(value, sizeof value, "none: the same prediction for all rows");
  line(user, "features", value);
}

static void summarise_validation(const entropic_model_info *info, const entropic_fit_report *report, model_line line,
                                 void *user) {
  char value[LINE_SIZE], spread[64] = "", loss[64] = "", how[128] = "";
  const size_t rows = info->validation_rows;
  const char *plural = rows == 1 ? "" : "s";
  if (info->validation == ENTROPIC_VALIDATION_NONE) {
    line(user, "validation", "none");
    return;
  }
  if (info->validation == ENTROPIC_VALIDATION_FOLDS)
    snprintf(how, sizeof how, "%zu-fold, %zu row%s", info->folds, rows, plural);
  else if (info->validation == ENTROPIC_VALIDATION_PART)
    snprintf(how, sizeof how, "part of %zu folds, %zu row%s", info->folds, rows, plural);
  else if (info->validation == ENTROPIC_VALIDATION_FORWARD)
    snprintf(how, sizeof how, "forward, %zu block%s, %zu row%s", info->folds, info->folds == 1 ? "" : "s", rows,
             plural);
  else
    snprintf(how, sizeof how, "%zu validation row%s", rows, plural);
  if (report && isfinite(report->error_spread))
    snprintf(spread, sizeof spread, " +- %.2g", report->error_spread);
  if (isfinite(info->validation_loss))
    snprintf(loss, sizeof loss, ", log loss %.4g", info->validation_loss);
  snprintf(value, sizeof value, "%s %.4g%s%s (%s)", info->classes ? "error" : "rmse", info->validation_error, spread,
           loss, how);
  line(user, "validation", value);
}

/* What simple references make of the same rows. */
static void summarise_references(const entropic_model_info *info, const entropic_fit_report *report, model_line line,
                                 void *user) {
  char value[LINE_SIZE];
  const char *mean = info->classes ? "most frequent class" : "mean";
  if (!report || !isfinite(report->mean_error))
    return;
  if (isfinite(report->linear_error))
    snprintf(value, sizeof value, "%s %.4g, linear %.4g", mean, report->mean_error, report->linear_error);
  else
    snprintf(value, sizeof value, "%s %.4g", mean, report->mean_error);
  line(user, "beside", value);
  if (report->form == ENTROPIC_FORM_NOTHING)
    snprintf(value, sizeof value, "nothing to learn: no model beats the %s by more than noise", mean);
  else if (report->form == ENTROPIC_FORM_LINEAR)
    snprintf(value, sizeof value, "a linear model: nothing richer beats it by more than noise");
  else if (!(info->validation_error < report->mean_error))
    snprintf(value, sizeof value, "a model no better than the %s on validation rows", mean);
  else
    return;
  line(user, "found", value);
}

void model_summarise(const entropic_model *model, const entropic_fit_report *report, model_line line, void *user) {
  entropic_model_info info = entropic_model_describe(model);
  char value[LINE_SIZE];
  summarise_task(model, &info, line, user);
  snprintf(value, sizeof value, "%zu", info.rows);
  line(user, "rows", value);
  summarise_inputs(model, &info, line, user);
  summarise_kernel(model, line, user);
  summarise_features(model, &info, report, line, user);
  snprintf(value, sizeof value, "%.4g", info.lambda);
  line(user, "lambda", value);
  snprintf(value, sizeof value, "%s, solver %s%s", entropic_loss_name(info.loss), entropic_solver_name(info.solver),
           info.converged ? "" : ", not converged");
  line(user, "loss", value);
  summarise_range(model, &info, line, user);
  summarise_validation(&info, report, line, user);
  summarise_references(&info, report, line, user);
}

static void names_as_json(cli_json *json, const char *key, const entropic_model *model, name_of name, size_t count) {
  json_open(json, key, '[');
  for (size_t i = 0; i < count; i++)
    json_string(json, NULL, name(model, i));
  json_close(json, ']');
}

static void inputs_as_json(cli_json *json, const entropic_model *model) {
  entropic_input input;
  json_open(json, "inputs_used", '[');
  for (size_t i = 0; !entropic_model_input(NULL, model, i, &input); i++)
    if (input.used)
      json_string(json, NULL, input.name);
  json_close(json, ']');
}

/* Lower and upper end for each target, null where there is no limit; null if the model has no range. */
static void range_as_json(cli_json *json, const entropic_model *model, size_t targets) {
  double lower, upper;
  if (!entropic_model_range(model, 0, &lower, &upper)) {
    json_null(json, "range");
    return;
  }
  json_open(json, "range", '[');
  for (size_t t = 0; t < targets && entropic_model_range(model, t, &lower, &upper); t++) {
    json_open(json, NULL, '[');
    json_number(json, NULL, lower);
    json_number(json, NULL, upper);
    json_close(json, ']');
  }
  json_close(json, ']');
}

static void describe_validation(cli_json *json, const entropic_model_info *info, const entropic_fit_report *report) {
  static const char *const kinds[] = {"none", "folds", "rows", "part", "forward"};
  json_open(json, "validation", '{');
  json_string(json, "kind", kinds[info->validation]);
  if (info->folds)
    json_count(json, "folds", info->folds);
  else
    json_null(json, "folds");
  json_count(json, "rows", info->validation_rows);
  json_number(json, info->classes ? "error" : "rmse", info->validation_error);
  if (report)
    json_number(json, "standard_error", report->error_spread);
  if (info->classes)
    json_number(json, "logloss", info->validation_loss);
  json_close(json, '}');
}

void model_describe(cli_json *json, const entropic_model *model, const entropic_fit_report *report) {
  entropic_model_info info = entropic_model_describe(model);
  json_count(json, "rows", info.rows);
  json_count(json, "inputs", info.inputs);
  inputs_as_json(json, model);
  json_count(json, "features", info.features);
  json_number(json, "nonzeros_per_row", info.nonzeros);
  recipe_describe(json, entropic_model_kernel(model), model);
  json_number(json, "lambda", info.lambda);
  if (entropic_model_design(model))
    json_string(json, "select", entropic_select_name(info.select));
  else
    json_null(json, "select");
  json_string(json, "task", entropic_task_name(info.task));
  json_string(json, "loss", entropic_loss_name(info.loss));
  json_string(json, "solver", entropic_solver_name(info.solver));
  json_string(json, "scale", entropic_scaling_name(info.scaling));
  json_string(json, "target_scale", entropic_target_scale_name(info.target_scale));
  if (info.target_scale == ENTROPIC_TARGET_SCALE_ROOT) {
    json_number(json, "target_origin", info.target_origin);
    json_number(json, "target_sign", info.target_sign);
    json_number(json, "target_rise", info.retransformation_bias);
  }
  range_as_json(json, model, info.targets);
  names_as_json(json, "targets", model, entropic_model_target, info.targets);
  names_as_json(json, "classes", model, entropic_model_class, info.classes);
  json_count(json, "seed", info.seed);
  json_truth(json, "converged", info.converged);
  describe_validation(json, &info, report);
}
