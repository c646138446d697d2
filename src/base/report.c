/* Reports: JSON that always ends with what closes the objects and lists that are open. */
#include "base/report.h"

#include <stdbool.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/progress.h"

#define POLL_BYTES ((size_t)1 << 16) /* about 1 ms */

struct entropic_report {
  ent_text text; /* of no context: a report may live longer than the one it was made with */
  ent_json json;
  entropic_context *context; /* to poll with, or NULL */
  size_t next_poll;          /* when the text is so long */
  ent_report_index index;
};

const ent_report_index *ent_report_index_of(const entropic_report *report) {
  return &report->index;
}

/* Before a value: false if it needs a key and has none. */
static bool begin(entropic_report *report, const char *key) {
  if (report == NULL || (key == NULL && report->json.closing[report->json.depth - 1] == '}'))
    return false;
  ent_report_index_clear(&report->index);
  if (report->context != NULL && report->text.status == ENTROPIC_OK && report->text.length >= report->next_poll) {
    report->next_poll = report->text.length + POLL_BYTES;
    report->text.status = ent_poll(report->context);
  }
  return true;
}

/* After a value: the brackets that are due stand behind the text, the innermost first. */
static entropic_status end(entropic_report *report) {
  char due[ENT_JSON_DEPTH];
  size_t depth = report->json.depth, length = report->text.length;
  for (size_t i = 0; i < depth; i++)
    due[i] = report->json.closing[depth - 1 - i];
  ent_text_bytes(&report->text, due, depth);
  report->text.length = length;
  return report->text.status;
}

entropic_status entropic_report_create(entropic_context *context, entropic_report **report) {
  if (report == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "entropic_report_create: report is NULL");
  entropic_report *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->json.text = &made->text;
  ent_json_open_object(&made->json, NULL);
  if (end(made) != ENTROPIC_OK) {
    entropic_report_free(made);
    return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory: a report");
  }
  *report = made;
  return ENTROPIC_OK;
}

void entropic_report_free(entropic_report *report) {
  if (report == NULL)
    return;
  ent_report_index_clear(&report->index);
  ent_text_free(&report->text);
  ent_delete(report);
}

void ent_report_poll(entropic_report *report, entropic_context *context) {
  report->context = context;
}

entropic_status ent_report_finish(entropic_context *context, entropic_report *made, entropic_report **report) {
  entropic_status status = made->text.status;
  made->context = NULL;
  if (status != ENTROPIC_OK)
    goto done;
  ent_report_index_clear(&made->index);
  status = ent_report_index_fill(context, made->text.bytes, &made->index);
  if (status != ENTROPIC_OK)
    goto done;
  *report = made;
  made = NULL;
done:
  entropic_report_free(made);
  return status == ENTROPIC_NO_MEMORY ? ent_fail(context, status, "out of memory: a report") : status;
}

const char *entropic_report_json(const entropic_report *report) {
  return report == NULL || report->text.status != ENTROPIC_OK ? NULL : report->text.bytes;
}

entropic_status entropic_report_add_number(entropic_report *report, const char *key, double value) {
  if (!begin(report, key))
    return ENTROPIC_BAD_ARGUMENT;
  ent_json_add_number(&report->json, key, value);
  return end(report);
}

entropic_status entropic_report_add_integer(entropic_report *report, const char *key, uint64_t value) {
  if (!begin(report, key))
    return ENTROPIC_BAD_ARGUMENT;
  ent_json_add_integer(&report->json, key, value);
  return end(report);
}

entropic_status entropic_report_add_flag(entropic_report *report, const char *key, int value) {
  if (!begin(report, key))
    return ENTROPIC_BAD_ARGUMENT;
  ent_json_add_flag(&report->json, key, value != 0);
  return end(report);
}

entropic_status entropic_report_add_text(entropic_report *report, const char *key, const char *text) {
  if (!begin(report, key))
    return ENTROPIC_BAD_ARGUMENT;
  ent_json_add_text(&report->json, key, text);
  return end(report);
}

void ent_report_add_null(entropic_report *report, const char *key) {
  entropic_report_add_text(report, key, NULL);
}

entropic_status entropic_report_open_object(entropic_report *report, const char *key) {
  if (!begin(report, key) || report->json.depth == ENT_JSON_DEPTH)
    return ENTROPIC_BAD_ARGUMENT;
  ent_json_open_object(&report->json, key);
  return end(report);
}

entropic_status entropic_report_open_list(entropic_report *report, const char *key) {
  if (!begin(report, key) || report->json.depth == ENT_JSON_DEPTH)
    return ENTROPIC_BAD_ARGUMENT;
  ent_json_open_list(&report->json, key);
  return end(report);
}

entropic_status entropic_report_close(entropic_report *report) {
  if (report == NULL || report->json.depth < 2)
    return ENTROPIC_BAD_ARGUMENT;
  ent_report_index_clear(&report->index);
  ent_json_close(&report->json);
  return end(report);
}
