/* How tables are written, where that is not to be found out: the options of every command that reads one. */
#ifndef ENTROPIC_CLI_READING_H
#define ENTROPIC_CLI_READING_H

#include "options.h"

typedef struct reading_settings {
  int format; /* an entropic_format */
  int header; /* 0 to find out, 1 yes, 2 no */
  const char *delimiter, *decimal, *quote, *comment, *missing;
} reading_settings;

extern const cli_option reading_options[];

/* Options for the library, without roles; complains about what is no character. An exit status. */
int reading_apply(const cli_session *session, const reading_settings *settings, entropic_read_options *options);

/* One list of all columns that were given to an option, to be freed; NULL if there are none. An exit status. */
int reading_list(const cli_session *session, const char *option, const cli_texts *texts, char **list);

/* Complains if a file cannot be read: whatever is wrong with an input file is bad data. An exit status. */
int check_readable(const cli_session *session, const char *path);

#endif
