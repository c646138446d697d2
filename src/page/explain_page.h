/* What the page of an explanation is put together from. */
#ifndef ENT_PAGE_EXPLAIN_PAGE_H
#define ENT_PAGE_EXPLAIN_PAGE_H

#include "explain/effects.h"
#include "explain/explanation.h"
#include "page/page.h"

/* The page's own style and script: explain_page.css and explain_page.js, 0-terminated. The script stands before the
 * exported model. explain_pack.js stands at the head of one whose tables are packed. */
extern const char ent_explain_style[];
extern const char ent_explain_script[];
extern const char ent_explain_unpacking[];

/* Adds the numbers of all pictures as one JSON object, of about `most` bytes at most: what does not fit is left out, and
 * the object says so. explain_page.js reads it; explain_numbers.c describes it. Failures are in text->status. */
void ent_explain_numbers(ent_text *text, const entropic_explanation *explanation, size_t most);

/* Exported models in fewer bytes. */

/* Adds a module of JavaScript, 0-terminated, without the rows that it tests itself by. Failures are in out->status. */
void ent_explain_strip(ent_text *out, const char *module);
/* The same for the model of these effects, with its tables of knots and heights packed. It computes the same, bit by bit.
 */
void ent_explain_pack(ent_text *out, const ent_effects *effects, const char *module);

#endif
