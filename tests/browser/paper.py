"""The page of `entropic paper` in a real browser, from small tables made up here: every method and table is on it, it
fits, and its tables sort."""
import gzip
import os
import random
import subprocess
import sys

import _look
from _look import check, equal

METHODS = ["EOF", "EOF-select", "EOF-printed", "EOF-inset", "RKS", "ORF", "LKRF", "EERF", "QMC", "SORF", "Nystroem",
           "Nystroem-RPC"]
ALL = METHODS + ["kernel ridge"]
SETS = ["Energy Efficiency", "Superconductivity"]
SIZES = ["M\u00a0=\u00a0%d" % m for m in (20, 60, 80, 320)]  # of the first set
TABLES = [("energy_efficiency.csv.gz", ["X%d" % i for i in range(1, 21)], ["Y1", "Y2"], 768),
          ("superconductivity.csv.gz", ["x%d" % i for i in range(1, 21)], ["critical_temp"], 21263)]


def write_tables(folder):
    """Tables with the names and numbers of rows of the paper's, but other inputs: the page does not mind."""
    draw = random.Random(5)
    for name, inputs, targets, rows in TABLES:
        lines = [",".join(inputs + targets)]
        for _ in range(rows):
            x = [draw.random() for _ in inputs]
            y = x[0] + x[1] * x[2] + 0.1 * draw.gauss(0, 1)
            lines.append(",".join("%.3f" % value for value in x + [y] * len(targets)))
        with gzip.open(os.path.join(folder, name), "wt", compresslevel=1) as file:
            file.write("\n".join(lines) + "\n")


def column(browser, table, number):
    return browser.run("[...document.querySelector(%r).tBodies[0].rows].map(row => row.cells[%d].textContent)" %
                       (table, number))


def mark_table(browser, words):
    """Gives the first table whose caption has these words an id, for selectors."""
    return browser.run("(() => { const figure = [...document.querySelectorAll('figure.table')].find(f => "
                       "f.querySelector('figcaption').textContent.includes(%r)); "
                       "if (figure) figure.querySelector('table').id = 'wanted'; return !!figure; })()" % words)


def captions(browser):
    return browser.run("[...document.querySelectorAll('figcaption')].map(c => c.innerText)")


def heads(browser, table):
    return browser.run("[...document.querySelector(%r).tHead.rows[0].cells].map(c => c.innerText.trim())" % table)


def contents(browser, address):
    browser.open(address, 1440)
    text = browser.run("document.body.innerText")
    for method in ALL:
        check("the page names %s" % method, method in text)
    headings = browser.run("[...document.querySelectorAll('h2')].map(h => h.textContent)")
    equal("sections", headings, ["What holds", "Test errors", "Equal time, equal memory", "Time and non-zeros: the paper's tables",
                                 "What the boundary functions are for", "How well the features approximate the kernel",
                                 "How fast the error falls", "Where sparse features pay", "Paired differences", "All numbers"])
    check("what is not there is said", "There are no results of MNIST" in text and
          "There are no results of Electrical Grid Stability" in text)
    legends = browser.run("[...document.querySelectorAll('.legend')].map(l => l.innerText.split('\\n').length)")
    equal("a pair of charts of errors has one legend: each method and exact kernel ridge", legends[:2], [len(ALL)] * 2)
    equal("it stands above both", browser.run("(() => { const panels = document.querySelector('.panels'), box = e => "
          "e.getBoundingClientRect(); return [...panels.querySelectorAll('figure')].map(f => box(f).top >= "
          "box(panels.querySelector('.legend')).bottom); })()"), [True, True])
    equal("and says of which figures it is", browser.run("document.querySelector('.legend').getAttribute('aria-label')"),
          "Legend of figures 1 to 2")
    check("each drawing names its methods all the same", browser.run(
        "[...document.querySelector('.panels').querySelectorAll('svg.plot')].every(plot => %r.every(name => "
        "plot.getAttribute('aria-label').includes(name + ': lowest')))" % METHODS))
    looks = browser.run("[...document.querySelectorAll('.legend')[0].querySelectorAll('svg')].map(s => "
                        "s.getAttribute('class').includes(' d') + getComputedStyle(s).color + s.innerHTML)")
    equal("and each looks different", len(set(looks)), len(ALL))
    numbers = browser.run("JSON.parse(document.getElementById('numbers').textContent)")
    equal("the sets are in the numbers", [s["name"] for s in numbers["sets"]], ["energy", "superconductivity"])
    check("no backtick is left", "`" not in text)
    equal("but code", browser.run("document.querySelector('.lead code').textContent"), "--quick")
    foot = browser.run("document.querySelector('footer').innerText")
    check("the foot has command, seed and version", all(word in foot for word in ("entropic paper --quick", "1", numbers[
        "version"])), foot)


def raising(browser, address):
    """The pointer on an entry of a shared legend raises its series in both charts, and nowhere else."""
    browser.open(address, 1440)
    browser.run("document.querySelector('.panels').scrollIntoView()")
    x, y = browser.run("(() => { const box = document.querySelectorAll('.panels>.legend li')[1].getBoundingClientRect(); "
                       "return [box.x + 9, box.y + 9]; })()")
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    clear = browser.run("new Promise(done => setTimeout(() => done([...document.querySelectorAll('.panels')].slice(0, 2).map("
                        "panels => [...panels.querySelectorAll('svg.plot')].map(plot => [...plot.querySelectorAll('g.s')]"
                        ".filter(g => Number(getComputedStyle(g).opacity) > 0.5).length))), 400))")
    equal("one series of each chart of a pair is raised", clear, [[1, 1], [len(METHODS), len(ALL)]])


def frontiers(browser, address):
    """Errors against time and memory, and tables of them."""
    browser.open(address, 1440)
    titles = captions(browser)
    for name in SETS:
        for cost in ("training time", "memory"):
            check("%s against %s" % (name, cost), any("%s, tuned: error against %s" % (name, cost) in t for t in titles), titles)
    legends = browser.run("[...document.querySelectorAll('.legend')].map(l => l.innerText)")
    equal("every such pair has a line of the best", sum("the best so far" in text for text in legends), len(SETS))
    numbers = browser.run("JSON.parse(document.getElementById('numbers').textContent)")
    for numbers_of, name in zip(numbers["sets"], SETS):
        tuned = [m for m in numbers_of["methods"] if m["tuned"] and m["trainings"]]
        best = [m for m in tuned if not any(o["train_seconds"] <= m["train_seconds"] and o["error"] < m["error"] for o in tuned)]
        equal("%s: the frontier is what nobody beats in the same time" % name,
              {(p["name"], p["features"]) for p in numbers_of["frontier"]},
              {(m["name"], m["features"]) for m in best if m["train_seconds"] == min(
                  o["train_seconds"] for o in best if o["error"] == m["error"])})
        check("a table of equal time", mark_table(browser, "%s: the least error for equal time" % name))
        budgets = [float(cell.replace(",", "")) for cell in column(browser, "#wanted", 0)]
        check("has budgets that grow", budgets == sorted(budgets) and len(budgets) > 3, budgets)
        errors = [float(cell.split(",")[0]) for cell in column(browser, "#wanted", 3) if cell[:1].isdigit()]
        check("and errors that fall", errors == sorted(errors, reverse=True) and errors, errors)
        check("those of the last row are the least of all", column(browser, "#wanted", 5)[-1] == min(
            tuned, key=lambda m: m["error"])["name"], column(browser, "#wanted", 5))
        browser.open(address, 1440)


def pairs(browser, address):
    browser.open(address, 1440)
    numbers = browser.run("JSON.parse(document.getElementById('numbers').textContent)")["sets"][0]
    check("a table of ours against each baseline", mark_table(
        browser, "Energy Efficiency: error of EOF-select over that of each baseline, bandwidths tuned"))
    equal("has a column for each size", heads(browser, "#wanted"), ["baseline"] + SIZES)
    equal("and a row for each baseline", column(browser, "#wanted", 0), ALL[4:])
    errors = {(m["name"], m["features"]): m["error"] for m in numbers["methods"] if m["tuned"]}
    shown = [float(cell.split()[0]) for cell in column(browser, "#wanted", 1)]
    expected = [errors["EOF-select", 20] / errors[n, 512 if n == "kernel ridge" else 20] for n in ALL[4:]]
    check("a single run has no interval, and nothing is said of one", all(
        cell.split(" ", 1)[1] in ("won 0 of 1", "won 1 of 1") for cell in column(browser, "#wanted", 1)),
        column(browser, "#wanted", 1))
    check("of ratios of errors", all(abs(a - b) <= 0.006 * b for a, b in zip(shown, expected)), (shown, expected))
    browser.open(address, 1440)
    check("a table of means over the sets", mark_table(browser, "All sets: error of EOF over that of baselines"))
    equal("has a row for each baseline and one for the best", column(browser, "#wanted", 0),
          METHODS[4:] + ["best baseline of each set"])


def costs(browser, address):
    browser.open(address, 390)
    check("the paper's table 3", mark_table(browser, "Table 3 of the paper"))
    rows = browser.run("[...document.querySelectorAll('#wanted tbody tr')].map(row => [...row.cells].map(c => c.textContent))")
    equal("has every form of our features", [row[0] for row in rows if len(row) == 1],
          ["EOF", "EOF-printed", "EOF-inset", "EOF, M non-zeros"])
    rows = [[float(cell.replace(",", "")) for cell in row] for row in rows if len(row) > 1]
    equal("has a row for each size of each", [row[0] for row in rows], [80, 100, 120, 140, 160] * 4)
    check("times from lifted rows and from the start", all(row[3] > 0 and row[4] > 0 and row[9] > 0 for row in rows), rows)
    equal("the paper's own", [row[6:9] for row in rows[:2]], [[2, 2, 1], [2, 3, 0.667]])
    browser.open(address, 390)
    check("the paper's table 2", mark_table(browser, "Table 2 of the paper"))
    rows = browser.run("[...document.querySelectorAll('#wanted tbody tr')].map(row => row.cells[0].textContent)")
    equal("has every method on every set", [name for name in rows if name in METHODS], METHODS * len(SETS))
    check("with the paper's numbers of features", all(words in browser.run(
        "document.querySelector('#wanted').innerText") for words in (
            "Energy Efficiency: M = 60", "Superconductivity: M = 160")))
    browser.open(address, 390)
    check("the table of budgets", mark_table(browser, "Energy Efficiency: EOF with a budget of non-zeros"))
    asked = [float(cell.replace(",", "")) for cell in column(browser, "#wanted", 0)]
    equal("by omega and tuned", (asked, column(browser, "#wanted", 1)), ([20, 60, 80, 320] * 2, ["1"] * 4 + ["tuned"] * 4))
    found = [float(cell.replace(",", "")) for cell in column(browser, "#wanted", 5)]
    check("budgets hold", all(n <= a for n, a in zip(found, asked)) and found, found)
    equal("all of it without complaint", browser.complaints(), [])


def make(folder):
    write_tables(folder)
    page = os.path.join(folder, "paper.html")
    done = subprocess.run([os.environ["ENTROPIC"], "paper", "--quick", "--data", folder, "--html", page],
                          capture_output=True, text=True)
    check("the page is made", done.returncode == 0, done.stderr)
    return page


def look(browser, address, width, dark):
    _look.look(browser, address, width, dark, "paper")


if __name__ == "__main__":
    sys.exit(_look.run(make, look, (390, 1440), contents, raising, frontiers, pairs, costs))
