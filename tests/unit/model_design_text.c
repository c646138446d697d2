/* Designs of text for statistics: made from ranges alone, loaded from a file and from memory, and refused with the line
 * where one is wrong. */
#include "unit/collecting.h"

#include "unit/fixture.h"

/* Of the design in the tree, without rows. */
#define GOLDEN_RECEIPT "524ed2d3b36e6485b422f806f94ac6c980146475393c23bd4a9324d38fe8a994"

static entropic_parameters *given(const char *const *pairs) {
  entropic_parameters *set = NULL;
  ASSERT_OK(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_COLLECT, &set));
  for (; pairs[0] != NULL; pairs += 2)
    ASSERT_OK(context, entropic_parameters_set(context, set, pairs[0], pairs[1]));
  return set;
}

static held_bytes text_of(const char *const *pairs) {
  entropic_parameters *set = given(pairs);
  held_bytes text = {0};
  ASSERT_OK(context, entropic_frozen_design_make(context, set, &text.bytes, &text.count));
  entropic_parameters_free(set);
  return text;
}

static entropic_frozen_design *design_of(held_bytes text) {
  entropic_frozen_design *made = NULL;
  ASSERT_OK(context, entropic_frozen_design_load_memory(context, text.bytes, text.count, &made));
  return made;
}

static const char *const mixed[] = {"ranges",
                                    "age=0:120,colour=red|green|dark blue?,the size = -1.5 : 2e3 ?",
                                    "target",
                                    "price",
                                    "target-range",
                                    "-10:990",
                                    "features",
                                    "9",
                                    "omega",
                                    "2",
                                    "lambda",
                                    "1e-3",
                                    NULL};

/* The text that is in the tree: it has to be readable for ever, and this version writes it. */
static void golden(void **state) {
  (void)state;
  char path[1024];
  snprintf(path, sizeof path, "%s/tests/golden/columns.design", getenv("ENTROPIC_SOURCE"));
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  char *stored = calloc(1, 4096);
  size_t count = fread(stored, 1, 4095, file);
  fclose(file);
  held_bytes text = text_of(mixed);
  assert_int_equal(text.count, count);
  assert_memory_equal(text.bytes, stored, count);
  entropic_frozen_design *one = design_of(text), *other = NULL;
  ASSERT_OK(context, entropic_frozen_design_load(context, path, &other));
  entropic_statistics *first = NULL, *second = NULL;
  ASSERT_OK(context, entropic_statistics_create_for_design(context, one, &first));
  ASSERT_OK(context, entropic_statistics_create_for_design(context, other, &second));
  char receipt[ENTROPIC_RECEIPT_SIZE], again[ENTROPIC_RECEIPT_SIZE];
  ASSERT_OK(context, entropic_statistics_receipt(context, first, receipt));
  ASSERT_OK(context, entropic_statistics_receipt(context, second, again));
  assert_string_equal(receipt, again);
  assert_string_equal(receipt, GOLDEN_RECEIPT);
  entropic_design *design = NULL; /* kernel and features alone can be had of the same text */
  ASSERT_OK(context, entropic_design_load(context, path, &design));
  assert_int_equal(entropic_design_features(design), 9);
  entropic_design_free(design);
  entropic_statistics_free(first);
  entropic_statistics_free(second);
  entropic_frozen_design_free(one);
  entropic_frozen_design_free(other);
  entropic_bytes_free(text.bytes);
  free(stored);
}

/* What is frozen follows from what was given. */
static void frozen_parts(void **state) {
  (void)state;
  held_bytes text = text_of(mixed);
  entropic_frozen_design *design = design_of(text);
  const ent_schema *schema = &design->model->schema;
  assert_int_equal(schema->inputs, 3);
  assert_string_equal(schema->input[2].name, "the size");
  assert_string_equal(schema->input[1].category[2], "dark blue");
  assert_true(schema->input[0].complete && !schema->input[1].complete && !schema->input[2].complete);
  assert_true(!schema->input[0].missing && schema->input[1].missing && schema->input[2].missing);
  const ent_scale *scale = &design->model->main.scaler->scales[2];
  assert_true(scale->knots == 2 && scale->at[0] == -1.5 && scale->at[1] == 2000 && scale->missing);
  const ent_frozen *frozen = design->model->frozen;
  assert_true(frozen->shift[0] == 490);                /* the middle of the target's range */
  assert_int_equal(frozen->target_exponent[0], 9 + 3); /* its half width is 500; three bits of head-room */
  assert_true(frozen->members[0].lambda == 1e-3 && design->model->lambda == 1e-3 && frozen->member_count == 1);
  assert_int_equal(frozen->root_exponent, 0);
  for (size_t i = 0; i < design->model->main.features; i++)
    assert_true(design->model->main.weights[i] == 0);
  entropic_frozen_design_free(design);
  entropic_bytes_free(text.bytes);
}

/* Classes are those given, in the order of names however they are given. */
static void classes_sorted(void **state) {
  (void)state;
  const char *pairs[] = {"ranges", "a=0:1,b=0:1", "target", "c", "classes", "10,9,x", "features", "5", NULL};
  held_bytes text = text_of(pairs);
  pairs[5] = "x,10,9";
  held_bytes turned = text_of(pairs);
  entropic_frozen_design *one = design_of(text), *other = design_of(turned);
  assert_int_equal(one->model->scores, 3);
  assert_string_equal(one->model->schema.class_name[0], "10");
  assert_true(one->model->link.inverse_temperature == 2);
  ASSERT_OK(context, ent_frozen_compare(context, one->model, other->model));
  entropic_frozen_design_free(one);
  entropic_frozen_design_free(other);
  entropic_bytes_free(text.bytes);
  entropic_bytes_free(turned.bytes);
}

/* A custom kernel stands in the text too. */
static void custom_kernel(void **state) {
  (void)state;
  const char *pairs[] = {"ranges", "a=0:1,b=0:1,c=u|v", "target", "y", "target-range", "0:1", "kernel", "custom",
                         "p",      "1 + w*x",           "q",      "1", "features",     "8",   NULL};
  held_bytes text = text_of(pairs);
  entropic_frozen_design *design = design_of(text);
  assert_int_equal(design->model->main.features, 8);
  entropic_frozen_design_free(design);
  entropic_bytes_free(text.bytes);
}

/* Missing values where there is no atom, values beyond the range, targets beyond the head-room. */
static void rows_by_the_design(void **state) {
  (void)state;
  const char *const pairs[] = {"ranges", "x1=0:1,x2=0:1?", "target", "y", "target-range", "0:1", "features", "9", NULL};
  static const struct {
    double row[3];
    entropic_status status;
    size_t outside, missing;
    const char *message;
  } cases[] = {
      {{0.5, 0.5, 1}, ENTROPIC_OK, 0, 0, ""},
      {{-3, 1.5, 1}, ENTROPIC_OK, 2, 0, ""},
      {{0.5, NAN, 1}, ENTROPIC_OK, 0, 1, ""},
      {{NAN, 0.5, 1}, ENTROPIC_BAD_DATA, 0, 0, "row 1 (x1): found no value, expected a number"},
      {{0.5, 0.5, 4.5}, ENTROPIC_OK, 0, 0, ""},
      {{0.5, 0.5, 4.75}, ENTROPIC_BAD_DATA, 0, 0, "row 1 (y): found 4.75, expected a target from -3.5 to 4.5"},
  };
  held_bytes text = text_of(pairs);
  entropic_frozen_design *design = design_of(text);
  for (size_t i = 0; i < COUNT(cases); i++) {
    static const char *const names[] = {"x1", "x2", "y"};
    entropic_statistics *statistics = NULL;
    entropic_table *table = NULL;
    entropic_row_reader *reader = NULL;
    entropic_report *report = NULL;
    ASSERT_OK(context, entropic_statistics_create_for_design(context, design, &statistics));
    ASSERT_OK(context, entropic_table_create(context, cases[i].row, 1, 3, 3, names, NULL, &table));
    ASSERT_OK(context,
              entropic_row_reader_open_design_table(context, entropic_statistics_design(statistics), table, &reader));
    assert_int_equal(entropic_statistics_collect(context, statistics, reader, &report), cases[i].status);
    double outside = 0, missing = 0;
    if (cases[i].status == ENTROPIC_OK) {
      assert_true(entropic_report_number(report, "outside", &outside) == 1);
      assert_true(entropic_report_number(report, "missing", &missing) == 1);
      assert_true(outside == (double)cases[i].outside && missing == (double)cases[i].missing);
    } else {
      assert_non_null(strstr(entropic_context_message(context), cases[i].message));
    }
    entropic_report_free(report);
    entropic_row_reader_free(reader);
    entropic_table_free(table);
    entropic_statistics_free(statistics);
  }
  entropic_frozen_design_free(design);
  entropic_bytes_free(text.bytes);
}

static const char *const good[] = {
    "entropic design 3",
    "columns 2",
    "input age",
    "range 0 120",
    "missing refused",
    "input colour",
    "categories 2",
    "category red",
    "category green",
    "missing atom",
    "target price",
    "range 0 10",
    "lambda 0.001",
    "criterion l2",
    "inputs 2",
    "axis 1 centred full omega 1 level 4 smooth 0 unit 0",
    "axis 1 category omega 1 categories 3",
    "base 2 1",
    "groups 2 exhausted 0",
    "0",
    "15397385462 1:2",
};
#define LINES COUNT(good)

typedef struct mistake {
  size_t line;      /* which to replace */
  const char *text; /* by what; NULL: the file ends before this line */
  size_t found;     /* the line that the message names */
} mistake;

static const mistake mistakes[] = {
    {1, "entropic design 1", 2},
    {2, NULL, 2},
    {2, "columns", 2},
    {2, "columns 0", 2},
    {2, "columns -2", 2},
    {2, "columns 1", 6},
    {2, "columns 3", 11},
    {2, "columns 1048577", 2},
    {2, "columns 2 3", 2},
    {2, "column 2", 2},
    {3, NULL, 3},
    {3, "input", 3},
    {3, "inputs age", 3},
    {3, "input a\x01", 3},
    {3, "input a\tb", 3},
    {3, "input  age", 3},
    {4, NULL, 4},
    {4, "range", 4},
    {4, "range 0", 4},
    {4, "range 0 x", 4},
    {4, "range 120 0", 4},
    {4, "range 1 1", 4},
    {4, "range nan 1", 4},
    {4, "range 0 inf", 4},
    {4, "range 0 1e999", 4},
    {4, "range 0 120 3", 4},
    {4, "category red", 4},
    {4, "categories 2", 5},
    {5, NULL, 5},
    {5, "missing", 5},
    {5, "missing yes", 5},
    {5, "missing atom", 16}, /* whose axis has none */
    {6, "input age", 6},     /* a second time */
    {7, "categories 0", 7},
    {7, "categories 1", 7},
    {7, "categories 3", 10},
    {7, "categories 16777216", 7},
    {7, "range 0 1", 8},
    {8, "category", 8},
    {8, "class red", 8},
    {9, "category red", 9},
    {10, "missing refused", 17}, /* whose axis has an atom more */
    {11, NULL, 11},
    {11, "target", 11},
    {11, "target age", 11}, /* an input */
    {12, NULL, 12},
    {12, "range 10 0", 12},
    {12, "categories 2", 12},
    {12, "classes 1", 12},
    {12, "classes 2", 13},
    {13, NULL, 13},
    {13, "lambda", 13},
    {13, "lambda -1", 13},
    {13, "lambda nan", 13},
    {13, "lambda inf", 13},
    {13, "lambda 1 2", 13},
    {13, "lambda auto", 13},
    {14, "criterion data", 14},
    {14, "criterion residual", 14},
    {15, "inputs 1", 15},
    {15, "inputs 3", 15},
    {16, "axis 2 centred full omega 1 level 4 smooth 0 unit 0", 16}, /* the second has categories */
    {16, "axis 1 category omega 1 categories 2", 16},
    {16, "axis 1 centred full omega 1 level 4 smooth 0 unit 0 missing 1", 16},
    {17, "axis 1 category omega 1 categories 2", 17},
    {17, "axis 1 category omega 1 categories 4", 17},
    {19, "groups 3 exhausted 0", 22},
};

/* The text with a line replaced, or cut before it. */
static size_t write_text(char *text, size_t size, size_t line, const char *by) {
  size_t used = 0;
  for (size_t i = 0; i < LINES && (i + 1 != line || by != NULL); i++)
    used += (size_t)snprintf(text + used, size - used, "%s\n", i + 1 == line ? by : good[i]);
  return used;
}

static void mistakes_are_named(void **state) {
  (void)state;
  char text[2048], expected[64];
  entropic_frozen_design *design = NULL;
  size_t count = write_text(text, sizeof text, 0, NULL);
  ASSERT_OK(context, entropic_frozen_design_load_memory(context, text, count, &design));
  assert_int_equal(design->model->main.features, 2);
  entropic_frozen_design_free(design);
  for (size_t i = 0; i < COUNT(mistakes); i++) {
    design = NULL;
    count = write_text(text, sizeof text, mistakes[i].line, mistakes[i].text);
    snprintf(expected, sizeof expected, "memory, line %zu: ", mistakes[i].found);
    entropic_status status = entropic_frozen_design_load_memory(context, text, count, &design);
    const char *message = entropic_context_message(context);
    if (status != ENTROPIC_BAD_DATA || strncmp(message, expected, strlen(expected)) != 0)
      fail_msg("line %zu, '%s': %d, %s", mistakes[i].line, mistakes[i].text, status, message);
    assert_null(design);
  }
}

/* Wherever a text is cut, and whatever byte is another one, it is refused with a message or can be collected for. */
static void any_byte_changed(void **state) {
  (void)state;
  static const char others[] = {'\0', '\n', ' ', '-', '9', 'x', '\xff'};
  char text[2048], copy[2048];
  size_t count = write_text(text, sizeof text, 0, NULL), sound = 0;
  for (size_t i = 0; i < count * (COUNT(others) + 1); i++) {
    size_t at = i / (COUNT(others) + 1), other = i % (COUNT(others) + 1), length = count;
    entropic_frozen_design *design = NULL;
    entropic_statistics *statistics = NULL;
    memcpy(copy, text, count);
    if (other < COUNT(others))
      copy[at] = others[other];
    else
      length = at;
    if (entropic_frozen_design_load_memory(context, copy, length, &design) == ENTROPIC_OK) {
      ASSERT_OK(context, entropic_statistics_create_for_design(context, design, &statistics));
      sound++;
    } else {
      assert_null(design);
      assert_true(strlen(entropic_context_message(context)) > 20);
    }
    entropic_statistics_free(statistics);
    entropic_frozen_design_free(design);
  }
  assert_true(sound > 100 && sound < count * COUNT(others) / 2);
}

/* The parameters that are refused, with what the message has. */
static void parameters_refused(void **state) {
  (void)state;
  static const struct {
    const char *ranges, *target, *range, *classes, *message;
  } cases[] = {
      {"x=0:1", NULL, "0:1", NULL, "ranges needs target"},
      {"x=0:1", "y", NULL, NULL, "ranges needs target-range for a number or classes"},
      {"x=0:1", "y", "0:1", "a,b", "one of them"},
      {NULL, "y", "0:1", NULL, "ranges is needed"},
      {"x=0:1", "y", "1:0", NULL, "target-range 1:0: expected LO:HI"},
      {"x=0:1", "y", "0:1:2", NULL, "expected LO:HI"},
      {"x=0:1", "y", "0:1e300", NULL, "beyond the scales"},
      {"x=0:1", "y", "0:1e-300", NULL, "beyond the scales"},
      {"x=0:1", "x", "0:1", NULL, "found 'x' twice"},
      {"x=0:1,x=0:1", "y", "0:1", NULL, "input 2: found 'x' twice"},
      {"x=0:1,", "y", "0:1", NULL, "input 2: found ''"},
      {"x=", "y", "0:1", NULL, "input 1: found 'x='"},
      {"x=?", "y", "0:1", NULL, "input 1: found 'x=?'"},
      {"=0:1", "y", "0:1", NULL, "input 1: found '', expected a name"},
      {"x=1:1", "y", "0:1", NULL, "LO < HI"},
      {"x=0:inf", "y", "0:1", NULL, "LO < HI"},
      {"x=5", "y", "0:1", NULL, "LO < HI"},
      {"x=a|a", "y", "0:1", NULL, "found 'a' twice"},
      {"x=a||b", "y", "0:1", NULL, "found '', expected a name"},
      {"x=0:1", "y", NULL, "a", "expected two classes"},
      {"x=0:1", "y", NULL, "a,a", "class 2: found 'a' twice"},
      {"x=0:1", "y", NULL, "a,,b", "class 2: found ''"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    entropic_parameters *set = given((const char *const[]){NULL});
    const char *pairs[][2] = {{"ranges", cases[i].ranges},
                              {"target", cases[i].target},
                              {"target-range", cases[i].range},
                              {"classes", cases[i].classes}};
    for (size_t k = 0; k < COUNT(pairs); k++)
      if (pairs[k][1] != NULL)
        ASSERT_OK(context, entropic_parameters_set(context, set, pairs[k][0], pairs[k][1]));
    unsigned char *bytes = NULL;
    size_t count = 0;
    assert_int_equal(entropic_frozen_design_make(context, set, &bytes, &count), ENTROPIC_BAD_ARGUMENT);
    assert_null(bytes);
    if (strstr(entropic_context_message(context), cases[i].message) == NULL)
      fail_msg("%s: %s", cases[i].message, entropic_context_message(context));
    entropic_parameters_free(set);
  }
}

/* Other purposes have no ranges. */
static void arguments_refused(void **state) {
  (void)state;
  entropic_parameters *set = NULL;
  unsigned char *bytes = NULL;
  size_t count = 0;
  entropic_frozen_design *design = NULL;
  ASSERT_OK(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_DESIGN, &set));
  assert_int_equal(entropic_parameters_set(context, set, "ranges", "x=0:1"), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_frozen_design_make(context, set, &bytes, &count), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_frozen_design_make(context, NULL, &bytes, &count), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_frozen_design_load(context, NULL, &design), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_frozen_design_load(context, "no such file", NULL), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_frozen_design_load(context, "no such file", &design), ENTROPIC_SYSTEM);
  assert_int_equal(entropic_frozen_design_load_memory(context, NULL, 3, &design), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_frozen_design_load_memory(context, "", 0, &design), ENTROPIC_BAD_DATA);
  assert_true(bytes == NULL && design == NULL);
  entropic_parameters_free(set);
}

SUITE(model_design_text) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(golden),           cmocka_unit_test(frozen_parts),       cmocka_unit_test(classes_sorted),
      cmocka_unit_test(custom_kernel),    cmocka_unit_test(rows_by_the_design), cmocka_unit_test(mistakes_are_named),
      cmocka_unit_test(any_byte_changed), cmocka_unit_test(parameters_refused), cmocka_unit_test(arguments_refused),
  };
  return cmocka_run_group_tests_name("model_design_text", tests, start, stop);
}
