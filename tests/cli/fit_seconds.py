"""The seconds of `entropic fit`: the parts add up to the total, as JSON and in the summary, and none is negative."""
import json
import os
import re
import subprocess
import sys
import time

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
PARTS = ["read", "prepare", "validation", "design", "lift", "gram", "solve", "intervals", "collect", "other"]
TARGET = ["--target", "y"]
SIZE = ["--features", "20"]  # one that is not searched for: the first fit shows what the search takes


def run(*words):
    done = subprocess.run([ENTROPIC, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def parts_of(what, *words):
    start = time.monotonic()
    seconds = json.loads(run("fit", *words, "--json", "--quiet", "-o", "m.entropic").stdout)["seconds"]
    took = time.monotonic() - start
    total, parts = seconds["total"], [seconds[part] for part in PARTS]
    check(what + ": all parts", list(seconds) == PARTS + ["total"], list(seconds))
    check(what + ": none is negative", all(part >= 0 for part in parts), seconds)
    check(what + ": they add up", abs(sum(parts) - total) <= 1e-9 * total, [sum(parts), total])
    check(what + ": the rest is small", seconds["other"] <= 0.1 * total + 0.05, seconds)
    check(what + ": the command took longer", 0 < total <= took, [total, took])
    return seconds


def summary():
    """The parts of the summary are rounded to a hundredth, and those below half of that are left out."""
    said = run("fit", "f.csv", *TARGET, *SIZE, "-o", "m.entropic").stderr
    line = re.search(r"^seconds +([0-9.]+) \((.*)\)$", said, re.M)
    check("the summary has seconds", line is not None, said)
    parts = [float(part.split()[-1]) for part in line[2].split(", ")]
    check("the summary adds up", abs(sum(parts) - float(line[1])) <= 0.005 * (len(PARTS) + 1) + 1e-9, line[0])
    check("validation is one of them", "validation" in line[2], line[0])


def main():
    run("generate", "friedman1", "--rows", "600", "--noise", "1", "-o", "f.csv", "--quiet")
    run("generate", "friedman1", "--rows", "300", "--noise", "1", "--seed", "2", "-o", "v.csv", "--quiet")
    run("generate", "friedman1", "--rows", "7000", "--noise", "1", "-o", "large.csv", "--quiet")
    with open("f.csv") as file, open("c.csv", "w") as out:
        out.write(next(file))
        for line in file:
            x, y = line.rstrip().rsplit(",", 1)
            out.write("%s,%s\n" % (x, "high" if float(y) > 15 else "low"))
    with open("linear.csv", "w") as out:
        out.write("a,y\n")
        for i in range(6000):
            a = i * 37 % 1009
            out.write("%d,%r\n" % (a, 0.5 * a + (a * 7919 % 101) / 10))
    seconds = parts_of("regression", "f.csv", *TARGET)
    check("validation takes part of it", seconds["validation"] > 0.05 * seconds["total"], seconds)
    check("nothing to collect", seconds["collect"] < 0.01, seconds)
    parts_of("one thread", "f.csv", *TARGET, *SIZE, "--threads", "1")
    parts_of("classes", "c.csv", *TARGET, *SIZE)
    parts_of("kept statistics", "f.csv", *TARGET, *SIZE, "--keep-statistics")
    parts_of("the exact solver", "f.csv", *TARGET, "--solver", "exact", "--lambda", "1e-4", "--omega", "1")
    parts_of("features from the kernel", "f.csv", *TARGET, "--select", "entropy")
    parts_of("the iterative solver", "f.csv", *TARGET, "--select", "entropy", "--features", "50",
             "--solver", "iterative")
    parts_of("validation rows", "f.csv", *TARGET, *SIZE, "--valid", "v.csv")
    parts_of("some terms", "f.csv", *TARGET, *SIZE, "--only", "x1,x2")
    parts_of("a budget", "large.csv", *TARGET, "--seconds", "1")
    parts_of("a linear model", "linear.csv", *TARGET)
    seconds = parts_of("a sample", "large.csv", *TARGET, *SIZE, "--sample", "900")
    check("all rows take some of it", seconds["collect"] > 0, seconds)
    parts_of("classes of a sample", "c.csv", *TARGET, *SIZE, "--sample", "500", "--loss", "logistic")
    summary()
    return end()


sys.exit(main())
