"""Jackknife+ by MAPIE, for bench/intervals.py: runs where MAPIE is installed.

    intervals_mapie.py FOLDER LAMBDA LEVEL...

FOLDER has lifted rows and labels of training and test rows. Prints {level: coverage and width} as JSON, and leaves the
predictions of ridge from all training rows in FOLDER/predictions.
"""
import json
import os
import sys

import numpy as np
import scipy.sparse
from mapie.regression import CrossConformalRegressor
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.model_selection import LeaveOneOut


class Ridge(RegressorMixin, BaseEstimator):
    """The mean of the targets, and ridge for what is left: penalty times the number of rows."""

    def __init__(self, penalty=1e-3):
        self.penalty = penalty

    def fit(self, x, y):
        self.mean_ = y.mean()
        gram = x.T @ x + self.penalty * len(y) * np.eye(x.shape[1])
        self.weights_ = np.linalg.solve(gram, x.T @ (y - self.mean_))
        return self

    def predict(self, x):
        return self.mean_ + x @ self.weights_


def main():
    folder, penalty, levels = sys.argv[1], float(sys.argv[2]), [float(level) for level in sys.argv[3:]]
    x, test_x = (scipy.sparse.load_npz(os.path.join(folder, part + ".npz")).toarray() for part in ("train", "test"))
    y, test_y = (np.loadtxt(os.path.join(folder, part + ".y")) for part in ("train", "test"))
    ridge = Ridge(penalty)
    jackknife = CrossConformalRegressor(ridge, confidence_level=levels, method="plus", cv=LeaveOneOut())
    jackknife.fit_conformalize(x, y)
    _, ends = jackknife.predict_interval(test_x)
    figures = {}
    for i, level in enumerate(levels):
        lower, upper = ends[:, 0, i], ends[:, 1, i]
        figures[level] = {"coverage": float(np.mean((lower <= test_y) & (test_y <= upper))),
                          "width": float(np.mean(upper - lower))}
    np.savetxt(os.path.join(folder, "predictions"), ridge.fit(x, y).predict(test_x))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
