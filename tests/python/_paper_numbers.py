"""Every number that the JSON of `entropic paper` or of the page of `entropic compare` makes from others, made again
with numpy. Functions return what is wrong, a line each; an empty list is good."""
import functools
import math

import numpy as np

from _paper_sparse import sparse_problems

OURS = ("EOF", "EOF-select")
EXACT = "kernel ridge"
TOLERANCE = 1e-12


def close(a, b, scale=0.0):
    """Equal but for rounding, relative to them or to the numbers they were made of; never with NaN or null."""
    if a is None or b is None:
        return False
    return bool(abs(a - b) <= TOLERANCE * max(abs(a), abs(b), scale))


@functools.lru_cache(None)
def student(p, freedom):
    """The quantile, p > 1/2: with t = sqrt(v) tan(a) the distribution function is the integral of cos^(v-1)."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    panels = np.arange(16)

    def integral(end):
        at = end / 16 * (panels[:, None] + (nodes + 1) / 2)
        return end / 32 * float((np.cos(at) ** (freedom - 1) @ weights).sum())

    low, high, whole = 0.0, math.pi / 2, integral(math.pi / 2)
    while low < (low + high) / 2 < high:
        middle = (low + high) / 2
        low, high = (middle, high) if 0.5 + integral(middle) / whole / 2 < p else (low, middle)
    return math.sqrt(freedom) * math.tan(low)


class Problems(list):
    """What is wrong with one thing after the other."""

    def expect(self, what, passed):
        if not passed:
            self.append(what)

    def same(self, what, found, wanted, scale=0.0):
        self.expect("%s: %r, expected %r" % (what, found, wanted), close(found, wanted, scale))


def is_ours(name):
    return name.startswith("EOF")


def label(row):
    return " ".join(str(row.get(key)) for key in ("name", "other", "tuned", "budget", "features") if key in row)


def finite(values):
    return len(values) > 0 and bool(np.all(np.isfinite(np.array(values, float))))


def size_of(method):
    """The number of features asked for; exact kernel ridge has none."""
    return 0 if method["name"] == EXACT else method["features"]


def find(rows, **wanted):
    found = [row for row in rows if all(row[key] == value for key, value in wanted.items())]
    return found[0] if len(found) == 1 else None


def method_at(numbers, name, tuned, size):
    found = [m for m in numbers["methods"] if (m["name"], m["tuned"], size_of(m)) == (name, tuned, size)]
    return found[0] if found else None


def tuned_sizes(numbers):
    return list(dict.fromkeys(m["features"] for m in numbers["methods"] if m["name"] == "EOF" and m["tuned"]))


def standard_error(method):
    return None if method["runs"] == 1 else float(np.std(method["errors"], ddof=1)) / math.sqrt(method["runs"])


# ---- One experiment --------------------------------------------------------------------------------

def check_method(problems, method):
    what, errors, times = label(method), method["errors"], method["trainings"]
    problems.expect("%s: %d errors, expected %d" % (what, len(errors), method["runs"]), len(errors) == method["runs"])
    problems.expect("%s: errors that are no numbers" % what, finite(errors) and min(errors) >= 0)
    problems.same(what + ": error", method["error"], float(np.mean(errors)))
    if method["runs"] == 1:
        problems.expect("%s: a deviation of one run" % what, method["sd"] is None)
    else:
        problems.same(what + ": sd", method["sd"], float(np.std(errors, ddof=1)), max(errors))
    problems.expect("%s: times that are no numbers" % what, finite(times) and min(times) > 0)
    for key, share in (("train_low", 0.25), ("train_seconds", 0.5), ("train_high", 0.75)):
        problems.same("%s: %s" % (what, key), method[key], float(np.quantile(times, share)))
    for key in ("make_seconds", "lift_seconds", "nonzeros", "bytes"):
        problems.expect("%s: %s is %r" % (what, key, method[key]), finite([method[key]]) and method[key] >= 0)
    problems.expect("%s: making takes longer than training" % what, method["make_seconds"] <= method["train_seconds"])
    problems.expect("%s: bandwidth is %r" % (what, method["bandwidth"]), finite([method["bandwidth"]]))
    check_bytes(problems, method)


def check_bytes(problems, method):
    """8 for each feature, of which there may be fewer than asked for, or 12 for a non-zero."""
    what, dense, sparse = label(method), 8 * method["features"], 12 * method["nonzeros"]
    problems.expect("%s: more non-zeros than features" % what, method["nonzeros"] <= method["features"])
    fewer = method["bytes"] <= min(dense, sparse) and method["bytes"] >= 8 * method["nonzeros"]
    problems.expect("%s: bytes are %r, expected at most %r" % (what, method["bytes"], min(dense, sparse)),
                    fewer or close(method["bytes"], min(dense, sparse)))


# ---- Paired differences ----------------------------------------------------------------------------

def check_pair(problems, numbers, pair, ours, other):
    runs, what = min(ours["runs"], other["runs"]), label(pair)
    first, second = np.array(ours["errors"][:runs]), np.array(other["errors"][:runs])
    gap, scale = first - second, float(max(first.max(), second.max()))
    problems.expect("%s: %r runs, expected %d" % (what, pair["runs"], runs), pair["runs"] == runs)
    problems.same(what + ": ratio", pair["ratio"], float(first.mean() / second.mean()))
    problems.same(what + ": difference", pair["difference"], float(gap.mean()), scale)
    problems.expect("%s: won" % what, pair["won"] == int((gap < 0).sum()))
    problems.expect("%s: lost" % what, pair["lost"] == int((gap > 0).sum()))
    ends = ("low", "high"), ("wide_low", "wide_high")
    if runs == 1:
        problems.expect("%s: an interval of one run" % what, all(pair[key] is None for keys in ends for key in keys))
        return
    variance, t = float(gap.var(ddof=1)), student(0.975, runs - 1)
    shares = 1 / runs, 1 / runs + numbers["test_rows"] / numbers["training_rows"]
    for keys, part in zip(ends, shares):
        half = t * math.sqrt(variance * part)
        for key, sign in zip(keys, (-1, 1)):
            problems.same("%s: %s" % (what, key), pair[key], float(gap.mean()) + sign * half,
                          max(abs(float(gap.mean())) + half, t * scale / 1000))


def check_pairs(problems, numbers):
    """Ours against every other method with as many features, and against the exact one."""
    wanted = [(ours, other) for ours in numbers["methods"] if ours["name"] in OURS for other in numbers["methods"]
              if other is not ours and other["tuned"] == ours["tuned"] and
              size_of(other) in (0, ours["features"])]
    count = len(numbers["pairs"])
    problems.expect("%d pairs, expected %d" % (count, len(wanted)), count == len(wanted))
    for ours, other in wanted:
        pair = find(numbers["pairs"], name=ours["name"], other=other["name"], tuned=ours["tuned"],
                    features=ours["features"])
        if pair is None:
            problems.append("%s against %s: there is not one pair" % (label(ours), other["name"]))
        else:
            check_pair(problems, numbers, pair, ours, other)


# ---- Equal time ------------------------------------------------------------------------------------

def check_frontier(problems, numbers):
    best, wanted = math.inf, []
    for method in sorted((m for m in numbers["methods"] if m["tuned"]), key=lambda m: m["train_seconds"]):
        if method["error"] < best:
            best = method["error"]
            wanted.append(method)
    found = numbers["frontier"]
    problems.expect("a frontier of %d points, expected %d" % (len(found), len(wanted)), len(found) == len(wanted))
    for point, method in zip(found, wanted):
        problems.expect("frontier: %s, expected %s" % (label(point), label(method)), all(
            point[key] == method[key] for key in ("name", "train_seconds", "error")) and
            point["features"] <= method["features"])


def comparison_problems(numbers):
    problems = Problems()
    for method in numbers["methods"] + numbers["budgets"]:
        check_method(problems, method)
    runs = max(m["runs"] for m in numbers["methods"])
    problems.expect("the errors of the constant", len(numbers["constant"]["errors"]) == runs and
                    finite(numbers["constant"]["errors"]))
    problems.expect("load is %r" % numbers["load"], numbers["load"] is None or numbers["load"] >= 0)
    names = {m["name"] for m in numbers["methods"]} - {EXACT}
    problems.expect("methods without some sizes", all(
        method_at(numbers, name, True, size) for name in names for size in tuned_sizes(numbers)))
    check_pairs(problems, numbers)
    check_frontier(problems, numbers)
    return problems


# ---- The paper -------------------------------------------------------------------------------------

def best_baseline(numbers, tuned, size, runs):
    others = [m for m in numbers["methods"] if not is_ours(m["name"]) and m["tuned"] == tuned and size_of(m) == size and
              m["runs"] >= runs]
    return min(others, key=lambda m: np.mean(m["errors"][:runs]), default=None)


def mean_ratio(sets, ours, other, tuned, size):
    """The geometric mean over the sets, in how many ours is smaller, and how many there are; None if there is none."""
    ratios = []
    for numbers in sets:
        first = method_at(numbers, ours, tuned, size)
        if first is None:
            continue
        second = (best_baseline(numbers, tuned, size, first["runs"]) if other == "best" else
                  method_at(numbers, other, tuned, size))
        runs = min(first["runs"], second["runs"])
        ratios.append(np.mean(first["errors"][:runs]) / np.mean(second["errors"][:runs]))
    return (float(np.exp(np.mean(np.log(ratios)))), sum(r < 1 for r in ratios), len(ratios)) if ratios else None


def all_sizes(sets):
    return sorted({size for s in sets for size in tuned_sizes(s)})


def baselines(sets):
    return list(dict.fromkeys(m["name"] for s in sets for m in s["methods"] if not is_ours(m["name"]) and
                              m["name"] != EXACT)) + ["best"]


def check_means(problems, paper):
    sets, count = paper["sets"], 0
    for tuned in (False, True):
        for ours in OURS:
            for other in baselines(sets) if sets else []:
                for size in all_sizes(sets):
                    wanted = mean_ratio(sets, ours, other, tuned, size)
                    if wanted is None:
                        continue
                    count += 1
                    found = find(paper["means"], name=ours, other=other, tuned=tuned, features=size)
                    what = "mean %s %s %s %s" % (ours, other, tuned, size)
                    problems.expect(what + " is not there", found is not None)
                    if found is not None:
                        problems.same(what, found["ratio"], wanted[0])
                        problems.expect(what + ": wins", (found["wins"], found["sets"]) == wanted[1:])
    problems.expect("%d means, expected %d" % (len(paper["means"]), count), len(paper["means"]) == count)


def slope_of(rate, first):
    """Slope and interval of the points from `first` on: a line for each run."""
    x, y = np.log(np.array(rate["rows"][first:])), np.log(np.array(rate["risks"])[first:])
    slopes = (x - x.mean()) @ (y - y.mean(axis=0)) / ((x - x.mean()) @ (x - x.mean()))
    mean, half = float(slopes.mean()), math.nan
    if len(slopes) > 1:
        half = student(0.975, len(slopes) - 1) * float(slopes.std(ddof=1)) / math.sqrt(len(slopes))
    return {"slope": mean, "low": mean - half, "high": mean + half}


def check_rate(problems, rate):
    what, risks = "rate of %d inputs, %s" % (rate["inputs"], rate["rule"]), np.array(rate["risks"])
    problems.expect(what + ": risks", risks.shape == (len(rate["rows"]), rate["runs"]) and finite(risks.ravel()))
    for i, row in enumerate(risks):
        problems.same("%s: risk %d" % (what, i), rate["risk"][i], float(row.mean()))
        if rate["runs"] > 1:
            problems.same("%s: spread %d" % (what, i), rate["spread"][i],
                          float(row.std(ddof=1)) / math.sqrt(rate["runs"]), float(row.max()))
    for found, first in ((rate, 0), (rate["late"], len(rate["rows"]) // 2)):
        wanted = slope_of(rate, first)
        for key in wanted if rate["runs"] > 1 else ("slope",):
            problems.same("%s: %s from %d" % (what, key, first), found[key], wanted[key],
                          abs(wanted["slope"]) + (abs(wanted["high"]) if rate["runs"] > 1 else 0))


def paper_problems(paper):
    problems = Problems()
    for numbers in paper["sets"]:
        problems += ["%s: %s" % (numbers["name"], text) for text in comparison_problems(numbers)]
    check_means(problems, paper)
    for given in paper["given"]:
        problems.same(label(given) + " given", given["given_seconds"], float(np.median(given["givens"])))
    problems.expect("no rates", len(paper["rates"]) > 0)
    for rate in paper["rates"]:
        check_rate(problems, rate)
    if "sparse" in paper:
        sparse_problems(problems, paper["sparse"])
    return problems
