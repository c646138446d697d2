"""Formats of columns: predictions do not depend on the number format, class names are kept as written, and the order of
rows changes no byte of what is detected in columns."""
import os
import random
import struct
import subprocess
import sys

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
CHEAP = ["--select", "entropy", "--features", "20", "--omega", "1", "--lambda", "0.1", "--scale", "quantile"]


def run(*arguments):
    done = subprocess.run([ENTROPIC, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def write(name, head, rows):
    with open(name, "w") as file:
        file.write("\n".join([head, *rows]) + "\n")
    return name


def fit(name, *more):
    status, _, errors = run("fit", name, "--target", "y", *CHEAP, *more, "-o", name + ".model")
    check("fit %s" % name, status == 0, errors)
    return name + ".model"


def predictions(model, name, *more):
    status, out, errors = run("predict", model, name, *more)
    return out.splitlines()[1:] if status == 0 else errors


def same_values(what, written, others, known):
    """A model of rows with one number format predicts the same for that format and for plainer ones."""
    model = fit(write("%s.csv" % what, "a,b,y", ["%s,%d,%d.5" % (cell, i * 7 % 11, i * i % 23)
                                                 for i, cell in enumerate(written)]))
    expected = predictions(model, write("%s-known.csv" % what, "a,b", ["%s,3" % cell for cell in known]))
    check("%s: predictions differ" % what, len(set(expected)) == len(known), str(expected))
    for i, other in enumerate(others):
        found = predictions(model, write("%s-%d.csv" % (what, i), "a,b", ["%s,3" % cell for cell in other]))
        check("%s: written another way, %d" % (what, i), found == expected, "%s, expected %s" % (found, expected))


def check_readings():
    day_first = ["%02d/%02d/2020" % (i % 28 + 1, i % 12 + 1) for i in range(60)]
    same_values("days", day_first, [["2020-04-03", "2020-03-04", "2020-11-12"], ["3.4.2020", "4.3.2020", "12.11.2020"],
                                    ["3 Apr 2020", "4 Mar 2020", "12 Nov 2020"],
                                    ["2020-04-03T00:00+02:00", "2020-03-04T00:00:00-0500", "2020-11-12T00:00Z"]],
                ["03/04/2020", "04/03/2020", "12/11/2020"])
    month_first = ["%02d/%02d/2020" % (i % 12 + 1, i % 28 + 1) for i in range(60)]
    same_values("months", month_first, [["2020-03-04", "2020-04-03", "2020-12-11"]],
                ["03/04/2020", "04/03/2020", "12/11/2020"])
    thousands = ['"%d,%03d"' % (i % 9 + 1, i * 37 % 1000) for i in range(60)]
    same_values("thousands", thousands, [["1500", "2250", "7000"], ["1 500", "2 250.0", "7.0D+03"]],
                ['"1,500"', '"2,250"', '"7,000"'])
    commas = ['"%d.%03d,5"' % (i % 9 + 1, i * 37 % 1000) for i in range(60)]
    same_values("commas", commas, [['"1500,0"', "2250", '"7000,00"']], ["1.500", "2.250", "7.000"])
    dollars = ['"$%d,%03d.25"' % (i % 9 + 1, i * 37 % 1000) for i in range(60)]
    same_values("dollars", dollars, [["1500", "2250.5", "7000"], ["$1500", "$2250.50", "$7000"]],
                ['"$1,500"', '"$2,250.50"', '"$7,000"'])
    clock = ["%02d:%02d" % (i % 24, i * 7 % 60) for i in range(60)]
    same_values("clock", clock, [["6:15:00", "12:30:00.0", "11:45 PM"]], ["06:15", "12:30", "23:45"])


def check_targets():
    """A target in dollars is scored in dollars; class names are written and recognised as in the data."""
    rows = ["%d,%d,\"$%d,%03d\"" % (i * 7 % 11, i * 5 % 13, i % 5 + 1, i * i % 1000) for i in range(60)]
    model = fit(write("price.csv", "a,b,y", rows))
    plain = [row.replace("$", "").replace('"', "").split(",") for row in rows]
    other = write("plain.csv", "a,b,y", ["%s,%s,%s%s" % tuple(cells) for cells in plain])
    dollars, numbers = run("score", model, "price.csv", "--json"), run("score", model, other, "--json")
    check("a target in dollars is scored", dollars[0] == 0 and dollars[1] == numbers[1], dollars[2] + numbers[2])
    rows = ["%d,%d,%s" % (i * 7 % 11, i * 5 % 13, "00501" if i * 7 % 11 < 5 else "10001") for i in range(66)]
    model = fit(write("zip.csv", "a,b,y", rows))
    found = predictions(model, "zip.csv", "--proba")
    names = {line.split(",")[0] for line in found}
    check("classes are written as they stood", names == {"00501", "10001"}, str(names))
    head = run("predict", model, "zip.csv", "--proba")[1].splitlines()[0]
    check("columns of classes, too", head == "prediction,p_00501,p_10001", head)
    score = run("score", model, "zip.csv", "--json")
    short = write("short.csv", "a,b,y", [row.replace("00501", "501") for row in rows])
    check("classes are found by number", score[0] == 0 and run("score", model, short, "--json")[1] == score[1], score[2])


def sections(path):
    """The sections of a model file by their tags."""
    with open(path, "rb") as file:
        data = file.read()
    at, found = 20, {}
    while at < len(data) - 4:
        tag, length = data[at:at + 4], struct.unpack("<Q", data[at + 4:at + 12])[0]
        found[tag.decode()] = data[at + 12:at + 12 + length]
        at += 12 + length
    return found


def check_order():
    """The same rows in another order."""
    rows = ["%d,%s,%s,%d,%02d/%02d/2020,\"%d,%03d\",%s,%d.%d" %
            (1 + i, random.choice(["u", "v", "w", "10", "9", "1.0", "1"]), random.choice(["1", "2", "-", "3.5"]),
             1900 + i, i % 28 + 1, i % 12 + 1, i % 7 + 1, i * 37 % 1000, random.choice(["7", "x7", "70"]),
             i * i % 23, i % 10) for i in range(200)]
    head = "id,kind,gap,year,day,price,mark,y"
    first = sections(fit(write("order.csv", head, rows), "--categorical", "mark"))
    random.shuffle(rows)
    second = sections(fit(write("shuffled.csv", head, rows), "--categorical", "mark"))
    for tag in ("SCHM", "note", "SCAL", "KERN", "DSGN"):
        check("section %s in any order of rows" % tag, first[tag] == second[tag])
    rows = ["%d,%d,%d.%d,%d" % (1 + i, i % 7, i * i % 31, i % 10, i % 3) for i in range(200)]
    write("plain.csv", "id,a,b,y", rows)
    random.shuffle(rows)
    write("plain-shuffled.csv", "id,a,b,y", rows)
    for command, more in (("design", []), ("features", ["--save-design", "DESIGN"])):
        outs = []
        for name in ("plain.csv", "plain-shuffled.csv"):
            options = [name + ".design" if word == "DESIGN" else word for word in more]
            status, out, errors = run(command, name, "--target", "y", "--features", "50", *options)
            check("%s %s" % (command, name), status == 0, errors)
            outs.append(sorted(out.splitlines()))
        check("%s in any order of rows" % command, outs[0] == outs[1] and len(outs[0]) > 1)
    with open("plain.csv.design", "rb") as one, open("plain-shuffled.csv.design", "rb") as other:
        check("a saved design in any order of rows", one.read() == other.read())


def check_keep():
    """Every command that reads a training table has --keep."""
    write("keep.csv", "id,a,b,y", ["%d,%d,%d,%d.5" % (1 + i, i % 7, i * i % 31, i * i % 23) for i in range(60)])
    for command, more in (("features", []), ("design", []), ("fit", [*CHEAP, "-o", "keep.model"]),
                          ("compare", ["--features", "10", "--runs", "1"])):
        status, _, errors = run(command, "keep.csv", "--target", "y", "--keep", "id", *more)
        check("%s --keep" % command, status == 0, errors)
        status, _, errors = run(command, "keep.csv", "--target", "y", "--keep", "nothing", *more)
        check("%s --keep of no column" % command, status == 1 and "no column nothing" in errors, errors)
    status, out, errors = run("info", "keep.model", "--json")
    check("a row number that is kept is an input", status == 0 and '"id"' in out, out + errors)


random.seed(7)
check_readings()
check_targets()
check_order()
check_keep()
sys.exit(end())
