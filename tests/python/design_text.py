"""Designs with ranges that are given: shards, forgetting, and the weights, compared with a dense ridge by NumPy on the
lifted rows."""
import csv
import os
import subprocess
import sys

from _tap import check, end

try:
    import numpy as np
except ImportError as missing:
    print("1..0 # SKIP %s" % missing)
    sys.exit(0)

ENTROPIC = os.environ["ENTROPIC"]
LOW, HIGH = np.array([-2.0, 0.0, 10.0]), np.array([3.0, 1.0, 1000.0])
ROWS, FEATURES, LAMBDA = 240, 60, 1e-4


def run(*arguments):
    ran = subprocess.run([ENTROPIC, *arguments, "--quiet"], capture_output=True, text=True)
    if ran.returncode != 0:
        raise SystemExit("entropic %s: %s" % (" ".join(arguments), ran.stderr))
    return ran.stdout


def read(name):
    with open(name, "rb") as file:
        return file.read()


def write(name, rows):
    with open(name, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["a", "b", "c", "y"])
        out.writerows([[repr(value) if isinstance(value, float) else value for value in row] for row in rows])


def table(random, classes):
    """The ends of all ranges are among the rows, so that minmax scales them as the ranges do."""
    x = LOW + (HIGH - LOW) * random.uniform(size=(ROWS, 3))
    x[0], x[1] = LOW, HIGH
    z = (x - LOW) / (HIGH - LOW)
    y = np.sin(5 * z[:, 0]) + z[:, 1] * z[:, 2] + 0.1 * random.normal(size=ROWS)
    target = y.tolist() if not classes else ["yes" if value > 0.5 else "no" for value in y]
    return [[*row, t] for row, t in zip(x.tolist(), target)]


def lifted(name):
    """The rows of a file as dense features, by the same design."""
    z = np.zeros((ROWS, FEATURES))
    text = run("features", name, "--design", "d.txt", "--scale", "minmax", "--ignore", "y")
    for row, line in enumerate(text.splitlines()):
        for pair in line.split()[1:]:
            index, value = pair.split(":")
            z[row, int(index) - 1] = float(value)
    return z


def ridge(z, y):
    """Values of a dense ridge on centred targets."""
    mean = y.mean()
    weights = np.linalg.solve(z.T @ z + LAMBDA * len(z) * np.eye(z.shape[1]), z.T @ (y - mean))
    return mean + z @ weights


def shards(rows, random):
    """1 to 16 shards, merged in any order: the bytes of one collect."""
    same = []
    for count in range(1, 17):
        order, names = random.permutation(len(rows)), []
        for k, part in enumerate(np.array_split(order, count)):
            names.append("s%d.stat" % k)
            write("s.csv", [rows[i] for i in part])
            run("collect", "s.csv", "--design", "d.txt", "-o", names[-1])
        run("merge", *[names[i] for i in random.permutation(count)], "-o", "sum.stat")
        same.append(read("sum.stat") == read("all.stat"))
    return all(same) and len(same) == 16


def problem(random, classes):
    what = "classes: " if classes else "numbers: "
    ranges = ",".join("%s=%r:%r" % (name, low, high) for name, low, high in zip("abc", LOW.tolist(), HIGH.tolist()))
    target = ["--classes", "yes,no"] if classes else ["--target-range=-1:2"]
    run("design", "--ranges", ranges, "--target", "y", *target, "--features", str(FEATURES), "--omega", "2",
        "--lambda", repr(LAMBDA), "--save-design", "d.txt", "-o", "list.txt")
    rows = table(random, classes)
    write("all.csv", rows)
    write("some.csv", rows[100:])
    write("others.csv", rows[:100])
    for name in ("all", "some", "others"):
        run("collect", name + ".csv", "--design", "d.txt", "-o", name + ".stat")
    if not classes:
        check(what + "1 to 16 shards give the bytes of all rows", shards(rows, random))
    run("solve", "all.stat", "--keep-statistics", "-o", "all.entropic")
    run("solve", "others.stat", "--keep-statistics", "-o", "others.entropic")
    y = np.array([1.0 if row[3] == "yes" else -1.0 if row[3] == "no" else row[3] for row in rows])
    expected = ridge(lifted("all.csv"), y)
    lines = list(csv.DictReader(run("predict", "all.entropic", "all.csv", *["--proba"] * classes).splitlines()))
    found = np.array([float(line["p_yes" if classes else "prediction"]) for line in lines])
    if classes:  # scores, by the inverse temperature of a design
        found = np.log(found / (1 - found)) / 2
    error = np.max(np.abs(found - expected)) / np.std(expected)
    check(what + "the model is the ridge of the lifted rows", bool(error <= 1e-9), "error %.3g" % error)  # NaN fails
    run("forget", "all.entropic", "some.csv")
    check(what + "a model that forgot is, to the byte, that of the other rows",
          read("all.entropic") == read("others.entropic"))
    run("update", "all.entropic", "some.csv")
    run("collect", "all.csv", "--design", "d.txt", "-o", "again.stat")
    check(what + "after an update it has the receipt of all rows",
          run("receipt", "all.entropic") == run("receipt", "again.stat"))


generator = np.random.default_rng(1)
problem(generator, False)
problem(generator, True)
sys.exit(end())
