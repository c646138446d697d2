/* A fit as a page: its summary, and how the error falls with the number of features. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "fit/options.h"
#include "loss/loss.h"
#include "model/model.h"
#include "page/page.h"

#define FAR 3 /* times the least error: a mean beyond that is drawn on a logarithmic axis */
#define CELL 160
#define SUMMARY_ROWS 32
#define EACH (2 * ENT_SHOWN_NUMBER + 8) /* "60 to 100" */
#define TITLE 512

/* Room for a table of two columns. */
typedef struct ent_summary {
  ent_table_cell cells[SUMMARY_ROWS][2];
  char texts[SUMMARY_ROWS][CELL];
  size_t rows;
} ent_summary;

static void add(ent_summary *summary, const char *name, const char *value) {
  snprintf(summary->texts[summary->rows], CELL, "%s", value);
  summary->cells[summary->rows][0] = (ent_table_cell){.text = name};
  summary->cells[summary->rows][1] = (ent_table_cell){.text = summary->texts[summary->rows]};
  summary->rows++;
}

static void add_count(ent_summary *summary, const char *name, size_t count) {
  char text[ENT_SHOWN_NUMBER];
  add(summary, name, ent_show_fixed((double)count, 0, text));
}

static void add_number(ent_summary *summary, const char *name, double value, double spread) {
  char text[2 * ENT_SHOWN_NUMBER + 8], number[ENT_SHOWN_NUMBER], around[ENT_SHOWN_NUMBER];
  if (!isfinite(value))
    return;
  ent_show_number(value, 4, number);
  if (spread > 0)
    snprintf(text, sizeof text, "%s ± %s", number, ent_show_number(spread, 2, around));
  else
    snprintf(text, sizeof text, "%s", number);
  add(summary, name, text);
}

static const char *error_name(const entropic_model_info *info) {
  return info->task == ENTROPIC_TASK_CLASSIFICATION ? "share of wrong classes" : "root mean squared error";
}

static void add_validation(ent_summary *summary, const entropic_model_info *info) {
  char text[CELL], rows[ENT_SHOWN_NUMBER];
  ent_show_fixed((double)info->validation_rows, 0, rows);
  switch (info->validation) {
  case ENTROPIC_VALIDATION_FOLDS:
    snprintf(text, sizeof text, "%zu folds, %s rows", info->folds, rows);
    break;
  case ENTROPIC_VALIDATION_PART:
    snprintf(text, sizeof text, "some of %zu folds, %s rows", info->folds, rows);
    break;
  case ENTROPIC_VALIDATION_ROWS:
    snprintf(text, sizeof text, "%s validation rows of their own file", rows);
    break;
  case ENTROPIC_VALIDATION_FORWARD:
    snprintf(text, sizeof text, "the latest %s rows, in %zu block%s of time, each after learning from earlier rows",
             rows, info->folds, info->folds == 1 ? "" : "s");
    break;
  case ENTROPIC_VALIDATION_NONE:
    snprintf(text, sizeof text, "none");
    break;
  }
  add(summary, "rows held out", text);
}

/* The axis of the first input that is a number, if there is one: mostly, the others have the same options. */
static entropic_axis_options first_number(const entropic_kernel *kernel) {
  for (size_t i = 0; i < entropic_kernel_inputs(kernel); i++)
    if (!entropic_family_has(ent_kernel_axis(kernel, i).family, ENTROPIC_TRAIT_CATEGORIES))
      return ent_kernel_axis(kernel, i);
  return ent_kernel_axis(kernel, 0);
}

static const char *found_words(ent_form form) {
  return form == ENT_FORM_CONSTANT ? "nothing to learn"
         : form == ENT_FORM_LINEAR ? "a linear model"
                                   : "a model of selected or given features";
}

/* "60", or "60 to 100": features of the models that are averaged. */
static const char *show_members(const ent_fit_report *report, char text[EACH]) {
  char least[ENT_SHOWN_NUMBER], most[ENT_SHOWN_NUMBER];
  ent_show_fixed((double)report->member_least, 0, least);
  ent_show_fixed((double)report->member_most, 0, most);
  if (report->member_least == report->member_most)
    snprintf(text, EACH, "%s", most);
  else
    snprintf(text, EACH, "%s to %s", least, most);
  return text;
}

static void add_features(ent_summary *summary, const entropic_model *model, const entropic_model_info *info,
                         const ent_fit_report *report) {
  char each[EACH];
  if (info->contained_rows > 0)
    add_count(summary, "training rows that the model contains", info->contained_rows);
  if (entropic_model_design(model) == NULL) {
    add(summary, "features", "none: a sum over training rows");
    return;
  }
  add_count(summary, "features of the model", info->features);
  add_count(summary, "models averaged", report->members);
  if (report->members > 1)
    add(summary, "features of each of them", show_members(report, each));
  add(summary, "features chosen by", ent_select_name(info->select));
}

/* The range of predictions, of the first target. */
static void add_range(ent_summary *summary, const entropic_model *model) {
  char text[2 * ENT_SHOWN_NUMBER + 8], low[ENT_SHOWN_NUMBER], high[ENT_SHOWN_NUMBER];
  double lower, upper;
  if (!entropic_model_range(model, 0, &lower, &upper) || (isinf(lower) && isinf(upper)))
    return;
  ent_show_number(lower, 4, low);
  ent_show_number(upper, 4, high);
  if (isinf(lower) || isinf(upper))
    snprintf(text, sizeof text, "%s or %s", isinf(lower) ? high : low, isinf(lower) ? "less" : "more");
  else
    snprintf(text, sizeof text, "%s to %s", low, high);
  add(summary, "range of predictions", text);
}

static void add_summary(ent_page *page, const entropic_model *model, const ent_fit_report *report) {
  static const ent_table_column columns[] = {{.title = "what", .text = true}, {.title = "value", .text = true}};
  entropic_model_info info = ent_model_describe(model);
  entropic_axis_options axis = first_number(entropic_model_kernel(model));
  ent_summary summary = {.rows = 0};
  add(&summary, "task", entropic_task_name(info.task));
  add(&summary, info.targets > 1 ? "first target" : "target", entropic_model_target(model, 0));
  add_count(&summary, "rows", info.rows);
  add_count(&summary, "inputs", info.inputs);
  add_count(&summary, "inputs used", info.inputs_used);
  add(&summary, "scaling", entropic_scaling_name(info.scaling));
  if (info.task == ENTROPIC_TASK_REGRESSION)
    add(&summary, "target scale", ent_target_scale_name(info.target_scale));
  add(&summary, "kernel", entropic_family_name(axis.family));
  for (int i = 0; i < ENT_TEXTS; i++)
    if (*ent_text_of(&axis, i) != NULL)
      add(&summary, ent_text_names[i], *ent_text_of(&axis, i));
  add_number(&summary, "omega", axis.omega, 0);
  add_count(&summary, "smooth", axis.smooth > 0 ? (size_t)axis.smooth : 0);
  add_features(&summary, model, &info, report);
  add_number(&summary, "lambda", info.lambda, 0);
  add(&summary, "loss", ent_loss_name(info.loss));
  add_range(&summary, model);
  add_validation(&summary, &info);
  add_number(&summary, error_name(&info), info.validation_error, report->error_spread);
  add_number(&summary,
             info.task == ENTROPIC_TASK_CLASSIFICATION ? "error of the most frequent class" : "error of the mean",
             report->mean_error, 0);
  add_number(&summary, "error of a linear model", report->linear_error, 0);
  add(&summary, "found", found_words(report->form));
  add_number(&summary, "seconds", report->total, 0);
  ent_page_table(page, &(ent_table){.title = "The fit",
                                    .note = "After the sign ± stands the standard error, as if rows were independent.",
                                    .columns = columns,
                                    .column_count = 2,
                                    .cells = &summary.cells[0][0],
                                    .rows = summary.rows});
}

/* What the model is: how many features it has, and why. */
static void add_model(ent_page *page, const entropic_model *model, const entropic_model_info *info,
                      const ent_fit_report *report) {
  char text[512], features[ENT_SHOWN_NUMBER], each[EACH];
  ent_show_fixed((double)info->features, 0, features);
  const char *plural = info->features == 1 ? "" : "s";
  if (entropic_model_design(model) == NULL)
    snprintf(text, sizeof text, "The model has no features. It is a sum over the kernel at %s training row%s.",
             features, plural);
  else if (info->features == 0)
    snprintf(text, sizeof text, "The model has no features: it predicts the same for all rows.");
  else if (report->stack_runs > 0)
    snprintf(
        text, sizeof text,
        "The model has %s features%s. It is a weighted sum: %.2g of the average of %zu fits, whose %zu models have %s "
        "features each, %.2g of a linear model, %.2g of the kernel with all training rows as centres, %.2g of the "
        "constant.",
        features, info->contained_rows > 0 ? ", training rows among them" : "", report->stack[ENT_FORM_FULL],
        report->stack_runs, report->members, show_members(report, each), report->stack[ENT_FORM_LINEAR],
        report->stack[ENT_FORM_KERNEL], report->stack[ENT_FORM_CONSTANT]);
  else if (report->members > 1)
    snprintf(
        text, sizeof text,
        "The model has %s features. It is the average of %zu models of %s features each; a feature that several of "
        "them have counts once.",
        features, report->members, show_members(report, each));
  else
    snprintf(text, sizeof text, "The model has %s feature%s.", features, plural);
  ent_page_paragraph(page, text);
}

/* Whether every member has this size: a mean over fewer members would be over other rows. */
static bool is_shared(const ent_fit_report *report, size_t i) {
  return report->path[i].members == report->members;
}

/* The sizes that every member has, for a chart. */
typedef struct ent_fit_curve {
  size_t count, spreads; /* sizes, and those with a standard error */
  double x[ENT_PATH_MOST], y[ENT_PATH_MOST], low[ENT_PATH_MOST], high[ENT_PATH_MOST];
  double least; /* error */
} ent_fit_curve;

/* Of sizes without a standard error, the model's has that of its validation error. */
static double spread_at(const ent_fit_report *report, size_t i, size_t features) {
  const ent_path_step *step = &report->path[i];
  return isfinite(step->spread) || step->features != features ? step->spread : report->error_spread;
}

static ent_fit_curve shared_curve(const ent_fit_report *report, size_t features) {
  ent_fit_curve curve = {.count = 0, .least = INFINITY};
  for (size_t i = 0; i < report->path_count; i++) {
    const ent_path_step *step = &report->path[i];
    if (!is_shared(report, i))
      continue;
    double spread = spread_at(report, i, features);
    curve.spreads += isfinite(spread) ? 1 : 0;
    curve.x[curve.count] = (double)step->features;
    curve.y[curve.count] = step->error;
    curve.low[curve.count] = step->error - spread;
    curve.high[curve.count++] = step->error + spread;
    curve.least = fmin(curve.least, step->error);
  }
  return curve;
}

static const char *bar_words(const ent_fit_curve *curve) {
  return curve->spreads == 0 ? NULL
         : curve->spreads < curve->count
             ? "The error bar is one standard error of the model's error on either side, as if rows were independent."
             : "Error bars are one standard error on either side, as if rows were independent.";
}

static void add_chart(ent_page *page, const entropic_model_info *info, const ent_fit_report *report,
                      const ent_fit_curve *curve) {
  double ends[2] = {curve->x[0], curve->x[curve->count - 1]}, mean[2] = {report->mean_error, report->mean_error},
         linear[2] = {report->linear_error, report->linear_error};
  bool spread = curve->spreads > 0;
  bool several = report->members > 1;
  char name[48];
  snprintf(name, sizeof name, "one of the %zu models", report->members);
  const ent_series series[] = {
      {.name = several ? name : "this fit",
       .count = curve->count,
       .x = curve->x,
       .y = curve->y,
       .low = spread ? curve->low : NULL,
       .high = spread ? curve->high : NULL},
      {.name = "a linear model", .count = 2, .x = ends, .y = linear, .style = ENT_SERIES_CURVE, .dashed = true},
      {.name = info->task == ENTROPIC_TASK_CLASSIFICATION ? "the most frequent class" : "the mean",
       .count = 2,
       .x = ends,
       .y = mean,
       .style = ENT_SERIES_CURVE,
       .dashed = true}};
  bool far = curve->least > 0 && report->mean_error > FAR * curve->least;
  ent_page_chart(page, &(ent_chart){.title = several ? "The error of one model by its number of features"
                                                     : "The error by the number of features",
                                    .note = bar_words(curve),
                                    .x = {.title = several ? "features of one model" : "features", .logarithmic = true},
                                    .y = {.title = error_name(info), .logarithmic = far},
                                    .series = series,
                                    .series_count = sizeof series / sizeof *series});
}

/* Where the curve ends, and why the model has another number of features. */
static void add_end(ent_page *page, const entropic_model_info *info, const ent_fit_report *report,
                    const ent_fit_curve *curve) {
  char text[640], last[ENT_SHOWN_NUMBER], features[ENT_SHOWN_NUMBER], each[EACH];
  ent_show_fixed(curve->x[curve->count - 1], 0, last);
  ent_show_fixed((double)info->features, 0, features);
  if (report->form != ENT_FORM_FULL)
    snprintf(text, sizeof text,
             "The chart ends with %s features. The model is %s: nothing richer is better by more "
             "than noise.",
             last, report->form == ENT_FORM_LINEAR ? "linear" : "a constant");
  else if (report->members > 1)
    snprintf(text, sizeof text,
             "The chart ends with %s features, the largest size that all %zu models tried. Each model was selected "
             "without one fold of the rows, and stops at the size that was best for it: %s features. Their average, "
             "the model of this page, has %s features, with weights learnt from all rows.",
             last, report->members, show_members(report, each), features);
  else if ((double)info->features < curve->x[curve->count - 1])
    snprintf(text, sizeof text,
             "The chart ends with %s features. The model has %s: more lower the error hardly or not at all.", last,
             features);
  else
    snprintf(text, sizeof text, "The chart ends with %s features; the model has %s.", last, features);
  ent_page_paragraph(page, text);
}

static void add_curve(ent_page *page, const entropic_model_info *info, const ent_fit_report *report) {
  ent_fit_curve curve = shared_curve(report, info->features);
  if (curve.count == 0)
    return;
  char text[512];
  if (report->members > 1)
    snprintf(text, sizeof text,
             "How the error of one model depends on its number of features: the mean over the %zu models, each by "
             "itself, on rows held out to choose that number. These errors are a little too good, as each is the least "
             "of many. The error above is that of the average of the models, on rows that took no part in any choice.",
             report->members);
  else
    snprintf(text, sizeof text,
             "Errors on rows held out to choose the number of features. They are a little too good, as each is the "
             "least of many; the error above is not.");
  ent_page_paragraph(page, text);
  add_chart(page, info, report, &curve);
  add_end(page, info, report, &curve);
}

static void add_path(ent_page *page, const entropic_model_info *info, const ent_fit_report *report) {
  enum { FEATURES, ERROR, MODELS, LAMBDA, COLUMNS };
  bool spread = report->path_count > 0 && isfinite(report->path[0].spread), several = report->members > 1;
  const ent_table_column columns[COLUMNS] = {
      [FEATURES] = {.title = several ? "features of one model" : "features", .fixed = true},
      [ERROR] = {.title = "error", .digits = 4, .best = ENT_BEST_LOWEST, .spread = spread ? "standard error" : NULL},
      [MODELS] = {.title = "models", .fixed = true},
      [LAMBDA] = {.title = "lambda", .digits = 3}};
  ent_table_cell cells[ENT_PATH_MOST][COLUMNS];
  char texts[ENT_PATH_MOST][ENT_SHOWN_NUMBER + 16];
  for (size_t i = 0; i < report->path_count; i++) {
    const ent_path_step *step = &report->path[i];
    cells[i][FEATURES] = (ent_table_cell){.value = (double)step->features};
    cells[i][ERROR] = (ent_table_cell){.value = step->error, .spread = step->spread};
    cells[i][MODELS] = (ent_table_cell){.value = (double)step->members};
    cells[i][LAMBDA] = (ent_table_cell){.value = step->lambda};
    if (is_shared(report, i))
      continue;
    char number[ENT_SHOWN_NUMBER];
    snprintf(texts[i], sizeof texts[i], "%s (fewer rows)", ent_show_number(step->error, 4, number));
    cells[i][ERROR] = (ent_table_cell){.text = texts[i], .value = NAN}; /* not to be compared with the others */
  }
  if (report->path_count > 0)
    ent_page_table(page, &(ent_table){.title = info->task == ENTROPIC_TASK_CLASSIFICATION
                                                   ? "Sizes tried, and the share of wrong classes"
                                                   : "Sizes tried, and the root mean squared error",
                                      .columns = columns,
                                      .column_count = COLUMNS,
                                      .cells = &cells[0][0],
                                      .rows = report->path_count});
}

static double number_at(const entropic_report *report, const char *path) {
  double value;
  return entropic_report_number(report, path, &value) ? value : NAN;
}

static size_t count_at(const entropic_report *report, const char *path) {
  double value = number_at(report, path);
  return value >= 0 ? (size_t)value : 0;
}

static double step_at(const entropic_report *report, size_t step, const char *key) {
  char path[48];
  snprintf(path, sizeof path, "path.%zu.%s", step, key);
  return number_at(report, path);
}

/* What the page shows of a report. */
static ent_fit_report read_report(const entropic_report *report) {
  ent_fit_report fit = {.total = number_at(report, "seconds.total"),
                        .member_least = count_at(report, "member_features.least"),
                        .member_most = count_at(report, "member_features.most"),
                        .stopped_early = number_at(report, "hurried") == 1,
                        .members = count_at(report, "members"),
                        .stack_runs = count_at(report, "stack.runs"),
                        .stack = {[ENT_FORM_CONSTANT] = number_at(report, "stack.constant"),
                                  [ENT_FORM_LINEAR] = number_at(report, "stack.linear"),
                                  [ENT_FORM_FULL] = number_at(report, "stack.selected"),
                                  [ENT_FORM_KERNEL] = number_at(report, "stack.kernel")},
                        .form = ENT_FORM_FULL,
                        .error_spread = number_at(report, "validation.standard_error"),
                        .mean_error = number_at(report, "references.mean"),
                        .linear_error = number_at(report, "references.linear"),
                        .path_count = entropic_report_size(report, "path")};
  char form[16];
  entropic_report_text(report, "form", form, sizeof form);
  for (int i = 0; ent_form_name((ent_form)i) != NULL; i++)
    if (strcmp(form, ent_form_name((ent_form)i)) == 0)
      fit.form = (ent_form)i;
  fit.path_count = fit.path_count < ENT_PATH_MOST ? fit.path_count : ENT_PATH_MOST;
  for (size_t i = 0; i < fit.path_count; i++)
    fit.path[i] = (ent_path_step){.features = (size_t)step_at(report, i, "features"),
                                  .members = (size_t)step_at(report, i, "members"),
                                  .lambda = step_at(report, i, "lambda"),
                                  .error = step_at(report, i, "error"),
                                  .spread = step_at(report, i, "standard_error")};
  return fit;
}

/* "friedman1: predicting y"; of several targets the first. */
static void make_title(const entropic_model *model, size_t targets, const char *data, char title[TITLE]) {
  char more[32] = "";
  if (targets > 1)
    snprintf(more, sizeof more, " and %zu more", targets - 1);
  snprintf(title, TITLE, "%.300s: predicting %.120s%s", data, entropic_model_target(model, 0), more);
}

/* Where the page comes from, as far as the report knows. */
static void add_foot(ent_page *page, const entropic_report *report, uint64_t seed) {
  char date[64] = "", none[1];
  size_t length = entropic_report_text(report, "command", none, sizeof none);
  char *command = ent_new(page->text.context, length + 1, 1);
  if (command == NULL) {
    page->text.status = page->text.status != ENTROPIC_OK ? page->text.status : ENTROPIC_NO_MEMORY;
    return;
  }
  entropic_report_text(report, "command", command, length + 1);
  entropic_report_text(report, "date", date, sizeof date);
  ent_page_foot(page, &(ent_foot){.date = date, .command = length > 0 ? command : NULL, .seeded = true, .seed = seed});
  ent_delete(command);
}

entropic_status entropic_fit_html(entropic_context *context, const entropic_model *model, const entropic_report *report,
                                  const char *title, const char *path) {
  ENT_NEED(context, model);
  ENT_NEED(context, report);
  ENT_NEED(context, title);
  ENT_NEED(context, path);
  const ent_fit_report known = read_report(report), *fit = &known;
  entropic_model_info info = ent_model_describe(model);
  bool exact = entropic_model_design(model) == NULL;
  char features[ENT_SHOWN_NUMBER], error[ENT_SHOWN_NUMBER], mean[ENT_SHOWN_NUMBER], linear[ENT_SHOWN_NUMBER];
  char heading[TITLE];
  const char *const facts[][2] = {
      {exact ? "training rows in the sum" : "features", ent_show_fixed((double)info.features, 0, features)},
      {error_name(&info), ent_show_number(info.validation_error, 4, error)},
      {info.task == ENTROPIC_TASK_CLASSIFICATION ? "error of the most frequent class" : "error of the mean",
       ent_show_number(fit->mean_error, 4, mean)},
      {"error of a linear model", ent_show_number(fit->linear_error, 4, linear)}};
  ent_page page;
  make_title(model, info.targets, title, heading);
  ent_page_start(&page, context, heading,
                 "What a model learnt from this table, how good it is on rows it has not seen, and how that depends on "
                 "the number of features.");
  ent_page_facts(&page, facts, sizeof facts / sizeof *facts);
  add_model(&page, model, &info, fit);
  if (fit->stopped_early)
    ent_page_note(&page, "A limit of seconds cut the search short.");
  ent_page_section(&page, "Errors");
  add_curve(&page, &info, fit);
  add_path(&page, &info, fit);
  ent_page_section(&page, "Summary");
  add_summary(&page, model, fit);
  add_foot(&page, report, info.seed);
  ent_page_end(&page);
  entropic_status status = ent_page_save(&page, path);
  ent_page_free(&page);
  return status;
}
