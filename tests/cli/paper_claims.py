"""`entropic paper --claims`: lines, JSON and page agree with each other; formulas again; what it refuses."""
import json
import math
import os
import re
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


def share(inputs, n):
    """Of non-zeros in a row of S_n."""
    return math.comb(n + inputs - 1, inputs) / sum(2 ** j * math.comb(j + inputs - 1, inputs - 1) for j in range(n))


def shapes(value):
    """Atoms of laplace are sinh(w t) / sinh(w h), C is tanh(w h)."""
    growth = 0.5 / math.tanh(0.5)
    check("norms grow as 2^l", abs(value["growth"] - growth) < 1e-12, (value["growth"], growth))
    linear = 2 * max(j / 32 - math.sinh(j / 8) / math.sinh(4) for j in range(33))
    check("how far atoms are from linear hats", abs(value["linear"] - linear) < 1e-12, (value["linear"], linear))


def shares(value, note):
    most = max(share(d, n) / (2 * n / 2 ** n) for d in range(1, 9) for n in range(1, 25))
    check("the share of non-zeros", abs(value["share"] - most) < 1e-12, (value["share"], most))
    ratios = {d: share(d, 24) * d * 2 ** 24 / 24 for d in (1, 2, 3, 8)}
    limit = max(abs(ratios[d] - 1) for d in (1, 2, 3))
    check("its limit", abs(value["share-limit"] - limit) < 1e-12, (value["share-limit"], limit))
    check("and how far from it eight inputs are", note["share-limit"] == "D = 8: %.3f times n/(D 2^n)" % ratios[8],
          note["share-limit"])


def worst(value, note):
    """What is left on a cell is a Brownian bridge, here linear between its 31 inner points: both its matrix and the mass
    matrix have sines as eigenvectors. Its eigenvalue is 1/pi^2 in the limit."""
    angle = math.pi / 32
    found = math.pi ** 2 / 32 ** 2 * (4 + 2 * math.cos(angle)) / (12 * (1 - math.cos(angle)))
    check("the worst function of one input", abs(value["worst"] - (1 - found)) < 1e-9, (value["worst"], 1 - found))
    growth = (65 / 66) ** 2  # from M = 33 to 65: M^2/(M-1)^2
    check("Lemma 1 is nearly sharp for one input", abs(value["lemma"] - growth) < 1e-9, (value["lemma"], growth))
    numbers = [float(word) for word in re.findall(r"\d+\.\d+", note["logarithm"])]
    check("the exponents of the logarithm are said", len(numbers) == 4 and abs(value["logarithm"] - max(
        e / most for e, most in zip(numbers, (4, 8, 4, 8)))) < 0.01, note["logarithm"])


def main():
    start = time.monotonic()
    done = run()
    seconds = time.monotonic() - start
    check("it takes less than a minute", seconds < 60, seconds)
    check("all claims hold, the status is 0", done.returncode == 0 and "claims hold" in done.stderr, done.stderr)
    check("no page is written unless asked for", os.listdir(".") == [], os.listdir("."))
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    check("a head, and at least 34 lines of five fields", len(lines) > 34 and {len(line) for line in lines} == {5} and
          lines[0] == ["number", "claim", "value", "limit", "holds"], lines[:2])
    check("they are numbered, and all say yes", [line[0] for line in lines[1:]] == [str(i) for i in range(1, len(lines))]
          and {line[4] for line in lines[1:]} == {"yes"})
    done = run("--json", "--html", "c.html", "--quiet", "--threads", "2")
    claims = json.loads(done.stdout)["claims"]
    check("JSON has the same", done.returncode == 0 and done.stderr == "" and len(claims) == len(lines) - 1 and all(
        line == [str(c["number"]), "%s: %s: %s%s" % (c["source"], c["claim"], c["measured"],
                                            "; " + c["note"] if c["note"] else ""), line[2],
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
    note = {c["name"]: c["note"] for c in claims}
    shapes(value)
    shares(value, note)
    worst(value, note)
    with open("c.html", encoding="utf-8") as file:
        page = file.read()
    check("the page has all claims, pictures, and the numbers", page.count("<figure") >= 28 and
          all("Claim %d. " % c["number"] in page for c in claims if c["name"] in ("support", "orthogonal", "expansion",
              "sparse", "training", "union", "growth", "linear", "share-limit", "worst", "lemma", "logarithm",
              "rate")) and "\"name\": \"rate\"" in page)
    for words in (("--data", "none"), ("--runs", "3"), ("--quick",), ("--only", "none"), ("--most", "80"),
                  ("--results", "r.json")):
        done = run(*words)
        check("not with " + words[0], done.returncode == 1 and "--claims and " + words[0] + " cannot be combined" in done.stderr,
              done.stderr)
    done = run("--html", "none/c.html")
    check("a page that cannot be written is said at once", done.returncode == 3 and "none/c.html" in done.stderr,
          done.stderr)
    done = run("--html", "-")
    check("the page and the lines cannot both go to standard output", done.returncode == 1, done.stderr)
    return end()


if __name__ == "__main__":
    sys.exit(main())
