"""Tables whose truth is known, and what `entropic fit` makes of them; bench/honesty.py and tests/python/honesty.py."""
import json
import os
import subprocess
import tempfile
import time
from collections import Counter, namedtuple

import numpy as np

# Training rows and fresh ones, which only the true error is taken from. y: numbers, or names of classes.
Tables = namedtuple("Tables", "x y fresh_x fresh_y")
# What one fit says of itself (validation, spread, mean, linear) and what is true of it (on fresh rows).
Found = namedtuple("Found", "form kind validation spread mean linear true true_mean seconds")


def drawing(part, *numbers):
    """A stream of random numbers of its own for each part, case and seed."""
    return np.random.default_rng([sum(ord(c) << 8 * i for i, c in enumerate(part[:4])), *numbers])


def within_one_range(x, fresh):
    """Which fresh rows are at most one range outside the range of each input. Further out no line goes on, and predict counts
    such rows: of heavy-tailed inputs a few of them would decide the mean square."""
    width = x.max(0) - x.min(0)
    return np.all((fresh >= x.min(0) - width) & (fresh <= x.max(0) + width), axis=1)


def noise(rows, inputs, classes, seed, fresh=2000):
    """Nothing to learn. Fresh rows have all classes equally often, so no constant is better than another there."""
    random = drawing("noise", rows, inputs, classes, seed)
    x, fresh_x = random.normal(size=(rows, inputs)), random.normal(size=(fresh, inputs))
    if classes == 0:
        return Tables(x, random.normal(size=rows), fresh_x, random.normal(size=fresh))
    names = np.array(["c%d" % k for k in range(classes)])
    return Tables(x, names[random.integers(classes, size=rows)], fresh_x, names[np.arange(fresh) % classes])


def drawn(random, rows, fresh, inputs, target):
    """Normal inputs and a target that is made of them."""
    x, fresh_x = random.normal(size=(rows, inputs)), random.normal(size=(fresh, inputs))
    return Tables(x, target(x), fresh_x, target(fresh_x))


def two(seed, rows=100, inputs=300, fresh=2000):
    """Two real inputs among many; the signal deviates three times as much as the noise."""
    random = drawing("two", rows, inputs, seed)
    return drawn(random, rows, fresh, inputs,
                 lambda x: 3 * (x[:, 4] + x[:, 9]) / np.sqrt(2) + random.normal(size=len(x)))


def weak(seed, rows=200, inputs=10, share=0.2, fresh=2000):
    """Linear in all inputs, in a random direction; this share of the variance is signal."""
    random = drawing("weak", rows, inputs, seed)
    slope = random.normal(size=inputs)
    slope *= np.sqrt(share) / np.linalg.norm(slope)
    return drawn(random, rows, fresh, inputs,
                 lambda x: x @ slope + np.sqrt(1 - share) * random.normal(size=len(x)))


def product(seed, rows=200, inputs=4, fresh=2000):
    """The product of two inputs, neither of which says anything alone."""
    random = drawing("product", rows, inputs, seed)
    return drawn(random, rows, fresh, inputs, lambda x: x[:, 0] * x[:, 1] + 0.2 * random.normal(size=len(x)))


def friedman(seed, rows=200, more=5, deviation=3.0, fresh=4000):
    """Friedman's first function of five inputs, with further ones and much noise."""
    random = drawing("friedman", rows, more, seed)

    def target(x):
        y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
        return y + deviation * random.normal(size=len(x))

    x, fresh_x = random.uniform(size=(rows, 5 + more)), random.uniform(size=(fresh, 5 + more))
    return Tables(x, target(x), fresh_x, target(fresh_x))


def write_table(path, x, y):
    with open(path, "w") as out:
        out.write(",".join("x%d" % (i + 1) for i in range(x.shape[1])) + ",y\n")
        for row, target in zip(x, y):
            out.write(",".join("%.6g" % v for v in row))
            out.write(",%s\n" % (target if isinstance(target, str) else "%.6g" % target))


def run(command, *words):
    done = subprocess.run([command, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError("%s: %s" % (" ".join(map(str, words)), done.stderr.strip()))
    return done.stdout


def error_of_mean(tables):
    """What the mean, or the most frequent class, of the training rows is worth on the fresh ones."""
    if tables.y.dtype.kind == "f":
        return float(np.sqrt(np.mean((tables.fresh_y - tables.y.mean()) ** 2)))
    frequent = Counter(tables.y).most_common(1)[0][0]
    return float(np.mean(tables.fresh_y != frequent))


def fit(command, tables, *options):
    """Fits with one thread and tries the model on fresh rows."""
    with tempfile.TemporaryDirectory() as folder:
        train, fresh, model = (os.path.join(folder, name) for name in ("train.csv", "fresh.csv", "model"))
        write_table(train, tables.x, tables.y)
        start = time.time()
        report = json.loads(run(command, "fit", train, "--target", "y", "-o", model, "--json", "--quiet", "--threads",
                                1, *options))
        seconds = time.time() - start
        write_table(fresh, tables.fresh_x, tables.fresh_y)
        score = json.loads(run(command, "score", model, fresh, "--json", "--quiet", "--threads", 1))
    figure = "rmse" if "rmse" in report["validation"] else "error"
    return Found(report["form"], report["validation"]["kind"], report["validation"][figure],
                 report["validation"]["standard_error"], report["references"]["mean"], report["references"]["linear"],
                 score[figure], error_of_mean(tables), seconds)
