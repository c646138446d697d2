/* The module of JavaScript that a model is exported as.
 *
 * This comment is left out, and all else is written as it stands, but for lines that begin with //=, //?, //: or //.
 * model.c.in says what they mean; the writers are those of js.c.
 */
/*
//= head
 *
 * import {predict} from "./this-file.mjs";
 * predict({name: value, ...})
 *
 * A row is an object by the names of inputs, or a list in the order above. Categories are their
 * names; dates are Date, text such as 2024-12-31 or days; null, undefined, NaN, "" and marks such as
 * "NA" are missing. Blanks around names and texts do not count. In a list categories are codes. selfTest() compares predictions with the model's.
//? date_parts
 * Parts of dates are made of their column; the clock of a Date is UTC, that of text is as written.
//.
 */

/**
 * @typedef {Object} Input
 * @property {string} name
 * @property {"number"|"date"|"category"} type
 * @property {boolean} missing whether values may be missing
 * @property {string} [column] of dates that this is a part of
 * @property {"yearday"|"weekday"|"hour"} [part]
 * @property {string[]} [categories] by code
 * @property {number[]} [range] of numbers in the training rows
 */

/** @type {ReadonlyArray<Input>} */
//= inputs
//= facts
/* Of each input: where its knots begin, and its levels. */
//= scaler
/* Lines that go on outside the training range: the input, and what the line adds to scores one range outside. */
//= beyond
/* Of each level: its shape, depth of cells, first atom, atoms, where its numbers begin. */
//= levels
//? series
//= series
//.
/* Of each feature: where its factors end; the factors, as atoms; the weights. */
//= features
//? effects
/* Of effects: the input and the mean of each atom, the mean of each score, Gauss's rules. */
//= means
//.
//? centres
//= centres
//.
/* Rows, and what the model says of them. */
//= rows

//= marks
const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
/* Those that are numbers count however they are written. */
const markNumbers = new Set([...marks].map(numberOf).filter(isFinite));

/* Number() alone would take hexadecimal numbers and blanks of all kinds, too. */
function numberOf(text) {
  return isNumber.test(text) ? Number(text) : NaN;
}
//? date_parts

/* The part of a date in days since 1970-01-01: the day of the year as in a leap year, the weekday from Monday, the
 * hour. */
function partOf(part, days) {
  let day = Math.floor(days), time = Math.floor((days - day) * 864e5 + 0.5);
  if (time >= 864e5) {
    day += 1;
    time = 0;
  }
  if (part === "hour") return time / 36e5;
  if (part === "weekday") return day + 3 - 7 * Math.floor((day + 3) / 7);
  day += 719468;
  day -= 146097 * Math.floor(day / 146097);
  const years = Math.floor((day - Math.floor(day / 1460) + Math.floor(day / 36524) - Math.floor(day / 146096)) / 365);
  day -= 365 * years + Math.floor(years / 4) - Math.floor(years / 100);
  return day < 306 ? day + 61 : day - 305;
}
//.

const categoryCodes = inputs.map((input) => new Map((input.categories || []).map((name, code) => [name, code])));

/* Blanks around names, categories and values do not count. */
function trim(text) {
  return text.replace(/^[ \t]+|[ \t]+$/g, "");
}

/* The code of a category; categories that are numbers may be written in other ways: 1.0 is 1. */
function categoryCode(value, i) {
  const text = String(value), names = inputs[i].categories, plain = trim(text);
  let code = categoryCodes[i].get(text);
  if (code === undefined) code = categoryCodes[i].get(plain);
  if (code === undefined && isNumber.test(plain))
    code = names.findIndex((name) => isNumber.test(name) && Number(name) === Number(plain));
  return code === undefined || code < 0 ? names.length : code;
}

/* The value of an input by its name. */
function valueOf(row, name) {
  if (Object.prototype.hasOwnProperty.call(row, name)) return row[name];
  const key = Object.keys(row).find((key) => trim(key) === name);
  return key === undefined ? undefined : row[key];
}

/* Days since 1970-01-01; NaN if it is no date. */
function days(text) {
//? clock
  const found = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d(?:\.\d+)?))?(?:Z| ?(?:UTC|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?))?(?: ?\[(?:(?!(?:AM|PM)(?:\]|$))[A-Z]{2,5}|[A-Z][\w+-]*\/[\w+\/-]*[\w+-])\]| (?:(?!(?:AM|PM)(?:\]|$))[A-Z]{2,5}|[A-Z][\w+-]*\/[\w+\/-]*[\w+-]))?)?$/.exec(text);
//:
  const found = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d(?:\.\d+)?))?Z?)?$/.exec(text);
//.
  if (!found) return NaN;
  const date = new Date(found[1] + "-" + found[2] + "-" + found[3] + "T00:00:00Z");
  if (date.getUTCDate() !== Number(found[3])) return NaN;
  const seconds = Number(found[4] || 0) * 3600 + Number(found[5] || 0) * 60 + Number(found[6] || 0);
  return date.getTime() / 864e5 + seconds / 86400;
}

function isMissing(value, number) {
  if (typeof value === "number") return isNaN(value) || (number && markNumbers.has(value));
  if (typeof value !== "string") return value === null || value === undefined;
  const text = trim(value).toLowerCase();
  return text === "" || marks.has(text) || markNumbers.has(numberOf(text)) || (number && numberMarks.has(text));
}

function encodeValue(value, i, date) {
  const input = inputs[i], category = input.type === "category" && !date;
  if (category && categoryCodes[i].has(value)) return categoryCodes[i].get(value);
  if (isMissing(value, !category || typeof value === "number")) return NaN;
  if (category) return categoryCode(value, i);
  let number = value instanceof Date ? value.getTime() / 864e5 : Number(value);
  if (typeof value === "string")
    number = date || input.type === "date" ? days(trim(value)) : numberOf(trim(value));
  if (!isFinite(number)) {
    throw new TypeError("input " + JSON.stringify(input.name) + ": found " + JSON.stringify(String(value)) +
      ", expected a " + (date ? "date" : input.type));
  }
  return number;
}

/**
 * A row as numbers, in the order of inputs. An input that the object does not have is missing.
 * @param {Object<string, *>|ArrayLike<number>} row
 * @returns {Float64Array}
 */
export function encode(row) {
  const x = new Float64Array(inputs.length), list = Array.isArray(row) || ArrayBuffer.isView(row);
  if (list && row.length !== inputs.length)
    throw new TypeError("found " + row.length + " values, expected " + inputs.length);
  for (let i = 0; i < inputs.length; i++) {
    const name = inputs[i].name;
    if (list) x[i] = isMissing(row[i]) ? NaN : row[i];
    else x[i] = encodeValue(valueOf(row, name), i, false);
//? date_parts
    const column = inputs[i].column;
    if (!list && column !== undefined && valueOf(row, name) === undefined && valueOf(row, column) !== undefined)
      x[i] = partOf(inputs[i].part, encodeValue(valueOf(row, column), i, true));
//.
  }
  return x;
}

/* To [0,1]: linear between knots. */
function scale(i, x) {
  const first = knotStarts[i], count = knotStarts[i + 1] - first, last = first + count - 1;
  if (count === 0) return x > 0 ? (x < 1 ? x : 1) : 0;
  if (count === 1) return 0.5;
  if (x < knots[first]) return 0;
  if (x >= knots[last]) return x > knots[last] ? 1 : heights[last];
  let low = first;
  for (let left = count, half; left > 1; left -= half) {
    half = left >> 1;
    if (knots[low + half] <= x) low += half;
  }
  const a = knots[low], b = knots[low + 1], top = heights[low + 1];
  const part = isFinite(b - a) ? (x - a) / (b - a) : (x / 2 - a / 2) / (b / 2 - a / 2);
  const scaled = heights[low] + (top - heights[low]) * part;
  return scaled < top ? scaled : top;
}

/* Where an atom of a level stands among those in use; -1 if it is not. */
function findSlot(level, atom) {
  let low = levels[level + 2];
  for (let count = levels[level + 3], half; count > 1; count -= half) {
    half = count >> 1;
    if (atoms[low + half] <= atom) low += half;
  }
  return atoms[low] === atom ? low : -1;
}

/* numbers[p + 2] sinh(y), where |y| is large by exponentials that cannot overflow. */
function sinh(p, y, far) {
  const size = Math.abs(y);
  if (size <= 1) return numbers[p + 2] * Math.sinh(y);
  return Math.sign(y) * numbers[p] * Math.exp(far) * (1 - Math.exp(-2 * size));
}

function legendre(degree, t) {
  let before = 1, value = t;
  for (let j = 2; j <= degree; j++) {
    const next = ((2 * j - 1) * t * value - (j - 1) * before) / j;
    before = value;
    value = next;
  }
  return value;
}
//? series

/* A Chebyshev series, on the piece that x is in. */
function seriesAt(number, x) {
  let i = series[number], one = 0, two = 0;
  while (i + 1 < series[number + 1] && x > pieces[2 * i + 1]) i++;
  const t = 2 * ((x - pieces[2 * i]) / (pieces[2 * i + 1] - pieces[2 * i])) - 1, first = termStarts[i];
  for (let k = termStarts[i + 1] - 1; k > first; k--) {
    const next = 2 * t * one - two + terms[k];
    two = one;
    one = next;
  }
  return t * one - two + terms[first];
}
//.

/* The value of an atom in use at x; of hats by their height. */
function atomValue(level, slot, x, height) {
  const p = levels[level + 4], scaleOf = numbers[p];
  switch (levels[level]) {
//? series
    case 9: return seriesAt(p + slot - levels[level + 2], x);
//.
    case 3: return scaleOf * (x - numbers[p + 1]);
    case 4: return scaleOf * height;
    case 5: return scaleOf * legendre(numbers[p + 1], 2 * x - 1);
    case 6: return scaleOf * (Math.exp(-numbers[p + 1] * x) + Math.exp(-numbers[p + 1] * (1 - x)));
    case 7: return sinh(p, numbers[p + 1] * (x - 0.5), -numbers[p + 1] * Math.min(x, 1 - x));
    case 8: return sinh(p, numbers[p + 1] * height, numbers[p + 1] * (height - 1));
    default: return scaleOf;
  }
}

function setLevel(level, missing, code, x, value) {
  const shape = levels[level], depth = levels[level + 1];
  let atom = 0, height = 0;
  if (shape === 1) {
    atom = code;
  } else if (shape === 2 ? !missing : missing && shape !== 0) {
    return;
  } else if (depth > 0) {
    const cells = Math.pow(2, depth - 1), u = x * cells;
    atom = Math.min(Math.floor(u), cells - 1);
    height = 2 * Math.min(u - atom, 1 - (u - atom));
  }
  const slot = findSlot(level, atom);
  if (slot >= 0) value[slot] = atomValue(level, slot, x, height);
}

/* The values of all atoms in use. Each component of the model scales the inputs its own way. */
function atomValues(x) {
  const value = new Float64Array(slotCount);
  for (let s = 0; s + 1 < levelStarts.length; s++) {
    const i = s % inputs.length, input = inputs[i], of = x[i];
    let missing = isNaN(of), code = -1, scaled = 0;
    if (input.type === "category") {
      if (missing && keepsMissing[s]) code = input.categories.length;
      else if (of >= 0 && of < input.categories.length && Math.floor(of) === of) code = of;
    } else if (!missing) {
      scaled = scale(s, of);
    } else if (!keepsMissing[s]) {
      scaled = 0.5;
      missing = false;
    }
    for (let l = levelStarts[s]; l < levelStarts[s + 1]; l++) setLevel(5 * l, missing, code, scaled, value);
  }
  return value;
}

/* How far x is outside the training range, in ranges and at most one: below 0 if it is below. */
function outside(i, x) {
  const first = knots[knotStarts[i]], last = knots[knotStarts[i + 1] - 1], half = last / 2 - first / 2;
  const off = x < first ? (x / 2 - first / 2) / half : x > last ? (x / 2 - last / 2) / half : 0;
  return Math.max(-1, Math.min(1, off));
}

//? centres
/* A row as a component scales it. Of a category its code, behind the last one if it is missing, and -1 if it was not
 * seen; -1 where a number is missing and has no place in [0,1]. */
function placeOf(x, first) {
  return inputs.map((input, i) => {
    const count = input.type === "category" ? input.categories.length : 0, of = x[i];
    if (count === 0) return !isNaN(of) ? scale(first + i, of) : keepsMissing[first + i] ? -1 : 0.5;
    if (isNaN(of)) return keepsMissing[first + i] ? count : -1;
    return of >= 0 && of < count && Math.floor(of) === of ? of : -1;
  });
}

/* The kernel of an input between two places. */
function kernelAt([shape, missing, a, b, c, d, e], x, y) {
  const low = Math.min(x, y), high = Math.max(x, y), off = high - low;
  if (missing > 0 && low < 0) return high < 0 ? missing : 1;
  switch (shape) {
    case 1: return a + b * (x - 0.5) * (y - 0.5) - c * off;
    case 2: return a + b * low;
    case 3: return a * low * (1 - high);
    case 4: return Math.exp(-a * off);
    case 5: return a * (Math.exp(-b * off) + c * Math.exp(-b * (low + high)) + d * Math.exp(-b * (2 - low - high)) +
      e * Math.exp(-b * (2 - off)));
    case 6: return a * Math.exp(-b * off) * Math.expm1(-2 * b * low) * Math.expm1(-2 * b * (1 - high));
    default: return a + (x === y ? b : 0);
  }
}

/* Calls visit(number of the row, its place in the tables of inputs, kernels, place of x) for all training rows. */
function eachCentre(x, visit) {
  let row = 0;
  for (const [first, count, kernels] of centres) {
    const at = placeOf(x, first);
    for (let j = 0; j < count; j++, row++) visit(row, row * inputs.length, kernels, at);
  }
}

//.
function scoresOf(x) {
  const value = atomValues(x), sums = Array.from(offsets);
  for (let f = 0, i = 0; f < featureCount; f++) {
    let product = 1;
    for (; i < ends[f]; i++) product *= value[factors[i]];
    for (let k = 0; k < scoreCount; k++) sums[k] += weights[f * scoreCount + k] * product;
  }
//? centres
  eachCentre(x, (row, start, kernels, at) => {
    let product = 1;
    for (let i = 0; i < inputs.length; i++) product *= kernelAt(kernels[i], at[i], coordinates[start + i]);
    for (let k = 0; k < scoreCount; k++) sums[k] += centreWeights[row * scoreCount + k] * product;
  });
//.
  beyond.forEach(([s, i, slopes]) => slopes.forEach((slope, k) => { sums[k] += slope * outside(s, x[i]); }));
  return sums;
}

/**
 * What predictions are made of: a number for each target, one for two classes, or one for each class.
 * @param {Object<string, *>|ArrayLike<number>} row
 * @returns {number[]}
 */
export function scores(row) {
  return scoresOf(encode(row));
}
//? classes

function best(sums) {
//= decide
}

function predictAll(x) {
  return [best(scoresOf(x))];
}

function chances(x) {
  const sums = scoresOf(x), first = best(sums);
  let all;
//= chances
  for (let k = 0; k < first; k++) if (all[k] >= all[first]) all[k] = all[first] * 0.9999999999999999;
  return all;
}

/**
 * The name of the class.
 * @param {Object<string, *>|ArrayLike<number>} row
 * @returns {string}
 */
export function predict(row) {
  return classes[predictAll(encode(row))[0]];
}

/**
 * The probability of each class, in the order of classes.
 * @param {Object<string, *>|ArrayLike<number>} row
 * @returns {number[]}
 */
export function probabilities(row) {
  return chances(encode(row));
}
//:

/* A score as a prediction, before it is clamped. */
function open(score) {
//= predict
}

function clamp(y, k) {
//? bounds
  if (y < bounds[2 * k]) return bounds[2 * k];
  if (y > bounds[2 * k + 1]) return bounds[2 * k + 1];
//.
  return y;
}

function predictAll(x) {
  return scoresOf(x).map((score, k) => clamp(open(score), k));
}

/**
 * The prediction; of several targets a list.
 * @param {Object<string, *>|ArrayLike<number>} row
 * @returns {number|number[]}
 */
export function predict(row) {
  const all = predictAll(encode(row));
  return targets.length > 1 ? all : all[0];
}
//.
//? effects

/* Adds the Shapley values of a feature: the integral over t from 0 to 1 of what each factor adds to the product of
 * mean + t * difference. Gauss's rule is exact. */
function addEffects(value, f, start, sums) {
  const count = ends[f] - start;
  const part = new Float64Array(count), behind = new Float64Array(count + 1);
  let rule = (count + 1) >> 1, first = (rule * (rule - 1)) / 2;
//? long_features
//= largest_rule
//.
  for (let q = first; q < first + rule; q++) {
    const t = nodes[q];
    behind[count] = 1;
    for (let i = count - 1; i >= 0; i--) {
      const slot = factors[start + i];
      behind[i] = behind[i + 1] * (means[slot] + t * (value[slot] - means[slot]));
    }
    for (let i = 0, before = nodeWeights[q]; i < count; i++) {
      const slot = factors[start + i];
      part[i] += before * (value[slot] - means[slot]) * behind[i + 1];
      before *= means[slot] + t * (value[slot] - means[slot]);
    }
  }
  for (let k = 0; k < scoreCount; k++) {
    for (let i = 0; i < count; i++)
      sums[k][1 + owners[factors[start + i]]] += weights[f * scoreCount + k] * part[i];
  }
}

//? centres
/* Adds the Shapley values of the training rows: each is a product of the kernels of all inputs, in the way of a
 * feature. */
function addCentreEffects(x, sums) {
  const count = inputs.length, off = new Float64Array(count), behind = new Float64Array(count + 1);
  let rule = (count + 1) >> 1, first = (rule * (rule - 1)) / 2;
//? long_features
//= largest_rule
//.
  eachCentre(x, (row, start, kernels, at) => {
    const part = new Float64Array(count);
    for (let i = 0; i < count; i++)
      off[i] = kernelAt(kernels[i], at[i], coordinates[start + i]) - centreMeans[start + i];
    for (let q = first; q < first + rule; q++) {
      const t = nodes[q];
      behind[count] = 1;
      for (let i = count - 1; i >= 0; i--) behind[i] = behind[i + 1] * (centreMeans[start + i] + t * off[i]);
      for (let i = 0, before = nodeWeights[q]; i < count; i++) {
        part[i] += before * off[i] * behind[i + 1];
        before *= centreMeans[start + i] + t * off[i];
      }
    }
    for (let k = 0; k < scoreCount; k++)
      for (let i = 0; i < count; i++) sums[k][1 + i] += centreWeights[row * scoreCount + k] * part[i];
  });
}

//.
function effectsOf(x) {
  const value = atomValues(x), sums = [];
  for (let k = 0; k < scoreCount; k++) sums.push([base[k]].concat(inputs.map(() => 0)));
  for (let f = 0, start = 0; f < featureCount; start = ends[f++]) addEffects(value, f, start, sums);
//? centres
  addCentreEffects(x, sums);
//.
  beyond.forEach(([s, i, slopes]) => slopes.forEach((slope, k) => { sums[k][1 + i] += slope * outside(s, x[i]); }));
  return sums;
}

/**
 * Of each score the mean over the training rows, then the effect of each input: its Shapley value. They add up to
 * the score.
 * @param {Object<string, *>|ArrayLike<number>} row
 * @returns {number[][]}
 */
export function effects(row) {
  return effectsOf(encode(row));
}
//:

/* No effects: the model keeps no marginals of its training rows. */
//.
//? intervals

//= quantiles
//? classes
//:
/* Of each target: the factors of its spread. Input -1 is the score. */
const spreads = [
//= spreads
//.

function quantileLevel(i) {
  const left = 1 - (i + 1) / quantileCount;
  return 1 - left * left;
}

/* The quantile of a level: linear between two of the table. */
function quantileAt(target, level) {
  const first = quantileCount * target;
  let above = 0;
  for (let step = quantileCount >> 1; step > 0; step >>= 1)
    if (quantileLevel(above + step - 1) < level) above += step;
  const low = above > 0 ? quantileLevel(above - 1) : 0, from = above > 0 ? quantiles[first + above - 1] : 0;
  const share = (level - low) / (quantileLevel(above) - low), to = quantiles[first + above];
  return share >= 1 ? to : from + share * (to - from);
}

function checkLevel(level) {
  if (!(level > 0 && level <= highestLevel))
    throw new RangeError("level: found " + level + ", expected a number above 0, at most " + highestLevel);
}
//? classes

/* For each class 1 if it is in the set, otherwise 0. */
function setOf(x, level) {
  const q = quantileAt(0, level), first = predictAll(x)[0];
  return chances(x).map((chance, k) => (1 - chance <= q || k === first ? 1 : 0));
}

/**
 * The names of the classes in a set that has the right one with about this probability. The predicted class is always
 * in it. About rows that are like the training rows: it is a share of rows, not of each kind of row.
 * @param {Object<string, *>|ArrayLike<number>} row
 * @param {number} [level] above 0, at most highestLevel
 * @returns {string[]}
 */
export function classSet(row, level = 0.9) {
  checkLevel(level);
  const all = setOf(encode(row), level);
  return classes.filter((name, k) => all[k] > 0);
}
//:

/* Linear between knots, constant beyond them. */
function factorAt(of, value) {
  const last = of.knots.length - 1;
  if (isNaN(value)) return of.missing;
  if (value <= of.knots[0]) return of.factors[0];
  if (value > of.knots[last]) return of.factors[last];
  let i = 1;
  while (of.knots[i] < value) i++;
  const share = (value - of.knots[i - 1]) / (of.knots[i] - of.knots[i - 1]);
  return of.factors[i - 1] + share * (of.factors[i] - of.factors[i - 1]);
}

/* How wide the residuals of a target spread at a row. */
function spreadAt(target, x, score) {
  return spreads[target].reduce((product, of) => {
    let value = of.input < 0 ? score : x[of.input];
    const names = of.input < 0 ? undefined : inputs[of.input].categories;
    if (names && !(value >= 0 && value < names.length && Math.floor(value) === value)) value = NaN;
    return product * factorAt(of, value);
  }, 1);
}

/* Lower and upper end for each target. */
function endsOf(x, level) {
  return scoresOf(x).map((sum, k) => {
    const predicted = open(sum);
//= score_of
    const half = quantileAt(k, level) * spreadAt(k, x, score);
    const ends = [score - half, score + half].map((end) =>
//= target_of
    return [clamp(Math.min(ends[0], ends[1], predicted), k), clamp(Math.max(ends[0], ends[1], predicted), k)];
  });
}

/**
 * Lower and upper end of an interval that has the target with about this probability; of several targets a list of
 * both for each. About rows that are like the training rows: it is a share of rows, not of each kind of row.
 * @param {Object<string, *>|ArrayLike<number>} row
 * @param {number} [level] above 0, at most highestLevel
 * @returns {number[]|number[][]}
 */
export function interval(row, level = 0.9) {
  checkLevel(level);
  const all = endsOf(encode(row), level);
  return targets.length > 1 ? all : all[0];
}
//.
//:

/* No intervals: the model has none. */
//.

function compare(what, wanted, find) {
  const found = [], width = inputs.length;
  for (let r = 0; r < check.count; r++) found.push(...find(check.rows.slice(r * width, (r + 1) * width), r));
  const known = wanted.map((value) => (isNaN(value) ? 0 : Math.abs(value)));
  const most = known.reduce((a, b) => Math.max(a, b), check.size);
  for (let i = 0; i < wanted.length; i++) {
    if (!isNaN(wanted[i]) && !(Math.abs(found[i] - wanted[i]) <= 1e-12 * most))
      throw new Error(what + ": found " + found[i] + ", expected " + wanted[i]);
  }
  return wanted.length;
}

/**
 * Compares answers with those of the model; throws an Error if they differ. Returns how many were compared.
 * @returns {number}
 */
export function selfTest() {
  let count = compare("scores", check.scores, scoresOf) + compare("predictions", check.predictions, predictAll);
//? classes
  count += compare("probabilities", check.probabilities, chances);
//.
//? effects
  count += compare("effects", check.effects, (x) => [].concat(...effectsOf(x)));
//.
//? intervals
//? classes
  count += compare("sets", check.sets, (x, r) => setOf(x, check.levels[r]));
//:
  count += compare("intervals", check.intervals, (x, r) => {
    const ends = endsOf(x, check.levels[r]);
    return ends.map((end) => end[0]).concat(ends.map((end) => end[1]));
  });
//.
//.
  return count;
}
