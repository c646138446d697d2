/* Features for a table: kernel, design and lift in one call, for searches over candidates. */
#ifndef ENT_LIFT_FEATURES_H
#define ENT_LIFT_FEATURES_H

#include "design/restriction.h"
#include "lift/map.h"

/* The candidates; all borrowed. */
typedef struct ent_features {
  const entropic_axis_options *axes; /* one for each input */
  size_t inputs;
  entropic_design_options design;     /* its number of features is given for each candidate */
  bool without_smooth;                /* Legendre atoms are left out, whatever the axes say */
  const ent_restriction *restriction; /* which inputs features may depend on; NULL: all */
} ent_features;

/* Some features, ready for use. An empty one is all zero. */
typedef struct ent_lifting {
  entropic_design *design;
  entropic_lift *lift;
  ent_map map;
  double seconds; /* that making it took */
} ent_lifting;

/* The kernel with this omega for every input; with omega 0, those of the axes. */
entropic_status ent_features_kernel(entropic_context *context, const ent_features *features, double omega,
                                    entropic_kernel **kernel);
/* So many features of that kernel; with count 0 as many as the non-zeros of the design options pay for. */
entropic_status ent_features_make(entropic_context *context, const ent_features *features, double omega, size_t count,
                                  ent_lifting *lifting);
/* Makes lift and map of a lifting that has a design with all its groups appended. What there is stays with the caller on
 * failure. */
entropic_status ent_lifting_finish(entropic_context *context, ent_lifting *lifting);
/* The same for a design alone, which it takes over: on failure the design is freed. */
entropic_status ent_lifting_of_design(entropic_context *context, entropic_design *design, ent_lifting *lifting);
/* No features at all, of a kernel whose first level is the constant for every input. */
entropic_status ent_lifting_none(entropic_context *context, const entropic_kernel *kernel, ent_lifting *lifting);
/* Frees and empties. */
void ent_lifting_clear(ent_lifting *lifting);

#endif
