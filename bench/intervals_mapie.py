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
from sklearn.linear_model import Ridge
from sklearn.model_selection import LeaveOneOut


def main():
    folder, penalty, levels = sys.argv[1], float(sys.argv[2]), [float(level) for level in sys.argv[3:]]
    x, test_x = (scipy.sparse.load_npz(os.path.join(folder, part + ".npz")).toarray() for part in ("train", "test"))
    y, test_y = (np.loadtxt(os.path.join(folder, part + ".y")) for part in ("train", "test"))
    ridge = Ridge(alpha=penalty * len(y), solver="cholesky")
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
