/* Sources: surveying, handing out blocks. See source.h. */
#include "data/source.h"

#include "base/progress.h"
#include "columns/columns.h"

void ent_source_free(ent_source *source) {
  if (source == NULL)
    return;
  if (source->reader != NULL)
    source->reader->free(source->state);
  ent_columns_free(&source->columns);
  ent_carry_free(source->carry);
  ent_bytes_close(source->bytes);
  ent_line_map_free(source->line_map);
  ent_delete(source->name);
  ent_delete(source);
}

void ent_source_close(ent_source *source) {
  source->reader->free(source->state);
  source->state = NULL;
  if (source->bytes == NULL) /* its messages speak of rows already */
    return;
  bool lines = source->format != ENTROPIC_FORMAT_NPY && source->bytes->line - source->line == source->rows;
  source->columns.place = lines ? "line" : "row";
  source->columns.first = lines ? source->line : 1;
  source->line_map = source->bytes->line_map;
  source->bytes->line_map = NULL;
  ent_bytes_close(source->bytes);
  source->bytes = NULL;
}

entropic_status ent_source_rewind(entropic_context *context, ent_source *source) {
  if (source == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "source is NULL");
  source->row = 0;
  entropic_status status = source->bytes == NULL ? ENTROPIC_OK : ent_bytes_rewind(context, source->bytes);
  if (status != ENTROPIC_OK)
    return status;
  return source->reader->begin(context, source);
}

entropic_status ent_source_read(entropic_context *context, ent_source *source, double *values, size_t capacity,
                                size_t *rows) {
  if (source == NULL || values == NULL || capacity == 0 || rows == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "source, values or rows is NULL, or capacity is 0");
  if (source->rows == 0 && source->bytes != NULL)
    ent_bytes_forget(source->bytes);
  size_t count = 0;
  entropic_status status = source->reader->read(context, source, values, capacity, &count);
  if (status != ENTROPIC_OK)
    return status;
  if (count == 0 && source->row == 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s has no rows", source->columns.file);
  source->row += count;
  *rows = count;
  return ENTROPIC_OK;
}

/* The share of the source that has been read, if its size is known. */
static void report_share(entropic_context *context, const ent_source *source, size_t rows) {
  const ent_bytes *bytes = source->bytes;
  if (bytes == NULL && source->expected > 0)
    ent_progress_report(context, (double)rows / (double)source->expected);
  if (bytes != NULL && bytes->size > 0)
    ent_progress_report(context, ent_bytes_share(bytes));
}

entropic_status ent_source_scan(entropic_context *context, ent_source *source, const ent_sink *sink, size_t *count) {
  size_t total = 0, rows = 1;
  source->line = source->bytes == NULL ? 1 : source->bytes->line;
  ent_columns_begin(&source->columns);
  while (rows > 0) {
    double *values = NULL;
    size_t capacity = 0;
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    status = sink->room(context, sink->user, source, total, &values, &capacity);
    if (status != ENTROPIC_OK)
      return status;
    source->spare = sink->spare == NULL ? 0 : sink->spare(sink->user, source, total + capacity);
    status = source->reader->read(context, source, values, capacity, &rows);
    source->spare = 0;
    if (status != ENTROPIC_OK)
      return status;
    ent_columns_count(&source->columns, values, rows, total);
    total += rows;
    report_share(context, source, total);
  }
  *count = total;
  return ENTROPIC_OK;
}

/* Reads everything once and decides on types. */
static entropic_status read_all(entropic_context *context, ent_source *source, const ent_sink *sink, bool *again) {
  size_t total;
  entropic_status status = ent_source_scan(context, source, sink, &total);
  if (status != ENTROPIC_OK)
    return status;
  if (total == 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s has %sno rows, expected some", source->columns.file,
                    source->format == ENTROPIC_FORMAT_TEXT ? "a header and " : "");
  source->rows = total;
  return ent_columns_decide(context, &source->columns, total, again);
}

/* Reads all rows as often as it takes: a column may turn out to be written otherwise. */
static entropic_status read_until_decided(entropic_context *context, ent_source *source, const ent_sink *sink) {
  for (;;) {
    bool again;
    entropic_status status = read_all(context, source, sink, &again);
    if (status != ENTROPIC_OK || !again)
      return status;
    status = ent_source_rewind(context, source);
    if (status != ENTROPIC_OK)
      return status;
  }
}

entropic_status ent_source_pass(entropic_context *context, ent_source *source, const ent_sink *sink) {
  bool first = source->rows == 0;
  source->columns.tolerant = !source->columns.numbers_only;
  entropic_status status = read_until_decided(context, source, sink);
  source->columns.tolerant = false;
  if (status != ENTROPIC_OK || !first)
    return status;
  status = ent_columns_notice_similar_classes(context, &source->columns);
  if (status != ENTROPIC_OK)
    return status;
  return ent_columns_add_notices(context, &source->columns, source->rows);
}

static entropic_status same_room(entropic_context *context, void *user, const ent_source *source, size_t rows,
                                 double **values, size_t *capacity) {
  (void)context;
  (void)rows;
  *values = user;
  *capacity = ENT_BLOCK_VALUES / source->columns.count + 1;
  return ENTROPIC_OK;
}

/* Surveys the source, from its first row on and back to it. */
static entropic_status survey(entropic_context *context, void *arguments) {
  ent_source *source = arguments;
  size_t count = (ENT_BLOCK_VALUES / source->columns.count + 1) * source->columns.count;
  double *block = ent_new(context, count, sizeof *block);
  if (block == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_sink sink = {same_room, block, NULL};
  entropic_status status = source->row == 0 ? ENTROPIC_OK : ent_source_rewind(context, source);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_source_pass(context, source, &sink);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_source_rewind(context, source);
done:
  ent_delete(block);
  return status;
}

entropic_status ent_source_survey(entropic_context *context, ent_source *source) {
  if (source == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "source is NULL");
  size_t rows = source->rows;
  entropic_status status = ent_call_run(context, "reading", survey, source);
  if (status == ENTROPIC_CANCELLED) { /* it can be surveyed again */
    source->rows = rows;
    ent_source_rewind(NULL, source);
  }
  return status;
}

const char *ent_source_notice(const ent_source *source, size_t index) {
  return source == NULL ? NULL : ent_notices_get(&source->columns.notices, index);
}

entropic_status ent_source_column(entropic_context *context, const ent_source *source, size_t column,
                                  entropic_column *info) {
  if (source == NULL || info == NULL || column >= source->columns.count)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "no column %zu, there are %zu", column + 1,
                    source == NULL ? 0 : source->columns.count);
  ent_columns_info(&source->columns, column, info);
  return ENTROPIC_OK;
}

const char *ent_source_category(const ent_source *source, size_t column, size_t code) {
  if (source == NULL || column >= source->columns.count)
    return NULL;
  return ent_dictionary_text(source->columns.list[column].dictionary, code);
}
