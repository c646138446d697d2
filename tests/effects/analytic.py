"""Shares of inputs by `entropic explain`, compared with those of known functions, of 20,000 rows without noise.

Both functions have independent inputs, so shares are variances of conditional means, as integrals over the inputs.
"""
import json
import math
import os
import subprocess
import sys

import numpy as np

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
ROWS = 20000
WITHIN = 0.01


def entropic(*words):
    done = subprocess.run([ENTROPIC, *words, "--quiet"], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit("%s: %s" % (" ".join(words), done.stderr))
    return done.stdout


def friedman1():
    """10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5, inputs uniform on [0,1]: first and total of x1 to x10, pairs.

    Given x1 = x, the mean of sin(pi x1 x2) is (1 - cos(pi x))/(pi x), and that of its square is (1 - sin(2 pi x)/(2 pi x))/2.
    What is left are smooth functions of x: Gauss's rule integrates them to all digits. The others have moments in closed
    form: Var (x - 1/2)^2 = 1/80 - 1/144 and Var x = 1/12.
    """
    nodes, weights = np.polynomial.legendre.leggauss(60)
    x, w = (nodes + 1) / 2, weights / 2
    given = 10 * (1 - np.cos(math.pi * x)) / (math.pi * x)
    square = 100 * (1 - np.sin(2 * math.pi * x) / (2 * math.pi * x)) / 2
    mean = np.dot(w, given)
    alone = np.dot(w, given ** 2) - mean ** 2
    both = np.dot(w, square) - mean ** 2
    parts = [alone, alone, 400 * (1 / 80 - 1 / 144), 100 / 12, 25 / 12]
    variance = both + sum(parts[2:])
    first = [part / variance for part in parts] + [0] * 5
    pair = (both - 2 * alone) / variance
    return first, [first[0] + pair, first[1] + pair] + first[2:], {("x1", "x2"): pair}


def ishigami():
    """sin x1 + a sin^2 x2 + b x3^4 sin x1 with a = 7, b = 0.1, inputs uniform on [-pi, pi]; E x^4 = pi^4/5, E x^8 = pi^8/9."""
    a, b = 7, 0.1
    one = (1 + b * math.pi ** 4 / 5) ** 2 / 2
    two = a ** 2 / 8
    pair = b ** 2 * (math.pi ** 8 / 9 - math.pi ** 8 / 25) / 2
    variance = one + two + pair
    return ([one / variance, two / variance, 0],
            [(one + pair) / variance, two / variance, pair / variance], {("x1", "x3"): pair / variance})


def compare(name, first, total, pairs):
    entropic("generate", name, "--rows", str(ROWS), "-o", name + ".csv")
    entropic("fit", name + ".csv", "--target", "y", "-o", name + ".entropic")
    report = json.loads(entropic("explain", name + ".entropic", "--json"))
    found = {entry["name"]: entry for entry in report["inputs"]}
    shares = {tuple(entry["names"]): entry["share"] for entry in report["pairs"]}
    for i, wanted in enumerate(zip(first, total)):
        entry = found.get("x%d" % (i + 1), {"first": 0, "total": 0})
        for key, value in zip(("first", "total"), wanted):
            check("%s: %s of x%d is %.4f" % (name, key, i + 1, value), abs(entry[key] - value) <= WITHIN, entry)
    for names, value in pairs.items():
        share = shares.get(names, math.nan)
        check("%s: %s is %.4f" % (name, " with ".join(names), value), abs(share - value) <= WITHIN, share)
    rest = sum(share for names, share in shares.items() if names not in pairs) + report["higher"]
    check("%s: nothing else" % name, 0 <= rest + 1e-9 and rest <= WITHIN, rest)


def main():
    first, total, pairs = ishigami()
    known = [0.3139, 0.4424, 0, 0.5576, 0.4424, 0.2437]
    check("the formula gives the published shares of ishigami",
          max(abs(a - b) for a, b in zip(first + total, known)) <= 5e-5, first + total)
    compare("ishigami", first, total, pairs)
    compare("friedman1", *friedman1())


main()
sys.exit(end())
