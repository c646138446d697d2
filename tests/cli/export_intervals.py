"""Intervals in exports: C, JavaScript and JSON have those of `predict --interval`.

Models whose spread depends on numbers, categories, missing values and the prediction; roots; several targets; sets of two
and of more classes, whose names need quotes. Levels from nearly 0 to the highest that a model has. Models without intervals
say so, and have no function.
"""
import csv
import json
import math
import os
import random
import sys

from _export_json import json_interval, json_scores, json_set
from _exports import DIGITS, FLOAT_DIGITS, GCC, NODE, compiled, entropic, more_rows, run, same, table_of, written
from _tap import check, end, skip

NAMES = ["plain", "two words", "quo\"te, and \\", "a;b"]


def made_tables():
    """Noise that depends on a number, on a category and on what is missing; another that grows with the target."""
    draw = random.Random(5)
    rows = [["a", "b", "colour", "gap", "y", "z", "count", "kind", "kinds"]]
    for _ in range(1500):
        a, b, gap, noise = draw.random(), draw.random(), draw.random(), draw.gauss(0, 1)
        colour = draw.choice(["red", "blue", "green"])
        missing = draw.random() < 0.2
        y = math.sin(5 * a) + b + noise * (0.05 + 0.5 * a) * {"red": 1, "blue": 0.2, "green": 3}[colour] * (3 if missing else 1)
        z = 10 * a * b + noise * (0.1 + a * b)
        count = max(0, round(20 * (a + b * gap) ** 3 + 2 * noise, 2))
        kind = "yes" if a + b + 0.3 * noise > 1 else "no"
        kinds = NAMES[min(3, max(0, int(4 * a + 0.4 * noise)))]
        rows.append(list(map(repr, [a, b])) + [colour, "" if missing else repr(gap)] + list(map(repr, [y, z, count]))
                    + [kind, kinds])
    written("made.csv", rows)


def fitted(name, target, *options):
    others = [n for n in ("y", "z", "count", "kind", "kinds") if n not in target.split(",")]
    entropic("fit", "made.csv", "--target", target, "--ignore", ",".join(others), "--features", "40", "--quiet", "-o",
             name, *options)
    return name


# ---- JSON ----

def check_json(name, model):
    of, worst, compared = model["check"], "", 0
    key = "sets" if model["classes"] else "intervals"
    for row, level, wanted in zip(of["rows"], of["levels"], of[key]):
        scores = json_scores(model, row)
        found = json_set(model, scores, level) if model["classes"] else json_interval(model, row, scores, level)
        most = max(abs(e) for each in of[key] for e in each if e is not None)
        for f, e in zip(found, wanted):
            compared += e is not None
            # The root of a square is right to half of the digits where it is close to 0.
            if e is not None and not abs(f - e) <= (1e-7 if "root" in model else 1e-11) * most:
                worst = worst or "level %s: found %s, expected %s" % (level, found, wanted)
    highest = model["intervals"]["rows"] / (model["intervals"]["rows"] + 1)
    check(name + ": the numbers of the JSON give the intervals", compared >= 10 and not worst, worst or compared)
    check(name + ": the highest level", model["intervals"]["highest_level"] == highest == max(of["levels"]), highest)


# ---- C and JavaScript ----

def check_c(name, model, path, wanted, *options):
    said = " ".join((name,) + options)
    entropic("export", model, "-o", "m.c", *options)
    wrong = compiled("m.c", "test", "-DENTROPIC_EXPORT_TEST")
    done = run("./test") if not wrong else None
    check(said + ": C tests itself, intervals too", not wrong and done.returncode == 0
          and ("same interval" in done.stdout or "same class_set" in done.stdout), wrong or done.stdout)
    wrong = compiled("m.c", "main", "-DENTROPIC_EXPORT_MAIN")
    if wrong:
        check(said + ": C compiles", False, wrong)
        return
    digits, text = FLOAT_DIGITS if "--float" in options else DIGITS, open(path, newline="").read()
    for level, table in wanted.items():
        done = run("./main", level, stdin=text)
        differs = same(table_of(done.stdout), table, digits) if done.returncode == 0 else done.stderr
        check("%s: C has the intervals of level %s" % (said, level), not differs, differs)
    for level in ("0", "-1", "1", "nan", "0.5x", ""):
        done = run("./main", level, stdin=text)
        check("%s: C refuses the level '%s'" % (said, level), done.returncode == 1 and "expected" in done.stderr
              and not done.stdout, done.stderr)


DRIVER = """
import fs from "fs";
const jobs = JSON.parse(fs.readFileSync("jobs.json", "utf8")), found = {};
const refused = (model, level) => {
  try {
    (model.interval || model.classSet)(model.inputs.map(() => NaN), level);
    return false;
  } catch (error) {
    return error instanceof RangeError;
  }
};
for (const [name, file, rows, levels] of jobs) {
  try {
    const model = await import(file);
    found[name] = {count: model.selfTest(), highest: model.highestLevel,
      refused: [0, 1, -1, NaN, (1 + model.highestLevel) / 2].every((level) => refused(model, level)),
      levels: levels.map((level) => rows.map((row) => model.classSet
        ? [[model.predict(row)].concat(model.probabilities(row)), model.classSet(row, Number(level))]
        : [[].concat(model.predict(row)), [].concat(...model.interval(row, Number(level)))]))};
  } catch (error) {
    found[name] = {error: String(error.stack)};
  }
}
console.log(JSON.stringify(found));
"""


def as_set(names):
    return " ".join('"%s"' % n.replace('"', '""') if not n or any(c in n for c in ' \t"') else n for n in names)


def check_js(jobs, wanted):
    if not NODE:
        skip("JavaScript has the intervals", "there is no node")
        return
    written_as("driver.mjs", DRIVER)
    written_as("jobs.json", json.dumps(jobs))
    done = run(NODE, "driver.mjs")
    found = json.loads(done.stdout) if done.returncode == 0 else {}
    for name, _, _, levels in jobs:
        of, differs = found.get(name, {"error": done.stderr}), ""
        for level, rows in zip(levels, of.get("levels", [])):
            table = [wanted[name][level][0]]
            for first, second in rows:
                sets = second and isinstance(second[0], str)
                table.append([v if isinstance(v, str) else repr(v) for v in first + ([as_set(second)] if sets else second)])
            differs = differs or same(table, wanted[name][level], DIGITS)
        check(name + ": JavaScript has the intervals", "error" not in of and of["count"] > 0 and of["refused"]
              and repr(of["highest"]) == levels[-1] and len(of["levels"]) == len(levels) and not differs,
              of.get("error") or differs or of)


def written_as(path, text):
    with open(path, "w") as file:
        file.write(text)


# ---- Models ----

def check_model(name, model, jobs, wanted):
    parts = json.loads(entropic("export", model, "--lang", "json"))
    check_json(name, parts)
    inputs = [of["name"] for of in parts["inputs"]]
    with open("made.csv", newline="") as file:
        rows = [[row[n] for n in inputs] + ["1"] for row in csv.DictReader(file)][:100]
    path = written("rows.csv", [[mark if mark not in ("na", "NULL", "-") else "" for mark in row]
                                for row in more_rows(parts)] + rows)
    levels = ["0.001", "0.5", "0.9", repr(parts["intervals"]["highest_level"])]
    proba = ["--proba"] if parts["classes"] else []
    wanted[name] = {level: table_of(entropic("predict", model, path, "--quiet", "--interval", level, *proba))
                    for level in levels}
    if GCC:
        check_c(name, model, path, wanted[name])
        check_c(name, model, path, {level: wanted[name][level] for level in levels[1:3]}, "--float", "--name", "f")
    else:
        skip(name + ": C has the intervals", "there is no gcc")
    file = "./m%d.mjs" % len(jobs)
    entropic("export", model, "-o", file)
    with open(path, newline="") as text:
        jobs.append([name, file, list(csv.DictReader(text)), levels])
    return parts


def spreads(parts, target=0):
    """What the spread of a target depends on."""
    return [of["by"] if of["by"] == "score" else parts["inputs"][of["input"]]["name"]
            for of in parts["intervals"]["targets"][target]["spread"]]


def models(jobs, wanted):
    fixed = ["--omega", "2", "--lambda", "1e-3", "--select", "entropy"]
    parts = check_model("numbers", fitted("m.entropic", "y", "--keep", "a,b,gap", *fixed), jobs, wanted)
    check("the spread depends on a category and on another input", "colour" in spreads(parts) and len(spreads(parts)) > 1,
          spreads(parts))
    parts = check_model("two targets", fitted("m.entropic", "z,y", *fixed), jobs, wanted)
    check("the spread depends on the prediction", "score" in spreads(parts, parts["targets"].index("z")), parts["targets"])
    parts = check_model("root", fitted("m.entropic", "count", "--target-scale", "root"), jobs, wanted)
    check("a root was learnt", "root" in parts and parts["bounds"], parts.get("root"))
    check_model("two classes", fitted("m.entropic", "kind"), jobs, wanted)
    check_model("classes", fitted("m.entropic", "kinds"), jobs, wanted)


def without():
    """A model without intervals says so at its head, and has no function for them."""
    for name in ("v2-classes", "v2-selected"):
        model = os.path.join(os.environ["ENTROPIC_SOURCE"], "tests", "golden", name + ".entropic")
        for path, words in (("none.c", ["class_set(", "interval("]), ("none.mjs", ["classSet(", "interval("]),
                            ("none.json", ["\"intervals\""])):
            entropic("export", model, "-o", path)
            text = open(path).read()
            said = path.endswith("json") or "No intervals" in text.split("*/")[0]
            check("%s: %s has no intervals" % (name, path), said and not any(word in text for word in words), "")
    if GCC:
        wrong = compiled("none.c", "main", "-DENTROPIC_EXPORT_MAIN")
        done = run("./main", "0.9", stdin="") if not wrong else None
        check("its program says so, too", not wrong and done.returncode == 1 and "no intervals" in done.stderr,
              wrong or done.stderr)


def main():
    jobs, wanted = [], {}
    made_tables()
    models(jobs, wanted)
    check_js(jobs, wanted)
    without()
    sys.exit(end())


main()
