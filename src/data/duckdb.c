/* DuckDB by its C interface: see duckdb.h. */
#include "data/duckdb.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/dynamic.h"
#include "base/progress.h"
#include "base/threads.h"

/* What its header calls duckdb_result. */
typedef struct ent_duckdb_result {
  uint64_t counts[3];
  void *columns;
  char *message;
  void *internal;
} ent_duckdb_result;

enum { ENT_PENDING_READY = 0, ENT_PENDING_ERROR = 2, ENT_PENDING_NO_TASKS = 3 };

typedef struct ent_duckdb_functions {
  int (*open_ext)(const char *path, void **database, void *config, char **error);
  void (*close)(void **database);
  int (*connect)(void *database, void **connection);
  void (*disconnect)(void **connection);
  void (*interrupt)(void *connection);
  int (*create_config)(void **config);
  int (*set_config)(void *config, const char *name, const char *option);
  void (*destroy_config)(void **config);
  void (*free)(void *memory);
  int (*prepare)(void *connection, const char *query, void **statement);
  const char *(*prepare_error)(void *statement);
  void (*destroy_prepare)(void **statement);
  int (*pending_streaming)(void *statement, void **pending);
  int (*pending_prepared)(void *statement, void **pending);
  int (*pending_task)(void *pending);
  const char *(*pending_error)(void *pending);
  int (*execute_pending)(void *pending, ent_duckdb_result *result);
  void (*destroy_pending)(void **pending);
  const char *(*result_error)(ent_duckdb_result *result);
  void (*destroy_result)(ent_duckdb_result *result);
  void *(*fetch_chunk)(ent_duckdb_result result);
  void (*destroy_chunk)(void **chunk);
  uint64_t (*column_count)(ent_duckdb_result *result);
  const char *(*column_name)(ent_duckdb_result *result, uint64_t column);
  void *(*column_type)(ent_duckdb_result *result, uint64_t column);
  int (*type_id)(void *type);
  void (*destroy_type)(void **type);
  /* To Arrow: the newer functions, */
  void *(*arrow_options)(ent_duckdb_result *result);
  void (*destroy_arrow_options)(void **options);
  void *(*to_arrow_schema)(void *options, void **types, const char **names, uint64_t count, struct ArrowSchema *schema);
  void *(*chunk_to_arrow)(void *options, void *chunk, struct ArrowArray *array);
  bool (*has_error)(void *error);
  const char *(*error_message)(void *error);
  void (*destroy_error)(void **error);
  /* and those before 1.4. */
  int (*prepared_arrow_schema)(void *statement, struct ArrowSchema **schema);
  void (*result_arrow_array)(ent_duckdb_result result, void *chunk, struct ArrowArray **array);
} ent_duckdb_functions;

static ent_duckdb_functions duckdb;
static char library_problem[ENT_DYNAMIC_PROBLEM];
static bool library_there;

static void load_library(void) {
  static const char *const names[] = {"libduckdb.so",
                                      "/usr/local/lib/libduckdb.so",
                                      "~/.local/lib/libduckdb.so",
                                      "~/.duckdb/lib/libduckdb.so",
                                      "/opt/duckdb/lib/libduckdb.so",
                                      "/opt/duckdb/libduckdb.so",
                                      NULL};
#define ENT_FUNCTION(field, name, optional)                                                                            \
  { "duckdb_" name, offsetof(ent_duckdb_functions, field), optional }
  static const ent_dynamic_symbol symbols[] = {
      ENT_FUNCTION(open_ext, "open_ext", false),
      ENT_FUNCTION(close, "close", false),
      ENT_FUNCTION(connect, "connect", false),
      ENT_FUNCTION(disconnect, "disconnect", false),
      ENT_FUNCTION(interrupt, "interrupt", false),
      ENT_FUNCTION(create_config, "create_config", false),
      ENT_FUNCTION(set_config, "set_config", false),
      ENT_FUNCTION(destroy_config, "destroy_config", false),
      ENT_FUNCTION(free, "free", false),
      ENT_FUNCTION(prepare, "prepare", false),
      ENT_FUNCTION(prepare_error, "prepare_error", false),
      ENT_FUNCTION(destroy_prepare, "destroy_prepare", false),
      ENT_FUNCTION(pending_streaming, "pending_prepared_streaming", true),
      ENT_FUNCTION(pending_prepared, "pending_prepared", false),
      ENT_FUNCTION(pending_task, "pending_execute_task", false),
      ENT_FUNCTION(pending_error, "pending_error", false),
      ENT_FUNCTION(execute_pending, "execute_pending", false),
      ENT_FUNCTION(destroy_pending, "destroy_pending", false),
      ENT_FUNCTION(result_error, "result_error", false),
      ENT_FUNCTION(destroy_result, "destroy_result", false),
      ENT_FUNCTION(fetch_chunk, "fetch_chunk", false),
      ENT_FUNCTION(destroy_chunk, "destroy_data_chunk", false),
      ENT_FUNCTION(column_count, "column_count", false),
      ENT_FUNCTION(column_name, "column_name", false),
      ENT_FUNCTION(column_type, "column_logical_type", false),
      ENT_FUNCTION(type_id, "get_type_id", false),
      ENT_FUNCTION(destroy_type, "destroy_logical_type", false),
      ENT_FUNCTION(arrow_options, "result_get_arrow_options", true),
      ENT_FUNCTION(destroy_arrow_options, "destroy_arrow_options", true),
      ENT_FUNCTION(to_arrow_schema, "to_arrow_schema", true),
      ENT_FUNCTION(chunk_to_arrow, "data_chunk_to_arrow", true),
      ENT_FUNCTION(has_error, "error_data_has_error", true),
      ENT_FUNCTION(error_message, "error_data_message", true),
      ENT_FUNCTION(destroy_error, "destroy_error_data", true),
      ENT_FUNCTION(prepared_arrow_schema, "prepared_arrow_schema", true),
      ENT_FUNCTION(result_arrow_array, "result_arrow_array", true),
  };
#undef ENT_FUNCTION
  const ent_dynamic_request request = {"ENTROPIC_DUCKDB", names, symbols, sizeof symbols / sizeof symbols[0]};
  library_there = ent_dynamic_load(&request, &duckdb, library_problem);
}

/* Are all functions there that make Arrow in the newer way? */
static bool has_newer_arrow(void) {
  return duckdb.arrow_options != NULL && duckdb.destroy_arrow_options != NULL && duckdb.to_arrow_schema != NULL &&
         duckdb.chunk_to_arrow != NULL && duckdb.has_error != NULL && duckdb.error_message != NULL &&
         duckdb.destroy_error != NULL;
}

static entropic_status need_library(entropic_context *context) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_library);
  if (!library_there)
    return ent_fail(context, ENTROPIC_SYSTEM,
                    "DuckDB's shared library libduckdb.so is needed to read Parquet, databases and SQL: install it, or "
                    "set ENTROPIC_DUCKDB to its path (%s)",
                    library_problem);
  if (!has_newer_arrow() && (duckdb.prepared_arrow_schema == NULL || duckdb.result_arrow_array == NULL))
    return ent_fail(context, ENTROPIC_SYSTEM,
                    "DuckDB's library libduckdb.so has no functions for Arrow, expected "
                    "version 1.0 or newer");
  return ENTROPIC_OK;
}

/* ---- Databases ---- */

struct ent_duckdb {
  void *database, *connection;
};

/* A quarter of the memory of the machine: the rest is for the rows. */
static void memory_limit(char text[64]) {
  double pages = (double)sysconf(_SC_PHYS_PAGES), size = (double)sysconf(_SC_PAGE_SIZE);
  double mebibytes = pages > 0 && size > 0 ? pages * size / 4 / 1048576 : 1024;
  snprintf(text, 64, "%.0fMiB", mebibytes < 512 ? 512 : mebibytes);
}

/* Nothing is fetched from a network, nothing is written but what does not fit into memory, and rows keep their order. */
static entropic_status configure(entropic_context *context, void *config, bool file, bool ordered) {
  char threads[32], memory[64], folder[512];
  const char *temporary = getenv("TMPDIR");
  snprintf(threads, sizeof threads, "%zu", ordered ? (size_t)1 : (size_t)ent_workers(context, SIZE_MAX));
  memory_limit(memory);
  snprintf(folder, sizeof folder, "%.400s/entropic-duckdb-%ld",
           temporary != NULL && temporary[0] != '\0' ? temporary : "/tmp", (long)getpid());
  const char *const settings[][2] = {{"access_mode", file ? "READ_ONLY" : "AUTOMATIC"},
                                     {"threads", threads},
                                     {"memory_limit", memory},
                                     {"temp_directory", folder},
                                     {"preserve_insertion_order", "true"},
                                     {"autoinstall_known_extensions", "false"},
                                     {"autoload_known_extensions", "false"}};
  for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
    if (duckdb.set_config(config, settings[i][0], settings[i][1]) != 0)
      return ent_fail(context, ENTROPIC_SYSTEM, "DuckDB rejects the setting %s", settings[i][0]);
  return ENTROPIC_OK;
}

entropic_status ent_duckdb_open(entropic_context *context, const char *path, bool ordered, ent_duckdb **database) {
  entropic_status status = need_library(context);
  if (status != ENTROPIC_OK)
    return status;
  void *config = NULL;
  char *error = NULL;
  ent_duckdb *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  if (duckdb.create_config(&config) != 0) {
    status = ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory in DuckDB");
    goto fail;
  }
  status = configure(context, config, path != NULL, ordered);
  if (status != ENTROPIC_OK)
    goto fail;
  if (duckdb.open_ext(path, &made->database, config, &error) != 0 ||
      duckdb.connect(made->database, &made->connection) != 0) {
    status = ent_fail(context, ENTROPIC_BAD_DATA, "%s cannot be opened as a DuckDB database: %s",
                      path == NULL ? "nothing" : path, error == NULL ? "DuckDB does not say why" : error);
    goto fail;
  }
  duckdb.destroy_config(&config);
  *database = made;
  return ENTROPIC_OK;
fail:
  if (error != NULL)
    duckdb.free(error);
  if (config != NULL)
    duckdb.destroy_config(&config);
  ent_duckdb_close(made);
  return status;
}

void ent_duckdb_close(ent_duckdb *database) {
  if (database == NULL)
    return;
  if (database->connection != NULL)
    duckdb.disconnect(&database->connection);
  if (database->database != NULL)
    duckdb.close(&database->database);
  ent_delete(database);
}

/* ---- Queries ---- */

/* Rows are fetched by a thread of their own, one chunk ahead: so whoever waits for them can cancel that, and they are
 * decoded while others are read. */
struct ent_duckdb_rows {
  ent_duckdb *database;
  const char *what;
  void *statement, *pending;
  ent_duckdb_result result;
  bool has_result;
  void *options; /* of Arrow */

  pthread_t thread;
  bool has_thread;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool has_mutex;
  bool stop;  /* the thread is to end */
  bool ready; /* there is a chunk, or NULL at the end */
  bool ended;
  void *chunk;
};

static void *fetch_chunks(void *argument) {
  ent_duckdb_rows *rows = argument;
  pthread_mutex_lock(&rows->mutex);
  while (!rows->stop && !rows->ended) {
    if (rows->ready) {
      pthread_cond_wait(&rows->changed, &rows->mutex);
      continue;
    }
    pthread_mutex_unlock(&rows->mutex);
    void *chunk = duckdb.fetch_chunk(rows->result);
    pthread_mutex_lock(&rows->mutex);
    rows->chunk = chunk;
    rows->ready = true;
    rows->ended = chunk == NULL;
    pthread_cond_broadcast(&rows->changed);
  }
  pthread_mutex_unlock(&rows->mutex);
  return NULL;
}

void ent_duckdb_end(ent_duckdb_rows *rows) {
  if (rows == NULL)
    return;
  if (rows->has_thread) {
    pthread_mutex_lock(&rows->mutex);
    bool working = !rows->ready;
    rows->stop = true;
    pthread_cond_broadcast(&rows->changed);
    pthread_mutex_unlock(&rows->mutex);
    if (working)
      duckdb.interrupt(rows->database->connection);
    pthread_join(rows->thread, NULL);
  }
  if (rows->chunk != NULL)
    duckdb.destroy_chunk(&rows->chunk);
  if (rows->options != NULL)
    duckdb.destroy_arrow_options(&rows->options);
  if (rows->has_result)
    duckdb.destroy_result(&rows->result);
  if (rows->pending != NULL)
    duckdb.destroy_pending(&rows->pending);
  if (rows->statement != NULL)
    duckdb.destroy_prepare(&rows->statement);
  if (rows->has_mutex) {
    pthread_cond_destroy(&rows->changed);
    pthread_mutex_destroy(&rows->mutex);
  }
  ent_delete(rows);
}

/* What DuckDB says, without the line feeds at its end. */
static entropic_status fail_query(entropic_context *context, const ent_duckdb_rows *rows, const char *said) {
  said = said == NULL || said[0] == '\0' ? "DuckDB does not say why" : said;
  size_t length = strlen(said);
  while (length > 0 && (said[length - 1] == '\n' || said[length - 1] == ' '))
    length--;
  bool memory = strncmp(said, "Out of Memory", 13) == 0;
  return ent_fail(context, memory ? ENTROPIC_NO_MEMORY : ENTROPIC_BAD_DATA, "%s: %.*s", rows->what,
                  (int)(length < 4000 ? length : 4000), said);
}

/* Works until there are rows, a piece at a time, so that it can be cancelled. */
static entropic_status work(entropic_context *context, ent_duckdb_rows *rows) {
  for (;;) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    int state = duckdb.pending_task(rows->pending);
    if (state == ENT_PENDING_READY)
      return ENTROPIC_OK;
    if (state == ENT_PENDING_ERROR)
      return fail_query(context, rows, duckdb.pending_error(rows->pending));
    if (state == ENT_PENDING_NO_TASKS)
      nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
  }
}

static entropic_status execute(entropic_context *context, ent_duckdb_rows *rows, const char *query) {
  if (duckdb.prepare(rows->database->connection, query, &rows->statement) != 0)
    return fail_query(context, rows, duckdb.prepare_error(rows->statement));
  int failed = duckdb.pending_streaming != NULL ? duckdb.pending_streaming(rows->statement, &rows->pending)
                                                : duckdb.pending_prepared(rows->statement, &rows->pending);
  if (failed)
    return fail_query(context, rows, duckdb.pending_error(rows->pending));
  entropic_status status = work(context, rows);
  if (status != ENTROPIC_OK)
    return status;
  rows->has_result = true;
  if (duckdb.execute_pending(rows->pending, &rows->result) != 0)
    return fail_query(context, rows, duckdb.result_error(&rows->result));
  if (has_newer_arrow())
    rows->options = duckdb.arrow_options(&rows->result);
  if (duckdb.column_count(&rows->result) == 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s has no columns, expected a table", rows->what);
  return ENTROPIC_OK;
}

static entropic_status start_thread(entropic_context *context, ent_duckdb_rows *rows) {
  pthread_mutex_init(&rows->mutex, NULL);
  pthread_cond_init(&rows->changed, NULL);
  rows->has_mutex = true;
  /* Signals are for the threads of the program. */
  sigset_t all, former;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &former);
  rows->has_thread = pthread_create(&rows->thread, NULL, fetch_chunks, rows) == 0;
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  return rows->has_thread ? ENTROPIC_OK : ent_fail(context, ENTROPIC_SYSTEM, "cannot start a thread for DuckDB's rows");
}

entropic_status ent_duckdb_start(entropic_context *context, ent_duckdb *database, const char *query, const char *what,
                                 ent_duckdb_rows **rows) {
  ent_duckdb_rows *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->database = database;
  made->what = what;
  entropic_status status = execute(context, made, query);
  if (status != ENTROPIC_OK)
    goto fail;
  status = start_thread(context, made);
  if (status != ENTROPIC_OK)
    goto fail;
  *rows = made;
  return ENTROPIC_OK;
fail:
  ent_duckdb_end(made);
  return status;
}

size_t ent_duckdb_columns(const ent_duckdb_rows *rows) {
  ent_duckdb_result result = rows->result;
  return (size_t)duckdb.column_count(&result);
}

const char *ent_duckdb_column_name(ent_duckdb_rows *rows, size_t column) {
  const char *name = duckdb.column_name(&rows->result, column);
  return name == NULL ? "" : name;
}

const char *ent_duckdb_refused_type(ent_duckdb_rows *rows, size_t column) {
  static const struct {
    int id;
    const char *name;
  } refused[] = {{15, "INTERVAL"}, {18, "BLOB"}, {24, "LIST"},  {25, "STRUCT"},   {26, "MAP"},
                 {28, "UNION"},    {29, "BIT"},  {33, "ARRAY"}, {39, "GEOMETRY"}, {40, "VARIANT"}};
  void *type = duckdb.column_type(&rows->result, column);
  int id = type == NULL ? 0 : duckdb.type_id(type);
  if (type != NULL)
    duckdb.destroy_type(&type);
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
    if (refused[i].id == id)
      return refused[i].name;
  return NULL;
}

/* An error that a newer function returned, which is freed. */
static entropic_status check_error(entropic_context *context, const ent_duckdb_rows *rows, void *error) {
  entropic_status status = ENTROPIC_OK;
  if (error != NULL && duckdb.has_error(error))
    status = fail_query(context, rows, duckdb.error_message(error));
  if (error != NULL)
    duckdb.destroy_error(&error);
  return status;
}

static entropic_status newer_schema(entropic_context *context, ent_duckdb_rows *rows, struct ArrowSchema *schema) {
  size_t count = ent_duckdb_columns(rows);
  entropic_status status = ENTROPIC_NO_MEMORY;
  void **types = ent_new(context, count, sizeof *types);
  const char **names = ent_new(context, count, sizeof *names);
  if (types == NULL || names == NULL)
    goto done;
  for (size_t i = 0; i < count; i++) {
    types[i] = duckdb.column_type(&rows->result, i);
    names[i] = ent_duckdb_column_name(rows, i);
  }
  status = check_error(context, rows, duckdb.to_arrow_schema(rows->options, types, names, count, schema));
done:
  for (size_t i = 0; types != NULL && i < count; i++)
    if (types[i] != NULL)
      duckdb.destroy_type(&types[i]);
  ent_delete(types);
  ent_delete(names);
  return status;
}

entropic_status ent_duckdb_schema(entropic_context *context, ent_duckdb_rows *rows, struct ArrowSchema *schema) {
  *schema = (struct ArrowSchema){0};
  if (has_newer_arrow())
    return newer_schema(context, rows, schema);
  if (duckdb.prepared_arrow_schema(rows->statement, &schema) != 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: DuckDB gives no schema", rows->what);
  return ENTROPIC_OK;
}

/* Waits for the next chunk; NULL at the end. */
static entropic_status take_chunk(entropic_context *context, ent_duckdb_rows *rows, void **chunk) {
  entropic_status status = ENTROPIC_OK;
  pthread_mutex_lock(&rows->mutex);
  while (!rows->ready && status == ENTROPIC_OK) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 50000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&rows->changed, &rows->mutex, &until);
    if (rows->ready)
      break;
    pthread_mutex_unlock(&rows->mutex);
    status = ent_poll(context);
    pthread_mutex_lock(&rows->mutex);
  }
  *chunk = NULL;
  if (status == ENTROPIC_OK) {
    *chunk = rows->chunk;
    rows->chunk = NULL;
    rows->ready = rows->ended;
    pthread_cond_broadcast(&rows->changed);
  }
  pthread_mutex_unlock(&rows->mutex);
  return status;
}

entropic_status ent_duckdb_next(entropic_context *context, ent_duckdb_rows *rows, struct ArrowArray *array) {
  void *chunk;
  *array = (struct ArrowArray){0};
  entropic_status status = take_chunk(context, rows, &chunk);
  if (status != ENTROPIC_OK)
    return status;
  if (chunk == NULL) {
    const char *said = duckdb.result_error(&rows->result);
    return said == NULL || said[0] == '\0' ? ENTROPIC_OK : fail_query(context, rows, said);
  }
  if (has_newer_arrow())
    status = check_error(context, rows, duckdb.chunk_to_arrow(rows->options, chunk, array));
  else
    duckdb.result_arrow_array(rows->result, chunk, &array);
  duckdb.destroy_chunk(&chunk);
  return status;
}
