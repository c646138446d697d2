"""`entropic compare` and `entropic paper`: what they print, write and refuse."""
import json
import math
import os
import random
import subprocess
import sys

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
OURS = ["EOF", "EOF-select", "EOF-printed"]


def run(*words):
    return subprocess.run([ENTROPIC, *words], capture_output=True, text=True)


def refused(what, status, words, *arguments):
    done = run(*arguments)
    check(what, done.returncode == status and words in done.stderr and not done.stdout,
          "status %d: %s" % (done.returncode, done.stderr))


def sums_up(method, runs):
    """Whether error and sd are mean and standard deviation of the errors of the runs."""
    errors = method["errors"]
    mean = sum(errors) / len(errors)
    deviation = math.sqrt(sum((e - mean) ** 2 for e in errors) / (len(errors) - 1))
    return (len(errors) == runs and abs(mean - method["error"]) <= 1e-12 * mean and
            abs(deviation - method["sd"]) <= 1e-9 * mean)


def without_times(methods):
    return [{k: v for k, v in m.items() if not k.endswith("seconds")} for m in methods]


def compare_numbers():
    run("generate", "friedman1", "--rows", "400", "--noise", "1", "-o", "f.csv")
    common = ["compare", "f.csv", "--target", "y", "--features", "20,60", "--runs", "2"]
    done = run(*common, "--json", "--html", "f.html", "--threads", "1")
    check("compare --json", done.returncode == 0, done.stderr)
    answer = json.loads(done.stdout)
    methods = answer["methods"]
    check("rows, inputs and task", (answer["rows"], answer["inputs"], answer["task"]) == (400, 10, "regression"), answer)
    names = list(dict.fromkeys(m["name"] for m in methods))
    check("ours come first, then those they are compared with", names[:len(OURS)] == OURS and "RKS" in names, names)
    words = run("help", "compare").stdout
    check("the help names every method", all(name in words for name in names), names)
    check("every method, by the rule and tuned, at every size",
          [(m["name"], m["tuned"], m["features"]) for m in methods]
          == [(n, t, s) for n in names for t in (False, True) for s in (20, 60)])
    check("every number is one", all(m["error"] >= 0 and m["sd"] >= 0 and m["train_seconds"] > 0 and
                                     m["lift_seconds"] > 0 and m["nonzeros"] > 0 and m["bandwidth"] > 0 and m["runs"] == 2
                                     for m in methods))
    check("errors of every run, with their mean and deviation", all(sums_up(m, 2) for m in methods))
    constant = answer["references"]["constant"]
    check("and those of a constant, which all tuned methods but the printed one beat in every run",
          sums_up(constant, 2) and all(e < c for m in methods if m["tuned"] and m["name"] != "EOF-printed"
                                       for e, c in zip(m["errors"], constant["errors"])), constant)
    first = json.loads(run(*common[:-1], "1", "--json").stdout)
    check("errors are in the order of the runs", [m["errors"] for m in first["methods"]] == [m["errors"][:1] for m in methods])
    best = {m["name"]: m["error"] for m in methods if m["tuned"] and m["features"] == 60}
    check("the completed features are far better than the printed ones", best["EOF"] <= 0.8 * best["EOF-printed"],
          best)
    check("features selected from the data are better still", best["EOF-select"] <= 0.95 * best["EOF"], best)
    compare_scalings(common, methods)
    again = json.loads(run(*common, "--json", "--threads", "3").stdout)
    check("the same for any number of threads", without_times(again["methods"]) == without_times(methods))
    page = open("f.html").read()
    check("the page has every method and the numbers",
          all(n in page for n in names) and '"train_seconds"' in page and page.rstrip().endswith("</html>"))
    check("the page says how inputs were scaled", "of three scalings: quantile, blend and minmax" in page and '"scale": "quantile"' in page)
    lines = [line.split("\t") for line in run(*common).stdout.splitlines()]
    check("lines", len(lines) == 37 and lines[0][0] == "method" and lines[0][-1] == "scale" and
          all(len(line) == 9 for line in lines) and [line[-1] for line in lines[1:]] == [m["scale"] for m in methods],
          lines[:2])


def compare_scalings(common, methods):
    """`--scale auto`, the default, compared with one scaling for all."""
    by_rule = [m for m in methods if not m["tuned"]]
    check("by the rule auto is quantile", all(m["scale"] == "quantile" for m in by_rule))
    taken = {m["scale"] for m in methods if m["tuned"]}
    check("what is tuned chooses", taken <= {"quantile", "blend", "minmax"} and len(taken) > 1, taken)
    for scale in ("quantile", "minmax", "none", "blend"):
        given = json.loads(run(*common, "--json", "--scale", scale).stdout)["methods"]
        check("--scale %s is that of all" % scale, all(m["scale"] == scale for m in given))
        if scale == "quantile":
            check("by the rule nothing depends on the other scalings",
                  without_times(m for m in given if not m["tuned"]) == without_times(by_rule))
    auto = json.loads(run(*common, "--json", "--scale", "auto").stdout)["methods"]
    check("auto is the default", without_times(auto) == without_times(methods))


def compare_classes():
    done = run("compare", "classes.csv", "--target", "kind", "--features", "30", "--runs", "1", "--json")
    check("classes and categories", done.returncode == 0, done.stderr)
    answer = json.loads(done.stdout)
    check("errors are shares", answer["task"] == "classification" and all(0 <= m["error"] <= 1 for m in answer["methods"]))
    check("one run has no deviation", all(m["sd"] is None and m["errors"] == [m["error"]] for m in answer["methods"]))
    yes = sum(line.endswith("yes\n") for line in open("classes.csv")) / 300
    check("a constant is wrong as often as the rarer class is right, to a row", abs(
        answer["references"]["constant"]["error"] - min(yes, 1 - yes)) <= 1 / 60, answer["references"])
    ours = [m["error"] for m in answer["methods"] if m["name"] in ("EOF-select", "EOF")]
    check("they are told apart", all(error <= 0.2 for error in ours), ours)


def compare_groups():
    """Rows of a group are copies with a random target: a split inside a group would leak the target."""
    draw = random.Random(5)
    with open("groups.csv", "w") as out:
        out.write("a,b,g,y\n")
        for g in range(40):
            a, b, y = draw.random(), draw.random(), draw.gauss(0, 1)
            out.write("%g,%g,g%d,%g\n" % (a, b, g, y) * 5)
    common = ["compare", "groups.csv", "--target", "y", "--features", "60", "--runs", "2", "--json", "--ignore", "g"]
    torn, whole = [{(m["name"], m["tuned"]): m["error"] / answer["references"]["constant"]["error"]
                    for m in answer["methods"]}
                   for answer in [json.loads(run(*common).stdout), json.loads(run(*common[:-2], "--groups", "g").stdout)]]
    check("copies in the other part are known", torn["RKS", True] < 0.1 and all(error < 0.6 for error in torn.values()), torn)
    check("with --groups nothing is known of a group that is tested on", all(error > 0.7 for error in whole.values()), whole)
    check("and tuning knows that too: no method is much worse than the mean",
          all(e < 1.25 for (n, tuned), e in whole.items() if tuned), whole)


def write_classes():
    with open("classes.csv", "w") as file:
        file.write("a,b,colour,kind\n")
        for i in range(300):
            a, b = (i * 37 % 101) / 101, (i * 53 % 97) / 97
            colour = ["red", "green", "blue"][i * 7 % 3]
            file.write("%g,%s,%s,%s\n" % (a, b if i % 19 else "", colour, "yes" if a + (colour == "red") > 0.8 else "no"))


def refusals():
    refused("no target", 1, "--target COL is needed", "compare", "f.csv")
    refused("sizes that are no numbers", 1, "expected whole numbers", "compare", "f.csv", "--target", "y", "--features", "5,x")
    refused("a scaling that is none", 1, "--scale", "compare", "f.csv", "--target", "y", "--scale", "rank")
    refused("a size twice", 1, "twice", "compare", "f.csv", "--target", "y", "--features", "5,5")
    refused("no file", 2, "No such file", "compare", "missing.csv", "--target", "y")
    refused("a page over the data", 1, "f.csv", "compare", "f.csv", "--target", "y", "--html", "f.csv")
    refused("too few rows", 2, "rows", "compare", "few.csv", "--target", "y", "--features", "5")
    refused("no folder", 2, "no such folder", "paper", "--data", "missing")
    refused("a page in no folder", 3, "missing/f.html", "compare", "f.csv", "--target", "y", "--html", "missing/f.html")
    refused("page and numbers in one place", 1, "standard output", "paper", "--html", "-")
    refused("a page that cannot be made, before an hour is spent", 3, "missing/p.html", "paper", "--html", "missing/p.html")
    refused("runs", 1, "--runs", "paper", "--runs", "0")
    with open("alike.csv", "w") as out:
        out.write("a,g,y\n" + "".join("%g,same,%g\n" % (i * 0.37 % 1, i * 0.11 % 1) for i in range(40)))
    with open("pair.csv", "w") as out:
        out.write("a,g,y\n" + "".join("%g,%d,%g\n" % (i * 0.37 % 1, i % 2, i * 0.11 % 1) for i in range(40)))
    refused("two groups leave one to learn from", 2, "pair.csv: 20 training rows, all of one group; expected two groups or",
            "compare", "pair.csv", "--target", "y", "--groups", "g")
    refused("all rows in one group", 2, "alike.csv: 0 training rows and 40 test rows, as rows of a group stay together",
            "compare", "alike.csv", "--target", "y", "--groups", "g")


def paper():
    done = run("paper", "--quick", "--html", "p.html", "--json")  # ../shared/data is not there either
    check("the paper without data says what to do", done.returncode == 0 and "--data DIR" in done.stderr and
          "scripts/fetch-data" in done.stderr, done.stderr)
    answer = json.loads(done.stdout)
    check("no sets", answer["sets"] == [] and answer["times"] == [] and answer["quick"] is True)
    slopes = {rate["inputs"]: rate["slope"] for rate in answer["rates"] if rate["rule"] == "EOF, M = 2 N^(1/4)"}
    check("one input: the risk falls as rows^-1/2 or faster", slopes[1] <= -0.5, slopes)
    for kernel in answer["kernels"]:
        check("%d inputs: complete features beat random ones, printed ones never end" % kernel["inputs"],
              kernel["eof"][-1] <= 0.6 * kernel["rks"][-1] and kernel["printed"][-1] >= 0.9 * kernel["printed"][0], kernel)
    edge = answer["boundary"]
    check("hats alone never reach the ends, boundary functions do",
          all(e > 1.9 for e in edge["worst_without"]) and all(e < 0.1 for e in edge["worst_with"]) and edge["with"][-1] < 1e-4, edge)
    page = open("p.html").read()
    check("the page", "no data sets" in page and page.rstrip().endswith("</html>"))
    folder = os.environ.get("ENTROPIC_DATA", os.path.join(os.environ["ENTROPIC_SOURCE"], "..", "shared", "data"))
    energy = os.path.join(folder, "energy_efficiency.csv.gz")
    if not os.path.exists(energy):
        check("with data # SKIP there are none", True)
        return
    os.mkdir("some")
    os.symlink(os.path.abspath(energy), "some/energy_efficiency.csv.gz")
    done = run("paper", "--quick", "--data", "some", "--html", "p.html")
    tables = [[line.split("\t") for line in part.splitlines()] for part in done.stdout.split("\n\n")]
    rows = tables[0]
    check("the paper with one data set", done.returncode == 0 and
          all(r[0] == "energy" for r in rows[1:]) and "grid is left out" in done.stderr, done.stderr)
    errors = {(r[1], r[2], r[3]): float(r[4]) for r in rows[1:]}
    names, sizes = list(dict.fromkeys(r[1] for r in rows[1:])), ("20", "80", "320")
    lines = [(n, bandwidth, m) for n in names for bandwidth in ("rule", "tuned") for m in sizes]
    check("a line for every method, bandwidth and number of features",
          names[:len(OURS)] == OURS and set(errors) == set(lines) and len(rows) == 1 + len(lines), list(errors))
    rule = [errors["EOF", "rule", m] / errors[n, "rule", m]
            for n in ("EOF-printed", "RKS", "ORF", "LKRF", "EERF") for m in sizes]
    check("by the rule our error is the smallest", all(ratio < 1 for ratio in rule), rule)
    selected = [errors["EOF-select", "tuned", m] / min(errors[n, "tuned", m] for n in names if n not in OURS) for m in sizes]
    check("features selected from the data are far better than any others while there are few", selected[0] <= 0.6 and
          selected[0] * selected[1] * selected[2] <= 0.85 ** 3, selected)
    costs = [dict(zip(tables[1][0], r)) for r in tables[1][1:]]
    budgets = [c for c in costs if c["budget"] == "nonzeros"]
    check("costs of every such line, and of every bandwidth and budget of non-zeros",
          len(tables) == 3 and len(costs) - len(budgets) == len(lines) and len(budgets) == 2 * len(sizes), len(costs))
    check("shares are those of non-zeros in features, and budgets hold",
          all(abs(float(c["share"]) - float(c["nonzeros"]) / float(c["features"])) < 1e-12 for c in costs) and
          all(float(c["nonzeros"]) <= int(c["amount"]) for c in costs))
    sparse = {(c["bandwidth"], c["amount"]): float(c["share"]) for c in costs if c["budget"] == "nonzeros"}
    check("a budget of non-zeros gives sparse rows", sparse["rule", "80"] <= 0.5, sparse)
    check("no times without the set they are taken on", tables[2] == [["set", "method", "features", "train_seconds"]], tables[2])
    check("the page shows it", "Energy Efficiency" in open("p.html").read())


def main():
    write_classes()
    with open("few.csv", "w") as file:
        file.write("a,b,y\n1,2,3\n2,3.5,4.5\n3,1,2.5\n")
    compare_numbers()
    compare_classes()
    compare_groups()
    refusals()
    paper()
    sys.exit(end())


main()
