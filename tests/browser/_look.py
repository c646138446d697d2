"""What tests of pages share: counting, and looking at a page for what would be wrong with any."""
import os
import tempfile

import _browser
from _tap import check, end


def equal(what, found, expected):
    check(what, found == expected, "found %r, expected %r" % (found, expected))


# Each label of a tick that leaves its drawing, touches another one, or is too small to read.
BAD_LABELS = """
[...document.querySelectorAll("svg.plot")].filter(plot => plot.getClientRects().length).flatMap(plot => {
  const frame = plot.getBoundingClientRect(), bad = [];
  const scale = frame.width / plot.viewBox.baseVal.width;
  for (const axis of ["x", "y"]) {
    const labels = [...plot.querySelectorAll("." + axis + " text")];
    if (labels.length < 3) bad.push("fewer than three labels");
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
  const texts = "h1, h2, p, dt, dd, figcaption, th, td, .pm, li, footer, pre, text";
  for (const element of document.querySelectorAll(texts))
    if (element.getClientRects().length) {
      const style = getComputedStyle(element), colour = element.tagName === "text" ? style.fill : style.color;
      if (!(contrast(colour, behind(element)) >= 4.5)) faint.push(element.tagName + " " + colour);
    }
  for (const series of document.querySelectorAll("svg.s"))
    if (!(contrast(getComputedStyle(series).color, behind(series)) >= 3)) faint.push(series.getAttribute("class"));
  return faint;
})()"""

# What reaches over an edge of the window, but for tables in a box that scrolls.
CUT = """
[...document.querySelectorAll("h1, h2, p, dt, dd, figcaption, li, span, pre, svg, table, .scroll, footer")]
  .filter(element => element.getClientRects().length && (element.matches(".scroll") || !element.closest(".scroll")))
  .filter(element => { const box = element.getBoundingClientRect(); return box.left < -1 || box.right > innerWidth + 1; })
  .map(element => element.tagName + " " + element.textContent.slice(0, 40))"""

# Drawings that say nothing to those who do not see them.
SILENT = """
[...document.querySelectorAll("svg")].filter(drawing => drawing.getAttribute("aria-hidden") !== "true" &&
  !(drawing.getAttribute("role") === "img" && drawing.getAttribute("aria-label").length > 10)).length"""


def look(browser, address, width, dark, name):
    """Opens a page and checks what holds for all. With PICTURES=FOLDER it leaves a picture there, for people to see."""
    kind = "%s, %d wide, %s: " % (name, width, "dark" if dark else "light")
    browser.open(address, width, dark=dark)
    equal(kind + "nothing on the console", browser.complaints(), [])
    equal(kind + "nothing is loaded", browser.run("performance.getEntriesByType('resource').length"), 0)
    widths = browser.run("[document.documentElement, document.body].map(element => element.scrollWidth)")
    equal(kind + "no sideways scrolling", widths, [width, width])
    equal(kind + "labels of ticks can be read", browser.run(BAD_LABELS), [])
    equal(kind + "contrast", browser.run(FAINT), [])
    equal(kind + "nothing is cut off", browser.run(CUT), [])
    equal(kind + "drawings have texts", browser.run(SILENT), 0)
    background = browser.run("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    fits = max(background) < 50 if dark else min(background) > 240
    check(kind + "the page has the colour asked for", fits, background)
    folder = os.environ.get("PICTURES")
    if folder:
        browser.picture(os.path.join(folder, "%s-%d-%s.png" % (name, width, "dark" if dark else "light")))


def click_head(browser, table, number):
    """A click on the head of a column of a table, which is given by its selector."""
    head = "document.querySelector(%r).tHead.rows[0].cells[%d]" % (table, number)
    browser.run(head + ".scrollIntoView({block: 'center', inline: 'end'})")
    x, y = browser.run("(() => { const box = %s.querySelector('button').getBoundingClientRect(); "
                       "return [box.x + box.width / 2, box.y + box.height / 2]; })()" % head)
    browser.click(x, y)


def run(make, look_at, widths, *checks):
    """Runs a test of one page: make(folder) writes it and returns its path; look_at(browser, address, width, dark) looks
    at it in each width, light and dark; each of checks is called with the browser and the address."""
    program = _browser.find()
    if program is None:
        print("1..0 # SKIP no Chromium here")
        return 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        address = "file://" + make(folder)
        browser = _browser.Browser(program, folder)
        try:
            for width in widths:
                for dark in False, True:
                    look_at(browser, address, width, dark)
            for called in checks:
                called(browser, address)
        finally:
            browser.close()
    return end()
