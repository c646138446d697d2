/* The coordinator: the table of several shards, and statistics of all their rows. See entropic/shards.h. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "data/elsewhere.h"
#include "data/shard.h"
#include "entropic/statistics.h"
#include "model/fit_options.h"
#include "model/question.h"
#include "model/statistics_calls.h"
#include "model/whole.h"

#define ROUNDS_MOST 64 /* of reading: each settles a column, or where a part begins */

/* Asks all shards. The reply borrows from *bytes; both are the caller's. A failure of a shard is that of the call. */
static entropic_status ask(entropic_context *context, const ent_elsewhere *elsewhere, const ent_question *question,
                           ent_parcel *bytes, ent_reply *reply) {
  ent_parcel packed = {0};
  *bytes = (ent_parcel){0};
  *reply = (ent_reply){0};
  entropic_status status = ent_question_pack(context, question, &packed);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_elsewhere_ask(context, elsewhere, &packed, bytes);
  ent_parcel_free(&packed);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_reply_unpack(context, (ent_span){bytes->bytes, bytes->count}, reply);
  if (status != ENTROPIC_OK)
    return status;
  if (reply->kind == ENT_QUESTION_FAILURE)
    return ent_fail(context, reply->status, "%s", reply->message);
  if (reply->kind != question->kind)
    return ent_fail(context, ENTROPIC_BAD_DATA, "the answer to another question");
  return ENTROPIC_OK;
}

static void forget(ent_parcel *bytes, ent_reply *reply) {
  ent_reply_clear(reply);
  ent_parcel_free(bytes);
}

static ent_span span_of(const ent_parcel *parcel) {
  return (ent_span){parcel->bytes, parcel->count};
}

/* A copy of bytes that are borrowed. */
static entropic_status copy_span(entropic_context *context, ent_span span, ent_parcel *copy) {
  *copy = (ent_parcel){ent_new_raw(context, span.count, 1, 1), span.count};
  if (copy->bytes == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(copy->bytes, span.bytes, span.count);
  return ENTROPIC_OK;
}

/* The first plan. */
static entropic_status guess(entropic_context *context, ent_elsewhere *elsewhere) {
  ent_parcel bytes;
  ent_reply reply;
  entropic_status status =
      ask(context, elsewhere, &(ent_question){.kind = ENT_QUESTION_GUESS, .shards = elsewhere->shards}, &bytes, &reply);
  if (status == ENTROPIC_OK)
    status = copy_span(context, reply.bytes, &elsewhere->plan);
  forget(&bytes, &reply);
  return status;
}

/* The first row of each shard, and how many there are in all. */
static entropic_status count_rows(entropic_context *context, const ent_reply *reply, ent_elsewhere *elsewhere,
                                  uint64_t *rows) {
  if (reply->count != elsewhere->shards)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%zu shards have answered, expected %zu", reply->count,
                    elsewhere->shards);
  ent_delete(elsewhere->first_row);
  elsewhere->first_row = ent_new(context, elsewhere->shards, sizeof *elsewhere->first_row);
  if (elsewhere->first_row == NULL)
    return ENTROPIC_NO_MEMORY;
  *rows = 0;
  for (size_t i = 0; i < elsewhere->shards; i++) {
    elsewhere->first_row[i] = *rows;
    *rows += reply->rows[i];
  }
  return ENTROPIC_OK;
}

/* One round of reading: what was found is decided on, or there is another plan. */
static entropic_status read_round(entropic_context *context, ent_elsewhere *elsewhere, uint64_t *rows, bool *again) {
  ent_parcel bytes, next = {0};
  ent_reply reply;
  ent_findings findings = {0};
  entropic_status status =
      ask(context, elsewhere,
          &(ent_question){.kind = ENT_QUESTION_READ, .shards = elsewhere->shards, .plan = span_of(&elsewhere->plan)},
          &bytes, &reply);
  if (status != ENTROPIC_OK)
    goto done;
  status = count_rows(context, &reply, elsewhere, rows);
  if (status != ENTROPIC_OK)
    goto done;
  const ent_parcel found = {(unsigned char *)(uintptr_t)reply.bytes.bytes, reply.bytes.count};
  status = ent_findings_unpack(context, &found, &findings);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_findings_decide(context, &findings, again);
  if (status != ENTROPIC_OK)
    goto done;
  if (*again) {
    status = ent_read_plan_next(context, &elsewhere->plan, &findings, &next);
    if (status != ENTROPIC_OK)
      goto done;
    ent_parcel_free(&elsewhere->plan);
    elsewhere->plan = next;
  } else {
    status = ent_findings_pack(context, &findings, &elsewhere->whole);
  }
done:
  ent_findings_free(&findings);
  forget(&bytes, &reply);
  return status;
}

/* A question about rows, once all is known of the columns. */
static ent_question about_rows(const ent_elsewhere *elsewhere, ent_question_kind kind) {
  return (ent_question){.kind = kind,
                        .shards = elsewhere->shards,
                        .plan = span_of(&elsewhere->plan),
                        .whole = span_of(&elsewhere->whole),
                        .first_row = elsewhere->first_row};
}

/* The rows of the sample, with the columns of all rows. */
static entropic_status take_sample(entropic_context *context, const ent_elsewhere *elsewhere, uint64_t rows,
                                   uint64_t most, entropic_table **table) {
  ent_parcel bytes, *lists = NULL;
  ent_reply reply;
  ent_question question = about_rows(elsewhere, ENT_QUESTION_SAMPLE);
  question.rows = rows;
  question.most = most;
  entropic_status status = ask(context, elsewhere, &question, &bytes, &reply);
  if (status != ENTROPIC_OK)
    goto done;
  lists = ent_new(context, reply.count, sizeof *lists);
  status = lists == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < reply.count; i++)
    lists[i] = (ent_parcel){(unsigned char *)(uintptr_t)reply.lists[i].bytes, reply.lists[i].count};
  status = ent_table_of_sample(context, &elsewhere->whole, lists, reply.count, table);
done:
  ent_delete(lists);
  forget(&bytes, &reply);
  return status;
}

/* A table that is being put together. */
typedef struct ent_shards_call {
  ent_elsewhere *elsewhere;
  uint64_t most;
  entropic_table *table;
} ent_shards_call;

static entropic_status load_shards(entropic_context *context, void *arguments) {
  ent_shards_call *call = arguments;
  uint64_t rows = 0;
  bool again = true;
  entropic_status status = guess(context, call->elsewhere);
  for (int round = 0; status == ENTROPIC_OK && again && round < ROUNDS_MOST; round++)
    status = read_round(context, call->elsewhere, &rows, &again);
  if (status == ENTROPIC_OK && again)
    status = ent_fail(context, ENTROPIC_BAD_DATA, "shards cannot agree on their columns");
  if (status != ENTROPIC_OK)
    return status;
  return take_sample(context, call->elsewhere, rows, call->most, &call->table);
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
  call.elsewhere = ent_new(context, 1, sizeof *call.elsewhere);
  if (call.elsewhere == NULL)
    return ENTROPIC_NO_MEMORY;
  call.elsewhere->exchange = exchange;
  call.elsewhere->user = user;
  call.elsewhere->shards = count;
  status = ent_call_run(context, "reading", load_shards, &call);
  if (status != ENTROPIC_OK) {
    entropic_table_free(call.table);
    ent_elsewhere_free(call.elsewhere);
    return status;
  }
  call.table->elsewhere = call.elsewhere;
  call.table->seconds = ent_seconds() - start;
  *table = call.table;
  return ENTROPIC_OK;
}

static entropic_status collect_shards(entropic_context *context, void *self, const entropic_model *model,
                                      ent_fixed *fixed, ent_collected *collected) {
  const ent_elsewhere *elsewhere = ((const entropic_table *)self)->elsewhere;
  entropic_statistics *statistics = NULL;
  ent_parcel bytes = {0}, saved = {0};
  ent_reply reply = {0};
  entropic_status status = entropic_model_save_memory(context, model, &saved.bytes, &saved.count);
  if (status != ENTROPIC_OK)
    return status;
  ent_question question = about_rows(elsewhere, ENT_QUESTION_COLLECT);
  question.model = span_of(&saved);
  status = ask(context, elsewhere, &question, &bytes, &reply);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_statistics_load_memory(context, reply.bytes.bytes, reply.bytes.count, &statistics);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_frozen_compare(context, model, statistics->model);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_fixed_add(context, fixed, statistics->model->totals);
  *collected = reply.collected;
done:
  entropic_statistics_free(statistics);
  forget(&bytes, &reply);
  ent_parcel_free(&saved);
  return status;
}

static entropic_status gradient_of_shards(entropic_context *context, void *self, const ent_whole_gradient *at,
                                          ent_gradient_sums *sums, ent_collected *collected) {
  const ent_elsewhere *elsewhere = ((const entropic_table *)self)->elsewhere;
  ent_gradient_sums *added = NULL;
  ent_parcel bytes = {0}, saved = {0};
  ent_reply reply = {0};
  entropic_status status = entropic_model_save_memory(context, at->model, &saved.bytes, &saved.count);
  if (status != ENTROPIC_OK)
    return status;
  ent_question question = about_rows(elsewhere, ENT_QUESTION_GRADIENT);
  question.model = span_of(&saved);
  question.weight_exponent = at->weight_exponent;
  question.classes = at->class_weight == NULL ? 0 : at->model->schema.classes;
  question.class_weight = (double *)(uintptr_t)at->class_weight;
  status = ask(context, elsewhere, &question, &bytes, &reply);
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
  ent_parcel_free(&saved);
  return status;
}

const ent_whole_calls ent_whole_calls_of_shards = {collect_shards, gradient_of_shards, ent_whole_free_table};
