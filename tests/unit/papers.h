/* A small paper: one data set with experiments of its own, times, and what needs no data made up. */
#ifndef PAPERS_H
#define PAPERS_H

#include "unit/learning.h"

#include "base/memory.h"
#include "study/paper.h"
#include "study/printed.h"

enum {
  PAPER_ROWS = 80,
  PAPER_TEST = 20,
  PAPER_INPUTS = 2,
  PAPER_RUNS = 2,
  PAPER_ROUNDS = 3,
  PAPER_MAPS = ENT_COMPARE_METHODS - 1,
  PAPER_SIZED = PAPER_MAPS * 5 + 1, /* two sizes by the rule and tuned, a large one, exact kernel ridge */
  PAPER_ALL = PAPER_SIZED + 2
};

/* 60 is the number of features of the paper's table 2. */
static const size_t paper_sizes[] = {4, 60}, paper_large[] = {70}, paper_budgets[] = {5};
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

/* Errors of M^(-1/2), and twice as large: for RKS of the aligned function and EOF of the oblique one. */
static inline ent_sparse made_up_sparse(void) {
  ent_sparse sparse = {.count = 2, .growth_count = 1};
  for (size_t i = 0; i < 2; i++) {
    ent_sparse_case *one = &sparse.cases[i];
    *one = (ent_sparse_case){.target = i == 0 ? ENT_SPARSE_ALIGNED : ENT_SPARSE_OBLIQUE, .inputs = 2, .rows = 10000};
    for (size_t m = 0; m < ENT_SPARSE_METHODS; m++)
      for (size_t k = 0; k < 3; k++) {
        double features = (double)(64 << 2 * k), nonzeros = m == ENT_SPARSE_EOF ? 10 + 5 * (double)k : features;
        one->curves[m].count = k + 1;
        one->curves[m].points[k] = (ent_sparse_point){.features = features,
                                                      .nonzeros = nonzeros,
                                                      .products = nonzeros * (nonzeros + 1) / 2,
                                                      .error = (double)(1 + (m != i)) / sqrt(features),
                                                      .train = 1e-5 * nonzeros * nonzeros,
                                                      .gram = m == ENT_SPARSE_EOF && k == 2 ? NAN : 1e-5 * nonzeros,
                                                      .predict = 1e-9 * nonzeros,
                                                      .steps = m == ENT_SPARSE_EOF && k == 2 ? 9 : 0,
                                                      .scale = 8,
                                                      .ridge = 0.1};
      }
  }
  sparse.growth[0] = (ent_sparse_growth){
      .inputs = 2, .count = 2, .features = {256, 1024}, .nonzeros = {20, 30}, .products = {210, 465}};
  return sparse;
}

/* Two runs and some rounds of trainings on the first set. */
static inline void add_comparison(entropic_context *context, const ent_evaluation_data *data, ent_paper *paper) {
  const ent_experiment_plan plan = {.sizes = paper_sizes,
                                    .size_count = COUNT(paper_sizes),
                                    .large = paper_large,
                                    .large_count = COUNT(paper_large),
                                    .large_runs = 1,
                                    .budgets = paper_budgets,
                                    .budget_count = COUNT(paper_budgets),
                                    .exact_runs = 1};
  entropic_comparison *comparison = NULL;
  ASSERT_OK(context, ent_comparison_start(context, &plan, PAPER_RUNS, &comparison));
  paper->comparisons[0] = comparison;
  comparison->test = PAPER_TEST;
  comparison->rows = comparison->train = PAPER_ROWS;
  comparison->inputs = PAPER_INPUTS;
  for (uint64_t seed = 1; seed <= PAPER_RUNS; seed++)
    ASSERT_OK(context, ent_experiments_run(context, &comparison->experiments, data, seed));
  ASSERT_OK(context,
            ent_experiments_time(context, &comparison->experiments, data, 1, &(ent_timing){.rounds = PAPER_ROUNDS}));
}

/* Times from lifted rows, of every form at every size of the paper's table 3, made up: a budget of so many non-zeros would
 * have thousands of features of two inputs. */
static inline void add_given(entropic_context *context, ent_paper *paper) {
  static const ent_compare_method methods[ENT_GIVEN_FORMS] = {ENT_COMPARE_ENTROPY, ENT_COMPARE_PRINTED,
                                                              ENT_COMPARE_INSET, ENT_COMPARE_ENTROPY, ENT_COMPARE_RKS};
  ent_request requests[ENT_GIVEN_FORMS * ENT_PRINTED_SIZES];
  for (size_t i = 0; i < COUNT(requests); i++) {
    size_t form = i / ENT_PRINTED_SIZES, size = ent_printed_sizes[i % ENT_PRINTED_SIZES];
    requests[i] = (ent_request){.method = methods[form]};
    *(form == ENT_GIVEN_BUDGET ? &requests[i].nonzeros : &requests[i].features) = size;
  }
  ASSERT_OK(context, ent_experiments_start(context, requests, COUNT(requests), 1, &paper->given));
  paper->given.sizes = ent_printed_sizes;
  paper->given.size_count = ENT_PRINTED_SIZES;
  paper->given.runs = 1;
  for (size_t i = 0; i < COUNT(requests); i++) {
    ent_experiment *e = &paper->given.list[i];
    const ent_choice choice = {.scaling = ENTROPIC_SCALING_QUANTILE, .bandwidth = 1, .lambda = 1e-3, .tries = 1};
    size_t size = requests[i].features + requests[i].nonzeros;
    e->errors[0] = 0.25;
    e->performances[0] =
        (ent_performance){.error = 0.25, .choice = choice, .nonzeros = (double)size, .features = 2 * size};
    e->runs = 1;
    e->times = (ent_times){PAPER_ROUNDS, ent_new(context, PAPER_ROUNDS, sizeof *e->times.rounds)};
    assert_non_null(e->times.rounds);
    for (size_t k = 0; k < PAPER_ROUNDS; k++)
      e->times.rounds[k] = (ent_logged_time){
          {.make = 0.125, .train = 1.0 + (double)(i + k), .lift = 0.25, .given = 0.5 + (double)k}, NAN};
  }
}

static inline ent_paper *make_paper(entropic_context *context) {
  ent_evaluation_data data = paper_data();
  ent_paper *paper = ent_new(context, 1, sizeof *paper);
  assert_non_null(paper);
  paper->runs = PAPER_RUNS;
  paper->seed = 1;
  add_comparison(context, &data, paper);
  add_given(context, paper);
  for (size_t i = 0; i < ENT_PAPER_APPROXIMATIONS; i++)
    for (size_t k = 0; k < ENT_APPROXIMATIONS; k++) {
      ent_approximation *a = &paper->approximations[i];
      a->inputs = i + 1;
      a->features[k] = (double)(16 << k);
      a->complete[k] = a->printed[k] = a->random[k] = 1.0 / (double)(k + 1);
    }
  for (size_t i = 0; i < ENT_PAPER_RATES; i++)
    paper->rates[i] = made_up_rate(i);
  paper->sparse = made_up_sparse();
  ASSERT_OK(context, ent_boundary_measure(context, &paper->boundary));
  strcpy(paper->processor, "a processor");
  paper->has_claims = true;
  for (size_t i = 0; i < ENT_CLAIMS; i++)
    paper->claims[i].value = ent_claim_list[i].limit;
  return paper;
}

#endif
