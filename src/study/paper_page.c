/* The paper's experiments as one page, and as JSON. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "study/paper.h"

void ent_paper_numbers(ent_text *text, const ent_paper *paper) {
  char processor[ENT_PROCESSOR_NAME];
  ent_text_format(text, "{\"quick\": %s, \"runs\": %zu, \"seed\": %llu", paper->quick ? "true" : "false", paper->runs,
                  (unsigned long long)paper->seed);
  ent_json_text(text, "version", entropic_version());
  ent_json_text(text, "processor", ent_processor_name(processor));
  ent_text_add(text, ", \"sets\": [");
  for (size_t i = 0, shown = 0; i < ENT_SETS; i++) {
    const entropic_comparison *comparison = paper->comparisons[i];
    if (comparison == NULL)
      continue;
    ent_text_add(text, shown++ > 0 ? ", {\"name\": " : "{\"name\": ");
    ent_text_json(text, ent_sets[i].name);
    ent_json_text(text, "title", ent_sets[i].title);
    ent_text_format(text, ", \"printed_features\": %zu, \"printed_most\": %zu, ", ent_sets[i].printed_features,
                    ent_sets[i].printed_most);
    ent_comparison_json(text, comparison);
    ent_text_add(text, "}");
  }
  ent_text_add(text, "]");
  ent_paper_means_json(text, paper);
  ent_paper_given_json(text, paper);
  ent_paper_boundary_json(text, paper);
  ent_text_add(text, ", \"kernels\": [");
  for (size_t i = 0; i < ENT_PAPER_APPROXIMATIONS; i++) {
    const ent_approximation *a = &paper->approximations[i];
    ent_text_format(text, "%s{\"inputs\": %zu, ", i > 0 ? ", " : "", a->inputs);
    ent_json_list(text, "features", a->features, ENT_APPROXIMATIONS, false);
    ent_json_list(text, "eof", a->complete, ENT_APPROXIMATIONS, false);
    ent_json_list(text, "printed", a->printed, ENT_APPROXIMATIONS, false);
    ent_json_list(text, "rks", a->random, ENT_APPROXIMATIONS, true);
    ent_text_add(text, "}");
  }
  ent_text_add(text, "]");
  ent_paper_rates_json(text, paper);
  ent_paper_sparse_json(text, paper);
  ent_text_add(text, "}");
}

static void add_sets(ent_page *page, const ent_paper *paper) {
  ent_page_section(page, "Test errors");
  if (!ent_paper_has_data(paper)) {
    ent_page_note(page, "There were no data sets: only the experiments that need none were run. `entropic paper --data "
                        "DIR` takes the folder that holds them.");
    return;
  }
  ent_page_paragraph(
      page, "The error on test rows against the number of features. Of each pair of charts the first has the bandwidth "
            "of the paper's rule (1 over the mean distance to the 50th neighbour; our completed features have none and "
            "take omega = 1). The second has the best of five on validation rows, held out of the training rows; of "
            "more, where the best is the last of them. Lambda is always chosen there. EOF-select, LKRF and EERF choose "
            "their features by the targets of the training rows, Nystroem by the rows; the others do not look at the "
            "data. More than 320 features have fewer runs and are tuned alone. Kernel ridge is exact: the ceiling of "
            "methods that approximate its kernel.");
  for (size_t i = 0; i < ENT_SETS; i++) {
    if (paper->comparisons[i] != NULL)
      ent_comparison_charts(page, paper->comparisons[i], ent_sets[i].title, ent_sets[i].error);
    else {
      char note[512];
      snprintf(note, sizeof note, "%s was left out: %s is not there.", ent_sets[i].title, ent_sets[i].files);
      ent_page_note(page, note);
    }
  }
  ent_paper_add_means(page, paper);
}

/* Errors against time and memory. */
static void add_frontiers(ent_page *page, const ent_paper *paper) {
  if (!ent_paper_has_data(paper))
    return;
  ent_page_section(page, "Equal time, equal memory");
  ent_page_paragraph(
      page, "Equal numbers of features are not equal costs. Here the error stands against the time of training, on one "
            "thread, and against the bytes of a lifted row, 8 for a value or, where fewer, 12 for a non-zero with its "
            "column. The grey line is the best of all methods up to there. Where one of ours is not on it, another "
            "method does better in the same time.");
  for (size_t i = 0; i < ENT_SETS; i++)
    if (paper->comparisons[i] != NULL)
      ent_comparison_frontier(page, paper->comparisons[i], ent_sets[i].title, ent_sets[i].error);
}

/* Ours against each baseline, on each set. */
static void add_pairs(ent_page *page, const ent_paper *paper) {
  if (!ent_paper_has_data(paper))
    return;
  ent_page_section(page, "Paired differences");
  ent_page_paragraph(
      page,
      "All methods have the same rows in the same run. So errors are compared run by run. The 95 % interval of a "
      "difference is of the mean over all splits of these very rows; splits share rows, so that it says less of "
      "other rows from the same source. The numbers of this page have a wider interval for those, too (Nadeau and "
      "Bengio 2003).");
  for (size_t i = 0; i < ENT_SETS; i++)
    if (paper->comparisons[i] != NULL)
      ent_comparison_pairs(page, paper->comparisons[i], ent_sets[i].title);
}

static void add_kernels(ent_page *page, const ent_paper *paper) {
  ent_page_section(page, "How well features stand for the kernel");
  ent_page_paragraph(page,
                     "The root of the mean square of z(x).z(y) - k(x,y) over random pairs, for the laplace kernel "
                     "with omega 1. The features as printed in the paper lack the boundary functions: their error "
                     "does not fall, however many there are.");
  ent_page_panels_start(page);
  for (size_t i = 0; i < ENT_PAPER_APPROXIMATIONS; i++) {
    const ent_approximation *a = &paper->approximations[i];
    char title[64];
    snprintf(title, sizeof title, "%zu input%s", a->inputs, a->inputs == 1 ? "" : "s");
    const ent_series series[] = {
        {.name = "EOF", .count = ENT_APPROXIMATIONS, .x = a->features, .y = a->complete},
        {.name = "EOF as printed", .count = ENT_APPROXIMATIONS, .x = a->features, .y = a->printed, .dashed = true},
        {.name = "RKS", .count = ENT_APPROXIMATIONS, .x = a->features, .y = a->random}};
    ent_page_chart(page,
                   &(ent_chart){.title = title,
                                .note = a->inputs == 1 ? "Where no pair of points shares a cell of the finest hats "
                                                         "any more, nothing is left to be missed."
                                                       : NULL,
                                .x = {.title = "features", .logarithmic = true},
                                .y = {.title = "error of the kernel", .logarithmic = true},
                                .series = series,
                                .series_count = 3});
  }
  ent_page_panels_end(page);
}

static void add_tables(ent_page *page, const ent_paper *paper) {
  ent_page_section(page, "All numbers");
  for (size_t i = 0; i < ENT_SETS; i++)
    if (paper->comparisons[i] != NULL)
      ent_comparison_table(page, paper->comparisons[i], ent_sets[i].title);
}

entropic_status ent_paper_html(entropic_context *context, const ent_paper *paper, const ent_study_names *names,
                               const char *path) {
  const ent_foot foot = {.date = names->date, .command = names->command, .seeded = true, .seed = paper->seed};
  ent_page page;
  ent_text json = {.context = context};
  char lead[512];
  snprintf(
      lead, sizeof lead,
      "The experiments of L. Ding, R. Tuo and S. Shahrampour, Generalization Guarantees for Sparse Kernel "
      "Approximation with Entropic Optimal Features (ICML 2020), run anew%s, with the features completed by "
      "their boundary functions, best first (EOF) or selected from the data (EOF-select), with those printed there "
      "(EOF-printed), the same away from the faces of the cube (EOF-inset), random features and Nystroem. %zu "
      "run%s of each data set.",
      paper->quick ? " in short" : "", paper->runs, paper->runs == 1 ? "" : "s");
  ent_page_start(&page, context, "Entropic optimal features, the paper run anew", lead);
  add_sets(&page, paper);
  add_frontiers(&page, paper);
  ent_paper_add_costs(&page, paper);
  ent_paper_add_boundary(&page, paper);
  add_kernels(&page, paper);
  ent_paper_add_rates(&page, paper);
  ent_paper_add_sparse(&page, paper);
  add_pairs(&page, paper);
  add_tables(&page, paper);
  ent_page_foot(&page, &foot);
  ent_paper_numbers(&json, paper);
  return ent_study_page_save(&page, &json, path);
}

entropic_status ent_paper_json(entropic_context *context, const ent_paper *paper, const char *path) {
  ent_text json = {.context = context};
  ent_paper_numbers(&json, paper);
  ent_text_add(&json, "\n");
  entropic_status status = ent_text_save(&json, path);
  ent_text_free(&json);
  return status;
}
