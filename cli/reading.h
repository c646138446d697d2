/* Reading tables by the parameters of the command line, and what people should know of it. */
#ifndef ENTROPIC_CLI_READING_H
#define ENTROPIC_CLI_READING_H

#include "options.h"

/* Complains if a file cannot be read: whatever is wrong with an input file is bad data. An exit status. */
int check_readable(const cli_session *session, const char *path);

/* The same for a table, which may be a folder, a pattern or several files. */
int check_data(const cli_session *session, const char *path);
/* Can a word be the name of a table: of a file that is there, or a pattern? */
bool names_data(const char *word);

/* Reads a table, with the schema of another one unless that is NULL. An exit status. */
int reading_load(const cli_session *session, const char *path, const entropic_table *schema, entropic_table **table);
/* Reads a table and makes a data set of it, by the parameters. The table is freed by the caller. An exit status. */
int reading_learn(const cli_session *session, const char *path, entropic_table **table, entropic_dataset **dataset);
/* Says what is to be known of the classes of a data set. */
void mention_classes(const cli_session *session, const entropic_dataset *dataset);

#endif
