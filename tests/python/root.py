"""The square-root target transform: the same model as with square roots and squares taken by hand, and other units of
the target change nothing."""
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

from _package import entropic
from _sections import section
from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
ROWS = 400
SIZE = ["--features", "20"]  # by hand, all is searched for; what follows needs no search for a size


def run(*words):
    done = subprocess.run([ENTROPIC, *words, "--quiet"], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def counts(draw):
    """Inputs, and a target whose errors grow with it."""
    for _ in range(ROWS):
        a, b, c = draw.random(), draw.random(), draw.random()
        mean = 30 * math.exp(2 * math.sin(3 * a) * b - c)
        yield [a, b, c], max(0, mean + math.sqrt(mean) * draw.gauss(0, 1))


def write(path, rows, change):
    with open(path, "w") as file:
        file.write("a,b,c,y\n")
        for x, y in rows:
            file.write(",".join(map(repr, [*x, change(y)])) + "\n")


def fit(rows, change, *options):
    """The predictions of a model of the transformed target for its training rows, and its report."""
    with tempfile.TemporaryDirectory() as folder:
        data, model = folder + "/rows.csv", folder + "/m.entropic"
        write(data, rows, change)
        status, said, message = run("fit", data, "--target", "y", "--effort", "fast", "--json", "-o", model, *options)
        assert status == 0, message
        predicted = run("predict", model, data)[1].split()[1:]
    return [float(v) for v in predicted], json.loads(said)


def furthest(found, expected):
    return max(abs(a - b) if a == a and b == b else math.inf for a, b in zip(found, expected))


def by_hand(rows):
    least = min(y for _, y in rows)
    roots, of_roots = fit(rows, lambda y: math.sqrt(y - least), "--target-scale", "plain")
    found, of_found = fit(rows, lambda y: y, "--target-scale", "root")
    rise = found[0] - least - max(roots[0], 0) ** 2
    expected = [least + max(root, 0) ** 2 + rise for root in roots]
    check("the same features", of_roots["features"] == of_found["features"] and of_found["target_scale"] == "root",
          [of_roots["features"], of_found])
    check("squares of what roots are learnt as", furthest(found, expected) < 1e-6, furthest(found, expected))
    check("raised a little", 0 < rise < 10, rise)
    said = [of_found.get("target_" + key) for key in ("origin", "sign", "rise")]
    known = [math.nan if value is None else value for value in said]
    check("origin, sign and rise are said", furthest(known, [least, 1, rise]) < 1e-6, said)
    check("none without a root", not any(key in of_roots for key in ("target_origin", "target_sign", "target_rise")))
    check("nothing below the least target", all(value >= least for value in found), min(found))
    spread = [y - p for (_, y), p in zip(rows, found)]
    check("right on average", abs(sum(spread) / ROWS) < 1, sum(spread) / ROWS)
    check("the error is that of the target", of_found["validation"]["rmse"] > 3 * of_roots["validation"]["rmse"],
          [of_found["validation"], of_roots["validation"]])


def by_itself(rows):
    found, said = fit(rows, lambda y: y, *SIZE)
    check("taken where it is better", said["target_scale"] == "root", said["target_scale"])
    deviation = math.sqrt(sum(y * y for _, y in rows) / ROWS)
    for what, change, back in (("a millionth", lambda y: y * 1e-6, lambda y: y * 1e6),
                               ("a million more", lambda y: y + 1e6, lambda y: y - 1e6),
                               ("negative", lambda y: -y, lambda y: -y)):
        other, said = fit(rows, change, *SIZE)
        away = furthest([back(v) for v in other], found) / deviation
        check("units: %s" % what, away < 1e-6 and said["target_scale"] == "root", away)
    even = [(x, x[0] + x[1] * x[2]) for x, _ in rows]
    check("not where the target is not skewed", fit(even, lambda y: y, *SIZE)[1]["target_scale"] == "plain")


def stored_bounds(data):
    """Of a model with one score: the bounds, behind the mark that there are some and the offset."""
    weights = section(data, b"WGTS")
    assert weights[0] == 1
    return struct.unpack("<2d", weights[9:25])


def range_of_predictions(rows):
    """No row, however odd, is predicted outside the range, and some are at its ends."""
    draw = random.Random(5)
    for sign in (1, -1):
        with tempfile.TemporaryDirectory() as folder:
            data, odd, model = (folder + "/" + name for name in ("rows.csv", "odd.csv", "m.entropic"))
            write(data, [(x, 0 if x[0] < 0.3 else y) for x, y in rows], lambda y: sign * y)
            write(odd, [([draw.choice((-1e9, -1, draw.random(), 2, 1e9)) for _ in x], 0) for x, _ in 5 * rows],
                  lambda y: y)
            status, said, message = run("fit", data, "--target", "y", "--target-scale", "root", *SIZE, "--json", "-o", model)
            assert status == 0, message
            said, info = json.loads(said), json.loads(run("info", model, "--json")[1])
            found = [float(v) for table in (data, odd) for v in run("predict", model, table)[1].split()[1:]]
            words = run("info", model)[1]
            with open(model, "rb") as file:
                bounds = stored_bounds(file.read())
            estimator = entropic.EntropicRegressor(target_scale="root", features=20)
            estimator.fit([x for x, _ in rows], [sign * (0 if x[0] < 0.3 else y) for x, y in rows])
        targets = [sign * (0 if x[0] < 0.3 else y) for x, y in rows]
        half = (max(targets) - min(targets)) / 2
        off = furthest(bounds, [min(targets) - half, max(targets) + half])
        check("the file has the clamp, in units of the target", off < 1e-9, bounds)
        end = said["target_origin"] + sign * said["target_rise"]
        expected = [end, bounds[1]] if sign > 0 else [bounds[0], end]
        check("the range ends where squares do", said["range"] == [expected] and info["range"] == [expected],
              [said["range"], expected])
        check("no prediction is outside", all(expected[0] <= value <= expected[1] for value in found),
              [min(found), max(found), expected])
        check("some are at the end", (min(found) if sign > 0 else max(found)) == end, [min(found), max(found), end])
        check("Python says it too", estimator.report_["range"] == [expected], estimator.report_["range"])
        shown = ["%.4g" % value for value in expected]
        check("people see the same", "range        %s to %s\n" % tuple(shown) in words, words)


def refusals(rows):
    with tempfile.TemporaryDirectory() as folder:
        data, model = folder + "/rows.csv", folder + "/m.entropic"
        write(data, rows, lambda y: y)
        for options, message in ((["--target", "a,y"], "the target scale root is for a single number"),
                                 (["--target", "y", "--select", "entropy"], "needs features selected by residual"),
                                 (["--target", "y", "--solver", "exact"], "needs features selected by residual"),
                                 (["--target", "y", "--kernel", "laplace"], "needs features selected by residual")):
            status, _, said = run("fit", data, "--target-scale", "root", "-o", model, *options)
            check("refused: " + " ".join(options), status == 1 and message in said and not os.path.exists(model), said)
        write(data, rows, lambda y: "low" if y < 50 else "high")
        text = open(data).read().replace("'", "")
        open(data, "w").write(text)
        status, _, said = run("fit", data, "--target", "y", "--target-scale", "root", "-o", model)
        check("refused: classes", status == 1 and "there are classes" in said, said)


def main():
    rows = list(counts(random.Random(3)))
    by_hand(rows)
    by_itself(rows)
    range_of_predictions(rows)
    refusals(rows)
    return end()


sys.exit(main())
