/* Answers of neighbouring shards as one: see question.h. */
#include <string.h>

#include "base/memory.h"
#include "columns/column_survey.h"
#include "entropic/shards.h"
#include "entropic/statistics.h"
#include "shard/question.h"
#include "sums/gradient_sums.h"

/* Shards that have answered, in their order. */
static entropic_status join_lists(entropic_context *context, const ent_reply *first, const ent_reply *second,
                                  ent_reply *joined) {
  size_t count = first->count + second->count;
  joined->count = count;
  if (first->kind == ENT_QUESTION_READ) {
    joined->rows = ent_new(context, count, sizeof *joined->rows);
    if (joined->rows == NULL)
      return ENTROPIC_NO_MEMORY;
    memcpy(joined->rows, first->rows, first->count * sizeof *joined->rows);
    memcpy(joined->rows + first->count, second->rows, second->count * sizeof *joined->rows);
    return ENTROPIC_OK;
  }
  joined->lists = ent_new(context, count, sizeof *joined->lists);
  if (joined->lists == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(joined->lists, first->lists, first->count * sizeof *joined->lists);
  memcpy(joined->lists + first->count, second->lists, second->count * sizeof *joined->lists);
  return ENTROPIC_OK;
}

/* Findings of all their rows; *bytes is to be freed. */
static entropic_status join_survey(entropic_context *context, ent_span first, ent_span second, ent_message *bytes) {
  ent_column_survey survey = {0}, next = {0};
  ent_message one = ent_message_of(first), other = ent_message_of(second);
  entropic_status status = ent_column_survey_unpack(context, &one, &survey);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_column_survey_unpack(context, &other, &next);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_column_survey_merge(context, &survey, &next);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_column_survey_pack(context, &survey, bytes);
done:
  ent_column_survey_free(&survey);
  ent_column_survey_free(&next);
  return status;
}

static entropic_status join_statistics(entropic_context *context, ent_span first, ent_span second, ent_message *bytes) {
  entropic_statistics *sum = NULL, *other = NULL;
  entropic_status status = entropic_statistics_load_memory(context, first.bytes, first.count, &sum);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_statistics_load_memory(context, second.bytes, second.count, &other);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_statistics_merge(context, sum, other);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_statistics_save_memory(context, sum, &bytes->bytes, &bytes->count);
done:
  entropic_statistics_free(sum);
  entropic_statistics_free(other);
  return status;
}

static entropic_status join_gradients(entropic_context *context, ent_span first, ent_span second, ent_message *bytes) {
  ent_gradient_sums *sum = NULL, *other = NULL;
  entropic_status status = ent_gradient_sums_from_bytes(context, first.bytes, first.count, &sum);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_gradient_sums_from_bytes(context, second.bytes, second.count, &other);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_gradient_sums_add(context, sum, other);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_gradient_sums_to_bytes(context, sum, &bytes->bytes, &bytes->count);
done:
  ent_gradient_sums_free(sum);
  ent_gradient_sums_free(other);
  return status;
}

static void add_collected(const ent_collected *other, ent_collected *sum) {
  sum->rows += other->rows;
  sum->without_target += other->without_target;
  sum->without_weight += other->without_weight;
  sum->beyond_origin += other->beyond_origin;
  sum->warnings.outside += other->warnings.outside;
  sum->warnings.unseen += other->warnings.unseen;
  sum->warnings.missing += other->warnings.missing;
  sum->warnings.continued += other->warnings.continued;
}

/* Two answers as one, those of the first shards first. A failure stays one. */
static entropic_status merge_replies(entropic_context *context, const ent_reply *first, const ent_reply *second,
                                     ent_message *merged) {
  if (first->kind == ENT_QUESTION_FAILURE || second->kind == ENT_QUESTION_FAILURE)
    return ent_reply_pack(context, first->kind == ENT_QUESTION_FAILURE ? first : second, merged);
  if (first->kind != second->kind)
    return ent_fail(context, ENTROPIC_BAD_DATA, "answers to different questions, expected answers to one");
  ent_reply joined = {.kind = first->kind, .collected = first->collected};
  ent_message made = {0};
  entropic_status status = ENTROPIC_OK;
  if (first->kind == ENT_QUESTION_READ || first->kind == ENT_QUESTION_SAMPLE)
    status = join_lists(context, first, second, &joined);
  if (status != ENTROPIC_OK)
    goto done;
  if (first->kind == ENT_QUESTION_READ)
    status = join_survey(context, first->bytes, second->bytes, &made);
  else if (first->kind == ENT_QUESTION_COLLECT)
    status = join_statistics(context, first->bytes, second->bytes, &made);
  else if (first->kind == ENT_QUESTION_GRADIENT)
    status = join_gradients(context, first->bytes, second->bytes, &made);
  if (status != ENTROPIC_OK)
    goto done;
  add_collected(&second->collected, &joined.collected);
  joined.bytes = first->kind == ENT_QUESTION_GUESS ? (first->bytes.count > 0 ? first->bytes : second->bytes)
                                                   : (ent_span){made.bytes, made.count};
  status = ent_reply_pack(context, &joined, merged);
done:
  entropic_bytes_free(made.bytes);
  ent_reply_clear(&joined);
  return status;
}

entropic_status entropic_answers_merge(entropic_context *context, const void *first, size_t first_size,
                                       const void *second, size_t second_size, unsigned char **merged,
                                       size_t *merged_size) {
  ENT_NEED(context, first);
  ENT_NEED(context, second);
  ENT_NEED(context, merged);
  ENT_NEED(context, merged_size);
  ent_reply one, other = {0};
  ent_message made = {0};
  entropic_status status = ent_reply_unpack(context, (ent_span){first, first_size}, &one);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_reply_unpack(context, (ent_span){second, second_size}, &other);
  if (status != ENTROPIC_OK)
    goto done;
  status = merge_replies(context, &one, &other, &made);
  if (status != ENTROPIC_OK)
    goto done;
  *merged = made.bytes;
  *merged_size = made.count;
done:
  ent_reply_clear(&one);
  ent_reply_clear(&other);
  return status;
}

entropic_status entropic_answer_of_failure(entropic_context *context, entropic_status status, const char *message,
                                           const char *where, unsigned char **answer, size_t *answer_size) {
  ENT_NEED(context, message);
  ENT_NEED(context, answer);
  ENT_NEED(context, answer_size);
  if (status == ENTROPIC_OK)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "status OK is not a failure");
  size_t length = strlen(message) + (where == NULL ? 0 : strlen(where)) + 3;
  char *text = ent_new(context, length, 1);
  ent_message packet = {0};
  if (text == NULL)
    return ENTROPIC_NO_MEMORY;
  if (where != NULL) {
    strcat(text, where);
    strcat(text, ": ");
  }
  strcat(text, message);
  entropic_status packed = ent_reply_pack(context, &(ent_reply){.status = status, .message = text}, &packet);
  ent_delete(text);
  if (packed != ENTROPIC_OK)
    return packed;
  *answer = packet.bytes;
  *answer_size = packet.count;
  return ENTROPIC_OK;
}
