"""Bands of effect curves: the lowest and the highest fold model on the page are compared with fold models that NumPy solves,
whose main effects are means over all combinations of training values."""
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

import numpy

from _tap import check, end
from model_file import Model

ENTROPIC = os.environ["ENTROPIC"]
NAMES, LANDS = ["a", "b", "land"], ["north", "south", "west"]


def run(*words):
    done = subprocess.run([ENTROPIC, *words], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def rows_of(kind, count=70):
    """a may be missing, b is a number, land a category; the target is a number, a skewed one, or one of three classes."""
    draw = random.Random(kind)
    for i in range(count):
        a, b, land = round(draw.random(), 5), round(draw.random(), 5), draw.choice(LANDS)  # the page has 9 digits
        score = 3 * math.sin(4 * a) + 2 * b * b + LANDS.index(land) * a + 0.3 * draw.gauss(0, 1)
        target = {"plain": score, "large": score * 1e70, "root": (score + 4) ** 2,
                  "classes": "low" if score < 1.5 else "high" if score > 3.5 else "middle",
                  "two": "low" if score < 2.5 else "high"}[kind]
        yield [math.nan if kind == "root" and i % 5 == 0 else a, b, land], target


def write(path, rows):
    with open(path, "w") as file:
        file.write(",".join(NAMES) + ",y\n")
        for x, y in rows:
            file.write(",".join("" if v != v else str(v) for v in x) + ",%s\n" % (y if isinstance(y, str) else repr(y)))


def page_numbers(path, *words):
    run("explain", *words, "--html", path)
    with open(path) as file:
        return json.loads(re.search(r'<script type="application/json" id="numbers">(.*?)</script>', file.read(), re.S)[1])


def factors_at(model, input, values):
    """[value, feature]: the factor of an input in each feature."""
    count = sum(len(columns) for _, columns in model.groups)
    out = numpy.zeros((len(values), count))
    for v, value in enumerate(values):
        x = model.scale(input, value)
        for terms, columns in model.groups:
            for member, feature in columns.items():
                atom, level = 0, model.base[input]
                rest = member
                for of, term in reversed(terms):
                    if of == input:
                        atom, level = rest % model.axes[of].levels[term][0], term
                    rest //= model.axes[of].levels[term][0]
                found, height = model.axes[input].levels[level][1](x)
                out[v, feature] = height if found == atom else 0.0
    return out


def targets_of(model, rows):
    if model.task == 2:
        return numpy.array([[1.0 if y == name else -1.0 for name in model.classes] for _, y in rows])
    y = numpy.array([[y] for _, y in rows])
    if model.root:
        below, origin, _ = model.root
        y = numpy.sqrt(numpy.maximum((origin - y) if below else (y - origin), 0))
    return y


def solve_members(model, rows, z):
    """[member, feature, score]: ridge of each member's features on all rows."""
    weights = numpy.ones(len(rows))
    for i, factor in enumerate(model.missing_factors):
        weights /= [factor if x[i] != x[i] else 1.0 for x, _ in rows]
    y = targets_of(model, rows)
    shift = weights @ y / weights.sum()
    solved = numpy.zeros((len(model.members), z.shape[1], y.shape[1]))
    for m, (lam, chosen) in enumerate(model.members):
        own = z[:, chosen]
        gram = own.T @ (own * weights[:, None]) + lam * weights.sum() * numpy.eye(len(chosen))
        solved[m, chosen] = numpy.linalg.solve(gram, own.T @ ((y - shift) * weights[:, None]))
    return solved


def brute_force(solved, at, rows, input):
    """[member, point, score]: the mean over all combinations of the other inputs' values, without the mean over all."""
    others = [rows[i] for i in range(3) if i != input]
    surface = lambda first: numpy.einsum("mfk,pf,if,jf->mpijk", solved, first, *others, optimize=True)  # noqa: E731
    return surface(at).mean(axis=(2, 3)) - surface(rows[input]).mean(axis=(1, 2, 3))[:, None, :]


def compare(kind, folder, *options):
    path = os.path.join(folder, kind)
    rows = [[[*x[:2], float(LANDS.index(x[2]))], y] for x, y in rows_of(kind)]
    write(path + ".csv", rows_of(kind))
    run("fit", path + ".csv", "--target", "y", "-o", path + ".entropic", "--quiet", "--features", "20", *options)
    model, page = Model(path + ".entropic"), page_numbers(path + ".html", path + ".entropic")
    assert model.inputs[2][2] == sorted(LANDS)
    check(kind + ": a mean of members, as page and report say", len(model.members) == len(model.member_effects) == page["members"]
          == json.loads(run("explain", path + ".entropic", "--json"))["members"] >= 2, (len(model.members), page["members"]))
    at_rows = [factors_at(model, i, [x[i] for x, _ in rows]) for i in range(3)]
    solved = solve_members(model, rows, at_rows[0] * at_rows[1] * at_rows[2])
    stored = numpy.array([weights for _, weights in model.scores]).T
    error = numpy.abs(solved.mean(axis=0) - stored).max() / numpy.abs(stored).max()
    check(kind + ": NumPy's members have the model as their mean", error <= 1e-6, error)
    for curve in page["inputs"]:
        input = NAMES.index(curve["n"])
        points = curve["x"] + ([math.nan] if curve["m"] else [])
        effects = brute_force(solved, factors_at(model, input, points), at_rows, input)
        for k in range(effects.shape[2]):
            size = numpy.abs(effects[:, :, k]).max()
            spread = numpy.ptp(effects[:, :, k], axis=0).max()
            for found, wanted in ((curve["b"][k][0], effects[:, :, k].min(axis=0)), (curve["b"][k][1], effects[:, :, k].max(axis=0)),
                                  (curve["y"][k], effects[:, :, k].mean(axis=0))):
                error = numpy.abs(numpy.array(found) - wanted).max() / size
                check("%s: %s, score %d" % (kind, curve["n"], k), len(found) == len(points) and error <= 1e-5, error)
            check("%s: %s, score %d: members differ" % (kind, curve["n"], k), spread > 1e-4 * size, (spread, size))
    return path


def single(folder):
    """A single fit has none, and says so; nor has one whose rows changed."""
    path = os.path.join(folder, "plain")
    run("fit", path + ".csv", "--target", "y", "-o", path + "-1.entropic", "--quiet", "--ensemble", "1")
    page = page_numbers(path + "-1.html", path + "-1.entropic")
    check("a single fit has no section", Model(path + "-1.entropic").member_effects is None)
    check("nor bands", page["members"] == 0 and not any("b" in curve for curve in page["inputs"]))
    with open(path + "-1.html") as file:
        check("its page says so", "Curves have no bands" in file.read())
    run("fit", path + ".csv", "--target", "y", "-o", path + "-2.entropic", "--quiet", "--ensemble", "3", "--keep-statistics")
    with open(path + ".csv") as file:
        lines = file.readlines()
    with open(path + "-few.csv", "w") as file:
        file.writelines(lines[:6])
    check("a fit of three has", len(Model(path + "-2.entropic").member_effects) == 3)
    done = subprocess.run([ENTROPIC, "forget", path + "-2.entropic", path + "-few.csv", "-o", path + "-3.entropic"], capture_output=True, text=True)
    check("forgetting rows says that bands are gone", done.returncode == 0 and "no longer have bands" in done.stderr, done)
    check("and they are", Model(path + "-3.entropic").member_effects is None)


def same_bytes(folder):
    """Whatever the number of threads."""
    for kind in "plain", "two":
        path, found = os.path.join(folder, kind), set()
        for threads in "1", "2", "5":
            run("fit", path + ".csv", "--target", "y", "-o", path + "-t.entropic", "--quiet", "--ensemble", "3", "--threads", threads)
            with open(path + "-t.entropic", "rb") as file:
                found.add(file.read())
        check("%s: the same bytes with 1, 2 and 5 threads" % kind, len(found) == 1 and b"memb" in found.pop())


def logistic(folder):
    """Members of the logistic loss stay apart, too."""
    path = os.path.join(folder, "two")
    write(path + ".csv", rows_of("two", 200))
    run("fit", path + ".csv", "--target", "y", "-o", path + ".entropic", "--quiet", "--ensemble", "3", "--loss", "logistic")
    model = Model(path + ".entropic")
    check("logistic: there are members", len(model.member_effects) == 3 and model.loss == 2)
    error = model.member_effects_error()
    check("logistic: the model is their mean", error <= 1e-7, error)
    page = page_numbers(path + ".html", path + ".entropic")
    for curve in page["inputs"]:
        low, high, line = curve["b"][0][0], curve["b"][0][1], curve["y"][0]
        check("logistic: %s is within its band" % curve["n"], len(low) == len(line) and max(
            max(a - y, y - b) for a, b, y in zip(low, high, line)) <= 1e-5 * max(map(abs, line)))


def main():
    with tempfile.TemporaryDirectory() as folder:
        compare("plain", folder, "--ensemble", "3", "--target-scale", "plain")
        compare("large", folder, "--ensemble", "2", "--target-scale", "plain")
        compare("root", folder, "--ensemble", "4", "--target-scale", "root")
        compare("classes", folder, "--ensemble", "3", "--loss", "squared")
        single(folder)
        logistic(folder)
        same_bytes(folder)
    return end()


if __name__ == "__main__":
    sys.exit(main())
