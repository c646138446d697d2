/* Rows for the loops of wide.h: checked, clamped to [0,1], transposed. */
#ifndef ENT_BASELINES_STRIP_H
#define ENT_BASELINES_STRIP_H

#include "base/context.h"
#include "baselines/wide.h"

/* x[row * stride + input]; borrowed. */
typedef struct ent_strip_source {
  const double *x;
  size_t inputs, stride;
} ent_strip_source;

/* Rows first .. first + rows - 1, at most ENT_STRIP of them, transposed into a strip and clamped to [0,1]; lanes without a
 * row are 0. BAD_DATA if a value is not finite. */
entropic_status ent_strip_load(entropic_context *context, const ent_wide_code *code, const ent_strip_source *source,
                               size_t first, size_t rows, double *strip);

/* One row, checked and clamped, not transposed. */
entropic_status ent_point_load(entropic_context *context, const double *x, size_t inputs, size_t row, double *point);

#endif
