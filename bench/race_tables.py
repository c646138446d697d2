"""The tables of `make race`: training and test rows as CSV files, made once, the same bytes each time.

A table is a folder with train.csv, test.csv and table.json: its task, target, categories, a digest of both files, and
the floor, which is the error of the function that the rows were drawn from.
"""

import hashlib
import json
import os
import shutil
import subprocess

import numpy as np

import accuracy_tables as real
from accuracy_run import probability_errors, write_json

TEST_ROWS = 20000
BLOCK = 100000
LEVELS = {"region": 4, "shop": 30, "article": 400}  # categories: how many of each
NO, YES = "no", "yes"


# ---- a table with numbers, categories and missing cells ----


def level_names(column):
    return np.array(["%s%d" % (column[0], i + 1) for i in range(LEVELS[column])], object)


def level_effects():
    """What each category adds to the target: fixed, whatever the rows."""
    random = np.random.RandomState(20)
    return {column: random.normal(size=count) for column, count in LEVELS.items()}


def popularity(count):
    """Shares of categories: the k-th has 1/k of the first one's, so that some are rare."""
    shares = 1 / np.arange(1, count + 1)
    return shares / shares.sum()


def mixed_block(random, rows):
    """Columns without gaps, which cells are missing, and the function's value. A missing price says something itself."""
    effects = level_effects()
    codes = {c: random.choice(n, size=rows, p=popularity(n)) for c, n in LEVELS.items()}
    size, age = random.normal(size=rows), random.gamma(2, 3, rows)
    price = np.exp(0.5 * size + random.normal(size=rows))  # skewed, and depends on size
    hour, share, load, idle = random.randint(24, size=rows), random.rand(rows), random.rand(rows), random.rand(rows)
    unpriced = random.rand(rows) < 1 / (1 + np.exp(3 - price))  # dear things, mostly
    value = (
        2 * np.cos(2 * np.pi * (hour - 15) / 24) * (1 + 0.5 * (codes["region"] == 0))
        + 1.5 * np.log1p(price)
        + np.sin(2 * np.pi * share) * size
        + 0.15 * np.minimum(age, 8)
        + 2 * np.abs(load - 0.5)
        + effects["region"][codes["region"]]
        + effects["shop"][codes["shop"]]
        + 0.7 * effects["article"][codes["article"]] * (1 + load)
    )
    numbers = {"size": size, "price": price, "age": age, "hour": hour, "share": share, "load": load, "idle": idle}
    cells = {**numbers, **{c: level_names(c)[codes[c]] for c in LEVELS}}
    missing = {c: random.rand(rows) < gap for c, gap in (("size", 0.1), ("age", 0.05), ("shop", 0.05))}
    return cells, {**missing, "price": unpriced}, value


def mixed_target(random, value, task):
    """The target, and what was known of it before noise: the value itself, or the probability of YES."""
    if task == real.REGRESSION:
        return value + random.normal(size=len(value)), value
    probability = 1 / (1 + np.exp(-(value - 3.0)))
    return np.where(random.rand(len(value)) < probability, YES, NO), probability


def text_of(column):
    return (
        column
        if column.dtype == object or column.dtype.kind == "U"
        else np.char.mod("%d" if column.dtype.kind == "i" else "%.6g", column)
    )


def write_mixed(path, rows, seed, task):
    """Writes blocks of rows; gives back all targets and what was known of them."""
    targets, known = [], []
    with open(path, "w") as file:
        for number, start in enumerate(range(0, rows, BLOCK)):
            random = np.random.RandomState([seed, number])  # a stream that NumPy has promised never to change
            cells, missing, value = mixed_block(random, min(BLOCK, rows - start))
            target, before = mixed_target(random, value, task)
            columns = [np.where(missing[c], "", text_of(v)) if c in missing else text_of(v) for c, v in cells.items()]
            if not start:
                file.write(",".join([*cells, "y"]) + "\n")
            file.writelines(",".join(row) + "\n" for row in zip(*columns, text_of(target)))
            targets.append(target), known.append(before)
    return np.concatenate(targets), np.concatenate(known)


def floor_of(task, target, known):
    """The errors of the function itself on these rows, as a learner's are counted."""
    if task == real.REGRESSION:
        return {"error": float(np.sqrt(np.mean((target - known) ** 2)) / target.std())}
    probability = np.column_stack([1 - known, known])
    wrong = float(np.mean(target != np.where(known > 0.5, YES, NO)))
    return {"error": wrong, "logloss": probability_errors(target, [NO, YES], probability)["logloss"]}


def mixed(task):
    def make(folder, rows, maker):
        write_mixed(os.path.join(folder, "train.csv"), rows, 1, task)
        target, known = write_mixed(os.path.join(folder, "test.csv"), min(2 * rows, TEST_ROWS), 2, task)
        return {"task": task, "target": "y", "categories": list(LEVELS), "floor": floor_of(task, target, known)}

    return make


# ---- Friedman's function, by the command ----


def friedman(folder, rows, maker):
    for part, count, seed in (("train", rows, 1), ("test", min(2 * rows, TEST_ROWS), 2)):
        words = [maker.entropic, "generate", "friedman1", "--rows", count, "--noise", 1, "--seed", seed, "--quiet"]
        subprocess.run([*map(str, words), "-o", os.path.join(folder, part + ".csv")], check=True)
    test = np.loadtxt(os.path.join(folder, "test.csv"), delimiter=",", skiprows=1, ndmin=2)
    x, target = test[:, :-1], test[:, -1]
    value = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    floor = floor_of(real.REGRESSION, target, value)
    return {"task": real.REGRESSION, "target": "y", "categories": [], "floor": floor}


# ---- real tables ----


def real_table(name):
    """The first split of `make accuracy`; it has the rows it has."""

    def make(folder, rows, maker):
        table = real.load(name, maker.data)
        split = real.split(table, 0)
        for part, chosen in (("train", split.train), ("test", split.test)):
            real.write_csv(os.path.join(folder, part + ".csv"), table, chosen, with_target=True)
        categories = [column for column, is_one in zip(table.names, table.category) if is_one]
        return {"task": table.task, "target": "target", "categories": categories, "floor": {}}

    return make


GENERATED = {"friedman1": friedman, "mixed": mixed(real.REGRESSION), "mixed-classes": mixed(real.CLASSES)}
ABOUT = {
    "friedman1": "Friedman's first function of 5 of 10 uniform inputs, with normal noise of deviation 1.",
    "mixed": "Seven numbers, categories of 4, 30 and 400 levels, cells missing at random and a price that is missing "
    "where it is high; a nonlinear function with interactions, and normal noise of deviation 1.",
    "mixed-classes": "The inputs of `mixed`, and two classes with the probability that the function gives.",
}


class Maker:
    """Makes tables in a folder, or finds them there."""

    def __init__(self, folder, entropic, data):
        self.folder, self.entropic, self.data = folder, entropic, data

    def make(self, name, rows):
        """The description of a table, with the paths of its files; rows is 0 for a real one."""
        folder = os.path.join(self.folder, "%s-%d" % (name, rows) if rows else name)
        about = os.path.join(folder, "table.json")
        if not os.path.exists(about):
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            found = (GENERATED.get(name) or real_table(name))(folder, rows, self)
            write_json(about, {"name": name, **found, **self.described(folder)})
        with open(about) as file:
            table = json.load(file)
        return {**table, "train": os.path.join(folder, "train.csv"), "test": os.path.join(folder, "test.csv")}

    def kept(self):
        """The descriptions of all tables that were made so far."""
        found = []
        for name in sorted(os.listdir(self.folder)) if os.path.isdir(self.folder) else ():
            about = os.path.join(self.folder, name, "table.json")
            if os.path.exists(about):
                with open(about) as file:
                    found.append(json.load(file))
        return found

    @staticmethod
    def described(folder):
        digest, counts = hashlib.sha256(), []
        for part in ("train", "test"):
            lines = 0
            with open(os.path.join(folder, part + ".csv"), "rb") as file:
                while block := file.read(1 << 24):
                    digest.update(block)
                    lines += block.count(b"\n")
            counts.append(lines - 1)
        with open(os.path.join(folder, "train.csv")) as file:
            inputs = file.readline().count(",")
        return {
            "rows": counts[0],
            "test_rows": counts[1],
            "inputs": inputs,
            "digest": digest.hexdigest()[:16],
            "bytes": os.path.getsize(os.path.join(folder, "train.csv")),
        }
