"""The tables of `make accuracy`: how they are read, split and handed to a learner.

Cells stay the text that stood in the file, so that the command reads what a user's table holds; rivals get numbers. An
empty cell is a missing value.
"""
import gzip
import hashlib
import os
from dataclasses import dataclass, field, replace

import numpy as np

REGRESSION, CLASSES = "regression", "classes"
MISSING = ("", "?")


@dataclass
class Table:
    name: str
    task: str
    names: list  # of the inputs
    cells: np.ndarray  # rows x inputs: text
    target: np.ndarray  # numbers, or the names of classes
    train_rows: int = 0  # where the table has rows to test of its own: they follow these
    files: tuple = ()  # LIBSVM files that hold the same rows: training and test rows
    unit: float = 1.0  # an error of numbers is divided by it
    unit_name: str = ""
    paper_rows: int = 0  # as many rows the source paper learns from
    category: np.ndarray = field(default=None, repr=False)  # of each input: is it one?

    def __post_init__(self):
        if self.category is None:
            self.category = np.array([not all_numbers(column) for column in self.cells.T], bool)

    @property
    def fixed(self):
        """Is there only one split?"""
        return self.train_rows > 0


@dataclass
class Split:
    """One way to part a table; `seed` is for learners that draw random numbers."""

    table: Table
    number: int
    train: np.ndarray
    test: np.ndarray

    @property
    def seed(self):
        return self.number + 1

    def digest(self):
        """Equal for equal rows in an equal order, so that results of other rows are never taken for these."""
        digest = hashlib.sha256()
        table = self.table
        for part in (table.names, table.cells, table.target, self.train, self.test):
            part = np.asarray(part)
            text = part.tobytes() if part.dtype.kind in "if" else "\x1f".join(map(str, part.ravel())).encode()
            digest.update(b"%d\x1e" % len(text) + text)
        digest.update(repr((table.task, table.unit)).encode())
        return digest.hexdigest()[:16]


def all_numbers(cells):
    try:
        for cell in set(cells):
            if cell not in MISSING:
                float(cell)
    except ValueError:
        return False
    return True


def numbers(cells):
    return np.array([np.nan if cell in MISSING else float(cell) for cell in cells])


# ---- reading ----


def lines_of(path):
    with gzip.open(path, "rt") as file:
        return [line.rstrip("\n") for line in file if line.strip()]


def read_csv(*paths):
    """The names and the cells of files with one header; none of ours has quoted commas."""
    files = [[[cell.strip().strip('"') for cell in line.split(",")] for line in lines_of(path)] for path in paths]
    return files[0][0], np.array([row for lines in files for row in lines[1:]], object), len(files[0]) - 1


def csv_table(name, task, paths, target, ignored=(), paper_rows=0):
    names, cells, train_rows = read_csv(*paths)
    inputs = [i for i, column in enumerate(names) if column != target and column not in ignored]
    goal = cells[:, names.index(target)]
    table = Table(
        name,
        task,
        [names[i] for i in inputs],
        cells[:, inputs],
        goal,
        paper_rows=paper_rows,
        train_rows=train_rows if len(paths) > 1 else 0,
    )
    return with_unit(table) if task == REGRESSION else table


def with_unit(table):
    target = table.target.astype(float)
    return replace(
        table, target=target, unit=float(target.std()), unit_name="standard deviations of the table's target"
    )


def libsvm_table(name, paths):
    parts = [[line.split() for line in lines_of(path)] for path in paths]
    rows = [row for part in parts for row in part]
    width = max(int(pair.split(":")[0]) for row in rows for pair in row[1:])
    cells = np.full((len(rows), width), "0", object)
    for i, row in enumerate(rows):
        for pair in row[1:]:
            place, value = pair.split(":")
            cells[i, int(place) - 1] = value
    target = np.array([label(row[0]) for row in rows], object)
    return Table(
        name,
        CLASSES,
        ["x%d" % (i + 1) for i in range(width)],
        cells,
        target,
        train_rows=len(parts[0]),
        files=tuple(paths),
    )


def label(text):
    """LIBSVM's +1, 1 and 1.0 are one class."""
    try:
        return "%g" % float(text)
    except ValueError:
        return text


def idx(path, header):
    with gzip.open(path) as file:
        return np.frombuffer(file.read(), np.uint8, offset=header)


def mnist_components(data, count=32, rows=20000):
    """MNIST as principal components, learnt on the training rows."""
    images = [
        idx(os.path.join(data, "%s-images-idx3-ubyte.gz" % part), 16).reshape(-1, 784) for part in ("train", "t10k")
    ]
    labels = [idx(os.path.join(data, "%s-labels-idx1-ubyte.gz" % part), 8) for part in ("train", "t10k")]
    train = images[0][:rows] / 255.0
    mean = train.mean(0)
    _, vectors = np.linalg.eigh(np.cov(train.T))
    vectors = vectors[:, ::-1][:, :count]
    vectors *= np.sign(vectors[np.abs(vectors).argmax(0), np.arange(count)])
    values = np.vstack([train - mean, images[1] / 255.0 - mean]) @ vectors
    # Six digits: what differs between linear-algebra libraries does not make another table.
    cells = np.array([["%.6g" % value for value in row] for row in values], object)
    target = np.concatenate([labels[0][:rows], labels[1]]).astype(str).astype(object)
    return Table("mnist", CLASSES, ["pc%d" % (i + 1) for i in range(count)], cells, target, train_rows=rows)


def source(name, task, target, ignored=(), paper_rows=0, files=None):
    paths = files or (name + ".csv.gz",)
    return lambda data: csv_table(name, task, [os.path.join(data, path) for path in paths], target, ignored, paper_rows)


def libsvm_source(name):
    return lambda data: libsvm_table(name, [os.path.join(data, name + end) for end in (".libsvm.gz", ".t.libsvm.gz")])


SOURCES = {
    "energy": source("energy", REGRESSION, "Y1", ("Y2",), 512, ("energy_efficiency.csv.gz",)),
    "airfoil": source("airfoil", REGRESSION, "scaled_sound_pressure"),
    "concrete": source("concrete", REGRESSION, "compressive_strength"),
    "ccpp": source("ccpp", REGRESSION, "EP"),
    "kin8nm": source("kin8nm", REGRESSION, "y"),
    "bike": source(
        "bike", REGRESSION, "cnt", ("instant", "dteday", "casual", "registered"), files=("bike_hour.csv.gz",)
    ),
    "superconductivity": source("superconductivity", REGRESSION, "critical_temp", (), 15000),
    "grid": source("grid", CLASSES, "stabf", ("stab",), 7000, ("grid_stability.csv.gz",)),
    "adult": source("adult", CLASSES, "income", files=("adult_train.csv.gz", "adult_test.csv.gz")),
    "a9a": libsvm_source("a9a"),
    "pendigits": libsvm_source("pendigits"),
    "mnist": mnist_components,
}
PAPER = ("energy", "grid", "superconductivity")


def load(name, data):
    return SOURCES[name](data)


def as_in_paper(table):
    """Errors in the units of the source paper: energy's target in [-1,1], the other's as it is."""
    if table.name == "energy":
        return replace(table, unit=float(np.ptp(table.target)) / 2, unit_name="target in [-1,1]")
    return replace(table, unit=1.0, unit_name="as in the table") if table.task == REGRESSION else table


# ---- splits ----


def split(table, number, train_rows=None):
    """Four fifths as training rows (or train_rows), shuffled; of every class alike. Rows to test of its own are kept."""
    if table.fixed:
        return Split(table, number, np.arange(table.train_rows), np.arange(table.train_rows, len(table.target)))
    random = np.random.RandomState(1000 + number)  # a stream that NumPy has promised never to change
    count = len(table.target)
    share = 0.8 if train_rows is None else train_rows / count
    order = random.permutation(count)
    strata = (
        [order]
        if table.task == REGRESSION
        else [order[table.target[order] == name] for name in np.unique(table.target)]
    )
    cut = [int(round(share * len(rows))) for rows in strata]
    train = np.concatenate([rows[:n] for rows, n in zip(strata, cut)])
    test = np.concatenate([rows[n:] for rows, n in zip(strata, cut)])
    return Split(table, number, random.permutation(train), random.permutation(test))


def write_csv(path, table, rows, with_target):
    names = table.names + (["target"] if with_target else [])
    target = (
        [repr(float(v)) if table.task == REGRESSION else str(v) for v in table.target[rows]] if with_target else None
    )
    with open(path, "w") as file:
        file.write(",".join(names) + "\n")
        for i, row in enumerate(rows):
            file.write(",".join([*table.cells[row], *([target[i]] if with_target else [])]) + "\n")


# ---- encodings for rivals ----


def coded(split):
    """Numbers with NaN for missing; categories as codes by rank, NaN where the training rows have no such name."""
    table = split.table
    values = np.empty(table.cells.shape)
    for j, is_category in enumerate(table.category):
        column = table.cells[:, j]
        if is_category:
            known = sorted(set(column[split.train]) - set(MISSING))
            codes = {name: i for i, name in enumerate(known)}
            values[:, j] = [codes.get(cell, np.nan) for cell in column]
        else:
            values[:, j] = numbers(column)
    return values[split.train], values[split.test]


def one_hot(split, keep_missing):
    """Numbers and 0/1 columns of categories. Missing numbers stay NaN, or are the mean with a 0/1 column more."""
    train, test = coded(split)
    both = np.vstack([train, test])
    parts = []
    for j, is_category in enumerate(split.table.category):
        column = both[:, j]
        empty = np.isnan(column)
        if is_category:
            parts.append(column[:, None] == np.unique(train[~np.isnan(train[:, j]), j])[None, :])
            if empty.any():
                parts.append(empty[:, None])
        elif keep_missing or not empty.any():
            parts.append(column[:, None])
        else:
            known = train[~np.isnan(train[:, j]), j]
            parts.append(np.column_stack([np.where(empty, known.mean() if len(known) else 0.0, column), empty]))
    values = np.hstack([np.asarray(part, float) for part in parts])
    return values[: len(train)], values[len(train) :]
