/* Findings of parts: as bytes, and decisions on the whole. See findings.h; merging is in findings_merge.c. */
#include "data/findings.h"

#include <string.h>

#include "data/column_pack.h"
#include "data/similar_classes.h"

#define ENT_FINDINGS_KIND "ENTfind1"

void ent_findings_free(ent_findings *findings) {
  for (size_t i = 0; findings->growth != NULL && i < findings->columns.count; i++)
    ent_delete(findings->growth[i].steps);
  ent_delete(findings->growth);
  ent_columns_free(&findings->columns);
  ent_delete(findings->file);
  *findings = (ent_findings){0};
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

/* The numbers of findings, in the order in which they are written. */
#define ENT_FINDINGS_NUMBERS 9
static void list_numbers(ent_findings *f, uint64_t *numbers[ENT_FINDINGS_NUMBERS]) {
  uint64_t *const list[ENT_FINDINGS_NUMBERS] = {&f->part, &f->rows,        &f->line,         &f->lines,      &f->start,
                                                &f->end,  &f->reread_part, &f->reread_start, &f->reread_line};
  memcpy(numbers, list, sizeof list);
}

entropic_status ent_findings_pack(entropic_context *context, const ent_findings *findings, ent_parcel *parcel) {
  ent_packer packer;
  ent_findings copy = *findings;
  uint64_t *numbers[ENT_FINDINGS_NUMBERS];
  entropic_status status = ent_parcel_begin(context, ENT_FINDINGS_KIND, &packer);
  if (status != ENTROPIC_OK)
    return status;
  list_numbers(&copy, numbers);
  for (size_t i = 0; i < ENT_FINDINGS_NUMBERS; i++)
    ent_pack_count(&packer, *numbers[i]);
  ent_pack_byte(&packer, (unsigned)findings->is_range | (unsigned)findings->failed << 1 |
                             (unsigned)findings->reread << 2 | (unsigned)findings->several << 3);
  ent_pack_byte(&packer, findings->format);
  ent_pack_count(&packer, findings->empty);
  ent_pack_text(&packer, findings->file);
  if (!findings->failed) {
    ent_pack_columns(&packer, &findings->columns, true);
    for (size_t i = 0; i < findings->columns.count; i++)
      pack_growth(&packer, &findings->growth[i]);
  }
  return ent_parcel_end(&packer, parcel);
}

static void unpack_growth(ent_unpacker *unpacker, const ent_findings *findings, size_t column) {
  ent_growth *growth = &findings->growth[column];
  size_t count = ent_unpack_many(unpacker, 0, SIZE_MAX, 3, "a number of steps"), at = unpacker->at;
  size_t size = ent_dictionary_size(findings->columns.list[column].dictionary);
  if (!ent_unpack_fine(unpacker) || count == 0)
    return;
  growth->steps = ent_new(unpacker->context, count, sizeof *growth->steps);
  if (growth->steps == NULL) {
    unpacker->status = ENTROPIC_NO_MEMORY;
    return;
  }
  growth->capacity = growth->count = count;
  for (size_t i = 0; i < count; i++) {
    growth->steps[i].rows = ent_unpack_count(unpacker, 0, findings->rows, "a number of rows");
    growth->steps[i].texts = ent_unpack_count(unpacker, 0, size, "a number of texts");
    growth->steps[i].stopped = ent_unpack_byte(unpacker, 0, 1, "whether texts were left out") != 0;
    if (i > 0 && (growth->steps[i].texts < growth->steps[i - 1].texts))
      ent_unpack_refuse(unpacker, at, "found steps of a dictionary that shrinks, expected one that grows");
  }
}

/* No column has more cells of a kind than there are rows. */
static void check_counts(ent_unpacker *unpacker, const ent_findings *findings) {
  for (size_t i = 0; i < findings->columns.count && ent_unpack_fine(unpacker); i++) {
    const ent_column *column = &findings->columns.list[i];
    if (column->missing > findings->rows || column->soft > findings->rows - column->missing ||
        column->texts > findings->rows)
      ent_unpack_refuse(unpacker, unpacker->at, "found more cells in column %zu than there are rows, expected fewer",
                        i + 1);
  }
}

entropic_status ent_findings_unpack(entropic_context *context, const ent_parcel *parcel, ent_findings *findings) {
  ent_unpacker unpacker;
  uint64_t *numbers[ENT_FINDINGS_NUMBERS];
  *findings = (ent_findings){0};
  entropic_status status = ent_parcel_open(context, parcel, ENT_FINDINGS_KIND, &unpacker);
  if (status != ENTROPIC_OK)
    return status;
  list_numbers(findings, numbers);
  for (size_t i = 0; i < ENT_FINDINGS_NUMBERS; i++)
    *numbers[i] = ent_unpack_count(&unpacker, 0, UINT64_MAX / 4, "a number of rows, lines or bytes");
  uint64_t flags = ent_unpack_byte(&unpacker, 0, 15, "flags of a part");
  findings->is_range = flags & 1;
  findings->failed = flags >> 1 & 1;
  findings->reread = flags >> 2 & 1;
  findings->several = flags >> 3 & 1;
  findings->format = (entropic_format)ent_unpack_byte(&unpacker, 0, ENTROPIC_FORMAT_NPY, "a format");
  findings->empty = (size_t)ent_unpack_count(&unpacker, 0, ENT_COLUMNS_MOST, "a number of empty columns");
  findings->file = ent_unpack_text(&unpacker, "the name of a file");
  findings->columns.file = findings->file;
  if (!findings->failed && ent_unpack_fine(&unpacker))
    ent_unpack_columns(&unpacker, &findings->columns, true);
  if (!findings->failed && ent_unpack_fine(&unpacker)) {
    findings->growth = ent_new(context, findings->columns.count, sizeof *findings->growth);
    if (findings->growth == NULL)
      unpacker.status = ENTROPIC_NO_MEMORY;
    check_counts(&unpacker, findings);
    for (size_t i = 0; i < findings->columns.count && ent_unpack_fine(&unpacker); i++)
      unpack_growth(&unpacker, findings, i);
  }
  status = ent_parcel_close(&unpacker);
  if (status != ENTROPIC_OK)
    ent_findings_free(findings);
  return status;
}

/* ---- Decisions ---- */

/* Is a column an identifier by its dictionary, as it was after each part? *again if a part left out texts of a column that
 * is none: then it must not. */
static void decide_full(ent_findings *findings, size_t index, bool *again) {
  ent_column *column = &findings->columns.list[index];
  const ent_growth *growth = &findings->growth[index];
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
static void name_rows(ent_findings *findings) {
  ent_columns *columns = &findings->columns;
  bool lines = findings->format != ENTROPIC_FORMAT_NPY && findings->format != ENTROPIC_FORMAT_AUTO &&
               findings->lines == findings->rows;
  columns->place = lines ? "line" : "row";
  columns->first = lines ? (size_t)findings->line : 1;
}

/* Messages speak of all files. */
static entropic_status name_files(entropic_context *context, ent_findings *findings) {
  static const char more[] = " and other files";
  size_t length = strlen(findings->file), longer;
  if (!findings->several || !ent_add(length, sizeof more, &longer))
    return ENTROPIC_OK;
  char *name = ent_new(context, longer, 1);
  if (name == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(name, findings->file, length);
  memcpy(name + length, more, sizeof more);
  ent_delete(findings->file);
  findings->columns.file = findings->file = name;
  findings->several = false;
  return ENTROPIC_OK;
}

entropic_status ent_findings_decide(entropic_context *context, ent_findings *findings, bool *again) {
  ent_columns *columns = &findings->columns;
  size_t rows = (size_t)findings->rows;
  *again = findings->reread;
  if (findings->failed)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: part %llu could not be read", findings->file,
                    (unsigned long long)findings->part + 1);
  if (*again)
    return ENTROPIC_OK;
  entropic_status status = name_files(context, findings);
  if (status != ENTROPIC_OK)
    return status;
  if (rows == 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s has %sno rows, expected some", columns->file,
                    findings->format == ENTROPIC_FORMAT_TEXT ? "a header and " : "");
  for (size_t i = 0; i < columns->count; i++)
    decide_full(findings, i, again);
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
  name_rows(findings);
  return ENTROPIC_OK;
}
