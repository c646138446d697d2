/* What the page of an explanation is put together from. */
#ifndef ENT_PAGE_EXPLAIN_PAGE_H
#define ENT_PAGE_EXPLAIN_PAGE_H

#include "explain/explanation.h"
#include "page/page.h"

/* The page's own style and script: explain_page.css and explain_page.js, 0-terminated. The script stands before the
 * exported model. */
extern const char ent_explain_style[];
extern const char ent_explain_script[];

/* Adds the numbers of all pictures as one JSON object, of about `most` bytes at most: what does not fit is left out, and
 * the object says so. explain_page.js reads it; explain_numbers.c describes it. Failures are in text->status. */
void ent_explain_numbers(ent_text *text, const entropic_explanation *explanation, size_t most);
/* "hash":..., of the model's file: in hexadecimal digits, "" if it cannot be saved. */
#define ENT_EXPLAIN_HASH 65
entropic_status ent_explain_hash(entropic_context *context, const entropic_model *model, char hash[ENT_EXPLAIN_HASH]);

#endif
