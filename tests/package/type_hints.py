"""The package passes mypy, strictly but for classes of scikit-learn, which has no types; programs have the types that
they expect, and their mistakes are found."""
import importlib.util
import os
import subprocess
import sys

from _package import SOURCE
from _tap import check, end, skip

RIGHT = """
import numpy as np
import scipy.sparse
from concurrent.futures import ThreadPoolExecutor
from typing_extensions import assert_type
from numpy.typing import NDArray
from entropic import EntropicClassifier, EntropicFeatures, EntropicRegressor, Kernel, fit_shards

class Mine(EntropicRegressor):
    pass

X, y = np.zeros((3, 2)), [1.0, 2.0, 3.0]
model = EntropicRegressor(reg_lambda=0.1, kernel={"p": "1 + w*x", "q": "1"}, unrestricted=False).fit(X, y)
assert_type(model, EntropicRegressor)
assert_type(model.set_params(reg_lambda="auto").partial_fit(X, y), EntropicRegressor)
assert_type(Mine().fit([[1, "a"], [2, "b"]], np.ones(2), sample_weight=[1, 2]), Mine)
chosen = EntropicClassifier(kernel=Kernel(p="x", q="1-x"), class_weight={1: 2}).fit(X, y)
assert_type(chosen.partial_fit(X, y), EntropicClassifier)
assert_type(EntropicFeatures(random_state=np.random.default_rng(1)).fit(X), EntropicFeatures)
assert_type(model.predict(scipy.sparse.csr_matrix(X)), NDArray[np.float64])
assert_type(EntropicClassifier().predict_set(X), NDArray[np.bool_])
with ThreadPoolExecutor() as executor:
    fit_shards(["a.csv"], "y", executor)
"""
WRONG = """
from entropic import EntropicRegressor
EntropicRegressor(lambda_=0.1)
EntropicRegressor(kernel={"p": "1", "qq": "1"})
EntropicRegressor(unrestricted=3)
EntropicRegressor().save(1)
"""


def mypy(*arguments):
    """Runs it; MYPYPATH is that of the package of the sources."""
    environment = {**os.environ, "MYPYPATH": SOURCE + "/python"}
    return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports",
                           "--allow-subclassing-any", "--cache-dir", "cache", *arguments],
                          capture_output=True, text=True, env=environment)


def program(name, text):
    with open(name, "w") as file:
        file.write(text)
    return mypy(name)


if importlib.util.find_spec("mypy") is None:
    skip("types", "no mypy")
else:
    ran = mypy(SOURCE + "/python/entropic")
    check("mypy --strict", ran.returncode == 0, ran.stdout + ran.stderr)
    ran = program("right.py", RIGHT)
    check("a program has the types that it expects", ran.returncode == 0, ran.stdout + ran.stderr)
    ran = program("wrong.py", WRONG)
    lines = {int(line.split(":")[1]) for line in ran.stdout.splitlines() if ": error: " in line}
    check("mistakes are found in each line", lines == {3, 4, 5, 6}, ran.stdout + ran.stderr)
sys.exit(end())
