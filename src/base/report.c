/* The writer of JSON: one buffer that always ends with what closes the objects and lists that are open. */
#include "base/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/text.h"

#define DEPTH_MOST 16                /* objects and lists within each other */
#define POLL_BYTES ((size_t)1 << 16) /* about 1 ms */

struct entropic_report {
  char *text; /* [used] and behind it what closes it, 0-terminated */
  size_t used, capacity;
  char closing[DEPTH_MOST + 1]; /* [depth] brackets still to come, the outermost first */
  size_t depth;
  bool more;                 /* a comma is due before the next value */
  bool failed;               /* memory ran out, or it was cancelled */
  entropic_context *context; /* to poll with, or NULL */
  size_t next_poll;          /* when so much is used */
  entropic_status cancelled; /* or OK */
  ent_report_index index;
};

const ent_report_index *ent_report_index_of(const entropic_report *report) {
  return &report->index;
}

/* Ends the text: the brackets that are due, the innermost first. */
static void finish(entropic_report *report) {
  for (size_t i = 0; i < report->depth; i++)
    report->text[report->used + i] = report->closing[report->depth - 1 - i];
  report->text[report->used + report->depth] = 0;
}

static bool reserve(entropic_report *report, size_t count) {
  size_t needed;
  ent_report_index_clear(&report->index);
  if (report->failed || !ent_add(report->used, count + DEPTH_MOST + 2, &needed)) {
    report->failed = true;
    return false;
  }
  if (report->context != NULL && report->used >= report->next_poll) {
    report->next_poll = report->used + POLL_BYTES;
    report->cancelled = ent_poll(report->context);
    report->failed = report->cancelled != ENTROPIC_OK;
    if (report->failed)
      return false;
  }
  if (needed <= report->capacity)
    return true;
  char *grown = ent_grow(NULL, report->text, &report->capacity, needed, 1);
  if (grown == NULL) {
    report->failed = true;
    return false;
  }
  report->text = grown;
  return true;
}

static void put(entropic_report *report, const char *bytes, size_t count) {
  if (!reserve(report, count))
    return;
  memcpy(report->text + report->used, bytes, count);
  report->used += count;
}

static void put_string(entropic_report *report, const char *text) {
  size_t left = strlen(text);
  put(report, "\"", 1);
  while (left > 0) {
    uint32_t code;
    size_t length = ent_utf8(text, left, &code);
    char escape[8];
    if (length == 0) {
      put(report, "\xef\xbf\xbd", 3);
      length = 1;
    } else if (code < 0x20 || code == 0x7f) {
      snprintf(escape, sizeof escape, "\\u%04x", (unsigned)code);
      put(report, escape, 6);
    } else {
      if (code == '"' || code == '\\')
        put(report, "\\", 1);
      put(report, text, length);
    }
    text += length;
    left -= length;
  }
  put(report, "\"", 1);
}

static bool in_list(const entropic_report *report) {
  return report->closing[report->depth - 1] == ']';
}

/* What stands before a value: comma and key. BAD_ARGUMENT where a key is missing. */
static entropic_status start_value(entropic_report *report, const char *key) {
  bool listed = report != NULL && in_list(report);
  if (report == NULL || (key == NULL && !listed))
    return ENTROPIC_BAD_ARGUMENT;
  if (report->more)
    put(report, ", ", 2);
  report->more = true;
  if (listed)
    return ENTROPIC_OK;
  put_string(report, key);
  put(report, ": ", 2);
  return ENTROPIC_OK;
}

static entropic_status end_value(entropic_report *report) {
  if (!reserve(report, 0))
    return ENTROPIC_NO_MEMORY;
  finish(report);
  return ENTROPIC_OK;
}

static entropic_status add(entropic_report *report, const char *key, const char *text) {
  entropic_status status = start_value(report, key);
  if (status != ENTROPIC_OK)
    return status;
  put(report, text, strlen(text));
  return end_value(report);
}

entropic_status entropic_report_create(entropic_context *context, entropic_report **report) {
  if (report == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "entropic_report_create: report is NULL");
  entropic_report *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->closing[made->depth++] = '}';
  put(made, "{", 1);
  if (end_value(made) != ENTROPIC_OK) {
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
  ent_delete(report->text);
  ent_delete(report);
}

void ent_report_poll(entropic_report *report, entropic_context *context) {
  report->context = context;
}

entropic_status ent_report_finish(entropic_context *context, entropic_report *made, entropic_report **report) {
  entropic_status status = made->cancelled;
  made->context = NULL;
  if (status != ENTROPIC_OK)
    goto done;
  status = ENTROPIC_NO_MEMORY;
  if (made->failed)
    goto done;
  ent_report_index_clear(&made->index);
  status = ent_report_index_fill(context, made->text, &made->index);
  if (status != ENTROPIC_OK)
    goto done;
  *report = made;
  made = NULL;
done:
  entropic_report_free(made);
  return status == ENTROPIC_NO_MEMORY ? ent_fail(context, status, "out of memory: a report") : status;
}

const char *entropic_report_json(const entropic_report *report) {
  return report == NULL || report->failed ? NULL : report->text;
}

entropic_status entropic_report_add_number(entropic_report *report, const char *key, double value) {
  char text[ENTROPIC_NUMBER_SIZE] = "null";
  if (isfinite(value))
    entropic_format_double(value, text);
  return add(report, key, text);
}

entropic_status entropic_report_add_integer(entropic_report *report, const char *key, uint64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, value);
  return add(report, key, text);
}

entropic_status entropic_report_add_flag(entropic_report *report, const char *key, int value) {
  return add(report, key, value ? "true" : "false");
}

void ent_report_add_null(entropic_report *report, const char *key) {
  add(report, key, "null");
}

entropic_status entropic_report_add_text(entropic_report *report, const char *key, const char *text) {
  if (text == NULL)
    return add(report, key, "null");
  entropic_status status = start_value(report, key);
  if (status != ENTROPIC_OK)
    return status;
  put_string(report, text);
  return end_value(report);
}

static entropic_status open_bracket(entropic_report *report, const char *key, const char *bracket, char closing) {
  if (report != NULL && report->depth == DEPTH_MOST)
    return ENTROPIC_BAD_ARGUMENT;
  entropic_status status = start_value(report, key);
  if (status != ENTROPIC_OK)
    return status;
  put(report, bracket, 1);
  report->closing[report->depth++] = closing;
  report->more = false;
  return end_value(report);
}

entropic_status entropic_report_open_object(entropic_report *report, const char *key) {
  return open_bracket(report, key, "{", '}');
}

entropic_status entropic_report_open_list(entropic_report *report, const char *key) {
  return open_bracket(report, key, "[", ']');
}

entropic_status entropic_report_close(entropic_report *report) {
  if (report == NULL || report->depth < 2)
    return ENTROPIC_BAD_ARGUMENT;
  report->depth--;
  put(report, &report->closing[report->depth], 1);
  report->more = true;
  return end_value(report);
}
