/* The rule for sigma: distances to the 50th nearest neighbour, by brute force. Each task takes some rows, the queries,
 * past all rows and keeps the smallest squared distances of each in a heap with the largest on top. Whether a row may
 * belong there is seen from |x|^2 + |q|^2 - 2 x.q, which is quick but loses digits; those that may are done exactly. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/threads.h"
#include "random/map.h"

#define NEIGHBOUR ((size_t)50)
#define PANELS ((size_t)10)
#define QUERIES (PANELS * ENT_PANEL) /* of a task */
#define MOST_QUERIES ((size_t)20000)

typedef struct ent_neighbours {
  const ent_wide_code *code;
  const double *x;
  size_t rows, inputs, stride;
  const size_t *queries;
  size_t query_count, neighbour;
  double *scratch; /* for each worker: see ent_quest */
  size_t scratch_size;
  double *found; /* for each query the distance to its neighbour */
} ent_neighbours;

/* Replaces the top of a heap by something smaller. */
static void replace_top(double *heap, size_t count, double value) {
  size_t at = 0;
  for (;;) {
    size_t child = 2 * at + 1;
    if (child + 1 < count && heap[child + 1] > heap[child])
      child++;
    if (child >= count || heap[child] <= value)
      break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = value;
}

/* What a task works on. */
typedef struct ent_quest {
  double *strip, *sizes; /* rows, and their |x|^2 */
  double *points;        /* queries, one after the other, */
  double *panels;        /* as panels of -2 q, */
  double *point_sizes;   /* and their |q|^2 */
  double *squares;       /* a panel's distances */
  double *heaps;
} ent_quest;

static size_t quest_size(size_t inputs) {
  return inputs * (ENT_STRIP + 2 * QUERIES) + ENT_STRIP + QUERIES + (size_t)ENT_PANEL * ENT_STRIP + QUERIES * NEIGHBOUR;
}

static ent_quest quest_at(double *scratch, size_t inputs) {
  ent_quest quest = {.strip = scratch};
  quest.sizes = quest.strip + inputs * ENT_STRIP;
  quest.squares = quest.sizes + ENT_STRIP;
  quest.points = quest.squares + (size_t)ENT_PANEL * ENT_STRIP;
  quest.panels = quest.points + inputs * QUERIES;
  quest.point_sizes = quest.panels + inputs * QUERIES;
  quest.heaps = quest.point_sizes + QUERIES;
  return quest;
}

static entropic_status load_queries(entropic_context *context, const ent_neighbours *job, const size_t *queries,
                                    size_t count, ent_quest *quest) {
  size_t inputs = job->inputs;
  memset(quest->panels, 0, inputs * QUERIES * sizeof *quest->panels);
  for (size_t q = 0; q < count; q++) {
    double *point = quest->points + q * inputs, size = 0;
    entropic_status status = ent_point_load(context, job->x + queries[q] * job->stride, inputs, queries[q], point);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t i = 0; i < inputs; i++) {
      quest->panels[(q / ENT_PANEL * inputs + i) * ENT_PANEL + q % ENT_PANEL] = -2 * point[i];
      size += point[i] * point[i];
    }
    quest->point_sizes[q] = size;
  }
  return ENTROPIC_OK;
}

static void sum_squares(const double *strip, size_t inputs, double *restrict sizes) {
  for (size_t r = 0; r < ENT_STRIP; r++)
    sizes[r] = 0;
  for (size_t i = 0; i < inputs; i++)
    for (size_t r = 0; r < ENT_STRIP; r++)
      sizes[r] += strip[i * ENT_STRIP + r] * strip[i * ENT_STRIP + r];
}

static double exact_square(const double *strip, size_t row, const double *point, size_t inputs) {
  double sum = 0;
  for (size_t i = 0; i < inputs; i++) {
    double apart = strip[i * ENT_STRIP + row] - point[i];
    sum += apart * apart;
  }
  return sum;
}

/* A strip of rows, from number `first` on, and all queries. */
static void meet(const ent_neighbours *job, ent_quest *quest, const size_t *queries, size_t count, size_t first,
                 size_t rows) {
  size_t inputs = job->inputs;
  /* Far above what roundings of sums of `inputs` terms, none above 4, can amount to. */
  double slack = 0x1p-48 * (double)inputs * (double)(inputs + 4);
  sum_squares(quest->strip, inputs, quest->sizes);
  for (size_t q = 0; q < count; q++) {
    double *heap = quest->heaps + q * job->neighbour, *squares = quest->squares + q % ENT_PANEL * ENT_STRIP;
    if (q % ENT_PANEL == 0) {
      for (size_t f = 0; f < ENT_PANEL; f++)
        for (size_t r = 0; r < ENT_STRIP; r++)
          quest->squares[f * ENT_STRIP + r] = quest->sizes[r] + quest->point_sizes[q + f];
      job->code->products(quest->strip, inputs, quest->panels + q * inputs, quest->squares);
    }
    for (size_t r = 0; r < rows; r++) {
      if (__builtin_expect(squares[r] > heap[0] + slack, 1) || first + r == queries[q])
        continue;
      double square = exact_square(quest->strip, r, quest->points + q * inputs, inputs);
      if (square < heap[0])
        replace_top(heap, job->neighbour, square);
    }
  }
}

static entropic_status ask(entropic_context *context, void *shared, size_t task, int worker) {
  const ent_neighbours *job = shared;
  const size_t *queries = job->queries + task * QUERIES;
  size_t count = job->query_count - task * QUERIES, k = job->neighbour;
  count = count < QUERIES ? count : QUERIES;
  ent_quest quest = quest_at(job->scratch + (size_t)worker * job->scratch_size, job->inputs);
  entropic_status status = load_queries(context, job, queries, count, &quest);
  for (size_t i = 0; i < count * k; i++)
    quest.heaps[i] = INFINITY;
  for (size_t first = 0; first < job->rows && status == ENTROPIC_OK; first += ENT_STRIP) {
    size_t rows = job->rows - first < ENT_STRIP ? job->rows - first : ENT_STRIP;
    status = ent_strip_load(context, job->code, job->x + first * job->stride, rows, job->inputs, job->stride, first,
                            quest.strip);
    if (status == ENTROPIC_OK)
      meet(job, &quest, queries, count, first, rows);
  }
  for (size_t q = 0; q < count; q++)
    job->found[task * QUERIES + q] = sqrt(quest.heaps[q * k]);
  return status;
}

/* All rows, or in random order if not all will be asked. */
static size_t *order_queries(entropic_context *context, size_t rows, bool all, uint64_t seed) {
  size_t *order = ent_new(context, rows, sizeof *order);
  entropic_random random = entropic_random_start(seed, ENT_STREAM_QUERIES);
  if (order != NULL && !all)
    entropic_random_permutation(&random, rows, order);
  for (size_t r = 0; order != NULL && all && r < rows; r++)
    order[r] = r;
  return order;
}

static entropic_status find_all(entropic_context *context, ent_neighbours *job) {
  size_t tasks = job->query_count / QUERIES + (job->query_count % QUERIES > 0);
  job->scratch_size = quest_size(job->inputs);
  job->scratch = ent_new_product(context, (size_t)ent_workers(context, tasks), job->scratch_size, sizeof *job->scratch);
  job->found = ent_new(context, job->query_count, sizeof *job->found);
  if (job->scratch == NULL || job->found == NULL)
    return ENTROPIC_NO_MEMORY;
  return ent_parallel(context, tasks, ask, job);
}

entropic_status ent_bandwidth_by(entropic_context *context, const double *x, size_t rows, size_t inputs, size_t stride,
                                 uint64_t seed, size_t most_queries, double *sigma) {
  if (inputs == 0 || inputs > INT32_MAX || stride < inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "inputs, stride: %zu and %zu; expected 1 to %d and at least %zu",
                    inputs, stride, INT32_MAX, inputs);
  if (rows < 2)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%zu rows; neighbours need at least 2", rows);
  size_t *queries = order_queries(context, rows, rows <= most_queries, seed);
  ent_neighbours job = {.code = ent_wide_best(), .x = x, .rows = rows, .inputs = inputs, .stride = stride};
  job.queries = queries;
  job.query_count = rows < most_queries ? rows : most_queries;
  job.neighbour = rows - 1 < NEIGHBOUR ? rows - 1 : NEIGHBOUR;
  entropic_status status = queries == NULL ? ENTROPIC_NO_MEMORY : find_all(context, &job);
  double sum = 0;
  for (size_t q = 0; q < job.query_count && status == ENTROPIC_OK; q++)
    sum += job.found[q];
  if (status == ENTROPIC_OK && !(sum > 0))
    status = ent_fail(context, ENTROPIC_BAD_DATA, "the %zu rows are too alike: every row has %zu others at distance 0",
                      rows, job.neighbour);
  if (status == ENTROPIC_OK)
    *sigma = (double)job.query_count / sum;
  ent_delete(queries);
  ent_delete(job.scratch);
  ent_delete(job.found);
  return status;
}

entropic_status ent_random_bandwidth(entropic_context *context, const double *x, size_t rows, size_t inputs,
                                     size_t stride, uint64_t seed, double *sigma) {
  return ent_bandwidth_by(context, x, rows, inputs, stride, seed, MOST_QUERIES, sigma);
}
