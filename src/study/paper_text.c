/* The tables of a paper as tab separated lines. */
#include "study/paper.h"

/* The shortest decimal that reads back the same, whatever the locale. */
static void add_numbers(ent_text *text, const double *values, size_t count) {
  char shown[ENTROPIC_NUMBER_SIZE];
  for (size_t i = 0; i < count; i++) {
    size_t length = entropic_format_double(values[i], shown);
    ent_text_add(text, "\t");
    ent_text_bytes(text, shown, length);
  }
  ent_text_add(text, "\n");
}

/* "energy\tEOF\ttuned": what a line is of. */
static void add_names(ent_text *text, const char *set, const ent_request *request) {
  ent_text_format(text, "%s\t%s\t%s", set, ent_compare_method_name(request->method), request->tuned ? "tuned" : "rule");
}

static double features_of(const ent_experiment *experiment) {
  return experiment->request.features > 0 ? (double)experiment->request.features : ent_experiment_features(experiment);
}

static void add_errors(ent_text *text, const entropic_comparison *comparison, const char *set) {
  const ent_experiments *experiments = &comparison->experiments;
  for (size_t i = 0; i < experiments->sized; i++) {
    const ent_experiment *e = &experiments->list[i];
    const double numbers[] = {features_of(e),
                              (double)e->runs,
                              ent_experiment_mean(e),
                              ent_experiment_deviation(e),
                              ent_experiment_seconds(e, ENT_DURATION_TRAIN, 0.5),
                              ent_experiment_seconds(e, ENT_DURATION_TRAIN, 0.25),
                              ent_experiment_seconds(e, ENT_DURATION_TRAIN, 0.75),
                              ent_experiment_seconds(e, ENT_DURATION_LIFT, 0.5),
                              ent_experiment_nonzeros(e)};
    add_names(text, set, &e->request);
    add_numbers(text, numbers, sizeof numbers / sizeof *numbers);
  }
}

static void add_pairs(ent_text *text, const entropic_comparison *comparison, const char *set) {
  const ent_experiments *experiments = &comparison->experiments;
  for (size_t i = 0; i < experiments->sized; i++) {
    const ent_experiment *ours = &experiments->list[i];
    const ent_request *request = &ours->request;
    if (request->method != ENT_COMPARE_ENTROPY && request->method != ENT_COMPARE_RESIDUAL)
      continue;
    for (ent_compare_method method = 0; method < ENT_COMPARE_METHODS; method++) {
      const ent_experiment *other =
          ent_compare_method_is_ours(method)
              ? NULL
              : ent_experiments_find(experiments, method, request->tuned,
                                     ent_compare_method_is_exact(method) ? 0 : request->features);
      if (other == NULL)
        continue;
      const ent_paired pair = ent_comparison_paired(comparison, ours, other);
      const double numbers[] = {(double)request->features, (double)pair.runs, pair.ratio,
                                pair.difference,           pair.low,          pair.high,
                                (double)pair.won};
      add_names(text, set, request);
      ent_text_format(text, "\t%s", ent_compare_method_name(method));
      add_numbers(text, numbers, sizeof numbers / sizeof *numbers);
    }
  }
}

static void add_costs(ent_text *text, const entropic_comparison *comparison, const char *set) {
  const ent_experiments *experiments = &comparison->experiments;
  for (size_t i = 0; i < experiments->count; i++) {
    const ent_experiment *e = &experiments->list[i];
    bool budget = e->request.nonzeros > 0;
    double nonzeros = ent_experiment_nonzeros(e), features = ent_experiment_features(e);
    const double numbers[] = {budget ? (double)e->request.nonzeros : features_of(e),
                              features,
                              nonzeros,
                              nonzeros / features,
                              ent_experiment_bytes(e),
                              ent_experiment_mean(e),
                              ent_experiment_seconds(e, ENT_DURATION_TRAIN, 0.5)};
    add_names(text, set, &e->request);
    ent_text_format(text, "\t%s", budget ? "nonzeros" : "features");
    add_numbers(text, numbers, sizeof numbers / sizeof *numbers);
  }
}

/* A table: its head, then lines of each set. */
static void add_table(ent_text *text, const ent_paper *paper, const char *head,
                      void (*add)(ent_text *text, const entropic_comparison *comparison, const char *set)) {
  ent_text_add(text, head);
  for (size_t i = 0; i < ENT_SETS; i++)
    if (paper->comparisons[i] != NULL)
      add(text, paper->comparisons[i], ent_sets[i].name);
}

entropic_status ent_paper_text(entropic_context *context, const ent_paper *paper, const char *path) {
  ent_text text = {.context = context};
  add_table(&text, paper,
            "set\tmethod\tbandwidth\tfeatures\truns\terror\tsd\ttrain_seconds\ttrain_low\ttrain_high\tlift_seconds\t"
            "nonzeros\n",
            add_errors);
  add_table(&text, paper, "\nset\tmethod\tbandwidth\tbaseline\tfeatures\truns\tratio\tdifference\tlow\thigh\twon\n",
            add_pairs);
  add_table(&text, paper,
            "\nset\tmethod\tbandwidth\tbudget\tamount\tfeatures\tnonzeros\tshare\tbytes\terror\ttrain_seconds\n",
            add_costs);
  ent_text_add(&text, "\nset\tmethod\tbudget\tamount\tgiven_seconds\ttrain_seconds\n");
  for (size_t i = 0; i < paper->given.count; i++) {
    const ent_experiment *e = &paper->given.list[i];
    bool budget = e->request.nonzeros > 0;
    const double numbers[] = {(double)(budget ? e->request.nonzeros : e->request.features),
                              ent_experiment_seconds(e, ENT_DURATION_GIVEN, 0.5),
                              ent_experiment_seconds(e, ENT_DURATION_TRAIN, 0.5)};
    ent_text_format(&text, "%s\t%s\t%s", ent_sets[ent_paper_timed_set()].name,
                    ent_compare_method_name(e->request.method), budget ? "nonzeros" : "features");
    add_numbers(&text, numbers, sizeof numbers / sizeof *numbers);
  }
  entropic_status status = ent_text_save(&text, path);
  ent_text_free(&text);
  return status;
}
