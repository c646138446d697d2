/* What every command shares: the library's context, the exit statuses, and how it speaks to people. */
#ifndef ENTROPIC_CLI_SESSION_H
#define ENTROPIC_CLI_SESSION_H

#include <stdbool.h>

#include "entropic/entropic.h"

/* Exit statuses; scripts rely on them. */
enum {
  EXIT_DONE = 0,
  EXIT_USAGE = 1, /* wrong use of the command */
  EXIT_DATA = 2,  /* bad input data or model */
  EXIT_SYSTEM = 3 /* out of memory or disk, or another failure of the system */
};

struct cli_session;

/* Ranks that read one table together: what entropic-mpi adds. Each has a part of the rows. */
typedef struct cli_cluster {
  int rank, size;
  int threads; /* that each has, if it is not said otherwise */
  void *self;
  /* Collective: before anything is read. An exit status. */
  int (*begin)(const struct cli_session *session, const char *data, const char *checkpoint);
  /* Rank 0: the table of all ranks. A status, with a message in the context. */
  entropic_status (*load)(const struct cli_session *session, entropic_table **table);
  /* The others: they answer until rank 0 ends. An exit status. */
  int (*serve)(const struct cli_session *session);
  /* Rank 0: the others end with this exit status. Collective with their end. */
  void (*end)(const struct cli_session *session, int result);
} cli_cluster;

typedef struct cli_session {
  const char *command; /* its name, NULL before it is known */
  entropic_context *context;
  entropic_parameters *parameters; /* that the command line set; NULL if the command has none */
  struct cli_progress *bar;        /* for what the library does; wiped before anything is said or printed */
  char *files;                     /* several files of one table, as the library takes them; NULL: there is one */
  bool quiet;                      /* no notices, no progress */
  int argc;                        /* the whole command line */
  char **argv;
  const cli_cluster *cluster; /* NULL: there are no other ranks */
} cli_session;

/* Prints "entropic COMMAND: text" to standard error and returns status, so that callers can `return complain(...)`. */
int complain(const cli_session *session, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same for a failed library call: the context's message, and the exit status that belongs to it. */
int complain_library(const cli_session *session, entropic_status status);
/* The same with `path: ` before it unless it is there, for messages that do not know where the data came from. */
int complain_about(const cli_session *session, const char *path, entropic_status status);
int complain_memory(const cli_session *session);
/* Something a person should know that is no failure; silenced by --quiet. */
void notice(const cli_session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A line of a summary: a name and, aligned, what there is to say about it; silenced by --quiet. */
void summary_line(const cli_session *session, const char *name, const char *value);

#define SHOWN_SIZE 64

/* A number for people, rounded to so many significant digits: 0.0125, 31,000, 1.25e-07. Returns shown. */
const char *show_number(double value, int digits, char shown[SHOWN_SIZE]);

/* Says how large the table is that is worked on, in values: of small ones freed memory is kept for the next piece. */
void memory_keep(size_t values);

/* Seconds on a clock that only moves forwards. */
double seconds_now(void);

/* A bar on standard error, drawn only on a terminal and only for work of more than a second. */
typedef struct cli_progress {
  const cli_session *session;
  const char *what;
  double start, drawn; /* times */
  double bytes;        /* of the file that is read; 0: not known */
  char stage[256];     /* what the library was at last */
  double stage_start;  /* when that began */
} cli_progress;

cli_progress progress_start(const cli_session *session, const char *what);
void progress_step(cli_progress *progress, size_t done, size_t total);
/* The same where nobody knows how much there is to do: so many rows so far. */
void progress_rows(cli_progress *progress, size_t rows);
/* Lets the library draw the session's bar in its long calls, if it can be seen at all. */
void progress_listen(const cli_session *session);
/* The same, and a signal that is held back ends such a call: for calls that may take long while an output is open. */
void progress_heed_signals(const cli_session *session);
/* The same where the rows go to a spool, even if it cannot be seen: how large that will be is said as soon as it is known. */
void progress_listen_spool(const cli_session *session);
/* Wipes the bar, if it is there. */
void progress_end(cli_progress *progress);

#endif
