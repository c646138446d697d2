/* What is written of a paper, with every allocation failing once. */
#include "unit/papers.h"

#include "fault/failing_malloc.h"

static entropic_context *context;
static entropic_paper *paper;

static int start(void **state) {
  (void)state;
  context = context_with(1);
  paper = make_paper(context);
  return 0;
}

static int stop(void **state) {
  (void)state;
  entropic_paper_free(paper);
  entropic_context_free(context);
  remove("faults.out");
  return 0;
}

typedef entropic_status (*writer)(entropic_context *, const entropic_paper *, const char *);

static entropic_status write_paper(void *argument) {
  writer *write = argument;
  return (*write)(context, paper, "faults.out");
}

static void papers(void **state) {
  (void)state;
  static const writer writers[] = {entropic_paper_html, entropic_paper_json, entropic_paper_text};
  static const long least[] = {10, 3, 3};
  for (size_t i = 0; i < 3; i++) {
    writer write = writers[i];
    assert_true(expect_each_allocation_failure(write_paper, &write) >= least[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(papers),
  };
  return cmocka_run_group_tests_name("paper_faults", tests, start, stop);
}
