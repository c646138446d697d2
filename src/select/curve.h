/* The errors of models of growing size on rows held out, as means over all walks that tried such a size. */
#ifndef ENT_SELECT_CURVE_H
#define ENT_SELECT_CURVE_H

#include "base/context.h"

/* Sums over the walks. */
typedef struct ent_curve_step {
  size_t features, walks;
  double lambda, wrong; /* wrong: shares of wrong classes */
} ent_curve_step;

typedef struct ent_curve {
  size_t count, targets;
  ent_curve_step steps[ENTROPIC_PATH_MOST]; /* by features, ascending */
  double *squares;                          /* [ENTROPIC_PATH_MOST][targets] sums of mean squares */
} ent_curve;

entropic_status ent_curve_start(entropic_context *context, size_t targets, ent_curve *curve);
/* Frees and empties. */
void ent_curve_clear(ent_curve *curve);
/* One model: squares[targets] are its mean squares. Where there is no room for one more size it is left out. */
void ent_curve_add(ent_curve *curve, size_t features, double lambda, const double *squares, double wrong);

#endif
