/* An explanation as a page: its numbers, the exported model, and the script that draws the one and asks the other. */
#include "page/explain_page.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "model/member_effects.h"

#define PAGE_BYTES ((size_t)1000000)   /* a page has fewer */
#define MODEL_BYTES ((size_t)760000)   /* of the exported model, at most */
#define PLAIN_BYTES ((size_t)250000)   /* from here on its tables are packed */
#define PICTURE_BYTES ((size_t)600000) /* of the numbers of pictures, at most */
#define FIXED_BYTES ((size_t)120000)   /* for style, script, texts, and names of inputs */
#define HASHED_BYTES ((size_t)1 << 20) /* between two polls: a few ms */
#define TITLE 512
#define HASH (2 * ENT_SHA256_SIZE + 1)

typedef struct ent_explaining_page {
  const entropic_explanation *x;
  const entropic_report *about; /* NULL: none */
  const char *title;
  ent_page *page; /* to be written */
} ent_explaining_page;

/* The hash of the model's file in hexadecimal digits; "" if it cannot be saved. */
static entropic_status take_hash(entropic_context *context, const entropic_model *model, char hash[HASH]) {
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
  for (size_t at = 0; at < count && status == ENTROPIC_OK; at += HASHED_BYTES) {
    ent_sha256_add(&of, bytes + at, count - at < HASHED_BYTES ? count - at : HASHED_BYTES);
    status = ent_poll(context);
  }
  ent_sha256_finish(&of, digest);
  for (size_t i = 0; i < ENT_SHA256_SIZE; i++)
    snprintf(hash + 2 * i, 3, "%02x", (unsigned)digest[i]);
  entropic_bytes_free(bytes);
  return status;
}

/* The exported model, or why it is not in the page. */
typedef struct ent_page_model {
  ent_text text;
  char without[ENT_MESSAGE_SIZE + 64]; /* "" if it is there */
} ent_page_model;

static entropic_status export_text(entropic_context *context, const entropic_model *model, ent_text *text) {
  entropic_parameters *parameters = NULL;
  unsigned char *bytes = NULL;
  size_t count = 0;
  entropic_status status = entropic_parameters_create(context, ENTROPIC_PURPOSE_EXPORT, &parameters);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_parameters_set(context, parameters, "lang", "js");
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_model_export_memory(context, model, parameters, &bytes, &count);
  if (status != ENTROPIC_OK)
    goto done;
  ent_text_bytes(text, (const char *)bytes, count);
  status = text->status;
done:
  entropic_bytes_free(bytes);
  entropic_parameters_free(parameters);
  return status;
}

static entropic_status take_model(entropic_context *context, const ent_effects *effects, ent_page_model *made) {
  const entropic_model *model = effects->model;
  ent_text plain = {.context = context};
  entropic_status status = export_text(context, model, &plain);
  if (status == ENTROPIC_TOO_LARGE || status == ENTROPIC_BAD_ARGUMENT) {
    snprintf(made->without, sizeof made->without, "The model cannot be part of this page: %s.",
             entropic_context_message(context));
    status = ENTROPIC_OK;
    goto done;
  }
  if (status != ENTROPIC_OK)
    goto done;
  if (plain.length > PLAIN_BYTES)
    ent_explain_pack(&made->text, effects, plain.bytes);
  else
    ent_explain_strip(&made->text, plain.bytes);
  status = made->text.status;
  if (status != ENTROPIC_OK || made->text.length <= MODEL_BYTES)
    goto done;
  snprintf(made->without, sizeof made->without,
           "The model is too large to be part of this page: as JavaScript it takes %zu KB, packed %zu KB, and there is "
           "room for %zu KB. It has %zu features, %zu training rows and the scales of %zu inputs.",
           plain.length / 1000, made->text.length / 1000, MODEL_BYTES / 1000, effects->features,
           ent_model_centres(model), effects->used);
  ent_text_free(&made->text);
done:
  ent_text_free(&plain);
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
  char label[64] = "features";
  size_t members = ent_model_effect_members(model);
  if (members > 0)
    snprintf(label, sizeof label, "features, of %zu averaged models", members);
  else if (entropic_model_design(model) == NULL)
    snprintf(label, sizeof label, "training rows in the sum");
  size_t shown = info.contained_rows < info.features ? info.features - info.contained_rows : info.features;
  const char *const facts[][2] = {{"training rows", ent_show_fixed((double)info.rows, 0, rows)},
                                  {"inputs used", ent_show_fixed((double)info.inputs_used, 0, inputs)},
                                  {label, ent_show_fixed((double)shown, 0, features)},
                                  {info.task == ENTROPIC_TASK_CLASSIFICATION
                                       ? "share of wrong classes on validation rows"
                                       : "root mean squared error on validation rows",
                                   ent_show_number(info.validation_error, 4, error)}};
  ent_page_facts(page, facts, info.validation == ENTROPIC_VALIDATION_NONE ? 3 : 4);
}

/* Of many rows some are counted. */
static void add_sample(ent_page *page, const ent_row_sample *sample) {
  char text[160], count[ENT_SHOWN_NUMBER], seen[ENT_SHOWN_NUMBER];
  if (sample->count == sample->seen)
    return;
  snprintf(text, sizeof text, "Of the %s rows of the data %s are counted, taken as if at random.",
           ent_show_fixed((double)sample->seen, 0, seen), ent_show_fixed((double)sample->count, 0, count));
  ent_page_paragraph(page, text);
}

/* Who reads the page may not expect to have the rows. */
static void add_contained(ent_page *page, const entropic_model *model) {
  char text[240];
  if (ent_model_centres(model) == 0)
    return;
  snprintf(text, sizeof text,
           "The model contains %zu training rows, scaled: it is a sum over the kernel at each of them. Whoever has its "
           "file, or a page that the model is part of, can read these rows.",
           ent_model_centres(model));
  ent_page_paragraph(page, text);
}

/* What bands are, and what they are not. */
static void add_bands(ent_page *page, const entropic_model *model) {
  char text[800];
  size_t members = ent_model_effect_members(model);
  if (members == 0) {
    ent_page_paragraph(page,
                       "Curves have no bands: the model keeps no fold models whose spread they would show. It is a "
                       "single fit, or it was changed by other rows since.");
    return;
  }
  snprintf(
      text, sizeof text,
      "The band around a curve is the spread of the %zu fold models: it goes from the lowest to the highest of them at "
      "each value, and the curve is their mean. Each fold model chose its features without one fold of the rows; its "
      "weights come from all rows. So a band shows what depends on that choice. It is not a confidence interval: the "
      "fold models share most of their rows, and new rows may move the curve by more than the band says.",
      members);
  ent_page_paragraph(page, text);
}

/* What the figures mean, and what not. */
static void add_reading(ent_page *page, const entropic_explanation *x) {
  const entropic_model *model = x->model;
  ent_page_section(page, "How to read this page");
  ent_page_paragraph(page, ent_link_of(&model->link)->reading);
  ent_page_paragraph(
      page, "Effects are exact: the model is a finite sum, and nothing here is sampled. Each effect has the mean "
            "zero over the training rows, so that zero is the mean score. Effects and shares take the inputs as "
            "independent of each other. Where inputs depend on each other, an effect may be drawn where there "
            "are no rows, and inputs that are alike may share what one of them does.");
  ent_page_paragraph(
      page, x->sample.count > 0
                ? "Grey bars below a curve are the share of the rows of the data that was given. In maps, cells "
                  "with a stroke have none of these rows: the model says something there, but no row does. "
                  "Own and covariance are what an effect varies over these rows, and what it shares with all "
                  "others; they add up to 100\xc2\xa0%."
                : "Grey bars below a curve are the share of the training rows, as far as the model keeps it. The "
                  "model does not keep which values come together, so that maps say nothing of where the rows "
                  "are: give the data to entropic explain, and cells without rows are marked.");
  add_sample(page, &x->sample);
  add_contained(page, model);
  add_bands(page, model);
  ent_page_paragraph(page, "An effect is what the model does, not what the world does: it says nothing of causes.");
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
  else
    ent_text_add(&page->text, "<div id=\"panel\"><p>The model is being unpacked, which needs a browser of 2023 or "
                              "later.</p></div>\n");
  ent_page_section(page, "What each input does");
  ent_page_place(page, "curves");
  ent_page_section(page, "What pairs of inputs do beyond that");
  ent_page_place(page, "pairs");
  ent_page_section(page, "What three inputs and more do beyond that");
  ent_page_place(page, "sets");
  add_reading(page, x);
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
  char heading[TITLE], hash[HASH];
  char *date = NULL, *command = NULL;
  ent_page *page = job->page;
  size_t room = PAGE_BYTES - FIXED_BYTES - model->text.length;
  entropic_status status = take_hash(context, job->x->model, hash);
  if (status != ENTROPIC_OK)
    return status;
  ent_explain_numbers(&numbers, job->x, room > PICTURE_BYTES ? PICTURE_BYTES : room);
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

/* Behind the exported model: hands its functions to the page. */
static const char asking[] = "\nentropicPage.ask({predict, scores, inputs, hash,\n"
                             "  effects: typeof effects === \"function\" ? effects : undefined,\n"
                             "  probabilities: typeof probabilities === \"function\" ? probabilities : undefined,\n"
                             "  interval: typeof interval === \"function\" ? interval : undefined,\n"
                             "  classSet: typeof classSet === \"function\" ? classSet : undefined,\n"
                             "  partOf: typeof partOf === \"function\" ? partOf : undefined,\n"
                             "  highestLevel: typeof highestLevel === \"number\" ? highestLevel : undefined});\n";

static entropic_status draw(entropic_context *context, void *arguments) {
  const ent_explaining_page *job = arguments;
  ent_page_model model = {.text = {.context = context}};
  ent_text script = {.context = context};
  entropic_status status = ent_explanation_complete(context, job->x);
  if (status == ENTROPIC_OK)
    status = take_model(context, job->x->effects, &model);
  if (status != ENTROPIC_OK)
    goto done;
  ent_text_add(&script, ent_explain_script);
  if (model.without[0] == '\0') {
    ent_text_bytes(&script, model.text.bytes, model.text.length);
    ent_text_add(&script, asking);
  }
  status = script.status;
  if (status != ENTROPIC_OK)
    goto done;
  status = write_page(context, job, script.bytes, &model);
done:
  ent_text_free(&script);
  ent_text_free(&model.text);
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
