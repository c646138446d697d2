"""`entropic paper --claims`: lines, JSON and page agree with each other; formulas again; what it refuses."""
import json
import math
import os
import subprocess
import sys
import time

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]


def run(*words):
    return subprocess.run([ENTROPIC, "paper", "--claims", *words], capture_output=True, text=True)


def held(claim):
    """By value, limit and relation alone."""
    return claim["value"] >= claim["limit"] if claim["relation"] == ">=" else claim["value"] <= claim["limit"]


def main():
    start = time.monotonic()
    done = run()
    seconds = time.monotonic() - start
    check("it takes less than a minute", seconds < 60, seconds)
    check("all claims hold, the status is 0", done.returncode == 0 and "claims hold" in done.stderr, done.stderr)
    check("no page is written unless asked for", os.listdir(".") == [], os.listdir("."))
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    check("a head, and at least 12 lines of five fields", len(lines) > 12 and {len(line) for line in lines} == {5} and
          lines[0] == ["number", "claim", "value", "limit", "holds"], lines[:2])
    check("they are numbered, and all say yes", [line[0] for line in lines[1:]] == [str(i) for i in range(1, len(lines))]
          and {line[4] for line in lines[1:]} == {"yes"})
    done = run("--json", "--html", "c.html", "--quiet", "--threads", "2")
    claims = json.loads(done.stdout)["claims"]
    check("JSON has the same", done.returncode == 0 and done.stderr == "" and len(claims) == len(lines) - 1 and all(
        line == [str(c["number"]), "%s: %s: %s" % (c["source"], c["claim"], c["measured"]), line[2],
                 "%s %s" % (c["relation"], line[3].split()[1]), "yes" if c["holds"] else "no"] and
        float(line[2]) == c["value"] and float(line[3].split()[1]) == c["limit"]
        for line, c in zip(lines[1:], claims)), done.stderr)
    check("value, limit and relation say whether a claim holds", all(c["holds"] is held(c) for c in claims))
    value = {c["name"]: c["value"] for c in claims}
    half = 2 * math.exp(-1) / (1 + math.exp(-1))  # the even boundary atom, squared, in the middle
    check("what atoms lack of laplace", abs(value["without"] - half) < 1e-6, (value["without"], half))
    order = math.tanh(8 / 16) * math.tanh(8 / 2) / math.tanh(8 / 8) ** 2
    check("the counterexample to the order", abs(value["order"] - order) < 1e-12, (value["order"], order))
    sinh = 1 - math.tanh(4) / math.sinh(4)
    check("how far C is from sinh", abs(value["not-sinh"] - sinh) < 1e-12, (value["not-sinh"], sinh))
    vanish = math.tanh(8 * 2 ** -30) / math.tanh(4)
    check("C of deep levels", abs(value["vanish"] / vanish - 1) < 1e-12, (value["vanish"], vanish))
    with open("c.html", encoding="utf-8") as file:
        page = file.read()
    check("the page has all claims, pictures, and the numbers", page.count("<figure") >= 20 and
          all("Claim %d. " % c["number"] in page for c in claims if c["name"] in ("support", "orthogonal", "expansion",
              "sparse", "training", "rate")) and "\"name\": \"rate\"" in page)
    for words in (("--data", "none"), ("--runs", "3"), ("--quick",)):
        done = run(*words)
        check("not with " + words[0], done.returncode == 1 and "--claims goes without " + words[0] in done.stderr,
              done.stderr)
    done = run("--html", "none/c.html")
    check("a page that cannot be written is said at once", done.returncode == 3 and "none/c.html" in done.stderr,
          done.stderr)
    done = run("--html", "-")
    check("the page and the lines cannot both go to standard output", done.returncode == 1, done.stderr)
    return end()


if __name__ == "__main__":
    sys.exit(main())
