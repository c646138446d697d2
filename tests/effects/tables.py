"""Contributions of inputs add up to the score on every row of every shared table, within 1e-12 of the largest of them.

The tables are those of ENTROPIC_DATA (../shared/data); without them there is nothing to test.
"""
import gzip
import os
import subprocess
import sys

import numpy as np

from _tap import check, end, skip

ENTROPIC = os.environ["ENTROPIC"]
DATA = os.environ.get("ENTROPIC_DATA", os.path.join(os.environ["ENTROPIC_SOURCE"], "..", "shared", "data"))
WITHIN = 1e-12
SMALL = ["--features", "60", "--unrestricted", "no", "--quiet"]

# Each table, its options, and a table of further rows where there is one.
TABLES = [("adult_train.csv.gz", ["--target", "income"], "adult_test.csv.gz"),
          ("airfoil.csv.gz", None, None),
          ("bike_hour.csv.gz", ["--target", "cnt", "--ignore", "instant,dteday,casual,registered"], None),
          ("ccpp.csv.gz", None, None),
          ("concrete.csv.gz", None, None),
          ("energy_efficiency.csv.gz", ["--target", "Y1,Y2"], None),
          ("grid_stability.csv.gz", ["--target", "stabf", "--ignore", "stab"], None),
          ("kin8nm.csv.gz", None, None),
          ("superconductivity.csv.gz", ["--target", "critical_temp"], None),
          ("heart_scale.libsvm", [], None),
          ("a9a.libsvm.gz", [], "a9a.t.libsvm.gz"),
          ("pendigits.libsvm.gz", [], "pendigits.t.libsvm.gz"),
          *[("small/%s.csv.gz" % name, ["--target", "y"], None)
            for name in ("autos", "breastcancer", "concreteslump", "fertility", "forest", "machine", "solar")],
          ("odd/auto_imports_missing.csv", ["--target", "26"], None),
          ("odd/AirQualityUCI_semicolon_decimalcomma_trailing_empty.csv", ["--target", "3"], None),
          ("odd/breast-cancer_single_quotes.csv", ["--target", "10"], None),
          ("odd/airfoil_tab_with_space_header.dat", ["--target", "6"], None),
          ("odd/boston_fixedwidth_no_final_newline.data", ["--target", "14"], None),
          ("odd/concrete_bom_crlf_longheader_trailing_space.csv", ["--target", "9"], None),
          ("odd/energy_bom_noheader_no_final_newline.csv", ["--target", "9", "--ignore", "10"], None),
          ("odd/grid_semicolon_crlf.csv", ["--target", "stab"], None)]


def last_column(path):
    with gzip.open(path, "rt") as file:
        return str(len(file.readline().split(",")))


def columns_of(path):
    """Names of the columns of numbers, and their values."""
    with open(path) as file:
        names = file.readline().rstrip("\n").split(",")
    wanted = [i for i, name in enumerate(names) if name.startswith(("score", "effect_"))]
    return [names[i] for i in wanted], np.loadtxt(path, delimiter=",", skiprows=1, usecols=wanted, ndmin=2)


def check_rows(name, model, rows):
    """A score is followed by its effects."""
    done = subprocess.run([ENTROPIC, "predict", model, rows, "--effects", "--quiet", "-o", "effects.csv"],
                          capture_output=True, text=True)
    if done.returncode:
        check("%s: effects" % name, False, done.stderr)
        return
    names, values = columns_of("effects.csv")
    scores = [i for i, column in enumerate(names) if column.startswith("score")]
    worst = 0 if scores and len(values) else np.inf
    for at, end_of in zip(scores, scores[1:] + [len(names)]):
        effects = values[:, at + 1:end_of]
        off = np.abs(effects.sum(axis=1) - values[:, at])
        largest = np.maximum(np.abs(effects).max(axis=1), np.abs(values[:, at]))
        worst = np.maximum(worst, np.max(np.where(off == 0, 0, off / np.maximum(largest, 1e-300))))
    check("%s: %d rows, %d scores" % (name, len(values), len(scores)), bool(worst <= WITHIN), worst)


def main():
    if not os.path.isdir(DATA):
        skip("contributions add up on the shared tables", "no folder %s" % DATA)
        return
    for name, options, others in TABLES:
        path = os.path.join(DATA, name)
        if not os.path.exists(path):
            skip(name, "it is not there")
            continue
        options = ["--target", last_column(path)] if options is None else options
        done = subprocess.run([ENTROPIC, "fit", path, *options, *SMALL, "-o", "m.entropic"], capture_output=True, text=True)
        if done.returncode:
            check("%s: a fit" % name, False, done.stderr)
            continue
        check_rows(name, "m.entropic", path)
        if others:
            check_rows(others, "m.entropic", os.path.join(DATA, others))


main()
sys.exit(end())
