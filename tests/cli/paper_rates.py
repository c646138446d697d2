"""The rates of `entropic paper`: means, standard errors, slopes and intervals again from the risks of all runs."""
import json
import math
import os
import subprocess
import sys

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
STUDENT = {2: 0.95 * math.sqrt(2 / 0.0975)}  # 97.5 % quantile, by degrees of freedom


def run(threads):
    done = subprocess.run([ENTROPIC, "paper", "--quick", "--data", "none", "--html", "p.html", "--json", "--quiet",
                           "--threads", str(threads)], capture_output=True, text=True)
    return json.loads(done.stdout)["rates"]


def mean_and_error(values):
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))


def slope(rows, risks):
    """By least squares in logarithms, from sums of products."""
    x, y, n = [math.log(v) for v in rows], [math.log(v) for v in risks], len(rows)
    return ((n * sum(a * b for a, b in zip(x, y)) - sum(x) * sum(y)) /
            (n * sum(a * a for a in x) - sum(x) ** 2))


def close(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))


def interval(rate, first):
    """Slope and interval from the points from `first` on."""
    slopes = [slope(rate["rows"][first:], [risks[run] for risks in rate["risks"][first:]]) for run in
              range(rate["runs"])]
    mean, error = mean_and_error(slopes)
    half = STUDENT[rate["runs"] - 1] * error
    return mean, mean - half, mean + half


def bound(rate):
    """M^-2 log^(3(D-1)) M + N^(-1/2) through the first point."""
    def at(rows):
        features = 2 * rows ** 0.25
        return math.log(features) ** (3 * (rate["inputs"] - 1)) / features ** 2 + rows ** -0.5
    return [rate["risk"][0] * at(rows) / at(rate["rows"][0]) for rows in rate["rows"]]


def features(rate, rows):
    if rate["rule"] == "EOF, M = 8":
        return 8
    return math.ceil(4 * rows ** 0.125 if "1/8" in rate["rule"] else 2 * rows ** 0.25)


def main():
    rates = run(1)
    check("1, 2, 3 and 5 inputs, by four rules", sorted({r["inputs"] for r in rates}) == [1, 2, 3, 5] and
          len(rates) == 16 and len({(r["inputs"], r["rule"]) for r in rates}) == 16)
    check("every run of every number of rows is there", all(
        r["runs"] == 3 and len(r["risks"]) == len(r["rows"]) and {len(risks) for risks in r["risks"]} == {3}
        for r in rates))
    check("rows are powers of two, features follow the rules", all(
        r["rows"] == [2.0 ** k for k in range(8, 15)] and
        r["features"] == [features(r, rows) for rows in r["rows"]] for r in rates))
    check("means and standard errors", all(
        close(mean_and_error(risks)[0], r["risk"][i]) and close(mean_and_error(risks)[1], r["spread"][i])
        for r in rates for i, risks in enumerate(r["risks"])))
    check("slopes and their intervals", all(
        all(map(close, interval(r, 0), (r["slope"], r["low"], r["high"]))) for r in rates))
    check("and those of the last half", all(
        all(map(close, interval(r, len(r["rows"]) // 2), (r["late"][k] for k in ("slope", "low", "high"))))
        for r in rates))
    check("the bound", all(all(map(close, bound(r), r["bound"])) for r in rates))
    last = {(r["inputs"], r["rule"]): r["risk"][-1] for r in rates}
    check("with 2 inputs and more, more features are better in the end", all(
        last[d, "EOF, M = 2 N^(1/4)"] < last[d, "EOF, M = 4 N^(1/8)"] < last[d, "EOF, M = 8"] for d in (2, 3, 5)), last)
    check("and better than as many random ones", all(
        last[d, "EOF, M = 2 N^(1/4)"] < last[d, "RKS, M = 2 N^(1/4)"] for d in (1, 2, 3, 5)), last)
    check("two threads give the same bits", run(2) == rates)
    return end()


if __name__ == "__main__":
    sys.exit(main())
