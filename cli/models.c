#include "models.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "reading.h"
#include "recipe.h"
#include "signals.h"

#define LINE_SIZE 512
#define INPUTS_SHOWN 10

int model_open(const cli_session *session, const char *path, entropic_model **model) {
  int result = check_readable(session, path);
  if (result)
    return result;
  entropic_status status = entropic_model_load(session->context, path, model);
  return status ? complain_library(session, status) : EXIT_DONE;
}

int statistics_open(const cli_session *session, const char *path, entropic_statistics **statistics) {
  int result = check_readable(session, path);
  if (result)
    return result;
  entropic_status status = entropic_statistics_load(session->context, path, statistics);
  return status ? complain_library(session, status) : EXIT_DONE;
}

/* Whether a file begins with these bytes. */
static bool begins_with(const char *path, const char *bytes, size_t length) {
  char found[32] = "";
  FILE *file = strcmp(path, "-") ? fopen(path, "rb") : NULL;
  size_t count = file ? fread(found, 1, length, file) : 0;
  if (file)
    fclose(file);
  return count == length && !memcmp(found, bytes, length);
}

bool holds_statistics(const char *path) {
  static const char magic[4] = {'\x89', 'E', 'N', 'S'};
  return begins_with(path, magic, sizeof magic);
}

bool holds_design(const char *path) {
  static const char words[] = "entropic design ";
  return begins_with(path, words, strlen(words));
}

bool holds_columns(const char *path) {
  static const char words[] = "entropic design 3";
  return begins_with(path, words, strlen(words));
}

int design_open(const cli_session *session, const char *path, entropic_frozen_design **design) {
  int result = check_readable(session, path);
  if (result)
    return result;
  entropic_status status = entropic_frozen_design_load(session->context, path, design);
  return status ? complain_library(session, status) : EXIT_DONE;
}

int write_end(const cli_session *session, bool held, entropic_status status) {
  if (held)
    signals_release();
  if (signals_pending())
    return signals_pending();
  return status ? write_failure(session, status) : EXIT_DONE;
}

int model_save(const cli_session *session, const entropic_model *model, const char *path) {
  bool held = strcmp(path, "-") != 0;
  if (held)
    signals_hold();
  return write_end(session, held, entropic_model_save(session->context, model, path));
}

int statistics_save(const cli_session *session, const entropic_statistics *statistics, const char *path) {
  bool held = strcmp(path, "-") != 0;
  if (held)
    signals_hold();
  return write_end(session, held, entropic_statistics_save(session->context, statistics, path));
}

int check_one_stdin(const cli_session *session, const char *model, const char *data) {
  if (!strcmp(model, "-") && !strcmp(data, "-"))
    return complain(session, EXIT_USAGE, "MODEL and DATA cannot both come from standard input");
  return EXIT_DONE;
}

int rows_open(const cli_session *session, const entropic_model *model, const char *data, bool with_targets,
              entropic_row_reader **reader) {
  const char *text;
  int result = check_data(session, data);
  if (result)
    return result;
  entropic_status status =
      entropic_row_reader_open(session->context, model, &data, 1, session->parameters, with_targets, reader);
  if (status)
    return complain_about(session, data, status);
  for (size_t i = 0; (text = entropic_row_reader_notice(*reader, i)); i++)
    notice(session, "%s", text);
  return EXIT_DONE;
}

void mention_warnings(const cli_session *session, const entropic_data_warnings *warnings) {
  const struct {
    size_t count;
    const char *one, *many;
  } kinds[] = {{warnings->outside - warnings->continued, "value beyond the range learnt from (it counts as its end)",
                "values beyond the range learnt from (they count as its end)"},
               {warnings->continued, "value beyond the range learnt from (its line goes on, by at most one range)",
                "values beyond the range learnt from (their lines go on, by at most one range)"},
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

void model_place(entropic_report *report, const char *path) {
  entropic_report_add_text(report, "model", path);
  entropic_report_add_integer(report, "model_bytes", file_size(path));
}

double report_number(const entropic_report *report, const char *path) {
  double value;
  return entropic_report_number(report, path, &value) ? value : NAN;
}

size_t report_count(const entropic_report *report, const char *path) {
  double value = report_number(report, path);
  return value > 0 ? (size_t)value : 0;
}

static bool report_is(const entropic_report *report, const char *path, const char *text) {
  char found[32];
  entropic_report_text(report, path, found, sizeof found);
  return !strcmp(found, text);
}

/* "a, b, c": the texts of a list, cut short where it gets long. */
static void join_names(const entropic_report *report, const char *list, char *text, size_t size) {
  size_t used = 0, count = entropic_report_size(report, list);
  text[0] = 0;
  for (size_t i = 0; i < count && used < size; i++) {
    char path[64], name[LINE_SIZE];
    if (used > size / 2) {
      snprintf(text + used, size - used, ", ... (%zu in all)", count);
      return;
    }
    snprintf(path, sizeof path, "%s.%zu", list, i);
    entropic_report_text(report, path, name, sizeof name);
    used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", name);
  }
}

static void summarise_task(const entropic_report *report, model_line line, void *user) {
  char value[LINE_SIZE], names[LINE_SIZE / 2], task[32];
  entropic_report_text(report, "task", task, sizeof task);
  join_names(report, "targets", names, sizeof names);
  bool root = report_is(report, "target_scale", "root");
  snprintf(value, sizeof value, "%s of %s%s", task, names, root ? ", learnt as a root" : "");
  line(user, "task", value);
  size_t classes = entropic_report_size(report, "classes");
  if (!classes)
    return;
  join_names(report, "classes", names, sizeof names);
  snprintf(value, sizeof value, "%zu: %s", classes, names);
  line(user, "classes", value);
}

/* "300, 2 used: x1, x7"; of many the first ten. */
static void summarise_inputs(const entropic_report *report, model_line line, void *user) {
  char value[LINE_SIZE], path[64], name[64];
  size_t inputs = report_count(report, "inputs"), in_use = entropic_report_size(report, "inputs_used"), shown = 0;
  bool all = in_use == inputs;
  int used = all ? snprintf(value, sizeof value, "%zu, all used", inputs)
                 : snprintf(value, sizeof value, "%zu, %zu used", inputs, in_use);
  for (; !all && shown < INPUTS_SHOWN && shown < in_use; shown++) {
    snprintf(path, sizeof path, "inputs_used.%zu", shown);
    entropic_report_text(report, path, name, sizeof name);
    used += snprintf(value + used, sizeof value - (size_t)used, "%s%.40s", shown ? ", " : ": ", name);
  }
  if (!all && in_use > shown)
    snprintf(value + used, sizeof value - (size_t)used, " and %zu more", in_use - shown);
  line(user, "inputs", value);
  entropic_report_text(report, "scale", name, sizeof name);
  size_t continued = entropic_report_size(report, "inputs_continued");
  used = snprintf(value, sizeof value, "%.40s", name);
  if (continued)
    snprintf(value + used, sizeof value - (size_t)used, "; the line%s of %zu input%s go%s on beyond the range",
             continued == 1 ? "" : "s", continued, continued == 1 ? "" : "s", continued == 1 ? "es" : "");
  line(user, "scale", value);
}

/* "-1.5 to 7.25", the range of predictions; of several targets each with its name. */
static void summarise_range(const entropic_model *model, size_t targets, model_line line, void *user) {
  char value[LINE_SIZE], low[SHOWN_SIZE], high[SHOWN_SIZE];
  size_t used = 0, bounded = 0;
  double lower, upper;
  for (size_t t = 0; t < targets && used < LINE_SIZE / 2 && entropic_model_range(model, t, &lower, &upper);
       t++, bounded++) {
    used += (size_t)snprintf(value + used, sizeof value - used, "%s", t ? ", " : "");
    if (targets > 1)
      used += (size_t)snprintf(value + used, sizeof value - used, "%.40s ", entropic_model_target(model, t));
    show_number(lower, 4, low);
    show_number(upper, 4, high);
    if (isinf(lower) && isinf(upper))
      used += (size_t)snprintf(value + used, sizeof value - used, "any number");
    else if (isinf(lower))
      used += (size_t)snprintf(value + used, sizeof value - used, "%s or less", high);
    else if (isinf(upper))
      used += (size_t)snprintf(value + used, sizeof value - used, "%s or more", low);
    else
      used += (size_t)snprintf(value + used, sizeof value - used, "%s to %s", low, high);
  }
  if (bounded && bounded < targets)
    snprintf(value + used, sizeof value - used, " and %zu more", targets - bounded);
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
  cli_expression expressions[EXPRESSIONS_MOST];
  size_t count = recipe_expressions(entropic_model_kernel(model), model, expressions);
  for (size_t i = 0; i < count; i++)
    line(user, expressions[i].name, expressions[i].text);
}

/* ": the average of 5 models of 60 to 100 each"; a model that was loaded knows how many, but not their features. */
static int describe_members(const entropic_report *report, size_t members, char *text, size_t size) {
  size_t least = report_count(report, "member_features.least"), most = report_count(report, "member_features.most");
  if (most == 0)
    return snprintf(text, size, ": the average of %zu models", members);
  if (least == most)
    return snprintf(text, size, ": the average of %zu models of %zu each", members, most);
  return snprintf(text, size, ": the average of %zu models of %zu to %zu each", members, least, most);
}

/* Whoever has the model has these rows. */
static void summarise_rows(const entropic_model *model, model_line line, void *user) {
  char value[LINE_SIZE];
  entropic_model_info info;
  if (entropic_model_describe(NULL, model, &info, sizeof info) != ENTROPIC_OK || info.contained_rows == 0)
    return;
  snprintf(value, sizeof value, "%zu training row%s", info.contained_rows, info.contained_rows == 1 ? "" : "s");
  line(user, "contains", value);
}

/* "0.45 of the average of 5 fits, 0.55 of a linear model": what a stack is made of. */
static void summarise_stack(const entropic_report *report, model_line line, void *user) {
  char value[LINE_SIZE] = "", fits[64];
  size_t runs = report_count(report, "stack.runs"), used = 0;
  const struct {
    const char *path, *what;
  } parts[] = {{"stack.selected", fits},
               {"stack.linear", "a linear model"},
               {"stack.kernel", "the kernel with all rows as centres"},
               {"stack.constant", "the constant"}};
  if (runs == 0)
    return;
  snprintf(fits, sizeof fits, "the average of %zu fits", runs);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    double weight = report_number(report, parts[i].path);
    if (weight > 0)
      used += (size_t)snprintf(value + used, sizeof value - used, "%s%.2g of %s", used > 0 ? ", " : "", weight,
                               parts[i].what);
  }
  line(user, "stack", value);
}

static void summarise_features(const entropic_model *model, const entropic_report *report, model_line line,
                               void *user) {
  char value[LINE_SIZE];
  size_t features = report_count(report, "features"), members = report_count(report, "members");
  size_t components = report_count(report, "components");
  if (components > 1) {
    snprintf(value, sizeof value, "%zu, whose scores are added; scale, kernel and select are the first one's",
             components);
    line(user, "components", value);
  }
  if (!entropic_model_design(model)) {
    snprintf(value, sizeof value, "none: a sum over %zu row%s", features, features == 1 ? "" : "s");
    line(user, "features", value);
    return;
  }
  line(user, "select",
       report_is(report, "select", "residual") ? "residual: from the data" : "entropy: from the kernel");
  if (features == 0) {
    line(user, "features", "none: the same prediction for all rows");
    return;
  }
  int used = snprintf(value, sizeof value, "%zu", features);
  if (members > 1)
    used += describe_members(report, members, value + used, sizeof value - (size_t)used);
  snprintf(value + used, sizeof value - (size_t)used, "%s %.1f non-zeros a row", members > 1 ? ";" : ",",
           report_number(report, "nonzeros_per_row"));
  line(user, "features", value);
}

/* "5-fold, 300 rows": how outer validation rows came about; false if there are none. */
static bool describe_validation(const entropic_report *report, char how[128]) {
  size_t rows = report_count(report, "validation.rows"), folds = report_count(report, "validation.folds");
  const char *plural = rows == 1 ? "" : "s";
  if (report_is(report, "validation.kind", "none"))
    return false;
  if (report_is(report, "validation.kind", "folds"))
    snprintf(how, 128, "%zu-fold, %zu row%s", folds, rows, plural);
  else if (report_is(report, "validation.kind", "part"))
    snprintf(how, 128, "part of %zu folds, %zu row%s", folds, rows, plural);
  else if (report_is(report, "validation.kind", "forward"))
    snprintf(how, 128, "forward, %zu block%s, %zu row%s", folds, folds == 1 ? "" : "s", rows, plural);
  else
    snprintf(how, 128, "%zu validation row%s", rows, plural);
  return true;
}

/* The error on outer validation rows. */
static double validation_error(const entropic_report *report) {
  double rmse = report_number(report, "validation.rmse");
  return isnan(rmse) ? report_number(report, "validation.error") : rmse;
}

static void summarise_validation(const entropic_report *report, model_line line, void *user) {
  char value[LINE_SIZE], error[SHOWN_SIZE], spread[64] = "", loss[64] = "", name[32], how[128], shown[SHOWN_SIZE];
  double deviation = report_number(report, "validation.standard_error");
  double log_loss = report_number(report, "validation.logloss"), own_loss = report_number(report, "validation.loss");
  if (!describe_validation(report, how)) {
    line(user, "validation", "none");
    return;
  }
  if (isfinite(deviation))
    snprintf(spread, sizeof spread, " +- %.40s", show_number(deviation, 2, shown));
  if (isfinite(log_loss))
    snprintf(loss, sizeof loss, ", log loss %.4g", log_loss);
  if (isfinite(own_loss) && entropic_report_text(report, "loss", name, sizeof name))
    snprintf(loss, sizeof loss, ", %s loss %.4g", name, own_loss);
  bool current = report_number(report, "validation.current") != 0;
  snprintf(value, sizeof value, "%s %s%s%s (%s)%s", entropic_report_size(report, "classes") ? "error" : "rmse",
           show_number(validation_error(report), 4, error), spread, loss, how,
           current ? "" : ", not current: rows were added or forgotten since");
  line(user, "validation", value);
}

/* What terms the features were restricted to, and what that cost: only the report of a fit has the cost. */
static void summarise_terms(const entropic_report *report, model_line line, void *user) {
  char value[LINE_SIZE], terms[LINE_SIZE / 2], with[SHOWN_SIZE], more[SHOWN_SIZE], spread[64] = "", shown[SHOWN_SIZE];
  static const char *const lists[] = {"only", "without"};
  for (int i = 0; i < 2; i++) {
    size_t length = entropic_report_text(report, lists[i], terms, sizeof terms);
    if (length >= sizeof terms)
      strcpy(terms + sizeof terms - 4, "...");
    if (length)
      line(user, lists[i], terms);
  }
  bool classes = entropic_report_size(report, "classes") > 0;
  double error = report_number(report, classes ? "unrestricted.error" : "unrestricted.rmse");
  double deviation = report_number(report, "unrestricted.standard_error");
  if (!isfinite(error))
    return;
  if (isfinite(deviation))
    snprintf(spread, sizeof spread, " +- %.40s", show_number(deviation, 2, shown));
  double cost = validation_error(report) - error;
  snprintf(value, sizeof value, "%s %s%s on the same rows: the terms left out %s %s", classes ? "error" : "rmse",
           show_number(error, 4, with), spread, cost < 0 ? "save" : "cost", show_number(fabs(cost), 2, more));
  line(user, "all terms", value);
}

/* What simple references make of the same rows: only the report of a fit has them. */
static void summarise_references(const entropic_report *report, model_line line, void *user) {
  char value[LINE_SIZE], first[SHOWN_SIZE], second[SHOWN_SIZE];
  const char *mean = entropic_report_size(report, "classes") ? "most frequent class" : "mean";
  double mean_error = report_number(report, "references.mean"), linear = report_number(report, "references.linear");
  if (!isfinite(mean_error))
    return;
  if (isfinite(linear))
    snprintf(value, sizeof value, "%s %s, linear %s", mean, show_number(mean_error, 4, first),
             show_number(linear, 4, second));
  else
    snprintf(value, sizeof value, "%s %s", mean, show_number(mean_error, 4, first));
  line(user, "references", value);
  if (report_is(report, "form", "nothing"))
    snprintf(value, sizeof value, "nothing to learn: no model beats the %s by more than noise", mean);
  else if (report_is(report, "form", "linear"))
    snprintf(value, sizeof value, "a linear model: nothing richer beats it by more than noise");
  else if (!(validation_error(report) < mean_error))
    snprintf(value, sizeof value, "a model no better than the %s on validation rows", mean);
  else
    return;
  line(user, "found", value);
}

void model_summarise(const entropic_model *model, const entropic_report *report, model_line line, void *user) {
  char value[LINE_SIZE], loss[32], solver[32];
  summarise_task(report, line, user);
  size_t sample = report_count(report, "sample_rows");
  if (sample > 0)
    snprintf(value, sizeof value, "%zu, %s from a sample of %zu", report_count(report, "rows"),
             report_count(report, "sample_weights") ? "all choices and weights" : "all choices", sample);
  else
    snprintf(value, sizeof value, "%zu", report_count(report, "rows"));
  line(user, "rows", value);
  summarise_inputs(report, line, user);
  if (report_count(report, "target_means")) {
    snprintf(value, sizeof value, "%zu inputs are means of the target by category, which the file holds, or counts",
             report_count(report, "target_means"));
    line(user, "target means", value);
  }
  summarise_kernel(model, line, user);
  summarise_stack(report, line, user);
  summarise_features(model, report, line, user);
  summarise_rows(model, line, user);
  snprintf(value, sizeof value, "%.4g", report_number(report, "lambda"));
  line(user, "lambda", value);
  entropic_report_text(report, "loss", loss, sizeof loss);
  entropic_report_text(report, "solver", solver, sizeof solver);
  snprintf(value, sizeof value, "%s, solver %s%s", loss, solver,
           report_count(report, "converged") ? "" : ", not converged");
  line(user, "loss", value);
  summarise_range(model, entropic_report_size(report, "targets"), line, user);
  summarise_validation(report, line, user);
  summarise_terms(report, line, user);
  if (report_count(report, "statistics_bytes")) {
    snprintf(value, sizeof value, "kept, %zu bytes: update and forget can change the model",
             report_count(report, "statistics_bytes"));
    line(user, "statistics", value);
  }
  if (report_count(report, "interval_rows")) {
    snprintf(value, sizeof value, "from %zu rows that were left out", report_count(report, "interval_rows"));
    line(user, "intervals", value);
  }
  summarise_references(report, line, user);
}
