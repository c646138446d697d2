"""How fast exported C predicts one row, compared with scikit-learn: a pipeline of 200 Nystroem features, and boosted trees.

    export.py [--build FOLDER] [--repeats K]

A table of 12 inputs, and Grid where its data are (ENTROPIC_DATA, or ../shared/data). The model of `entropic fit --features
200` is exported and compiled by cc -O2, in double and in float. Rows go one at a time, in turn, K times; the least time of
processor counts. What is wanted: a microsecond a row, and 200 times less than the pipeline.
"""
import argparse
import os
import subprocess
import tempfile
import time
import warnings

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from sklearn.ensemble import HistGradientBoostingRegressor  # noqa: E402
from sklearn.kernel_approximation import Nystroem  # noqa: E402
from sklearn.linear_model import Ridge  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

FEATURES, LEVEL = 200, 0.9
CALLS = 200  # of scikit-learn, in a repeat
WANTED_SECONDS, WANTED_TIMES = 1e-6, 200

PROGRAM = """
#define MODEL_DECLARATIONS
#include "model.c"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS = 200000 };

int main(int argc, char **argv) {
  static model_real x[4096 * MODEL_INPUTS];
  model_real y[MODEL_TARGETS], upper[MODEL_TARGETS], sum = 0;
  clock_t start;
  long rows = 0, i;
  double value;
  int intervals = argc > 2;
  FILE *file = fopen(argv[1], "r");
  while (rows < 4096 * MODEL_INPUTS && fscanf(file, "%lf", &value) == 1)
    x[rows++] = (model_real)value;
  rows /= MODEL_INPUTS;
  start = clock();
  for (i = 0; i < CALLS; i++) {
    if (intervals)
      model_interval(x + i % rows * MODEL_INPUTS, LEVEL, y, upper);
    else
      model_predict(x + i % rows * MODEL_INPUTS, y);
    sum += y[0];
  }
  printf("%.9g %g\\n", (double)(clock() - start) / CLOCKS_PER_SEC / CALLS, (double)sum);
  return 0;
}
"""


def made(rows=5000, inputs=12):
    draw = np.random.default_rng(1)
    x = np.round(draw.random((rows, inputs)), 6)
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    y += x[:, 5:].sum(axis=1) + draw.normal(size=rows)
    return pd.DataFrame(np.column_stack([x, y]), columns=["x%d" % (i + 1) for i in range(inputs)] + ["y"])


def grid(folder):
    path = os.path.join(os.environ.get("ENTROPIC_DATA") or os.path.join(folder, "..", "..", "..", "shared", "data"),
                        "grid_stability.csv.gz")
    if not os.path.exists(path):
        print("Grid: there is no %s" % path)
        return None
    return pd.read_csv(path).drop(columns="stabf").rename(columns={"stab": "y"})


def ran(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def exported(entropic, table, folder):
    """Programs that print their seconds a row: double, float, and double with intervals."""
    path, programs = os.path.join(folder, "table.csv"), {}
    table.to_csv(path, index=False)
    ran(entropic, "fit", path, "--target", "y", "--features", FEATURES, "--quiet", "-o", os.path.join(folder, "m.entropic"))
    for name, options in (("double", []), ("float", ["--float"])):
        source, main = os.path.join(folder, "model.c"), os.path.join(folder, "main.c")
        ran(entropic, "export", os.path.join(folder, "m.entropic"), "-o", source, *options)
        with open(main, "w") as file:
            file.write(PROGRAM.replace("LEVEL", str(LEVEL)))
        program = os.path.join(folder, name)
        ran("cc", "-std=c99", "-O2", main, source, "-o", program, "-lm")
        programs["exported C, " + name] = [program]
        ran("cc", "-std=c99", "-O2", "-c", source, "-o", program + ".o")
        print("  object, %s: %s bytes" % (name, ran("size", program + ".o").splitlines()[-1].split()[3]))
    programs["exported C, double, interval"] = programs["exported C, double"] + ["", "interval"]
    used = [line.split(",")[0].strip().strip('"};') for line in
            open(os.path.join(folder, "model.c")).read().split("input_names[] = {")[1].split("};")[0].split("\n") if '"' in line]
    values = os.path.join(folder, "rows.txt")
    np.savetxt(values, table[used].to_numpy()[:4096], fmt="%.17g")
    for words in programs.values():
        words[1:2] = [values]
    return programs


def learners(table):
    x, y = table.drop(columns="y").to_numpy(), table["y"].to_numpy()
    nystroem = make_pipeline(StandardScaler(), Nystroem(n_components=FEATURES, random_state=1), Ridge())
    return {"StandardScaler + Nystroem + Ridge": nystroem.fit(x, y),
            "HistGradientBoosting": HistGradientBoostingRegressor(random_state=1).fit(x, y)}, x


def measured(programs, models, x, repeats):
    best = {}
    for repeat in range(repeats):
        for name, words in programs.items():
            best[name] = min(best.get(name, 1e9), float(ran(*words).split()[0]))
        for name, model in models.items():
            start = time.process_time()
            for call in range(CALLS):
                row = (repeat * CALLS + call) % len(x)
                model.predict(x[row:row + 1])
            best[name] = min(best.get(name, 1e9), (time.process_time() - start) / CALLS)
    return best


def race(name, table, entropic, repeats):
    print("%s: %d rows, %d inputs, %d features" % (name, len(table), table.shape[1] - 1, FEATURES))
    with tempfile.TemporaryDirectory() as folder:
        programs = exported(entropic, table, folder)
        models, x = learners(table)
        best = measured(programs, models, x, repeats)
    ours, pipeline = best["exported C, double"], best["StandardScaler + Nystroem + Ridge"]
    for who, seconds in best.items():
        print("  %-36s %10.3f microseconds a row, %8.1f times" % (who, 1e6 * seconds, seconds / ours))
    print("  a microsecond at most: %s; %d times less than the pipeline: %s"
          % ("yes" if ours <= WANTED_SECONDS else "NO", WANTED_TIMES, "yes" if pipeline >= WANTED_TIMES * ours else "NO"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--repeats", type=int, default=10)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    folder = os.path.abspath(options.build)
    entropic = os.path.join(folder, "bin", "entropic")
    race("made", made(), entropic, options.repeats)
    table = grid(folder)
    if table is not None:
        race("Grid, stab", table, entropic, options.repeats)


main()
