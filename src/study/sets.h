/* The data sets of the source paper, with its numbers of rows to learn from and to test on. */
#ifndef ENT_STUDY_SETS_H
#define ENT_STUDY_SETS_H

#include <stdbool.h>

#include "study/split_table.h"

typedef struct ent_set_info {
  const char *name;  /* "energy" */
  const char *title; /* "Energy Efficiency" */
  const char *files; /* in the folder, comma separated */
  const char *error; /* what is measured */
  bool timed;        /* the one that training times are taken on */
} ent_set_info;

#define ENT_SETS 4
extern const ent_set_info ent_sets[ENT_SETS];

/* The rows of a data set. */
typedef struct ent_set {
  ent_split_table split_table;
  size_t train, test; /* rows of a split */
  size_t fixed_test;  /* the last so many rows are the ones to test on; 0: any that are not learnt from */
} ent_set;

/* Whether its files are in the folder. */
bool ent_set_there(const char *folder, size_t set);
/* quick: fewer rows, and principal components instead of an auto-encoder. Targets are brought to [-1,1]. progress, or
 * NULL, is told how far the auto-encoder is. */
entropic_status ent_set_load(entropic_context *context, const char *folder, size_t set, bool quick, uint64_t seed,
                             entropic_progress progress, void *user, ent_set *loaded);
void ent_set_clear(ent_set *set);
/* The rows of a split, scaled. */
entropic_status ent_set_cut(entropic_context *context, const ent_set *set, uint64_t seed, ent_split_cut *cut);

#endif
