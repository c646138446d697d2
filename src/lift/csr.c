/* All rows at once, on several threads. Blocks have a fixed size, so what is computed does not depend on the threads. */
#include <string.h>

#include "base/progress.h"
#include "base/threads.h"
#include "lift/lift.h"

#define BLOCK_ROWS 1024

typedef struct ent_job {
  const entropic_lift *lift;
  const double *x;
  size_t rows, stride;
  entropic_csr *csr; /* every row still with room for all groups; starts[r + 1] holds the entries of row r */
  entropic_workspace **workspaces;
  size_t *block_starts; /* BLOCK_ROWS + 1 for each worker */
} ent_job;

static entropic_status lift_block(entropic_context *context, void *shared, size_t block, int worker) {
  ent_job *job = shared;
  size_t first = block * BLOCK_ROWS, width = entropic_lift_nonzeros(job->lift);
  size_t count = job->rows - first < BLOCK_ROWS ? job->rows - first : BLOCK_ROWS;
  size_t *starts = job->block_starts + (size_t)worker * (BLOCK_ROWS + 1);
  entropic_status status;
  if (job->workspaces[worker] == NULL) {
    status = entropic_workspace_create(context, job->lift, &job->workspaces[worker]);
    if (status != ENTROPIC_OK)
      return status;
  }
  ent_lift_rows rows = {job->x + first * job->stride, count, job->stride, first};
  ent_lift_entries entries = {starts, job->csr->indices + first * width, job->csr->values + first * width};
  status = ent_lift_sparse(context, job->lift, job->workspaces[worker], &rows, &entries);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t r = 0; r < count; r++)
    job->csr->starts[first + r + 1] = starts[r + 1] - starts[r];
  ent_progress_report(context, (double)(first + count) / (double)job->rows);
  return ENTROPIC_OK;
}

/* Joins the blocks and adds up the row lengths. */
static entropic_status join_blocks(entropic_context *context, const ent_job *job) {
  entropic_csr *csr = job->csr;
  size_t used = 0, width = entropic_lift_nonzeros(job->lift);
  for (size_t first = 0; first < job->rows; first += BLOCK_ROWS) {
    size_t start = used, from = first * width;
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t r = first; r < job->rows && r < first + BLOCK_ROWS; r++) {
      used += csr->starts[r + 1];
      csr->starts[r + 1] = used;
    }
    if (from != start) {
      memmove(csr->indices + start, csr->indices + from, (used - start) * sizeof *csr->indices);
      memmove(csr->values + start, csr->values + from, (used - start) * sizeof *csr->values);
    }
  }
  return ENTROPIC_OK;
}

static entropic_csr *new_csr(entropic_context *context, size_t rows, size_t columns, size_t width) {
  size_t entries;
  if (!ent_multiply(rows, width, &entries))
    entries = SIZE_MAX; /* refused below */
  entropic_csr *csr = ent_new(context, 1, sizeof *csr);
  if (csr == NULL)
    return NULL;
  csr->rows = rows;
  csr->columns = columns;
  csr->starts = ent_new(context, rows + 1, sizeof *csr->starts);
  csr->indices = ent_new(context, entries, sizeof *csr->indices);
  csr->values = ent_new(context, entries, sizeof *csr->values);
  if (csr->starts != NULL && csr->indices != NULL && csr->values != NULL)
    return csr;
  entropic_csr_free(csr);
  return NULL;
}

/* The work of entropic_lift_csr; what was made stays in the job. */
static entropic_status lift_all(entropic_context *context, void *arguments) {
  ent_job *job = arguments;
  size_t blocks = job->rows / BLOCK_ROWS + (job->rows % BLOCK_ROWS > 0);
  size_t workers = (size_t)ent_workers(context, blocks);
  entropic_status status = ENTROPIC_NO_MEMORY;
  job->csr = new_csr(context, job->rows, entropic_lift_features(job->lift), entropic_lift_nonzeros(job->lift));
  job->workspaces = ent_new(context, workers, sizeof *job->workspaces);
  job->block_starts = ent_new(context, workers * (BLOCK_ROWS + 1), sizeof *job->block_starts);
  if (job->csr == NULL || job->workspaces == NULL || job->block_starts == NULL)
    goto done;
  status = ent_parallel(context, blocks, lift_block, job);
  if (status != ENTROPIC_OK)
    goto done;
  status = join_blocks(context, job);
done:
  for (size_t i = 0; job->workspaces != NULL && i < workers; i++)
    entropic_workspace_free(job->workspaces[i]);
  ent_delete(job->workspaces);
  ent_delete(job->block_starts);
  return status;
}

entropic_status entropic_lift_csr(entropic_context *context, const entropic_lift *lift, const double *x, size_t rows,
                                  size_t stride, entropic_csr **csr) {
  ENT_NEED(context, lift);
  ENT_NEED(context, x);
  ENT_NEED(context, csr);
  entropic_status status = ent_check_stride(context, lift, stride);
  if (status != ENTROPIC_OK)
    return status;
  ent_job job = {.lift = lift, .x = x, .rows = rows, .stride = stride};
  status = ent_call_run(context, "lifting rows", lift_all, &job);
  if (status != ENTROPIC_OK) {
    entropic_csr_free(job.csr);
    return status;
  }
  *csr = job.csr;
  return ENTROPIC_OK;
}
