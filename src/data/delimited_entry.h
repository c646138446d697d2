/* The top of files of delimited text after the first one. */
#ifndef ENT_DATA_DELIMITED_ENTRY_H
#define ENT_DATA_DELIMITED_ENTRY_H

#include "data/delimited.h"

/* Joins the other files to the first one, whose header and columns are known. A file that begins with the same header is
 * read after it. One without a header is all rows. One with another header is refused. */
void ent_delimited_join(ent_source *source);

#endif
