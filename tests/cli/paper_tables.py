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


def run(*words):
    return subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True)


def method(name, tuned, features, error, nonzeros):
    return {"name": name, "tuned": tuned, "features": features, "runs": 2, "error": error, "sd": 0.01251,
            "train_seconds": 0.00125, "lift_seconds": 1e-4, "nonzeros": nonzeros, "bandwidth": 1}


def add_set(numbers):
    """A data set with invented results."""
    errors = {"EOF-select": 0.08, "EOF": 0.1, "RKS": 0.25, "ORF": 0.2, "LKRF": 0.3, "EERF": 0.3}
    methods = [method(n, t, m, e * (1 if t else 2), m / 2) for n, e in errors.items() for t in (False, True)
               for m in (20, 160)]
    for m in methods:
        m["train_seconds"] *= {"RKS": 1, "EOF": 0.5 if m["tuned"] else 0.3, "LKRF": 2, "EERF": 1.5}.get(m["name"], 1)
    budget = dict(method("EOF", True, 400, 0.03, 79.5), budget=80)
    ratios = [{"name": n, "features": m, "runs": 1, "rival": "ORF", "ratio": e} for m in (160, 20)
              for n, e in (("EOF-select", 0.4), ("EOF", 0.5 if m == 20 else 1.28))]
    numbers["runs"] = 3
    numbers["sets"] = [{"name": "energy", "ratios": ratios, "rows": 512, "test_rows": 256, "inputs": 8, "methods": methods,
                        "budgets": [budget]}]
    numbers["times"] = [{"set": "superconductivity", "name": n, "features": m, "train_seconds": s * m}
                        for n, s in (("EOF", 1e-5), ("RKS", 2e-5)) for m in (80, 100)]


def write_document(text):
    with open("docs/paper.md", "w", encoding="utf-8") as file:
        file.write(text)


def tables(document):
    """Rows of cells of all tables."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in document.splitlines() if line[:1] == "|"]


def main():
    done = subprocess.run([ENTROPIC, "paper", "--quick", "--data", "none", "--html", "p.html", "--json", "--quiet"],
                          capture_output=True, text=True)
    numbers = json.loads(done.stdout)
    os.mkdir("docs")
    write_document("before\n%s\nold\n%s\nafter\n" % (START, END))
    with open("p.json", "w") as file:
        file.write(done.stdout)
    done = run("p.json", "p.html", "docs")
    document = open("docs/paper.md", encoding="utf-8").read()
    check("without data", done.returncode == 0 and "### The boundary functions" in document, done.stderr)
    slopes = {(r["inputs"], r["rule"]): r for r in numbers["rates"]}
    first = slopes[2, "EOF, M = 2 N^(1/4)"]
    row = next((row for row in tables(document) if row[0] == "2" and len(row) == 5 and "to" in row[1]), None)
    check("slopes of the rates, with intervals", row is not None and
          row[1] == "%.3f (%.3f to %.3f)" % (first["slope"], first["low"], first["high"]) and
          "%.2f with 2 inputs" % first["late"]["slope"] in document, row)
    check("what is around the marks stays", document.startswith("before\n" + START) and
          document.endswith(END + "\nafter\n") and "old" not in document)
    add_set(numbers)
    with open("p.json", "w") as file:
        json.dump(numbers, file)
    run("p.json", "p.html", "docs")
    rows = tables(open("docs/paper.md", encoding="utf-8").read())
    document = open("docs/paper.md", encoding="utf-8").read()
    check("who has fewer runs is told", "EOF-select, which takes longest, has 2 of them" in document)
    check("what is behind ±", "divided by 1.7, for EOF-select by 1.4, those are the standard errors" in document, document)
    check("geometric means", "The geometric mean of all is 0.400; 2 of 2 are below 1." in document and
          "The geometric mean of all is 0.800; 1 of 2 are below 1." in document, document)
    check("training times over those of RKS", ["Energy Efficiency", "0.50", "0.50"] in rows, rows)
    check("and of those that choose", "LKRF and EERF take 3.0 to 4.0 times as long as EOF." in document)
    check("errors with their spread, the best in bold", ["EOF-select", "**0.0800 ± 0.0125**", "**0.0800 ± 0.0125**"] in rows
          and ["ORF", "0.400 ± 0.013", "0.400 ± 0.013"] in rows, rows)
    check("ratios to the best baseline", ["Energy Efficiency", "0.500 (ORF)", "1.28 (ORF)"] in rows and
          ["Energy Efficiency", "0.400 (ORF)", "0.400 (ORF)"] in rows, rows)
    check("costs", ["RKS", "M = 160", "0.250 ± 0.013", "1.25", "160", "80.0", "50 %"] in rows, rows)
    check("budgets", ["EOF", "B = 80", "0.0300 ± 0.0125", "1.25", "400", "79.5", "20 %"] in rows, rows)
    check("times in milliseconds", ["EOF", "**0.800**", "**1.00**"] in rows and ["RKS", "1.60", "2.00"] in rows,
          rows)
    before = open("docs/paper.md", encoding="utf-8").read()
    run("p.json", "p.html", "docs")
    check("again gives the same", open("docs/paper.md", encoding="utf-8").read() == before)
    root = ElementTree.parse("docs/boundary.svg").getroot()
    text = "".join(root.itertext())
    check("the picture is SVG with both charts and their legends",
          root.tag == "{http://www.w3.org/2000/svg}svg" and "hats, level 3" in text and "31 hats" in text)
    curves = [p for p in root.iter("{http://www.w3.org/2000/svg}path") if p.get("class") == "l"]
    check("and with all curves", len([p for p in curves if p.get("d").count("L") > 100]) == 9, len(curves))
    write_document("no marks")
    done = run("p.json", "p.html", "docs")
    check("a document without marks is refused, and left alone", done.returncode == 1 and "marks" in done.stderr and
          open("docs/paper.md").read() == "no marks", done.stderr)
    with open(os.path.join(SOURCE, "docs", "paper.md"), encoding="utf-8") as file:
        ours = file.read()
    check("our document has the marks", ours.count(START) == 1 and ours.count(END) == 1)
    links = re.findall(r"\]\(([^)#:]+)\)", ours)
    check("and what it links to is there", "boundary.svg" in links and
          all(os.path.exists(os.path.join(SOURCE, "docs", link)) for link in links), links)
    return end()


if __name__ == "__main__":
    sys.exit(main())
