"""A page of samples in a real browser: nothing on the console, no sideways scrolling, labels that can be read, tables
that sort. With PICTURES=FOLDER it also leaves pictures of the page there, for people to look at."""
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import _browser

DRIVER = os.path.join(os.environ["ENTROPIC_BUILD"], "tests", "browser-driver")
METHODS = ["EOF", "EOF-entropy", "EOF-printed", "RKS", "ORF", "LKRF", "EERF", "Nyström"]
count = 0
failed = 0


def check(what, passed, detail=""):
    global count, failed
    count += 1
    failed += not passed
    print("%s %d - %s%s" % ("ok" if passed else "not ok", count, what, "" if passed else "\n# %s" % (detail,)))


def equal(what, found, expected):
    check(what, found == expected, "found %r, expected %r" % (found, expected))


# Each label of a tick that leaves its drawing, touches another one, or is too small to read.
BAD_LABELS = """
[...document.querySelectorAll("svg.plot")].filter(plot => plot.getClientRects().length).flatMap(plot => {
  const frame = plot.getBoundingClientRect(), bad = [];
  const scale = frame.width / plot.viewBox.baseVal.width;
  for (const axis of ["x", "y"]) {
    const labels = [...plot.querySelectorAll("." + axis + " text")];
    if (labels.length < 2) bad.push("fewer than two labels");
    labels.forEach((label, i) => {
      const box = label.getBoundingClientRect();
      if (parseFloat(getComputedStyle(label).fontSize) * scale < 9.5) bad.push("small: " + label.textContent);
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 ||
          box.bottom > frame.bottom + 1) bad.push("outside: " + label.textContent);
      labels.slice(i + 1).forEach(other => {
        const b = other.getBoundingClientRect(), room = axis === "x" ? 2 : 0;
        if (box.left < b.right + room && b.left < box.right + room && box.top < b.bottom - 3 && b.top < box.bottom - 3)
          bad.push("touching: " + label.textContent + ", " + other.textContent);
      });
    });
  }
  return bad;
})"""

# Text whose contrast with what is behind it is below 4.5 to 1, and series below 3 to 1.
FAINT = """(() => {
  const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = colour => numbers(colour).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const behind = element => {
    for (; element; element = element.parentElement) {
      const colour = getComputedStyle(element).backgroundColor, parts = numbers(colour);
      if (parts.length < 4 || parts[3] > 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const faint = [];
  const texts = "h1, h2, p, dt, dd, figcaption, th, td, .pm, li, footer, text";
  for (const element of document.querySelectorAll(texts))
    if (element.getClientRects().length) {
      const style = getComputedStyle(element), colour = element.tagName === "text" ? style.fill : style.color;
      if (!(contrast(colour, behind(element)) >= 4.5)) faint.push(element.tagName + " " + colour);
    }
  for (const series of document.querySelectorAll("svg.s"))
    if (!(contrast(getComputedStyle(series).color, behind(series)) >= 3)) faint.push(series.getAttribute("class"));
  return faint;
})()"""


def look(browser, address, width, dark):
    name = "%d wide, %s: " % (width, "dark" if dark else "light")
    browser.open(address, width, dark=dark)
    equal(name + "nothing on the console", browser.complaints(), [])
    equal(name + "nothing is loaded", browser.run("performance.getEntriesByType('resource').length"), 0)
    widths = browser.run("[document.documentElement, document.body].map(element => element.scrollWidth)")
    equal(name + "no sideways scrolling", widths, [width, width])
    equal(name + "labels of ticks can be read", browser.run(BAD_LABELS), [])
    equal(name + "contrast", browser.run(FAINT), [])
    shown = browser.run("""["wide", "narrow"].map(name => [...document.querySelectorAll("svg." + name)]
                           .filter(plot => plot.getClientRects().length).length)""")
    equal(name + "one drawing of each chart is shown", shown, [0, 2] if width < 600 else [2, 0])
    background = browser.run("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    fits = max(background) < 50 if dark else min(background) > 240
    check(name + "the page has the colour asked for", fits, background)
    folder = os.environ.get("PICTURES")
    if folder:
        browser.picture(os.path.join(folder, "report-%d-%s.png" % (width, "dark" if dark else "light")))


def column(browser, number):
    return browser.run("[...document.querySelector('table.sortable').tBodies[0].rows]"
                       ".map(row => row.cells[%d].textContent)" % number)


def head(number, then):
    return "document.querySelector('table.sortable').tHead.rows[0].cells[%d]%s" % (number, then)


def click_head(browser, number):
    browser.run(head(number, ".scrollIntoView({block: 'center', inline: 'end'})"))
    x, y = browser.run("(() => { const box = %s; return [box.x + box.width / 2, box.y + box.height / 2]; })()" %
                       head(number, ".querySelector('button').getBoundingClientRect()"))
    browser.click(x, y)


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


def main():
    program = _browser.find()
    if program is None:
        print("1..0 # SKIP no Chromium here")
        return 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = os.path.join(folder, "page.html")
        subprocess.run([DRIVER, page], check=True)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        ElementTree.fromstring(text.replace("<!DOCTYPE html>", ""))
        check("the page is well-formed XML", True)
        browser = _browser.Browser(program, folder)
        try:
            for width in 320, 390, 1440:
                for dark in False, True:
                    look(browser, "file://" + page, width, dark)
            sorting(browser, "file://" + page)
            contents(browser, "file://" + page)
        finally:
            browser.close()
    print("1..%d" % count)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
