/* What collects rows in fixed point: it lifts and packs blocks of them, and adds their products to sums. */
#ifndef ENT_SUMS_FIXED_COLLECTOR_H
#define ENT_SUMS_FIXED_COLLECTOR_H

#include "sums/fixed_sums.h"

/* Sums of any number of rows. An empty one is all zero. */
typedef struct ent_fixed_tally {
  ent_fixed_sums *sums; /* NULL before there are any */
  ent_fixed *flushed;   /* of rows beyond ENT_FIXED_SUM_ROWS; NULL before there are any */
} ent_fixed_tally;

/* What is collected, all borrowed. */
typedef struct ent_fixed_collection {
  const ent_fixed *fixed; /* only its shape is used */
  const ent_map *map;
  size_t known;   /* products among the first `known` features are not needed */
  bool sliced;    /* as in fixed_block.h */
  size_t rows;    /* how many are expected; 0: not known */
  size_t targets; /* of the rows */
  ent_fixed_options options;
} ent_fixed_collection;

typedef struct ent_fixed_collector {
  ent_fixed_collection what;
  double lift_seconds, sum_seconds;
  bool dense;   /* rows are lifted densely */
  size_t width; /* the most values of a row */
  size_t workers;
  struct ent_fixed_segment *segments; /* [workers] */
  size_t packed;                      /* of the current rows, so many are in the first block already */
  ent_fixed_layout *layout;           /* NULL before the first rows, as the next */
  ent_fixed_format *format;
  ent_fixed_block **blocks; /* [workers] */
  ent_block rows;           /* the current ones, at most a block for each worker */
} ent_fixed_collector;

/* BAD_ARGUMENT if things do not go together. On failure nothing is left to clear. */
entropic_status ent_fixed_collector_start(entropic_context *context, const ent_fixed_collection *what,
                                          ent_fixed_collector *collector);
void ent_fixed_collector_clear(ent_fixed_collector *collector);

/* How many rows are best added at a time. */
size_t ent_fixed_collector_rows(const ent_fixed_collector *collector);

/* Adds rows. On failure the tally is undefined, but can be cleared. */
entropic_status ent_fixed_collector_add(entropic_context *context, ent_fixed_collector *collector,
                                        const ent_block *rows, ent_fixed_tally *tally);

/* Adds all rows of a source. TOO_LARGE if there are more than `most`. */
entropic_status ent_fixed_collector_add_all(entropic_context *context, ent_fixed_collector *collector,
                                            const ent_rows *rows, uint64_t most, ent_fixed_tally *tally);

/* sum += other, both by one collector, which must not be cleared yet. Other is empty afterwards; what it held may be kept in
 * *spare, sums of no rows for later use. */
entropic_status ent_fixed_tally_merge(entropic_context *context, ent_fixed_tally *sum, ent_fixed_tally *other,
                                      ent_fixed_sums **spare);

/* Adds the totals to statistics, each rounded once. Sliced, two columns make one target. On failure, which is only for lack of
 * memory, the statistics are as they were. */
entropic_status ent_fixed_tally_write(entropic_context *context, ent_fixed_tally *tally, bool sliced,
                                      ent_statistics *statistics);

/* Frees and empties. */
void ent_fixed_tally_clear(ent_fixed_tally *tally);

#endif
