/* Columns as bytes: see column_survey.h. */
#include "columns/column_survey.h"

#include <math.h>
#include <string.h>

/* A column takes so many bytes at least. */
#define ENT_COLUMN_LEAST 8
/* A text of a dictionary likewise: its length, two counts and a mark. */
#define ENT_ITEM_LEAST 4

/* ---- Writing ---- */

static void pack_bits(ent_packer *packer, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  ent_pack_u64(packer, bits);
}

static void pack_dictionary(ent_packer *packer, const ent_dictionary *dictionary) {
  size_t size = ent_dictionary_size(dictionary);
  ent_pack_byte(packer, dictionary != NULL);
  if (dictionary == NULL)
    return;
  ent_pack_count(packer, size);
  for (size_t code = 0; code < size; code++) {
    const ent_dictionary_item item = ent_dictionary_get(dictionary, (uint32_t)code);
    ent_pack_count(packer, item.length);
    ent_pack_bytes(packer, item.text, item.length);
    ent_pack_count(packer, item.noted);
    ent_pack_count(packer, item.line);
    ent_pack_byte(packer, item.marked);
  }
}

static void pack_evidence(ent_packer *packer, const ent_notation_evidence *evidence, bool whole) {
  ent_pack_byte(packer, evidence != NULL);
  if (evidence == NULL)
    return;
  ent_pack_text(packer, evidence->example);
  ent_pack_text(packer, evidence->unit);
  ent_pack_byte(packer, (unsigned)evidence->example_ambiguous | (unsigned)evidence->unsettled << 1 |
                            (unsigned)evidence->units_differ << 2);
  ent_pack_byte(packer, (unsigned char)evidence->point);
  ent_pack_count(packer, evidence->commas);
  ent_pack_count(packer, evidence->groups);
  for (int n = 0; whole && n < ENT_NOTATIONS; n++)
    ent_pack_count(packer, evidence->matches[n]);
  if (whole) {
    ent_pack_count(packer, evidence->ambiguous);
    ent_pack_count(packer, evidence->marked);
  }
}

/* What the rows of a pass say of a column. */
static void pack_counts(ent_packer *packer, const ent_column *column) {
  const double values[] = {column->first, column->least, column->most, column->last, column->lowest, column->highest};
  const size_t counts[] = {column->missing, column->soft,      column->texts,
                           column->ranges,  column->full_rows, column->bad_line};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
    ent_pack_count(packer, counts[i]);
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
    pack_bits(packer, values[i]);
  ent_pack_u64(packer, column->hashes);
  ent_pack_byte(packer, (unsigned)column->same | (unsigned)column->counting << 1 | (unsigned)column->bad_range << 2);
  ent_pack_text(packer, column->bad_line == 0 ? "" : column->bad_text);
  pack_dictionary(packer, column->dictionary);
  pack_dictionary(packer, column->words);
  pack_dictionary(packer, column->missing_texts);
  pack_dictionary(packer, column->spellings);
}

static void pack_column(ent_packer *packer, const ent_column *column, bool whole) {
  ent_pack_text(packer, column->name);
  ent_pack_byte(packer, column->mode);
  ent_pack_byte(packer, column->role);
  ent_pack_byte(packer, column->type);
  ent_pack_byte(packer, column->notation);
  ent_pack_byte(packer, (unsigned)column->declared | (unsigned)column->kept << 1 | (unsigned)column->time << 2 |
                            (unsigned)column->guessed << 3 | (unsigned)column->unspelled << 4 |
                            (unsigned)column->full << 5 | (unsigned)column->unlimited << 6);
  pack_evidence(packer, column->evidence, whole);
  if (whole)
    pack_counts(packer, column);
}

void ent_pack_columns(ent_packer *packer, const ent_columns *columns, bool whole) {
  ent_pack_byte(packer, (unsigned)columns->named | (unsigned)columns->headless << 1 |
                            (unsigned)columns->schema_known << 2 | (unsigned)columns->numbers_only << 3 |
                            (unsigned)columns->soft_marks << 4 | (unsigned)(columns->marks != NULL) << 5 |
                            (unsigned)(columns->given_marks != NULL) << 6 |
                            (unsigned)(strcmp(columns->place, "row") == 0) << 7);
  if (columns->given_marks != NULL)
    ent_pack_text(packer, columns->given_marks);
  ent_pack_count(packer, columns->first);
  ent_pack_count(packer, columns->count);
  for (size_t i = 0; i < columns->count; i++)
    pack_column(packer, &columns->list[i], whole);
  if (!whole)
    return;
  ent_pack_count(packer, columns->notices.count);
  for (size_t i = 0; i < columns->notices.count; i++)
    ent_pack_text(packer, columns->notices.list[i]);
}

/* ---- Reading ---- */

static double unpack_bits(ent_unpacker *unpacker, const char *what) {
  uint64_t bits = ent_unpack_u64(unpacker, what);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* A count of rows, lines or cells. */
static size_t unpack_size(ent_unpacker *unpacker, const char *what) {
  return (size_t)ent_unpack_count(unpacker, 0, SIZE_MAX / 4, what);
}

static void unpack_item(ent_unpacker *unpacker, ent_dictionary *dictionary, size_t number, size_t least) {
  size_t at = unpacker->at;
  ent_dictionary_item item = {.length = ent_unpack_many(unpacker, least, SIZE_MAX, 1, "the length of a text")};
  item.text = ent_unpack_bytes(unpacker, item.length, "a text");
  item.noted = unpack_size(unpacker, "how often a text occurs");
  item.line = unpack_size(unpacker, "the line of a text");
  item.marked = ent_unpack_byte(unpacker, 0, 1, "the mark of a text") != 0;
  if (!ent_unpack_fine(unpacker))
    return;
  uint32_t code;
  bool is_new;
  ent_unpack_adopt(unpacker, at, ent_dictionary_merge(unpacker->context, dictionary, &item, &code, &is_new));
  if (ent_unpack_fine(unpacker) && code != number)
    ent_unpack_refuse(unpacker, at, "found a text that is there already, expected another one");
}

/* Texts of at least so many bytes. */
static void unpack_dictionary(ent_unpacker *unpacker, size_t least, ent_dictionary **dictionary) {
  if (ent_unpack_byte(unpacker, 0, 1, "whether there are texts") == 0)
    return;
  size_t size = ent_unpack_many(unpacker, 0, UINT32_MAX / 2, ENT_ITEM_LEAST, "a number of texts"), at = unpacker->at;
  if (!ent_unpack_fine(unpacker))
    return;
  ent_unpack_adopt(unpacker, at, ent_dictionary_create(unpacker->context, dictionary));
  for (size_t i = 0; i < size && ent_unpack_fine(unpacker); i++)
    unpack_item(unpacker, *dictionary, i, least);
}

/* A text that fits its place of `size` bytes. */
static void unpack_short(ent_unpacker *unpacker, char *to, size_t size, const char *what) {
  size_t length = (size_t)ent_unpack_count(unpacker, 0, size - 1, what);
  const void *text = ent_unpack_bytes(unpacker, length, what);
  if (text != NULL)
    memcpy(to, text, length);
  to[text == NULL ? 0 : length] = '\0';
}

static void unpack_evidence(ent_unpacker *unpacker, ent_column *column, bool whole) {
  if (ent_unpack_byte(unpacker, 0, 1, "whether there is evidence of a notation") == 0)
    return;
  ent_notation_evidence *evidence = column->evidence = ent_new(unpacker->context, 1, sizeof *evidence);
  if (evidence == NULL) {
    unpacker->status = ENTROPIC_NO_MEMORY;
    return;
  }
  unpack_short(unpacker, evidence->example, sizeof evidence->example, "an example");
  unpack_short(unpacker, evidence->unit, sizeof evidence->unit, "a unit");
  uint64_t flags = ent_unpack_byte(unpacker, 0, 7, "flags of a notation");
  evidence->example_ambiguous = flags & 1;
  evidence->unsettled = flags >> 1 & 1;
  evidence->units_differ = flags >> 2 & 1;
  evidence->point = (char)ent_unpack_byte(unpacker, 0, 127, "a decimal mark");
  evidence->commas = unpack_size(unpacker, "a number of decimal commas");
  evidence->groups = unpack_size(unpacker, "a number of thousands");
  for (int n = 0; whole && n < ENT_NOTATIONS; n++)
    evidence->matches[n] = unpack_size(unpacker, "a number of texts that a notation reads");
  evidence->ambiguous = whole ? unpack_size(unpacker, "a number of ambiguous texts") : 0;
  evidence->marked = whole ? unpack_size(unpacker, "a number of marked texts") : 0;
}

/* The first value of a column of texts is a code of its dictionary. */
static void check_first(ent_unpacker *unpacker, size_t at, const ent_column *column) {
  double first = column->first;
  if (column->mode != ENT_MODE_TEXT || isnan(first))
    return;
  if (!(first >= 0 && first < (double)ent_dictionary_size(column->dictionary) && first == floor(first)))
    ent_unpack_refuse(unpacker, at, "found the code %g, expected one of %zu", first,
                      ent_dictionary_size(column->dictionary));
}

static void unpack_counts(ent_unpacker *unpacker, ent_column *column) {
  double *const values[] = {&column->first, &column->least,  &column->most,
                            &column->last,  &column->lowest, &column->highest};
  size_t *const counts[] = {&column->missing, &column->soft,      &column->texts,
                            &column->ranges,  &column->full_rows, &column->bad_line};
  size_t at = unpacker->at;
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
    *counts[i] = unpack_size(unpacker, "a count of cells");
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
    *values[i] = unpack_bits(unpacker, "a value");
  column->hashes = ent_unpack_u64(unpacker, "a sum of hashes");
  uint64_t flags = ent_unpack_byte(unpacker, 0, 7, "flags of a column");
  column->same = flags & 1;
  column->counting = flags >> 1 & 1;
  column->bad_range = flags >> 2 & 1;
  unpack_short(unpacker, column->bad_text, sizeof column->bad_text, "a cell");
  unpack_dictionary(unpacker, 0, &column->dictionary);
  unpack_dictionary(unpacker, 0, &column->words);
  unpack_dictionary(unpacker, 0, &column->missing_texts);
  unpack_dictionary(unpacker, sizeof(double), &column->spellings);
  check_first(unpacker, at, column);
}

static void unpack_column(ent_unpacker *unpacker, ent_column *column, bool whole) {
  column->name = ent_unpack_text(unpacker, "the name of a column");
  column->mode = (ent_mode)ent_unpack_byte(unpacker, 0, ENT_MODE_SKIP, "a mode");
  column->role = (entropic_role)ent_unpack_byte(unpacker, 0, ENTROPIC_ROLE_IGNORED, "a role");
  column->type = (entropic_column_type)ent_unpack_byte(unpacker, 0, ENTROPIC_COLUMN_TYPE_DATE, "a type");
  column->notation = (ent_notation)ent_unpack_byte(unpacker, 0, ENT_NOTATIONS - 1, "a notation");
  uint64_t flags = ent_unpack_byte(unpacker, 0, 127, "flags of a column");
  column->declared = flags & 1;
  column->kept = flags >> 1 & 1;
  column->time = flags >> 2 & 1;
  column->guessed = flags >> 3 & 1;
  column->unspelled = flags >> 4 & 1;
  column->full = flags >> 5 & 1;
  column->unlimited = flags >> 6 & 1;
  unpack_evidence(unpacker, column, whole);
  if (whole)
    unpack_counts(unpacker, column);
  if (ent_unpack_fine(unpacker) && column->mode == ENT_MODE_TEXT && column->dictionary == NULL)
    ent_unpack_adopt(unpacker, unpacker->at, ent_dictionary_create(unpacker->context, &column->dictionary));
}

static void unpack_notices(ent_unpacker *unpacker, ent_notices *notices) {
  size_t count = ent_unpack_many(unpacker, 0, SIZE_MAX, 1, "a number of notices");
  for (size_t i = 0; i < count && ent_unpack_fine(unpacker); i++) {
    size_t at = unpacker->at;
    char *notice = ent_unpack_text(unpacker, "a notice");
    if (notice != NULL)
      ent_unpack_adopt(unpacker, at, ent_notices_add(unpacker->context, notices, "%s", notice));
    ent_delete(notice);
  }
}

void ent_unpack_columns(ent_unpacker *unpacker, ent_columns *columns, bool whole) {
  uint64_t flags = ent_unpack_byte(unpacker, 0, 255, "flags of a table");
  columns->named = flags & 1;
  columns->headless = flags >> 1 & 1;
  columns->schema_known = flags >> 2 & 1;
  columns->numbers_only = flags >> 3 & 1;
  columns->soft_marks = flags >> 4 & 1;
  columns->place = flags >> 7 & 1 ? "row" : "line";
  char *marks = flags >> 6 & 1 ? ent_unpack_text(unpacker, "marks of missing values") : NULL;
  if (ent_unpack_fine(unpacker) && flags >> 5 & 1)
    ent_unpack_adopt(unpacker, unpacker->at, ent_columns_set_marks(unpacker->context, columns, marks));
  ent_delete(marks);
  columns->first = unpack_size(unpacker, "the number of the first row");
  size_t count = ent_unpack_many(unpacker, 1, ENT_COLUMNS_MOST, ENT_COLUMN_LEAST, "a number of columns");
  if (!ent_unpack_fine(unpacker))
    return;
  ent_unpack_adopt(unpacker, unpacker->at, ent_columns_create(unpacker->context, columns, count));
  for (size_t i = 0; i < count && ent_unpack_fine(unpacker); i++)
    unpack_column(unpacker, &columns->list[i], whole);
  if (whole && ent_unpack_fine(unpacker))
    unpack_notices(unpacker, &columns->notices);
}
