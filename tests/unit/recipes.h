/* Rows and a recipe for them, with one view and axes of four levels. */
#ifndef RECIPES_H
#define RECIPES_H

#include "unit/validation_splits.h"

#include "tune/rules.h"
#include "tune/split.h"

#include "unit/fixture.h"
#include "unit/listening.h"

enum { MOST_INPUTS = 12, MOST_REPORTS = 16 };

/* The progress that was reported while kernels were tried. */
typedef struct reports {
  size_t count;
  double done[MOST_REPORTS];
} reports;

static inline int record_progress(void *user, const char *stage, double done) {
  reports *r = user;
  bool is_new = r->count == 0 || done != r->done[r->count - 1]; /* polls call back, too */
  if (strcmp(stage, "trying kernels") == 0 && is_new && r->count < MOST_REPORTS)
    r->done[r->count++] = done;
  return 0;
}

/* Rows and a recipe; it must stay where it is. */
typedef struct setting {
  ground g;
  entropic_axis_options axes[MOST_INPUTS];
  ent_features features;
  ent_view views[3];
  ent_recipe recipe;
  reports reports;
} setting;

static inline void setting_start(setting *at, ground_options options) {
  *at = (setting){.features = {.axes = at->axes, .inputs = options.inputs, .design = ent_design_options_default()}};
  ground_start(&at->g, options);
  for (size_t i = 0; i < options.inputs; i++) {
    at->axes[i] = ent_axis_options_default();
    at->axes[i].max_level = 4;
  }
  at->views[0] = (ent_view){.x = at->g.x, .valid_x = options.others > 0 ? at->g.valid.x : NULL};
  at->recipe = (ent_recipe){.splits = &at->g.splits,
                            .views = at->views,
                            .view_count = 1,
                            .features = &at->features,
                            .options = {.selection_loss = ENT_BY_SQUARES, .lambda = -1}};
}

#endif
