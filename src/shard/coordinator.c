/* The coordinator: the table of several shards, and statistics of all their rows. See entropic/shards.h. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "dataset/dataset.h"
#include "entropic/shards.h"
#include "entropic/statistics.h"
#include "shard/all_rows_pass.h"
#include "shard/question.h"
#include "shard/table_part.h"
#include "update/statistics_calls.h"

/* What the callback of an exchange gives. */
struct entropic_answer {
  unsigned char *bytes; /* NULL: nothing yet */
  size_t size;
  char *message; /* of a failure; NULL: none was given */
};

/* Shards that have the rows of a table, and how to ask them: of tables whose own rows are a sample. */
typedef struct ent_remote_shards {
  entropic_exchange exchange;
  void *user;
  size_t shards;
  ent_message plan, survey; /* by which they read, and what they found, as it was decided on */
  uint64_t *first_row;      /* [shards] */
} ent_remote_shards;

static void free_remote_shards(ent_remote_shards *remote) {
  if (remote == NULL)
    return;
  ent_message_free(&remote->plan);
  ent_message_free(&remote->survey);
  ent_delete(remote->first_row);
  ent_delete(remote);
}

entropic_status entropic_answer_give(entropic_answer *answer, const void *bytes, size_t size) {
  if (answer == NULL || bytes == NULL)
    return ENTROPIC_BAD_ARGUMENT;
  unsigned char *copy = ent_new_raw(NULL, size, 1, 1);
  if (copy == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(copy, bytes, size);
  ent_delete(answer->bytes);
  answer->bytes = copy;
  answer->size = size;
  return ENTROPIC_OK;
}

void entropic_answer_fail(entropic_answer *answer, const char *message) {
  if (answer == NULL || message == NULL)
    return;
  ent_delete(answer->message);
  answer->message = ent_new_text(NULL, message, strlen(message)); /* without memory the status has to do */
}

/* *answer is to be freed. */
static entropic_status exchange_messages(entropic_context *context, const ent_remote_shards *remote,
                                         const ent_message *question, ent_message *answer) {
  entropic_answer given = {0};
  entropic_status status = remote->exchange(remote->user, question->bytes, question->count, &given);
  if (status == ENTROPIC_OK && given.bytes == NULL)
    status = ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the exchange gave no answer");
  else if (status != ENTROPIC_OK)
    status = ent_fail(context, status, "%s", given.message != NULL ? given.message : entropic_status_text(status));
  ent_delete(given.message);
  if (status != ENTROPIC_OK) {
    ent_delete(given.bytes);
    return status;
  }
  *answer = (ent_message){given.bytes, given.size};
  return ENTROPIC_OK;
}

#define ROUNDS_MOST 64 /* of reading: each decides a column, or where a part begins */

/* Asks all shards. The reply borrows from *bytes; both are the caller's. A failure of a shard is that of the call. */
static entropic_status ask(entropic_context *context, const ent_remote_shards *remote, const ent_question *question,
                           ent_message *bytes, ent_reply *reply) {
  ent_message packed = {0};
  *bytes = (ent_message){0};
  *reply = (ent_reply){0};
  entropic_status status = ent_question_pack(context, question, &packed);
  if (status != ENTROPIC_OK)
    return status;
  status = exchange_messages(context, remote, &packed, bytes);
  ent_message_free(&packed);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_reply_unpack(context, (ent_span){bytes->bytes, bytes->count}, reply);
  if (status != ENTROPIC_OK)
    return status;
  if (reply->kind == ENT_QUESTION_FAILURE)
    return ent_fail(context, reply->status, "%s", reply->message);
  if (reply->kind != question->kind)
    return ent_fail(context, ENTROPIC_BAD_DATA, "the answer to a different question");
  return ENTROPIC_OK;
}

static void forget(ent_message *bytes, ent_reply *reply) {
  ent_reply_clear(reply);
  ent_message_free(bytes);
}

static ent_span span_of(const ent_message *message) {
  return (ent_span){message->bytes, message->count};
}

/* A copy of bytes that are borrowed. */
static entropic_status copy_span(entropic_context *context, ent_span span, ent_message *copy) {
  *copy = (ent_message){ent_new_raw(context, span.count, 1, 1), span.count};
  if (copy->bytes == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(copy->bytes, span.bytes, span.count);
  return ENTROPIC_OK;
}

/* The first plan. */
static entropic_status guess(entropic_context *context, ent_remote_shards *remote) {
  ent_message bytes;
  ent_reply reply;
  entropic_status status =
      ask(context, remote, &(ent_question){.kind = ENT_QUESTION_GUESS, .shards = remote->shards}, &bytes, &reply);
  if (status == ENTROPIC_OK)
    status = copy_span(context, reply.bytes, &remote->plan);
  forget(&bytes, &reply);
  return status;
}

/* The first row of each shard, and how many there are in all. */
static entropic_status count_rows(entropic_context *context, const ent_reply *reply, ent_remote_shards *remote,
                                  uint64_t *rows) {
  if (reply->count != remote->shards)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%zu shards have answered, expected %zu", reply->count, remote->shards);
  ent_delete(remote->first_row);
  remote->first_row = ent_new(context, remote->shards, sizeof *remote->first_row);
  if (remote->first_row == NULL)
    return ENTROPIC_NO_MEMORY;
  *rows = 0;
  for (size_t i = 0; i < remote->shards; i++) {
    remote->first_row[i] = *rows;
    *rows += reply->rows[i];
  }
  return ENTROPIC_OK;
}

/* One round of reading: what was found is decided on, or there is another plan. */
static entropic_status read_round(entropic_context *context, ent_remote_shards *remote, uint64_t *rows, bool *again) {
  ent_message bytes, next = {0};
  ent_reply reply;
  ent_column_survey survey = {0};
  entropic_status status =
      ask(context, remote,
          &(ent_question){.kind = ENT_QUESTION_READ, .shards = remote->shards, .plan = span_of(&remote->plan)}, &bytes,
          &reply);
  if (status != ENTROPIC_OK)
    goto done;
  status = count_rows(context, &reply, remote, rows);
  if (status != ENTROPIC_OK)
    goto done;
  const ent_message found = ent_message_of(reply.bytes);
  status = ent_column_survey_unpack(context, &found, &survey);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_column_survey_decide(context, &survey, again);
  if (status != ENTROPIC_OK)
    goto done;
  if (*again) {
    status = ent_read_plan_next(context, &remote->plan, &survey, &next);
    if (status != ENTROPIC_OK)
      goto done;
    ent_message_free(&remote->plan);
    remote->plan = next;
  } else {
    status = ent_column_survey_pack(context, &survey, &remote->survey);
  }
done:
  ent_column_survey_free(&survey);
  forget(&bytes, &reply);
  return status;
}

/* A question about rows, once all is known of the columns. */
static ent_question about_rows(const ent_remote_shards *remote, ent_question_kind kind) {
  return (ent_question){.kind = kind,
                        .shards = remote->shards,
                        .plan = span_of(&remote->plan),
                        .survey = span_of(&remote->survey),
                        .first_row = remote->first_row};
}

/* The rows of the sample, with the columns of all rows. */
static entropic_status take_sample(entropic_context *context, const ent_remote_shards *remote, uint64_t rows,
                                   uint64_t most, entropic_table **table) {
  ent_message bytes, *lists = NULL;
  ent_reply reply;
  ent_question question = about_rows(remote, ENT_QUESTION_SAMPLE);
  question.rows = rows;
  question.most = most;
  entropic_status status = ask(context, remote, &question, &bytes, &reply);
  if (status != ENTROPIC_OK)
    goto done;
  lists = ent_new(context, reply.count, sizeof *lists);
  status = lists == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < reply.count; i++)
    lists[i] = ent_message_of(reply.lists[i]);
  status = ent_table_of_sample(context, &remote->survey, lists, reply.count, table);
done:
  ent_delete(lists);
  forget(&bytes, &reply);
  return status;
}

/* A table that is being put together. */
typedef struct ent_shards_call {
  ent_remote_shards *remote;
  uint64_t most;
  entropic_table *table;
} ent_shards_call;

static entropic_status load_shards(entropic_context *context, void *arguments) {
  ent_shards_call *call = arguments;
  uint64_t rows = 0;
  bool again = true;
  entropic_status status = guess(context, call->remote);
  for (int round = 0; status == ENTROPIC_OK && again && round < ROUNDS_MOST; round++)
    status = read_round(context, call->remote, &rows, &again);
  if (status == ENTROPIC_OK && again)
    status = ent_fail(context, ENTROPIC_BAD_DATA, "the shards' columns do not match");
  if (status != ENTROPIC_OK)
    return status;
  return take_sample(context, call->remote, rows, call->most, &call->table);
}

entropic_status entropic_table_of_shards(entropic_context *context, entropic_exchange exchange, void *user,
                                         size_t count, const entropic_parameters *parameters, entropic_table **table) {
  if (exchange == NULL || table == NULL || count == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s",
                    exchange == NULL ? "exchange is NULL"
                    : table == NULL  ? "table is NULL"
                                     : "0 shards, expected at least one");
  entropic_status status = ent_parameters_need(context, parameters, ENTROPIC_PURPOSE_FIT);
  if (status != ENTROPIC_OK)
    return status;
  double start = ent_seconds();
  ent_shards_call call = {.most = ent_parameters_integer(parameters, "sample", ENT_SAMPLE_ROWS)};
  call.remote = ent_new(context, 1, sizeof *call.remote);
  if (call.remote == NULL)
    return ENTROPIC_NO_MEMORY;
  call.remote->exchange = exchange;
  call.remote->user = user;
  call.remote->shards = count;
  status = ent_call_run(context, "reading", load_shards, &call);
  if (status != ENTROPIC_OK) {
    entropic_table_free(call.table);
    free_remote_shards(call.remote);
    return status;
  }
  call.table->remote = call.remote;
  call.table->free_remote = free_remote_shards;
  call.table->seconds = ent_seconds() - start;
  *table = call.table;
  return ENTROPIC_OK;
}

static entropic_status collect_shards(entropic_context *context, const ent_remote_shards *remote,
                                      const entropic_model *model, ent_fixed *fixed, ent_collected *collected) {
  entropic_statistics *statistics = NULL;
  ent_message bytes = {0}, saved = {0};
  ent_reply reply = {0};
  entropic_status status = entropic_model_save_memory(context, model, &saved.bytes, &saved.count);
  if (status != ENTROPIC_OK)
    return status;
  ent_question question = about_rows(remote, ENT_QUESTION_COLLECT);
  question.model = span_of(&saved);
  status = ask(context, remote, &question, &bytes, &reply);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_statistics_load_memory(context, reply.bytes.bytes, reply.bytes.count, &statistics);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_frozen_compare(context, model, statistics->design.model);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_fixed_add(context, fixed, statistics->design.model->totals);
  if (fixed->side_count != statistics->design.model->totals->side_count)
    ent_fixed_drop_side(fixed);
  *collected = reply.collected;
done:
  entropic_statistics_free(statistics);
  forget(&bytes, &reply);
  ent_message_free(&saved);
  return status;
}

static entropic_status gradient_of_shards(entropic_context *context, const ent_remote_shards *remote,
                                          const ent_gradient_point *at, ent_gradient_sums *sums,
                                          ent_collected *collected) {
  ent_gradient_sums *added = NULL;
  ent_message bytes = {0}, saved = {0};
  ent_reply reply = {0};
  entropic_status status = entropic_model_save_memory(context, at->model, &saved.bytes, &saved.count);
  if (status != ENTROPIC_OK)
    return status;
  ent_question question = about_rows(remote, ENT_QUESTION_GRADIENT);
  question.model = span_of(&saved);
  question.weight_exponent = at->weight_exponent;
  question.classes = at->class_weight == NULL ? 0 : at->model->schema.classes;
  question.class_weight = (double *)(uintptr_t)at->class_weight;
  status = ask(context, remote, &question, &bytes, &reply);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_gradient_sums_from_bytes(context, reply.bytes.bytes, reply.bytes.count, &added);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_gradient_sums_add(context, sums, added);
  *collected = reply.collected;
done:
  ent_gradient_sums_free(added);
  forget(&bytes, &reply);
  ent_message_free(&saved);
  return status;
}

entropic_status ent_all_rows_collect(entropic_context *context, const ent_all_rows *all, const entropic_model *model,
                                     ent_fixed *fixed, ent_collected *collected) {
  const ent_remote_shards *remote = all->table->remote;
  return remote == NULL ? ent_table_collect(context, all->table, model, fixed, collected)
                        : collect_shards(context, remote, model, fixed, collected);
}

entropic_status ent_all_rows_add_gradient(entropic_context *context, const ent_all_rows *all,
                                          const ent_gradient_point *at, ent_gradient_sums *sums,
                                          ent_collected *collected) {
  const ent_remote_shards *remote = all->table->remote;
  return remote == NULL ? ent_table_add_gradient(context, all->table, at, sums, collected)
                        : gradient_of_shards(context, remote, at, sums, collected);
}
