/* Surveys of parts: as bytes, and decisions on the whole. See column_survey.h; merging is in column_survey_merge.c. */
#include "columns/column_survey.h"

#include <string.h>

#include "columns/columns.h"

#define ENT_SURVEY_KIND "ENTfind1"

void ent_column_survey_free(ent_column_survey *survey) {
  for (size_t i = 0; survey->growth != NULL && i < survey->columns.count; i++)
    ent_delete(survey->growth[i].steps);
  ent_delete(survey->growth);
  ent_columns_free(&survey->columns);
  ent_delete(survey->file);
  *survey = (ent_column_survey){0};
}

/* ---- As bytes ---- */

static void pack_growth(ent_packer *packer, const ent_growth *growth) {
  ent_pack_count(packer, growth->count);
  for (size_t i = 0; i < growth->count; i++) {
    ent_pack_count(packer, growth->steps[i].rows);
    ent_pack_count(packer, growth->steps[i].texts);
    ent_pack_byte(packer, growth->steps[i].stopped);
  }
}

/* The numbers of a survey, in the order in which they are written. */
#define ENT_SURVEY_NUMBERS 9
static void list_numbers(ent_column_survey *f, uint64_t *numbers[ENT_SURVEY_NUMBERS]) {
  uint64_t *const list[ENT_SURVEY_NUMBERS] = {&f->part, &f->rows,        &f->line,         &f->lines,      &f->start,
                                              &f->end,  &f->reread_part, &f->reread_start, &f->reread_line};
  memcpy(numbers, list, sizeof list);
}

entropic_status ent_column_survey_pack(entropic_context *context, const ent_column_survey *survey,
                                       ent_message *message) {
  ent_packer packer;
  ent_column_survey copy = *survey;
  uint64_t *numbers[ENT_SURVEY_NUMBERS];
  entropic_status status = ent_message_begin(context, ENT_SURVEY_KIND, &packer);
  if (status != ENTROPIC_OK)
    return status;
  list_numbers(&copy, numbers);
  for (size_t i = 0; i < ENT_SURVEY_NUMBERS; i++)
    ent_pack_count(&packer, *numbers[i]);
  ent_pack_byte(&packer, (unsigned)survey->is_range | (unsigned)survey->failed << 1 | (unsigned)survey->reread << 2 |
                             (unsigned)survey->several << 3);
  ent_pack_byte(&packer, survey->format);
  ent_pack_count(&packer, survey->empty);
  ent_pack_text(&packer, survey->file);
  if (!survey->failed) {
    ent_pack_columns(&packer, &survey->columns, true);
    for (size_t i = 0; i < survey->columns.count; i++)
      pack_growth(&packer, &survey->growth[i]);
  }
  return ent_message_end(&packer, message);
}

static void unpack_growth(ent_unpacker *unpacker, const ent_column_survey *survey, size_t column) {
  ent_growth *growth = &survey->growth[column];
  size_t count = ent_unpack_many(unpacker, 0, SIZE_MAX, 3, "a number of steps"), at = unpacker->at;
  size_t size = ent_dictionary_size(survey->columns.list[column].dictionary);
  if (!ent_unpack_fine(unpacker) || count == 0)
    return;
  growth->steps = ent_new(unpacker->context, count, sizeof *growth->steps);
  if (growth->steps == NULL) {
    unpacker->status = ENTROPIC_NO_MEMORY;
    return;
  }
  growth->capacity = growth->count = count;
  for (size_t i = 0; i < count; i++) {
    growth->steps[i].rows = ent_unpack_count(unpacker, 0, survey->rows, "a number of rows");
    growth->steps[i].texts = ent_unpack_count(unpacker, 0, size, "a number of texts");
    growth->steps[i].stopped = ent_unpack_byte(unpacker, 0, 1, "whether texts were left out") != 0;
    if (i > 0 && (growth->steps[i].texts < growth->steps[i - 1].texts))
      ent_unpack_refuse(unpacker, at, "found steps of a dictionary that shrinks, expected one that grows");
  }
}

/* No column has more cells of a kind than there are rows. */
static void check_counts(ent_unpacker *unpacker, const ent_column_survey *survey) {
  for (size_t i = 0; i < survey->columns.count && ent_unpack_fine(unpacker); i++) {
    const ent_column *column = &survey->columns.list[i];
    if (column->missing > survey->rows || column->soft > survey->rows - column->missing || column->texts > survey->rows)
      ent_unpack_refuse(unpacker, unpacker->at, "found more cells in column %zu than there are rows, expected fewer",
                        i + 1);
  }
}

entropic_status ent_column_survey_unpack(entropic_context *context, const ent_message *message,
                                         ent_column_survey *survey) {
  ent_unpacker unpacker;
  uint64_t *numbers[ENT_SURVEY_NUMBERS];
  *survey = (ent_column_survey){0};
  entropic_status status = ent_message_open(context, message, ENT_SURVEY_KIND, &unpacker);
  if (status != ENTROPIC_OK)
    return status;
  list_numbers(survey, numbers);
  for (size_t i = 0; i < ENT_SURVEY_NUMBERS; i++)
    *numbers[i] = ent_unpack_count(&unpacker, 0, UINT64_MAX / 4, "a number of rows, lines or bytes");
  uint64_t flags = ent_unpack_byte(&unpacker, 0, 15, "flags of a part");
  survey->is_range = flags & 1;
  survey->failed = flags >> 1 & 1;
  survey->reread = flags >> 2 & 1;
  survey->several = flags >> 3 & 1;
  survey->format = (entropic_format)ent_unpack_byte(&unpacker, 0, ENTROPIC_FORMAT_NPY, "a format");
  survey->empty = (size_t)ent_unpack_count(&unpacker, 0, ENT_COLUMNS_MOST, "a number of empty columns");
  survey->file = ent_unpack_text(&unpacker, "the name of a file");
  survey->columns.file = survey->file;
  if (!survey->failed && ent_unpack_fine(&unpacker))
    ent_unpack_columns(&unpacker, &survey->columns, true);
  if (!survey->failed && ent_unpack_fine(&unpacker)) {
    survey->growth = ent_new(context, survey->columns.count, sizeof *survey->growth);
    if (survey->growth == NULL)
      unpacker.status = ENTROPIC_NO_MEMORY;
    check_counts(&unpacker, survey);
    for (size_t i = 0; i < survey->columns.count && ent_unpack_fine(&unpacker); i++)
      unpack_growth(&unpacker, survey, i);
  }
  status = ent_message_close(&unpacker);
  if (status != ENTROPIC_OK)
    ent_column_survey_free(survey);
  return status;
}

/* ---- Decisions ---- */

/* Is a column an identifier by its dictionary, as it was after each part? *again if a part left out texts of a column that
 * is none: then it must not. */
static void decide_full(ent_column_survey *survey, size_t index, bool *again) {
  ent_column *column = &survey->columns.list[index];
  const ent_growth *growth = &survey->growth[index];
  if (column->mode != ENT_MODE_TEXT || growth->count == 0) /* it was full before the pass */
    return;
  column->full = false;
  for (size_t i = 0; i < growth->count && !column->full; i++) {
    column->full = ent_column_is_full(column, (size_t)growth->steps[i].texts, (size_t)growth->steps[i].rows);
    if (!growth->steps[i].stopped || column->full)
      continue;
    column->unlimited = *again = true;
    return;
  }
}

/* Keeps the first `most` texts of a dictionary. */
static entropic_status cut_dictionary(entropic_context *context, ent_dictionary **dictionary, size_t most) {
  if (ent_dictionary_size(*dictionary) <= most)
    return ENTROPIC_OK;
  ent_dictionary *made = NULL;
  entropic_status status = ent_dictionary_create(context, &made);
  for (uint32_t code = 0; code < most && status == ENTROPIC_OK; code++) {
    const ent_dictionary_item item = ent_dictionary_get(*dictionary, code);
    uint32_t same;
    bool is_new;
    status = ent_dictionary_merge(context, made, &item, &same, &is_new);
  }
  if (status != ENTROPIC_OK) {
    ent_dictionary_free(made);
    return status;
  }
  ent_dictionary_free(*dictionary);
  *dictionary = made;
  return ENTROPIC_OK;
}

static entropic_status cut_words(entropic_context *context, ent_columns *columns) {
  for (size_t i = 0; i < columns->count; i++) {
    entropic_status status = cut_dictionary(context, &columns->list[i].words, ENT_WORDS_MOST);
    if (status != ENTROPIC_OK)
      return status;
    status = cut_dictionary(context, &columns->list[i].missing_texts, ENT_MISSING_TEXTS);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* What rows are called in messages about the table, as in one that is loaded. */
static void name_rows(ent_column_survey *survey) {
  ent_columns *columns = &survey->columns;
  bool lines =
      survey->format != ENTROPIC_FORMAT_NPY && survey->format != ENTROPIC_FORMAT_AUTO && survey->lines == survey->rows;
  columns->place = lines ? "line" : "row";
  columns->first = lines ? (size_t)survey->line : 1;
}

/* Messages speak of all files. */
static entropic_status name_files(entropic_context *context, ent_column_survey *survey) {
  static const char more[] = " and other files";
  size_t length = strlen(survey->file), longer;
  if (!survey->several || !ent_add(length, sizeof more, &longer))
    return ENTROPIC_OK;
  char *name = ent_new(context, longer, 1);
  if (name == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(name, survey->file, length);
  memcpy(name + length, more, sizeof more);
  ent_delete(survey->file);
  survey->columns.file = survey->file = name;
  survey->several = false;
  return ENTROPIC_OK;
}

entropic_status ent_column_survey_decide(entropic_context *context, ent_column_survey *survey, bool *again) {
  ent_columns *columns = &survey->columns;
  size_t rows = (size_t)survey->rows;
  *again = survey->reread;
  if (survey->failed)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: part %llu could not be read", survey->file,
                    (unsigned long long)survey->part + 1);
  if (*again)
    return ENTROPIC_OK;
  entropic_status status = name_files(context, survey);
  if (status != ENTROPIC_OK)
    return status;
  if (rows == 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s has %sno rows, expected some", columns->file,
                    survey->format == ENTROPIC_FORMAT_TEXT ? "a header and " : "");
  for (size_t i = 0; i < columns->count; i++)
    decide_full(survey, i, again);
  if (*again)
    return ENTROPIC_OK;
  status = cut_words(context, columns);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_columns_decide(context, columns, rows, again);
  if (status != ENTROPIC_OK || *again)
    return status;
  status = ent_columns_notice_similar_classes(context, columns);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_columns_add_notices(context, columns, rows);
  if (status != ENTROPIC_OK)
    return status;
  name_rows(survey);
  return ENTROPIC_OK;
}
