/* Rows as an array of NumPy: a header, then the doubles as they are. */
#include "study/npy.h"

#include <stdio.h>

#include "lift/npz.h"

entropic_status ent_npy_save(entropic_context *context, const double *values, size_t rows, size_t columns,
                             const char *path) {
  char header[ENT_NPY_HEADER], shape[48];
  snprintf(shape, sizeof shape, "(%zu, %zu)", rows, columns);
  ent_npy_header(header, ENT_NPY_ORDER "f8", shape);
  entropic_output *output = NULL;
  entropic_status status = entropic_output_create(context, path, &output);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_output_write(context, output, header, sizeof header);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_output_write(context, output, values, rows * columns * sizeof *values);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_output_commit(context, output);
done:
  entropic_output_free(output);
  return status;
}
