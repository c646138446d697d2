"""The page of `entropic paper --claims` in a real browser: all claims and their pictures are on it, it fits, and its
table sorts."""
import os
import subprocess
import sys

import _look
from _look import check, equal


def column(browser, number):
    return browser.run("[...document.querySelector('table').tBodies[0].rows].map(row => row.cells[%d].textContent)" %
                       number)


def contents(browser, address):
    browser.open(address, 1440)
    numbers = browser.run("JSON.parse(document.getElementById('numbers').textContent)")["claims"]
    equal("a row for each claim", column(browser, 0), [str(c["number"]) for c in numbers])
    equal("all hold", set(column(browser, 1)), {"yes"})
    equal("and are in words", column(browser, 5), [c["claim"] for c in numbers])
    captions = browser.run("[...document.querySelectorAll('figcaption')].map(c => c.textContent)")
    check("most have a picture", sum("Claim " in c for c in captions) >= 28, captions)
    drawn = browser.run("[...document.querySelectorAll('svg.plot')].map(p => "
                        "p.querySelectorAll('path.l, circle, rect, path').length)")
    check("and something is drawn in each", len(drawn) >= 28 and all(count > 0 for count in drawn), drawn)
    _look.click_head(browser, "table", 2)
    values = {str(c["number"]): c["value"] for c in numbers}
    shown = [values[number] for number in column(browser, 0)]
    check("a click sorts it by value", shown == sorted(shown), shown)
    equal("all of it without complaint", browser.complaints(), [])


def make(folder):
    page = os.path.join(folder, "claims.html")
    done = subprocess.run([os.environ["ENTROPIC"], "paper", "--claims", "--html", page], capture_output=True, text=True)
    check("the page is made", done.returncode == 0, done.stderr)
    return page


def look(browser, address, width, dark):
    _look.look(browser, address, width, dark, "claims")


if __name__ == "__main__":
    sys.exit(_look.run(make, look, (390, 1440), contents))
