/* A sample of rows by their numbers alone: the rows with the smallest hashes (bottom-k). So every process that knows how
 * many rows there are in all knows which of its own are in the sample. */
#ifndef ENT_DATA_HASH_SAMPLE_H
#define ENT_DATA_HASH_SAMPLE_H

#include <stdbool.h>

#include "base/context.h"
#include "base/mix.h"

typedef struct ent_hash_sample {
  uint64_t rows;      /* in all */
  uint64_t size;      /* rows of the sample */
  uint64_t threshold; /* the greatest hash of a row of the sample */
} ent_hash_sample;

/* The sample of `most` out of `rows` rows; all of them if there are no more. Takes time in proportion to the rows, about
 * a second for 10^9, and memory in proportion to the square root of `most`. BAD_ARGUMENT if `most` is 0; CANCELLED. */
entropic_status ent_hash_sample_create(entropic_context *context, uint64_t rows, uint64_t most,
                                       ent_hash_sample *sample);

/* Is a row, numbered from 0, in the sample? */
static inline bool ent_hash_sample_takes(const ent_hash_sample *sample, uint64_t row) {
  return row < sample->rows && ent_mix(row) <= sample->threshold;
}

#endif
