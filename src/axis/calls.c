/* The public calls about kernels, and scaling: pointers and sizes of structs are checked here. */
#include <stddef.h>
#include <stdio.h>

#include "axis/kernel.h"
#include "axis/scaler.h"
#include "base/memory.h"
#include "base/sized.h"

/* The struct as it was when it was first published. */
#define AXIS_LEAST (offsetof(entropic_axis_options, missing) + sizeof(int))

entropic_status entropic_axis_options_init(entropic_axis_options *options, size_t size) {
  entropic_axis_options known = ent_axis_options_default();
  known.size = size;
  return ent_sized_give(NULL, options, size, &known, sizeof known);
}

entropic_status entropic_kernel_create(entropic_context *context, const entropic_axis_options *axes, size_t count,
                                       size_t inputs, entropic_kernel **kernel) {
  ENT_NEED(context, axes);
  ENT_NEED(context, kernel);
  entropic_axis_options *known = ent_new(context, count, sizeof *known);
  if (known == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status;
  for (size_t i = 0; i < count; i++) {
    status = ent_sized_take(context, &known[i], sizeof known[i], AXIS_LEAST, (const char *)axes + i * axes->size,
                            axes->size);
    if (status != ENTROPIC_OK)
      goto done;
  }
  status = ent_kernel_create(context, known, count, inputs, kernel);
done:
  ent_delete(known);
  return status;
}

entropic_status entropic_kernel_axis(entropic_context *context, const entropic_kernel *kernel, size_t input,
                                     entropic_axis_options *options, size_t size) {
  ENT_NEED(context, kernel);
  ENT_NEED(context, options);
  if (input >= kernel->inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "input: %zu; the kernel has %zu inputs", input, kernel->inputs);
  entropic_axis_options known = ent_kernel_axis(kernel, input);
  known.size = size;
  return ent_sized_give(context, options, size, &known, sizeof known);
}

entropic_status entropic_kernel_level(entropic_context *context, const entropic_kernel *kernel, size_t input,
                                      size_t level, entropic_level *info, size_t size) {
  ENT_NEED(context, kernel);
  ENT_NEED(context, info);
  entropic_level known;
  entropic_status status = ent_kernel_level(context, kernel, input, level, &known);
  return status != ENTROPIC_OK ? status : ent_sized_give(context, info, size, &known, sizeof known);
}

size_t entropic_kernel_level_name(const entropic_kernel *kernel, size_t input, size_t level, char *text, size_t size) {
  static const char *const names[] = {"constant", "even", "linear", "legendre", "hat", "category", "missing"};
  entropic_level info;
  int length;
  if (kernel == NULL || text == NULL)
    return 0;
  if (size > 0)
    *text = '\0';
  if (ent_kernel_level(NULL, kernel, input, level, &info) != ENTROPIC_OK)
    return 0;
  if (info.kind == ENTROPIC_LEVEL_KIND_LEGENDRE && entropic_kernel_has(kernel, input, ENTROPIC_TRAIT_PERIODIC))
    length = snprintf(text, size, "%s%d", info.order % 2 ? "sin" : "cos", info.order / 2);
  else if (info.kind == ENTROPIC_LEVEL_KIND_LEGENDRE || info.kind == ENTROPIC_LEVEL_KIND_HAT)
    length = snprintf(text, size, "%s%d", names[info.kind], info.order);
  else
    length = snprintf(text, size, "%s", names[info.kind]);
  return (size_t)length;
}

entropic_status entropic_scaler_apply(entropic_context *context, const entropic_scaler *scaler, const double *values,
                                      size_t rows, size_t stride, double *scaled) {
  ENT_NEED(context, scaler);
  ENT_NEED(context, values);
  ENT_NEED(context, scaled);
  ent_scaler_apply(scaler, values, rows, stride, scaled);
  return ENTROPIC_OK;
}
