"""Values outside the range learnt from. Where validation rows say so, the lines of main effects go on, by at most one
range; all else counts as the end. Predictions, effects, exports and statistics follow."""
import json
import math
import os
import random
import subprocess

from _export_json import json_prediction, json_scores
from _exports import DIGITS, GCC, NODE, compiled, same, table_of, written
from _tap import check, end, skip

ENTROPIC = os.environ["ENTROPIC"]


def run(*words):
    done = subprocess.run([ENTROPIC, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=300)
    return done.returncode, done.stdout, done.stderr


def done(*words):
    status, out, errors = run(*words)
    check(" ".join(map(str, words)), status == 0, errors)
    return out, errors


def student(draw, freedom=3):
    """A heavy-tailed number."""
    return draw.gauss(0, 1) / math.sqrt(sum(draw.gauss(0, 1) ** 2 for _ in range(freedom)) / freedom)


def table(name, rows):
    return written(name, [["a", "b", "y"]] + [["%.9g" % v for v in row] for row in rows])


def fitted(name, *more):
    out, _ = done("fit", name, "--target", "y", "-o", name + ".model", "--json", *more)
    return json.loads(out)


def predictions(model, data):
    out, errors = done("predict", model, data)
    return [float(line) for line in out.split()[1:]], errors


def root_mean(values):
    values = list(values)
    return math.sqrt(sum(v * v for v in values) / len(values))


def outside_by(rows, fresh):
    """Fresh rows that are outside the range of the others in some input, by at most a range."""
    ends = [(min(r[i] for r in rows), max(r[i] for r in rows)) for i in range(2)]

    def off(row):
        return [max(low - v, v - high, 0) / (high - low) for v, (low, high) in zip(row, ends)]
    return [row for row in fresh if 0 < max(off(row)) <= 1]


def check_linear(name, value):
    """Linear in two inputs of a heavy tail: outside the range the errors are those of the noise, too."""
    draw = random.Random(5)

    def rows(count):
        for _ in range(count):
            a, b = value(draw), value(draw)
            yield a, b, 2 * a + b + 0.1 * draw.gauss(0, 1)
    learnt, fresh = list(rows(400)), list(rows(30000))
    far = outside_by(learnt, fresh)
    said = fitted(table(name + ".csv", learnt))
    check(name + ": the model is linear, and its lines go on", said["form"] == "linear" and said["scale"] == "minmax" and
          said["inputs_continued"] == ["a", "b"], said)
    inside = [row for row in fresh if row not in far][:2000]
    table(name + "-far.csv", far)
    found, errors = predictions(name + ".csv.model", name + "-far.csv")
    error = root_mean(f - row[2] for f, row in zip(found, far))
    check(name + ": no worse outside", len(far) >= 20 and error <= 0.13, "%d rows, %g" % (len(far), error))
    check(name + ": the notice", "lines go on, by at most one range" in errors and "count as its end" not in errors, errors)
    check(name + ": the validation error", 0.09 <= said["validation"]["rmse"] <= 0.115, said["validation"])
    check(name + ": the reference is the linear model", 0.09 <= said["references"]["linear"] <= 0.115, said["references"])
    return inside


def check_limit():
    """Beyond one range a line does not go on."""
    rows = [line.split(",") for line in open("student.csv").read().split()[1:]]
    low, high = min(float(r[0]) for r in rows), max(float(r[0]) for r in rows)
    width = high - low
    table("limit.csv", [(high + k * width, 0, 0) for k in (1.2, 1.5, 1000)] + [(low - k * width, 0, 0) for k in (1.2, 3)])
    found, _ = predictions("student.csv.model", "limit.csv")
    check("one range is the limit", found[0] == found[1] == found[2] and found[3] == found[4] and
          abs(found[0] - found[3] - 6 * width) <= 0.1 * width, (found, width))


def check_effects():
    out, _ = done("predict", "student.csv.model", "student-far.csv", "--effects")
    head, *lines = [line.split(",") for line in out.split()]
    columns = [i for i, name in enumerate(head) if name.startswith("effect_")]
    worst = max(abs(float(line[head.index("score")]) - sum(float(line[i]) for i in columns)) for line in lines)
    check("effects add up to the score outside", len(columns) == 3 and worst <= 1e-9, worst)


def check_exports(model, rows):
    wanted = table_of(done("predict", model, rows)[0])
    done("export", model, "-o", "m.json", "--lang", "json")
    export = json.load(open("m.json"))
    check("JSON says which lines go on", export["format_version"] == 2 and
          [i["name"] for i in export["inputs"] if "beyond" in i] == ["a", "b"])
    data = [[float(v) for v in line[:2]] for line in table_of(open(rows).read())[1:]]
    order = [["a", "b"].index(i["name"]) for i in export["inputs"]]
    found = [["prediction"]] + [[repr(json_prediction(export, json_scores(export, [row[i] for i in order]))[0])]
                                for row in data]
    check("JSON predicts rows outside", not same(found, wanted, 1e-11), same(found, wanted, 1e-11))
    done("export", model, "-o", "m.c")
    if GCC:
        wrong = compiled("m.c", "test", "-DENTROPIC_EXPORT_TEST")
        tested = subprocess.run(["./test"], capture_output=True, text=True) if not wrong else None
        check("C tests itself", not wrong and tested.returncode == 0, wrong or tested.stdout)
        wrong = compiled("m.c", "main", "-DENTROPIC_EXPORT_MAIN")
        ran = subprocess.run(["./main"], stdin=open(rows), capture_output=True, text=True) if not wrong else None
        check("C predicts rows outside", not wrong and not same(table_of(ran.stdout), wanted, DIGITS),
              wrong or same(table_of(ran.stdout), wanted, DIGITS))
    else:
        skip("C predicts rows outside", "there is no gcc")
    done("export", model, "-o", "m.mjs", "--lang", "js")
    if NODE:
        script = "import('./m.mjs').then((m) => { m.selfTest(); const rows = %s; console.log('prediction'); " \
                 "rows.forEach((r) => console.log(m.predict({a: r[0], b: r[1]}))); })" % json.dumps(data)
        ran = subprocess.run([NODE, "-e", script], capture_output=True, text=True)
        check("JavaScript predicts rows outside", not same(table_of(ran.stdout), wanted, DIGITS),
              ran.stderr or same(table_of(ran.stdout), wanted, DIGITS))
    else:
        skip("JavaScript predicts rows outside", "there is no node")


def check_trend():
    """A trend in time: the dates to predict lie behind all others."""
    draw = random.Random(3)
    rows = [(t, draw.gauss(0, 1)) for t in range(600)]
    rows = [(t, b, 0.02 * t + b + 0.3 * draw.gauss(0, 1)) for t, b in rows]
    said = fitted(table("trend.csv", rows[:500]), "--time", "a", "--keep", "a")
    later, _ = predictions("trend.csv.model", table("later.csv", rows[500:]))
    error = root_mean(f - row[2] for f, row in zip(later, rows[500:]))
    check("a trend goes on", "a" in said["inputs_continued"] and error <= 0.4, (said["inputs_continued"], error))


def check_saturation():
    """Effects that level off: whatever is chosen, rows outside are predicted about as well as with their ends."""
    draw = random.Random(4)

    def rows(count, wide):
        for _ in range(count):
            a, b = wide * draw.gauss(0, 1), draw.gauss(0, 1)
            yield a, b, 3 * math.tanh(2 * a) + math.tanh(2 * b) + 0.2 * draw.gauss(0, 1)
    learnt, fresh = list(rows(600, 1)), list(rows(4000, 2))
    fitted(table("saturated.csv", learnt))
    ends = [(min(r[i] for r in learnt), max(r[i] for r in learnt)) for i in range(2)]
    clamped = [[min(max(v, low), high) for v, (low, high) in zip(row, ends)] + [row[2]] for row in fresh]
    found, _ = predictions("saturated.csv.model", table("saturated-fresh.csv", fresh))
    ended, _ = predictions("saturated.csv.model", table("saturated-ends.csv", clamped))
    error, least = (root_mean(f - row[2] for f, row in zip(of, fresh)) for of in (found, ended))
    check("what levels off does not go on", error <= 1.02 * least, (error, least))


def check_reach():
    """A row more than one range outside all others is left out of the figures of numbers, and a notice counts it. Those of
    classes have it, and so have the figures of a validation file."""
    draw = random.Random(11)
    rows = [(draw.gauss(0, 1), draw.gauss(0, 1)) for _ in range(300)] + [(40.0, 0.0)]
    learnt = [(a, b, 2 * a + b + 0.1 * draw.gauss(0, 1)) for a, b in rows[:-1]] + [(40.0, 0.0, 80.0)]
    out, errors = done("fit", table("reach.csv", learnt), "--target", "y", "-o", "reach.model", "--json")
    said = json.loads(out)["validation"]
    check("a row out of reach is left out of the figures", said.get("out_of_reach") == 1 and said["rows"] == 300, said)
    check("a notice says so", "1 validation row is left out of the validation error" in errors, errors)
    check("the figure is that of the other rows", 0.08 <= said["rmse"] <= 0.2, said["rmse"])
    table("reach-valid.csv", learnt[200:-1] + [(40.0 + i, 0.0, 80.0 + 2 * i) for i in range(20)])
    table("reach-train.csv", learnt[:200])
    said = fitted("reach-train.csv", "--valid", "reach-valid.csv")["validation"]
    check("rows of a validation file all count", "out_of_reach" not in said and said["rmse"] > 10, said)
    written("reach-classes.csv", [["a", "b", "y"]] + [["%.9g" % a, "%.9g" % b, "up" if y > 0 else "down"]
                                                      for a, b, y in learnt])
    said = fitted("reach-classes.csv")["validation"]
    check("all rows of classes count", "out_of_reach" not in said and said["rows"] == 301, said)


def same_files(a, b):
    return open(a, "rb").read() == open(b, "rb").read()


def check_statistics():
    """Rows outside are learnt from as they are predicted, and exactly."""
    lines = open("student.csv").read().split()
    far = open("student-far.csv").read().split()
    far = [far[0]] + far[1:] + ["%r,0,60" % 10.0 ** k for k in (3, 6)]
    with open("far.csv", "w") as file:
        file.write("\n".join(far) + "\n")
    done("fit", "student.csv", "--target", "y", "-o", "kept.model", "--keep-statistics", "--quiet")
    before = json.loads(done("info", "kept.model", "--json")[0])
    check("a model with statistics goes on as well", before["inputs_continued"] == ["a", "b"], before["inputs_continued"])
    done("update", "kept.model", "far.csv", "-o", "more.model")
    done("forget", "more.model", "far.csv", "-o", "less.model")
    first, last = (done("receipt", m)[0] for m in ("kept.model", "less.model"))
    check("what was forgotten leaves no trace", first == last, (first, last))
    same_weights = [json.loads(done("info", m, "--json", "--list")[0])["list"] for m in ("kept.model", "less.model")]
    check("nor in the weights", same_weights[0] == same_weights[1])
    parts = [lines[1:150] + far[1:20], lines[150:] + far[20:]]
    for k, part in enumerate(parts + [parts[0] + parts[1]]):
        with open("part%d.csv" % k, "w") as file:
            file.write("\n".join([lines[0]] + part) + "\n")
        done("collect", "part%d.csv" % k, "--design", "kept.model", "-o", "part%d.stat" % k)
    done("merge", "part1.stat", "part0.stat", "-o", "all.stat")
    check("shards with rows outside add up to all of them", same_files("all.stat", "part2.stat"))
    done("solve", "all.stat", "-o", "solved.model")
    solved = json.loads(done("info", "solved.model", "--json")[0])
    check("a model of statistics goes on", solved["inputs_continued"] == ["a", "b"], solved["inputs_continued"])
    for threads in (1, 2):
        done("update", "kept.model", "far.csv", "-o", "threads%d.model" % threads, "--threads", threads)
    check("the same bytes on any number of threads", same_files("threads1.model", "threads2.model"))
    found, _ = predictions("more.model", "student-far.csv")
    rows = [[float(v) for v in line.split(",")] for line in far[1:-2]]
    check("learning from rows outside does no harm", root_mean(f - r[2] for f, r in zip(found, rows)) <= 3,
          root_mean(f - r[2] for f, r in zip(found, rows)))


check_linear("student", student)
check_linear("lognormal", lambda draw: math.exp(draw.gauss(0, 1)))
check_limit()
check_reach()
check_effects()
check_exports("student.csv.model", "student-far.csv")
check_trend()
check_saturation()
check_statistics()
raise SystemExit(end())
