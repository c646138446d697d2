/* Features for a table: see features.h. */
#include "lift/features.h"

#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "design/design.h"

entropic_status ent_features_kernel(entropic_context *context, const ent_features *features, double omega,
                                    entropic_kernel **kernel) {
  entropic_axis_options *axes = ent_new(context, features->inputs, sizeof *axes);
  if (axes == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(axes, features->axes, features->inputs * sizeof *axes);
  for (size_t i = 0; i < features->inputs; i++) {
    axes[i].omega = omega > 0 ? omega : axes[i].omega;
    axes[i].smooth = features->without_smooth ? 0 : axes[i].smooth;
  }
  entropic_status status = ent_kernel_create(context, axes, features->inputs, features->inputs, kernel);
  ent_delete(axes);
  return status;
}

entropic_status ent_features_make(entropic_context *context, const ent_features *features, double omega, size_t count,
                                  ent_lifting *lifting) {
  ent_lifting made = {0};
  entropic_kernel *kernel = NULL;
  double start = ent_seconds();
  entropic_design_options options = features->design;
  if (count > 0) {
    options.features = count;
    options.nonzeros = 0;
  }
  entropic_status status = ent_features_kernel(context, features, omega, &kernel);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_design_create_restricted(context, kernel, &options, features->restriction, &made.design);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_lift_create(context, made.design, &made.lift);
  if (status != ENTROPIC_OK)
    goto done;
  made.map = ent_map_of_lift(made.lift);
  made.seconds = ent_seconds() - start;
  *lifting = made;
  made = (ent_lifting){0};
done:
  ent_lifting_clear(&made);
  entropic_kernel_free(kernel);
  return status;
}

entropic_status ent_lifting_finish(entropic_context *context, ent_lifting *lifting) {
  entropic_status status = ent_design_finish(context, lifting->design);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_lift_create(context, lifting->design, &lifting->lift);
  if (status != ENTROPIC_OK)
    return status;
  lifting->map = ent_map_of_lift(lifting->lift);
  return ENTROPIC_OK;
}

entropic_status ent_lifting_of_design(entropic_context *context, entropic_design *design, ent_lifting *lifting) {
  ent_lifting made = {.design = design};
  entropic_status status = ent_lifting_finish(context, &made);
  if (status != ENTROPIC_OK)
    goto fail;
  *lifting = made;
  return ENTROPIC_OK;
fail:
  ent_lifting_clear(&made);
  return status;
}

entropic_status ent_lifting_none(entropic_context *context, const entropic_kernel *kernel, ent_lifting *lifting) {
  entropic_design *design = ent_design_new(context, kernel, ENT_CRITERION_RESIDUAL);
  return design == NULL ? ENTROPIC_NO_MEMORY : ent_lifting_of_design(context, design, lifting);
}

void ent_lifting_clear(ent_lifting *lifting) {
  entropic_lift_free(lifting->lift);
  entropic_design_free(lifting->design);
  *lifting = (ent_lifting){0};
}
