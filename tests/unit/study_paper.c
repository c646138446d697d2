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

static void lines(void **state) {
  const ent_experiments *experiments = &paper->comparisons[0]->experiments;
  const char *path = in_folder(state, "paper.tsv");
  char line[512], start_of[128];
  double last[5];
  ASSERT_OK(context, ent_paper_text(context, paper, path));
  char *whole = read_whole(path, NULL), *text = whole;
  assert_int_equal(next_line(&text, line, sizeof line, last, 0), 9);
  assert_string_equal(line, "set\tmethod\tbandwidth\tfeatures\terror\tsd\ttrain_seconds\tlift_seconds\tnonzeros");
  for (size_t i = 0; i < experiments->grid; i++) {
    const ent_experiment *experiment = &experiments->list[i];
    assert_int_equal(next_line(&text, line, sizeof line, last, 3), 9);
    snprintf(start_of, sizeof start_of, "energy\t%s\t%s\t%zu\t", ent_compare_method_name(experiment->request.method),
             experiment->request.tuned ? "tuned" : "rule", experiment->request.features);
    assert_memory_equal(line, start_of, strlen(start_of));
    assert_true(last[0] == experiment->train_seconds && last[1] == experiment->lift_seconds &&
                last[2] == experiment->nonzeros);
  }
  assert_int_equal(next_line(&text, line, sizeof line, last, 0), 0);
  assert_int_equal(next_line(&text, line, sizeof line, last, 0), 10);
  for (size_t i = 0; i < experiments->count; i++) {
    const ent_experiment *experiment = &experiments->list[i];
    assert_int_equal(next_line(&text, line, sizeof line, last, 5), 10);
    snprintf(start_of, sizeof start_of, "energy\t%s\t%s\t%s\t%zu\t",
             ent_compare_method_name(experiment->request.method), experiment->request.tuned ? "tuned" : "rule",
             i < experiments->grid ? "features" : "nonzeros",
             i < experiments->grid ? experiment->request.features : experiment->request.nonzeros);
    assert_memory_equal(line, start_of, strlen(start_of));
    assert_true(last[0] == experiment->features && last[1] == experiment->nonzeros && last[2] == last[1] / last[0]);
    assert_true(last[3] == experiment->errors[0] && last[4] == experiment->train_seconds);
  }
  assert_int_equal(next_line(&text, line, sizeof line, last, 0), 0);
  assert_int_equal(next_line(&text, line, sizeof line, last, 0), 4);
  for (size_t i = 0; i < paper->times.count; i++) {
    assert_int_equal(next_line(&text, line, sizeof line, last, 1), 4);
    assert_true(last[0] == paper->times.list[i].train_seconds);
  }
  assert_true(*text == '\0');
  free(whole);
}

static void pages(void **state) {
  const char *path = in_folder(state, "paper.html");
  ASSERT_OK(context, ent_paper_html(context, paper, path));
  char *page = read_whole(path, NULL);
  static const char *const wanted[] = {"Energy Efficiency: 60 training rows, 2 inputs",
                                       "B = 5, omega 1",
                                       "M = 7",
                                       "Superconductivity: training alone",
                                       "boundary: constant",
                                       "EOF / best baseline",
                                       "EOF-select / best baseline",
                                       "MNIST was left out",
                                       "\"budgets\": [{",
                                       "\"worst_without\""};
  for (size_t i = 0; i < COUNT(wanted); i++)
    if (strstr(page, wanted[i]) == NULL)
      fail_msg("the page lacks \"%s\"", wanted[i]);
  free(page);
}

static void json(void **state) {
  const char *path = in_folder(state, "paper.json");
  ASSERT_OK(context, ent_paper_json(context, paper, path));
  char *text = read_whole(path, NULL), expected[128];
  const ent_experiments *experiments = &paper->comparisons[0]->experiments;
  const ent_experiment *budget = &experiments->list[experiments->grid + 1];
  snprintf(expected, sizeof expected, "{\"name\": \"EOF\", \"tuned\": true, \"budget\": 5, \"runs\": 1");
  assert_int_equal(experiments->count, experiments->grid + 2);
  assert_true(budget->request.tuned && budget->nonzeros <= 5);
  assert_non_null(strstr(text, expected));
  assert_non_null(strstr(text, "\"test_rows\": 20"));
  assert_non_null(strstr(text, "\"ratios\": [{\"name\": \"EOF\", \"features\": 4, \"runs\": 1, \"rival\": \""));
  assert_non_null(strstr(text, "\"times\": [{\"set\": \"superconductivity\", \"name\": \"EOF\", \"features\": 4"));
  free(text);
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
  assert_int_equal(entropic_comparison_count(ent_paper_comparison(paper, 0)), ENT_COMPARE_METHODS * 2 * 2);
  entropic_method_result result;
  assert_int_equal(
      entropic_comparison_get(context, ent_paper_comparison(paper, 0), ENT_COMPARE_METHODS * 2 * 2, &result),
      ENTROPIC_BAD_ARGUMENT);
  ent_paper_options options = ent_paper_options_default();
  ent_paper *none = NULL;
  options.runs = 0;
  assert_int_equal(ent_paper_run(context, &options, &none), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "runs is 0");
  assert_int_equal(ent_paper_run(context, NULL, &none), ENTROPIC_BAD_ARGUMENT);
  assert_null(none);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines),
      cmocka_unit_test(pages),
      cmocka_unit_test(json),
      cmocka_unit_test(calls),
  };
  return cmocka_run_group_tests_name("study_paper", tests, start, stop);
}
