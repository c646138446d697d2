"""The non-zeros nnz(F) of the features as printed in the source paper, counted again with NumPy on its data sets.

S_n holds the products over all inputs of hats with levels |l|_1 <= n + D - 1, for the smallest n that gives M features or
more. On M = |S_n| features the count of `entropic features` must be that of NumPy to the last entry. Of fewer, M are drawn
at random, so the mean count over several seeds must lie within the sampling error of M / |S_n| times all. Rows are as many
as the paper's training rows, scaled to [0,1] by their own least and largest values, or inset: the same into [0.4,0.6]."""
import gzip
import itertools
import json
import os
import subprocess
import sys

try:
    import numpy as np
except ImportError as missing:
    print("1..0 # SKIP %s" % missing)
    sys.exit(0)

from _tap import check, end, skip  # noqa: E402

ENTROPIC = os.environ["ENTROPIC"]
DATA = os.environ.get("ENTROPIC_DATA") or os.path.join(os.environ["ENTROPIC_SOURCE"], "..", "shared", "data")
SEEDS = 6
# name, file, columns that are no inputs, training rows, the paper's M
SETS = [("Energy", "energy_efficiency.csv.gz", ("Y1", "Y2"), 512, 60),
        ("Grid", "grid_stability.csv.gz", ("stab", "stabf"), 7000, 60),
        ("Superconductivity", "superconductivity.csv.gz", ("critical_temp",), 15000, 160)]


def load(file, ignored):
    """The inputs of a table."""
    with gzip.open(os.path.join(DATA, file), "rt") as lines:
        names = [name.strip('"') for name in next(lines).strip().split(",")]
        inputs = [i for i, name in enumerate(names) if name not in ignored]
        return np.loadtxt(lines, delimiter=",", usecols=inputs)


def minmax(x):
    """Scaled to [0,1]; all inputs vary."""
    return (x - x.min(0)) / (x.max(0) - x.min(0))


# ---- The printed features --------------------------------------------------------------------------

def levels_of(n, inputs):
    """All l with |l|_1 <= n + D - 1, as the inputs that are raised above level 1, once for each level."""
    return itertools.chain.from_iterable(itertools.combinations_with_replacement(range(inputs), raised)
                                         for raised in range(n))


def size_of(n, inputs):
    """|S_n|: each group has 2^(|l|_1 - D) features."""
    return sum(2 ** len(raised) for raised in levels_of(n, inputs))


def set_of(features, inputs):
    """The smallest n with |S_n| >= M."""
    return next(n for n in itertools.count(1) if size_of(n, inputs) >= features)


def counts_of(u, n):
    """How many rows are non-zero in each feature of S_n. A hat of level l is zero where u 2^(l-1) is a whole number."""
    inputs, found = u.shape[1], []
    scaled = [u * 2.0 ** level for level in range(n)]
    inside = [s != np.floor(s) for s in scaled]
    all_first = inside[0].all(1)
    for raised in levels_of(n, inputs):
        rows, cell = all_first.copy(), np.zeros(len(u), int)
        for d in set(raised):
            level = raised.count(d)
            rows &= inside[level][:, d]
            cell = cell * 2 ** level + np.minimum(np.floor(scaled[level][:, d]).astype(int), 2 ** level - 1)
        found.append(np.bincount(cell[rows], minlength=2 ** len(raised)))
    return np.concatenate(found)


# ---- Ours ------------------------------------------------------------------------------------------

def count(rows, scale, features, seed=1):
    """The non-zeros of these rows lifted to EOF-printed: as in a comparison, but for the height of the hats."""
    np.save("rows.npy", rows)
    subprocess.run([ENTROPIC, "features", "rows.npy", "-o", "lifted.npz", "--kernel", "laplace", "--basis", "interior",
                    "--select", "paper", "--scale", scale, "--features", str(features), "--seed", str(seed), "--quiet"],
                   check=True)
    with np.load("lifted.npz") as lifted:
        return int(np.count_nonzero(lifted["data"]))


def compare_counts(what, rows, scale, u, features):
    """All of S_n to the last entry; M of it within the sampling error."""
    n = set_of(features, u.shape[1])
    counts = counts_of(u, n)
    total, size = int(counts.sum()), size_of(n, u.shape[1])
    everything = count(rows, scale, size)
    check("%s: all %d features of S_%d have %d non-zeros" % (what, size, n, total), everything == total, everything)
    found = [count(rows, scale, features, seed) for seed in range(1, SEEDS + 1)]
    expected = features * counts.mean()
    error = np.sqrt(features * counts.var(ddof=1) * (1 - features / size) / SEEDS)
    check("%s: nnz(F) of M = %d is %.4g, standard error %.2g over %d seeds; ours is %.4g" % (
        what, features, expected, error, SEEDS, np.mean(found)), abs(np.mean(found) - expected) <= 4 * error, found)


def test_set(name, file, ignored, rows, features):
    if not os.path.exists(os.path.join(DATA, file)):
        skip("nnz(F) of %s" % name, "%s is not there; ENTROPIC_DATA is the folder of the data sets" % file)
        return
    x = load(file, ignored)
    x = x[np.random.default_rng(1).permutation(len(x))[:rows]]
    u = minmax(x)
    compare_counts(name, x, "minmax", u, features)
    inset = 0.4 + u / 5
    if name == "Energy":
        check("Energy: one input has two values, both on faces of the cube, so no feature as printed is left",
              min(len(np.unique(column)) for column in u.T) == 2 and count(x, "minmax", features) == 0)
        compare_counts("Energy, inset", inset, "none", inset, features)


def test_comparison():
    """The study's EOF-printed and EOF-inset have these non-zeros, too, on the test rows of a split."""
    name, file, ignored, _, _ = SETS[0]
    path = os.path.join(DATA, file)
    if not os.path.exists(path):
        skip("non-zeros of a comparison", "%s is not there" % file)
        return
    u = 0.4 + minmax(load(file, ignored)) / 5
    done = subprocess.run([ENTROPIC, "compare", path, "--target", "Y1", "--ignore", "Y2", "--features",
                           str(size_of(2, u.shape[1])), "--runs", "1", "--json", "--quiet"], capture_output=True, text=True)
    found = {m["name"]: m["nonzeros"] for m in json.loads(done.stdout)["methods"] if not m["tuned"]}
    check("a comparison on %s: EOF-printed has no non-zeros" % name, found["EOF-printed"] == 0, found["EOF-printed"])
    of_row = np.array([counts_of(row[None], 2).sum() for row in u])
    rows, test = len(u), len(u) // 5
    error = of_row.std(ddof=1) * np.sqrt((1 - test / rows) / test)
    check("EOF-inset with all of S_2 has %.4g a row, standard error %.2g over test rows; ours has %.4g" % (
        of_row.mean(), error, found["EOF-inset"]), abs(found["EOF-inset"] - of_row.mean()) <= 4 * error)


if __name__ == "__main__":
    for one_set in SETS:
        test_set(*one_set)
    test_comparison()
    sys.exit(end())
