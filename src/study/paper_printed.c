/* The paper's tables as printed, as JSON; and its table 1 beside what is used here. */
#include <math.h>
#include <stdio.h>

#include "study/paper.h"
#include "study/printed.h"

static const ent_compare_method printed_methods[] = {ENT_COMPARE_RKS, ENT_COMPARE_EERF, ENT_COMPARE_LKRF,
                                                     ENT_COMPARE_ORF, ENT_COMPARE_PRINTED};
#define METHODS (sizeof printed_methods / sizeof *printed_methods)

/* The name that the paper has for it. */
static const char *printed_name(ent_compare_method method) {
  return ent_compare_method_name(method == ENT_COMPARE_PRINTED ? ENT_COMPARE_ENTROPY : method);
}

/* Begins an object about a method on a set, on a line of its own. */
static void open_printed(ent_json *json, ent_compare_method method, size_t set, size_t features) {
  ent_json_line(json);
  ent_json_open_object(json, NULL);
  ent_json_add_text(json, "name", printed_name(method));
  ent_json_add_text(json, "set", ent_sets[set].name);
  ent_json_add_integer(json, "features", features);
}

void ent_printed_json(ent_json *json) {
  ent_json_line(json);
  ent_json_open_object(json, "printed");
  ent_json_open_list(json, "sets");
  for (size_t set = 0; set < ENT_SETS; set++) {
    const ent_printed_set *printed = &ent_printed_sets[set];
    ent_json_line(json);
    ent_json_open_object(json, NULL);
    ent_json_add_text(json, "set", ent_sets[set].name);
    ent_json_add_integer(json, "inputs", printed->inputs);
    ent_json_add_integer(json, "training_rows", printed->train);
    ent_json_add_integer(json, "test_rows", printed->test);
    ent_json_close(json);
  }
  ent_json_close(json);
  ent_json_open_list(json, "costs");
  for (size_t i = 0; i < METHODS * ENT_SETS; i++) {
    ent_compare_method method = printed_methods[i / ENT_SETS];
    const ent_printed_cost cost = ent_printed_cost_of(method, i % ENT_SETS);
    open_printed(json, method, i % ENT_SETS, ent_sets[i % ENT_SETS].printed_features);
    ent_json_add_number(json, "train_seconds", cost.seconds);
    ent_json_add_number(json, "nnz", cost.nonzeros);
    ent_json_add_number(json, "candidates", cost.candidates);
    ent_json_close(json);
  }
  ent_json_close(json);
  ent_json_open_list(json, "given");
  for (size_t i = 0; i < 2 * ENT_PRINTED_SIZES; i++) {
    ent_compare_method method = i < ENT_PRINTED_SIZES ? ENT_COMPARE_RKS : ENT_COMPARE_PRINTED;
    size_t size = ent_printed_sizes[i % ENT_PRINTED_SIZES];
    open_printed(json, method, ent_paper_timed_set(), size);
    ent_json_add_number(json, "given_seconds", ent_printed_given(method, size));
    ent_json_close(json);
  }
  ent_json_close(json);
  ent_json_close(json);
}

void ent_paper_add_sets(ent_page *page, const ent_paper *paper) {
  enum { SET, INPUTS, TRAIN, TEST, OUR_INPUTS, OUR_TRAIN, OUR_TEST, COLUMNS };
  static const ent_table_column columns[COLUMNS] = {{.title = "data set", .text = true},
                                                    {.title = "paper: inputs D", .fixed = true},
                                                    {.title = "paper: training rows", .fixed = true},
                                                    {.title = "paper: test rows", .fixed = true},
                                                    {.title = "here: inputs D", .fixed = true},
                                                    {.title = "here: training rows", .fixed = true},
                                                    {.title = "here: test rows", .fixed = true}};
  ent_table_cell cells[ENT_SETS * COLUMNS] = {{0}};
  for (size_t set = 0; set < ENT_SETS; set++) {
    const entropic_comparison *comparison = paper->comparisons[set];
    ent_table_cell *row = cells + set * COLUMNS;
    row[SET].text = ent_sets[set].title;
    row[INPUTS].value = (double)ent_printed_sets[set].inputs;
    row[TRAIN].value = (double)ent_printed_sets[set].train;
    row[TEST].value = (double)ent_printed_sets[set].test;
    row[OUR_INPUTS].value = comparison == NULL ? NAN : (double)comparison->inputs;
    row[OUR_TRAIN].value = comparison == NULL ? NAN : (double)comparison->train;
    row[OUR_TEST].value = comparison == NULL ? NAN : (double)comparison->test;
  }
  ent_page_table(page, &(ent_table){.title = "Table 1 of the paper: the data sets",
                                    .note = "The paper counts 13 inputs of Electrical Grid Stability. The 13th, stab, "
                                            "decides the class: a grid is unstable where it is above 0. So it is left "
                                            "out here, and 12 inputs remain.",
                                    .columns = columns,
                                    .column_count = COLUMNS,
                                    .cells = cells,
                                    .rows = ENT_SETS});
}
