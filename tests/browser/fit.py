"""The page of `entropic fit --html` in a real browser: it fits, can be read, and shows the curve and the references."""
import os
import subprocess
import sys

import _look
from _look import check, equal


def contents(browser, address):
    browser.open(address, 1440)
    equal("one chart, shown once", browser.run("[...document.querySelectorAll('figure svg.wide')]"
                                               ".filter(plot => plot.getClientRects().length).length"), 1)
    words = browser.run("document.body.innerText")
    for word in ("selected features", "linear", "mean", "Sizes tried", "models averaged", "lambda"):
        check("the page says " + word, word in words, words)


def make(folder):
    entropic, data, page = os.environ["ENTROPIC"], os.path.join(folder, "f.csv"), os.path.join(folder, "f.html")
    subprocess.run([entropic, "generate", "friedman1", "--rows", "500", "--noise", "1", "-o", data, "--quiet"], check=True)
    subprocess.run([entropic, "fit", data, "--target", "y", "--html", page, "--quiet"], check=True)
    return page


def look(browser, address, width, dark):
    _look.look(browser, address, width, dark, "fit")


if __name__ == "__main__":
    sys.exit(_look.run(make, look, (390, 1440), contents))
