/* What the files of `fit` share: its settings, and what its report needs. */
#ifndef ENTROPIC_CLI_FIT_H
#define ENTROPIC_CLI_FIT_H

#include "recipe.h"

typedef struct fit_settings {
  const char *target, *weights, *groups, *time, *valid, *path, *html;
  cli_texts ignore, categorical, keep;
  int task, loss, scaling, solver; /* entropic_task, entropic_loss, entropic_scaling, entropic_solver */
  int target_scale;                /* an entropic_target_scale */
  int select;                      /* an entropic_select */
  int class_weight;                /* an entropic_class_weight */
  uint64_t ensemble;
  double seconds;
  double lambda;
  uint64_t folds, threads;
  bool json;
  recipe_settings recipe;
  reading_settings reading;
} fit_settings;

/* A column of DATA. */
typedef struct fit_column {
  char *name;
  entropic_role role;
  entropic_type type;
} fit_column;

/* What a fit took and gave. */
typedef struct fit_outcome {
  double start, read, total; /* the clock at the start; seconds */
  entropic_fit_report report;
  size_t asked; /* features, by number; 0 if that was left open */
  fit_column *columns;
  size_t column_count;
} fit_outcome;

/* Remembers the columns of the table. An exit status. */
int fit_list_columns(const cli_session *session, const entropic_table *table, fit_outcome *outcome);
void fit_outcome_clear(fit_outcome *outcome);

/* Which inputs are dates, and what is no column at all. */
void fit_mention_columns(const cli_session *session, const entropic_table *table);
/* What the target is taken for, if nobody has said. */
void fit_mention_task(const cli_session *session, const entropic_table *table, const entropic_dataset *train);
/* What a person may not expect of the data; valid may be NULL. */
void fit_mention(const cli_session *session, const fit_settings *settings, const entropic_dataset *train,
                 const entropic_dataset *valid);
/* What came of it: lines for people, or one JSON object. An exit status. */
int fit_summarise(const cli_session *session, const fit_settings *settings, const entropic_dataset *train,
                  const entropic_model *model, const fit_outcome *outcome);

#endif
