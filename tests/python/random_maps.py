"""Random feature maps compared with NumPy, SciPy and scikit-learn."""
import os
import subprocess
import sys

from _tap import check, end

try:
    import numpy as np
    from scipy.linalg import hadamard
    from scipy.optimize import minimize
    from scipy.spatial import cKDTree
    from scipy.stats import chi2
    from sklearn.metrics.pairwise import laplacian_kernel, rbf_kernel
except ImportError as missing:
    print("1..0 # SKIP %s" % missing)
    sys.exit(0)

DRIVER = os.path.join(os.environ["ENTROPIC_BUILD"], "tests", "python-random")
PANEL = 6


def within(what, error, tolerance):
    check(what, bool(error <= tolerance), "error %.3g, tolerance %.3g" % (error, tolerance))  # NaN fails


def ask(words, *parts):
    numbers = [repr(float(v)) for part in parts for v in np.ravel(part)]
    out = subprocess.run([DRIVER], input=" ".join([words, *numbers]), check=True, capture_output=True, text=True).stdout
    return {line.split()[0]: np.array(line.split()[1:], float) for line in out.splitlines()}


def ask_map(method, kernel, sigma, features, x, y, w, candidates=10, rho=-1, seed=1, landmarks=0, threads=2):
    """The features row by row, and the rest of the answer."""
    sizes = [sigma, features, candidates, rho, seed, landmarks, threads, *x.shape, y.shape[1]]
    answer = ask("map %s %s" % (method, kernel), sizes, x, y, w)
    if "frequencies" in answer:
        packed = answer["frequencies"].reshape(-1, x.shape[1], PANEL)
        answer["frequencies"] = packed.transpose(0, 2, 1).reshape(-1, x.shape[1])[:features]
    return answer["z"].reshape(features, len(x)).T, answer


def problem(random, rows, inputs, targets):
    x = random.uniform(size=(rows, inputs))
    y = np.stack([np.sin(5 * x.sum(1) + t) + x[:, 0] * x[:, -1] for t in range(targets)], 1)
    return x, y + 0.2 * random.normal(size=y.shape) + 3, random.integers(0, 3, size=rows).astype(float)


def kernel_of(name, sigma, a, b):
    if name == "laplace":
        return laplacian_kernel(a, b, gamma=sigma)
    if name == "gauss":
        return rbf_kernel(a, b, gamma=sigma**2 / 2)
    return np.prod(1 + sigma * np.minimum(a[:, None, :], b[None, :, :]), axis=2)


def generic_weights(v, rho):
    """Sinha and Duchi's problem, by a general-purpose solver."""
    n = len(v)
    scale = v.max()
    best = None
    for start in (np.full(n, 1 / n), np.full(n, 0.5 / n) + 0.5 * v / v.sum()):
        found = minimize(lambda q: -q @ v / scale, start, jac=lambda q: -v / scale, method="SLSQP",
                         bounds=[(0, 1)] * n, options={"ftol": 1e-16, "maxiter": 1000},
                         constraints=[{"type": "eq", "fun": lambda q: q.sum() - 1, "jac": lambda q: np.ones(n)},
                                      {"type": "ineq", "fun": lambda q: rho - np.mean((n * q - 1) ** 2),
                                       "jac": lambda q: -2 * (n * q - 1)}])
        if best is None or found.fun < best.fun:
            best = found
    return best.x


def weights(random):
    for trial in range(12):
        n = int(random.integers(3, 30))
        v = random.normal(size=n) ** 2 * 10.0 ** random.integers(-6, 3)
        rho = [0.1, 0.5, 2.0][trial % 3]
        q = ask("weights", [rho, n], v)["weights"]
        expected = generic_weights(v, rho)
        within("weights of %d alignments, rho %g: as by SLSQP" % (n, rho), np.abs(q - expected).max(), 1e-8)
        excess = max(abs(q.sum() - 1), np.mean((n * q - 1) ** 2) - rho, -q.min())
        within("weights of %d alignments, rho %g: allowed" % (n, rho), excess, 1e-12)


def choices(random):
    for targets in (1, 3):
        x, y, w = problem(random, 400, 4, targets)
        for kernel, sigma in (("laplace", 0.7), ("gauss", 2.0)):
            # The candidates are what RKS draws.
            _, drawn = ask_map("RKS", kernel, sigma, 300, x, y, w, seed=5)
            waves = np.cos(2 * np.pi * (x @ drawn["frequencies"].T + drawn["phases"]))
            centred = y - np.average(y, axis=0, weights=w)
            v = ((waves.T @ (w[:, None] * centred) / w.sum()) ** 2).sum(1)
            what = "%s, %d targets" % (kernel, targets)

            z, answer = ask_map("EERF", kernel, sigma, 30, x, y, w, seed=5)
            best = np.argsort(-np.sqrt(v), kind="stable")[:30]
            check("EERF, %s: the candidates that align best" % what, np.array_equal(answer["chosen"], best))
            within("EERF, %s: features" % what, np.abs(z - np.sqrt(2 / 30) * waves[:, best]).max(), 1e-12)

            z, answer = ask_map("LKRF", kernel, sigma, 30, x, y, w, seed=5)
            q = answer["weights"]
            eta = threshold(v, (1 + 9) / 300)
            expected = np.maximum(v - eta, 0) / np.maximum(v - eta, 0).sum()
            within("LKRF, %s: weights by bisection" % what, np.abs(q - expected).max(), 1e-10)
            kept = np.argsort(-q, kind="stable")[:30]
            check("LKRF, %s: the candidates of most weight" % what, np.array_equal(answer["chosen"], kept))
            check("LKRF, %s: the same by the other weights" % what,
                  np.array_equal(np.argsort(-expected, kind="stable")[:30], kept))
            scales = np.sqrt(2 / 30) * np.sqrt(30 * q[kept] / q[kept].sum())
            within("LKRF, %s: features" % what, np.abs(z - scales * waves[:, kept]).max(), 1e-12)


def threshold(v, bound):
    """eta by bisection: the sum of squared weights decreases in it."""
    low, high = v.min() - 1e3 * np.ptp(v), v.max()
    for _ in range(200):
        middle = (low + high) / 2
        q = np.maximum(v - middle, 0)
        if q.sum() == 0 or (q**2).sum() > bound * q.sum() ** 2:
            high = middle
        else:
            low = middle
    return low


def waves(random):
    x, y, w = problem(random, 50, 5, 1)
    for method, kernel in (("RKS", "laplace"), ("RKS", "gauss"), ("ORF", "gauss")):
        z, answer = ask_map(method, kernel, 1.5, 2000, x, y, w)
        plain = np.sqrt(2 / 2000) * np.cos(2 * np.pi * (x @ answer["frequencies"].T + answer["phases"]))
        size = np.abs(answer["frequencies"]).max()
        within("%s %s: features" % (method, kernel), np.abs(z - plain).max(), 1e-14 * (1 + size))
        within("%s %s: near the kernel" % (method, kernel), np.abs(z @ z.T - kernel_of(kernel, 1.5, x, x)).max(), 0.15)


def nystroem(random):
    x, y, w = problem(random, 120, 3, 1)
    w[:] = 1
    for kernel, sigma in (("laplace", 1.0), ("gauss", 2.0), ("sobolev", 0.8)):
        for landmarks in (0, 1, 2):
            z, answer = ask_map("Nystroem", kernel, sigma, 25, x, y, w, landmarks=landmarks)
            points = x[answer["chosen"].astype(int)]
            inner = kernel_of(kernel, sigma, points, points) + answer["jitter"] * np.eye(25)
            outer = kernel_of(kernel, sigma, x, points)
            within("Nystroem %s, landmarks %d: features" % (kernel, landmarks),
                   np.abs(z - np.linalg.solve(np.linalg.cholesky(inner), outer.T).T).max(), 1e-6)
            within("Nystroem %s, landmarks %d: kernel" % (kernel, landmarks),
                   np.abs(z @ z.T - outer @ np.linalg.solve(inner, outer.T)).max(), 1e-8)
        z, _ = ask_map("Nystroem", kernel, sigma, 120, x, y, w)
        within("Nystroem %s: all rows as landmarks" % kernel, np.abs(z @ z.T - kernel_of(kernel, sigma, x, x)).max(),
               1e-8)


def bandwidth(random):
    for rows, inputs in ((30, 2), (51, 3), (1000, 1), (2000, 7)):
        x = random.uniform(size=(rows, inputs))
        k = min(50, rows - 1)
        expected = 1 / cKDTree(x).query(x, k + 1)[0][:, k].mean()
        sigma = ask("bandwidth", [1, rows, inputs], x)["sigma"][0]
        within("bandwidth of %d rows, %d inputs" % (rows, inputs), abs(sigma / expected - 1), 1e-12)


def sorf(random):
    for inputs, order in ((1, 64), (8, 64), (81, 128), (500, 512)):
        x, y, w = problem(random, 40, inputs, 1)
        features, sigma = 3 * order - order // 2, 3 / np.sqrt(inputs)
        z, answer = ask_map("SORF", "gauss", sigma, features, x, y, w)
        h = hadamard(order) / np.sqrt(order)
        blocks = [np.sqrt(order) * (h * d[0]) @ (h * d[1]) @ (h * d[2]) for d in answer["signs"].reshape(-1, 3, order)]
        what = "SORF, %d inputs: " % inputs
        within(what + "orthogonal blocks", max(np.abs(b @ b.T / order - np.eye(order)).max() for b in blocks), 1e-12)
        frequencies = np.vstack(blocks)[:features, :inputs]
        plain = np.sqrt(2 / features) * np.cos(sigma * x @ frequencies.T + 2 * np.pi * answer["phases"])
        within(what + "features", np.abs(z - plain).max(), 1e-12)
        check(what + "signs of both kinds", abs(answer["signs"].mean()) < 4 / np.sqrt(answer["signs"].size))
        z, _ = ask_map("SORF", "gauss", sigma, 4096, x, y, w)
        within(what + "near the kernel", np.abs(z @ z.T - kernel_of("gauss", sigma, x, x)).max(), 0.09)


def ask_pivots(kernel, sigma, features, seeds, x):
    return ask("pivots %s" % kernel, [sigma, features, seeds, *x.shape], x)["chosen"].astype(int).reshape(seeds, -1)


def sequence_probabilities(residual, depth, before=(), probability=1.0):
    """Of every sequence of pivots, by the definition."""
    if depth == 0:
        return {before: probability}
    found, d = {}, np.diag(residual)
    for p in np.flatnonzero(d > 1e-12):
        smaller = residual - np.outer(residual[:, p], residual[p]) / d[p]
        found.update(sequence_probabilities(smaller, depth - 1, before + (p,), probability * d[p] / d.sum()))
    return found


def one_by_one(random, matrix, pivots, runs):
    """Randomly pivoted Cholesky as it is defined, many times at once: which rows became pivots."""
    residual, taken, every = np.repeat(matrix[None], runs, 0), np.zeros((runs, len(matrix)), bool), np.arange(runs)
    for _ in range(pivots):
        sums = np.cumsum(np.where(taken, 0, np.maximum(np.einsum("sii->si", residual), 0)), 1)
        p = (sums <= random.uniform(size=(runs, 1)) * sums[:, -1:]).sum(1)
        column = residual[every, :, p]
        residual = residual - column[:, :, None] * column[:, None, :] / column[every, p][:, None, None]
        taken[every, p] = True
    return taken


def trace_left(matrix, taken):
    """The trace of the residual after each run's pivots."""
    c = np.nonzero(taken)[1].reshape(len(taken), -1)
    inner, outer = matrix[c[:, :, None], c[:, None, :]], matrix[c]
    return np.trace(matrix) - np.einsum("sij,sij->s", outer, np.linalg.solve(inner, outer))


def pivots(random):
    x, seeds = random.uniform(size=(7, 2)), 3000
    x[6] = x[5] + 0.01
    for kernel, sigma in (("laplace", 1.0), ("gauss", 3.0), ("sobolev", 2.0)):
        # One block of proposals: every sequence of three pivots.
        expected = sequence_probabilities(kernel_of(kernel, sigma, x, x), 3)
        chosen = [tuple(c) for c in ask_pivots(kernel, sigma, 3, seeds, x)]
        often = [s for s, q in expected.items() if seeds * q >= 8]
        means = np.array([seeds * expected[s] for s in often] + [seeds * (1 - sum(expected[s] for s in often))])
        seen = np.array([chosen.count(s) for s in often], float)
        seen = np.append(seen, seeds - seen.sum())
        level = chi2.sf(((seen - means) ** 2 / means).sum(), len(often))
        check("pivots, %s: sequences have their probabilities" % kernel, len(often) > 30 and level > 1e-3,
              "%d sequences, level %.2g" % (len(often), level))

    # Several blocks: how often each row is a pivot, and what is left.
    x, runs = random.uniform(size=(60, 2)), 1200
    matrix = kernel_of("gauss", 4.0, x, x)  # of quickly falling eigenvalues: few are accepted
    plain, ours = one_by_one(random, matrix, 36, runs), np.zeros((runs, 60), bool)
    ours[np.arange(runs)[:, None], ask_pivots("gauss", 4.0, 36, runs, x)] = True
    check("pivots: all distinct", bool((ours.sum(1) == 36).all()))
    both = (plain.mean(0) + ours.mean(0)) / 2
    apart = np.abs(ours.mean(0) - plain.mean(0)) / np.sqrt(2 * both * (1 - both) / runs)
    within("pivots of several blocks: each row as often as one by one", apart.max(), 4.0)
    left = [np.log(trace_left(matrix, taken)) for taken in (plain, ours)]
    apart = abs(left[0].mean() - left[1].mean()) / np.sqrt((left[0].var() + left[1].var()) / runs)
    within("pivots of several blocks: as much is left as one by one", apart, 4.0)

    # Clusters of very different sizes.
    x = 0.02 * random.uniform(size=(600, 3))
    x[::30] += 0.9 * random.uniform(size=(20, 3))
    matrix, left = kernel_of("gauss", 10.0, x, x), {}
    for landmarks in (0, 2):
        answer = ask_map("Nystroem", "gauss", 10.0, 30, x, np.zeros((600, 1)), np.ones(600), landmarks=landmarks)[1]
        c = answer["chosen"].astype(int)
        left[landmarks] = np.trace(matrix - matrix[:, c] @ np.linalg.pinv(matrix[np.ix_(c, c)]) @ matrix[c])
    check("pivots: little is left of clusters", left[2] < left[0] / 10, "%g and %g" % (left[2], left[0]))


def exact(random):
    lambdas = np.array([1e-4, 1e-2, 1.0])
    for kernel, sigma in (("laplace", 0.8), ("gauss", 2.0), ("sobolev", 0.8)):
        x, y, w = problem(random, 150, 4, 2)
        tests = random.uniform(size=(50, 4))
        sizes = [sigma, len(lambdas), *x.shape, 2, len(tests)]
        answer = ask("exact %s" % kernel, sizes, lambdas, x, y, w, tests)["predictions"].reshape(3, 50, 2)
        means = np.average(y, axis=0, weights=w)
        for found, shrink in zip(answer, lambdas):
            system = w[:, None] * kernel_of(kernel, sigma, x, x) + shrink * w.sum() * np.eye(len(x))
            plain = means + kernel_of(kernel, sigma, tests, x) @ np.linalg.solve(system, w[:, None] * (y - means))
            within("exact ridge, %s, lambda %g" % (kernel, shrink), np.abs(found - plain).max(), 1e-9)


random = np.random.default_rng(7)
waves(random)
weights(random)
choices(random)
nystroem(random)
bandwidth(random)
sorf(random)
pivots(random)
exact(random)
sys.exit(end())
