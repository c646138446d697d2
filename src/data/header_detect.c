/* What stands at the top of a table: a title, the header and its lines. See sample.h. */
#include <string.h>

#include "columns/header.h"
#include "data/dialect.h"

/* A header has no more lines than this. */
#define ENT_NAMES_MOST 4
/* A first line that counts 0, 1, 2 ... so far is hardly data. */
#define ENT_COUNTING_LEAST 6
/* So many rows that count 1, 2, 3 ... are no accident. */
#define ENT_ROW_NAMES_LEAST 3

/* What the first records say about a column. */
typedef struct ent_header_evidence {
  const char *first; /* its first cell, which may be its name */
  size_t first_length;
  size_t numbers, texts; /* among the others */
  bool first_is_number, first_is_text, recurs, used;
} ent_header_evidence;

typedef struct ent_witness {
  const ent_columns *columns;
  char point;
  ent_header_evidence *list;
  size_t count;
  size_t required;                            /* first cells that are names looked for */
  size_t requested;                           /* first cells that are names the caller gives, and no numbers */
  size_t requested_numbers, requested_beyond; /* those that are; and those of them that are no number of a column */
} ent_witness;

/* Is a first cell a name the caller gives a column? */
static void note_name(ent_witness *witness, const ent_field *field) {
  const ent_dictionary *required = witness->columns->required, *requested = witness->columns->requested;
  uint32_t code;
  witness->required += required != NULL && ent_dictionary_find(required, field->text, field->length, &code);
  if (requested == NULL || !ent_dictionary_find(requested, field->text, field->length, &code))
    return;
  double number = 0;
  if (!ent_header_is_number(field->text, field->length)) {
    witness->requested++;
  } else {
    witness->requested_numbers++;
    bool parsed = entropic_parse_double(field->text, field->length, &number) == ENTROPIC_OK;
    witness->requested_beyond += !parsed || number < 0 || number > (double)witness->count;
  }
}

static void note_cell(void *user, size_t record, size_t index, const ent_field *field) {
  ent_witness *witness = user;
  if (index >= witness->count)
    return;
  ent_header_evidence *of = &witness->list[index];
  bool missing = ent_columns_is_missing(witness->columns, field->text, field->length, witness->point);
  bool number = !missing && ent_field_is_number(field, witness->point);
  of->used = of->used || field->length > 0 || field->quoted;
  if (record == 0) {
    note_name(witness, field);
    of->first = field->text;
    of->first_length = field->length;
    of->first_is_number = number;
    of->first_is_text = !missing && !number;
    return;
  }
  of->numbers += number;
  of->texts += !missing && !number;
  of->recurs = of->recurs || (of->first_is_text && field->length == of->first_length &&
                              memcmp(field->text, of->first, field->length) == 0);
}

/* How far the numbers in the first cells count: 0, 1, 2 ..., as a program names columns that have no names. 0 if one of
 * them does not. */
static size_t count_from_zero(const ent_witness *witness) {
  size_t next = 0;
  for (size_t i = 0; i < witness->count; i++) {
    const ent_header_evidence *of = &witness->list[i];
    double value;
    if (!of->first_is_number)
      continue;
    if (entropic_parse_double(of->first, of->first_length, &value) != ENTROPIC_OK || value != (double)next++)
      return 0;
  }
  return next;
}

/* Is a number among the first cells no integer? Names are integers. */
static bool has_fractions(const ent_witness *witness) {
  for (size_t i = 0; i < witness->count; i++) {
    const ent_header_evidence *of = &witness->list[i];
    if (of->first_is_number && strspn(of->first, "0123456789") < of->first_length)
      return true;
  }
  return false;
}

/* Has the first line all required names, or a requested one? A requested name that may be the number of a column counts
 * where the numbers of the line are consecutive. */
static bool has_requested(const ent_witness *witness) {
  size_t counting = count_from_zero(witness);
  const ent_dictionary *required = witness->columns->required;
  if (required != NULL && witness->required >= ent_dictionary_size(required))
    return true;
  return witness->requested > 0 || (witness->requested_beyond > 0 && !has_fractions(witness)) ||
         (witness->requested_numbers > 0 && counting >= (counting < witness->count ? 2 : 3));
}

/* Names stand above numbers; where there are none, names are texts that do not occur again. */
static bool is_header(const ent_witness *witness) {
  size_t names = 0, words = 0, numbers = 0, texts = 0, recurring = 0, counting = count_from_zero(witness);
  const ent_columns *columns = witness->columns;
  if (has_requested(witness))
    return true;
  for (size_t i = 0; i < witness->count; i++) {
    const ent_header_evidence *of = &witness->list[i];
    names += of->first_is_text && of->numbers > of->texts;
    words += of->first_is_text && of->numbers > of->texts && of->recurs; /* such as unknown */
    numbers += of->first_is_number;
    texts += of->first_is_text;
    recurring += of->first_is_text && of->recurs;
  }
  if (counting >= ENT_COUNTING_LEAST || (counting >= 3 && texts > 0 && recurring == 0))
    return true;
  if (names > 0)
    return numbers == 0 || (names > words && (names - words) * 4 >= numbers);
  return numbers == 0 && texts > 0 && recurring * 2 < texts && !columns->required_numbers;
}

/* Looks at the columns of a sample, whose shape is known; the list is to be freed. */
static entropic_status look(entropic_context *context, const ent_sniff *sample, const ent_dialect *dialect,
                            const ent_record_shape *shape, ent_witness *witness) {
  *witness = (ent_witness){.columns = sample->columns,
                           .point = dialect->point,
                           .count = shape->first > shape->others ? shape->first : shape->others};
  witness->list = ent_new(context, witness->count, sizeof *witness->list);
  if (witness->list == NULL)
    return ENTROPIC_NO_MEMORY;
  size_t counts[ENT_SNIFF_RECORDS];
  ent_sniff_visit(sample, dialect, note_cell, witness, counts);
  return ENTROPIC_OK;
}

/* What the first records have in them. */
typedef struct ent_header_cells {
  char point;
  size_t seen;
  struct {
    const char *text; /* in its first line */
    size_t used, texts;
  } record[ENT_TITLE_MOST + 1];
} ent_header_cells;

static void note_cells(void *user, size_t record, size_t index, const ent_field *field) {
  ent_header_cells *cells = user;
  if (record > ENT_TITLE_MOST)
    return;
  if (index == 0)
    cells->record[record].text = field->text;
  cells->seen = record + 1;
  cells->record[record].used += field->length > 0;
  cells->record[record].texts += field->length > 0 && !ent_field_is_number(field, cells->point);
}

/* The line in which p stands. */
static const char *line_of(const ent_sniff *sample, const char *p) {
  while (p > sample->start && p[-1] != '\n')
    p--;
  return p;
}

/* How many lines the header has. All cells of one more are texts above numbers, two at least; the line that names the
 * index, which may follow it, has one. */
static entropic_status count_names(entropic_context *context, const ent_sniff *sample, ent_dialect *dialect) {
  ent_header_cells cells = {.point = dialect->point};
  size_t counts[ENT_SNIFF_RECORDS];
  size_t records = ent_sniff_visit(sample, dialect, note_cells, &cells, counts);
  for (; dialect->names < ENT_NAMES_MOST && dialect->names + 1 < records; dialect->names++) {
    size_t used = cells.record[dialect->names].used, texts = cells.record[dialect->names].texts, above = 0;
    if (texts < used || texts < (dialect->names == 1 ? 2 : 1))
      break;
    ent_sniff rest = *sample;
    rest.start = line_of(sample, cells.record[dialect->names].text);
    ent_record_shape shape = ent_sniff_shape(&rest, dialect);
    ent_witness witness;
    entropic_status status = look(context, &rest, dialect, &shape, &witness);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t i = 0; i < witness.count; i++)
      above += witness.list[i].first_is_text && witness.list[i].numbers > witness.list[i].texts;
    ent_delete(witness.list);
    if (above < texts)
      break;
  }
  return ENTROPIC_OK;
}

/* What the first cells of rows may be that have one cell more than there are names. */
typedef struct ent_row_names {
  struct {
    const char *text;
    size_t length;
  } first[ENT_SNIFF_RECORDS];
  bool quoted, counting; /* all of them: in quotes, or consecutive integers from 0 or 1 on */
  double from;
  bool plain; /* there are also numbers without quotes */
} ent_row_names;

static void note_row_name(void *user, size_t record, size_t index, const ent_field *field) {
  ent_row_names *names = user;
  double value;
  bool number = entropic_parse_double(field->text, field->length, &value) == ENTROPIC_OK;
  if (record == 0)
    return;
  if (index > 0) {
    names->plain = names->plain || (number && !field->quoted);
    return;
  }
  names->first[record].text = field->text;
  names->first[record].length = field->length;
  names->quoted = names->quoted && field->quoted;
  if (record == 1 && number)
    names->from = value == 0 ? 0 : 1;
  names->counting = names->counting && number && value == names->from + (double)(record - 1);
}

/* Does every row begin with a name of its own, for which the header has none? R's write.table writes that. */
static bool has_row_names(const ent_sniff *sample, const ent_dialect *dialect) {
  ent_row_names names = {.quoted = true, .counting = true};
  size_t counts[ENT_SNIFF_RECORDS];
  size_t records = ent_sniff_visit(sample, dialect, note_row_name, &names, counts);
  bool counting = names.counting && records > ENT_ROW_NAMES_LEAST, quoted = names.quoted && names.plain;
  if (records < 2 || (!counting && !quoted))
    return false;
  for (size_t i = 1; i < records; i++) {
    if (counts[i] != counts[0] + 1)
      return false;
    for (size_t j = 1; j < i; j++)
      if (names.first[i].length == names.first[j].length &&
          memcmp(names.first[i].text, names.first[j].text, names.first[i].length) == 0)
        return false;
  }
  return true;
}

entropic_status ent_sniff_find_columns(entropic_context *context, const ent_sniff *sample, int header,
                                       ent_dialect *dialect) {
  ent_record_shape shape = ent_sniff_shape(sample, dialect);
  ent_witness witness;
  entropic_status status = look(context, sample, dialect, &shape, &witness);
  if (status != ENTROPIC_OK)
    return status;
  dialect->fields = shape.first;
  for (size_t extra = witness.count; extra > shape.first && !witness.list[extra - 1].used; extra--)
    dialect->trailing++;
  if (dialect->trailing < witness.count - shape.first)
    dialect->trailing = 0;
  while (dialect->fields > 1 && witness.count == dialect->fields + dialect->trailing && !dialect->blank &&
         !witness.list[dialect->fields - 1].used) {
    dialect->fields--;
    dialect->trailing++;
  }
  dialect->header = header == ENT_AUTO ? is_header(&witness) : header != 0;
  dialect->numbers = header == ENT_AUTO && dialect->header && sample->columns->required == NULL;
  for (size_t i = 0; i < witness.count; i++)
    dialect->numbers = dialect->numbers && !witness.list[i].first_is_text;
  ent_delete(witness.list);
  dialect->names = dialect->header;
  dialect->row_names = dialect->header && dialect->trailing == 0 && has_row_names(sample, dialect);
  dialect->fields += dialect->row_names;
  return dialect->header ? count_names(context, sample, dialect) : ENTROPIC_OK;
}

entropic_status ent_sniff_skip_title(entropic_context *context, ent_sniff *sample, int header,
                                     const ent_dialect *dialect, const char **title) {
  ent_header_cells cells = {.point = dialect->point};
  size_t counts[ENT_SNIFF_RECORDS], titles = 0;
  size_t records = ent_sniff_visit(sample, dialect, note_cells, &cells, counts);
  size_t usual = ent_sniff_shape(sample, dialect).usual;
  bool plain = true;        /* the lines are far from being names: at most half as many cells */
  const char *first = NULL; /* of them */
  for (; titles < cells.seen && titles < ENT_TITLE_MOST; titles++) {
    size_t used = cells.record[titles].used, texts = cells.record[titles].texts;
    if (used > 0 && (texts == 0 || (counts[titles] >= usual && (used > 1 || usual < 3))))
      break;
    if (texts > 0 && first == NULL)
      first = cells.record[titles].text;
    plain = plain && used * 2 <= usual;
  }
  if (titles == 0 || titles >= cells.seen || titles >= records || counts[titles] != usual)
    return ENTROPIC_OK;
  ent_sniff rest = *sample;
  rest.start = line_of(sample, cells.record[titles].text);
  if (first == NULL) { /* lines of delimiters alone, which are no rows there */
    *sample = rest;
    return ENTROPIC_OK;
  }
  ent_record_shape shape = ent_sniff_shape(&rest, dialect);
  ent_witness witness;
  entropic_status status = look(context, &rest, dialect, &shape, &witness);
  if (status != ENTROPIC_OK)
    return status;
  if ((header != 0 && has_requested(&witness)) || (plain && (header == 0 || is_header(&witness)))) {
    *title = line_of(sample, first);
    *sample = rest;
  }
  ent_delete(witness.list);
  return ENTROPIC_OK;
}
