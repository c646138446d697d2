/* Rows as an array of NumPy, for others to read. */
#ifndef ENT_STUDY_NPY_H
#define ENT_STUDY_NPY_H

#include "base/context.h"

/* values[rows x columns], row after row, as doubles. Atomic. */
entropic_status ent_npy_save(entropic_context *context, const double *values, size_t rows, size_t columns,
                             const char *path);

#endif
