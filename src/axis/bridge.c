/* bridge: k = min(x,y) - xy; zero at both ends, so there are no boundary atoms and both bases are the same. */
#include "axis/shapes.h"

static entropic_status prepare(entropic_context *context, ent_axis *axis) {
  (void)context;
  ent_append_hats(axis, 1);
  return ENTROPIC_OK;
}

static double kernel(const ent_axis *axis, double x, double y) {
  (void)axis;
  return ent_bridge_kernel(x, y);
}

static ent_formula formula(const ent_axis *axis) {
  (void)axis;
  return (ent_formula){ENT_FORMULA_BRIDGE, {1}};
}

const ent_family ent_family_bridge = {
    .name = "bridge",
    .help = "min(x,y) - xy; zero at both ends, has no w",
    .traits = ENTROPIC_TRAIT_HATS | ENTROPIC_TRAIT_SAVED,
    .since = 1,
    .prepare = prepare,
    .kernel = kernel,
    .formula = formula,
};
