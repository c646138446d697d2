/* Runs of outer validation: each leaves one part of a small table out, chooses and trains on the others, and scores all
 * forms on the part. */
#ifndef ENT_FIT_OUTER_RUNS_H
#define ENT_FIT_OUTER_RUNS_H

#include "fit/outer.h"
#include "fit/outer_parts.h"

/* Room for so many rows. On failure *outer has to be cleared as well. */
entropic_status ent_outer_start(entropic_context *context, const ent_fit *fit, size_t rows, ent_outer *outer);
/* These folds from now on. */
void ent_outer_use_folds(ent_fit *fit, size_t *fold_of, size_t folds);
/* A run for each of the first parts, as many as are worth it, all of them for a stack, which keeps what they make. Runs
 * are spread over the threads. *stopped_early: there was no time for all of them, or for all that one of them would do. */
entropic_status ent_outer_run_parts(entropic_context *context, const ent_fit *fit, const ent_outer_parts *p,
                                    ent_fitted *fitted, bool *stopped_early);

#endif
