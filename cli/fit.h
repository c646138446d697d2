/* What the files of `fit` share: its own settings, its notices and its summary. */
#ifndef ENTROPIC_CLI_FIT_H
#define ENTROPIC_CLI_FIT_H

#include "reading.h"

typedef struct fit_settings {
  const char *path, *valid, *html, *checkpoint;
  bool json;
} fit_settings;

/* Which inputs are dates, and what is no column at all. */
void fit_mention_columns(const cli_session *session, const entropic_table *table);
/* What the target is treated as, if nobody has said. */
void fit_mention_task(const cli_session *session, const entropic_table *table, const entropic_dataset *train);
/* What a person may not expect of the data. */
void fit_mention(const cli_session *session, const entropic_dataset *train, bool validated);
/* The same of the rows of --valid. */
void fit_mention_valid(const cli_session *session, const char *path, const entropic_dataset *valid);
/* What came of it: lines for people, or the report as JSON, to which the model's place is added. An exit status. */
int fit_summarise(const cli_session *session, const fit_settings *settings, const entropic_model *model,
                  entropic_report *report);

#endif
