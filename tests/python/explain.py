"""Effects and shares of `entropic explain` and `predict --effects`, compared with brute force.

A model is a function that `predict` evaluates. Under independent inputs with the marginals of the training rows every
mean is a sum over all combinations of the values in these rows. So Shapley values come from their definition, a sum over
all subsets of the inputs, and shares from variances of such means. Nothing here knows how the model is built.
"""
import csv
import io
import itertools
import json
import math
import os
import subprocess
import sys

import numpy as np

import _kernels
from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
ROWS = 14
DIGITS = 1e-10


def entropic(*words, stdin=None, fails=False):
    done = subprocess.run([ENTROPIC, *map(str, words)], capture_output=True, text=True, input=stdin)
    if fails:
        return done.returncode, done.stderr
    if done.returncode:
        raise SystemExit("%s: %s" % (" ".join(map(str, words)), done.stderr))
    return done.stdout


def table(seed, kinds):
    """Columns of ROWS texts: numbers, categories, numbers of which some are missing, dates."""
    rng = np.random.default_rng(seed)
    columns = []
    for kind in kinds:
        if kind == "category":
            columns.append(list(rng.choice(["red", "green", "blue"], ROWS)))
        elif kind == "date":
            columns.append(["2024-01-01T05:%02d" % d for d in rng.permutation(ROWS)])  # too short for parts
        else:
            values = ["%.4f" % v for v in rng.random(ROWS)]
            if kind == "missing":
                values[2] = values[5] = ""
            columns.append(values)
    return columns


def write(path, columns, target):
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["x%d" % (i + 1) for i in range(len(columns))] + ["y"])
        out.writerows(zip(*columns, target))


def all_combinations(columns):
    """Every combination of the rows' values, as CSV, with as many axes as there are inputs."""
    text = io.StringIO()
    out = csv.writer(text)
    out.writerow(["x%d" % (i + 1) for i in range(len(columns))])
    out.writerows(itertools.product(*columns))
    return text.getvalue()


def predictions(model, text, *options):
    return list(csv.DictReader(io.StringIO(entropic("predict", model, "-", "--quiet", *options, stdin=text))))


def mean_over(values, axes):
    return values.mean(axis=tuple(axes), keepdims=True) if axes else values


def shapley(values):
    """[input] of arrays like values: by the definition, over all subsets."""
    inputs = values.ndim
    given = {}
    for size in range(inputs + 1):
        for subset in itertools.combinations(range(inputs), size):
            rest = [i for i in range(inputs) if i not in subset]
            given[subset] = np.broadcast_to(mean_over(values, rest), values.shape)
    found = []
    for i in range(inputs):
        total = np.zeros(values.shape)
        for subset in (s for s in given if i not in s):
            share = math.factorial(len(subset)) * math.factorial(inputs - len(subset) - 1) / math.factorial(inputs)
            total += share * (given[tuple(sorted(subset + (i,)))] - given[subset])
        found.append(total)
    return found


def sobol(values):
    """Variance, first and total of each input, and pairs, by means over the others."""
    inputs, variance = values.ndim, values.var()
    others = lambda *kept: [i for i in range(inputs) if i not in kept]  # noqa: E731
    first = [mean_over(values, others(i)).var() for i in range(inputs)]
    total = [(values - mean_over(values, [i])).var() for i in range(inputs)]
    pairs = {(i, j): mean_over(values, others(i, j)).var() - first[i] - first[j]
             for i, j in itertools.combinations(range(inputs), 2)}
    return variance, first, total, pairs


def close(found, wanted, scale):
    """The largest difference, which is within DIGITS of the scale; NaN is not."""
    worst = np.max(np.abs(np.asarray(found) - np.asarray(wanted)))
    return bool(worst <= DIGITS * scale), "differs by %g of %g" % (worst, scale)


def compare_effects(name, rows, prefix, values, shape):
    """The columns of one score: they add up, and are the Shapley values."""
    inputs = [key for key in rows[0] if key.startswith(prefix) and key != prefix + "base"]
    effects = {key: np.array([float(row[key]) for row in rows]).reshape(shape) for key in inputs}
    base = np.array([float(row[prefix + "base"]) for row in rows]).reshape(shape)
    scale = np.abs(values).max()
    check("%s: effects add up to the score" % name, *close(base + sum(effects.values()), values, 0.01 * scale))
    check("%s: the base is the mean" % name, *close(base, np.full(shape, values.mean()), scale))
    wanted = shapley(values)
    for i, of_input in enumerate(wanted):
        key = prefix + "x%d" % (i + 1)
        found = effects.get(key, np.zeros(shape))
        check("%s: %s is the Shapley value of its definition" % (name, key), *close(found, of_input, scale))
        mean = np.abs(found.mean(axis=i)).max()
        check("%s: %s has mean zero over its input" % (name, key), bool(mean <= 1e-12 * scale), mean)


def compare_shares(name, report, of_scores):
    """Shares of the sum of the scores' variances."""
    parts = [sobol(values) for values in of_scores]
    variance = sum(part[0] for part in parts)
    ok, detail = close(report["variance"], variance, variance)
    check("%s: the variance" % name, ok, detail)
    found = {entry["name"]: entry for entry in report["inputs"]}
    for i in range(of_scores[0].ndim):
        entry = found.get("x%d" % (i + 1), {"first": 0, "total": 0})
        check("%s: x%d alone" % (name, i + 1), *close(entry["first"], sum(p[1][i] for p in parts) / variance, 1))
        check("%s: x%d in all" % (name, i + 1), *close(entry["total"], sum(p[2][i] for p in parts) / variance, 1))
    pairs = {tuple(sorted(entry["names"])): entry["share"] for entry in report["pairs"]}
    for (i, j), _ in parts[0][3].items():
        share = pairs.get(("x%d" % (i + 1), "x%d" % (j + 1)), 0)
        check("%s: x%d with x%d" % (name, i + 1, j + 1), *close(share, sum(p[3][i, j] for p in parts) / variance, 1))
    first = sum(entry["first"] for entry in report["inputs"])
    rest = 1 - first - sum(pairs.values())
    check("%s: shares add up to 1" % name, *close(report["higher"], rest, 1))
    totals = [entry["total"] for entry in report["inputs"]]
    check("%s: best first" % name, totals == sorted(totals, reverse=True), totals)


def regression(name, kinds, *options):
    columns = table(name, kinds) if isinstance(name, int) else table(len(name), kinds)
    rng = np.random.default_rng(7)
    write("train.csv", columns, ["%.6f" % v for v in rng.normal(size=ROWS)])
    entropic("fit", "train.csv", "--target", "y", "-o", "m.entropic", "--keep",
             ",".join("x%d" % (i + 1) for i in range(len(kinds))), "--quiet", "--lambda", "1e-4", *options)
    shape = (ROWS,) * len(kinds)
    rows = predictions("m.entropic", all_combinations(columns), "--effects")
    values = np.array([float(row["prediction"]) for row in rows]).reshape(shape)
    compare_effects(name, rows, "effect_", values, shape)
    compare_shares(name, json.loads(entropic("explain", "m.entropic", "--json")), [values])
    return columns, values


def classes(name, kinds, count):
    """Scores come from the effects; that they are the model's show the probabilities."""
    columns = table(3, kinds)
    write("train.csv", columns, ["c%d" % (i % count) for i in range(ROWS)])
    entropic("fit", "train.csv", "--target", "y", "-o", "m.entropic", "--features", "25", "--select", "entropy",
             "--omega", "2", "--lambda", "1e-3", "--loss", "logistic", "--quiet")
    shape = (ROWS,) * len(kinds)
    rows = predictions("m.entropic", all_combinations(columns), "--effects", "--proba")
    names = ["c%d" % i for i in range(count)] if count > 2 else [None]
    scores = [np.array([float(row["score_" + n if n else "score"]) for row in rows]).reshape(shape) for n in names]
    chance = np.array([[float(row["p_c%d" % i]) for i in range(count)] for row in rows])
    if count == 2:
        wanted = np.log(chance[:, 1] / chance[:, 0])
        check("%s: the score is the log odds" % name, *close(scores[0].ravel(), wanted, 100))
    else:
        all_scores = np.stack([s.ravel() for s in scores], axis=1)
        soft = np.exp(all_scores - all_scores.max(1, keepdims=True))
        check("%s: probabilities are of the scores" % name, *close(soft / soft.sum(1, keepdims=True), chance, 100))
    for n, values in zip(names, scores):
        compare_effects("%s %s" % (name, n or ""), rows, "effect_%s_" % n if n else "effect_", values, shape)
    compare_shares(name, json.loads(entropic("explain", "m.entropic", "--json")), scores)


def dependence(columns):
    """Own parts and covariances over rows: of main effects and pairs as means over combinations say."""
    shape = (ROWS,) * len(columns)
    rows = predictions("m.entropic", all_combinations(columns))
    values = np.array([float(row["prediction"]) for row in rows]).reshape(shape)
    inputs, at = len(columns), tuple(np.arange(ROWS) for _ in columns)
    others = lambda *kept: [i for i in range(inputs) if i not in kept]  # noqa: E731
    mains = {i: (mean_over(values, others(i)) - values.mean()) for i in range(inputs)}
    on_rows = {i: np.broadcast_to(mains[i], shape)[at] for i in mains}
    for i, j in itertools.combinations(range(inputs), 2):
        both = mean_over(values, others(i, j)) - values.mean() - mains[i] - mains[j]
        on_rows[i, j] = np.broadcast_to(both, shape)[at]
    score = values[at]
    report = json.loads(entropic("explain", "m.entropic", "train.csv", "--json"))
    total = 0
    for entry in report["inputs"] + report["pairs"]:
        names = entry.get("names", [entry.get("name")])
        key = tuple(int(n[1:]) - 1 for n in names)
        effect = on_rows[key if len(key) > 1 else key[0]]
        own = effect.var() / score.var()
        shared = np.mean((effect - effect.mean()) * (score - score.mean())) / score.var() - own
        check("own part of %s over the rows" % " ".join(names), *close(entry["own"], own, 1))
        check("covariance of %s over the rows" % " ".join(names), *close(entry["covariance"], shared, 1))
        total += entry["own"] + entry["covariance"]
    check("own parts and covariances add up to 1", *close(total + report["higher_own"] + report["higher_covariance"], 1, 1))


def main():
    entropy = ("--features", 60, "--select", "entropy")
    columns, _ = regression("numbers", ["number"] * 3, "--omega", 2, *entropy)
    dependence(columns)
    regression("smooth", ["number"] * 3, "--smooth", 3, "--omega", 1, *entropy)
    regression("mixed", ["number", "category", "missing"], "--omega", 2, *entropy)
    regression("a date", ["date", "number"], "--omega", 2, *entropy)
    regression("selected", ["number", "category", "missing"], "--features", 30)
    regression("few rows in the scaler", ["number"] * 2, "--scale", "minmax", "--omega", 1, *entropy)
    for kernel in _kernels.kernels():
        regression("kernel " + kernel, ["number"] * 3, *_kernels.options(kernel, 1.5), *entropy)
    regression("interior basis", ["number"] * 2, "--kernel", "laplace", "--basis", "interior", "--omega", 1, *entropy)
    regression("a kernel as text", ["number"] * 2, "--kernel", "custom", "--p", "1 + 2*x", "--q", "1", "--features", 30,
               "--select", "entropy")
    classes("two classes", ["number", "category"], 2)
    classes("three classes", ["number", "missing"], 3)
    return end()


sys.exit(main())
