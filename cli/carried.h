/* Columns of DATA that go along into the predictions: predict --with. */
#ifndef ENTROPIC_CLI_CARRIED_H
#define ENTROPIC_CLI_CARRIED_H

#include "output.h"

/* Does a column of the predictions have this name? */
typedef bool (*carried_taken)(const void *user, const char *name);

/* Their names in the output: those in DATA, but for one that the predictions have as well. */
typedef struct cli_carried {
  const entropic_row_reader *reader;
  size_t count;
  char **names;
} cli_carried;

/* Takes the columns of the list, by name or number. An exit status. */
int carried_start(const cli_session *session, entropic_row_reader *reader, const char *list, cli_carried *carried);
/* Gives those another name that the predictions have as well, and says so. */
void carried_rename(const cli_session *session, cli_carried *carried, carried_taken taken, const void *user);
void carried_clear(cli_carried *carried);
/* They stand before the predictions, so a comma follows each. */
void carried_header(const cli_carried *carried, cli_output *output);
void carried_write(const cli_carried *carried, cli_output *output, size_t row);

#endif
