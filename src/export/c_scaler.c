/* The scaler of a C99 file: tables of knots and heights, and the functions that read them. */
#include "export/languages.h"

/* ---- Tables ---- */

/* One of the two tables of knots that are no whole numbers: of places or of heights. */
static void write_knots(ent_export_text *text, const ent_export_parts *parts, bool heights) {
  ent_export_format(text, "static const @real @%s[] = {", heights ? "heights" : "knots");
  ent_export_table_begin(text, "");
  for (size_t i = 0; i < parts->effects->used; i++) {
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
  for (size_t i = 0; i < parts->effects->used; i++) {
    if (parts->knots[i].whole)
      write(text, parts, i, ent_export_whole, &starts);
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
  for (size_t i = 0; i < parts->effects->used; i++)
    write_input(text, parts, i, &starts);
  ent_export_format(text, "  {0, 0, 0, 0, 0, %zu, 0, 0, 0, 0, 0, 0, 0, 0}};\n", parts->level_count);
  write_knots(text, parts, false);
  write_knots(text, parts, true);
  write_sequences(text, parts);
}

/* ---- Functions ---- */

static const char scaling[] =
    "\n"
    "/* Number k of a sequence that ends with number `last`. */\n"
    "static int64_t @number(const struct @sequence *of, uint32_t last, uint32_t k) {\n"
    "  int64_t line = of->base + of->step * (int64_t)k;\n"
    "  uint32_t bit = k * of->bits, shift = bit % 64;\n"
    "  const uint64_t *word;\n"
    "  if (k == last)\n"
    "    return of->last;\n"
    "  if (of->plain)\n"
    "    return line + @plain[of->start + k];\n"
    "  word = @words + of->start + bit / 64;\n"
    "  return line + (int64_t)((word[0] >> shift | word[1] << 1 << (63 - shift)) & (((uint64_t)1 << of->bits) - 1));\n"
    "}\n"
    "\n"
    "/* A number below number `last` that is not above u: of those the last, or one of two before it. It is one of "
    "`span`\n"
    " * numbers where the line has u. */\n"
    "static uint32_t @find_whole(const struct @sequence *of, uint32_t last, @real u) {\n"
    "  uint32_t low = 0, count = of->span, step;\n"
    "  int64_t below = (int64_t)u;\n"
    "  below -= (@real)below > u;\n"
    "  if (count < last) {\n"
    "    @real from = (u - (@real)of->base) / (@real)of->step + 2 - (@real)count;\n"
    "    low = from < (@real)(last - count) ? from > 0 ? (uint32_t)from : 0 : last - count;\n"
    "  }\n"
    "  for (; count > 3; count -= 3 * step) { /* without branches that cannot be foretold */\n"
    "    step = count / 4;\n"
    "    low += step * (uint32_t)((@number(of, last, low + step) <= below) +\n"
    "                             (@number(of, last, low + 2 * step) <= below) +\n"
    "                             (@number(of, last, low + 3 * step) <= below));\n"
    "  }\n"
    "  return low;\n"
    "}\n"
    "\n"
    "static uint32_t @find(const @real *at, uint32_t count, @real x) {\n"
    "  uint32_t low = 0, half;\n"
    "  for (; count > 1; count -= half) {\n"
    "    half = count / 2;\n"
    "    low += at[low + half] <= x ? half : 0;\n"
    "  }\n"
    "  return low;\n"
    "}\n"
    "\n"
    "/* To [0,1]: linear between knots. */\n"
    "static @real @scale(const struct @input_table *input, @real x) {\n"
    "  uint32_t low, last = input->knots - 1;\n"
    "  @real a, b, h, up, u;\n"
    "  if (input->knots == 0)\n"
    "    return x > 0 ? (x < 1 ? x : 1) : 0;\n"
    "  if (input->knots == 1)\n"
    "    return (@real)0.5;\n"
    "  if (x < input->first || x > input->last)\n"
    "    return x > input->last;\n"
    "  if (input->whole) {\n"
    "    const struct @sequence *of = &@sequences[input->knot];\n"
    "    low = @find_whole(of, last, x * input->unit);\n"
    "    a = (@real)@number(of, last, low) / input->unit;\n"
    "    b = (@real)@number(of, last, low + 1) / input->unit;\n"
    "    for (; b <= x && low + 1 < last; low++) {\n"
    "      a = b;\n"
    "      b = (@real)@number(of, last, low + 2) / input->unit;\n"
    "    }\n"
    "    for (; a > x && low > 0; low--) { /* the product was rounded */\n"
    "      b = a;\n"
    "      a = (@real)@number(of, last, low - 1) / input->unit;\n"
    "    }\n"
    "  } else {\n"
    "    const @real *at = @knots + input->knot;\n"
    "    low = @find(at, last, x);\n"
    "    a = at[low];\n"
    "    b = at[low + 1];\n"
    "  }\n"
    "  if (input->ranked) {\n"
    "    const struct @sequence *of = &@sequences[input->height];\n"
    "    h = (@real)@number(of, last, low);\n"
    "    up = (@real)@number(of, last, low + 1);\n"
    "  } else {\n"
    "    h = @heights[input->height + low];\n"
    "    up = @heights[input->height + low + 1];\n"
    "  }\n";

static const char fraction[] = "  u = (h + (up - h) * ((x - a) / (b - a))) / input->ranks;\n";
static const char wide_fraction[] = "  u = (h + (up - h) * ((x / 2 - a / 2) / (b / 2 - a / 2))) / input->ranks;\n";
static const char scaling_end[] = "  u += input->width > 0 ? (x - input->first) / input->width : 0;\n"
                                  "  return u < 1 ? u : 1;\n}\n";

void ent_export_c_scaling(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_code(text, scaling);
  ent_export_code(text, parts->wide ? wide_fraction : fraction);
  ent_export_code(text, scaling_end);
}
