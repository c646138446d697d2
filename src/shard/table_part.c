/* Parts of a table: opening, and rounds of reading. See table_part.h. */
#include <math.h>
#include <string.h>

#include "base/progress.h"
#include "shard/table_part.h"

void ent_shard_free(ent_shard *shard) {
  if (shard == NULL)
    return;
  if (!shard->borrowed)
    entropic_table_free(shard->table);
  ent_message_free(&shard->survey);
  ent_delete(shard->plan);
  ent_delete(shard);
}

entropic_table *ent_shard_table(const ent_shard *shard) {
  return shard->table;
}

size_t ent_shard_rows(const ent_shard *shard) {
  return shard->table->source->rows;
}

/* ---- Opening ---- */

static entropic_status check_range(entropic_context *context, const ent_source *source) {
  if (source->format == ENTROPIC_FORMAT_TEXT && ent_bytes_may_seek(source->bytes))
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                  "%s cannot be read in parts, expected a file of delimited text, neither compressed nor UTF-16",
                  source->columns.file);
}

static entropic_status open_shard(entropic_context *context, const char *path, const ent_read_options *options,
                                  ent_shard *shard) {
  entropic_table *table = shard->table = ent_new(context, 1, sizeof *shard->table);
  if (table == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_source_open(context, path, options, &table->source);
  if (status != ENTROPIC_OK || !shard->is_range)
    return status;
  status = check_range(context, table->source);
  if (status == ENTROPIC_OK)
    shard->rows_at = ent_bytes_place(table->source->bytes);
  return status;
}

static entropic_status open_part(entropic_context *context, const char *path, const ent_read_options *options,
                                 const ent_shard *as, ent_shard **shard) {
  if (path == NULL || shard == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL", path == NULL ? "path" : "shard");
  if (as->part >= as->parts)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "part %zu of %zu, expected 0 to %zu", as->part, as->parts,
                    as->parts == 0 ? 0 : as->parts - 1);
  ent_shard *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  *made = *as;
  entropic_status status = open_shard(context, path, options, made);
  if (status != ENTROPIC_OK) {
    ent_shard_free(made);
    return status;
  }
  *shard = made;
  return ENTROPIC_OK;
}

entropic_status ent_shard_open(entropic_context *context, const char *path, const ent_read_options *options,
                               size_t part, size_t parts, ent_shard **shard) {
  const ent_shard as = {.part = part, .parts = parts, .number = part, .is_range = parts > 1};
  return open_part(context, path, options, &as, shard);
}

entropic_status ent_shard_open_file(entropic_context *context, const char *path, const ent_read_options *options,
                                    size_t part, ent_shard **shard) {
  const ent_shard as = {.parts = 1, .number = part};
  return open_part(context, path, options, &as, shard);
}

entropic_status ent_shard_of_table(entropic_context *context, entropic_table *table, size_t part, ent_shard **shard) {
  if (table == NULL || shard == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL", table == NULL ? "table" : "shard");
  if (table->spooled || table->total > 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the table is %s, expected all rows, in memory",
                    table->spooled ? "on disk" : "a sample");
  ent_shard *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  *made = (ent_shard){.parts = 1, .number = part, .table = table, .borrowed = true};
  *shard = made;
  return ENTROPIC_OK;
}

entropic_status ent_shard_guess(entropic_context *context, const ent_shard *shard, size_t parts, ent_message *plan) {
  return ent_read_plan_guess(context, &shard->table->source->columns, parts, plan);
}

/* ---- Ranges of bytes ---- */

/* Where the first line begins at or after this place. */
static entropic_status find_line(entropic_context *context, ent_bytes *bytes, uint64_t place, uint64_t *start) {
  entropic_status status = ent_bytes_seek(context, bytes, place - 1, 1);
  bool more = true;
  while (status == ENTROPIC_OK && more) {
    const char *from = bytes->data + bytes->at, *end = memchr(from, '\n', bytes->end - bytes->at);
    bytes->at = end == NULL ? bytes->end : (size_t)(end - bytes->data) + 1;
    *start = ent_bytes_place(bytes);
    if (end != NULL)
      break;
    status = ent_bytes_more(context, bytes, &more);
  }
  return status;
}

/* Where a part of the file begins, as far as its line feeds say. */
static entropic_status find_cut(entropic_context *context, const ent_shard *shard, size_t part, uint64_t *start) {
  ent_bytes *bytes = shard->table->source->bytes;
  uint64_t size = bytes->size, parts = shard->parts;
  uint64_t cut = size / parts * part + size % parts * part / parts;
  *start = shard->rows_at;
  if (part == 0 || cut <= shard->rows_at)
    return ENTROPIC_OK;
  return find_line(context, bytes, cut, start);
}

/* Goes to where the part begins, and sets where it stops. */
static entropic_status begin_range(entropic_context *context, ent_shard *shard, const ent_read_plan *plan) {
  ent_source *source = shard->table->source;
  ent_bytes *bytes = source->bytes;
  uint64_t start = plan->starts[shard->part], stop = 0;
  entropic_status status = ENTROPIC_OK;
  if (start == 0)
    status = find_cut(context, shard, shard->part, &start);
  if (status == ENTROPIC_OK && shard->part + 1 < shard->parts)
    status = find_cut(context, shard, shard->part + 1, &stop);
  if (status != ENTROPIC_OK)
    return status;
  bytes->start = bytes->stop = 0;
  status = ent_source_rewind(context, source);
  if (status != ENTROPIC_OK)
    return status;
  bytes->start = shard->start = start;
  bytes->stop = stop;
  if (shard->part == 0)
    return ENTROPIC_OK;
  uint64_t line = plan->lines[shard->part];
  return ent_bytes_seek(context, bytes, start, line == 0 ? 1 : (size_t)line);
}

/* ---- A round ---- */

/* Where rows begin is certain in the first part, and where another part ended. */
static bool is_certain(const ent_shard *shard, const ent_read_plan *plan) {
  return !shard->is_range || shard->part == 0 || plan->starts[shard->part] != 0;
}

/* What was kept of how cells are written is that of the rows of the part, not of the first rows of the file. */
static void forget_texts(ent_columns *columns) {
  for (size_t i = 0; i < columns->count; i++) {
    ent_dictionary_free(columns->list[i].missing_texts);
    columns->list[i].missing_texts = NULL;
    ent_dictionary_free(columns->list[i].spellings);
    columns->list[i].spellings = NULL;
  }
}

static entropic_status scan(entropic_context *context, ent_shard *shard, const ent_read_plan *plan) {
  entropic_table *table = shard->table;
  ent_source *source = table->source;
  ent_sink sink = ent_table_sink(table);
  uint64_t former = shard->start;
  entropic_status status = shard->is_range ? begin_range(context, shard, plan)
                           : shard->read   ? ent_source_rewind(context, source)
                                           : ENTROPIC_OK;
  if (status != ENTROPIC_OK)
    return status;
  if (!shard->read || shard->failed || shard->start != former)
    forget_texts(&source->columns);
  shard->read = true;
  status = ent_read_plan_apply(context, plan, &source->columns);
  if (status != ENTROPIC_OK)
    return status;
  source->columns.tolerant = !source->columns.numbers_only;
  status = ent_source_scan(context, source, &sink, &source->rows);
  source->columns.tolerant = false;
  if (status != ENTROPIC_OK)
    return status;
  if (source->bytes == NULL) /* rows of DuckDB have no lines */
    return ENTROPIC_OK;
  shard->end = ent_bytes_place(source->bytes);
  shard->lines = source->bytes->line - source->line;
  return ENTROPIC_OK;
}

/* The columns of a table are read as they are. */
static entropic_status check_table(entropic_context *context, const ent_shard *shard, const ent_read_plan *plan) {
  const ent_columns *columns = &shard->table->source->columns;
  for (size_t i = 0; i < columns->count && i < plan->columns.count; i++) {
    const ent_column *column = &columns->list[i], *expected = &plan->columns.list[i];
    char name[ENT_SHOW_SIZE];
    bool same = column->mode == expected->mode || (ent_column_is_open(column) && ent_column_is_open(expected));
    if (!same)
      return ent_fail(context, ENTROPIC_BAD_DATA,
                      "%s, column %zu (%s): it is %s here and %s in other parts, expected the same in all of them",
                      columns->file, i + 1, ent_show(column->name, strlen(column->name), name),
                      column->mode == ENT_MODE_TEXT ? "text" : "not text",
                      expected->mode == ENT_MODE_TEXT ? "text" : "not text");
  }
  return ENTROPIC_OK;
}

/* How the dictionaries of the part have grown; those that were full before have not. */
static entropic_status find_growth(entropic_context *context, const ent_read_plan *plan, ent_column_survey *survey) {
  const ent_columns *columns = &survey->columns;
  survey->growth = ent_new(context, columns->count, sizeof *survey->growth);
  if (survey->growth == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < columns->count; i++) {
    const ent_column *column = &columns->list[i];
    ent_growth *growth = &survey->growth[i];
    if (column->mode != ENT_MODE_TEXT || (i < plan->columns.count && plan->columns.list[i].full))
      continue;
    growth->steps = ent_new(context, 1, sizeof *growth->steps);
    if (growth->steps == NULL)
      return ENTROPIC_NO_MEMORY;
    growth->count = growth->capacity = 1;
    growth->steps[0] = (ent_growth_step){column->full ? column->full_rows : survey->rows,
                                         ent_dictionary_size(column->dictionary), column->full};
  }
  return ENTROPIC_OK;
}

static void clear_firsts(ent_columns *columns) {
  for (size_t i = 0; i < columns->count; i++)
    columns->list[i].first = NAN;
}

/* What the part says: the columns stay the source's. */
static entropic_status pack_survey(entropic_context *context, const ent_shard *shard, const ent_read_plan *plan,
                                   ent_message *message) {
  ent_source *source = shard->table->source;
  bool memory = source->bytes == NULL;
  ent_column_survey survey = {.columns = source->columns,
                              .file = (char *)source->columns.file,
                              .format = source->format,
                              .empty = source->empty,
                              .part = shard->number,
                              .rows = source->rows,
                              .line = memory ? 1 : source->line,
                              .lines = memory || source->format == ENTROPIC_FORMAT_NPY ? source->rows : shard->lines,
                              .is_range = shard->is_range,
                              .start = shard->start,
                              .end = shard->end,
                              .failed = shard->failed};
  if (source->rows == 0)
    clear_firsts(&source->columns);
  entropic_status status = find_growth(context, plan, &survey);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_column_survey_pack(context, &survey, message);
done:
  for (size_t i = 0; survey.growth != NULL && i < survey.columns.count; i++)
    ent_delete(survey.growth[i].steps);
  ent_delete(survey.growth);
  return status;
}

/* A part that is read by a plan. */
typedef struct ent_shard_reading {
  ent_shard *shard;
  const ent_read_plan *plan;
} ent_shard_reading;

static entropic_status read_part(entropic_context *context, void *arguments) {
  const ent_shard_reading *reading = arguments;
  ent_shard *shard = reading->shard;
  if (shard->borrowed)
    return check_table(context, shard, reading->plan);
  entropic_status status = scan(context, shard, reading->plan);
  shard->failed = status == ENTROPIC_BAD_DATA && !is_certain(shard, reading->plan);
  if (!shard->failed)
    return status;
  shard->table->source->rows = 0;
  return ENTROPIC_OK;
}

/* Has the part been read by this plan already? */
static bool is_done(const ent_shard *shard, const ent_message *message, const ent_read_plan *plan) {
  size_t count = message->count - plan->columns_at - 4; /* without the checksum */
  uint64_t start = shard->is_range ? plan->starts[shard->part] : 0;
  bool there = shard->survey.bytes != NULL && (start == 0 || (start == shard->start && !shard->failed));
  return there && count == shard->plan_count && memcmp(message->bytes + plan->columns_at, shard->plan, count) == 0;
}

static entropic_status keep_plan(entropic_context *context, ent_shard *shard, const ent_message *message,
                                 const ent_read_plan *plan) {
  size_t count = message->count - plan->columns_at - 4;
  unsigned char *copy = ent_new(context, count, 1);
  if (copy == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(copy, message->bytes + plan->columns_at, count);
  ent_delete(shard->plan);
  shard->plan = copy;
  shard->plan_count = count;
  return ENTROPIC_OK;
}

entropic_status ent_shard_read(entropic_context *context, ent_shard *shard, const ent_message *plan,
                               const ent_message **survey) {
  ent_read_plan by;
  entropic_status status = ent_read_plan_unpack(context, plan, &by);
  if (status != ENTROPIC_OK)
    return status;
  *survey = &shard->survey;
  if (shard->is_range && by.parts != shard->parts) {
    status =
        ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the plan is for %zu parts, expected %zu", by.parts, shard->parts);
    goto done;
  }
  if (shard->completed) {
    status = ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the shard is complete and cannot be read again");
    goto done;
  }
  if (is_done(shard, plan, &by))
    goto done;
  ent_message_free(&shard->survey);
  ent_shard_reading reading = {shard, &by};
  status = ent_call_run(context, "reading", read_part, &reading);
  if (status != ENTROPIC_OK)
    goto done;
  status = keep_plan(context, shard, plan, &by);
  if (status != ENTROPIC_OK)
    goto done;
  status = pack_survey(context, shard, &by, &shard->survey);
done:
  ent_read_plan_free(&by);
  return status;
}
