/* The names of columns: those that a caller requests, and those of a header. */
#ifndef ENT_COLUMNS_HEADER_H
#define ENT_COLUMNS_HEADER_H

#include "columns/columns.h"

/* The names that the lists of roles give columns, to be freed; NULL if there are none. */
entropic_status ent_header_requested(entropic_context *context, const ent_roles *roles, ent_dictionary **requested);
/* The names of the inputs of a table whose schema another has, to be freed; NULL if its file has no names. */
entropic_status ent_header_of(entropic_context *context, const ent_columns *columns, ent_dictionary **names);

/* Is this name nothing but figures and marks, so that a cell of data may look the same? */
bool ent_header_is_number(const char *name, size_t length);

/* Do two columns share a name? */
entropic_status ent_header_has_duplicates(entropic_context *context, const ent_columns *columns, bool *duplicates);
/* Puts name[0..length) behind the name of a column, with _ between them; or it is the name if there is none. */
entropic_status ent_header_join(entropic_context *context, ent_columns *columns, size_t column, const char *name,
                                size_t length);
/* Gives each column a name of its own, once a header has named them: of equal names the second gets .1 at its end, the
 * third .2; a column without a name is called x and its number. Names that the file has are never taken. */
entropic_status ent_header_make_unique(entropic_context *context, ent_columns *columns);

#endif
