/* A setting of the pilot search: what paths are made with, and how good it is by short paths on some of the rows. */
#ifndef ENT_TUNE_PILOT_SETTING_H
#define ENT_TUNE_PILOT_SETTING_H

#include "tune/recipe.h"
#include "tune/split.h"

/* What paths are made with. */
typedef struct ent_pilot_setting {
  const ent_recipe *recipe; /* with its inputs: that of the search, or the one that it offers */
  const bool *used;         /* [inputs]; NULL: all */
  size_t view;
  double omega;
  const ent_link *link; /* NULL: none */
  ent_product_limits products;
} ent_pilot_setting;

/* How two settings are compared. */
typedef enum ent_pilot_criterion {
  ENT_PILOT_ERROR, /* by the error that paths minimise; if their transforms differ, by the mean square error */
  ENT_PILOT_TAIL   /* by the mean square error with the largest square counted once more */
} ent_pilot_criterion;

/* How good a setting is. */
typedef struct ent_pilot_result {
  double error;  /* the mean over the parts of what paths minimise */
  double mse;    /* the mean of mean square errors */
  double tail;   /* mse, with the largest square counted once more */
  size_t order;  /* inputs of the largest product */
  double *mses;  /* [parts] mean square errors */
  double *worth; /* [inputs] the gains of features, shared evenly among their inputs */
} ent_pilot_result;

/* What paths have cost so far. */
typedef struct ent_pilot_time {
  double deadline;
  double last_seconds, last_end; /* how long the last setting took, and when it ended */
  size_t paths;                  /* how many there were */
  double model_seconds;          /* what these paths would take in models */
} ent_pilot_time;

/* What a path of a setting has found on one part. */
typedef struct ent_pilot_path {
  double error, mse, largest_square; /* of its best step, as in ent_select_step */
  size_t rows;                       /* that these are of */
  size_t order, features;            /* inputs of the largest product; features in all */
  size_t inputs;                     /* of the setting's recipe */
  double *worth;                     /* [inputs] as in ent_pilot_result */
  double seconds;                    /* that it took */
  ent_search_result partial;         /* where these went, and whether it was stopped early */
} ent_pilot_path;

/* Paths that were made ahead, on the first parts of some settings. */
typedef struct ent_pilot_ahead {
  ent_pilot_setting *settings; /* [count] */
  size_t count;
  ent_pilot_path *paths; /* [count][parts] */
  size_t parts;
} ent_pilot_ahead;

typedef struct ent_pilot {
  const ent_recipe *recipe;
  ent_search_result *result;
  size_t max_features;
  ent_split *splits; /* [parts] */
  size_t parts;
  ent_pilot_setting setting;   /* the best so far; what it borrows is kept by the caller */
  ent_pilot_result best, last; /* of the best setting so far, and of the last one */
  bool taken;                  /* the last setting became the best */
  ent_pilot_time time;
  ent_pilot_ahead ahead;
} ent_pilot;

/* How many parts of the splits each setting is validated on. */
size_t ent_pilot_parts(const ent_recipe *recipe);
/* Whether there are so few rows of numbers that shorter paths choose as well. */
bool ent_pilot_is_scarce(const ent_recipe *recipe);
/* When work has to end that may take this share of the time left, on the clock of ent_seconds; 0: never. */
double ent_pilot_deadline(const ent_validation_splits *splits, double share);
/* The work of so many models, in multiples of the rows of a pilot path. */
double ent_pilot_following(const ent_validation_splits *splits, size_t members);

/* On failure the pilot has to be cleared as well. */
entropic_status ent_pilot_start(entropic_context *context, const ent_recipe *recipe, size_t max_features,
                                ent_search_result *result, ent_pilot *pilot);
void ent_pilot_clear(ent_pilot *pilot);
/* Several settings that will all be validated: their paths are spread over the threads ahead of time, if there are
 * several threads and no deadline. settings[count] is copied. Called once. */
entropic_status ent_pilot_prepare(entropic_context *context, ent_pilot *pilot, const ent_pilot_setting *settings,
                                  size_t count);
/* Validates a setting. It becomes the best if it is below `part` of the best so far. Where it would end too late the
 * result is stopped early, and nothing changes. */
entropic_status ent_pilot_try(entropic_context *context, ent_pilot *pilot, ent_pilot_setting setting,
                              ent_pilot_criterion criterion, double part);

#endif
