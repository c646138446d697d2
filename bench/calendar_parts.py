"""Do dates give what their hours, weekdays and seasons are worth? Simulated tables of dates whose truth is known.

    calendar_parts.py [--only NAMES] [--processes N]

Each table is fitted twice. Where the calendar matters: with its column of dates alone, and with columns made by hand in its
place (days as a number, hour, weekday, day of the year); the error on fresh rows may be 1.05 times as large. Where it does
not: with the column of dates, and with the same days as a number; the geometric mean of the ratios may be 1.01. Exit status
1 if a limit is broken.
"""
import argparse
import csv
import datetime
import json
import math
import multiprocessing
import os
import subprocess
import sys
import tempfile

import numpy as np

ENTROPIC = os.environ.get("ENTROPIC") or os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "build",
                                                      "release", "bin", "entropic")
HOUR, DAY, WEEK, YEAR = 1 / 24, 1, 7, 365.25
WORST, WORST_MEAN = 1.05, 1.01
TEST = 2000  # fresh rows

# Name, span in days, rows, what matters (h hour, w weekday, y day of the year, t trend, i an interaction with x1), share
# missing, zones (hours ahead of UTC), whether rows are in order, step in days (0: any time).
MATTERS = [
    ("1 hour", HOUR, 400, "t", 0, (), True, 0),
    ("6 hours", 6 * HOUR, 500, "t", 0.05, (), False, 0),
    ("1 day", DAY, 600, "h", 0, (), True, 0),
    ("1 day +01:00", DAY, 600, "h", 0.1, (1,), False, 0),
    ("2 days", 2 * DAY, 800, "h", 0, (), False, 0),
    ("4 days, 3 zones", 4 * DAY, 1200, "h", 0, (-8, 1, 5.5), False, 0),
    ("1 week hourly", WEEK, 168, "h", 0, (), True, HOUR),
    ("10 days", 10 * DAY, 1000, "hw", 0, (), True, 0),
    ("3 weeks", 3 * WEEK, 1000, "hw", 0, (), False, 0),
    ("3 weeks, missing", 3 * WEEK, 1500, "hw", 0.2, (), False, 0),
    ("5 weeks, 2 zones", 5 * WEEK, 1500, "hw", 0.05, (1, 2), False, 0),
    ("2 months of days", 60, 60 * 8, "w", 0, (), True, DAY),
    ("2 months", 60, 1500, "wt", 0, (), False, 0),
    ("4 months, hour by x1", 120, 2000, "hi", 0, (), False, 0),
    ("6 months", 180, 2000, "hwt", 0, (), False, 0),
    ("6 months hourly", 180, 2000, "h", 0.02, (0,), True, HOUR),
    ("9 months of days", 270, 270, "wt", 0, (), True, DAY),
    ("1 year of days", 364, 365, "y", 0, (), True, DAY),
    ("1 year", YEAR, 1500, "yh", 0, (), False, 0),
    ("1 year, missing", YEAR, 1500, "ywh", 0.1, (), False, 0),
    ("18 months", 1.5 * YEAR, 1500, "yw", 0, (), False, 0),
    ("2 years, trend", 2 * YEAR, 2000, "yt", 0, (), False, 0),
    ("2 years, 4 zones", 2 * YEAR, 2500, "ywh", 0.03, (-5, -4, 0, 9), False, 0),
    ("3 years", 3 * YEAR, 2000, "ywh", 0, (), False, 0),
    ("3 years of days", 3 * YEAR, 1096, "yw", 0, (), True, DAY),
    ("5 years", 5 * YEAR, 2000, "ywht", 0, (), False, 0),
    ("8 years, season by x1", 8 * YEAR, 2000, "yi", 0, (), False, 0),
    ("10 years of weeks", 10 * YEAR, 520, "y", 0, (), True, WEEK),
    ("20 years", 20 * YEAR, 2500, "ywh", 0.05, (2,), False, 0),
    ("30 years of days", 30 * YEAR, 3000, "yw", 0, (), False, DAY),
]
DOES_NOT = [
    ("nothing, 1 hour", HOUR, 400, "", 0, (), True, 0),
    ("nothing, 2 days", 2 * DAY, 500, "", 0, (), False, 0),
    ("nothing, 3 weeks", 3 * WEEK, 500, "", 0.1, (), False, 0),
    ("nothing, 6 months", 180, 1000, "", 0, (1, 2), False, 0),
    ("nothing, 2 years", 2 * YEAR, 300, "", 0, (), False, 0),
    ("nothing, 3 years", 3 * YEAR, 1000, "", 0, (), False, 0),
    ("nothing, 10 years of days", 10 * YEAR, 2000, "", 0, (), True, DAY),
    ("nothing, 30 years", 30 * YEAR, 1500, "", 0.05, (), False, 0),
    ("trend, 1 day", DAY, 500, "t", 0, (), False, 0),
    ("trend, 2 months", 60, 500, "t", 0, (), False, 0),
    ("trend, 1 year", YEAR, 1000, "t", 0, (), False, 0),
    ("trend, 3 years of days", 3 * YEAR, 1096, "t", 0, (), True, DAY),
    ("trend, 10 years", 10 * YEAR, 1000, "t", 0.1, (), False, 0),
    ("trend, 30 years of months", 30 * YEAR, 360, "t", 0, (), True, 30),
]
START = datetime.datetime(1995, 3, 17, 8, 20)


def year_day(day):
    """As in a leap year."""
    return datetime.datetime(2000, day.month, day.day).timetuple().tm_yday


def draw(case, seed):
    """Dates as written, hand-made columns, other inputs and the target; the last TEST rows are fresh."""
    _, span, rows, matters, missing, zones, ordered, step = case
    random = np.random.default_rng(seed)
    at = random.uniform(0, span, rows + TEST)
    if step:
        at = np.floor(at / step) * step
        at[:rows] = np.arange(rows) % max(1, int(span / step) + 1) * step
    if ordered:
        at[:rows] = np.sort(at[:rows])
    start = START if not step or step < 1 else START.replace(hour=0, minute=0)
    clocks = [start + datetime.timedelta(seconds=round(value * 86400)) for value in at]
    hour = np.array([c.hour + c.minute / 60 + c.second / 3600 for c in clocks])
    week = np.array([c.weekday() for c in clocks])
    year = np.array([year_day(c) for c in clocks])
    x1, x2 = random.uniform(size=(2, rows + TEST))
    phase = random.uniform(size=3)
    y = 3 * x1 + np.sin(6 * x2) + random.normal(size=rows + TEST)
    strength = 2 * x1 if "i" in matters else 1
    if "h" in matters:  # a night, a morning, an afternoon
        y += strength * (3 * np.sin(2 * np.pi * (hour / 24 + phase[0])) + 2 * (np.abs(hour - 8) < 2))
    if "w" in matters:
        y += 3 * (week >= 5) - 1.5 * (week == 2)
    if "y" in matters:
        y += strength * (4 * np.cos(2 * np.pi * (year / 366 + phase[1])) + np.cos(4 * np.pi * (year / 366 + phase[2])))
    if "t" in matters:
        y += 5 * (at / span) ** 2 + np.sin(7 * at / span)
    gone = random.uniform(size=rows + TEST) < missing
    texts = [c.isoformat(sep=" ") if not step or step < 1 else c.date().isoformat() for c in clocks]
    if zones:
        texts = [text + zone_text(zones[int(k)]) for text, k in zip(texts, random.integers(len(zones), size=len(texts)))]
    days = [(c - datetime.datetime(1970, 1, 1)).total_seconds() / 86400 for c in clocks]
    blank = lambda values: ["" if lost else value for value, lost in zip(values, gone)]
    names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
    return {"date": blank(texts), "days": blank(["%.9f" % day for day in days]), "hour": blank(["%.6f" % h for h in hour]),
            "week": blank([names[w] for w in week]), "year": blank(list(year)), "x1": x1, "x2": x2, "y": y}


def zone_text(hours):
    size = abs(hours)
    return "%s%02d:%02d" % ("-" if hours < 0 else "+", int(size), round(size % 1 * 60))


def write(path, table, columns, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*(table[column][rows] for column in columns)))


def error_of(table, columns, rows):
    with tempfile.TemporaryDirectory() as folder:
        train, test, model = (os.path.join(folder, name) for name in ("train.csv", "test.csv", "model"))
        write(train, table, columns, slice(0, rows))
        write(test, table, columns, slice(rows, None))
        for arguments in (["fit", train, "--target", "y", "--task", "regression", "-o", model, "--threads", "1"],
                          ["score", model, test, "--json"]):
            done = subprocess.run([ENTROPIC] + arguments + ["--quiet"], capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(done.stderr)
        return json.loads(done.stdout)["rmse"]


def work(job):
    kind, number, case = job
    table = draw(case, 1000 * kind + number)
    rest = ["x1", "x2", "y"]
    own = error_of(table, ["date"] + rest, case[2])
    other = error_of(table, (["days"] if kind else ["days", "hour", "week", "year"]) + rest, case[2])
    return kind, case, own, other


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    jobs = [(kind, number, case) for kind, cases in enumerate((MATTERS, DOES_NOT)) for number, case in enumerate(cases)
            if not arguments.only or any(word in case[0] for word in arguments.only.split(","))]
    logs, broken = [], 0
    with multiprocessing.Pool(arguments.processes) as pool:
        for kind, case, own, other in pool.imap(work, jobs):
            ratio = own / other
            bad = kind == 0 and not ratio <= WORST
            broken += bad
            if kind:
                logs.append(math.log(ratio))
            print("%-10s %-26s rows %4d  %-4s date %.4f  %s %.4f  ratio %.3f%s" %
                  (("matters", "does not")[kind], case[0], case[2], case[3], own, "days" if kind else "hand", other, ratio,
                   "  above %g" % WORST if bad else ""), flush=True)
    if logs:
        mean = math.exp(sum(logs) / len(logs))
        bad = not mean <= WORST_MEAN
        broken += bad
        print("does not matter: geometric mean %.4f, limit %g%s" % (mean, WORST_MEAN, ", above it" if bad else ""))
    print("%d tables, %d limits broken" % (len(jobs), broken))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
