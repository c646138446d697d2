/* Chebyshev series in 113 bits, and the pieces of [0,1] that they are fitted on. */
#include "axis/pair.h"
#include "base/progress.h"

#define TAIL 4

/* T_k(t) for all k. */
static void polynomials(ent_quad t, ent_quad *values) {
  values[0] = 1;
  values[1] = t;
  for (int k = 2; k < ENT_SERIES; k++)
    values[k] = 2 * t * values[k - 1] - values[k - 2];
}

/* The integrals of T_k from -1 to t. */
static void integrals(ent_quad t, ent_quad *values) {
  ent_quad at[ENT_SERIES + 1];
  polynomials(t, at);
  at[ENT_SERIES] = 2 * t * at[ENT_SERIES - 1] - at[ENT_SERIES - 2];
  values[0] = t + 1;
  values[1] = (t * t - 1) / 2;
  for (int k = 2; k < ENT_SERIES; k++) {
    ent_quad from = (k % 2 == 0 ? -1 : 1) * ((ent_quad)1 / (2 * k + 2) - (ent_quad)1 / (2 * k - 2));
    values[k] = at[k + 1] / (2 * k + 2) - at[k - 1] / (2 * k - 2) - from;
  }
}

static void prepare(ent_chebyshev *tools) {
  const ent_quad pi = ent_quad_pi();
  for (int j = 0; j < ENT_SERIES; j++) {
    ent_quad values[ENT_SERIES];
    tools->points[j] = -ENT_QUAD_CALL(cos)(pi * (2 * j + 1) / (2 * ENT_SERIES));
    polynomials(tools->points[j], values);
    for (int k = 0; k < ENT_SERIES; k++)
      tools->transform[k][j] = values[k] * (k == 0 ? 1 : 2) / ENT_SERIES;
  }
  for (int i = 0; i < ENT_SERIES; i++) {
    ent_quad values[ENT_SERIES];
    integrals(tools->points[i], values);
    for (int j = 0; j < ENT_SERIES; j++) {
      ent_quad sum = 0;
      for (int k = 0; k < ENT_SERIES; k++)
        sum += values[k] * tools->transform[k][j];
      tools->integral[i][j] = sum;
    }
  }
}

void ent_series_make(const ent_chebyshev *tools, const ent_quad *values, ent_quad *terms) {
  for (int k = 0; k < ENT_SERIES; k++) {
    ent_quad sum = 0;
    for (int j = 0; j < ENT_SERIES; j++)
      sum += tools->transform[k][j] * values[j];
    terms[k] = sum;
  }
}

ent_quad ent_series_at(const ent_quad *terms, ent_quad t) {
  ent_quad one = 0, two = 0;
  for (int k = ENT_SERIES - 1; k > 0; k--) {
    ent_quad next = 2 * t * one - two + terms[k];
    two = one;
    one = next;
  }
  return t * one - two + terms[0];
}

void ent_series_slope(const ent_quad *terms, ent_quad *slope) {
  slope[ENT_SERIES - 1] = 0;
  for (int k = ENT_SERIES - 1; k > 0; k--)
    slope[k - 1] = (k + 1 < ENT_SERIES ? slope[k + 1] : 0) + 2 * k * terms[k];
  slope[0] /= 2;
}

ent_quad ent_series_tail(const ent_quad *terms) {
  ent_quad largest = 0, last = 0;
  for (int k = 0; k < ENT_SERIES; k++) {
    ent_quad size = ent_quad_abs(terms[k]);
    largest = ent_quad_larger(largest, size);
    last = k >= ENT_SERIES - TAIL ? ent_quad_larger(last, size) : last;
  }
  return largest > 0 ? last / largest : 0;
}

ent_quad ent_draft_place(const ent_draft_piece *piece, ent_quad t) {
  return (piece->first + piece->size * (1 + t) / 2) / ENT_UNITS;
}

entropic_status ent_draft_cover(ent_draft *draft, ent_piece_fit fit, void *user) {
  draft->tools = ent_new(draft->context, 1, sizeof *draft->tools);
  if (draft->tools == NULL)
    return ENTROPIC_NO_MEMORY;
  prepare(draft->tools);
  int before = ENT_UNITS;
  for (int first = 0; first < ENT_UNITS; first += before) {
    if (draft->count == ENT_PIECES_MOST)
      return ent_fail(draft->context, ENTROPIC_BAD_ARGUMENT,
                      "custom kernel: it varies too fast: %d pieces reach no further than x = %g", ENT_PIECES_MOST,
                      (double)first / ENT_UNITS);
    if (!ent_reserve(draft->context, &draft->pieces, &draft->capacity, draft->count + 1, sizeof *draft->pieces))
      return ENTROPIC_NO_MEMORY;
    ent_draft_piece *piece = &draft->pieces[draft->count++];
    int aligned = first == 0 ? ENT_UNITS : first & -first;
    bool fits = false;
    for (int size = first == 0 || aligned < 2 * before ? aligned : 2 * before; !fits; size /= 2) {
      entropic_status status = ent_poll(draft->context);
      if (status != ENTROPIC_OK)
        return status;
      piece->first = first;
      piece->size = before = size;
      status = fit(draft, user, piece, &fits);
      if (status != ENTROPIC_OK)
        return status;
      fits = fits || size == 1;
    }
  }
  return ENTROPIC_OK;
}
