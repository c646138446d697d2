"""Intervals from outside: coverage where the truth is known, the arithmetic of a model file, files, and refusals."""
import csv
import io
import json
import math
import os
import random
import subprocess
import sys

from _tap import check, end

sys.path.insert(0, os.path.join(os.environ["ENTROPIC_SOURCE"], "tests", "python"))
os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")

ENTROPIC = os.environ["ENTROPIC"]
LEVELS = (0.8, 0.9, 0.95)


def run(*arguments, fine=True):
    done = subprocess.run([ENTROPIC, *arguments], capture_output=True, text=True)
    if fine and done.returncode:
        raise SystemExit("%s: %s" % (" ".join(arguments), done.stderr))
    return done


def write(path, names, rows):
    with open(path, "w") as out:
        out.write(",".join(names) + "\n")
        for row in rows:
            out.write(",".join(v if isinstance(v, str) else repr(v) for v in row) + "\n")


def table(path, rows, draw, target):
    inputs = [[draw.random() for _ in range(3)] for _ in range(rows)]
    write(path, ["a", "b", "c", "y"], [x + [target(x, draw)] for x in inputs])
    return inputs


def fit(path, *more):
    run("fit", path, "--target", "y", "--quiet", "--threads", "1", *more)
    return os.path.splitext(path)[0] + ".entropic"


def predict(model, data, *more):
    return list(csv.DictReader(io.StringIO(run("predict", model, data, "--quiet", *more).stdout)))


def score(model, data, level):
    return json.loads(run("score", model, data, "--interval", str(level), "--json", "--quiet").stdout)


def smooth(x):
    return math.sin(3 * x[0]) + x[1] * x[1]


TARGETS = {
    "homoscedastic": lambda x, draw: smooth(x) + draw.gauss(0, 0.3),
    "heteroscedastic": lambda x, draw: smooth(x) + draw.gauss(0, 0.05 + 0.6 * x[1]),
    "skewed": lambda x, draw: (1.5 + smooth(x) + draw.gauss(0, 0.2)) ** 4,
    "constant": lambda x, draw: draw.gauss(0, 1),
}
# The size is chosen for the first and the last kind alone: that takes most of a fit, and changes nothing of intervals.
SIZE = ("--features", "20")
OPTIONS = {"homoscedastic": (), "constant": (), "skewed": ("--target-scale", "root", *SIZE)}


def coverages():
    """Each kind over two tables, as the level varies from fit to fit."""
    for kind, target in TARGETS.items():
        found = {level: [] for level in LEVELS}
        widths = []
        for seed in (1, 2):
            draw = random.Random("%s %d" % (kind, seed))
            table("t.csv", 600, draw, target)
            table("new.csv", 4000, draw, target)
            model = fit("t.csv", *OPTIONS.get(kind, SIZE))
            for level in LEVELS:
                scores = score(model, "new.csv", level)
                found[level].append(scores["coverage"])
                widths.append(scores["width"])
        means = {level: sum(found[level]) / len(found[level]) for level in LEVELS}
        check("%s: the share of targets within is near the level" % kind,
              all(-0.035 <= means[level] - level <= 0.05 for level in LEVELS), means)
        check("%s: widths grow with the level" % kind, widths[:3] == sorted(widths[:3]) and widths[0] > 0, widths)


def deciles():
    """Where the spread depends on an input, intervals follow it: coverage in each tenth of that input."""
    target = TARGETS["heteroscedastic"]
    inside = [[] for _ in range(10)]
    for seed in range(3):
        draw = random.Random("deciles %d" % seed)
        table("wide.csv", 2000, draw, target)
        inputs = table("new.csv", 8000, draw, target)
        rows = predict(fit("wide.csv", *SIZE), "new.csv", "--interval", "0.9", "--std")
        truth = [float(row["y"]) for row in csv.DictReader(open("new.csv"))]
        for x, y, row in zip(inputs, truth, rows):
            inside[int(10 * x[1])].append(float(row["lower"]) <= y <= float(row["upper"]))
    shares = [sum(part) / len(part) for part in inside]
    check("coverage by tenths of the input that the spread depends on", all(abs(s - 0.9) <= 0.05 for s in shares), shares)
    low = [float(row["std"]) for x, row in zip(inputs, rows) if x[1] < 0.2]
    high = [float(row["std"]) for x, row in zip(inputs, rows) if x[1] > 0.8]
    check("std follows the spread", 3 <= (sum(high) / len(high)) / (sum(low) / len(low)) <= 6.5)
    whole = math.sqrt(sum(float(row["std"]) ** 2 for row in rows) / len(rows))
    error = math.sqrt(sum((y - float(row["prediction"])) ** 2 for y, row in zip(truth, rows)) / len(rows))
    check("std is the size of errors", 0.9 <= whole / error <= 1.15, (whole, error))


def noise_free():
    draw = random.Random("noise-free")
    table("clean.csv", 500, draw, lambda x, d: x[0] + 2 * x[1])
    table("new.csv", 1000, draw, lambda x, d: x[0] + 2 * x[1])
    scores = score(fit("clean.csv"), "new.csv", 0.9)
    check("noise-free: narrow intervals that hold", scores["width"] < 0.02 and scores["coverage"] >= 0.87, scores)


def coins():
    """Classes of coin flips: a set has both."""
    draw = random.Random("coins")
    table("coins.csv", 400, draw, lambda x, d: d.choice(["heads", "tails"]))
    table("new.csv", 2000, draw, lambda x, d: d.choice(["heads", "tails"]))
    model = fit("coins.csv")
    scores = score(model, "new.csv", 0.9)
    check("coin flips: sets have the right class", scores["coverage"] >= 0.85 and 1.7 <= scores["set_size"] <= 2, scores)
    sets = {row["set"] for row in predict(model, "new.csv", "--interval", "0.9")}
    check("sets are names with blanks between them", sets <= {"heads tails", "heads", "tails"} and "heads tails" in sets,
          sets)
    names = ["a,b", 'c "d" e', "f"]
    table("named.csv", 300, draw, lambda x, d: '"%s"' % d.choice(names).replace('"', '""'))
    row = predict(fit("named.csv", *SIZE), "named.csv", "--interval", "0.95")[0]
    check("names in sets are quoted as needed", row["set"] == 'a,b "c ""d"" e" f', row["set"])
    table("sure.csv", 600, draw, lambda x, d: "pqr"[min(int(3 * x[0]), 2)])
    table("new.csv", 2000, draw, lambda x, d: "pqr"[min(int(3 * x[0]), 2)])
    scores = score(fit("sure.csv", *SIZE), "new.csv", 0.9)
    check("classes that differ clearly: small sets that hold", scores["coverage"] >= 0.87 and scores["set_size"] <= 1.2, scores)


def factor_at(factor, value):
    _, at, values, missing = factor
    if math.isnan(value):
        return missing
    if value <= at[0]:
        return values[0]
    for i in range(1, len(at)):
        if value <= at[i]:
            return values[i - 1] + (value - at[i - 1]) / (at[i] - at[i - 1]) * (values[i] - values[i - 1])
    return values[-1]


def quantile(kept, level):
    """By the model file's own document."""
    levels = [0.0] + [1 - (1 - (i + 1) / 256) ** 2 for i in range(256)]
    kept = [0.0] + list(kept)
    above = next(i for i in range(1, 257) if levels[i] >= level)
    return kept[above - 1] + (level - levels[above - 1]) / (levels[above] - levels[above - 1]) * (
        kept[above] - kept[above - 1])


def arithmetic():
    """Ends by what stands in the model file, for a plain and a root target."""
    from model_file import Model
    for name, kind in (("plain.csv", "heteroscedastic"), ("root.csv", "skewed")):
        draw = random.Random(name)
        inputs = table(name, 700, draw, TARGETS[kind])
        path = fit(name, *OPTIONS.get(kind, SIZE))
        model = Model(path)
        rows, ((deviation, factors, kept),) = model.intervals
        worst = 0.0
        for level in (0.003, 0.5, 0.9, 0.987654):
            q = quantile(kept, level)
            for x, row in list(zip(inputs, predict(path, name, "--interval", str(level), "--std")))[:100]:
                p = float(row["prediction"])
                below, origin, bias = model.root if model.root else (False, 0.0, 0.0)
                d = -1 if below else 1
                s = math.sqrt(max(d * (p - origin) - bias, 0)) if model.root else p
                spread = math.prod(factor_at(f, x[f[0] - 1] if f[0] else s) for f in factors)
                ends = [s - q * spread, s + q * spread]
                std = deviation * spread
                if model.root:
                    ends = [origin + d * max(e, 0) ** 2 for e in ends]
                    std *= math.sqrt(4 * s * s + 2 * std * std)
                least, most = model.bounds[0]
                lower, upper = (min(max(e, least), most) for e in (min(ends + [p]), max(ends + [p])))
                size = max(abs(p), upper - lower, 1e-3)
                worst = max(worst, abs(lower - float(row["lower"])) / size, abs(upper - float(row["upper"])) / size,
                            abs(std - float(row["std"])) / size)
        check("%s: ends are those of the model file" % kind, worst <= 1e-9 and rows >= 500, (worst, rows))
        check("%s: the spread depends on an input if it does" % kind, bool(factors) or kind != "heteroscedastic", factors)


def refusals():
    draw = random.Random("refusals")
    table("t.csv", 300, draw, TARGETS["homoscedastic"])
    model = fit("t.csv", "--keep-statistics", *SIZE)

    def refused(what, words, *arguments):
        done = run(*arguments, fine=False)
        check(what, done.returncode in (1, 2) and all(word in done.stderr for word in words), done.stderr)

    for level in ("0", "1", "1.5", "nine"):
        refused("level %s is refused" % level, ["interval"], "predict", model, "t.csv", "--interval", level)
    refused("a level too high for the rows is refused", ["0.9999", "rows"], "predict", model, "t.csv", "--interval",
            "0.9999")
    golden = os.path.join(os.environ["ENTROPIC_SOURCE"], "tests", "golden")
    refused("old models have none", ["no intervals"], "predict", os.path.join(golden, "v4-few.entropic"),
            os.path.join(golden, "v4-rows.csv"), "--interval", "0.9")
    refused("models of the exact kernel have none by name", ["no intervals", "exact kernel"], "predict",
            os.path.join(golden, "v2-exact.entropic"), os.path.join(golden, "v2-rows.csv"), "--interval", "0.9")
    table("classes.csv", 200, draw, lambda x, d: "no" if x[0] + d.gauss(0, 0.3) < 0.5 else "yes")
    refused("--std is for numbers", ["--std", "numbers"], "predict", fit("classes.csv", *SIZE), "classes.csv", "--std")
    table("more.csv", 30, draw, TARGETS["homoscedastic"])
    done = run("update", model, "more.csv")
    check("update drops them with a notice", "no longer has intervals" in done.stderr, done.stderr)
    refused("then there are none", ["no intervals"], "predict", model, "t.csv", "--interval", "0.9")
    refused("for score neither", ["no intervals"], "score", model, "t.csv", "--interval", "0.9")
    check("info counts their rows", json.loads(run("info", fit("t.csv", *SIZE), "--json").stdout)["interval_rows"] >= 200)


def several_targets():
    draw = random.Random("several")
    rows = []
    for _ in range(300):
        x = [draw.random(), draw.random()]
        rows.append(x + [x[0] + draw.gauss(0, 0.1), x[1] + draw.gauss(0, 0.5)])
    write("two.csv", ["a", "b", "u", "v"], rows)
    run("fit", "two.csv", "--target", "u,v", "--quiet", *SIZE)
    found = predict("two.entropic", "two.csv", "--interval", "0.9", "--std")
    check("columns of several targets", list(found[0]) == [
        "prediction_u", "prediction_v", "lower_u", "upper_u", "lower_v", "upper_v", "std_u", "std_v"], list(found[0]))
    widths = [sum(float(r["upper_" + t]) - float(r["lower_" + t]) for r in found) for t in "uv"]
    check("each target has its own width", 3 <= widths[1] / widths[0] <= 7, widths)


def same_threads():
    draw = random.Random("threads")
    table("t.csv", 400, draw, TARGETS["heteroscedastic"])
    run("fit", "t.csv", "--target", "y", "--quiet", "--threads", "1", "-o", "one.entropic", *SIZE)
    run("fit", "t.csv", "--target", "y", "--quiet", "--threads", "3", "-o", "three.entropic", *SIZE)
    check("the same bytes with any number of threads",
          open("one.entropic", "rb").read() == open("three.entropic", "rb").read())


coverages()
deciles()
noise_free()
coins()
arithmetic()
refusals()
several_targets()
same_threads()
sys.exit(end())
