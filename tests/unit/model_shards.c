/* Tables in shards: models have the bytes of one process, whatever the parts, the order of merging and the memory of the
 * workers; hostile questions and answers are refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/fixture.h"
#include "fault/exchange.h"

/* Numbers, categories, missing values, a rare class; lines of some cells are in quotes. */
static void write_table(const char *path, size_t rows, bool classes) {
  uint64_t draw = 7;
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("a,b,c,w,y\n", file);
  for (size_t i = 0; i < rows; i++) {
    double u[3];
    for (size_t k = 0; k < 3; k++) {
      draw = draw * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      u[k] = (double)(draw >> 11) * 0x1p-53;
    }
    const char *names[] = {"red", "\"two\nlines\"", "blue"};
    size_t c = (size_t)(u[1] * 3);
    double score = 3 * u[0] * u[0] + (c == 2 ? u[2] : 0);
    fprintf(file, "%.5f,", u[0]);
    fprintf(file, i % 11 == 3 ? "," : "%.5f,", u[2]);
    fprintf(file, "%s,%g,", names[c], i % 3 == 0 ? 0.5 : 1);
    if (classes)
      fprintf(file, "%s\n", score > 1.5 ? "high" : score > .7 ? "middle" : "low");
    else
      fprintf(file, "%.6f\n", score);
  }
  fclose(file);
}

static entropic_parameters *parameters_of(const char *const *list) {
  entropic_parameters *set = NULL;
  ASSERT_OK(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_FIT, &set));
  for (; *list != NULL; list += 2)
    ASSERT_OK(context, entropic_parameters_set(context, set, list[0], list[1]));
  return set;
}

/* The bytes of the model of a table, which is freed. */
static unsigned char *fit_bytes(entropic_table *table, const entropic_parameters *set, size_t *count) {
  entropic_dataset *data = NULL;
  entropic_model *model = NULL;
  unsigned char *bytes = NULL;
  ASSERT_OK(context, entropic_dataset_create(context, table, set, &data));
  entropic_table_free(table);
  ASSERT_OK(context, entropic_fit(context, data, NULL, set, NULL, &model));
  ASSERT_OK(context, entropic_model_save_memory(context, model, &bytes, count));
  entropic_model_free(model);
  entropic_dataset_free(data);
  return bytes;
}

static const char *const numbers[] = {"target", "y",    "sample",   "200", "omega", "1",
                                      "lambda", "1e-3", "features", "20",  NULL};
static const char *const weighted[] = {"target", "y",        "sample", "200",     "omega", "1", "lambda",
                                       "1e-3",   "features", "20",     "weights", "w",     NULL};
static const char *const logistic[] = {"target", "y",        "sample", "200",  "omega",    "1", "lambda",
                                       "1e-3",   "features", "12",     "loss", "logistic", NULL};
static const char *const balanced[] = {"target", "y",        "sample",       "200",      "omega",
                                       "1",      "lambda",   "1e-3",         "features", "12",
                                       "loss",   "logistic", "class-weight", "balanced", NULL};

static void check_parts(const char *path, const char *const *list) {
  entropic_parameters *set = parameters_of(list);
  entropic_table *table = NULL;
  size_t count, other_count;
  ASSERT_OK(context, entropic_table_load(context, &path, 1, set, &table));
  unsigned char *bytes = fit_bytes(table, set, &count);
  exchange e = {.path = path, .parameters = set};
  assert_int_equal(entropic_context_create(&e.context), ENTROPIC_OK);
  for (size_t parts = 1; parts <= 5; parts++) {
    e.count = parts;
    e.turn = parts % 2 == 1;
    e.forgets = parts == 3;
    ASSERT_OK(e.context, exchange_open(&e));
    ASSERT_OK(context, entropic_table_of_shards(context, exchange_ask, &e, parts, set, &table));
    assert_true(entropic_table_rows(table) == 200);
    unsigned char *other = fit_bytes(table, set, &other_count);
    assert_int_equal(count, other_count);
    assert_memory_equal(bytes, other, count);
    entropic_bytes_free(other);
  }
  exchange_stop(&e);
  entropic_context_free(e.context);
  entropic_bytes_free(bytes);
  entropic_parameters_free(set);
}

static void the_same_bytes(void **state) {
  (void)state;
  write_table("numbers.csv", 700, false);
  write_table("classes.csv", 700, true);
  check_parts("numbers.csv", numbers);
  check_parts("numbers.csv", weighted);
  check_parts("classes.csv", logistic);
  check_parts("classes.csv", balanced);
}

/* Shards that are whole files, in their order. */
static void files(void **state) {
  (void)state;
  entropic_parameters *set = parameters_of(numbers);
  entropic_table *table = NULL;
  exchange e = {.count = 2};
  char line[256];
  size_t count, other_count;
  write_table("all.csv", 600, false);
  FILE *all = fopen("all.csv", "r"), *parts[] = {fopen("first.csv", "w"), fopen("second.csv", "w")};
  assert_true(all != NULL && parts[0] != NULL && parts[1] != NULL);
  for (size_t i = 0; fgets(line, sizeof line, all) != NULL; i++) {
    if (i == 0)
      fputs(line, parts[1]);
    fputs(line, parts[i > 370 && (i > 371 || strncmp(line, "lines", 5) != 0)]);
  }
  fclose(all);
  fclose(parts[0]);
  fclose(parts[1]);
  assert_int_equal(entropic_context_create(&e.context), ENTROPIC_OK);
  for (size_t i = 0; i < 2; i++) {
    ASSERT_OK(e.context,
              entropic_shard_open(e.context, ONE_PATH(i == 0 ? "first.csv" : "second.csv"), set, 0, 1, &e.shards[i]));
    ASSERT_OK(e.context, entropic_shard_place(e.context, e.shards[i], i, 2));
  }
  ASSERT_OK(context, entropic_table_of_shards(context, exchange_ask, &e, 2, set, &table));
  unsigned char *bytes = fit_bytes(table, set, &count);
  ASSERT_OK(context, entropic_table_load(context, ONE_PATH("all.csv"), set, &table));
  unsigned char *other = fit_bytes(table, set, &other_count);
  assert_int_equal(count, other_count);
  assert_memory_equal(bytes, other, count);
  entropic_bytes_free(bytes);
  entropic_bytes_free(other);
  exchange_stop(&e);
  entropic_context_free(e.context);
  entropic_parameters_free(set);
}

/* A file whose columns are others is refused by name. */
static void drift(void **state) {
  (void)state;
  entropic_parameters *set = parameters_of(numbers);
  entropic_table *table = NULL;
  exchange e = {.count = 2};
  write_table("good.csv", 300, false);
  FILE *file = fopen("drift.csv", "w");
  assert_non_null(file);
  fputs("a,b,colour,w,y\n0.1,0.2,red,1,0.5\n0.3,0.1,blue,1,0.2\n", file);
  fclose(file);
  assert_int_equal(entropic_context_create(&e.context), ENTROPIC_OK);
  for (size_t i = 0; i < 2; i++) {
    ASSERT_OK(e.context,
              entropic_shard_open(e.context, ONE_PATH(i == 0 ? "good.csv" : "drift.csv"), set, 0, 1, &e.shards[i]));
    ASSERT_OK(e.context, entropic_shard_place(e.context, e.shards[i], i, 2));
  }
  assert_int_equal(entropic_table_of_shards(context, exchange_ask, &e, 2, set, &table), ENTROPIC_BAD_DATA);
  const char *message = entropic_context_message(context);
  assert_true(strstr(message, "colour") != NULL || strstr(message, "drift.csv") != NULL);
  exchange_stop(&e);
  entropic_context_free(e.context);
  entropic_parameters_free(set);
}

/* What is kept of questions and answers, to be damaged. */
static unsigned char *kept[64];
static size_t kept_size[64], kept_count;

static entropic_status keeping_ask(void *user, const void *question, size_t size, entropic_answer *answer) {
  if (kept_count < 64) {
    kept[kept_count] = malloc(size);
    memcpy(kept[kept_count], question, size);
    kept_size[kept_count++] = size;
  }
  return exchange_ask(user, question, size, answer);
}

static void hostile_bytes(void **state) {
  (void)state;
  entropic_parameters *set = parameters_of(logistic);
  entropic_table *table = NULL;
  exchange e = {.count = 2, .path = "hostile.csv", .parameters = set};
  size_t count;
  write_table("hostile.csv", 400, true);
  assert_int_equal(entropic_context_create(&e.context), ENTROPIC_OK);
  ASSERT_OK(e.context, exchange_open(&e));
  ASSERT_OK(context, entropic_table_of_shards(context, keeping_ask, &e, 2, set, &table));
  entropic_bytes_free(fit_bytes(table, set, &count));
  assert_true(kept_count >= 4);
  for (size_t i = 0; i < kept_count; i++) {
    unsigned char *answer = NULL;
    size_t size = 0, step = kept_size[i] / 40 + 1;
    for (size_t at = 0; at < kept_size[i]; at += step) { /* flipped: the checksum finds it */
      kept[i][at] ^= 0x20;
      assert_int_equal(entropic_shard_answer(e.context, e.shards[1], kept[i], kept_size[i], &answer, &size),
                       ENTROPIC_BAD_DATA);
      kept[i][at] ^= 0x20;
      assert_int_equal(entropic_shard_answer(e.context, e.shards[1], kept[i], at, &answer, &size), ENTROPIC_BAD_DATA);
    }
    assert_null(answer);
    if (i > 0) {
      ASSERT_OK(e.context, entropic_shard_answer(e.context, e.shards[1], kept[i], kept_size[i], &answer, &size));
      unsigned char *merged = NULL;
      size_t merged_size;
      for (size_t at = 0; at < size; at += size / 40 + 1) {
        answer[at] ^= 4;
        assert_int_equal(entropic_answers_merge(e.context, answer, size, answer, size, &merged, &merged_size),
                         ENTROPIC_BAD_DATA);
        answer[at] ^= 4;
      }
      entropic_bytes_free(answer);
    }
    free(kept[i]);
  }
  exchange_stop(&e);
  entropic_context_free(e.context);
  entropic_parameters_free(set);
}

static entropic_status failing_ask(void *user, const void *question, size_t size, entropic_answer *answer) {
  (void)question;
  (void)size;
  unsigned char *bytes = NULL;
  size_t count = 0;
  if (*(int *)user == 0) {
    entropic_answer_fail(answer, "the line is dead");
    return ENTROPIC_SYSTEM;
  }
  if (*(int *)user == 1)
    return ENTROPIC_OK; /* without an answer */
  assert_int_equal(entropic_answer_of_failure(NULL, ENTROPIC_BAD_DATA, "no such file", "rank 3", &bytes, &count),
                   ENTROPIC_OK);
  assert_int_equal(entropic_answer_give(answer, bytes, count), ENTROPIC_OK);
  entropic_bytes_free(bytes);
  return ENTROPIC_OK;
}

static void failures(void **state) {
  (void)state;
  static const entropic_status expected[] = {ENTROPIC_SYSTEM, ENTROPIC_BAD_ARGUMENT, ENTROPIC_BAD_DATA};
  static const char *const messages[] = {"the line is dead", "no answer", "rank 3: no such file"};
  entropic_table *table = NULL;
  entropic_shard *shard = NULL;
  for (int i = 0; i < 3; i++) {
    assert_int_equal(entropic_table_of_shards(context, failing_ask, &i, 1, NULL, &table), expected[i]);
    assert_non_null(strstr(entropic_context_message(context), messages[i]));
  }
  assert_int_equal(entropic_shard_open(context, ONE_PATH("x.csv"), NULL, 2, 2, &shard), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_shard_open(context, ONE_PATH("-"), NULL, 0, 2, &shard), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_shard_open(context, NULL, 1, NULL, 0, 1, &shard), ENTROPIC_BAD_ARGUMENT);
  ASSERT_OK(context, entropic_shard_open(context, ONE_PATH("x.csv"), NULL, 1, 2, &shard));
  assert_int_equal(entropic_shard_place(context, shard, 0, 2), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_shard_place(context, shard, 1, 1), ENTROPIC_BAD_ARGUMENT);
  entropic_shard_free(shard);
  entropic_shard_free(NULL);
  assert_int_equal(entropic_table_of_shards(context, failing_ask, NULL, 0, NULL, &table), ENTROPIC_BAD_ARGUMENT);
  assert_int_equal(entropic_table_of_shards(context, NULL, NULL, 1, NULL, &table), ENTROPIC_BAD_ARGUMENT);
  assert_null(table);
}

SUITE(model_shards) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_bytes), cmocka_unit_test(files), cmocka_unit_test(drift),
                                     cmocka_unit_test(hostile_bytes), cmocka_unit_test(failures)};
  return cmocka_run_group_tests(tests, start, stop);
}
