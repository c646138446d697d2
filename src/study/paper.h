/* The results of the paper's experiments. */
#ifndef ENT_STUDY_PAPER_H
#define ENT_STUDY_PAPER_H

#include "report/report.h"
#include "study/approximation.h"
#include "study/boundary.h"
#include "compare/comparison.h"
#include "study/rate.h"
#include "study/sets.h"
#include "study/study.h"

#define ENT_PAPER_APPROXIMATIONS 3
#define ENT_PAPER_RATES (ENT_RATE_DIMENSIONS * ENT_RATE_RULES)

struct ent_paper {
  bool quick;
  size_t runs;
  entropic_comparison *comparisons[ENT_SETS]; /* NULL where there were no data */
  size_t test_rows[ENT_SETS];
  ent_experiments times; /* of all methods on the timed set; empty if it is not there */
  ent_approximation approximations[ENT_PAPER_APPROXIMATIONS];
  ent_boundary boundary;
  ent_rate rates[ENT_PAPER_RATES]; /* by inputs, then by rule */
};

/* Charts of the errors of a comparison against the number of features, by the rule and tuned, side by side, and a table
 * of them all. `what` is what the error is. */
void ent_comparison_charts(ent_page *page, const entropic_comparison *comparison, const char *title, const char *what);
void ent_comparison_table(ent_page *page, const entropic_comparison *comparison, const char *title);
/* `, "key": value`. */
void ent_json_member(ent_text *text, const char *key, double value);
/* `"key": [...]`, and a comma after it unless it is the last. */
void ent_json_list(ent_text *text, const char *key, const double *values, size_t count, bool last);
/* The methods of a comparison as a JSON array. */
void ent_comparison_json(ent_text *text, const entropic_comparison *comparison);

/* `, "ratios": [...]`: errors of our tuned features, EOF and EOF-select, over those of the best tuned baseline on the same
 * runs. */
void ent_comparison_ratios_json(ent_text *text, const entropic_comparison *comparison);

/* Ends a page with these numbers in it and saves it; frees both, also on failure. */
entropic_status ent_study_page_save(ent_page *page, ent_text *json, const char *path);

/* All numbers of a paper as one JSON object. */
void ent_paper_numbers(ent_text *text, const ent_paper *paper);

/* What training costs: the paper's tables 2 and 3. */
void ent_paper_add_costs(ent_page *page, const ent_paper *paper);
/* `, "budgets": [...]`: results for budgets of non-zeros on a set; `, "times": [...]`. */
void ent_paper_budgets_json(ent_text *text, const entropic_comparison *comparison);
void ent_paper_times_json(ent_text *text, const ent_paper *paper);
/* What the boundary functions are for; `, "boundary": {...}`. */
void ent_paper_add_boundary(ent_page *page, const ent_paper *paper);
void ent_paper_boundary_json(ent_text *text, const ent_paper *paper);
/* How fast the error falls; `, "rates": [...]`. */
void ent_paper_add_rates(ent_page *page, const ent_paper *paper);
void ent_paper_rates_json(ent_text *text, const ent_paper *paper);
/* The set that training times are taken on. */
size_t ent_paper_timed_set(void);
/* Whether any data set was there. */
bool ent_paper_has_data(const ent_paper *paper);

/* The geometric mean, over sizes, of the error of one of our kinds of features, tuned, over that of the best tuned
 * baseline on the same runs; *wins of *count are below 1. */
double ent_comparison_ratio(const entropic_comparison *comparison, ent_compare_method ours, size_t *wins,
                            size_t *count);

#endif
