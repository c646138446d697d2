/* Pages with each allocation failing in turn: the failure is remembered, reported once, and nothing leaks. */
#include "unit/tests.h"

#include "fault/failing_malloc.h"
#include "page/page.h"

typedef struct setting {
  entropic_context *context;
  const char *path;
} setting;

static entropic_status write_page(void *argument) {
  setting *at = argument;
  static const double x[] = {1, 2, 3}, y[] = {3, 4, 5};
  static const ent_series series = {.name = "s", .count = 3, .x = x, .y = y, .low = x, .high = y};
  static const ent_series both[] = {{.name = "s", .count = 3, .x = x, .y = y}, {.name = "f", .frontier = true}};
  static const size_t groups[] = {0};
  static const char *const titles[] = {"group"};
  static const ent_table_column columns[] = {{.title = "a", .text = true}, {.title = "b"}};
  static const ent_table_cell cells[] = {{.text = "x"}, {.value = 1}};
  ent_page page;
  ent_page_start(&page, at->context, "title", "lead");
  ent_page_section(&page, "heading");
  for (int i = 0; i < 4; i++) /* so that the text has to grow on the way */
    ent_page_chart(&page, &(ent_chart){.title = "chart", .series = &series, .series_count = 1});
  ent_page_chart(&page, &(ent_chart){.title = "times", .series = both, .series_count = 2});
  ent_page_table(&page,
                 &(ent_table){.title = "table", .columns = columns, .column_count = 2, .cells = cells, .rows = 1});
  ent_page_table(&page, &(ent_table){.title = "groups",
                                     .columns = columns,
                                     .column_count = 2,
                                     .cells = cells,
                                     .rows = 1,
                                     .groups = groups,
                                     .group_titles = titles});
  ent_page_foot(&page, &(ent_foot){.date = "2026-11-17", .command = "entropic"});
  ent_page_json(&page, "numbers", "[\"<\"]");
  ent_page_end(&page);
  entropic_status status = ent_page_save(&page, at->path);
  ent_page_free(&page);
  if (status != ENTROPIC_OK) {
    assert_message(at->context, "out of memory");
    assert_int_equal(access(at->path, F_OK), -1);
  }
  return status;
}

static void pages(void **state) {
  setting at = {NULL, in_folder(state, "page.html")};
  assert_int_equal(entropic_context_create(&at.context), ENTROPIC_OK);
  assert_true(expect_each_allocation_failure(write_page, &at) >= 4);
  assert_int_equal(access(at.path, F_OK), 0);
  entropic_context_free(at.context);
}

SUITE(report_faults) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(pages, make_folder, remove_folder)};
  return cmocka_run_group_tests_name("report_faults", tests, NULL, NULL);
}
