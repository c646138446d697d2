/* The results of the paper's experiments. */
#ifndef ENT_STUDY_PAPER_H
#define ENT_STUDY_PAPER_H

#include "base/json.h"
#include "claims/claims.h"
#include "claims/rate.h"
#include "compare/comparison.h"
#include "compare/paired.h"
#include "entropic/entropic.h"
#include "page/page.h"
#include "study/boundary.h"
#include "study/json.h"
#include "study/sets.h"
#include "study/sparse.h"
#include "study/study.h"

/* The approximation of the kernel by M features: the root mean square of z(x).z(y) - k(x,y) over random pairs, for our
 * features, complete and as printed, and for random features. */
#define ENT_APPROXIMATIONS 9 /* numbers of features: 16, 32, .. 4096 */

typedef struct ent_approximation {
  size_t inputs;
  double features[ENT_APPROXIMATIONS];
  double complete[ENT_APPROXIMATIONS]; /* entropic optimal features of the laplace kernel */
  double printed[ENT_APPROXIMATIONS];  /* their interior part alone, each of norm 1 */
  double random[ENT_APPROXIMATIONS];   /* RKS, the mean over some seeds */
} ent_approximation;

entropic_status ent_approximation_measure(entropic_context *context, size_t inputs, ent_approximation *result);

#define ENT_PAPER_APPROXIMATIONS 3
#define ENT_PAPER_RATES (ENT_RATE_DIMENSIONS * ENT_RATE_RULES)

/* The experiments, each of which can be run alone: the sets in their order, then these. */
typedef enum ent_paper_part {
  ENT_PART_TABLE_2 = ENT_SETS, /* every set, with the number of features of its table 2 alone */
  ENT_PART_TABLE_3,
  ENT_PART_KERNELS,
  ENT_PART_RATES,
  ENT_PART_SPARSE,
  ENT_PART_CLAIMS,
  ENT_PARTS
} ent_paper_part;

/* Which of them: a bit each. Comma separated names; NULL: all of them; "none": none. */
entropic_status ent_paper_parts(entropic_context *context, const char *names, unsigned *parts);

struct ent_paper {
  bool quick;
  size_t runs;
  uint64_t seed;
  char processor[ENT_PROCESSOR_NAME];         /* that measured the times */
  entropic_comparison *comparisons[ENT_SETS]; /* NULL where there were no data */
  ent_experiments given; /* on the timed set, for times of training alone; empty if it is not there */
  ent_approximation approximations[ENT_PAPER_APPROXIMATIONS]; /* of no inputs if not there */
  ent_boundary boundary;
  ent_rate rates[ENT_PAPER_RATES]; /* by inputs, then by rule; of no rows if not there */
  ent_sparse sparse;               /* without cases if not there */
  bool has_claims;
  ent_claim_result claims[ENT_CLAIMS]; /* NaN for one that was not measured */
};

/* Raised when results change: logs and results of other editions are refused. */
#define ENT_PAPER_EDITION 3

/* Reads results that ent_paper_json saved into a paper that has none. BAD_DATA if they are of another edition, seed or
 * kind (in short or not) than the paper. */
entropic_status ent_paper_load(entropic_context *context, const char *path, ent_paper *paper);

/* Charts of the errors of a comparison against the number of features, by the rule and tuned, side by side, and a table
 * of them all. `what` is what the error is. */
void ent_comparison_charts(ent_page *page, const entropic_comparison *comparison, const char *title, const char *what);
void ent_comparison_table(ent_page *page, const entropic_comparison *comparison, const char *title);
/* Errors against time and memory, and a paragraph that says how to read them; the best of all methods up to each time, as
 * `"frontier": [...]`. */
void ent_comparison_frontier_intro(ent_page *page);
void ent_comparison_frontier(ent_page *page, const entropic_comparison *comparison, const char *title,
                             const char *what);
void ent_comparison_frontier_json(ent_json *json, const entropic_comparison *comparison);
/* Tables of our methods against each baseline, run by run, and a paragraph that says how to read them. */
void ent_comparison_pairs_intro(ent_page *page);
void ent_comparison_pairs(ent_page *page, const entropic_comparison *comparison, const char *title);

/* Size number i, first those of all runs, then the large ones. */
size_t ent_comparison_size(const ent_experiments *experiments, size_t i);
/* Two experiments of a comparison on the runs that both have. */
ent_paired ent_comparison_paired(const entropic_comparison *comparison, const ent_experiment *ours,
                                 const ent_experiment *other);
/* The best baseline with so many features, on the first so many runs; NULL if there is none. */
const ent_experiment *ent_comparison_best(const ent_experiments *experiments, bool tuned, size_t size, size_t runs);

/* An experiment as a JSON object; the members of a comparison's, without braces. */
void ent_experiment_json(ent_json *json, const ent_experiment *experiment);
void ent_comparison_json(ent_json *json, const entropic_comparison *comparison);

/* Ends a page with these numbers in it and saves it; frees both, also on failure. */
entropic_status ent_study_page_save(ent_page *page, ent_text *json, const char *path);

/* The paper's table 1, and what is used of it. */
void ent_paper_add_sets(ent_page *page, const ent_paper *paper);
/* `"printed": {...}`: its tables as printed. */
void ent_printed_json(ent_json *json);
/* What training costs: the paper's tables 2 and 3. */
void ent_paper_add_costs(ent_page *page, const ent_paper *paper);
/* `"given": [...]`: times of training with features given. */
void ent_paper_given_json(ent_json *json, const ent_paper *paper);
/* Geometric means over the sets, as tables and as `"means": [...]`. */
void ent_paper_add_means(ent_page *page, const ent_paper *paper);
void ent_paper_means_json(ent_json *json, const ent_paper *paper);
/* What the boundary functions are for; `"boundary": {...}`. */
void ent_paper_add_boundary(ent_page *page, const ent_paper *paper);
void ent_paper_boundary_json(ent_json *json, const ent_paper *paper);
/* How fast the error falls; `"rates": [...]`. */
void ent_paper_add_rates(ent_page *page, const ent_paper *paper);
void ent_paper_rates_json(ent_json *json, const ent_paper *paper);
/* Where sparse features pay; `"sparse": {...}`. */
void ent_paper_add_sparse(ent_page *page, const ent_paper *paper);
void ent_paper_sparse_json(ent_json *json, const ent_paper *paper);
/* Reads that back into an empty one; false if it is not what it should be. NULL has nothing. */
bool ent_sparse_load(const ent_json_value *value, ent_sparse *sparse);
/* `"claims": [...]`. */
void ent_paper_claims_json(ent_json *json, const ent_paper *paper);
/* Runs of the sets: "50 runs", "10 to 50 runs". Returns text. */
#define ENT_RUNS_TEXT 64
const char *ent_paper_runs(const ent_paper *paper, char text[ENT_RUNS_TEXT]);
/* The forms of features in table 3, and the baseline. */
typedef enum ent_given_form {
  ENT_GIVEN_EOF,
  ENT_GIVEN_PRINTED,
  ENT_GIVEN_INSET,
  ENT_GIVEN_BUDGET, /* EOF with as many non-zeros, of more features */
  ENT_GIVEN_RKS,
  ENT_GIVEN_FORMS
} ent_given_form;
const char *ent_given_form_name(ent_given_form form);
/* One of them with so many features, or non-zeros; NULL if it was not measured. */
const ent_experiment *ent_paper_given(const ent_paper *paper, ent_given_form form, size_t size);
/* The set that training times are taken on. */
size_t ent_paper_timed_set(void);
/* Whether any data set was there. */
bool ent_paper_has_data(const ent_paper *paper);

/* The geometric mean, over sizes, of the error of one of our kinds of features, tuned, over that of the best tuned
 * baseline on the same runs; *wins of *count are below 1. */
double ent_comparison_ratio(const entropic_comparison *comparison, ent_compare_method ours, size_t *wins,
                            size_t *count);

#endif
