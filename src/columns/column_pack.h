/* Columns as bytes, for other processes. */
#ifndef ENT_COLUMNS_COLUMN_PACK_H
#define ENT_COLUMNS_COLUMN_PACK_H

#include "base/pack.h"
#include "columns/columns.h"

/* Writes columns; `whole`: with what the rows of a pass say of them, and with notices. Otherwise what a pass begins
 * with: names, roles, modes, notations. */
void ent_pack_columns(ent_packer *packer, const ent_columns *columns, bool whole);
/* Reads them into columns that are empty; ent_columns_free frees them, also after a failure, which is that of the
 * unpacker. Columns of text have dictionaries. `file` is left to the caller. */
void ent_unpack_columns(ent_unpacker *unpacker, ent_columns *columns, bool whole);

#endif
