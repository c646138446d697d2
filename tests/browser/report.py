"""A page of samples in a real browser: nothing on the console, no sideways scrolling, labels that can be read, tables
that sort. With PICTURES=FOLDER it also leaves pictures of the page there, for people to look at."""
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import _look
from _look import check, equal

DRIVER = os.path.join(os.environ["ENTROPIC_BUILD"], "tests", "browser-driver")
METHODS = ["EOF", "EOF-select", "EOF-printed", "RKS", "ORF", "LKRF", "EERF", "Nyström"]


def look(browser, address, width, dark):
    _look.look(browser, address, width, dark, "report")
    shown = browser.run("""["wide", "narrow"].map(name => [...document.querySelectorAll("svg." + name)]
                           .filter(plot => plot.getClientRects().length).length)""")
    equal("report, %d wide: one drawing of each chart is shown" % width, shown, [0, 2] if width < 600 else [2, 0])


def column(browser, number):
    return browser.run("[...document.querySelector('table.sortable').tBodies[0].rows]"
                       ".map(row => row.cells[%d].textContent)" % number)


def head(number, then):
    return "document.querySelector('table.sortable').tHead.rows[0].cells[%d]%s" % (number, then)


def click_head(browser, number):
    _look.click_head(browser, "table.sortable", number)


def sorting(browser, address):
    browser.open(address, 390)
    equal("the table is as it was written", column(browser, 0), METHODS)
    click_head(browser, 3)
    equal("a click sorts upwards, the empty cell last", column(browser, 3),
          ["0.900", "0.910", "0.930", "0.940", "0.950", "0.960", "0.970", ""])
    equal("and says so", browser.run(head(3, ".getAttribute('aria-sort')")), "ascending")
    click_head(browser, 3)
    equal("the second click sorts downwards, the empty cell still last", column(browser, 3),
          ["0.970", "0.960", "0.950", "0.940", "0.930", "0.910", "0.900", ""])
    equal("and says so, too", browser.run(head(3, ".getAttribute('aria-sort')")), "descending")
    click_head(browser, 3)
    equal("the third click restores the order", column(browser, 0), METHODS)
    equal("and no column is sorted", browser.run("document.querySelectorAll('[aria-sort]').length"), 0)
    click_head(browser, 4)
    equal("numbers sort by size, not by text", column(browser, 4),
          ["1.00e-7", "0.500", "1.50", "4.50", "13.5", "40.5", "122", "364"])
    click_head(browser, 5)
    equal("negative and infinite numbers", column(browser, 5),
          ["−1.0", "−0.50", "−0.25", "0", "0.25", "0.50", "0.75", "∞"])
    equal("one column is sorted at a time", browser.run("document.querySelectorAll('[aria-sort]').length"), 1)
    click_head(browser, 6)
    equal("what is equal stays in its order", column(browser, 0)[:3], METHODS[:3])
    click_head(browser, 7)
    equal("texts with numbers in them", column(browser, 7)[:3],
          ["<script>alert('x')</script> & \"quotes\"", "item 9", "item 10"])
    browser.run(head(0, ".querySelector('button').focus()"))
    browser.press("Enter", 13)
    equal("the keyboard sorts", column(browser, 0), sorted(METHODS, key=str.lower))
    equal("all of it without complaint", browser.complaints(), [])


def contents(browser, address):
    browser.open(address, 1440)
    equal("the numbers can be read by programs",
          browser.run("JSON.parse(document.getElementById('numbers').textContent)"),
          {"title": "</script><b>", "values": [1, 2.5, None]})
    elements = browser.run("['script', 'b'].map(name => document.querySelectorAll(name).length)")
    equal("hostile text is text", elements, [2, 0])
    equal("language and title", browser.run("[document.documentElement.lang, document.title]"),
          ["en", "Eight ways to choose features"])
    equal("every header says what it heads", browser.run("document.querySelectorAll('th:not([scope])').length"), 0)
    equal("every figure has a caption, first",
          browser.run("[...document.querySelectorAll('figure')].map(f => f.firstElementChild.tagName)"),
          ["FIGCAPTION"] * 8)
    browser.open(address, 390)
    scroll = browser.run("document.querySelector('.scroll').scrollWidth")
    check("a wide table scrolls in its box", scroll > 390, scroll)
    equal("which the keyboard can reach", browser.run("document.querySelector('.scroll').tabIndex"), 0)
    browser.call("Emulation.setEmulatedMedia", media="print",
                 features=[{"name": "prefers-color-scheme", "value": "dark"}])
    equal("paper is white", browser.run("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
    equal("on paper nothing is hidden", browser.run("getComputedStyle(document.querySelector('.scroll')).overflowX"),
          "visible")
    browser.call("Emulation.setEmulatedMedia", media="")


def make(folder):
    page = os.path.join(folder, "page.html")
    subprocess.run([DRIVER, page], check=True)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    ElementTree.fromstring(text.replace("<!DOCTYPE html>", ""))
    check("the page is well-formed XML", True)
    return page


if __name__ == "__main__":
    sys.exit(_look.run(make, look, (320, 390, 1440), sorting, contents))
