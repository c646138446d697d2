/* The parts that outer validation leaves out. */
#ifndef ENT_FIT_OUTER_PARTS_H
#define ENT_FIT_OUTER_PARTS_H

#include "fit/fit.h"

/* Rows by parts. */
typedef struct ent_outer_parts {
  size_t *part_of; /* [rows] */
  size_t parts;
  bool forward;     /* with time: only parts of higher numbers, which are earlier, train while one is left out */
  size_t *in, *out; /* [rows] room: training rows, and those left out */
  size_t in_count, out_count;
  size_t *fold_of; /* [rows] of the training rows */
} ent_outer_parts;

/* How rows are dealt to parts. */
typedef struct ent_outer_dealing {
  uint64_t seed;
  size_t parts;  /* wanted */
  size_t learnt; /* as in ent_fold_options */
} ent_outer_dealing;

/* Clear it in any case. */
entropic_status ent_outer_parts_start(entropic_context *context, const entropic_dataset *data,
                                      const ent_outer_dealing *dealing, ent_outer_parts *p);
void ent_outer_parts_clear(ent_outer_parts *p);
/* Leaves out a part; the other rows, forward the earlier ones, are dealt to folds. *folds becomes how many. */
entropic_status ent_outer_leave_out(entropic_context *context, const ent_fit *fit, size_t part, ent_outer_parts *p,
                                    size_t *folds);
/* Frees what only ent_outer_leave_out needs, where no other part will be left out. */
entropic_status ent_outer_keep_part(entropic_context *context, ent_outer_parts *p);
/* Validation rows in two halves: the first validates, the second chooses; with time the first is the later one. *split
 * is false if all rows do both. */
entropic_status ent_outer_halve(entropic_context *context, const entropic_dataset *valid, uint64_t seed,
                                ent_outer_parts *p, bool *split);

#endif
