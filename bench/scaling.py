"""How time and memory grow with the rows, compared with other learners in one run: repeats in turn, and minima.

    scaling.py [--only PARTS] [--build FOLDER] [--repeats K] [--rows N] [--json FILE]

The parts: random (features of random kernels, arrays in memory), large (a million rows from a file), small (300 rows),
threads (one against two). docs/scaling.md says what is measured, and what came of it.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "2")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # threads that spin while they wait slow all others down

import openblas_core  # noqa: E402

openblas_core.tell()

import numpy as np  # noqa: E402
from sklearn.ensemble import HistGradientBoostingRegressor  # noqa: E402
from sklearn.kernel_approximation import Nystroem, RBFSampler  # noqa: E402
from sklearn.linear_model import Ridge  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402

from scaling_library import Library  # noqa: E402

FEATURES = 1000
TEST_ROWS = 10000
BUDGETS = (100, 200, 300, 400, 600)  # non-zeros of a row
GAMMAS = (0.05, 0.1, 0.2, 0.5, 1.0)
OMEGA, LAMBDA = 1, 1e-6


def friedman(rows, seed, inputs=10):
    """Friedman's first function of ten inputs, with noise of deviation 1; the last column is the target."""
    rng = np.random.default_rng(seed)
    x = rng.random((rows, max(inputs, 5)))
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    return np.column_stack([x[:, :inputs], y + rng.normal(size=rows)])


def rmse(prediction, rows):
    return float(np.sqrt(np.mean((prediction - rows[:, -1]) ** 2)))


def in_turn(repeats, **runs):
    """The least seconds of each, and what it gave; all are run once before any is run again."""
    least, gave = {}, {}
    for _ in range(repeats):
        for name, run in runs.items():
            start = time.monotonic()
            gave[name] = run()
            least[name] = min(least.get(name, np.inf), time.monotonic() - start)
    return least, gave


def peak_of(process):
    """The most memory a process has taken so far, in MB. (What it leaves behind counts the memory of its parent too.)"""
    try:
        with open("/proc/%d/status" % process) as file:
            return next((int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM:")), 0)
    except OSError:
        return 0


class Scaling:
    def __init__(self, arguments):
        self.arguments = arguments
        self.command = os.path.join(arguments.build, "bin", "entropic")
        self.library = os.path.join(arguments.build, "lib", "libentropic.so")
        self.found = {"core": openblas_core.in_use()}

    def say(self, part, *fields):
        print("\t".join([part] + ["%.4g" % f if isinstance(f, float) else str(f) for f in fields]), flush=True)

    def fit(self, path, *options, threads=2):
        """The report of a fit of the command, and the most memory it took, in MB."""
        with tempfile.TemporaryDirectory() as folder:
            words = [self.command, "fit", path, "--target", "y", "--json", "--quiet", "--threads", str(threads)]
            words += ["-o", os.path.join(folder, "model.entropic"), *options]
            with tempfile.TemporaryFile("w+") as out:
                child, most = subprocess.Popen(words, stdout=out), 0
                while child.poll() is None:
                    most = max(most, peak_of(child.pid))
                    time.sleep(0.005)
                if child.returncode:
                    raise SystemExit("scaling: %s failed" % " ".join(words))
                out.seek(0)
                return json.load(out), most

    def table(self, folder, rows, inputs=10):
        path = os.path.join(folder, "friedman-%d-%d.csv" % (rows, inputs))
        if not os.path.exists(path):
            names = ",".join(["x%d" % (i + 1) for i in range(inputs)] + ["y"])
            np.savetxt(path, friedman(rows, 1, inputs), fmt="%.10g", delimiter=",", header=names, comments="")
        return path

    def random(self, folder):
        """M features, or as few non-zeros as do as well as the others, against M random ones; arrays in memory."""
        return {inputs: self.random_inputs(inputs) for inputs in (5, 10)}

    def random_inputs(self, inputs):
        rows, test = friedman(self.arguments.rows, 1, inputs), friedman(TEST_ROWS, 2, inputs)
        library = Library(self.library, 2)
        part, rest = rows[:8000], rows[8000:16000]

        def ours(**given):
            model, _ = library.fit(rows, select="entropy", omega=OMEGA, **{"lambda": LAMBDA}, **given)
            error = rmse(library.predict(model, test[:, :-1]), test)
            library.free("model", model)
            return error

        def theirs(kind, gamma, rows=rows, test=test):
            lift = kind(gamma=gamma, n_components=FEATURES, random_state=1)
            model = make_pipeline(lift, Ridge(alpha=LAMBDA * len(rows)))
            return rmse(model.fit(rows[:, :-1], rows[:, -1]).predict(test[:, :-1]), test)

        # What both sides choose before they are timed, on training rows alone.
        gamma = {kind: min(GAMMAS, key=lambda g, k=kind: theirs(k, g, part, rest)) for kind in (RBFSampler, Nystroem)}
        best = min(theirs(kind, gamma[kind], rows[:-TEST_ROWS], rows[-TEST_ROWS:]) for kind in gamma)
        budget = BUDGETS[-1]
        for nonzeros in BUDGETS:
            model, _ = library.fit(rows[:-TEST_ROWS], select="entropy", omega=OMEGA, nonzeros=nonzeros,
                                   **{"lambda": LAMBDA})
            error = rmse(library.predict(model, rows[-TEST_ROWS:, :-1]), rows[-TEST_ROWS:])
            library.free("model", model)
            if error <= best:
                budget = nonzeros
                break
        least, errors = in_turn(self.arguments.repeats, features=lambda: ours(features=FEATURES),
                                nonzeros=lambda: ours(nonzeros=budget),
                                rbf=lambda: theirs(RBFSampler, gamma[RBFSampler]),
                                nystroem=lambda: theirs(Nystroem, gamma[Nystroem]))
        self.say("random", "inputs", "method", "seconds", "rmse", "over M features", "over %d non-zeros" % budget)
        for name in least:
            self.say("random", inputs, name, least[name], errors[name], least[name] / least["features"],
                     least[name] / least["nonzeros"])
        return {"seconds": least, "rmse": errors, "nonzeros": budget, "rows": len(rows)}

    def boost(self, path):
        import pandas
        rows = pandas.read_csv(path).to_numpy()
        HistGradientBoostingRegressor(max_iter=300).fit(rows[:, :-1], rows[:, -1])
        return len(rows)

    def against_boosting(self, part, path, repeats):
        least, gave = in_turn(repeats, entropic=lambda: self.fit(path), boosting=lambda: self.boost(path))
        report, memory = gave["entropic"]
        table = os.path.getsize(path) / 2**20
        values = 8 * report["rows"] * (report["inputs"] + 1) / 2**20
        self.say(part, "entropic", "boosting", "ratio", "MB of the file", "MB as doubles", "peak MB")
        ratio = least["entropic"] / least["boosting"]
        self.say(part, least["entropic"], least["boosting"], ratio, table, values, memory)
        return {"seconds": least, "file_mb": table, "values_mb": values, "peak_mb": memory}

    def small(self, folder):
        return self.against_boosting("small", self.table(folder, 300, 4), 3 * self.arguments.repeats)

    def large(self, folder):
        return self.against_boosting("large", self.table(folder, 1000000), self.arguments.repeats)

    def threads(self, folder):
        """Seconds of one thread over those of two: whole fits, and their parts."""
        found = {}
        for rows in (10000, 100000, 1000000):
            path = self.table(folder, rows)
            least = {}
            for _ in range(self.arguments.repeats):
                for threads in (1, 2):
                    seconds = self.fit(path, threads=threads)[0]["seconds"]
                    for name, value in seconds.items():
                        key = (name, threads)
                        least[key] = min(least.get(key, np.inf), value)
            found[rows] = {"%s_%d" % key: value for key, value in least.items()}
            for name in (name for name, threads in least if threads == 1):
                one, two = least[name, 1], least[name, 2]
                self.say("threads", rows, name, one, two, one / two if two else "")
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="small random large threads", help="parts, in their order")
    parser.add_argument("--build", default="build/release", help="the folder of bin/ and lib/ (build/release)")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rows", type=int, default=100000, help="of the part `random`")
    parser.add_argument("--json", help="a file for all numbers")
    arguments = parser.parse_args()
    scaling = Scaling(arguments)
    print("OpenBLAS, of all learners, with its code for %s" % scaling.found["core"], file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        for part in arguments.only.replace(",", " ").split():
            scaling.found[part] = getattr(scaling, part)(folder)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(scaling.found, file, indent=1)


main()
