"""scikit-learn's own checks of estimators, all of them.

Equivalence of weights and repeated rows is checked where nothing is chosen by validation: validation splits rows, and
equal rows may fall into different parts. python/README.md says so."""
import os
import sys
import warnings

os.environ.setdefault("SCIPY_ARRAY_API", "1")

import sklearn  # noqa: E402
from sklearn.exceptions import SkipTestWarning  # noqa: E402
from sklearn.utils import estimator_checks  # noqa: E402
from unittest import SkipTest  # noqa: E402

from _package import entropic  # noqa: E402
from _tap import check, end, skip  # noqa: E402

warnings.simplefilter("ignore")
warnings.simplefilter("ignore", SkipTestWarning)
PINNED = {"features": 20, "omega": 1.0, "select": "entropy"}
ESTIMATORS = [
    ("pinned regressor", entropic.EntropicRegressor(reg_lambda=0.1, **PINNED), True),
    ("pinned classifier", entropic.EntropicClassifier(reg_lambda=10.0, loss="logistic", **PINNED), True),
    ("regressor", entropic.EntropicRegressor(), False),
    ("classifier", entropic.EntropicClassifier(), False),
    ("features", entropic.EntropicFeatures(), True),
    ("dense features", entropic.EntropicFeatures(sparse_output=False), True),
    ("regressor with statistics", entropic.EntropicRegressor(keep_statistics=True, **PINNED), False),
    ("classifier with statistics", entropic.EntropicClassifier(keep_statistics=True, **PINNED), False),
]
EQUIVALENCE = ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data",
               "check_sample_weights_invariance")


def listed(estimator):
    """Pairs of an estimator and a check."""
    make = getattr(estimator_checks, "estimator_checks_generator", None)
    return make(estimator, mark=None) if make else estimator_checks.check_estimator(estimator, generate_only=True)


print("# scikit-learn", sklearn.__version__)
for name, estimator, whole in ESTIMATORS:
    count = 0
    for one, run in listed(estimator):
        what = "%s: %s" % (name, getattr(run, "func", run).__name__)
        count += 1
        if not whole and what.split(": ")[1] in EQUIVALENCE:
            continue
        try:
            run(one)
            check(what, True)
        except SkipTest as why:
            skip(what, str(why).splitlines()[0])
        except Exception as error:  # noqa: BLE001
            check(what, False, "%s: %s" % (type(error).__name__, error))
    check("%s: there are checks" % name, count >= 30, count)
sys.exit(end())
