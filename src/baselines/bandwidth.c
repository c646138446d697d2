/* The rule for sigma: distances to the 50th nearest neighbour, by brute force. Each task compares some rows, the queries,
 * with all rows, and keeps the smallest squared distances of each query in a heap with the largest on top. A row is first
 * tested by |x|^2 + |q|^2 - 2 x.q, which is quick but loses digits; the few that pass are computed exactly. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/threads.h"
#include "baselines/map.h"

#define NEIGHBOUR ((size_t)50)
#define PANELS ((size_t)10)
#define QUERIES (PANELS * ENT_PANEL) /* of a task */
#define MOST_QUERIES ((size_t)20000)

typedef struct ent_neighbours {
  const ent_wide_code *code;
  ent_strip_source source;
  size_t rows, inputs;
  const size_t *queries;
  size_t query_count, neighbour;
  double *scratch; /* for each worker: see ent_query_scratch */
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

/* The scratch memory of a task. */
typedef struct ent_query_scratch {
  double *strip, *sizes; /* rows, and their |x|^2 */
  double *points;        /* queries, one after the other, */
  double *panels;        /* as panels of -2 q, */
  double *point_sizes;   /* and their |q|^2 */
  double *squares;       /* a panel's distances */
  double *heaps;
} ent_query_scratch;

static size_t scratch_size_of(size_t inputs) {
  return inputs * (ENT_STRIP + 2 * QUERIES) + ENT_STRIP + QUERIES + (size_t)ENT_PANEL * ENT_STRIP + QUERIES * NEIGHBOUR;
}

static ent_query_scratch scratch_at(double *scratch, size_t inputs) {
  ent_query_scratch work = {.strip = scratch};
  work.sizes = work.strip + inputs * ENT_STRIP;
  work.squares = work.sizes + ENT_STRIP;
  work.points = work.squares + (size_t)ENT_PANEL * ENT_STRIP;
  work.panels = work.points + inputs * QUERIES;
  work.point_sizes = work.panels + inputs * QUERIES;
  work.heaps = work.point_sizes + QUERIES;
  return work;
}

static entropic_status load_queries(entropic_context *context, const ent_neighbours *job, const size_t *queries,
                                    size_t count, ent_query_scratch *work) {
  size_t inputs = job->inputs;
  memset(work->panels, 0, inputs * QUERIES * sizeof *work->panels);
  for (size_t q = 0; q < count; q++) {
    double *point = work->points + q * inputs, size = 0;
    entropic_status status =
        ent_point_load(context, job->source.x + queries[q] * job->source.stride, inputs, queries[q], point);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t i = 0; i < inputs; i++) {
      work->panels[(q / ENT_PANEL * inputs + i) * ENT_PANEL + q % ENT_PANEL] = -2 * point[i];
      size += point[i] * point[i];
    }
    work->point_sizes[q] = size;
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
    double difference = strip[i * ENT_STRIP + row] - point[i];
    sum += difference * difference;
  }
  return sum;
}

/* Compares a strip of rows, from number `first` on, with all queries. */
static void compare_strip(const ent_neighbours *job, ent_query_scratch *work, const size_t *queries, size_t count,
                          size_t first, size_t rows) {
  size_t inputs = job->inputs;
  /* Far above what roundings of sums of `inputs` terms, none above 4, can amount to. */
  double slack = 0x1p-48 * (double)inputs * (double)(inputs + 4);
  sum_squares(work->strip, inputs, work->sizes);
  for (size_t q = 0; q < count; q++) {
    double *heap = work->heaps + q * job->neighbour, *squares = work->squares + q % ENT_PANEL * ENT_STRIP;
    if (q % ENT_PANEL == 0) {
      for (size_t f = 0; f < ENT_PANEL; f++)
        for (size_t r = 0; r < ENT_STRIP; r++)
          work->squares[f * ENT_STRIP + r] = work->sizes[r] + work->point_sizes[q + f];
      job->code->products(work->strip, inputs, work->panels + q * inputs, work->squares);
    }
    for (size_t r = 0; r < rows; r++) {
      if (__builtin_expect(squares[r] > heap[0] + slack, 1) || first + r == queries[q])
        continue;
      double square = exact_square(work->strip, r, work->points + q * inputs, inputs);
      if (square < heap[0])
        replace_top(heap, job->neighbour, square);
    }
  }
}

/* The distances of the queries of a task to their neighbours. */
static entropic_status find_neighbours(entropic_context *context, void *shared, size_t task, int worker) {
  const ent_neighbours *job = shared;
  const size_t *queries = job->queries + task * QUERIES;
  size_t count = job->query_count - task * QUERIES, k = job->neighbour;
  count = count < QUERIES ? count : QUERIES;
  ent_query_scratch work = scratch_at(job->scratch + (size_t)worker * job->scratch_size, job->inputs);
  entropic_status status = load_queries(context, job, queries, count, &work);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < count * k; i++)
    work.heaps[i] = INFINITY;
  for (size_t first = 0; first < job->rows; first += ENT_STRIP) {
    size_t rows = job->rows - first < ENT_STRIP ? job->rows - first : ENT_STRIP;
    status = ent_strip_load(context, job->code, &job->source, first, rows, work.strip);
    if (status != ENTROPIC_OK)
      return status;
    compare_strip(job, &work, queries, count, first, rows);
  }
  for (size_t q = 0; q < count; q++)
    job->found[task * QUERIES + q] = sqrt(work.heaps[q * k]);
  return ENTROPIC_OK;
}

/* All rows in order, or in random order if not all are queries. */
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
  job->scratch_size = scratch_size_of(job->inputs);
  job->scratch = ent_new_product(context, (size_t)ent_workers(context, tasks), job->scratch_size, sizeof *job->scratch);
  job->found = ent_new(context, job->query_count, sizeof *job->found);
  if (job->scratch == NULL || job->found == NULL)
    return ENTROPIC_NO_MEMORY;
  return ent_parallel(context, tasks, find_neighbours, job);
}

entropic_status ent_bandwidth_by(entropic_context *context, const ent_random_data *data, size_t inputs, uint64_t seed,
                                 size_t most_queries, double *sigma) {
  size_t rows = data->rows;
  if (inputs == 0 || inputs > INT32_MAX || data->stride < inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "inputs, stride: %zu and %zu; expected 1 to %d and at least %zu",
                    inputs, data->stride, INT32_MAX, inputs);
  if (rows < 2)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%zu rows, expected at least 2 to have neighbours", rows);
  ent_neighbours job = {.code = ent_wide_best(),
                        .source = {.x = data->x, .inputs = inputs, .stride = data->stride},
                        .rows = rows,
                        .inputs = inputs,
                        .query_count = rows < most_queries ? rows : most_queries,
                        .neighbour = rows - 1 < NEIGHBOUR ? rows - 1 : NEIGHBOUR};
  entropic_status status = ENTROPIC_NO_MEMORY;
  size_t *queries = order_queries(context, rows, rows <= most_queries, seed);
  if (queries == NULL)
    goto done;
  job.queries = queries;
  status = find_all(context, &job);
  if (status != ENTROPIC_OK)
    goto done;
  double sum = 0;
  for (size_t q = 0; q < job.query_count; q++)
    sum += job.found[q];
  if (!(sum > 0)) {
    status = ent_fail(context, ENTROPIC_BAD_DATA, "the %zu rows are too alike: every row has %zu others at distance 0",
                      rows, job.neighbour);
    goto done;
  }
  *sigma = (double)job.query_count / sum;
done:
  ent_delete(queries);
  ent_delete(job.scratch);
  ent_delete(job.found);
  return status;
}

entropic_status ent_random_bandwidth(entropic_context *context, const ent_random_data *data, size_t inputs,
                                     uint64_t seed, double *sigma) {
  return ent_bandwidth_by(context, data, inputs, seed, MOST_QUERIES, sigma);
}
