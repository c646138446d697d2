"""What the tests of exports share: running the command and compilers, tables of text, rows that data rarely have."""
import csv
import io
import math
import os
import shutil
import subprocess

ENTROPIC = os.environ["ENTROPIC"]
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]
GCC = shutil.which("gcc")
CLANG = shutil.which("clang") or shutil.which("clang-14")
NODE = shutil.which("node")
DIGITS, FLOAT_DIGITS = 1e-12, 1e-5


def run(*words, stdin=None):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, input=stdin, timeout=120)


def entropic(*words):
    done = run(ENTROPIC, *words)
    if done.returncode:
        raise SystemExit("%s: %s" % (" ".join(map(str, words)), done.stderr))
    return done.stdout


def table_of(text):
    return list(csv.reader(io.StringIO(text)))


def same(found, wanted, digits):
    """Numbers are compared relative to the largest of their column; all else must be equal. What differs first, or ''."""
    if len(found) != len(wanted) or found[:1] != wanted[:1]:
        return "%d lines of %d, header %s of %s" % (len(found), len(wanted), found[:1], wanted[:1])
    for c in range(len(wanted[0])):
        column = [(float(f[c]), float(w[c])) if is_number(w[c]) else (f[c], w[c]) for f, w in zip(found[1:], wanted[1:])]
        most = max([abs(w) for _, w in column if isinstance(w, float)], default=0)
        for r, (f, w) in enumerate(column):
            if not (abs(f - w) <= digits * most if isinstance(w, float) else f == w):
                return "row %d, column %d: %s, expected %s" % (r + 1, c + 1, f, w)
    return ""


def is_number(text):
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def more_rows(model):
    """Rows of the kinds that data rarely have: all missing, beyond the range, categories that were not seen."""
    rows = []
    for kind in range(5):
        row = []
        for i, of in enumerate(model["inputs"]):
            if kind == 0 or (kind == 4 and i % 2):
                row.append("" if kind == 0 or of["type"] == "category" else ["na", "NULL", "-"][i % 3])
            elif of["type"] == "category":
                row.append("never seen" if kind == 1 else of["categories"][(kind + i) % len(of["categories"])])
            else:
                knots = of["knots"] or [0, 1]
                number = [0, knots[0] - 1, knots[-1] + 1, knots[len(knots) // 2], knots[0]][kind]
                row.append("1970-01-02" if of["type"] == "date" else repr(number))
        rows.append(row + ["1"])
    return [[of["name"] for of in model["inputs"]] + ["another column"]] + rows


def written(path, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def compiled(source, program, *options):
    done = run(GCC, *STRICT, *options, source, "-o", program, "-lm")
    return "" if done.returncode == 0 else done.stderr[:2000]
