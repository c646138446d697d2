"""Principal components against NumPy's singular values of the centred rows."""
import os
import subprocess
import sys

try:
    import numpy as np
except ImportError as missing:
    print("1..0 # SKIP %s" % missing)
    sys.exit(0)

DRIVER = os.path.join(os.environ["ENTROPIC_BUILD"], "tests", "python-components")
count = 0
failed = 0


def within(what, error, tolerance):
    global count, failed
    count += 1
    passed = bool(error <= tolerance)  # NaN fails
    failed += not passed
    print("%s %d - %s%s" % ("ok" if passed else "not ok", count, what,
                            "" if passed else "\n# error %.3g, tolerance %.3g" % (error, tolerance)))


def ask(x, components, threads):
    numbers = [threads, *x.shape, components, *(repr(float(v)) for v in x.ravel())]
    out = subprocess.run([DRIVER], input=" ".join(map(str, numbers)), check=True, capture_output=True, text=True).stdout
    return {line.split()[0]: np.array(line.split()[1:], float) for line in out.splitlines()}


random = np.random.default_rng(7)
for rows, inputs, components in ((40, 3, 3), (1500, 70, 10), (30, 50, 20)):
    scale = 0.9 ** np.arange(inputs)
    x = (random.normal(size=(rows, inputs)) * scale) @ random.normal(size=(inputs, inputs)) + 10
    x = x.astype(np.float32).astype(float)
    answer = ask(x, components, 2)
    _, values, vectors = np.linalg.svd(x - x.mean(0), full_matrices=False)
    vectors = vectors[:components]
    vectors = vectors * np.sign(np.take_along_axis(vectors, np.abs(vectors).argmax(1)[:, None], 1))
    name = "%d rows of %d inputs, %d components: " % (rows, inputs, components)
    variances = values[:components] ** 2 / (rows - 1)
    within(name + "mean", np.abs(answer["mean"] - x.mean(0)).max(), 1e-12 * np.abs(x).max())
    within(name + "variances", np.abs(answer["variances"] / variances - 1).max(), 1e-8)
    within(name + "total", abs(answer["total"][0] / x.var(0, ddof=1).sum() - 1), 1e-12)
    found = answer["vectors"].reshape(components, inputs)
    within(name + "vectors", np.abs(found - vectors).max(), 1e-8)
    within(name + "codes", np.abs(answer["codes"].reshape(rows, -1) - (x - x.mean(0)) @ vectors.T).max(),
           1e-7 * np.abs(x).max())
print("1..%d" % count)
sys.exit(failed > 0)
