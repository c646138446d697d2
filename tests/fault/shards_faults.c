/* Shards, the coordinator and the merging of answers with allocations failing in turn: NO_MEMORY, nothing leaked, no output
 * touched. */
#include <stdio.h>

#include "fault/fixture.h"
#include "fault/exchange.h"

static entropic_parameters *set;

/* A shard of a file, and one of a table. */
static entropic_status make_shards(void *argument) {
  (void)argument;
  entropic_shard *shard = untouched();
  entropic_table *table = untouched();
  entropic_status status = entropic_shard_open(context, ONE_PATH("rows.csv"), set, 0, 1, &shard);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, shard);
  status = entropic_shard_place(context, shard, 0, 1);
  entropic_shard_free(shard);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_table_load(context, ONE_PATH("rows.csv"), set, &table);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, table);
  shard = untouched();
  status = entropic_shard_of_table(context, table, &shard);
  if (status != ENTROPIC_OK)
    check_failed(status, context, shard);
  else
    entropic_shard_free(shard);
  entropic_table_free(table);
  return status;
}

/* All questions that make a table, and the answers to them. */
static entropic_status make_table(void *argument) {
  exchange e = {.context = context, .count = *(const size_t *)argument, .path = "rows.csv", .parameters = set};
  entropic_table *table = untouched();
  entropic_status status = exchange_open(&e);
  if (status == ENTROPIC_OK) {
    status = entropic_table_of_shards(context, exchange_ask, &e, e.count, set, &table);
    if (status != ENTROPIC_OK)
      assert_ptr_equal(table, untouched());
    else
      entropic_table_free(table);
  }
  exchange_stop(&e);
  return status;
}

/* And a fit, which asks for statistics. */
static entropic_status make_model(void *argument) {
  exchange e = {.context = context, .count = 2, .path = "rows.csv", .parameters = argument};
  entropic_table *table = NULL;
  entropic_dataset *data = NULL;
  entropic_model *model = untouched();
  entropic_status status = exchange_open(&e);
  if (status == ENTROPIC_OK)
    status = entropic_table_of_shards(context, exchange_ask, &e, e.count, argument, &table);
  if (status == ENTROPIC_OK)
    status = entropic_dataset_create(context, table, argument, &data);
  if (status == ENTROPIC_OK)
    status = entropic_fit(context, data, NULL, argument, NULL, &model);
  if (status != ENTROPIC_OK)
    assert_ptr_equal(model, untouched());
  else
    entropic_model_free(model);
  entropic_dataset_free(data);
  entropic_table_free(table);
  exchange_stop(&e);
  return status;
}

static entropic_status make_failure(void *argument) {
  (void)argument;
  unsigned char *bytes = untouched();
  size_t count = 0;
  entropic_status status =
      entropic_answer_of_failure(context, ENTROPIC_BAD_DATA, "no such file", "rank 1", &bytes, &count);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, bytes);
  entropic_bytes_free(bytes);
  return ENTROPIC_OK;
}

static void each_allocation(void **state) {
  (void)state;
  FILE *file = fopen("rows.csv", "w");
  assert_non_null(file);
  fputs("a,c,y\n", file);
  for (int i = 0; i < 130; i++)
    fprintf(file, "%d.%d,%s,%d\n", i % 7, i * 37 % 100, i % 3 == 0 ? "red" : i % 17 == 4 ? "" : "blue", i * i % 23);
  fclose(file);
  const size_t counts[] = {1, 3};
  entropic_parameters *classes = NULL;
  ASSERT_OK(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_FIT, &set));
  const char *const given[] = {"target", "y",        "sample", "100",   "omega", "1",        "lambda",
                               "1e-2",   "features", "4",      "folds", "2",     "ensemble", "1"};
  for (size_t i = 0; i < COUNT(given); i += 2)
    ASSERT_OK(context, entropic_parameters_set(context, set, given[i], given[i + 1]));
  ASSERT_OK(context, ent_parameters_copy(context, set, &classes));
  ASSERT_OK(context, entropic_parameters_set(context, classes, "target", "c"));
  ASSERT_OK(context, entropic_parameters_set(context, classes, "loss", "logistic"));
  assert_true(expect_each_allocation_failure(make_shards, NULL) > 3);
  assert_true(expect_each_allocation_failure(make_failure, NULL) > 1);
  for (size_t i = 0; i < 2; i++)
    assert_true(expect_allocation_failures(make_table, (void *)&counts[i], 7) > 20);
  assert_true(expect_allocation_failures(make_model, set, 61) > 100);
  assert_true(expect_allocation_failures(make_model, classes, 97) > 100);
  entropic_parameters_free(classes);
  entropic_parameters_free(set);
}

SUITE(shards_faults) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation)};
  return cmocka_run_group_tests(tests, start, stop);
}
