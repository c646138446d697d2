/* Templates: the text of a language, with lines that say where the numbers of a model stand and what depends on the model.
 * They are files of this folder, model.c.in and the like, and constants of the library. */
#ifndef ENT_EXPORT_TEMPLATE_H
#define ENT_EXPORT_TEMPLATE_H

#include "export/parts.h"
#include "export/text.h"

/* model.c.in and model.js, 0-terminated: cmake/EntropicLibrary.cmake makes the constants. */
extern const char ent_template_c[];
extern const char ent_template_js[];

/* Writes what a template calls by this name. A list of them ends with one without a name. */
typedef struct ent_template_writer {
  const char *name;
  void (*write)(ent_export_text *text, const ent_export_parts *parts);
} ent_template_writer;

/* Writes the template, without its first comment. Lines whose first characters but blanks are these are not written:
 *
 *   //= NAME    calls the writer of that name
 *   //? NAME    what follows is written if the condition of that name, see template.c, holds for the model
 *   //:         what follows is written otherwise
 *   //.         the end of that
 *
 * At the beginning of a name model_ becomes the one of the text, and MODEL_ that in capitals. Failures are in text->status. */
void ent_template_write(ent_export_text *text, const ent_export_parts *parts, const char *source,
                        const ent_template_writer *writers);

/* Text of a template as it stands but for the name of the model. */
void ent_template_plain(ent_export_text *text, const char *source, size_t count);

#endif
