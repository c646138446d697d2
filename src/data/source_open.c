/* Opening a source: options, format, reader, and types of columns from the first rows. See source.h. */
#include <string.h>

#include "columns/header.h"
#include "data/duckdb.h"
#include "data/source.h"

static entropic_status fail_option(entropic_context *context, const char *name, int value, const char *expected) {
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is %d, expected %s", name, value, expected);
}

static entropic_status fail_character(entropic_context *context, const char *name, int value, const char *expected) {
  if (value <= ' ' || value >= 127)
    return fail_option(context, name, value, expected);
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is '%c', expected %s", name, value, expected);
}

/* A character that can stand in a text without being part of a number or the end of a line. */
static bool is_free(int c) {
  return c > 0 && c < 127 && c != '\n' && c != '\r' && c != '.' && c != '-' && c != '+' && !(c >= '0' && c <= '9') &&
         !((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static entropic_status check_options(entropic_context *context, const ent_read_options *o) {
  if (o->format < ENTROPIC_FORMAT_AUTO || o->format > ENTROPIC_FORMAT_NPY)
    return fail_option(context, "format", (int)o->format, "an entropic_format");
  if (o->delimiter != ENT_AUTO && !is_free(o->delimiter))
    return fail_character(context, "delimiter", o->delimiter, "a character that is not part of a number");
  if (o->quote != ENT_AUTO && o->quote != 0 && (!is_free(o->quote) || o->quote == o->delimiter))
    return fail_character(context, "quote", o->quote, "a character other than the delimiter, or 0");
  if (o->comment != ENT_AUTO && o->comment != 0 && (!is_free(o->comment) || o->comment == o->delimiter))
    return fail_character(context, "comment", o->comment, "a character other than the delimiter, or 0");
  if (o->decimal != ENT_AUTO && o->decimal != '.' && o->decimal != ',')
    return fail_character(context, "decimal", o->decimal, "'.' or ','");
  if (o->decimal == ',' && o->delimiter == ',')
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "decimal and delimiter are both ','");
  if (o->header != ENT_AUTO && o->header != 0 && o->header != 1)
    return fail_option(context, "header", o->header, "0, 1 or ENT_AUTO");
  return ENTROPIC_OK;
}

/* Files that are no tables of ours, by their first bytes. */
static entropic_status refuse_others(entropic_context *context, const ent_bytes *bytes) {
  static const struct {
    const char *bytes;
    size_t count;
    const char *what;
  } known[] = {
      {"PK\3\4", 4, "a zip archive (a spreadsheet, or .npz)"},
      {"\x89"
       "ENT\r\n",
       6, "a model of Entropic"},
      {"PAR1", 4, "a Parquet file in something else"},
      {"\x89HDF", 4, "an HDF5 file"},
      {"ARROW1", 6, "an Arrow file"},
      {"SQLite format 3", 15, "an SQLite database"},
      {"\xd0\xcf\x11\xe0", 4, "an old Office file"},
      {"%PDF", 4, "a PDF document"},
      {"\x89PNG", 4, "a PNG image"},
      {"\x7f"
       "ELF",
       4, "a program"},
      {"BZh", 3, "bzip2 data"},
      {"\xfd"
       "7zXZ",
       5, "xz data"},
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (bytes->end >= known[i].count && memcmp(bytes->data, known[i].bytes, known[i].count) == 0)
      return ent_fail(context, ENTROPIC_BAD_DATA,
                      "%s is %s, expected delimited text, LIBSVM text or .npy, plain or compressed by gzip or zstd",
                      bytes->name, known[i].what);
  return ENTROPIC_OK;
}

static entropic_format find_format(const ent_bytes *bytes) {
  if (bytes->end >= 6 && memcmp(bytes->data, "\x93NUMPY", 6) == 0)
    return ENTROPIC_FORMAT_NPY;
  return ent_looks_like_libsvm(bytes) ? ENTROPIC_FORMAT_LIBSVM : ENTROPIC_FORMAT_TEXT;
}

/* Reads the rows at hand into the counts of the columns, and goes back. Faults in the rows are left to be found again:
 * only running out of memory fails. */
static entropic_status sample_rows(entropic_context *context, ent_source *source, size_t *rows) {
  ent_columns *columns = &source->columns;
  ent_bytes *bytes = source->bytes;
  if (columns->count == 0) /* no reader opens a table without columns */
    return ENTROPIC_OK;
  size_t capacity = ENT_BLOCK_VALUES / columns->count + 1, at = bytes == NULL ? 0 : bytes->at;
  size_t line = bytes == NULL ? 0 : bytes->line;
  double *values = ent_new(context, capacity * columns->count, sizeof *values);
  if (values == NULL)
    return ENTROPIC_NO_MEMORY;
  columns->tolerant = columns->sampling = true;
  if (bytes != NULL)
    bytes->frozen = true;
  ent_columns_begin(columns);
  entropic_status status = source->reader->read(NULL, source, values, capacity, rows);
  ent_columns_count(columns, values, *rows, 0);
  columns->tolerant = columns->sampling = false;
  if (bytes != NULL) {
    bytes->frozen = false;
    bytes->at = at;
    bytes->line = line;
  }
  ent_delete(values);
  if (status == ENTROPIC_NO_MEMORY)
    return ent_fail(context, status, "out of memory while reading '%s'", columns->file);
  return bytes == NULL ? source->reader->begin(context, source) : ENTROPIC_OK;
}

/* Decides on a column from the counts of the first rows. */
static entropic_status guess_type(entropic_context *context, ent_column *column, size_t rows) {
  size_t present = rows - column->missing - column->soft;
  ent_notation notation = ent_column_find_notation(column, present);
  if (column->mode == ENT_MODE_NOTED && column->notation == ENT_NOTATION_PLAIN && column->role != ENTROPIC_ROLE_TARGET)
    column->mode = ENT_MODE_NUMBER; /* of targets it is kept how they are written */
  column->guessed = ent_column_is_open(column);
  if (notation != ENT_NOTATION_PLAIN) {
    ent_column_set_notation(column, notation);
  } else if (ent_column_is_open(column) && column->texts > 0 && column->texts * 100 >= present) {
    entropic_status status = ent_column_make_text(context, column);
    if (status != ENTROPIC_OK)
      return status;
  }
  column->type = column->mode == ENT_MODE_TEXT   ? ENTROPIC_COLUMN_TYPE_CATEGORY
                 : column->mode == ENT_MODE_DATE ? ENTROPIC_COLUMN_TYPE_DATE
                                                 : ENTROPIC_COLUMN_TYPE_NUMBER;
  return ENTROPIC_OK;
}

entropic_status ent_source_guess_types(entropic_context *context, ent_source *source) {
  ent_columns *columns = &source->columns;
  size_t rows = 0;
  /* No cell is scanned as a plain number here: ent_columns_cell sees how each is written. */
  for (size_t i = 0; i < columns->count; i++)
    if (columns->list[i].mode == ENT_MODE_NUMBER)
      columns->list[i].mode = ENT_MODE_NOTED;
  entropic_status status = sample_rows(context, source, &rows);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < columns->count; i++) {
    status = guess_type(context, &columns->list[i], rows);
    if (status != ENTROPIC_OK)
      return status;
  }
  ent_columns_begin(columns);
  return ENTROPIC_OK;
}

/* Lets the reader find the columns, by the names that are known of them. */
static entropic_status open_reader(entropic_context *context, ent_source *source, const ent_read_options *options,
                                   const ent_fitting *fitting) {
  ent_columns *columns = &source->columns;
  ent_dictionary *names = NULL;
  entropic_status status = ENTROPIC_OK;
  if (fitting != NULL) {
    columns->required = fitting->names;
    columns->required_numbers = fitting->numbers;
  } else if (options->roles.schema_of != NULL) {
    status = ent_header_of(context, options->roles.schema_of, &names);
    columns->required = names;
  } else {
    status = ent_header_requested(context, &options->roles, &names);
    columns->requested = names;
  }
  if (status != ENTROPIC_OK)
    goto done;
  status = source->reader->open(context, source, options);
done:
  columns->required = columns->requested = NULL;
  ent_dictionary_free(names);
  return status;
}

/* Opens the bytes of text files, or of an array. */
static entropic_status open_bytes(entropic_context *context, const ent_files *files, ent_source *source) {
  entropic_status status = ent_bytes_open_files(context, files, &source->bytes);
  if (status != ENTROPIC_OK)
    return status;
  source->name = ent_new_text(context, source->bytes->name, strlen(source->bytes->name));
  if (source->name == NULL)
    return ENTROPIC_NO_MEMORY;
  source->columns.file = source->name;
  source->columns.place = "line";
  source->columns.line_map = source->bytes->line_map;
  if (files->empty == 0)
    return ENTROPIC_OK;
  return ent_notices_add(context, &source->columns.notices,
                         files->empty == 1 ? "the file %s is empty" : "the file %s and %zu others are empty",
                         files->first_empty, files->empty - 1);
}

static entropic_status open_text(entropic_context *context, const ent_files *files, const ent_read_options *options,
                                 const ent_fitting *fitting, ent_source *source) {
  static const ent_reader *const readers[] = {NULL, &ent_text_reader, &ent_libsvm_reader, &ent_npy_reader};
  entropic_status status = open_bytes(context, files, source);
  if (status != ENTROPIC_OK)
    return status;
  if (options->memory > 0) {
    const ent_spool_options place = {options->spool, options->memory};
    status = ent_bytes_keep_on_disk(context, source->bytes, &place);
    if (status != ENTROPIC_OK)
      return status;
  }
  source->columns.numbers_only = options->numbers_only != 0;
  if (source->bytes->end == 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s is empty, expected rows", source->bytes->name);
  bool no_marks = options->missing != NULL && options->missing[0] == '\0';
  source->columns.soft_marks = !no_marks && !source->columns.numbers_only;
  status = ent_columns_set_marks(context, &source->columns, options->missing);
  if (status != ENTROPIC_OK)
    return status;
  if (options->format == ENTROPIC_FORMAT_AUTO) {
    status = refuse_others(context, source->bytes);
    if (status != ENTROPIC_OK)
      return status;
  }
  source->format = options->format == ENTROPIC_FORMAT_AUTO ? find_format(source->bytes) : options->format;
  source->reader = readers[source->format];
  source->fitted = fitting != NULL;
  status = open_reader(context, source, options, fitting);
  if (status != ENTROPIC_OK)
    return status;
  if (fitting != NULL)
    return fitting->fit(context, fitting->user, source);
  status = ent_columns_set_roles(context, &source->columns, &options->roles);
  if (status != ENTROPIC_OK)
    return status;
  bool guessed = source->format == ENTROPIC_FORMAT_TEXT && !source->columns.numbers_only;
  return guessed ? ent_source_guess_types(context, source) : ENTROPIC_OK;
}

static entropic_status open_source(entropic_context *context, const char *path, const ent_read_options *options,
                                   const ent_fitting *fitting, ent_source *source) {
  ent_files files = {0};
  if (options->sql != NULL)
    return ent_source_open_query(context, path, options, fitting, source);
  entropic_status status = ent_files_find(context, path, &files);
  if (status != ENTROPIC_OK)
    goto done;
  bool text = options->format != ENTROPIC_FORMAT_AUTO || files.kind == ENT_FILE_OTHER;
  status = text ? open_text(context, &files, options, fitting, source)
                : ent_source_open_duckdb(context, &files, options, fitting, source);
done:
  ent_files_clear(&files);
  return status;
}

entropic_status ent_source_open(entropic_context *context, const char *path, const ent_read_options *options,
                                ent_source **source) {
  return ent_source_open_fitted(context, path, options, NULL, source);
}

entropic_status ent_source_open_fitted(entropic_context *context, const char *path, const ent_read_options *options,
                                       const ent_fitting *fitting, ent_source **source) {
  if (path == NULL || source == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL", path == NULL ? "path" : "source");
  ent_read_options standard = ent_read_options_default();
  options = options == NULL ? &standard : options;
  entropic_status status = check_options(context, options);
  if (status != ENTROPIC_OK)
    return status;
  ent_source *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  status = open_source(context, path, options, fitting, made);
  if (status != ENTROPIC_OK) {
    ent_source_free(made);
    return status;
  }
  *source = made;
  return ENTROPIC_OK;
}
