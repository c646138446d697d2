/* Comparing methods on a data set of the caller's: splits, experiments, results. */
#include <math.h>
#include <string.h>

#include "base/blas.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/sized.h"
#include "compare/comparison.h"
#include "compare/holdout.h"
#include "compare/split_table.h"
#include "dataset/dataset.h"

#define ROUNDS ((size_t)3)        /* of trainings that are measured */
#define EXACT_ROWS ((size_t)5000) /* training rows up to which exact kernel ridge takes part */

static const size_t default_sizes[] = {50, 100, 200};

ent_compare_options ent_compare_options_default(void) {
  return (ent_compare_options){.features = default_sizes,
                               .feature_count = sizeof default_sizes / sizeof *default_sizes,
                               .runs = 5,
                               .test_share = 0.2,
                               .scaling = ENTROPIC_SCALING_AUTO,
                               .seed = 1};
}

static entropic_status check_options(entropic_context *context, const ent_compare_options *o) {
  if (o->features == NULL || o->feature_count == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "features is empty, expected at least one number");
  for (size_t i = 0; i < o->feature_count; i++)
    if (o->features[i] < 1 || o->features[i] > 20000)
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "features[%zu] is %zu, expected 1 to 20000", i, o->features[i]);
  if (o->runs < 1 || o->runs > 1000)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "runs is %zu, expected 1 to 1000", o->runs);
  if (!(o->test_share > 0 && o->test_share < 1))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "test_share is %g, expected a number between 0 and 1",
                    o->test_share);
  return ENTROPIC_OK;
}

/* numbers[rows] becomes the training rows and then, from *train on, the test rows. */
static entropic_status split_rows(entropic_context *context, const entropic_dataset *data, const ent_compare_options *o,
                                  uint64_t seed, size_t *numbers, size_t *train) {
  ent_fold_options split = {.rows = data->rows,
                            .labels = ent_schema_has_classes(&data->schema) ? data->y : NULL,
                            .classes = data->schema.classes,
                            .groups = data->groups};
  entropic_status status = ent_holdout(context, &split, o->test_share, seed, numbers, train);
  if (status != ENTROPIC_OK)
    return status;
  if (*train == 0 || *train == data->rows)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%zu training rows and %zu test rows%s; expected some of both", *train,
                    data->rows - *train, data->groups != NULL ? ", as rows of a group stay together" : "");
  return ENTROPIC_OK;
}

/* groups[count] becomes the groups of the rows numbers[0 .. count), numbered anew in the order in which they appear. */
static entropic_status number_groups(entropic_context *context, const entropic_dataset *data, const size_t *numbers,
                                     size_t count, double *groups) {
  ent_fold_options split = {.rows = data->rows, .groups = data->groups};
  size_t *names = ent_new(context, ent_group_count(&split), sizeof *names), known = 0; /* 0: not seen yet */
  if (names == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < count; i++) {
    size_t *name = &names[(size_t)data->groups[numbers[i]]];
    if (*name == 0)
      *name = ++known;
    groups[i] = (double)(*name - 1);
  }
  ent_delete(names);
  return ENTROPIC_OK;
}

/* A comparison under way. */
typedef struct ent_comparing {
  const entropic_dataset *data;
  const ent_compare_options *options;
  ent_split_table split_table;
  entropic_comparison *comparison;
  size_t run;
} ent_comparing;

static entropic_status run_once(entropic_context *context, ent_comparing *c) {
  const entropic_dataset *data = c->data;
  uint64_t seed = c->options->seed + c->run;
  size_t train = 0;
  double *groups = NULL;
  ent_split_cut cut = {0};
  entropic_status status = ENTROPIC_NO_MEMORY;
  size_t *numbers = ent_new(context, data->rows, sizeof *numbers);
  if (numbers == NULL)
    goto done;
  status = split_rows(context, data, c->options, seed, numbers, &train);
  if (status != ENTROPIC_OK)
    goto done;
  if (data->groups != NULL) {
    status = ENTROPIC_NO_MEMORY;
    groups = ent_new(context, train, sizeof *groups);
    if (groups == NULL)
      goto done;
    status = number_groups(context, data, numbers, train, groups);
    if (status != ENTROPIC_OK)
      goto done;
  }
  const ent_split_numbers rows = {.numbers = numbers, .train = train, .test = data->rows - train};
  status = ent_split_table_cut(context, &c->split_table, &rows, c->options->scaling, &cut);
  if (status != ENTROPIC_OK)
    goto done;
  cut.data.thorough = true;
  c->comparison->train = train;
  c->comparison->test = data->rows - train;
  cut.data.axis = c->options->axis;
  cut.data.groups = groups;
  ent_progress former = ent_progress_start(context, "comparing", c->run, c->options->runs);
  status = ent_experiments_run(context, &c->comparison->experiments, &cut.data, seed);
  ent_progress_leave(context, former);
  if (status != ENTROPIC_OK || c->run > 0)
    goto done;
  former = ent_progress_start(context, "measuring times", 0, 1);
  status = ent_experiments_time(context, &c->comparison->experiments, &cut.data, seed, &(ent_timing){.rounds = ROUNDS});
  ent_progress_leave(context, former);
done:
  ent_split_cut_clear(&cut);
  ent_delete(groups);
  ent_delete(numbers);
  return status;
}

entropic_status ent_comparison_start(entropic_context *context, const ent_experiment_plan *plan, size_t runs,
                                     entropic_comparison **comparison) {
  entropic_status status = ENTROPIC_NO_MEMORY;
  entropic_comparison *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->sizes = ent_new(context, plan->size_count + plan->large_count, sizeof *made->sizes);
  if (made->sizes == NULL)
    goto fail;
  memcpy(made->sizes, plan->sizes, plan->size_count * sizeof *made->sizes);
  if (plan->large_count > 0)
    memcpy(made->sizes + plan->size_count, plan->large, plan->large_count * sizeof *made->sizes);
  ent_experiment_plan own = *plan;
  own.sizes = made->sizes;
  own.large = made->sizes + plan->size_count;
  status = ent_experiments_start_all(context, &own, runs, &made->experiments);
  if (status != ENTROPIC_OK)
    goto fail;
  *comparison = made;
  return ENTROPIC_OK;
fail:
  entropic_comparison_free(made);
  return status;
}

/* The work of ent_compare; the comparison stays in c. */
static entropic_status compare(entropic_context *context, void *arguments) {
  ent_comparing *c = arguments;
  double training = (1 - c->options->test_share) * (double)c->data->rows;
  const ent_experiment_plan plan = {.sizes = c->options->features,
                                    .size_count = c->options->feature_count,
                                    .kernel = c->options->axis == NULL ? NULL
                                                                       : entropic_family_name(c->options->axis->family),
                                    .exact_runs = training <= (double)EXACT_ROWS ? c->options->runs : 0};
  entropic_status status = ent_comparison_start(context, &plan, c->options->runs, &c->comparison);
  if (status != ENTROPIC_OK)
    return status;
  c->comparison->classes = c->data->schema.classes;
  c->comparison->rows = c->data->rows;
  c->comparison->inputs = c->data->schema.inputs;
  c->comparison->scaling = c->options->scaling;
  status = ent_split_table_of_dataset(context, c->data, &c->split_table);
  if (status != ENTROPIC_OK)
    goto done;
  for (; c->run < c->options->runs; c->run++) {
    status = run_once(context, c);
    if (status != ENTROPIC_OK)
      goto done;
  }
done:
  ent_split_table_clear(&c->split_table);
  return status;
}

entropic_status ent_compare(entropic_context *context, const entropic_dataset *dataset,
                            const ent_compare_options *options, entropic_comparison **comparison) {
  if (dataset == NULL || options == NULL || comparison == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "an argument is NULL");
  entropic_status status = check_options(context, options);
  if (status != ENTROPIC_OK)
    return status;
  ent_comparing c = {.data = dataset, .options = options};
  ent_blas_prepare(context);
  status = ent_call_run(context, "comparing", compare, &c);
  if (status != ENTROPIC_OK) {
    entropic_comparison_free(c.comparison);
    return status;
  }
  *comparison = c.comparison;
  return ENTROPIC_OK;
}

void entropic_comparison_free(entropic_comparison *comparison) {
  if (comparison == NULL)
    return;
  ent_experiments_clear(&comparison->experiments);
  ent_delete(comparison->sizes);
  ent_delete(comparison);
}

static entropic_status no_result(entropic_context *context, const entropic_comparison *comparison, size_t index) {
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "result %zu, there are %zu", index, comparison->experiments.sized);
}

size_t entropic_comparison_count(const entropic_comparison *comparison) {
  if (comparison == NULL)
    return 0;
  return comparison->experiments.sized;
}

entropic_status entropic_comparison_errors(entropic_context *context, const entropic_comparison *comparison,
                                           size_t index, const double **errors) {
  if (comparison == NULL || errors == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "an argument is NULL");
  if (index >= comparison->experiments.sized)
    return no_result(context, comparison, index);
  *errors = comparison->experiments.list[index].errors;
  return ENTROPIC_OK;
}

entropic_status entropic_comparison_constant(entropic_context *context, const entropic_comparison *comparison,
                                             entropic_method_result *constant, size_t size, const double **errors) {
  ENT_NEED(context, comparison);
  ENT_NEED(context, constant);
  ENT_NEED(context, errors);
  const ent_experiment *experiment = &comparison->experiments.constant;
  const entropic_method_result known = {.name = "constant",
                                        .runs = experiment->runs,
                                        .error = ent_experiment_mean(experiment),
                                        .sd = ent_experiment_deviation(experiment)};
  entropic_status status = ent_sized_give(context, constant, size, &known, sizeof known);
  if (status == ENTROPIC_OK)
    *errors = experiment->errors;
  return status;
}

entropic_status entropic_comparison_get(entropic_context *context, const entropic_comparison *comparison, size_t index,
                                        entropic_method_result *result, size_t size) {
  ENT_NEED(context, comparison);
  ENT_NEED(context, result);
  if (index >= comparison->experiments.sized)
    return no_result(context, comparison, index);
  const ent_experiment *experiment = &comparison->experiments.list[index];
  bool exact = ent_compare_method_is_exact(experiment->request.method);
  const entropic_method_result known = {.name = ent_compare_method_name(experiment->request.method),
                                        .tuned = experiment->request.tuned,
                                        .features = exact ? (size_t)ent_experiment_features(experiment)
                                                          : experiment->request.features,
                                        .runs = experiment->runs,
                                        .error = ent_experiment_mean(experiment),
                                        .sd = ent_experiment_deviation(experiment),
                                        .train_seconds = ent_experiment_seconds(experiment, ENT_DURATION_TRAIN, 0.5),
                                        .train_low = ent_experiment_seconds(experiment, ENT_DURATION_TRAIN, 0.25),
                                        .train_high = ent_experiment_seconds(experiment, ENT_DURATION_TRAIN, 0.75),
                                        .lift_seconds = ent_experiment_seconds(experiment, ENT_DURATION_LIFT, 0.5),
                                        .nonzeros = ent_experiment_nonzeros(experiment),
                                        .bandwidth = ent_experiment_bandwidth(experiment),
                                        .kernel = ent_experiment_kernel(experiment),
                                        .scaling = ent_experiment_scaling(experiment)};
  return ent_sized_give(context, result, size, &known, sizeof known);
}

double entropic_comparison_load(const entropic_comparison *comparison) {
  return comparison == NULL ? NAN : ent_experiments_load(&comparison->experiments);
}
