/* The data sets of the source paper, with its numbers of training and test rows. */
#ifndef ENT_STUDY_SETS_H
#define ENT_STUDY_SETS_H

#include <stdbool.h>

#include "compare/split_table.h"

typedef struct ent_set_info {
  const char *name;                      /* "energy" */
  const char *title;                     /* "Energy Efficiency" */
  const char *files;                     /* in the folder, comma separated */
  const char *error;                     /* what is measured */
  bool timed;                            /* the one that times of training alone are taken on */
  size_t printed_features, printed_most; /* M and M_0 of the source paper's table 2 */
} ent_set_info;

#define ENT_STUDY_PATH 4096 /* bytes of the path of a file */

#define ENT_SETS 4
extern const ent_set_info ent_sets[ENT_SETS];

/* The rows of a data set. */
typedef struct ent_set {
  ent_split_table split_table;
  size_t train, test; /* rows of a split */
  size_t fixed_test;  /* the last so many rows are always the test rows; 0: any that are not training rows */
} ent_set;

/* Whether its files are in the folder. */
bool ent_set_there(const char *folder, size_t set);

/* How a data set is loaded; all borrowed. */
typedef struct ent_set_options {
  const char *folder;
  bool quick; /* fewer rows, and principal components instead of an auto-encoder */
  uint64_t seed;
} ent_set_options;

/* Targets that are numbers are scaled to [-1,1]. On failure *loaded is empty. */
entropic_status ent_set_load(entropic_context *context, size_t set, const ent_set_options *options, ent_set *loaded);
void ent_set_clear(ent_set *set);
/* The rows of a split, scaled. */
entropic_status ent_set_cut(entropic_context *context, const ent_set *set, uint64_t seed, ent_split_cut *cut);

#endif
