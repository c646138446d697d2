"""The verdicts of `entropic paper`, judged again from the numbers of its JSON alone, by rules written anew: a verdict that
says "holds" where the numbers do not is a problem."""
import math

import numpy as np

from _paper_numbers import find, method_at, slope_of, student

PAPERS = ("RKS", "ORF", "LKRF", "EERF")
RANDOM = PAPERS + ("QMC", "SORF")
FORMS = (("EOF-printed", "holds"), ("EOF-inset", "holds only inset"), ("EOF", "holds after completion"))
EQUAL = 0.05  # times that differ by less are equal

# The claims of --claims that each verdict rests on; those in the second list say that the printed form lacks something.
GROUNDS = {
    "supports": (["support", "nested", "union"], []),
    "basis": (["orthogonal", "norms", "boundary", "expansion"], ["without"]),
    "products": (["products", "product-norms", "faces", "product-expansion"], ["without"]),
    "pairs": (["pair-orthogonal", "pair-expansion"], ["without"]),
    "expansion": (["expansion", "root", "bridge"], ["without"]),
    "norms": (["growth", "linear"], []),
    "lemma": (["lemma", "logarithm"], []),
    "optimal": (["sum", "product", "knapsack"], []),
    "size": (["size", "nonzeros", "share"], []),
    "share-limit": (["share-limit"], []),
    "nonzeros": (["sparse", "completed-sparse"], []),
    "training": (["training"], []),
}


def held(claim):
    """By value and limit, whatever the JSON says of it."""
    if claim["value"] is None:
        return False
    return claim["value"] >= claim["limit"] if claim["relation"] == ">=" else claim["value"] <= claim["limit"]


def by_claims(paper, key):
    claims = {claim["name"]: claim for claim in paper.get("claims", [])}
    needed, lacking = GROUNDS[key]
    if any(name not in claims or claims[name]["value"] is None for name in needed):
        return "not measured"
    if not all(held(claims[name]) for name in needed):
        return "does not hold"
    return "holds after completion" if any(held(claims[name]) for name in lacking) else "holds"


def interval(ours, other):
    """Ends of the 95 % interval of the mean difference."""
    runs = min(ours["runs"], other["runs"])
    gap = np.array(ours["errors"][:runs]) - np.array(other["errors"][:runs])
    if runs < 2:
        return math.nan, math.nan
    half = student(0.975, runs - 1) * float(gap.std(ddof=1)) / math.sqrt(runs)
    return float(gap.mean()) - half, float(gap.mean()) + half


def by_errors(paper, tuned, others):
    """The first form that surely beats all others everywhere."""
    lost = places = 0
    for name, verdict in FORMS:
        sure = lost = places = 0
        for numbers in paper["sets"]:
            for ours in numbers["methods"]:
                if ours["name"] != name or ours["tuned"] != tuned:
                    continue
                ends = [interval(ours, method_at(numbers, other, tuned, ours["features"])) for other in others]
                places += 1
                sure += all(high < 0 for _, high in ends)
                lost += any(low > 0 for low, _ in ends)
        if places and sure == places:
            return verdict
    return "not measured" if not places else "does not hold" if lost else "not decided"


def by_time(paper):
    ratios = {}
    for name in ("EOF-printed", "EOF"):
        ratios[name] = []
        for numbers in paper["sets"]:
            size = numbers["printed_features"]
            ours = method_at(numbers, name, False, size)
            if ours and ours["trainings"]:
                fastest = min(np.median(method_at(numbers, other, False, size)["trainings"]) for other in ("LKRF", "EERF"))
                ratios[name].append(np.median(ours["trainings"]) / fastest)
    if not ratios["EOF-printed"]:
        return "not measured"
    return ("holds" if max(ratios["EOF-printed"]) < 1 - EQUAL else
            "holds after completion" if max(ratios["EOF"]) < 1 - EQUAL else "does not hold")


def by_given(paper):
    if not paper["given"]:
        return "not measured"
    sizes = [row["features"] for row in paper["printed"]["given"] if row["name"] == "RKS"]
    for name, verdict in FORMS:
        ratios = []
        for size in sizes:
            ours = next(g for g in paper["given"] if g["name"] == name and g["features"] == size and "budget" not in g)
            ratios.append(np.median(ours["givens"]) / np.median(find(paper["given"], name="RKS", features=size)["givens"]))
        if max(ratios) < 1 - EQUAL:
            return verdict
    return "does not hold"


def by_nonzeros(paper):
    shares = [m["nonzeros"] / m["made_features"] for numbers in paper["sets"] for m in numbers["methods"]
              if m["name"] == "EOF-printed" and not m["tuned"] and m["features"] == numbers["printed_features"]]
    return "not measured" if not shares else "holds" if max(shares) < 1 else "does not hold"


def cost_at(curve, error, key):
    """Where a curve first reaches an error, on the line in logarithms from the point before; None if it does not."""
    for i, point in enumerate(curve):
        if point["error"] <= error:
            if i == 0:
                return point[key]
            last = curve[i - 1]
            share = (math.log(last["error"] / error)) / math.log(last["error"] / point["error"])
            return math.exp(math.log(last[key]) + share * math.log(point[key] / last[key]))
    return None


def by_sparse(paper):
    """Does EOF reach the least error of RKS in less time?"""
    cases = paper.get("sparse", {}).get("cases", [])
    faster = any_faster = 0
    for case in cases:
        least = min(point["error"] for point in case["rks"])
        wins = []
        for key in ("train_seconds", "predict_seconds"):
            ours, theirs = cost_at(case["eof"], least, key), cost_at(case["rks"], least, key)
            wins.append(ours is not None and ours < theirs)
        faster += all(wins)
        any_faster += any(wins)
    return ("not measured" if not cases else "holds after completion" if faster == len(cases) else
            "not decided" if any_faster else "does not hold")


def by_rate(paper, inputs):
    rates = [r for r in paper["rates"] if r["inputs"] == inputs and r["rule"].startswith("EOF, M = 2 N")]
    if not rates or rates[0]["runs"] < 2:
        return "not measured"
    rate, half = rates[0], len(rates[0]["rows"]) // 2
    if slope_of(rate, 0)["high"] <= -0.5:
        return "holds"
    bound = np.polyfit(np.log(rate["rows"][half:]), np.log(rate["bound"][half:]), 1)[0]
    late = slope_of(rate, half)["low"]
    return "does not hold" if late > bound and late > -0.5 else "not decided"


def binomial_share(inputs, features):
    """Non-zeros over features of the smallest S_n with so many."""
    n, size = 0, 0
    while size < features:
        n += 1
        size = sum(2 ** (s - inputs) * math.comb(s - 1, inputs - 1) for s in range(inputs, n + inputs))
    return math.comb(n + inputs - 1, inputs) / size


def falls(shares):
    return "holds" if all(b < a for a, b in zip(shares, shares[1:])) else "does not hold"


def by_limit(paper, name):
    """Where the corrected claim holds, the printed one does not."""
    claim = find(paper.get("claims", []), name=name)
    return "not measured" if claim is None else claim["value"]


def judge(paper, key):
    if key in GROUNDS:
        return by_claims(paper, key)
    if key.startswith("rate-"):
        return by_rate(paper, int(key[5:]))
    value = by_limit(paper, {"order": "order", "laplace": "not-sinh"}.get(key, "order"))
    return {"order": lambda: value if isinstance(value, str) else "does not hold" if value < 1 else "holds",
            "laplace": lambda: value if isinstance(value, str) else "does not hold" if value >= 0.5 else "holds",
            "figure": lambda: by_errors(paper, False, PAPERS), "any-random": lambda: by_errors(paper, True, RANDOM),
            "time": lambda: by_time(paper), "given": lambda: by_given(paper), "pays": lambda: by_sparse(paper), "sparse": lambda: by_nonzeros(paper),
            "sparser-inputs": lambda: falls([binomial_share(d, 1000) for d in (2, 4, 8, 16, 32)]),
            "sparser-rows": lambda: falls([binomial_share(8, 2 * 10 ** (p / 4)) for p in (4, 8, 12)])}[key]()


def verdict_problems(paper):
    problems = ["the verdict on %s is %s, expected %s" % (v["key"], v["verdict"], judge(paper, v["key"]))
                for v in paper["verdicts"] if v["verdict"] != judge(paper, v["key"])]
    if len(paper["verdicts"]) < 26 or len({v["key"] for v in paper["verdicts"]}) != len(paper["verdicts"]):
        problems.append("%d verdicts" % len(paper["verdicts"]))
    return problems
