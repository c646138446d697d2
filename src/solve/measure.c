/* Mean squared errors and their variances: see measure.h. */
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
      double residual = rows->y[r * rows->y_stride + k] - scores[r * targets + k];
      mean += ent_weight(rows, r) / weight * residual * residual;
    }
    for (size_t r = 0; r < rows->rows; r++) { /* a second loop, because E[x^2] - E[x]^2 would cancel */
      double residual = rows->y[r * rows->y_stride + k] - scores[r * targets + k];
      double deviation = ent_weight(rows, r) / weight * (residual * residual - mean);
      variance += deviation * deviation;
    }
    squares[k] = mean;
    squares[targets + k] = variance;
  }
}
