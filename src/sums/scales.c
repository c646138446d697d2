/* Scales of collections: see scales.h.
 *
 * All that decides is a maximum or a number of rows, hence the same for any order of them. */
#include "sums/scales.h"

#include <math.h>

#include "base/memory.h"
#include "base/progress.h"

#define BLOCK_ROWS ((size_t)4096)

/* Values below 2^-10 of the largest one have 13 of 23 bits or fewer. If most rows are so small, an order-free collection is
 * made an exact one because of their weights, and more than a few targets have two slices because of them. */
#define SMALL_BITS 10
#define FEW_TARGETS ((size_t)2)

#define MOST_ROOT 500 /* the exponent of the largest root of a weight: some are left for features */

/* What is known of the rows. */
typedef struct ent_largest {
  const ent_statistics *statistics;
  const ent_rows *rows;
  bool counting;          /* second pass: small rows are counted */
  uint64_t count;         /* of rows with a weight above 0 */
  double weight;          /* the largest */
  double *targets;        /* [targets] the largest |y - shift| times the root of the weight */
  uint64_t small_weights; /* how many are small, but not 0 */
  uint64_t *small;        /* [targets] the same */
} ent_largest;

static void add_target(const ent_largest *l, const ent_block *block, size_t t) {
  const double *y = block->y + t;
  double shift = l->statistics->shift[t], most = l->targets[t], least = ldexp(most, -SMALL_BITS);
  uint64_t small = 0;
  for (size_t r = 0; r < block->rows; r++, y += block->y_stride) {
    double value = fabs((*y - shift) * (block->weights == NULL ? 1 : sqrt(block->weights[r])));
    most = value > most ? value : most;
    small += value < least && value > 0;
  }
  l->targets[t] = most;
  if (l->counting)
    l->small[t] += small;
}

static void add_block(ent_largest *l, const ent_block *block) {
  double least = ldexp(l->weight, -2 * SMALL_BITS);
  for (size_t r = 0; r < block->rows && !l->counting; r++) {
    double weight = ent_weight(block, r);
    l->weight = weight > l->weight ? weight : l->weight;
    l->count += weight > 0;
  }
  for (size_t r = 0; r < block->rows && l->counting && block->weights != NULL; r++)
    l->small_weights += block->weights[r] < least && block->weights[r] > 0;
  for (size_t t = 0; t < l->statistics->targets; t++)
    add_target(l, block, t);
}

/* One pass; *weighted: were there weights? */
static entropic_status pass_over(entropic_context *context, ent_largest *l, bool *weighted) {
  entropic_status status = l->rows->rewind(context, l->rows->self);
  if (status != ENTROPIC_OK)
    return status;
  for (;;) {
    ent_block block;
    status = ent_rows_take_targets(context, l->rows, BLOCK_ROWS, &block);
    if (status != ENTROPIC_OK || block.rows == 0)
      return status;
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    *weighted = block.weights != NULL;
    add_block(l, &block);
  }
}

/* Decides on grade and slices, which may take another pass. */
static entropic_status decide(entropic_context *context, ent_largest *l, bool weighted, ent_scales *scales) {
  size_t targets = l->statistics->targets;
  bool unsure = weighted && scales->grade == ENT_GRADE_ORDER_FREE;
  scales->sliced = targets > 0 && targets <= FEW_TARGETS;
  if (!unsure && targets <= FEW_TARGETS)
    return ENTROPIC_OK;
  l->counting = true;
  entropic_status status = pass_over(context, l, &weighted);
  if (status != ENTROPIC_OK)
    return status;
  if (unsure && l->small_weights > l->count / 2)
    scales->grade = ENT_GRADE_EXACT;
  for (size_t t = 0; t < targets; t++)
    scales->sliced = scales->sliced || l->small[t] > l->count / 2;
  return ENTROPIC_OK;
}

/* An exponent that fixed point can have: less than the least one is as good as that. */
static entropic_status set_exponent(entropic_context *context, int64_t exponent, const char *what, size_t number,
                                    int *to) {
  if (exponent > ENT_FIXED_MOST_EXPONENT)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "%s %zu can be as large as 2^%lld with the weights of the rows; "
                    "expected at most 2^%d",
                    what, number + 1, (long long)exponent, ENT_FIXED_MOST_EXPONENT);
  *to = exponent < -ENT_FIXED_MOST_EXPONENT ? -ENT_FIXED_MOST_EXPONENT : (int)exponent;
  return ENTROPIC_OK;
}

static entropic_status set_exponents(entropic_context *context, const ent_map *map, const ent_largest *l,
                                     const ent_scales *scales) {
  size_t features = map->features, slices = scales->sliced ? 2 : 1;
  int *exponents = scales->exponents, root = ent_fixed_exponent(sqrt(l->weight));
  if (root > MOST_ROOT)
    return ent_fail(context, ENTROPIC_BAD_DATA, "a row has the weight %g; expected at most %g", l->weight,
                    ldexp(1, 2 * MOST_ROOT));
  map->calls->exponents(map->self, exponents);
  for (size_t j = 0; j < features; j++) {
    entropic_status status = set_exponent(context, (int64_t)exponents[j] + root, "feature", j, &exponents[j]);
    if (status != ENTROPIC_OK)
      return status;
  }
  entropic_status status = set_exponent(context, root, "weight", 0, &exponents[features]);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t t = 0; t < l->statistics->targets; t++) {
    int *to = exponents + features + 1 + slices * t;
    status = set_exponent(context, ent_fixed_exponent(l->targets[t]), "target", t, to);
    if (status != ENTROPIC_OK)
      return status;
    if (scales->sliced)
      to[1] = to[0] - ent_grade_bits(scales->grade) - 1;
  }
  return ENTROPIC_OK;
}

void ent_scales_clear(ent_scales *scales) {
  ent_delete(scales->exponents);
  *scales = (ent_scales){0};
}

entropic_status ent_scales_find(entropic_context *context, const ent_statistics *statistics, const ent_map *map,
                                const ent_rows *rows, ent_grade grade, ent_scales *scales) {
  size_t targets = statistics->targets, size = statistics->size;
  bool weighted = false;
  ent_largest l = {.statistics = statistics, .rows = rows};
  *scales = (ent_scales){.grade = grade};
  l.targets = ent_new(context, targets, sizeof *l.targets);
  l.small = ent_new(context, targets, sizeof *l.small);
  scales->exponents = ent_new(context, size + targets, sizeof *scales->exponents);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (l.targets == NULL || l.small == NULL || scales->exponents == NULL)
    goto done;
  status = pass_over(context, &l, &weighted);
  if (status != ENTROPIC_OK)
    goto done;
  status = decide(context, &l, weighted, scales);
  if (status != ENTROPIC_OK)
    goto done;
  status = set_exponents(context, map, &l, scales);
  if (status != ENTROPIC_OK)
    goto done;
  scales->fixed = (ent_fixed){.grade = scales->grade,
                              .features = statistics->features,
                              .targets = scales->sliced ? 2 * targets : targets,
                              .exponents = scales->exponents,
                              .shift = statistics->shift};
  scales->fixed.size = scales->fixed.features + 1 + scales->fixed.targets;
done:
  ent_delete(l.targets);
  ent_delete(l.small);
  if (status != ENTROPIC_OK)
    ent_scales_clear(scales);
  return status;
}
