"""The tables of the pages of `entropic paper` and `entropic compare`: every cell again from the numbers of the page.

A cell is wanted as a text, or as a Number: its exact value, the digits that are shown, and what stands behind ±."""
import json
import math
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from typing import Optional

import numpy as np

import _paper_numbers as again
import _paper_sparse
from _paper_numbers import EXACT, OURS, close, is_ours, method_at, size_of

LOADED = 0.25


@dataclass
class Number:
    value: Optional[float]
    digits: int = 3
    fixed: bool = False        # so many digits after the point
    spread: Optional[float] = None
    text: Optional[str] = None  # a pattern for all that is shown; {} is the number


# ---- Reading a page --------------------------------------------------------------------------------

def refuse_constant(text):
    raise ValueError("%s is no number" % text)


def load(text):
    """JSON, in which NaN and Infinity are errors."""
    return json.loads(text, parse_constant=refuse_constant)


def parse(page):
    return ElementTree.fromstring(page.replace("<!DOCTYPE html>", ""))


def numbers_of(page):
    return load(re.search(r'<script type="application/json" id="numbers">(.*?)</script>', page, re.S).group(1))


@dataclass
class Cell:
    shown: str
    value: Optional[str]
    best: bool
    spread: str


def read_cell(element):
    inner = "".join(e.text or "" for e in element.iter("span") if e.get("class") == "pm")
    shown = "".join(element.itertext())
    return Cell(shown[:len(shown) - len(inner)] if inner else shown, element.get("data-value"),
                "best" in (element.get("class") or "").split(), inner.replace("±", "").strip())


def tables_of(page):
    """By title: the heads and the rows of cells, without headings of groups."""
    tables = {}
    for figure in parse(page).iter("figure"):
        table = figure.find(".//table[@class='sortable']")
        if table is None:
            continue
        title = "".join(figure.find("figcaption").itertext()).split(". ", 1)[1]
        heads = ["".join(th.itertext()) for th in table.find("thead").iter("th")]
        rows = [[read_cell(cell) for cell in row] for body in table.iter("tbody") for row in body
                if row.get("class") != "group"]
        if title in tables:
            raise ValueError("two tables have the title " + title)
        tables[title] = heads, rows
    return tables


# ---- One cell --------------------------------------------------------------------------------------

def is_shown(text, value, digits, fixed):
    """Whether a text is this number, rounded to its digits."""
    plain = text.replace("−", "-").replace(",", "")
    try:
        shown = float(plain)
    except ValueError:
        return False
    if value == 0 and not fixed:
        return plain == "0"
    place = -digits if fixed else math.floor(math.log10(abs(value))) - digits + 1
    if not fixed and abs(shown) >= 10.0 ** (place + digits):  # rounded up to the next power of ten
        place += 1
    decimals = len(plain.partition("e")[0].partition(".")[2]) - int(plain.partition("e")[2] or 0)
    return (abs(shown - value) <= 0.5000001 * 10.0 ** place and
            decimals == (max(0, -place) if "e" not in plain else -place))


def cell_problem(cell, wanted):
    """None, or what is wrong."""
    if isinstance(wanted, str):
        return None if cell.shown == wanted else "%r, expected %r" % (cell.shown, wanted)
    if wanted.value is None:
        return None if cell.shown == "" and cell.value == "" else "%r, expected nothing" % cell.shown
    if cell.value in (None, "") or not close(float(cell.value), wanted.value):
        return "the value %s, expected %r" % (cell.value, wanted.value)
    shown = cell.shown
    if wanted.text is not None:
        before, after = wanted.text.split("{}")
        if not (shown.startswith(before) and shown.endswith(after)):
            return "%r, expected %s" % (shown, wanted.text)
        shown = shown[len(before):len(shown) - len(after)]
    if not is_shown(shown, wanted.value, wanted.digits, wanted.fixed):
        return "%r, expected %r with %d digits" % (cell.shown, wanted.value, wanted.digits)
    if not wanted.spread:
        return None if cell.spread == "" else "± %s, expected none" % cell.spread
    if not is_shown(cell.spread, wanted.spread, 2, False):
        return "± %s, expected %r" % (cell.spread, wanted.spread)
    return None


def best_problems(title, rows, groups, columns):
    """The least of each group and of these columns are marked, and no others."""
    problems = []
    for column in columns:
        for group in dict.fromkeys(groups):
            cells = [row[column] for row, g in zip(rows, groups) if g == group]
            least = min(float(cell.value) for cell in cells)
            problems += ["%s: mark of the best at %s" % (title, cell.shown) for cell in cells
                         if cell.best != (float(cell.value) == least)]
    return problems


class Tables:
    """The tables of a page; those that were checked are taken out."""

    def __init__(self, page):
        self.left = tables_of(page)
        self.problems = again.Problems()

    def expect(self, title, heads, rows, groups=None, best=()):
        if title not in self.left:
            self.problems.append("%s: no such table" % title)
            return
        found_heads, found = self.left.pop(title)
        self.problems.expect("%s: heads are %s, expected %s" % (title, found_heads, heads), found_heads == heads)
        self.problems.expect("%s: %d rows, expected %d" % (title, len(found), len(rows)), len(found) == len(rows))
        for number, (row, wanted) in enumerate(zip(found, rows)):
            self.problems.expect("%s: row %d has %d cells" % (title, number + 1, len(row)), len(row) == len(wanted))
            for head, cell, want in zip(heads, row, wanted):
                problem = cell_problem(cell, want)
                self.problems.expect("%s, row %d, %s: %s" % (title, number + 1, head, problem), problem is None)
        self.problems += best_problems(title, found, groups or [0] * len(found), best)


# ---- Tables of a comparison ------------------------------------------------------------------------

def with_error(method, digits=4):
    return Number(float(np.mean(method["errors"])), digits, spread=again.standard_error(method))


def median(method):
    return 1000 * float(np.median(method["trainings"]))


def cost(method, memory):
    return method["bytes"] if memory else median(method)


def budgets(costs):
    """1, 3, 10, ... from the least to the largest."""
    costs = [c for c in costs if c > 0]
    steps = [float("%de%d" % (digit, place)) for place in range(-9, 12) for digit in (1, 3)]
    enough = next(i for i, step in enumerate(steps) if step >= max(costs))
    return [step for step in steps[:enough + 1] if step >= min(costs)]


def expect_budgets(tables, numbers, title, memory):
    methods = [m for m in numbers["methods"] if m["tuned"]]
    groups = [[m for m in methods if m["name"] == name] for name in OURS]
    groups += [[m for m in methods if not is_ours(m["name"])], methods]
    rows = []
    for budget in budgets([cost(m, memory) for m in methods]):
        best = [min((m for m in group if cost(m, memory) <= budget), key=lambda m: np.mean(m["errors"]), default=None)
                for group in groups]
        rows.append([Number(budget, 1)] + [
            Number(None) if m is None else Number(float(np.mean(m["errors"])),
                                                  text="{}" if m["name"] == EXACT else "{}, M = %d" % m["features"])
            for m in best[:3]] + ["" if m is None else m["name"] for m in best[2:]])
    tables.expect("%s: the least error for equal %s" % (title, "memory" if memory else "time"),
                  ["bytes of a lifted row, at most" if memory else "training time, at most, ms", "EOF", "EOF-select",
                   "best baseline", "which", "best of all"], rows)


def heads(sizes):
    return ["M\u00a0=\u00a0%d" % size for size in sizes]


def ratio_cell(ours, other):
    """The ratio and the runs won; from three runs on, whether the interval of the difference includes 0."""
    runs = min(ours["runs"], other["runs"])
    first, second = np.array(ours["errors"][:runs]), np.array(other["errors"][:runs])
    gap, is_open = first - second, False
    if runs > 2:
        half = again.student(0.975, runs - 1) * float(gap.std(ddof=1)) / math.sqrt(runs)
        is_open = abs(float(gap.mean())) <= half
    return Number(float(first.mean() / second.mean()),
                  text="{} won %d of %d%s" % ((gap < 0).sum(), runs, " not significant" if is_open else ""))


def expect_ratios(tables, numbers, title, ours, tuned):
    sizes = [m["features"] for m in numbers["methods"] if m["name"] == ours and m["tuned"] == tuned]
    names = list(dict.fromkeys(m["name"] for m in numbers["methods"] if not is_ours(m["name"]) and m["tuned"] == tuned))
    rows = [[name] + [ratio_cell(method_at(numbers, ours, tuned, size),
                                 method_at(numbers, name, tuned, 0 if name == EXACT else size))
                      for size in sizes] for name in names]
    tables.expect("%s: error of %s over that of each baseline, bandwidths %s" % (
        title, ours, "tuned" if tuned else "by rule"), ["baseline"] + heads(sizes), rows)


def expect_all(tables, numbers, title):
    rows = []
    for m in numbers["methods"]:
        low, high = np.quantile(m["trainings"], [0.25, 0.75])
        rows.append([m["name"], "tuned" if m["tuned"] else "rule", Number(m["features"], 0, True), with_error(m),
                     Number(median(m), spread=500 * float(high - low)), Number(1000 * m["lift_seconds"]),
                     Number(m["nonzeros"], 4), m["kernel"], Number(m["bandwidth"]), m["scale"]])
    tables.expect(title + ": all methods and sizes", ["method", "bandwidth", "features", "error± standard error",
                          "train, ms± half the interquartile range", "lift, ms", "non-zeros", "kernel",
                          "omega or sigma", "scale"], rows, [size_of(m) for m in numbers["methods"]], (3,))


def expect_comparison(tables, numbers, title):
    for memory in (False, True):
        expect_budgets(tables, numbers, title, memory)
    for tuned in (False, True):
        for ours in OURS:
            expect_ratios(tables, numbers, title, ours, tuned)
    expect_all(tables, numbers, title)


# ---- Tables of the paper ---------------------------------------------------------------------------

def expect_means(tables, sets):
    for tuned in (False, True):
        for ours in OURS:
            rows = []
            for other in again.baselines(sets):
                row = ["best baseline of each set" if other == "best" else other]
                for size in again.all_sizes(sets):
                    mean = again.mean_ratio(sets, ours, other, tuned, size)
                    row.append(Number(None) if mean is None else Number(mean[0], text="{} won %d of %d" % mean[1:]))
                rows.append(row)
            tables.expect("All sets: error of %s over that of baselines, bandwidths %s" % (
                ours, "tuned" if tuned else "by rule"),
                ["baseline"] + heads(again.all_sizes(sets)), rows)


TITLES = {"energy": "Energy Efficiency", "grid": "Electrical Grid Stability", "superconductivity": "Superconductivity",
          "mnist": "MNIST"}
FORMS = ("EOF", "EOF-printed", "EOF-inset")  # of the paper's EOF


def expect_table_1(tables, paper):
    keys = ("inputs", "training_rows", "test_rows")
    rows = []
    for printed in paper["printed"]["sets"]:
        used = again.find(paper["sets"], name=printed["set"]) or dict.fromkeys(keys)
        rows.append([TITLES[printed["set"]]] + [Number(one[key], 0, True) for one in (printed, used) for key in keys])
    tables.expect("Table 1 of the paper: the data sets",
                  ["data set"] + ["%s: %s" % (who, what) for who in ("paper", "here")
                                  for what in ("inputs D", "training rows", "test rows")], rows)


def printed_cost(paper, name, numbers):
    none = dict.fromkeys(("train_seconds", "nnz", "candidates"))
    return again.find(paper["printed"]["costs"], name="EOF" if name in FORMS else name, set=numbers["name"]) or none


def over(value, base, factor=1):
    return None if value is None else factor * value / base


def expect_table_2(tables, paper):
    rows, groups = [], []
    for numbers in paper["sets"]:
        size = numbers["printed_features"]
        rks, printed_rks = method_at(numbers, "RKS", False, size), printed_cost(paper, "RKS", numbers)
        for m in numbers["methods"]:
            if m["tuned"] or m["features"] != size:
                continue
            printed = printed_cost(paper, m["name"], numbers)
            rows.append([m["name"], with_error(m), with_error(method_at(numbers, m["name"], True, size)),
                         Number(median(m)), Number(median(m) / median(rks)),
                         Number(over(printed["train_seconds"], printed_rks["train_seconds"])),
                         Number(over(printed["train_seconds"], 1, 1000)),
                         Number(m["nonzeros"] * numbers["rows"]), Number(printed["nnz"]),
                         Number(100 * m["nonzeros"] / m["made_features"], 1, True),
                         Number(printed["candidates"], 0, True)])
            groups.append(numbers["name"])
    tables.expect("Table 2 of the paper: time and non-zeros with its own numbers of features",
                  ["method", "error by the rule± standard error", "error, tuned± standard error", "training, ms",
                   "over RKS", "paper: over RKS", "paper: training, ms", "nnz(F)", "paper: nnz(F)", "share, %",
                   "paper: M0"], rows, groups, (1, 2, 3))


def expect_table_3(tables, paper):
    rows, groups = [], []
    given, printed = paper["given"], paper["printed"]["given"]
    sizes = list(dict.fromkeys(row["features"] for row in printed))
    for form in FORMS + ("budget",):
        for size in sizes:
            ours = next(g for g in given if g.get("budget") == size) if form == "budget" else next(
                g for g in given if g["name"] == form and g["features"] == size and "budget" not in g)
            rks = again.find(given, name="RKS", features=size)
            print_eof, print_rks = (again.find(printed, name=name, features=size)["given_seconds"]
                                    for name in ("EOF", "RKS"))
            ours_given, rks_given = (float(np.median(g["givens"])) for g in (ours, rks))
            rows.append([Number(size, 0, True), Number(ours["made_features"], 0, True), Number(ours["nonzeros"], 1, True),
                         Number(1000 * ours_given), Number(1000 * rks_given), Number(ours_given / rks_given),
                         Number(1000 * print_eof), Number(1000 * print_rks), Number(print_eof / print_rks),
                         Number(median(ours)), Number(median(ours) / median(rks))])
            groups.append(form)
    tables.expect("Table 3 of the paper: training without making the features, " + TITLES[printed[0]["set"]],
                  ["M", "features", "non-zeros of a row", "features given, ms", "RKS, ms", "ratio", "paper: EOF, ms",
                   "paper: RKS, ms", "paper: ratio", "all of training, ms", "its ratio to RKS"], rows, groups)


def expect_verdicts(tables, paper):
    tables.expect("Every claim of the paper, and its verdict", ["what the paper claims", "where", "verdict", "the numbers"],
                  [[v["claim"], v["where"], v["verdict"], v["evidence"]] for v in paper["verdicts"]])


def expect_nonzeros(tables, numbers):
    rows = [[Number(b["budget"], 0, True), "tuned" if b["tuned"] else "1", with_error(b), Number(median(b)),
             Number(b["features"], 0, True), Number(b["nonzeros"], 1, True),
             Number(100 * b["nonzeros"] / b["features"], 1, True)] for b in numbers["budgets"]]
    tables.expect(numbers["title"] + ": EOF with a budget of non-zeros",
                  ["non-zeros, at most", "omega", "error± standard error", "training, ms", "features", "non-zeros",
                   "share, %"], rows)


def slope_cell(slope, runs):
    shown = ["%.3f" % (round(slope[key], 3) + 0.0) for key in ("slope", "low", "high")]  # no zero below zero
    text = shown[0] if runs == 1 else "%s (%s to %s)" % tuple(shown)
    return text.replace("-", "−")


def expect_slopes(tables, rates):
    """Texts alone; their values are exact in the numbers."""
    title = "Slopes of log risk against log rows"
    values = tables.left.get(title, ([], []))[1]
    for row, rate in zip(values, rates):
        for cell, first in zip(row[2:], (0, len(rate["rows"]) // 2)):
            tables.problems.expect("%s: the value %s" % (title, cell.value),
                                   close(float(cell.value), again.slope_of(rate, first)["slope"]))
    rows = [[Number(rate["inputs"], 0, True), rate["rule"], slope_cell(again.slope_of(rate, 0), rate["runs"]),
             slope_cell(again.slope_of(rate, len(rate["rows"]) // 2), rate["runs"])] for rate in rates]
    tables.expect(title, ["inputs", "features", "slope (95 % interval)", "slope of the last half of the points"], rows)


# ---- Whole pages -----------------------------------------------------------------------------------

def rest_of(tables):
    tables.problems.expect("tables that nobody checked: %s" % list(tables.left), not tables.left)
    return tables.problems


def comparison_page_problems(page, title):
    """The page of `entropic compare`."""
    tables, numbers = Tables(page), numbers_of(page)
    expect_comparison(tables, numbers, title)
    facts = {div.find("dt").text: div.find("dd").text for div in parse(page).iter("div") if div.find("dt") is not None}
    for ours in OURS:
        ratios = []
        for size in again.tuned_sizes(numbers):
            method = method_at(numbers, ours, True, size)
            best = again.best_baseline(numbers, True, size, method["runs"])
            ratios.append(np.mean(method["errors"]) / np.mean(best["errors"][:method["runs"]]))
        shown, mean = facts.get(ours + " / best tuned baseline", ""), float(np.exp(np.mean(np.log(ratios))))
        tables.problems.expect("%s / best tuned baseline: %s, expected %r" % (ours, shown, mean),
                               is_shown(shown, mean, 3, False))
    return rest_of(tables)


def paper_page_problems(page):
    """The page of `entropic paper`."""
    tables, paper = Tables(page), numbers_of(page)
    sets = paper["sets"]
    for numbers in sets:
        expect_comparison(tables, numbers, numbers["title"])
        expect_nonzeros(tables, numbers)
    busy = [numbers["load"] for numbers in sets if numbers["load"] is not None and numbers["load"] >= LOADED]
    tables.problems.expect("the page tells of another load than %s" % busy,
                           page.count("The machine was not idle") == len(busy) and
                           all("other work kept %.1f processors busy" % load in page for load in busy))
    if sets:
        expect_means(tables, sets)
        expect_table_1(tables, paper)
        expect_table_2(tables, paper)
    if paper["given"]:
        expect_table_3(tables, paper)
    expect_verdicts(tables, paper)
    if paper["rates"]:
        expect_slopes(tables, paper["rates"])
    if "sparse" in paper:
        _paper_sparse.expect_sparse(tables, paper["sparse"], Number)
    return rest_of(tables)
