"""scripts/paper-tables: the results of `entropic paper` become Markdown between two marks, and a picture."""
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
SOURCE = os.environ["ENTROPIC_SOURCE"]
SCRIPT = os.path.join(SOURCE, "scripts", "paper-tables")
START, END = "<!-- results: written by scripts/paper-tables -->", "<!-- end of results -->"
HEAD = "<!-- verdicts: written by scripts/paper-tables -->\nold\n<!-- end of verdicts -->\n"

# Invented means of the errors by the rule; tuned ones are half as large.
ERRORS = {"EOF-select": 0.16, "EOF": 0.2, "RKS": 0.5, "ORF": 0.4, "LKRF": 0.6, "EERF": 0.6, "Nystroem": 0.7}
# Training times for 20 features, in milliseconds; as many times longer as there are more features.
TIMES = {"EOF-select": 20, "EOF": 0.25, "RKS": 0.5, "ORF": 0.5, "LKRF": 2, "EERF": 2, "Nystroem": 1}


def run(*words):
    return subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True)


def method(name, tuned, features, error, seconds):
    """Four runs."""
    return {"name": name, "tuned": tuned, "features": features, "runs": 4, "error": error, "sd": 0.02502,
            "train_seconds": seconds, "make_seconds": seconds / 10, "lift_seconds": 1e-4, "nonzeros": features / 2, "made_features": features,
            "bytes": 6 * features, "bandwidth": 1, "errors": [error] * 4}


def pair(ours, other):
    """The interval has 0 in it against ORF with 20 features by the rule; one run is lost against RKS."""
    gap = ours["error"] - other["error"]
    half = 0.25 if (ours["tuned"], ours["features"], other["name"]) == (False, 20, "ORF") else 0.01
    return {"name": ours["name"], "other": other["name"], "tuned": ours["tuned"], "features": ours["features"],
            "runs": 4, "ratio": ours["error"] / other["error"], "difference": gap, "low": gap - half, "high": gap + half,
            "wide_low": gap - 0.15, "wide_high": gap + 0.15, "won": 4 - (other["name"] == "RKS"),
            "lost": other["name"] == "RKS"}


def made_set():
    """A data set with invented results: EOF is worse than ORF with 160 features, tuned."""
    methods = [method(name, tuned, size, error / (1 + tuned), TIMES[name] * size / 20000)
               for name, error in ERRORS.items() for tuned in (False, True) for size in (20, 160)]
    next(m for m in methods if (m["name"], m["tuned"], m["features"]) == ("EOF", True, 160)).update(
        error=0.256, errors=[0.256] * 4)
    methods += [dict(method(name, True, 800, error / 4, TIMES[name] * 40e-3), runs=2) for name, error in ERRORS.items()]
    methods.append(dict(method("kernel ridge", True, 512, 0.075, 0.1), runs=2))
    ours = [m for m in methods if m["name"] in ("EOF", "EOF-select")]
    pairs = [pair(m, o) for m in ours for o in methods if o is not m and o["tuned"] == m["tuned"] and
             (o["features"] == m["features"] or o["name"] == "kernel ridge")]
    frontier = [{"name": "EOF", "features": 20, "train_seconds": 0.00025, "error": 0.1},
                {"name": "EOF-select", "features": 20, "train_seconds": 0.02, "error": 0.08}]
    budget = dict(method("EOF", True, 400, 0.03, 0.00125), budget=80, nonzeros=79.5)
    return {"name": "energy", "title": "Energy Efficiency", "printed_features": 160, "printed_most": 128, "rows": 512,
            "training_rows": 512, "test_rows": 256, "inputs": 8, "load": 0.25, "methods": methods, "budgets": [budget],
            "pairs": pairs, "frontier": frontier}


def add_set(numbers):
    numbers.update(runs=4, quick=False, seed=7, version="1.2.3", processor="a processor", sets=[made_set()])
    numbers["means"] = [{"name": name, "other": other, "tuned": tuned, "features": 20, "ratio": 0.6789, "sets": 1,
                         "wins": 1} for name in ("EOF", "EOF-select") for other in ("RKS", "best")
                        for tuned in (False, True)]
    numbers["sparse"] = made_sparse()
    numbers["given"] = [dict(method(name, False, m, 0.5, 2 * s * m), given_seconds=s * m, **more)
                        for name, s, more in (("EOF", 1e-5, {}), ("RKS", 2e-5, {}), ("EOF", 4e-5, {"budget": 100}))
                        for m in (80, 100)]


def made_sparse():
    """EOF pays with 2 inputs, predicts faster alone with 3, and does not reach the error of the oblique function."""
    def cost(features, nonzeros, train, predict):
        return {"features": features, "nonzeros": nonzeros, "train_seconds": train, "predict_seconds": predict}

    def case(target, inputs, *equal):
        return {"target": target, "inputs": inputs, "rows": 10000,
                "equal": [{"error": error, "eof": ours, "rks": theirs} for error, ours, theirs in equal]}

    dense = cost(2000, 2000, 2, 1e-6)
    return {"cases": [case("aligned", 2, (0.2, cost(1000, 50, 0.5, 1e-7), dense), (0.1, cost(4000, 70, 1, 2e-7), None)),
                      case("aligned", 3, (0.3, cost(3000, 200, 4, 5e-7), dense)),
                      case("oblique", 3, (0.3, None, dense))],
            "growth": [{"inputs": 2, "features": [256, 50000], "nonzeros": [38, 122], "products": [741, 7503],
                        "exponents": {"nonzeros": 1.75, "products": 4.125, "gram_seconds": None}}]}


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def tables(document):
    """Rows of cells of all tables."""
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line[1:-1])] for line in document.splitlines()
            if line[:1] == "|"]


def check_text(document):
    flat = " ".join(document.split())
    check("version, processor, seed and runs are told",
          "Entropic 1.2.3 on a processor, seed 7, 2 to 4 runs of each data set." in flat)
    check("what is behind ±", flat.count("± the standard error of the mean") == 1)
    check("a busy machine is told", "on a busy machine: other work kept 0.2 processors busy" in flat)
    check("by the rule: wins, and intervals that have 0 in them", (
        "EOF has a smaller error than each of RKS, ORF, LKRF and EERF at 2 of 2 sizes of the data sets. The 95 % "
        "intervals of all four differences are below 0 at 1 of them (not at Energy Efficiency M = 20); the wider ones, "
        "of other rows from the same source, at 2.") in flat, flat[:2000])
    check("tuned: wins and losses", (
        "EOF-select wins 3 of 3; the geometric mean of the ratios is 0.400.") in flat and (
        "EOF wins 2 of 3; the geometric mean of the ratios is 0.684. The interval is below 0 at 2 of those, the wider "
        "one at 0. It does not win at Energy Efficiency M = 160; 1 of these intervals is above 0.") in flat, flat)
    check("frontiers of equal time", "frontier of equal time on Energy Efficiency (M = 20; 20.0 ms)" in flat and
          "EOF-select is best of all for 1 of the 8 budgets" in flat, flat[:3000])
    check("who has fewer runs is told", "More features, 2 runs:" in flat and
          "Exact kernel ridge, tuned, 2 runs: 0.0750 ± 0.0177." in flat)


def check_tables(rows):
    check("errors with their standard errors, the best in bold",
          ["EOF-select", "**0.0800 ± 0.0125**", "**0.0800 ± 0.0125**"] in rows and
          ["ORF", "0.400 ± 0.013", "0.400 ± 0.013"] in rows and ["EOF", "0.0500 ± 0.0177"] in rows, rows)
    check("differences with intervals and runs won, and what is not significant",
          ["20", "-0.300 [-0.310, -0.290], won 3 of 4", "-0.20 [-0.45, 0.05], won 4 of 4, not significant",
           "-0.400 [-0.410, -0.390], won 4 of 4", "-0.400 [-0.410, -0.390], won 4 of 4"] in rows, rows)
    check("ratios and runs won", ["ORF", "0.500, won 4 of 4", "1.28, won 4 of 4", "0.500, won 4 of 4"] in rows and
          ["RKS", "0.320, won 3 of 4", "0.320, won 3 of 4", "0.320, won 3 of 4"] in rows and
          ["which is best", "ORF", "ORF", "ORF"] in rows, rows)
    check("equal time: who has the least error", all(row in rows for row in [
        ["0.3", "0.100 (20)", "–", "–", "–", "EOF"], ["1", "0.100 (20)", "–", "0.200 (20)", "ORF", "EOF"],
        ["30", "0.0500 (800)", "0.0800 (20)", "0.100 (800)", "ORF", "EOF"],
        ["1000", "0.0500 (800)", "0.0400 (800)", "0.0750", "kernel ridge", "EOF-select"]]), rows)
    check("equal memory", ["300", "0.100 (20)", "0.0800 (20)", "0.200 (20)", "ORF", "EOF-select"] in rows and
          ["1000", "0.100 (20)", "0.0800 (20)", "0.200 (20)", "ORF", "EOF-select"] in rows, rows)
    check("geometric means", ["RKS", "0.679, won 1 of 1"] in rows and ["best of each set", "0.679, won 1 of 1"] in rows, rows)
    check("the paper's table 1", ["Energy Efficiency", "8", "512", "256", "8", "512", "256"] in rows and
          ["Electrical Grid Stability", "13", "7000", "3000", "–", "–", "–"] in rows, rows)
    check("the paper's table 2", ["EOF", "0.200 ± 0.013", "0.256 ± 0.013", "**2.00**", "0.500", "3.00", "30", "40,960",
                                  "1.0e3", "50 %", "128"] in rows and
          ["RKS", "0.500 ± 0.013", "0.250 ± 0.013", "4.00", "1.00", "1.00", "10", "40,960", "6.1e3", "50 %", "–"] in rows
          and ["Nystroem", "0.700 ± 0.013", "0.350 ± 0.013", "8.00", "2.00", "–", "–", "40,960", "–", "50 %", "–"] in rows,
          rows)
    check("the paper's table 3", ["EOF", "100", "100", "50.0", "1.00", "2.00", "0.500", "2", "3", "0.667", "2.00",
                                  "0.500"] in rows and
          ["EOF, M non-zeros", "100", "80", "40.0", "3.20", "2.00", "1.60", "2", "3", "0.667", "6.40", "1.60"] in rows,
          rows)
    check("budgets of non-zeros", ["80", "tuned", "0.0300 ± 0.0125", "1.25", "400", "79.5", "20 %"] in rows, rows)


def check_sparse(document, rows):
    flat = " ".join(document.split())
    check("sparse features at equal error", all(row in rows for row in [
        ["2", "10,000", "0.200", "1,000", "50", "500", "100", "2,000", "2000", "1000", "4.00", "10.0"],
        ["2", "10,000", "0.100", "4,000", "70", "1000", "200", "not reached", "–", "–", "–", "–"],
        ["3", "10,000", "0.300", "not reached", "–", "–", "–", "2,000", "2000", "1000", "–", "–"]]), rows)
    check("where they pay and where they do not", (
        "The aligned function: EOF reaches the least error of RKS in 2 of 2 cases. There EOF trains faster in 1 of 2 "
        "cases; RKS takes 1.4 times as long in the geometric mean (0.50 to 4.0). It does not pay with D = 3, N = "
        "10,000. EOF predicts faster in 2 of 2 cases; RKS takes 4.5 times as long in the geometric mean (2.0 to 10). In "
        "1 case EOF has a smaller error than RKS at its largest M: up to 2.0 times smaller.") in flat and (
        "The oblique function: EOF reaches the least error of RKS in 0 of 1 case, not with D = 3, N = 10,000.") in flat,
          flat[-3000:])
    check("powers of log M", ["2", "50,000", "122", "7,503", "1.75", "2", "4.12", "–", "4"] in rows and
          "to the power of 4.12 with 2 inputs: more than the paper's 2 D with 2 inputs." in flat, rows)


def check_rates(numbers, rows):
    """Every slope with its interval, of all points and of the last half."""
    rules = list(dict.fromkeys(rate["rule"] for rate in numbers["rates"]))
    for what, part in (("slopes", lambda rate: rate), ("slopes of the last half", lambda rate: rate["late"])):
        def shown(rate):
            return "%.2f [%.2f, %.2f]" % tuple(round(part(rate)[key], 2) + 0.0 for key in ("slope", "low", "high"))
        wanted = [["%d" % d] + [shown(rate) for rate in numbers["rates"] if rate["inputs"] == d] for d in (1, 2, 3, 5)]
        check(what, ["inputs"] + rules in rows and all(row in rows for row in wanted), wanted)


def check_two_runs(numbers):
    """Two runs are too few for an interval: none is shown, and nothing is said to be significant or not."""
    numbers["runs"] = 2
    numbers["sets"][0]["pairs"] = [dict(pair, runs=2, won=2 - pair["lost"]) for pair in numbers["sets"][0]["pairs"]]
    write("p.json", json.dumps(numbers))
    run("p.json", "p.html", "docs")
    document = read("docs/paper.md")
    flat = " ".join(document.split())
    check("two runs have no interval", "Two runs are too few for an interval." in flat and
          "ignificant" not in flat and "intervals of all four" not in flat and "interval is below" not in flat, flat[:1500])
    check("but runs won", ["20", "-0.300, won 1 of 2", "-0.200, won 2 of 2", "-0.400, won 2 of 2",
                           "-0.400, won 2 of 2"] in tables(document), tables(document))


def check_picture():
    root = ElementTree.parse("docs/boundary.svg").getroot()
    text = "".join(root.itertext())
    check("the picture is SVG with both charts and their legends",
          root.tag == "{http://www.w3.org/2000/svg}svg" and "hats, level 3" in text and "31 hats" in text)
    curves = [p for p in root.iter("{http://www.w3.org/2000/svg}path") if p.get("class") == "l"]
    check("and with all curves", len([p for p in curves if p.get("d").count("L") > 100]) == 9, len(curves))


def check_document():
    """Our own document, page and verdicts come from our own results."""
    ours, results = (read(os.path.join(SOURCE, "docs", name)) for name in ("paper.md", "paper.json"))
    write("saved.json", results)
    done = subprocess.run([ENTROPIC, "paper", "--only", "none", "--data", "none", "--results", "saved.json", "--html",
                           "saved.html", "--json", "--quiet"], capture_output=True, text=True)
    check("docs/paper.json reads back, and gives the same bytes again", done.returncode == 0 and
          done.stdout == results and read("saved.json") == results, done.stderr)
    check("the page has its numbers", "\"verdicts\": [" in read("saved.html") and
          all(s in read("saved.html").replace("&#39;", "'") for s in json.loads(results)["summary"][3:4]))
    write("docs/paper.md", ours)
    done = run("saved.json", "saved.html", "docs")
    check("docs/paper.md is made from docs/paper.json", done.returncode == 0 and read("docs/paper.md") == ours,
          "run make paper PAPER_ONLY=none; " + done.stderr)
    check("and so is its picture", read("docs/boundary.svg") == read(os.path.join(SOURCE, "docs", "boundary.svg")))
    check("our document has the marks", ours.count(START) == 1 and ours.count(END) == 1)
    links = re.findall(r"\]\(([^)#:]+)\)", ours)
    check("and what it links to is there", "boundary.svg" in links and
          all(os.path.exists(os.path.join(SOURCE, "docs", link)) for link in links), links)


def main():
    done = subprocess.run([ENTROPIC, "paper", "--quick", "--data", "none", "--html", "p.html", "--json", "--quiet"],
                          capture_output=True, text=True)
    numbers = json.loads(done.stdout)
    os.mkdir("docs")
    write("docs/paper.md", "before\n%s%s\nold\n%s\nafter\n" % (HEAD, START, END))
    write("p.json", done.stdout)
    done = run("p.json", "p.html", "docs")
    document = read("docs/paper.md")
    check("without data", done.returncode == 0 and "### The boundary functions" in document and
          "There were no data sets." in " ".join(document.split()), done.stderr)
    check("what is around the marks stays", document.startswith("before\n" + HEAD.split("\n")[0]) and
          document.endswith(END + "\nafter\n") and "\nold\n" not in document)
    check("every verdict is at the head", tables(document.split(START)[0])[2:] == [
        [v["claim"].replace("|", "\\|"), v["where"], "**%s**" % v["verdict"], v["evidence"].replace("|", "\\|")]
        for v in numbers["verdicts"]], tables(document.split(START)[0])[2:5])
    add_set(numbers)
    write("p.json", json.dumps(numbers))
    done = run("p.json", "p.html", "docs")
    document = read("docs/paper.md")
    check("with a data set", done.returncode == 0, done.stderr)
    check_text(document)
    check_tables(tables(document))
    check_rates(numbers, tables(document))
    check_sparse(document, tables(document))
    run("p.json", "p.html", "docs")
    check("again gives the same", read("docs/paper.md") == document)
    numbers["sets"][0]["load"] = 0.2499
    write("p.json", json.dumps(numbers))
    run("p.json", "p.html", "docs")
    check("a quiet machine is no matter", "busy machine" not in read("docs/paper.md"))
    check_two_runs(numbers)
    check_picture()
    write("docs/paper.md", "no marks")
    done = run("p.json", "p.html", "docs")
    check("a document without marks is refused, and left alone", done.returncode == 1 and "marks" in done.stderr and
          read("docs/paper.md") == "no marks", done.stderr)
    check_document()
    return end()


if __name__ == "__main__":
    sys.exit(main())
