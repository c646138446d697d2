/* The results of the paper's experiments. */
#ifndef ENT_STUDY_PAPER_H
#define ENT_STUDY_PAPER_H

#include "report/report.h"
#include "study/approximation.h"
#include "study/boundary.h"
#include "compare/comparison.h"
#include "compare/paired.h"
#include "study/rate.h"
#include "study/sets.h"
#include "study/sparse.h"
#include "study/study.h"

#define ENT_PAPER_APPROXIMATIONS 3
#define ENT_PAPER_RATES (ENT_RATE_DIMENSIONS * ENT_RATE_RULES)

struct ent_paper {
  bool quick;
  size_t runs;
  uint64_t seed;
  entropic_comparison *comparisons[ENT_SETS]; /* NULL where there were no data */
  size_t test_rows[ENT_SETS];
  ent_experiments given; /* EOF and RKS on the timed set, for times of training alone; empty if it is not there */
  ent_approximation approximations[ENT_PAPER_APPROXIMATIONS];
  ent_boundary boundary;
  ent_rate rates[ENT_PAPER_RATES]; /* by inputs, then by rule */
  ent_sparse sparse;
};

/* Charts of the errors of a comparison against the number of features, by the rule and tuned, side by side, and a table
 * of them all. `what` is what the error is. */
void ent_comparison_charts(ent_page *page, const entropic_comparison *comparison, const char *title, const char *what);
void ent_comparison_table(ent_page *page, const entropic_comparison *comparison, const char *title);
/* Errors against time and memory; the best of all methods up to each time, as a JSON array. */
void ent_comparison_frontier(ent_page *page, const entropic_comparison *comparison, const char *title,
                             const char *what);
void ent_comparison_frontier_json(ent_text *text, const entropic_comparison *comparison);
/* Tables of our methods against each baseline, run by run. */
void ent_comparison_pairs(ent_page *page, const entropic_comparison *comparison, const char *title);

/* Size number i, first those of all runs, then the large ones. */
size_t ent_comparison_size(const ent_experiments *experiments, size_t i);
/* Two experiments of a comparison on the runs that both have. */
ent_paired ent_comparison_paired(const entropic_comparison *comparison, const ent_experiment *ours,
                                 const ent_experiment *other);
/* The best baseline with so many features, on the first so many runs; NULL if there is none. */
const ent_experiment *ent_comparison_best(const ent_experiments *experiments, bool tuned, size_t size, size_t runs);

/* `, "key": value`. */
void ent_json_member(ent_text *text, const char *key, double value);
void ent_json_text(ent_text *text, const char *key, const char *value);
/* `"key": [...]`, and a comma after it unless it is the last. */
void ent_json_list(ent_text *text, const char *key, const double *values, size_t count, bool last);
/* An experiment as a JSON object; the members of a comparison's, without braces. */
void ent_experiment_json(ent_text *text, const ent_experiment *experiment);
void ent_comparison_json(ent_text *text, const entropic_comparison *comparison);

/* Ends a page with these numbers in it and saves it; frees both, also on failure. */
entropic_status ent_study_page_save(ent_page *page, ent_text *json, const char *path);

/* All numbers of a paper as one JSON object. */
void ent_paper_numbers(ent_text *text, const ent_paper *paper);

/* What training costs: the paper's tables 2 and 3. */
void ent_paper_add_costs(ent_page *page, const ent_paper *paper);
/* `, "given": [...]`: times of training with features given. */
void ent_paper_given_json(ent_text *text, const ent_paper *paper);
/* Geometric means over the sets, as tables and as `, "means": [...]`. */
void ent_paper_add_means(ent_page *page, const ent_paper *paper);
void ent_paper_means_json(ent_text *text, const ent_paper *paper);
/* What the boundary functions are for; `, "boundary": {...}`. */
void ent_paper_add_boundary(ent_page *page, const ent_paper *paper);
void ent_paper_boundary_json(ent_text *text, const ent_paper *paper);
/* How fast the error falls; `, "rates": [...]`. */
void ent_paper_add_rates(ent_page *page, const ent_paper *paper);
void ent_paper_rates_json(ent_text *text, const ent_paper *paper);
/* Where sparse features pay; `, "sparse": {...}`. */
void ent_paper_add_sparse(ent_page *page, const ent_paper *paper);
void ent_paper_sparse_json(ent_text *text, const ent_paper *paper);
/* The set that training times are taken on. */
size_t ent_paper_timed_set(void);
/* Whether any data set was there. */
bool ent_paper_has_data(const ent_paper *paper);

/* The geometric mean, over sizes, of the error of one of our kinds of features, tuned, over that of the best tuned
 * baseline on the same runs; *wins of *count are below 1. */
double ent_comparison_ratio(const entropic_comparison *comparison, ent_compare_method ours, size_t *wins,
                            size_t *count);

#endif
