/* Randomly pivoted Cholesky (Chen, Epperly, Tropp and Webber): pivots are drawn with probabilities in proportion to the
 * diagonal of the residual K - F F', one after the other.
 *
 * The accelerated form has the same distribution (Epperly, Tropp and Webber). A block of proposals is drawn from the
 * diagonal as it is; each is accepted with the probability (its diagonal after the pivots accepted before it in the block)
 * / (its diagonal at the start of the block). Then F gets the columns of all accepted ones at once, by matrix products. */
#include <math.h>
#include <string.h>

#include "base/blas.h"
#include "base/threads.h"
#include "baselines/map.h"

#define BLOCK ((size_t)128) /* proposals; a multiple of ENT_STRIP */
#define TILE ((size_t)256)  /* rows of a task; a multiple of ENT_STRIP */

typedef struct ent_pivoting {
  const ent_random_map *map;
  ent_point_kernel kernel;
  const ent_blas *blas;
  const double *points;
  size_t rows, most, rank; /* most: columns of F; rank: how many of them there are */
  double *f;               /* row after row, each of `most` */
  double *diagonal;        /* of the residual; 0 for pivots */
  double *least;           /* what is not above counts as 0: roundings */
  double *running;         /* sums of the diagonal up to each row */
  size_t proposed[BLOCK], accepted;
  double *proposals; /* the points of the block, */
  double *rows_of_f; /* and their rows of F; those accepted are moved to the front */
  double *residual;  /* BLOCK x BLOCK, upper triangle: of the proposals; then its factor */
  double *u;         /* the same for the accepted ones alone: residual = U'U */
  double *strips;    /* for each worker: a strip of rows, and kernel values of it for the block */
} ent_pivoting;

static size_t strips_size(const ent_pivoting *job) {
  return (job->map->inputs + BLOCK) * ENT_STRIP;
}

static entropic_status job_create(entropic_context *context, ent_pivoting *job) {
  size_t inputs = job->map->inputs, tiles = job->rows / TILE + (job->rows % TILE > 0);
  entropic_status status = ent_blas_get(context, &job->blas);
  if (status != ENTROPIC_OK)
    return status;
  job->f = ent_new_product(context, job->rows, job->most, sizeof *job->f);
  if (job->f == NULL) /* before anything else: this is the largest */
    return ENTROPIC_NO_MEMORY;
  job->diagonal = ent_new(context, job->rows, sizeof *job->diagonal);
  job->least = ent_new(context, job->rows, sizeof *job->least);
  job->running = ent_new(context, job->rows, sizeof *job->running);
  job->proposals = ent_new_product(context, BLOCK, inputs, sizeof *job->proposals);
  job->rows_of_f = ent_new_product(context, BLOCK, job->most, sizeof *job->rows_of_f);
  job->residual = ent_new(context, BLOCK * BLOCK, sizeof *job->residual);
  job->u = ent_new(context, BLOCK * BLOCK, sizeof *job->u);
  job->strips = ent_new_product(context, (size_t)ent_workers(context, tiles), strips_size(job), sizeof *job->strips);
  if (job->diagonal == NULL || job->least == NULL || job->running == NULL || job->proposals == NULL ||
      job->rows_of_f == NULL || job->residual == NULL || job->u == NULL || job->strips == NULL)
    return ENTROPIC_NO_MEMORY;
  return ENTROPIC_OK;
}

static void job_free(ent_pivoting *job) {
  ent_delete(job->f);
  ent_delete(job->diagonal);
  ent_delete(job->least);
  ent_delete(job->running);
  ent_delete(job->proposals);
  ent_delete(job->rows_of_f);
  ent_delete(job->residual);
  ent_delete(job->u);
  ent_delete(job->strips);
}

/* Less than what Nystroem adds to the diagonal of the landmarks counts as 0. */
static entropic_status start_diagonal(entropic_context *context, ent_pivoting *job) {
  double total = 0;
  for (size_t r = 0; r < job->rows; r++) {
    job->diagonal[r] = ent_point_kernel_diagonal(&job->kernel, job->points + r * job->map->inputs);
    job->least[r] = 0x1p-52 * (double)(job->most + BLOCK) * job->diagonal[r];
    total += job->diagonal[r];
  }
  return isfinite(total) ? ENTROPIC_OK : ent_kernel_overflow(context, job->map);
}

/* The row where the running sum passes that share of the total. */
static size_t find_row(const ent_pivoting *job, double share) {
  double target = share * job->running[job->rows - 1];
  size_t low = 0, high = job->rows;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (job->running[middle] > target)
      high = middle;
    else
      low = middle + 1;
  }
  while (low == job->rows || job->diagonal[low] == 0) /* rounding led past the end */
    low--;
  return low;
}

/* Draws the proposals; false if nothing is left to draw from. */
static bool propose(ent_pivoting *job, entropic_random *random) {
  size_t inputs = job->map->inputs;
  double total = 0;
  for (size_t r = 0; r < job->rows; r++)
    job->running[r] = total += job->diagonal[r];
  if (!(total > 0))
    return false;
  for (size_t j = 0; j < BLOCK; j++) {
    size_t row = job->proposed[j] = find_row(job, entropic_random_uniform(random));
    memcpy(job->proposals + j * inputs, job->points + row * inputs, inputs * sizeof *job->proposals);
    memcpy(job->rows_of_f + j * job->most, job->f + row * job->most, job->rank * sizeof *job->f);
  }
  return true;
}

/* The residual of the kernel between the proposals. */
static entropic_status fill_residual(entropic_context *context, ent_pivoting *job) {
  size_t inputs = job->map->inputs;
  const ent_strip_source source = {.x = job->proposals, .inputs = inputs, .stride = inputs};
  for (size_t first = 0; first < BLOCK; first += ENT_STRIP) {
    entropic_status status = ent_strip_load(context, job->kernel.code, &source, first, ENT_STRIP, job->strips);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t j = first; j < BLOCK; j++)
      ent_point_kernel_values(&job->kernel, job->strips, job->proposals + j * inputs,
                              job->residual + j * BLOCK + first);
  }
  if (job->rank > 0)
    job->blas->dsyrk(ENT_COL_MAJOR, ENT_UPPER, ENT_TRANS, (int)BLOCK, (int)job->rank, -1, job->rows_of_f,
                     (int)job->most, 1, job->residual, (int)BLOCK);
  for (size_t j = 0; j < BLOCK; j++) /* the first proposal is accepted for certain */
    job->residual[j * BLOCK + j] = job->diagonal[job->proposed[j]];
  return ENTROPIC_OK;
}

/* Makes proposal number `pivot` a row of the factor, and takes it out of the residual of those behind. */
static void eliminate(double *residual, size_t pivot) {
  double row[BLOCK], root = sqrt(residual[pivot * BLOCK + pivot]);
  residual[pivot * BLOCK + pivot] = root;
  for (size_t j = pivot + 1; j < BLOCK; j++) {
    row[j] = residual[j * BLOCK + pivot] /= root;
    for (size_t i = pivot + 1; i <= j; i++)
      residual[j * BLOCK + i] -= row[i] * row[j];
  }
}

/* Accepts or rejects each proposal; pivots[] gets the accepted ones. */
static void accept(ent_pivoting *job, entropic_random *random, size_t *pivots) {
  size_t places[BLOCK];
  job->accepted = 0;
  for (size_t j = 0; j < BLOCK && job->rank + job->accepted < job->most; j++) {
    double left = job->residual[j * BLOCK + j], uniform = entropic_random_uniform(random);
    size_t row = job->proposed[j];
    if (!(left > job->least[row] && uniform * job->diagonal[row] < left))
      continue;
    eliminate(job->residual, j);
    memmove(job->rows_of_f + job->accepted * job->most, job->rows_of_f + j * job->most, job->rank * sizeof *job->f);
    memmove(job->proposals + job->accepted * job->map->inputs, job->proposals + j * job->map->inputs,
            job->map->inputs * sizeof *job->proposals);
    places[job->accepted] = j;
    pivots[job->accepted++] = row;
  }
  for (size_t b = 0; b < job->accepted; b++)
    for (size_t a = 0; a <= b; a++)
      job->u[b * BLOCK + a] = job->residual[places[b] * BLOCK + places[a]];
}

/* The kernel between the rows of a tile and the accepted pivots, where their columns of F will be. */
static entropic_status fill_columns(entropic_context *context, const ent_pivoting *job, size_t first, size_t rows,
                                    double *strip) {
  size_t inputs = job->map->inputs;
  double *values = strip + inputs * ENT_STRIP;
  const ent_strip_source source = {.x = job->points, .inputs = inputs, .stride = inputs};
  for (size_t end = first + rows; first < end; first += ENT_STRIP) {
    size_t count = end - first < ENT_STRIP ? end - first : ENT_STRIP;
    entropic_status status = ent_strip_load(context, job->kernel.code, &source, first, count, strip);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t a = 0; a < job->accepted; a++)
      ent_point_kernel_values(&job->kernel, strip, job->proposals + a * inputs, values + a * ENT_STRIP);
    for (size_t r = 0; r < count; r++)
      for (size_t a = 0; a < job->accepted; a++)
        job->f[(first + r) * job->most + job->rank + a] = values[a * ENT_STRIP + r];
  }
  return ENTROPIC_OK;
}

/* A tile of rows: the new columns of F, and the diagonal. */
static entropic_status extend(entropic_context *context, void *shared, size_t task, int worker) {
  const ent_pivoting *job = shared;
  size_t first = task * TILE, rows = job->rows - first < TILE ? job->rows - first : TILE;
  double *tile = job->f + first * job->most, *columns = tile + job->rank;
  int most = (int)job->most, accepted = (int)job->accepted;
  entropic_status status = fill_columns(context, job, first, rows, job->strips + (size_t)worker * strips_size(job));
  if (status != ENTROPIC_OK)
    return status;
  if (job->rank > 0)
    job->blas->dgemm(ENT_COL_MAJOR, ENT_TRANS, ENT_NO_TRANS, accepted, (int)rows, (int)job->rank, -1, job->rows_of_f,
                     most, tile, most, 1, columns, most);
  job->blas->dtrsm(ENT_COL_MAJOR, ENT_LEFT, ENT_UPPER, ENT_TRANS, ENT_NON_UNIT, accepted, (int)rows, 1, job->u,
                   (int)BLOCK, columns, most);
  for (size_t r = 0; r < rows; r++) {
    double sum = 0, *left = &job->diagonal[first + r];
    for (size_t a = 0; a < job->accepted; a++)
      sum += columns[r * job->most + a] * columns[r * job->most + a];
    *left = *left - sum > job->least[first + r] ? *left - sum : 0;
  }
  return ENTROPIC_OK;
}

entropic_status ent_pivots_choose(entropic_context *context, const ent_random_map *map, const double *points,
                                  size_t count, size_t *pivots, size_t *found) {
  ent_pivoting job = {
      .map = map, .kernel = ent_kernel_of_map(map), .points = points, .rows = count, .most = map->options.features};
  entropic_random random = entropic_random_start(map->options.seed, ENT_STREAM_PIVOTS);
  entropic_status status = job_create(context, &job);
  if (status != ENTROPIC_OK)
    goto done;
  status = start_diagonal(context, &job);
  if (status != ENTROPIC_OK)
    goto done;
  while (job.rank < job.most && propose(&job, &random)) {
    status = fill_residual(context, &job);
    if (status != ENTROPIC_OK)
      goto done;
    accept(&job, &random, pivots + job.rank);
    status = ent_parallel(context, count / TILE + (count % TILE > 0), extend, &job);
    if (status != ENTROPIC_OK)
      goto done;
    for (size_t a = 0; a < job.accepted; a++)
      job.diagonal[pivots[job.rank + a]] = 0;
    job.rank += job.accepted;
  }
  *found = job.rank;
done:
  job_free(&job);
  return status;
}
