/* A log of runs that are done, so that an interrupted comparison goes on where it was: a text file of tab separated
 * lines, one for each evaluation and each measured training, appended as soon as it is done.
 *
 * The first line says what the runs are of; a log that begins with another line is refused. An incomplete last line, as a
 * killed process may leave it, is removed. One process at a time has a log open for writing. */
#ifndef ENT_COMPARE_RUN_LOG_H
#define ENT_COMPARE_RUN_LOG_H

#include "compare/evaluation.h"

typedef struct ent_run_log ent_run_log;

/* What an evaluation is known by. The constant has method ENT_COMPARE_METHODS. */
typedef struct ent_logged_key {
  ent_request request;
  uint64_t number; /* of an evaluation: the seed of its run; of a training: the round */
} ent_logged_key;

/* A training that was measured. */
typedef struct ent_logged_time {
  ent_durations durations;
  double others; /* how many processors other work kept busy meanwhile; NaN if that is not known */
} ent_logged_time;

/* Opens a log, made if it is not there, and reads what it has. head is one line of text without its end. BAD_DATA, with
 * file and line, if the file is no such log; SYSTEM if it cannot be read or written, or another process has it open. */
entropic_status ent_run_log_open(entropic_context *context, const char *path, const char *head, ent_run_log **log);
void ent_run_log_close(ent_run_log *log);

/* Whether the log has it; then a copy. The log may be NULL: it has nothing. Any thread may call these four. */
bool ent_run_log_find(ent_run_log *log, const ent_logged_key *key, ent_performance *performance);
bool ent_run_log_find_time(ent_run_log *log, const ent_logged_key *key, ent_logged_time *time);

/* Appends a line; does nothing if the log is NULL. */
entropic_status ent_run_log_add(entropic_context *context, ent_run_log *log, const ent_logged_key *key,
                                const ent_performance *performance);
entropic_status ent_run_log_add_time(entropic_context *context, ent_run_log *log, const ent_logged_key *key,
                                     const ent_logged_time *time);

#endif
