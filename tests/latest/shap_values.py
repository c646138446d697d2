"""Effects of `predict --effects` beside the Shapley values of the newest shap, by its ExactExplainer.

shap averages over the rows of a background. Training rows that are every combination of some values of each input, each
once, have independent inputs, so that this mean is the one over the marginals that a model keeps.
"""
import csv
import io
import itertools
import math
import os
import subprocess
import sys

from _tap import check, end, skip

ENTROPIC = os.environ["ENTROPIC"]
WITHIN = 1e-6
EXPLAINED = 12
COLOURS = ["blue", "green", "red"]

# Values of each input; a category by its number, and a missing number.
NUMBERS = [[0.0, 0.3, 0.35, 1.0], [-5.0, -4.0, 2.0], [1.0, 2.0, 4.0, 8.0]]
MIXED = [[0.0, 0.3, 0.8, 1.0], [0, 1, 2], [1.0, 2.0, math.nan, 8.0]]


def entropic(*words, stdin=None):
    done = subprocess.run([ENTROPIC, *words, "--quiet"], capture_output=True, text=True, input=stdin)
    if done.returncode:
        raise SystemExit("%s: %s" % (" ".join(words), done.stderr))
    return done.stdout


def cell(value, category):
    return COLOURS[int(value)] if category else "" if math.isnan(value) else repr(float(value))


def text_of(rows, categories, targets=None):
    text = io.StringIO()
    out = csv.writer(text)
    out.writerow(["x1", "x2", "x3"] + (["y"] if targets is not None else []))
    for r, row in enumerate(rows):
        cells = [cell(value, categories[i]) for i, value in enumerate(row)]
        out.writerow(cells + ([targets[r]] if targets is not None else []))
    return text.getvalue()


def target_of(row, classes):
    one, two, three = row
    three = 3 if math.isnan(three) else three
    score = math.sin(3 * one) * two + 0.2 * three * one + 0.1 * two * three
    return "yes" if classes and score > 0.6 else "no" if classes else repr(float(score))


def compare(name, values, categories, classes, *options):
    import numpy as np
    import shap

    grid = np.array(list(itertools.product(*values)), dtype=float)
    entropic("fit", "-", "--target", "y", "-o", "m.entropic", "--keep", "x1,x2,x3", *options,
             stdin=text_of(grid, categories, [target_of(row, classes) for row in grid]))

    def predict(rows, *more):
        return list(csv.DictReader(io.StringIO(
            entropic("predict", "m.entropic", "-", "--effects", *more, stdin=text_of(rows, categories)))))

    def scores(rows):
        return np.array([float(row["score"]) for row in predict(rows)])

    explained = grid[:: len(grid) // EXPLAINED]
    masker = shap.maskers.Independent(grid, max_samples=len(grid))
    wanted = shap.explainers.ExactExplainer(scores, masker)(explained, silent=True)
    found = predict(explained)
    scale = np.abs(wanted.values).max()
    check("%s: there are effects" % name, bool(scale > 0.01), scale)
    base = np.array([float(row["effect_base"]) for row in found])
    off = np.abs(base - wanted.base_values).max()
    check("%s: the base" % name, bool(off <= WITHIN * scale), off)
    for i in range(3):
        own = np.array([float(row.get("effect_x%d" % (i + 1), 0)) for row in found])
        off = np.abs(own - wanted.values[:, i]).max()
        check("%s: x%d" % (name, i + 1), bool(off <= WITHIN * scale), off)


def main():
    try:
        import shap  # noqa: F401
    except ImportError:
        skip("Shapley values of shap", "it is not there")
        return
    plain = [False, False, False]
    compare("numbers", NUMBERS, plain, False, "--features", "40", "--lambda", "1e-4", "--select", "entropy", "--omega", "3")
    compare("selected features", NUMBERS, plain, False, "--features", "25", "--select", "residual")
    compare("no constant base", NUMBERS, plain, False, "--kernel", "laplace", "--features", "30", "--lambda", "1e-4")
    compare("categories and missing values", MIXED, [False, True, False], False, "--features", "40", "--lambda", "1e-4",
            "--select", "entropy")
    compare("classes", NUMBERS, plain, True, "--features", "20", "--loss", "logistic")


main()
sys.exit(end())
