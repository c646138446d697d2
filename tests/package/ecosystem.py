"""The estimators among those of scikit-learn, and drawings."""
import sys

import joblib
import numpy as np
import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import StackingRegressor
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_predict, cross_val_score
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from _package import entropic
from _tap import check, end, skip

rng = np.random.default_rng(2)
X = pd.DataFrame(rng.random((300, 3)), columns=["a", "b", "c"])
X["k"] = pd.Categorical(np.array(["u", "v"])[rng.integers(0, 2, 300)])
y = np.sin(4 * X["a"]) + X["b"] * (X["k"] == "u") + 0.05 * rng.standard_normal(300)
two, numbers = (y > 0.8).astype(int), X[["a", "b", "c"]]
QUICK = {"features": 20, "reg_lambda": 0.01, "omega": 1.0}
regressor, classifier = entropic.EntropicRegressor(**QUICK), entropic.EntropicClassifier(**QUICK, loss="logistic")

pipeline = make_pipeline(StandardScaler(), regressor).fit(numbers, y)
check("Pipeline", pipeline.score(numbers, y) >= 0.6)
lifted = make_pipeline(entropic.EntropicFeatures(features=60), Ridge(0.01)).fit(numbers, y)
check("Pipeline of features", lifted.score(numbers, y) >= 0.6 and lifted[0].get_feature_names_out()[1].startswith("a:"))
parts = ColumnTransformer([("lift", entropic.EntropicFeatures(features=30), ["a", "b"]),
                           ("rest", "passthrough", ["c"])])
check("ColumnTransformer", make_pipeline(parts, LogisticRegression()).fit(X, two).score(X, two) >= 0.7)
grid = GridSearchCV(regressor, {"features": [5, 20], "kernel": ["centred", "laplace"]}, n_jobs=2, cv=3).fit(X, y)
alone = GridSearchCV(regressor, {"features": [5, 20], "kernel": ["centred", "laplace"]}, cv=3).fit(X, y)
check("GridSearchCV on two processes", grid.best_params_ == alone.best_params_ and
      np.array_equal(grid.cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"]))
check("cross_val_score", cross_val_score(regressor, X, y, cv=3).min() >= 0.6)
check("cross_val_predict with groups", np.isfinite(cross_val_predict(
    regressor, X, y, groups=np.arange(300) // 10, cv=GroupKFold(3))).all())
calibrated = CalibratedClassifierCV(classifier, cv=3).fit(X, two)
check("CalibratedClassifierCV", calibrated.score(X, two) >= 0.8)
found = permutation_importance(regressor.fit(X, y), X, y, n_repeats=3, random_state=0)
check("permutation_importance", found.importances_mean[0] > found.importances_mean[2])
stacked = StackingRegressor([("e", regressor), ("r", make_pipeline(entropic.EntropicFeatures(), Ridge()))], cv=3)
check("StackingRegressor", stacked.fit(numbers, y).score(numbers, y) >= 0.6)
both = MultiOutputRegressor(regressor).fit(X, np.column_stack([y, -y]))
check("MultiOutputRegressor", both.predict(X).shape == (300, 2))
joblib.dump(regressor.fit(X, y), "model.joblib", compress=3)
check("joblib", np.array_equal(joblib.load("model.joblib").predict(X), regressor.predict(X)))
apart = joblib.Parallel(n_jobs=2)(joblib.delayed(regressor.predict)(X[i:i + 100]) for i in (0, 100, 200))
check("predictions in other processes", np.array_equal(np.concatenate(apart), regressor.predict(X)))
check("groups and time", regressor.fit(X, y, groups=np.arange(300) // 10).score(X, y) >= 0.6 and
      entropic.EntropicRegressor(time="c").fit(X, y).report_["validation"]["kind"] == "forward")
try:
    import matplotlib
    matplotlib.use("Agg")
except ImportError:
    skip("a picture of an explanation", "no matplotlib")
else:
    axes = regressor.explain().plot()
    check("a picture of an explanation", len(axes.patches) >= 4 and "variance" in axes.get_xlabel())
sys.exit(end())
