/* Rows for statistics: what collect, update and forget say about them. */
#ifndef ENTROPIC_CLI_ROWS_H
#define ENTROPIC_CLI_ROWS_H

#include "models.h"

/* Says what is unusual about rows that were read, by the report of the call that read them. */
void rows_mention(const cli_session *session, const entropic_report *report);
/* The receipt of a report on standard output, or with json all of it. An exit status. */
int rows_print(const cli_session *session, const entropic_report *report, bool json);

#endif
