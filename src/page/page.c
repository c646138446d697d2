/* Pages: see report.h. What is written is HTML and, but for its script, well-formed XML. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/sha256.h"
#include "page/parts.h"

static void add_element(ent_text *out, const char *start, const char *content, const char *end) {
  if (content == NULL)
    return;
  ent_text_add(out, start);
  ent_text_escape(out, content);
  ent_text_format(out, "%s\n", end);
}

static void add_prose(ent_text *out, const char *start, const char *content, const char *end) {
  if (content == NULL)
    return;
  ent_text_add(out, start);
  ent_text_prose(out, content);
  ent_text_format(out, "%s\n", end);
}

/* ---- What a page may run ---- */

/* As a content security policy names a text that may run. */
static void add_digest(ent_text *out, const ent_text *of) {
  uint8_t digest[ENT_SHA256_SIZE];
  ent_sha256 hash = ent_sha256_start();
  ent_sha256_add(&hash, of->bytes, of->length);
  ent_sha256_finish(&hash, digest);
  ent_text_add(out, " 'sha256-");
  ent_text_base64(out, digest, sizeof digest);
  ent_text_add(out, "'");
}

/* The contents of <style> and of the two scripts, byte by byte. */
static void write_style(ent_text *out, const char *own) {
  ent_text_add(out, "\n");
  ent_text_add(out, ent_page_style);
  ent_text_add(out, own);
}

static void write_script(ent_text *out, const char *own) {
  ent_text_add(out, "\n");
  ent_text_add(out, own);
}

static void write_policy(ent_text *out, const ent_page_code *code) {
  ent_text texts[3] = {{.context = out->context}, {.context = out->context}, {.context = out->context}};
  write_style(&texts[0], code->style);
  write_script(&texts[1], ent_page_script);
  write_script(&texts[2], code->script);
  for (size_t i = 0; i < 3; i++)
    out->status = out->status != ENTROPIC_OK ? out->status : texts[i].status;
  if (out->status == ENTROPIC_OK) {
    ent_text_add(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src");
    add_digest(out, &texts[0]);
    ent_text_add(out, "; script-src");
    add_digest(out, &texts[1]);
    add_digest(out, &texts[2]);
    ent_text_add(out, "; base-uri 'none'; form-action 'none'\"/>\n");
  }
  for (size_t i = 0; i < 3; i++)
    ent_text_free(&texts[i]);
}

/* ---- Pages ---- */

void ent_page_start_scripted(ent_page *page, entropic_context *context, const char *title, const char *lead,
                             const ent_page_code *code) {
  *page = (ent_page){
      .text = {.context = context}, .legend.entries.context = context, .script = code == NULL ? NULL : code->script};
  ent_text *out = &page->text;
  ent_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
  if (code != NULL)
    write_policy(out, code);
  ent_text_add(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                    "<meta name=\"color-scheme\" content=\"light dark\"/>\n");
  ent_text_format(out, "<meta name=\"generator\" content=\"Entropic %s\"/>\n", entropic_version());
  add_element(out, "<title>", title, "</title>");
  ent_text_add(out, "<style>");
  write_style(out, code == NULL ? "" : code->style);
  ent_text_add(out, "</style>\n</head>\n<body>\n<main>\n<header>\n");
  add_element(out, "<h1>", title, "</h1>");
  add_prose(out, "<p class=\"lead\">", lead, "</p>");
  ent_text_add(out, "</header>\n");
}

void ent_page_start(ent_page *page, entropic_context *context, const char *title, const char *lead) {
  ent_page_start_scripted(page, context, title, lead, NULL);
}

static void close_section(ent_page *page) {
  ent_page_panels_end(page);
  if (page->in_section)
    ent_text_add(&page->text, "</section>\n");
  page->in_section = false;
}

void ent_page_section(ent_page *page, const char *heading) {
  close_section(page);
  ent_text_add(&page->text, "<section>\n");
  add_element(&page->text, "<h2>", heading, "</h2>");
  page->in_section = true;
}

void ent_page_paragraph(ent_page *page, const char *paragraph) {
  add_prose(&page->text, "<p>", paragraph, "</p>");
}

void ent_page_place(ent_page *page, const char *id) {
  ent_text_add(&page->text, "<div id=\"");
  ent_text_escape(&page->text, id);
  ent_text_add(&page->text, "\"></div>\n");
}

void ent_page_note(ent_page *page, const char *note) {
  ent_write_note(&page->text, note);
}

void ent_page_facts(ent_page *page, const char *const (*facts)[2], size_t count) {
  if (count == 0)
    return;
  ent_text_add(&page->text, "<dl class=\"facts\">\n");
  for (size_t i = 0; i < count; i++) {
    add_element(&page->text, "<div><dt>", facts[i][0] == NULL ? "" : facts[i][0], "</dt>");
    add_element(&page->text, "<dd>", facts[i][1] == NULL ? "" : facts[i][1], "</dd></div>");
  }
  ent_text_add(&page->text, "</dl>\n");
}

static void add_caption(ent_text *out, const char *kind, size_t number, const char *title) {
  ent_text_format(out, "<figcaption><span class=\"label\">%s %zu.</span> ", kind, number);
  ent_text_prose(out, title);
  ent_text_add(out, "</figcaption>\n");
}

static void start_figure(ent_page *page, const char *title) {
  ent_text_add(&page->text, "<figure>\n");
  add_caption(&page->text, "Figure", ++page->figures, title);
}

void ent_page_chart(ent_page *page, const ent_chart *chart) {
  start_figure(page, chart->title);
  ent_write_chart(&page->text, chart, page->in_panels);
  ent_text_add(&page->text, "</figure>\n");
  if (page->in_panels && chart->shared_legend)
    ent_legend_add(&page->legend, chart);
}

/* The box can be scrolled with the keyboard, too, hence the tabindex and a name for it. */
void ent_page_table(ent_page *page, const ent_table *table) {
  ent_text *out = &page->text;
  ent_text_add(out, "<figure class=\"table\">\n");
  add_caption(out, "Table", ++page->tables, table->title);
  ent_text_format(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table %zu\">\n",
                  page->tables);
  ent_text_add(out, "<table class=\"sortable\">\n");
  ent_write_table(out, table);
  ent_text_add(out, "</table>\n</div>\n");
  ent_write_note(out, table->note);
  ent_text_add(out, "</figure>\n");
}

void ent_page_panels_start(ent_page *page) {
  if (!page->in_panels)
    ent_text_add(&page->text, "<div class=\"panels\">\n");
  page->first_figure = page->in_panels ? page->first_figure : page->figures + 1;
  page->in_panels = true;
}

/* The legend that charts of these panels share. */
static void end_legend(ent_page *page) {
  char label[96];
  if (page->first_figure == page->figures)
    snprintf(label, sizeof label, "Legend of figure %zu", page->figures);
  else
    snprintf(label, sizeof label, "Legend of figures %zu to %zu", page->first_figure, page->figures);
  ent_legend_end(&page->legend, &page->text, label);
}

void ent_page_panels_end(ent_page *page) {
  if (!page->in_panels)
    return;
  end_legend(page);
  ent_text_add(&page->text, "</div>\n");
  page->in_panels = false;
}

/* Only strings of JSON can hold these three, and there they can be written with their numbers. */
void ent_page_json(ent_page *page, const char *id, const char *json) {
  ent_text *out = &page->text;
  ent_text_add(out, "<script type=\"application/json\" id=\"");
  ent_text_escape(out, id);
  ent_text_add(out, "\">\n");
  for (const char *next = json; *next != '\0' && out->status == ENTROPIC_OK;) {
    size_t plain = strcspn(next, "<>&");
    ent_text_bytes(out, next, plain);
    next += plain;
    if (*next != '\0')
      ent_text_format(out, "\\u%04x", (unsigned)*next++);
  }
  ent_text_add(out, "\n</script>\n");
}

static void add_foot_fact(ent_text *out, const char *name, const char *value) {
  if (value == NULL || *value == '\0')
    return;
  ent_text_format(out, "<div><dt>%s</dt><dd>", name);
  ent_text_escape(out, value);
  ent_text_add(out, "</dd></div>\n");
}

void ent_page_foot(ent_page *page, const ent_foot *foot) {
  ent_text *out = &page->text;
  char seed[32], processor[ENT_PROCESSOR_NAME], version[64];
  close_section(page);
  snprintf(seed, sizeof seed, "%" PRIu64, foot->seed);
  snprintf(version, sizeof version, "Entropic %s", entropic_version());
  ent_text_add(out, "<footer>\n<dl>\n");
  add_foot_fact(out, "made with", version);
  add_foot_fact(out, "date", foot->date);
  add_foot_fact(out, "model, SHA-256", foot->model);
  add_foot_fact(out, "seed", foot->seeded ? seed : NULL);
  add_foot_fact(out, "processor", foot->processor != NULL ? foot->processor : ent_processor_name(processor));
  ent_text_add(out, "</dl>\n");
  add_element(out, "<p>command</p>\n<pre><code>", foot->command, "</code></pre>");
  ent_text_add(out, "</footer>\n");
  page->footed = true;
}

void ent_page_end(ent_page *page) {
  ent_text *out = &page->text;
  close_section(page);
  if (!page->footed)
    ent_text_format(out, "<footer>Made with Entropic %s.</footer>\n", entropic_version());
  ent_text_add(out, "</main>\n");
  if (page->tables > 0) {
    ent_text_add(out, "<script>");
    write_script(out, ent_page_script);
    ent_text_add(out, "</script>\n");
  }
  if (page->script != NULL) {
    ent_text_add(out, "<script type=\"module\">");
    write_script(out, page->script);
    ent_text_add(out, "</script>\n");
  }
  ent_text_add(out, "</body>\n</html>\n");
}

entropic_status ent_page_save(ent_page *page, const char *path) {
  return ent_text_save(&page->text, path);
}

void ent_page_free(ent_page *page) {
  ent_text_free(&page->legend.entries);
  ent_text_free(&page->text);
}
