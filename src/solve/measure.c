/* Mean squares and their variances: see measure.h. */
#include "solve/measure.h"

double ent_weight_sum(const ent_block *rows) {
  double weight = 0;
  for (size_t r = 0; r < rows->rows; r++)
    weight += ent_weight(rows, r);
  return weight;
}

void ent_measure(const ent_block *rows, size_t targets, const double *scores, double *squares) {
  double weight = ent_weight_sum(rows);
  for (size_t k = 0; k < targets; k++) {
    double mean = 0, variance = 0;
    for (size_t r = 0; r < rows->rows; r++) {
      double off = rows->y[r * rows->y_stride + k] - scores[r * targets + k];
      mean += ent_weight(rows, r) / weight * off * off;
    }
    for (size_t r = 0; r < rows->rows; r++) { /* a pass of its own: the mean is much larger than what it varies by */
      double off = rows->y[r * rows->y_stride + k] - scores[r * targets + k];
      double part = ent_weight(rows, r) / weight * (off * off - mean);
      variance += part * part;
    }
    squares[k] = mean;
    squares[targets + k] = variance;
  }
}
