"""The parts of `make accuracy`, and a small run of it on a table made here."""
import gzip
import html.parser
import json
import math
import os
import subprocess
import sys

try:
    import numpy as np
    import sklearn  # noqa: F401
except ImportError as missing:
    print("1..0 # SKIP %s" % missing)
    sys.exit(0)

sys.dont_write_bytecode = True
BENCH = os.path.join(os.environ["ENTROPIC_SOURCE"], "bench")
sys.path.insert(0, BENCH)
import accuracy_modes as modes  # noqa: E402
import accuracy_report as report  # noqa: E402
import accuracy_run as running  # noqa: E402
import accuracy_tables as tables  # noqa: E402
import compare_tables  # noqa: E402

from _tap import check, end


def write_gz(path, text):
    with gzip.open(path, "wt") as file:
        file.write(text)


random = np.random.RandomState(0)


def regression_table(rows=100):
    cells = np.array(
        [
            ["%.3f" % a, "%d" % b, "" if b == 3 else "abc"[b % 3]]
            for a, b in zip(random.random_sample(rows), random.randint(0, 9, rows))
        ],
        object,
    )
    return tables.with_unit(
        tables.Table("made", tables.REGRESSION, ["x", "k", "c"], cells, random.standard_normal(rows))
    )


# ---- tables and splits ----

table = regression_table()
one, again, other = tables.split(table, 0), tables.split(table, 0), tables.split(table, 1)
check("a split parts all rows", sorted([*one.train, *one.test]) == list(range(100)) and len(one.train) == 80)
check("a split is the same every time", one.digest() == again.digest() and (one.train == again.train).all())
check("another split has other rows", other.digest() != one.digest() and set(other.test) != set(one.test))
touched = regression_table()
touched.cells, touched.target = table.cells.copy(), table.target
touched.cells[one.test[0], 0] = "0.5005"
check("another cell makes another digest", tables.Split(touched, 0, one.train, one.test).digest() != one.digest())
check("categories are found", table.category.tolist() == [False, False, True])
check("the unit is the target's standard deviation", table.unit == table.target.std())

classes = tables.Table(
    "classes", tables.CLASSES, ["x"], np.full((200, 1), "1", object), np.array(["a"] * 50 + ["b"] * 150, object)
)
parted = tables.split(classes, 3)
check("classes are split alike", (classes.target[parted.test] == "a").sum() == 10 and len(parted.test) == 40)
check("so many training rows", len(tables.split(table, 0, 37).train) == 37)

train, test = tables.coded(one)
known = sorted(set(table.cells[one.train, 2]) - {""})
back = ["" if math.isnan(code) else known[int(code)] for code in np.concatenate([train[:, 2], test[:, 2]])]
check("codes stand for names", back == [*table.cells[one.train, 2], *table.cells[one.test, 2]])
train, test = tables.one_hot(one, keep_missing=False)
check(
    "one column a name and one for missing", train.shape[1] == 2 + len(known) + 1 and (train[:, 2:].sum(1) == 1).all()
)
blank = modes.with_blanks(table, 0.3)
share = np.mean(blank.cells == "") - np.mean((table.cells == "") & (blank.cells == ""))
check("so many cells are blanked", bool(0.2 <= share <= 0.35), share)
filled, _ = tables.one_hot(tables.Split(blank, 0, one.train, one.test), keep_missing=False)
kept, _ = tables.one_hot(tables.Split(blank, 0, one.train, one.test), keep_missing=True)
check("missing numbers are filled, or kept", bool(np.isfinite(filled).all()) and bool(np.isnan(kept).any()))

tables.write_csv("made.csv", table, one.train, with_target=True)
with open("made.csv") as file, gzip.open("made.csv.gz", "wt") as packed:
    packed.write(file.read())
read = tables.csv_table("made", tables.REGRESSION, ["made.csv.gz"], "target")
check(
    "what is written is read again",
    (read.cells == table.cells[one.train]).all() and (read.target == table.target[one.train]).all(),
)

write_gz("s.libsvm.gz", "+1 1:0.5 3:2\n-1 2:1\n")
write_gz("s.t.libsvm.gz", "1 4:7\n")
sparse = tables.libsvm_table("s", ["s.libsvm.gz", "s.t.libsvm.gz"])
check(
    "LIBSVM text",
    sparse.cells.tolist() == [["0.5", "0", "2", "0"], ["0", "1", "0", "0"], ["0", "0", "0", "7"]]
    and sparse.target.tolist() == ["1", "-1", "1"]
    and sparse.train_rows == 2,
)

units = modes.in_other_units(table, "input", 1e6, 0.0)
check(
    "units of the input with the most values",
    abs(float(units.cells[0, 0]) - 1e6 * float(table.cells[0, 0])) <= 1e-3
    and (units.cells[:, 1:] == table.cells[:, 1:]).all(),
)
order = modes.with_columns_shuffled(table)
check(
    "shuffled columns keep their cells",
    all((order.cells[:, i] == table.cells[:, table.names.index(name)]).all() for i, name in enumerate(order.names)),
)

# ---- errors ----

truth, guess = random.standard_normal(50), random.standard_normal(50)
expected = math.sqrt(sum((a - b) ** 2 for a, b in zip(truth, guess)) / 50) / table.unit
check("error of numbers", abs(running.error_of(table, truth, guess) - expected) <= 1e-12)
check("error of classes", running.error_of(classes, np.array(["a", "b", "b"]), np.array(["a", "a", "b"])) == 1 / 3)

sure = np.array([0.1] * 10 + [0.9] * 10)
check("calibrated", running.calibration_error(sure, np.array([1.0] + [0] * 9 + [1] * 9 + [0]), 2) <= 1e-12)
check("not calibrated", abs(running.calibration_error(sure, np.array([0.0] * 10 + [0] * 10), 2) - 0.5) <= 1e-12)
found = running.probability_errors(np.array(["a", "b"]), ["a", "b"], np.array([[0.5, 0.5], [0.2, 0.8]]))
check("log loss", abs(found["logloss"] + (math.log(0.5) + math.log(0.8)) / 2) <= 1e-12)

# ---- summing up ----


def record(name, split, method, error, seconds=2.0):
    return {
        "table": name,
        "split": split,
        "method": method,
        "error": error,
        "fit_seconds": seconds,
        "cpu_seconds": seconds,
        "bytes": 1000,
        "digest": "d",
    }


about = [
    {
        "name": name,
        "task": tables.REGRESSION,
        "fixed": name == "f",
        "train_rows": 80,
        "test_rows": 20,
        "inputs": 3,
        "unit": "",
    }
    for name in ("t", "f")
]
records = [
    record("t", 0, "entropic", 0.2),
    record("t", 1, "entropic", 0.4, 3.0),
    record("t", 0, "hgb", 0.1, 0.01),
    record("t", 1, "hgb", 0.2, 0.5),
    record("t", 2, "hgb", 9.0),
    record("f", 0, "entropic", 0.1),
    record("f", 1, "entropic", 0.3),
    record("f", 0, "hgb", 0.4),
]
summary = report.summarise(records, about, ["entropic", "hgb"])
ratio = summary["against"]["hgb"]
check(
    "ratios on common splits",
    abs(ratio["ratios"]["t"] - 2) <= 1e-12 and abs(ratio["ratios"]["f"] - 0.5) <= 1e-12,
    ratio,
)
check(
    "geometric mean, wins, losses",
    abs(ratio["error_ratio"] - 1) <= 1e-12 and (ratio["wins"], ratio["losses"]) == (1, 1),
    ratio,
)
check("a floor of one second", ratio["times"] == {"t": 2.0, "f": 1.0}, ratio)
check("standard error", abs(summary["results"]["t"]["entropic"]["standard_error"] - 0.1) <= 1e-12)
check("none of one run", report.standard_error([1.0]) is None)
broken = report.summarise([{"table": "t", "split": 0, "method": "entropic", "failure": "no"}], about[:1], ["entropic"])
check("failures are shown", "FAILED t, entropic: no" in report.text_of(broken, []))
check(
    "sizes", [report.size(n) for n in (None, 12, 1500, 999.9e3, 2.5e6)] == ["-", "12 B", "1.5 kB", "1000 kB", "2.5 MB"]
)

document = "a\n%s\nold\n%s\nb\n" % report.MARKS
check("between marks", report.put_between_marks(document, r"new \1") == "a\n%s\n\nnew \\1\n\n%s\nb\n" % report.MARKS)
with open(os.path.join(os.environ["ENTROPIC_SOURCE"], "docs", "accuracy.md")) as file:
    check("the document has its marks", "here" in report.put_between_marks(file.read(), "here"))


class Checker(html.parser.HTMLParser):
    """Every element is closed, in order."""

    open, wrong = (), False

    def handle_starttag(self, tag, attributes):
        if tag != "meta":
            self.open += (tag,)

    def handle_endtag(self, tag):
        self.wrong |= not self.open or self.open[-1] != tag
        self.open = self.open[:-1]


checker = Checker()
page = report.page_of(summary, [("a < b", [["x"], ["<y>"]], "")])
checker.feed(page)
check("the page is whole", not checker.open and not checker.wrong and "&lt;y&gt;" in page and "http" not in page)

store = running.Store("store.json")
store.add(record("t", 0, "hgb", 0.1))
check("a store is on disk at once", running.Store("store.json").find("t", 0, "hgb")["error"] == 0.1)
running.Store("store.json", read_only=True).add(record("t", 1, "hgb", 0.1))
check("a store to read from stays", running.Store("store.json").find("t", 1, "hgb") is None)

category = modes.many_categories(500, tables.CLASSES, informative=True, rows=300)
check(
    "a category of many values",
    category.category.tolist() == [False] * 5 + [True] and set(category.target) == {"high", "low"},
)
better, worse = ([({"error": 0.5 + d}, {"error": 0.5 + d + by}) for d in (0.0, 0.1)] for by in (0.001, 0.1))
check(
    "verdicts",
    [modes.verdict(better), modes.verdict(worse), modes.verdict([({"error": 1}, {"failure": "no"})])]
    == ["fine", "WORSE", "FAILED"],
)

# ---- a run ----

os.mkdir("data")
rows = random.random_sample((150, 3))
write_gz(
    "data/concrete.csv.gz",
    "a,b,c,compressive_strength\n" + "".join("%.4f,%.4f,%.4f,%.4f\n" % (*r, r[0] + r[1] * r[2]) for r in rows),
)


def accuracy(*options):
    words = [
        sys.executable,
        "-B",
        os.path.join(BENCH, "accuracy.py"),
        "--entropic",
        os.environ["ENTROPIC"],
        "--data",
        "data",
        "--only",
        "concrete",
        "--splits",
        "2",
        *options,
    ]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        print("# " + done.stderr.replace("\n", "\n# "))
        return {"records": []}
    with open(os.path.join(options[options.index("--output") + 1], "accuracy.json")) as file:
        return json.load(file)


def errors(result, method):
    return [r["error"] for r in result["records"] if r["method"] == method]


first = accuracy("--methods", "entropic,hgb", "--output", "first")
check(
    "both are measured, and better than the mean",
    len(errors(first, "entropic")) == 2
    and len(errors(first, "hgb")) == 2
    and all(e <= 0.6 for e in errors(first, "entropic") + errors(first, "hgb")),
    first,
)
check("text and page are there", all(os.path.getsize("first/accuracy." + end) for end in ("txt", "html")))
second = accuracy(
    "--rivals-from",
    "first/rivals.json",
    "--before",
    "first/accuracy.json",
    "--options",
    "--features 5",
    "--output",
    "second",
)
check(
    "rivals of an earlier run",
    errors(second, "hgb") == errors(first, "hgb")
    and {r["method"] for r in second["records"]} == {"entropic", "hgb", "before"},
)
check("options reach the fit", all(r["features"] == 5 for r in second["records"] if r["method"] == "entropic"))
check("an earlier version as a baseline", errors(second, "before") == errors(first, "entropic"))
sixth = accuracy("--ours-from", "second/accuracy.json", "--rivals-from", "first/rivals.json", "--output", "sixth")
check(
    "nothing is run that is known",
    [r for r in sixth["records"] if r["method"] != "before"]
    == [r for r in second["records"] if r["method"] != "before"],
)
third = accuracy("--shift", "--shuffle", "--output", "third")
check(
    "other modes",
    [s["title"] for s in third.get("sections", [])] == ["In other units", "Columns and rows in another order"],
)

fourth = accuracy("--compare", "20", "--output", "fourth")["sections"][0]["rows"]
check(
    "our features compared with others",
    fourth[1][:2] == ["concrete", "20"]
    and abs(float(fourth[1][6]) * float(fourth[1][5]) / float(fourth[1][3]) - 1) <= 5e-3
    and fourth[-1][6] == fourth[1][6],
    fourth,
)
check("ours are the features selected from the data", fourth[1][2] == "EOF-select" and not fourth[1][4].startswith("EOF"))

tuned = {20: {"EOF": 0.1, "EOF-select": 0.3, "RKS": 0.5, "ORF": 0.4}, 50: {"EOF": 0.1, "EOF-select": 0.2, "RKS": 0.1}}
check("cells of the features compared", compare_tables.cells_of(tuned) == ["0.750 ORF", "2.000 RKS"])
features = "before\n%s\n\n| table | 20 | 50 |\n|---|---|---|\n| a | 1 X | 2 Y |\n| b | 3 X | 4 Y |\n\n%s\nafter\n" % (
    compare_tables.MARKS
)
changed = compare_tables.put_rows(features, {"b": ["5 Z", "6 Z"], "c": ["7 Z", "8 Z"]})
check(
    "rows of tables that were run are new, the others stay",
    changed == features.replace("| b | 3 X | 4 Y |", "| b | 5 Z | 6 Z |\n| c | 7 Z | 8 Z |"),
    changed,
)
with open(os.path.join(os.environ["ENTROPIC_SOURCE"], "docs", "accuracy.md")) as file:
    documented = compare_tables.rows_between_marks(file.read())
check("every table is documented", [row[0] for row in documented[1:]] == list(tables.SOURCES), documented)
compare_tables.main(
    ["--entropic", os.environ["ENTROPIC"], "--data", "data", "--only", "concrete", "--runs", "1", "--sizes", "5", "--output", "sheets"]
)
with open("sheets/concrete.json") as file:
    kept = json.load(file)
check("all of it is kept", kept["seconds"] > 0 and all(len(m["errors"]) == 1 for m in kept["methods"]))
fifth = accuracy(
    "--noise-columns", "2", "--duplicate-columns", "--blank", "0.2", "--methods", "entropic", "--output", "fifth"
)
worse = [section["rows"][1] for section in fifth["sections"]]
check(
    "errors before and after a change",
    len(worse) == 3
    and all(abs(float(row[2]) - sum(errors(first, "entropic")) / 2) <= 1e-5 for row in worse)
    and float(worse[2][4]) > 1,
    worse,
)

sys.exit(end())
