/* A comparison as JSON: every number that its pages show, and the errors and times that they are made of. */
#include <math.h>

#include "compare/paired.h"
#include "study/paper.h"

void ent_json_list(ent_text *text, const char *key, const double *values, size_t count, bool last) {
  ent_text_format(text, "\"%s\": [", key);
  for (size_t i = 0; i < count; i++) {
    ent_text_add(text, i > 0 ? ", " : "");
    ent_text_json_number(text, values[i]);
  }
  ent_text_add(text, last ? "]" : "], ");
}

void ent_json_member(ent_text *text, const char *key, double value) {
  ent_text_format(text, ", \"%s\": ", key);
  ent_text_json_number(text, value);
}

void ent_json_text(ent_text *text, const char *key, const char *value) {
  ent_text_format(text, ", \"%s\": ", key);
  ent_text_json(text, value);
}

/* The rounds of trainings that were measured; those from lifted rows only where there are any. */
static void add_trainings(ent_text *text, const ent_experiment *experiment) {
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
    ent_text_add(text, ", ");
    ent_json_list(text, keys[which], seconds, count, true);
  }
}

void ent_experiment_json(ent_text *text, const ent_experiment *experiment) {
  const ent_request *request = &experiment->request;
  ent_text_add(text, "{\"name\": ");
  ent_text_json(text, ent_compare_method_name(request->method));
  ent_text_format(text, ", \"tuned\": %s", request->tuned ? "true" : "false");
  if (request->nonzeros > 0)
    ent_text_format(text, ", \"budget\": %zu", request->nonzeros);
  ent_json_member(text, "features",
                  request->features > 0 ? (double)request->features : ent_experiment_features(experiment));
  if (request->method == ENT_COMPARE_RESIDUAL) /* its rules are those of fits, which change with versions */
    ent_json_text(text, "made_by", experiment->made_by != NULL ? experiment->made_by : entropic_version());
  ent_json_member(text, "made_features", ent_experiment_features(experiment));
  ent_text_format(text, ", \"runs\": %zu", experiment->runs);
  ent_json_member(text, "error", ent_experiment_mean(experiment));
  ent_json_member(text, "sd", ent_experiment_deviation(experiment));
  ent_json_member(text, "train_seconds", ent_experiment_seconds(experiment, ENT_DURATION_TRAIN, 0.5));
  ent_json_member(text, "train_low", ent_experiment_seconds(experiment, ENT_DURATION_TRAIN, 0.25));
  ent_json_member(text, "train_high", ent_experiment_seconds(experiment, ENT_DURATION_TRAIN, 0.75));
  ent_json_member(text, "make_seconds", ent_experiment_seconds(experiment, ENT_DURATION_MAKE, 0.5));
  ent_json_member(text, "lift_seconds", ent_experiment_seconds(experiment, ENT_DURATION_LIFT, 0.5));
  if (!isnan(ent_experiment_seconds(experiment, ENT_DURATION_GIVEN, 0.5)))
    ent_json_member(text, "given_seconds", ent_experiment_seconds(experiment, ENT_DURATION_GIVEN, 0.5));
  ent_json_member(text, "nonzeros", ent_experiment_nonzeros(experiment));
  ent_json_member(text, "bytes", ent_experiment_bytes(experiment));
  ent_json_member(text, "bandwidth", ent_experiment_bandwidth(experiment));
  ent_json_text(text, "kernel", ent_experiment_kernel(experiment));
  ent_json_text(text, "scale", entropic_scaling_name(ent_experiment_scaling(experiment)));
  add_trainings(text, experiment);
  ent_text_add(text, ", ");
  ent_json_list(text, "errors", experiment->errors, experiment->runs, true);
  ent_text_add(text, "}");
}

/* Experiments first .. end - 1 as an array. */
static void add_experiments(ent_text *text, const ent_experiments *experiments, size_t first, size_t end) {
  ent_text_add(text, "[");
  for (size_t i = first; i < end; i++) {
    ent_text_add(text, i > first ? ",\n" : "\n");
    ent_experiment_json(text, &experiments->list[i]);
  }
  ent_text_add(text, "]");
}

ent_paired ent_comparison_paired(const entropic_comparison *comparison, const ent_experiment *ours,
                                 const ent_experiment *other) {
  size_t runs = ours->runs < other->runs ? ours->runs : other->runs;
  return ent_paired_of(ours->errors, other->errors, runs, (double)comparison->test / (double)comparison->train);
}

static void add_pair(ent_text *text, const entropic_comparison *comparison, const ent_experiment *ours,
                     const ent_experiment *other) {
  const ent_paired pair = ent_comparison_paired(comparison, ours, other);
  ent_text_add(text, "{\"name\": ");
  ent_text_json(text, ent_compare_method_name(ours->request.method));
  ent_json_text(text, "other", ent_compare_method_name(other->request.method));
  ent_text_format(text, ", \"tuned\": %s, \"features\": %zu, \"runs\": %zu", ours->request.tuned ? "true" : "false",
                  ours->request.features, pair.runs);
  ent_json_member(text, "ratio", pair.ratio);
  ent_json_member(text, "difference", pair.difference);
  ent_json_member(text, "low", pair.low);
  ent_json_member(text, "high", pair.high);
  ent_json_member(text, "wide_low", pair.wide_low);
  ent_json_member(text, "wide_high", pair.wide_high);
  ent_text_format(text, ", \"won\": %zu, \"lost\": %zu}", pair.won, pair.lost);
}

/* Our two methods against every baseline with the same number of features, tuned or not like them. */
static void add_pairs(ent_text *text, const entropic_comparison *comparison) {
  const ent_experiments *experiments = &comparison->experiments;
  size_t count = 0;
  ent_text_add(text, "[");
  for (size_t i = 0; i < experiments->sized; i++) {
    const ent_experiment *ours = &experiments->list[i];
    if (ours->request.method != ENT_COMPARE_ENTROPY && ours->request.method != ENT_COMPARE_RESIDUAL)
      continue;
    for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++) {
      size_t size = ent_compare_method_is_exact(method) ? 0 : ours->request.features;
      const ent_experiment *other = ent_experiments_find(experiments, method, ours->request.tuned, size);
      if (other == NULL || other == ours)
        continue;
      ent_text_add(text, count++ > 0 ? ",\n" : "\n");
      add_pair(text, comparison, ours, other);
    }
  }
  ent_text_add(text, "]");
}

void ent_comparison_json(ent_text *text, const entropic_comparison *comparison) {
  const ent_experiments *experiments = &comparison->experiments;
  ent_text_format(text, "\"rows\": %zu, \"training_rows\": %zu, \"test_rows\": %zu, \"inputs\": %zu, \"classes\": %zu",
                  comparison->rows, comparison->train, comparison->test, comparison->inputs, comparison->classes);
  ent_json_member(text, "load", ent_experiments_load(experiments));
  ent_text_add(text, ", \"constant\": {");
  ent_json_list(text, "errors", experiments->constant.errors, experiments->constant.runs, true);
  ent_text_add(text, "}, \"methods\": ");
  add_experiments(text, experiments, 0, experiments->sized);
  ent_text_add(text, ", \"budgets\": ");
  add_experiments(text, experiments, experiments->sized, experiments->count);
  ent_text_add(text, ", \"pairs\": ");
  add_pairs(text, comparison);
  ent_text_add(text, ", \"frontier\": ");
  ent_comparison_frontier_json(text, comparison);
}
