"""How good models are on real tables: the mean error of 5 splits, tab separated.

    accuracy.py ENTROPIC DATA [--features M]...

ENTROPIC is the command, DATA the folder of tables. Splits are those of the source paper where it has the table: so many
rows at random to learn from, the others to score. Everything but the number of features is left to the command.
"""
import argparse
import gzip
import json
import math
import os
import random
import subprocess
import tempfile
import time

RUNS = 5
# name, file, target, ignored, rows to learn from, file to score on (instead of a split), what is shown
TABLES = [
    ("energy", "energy_efficiency.csv.gz", "Y1", "Y2", 512, None, "rmse, target in [-1,1]"),
    ("grid", "grid_stability.csv.gz", "stabf", "stab", 7000, None, "error"),
    ("superconductivity", "superconductivity.csv.gz", "critical_temp", None, 15000, None, "rmse"),
    ("pendigits", "pendigits.libsvm.gz", None, None, None, "pendigits.t.libsvm.gz", "error"),
]


def lines_of(path):
    with gzip.open(path, "rt") as file:
        return [line for line in file if line.strip()]


def half_range(lines, column):
    place = [name.strip().strip('"') for name in lines[0].split(",")].index(column)
    values = [float(line.split(",")[place]) for line in lines[1:]]
    return (max(values) - min(values)) / 2


def run(entropic, *arguments):
    done = subprocess.run([entropic, *arguments, "--quiet"], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit("accuracy: entropic %s: %s" % (" ".join(arguments), done.stderr.strip()))
    return done.stdout


def split(lines, seed, rows, folder):
    """Writes train.csv and test.csv."""
    body = lines[1:]
    random.Random(seed).shuffle(body)
    for name, part in (("train.csv", body[:rows]), ("test.csv", body[rows:])):
        with open(os.path.join(folder, name), "w") as file:
            file.writelines([lines[0], *[line.rstrip("\n") + "\n" for line in part]])
    return os.path.join(folder, "train.csv"), os.path.join(folder, "test.csv")


def one_run(entropic, train, test, table, features, folder):
    _, _, target, ignored, _, _, shown = table
    model = os.path.join(folder, "model.entropic")
    options = ["--features", features] + (["--target", target] if target else [])
    start = time.monotonic()
    run(entropic, "fit", train, "-o", model, *options, *(["--ignore", ignored] if ignored else []))
    seconds = time.monotonic() - start
    score = json.loads(run(entropic, "score", model, test, "--json"))
    return score["error" if shown == "error" else "rmse"], seconds


def measure(entropic, data, table, features, folder):
    name, file, target, _, rows, other, shown = table
    path = os.path.join(data, file)
    if not os.path.exists(path):
        print("%s\tnot there: %s" % (name, path))
        return
    errors, seconds, unit = [], [], 1
    if other:
        runs = [(path, os.path.join(data, other))]
    else:
        lines = lines_of(path)
        unit = half_range(lines, target) if "[-1,1]" in shown else 1
        runs = [None] * RUNS
    for seed, files in enumerate(runs):
        train, test = files or split(lines, seed, rows, folder)
        error, took = one_run(entropic, train, test, table, features, folder)
        errors.append(error / unit)
        seconds.append(took)
    mean = sum(errors) / len(errors)
    spread = math.sqrt(sum((e - mean) ** 2 for e in errors) / max(1, len(errors) - 1) / len(errors))
    print("%s\t%s\t%d\t%.5f\t%.5f\t%.2f\t%s" % (name, features, len(errors), mean, spread, min(seconds), shown), flush=True)


def main():
    parser = argparse.ArgumentParser(description="The accuracy of models on real tables.")
    parser.add_argument("entropic")
    parser.add_argument("data")
    parser.add_argument("--features", action="append")
    arguments = parser.parse_args()
    print("table\tfeatures\truns\terror\tstandard error\tfit seconds\twhat", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for table in TABLES:
            for features in arguments.features or ["200", "auto"]:
                measure(arguments.entropic, arguments.data, table, features, folder)


main()
