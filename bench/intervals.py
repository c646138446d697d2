"""Do intervals hold what they say? Coverage and width on rows that no fit has seen: docs/intervals.md has the results.

    intervals.py [--only PARTS] [--splits K] [--processes N] [--mapie PYTHON] [--state FILE]

Parts: tables (shared regression tables, compared with split conformal prediction), classes (sets of classes), noise (nothing to
learn: normal targets and coin flips), deciles (noise that grows with an input), groups (rows of new groups) and mapie
(MAPIE's jackknife+ on the same features; only with --mapie, a Python that has it). What was measured by the same command
is kept in the state file, so a campaign that was stopped goes on. Exit status 1 if a limit is broken; the limits are for
the splits and draws of the whole campaign.
"""
import argparse
import hashlib
import json
import multiprocessing
import os
import sys

import numpy as np

import intervals_cases as cases
from intervals_cases import LEVELS

FEW = 800  # training rows
CASES = {
    "tables": [("energy", FEW), ("airfoil", FEW), ("concrete", FEW), ("ccpp", FEW), ("kin8nm", FEW), ("bike", FEW),
               ("superconductivity", FEW), ("airfoil", 0), ("ccpp", 0), ("kin8nm", 0)],
    "classes": [("grid", FEW), ("adult", 1000), ("pendigits", FEW)],
    "noise": [(kind, rows) for rows in (100, 400, 2000) for kind in ("normal", "coins")],
    "deciles": [(600,), (2000,)],
    "groups": [(40,), (100,)],
    "mapie": [("energy", FEW), ("airfoil", FEW), ("concrete", FEW), ("ccpp", FEW), ("kin8nm", FEW)],
}
SPLITS = {"tables": 20, "classes": 20, "noise": 40, "deciles": 10, "groups": 10, "mapie": 5}
BELOW, ABOVE = 0.015, 0.04  # how far mean coverage may be off
TENTH_OFF = 0.05
NARROWER = 4  # tables, at least, where intervals are narrower than those of split conformal prediction


def name_of(part, case):
    if part in ("tables", "classes", "mapie"):
        return "%s, %s rows" % (case[0], case[1] or "4/5 of the")
    if part == "noise":
        return "%s, %d rows" % case
    return "%d %s" % (case[0], "groups" if part == "groups" else "rows")


# ---- Running ----


def key_of(digest, job):
    return json.dumps([digest, *job])


def read_state(path):
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        return dict(json.loads(line) for line in file if line.endswith("\n"))


def jobs_of(arguments):
    return [(part, case, number) for number in range(max(SPLITS.values())) for part in arguments.only
            for case in CASES[part] if number < min(SPLITS[part], arguments.splits or SPLITS[part])]


def run(arguments, jobs):
    """{part: {case: [found, ...]}} and the failures."""
    with open(arguments.entropic, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()[:16]
    state, failed = read_state(arguments.state), []
    left = [job for job in jobs if key_of(digest, job) not in state]
    print("%d fits, %d of them known" % (len(jobs), len(jobs) - len(left)), flush=True)
    os.makedirs(os.path.dirname(os.path.abspath(arguments.state)), exist_ok=True)
    with open(arguments.state, "a") as out, multiprocessing.Pool(arguments.processes) as pool:
        for done, (job, one, failure) in enumerate(pool.imap_unordered(cases.work, [(arguments, job) for job in left])):
            if one is None:
                failed.append("%s, number %d: %s" % (name_of(*job[:2]), job[2], failure))
                continue
            state[key_of(digest, job)] = json.loads(json.dumps(one))
            out.write(json.dumps([key_of(digest, job), one]) + "\n")
            out.flush()
            if sys.stderr.isatty():
                print("\r%d of %d" % (done + 1, len(left)), end="", file=sys.stderr, flush=True)
    found = {}
    for job in jobs:
        if key_of(digest, job) in state:
            found.setdefault(job[0], {}).setdefault(job[1], []).append(state[key_of(digest, job)])
    return found, failed


# ---- Reporting ----


def mean(found, method, figure, level):
    return float(np.mean([one[method][str(level)][figure] for one in found]))


def short(value):
    return ("%.3f" % value).lstrip("0")


def coverages(found, method="own"):
    return " ".join(short(mean(found, method, "coverage", level)) for level in LEVELS)


def widths(found, method="own"):
    return " ".join("%.3g" % mean(found, method, "width", level) for level in LEVELS)


def limit(what, value, least, most):
    """One line of the verdict: (text, whether it holds); NaN does not."""
    holds = bool(least <= value <= most)
    return "%-6s %s: %.4f, in [%g, %g]" % ("ok" if holds else "BROKEN", what, value, least, most), holds


def coverage_limits(name, found, above=lambda level: level + ABOVE):
    return [limit("%s: coverage at %g" % (name, level), mean(found, "own", "coverage", level), level - BELOW,
                  min(above(level), 1)) for level in LEVELS]


def table_of(title, names, rows):
    print("\n%s\n| %s |\n|%s" % (title, " | ".join(names), "---|" * len(names)))
    for row in rows:
        print("| %s |" % " | ".join(row))


def report_tables(found):
    table_of("Coverage and mean width at .8, .9, .95", ("table", "splits", "coverage", "width", "split conformal: coverage",
                                                        "its width"),
             [(name_of("tables", case), str(len(of)), coverages(of), widths(of), coverages(of, "split"),
               widths(of, "split")) for case, of in found.items()])
    verdict = [line for case, of in found.items() for line in coverage_limits(name_of("tables", case), of)]
    narrow = {case[0] for case, of in found.items() if case[1] == FEW and all(
        mean(of, "own", "width", level) < mean(of, "split", "width", level) for level in LEVELS)}
    return verdict + [limit("tables with narrower intervals than split conformal prediction", len(narrow),
                            min(NARROWER, len(found)), len(found))]


def report_classes(found):
    table_of("Sets of classes at .8, .9, .95", ("table", "splits", "coverage", "classes in a set", "accuracy"),
             [(name_of("classes", case), str(len(of)), coverages(of), widths(of), short(1 - mean(of, "own", "error", 0.9)))
              for case, of in found.items()])
    verdict = []
    for case, of in found.items():
        accuracy = 1 - mean(of, "own", "error", 0.9)  # the predicted class is always in its set
        verdict += coverage_limits(name_of("classes", case), of, lambda level: max(level, accuracy) + ABOVE)
    return verdict


def report_noise(found):
    table_of("Nothing to learn: coverage at .8, .9, .95", ("targets", "draws", "coverage", "deviation between draws", "forms"),
             [(name_of("noise", case), str(len(of)), coverages(of),
               " ".join(short(np.std([one["own"][str(level)]["coverage"] for one in of])) for level in LEVELS),
               ", ".join("%d %s" % (sum(one["form"] == form for one in of), form)
                         for form in sorted({one["form"] for one in of})))
              for case, of in found.items()])
    # Half of the coins are heads: an interval has both or hardly any, so there is no limit above.
    return [line for case, of in found.items() for line in coverage_limits(
        name_of("noise", case), of, lambda level, coins=case[0] == "coins": 1 if coins else level + ABOVE)]


def report_deciles(found):
    tenths = {case: np.mean([one["tenths"] for one in of], 0) for case, of in found.items()}
    table_of("Coverage at .9 by tenths of the input that the noise grows with", ("training", "draws", "tenths"),
             [(name_of("deciles", case), str(len(of)), " ".join(map(short, tenths[case]))) for case, of in found.items()])
    return [limit("%s: the tenth that is furthest off" % name_of("deciles", case), float(np.max(np.abs(of - 0.9))), 0,
                  TENTH_OFF) for case, of in tenths.items()]


def report_groups(found):
    table_of("Rows of new groups: coverage at .8, .9, .95", ("training", "draws", "with --groups", "without"),
             [(name_of("groups", case), str(len(of)), coverages(of), coverages(of, "without"))
              for case, of in found.items()])
    return [line for case, of in found.items() for line in coverage_limits(name_of("groups", case), of)]


def report_mapie(found):
    table_of("Ridge on %d features of a fixed design: coverage and mean width at .8, .9, .95" % cases.FIXED_FEATURES,
             ("table", "splits", "coverage", "width", "jackknife+: coverage", "its width"),
             [(name_of("mapie", case), str(len(of)), coverages(of), widths(of), coverages(of, "jackknife"),
               widths(of, "jackknife")) for case, of in found.items()])
    return [limit("%s: predictions are those of the ridge that MAPIE gets, off by" % name_of("mapie", case),
                  max(one["same"] / one["unit"] for one in of), 0, 1e-3) for case, of in found.items()]


REPORTS = {"tables": report_tables, "classes": report_classes, "noise": report_noise, "deciles": report_deciles,
           "groups": report_groups, "mapie": report_mapie}


def arguments_of(line):
    parser = argparse.ArgumentParser(prog="intervals.py", description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--entropic", default="build/release/bin/entropic", help="the command (%(default)s)")
    add("--data", default=os.environ.get("ENTROPIC_DATA", "../shared/data"), help="folder of tables (%(default)s)")
    add("--only", metavar="PARTS", help="which parts (all, mapie only where there is --mapie)")
    add("--splits", type=int, metavar="K", help="at most K splits or draws of each case")
    add("--processes", type=int, default=2, metavar="N", help="fits at a time, of one thread each (%(default)s)")
    add("--mapie", metavar="PYTHON", help="a Python that has MAPIE")
    add("--state", default="build/intervals.jsonl", metavar="FILE", help="a line for each fit (%(default)s)")
    arguments = parser.parse_args(line)
    arguments.only = arguments.only.split(",") if arguments.only else [
        part for part in CASES if part != "mapie" or arguments.mapie]
    unknown = [part for part in arguments.only if part not in CASES]
    if unknown:
        parser.error("%s is no part; there are %s" % (unknown[0], ", ".join(CASES)))
    if "mapie" in arguments.only and not arguments.mapie:
        parser.error("the part mapie needs --mapie, a Python that has MAPIE")
    if arguments.processes < 1 or (arguments.splits is not None and arguments.splits < 1):
        parser.error("--splits and --processes are at least 1")
    return arguments


def main():
    arguments = arguments_of(sys.argv[1:])
    found, failed = run(arguments, jobs_of(arguments))
    verdict = [line for part in arguments.only if part in found for line in REPORTS[part](found[part])]
    verdict += [("BROKEN %s" % failure, False) for failure in failed]
    print()
    for text, _ in verdict:
        print(text)
    broken = sum(not holds for _, holds in verdict)
    print("%d limits, %d broken" % (len(verdict), broken))
    sys.exit(broken > 0)


if __name__ == "__main__":
    main()
