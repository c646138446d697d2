"""One fit of `make bench-intervals`: a table or a draw, its intervals, and what they are worth on other rows.

A case says what is drawn; a number says which split or draw. work() returns the figures as plain numbers.
"""
import json
import os
import subprocess
import tempfile
from dataclasses import replace

import numpy as np

import accuracy_tables
from honesty_tables import run

LEVELS = (0.8, 0.9, 0.95)
TEST_ROWS = 3000  # at most
DRAWN_TEST_ROWS = 4000
JACKKNIFE_ROWS = 1000  # test rows: it keeps a model for each training row
FIXED_FEATURES = 200  # of the design that is handed to MAPIE
DECILE_ROWS = 40000
GROUP_ROWS = 10


# ---- The command ----


def fit(settings, train, model, *options):
    report = run("nice", "-n", 8, settings.entropic, "fit", train, "--target", "target", "-o", model, "--json", "--quiet",
                 "--threads", 1, *options)
    return json.loads(report)


def score(settings, model, test):
    """{level: coverage and width}; of classes the mean number in a set."""
    figures = {}
    for level in LEVELS:
        report = json.loads(run(settings.entropic, "score", model, test, "--interval", level, "--json", "--quiet",
                                "--threads", 1))
        figures[level] = {"coverage": report["coverage"], "width": report.get("width", report.get("set_size")),
                          "error": report.get("error", report.get("rmse"))}
    return figures


def predict(settings, model, table, *options):
    """Its columns as numbers."""
    text = run(settings.entropic, "predict", model, table, "--quiet", "--threads", 1, *options).splitlines()
    return np.array([[float(cell) for cell in line.split(",")] for line in text[1:]])


def write(path, x, y, groups=None):
    with open(path, "w") as out:
        out.write(",".join("x%d" % (i + 1) for i in range(x.shape[1])))
        out.write(",target\n" if groups is None else ",target,group\n")
        for i, row in enumerate(x):
            cells = ["%.9g" % value for value in row] + ["%.9g" % y[i]] + ([] if groups is None else ["g%d" % groups[i]])
            out.write(",".join(cells) + "\n")


# ---- Parts ----


def split_of(case, number):
    """A split of a table; with rows, so many of its training rows are taken."""
    name, rows, data = case
    split = accuracy_tables.split(accuracy_tables.load(name, data), number)
    random = np.random.RandomState(number)
    if split.table.fixed:
        split.train, split.test = random.permutation(split.train), random.permutation(split.test)
    return split.table, split.train[:rows] if rows else split.train, split.test[:TEST_ROWS]


def rank(residuals, level):
    """The residual that split conformal prediction takes."""
    place = int(np.ceil(level * (len(residuals) + 1) * (1 - 1e-12)))
    return np.sort(residuals)[min(place, len(residuals)) - 1]


def half_and_half(settings, folder, table, train, test):
    """Split conformal prediction: one half fits, the other has the residuals."""
    path = os.path.join(folder, "part.csv")
    model = os.path.join(folder, "half")
    learn, calibrate = train[: len(train) // 2], train[len(train) // 2:]
    accuracy_tables.write_csv(path, table, learn, True)
    fit(settings, path, model, "--task", "regression")
    off = []
    for rows in (calibrate, test):
        accuracy_tables.write_csv(path, table, rows, True)
        off.append(np.abs(predict(settings, model, path)[:, 0] - table.target[rows]))
    return {level: {"coverage": float(np.mean(off[1] <= rank(off[0], level))), "width": 2 * float(rank(off[0], level))}
            for level in LEVELS}


def tables(settings, case, number):
    table, train, test = split_of((*case, settings.data), number)
    numbers = table.task == accuracy_tables.REGRESSION
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("train.csv", "test.csv", "model")]
        accuracy_tables.write_csv(paths[0], table, train, True)
        accuracy_tables.write_csv(paths[1], table, test, True)
        report = fit(settings, paths[0], paths[2], "--task", "regression" if numbers else "classification")
        found = {"rows": len(train), "form": report["form"], "own": score(settings, paths[2], paths[1])}
        if numbers:
            found["split"] = half_and_half(settings, folder, table, train, test)
        return found


def noise(settings, case, number):
    """Nothing to learn: normal targets, or coin flips as numbers."""
    kind, rows = case
    random = np.random.RandomState(number)
    x = random.uniform(size=(rows + DRAWN_TEST_ROWS, 5))
    y = random.normal(size=len(x)) if kind == "normal" else random.randint(2, size=len(x)).astype(float)
    return drawn(settings, (x[:rows], y[:rows]), (x[rows:], y[rows:]))


def drawn(settings, train, test, *options):
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("train.csv", "test.csv", "model")]
        write(paths[0], *train)
        write(paths[1], *test)
        report = fit(settings, paths[0], paths[2], "--task", "regression", *options)
        return {"form": report["form"], "own": score(settings, paths[2], paths[1])}


def deciles(settings, case, number):
    """Noise that grows with an input: coverage of level .9 in each tenth of it."""
    random = np.random.RandomState(number)
    x = random.uniform(size=(case[0] + DECILE_ROWS, 3))
    y = np.sin(3 * x[:, 0]) + x[:, 1] ** 2 + (0.05 + 0.6 * x[:, 1]) * random.normal(size=len(x))
    rows = case[0]
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("train.csv", "test.csv", "model")]
        write(paths[0], x[:rows], y[:rows])
        write(paths[1], x[rows:], y[rows:])
        fit(settings, paths[0], paths[2])
        ends = predict(settings, paths[2], paths[1], "--interval", 0.9)
    inside = (ends[:, 1] <= y[rows:]) & (y[rows:] <= ends[:, 2])
    tenth = (10 * x[rows:, 1]).astype(int)
    return {"tenths": [float(np.mean(inside[tenth == k])) for k in range(10)]}


def groups(settings, case, number):
    """Rows of a group share an effect that no input tells. With and without --groups, on rows of new groups."""
    count = case[0]
    random = np.random.RandomState(number)
    every = count + DRAWN_TEST_ROWS // GROUP_ROWS
    group = np.repeat(np.arange(every), GROUP_ROWS)
    place = random.uniform(size=(every, 2))[group]  # inputs that are the same in a group give it away
    x = np.hstack([place, random.uniform(size=(len(group), 2))])
    y = 2 * x[:, 0] + np.sin(4 * x[:, 2]) + random.normal(size=every)[group] + 0.3 * random.normal(size=len(group))
    cut = count * GROUP_ROWS
    train = (x[:cut], y[:cut], group[:cut])
    test = (x[cut:], y[cut:], group[cut:])
    found = drawn(settings, train, test, "--groups", "group")
    found["without"] = drawn(settings, train, test, "--ignore", "group")["own"]
    return found


def scaled(table):
    """Inputs brought to [0,1] here, so that lifted test rows are scaled as training rows are."""
    x = table.cells.astype(float)
    x = (x - x.min(0)) / (x.max(0) - x.min(0))
    return replace(table, cells=np.array([["%.9g" % value for value in row] for row in x], object))


def mapie(settings, case, number):
    """Ridge on one fixed design: our intervals, and those of jackknife+ for the same features and the same lambda."""
    table, train, test = split_of((*case, settings.data), number)
    table = scaled(table)
    test = test[:JACKKNIFE_ROWS]
    with tempfile.TemporaryDirectory() as folder:
        path = {name: os.path.join(folder, name) for name in
                ("train.csv", "test.csv", "model", "design", "train.npz", "test.npz", "train.y", "test.y")}
        accuracy_tables.write_csv(path["train.csv"], table, train, True)
        accuracy_tables.write_csv(path["test.csv"], table, test, True)
        kernel = ("--features", FIXED_FEATURES, "--omega", 1, "--scale", "none")
        report = fit(settings, path["train.csv"], path["model"], "--select", "entropy", "--smooth", 0, *kernel)
        for part, options in (("train", (*kernel, "--save-design", path["design"])),
                              ("test", ("--design", path["design"], "--scale", "none"))):
            run(settings.entropic, "features", path[part + ".csv"], "--target", "target", "-o", path[part + ".npz"],
                "--labels", path[part + ".y"], "--quiet", *options)
        helper = os.path.join(os.path.dirname(os.path.abspath(__file__)), "intervals_mapie.py")
        words = [settings.mapie, helper, folder, report["lambda"], *LEVELS]
        one_thread = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
        done = subprocess.run(["nice", "-n", "8", *map(str, words)], capture_output=True, text=True, env=one_thread)
        if done.returncode:
            raise RuntimeError("%s: %s" % (helper, done.stderr.strip()))
        other = {float(level): figures for level, figures in json.loads(done.stdout).items()}
        own = predict(settings, path["model"], path["test.csv"])[:, 0]
        return {"own": score(settings, path["model"], path["test.csv"]), "jackknife": other,
                "same": float(np.max(np.abs(own - np.loadtxt(os.path.join(folder, "predictions"))))),
                "unit": table.unit}


PARTS = {"tables": tables, "classes": tables, "noise": noise, "deciles": deciles, "groups": groups, "mapie": mapie}


def work(argument):
    """(the job, what was found or None, what failed or None)"""
    settings, job = argument
    part, case, number = job
    try:
        return job, PARTS[part](settings, case, number), None
    except (RuntimeError, OSError) as failure:
        return job, None, str(failure)
