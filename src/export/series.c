/* Atoms that have no short formula, as Chebyshev series on pieces of their support: those of custom kernels, and of any
 * family to come. A series is fitted to what the level itself says, and is kept only if it has its digits. */
#include <math.h>

#include "base/memory.h"
#include "base/progress.h"
#include "export/parts.h"

#define TERMS 24
#define TAIL 4
#define DIGITS 1e-14  /* of the largest value on the support: what the last terms may be */
#define NOTHING 1e-16 /* terms below are left out */
#define HALVINGS 16   /* of a support, at most */
#define PIECES 128    /* of an atom, at most */
#define MEASURED 64   /* points to find the largest value by */

/* An atom on its way. */
typedef struct ent_series_draft {
  const ent_axis *axis;
  const ent_level *level;
  uint64_t atom;
  double most; /* its largest value, in size */
} ent_series_draft;

/* false if another atom is there, or the value is not finite. */
static bool value_at(const ent_series_draft *draft, double x, double *value) {
  uint32_t atom;
  draft->level->evaluate(draft->axis, draft->level, &x, 1, &atom, value);
  return atom == draft->atom && isfinite(*value);
}

/* Whether the series is right at the ends, too: what bends between an end and the point next to it shows only there. */
static bool fits_ends(const ent_series_draft *draft, double first, double last, const double *terms, size_t count) {
  const double ends[2] = {first, nextafter(last, first)};
  for (int i = 0; i < 2; i++) {
    double value, sum = 0;
    for (size_t k = 0; k < count; k++)
      sum += i == 0 && k % 2 == 1 ? -terms[k] : terms[k];
    if (!value_at(draft, ends[i], &value) || !(fabs(sum - value) <= 4 * DIGITS * draft->most))
      return false;
  }
  return true;
}

/* The terms on [first, last]; false if they are not good enough. */
static bool fit_piece(const ent_series_draft *draft, double first, double last, double terms[TERMS], size_t *count) {
  const double pi = 3.14159265358979323846;
  double values[TERMS];
  for (int j = 0; j < TERMS; j++) {
    double t = cos(pi * (j + 0.5) / TERMS);
    if (!value_at(draft, first + (last - first) * (1 + t) / 2, &values[j]))
      return false;
  }
  for (int k = 0; k < TERMS; k++) {
    terms[k] = 0;
    for (int j = 0; j < TERMS; j++)
      terms[k] += values[j] * cos(pi * (k * (2 * j + 1) % (4 * TERMS)) / (2 * TERMS));
    terms[k] *= (k == 0 ? 1.0 : 2.0) / TERMS;
  }
  for (int k = TERMS - TAIL; k < TERMS; k++)
    if (!(fabs(terms[k]) <= DIGITS * draft->most))
      return false;
  for (*count = TERMS; *count > 1 && fabs(terms[*count - 1]) <= NOTHING * draft->most;)
    --*count;
  return fits_ends(draft, first, last, terms, *count);
}

static entropic_status append_piece(entropic_context *context, ent_export_series *series, ent_export_piece piece,
                                    const double *terms) {
  if (!ent_reserve(context, &series->pieces, &series->piece_capacity, series->piece_count + 1, sizeof piece) ||
      !ent_reserve(context, &series->terms, &series->term_capacity, series->term_count + piece.terms, sizeof *terms))
    return ENTROPIC_NO_MEMORY;
  piece.term = series->term_count;
  for (size_t k = 0; k < piece.terms; k++)
    series->terms[series->term_count++] = terms[k];
  series->pieces[series->piece_count++] = piece;
  return ENTROPIC_OK;
}

/* Covers [first, last] with pieces, each half as long as one that does not fit. */
static entropic_status cover(entropic_context *context, ent_export_series *series, const ent_series_draft *draft,
                             const double ends[2], bool *smooth) {
  double at = ends[0], terms[TERMS], least = ldexp(ends[1] - ends[0], -HALVINGS);
  size_t before = series->piece_count;
  while (at < ends[1] && *smooth) {
    double length = ends[1] - at;
    ent_export_piece piece = {.first = at};
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    while (length >= least && !fit_piece(draft, at, at + length, terms, &piece.terms))
      length /= 2;
    *smooth = length >= least && series->piece_count - before < PIECES;
    if (!*smooth)
      break;
    piece.last = at + length;
    status = append_piece(context, series, piece, terms);
    if (status != ENTROPIC_OK)
      return status;
    at = piece.last;
  }
  return ENTROPIC_OK;
}

static bool measure(ent_series_draft *draft, const double ends[2]) {
  for (int i = 0; i < MEASURED; i++) {
    double value;
    if (!value_at(draft, ends[0] + (ends[1] - ends[0]) * (i + 0.5) / MEASURED, &value))
      return false;
    draft->most = fmax(draft->most, fabs(value));
  }
  return true;
}

entropic_status ent_export_series_add(entropic_context *context, ent_export_series *series, const ent_axis *axis,
                                      const ent_level *level, uint64_t atom, bool *smooth) {
  bool hat = level->info.kind == ENTROPIC_LEVEL_KIND_HAT;
  double width = hat ? ldexp(1, 1 - level->info.order) : 1, start = hat ? (double)atom * width : 0;
  const double both[2] = {start, start + width}, left[2] = {start, start + width / 2},
               right[2] = {start + width / 2, start + width};
  ent_series_draft draft = {.axis = axis, .level = level, .atom = atom};
  size_t pieces = series->piece_count, terms = series->term_count;
  if (!ent_reserve(context, &series->starts, &series->start_capacity, series->count + 2, sizeof *series->starts))
    return ENTROPIC_NO_MEMORY;
  *smooth = measure(&draft, both);
  entropic_status status = ENTROPIC_OK;
  if (*smooth)
    status = cover(context, series, &draft, hat ? left : both, smooth);
  if (status == ENTROPIC_OK && *smooth && hat)
    status = cover(context, series, &draft, right, smooth);
  if (status != ENTROPIC_OK || !*smooth) {
    series->piece_count = pieces;
    series->term_count = terms;
    return status;
  }
  series->starts[series->count++] = pieces;
  series->starts[series->count] = series->piece_count;
  return ENTROPIC_OK;
}

void ent_export_series_clear(ent_export_series *series) {
  ent_delete(series->starts);
  ent_delete(series->pieces);
  ent_delete(series->terms);
  *series = (ent_export_series){0};
}
