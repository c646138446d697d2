/* Columns of a file that a row reader carries along: see entropic/model.h. */
#include "model/row_reader.h"

entropic_status entropic_row_reader_carry(entropic_context *context, entropic_row_reader *reader, const char *columns) {
  ENT_NEED(context, reader);
  ENT_NEED(context, columns);
  ent_source *source = reader->source;
  if (source->row > 0 || source->carry != NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "the columns to carry along can be set only once, before the first row is read");
  if (source->format != ENTROPIC_FORMAT_TEXT || source->bytes == NULL)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "%s: only columns of delimited text can be carried along, expected CSV or the like",
                    source->columns.file);
  return ent_carry_create(context, &source->columns, columns, &source->carry);
}

size_t entropic_row_reader_carried(const entropic_row_reader *reader) {
  return reader == NULL || reader->source->carry == NULL ? 0 : reader->source->carry->count;
}

const char *entropic_row_reader_carried_name(const entropic_row_reader *reader, size_t index) {
  if (index >= entropic_row_reader_carried(reader))
    return NULL;
  return reader->source->columns.list[reader->source->carry->column[index]].name;
}

const char *entropic_row_reader_carried_text(const entropic_row_reader *reader, size_t row, size_t index) {
  return reader == NULL ? NULL : ent_carry_text(reader->source->carry, row, index);
}
