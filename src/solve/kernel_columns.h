/* Kernel values of one row with many, the fast way: for each input a loop over the rows. Its bits may differ from those of
 * entropic_kernel_value in the last place. */
#ifndef ENT_SOLVE_KERNEL_COLUMNS_H
#define ENT_SOLVE_KERNEL_COLUMNS_H

#include "axis/kernel.h"
#include "base/context.h"

typedef struct ent_kernel_columns {
  const entropic_kernel *kernel;
  size_t rows, inputs;
  double *x; /* [inputs x rows] the rows, input after input */
} ent_kernel_columns;

/* Copies the rows x[rows x inputs]. Clear it in any case. */
entropic_status ent_kernel_columns_start(entropic_context *context, const entropic_kernel *kernel, const double *x,
                                         size_t rows, ent_kernel_columns *columns);
void ent_kernel_columns_clear(ent_kernel_columns *columns);
/* values[count]: k(x, row) of the first `count` rows. */
void ent_kernel_column(const ent_kernel_columns *columns, const double *x, size_t count, double *values);

#endif
