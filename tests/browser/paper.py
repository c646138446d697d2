"""The page of `entropic paper` in a real browser, from small tables made up here: every method and table is on it, it
fits, and its tables sort."""
import gzip
import os
import random
import subprocess
import sys

import _look
from _look import check, equal

METHODS = ["EOF", "EOF-select", "EOF-printed", "RKS", "ORF", "LKRF", "EERF", "Nystroem", "QMC"]
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


def contents(browser, address):
    browser.open(address, 1440)
    text = browser.run("document.body.innerText")
    for method in METHODS:
        check("the page names %s" % method, method in text)
    headings = browser.run("[...document.querySelectorAll('h2')].map(h => h.textContent)")
    equal("sections", headings, ["Test errors", "Time and non-zeros", "What the boundary functions are for",
                                 "How well features stand for the kernel", "How fast the error falls", "All numbers"])
    check("what was left out is said", "MNIST was left out" in text and "Electrical Grid Stability was left out" in text)
    legends = browser.run("[...document.querySelectorAll('.legend')].map(l => l.innerText.split('\\n').length)")
    check("charts of errors have a line for each method", legends[0] == len(METHODS), legends)
    looks = browser.run("[...document.querySelector('.legend').querySelectorAll('svg')].map(s => "
                        "s.getAttribute('class').includes(' d') + getComputedStyle(s).color + s.innerHTML)")
    equal("and each looks different", len(set(looks)), len(METHODS))
    numbers = browser.run("JSON.parse(document.getElementById('numbers').textContent)")
    equal("the sets are in the numbers", [s["name"] for s in numbers["sets"]], ["energy", "superconductivity"])


def costs(browser, address):
    browser.open(address, 390)
    check("the table of training times", mark_table(browser, "training alone"))
    equal("has a row for each method", column(browser, "#wanted", 0), METHODS)
    equal("and a column for each size", browser.run("[...document.querySelector('#wanted').tHead.rows[0].cells]"
                                                    ".map(c => c.innerText.trim())"),
          ["method"] + ["M = %d" % m for m in (80, 100, 120, 140, 160)])
    _look.click_head(browser, "#wanted", 1)
    times = [float(cell.replace(",", "")) for cell in column(browser, "#wanted", 1)]
    check("a click sorts it by time", times == sorted(times) and len(times) == len(METHODS), times)
    _look.click_head(browser, "#wanted", 0)
    equal("and another by name", column(browser, "#wanted", 0), sorted(METHODS, key=str.lower))
    browser.open(address, 390)
    check("the table of non-zeros", mark_table(browser, "Energy Efficiency: 512 training rows, 20 inputs"))
    asked = column(browser, "#wanted", 1)
    equal("every method, and budgets by omega and tuned", asked,
          ["M = 80"] * len(METHODS) + ["B = %d%s" % (b, o) for o in (", omega 1", "") for b in (20, 80, 320)])
    found = [float(cell.replace(",", "")) for cell in column(browser, "#wanted", 5)]
    check("budgets hold", all(n <= float(a.split(",")[0].split()[2]) for n, a in zip(found, asked)), found)
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
    sys.exit(_look.run(make, look, (390, 1440), contents, costs))
