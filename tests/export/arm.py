"""Exported C on a 32-bit processor, ARM, in an emulator: it passes its own test, and its program predicts what it does here.

Every golden model, and models with intervals, in double and in single precision.
"""
import glob
import os
import shutil
import sys

from _exports import DIGITS, FLOAT_DIGITS, GCC, STRICT, compiled, entropic, run, same, table_of
from _tap import check, end, skip

COMPILER, EMULATOR = shutil.which("arm-linux-gnueabihf-gcc"), shutil.which("qemu-arm")
GOLDEN = os.path.join(os.environ["ENTROPIC_SOURCE"], "tests", "golden")


def built(source, program, *options):
    done = run(COMPILER, *STRICT, "-O2", "-static", *options, source, "-o", program, "-lm")
    return done.stderr[:2000] if done.returncode else ""


def check_self(name, model, *options):
    said = " ".join((name,) + options)
    entropic("export", model, "-o", "m.c", *options)
    wrong = built("m.c", "test", "-DENTROPIC_EXPORT_TEST")
    done = run(EMULATOR, "./test") if not wrong else None
    check(said + ": tests itself", not wrong and done.returncode == 0 and "same scores" in done.stdout,
          wrong or done.stdout + done.stderr)


def check_program(name, model, rows, level, *options):
    """The program's answers, with intervals, are those of the same program here."""
    said = " ".join((name,) + options)
    entropic("export", model, "-o", "m.c", *options)
    wrong = built("m.c", "other", "-DENTROPIC_EXPORT_MAIN") or compiled("m.c", "here", "-DENTROPIC_EXPORT_MAIN")
    text = open(rows).read()
    one, two = (run(*words, level, stdin=text) if not wrong else None for words in ((EMULATOR, "./other"), ("./here",)))
    differs = wrong or one.stderr + two.stderr or same(table_of(one.stdout), table_of(two.stdout),
                                                       FLOAT_DIGITS if "--float" in options else DIGITS)
    check(said + ": the program predicts the same", not differs and len(one.stdout) > 1000, differs)


def goldens():
    for model in sorted(glob.glob(os.path.join(GOLDEN, "*.entropic"))):
        name = os.path.basename(model)[:-len(".entropic")]
        if "exact" in name or name == "v2-gaps":
            continue
        check_self(name, model)
        check_self(name, model, "--float")


def fits():
    """A spread that depends on the input, a root of counts, and classes; knots of 15 digits and of few."""
    entropic("generate", "friedman1", "--rows", "2000", "-o", "made.csv")
    for name, target, options in (("numbers", "y", ["--omega", "1", "--lambda", "1e-3", "--select", "entropy"]),
                                  ("root", "y", ["--target-scale", "root"]), ("classes", "class", [])):
        lines = [line.rstrip("\n").split(",") for line in open("made.csv")]
        with open("table.csv", "w") as file:
            file.write(",".join(lines[0][:-1] + [target]) + "\n")
            for row in lines[1:]:
                x = [row[0], "%.3f" % float(row[1])] + row[2:-1]
                y = "low" if float(row[-1]) < 12 else "high" if float(row[-1]) > 17 else "middle"
                file.write(",".join(x + [row[-1] if target == "y" else y]) + "\n")
        entropic("fit", "table.csv", "--target", target, "--features", "60", "--quiet", "-o", "m.entropic", *options)
        for more in ([], ["--float"]):
            check_self(name, "m.entropic", *more)
            check_program(name, "m.entropic", "table.csv", "0.9", *more)


def main():
    if not COMPILER or not EMULATOR or not GCC:
        skip("exports on ARM", "there is no arm-linux-gnueabihf-gcc, no qemu-arm or no gcc")
    else:
        goldens()
        fits()
    sys.exit(end())


main()
