/* Sums of products of columns in fixed point: see fixed_sums.h. */
#include "sums/fixed_sums.h"

#include "base/memory.h"
#include "base/threads.h"

#define STRIPE ((size_t)4) /* panels of upper columns of a task */

void ent_fixed_sums_free(ent_fixed_sums *sums) {
  if (sums == NULL)
    return;
  ent_delete(sums->planes);
  ent_delete(sums->column_sums);
  ent_delete(sums);
}

entropic_status ent_fixed_sums_create(entropic_context *context, const ent_fixed_format *format,
                                      ent_fixed_sums **sums) {
  ent_fixed_sums *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->format = format;
  made->count = ent_fixed_sum_count(format->layout);
  made->planes = ent_new_matrix(context, ent_fixed_sum_planes(format->fixed->grade, format->code), made->count,
                                sizeof *made->planes);
  made->column_sums = ent_new(context, format->layout->columns, sizeof *made->column_sums);
  if (made->planes == NULL || made->column_sums == NULL) {
    ent_fixed_sums_free(made);
    return ENTROPIC_NO_MEMORY;
  }
  *sums = made;
  return ENTROPIC_OK;
}

/* Blocks that are being multiplied. */
typedef struct ent_fixed_job {
  ent_fixed_sums *sums;
  ent_fixed_block *const *blocks;
  size_t count;
  size_t tasks;   /* of panels */
  size_t stripes; /* of scattered columns */
} ent_fixed_job;

/* The words of a block, as plane number `plane`. */
static const void *words_of(const ent_fixed_format *format, const void *words, size_t at) {
  return format->code->wide ? (const void *)((const int64_t *)words + at) : (const void *)((const int32_t *)words + at);
}

/* Adds the products of a lower panel with the columns of an upper one, in tiles or by axpy, of one plane of words. */
static void add_panels(const ent_fixed_sums *sums, const ent_fixed_block *block, size_t plane, size_t lower,
                       size_t upper) {
  const ent_fixed_format *format = sums->format;
  const ent_fixed_layout *layout = format->layout;
  size_t panel = ENT_FIXED_PANEL * format->capacity, first = plane * format->panel_words;
  int64_t *to = sums->planes + plane * sums->count + ent_fixed_sums_at(layout, lower, upper);
  const void *of_lower = words_of(format, block->panels, first + lower * panel);
  if (ent_fixed_way_of(layout, lower, upper) == ENT_FIXED_TILE) {
    const void *of_upper = words_of(format, block->panels, first + upper * panel);
    const double *full = block->full + plane * format->full_words;
    const ent_fixed_extent extent = {layout->used[lower], layout->used[upper], lower == upper};
    if (format->code->wide)
      format->code->tile(of_lower, of_upper, &extent, block->rows, to, to + sums->count);
    else
      format->code->tile(full + lower * panel, full + upper * panel, &extent, block->rows, to, NULL);
    return;
  }
  size_t list = (upper - layout->full) * ENT_FIXED_PANEL;
  ent_fixed_lists lists = {.values =
                               words_of(format, block->values, plane * format->list_words + list * format->stride),
                           .offsets = block->offsets + list * format->stride,
                           .stride = format->stride,
                           .counts = block->counts + list,
                           .negatives = block->negatives + list};
  format->code->axpy(&lists, layout->used[upper], of_lower, to, to + sums->count);
}

/* Adds to low and high parts, the low one of `bits` bits. */
static inline void add_product(ent_int128 product, int bits, int64_t *low, int64_t *high) {
  const int64_t mask = (INT64_C(1) << bits) - 1;
  int64_t sum = *low + ((int64_t)product & mask);
  *low = sum & mask;
  *high += (int64_t)(product >> bits) + (sum >> bits);
}

/* Adds the products of non-zeros of a row, of all entries from the first to number `last`, with that one. */
static inline void scatter_entry(const ent_fixed_sums *sums, const ent_fixed_block *block, size_t first, size_t last) {
  int64_t *to = sums->planes + block->row_columns[last], q = block->row_values[last];
  if (sums->format->fixed->grade == ENT_GRADE_ORDER_FREE) {
    for (size_t i = first; i <= last; i++)
      to[block->row_at[i]] += q * block->row_values[i];
    return;
  }
  for (size_t i = first; i <= last; i++)
    add_product((ent_int128)q * block->row_values[i], ENT_FIXED_LOW_BITS, &to[block->row_at[i]],
                &to[sums->count + block->row_at[i]]);
}

/* Scatters the products with upper columns from position `first` to `end`. */
static void scatter(const ent_fixed_sums *sums, const ent_fixed_block *block, size_t first, size_t end) {
  for (size_t r = 0; r < block->rows; r++)
    for (size_t i = block->row_starts[r]; i < block->row_starts[r + 1]; i++)
      if (block->row_columns[i] >= first * ENT_FIXED_PANEL && block->row_columns[i] < end * ENT_FIXED_PANEL)
        scatter_entry(sums, block, block->row_starts[r], i);
}

/* Tasks are lower panels times stripes of upper ones, then stripes of scattered columns: new ones, as no known one follows
 * them. */
static entropic_status run_task(entropic_context *context, void *shared, size_t task, int worker) {
  (void)context, (void)worker;
  const ent_fixed_job *job = shared;
  const ent_fixed_layout *layout = job->sums->format->layout;
  if (task >= job->tasks) {
    size_t first_new = (layout->dense + layout->rare_known) * ENT_FIXED_PANEL, stripe = task - job->tasks;
    size_t rarest = layout->panels * ENT_FIXED_PANEL - first_new;
    for (size_t b = 0; b < job->count; b++)
      scatter(job->sums, job->blocks[b], first_new + rarest * stripe / job->stripes,
              first_new + rarest * (stripe + 1) / job->stripes);
    return ENTROPIC_OK;
  }
  size_t stripes = (layout->panels + STRIPE - 1) / STRIPE, lower = task / stripes, first = task % stripes * STRIPE;
  size_t end = first + STRIPE < layout->panels ? first + STRIPE : layout->panels;
  for (size_t b = 0; b < job->count; b++)
    for (size_t plane = 0; plane < job->sums->format->word_planes; plane++)
      for (size_t upper = first < lower ? lower : first; upper < end; upper++)
        if (ent_fixed_is_needed(layout, lower, upper))
          add_panels(job->sums, job->blocks[b], plane, lower, upper);
  return ENTROPIC_OK;
}

entropic_status ent_fixed_sums_add(entropic_context *context, ent_fixed_sums *sums, ent_fixed_block *const *blocks,
                                   size_t count) {
  const ent_fixed_layout *layout = sums->format->layout;
  ent_fixed_job job = {.sums = sums, .blocks = blocks, .count = count};
  job.tasks = layout->dense * ((layout->panels + STRIPE - 1) / STRIPE);
  if (layout->panels > layout->dense + layout->rare_known)
    job.stripes = ent_workers(context, SIZE_MAX) == 1 ? 1 : 2 * (size_t)ent_workers(context, SIZE_MAX);
  entropic_status status = ent_parallel(context, job.tasks + job.stripes, run_task, &job);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t b = 0; b < count; b++) {
    sums->rows += blocks[b]->rows;
    sums->weighted += blocks[b]->weighted;
    for (size_t j = 0; j < layout->columns; j++)
      sums->column_sums[j] += blocks[b]->column_sums[j];
  }
  return ENTROPIC_OK;
}
