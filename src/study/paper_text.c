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

static void add_errors(ent_text *text, const ent_experiments *experiments, const char *set) {
  for (size_t i = 0; i < experiments->grid; i++) {
    const ent_experiment *experiment = &experiments->list[i];
    ent_text_format(text, "%s\t%s\t%s\t%zu", set, ent_compare_method_name(experiment->request.method),
                    experiment->request.tuned ? "tuned" : "rule", experiment->request.features);
    add_numbers(text,
                (const double[]){ent_experiment_mean(experiment), ent_experiment_deviation(experiment),
                                 experiment->train_seconds, experiment->lift_seconds, experiment->nonzeros},
                5);
  }
}

static void add_costs(ent_text *text, const ent_experiments *experiments, const char *set) {
  for (size_t i = 0; i < experiments->count; i++) {
    const ent_experiment *experiment = &experiments->list[i];
    bool budget = experiment->request.features == 0;
    ent_text_format(text, "%s\t%s\t%s\t%s\t%zu", set, ent_compare_method_name(experiment->request.method),
                    experiment->request.tuned ? "tuned" : "rule", budget ? "nonzeros" : "features",
                    budget ? experiment->request.nonzeros : experiment->request.features);
    add_numbers(text,
                (const double[]){experiment->features, experiment->nonzeros,
                                 experiment->nonzeros / experiment->features, ent_experiment_mean(experiment),
                                 experiment->train_seconds},
                5);
  }
}

entropic_status ent_paper_text(entropic_context *context, const ent_paper *paper, const char *path) {
  ent_text text = {.context = context};
  ent_text_add(&text, "set\tmethod\tbandwidth\tfeatures\terror\tsd\ttrain_seconds\tlift_seconds\tnonzeros\n");
  for (size_t i = 0; i < ENT_SETS; i++)
    if (paper->comparisons[i] != NULL)
      add_errors(&text, &paper->comparisons[i]->experiments, ent_sets[i].name);
  ent_text_add(&text, "\nset\tmethod\tbandwidth\tbudget\tamount\tfeatures\tnonzeros\tshare\terror\ttrain_seconds\n");
  for (size_t i = 0; i < ENT_SETS; i++)
    if (paper->comparisons[i] != NULL)
      add_costs(&text, &paper->comparisons[i]->experiments, ent_sets[i].name);
  ent_text_add(&text, "\nset\tmethod\tfeatures\ttrain_seconds\n");
  for (size_t i = 0; i < paper->times.count; i++) {
    const ent_experiment *experiment = &paper->times.list[i];
    ent_text_format(&text, "%s\t%s\t%zu", ent_sets[ent_paper_timed_set()].name,
                    ent_compare_method_name(experiment->request.method), experiment->request.features);
    add_numbers(&text, &experiment->train_seconds, 1);
  }
  entropic_status status = ent_text_save(&text, path);
  ent_text_free(&text);
  return status;
}
