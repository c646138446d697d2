"""What `entropic paper` makes of the points of sparse and dense features: costs at equal error and exponents, again from
the points, in the JSON and in the tables of the page."""
import numpy as np


def close(a, b):
    return (a is None) == (b is None) and (a is None or abs(a - b) <= 1e-9 * max(abs(a), abs(b)))


COSTS = ("features", "nonzeros", "train_seconds", "predict_seconds")


def cost_at(points, error):
    """On the line, in logarithms, to the first point that reaches the error."""
    at = next((i for i, point in enumerate(points) if point["error"] <= error * (1 + 1e-12)), None)
    if at is None:
        return None
    if at == 0:
        return {key: points[0][key] for key in COSTS}
    before, after = points[at - 1], points[at]
    place = np.log(before["error"] / error) / np.log(before["error"] / after["error"])
    return {key: float(before[key] * (after[key] / before[key]) ** place) for key in COSTS}


def equals_of(case):
    least = {name: min(p["error"] for p in case[name]) for name in ("eof", "rks")}
    errors = [factor * least["rks"] for factor in (2, 1.4, 1) if factor * least["rks"] < 1]
    errors += [least["eof"]] * (least["eof"] < least["rks"])
    return [dict({name: cost_at(case[name], error) for name in ("eof", "rks")}, error=error) for error in errors]


def slope(features, values):
    """Against log log M."""
    return float(np.polyfit(np.log(np.log(features)), np.log(values), 1)[0]) if len(values) > 1 else None


def exponents_of(sparse, growth):
    cases = [c for c in sparse["cases"] if c["target"] == "aligned" and c["inputs"] == growth["inputs"]]
    points = [p for p in max(cases, key=lambda c: c["rows"])["eof"] if p["gram_seconds"] is not None] if cases else []
    return {"nonzeros": slope(growth["features"], growth["nonzeros"]),
            "products": slope(growth["features"], growth["products"]),
            "gram_seconds": slope([p["features"] for p in points], [p["gram_seconds"] for p in points])}


def sparse_problems(problems, sparse):
    """Everything that is derived is what the points give."""
    for case in sparse["cases"]:
        name = "%s, %d inputs, %d rows" % (case["target"], case["inputs"], case["rows"])
        wanted = equals_of(case)
        problems.expect("%s: %d errors" % (name, len(case["equal"])), len(case["equal"]) == len(wanted))
        for found, want in zip(case["equal"], wanted):
            problems.expect("%s: error %r" % (name, found["error"]), close(found["error"], want["error"]))
            for method in ("eof", "rks"):
                a, b = found[method], want[method]
                problems.expect("%s: cost of %s at %r" % (name, method, found["error"]),
                                (a is None) == (b is None) and
                                (a is None or all(close(a[key], b[key]) for key in COSTS)))
        problems.expect("%s: RKS are dense" % name, all(
            p["nonzeros"] == p["features"] and p["products"] == p["features"] * (p["features"] + 1) / 2
            for p in case["rks"]))
        problems.expect("%s: numbers of features grow" % name, all(
            a["features"] < b["features"] for m in ("eof", "rks") for a, b in zip(case[m], case[m][1:])))
    for growth in sparse["growth"]:
        want = exponents_of(sparse, growth)
        problems.expect("exponents of %d inputs" % growth["inputs"],
                        all(close(growth["exponents"][key], want[key]) for key in want))


def expect_sparse(tables, sparse, number):
    """The two tables of the page; `number` makes a cell."""
    rows = []
    for case in sparse["cases"]:
        for equal in equals_of(case):
            ours, theirs = equal["eof"], equal["rks"]

            def cells(cost):
                if cost is None:
                    return ["not reached", number(None), number(None), number(None)]
                return [number(cost["features"], 0, True), number(cost["nonzeros"], 0, True),
                        number(1e3 * cost["train_seconds"], 3), number(1e9 * cost["predict_seconds"], 3)]

            dense = cells(theirs)
            ratios = [number(None) if ours is None or theirs is None else number(theirs[key] / ours[key], 3)
                      for key in ("train_seconds", "predict_seconds")]
            rows.append([number(equal["error"], 3)] + ratios + cells(ours) + dense[:1] + dense[2:])
    tables.expect("Sparse and dense features at equal error",
                  ["error", "train, ratio", "predict, ratio", "EOF: M", "non-zeros", "train, ms", "predict, ns", "RKS: M",
                   "train, ms", "predict, ns"],
                  rows)
    rows = []
    for growth in sparse["growth"]:
        exponents = exponents_of(sparse, growth)
        rows.append([number(growth["inputs"], 0, True), number(growth["features"][-1], 0, True),
                     number(growth["nonzeros"][-1], 0, True), number(exponents["nonzeros"], 3),
                     number(exponents["products"], 3), number(2 * growth["inputs"], 0, True),
                     number(exponents["gram_seconds"], 3)])
    tables.expect("Powers of log M", ["inputs, D", "largest M", "non-zeros", "power: non-zeros", "products",
                                      "the paper's 2 D", "time of Z'Z"], rows)
