/* How a text file is written, guessed from a sample of its records: see dialect.h. */
#include "data/dialect.h"

#include <string.h>

#include "data/header.h"

#define ENT_SAMPLE_RECORDS 200
/* A header has no more lines than this, a title either. */
#define ENT_NAMES_MOST 4
#define ENT_TITLE_MOST 40
/* A first line that counts 0, 1, 2 ... so far is hardly data. */
#define ENT_COUNTING_LEAST 6

/* A sample of the file, and what is known of it. */
typedef struct ent_sample {
  const ent_columns *columns;
  const char *start, *limit;
  bool ended;
} ent_sample;

typedef struct ent_shape {
  size_t records;
  size_t first;  /* fields of the first record */
  size_t others; /* fields of most records but the first */
  /* Without the records before the first that has as many fields as most: they may be a title. */
  size_t body;
  size_t usual; /* fields of most records */
  size_t agree; /* records that have so many */
  size_t cells, numbers;
} ent_shape;

static bool next_line(const char **p, const char *limit) {
  const char *end = memchr(*p, '\n', (size_t)(limit - *p));
  if (end == NULL)
    return false;
  *p = end + 1;
  return true;
}

/* [+-]digits MARK digits, all of it. */
static bool is_fraction(const char *text, size_t length, char mark) {
  size_t i = length > 0 && (text[0] == '-' || text[0] == '+'), digits[2] = {0, 0};
  int part = 0;
  for (; i < length; i++) {
    if (text[i] >= '0' && text[i] <= '9')
      digits[part]++;
    else if (text[i] == mark && part == 0)
      part = 1;
    else
      return false;
  }
  return digits[0] > 0 && digits[1] > 0;
}

static bool is_number(const ent_field *field, char point) {
  double value;
  return entropic_parse_double(field->text, field->length, &value) != ENTROPIC_BAD_DATA ||
         (point == ',' && is_fraction(field->text, field->length, ','));
}

/* Called for each field of the sample. */
typedef void (*ent_visit)(void *user, size_t record, size_t field, const ent_field *cut);

/* Walks over the records of the sample; returns how many are whole. counts[ENT_SAMPLE_RECORDS] gets their fields. */
static size_t walk(const ent_sample *sample, const ent_dialect *dialect, ent_visit visit, void *user, size_t *counts) {
  const char *p = sample->start;
  size_t record = 0;
  while (p < sample->limit && record < ENT_SAMPLE_RECORDS) {
    if (ent_line_is_void(dialect, p)) {
      if (!next_line(&p, sample->limit))
        break;
      continue;
    }
    size_t fields = 0;
    for (bool more = true; more;) {
      ent_field field;
      ent_cut cut = ent_field_cut(dialect, p, sample->limit, sample->ended, &field);
      if (cut == ENT_FIELD_MORE && record > 0)
        return record;
      if (cut != ENT_FIELD_CUT) { /* broken: the reader will say so; here the line is what counts */
        counts[record] = fields + 1;
        return record + 1;
      }
      visit(user, record, fields++, &field);
      p = field.end + (*field.end != '\n');
      if (dialect->blank)
        p = ent_skip_blanks(dialect, p, false);
      more = *p != '\n' && !(dialect->blank && p[0] == '\r' && p[1] == '\n');
      more = more || (!dialect->blank && field.end < p); /* a delimiter at the end opens one more, empty */
    }
    counts[record++] = fields;
    p += *p == '\r';
    p += p < sample->limit;
  }
  return record;
}

static void count_cell(void *user, size_t record, size_t index, const ent_field *field) {
  ent_shape *shape = user;
  (void)record;
  (void)index;
  shape->cells++;
  shape->numbers += is_number(field, ',');
}

/* The number of fields most records have; of two equally frequent ones the first. */
static size_t most_frequent(const size_t *counts, size_t records, size_t *times) {
  size_t best = 0;
  *times = 0;
  for (size_t i = 0; i < records; i++) {
    size_t same = 0;
    for (size_t j = i; j < records; j++)
      same += counts[j] == counts[i];
    if (same > *times) {
      *times = same;
      best = counts[i];
    }
  }
  return best;
}

static ent_shape shape_of(const ent_sample *sample, const ent_dialect *dialect) {
  ent_shape shape = {0};
  size_t counts[ENT_SAMPLE_RECORDS], times, skip = 0;
  shape.records = walk(sample, dialect, count_cell, &shape, counts);
  shape.first = shape.records > 0 ? counts[0] : 1;
  size_t half = shape.records / 2, usual = most_frequent(counts + half, shape.records - half, &times);
  while (skip < half && skip < ENT_TITLE_MOST && counts[skip] < usual)
    skip++;
  shape.body = shape.records - skip;
  shape.usual = most_frequent(counts + skip, shape.body, &shape.agree);
  shape.others = shape.records > 1 ? most_frequent(counts + 1, shape.records - 1, &times) : shape.first;
  return shape;
}

/* Is `a` the better guess? More records agree; or more cells are numbers. */
static bool better(const ent_shape *a, const ent_shape *b) {
  double agree_a = (double)a->agree * (double)b->body, agree_b = (double)b->agree * (double)a->body;
  if (agree_a != agree_b)
    return agree_a > agree_b;
  return (double)a->numbers * (double)b->cells > (double)b->numbers * (double)a->cells;
}

static void set_delimiter(ent_dialect *dialect, char delimiter) {
  dialect->delimiter = delimiter;
  dialect->blank = delimiter == ' ';
}

static bool may_delimit(char c) {
  return c == ',' || c == ';' || c == '\t' || c == '|' || c == ' ' || c == '\n' || c == '\r';
}

/* Single quotes count as quotes if they stand around fields and double ones do not. */
static void find_quote(const ent_sample *sample, ent_dialect *dialect) {
  size_t opened = 0, closed = 0;
  for (const char *p = sample->start; p < sample->limit; p++) {
    bool opens = p == sample->start || may_delimit(p[-1]), closes = may_delimit(p[1]);
    dialect->quote = '"';
    if (*p == '"' && (opens || closes))
      return;
    opened += *p == '\'' && opens;
    closed += *p == '\'' && closes;
  }
  if (opened > 0 && opened <= closed + 1 && closed <= opened + 1)
    dialect->quote = '\'';
}

/* '#' begins comments if it begins the first line, but not every line. */
static void find_comment(const ent_sample *sample, ent_dialect *dialect) {
  const char *p = sample->start;
  size_t marked = 0, lines = 0;
  bool first = false;
  do {
    if (p >= sample->limit || ent_line_is_void(dialect, p))
      continue;
    first = first || (lines == 0 && *p == '#');
    marked += *p == '#';
    lines++;
  } while (next_line(&p, sample->limit) && lines < ENT_SAMPLE_RECORDS);
  dialect->comment = first && marked < lines ? '#' : 0;
}

typedef struct ent_marks {
  size_t commas, points;
} ent_marks;

static void count_marks(void *user, size_t record, size_t index, const ent_field *field) {
  ent_marks *marks = user;
  (void)record;
  (void)index;
  marks->commas += is_fraction(field->text, field->length, ',');
  marks->points += is_fraction(field->text, field->length, '.');
}

/* What the first records say about a column. */
typedef struct ent_evidence {
  const char *first; /* its first cell, which may be its name */
  size_t first_length;
  size_t numbers, texts; /* among the others */
  bool first_is_number, first_is_text, recurs, used;
} ent_evidence;

typedef struct ent_witness {
  const ent_columns *columns;
  char point;
  ent_evidence *list;
  size_t count;
  size_t wanted;                      /* first cells that are names looked for */
  size_t asked;                       /* first cells that are names the caller gives, and no numbers */
  size_t asked_numbers, asked_beyond; /* those that are; and those of them that are no number of a column */
} ent_witness;

/* Is a first cell a name the caller gives a column? */
static void note_name(ent_witness *witness, const ent_field *field) {
  const ent_dictionary *wanted = witness->columns->wanted, *asked = witness->columns->asked;
  uint32_t code;
  witness->wanted += wanted != NULL && ent_dictionary_find(wanted, field->text, field->length, &code);
  if (asked == NULL || !ent_dictionary_find(asked, field->text, field->length, &code))
    return;
  double number = 0;
  if (!ent_header_is_number(field->text, field->length)) {
    witness->asked++;
  } else {
    witness->asked_numbers++;
    bool parsed = entropic_parse_double(field->text, field->length, &number) == ENTROPIC_OK;
    witness->asked_beyond += !parsed || number < 0 || number > (double)witness->count;
  }
}

static void note_cell(void *user, size_t record, size_t index, const ent_field *field) {
  ent_witness *witness = user;
  if (index >= witness->count)
    return;
  ent_evidence *of = &witness->list[index];
  bool missing = ent_columns_is_missing(witness->columns, field->text, field->length);
  bool number = !missing && is_number(field, witness->point);
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
    const ent_evidence *of = &witness->list[i];
    double value;
    if (!of->first_is_number)
      continue;
    if (entropic_parse_double(of->first, of->first_length, &value) != ENTROPIC_OK || value != (double)next++)
      return 0;
  }
  return next;
}

/* Is a number among the first cells no whole one? Names are. */
static bool has_fractions(const ent_witness *witness) {
  for (size_t i = 0; i < witness->count; i++) {
    const ent_evidence *of = &witness->list[i];
    if (of->first_is_number && strspn(of->first, "0123456789") < of->first_length)
      return true;
  }
  return false;
}

/* Are all names looked for in the first line, or is one that the caller gives a column? One that may be a number of a
 * column instead counts where the numbers of the line count. */
static bool has_asked(const ent_witness *witness) {
  size_t counting = count_from_zero(witness);
  const ent_dictionary *wanted = witness->columns->wanted;
  if (wanted != NULL && witness->wanted >= ent_dictionary_size(wanted))
    return true;
  return witness->asked > 0 || (witness->asked_beyond > 0 && !has_fractions(witness)) ||
         (witness->asked_numbers > 0 && counting >= (counting < witness->count ? 2 : 3));
}

/* Names stand above numbers; where there are none, names are texts that do not occur again. */
static bool is_header(const ent_witness *witness) {
  size_t names = 0, numbers = 0, texts = 0, recurring = 0, counting = count_from_zero(witness);
  const ent_columns *columns = witness->columns;
  if (has_asked(witness))
    return true;
  for (size_t i = 0; i < witness->count; i++) {
    const ent_evidence *of = &witness->list[i];
    names += of->first_is_text && of->numbers > of->texts;
    numbers += of->first_is_number;
    texts += of->first_is_text;
    recurring += of->first_is_text && of->recurs;
  }
  if (counting >= ENT_COUNTING_LEAST || (counting >= 3 && texts > 0 && recurring == 0))
    return true;
  if (names > 0)
    return names * 4 >= numbers;
  return numbers == 0 && texts > 0 && recurring * 2 < texts && !columns->wanted_numbers;
}

/* Looks at the columns of a sample, whose shape is known; the list is to be freed. */
static entropic_status look(entropic_context *context, const ent_sample *sample, const ent_dialect *dialect,
                            const ent_shape *shape, ent_witness *witness) {
  *witness = (ent_witness){.columns = sample->columns,
                           .point = dialect->point,
                           .count = shape->first > shape->others ? shape->first : shape->others};
  witness->list = ent_new(context, witness->count, sizeof *witness->list);
  if (witness->list == NULL)
    return ENTROPIC_NO_MEMORY;
  size_t counts[ENT_SAMPLE_RECORDS];
  walk(sample, dialect, note_cell, witness, counts);
  return ENTROPIC_OK;
}

/* What the first records have in them. */
typedef struct ent_opening {
  char point;
  size_t seen;
  struct {
    const char *text; /* in its first line */
    size_t used, texts;
  } record[ENT_TITLE_MOST + 1];
} ent_opening;

static void note_opening(void *user, size_t record, size_t index, const ent_field *field) {
  ent_opening *opening = user;
  if (record > ENT_TITLE_MOST)
    return;
  if (index == 0)
    opening->record[record].text = field->text;
  opening->seen = record + 1;
  opening->record[record].used += field->length > 0;
  opening->record[record].texts += field->length > 0 && !is_number(field, opening->point);
}

/* The line in which p stands. */
static const char *line_of(const ent_sample *sample, const char *p) {
  while (p > sample->start && p[-1] != '\n')
    p--;
  return p;
}

/* How many lines the header has. All cells of one more are texts above numbers, two at least; the line that names the
 * index, which may follow it, has one. */
static entropic_status count_names(entropic_context *context, const ent_sample *sample, ent_dialect *dialect) {
  ent_opening opening = {.point = dialect->point};
  size_t counts[ENT_SAMPLE_RECORDS];
  size_t records = walk(sample, dialect, note_opening, &opening, counts);
  for (; dialect->names < ENT_NAMES_MOST && dialect->names + 1 < records; dialect->names++) {
    size_t used = opening.record[dialect->names].used, texts = opening.record[dialect->names].texts, above = 0;
    if (texts < used || texts < (dialect->names == 1 ? 2 : 1))
      break;
    ent_sample rest = *sample;
    rest.start = line_of(sample, opening.record[dialect->names].text);
    ent_shape shape = shape_of(&rest, dialect);
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

/* Header, number of fields and of empty ones past them. */
static entropic_status find_columns(entropic_context *context, const ent_sample *sample, int header,
                                    ent_dialect *dialect) {
  ent_shape shape = shape_of(sample, dialect);
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
  dialect->header = header == ENTROPIC_AUTO ? is_header(&witness) : header != 0;
  dialect->numbers = header == ENTROPIC_AUTO && dialect->header && sample->columns->wanted == NULL;
  for (size_t i = 0; i < witness.count; i++)
    dialect->numbers = dialect->numbers && !witness.list[i].first_is_text;
  ent_delete(witness.list);
  dialect->names = dialect->header;
  return dialect->header ? count_names(context, sample, dialect) : ENTROPIC_OK;
}

/* Goes past the title: lines of text with fewer cells than the others have, above a header. `sample` then begins at the
 * header, and *title is the first line that is not empty. */
static entropic_status skip_title(entropic_context *context, ent_sample *sample, int header, const ent_dialect *dialect,
                                  const char **title) {
  ent_opening opening = {.point = dialect->point};
  size_t counts[ENT_SAMPLE_RECORDS], titles = 0;
  size_t records = walk(sample, dialect, note_opening, &opening, counts);
  size_t usual = shape_of(sample, dialect).usual;
  bool plain = true;        /* the lines are far from being names: at most half as many cells */
  const char *first = NULL; /* of them */
  for (; titles < opening.seen && titles < ENT_TITLE_MOST; titles++) {
    size_t used = opening.record[titles].used, texts = opening.record[titles].texts;
    if (used > 0 && (texts == 0 || (counts[titles] >= usual && (used > 1 || usual < 3))))
      break;
    if (texts > 0 && first == NULL)
      first = opening.record[titles].text;
    plain = plain && used * 2 <= usual;
  }
  if (titles == 0 || titles >= opening.seen || titles >= records || counts[titles] != usual)
    return ENTROPIC_OK;
  ent_sample rest = *sample;
  rest.start = line_of(sample, opening.record[titles].text);
  if (first == NULL) { /* lines of delimiters alone, which are no rows there */
    *sample = rest;
    return ENTROPIC_OK;
  }
  ent_shape shape = shape_of(&rest, dialect);
  ent_witness witness;
  entropic_status status = look(context, &rest, dialect, &shape, &witness);
  if (status != ENTROPIC_OK)
    return status;
  if ((header != 0 && has_asked(&witness)) || (plain && (header == 0 || is_header(&witness)))) {
    *title = line_of(sample, first);
    *sample = rest;
  }
  ent_delete(witness.list);
  return ENTROPIC_OK;
}

/* Do lines of tabs have a title above a header? */
static entropic_status has_title(entropic_context *context, const ent_sample *sample, int header, ent_dialect *dialect,
                                 bool *titled) {
  ent_dialect tabs = *dialect;
  ent_sample rest = *sample;
  const char *title = NULL;
  set_delimiter(&tabs, '\t');
  tabs.point = ','; /* either mark will do */
  entropic_status status = skip_title(context, &rest, header, &tabs, &title);
  *titled = title != NULL;
  return status;
}

static entropic_status find_delimiter(entropic_context *context, const ent_sample *sample, int header,
                                      ent_dialect *dialect) {
  static const char candidates[] = {';', '\t', '|', ','};
  ent_shape best = {0}, shape;
  char chosen = 0;
  bool titled = false;
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; i < sizeof candidates; i++) {
    set_delimiter(dialect, candidates[i]);
    shape = shape_of(sample, dialect);
    if (shape.usual >= 2 && (chosen == 0 || better(&shape, &best))) {
      best = shape;
      chosen = candidates[i];
    }
  }
  /* Blanks are also found in texts: they delimit if nothing else does, or where tabs do but for a few lines. */
  if (chosen == '\t' && best.agree < best.records)
    status = has_title(context, sample, header, dialect, &titled);
  if (chosen == 0 || (chosen == '\t' && !titled)) {
    set_delimiter(dialect, ' ');
    shape = shape_of(sample, dialect);
    bool steady = shape.agree * 5 >= shape.body * 4 && shape.usual >= 2;
    if (chosen == 0 ? steady : steady && shape.agree == shape.records && best.agree < best.records)
      chosen = ' ';
  }
  set_delimiter(dialect, chosen == 0 ? ',' : chosen);
  return status;
}

/* The length of a first line such as sep=; that names the delimiter for a spreadsheet; 0 if there is none. */
static size_t find_directive(const char *p, const char *limit, char *delimiter) {
  const char *q = p, *feed = limit > p ? memchr(p, '\n', (size_t)(limit - p)) : NULL;
  bool quoted = *q == '"';
  q += quoted;
  if (feed == NULL || feed - q < 5 || !ent_same_word(q, 4, "sep="))
    return 0;
  q += 4;
  bool named = q[0] == '\\' && q[1] == 't';
  *delimiter = named ? '\t' : *q;
  q += named ? 2 : 1;
  q += quoted && *q == '"';
  q += *q == '\r';
  return q == feed && strchr(",;\t| :", *delimiter) != NULL ? (size_t)(feed + 1 - p) : 0;
}

entropic_status ent_dialect_find(entropic_context *context, const ent_columns *columns,
                                 const entropic_read_options *options, const char *p, const char *limit, bool ended,
                                 ent_dialect *dialect) {
  ent_sample sample = {columns, p, limit, ended};
  *dialect = (ent_dialect){.delimiter = ',', .point = '.'};
  char named = 0;
  sample.start += find_directive(p, limit, &named);
  const char *top = sample.start, *title = NULL;
  entropic_status status = ENTROPIC_OK;
  if (options->comment == ENTROPIC_AUTO)
    find_comment(&sample, dialect);
  else
    dialect->comment = (char)options->comment;
  if (options->quote == ENTROPIC_AUTO)
    find_quote(&sample, dialect);
  else
    dialect->quote = (char)options->quote;
  if (options->delimiter == ENTROPIC_AUTO && sample.start > p)
    set_delimiter(dialect, named);
  else if (options->delimiter == ENTROPIC_AUTO)
    status = find_delimiter(context, &sample, options->header, dialect);
  else
    set_delimiter(dialect, (char)options->delimiter);
  if (status != ENTROPIC_OK)
    return status;
  if (options->decimal != ENTROPIC_AUTO) {
    dialect->point = (char)options->decimal;
  } else if (dialect->delimiter != ',') {
    ent_marks marks = {0};
    size_t counts[ENT_SAMPLE_RECORDS];
    walk(&sample, dialect, count_marks, &marks, counts);
    dialect->point = marks.commas > marks.points ? ',' : '.';
  }
  status = skip_title(context, &sample, options->header, dialect, &title);
  if (status != ENTROPIC_OK)
    return status;
  dialect->start = (size_t)(sample.start - p);
  dialect->title = title == NULL ? dialect->start : (size_t)(title - p);
  dialect->titles = title == NULL ? 0 : ent_count_lines(top, sample.start);
  return find_columns(context, &sample, options->header, dialect);
}
