"""Exports on 100,000 rows: C, C of single precision and JavaScript predict what `predict` does, intervals too.

Made tables: numbers, a root, classes, a category and missing values; knots of few digits, of 15 and of all. With the tables
of the shared data also Grid: the object of 200 features is below 64 KB.
"""
import csv
import json
import math
import os
import random
import sys

from _exports import DIGITS, FLOAT_DIGITS, GCC, NODE, STRICT, compiled, entropic, run, table_of, written
from _tap import check, end, skip

ROWS = int(os.environ.get("ENTROPIC_EXPORT_ROWS", "100000"))
DATA = os.environ.get("ENTROPIC_DATA") or os.path.join(os.environ["ENTROPIC_SOURCE"], "..", "shared", "data")
LEVEL = "0.9"
INPUTS = ["few", "many", "all", "colour", "gap"]


def drawn(rows, seed):
    draw = random.Random(seed)
    for _ in range(rows):
        few, many, every, noise = round(draw.random(), 2), round(draw.random(), 15), draw.random(), draw.gauss(0, 1)
        colour, gap = draw.choice(["red", "blue", "green"]), draw.random() if draw.random() < 0.8 else None
        y = math.sin(6 * few) + many * every + (0.5 if colour == "red" else 0) + noise * (0.05 + 0.3 * few)
        x = [repr(few), repr(many), repr(every), colour, "" if gap is None else repr(gap)]
        yield x, {"y": repr(y), "count": repr(max(0, round(9 * (few + many) ** 3 + noise, 3))),
                  "kind": "low" if y < 0.3 else "high" if y > 1.2 else "middle"}


def made_tables(target):
    written("train.csv", [INPUTS + [target]] + [x + [y[target]] for x, y in drawn(3000, 1)])
    # Rows beyond the range and categories that were not seen come with them.
    rows = [x for x, _ in drawn(ROWS, 2)]
    for r in range(0, ROWS, 50):
        rows[r][r // 50 % 3] = repr(random.Random(r).uniform(-1, 2))
        rows[r][3] = "violet"
    written("rows.csv", [INPUTS] + rows)


def is_class(column):
    return any(not is_float(value) for value in column)


def is_float(text):
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def differences(found, wanted, digits):
    """What differs: numbers relative to the largest of their column. Classes and sets where two are as likely, to the digits
    that there are, may differ: at most one in 10,000 rows."""
    if len(found) != len(wanted) or found[0] != wanted[0]:
        return "%d lines of %d, header %s of %s" % (len(found), len(wanted), found[0], wanted[0])
    names, wrong = wanted[0], []
    for c, name in enumerate(names):
        columns = [row[c] for row in found[1:]], [row[c] for row in wanted[1:]]
        if is_class(columns[1]):
            other = sum(f != w for f, w in zip(*columns))
            if not other <= (len(found) // 10000 if digits > 1e-9 else 0):
                wrong.append("%s: %d differ" % (name, other))
            continue
        most = max(abs(float(w)) for w in columns[1])
        worst = max(abs(float(f) - float(w)) if is_float(f) else math.inf for f, w in zip(*columns))
        if not worst <= digits * most:
            wrong.append("%s: largest %g, largest difference %g" % (name, most, worst))
    return "; ".join(wrong)


def check_c(name, model, wanted, *options):
    said = " ".join(("%s: C" % name,) + options)
    entropic("export", model, "-o", "m.c", *options)
    wrong = compiled("m.c", "main", "-O2", "-DENTROPIC_EXPORT_MAIN")
    done = run("./main", LEVEL, stdin=open("rows.csv", newline="").read()) if not wrong else None
    wrong = wrong or done.stderr or differences(table_of(done.stdout), wanted, FLOAT_DIGITS if options else DIGITS)
    check("%s, %d rows" % (said, ROWS), not wrong, wrong)


DRIVER = """
import fs from "fs";
import * as model from "./m.mjs";
const lines = fs.readFileSync("rows.csv", "utf8").split(/\\r?\\n/).filter((line) => line);
const names = lines[0].split(","), out = [];
for (const line of lines.slice(1)) {
  const row = {};
  line.split(",").forEach((value, i) => { row[names[i]] = value; });
  if (model.classes.length)
    out.push([model.predict(row)].concat(model.probabilities(row), model.classSet(row, LEVEL).join(" ")).join(","));
  else out.push([model.predict(row)].concat(model.interval(row, LEVEL)).join(","));
}
fs.writeFileSync("js.csv", out.join("\\n") + "\\n");
"""


def check_js(name, model, wanted):
    if not NODE:
        skip(name + ": JavaScript", "there is no node")
        return
    entropic("export", model, "-o", "m.mjs")
    with open("driver.mjs", "w") as file:
        file.write(DRIVER.replace("LEVEL", LEVEL))
    done = run(NODE, "driver.mjs")
    with open("js.csv", newline="") as file:
        found = [wanted[0]] + list(csv.reader(file))
    wrong = done.stderr or differences(found, wanted, DIGITS)
    check("%s: JavaScript, %d rows" % (name, ROWS), not wrong, wrong)


def fits():
    fixed = ["--omega", "2", "--lambda", "1e-3", "--select", "entropy"]
    for name, target, options in (("numbers", "y", fixed), ("learnt", "y", []), ("root", "count", ["--target-scale", "root"]),
                                  ("classes", "kind", [])):
        made_tables(target)
        entropic("fit", "train.csv", "--target", target, "--keep", ",".join(INPUTS), "--features", "200", "--quiet", "-o",
                 "m.entropic", *options)
        proba = ["--proba"] if name == "classes" else []
        wanted = table_of(entropic("predict", "m.entropic", "rows.csv", "--quiet", "--interval", LEVEL, *proba))
        check_c(name, "m.entropic", wanted)
        check_c(name, "m.entropic", wanted, "--float")
        check_js(name, "m.entropic", wanted)


def grid():
    """200 features of Grid's 12 inputs, of 15 digits each: the object is below 64 KB, also if all inputs are in use."""
    path = os.path.join(DATA, "grid_stability.csv.gz")
    if not os.path.exists(path):
        skip("Grid", "there is no %s" % path)
        return
    for target, other, select in (("stabf", "stab", "residual"), ("stab", "stabf", "residual"), ("stab", "stabf", "entropy"),
                                  ("stabf", "stab", "entropy")):
        entropic("fit", path, "--target", target, "--ignore", other, "--features", "200", "--select", select, "--quiet", "-o",
                 "grid.entropic")
        name = "Grid, %s by %s" % (target, select)
        for level in ("-Os", "-O2"):
            for options in ([], ["--float"]):
                entropic("export", "grid.entropic", "-o", "grid.c", *options)
                done = run(GCC, *STRICT, level, "-c", "grid.c", "-o", "grid.o")
                size = run("size", "grid.o").stdout.splitlines()[-1].split() if done.returncode == 0 else ["0"] * 4
                check("%s %s%s: an object under 64 KB" % (name, level, " float" if options else ""),
                      0 < int(size[3]) < 65536, size)
        inputs = json.loads(entropic("export", "grid.entropic", "--lang", "json"))["inputs"]
        print("# %s: %d inputs in use" % (name, len(inputs)))
        check("%s: all inputs are in use" % name, len(inputs) == 12 or select != "entropy", len(inputs))


def main():
    if not GCC:
        skip("exports on many rows", "there is no gcc")
    else:
        fits()
        grid()
    sys.exit(end())


main()
