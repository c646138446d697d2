/* The plain code: what every other must reproduce bit for bit. */
#include "lift/steps.h"

static bool load(const entropic_lift *lift, const double *x, size_t stride, double *columns) {
  bool ordinary = true;
  for (size_t c = 0; c < lift->column_count; c++) {
    for (size_t r = 0; r < ENT_TILE; r++) {
      double value = x[r * stride + lift->column_input[c]];
      ordinary = ordinary && value >= ENT_TINY && value <= 1;
      columns[c * ENT_TILE + r] = value;
    }
  }
  return ordinary;
}

static bool transpose(const double *chunk, size_t count, double *rows, size_t stride) {
  bool zero = false;
  for (size_t r = 0; r < ENT_TILE; r++) {
    for (size_t i = 0; i < count; i++) {
      double value = chunk[i * ENT_TILE + r];
      rows[r * stride + i] = value;
      zero = zero || value == 0;
    }
  }
  return zero;
}

const ent_code ent_code_reference = {.name = "reference", .load = load, .transpose = transpose, ENT_STEPS};
