/* Exported models in fewer bytes. */
#ifndef ENT_REPORT_EXPLAIN_PACK_H
#define ENT_REPORT_EXPLAIN_PACK_H

#include "explain/effects.h"
#include "report/report.h"

/* Adds a module of JavaScript of the model of these effects, 0-terminated, with its tables of knots and heights packed. It
 * computes the same, bit by bit. Failures are in out->status. */
void ent_explain_pack(ent_text *out, const ent_effects *effects, const char *module);

#endif
