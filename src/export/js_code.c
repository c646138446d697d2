/* The functions of a module of JavaScript. */
#include "export/languages.h"

static const char encoding[] =
    "\n"
    "const categoryCodes = inputs.map((input) => new Map((input.categories || []).map((name, code) => [name, "
    "code])));\n"
    "\n"
    "/* Blanks around names, categories and values do not count. */\n"
    "function trim(text) {\n"
    "  return text.replace(/^[ \\t]+|[ \\t]+$/g, \"\");\n"
    "}\n"
    "\n"
    "/* The code of a category; categories that are numbers may be written in other ways: 1.0 is 1. */\n"
    "function categoryCode(value, i) {\n"
    "  const text = String(value), names = inputs[i].categories, plain = trim(text);\n"
    "  let code = categoryCodes[i].get(text);\n"
    "  if (code === undefined) code = categoryCodes[i].get(plain);\n"
    "  if (code === undefined && isNumber.test(plain))\n"
    "    code = names.findIndex((name) => isNumber.test(name) && Number(name) === Number(plain));\n"
    "  return code === undefined || code < 0 ? names.length : code;\n"
    "}\n"
    "\n"
    "/* The value of an input by its name. */\n"
    "function valueOf(row, name) {\n"
    "  if (Object.prototype.hasOwnProperty.call(row, name)) return row[name];\n"
    "  const key = Object.keys(row).find((key) => trim(key) === name);\n"
    "  return key === undefined ? undefined : row[key];\n"
    "}\n"
    "\n"
    "/* Days since 1970-01-01; NaN if it is no date. */\n"
    "function days(text) {\n";

/* A zone changes nothing where the clock counts. */
static const char plain_dates[] = "  const found = /^(\\d{4})-(\\d{2})-(\\d{2})(?:[T "
                                  "]([01]\\d|2[0-3]):([0-5]\\d)(?::([0-5]\\d(?:\\.\\d+)?))?Z?)?$/.exec(text);\n";
static const char zoned_dates[] =
    "  const found = /^(\\d{4})-(\\d{2})-(\\d{2})(?:[T ]([01]\\d|2[0-3]):([0-5]\\d)(?::([0-5]\\d(?:\\.\\d+)?))?"
    "(?:Z| ?(?:UTC|[+-](?:0\\d|1[0-4])(?::?[0-5]\\d)?))?)?$/.exec(text);\n";

static const char encoding_rows[] =
    "  if (!found) return NaN;\n"
    "  const date = new Date(found[1] + \"-\" + found[2] + \"-\" + found[3] + \"T00:00:00Z\");\n"
    "  if (date.getUTCDate() !== Number(found[3])) return NaN;\n"
    "  const seconds = Number(found[4] || 0) * 3600 + Number(found[5] || 0) * 60 + Number(found[6] || 0);\n"
    "  return date.getTime() / 864e5 + seconds / 86400;\n"
    "}\n"
    "\n"
    "function isMissing(value, number) {\n"
    "  if (typeof value === \"number\") return isNaN(value) || (number && markNumbers.has(value));\n"
    "  if (typeof value !== \"string\") return value === null || value === undefined;\n"
    "  const text = trim(value).toLowerCase();\n"
    "  return text === \"\" || marks.has(text) || markNumbers.has(numberOf(text)) || (number && "
    "numberMarks.has(text));\n"
    "}\n"
    "\n"
    "function encodeValue(value, i, date) {\n"
    "  const input = inputs[i], category = input.type === \"category\" && !date;\n"
    "  if (category && categoryCodes[i].has(value)) return categoryCodes[i].get(value);\n"
    "  if (isMissing(value, !category || typeof value === \"number\")) return NaN;\n"
    "  if (category) return categoryCode(value, i);\n"
    "  let number = value instanceof Date ? value.getTime() / 864e5 : Number(value);\n"
    "  if (typeof value === \"string\")\n"
    "    number = date || input.type === \"date\" ? days(trim(value)) : numberOf(trim(value));\n"
    "  if (!isFinite(number)) {\n"
    "    throw new TypeError(\"input \" + JSON.stringify(input.name) + \": found \" + JSON.stringify(String(value)) +\n"
    "      \", expected a \" + (date ? \"date\" : input.type));\n"
    "  }\n"
    "  return number;\n"
    "}\n"
    "\n"
    "/**\n"
    " * A row as numbers, in the order of inputs. An input that the object does not have is missing.\n"
    " * @param {Object<string, *>|ArrayLike<number>} row\n"
    " * @returns {Float64Array}\n"
    " */\n"
    "export function encode(row) {\n"
    "  const x = new Float64Array(inputs.length), list = Array.isArray(row) || ArrayBuffer.isView(row);\n"
    "  if (list && row.length !== inputs.length)\n"
    "    throw new TypeError(\"found \" + row.length + \" values, expected \" + inputs.length);\n"
    "  for (let i = 0; i < inputs.length; i++) {\n"
    "    const name = inputs[i].name;\n"
    "    if (list) x[i] = isMissing(row[i]) ? NaN : row[i];\n"
    "    else x[i] = encodeValue(valueOf(row, name), i, false);\n";

static const char encoding_parts[] =
    "    const column = inputs[i].column;\n"
    "    if (!list && column !== undefined && valueOf(row, name) === undefined && valueOf(row, column) !== undefined)\n"
    "      x[i] = partOf(inputs[i].part, encodeValue(valueOf(row, column), i, true));\n";

static const char encoding_end[] = "  }\n"
                                   "  return x;\n"
                                   "}\n"
                                   "\n";

static const char scaling[] =
    "/* To [0,1]: linear between knots. */\n"
    "function scale(i, x) {\n"
    "  const first = knotStarts[i], count = knotStarts[i + 1] - first, last = first + count - 1;\n"
    "  if (count === 0) return x > 0 ? (x < 1 ? x : 1) : 0;\n"
    "  if (count === 1) return 0.5;\n"
    "  if (x < knots[first]) return 0;\n"
    "  if (x >= knots[last]) return x > knots[last] ? 1 : heights[last];\n"
    "  let low = first;\n"
    "  for (let left = count, half; left > 1; left -= half) {\n"
    "    half = left >> 1;\n"
    "    if (knots[low + half] <= x) low += half;\n"
    "  }\n"
    "  const a = knots[low], b = knots[low + 1], top = heights[low + 1];\n"
    "  const part = isFinite(b - a) ? (x - a) / (b - a) : (x / 2 - a / 2) / (b / 2 - a / 2);\n"
    "  const scaled = heights[low] + (top - heights[low]) * part;\n"
    "  return scaled < top ? scaled : top;\n"
    "}\n"
    "\n"
    "/* Where an atom of a level stands among those in use; -1 if it is not. */\n"
    "function findSlot(level, atom) {\n"
    "  let low = levels[level + 2];\n"
    "  for (let count = levels[level + 3], half; count > 1; count -= half) {\n"
    "    half = count >> 1;\n"
    "    if (atoms[low + half] <= atom) low += half;\n"
    "  }\n"
    "  return atoms[low] === atom ? low : -1;\n"
    "}\n"
    "\n"
    "/* numbers[p + 2] sinh(y), where |y| is large by exponentials that cannot overflow. */\n"
    "function sinh(p, y, far) {\n"
    "  const size = Math.abs(y);\n"
    "  if (size <= 1) return numbers[p + 2] * Math.sinh(y);\n"
    "  return Math.sign(y) * numbers[p] * Math.exp(far) * (1 - Math.exp(-2 * size));\n"
    "}\n"
    "\n"
    "function legendre(degree, t) {\n"
    "  let before = 1, value = t;\n"
    "  for (let j = 2; j <= degree; j++) {\n"
    "    const next = ((2 * j - 1) * t * value - (j - 1) * before) / j;\n"
    "    before = value;\n"
    "    value = next;\n"
    "  }\n"
    "  return value;\n"
    "}\n";

static const char series[] =
    "\n"
    "/* A Chebyshev series, on the piece that x is in. */\n"
    "function seriesAt(number, x) {\n"
    "  let i = series[number], one = 0, two = 0;\n"
    "  while (i + 1 < series[number + 1] && x > pieces[2 * i + 1]) i++;\n"
    "  const t = 2 * ((x - pieces[2 * i]) / (pieces[2 * i + 1] - pieces[2 * i])) - 1, first = termStarts[i];\n"
    "  for (let k = termStarts[i + 1] - 1; k > first; k--) {\n"
    "    const next = 2 * t * one - two + terms[k];\n"
    "    two = one;\n"
    "    one = next;\n"
    "  }\n"
    "  return t * one - two + terms[first];\n"
    "}\n";

static const char value_begin[] = "\n"
                                  "/* The value of an atom in use at x; of hats by their height. */\n"
                                  "function atomValue(level, slot, x, height) {\n"
                                  "  const p = levels[level + 4], scaleOf = numbers[p];\n"
                                  "  switch (levels[level]) {\n";
static const char value_series[] = "    case 9: return seriesAt(p + slot - levels[level + 2], x);\n";

static const char values[] =
    "    case 3: return scaleOf * (x - numbers[p + 1]);\n"
    "    case 4: return scaleOf * height;\n"
    "    case 5: return scaleOf * legendre(numbers[p + 1], 2 * x - 1);\n"
    "    case 6: return scaleOf * (Math.exp(-numbers[p + 1] * x) + Math.exp(-numbers[p + 1] * (1 - x)));\n"
    "    case 7: return sinh(p, numbers[p + 1] * (x - 0.5), -numbers[p + 1] * Math.min(x, 1 - x));\n"
    "    case 8: return sinh(p, numbers[p + 1] * height, numbers[p + 1] * (height - 1));\n"
    "    default: return scaleOf;\n"
    "  }\n"
    "}\n"
    "\n"
    "function setLevel(level, missing, code, x, value) {\n"
    "  const shape = levels[level], depth = levels[level + 1];\n"
    "  let atom = 0, height = 0;\n"
    "  if (shape === 1) {\n"
    "    atom = code;\n"
    "  } else if (shape === 2 ? !missing : missing && shape !== 0) {\n"
    "    return;\n"
    "  } else if (depth > 0) {\n"
    "    const cells = Math.pow(2, depth - 1), u = x * cells;\n"
    "    atom = Math.min(Math.floor(u), cells - 1);\n"
    "    height = 2 * Math.min(u - atom, 1 - (u - atom));\n"
    "  }\n"
    "  const slot = findSlot(level, atom);\n"
    "  if (slot >= 0) value[slot] = atomValue(level, slot, x, height);\n"
    "}\n"
    "\n"
    "/* The values of all atoms in use. */\n"
    "function atomValues(x) {\n"
    "  const value = new Float64Array(slotCount);\n"
    "  for (let i = 0; i < inputs.length; i++) {\n"
    "    const input = inputs[i], of = x[i];\n"
    "    let missing = isNaN(of), code = -1, scaled = 0;\n"
    "    if (input.type === \"category\") {\n"
    "      if (missing && input.missing) code = input.categories.length;\n"
    "      else if (of >= 0 && of < input.categories.length && Math.floor(of) === of) code = of;\n"
    "    } else if (!missing) {\n"
    "      scaled = scale(i, of);\n"
    "    } else if (!input.missing) {\n"
    "      scaled = 0.5;\n"
    "      missing = false;\n"
    "    }\n"
    "    for (let l = levelStarts[i]; l < levelStarts[i + 1]; l++) setLevel(5 * l, missing, code, scaled, value);\n"
    "  }\n"
    "  return value;\n"
    "}\n"
    "\n"
    "/* How far x is outside the training range, in ranges and at most one: below 0 if it is below. */\n"
    "function outside(i, x) {\n"
    "  const first = knots[knotStarts[i]], last = knots[knotStarts[i + 1] - 1], half = last / 2 - first / 2;\n"
    "  const off = x < first ? (x / 2 - first / 2) / half : x > last ? (x / 2 - last / 2) / half : 0;\n"
    "  return Math.max(-1, Math.min(1, off));\n"
    "}\n"
    "\n"
    "function scoresOf(x) {\n"
    "  const value = atomValues(x), sums = Array.from(offsets);\n"
    "  for (let f = 0, i = 0; f < featureCount; f++) {\n"
    "    let product = 1;\n"
    "    for (; i < ends[f]; i++) product *= value[factors[i]];\n"
    "    for (let k = 0; k < scoreCount; k++) sums[k] += weights[f * scoreCount + k] * product;\n"
    "  }\n"
    "  beyond.forEach(([i, slopes]) => slopes.forEach((slope, k) => { sums[k] += slope * outside(i, x[i]); }));\n"
    "  return sums;\n"
    "}\n"
    "\n"
    "/**\n"
    " * What predictions are made of: a number for each target, one for two classes, or one for each class.\n"
    " * @param {Object<string, *>|ArrayLike<number>} row\n"
    " * @returns {number[]}\n"
    " */\n"
    "export function scores(row) {\n"
    "  return scoresOf(encode(row));\n"
    "}\n";

static const char numbers_begin[] =
    "\n"
    "/* A score as a prediction, before it is clamped. */\n"
    "function open(score) {\n"
    "  return root ? root.origin + root.sign * ((score > 0 ? score * score : 0) + root.bias) : score;\n"
    "}\n"
    "\n"
    "function clamp(y, k) {\n";
static const char bounds[] = "  if (y < bounds[2 * k]) return bounds[2 * k];\n"
                             "  if (y > bounds[2 * k + 1]) return bounds[2 * k + 1];\n";
static const char numbers_end[] = "  return y;\n"
                                  "}\n"
                                  "\n"
                                  "function predictAll(x) {\n"
                                  "  return scoresOf(x).map((score, k) => clamp(open(score), k));\n"
                                  "}\n"
                                  "\n"
                                  "/**\n"
                                  " * The prediction; of several targets a list.\n"
                                  " * @param {Object<string, *>|ArrayLike<number>} row\n"
                                  " * @returns {number|number[]}\n"
                                  " */\n"
                                  "export function predict(row) {\n"
                                  "  const all = predictAll(encode(row));\n"
                                  "  return targets.length > 1 ? all : all[0];\n"
                                  "}\n";

static const char classes_text[] =
    "\n"
    "function best(sums) {\n"
    "  if (classes.length === 2) return sums[0] > 0 ? 1 : 0;\n"
    "  return sums.reduce((found, score, k) => (score > sums[found] ? k : found), 0);\n"
    "}\n"
    "\n"
    "function predictAll(x) {\n"
    "  return [best(scoresOf(x))];\n"
    "}\n"
    "\n"
    "function chances(x) {\n"
    "  const sums = scoresOf(x), first = best(sums);\n"
    "  let all;\n"
    "  if (classes.length === 2) {\n"
    "    const score = inverseTemperature * sums[0], rest = Math.exp(-Math.abs(score)), small = rest / (1 + rest);\n"
    "    all = score < 0 ? [1 - small, small] : [small, 1 - small];\n"
    "  } else {\n"
    "    const most = sums[first];\n"
    "    all = sums.map((score) => (score === most ? 1 : Math.exp(inverseTemperature * (score - most))));\n"
    "    const total = all.reduce((a, b) => a + b, 0);\n"
    "    all = all.map((chance) => chance / total);\n"
    "  }\n"
    "  for (let k = 0; k < first; k++) if (all[k] >= all[first]) all[k] = all[first] * 0.9999999999999999;\n"
    "  return all;\n"
    "}\n"
    "\n"
    "/**\n"
    " * The name of the class.\n"
    " * @param {Object<string, *>|ArrayLike<number>} row\n"
    " * @returns {string}\n"
    " */\n"
    "export function predict(row) {\n"
    "  return classes[predictAll(encode(row))[0]];\n"
    "}\n"
    "\n"
    "/**\n"
    " * The probability of each class, in the order of classes.\n"
    " * @param {Object<string, *>|ArrayLike<number>} row\n"
    " * @returns {number[]}\n"
    " */\n"
    "export function probabilities(row) {\n"
    "  return chances(encode(row));\n"
    "}\n";

static const char effects_text[] =
    "\n"
    "/* Adds the Shapley values of a feature: the integral over t from 0 to 1 of what each factor adds to the product "
    "of\n"
    " * mean + t * difference. Gauss's rule is exact. */\n"
    "function addEffects(value, f, start, sums) {\n"
    "  const count = ends[f] - start;\n"
    "  const part = new Float64Array(count), behind = new Float64Array(count + 1);\n"
    "  let rule = (count + 1) >> 1, first = (rule * (rule - 1)) / 2;\n";

/* Features of more factors share one rule: see ent_effect_rule. */
#define LARGEST_RULE "  if (rule > %zu) {\n    rule = %zu;\n    first = %zu;\n  }\n"

static const char effects_nodes[] =
    "  for (let q = first; q < first + rule; q++) {\n"
    "    const t = nodes[q];\n"
    "    behind[count] = 1;\n"
    "    for (let i = count - 1; i >= 0; i--) {\n"
    "      const slot = factors[start + i];\n"
    "      behind[i] = behind[i + 1] * (means[slot] + t * (value[slot] - means[slot]));\n"
    "    }\n"
    "    for (let i = 0, before = nodeWeights[q]; i < count; i++) {\n"
    "      const slot = factors[start + i];\n"
    "      part[i] += before * (value[slot] - means[slot]) * behind[i + 1];\n"
    "      before *= means[slot] + t * (value[slot] - means[slot]);\n"
    "    }\n"
    "  }\n"
    "  for (let k = 0; k < scoreCount; k++) {\n"
    "    for (let i = 0; i < count; i++)\n"
    "      sums[k][1 + owners[factors[start + i]]] += weights[f * scoreCount + k] * part[i];\n"
    "  }\n"
    "}\n"
    "\n"
    "function effectsOf(x) {\n"
    "  const value = atomValues(x), sums = [];\n"
    "  for (let k = 0; k < scoreCount; k++) sums.push([base[k]].concat(inputs.map(() => 0)));\n"
    "  for (let f = 0, start = 0; f < featureCount; start = ends[f++]) addEffects(value, f, start, sums);\n"
    "  beyond.forEach(([i, slopes]) => slopes.forEach((slope, k) => { sums[k][1 + i] += slope * outside(i, x[i]); "
    "}));\n"
    "  return sums;\n"
    "}\n"
    "\n"
    "/**\n"
    " * Of each score the mean over the training rows, then the effect of each input: its Shapley value. They add up "
    "to\n"
    " * the score.\n"
    " * @param {Object<string, *>|ArrayLike<number>} row\n"
    " * @returns {number[][]}\n"
    " */\n"
    "export function effects(row) {\n"
    "  return effectsOf(encode(row));\n"
    "}\n";

static const char no_effects[] = "\n/* No effects: the model keeps no marginals of its training rows. */\n";

static const char testing[] =
    "\n"
    "function compare(what, wanted, find) {\n"
    "  const found = [], width = inputs.length;\n"
    "  for (let r = 0; r < check.count; r++) found.push(...find(check.rows.slice(r * width, (r + 1) * width), r));\n"
    "  const known = wanted.map((value) => (isNaN(value) ? 0 : Math.abs(value)));\n"
    "  const most = known.reduce((a, b) => Math.max(a, b), 0);\n"
    "  for (let i = 0; i < wanted.length; i++) {\n"
    "    if (!isNaN(wanted[i]) && !(Math.abs(found[i] - wanted[i]) <= 1e-12 * most))\n"
    "      throw new Error(what + \": found \" + found[i] + \", expected \" + wanted[i]);\n"
    "  }\n"
    "  return wanted.length;\n"
    "}\n"
    "\n"
    "/**\n"
    " * Compares answers with those of the model; throws an Error if they differ. Returns how many were compared.\n"
    " * @returns {number}\n"
    " */\n"
    "export function selfTest() {\n"
    "  let count = compare(\"scores\", check.scores, scoresOf) + compare(\"predictions\", check.predictions, "
    "predictAll);\n";

static const char test_intervals[] = "  count += compare(\"intervals\", check.intervals, (x, r) => {\n"
                                     "    const ends = endsOf(x, check.levels[r]);\n"
                                     "    return ends.map((end) => end[0]).concat(ends.map((end) => end[1]));\n"
                                     "  });\n";
static const char test_sets[] = "  count += compare(\"sets\", check.sets, (x, r) => setOf(x, check.levels[r]));\n";

static void write_effects(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_plain(text, effects_text);
  if (parts->most > 2 * ENT_RULES)
    ent_export_format(text, LARGEST_RULE, ENT_RULES, parts->effects->long_nodes, ENT_RULES * (ENT_RULES + 1) / 2);
  ent_export_plain(text, effects_nodes);
}

void ent_export_js_functions(ent_export_text *text, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  ent_export_plain(text, "\nconst marks = new Set(");
  ent_export_js_string(text, ent_export_marks(parts));
  ent_export_plain(text, ".toLowerCase().split(\",\"));\nconst numberMarks = new Set(");
  ent_export_js_string(text, ENT_EXPORT_NUMBER_MARKS);
  ent_export_plain(text, ".toLowerCase().split(\",\"));\n"
                         "const isNumber = /^[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?$/;\n"
                         "/* Those that are numbers count however they are written. */\n"
                         "const markNumbers = new Set([...marks].map(numberOf).filter(isFinite));\n"
                         "\n"
                         "/* Number() alone would take hexadecimal numbers and blanks of all kinds, too. */\n"
                         "function numberOf(text) {\n"
                         "  return isNumber.test(text) ? Number(text) : NaN;\n"
                         "}\n");
  ent_export_js_dates(text, parts);
  ent_export_plain(text, encoding);
  ent_export_plain(text, ent_export_has_clock(parts) ? zoned_dates : plain_dates);
  ent_export_plain(text, encoding_rows);
  if (ent_export_has_parts(parts))
    ent_export_plain(text, encoding_parts);
  ent_export_plain(text, encoding_end);
  ent_export_plain(text, scaling);
  if (parts->used[ENT_EXPORT_SERIES])
    ent_export_plain(text, series);
  ent_export_plain(text, value_begin);
  if (parts->used[ENT_EXPORT_SERIES])
    ent_export_plain(text, value_series);
  ent_export_plain(text, values);
  if (model->schema.classes > 0) {
    ent_export_plain(text, classes_text);
  } else {
    ent_export_plain(text, numbers_begin);
    ent_export_plain(text, model->bounds != NULL ? bounds : "");
    ent_export_plain(text, numbers_end);
  }
  if (parts->has_effects)
    write_effects(text, parts);
  else
    ent_export_plain(text, no_effects);
  ent_export_js_intervals(text, parts);
  ent_export_plain(text, testing);
  if (model->schema.classes > 0)
    ent_export_plain(text, "  count += compare(\"probabilities\", check.probabilities, chances);\n");
  if (parts->has_effects)
    ent_export_plain(text, "  count += compare(\"effects\", check.effects, (x) => [].concat(...effectsOf(x)));\n");
  if (model->intervals != NULL)
    ent_export_plain(text, model->schema.classes > 0 ? test_sets : test_intervals);
  ent_export_plain(text, "  return count;\n}\n");
}
