"""`make race` at a tiny size, with the learners that Debian has: runs, caps, resuming, and who is marked as winner.

No test depends on how long anything takes."""
import csv
import json
import math
import os
import statistics
import subprocess
import sys

from _tap import check, end, skip

SOURCE = os.environ["ENTROPIC_SOURCE"]
BUILD = os.environ["ENTROPIC_BUILD"]
SCRIPT = os.path.join(SOURCE, "bench", "race.py")
sys.path.insert(0, os.path.join(SOURCE, "bench"))


def race(folder, *options):
    words = [sys.executable, SCRIPT, "--build", BUILD, "--folder", folder, "--output", os.path.join(folder, "race"),
             "--repeats", "1", "--threads", "1", *options]
    return subprocess.run(words, capture_output=True, text=True)


def lines(folder):
    with open(os.path.join(folder, "log.jsonl")) as file:
        return [json.loads(line) for line in file]


def summary(folder):
    with open(os.path.join(folder, "race.json")) as file:
        return json.load(file)["summary"]


def scored(folder, table):
    """The error of a new fit by `entropic score`, over the deviation of the test rows."""
    train, test = (os.path.join(folder, "tables", table, part + ".csv") for part in ("train", "test"))
    subprocess.run([os.environ["ENTROPIC"], "fit", train, "--target", "y", "-o", "model.entropic", "--quiet"], check=True)
    out = subprocess.run([os.environ["ENTROPIC"], "score", "model.entropic", test, "--json", "--quiet"],
                         capture_output=True, text=True, check=True).stdout
    with open(test) as file:
        return json.loads(out)["rmse"] / statistics.pstdev(float(row["y"]) for row in csv.DictReader(file))


def test_runs():
    done = race("first", "--rows", "300", "--tables", "friedman1,mixed-classes", "--learners", "entropic,liblinear",
                "--cap", "200")
    records = lines("first") if done.returncode == 0 else []
    good = [r for r in records if r["status"] == "finished" and 0 <= r["error"] < 1 and r["memory"] > 1e6
            and r["fit_seconds"] > 0 and r["predict_seconds"] > 0 and r["fit_cpu_seconds"] >= 0]
    check("two learners run on two tables", len(records) == 4 and len(good) == 4, done.stderr)
    if len(good) < 4:
        return
    errors = {(r["table"], r["learner"]): r for r in records}
    ours, other = errors["friedman1", "entropic"]["error"], scored("first", "friedman1-300")
    check("the error is that of entropic score", abs(ours - other) <= 1e-4 * other, (ours, other))
    loss = errors["mixed-classes", "liblinear"]["logloss"]
    check("probabilities are scored", 0 < loss < 5 and not math.isnan(loss), loss)
    again = race("first", "--rows", "300", "--tables", "friedman1,mixed-classes", "--learners",
                 "entropic,liblinear", "--cap", "200")
    check("a second call runs nothing again", again.returncode == 0 and len(lines("first")) == 4, again.stderr)
    with open("first/log.jsonl") as file:
        text = file.read()
    with open("first/log.jsonl", "w") as file:
        file.write(text[:-20])  # as an interruption leaves it
    race("first", "--report")
    kept = sum(len(r["results"]) for r in summary("first")["races"])
    check("a line that was cut off does not stop the rest", kept == 3, kept)


def test_caps():
    options = ["--rows", "300", "--tables", "friedman1", "--learners", "entropic,liblinear"]
    done = race("caps", *options, "--cap", "0")
    found = {r["learner"]: r["status"] for r in lines("caps")}
    check("cap 0: nobody finishes", found == {"entropic": "time", "liblinear": "time"}, (found, done.stderr))
    race_found = summary("caps")["races"][0]
    notes = [r["note"] for r in race_found["results"].values()]
    check("who did not finish wins nothing, and is told of",
          race_found["best"] == {} and all(note.startswith("not finished") for note in notes), race_found)
    more = race("caps", *options, "--rows", "400", "--cap", "0")
    check("who did not finish is not run at more rows",
          [r["status"] for r in lines("caps")[2:]] == ["skipped", "skipped"], more.stderr)
    race("caps", *options, "--cap", "200")
    check("with a wider cap it is", {r["status"] for r in lines("caps")[4:]} == {"finished"}, lines("caps")[4:])
    race("memory", *options[:-1], "liblinear", "--memory", "0.001")
    check("a cap of memory", [r["status"] for r in lines("memory")] == ["memory"], lines("memory"))


def record(learner, status="finished", **values):
    return {"learner": learner, "status": status, "table": "friedman1", "rows": 300, "digest": "d", "repeat": 0,
            "read_seconds": 1.0, "fit_seconds": 2.0, "predict_seconds": 0.5, "fit_cpu_seconds": 2.0, "memory": 5e6,
            "error": 0.3, "others": 0.0, "version": "v", "settings": "s", "threads": 1, "cap_seconds": 60,
            "cap_memory": 10**9, "phase": "fit", "date": "2000-01-01",
            "machine": {"processor": "p", "cores": 1, "memory": 2**30}, **values}


def test_marks():
    import race_page
    import race_report

    table = {"name": "friedman1", "rows": 300, "test_rows": 600, "inputs": 10, "task": "regression", "floor": {},
             "bytes": 1, "digest": "d"}
    runs = [record("entropic", error=0.2), record("entropic", repeat=1, fit_seconds=1.5, error=0.2),
            record("xgboost", fit_seconds=1.0, memory=9e6), record("lightgbm", error=0.2, memory=4e6),
            record("ebm", "time", error=0.0, fit_seconds=0.1), record("hgb", error=0.1, digest="other rows")]
    found = race_report.summarise(runs, [table])
    race_found = found["races"][0]
    check("the least value of each column wins, with ties",
          {k: race_found["best"].get(k) for k in ("fit", "total", "memory", "error")}
          == {"fit": ["xgboost"], "total": ["xgboost"], "memory": ["lightgbm"], "error": ["entropic", "lightgbm"]},
          race_found["best"])
    check("times are the least of the repeats", race_found["results"]["entropic"]["fit"] == 1.5, race_found["results"])
    check("records of other rows do not count", "hgb" not in race_found["results"], race_found["results"])
    scores = {s["column"]: s for s in race_found["scores"]}
    check("what is lost is told", not scores["fit"]["won"] and scores["fit"]["rival"] == "xgboost"
          and scores["fit"]["ratio"] == 1.5 and scores["error"]["even"] and not scores["memory"]["won"], scores)
    check("nobody is ahead who takes longer", race_found["ahead"] == [], race_found["ahead"])
    check("who is as good and faster is ahead", race_report.summarise(
        [*runs, record("catboost", error=0.2, fit_seconds=1.5)], [table])["races"][0]["ahead"] == ["catboost"])
    page = race_page.page_of(found)
    check("the page marks winners and losers", page.count('class="n best"') >= 6 and ">lost</td>" in page
          and "more than 60" in page, page[-2000:])
    check("the page says in words what was won and lost", "In the one race, Entropic beats the best of the others in 0 columns "
          "and loses in 3; 3 are even." in page, page[page.index('class="lead"'):][:300])
    check("also of several races and of none", race_page.score_sentence(
        [{"scores": [{"won": True, "even": False}] * 1}, {"scores": [{"won": False, "even": False}] * 2}])
        == "In 2 races, Entropic beats the best of the others in 1 column and loses in 2."
        and "no race yet" in race_page.score_sentence([]))
    check("the page needs nothing else", "http" not in page and "url(" not in page and "@import" not in page)
    check("the looks are those of the command's pages", "--s15:" in page and "prefers-color-scheme:dark" in page
          and "table.sortable" in page)


def test_table():
    import race_tables

    target, known = race_tables.write_mixed("mixed.csv", 5000, 1, "regression")
    with open("mixed.csv") as file:
        rows = list(csv.DictReader(file))
    missing = {c: sum(row[c] == "" for row in rows) / len(rows) for c in rows[0]}
    check("cells are missing where they should be",
          all(0.02 < missing[c] < 0.4 for c in ("size", "age", "shop", "price"))
          and all(missing[c] == 0 for c in ("hour", "region", "article", "y")), missing)
    dear = [float(y) for y, row in zip(known, rows) if row["price"] == ""]
    rest = [float(y) for y, row in zip(known, rows) if row["price"] != ""]
    check("a missing price says something", statistics.mean(dear) > statistics.mean(rest) + 0.5)
    check("the file has the target", max(abs(float(row["y"]) - y) for row, y in zip(rows, target)) <= 1e-4)
    noise = statistics.pstdev(float(y - k) for y, k in zip(target, known))
    check("the noise has deviation 1", abs(noise - 1) < 0.05, noise)


try:
    import sklearn  # noqa: F401
    import pandas  # noqa: F401
except ImportError as lacking:
    skip("races", lacking)
else:
    test_runs()
    test_caps()
    test_marks()
    test_table()
sys.exit(end())
