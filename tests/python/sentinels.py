"""Codes for missing values are pointed out by a warning, which says what to do."""
import sys
import warnings

import numpy as np
import pandas as pd

from _package import entropic
from _tap import check, end

QUICK = {"features": 5, "reg_lambda": 0.1, "omega": 1.0, "select": "entropy"}
rng = np.random.default_rng(1)
X = pd.DataFrame({"a": rng.random(200).round(3), "b": rng.random(200).round(3)})
y = (X["a"] + rng.random(200)).round(4)
X.loc[::10, "a"] = -200.0


def said():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = entropic.EntropicRegressor(**QUICK).fit(X, y)
    return found, [str(w.message) for w in caught if "-200" in str(w.message)]


found, texts = said()
check("a warning names the column and the code", len(texts) == 1 and "column a: -200 appears 20 times" in texts[0], texts)
check("the report has it", any("-200" in text for text in found.report_["notices"]), found.report_["notices"])
check("it says what to do", texts[0].endswith("replace it by NaN"), texts)
X = X.replace(-200, np.nan)
found, texts = said()
check("then there is none", texts == [] and found.report_["missing"] == 20, texts)
sys.exit(end())
