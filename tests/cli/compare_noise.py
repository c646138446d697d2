"""`entropic compare` where there is nothing to learn: no method can predict coin flips or noise.

    compare_noise.py [--all]

Every table is a new draw with one run, so errors of tables are independent. --all: more and larger tables, as in
`make honesty-compare`. The mean over all methods must be within three standard errors, and each method within four,
because there are many.
"""
import json
import math
import os
import random
import subprocess
import sys

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
INPUTS = ["a", "b", "c"]
SIZES = ((50, 100), (400, 40), (1000, 25), (5000, 10))  # rows, and how many tables, of --all


def write_table(rows, targets, draw):
    with open("noise.csv", "w") as out:
        out.write(",".join(INPUTS) + ",y\n")
        for target in targets:
            out.write(",".join("%.6f" % draw.random() for _ in INPUTS) + ",%s\n" % target)


def compare(seed, *more):
    """The JSON of one run."""
    done = subprocess.run([ENTROPIC, "compare", "noise.csv", "--target", "y", "--features", "10", "--runs", "1", "--seed",
                           str(seed), "--threads", "1", "--json", "--quiet", *more], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit("compare: %s" % done.stderr)
    return json.loads(done.stdout)


def mean_and_error(values):
    """The mean, and its standard error."""
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))


def gather(tables, rows, kind, make):
    """{method: make(its error, the constant's error)}, a list over the tables."""
    found = {}
    for number in range(tables):
        draw = random.Random("%s %d %d" % (kind, rows, number))
        write_table(rows, TARGETS[kind](rows, draw), draw)
        answer = compare(number + 1)
        constant = answer["references"]["constant"]["errors"][0]
        for method in answer["methods"]:
            name = "%s %s" % (method["name"], "tuned" if method["tuned"] else "by the rule")
            found.setdefault(name, []).append(make(method["errors"][0], constant))
    return found


def expect(what, found, fine):
    """All methods together, and each alone."""
    tables = len(next(iter(found.values())))
    pooled = mean_and_error([sum(values[i] for values in found.values()) / len(found) for i in range(tables)])
    check("%s: all methods, %.4f ± %.4f" % (what, *pooled), fine(pooled, 3), pooled)
    alone = {name: mean_and_error(values) for name, values in found.items()}
    if "--all" in sys.argv:
        for name, numbers in alone.items():
            print("# %-24s %.4f ± %.4f" % (name, *numbers))
    odd = {name: numbers for name, numbers in alone.items() if not fine(numbers, 4)}
    check("%s: each method" % what, not odd, odd)


def flips(rows, draw):
    """As many heads as tails; otherwise predicting the more frequent one would help."""
    sides = ["heads", "tails"] * (rows // 2)
    draw.shuffle(sides)
    return sides


def noise(rows, draw):
    return ["%.6f" % draw.gauss(0, 1) for _ in range(rows)]


TARGETS = {"flips": flips, "noise": noise}


def shares(rows):
    """A constant is right only on the most frequent class, so its error shows whether splits are stratified."""
    frequent = 7 * rows // 10
    classes = ["x"] * frequent + ["y"] * (2 * rows // 10)
    classes += ["z%d" % i for i in range(rows - len(classes))] if rows < 60 else ["z"] * (rows - len(classes))
    for order in ("sorted", "shuffled"):
        draw = random.Random(rows)
        if order == "shuffled":
            draw.shuffle(classes)
        write_table(rows, classes, draw)
        found = [compare(1)["references"]["constant"]["error"]]
        test = rows / 5
        check("%d rows, %s: the frequent class has its share of the test rows" % (rows, order),
              all(abs(e - (1 - frequent / rows)) <= 1.001 / (test - 1) for e in found), found)


def main():
    everything = "--all" in sys.argv
    for rows, tables in SIZES if everything else ((50, 16), (400, 8)):
        expect("coin flips, %d rows, %d tables" % (rows, tables), gather(tables, rows, "flips", lambda e, c: e),
              lambda numbers, most: abs(numbers[0] - 0.5) <= most * numbers[1])
    for rows, tables in SIZES if everything else ((60, 12),):
        expect("noise, %d rows, %d tables, errors over that of the mean" % (rows, tables),
              gather(tables, rows, "noise", lambda e, c: e / c),
              lambda numbers, most: numbers[0] >= 1 - most * numbers[1] - 1e-9)
    for rows in (50, 300):
        shares(rows)
    sys.exit(end())


main()
