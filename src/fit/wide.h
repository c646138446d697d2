/* A fit that is offered more inputs: target means of its categories (dataset/target_means.h). They are made of the rows
 * that take part now, so each run of outer validation has its own. The recipe starts without them and takes them only if
 * its validation rows want them; until then nothing of the fit changes. */
#ifndef ENT_FIT_WIDE_H
#define ENT_FIT_WIDE_H

#include "dataset/target_means.h"
#include "fit/fit.h"

struct ent_fit_wide {
  ent_fit fit; /* as the narrow one, with the inputs of both; once they are taken it holds the narrow ones */
  bool taken;
  entropic_dataset *train, *valid; /* copies with all inputs; targets and the like are borrowed */
  ent_target_means *means;
};

/* Makes fit->wide, unless it is there, or there is nothing to offer. */
entropic_status ent_fit_offer(entropic_context *context, ent_fit *fit);
/* From now on the fit has the inputs that were offered. */
void ent_fit_widen(ent_fit *fit);
/* The fit as it was before; the offer is gone. */
void ent_fit_narrow(ent_fit *fit);

#endif
