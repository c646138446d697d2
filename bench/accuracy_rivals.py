"""The baselines of `make accuracy`: scikit-learn and XGBoost, each with its defaults or tuned on training rows.

A rival is a function of (split) that gives back a Fitted: predictions and probabilities of the test rows, what its fit
took, and its size. Time is that of fitting and tuning; reading and coding the table is not in it.
"""
import pickle
import time
from dataclasses import dataclass

import numpy as np
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.kernel_approximation import Nystroem
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import RidgeClassifierCV, RidgeCV
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from accuracy_tables import REGRESSION, coded, one_hot

THREADS = 2
ROUNDS = 300
TREES = 200
COMPONENTS = 1000
TUNING_COMPONENTS = 500
EXACT_ROWS = 5000  # beyond, the exact kernel is left out
TUNING_ROWS = 5000
ALPHAS = np.logspace(-5, 2, 15)
EXACT_ALPHAS = np.logspace(-7, 0, 8)
SHARES = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)  # gamma is one of these over the number of columns; columns have variance 1


@dataclass
class Fitted:
    prediction: np.ndarray
    classes: list = None  # of the columns of probability
    probability: np.ndarray = None
    fit_seconds: float = 0.0
    cpu_seconds: float = 0.0
    predict_seconds: float = 0.0
    bytes: int = 0
    settings: str = ""


def timed(action):
    wall, cpu = time.monotonic(), time.process_time()
    result = action()
    return result, time.monotonic() - wall, time.process_time() - cpu


def targets(split):
    """What to learn; and the names of classes, which are learnt as numbers."""
    target = split.table.target[split.train]
    if split.table.task == REGRESSION:
        return target.astype(float), None
    names, codes = np.unique(target.astype(str), return_inverse=True)
    return codes, list(names)


def run(split, learner, train, test):
    target, names = targets(split)
    fitted, wall, cpu = timed(lambda: learner.fit(train, target))
    prediction, seconds, _ = timed(lambda: fitted.predict(test))
    result = Fitted(prediction, names, None, wall, cpu, seconds, len(pickle.dumps(fitted)))
    if names:
        result.prediction = np.array(names, object)[prediction.astype(int)]
        if hasattr(fitted, "predict_proba"):
            result.probability = fitted.predict_proba(test)
    return result


def of_task(split, regressor, classifier):
    return regressor if split.table.task == REGRESSION else classifier


def hist_boosting(split):
    kind = of_task(split, HistGradientBoostingRegressor, HistGradientBoostingClassifier)
    # Its bins hold 255 categories; a column with more is taken as numbers.
    train, test = coded(split)
    category = split.table.category & (np.nanmax(np.nan_to_num(train, nan=0), 0) < 255)
    return run(
        split, kind(max_iter=ROUNDS, early_stopping=False, categorical_features=category, random_state=0), train, test
    )


def xgboost(split):
    from xgboost import XGBClassifier, XGBRegressor

    kind = of_task(split, XGBRegressor, XGBClassifier)
    return run(split, kind(n_estimators=ROUNDS, tree_method="hist", n_jobs=THREADS), *one_hot(split, keep_missing=True))


def forest(split):
    kind = of_task(split, RandomForestRegressor, RandomForestClassifier)
    learner = kind(n_estimators=TREES, n_jobs=THREADS, random_state=split.seed)
    return run(split, learner, *one_hot(split, keep_missing=False))


def ridge_errors(features, target, test_features, test_target):
    """Mean square errors of ridges with ALPHAS, one eigendecomposition for all."""
    mean, level = features.mean(0), target.mean(0)
    values, vectors = np.linalg.eigh((features - mean).T @ (features - mean))
    moments = vectors.T @ ((features - mean).T @ (target - level))
    rotated = (test_features - mean) @ vectors
    return [np.mean((level + rotated @ (moments / (values + alpha)[:, None]) - test_target) ** 2) for alpha in ALPHAS]


class TunedNystroem:
    """Kernel and gamma by validation rows; then the ridge by leave-one-out."""

    def __init__(self, classes, seed):
        self.classes, self.seed = classes, seed

    def choose(self, rows, target):
        order = np.random.RandomState(self.seed).permutation(len(rows))[:TUNING_ROWS]
        cut = len(order) * 4 // 5
        learn, keep = order[:cut], order[cut:]
        goal = (
            2.0 * np.eye(self.classes)[target] - 1 if self.classes else (target[:, None] - target.mean()) / target.std()
        )
        best = None
        for kernel in ("rbf", "laplacian"):
            for share in SHARES:
                sampler = self.sampler(kernel, share / rows.shape[1], min(TUNING_COMPONENTS, len(learn)))
                features = sampler.fit_transform(rows[learn])
                error = min(ridge_errors(features, goal[learn], sampler.transform(rows[keep]), goal[keep]))
                if best is None or error < best[0]:
                    best = error, kernel, share / rows.shape[1]
        return best[1:]

    def sampler(self, kernel, gamma, components):
        return Nystroem(kernel=kernel, gamma=gamma, n_components=components, random_state=self.seed)

    def fit(self, rows, target):
        scaler = StandardScaler().fit(rows)
        self.kernel, self.gamma = self.choose(scaler.transform(rows), target)
        ridge = RidgeClassifierCV(alphas=ALPHAS) if self.classes else RidgeCV(alphas=ALPHAS)
        self.model = make_pipeline(
            scaler, self.sampler(self.kernel, self.gamma, min(COMPONENTS, len(rows))), ridge
        ).fit(rows, target)
        return self

    def predict(self, rows):
        return self.model.predict(rows)


def nystroem(split):
    learner = TunedNystroem(0 if split.table.task == REGRESSION else len(set(split.table.target)), split.seed)
    result = run(split, learner, *one_hot(split, keep_missing=False))
    result.settings = "%s, gamma %.3g" % (learner.kernel, learner.gamma)
    return result


def exact_kernel(split):
    if len(split.train) > EXACT_ROWS or split.table.task != REGRESSION:
        return None
    train, test = one_hot(split, keep_missing=False)
    scaler = StandardScaler().fit(train)
    target, _ = targets(split)
    level, spread = target.mean(), target.std()
    grid = {"gamma": [share / train.shape[1] for share in SHARES], "alpha": EXACT_ALPHAS}
    search = GridSearchCV(
        KernelRidge(kernel="laplacian"),
        grid,
        scoring="neg_mean_squared_error",
        cv=KFold(5, shuffle=True, random_state=split.seed),
    )
    (train, test), goal = (scaler.transform(train), scaler.transform(test)), (target - level) / spread
    fitted, wall, cpu = timed(lambda: search.fit(train, goal))
    prediction, seconds, _ = timed(lambda: fitted.predict(test))
    settings = ", ".join("%s %.3g" % pair for pair in sorted(fitted.best_params_.items()))
    return Fitted(
        level + spread * prediction,
        None,
        None,
        wall,
        cpu,
        seconds,
        len(pickle.dumps((scaler, fitted.best_estimator_))),
        settings,
    )


@dataclass
class Rival:
    title: str
    run: object
    settings: str  # a change of them makes earlier results void
    random: bool  # does its result depend on the seed, where there is only one split?


RIVALS = {
    "hgb": Rival("HistGradientBoosting", hist_boosting, "rounds %d" % ROUNDS, False),
    "xgboost": Rival("XGBoost", xgboost, "rounds %d, hist" % ROUNDS, False),
    "kernel-ridge": Rival(
        "exact kernel ridge", exact_kernel, "laplacian, cv, %d alphas, shares %s" % (len(EXACT_ALPHAS), SHARES), False
    ),
    "nystroem": Rival("Nystroem + ridge", nystroem, "components %d, shares %s" % (COMPONENTS, SHARES), True),
    "forest": Rival("random forest", forest, "trees %d" % TREES, True),
}
