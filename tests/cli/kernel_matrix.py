"""The numbers of `entropic features`: F F^T equals the kernel where the expansion is complete, and F equals another lift.

The lift here is written from the formulas alone (boundary atoms and hats of an axis; features as their products), for the
groups that `entropic design --json` lists. Signs of atoms are free: they cancel in F F^T.
"""
import json
import os
import subprocess

import numpy as np
import scipy.sparse

import _kernels
from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]


def within(what, error, tolerance):
    check(what, bool(error <= tolerance), "error %.3g, tolerance %.3g" % (error, tolerance))  # NaN fails


def run(*arguments):
    return subprocess.run([ENTROPIC, *arguments], check=True, capture_output=True, text=True).stdout


def write_csv(path, x):
    with open(path, "w") as file:
        file.write(",".join("x%d" % (d + 1) for d in range(x.shape[1])) + "\n")
        for row in x:
            file.write(",".join(repr(float(v)) for v in row) + "\n")


def read_libsvm(path, columns):
    with open(path) as file:
        lines = file.read().splitlines()
    matrix = np.zeros((len(lines), columns))
    for i, line in enumerate(lines):
        for entry in line.split()[1:]:
            index, value = entry.split(":")
            matrix[i, int(index) - 1] = float(value)
    return matrix


def features(x, *options, columns=None):
    write_csv("x.csv", x)
    run("features", "x.csv", "--quiet", "-o", "f.libsvm", *options)
    return read_libsvm("f.libsvm", columns)


def unscaled_features(x, m, *options):
    return features(x, "--scale", "none", "--features", str(m), *options, columns=m)


# Families with formulas here, for kernels and atoms; what others are comes from the library.
KERNELS = {
    "centred": lambda w, low, high: 1 + w / 4 - w * (high - low) / 2,
    "sobolev": lambda w, low, high: 1 + w * low,
    "laplace": lambda w, low, high: np.exp(-w * (high - low)),
    "cosh": lambda w, low, high: w * np.cosh(w * low) * np.cosh(w * (1 - high)) / np.sinh(w),
    "brownian": lambda w, low, high: w * low,
    "bridge": lambda w, low, high: low - low * high,
    "neumann": lambda w, low, high: np.cosh(w * low) * np.exp(-w * high),
}


def axis_kernel(family, w, x, y):
    if family not in KERNELS:
        return np.vectorize(_kernels.Axis(family, w).value)(x, y)
    return KERNELS[family](w, np.minimum(x, y), np.maximum(x, y))


def kernel_matrix(family, w, x, smooth=0):
    k = np.ones((len(x), len(x)))
    for d in range(x.shape[1]):
        a, b = x[:, None, d], x[None, :, d]
        factor = axis_kernel(family, w, a, b)
        for j in range(2, smooth + 1):
            factor = factor + legendre(w, j, a) * legendre(w, j, b)
        k *= factor
    return k


def legendre(w, j, x):
    coefficients = np.zeros(j + 1)
    coefficients[j] = 1
    return np.sqrt(w / 12 * 4.0 ** (1 - j) * (2 * j + 1)) * np.polynomial.legendre.legval(2 * x - 1, coefficients)


def hat(family, w, level, x):
    """Which atom of the level, and its value."""
    h = 2.0**-level
    cell = np.minimum(np.floor(x / (2 * h)), 2 ** (level - 1) - 1)
    t = np.maximum(0, h - np.abs(x - (2 * cell + 1) * h))
    if family in ("laplace", "cosh", "neumann"):
        c = np.tanh(w * h) * {"laplace": 1, "cosh": w / 2, "neumann": 0.5}[family]
        value = np.sqrt(c) * np.sinh(w * t) / np.sinh(w * h)
    else:
        value = np.sqrt(h / 2 * (1 if family == "bridge" else w)) * t / h
    return cell.astype(int), value


def atom(family, w, level, x):
    if level.startswith("hat"):
        return hat(family, w, int(level[3:]), x)
    zeros = np.zeros(len(x), int)
    if level.startswith("legendre"):
        return zeros, legendre(w, int(level[8:]), x)
    if level == "constant":
        return zeros, np.ones(len(x))
    if family == "laplace":
        sign = 1 if level == "even" else -1
        return zeros, (np.exp(-w * x) + sign * np.exp(-w * (1 - x))) / np.sqrt(2 * (1 + sign * np.exp(-w)))
    if family == "cosh":
        return zeros, np.sqrt(w / np.sinh(w)) * (np.cosh if level == "even" else np.sinh)(w * (x - 0.5))
    if family == "neumann" and level == "even":
        return zeros, np.cosh(w * x) * np.sqrt(np.exp(-w) / np.cosh(w))
    if family == "neumann":
        return zeros, np.sinh(w * (1 - x)) / np.sinh(w) * np.sqrt(np.tanh(w))
    return zeros, np.sqrt(w) * (x - (0.5 if family == "centred" else 0))


def restated_lift(design, family, w, x):
    """The features of the listed groups, from the formulas."""
    z = np.zeros((len(x), design["features"]))
    rows = np.arange(len(x))
    for group in design["list"]:
        active = {term["input"] - 1: term["level"] for term in group["terms"]}
        number = np.zeros(len(x), int)
        value = np.ones(len(x))
        for d in range(x.shape[1]):
            level = active.get(d, design["base"][d])
            cell, factor = atom(family, w, level, x[:, d])
            value = value * factor
            if d in active:
                number = number * (2 ** (int(level[3:]) - 1) if level.startswith("hat") else 1) + cell
        members = np.array(group.get("members", np.arange(1, group["atoms"] + 1))) - 1
        place = np.searchsorted(members, number)
        there = (place < len(members)) & (members[np.minimum(place, len(members) - 1)] == number)
        z[rows[there], group["first"] - 1 + place[there]] = value[there]
    return z


def exact_in_one_input(random):
    # 4096 features are the boundary atoms, all levels up to 11 and most of level 12. Every atom past level 11 is 0 at
    # the multiples of 2^-11, so there the expansion has ended, on the diagonal too.
    x = random.choice(2**11 + 1, 150, replace=False)[:, None] / 2.0**11
    for family in _kernels.kernels():
        for w in (0.1, 2, 20):
            f = unscaled_features(x, 4096, *_kernels.options(family, w))
            error = np.abs(f @ f.T - kernel_matrix(family, w, x)).max()
            within("one input, %s, omega %g: F F' is the kernel" % (family, w), error, 1e-12 * max(1, w))
    # Any points will do off the diagonal, if no two share a finest cell.
    x = ((random.choice(2**11, 150, replace=False) + random.uniform(0.01, 0.99, 150)) / 2**11)[:, None]
    f = unscaled_features(x, 5000, "--kernel", "laplace", "--omega", "2", "--max-level", "12")
    error = np.abs(f @ f.T - kernel_matrix("laplace", 2, x))
    np.fill_diagonal(error, 0)
    within("one input, laplace, points in different cells", error.max(), 1e-12)


def against_restatement(random, inputs, m, family, w, *options, smooth=0):
    x = random.uniform(size=(300, inputs))
    common = [*_kernels.options(family, w), *options]
    write_csv("x.csv", x)
    design = json.loads(run("design", "x.csv", "--json", "--features", str(m), *common))
    f = unscaled_features(x, m, *common)
    name = "%d inputs, %s%s, omega %g, M = %d" % (inputs, family, "".join(" " + o for o in options), w, m)
    if family in KERNELS:
        z = restated_lift(design, family, w, x)
        within(name + ": each feature", np.abs(np.abs(f) - np.abs(z)).max() / np.abs(z).max(), 1e-12)
        within(name + ": F F'", np.abs(f @ f.T - z @ z.T).max() / np.abs(z @ z.T).max(), 1e-12)
    if "interior" in options:
        return
    # What is left out is a kernel again: its matrix has no negative eigenvalue.
    left = kernel_matrix(family, w, x, smooth) - f @ f.T
    scale = np.abs(kernel_matrix(family, w, x, smooth)).max()
    within(name + ": what is left is positive", -np.linalg.eigvalsh(left).min(), 1e-10 * scale)
    # Scores by l2 are integrals of squares: the mean of what was taken must agree with their sum.
    if "sup" not in options:
        total = sum(group["features"] * group["score"] for group in design["list"])
        squares = (f**2).sum(axis=1)
        tolerance = 5 * squares.std() / np.sqrt(len(x)) + 1e-9
        within(name + ": the mean square is the score", abs(squares.mean() - total), tolerance)


def formats(random):
    x = random.uniform(size=(257, 4))
    f = features(x, "--features", "333", columns=333)
    run("features", "x.csv", "--features", "333", "--quiet", "-o", "f.npz")
    matrix = scipy.sparse.load_npz("f.npz")
    check("npz is a CSR matrix", matrix.format == "csr")
    check("npz has the right shape", matrix.shape == (257, 333), str(matrix.shape))
    check("npz has the numbers of the text, to the bit", bool((matrix.toarray() == f).all()))
    check("npz stores no zeros, indices ascend", bool((matrix.data != 0).all()) and bool(matrix.has_sorted_indices))


def scaling(random):
    # A column with ties, one without, a skewed one, a constant.
    skewed = np.exp(3 * random.normal(size=400))
    x = np.column_stack([random.integers(0, 5, 400), random.normal(size=400), skewed, np.full(400, 7.0)])
    f = features(x, "--features", "300", columns=300)
    scaled = np.empty_like(x)
    for d in range(3):
        below = (x[None, :, d] < x[:, None, d]).sum(axis=1)
        equal = (x[None, :, d] == x[:, None, d]).sum(axis=1)
        scaled[:, d] = (below + equal / 2) / len(x)
    scaled[:, 3] = 0.5
    within("quantile scaling is the mid-rank", np.abs(unscaled_features(scaled, 300) - f).max(), 1e-12)
    f = features(x, "--features", "300", "--scale", "minmax", columns=300)
    scaled[:, :3] = (x[:, :3] - x[:, :3].min(axis=0)) / (x[:, :3].max(axis=0) - x[:, :3].min(axis=0))
    within("minmax scaling", np.abs(unscaled_features(scaled, 300) - f).max(), 1e-12)


def main():
    random = np.random.default_rng(20)
    exact_in_one_input(random)
    check("formulas are those of kernels", set(KERNELS) <= set(_kernels.kernels()), _kernels.kernels())
    for family in _kernels.kernels():
        for inputs, w in ((2, 2), (3, 0.5)):
            against_restatement(random, inputs, 4096 if inputs == 2 else 1000, family, w)
    for family in ("laplace", "cosh", "sobolev"):
        against_restatement(random, 2, 500, family, 8, "--criterion", "sup")
        against_restatement(random, 3, 500, family, 3, "--basis", "interior")
    against_restatement(random, 2, 700, "centred", 1, "--smooth", "4", smooth=4)
    against_restatement(random, 12, 900, "laplace", 1, "--max-order", "2")
    against_restatement(random, 4, 300, "bridge", 1, "--basis", "interior", "--select", "paper", "--seed", "3")
    formats(random)
    scaling(random)
    return end()


if __name__ == "__main__":
    raise SystemExit(main())
