"""The page of `entropic fit --html` in a real browser: it fits, can be read, and shows the curve and the references."""
import os
import shlex
import subprocess
import sys

import _look
from _look import check, equal


def contents(browser, address):
    browser.open(address, 1440)
    equal("one chart, shown once", browser.run("[...document.querySelectorAll('figure svg.wide')]"
                                               ".filter(plot => plot.getClientRects().length).length"), 1)
    words = browser.run("document.body.innerText")
    for word in ("It is the average of", "one of the ", "features of one model", "range of predictions", "a linear model", "the mean", "Sizes tried", "models averaged", "lambda", "± standard error",
                 "The chart ends with", "one standard error on either side"):
        check("the page says " + word, word in words, words)
    equal("the title has no folder, and the target", browser.run("[document.title, document.querySelector('h1').innerText]"),
          ["my table: predicting y"] * 2)
    points, bars = browser.run("['.m', '.e'].map(mark => document.querySelectorAll('svg.wide ' + mark).length)")
    check("each point has an error bar", points == bars > 1, (points, bars))


def foot(browser, address):
    browser.open(address, 390)
    facts = dict(browser.run("[...document.querySelectorAll('footer dl div')].map(d => "
                             "[d.children[0].textContent, d.children[1].textContent])"))
    check("where the page comes from", facts["date"] == "2001-09-09" and facts["seed"] == "1" and facts["processor"], facts)
    words = shlex.split(browser.run("document.querySelector('footer pre').textContent"))
    equal("a shell reads the command back", words[:2] + words[3:5], ["entropic", "fit", "--target", "y"])
    check("with the name of the data", os.path.basename(words[2]) == "my table.csv", words)


def make(folder):
    entropic, page = os.environ["ENTROPIC"], os.path.join(folder, "f.html")
    data = os.path.join(folder, "my table.csv")
    subprocess.run([entropic, "generate", "friedman1", "--rows", "500", "--noise", "1", "-o", data, "--quiet"], check=True)
    subprocess.run([entropic, "fit", data, "--target", "y", "--html", page, "--quiet"], check=True,
                   env=dict(os.environ, SOURCE_DATE_EPOCH="1000000000"))
    return page


def look(browser, address, width, dark):
    _look.look(browser, address, width, dark, "fit")


if __name__ == "__main__":
    sys.exit(_look.run(make, look, (390, 1440), contents, foot))
