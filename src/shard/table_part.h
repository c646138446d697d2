/* One part of a table that several processes read, each another part: a range of the bytes of a delimited text file, a
 * whole file, or a table in memory.
 *
 * The processes and one of them, the coordinator, go through rounds. The coordinator makes the first plan by a guess. In a
 * round every process reads its part by the plan and hands over what it found; the coordinator merges this in the order
 * of parts, and decides. It may make another plan for another round; otherwise the survey is that of the whole table,
 * and each process completes its part by them: its table is then a slice of what one process would have loaded.
 *
 *   ent_shard_guess -> plan; { ent_shard_read -> survey; ent_column_survey_merge, ent_column_survey_decide;
 *   again: ent_read_plan_next -> plan }; ent_shard_complete; ent_shard_sample -> ent_table_of_sample. */
#ifndef ENT_SHARD_TABLE_PART_H
#define ENT_SHARD_TABLE_PART_H

#include "data/hash_sample.h"
#include "data/read_plan.h"
#include "data/table.h"

typedef struct ent_shard ent_shard;

/* Part `part`, from 0, of `parts` of a file: rows that begin in its share of the bytes. With one part any file and
 * standard input; with more BAD_ARGUMENT unless it is delimited text that is not compressed. */
entropic_status ent_shard_open(entropic_context *context, const char *path, const ent_read_options *options,
                               size_t part, size_t parts, ent_shard **shard);
/* A whole file as one of several parts: part `part`, from 0. */
entropic_status ent_shard_open_file(entropic_context *context, const char *path, const ent_read_options *options,
                                    size_t part, ent_shard **shard);
/* A table as part `part`. It is borrowed, and changed by ent_shard_complete. Its columns are read as they are. */
entropic_status ent_shard_of_table(entropic_context *context, entropic_table *table, size_t part, ent_shard **shard);
void ent_shard_free(ent_shard *shard);

/* The first plan, by the first rows of the file or the columns of the table, for so many parts. The caller frees it. */
entropic_status ent_shard_guess(entropic_context *context, const ent_shard *shard, size_t parts, ent_message *plan);
/* Reads the part by a plan; *survey is borrowed until the next call. What the last plan has read already is not read
 * again. A row that is refused fails at once where it is certain that the part begins with a row; otherwise the survey
 * says that it failed, and the next plan has where it begins. */
entropic_status ent_shard_read(entropic_context *context, ent_shard *shard, const ent_message *plan,
                               const ent_message **survey);
/* The columns become those of the whole table, by its survey, which is decided on; codes of texts are its codes.
 * `first_row` is the number of the part's first row, from 0. The file is closed. */
entropic_status ent_shard_complete(entropic_context *context, ent_shard *shard, const ent_message *all,
                                   uint64_t first_row);

/* Its rows, once they have been read; the shard's. */
entropic_table *ent_shard_table(const ent_shard *shard);
size_t ent_shard_rows(const ent_shard *shard);

/* The rows of a completed part that are in a sample of the whole table, as a message. The caller frees it. */
entropic_status ent_shard_sample(entropic_context *context, const ent_shard *shard, const ent_hash_sample *sample,
                                 ent_message *rows);
/* A table of the rows of a sample, from the messages of all parts in their order, with the columns of the whole table,
 * and the numbers of rows there. */
entropic_status ent_table_of_sample(entropic_context *context, const ent_message *all, const ent_message *rows,
                                    size_t parts, entropic_table **table);

/* ---- A part as the files of this room see it ---- */

/* What table_part.c and table_part_rows.c share. */

struct ent_shard {
  size_t part, parts; /* of the file */
  size_t number;      /* among all parts of the table */
  entropic_table *table;
  bool borrowed;       /* the table is */
  bool is_range;       /* of bytes */
  uint64_t rows_at;    /* the byte where the rows of the file begin */
  uint64_t start, end; /* of the range, once it has been read */
  size_t lines;        /* of it */
  bool read, failed, completed;
  uint64_t first_row;  /* once it is completed */
  ent_message survey;  /* of the last round */
  unsigned char *plan; /* the columns of its plan */
  size_t plan_count;
};

#endif
