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

#ifdef __cplusplus
}
#endif
#endif
