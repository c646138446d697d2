/* Messages between processes: read back as they were, and refused if they are damaged or made up. */
#include "unit/sharding.h"

#include <zlib.h>

#include "unit/fixture.h"

static const char text[] = "a,b,d,w,y\n"
                           "1,x,2024-01-02,1,01\n2,y,2024-01-03,NA,1\n-,\"p\nq\",2024-01-04,2,2\n"
                           "word,x,never,1,2.0\n5 kg,y,2024-02-01,?,01\n1e999,z,2024-02-02,3,1\n";

/* The messages of a round: a plan, a survey, and rows of a sample. */
typedef enum message_kind { PLAN, FINDINGS, ROWS, KINDS } message_kind;

static ent_message whole;

static void make_messages(void **state, ent_message messages[KINDS]) {
  const char *path = in_folder(state, "table.csv");
  ent_read_options options = ent_read_options_default();
  options.roles = (ent_roles){.targets = "y", .weights = "w", .categorical = "b"};
  write_file(path, text, strlen(text));
  sharded *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->parts = 1;
  run_file(context, s, path, &options);
  assert_int_equal(s->status, ENTROPIC_OK);
  ent_hash_sample sample;
  ASSERT_OK(context, ent_hash_sample_create(context, 6, 4, &sample));
  ASSERT_OK(context, ent_shard_guess(context, s->shards[0], 3, &messages[PLAN]));
  ASSERT_OK(context, ent_column_survey_pack(context, &s->survey, &messages[FINDINGS]));
  ASSERT_OK(context, ent_column_survey_pack(context, &s->survey, &whole));
  ASSERT_OK(context, ent_shard_sample(context, s->shards[0], &sample, &messages[ROWS]));
  sharded_free(s);
  free(s);
}

static void free_messages(ent_message messages[KINDS]) {
  for (int i = 0; i < KINDS; i++)
    ent_message_free(&messages[i]);
  ent_message_free(&whole);
}

/* Reads a message, and whatever comes of it goes through all that is done with it. */
static entropic_status read_message(message_kind kind, const ent_message *message) {
  ent_read_plan plan;
  ent_column_survey survey, other;
  entropic_table *table = NULL;
  entropic_status status;
  switch (kind) {
  case PLAN:
    status = ent_read_plan_unpack(context, message, &plan);
    if (status == ENTROPIC_OK)
      ent_read_plan_free(&plan);
    return status;
  case FINDINGS:
    status = ent_column_survey_unpack(context, message, &survey);
    if (status != ENTROPIC_OK)
      return status;
    ASSERT_OK(context, ent_column_survey_unpack(context, &whole, &other));
    ent_column_survey_merge(context, &other, &survey);
    ent_column_survey_free(&other);
    ent_column_survey_free(&survey);
    return ENTROPIC_OK;
  default:
    status = ent_table_of_sample(context, &whole, message, 1, &table);
    entropic_table_free(table);
    return status;
  }
}

/* Makes the checksum right. */
static void seal(ent_message *message) {
  size_t end = message->count - 4;
  uint32_t sum = (uint32_t)crc32_z(0, message->bytes, end);
  for (size_t i = 0; i < 4; i++)
    message->bytes[end + i] = (unsigned char)(sum >> 8 * i);
}

static void messages_are_read_back(void **state) {
  ent_message messages[KINDS];
  make_messages(state, messages);
  for (int kind = 0; kind < KINDS; kind++)
    ASSERT_OK(context, read_message((message_kind)kind, &messages[kind]));
  ent_column_survey survey;
  ent_message again;
  ASSERT_OK(context, ent_column_survey_unpack(context, &messages[FINDINGS], &survey));
  ASSERT_OK(context, ent_column_survey_pack(context, &survey, &again));
  assert_int_equal(again.count, messages[FINDINGS].count);
  assert_memory_equal(again.bytes, messages[FINDINGS].bytes, again.count);
  ent_message_free(&again);
  ent_column_survey_free(&survey);
  free_messages(messages);
}

/* Every byte that is changed, and every byte that is missing, shows in the checksum. */
static void damage_is_refused(void **state) {
  ent_message messages[KINDS];
  make_messages(state, messages);
  for (int kind = 0; kind < KINDS; kind++) {
    ent_message *message = &messages[kind];
    for (size_t i = 0; i < message->count; i++) {
      ent_message cut = {message->bytes, i};
      message->bytes[i] ^= 0x11;
      assert_int_equal(read_message((message_kind)kind, message), ENTROPIC_BAD_DATA);
      message->bytes[i] ^= 0x11;
      assert_int_equal(read_message((message_kind)kind, &cut), ENTROPIC_BAD_DATA);
    }
    assert_int_equal(read_message((message_kind)((kind + 1) % KINDS), message), ENTROPIC_BAD_DATA);
    assert_int_equal(read_message((message_kind)kind, &(ent_message){NULL, 0}), ENTROPIC_BAD_DATA);
  }
  free_messages(messages);
}

/* With a checksum that is right any bytes may come: they are refused, or read without harm. */
static void made_up_messages_do_no_harm(void **state) {
  ent_message messages[KINDS];
  make_messages(state, messages);
  entropic_random random = entropic_random_start(3, 9);
  size_t refused = 0;
  for (int kind = 0; kind < KINDS; kind++) {
    const ent_message *message = &messages[kind];
    for (int trial = 0; trial < (quick_tests() ? 1000 : 6000); trial++) {
      size_t count = trial % 3 == 0 ? 16 + (size_t)entropic_random_below(&random, message->count - 15) : message->count;
      ent_message made = {malloc(count), count};
      assert_non_null(made.bytes);
      memcpy(made.bytes, message->bytes, count);
      for (int changes = 1 + trial % 4; changes > 0; changes--)
        made.bytes[12 + entropic_random_below(&random, count - 12)] = (unsigned char)entropic_random_bits(&random);
      seal(&made);
      entropic_status status = read_message((message_kind)kind, &made);
      assert_true(status == ENTROPIC_OK || status == ENTROPIC_BAD_DATA);
      refused += status == ENTROPIC_BAD_DATA;
      free(made.bytes);
    }
  }
  assert_true(refused > 1000);
  free_messages(messages);
}

static void another_version_is_refused(void **state) {
  ent_message messages[KINDS];
  make_messages(state, messages);
  messages[PLAN].bytes[8]++;
  seal(&messages[PLAN]);
  assert_int_equal(read_message(PLAN, &messages[PLAN]), ENTROPIC_BAD_DATA);
  assert_message(context, "found version 2, expected 1");
  free_messages(messages);
}

SUITE(data_shard_messages) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(messages_are_read_back),
      cmocka_unit_test(damage_is_refused),
      cmocka_unit_test(made_up_messages_do_no_harm),
      cmocka_unit_test(another_version_is_refused),
  };
  return cmocka_run_group_tests(tests, start_in_folder, stop_in_folder);
}
