/* One table in several shards: files, byte ranges of a file, or tables in memory, each read by another process or
 * machine. Experimental: see entropic.h.
 *
 * One process, the coordinator, asks all shards the same questions, one after the other; a callback carries them there
 * and brings the answers back. Questions and answers are bytes, with checksums. Answers of neighbouring shards are merged
 * in the order of the shards, in any grouping. So threads, ranks of MPI and every engine that maps a function over a list
 * can be used: workers call entropic_shard_answer, and that is all they do.
 *
 * The table that comes of it has the columns of all rows, and the rows of the sample on which a fit chooses (parameter
 * `sample`; all rows, if there are no more). entropic_dataset_create and entropic_fit take it as they take any other
 * table; the fit asks the shards for statistics of their rows. Models have the same bytes as those of one process that
 * reads all shards as one table, however the rows are cut into shards. */
#ifdef ENTROPIC_EXPERIMENTAL
#ifndef ENTROPIC_SHARDS_H
#define ENTROPIC_SHARDS_H

#include "entropic/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of one shard. A shard belongs to one thread at a time. */
typedef struct entropic_shard entropic_shard;

/* A shard that is a file, or one of several parts of it: part `part` of `parts`, from 0 on. With one part all rows of any
 * files that entropic_table_load takes. With more the rows that begin in its share of the bytes of a plain delimited text;
 * or, of paths that stand for several files, its share of these, which must be as many as parts at least. parameters,
 * copied: those of a fit, as for entropic_table_load; those about memory do not count. The file is opened when a question
 * needs it, and read again only if the rows of an earlier question do not serve. BAD_ARGUMENT if the numbers do not go
 * together. */
ENTROPIC_API entropic_status entropic_shard_open(entropic_context *context, const char *const *paths, size_t count,
                                                 const entropic_parameters *parameters, size_t part, size_t parts,
                                                 entropic_shard **shard);
/* The rows of a table, which must outlive the shard. Its categories become those of all shards. */
ENTROPIC_API entropic_status entropic_shard_of_table(entropic_context *context, entropic_table *table,
                                                     entropic_shard **shard);
/* Its place among all shards: number < count. Byte ranges of one file have theirs from the beginning. */
ENTROPIC_API entropic_status entropic_shard_place(entropic_context *context, entropic_shard *shard, size_t number,
                                                  size_t count);
ENTROPIC_API void entropic_shard_free(entropic_shard *shard);

/* The answer to a question: *answer[*answer_size], to be freed with entropic_bytes_free. BAD_DATA names file, line and
 * column if the rows are not as expected; or if the bytes are no question. */
ENTROPIC_API entropic_status entropic_shard_answer(entropic_context *context, entropic_shard *shard,
                                                   const void *question, size_t question_size, unsigned char **answer,
                                                   size_t *answer_size);
/* The answers of neighbouring shards as one, those of the first ones first; to be freed likewise. BAD_DATA if they do not
 * go together, or if the columns of shards differ, with the name of the column. */
ENTROPIC_API entropic_status entropic_answers_merge(entropic_context *context, const void *first, size_t first_size,
                                                    const void *second, size_t second_size, unsigned char **merged,
                                                    size_t *merged_size);
/* A failure as an answer, for workers that cannot hand it over otherwise: merged with others it stays a failure, and the
 * coordinator fails with this status and message. where, such as "rank 3", stands before the message. */
ENTROPIC_API entropic_status entropic_answer_of_failure(entropic_context *context, entropic_status status,
                                                        const char *message, const char *where, unsigned char **answer,
                                                        size_t *answer_size);

/* Where the callback puts the merged answer. */
typedef struct entropic_answer entropic_answer;

/* Copies the bytes. */
ENTROPIC_API entropic_status entropic_answer_give(entropic_answer *answer, const void *bytes, size_t size);

/* Asks all shards and gives the merged answer. A status other than OK ends the call that needed the answer, with that
 * status and a message of its own in the context of that call, or the text given by entropic_answer_fail. It may be called
 * on another thread than that call, but never twice at the same time. */
typedef entropic_status (*entropic_exchange)(void *user, const void *question, size_t size, entropic_answer *answer);
/* The message of a failure; copied. */
ENTROPIC_API void entropic_answer_fail(entropic_answer *answer, const char *message);

/* The table of `count` shards, by the parameters of a fit. It keeps the callback and asks again when weights are needed,
 * so both must outlive the table and all data sets made from it. */
ENTROPIC_API entropic_status entropic_table_of_shards(entropic_context *context, entropic_exchange exchange, void *user,
                                                      size_t count, const entropic_parameters *parameters /* or NULL */,
                                                      entropic_table **table);

#ifdef __cplusplus
}
#endif
#endif
#endif
