/* What collections of statistics have in common: with folds (gram_folds.c) or without (gram.c). */
#ifndef ENT_SOLVE_GRAM_H
#define ENT_SOLVE_GRAM_H

#include "base/threads.h"
#include "sums/fixed_collector.h"
#include "sums/scales.h"

typedef struct ent_gram {
  ent_scales scales;
  ent_fixed_collector collector;
} ent_gram;

/* The scales of the rows, and what collects them. All is borrowed, and it must stay where it is. BAD_ARGUMENT if things do
 * not go together. On failure nothing is left to clear. */
entropic_status ent_gram_start(entropic_context *context, const ent_statistics *statistics, const ent_map *map,
                               const ent_rows *rows, const ent_collect_options *options, ent_gram *gram);
void ent_gram_clear(ent_gram *gram);

#endif
