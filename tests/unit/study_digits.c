/* MNIST's files as rows, small ones made up here: codes, classes, progress, and what is refused. */
#include "unit/tests.h"
#include "unit/listening.h"

#include "study/digits.h"
#include "study/sets.h"

#include "unit/fixture.h"

enum { TRAIN = 40, TEST = 12, HEIGHT = 6, PIXELS = HEIGHT * HEIGHT };

static unsigned char label_of(size_t image) {
  return (unsigned char)(image * 7 % 10);
}

static void write_part(void **state, const char *part, size_t rows, size_t labels) {
  unsigned char images[16 + TRAIN * PIXELS] = {0, 0, 8, 3,      0, 0, 0, (unsigned char)rows,
                                               0, 0, 0, HEIGHT, 0, 0, 0, HEIGHT};
  unsigned char marks[8 + TRAIN] = {0, 0, 8, 1, 0, 0, 0, (unsigned char)labels};
  char name[64];
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < PIXELS; i++)
      images[16 + r * PIXELS + i] = (unsigned char)((r * 31 + i * 17 + r * i * label_of(r)) % 251);
  for (size_t r = 0; r < labels; r++)
    marks[8 + r] = label_of(r);
  snprintf(name, sizeof name, "%s-images-idx3-ubyte.gz", part);
  write_file(in_folder(state, name), images, 16 + rows * PIXELS);
  snprintf(name, sizeof name, "%s-labels-idx1-ubyte.gz", part);
  write_file(in_folder(state, name), marks, 8 + labels);
}

typedef struct heard {
  size_t calls;
  double last;
} heard;

static int hear(void *user, const char *stage, double done) {
  heard *h = user;
  if (strcmp(stage, "auto-encoder") != 0)
    return 0;
  assert_true(done >= h->last && done <= 1);
  h->last = done;
  h->calls++;
  return 0;
}

static void digits_become_rows(void **state) {
  write_part(state, "train", TRAIN, TRAIN);
  write_part(state, "t10k", TEST, TEST);
  for (int quick = 0; quick < 2; quick++) {
    ent_split_table split_table = {0};
    heard progress = {0};
    size_t test = 0;
    const ent_set_options options = {.folder = *state, .quick = quick, .seed = 1};
    ent_call call;
    listen_start(context, &call, hear, &progress);
    assert_int_equal(ent_digits_load(context, &options, &split_table, &test), ENTROPIC_OK);
    listen_stop(context);
    assert_true(quick ? progress.calls == 0 : progress.calls >= 2 && progress.last > 0);
    assert_true(split_table.rows == TRAIN + TEST && split_table.columns == ENT_DIGIT_INPUTS && test == TEST);
    assert_true(split_table.targets == 10 && split_table.classes == 10);
    for (size_t r = 0; r < split_table.rows; r++)
      for (size_t k = 0; k < 10; k++)
        assert_true(split_table.y[r * 10 + k] == (k == label_of(r < TRAIN ? r : r - TRAIN) ? 1 : -1));
    for (size_t i = 0; i < split_table.rows * split_table.columns; i++)
      assert_true(fabs(split_table.x[i]) < 1e3);
    ent_split_table_clear(&split_table);
  }
}

static void too_few_are_refused(void **state) {
  ent_set set;
  size_t digits = ENT_SETS - 1;
  const ent_set_options options = {.folder = *state, .quick = true, .seed = 1};
  write_part(state, "train", TRAIN, TRAIN);
  assert_false(ent_set_there(*state, digits));
  write_part(state, "t10k", TEST, TEST);
  assert_true(ent_set_there(*state, digits));
  assert_int_equal(ent_set_load(context, digits, &options, &set), ENTROPIC_BAD_DATA);
  assert_message(context, "MNIST: 40 training rows, expected at least 2000");
  assert_null(set.split_table.x);
  write_part(state, "t10k", TEST, TEST - 1);
  assert_int_equal(ent_set_load(context, digits, &options, &set), ENTROPIC_BAD_DATA);
  assert_message(context, "11 labels, expected the 12 of its images");
}

SUITE(study_digits) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(digits_become_rows, start_in_folder, stop_in_folder),
      cmocka_unit_test_setup_teardown(too_few_are_refused, start_in_folder, stop_in_folder),
  };
  return cmocka_run_group_tests_name("study_digits", tests, NULL, NULL);
}
