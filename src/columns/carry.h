/* Cells that are carried along as they are written, beside the values that are read of them. */
#ifndef ENT_COLUMNS_CARRY_H
#define ENT_COLUMNS_CARRY_H

#include "columns/columns.h"

typedef struct ent_carry {
  bool *taken;    /* of each column of the file: is it carried? */
  size_t *column; /* the columns in the order in which they were listed */
  size_t *place;  /* and where each is among the cells of a row, which come in the order of the file */
  size_t count;
  /* The cells since ent_carry_forget: each text ends with a 0. */
  char *text;
  size_t used, capacity;
  size_t *start;
  size_t cells, cell_capacity;
} ent_carry;

/* Columns by name or number, with commas between them; "all" is all of them, unless one has that name. */
entropic_status ent_carry_create(entropic_context *context, const ent_columns *columns, const char *list,
                                 ent_carry **carry);
void ent_carry_free(ent_carry *carry);
/* One more cell. */
entropic_status ent_carry_add(entropic_context *context, ent_carry *carry, const char *text, size_t length);
/* No cells, so that the room can be used again. */
void ent_carry_forget(ent_carry *carry);
/* The text of the listed column `index`, of a row since then; NULL if there is none. */
const char *ent_carry_text(const ent_carry *carry, size_t row, size_t index);

#endif
