/* The languages of exports: each writes the parts of a model as its own text. */
#ifndef ENT_EXPORT_LANGUAGES_H
#define ENT_EXPORT_LANGUAGES_H

#include "design/language_map.h"
#include "export/parts.h"
#include "export/text.h"

/* Each language has a function ent_export_NAME. TOO_LARGE says what it cannot hold, with numbers. Failures to write are in
 * text->status. */
#define ENT_LANGUAGE_DECLARE(name, single, endings, help)                                                              \
  entropic_status ent_export_##name(ent_export_text *text, const ent_export_parts *parts);
ENT_LANGUAGE_MAP(ENT_LANGUAGE_DECLARE)
#undef ENT_LANGUAGE_DECLARE

/* TOO_LARGE if the tables take more than ENT_EXPORT_MOST_BYTES. */
#define ENT_EXPORT_MOST_BYTES ((size_t)32 << 20)
entropic_status ent_export_check_size(ent_export_text *text, const ent_export_parts *parts, const char *language);

/* Whether an input in use is a date by the clock as written, or made of one; and whether one is made of one. */
bool ent_export_has_clock(const ent_export_parts *parts);
bool ent_export_has_parts(const ent_export_parts *parts);
/* The column that an input comes from: its name, unless it is part of a date. */
const char *ent_export_column(const ent_export_parts *parts, size_t place);

/* ---- What the link says in a language ---- */

/* A text of the link's table, with the numbers of the model in place of names: see ent_link_text. */
void ent_export_link(ent_export_text *text, const ent_link *link, const char *source);

/* ---- Writers of the templates: see template.h ---- */

/* What the file is and how the inputs are to be given, as lines of a comment that begin with " * ". */
void ent_export_head(ent_export_text *text, const ent_export_parts *parts);
void ent_export_largest_rule(ent_export_text *text, const ent_export_parts *parts);

void ent_export_c_stack(ent_export_text *text, const ent_export_parts *parts);
void ent_export_c_counts(ent_export_text *text, const ent_export_parts *parts);
void ent_export_c_types(ent_export_text *text, const ent_export_parts *parts);
void ent_export_c_scaler(ent_export_text *text, const ent_export_parts *parts);
void ent_export_c_date_parts(ent_export_text *text, const ent_export_parts *parts);
void ent_export_c_beyond(ent_export_text *text, const ent_export_parts *parts);
void ent_export_c_temperature(ent_export_text *text, const ent_export_parts *parts);
/* Of intervals. */
void ent_export_c_quantiles(ent_export_text *text, const ent_export_parts *parts);
void ent_export_c_spreads(ent_export_text *text, const ent_export_parts *parts);
/* Of the test, and of the program. */
void ent_export_c_test_tables(ent_export_text *text, const ent_export_parts *parts);
void ent_export_c_comparisons(ent_export_text *text, const ent_export_parts *parts);
void ent_export_c_program_tables(ent_export_text *text, const ent_export_parts *parts);
void ent_export_c_program_columns(ent_export_text *text, const ent_export_parts *parts);
/* The table of the columns of inputs. */
void ent_export_c_columns(ent_export_text *text, const ent_export_parts *parts);

void ent_export_js_quantiles(ent_export_text *text, const ent_export_parts *parts);
void ent_export_js_spreads(ent_export_text *text, const ent_export_parts *parts);

/* Marks of missing values in text, with commas between them, in any case; and those of numbers and dates alone. */
const char *ent_export_marks(const ent_export_parts *parts);
#define ENT_EXPORT_NUMBER_MARKS "None,nil,#N/A,#NA,\\N,<NA>,NaT,-,--,."

#endif
