/* What a pass over the parts of a table begins with, as a message: how each column is read, and from where a part is read
 * if that is known. */
#ifndef ENT_DATA_READ_PLAN_H
#define ENT_DATA_READ_PLAN_H

#include "columns/column_survey.h"

typedef struct ent_read_plan {
  ent_columns columns; /* without evidence of rows */
  size_t parts;
  uint64_t *starts;  /* [parts] the byte of the file; 0: the part finds it out */
  uint64_t *lines;   /* [parts] the line that begins there, if it is known */
  size_t columns_at; /* the byte of the message where columns begin */
} ent_read_plan;

void ent_read_plan_free(ent_read_plan *plan);

/* The first plan of a table in so many parts, by the columns of a source whose types have been guessed. */
entropic_status ent_read_plan_guess(entropic_context *context, const ent_columns *columns, size_t parts,
                                    ent_message *message);
/* The plan of the next round, after one by the plan `former` that has to be done again. */
entropic_status ent_read_plan_next(entropic_context *context, const ent_message *former,
                                   const ent_column_survey *survey, ent_message *message);
/* BAD_DATA for bytes that are no plan. */
entropic_status ent_read_plan_unpack(entropic_context *context, const ent_message *message, ent_read_plan *plan);

/* Columns of a source are read by the plan from now on. BAD_DATA if they are others. */
entropic_status ent_read_plan_apply(entropic_context *context, const ent_read_plan *plan, ent_columns *columns);
#endif
