"""All that `entropic paper` and the page of `entropic compare` make of errors and times, made again with numpy: means,
deviations, ratios, intervals, runs won, quartiles, geometric means, frontiers and slopes, in the JSON and in the tables
that the pages show.

    paper_numbers.py PAGE...    checks pages of `entropic paper` that are there
"""
import copy
import os
import random
import re
import shutil
import subprocess
import sys

try:
    import numpy  # noqa: F401
except ImportError as missing:
    print("1..0 # SKIP %s" % missing)
    sys.exit(0)

sys.dont_write_bytecode = True
import _paper_numbers as again  # noqa: E402
import _paper_page as pages  # noqa: E402
import _paper_verdicts as verdicts  # noqa: E402

from _tap import check, end, skip  # noqa: E402


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def run(*words):
    done = subprocess.run([os.environ["ENTROPIC"], *words, "--quiet"], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError("entropic %s: %s" % (" ".join(words), done.stderr))
    return done.stdout


def found(problems_of, *arguments):
    """Problems, of which numbers that cannot even be read are one."""
    try:
        return problems_of(*arguments)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        return ["%s: %s" % (type(error).__name__, error)]


def good(what, problems):
    check(what, not problems, "%d problems:\n%s" % (len(problems), "\n".join(problems[:20])))


# ---- Faults that have to be found ------------------------------------------------------------------

def method(numbers, name="RKS", tuned=True):
    return next(m for m in numbers["methods"] if m["name"] == name and m["tuned"] == tuned)


def find(rows, name, key="name"):
    return next(row for row in rows if row[key] == name)


def is_eof(one):
    return one["name"] in ("EOF", "EOF-printed")


def change(row, key, by=1e-10):
    row[key] = row[key] * (1 + by) + (row[key] == 0)


# What is done to a comparison: each must not go unnoticed.
FAULTS = {
    "an error is missing": lambda n: method(n)["errors"].pop(),
    "an error is null": lambda n: method(n)["errors"].__setitem__(0, None),
    "an error is NaN": lambda n: method(n)["errors"].__setitem__(0, float("nan")),
    "an error is another": lambda n: method(n)["errors"].__setitem__(0, method(n)["errors"][0] * (1 + 1e-9)),
    "a mean": lambda n: change(method(n), "error"),
    "a mean is NaN": lambda n: method(n).__setitem__("error", float("nan")),
    "a deviation": lambda n: change(method(n), "sd", 1e-9),
    "a median time": lambda n: change(method(n), "train_seconds"),
    "a quartile": lambda n: change(method(n), "train_high"),
    "a training is missing": lambda n: method(n)["trainings"].remove(max(method(n)["trainings"])),
    "non-zeros": lambda n: change(method(n), "nonzeros", 0.1),
    "bytes": lambda n: change(method(n), "bytes", 0.1),
    "a method is missing": lambda n: n["methods"].remove(method(n)),
    "a budget": lambda n: change(n["budgets"][-1], "error") if n["budgets"] else change(method(n), "error"),
    "a ratio": lambda n: change(n["pairs"][-1], "ratio"),
    "a difference": lambda n: change(n["pairs"][0], "difference"),
    "an interval": lambda n: change(n["pairs"][0], "low"),
    "an interval is null": lambda n: n["pairs"][0].__setitem__("high", None),
    "a wider interval": lambda n: change(n["pairs"][0], "wide_high"),
    "test rows, on which wider intervals depend": lambda n: n.__setitem__("test_rows", n["test_rows"] + 1),
    "runs won": lambda n: n["pairs"][0].__setitem__("won", n["pairs"][0]["won"] + 1),
    "runs lost": lambda n: n["pairs"][0].__setitem__("lost", n["pairs"][0]["lost"] + 1),
    "a pair is missing": lambda n: n["pairs"].pop(),
    "a point of the frontier is missing": lambda n: n["frontier"].pop(0),
    "another point of the frontier": lambda n: n["frontier"][-1].__setitem__("name", "SORF-RPC"),
}

# What is done to the numbers of a paper: a verdict must then be found to be wrong.
VERDICT_FAULTS = {
    "a claim that does not hold": lambda p: find(p["claims"], "orthogonal").update(value=1),
    "a claim that is NaN": lambda p: find(p["claims"], "union").update(value=None),
    "printed atoms that lack nothing": lambda p: find(p["claims"], "without").update(value=0),
    "an order that holds": lambda p: find(p["claims"], "order").update(value=1.1),
    "a rate that is flat": lambda p: p["rates"][0].update(risks=[[0.1 + 1e-6 * k for k in range(len(r))]
                                                                 for r in p["rates"][0]["risks"]]),
    "slow training": lambda p: [m.update(trainings=[1e6]) for s in p["sets"] for m in s["methods"] if is_eof(m)],
    "a verdict changed by hand": lambda p: find(p["verdicts"], "sparser-inputs", "key").update(verdict="holds"),
}

PAPER_FAULTS = {
    "a geometric mean": lambda p: change(p["means"][0], "ratio"),
    "wins of a mean": lambda p: p["means"][-1].__setitem__("wins", p["means"][-1]["wins"] + 1),
    "a mean is missing": lambda p: p["means"].pop(),
    "a slope": lambda p: change(p["rates"][0], "slope"),
    "an end of its interval": lambda p: change(p["rates"][-1], "low", 1e-9),
    "the late slope": lambda p: change(p["rates"][3]["late"], "high", 1e-9),
    "a risk": lambda p: p["rates"][2]["risks"][1].__setitem__(0, p["rates"][2]["risks"][1][0] * (1 + 1e-9)),
    "a mean risk": lambda p: p["rates"][0]["risk"].__setitem__(0, p["rates"][0]["risk"][0] * (1 + 1e-9)),
    "a cost at equal error": lambda p: change(p["sparse"]["cases"][0]["equal"][-1]["eof"], "train_seconds", 1e-8),
    "an error that is not reached": lambda p: p["sparse"]["cases"][0]["equal"][0].__setitem__("rks", None),
    "an exponent": lambda p: change(p["sparse"]["growth"][0]["exponents"], "products", 1e-8),
    "a spread": lambda p: p["rates"][0]["spread"].__setitem__(0, p["rates"][0]["spread"][0] * (1 + 1e-9)),
}


def check_faults(numbers, problems_of, faults):
    missed = []
    for what, fault in faults.items():
        spoilt = copy.deepcopy(numbers)
        fault(spoilt)
        if not found(problems_of, spoilt):
            missed.append(what)
    check("%d faults in the numbers are found" % len(faults), not missed, missed)


def spoil_digit(page, number):
    """The page with another digit in one of the numbers that its tables show."""
    cells = list(re.finditer(r'data-value="[^"]+">[^<]*?(\d)', page[:page.index('<script type="application/json"')]))
    at = cells[number % len(cells)].start(1)
    return page[:at] + str((int(page[at]) + 1) % 10) + page[at + 1:]


def check_page_faults(page, problems_of):
    chosen = random.Random(1).sample(range(100000), 6)
    missed = [number for number in chosen if not found(problems_of, spoil_digit(page, number))]
    check("a digit that the page shows wrong is found", not missed, missed)
    row = re.search(r"<tr><th scope=\"row\">[^\n]*</tr>\n", page).group(0)
    check("a row that the page lacks is found", found(problems_of, page.replace(row, "", 1)))
    nan = re.sub(r'("errors": \[)[0-9.e-]+', r"\g<1>NaN", page, count=1)
    check("NaN in the numbers of the page is found", nan != page and found(problems_of, nan))


# ---- Runs ------------------------------------------------------------------------------------------

def check_compare():
    run("generate", "friedman1", "--rows", "160", "--noise", "1", "-o", "made.csv")
    run("compare", "made.csv", "--target", "y", "--features", "15,30", "--runs", "3", "--scale", "quantile", "--html",
        "made.html")
    page = read("made.html")
    numbers = pages.numbers_of(page)
    check("a comparison of three runs", {m["runs"] for m in numbers["methods"]} == {3} and len(numbers["pairs"]) > 50)
    good("its numbers", found(again.comparison_problems, numbers))
    version = re.search(r'content="Entropic ([^"]+)"', page).group(1)
    check("EOF-select alone says which version made it, as it follows the rules of fits",
          all(m.get("made_by") == (version if m["name"] == "EOF-select" else None)
              for m in numbers["methods"] + numbers["budgets"]), version)
    good("its page", found(pages.comparison_page_problems, page, "made"))
    check_faults(numbers, again.comparison_problems, FAULTS)
    check_page_faults(page, lambda text: pages.comparison_page_problems(text, "made"))


def check_paper(file):
    """Two runs on one data set."""
    os.mkdir("one")
    shutil.copy(file, "one")
    paper = pages.load(run("paper", "--runs", "2", "--data", "one", "--checkpoint", "none", "--html", "paper.html",
                           "--json"))
    page = read("paper.html")
    check("the page has the same numbers", pages.numbers_of(page) == paper)
    check("two runs of all methods", {m["runs"] for m in paper["sets"][0]["methods"]} == {2})
    good("the numbers of the paper", found(again.paper_problems, paper))
    good("the page of the paper", found(pages.paper_page_problems, page))
    check_faults(paper, again.paper_problems, PAPER_FAULTS)
    good("the verdicts of the paper", found(verdicts.verdict_problems, paper))
    check_faults(paper, verdicts.verdict_problems, VERDICT_FAULTS)
    check_page_faults(page, pages.paper_page_problems)


def check_saved():
    """Our own results, docs/paper.json, and the page that is made from them."""
    shutil.copy(os.path.join(os.environ["ENTROPIC_SOURCE"], "docs", "paper.json"), "saved.json")
    run("paper", "--only", "none", "--data", "none", "--results", "saved.json", "--html", "saved.html", "--json")
    page = read("saved.html")
    paper = pages.numbers_of(page)
    good("the numbers of docs/paper.json", found(again.paper_problems, paper))
    good("its page", found(pages.paper_page_problems, page))
    good("its verdicts", found(verdicts.verdict_problems, paper))
    shown = {name: m for s in paper["sets"] for name, m in ((s["name"], m) for m in s["methods"])
             if m["features"] == s["printed_features"] and not m["tuned"] and m["name"] == "EOF"}
    check("the paper's four sets at the paper's own sizes, 50 runs", {k: (m["features"], m["runs"]) for k, m in
          shown.items()} == {"energy": (60, 50), "grid": (60, 50), "superconductivity": (160, 50), "mnist": (80, 50)},
          {k: (m["features"], m["runs"]) for k, m in shown.items()})


def main(names):
    for name in names:
        good("the numbers of " + name, found(again.paper_problems, pages.numbers_of(read(name))))
        good("the tables of " + name, found(pages.paper_page_problems, read(name)))
        good("the verdicts of " + name, found(verdicts.verdict_problems, pages.numbers_of(read(name))))
    if names:
        return end()
    data = os.environ.get("ENTROPIC_DATA") or os.path.join(os.environ["ENTROPIC_SOURCE"], "..", "shared", "data")
    file = os.path.join(data, "energy_efficiency.csv.gz")
    check_compare()
    check_saved()
    if os.path.exists(file):
        check_paper(file)
    else:
        skip("the paper's numbers", "%s is not there; ENTROPIC_DATA is the folder of the data sets" % file)
    return end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
