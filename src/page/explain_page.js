/* The page of an explanation: pictures of effects, and a panel that asks the model. The exported model stands behind this
 * script, which draws the pictures without it, and then calls entropicPage.ask with its functions. */
const entropicPage = (() => {
const numbers = JSON.parse(document.getElementById("numbers").textContent);
const several = numbers.base.length > 1, classified = numbers.classes.length > 0;
const FIRST = 20, MORE = 20, MAPS = 6, CATEGORIES = 24;
const state = {score: 0, scale: "effect", axis: "value", filter: "", shown: {ranking: FIRST, curves: FIRST, pairs: MAPS, panel: FIRST}};

/* ---- Elements ---- */

const SVG = "http://www.w3.org/2000/svg";
function fill(element, attributes, children) {
  for (const key in attributes) {
    const value = attributes[key];
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined) element.append(child);
  return element;
}
const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
const place = (id) => document.getElementById(id);
const cut = (text, most) => (Array.from(text).length > most ? Array.from(text).slice(0, most - 1).join("") + "…" : text);
/* A name of any characters, in any direction, stays where it is. It may be broken behind marks between words. */
function nameOf(text, most) {
  const shown = cut(text, most || 60), parts = shown.split(/(?<=[_./:-])/);
  return h("bdi", {class: "name", title: shown === text ? null : text}, parts.map((part, i) => (i > 0 ? [h("wbr"), part] : part)));
}

/* ---- Numbers for people ---- */

function show(value, digits) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return (value < 0 ? "−" : "") + "∞";
  const size = Math.abs(value), precise = Number(size.toPrecision(digits || 4));
  let text = String(precise);
  if (precise >= 1e9 || precise < 1e-5) text = precise.toExponential().replace("e+", "e");
  else if (precise >= 10000) text = text.replace(/\B(?=(\d{3})+(?!\d))/g, (found, digit, at) => (text.indexOf(".") < 0 || at < text.indexOf(".") ? "," : ""));
  return (value < 0 ? "−" : "") + text;
}
const signed = (value, digits) => (value > 0 ? "+" : "") + show(value, digits);
const percent = (share) => (share === null || share === undefined ? "–" : share > 0 && share < 0.0005 ? "< 0.1 %" : (100 * share).toFixed(1) + " %");
const pad = (number, count) => String(number).padStart(count, "0");
function showDate(days) {
  const date = new Date(Math.round(days * 86400) * 1000);
  if (Number.isNaN(date.getTime())) return show(days);
  const day = pad(date.getUTCFullYear(), 4) + "-" + pad(date.getUTCMonth() + 1, 2) + "-" + pad(date.getUTCDate(), 2);
  const time = pad(date.getUTCHours(), 2) + ":" + pad(date.getUTCMinutes(), 2) + ":" + pad(date.getUTCSeconds(), 2);
  return time === "00:00:00" ? day : day + " " + time;
}
function showTime(seconds) {
  const whole = Math.floor(seconds), rest = seconds - whole;
  const text = pad(Math.floor(whole / 3600), 2) + ":" + pad(Math.floor(whole / 60) % 60, 2);
  return whole % 60 === 0 && rest === 0 ? text : text + ":" + pad(whole % 60, 2) + (rest > 0 ? String(Number(rest.toFixed(6))).slice(1) : "");
}
/* A value of an input, by its kind; of a category point p of its points. */
function showValue(input, value, points, p) {
  if (value === null || value === undefined || Number.isNaN(value)) return "missing";
  if (input.k === "c") return points && points.c ? cut(points.c[p], 40) : String(value);
  return input.k === "d" ? showDate(value) : input.k === "t" ? showTime(value) : show(value, 5);
}

/* ---- What scores mean ---- */

const scoreName = (k) => (classified ? (several ? numbers.classes[k] : numbers.classes[1]) : numbers.targets[k]);
/* What a score is said to be: the answer of the model if all other effects are zero. scores has all of them. */
function answer(scores, k) {
  if (classified) {
    if (!several) return 1 / (1 + Math.exp(-numbers.temperature * scores[0]));
    const most = Math.max(...scores), all = scores.map((score) => Math.exp(numbers.temperature * (score - most)));
    return all[k] / all.reduce((a, b) => a + b, 0);
  }
  let y = scores[k];
  if (numbers.root) y = numbers.root[1] + numbers.root[0] * ((y > 0 ? y * y : 0) + numbers.root[2]);
  if (numbers.bounds) {
    const low = numbers.bounds[2 * k], high = numbers.bounds[2 * k + 1];
    if (low !== null && y < low) y = low;
    if (high !== null && y > high) y = high;
  }
  return y;
}
const scaleOf = numbers.root ? "root" : numbers.scale; /* of effects; undefined: that of the target */
const scales = classified ? {effect: "effects on the score", answer: "probabilities, if all other effects are zero"}
  : {effect: scaleOf ? "effects on the " + scaleOf + " of the target" : "effects on the prediction", answer: "predictions, if all other effects are zero"};
if (numbers.scale) delete scales.answer;
const axes = {value: "in their units", place: "as the model scales them"};
/* What the pictures show, with the class or target that they show it of. */
function scaleName() {
  const of = cut(scoreName(state.score), 30);
  if (classified) return state.scale === "effect" ? "effect on the score of " + of : "probability of " + of;
  return state.scale === "effect" ? (scaleOf ? "effect on the " + scaleOf + " of " : "effect on ") + of : of;
}
/* The line of an input in the scale that is chosen. */
function lineOf(input) {
  if (state.scale === "effect") return input.y[state.score];
  return input.y[state.score].map((unused, p) => answer(numbers.base.map((base, k) => base + input.y[k][p]), state.score));
}
/* Whether curves have bands as they are shown: a probability of several classes is no function of one score. */
const banded = () => numbers.members > 1 && (state.scale === "effect" || !(classified && several));
/* The lowest and the highest of the fold models along the line of an input, or null. Answers rise with the score, or fall. */
function bandOf(input) {
  if (!input.b || !banded()) return null;
  const ends = input.b[state.score];
  if (state.scale === "effect") return {low: ends[0], high: ends[1]};
  const at = (effect) => answer(numbers.base.map((base, k) => base + (k === state.score ? effect : 0)), state.score);
  const both = ends[0].map((unused, p) => [at(ends[0][p]), at(ends[1][p])]);
  return {low: both.map((pair) => Math.min(...pair)), high: both.map((pair) => Math.max(...pair))};
}
const showBand = (band, p) => show(band.low[p]) + " to " + show(band.high[p]);
function bandNote() {
  if (!(numbers.members > 1)) return null;
  if (!banded()) return h("p", {class: "note", id: "bands"}, "No bands here: fold models lie apart in scores, and the probability of a class depends on the scores of all classes.");
  return h("p", {class: "note", id: "bands"}, s("svg", {class: "band-key s s0", viewBox: "0 0 30 14", "aria-hidden": "true"}, s("path", {class: "b", d: "M0 3L30 1V11L0 13z"}), s("path", {class: "l", d: "M0 8L30 6"})),
    " Band, or thin line at the end of a bar: spread of the " + numbers.members + " fold models, from the lowest to the highest." + (state.scale === "effect" ? " What is drawn is their mean." : "") + " This is not a confidence interval.");
}

/* ---- Tables ---- */

function table(heads, rows, label) {
  return h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": label},
    h("table", {class: "plain"},
      h("thead", {}, h("tr", {}, heads.map((head) => h("th", {scope: "col"}, head)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, i) => (i === 0 ? h("th", {scope: "row"}, cell) : h("td", {}, cell))))))));
}
/* Every picture has one; it is made when it is opened. */
function asTable(label, make) {
  let done = false;
  const details = h("details", {class: "as-table"}, h("summary", {}, "Table", h("span", {class: "unseen"}, " of ", h("bdi", {}, label))));
  details.addEventListener("toggle", () => {
    if (details.open && !done) {
      done = true;
      details.append(make());
    }
  });
  return details;
}

/* ---- Axes ---- */

function niceStep(width, count) {
  const rough = width / count, power = Math.pow(10, Math.floor(Math.log10(rough))), part = rough / power;
  return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}
function ticksOf(low, high, count) {
  let step = niceStep(high - low, count), found = [];
  for (let tries = 0; tries < 4; tries++, step /= tries % 2 ? 2 : 2.5) {
    found = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9 && found.length < 60; i++) found.push(Number((i * step).toPrecision(12)));
    if (found.length >= 3) break;
  }
  return found;
}
const SECONDS = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 7200, 10800, 14400, 21600, 43200];
function timeTicks(low, high, count) {
  const step = SECONDS.find((seconds) => (high - low) / seconds <= count + 1) || 21600, found = [];
  for (let i = Math.ceil(low / step); i * step <= high; i++) found.push(i * step);
  return found.length >= 3 ? found : [low, (low + high) / 2, high];
}
function dateTicks(low, high, count) {
  const days = (high - low) / count, found = [];
  if (!(days > 25)) return ticksOf(low, high, count).filter((day) => Number.isInteger(day) || high - low < 3);
  const months = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200].find((size) => size * 30.4 >= days) || 2400;
  const first = new Date(low * 864e5), year = first.getUTCFullYear();
  for (let m = 0; m < 5000; m += months) {
    const base = months >= 12 ? Math.floor(year / (months / 12)) * (months / 12) : year, date = new Date(0);
    date.setUTCFullYear(base, m, 1);
    const day = date.getTime() / 864e5;
    if (day > high) break;
    if (day >= low) found.push(day);
  }
  return found.length >= 3 ? found : [Math.ceil(low), Math.round((low + high) / 2), Math.floor(high)];
}
const widthOf = (label) => 6.9 * Array.from(label).length;
/* Labels that touch are left out, but three remain if they have room. */
function thin(labels, room) {
  for (let step = 1; step < labels.length; step++) {
    const kept = labels.filter((unused, i) => i % step === 0);
    if (kept.every((label, i) => i === 0 || label.at - kept[i - 1].at >= (label.width + kept[i - 1].width) / 2 + room)) return kept;
  }
  return labels.slice(0, 1);
}
const round = (number) => Math.round(number * 100) / 100;

/* ---- Curves ---- */

function spanOf(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) if (Number.isFinite(value)) { low = Math.min(low, value); high = Math.max(high, value); }
  if (!(low <= high)) return [0, 1];
  const room = high > low ? 0.06 * (high - low) : Math.abs(low) * 0.1 || 1;
  return [low - room, high + room];
}
function frameOf(y, withZero, marginRight) {
  const [low, high] = spanOf(withZero ? y.concat(0) : y), ticks = ticksOf(low, high, 5).map((at) => ({at, label: show(at, 6)}));
  const left = Math.max(...ticks.map((tick) => widthOf(tick.label))) + 14;
  return {left: Math.max(left, 26), right: 360 - marginRight, top: 8, bottom: 188, low, high, ticks};
}
function yAxis(frame, put) {
  return s("g", {class: "y"}, frame.ticks.map((tick) => [
    s("path", {class: "g", d: "M" + frame.left + " " + round(put(tick.at)) + "H" + frame.right}),
    s("text", {x: frame.left - 7, y: round(put(tick.at) + 4)}, tick.label)]));
}
function xLabels(input, frame, low, high, put) {
  const count = input.k === "d" ? 3 : 5, few = input.d && input.x.length > 2 && input.x.length <= 10;
  const ticks = few ? input.x : input.k === "d" ? dateTicks(low, high, count) : input.k === "t" ? timeTicks(low, high, 4) : ticksOf(low, high, count);
  const labels = ticks.map((value) => ({value, text: input.k === "d" ? showDate(value) : input.k === "t" ? showTime(value) : show(value, 6)}));
  for (const label of labels) {
    label.width = widthOf(label.text);
    label.at = Math.min(Math.max(put(label.value), label.width / 2), frame.right + (360 - frame.right) - label.width / 2);
    label.tick = put(label.value);
  }
  return thin(labels, 8);
}
/* Where a value lies among points, from 0 to 1. */
function placeAmong(points, x) {
  let p = 0;
  while (p < points.length - 2 && points[p + 1] <= x) p++;
  return (p + Math.min(Math.max((x - points[p]) / (points[p + 1] - points[p]), 0), 1)) / (points.length - 1);
}
function placeLabels(input, frame, put) {
  const step = Math.max(1, Math.floor((input.x.length - 1) / 4)), labels = [];
  for (let p = 0; p < input.x.length; p += step) {
    const text = input.k === "n" ? show(input.x[p], input.d ? 6 : 3) : showValue(input, input.x[p]), width = widthOf(text), tick = put(input.x[p]);
    labels.push({text, width, tick, at: Math.min(Math.max(tick, width / 2), 359 - width / 2)});
  }
  return thin(labels, 8);
}
/* Where the rows are: bars below the axis. */
function density(input, frame, put, low, high, byPlace) {
  const bars = [], top = 218, deep = 26, put2 = (from, to, share, most) => {
    if (share > 0) bars.push(s("rect", {x: round(from), y: round(top + deep - Math.max(deep * share / most, 0.8)), width: round(Math.max(to - from, 0.8)), height: round(Math.max(deep * share / most, 0.8))}));
  };
  if (input.d && input.s && input.s[0] !== null) {
    const most = Math.max(...input.s), gap = input.x.length > 1 ? (put(high) - put(low)) / input.x.length : 20, half = Math.min(Math.max(gap * 0.35, 0.8), 8);
    input.x.forEach((x, p) => put2(put(x) - half, put(x) + half, input.s[p], most));
  } else if (input.h) {
    const width = (high - low) / input.h.length, edge = (b) => put(low + b * width), size = (b) => Math.max(edge(b + 1) - edge(b), 0.01);
    const heights = input.h.map((share, b) => (byPlace ? share / size(b) : share)), most = Math.max(...heights);
    heights.forEach((height, b) => put2(edge(b), edge(b + 1) - (byPlace ? 0 : 0.5), height, most));
  }
  return bars.length ? s("g", {class: "rows"}, bars) : null;
}
/* A bar from one height to a lower one, thick enough to be seen. */
const bar = (top, bottom) => ({y: round(Math.min(top, (top + bottom) / 2 - 0.5)), height: round(Math.max(bottom - top, 1))});
/* The area between the lowest and the highest; of a single value a bar. */
function bandPath(xs, band, putY) {
  if (xs.length === 1) return s("rect", {class: "b", x: round(xs[0] - 6), width: 12, ...bar(putY(band.high[0]), putY(band.low[0]))});
  const up = xs.map((x, p) => round(x) + " " + round(putY(band.high[p]))), down = xs.map((x, p) => round(x) + " " + round(putY(band.low[p]))).reverse();
  return s("path", {class: "b", d: "M" + up.concat(down).join("L") + "z"});
}
function drawCurve(input) {
  const y = lineOf(input), line = y.slice(0, input.x.length), missing = input.m ? y[y.length - 1] : null;
  const band = bandOf(input);
  const frame = frameOf(band ? y.concat(band.low, band.high) : y, state.scale === "effect", missing === null ? 12 : 66);
  const low = input.r[0], high = input.r[1], same = !(high > low);
  const byPlace = state.axis === "place" && input.x.length > 2;
  const part = (x) => (byPlace ? (same ? 0.5 : placeAmong(input.x, x)) : (x - low) / (high - low));
  const putX = (x) => (same ? (frame.left + frame.right) / 2 : frame.left + (frame.right - frame.left) * part(x));
  const putY = (value) => frame.bottom - (frame.bottom - frame.top) * ((value - frame.low) / (frame.high - frame.low));
  const middle = state.scale === "effect" ? 0 : answer(numbers.base, state.score);
  const points = input.x.map((x, p) => [round(putX(x)), round(putY(line[p]))]);
  const least = line.indexOf(Math.min(...line)), most = line.indexOf(Math.max(...line));
  const label = "Curve of " + cut(input.n, 60) + ": lowest " + show(line[least]) + " at " + showValue(input, input.x[least]) + ", highest " +
    show(line[most]) + " at " + showValue(input, input.x[most]) + (missing === null ? "" : "; where it is missing " + show(missing)) + ".";
  const labels = same ? [{text: showValue(input, low), at: putX(low), tick: putX(low)}] : byPlace ? placeLabels(input, frame, putX) : xLabels(input, frame, low, high, putX);
  const rows = density(input, frame, putX, low, high, byPlace);
  return s("svg", {class: "plot curve", viewBox: "0 0 360 " + (rows ? 248 : 212), role: "img", "aria-label": label},
    yAxis(frame, putY),
    middle > frame.low && middle < frame.high ? s("path", {class: "middle", d: "M" + frame.left + " " + round(putY(middle)) + "H" + frame.right}) : null,
    s("g", {class: "x"}, s("path", {class: "a", d: "M" + frame.left + " " + frame.bottom + "H" + frame.right}),
      labels.map((tick) => [s("path", {class: "a", d: "M" + round(tick.tick) + " " + frame.bottom + "v5"}), s("text", {x: round(tick.at), y: frame.bottom + 18}, tick.text)])),
    rows,
    s("g", {class: "s s0"}, band ? bandPath(input.x.map(putX), band, putY) : null, points.length > 1 ? s("path", {class: "l", d: "M" + points.map((point) => point.join(" ")).join("L")}) : null,
      input.d ? points.map((point, p) => s("circle", {class: "m", cx: point[0], cy: point[1], r: points.length > 32 ? 2.4 : 3.6},
        s("title", {}, showValue(input, input.x[p]) + ": " + show(line[p]) + (band ? "; fold models " + showBand(band, p) : "")))) : null),
    missing === null ? null : s("g", {class: "s s1"}, s("path", {class: "gap", d: "M" + (frame.right + 9) + " 8V" + frame.bottom}),
      band ? s("rect", {class: "b", x: frame.right + 30, width: 12, ...bar(putY(band.high[y.length - 1]), putY(band.low[y.length - 1]))}) : null,
      s("path", {class: "m", d: "M" + (frame.right + 36) + " " + round(putY(missing) - 6) + "l6 6l-6 6l-6 -6z"}, s("title", {}, "missing: " + show(missing) + (band ? "; fold models " + showBand(band, y.length - 1) : ""))),
      s("text", {class: "note", x: frame.right + 36, y: frame.bottom + 18}, "missing")));
}
/* Bars from zero to both sides; rows are {name, value, notes, key, band}, where band is [low, high] or not there. */
function barTable(rows, heads) {
  const all = rows.flatMap((row) => (row.band ? [row.value, ...row.band] : [row.value])), low = Math.min(0, ...all), high = Math.max(0, ...all), width = high - low || 1;
  const put = (value) => round(100 * (value - low) / width);
  return h("table", {class: "bars"},
    h("thead", {}, h("tr", {}, h("th", {scope: "col"}, heads[0]), h("th", {scope: "col"}, h("span", {class: "unseen"}, "bar")), heads.slice(1).map((head) => h("th", {scope: "col", class: "n"}, head)))),
    h("tbody", {}, rows.map((row) => h("tr", {"data-key": row.key, "data-value": row.exact === undefined ? null : String(row.exact), class: row.kind || null},
      h("th", {scope: "row"}, row.name),
      h("td", {class: "bar"}, row.value === null ? null : s("svg", {viewBox: "0 0 100 14", preserveAspectRatio: "none", class: "s " + (row.value < 0 ? "s1" : "s0"), "aria-hidden": "true"},
        s("rect", {x: Math.min(put(0), put(row.value)), y: 1, height: 12, width: Math.abs(put(row.value) - put(0))}),
        row.band ? s("rect", {class: "fold", x: put(row.band[0]), y: 5, height: 4, width: round(Math.max(put(row.band[1]) - put(row.band[0]), 0.6))}, s("title", {}, "fold models " + show(row.band[0]) + " to " + show(row.band[1]))) : null,
        s("line", {class: "z", x1: put(0), x2: put(0), y1: 0, y2: 14}))),
      row.notes.map((note) => h("td", {class: "n"}, note))))));
}
function drawCategories(input) {
  const y = lineOf(input), band = bandOf(input), last = y.length - 1;
  const notes = (p) => [show(y[p]), percent(input.s[p])], ends = (p) => (band ? [band.low[p], band.high[p]] : null);
  const rows = input.c.map((name, p) => ({name: nameOf(name, 40), value: y[p], band: ends(p), notes: notes(p)}));
  const few = rows.sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).splice(CATEGORIES).length;
  rows.sort((a, b) => b.value - a.value);
  if (input.m) rows.push({name: h("i", {}, "missing"), kind: "missing", value: y[last], band: ends(last), notes: notes(last)});
  return h("div", {class: "categories"}, barTable(rows, ["category", state.scale === "effect" ? "effect" : classified ? "probability" : "prediction", "rows"]),
    few > 0 ? h("p", {class: "note"}, "The " + CATEGORIES + " largest; the table has " + few + " more.") : null,
    input.l > 0 ? h("p", {class: "note"}, "Of " + (input.c.length + input.l) + " categories these are among the " + input.c.length + " most frequent ones; the others are not in this page.") : null);
}
function curveTable(input) {
  const y = lineOf(input), band = bandOf(input), ends = (p) => (band ? [show(band.low[p], 6), show(band.high[p], 6)] : []);
  const rows = input.x.map((x, p) => [input.k === "c" ? nameOf(input.c[p]) : showValue(input, x), show(y[p], 6), ...ends(p), input.s && input.s[p] !== null ? percent(input.s[p]) : "–"]);
  if (input.m) rows.push(["missing", show(y[y.length - 1], 6), ...ends(y.length - 1), percent(input.s ? input.s[input.s.length - 1] : null)]);
  return table([input.k === "c" ? "category" : "value", scaleName(), ...(band ? ["lowest fold model", "highest fold model"] : []), "rows"], rows, "Table of " + cut(input.n, 60));
}
function curveFigure(input) {
  const first = several ? input.f[state.score] : input.F, total = several ? input.t[state.score] : input.T;
  return h("figure", {class: "effect"},
    h("figcaption", {}, h("span", {class: "label"}, nameOf(input.n)), " ", h("span", {class: "pm"}, percent(first) + " alone, " + percent(total) + " in all")),
    input.x ? [h("p", {class: "yt", "aria-hidden": "true"}, scaleName()), input.k === "c" ? drawCategories(input) : drawCurve(input), asTable(cut(input.n, 60), () => curveTable(input))]
      : h("p", {class: "note"}, "There was no room for this picture."));
}

/* ---- Maps of pairs ---- */

function mapAxis(input, grid) {
  const labels = grid.x.map((x, p) => (input.k === "c" ? cut(grid.c[p], 14) : input.k === "n" ? show(x, grid.d ? 6 : 3) : showValue(input, input.k === "d" ? Math.round(x) : Math.round(x / 60) * 60)));
  if (input.m) labels.push("missing");
  return labels;
}
function drawMap(pair) {
  const a = numbers.inputs[pair.a], b = numbers.inputs[pair.b], gridA = numbers.grids[pair.a], gridB = numbers.grids[pair.b];
  const rows = mapAxis(a, gridA), columns = mapAxis(b, gridB), z = pair.z[state.score], largest = Math.max(...z.map(Math.abs)) || 1;
  const left = Math.min(Math.max(...rows.map(widthOf)) + 10, 108), right = 352, top = 6, height = Math.min(240, Math.max(96, 26 * rows.length)), bottom = top + height;
  const width = (right - left) / columns.length, high = height / rows.length, cells = [], marks = [], empty = [];
  for (let r = 0; r < rows.length; r++)
    for (let c = 0; c < columns.length; c++) {
      const value = z[r * columns.length + c], x = left + c * width, y = bottom - (r + 1) * high, share = Math.abs(value) / largest;
      const rowsHere = pair.p ? pair.p[r * columns.length + c] : null;
      cells.push(s("rect", {class: value < 0 ? "below" : "above", x: round(x), y: round(y), width: round(width + 0.3), height: round(high + 0.3), "fill-opacity": round(share * 0.95)},
        s("title", {}, rows[r] + ", " + columns[c] + ": " + signed(value) + (rowsHere === null ? "" : "; " + rowsHere + (rowsHere === 1 ? " row" : " rows")))));
      if (rowsHere === 0) empty.push("M" + round(x + 1) + " " + round(y + high - 1) + "L" + round(x + width - 1) + " " + round(y + 1));
      else if (share > 0.3 && width > 9 && high > 9) marks.push(s("text", {x: round(x + width / 2), y: round(y + high / 2 + 4)}, value < 0 ? "−" : "+"));
    }
  const across = thin(columns.map((text, c) => ({text, width: widthOf(text), at: Math.min(left + (c + 0.5) * width, 358 - widthOf(text) / 2)})), 8);
  const step = Math.ceil(15 / high), most = z.indexOf(Math.max(...z)), least = z.indexOf(Math.min(...z));
  const spot = (at) => rows[Math.floor(at / columns.length)] + " and " + columns[at % columns.length];
  return s("svg", {class: "map", viewBox: "0 0 360 " + (bottom + 24), role: "img", "aria-label": "Map of " + cut(a.n, 40) + " and " + cut(b.n, 40) + ": highest " +
      signed(z[most]) + " at " + spot(most) + ", lowest " + signed(z[least]) + " at " + spot(least) + "."},
    s("g", {}, cells), s("g", {class: "marks", "aria-hidden": "true"}, marks), empty.length ? s("path", {class: "empty", d: empty.join("")}) : null,
    s("path", {class: "a", d: "M" + left + " " + top + "V" + bottom + "H" + right + "V" + top + "z"}),
    s("g", {class: "y"}, rows.map((text, r) => (r % step === 0 ? s("text", {x: left - 6, y: round(bottom - (r + 0.5) * high + 4)}, text) : null))),
    s("g", {class: "x"}, across.map((label) => s("text", {x: round(label.at), y: bottom + 17}, label.text))));
}
function mapScale(pair) {
  const largest = Math.max(...pair.z[state.score].map(Math.abs)), cells = [];
  for (let i = -4; i <= 4; i++) cells.push(s("rect", {class: i < 0 ? "below" : "above", x: 12 * (i + 4), y: 0, width: 12.2, height: 10, "fill-opacity": round(Math.abs(i) / 4 * 0.95)}));
  return h("p", {class: "map-scale"}, signed(-largest, 3), s("svg", {class: "map", viewBox: "0 0 108 10", "aria-hidden": "true"}, cells), signed(largest, 3),
    pair.p ? h("span", {}, s("svg", {class: "map", viewBox: "0 0 14 10", "aria-hidden": "true"}, s("path", {class: "empty", d: "M2 9L12 1"})), " no row") : null);
}
function mapTable(pair) {
  const a = numbers.inputs[pair.a], b = numbers.inputs[pair.b], rows = mapAxis(a, numbers.grids[pair.a]), columns = mapAxis(b, numbers.grids[pair.b]);
  const z = pair.z[state.score];
  return table([h("span", {}, nameOf(a.n, 20), " \\ ", nameOf(b.n, 20)), ...columns.map((name) => h("bdi", {}, name))], rows.map((name, r) => [h("bdi", {}, name), ...columns.map((unused, c) =>
    show(z[r * columns.length + c]) + (pair.p && pair.p[r * columns.length + c] === 0 ? " (no row)" : ""))]), "Table of the pair");
}
function pairFigure(pair) {
  const a = numbers.inputs[pair.a], b = numbers.inputs[pair.b];
  return h("figure", {class: "effect"},
    h("figcaption", {}, h("span", {class: "label"}, nameOf(a.n, 40), " and ", nameOf(b.n, 40)), " ", h("span", {class: "pm"}, percent(several ? pair.s[state.score] : pair.S))),
    h("p", {class: "yt", "aria-hidden": "true"}, "up: ", nameOf(a.n, 30)), drawMap(pair), h("p", {class: "xt", "aria-hidden": "true"}, nameOf(b.n, 30)), mapScale(pair),
    asTable(cut(a.n, 30) + " and " + cut(b.n, 30), () => mapTable(pair)));
}

/* ---- Lists that grow ---- */

const matches = (text) => text.toLowerCase().includes(state.filter);
const totalOf = (input) => (several ? input.t[state.score] : input.T);
const ranked = () => numbers.inputs.filter((input) => matches(input.n)).sort((a, b) => totalOf(b) - totalOf(a));
/* The first ones of a list, and a button for more. */
function grow(id, list, step, draw, none) {
  const element = place(id);
  element.tabIndex = -1;
  const shown = Math.min(state.shown[id], list.length);
  element.replaceChildren(draw(list.slice(0, shown)));
  if (list.length === 0) element.replaceChildren(h("p", {class: "note"}, state.filter ? "No name has “" + cut(state.filter, 40) + "” in it." : none || "The model uses no input."));
  if (shown < list.length)
    element.append(h("p", {}, h("button", {type: "button", class: "more", click: () => {
      state.shown[id] += step;
      drawAll();
      (place(id).querySelector("button.more") || place(id)).focus(); /* not lost with the button that is gone */
    }}, "Show " + Math.min(step, list.length - shown) + " more of " + (list.length - shown))));
}
function drawRanking() {
  const rows = numbers.rows > 0;
  grow("ranking", ranked(), 50, (list) => {
    const most = Math.max(...list.map(totalOf), 1e-9), heads = ["input", "alone", "in all"].concat(rows ? ["own", "covariance"] : []);
    return h("figure", {}, h("figcaption", {}, "Shares of the variance of ", several ? ["the score of ", nameOf(scoreName(state.score))] : "the score",
      ": what an input does alone (full bar), and all effects that it is in (pale bar)."),
    h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Shares of inputs"}, h("table", {class: "bars shares"},
      h("thead", {}, h("tr", {}, h("th", {scope: "col"}, heads[0]), h("th", {scope: "col"}, h("span", {class: "unseen"}, "bar")), heads.slice(1).map((head) => h("th", {scope: "col", class: "n"}, head)))),
      h("tbody", {}, list.map((input) => {
        const first = several ? input.f[state.score] : input.F, total = totalOf(input);
        return h("tr", {}, h("th", {scope: "row"}, nameOf(input.n)),
          h("td", {class: "bar"}, s("svg", {viewBox: "0 0 100 14", preserveAspectRatio: "none", class: "s s0", "aria-hidden": "true"},
            s("rect", {class: "total", x: 0, y: 1, height: 12, width: round(100 * total / most)}), s("rect", {x: 0, y: 1, height: 12, width: round(100 * first / most)}),
            s("line", {class: "z", x1: 0, x2: 0, y1: 0, y2: 14}))),
          h("td", {class: "n"}, percent(first)), h("td", {class: "n"}, percent(total)),
          rows ? [h("td", {class: "n"}, percent(input.o)), h("td", {class: "n"}, input.v < 0 ? "−" + percent(-input.v) : percent(input.v))] : null);
      })))));
  });
  const notes = [rows && several ? "Own and covariance are of all " + (classified ? "classes" : "targets") + " together." : null,
    numbers.inputs.length < numbers.inputCount ? "There was room for " + show(numbers.inputs.length, 6) + " of " + show(numbers.inputCount, 6) + " inputs: those of the largest shares." : null];
  place("ranking").append(...notes.filter(Boolean).map((note) => h("p", {class: "note"}, note)));
}
function drawCurves() {
  grow("curves", ranked(), MORE, (list) => h("div", {}, bandNote(), h("div", {class: "panels"}, list.map(curveFigure))));
}
function drawPairs() {
  const share = (pair) => (several ? pair.s[state.score] : pair.S);
  const list = numbers.pairs.filter((pair) => matches(numbers.inputs[pair.a].n) || matches(numbers.inputs[pair.b].n)).sort((x, y) => share(y) - share(x));
  const drawn = list.filter((pair) => pair.z), element = place("pairs");
  grow("pairs", drawn, MAPS, (some) => h("div", {class: "panels"}, some.map(pairFigure)), list.length > 0 ? "There was no room for maps of these pairs." : numbers.higher === null ? "There are too many pairs to be listed." : "The model has no effects of pairs.");
  if (list.length > 0)
    element.append(h("details", {class: "as-table"}, h("summary", {}, "All pairs by share (" + list.length + (numbers.pairCount > numbers.pairs.length ? " of " + numbers.pairCount : "") + ")"),
      table(["pair", "share"].concat(numbers.rows > 0 ? ["own", "covariance"] : []), list.map((pair) => [h("span", {}, nameOf(numbers.inputs[pair.a].n, 40), " and ", nameOf(numbers.inputs[pair.b].n, 40)), percent(share(pair))]
        .concat(numbers.rows > 0 ? [percent(pair.o), pair.v < 0 ? "−" + percent(-pair.v) : percent(pair.v)] : [])), "Shares of pairs")));
}

function drawSets() {
  const share = (set) => (several ? set.s[state.score] : set.S), element = place("sets");
  const list = numbers.sets.filter((set) => set.i.some((i) => matches(numbers.inputs[i].n))).sort((x, y) => share(y) - share(x));
  const all = numbers.higher === null ? "The pairs are too many to be listed, so that the share of more inputs is not known." :
    numbers.higher > 0 ? "Effects of three inputs and more have " + percent(numbers.higher) + " of the variance" + (several ? " of all scores together." : ".") : "There are no effects of three inputs and more.";
  const limit = numbers.setsLeftOut ? " There are too many of them to be listed." : numbers.setCount > numbers.sets.length ? " These are the " + numbers.sets.length + " largest of " + numbers.setCount + "." : "";
  element.replaceChildren(h("p", {}, all + limit));
  if (list.length > 0) element.append(table(["inputs", "share"], list.map((set) => [h("span", {}, set.i.map((i, k) => [k > 0 ? ", " : "", nameOf(numbers.inputs[i].n, 40)])), percent(share(set))]), "Effects of more inputs"));
}

/* ---- What if ---- */

let asked = null;
const LEVELS = [0.5, 0.8, 0.9, 0.95, 0.99];
const byPlace = [];
numbers.inputs.forEach((input) => { byPlace[input.i] = input; });
/* The row that is set: a number for each input of the exported model; NaN is missing. */
const row = numbers.start[0].slice(1).map((value) => (value === null ? NaN : value));
let level = 0.9, started = 0, atStart = true;

/* Sliders move along the points of a curve: evenly in its points, not in its values. */
function valueAt(input, position) {
  if (!input.x) return input.r[0] + (input.r[1] - input.r[0]) * position / 1000;
  if (input.d) return input.x[Math.round(position)];
  const at = position / 1000 * (input.x.length - 1), low = Math.min(Math.floor(at), input.x.length - 2);
  const value = input.x[low] + (input.x[low + 1] - input.x[low]) * (at - low);
  const whole = input.k === "d" && input.x.every((x) => Number.isInteger(x));
  return whole ? Math.round(value) : position >= 1000 ? input.r[1] : position <= 0 ? input.r[0] : Number(value.toPrecision(input.k === "d" ? 8 : 5));
}
function positionOf(input, value) {
  if (!input.x) return input.r[1] > input.r[0] ? 1000 * (value - input.r[0]) / (input.r[1] - input.r[0]) : 500;
  let p = 0;
  if (input.d) {
    input.x.forEach((x, i) => { if (Math.abs(x - value) < Math.abs(input.x[p] - value)) p = i; });
    return p;
  }
  while (p < input.x.length - 2 && input.x[p + 1] <= value) p++;
  const part = (value - input.x[p]) / (input.x[p + 1] - input.x[p]);
  return 1000 * (p + Math.min(Math.max(part, 0), 1)) / (input.x.length - 1);
}
const exact = (input, value) => (input.k === "d" ? showDate(value) : input.k === "t" ? showTime(value) : String(value));
/* NaN if it is none. */
function parse(input, text) {
  const trimmed = text.trim().replace("−", "-");
  if (input.k === "d") {
    const found = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?)?$/.exec(trimmed);
    if (found) {
      const day = Date.UTC(Number(found[1]), Number(found[2]) - 1, Number(found[3])) / 864e5;
      return new Date(day * 864e5).getUTCDate() === Number(found[3]) ? day + (Number(found[4] || 0) * 3600 + Number(found[5] || 0) * 60 + Number(found[6] || 0)) / 86400 : NaN;
    }
  }
  if (input.k === "t") {
    const found = /^(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?$/.exec(trimmed);
    if (found) return Number(found[1]) * 3600 + Number(found[2]) * 60 + Number(found[3] || 0);
  }
  return trimmed === "" || !Number.isFinite(Number(trimmed)) ? NaN : Number(trimmed);
}

/* ---- Dates: a column of dates has one control, and the inputs that are made of it follow ---- */

/* The dates of the model. whole: the place of the date itself among the inputs, -1 if the model does not use it; parts: the
 * places of what is made of it; days: what it is set to, NaN if it is missing; timed: whether the time of day counts. */
const dates = [], dateAt = new Map();
function findDates() {
  asked.inputs.forEach((input, i) => {
    if (input.type !== "date" && input.part === undefined) return;
    const name = input.part === undefined ? input.name : input.column;
    let date = dates.find((known) => known.name === name);
    if (!date) dates.push(date = {name, whole: -1, parts: [], days: NaN, timed: false, missing: false});
    if (input.part === undefined) date.whole = i;
    else date.parts.push(i);
    date.timed = date.timed || input.part === "hour" || Boolean(byPlace[i] && byPlace[i].w);
    date.missing = date.missing || input.missing;
    dateAt.set(i, date);
  });
}
function setDate(date, days) {
  date.days = days;
  if (date.whole >= 0) row[date.whole] = days;
  date.parts.forEach((i) => { row[i] = asked.partOf(asked.inputs[i].part, days); });
}
/* Some date that has these parts; NaN if there is none. Days of the year count as in leap years, 2024 being one; within 28
 * years every day meets every weekday. */
function dateWith(date) {
  const wanted = date.parts.map((i) => [asked.inputs[i].part, row[i]]), hour = wanted.find(([part]) => part === "hour");
  if (wanted.some((pair) => Number.isNaN(pair[1]))) return NaN;
  const day = wanted.map(([part, value]) => [part, Math.round(value)]).filter(([part]) => part !== "hour"), first = Date.UTC(2024, 0, 1) / 864e5;
  for (let days = first; days < first + 28 * 366; days++)
    if (day.every(([part, value]) => asked.partOf(part, days) === value)) return days + (hour ? Math.min(hour[1] / 24, 1 - 1 / 864e5) : 0);
  return NaN;
}
/* After all inputs were set: their dates, and the parts of these. typical: medians, which no row need have. */
function settleDates(given, typical) {
  dates.forEach((date) => {
    const known = date.whole >= 0 ? row[date.whole] : given && given.has(date) ? given.get(date) : dateWith(date);
    setDate(date, typical ? niceDate(date, known) : known);
  });
}
/* The nearest day, or minute. */
const niceDate = (date, days) => (date.timed ? Math.round(days * 1440) / 1440 : Math.round(days));
/* For an element of type date or datetime-local; years of other than four digits do not go there. */
function dateText(date, days, timed) {
  const moment = new Date(Math.round(days * 864e5)), text = Number.isNaN(moment.getTime()) ? "" : moment.toISOString();
  if (!/^\d{4}-/.test(text) || text.startsWith("0000")) return null;
  return timed ? text.slice(0, -1).replace(/\.000$/, "").replace(/:00$/, "") : text.slice(0, 10);
}
const PARTS = {yearday: (value) => "day " + value + " of the year", weekday: (value, i) => asked.inputs[i].categories[value], hour: (value) => "hour " + show(value, 4)};
function dateControl(date, id) {
  const line = date.whole >= 0 ? byPlace[date.whole] : undefined;
  let last = Number.isNaN(date.days) ? niceDate(date, line ? line.q : Date.UTC(2024, 0, 1) / 864e5) : date.days;
  const slider = line ? h("input", {type: "range", id: id + "-slider", min: 0, max: line.x && line.d ? line.x.length - 1 : 1000, step: line.x && line.d ? 1 : "any", "aria-label": "slider of " + cut(date.name, 60)}) : null;
  const box = h("input", {id, autocomplete: "off", spellcheck: "false"}), missing = date.missing ? h("input", {type: "checkbox"}) : null;
  const made = date.parts.length > 0 ? h("p", {class: "note made"}) : null;
  const set = (days) => { setDate(date, days); changed(); };
  if (slider) slider.addEventListener("input", () => { const days = valueAt(line, Number(slider.value)); set(line.d ? days : niceDate(date, days)); update(); });
  box.addEventListener("change", () => {
    const days = parse({k: "d"}, box.value);
    box.setAttribute("aria-invalid", Number.isNaN(days) ? "true" : "false");
    box.title = Number.isNaN(days) ? "expected a date, as 2024-12-31" : "";
    if (!Number.isNaN(days)) { set(days); update(); }
  });
  if (missing) missing.addEventListener("change", () => { set(missing.checked ? NaN : last); update(); });
  function update() {
    const gone = Number.isNaN(date.days);
    if (!gone) last = date.days;
    const timed = date.timed || !Number.isInteger(last), text = dateText(date, last, timed);
    box.type = text === null ? "text" : timed ? "datetime-local" : "date";
    box.disabled = gone;
    box.value = gone ? "" : text === null ? showDate(last) : text;
    box.setAttribute("aria-invalid", "false");
    if (missing) missing.checked = gone;
    if (made) made.textContent = gone ? "" : date.parts.map((i) => PARTS[asked.inputs[i].part](row[i], i)).join(", ");
    if (!slider) return;
    slider.value = positionOf(line, last);
    slider.setAttribute("aria-valuetext", gone ? "missing" : showDate(last));
    slider.disabled = gone || slider.max === "0";
  }
  update();
  return {update, parts: [slider, box, made, missing ? h("label", {class: "missing"}, missing, " missing") : null]};
}

/* ---- Controls ---- */

const controls = new Map();
function numberControl(input, id) {
  const i = input.i, steps = input.x && input.d ? input.x.length - 1 : 1000, hint = input.k === "t" ? "a time, as 13:45" : "a number";
  let last = Number.isNaN(row[i]) ? input.q : row[i];
  const slider = h("input", {type: "range", id, min: 0, max: steps, step: input.x && input.d ? 1 : "any", disabled: steps === 0});
  const box = h("input", {type: "text", inputmode: input.k === "n" ? "decimal" : null, "aria-label": "value of " + cut(input.n, 60), autocomplete: "off", spellcheck: "false"});
  const missing = input.m ? h("input", {type: "checkbox"}) : null;
  const set = (value) => {
    last = value;
    row[i] = value;
    if (missing) missing.checked = false;
    changed();
  };
  slider.addEventListener("input", () => { set(valueAt(input, Number(slider.value))); update(); });
  box.addEventListener("change", () => {
    const value = parse(input, box.value);
    box.setAttribute("aria-invalid", Number.isNaN(value) ? "true" : "false");
    box.title = Number.isNaN(value) ? "expected " + hint : "";
    if (!Number.isNaN(value)) { set(value); update(); }
  });
  if (missing) missing.addEventListener("change", () => { row[i] = missing.checked ? NaN : last; changed(); update(); });
  function update() {
    const gone = Number.isNaN(row[i]);
    if (!gone) last = row[i];
    if (missing) missing.checked = gone;
    slider.value = positionOf(input, last);
    slider.setAttribute("aria-valuetext", gone ? "missing" : showValue(input, last));
    slider.disabled = gone || steps === 0;
    box.disabled = gone;
    box.value = gone ? "" : exact(input, last);
    box.setAttribute("aria-invalid", "false");
  }
  update();
  return {update, parts: [slider, box, missing ? h("label", {class: "missing"}, missing, " missing") : null]};
}
function categoryControl(input, id) {
  const i = input.i, names = asked.inputs[i].categories;
  const order = names.map((name, code) => code).sort((a, b) => names[a].localeCompare(names[b], "en", {numeric: true}));
  const select = h("select", {id}, order.map((code) => h("option", {value: code}, cut(names[code], 60))), input.m ? h("option", {value: "missing"}, "(missing)") : null,
    h("option", {value: names.length}, "(not in the training rows)"));
  select.addEventListener("change", () => { row[i] = select.value === "missing" ? NaN : Number(select.value); changed(); });
  function update() {
    const known = row[i] >= 0 && row[i] < names.length && Number.isInteger(row[i]);
    select.value = Number.isNaN(row[i]) && input.m ? "missing" : known ? String(row[i]) : String(names.length);
  }
  update();
  return {update, parts: [select]};
}
/* Inputs of one date share a control. */
function controlOf(input) {
  const date = dateAt.get(input.i), i = !date ? input.i : date.whole >= 0 ? date.whole : date.parts[0];
  if (!controls.has(i)) {
    const id = "set-" + i, made = date ? dateControl(date, id) : input.k === "c" ? categoryControl(input, id) : numberControl(input, id);
    made.element = h("div", {class: date ? "control date" : "control", "data-input": i}, h("label", {for: id}, nameOf(date ? date.name : input.n)), made.parts);
    controls.set(i, made);
  }
  return controls.get(i);
}

/* ---- Links: the settings behind the # ---- */

/* Dates that are no input themselves come last. */
const extra = () => dates.filter((date) => date.whole < 0);
const mark = () => "row=" + asked.hash.slice(0, 8) + "," + [...row, ...extra().map((date) => date.days)].map((value) => (Number.isNaN(value) ? "m" : String(value))).join(",");
function fromLink() {
  const found = /^#row=([0-9a-f]*),(.*)$/.exec(location.hash), values = found ? found[2].split(",") : [], more = extra();
  const whole = values.length === row.length + more.length;
  if (!found || found[1] !== asked.hash.slice(0, 8) || (values.length !== row.length && !whole)) return found ? "The link is of another model: its settings are not used." : "";
  const read = values.map((text) => (text === "m" ? NaN : text === "" ? Infinity : Number(text)));
  if (values.some((text, i) => text !== "m" && !Number.isFinite(read[i]))) return "The link is damaged: its settings are not used.";
  row.forEach((unused, i) => { row[i] = read[i]; });
  settleDates(whole ? new Map(more.map((date, i) => [date, read[row.length + i]])) : null, false);
  started = -1;
  return "";
}

/* ---- Answers ---- */

const live = h("p", {class: "unseen", role: "status", "aria-live": "polite"});
let timer = 0;
function answersOf() {
  const list = Array.from(row), found = {prediction: asked.predict(list)};
  if (asked.probabilities) found.probabilities = asked.probabilities(list);
  if (asked.effects) found.effects = asked.effects(list);
  try {
    if (asked.interval) found.interval = asked.interval(list, level);
    if (asked.classSet) found.set = asked.classSet(list, level);
  } catch (problem) {
    found.problem = problem.message;
  }
  return found;
}
function predictionOf(found) {
  const k = state.score, value = Array.isArray(found.prediction) ? found.prediction[k] : found.prediction;
  const ends = found.interval && (Array.isArray(found.interval[0]) ? found.interval[k] : found.interval);
  const text = classified ? nameOf(found.prediction) : show(value, 6);
  return h("div", {class: "answer"},
    h("p", {class: "prediction", id: "prediction", "data-value": String(value)}, h("span", {class: "pm"}, "prediction of ", nameOf(classified ? numbers.targets[0] : numbers.targets[k]), " "), h("b", {}, text)),
    ends ? h("p", {id: "interval", "data-lower": String(ends[0]), "data-upper": String(ends[1])}, show(ends[0], 5) + " to " + show(ends[1], 5) + " at level " + level) : null,
    found.set ? h("p", {id: "interval", "data-set": JSON.stringify(found.set)}, "set of classes at level " + level + ": ", found.set.map((name, i) => [i > 0 ? ", " : "", nameOf(name)])) : null,
    found.problem ? h("p", {class: "note"}, found.problem) : null,
    !ends && !found.set && !found.problem ? h("p", {class: "note"}, "This model has no prediction intervals.") : null);
}
function probabilityTable(found) {
  const rows = numbers.classes.map((name, k) => ({name: nameOf(name, 40), key: "p" + k, exact: found.probabilities[k], value: found.probabilities[k], notes: [show(found.probabilities[k], 4)]}));
  if (rows.length > 12) rows.sort((a, b) => b.value - a.value).splice(12);
  return h("figure", {id: "probabilities"}, h("figcaption", {}, "Probabilities" + (numbers.classes.length > 12 ? ", the 12 largest" : "")), barTable(rows, ["class", "probability"]));
}
function contributionTable(found) {
  if (!found.effects) return h("p", {class: "note"}, "The model keeps no marginals of its training rows, so that it cannot split its scores by itself.");
  const effects = found.effects[state.score], shown = 12;
  const valueText = (input) => (input.k === "c" ? (Number.isNaN(row[input.i]) ? "missing" : cut(asked.inputs[input.i].categories[row[input.i]] || "not seen", 24)) : showValue(input, row[input.i]));
  const parts = effects.slice(1).map((value, i) => ({input: byPlace[i], key: "e" + i, exact: value, value, name: byPlace[i] ? nameOf(byPlace[i].n, 40) : "input " + (i + 1)}));
  parts.forEach((part) => {
    part.notes = [signed(part.value)];
    if (part.input) part.name = [part.name, " ", h("bdi", {class: "pm"}, valueText(part.input))];
  });
  parts.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const rest = parts.splice(shown), others = rest.reduce((sum, part) => sum + part.value, 0), score = effects.reduce((a, b) => a + b, 0);
  if (rest.length > 0) parts.push({name: "the other " + rest.length, key: "rest", exact: others, value: others, notes: [signed(others)]});
  const table1 = barTable(parts, ["input and value", "contribution"]);
  table1.tBodies[0].prepend(h("tr", {"data-key": "base", "data-value": String(effects[0])}, h("th", {scope: "row"}, h("i", {}, "base: the mean score")), h("td", {class: "bar"}), h("td", {class: "n"}, show(effects[0]))));
  table1.tBodies[0].append(h("tr", {class: "sum", "data-key": "score", "data-value": String(score)}, h("th", {scope: "row"}, "sum: the score"), h("td", {class: "bar"}), h("td", {class: "n"}, show(score))));
  return h("figure", {id: "contributions"}, h("figcaption", {}, "Contributions to the score", several ? [" of ", nameOf(scoreName(state.score), 40)] : classified ? [" of ", nameOf(numbers.classes[1], 40)] : "", ": Shapley values"), table1);
}
function drawAnswers() {
  const found = answersOf();
  place("answers").replaceChildren(...[predictionOf(found), classified ? probabilityTable(found) : null, contributionTable(found)].filter(Boolean));
  clearTimeout(timer);
  timer = setTimeout(() => { /* once all is quiet: browsers allow few changes of the address in a time */
    if (place("link").hash !== location.hash && !atStart) history.replaceState(null, "", place("link").hash);
    live.textContent = place("prediction").textContent + (place("interval") ? "; " + place("interval").textContent : "");
  }, 600);
}
function changed() {
  started = -1;
  atStart = false;
  place("link").href = "#" + mark();
  place("start").value = "-1";
  drawAnswers();
}
function setRow(values, typical) {
  values.forEach((value, i) => { row[i] = value === null ? NaN : value; });
  settleDates(null, typical);
  controls.forEach((control) => control.update());
}
function drawPanel() {
  if (!asked) return;
  const list = [...new Set(ranked().map(controlOf))];
  grow("controls-list", list, MORE, (some) => h("div", {}, some.map((control) => control.element)));
}
/* model: functions and constants of the exported module; what it does not have is undefined. */
function ask(model) {
  asked = model;
  findDates();
  settleDates(null, true);
  const problem = fromLink();
  const start = h("select", {id: "start"}, numbers.start.map((values, r) => h("option", {value: r}, r === 0 ? "medians and most frequent categories" : "row " + values[0] + " of the data")), h("option", {value: -1}, "as set here"));
  start.addEventListener("change", () => {
    if (start.value === "-1") return;
    const chosen = Number(start.value);
    setRow(numbers.start[chosen].slice(1), chosen === 0);
    changed();
    started = chosen;
    start.value = String(started);
  });
  const levels = h("select", {id: "level"}, LEVELS.filter((value) => value <= (asked.highestLevel || 0)).map((value) => h("option", {value}, String(value))));
  level = levels.options.length > 2 ? 0.9 : Number((levels.options[0] || {value: 0.5}).value);
  levels.value = String(level);
  levels.addEventListener("change", () => { level = Number(levels.value); drawAnswers(); });
  place("panel").replaceChildren(h("p", {}, "Set the inputs: prediction and contributions follow at once. They are computed here, by the model itself."),
    problem ? h("p", {class: "note", role: "alert"}, problem) : "",
    h("div", {class: "settings"}, h("label", {for: "start"}, "Start from ", start), levels.options.length > 0 ? h("label", {for: "level"}, "Level of the " + (classified ? "set " : "interval "), levels) : null,
      h("a", {id: "link", href: "#" + mark()}, "Link to these settings")),
    h("div", {class: "what-if"}, h("div", {id: "controls-list", class: "inputs"}), h("div", {id: "answers", class: "answers"})), live);
  start.value = String(started);
  state.shown["controls-list"] = FIRST;
  addEventListener("hashchange", () => {
    if (fromLink() === "" && location.hash.startsWith("#row=")) {
      controls.forEach((control) => control.update());
      changed();
    }
  });
  drawPanel();
  drawAnswers();
}

/* ---- All of it ---- */

function drawAll() {
  drawRanking();
  drawPanel();
  drawCurves();
  drawPairs();
  drawSets();
  if (asked) drawAnswers();
}
function startControls() {
  const choose = (id, label, options, set) => {
    const select = h("select", {id}, options.map(([value, text]) => h("option", {value}, text)));
    select.addEventListener("change", () => { set(select.value); drawAll(); });
    return h("label", {for: id}, label + " ", select);
  };
  const filter = h("input", {type: "search", id: "filter", autocomplete: "off", spellcheck: "false"});
  filter.addEventListener("input", () => { state.filter = filter.value.trim().toLowerCase(); drawAll(); });
  place("controls").append(h("div", {class: "settings", role: "group", "aria-label": "What the page shows"},
    several ? choose("score", classified ? "Class" : "Target", numbers.base.map((unused, k) => [k, cut(scoreName(k), 60)]), (value) => { state.score = Number(value); }) : null,
    choose("scale", "Show", Object.entries(scales), (value) => { state.scale = value; }),
    choose("axis", "Numbers", Object.entries(axes), (value) => { state.axis = value; }),
    h("label", {for: "filter"}, "Inputs with ", filter, " in their name")));
}
startControls();
drawAll();
return {ask};
})();
