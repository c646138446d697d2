/* A paper as lines, JSON and page: the numbers of its races, each in its place. */
#include "unit/papers.h"

static entropic_context *context;
static entropic_paper *paper;

static int start(void **state) {
  context = context_with(1);
  paper = make_paper(context);
  return make_folder(state);
}

static int stop(void **state) {
  entropic_paper_free(paper);
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
  const ent_races *races = &paper->comparisons[0]->races;
  const char *path = in_folder(state, "paper.tsv");
  char line[512], start_of[128];
  double last[5];
  ASSERT_OK(context, entropic_paper_text(context, paper, path));
  char *whole = read_whole(path, NULL), *text = whole;
  assert_int_equal(next_line(&text, line, sizeof line, last, 0), 9);
  assert_string_equal(line, "set\tmethod\tbandwidth\tfeatures\terror\tsd\ttrain_seconds\tlift_seconds\tnonzeros");
  for (size_t i = 0; i < races->grid; i++) {
    const ent_race *race = &races->races[i];
    assert_int_equal(next_line(&text, line, sizeof line, last, 3), 9);
    snprintf(start_of, sizeof start_of, "energy\t%s\t%s\t%zu\t", ent_baseline_name(race->request.baseline),
             race->request.tuned ? "tuned" : "rule", race->request.features);
    assert_memory_equal(line, start_of, strlen(start_of));
    assert_true(last[0] == race->train_seconds && last[1] == race->lift_seconds && last[2] == race->nonzeros);
  }
  assert_int_equal(next_line(&text, line, sizeof line, last, 0), 0);
  assert_int_equal(next_line(&text, line, sizeof line, last, 0), 10);
  for (size_t i = 0; i < races->count; i++) {
    const ent_race *race = &races->races[i];
    assert_int_equal(next_line(&text, line, sizeof line, last, 5), 10);
    snprintf(start_of, sizeof start_of, "energy\t%s\t%s\t%s\t%zu\t", ent_baseline_name(race->request.baseline),
             race->request.tuned ? "tuned" : "rule", i < races->grid ? "features" : "nonzeros",
             i < races->grid ? race->request.features : race->request.nonzeros);
    assert_memory_equal(line, start_of, strlen(start_of));
    assert_true(last[0] == race->features && last[1] == race->nonzeros && last[2] == last[1] / last[0]);
    assert_true(last[3] == race->errors[0] && last[4] == race->train_seconds);
  }
  assert_int_equal(next_line(&text, line, sizeof line, last, 0), 0);
  assert_int_equal(next_line(&text, line, sizeof line, last, 0), 4);
  for (size_t i = 0; i < paper->times.count; i++) {
    assert_int_equal(next_line(&text, line, sizeof line, last, 1), 4);
    assert_true(last[0] == paper->times.races[i].train_seconds);
  }
  assert_true(*text == '\0');
  free(whole);
}

static void pages(void **state) {
  const char *path = in_folder(state, "paper.html");
  ASSERT_OK(context, entropic_paper_html(context, paper, path));
  char *page = read_whole(path, NULL);
  static const char *const wanted[] = {"Energy Efficiency: 60 rows to learn from, 2 inputs",
                                       "B = 5, omega 1",
                                       "M = 7",
                                       "Superconductivity: training alone",
                                       "boundary: constant",
                                       "EOF / best rival",
                                       "EOF-select / best rival",
                                       "MNIST was left out",
                                       "\"budgets\": [{",
                                       "\"worst_without\""};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (strstr(page, wanted[i]) == NULL)
      fail_msg("the page lacks \"%s\"", wanted[i]);
  free(page);
}

static void json(void **state) {
  const char *path = in_folder(state, "paper.json");
  ASSERT_OK(context, entropic_paper_json(context, paper, path));
  char *text = read_whole(path, NULL), expected[128];
  const ent_races *races = &paper->comparisons[0]->races;
  const ent_race *budget = &races->races[races->grid + 1];
  snprintf(expected, sizeof expected, "{\"name\": \"EOF\", \"tuned\": true, \"budget\": 5, \"runs\": 1");
  assert_int_equal(races->count, races->grid + 2);
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
  assert_int_equal(entropic_paper_sets(paper), 4);
  assert_string_equal(entropic_paper_set(paper, 0, &files), "energy");
  assert_string_equal(files, "energy_efficiency.csv.gz");
  assert_null(entropic_paper_set(paper, 4, NULL));
  assert_non_null(entropic_paper_comparison(paper, 0));
  assert_null(entropic_paper_comparison(paper, 1));
  assert_null(entropic_paper_comparison(paper, 4));
  assert_true(entropic_paper_slope(paper, 1) == -1 && isnan(entropic_paper_slope(paper, 3)));
  assert_int_equal(entropic_comparison_count(entropic_paper_comparison(paper, 0)), ENT_BASELINES * 2 * 2);
  entropic_contestant contestant;
  assert_int_equal(
      entropic_comparison_get(context, entropic_paper_comparison(paper, 0), ENT_BASELINES * 2 * 2, &contestant),
      ENTROPIC_BAD_ARGUMENT);
  entropic_paper_options options = entropic_paper_options_default();
  entropic_paper *none = NULL;
  options.runs = 0;
  assert_int_equal(entropic_paper_run(context, &options, &none), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "runs is 0");
  assert_int_equal(entropic_paper_run(context, NULL, &none), ENTROPIC_BAD_ARGUMENT);
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
