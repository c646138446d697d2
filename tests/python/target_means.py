"""Target means of categories: a model that has them, from files, by an independent reader, and from Python."""
import csv
import json
import math
import os
import random
import subprocess
import sys

from _tap import check, end
from model_file import Model

ENTROPIC = os.environ["ENTROPIC"]
sys.path.insert(0, os.path.join(os.environ["ENTROPIC_SOURCE"], "python"))
ROWS, LEVELS = 6000, 400


def run(*arguments, expected=0):
    done = subprocess.run([ENTROPIC, *arguments], capture_output=True, text=True)
    check("%s ends with %d" % (" ".join(arguments[:2]), expected), done.returncode == expected,
          done.stdout[-400:] + done.stderr[-400:])
    return done.stdout if expected == 0 else done.stderr


def write(path, seed, rows, classes):
    """The target depends on what the codes stand for, which no order of them tells."""
    of = random.Random(7)
    worth = [of.gauss(0, 1) for _ in range(LEVELS)]
    values = random.Random(seed)
    with open(path, "w") as file:
        file.write("code,x,other,y\n")
        for row in range(rows):
            code, other, x = values.randrange(LEVELS), values.randrange(20), values.random()
            y = 2 * worth[code] + 3 * worth[code] * math.sin(6 * x) + values.gauss(0, 0.5)
            answer = ("good" if y > 0.5 else "poor") if classes else "%.6f" % y
            text = "" if row % 97 == 5 else "c%d" % code if row % 89 else "new%d" % row
            file.write("%s,%.6f,o%d,%s\n" % (text, x, other, answer))


def predictions(model, rows):
    return [float(row["score"]) for row in csv.DictReader(run("predict", model, rows, "--quiet", "--effects").splitlines())]


def read_rows(model, path):
    """The rows as the independent reader takes them: codes of categories, numbers, nan."""
    places = {name: i for i, (name, _, _, _) in enumerate(model.inputs)}
    for line in csv.DictReader(open(path)):
        row = [math.nan] * len(model.inputs)
        for name, i in places.items():
            categories = model.inputs[i][2]
            if model.made[i] or not model.used[i] or line[name] == "":
                continue
            if categories:
                row[i] = categories.index(line[name]) if line[name] in categories else len(categories)
            else:
                row[i] = float(line[name])
        yield row


def main():
    for kind in ("numbers", "classes"):
        train, test, model = kind + ".csv", kind + "-test.csv", kind + ".entropic"
        write(train, 1, ROWS, kind == "classes")
        write(test, 2, 400, kind == "classes")
        report = json.loads(run("fit", train, "--target", "y", "-o", model, "--json", "--quiet", "--threads", "1"))
        check(kind + ": means are used", report.get("target_means", 0) > 0, report)
        run("fit", train, "--target", "y", "-o", "again.entropic", "--quiet", "--threads", "3")
        check(kind + ": the same bytes by other threads", open(model, "rb").read() == open("again.entropic", "rb").read())
        check(kind + ": info tells it", "target means" in run("info", model))
        check(kind + ": explain names them", "code (mean)" in run("explain", model))
        read = Model(model)
        check(kind + ": the reader reads all", read.whole and len(read.mean_sets) > 0)
        scores = predictions(model, test)
        own = [read.own_scores(read.fill(row))[0] for row in read_rows(read, test)]
        worst = max(abs(a - math.fsum([b] if isinstance(b, float) else b)) for a, b in zip(scores, own))
        check(kind + ": the reader predicts the same", worst <= 1e-9, worst)
        check(kind + ": exports refuse by name", "(mean)" in run("export", model, "-o", "m.c", expected=1))
        check(kind + ": update refuses", "target means" in run("update", model, train, "--rows-only", expected=2))
        import entropic
        loaded = entropic.load(model)
        columns = list(csv.DictReader(open(test)))
        frame = {name: [line[name] if name != "x" else float(line[name]) for line in columns]
                 for name in ("code", "x", "other")}
        frame["code"] = [text or None for text in frame["code"]]
        try:
            import pandas
        except ImportError:
            pandas = None
        if pandas is not None and kind == "numbers":
            found = loaded.predict(pandas.DataFrame(frame))
            expected = [float(row["prediction"]) for row in
                        csv.DictReader(run("predict", model, test, "--quiet").splitlines())]
            check("Python predicts the same", max(abs(a - b) for a, b in zip(found, expected)) <= 1e-12)
    plain = json.loads(run("fit", "numbers.csv", "--target", "y", "-o", "no.entropic", "--json", "--quiet",
                           "--target-means", "no"))
    check("no makes none", "target_means" not in plain)
    kept = json.loads(run("fit", "numbers.csv", "--target", "y", "-o", "kept.entropic", "--json", "--quiet",
                          "--keep-statistics"))
    check("kept statistics go without", "target_means" not in kept)
    with_means, without = (json.loads(run("score", model, "numbers-test.csv", "--json", "--quiet"))["rmse"]
                           for model in ("numbers.entropic", "no.entropic"))
    check("they are worth it", with_means < without, (with_means, without))
    end()


main()
