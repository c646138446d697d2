/* The paper's experiments as one page, and as JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "study/paper.h"
#include "study/verdicts.h"

static void add_kernel_numbers(ent_json *json, const ent_paper *paper) {
  ent_json_line(json);
  ent_json_open_list(json, "kernels");
  for (size_t i = 0; i < ENT_PAPER_APPROXIMATIONS; i++) {
    const ent_approximation *a = &paper->approximations[i];
    if (a->inputs == 0)
      continue;
    ent_json_line(json);
    ent_json_open_object(json, NULL);
    ent_json_add_integer(json, "inputs", a->inputs);
    ent_json_add_numbers(json, "features", a->features, ENT_APPROXIMATIONS);
    ent_json_add_numbers(json, "eof", a->complete, ENT_APPROXIMATIONS);
    ent_json_add_numbers(json, "printed", a->printed, ENT_APPROXIMATIONS);
    ent_json_add_numbers(json, "rks", a->random, ENT_APPROXIMATIONS);
    ent_json_close(json);
  }
  ent_json_close(json);
}

static void add_set_numbers(ent_json *json, const ent_paper *paper) {
  ent_json_line(json);
  ent_json_open_list(json, "sets");
  for (size_t i = 0; i < ENT_SETS; i++) {
    if (paper->comparisons[i] == NULL)
      continue;
    ent_json_line(json);
    ent_json_open_object(json, NULL);
    ent_json_add_text(json, "name", ent_sets[i].name);
    ent_json_add_text(json, "title", ent_sets[i].title);
    ent_json_add_integer(json, "printed_features", ent_sets[i].printed_features);
    ent_json_add_integer(json, "printed_most", ent_sets[i].printed_most);
    ent_comparison_json(json, paper->comparisons[i]);
    ent_json_close(json);
  }
  ent_json_close(json);
}

static void add_numbers(ent_text *text, const ent_paper *paper) {
  ent_json json = {.text = text, .in_page = true};
  ent_json_open_object(&json, NULL);
  ent_json_add_integer(&json, "edition", ENT_PAPER_EDITION);
  ent_json_add_flag(&json, "quick", paper->quick);
  ent_json_add_integer(&json, "runs", paper->runs);
  ent_json_add_integer(&json, "seed", paper->seed);
  ent_json_add_text(&json, "version", entropic_version());
  ent_json_add_text(&json, "processor", paper->processor);
  ent_printed_json(&json);
  add_set_numbers(&json, paper);
  ent_paper_means_json(&json, paper);
  ent_paper_given_json(&json, paper);
  ent_paper_boundary_json(&json, paper);
  add_kernel_numbers(&json, paper);
  ent_paper_rates_json(&json, paper);
  ent_paper_sparse_json(&json, paper);
  ent_paper_claims_json(&json, paper);
  ent_paper_verdicts_json(&json, paper);
  ent_json_close(&json);
}

/* A set that was not run, or whose files are not all there. */
static void add_left_out(ent_page *page, size_t set) {
  char note[512], files[384];
  size_t length = 0;
  const char *file = ent_sets[set].files;
  for (; *file != '\0' && length + 2 < sizeof files; file++) {
    files[length++] = *file;
    if (*file == ',')
      files[length++] = ' ';
  }
  files[length] = '\0';
  snprintf(note, sizeof note,
           strchr(files, ',') == NULL ? "There are no results of %s: it was not run, or %s was not there."
                                      : "There are no results of %s: it was not run, or not all of %s were there.",
           ent_sets[set].title, files);
  ent_page_note(page, note);
}

/* How many runs each number of features has, where not all have as many. */
static void note_runs(ent_page *page, const ent_experiments *experiments, const char *title) {
  char text[512];
  size_t length = (size_t)snprintf(text, sizeof text, "Runs of %s, by number of features:", title), different = 0,
         first = 0;
  for (size_t i = 0; i < experiments->size_count + experiments->large_count; i++) {
    size_t size = ent_comparison_size(experiments, i);
    const ent_experiment *e = ent_experiments_find(experiments, ENT_COMPARE_ENTROPY, true, size);
    if (e == NULL)
      continue;
    first = first == 0 ? e->runs : first;
    different += e->runs != first;
    length += (size_t)snprintf(text + length, sizeof text - length, "%s %zu: %zu", i > 0 ? "," : "", size, e->runs);
    length = length < sizeof text ? length : sizeof text - 1;
  }
  snprintf(text + length, sizeof text - length, ".");
  if (different > 0)
    ent_page_note(page, text);
}

static void add_sets(ent_page *page, const ent_paper *paper) {
  ent_page_section(page, "Test errors");
  if (!ent_paper_has_data(paper)) {
    ent_page_note(page,
                  "There were no data sets, so only the experiments that need none were run. `entropic paper --data "
                  "DIR` reads the sets from a folder.");
    return;
  }
  ent_page_paragraph(
      page,
      "The error on test rows against the number of features. In each pair of charts, the first has the bandwidth "
      "of the paper's rule: 1 over the mean distance to the 50th neighbour. Our completed features have no such "
      "rule and take omega = 1. The second has the best of five bandwidths on validation rows, which are held out "
      "of the training rows, or of more if the best is the last of the five. Lambda is always chosen on the "
      "validation rows. EOF-select, LKRF and EERF choose their features by the targets of the training rows, "
      "Nystroem by the rows alone; the others do not look at the data. Sizes above 320 features have fewer runs, "
      "and are only tuned. Kernel ridge is exact: a ceiling for the methods that approximate its kernel.");
  for (size_t i = 0; i < ENT_SETS; i++) {
    if (paper->comparisons[i] != NULL) {
      ent_comparison_charts(page, paper->comparisons[i], ent_sets[i].title, ent_sets[i].error);
      note_runs(page, &paper->comparisons[i]->experiments, ent_sets[i].title);
    } else
      add_left_out(page, i);
  }
  ent_paper_add_means(page, paper);
}

/* Errors against time and memory. */
static void add_frontiers(ent_page *page, const ent_paper *paper) {
  if (!ent_paper_has_data(paper))
    return;
  ent_page_section(page, "Equal time, equal memory");
  ent_comparison_frontier_intro(page);
  for (size_t i = 0; i < ENT_SETS; i++)
    if (paper->comparisons[i] != NULL)
      ent_comparison_frontier(page, paper->comparisons[i], ent_sets[i].title, ent_sets[i].error);
}

/* Ours against each baseline, on each set. */
static void add_pairs(ent_page *page, const ent_paper *paper) {
  if (!ent_paper_has_data(paper))
    return;
  ent_page_section(page, "Paired differences");
  ent_comparison_pairs_intro(page);
  for (size_t i = 0; i < ENT_SETS; i++)
    if (paper->comparisons[i] != NULL)
      ent_comparison_pairs(page, paper->comparisons[i], ent_sets[i].title);
}

static void add_kernels(ent_page *page, const ent_paper *paper) {
  if (paper->approximations[0].inputs == 0)
    return;
  ent_page_section(page, "How well the features approximate the kernel");
  ent_page_paragraph(page,
                     "The root of the mean square of z(x).z(y) - k(x,y) over random pairs, for the laplace kernel "
                     "with omega 1. The features as printed in the paper lack the boundary functions: their error "
                     "does not fall, however many there are.");
  ent_page_panels_start(page);
  for (size_t i = 0; i < ENT_PAPER_APPROXIMATIONS && paper->approximations[i].inputs > 0; i++) {
    const ent_approximation *a = &paper->approximations[i];
    char title[64];
    snprintf(title, sizeof title, "%zu input%s", a->inputs, a->inputs == 1 ? "" : "s");
    const ent_series series[] = {
        {.name = "EOF", .count = ENT_APPROXIMATIONS, .x = a->features, .y = a->complete},
        {.name = "EOF as printed", .count = ENT_APPROXIMATIONS, .x = a->features, .y = a->printed, .dashed = true},
        {.name = "RKS", .count = ENT_APPROXIMATIONS, .x = a->features, .y = a->random}};
    ent_page_chart(page,
                   &(ent_chart){.title = title,
                                .note = a->inputs == 1 ? "Once no pair of points shares a cell of the finest hats, the "
                                                         "features give the kernel exactly."
                                                       : NULL,
                                .x = {.title = "features", .logarithmic = true},
                                .y = {.title = "error of the kernel", .logarithmic = true},
                                .series = series,
                                .series_count = 3,
                                .shared_legend = true});
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
  char lead[768], runs[ENT_RUNS_TEXT];
  bool any = ent_paper_has_data(paper);
  snprintf(
      lead, sizeof lead,
      "The experiments of L. Ding, R. Tuo and S. Shahrampour, Generalization Guarantees for Sparse Kernel "
      "Approximation with Entropic Optimal Features (ICML 2020), repeated%s. Completed by their boundary functions, "
      "the features are taken best first (EOF) or selected from the data (EOF-select). They are compared with the "
      "features as printed in the paper (EOF-printed), the same away from the faces of the cube (EOF-inset), random "
      "features and Nystroem.%s%s%s",
      paper->quick ? " in a short form (`--quick`)" : "", any ? " " : "", any ? ent_paper_runs(paper, runs) : "",
      any ? " of each data set." : "");
  ent_page_start(&page, context, "Entropic optimal features: the paper's experiments repeated", lead);
  ent_paper_add_verdicts(&page, paper);
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
  add_numbers(&json, paper);
  return ent_study_page_save(&page, &json, path);
}

entropic_status ent_paper_json(entropic_context *context, const ent_paper *paper, const char *path) {
  ent_text json = {.context = context};
  add_numbers(&json, paper);
  ent_text_add(&json, "\n");
  entropic_status status = ent_text_save(&json, path);
  ent_text_free(&json);
  return status;
}
