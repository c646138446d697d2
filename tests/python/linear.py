"""Never worse than linear: the smaller tables of a part of `make honesty`, bench/honesty_linear.py."""
import os
import sys

try:
    import numpy  # noqa: F401
except ImportError as missing:
    print("1..0 # SKIP %s" % missing)
    sys.exit(0)

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ["ENTROPIC_SOURCE"], "bench"))
import honesty_linear as linear  # noqa: E402

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
MOST_VALUES = 10000
SEED = 0

found = {case: linear.fit(ENTROPIC, case, SEED) for case in linear.CASES if case.rows * case.inputs <= MOST_VALUES}
for case, one in found.items():
    check("%s: about as good as ridge" % case.name, one.rmse <= 1.03 and one.truth <= 1.3, one)
    check("%s: the validation error is true" % case.name, 0.7 <= one.validation <= 1.4, one)
check("all: the error is within 1 % of ridge's", linear.geometric(f.rmse for f in found.values()) <= 1.01, found)
check("all: the error to the function is within 10 % of ridge's",
      linear.geometric(f.truth for f in found.values()) <= 1.1, found)
check("lines go on", sum(f.continued > 0 for f in found.values()) >= 0.7 * len(found), found)
sys.exit(end())
