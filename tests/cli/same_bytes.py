"""Fits of numbers by the squared loss are the same bytes on every processor: with OpenBLAS's code for other processors,
with our own code for them, with the C library's functions for processors without fused multiply-add, and on any number
of threads. All of that is changed at once: a difference by any of it is a difference."""
import os
import random
import subprocess

from _tap import check, end, skip

ENTROPIC = os.environ["ENTROPIC"]
ROWS = 600
QUICK = "ENTROPIC_TEST_QUICK" in os.environ

# OpenBLAS's code, our own, what the C library may use, threads; and what the processor needs for it.
KINDS = [
    ("Prescott", "reference", "-AVX,-AVX2,-FMA,-FMA4,-AVX512F", 1, set()),
    ("Sandybridge", "avx2", "-AVX2,-FMA,-FMA4,-AVX512F", 3, {"avx", "avx2"}),
    ("Haswell", "avx2", "-AVX512F", 1, {"avx2", "fma"}),
    ("SkylakeX", "avx512", "", 3, {"avx2", "fma", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}),
]


def processor_flags():
    """What this processor has."""
    try:
        with open("/proc/cpuinfo") as file:
            return set(next((line for line in file if line.startswith("flags")), ":").split(":", 1)[1].split())
    except OSError:
        return set()


def plain_table(name):
    """Numbers without gaps."""
    with open(name, "w") as file:
        done = subprocess.run([ENTROPIC, "generate", "friedman1", "--rows", str(ROWS), "--noise", "1", "--seed", "5"],
                              stdout=file, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 0, done.stderr
    return name


def mixed_table(name):
    """Categories, missing values, a skewed target."""
    draw = random.Random(7)
    with open(name, "w") as file:
        file.write("colour,size,weight,age,y\n")
        for _ in range(ROWS):
            colour, size = draw.choice(["red", "green", "blue", ""]), draw.gauss(0, 1)
            weight, age = draw.expovariate(1), draw.randint(1, 9)
            y = {"red": 1, "green": 2, "blue": 3, "": 2.5}[colour] * (size * size + 0.3 * weight) + 0.2 * age * size
            shown = ["" if draw.random() < 0.1 else "%.4f" % value for value in (size, weight)]
            file.write("%s,%s,%s,%d,%.5f\n" % (colour, *shown, age, y * y + draw.gauss(0, 0.3)))
    return name


def fitted(table, kind, options):
    """The bytes of the model of that kind of processor, and the message of a fit that failed."""
    core, code, hidden, threads, _ = kind
    changed = {"OPENBLAS_CORETYPE": core, "ENTROPIC_PROCESSOR": code}
    if hidden:
        changed["GLIBC_TUNABLES"] = "glibc.cpu.hwcaps=" + hidden
    model = "%s-%d.entropic" % (code, threads)
    done = subprocess.run([ENTROPIC, "fit", table, "--target", "y", "--threads", str(threads), "--quiet", "-o", model,
                           *options], env={**os.environ, **changed}, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=600)
    if done.returncode != 0:
        return b"", "%s: exit status %d: %s" % (kind[:4], done.returncode, done.stderr.decode(errors="replace"))
    with open(model, "rb") as file:
        return file.read(), ""


def differences(table, kinds, options):
    """Kinds whose model is not that of the first, or is no model."""
    first, message = fitted(table, kinds[0], options)
    found = [message] if message else []
    for kind in kinds[1:]:
        model, message = fitted(table, kind, options)
        if message:
            found.append(message)
        elif model != first:
            at = next((i for i, (a, b) in enumerate(zip(model, first)) if a != b), min(len(model), len(first)))
            found.append("%s: %d bytes, %s: %d bytes; the first difference is at byte %d"
                         % (kind[:4], len(model), kinds[0][:4], len(first), at))
    return found


DESIGN = ["--select", "entropy", "--omega", "1"]
CASES = [
    ("numbers", plain_table, ["--features", "40"]),  # the search for a size is that of the next
    ("categories, missing values, a skewed target", mixed_table, []),
    ("a fixed design", plain_table, [*DESIGN, "--features", "60"]),
    ("more features than rows", mixed_table, [*DESIGN, "--features", "900", "--solver", "dual"]),
    ("equations without a penalty", plain_table, [*DESIGN, "--features", "30", "--lambda", "0"]),
]

flags = processor_flags()
kinds = [kind for kind in KINDS if kind[4] <= flags]
for what, make, options in CASES[1:3] if QUICK else CASES:
    if len(kinds) < 2:
        skip(what, "this processor runs the reference code alone")
        continue
    found = differences(make("table.csv"), kinds, options)
    check(what + ": the same bytes on every processor", not found, "\n".join(found))
raise SystemExit(end())
