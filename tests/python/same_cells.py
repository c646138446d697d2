"""The same cells everywhere: the command, the exported C program, JavaScript and tables in memory take a text for the same
value, whatever blanks, quotes and spellings it comes with; and one line in is one line out."""
import json
import random
import sys

import pandas as pd

from _exports import DIGITS, ENTROPIC, GCC, NODE, compiled, entropic, run, same, table_of
from _package import entropic as package
from _tap import check, end, skip

# A cell as it is written, and the plain cell that it stands for.
COLOURS = [("red", "red"), (" red", "red"), ("red  ", "red"), ("\tgreen\t", "green"), ('"red"', "red"),
           (' "green" ', "green"), ('" green "', "green"), ("NA", ""), (" na ", ""), ("", ""), ("  ", ""), ('""', ""),
           ("purple", "purple"), ("Red", "purple"), ('"  pad "', '"  pad "'), ("pad", "purple"), ('"a,b"', '"a,b"'),
           (' "a,b"', '"a,b"'), ('"say ""hi"""', '"say ""hi"""'), ("dark red", "dark red"), (" dark red ", "dark red"),
           ('" NA "', ""), ('"\tgreen"', "green"), ('" a,b "', '"a,b"'), ("\fred", "purple"), ("\u00a0red", "purple")]
CODES = [("1", "1"), ("1.0", "1"), (" 1", "1"), ("+1", "1"), ("1e0", "1"), ('"2"', "2"), ('" 2.00 "', "2"), ("20", "20"),
         ("2e1", "20"), ("7", "7"), ("x", "7"), ("?", ""), ("\t3 ", "3"),
         ('" ? "', ""), ("0x2", "7"), ("\f2", "7"), ("2.", "2"), ("2e", "7")]
SIZES = [("5", "5"), (" 5", "5"), ("5 ", "5"), ("\t5\t", "5"), ('"5"', "5"), (' "5.0" ', "5"), ("-", ""), (" NA", ""),
         ("--", ""), ("null", ""), ("  ", ""), ("5e0", "5"), ("+5", "5"), (".5e1", "5"),
         ('" 5 "', "5"), ('"\t5"', "5"), ('" NA "', ""), ('"  "', ""), ("5.", "5"), ("05", "5"), ("5E+0", "5")]
DAYS = [("2024-03-01", "2024-03-01"), (" 2024-03-01 ", "2024-03-01"), ('"2024-03-01"', "2024-03-01"), ("NaT", ""), (" ", ""),
        ("2024-03-01T00:00", "2024-03-01"), ('" 2024-03-01\t"', "2024-03-01"), ('" NaT "', ""),
        ("2024-03-01 00:00:00.000Z", "2024-03-01"), ("2024-03-01 00:00 +01:00", "2024-03-01")]
# Zones by name change nothing: the clock is as written.
CLOCK = "2024-03-01T06:30:15"
DAYS += [("2024-03-01 06:30:15" + zone, CLOCK) for zone in (
    " CET", " EST", " GMT", " UTC", " AEST", " Europe/Berlin", "[Europe/Berlin]", " [CET]", "+02:00[Europe/Berlin]",
    "-0500 EST", " +02 [America/Argentina/Buenos_Aires]", "Z[UTC]", " Etc/GMT+5", "Z", "+01:00", " -0330")]
# What no reader takes, in place of a size and of a day.
NO_SIZES = ["0x10", "0x1p3", "\f0.5", "\v0.5", "0.5\f", "\u00a05", "5\u2003", "1e", "1e+", "+", "+-5", "- 5", "5 5", "5,0", "1_0",
            "0b1", "5f", "5L", "inf", "-Infinity", "1e999", "\uff15", "five", "5\r6"]
NO_DAYS = ["19000", "2024-3-1", "2024-13-01", "2024-02-30", "2024-03-01 24:00", "2024-03-01T10:60", "2024-03-01T10:00:60",
           "2024-03-01T10:00:5", "2024-03-01T10:00:05.", "2024-03-01T1e1:00", "2024-03-01T", "\f2024-03-01", "2024-03-01 \f10:00",
           "+024-03-01", "2024- 3- 1", "2024-03-01x", "0x7e8-03-01", "2024-03-01T10:00:0x1", "2024-03-01 10:00 +15:00",
           "2024-03-01 10:00 +0:00", "2024-03-01 10:00 gmt"]
NAMES = ["size", "colour", "code", "day"]


def train():
    rng = random.Random(5)
    colours = ["red", "green", '"  pad "', '"a,b"', '"say ""hi"""', "dark red", ""]
    lines = ["size,colour,code,day,y"]
    for i in range(400):
        size, colour, code = rng.randrange(1, 90) / 10, colours[i % 7], [1, 2, 3, 20][rng.randrange(4)]
        day = "2024-%02d-%02d" % (1 + i % 12, 1 + rng.randrange(28))
        y = size + 3 * (i % 7) + 2 * code % 7 + i % 12
        lines.append("%s,%s,%s,%s,%r" % (size if i % 13 else "", colour, code if i % 17 else "", day if i % 11 else "", y))
    with open("train.csv", "w") as file:
        file.write("\n".join(lines) + "\n")
    entropic("fit", "train.csv", "--target", "y", "--categorical", "colour,code", "--features", "60", "--select", "entropy",
             "--omega", "1", "--lambda", "1e-3", "--quiet", "-o", "cells.entropic")


def rows():
    """Every cell once, among plain ones; then many at once."""
    plain, rng, found = [("4", "4"), ("red", "red"), ("2", "2"), ("2024-06-15", "2024-06-15")], random.Random(9), []
    lists = [SIZES, COLOURS, CODES, DAYS]
    for column, cells in enumerate(lists):
        found += [[cell if i == column else plain[i] for i in range(4)] for cell in cells]
    return found + [[rng.choice(cells) for cells in lists] for _ in range(200)]


def written(path, table, header):
    with open(path, "w") as file:
        file.write(header + "\n" + "".join(",".join(row) + "\n" for row in table))


def content(cell):
    """What a simple reader hands on: quotes are taken off, blanks stay."""
    text = cell.strip(" \t")
    return text[1:-1].replace('""', '"') if text.startswith('"') else cell


def predicted(path):
    return table_of(entropic("predict", "cells.entropic", path, "--quiet"))


def c_program(wanted, path, what):
    done = run("./program", stdin=open(path).read())
    check("exported C: " + what, done.returncode == 0 and not same(table_of(done.stdout), wanted, DIGITS),
          done.stderr or same(table_of(done.stdout), wanted, DIGITS))


def javascript(table, wanted):
    if not NODE:
        skip("JavaScript", "there is no node")
        return
    entropic("export", "cells.entropic", "-o", "cells.mjs")
    for what, names in (("plain names", NAMES), ("blanks around names", ["size ", " colour", "\tcode", " day "])):
        with open("rows.json", "w") as file:
            json.dump([dict(zip(names, map(content, row))) for row in table], file)
        with open("driver.mjs", "w") as file:
            file.write('import fs from "fs";\nimport {predict} from "./cells.mjs";\n'
                       'for (const row of JSON.parse(fs.readFileSync("rows.json"))) console.log(predict(row));\n')
        done = run(NODE, "driver.mjs")
        found = [wanted[0]] + [[line] for line in done.stdout.split()]
        check("JavaScript: " + what, done.returncode == 0 and not same(found, wanted, DIGITS),
              done.stderr or same(found, wanted, DIGITS))


def frames(table, wanted):
    model = package.load("cells.entropic")
    frame = pd.DataFrame([list(map(content, row)) for row in table], columns=NAMES)
    found = [wanted[0]] + [[repr(float(value))] for value in model.predict(frame)]
    check("frames", not same(found, wanted, 0), same(found, wanted, 0))
    codes = frame.copy()
    codes["colour"] = codes["colour"].astype("category")
    found = [wanted[0]] + [[repr(float(value))] for value in model.predict(codes)]
    check("frames with categories", not same(found, wanted, 0), same(found, wanted, 0))


class Stream:
    """The Arrow stream of a table."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested=None):
        return self.table.__arrow_c_stream__(requested)


def names():
    """Blanks around the names of columns do not count in memory either."""
    spaced = ["size ", " colour", "\tcode", " day "]
    table = [["4", "red", "2", "2024-06-15"], ["1", "green", "20", "2024-01-15"]]
    frame, plain = pd.DataFrame(table, columns=spaced), pd.DataFrame(table, columns=NAMES)
    loaded = package.load("cells.entropic")
    check("a model of a file takes names with blanks", (loaded.predict(frame) == loaded.predict(plain)).all())
    numbers = pd.read_csv("train.csv")[["size", "code", "y"]].dropna()
    numbers = numbers.rename(columns={"size": " size", "code": "code\t"})
    kind = {"features": 10, "select": "entropy", "omega": 1, "reg_lambda": 1e-3}
    model = package.EntropicRegressor(**kind).fit(numbers[[" size", "code\t"]], numbers["y"])
    check("feature_names_in_ are as given", list(model.feature_names_in_) == [" size", "code\t"], model.feature_names_in_)
    check("the model has them without", model.model_.names == ["size", "code"], model.model_.names)
    numbers.to_csv("numbers.csv", index=False)
    model.save("names.entropic")
    found = [float(row[0]) for row in table_of(entropic("predict", "names.entropic", "numbers.csv", "--quiet"))[1:]]
    check("the command takes the same table", found == model.predict(numbers[[" size", "code\t"]]).tolist(), found[:3])
    trimmed = numbers.rename(columns=lambda name: name.strip())[["size", "code"]]
    check("so does the model, named without", found == model.predict(trimmed).tolist(), "")
    check("Shapley values know them", model.shapley_values(trimmed[:3]).values[:, 0].any())
    for wrong in (["size", "cod"], ["code", "size"]):
        try:
            model.predict(trimmed.set_axis(wrong, axis=1))
            said = "nothing"
        except ValueError as error:
            said = str(error)
        check("other names are refused: %s" % wrong, "feature names should match" in said and ("cod\n" in said or wrong[0] == "code"),
              said)
    kept = package.EntropicRegressor(**kind, ignore=["code"]).fit(numbers[[" size", "code\t"]], numbers["y"])
    check("parameters find columns by either", kept.model_.names == ["size"], kept.model_.names)
    with open("blanks.csv", "w") as file:
        file.write('" size",y\n' + "".join("%r,%r\n" % (i / 50, i / 7) for i in range(50)))
    entropic("fit", "blanks.csv", "--target", "y", "--features", "8", "--quiet", "-o", "blanks.entropic")
    quoted = package.load("blanks.entropic")
    check("blanks that a name had in quotes are found without", bool(abs(quoted.predict(pd.DataFrame({" size": [0.5]}))) > 0.1))
    if not hasattr(pd.DataFrame, "__arrow_c_stream__"):
        skip("names of Arrow", "pandas has no streams")
        return
    check("names of Arrow", (loaded.predict(Stream(frame)) == loaded.predict(plain)).all())


def cells():
    table = rows()
    raw, plain = [[cell[0] for cell in row] for row in table], [[cell[1] for cell in row] for row in table]
    written("plain.csv", plain, ",".join(NAMES))
    written("raw.csv", raw, " size,colour ,\tcode, day ")
    wanted, found = predicted("plain.csv"), predicted("raw.csv")
    check("the command", len(wanted) == len(table) + 1 and not same(found, wanted, 0), same(found, wanted, 0))
    if GCC:
        entropic("export", "cells.entropic", "-o", "cells.c")
        wrong = compiled("cells.c", "program", "-DENTROPIC_EXPORT_MAIN")
        check("the program compiles", not wrong, wrong)
        c_program(wanted, "plain.csv", "plain cells")
        c_program(wanted, "raw.csv", "cells with blanks and quotes")
        wrong = compiled("cells.c", "test", "-DENTROPIC_EXPORT_TEST")
        check("the test of its own", not wrong and run("./test").returncode == 0, wrong)
    else:
        skip("exported C", "there is no gcc")
    javascript(raw, wanted)
    frames(raw, wanted)


def no_zones():
    """What looks like a zone's name and is none is refused by all."""
    for text in ("2024-03-01T06:30 PM", "2024-03-01T06:30 cet", "2024-03-01T06:30CET", "2024-03-01T06:30 SIXSIX",
                 "2024-03-01T06:30 Europe/", "2024-03-01T06:30[CET", "2024-03-01T06:30 C", "2024-03-01T06:30 europe/Berlin",
                 "2024-03-01T06:30 CET CET", "2024-03-01T06:30 Europe/Ber lin"):
        written("wrong.csv", [["4", "red", "2", text]], ",".join(NAMES))
        done = run(ENTROPIC, "predict", "cells.entropic", "wrong.csv")
        check("the command refuses " + text, done.returncode == 2 and "expected a date" in done.stderr, done.stderr)
        if GCC:
            done = run("./program", stdin=open("wrong.csv").read())
            check("the program refuses " + text, done.returncode == 1, done.stdout + done.stderr)
        if NODE:
            with open("rows.json", "w") as file:
                json.dump([{"size": "4", "colour": "red", "code": "2", "day": text}], file)
            check("JavaScript refuses " + text, run(NODE, "driver.mjs").returncode != 0)


ONE_BY_ONE = """
import fs from "fs";
import {predict} from "./cells.mjs";
for (const row of JSON.parse(fs.readFileSync("rows.json"))) {
  try {
    console.log(isFinite(predict(row)) ? "taken" : "no number");
  } catch (error) {
    console.log(error instanceof TypeError ? "refused" : String(error));
  }
}
"""


def taken_by_python(row):
    try:
        package.load("cells.entropic").predict(pd.DataFrame([row], columns=NAMES, dtype=object))
    except ValueError:
        return False
    return True


def refused():
    """What is no number or date in its column is refused everywhere."""
    table = [[size, "red", "2", "2024-06-15"] for size in NO_SIZES] + [["4", "red", "2", day] for day in NO_DAYS]
    for row in table:
        cell = next(cell for cell in row if cell in NO_SIZES + NO_DAYS)
        text = ",".join(NAMES) + "\n" + ",".join('"%s"' % one if "," in one else one for one in row) + "\n"
        with open("no.csv", "w", newline="") as file:
            file.write(text)
        done = run(ENTROPIC, "predict", "cells.entropic", "no.csv")
        check("%r: the command refuses it" % cell, done.returncode == 2 and "line 2" in done.stderr, done.stderr)
        if GCC:
            done = run("./program", stdin=text)
            check("%r: so does the program" % cell, done.returncode == 1 and done.stderr.startswith("line 2: found"),
                  done.stdout + done.stderr)
        check("%r: so do frames" % cell, not taken_by_python(row))
    if not NODE:
        skip("JavaScript refuses them", "there is no node")
        return
    with open("rows.json", "w") as file:
        json.dump([dict(zip(NAMES, row)) for row in table], file)
    with open("driver.mjs", "w") as file:
        file.write(ONE_BY_ONE)
    done = run(NODE, "driver.mjs")
    found = done.stdout.split("\n")[:-1]
    check("JavaScript refuses them", found == ["refused"] * len(table),
          done.stderr or [row for row, one in zip(table, found) if one != "refused"])


def shapes():
    """Delimiters at the end of rows, text behind quotes, tables without rows: the command and the program agree."""
    row, header = "4,red,2,2024-06-15", ",".join(NAMES)
    wanted = table_of(predicted_text(header + "\n" + row + "\n"))
    for what, text in (("one more comma", header + "\n" + row + ",\n"), ("two more commas", header + "\n" + row + ",,\n"),
                       ("a comma and a blank", header + "\n" + row + ", \n"), ("also in the header", header + ",\n" + row + ",\n"),
                       ("in the header alone", header + ",\n" + row + "\n"), ("a name twice", header + ",size\n" + row + ",9\n"),
                       ("carriage returns", header + "\r\n" + row + "\r\n"), ("and none at the end", header + "\r\n" + row + "\r"),
                       ("blanks behind quotes", header + '\n"4" ,"red"\t,2,"2024-06-15" \r\n')):
        check(what + ": the command", table_of(predicted_text(text)) == wanted, text)
        if GCC:
            done = run("./program", stdin=text)
            check(what + ": the program", not same(table_of(done.stdout), wanted, DIGITS), done.stderr)
    for what, text, words in (("a quoted field too many", header + "\n" + row + ',""\n', "5 fields, expected 4"),
                              ("a field too many", header + "\n" + row + ",1\n", "5 fields, expected 4"),
                              ("a field too few", header + "\n4,red,2\n", "3 fields, expected 4"),
                              ("text after a quote", header + '\n4,"red"x,2,2024-06-15\n', "text after a closing quote"),
                              ("an open quote", header + '\n4,"red,2,2024-06-15\n', "a quote is opened and never closed"),
                              ("a NUL byte", header + "\n4,re\0d,2,2024-06-15\n", "NUL byte"),
                              ("no rows", header + "\n", "no rows"), ("no rows, blank lines", header + "\n\n \n", "no rows")):
        with open("no.csv", "w", newline="") as file:
            file.write(text)
        done = run(ENTROPIC, "predict", "cells.entropic", "no.csv")
        check(what + ": the command refuses it", done.returncode == 2 and words in done.stderr, done.stderr)
        if GCC:
            done = run("./program", stdin=text)
            check(what + ": so does the program", done.returncode == 1 and words in done.stderr and
                  done.stderr.startswith("found" if words == "no rows" else "line 2:"), done.stdout + done.stderr)


def predicted_text(text):
    with open("text.csv", "w", newline="") as file:
        file.write(text)
    return entropic("predict", "cells.entropic", "text.csv", "--quiet")


def quoted_names():
    """In quotes blanks are part of a name, for the command and the program alike."""
    with open("quoted.csv", "w") as file:
        file.write('" size",colour,code,day\n1,red,1,2024-01-01\n')
    done = run(ENTROPIC, "predict", "cells.entropic", "quoted.csv")
    check("the command refuses a name with blanks in quotes", done.returncode == 2 and "size" in done.stderr, done.stderr)
    if GCC:
        done = run("./program", stdin=open("quoted.csv").read())
        check("so does the program", done.returncode == 1 and "found no column 'size'" in done.stderr, done.stderr)


def lines():
    """Commas alone are a row wherever they stand; blank lines are none; each row is one line of the answer."""
    row, empty = "4,red,2,2024-06-15", ",,,"
    header = ",".join(NAMES)
    for what, body, count in (
            ("first", [empty, row], 2), ("last", [row, empty], 2), ("in the middle", [row, empty, row], 3),
            ("everywhere", [empty, empty, row, empty, row, empty, empty], 7), ("alone", [empty, empty], 2),
            ("with blank lines", ["", empty, "  ", row, "", row, empty, "", "\t"], 4), ("with blanks", [" , ,\t,", row], 2),
            ("with fewer commas", [row, ",,", row], 3), ("in quotes", ['"","","",""', row], 2)):
        for end_of_line, last in (("\n", "\n"), ("\r\n", "\r\n"), ("\n", "")):
            text = end_of_line.join([header] + body) + last
            with open("lines.csv", "w", newline="") as file:
                file.write(text)
            found = predicted("lines.csv")
            with open("marked.csv", "w") as file:
                file.write("\n".join([header] + [line if "4" in line else "NA,NA,NA,NA" for line in body
                                                 if line.strip(" \t")]) + "\n")
            check("empty rows %s (%r, %r)" % (what, end_of_line, last),
                  len(found) == count + 1 and found == predicted("marked.csv"), found)
            if GCC:
                done = run("./program", stdin=text)
                check("the same of the program", not same(table_of(done.stdout), found, DIGITS), done.stderr)


def one_column():
    """In a table of one column, too, a blank line is no row: a missing value is written as "" or NA."""
    with open("one.csv", "w") as file:
        file.write("u,y\n" + "".join("%r,%r\n" % (i / 50, (i % 10) / 7) for i in range(50)) + "".join(",2\n" * 9))
    entropic("fit", "one.csv", "--target", "y", "--features", "8", "--quiet", "-o", "one.entropic")
    entropic("export", "one.entropic", "-o", "one.c")
    text = 'u\n0.5\n""\n\nNA\n0.25\n\n'
    with open("u.csv", "w") as file:
        file.write(text)
    found = table_of(entropic("predict", "one.entropic", "u.csv", "--quiet"))
    check("one column", len(found) == 5 and found[2] == found[3] != found[1], found)
    if GCC and not compiled("one.c", "one", "-DENTROPIC_EXPORT_MAIN"):
        check("one column: the program", not same(table_of(run("./one", stdin=text).stdout), found, DIGITS))


def padded():
    """Columns of quoted numbers and dates with blanks are learnt as those without; so are their words."""
    with open("train.csv") as file:
        header, *body = file.read().splitlines()
    body = [line.replace('"  pad "', "pad").replace('"a,b"', "ab").replace('"say ""hi"""', "hi").split(",") for line in body]
    for name, shape in (("plain.csv", "%s"), ("padded.csv", '" %s\t"')):
        with open(name, "w") as file:
            file.write(header + "\n" + "".join(",".join([shape % row[0], row[1], row[2], shape % row[3], shape % row[4]]) + "\n"
                                               for row in body))
    models = []
    for name in ("plain.csv", "padded.csv"):
        entropic("fit", name, "--target", "y", "--features", "30", "--select", "entropy", "--omega", "1", "--lambda", "1e-3",
                 "--quiet", "-o", "padded.entropic")
        with open("padded.entropic", "rb") as file:
            models.append(file.read())
    check("fits of quoted numbers with blanks", models[0] == models[1] and len(models[0]) > 1000)


def counts():
    """All commands count the rows in the same way."""
    with open("train.csv") as file:
        header, *body = file.read().splitlines()
    with open("gaps.csv", "w") as file:
        file.write("\n".join([header, ",,,,"] + body[:200] + [",,,,", ""] + body[200:] + [",,,,", ",,,,", ""]) + "\n")
    fit = ["--target", "y", "--categorical", "colour,code", "--features", "20", "--select", "entropy", "--omega", "1",
           "--lambda", "1e-3", "--keep-statistics"]
    entropic("fit", "train.csv", *fit, "--quiet", "-o", "a.entropic")
    done = run(ENTROPIC, "fit", "gaps.csv", *fit, "-o", "b.entropic")
    with open("a.entropic", "rb") as a, open("b.entropic", "rb") as b:
        check("fit: the same model", a.read() == b.read(), done.stderr)
    check("fit: they are counted", "4 rows without a target dropped" in done.stderr, done.stderr)
    scores = [run(ENTROPIC, "score", "a.entropic", file, "--json") for file in ("train.csv", "gaps.csv")]
    found = scores[1].stdout.replace('"dropped_rows": 4', '"dropped_rows": 0')
    check("score", scores[0].stdout == found and "4 rows without a target" in scores[1].stderr, scores[1].stderr)
    receipts = []
    for file in ("train.csv", "gaps.csv"):
        entropic("collect", file, "--design", "a.entropic", "-o", "s.stat", "--quiet")
        receipts.append(entropic("receipt", "s.stat"))
    check("collect", receipts[0] == receipts[1])
    entropic("update", "b.entropic", "gaps.csv", "--quiet")
    entropic("forget", "b.entropic", "train.csv", "--quiet")
    check("update and forget", entropic("receipt", "a.entropic") == entropic("receipt", "b.entropic"))
    threads = [run(ENTROPIC, "predict", "a.entropic", "gaps.csv", "--threads", n).stdout for n in (1, 2, 4)]
    check("any number of threads", threads[0] == threads[1] == threads[2] and threads[0].count("\n") == 405)


train()
cells()
no_zones()
names()
refused()
shapes()
quoted_names()
lines()
one_column()
padded()
counts()
sys.exit(end())
