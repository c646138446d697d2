"""What the command says where a few rows decide a figure: validation rows that have most of the squared error, and fits
that leave out too few rows for intervals."""
import json
import os
import random
import subprocess
import sys

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]


def run(*words):
    return subprocess.run([ENTROPIC, *words], capture_output=True, text=True)


def write(name, rows, noise):
    draw = random.Random(4)
    with open(name, "w") as file:
        file.write("a,b,y\n")
        for i in range(rows):
            a, b = draw.random(), draw.random()
            file.write("%r,%r,%r\n" % (a, b, 3 * a + b * b + noise(draw, i)))
    return name


def fitted(name):
    """The report of a fit, and its words on a few rows."""
    done = run("fit", name, "--target", "y", "-o", "model", "--json")
    check("fit " + name, done.returncode == 0, done.stderr)
    return json.loads(done.stdout)["validation"], [line for line in done.stderr.splitlines() if "a few rows" in line]


def heavy_tails():
    # Three of 400 rows are far off: they are among the 4 heaviest, 1 % of the rows.
    heavy, said = fitted(write("heavy.csv", 400, lambda draw, i: draw.gauss(0, 0.1) + (30 if i % 131 == 7 else 0)))
    check("a few rows have most of the error", heavy["heaviest_rows"] == 4 and heavy["heaviest_share"] > 0.5, heavy)
    wanted = ("entropic fit: notice: 4 of the 400 validation rows have %.0f %% of the squared error: the figure and "
              "the fit depend on a few rows" % (100 * heavy["heaviest_share"]))
    check("which is said", said == [wanted], (said, wanted))
    done = run("fit", "heavy.csv", "--target", "y", "-o", "model", "--quiet")
    check("not quietly", done.returncode == 0 and done.stderr == "", done.stderr)
    one, said = fitted(write("one.csv", 90, lambda draw, i: draw.gauss(0, 0.1) + (30 if i == 44 else 0)))
    wanted = ("entropic fit: notice: 1 of the 90 validation rows has %.0f %% of the squared error: the figure and the "
              "fit depend on a few rows" % (100 * one["heaviest_share"]))
    check("one row has", one["heaviest_share"] > 0.5 and said == [wanted], (one, said))
    for name, noise in (("normal", lambda draw, i: draw.gauss(0, 0.1)),
                        ("tails", lambda draw, i: 0.1 * draw.gauss(0, 1) / max(abs(draw.gauss(0, 1)), 0.3))):
        plain, said = fitted(write(name + ".csv", 400, noise))
        check("%s noise: less than half of the error, nothing is said" % name,
              0 < plain["heaviest_share"] < 0.5 and said == [], (plain, said))


def few_rows():
    """Intervals need 20 rows that the fit left out."""
    for rows, fine in ((19, False), (20, True)):
        name = write("few.csv", rows, lambda draw, i: draw.gauss(0, 0.05))
        done = run("fit", name, "--target", "y", "-o", "few.entropic", "--quiet")
        check("a fit of %d rows" % rows, done.returncode == 0, done.stderr)
        for words in (("predict", "--interval", ".8"), ("predict", "--std"), ("score", "--interval", ".8")):
            done = run(words[0], "few.entropic", name, *words[1:])
            what = "%s of a fit of %d rows" % (" ".join(words), rows)
            if fine:
                check(what, done.returncode == 0, done.stderr)
                continue
            words = "the model has no intervals: found 19 rows that its fit left out, expected at least 20"
            check(what + " is refused",
                  done.returncode != 0 and done.stdout == "" and done.stderr.endswith(words + "\n"), done.stderr)
            check(what + ": no word of older versions", "older version" not in done.stderr, done.stderr)


def equal_errors():
    """Rows that all have the same error do not show how rows differ: no standard error is 0."""
    for name, task, rows in (("classes.csv", "auto", "x,y\n1,a\n2,b\n"),
                             ("numbers.csv", "regression", "x,y\n1,1\n2,2.5\n")):
        with open(name, "w") as file:
            file.write(rows)
        done = run("fit", name, "--target", "y", "--task", task, "-o", "two.entropic")
        check("two rows of one error: %s" % name, done.returncode == 0 and "validation  " in done.stderr and
              "+-" not in done.stderr, done.stderr)


heavy_tails()
few_rows()
equal_errors()
sys.exit(end())
