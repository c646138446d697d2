/* Buffered writing to a file that appears complete or not at all, or to standard output. Errors are kept until output_end,
 * so that callers can write without checking each piece. */
#ifndef ENTROPIC_CLI_OUTPUT_H
#define ENTROPIC_CLI_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include "session.h"

typedef struct cli_output cli_output;

/* Whether a name has this ending, in letters of any case. */
bool ends_with(const char *path, const char *ending);

/* path "-" is standard output. NULL on failure, with the exit status in *result. */
cli_output *output_begin(const cli_session *session, const char *path, int *result);
void output_bytes(cli_output *output, const void *bytes, size_t count);
void output_string(cli_output *output, const char *text);
void output_character(cli_output *output, char character);
/* The shortest decimal that reads back the same. */
void output_number(cli_output *output, double value);
/* Several, with commas between them. */
void output_numbers(cli_output *output, const double *values, size_t count);
void output_count(cli_output *output, uint64_t value);
/* A field of CSV as RFC 4180 has it, made of two texts; blanks at an end are kept by quotes too. */
void output_field(cli_output *output, const char *before, const char *text);
/* An output that stays in memory, so that threads can write parts of a file at the same time; NULL: there is no memory.
 * output_append writes what it has to the end of a file, and empties it. */
cli_output *output_in_memory(const cli_session *session);
void output_append(cli_output *output, cli_output *part);
/* Frees an output in memory; NULL is fine. */
void output_free(cli_output *output);
/* Not 0 once it makes no sense to go on: a write failed or a signal came. */
int output_stopped(const cli_output *output);
/* Puts the file in place and frees. If anything went wrong (or success is false) nothing is left on disk; says so. An
 * exit status: 128 + its number after a signal. */
int output_end(cli_output *output, bool success);

/* Something that a command writes or reads, and where. */
typedef struct cli_destination {
  const char *what; /* "the rows" */
  const char *path; /* "-" is standard output; NULL if there is none */
  bool read;        /* it is read, not written; "-" is then standard input */
} cli_destination;

/* Complains if one file would be written twice, or is written and read. An exit status. */
int destinations_check(const cli_session *session, const cli_destination *places, size_t count);
/* Complains about a place where no file can be made, so that long work does not come to nothing in the end. */
int check_writable(const cli_session *session, const char *path);

/* All of text to standard output. */
int output_print(const cli_session *session, const char *text);
/* An empty report; NULL on failure, with the exit status in *result. */
entropic_report *report_begin(const cli_session *session, int *result);
/* A report as one line of JSON; "-" is standard output. */
int report_print(const cli_session *session, const entropic_report *report, const char *path);

/* What to return after a failed write: quiet if the reader of the pipe has gone. */
int write_failure(const cli_session *session, entropic_status status);

#endif
