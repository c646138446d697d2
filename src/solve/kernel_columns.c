/* Kernel values of one row with many: see kernel_columns.h. Every value is one sequence of operations, each rounded, so
 * vectors do not change it. */
#include "solve/kernel_columns.h"

#include <math.h>

#include "axis/hyperbolic.h"
#include "base/memory.h"

#define AT_ONCE ((size_t)256) /* rows whose distances stay in the cache */

entropic_status ent_kernel_columns_start(entropic_context *context, const entropic_kernel *kernel, const double *x,
                                         size_t rows, ent_kernel_columns *columns) {
  *columns = (ent_kernel_columns){.kernel = kernel, .rows = rows, .inputs = kernel->inputs};
  columns->x = ent_new_matrix(context, rows, kernel->inputs, sizeof *columns->x);
  if (columns->x == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t d = 0; d < kernel->inputs; d++)
    for (size_t r = 0; r < rows; r++)
      columns->x[d * rows + r] = x[r * kernel->inputs + d];
  return ENTROPIC_OK;
}

void ent_kernel_columns_clear(ent_kernel_columns *columns) {
  ent_delete(columns->x);
  *columns = (ent_kernel_columns){0};
}

/* Which loop an input has. */
typedef enum ent_kernel_loop { LOOP_CENTRED, LOOP_LAPLACE, LOOP_GENERAL } ent_kernel_loop;

static ent_kernel_loop loop_of(const ent_axis *axis) {
  bool plain = !axis->options.missing && axis->options.basis == ENTROPIC_BASIS_FULL && axis->options.smooth == 0;
  return plain && axis->options.family == ENTROPIC_FAMILY_CENTRED   ? LOOP_CENTRED
         : plain && axis->options.family == ENTROPIC_FAMILY_LAPLACE ? LOOP_LAPLACE
                                                                    : LOOP_GENERAL;
}

/* values *= 1 + w/4 - w/2 |x - row| */
static void multiply_centred(double omega, const double *rows, double x, size_t count, double *values) {
  double top = 1 + omega / 4, slope = omega / 2;
  for (size_t r = 0; r < count; r++)
    values[r] *= top - slope * fabs(x - rows[r]);
}

/* distances += w |x - row| */
static void add_distances(double omega, const double *rows, double x, size_t count, double *distances) {
  for (size_t r = 0; r < count; r++)
    distances[r] += omega * fabs(x - rows[r]);
}

static void multiply_exponentials(const double *distances, size_t count, double *values) {
  for (size_t r = 0; r < count; r++)
    values[r] *= ent_exp(-distances[r]);
}

void ent_kernel_column(const ent_kernel_columns *columns, const double *x, size_t count, double *values) {
  double distances[AT_ONCE];
  for (size_t first = 0; first < count; first += AT_ONCE) {
    size_t some = count - first < AT_ONCE ? count - first : AT_ONCE;
    bool exponential = false;
    for (size_t r = 0; r < some; r++) {
      values[first + r] = 1;
      distances[r] = 0;
    }
    for (size_t d = 0; d < columns->inputs; d++) {
      const ent_axis *axis = columns->kernel->axes[d];
      const double *rows = columns->x + d * columns->rows + first;
      ent_kernel_loop loop = loop_of(axis);
      if (loop == LOOP_CENTRED)
        multiply_centred(axis->options.omega, rows, x[d], some, values + first);
      if (loop == LOOP_LAPLACE)
        add_distances(axis->options.omega, rows, x[d], some, distances);
      exponential = exponential || loop == LOOP_LAPLACE;
      for (size_t r = 0; loop == LOOP_GENERAL && r < some; r++)
        values[first + r] *= ent_kernel_axis_value(columns->kernel, d, x[d], rows[r]);
    }
    if (exponential)
      multiply_exponentials(distances, some, values + first);
  }
}
