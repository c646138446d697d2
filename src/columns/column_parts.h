/* What column_view.c and column_text.c share. */
#ifndef ENT_COLUMNS_COLUMN_PARTS_H
#define ENT_COLUMNS_COLUMN_PARTS_H

#include "columns/column_view.h"

/* An integer of any width; those of 64 bits without a sign end at the most that one with a sign can be. */
int64_t ent_integer_at(int element, const unsigned char *p);
/* Is a row of the chunk said to be missing? */
bool ent_chunk_is_missing(const ent_chunk *chunk, size_t row);
/* A row of bits. */
bool ent_chunk_bit(const ent_chunk *chunk, size_t row);

#endif
