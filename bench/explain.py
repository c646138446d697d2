"""How long explanations take, and what fits pay for the marginals that they keep.

    explain.py [--build FOLDER] [--repeats K] [--rows N]

Prints, for a model of 2000 features and 20 inputs: the seconds of `explain` (limit 1), and of `predict --effects` for N
rows (100,000; limit 5) on two threads; least of K repeats, wall clock and processor time. On a busy machine the wall clock
says little: half of the processor time is what two free cores would need. Then the share of fits that collecting marginals
takes (limit 3 %), from samples of perf, where there is perf.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

INPUTS, TRAINING = 20, 10000
FITS = [("everything is searched for", ["--features", "200"]),
        ("omega is given", ["--features", "200", "--omega", "1"]),
        ("everything is given", ["--features", "200", "--select", "entropy", "--omega", "1", "--lambda", "1e-3"])]
MODELS = [("selected from the data", ["--ensemble", "1"]),
          ("by the kernel alone", ["--select", "entropy", "--omega", "1", "--lambda", "1e-4"]),
          ("no constant base (laplace)", ["--kernel", "laplace", "--omega", "1", "--lambda", "1e-4"])]


def write_table(path, rows):
    rng = np.random.default_rng(1)
    x = rng.random((rows, INPUTS))
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    for i in range(5, INPUTS):
        y += np.sin(3 * x[:, i] * x[:, (i + 7) % INPUTS] + i)
    header = ",".join("x%d" % (i + 1) for i in range(INPUTS)) + ",y"
    np.savetxt(path, np.column_stack([x, y + rng.normal(size=rows)]), fmt="%.6f", delimiter=",", header=header, comments="")


def seconds_of(command):
    """Wall clock and processor time of a command."""
    before, start = os.times(), time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - start, used


def least(command, repeats):
    return [min(values) for values in zip(*(seconds_of(command) for _ in range(repeats)))]


def time_models(entropic, folder, repeats, rows):
    late = False
    for name, options in MODELS:
        model = os.path.join(folder, "m.entropic")
        subprocess.run([entropic, "fit", os.path.join(folder, "train.csv"), "--target", "y", "--features", "2000", "--quiet",
                        "-o", model, *options], check=True)
        explain = least([entropic, "explain", model], repeats)
        effects = least([entropic, "predict", model, os.path.join(folder, "rows.csv"), "--effects", "--threads", "2",
                         "--quiet", "-o", os.path.join(folder, "effects.csv")], repeats)
        print("%-28s explain %.2f s (processor %.2f), effects of %d rows %.2f s (processor %.2f, on two cores %.2f)"
              % (name, *explain, rows, *effects, effects[1] / 2))
        late = late or not (explain[1] <= 1 and effects[1] / 2 <= 5 * rows / 1e5)
    return late


def marginal_share(entropic, folder, options):
    """Percent of the samples of a fit that are within ent_marginals_of_rows; None if perf cannot say."""
    data = os.path.join(folder, "perf.data")
    record = subprocess.run(["perf", "record", "--call-graph", "dwarf,4096", "-F", "1000", "-q", "-o", data, "--", entropic,
                             "fit", os.path.join(folder, "train.csv"), "--target", "y", "--threads", "1", "--quiet",
                             "-o", os.path.join(folder, "m.entropic"), *options], capture_output=True)
    if record.returncode:
        return None
    report = subprocess.run(["perf", "report", "-i", data, "--stdio", "--children", "-g", "none", "--percent-limit", "0"],
                            capture_output=True, text=True)
    shares = {line.split()[-1]: float(line.split()[0].rstrip("%")) for line in report.stdout.splitlines()
              if re.match(r" +[0-9.]+%", line)}
    return shares.get("ent_marginals_of_rows", 0.0) if "fit_model" in shares else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rows", type=int, default=100000)
    given = parser.parse_args()
    entropic = os.path.join(os.path.abspath(given.build), "bin", "entropic")
    with tempfile.TemporaryDirectory() as folder:
        write_table(os.path.join(folder, "train.csv"), TRAINING)
        write_table(os.path.join(folder, "rows.csv"), given.rows)
        late = time_models(entropic, folder, given.repeats, given.rows)
        for name, options in FITS:
            share = marginal_share(entropic, folder, options) if shutil.which("perf") else None
            print("marginals, %-28s %s" % (name, "not measured: no perf" if share is None else "%.2f %% of the fit" % share))
    if late:
        sys.exit("explanations take longer than their limits")


main()
