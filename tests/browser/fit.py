"""The page of `entropic fit --html` in a real browser: it fits, can be read, and shows the curve beside the references."""
import os
import subprocess
import sys
import tempfile

import _browser
import _look
from _look import check, equal


def contents(browser, address):
    browser.open(address, 1440)
    equal("one chart, shown once", browser.run("[...document.querySelectorAll('figure svg.wide')]"
                                               ".filter(plot => plot.getClientRects().length).length"), 1)
    words = browser.run("document.body.innerText")
    for word in ("selected features", "linear", "mean", "Sizes tried", "models averaged", "lambda"):
        check("the page says " + word, word in words, words)


def main():
    program = _browser.find()
    if program is None:
        print("1..0 # SKIP no Chromium here")
        return 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        entropic, data, page = os.environ["ENTROPIC"], os.path.join(folder, "f.csv"), os.path.join(folder, "f.html")
        subprocess.run([entropic, "generate", "friedman1", "--rows", "500", "--noise", "1", "-o", data, "--quiet"],
                       check=True)
        subprocess.run([entropic, "fit", data, "--target", "y", "--html", page, "--quiet"], check=True)
        browser = _browser.Browser(program, folder)
        try:
            for width in 390, 1440:
                for dark in False, True:
                    _look.look(browser, "file://" + page, width, dark, "fit")
            contents(browser, "file://" + page)
        finally:
            browser.close()
    return _look.finish()


if __name__ == "__main__":
    sys.exit(main())
