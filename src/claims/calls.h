/* The claims of the source paper, checked: the calls that the command has. */
#ifndef ENT_CLAIMS_CALLS_H
#define ENT_CLAIMS_CALLS_H

#include "entropic/entropic.h"

/* Every claim of the source paper, checked by measurement; no data are needed. */
typedef struct ent_claims ent_claims;

/* Some seconds. CANCELLED and NO_MEMORY as for any long call; claims that do not hold are no failure. */
entropic_status ent_claims_check(entropic_context *context, ent_claims **claims);
void ent_claims_free(ent_claims *claims);
/* How many there are, and how many of them do not hold. */
size_t ent_claims_count(const ent_claims *claims);
size_t ent_claims_failed(const ent_claims *claims);
/* A tab separated line for each; one JSON object; a page with pictures. Atomic. */
entropic_status ent_claims_text(entropic_context *context, const ent_claims *claims, const char *path);
entropic_status ent_claims_json(entropic_context *context, const ent_claims *claims, const char *path);
entropic_status ent_claims_html(entropic_context *context, const ent_claims *claims, const char *path);

#endif
