/* Exports from inside: levels as formulas and series, names of any bytes, parameters, refusals. What exported code
 * predicts is tested from outside, by tests/cli/export.py. */
#define _GNU_SOURCE
#include "unit/fitting.h"

#include "axis/axis.h"
#include "base/output.h"
#include "entropic/explain.h"
#include "export/languages.h"

enum { POINTS = 1000 };

/* The series of an atom at x, by cosines. */
static double series_at(const ent_export_series *series, size_t number, double x) {
  size_t i = series->starts[number];
  while (i + 1 < series->starts[number + 1] && x > series->pieces[i].last)
    i++;
  const ent_export_piece *piece = &series->pieces[i];
  double t = 2 * (x - piece->first) / (piece->last - piece->first) - 1, sum = 0;
  for (size_t k = 0; k < piece->terms; k++)
    sum += series->terms[piece->term + k] * cos((double)k * acos(t < -1 ? -1 : t > 1 ? 1 : t));
  return sum;
}

/* Every level of an axis is a formula, or a series of each of its atoms that is the level itself. */
static size_t check_axis(const entropic_axis_options *options) {
  entropic_context *context = context_with(1);
  ent_axis *axis = NULL;
  ent_export_series series = {0};
  size_t as_series = 0;
  ASSERT_OK(context, ent_axis_create(context, options, &axis));
  for (size_t l = 0; l < axis->level_count; l++) {
    const ent_level *level = &axis->levels[l];
    double numbers[ENT_EXPORT_NUMBERS], most = sqrt(level->info.sup);
    size_t count, first = series.count;
    ent_export_shape shape = ent_export_recognise(axis, level, numbers, &count);
    assert_int_equal(count, ent_export_number_count(shape));
    if (shape != ENT_EXPORT_SERIES)
      continue;
    as_series++;
    for (uint64_t atom = 0; atom < level->info.atoms; atom++) {
      bool smooth = false;
      ASSERT_OK(context, ent_export_series_add(context, &series, axis, level, atom, &smooth));
      assert_true(smooth);
    }
    for (int i = 0; i < POINTS; i++) {
      double x = (double)i / (POINTS - 1), value;
      uint32_t atom;
      level->evaluate(axis, level, &x, 1, &atom, &value);
      assert_true(fabs(series_at(&series, first + atom, x) - value) <= 2e-14 * (1 + most));
    }
  }
  ent_export_series_clear(&series);
  ent_axis_free(axis);
  entropic_context_free(context);
  return as_series;
}

static void levels_are_formulas(void **state) {
  (void)state;
  static const double omegas[] = {1e-4, 1, 2, 30, 2000};
  static const entropic_family families[] = {ENTROPIC_FAMILY_CENTRED, ENTROPIC_FAMILY_SOBOLEV,  ENTROPIC_FAMILY_LAPLACE,
                                             ENTROPIC_FAMILY_COSH,    ENTROPIC_FAMILY_BROWNIAN, ENTROPIC_FAMILY_BRIDGE};
  for (size_t f = 0; f < COUNT(families); f++)
    for (size_t i = 0; i < COUNT(omegas); i++) {
      entropic_axis_options options = ent_axis_options_default();
      options.family = families[f];
      options.omega = omegas[i];
      assert_int_equal(check_axis(&options), 0);
      options.missing = ent_takes_missing(&options);
      options.smooth = families[f] == ENTROPIC_FAMILY_CENTRED ? 8 : 0;
      assert_int_equal(check_axis(&options), 0);
    }
}

static void levels_are_series(void **state) {
  (void)state;
  entropic_axis_options options = ent_axis_options_default();
  options.max_level = 5;
  options.family = ENTROPIC_FAMILY_NEUMANN;
  for (options.omega = 0.1; options.omega < 500; options.omega *= 10)
    assert_int_equal(check_axis(&options), 2); /* the boundary atoms; its hats are formulas */
  options.family = ENTROPIC_FAMILY_CUSTOM;
  options.omega = 2;
  options.p_text = "exp(x^2) - 1 + x/10";
  options.q_text = "1 + w*(1 - x)^3";
  assert_true(check_axis(&options) >= 6);
}

/* A formula of axis.h. */
static double formula_at(const ent_formula *f, double x, double y, size_t cells) {
  const double *n = f->numbers;
  double low = fmin(x, y), high = fmax(x, y), off = high - low, sum = x + y;
  switch (f->shape) {
  case ENT_FORMULA_KINK:
    return n[0] + n[1] * (x - 0.5) * (y - 0.5) - n[2] * off;
  case ENT_FORMULA_MIN:
    return n[0] + n[1] * low;
  case ENT_FORMULA_BRIDGE:
    return n[0] * low * (1 - high);
  case ENT_FORMULA_DECAY:
    return exp(-n[0] * off);
  case ENT_FORMULA_EXPONENTIALS:
    return n[0] *
           (exp(-n[1] * off) + n[2] * exp(-n[1] * sum) + n[3] * exp(-n[1] * (2 - sum)) + n[4] * exp(-n[1] * (2 - off)));
  case ENT_FORMULA_SINH:
    return n[0] * exp(-n[1] * off) * expm1(-2 * n[1] * low) * expm1(-2 * n[1] * (1 - high));
  case ENT_FORMULA_CELLS:
    return n[0] + (floor(x * (double)cells) == floor(y * (double)cells) && x < 1 - 1 / (double)cells ? n[1] : 0);
  default:
    return NAN;
  }
}

/* The formula of every family is its kernel, in both bases. */
static void kernels_are_formulas(void **state) {
  (void)state;
  static const double omegas[] = {1e-5, 0.3, 4, 900};
  size_t tested = 0;
  for (size_t family = 0; family < ent_family_count(); family++)
    for (size_t o = 0; o < COUNT(omegas); o++)
      for (int interior = 0; interior < 2; interior++) {
        bool category = family == ENTROPIC_FAMILY_CATEGORY;
        entropic_axis_options options = category ? category_options(6, omegas[o]) : ent_axis_options_default();
        if (family == ENTROPIC_FAMILY_CUSTOM || (category && interior))
          continue;
        options.family = (entropic_family)family;
        options.omega = omegas[o];
        options.basis = interior ? ENTROPIC_BASIS_INTERIOR : ENTROPIC_BASIS_FULL;
        entropic_kernel *kernel = make_kernel(&options, 1, 1);
        const ent_formula formula = ent_axis_formula(kernel->axes[0]);
        for (int i = 0; i <= 20; i++)
          for (int j = 0; j <= 20; j++) {
            double x = category ? (i % 7 + 0.5) / 7 : i / 20.0, y = category ? (j % 7 + 0.5) / 7 : j / 20.0;
            double value = ent_kernel_axis_value(kernel, 0, x, y);
            assert_near(formula_at(&formula, x, y, 7), value, 1e-14 * fmax(1, omegas[o]), "%s, %g, %d",
                        entropic_family_name((entropic_family)family), omegas[o], interior);
          }
        tested++;
        entropic_kernel_free(kernel);
      }
  assert_true(tested > 50);
}

/* Increasing, with a bend that no series follows. */
static double bent(double x, void *user) {
  (void)user;
  return 1 + x + (x > 0.3 ? x - 0.3 : 0);
}

static double plain(double x, void *user) {
  (void)x, (void)user;
  return 1;
}

static void bends_are_refused(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  sheet s = sheet_start(40, 2, 1, PLAIN, 3);
  ent_fit_options options = fixed_options(1e-3, 10);
  unsigned char *bytes = NULL;
  size_t count = 0;
  options.axis.family = ENTROPIC_FAMILY_CUSTOM;
  options.axis.p = bent;
  options.axis.q = plain;
  options.axis.max_level = 5;
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  assert_int_equal(entropic_model_export_memory(context, model, NULL, &bytes, &count), ENTROPIC_BAD_ARGUMENT);
  assert_non_null(strstr(entropic_context_message(context), "custom kernel of input"));
  assert_null(bytes);
  entropic_model_free(model);
  sheet_stop(&s);
  entropic_context_free(context);
}

static double rising(double x, void *user) {
  (void)user;
  return 1 + x;
}

/* Such a model has no file, and so no hash; it can be exported all the same. */
static void functions_have_no_hash(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  sheet s = sheet_start(40, 2, 1, PLAIN, 3);
  ent_fit_options options = fixed_options(1e-3, 10);
  unsigned char *bytes = NULL;
  size_t count = 0;
  options.axis.family = ENTROPIC_FAMILY_CUSTOM;
  options.axis.p = rising;
  options.axis.q = plain;
  options.axis.max_level = 3;
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  ASSERT_OK(context, entropic_model_export_memory(context, model, NULL, &bytes, &count));
  assert_non_null(memmem(bytes, count, "custom kernel", strlen("custom kernel")));
  assert_null(memmem(bytes, count, "SHA-256", strlen("SHA-256")));
  entropic_bytes_free(bytes);
  entropic_model_free(model);
  sheet_stop(&s);
  entropic_context_free(context);
}

/* Values of some kind, from a fixed sequence. */
static double knot_value(int kind, entropic_random *random) {
  double draw = entropic_random_uniform(random);
  switch (kind) {
  case 0: /* three decimals, both signs */
    return rint(2000 * draw - 1000) / 1000;
  case 1: /* all digits of a double */
    return draw;
  case 2: /* whole numbers with many ties, some of them large */
  case 3:
    return draw < 0.7 ? 0 : rint(40 * draw) * (kind == 2 ? 1 : 123456789);
  case 4: /* 15 decimals, those below 0.1 of 16 */
    return draw < 0.1 ? rint(draw * 1e16) / 1e16 : rint(draw * 1e15) / 1e15;
  default: /* 15 digits, both signs, far apart */
    return (draw < 0.5 ? -1 : 1) * rint(1e14 * exp(-20 * draw) + 1e3 * draw) / 1e5;
  }
}

/* Number k of a sequence, from its words as a program reads them. */
static int64_t number_of(const ent_export_knots *knots, const ent_scale *scale, ent_export_number_at number, size_t k) {
  const ent_export_sequence *of = number == ent_export_rank ? &knots->rank : &knots->places;
  uint64_t left = 0;
  if (k + 1 == scale->knots)
    return of->last;
  for (size_t bit = 0; bit < of->bits && !of->plain; bit++) {
    size_t at = k * of->bits + bit;
    assert_true(at / 64 < ent_export_word_count(of, scale->knots));
    left |= (ent_export_word(knots, scale, number, at / 64) >> (at % 64) & 1) << bit;
  }
  left = of->plain ? ent_export_left(knots, scale, number, k) : left;
  assert_true(left < 1u << 16 || !of->plain);
  return of->base + of->step * (int64_t)k + (int64_t)left;
}

/* Whole numbers and ranks are the knots and heights of every kind of scaling: places to the last bit. */
static void check_knots(const ent_scale *scale, const ent_export_knots *knots) {
  for (size_t k = 0; k < scale->knots; k++) {
    double from = scale->at[k] - scale->at[0];
    int64_t rank = number_of(knots, scale, ent_export_rank, k);
    double height = (double)rank / knots->ranks + (knots->width > 0 ? from / knots->width : 0);
    assert_true(fabs(height - scale->height[k]) <= 3e-16);
    if (knots->whole)
      assert_true((double)number_of(knots, scale, ent_export_knot_integer, k) / knots->unit == scale->at[k]);
  }
}

static void knots_are_whole(void **state) {
  (void)state;
  enum { ROWS = 500 };
  static const entropic_scaling scalings[] = {ENTROPIC_SCALING_QUANTILE, ENTROPIC_SCALING_BLEND};
  static const unsigned bits[] = {11, 0, 6, 32, 54, 51}; /* at most */
  entropic_context *context = context_with(1);
  for (size_t s = 0; s < COUNT(scalings); s++)
    for (int kind = 0; kind < (int)COUNT(bits); kind++) {
      double values[ROWS];
      entropic_random random = entropic_random_start(5, (uint64_t)kind);
      entropic_scaler *scaler = NULL;
      for (size_t r = 0; r < ROWS; r++)
        values[r] = knot_value(kind, &random);
      ASSERT_OK(context, entropic_scaler_create(context, scalings[s], values, ROWS, 1, 1, &scaler));
      const ent_scale *scale = &scaler->scales[0];
      ent_export_knots knots = ent_export_shorten(scale, ROWS, false, 0);
      assert_int_equal(knots.whole, kind != 1);
      assert_true(knots.places.bits <= bits[kind]);
      assert_true(knots.ranked);
      assert_int_equal(knots.width > 0, scalings[s] == ENTROPIC_SCALING_BLEND);
      check_knots(scale, &knots);
      knots = ent_export_shorten(scale, ROWS, true, 1e-9); /* a float has fewer whole numbers */
      assert_int_equal(knots.whole, kind == 0 || kind == 2);
      check_knots(scale, &knots);
      entropic_scaler_free(scaler);
    }
  entropic_context_free(context);
}

/* Linear between knots, as scaled values are. */
static double between(const double *at, const double *height, size_t knots, double x) {
  size_t k = 1;
  while (k + 1 < knots && at[k] < x)
    k++;
  return height[k - 1] + (height[k] - height[k - 1]) * (x - at[k - 1]) / (at[k] - at[k - 1]);
}

/* Rounded knots move no scaled value by more than the tolerance; where decimals take fewer bits, nothing is rounded. */
static void knots_are_rounded(void **state) {
  (void)state;
  enum { ROWS = 700 };
  static const double tolerances[] = {0x1p-30, 0x1p-40, 0x1p-46};
  static const int rounds[] = {0, 1, 0, -1, 1, -1}; /* -1: it depends on the tolerance */
  entropic_context *context = context_with(1);
  for (size_t t = 0; t < COUNT(tolerances); t++)
    for (int kind = 0; kind < (int)COUNT(rounds); kind++) {
      double values[ROWS], at[ROWS], tolerance = tolerances[t] * (1 + 1e-6) + 1e-15;
      entropic_random random = entropic_random_start(6, (uint64_t)kind);
      entropic_scaler *scaler = NULL;
      for (size_t r = 0; r < ROWS; r++)
        values[r] = knot_value(kind, &random);
      ASSERT_OK(context, entropic_scaler_create(context, ENTROPIC_SCALING_QUANTILE, values, ROWS, 1, 1, &scaler));
      const ent_scale *scale = &scaler->scales[0];
      ent_export_knots exact = ent_export_shorten(scale, ROWS, false, 0);
      ent_export_knots knots = ent_export_shorten(scale, ROWS, false, tolerances[t]);
      assert_true(!knots.rounded || knots.places.bits < (exact.whole ? exact.places.bits : 64));
      if (t == 0 ? rounds[kind] >= 0 : rounds[kind] == 0)
        assert_int_equal(knots.rounded, rounds[kind]);
      for (size_t k = 0; k < scale->knots; k++)
        at[k] = knots.whole ? (double)number_of(&knots, scale, ent_export_knot_integer, k) / knots.unit : scale->at[k];
      for (size_t k = 0; k < scale->knots; k++) {
        double x = k == 0 ? at[0] : (at[k] + at[k - 1]) / 2;
        assert_true(k == 0 || at[k] > at[k - 1]);
        assert_true(fabs(between(at, scale->height, scale->knots, scale->at[k]) - scale->height[k]) <= tolerance);
        assert_true(fabs(between(at, scale->height, scale->knots, x) -
                         between(scale->at, scale->height, scale->knots, x)) <= tolerance);
      }
      entropic_scaler_free(scaler);
    }
  entropic_context_free(context);
}

/* The slope of scores along each input, by differences at drawn rows, is within what the tolerances allow; and these are
 * not much less than they could be. */
static void tolerances_hold(const ent_export_parts *parts, const double *tolerances) {
  enum { ROWS = 400, MOST = 8 };
  const double step = 1e-7;
  const entropic_model *model = parts->model;
  size_t inputs = model->schema.inputs, scores = model->scores;
  entropic_context *context = context_with(1);
  entropic_random random = entropic_random_start(8, 0);
  double range[MOST] = {0};
  for (size_t r = 0; r < parts->check.rows * scores; r++)
    range[r % scores] = fmax(range[r % scores], fabs(parts->check.scores[r] - model->offsets[r % scores]));
  assert_true(inputs <= MOST && scores <= MOST);
  for (size_t i = 0; i < parts->effects->used; i++) {
    double most = 0, x[MOST], y[MOST], low[MOST], high[MOST];
    for (size_t r = 0; r < ROWS; r++) {
      for (size_t d = 0; d < inputs; d++)
        x[d] = y[d] = (1 - 2 * step) * entropic_random_uniform(&random) + step;
      y[ent_export_input(parts, i)] += step;
      ASSERT_OK(context, ent_model_scores(context, model, x, 1, inputs, low));
      ASSERT_OK(context, ent_model_scores(context, model, y, 1, inputs, high));
      for (size_t k = 0; k < scores; k++)
        most = fmax(most, fabs(high[k] - low[k]) / step / range[k]);
    }
    double worst = tolerances[i] * most * (double)parts->effects->used / ENT_EXPORT_ROUNDING;
    assert_true(worst <= 1.001);
    assert_true(worst >= 0.02 || tolerances[i] == ENT_EXPORT_MOST_ROUNDING);
  }
  entropic_context_free(context);
}

static void scores_stay(void **state) {
  (void)state;
  static const entropic_family families[] = {ENTROPIC_FAMILY_CENTRED, ENTROPIC_FAMILY_SOBOLEV, ENTROPIC_FAMILY_LAPLACE,
                                             ENTROPIC_FAMILY_NEUMANN};
  entropic_context *context = context_with(1);
  for (size_t f = 0; f < COUNT(families); f++)
    for (int smooth = 0; smooth <= (f == 0 ? 4 : 0); smooth += 4) {
      sheet s = sheet_start(200, 3, 2, PLAIN, 3);
      ent_fit_options options = fixed_options(1e-4, 40);
      ent_export_parts *parts = NULL;
      double tolerances[3];
      options.axis.family = families[f];
      options.axis.omega = 2;
      options.axis.smooth = smooth;
      entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
      ASSERT_OK(context, ent_export_parts_create(context, model, false, &parts));
      assert_int_equal(parts->effects->used, 3);
      ASSERT_OK(context, ent_export_tolerances(context, parts, tolerances));
      tolerances_hold(parts, tolerances);
      ent_export_parts_free(parts);
      entropic_model_free(model);
      sheet_stop(&s);
    }
  entropic_context_free(context);
}

/* What a writer of names writes, 0-terminated; to be freed. */
static char *name_by(void (*write)(ent_export_text *, const char *), const char *name) {
  entropic_context *context = context_with(1);
  ent_export_text text = {.context = context, .name = "n", .upper = "N"};
  unsigned char *bytes = NULL;
  size_t count = 0;
  ASSERT_OK(context, ent_output_create_memory(context, &text.output));
  write(&text, name);
  ASSERT_OK(context, text.status);
  ASSERT_OK(context, entropic_output_commit(context, text.output));
  ent_output_take(text.output, &bytes, &count);
  char *copy = calloc(count + 1, 1);
  assert_non_null(copy);
  memcpy(copy, bytes, count);
  entropic_bytes_free(bytes);
  entropic_output_free(text.output);
  entropic_context_free(context);
  return copy;
}

static void names_are_inert(void **state) {
  (void)state;
  static const struct {
    const char *name, *c, *js, *comment;
  } names[] = {
      {"age", "\"age\"", "\"age\"", "age"},
      {"a\"b\\c", "\"a\\042b\\134c\"", "\"a\\u0022b\\u005cc\"", "a\"b\\134c"},
      {"*/?\?/\n", "\"*/\\077\\077/\\012\"", "\"*/?\?/\\u000a\"", "\\052/\\077\\077/\\012"},
      {"</b>@$1", "\"</b>@$1\"", "\"\\u003c/b>@$1\"", "\\074/b>\\100$1"},
      {"\xc3\xa9\xf0\x9f\x98\x80", "\"\\303\\251\\360\\237\\230\\200\"", "\"\\u00e9\\ud83d\\ude00\"",
       "\\303\\251\\360\\237\\230\\200"},
      {"\xff", "\"\\377\"", "\"\\ufffd\"", "\\377"},
  };
  for (size_t i = 0; i < COUNT(names); i++) {
    char *c = name_by(ent_export_c_string, names[i].name), *js = name_by(ent_export_js_string, names[i].name);
    char *comment = name_by(ent_export_comment, names[i].name);
    assert_string_equal(c, names[i].c);
    assert_string_equal(js, names[i].js);
    assert_string_equal(comment, names[i].comment);
    free(c);
    free(js);
    free(comment);
  }
}

/* Asks for a model in a language; single: with numbers of single precision. */
static entropic_status ask(entropic_context *context, const entropic_model *model, const char *language, bool single) {
  entropic_parameters *set = NULL;
  unsigned char *bytes = NULL;
  size_t count = 0;
  ASSERT_OK(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_EXPORT, &set));
  ASSERT_OK(context, entropic_parameters_set(context, set, "lang", language));
  ASSERT_OK(context, entropic_parameters_set(context, set, "float", single ? "yes" : "no"));
  entropic_status status = entropic_model_export_memory(context, model, set, &bytes, &count);
  assert_true(status == ENTROPIC_OK ? count > 100 : bytes == NULL);
  entropic_bytes_free(bytes);
  entropic_parameters_free(set);
  return status;
}

/* Whatever language is in the table can be asked for by its name, and has endings of its own. */
static void languages(void **state) {
  (void)state;
  entropic_context *context = context_with(2);
  sheet s = sheet_start(40, 2, 1, PLAIN, 3);
  ent_fit_options options = fixed_options(1e-3, 10);
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  size_t count = entropic_language_count();
  assert_true(count >= 3);
  for (size_t i = 0; i < count; i++) {
    const char *name = entropic_language_name(i), *endings = entropic_language_endings(i);
    ASSERT_OK(context, ask(context, model, name, false));
    if (strcmp(name, "c") == 0)
      ASSERT_OK(context, ask(context, model, name, true));
    else
      assert_int_equal(ask(context, model, name, true), ENTROPIC_BAD_ARGUMENT);
    assert_true(endings[0] == '.' && strlen(ent_language_help(i)) > 0);
    for (size_t k = 0; k < i; k++)
      assert_string_not_equal(endings, entropic_language_endings(k));
  }
  assert_null(entropic_language_name(count));
  assert_null(ent_language_help(SIZE_MAX));
  assert_null(entropic_language_endings(count));
  entropic_model_free(model);
  sheet_stop(&s);
  entropic_context_free(context);
}

static void parameters(void **state) {
  (void)state;
  entropic_context *context = context_with(2);
  sheet s = sheet_start(40, 2, 1, PLAIN, 3);
  ent_fit_options options = fixed_options(1e-3, 10);
  entropic_model *model = fit_sheet(context, &s, ENTROPIC_TASK_REGRESSION, &options);
  entropic_parameters *set = NULL, *fit = NULL;
  unsigned char *bytes = NULL, *again = NULL;
  size_t count = 0, same = 0;
  ASSERT_OK(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_EXPORT, &set));
  ASSERT_OK(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_FIT, &fit));
  assert_int_equal(entropic_model_export_memory(context, model, fit, &bytes, &count), ENTROPIC_BAD_ARGUMENT);
  static const char *const unknown[] = {"fortran", "C", "c ", "json2"}; /* never C in silence */
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    assert_int_equal(entropic_parameters_set(context, set, "lang", unknown[i]), ENTROPIC_BAD_ARGUMENT);
    assert_non_null(strstr(entropic_context_message(context), "c|js|json"));
  }
  ASSERT_OK(context, entropic_parameters_set(context, set, "name", "two words"));
  assert_int_equal(entropic_model_export_memory(context, model, set, &bytes, &count), ENTROPIC_BAD_ARGUMENT);
  assert_non_null(strstr(entropic_context_message(context), "name: found 'two words'"));
  assert_null(bytes);
  ASSERT_OK(context, entropic_parameters_set(context, set, "name", "m2"));
  ASSERT_OK(context, entropic_model_export_memory(context, model, set, &bytes, &count));
  ASSERT_OK(context, entropic_model_export(context, model, set, "exported.c"));
  entropic_context_set_threads(context, 1);
  ASSERT_OK(context, entropic_model_export_memory(context, model, set, &again, &same));
  assert_int_equal(count, same);
  assert_memory_equal(bytes, again, count);
  FILE *file = fopen("exported.c", "rb");
  assert_non_null(file);
  assert_int_equal(fread(again, 1, same, file), same);
  assert_int_equal(fgetc(file), EOF);
  fclose(file);
  assert_memory_equal(bytes, again, count);
  entropic_bytes_free(bytes);
  entropic_bytes_free(again);
  entropic_parameters_free(set);
  entropic_parameters_free(fit);
  entropic_model_free(model);
  sheet_stop(&s);
  entropic_context_free(context);
}

SUITE(explain_export) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(levels_are_formulas),
                                     cmocka_unit_test(levels_are_series),
                                     cmocka_unit_test(kernels_are_formulas),
                                     cmocka_unit_test(bends_are_refused),
                                     cmocka_unit_test(functions_have_no_hash),
                                     cmocka_unit_test(knots_are_whole),
                                     cmocka_unit_test(knots_are_rounded),
                                     cmocka_unit_test(scores_stay),
                                     cmocka_unit_test(names_are_inert),
                                     cmocka_unit_test(languages),
                                     cmocka_unit_test(parameters)};
  return cmocka_run_group_tests_name("explain_export", tests, NULL, NULL);
}
