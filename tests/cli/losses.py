"""Losses of numbers: Huber's. Outliers hardly move it; it is validated, saved, exported, refitted; what it is not for is
refused."""
import json
import math
import os
import random
import subprocess

from _exports import GCC, compiled
from _tap import check, end, skip

ENTROPIC = os.environ["ENTROPIC"]
SIZE = ("--features", "60")  # tables without outliers get a search for it


def run(*words):
    done = subprocess.run([ENTROPIC, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=300)
    return done.returncode, done.stdout, done.stderr


def table(name, rows, outliers, seed, scale=1.0, shift=0.0):
    draw = random.Random(seed)
    with open(name, "w") as file:
        file.write("a,b,c,y\n")
        for _ in range(rows):
            a, b, c = (draw.random() for _ in range(3))
            y = 5 * math.sin(3 * a) + 4 * b * b + draw.gauss(0, 0.3)
            if draw.random() < outliers:
                y += draw.choice((-1, 1)) * draw.uniform(30, 100)
            file.write("%.6f,%.6f,%.6f,%.9g\n" % (a, b, c, scale * y + shift))


def fitted(data, model, *more):
    status, out, errors = run("fit", data, "--target", "y", "-o", model, "--json", "--quiet", *more)
    check("fit %s %s" % (data, " ".join(more)), status == 0, errors)
    return json.loads(out) if status == 0 else {}


def same(found, wanted, digits):
    most = max(map(abs, wanted))
    return len(found) == len(wanted) and all(abs(f - w) <= digits * most for f, w in zip(found, wanted))


def rmse(model, data="clean.csv"):
    status, out, errors = run("score", model, data, "--json", "--quiet")
    return json.loads(out)["rmse"] if status == 0 else math.nan


def refused(what, words, *hints):
    status, _, errors = run(*words)
    check(what, status in (1, 2) and all(hint in errors for hint in hints), (status, errors))


table("clean.csv", 1500, 0, 1)
table("train.csv", 400, 0, 2)
table("dirty.csv", 400, 0.1, 2)
table("large.csv", 400, 0.1, 2, scale=2.0 ** 40, shift=0)
fitted("train.csv", "train.squared")
fitted("train.csv", "train.huber", "--loss", "huber")
squared = fitted("dirty.csv", "squared.model", *SIZE)
huber = fitted("dirty.csv", "huber.model", "--loss", "huber", *SIZE)
check("the report names the loss", (huber["loss"], squared["loss"]) == ("huber", "squared"))
check("its own loss is reported of that loss alone",
      huber["validation"].get("loss", 0) > 0 and "loss" not in squared["validation"], huber["validation"])
check("shares of the squared error are told of squares alone",
      "heaviest_share" in squared["validation"] and "heaviest_share" not in huber["validation"], huber["validation"])
check("outliers move squares, and Huber's loss hardly", rmse("huber.model") < 0.3 * rmse("squared.model"),
      (rmse("huber.model"), rmse("squared.model")))
check("without outliers both are alike", 0.95 < rmse("train.huber") / rmse("train.squared") < 1.1,
      (rmse("train.huber"), rmse("train.squared")))
# A mean square of outliers is far above their Huber loss.
check("the loss is below the mean square", huber["validation"]["loss"] < huber["validation"]["rmse"] ** 2 / 2,
      huber["validation"])


def scores(model, data):
    return dict(line.split("\t") for line in run("score", model, data, "--quiet")[1].splitlines())


def residual_sizes(model, data):
    predicted = [float(line) for line in run("predict", model, data, "--quiet")[1].split()[1:]]
    with open(data) as file:
        return [abs(float(line.split(",")[-1]) - found) for line, found in zip(file.read().split()[1:], predicted)]


def mean_huber(sizes, width):
    return sum(size * size if size <= width else width * (2 * size - width) for size in sizes) / len(sizes)


# The width is in the model: the one that explains the loss of one table explains that of another.
low, high = 0, 100
dirty, told = residual_sizes("huber.model", "dirty.csv"), float(scores("huber.model", "dirty.csv")["loss"])
for _ in range(100):
    width = (low + high) / 2
    low, high = (width, high) if mean_huber(dirty, width) < told else (low, width)
found = float(scores("huber.model", "clean.csv").get("loss", "nan"))
check("score has the loss, with the width of the model",
      0.1 < width < 5 and same([found], [mean_huber(residual_sizes("huber.model", "clean.csv"), width)], 1e-9), (width, found))
check("and none of squares", list(scores("squared.model", "clean.csv")) == ["rows", "task", "rmse", "mae", "r2"])

fitted("large.csv", "large.model", "--loss", "huber", *SIZE)
small = [float(line) for line in run("predict", "huber.model", "clean.csv", "--quiet")[1].split()[1:]]
large = [float(line) for line in run("predict", "large.model", "clean.csv", "--quiet")[1].split()[1:]]
check("the unit of the target does not matter", same([v / 2.0 ** 40 for v in large], small, 1e-9))

fitted("dirty.csv", "again.model", "--loss", "huber", "--threads", "1", *SIZE)
with open("again.model", "rb") as one, open("huber.model", "rb") as other:
    check("equal fits are equal bytes, on any number of threads", one.read() == other.read())
status, out, errors = run("info", "huber.model")
check("info says it", status == 0 and "loss         huber" in out and "huber loss" in out, out + errors)

if GCC:
    status, _, errors = run("export", "huber.model", "-o", "huber.c")
    wrong = compiled("huber.c", "huber", "-DENTROPIC_EXPORT_MAIN")
    check("the exported program compiles", status == 0 and not wrong, errors + wrong)
    with open("clean.csv") as file:
        out = subprocess.run(["./huber"], stdin=file, capture_output=True, text=True, timeout=60).stdout if not wrong else ""
    check("and predicts the same", same([float(line) for line in out.split()[1:]], small, 1e-9), out[:200])
else:
    skip("the exported program predicts the same", "no gcc")
status, _, errors = run("export", "huber.model", "-o", "huber.json")
check("export as JSON", status == 0, errors)

with open("huber.model", "rb") as file:
    kept = file.read()
refused("update is refused, with the way there is", ("update", "huber.model", "train.csv"), "huber loss", "--rows-only")
refused("so is forget", ("forget", "huber.model", "train.csv"), "huber loss")
with open("huber.model", "rb") as file:
    check("the model is as it was", file.read() == kept)
status, _, errors = run("update", "--rows-only", "huber.model", "train.csv", "--quiet")
check("weights from other rows alone", status == 0 and rmse("huber.model") < 1.2 * rmse("train.huber"),
      (errors, rmse("huber.model")))

fitted("dirty.csv", "simple.model", "--loss", "huber", "--only", "a", "--features", "20")
fitted("dirty.csv", "valid.model", "--loss", "huber", "--valid", "train.csv")
fitted("dirty.csv", "given.model", "--loss", "huber", "--select", "entropy", "--features", "60", "--lambda", "1e-3",
       "--omega", "1")
with open("flat.csv", "w") as file:  # more than half of the rows are the constant exactly
    file.write("a,b,y\n" + "".join("%d,%d,%d\n" % (i % 7, i % 5, 9 if i % 10 == 0 else 4 if i % 10 == 1 else 3) for i in range(200)))
fitted("flat.csv", "flat.model", "--loss", "huber")
with open("names.csv", "w") as file:
    file.write("a,b,y\n" + "".join("%d,%d,%s\n" % (i % 7, i % 5, "no" if i % 3 else "yes") for i in range(60)))
with open("two.csv", "w") as file:
    file.write("a,y,z\n" + "".join("%d,%d,%d\n" % (i % 7, i % 5, i) for i in range(60)))
refused("classes are refused", ("fit", "names.csv", "--target", "y", "--loss", "huber"), "is for numbers")
refused("and where the task is said", ("fit", "names.csv", "--target", "y", "--loss", "huber", "--task",
                                       "classification"), "is for numbers")
refused("losses of classes are refused for numbers", ("fit", "train.csv", "--target", "y", "--loss", "hinge"),
        "is for classes")
refused("two targets", ("fit", "two.csv", "--target", "y,z", "--loss", "huber"), "a single number")
refused("the exact solver", ("fit", "train.csv", "--target", "y", "--loss", "huber", "--solver", "exact"), "squared")
refused("the root", ("fit", "train.csv", "--target", "y", "--loss", "huber", "--target-scale", "root"), "root")
refused("statistics", ("fit", "train.csv", "--target", "y", "--loss", "huber", "--keep-statistics"), "squared")
refused("an unknown one, with the nearest", ("fit", "train.csv", "--target", "y", "--loss", "hubre"), "huber")
raise SystemExit(end())
