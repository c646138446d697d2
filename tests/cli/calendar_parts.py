"""Parts of dates: hours, weekdays and days of the year are inputs of their own, everywhere a model goes."""
import csv
import datetime
import hashlib
import json
import math
import os
import random
import shutil
import subprocess

from _tap import check, end, skip

ENTROPIC = os.environ["ENTROPIC"]
ROWS = 900
PARTS = ["yearday", "weekday", "hour"]
USAGE = 1
QUICK = ["--quiet", "--omega", "1", "--features", "40"]


def run(*arguments):
    done = subprocess.run([ENTROPIC, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=600)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def sound(*arguments):
    code, out, err = run(*arguments)
    assert code == 0, (arguments, err)
    return out


def write(name, head, rows):
    with open(name, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows(rows)
    return name


def digest(name):
    with open(name, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def draw(rows, seed, days=900, zones=("", "Z", "+02:00", "-0700", " +05:30")):
    """Rows of a date as written, a number and the target, which follows the clock as written."""
    dice = random.Random(seed)
    for _ in range(rows):
        at = datetime.datetime(2019, 2, 20) + datetime.timedelta(minutes=dice.randrange(days * 1440))
        x = dice.random()
        hour = at.hour + at.minute / 60
        y = (3 * abs(hour - 12) / 4 + 4 * (at.weekday() >= 5) + 5 * math.cos(at.timetuple().tm_yday / 58.25) + x +
             dice.gauss(0, 0.5))
        text = "" if dice.random() < 0.03 else at.isoformat() + dice.choice(zones)
        yield text, "%.6f" % x, "%.6f" % y


def names_of(model):
    return [column["name"] for column in json.loads(sound("info", model, "--json"))["columns"]]


def predictions(name):
    with open(name, newline="") as file:
        return [float(row["prediction"]) for row in csv.DictReader(file)]


def worst(a, b):
    return max((abs(p - q) for p, q in zip(a, b)), default=math.inf) if len(a) == len(b) else math.inf


HEAD = ["when", "x", "y"]
train = write("train.csv", HEAD, draw(ROWS, 1))
test = write("test.csv", HEAD, draw(600, 2))
ALL = ["when"] + ["when:" + part for part in PARTS] + ["x"]

# ---- Which inputs there are ----
sound("fit", train, "--target", "y", "-o", "model", *QUICK)
check("a date is the date and its parts", names_of("model") == ALL, names_of("model"))
score = json.loads(sound("score", "model", test, "--json", "--quiet"))
check("hours, weekdays and seasons are learnt", score["rmse"] <= 1.3, score)

for days, parts in ((0.5, []), (0.97, ["hour"]), (7, ["weekday", "hour"]), (300, ["weekday", "hour"]), (380, PARTS)):
    rows = [("%s" % (datetime.datetime(2020, 5, 4) + datetime.timedelta(minutes=days * 1440 * i / 200)).isoformat(" "),
             i % 7, i % 11) for i in range(201)]
    sound("fit", write("span.csv", HEAD, rows), "--target", "y", "-o", "span", "--quiet", "--features", "10")
    check("dates of %g days have the parts %s" % (days, ", ".join(parts) or "none"),
          names_of("span") == ["when"] + ["when:" + part for part in parts] + ["x"], names_of("span"))
rows = [((datetime.date(2015, 1, 1) + datetime.timedelta(days=7 * i)).isoformat(), i % 7, i % 11) for i in range(200)]
sound("fit", write("weeks.csv", HEAD, rows), "--target", "y", "-o", "weeks", "--quiet", "--features", "10")
check("what does not vary is no input", names_of("weeks") == ["when", "when:yearday", "x"], names_of("weeks"))
rows = [(when, x, y, i % 24) for i, (when, x, y) in enumerate(draw(200, 3))]
code, out, err = run("fit", write("own.csv", HEAD + ["when:hour"], rows), "--target", "y", "-o", "own", "--features", "10")
check("a column with the name of a part is pointed out", code == 0 and
      err.count("column when:hour has the name of a part of the dates when, so that part is not derived") == 1, err)
check("a column of that name stands in its place",
      names_of("own") == ["when", "when:yearday", "when:weekday", "x", "when:hour"], names_of("own"))

# ---- The clock as written ----
fixed = [(when[:16], x, y) for when, x, y in draw(ROWS, 1)]
sound("fit", write("fixed.csv", HEAD, fixed), "--target", "y", "-o", "fixed", *QUICK)
check("a zone changes nothing", digest("fixed") == digest("model"))
NAMED = (" CET", " EST", " UTC", "[Europe/Berlin]", "+02:00[Europe/Berlin]", " America/New_York", "-0500 EST")
for name, zones, names in (("named", NAMED, 1), ("late", ("",), 1), ("plain", ("", "Z", " UTC", "+02:00"), 0)):
    rows = list(draw(ROWS, 1, zones=zones))
    if name == "late":  # behind the rows that types are guessed from
        rows = [(when + " CET" if when and i == ROWS - 7 else when, x, y) for i, (when, x, y) in enumerate(rows)]
    code, out, err = run("fit", write(name + ".csv", HEAD, rows), "--target", "y", "-o",
                         name, *[word for word in QUICK if word != "--quiet"])
    check("zones of %s change nothing" % name, code == 0 and names_of(name) == ALL, err)
    check("zones of %s have %d notice" % (name, names), err.count("column when: its times have named zones") == names, err)
    sound("fit", write("bare.csv", HEAD, [(when[:16], x, y) for when, x, y in rows]), "--target", "y", "-o", "bare", *QUICK)
    check("%s: the same model" % name, digest("bare") == digest(name))
write("midnight.csv", HEAD[:2], [("2020-12-31T23:59:59.999", 0.5), ("2021-01-01 00:00+03:00", 0.5)])
sound("predict", "model", "midnight.csv", "-o", "p.csv", "--effects", "--quiet")
with open("p.csv", newline="") as file:
    late, early = csv.DictReader(file)
for part in ("yearday", "hour"):
    key = "effect_when:" + part
    check("the ends of %s are joined" % part, abs(float(late[key]) - float(early[key])) <= 0.15, (late, early))

# ---- Missing dates, rows without names ----
write("gaps.csv", HEAD[:2], [("", 0.5), ("NA", 0.5)])
code, out, err = run("predict", "model", "gaps.csv", "-o", "p.csv")
check("a missing date is missing in all parts, and counted once",
      code == 0 and "2 missing values" in err and worst(predictions("p.csv")[:1], predictions("p.csv")[1:]) == 0, err)
with open(test) as file, open("bare.csv", "w") as bare:
    bare.writelines(",".join(line.split(",")[:2]) + "\n" for line in file.read().splitlines()[1:])
sound("predict", "model", "bare.csv", "-o", "bare.out", "--quiet")
sound("predict", "model", test, "-o", "named.out", "--quiet")
check("columns without names are one for each column, not for each part",
      worst(predictions("bare.out"), predictions("named.out")) == 0)

# ---- Same bytes ----
for threads in ("1", "3"):
    sound("fit", train, "--target", "y", "-o", "again", *QUICK, "--threads", threads)
    check("the same bytes on %s threads" % threads, digest("again") == digest("model"))
rows = list(draw(ROWS, 1))
for i in range(3):
    write("shard%d.csv" % i, HEAD, rows[i * 300:i * 300 + 300])
sound("fit", "shard0.csv", "shard1.csv", "shard2.csv", "--target", "y", "-o", "again", *QUICK)
check("the same bytes from several files", digest("again") == digest("model"))
sound("fit", train, "--target", "y", "-o", "kept", *QUICK, "--keep-statistics")
for i in range(2):
    sound("collect", "shard%d.csv" % i, "--design", "kept", "-o", "s%d" % i, "--quiet")
write("both.csv", HEAD, rows[:600])
sound("collect", "both.csv", "--design", "kept", "-o", "s", "--quiet")
sound("merge", "s1", "s0", "-o", "merged", "--quiet")
check("merged statistics are those of all rows", digest("merged") == digest("s"))
shutil.copy("kept", "changed")
sound("forget", "changed", "shard1.csv", "--quiet")
sound("update", "changed", "shard1.csv", "--quiet")
check("forgetting and adding rows changes nothing",
      sound("receipt", "changed").split()[0] == sound("receipt", "kept").split()[0])
spooled = ["fit", train, "--target", "y", "-o", "again", *QUICK, "--spool", ".", "--memory", "16M"]
sound(*spooled)
check("the same bytes from a spool", digest("again") == digest("model"))

# ---- Terms ----
for terms, expected in (("when:hour", {"when:hour"}), ("when:hour,x", {"when:hour", "x"}),
                        ("when:hour:x", {"when:hour", "x"}), ("x:when:hour", {"when:hour", "x"}),
                        ("when:yearday:when:weekday", {"when:yearday", "when:weekday"}),
                        ('"when:hour":x', {"when:hour", "x"}), ("when:x", {"when", "x"})):
    sound("fit", train, "--target", "y", "-o", "terms", "--quiet", "--omega", "1", "--only", terms, "--features", "30",
          "--unrestricted", "no")
    columns = json.loads(sound("info", "terms", "--json"))["columns"]
    check("--only %s" % terms, {c["name"] for c in columns if c["used"]} <= expected and
          any(c["used"] for c in columns), columns)
code, out, err = run("fit", train, "--target", "y", "-o", "terms", "--quiet", "--only", "when:minute")
check("--only names what is no input", code == USAGE and "minute" in err, err)
sound("fit", train, "--target", "y", "-o", "terms", *QUICK, "--without", "when:hour", "--unrestricted", "no")
used = [c["name"] for c in json.loads(sound("info", "terms", "--json"))["columns"] if c["used"]]
check("--without leaves one part out", "when:hour" not in used and "when:weekday" in used, used)

# ---- Other kernels and solvers ----
for more in (["--kernel", "sobolev"], ["--kernel", "laplace"], ["--solver", "exact"], ["--scale", "minmax"],
             ["--select", "entropy"], ["--basis", "interior"]):
    sound("fit", train, "--target", "y", "-o", "other", "--quiet", "--omega", "1", *more,
          *(["--lambda", "1e-3"] if "exact" in more else ["--features", "200"]))
    found = json.loads(sound("score", "other", test, "--json", "--quiet"))["rmse"]
    check("fit " + " ".join(more), found <= 2.6, found)
code, out, err = run("fit", train, "--target", "y", "-o", "other", "--quiet", "--kernel", "periodic")
check("nobody can ask for the kernel of parts", code == USAGE and "periodic" in err, err)

# ---- Exports ----
sound("predict", "model", test, "-o", "own.out", "--quiet")
own = predictions("own.out")
sound("export", "model", "-o", "model.c", "--quiet")
compiler = shutil.which("cc")
if compiler is None:
    skip("exported C", "there is no compiler")
else:
    for kind in ("TEST", "MAIN"):
        subprocess.run([compiler, "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-DENTROPIC_EXPORT_" + kind,
                        "model.c", "-o", kind, "-lm"], check=True)
    check("exported C tests itself", subprocess.run(["./TEST"], capture_output=True).returncode == 0)
    with open(test) as file, open("c.out", "w") as out:
        done = subprocess.run(["./MAIN"], stdin=file, stdout=out, stderr=subprocess.PIPE)
    check("the program of exported C reads the column of dates", done.returncode == 0 and
          worst(predictions("c.out"), own) <= 1e-9, done.stderr)
sound("export", "model", "--lang", "js", "-o", "model.mjs", "--quiet")
if shutil.which("node") is None:
    skip("exported JavaScript", "there is no node")
else:
    with open("run.mjs", "w") as file:
        file.write('import {predict, selfTest} from "./model.mjs";\nimport fs from "fs";\nselfTest();\n'
                   'const rows = fs.readFileSync("test.csv", "utf8").trim().split("\\n").slice(1);\n'
                   'console.log("prediction");\n'
                   'for (const row of rows) {\n  const [when, x] = row.split(",");\n'
                   '  console.log(predict({when, x: Number(x)}));\n}\n')
    with open("js.out", "w") as out:
        done = subprocess.run(["node", "run.mjs"], stdout=out, stderr=subprocess.PIPE)
    check("exported JavaScript makes the parts of dates", done.returncode == 0 and
          worst(predictions("js.out"), own) <= 1e-9, done.stderr)
inputs = json.loads(sound("export", "model", "--lang", "json", "-o", "-", "--quiet"))["inputs"]
check("exported JSON says what is part of what",
      [(i["column"], i["part"]) for i in inputs if "part" in i] == [("when", part) for part in PARTS],
      [i["name"] for i in inputs])
sound("explain", "model", "--html", "page.html", "--quiet")
with open("page.html") as file:
    page = file.read()
check("the page has each part", all("when:" + part in page for part in PARTS))
raise SystemExit(end())
