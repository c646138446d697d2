"""The documents as a site, in a real browser: every page fits and has no errors, links lead somewhere, and the search finds."""
import os
import subprocess
import sys

import _look
from _look import check, equal

SEARCH = """(words => { const box = document.getElementById('search'); box.value = words;
  box.dispatchEvent(new Event('input')); return [document.getElementById('count').textContent,
  [...document.querySelectorAll('#found a')].map(a => a.getAttribute('href'))]; })"""


def contents(browser, address):
    browser.open(address, 1440)
    folder = os.path.dirname(address[len("file://"):])
    pages = sorted(n for n in os.listdir(folder) if n.endswith(".html"))
    check("a page for every document and manual page", len(pages) >= 28 and "guide.html" in pages and "entropic-fit.html" in pages,
          pages)
    lost = []
    for page in pages:
        browser.open("file://" + os.path.join(folder, page), 390)
        wide = browser.run("document.documentElement.scrollWidth")
        check(page + " fits a narrow window", wide <= 390, wide)
        errors = [e for e in browser.events if e.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded")]
        check(page + " has no errors", not errors, errors)
        lost += [(page, h) for h in browser.run("[...document.links].map(a => a.getAttribute('href'))") if not (
            h.startswith(("#", "http:", "https:", "mailto:")) or os.path.exists(os.path.join(folder, h.split("#")[0])))]
    equal("links to nowhere", lost, [])


def search(browser, address):
    browser.open(address, 1440)
    count, found = browser.run(SEARCH + "('keep-statistics')")
    check("the search finds an option", count.endswith("places") and any(h.startswith("entropic-fit.html#") for h in found),
          (count, found))
    count, found = browser.run(SEARCH + "('zyxqv')")
    equal("and says when there is nothing", (count, found), ("nothing found", []))
    images = browser.run("document.images.length")
    count, found = browser.run(SEARCH + "('<img src=x onerror=alert(1)>')")
    equal("markup is only text", (count, browser.run("document.images.length")), ("nothing found", images))
    equal("nothing is shown for no words", browser.run(SEARCH + "('')"), ["", []])


def make(folder):
    page = os.path.join(folder, "site", "index.html")
    site = os.path.join(os.environ["ENTROPIC_SOURCE"], "scripts", "site")
    subprocess.run([site, os.path.dirname(page)], check=True, stdout=subprocess.DEVNULL)
    return page


def look(browser, address, width, dark):
    _look.look(browser, address, width, dark, "site")


if __name__ == "__main__":
    sys.exit(_look.run(make, look, (390, 1440), contents, search))
