/* A product of axes: the kernel on [0,1]^D. Inputs with equal options share one axis. */
#ifndef ENT_AXIS_KERNEL_H
#define ENT_AXIS_KERNEL_H

#include <stdatomic.h>

#include "axis/axis.h"

struct entropic_kernel {
  atomic_size_t holders; /* handles that hold this one; the last to let go frees it */
  size_t inputs;
  ent_axis **axes; /* inputs of them, pointing into distinct */
  size_t distinct_count;
  size_t texts; /* distinct axes that are custom kernels as text */
  ent_axis **distinct;
};

/* Every one takes a megabyte and some milliseconds: a short file must not ask for thousands. */
#define ENT_TEXT_AXES_MOST 256

/* The calls of the interface without sizes of structs: the rooms know them. */
entropic_status ent_kernel_create(entropic_context *context, const entropic_axis_options *axes, size_t count,
                                  size_t inputs, entropic_kernel **kernel);
/* input must be below the number of inputs. */
entropic_axis_options ent_kernel_axis(const entropic_kernel *kernel, size_t input);
entropic_status ent_kernel_level(entropic_context *context, const entropic_kernel *kernel, size_t input, size_t level,
                                 entropic_level *info);

/* k(x,y) of one input: see entropic_kernel_value. */
double ent_kernel_axis_value(const entropic_kernel *kernel, size_t input, double x, double y);

/* Another holder of a kernel, to be let go with entropic_kernel_free. */
entropic_kernel *ent_kernel_hold(const entropic_kernel *kernel);

/* TOO_LARGE if the product over the inputs can be beyond a double. */
entropic_status ent_kernel_check_range(entropic_context *context, const entropic_kernel *kernel);

/* Functions that are sums of kernels at points. */
typedef struct ent_kernel_functions {
  const double *points; /* count x inputs */
  size_t count;
  const double *weights; /* functions x count */
  const double *offsets; /* functions */
  size_t functions;
} ent_kernel_functions;

/* Their values: out[row * functions + k] = offsets[k] + the sum over i of weights[k * count + i] k(row, point i), one i
 * after the other. Rows are x[row * stride + input]. */
void ent_kernel_sums(const entropic_kernel *kernel, const ent_kernel_functions *of, const double *x, size_t rows,
                     size_t stride, double *out);

#endif
