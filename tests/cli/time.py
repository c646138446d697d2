"""fit --time: forward validation of time series. Targets and inputs are independent random walks: with random folds a row
is predicted from its neighbours in time, and the validation error is far too small."""
import datetime
import json
import math
import os
import random
import subprocess

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
ROWS, NEXT = 400, 60
USAGE, DATA = 1, 2  # exit statuses
CHEAP = ["--select", "entropy", "--features", "20", "--omega", "1", "--lambda", "0.1"]


def run(*arguments):
    done = subprocess.run([ENTROPIC, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def write(name, head, rows):
    with open(name, "w") as file:
        file.write("\n".join([head, *rows]) + "\n")
    return name


def drift(seed):
    """Rows of random walks: a day, a number, two inputs and the target."""
    draw = random.Random(seed)
    a = b = y = 0
    for t in range(ROWS + NEXT):
        a, b, y = (value + draw.gauss(0, 1) for value in (a, b, y))
        day = datetime.date(2019, 3, 1) + datetime.timedelta(days=t)
        yield "%s,%d,%.5f,%.5f,%.5f" % (day, 7 * t + 5, a, b, y)


def fitted(name, *more):
    """The JSON of a fit, and its messages."""
    status, out, errors = run("fit", name, "--target", "y", "-o", name + ".model", "--json", *more)
    check("fit %s %s" % (name, " ".join(more)), status == 0, errors)
    return json.loads(out) if status == 0 else None, errors


def check_honesty():
    random_ratio = forward_ratio = 0
    series = 4
    for seed in range(series):
        rows = list(drift(seed))
        write("later%d.csv" % seed, "day,t,a,b,y", rows[ROWS:])
        early = rows[:ROWS]
        random.Random(seed).shuffle(early)
        name = write("drift%d.csv" % seed, "day,t,a,b,y", early)
        flattering, _ = fitted(name, "--ignore", "day", "--features", "60")
        status, out, errors = run("score", name + ".model", "later%d.csv" % seed, "--json")
        check("score", status == 0, errors)
        after = json.loads(out)["rmse"]
        honest, _ = fitted(name, "--ignore", "day", "--time", "t", "--features", "60")
        check("the kind of validation", honest["validation"]["kind"] == "forward" and
              honest["validation"]["folds"] == 5 and honest["validation"]["rows"] == ROWS // 2, str(honest["validation"]))
        random_ratio += math.log(flattering["validation"]["rmse"] / after) / series
        forward_ratio += math.log(honest["validation"]["rmse"] / after) / series
    check("random folds flatter", random_ratio < math.log(1 / 3), "ratio %g" % math.exp(random_ratio))
    check("forward validation does not", abs(forward_ratio) < math.log(2), "ratio %g" % math.exp(forward_ratio))


def check_words():
    rows = list(drift(9))[:ROWS]
    name = write("words.csv", "day,t,a,b,y", rows)
    _, said = fitted(name, *CHEAP)
    check("dates bring a notice", "--time day validates forward" in said, said)
    by_day, said = fitted(name, "--time", "day", *CHEAP)
    check("not where it is given", "validates forward" not in said, said)
    check("time stays an input", by_day["columns"][0] == {"name": "day", "role": "input", "type": "date"},
          str(by_day["columns"][0]))
    status, out, errors = run("fit", name, "--target", "y", "--time", "2", *CHEAP, "-o", "words.model")
    check("the summary says so", status == 0 and "(forward, 5 blocks, 200 rows)" in out + errors, out + errors)
    status, out, _ = run("info", "words.model")
    check("so does info", status == 0 and "(forward, 5 blocks, 200 rows)" in out, out)
    status, out, _ = run("info", "words.model", "--json")
    check("also as JSON", json.loads(out)["validation"]["kind"] == "forward", out)
    ignored, _ = fitted(name, "--ignore", "day,t", "--time", "day", *CHEAP)
    check("an ignored column tells the time", ignored["validation"]["kind"] == "forward" and ignored["inputs"] == 2,
          str(ignored["validation"]))
    check("dates and their numbers are in one order",
          ignored["validation"] == fitted(name, "--ignore", "day,t", "--time", "t", *CHEAP)[0]["validation"])


def check_orders():
    """Blocks of time do not depend on the order of lines, and models not on threads."""
    rows = list(drift(3))[:200]
    name = write("order.csv", "day,t,a,b,y", rows)
    random.Random(1).shuffle(rows)
    other = write("shuffled.csv", "day,t,a,b,y", rows)
    found = [fitted(table, "--time", "t", *CHEAP)[0]["validation"] for table in (name, other)]
    check("the order of lines", all(math.isclose(found[0][key], found[1][key], rel_tol=1e-9)
                                    for key in ("rmse", "standard_error", "rows")), str(found))
    models = []
    for threads in ("1", "2", "5"):
        fitted(name, "--time", "t", "--threads", threads)
        with open(name + ".model", "rb") as file:
            models.append(file.read())
    check("threads", models[0] == models[1] == models[2])


def check_edges():
    rows = ["%d,%.3f,%.3f" % (i // 50, math.sin(i), math.sin(i) + i * i % 7) for i in range(100)]
    two, _ = fitted(write("two.csv", "t,a,y", rows), "--time", "t", "--keep", "t")
    check("two times", two["validation"]["kind"] in ("forward", "none"), str(two["validation"]))
    same, said = fitted(write("same.csv", "t,a,y", ["3" + row[1:] for row in rows]), "--time", "t")
    check("one time", same["validation"]["kind"] == "none" and "--time t is the same in every row" in said, said)
    classes = ["%d,%.3f,%s" % (i, math.sin(i), "no" if i < 110 else "yes" if i % 3 else "later") for i in range(200)]
    late, _ = fitted(write("late.csv", "t,a,y", classes), "--time", "t", "--ignore", "t")
    check("classes that come late", late["classes"] == ["later", "no", "yes"], str(late["classes"]))
    late, _ = fitted("late.csv", "--time", "t", "--ignore", "t", "--loss", "logistic")
    check("with the logistic loss", late["loss"] == "logistic", str(late["loss"]))
    pair, _ = fitted(write("pair.csv", "t,a,y", ["0,1,no", "1,3,yes"]), "--time", "t")
    check("one row has no standard error", pair["validation"]["rows"] == 1 and
          pair["validation"]["standard_error"] is None, str(pair["validation"]))
    valid, _ = fitted("two.csv", "--time", "t", "--valid", "two.csv")
    check("validation rows given", valid["validation"]["kind"] == "rows" and valid["validation"]["rows"] == 50,
          str(valid["validation"]))


def refused(what, rows, expected, status, *options, head="t,a,y"):
    name = write("refused.csv", head, rows)
    found, _, errors = run("fit", name, "--target", "y", *CHEAP, *options, "-o", "refused.model")
    check(what, found == status and all(part in errors for part in expected), "status %d: %s" % (found, errors))


def check_refusals():
    def rows(cell):
        return ["%s,%.3f,%.3f" % (cell(i), math.sin(i), math.cos(i)) for i in range(40)]

    time = ("--time", "t")
    refused("text", rows(lambda i: "soon"),
            ["refused.csv, line 2, column 1 (t): found 'soon', expected a number or a date as the row's time"], DATA, *time)
    refused("text among numbers", rows(lambda i: "soon" if i % 4 == 1 else i),
            ["refused.csv, line 3, column 1 (t): found 'soon', expected a number or a date as the row's time"], DATA, *time)
    refused("a missing time", rows(lambda i: "" if i == 7 else i),
            ["refused.csv, line 9, column 1 (t): found '', expected a number or a date as the row's time"], DATA, *time)
    refused("a missing time of an ignored column", rows(lambda i: "NA" if i == 7 else i),
            ["refused.csv, line 9, column 1 (t): found 'NA', expected a number or a date as the row's time"], DATA, "--ignore", "t",
            *time)
    refused("an infinite time", rows(lambda i: "inf" if i == 7 else i),
            ["refused.csv, line 9, column 1 (t): found 'inf', expected a finite number"], DATA, *time)
    refused("no such column", rows(str), ["refused.csv: no column tt; there are t, a, y"], USAGE, "--time", "tt")
    refused("groups as well", rows(str), ["--groups and --time", "cannot be combined"], USAGE, "--groups", "a", *time)
    refused("the target", rows(str), ["column y is the target and cannot be the time"], USAGE, "--time", "y")
    refused("categories", rows(str), ["column t is categorical and cannot be the time"], USAGE, "--categorical", "t", *time)
    dropped = ["%s,%.3f,%s" % ("" if i == 7 else i, math.sin(i), "" if i == 7 else "%.3f" % math.cos(i))
               for i in range(40)]
    fitted(write("dropped.csv", "t,a,y", dropped), *time, *CHEAP)


def main():
    check_honesty()
    check_words()
    check_orders()
    check_edges()
    check_refusals()
    return end()


if __name__ == "__main__":
    raise SystemExit(main())
