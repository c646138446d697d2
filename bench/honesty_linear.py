"""Never worse than linear: tables whose truth is linear, against ridge regression; a part of bench/honesty.py.

The ridge regression is NumPy's, on standardised columns with indicators of categories, alpha by five folds. Fresh rows that
are more than one training range outside the range of some input are left out: there no line goes on.
"""
import json
import multiprocessing
import os
import tempfile
import time
from collections import namedtuple

import numpy as np

import honesty_tables as tables

Case = namedtuple("Case", "name rows inputs draw noise sparse categories")
CASES = [Case(*of) for of in (
    ("l01", 100, 1, "normal", 0.5, False, 0), ("l02", 100, 5, "t3", 0.2, False, 0),
    ("l03", 150, 10, "lognormal", 1, True, 0), ("l04", 200, 2, "normal", 0.02, False, 0),
    ("l05", 200, 20, "uniform", 0.5, True, 0), ("l06", 200, 40, "normal", 1, True, 0),
    ("l07", 300, 3, "t3", 0.02, False, 1), ("l08", 300, 30, "normal", 0.3, False, 0),
    ("l09", 500, 1, "lognormal", 0.1, False, 0), ("l10", 500, 10, "t3", 1, False, 0),
    ("l11", 500, 40, "uniform", 2, True, 0), ("l12", 800, 5, "normal", 2, False, 2),
    ("l13", 1000, 2, "t3", 0.1, False, 0), ("l14", 1000, 15, "lognormal", 0.5, True, 1),
    ("l15", 1500, 30, "normal", 0.02, False, 0), ("l16", 2000, 8, "uniform", 0.02, False, 0),
    ("l17", 3000, 20, "t3", 0.5, True, 0), ("l18", 4000, 3, "lognormal", 0.02, False, 1),
    ("l19", 5000, 10, "normal", 0.2, False, 0), ("l20", 7000, 12, "t3", 2, True, 2))]
SEEDS, MORE_SEEDS, FEW_ROWS = 20, 30, 300  # more seeds below so many rows
FRESH = 4000
# rmse and truth: of the model over that of ridge, for noisy targets and for the function itself; validation: the error that
# fit says over the one on fresh rows.
Found = namedtuple("Found", "form rmse truth validation continued fresh seconds")
DRAWS = {"normal": lambda random, shape: random.normal(size=shape),
         "t3": lambda random, shape: random.standard_t(3, size=shape),
         "lognormal": lambda random, shape: random.lognormal(size=shape),
         "uniform": lambda random, shape: random.uniform(-1, 1, size=shape)}


def draw(case, seed):
    """(numbers, categories, function, target) of training and of fresh rows."""
    random = tables.drawing("linear", CASES.index(case), seed)
    slope, levels = random.normal(size=case.inputs), random.normal(size=(case.categories, 4))
    if case.sparse:
        slope[random.permutation(case.inputs)[max(1, case.inputs // 5):]] = 0

    def rows(count):
        x, codes = DRAWS[case.draw](random, (count, case.inputs)), random.integers(4, size=(count, case.categories))
        function = x @ slope
        for k in range(case.categories):
            function = function + levels[k][codes[:, k]]
        return x, codes, function, function + case.noise * random.normal(size=count)
    return rows(case.rows), rows(FRESH)


def columns(x, codes):
    return np.column_stack([x] + [codes[:, [k]] == np.arange(4) for k in range(codes.shape[1])]).astype(float)


def ridge(z, y, fresh):
    """Predictions of fresh rows."""
    mean, scale = z.mean(0), z.std(0)
    scale[scale == 0] = 1
    z, fresh = (z - mean) / scale, (fresh - mean) / scale
    alphas, fold = 10.0 ** np.arange(-6, 5.1, 0.5), np.arange(len(y)) % 5
    errors = np.zeros(len(alphas))

    def solve(rows, alpha):
        centre, middle = z[rows].mean(0), y[rows].mean()
        of = z[rows] - centre
        weights = np.linalg.solve(of.T @ of + alpha * np.eye(z.shape[1]), of.T @ (y[rows] - middle))
        return lambda x: middle + (x - centre) @ weights
    for k in range(5):
        for i, alpha in enumerate(alphas):
            errors[i] += np.sum((y[fold == k] - solve(fold != k, alpha)(z[fold == k])) ** 2)
    return solve(fold >= 0, alphas[errors.argmin()])(fresh)


def write(path, x, codes, y):
    with open(path, "w") as out:
        out.write(",".join(["x%d" % (i + 1) for i in range(x.shape[1])] +
                           ["c%d" % (k + 1) for k in range(codes.shape[1])] + ["y"]) + "\n")
        for row, of, target in zip(x, codes, y):
            out.write(",".join(["%.9g" % v for v in row] + ["abcd"[c] for c in of] + ["%.9g" % target]) + "\n")


def root_mean(values):
    return float(np.sqrt(np.mean(values ** 2)))


def fit(command, case, seed):
    (x, codes, _, y), (fresh_x, fresh_codes, function, target) = draw(case, seed)
    near = tables.within_one_range(x, fresh_x)
    fresh_x, fresh_codes, function, target = (of[near] for of in (fresh_x, fresh_codes, function, target))
    with tempfile.TemporaryDirectory() as folder:
        train, fresh, model = (os.path.join(folder, name) for name in ("train.csv", "fresh.csv", "model"))
        write(train, x, codes, y)
        write(fresh, fresh_x, fresh_codes, target)
        start = time.time()
        report = json.loads(tables.run(command, "fit", train, "--target", "y", "-o", model, "--json", "--quiet",
                                       "--threads", 1))
        seconds = time.time() - start
        found = np.array([float(v) for v in tables.run(command, "predict", model, fresh, "--quiet").split()[1:]])
    wanted = ridge(columns(x, codes), y, columns(fresh_x, fresh_codes))
    return Found(report["form"], root_mean(found - target) / root_mean(wanted - target),
                 root_mean(found - function) / root_mean(wanted - function),
                 report["validation"]["rmse"] / root_mean(found - target), len(report["inputs_continued"]), len(target),
                 seconds)


def work(argument):
    command, case, seed = argument
    try:
        return case, seed, fit(command, case, seed), None
    except RuntimeError as failure:
        return case, seed, None, str(failure)


def seeds_of(case, most):
    """How many seeds a table has; at most `most`, if that is given."""
    usual = MORE_SEEDS if case.rows < FEW_ROWS else SEEDS
    return min(most or usual, usual)


def geometric(values):
    return float(np.exp(np.mean(np.log(list(values)))))


def check(limit, case, found):
    """Lines of the verdict; `limit` is that of honesty.py."""
    name = "%s, %d x %d %s, noise %g" % (case.name, case.rows, case.inputs, case.draw, case.noise)
    return [limit("%s: error / ridge" % name, geometric(f.rmse for f in found), -np.inf, 1.02),
            limit("%s: error to the function / ridge" % name, geometric(f.truth for f in found), -np.inf, 1.10)]


def campaign(limit, command, seeds, processes):
    """Prints a line for each case, and the verdict; whether all limits hold."""
    jobs = [(command, case, seed) for case in reversed(CASES) for seed in range(seeds_of(case, seeds))]
    found, failed = {}, []
    with multiprocessing.Pool(processes) as pool:
        for case, seed, one, failure in pool.imap_unordered(work, jobs):
            if one is None:
                failed.append(("BROKEN %s, seed %d: %s" % (case.name, seed, failure), False))
            else:
                found.setdefault(case, []).append(one)
    print("%-5s %5s %6s %9s %6s %5s %7s %7s %9s %8s  forms" % (
        "case", "rows", "inputs", "draw", "noise", "fits", "/ridge", "truth", "val/fresh", "seconds"))
    for case in sorted(found):
        of = found[case]
        print("%-5s %5d %6d %9s %6g %5d %7.3f %7.3f %9.3f %8.1f  %s" % (
            case.name, case.rows, case.inputs, case.draw, case.noise, len(of), geometric(f.rmse for f in of),
            geometric(f.truth for f in of), geometric(f.validation for f in of), np.mean([f.seconds for f in of]),
            "".join(sorted(f.form[0] for f in of))))
    verdict = [line for case in sorted(found) for line in check(limit, case, found[case])] + failed
    for text, _ in verdict:
        print(text)
    return all(holds for _, holds in verdict)
