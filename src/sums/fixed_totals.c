/* What sums of products add up to: see fixed_sums.h. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "sums/fixed_sums.h"

/* What panels of wide codes have too much: they hold q + 2^b. */
static ent_int128 excess(const ent_fixed_sums *sums, ent_fixed_way way, size_t i, size_t j) {
  const uint32_t *column = sums->format->layout->column;
  ent_int128 unit = (ent_int128)1 << ENT_EXACT_BITS, of_j = sums->column_sums[column[j]];
  if (way == ENT_FIXED_AXPY)
    return unit * of_j;
  return unit * (sums->column_sums[column[i]] + of_j) + unit * unit * (ent_int128)sums->rows;
}

/* The sum of the products of columns at positions i <= j, which stands at number `at`. */
static inline ent_int128 total_of(const ent_fixed_sums *sums, ent_fixed_way way, size_t i, size_t j, size_t at) {
  const int64_t *s = sums->planes + at;
  size_t plane = sums->count;
  if (sums->format->fixed->grade == ENT_GRADE_ORDER_FREE)
    return s[0];
  if (way == ENT_FIXED_SCATTER || sums->format->code->wide) {
    ent_int128 total = (ent_int128)s[plane] * ((ent_int128)1 << ENT_FIXED_LOW_BITS) + s[0];
    return way == ENT_FIXED_SCATTER ? total : total - excess(sums, way, i, j);
  }
  /* h h' 2^46 + (h l' + l h') 2^23 + l l' */
  ent_int128 high = s[0], low = s[plane], cross = s[2 * plane] - high - low, unit = 1 << ENT_FIXED_SLICE_BITS;
  return (high * unit + cross) * unit + low;
}

/* How many columns of a lower panel go with column number j of an upper one: those at lower positions, and itself. */
static inline size_t partners(const ent_fixed_layout *layout, size_t lower, size_t upper, size_t j) {
  return lower == upper ? j + 1 : layout->used[lower];
}

static void flush_panels(const ent_fixed_sums *sums, size_t lower, size_t upper, ent_int128 *totals) {
  const ent_fixed_layout *layout = sums->format->layout;
  ent_fixed_way way = ent_fixed_way_of(layout, lower, upper);
  size_t at = ent_fixed_sums_at(layout, lower, upper);
  for (size_t j = 0; j < layout->used[upper]; j++, at += ENT_FIXED_PANEL)
    for (size_t i = 0, end = partners(layout, lower, upper, j); i < end; i++) {
      size_t of_a = lower * ENT_FIXED_PANEL + i, of_b = upper * ENT_FIXED_PANEL + j;
      size_t a = layout->column[of_a], b = layout->column[of_b];
      totals[a < b ? ent_fixed_index(a, b) : ent_fixed_index(b, a)] += total_of(sums, way, of_a, of_b, at + i);
    }
}

void ent_fixed_sums_flush(ent_fixed_sums *sums, ent_fixed *fixed) {
  const ent_fixed_layout *layout = sums->format->layout;
  for (size_t upper = 0; upper < layout->panels; upper++)
    for (size_t lower = 0; lower <= upper; lower++)
      if (ent_fixed_is_needed(layout, lower, upper))
        flush_panels(sums, lower, upper, fixed->totals);
  fixed->rows += sums->weighted;
  ent_fixed_sums_clear(sums);
}

/* Products of known panels are always 0. */
void ent_fixed_sums_clear(ent_fixed_sums *sums) {
  const ent_fixed_layout *layout = sums->format->layout;
  size_t planes = ent_fixed_sum_planes(sums->format->fixed->grade, sums->format->code);
  for (size_t plane = 0; plane < planes; plane++)
    for (size_t lower = 0; lower < layout->panels; lower++)
      for (size_t upper = lower; upper < layout->panels; upper++)
        if (ent_fixed_is_needed(layout, lower, upper))
          memset(sums->planes + plane * sums->count + ent_fixed_sums_at(layout, lower, upper), 0,
                 layout->used[upper] * ENT_FIXED_PANEL * sizeof *sums->planes);
  memset(sums->column_sums, 0, layout->columns * sizeof *sums->column_sums);
  sums->rows = 0;
  sums->weighted = 0;
  sums->merges = 0;
}

void ent_fixed_sums_merge(ent_fixed_sums *sum, const ent_fixed_sums *other) {
  const ent_fixed_layout *layout = sum->format->layout;
  size_t planes = ent_fixed_sum_planes(sum->format->fixed->grade, sum->format->code);
  for (size_t plane = 0; plane < planes; plane++)
    for (size_t lower = 0; lower < layout->panels; lower++)
      for (size_t upper = lower; upper < layout->panels; upper++) {
        size_t at = plane * sum->count + ent_fixed_sums_at(layout, lower, upper);
        size_t count = ent_fixed_is_needed(layout, lower, upper) ? layout->used[upper] * ENT_FIXED_PANEL : 0;
        for (size_t i = 0; i < count; i++)
          sum->planes[at + i] += other->planes[at + i];
      }
  for (size_t j = 0; j < layout->columns; j++)
    sum->column_sums[j] += other->column_sums[j];
  sum->rows += other->rows;
  sum->weighted += other->weighted;
  sum->merges += other->merges + 1;
}

ent_int128 ent_fixed_sums_total(const ent_fixed_sums *sums, size_t a, size_t b) {
  const ent_fixed_layout *layout = sums->format->layout;
  size_t of_a = layout->place[a], of_b = layout->place[b];
  size_t low = of_a < of_b ? of_a : of_b, high = of_a < of_b ? of_b : of_a;
  size_t lower = low / ENT_FIXED_PANEL, upper = high / ENT_FIXED_PANEL;
  size_t at = ent_fixed_sums_at(layout, lower, upper) + high % ENT_FIXED_PANEL * ENT_FIXED_PANEL;
  return total_of(sums, ent_fixed_way_of(layout, lower, upper), low, high, at + low % ENT_FIXED_PANEL);
}

/* What ent_fixed_sums_write works with. */
typedef struct ent_fixed_writer {
  const ent_fixed_sums *sums;
  size_t count, ld;
  double *gram;
  double *scales; /* [positions] 2^(e - 2 b) */
} ent_fixed_writer;

/* How many columns of a panel are at most `column`: they come first. */
static size_t columns_up_to(const ent_fixed_layout *layout, size_t panel, size_t column) {
  const uint32_t *columns = layout->column + panel * ENT_FIXED_PANEL;
  size_t low = 0, high = layout->used[panel];
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (columns[middle] <= column)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The totals of the column at position of_b with the columns of a panel that are not above it. Of the panels before its own
 * they are neighbours, of others a panel apart. */
static void write_part(const ent_fixed_writer *w, size_t of_b, size_t panel, double *to) {
  const ent_fixed_sums *sums = w->sums;
  const ent_fixed_layout *layout = sums->format->layout;
  size_t own = of_b / ENT_FIXED_PANEL, j = of_b % ENT_FIXED_PANEL, first = panel * ENT_FIXED_PANEL;
  size_t lower = panel < own ? panel : own, upper = panel < own ? own : panel,
         step = panel <= own ? 1 : ENT_FIXED_PANEL;
  size_t at = ent_fixed_sums_at(layout, lower, upper) + (panel <= own ? j * ENT_FIXED_PANEL : j);
  const uint32_t *columns = layout->column + first;
  const double *scales = w->scales + first;
  size_t b = layout->column[of_b], end = columns_up_to(layout, panel, b);
  double scale = ldexp(1, sums->format->fixed->exponents[b]); /* each factor is within range */
  if (sums->format->fixed->grade == ENT_GRADE_ORDER_FREE) {
    for (size_t i = 0; i < end; i++)
      to[columns[i]] += (double)sums->planes[at + i * step] * scales[i] * scale;
    return;
  }
  ent_fixed_way way = ent_fixed_way_of(layout, lower, upper);
  for (size_t i = 0; i < end; i++) {
    size_t low = panel <= own ? first + i : of_b, high = panel <= own ? of_b : first + i;
    to[columns[i]] += (double)total_of(sums, way, low, high, at + i * step) * scales[i] * scale;
  }
}

/* The columns of one panel, each a column of the Gram matrix. */
static entropic_status write_panel(entropic_context *context, void *shared, size_t own, int worker) {
  const ent_fixed_writer *w = shared;
  const ent_fixed_layout *layout = w->sums->format->layout;
  (void)context;
  (void)worker;
  for (size_t of_b = own * ENT_FIXED_PANEL; of_b < (own + 1) * ENT_FIXED_PANEL; of_b++)
    for (size_t panel = 0; layout->column[of_b] < w->count && panel < layout->panels; panel++)
      if (ent_fixed_is_needed(layout, panel, own))
        write_part(w, of_b, panel, w->gram + layout->column[of_b] * w->ld);
  return ENTROPIC_OK;
}

entropic_status ent_fixed_sums_write(entropic_context *context, const ent_fixed_sums *sums, size_t count, double *gram,
                                     size_t ld) {
  const ent_fixed_layout *layout = sums->format->layout;
  size_t positions = layout->panels * ENT_FIXED_PANEL;
  int twice = 2 * ent_grade_bits(sums->format->fixed->grade);
  double *scales = ent_new(context, positions, sizeof *scales);
  if (scales == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_fixed_writer writer = {sums, count, ld, gram, scales};
  for (size_t i = 0; i < positions; i++)
    if (layout->column[i] != ENT_FIXED_NOWHERE)
      scales[i] = ldexp(1, sums->format->fixed->exponents[layout->column[i]] - twice);
  entropic_status status = ent_parallel(context, layout->panels, write_panel, &writer);
  ent_delete(scales);
  return status;
}
