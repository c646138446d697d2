#include "fit/reports.h"

#include <math.h>
#include <sys/resource.h>

#include "design/design.h"
#include "model/intervals.h"
#include "loss/loss.h"
#include "model/member_effects.h"
#include "dataset/dataset.h"

const char *ent_form_name(ent_form form) {
  static const char *const names[] = {
      [ENT_FORM_CONSTANT] = "nothing", [ENT_FORM_LINEAR] = "linear", [ENT_FORM_FULL] = "full"};
  return (size_t)form < sizeof names / sizeof *names ? names[form] : NULL;
}

/* Whether the axis of an input counts: of a model, those in use. */
static bool counts(const entropic_model *model, size_t input) {
  return model == NULL || !model->schema.input[input].unused;
}

/* Of the inputs that are numbers, if there are any: the kernel of categories has no other name. */
static const char *family_of(const entropic_kernel *kernel, const entropic_model *model) {
  entropic_family categories = ENTROPIC_FAMILY_CATEGORY, numbers = categories;
  bool periodic = false;
  if (model != NULL && ent_model_used(model) == 0)
    return "none";
  for (size_t i = 0; i < kernel->inputs; i++) {
    entropic_family family = kernel->axes[i]->options.family;
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

ent_kernel_words ent_kernel_wording(const entropic_kernel *kernel, const entropic_model *model) {
  ent_kernel_words words = {.family = family_of(kernel, model), .low = INFINITY, .high = -INFINITY};
  for (size_t i = 0; i < kernel->inputs; i++) {
    const entropic_axis_options *axis = &kernel->axes[i]->options;
    if (!counts(model, i))
      continue;
    words.custom = words.custom == NULL && ent_is_text(axis) ? axis : words.custom;
    if (!(kernel->axes[i]->traits & ENTROPIC_TRAIT_OMEGA))
      continue;
    words.low = axis->omega < words.low ? axis->omega : words.low;
    words.high = axis->omega > words.high ? axis->omega : words.high;
    words.smooth = axis->smooth > words.smooth ? axis->smooth : words.smooth;
  }
  return words;
}

/* What a custom kernel was given as. */
static void add_expressions(entropic_report *report, const entropic_axis_options *custom) {
  if (custom == NULL)
    return;
  entropic_axis_options options = *custom;
  entropic_report_open_object(report, "expressions");
  for (int i = 0; i < ENT_TEXTS; i++)
    if (*ent_text_of(&options, i) != NULL)
      entropic_report_add_text(report, ent_text_names[i], *ent_text_of(&options, i));
  entropic_report_close(report);
}

/* Keys "kernel", "expressions" of a custom one, "smooth" and "omega": a list where inputs differ, null where the kernel has none or the model does not
 * use the input. */
static void add_kernel(entropic_report *report, const entropic_kernel *kernel, const entropic_model *model) {
  ent_kernel_words words = ent_kernel_wording(kernel, model);
  entropic_report_add_text(report, "kernel", words.family);
  add_expressions(report, words.custom);
  entropic_report_add_integer(report, "smooth", (uint64_t)words.smooth);
  if (words.low >= words.high) {
    entropic_report_add_number(report, "omega", words.low == words.high ? words.low : NAN);
    return;
  }
  entropic_report_open_list(report, "omega");
  for (size_t i = 0; i < kernel->inputs; i++)
    entropic_report_add_number(report, NULL, counts(model, i) ? kernel->axes[i]->options.omega : NAN);
  entropic_report_close(report);
}

static void add_names(entropic_report *report, const char *key, char *const *names, size_t count) {
  entropic_report_open_list(report, key);
  for (size_t i = 0; i < count; i++)
    entropic_report_add_text(report, NULL, names[i]);
  entropic_report_close(report);
}

/* Lower and upper end for each target, null where there is no limit; null if the model has no range. */
static void add_range(entropic_report *report, const entropic_model *model) {
  double lower, upper;
  if (!entropic_model_range(model, 0, &lower, &upper)) {
    ent_report_add_null(report, "range");
    return;
  }
  entropic_report_open_list(report, "range");
  for (size_t t = 0; entropic_model_range(model, t, &lower, &upper); t++) {
    entropic_report_open_list(report, NULL);
    entropic_report_add_number(report, NULL, lower);
    entropic_report_add_number(report, NULL, upper);
    entropic_report_close(report);
  }
  entropic_report_close(report);
}

static void add_validation(entropic_report *report, const entropic_model *model, const ent_fit_report *fit) {
  static const char *const kinds[] = {"none", "folds", "rows", "part", "forward"};
  bool classes = ent_schema_has_classes(&model->schema);
  entropic_report_open_object(report, "validation");
  entropic_report_add_text(report, "kind", kinds[model->validation]);
  if (model->folds > 0)
    entropic_report_add_integer(report, "folds", model->folds);
  else
    ent_report_add_null(report, "folds");
  entropic_report_add_integer(report, "rows", model->validation_rows);
  entropic_report_add_number(report, classes ? "error" : "rmse", model->validation_error);
  if (fit != NULL)
    entropic_report_add_number(report, "standard_error", fit->error_spread);
  if (fit != NULL && fit->out_of_reach > 0)
    entropic_report_add_integer(report, "out_of_reach", fit->out_of_reach);
  if (fit != NULL && fit->heaviest_rows > 0) {
    entropic_report_add_integer(report, "heaviest_rows", fit->heaviest_rows);
    entropic_report_add_number(report, "heaviest_share", fit->heaviest_share);
  }
  const char *figure = ent_link_of(&model->link)->figure;
  if (figure != NULL || isfinite(model->validation_loss)) /* of numbers: a loss other than the squared one */
    entropic_report_add_number(report, figure != NULL ? figure : "loss", model->validation_loss);
  entropic_report_add_flag(report, "current", !model->outdated);
  entropic_report_close(report);
}

/* The terms that features were restricted to, by list; null where none was given. */
static void add_terms(entropic_report *report, const ent_schema *schema) {
  entropic_report_add_text(report, "only", schema->terms[ENT_RESTRICT_ONLY]);
  entropic_report_add_text(report, "without", schema->terms[ENT_RESTRICT_WITHOUT]);
}

/* The errors of the fit without a restriction; null if there are none. */
static void add_unrestricted(entropic_report *report, const entropic_model *model, const ent_fit_report *fit) {
  bool classes = ent_schema_has_classes(&model->schema);
  if (!isfinite(fit->unrestricted_error)) {
    ent_report_add_null(report, "unrestricted");
    return;
  }
  entropic_report_open_object(report, "unrestricted");
  entropic_report_add_number(report, classes ? "error" : "rmse", fit->unrestricted_error);
  entropic_report_add_number(report, "standard_error", fit->unrestricted_spread);
  if (classes)
    entropic_report_add_number(report, "logloss", fit->unrestricted_loss);
  entropic_report_close(report);
}

static void add_used(entropic_report *report, const entropic_model *model) {
  entropic_report_open_list(report, "inputs_used");
  for (size_t i = 0; i < model->schema.inputs; i++)
    if (!model->schema.input[i].unused)
      entropic_report_add_text(report, NULL, model->schema.input[i].name);
  entropic_report_close(report);
}

/* The inputs whose line goes on beyond the range learnt from. */
static void add_continued(entropic_report *report, const entropic_model *model) {
  const bool *beyond = model->main.design == NULL ? NULL : model->main.design->beyond;
  entropic_report_open_list(report, "inputs_continued");
  for (size_t i = 0; i < model->schema.inputs && beyond != NULL; i++)
    if (beyond[i])
      entropic_report_add_text(report, NULL, model->schema.input[i].name);
  entropic_report_close(report);
}

void ent_report_model(entropic_report *report, const entropic_model *model, const ent_fit_report *fit) {
  entropic_model_info info = ent_model_describe(model);
  entropic_report_add_integer(report, "rows", info.rows);
  entropic_report_add_integer(report, "inputs", info.inputs);
  add_used(report, model);
  add_continued(report, model);
  if (model->means != NULL)
    entropic_report_add_integer(report, "target_means", model->means->input_count);
  add_terms(report, &model->schema);
  if (info.components > 1)
    entropic_report_add_integer(report, "components", info.components);
  entropic_report_add_integer(report, "features", info.features);
  if (info.contained_rows > 0)
    entropic_report_add_integer(report, "contained_rows", info.contained_rows);
  entropic_report_add_number(report, "nonzeros_per_row", info.nonzeros);
  add_kernel(report, model->main.kernel, model);
  entropic_report_add_number(report, "lambda", info.lambda);
  entropic_report_add_text(report, "select", model->main.design == NULL ? NULL : ent_select_name(info.select));
  entropic_report_add_text(report, "task", entropic_task_name(info.task));
  entropic_report_add_text(report, "loss", ent_loss_name(info.loss));
  if (ent_loss_of(info.loss)->parameter != NULL) /* in units of the target */
    entropic_report_add_number(report, "loss_parameter", model->loss_parameter);
  entropic_report_add_text(report, "solver", ent_solver_name(info.solver));
  entropic_report_add_text(report, "scale", entropic_scaling_name(info.scaling));
  entropic_report_add_text(report, "target_scale", ent_target_scale_name(info.target_scale));
  if (info.target_scale != ENTROPIC_TARGET_SCALE_PLAIN) {
    entropic_report_add_number(report, "target_origin", info.target_origin);
    entropic_report_add_number(report, "target_sign", info.target_sign);
    entropic_report_add_number(report, "target_rise", info.retransformation_bias);
  }
  add_range(report, model);
  add_names(report, "targets", model->schema.target, model->schema.targets);
  add_names(report, "classes", model->schema.class_name, model->schema.classes);
  entropic_report_add_integer(report, "seed", info.seed);
  entropic_report_add_flag(report, "converged", info.converged);
  add_validation(report, model, fit);
  entropic_report_add_integer(report, "statistics_bytes", entropic_model_statistics_bytes(model));
  entropic_report_add_integer(report, "interval_rows", ent_model_interval_rows(model));
}

static void add_columns(entropic_report *report, const entropic_model *model) {
  entropic_input_info input;
  entropic_report_open_list(report, "columns");
  for (size_t i = 0; ent_model_input(NULL, model, i, &input) == ENTROPIC_OK; i++) {
    entropic_report_open_object(report, NULL);
    entropic_report_add_text(report, "name", input.name);
    entropic_report_add_text(report, "type", input.category ? "category" : input.date ? "date" : "number");
    if (input.part[0] != '\0')
      entropic_report_add_text(report, "part", input.part);
    if (input.categories > 0)
      add_names(report, "categories", model->schema.input[i].category, input.categories);
    entropic_report_add_flag(report, "missing", input.missing);
    entropic_report_add_flag(report, "used", input.used);
    entropic_report_close(report);
  }
  entropic_report_close(report);
}

entropic_status entropic_model_report(entropic_context *context, const entropic_model *model,
                                      entropic_report **report) {
  ENT_NEED(context, model);
  ENT_NEED(context, report);
  entropic_report *made;
  double offset;
  entropic_status status = entropic_report_create(context, &made);
  if (status != ENTROPIC_OK)
    return status;
  ent_report_model(made, model, NULL);
  if (model->member_effects != NULL)
    entropic_report_add_integer(made, "members", model->member_effects->members);
  else
    ent_report_add_null(made, "members"); /* one, or nobody has kept how many */
  add_columns(made, model);
  entropic_report_open_list(made, "offsets");
  for (size_t s = 0; entropic_model_weights(model, s, &offset) != NULL; s++)
    entropic_report_add_number(made, NULL, offset);
  entropic_report_close(made);
  return ent_report_finish(context, made, report);
}

static void add_path(entropic_report *report, const ent_fit_report *fit) {
  entropic_report_open_list(report, "path");
  for (size_t i = 0; i < fit->path_count; i++) {
    const ent_path_step *step = &fit->path[i];
    entropic_report_open_object(report, NULL);
    entropic_report_add_integer(report, "features", step->features);
    entropic_report_add_integer(report, "members", step->members);
    entropic_report_add_number(report, "lambda", step->lambda);
    entropic_report_add_number(report, "error", step->error);
    entropic_report_add_number(report, "standard_error", step->spread);
    entropic_report_close(report);
  }
  entropic_report_close(report);
}

static void add_dropped(entropic_report *report, const char *name, const char *why, const char *original) {
  entropic_report_open_object(report, NULL);
  entropic_report_add_text(report, "name", name);
  entropic_report_add_text(report, "why", why);
  if (original != NULL)
    entropic_report_add_text(report, "of", original);
  entropic_report_close(report);
}

/* The columns that are not used, and all columns as they were read. */
static void add_table(entropic_report *report, const entropic_dataset *train) {
  static const char *const roles[] = {"input", "target", "weight", "group", "ignored"};
  static const char *const types[] = {"number", "category", "constant", "identifier", "date", "copy"};
  entropic_column_type why;
  const char *name;
  entropic_report_open_list(report, "set_aside");
  for (size_t i = 0; (name = entropic_dataset_dropped(train, i, &why)) != NULL; i++)
    add_dropped(report, name, types[why], entropic_dataset_original(train, i));
  for (size_t i = 0; i < train->table_column_count; i++)
    if (train->table_columns[i].role == ENTROPIC_ROLE_IGNORED)
      add_dropped(report, train->table_columns[i].name, "asked", NULL);
  entropic_report_close(report);
  entropic_report_open_list(report, "columns");
  for (size_t i = 0; i < train->table_column_count; i++) {
    const ent_dataset_column *column = &train->table_columns[i];
    bool ignored = column->role == ENTROPIC_ROLE_IGNORED; /* nobody has looked */
    entropic_report_open_object(report, NULL);
    entropic_report_add_text(report, "name", column->name);
    entropic_report_add_text(report, "role", roles[column->role]);
    entropic_report_add_text(report, "type", ignored ? NULL : types[column->type]);
    entropic_report_close(report);
  }
  entropic_report_close(report);
}

static uint64_t peak_bytes(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) != 0 ? 0 : (uint64_t)usage.ru_maxrss * 1024;
}

/* How many features each of the models has that are averaged: null where features were not selected from the data. */
static void add_member_features(entropic_report *report, const ent_fit_report *fit) {
  if (fit->member_most == 0) {
    ent_report_add_null(report, "member_features");
    return;
  }
  entropic_report_open_object(report, "member_features");
  entropic_report_add_integer(report, "least", fit->member_least);
  entropic_report_add_integer(report, "most", fit->member_most);
  entropic_report_close(report);
}

/* The weights of what a stack is made of; null if the model is none. */
static void add_stack(entropic_report *report, const ent_fit_report *fit) {
  static const struct {
    const char *key;
    ent_form form;
  } parts[] = {{"constant", ENT_FORM_CONSTANT},
               {"linear", ENT_FORM_LINEAR},
               {"selected", ENT_FORM_FULL},
               {"kernel", ENT_FORM_KERNEL}};
  if (fit->stack_runs == 0) {
    ent_report_add_null(report, "stack");
    return;
  }
  entropic_report_open_object(report, "stack");
  entropic_report_add_integer(report, "runs", fit->stack_runs);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    entropic_report_add_number(report, parts[i].key, fit->stack[parts[i].form]);
  entropic_report_close(report);
}

/* The parts add up to the total. */
static void add_seconds(entropic_report *report, double read, const ent_fit_report *fit) {
  const struct {
    const char *key;
    double seconds;
  } parts[] = {{"read", read},
               {"prepare", fit->prepare},
               {"validation", fit->validation},
               {"design", fit->search.design},
               {"lift", fit->search.lift},
               {"gram", fit->search.gram},
               {"solve", fit->search.solve},
               {"intervals", fit->intervals},
               {"collect", fit->full_pass}};
  double total = read + fit->total, known = 0;
  entropic_report_open_object(report, "seconds");
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    entropic_report_add_number(report, parts[i].key, parts[i].seconds);
    known += parts[i].seconds;
  }
  entropic_report_add_number(report, "other", fmax(total - known, 0));
  entropic_report_add_number(report, "total", total);
  entropic_report_close(report);
}

void ent_report_fit(entropic_report *report, const entropic_model *model, const ent_fit_data *data,
                    const ent_fit_options *options, const ent_fit_report *fit) {
  const entropic_dataset *train = data->train;
  double read = train->read_seconds + (data->valid == NULL ? 0 : data->valid->read_seconds);
  ent_report_model(report, model, fit);
  if (options->features > 0 && options->features != ENT_FEATURES_THEORY)
    entropic_report_add_integer(report, "features_asked", options->features);
  else
    ent_report_add_null(report, "features_asked");
  entropic_report_add_integer(report, "members", fit->members);
  add_member_features(report, fit);
  add_stack(report, fit);
  entropic_report_add_text(report, "form", ent_form_name(fit->form));
  entropic_report_add_flag(report, "hurried", fit->stopped_early);
  entropic_report_add_text(report, "ended", fit->ended);
  entropic_report_add_integer(report, "largest", fit->largest);
  entropic_report_open_object(report, "references");
  entropic_report_add_number(report, "mean", fit->mean_error);
  entropic_report_add_number(report, "linear", fit->linear_error);
  entropic_report_close(report);
  add_unrestricted(report, model, fit);
  add_path(report, fit);
  const ent_collected *all = train->all_rows == NULL || fit->sampled ? NULL : &fit->all_rows;
  entropic_report_add_integer(report, "dropped_rows",
                              all == NULL ? train->without_target + train->without_weight
                                          : all->without_target + all->without_weight);
  if (train->all_rows != NULL)
    entropic_report_add_integer(report, "sample_rows", train->rows);
  else
    ent_report_add_null(report, "sample_rows");
  entropic_report_add_flag(report, "sample_weights", fit->sampled);
  entropic_report_add_integer(report, "missing", train->missing);
  add_table(report, train);
  entropic_report_open_list(report, "notices");
  for (size_t i = 0; entropic_dataset_notice(train, i) != NULL; i++)
    entropic_report_add_text(report, NULL, entropic_dataset_notice(train, i));
  entropic_report_close(report);
  add_seconds(report, read, fit);
  entropic_report_add_integer(report, "peak_rss_bytes", peak_bytes());
}

void ent_report_scores(entropic_report *report, entropic_task task, const ent_score_figures *scores,
                       const entropic_data_warnings *warnings) {
  entropic_report_add_integer(report, "rows", scores->rows);
  entropic_report_add_text(report, "task", entropic_task_name(task));
  if (task == ENTROPIC_TASK_CLASSIFICATION) {
    entropic_report_add_number(report, "error", scores->error);
    entropic_report_add_number(report, "accuracy", scores->accuracy);
    entropic_report_add_number(report, "logloss", scores->logloss);
    entropic_report_add_number(report, "auc", scores->auc);
  } else {
    entropic_report_add_number(report, "rmse", scores->rmse);
    entropic_report_add_number(report, "mae", scores->mae);
    entropic_report_add_number(report, "r2", scores->r2);
    if (!isnan(scores->loss))
      entropic_report_add_number(report, "loss", scores->loss);
  }
  if (scores->level != 0) {
    entropic_report_add_number(report, "level", scores->level);
    entropic_report_add_number(report, "coverage", scores->coverage);
    entropic_report_add_number(report, task == ENTROPIC_TASK_CLASSIFICATION ? "set_size" : "width", scores->width);
  }
  entropic_report_add_integer(report, "dropped_rows", scores->without_target);
  entropic_report_add_integer(report, "outside", warnings->outside);
  entropic_report_add_integer(report, "unseen", warnings->unseen);
  entropic_report_add_integer(report, "missing", warnings->missing);
  entropic_report_add_integer(report, "clamped", warnings->clamped);
  entropic_report_add_integer(report, "continued", warnings->continued);
}
