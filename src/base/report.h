/* Reports from within the library: values are added without looking, and one question at the end tells whether all went
 * well. */
#ifndef ENT_BASE_REPORT_H
#define ENT_BASE_REPORT_H

#include "base/context.h"
#include "entropic/report.h"

/* A null. */
void ent_report_add_null(entropic_report *report, const char *key);
/* Hands a report out that is complete; frees it, NO_MEMORY with a message, if something could not be added. */
entropic_status ent_report_finish(entropic_context *context, entropic_report *made, entropic_report **report);
#endif
