/* Adding rows to sums of the gradient: each block of rows is lifted once, multiplied by the weights, and multiplied by what
 * the loss makes of the scores. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/portable.h"
#include "base/processor.h"
#include "base/progress.h"
#include "sums/gradient_sums.h"

/* Rows between flushes. A lane has a sixteenth of them, and a block: below 2^17, so its sums stay below 2^63. */
#define SEGMENT_ROWS ((size_t)1 << 19)

/* The sums of a lane, and what it needs for a block. */
typedef struct ent_gradient_lane {
  int64_t *gradient; /* as in the sums, as are the next */
  int64_t *weights;
  uint64_t rows, misplaced, broken;
  double margin;
  ent_int128 loss;
  double *of_rows; /* [block * (scores + 6)] */
} ent_gradient_lane;

typedef struct ent_gradient_job {
  ent_gradient_sums *sums;
  const ent_gradient_code *code;
  const ent_linear *at;
  ent_gradient_scale *scales; /* [features + 1], the last of the intercept */
  size_t block;               /* the most rows of a block */
  ent_gradient_lane lanes[ENT_LANES];
} ent_gradient_job;

size_t ent_gradient_codes(const ent_gradient_code *codes[ENT_GRADIENT_MOST_CODES]) {
  size_t count = 0;
#if defined(__x86_64__)
  if (ent_processor_has_avx512())
    codes[count++] = &ent_gradient_avx512;
  if (ent_processor_has_avx2())
    codes[count++] = &ent_gradient_avx2;
#endif
  codes[count++] = &ent_gradient_reference;
  return count;
}

static void job_clear(ent_gradient_job *job) {
  for (size_t lane = 0; lane < ENT_LANES; lane++) {
    ent_delete(job->lanes[lane].gradient);
    ent_delete(job->lanes[lane].weights);
    ent_delete(job->lanes[lane].of_rows);
  }
  ent_delete(job->scales);
}

static void set_scales(ent_gradient_job *job) {
  const ent_gradient_sums *sums = job->sums;
  for (size_t j = 0; j <= sums->features; j++) {
    int feature = j < sums->features ? sums->exponents[j] : 0;
    int exponent = sums->weight_exponent + feature - ENT_GRADIENT_BITS;
    job->scales[j] = (ent_gradient_scale){
        .magic = ldexp(1.5, exponent + 52), .per = ldexp(1, -exponent), .limit = ldexp(1 + 0x1p-47, feature)};
  }
}

static entropic_status job_start(entropic_context *context, ent_gradient_job *job) {
  const ent_gradient_sums *sums = job->sums;
  job->scales = ent_new(context, sums->features + 1, sizeof *job->scales);
  if (job->scales == NULL)
    return ENTROPIC_NO_MEMORY;
  set_scales(job);
  for (size_t i = 0; i < ENT_LANES; i++) {
    ent_gradient_lane *lane = &job->lanes[i];
    lane->margin = -INFINITY;
    lane->gradient = ent_new_matrix(context, sums->scores, sums->features + 1, sizeof *lane->gradient);
    lane->weights = ent_new(context, sums->classes, sizeof *lane->weights);
    lane->of_rows = ent_new_matrix(context, job->block, sums->scores + 6, sizeof *lane->of_rows);
    if (lane->gradient == NULL || lane->weights == NULL || lane->of_rows == NULL)
      return ENTROPIC_NO_MEMORY;
  }
  return ENTROPIC_OK;
}

/* Classes and weights of a block. */
static entropic_status take_labels(entropic_context *context, const ent_gradient_job *job, const ent_block *block,
                                   double *labels, double *weights) {
  const ent_gradient_sums *sums = job->sums;
  double most = ldexp(1, sums->weight_exponent);
  for (size_t r = 0; r < block->rows; r++) {
    labels[r] = block->y[r * block->y_stride];
    weights[r] = ent_weight(block, r);
    if (!(labels[r] >= 0 && labels[r] < (double)sums->classes && labels[r] == floor(labels[r])))
      return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu: the class %g; expected a whole number below %zu",
                      block->first + r + 1, labels[r], sums->classes);
    if (!(weights[r] <= most))
      return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu: the weight %g is beyond the scale of weights, %g",
                      block->first + r + 1, weights[r], most);
  }
  return ENTROPIC_OK;
}

/* What rows add to the loss, the weights and the counts. The gradient of rows that cannot be computed becomes 0. */
static void tally_rows(const ent_gradient_job *job, const ent_gradient_rows *of, ent_gradient_lane *lane) {
  double per = job->scales[job->sums->features].per;
  for (size_t r = 0; r < of->rows; r++) {
    double weight = of->weights[r], loss = of->loss[r];
    bool broken = isnan(loss);
    for (size_t k = 0; broken && k < job->sums->scores; k++)
      of->u[k * of->rows + r] = 0;
    if (!(weight > 0))
      continue;
    lane->rows++;
    lane->weights[(size_t)of->labels[r]] += llrint(weight * per);
    lane->broken += broken;
    if (broken)
      continue;
    double scaled = weight * loss * per;
    lane->loss += scaled < 0x1p62 ? llrint(scaled) : (ent_int128)scaled; /* a larger one is an integer */
    lane->misplaced += !(of->margin[r] > 0);
    lane->margin = fmax(lane->margin, of->margin[r] + 0.0); /* no -0: equal sums are equal bytes */
  }
}

/* Adds the integer of a product. Unsigned, because one beyond its limit, which is refused afterwards, may overflow. */
static inline int64_t add_rounded(int64_t sum, double product, double magic) {
  return (int64_t)((uint64_t)sum + (ent_bits_of(product + magic) - ent_bits_of(magic)));
}

static void add_intercepts(const ent_gradient_job *job, const ent_gradient_rows *of, ent_gradient_lane *lane) {
  size_t features = job->sums->features;
  double magic = job->scales[features].magic;
  for (size_t k = 0; k < job->sums->scores; k++) {
    int64_t sum = 0;
    for (size_t r = 0; r < of->rows; r++)
      sum = add_rounded(sum, of->u[k * of->rows + r], magic);
    lane->gradient[k * (features + 1) + features] += sum;
  }
}

/* Dense rows, some at a time. */
static bool add_dense(const ent_gradient_job *job, const ent_lifted *lifted, const double *u, ent_gradient_lane *lane) {
  size_t rows = lifted->block.rows;
  bool within = true;
  for (size_t first = 0; first < rows; first += ENT_GRADIENT_ROWS)
    within &= job->code->add(
        &(ent_gradient_block){.rows = rows - first < ENT_GRADIENT_ROWS ? rows - first : ENT_GRADIENT_ROWS,
                              .columns = lifted->dense_count,
                              .scores = job->sums->scores,
                              .z = lifted->z + first,
                              .ld = lifted->ld,
                              .u = u + first,
                              .u_ld = rows,
                              .scales = job->scales,
                              .sums = lane->gradient,
                              .sums_ld = job->sums->features + 1});
  return within;
}

#define INLINE static inline __attribute__((always_inline))
#define TOGETHER ((size_t)4) /* scores for which a compressed row is read once */

/* A compressed row and some scores of it. False if a value is beyond its limit. */
INLINE bool add_sparse_row(const ent_gradient_job *job, const ent_lifted *lifted, size_t row, const double *u,
                           size_t scores, int64_t *restrict sums) {
  const ent_gradient_scale *scales = job->scales;
  const int32_t *columns = lifted->columns;
  const double *values = lifted->values;
  size_t length = job->sums->features + 1, end = lifted->starts[row + 1], u_ld = lifted->block.rows;
  double at[TOGETHER];
  bool beyond = false;
  for (size_t k = 0; k < scores; k++)
    at[k] = u[k * u_ld + row];
  for (size_t i = lifted->starts[row]; i < end; i++) {
    double value = values[i];
    const ent_gradient_scale *scale = &scales[columns[i]];
    int64_t *to = sums + columns[i];
    beyond |= !(fabs(value) <= scale->limit);
    for (size_t k = 0; k < scores; k++)
      to[k * length] = add_rounded(to[k * length], value * at[k], scale->magic);
  }
  return !beyond;
}

/* Compressed rows. */
static bool add_sparse(const ent_gradient_job *job, const ent_lifted *lifted, const double *u,
                       ent_gradient_lane *lane) {
  size_t rows = lifted->block.rows, length = job->sums->features + 1, scores = job->sums->scores;
  bool within = true;
  for (size_t r = 0; r < rows; r++) {
    size_t k = 0;
    for (; k + TOGETHER <= scores; k += TOGETHER)
      within &= add_sparse_row(job, lifted, r, u + k * rows, TOGETHER, lane->gradient + k * length);
    for (; k < scores; k++)
      within &= add_sparse_row(job, lifted, r, u + k * rows, 1, lane->gradient + k * length);
  }
  return within;
}

/* BAD_DATA, with the first value of a block that is beyond its scale. */
static entropic_status fail_value(entropic_context *context, const ent_gradient_job *job, const ent_lifted *lifted) {
  size_t rows = lifted->block.rows, row = rows, feature = 0;
  double found = NAN;
  for (size_t j = 0; lifted->z != NULL && j < lifted->dense_count; j++)
    for (size_t r = 0; r < row; r++)
      if (!(fabs(lifted->z[j * lifted->ld + r]) <= job->scales[j].limit)) {
        row = r;
        feature = j;
        found = lifted->z[j * lifted->ld + r];
      }
  for (size_t r = 0; lifted->z == NULL && r < row; r++)
    for (size_t i = lifted->starts[r]; r < row && i < lifted->starts[r + 1]; i++)
      if (!(fabs(lifted->values[i]) <= job->scales[lifted->columns[i]].limit)) {
        row = r;
        feature = (size_t)lifted->columns[i];
        found = lifted->values[i];
      }
  return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu, feature %zu: the value %g is beyond its scale, 2^%d",
                  lifted->block.first + row + 1, feature + 1, found, job->sums->exponents[feature]);
}

static entropic_status add_block(entropic_context *context, void *shared, size_t number, const ent_lifted *lifted) {
  ent_gradient_job *job = shared;
  ent_gradient_lane *lane = &job->lanes[number];
  size_t rows = lifted->block.rows, scores = job->sums->scores, block = job->block;
  double *u = lane->of_rows, *next = u + scores * block;
  ent_gradient_rows of = {.rows = rows,
                          .classes = job->sums->classes,
                          .labels = next,
                          .weights = next + block,
                          .u = u,
                          .loss = next + 2 * block,
                          .margin = next + 3 * block,
                          .most = next + 4 * block,
                          .sum = next + 5 * block};
  entropic_status status = take_labels(context, job, &lifted->block, next, next + block);
  if (status != ENTROPIC_OK)
    return status;
  ent_lifted_multiply(lifted, job->at->weights, job->sums->features, scores, u);
  for (size_t k = 0; k < scores; k++)
    for (size_t r = 0; r < rows; r++)
      u[k * rows + r] += job->at->offsets[k];
  job->code->rows(&of);
  tally_rows(job, &of, lane);
  add_intercepts(job, &of, lane);
  bool within = lifted->z != NULL ? add_dense(job, lifted, u, lane) : add_sparse(job, lifted, u, lane);
  return within ? ENTROPIC_OK : fail_value(context, job, lifted);
}

/* The lanes go to the sums, and are 0 again. */
static void flush(ent_gradient_job *job) {
  ent_gradient_sums *sums = job->sums;
  size_t count = sums->scores * (sums->features + 1);
  for (size_t i = 0; i < ENT_LANES; i++) {
    ent_gradient_lane *lane = &job->lanes[i];
    sums->rows += lane->rows;
    sums->misplaced += lane->misplaced;
    sums->broken += lane->broken;
    sums->margin = fmax(sums->margin, lane->margin);
    sums->loss += lane->loss;
    for (size_t k = 0; k < sums->classes; k++)
      sums->weights[k] += lane->weights[k];
    for (size_t j = 0; j < count; j++)
      sums->gradient[j] += lane->gradient[j];
    memset(lane->weights, 0, sums->classes * sizeof *lane->weights);
    memset(lane->gradient, 0, count * sizeof *lane->gradient);
    lane->rows = lane->misplaced = lane->broken = 0;
    lane->loss = 0;
  }
}

/* A source of at most SEGMENT_ROWS further rows of another one. */
typedef struct ent_gradient_segment {
  const ent_rows *rows;
  size_t left;
  bool started, ended;
} ent_gradient_segment;

/* Only the first rewind is one. */
static entropic_status rewind_segment(entropic_context *context, void *self) {
  ent_gradient_segment *segment = self;
  segment->left = SEGMENT_ROWS;
  if (segment->started)
    return ENTROPIC_OK;
  segment->started = true;
  return segment->rows->rewind(context, segment->rows->self);
}

static entropic_status next_segment(entropic_context *context, void *self, size_t most, ent_block *block) {
  ent_gradient_segment *segment = self;
  *block = (ent_block){0};
  if (segment->left == 0 || segment->ended)
    return ENTROPIC_OK;
  most = most < segment->left ? most : segment->left;
  entropic_status status = segment->rows->next(context, segment->rows->self, most, block);
  if (status != ENTROPIC_OK)
    return status;
  segment->left -= block->rows;
  segment->ended = block->rows < most;
  if (segment->rows->count > 0)
    ent_progress_report(context, (double)block->first / (double)segment->rows->count);
  return ENTROPIC_OK;
}

static entropic_status add_segments(entropic_context *context, ent_gradient_job *job, ent_pass *pass,
                                    const ent_rows *rows) {
  ent_gradient_segment segment = {.rows = rows};
  ent_rows source = *rows;
  source.self = &segment;
  source.rewind = rewind_segment;
  source.next = next_segment;
  do {
    entropic_status status = ent_pass_run(context, pass, &source, add_block, job);
    if (status != ENTROPIC_OK)
      return status;
    flush(job);
  } while (!segment.ended);
  return ENTROPIC_OK;
}

/* The hash of a point. */
static void set_point(ent_gradient_sums *sums, const ent_linear *at) {
  ent_sha256 hash = ent_sha256_start();
  unsigned char bytes[8];
  for (size_t i = 0; i < sums->scores * (sums->features + 1); i++) {
    double value = i < sums->scores ? at->offsets[i] : at->weights[i - sums->scores];
    ent_write_number(bytes, ent_bits_of(value), sizeof bytes);
    ent_sha256_add(&hash, bytes, sizeof bytes);
  }
  ent_sha256_finish(&hash, sums->point);
  sums->has_point = true;
}

static entropic_status check_rows(entropic_context *context, const ent_gradient_sums *sums, const ent_map *map,
                                  const ent_rows *rows, const ent_linear *at) {
  if (map->features != sums->features || at->count != sums->scores || rows->targets != 1)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "a map of %zu features, %zu scores and rows of %zu targets do not match sums of %zu features and "
                    "%zu scores; expected 1 target",
                    map->features, at->count, rows->targets, sums->features, sums->scores);
  return ENTROPIC_OK;
}

entropic_status ent_gradient_sums_add_by(entropic_context *context, ent_gradient_sums *sums, const ent_map *map,
                                         const ent_rows *rows, const ent_linear *at, const ent_gradient_code *code) {
  ent_gradient_job job = {.code = code, .at = at};
  ent_pass *pass = NULL;
  entropic_status status = check_rows(context, sums, map, rows, at);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_gradient_sums_create(context, map, sums->classes, sums->weight_exponent, &job.sums);
  if (status != ENTROPIC_OK)
    goto done;
  set_point(job.sums, at);
  status = ent_pass_create(context, map, &pass);
  if (status != ENTROPIC_OK)
    goto done;
  job.block = ent_pass_block(pass);
  status = job_start(context, &job);
  if (status != ENTROPIC_OK)
    goto done;
  status = add_segments(context, &job, pass, rows);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_gradient_sums_add(context, sums, job.sums);
done:
  job_clear(&job);
  ent_pass_free(pass);
  ent_gradient_sums_free(job.sums);
  return status;
}

entropic_status ent_gradient_sums_add_rows(entropic_context *context, ent_gradient_sums *sums, const ent_map *map,
                                           const ent_rows *rows, const ent_linear *at) {
  const ent_gradient_code *codes[ENT_GRADIENT_MOST_CODES];
  ent_gradient_codes(codes);
  return ent_gradient_sums_add_by(context, sums, map, rows, at, codes[0]);
}
