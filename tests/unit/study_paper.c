/* A paper as lines, JSON and page: the numbers of its experiments, each in its place. */
#include "unit/papers.h"

static entropic_context *context;
static ent_paper *paper;

static int start(void **state) {
  context = context_with(1);
  paper = make_paper(context);
  return make_folder(state);
}

static int stop(void **state) {
  ent_paper_free(paper);
  entropic_context_free(context);
  return remove_folder(state);
}

/* The next line of text, which goes on after it; fields are counted and the last ones read as numbers. */
static size_t next_line(char **text, char *line, size_t size, double *last, size_t wanted) {
  char *end = strchr(*text, '\n');
  assert_non_null(end);
  size_t length = (size_t)(end - *text), fields = 1;
  assert_true(length < size);
  memcpy(line, *text, length);
  line[length] = '\0';
  *text = end + 1;
  for (const char *at = line; (at = strchr(at, '\t')) != NULL; at++)
    fields++;
  char *at = line + length;
  for (size_t i = wanted; i-- > 0 && fields > wanted;) {
    while (at[-1] != '\t')
      at--;
    assert_int_equal(entropic_parse_double(at, strcspn(at, "\t"), &last[i]), 0);
    at--;
  }
  return length == 0 ? 0 : fields;
}

/* One line of a table: its words, tab separated, then these numbers to the last bit. */
static void expect_line(char **text, const char *words, const double *numbers, size_t count) {
  char line[512];
  double last[9];
  assert_true(count <= COUNT(last));
  size_t fields = next_line(text, line, sizeof line, last, count), expected = count;
  for (const char *at = words; at != NULL; at = strchr(at + 1, '\t'))
    expected++;
  if (fields != expected || strncmp(line, words, strlen(words)) != 0 || line[strlen(words)] != '\t')
    fail_msg("the line is \"%s\", expected \"%s\" and %zu numbers", line, words, count);
  for (size_t i = 0; i < count; i++)
    if (!(last[i] == numbers[i] || (isnan(last[i]) && isnan(numbers[i]))))
      fail_msg("number %zu is %.17g in \"%s\", expected %.17g", i, last[i], line, numbers[i]);
}

static void expect_head(char **text, const char *head) {
  assert_memory_equal(*text, head, strlen(head));
  *text += strlen(head);
}

/* The median of three, and the quartiles, which lie half way to it. */
static void three_times(const ent_experiment *e, double out[3]) {
  double t[3] = {e->times.rounds[0].durations.train, e->times.rounds[1].durations.train,
                 e->times.rounds[2].durations.train};
  assert_int_equal(e->times.count, 3);
  double least = fmin(fmin(t[0], t[1]), t[2]), most = fmax(fmax(t[0], t[1]), t[2]), middle = 0;
  for (int i = 0; i < 3; i++) {
    bool other = t[(i + 1) % 3] <= t[i] && t[i] <= t[(i + 2) % 3];
    bool back = t[(i + 2) % 3] <= t[i] && t[i] <= t[(i + 1) % 3];
    middle = other || back ? t[i] : middle;
  }
  out[0] = middle;
  out[1] = least + 0.5 * (middle - least);
  out[2] = middle + 0.5 * (most - middle);
}

static double mean_of(const ent_experiment *e) {
  return e->runs == 1 ? e->errors[0] : (e->errors[0] + e->errors[1]) / 2;
}

static void expect_errors(char **text, const ent_experiments *experiments) {
  expect_head(text, "set\tmethod\tbandwidth\tfeatures\truns\terror\tsd\ttrain_seconds\ttrain_low\ttrain_high\t"
                    "lift_seconds\tnonzeros\n");
  for (size_t i = 0; i < PAPER_SIZED; i++) {
    const ent_experiment *e = &experiments->list[i];
    const ent_request *request = &e->request;
    char words[128];
    double times[3], features = request->method == ENT_COMPARE_EXACT ? PAPER_ROWS : (double)request->features;
    bool few = request->method == ENT_COMPARE_EXACT || request->features == paper_large[0];
    assert_int_equal(e->runs, few ? 1 : 2);
    three_times(e, times);
    const double numbers[] = {features,
                              few ? 1 : 2,
                              mean_of(e),
                              ent_experiment_deviation(e),
                              times[0],
                              times[1],
                              times[2],
                              ent_experiment_seconds(e, ENT_DURATION_LIFT, 0.5),
                              ent_experiment_nonzeros(e)};
    assert_true(few ? isnan(numbers[3]) : fabs(numbers[3] - fabs(e->errors[0] - e->errors[1]) / sqrt(2)) <= 1e-12);
    snprintf(words, sizeof words, "energy\t%s\t%s", ent_compare_method_name(request->method),
             request->tuned ? "tuned" : "rule");
    expect_line(text, words, numbers, COUNT(numbers));
  }
}

/* EOF and EOF-select against each baseline with as many features, and tuned against exact kernel ridge. */
static void expect_pairs(char **text, const ent_experiments *experiments) {
  expect_head(text, "\nset\tmethod\tbandwidth\tbaseline\tfeatures\truns\tratio\tdifference\tlow\thigh\twon\n");
  size_t lines = 0;
  for (size_t i = 0; i < PAPER_SIZED; i++)
    for (size_t k = 0; k < PAPER_SIZED; k++) {
      const ent_experiment *ours = &experiments->list[i], *other = &experiments->list[k];
      const ent_request *a = &ours->request, *b = &other->request;
      if (a->method > ENT_COMPARE_RESIDUAL || b->method < ENT_COMPARE_RKS || a->tuned != b->tuned ||
          (a->features != b->features && b->method != ENT_COMPARE_EXACT))
        continue;
      bool two = ours->runs == 2 && other->runs == 2;
      double x = ours->errors[0] - other->errors[0], y = two ? ours->errors[1] - other->errors[1] : x;
      double ratio = two ? (ours->errors[0] + ours->errors[1]) / (other->errors[0] + other->errors[1])
                         : ours->errors[0] / other->errors[0];
      /* Of two runs the standard error is half their distance. */
      double half = two ? ent_student_quantile(0.975, 1) * fabs(x - y) / 2 : NAN, mean = (x + y) / 2;
      char words[128], line[512];
      double last[7];
      snprintf(words, sizeof words, "energy\t%s\t%s\t%s\t", ent_compare_method_name(a->method),
               a->tuned ? "tuned" : "rule", ent_compare_method_name(b->method));
      assert_int_equal(next_line(text, line, sizeof line, last, 7), 11);
      assert_memory_equal(line, words, strlen(words));
      assert_true(last[0] == (double)a->features && last[1] == (two ? 2 : 1));
      assert_close(last[2], ratio, 1e-12 * ratio);
      assert_close(last[3], mean, 1e-12);
      if (two) {
        assert_close(last[4], mean - half, 1e-9);
        assert_close(last[5], mean + half, 1e-9);
      } else {
        assert_true(isnan(last[4]) && isnan(last[5]));
      }
      assert_true(last[6] == (x < 0) + (two && y < 0));
      lines++;
    }
  /* Eight baselines, and exact kernel ridge where it is tuned. */
  assert_int_equal(lines, 2 * (2 * 8 + 3 * 9));
}

static void expect_costs(char **text, const ent_experiments *experiments) {
  expect_head(text, "\nset\tmethod\tbandwidth\tbudget\tamount\tfeatures\tnonzeros\tshare\tbytes\terror\t"
                    "train_seconds\n");
  for (size_t i = 0; i < PAPER_ALL; i++) {
    const ent_experiment *e = &experiments->list[i];
    bool budget = i >= PAPER_SIZED;
    double features = 0, nonzeros = 0, times[3];
    char words[128];
    for (size_t k = 0; k < e->runs; k++) {
      features += (double)e->performances[k].features / (double)e->runs;
      nonzeros += e->performances[k].nonzeros;
    }
    nonzeros /= (double)e->runs;
    three_times(e, times);
    const double numbers[] = {budget                    ? 5
                              : e->request.features > 0 ? (double)e->request.features
                                                        : PAPER_ROWS,
                              features,
                              nonzeros,
                              nonzeros / features,
                              fmin(8 * features, 12 * nonzeros),
                              mean_of(e),
                              times[0]};
    snprintf(words, sizeof words, "energy\t%s\t%s\t%s", ent_compare_method_name(e->request.method),
             e->request.tuned ? "tuned" : "rule", budget ? "nonzeros" : "features");
    expect_line(text, words, numbers, COUNT(numbers));
  }
}

static void lines(void **state) {
  const ent_experiments *experiments = &paper->comparisons[0]->experiments;
  const char *path = in_folder(state, "paper.tsv");
  ASSERT_OK(context, ent_paper_text(context, paper, path));
  char *whole = read_whole(path, NULL), *text = whole;
  assert_true(experiments->count == PAPER_ALL && experiments->sized == PAPER_SIZED);
  expect_errors(&text, experiments);
  expect_pairs(&text, experiments);
  expect_costs(&text, experiments);
  expect_head(&text, "\nset\tmethod\tbudget\tamount\tgiven_seconds\ttrain_seconds\n");
  for (size_t i = 0; i < paper->given.count; i++) {
    const ent_experiment *e = &paper->given.list[i];
    char words[128];
    double times[3];
    three_times(e, times);
    const double numbers[] = {(double)ent_printed_sizes[i % ENT_PRINTED_SIZES],
                              ent_experiment_seconds(e, ENT_DURATION_GIVEN, 0.5), times[0]};
    assert_true(numbers[1] > 0);
    snprintf(words, sizeof words, "superconductivity\t%s\t%s", ent_compare_method_name(e->request.method),
             i / ENT_PRINTED_SIZES == ENT_GIVEN_BUDGET ? "nonzeros" : "features");
    expect_line(&text, words, numbers, COUNT(numbers));
  }
  assert_true(*text == '\0');
  free(whole);
}

static void pages(void **state) {
  const char *path = in_folder(state, "paper.html");
  const ent_study_names names = {.date = "2026-01-02", .command = "entropic paper --html paper.html"};
  ASSERT_OK(context, ent_paper_html(context, paper, &names, path));
  char *page = read_whole(path, NULL);
  static const char *const wanted[] = {"Energy Efficiency: M = 60",
                                       "Table 1 of the paper: the data sets",
                                       "Every claim of the paper, and its verdict",
                                       "EOF, M non-zeros",
                                       "Table 3 of the paper: training without making the features, Superconductivity",
                                       "Energy Efficiency: EOF with a budget of non-zeros",
                                       "Energy Efficiency, tuned: error against training time",
                                       "Energy Efficiency, tuned: error against memory",
                                       "the best so far",
                                       "Energy Efficiency: the least error for equal time",
                                       "Energy Efficiency: the least error for equal memory",
                                       "Energy Efficiency: error of EOF over that of each baseline, bandwidths tuned",
                                       "Energy Efficiency: error of EOF-select over that of each baseline, bandwidths "
                                       "by rule",
                                       "All sets: error of EOF-select over that of baselines, bandwidths tuned",
                                       "best baseline of each set",
                                       "kernel ridge",
                                       "Nystroem-RPC",
                                       "M = 70",
                                       "There are no results of MNIST",
                                       "2026-01-02",
                                       "entropic paper --html paper.html",
                                       "Where sparse features pay",
                                       "Aligned function, 2 inputs: error against training time",
                                       "Oblique function, 2 inputs: error against prediction time",
                                       "aligned function, 2 inputs, 10,000 rows",
                                       "The aligned function: EOF reaches the least error of RKS in 1 of 1 case. It "
                                       "trains faster in 1 of these",
                                       "The oblique function: EOF reaches the least error of RKS in 0 of 1 case.",
                                       "not reached",
                                       "Powers of log M",
                                       "\"budgets\": [\n{",
                                       "\"worst_without\""};
  for (size_t i = 0; i < COUNT(wanted); i++)
    if (strstr(page, wanted[i]) == NULL)
      fail_msg("the page lacks \"%s\"", wanted[i]);
  free(page);
}

/* Without data there are notes instead, and what needs none. */
static void pages_without_data(void **state) {
  const char *path = in_folder(state, "nothing.html");
  ent_paper nothing = *paper;
  nothing.comparisons[0] = NULL;
  nothing.given = (ent_experiments){0};
  ASSERT_OK(context, ent_paper_html(context, &nothing, &(ent_study_names){0}, path));
  char *page = read_whole(path, NULL);
  assert_non_null(strstr(page, "There were no data sets"));
  assert_non_null(strstr(page, "\"sets\": []"));
  assert_non_null(strstr(page, "\"means\": []"));
  assert_non_null(strstr(page, "\"given\": []"));
  assert_null(strstr(page, "Energy Efficiency, tuned"));
  free(page);
}

static void json(void **state) {
  const char *path = in_folder(state, "paper.json");
  ASSERT_OK(context, ent_paper_json(context, paper, path));
  char *text = read_whole(path, NULL);
  const ent_experiments *experiments = &paper->comparisons[0]->experiments;
  const ent_experiment *budget = &experiments->list[PAPER_SIZED + 1];
  assert_true(budget->request.tuned && ent_experiment_nonzeros(budget) <= 5);
  static const char *const wanted[] = {
      "{\"edition\": 3, \"quick\": false, \"runs\": 2, \"seed\": 1, \"version\": \"",
      "\"rows\": 80, \"training_rows\": 80, \"test_rows\": 20, \"inputs\": 2, \"classes\": 0, \"load\": ",
      "{\"name\": \"EOF\", \"tuned\": true, \"budget\": 5, \"features\": ",
      "{\"name\": \"kernel ridge\", \"tuned\": true, \"features\": 80, \"made_features\": 80, \"runs\": 1, \"error\": ",
      "{\"name\": \"EOF\", \"other\": \"EOF-select\", \"tuned\": false, \"features\": 4, \"runs\": 2, \"ratio\": ",
      "{\"name\": \"EOF-select\", \"other\": \"kernel ridge\", \"tuned\": true, \"features\": 70, \"runs\": 1, ",
      "\"frontier\": [{\"name\": \"",
      "\"means\": [\n{\"name\": \"EOF\", \"other\": \"RKS\", \"tuned\": false, \"features\": 4, \"ratio\": ",
      "\"other\": \"best\", \"tuned\": true, \"features\": 70, \"ratio\": ",
      "\"sparse\": {\"cases\": [\n{\"target\": \"aligned\", \"inputs\": 2, \"rows\": 10000, \"eof\": [{\"kernel\": "
      "\"centred\", \"features\": 64, \"nonzeros\": 10, \"products\": 55, \"error\": 0.125, \"train_seconds\": ",
      "\"gram_seconds\": null, \"predict_seconds\": ",
      "\"steps\": 9, \"scale\": 8, \"ridge\": 0.1}], \"rks\": [{\"kernel\": \"laplace\", \"features\": 64, ",
      "\"rks\": null}]}",
      "\"growth\": [\n{\"inputs\": 2, \"features\": [256, 1024], \"nonzeros\": [20, 30], \"products\": [210, 465], "
      "\"exponents\": {\"nonzeros\": ",
      "\"given\": [\n{\"name\": \"EOF\", \"tuned\": false, \"features\": 80, ",
      "{\"name\": \"EOF-select\", \"tuned\": true, \"features\": 60, \"made_by\": \"",
      "{\"name\": \"RKS\", \"set\": \"mnist\", \"features\": 80, \"train_seconds\": 1.64, \"nnz\": 1600000, "
      "\"candidates\": "
      "null}",
      "\"verdict\": \"holds after completion\""};
  for (size_t i = 0; i < COUNT(wanted); i++)
    if (strstr(text, wanted[i]) == NULL)
      fail_msg("the JSON lacks %s", wanted[i]);
  free(text);
}

/* Two sizes with made-up errors and times of one run, in milliseconds. */
static ent_experiments made_up_experiments(void) {
  static const struct {
    ent_request request;
    double error, time;
  } list[] = {{{.method = ENT_COMPARE_ENTROPY, .tuned = true, .features = 4}, 0.5, 2},
              {{.method = ENT_COMPARE_ENTROPY, .tuned = true, .features = 60}, 0.25, 8},
              {{.method = ENT_COMPARE_RKS, .tuned = true, .features = 4}, 0.75, 1},
              {{.method = ENT_COMPARE_RKS, .tuned = true, .features = 60}, 0.375, 4},
              {{.method = ENT_COMPARE_ORF, .tuned = true, .features = 4}, 0.625, 3}, /* RKS and EOF are better */
              {{.method = ENT_COMPARE_ORF, .tuned = true, .features = 60}, 0.125, 16},
              {{.method = ENT_COMPARE_ORF, .features = 4}, 0.01, 0.5},    /* by the rule */
              {{.method = ENT_COMPARE_EXACT, .tuned = true}, 0.0625, 0}}; /* not measured */
  ent_request requests[COUNT(list)];
  for (size_t i = 0; i < COUNT(list); i++)
    requests[i] = list[i].request;
  ent_experiments all;
  ASSERT_OK(context, ent_experiments_start(context, requests, COUNT(list), 1, &all));
  all.runs = 1;
  all.sizes = paper_sizes;
  all.size_count = COUNT(paper_sizes);
  for (size_t i = 0; i < COUNT(list); i++) {
    ent_experiment *e = &all.list[i];
    e->runs = 1;
    e->errors[0] = list[i].error;
    e->performances[0].features = requests[i].features > 0 ? requests[i].features : 80;
    if (list[i].time > 0) {
      e->times = (ent_times){1, ent_new(context, 1, sizeof *e->times.rounds)};
      e->times.rounds[0] = (ent_logged_time){{.train = list[i].time}, NAN};
    }
  }
  return all;
}

static void frontiers_by_hand(void **state) {
  (void)state;
  entropic_comparison comparison = {.experiments = made_up_experiments(), .train = 80, .test = 20};
  ent_text text = {.context = context};
  ent_json json = {.text = &text};
  ent_json_open_object(&json, NULL);
  ent_comparison_frontier_json(&json, &comparison);
  assert_int_equal(text.status, ENTROPIC_OK);
  assert_string_equal(text.bytes, "{\"frontier\": ["
                                  "{\"name\": \"RKS\", \"features\": 4, \"train_seconds\": 1, \"error\": 0.75}, "
                                  "{\"name\": \"EOF\", \"features\": 4, \"train_seconds\": 2, \"error\": 0.5}, "
                                  "{\"name\": \"RKS\", \"features\": 60, \"train_seconds\": 4, \"error\": 0.375}, "
                                  "{\"name\": \"EOF\", \"features\": 60, \"train_seconds\": 8, \"error\": 0.25}, "
                                  "{\"name\": \"ORF\", \"features\": 60, \"train_seconds\": 16, \"error\": 0.125}]");
  ent_text_free(&text);
  ent_experiments_clear(&comparison.experiments);
}

static void best_baselines_by_hand(void **state) {
  (void)state;
  entropic_comparison comparison = {.experiments = made_up_experiments(), .train = 80, .test = 20};
  const ent_experiments *all = &comparison.experiments;
  size_t wins = 9, count = 9;
  assert_ptr_equal(ent_comparison_best(all, true, 4, 1), ent_experiments_find(all, ENT_COMPARE_ORF, true, 4));
  assert_ptr_equal(ent_comparison_best(all, true, 60, 1), ent_experiments_find(all, ENT_COMPARE_ORF, true, 60));
  assert_null(ent_comparison_best(all, true, 60, 2)); /* nobody has two runs */
  assert_null(ent_comparison_best(all, true, 5, 1));
  /* 0.5 / 0.625 and 0.25 / 0.125 */
  assert_close(ent_comparison_ratio(&comparison, ENT_COMPARE_ENTROPY, &wins, &count), sqrt(0.8 * 2), 1e-15);
  assert_true(wins == 1 && count == 2);
  const ent_paired pair = ent_comparison_paired(&comparison, ent_experiments_find(all, ENT_COMPARE_ENTROPY, true, 4),
                                                ent_experiments_find(all, ENT_COMPARE_EXACT, true, 0));
  assert_true(pair.runs == 1 && pair.ratio == 8 && pair.lost == 1 && pair.won == 0);
  ent_experiments_clear(&comparison.experiments);
}

static void calls(void **state) {
  (void)state;
  const char *files = NULL;
  assert_int_equal(ent_paper_sets(paper), 4);
  assert_string_equal(ent_paper_set(paper, 0, &files), "energy");
  assert_string_equal(files, "energy_efficiency.csv.gz");
  assert_null(ent_paper_set(paper, 4, NULL));
  assert_non_null(ent_paper_comparison(paper, 0));
  assert_null(ent_paper_comparison(paper, 1));
  assert_null(ent_paper_comparison(paper, 4));
  double interval[2];
  assert_true(fabs(ent_paper_slope(paper, 1, interval) + 1) <= 1e-12 && isnan(ent_paper_slope(paper, 4, NULL)));
  assert_true(fabs(interval[0] + 1) <= 1e-12 && fabs(interval[1] + 1) <= 1e-12);
  assert_int_equal(entropic_comparison_count(ent_paper_comparison(paper, 0)), PAPER_SIZED);
  entropic_method_result result;
  assert_int_equal(
      entropic_comparison_get(context, ent_paper_comparison(paper, 0), PAPER_SIZED, &result, sizeof result),
      ENTROPIC_BAD_ARGUMENT);
  ent_paper_options options = ent_paper_options_default();
  ent_paper *none = NULL;
  options.runs = 0;
  assert_int_equal(ent_paper_run(context, &options, &none), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "runs is 0");
  options.runs = 1;
  options.most = 19;
  assert_int_equal(ent_paper_run(context, &options, &none), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "most is 19");
  assert_int_equal(ent_paper_run(context, NULL, &none), ENTROPIC_BAD_ARGUMENT);
  assert_null(none);
}

SUITE(study_paper) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines),
      cmocka_unit_test(pages),
      cmocka_unit_test(pages_without_data),
      cmocka_unit_test(json),
      cmocka_unit_test(frontiers_by_hand),
      cmocka_unit_test(best_baselines_by_hand),
      cmocka_unit_test(calls),
  };
  return cmocka_run_group_tests_name("study_paper", tests, start, stop);
}
