"""Exports of models: C99, JavaScript and JSON predict what `predict` does.

Every golden model and one model of each kernel is exported. The C compiles without a warning, passes its own test, and
predicts rows with missing values, categories that were not seen and numbers beyond the training range. JavaScript does the
same under node. The numbers of the JSON are computed with here, as docs/export-format.md says and from nothing else.
"""
import csv
import glob
import io
import json
import math
import os
import random
import sys

import _kernels
from _export_json import centre_effects, json_prediction, json_scores
from _exports import (CLANG, DIGITS, ENTROPIC, FLOAT_DIGITS, GCC, NODE, STRICT, compiled, entropic, more_rows, run, same,
                      table_of, written)
from _tap import check, end, skip

GOLDEN = os.path.join(os.environ["ENTROPIC_SOURCE"], "tests", "golden")


def check_json(name, model):
    wanted, worst = model["check"], ""
    rows = [json_scores(model, row) for row in wanted["rows"]]
    most = max([abs(s) for row in wanted["scores"] for s in row], default=0)
    for r, (found, expected) in enumerate(zip(rows, wanted["scores"])):
        if not all(abs(f - e) <= 1e-11 * most for f, e in zip(found, expected)):
            worst = worst or "row %d: scores %s, expected %s" % (r, found, expected)
        prediction = json_prediction(model, found)
        for f, e in zip(prediction, wanted["predictions"][r]):
            if e is not None and not abs(f - e) <= 1e-11 * max(abs(e), most):
                worst = worst or "row %d: %s, expected %s" % (r, prediction, wanted["predictions"][r])
    check(name + ": the numbers of the JSON give the answers", len(rows) >= 4 and not worst, worst)
    if "effects" in wanted:
        sums = [abs(sum(effects[k * width:(k + 1) * width]) - scores[k])
                for width in [1 + len(model["inputs"])]
                for effects, scores in zip(wanted["effects"], wanted["scores"]) for k in range(len(scores))]
        check(name + ": effects add up to the scores", max(sums) <= 1e-12 * max(most, 1), max(sums))


# ---- C ----

def check_c(name, model, rows, wanted, *options):
    digits = FLOAT_DIGITS if "--float" in options else DIGITS
    said = " ".join((name,) + options)
    entropic("export", model, "-o", "m.c", *options)
    if not GCC:
        skip(said + ": C", "there is no gcc")
        return
    wrong = compiled("m.c", "test", "-DENTROPIC_EXPORT_TEST")
    done = run("./test") if not wrong else None
    check(said + ": C tests itself", not wrong and done.returncode == 0, wrong or done.stdout)
    level = "-O2" if name in ("effects", "v2-selected", "v2-classes") else "-O0"  # finds more, and takes longer
    wrong = compiled("m.c", "main", level, "-DENTROPIC_EXPORT_MAIN")
    done = run("./main", stdin=open(rows, newline="").read()) if not wrong else None
    check(said + ": C predicts the rows", not wrong and done.returncode == 0
          and not same(table_of(done.stdout), wanted, digits),
          wrong or done.stderr or same(table_of(done.stdout), wanted, digits))


def check_clang(name, *options):
    if not CLANG:
        skip(name + ": clang has no warning", "there is no clang")
        return
    for program in ("TEST", "MAIN"):
        done = run(CLANG, *STRICT, "-fsyntax-only", "-DENTROPIC_EXPORT_" + program, "m.c")
        check("%s: clang has no warning, %s" % (name, program), done.returncode == 0, done.stderr[:2000])


# ---- JavaScript ----

DRIVER = """
import fs from "fs";
const jobs = JSON.parse(fs.readFileSync("jobs.json", "utf8")), found = {};
for (const [name, file, rows] of jobs) {
  try {
    const model = await import(file);
    const answer = (row) => model.classes.length
      ? [model.predict(row)].concat(model.probabilities(row)) : [].concat(model.predict(row));
    found[name] = {count: model.selfTest(), rows: rows.map(answer), hash: model.hash,
                   effects: model.effects ? rows.map((row) => model.effects(row)) : null};
  } catch (error) {
    found[name] = {error: String(error.stack)};
  }
}
console.log(JSON.stringify(found));
"""


class Scripts:
    """All modules, run by one node."""

    def __init__(self):
        self.jobs, self.wanted = [], {}

    def add(self, name, model, rows, wanted):
        file = "./m%d.mjs" % len(self.jobs)
        entropic("export", model, "-o", file)
        with open(rows, newline="") as text:
            self.jobs.append([name, file, list(csv.DictReader(text))])
        self.wanted[name] = wanted

    def check(self):
        if not NODE:
            skip("JavaScript predicts the rows", "there is no node")
            return {}
        with open("driver.mjs", "w") as file:
            file.write(DRIVER)
        with open("jobs.json", "w") as file:
            json.dump(self.jobs, file)
        done = run(NODE, "driver.mjs")
        found = json.loads(done.stdout) if done.returncode == 0 else {}
        for name, wanted in self.wanted.items():
            of = found.get(name, {"error": done.stderr})
            rows = [wanted[0]] + [[v if isinstance(v, str) else repr(v) for v in row] for row in of.get("rows", [])]
            check(name + ": JavaScript tests itself and predicts the rows",
                  "error" not in of and of["count"] > 0 and not same(rows, wanted, DIGITS),
                  of.get("error") or same(rows, wanted, DIGITS))
        return found


# ---- What is exported ----

def check_model(name, model, rows, scripts, *options):
    parts = json.loads(entropic("export", model, "--lang", "json"))
    check_json(name, parts)
    both = [list(r) for r in csv.reader(open(rows, newline=""))]
    names = list(dict.fromkeys(of.get("column", of["name"]) for of in parts["inputs"]))  # one date has several inputs
    kept = [[row[both[0].index(n)] for n in names] + ["1"] for row in both[1:]]
    more = more_rows(parts) if len(names) == len(parts["inputs"]) else [names + ["y"]]
    path = written("rows.csv", more + [[]] + kept)  # a blank line is no row
    proba = ["--proba"] if parts["classes"] else []
    wanted = table_of(entropic("predict", model, path, "--quiet", *proba))
    check_c(name, model, path, wanted, *options)
    if not options:
        scripts.add(name, model, path, wanted)
    return parts


def goldens(scripts):
    for model in sorted(glob.glob(os.path.join(GOLDEN, "*.entropic"))):
        name = os.path.basename(model)[:-len(".entropic")]
        rows = os.path.join(GOLDEN, name.split("-")[0] + "-rows.csv")
        check_model(name, model, rows, scripts)
        if name in ("v2-selected", "v4-few-classes"):
            check_clang(name)


def made_table(path, rows=150):
    state = 7
    with open(path, "w") as file:
        file.write("a,b,colour,gap,y,kind\n")
        for r in range(rows):
            draws = []
            for _ in range(4):
                state = (state * 1103515245 + 12345) % 2 ** 31
                draws.append(state / 2 ** 31)
            a, b, c, d = draws
            file.write("%r,%r,%s,%s,%r,%s\n" % (a, 100 * b ** 3, ["red", "blue", "green"][int(3 * c)],
                                               "" if d < 0.2 else "%.3f" % d, math.sin(6 * a) + b * d,
                                               "yes" if a + d > 1 else "no"))


def fitted(name, *options, target="y", ignore="kind", features=40):
    entropic("fit", "made.csv", "--target", target, "--ignore", ignore, "-o", name, "--quiet", "--features", features,
             "--lambda", "1e-4", *options)
    return name


def kernels(scripts):
    made_table("made.csv")
    numbers = ["--keep", "a,b,gap"]
    entropy = ["--select", "entropy"]
    for kernel in _kernels.kernels():
        model = fitted("k.entropic", *_kernels.options(kernel, 3), *entropy, ignore="kind,colour,gap")
        check_model("kernel " + kernel, model, "made.csv", scripts)
    model = fitted("k.entropic", "--kernel", "laplace", "--basis", "interior", "--omega", "1", *entropy,
                   ignore="kind,colour,gap")
    check_model("interior basis", model, "made.csv", scripts)
    model = fitted("k.entropic", "--smooth", "4", "--omega", "2", *numbers, *entropy)
    check_model("smooth with missing values", model, "made.csv", scripts)
    check_model("smooth with missing values", model, "made.csv", scripts, "--float")
    model = fitted("k.entropic", "--scale", "none", "--omega", "2", *entropy, ignore="kind,b")
    check_model("not scaled", model, "made.csv", scripts)
    model = fitted("k.entropic", "--omega", "2", "--loss", "logistic", *entropy, target="kind", ignore="y")
    check_model("two classes", model, "made.csv", scripts)
    check_model("two classes", model, "made.csv", scripts, "--float", "--name", "other_1")
    check_clang("two classes")


def centres(scripts):
    """Models of all training rows: every kernel that has a formula, both bases; one without is refused by name."""
    common = ["fit", "made.csv", "--target", "y", "--ignore", "kind", "--solver", "exact", "--lambda", "1e-3",
              "--quiet", "-o", "x.entropic"]
    cases = [[kernel] + _kernels.options(kernel, 3) for kernel in _kernels.kernels()]
    cases += [["interior " + kernel, "--kernel", kernel, "--omega", omega, "--basis", "interior"]
              for kernel, omega in (("laplace", "0.01"), ("cosh", "500"), ("neumann", "3"), ("sobolev", "2"))]
    for name, *options in cases:
        entropic(*common, *options)
        if "--p" in options or "--alpha" in options:
            done = run(ENTROPIC, "export", "x.entropic")
            check("rows of a %s kernel are refused by name" % name,
                  done.returncode == 1 and "input 'a'" in done.stderr and "no formula" in done.stderr, done.stderr)
            continue
        parts = check_model("rows, " + name, "x.entropic", "made.csv", scripts)
        check_centres("rows, " + name, parts)
        if name == "centred":
            check_model("rows, " + name, "x.entropic", "made.csv", scripts, "--float")
            check_clang("rows, " + name)
            head = open("m.c").read()[:3000]
            check("the C says how many training rows it contains and what a prediction costs",
                  "contains 150 training rows" in head and "600 in all" in head, head)


def check_centres(name, parts):
    """Effects by the definition with all subsets, and that the model is its training rows alone."""
    wanted, worst = parts["check"], 0.0
    most = max(abs(s) for row in wanted["scores"] for s in row)
    for row, expected in zip(wanted["rows"], wanted["effects"]):
        found = centre_effects(parts, row)
        for own, offset in zip(found, parts["offsets"]):
            own[0] += offset
        found = [value for own in found for value in own]
        worst = max([worst] + [abs(f - e) if f == f else math.inf for f, e in zip(found, expected)])
    check(name + ": effects are those of all subsets", parts["format_version"] == 4 and not parts["features"]
          and len(parts["centres"][0]["rows"]) == 150 and worst <= 1e-11 * most, worst)


def effects(scripts):
    """Effects of rows are those of predict --effects; the hash is that of the file."""
    model = fitted("effects.entropic", "--omega", "2")
    parts = check_model("effects", model, "made.csv", scripts)
    found = scripts.check().get("effects")
    if not found or "error" in found:
        return
    names = ["effect_base"] + ["effect_" + of["name"] for of in parts["inputs"]]
    rows = list(csv.DictReader(io.StringIO(entropic("predict", model, "rows.csv", "--effects", "--quiet"))))
    wanted = [names] + [[row[n] for n in names] for row in rows]
    listed = [names] + [[repr(v) for v in row[0]] for row in found["effects"]]
    check("JavaScript has the effects of predict --effects", not same(listed, wanted, 1e-11), same(listed, wanted, 1e-11))
    hashed = run("sha256sum", model).stdout.split()[0]
    check("the hash is that of the model's file", parts["hash"] == hashed == found["hash"], parts["hash"])
    check("the C names the hash", hashed in open("m.c").read(), "")


HOSTILE = ["*/ int main(void) { return 1; } /*", "quote\" \\ ' back", "tri??/graph??'", "</script><b>&", "line\nbreak",
           "\u202eright\u05d0\u0628", "x" * 10000, "// \\", "${process.exit(1)}", "__proto__", "%s%n@$", "\U0001f600"]


def hostile(scripts):
    """Names of any bytes stay names: of inputs, categories and classes."""
    rows, state = [], 1
    for r in range(96):
        state = (state * 1103515245 + 12345) % 2 ** 31
        numbers = [str((state >> (k % 20)) % 97) for k in range(len(HOSTILE))]
        numbers[0] = HOSTILE[1 + state % 7]
        rows.append(numbers + [HOSTILE[r % 3]])
    written("hostile.csv", [HOSTILE + ["target */ \"?\\"]] + rows)
    entropic("fit", "hostile.csv", "--target", len(HOSTILE) + 1, "--categorical", "1", "--omega", "1", "--lambda", "1e-3",
             "--select", "entropy", "--features", "60", "--loss", "squared", "--quiet", "-o", "hostile.entropic")
    check_model("hostile names", "hostile.entropic", "hostile.csv", scripts)
    check_clang("hostile names")
    for file, inert in (("m.c", b"</script"), (scripts.jobs[-1][1], b"</script")):
        text = open(file, "rb").read()
        check("%s is ASCII" % file, all(c < 128 for c in text), "")
        check("%s has no markup" % file, inert not in text or file == "m.c", "")


def twelve(path, rows, digits, strata):
    """A table of 12 inputs. strata: each of them has one value in each of as many cells as there are rows."""
    draw, columns = random.Random(3), []
    for _ in range(12):
        cells = draw.sample(range(rows), rows)
        columns.append([round((cell + draw.random()) / rows if strata else draw.random(), digits) for cell in cells])
    table = [[repr(v) for v in row] + [repr(row[0] * row[1] + sum(row) ** 2)] for row in zip(*columns)]
    return written(path, [["x%d" % (i + 1) for i in range(12)] + ["y"]] + table)


def device(scripts):
    """200 features of 12 inputs that are all in use, of few digits and of 15: the object is small, and predicts the same."""
    for rows, digits, strata in ((600, 3, False), (5000, 15, True)):
        name = "200 features of 12 inputs of %d digits" % digits
        path = twelve("twelve.csv", rows, digits, strata)
        entropic("fit", path, "--target", "y", "--features", "200", "--omega", "1", "--lambda", "1e-3", "--select", "entropy",
                 "--quiet", "-o", "twelve.entropic")
        parts = check_model(name, "twelve.entropic", path, scripts)
        check(name + ": all are in use", len(parts["inputs"]) == 12, len(parts["inputs"]))
        if not GCC:
            skip(name + ": an object under 64 KB", "there is no gcc")
            continue
        done = run(GCC, *STRICT, "-O2", "-c", "m.c", "-o", "m.o")
        size = run("size", "m.o").stdout.splitlines()[-1].split() if done.returncode == 0 else ["0"] * 4
        check(name + ": an object under 64 KB", 0 < int(size[3]) < 65536, size)


def digits(scripts):
    """Knots of any digits, and far from a line: few decimals, 15 digits, all digits, outliers, ties, both signs."""
    draw = random.Random(4)
    rows = [["few", "many", "all", "outliers", "ties", "signs", "first", "y"]]
    for r in range(1500):
        u = [draw.random() for _ in range(7)]
        row = [round(u[0], 2), round(u[1], 15), u[2], round(math.exp(20 * u[3]), 3), int(1 / (u[4] + 0.01)),
               round((u[5] - 0.5) * 1e7, 8), round(u[6] if r else -1e6, 9)]
        rows.append([repr(v) for v in row] + [repr(sum(u) + math.sin(6 * u[1]))])
    written("digits.csv", rows)
    names = ",".join(rows[0][:-1])
    entropic("fit", "digits.csv", "--target", "y", "--keep", names, "--features", "60", "--omega", "1", "--lambda", "1e-3",
             "--select", "entropy", "--quiet", "-o", "digits.entropic")
    parts = check_model("digits", "digits.entropic", "digits.csv", scripts)
    check("digits: all inputs are in use", len(parts["inputs"]) == 7, [of["name"] for of in parts["inputs"]])
    lines = open("m.c").read().split("model_inputs[] = {\n")[1].split("\n")
    whole = {of["name"]: line.split(", ")[7] for of, line in zip(parts["inputs"], lines)}
    check("digits: decimals are whole numbers, and doubles of all digits are rounded", 
          all(whole[name] == "1" for name in ("few", "many", "all", "ties", "signs")), whole)


def declarations():
    """The file declares its functions, two models go together, and nothing but their functions is seen outside."""
    if not GCC:
        skip("two models in one program", "there is no gcc")
        return
    entropic("export", "effects.entropic", "-o", "one.c", "--name", "one")
    entropic("export", "effects.entropic", "-o", "two.c", "--name", "two", "--float")
    with open("user.c", "w") as file:
        file.write("#define ONE_DECLARATIONS\n#include \"one.c\"\n#define TWO_DECLARATIONS\n#include \"two.c\"\n"
                   "int main(void) {\n  double x[ONE_INPUTS] = {0}, y[ONE_TARGETS];\n"
                   "  float u[TWO_INPUTS] = {0}, v[TWO_TARGETS];\n  one_predict(x, y);\n  two_predict(u, v);\n"
                   "  return !(y[0] - v[0] < 1e-3 && v[0] - y[0] < 1e-3);\n}\n")
    done = run(GCC, *STRICT, "user.c", "one.c", "two.c", "-o", "user", "-lm")
    check("two models in one program", done.returncode == 0 and run("./user").returncode == 0, done.stderr[:2000])
    run(GCC, *STRICT, "-c", "one.c", "-o", "one.o")
    seen = run("nm", "-g", "--defined-only", "one.o").stdout.split()[2::3]
    check("only its functions are seen outside", seen and all(s.startswith("one_") for s in seen) and len(seen) <= 8, seen)
    plain = ("strcmp", "strlen", "strncmp", "memset")
    undefined = [s for s in run("nm", "-u", "one.o").stdout.split()[1::2] if s not in plain]
    check("it needs no library", not [s for s in undefined if "chk" not in s and s != "_GLOBAL_OFFSET_TABLE_"], undefined)


def program():
    """The program refuses what predict refuses, with status 1, and takes what it takes: see tests/python/same_cells.py."""
    if not GCC:
        skip("cells of the program", "there is no gcc")
        return
    wrong = compiled("one.c", "one", "-DENTROPIC_EXPORT_MAIN")
    check("the program of one model", not wrong, wrong)
    header, row = "a,b,colour,gap\n", "%s,1.5,red,2%s\n"
    for cell, end, taken in (("0.5", "", True), ("0.5", ",", True), ('" 0.5 "', "", True), ("0x10", "", False), ("\f0.5", "", False),
                             ("\v0.5", "", False), ('"0.5"x', "", False), ("0.5", ",1", False), (None, "", False)):
        text = header + ("" if cell is None else row % (cell, end))
        with open("cell.csv", "w") as file:
            file.write(text)
        done, own = run(ENTROPIC, "predict", "effects.entropic", "cell.csv", "--quiet"), run("./one", stdin=text)
        check("%r%s: predict %s it" % (cell, end, "takes" if taken else "refuses"), done.returncode == (0 if taken else 2), done.stderr)
        check("%r%s: so does the program" % (cell, end), own.returncode == (0 if taken else 1) and
              (not same(table_of(own.stdout), table_of(done.stdout), DIGITS) if taken else not own.stdout), own.stdout + own.stderr)


def refusals():
    for options, status, part in ((["--lang", "java"], 1, "--lang"), (["--lang", "js", "--float"], 1, "--float"),
                                  (["--name", "1x"], 1, "--name"), (["--name", "a b"], 1, "--name"),
                                  (["--name", ""], 1, "--name"), (["--name", "x" * 32], 1, "--name"),
                                  (["-o", "effects.entropic"], 1, "effects.entropic"),
                                  (["-o", "no/such/folder.c"], 3, "no/such")):
        done = run(ENTROPIC, "export", "effects.entropic", *options)
        check("%s is refused" % " ".join(options), done.returncode == status and part in done.stderr and not done.stdout,
              "%d %s" % (done.returncode, done.stderr))
    done = run(ENTROPIC, "export", "made.csv")
    check("what is no model is refused", done.returncode == 2 and "made.csv" in done.stderr, done.stderr)
    entropic("fit", "made.csv", "--target", "y", "--ignore", "b,colour,gap,kind", "--keep", "a", "--features", 140000,
             "--max-level", 18, "--select", "entropy", "--omega", 1, "--lambda", 1e-3, "-o", "large.entropic", "--quiet")
    done = run(ENTROPIC, "export", "large.entropic", "-o", "large.c")
    check("a model that is too large says so with its numbers",
          done.returncode in (1, 2, 3) and "too large" in done.stderr and "140000" in done.stderr, done.stderr)
    check("and leaves no file", not os.path.exists("large.c"), "")
    one, two = (run(ENTROPIC, "export", "effects.entropic").stdout for _ in range(2))
    check("the same bytes again", one == two and len(one) > 1000, "")


def main():
    scripts = Scripts()
    goldens(scripts)
    kernels(scripts)
    centres(scripts)
    hostile(scripts)
    digits(scripts)
    effects(scripts)
    device(scripts)
    declarations()
    program()
    refusals()
    sys.exit(end())


main()
