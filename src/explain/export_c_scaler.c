/* The scaler of a C99 file: tables of knots and heights, and the functions that read them. */
#include "explain/export_languages.h"

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

/* Calls a function for each sequence, by their numbers. */
static void each_sequence(ent_export_text *text, const ent_export_parts *parts,
                          void (*write)(ent_export_text *text, const ent_export_parts *parts, size_t place,
                                        ent_export_number_at number, size_t *words)) {
  size_t words = 0;
  for (size_t i = 0; i < parts->effects->used; i++) {
    if (parts->knots[i].whole)
      write(text, parts, i, ent_export_whole, &words);
    if (parts->knots[i].ranked && !parts->knots[i].shared)
      write(text, parts, i, ent_export_rank, &words);
  }
}

static void write_sequence(ent_export_text *text, const ent_export_parts *parts, size_t place,
                           ent_export_number_at number, size_t *words) {
  const ent_export_knots *knots = &parts->knots[place];
  const ent_export_sequence *of = number == ent_export_rank ? &knots->rank : &knots->places;
  size_t count = ent_export_scale(parts, place)->knots;
  ent_export_format(text, "  {%lld, %lld, %lld, %zu, %zu, %u},\n", (long long)of->base, (long long)of->step,
                    (long long)of->last, *words, count - 1, of->bits);
  *words += ent_export_word_count(of, count);
}

static void write_words(ent_export_text *text, const ent_export_parts *parts, size_t place, ent_export_number_at number,
                        size_t *words) {
  const ent_export_knots *knots = &parts->knots[place];
  const ent_scale *scale = ent_export_scale(parts, place);
  size_t count = ent_export_word_count(number == ent_export_rank ? &knots->rank : &knots->places, scale->knots);
  for (size_t w = 0; w < count; w++)
    ent_export_table_word(text, ent_export_word(knots, scale, number, w));
  *words += count;
}

static void write_sequences(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_code(
      text,
      "/* Whole numbers: number k is base + step * k + the bits from bit k * bits of word `start` on; but number\n"
      " * `count` is `last`. */\n"
      "static const struct @sequence {\n"
      "  int64_t base, step, last;\n"
      "  uint32_t start;\n"
      "  uint16_t count;\n"
      "  uint8_t bits;\n"
      "} @sequences[] = {\n");
  each_sequence(text, parts, write_sequence);
  ent_export_code(text, "  {0, 0, 0, 0, 0, 0}};\nstatic const uint32_t @words[] = {");
  ent_export_table_begin(text, "");
  each_sequence(text, parts, write_words);
  for (int i = 0; i < 3; i++)
    ent_export_table_word(text, 0); /* a number is read from three words */
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
                            knots->unit, knots->ranks, knots->width};
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
    "/* A number of a sequence. */\n"
    "static int64_t @number(const struct @sequence *of, uint32_t k) {\n"
    "  uint32_t bit = k * of->bits, shift = bit % 32;\n"
    "  const uint32_t *word = @words + of->start + bit / 32;\n"
    "  uint64_t bits;\n"
    "  if (k == of->count)\n"
    "    return of->last;\n"
    "  bits = (word[0] | (uint64_t)word[1] << 32) >> shift | (uint64_t)word[2] << 1 << (63 - shift);\n"
    "  return of->base + of->step * (int64_t)k + (int64_t)(bits & (((uint64_t)1 << of->bits) - 1));\n"
    "}\n"
    "\n"
    "/* Where a knot is, and its height. */\n"
    "static @real @place(const struct @input_table *input, uint32_t k) {\n"
    "  return input->whole ? (@real)@number(&@sequences[input->knot], k) / input->unit : @knots[input->knot + k];\n"
    "}\n"
    "\n"
    "static @real @height(const struct @input_table *input, uint32_t k, @real place) {\n"
    "  if (!input->ranked)\n"
    "    return @heights[input->height + k];\n"
    "  return (@real)@number(&@sequences[input->height], k) / input->ranks +\n"
    "         (input->width > 0 ? (place - input->first) / input->width : 0);\n"
    "}\n"
    "\n"
    "/* The last knot but one that is not above u. */\n"
    "static uint32_t @find_whole(const struct @sequence *place, uint32_t count, @real u) {\n"
    "  uint32_t low = 0, half;\n"
    "  int64_t below = (int64_t)u;\n"
    "  below -= (@real)below > u;\n"
    "  if (place->step > 0) { /* it is close to where the line is at u */\n"
    "    @real line = (u - (@real)place->base) / (@real)place->step + 2;\n"
    "    @real least = line - (@real)((uint64_t)1 << place->bits) / (@real)place->step - 4;\n"
    "    count = line < (@real)count ? (uint32_t)line : count;\n"
    "    low = least < (@real)count ? least > 0 ? (uint32_t)least : 0 : count - 1;\n"
    "    count -= low;\n"
    "  }\n"
    "  for (; count > 1; count -= half) { /* without branches that cannot be foretold */\n"
    "    half = count / 2;\n"
    "    low += @number(place, low + half) <= below ? half : 0;\n"
    "  }\n"
    "  return low;\n"
    "}\n"
    "\n"
    "static uint32_t @find(const @real *at, uint32_t count, @real u) {\n"
    "  uint32_t low = 0, half;\n"
    "  for (; count > 1; count -= half) {\n"
    "    half = count / 2;\n"
    "    low += at[low + half] <= u ? half : 0;\n"
    "  }\n"
    "  return low;\n"
    "}\n"
    "\n"
    "/* To [0,1]: linear between knots. */\n"
    "static @real @scale(const struct @input_table *input, @real x) {\n"
    "  uint32_t low, last = input->knots - 1, i;\n"
    "  @real p[2], h[2], u;\n"
    "  if (input->knots == 0)\n"
    "    return x > 0 ? (x < 1 ? x : 1) : 0;\n"
    "  if (input->knots == 1)\n"
    "    return (@real)0.5;\n"
    "  if (x < input->first || x > input->last)\n"
    "    return x > input->last;\n"
    "  if (input->whole) {\n"
    "    low = @find_whole(&@sequences[input->knot], last, x * input->unit);\n"
    "    while (low + 1 < last && @place(input, low + 1) <= x) /* the product was rounded */\n"
    "      low++;\n"
    "    while (low > 0 && @place(input, low) > x)\n"
    "      low--;\n"
    "  } else {\n"
    "    low = @find(@knots + input->knot, last, x);\n"
    "  }\n"
    "  for (i = 0; i < 2; i++) {\n"
    "    p[i] = @place(input, low + i);\n"
    "    h[i] = @height(input, low + i, p[i]);\n"
    "  }\n";

static const char fraction[] = "  u = h[0] + (h[1] - h[0]) * ((x - p[0]) / (p[1] - p[0]));\n";
static const char wide_fraction[] = "  u = h[0] + (h[1] - h[0]) * ((x / 2 - p[0] / 2) / (p[1] / 2 - p[0] / 2));\n";
static const char scaling_end[] = "  return u < h[1] ? u : h[1];\n}\n";

void ent_export_c_scaling(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_code(text, scaling);
  ent_export_code(text, parts->wide ? wide_fraction : fraction);
  ent_export_code(text, scaling_end);
}
