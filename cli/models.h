/* Models: loading them, and describing them as text. */
#ifndef ENTROPIC_CLI_MODELS_H
#define ENTROPIC_CLI_MODELS_H

#include "output.h"

/* An exit status. "-" is standard input. */
int model_open(const cli_session *session, const char *path, entropic_model **model);
/* Writes a model, or statistics. An interrupted write is waited for, so that no temporary file is left. An exit status. */
int model_save(const cli_session *session, const entropic_model *model, const char *path);
int statistics_save(const cli_session *session, const entropic_statistics *statistics, const char *path);
/* Ends a write that was begun with signals held, unless to standard output. An exit status. */
int write_end(const cli_session *session, bool held, entropic_status status);
/* Statistics from their file. An exit status. */
int statistics_open(const cli_session *session, const char *path, entropic_statistics **statistics);
/* Whether a file says in front that it holds statistics; otherwise it may be a model. */
bool holds_statistics(const char *path);
/* The same of a design that is text; and of one that has columns. */
bool holds_design(const char *path);
bool holds_columns(const char *path);
/* A design with columns. An exit status. */
int design_open(const cli_session *session, const char *path, entropic_frozen_design **design);
/* Complains if both are standard input. */
int check_one_stdin(const cli_session *session, const char *model, const char *data);

/* Opens DATA for a model, and says what is to be known of how the file is read. An exit status. */
int rows_open(const cli_session *session, const entropic_model *model, const char *data, bool with_targets,
              entropic_row_reader **reader);
/* Says what is unusual about the rows, if anything is. */
void mention_warnings(const cli_session *session, const entropic_data_warnings *warnings);

/* Keys "model" and "model_bytes": the file's size, 0 if it has none. */
void model_place(entropic_report *report, const char *path);
/* The size of a file, 0 if it is none or has none. */
uint64_t file_size(const char *path);

/* A number of a report, NaN if there is none; and a count, 0 if there is none. */
double report_number(const entropic_report *report, const char *path);
size_t report_count(const entropic_report *report, const char *path);

/* A name and what there is to say about it, by the report of a fit or that of a model. */
typedef void (*model_line)(void *user, const char *name, const char *value);
void model_summarise(const entropic_model *model, const entropic_report *report, model_line line, void *user);

#endif
