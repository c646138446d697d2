"""Numbers that mark missing values: pointed out where they stand apart, taken for missing however they are written."""
import csv
import json
import os
import random
import shutil
import subprocess

from _tap import check, end, skip

ENTROPIC = os.environ["ENTROPIC"]
ROWS = 300
QUICK = ["--select", "entropy", "--features", "5", "--omega", "1", "--lambda", "0.1"]


def run(*arguments):
    done = subprocess.run([ENTROPIC, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    assert done.returncode == 0, (arguments, done.stderr.decode())
    return done.stdout.decode(), done.stderr.decode()


def write(name, columns, delimiter=","):
    with open(name, "w", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values()))
    return name


def notices(name, *more):
    out, _ = run("fit", name, "--target", "y", "-o", "model", "--json", *QUICK, *more)
    return [text for text in json.loads(out)["notices"] if "--missing" in text]


def drawn(make, codes=(), times=20, seed=1):
    """A column of numbers, some of which are replaced by codes."""
    dice = random.Random(seed)
    values = [make(dice) for _ in range(ROWS)]
    for code in codes:
        for row in dice.sample(range(ROWS), times):
            values[row] = code
    return values


def table(column, **more):
    dice = random.Random(7)
    return write("t.csv", {"a": column, "b": [dice.random() for _ in range(ROWS)],
                           "y": [round(dice.gauss(0, 1), 4) for _ in range(ROWS)], **more})


def lognormal(dice):
    return round(dice.lognormvariate(0, 2), 3)


def poisson(dice):
    return sum(dice.random() < 0.02 for _ in range(100))


FOUND = [("-200 below measurements", lambda d: round(d.uniform(0.1, 12), 1), [-200], "-200"),
         ("-200 below a wide range", lambda d: d.randrange(2, 1500), [-200], "-200"),
         ("-999 below temperatures", lambda d: round(d.gauss(10, 12), 1), [-999], "-999"),
         ("9999 above hundreds", lambda d: d.randrange(800), [9999], "9999"),
         ("999 above days", lambda d: d.randrange(28), [999], "999"),
         ("-7, -8 and -9", lambda d: d.randrange(100), [-7, -8, -9], "-9,-8,-7"),
         ("-99 and 9999", lambda d: d.randrange(1, 8), [-99, 9999], "-99,9999"),
         ("a million among tens", lambda d: round(d.gauss(20, 4), 2), [1000000], "1000000"),
         ("1e9 among tens", lambda d: round(d.gauss(20, 4), 2), [1e9], "1000000000"),
         ("1e30 among tens", lambda d: round(d.gauss(20, 4), 2), [1e30], "1e+30"),
         ("a fraction far out", lambda d: round(d.gauss(20, 4), 2), [-12345.75], "-12345.75"),
         ("1e6 and 1e9", lambda d: round(d.gauss(20, 4), 2), [1e6, 1e9], "1000000,1000000000"),
         ("-1 among incomes", lambda d: d.randrange(27000, 85000), [-1], "-1"),
         ("0 below hundreds", lambda d: d.randrange(480, 520), [0], "0"),
         ("0 and 1e6", lambda d: d.randrange(480, 520), [0, 1e6], "0,1000000")]
for what, make, codes, option in FOUND:
    said = notices(table(drawn(make, codes)))
    check(what, len(said) == 1 and "column a:" in said[0] and said[0].endswith("use --missing " + option), said)
    check(what + ": the option is right", notices("t.csv", "--missing", option) == [])

NOT = [("a price of few", lambda d: round(d.lognormvariate(3, 1.5), 2), [900]),
       ("-1 among counts", lambda d: d.randrange(100), [-1]), ("-1 among large counts", lambda d: d.randrange(3, 900), [-1]),
       ("rare events", lambda d: 0 if d.random() < 0.97 else d.randrange(1, 9), []),
       ("mostly zero", lambda d: 0 if d.random() < 0.7 else d.randrange(480, 520), []),
       ("tiers of prices", lambda d: d.choice([5, 6, 7, 8, 9, 100, 101, 105, 1000, 1001]), []),
       ("zeros among large numbers", lambda d: d.uniform(900, 1000), [0]),
       ("a heavy tail", lognormal, []), ("counts", poisson, []), ("counts with one outlier", poisson, [60]),
       ("labels of -1 and 1", lambda d: d.choice([-1, 1]), []), ("codes of a scale", lambda d: d.randrange(1, 6), []),
       ("a cap", lambda d: min(round(d.expovariate(1 / 300)), 999), []),
       ("ages and 99", lambda d: d.randrange(18, 95), [99]), ("negative numbers", lambda d: d.randrange(-300, 300), [-200]),
       ("net hundreds", lambda d: 100 * d.randrange(-9, 9), []), ("years and 9999 far away", lambda d: 9999, [1, 2]),
       ("two values alone", lambda d: d.choice([0, 999]), []), ("standardised", lambda d: round(d.gauss(0, 1), 5), [])]
for what, make, codes in NOT:
    said = notices(table(drawn(make, codes)))
    check("no alarm: " + what, said == [], said)
twice = drawn(lambda d: d.randrange(100))
twice[3] = twice[9] = -999
check("no alarm: two times only", notices(table(twice)) == [])

codes = drawn(lambda d: round(d.uniform(0, 5), 2), [-200])
both = notices(table(codes, c=codes[::-1]))
check("one notice for two columns", len(both) == 1 and "columns a, c:" in both[0] and "40 times" in both[0], both)
target = drawn(lambda d: round(d.uniform(0, 5), 2), [-999])
said = notices(write("target.csv", {"a": drawn(lognormal), "y": target}))
check("targets have codes, too", len(said) == 1 and "column y:" in said[0], said)
_, err = run("fit", "t.csv", "--target", "y", "-o", "model", *QUICK)
check("people see it, too", "use --missing -200" in err, err)

# ---- Numbers as numbers ----
dice = random.Random(3)
spelled = ["-200", "-200.0", "-2e2", "-0200", "-200.000"]
columns = {"a": [spelled[i // 10 % 5] if i % 10 == 0 else "%.2f" % dice.random() for i in range(ROWS)],
           "y": ["%.4f" % dice.random() for _ in range(ROWS)]}


def missing(name, *more):
    out, _ = run("fit", name, "--target", "y", "-o", "model", "--json", *QUICK, *more)
    return json.loads(out)["missing"]


write("points.csv", columns)
for mark in ("-200", "-200.0", "-2e2", "x,-200"):
    check("--missing %s is that number" % mark, missing("points.csv", "--missing", mark) == 30)
check("no other number is", missing("points.csv", "--missing", "200") == 0 and missing("points.csv", "--missing", "-20") == 0)
points = open("points.csv").read()
with open("commas.csv", "w") as file:
    file.write(points.replace(",", ";").replace(".", ","))
check("a decimal comma", missing("commas.csv", "--missing", "-200", "--delimiter", ";") == 30)
run("fit", "points.csv", "--target", "y", "-o", "marked", *QUICK, "--missing", "-200")
write("new.csv", {"a": spelled + ["", "0.5"]})
run("predict", "marked", "new.csv", "-o", "p.csv", "--quiet")
found = open("p.csv").read().split()[1:]
check("models keep their marks", len(set(found[:6])) == 1 and found[6] != found[0], found)
with open("n.libsvm", "w") as file:
    for i, (a, y) in enumerate(zip(columns["a"], columns["y"])):
        file.write("%s 1:%s 2:%d\n" % (y, a, i % 7))
out, _ = run("fit", "n.libsvm", "-o", "model", "--json", *QUICK, "--missing", "-200", "--task", "regression")
check("LIBSVM text", json.loads(out)["missing"] == 30, out[:200])
if shutil.which("cc") is None:
    skip("exported C", "there is no compiler")
else:
    run("export", "marked", "-o", "m.c", "--quiet")
    subprocess.run(["cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-DENTROPIC_EXPORT_MAIN", "m.c", "-o", "m",
                    "-lm"], check=True)
    with open("new.csv") as file:
        answers = subprocess.run(["./m"], stdin=file, capture_output=True, text=True).stdout.split()[1:]
    check("exported C", len(answers) == 7 and max(abs(float(a) - float(b)) for a, b in zip(answers, found)) <= 1e-9, answers)
if shutil.which("node") is None:
    skip("exported JavaScript", "there is no node")
else:
    run("export", "marked", "--lang", "js", "-o", "m.mjs", "--quiet")
    with open("run.mjs", "w") as file:
        file.write('import {predict} from "./m.mjs";\nfor (const a of ["-200", "-200.0", "-2e2", "-0200", -200, "", 0.5])\n'
                   '  console.log(predict({a}));\n')
    answers = subprocess.run(["node", "run.mjs"], capture_output=True, text=True).stdout.split()
    check("exported JavaScript", len(answers) == 7 and max(abs(float(a) - float(b)) for a, b in zip(answers, found)) <= 1e-9,
          answers)
raise SystemExit(end())
