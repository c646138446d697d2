/* A fit as a page: its summary, and how the error falls with the number of features. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/fit_options.h"
#include "model/model.h"
#include "report/report.h"

#define FAR 3 /* times the least error: a mean beyond that is drawn on a logarithmic axis */
#define CELL 160

/* Room for a table of two columns. */
typedef struct ent_summary {
  ent_table_cell cells[26][2];
  char texts[26][CELL];
  size_t rows;
} ent_summary;

static void add(ent_summary *summary, const char *name, const char *value) {
  snprintf(summary->texts[summary->rows], CELL, "%s", value);
  summary->cells[summary->rows][0] = (ent_table_cell){.text = name};
  summary->cells[summary->rows][1] = (ent_table_cell){.text = summary->texts[summary->rows]};
  summary->rows++;
}

static void add_count(ent_summary *summary, const char *name, size_t count) {
  char text[32];
  snprintf(text, sizeof text, "%zu", count);
  add(summary, name, text);
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
  return info->classes > 0 ? "share of wrong classes" : "root of the mean square";
}

static void add_validation(ent_summary *summary, const entropic_model_info *info) {
  char text[CELL];
  switch (info->validation) {
  case ENTROPIC_VALIDATION_FOLDS:
    snprintf(text, sizeof text, "%zu folds, %zu rows", info->folds, info->validation_rows);
    break;
  case ENTROPIC_VALIDATION_PART:
    snprintf(text, sizeof text, "some of %zu folds, %zu rows", info->folds, info->validation_rows);
    break;
  case ENTROPIC_VALIDATION_ROWS:
    snprintf(text, sizeof text, "%zu validation rows of their own file", info->validation_rows);
    break;
  case ENTROPIC_VALIDATION_FORWARD:
    snprintf(text, sizeof text, "the latest %zu rows, in %zu block%s of time, each after learning from earlier rows",
             info->validation_rows, info->folds, info->folds == 1 ? "" : "s");
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

static const char *found_words(entropic_form form) {
  return form == ENTROPIC_FORM_NOTHING  ? "nothing to learn"
         : form == ENTROPIC_FORM_LINEAR ? "a linear model"
                                        : "a model of selected or given features";
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
  if (info.classes == 0)
    add(&summary, "target scale", entropic_target_scale_name(info.target_scale));
  add(&summary, "kernel", entropic_family_name(axis.family));
  for (int i = 0; i < ENT_TEXTS; i++)
    if (*ent_text_of(&axis, i) != NULL)
      add(&summary, ent_text_names[i], *ent_text_of(&axis, i));
  add_number(&summary, "omega", axis.omega, 0);
  add_count(&summary, "smooth", axis.smooth > 0 ? (size_t)axis.smooth : 0);
  add(&summary, "features chosen by",
      entropic_model_design(model) == NULL ? "none: exact" : entropic_select_name(info.select));
  add_count(&summary, "models averaged", report->members);
  add_number(&summary, "lambda", info.lambda, 0);
  add(&summary, "loss", entropic_loss_name(info.loss));
  add_validation(&summary, &info);
  add_number(&summary, error_name(&info), info.validation_error, report->error_spread);
  add_number(&summary, info.classes > 0 ? "of the most frequent class" : "of the mean", report->mean_error, 0);
  add_number(&summary, "of a linear model", report->linear_error, 0);
  add(&summary, "found", found_words(report->form));
  add_number(&summary, "seconds", report->total, 0);
  ent_page_table(page, &(ent_table){.title = "The fit",
                                    .note = "After the sign ± stands the standard error, as if rows were independent.",
                                    .columns = columns,
                                    .column_count = 2,
                                    .cells = &summary.cells[0][0],
                                    .rows = summary.rows});
}

/* Whether every member has this size: a mean over fewer members would be over other rows. */
static bool is_shared(const ent_fit_report *report, size_t i) {
  return report->path[i].members == report->members;
}

static void add_curve(ent_page *page, const entropic_model_info *info, const ent_fit_report *report) {
  double x[ENT_PATH_MOST], y[ENT_PATH_MOST], low = INFINITY;
  size_t count = 0;
  for (size_t i = 0; i < report->path_count; i++)
    if (is_shared(report, i)) {
      x[count] = (double)report->path[i].features;
      y[count++] = report->path[i].error;
    }
  if (count == 0)
    return;
  double ends[2] = {x[0], x[count - 1]}, mean[2] = {report->mean_error, report->mean_error},
         linear[2] = {report->linear_error, report->linear_error};
  for (size_t i = 0; i < count; i++)
    low = fmin(low, y[i]);
  const ent_series series[] = {
      {.name = "selected features", .count = count, .x = x, .y = y, .style = ENT_SERIES_MARKED},
      {.name = "linear", .count = 2, .x = ends, .y = linear, .style = ENT_SERIES_CURVE, .dashed = true},
      {.name = info->classes > 0 ? "most frequent class" : "mean",
       .count = 2,
       .x = ends,
       .y = mean,
       .style = ENT_SERIES_CURVE,
       .dashed = true}};
  ent_page_chart(
      page, &(ent_chart){.title = "The error by the number of features",
                         .note = "On rows held out; a mean over the models averaged, each by itself.",
                         .x = {.title = "features", .logarithmic = true},
                         .y = {.title = error_name(info), .logarithmic = low > 0 && report->mean_error > FAR * low},
                         .series = series,
                         .series_count = sizeof series / sizeof *series});
}

static void add_path(ent_page *page, const entropic_model_info *info, const ent_fit_report *report) {
  const ent_table_column columns[] = {{.title = "features", .fixed = true},
                                      {.title = "models", .fixed = true},
                                      {.title = "lambda", .digits = 3},
                                      {.title = error_name(info), .digits = 4, .best = ENT_BEST_LOWEST}};
  ent_table_cell cells[ENT_PATH_MOST][4];
  char texts[ENT_PATH_MOST][ENT_SHOWN_NUMBER + 16];
  for (size_t i = 0; i < report->path_count; i++) {
    const ent_path_step *step = &report->path[i];
    cells[i][0] = (ent_table_cell){.value = (double)step->features};
    cells[i][1] = (ent_table_cell){.value = (double)step->members};
    cells[i][2] = (ent_table_cell){.value = step->lambda};
    cells[i][3] = (ent_table_cell){.value = step->error};
    if (is_shared(report, i))
      continue;
    char number[ENT_SHOWN_NUMBER];
    snprintf(texts[i], sizeof texts[i], "%s (fewer rows)", ent_show_number(step->error, 4, number));
    cells[i][3] = (ent_table_cell){.text = texts[i], .value = NAN}; /* not to be compared with the others */
  }
  if (report->path_count > 0)
    ent_page_table(page, &(ent_table){.title = "Sizes tried",
                                      .columns = columns,
                                      .column_count = 4,
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
                        .hurried = number_at(report, "hurried") == 1,
                        .members = count_at(report, "members"),
                        .form = ENTROPIC_FORM_FULL,
                        .error_spread = number_at(report, "validation.standard_error"),
                        .mean_error = number_at(report, "references.mean"),
                        .linear_error = number_at(report, "references.linear"),
                        .path_count = entropic_report_size(report, "path")};
  char form[16];
  entropic_report_text(report, "form", form, sizeof form);
  for (int i = 0; entropic_form_name((entropic_form)i) != NULL; i++)
    if (strcmp(form, entropic_form_name((entropic_form)i)) == 0)
      fit.form = (entropic_form)i;
  fit.path_count = fit.path_count < ENT_PATH_MOST ? fit.path_count : ENT_PATH_MOST;
  for (size_t i = 0; i < fit.path_count; i++)
    fit.path[i] = (ent_path_step){.features = (size_t)step_at(report, i, "features"),
                                  .members = (size_t)step_at(report, i, "members"),
                                  .lambda = step_at(report, i, "lambda"),
                                  .error = step_at(report, i, "error")};
  return fit;
}

entropic_status entropic_fit_html(entropic_context *context, const entropic_model *model, const entropic_report *about,
                                  const char *title, const char *path) {
  ENT_NEED(context, model);
  ENT_NEED(context, about);
  ENT_NEED(context, title);
  ENT_NEED(context, path);
  const ent_fit_report known = read_report(about), *report = &known;
  entropic_model_info info = ent_model_describe(model);
  char features[32], error[ENT_SHOWN_NUMBER], mean[ENT_SHOWN_NUMBER], linear[ENT_SHOWN_NUMBER];
  snprintf(features, sizeof features, "%zu", info.features);
  const char *const facts[][2] = {{"features", features},
                                  {error_name(&info), ent_show_number(info.validation_error, 4, error)},
                                  {info.classes > 0 ? "error of the most frequent class" : "error of the mean",
                                   ent_show_number(report->mean_error, 4, mean)},
                                  {"error of a linear model", ent_show_number(report->linear_error, 4, linear)}};
  ent_page page;
  ent_page_start(&page, context, title,
                 "What a model learnt from this table, how good it is on rows it has not seen, and how that depends on "
                 "the number of features.");
  ent_page_facts(&page, facts, sizeof facts / sizeof *facts);
  if (report->hurried)
    ent_page_note(&page, "A limit of seconds cut the search short.");
  ent_page_section(&page, "Errors");
  add_curve(&page, &info, report);
  add_path(&page, &info, report);
  ent_page_section(&page, "Summary");
  add_summary(&page, model, report);
  ent_page_end(&page);
  entropic_status status = ent_page_save(&page, path);
  ent_page_free(&page);
  return status;
}
