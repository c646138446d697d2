/* Reports from within the library: values are added without looking, and one question at the end tells whether all went
 * well. */
#ifndef ENT_BASE_REPORT_H
#define ENT_BASE_REPORT_H

#include "base/context.h"
#include "entropic/report.h"

/* From now until ent_report_finish, values that are added poll: a long report can be cancelled. */
void ent_report_poll(entropic_report *report, entropic_context *context);
/* A null. */
void ent_report_add_null(entropic_report *report, const char *key);
/* Hands a report out that is complete; frees it if something could not be added, NO_MEMORY, or if it was cancelled. */
entropic_status ent_report_finish(entropic_context *context, entropic_report *made, entropic_report **report);

/* Where the elements of long lists begin, so that they are found without reading the text before them. It stands from when a
 * report is complete until something is added. */
typedef struct ent_report_list {
  size_t start, end; /* its brackets, in bytes from the start of the text */
  size_t first, count;
} ent_report_list;

typedef struct ent_report_index {
  ent_report_list *lists; /* by start */
  size_t list_count, list_capacity;
  size_t *elements; /* of all lists, those of one after the other */
  size_t element_count, element_capacity;
} ent_report_index;

/* Fills an empty index; NO_MEMORY or CANCELLED. One that is cleared is empty: nothing is listed. */
entropic_status ent_report_index_fill(entropic_context *context, const char *text, ent_report_index *index);
void ent_report_index_clear(ent_report_index *index);
/* That of a report. */
const ent_report_index *ent_report_index_of(const entropic_report *report);

#endif
