/* A small paper: one data set with experiments of its own, times, and what needs no data made up. */
#ifndef PAPERS_H
#define PAPERS_H

#include "unit/learning.h"

#include "base/memory.h"
#include "study/paper.h"

enum { PAPER_ROWS = 60, PAPER_TEST = 20, PAPER_INPUTS = 2, PAPER_TIMED = 2 };

static const size_t paper_sizes[] = {4, 7}, paper_budgets[] = {5};
static double paper_x[(PAPER_ROWS + PAPER_TEST) * PAPER_INPUTS], paper_y[PAPER_ROWS + PAPER_TEST];

static inline ent_evaluation_data paper_data(void) {
  entropic_random random = entropic_random_start(11, 0);
  for (size_t i = 0; i < COUNT(paper_x); i++)
    paper_x[i] = entropic_random_uniform(&random);
  for (size_t r = 0; r < PAPER_ROWS + PAPER_TEST; r++)
    paper_y[r] = smooth_target(paper_x + r * PAPER_INPUTS, PAPER_INPUTS, 0) + 0.1 * entropic_random_normal(&random);
  return (ent_evaluation_data){.inputs = PAPER_INPUTS,
                               .targets = 1,
                               .rows = PAPER_ROWS,
                               .test_rows = PAPER_TEST,
                               .x = paper_x,
                               .y = paper_y,
                               .test_x = paper_x + PAPER_ROWS * PAPER_INPUTS,
                               .test_y = paper_y + PAPER_ROWS};
}

/* Two runs that fall as rows to the power of -1, one twice as high as the other. */
static inline ent_rate made_up_rate(size_t i) {
  ent_rate rate = {.inputs = ent_rate_inputs[i / ENT_RATE_RULES],
                   .rule = (ent_rate_rule)(i % ENT_RATE_RULES),
                   .count = 2,
                   .runs = 2,
                   .rows = {256, 512},
                   .features = {8, 10},
                   .risks = {{0.2, 0.4}, {0.1, 0.2}}};
  ent_rate_fit(&rate);
  return rate;
}

static inline ent_paper *make_paper(entropic_context *context) {
  ent_evaluation_data data = paper_data();
  ent_experiment_plan plan = {.sizes = paper_sizes, .size_count = 2, .budgets = paper_budgets, .budget_count = 1};
  ent_request requests[ENT_COMPARE_METHODS * PAPER_TIMED];
  ent_paper *paper = ent_new(context, 1, sizeof *paper);
  entropic_comparison *comparison = ent_new(context, 1, sizeof *comparison);
  assert_true(paper != NULL && comparison != NULL);
  paper->runs = 1;
  paper->comparisons[0] = comparison;
  paper->test_rows[0] = PAPER_TEST;
  comparison->rows = PAPER_ROWS;
  comparison->inputs = PAPER_INPUTS;
  ASSERT_OK(context, ent_experiments_start_all(context, &plan, 1, &comparison->experiments));
  ASSERT_OK(context, ent_experiments_run(context, &comparison->experiments, &data, 1));
  for (size_t i = 0; i < COUNT(requests); i++)
    requests[i] =
        (ent_request){.method = (ent_compare_method)(i / PAPER_TIMED), .features = paper_sizes[i % PAPER_TIMED]};
  ASSERT_OK(context, ent_experiments_start(context, requests, COUNT(requests), 2, &paper->times));
  paper->times.sizes = paper_sizes;
  paper->times.size_count = PAPER_TIMED;
  ent_experiments_time(&paper->times, 2);
  for (int run = 0; run < 2; run++)
    ASSERT_OK(context, ent_experiments_run(context, &paper->times, &data, 1));
  for (size_t i = 0; i < ENT_PAPER_APPROXIMATIONS; i++)
    for (size_t k = 0; k < ENT_APPROXIMATIONS; k++) {
      ent_approximation *a = &paper->approximations[i];
      a->inputs = i + 1;
      a->features[k] = (double)(16 << k);
      a->complete[k] = a->printed[k] = a->random[k] = 1.0 / (double)(k + 1);
    }
  for (size_t i = 0; i < ENT_PAPER_RATES; i++)
    paper->rates[i] = made_up_rate(i);
  ASSERT_OK(context, ent_boundary_measure(context, &paper->boundary));
  return paper;
}

#endif
