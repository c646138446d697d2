/* What is written of a paper, with every allocation failing once. */
#include "unit/papers.h"

#include "fault/failing_malloc.h"
#include "study/comparison_saved.h"

static entropic_context *context;
static ent_paper *paper;

static int start(void **state) {
  (void)state;
  context = context_with(1);
  paper = make_paper(context);
  return 0;
}

static int stop(void **state) {
  (void)state;
  ent_paper_free(paper);
  entropic_context_free(context);
  remove("faults.out");
  return 0;
}

typedef entropic_status (*writer)(entropic_context *, const ent_paper *, const char *);

static entropic_status write_paper(void *argument) {
  writer *write = argument;
  return (*write)(context, paper, "faults.out");
}

static entropic_status write_page(entropic_context *with, const ent_paper *of, const char *path) {
  const ent_study_names names = {.date = "today", .command = "entropic paper"};
  return ent_paper_html(with, of, &names, path);
}

static void papers(void **state) {
  (void)state;
  static const writer writers[] = {write_page, ent_paper_json, ent_paper_text};
  static const long least[] = {10, 3, 3};
  for (size_t i = 0; i < COUNT(writers); i++) {
    writer write = writers[i];
    assert_true(expect_each_allocation_failure(write_paper, &write) >= least[i]);
  }
}

/* Saved results, read back and put together with newer ones. */
static entropic_status load_paper(void *argument) {
  ent_paper *loaded = ent_new(context, 1, sizeof *loaded);
  if (loaded == NULL)
    return ENTROPIC_NO_MEMORY;
  loaded->seed = 1;
  entropic_status status = ent_paper_load(context, argument, loaded);
  if (status != ENTROPIC_OK)
    goto done;
  entropic_comparison *merged = NULL, *newer = loaded->comparisons[0];
  loaded->comparisons[0] = NULL;
  const ent_experiment_plan plan = {.sizes = paper_sizes, .size_count = 1};
  entropic_comparison *older = NULL;
  status = ent_comparison_start(context, &plan, 1, &older);
  if (status != ENTROPIC_OK) {
    entropic_comparison_free(newer);
    goto done;
  }
  status = ent_comparison_merge(context, older, newer, &merged);
  entropic_comparison_free(merged);
done:
  ent_paper_free(loaded);
  return status;
}

static void saved(void **state) {
  (void)state;
  ASSERT_OK(context, ent_paper_json(context, paper, "faults.json"));
  assert_true(expect_each_allocation_failure(load_paper, "faults.json") >= 100);
  remove("faults.json");
}

/* A run that needs no data takes seconds and asks for memory thousands of times, in parts most of which are tested
 * alone: here the first allocations fail, those of its own and of its first part. */
static void runs(void **state) {
  (void)state;
  ent_paper_options options = ent_paper_options_default();
  options.quick = 1;
  for (long successes = 0; successes < 40; successes++) {
    long live = failing_malloc_live();
    ent_paper *made = untouched();
    failing_malloc_after(successes);
    entropic_status status = ent_paper_run(context, &options, &made);
    failing_malloc_after(-1);
    assert_int_equal(status, ENTROPIC_NO_MEMORY);
    check_failed(status, context, made);
    assert_int_equal(failing_malloc_live(), live);
  }
}

static void results_are_there_without_asking(void **state) {
  (void)state;
  const char *files = NULL;
  failing_malloc_after(0);
  size_t sets = ent_paper_sets(paper);
  const char *name = ent_paper_set(paper, 0, &files);
  const entropic_comparison *comparison = ent_paper_comparison(paper, 0);
  double slope = ent_paper_slope(paper, 1, NULL);
  long asked = failing_malloc_count();
  failing_malloc_after(-1);
  assert_int_equal(asked, 0);
  assert_true(sets > 0 && name != NULL && files != NULL && comparison != NULL && !isnan(slope));
}

SUITE(paper_faults) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(papers),
      cmocka_unit_test(saved),
      cmocka_unit_test(runs),
      cmocka_unit_test(results_are_there_without_asking),
  };
  return cmocka_run_group_tests_name("paper_faults", tests, start, stop);
}
