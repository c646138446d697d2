"""Units of the target do not matter, however extreme: every figure about a table, and about the same table with its
target times a power of two, is the same or scales by that power. Powers of two are exact, so only figures that are kept
with six digits may differ, in the sixth."""
import csv
import json
import math
import os
import subprocess
import sys

import numpy as np

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
SCALES = {"plain": 0, "large": 520, "huge": 900, "small": -560, "tiny": -900}
PROCESS = {"seconds", "peak_rss_bytes", "model", "model_bytes", "train_seconds", "train_low", "train_high",
           "lift_seconds", "load"}
DIGITS = 1.1e-5  # of figures with six digits; half a unit of the last for each of two


def run(*words):
    done = subprocess.run([ENTROPIC, *words], capture_output=True, text=True)
    check(" ".join(words), done.returncode == 0, done.stderr)
    return done.stdout


def make_tables():
    draw = np.random.default_rng(1)
    x = draw.uniform(size=(400, 3))
    y = np.sin(3 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.05 * draw.normal(size=400)
    for name, power in SCALES.items():
        for part, rows in (("", range(400)), ("_first", range(200)), ("_last", range(200, 400))):
            with open(name + part + ".csv", "w") as file:
                file.write("a,b,c,y\n")
                for r in rows:
                    file.write(",".join(repr(float(v)) for v in (*x[r], math.ldexp(y[r], power))) + "\n")


def is_scaled(plain, found, power, least):
    """Equal, or 2^power times as large, or 2^(2 power) where it is a variance, if that is a double. Values below
    `least` may be differences of larger ones."""
    if plain == found:
        return True
    if power > 0 and found is None:
        return abs(math.log2(abs(plain))) + 2 * power > 1024
    if not isinstance(found, (int, float)):
        return False
    if abs(math.ldexp(found, -power) - plain) <= DIGITS * max(abs(plain), least):
        return True
    return power < 0 and found == 0 and math.log2(abs(plain)) + 2 * power < -1074


def differences(plain, found, power, path, least=0):
    if isinstance(plain, dict) and isinstance(found, dict):
        keys = [key for key in plain if key not in PROCESS]
        return [d for key in keys
                for d in differences(plain[key], found.get(key), power, path + "." + key, least)]
    if isinstance(plain, list) and isinstance(found, list) and len(plain) == len(found):
        return [d for i in range(len(plain))
                for d in differences(plain[i], found[i], power, "%s[%d]" % (path, i), least)]
    number = isinstance(plain, (int, float)) and not isinstance(plain, bool)
    good = is_scaled(plain, found, power, least) if number else plain == found
    return [] if good else ["%s: %r, in plain units %r" % (path, found, plain)]


def numbers_of(text):
    rows = list(csv.reader(text.splitlines()))
    return [rows[0]] + [[float(value) for value in row] for row in rows[1:]]


def figures(name):
    table, model = name + ".csv", name + ".entropic"
    first, last = name + "_first.csv", name + "_last.csv"
    return {
        "fit": json.loads(run("fit", table, "--target", "y", "-o", model, "--json", "--quiet")),
        "score": json.loads(run("score", model, table, "--interval", ".9", "--json", "--quiet")),
        "predict": numbers_of(run("predict", model, table, "--interval", ".9", "--std", "--quiet")),
        "explain": json.loads(run("explain", model, "--json", "--quiet")),
        "rows": json.loads(run("explain", model, table, "--json", "--quiet")),
        "valid": json.loads(run("fit", first, "--target", "y", "--valid", last, "-o", "v.entropic", "--json",
                                "--quiet")),
        "compare": json.loads(run("compare", table, "--target", "y", "--runs", "2", "--features", "20", "--json",
                                  "--quiet")),
    }


def farthest(name):
    """How far the farthest target is from their mean, as a message has it."""
    with open(name + ".csv") as file:
        y = [float(row["y"]) for row in csv.DictReader(file)]
    mean = math.fsum(value / len(y) for value in y)
    return "%.3g" % max(abs(value - mean) for value in y)


def check_refused(what, words, *expected):
    done = subprocess.run([ENTROPIC, *words, "--quiet"], capture_output=True, text=True)
    check(what, done.returncode == 2 and all(part in done.stderr for part in expected) and
          "older version" not in done.stderr, done.stderr)


def check_statistics():
    """Statistics are sums of integers, whose scales have bounds: what is beyond is named, with its value."""
    for name in ("large", "small"):
        check_refused("%s: statistics are refused" % name,
                      ["fit", name + ".csv", "--target", "y", "--keep-statistics", "-o", "k.entropic"], "target 'y'",
                      farthest(name) + " from their mean", "expected distances between 1e-91 and 1e89")
        run("fit", name + ".csv", "--target", "y", "--effort", "fast", "-o", "fast.entropic", "--quiet")
        check_refused("%s: an update is refused" % name, ["update", "fast.entropic", name + ".csv"],
                      "the range of its target 'y' is ", "expected between 1e-91 and 1e89")
    with open("plain.csv") as file:
        lines = file.read().splitlines()
    with open("weights.csv", "w") as file:
        file.write(lines[0] + ",w\n")
        for i, line in enumerate(lines[1:]):
            file.write("%s,%r\n" % (line, 1.5e31 * (1 + i % 3)))
    check_refused("weights: statistics are refused",
                  ["fit", "weights.csv", "--target", "y", "--weights", "w", "--keep-statistics", "-o", "k.entropic"],
                  "weights: found 4.5e+31, expected at most 1e29")


def main():
    make_tables()
    plain = figures("plain")
    check("the score is a good one", 0 < plain["score"]["rmse"] < 0.1 and 0.95 < plain["score"]["r2"] < 1,
          plain["score"])
    check("compare has errors", all(method["error"] > 0 for method in plain["compare"]["methods"]), plain["compare"])
    for name, power in SCALES.items():
        if name == "plain":
            continue
        scaled = figures(name)
        for what in plain:
            found = differences(plain[what], scaled[what], power, what, 0.1 if what == "predict" else 0)
            check("%s: figures of %s are those of plain units" % (name, what), not found, "\n".join(found[:5]))
        score = scaled["score"]
        check("%s: the score has plain bits" % name,
              score["rmse"] == math.ldexp(plain["score"]["rmse"], power) and score["r2"] == plain["score"]["r2"] and
              score["mae"] == math.ldexp(plain["score"]["mae"], power), score)
    check_statistics()
    return end()


if __name__ == "__main__":
    sys.exit(main())
