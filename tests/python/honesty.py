"""The validation errors of `entropic fit` on tables whose truth is known: a small part of `make honesty`."""
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError as missing:
    print("1..0 # SKIP %s" % missing)
    sys.exit(0)

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ["ENTROPIC_SOURCE"], "bench"))
import honesty  # noqa: E402
import honesty_designs  # noqa: E402
import honesty_linear  # noqa: E402
import honesty_tables as tables  # noqa: E402

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
NOISE = [(50, 10, 0), (50, 10, 2), (50, 10, 5), (60, 120, 0), (100, 40, 0), (100, 40, 2)]  # rows, inputs, classes
NOISE_SEEDS, POWER_SEEDS = range(3), range(8)


def fit_all(drawn):
    """Runs two fits at a time, with one thread each."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda one: tables.fit(ENTROPIC, one), drawn))


def is_same(validation, reference):
    """Models keep their figures to 6 digits, references have all."""
    return abs(validation / reference - 1) <= 5e-6


def noise_is_noise():
    cases = [(case, seed) for case in NOISE for seed in NOISE_SEEDS]
    found = fit_all([tables.noise(*case, seed) for case, seed in cases])
    for case in NOISE:
        of = {seed: f for (other, seed), f in zip(cases, found) if other == case}
        name = honesty.name_of("noise", case)
        check("%s: nothing to learn" % name, all(f.form == "nothing" for f in of.values()), of)
        check("%s: the validation error is that of the mean" % name,
              all(is_same(f.validation, f.mean) for f in of.values()), of)
        check("%s: so is the test error" % name, all(abs(f.true / f.true_mean - 1) <= 1e-4 for f in of.values()), of)
        for text, holds in honesty.check_noise(name, of):
            check(text.split(None, 1)[1], holds, text)


def weak_signals_are_found():
    found = fit_all([tables.weak(seed) for seed in POWER_SEEDS])
    missed = [seed for seed, f in zip(POWER_SEEDS, found) if f.form == "nothing"]
    check("a linear signal of a fifth of the variance is found", len(missed) <= 1, "missed with seeds %s" % missed)
    check("what was found is better than the mean", np.mean([f.true / f.true_mean for f in found]) <= 0.95, found)


def forms_are_as_the_signal():
    found = fit_all([tables.product(0), tables.product(1), tables.weak(0, share=0.8), tables.weak(1, share=0.8)])
    for seed, f in enumerate(found[:2]):
        check("a product of two inputs, seed %d: the full form" % seed, f.form == "full", f)
        check("a product, seed %d: much better than the mean and the linear form" % seed,
              f.true <= 0.7 * f.true_mean and f.validation <= 0.7 * f.linear, f)
    for seed, f in enumerate(found[2:]):
        check("a linear target, seed %d: the linear form" % seed, f.form == "linear", f)
        check("a linear target, seed %d: its error is the reference's" % seed, is_same(f.validation, f.linear), f)
        check("a linear target, seed %d: close to the noise" % seed, 0.4 <= f.true <= 0.5, f)


def wide_tables_are_scored_fairly():
    found = fit_all([tables.two(seed) for seed in range(3)])
    ratios = [f.validation / f.true for f in found]
    check("two inputs among 300: something is found", all(f.form != "nothing" for f in found), found)
    check("two inputs among 300: the validation error is within a third of the true one",
          all(0.67 <= ratio <= 1.33 for ratio in ratios), ratios)
    check("two inputs among 300: much better than the mean", all(f.true <= 0.7 * f.true_mean for f in found), found)


def summary_of(*words):
    """The text on standard error."""
    done = subprocess.run([ENTROPIC, *map(str, words)], capture_output=True, text=True)
    return done.stderr if done.returncode == 0 else "status %d: %s" % (done.returncode, done.stderr)


def texts_say_so():
    options = ["--target", "y", "-o", "m", "--threads", 1]
    kinds = [("numbers", tables.noise(50, 10, 0, 0), "nothing to learn: no model beats the mean by more than noise"),
             ("classes", tables.noise(50, 10, 2, 0),
              "nothing to learn: no model beats the most frequent class by more than noise"),
             ("linear", tables.weak(0, share=0.8), "a linear model: nothing richer beats it by more than noise")]
    for name, drawn, expected in kinds:
        tables.write_table("t.csv", drawn.x, drawn.y)
        summary = summary_of("fit", "t.csv", *options)
        lines = [line.split(None, 1) for line in summary.splitlines() if line.startswith("found")]
        check("%s: the summary says what was found" % name, lines == [["found", expected]], summary)
    tables.write_table("t.csv", kinds[0][1].x, kinds[0][1].y)
    report = json.loads(tables.run(ENTROPIC, "fit", "t.csv", *options, "--json", "--quiet"))
    check("JSON has form and features", (report["form"], report["features"]) == ("nothing", 0), report)
    rows = tables.run(ENTROPIC, "predict", "m", "t.csv", "--quiet").splitlines()[1:]
    check("nothing to learn: predictions are the mean",
          len(set(rows)) == 1 and abs(float(rows[0]) - np.mean([float("%.6g" % v) for v in kinds[0][1].y])) <= 1e-9,
          rows[:3])
    report = json.loads(tables.run(ENTROPIC, "fit", "t.csv", *options, "--json", "--quiet", "--features", 20))
    check("features asked for are had", (report["form"], report["features"]) == ("full", 20), report)
    summary = summary_of("fit", "t.csv", *options, "--features", 20)
    check("asked for, the summary does not hide that they are of no use",
          "a model no better than the mean on validation rows" in summary, summary)


def validation_rows_are_halved():
    drawn = tables.weak(3, share=0.8)
    tables.write_table("t.csv", drawn.x, drawn.y)
    tables.write_table("v.csv", drawn.fresh_x[:101], drawn.fresh_y[:101])
    report = json.loads(tables.run(ENTROPIC, "fit", "t.csv", "--target", "y", "-o", "m", "--valid", "v.csv", "--json",
                                   "--quiet"))
    check("--valid: half of the rows score", report["validation"]["rows"] in (50, 51), report["validation"])


def campaign_limits_can_break():
    """An error that is too small, a model worse than the mean, and one that misses a signal: each breaks its limit."""
    fair = tables.Found("full", "folds", 1.0, 0.1, 1.0, 1.0, 1.0, 1.0, 0.0)
    for part, wrong in (("noise", {"validation": 0.9}), ("noise", {"true": 1.03}), ("two", {"validation": 0.9}),
                        ("two", {"validation": float("nan")}), ("power", {"form": "nothing"}),
                        ("cover", {"validation": 1.2})):
        found = {seed: fair._replace(**wrong) for seed in range(4)}
        check("%s with %s breaks a limit" % (part, wrong), not all(h for _, h in honesty.CHECKS[part]("x", found)))
    check("noise as it should be breaks none", all(h for _, h in honesty.check_noise("x", {0: fair})))


def limits_of_designs_can_break():
    """What breaks a limit of the designs and of the linear tables; figures that are no numbers do."""
    fair = honesty_designs.Found("full", 1.0, 0.1, 1.0, 1.0, list(honesty_designs.LEVELS), 1.0)
    low, high = [0.76, 0.86, 0.91], [0.86, 0.96, 1.01]

    def hold(of):
        return [holds for _, holds in honesty_designs.verdict_of("t3 product", of, honesty.limit)]
    check("a design as it should be breaks none", all(hold([fair] * 20)), hold([fair] * 20))
    for wrong, broken in (({"validation": 0.94}, 0), ({"validation": 1.06}, 0),
                          ({"spread": 0.0, "validation": 1.01}, 1),
                          ({"coverage": low}, 2), ({"coverage": high}, 2), ({"validation": float("nan")}, 0),
                          ({"fewer": float("nan")}, 0), ({"true": float("nan")}, 1), ({"spread": float("nan")}, 1),
                          ({"coverage": [float("nan")] * 3}, 4)):
        check("a design with %s breaks a limit" % wrong, not hold([fair._replace(**wrong)] * 20)[broken])
    for name in ("validation", "spread", "true", "fewer"):
        of = [fair] * 19 + [fair._replace(**{name: float("nan")})]
        check("one %s that is no number breaks a limit" % name, not all(hold(of)), hold(of))
    plain = honesty_linear.Found("linear", 1.0, 1.0, 1.0, 0, 4000, 1.0)
    for wrong in ({"rmse": 1.03}, {"truth": 1.11}, {"rmse": float("nan")}, {"truth": float("nan")}):
        lines = honesty_linear.check(honesty.limit, honesty_linear.CASES[0], [plain._replace(**wrong)] * 20)
        check("a linear table with %s breaks a limit" % wrong, not all(holds for _, holds in lines), lines)
    check("a linear table as it should be breaks none", all(
        holds for _, holds in honesty_linear.check(honesty.limit, honesty_linear.CASES[0], [plain] * 20)))
    few = [case for case in honesty_linear.CASES if case.rows < honesty_designs.FEW_ROWS]
    check("20 linear tables, small ones with more seeds", len(honesty_linear.CASES) == 20 and len(few) == 6 and
          all(honesty_linear.seeds_of(case, None) == (30 if case in few else 20) for case in honesty_linear.CASES))
    check("30 designs, and one in order of time", len(honesty_designs.DESIGNS) == 31 and
          len(honesty_designs.verdict_of("time AR(1) .97", [fair] * 20, honesty.limit)) == 2)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for part in (noise_is_noise, weak_signals_are_found, forms_are_as_the_signal, wide_tables_are_scored_fairly,
                     texts_say_so, validation_rows_are_halved, campaign_limits_can_break,
                     limits_of_designs_can_break):
            part()
        os.chdir("/")
    sys.exit(end())


main()
