/* Kernels: creation, closed-form values, and what the public interface says of levels and atoms. */
#include "axis/kernel.h"

#include <math.h>
#include <string.h>

static bool same_options(const entropic_axis_options *a, const entropic_axis_options *b) {
  bool omega = ent_axis_traits(a) & ENTROPIC_TRAIT_OMEGA;
  bool hats = entropic_family_has(a->family, ENTROPIC_TRAIT_HATS);
  return a->family == b->family && a->basis == b->basis && (a->omega == b->omega || !omega) &&
         (a->max_level == b->max_level || !hats) && a->smooth == b->smooth && a->unit_height == b->unit_height &&
         a->p == b->p && a->q == b->q && a->user == b->user && a->categories == b->categories &&
         (a->missing != 0) == (b->missing != 0) && ent_same_text(a, b);
}

/* The axis of these options, made if the kernel has none such yet. Looking back a few axes finds most repeats; a kernel
 * with a thousand different ones must not pay for a million comparisons. */
static entropic_status find_axis(entropic_context *context, entropic_kernel *kernel,
                                 const entropic_axis_options *options, ent_axis **axis) {
  for (size_t back = 1; back <= 8 && back <= kernel->distinct_count; back++) {
    ent_axis *known = kernel->distinct[kernel->distinct_count - back];
    if (same_options(&known->options, options)) {
      *axis = known;
      return ENTROPIC_OK;
    }
  }
  kernel->texts += ent_is_text(options);
  if (kernel->texts > ENT_TEXT_AXES_MOST)
    return ent_fail(context, ENTROPIC_TOO_LARGE, "there are more than %d different custom kernels", ENT_TEXT_AXES_MOST);
  entropic_status status = ent_axis_create(context, options, axis);
  if (status != ENTROPIC_OK)
    return status;
  kernel->distinct[kernel->distinct_count++] = *axis;
  return ENTROPIC_OK;
}

/* Puts the input's number before the message. */
static void name_input(entropic_context *context, entropic_status status, size_t input) {
  if (context == NULL)
    return;
  char message[ENT_MESSAGE_SIZE];
  memcpy(message, context->message, sizeof message);
  ent_fail(context, status, "input %zu: %s", input + 1, message);
}

entropic_status ent_kernel_create(entropic_context *context, const entropic_axis_options *axes, size_t count,
                                  size_t inputs, entropic_kernel **kernel) {
  if (inputs == 0 || inputs > INT32_MAX)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "inputs: %zu is not between 1 and %d", inputs, INT32_MAX);
  if (count != 1 && count != inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "count: %zu axes for %zu inputs; give 1 or %zu", count, inputs,
                    inputs);
  entropic_status status = ENTROPIC_NO_MEMORY;
  entropic_kernel *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return status;
  atomic_init(&made->holders, 1);
  made->inputs = inputs;
  made->axes = ent_new(context, inputs, sizeof(ent_axis *));
  made->distinct = ent_new(context, count, sizeof(ent_axis *));
  if (made->axes == NULL || made->distinct == NULL)
    goto fail;
  for (size_t i = 0; i < inputs; i++) {
    status = i < count ? find_axis(context, made, &axes[i], &made->axes[i]) : ENTROPIC_OK;
    if (status != ENTROPIC_OK) {
      if (count > 1 && status != ENTROPIC_NO_MEMORY)
        name_input(context, status, i);
      goto fail;
    }
    if (i >= count)
      made->axes[i] = made->axes[0];
  }
  *kernel = made;
  return ENTROPIC_OK;
fail:
  entropic_kernel_free(made);
  return status;
}

void entropic_kernel_free(entropic_kernel *kernel) {
  if (kernel == NULL || atomic_fetch_sub(&kernel->holders, 1) > 1)
    return;
  for (size_t i = 0; i < kernel->distinct_count; i++)
    ent_axis_free(kernel->distinct[i]);
  ent_delete(kernel->distinct);
  ent_delete(kernel->axes);
  ent_delete(kernel);
}

entropic_kernel *ent_kernel_hold(const entropic_kernel *kernel) {
  entropic_kernel *held = (entropic_kernel *)kernel; /* the count of holders is no part of its value */
  atomic_fetch_add(&held->holders, 1);
  return held;
}

size_t entropic_kernel_inputs(const entropic_kernel *kernel) {
  if (kernel == NULL)
    return 0;
  return kernel->inputs;
}

entropic_axis_options ent_kernel_axis(const entropic_kernel *kernel, size_t input) {
  return kernel->axes[input]->options;
}

int entropic_kernel_has(const entropic_kernel *kernel, size_t input, unsigned traits) {
  return kernel != NULL && input < kernel->inputs && (kernel->axes[input]->traits & traits) == traits;
}

double ent_kernel_axis_value(const entropic_kernel *kernel, size_t input, double x, double y) {
  if (kernel == NULL || input >= kernel->inputs)
    return NAN;
  const ent_axis *axis = kernel->axes[input];
  if (axis->options.missing && (isnan(x) || isnan(y)))
    return isnan(x) && isnan(y) ? 1 + axis->options.omega : 1;
  x = ent_clamp(x);
  y = ent_clamp(y);
  return x <= y ? axis->family->kernel(axis, x, y) : axis->family->kernel(axis, y, x);
}

double entropic_kernel_value(const entropic_kernel *kernel, const double *x, const double *y) {
  if (kernel == NULL || x == NULL || y == NULL)
    return NAN;
  double product = 1;
  for (size_t i = 0; i < kernel->inputs; i++)
    product *= ent_kernel_axis_value(kernel, i, x[i], y[i]);
  return product;
}

/* k(x,x) is the largest value where both are x. Families have their largest at an end or in the middle; a custom one is
 * looked at on a grid. */
#define RANGE_STEPS 16

static double largest_of_axis(const entropic_kernel *kernel, size_t input) {
  double largest = 0;
  for (int i = 0; i <= RANGE_STEPS; i++) {
    double x = (double)i / RANGE_STEPS;
    largest = fmax(largest, ent_kernel_axis_value(kernel, input, x, x));
  }
  return kernel->axes[input]->options.missing ? fmax(largest, ent_kernel_axis_value(kernel, input, NAN, NAN)) : largest;
}

entropic_status ent_kernel_check_range(entropic_context *context, const entropic_kernel *kernel) {
  double height = 0;
  for (size_t i = 0; i < kernel->inputs; i++)
    height += log2(largest_of_axis(kernel, i));
  if (height < 1000)
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_TOO_LARGE,
                  "the kernel of %zu inputs with this omega reaches 2^%.0f, beyond a double: lower omega",
                  kernel->inputs, height);
}

void ent_kernel_sums(const entropic_kernel *kernel, const ent_kernel_functions *of, const double *x, size_t rows,
                     size_t stride, double *out) {
  for (size_t r = 0; r < rows; r++) {
    double *sums = out + r * of->functions;
    for (size_t k = 0; k < of->functions; k++)
      sums[k] = of->offsets[k];
    for (size_t i = 0; i < of->count; i++) {
      double value = entropic_kernel_value(kernel, x + r * stride, of->points + i * kernel->inputs);
      for (size_t k = 0; k < of->functions; k++)
        sums[k] += of->weights[k * of->count + i] * value;
    }
  }
}

size_t entropic_kernel_levels(const entropic_kernel *kernel, size_t input) {
  if (kernel == NULL || input >= kernel->inputs)
    return 0;
  return input < kernel->inputs ? kernel->axes[input]->level_count : 0;
}

/* NULL with a message if there is no such level. */
static const ent_level *find_level(entropic_context *context, const entropic_kernel *kernel, size_t input,
                                   size_t level) {
  size_t levels = entropic_kernel_levels(kernel, input);
  if (level < levels)
    return &kernel->axes[input]->levels[level];
  if (input >= kernel->inputs)
    ent_fail(context, ENTROPIC_BAD_ARGUMENT, "input: %zu; the kernel has inputs 0 to %zu", input, kernel->inputs - 1);
  else
    ent_fail(context, ENTROPIC_BAD_ARGUMENT, "level: %zu; input %zu has levels 0 to %zu", level, input + 1, levels - 1);
  return NULL;
}

entropic_status ent_kernel_level(entropic_context *context, const entropic_kernel *kernel, size_t input, size_t level,
                                 entropic_level *info) {
  const ent_level *found = find_level(context, kernel, input, level);
  if (found == NULL)
    return ENTROPIC_BAD_ARGUMENT;
  *info = found->info;
  return ENTROPIC_OK;
}

entropic_status entropic_kernel_atom(entropic_context *context, const entropic_kernel *kernel, size_t input,
                                     size_t level, double x, uint64_t *atom, double *value) {
  ENT_NEED(context, kernel);
  ENT_NEED(context, atom);
  ENT_NEED(context, value);
  const ent_level *found = find_level(context, kernel, input, level);
  if (found == NULL)
    return ENTROPIC_BAD_ARGUMENT;
  if (!ent_accepts(kernel->axes[input], x))
    return ent_fail(context, ENTROPIC_BAD_DATA, "x: %g is not a finite number", x);
  double clamped = ent_clamp(x);
  uint32_t cell;
  found->evaluate(kernel->axes[input], found, &clamped, 1, &cell, value);
  *atom = cell;
  return ENTROPIC_OK;
}
