"""Cases of tables.py: the values of columns. Each file has the column under test, a number b and a target y."""

TIME = "--time "


def cells(values, rows=40):
    """The values repeated in turn, up to the given number."""
    return [values[i % len(values)] for i in range(rows)]


def table(column, name="a", target=None, delimiter=",", point="."):
    """A file with the given first column; b is not a row number and y is not a class."""
    rows = [delimiter.join((name, "b", "y"))]
    for i, cell in enumerate(column):
        y = ("%d.5" % (i * i % 23)).replace(".", point) if target is None else target[i % len(target)]
        cell = '"%s"' % cell if delimiter in cell else cell
        rows.append(delimiter.join((cell, "%d" % (i * 7 % 11), y)))
    return "\n".join(rows) + "\n"


def of_target(column, delimiter=","):
    """A file with the given target."""
    rows = [delimiter.join(("a", "b", "y"))]
    for i, cell in enumerate(column):
        cell = '"%s"' % cell if delimiter in cell else cell
        rows.append(delimiter.join(("%d" % (i * 7 % 11), "%d" % (i * 5 % 13), cell)))
    return "\n".join(rows) + "\n"


def case(name, file, kind="number", options="--target y", **more):
    columns = None if kind is None else "a:%s b:number y:number:target" % kind
    return {"name": name, "file": file, "options": options, "columns": columns, **more}


def target(name, file, kind="number", options="--target y", **more):
    columns = None if kind is None else "a:number b:number y:%s:target" % kind
    return {"name": name, "file": file, "options": options, "columns": columns, **more}


def failure(name, file, message, options="--target y", status=2):
    return {"name": name, "file": file, "options": options, "status": status, "message": message}


def new(name, file, rows, count, **more):
    """A model of the file predicts other rows in the same format."""
    return case(name, file, None, predict=rows, rows=count, **more)


NUMBERED = ["1 input dropped, for numbering or naming the rows: a"]
RUN = ["may only number the rows; it is used as an input (--ignore a drops it, --keep a confirms it)"]

NUMBERS = [
    case("thousands with a point", table(cells(["1,234.5", "12", "2,345,678.25"])),
         notices=["column a: numbers with marks in them, taken as numbers: '1,234.5' is 1234.5"]),
    case("thousands alone", table(cells(["1,234", "12", "2,345"])),
         notices=["'1,234' is 1234; read as thousands, as a decimal comma would read as well"]),
    case("a rare thousand", table(cells(["9%d" % i for i in range(149)] + ["1,234"], 150)),
         notices=["'1,234' is 1234; read as thousands"]),
    case("a comma that only a fraction has", table(cells(["1,234", "12", "2,5"])), notices=["'1,234' is 1.234"]),
    case("thousands with blanks", table(cells(["1 234", "12 000.5", "7"])), notices=["'1 234' is 1234"]),
    case("thousands with no-break blanks", table(cells(["1\u00a0234", "12\u202f000", "7"])), notices=["' is 1234"]),
    case("thousands with apostrophes", table(cells(["1'234", "12'000.5", "7"])), notices=["'1'234' is 1234"]),
    case("thousands in a file of semicolons", table(cells(["1,234,567", "12,000", "7"]), delimiter=";"),
         notices=["'12,000' is 12000"]),
    case("decimal comma with thousands", table(cells(["1.234,5", "12.000,25", "7,5"]), delimiter=";", point=","),
         notices=["'1.234,5' is 1234.5"]),
    case("decimal comma with thousands in quotes", table(cells(["1.234,5", "12.000,25", "7,5"])),
         notices=["'1.234,5' is 1234.5"]),
    case("a point in a file of decimal commas", table(cells(["1.5", "2", "3"]), delimiter=";", point=","),
         notices=["'1.5' is 1.5"]),
    case("a decimal comma that may be thousands", table(cells(["1,234", "2,345", "3,456"]), delimiter=";", point=","),
         notices=["'1,234' and the like are read with a decimal comma, not as thousands (--decimal point reads"]),
    case("told that it is no decimal comma", table(cells(["1,234", "2,345", "3,456"]), delimiter=";"),
         options="--target y --decimal point", notices=["'1,234' is 1234; read as thousands"]),
    case("dollars", table(cells(["$1,234.50", "$12", "$7.5"])),
         notices=["column a: numbers with a unit, taken as numbers: '$1,234.50' is 1234.5"]),
    case("negative dollars", table(cells(["-$4", "$12", "$7.5"])), notices=["'-$4' is -4"]),
    case("euros behind", table(cells(["4 \u20ac", "12 \u20ac", "7.5 \u20ac"])), notices=["' is 4"]),
    case("pounds and yen signs alone are one currency", table(cells(["\u00a34", "\u00a312"])), notices=["' is 4"]),
    case("codes of currencies", table(cells(["EUR 4", "EUR 12", "EUR 7.5"])), notices=["'EUR 4' is 4"]),
    case("codes behind", table(cells(["4 USD", "12 USD", "7.5 USD"])), notices=["'4 USD' is 4"]),
    case("percent", table(cells(["4%", "12.5%", "7 %"])), notices=["'4%' is 4"]),
    case("percent but for a zero", table(cells(["4%", "12.5%", "0"])), notices=["'4%' is 4"]),
    case("two currencies are words", table(cells(["$4", "\u20ac12", "$7"])), "category"),
    case("Fortran's exponents", table(cells(["1.2D+03", "-0.5D-01", "7.0D+00"])), notices=["'1.2D+03' is 1200"]),
    case("parentheses for negative numbers", table(cells(["(4)", "(12.5)", "7"])), notices=["'(4)' is -4"]),
    case("a plus in front is plain", table(cells(["+4", "+12", "7"]))),
    case("thousands and marks of missing values", table(cells(["1,234", "-", "12", "NA", "5,000,000"])),
         notices=["'1,234' is 1234"]),
    case("lakhs and crores", table(cells(["1,23,456", "12,34,56,789", "45,678", "7"])),
         notices=["'45,678' is 45678"]),
    case("rupees", table(cells(["\u20b91,23,456.50", "\u20b97"])), notices=["' is 123456.5"]),
    case("groups of two digits alone are words", table(cells(["1,23,45", "2,34,56", "3,45,67"])), "category"),
    target("a target of lakhs", of_target(["%d,%02d,%03d" % (i % 9 + 1, i % 90, i * 37 % 1000) for i in range(60)]),
           notices=["column y: numbers with marks in them"]),
    case("signs of several letters", table(cells(["US$ 4", "US$ 12", "US$ 7.5"])), notices=["'US$ 4' is 4"]),
    case("signs of other countries", table(cells(["4 kr", "12 kr", "7.5 kr"])), notices=["'4 kr' is 4"]),
    case("amounts of a spreadsheet", table(cells([" $ 1,234.50 ", " $ -   ", " $ (12.00)", " $ 7.00 "])),
         notices=["'$ 1,234.50' is 1234.5"], json={"missing": 10}),
    case("a few negative numbers in parentheses", table(cells(["4", "12.5", "7", "8", "(5)"])), notices=["'(5)' is -5"]),
    case("words among amounts", table(cells(["$1,234", "$12", "$7", "free"])), "category",
         notices=["column a: 75 % of its values are numbers, but these are not: 'free' (10, first in line 5); treated as categories"]),
    failure("a word among amounts", table(cells(["$%d" % i for i in range(149)] + ["free"], 150)),
            "FILE, line 151, column 1 (a): found 'free', expected a number as in 99.33 % of the rows"),
    case("commas that later rows make decimals", table(["1,%03d" % (i % 900 + 100) for i in range(30000)] + ["2,5"] * 3000),
         notices=["'1,100' is 1.1"]),
    case("later units are others", table(["$%d" % (i % 50) for i in range(30000)] + ["\u20ac7"] * 3000), "category"),
    case("percent in the first rows alone", table(["%d%%" % (i % 50) for i in range(30000)] +
                                                  ["%d" % (i % 60) for i in range(33000)]), "category",
         notices=["but these are not: "]),
    case("percent in most of the later rows", table(["%d" % (i % 60) if i % 3 else "%d%%" % (i % 50) for i in range(30000)] +
                                                    ["%d%%" % (i % 50) for i in range(33000)]), notices=["'0%' is 0"]),
    failure("one percentage among numbers", table(cells(["7%"] + ["%d.5" % i for i in range(149)], 150)),
            "FILE, line 2, column 1 (a): found '7%', expected a number as in 99.33 % of the rows, but these are not: '7%' (1, line 2)"),
    target("a target in dollars", of_target(cells(["$1,234.50", "$12", "$7.5"])), notices=["'$1,234.50' is 1234.5"]),
    target("a target with thousands", of_target(cells(["%d,%03d" % (i, i * 37 % 1000) for i in range(1, 200)], 199)),
           notices=["read as thousands"]),
    target("a target of percent", of_target(cells(["4%", "12.5%", "7%"])), notices=["'4%' is 4"]),
    target("two percentages are two classes", of_target(cells(["4%", "12%"])), classes=["4", "12"], notices=["'4%' is 4"]),
    new("predict: thousands", table(cells(["1,234", "12", "2,345"])), 'a,b\n"2,000",3\n12,4\n', 2),
    new("predict: one number that is read as when learning", table(cells(["1.234,5", "7,5", "2,25"])),
        'a,b\n"1.234",3\n', 1),
    new("predict: dollars", table(cells(["$1,234.50", "$12"])), 'a,b\n"$1,200",3\n12,4\n-,5\n', 3, notices=["1 missing value"]),
]

MARKS = [
    case("None among numbers", table(cells(["1.5", "None", "2.5"]))),
    case("#N/A among numbers", table(cells(["1.5", "#N/A", "2.5"]))),
    case("#NA among numbers", table(cells(["1.5", "#NA", "2.5"]))),
    case("a hyphen among numbers", table(cells(["1.5", "-", "2.5"]))),
    case("two hyphens among numbers", table(cells(["1.5", "--", "2.5"]))),
    case("a point among numbers", table(cells(["1.5", ".", "2.5"]))),
    case("marks of data bases and pandas", table(cells(["1.5", "\\N", "2.5", "<NA>", "NaT"])), json={"missing": 24}),
    case("words are counted once, however often a file is read", "a,b,y\n" + "".join("%s,%s,%d.25\n" % (
        "unknown" if i % 10 == 0 else i % 7, "late" if i >= 30000 else i % 11, i * i % 23) for i in range(33000)), None,
         notices=["but these are not: 'unknown' (3300, first in line 2)", "but these are not: 'late' (3000, first in line 30002)"]),
    case("NULL and nil among numbers", table(cells(["1.5", "NULL", "2.5", "nil"]))),
    case("all marks among numbers", table(cells(["1", "?", "2", "NA", "n/a", "3", "NaN", "null", "-", "--", ".", "None"]))),
    case("marks with --missing of another word", table(cells(["1.5", "NA", "2.5", "gone"])),
         options="--target y --missing gone"),
    case("marks among words are words", table(cells(["u", "-", "None", "v"])), "category"),
    case("plus and minus are words", table(cells(["+", "-"])), "category"),
    case("marks alone are words", table(cells(["-", "."])), "category"),
    case("marks alone, all the same", table(cells(["-"])), "constant", notices=["dropped, the same in every row"]),
    target("a target with hyphens", of_target(cells(["1.5", "-", "2.5", "4"])), rows=30,
           notices=["10 rows without a target dropped"]),
    case("words among numbers", table(cells(["1", "2", "3", "4", "unknown", "5"])), "category",
         notices=["column a: 85 % of its values are numbers, but these are not: 'unknown' (6, first in line 6); treated as "
                  "categories (--missing unknown: a missing value; --categorical a: the column holds categories)"]),
    case("many words among numbers", table(cells(["1", "2", "3", "4", "5", "u", "6", "v", "w", "x", "7", "8"], 48)), "category",
         notices=["but these are not: 'u' (4, first in line 7), 'v' (4, first in line 9), 'w' (4, first in line 10) and 1 more"]),
    case("words among numbers, told that they mean nothing", table(cells(["1", "2", "3", "4", "unknown", "5"])),
         options="--target y --missing unknown"),
    case("words among numbers, told that they are categories", table(cells(["1", "2", "3", "4", "unknown", "5"])),
         "category", options="--target y --categorical a"),
    case("words among numbers that are all different", table(["%d.25" % i for i in range(38)] + ["low", "high"]),
         "identifier", notices=["but these are not: 'low' (1, line 40), 'high' (1, line 41); treated as names of rows, and dropped",
                                *NUMBERED]),
    failure("a word among 150 numbers", table(["%d.25" % i for i in range(149)] + ["low"]),
            "FILE, line 151, column 1 (a): found 'low', expected a number as in 99.33 % of the rows, but these are not: 'low' (1, "
            "line 151) (--missing low: a missing value; --categorical a: the column holds categories)"),
    failure("words in a target of numbers", of_target(["%d.25" % i for i in range(38)] + ["low", "high"]),
            "FILE, line 40, column 3 (y): found 'low', expected a number as in 95 % of the rows, but these are not: 'low' (1, "
            "line 40), 'high' (1, line 41)"),
    target("a few numbers and a word as classes", of_target(cells(["1", "2", "3+"])), "category", classes=["1", "2", "3+"],
           notices=["column y: 67.5 % of its values are numbers, but these are not: '3+' (13, first in line 4); treated as classes"]),
]

DATES = [
    case("ISO dates", table(["2020-%02d-%02d" % (i % 12 + 1, i % 28 + 1) for i in range(40)]), "date",
         notices=[TIME + "a validates forward"]),
    case("dates with zones", table(["2020-03-%02dT12:00:00+01:00" % (i % 28 + 1) for i in range(40)]), "date",
         notices=[TIME + "a "]),
    case("dates with Z and fractions", table(["2020-03-%02dT12:00:00.125Z" % (i % 28 + 1) for i in range(40)]), "date",
         notices=[TIME + "a "]),
    case("dates with short zones", table(["2020-03-%02d 12:00:00-0500" % (i % 28 + 1) for i in range(40)]), "date",
         notices=[TIME + "a "]),
    case("days first with points", table(["%02d.%02d.2020" % (i % 28 + 1, i % 12 + 1) for i in range(40)]), "date",
         notices=[TIME + "a "]),
    case("months first", table(["%02d/%02d/2020" % (i % 12 + 1, i % 28 + 1) for i in range(40)]), "date",
         notices=[TIME + "a "]),
    case("days first", table(["%02d/%02d/2020" % (i % 28 + 1, i % 12 + 1) for i in range(40)]), "date",
         notices=[TIME + "a "]),
    case("days or months first", table(["%02d/%02d/2020" % (i % 12 + 1, i % 11 + 1) for i in range(40)]), "date",
         notices=["column a: its dates are ambiguous, as no value tells days from months; ", TIME + "a "]),
    case("names of months", table(["Jan %02d 2020" % (i % 28 + 1) for i in range(40)]), "date", notices=[TIME + "a "]),
    case("names of months behind the day", table(["%02d Jan 2020" % (i % 28 + 1) for i in range(40)]), "date",
         notices=[TIME + "a "]),
    case("months", table(["20%02d-%02d" % (i % 20, i % 12 + 1) for i in range(40)]), "date", notices=[TIME + "a "]),
    case("eight digits are numbers", table(["2020%02d%02d" % (i % 12 + 1, i % 28 + 1) for i in range(40)])),
    case("times of day", table(["%02d:%02d" % (i % 24, i * 7 % 60) for i in range(40)]),
         notices=["column a: times of day in seconds, taken as numbers: '00:00' is 0"]),
    case("times of day with seconds", table(["%02d:%02d:10" % (i % 24, i * 7 % 60) for i in range(40)]),
         notices=["'00:00:10' is 10"]),
    case("times with AM and PM", table(["%d:30 %s" % (i % 12 + 1, "AM" if i % 2 else "PM") for i in range(40)]),
         notices=["'1:30 PM' is 48600"]),
    case("dates as categories", table(cells(["2020-01-01", "2020-01-02"])), "category",
         options="--target y --categorical a"),
    case("dates with hyphens for missing ones", table(cells(["31.12.2020", "-", "30.11.2020", "1.1.2021"])), "date",
         notices=[TIME + "a "]),
    target("a target of dates", of_target(["2020-%02d-%02d" % (i % 12 + 1, i % 28 + 1) for i in range(40)]), "date",
           json={"task": "regression"},
           notices=["the target y holds dates, read as days since 1970-01-01 (--categorical y: as classes)"]),
    target("a target of two dates", of_target(cells(["2020-01-01", "2020-01-02"])), "date", json={"task": "regression"},
           notices=["the target y holds dates"]),
    failure("a target of dates that is to be classes", of_target(cells(["2020-01-01", "2020-01-02"])),
            "column 3 (y) holds dates, expected classes", "--target y --task classification"),
    target("dates as classes", of_target(cells(["2020-01-01", "2020-01-02"])), "category",
           "--target y --categorical y", classes=["2020-01-01", "2020-01-02"]),
    failure("one word among dates", table(["%02d.%02d.2020" % (i % 28 + 1, i % 12 + 1) for i in range(149)] + ["soon"]),
            "found 'soon', expected a date as in 99.33 % of the rows, but these are not: 'soon' (1, line 151)"),
    case("times with AM and PM behind ISO dates", table(["2020-03-%02d 1:30 PM" % (i % 28 + 1) for i in range(40)]), "date",
         notices=[TIME + "a "]),
    case("dates with NaT", table(cells(["2020-12-31", "NaT", "2020-11-30", "2021-01-01"])), "date", json={"missing": 10},
         notices=[TIME + "a "]),
    case("words among dates", table(cells(["2020-12-31", "2020-11-30", "soon", "2021-01-01"])), "category",
         notices=["column a: 75 % of its values are dates, but these are not: 'soon' (10, first in line 4); treated as categories "
                  "(--missing soon: a missing value; --categorical a: the column holds categories)"]),
    case("words among times", table(cells(["12:30", "24:00", "13:45", "7:10"])), "category",
         notices=["column a: 75 % of its values are times, but these are not: '24:00' (10, first in line 3)"]),
    failure("a word among times of rows", table(cells(["2020-12-31", "2020-11-30", "soon", "2021-01-01"])),
            "FILE, line 4, column 1 (a): found 'soon', expected a number or a date", "--target y --time a"),
    case("days that later rows tell from months", table(["%02d/%02d/2020" % (i % 12 + 1, i % 11 + 1) for i in range(30000)] +
                                                        ["25/02/2020"] * 3000), "date", notices=[TIME + "a "]),
    case("months that later rows tell from days", table(["%02d/%02d/2020" % (i % 12 + 1, i % 11 + 1) for i in range(30000)] +
                                                        ["02/25/2020"] * 3000), "date", notices=[TIME + "a "]),
    new("predict: a day that could be a month", table(["%02d/%02d/2020" % (i % 28 + 1, i % 12 + 1) for i in range(40)]),
        "a,b\n03/04/2020,3\n28/11/2020,4\n", 2),
    new("predict: times of day", table(["%02d:%02d" % (i % 24, i * 7 % 60) for i in range(40)]), "a,b\n13:45,3\n", 1),
    case("validation rows are read as training rows",
         table(["%02d/%02d/2020" % (i % 28 + 1, i % 12 + 1) for i in range(40)]), "date",
         options="--target y --valid OTHER", other=table(cells(["03/04/2020", "04/05/2020"])), notices=[TIME + "a "]),
]

IDENTIFIERS = [
    case("row numbers from 1", table(["%d" % (i + 1) for i in range(40)]), "identifier", notices=NUMBERED),
    case("row numbers from 0", table(["%d" % i for i in range(40)]), "identifier", notices=NUMBERED),
    case("row numbers in another order", table(["%d" % (i * 7 % 40 + 1) for i in range(40)]), "identifier",
         notices=NUMBERED),
    case("row numbers written with a point", table(["%d.0" % (i * 7 % 40) for i in range(40)]), "identifier",
         notices=NUMBERED),
    case("row numbers that are kept", table(["%d" % (i + 1) for i in range(40)]), options="--target y --keep a"),
    case("years in order", table(["%d" % (1980 + i) for i in range(40)]), notices=RUN),
    case("years in another order", table(["%d" % (1980 + i * 7 % 40) for i in range(40)]), notices=RUN),
    case("years that are kept", table(["%d" % (1980 + i) for i in range(40)]), options="--target y --keep a"),
    case("years with one left out", table(["%d" % (1980 + i + (i > 20)) for i in range(40)])),
    case("row numbers with one twice", table(["%d" % max(i, 1) for i in range(40)])),
    case("row numbers with one missing", table(["%d" % i if i != 5 else "" for i in range(40)])),
    case("few row numbers", table(["%d" % i for i in range(12)])),
    case("names of rows", table(["k%d" % i for i in range(40)]), "identifier", notices=NUMBERED),
    case("names of rows that are kept", table(["k%d" % i for i in range(40)]), "category", options="--target y --keep a"),
    case("a constant that is kept", table(cells(["7"])), "constant", options="--target y --keep a", json={"inputs": 2}),
    case("a copy that is kept", table(["%d" % (i * 7 % 11) for i in range(40)]), options="--target y --keep a,b",
         json={"inputs": 2}),
    failure("a target cannot be kept", table(cells(["7", "8"])), "column y is the target and cannot be kept as an input",
            "--target y --keep y", 1),
    failure("a column that is not there cannot be kept", table(cells(["7", "8"])), "no column z", "--target y --keep z", 1),
]

CLASSES = [
    target("zeros in front", of_target(cells(["00501", "00502"])), classes=["00501", "00502"]),
    target("zeros in front, three classes", of_target(cells(["00501", "10001", "9"])), classes=["9", "00501", "10001"],
           options="--target y --task classification"),
    target("points and zeros", of_target(cells(["1.0", "0.0"])), classes=["0.0", "1.0"]),
    target("plus and minus one", of_target(cells(["+1", "-1"])), classes=["-1", "+1"]),
    target("one class written in two ways", of_target(cells(["1.0", "0", "1", "0"])), classes=["0", "1"],
           notices=["column y: '1' and '1.0' are the same number and become one class, 1"]),
    target("words and a number in two ways", of_target(cells(["1.0", "u", "1", "v"])), "category", classes=["1", "u", "v"],
           notices=["'1' and '1.0' are the same number and become one class, 1", "treated as classes"]),
    target("numbers by value", of_target(cells(["10", "9", "100"])), classes=["9", "10", "100"],
           options="--target y --task classification"),
    target("words by bytes", of_target(cells(["b", "C", "a"])), "category", classes=["C", "a", "b"]),
    target("a decimal comma in classes", of_target(cells(["0,5", "1,5"]), ";"), classes=["0.5", "1.5"]),
]

CASES = NUMBERS + MARKS + DATES + IDENTIFIERS + CLASSES
