/* What a shard answers: see worker.h. Questions carry all that is needed to read the rows, so a worker that has forgotten
 * them, or has never seen them, reads them again. */
#include "shard/worker.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/progress.h"
#include "data/files.h"
#include "entropic/statistics.h"
#include "lift/map.h"
#include "model/row_reader.h"
#include "update/collection.h"
#include "update/statistics_calls.h"

static entropic_status create(entropic_context *context, entropic_shard **shard) {
  *shard = ent_new(context, 1, sizeof **shard);
  if (*shard == NULL)
    return ENTROPIC_NO_MEMORY;
  (*shard)->parts = (*shard)->count = 1;
  return ENTROPIC_OK;
}

entropic_status entropic_shard_open(entropic_context *context, const char *const *paths, size_t count,
                                    const entropic_parameters *parameters, size_t part, size_t parts,
                                    entropic_shard **shard) {
  ENT_NEED(context, paths);
  ENT_NEED(context, shard);
  if (parts == 0 || part >= parts)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "part %zu of %zu, expected one from 0 to below their number", part,
                    parts);
  entropic_shard *made = NULL;
  entropic_status status = create(context, &made);
  if (status != ENTROPIC_OK)
    return status;
  made->part = made->number = part;
  made->parts = made->count = parts;
  status = ent_paths_join(context, paths, count, &made->path);
  if (status != ENTROPIC_OK)
    goto fail;
  if (parts > 1 && !strcmp(made->path, "-")) {
    status = ent_fail(context, ENTROPIC_BAD_ARGUMENT, "standard input cannot be read in parts");
    goto fail;
  }
  status = parameters == NULL ? entropic_parameters_create(context, ENTROPIC_PURPOSE_FIT, &made->parameters)
                              : ent_parameters_copy(context, parameters, &made->parameters);
  if (status != ENTROPIC_OK)
    goto fail;
  *shard = made;
  return ENTROPIC_OK;
fail:
  entropic_shard_free(made);
  return status;
}

entropic_status entropic_shard_of_table(entropic_context *context, entropic_table *table, entropic_shard **shard) {
  ENT_NEED(context, table);
  ENT_NEED(context, shard);
  entropic_shard *made = NULL;
  entropic_status status = create(context, &made);
  if (status != ENTROPIC_OK)
    return status;
  made->table = table;
  *shard = made;
  return ENTROPIC_OK;
}

entropic_status entropic_shard_place(entropic_context *context, entropic_shard *shard, size_t number, size_t count) {
  ENT_NEED(context, shard);
  if (number >= count)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "shard %zu of %zu, expected one from 0 to below their number",
                    number, count);
  if (shard->parts > 1 && (number != shard->part || count != shard->parts))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "part %zu of %zu of a file cannot be shard %zu of %zu", shard->part,
                    shard->parts, number, count);
  shard->number = number;
  shard->count = count;
  return ENTROPIC_OK;
}

void entropic_shard_free(entropic_shard *shard) {
  if (shard == NULL)
    return;
  ent_shard_free(shard->rows);
  entropic_parameters_free(shard->parameters);
  ent_delete(shard->path);
  ent_delete(shard);
}

void ent_shard_identify(const entropic_shard *shard, char identity[ENT_SHARD_IDENTITY]) {
  struct stat info;
  identity[0] = '\0';
  if (shard->path != NULL && stat(shard->path, &info) == 0)
    snprintf(identity, ENT_SHARD_IDENTITY, "%zu/%zu %lld %lld.%09ld %.400s", shard->part, shard->parts,
             (long long)info.st_size, (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec, shard->path);
}

/* The files of a part, where there are several: *share is a path for them all, to be freed; NULL: there is one file. */
static entropic_status share_files(entropic_context *context, const entropic_shard *shard, char **share) {
  ent_files files = {0};
  size_t length = 0;
  *share = NULL;
  entropic_status status = ent_files_find(context, shard->path, &files);
  if (status != ENTROPIC_OK || files.count < 2)
    goto done;
  if (files.count < shard->parts) {
    status = ent_fail(context, ENTROPIC_BAD_DATA,
                      "%s: %zu files for %zu parts, expected at least as many files, or one of plain text", files.label,
                      files.count, shard->parts);
    goto done;
  }
  size_t first = files.count * shard->part / shard->parts, end = files.count * (shard->part + 1) / shard->parts;
  for (size_t i = first; i < end; i++) {
    length += strlen(files.path[i]) + 1;
    if (strchr(files.path[i], '\n') == NULL)
      continue;
    status = ent_fail(context, ENTROPIC_BAD_DATA,
                      "%s: a file of several has a line feed in its name: '%s'; expected a name of one line",
                      files.label, files.path[i]);
    goto done;
  }
  char *text = *share = ent_new(context, length, 1);
  status = text == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  for (size_t i = first; i < end && text != NULL; i++) {
    text = stpcpy(text, files.path[i]);
    *text++ = i + 1 < end ? '\n' : '\0';
  }
done:
  ent_files_clear(&files);
  return status;
}

static entropic_status open_file(entropic_context *context, entropic_shard *shard) {
  char *share = NULL;
  entropic_status status = shard->parts > 1 ? share_files(context, shard, &share) : ENTROPIC_OK;
  if (status != ENTROPIC_OK)
    return status;
  ent_read_options options = ent_read_options_by(shard->parameters);
  status =
      shard->parts > 1 && share == NULL
          ? ent_shard_open(context, shard->path, &options, shard->part, shard->parts, &shard->rows)
          : ent_shard_open_file(context, share == NULL ? shard->path : share, &options, shard->number, &shard->rows);
  ent_delete(share);
  return status;
}

/* Opens the file, anew if what was read has been completed already. */
static entropic_status open_rows(entropic_context *context, entropic_shard *shard) {
  if (shard->rows != NULL && !shard->completed)
    return ENTROPIC_OK;
  ent_shard_free(shard->rows);
  shard->rows = NULL;
  shard->completed = false;
  return shard->path == NULL ? ent_shard_of_table(context, shard->table, shard->number, &shard->rows)
                             : open_file(context, shard);
}

/* The rows with the codes of the whole table. */
static entropic_status complete(entropic_context *context, entropic_shard *shard, const ent_question *question) {
  uint8_t digest[ENT_SHA256_SIZE];
  ent_sha256 hash = ent_sha256_start();
  ent_sha256_add(&hash, question->plan.bytes, question->plan.count);
  ent_sha256_add(&hash, question->survey.bytes, question->survey.count);
  ent_sha256_finish(&hash, digest);
  if (shard->completed && memcmp(digest, shard->completed_by, sizeof digest) == 0)
    return ENTROPIC_OK;
  ent_message plan = ent_message_of(question->plan), all = ent_message_of(question->survey);
  const ent_message *survey;
  entropic_status status = open_rows(context, shard);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_shard_read(context, shard->rows, &plan, &survey);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_shard_complete(context, shard->rows, &all, question->first_row[shard->number]);
  if (status != ENTROPIC_OK)
    return status;
  shard->completed = true;
  memcpy(shard->completed_by, digest, sizeof digest);
  return ENTROPIC_OK;
}

static entropic_status answer_guess(entropic_context *context, entropic_shard *shard, const ent_question *question,
                                    ent_message *answer) {
  ent_message plan = {0};
  entropic_status status = ENTROPIC_OK;
  if (shard->number == 0) {
    status = open_rows(context, shard);
    if (status != ENTROPIC_OK)
      return status;
    status = ent_shard_guess(context, shard->rows, question->shards, &plan);
  }
  if (status != ENTROPIC_OK)
    return status;
  status = ent_reply_pack(context, &(ent_reply){.kind = ENT_QUESTION_GUESS, .bytes = {plan.bytes, plan.count}}, answer);
  ent_message_free(&plan);
  return status;
}

static entropic_status answer_read(entropic_context *context, entropic_shard *shard, const ent_question *question,
                                   ent_message *answer) {
  ent_message plan = ent_message_of(question->plan);
  const ent_message *survey;
  entropic_status status = open_rows(context, shard);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_shard_read(context, shard->rows, &plan, &survey);
  if (status != ENTROPIC_OK)
    return status;
  uint64_t rows = ent_shard_rows(shard->rows);
  return ent_reply_pack(
      context,
      &(ent_reply){.kind = ENT_QUESTION_READ, .count = 1, .rows = &rows, .bytes = {survey->bytes, survey->count}},
      answer);
}

static entropic_status answer_sample(entropic_context *context, entropic_shard *shard, const ent_question *question,
                                     ent_message *answer) {
  ent_hash_sample sample;
  ent_message rows = {0};
  entropic_status status = complete(context, shard, question);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_hash_sample_create(context, question->rows, question->most, &sample);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_shard_sample(context, shard->rows, &sample, &rows);
  if (status != ENTROPIC_OK)
    return status;
  ent_span list = {rows.bytes, rows.count};
  status = ent_reply_pack(context, &(ent_reply){.kind = ENT_QUESTION_SAMPLE, .count = 1, .lists = &list}, answer);
  ent_message_free(&rows);
  return status;
}

static entropic_status answer_collect(entropic_context *context, entropic_shard *shard, const ent_question *question,
                                      ent_message *answer) {
  entropic_model *model = NULL;
  entropic_statistics *statistics = NULL;
  ent_message bytes = {0};
  ent_collected collected = {0};
  entropic_status status = complete(context, shard, question);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_model_load_memory(context, question->model.bytes, question->model.count, &model);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_statistics_create(context, model, &statistics);
  entropic_model_free(model);
  if (status != ENTROPIC_OK)
    return status;
  entropic_model *design = statistics->design.model;
  if (ent_shard_rows(shard->rows) > 0)
    status = ent_table_collect(context, ent_shard_table(shard->rows), design, design->totals, &collected);
  if (status != ENTROPIC_OK)
    goto done;
  design->total_rows = collected.rows;
  status = entropic_statistics_save_memory(context, statistics, &bytes.bytes, &bytes.count);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_reply_pack(
      context, &(ent_reply){.kind = ENT_QUESTION_COLLECT, .bytes = {bytes.bytes, bytes.count}, .collected = collected},
      answer);
done:
  ent_message_free(&bytes);
  entropic_statistics_free(statistics);
  return status;
}

/* Sums of the gradient, at the weights of the model. */
static entropic_status add_gradient(entropic_context *context, const entropic_shard *shard,
                                    const ent_question *question, const entropic_model *model, ent_message *answer) {
  ent_gradient_sums *sums = NULL;
  ent_reply reply = {.kind = ENT_QUESTION_GRADIENT};
  const ent_gradient_point at = {model, question->class_weight, question->weight_exponent};
  if (model->main.lift == NULL || model->schema.classes < 2 ||
      (question->classes > 0 && question->classes != model->schema.classes))
    return ent_fail(context, ENTROPIC_BAD_DATA, "the model of the question has no classes, or others");
  ent_map map = ent_map_of_lift(model->main.lift);
  entropic_status status = ent_gradient_sums_create(context, &map, model->schema.classes, at.weight_exponent, &sums);
  if (status != ENTROPIC_OK)
    return status;
  unsigned char *bytes = NULL;
  status = ent_table_add_gradient(context, ent_shard_table(shard->rows), &at, sums, &reply.collected);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_gradient_sums_to_bytes(context, sums, &bytes, &reply.bytes.count);
  if (status != ENTROPIC_OK)
    goto done;
  reply.bytes.bytes = bytes;
  status = ent_reply_pack(context, &reply, answer);
done:
  ent_delete(bytes);
  ent_gradient_sums_free(sums);
  return status;
}

static entropic_status answer_gradient(entropic_context *context, entropic_shard *shard, const ent_question *question,
                                       ent_message *answer) {
  entropic_model *model = NULL;
  entropic_status status = complete(context, shard, question);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_model_load_memory(context, question->model.bytes, question->model.count, &model);
  if (status != ENTROPIC_OK)
    return status;
  status = add_gradient(context, shard, question, model, answer);
  entropic_model_free(model);
  return status;
}

/* The arguments of entropic_shard_answer, and what it gives. */
typedef struct ent_shard_call {
  entropic_shard *shard;
  ent_span question;
  ent_message answer;
} ent_shard_call;

static entropic_status answer_question(entropic_context *context, void *arguments) {
  static entropic_status (*const answers[])(entropic_context *, entropic_shard *, const ent_question *,
                                            ent_message *) = {[ENT_QUESTION_GUESS] = answer_guess,
                                                              [ENT_QUESTION_READ] = answer_read,
                                                              [ENT_QUESTION_SAMPLE] = answer_sample,
                                                              [ENT_QUESTION_COLLECT] = answer_collect,
                                                              [ENT_QUESTION_GRADIENT] = answer_gradient};
  ent_shard_call *call = arguments;
  ent_question question;
  entropic_status status = ent_question_unpack(context, call->question, &question);
  if (status != ENTROPIC_OK)
    return status;
  if (question.shards != call->shard->count)
    status = ent_fail(context, ENTROPIC_BAD_DATA, "a question to %zu shards, expected one to %zu", question.shards,
                      call->shard->count);
  else
    status = answers[question.kind](context, call->shard, &question, &call->answer);
  ent_question_clear(&question);
  return status;
}

entropic_status entropic_shard_answer(entropic_context *context, entropic_shard *shard, const void *question,
                                      size_t question_size, unsigned char **answer, size_t *answer_size) {
  ENT_NEED(context, shard);
  ENT_NEED(context, question);
  ENT_NEED(context, answer);
  ENT_NEED(context, answer_size);
  ent_shard_call call = {.shard = shard, .question = {question, question_size}};
  entropic_status status = ent_call_run(context, "answering", answer_question, &call);
  if (status != ENTROPIC_OK) {
    ent_message_free(&call.answer);
    return status;
  }
  *answer = call.answer.bytes;
  *answer_size = call.answer.count;
  return ENTROPIC_OK;
}
