/* The tables of the scaler in a C99 file: knots and heights. */
#include "export/languages.h"

/* One of the two tables of knots that are no whole numbers: of places or of heights. */
static void write_knots(ent_export_text *text, const ent_export_parts *parts, bool heights) {
  ent_export_format(text, "static const @real @%s[] = {", heights ? "heights" : "knots");
  ent_export_table_begin(text, "");
  for (size_t i = 0; i < parts->scaled; i++) {
    const ent_scale *scale = ent_export_scale(parts, i);
    if (heights ? parts->knots[i].ranked : parts->knots[i].whole)
      continue;
    for (size_t k = 0; k < scale->knots; k++)
      ent_export_table_number(text, heights ? scale->height[k] : scale->at[k]);
  }
  ent_export_table_end(text, "};\n");
}

/* How much of the tables of words and of 16 bits is before a sequence. */
typedef struct ent_sequence_starts {
  size_t word, plain;
} ent_sequence_starts;

/* Calls a function for each sequence, by their numbers. */
static void each_sequence(ent_export_text *text, const ent_export_parts *parts,
                          void (*write)(ent_export_text *text, const ent_export_parts *parts, size_t place,
                                        ent_export_number_at number, ent_sequence_starts *starts)) {
  ent_sequence_starts starts = {0};
  for (size_t i = 0; i < parts->scaled; i++) {
    if (parts->knots[i].whole)
      write(text, parts, i, ent_export_knot_integer, &starts);
    if (parts->knots[i].ranked && !parts->knots[i].shared)
      write(text, parts, i, ent_export_rank, &starts);
  }
}

static void write_sequence(ent_export_text *text, const ent_export_parts *parts, size_t place,
                           ent_export_number_at number, ent_sequence_starts *starts) {
  const ent_export_knots *knots = &parts->knots[place];
  const ent_export_sequence *of = number == ent_export_rank ? &knots->rank : &knots->places;
  size_t count = ent_export_scale(parts, place)->knots;
  ent_export_format(text, "  {%lld, %lld, %lld, %zu, %zu, %u, %d},\n", (long long)of->base, (long long)of->step,
                    (long long)of->last, of->plain ? starts->plain : starts->word, ent_export_span(of, count), of->bits,
                    of->plain);
  starts->word += ent_export_word_count(of, count);
  starts->plain += of->plain ? count - 1 : 0;
}

static void write_words(ent_export_text *text, const ent_export_parts *parts, size_t place, ent_export_number_at number,
                        ent_sequence_starts *starts) {
  const ent_export_knots *knots = &parts->knots[place];
  const ent_scale *scale = ent_export_scale(parts, place);
  size_t count = ent_export_word_count(number == ent_export_rank ? &knots->rank : &knots->places, scale->knots);
  for (size_t w = 0; w < count; w++)
    ent_export_table_word(text, ent_export_word(knots, scale, number, w));
  starts->word += count;
}

static void write_plain(ent_export_text *text, const ent_export_parts *parts, size_t place, ent_export_number_at number,
                        ent_sequence_starts *starts) {
  const ent_export_knots *knots = &parts->knots[place];
  const ent_scale *scale = ent_export_scale(parts, place);
  if (number == ent_export_rank || !knots->places.plain)
    return;
  for (size_t k = 0; k + 1 < scale->knots; k++)
    ent_export_table_integer(text, (long long)ent_export_left(knots, scale, number, k));
  starts->plain += scale->knots - 1;
}

static void write_sequences(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_code(
      text,
      "/* Whole numbers: number k is base + step * k + the bits from bit k * bits of word `start` on, or plain number\n"
      " * start + k; but the last is `last`. At any height the line passes `span` numbers at most. */\n"
      "static const struct @sequence {\n"
      "  int64_t base, step, last;\n"
      "  uint32_t start;\n"
      "  uint16_t span;\n"
      "  uint8_t bits, plain;\n"
      "} @sequences[] = {\n");
  each_sequence(text, parts, write_sequence);
  ent_export_code(text, "  {0, 0, 0, 0, 0, 0, 0}};\nstatic const uint64_t @words[] = {");
  ent_export_table_begin(text, "");
  each_sequence(text, parts, write_words);
  for (int i = 0; i < 2; i++)
    ent_export_table_word(text, 0); /* a number is read from two words */
  ent_export_table_end(text, "};\n");
  ent_export_code(text, "static const uint16_t @plain[] = {");
  ent_export_table_begin(text, "");
  each_sequence(text, parts, write_plain);
  ent_export_table_end(text, "};\n");
}

/* How many knots, heights and categories are before those of an input. */
typedef struct ent_input_starts {
  size_t knot, height, category;
} ent_input_starts;

static void write_input(ent_export_text *text, const ent_export_parts *parts, size_t place, ent_input_starts *starts) {
  const ent_scale *scale = ent_export_scale(parts, place);
  const ent_export_knots *knots = &parts->knots[place];
  const double numbers[] = {scale->knots > 0 ? scale->at[0] : 0, scale->knots > 0 ? scale->at[scale->knots - 1] : 1,
                            knots->unit, knots->ranked ? knots->ranks : 1, knots->width};
  ent_export_format(
      text, "  {%zu, %zu, %zu, %zu, %zu, %zu, %d, %d, %d", knots->whole ? knots->places_number : starts->knot,
      knots->ranked ? knots->rank_number : starts->height, scale->knots, scale->categories, starts->category,
      parts->level_starts[place], ent_export_keeps_missing(parts, place), knots->whole, knots->ranked);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    ent_export_plain(text, ", ");
    ent_export_number(text, numbers[i]);
  }
  ent_export_plain(text, "},\n");
  starts->knot += knots->whole ? 0 : scale->knots;
  starts->height += knots->ranked ? 0 : scale->knots;
  starts->category += scale->categories;
}

void ent_export_c_scaler(ent_export_text *text, const ent_export_parts *parts) {
  ent_input_starts starts = {0};
  ent_export_code(
      text,
      "/* Of each input: where its knots, heights, categories and levels begin; what there is of it.\n"
      " * Places of knots are whole numbers over unit, a sequence, or any. Heights are rank / ranks, a sequence,\n"
      " * plus the distance from the first knot / width unless that is 0; or any. */\n"
      "static const struct @input_table {\n"
      "  @index knot, height, knots, categories, category, level;\n"
      "  uint8_t missing, whole, ranked;\n"
      "  @real first, last, unit, ranks, width;\n"
      "} @inputs[] = {\n");
  for (size_t i = 0; i < parts->scaled; i++) {
    starts.category = ent_export_owner(parts, i) == 0 ? 0 : starts.category; /* of all components the same */
    write_input(text, parts, i, &starts);
  }
  ent_export_format(text, "  {0, 0, 0, 0, 0, %zu, 0, 0, 0, 0, 0, 0, 0, 0}};\n", parts->level_count);
  write_knots(text, parts, false);
  write_knots(text, parts, true);
  write_sequences(text, parts);
}
