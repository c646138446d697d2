/* Results of the paper that were saved: read back to the byte, put together with newer ones, and what is refused. */
#include "unit/papers.h"

#include "study/comparison_saved.h"
#include "study/verdicts.h"

static entropic_context *context;
static ent_paper *paper;

static int start(void **state) {
  context = context_with(2);
  paper = make_paper(context);
  return make_folder(state);
}

static int stop(void **state) {
  ent_paper_free(paper);
  entropic_context_free(context);
  return remove_folder(state);
}

static ent_paper *empty_paper(void) {
  ent_paper *made = ent_new(context, 1, sizeof *made);
  assert_non_null(made);
  made->seed = 1;
  made->runs = PAPER_RUNS;
  made->boundary = paper->boundary; /* not saved whole: it is measured anew */
  return made;
}

static void round_trip(void **state) {
  char *path = strdup(in_folder(state, "paper.json"));
  ASSERT_OK(context, ent_paper_json(context, paper, path));
  ent_paper *loaded = empty_paper();
  ASSERT_OK(context, ent_paper_load(context, path, loaded));
  const char *again = in_folder(state, "again.json");
  ASSERT_OK(context, ent_paper_json(context, loaded, again));
  size_t counts[2];
  char *texts[2] = {read_whole(path, &counts[0]), read_whole(again, &counts[1])};
  assert_true(counts[0] == counts[1] && counts[0] > 10000);
  assert_memory_equal(texts[0], texts[1], counts[0]);
  const char *pages[2] = {"one.html", "two.html"};
  for (size_t i = 0; i < 2; i++) {
    free(texts[i]);
    ASSERT_OK(context,
              ent_paper_html(context, i == 0 ? paper : loaded, &(ent_study_names){0}, in_folder(state, pages[i])));
    texts[i] = read_whole(in_folder(state, pages[i]), &counts[i]);
  }
  assert_int_equal(counts[0], counts[1]);
  assert_memory_equal(texts[0], texts[1], counts[0]);
  free(texts[0]);
  free(texts[1]);
  ent_paper_free(loaded);
  free(path);
}

/* The text of the paper with one piece replaced, read back. */
static entropic_status load_changed(void **state, const char *from, const char *to) {
  const char *path = in_folder(state, "paper.json");
  ASSERT_OK(context, ent_paper_json(context, paper, path));
  size_t count;
  char *text = read_whole(path, &count), *at = strstr(text, from);
  if (at == NULL)
    fail_msg("the JSON lacks %s", from);
  size_t before = (size_t)(at - text), after = count - before - strlen(from);
  char *changed = malloc(count + strlen(to) + 1);
  memcpy(changed, text, before);
  memcpy(changed + before, to, strlen(to));
  memcpy(changed + before + strlen(to), at + strlen(from), after);
  write_file(path, changed, before + strlen(to) + after);
  ent_paper *loaded = empty_paper();
  entropic_status status = ent_paper_load(context, path, loaded);
  ent_paper_free(loaded);
  free(changed);
  free(text);
  return status;
}

static void refused(void **state) {
  static const struct {
    const char *from, *to, *message;
  } cases[] = {{"{\"edition\": 3", "{\"edition\": 2", "results of edition 2, expected edition 3"},
               {"\"quick\": false", "\"quick\": true", "in short"},
               {"\"seed\": 1,", "\"seed\": 2,", "results of seed 2, expected 1"},
               {"{\"edition\"", "[\"edition\"", "line 1"},
               {"{\"name\": \"energy\"", "{\"name\": \"enorgy\"", "the name of a set"},
               {"{\"name\": \"RKS\", \"tuned\"", "{\"name\": \"RSK\", \"tuned\"", "'RSK' is not a method"},
               {"\"tuned\": false, \"features\": 4,", "\"tuned\": 0, \"features\": 4,", "\"tuned\""},
               {"\"features\": 4, ", "\"features\": 4.5, ", "\"features\""},
               {"\"kernel\": \"centred\"", "\"kernel\": \"gauss\"", "kernel"},
               {"\"scale\": \"quantile\"", "\"scale\": \"log\"", "scale"},
               {"\"errors\": [", "\"errors\": [null, ", "constant"},
               {"], \"errors\": [", "], \"errors\": [null, ", "\"errors\""},
               {"], \"errors\": [", "], \"errors\": [1, 2, 3, ", "\"errors\""},
               {"\"trainings\": [", "\"trainings\": [1, ", "times"},
               {"\"training_rows\": 80", "\"training_rows\": 0", "rows"},
               {"\"rule\": \"EOF, M = 2", "\"rule\": \"EOF, N = 2", "\"rates\""},
               {"\"eof\": [", "\"eof\": [null, ", "\"kernels\""}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    entropic_status status = load_changed(state, cases[i].from, cases[i].to);
    if (status != ENTROPIC_BAD_DATA)
      fail_msg("%s for %s is not refused", cases[i].to, cases[i].from);
    assert_message(context, cases[i].message);
    assert_message(context, "paper.json");
  }
}

/* A comparison with one size, every error and time the same number. */
static entropic_comparison *made_up(const size_t *sizes, size_t count, size_t runs, double value) {
  const ent_experiment_plan plan = {.sizes = sizes, .size_count = count, .budgets = sizes, .budget_count = count};
  entropic_comparison *comparison = NULL;
  ASSERT_OK(context, ent_comparison_start(context, &plan, runs, &comparison));
  for (size_t i = 0; i <= comparison->experiments.count; i++) {
    ent_experiment *e =
        i < comparison->experiments.count ? &comparison->experiments.list[i] : &comparison->experiments.constant;
    e->runs = runs;
    for (size_t k = 0; k < runs; k++)
      e->errors[k] = value;
  }
  comparison->experiments.runs = runs;
  comparison->rows = comparison->train = (size_t)value;
  return comparison;
}

/* Newer results replace older ones of the same size; sizes of either stay. */
static void merged(void **state) {
  (void)state;
  static const size_t older_sizes[] = {20, 60}, newer_sizes[] = {40, 60};
  entropic_comparison *older = made_up(older_sizes, 2, 3, 1), *newer = made_up(newer_sizes, 2, 2, 2), *both = NULL;
  ASSERT_OK(context, ent_comparison_merge(context, older, newer, &both));
  const ent_experiments *all = &both->experiments;
  assert_true(all->size_count == 3 && all->sizes[0] == 20 && all->sizes[1] == 40 && all->sizes[2] == 60);
  assert_true(all->runs == 3 && all->constant.runs == 3 && both->rows == 2);
  assert_int_equal(all->count, 3 * 2 * ((size_t)ENT_COMPARE_METHODS - 1) + 2 * 3);
  for (size_t i = 0; i < all->count; i++) {
    const ent_experiment *e = &all->list[i];
    bool is_old = e->request.features + e->request.nonzeros == 20;
    assert_true(e->runs == (is_old ? 3 : 2) && e->errors[0] == (is_old ? 1 : 2));
  }
  entropic_comparison *alone = NULL;
  ASSERT_OK(context, ent_comparison_merge(context, NULL, both, &alone));
  assert_ptr_equal(alone, both);
  entropic_comparison_free(alone);
}

static void parts(void **state) {
  (void)state;
  unsigned found = 1;
  ASSERT_OK(context, ent_paper_parts(context, NULL, &found));
  assert_int_equal(found, (1U << ENT_PARTS) - 1);
  ASSERT_OK(context, ent_paper_parts(context, "none", &found));
  assert_int_equal(found, 0);
  ASSERT_OK(context, ent_paper_parts(context, "grid,table2,claims", &found));
  assert_int_equal(found, 1U << 1 | 1U << ENT_PART_TABLE_2 | 1U << ENT_PART_CLAIMS);
  static const char *const wrong[] = {"", "gird", "grid,", ",grid", "grid,none", "Grid"};
  for (size_t i = 0; i < COUNT(wrong); i++)
    assert_int_equal(ent_paper_parts(context, wrong[i], &found), ENTROPIC_BAD_ARGUMENT);
  ent_paper_parts(context, "gird", &found);
  assert_message(context, "'gird' is not an experiment of the paper, did you mean grid?");
}

/* Results alone make the same paper again; what is not asked for is not run. */
static void runs_nothing(void **state) {
  const char *path = in_folder(state, "saved.json");
  ASSERT_OK(context, ent_paper_json(context, paper, path));
  ent_paper_options options = ent_paper_options_default();
  options.runs = PAPER_RUNS;
  options.only = "none";
  options.results = path;
  ent_paper *made = NULL;
  ASSERT_OK(context, ent_paper_run(context, &options, &made));
  assert_true(made->comparisons[0] != NULL && made->comparisons[1] == NULL && made->given.count == paper->given.count);
  assert_true(made->has_claims && made->rates[0].count == 2 && made->approximations[0].inputs == 1);
  ent_paper_free(made);
  made = NULL;
  options.results = "none-of-that-name.json";
  ASSERT_OK(context, ent_paper_run(context, &options, &made));
  assert_true(!made->has_claims && made->rates[0].count == 0 && made->approximations[0].inputs == 0);
  ASSERT_OK(context, ent_paper_html(context, made, &(ent_study_names){0}, in_folder(state, "empty.html")));
  ent_paper_free(made);
}

SUITE(study_saved) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(refused), cmocka_unit_test(merged),
                                     cmocka_unit_test(parts), cmocka_unit_test(runs_nothing)};
  return cmocka_run_group_tests_name("study_saved", tests, start, stop);
}
