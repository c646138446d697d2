/* The rule for sigma: distances to the 50th nearest neighbour, by brute force. Each task takes some rows, the queries,
 * past all rows and keeps the smallest squared distances of each in a heap with the largest on top. */
#include <math.h>
#include <stdbool.h>

#include "base/threads.h"
#include "random/map.h"

#define NEIGHBOUR ((size_t)50)
#define QUERIES ((size_t)64) /* of a task */
#define MOST_QUERIES ((size_t)20000)

typedef struct ent_neighbours {
  const ent_wide_code *code;
  const double *x;
  size_t rows, inputs, stride;
  const size_t *queries;
  size_t query_count, neighbour;
  double *scratch; /* for each worker: queries, a strip, its distances, heaps */
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

static entropic_status ask(entropic_context *context, void *shared, size_t task, int worker) {
  const ent_neighbours *job = shared;
  const size_t *queries = job->queries + task * QUERIES;
  size_t count = job->query_count - task * QUERIES, k = job->neighbour;
  count = count < QUERIES ? count : QUERIES;
  double *points = job->scratch + (size_t)worker * job->scratch_size, *strip = points + QUERIES * job->inputs;
  double *squares = strip + job->inputs * ENT_STRIP, *heaps = squares + ENT_STRIP;
  entropic_status status = ENTROPIC_OK;
  for (size_t q = 0; q < count && status == ENTROPIC_OK; q++)
    status =
        ent_point_load(context, job->x + queries[q] * job->stride, job->inputs, queries[q], points + q * job->inputs);
  for (size_t i = 0; i < count * k; i++)
    heaps[i] = INFINITY;
  for (size_t first = 0; first < job->rows && status == ENTROPIC_OK; first += ENT_STRIP) {
    size_t rows = job->rows - first < ENT_STRIP ? job->rows - first : ENT_STRIP;
    status =
        ent_strip_load(context, job->code, job->x + first * job->stride, rows, job->inputs, job->stride, first, strip);
    for (size_t q = 0; q < count && status == ENTROPIC_OK; q++) {
      double *heap = heaps + q * k;
      job->code->squares(strip, job->inputs, points + q * job->inputs, squares);
      for (size_t r = 0; r < rows; r++)
        if (squares[r] < heap[0] && first + r != queries[q])
          replace_top(heap, k, squares[r]);
    }
  }
  for (size_t q = 0; q < count; q++)
    job->found[task * QUERIES + q] = sqrt(heaps[q * k]);
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
  size_t tasks = job->query_count / QUERIES + (job->query_count % QUERIES > 0), size;
  if (!ent_multiply(job->inputs, QUERIES + ENT_STRIP, &size) ||
      !ent_add(size, ENT_STRIP + QUERIES * NEIGHBOUR, &job->scratch_size))
    job->scratch_size = SIZE_MAX;
  job->scratch = ent_new_product(context, (size_t)ent_workers(context, tasks), job->scratch_size, sizeof *job->scratch);
  job->found = ent_new(context, job->query_count, sizeof *job->found);
  if (job->scratch == NULL || job->found == NULL)
    return ENTROPIC_NO_MEMORY;
  return ent_parallel(context, tasks, ask, job);
}

entropic_status ent_bandwidth_by(entropic_context *context, const double *x, size_t rows, size_t inputs, size_t stride,
                                 uint64_t seed, size_t most_queries, double *sigma) {
  if (inputs == 0 || stride < inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "inputs, stride: %zu and %zu; expected at least 1 and %zu", inputs,
                    stride, inputs);
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
