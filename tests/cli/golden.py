"""Model files of earlier versions load, and their predictions have not changed."""
import csv
import glob
import os
import subprocess
import sys

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
GOLDEN = os.path.join(os.environ["ENTROPIC_SOURCE"], "tests", "golden")


def close(found, expected):
    try:
        return abs(float(found) - float(expected)) <= 1e-12 * max(1, abs(float(expected)))  # NaN is not
    except ValueError:
        return found == expected


def main():
    models = sorted(glob.glob(os.path.join(GOLDEN, "*.entropic")))
    kinds = {"v1": "classes exact numbers squared", "v2": "blend classes exact gaps numbers selected squared",
             "v3": "root", "v4": "few few-root few-classes constant neumann kept", "v5": "custom equation", "v6": "huber parts", "v7": "sum"}
    kept = {"%s-%s.entropic" % (v, kind) for v, names in kinds.items() for kind in names.split()}
    check("none of the models is gone", kept <= set(map(os.path.basename, models)), models)
    for model in models:
        name = os.path.basename(model)[: -len(".entropic")]
        expected = list(csv.reader(open(os.path.join(GOLDEN, name + ".csv"))))
        more = ["--proba"] if any(field.startswith("p_") for field in expected[0]) else []
        rows = os.path.join(GOLDEN, name.split("-")[0] + "-rows.csv")
        done = subprocess.run([ENTROPIC, "predict", model, rows, "--quiet", *more], capture_output=True, text=True)
        found = list(csv.reader(done.stdout.splitlines()))
        wrong = [i for i, (a, b) in enumerate(zip(found, expected))
                 if len(a) != len(b) or not all(map(close, a, b))]
        check(name + " predicts what it did", done.returncode == 0 and len(found) == len(expected) > 1 and not wrong,
              "status %d, %d lines of %d, differing %s\n# %s" % (done.returncode, len(found), len(expected), wrong[:5],
                                                             done.stderr))
        done = subprocess.run([ENTROPIC, "info", model], capture_output=True, text=True)
        check(name + " tells what it is", done.returncode == 0 and "lambda" in done.stdout, done.stderr)
    sys.exit(end())


main()
