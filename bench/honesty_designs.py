"""Thirty designs, tables whose truth is known: heavy tails, skew, little noise, and interactions that are hard to find.
One more is in order of time.

A part of bench/honesty.py. Each design draws training rows and fresh rows. On fresh rows are measured: the true error of a
fit; that of a fit to four fifths of the rows, as many as outer validation trains with, which the validation error is
compared with; and the coverage of intervals. Limits are those of the means over the seeds, give or take two standard errors
of them. In order of time nothing is promised of intervals: their coverage is printed and has no limit.
"""
import json
import multiprocessing
import os
import tempfile
import time
from collections import namedtuple

import numpy as np

import honesty_tables as tables

# rows x inputs; draw(random, rows, inputs): inputs; signal(x): the true function; noise(random, x): what is added to it;
# options: more words for the command.
Design = namedtuple("Design", "rows inputs draw signal noise options", defaults=((),))
# validation: the error that fit says, of `spread` standard errors; true: that on fresh rows; fewer: that of fewer rows.
Found = namedtuple("Found", "form validation spread true fewer coverage seconds")
FRESH = 4000
SEEDS, MORE_SEEDS, FEW_ROWS = 20, 30, 300  # more seeds below so many rows
LEVELS = (0.8, 0.9, 0.95)


def normal(random, rows, inputs):
    return random.normal(size=(rows, inputs))


def uniform(random, rows, inputs):
    return random.uniform(size=(rows, inputs))


def student(random, rows, inputs):
    return random.standard_t(3, size=(rows, inputs))


def lognormal(random, rows, inputs):
    return random.lognormal(size=(rows, inputs))


def steps_of_ten(random, rows, inputs):
    return random.integers(10, size=(rows, inputs)).astype(float)


def gaussian(deviation):
    return lambda random, x: deviation * random.normal(size=len(x))


def heavy(deviation):
    return lambda random, x: deviation * random.standard_t(3, size=len(x)) / np.sqrt(3)


def skewed(deviation):
    return lambda random, x: deviation * (random.exponential(size=len(x)) - 1)


def growing(random, x):
    return (0.1 + 0.6 * x[:, 0]) * random.normal(size=len(x))


def in_order(random, rows, inputs):
    """The time of a row, which fits ignore as an input, and others."""
    return np.column_stack([np.arange(rows) / rows, random.normal(size=(rows, inputs - 1))])


def autoregressive(correlation):
    def noise(random, x):
        steps, series = random.normal(size=len(x)), np.empty(len(x))
        series[0] = steps[0]
        for t in range(1, len(x)):
            series[t] = correlation * series[t - 1] + np.sqrt(1 - correlation ** 2) * steps[t]
        return series
    return noise


def linear(x):
    return 2 * x[:, 0] + x[:, 1]


def logs(x):
    return np.log(x[:, 0]) + np.log(x[:, 1]) ** 2 / 2


def friedman1(x):
    return 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]


def friedman3(x):
    a, b, c, d = 1 + 99 * x[:, 0], 125.66 + 1633.64 * x[:, 1], x[:, 2], 1 + 10 * x[:, 3]
    return 3 * np.arctan((b * c - 1 / (b * d)) / a)


def product(x):
    return x[:, 0] * x[:, 1]


def three_way(x):
    return 8 * (x[:, 0] - 0.5) * (x[:, 1] - 0.5) * (x[:, 2] - 0.5) * 3 + x[:, 3]


def tree(x):
    left = np.where(x[:, 1] > 0.4, np.where(x[:, 2] > 0.6, 3.0, 0.0), 1.0)
    right = np.where(x[:, 3] > 0.5, np.where(x[:, 4] > 0.3, -2.0, 2.0), 0.5)
    return np.where(x[:, 0] > 0.5, left, right)


def parity(x):
    return np.sign(x[:, 0] - 0.5) * np.sign(x[:, 1] - 0.5) * 1.0


def rotated(x):
    slope = np.array([0.6, -0.5, 0.4, 0.35, -0.3])
    return np.sin(3 * x[:, :5] @ slope)


def radial(x):
    return np.exp(-np.sum(x[:, :4] ** 2, axis=1) / 2) * 4


def many(x):
    """Ten main effects and five products among many inputs."""
    pairs = sum(x[:, 2 * i] * x[:, 2 * i + 1] for i in range(5))
    return 0.5 * np.sum(np.sin(2 * x[:, :10]), axis=1) + pairs


def waves(x):
    return np.sin(12 * x[:, 0]) + x[:, 1]


def nothing(x):
    return np.zeros(len(x))


def sum_of_ten(x):
    return x[:, :10].sum(axis=1)


DESIGNS = {
    "t3 linear .03": Design(400, 4, student, linear, gaussian(0.03)),
    "t3 linear .1": Design(400, 4, student, linear, gaussian(0.1)),
    "t3 linear .3": Design(400, 4, student, linear, gaussian(0.3)),
    "t3 product": Design(600, 4, student, lambda x: np.tanh(x[:, 0]) * np.tanh(x[:, 1]), gaussian(0.1)),
    "normal linear .02": Design(400, 4, normal, linear, gaussian(0.02)),
    "normal linear .3": Design(400, 4, normal, linear, gaussian(0.3)),
    "lognormal logs": Design(400, 4, lognormal, logs, gaussian(0.2)),
    "lognormal linear": Design(400, 4, lognormal, linear, gaussian(0.3)),
    "skewed noise": Design(400, 5, uniform, friedman1, skewed(2.0)),
    "heavy noise": Design(400, 5, uniform, friedman1, heavy(2.0)),
    "growing noise": Design(600, 4, uniform, lambda x: 3 * x[:, 0] + x[:, 1], growing),
    "150 x 100": Design(150, 100, normal, lambda x: x[:, 0] + x[:, 1] ** 2, gaussian(0.5)),
    "100 x 5": Design(100, 5, uniform, friedman1, gaussian(1.0)),
    "60 x 3": Design(60, 3, uniform, lambda x: 3 * x[:, 0] + np.sin(5 * x[:, 1]), gaussian(0.4)),
    "friedman1": Design(400, 10, uniform, friedman1, gaussian(1.0)),
    "friedman1, no noise": Design(400, 5, uniform, friedman1, gaussian(0.0)),
    "friedman3": Design(400, 4, uniform, friedman3, gaussian(0.1)),
    "1000 x 100": Design(1000, 100, normal, many, gaussian(0.3)),
    "product": Design(300, 6, normal, product, gaussian(0.2)),
    "product of 20": Design(600, 20, normal, product, gaussian(0.2)),
    "three-way": Design(600, 8, uniform, three_way, gaussian(0.1)),
    "tree": Design(800, 8, uniform, tree, gaussian(0.3)),
    "parity": Design(500, 6, uniform, parity, gaussian(0.2)),
    "rotated": Design(600, 6, normal, rotated, gaussian(0.1)),
    "radial": Design(800, 6, normal, radial, gaussian(0.1)),
    "waves": Design(300, 5, uniform, waves, gaussian(0.2)),
    "steps of ten": Design(400, 6, steps_of_ten, lambda x: x[:, 0] + (x[:, 1] - 4.5) ** 2 / 4, gaussian(1.0)),
    "thirty linear": Design(300, 30, normal, sum_of_ten, gaussian(1.0)),
    "noise": Design(300, 8, normal, nothing, gaussian(1.0)),
    "heavy-tailed noise": Design(300, 8, student, nothing, heavy(1.0)),
    "time AR(1) .97": Design(600, 5, in_order, lambda x: 2 * x[:, 1] + x[:, 2], autoregressive(0.97),
                             ("--time", "x1", "--ignore", "x1")),
}


def drawn(name, seed, rows=None):
    """Tables of a design; with fewer rows than the design has, the first ones of the same table."""
    design = DESIGNS[name]
    random = tables.drawing("design", sum(map(ord, name)), seed)

    def some(count):
        x = design.draw(random, count, design.inputs)
        return x, design.signal(x) + design.noise(random, x)

    (x, y), (fresh_x, fresh_y) = some(design.rows), some(FRESH)
    return tables.Tables(x[:rows], y[:rows], fresh_x, fresh_y)


def within_reach(x, fresh_x):
    """Fresh rows with no value further than one range beyond the training rows: up to there lines go on. `predict` counts
    the others, and no training row is like them, so no validation can know their error: of t3 inputs one such row in
    20,000 can be most of the mean square."""
    least, most = x.min(axis=0), x.max(axis=0)
    return np.all((fresh_x >= 2 * least - most) & (fresh_x <= 2 * most - least), axis=1)


def error_and_coverage(command, folder, drawn_tables, rows, levels, options):
    """(report, error on fresh rows within reach, shares of all fresh rows within the intervals of these levels, seconds)."""
    train, fresh, model, out = (os.path.join(folder, name) for name in ("train.csv", "fresh.csv", "model", "out.csv"))
    tables.write_table(train, drawn_tables.x[:rows], drawn_tables.y[:rows])
    near = within_reach(drawn_tables.x[:rows], drawn_tables.fresh_x)
    tables.write_table(fresh, drawn_tables.fresh_x[near], drawn_tables.fresh_y[near])
    start = time.time()
    report = json.loads(tables.run(command, "fit", train, "--target", "y", "-o", model, "--json", "--quiet",
                                   "--threads", 1, *options))
    seconds = time.time() - start
    score = json.loads(tables.run(command, "score", model, fresh, "--json", "--quiet", "--threads", 1))
    shares = []
    tables.write_table(fresh, drawn_tables.fresh_x, drawn_tables.fresh_y)
    for level in levels:
        tables.run(command, "predict", model, fresh, "--interval", level, "-o", out, "--quiet", "--threads", 1)
        found = np.genfromtxt(out, delimiter=",", names=True)
        shares.append(float(np.mean((found["lower"] <= drawn_tables.fresh_y) & (drawn_tables.fresh_y <= found["upper"]))))
    return report, score["rmse"], shares, seconds


def work(job):
    command, name, seed = job
    of, options = drawn(name, seed), DESIGNS[name].options
    try:
        with tempfile.TemporaryDirectory() as folder:
            report, true, coverage, seconds = error_and_coverage(command, folder, of, None, LEVELS, options)
            fewer = error_and_coverage(command, folder, of, len(of.y) * 4 // 5, (), options)[1]
    except RuntimeError as failure:
        return name, seed, None, str(failure)
    validation = report["validation"]
    return name, seed, Found(report["form"], validation["rmse"], validation["standard_error"], true, fewer, coverage,
                             seconds), None


def mean_of(values):
    """The mean and its standard error."""
    return np.mean(values), np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0


def verdict_of(name, found, limit):
    """Lines of a design: limits are widened by two standard errors."""
    lines = []
    ratio, error = mean_of([np.log(f.validation / f.fewer) for f in found])
    lines.append(limit("%s: validation / true error of as many rows (+- %.3f)" % (name, error), np.exp(ratio),
                       0.95 * np.exp(-2 * error), 1.05 * np.exp(2 * error)))
    off = [abs(f.validation - f.true) - f.spread for f in found]
    within, error = mean_of([np.nan if np.isnan(of) else of <= 0 for of in off])
    lines.append(limit("%s: share of fits whose error is within +-" % name, within, 0.6 - 2 * error, np.inf))
    for k, level in enumerate(() if "--time" in DESIGNS[name].options else LEVELS):
        share, error = mean_of([f.coverage[k] for f in found])
        lines.append(limit("%s: coverage at %g" % (name, level), share, level - 0.03 - 2 * error,
                           level + 0.05 + 2 * error))
    return lines


def line_of(name, found):
    return "%-22s %5d %9.3f %9.3f %9s %8.1f  %s" % (
        name, len(found), np.exp(np.mean([np.log(f.validation / f.fewer) for f in found])),
        np.exp(np.mean([np.log(f.validation / f.true) for f in found])),
        " ".join("%.3f" % np.mean([f.coverage[k] for f in found]) for k in range(len(LEVELS))),
        np.mean([f.seconds for f in found]), "".join(sorted(f.form[0] for f in found)))


def campaign(limit, command, seeds, processes):
    """Runs all designs, prints a line as each ends, then the verdict; whether all limits hold."""
    jobs, wanted = [], {}
    for name, design in DESIGNS.items():
        usual = MORE_SEEDS if design.rows < FEW_ROWS else SEEDS
        wanted[name] = min(seeds or usual, usual)
        jobs += [(command, name, seed) for seed in range(wanted[name])]
    found, lines = {}, []
    print("%-22s %5s %9s %9s %9s %8s  %s" % ("design", "fits", "val/fewer", "val/true", "coverage", "seconds", "forms"))
    with multiprocessing.Pool(processes) as pool:
        for name, seed, one, failure in pool.imap(work, jobs):
            if one is None:
                lines.append(("BROKEN %s, seed %d: %s" % (name, seed, failure), False))
                continue
            found.setdefault(name, []).append(one)
            if len(found[name]) == wanted[name]:
                print(line_of(name, found[name]), flush=True)
    for name in (name for name in DESIGNS if name in found):
        lines += verdict_of(name, found[name], limit)
    for text, _ in lines:
        print(text)
    broken = sum(not holds for _, holds in lines)
    print("%d limits, %d broken" % (len(lines), broken))
    return broken == 0
