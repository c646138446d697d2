/* A comparison as JSON: every number that its pages show, and the errors and times that they are made of. */
#include <math.h>

#include "compare/paired.h"
#include "study/paper.h"

/* The rounds of trainings that were measured; those from lifted rows only where there are any. */
static void add_trainings(ent_json *json, const ent_experiment *experiment) {
  static const char *const keys[] = {"trainings", "makings", "liftings", "givens"};
  for (size_t which = 0; which < sizeof keys / sizeof *keys; which++) {
    double seconds[ENT_MOST_ROUNDS];
    size_t count = experiment->times.count;
    for (size_t i = 0; i < count; i++) {
      const ent_durations *d = &experiment->times.rounds[i].durations;
      seconds[i] = which == 0 ? d->train : which == 1 ? d->make : which == 2 ? d->lift : d->given;
    }
    if (which == 3 && (count == 0 || isnan(seconds[0])))
      continue;
    ent_json_add_numbers(json, keys[which], seconds, count);
  }
}

void ent_experiment_json(ent_json *json, const ent_experiment *experiment) {
  const ent_request *request = &experiment->request;
  ent_json_open_object(json, NULL);
  ent_json_add_text(json, "name", ent_compare_method_name(request->method));
  ent_json_add_flag(json, "tuned", request->tuned);
  if (request->nonzeros > 0)
    ent_json_add_integer(json, "budget", request->nonzeros);
  ent_json_add_number(json, "features",
                      request->features > 0 ? (double)request->features : ent_experiment_features(experiment));
  if (request->method == ENT_COMPARE_RESIDUAL) /* its rules are those of fits, which change with versions */
    ent_json_add_text(json, "made_by", experiment->made_by != NULL ? experiment->made_by : entropic_version());
  ent_json_add_number(json, "made_features", ent_experiment_features(experiment));
  ent_json_add_integer(json, "runs", experiment->runs);
  ent_json_add_number(json, "error", ent_experiment_mean(experiment));
  ent_json_add_number(json, "sd", ent_experiment_deviation(experiment));
  ent_json_add_number(json, "train_seconds", ent_experiment_seconds(experiment, ENT_DURATION_TRAIN, 0.5));
  ent_json_add_number(json, "train_low", ent_experiment_seconds(experiment, ENT_DURATION_TRAIN, 0.25));
  ent_json_add_number(json, "train_high", ent_experiment_seconds(experiment, ENT_DURATION_TRAIN, 0.75));
  ent_json_add_number(json, "make_seconds", ent_experiment_seconds(experiment, ENT_DURATION_MAKE, 0.5));
  ent_json_add_number(json, "lift_seconds", ent_experiment_seconds(experiment, ENT_DURATION_LIFT, 0.5));
  if (!isnan(ent_experiment_seconds(experiment, ENT_DURATION_GIVEN, 0.5)))
    ent_json_add_number(json, "given_seconds", ent_experiment_seconds(experiment, ENT_DURATION_GIVEN, 0.5));
  ent_json_add_number(json, "nonzeros", ent_experiment_nonzeros(experiment));
  ent_json_add_number(json, "bytes", ent_experiment_bytes(experiment));
  ent_json_add_number(json, "bandwidth", ent_experiment_bandwidth(experiment));
  ent_json_add_text(json, "kernel", ent_experiment_kernel(experiment));
  ent_json_add_text(json, "scale", entropic_scaling_name(ent_experiment_scaling(experiment)));
  add_trainings(json, experiment);
  ent_json_add_numbers(json, "errors", experiment->errors, experiment->runs);
  ent_json_close(json);
}

/* Experiments first .. end - 1 as a list. */
static void add_experiments(ent_json *json, const char *key, const ent_experiments *experiments, size_t first,
                            size_t end) {
  ent_json_open_list(json, key);
  for (size_t i = first; i < end; i++) {
    ent_json_line(json);
    ent_experiment_json(json, &experiments->list[i]);
  }
  ent_json_close(json);
}

ent_paired ent_comparison_paired(const entropic_comparison *comparison, const ent_experiment *ours,
                                 const ent_experiment *other) {
  size_t runs = ours->runs < other->runs ? ours->runs : other->runs;
  return ent_paired_of(ours->errors, other->errors, runs, (double)comparison->test / (double)comparison->train);
}

static void add_pair(ent_json *json, const entropic_comparison *comparison, const ent_experiment *ours,
                     const ent_experiment *other) {
  const ent_paired pair = ent_comparison_paired(comparison, ours, other);
  ent_json_open_object(json, NULL);
  ent_json_add_text(json, "name", ent_compare_method_name(ours->request.method));
  ent_json_add_text(json, "other", ent_compare_method_name(other->request.method));
  ent_json_add_flag(json, "tuned", ours->request.tuned);
  ent_json_add_integer(json, "features", ours->request.features);
  ent_json_add_integer(json, "runs", pair.runs);
  ent_json_add_number(json, "ratio", pair.ratio);
  ent_json_add_number(json, "difference", pair.difference);
  ent_json_add_number(json, "low", pair.low);
  ent_json_add_number(json, "high", pair.high);
  ent_json_add_number(json, "wide_low", pair.wide_low);
  ent_json_add_number(json, "wide_high", pair.wide_high);
  ent_json_add_integer(json, "won", pair.won);
  ent_json_add_integer(json, "lost", pair.lost);
  ent_json_close(json);
}

/* Our two methods against every baseline with the same number of features, tuned or not like them. */
static void add_pairs(ent_json *json, const entropic_comparison *comparison) {
  const ent_experiments *experiments = &comparison->experiments;
  ent_json_open_list(json, "pairs");
  for (size_t i = 0; i < experiments->sized; i++) {
    const ent_experiment *ours = &experiments->list[i];
    if (ours->request.method != ENT_COMPARE_ENTROPY && ours->request.method != ENT_COMPARE_RESIDUAL)
      continue;
    for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++) {
      size_t size = ent_compare_method_is_exact(method) ? 0 : ours->request.features;
      const ent_experiment *other = ent_experiments_find(experiments, method, ours->request.tuned, size);
      if (other == NULL || other == ours)
        continue;
      ent_json_line(json);
      add_pair(json, comparison, ours, other);
    }
  }
  ent_json_close(json);
}

void ent_comparison_json(ent_json *json, const entropic_comparison *comparison) {
  const ent_experiments *experiments = &comparison->experiments;
  ent_json_add_integer(json, "rows", comparison->rows);
  ent_json_add_integer(json, "training_rows", comparison->train);
  ent_json_add_integer(json, "test_rows", comparison->test);
  ent_json_add_integer(json, "inputs", comparison->inputs);
  ent_json_add_integer(json, "classes", comparison->classes);
  ent_json_add_number(json, "load", ent_experiments_load(experiments));
  ent_json_open_object(json, "constant");
  ent_json_add_numbers(json, "errors", experiments->constant.errors, experiments->constant.runs);
  ent_json_close(json);
  add_experiments(json, "methods", experiments, 0, experiments->sized);
  add_experiments(json, "budgets", experiments, experiments->sized, experiments->count);
  add_pairs(json, comparison);
  ent_comparison_frontier_json(json, comparison);
}
