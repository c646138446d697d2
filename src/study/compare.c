/* Comparing on a data set of the caller's: splits, races, and what came out. */
#include <string.h>

#include "base/memory.h"
#include "study/comparison.h"
#include "study/holdout.h"
#include "study/split_table.h"

static const size_t default_sizes[] = {50, 100, 200};

entropic_compare_options entropic_compare_options_default(void) {
  return (entropic_compare_options){.features = default_sizes,
                                    .feature_count = sizeof default_sizes / sizeof *default_sizes,
                                    .runs = 5,
                                    .test_share = 0.2,
                                    .scaling = ENTROPIC_SCALE_AUTO,
                                    .seed = 1};
}

static entropic_status check_options(entropic_context *context, const entropic_compare_options *o) {
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

/* numbers[rows] becomes the rows to learn from and then, from *train on, those to be tested on. */
static entropic_status split_rows(entropic_context *context, const entropic_dataset *data,
                                  const entropic_compare_options *o, uint64_t seed, size_t *numbers, size_t *train) {
  ent_fold_options split = {.rows = data->rows,
                            .labels = data->schema.classes > 0 ? data->y : NULL,
                            .classes = data->schema.classes,
                            .groups = data->groups};
  entropic_status status = ent_holdout(context, &split, o->test_share, seed, numbers, train);
  if (status == ENTROPIC_OK && (*train == 0 || *train == data->rows))
    return ent_fail(context, ENTROPIC_BAD_DATA, "%zu rows to learn from and %zu to test on%s; expected some of both",
                    *train, data->rows - *train, data->groups != NULL ? ", as rows of a group stay together" : "");
  return status;
}

/* The groups of the rows numbers[0 .. count), numbered anew in the order in which they appear; NULL without memory. */
static double *groups_of(entropic_context *context, const entropic_dataset *data, const size_t *numbers, size_t count) {
  ent_fold_options split = {.rows = data->rows, .groups = data->groups};
  size_t *names = ent_new(context, ent_group_count(&split), sizeof *names), known = 0; /* 0: not seen yet */
  double *groups = ent_new(context, count, sizeof *groups);
  for (size_t i = 0; names != NULL && groups != NULL && i < count; i++) {
    size_t *name = &names[(size_t)data->groups[numbers[i]]];
    if (*name == 0)
      *name = ++known;
    groups[i] = (double)(*name - 1);
  }
  if (names == NULL) {
    ent_delete(groups);
    groups = NULL;
  }
  ent_delete(names);
  return groups;
}

static void tell(void *user, size_t done, size_t all) {
  ent_comparing *c = user;
  if (c->options->progress != NULL)
    c->options->progress(c->options->user, "comparing",
                         ((double)c->run + (double)done / (double)all) / (double)c->options->runs);
}

static entropic_status run_once(entropic_context *context, ent_comparing *c, const entropic_dataset *data,
                                const ent_split_table *split_table) {
  uint64_t seed = c->options->seed + c->run;
  size_t *numbers = ent_new(context, data->rows, sizeof *numbers), train = 0;
  double *groups = NULL;
  ent_split_cut cut = {0};
  entropic_status status =
      numbers == NULL ? ENTROPIC_NO_MEMORY : split_rows(context, data, c->options, seed, numbers, &train);
  if (status != ENTROPIC_OK)
    goto end;
  if (data->groups != NULL) {
    groups = groups_of(context, data, numbers, train);
    status = groups == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  }
  if (status != ENTROPIC_OK)
    goto end;
  status = ent_split_table_cut(context, split_table, numbers, train, data->rows - train, c->options->scaling, &cut);
  if (status != ENTROPIC_OK)
    goto end;
  cut.data.thorough = true;
  cut.data.groups = groups;
  status = ent_races_run(context, &c->comparison->races, &cut.data, seed, tell, c);
end:
  ent_cut_clear(&cut);
  ent_delete(groups);
  ent_delete(numbers);
  return status;
}

entropic_status entropic_compare(entropic_context *context, const entropic_dataset *dataset,
                                 const entropic_compare_options *options, entropic_comparison **comparison) {
  if (dataset == NULL || options == NULL || comparison == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "an argument is NULL");
  entropic_status status = check_options(context, options);
  if (status != ENTROPIC_OK)
    return status;
  entropic_comparison *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->classes = dataset->schema.classes;
  made->rows = dataset->rows;
  made->inputs = dataset->schema.inputs;
  made->scaling = options->scaling;
  made->sizes = ent_new(context, options->feature_count, sizeof *made->sizes);
  status = made->sizes == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status == ENTROPIC_OK) {
    memcpy(made->sizes, options->features, options->feature_count * sizeof *made->sizes);
    ent_race_plan plan = {.sizes = made->sizes, .size_count = options->feature_count};
    status = ent_races_start_all(context, &plan, options->runs, &made->races);
  }
  ent_comparing comparing = {.comparison = made, .options = options};
  ent_split_table split_table = {0};
  if (status == ENTROPIC_OK)
    status = ent_split_table_of_dataset(context, dataset, &split_table);
  for (; comparing.run < options->runs && status == ENTROPIC_OK; comparing.run++)
    status = run_once(context, &comparing, dataset, &split_table);
  ent_split_table_clear(&split_table);
  if (status == ENTROPIC_OK)
    *comparison = made;
  else
    entropic_comparison_free(made);
  return status;
}

void entropic_comparison_free(entropic_comparison *comparison) {
  if (comparison == NULL)
    return;
  ent_races_clear(&comparison->races);
  ent_delete(comparison->sizes);
  ent_delete(comparison);
}

static entropic_status no_contestant(entropic_context *context, const entropic_comparison *comparison, size_t index) {
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "contestant %zu, there are %zu", index, comparison->races.grid);
}

size_t entropic_comparison_count(const entropic_comparison *comparison) {
  return comparison->races.grid;
}

entropic_status entropic_comparison_errors(entropic_context *context, const entropic_comparison *comparison,
                                           size_t index, const double **errors) {
  if (comparison == NULL || errors == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "an argument is NULL");
  if (index >= comparison->races.grid)
    return no_contestant(context, comparison, index);
  *errors = comparison->races.races[index].errors;
  return ENTROPIC_OK;
}

entropic_status entropic_comparison_constant(entropic_context *context, const entropic_comparison *comparison,
                                             entropic_contestant *constant, const double **errors) {
  if (comparison == NULL || constant == NULL || errors == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "an argument is NULL");
  const ent_race *race = &comparison->races.constant;
  *constant = (entropic_contestant){
      .name = "constant", .runs = race->runs, .error = ent_race_mean(race), .sd = ent_race_deviation(race)};
  *errors = race->errors;
  return ENTROPIC_OK;
}

entropic_status entropic_comparison_get(entropic_context *context, const entropic_comparison *comparison, size_t index,
                                        entropic_contestant *contestant) {
  if (index >= comparison->races.grid)
    return no_contestant(context, comparison, index);
  const ent_race *race = &comparison->races.races[index];
  *contestant = (entropic_contestant){.name = ent_baseline_name(race->request.baseline),
                                      .tuned = race->request.tuned,
                                      .features = race->request.features,
                                      .runs = race->runs,
                                      .error = ent_race_mean(race),
                                      .sd = ent_race_deviation(race),
                                      .train_seconds = race->train_seconds,
                                      .lift_seconds = race->lift_seconds,
                                      .nonzeros = race->nonzeros,
                                      .bandwidth = race->bandwidth,
                                      .scaling = ent_race_scaling(race)};
  return ENTROPIC_OK;
}
