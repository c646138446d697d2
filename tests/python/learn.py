"""The learners compared with NumPy and scikit-learn on the same lifted rows."""
import os
import subprocess
import sys

from _tap import check, end

try:
    import numpy as np
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.linear_model import LogisticRegression, Ridge
except ImportError as missing:
    print("1..0 # SKIP %s" % missing)
    sys.exit(0)

DRIVER = os.path.join(os.environ["ENTROPIC_BUILD"], "tests", "python-driver")
FOLDS = 5


def within(what, error, tolerance):
    check(what, bool(error <= tolerance), "error %.3g, tolerance %.3g" % (error, tolerance))  # NaN fails


def ask(word, x, y, weights, features, lambdas, classes=0, threads=2, grade=1):
    """Lifted rows and the answer, a dictionary of arrays."""
    y = y.reshape(len(x), -1)
    sizes = [*x.shape, y.shape[1], features, classes, threads, grade, len(lambdas)]
    numbers = [repr(float(v)) for part in (sizes, lambdas, x.ravel(), y.ravel(), weights) for v in part]
    out = subprocess.run([DRIVER], input=" ".join([word, *numbers]), check=True, capture_output=True, text=True).stdout
    z, answer = [], {}
    for line in out.splitlines():
        name, *values = line.split()
        values = np.array(values, float)
        if name == "z":
            z.append(values)
        else:
            answer[name] = values
    return np.array(z), answer


def problem(random, rows, inputs, targets):
    x = random.uniform(size=(rows, inputs))
    y = np.stack([np.sin(5 * x.sum(1) + t) + x[:, 0] * x[:, -1] for t in range(targets)], 1)
    return x, y + 0.2 * random.normal(size=y.shape) + 3, random.uniform(size=rows) * (random.uniform(size=rows) < 0.9)


def plain_ridge(z, y, w, lam):
    """scikit-learn's ridge on centred targets, without an intercept."""
    mean = np.average(y, axis=0, weights=w)
    model = Ridge(alpha=lam * w.sum(), fit_intercept=False, solver="cholesky").fit(z, y - mean, sample_weight=w)
    return model.coef_, mean


def ridge(random):
    lambdas = [1e-1, 1e-3, 1e-5]
    x, y, w = problem(random, 500, 3, 2)
    for grade, loose in ((0, 1e5), (1, 1)):  # 23 bits, 45 bits
        z, answer = ask("ridge", x, y, w, 80, lambdas, grade=grade)
        a = np.column_stack([z, np.ones(len(z)), y])
        gram = answer["gram"].reshape(a.shape[1], -1).T
        within("grade %d: statistics" % grade, np.abs(np.triu(gram) - np.triu(a.T @ (w[:, None] * a))).max(), 1e-10 * loose)
        weights = answer["weights"].reshape(len(lambdas), 2, 80)
        errors, gcv = answer["errors"].reshape(-1, 2), answer["gcv"].reshape(-1, 2)
        for i, lam in enumerate(lambdas):
            expected, mean = plain_ridge(z, y, w, lam)
            within("grade %d, lambda %g: weights" % (grade, lam), np.abs(weights[i] - expected).max(), 1e-8 * loose)
            within("grade %d, lambda %g: means" % (grade, lam), np.abs(answer["means"] - mean).max(), 1e-12 * loose)
            total = 0
            for fold in range(FOLDS):
                out = np.arange(len(x)) % FOLDS == fold
                a, m = plain_ridge(z[~out], y[~out], w[~out], lam)
                total = total + (w[out, None] * (y[out] - m - z[out] @ a.T) ** 2).sum(0)
            total = total / w.sum()
            within("grade %d, lambda %g: cross-validation" % (grade, lam), np.abs(errors[i] - total).max(), 1e-8 * loose)
            centring = np.eye(len(x)) - np.outer(np.ones(len(x)), w) / w.sum()
            hat = z @ np.linalg.solve(z.T @ (w[:, None] * z) + lam * w.sum() * np.eye(80), (z * w[:, None]).T)
            trace = 1 + np.trace(hat @ centring)
            within("grade %d, lambda %g: freedom" % (grade, lam), abs(answer["freedom"][i] - trace), 1e-6 * loose)
            residual = (w[:, None] * (y - mean - z @ expected.T) ** 2).sum(0) / w.sum()
            expected_gcv = residual / (1 - trace / (w > 0).sum()) ** 2
            within("grade %d, lambda %g: GCV" % (grade, lam), np.abs(gcv[i] - expected_gcv).max(), 1e-8 * loose)


def centred_kernel(x, y):
    return np.prod(1.25 - np.abs(x[:, None, :] - y[None, :, :]) / 2, axis=2)


def dual(random):
    x, y, w = problem(random, 150, 2, 2)
    w += 0.1
    z, answer = ask("dual", x, y, w, 300, [1e-3])
    expected, mean = plain_ridge(z, y, w, 1e-3)
    within("dual: weights", np.abs(answer["weights"].reshape(2, -1) - expected).max(), 1e-8)
    model = KernelRidge(alpha=1e-3 * w.sum(), kernel="precomputed")
    k = centred_kernel(x, x)
    model.fit(k, y - mean, sample_weight=w)
    within("kernel ridge: coefficients", np.abs(answer["coefficients"].reshape(2, -1).T - model.dual_coef_).max(), 1e-7)
    predictions = answer["predictions"].reshape(-1, 2)
    within("kernel ridge: predictions", np.abs(predictions - mean - model.predict(k)).max(), 1e-9)


def iterate(random):
    x, y, w = problem(random, 400, 3, 2)
    z, answer = ask("iterate", x, y, w, 150, [1e-4])
    expected, _ = plain_ridge(z, y, w, 1e-4)
    check("conjugate gradients converge", answer["converged"][0] == 1)
    within("conjugate gradients: weights", np.abs(answer["weights"].reshape(2, -1) - expected).max(), 1e-6)


def library_probabilities(z, labels, w, lam, classes):
    model = LogisticRegression(C=1 / (2 * lam * w.sum()), tol=1e-7, max_iter=1000, solver="newton-cg",
                               multi_class="multinomial" if classes > 2 else "auto")
    return model.fit(z, labels, sample_weight=w).predict_proba(z)


def newton_probabilities(z, labels, w, lam, classes):
    """Softmax by Newton's method with the full Hessian; for two classes each score is half of ours."""
    a = np.column_stack([z, np.ones(len(z))])
    width = a.shape[1]
    penalty = np.tile(np.r_[np.full(width - 1, 2 * lam * (2 if classes == 2 else 1)), 1e-12], classes)
    target = np.eye(classes)[labels]
    share = w / w.sum()

    def objective(point):
        scores = a @ point.reshape(classes, -1).T
        scores -= scores.max(1, keepdims=True)
        return share @ (np.log(np.exp(scores).sum(1)) - (scores * target).sum(1)) + (penalty * point**2).sum() / 2

    point = np.zeros(classes * width)
    for _ in range(100):
        scores = a @ point.reshape(classes, -1).T
        p = np.exp(scores - scores.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        gradient = ((share[:, None] * (p - target)).T @ a).ravel() + penalty * point
        hessian = np.diag(penalty)
        for i in range(classes):
            for j in range(classes):
                d = share * p[:, i] * ((i == j) - p[:, j])
                hessian[i * width:(i + 1) * width, j * width:(j + 1) * width] += a.T @ (d[:, None] * a)
        step = np.linalg.solve(hessian, gradient)
        length = 1.0
        while objective(point - length * step) > objective(point) + 1e-14 and length > 1e-6:
            length /= 2
        point = point - length * step
        if gradient @ step < 1e-20:
            break
    return p


def logistic(random):
    solvers = {1e-2: library_probabilities, 1e-3: library_probabilities,
               1e-4: newton_probabilities, 1e-6: newton_probabilities}
    for classes in (2, 3, 5):
        for lam, solver in solvers.items():
            x, y, w = problem(random, 400, 3, 1)
            edges = np.quantile(y, np.linspace(0, 1, classes + 1)[1:-1])
            labels = np.searchsorted(edges, y[:, 0])
            z, answer = ask("logistic", x, labels.astype(float), w, 30, [lam], classes=classes)
            name = "%d classes, lambda %g: " % (classes, lam)
            check(name + "converged", answer["end"][0] == 0, "ended with %g" % answer["end"][0])
            error = np.abs(answer["probabilities"].reshape(-1, classes) - solver(z, labels, w, lam, classes)).max()
            within(name + "probabilities", error, 1e-5)


ridge(np.random.default_rng(1))
dual(np.random.default_rng(2))
iterate(np.random.default_rng(3))
logistic(np.random.default_rng(4))
sys.exit(end())
