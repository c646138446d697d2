/* Rows on their way into the loops: checked, clamped to [0,1], turned. */
#include <math.h>

#include "random/map.h"

static entropic_status check_number(entropic_context *context, double value, size_t row, size_t input) {
  if (isfinite(value))
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu, column %zu: %g is not a finite number", row + 1, input + 1,
                  value);
}

entropic_status ent_point_load(entropic_context *context, const double *x, size_t inputs, size_t row, double *point) {
  for (size_t i = 0; i < inputs; i++) {
    entropic_status status = check_number(context, x[i], row, i);
    if (status != ENTROPIC_OK)
      return status;
    point[i] = x[i] < 0 ? 0 : x[i] > 1 ? 1 : x[i];
  }
  return ENTROPIC_OK;
}

entropic_status ent_strip_load(entropic_context *context, const double *x, size_t rows, size_t inputs, size_t stride,
                               size_t first_row, double *strip) {
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < inputs; i++) {
      double value = x[r * stride + i];
      if (__builtin_expect(!(value >= 0 && value <= 1), 0)) {
        entropic_status status = check_number(context, value, first_row + r, i);
        if (status != ENTROPIC_OK)
          return status;
        value = value < 0 ? 0 : 1;
      }
      strip[i * ENT_STRIP + r] = value;
    }
  for (size_t r = rows; r < ENT_STRIP; r++)
    for (size_t i = 0; i < inputs; i++)
      strip[i * ENT_STRIP + r] = 0;
  return ENTROPIC_OK;
}
