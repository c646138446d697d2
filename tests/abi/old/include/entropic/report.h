/* Reports: what a call found out, as one JSON text. Stable. */
#ifndef ENTROPIC_REPORT_H
#define ENTROPIC_REPORT_H

#include "entropic/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Reports ----------------------------------------------------------------------------------------------- */

/* A JSON object. Later versions may have more keys; those there are keep their names and meanings. */
typedef struct entropic_report entropic_report;

ENTROPIC_API void entropic_report_free(entropic_report *report);

/* The text, on one line, without a newline: always valid JSON and UTF-8. NaN and infinities are null. It lives until the
 * report is changed or freed. NULL if the report is NULL, or memory ran out while it was made. */
ENTROPIC_API const char *entropic_report_json(const entropic_report *report);

/* A value by its path: keys, and numbers from 0 in lists, separated by points: "validation.rmse", "path.0.features". A
 * number, true (1) or false (0): returns 1 and sets *value; otherwise 0: null, a text, no such path. */
ENTROPIC_API int entropic_report_number(const entropic_report *report, const char *path, double *value);
/* Writes a text's first size - 1 bytes and a 0 to text[size]. Returns its whole length, 0 if there is no text there. */
ENTROPIC_API size_t entropic_report_text(const entropic_report *report, const char *path, char *text, size_t size);
/* The number of values in a list or an object; 0 if there is none there. The path "" is the report itself. */
ENTROPIC_API size_t entropic_report_size(const entropic_report *report, const char *path);

/* An empty report, and values for it: at the end of what is open last. A key is needed in objects and not used in lists.
 * Only the last failure counts: once memory ran out, every later call fails too. */
ENTROPIC_API entropic_status entropic_report_create(entropic_context *context, entropic_report **report);
ENTROPIC_API entropic_status entropic_report_add_number(entropic_report *report, const char *key /* or NULL */,
                                                        double value);
ENTROPIC_API entropic_status entropic_report_add_integer(entropic_report *report, const char *key /* or NULL */,
                                                         uint64_t value);
ENTROPIC_API entropic_status entropic_report_add_flag(entropic_report *report, const char *key /* or NULL */,
                                                      int value);
/* Bytes that are not UTF-8 become U+FFFD. A text that is NULL is null. */
ENTROPIC_API entropic_status entropic_report_add_text(entropic_report *report, const char *key /* or NULL */,
                                                      const char *text /* or NULL */);
ENTROPIC_API entropic_status entropic_report_open_object(entropic_report *report, const char *key /* or NULL */);
ENTROPIC_API entropic_status entropic_report_open_list(entropic_report *report, const char *key /* or NULL */);
/* Closes what is open last. BAD_ARGUMENT if nothing is. */
ENTROPIC_API entropic_status entropic_report_close(entropic_report *report);

#ifdef __cplusplus
}
#endif
#endif
