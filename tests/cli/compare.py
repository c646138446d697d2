"""`entropic compare` and `entropic paper`: what they print, write and refuse."""
import json
import math
import os
import random
import subprocess
import sys

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
OURS = ["EOF", "EOF-select", "EOF-printed", "EOF-inset"]
METHODS = OURS + ["RKS", "ORF", "LKRF", "EERF", "QMC", "SORF", "Nystroem", "Nystroem-RPC"]
EXACT = "kernel ridge"
OWN_SCALING = ("EOF-printed", "EOF-inset")  # minmax, whatever is asked for
KERNELS = {"EOF": {"centred"}, "EOF-select": {"centred"}, "ORF": {"gauss"}, "SORF": {"gauss"},
           "Nystroem": {"laplace", "gauss"}, "Nystroem-RPC": {"laplace", "gauss"}, EXACT: {"laplace", "gauss"}}


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
    return [{k: v for k, v in m.items() if not k.endswith("seconds") and not k.startswith("train_")} for m in methods]


def compare_numbers():
    run("generate", "friedman1", "--rows", "400", "--noise", "1", "-o", "f.csv")
    run("generate", "friedman1", "--rows", "6260", "--noise", "1", "-o", "large.csv")
    common = ["compare", "f.csv", "--target", "y", "--features", "20,60", "--runs", "2"]
    done = run(*common, "--json", "--html", "f.html", "--threads", "1")
    check("compare --json", done.returncode == 0, done.stderr)
    answer = json.loads(done.stdout)
    methods = answer["methods"]
    check("rows, inputs and task", (answer["rows"], answer["inputs"], answer["task"]) == (400, 10, "regression"), answer)
    names = list(dict.fromkeys(m["name"] for m in methods))
    check("ours come first, then those they are compared with", names == METHODS + [EXACT], names)
    check("load is known or not", answer["load"] is None or answer["load"] >= 0, answer["load"])
    words = run("help", "compare").stdout
    check("the help names every method", all(name in words for name in names), names)
    check("every method, by the rule and tuned, at every size; exact kernel ridge, tuned, with all training rows",
          [(m["name"], m["tuned"], m["features"]) for m in methods]
          == [(n, t, s) for n in METHODS for t in (False, True) for s in (20, 60)] + [(EXACT, True, 320)])
    check("every number is one", all(m["error"] >= 0 and m["sd"] >= 0 and m["train_seconds"] > 0 and m["nonzeros"] > 0 and
                                     (m["lift_seconds"] > 0 or m["name"] == EXACT) and m["bandwidth"] > 0 and m["runs"] == 2
                                     for m in methods))
    check("times lie between their quartiles", all(m["train_low"] <= m["train_seconds"] <= m["train_high"] for m in methods))
    check("every method has a kernel of its own", all(m["kernel"] in KERNELS.get(m["name"], {"laplace"}) for m in methods),
          [(m["name"], m["kernel"]) for m in methods])
    check("by the rule it is the first", all(m["kernel"] == "laplace" for m in methods
                                             if not m["tuned"] and m["name"].startswith("Nystroem")))
    check("errors of every run, with their mean and deviation", all(sums_up(m, 2) for m in methods))
    constant = answer["references"]["constant"]
    check("and those of a constant, which all tuned methods but the printed one beat in every run",
          sums_up(constant, 2) and all(e < c for m in methods if m["tuned"] and m["name"] != "EOF-printed"
                                       for e, c in zip(m["errors"], constant["errors"])), constant)
    first = json.loads(run(*common[:-1], "1", "--json", "--threads", "2").stdout)
    check("errors are in the order of the runs", [m["errors"] for m in first["methods"]] == [m["errors"][:1] for m in methods])
    best = {m["name"]: m["error"] for m in methods if m["tuned"] and m["features"] == 60}
    check("the completed features are far better than the printed ones", best["EOF"] <= 0.8 * best["EOF-printed"],
          best)
    check("features selected from the data are better still", best["EOF-select"] <= 0.95 * best["EOF"], best)
    compare_scalings(methods)
    page = open("f.html").read()
    check("the page has every method and the numbers",
          all(n in page for n in names) and '"train_seconds"' in page and page.rstrip().endswith("</html>"))
    check("the page says how inputs were scaled", "between the scalings quantile, blend and minmax" in page and '"scale": "quantile"' in page)
    lines = [line.split("\t") for line in run(*common, "--threads", "3").stdout.splitlines()]
    check("lines", lines[0] == ["method", "bandwidth", "features", "error", "sd", "train_seconds", "lift_seconds", "nonzeros",
                                "scale", "train_low", "train_high", "kernel"] and all(len(line) == 12 for line in lines), lines[:2])
    check("they say the same, with any number of threads",
          [(line[0], line[1], int(line[2]), float(line[3]), float(line[4]), float(line[7]), line[8], line[11])
           for line in lines[1:]] ==
          [(m["name"], "tuned" if m["tuned"] else "rule", m["features"], m["error"], m["sd"], m["nonzeros"], m["scale"],
            m["kernel"]) for m in methods], lines[:2])
    many = json.loads(run("compare", "large.csv", "--target", "y", "--features", "5", "--runs", "1", "--json").stdout)
    check("exact kernel ridge stays away from many rows", EXACT not in {m["name"] for m in many["methods"]}, many["rows"])


def compare_scalings(several):
    """`--scale auto`, the default, compared with one scaling for all."""
    common = ["compare", "f.csv", "--target", "y", "--features", "30", "--runs", "1"]
    methods = json.loads(run(*common, "--json").stdout)["methods"]
    by_rule = [m for m in methods if not m["tuned"]]
    check("by the rule auto is quantile, but for those that have their own", all(
        m["scale"] == ("minmax" if m["name"] in OWN_SCALING else "quantile") for m in by_rule))
    taken = {m["scale"] for m in several if m["tuned"] and m["name"] not in OWN_SCALING}
    check("what is tuned chooses", taken <= {"quantile", "blend", "minmax"} and len(taken) > 1, taken)
    for scale in ("quantile", "minmax", "none", "blend"):
        given = json.loads(run(*common, "--json", "--scale", scale).stdout)["methods"]
        check("--scale %s is that of all" % scale, all(
            m["scale"] == ("minmax" if m["name"] in OWN_SCALING else scale) for m in given))
        check("and those that have their own are the same",
              without_times(m for m in given if m["name"] in OWN_SCALING) ==
              without_times(m for m in methods if m["name"] in OWN_SCALING))
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
    # Most features of EOF-inset are zero on all its rows: it knows less of them.
    check("copies in the other part are known", torn["RKS", True] < 0.1 and all(
        error < (0.8 if name == "EOF-inset" else 0.6) for (name, tuned), error in torn.items()), torn)
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
    refused("no target", 1, "--target COL is required", "compare", "f.csv")
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
    check("no sets", answer["sets"] == [] and answer["given"] == [] and answer["means"] == [] and answer["quick"] is True)
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
          all(r[0] == "energy" for r in rows[1:]) and "grid is skipped" in done.stderr, done.stderr)
    errors = {(r[1], r[2], r[3]): float(r[5]) for r in rows[1:]}
    sizes = ("20", "60", "80", "320")
    lines = [(n, bandwidth, m) for n in METHODS for bandwidth in ("rule", "tuned") for m in sizes]
    lines.append((EXACT, "tuned", "512"))
    check("a line for every method, bandwidth and number of features", list(errors) == lines and len(rows) == 1 + len(lines),
          list(errors))
    rule = [errors["EOF", "rule", m] / errors[n, "rule", m]
            for n in METHODS if n not in ("EOF", "EOF-select") for m in sizes]
    check("by the rule our error is the smallest", all(ratio < 1 for ratio in rule), rule)
    selected = [errors["EOF-select", "tuned", m] / min(errors[n, "tuned", m] for n in METHODS if n not in OURS)
                for m in sizes]
    check("features selected from the data are far better than any others while there are few", selected[0] <= 0.6 and
          math.prod(selected) <= 0.85 ** 4, selected)
    check("exact kernel ridge is not far behind the best baseline",
          errors[EXACT, "tuned", "512"] <= 1.2 * min(errors[n, "tuned", "320"] for n in METHODS if n not in OURS), errors)
    pairs = {(r[1], r[2], r[3], r[4]): r for r in tables[1][1:]}
    check("ours against every baseline", list(pairs) == [
        (ours, b, n, m) for ours in OURS[:2] for b in ("rule", "tuned") for m in sizes for n in METHODS[4:] + [EXACT]
        if n != EXACT or b == "tuned"], list(pairs)[:3])
    check("pairs are made of the errors", all(
        abs(float(r[6]) - errors[ours, b, m] / errors[n, b, "512" if n == EXACT else m]) <= 1e-12 and r[5] == "1" and
        float(r[7]) == errors[ours, b, m] - errors[n, b, "512" if n == EXACT else m] and r[8:10] == ["nan", "nan"] and
        int(r[10]) == (float(r[7]) < 0) for (ours, b, n, m), r in pairs.items()))
    costs = [dict(zip(tables[2][0], r)) for r in tables[2][1:]]
    budgets = [c for c in costs if c["budget"] == "nonzeros"]
    check("costs of every such line, and of every bandwidth and budget of non-zeros",
          len(tables) == 4 and len(costs) - len(budgets) == len(lines) and len(budgets) == 2 * len(sizes), len(costs))
    check("shares are those of non-zeros in features, and budgets hold",
          all(abs(float(c["share"]) - float(c["nonzeros"]) / float(c["features"])) < 1e-12 for c in costs) and
          all(float(c["nonzeros"]) <= int(c["amount"]) for c in costs))
    check("bytes are of values or of non-zeros with their columns",
          all(abs(float(c["bytes"]) - min(8 * float(c["features"]), 12 * float(c["nonzeros"]))) < 1e-9 for c in costs))
    sparse = {(c["bandwidth"], c["amount"]): float(c["share"]) for c in costs if c["budget"] == "nonzeros"}
    check("a budget of non-zeros gives sparse rows", sparse["rule", "80"] <= 0.5, sparse)
    check("no times without the set they are taken on",
          tables[3] == [["set", "method", "budget", "amount", "given_seconds", "train_seconds"]], tables[3])
    check("the page shows it", "Energy Efficiency" in open("p.html").read())
    check("in short nothing is logged unless asked for", not os.path.exists("p.runs"), os.listdir())


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
