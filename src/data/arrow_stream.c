/* Tables from Arrow streams. See arrow.h. */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "data/arrow.h"
#include "data/memory_source.h"
#include "data/table.h"

/* A callback of the stream has failed. */
static entropic_status fail_stream(entropic_context *context, struct ArrowArrayStream *stream, const char *what,
                                   int error) {
  char buffer[ENT_SHOW_SIZE];
  const char *said = stream->get_last_error == NULL ? NULL : stream->get_last_error(stream);
  return ent_fail(context, error == ENOMEM ? ENTROPIC_NO_MEMORY : ENTROPIC_BAD_DATA, "the Arrow stream gives no %s: %s",
                  what, said != NULL && said[0] != '\0' ? said : ent_error_text(error, buffer));
}

/* The columns of a stream, from its schema. */
typedef struct ent_arrow_columns {
  ent_column_store *store;
  size_t count; /* the store may have more, behind these */
  const entropic_column_views *more;
  ent_arrow_type *types;
} ent_arrow_columns;

static entropic_status take_schema(entropic_context *context, const struct ArrowSchema *schema,
                                   ent_arrow_columns *columns) {
  if (schema->format == NULL || strcmp(schema->format, "+s") != 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "the Arrow stream has the format '%s', expected rows of columns, '+s'",
                    schema->format == NULL ? "" : schema->format);
  if (schema->n_children < 1 || schema->n_children > INT32_MAX || schema->children == NULL)
    return ent_fail(context, ENTROPIC_BAD_DATA, "the Arrow stream has no columns, expected some");
  size_t count = columns->count = (size_t)schema->n_children;
  columns->types = ent_new(context, count, sizeof *columns->types);
  if (columns->types == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_column_store_create(context, count + columns->more->count, &columns->store);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < count; i++) {
    status = ent_arrow_type_of(context, schema->children[i], i, &columns->types[i]);
    if (status != ENTROPIC_OK)
      return status;
    columns->store->views[i] = columns->types[i].kind;
    status = ent_column_store_name_plain(context, columns->store, i, schema->children[i]->name);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

static entropic_status read_schema(entropic_context *context, struct ArrowArrayStream *stream,
                                   ent_arrow_columns *columns) {
  struct ArrowSchema schema = {0};
  int error = stream->get_schema(stream, &schema);
  if (error != 0)
    return fail_stream(context, stream, "schema", error);
  if (schema.release == NULL)
    return ent_fail(context, ENTROPIC_BAD_DATA, "the Arrow stream gives a schema that has been released");
  entropic_status status = take_schema(context, &schema, columns);
  schema.release(&schema);
  return status;
}

/* Reads the next array into the store; *more is false at the end. */
static entropic_status read_array(entropic_context *context, struct ArrowArrayStream *stream,
                                  const ent_arrow_columns *columns, bool *more) {
  ent_column_store *store = columns->store;
  if (!ent_reserve(context, &store->arrays, &store->array_capacity, store->array_count + 1, sizeof *store->arrays))
    return ENTROPIC_NO_MEMORY;
  struct ArrowArray *array = &store->arrays[store->array_count];
  *array = (struct ArrowArray){0};
  int error = stream->get_next(stream, array);
  if (error != 0)
    return fail_stream(context, stream, "rows", error);
  *more = array->release != NULL;
  if (!*more)
    return ENTROPIC_OK;
  store->array_count++;
  return ent_arrow_add(context, store, columns->types, columns->count, array);
}

static entropic_status read_stream(entropic_context *context, struct ArrowArrayStream *stream,
                                   ent_arrow_columns *columns) {
  if (stream->get_schema == NULL || stream->get_next == NULL)
    return ent_fail(context, ENTROPIC_BAD_DATA, "the Arrow stream has no %s",
                    stream->get_schema == NULL ? "get_schema" : "get_next");
  entropic_status status = read_schema(context, stream, columns);
  if (status != ENTROPIC_OK)
    return status;
  for (bool more = true; more;) {
    status = read_array(context, stream, columns, &more);
    if (status != ENTROPIC_OK)
      return status;
  }
  const entropic_column_views *more = columns->more;
  if (more->count == 0)
    return ENTROPIC_OK;
  if (more->rows != columns->store->rows)
    return ent_fail(context, ENTROPIC_BAD_DATA, "the Arrow stream has %zu rows, the columns beside it %zu",
                    columns->store->rows, more->rows);
  return ent_column_store_borrow(context, columns->store, columns->count, more->columns, more->count);
}

entropic_status ent_table_from_arrow(entropic_context *context, struct ArrowArrayStream *stream,
                                     const entropic_column_views *more, const ent_roles *roles,
                                     entropic_table **table) {
  if (stream == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "stream is NULL");
  struct ArrowArrayStream own = *stream;
  if (own.release == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "stream has been released, expected one that has not");
  stream->release = NULL;
  ent_arrow_columns columns = {.more = more != NULL ? more : &(entropic_column_views){0}};
  entropic_status status =
      table == NULL ? ent_fail(context, ENTROPIC_BAD_ARGUMENT, "table is NULL") : read_stream(context, &own, &columns);
  own.release(&own);
  ent_delete(columns.types);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_table_of_columns(context, columns.store, roles, table);
done:
  ent_column_store_free(columns.store);
  return status;
}
