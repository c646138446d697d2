#include "reading.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const cli_option reading_options[] = {
    {.name = "format",
     .kind = OPTION_CHOICE,
     .offset = offsetof(reading_settings, format),
     .value = "auto|text|libsvm|npy",
     .help = "what a file of data holds (auto: found out, as the next five are)"},
    {.name = "delimiter",
     .kind = OPTION_TEXT,
     .offset = offsetof(reading_settings, delimiter),
     .value = "C",
     .help = "between fields: a character, or tab, space (any blanks), comma,\nsemicolon, pipe"},
    {.name = "header",
     .kind = OPTION_CHOICE,
     .offset = offsetof(reading_settings, header),
     .value = "auto|yes|no",
     .help = "whether the first line holds the names of columns"},
    {.name = "decimal",
     .kind = OPTION_TEXT,
     .offset = offsetof(reading_settings, decimal),
     .value = "C",
     .help = "the mark in numbers: point or comma"},
    {.name = "quote",
     .kind = OPTION_TEXT,
     .offset = offsetof(reading_settings, quote),
     .value = "C",
     .help = "the character around fields, or none"},
    {.name = "comment",
     .kind = OPTION_TEXT,
     .offset = offsetof(reading_settings, comment),
     .value = "C",
     .help = "lines that begin with this character are skipped, or none"},
    {.name = "missing",
     .kind = OPTION_TEXT,
     .offset = offsetof(reading_settings, missing),
     .value = "MARKS",
     .help =
         "marks of missing values, comma separated (?,NA,N/A,nan,null);\nan empty field always is one; among numbers "
         "also None, nil, #N/A,\n#NA, \\N, <NA>, NaT, -, -- and ."},
    {.name = "from-zero",
     .kind = OPTION_FLAG,
     .offset = offsetof(reading_settings, from_zero),
     .help = "LIBSVM text: indices begin at 0, not at 1; the input x1 is index 0"},
    {.name = "any-order",
     .kind = OPTION_FLAG,
     .offset = offsetof(reading_settings, any_order),
     .help = "LIBSVM text: indices need not ascend; of equal ones the last counts"},
    {0}};

static const struct {
  const char *name;
  char character;
} characters[] = {{"tab", '\t'},      {"\\t", '\t'}, {"space", ' '}, {"comma", ','},
                  {"semicolon", ';'}, {"pipe", '|'}, {"point", '.'}, {"none", 0}};

/* A character as it stands or by name; text may be NULL, which leaves it to be found out. */
static int set_character(const cli_session *session, const char *option, const char *text, int *character) {
  if (!text || !strcmp(text, "auto"))
    return EXIT_DONE;
  if (!text[1]) {
    *character = (unsigned char)text[0];
    return EXIT_DONE;
  }
  for (size_t i = 0; i < sizeof characters / sizeof *characters; i++)
    if (!strcmp(text, characters[i].name)) {
      *character = (unsigned char)characters[i].character;
      return EXIT_DONE;
    }
  return complain(session, EXIT_USAGE, "--%s %s: expected one character, or its name, such as comma or tab", option,
                  text);
}

int reading_apply(const cli_session *session, const reading_settings *settings, entropic_read_options *options) {
  *options = entropic_read_options_default();
  options->format = (entropic_format)settings->format;
  if (settings->header)
    options->header = settings->header == 1;
  if (settings->missing)
    options->missing = settings->missing;
  options->libsvm_from_zero = settings->from_zero;
  options->libsvm_any_order = settings->any_order;
  int result = set_character(session, "delimiter", settings->delimiter, &options->delimiter);
  if (result)
    return result;
  result = set_character(session, "decimal", settings->decimal, &options->decimal);
  if (result)
    return result;
  result = set_character(session, "quote", settings->quote, &options->quote);
  if (result)
    return result;
  return set_character(session, "comment", settings->comment, &options->comment);
}

/* Is there a name in a comma separated list that is empty? */
static bool has_hole(const char *list) {
  for (;; list++) {
    list += strspn(list, " \t");
    if (!*list || *list == ',')
      return true;
    list += strcspn(list, ",");
    if (!*list)
      return false;
  }
}

int reading_list(const cli_session *session, const char *option, const cli_texts *texts, char **list) {
  size_t length = 1;
  *list = NULL;
  for (size_t i = 0; i < texts->count; i++) {
    if (has_hole(texts->text[i]))
      return complain(session, EXIT_USAGE, "--%s %s: a name is empty", option, texts->text[i]);
    length += strlen(texts->text[i]) + 1;
  }
  if (texts->count == 0)
    return EXIT_DONE;
  char *joined = calloc(length, 1);
  if (!joined)
    return complain_memory(session);
  for (size_t i = 0; i < texts->count; i++) {
    if (i)
      strcat(joined, ",");
    strcat(joined, texts->text[i]);
  }
  *list = joined;
  return EXIT_DONE;
}

int check_readable(const cli_session *session, const char *path) {
  if (!strcmp(path, "-"))
    return EXIT_DONE;
  struct stat info;
  if (stat(path, &info) || access(path, R_OK))
    return complain(session, EXIT_DATA, "%s: %s", path, strerror(errno));
  if (S_ISDIR(info.st_mode))
    return complain(session, EXIT_DATA, "%s: is a folder, not a file", path);
  return EXIT_DONE;
}

int reading_load(const cli_session *session, const reading_settings *settings, const reading_columns *columns,
                 const char *path, const entropic_table *schema, entropic_table **table) {
  entropic_read_options options;
  char *ignored = NULL, *categorical = NULL, *kept = NULL;
  int result = check_readable(session, path);
  if (result)
    return result;
  result = reading_apply(session, settings, &options);
  if (result)
    return result;
  result = reading_list(session, "ignore", columns->ignore, &ignored);
  if (result)
    return result;
  result = reading_list(session, "categorical", columns->categorical, &categorical);
  if (result)
    goto done;
  result = reading_list(session, "keep", columns->keep, &kept);
  if (result)
    goto done;
  options.roles = (entropic_roles){.targets = columns->target,
                                   .weights = columns->weights,
                                   .groups = columns->groups,
                                   .ignore = ignored,
                                   .categorical = categorical,
                                   .keep = kept,
                                   .time = columns->time,
                                   .schema_of = schema};
  if (schema && entropic_table_format(schema) == ENTROPIC_FORMAT_LIBSVM)
    options.libsvm_inputs = entropic_table_columns(schema) - 1;
  entropic_status status = entropic_table_load(session->context, path, &options, table);
  if (status) {
    result = complain_library(session, status);
    goto done;
  }
  char prefix[512] = "";
  if (schema) /* of two tables the notices of the second say its name */
    snprintf(prefix, sizeof prefix, "%.500s: ", path);
  reading_mention(session, prefix, *table);
done:
  free(ignored);
  free(categorical);
  free(kept);
  return result;
}

void reading_mention(const cli_session *session, const char *prefix, const entropic_table *table) {
  const char *text;
  for (size_t i = 0; (text = entropic_table_notice(table, i)); i++)
    notice(session, "%s%s", prefix, text);
}

void reading_mention_classes(const cli_session *session, const entropic_dataset *dataset) {
  const char *text;
  for (size_t i = 0; (text = entropic_dataset_notice(dataset, i)); i++)
    notice(session, "%s", text);
}

int reading_check_target(const cli_session *session, const reading_columns *columns, const entropic_table *table) {
  if (columns->target || entropic_table_format(table) == ENTROPIC_FORMAT_LIBSVM)
    return EXIT_DONE;
  return complain(session, EXIT_USAGE, "--target COL is needed: the column to predict");
}
