/* Comma-separated text, plain or gzipped, one record at a time. */
#ifndef ENT_DATA_CSV_H
#define ENT_DATA_CSV_H

#include <stdbool.h>

#include "base/memory.h"

typedef struct ent_csv ent_csv;

/* "-" is standard input. */
entropic_status ent_csv_open(entropic_context *context, const char *path, ent_csv **csv);
void ent_csv_close(ent_csv *csv);

/* Reads the next record; *more is false at the end. Empty lines may stand at the end of the file and nowhere else. */
entropic_status ent_csv_next(entropic_context *context, ent_csv *csv, bool *more);

/* The record last read. A field is text[0..length), without its quotes or, if it has none, the blanks around it; it is
 * valid until the next record and 0-terminated. */
size_t ent_csv_fields(const ent_csv *csv);
const char *ent_csv_field(const ent_csv *csv, size_t field, size_t *length);

/* For messages: what the file is called and the line on which the record last read starts. */
const char *ent_csv_name(const ent_csv *csv);
size_t ent_csv_line(const ent_csv *csv);

#endif
