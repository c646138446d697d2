"""`entropic fit`, `predict` and `score` compared with NumPy and scikit-learn on the same features and kernels."""
import csv
import json
import os
import subprocess
import sys
import warnings

import _kernels
from _tap import check, end

try:
    import numpy as np
    import scipy.optimize
    import scipy.sparse
    from sklearn import metrics
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.linear_model import LogisticRegression
except ImportError as missing:
    print("1..0 # SKIP %s" % missing)
    sys.exit(0)

warnings.filterwarnings("ignore")  # scikit-learn complains when asked for the last digits
ENTROPIC = os.environ["ENTROPIC"]


def within(what, error, tolerance):
    check(what, bool(error <= tolerance), "error %.3g, tolerance %.3g" % (error, tolerance))  # NaN fails


def entropic(*arguments):
    """Runs the command; its standard output."""
    words = [ENTROPIC, *map(str, arguments), "--quiet"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit("# %s: status %d\n# %s" % (" ".join(words), done.returncode, done.stderr.strip()))
    return done.stdout


def fit(data, model, *options):
    return json.loads(entropic("fit", data, "-o", model, "--json", *options))


def fit_design(data, model, *options):
    """Features from the kernel alone, as in `entropic features`."""
    return fit(data, model, "--select", "entropy", *options)


def write_table(path, names, columns):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(zip(*[[repr(float(v)) if isinstance(v, (float, np.floating)) else v for v in c] for c in columns]))


def predictions(model, data, *options):
    """The columns of the output of predict, as numbers where possible."""
    rows = list(csv.reader(entropic("predict", model, data, *options).splitlines()))
    columns = {}
    for name, *values in zip(*rows):
        try:
            columns[name] = np.array(values, float)
        except ValueError:
            columns[name] = np.array(values)
    return columns


def features(data, *options):
    entropic("features", data, "-o", "features.npz", *options)
    return scipy.sparse.load_npz("features.npz").toarray()


def ridge(z, y, w, lam, new):
    """The prediction for lifted rows `new`."""
    mean = np.average(y, axis=0, weights=w)
    left = (z.T * w) @ z + lam * w.sum() * np.eye(z.shape[1])
    return mean + new @ np.linalg.solve(left, (z.T * w) @ (y - mean))


def relative(found, expected):
    return np.abs(found - expected).max() / np.abs(expected).max()


def make_numbers(random, rows):
    x = random.uniform(size=(rows, 4))
    y = 3 + np.sin(5 * x[:, 0]) * x[:, 1] + x[:, 2] ** 2 + 0.1 * random.normal(size=rows)
    return x, y


NAMES = ["a", "b", "c", "d"]
OMEGAS = {"centred": 1.5, "sobolev": 0.7, "laplace": 2, "neumann": 2}  # others: 1
KERNELS = [_kernels.options(name, OMEGAS.get(name, 1)) for name in _kernels.kernels()]
KERNELS += [_kernels.options("centred", 0.5) + ["--smooth", 3], _kernels.options("centred", 1) + ["--criterion", "sup"]]


def ridge_equals_numpy(random):
    x, y = make_numbers(random, 500)
    x = 10 * x ** 3 - 2  # so that scaling has something to do
    w = random.uniform(0.2, 2, size=500)
    write_table("numbers.csv", NAMES + ["y", "w"], [*x.T, y, w])
    for scale in ("quantile", "minmax"):
        for kernel in KERNELS:
            options = [*kernel, "--scale", scale, "--features", 120]
            z = features("numbers.csv", "--target", "y", "--ignore", "w", *options)
            # Ranks count the weights of rows, which `features` does not know.
            weighted = scale != "quantile"
            fit_design("numbers.csv", "m", "--target", "y", *(["--weights", "w"] if weighted else ["--ignore", "w"]), "--lambda",
                       1e-4, *options)
            expected = ridge(z, y, w if weighted else np.ones(500), 1e-4, z)
            within("%s, %s: predictions are those of NumPy's ridge" % (" ".join(map(str, kernel)), scale),
                   relative(predictions("m", "numbers.csv")["prediction"], expected), 1e-8)


def solvers_agree(random):
    x, y = make_numbers(random, 300)
    new, new_y = make_numbers(random, 100)
    write_table("train.csv", NAMES + ["y"], [*x.T, y])
    write_table("new.csv", NAMES + ["y"], [*new.T, new_y])
    for size in (80, 700):  # below and above the number of rows
        options = ["--target", "y", "--omega", 1, "--scale", "none", "--features", size]
        z, z_new = features("train.csv", *options), features("new.csv", *options)
        for lam in (1e-2, 1e-5):
            expected = ridge(z, y, np.ones(300), lam, z_new)
            for solver, tolerance in (("direct", 1e-8), ("dual", 1e-8), ("iterative", 1e-6), ("auto", 1e-8)):
                fit_design("train.csv", "m", "--lambda", lam, "--solver", solver, *options)
                within("%s solver, %d features, lambda %g" % (solver, size, lam),
                       relative(predictions("m", "new.csv")["prediction"], expected), tolerance)


def cross_validation_equals_refits(random):
    """As many groups as folds: then each group is a fold."""
    x, y = make_numbers(random, 240)
    groups = random.permutation(np.arange(240) % 4)
    write_table("groups.csv", NAMES + ["y", "g"], [*x.T, y, ["g%d" % g for g in groups]])
    options = ["--omega", 1, "--scale", "none", "--features", 60]
    z = features("groups.csv", "--target", "y", "--ignore", "g", *options)
    common = ["--target", "y", "--groups", "g", "--folds", 4, *options]

    def mean_square(lam):
        total = 0
        for k in range(4):
            out = groups == k
            found = ridge(z[~out], y[~out], np.ones((~out).sum()), lam, z[out])
            total += ((found - y[out]) ** 2).sum()
        return total / 240

    for lam in (1e-1, 1e-3, 1e-6):
        report = fit_design("groups.csv", "m", "--lambda", lam, *common)
        check("validation is by folds", report["validation"]["kind"] == "folds", report["validation"])
        within("the cross-validated error at lambda %g is that of explicit refits" % lam,
               abs(report["validation"]["rmse"] - mean_square(lam) ** 0.5) / mean_square(lam) ** 0.5, 5e-6)  # 6 digits
        again = fit_design("groups.csv", "m", "--lambda", lam, "--solver", "dual", *common)
        within("the same by the dual solver", abs(again["validation"]["rmse"] - report["validation"]["rmse"]), 1e-7)
    report = fit_design("groups.csv", "m", *common)
    lambdas = 10 ** np.arange(0, -9.1, -0.5)
    best = lambdas[np.argmin([mean_square(lam) for lam in lambdas])]
    within("lambda is the one with the least cross-validated error", abs(np.log10(report["lambda"] / best)), 1e-9)


def exact_equals_kernel_ridge(random):
    x, y = make_numbers(random, 200)
    new, new_y = make_numbers(random, 150)
    write_table("train.csv", NAMES + ["y"], [*x.T, y])
    write_table("new.csv", NAMES + ["y"], [*new.T, new_y])
    for omega, lam in ((1, 1e-3), (4, 1e-5)):
        fit("train.csv", "m", "--target", "y", "--solver", "exact", "--kernel", "laplace", "--omega", omega,
            "--lambda", lam, "--scale", "none")
        reference = KernelRidge(kernel="laplacian", gamma=omega, alpha=lam * 200).fit(x, y - y.mean())
        within("exact laplace, omega %g, lambda %g: scikit-learn's KernelRidge" % (omega, lam),
               relative(predictions("m", "new.csv")["prediction"], y.mean() + reference.predict(new)), 1e-8)


def mixed_kernel(x, cells, x2, cells2, omega):
    """Centred for numbers, 1 + omega/4 [same] for categories; unknown categories are never the same."""
    k = np.ones((len(x), len(x2)))
    for d in range(x.shape[1]):
        k *= 1 + omega / 4 - omega * np.abs(x[:, d][:, None] - x2[:, d][None]) / 2
    return k * (1 + omega / 4 * (cells[:, None] == cells2[None]))


def categories_equal_their_kernel(random):
    x = random.uniform(size=(250, 2))
    colours = np.array(["red", "green", "blue, dark", 'so "called"'])
    cells = random.integers(4, size=250)
    y = x[:, 0] + cells
    new = random.uniform(size=(60, 2))
    new_cells = random.integers(5, size=60)  # 4: an unseen category
    write_table("mixed.csv", ["a", "b", "colour", "y"], [*x.T, colours[cells], y])
    write_table("mixed_new.csv", ["colour", "b", "a"], [np.append(colours, "pink")[new_cells], new[:, 1], new[:, 0]])
    k = mixed_kernel(x, cells, x, cells, 2)
    dual = np.linalg.solve(k + 1e-4 * 250 * np.eye(250), y - y.mean())
    expected = y.mean() + mixed_kernel(new, new_cells, x, cells, 2) @ dual
    common = ["--target", "y", "--omega", 2, "--lambda", 1e-4, "--scale", "none"]
    fit("mixed.csv", "m", "--solver", "exact", *common)
    within("categories and numbers, exact: the kernel of the mathematics",
           relative(predictions("m", "mixed_new.csv")["prediction"], expected), 1e-8)
    fit("mixed.csv", "m", "--solver", "dual", "--features", 60000, "--max-level", 10, *common)
    within("the same by very many features", relative(predictions("m", "mixed_new.csv")["prediction"], expected), 1e-2)


def classes_equal_logistic_regression(random):
    for classes in (2, 3):
        x, score = make_numbers(random, 400)
        y = np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))
        names = np.array(["b-class", "a-class", "c,class"])[:classes]
        order = np.argsort(names)
        w = random.uniform(0.2, 2, size=400)
        write_table("classes.csv", NAMES + ["kind", "w"], [*x.T, names[y], w])
        scaled = ["--omega", 1, "--features", 50, "--scale", "minmax"]
        options = ["--target", "kind", *scaled]
        entropic("features", "classes.csv", "--ignore", "kind,w", *scaled, "-o", "features.npz")
        z = scipy.sparse.load_npz("features.npz").toarray()
        for lam in (1e-2, 1e-4):
            fit_design("classes.csv", "m", *options, "--weights", "w", "--lambda", lam, "--loss", "logistic")
            reference = LogisticRegression(C=1 / (2 * lam * w.sum()), solver="newton-cg", tol=1e-10, max_iter=10000)
            # scikit-learn's C goes with the sum over rows, ours with the mean.
            reference.fit(z, names[y], sample_weight=w)
            found = predictions("m", "classes.csv", "--proba")
            ours = np.stack([found["p_" + name] for name in names[order]], 1)
            within("%d classes, lambda %g: scikit-learn's probabilities" % (classes, lam),
                   np.abs(ours - reference.predict_proba(z)).max(), 1e-5)
            check("%d classes, lambda %g: predict and --proba agree" % (classes, lam),
                  (found["prediction"] == names[order][ours.argmax(1)]).all())


def hinge(z, sides, w, lam):
    """The least mean squared hinge loss + lam |a|^2 and its scores; sides, -1 and 1, have a column for each score."""
    ones = np.column_stack([z, np.ones(len(z))])
    penalty = np.append(np.full(z.shape[1], lam), 0)

    def objective(a, side):
        lack = np.maximum(0, 1 - side * (ones @ a))
        slopes = -2 * ones.T @ (w * side * lack) / w.sum() + 2 * penalty * a
        return (w * lack ** 2).sum() / w.sum() + penalty @ a ** 2, slopes

    options = {"maxiter": 20000, "maxfun": 20000, "ftol": 1e-16, "gtol": 1e-10, "maxcor": 50}
    ends = [scipy.optimize.minimize(objective, np.zeros(ones.shape[1]), args=(side,), jac=True, method="L-BFGS-B",
                                    options=options) for side in sides.T]
    return sum(end.fun for end in ends), np.stack([ones @ end.x for end in ends], 1)


def numbers_equal_huber(random):
    """The least mean Huber loss + lam |a|^2 by SciPy, with the width that the fit has found."""
    x, y = make_numbers(random, 400)
    y[::9] += random.choice([-1, 1], size=len(y[::9])) * 40
    w = random.uniform(0.2, 2, size=400)
    write_table("huber.csv", NAMES + ["y", "w"], [*x.T, y, w])
    z = features("huber.csv", "--ignore", "y,w", "--omega", 1, "--features", 50, "--scale", "minmax")
    ones = np.column_stack([z, np.ones(len(z))])
    for lam in (1e-2, 1e-4):
        report = fit_design("huber.csv", "m", "--target", "y", "--omega", 1, "--features", 50, "--weights", "w",
                            "--scale", "minmax", "--lambda", lam, "--loss", "huber")
        width = report["loss_parameter"]
        penalty = np.append(np.full(z.shape[1], lam), 0)

        def objective(a):
            off = ones @ a - y
            near = np.clip(off, -width, width)
            return (w * near * (2 * off - near)).sum() / w.sum() + penalty @ a ** 2, \
                2 * ones.T @ (w * near) / w.sum() + 2 * penalty * a

        best = scipy.optimize.minimize(objective, np.zeros(ones.shape[1]), jac=True, method="L-BFGS-B",
                                       options={"maxiter": 20000, "maxfun": 20000, "ftol": 1e-16, "gtol": 1e-11, "maxcor": 50})
        info = json.loads(entropic("info", "m", "--list", "--json"))
        ours = np.append([feature["weights"][0] for feature in info["list"]], info["offsets"])
        what = "huber, lambda %g: " % lam
        check(what + "as told", report["loss"] == "huber" and report["lambda"] == lam and report["converged"], report)
        check(what + "a width of the errors without outliers", 0 < width < 10, width)
        check(what + "SciPy's least objective", best.fun * (1 - 1e-9) <= objective(ours)[0] <= best.fun * (1 + 1e-5),
              "%.9g, SciPy %.9g" % (objective(ours)[0], best.fun))
        within(what + "predictions", np.abs(predictions("m", "huber.csv")["prediction"] - ones @ ours).max(), 1e-8)


def classes_equal_squared_hinge(random):
    """The solver stops a little above the minimum, more so for small lambda; a ridge fit is far above it."""
    for classes in (2, 3):
        x, score = make_numbers(random, 400)
        y = np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))
        names = np.array(["a-class", "b-class", "c,class"])[:classes]
        w = random.uniform(0.2, 2, size=400)
        write_table("classes.csv", NAMES + ["kind", "w"], [*x.T, names[y], w])
        z = features("classes.csv", "--ignore", "kind,w", "--omega", 1, "--features", 50, "--scale", "minmax")
        sides = np.where(y[:, None] == (np.arange(classes) if classes > 2 else [1]), 1.0, -1.0)
        for lam, above, most in ((1e-2, 2e-4, 0.1), (1e-4, 0.02, None)):
            report = fit_design("classes.csv", "m", "--target", "kind", "--omega", 1, "--features", 50, "--weights", "w",
                                "--scale", "minmax", "--lambda", lam, "--loss", "hinge")
            what = "hinge, %d classes, lambda %g: " % (classes, lam)
            check(what + "as told", report["loss"] == "hinge" and report["lambda"] == lam and report["converged"], report)
            info = json.loads(entropic("info", "m", "--list", "--json"))
            a = np.array([feature["weights"] for feature in info["list"]])
            scores = z @ a + info["offsets"]
            least, best = hinge(z, sides, w, lam)
            objective = (w @ np.maximum(0, 1 - sides * scores) ** 2).sum() / w.sum() + lam * (a ** 2).sum()
            check(what + "SciPy's least objective", least * (1 - 1e-9) <= objective <= least * (1 + above),
                  "%.9g, SciPy %.9g" % (objective, least))
            if most:
                within(what + "SciPy's scores", np.abs(scores - best).max(), most)
                both = [np.column_stack([-s, s]) if classes == 2 else s for s in (scores, best)]
                apart = np.sort(both[1], 1)[:, -1] - np.sort(both[1], 1)[:, -2] > 2 * most
                found = predictions("m", "classes.csv")["prediction"]
                check(what + "SciPy's classes", apart.mean() > 0.7 and
                      (found == names[both[1].argmax(1)])[apart].all(), apart.mean())
            # Probabilities are the softmax of scores times the inverse inverse.
            found = predictions("m", "classes.csv", "--proba")
            chances = np.stack([found["p_" + name] for name in names], 1)
            check(what + "predict and --proba agree", (found["prediction"] == names[chances.argmax(1)]).all())
            within(what + "probabilities add up to 1", np.abs(chances.sum(1) - 1).max(), 1e-9)
            logs = np.log(chances[:, 1:] / chances[:, :1])
            leads = scores if classes == 2 else scores[:, 1:] - scores[:, :1]
            inverse = (logs * leads).sum() / (leads ** 2).sum()
            within(what + "logarithms of probabilities are scores but for a factor", relative(logs, inverse * leads), 1e-6)


def balanced_classes_equal_scikit_learns(random):
    for classes in (2, 3):
        x, score = make_numbers(random, 400)
        y = np.digitize(score, np.quantile(score, [0.8, 0.95][:classes - 1]))
        names = np.array(["k%d" % k for k in range(classes)])
        write_table("classes.csv", NAMES + ["kind"], [*x.T, names[y]])
        entropic("features", "classes.csv", "--ignore", "kind", "--omega", 1, "--features", 40, "-o", "features.npz")
        z = scipy.sparse.load_npz("features.npz").toarray()
        for lam in (1e-2, 1e-4):
            reference = LogisticRegression(C=1 / (2 * lam * len(y)), solver="newton-cg", tol=1e-10, max_iter=10000,
                                       class_weight="balanced")
            reference.fit(z, names[y])
            chances = []
            for weight in ("balanced", "none"):
                fit_design("classes.csv", "m", "--target", "kind", "--omega", 1, "--features", 40, "--lambda", lam,
                           "--loss", "logistic", "--class-weight", weight)
                found = predictions("m", "classes.csv", "--proba")
                chances.append(np.stack([found["p_" + name] for name in names], 1))
                check("%d classes, weights %s: predict and --proba agree" % (classes, weight),
                      (found["prediction"] == names[chances[-1].argmax(1)]).all())
            within("%d balanced classes, lambda %g: scikit-learn's probabilities" % (classes, lam),
                   np.abs(chances[0] - reference.predict_proba(z)).max(), 1e-5)
            check("%d balanced classes, lambda %g: not those of plain weights" % (classes, lam),
                  np.abs(chances[0] - chances[1]).max() > 0.05)


def balanced_and_weighted_classes_equal_scikit_learns(random):
    """Balanced class weights come from counts of rows, not from row weights; the row weights multiply them."""
    x, score = make_numbers(random, 400)
    y = np.digitize(score, np.quantile(score, [0.7, 0.9]))
    w = random.uniform(0.2, 2, size=400) * (1 + y)  # heavier where there are few
    names = np.array(["k0", "k1", "k2"])
    write_table("classes.csv", NAMES + ["kind", "w"], [*x.T, names[y], w])
    z = features("classes.csv", "--ignore", "kind,w", "--omega", 1, "--features", 40, "--scale", "minmax")
    total = (w * (400 / (3 * np.bincount(y)))[y]).sum()
    for lam in (1e-2, 1e-4):
        reference = LogisticRegression(C=1 / (2 * lam * total), solver="newton-cg", tol=1e-10, max_iter=10000,
                                   class_weight="balanced").fit(z, names[y], sample_weight=w)
        fit_design("classes.csv", "m", "--target", "kind", "--omega", 1, "--features", 40, "--lambda", lam, "--weights", "w",
                   "--scale", "minmax", "--loss", "logistic", "--class-weight", "balanced")
        found = predictions("m", "classes.csv", "--proba")
        within("balanced and weighted classes, lambda %g: scikit-learn's probabilities" % lam,
               np.abs(np.stack([found["p_" + name] for name in names], 1) - reference.predict_proba(z)).max(), 1e-5)


def scores_equal_metrics(random):
    x, y = make_numbers(random, 300)
    w = random.uniform(0.2, 2, size=300)
    write_table("score.csv", NAMES + ["y", "w"], [*x.T, y, w])
    fit("score.csv", "m", "--target", "y", "--ignore", "w", "--features", 20, "--lambda", 1e-2, "--omega", 1)
    found = predictions("m", "score.csv")["prediction"]
    for weights, options in ((None, []), (w, ["--weights", "w"])):
        score = json.loads(entropic("score", "m", "score.csv", "--json", *options))
        expected = {"rmse": metrics.mean_squared_error(y, found, sample_weight=weights) ** 0.5,
                    "mae": metrics.mean_absolute_error(y, found, sample_weight=weights),
                    "r2": metrics.r2_score(y, found, sample_weight=weights)}
        for key, value in expected.items():
            within("%s%s is scikit-learn's" % (key, ", weighted" if options else ""), abs(score[key] - value), 1e-12)
    for classes in (2, 4):
        labels = np.digitize(y, np.quantile(y, np.arange(1, classes) / classes))
        names = np.array(["k%d" % k for k in range(classes)])
        write_table("score.csv", NAMES + ["kind", "w"], [*x.T, names[labels], w])
        for loss in ("logistic", "squared"):
            fit("score.csv", "m", "--target", "kind", "--ignore", "w", "--features", 9, "--lambda", 1e-2, "--omega", 1,
                "--loss", loss)
            found = predictions("m", "score.csv", "--proba")
            chances = np.stack([found["p_" + name] for name in names], 1)
            for weights, options in ((None, []), (w, ["--weights", "w"])):
                score = json.loads(entropic("score", "m", "score.csv", "--json", *options))
                wrong = found["prediction"] != names[labels]
                area = (metrics.roc_auc_score(labels, chances[:, 1], sample_weight=weights) if classes == 2 else
                        np.mean([metrics.roc_auc_score(labels == k, chances[:, k], sample_weight=weights)
                                 for k in range(classes)]))
                expected = {"error": np.average(wrong, weights=weights),
                            "accuracy": 1 - np.average(wrong, weights=weights),
                            "logloss": metrics.log_loss(labels, chances, sample_weight=weights), "auc": area}
                for key, value in expected.items():
                    within("%d classes, %s%s: %s is scikit-learn's" % (classes, loss, ", weighted" if options else "", key),
                           abs(score[key] - value), 1e-9)


def listed_features(model, data, names):
    """The features that `info --list` names, at the rows of a table that is not scaled; weights and offset with them.

    The whole design of small kernels has them all, and `design --json` says which column is which."""
    whole = ["--max-level", 2, "--smooth", 3, "--omega", 1, "--features", 343]
    groups = json.loads(entropic("design", "--inputs", len(names), *whole, "--json"))["list"]
    z = features(data, "--target", "y", "--scale", "none", *whole)
    first, at = {}, 0
    for group in groups:
        first[tuple((names[int(t["name"][1:]) - 1], t["level"]) for t in group["terms"])] = at
        at += group["features"]
    info = json.loads(entropic("info", model, "--list", "--json"))
    columns = []
    for feature in info["list"]:
        place = 0
        for term in feature["terms"]:  # two hats are at level 2, other levels have one atom
            place = place * (2 if term["level"].startswith("hat2") else 1) + term["atom"] - 1
        columns.append(first[tuple((t["name"], t["level"]) for t in feature["terms"])] + place)
    weights = np.array([feature["weights"][0] for feature in info["list"]])
    return z[:, columns], columns, weights, info["offsets"][0]


def selected_equals_numpy(random):
    x, y = make_numbers(random, 300)
    x = x[:, :3]
    write_table("train.csv", NAMES[:3] + ["y"], [*x.T, y])
    common = ["--target", "y", "--scale", "none", "--max-level", 2, "--omega", 1, "--select", "residual"]
    for size in (1, 30, 120):
        report = fit("train.csv", "m", "--features", size, *common)
        z, columns, weights, offset = listed_features("m", "train.csv", NAMES[:3])
        check("%d features, each once" % size, len(columns) == size == len(set(columns)), columns)
        expected = ridge(z, y, np.ones(300), report["lambda"], z)
        within("%d selected features: predictions are those of NumPy's ridge" % size,
               relative(predictions("m", "train.csv")["prediction"], expected), 1e-8)
    report = fit("train.csv", "m", "--features", 30, "--ensemble", 3, *common)
    within("several models have a tenth of the lambda each was selected with",
           abs(10 * report["lambda"] / report["path"][-1]["lambda"] - 1), 1e-12)
    given = fit("train.csv", "m1", "--features", 30, "--ensemble", 3, "--lambda", 1e-3, *common)
    check("but what is given is taken", given["lambda"] == 1e-3, given["lambda"])
    z, columns, weights, offset = listed_features("m", "train.csv", NAMES[:3])
    check("three models as one have more features, each once", 30 < len(set(columns)) == len(columns) <= 90, columns)
    within("and are their list", relative(predictions("m", "train.csv")["prediction"], offset + z @ weights), 1e-10)


def main():
    random = np.random.default_rng(7)
    for test in (ridge_equals_numpy, solvers_agree, cross_validation_equals_refits, exact_equals_kernel_ridge,
                 categories_equal_their_kernel, classes_equal_logistic_regression,
                 balanced_classes_equal_scikit_learns, balanced_and_weighted_classes_equal_scikit_learns,
                 scores_equal_metrics,
                 selected_equals_numpy, classes_equal_squared_hinge, numbers_equal_huber):
        test(random)
    sys.exit(end())


main()
