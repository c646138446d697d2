/* Models: loading them, and describing them as text and as JSON. */
#ifndef ENTROPIC_CLI_MODELS_H
#define ENTROPIC_CLI_MODELS_H

#include "json.h"

/* An exit status. "-" is standard input. */
int model_open(const cli_session *session, const char *path, entropic_model **model);
/* Complains if both are standard input. */
int check_one_stdin(const cli_session *session, const char *model, const char *data);

/* Says what is to be known of how the file was read. */
void mention_reading(const cli_session *session, const entropic_row_reader *reader);
/* Says what is unusual about the rows, if anything is. */
void mention_warnings(const cli_session *session, const entropic_data_warnings *warnings);

/* The size of a file, 0 if it is none or has none. */
uint64_t file_size(const char *path);

/* A name and what there is to say about it. report is that of the fit, or NULL where it is not known. */
typedef void (*model_line)(void *user, const char *name, const char *value);
void model_summarise(const entropic_model *model, const entropic_fit_report *report, model_line line, void *user);

/* The keys that fit and info have in common, rows to validation{}. */
void model_describe(cli_json *json, const entropic_model *model, const entropic_fit_report *report);

#endif
