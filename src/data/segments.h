/* Delimited text parsed by several threads. The text at hand is cut into segments at line feeds. Threads parse them at
 * once, each as if a row began there; the bytes that follow are read meanwhile. Then the segments are linked: a segment
 * counts if the one before it ends where it begins, otherwise (the cut was within quotes) it is parsed again. Parsing
 * changes nothing but the segment: cells that would change the columns, or be refused, are left for later and read in
 * the order of the file when their rows are handed out. A row that cannot be parsed ends the segments; the reader goes
 * on there row by row, and says what is wrong. So rows, columns and messages are those of one thread. */
#ifndef ENT_DATA_SEGMENTS_H
#define ENT_DATA_SEGMENTS_H

#include "data/source.h"

typedef struct ent_segment ent_segment;
typedef struct ent_segments ent_segments;

void ent_segments_free(ent_segments *segments);
/* Forgets all rows that have not been handed out. NULL is fine. */
void ent_segments_clear(ent_segments *segments);

/* Hands out up to `capacity` rows of delimited text, as long as it pays to parse segments: the text is long, there is more
 * than one thread, and rows are as usual. Fewer say nothing about the end: the caller reads on row by row. */
entropic_status ent_segments_read(entropic_context *context, ent_source *source, double *values, size_t capacity,
                                  size_t *rows);

/* A cell of the row of a segment that is being parsed: its value, or that it is left for later. Its line is counted from
 * that of the row. */
void ent_segment_cell(ent_segment *segment, const ent_columns *columns, const ent_column_cell *cell, bool doubled,
                      double *value);

#endif
