/* Questions and answers as bytes: see question.h. */
#include "shard/question.h"

#include "base/memory.h"

#define QUESTION "question"
#define ANSWER "answer 1"
#define SHARDS_MOST UINT64_C(100000000)

static void pack_span(ent_packer *packer, ent_span span) {
  ent_pack_u64(packer, span.count);
  ent_pack_bytes(packer, span.bytes, span.count);
}

static ent_span unpack_span(ent_unpacker *unpacker, const char *what) {
  uint64_t count = ent_unpack_u64(unpacker, what);
  if (ent_unpack_fine(unpacker) && count > ent_unpack_left(unpacker))
    ent_unpack_refuse(unpacker, unpacker->at, "%s of %llu bytes, expected at most %zu", what, (unsigned long long)count,
                      ent_unpack_left(unpacker));
  if (!ent_unpack_fine(unpacker))
    return (ent_span){0};
  return (ent_span){ent_unpack_bytes(unpacker, (size_t)count, what), (size_t)count};
}

static void pack_numbers(ent_packer *packer, const uint64_t *numbers, size_t count) {
  for (size_t i = 0; i < count; i++)
    ent_pack_u64(packer, numbers[i]);
}

/* NULL on failure. */
static uint64_t *unpack_numbers(ent_unpacker *unpacker, size_t count, const char *what) {
  if (!ent_unpack_fine(unpacker))
    return NULL;
  uint64_t *numbers = ent_new(unpacker->context, count, sizeof *numbers);
  if (numbers == NULL) {
    ent_unpack_adopt(unpacker, unpacker->at, ENTROPIC_NO_MEMORY);
    return NULL;
  }
  for (size_t i = 0; i < count && ent_unpack_fine(unpacker); i++)
    numbers[i] = ent_unpack_u64(unpacker, what);
  return numbers;
}

/* Questions about rows once all is known of the columns. */
static bool has_rows(ent_question_kind kind) {
  return kind >= ENT_QUESTION_SAMPLE;
}

entropic_status ent_question_pack(entropic_context *context, const ent_question *question, ent_message *message) {
  ent_packer packer;
  entropic_status status = ent_message_begin(context, QUESTION, &packer);
  if (status != ENTROPIC_OK)
    return status;
  ent_pack_byte(&packer, (unsigned)question->kind);
  ent_pack_count(&packer, question->shards);
  if (question->kind != ENT_QUESTION_GUESS)
    pack_span(&packer, question->plan);
  if (has_rows(question->kind)) {
    pack_span(&packer, question->survey);
    pack_numbers(&packer, question->first_row, question->shards);
  }
  if (question->kind == ENT_QUESTION_SAMPLE) {
    ent_pack_u64(&packer, question->rows);
    ent_pack_u64(&packer, question->most);
  }
  if (question->kind >= ENT_QUESTION_COLLECT)
    pack_span(&packer, question->model);
  if (question->kind == ENT_QUESTION_GRADIENT) {
    ent_pack_signed(&packer, question->weight_exponent);
    ent_pack_count(&packer, question->classes);
    ent_pack_doubles(&packer, question->class_weight, question->classes);
  }
  return ent_message_end(&packer, message);
}

/* The weights of classes. */
static void unpack_factors(ent_unpacker *unpacker, ent_question *question) {
  int64_t exponent = ent_unpack_signed(unpacker, "an exponent");
  if (ent_unpack_fine(unpacker) && (exponent < -2000 || exponent > 2000))
    ent_unpack_refuse(unpacker, unpacker->at, "an exponent of weights of %lld", (long long)exponent);
  question->weight_exponent = ent_unpack_fine(unpacker) ? (int)exponent : 0;
  question->classes = ent_unpack_many(unpacker, 0, SHARDS_MOST, sizeof(double), "a number of classes");
  if (question->classes > 0)
    question->class_weight = ent_unpack_doubles(unpacker, question->classes, false, "the weight of a class");
}

entropic_status ent_question_unpack(entropic_context *context, ent_span bytes, ent_question *question) {
  ent_unpacker unpacker;
  ent_message message = ent_message_of(bytes);
  *question = (ent_question){0};
  entropic_status status = ent_message_open(context, &message, QUESTION, &unpacker);
  if (status != ENTROPIC_OK)
    return status;
  question->kind =
      (ent_question_kind)ent_unpack_byte(&unpacker, ENT_QUESTION_GUESS, ENT_QUESTION_GRADIENT, "a question");
  question->shards = (size_t)ent_unpack_count(&unpacker, 1, SHARDS_MOST, "a number of shards");
  if (question->kind != ENT_QUESTION_GUESS)
    question->plan = unpack_span(&unpacker, "a plan");
  if (has_rows(question->kind)) {
    question->survey = unpack_span(&unpacker, "a column survey");
    if (ent_unpack_left(&unpacker) / sizeof(uint64_t) < question->shards)
      ent_unpack_refuse(&unpacker, unpacker.at, "too few numbers of rows");
    question->first_row = unpack_numbers(&unpacker, question->shards, "the number of a row");
  }
  if (question->kind == ENT_QUESTION_SAMPLE) {
    question->rows = ent_unpack_u64(&unpacker, "a number of rows");
    question->most = ent_unpack_u64(&unpacker, "the size of a sample");
  }
  if (question->kind >= ENT_QUESTION_COLLECT)
    question->model = unpack_span(&unpacker, "a model");
  if (question->kind == ENT_QUESTION_GRADIENT)
    unpack_factors(&unpacker, question);
  status = ent_message_close(&unpacker);
  if (status != ENTROPIC_OK)
    ent_question_clear(question);
  return status;
}

void ent_question_clear(ent_question *question) {
  ent_delete(question->first_row);
  ent_delete(question->class_weight);
  *question = (ent_question){0};
}

static void pack_collected(ent_packer *packer, const ent_collected *collected) {
  ent_pack_u64(packer, collected->rows);
  ent_pack_u64(packer, collected->without_target);
  ent_pack_u64(packer, collected->without_weight);
  ent_pack_u64(packer, collected->beyond_origin);
  ent_pack_u64(packer, collected->warnings.outside);
  ent_pack_u64(packer, collected->warnings.unseen);
  ent_pack_u64(packer, collected->warnings.missing);
  ent_pack_u64(packer, collected->warnings.continued);
}

static void unpack_collected(ent_unpacker *unpacker, ent_collected *collected) {
  static const char what[] = "a number of rows";
  collected->rows = ent_unpack_u64(unpacker, what);
  collected->without_target = (size_t)ent_unpack_u64(unpacker, what);
  collected->without_weight = (size_t)ent_unpack_u64(unpacker, what);
  collected->beyond_origin = (size_t)ent_unpack_u64(unpacker, what);
  collected->warnings.outside = (size_t)ent_unpack_u64(unpacker, what);
  collected->warnings.unseen = (size_t)ent_unpack_u64(unpacker, what);
  collected->warnings.missing = (size_t)ent_unpack_u64(unpacker, what);
  collected->warnings.continued = (size_t)ent_unpack_u64(unpacker, what);
}

entropic_status ent_reply_pack(entropic_context *context, const ent_reply *reply, ent_message *message) {
  ent_packer packer;
  entropic_status status = ent_message_begin(context, ANSWER, &packer);
  if (status != ENTROPIC_OK)
    return status;
  ent_pack_byte(&packer, (unsigned)reply->kind);
  if (reply->kind == ENT_QUESTION_FAILURE) {
    ent_pack_u32(&packer, (uint32_t)reply->status);
    ent_pack_text(&packer, reply->message);
    return ent_message_end(&packer, message);
  }
  if (reply->kind == ENT_QUESTION_READ || reply->kind == ENT_QUESTION_SAMPLE)
    ent_pack_u64(&packer, reply->count);
  if (reply->kind == ENT_QUESTION_READ)
    pack_numbers(&packer, reply->rows, reply->count);
  for (size_t i = 0; reply->kind == ENT_QUESTION_SAMPLE && i < reply->count; i++)
    pack_span(&packer, reply->lists[i]);
  if (reply->kind != ENT_QUESTION_SAMPLE)
    pack_span(&packer, reply->bytes);
  if (reply->kind >= ENT_QUESTION_COLLECT)
    pack_collected(&packer, &reply->collected);
  return ent_message_end(&packer, message);
}

static void unpack_failure(ent_unpacker *unpacker, ent_reply *reply) {
  uint32_t status = ent_unpack_u32(unpacker, "a status");
  reply->message = ent_unpack_text(unpacker, "a message");
  if (ent_unpack_fine(unpacker) && (status == ENTROPIC_OK || *entropic_status_text((entropic_status)status) == '\0'))
    ent_unpack_refuse(unpacker, unpacker->at, "status %u, expected that of a failure", status);
  reply->status = (entropic_status)status;
}

static void unpack_lists(ent_unpacker *unpacker, ent_reply *reply) {
  reply->lists = NULL;
  if (!ent_unpack_fine(unpacker))
    return;
  reply->lists = ent_new(unpacker->context, reply->count, sizeof *reply->lists);
  if (reply->lists == NULL) {
    ent_unpack_adopt(unpacker, unpacker->at, ENTROPIC_NO_MEMORY);
    return;
  }
  for (size_t i = 0; i < reply->count && ent_unpack_fine(unpacker); i++)
    reply->lists[i] = unpack_span(unpacker, "rows");
}

entropic_status ent_reply_unpack(entropic_context *context, ent_span bytes, ent_reply *reply) {
  ent_unpacker unpacker;
  ent_message message = ent_message_of(bytes);
  *reply = (ent_reply){0};
  entropic_status status = ent_message_open(context, &message, ANSWER, &unpacker);
  if (status != ENTROPIC_OK)
    return status;
  reply->kind = (ent_question_kind)ent_unpack_byte(&unpacker, ENT_QUESTION_FAILURE, ENT_QUESTION_GRADIENT, "an answer");
  if (reply->kind == ENT_QUESTION_FAILURE)
    unpack_failure(&unpacker, reply);
  if (reply->kind == ENT_QUESTION_READ || reply->kind == ENT_QUESTION_SAMPLE) {
    uint64_t count = ent_unpack_u64(&unpacker, "a number of shards");
    if (count > ent_unpack_left(&unpacker) / sizeof(uint64_t))
      ent_unpack_refuse(&unpacker, unpacker.at, "%llu shards, expected fewer", (unsigned long long)count);
    reply->count = ent_unpack_fine(&unpacker) ? (size_t)count : 0;
  }
  if (reply->kind == ENT_QUESTION_READ)
    reply->rows = unpack_numbers(&unpacker, reply->count, "a number of rows");
  if (reply->kind == ENT_QUESTION_SAMPLE)
    unpack_lists(&unpacker, reply);
  else if (reply->kind != ENT_QUESTION_FAILURE)
    reply->bytes = unpack_span(&unpacker, "an answer");
  if (reply->kind >= ENT_QUESTION_COLLECT)
    unpack_collected(&unpacker, &reply->collected);
  status = ent_message_close(&unpacker);
  if (status != ENTROPIC_OK)
    ent_reply_clear(reply);
  return status;
}

void ent_reply_clear(ent_reply *reply) {
  ent_delete(reply->message);
  ent_delete(reply->rows);
  ent_delete(reply->lists);
  *reply = (ent_reply){0};
}
