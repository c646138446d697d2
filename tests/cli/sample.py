"""Fits of tables with more rows than --sample: choices are those of the sample, weights come from all rows."""
import json
import os
import random
import subprocess
import sys

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]


def run(*arguments, **more):
    return subprocess.run([ENTROPIC, *map(str, arguments)], capture_output=True, text=True, **more)


def fit(name, data, *options):
    """A fit that is given what to search for, so that it is quick; its report."""
    done = run("fit", data, "--target", "y", "--json", "-o", name, *options)
    if done.returncode != 0:
        check("a fit of %s" % data, False, done.stderr)
        return {}
    return json.loads(done.stdout)


def read(name):
    with open(name, "rb") as file:
        return file.read()


def predictions(model, data):
    return run("predict", model, data, "--quiet").stdout


def write(name, rows):
    with open(name, "w") as file:
        file.write("a,b,c,w,y\n")
        file.writelines(",".join(map(str, row)) + "\n" for row in rows)


def table(rows, seed, target):
    """Numbers, categories of which the last is very rare, missing values, weights; rows without a target."""
    draw = random.Random(seed)
    made = []
    for i in range(rows):
        a, b = draw.random(), draw.gauss(0, 1)
        c = draw.choice(["red", "green", "blue"]) if i != rows - 7 else "once"
        gap = draw.random() < .05
        y = target(a, 0 if gap else b, c, draw)
        made.append([round(a, 6), "" if gap else round(b, 6), c, draw.choice([1, 2, .5]),
                     "" if draw.random() < .02 else y])
    return made


def number(a, b, c, draw):
    return round(5 * a * a + b * (c == "red") + draw.gauss(0, .3), 4)


def label(a, b, c, draw):
    return "yes" if 2 * a + b * (c == "red") + draw.gauss(0, .3) > 1 else "no"


write("numbers.csv", table(4000, 1, number))
write("classes.csv", table(4000, 2, label))
given = ["--omega", "1", "--lambda", "1e-4", "--features", "40"]

# The weights are those that collecting all rows and solving gives: other code, which reads the file anew.
for data, options in [("numbers.csv", []), ("numbers.csv", ["--weights", "w"]),
                      ("classes.csv", ["--loss", "squared"])]:
    report = fit("sampled.entropic", data, "--sample", "900", *given, *options)
    weighted = ["--weights", "w"] if "--weights" in options else []
    run("collect", data, "--design", "sampled.entropic", "-o", "all.stat", *weighted)
    run("solve", "all.stat", "-o", "solved.entropic")
    told = " ".join([data, *options])
    check("%s: the weights are those of all rows" % told,
          predictions("sampled.entropic", data) == predictions("solved.entropic", data) != "")
    with open(data) as file:
        lines = [line.rstrip("\n").split(",") for line in file][1:]
    used = sum(line[4] != "" for line in lines)
    check("%s: all rows are counted" % told,
          report.get("rows") == used and report.get("dropped_rows") == len(lines) - used, report.get("rows"))
    check("%s: the sample is as large as asked, but for rows without a target" % told,
          850 < report.get("sample_rows", 0) <= 900, report.get("sample_rows"))
    check("%s: validation is of the sample" % told, 0 < report["validation"]["rows"] <= 900,
          report["validation"])

# A category and a class that no row of the sample has are known all the same.
done = run("score", "sampled.entropic", "classes.csv")
check("a category outside the sample is no unseen one", done.returncode == 0 and "not known" not in done.stderr,
      done.stderr)
rare = table(3000, 3, lambda a, b, c, draw: 1 if c == "once" else 2 if a < .5 else 3)
write("rare.csv", rare)
report = fit("rare.entropic", "rare.csv", "--sample", "500", "--task", "classification", "--loss", "squared", *given)
check("a class outside the sample is a class", report.get("classes") == ["1", "2", "3"] or report.get("classes") == 3,
      report.get("classes"))

# As many rows as the sample, or fewer: nothing changes, whatever the number.
fit("plain.entropic", "numbers.csv", *given)
report = fit("same.entropic", "numbers.csv", "--sample", "4000", *given)
check("a table no larger than the sample is fitted as it is",
      read("plain.entropic") == read("same.entropic") and report.get("sample_rows", 0) is None,
      report.get("sample_rows"))

# The same bytes for any number of threads, with choices by the sample; the statistics are kept where asked.
for threads in ["1", "3"]:
    fit("threads%s.entropic" % threads, "numbers.csv", "--sample", "900", "--threads", threads, "--keep-statistics",
        "--features", "60")
check("the same bytes for 1 and 3 threads", read("threads1.entropic") == read("threads3.entropic"))
run("collect", "numbers.csv", "--design", "threads1.entropic", "-o", "kept.stat")
check("the receipt is that of the statistics of all rows",
      run("receipt", "threads1.entropic").stdout == run("receipt", "kept.stat").stdout != "")

# A target far outside what the sample has sets the scale of statistics, too.
far = [row[:] for row in table(3000, 4, number)]
for place in (5, 1500, 2995):
    far[place][4] = 1e6
write("far.csv", far)
report = fit("far.entropic", "far.csv", "--sample", "100", *given)
check("targets far outside the sample are taken", report.get("rows", 0) > 2900, report)

# Figures of noise: the error that a fit of a sample reports is not better than that of the mean.
write("noise.csv", table(3000, 5, lambda a, b, c, draw: round(draw.gauss(0, 1), 4)))
report = fit("noise.entropic", "noise.csv", "--sample", "600")
check("noise is not learnt from a sample", report["validation"]["rmse"] > .97 * report["references"]["mean"],
      report["validation"])

done = run("fit", "numbers.csv", "--target", "y", "--sample", "50", "-o", "none.entropic")
check("a sample of too few rows is refused", done.returncode == 1 and "sample" in done.stderr, done.stderr)

sys.exit(end())
