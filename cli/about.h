/* What pages say about themselves: the data's short name, the day, and the command line. */
#ifndef ENTROPIC_CLI_ABOUT_H
#define ENTROPIC_CLI_ABOUT_H

#include "session.h"

#define ABOUT_DATE_SIZE 32

/* Cuts off a name what says how the file is written: .gz, then .csv and the like. */
void about_cut_endings(char *name);
/* A name without endings, and this one; to be freed. NULL if memory is out. */
char *about_with_ending(const char *name, const char *ending);
/* The name of a file without folders and endings, to be freed; NULL if memory ran out. "-" is "standard input". */
char *about_name(const char *path);
/* Today in UTC, or the day of SOURCE_DATE_EPOCH, as 2026-11-17. Complains if that is no number of seconds. An exit
 * status. */
int about_date(const cli_session *session, char date[ABOUT_DATE_SIZE]);
/* The command line, quoted so that a shell reads it back, to be freed; NULL if memory ran out. */
char *about_command(const cli_session *session);
/* Both, for the foot of a page. Complains if there is no memory. An exit status. */
int about_foot(const cli_session *session, char date[ABOUT_DATE_SIZE], char **command);
/* Adds both to a report, as "date" and "command". An exit status. */
int about_report(const cli_session *session, entropic_report *report);

#endif
