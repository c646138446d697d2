/* Design files that are wrong in one place: each is refused with BAD_DATA, and the message names file and line. */
#include "unit/reference.h"

/* Levels of an input here: 1 constant, 2 line, 3 hat 1, 4 hats 2 (two of them), 5 hats 3, 6 hats 4. */
static const char *const good[] = {
    "entropic design 1", "criterion l2",         "inputs 3", "axis 3 centred full omega 1 level 4 smooth 0 unit 0",
    "base 3 1",          "groups 3 exhausted 0", "0",        "15397385462 1:4 3:2 = 1",
    "15397385462 2:4",
};
#define LINES COUNT(good)

typedef struct mistake {
  size_t line;      /* which to replace */
  const char *text; /* by what; NULL: the file ends before this line */
  size_t found;     /* the line that the message names */
} mistake;

static const mistake mistakes[] = {
    {1, NULL, 1},
    {1, "entropic design 3", 2}, /* where its columns should be */
    {1, "entropic design 4", 1},
    {1, "entropic design", 1},
    {1, "Entropic design 1", 1},
    {1, "entropic design 1 and more", 1},
    {1, "entropic design 1,", 1},
    {1, "", 1},
    {2, NULL, 2},
    {2, "criterion", 2},
    {2, "criterion l3", 2},
    {2, "criterion L2", 2},
    {2, "criterion l2 sup", 2},
    {2, "criteria l2", 2},
    {2, "l2", 2},
    {2, "", 2},
    {3, NULL, 3},
    {3, "inputs", 3},
    {3, "inputs 0", 3},
    {3, "inputs -3", 3},
    {3, "inputs +3", 3},
    {3, "inputs x", 3},
    {3, "inputs 3x", 3},
    {3, "inputs 3.0", 3},
    {3, "inputs 3 3", 3},
    {3, "inputs 1048577", 3},
    {3, "inputs 18446744073709551619", 3},
    {3, "inputs 2", 4},
    {3, "inputs 4", 5},
    {4, NULL, 4},
    {4, "", 4},
    {4, "axis", 4},
    {4, "axis 3", 4},
    {4, "axis 0 centred full omega 1 level 4 smooth 0 unit 0", 4},
    {4, "axis 4 centred full omega 1 level 4 smooth 0 unit 0", 4},
    {4, "axis 2 centred full omega 1 level 4 smooth 0 unit 0", 5},
    {4, "axis 3 custom full omega 1 level 4 smooth 0 unit 0", 4},
    {4, "axis 3 gauss full omega 1 level 4 smooth 0 unit 0", 4},
    {4, "axis 3 centred half omega 1 level 4 smooth 0 unit 0", 4},
    {4, "axis 3 centred full 1 level 4 smooth 0 unit 0", 4},
    {4, "axis 3 centred full omega x level 4 smooth 0 unit 0", 4},
    {4, "axis 3 centred full omega  level 4 smooth 0 unit 0", 4},
    {4, "axis 3 centred full omega 1e999 level 4 smooth 0 unit 0", 4},
    {4, "axis 3 centred full omega 1 level 31 smooth 0 unit 0", 4},
    {4, "axis 3 centred full omega 1 level -1 smooth 0 unit 0", 4},
    {4, "axis 3 centred full omega 1 level 4 smooth 9 unit 0", 4},
    {4, "axis 3 centred full omega 1 level 4 smooth 0 unit 2", 4},
    {4, "axis 3 centred full omega 1 level 4 smooth 0", 4},
    {4, "axis 3 centred full omega 1 level 4 smooth 0 unit 0 more", 4},
    {4, "axis 3 category", 4},
    {4, "axis 3 category omega 1", 4},
    {4, "axis 3 category omega 1 categories", 4},
    {4, "axis 3 category omega 1 categories x", 4},
    {4, "axis 3 category omega 1 categories -1", 4},
    {4, "axis 3 category omega 1 categories 16777217", 4},
    {4, "axis 3 category omega 1 categories 3 more", 4},
    {4, "axis 3 category omega x categories 3", 4},
    {4, "axis 3 category full omega 1 level 4 smooth 0 unit 0", 4},
    {4, "axis 3 category full omega 1 level 4 smooth 0 unit 0 categories 3", 4},
    {4, "axis 3 centred full omega 1 level 4 smooth 0 unit 0 categories 3", 4},
    {4, "axis 3 centred omega 1 categories 3", 4},
    {4, "axis 3 category omega 1 categories 3", 8}, /* which has two levels */
    {5, NULL, 5},
    {5, "base 3", 5},
    {5, "base 0 1", 5},
    {5, "base 4 1", 5},
    {5, "base 2 1", 6},
    {5, "base 3 7", 5},
    {5, "base 3 99999", 5},
    {5, "base 3 4", 5},
    {5, "base 3 1 1", 5},
    {5, "base 3 -1", 5},
    {5, "base 3 0", 7},
    {5, "base 3 2", 8},
    {6, NULL, 6},
    {6, "groups 0 exhausted 0", 6},
    {6, "groups 2 exhausted 0", 9},
    {6, "groups 4 exhausted 0", 10},
    {6, "groups 3", 6},
    {6, "groups 3 exhausted", 6},
    {6, "groups 3 exhausted 2", 6},
    {6, "groups 3 exhausted 0 0", 6},
    {6, "groups x exhausted 0", 6},
    {6, "groups 2147483648 exhausted 0", 6},
    {7, "", 7},
    {7, "x", 7},
    {7, "-", 7},
    {7, "0.5", 7},
    {7, "9223372036854775808", 7},
    {7, "99999999999999999999", 7},
    {7, "0,1:2", 7},
    {7, "\"0", 7},
    {7, "0 1", 7},
    {7, "0 1:", 7},
    {7, "0 :2", 7},
    {7, "0 1:2:3", 7},
    {7, "0 1:1", 7},
    {7, "0 0:2", 7},
    {7, "0 4:2", 7},
    {7, "0 1:0", 7},
    {7, "0 1:7", 7},
    {7, "0  1:2", 7},
    {7, "0 2:2 1:2", 7},
    {7, "0 1:2 1:3", 7},
    {7, "0 1:2 x", 7},
    {8, "0 1:4 =", 8},
    {8, "0 1:4 = 0", 8},
    {8, "0 1:4 = 3", 8},
    {8, "0 1:4 = 1 3", 8},
    {8, "0 1:4 = 2 1", 8},
    {8, "0 1:4 = 1 1", 8},
    {8, "0 1:4 = 1 x", 8},
    {8, "0 1:4 = -1", 8},
    {8, "0 1:4 =1", 8},
    {8, "0 1:4 = 1 = 2", 8},
    {8, "0 1:4 = 18446744073709551617", 8},
    {9, NULL, 9},
};

/* Mistakes that only creating the kernel or finishing the design finds. */
static const mistake deeper_mistakes[] = {
    {4, "axis 3 centred full omega 0 level 4 smooth 0 unit 0", 4},
    {4, "axis 3 centred full omega 1e5 level 4 smooth 0 unit 0", 4},
    {4, "axis 3 centred full omega -1 level 4 smooth 0 unit 0", 4},
    {4, "axis 3 centred full omega nan level 4 smooth 0 unit 0", 4},
    {4, "axis 3 centred full omega inf level 4 smooth 0 unit 0", 4},
    {4, "axis 3 centred full omega 1 level 4 smooth 1 unit 0", 4},
    {4, "axis 3 sobolev full omega 1 level 4 smooth 2 unit 0", 4},
    {4, "axis 3 centred interior omega 1 level 4 smooth 2 unit 0", 4},
    {4, "axis 3 centred full omega 1 level 4 smooth 0 unit 1", 4},
    {4, "axis 3 centred interior omega 1 level 0 smooth 0 unit 0", 4},
    {4, "axis 3 bridge full omega 1 level 0 smooth 0 unit 0", 4},
    {4, "axis 3 category omega 0 categories 3", 4},
    {4, "axis 3 category omega nan categories 3", 4},
    {4, "axis 3 category omega 1 categories 0", 4},
};

/* The good file with one line replaced and the first `lines` of it. */
static void write_changed(const char *path, const mistake *change) {
  char text[4096] = "";
  size_t used = 0;
  for (size_t i = 0; i < LINES && !(change->text == NULL && i + 1 >= change->line); i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s\n", i + 1 == change->line ? change->text : good[i]);
  write_file(path, text, used);
}

static void expect_bad(void **state, const char *path, size_t line, const char *shown) {
  (void)state;
  entropic_context *context;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  entropic_design *design = NULL;
  entropic_status status = entropic_design_load(context, path, &design);
  char place[4300];
  snprintf(place, sizeof place, "%s, line %zu", path, line);
  const char *message = entropic_context_message(context), *found = strstr(message, place);
  if (status != ENTROPIC_BAD_DATA || found == NULL || (found[strlen(place)] >= '0' && found[strlen(place)] <= '9')) {
    print_error("\"%s\": %s, \"%s\", expected BAD_DATA at line %zu\n", shown, entropic_status_name(status), message,
                line);
    fail();
  }
  assert_null(design);
  entropic_context_free(context);
}

static void the_good_file_is_good(void **state) {
  const char *path = in_folder(state, "good");
  write_changed(path, &(mistake){.line = 0, .text = ""});
  entropic_design *design = NULL;
  assert_int_equal(entropic_design_load(NULL, path, &design), ENTROPIC_OK);
  assert_int_equal(entropic_design_features(design), 4);
  assert_int_equal(entropic_design_groups(design), 3);
  assert_true(group_of(design, 1).members[0] == 0);
  entropic_design_free(design);
}

static void each_mistake_is_refused(void **state) {
  const char *path = in_folder(state, "bad.design");
  for (size_t i = 0; i < COUNT(mistakes); i++) {
    write_changed(path, &mistakes[i]);
    expect_bad(state, path, mistakes[i].found, mistakes[i].text != NULL ? mistakes[i].text : "(end)");
  }
}

static void wrong_kernels_are_bad_data_too(void **state) {
  const char *path = in_folder(state, "bad.design");
  for (size_t i = 0; i < COUNT(deeper_mistakes); i++) {
    write_changed(path, &deeper_mistakes[i]);
    expect_bad(state, path, deeper_mistakes[i].found, deeper_mistakes[i].text);
  }
}

static void repeated_groups_are_refused(void **state) {
  const char *path = in_folder(state, "bad.design");
  write_changed(path, &(mistake){.line = 9, .text = "77 1:4 3:2 = 2"});
  expect_bad(state, path, 9, "the terms of line 8 again");
  write_changed(path, &(mistake){.line = 9, .text = "0"});
  expect_bad(state, path, 9, "the terms of line 7 again");
}

/* An input without a base level must be a term of every group, wherever it stands. */
static void terms_left_out_are_refused(void **state) {
  const char *path = in_folder(state, "bad.design");
  static const char *const groups[] = {"0 2:1 3:2", "0 1:2 2:4", "0 3:2", "0"};
  for (size_t i = 0; i < COUNT(groups); i++) {
    char text[1000];
    int length =
        snprintf(text, sizeof text,
                 "entropic design 1\ncriterion sup\ninputs 3\naxis 3 centred full omega 1 level 4 smooth 0 unit "
                 "0\nbase 1 0\nbase 1 2\nbase 1 0\ngroups 1 exhausted 1\n%s\n",
                 groups[i]);
    write_file(path, text, (size_t)length);
    expect_bad(state, path, 9, groups[i]);
  }
}

static const char *const deep_head = "entropic design 1\ncriterion l2\ninputs 2\n"
                                     "axis 2 centred full omega 1 level 30 smooth 0 unit 0\nbase 2 1\n";

static void too_many_features_are_refused(void **state) {
  const char *path = in_folder(state, "bad.design");
  char text[1000];
  int length = snprintf(text, sizeof text, "%sgroups 1 exhausted 0\n0 1:32 2:5\n", deep_head);
  write_file(path, text, (size_t)length);
  expect_bad(state, path, 7, "a group of 2^31 features");
  length = snprintf(text, sizeof text, "%sgroups 1 exhausted 0\n0 1:32 2:32\n", deep_head);
  write_file(path, text, (size_t)length);
  expect_bad(state, path, 7, "a group of 2^58 features");
  /* 2^30 + 2^29 + 2^29 in three groups */
  length = snprintf(text, sizeof text, "%sgroups 3 exhausted 0\n0 1:32 2:4\n0 1:32\n0 2:32\n", deep_head);
  write_file(path, text, (size_t)length);
  expect_bad(state, path, 9, "2^31 features in three groups");
}

/* The file is at fault here, too; that the kernel overflows is a matter of the whole of it, not of one line. */
static void overflowing_kernels_name_the_file(void **state) {
  const char *path = in_folder(state, "steep.design");
  const char *text =
      "entropic design 1\ncriterion l2\ninputs 1000\naxis 1000 brownian full omega 10000 level 4 smooth 0 "
      "unit 0\nbase 1000 1\ngroups 1 exhausted 0\n0\n";
  write_file(path, text, strlen(text));
  entropic_context *context;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  entropic_design *design = NULL;
  entropic_status status = entropic_design_load(context, path, &design);
  assert_true(status == ENTROPIC_TOO_LARGE || status == ENTROPIC_BAD_DATA);
  assert_message(context, path);
  assert_null(design);
  entropic_context_free(context);
}

static void odd_bytes(void **state) {
  const char *path = in_folder(state, "bad.design");
  write_file(path, "", 0);
  expect_bad(state, path, 1, "an empty file");
  write_file(path, "entropic design 1\ncriterion l2\0\n", 32);
  expect_bad(state, path, 2, "a NUL byte");
  write_file(path, "\xff\xfe\x00\x01", 4);
  expect_bad(state, path, 1, "binary");
}

/* Bytes changed at random: a design comes out or BAD_DATA, and what loads can be saved and loaded again. */
static void random_damage(void **state) {
  entropic_random random = entropic_random_start(31, 0);
  static const char bytes[] = "0123456789 :=-,.\"\nabex";
  char whole[2048], text[2048];
  size_t length = 0, loaded = 0;
  for (size_t i = 0; i < LINES; i++)
    length += (size_t)snprintf(whole + length, sizeof whole - length, "%s\n", good[i]);
  const char *path = in_folder(state, "damaged"), *again = in_folder(state, "again");
  size_t start = (size_t)(strstr(whole, "axis") - whole); /* not the number of inputs: that decides on memory */
  for (size_t round = 0; round < rounds(2000); round++) {
    memcpy(text, whole, length);
    size_t changes = 1 + entropic_random_below(&random, 2);
    for (size_t i = 0; i < changes; i++)
      text[start + entropic_random_below(&random, length - start)] =
          bytes[entropic_random_below(&random, sizeof bytes - 1)];
    write_file(path, text, length);
    entropic_design *design = NULL, *same = NULL;
    entropic_status status = entropic_design_load(NULL, path, &design);
    if (status != ENTROPIC_OK) {
      text[length] = '\0';
      if (status != ENTROPIC_BAD_DATA)
        print_error("%s from:\n%s", entropic_status_name(status), text);
      assert_int_equal(status, ENTROPIC_BAD_DATA);
      assert_null(design);
      continue;
    }
    loaded++;
    assert_int_equal(entropic_design_save(NULL, design, again), ENTROPIC_OK);
    assert_int_equal(entropic_design_load(NULL, again, &same), ENTROPIC_OK);
    assert_int_equal(entropic_design_features(design), entropic_design_features(same));
    entropic_design_free(design);
    entropic_design_free(same);
  }
  assert_true(loaded > 0);
}

SUITE(design_malformed) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_good_file_is_good),
      cmocka_unit_test(each_mistake_is_refused),
      cmocka_unit_test(wrong_kernels_are_bad_data_too),
      cmocka_unit_test(repeated_groups_are_refused),
      cmocka_unit_test(terms_left_out_are_refused),
      cmocka_unit_test(too_many_features_are_refused),
      cmocka_unit_test(overflowing_kernels_name_the_file),
      cmocka_unit_test(odd_bytes),
      cmocka_unit_test(random_damage),
  };
  return cmocka_run_group_tests_name("design: malformed files", tests, make_folder, remove_folder);
}
