/* What a pass over one part of a table found: the evidence of its columns. Surveys of parts that follow each other are
 * merged into those of the whole table, on which types are decided as they would be in one process. Merging is
 * associative. */
#ifndef ENT_COLUMNS_COLUMN_SURVEY_H
#define ENT_COLUMNS_COLUMN_SURVEY_H

#include "base/pack.h"
#include "columns/columns.h"
#include "columns/message.h"

/* The size of a column's dictionary after so many rows. */
typedef struct ent_growth_step {
  uint64_t rows, texts;
  bool stopped; /* texts of later rows of the part are not in the dictionary */
} ent_growth_step;

/* Those steps after each part. */
typedef struct ent_growth {
  ent_growth_step *steps;
  size_t count, capacity;
} ent_growth;

typedef struct ent_column_survey {
  ent_columns columns;
  char *file;   /* for messages */
  bool several; /* parts are of other files, too: lines are counted through all of them */
  entropic_format format;
  size_t empty;  /* columns without name and value past the last one */
  uint64_t part; /* the first one that these are of */
  uint64_t rows;
  uint64_t line, lines; /* the line at which the part begins, and how many it has; rows of a table in memory */
  bool is_range;        /* a range of bytes of a file: the next part begins where it ends */
  uint64_t start, end;
  /* The part could not be read from where it was thought to begin: nothing else is known. */
  bool failed;
  /* A part has to be read again: it is now known where it begins. */
  bool reread;
  uint64_t reread_part, reread_start, reread_line;
  ent_growth *growth; /* [columns] of those that are text */
} ent_column_survey;

void ent_column_survey_free(ent_column_survey *survey);

entropic_status ent_column_survey_pack(entropic_context *context, const ent_column_survey *survey,
                                       ent_message *message);
/* BAD_DATA for bytes that are no survey. */
entropic_status ent_column_survey_unpack(entropic_context *context, const ent_message *message,
                                         ent_column_survey *survey);

/* Adds the survey of the parts that come next. After a failure it is good for nothing but ent_column_survey_free.
 * BAD_DATA if the parts are not of one table: their columns differ. */
entropic_status ent_column_survey_merge(entropic_context *context, ent_column_survey *survey,
                                        const ent_column_survey *next);

/* Decides on the columns of the whole table; *again: the parts have to be read again, by a plan made of this survey.
 * Otherwise `columns` are those of the table, with notices. Refuses what a table is refused for. */
entropic_status ent_column_survey_decide(entropic_context *context, ent_column_survey *survey, bool *again);

/* ---- Columns as bytes, for other processes ---- */

/* Writes columns; `whole`: with what the rows of a pass say of them, and with notices. Otherwise what a pass begins
 * with: names, roles, modes, notations. */
void ent_pack_columns(ent_packer *packer, const ent_columns *columns, bool whole);
/* Reads them into columns that are empty; ent_columns_free frees them, also after a failure, which is that of the
 * unpacker. Columns of text have dictionaries. `file` is left to the caller. */
void ent_unpack_columns(ent_unpacker *unpacker, ent_columns *columns, bool whole);

#endif
