/* Tables read in parts, all in this process, compared with the same tables read at once. */
#ifndef SHARDING_H
#define SHARDING_H

#include "unit/tests.h"

#include "shard/table_part.h"

#define PARTS_MOST 2000

/* In which order surveys are merged. */
typedef enum merge_order { MERGE_LEFT, MERGE_RIGHT, MERGE_TREE, MERGINGS } merge_order;

typedef struct sharded {
  ent_shard *shards[PARTS_MOST];
  size_t parts;
  merge_order merging;
  ent_column_survey survey; /* of the whole table */
  ent_message whole;        /* the same as a message */
  int rounds;
  entropic_status status;
  char message[ENT_MESSAGE_SIZE];
} sharded;

static inline void sharded_free(sharded *s) {
  for (size_t i = 0; i < s->parts; i++)
    ent_shard_free(s->shards[i]);
  ent_column_survey_free(&s->survey);
  ent_message_free(&s->whole);
}

/* Merges surveys first .. limit - 1. */
static inline void merge_parts(entropic_context *context, const sharded *s, const ent_message **messages, size_t first,
                               size_t limit, ent_column_survey *merged) {
  if (first + 1 == limit) {
    ASSERT_OK(context, ent_column_survey_unpack(context, messages[first], merged));
    return;
  }
  size_t middle = s->merging == MERGE_LEFT ? limit - 1 : s->merging == MERGE_RIGHT ? first + 1 : (first + limit) / 2;
  ent_column_survey next;
  ent_message message;
  merge_parts(context, s, messages, first, middle, merged);
  merge_parts(context, s, messages, middle, limit, &next);
  ASSERT_OK(context, ent_column_survey_merge(context, merged, &next));
  ent_column_survey_free(&next);
  if (s->merging != MERGE_TREE)
    return;
  /* On the way they may be messages again. */
  ASSERT_OK(context, ent_column_survey_pack(context, merged, &message));
  ent_column_survey_free(merged);
  ASSERT_OK(context, ent_column_survey_unpack(context, &message, merged));
  ent_message_free(&message);
}

static inline void keep_failure(entropic_context *context, sharded *s, entropic_status status) {
  s->status = status;
  snprintf(s->message, sizeof s->message, "%s", entropic_context_message(context));
}

/* One round: true if there has to be another one. */
static inline bool run_round(entropic_context *context, sharded *s, const ent_message *plan) {
  const ent_message *messages[PARTS_MOST];
  size_t fine = 0;
  s->rounds++;
  s->status = ENTROPIC_OK;
  for (; fine < s->parts; fine++) {
    entropic_status status = ent_shard_read(context, s->shards[fine], plan, &messages[fine]);
    if (status == ENTROPIC_OK)
      continue;
    keep_failure(context, s, status);
    break;
  }
  ent_column_survey_free(&s->survey);
  if (fine == 0)
    return false;
  merge_parts(context, s, messages, 0, fine, &s->survey);
  if (s->status != ENTROPIC_OK && !s->survey.reread)
    return false; /* all parts before it are fine */
  bool again = false;
  s->status = ENTROPIC_OK;
  entropic_status status = ent_column_survey_decide(context, &s->survey, &again);
  if (status != ENTROPIC_OK)
    keep_failure(context, s, status);
  return status == ENTROPIC_OK && again;
}

/* Rounds with shards that are open. */
static inline void run_rounds(entropic_context *context, sharded *s) {
  ent_message plan, next;
  ASSERT_OK(context, ent_shard_guess(context, s->shards[0], s->parts, &plan));
  while (run_round(context, s, &plan)) {
    assert_true(s->rounds < 3000);
    ASSERT_OK(context, ent_read_plan_next(context, &plan, &s->survey, &next));
    ent_message_free(&plan);
    plan = next;
  }
  ent_message_free(&plan);
  if (s->status != ENTROPIC_OK)
    return;
  uint64_t rows = 0;
  ASSERT_OK(context, ent_column_survey_pack(context, &s->survey, &s->whole));
  for (size_t i = 0; i < s->parts; i++) {
    size_t count = ent_shard_rows(s->shards[i]);
    ASSERT_OK(context, ent_shard_complete(context, s->shards[i], &s->whole, rows));
    rows += count;
  }
  assert_true(rows == s->survey.rows);
}

/* A file in so many parts. */
static inline void run_file(entropic_context *context, sharded *s, const char *path, const ent_read_options *options) {
  for (size_t i = 0; i < s->parts; i++) {
    entropic_status status = ent_shard_open(context, path, options, i, s->parts, &s->shards[i]);
    if (status == ENTROPIC_OK)
      continue;
    keep_failure(context, s, status);
    return;
  }
  run_rounds(context, s);
}

/* ---- Comparison ---- */

#define SAME(actual, expected)                                                                                         \
  do {                                                                                                                 \
    if (!((actual) == (expected)))                                                                                     \
      fail_msg("%s, column %s: %s is %.17g, expected %.17g", what, expected_column_name, #actual, (double)(actual),    \
               (double)(expected));                                                                                    \
  } while (0)

static inline void compare_dictionaries(const ent_dictionary *found, const ent_dictionary *expected, bool ordered,
                                        const char *what, const char *expected_column_name) {
  SAME(ent_dictionary_size(found), ent_dictionary_size(expected));
  for (uint32_t code = 0; code < ent_dictionary_size(expected); code++) {
    const ent_dictionary_item b = ent_dictionary_get(expected, code);
    uint32_t place;
    assert_true(ent_dictionary_find(found, b.text, b.length, &place));
    if (!ordered)
      continue;
    const ent_dictionary_item a = ent_dictionary_get(found, code);
    SAME(place, code);
    SAME(a.noted, b.noted);
    SAME(a.line, b.line);
    SAME(a.marked, b.marked);
  }
}

static inline void compare_evidence(const ent_notation_evidence *a, const ent_notation_evidence *b, const char *what,
                                    const char *expected_column_name) {
  SAME(a != NULL, b != NULL);
  if (b == NULL)
    return;
  for (int n = 0; n < ENT_NOTATIONS; n++)
    SAME(a->matches[n], b->matches[n]);
  SAME(a->ambiguous, b->ambiguous);
  SAME(a->marked, b->marked);
  SAME(a->example_ambiguous, b->example_ambiguous);
  SAME(a->unsettled, b->unsettled);
  SAME(a->units_differ, b->units_differ);
  SAME(a->point, b->point);
  SAME(a->commas, b->commas);
  SAME(a->groups, b->groups);
  assert_string_equal(a->example, b->example);
  assert_string_equal(a->unit, b->unit);
}

static inline void compare_column(const ent_column *a, const ent_column *b, const char *what) {
  const char *expected_column_name = b->name;
  assert_string_equal(a->name, b->name);
  SAME(a->mode, b->mode);
  SAME(a->role, b->role);
  SAME(a->type, b->type);
  SAME(a->notation, b->notation);
  SAME(a->declared, b->declared);
  SAME(a->kept, b->kept);
  SAME(a->time, b->time);
  SAME(a->guessed, b->guessed);
  SAME(a->unspelled, b->unspelled);
  SAME(a->full, b->full);
  if (b->full)
    return; /* where it ceased to grow depends on the blocks */
  SAME(a->missing, b->missing);
  SAME(a->soft, b->soft);
  SAME(a->texts, b->texts);
  SAME(a->ranges, b->ranges);
  SAME(a->same, b->same);
  if (b->same)
    assert_true(a->first == b->first || (isnan(a->first) && isnan(b->first)));
  if (b->mode != ENT_MODE_TEXT) {
    SAME(a->counting, b->counting);
    SAME(a->bad_line, b->bad_line);
  }
  if (b->mode != ENT_MODE_TEXT && b->counting) {
    SAME(a->least, b->least);
    SAME(a->most, b->most);
    SAME(a->last, b->last);
    SAME(a->hashes, b->hashes);
  }
  if (b->mode != ENT_MODE_TEXT && b->bad_line > 0) {
    SAME(a->bad_range, b->bad_range);
    assert_string_equal(a->bad_text, b->bad_text);
  }
  SAME(a->lowest, b->lowest);
  SAME(a->highest, b->highest);
  compare_dictionaries(a->dictionary, b->dictionary, true, what, b->name);
  compare_dictionaries(a->words, b->words, true, what, b->name);
  compare_dictionaries(a->spellings, b->spellings, false, what, b->name);
  compare_evidence(a->evidence, b->evidence, what, b->name);
}

static inline void compare_columns(const ent_columns *a, const ent_columns *b, const char *what) {
  assert_int_equal(a->count, b->count);
  assert_string_equal(a->place, b->place);
  assert_int_equal(a->named, b->named);
  assert_int_equal(a->headless, b->headless);
  assert_int_equal(a->first, b->first);
  for (size_t i = 0; i < b->count; i++)
    compare_column(&a->list[i], &b->list[i], what);
  for (size_t i = 0; i < a->notices.count && i < b->notices.count; i++)
    assert_string_equal(a->notices.list[i], b->notices.list[i]);
  assert_int_equal(a->notices.count, b->notices.count);
}

static inline void compare_value(double a, const ent_column *found, double b, const ent_column *expected,
                                 const char *what, size_t row) {
  if (isnan(a) && isnan(b)) {
    assert_string_equal(ent_column_missing_text(found, a), ent_column_missing_text(expected, b));
    return;
  }
  if (!expected->full && a != b)
    fail_msg("%s, row %zu, column %s: %.17g, expected %.17g", what, row + 1, expected->name, a, b);
}

/* Do the rows of `found` equal those of `expected` from `first` on? */
static inline void compare_rows(const entropic_table *found, const entropic_table *expected, size_t first,
                                const char *what) {
  for (size_t column = 0; column < expected->source->columns.count; column++)
    for (size_t row = 0; row < found->source->rows; row++) {
      double a, b;
      ent_table_read(found, column, row, 1, &a);
      ent_table_read(expected, column, first + row, 1, &b);
      compare_value(a, &found->source->columns.list[column], b, &expected->source->columns.list[column], what,
                    first + row);
    }
}

/* A sample of the rows is the same rows of the table. */
static inline void compare_sample(entropic_context *context, const sharded *s, const entropic_table *expected,
                                  const char *what) {
  ent_hash_sample sample;
  ent_message *messages = calloc(s->parts, sizeof *messages);
  entropic_table *found = NULL;
  size_t next = 0;
  ASSERT_OK(context, ent_hash_sample_create(context, s->survey.rows, s->survey.rows / 2 + 1, &sample));
  for (size_t i = 0; i < s->parts; i++)
    ASSERT_OK(context, ent_shard_sample(context, s->shards[i], &sample, &messages[i]));
  ASSERT_OK(context, ent_table_of_sample(context, &s->whole, messages, s->parts, &found));
  assert_true(found->source->rows == sample.size);
  bool all = sample.size == s->survey.rows;
  assert_true(found->total == (all ? 0 : s->survey.rows) && (found->number == NULL) == all);
  compare_columns(&found->source->columns, &expected->source->columns, what);
  for (size_t row = 0; row < expected->source->rows; row++) {
    if (!ent_hash_sample_takes(&sample, row))
      continue;
    for (size_t column = 0; column < expected->source->columns.count; column++) {
      double a, b;
      ent_table_read(found, column, next, 1, &a);
      ent_table_read(expected, column, row, 1, &b);
      compare_value(a, &found->source->columns.list[column], b, &expected->source->columns.list[column], what, row);
    }
    assert_true(all || found->number[next] == row);
    next++;
  }
  assert_true(next == sample.size);
  for (size_t i = 0; i < s->parts; i++)
    ent_message_free(&messages[i]);
  free(messages);
  entropic_table_free(found);
}

/* Do the rounds end as reading at once did: with the same columns and rows, or the same message? */
static inline void compare_with(entropic_context *context, const sharded *s, entropic_status status,
                                const char *message, const entropic_table *expected, const char *what) {
  if (s->status != status)
    fail_msg("%s: %s, expected %s", what, s->status == ENTROPIC_OK ? "fine" : s->message,
             status == ENTROPIC_OK ? "fine" : message);
  if (status != ENTROPIC_OK) {
    assert_string_equal(s->message, message);
    return;
  }
  size_t row = 0;
  compare_columns(&s->survey.columns, &expected->source->columns, what);
  for (size_t i = 0; i < s->parts; i++) {
    const entropic_table *table = ent_shard_table(s->shards[i]);
    compare_rows(table, expected, row, what);
    row += table->source->rows;
  }
  assert_int_equal(row, expected->source->rows);
  compare_sample(context, s, expected, what);
}

/* Reads a file at once and in parts, and compares; returns the rounds it took. */
static inline int check_file(entropic_context *context, const char *path, const ent_read_options *options, size_t parts,
                             merge_order merging) {
  entropic_table *table = NULL;
  char what[300], message[ENT_MESSAGE_SIZE];
  const char *name = strrchr(path, '/');
  snprintf(what, sizeof what, "%s in %zu parts", name == NULL ? path : name, parts);
  entropic_status status = ent_table_load(context, path, options, &table);
  snprintf(message, sizeof message, "%s", status == ENTROPIC_OK ? "" : entropic_context_message(context));
  sharded *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->parts = parts;
  s->merging = merging;
  run_file(context, s, path, options);
  compare_with(context, s, status, message, table, what);
  int rounds = s->rounds;
  sharded_free(s);
  free(s);
  entropic_table_free(table);
  return rounds;
}

#endif
