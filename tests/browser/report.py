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
    equal("report, %d wide: one drawing of each chart is shown" % width, shown, [0, 5] if width < 600 else [5, 0])


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


def figure(title, then=""):
    return ("[...document.querySelectorAll('figure')].find(f => f.querySelector('figcaption').textContent.includes(%r))%s"
            % (title, then))


# Colour and marker of each entry of a legend; the marker without the place where it stands.
ENTRIES = (".querySelectorAll('.legend li')].map(li => [getComputedStyle(li.querySelector('svg')).color, "
           "li.querySelector('.m').getAttribute('d').replace(/^M[-.0-9]+ [-.0-9]+/, '')])")


def looks(browser, address):
    for dark in False, True:
        browser.open(address, 390, dark=dark)
        entries = browser.run("[..." + figure("Sixteen methods", ENTRIES))
        equal("sixteen series have sixteen colours", len({colour for colour, _ in entries}), 16)
        equal("and sixteen markers", len({marker for _, marker in entries}), 16)
        drawn = browser.run("[..." + figure("Sixteen methods", """.querySelectorAll('svg.narrow g.s')].map(g =>
            [getComputedStyle(g).color, g.querySelector('.m').getAttribute('d').replace(/^M[-.0-9]+ [-.0-9]+/, '')])"""))
        equal("the drawing has those of the legend", drawn, entries)
        equal("a series with a look of its own keeps it", browser.run("[..." + figure("The twelfth", ENTRIES)),
              entries[11:12])
    boxes = browser.run("[..." + figure("Sixteen methods", """.querySelectorAll('.legend li')].map(li => {
        const box = li.getBoundingClientRect(), text = li.querySelector('span').getBoundingClientRect();
        return [box.left, box.top, box.right, box.bottom, text.right]; })"""))
    check("the legend is inside", all(b[0] >= 0 and b[2] <= 390 and b[4] <= b[2] + 1 for b in boxes), boxes)
    apart = all(a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
                for i, a in enumerate(boxes) for b in boxes[i + 1:])
    check("and its entries do not touch", apart, boxes)
    labels = browser.run("[..." + figure("Sixteen methods", """.querySelectorAll('svg.narrow .y text')]
        .map(t => Number(t.textContent))"""))
    lowest = 0.02 + 0.19 * 0.72 ** 6
    check("labels where the lowest errors are", labels[0] <= 1.2 * lowest and len(labels) >= 5, labels)


def raising(browser, address):
    browser.open(address, 1440)
    browser.run(figure("Sixteen methods", ".scrollIntoView()"))
    x, y = browser.run("(() => { const box = %s.getBoundingClientRect(); return [box.x + 9, box.y + 9]; })()"
                       % figure("Sixteen methods", ".querySelectorAll('.legend li')[3]"))
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    faint = browser.run("new Promise(done => setTimeout(() => done([...%s].map(g => "
                        "Number(getComputedStyle(g).opacity) < 0.5)), 400))"
                        % figure("Sixteen methods", ".querySelectorAll('svg.wide g.s')"))
    equal("the pointer on an entry raises its series", faint, [i != 3 for i in range(16)])


def frontier(browser, address):
    browser.open(address, 1440)
    chart = figure("training time", ".querySelector('svg.wide')")
    equal("the frontier is behind the others",
          browser.run("[...%s.querySelectorAll('g.s')].map(g => g.matches('.f'))" % chart), [True] + [False] * 4)
    path = browser.run(chart + ".querySelector('.f path').getAttribute('d')")
    steps = [float(y) for y in path.replace("V", " V").replace("H", " H").split() if y[0] == "V" for y in [y[1:]]]
    check("it falls in steps", len(steps) >= 3 and steps == sorted(steps) and path.count("L") == 0, path)
    points = browser.run("[...%s.querySelectorAll('circle')].map(c => [c.cx.baseVal.value, c.cy.baseVal.value])" % chart)
    inside = browser.run("(() => { const path = %s.querySelector('.f path'), d = path.getAttribute('d'); "
                         "const marks = [...d.matchAll(/[MHV]([-.0-9]+)(?: ([-.0-9]+))?/g)]; let x = 0, y = 0; const at = []; "
                         "for (const m of marks) { if (m[0][0] === 'M') { x = +m[1]; y = +m[2]; } "
                         "else if (m[0][0] === 'H') x = +m[1]; else y = +m[1]; at.push([x, y]); } return at; })()" % chart)
    below = [p for p in points if p[1] > max(y for x, y in inside if x <= p[0] + 0.01) + 0.01]
    equal("and no point is below it", below, [])
    equal("it is in the legend, without a marker",
          browser.run(figure("training time", ".querySelectorAll('.legend .f .m').length")), 0)
    tips = browser.run("[...%s.querySelectorAll('title')].map(t => t.textContent)" % chart)
    check("points have their labels", tips[1].startswith("EOF\nM = 30\n"), tips)
    equal("but where there is none", tips[4].count("M ="), 0)


def groups(browser, address):
    browser.open(address, 390)
    table = figure("By budget", ".querySelector('table')")
    rows = "[...%s.rows].slice(1).map(row => row.cells[0].textContent)" % table
    equal("the best of each budget", browser.run("[...%s.querySelectorAll('.best')].map(c => c.dataset.value)" % table),
          ["0.3", "0.1"])
    equal("what stands after the sign", browser.run(table + ".querySelector('thead .pm').textContent"),
          "± standard error")
    browser.run(table + ".querySelectorAll('button')[1].click()")
    equal("groups are sorted by themselves", browser.run(rows),
          ["10 features", "EOF", "ORF", "RKS", "100 features", "RKS", "ORF", "EOF"])
    browser.run(table + ".querySelectorAll('button')[1].click()")
    browser.run(table + ".querySelectorAll('button')[1].click()")
    equal("and restored", browser.run(rows), ["10 features", "EOF", "RKS", "ORF", "100 features", "EOF", "RKS", "ORF"])


def foot(browser, address):
    browser.open(address, 390)
    facts = dict(browser.run("[...document.querySelectorAll('footer dl div')].map(d => "
                             "[d.children[0].textContent, d.children[1].textContent])"))
    equal("what the foot says", list(facts), ["made with", "date", "seed", "processor"])
    check("and of what", facts["date"] == "2026-11-17" and facts["seed"] == "7" and len(facts["processor"]) > 2 and
          facts["made with"].startswith("Entropic "), facts)
    equal("the command can be copied", browser.run("document.querySelector('footer pre').textContent"),
          "entropic compare 'my table.csv' --target y --features 10,30,100,300 "
          "--html a-folder/with-a-rather-long-name/comparison.html")


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
          ["FIGCAPTION"] * 11)
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
    sys.exit(_look.run(make, look, (320, 390, 1440), sorting, looks, raising, frontier, groups, foot, contents))
