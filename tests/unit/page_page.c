/* Pages and tables. */
#include "unit/reporting.h"

#include "unit/fixture.h"

#define HOSTILE "</title></script><script>alert(\"1\")</script>&\xff"
#define ESCAPED "&lt;/title&gt;&lt;/script&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;\xef\xbf\xbd"

static const ent_table_column columns[] = {
    {.title = "name", .text = true},
    {.title = "error", .digits = 3, .best = ENT_BEST_LOWEST},
    {.title = "score", .digits = 1, .fixed = true, .best = ENT_BEST_HIGHEST},
};

static const ent_table_cell cells[3][3] = {
    {{.text = "a"}, {.value = 0.5, .spread = 0.01}, {.value = 7.25}},
    {{.text = HOSTILE}, {.value = 0.25}, {.value = NAN}},
    {{.text = NULL}, {.value = 0.25}, {.value = INFINITY, .text = "many"}},
};

static const ent_table sample = {.title = "T", .columns = columns, .column_count = 3, .cells = cells[0], .rows = 3};

/* A page of everything, each text hostile. */
static void make_page(ent_page *page) {
  const double x[] = {1, 2}, y[] = {3, 4};
  const ent_series series = {.name = HOSTILE, .count = 2, .x = x, .y = y};
  const char *const facts[][2] = {{HOSTILE, "1"}, {"empty", NULL}};
  ent_page_start(page, context, HOSTILE, HOSTILE);
  ent_page_facts(page, facts, 2);
  ent_page_facts(page, facts, 0);
  ent_page_section(page, HOSTILE);
  ent_page_paragraph(page, HOSTILE);
  ent_page_chart(page, &(ent_chart){.title = HOSTILE,
                                    .x.title = HOSTILE,
                                    .y.title = HOSTILE,
                                    .note = HOSTILE,
                                    .series = &series,
                                    .series_count = 1});
  ent_page_section(page, "Two");
  ent_page_panels_start(page);
  ent_page_panels_start(page);
  ent_page_chart(page, &(ent_chart){.title = "small", .series = &series, .series_count = 1});
  ent_page_section(page, "Three"); /* closes the panels, too */
  ent_page_table(page, &sample);
  ent_page_note(page, HOSTILE);
  ent_page_json(page, "num\"bers", "{\"a\": \"<&>\", \"b\": [1, null]}");
  ent_page_end(page);
}

/* The page without its first line, which is no XML, as a text that can be checked. */
static void assert_page_sound(const ent_page *page) {
  static const char first[] = "<!DOCTYPE html>\n";
  assert_int_equal(page->text.status, ENTROPIC_OK);
  assert_memory_equal(page->text.bytes, first, sizeof first - 1);
  ent_text rest = {.bytes = page->text.bytes + sizeof first - 1, .length = page->text.length - sizeof first + 1};
  assert_sound(&rest);
}

static void pages_are_sound(void **state) {
  (void)state;
  ent_page page, again;
  make_page(&page);
  assert_page_sound(&page);
  const char *text = page.text.bytes;
  assert_int_equal(count_of(text, "<script"), 2); /* the numbers and the one that sorts */
  assert_int_equal(count_of(text, "<section>"), 3);
  assert_int_equal(count_of(text, "<figure"), 3);           /* two charts and a table */
  assert_int_equal(count_of(text, "<svg class=\"plot"), 3); /* two of the first chart, one of that in panels */
  assert_non_null(strstr(text, "<title>" ESCAPED "</title>"));
  assert_non_null(strstr(text, "Figure 2."));
  assert_non_null(strstr(text, "Table 1."));
  assert_non_null(
      strstr(text, "id=\"num&quot;bers\">\n{\"a\": \"\\u003c\\u0026\\u003e\", \"b\": [1, null]}\n</script>"));
  assert_null(strstr(text, "http"));
  assert_null(strstr(text, " on")); /* no handlers within tags; no word of the page begins so either */
  make_page(&again);
  assert_int_equal(again.text.length, page.text.length);
  assert_memory_equal(again.text.bytes, page.text.bytes, page.text.length);
  ent_page_free(&page);
  ent_page_free(&again);
}

static void small_pages_are_sound(void **state) {
  (void)state;
  ent_page page;
  ent_page_start(&page, context, NULL, NULL);
  ent_page_panels_end(&page);
  ent_page_end(&page);
  assert_page_sound(&page);
  assert_int_equal(count_of(page.text.bytes, "<script"), 0);
  ent_page_free(&page);
  ent_page_start(&page, context, "t", NULL);
  ent_page_table(&page, &(ent_table){.title = "nothing in it"});
  ent_page_end(&page);
  assert_page_sound(&page);
  ent_page_free(&page);
}

static void tables_show_and_mark(void **state) {
  (void)state;
  ent_page page;
  ent_page_start(&page, context, "t", NULL);
  size_t from = page.text.length;
  ent_page_table(&page, &sample);
  const char *text = page.text.bytes + from;
  assert_non_null(strstr(text, "<th scope=\"row\">a</th><td class=\"n\" data-value=\"0.5\">0.500<span class=\"pm\"> "
                               "\xc2\xb1 0.010</span></td><td class=\"n\" data-value=\"7.25\">7.2</td>"));
  assert_non_null(strstr(text, "<th scope=\"row\">" ESCAPED "</th><td class=\"n best\" data-value=\"0.25\">0.250</td>"
                               "<td class=\"n\" data-value=\"\"></td>"));
  assert_non_null(strstr(text, "<td class=\"n best\" data-value=\"1e999\">many</td>"));
  assert_int_equal(count_of(text, "n best"), 3); /* both that are lowest */
  ent_page_free(&page);
}

static void cells_have_words_under_numbers(void **state) {
  (void)state;
  static const ent_table_column plain[] = {{.title = "n", .text = true}, {.title = "ratio", .digits = 3}};
  static const ent_table_cell rows[3][2] = {
      {{.text = "x"}, {.value = 0.5, .under = {"won 2 of <3>", "not significant"}}},
      {{.text = "y"}, {.value = 0.25, .text = "a", .spread = 1, .under = {"b"}}},
      {{.text = "z"}, {.value = NAN}}};
  ent_page page;
  ent_page_start(&page, context, "t", NULL);
  size_t from = page.text.length;
  ent_page_table(&page, &(ent_table){.columns = plain, .column_count = 2, .cells = rows[0], .rows = 3});
  const char *text = page.text.bytes + from;
  assert_non_null(strstr(text, "data-value=\"0.5\">0.500<span class=\"under\"> won 2 of &lt;3&gt;</span><span "
                               "class=\"under\"> not significant</span></td>"));
  assert_non_null(strstr(text, "data-value=\"0.25\">a<span class=\"under\"> b</span></td>"));
  assert_non_null(strstr(text, "data-value=\"\"></td>"));
  ent_page_end(&page);
  assert_page_sound(&page);
  ent_page_free(&page);
}

static void sentences_in_cells_are_broken(void **state) {
  (void)state;
#define SENTENCE "A sentence that is so long that it has to be broken into lines."
  static const ent_table_column plain[] = {
      {.title = "a", .text = true}, {.title = "b", .text = true}, {.title = "c", .text = true}};
  static const ent_table_cell rows[2][3] = {{{.text = SENTENCE}, {.text = "short"}, {.text = SENTENCE}},
                                            {{.text = "x"}, {.text = NULL}, {.text = "y"}}};
  ent_page page;
  ent_page_start(&page, context, "t", NULL);
  ent_page_table(&page, &(ent_table){.columns = plain, .column_count = 3, .cells = rows[0], .rows = 2});
  ent_page_end(&page);
  assert_page_sound(&page);
  assert_non_null(strstr(page.text.bytes, "<th scope=\"row\" class=\"long\">" SENTENCE
                                          "</th><td>short</td><td class=\"long\">" SENTENCE));
  assert_non_null(strstr(page.text.bytes, "<td></td><td class=\"long\">y</td>"));
  ent_page_free(&page);
}

static void sentences_have_code(void **state) {
  (void)state;
  const double x[] = {1, 2};
  const ent_series series = {.name = "`n`", .count = 2, .x = x, .y = x};
  const char *const facts[][2] = {{"`f`", "`v`"}};
  ent_page page;
  ent_page_start(&page, context, "`t`", "`lead`");
  ent_page_facts(&page, facts, 1);
  ent_page_paragraph(&page, "`paragraph`");
  ent_page_note(&page, "`note`");
  ent_page_chart(&page, &(ent_chart){.title = "`caption`", .note = "`below`", .series = &series, .series_count = 1});
  ent_page_table(&page, &(ent_table){.title = "`table`", .note = "`cells`"});
  ent_page_end(&page);
  assert_page_sound(&page);
  static const char *const coded[] = {"lead", "paragraph", "note", "caption", "below", "table", "cells"};
  for (size_t i = 0; i < COUNT(coded); i++) {
    char element[64];
    snprintf(element, sizeof element, "<code>%s</code>", coded[i]);
    assert_int_equal(count_of(page.text.bytes, element), 1);
  }
  assert_int_equal(count_of(page.text.bytes, "<code>"), COUNT(coded)); /* names of people's data stay as they are */
  assert_non_null(strstr(page.text.bytes, "<dt>`f`</dt>"));
  assert_non_null(strstr(page.text.bytes, "<span>`n`</span>"));
  ent_page_free(&page);
}

static void panels_share_a_legend(void **state) {
  (void)state;
  const double x[] = {1, 2};
  const ent_series series[] = {{.name = "a", .count = 2, .x = x, .y = x, .look = 1},
                               {.name = "b", .count = 2, .x = x, .y = x, .look = 2},
                               {.name = "c", .count = 2, .x = x, .y = x, .look = 3, .dashed = true}};
  ent_chart chart = {.title = "first", .series = series, .series_count = 2, .shared_legend = true};
  ent_page page;
  ent_page_start(&page, context, "t", NULL);
  ent_page_chart(&page, &chart); /* not in panels: a legend of its own */
  assert_int_equal(count_of(page.text.bytes, "<ul class=\"legend\">"), 1);
  size_t from = page.text.length;
  ent_page_panels_start(&page);
  ent_page_chart(&page, &chart);
  chart.series_count = 3;
  ent_page_chart(&page, &chart);
  chart.shared_legend = false;
  ent_page_chart(&page, &chart);
  ent_page_section(&page, "next"); /* ends the panels */
  const char *text = page.text.bytes + from;
  assert_int_equal(count_of(text, "<ul class=\"legend\">"), 1);
  const char *shared = strstr(text, "<ul class=\"legend\" aria-label=\"Legend of figures 2 to 4\">");
  assert_non_null(shared);
  assert_int_equal(count_of(shared, "<li>"), 3);
  assert_true(strstr(shared, ">a<") < strstr(shared, ">b<") && strstr(shared, ">b<") < strstr(shared, ">c<"));
  from = page.text.length;
  ent_page_panels_start(&page);
  chart.shared_legend = true;
  chart.series_count = 1;
  ent_page_chart(&page, &chart);
  ent_page_end(&page);
  shared = strstr(page.text.bytes + from, "aria-label=\"Legend of figure 5\"");
  assert_non_null(shared);
  assert_int_equal(count_of(shared, "<li>"), 1);
  assert_page_sound(&page);
  ent_page_free(&page);
}

static void best_of_rows(void **state) {
  (void)state;
  static const ent_table_column plain[] = {
      {.title = "n", .text = true}, {.title = "a"}, {.title = "b"}, {.title = "c"}};
  static const ent_table_cell rows[2][4] = {{{.text = "x"}, {.value = 3}, {.value = NAN}, {.value = -1}},
                                            {{.text = "y"}, {.value = NAN}, {.value = NAN}, {.value = NAN}}};
  ent_table table = {.columns = plain, .column_count = 4, .cells = rows[0], .rows = 2, .best = ENT_BEST_HIGHEST};
  ent_page page;
  ent_page_start(&page, context, "t", NULL);
  size_t from = page.text.length;
  ent_page_table(&page, &table);
  assert_int_equal(count_of(page.text.bytes + from, "n best"), 1);
  assert_non_null(strstr(page.text.bytes + from, "best\" data-value=\"3\">3.000<"));
  ent_page_free(&page);
}

static void groups_have_their_own_best(void **state) {
  (void)state;
  static const ent_table_column plain[] = {{.title = "n", .text = true},
                                           {.title = "e", .best = ENT_BEST_LOWEST, .spread = "standard <error>"}};
  static const ent_table_cell rows[5][2] = {{{.text = "a"}, {.value = 3}},
                                            {{.text = "b"}, {.value = 4}},
                                            {{.text = "c"}, {.value = 7, .spread = 0.123}},
                                            {{.text = "d"}, {.value = 6}},
                                            {{.text = "e"}, {.value = NAN}}};
  static const size_t groups[5] = {1, 1, 0, 0, 2};
  static const char *const titles[] = {"M = 10", "M < 5", NULL};
  ent_table table = {.columns = plain, .column_count = 2, .cells = rows[0], .rows = 5, .groups = groups};
  ent_page page;
  ent_page_start(&page, context, "t", NULL);
  size_t from = page.text.length;
  ent_page_table(&page, &table);
  const char *text = page.text.bytes + from;
  assert_int_equal(count_of(text, "n best"), 2);
  assert_non_null(strstr(text, "n best\" data-value=\"3\""));
  assert_non_null(strstr(text, "n best\" data-value=\"6\""));
  assert_int_equal(count_of(text, "<tbody>"), 1);
  assert_non_null(strstr(text, ">e<span class=\"pm\">\xc2\xb1 standard &lt;error&gt;</span></th>"));
  assert_non_null(strstr(text, "7.000<span class=\"pm\"> \xc2\xb1 0.12</span>"));
  table.group_titles = titles;
  from = page.text.length;
  ent_page_table(&page, &table);
  text = page.text.bytes + from;
  assert_int_equal(count_of(text, "<tbody>"), 3);
  const char *first = strstr(text, "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"2\"><span>M &lt; 5</span>");
  assert_non_null(first);
  assert_true(first < strstr(text, ">M = 10<"));
  ent_page_end(&page);
  assert_page_sound(&page);
  ent_page_free(&page);
}

static void pages_have_a_foot(void **state) {
  (void)state;
  char name[ENT_PROCESSOR_NAME] = "";
  ent_page page;
  ent_page_start(&page, context, "t", NULL);
  ent_page_section(&page, "one");
  ent_page_foot(&page, &(ent_foot){.date = "2026-11-17",
                                   .command = "entropic fit '" HOSTILE "'",
                                   .processor = "P<1>",
                                   .seeded = true,
                                   .seed = UINT64_MAX});
  ent_page_json(&page, "numbers", "[]");
  ent_page_end(&page);
  assert_page_sound(&page);
  assert_int_equal(count_of(page.text.bytes, "<footer>"), 1);
  assert_non_null(strstr(page.text.bytes, "</section>\n<footer>"));
  assert_non_null(strstr(page.text.bytes, "<dt>date</dt><dd>2026-11-17</dd>"));
  assert_non_null(strstr(page.text.bytes, "<dt>seed</dt><dd>18446744073709551615</dd>"));
  assert_non_null(strstr(page.text.bytes, "<dt>processor</dt><dd>P&lt;1&gt;</dd>"));
  assert_non_null(strstr(page.text.bytes, "<code>entropic fit &#39;" ESCAPED "&#39;</code>"));
  ent_page_free(&page);
  ent_page_start(&page, context, "t", NULL);
  ent_page_foot(&page, &(ent_foot){.date = NULL});
  ent_page_end(&page);
  assert_page_sound(&page);
  assert_null(strstr(page.text.bytes, "<dt>seed"));
  assert_null(strstr(page.text.bytes, "<dt>date"));
  assert_null(strstr(page.text.bytes, "<code>"));
  assert_non_null(strstr(page.text.bytes, "<dt>made with</dt><dd>Entropic "));
  assert_true(ent_processor_name(name) == name && strlen(name) > 0);
  ent_page_free(&page);
}

static void pages_are_saved(void **state) {
  ent_page page;
  make_page(&page);
  const char *path = in_folder(state, "page.html");
  assert_int_equal(ent_page_save(&page, path), ENTROPIC_OK);
  size_t count = 0;
  char *bytes = read_whole(path, &count);
  assert_int_equal(count, page.text.length);
  assert_memory_equal(bytes, page.text.bytes, count);
  free(bytes);
  ent_page_free(&page);
}

SUITE(page_page) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pages_are_sound),
      cmocka_unit_test(small_pages_are_sound),
      cmocka_unit_test(tables_show_and_mark),
      cmocka_unit_test(cells_have_words_under_numbers),
      cmocka_unit_test(sentences_in_cells_are_broken),
      cmocka_unit_test(sentences_have_code),
      cmocka_unit_test(panels_share_a_legend),
      cmocka_unit_test(best_of_rows),
      cmocka_unit_test(groups_have_their_own_best),
      cmocka_unit_test(pages_have_a_foot),
      cmocka_unit_test(pages_are_saved),
  };
  return cmocka_run_group_tests_name("report_page", tests, start_in_folder, stop_in_folder);
}
