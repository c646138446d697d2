/* Exported models in fewer bytes. */
#ifndef ENT_PAGE_EXPLAIN_PACK_H
#define ENT_PAGE_EXPLAIN_PACK_H

#include "explain/effects.h"
#include "page/page.h"

/* Adds a module of JavaScript, 0-terminated, without the rows that it tests itself by. Failures are in out->status. */
void ent_explain_strip(ent_text *out, const char *module);
/* The same for the model of these effects, with its tables of knots and heights packed. It computes the same, bit by bit.
 */
void ent_explain_pack(ent_text *out, const ent_effects *effects, const char *module);

#endif
