"""Can the figures of `entropic fit` be believed? Simulated tables whose truth is known, with limits for what fit says.

    honesty.py [--only PARTS] [--shapes LIST] [--seeds K] [--processes N] [--output FILE]

Parts: noise (nothing to learn, so no model may seem better or be worse than the mean), two (two real inputs among 300:
the validation error against the true one), power (a weak linear signal is found), cover (how often the true error is within
one standard error of the validation error), linear (tables whose truth is linear, against ridge regression: see
honesty_linear.py), designs (thirty with heavy tails, skew, little noise and hard interactions, and a time series: validation, its
standard error and intervals, see honesty_designs.py). Exit status 1 if a limit is broken; limits hold for the seeds of the whole
campaign, so with fewer of them a share may miss its limit by chance.
"""
import argparse
import multiprocessing
import os
import sys
import time

import numpy as np

import honesty_designs
import honesty_linear
import honesty_tables as tables

SHAPES = "50x10,50x1000,60x500,100x200,300x20,1000x2000"
KINDS = {0: "numbers", 2: "two classes", 5: "five classes"}
PARTS = ("noise", "two", "power", "cover", "linear", "designs")
OWN = {"linear": honesty_linear.campaign, "designs": honesty_designs.campaign}  # parts with tables of their own
SEEDS = {"noise": 10, "two": 20, "power": 50, "cover": 200}
WIDE = 2000  # inputs from which on fewer fresh rows are drawn
# Seconds of one fit and its test with one thread, for the estimate alone: at 0, 2, 5 classes for noise.
SECONDS = {"50x10": (1, 1, 1), "50x1000": (3, 10, 29), "60x500": (4, 7, 8), "100x200": (6, 6, 7), "300x20": (4, 4, 5),
           "1000x2000": (20, 75, 42), "two": 7, "power": 4, "cover": 7}


def draw(job):
    part, case, seed = job
    if part == "noise":
        rows, inputs, classes = case
        return tables.noise(rows, inputs, classes, seed, 500 if inputs >= WIDE else 2000)
    return {"two": tables.two, "power": tables.weak, "cover": tables.friedman}[part](seed)


def work(argument):
    command, job = argument
    try:
        return job, tables.fit(command, draw(job)), None
    except RuntimeError as failure:
        return job, None, str(failure)


def name_of(part, case):
    return "%s %dx%d %s" % (part, case[0], case[1], KINDS[case[2]]) if part == "noise" else part


def jobs_of(arguments):
    """Long ones first, so that no process has to wait for one at the end."""
    jobs = []
    for part in arguments.only:
        if part in OWN:
            continue
        seeds = range(min(SEEDS[part], arguments.seeds or SEEDS[part]))
        cases = [()]
        if part == "noise":
            cases = [(*map(int, shape.split("x")), kind) for shape in arguments.shapes for kind in KINDS]
        jobs += [(part, case, seed) for case in cases for seed in seeds]
    return sorted(jobs, key=seconds_of, reverse=True)


def seconds_of(job):
    """A guess for shapes that were not timed."""
    part, case, _ = job
    if part != "noise":
        return SECONDS[part]
    timed = SECONDS.get("%dx%d" % case[:2])
    return timed[list(KINDS).index(case[2])] if timed else 2 + case[0] * case[1] / 2e4


def limit(what, value, least, most):
    """One line of the verdict: (text, whether it holds); NaN does not."""
    holds = bool(least <= value <= most)
    sides = "in [%g, %g]" % (least, most) if np.isfinite(least) and np.isfinite(most) else \
        "<= %g" % most if np.isfinite(most) else ">= %g" % least
    return "%-6s %s: %.4f, %s" % ("ok" if holds else "BROKEN", what, value, sides), holds


def check_noise(name, found):
    of = {seed: f.true / f.true_mean for seed, f in found.items()}
    worst = max(of, key=of.get)
    return [limit("%s: validation / reference" % name, np.mean([f.validation / f.mean for f in found.values()]),
                  0.97, 1.05),
            limit("%s: test error / that of the mean" % name, np.mean(list(of.values())), -np.inf, 1.02),
            limit("%s: the worst of these, seed %d" % (name, worst), of[worst], -np.inf, 1.10)]


def check_two(name, found):
    of = {seed: f.validation / f.true for seed, f in found.items()}
    least, most = min(of, key=of.get), max(of, key=of.get)
    print("# %s: validation / true error from %.3f (seed %d) to %.3f (seed %d)" % (
        name, of[least], least, of[most], most))
    return [limit("%s: validation / true error" % name, np.mean(list(of.values())), 0.95, 1.20)]


def check_power(name, found):
    missed = [seed for seed, f in found.items() if f.form == "nothing"]
    what = "%s: share of fits that found something" % name
    return [limit(what + (", not seeds %s" % missed if missed else ""), 1 - len(missed) / len(found), 0.9, np.inf)]


def check_cover(name, found):
    off = np.array([(f.validation - f.true) / f.spread for f in found.values()])
    print("# %s: (validation - true) / standard error has mean %.3f, deviation %.3f" % (name, off.mean(), off.std()))
    return [limit("%s: share within one standard error" % name, np.mean(np.abs(off) <= 1), 0.6, 0.8)]


CHECKS = {"noise": check_noise, "two": check_two, "power": check_power, "cover": check_cover}


def run(arguments, jobs):
    """{(part, case): {seed: what was found}}, and the fits that failed; each fit becomes a line of the output."""
    found, failed = {}, []
    columns = ("form", "kind", "validation", "spread", "mean", "linear", "true", "true_mean", "seconds")
    with open(arguments.output, "w") as out, multiprocessing.Pool(arguments.processes) as pool:
        out.write("\t".join(("case", "seed") + columns) + "\n")
        for done, (job, one, failure) in enumerate(
                pool.imap_unordered(work, [(arguments.entropic, job) for job in jobs])):
            part, case, seed = job
            if one is None:
                failed.append("%s, seed %d: %s" % (name_of(part, case), seed, failure))
                continue
            found.setdefault((part, case), {})[seed] = one
            values = [v if isinstance(v, str) else "" if v is None else "%.6g" % v for v in one]
            out.write("\t".join([name_of(part, case), str(seed)] + values) + "\n")
            out.flush()
            if sys.stderr.isatty():
                print("\r%d of %d fits" % (done + 1, len(jobs)), end="", file=sys.stderr, flush=True)
    return found, failed


def report(found, failed):
    """Prints the table and the verdict; whether all limits hold."""
    print("%-28s %5s %9s %9s %9s %8s  %s" % ("case", "fits", "val/mean", "val/true", "true/mean", "seconds", "forms"))
    cases = sorted(found, key=lambda key: (PARTS.index(key[0]), key[1]))
    for part, case in cases:
        of = found[part, case].values()
        forms = "".join(f.form[0] for _, f in sorted(found[part, case].items()))
        print("%-28s %5d %9.3f %9.3f %9.3f %8.1f  %s" % (
            name_of(part, case), len(of), np.mean([f.validation / f.mean for f in of]),
            np.mean([f.validation / f.true for f in of]), np.mean([f.true / f.true_mean for f in of]),
            np.mean([f.seconds for f in of]), forms if len(forms) <= 50 else forms[:50] + "..."))
    print()
    verdict = [line for key in cases for line in CHECKS[key[0]](name_of(*key), found[key])]
    verdict += [("BROKEN %s" % failure, False) for failure in failed]
    for text, _ in verdict:
        print(text)
    broken = sum(not holds for _, holds in verdict)
    print("%d limits, %d broken" % (len(verdict), broken))
    return broken == 0


def arguments_of(line):
    parser = argparse.ArgumentParser(prog="honesty.py", description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--entropic", default="build/release/bin/entropic", help="the command (%(default)s)")
    add("--only", default=",".join(PARTS), metavar="PARTS", help="which parts (%(default)s)")
    add("--shapes", default=SHAPES, metavar="LIST", help="of noise, rows x inputs (%(default)s)")
    add("--seeds", type=int, metavar="K", help="at most K seeds of each case")
    add("--processes", type=int, default=2, metavar="N", help="fits at a time, of one thread each (%(default)s)")
    add("--output", default="build/honesty.tsv", metavar="FILE", help="a line for each fit (%(default)s)")
    arguments = parser.parse_args(line)
    arguments.only, arguments.shapes = arguments.only.split(","), arguments.shapes.split(",")
    unknown = [part for part in arguments.only if part not in PARTS]
    if unknown:
        parser.error("%s is no part; there are %s" % (unknown[0], ", ".join(PARTS)))
    for shape in arguments.shapes:
        if not all(side.isdigit() and int(side) > 0 for side in shape.split("x")) or shape.count("x") != 1:
            parser.error("%s is no shape; one is e.g. 50x10" % shape)
    if arguments.processes < 1 or (arguments.seeds is not None and arguments.seeds < 1):
        parser.error("--seeds and --processes are at least 1")
    return arguments


def run_tables(arguments):
    """All parts but those with tables of their own; whether all limits hold."""
    jobs = jobs_of(arguments)
    if not jobs:
        return True
    guess = max(sum(map(seconds_of, jobs)) / arguments.processes, max(map(seconds_of, jobs)))
    print("%d fits, about %.0f minutes with %d processes" % (len(jobs), max(guess / 60, 1), arguments.processes),
          flush=True)
    os.makedirs(os.path.dirname(os.path.abspath(arguments.output)), exist_ok=True)
    start = time.time()
    found, failed = run(arguments, jobs)
    print("took %.0f minutes\n" % ((time.time() - start) / 60))
    return report(found, failed)


def main():
    arguments = arguments_of(sys.argv[1:])
    holds = run_tables(arguments)
    for part in (part for part in arguments.only if part in OWN):
        holds = OWN[part](limit, arguments.entropic, arguments.seeds, arguments.processes) and holds
    sys.exit(not holds)


if __name__ == "__main__":
    main()
