/* How tables are written, where that is not to be found out: the options of every command that reads one. */
#ifndef ENTROPIC_CLI_READING_H
#define ENTROPIC_CLI_READING_H

#include "options.h"

typedef struct reading_settings {
  int format; /* an entropic_format */
  int header; /* 0 to find out, 1 yes, 2 no */
  const char *delimiter, *decimal, *quote, *comment, *missing;
  bool from_zero, any_order; /* indices of LIBSVM text */
} reading_settings;

extern const cli_option reading_options[];

/* Options for the library, without roles; complains about what is no character. An exit status. */
int reading_apply(const cli_session *session, const reading_settings *settings, entropic_read_options *options);

/* What the columns of a table are for, as options have it. */
typedef struct reading_columns {
  const char *target, *weights, *groups, *time; /* NULL if not given */
  const cli_texts *ignore, *categorical, *keep;
} reading_columns;

/* Reads a table. `schema` is a table whose inputs it must have, or NULL. An exit status. */
int reading_load(const cli_session *session, const reading_settings *settings, const reading_columns *columns,
                 const char *path, const entropic_table *schema, entropic_table **table);
/* Says what is to be known of how the table was read, after `prefix`. */
void reading_mention(const cli_session *session, const char *prefix, const entropic_table *table);
/* Says what is to be known of the classes of a data set. */
void reading_mention_classes(const cli_session *session, const entropic_dataset *dataset);
/* Complains if there is no target: only LIBSVM text has one by itself. An exit status. */
int reading_check_target(const cli_session *session, const reading_columns *columns, const entropic_table *table);

/* One list of all columns that were given to an option, to be freed; NULL if there are none. An exit status. */
int reading_list(const cli_session *session, const char *option, const cli_texts *texts, char **list);

/* Complains if a file cannot be read: whatever is wrong with an input file is bad data. An exit status. */
int check_readable(const cli_session *session, const char *path);

#endif
