/* Tables from Arrow streams: the same as from the CSV of the same rows; every array released once; malformed streams.
 */
#include "unit/arrow_arrays.h"

#include "data/arrow.h"
#include "data/table.h"
#include "dataset/dataset.h"

static entropic_context *context;

static int start(void **state) {
  return entropic_context_create(&context) != ENTROPIC_OK || make_folder(state);
}

static int stop(void **state) {
  entropic_context_free(context);
  return remove_folder(state);
}

static void assert_released(const arrow_state *state) {
  assert_int_equal(state->released_streams, 1);
  assert_int_equal(state->released_schemas, state->made_schemas);
  assert_int_equal(state->released_arrays, state->made_arrays);
}

static entropic_table *load_csv(void **state, const ent_roles *roles) {
  char text[20000];
  arrow_csv(text);
  const char *path = in_folder(state, "rows.csv");
  write_file(path, text, strlen(text));
  ent_read_options options = ent_read_options_default();
  options.roles = *roles;
  entropic_table *table = NULL;
  assert_int_equal(ent_table_load(context, path, &options, &table), ENTROPIC_OK);
  return table;
}

static void rows_are_those_of_the_csv(void **state) {
  static const ent_roles roles[] = {{.targets = "c0"},
                                    {.targets = "c3"},
                                    {.targets = "c0", .categorical = "c1,c7,c8", .ignore = "c5"},
                                    {.targets = "c2", .time = "c0"}};
  for (size_t k = 0; k < sizeof roles / sizeof roles[0]; k++) {
    arrow_state made = {0};
    struct ArrowArrayStream stream = arrow_stream(&made);
    entropic_table *file = load_csv(state, &roles[k]), *arrow = NULL;
    assert_int_equal(ent_table_from_arrow(context, &stream, NULL, &roles[k], &arrow), ENTROPIC_OK);
    assert_null(stream.release);
    assert_int_equal(made.released_arrays, 0);
    assert_int_equal(entropic_table_rows(arrow), ARROW_ROWS);
    assert_null(entropic_table_values(arrow));
    for (size_t c = 0; c < ARROW_COLUMNS; c++) {
      entropic_column left, right;
      double left_values[ARROW_ROWS], right_values[ARROW_ROWS];
      assert_int_equal(column_of_table(context, file, c, &left), ENTROPIC_OK);
      assert_int_equal(column_of_table(context, arrow, c, &right), ENTROPIC_OK);
      assert_string_equal(left.name, right.name);
      assert_int_equal(left.type, right.type);
      assert_int_equal(left.role, right.role);
      assert_int_equal(left.missing, right.missing);
      assert_int_equal(left.categories, right.categories);
      for (size_t code = 0; code < left.categories; code++)
        assert_string_equal(entropic_table_category(file, c, code), entropic_table_category(arrow, c, code));
      ent_table_read(file, c, 0, ARROW_ROWS, left_values);
      ent_table_read(arrow, c, 0, ARROW_ROWS, right_values);
      for (size_t r = 0; r < ARROW_ROWS; r++)
        assert_true(isnan(left_values[r]) ? isnan(right_values[r]) : left_values[r] == right_values[r]);
    }
    entropic_table_free(file);
    entropic_table_free(arrow);
    assert_released(&made);
  }
}

static void data_sets_keep_the_arrays(void **state) {
  (void)state;
  arrow_state made = {0};
  struct ArrowArrayStream stream = arrow_stream(&made);
  const ent_roles roles = {.targets = "c0"};
  entropic_table *table = NULL;
  entropic_dataset *dataset = NULL, *other = NULL;
  assert_int_equal(ent_table_from_arrow(context, &stream, NULL, &roles, &table), ENTROPIC_OK);
  assert_int_equal(ent_dataset_create(context, table, ENTROPIC_TASK_AUTO, &dataset), ENTROPIC_OK);
  assert_int_equal(entropic_dataset_create_with_schema(context, table, dataset, &other), ENTROPIC_OK);
  entropic_table_free(table);
  entropic_dataset_free(dataset);
  assert_int_equal(made.released_arrays, 0);
  entropic_dataset_free(other);
  assert_released(&made);
}

/* Columns of the caller's behind those of a stream. */
static void columns_beside_a_stream(void **state) {
  (void)state;
  double target[ARROW_ROWS], values[ARROW_ROWS];
  int8_t codes[ARROW_ROWS];
  for (size_t r = 0; r < ARROW_ROWS; r++) {
    target[r] = (double)(r * r % 11);
    codes[r] = (int8_t)(r % 2);
  }
  const char *const names[] = {"low", "high"};
  const entropic_column_view columns[2] = {
      {.size = sizeof *columns, .name = "target", .values = target, .stride = sizeof *target},
      {.size = sizeof *columns,
       .name = "kind",
       .values = codes,
       .stride = 1,
       .element = ENTROPIC_ELEMENT_INT8,
       .categories = 2,
       .category_names = names}};
  entropic_column_views more = {.size = sizeof more, .columns = columns, .count = 2, .rows = ARROW_ROWS};
  arrow_state made = {0};
  struct ArrowArrayStream stream = arrow_stream(&made);
  entropic_table *table = NULL;
  assert_int_equal(entropic_table_from_arrow(context, &stream, &more, NULL, &table), ENTROPIC_OK);
  assert_int_equal(entropic_table_columns(table), ARROW_COLUMNS + 2);
  assert_string_equal(entropic_table_name(table, ARROW_COLUMNS), "target");
  assert_string_equal(entropic_table_category(table, ARROW_COLUMNS + 1, 1), "high");
  ent_table_read(table, ARROW_COLUMNS, 0, ARROW_ROWS, values);
  assert_memory_equal(values, target, sizeof values);
  entropic_table_free(table);
  assert_released(&made);
}

/* Another number of rows, none, a struct that is too small: refused, and the stream is released. */
static void columns_that_do_not_fit_a_stream(void **state) {
  (void)state;
  static const char *const said[] = {"24 rows, the columns beside it 23", "none", "8"};
  double target[ARROW_ROWS] = {0};
  const entropic_column_view column = {
      .size = sizeof column, .name = "target", .values = target, .stride = sizeof *target};
  for (int how = 0; how < 3; how++) {
    arrow_state made = {0};
    struct ArrowArrayStream stream = arrow_stream(&made);
    const entropic_column_views more = {.size = how == 2 ? 8 : sizeof more,
                                        .columns = &column,
                                        .count = how == 1 ? 0 : 1,
                                        .rows = how == 0 ? ARROW_ROWS - 1 : ARROW_ROWS};
    entropic_table *table = (entropic_table *)&made;
    assert_int_equal(entropic_table_from_arrow(context, &stream, &more, NULL, &table),
                     how == 0 ? ENTROPIC_BAD_DATA : ENTROPIC_BAD_ARGUMENT);
    assert_message(context, said[how]);
    assert_ptr_equal(table, &made);
    assert_null(stream.release);
    assert_int_equal(made.released_streams, 1);
    assert_int_equal(made.released_arrays, made.made_arrays);
  }
}

static void no_arguments(void **state) {
  (void)state;
  arrow_state made = {0};
  struct ArrowArrayStream stream = arrow_stream(&made);
  entropic_table *table = NULL;
  assert_int_equal(ent_table_from_arrow(context, NULL, NULL, NULL, &table), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(ent_table_from_arrow(context, &stream, NULL, NULL, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_released(&made);
  assert_int_equal(ent_table_from_arrow(context, &stream, NULL, NULL, &table), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "released");
}

/* ---- Malformed streams ---- */

enum { SPOILT_FIELDS = 14 };

/* Spoils a field of an array; false if that cannot be told from a good one, or is none. */
static bool spoil_field(struct ArrowArray *array, const char *format, int how) {
  const void **buffers = ((arrow_private *)array->private_data)->list;
  bool none = strcmp(format, "n") == 0;
  switch (how) {
  case 0:
    array->length = -1;
    return true;
  case 1:
    array->length = INT64_MAX;
    return true;
  case 2:
    array->length = 1;
    return true;
  case 3:
    array->offset = -1;
    return true;
  case 4:
    array->offset = INT64_MAX;
    return true;
  case 5:
    array->null_count = -2;
    return true;
  case 6:
    array->null_count = array->length + 1;
    return true;
  case 7:
    array->n_buffers++;
    return strcmp(format, "vu") != 0 && !none; /* their number is all that says how many there are */
  case 8:
    array->n_buffers--;
    return true;
  case 9:
    array->n_children = 1;
    return true;
  case 10:
    array->buffers = NULL;
    return !none;
  case 11:
    buffers[1] = NULL;
    return !none;
  case 12:
    array->release = NULL;
    return true;
  default:
    array->null_count = 1;
    buffers[0] = NULL;
    return !none;
  }
}

/* The stream is spoilt in a way that has a number; the state says how. */
static void spoil_column(struct ArrowArray *rows, int how) {
  size_t column = (size_t)how / SPOILT_FIELDS;
  spoil_field(rows->children[column], arrow_formats[column], how % SPOILT_FIELDS);
}

static void spoil_dictionary(struct ArrowArray *rows, int how) {
  spoil_field(rows->children[ARROW_KIND]->dictionary, "u", how);
}

static void spoil_rows(struct ArrowArray *rows, int how) {
  switch (how) {
  case 0:
    rows->n_children--;
    break;
  case 1:
    rows->n_children++;
    break;
  case 2:
    rows->children = NULL;
    break;
  case 3:
    rows->n_buffers = 0;
    break;
  case 4:
    rows->n_buffers = 2;
    break;
  case 5:
    rows->buffers = NULL;
    break;
  case 6:
    rows->length = -1;
    break;
  case 7:
    rows->length = INT64_MAX;
    break;
  case 8:
    rows->length++;
    break;
  case 9:
    rows->offset = -1;
    break;
  case 10:
    rows->offset = 1;
    break;
  case 11:
    rows->offset = INT64_MAX;
    break;
  case 12:
    rows->null_count = 2;
    break;
  case 13:
    rows->null_count = -3;
    break;
  default:
    rows->children[4] = NULL;
  }
}

/* Texts and codes that point nowhere. */
static void spoil_texts(struct ArrowArray *rows, int how) {
  int32_t *narrow = ((arrow_private *)rows->children[3]->private_data)->buffers[1];
  int64_t *wide = ((arrow_private *)rows->children[4]->private_data)->buffers[1];
  arrow_private *views = rows->children[5]->private_data, *kind = rows->children[ARROW_KIND]->private_data;
  int32_t *parts = views->buffers[1];
  signed char *codes = kind->buffers[1];
  size_t third = 4 * 3; /* where the views begin */
  switch (how) {
  case 0:
    narrow[3 + 2] = 1000;
    break;
  case 1:
    narrow[3] = -1;
    break;
  case 2:
    ((arrow_private *)rows->children[3]->private_data)->list[2] = NULL;
    break;
  case 3:
    wide[2] = INT64_MAX;
    break;
  case 4:
    wide[0] = INT64_MIN;
    break;
  case 5:
    ((arrow_private *)rows->children[4]->private_data)->list[2] = NULL;
    break;
  case 6:
    parts[third] = -1;
    break;
  case 7:
  case 8:
    parts[third] = 20;
    parts[third + 2] = how == 7 ? 1 : -1;
    break;
  case 9:
  case 10:
    parts[third] = 20;
    parts[third + 2] = 0;
    parts[third + 3] = how == 9 ? 1000000 : -1;
    break;
  case 11:
    views->list[3] = NULL;
    break;
  case 12:
    parts[third] = 20;
    views->list[2] = NULL;
    break;
  case 13:
    rows->children[ARROW_KIND]->dictionary = NULL;
    break;
  case 14:
    codes[0] = 100;
    break;
  default:
    codes[0] = -1;
  }
}

static void spoil_schema(struct ArrowSchema *schema, int how) {
  static const char *const formats[] = {"",     "x",   "d:",   "d:5",   "d:99,2", "d:5,2,7",  "d:5,2,", "ts",
                                        "tsx:", "ts:", "+s",   "+l",    "z",      "w:3",      "tD",     "tiM",
                                        "vuu",  "gg",  "d:x,", "d:5,y", "+vl",    "d:5,9999", NULL};
  const size_t count = sizeof formats / sizeof formats[0];
  if ((size_t)how < count) {
    schema->children[2]->format = formats[how];
    return;
  }
  switch (how - (int)count) {
  case 0:
    schema->format = NULL;
    break;
  case 1:
    schema->format = "+l";
    break;
  case 2:
    schema->n_children = 0;
    break;
  case 3:
    schema->n_children = -7;
    break;
  case 4:
    schema->n_children = INT64_MAX;
    break;
  case 5:
    schema->children = NULL;
    break;
  case 6:
    schema->children[1] = NULL;
    break;
  case 7:
    schema->children[1]->release = NULL;
    break;
  case 8:
    schema->children[ARROW_KIND]->format = "g";
    break;
  case 9:
    schema->children[ARROW_KIND]->dictionary->format = "+l";
    break;
  case 10:
    schema->children[ARROW_KIND]->dictionary->format = NULL;
    break;
  default:
    schema->children[ARROW_KIND]->dictionary->dictionary = schema->children[3];
  }
}

static int refused;

static void expect_refusal(arrow_state *made, struct ArrowArrayStream *stream, const char *said) {
  entropic_table *table = (entropic_table *)made;
  entropic_status status = ent_table_from_arrow(context, stream, NULL, NULL, &table);
  if (status != ENTROPIC_BAD_DATA)
    print_error("status %d, spoilt by %d: %s\n", (int)status, made->how, entropic_context_message(context));
  assert_int_equal(status, ENTROPIC_BAD_DATA);
  assert_ptr_equal(table, made);
  assert_message(context, said);
  assert_released(made);
  refused++;
}

static void refuse_arrays(void (*spoil)(struct ArrowArray *, int), int count, const char *said) {
  for (int how = 0; how < count; how++) {
    arrow_state made = {.spoil_array = spoil, .how = how};
    struct ArrowArrayStream stream = arrow_stream(&made);
    if (spoil == spoil_column) { /* not those that cannot be told */
      size_t column = (size_t)how / SPOILT_FIELDS;
      int field = how % SPOILT_FIELDS;
      bool none = strcmp(arrow_formats[column], "n") == 0;
      if ((none && (field == 7 || field == 10 || field == 11 || field == 13)) ||
          (field == 7 && strcmp(arrow_formats[column], "vu") == 0))
        continue;
    }
    expect_refusal(&made, &stream, said);
  }
}

static void malformed_streams_are_refused(void **state) {
  (void)state;
  refused = 0;
  refuse_arrays(spoil_column, ARROW_COLUMNS * SPOILT_FIELDS, "column ");
  refuse_arrays(spoil_dictionary, 2, "a dictionary");
  for (int how = 3; how < SPOILT_FIELDS; how++) {
    arrow_state made = {.spoil_array = spoil_dictionary, .how = how};
    struct ArrowArrayStream stream = arrow_stream(&made);
    expect_refusal(&made, &stream, "a dictionary");
  }
  refuse_arrays(spoil_rows, 15, "");
  refuse_arrays(spoil_texts, 16, "column ");
  for (int how = 0; how < 35; how++) {
    arrow_state made = {.spoil_schema = spoil_schema, .how = how};
    struct ArrowArrayStream stream = arrow_stream(&made);
    expect_refusal(&made, &stream, "");
  }
  assert_true(refused >= 200);
}

static void producers_that_fail(void **state) {
  (void)state;
  for (int how = 0; how < 7; how++) {
    arrow_state made = {.fail_schema = how < 2, .fail_next = how < 2 ? 0 : how < 4 ? 1 : how < 5 ? 3 : 0};
    struct ArrowArrayStream stream = arrow_stream(&made);
    if (how % 2 == 1)
      stream.get_last_error = NULL;
    if (how == 5)
      stream.get_schema = NULL;
    if (how == 6)
      stream.get_next = NULL;
    expect_refusal(&made, &stream,
                   how == 5       ? "get_schema"
                   : how == 6     ? "get_next"
                   : how % 2 == 1 ? "Input/output error"
                                  : "the producer has stumbled");
  }
}

/* Rows that are null as a whole are missing in every column. */
static void spoil_nothing(struct ArrowArray *rows, int how) {
  (void)how;
  unsigned char *valid = arrow_buffer(rows, 0, 1);
  *valid = 0x17; /* of 5 rows the fourth is null */
  rows->null_count = 1;
}

static void rows_may_be_null(void **state) {
  (void)state;
  arrow_state made = {.spoil_array = spoil_nothing};
  struct ArrowArrayStream stream = arrow_stream(&made);
  entropic_table *table = NULL;
  assert_int_equal(ent_table_from_arrow(context, &stream, NULL, NULL, &table), ENTROPIC_OK);
  for (size_t c = 0; c < ARROW_COLUMNS; c++) {
    double values[ARROW_ROWS];
    char text[64];
    ent_table_read(table, c, 0, ARROW_ROWS, values);
    for (size_t r = 0; r < ARROW_ROWS; r++)
      assert_int_equal(isnan(values[r]) != 0, r == 3 || arrow_cell(c, r, text)[0] == '\0');
  }
  entropic_table_free(table);
  assert_released(&made);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

static void release_nothing(struct ArrowSchema *schema) {
  (void)schema;
}

/* Timestamps count UTC; an offset gives the clock of their zone, a name does not. */
static void zones_of_timestamps(void **state) {
  (void)state;
  static const struct {
    const char *format;
    double hours;
    bool unknown;
  } zones[] = {{"tss:", 0, false},        {"tss:UTC", 0, false},          {"tsm:Etc/UTC", 0, false},
               {"tss:Z", 0, false},       {"tsu:+02:00", 2, false},       {"tsn:-0330", -3.5, false},
               {"tss:-08:00", -8, false}, {"tss:Europe/Berlin", 0, true}, {"tss:EST", 0, true}};
  static const int64_t per_second[] = {['s'] = 1, ['m'] = 1000, ['u'] = 1000000, ['n'] = 1000000000};
  for (size_t i = 0; i < COUNT(zones); i++) {
    struct ArrowSchema schema = {.format = zones[i].format, .release = release_nothing};
    ent_arrow_type type;
    ASSERT_OK(context, ent_arrow_type_of(context, &schema, 0, &type));
    assert_int_equal(type.kind.zone_unknown, zones[i].unknown);
    const int64_t count = 86400 * 3 / 2 * per_second[(unsigned char)zones[i].format[2]];
    ent_chunk chunk = {.rows = 1, .values = (const unsigned char *)&count, .stride = 8};
    ASSERT_OK(context, ent_column_view_add(context, &type.kind, &chunk));
    assert_true(fabs(ent_column_view_number(&type.kind, 0) - (1.5 + zones[i].hours / 24)) <= 1e-15);
    ent_column_view_clear(&type.kind);
  }
}

SUITE(data_arrow) {
  const struct CMUnitTest tests[] = {
      TEST(rows_are_those_of_the_csv),
      TEST(data_sets_keep_the_arrays),
      TEST(columns_beside_a_stream),
      TEST(columns_that_do_not_fit_a_stream),
      TEST(no_arguments),
      TEST(malformed_streams_are_refused),
      TEST(producers_that_fail),
      TEST(rows_may_be_null),
      TEST(zones_of_timestamps),
  };
  return cmocka_run_group_tests_name("data_arrow", tests, NULL, NULL);
}
