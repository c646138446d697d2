/* An explanation as a page: its numbers, the exported model, and the script that draws the one and asks the other. */
#include "report/explain_page.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"

#define PAGE_BYTES ((size_t)1000000) /* a page has fewer */
#define MODEL_BYTES ((size_t)700000) /* of the exported model, at most */
#define FIXED_BYTES ((size_t)120000) /* for style, script, texts, and names of inputs */
#define TITLE 512

typedef struct ent_explaining_page {
  const entropic_explanation *x;
  const entropic_report *about; /* NULL: none */
  const char *title;
  ent_page *page; /* to be written */
} ent_explaining_page;

entropic_status ent_explain_hash(entropic_context *context, const entropic_model *model, char hash[ENT_EXPLAIN_HASH]) {
  unsigned char *bytes = NULL;
  size_t count = 0;
  uint8_t digest[ENT_SHA256_SIZE];
  hash[0] = '\0';
  entropic_status status = entropic_model_save_memory(context, model, &bytes, &count);
  if (status == ENTROPIC_BAD_ARGUMENT) /* a kernel that cannot be saved */
    return ENTROPIC_OK;
  if (status != ENTROPIC_OK)
    return status;
  ent_sha256 of = ent_sha256_start();
  ent_sha256_add(&of, bytes, count);
  ent_sha256_finish(&of, digest);
  for (size_t i = 0; i < ENT_SHA256_SIZE; i++)
    snprintf(hash + 2 * i, 3, "%02x", (unsigned)digest[i]);
  entropic_bytes_free(bytes);
  return ENTROPIC_OK;
}

/* The exported model, or why it is not in the page. */
typedef struct ent_page_model {
  unsigned char *bytes;
  size_t count;
  char without[ENT_MESSAGE_SIZE + 64]; /* "" if it is there */
} ent_page_model;

static entropic_status export_model(entropic_context *context, const entropic_model *model, ent_page_model *made) {
  entropic_parameters *parameters = NULL;
  entropic_status status = entropic_parameters_create(context, ENTROPIC_PURPOSE_EXPORT, &parameters);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_parameters_set(context, parameters, "lang", "js");
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_model_export_memory(context, model, parameters, &made->bytes, &made->count);
  if (status == ENTROPIC_TOO_LARGE || status == ENTROPIC_BAD_ARGUMENT) {
    snprintf(made->without, sizeof made->without, "The model cannot be part of this page: %s.",
             entropic_context_message(context));
    status = ENTROPIC_OK;
    goto done;
  }
  if (status != ENTROPIC_OK || made->count <= MODEL_BYTES)
    goto done;
  snprintf(made->without, sizeof made->without,
           "The model is too large to be part of this page: as JavaScript it takes %zu KB, and there is room for %zu "
           "KB. Its %zu features and the scales of its %zu inputs take that much.",
           made->count / 1000, MODEL_BYTES / 1000, model->features, ent_model_used(model));
  entropic_bytes_free(made->bytes);
  made->bytes = NULL;
  made->count = 0;
done:
  entropic_parameters_free(parameters);
  return status;
}

/* "friedman1: how y depends on its inputs". */
static void make_heading(const ent_explaining_page *job, char heading[TITLE]) {
  const ent_schema *schema = &job->x->model->schema;
  char more[32] = "";
  if (schema->targets > 1)
    snprintf(more, sizeof more, " and %zu more", schema->targets - 1);
  snprintf(heading, TITLE, "%.300s: what the model says about %.120s%s", job->title, schema->target[0], more);
}

static void add_facts(ent_page *page, const entropic_model *model) {
  entropic_model_info info = ent_model_describe(model);
  char rows[ENT_SHOWN_NUMBER], inputs[ENT_SHOWN_NUMBER], features[ENT_SHOWN_NUMBER], error[ENT_SHOWN_NUMBER];
  const char *const facts[][2] = {
      {"training rows", ent_show_fixed((double)info.rows, 0, rows)},
      {"inputs used", ent_show_fixed((double)info.inputs_used, 0, inputs)},
      {"features", ent_show_fixed((double)info.features, 0, features)},
      {info.classes > 0 ? "share of wrong classes on validation rows" : "root mean squared error on validation rows",
       ent_show_number(info.validation_error, 4, error)}};
  ent_page_facts(page, facts, info.validation == ENTROPIC_VALIDATION_NONE ? 3 : 4);
}

static void add_body(ent_page *page, const ent_explaining_page *job, const ent_page_model *model) {
  const entropic_explanation *x = job->x;
  add_facts(page, x->model);
  ent_text_add(&page->text, "<noscript><p>The pictures of this page are drawn by its own script, which is switched off "
                            "here. The command entropic explain prints the shares.</p></noscript>\n");
  ent_page_place(page, "controls");
  ent_page_section(page, "Which inputs matter");
  ent_page_place(page, "ranking");
  ent_page_section(page, "What if");
  if (model->without[0] != '\0')
    ent_page_paragraph(page, model->without);
  ent_page_place(page, "panel");
  ent_page_section(page, "What each input does");
  ent_page_place(page, "curves");
  ent_page_section(page, "What pairs of inputs do beyond that");
  ent_page_place(page, "pairs");
  ent_page_section(page, "How to read this page");
  ent_page_place(page, "reading");
}

static char *text_of(entropic_context *context, const entropic_report *report, const char *key) {
  char none[1];
  size_t length = entropic_report_text(report, key, none, sizeof none);
  char *text = ent_new(context, length + 1, 1);
  if (text != NULL)
    entropic_report_text(report, key, text, length + 1);
  return text;
}

static entropic_status write_page(entropic_context *context, const ent_explaining_page *job, const char *script,
                                  const ent_page_model *model) {
  ent_text numbers = {.context = context};
  char heading[TITLE], hash[ENT_EXPLAIN_HASH];
  char *date = NULL, *command = NULL;
  ent_page *page = job->page;
  size_t room = PAGE_BYTES - FIXED_BYTES - model->count;
  entropic_status status = ent_explain_hash(context, job->x->model, hash);
  if (status != ENTROPIC_OK)
    return status;
  ent_explain_numbers(&numbers, job->x, room > 500000 ? 500000 : room);
  status = numbers.status;
  date = text_of(context, job->about, "date");
  command = text_of(context, job->about, "command");
  if (status == ENTROPIC_OK && (date == NULL || command == NULL))
    status = ENTROPIC_NO_MEMORY;
  if (status != ENTROPIC_OK)
    goto done;
  make_heading(job, heading);
  ent_page_start_scripted(page, context, heading,
                          "The model is a sum of effects: of each input alone, of pairs, and of more inputs together. "
                          "This page draws them as they are, and lets you ask what it would say about any row.",
                          &(ent_page_code){ent_explain_style, script});
  add_body(page, job, model);
  ent_page_json(page, "numbers", numbers.bytes);
  ent_page_foot(
      page, &(ent_foot){.date = date, .command = command[0] == '\0' ? NULL : command, .processor = "", .model = hash});
  ent_page_end(page);
  status = page->text.status;
done:
  ent_text_free(&numbers);
  ent_delete(date);
  ent_delete(command);
  return status;
}

static entropic_status draw(entropic_context *context, void *arguments) {
  const ent_explaining_page *job = arguments;
  ent_page_model model = {.bytes = NULL};
  ent_text script = {.context = context};
  entropic_status status = export_model(context, job->x->model, &model);
  if (status != ENTROPIC_OK)
    goto done;
  if (model.count > 0)
    ent_text_bytes(&script, (const char *)model.bytes, model.count);
  ent_text_add(&script, ent_explain_script);
  status = script.status;
  if (status != ENTROPIC_OK)
    goto done;
  status = write_page(context, job, script.bytes, &model);
done:
  ent_text_free(&script);
  entropic_bytes_free(model.bytes);
  return status;
}

entropic_status entropic_explanation_html(entropic_context *context, const entropic_explanation *explanation,
                                          const entropic_report *about, const char *title, const char *path) {
  ENT_NEED(context, explanation);
  ENT_NEED(context, title);
  ENT_NEED(context, path);
  ent_page page = {.text = {.context = context}};
  ent_explaining_page job = {explanation, about, title, &page};
  entropic_status status = ent_call_run(context, "drawing", draw, &job);
  if (status == ENTROPIC_OK)
    status = ent_page_save(&page, path);
  ent_page_free(&page);
  return status;
}
