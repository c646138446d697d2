"""Predictions from an export as JSON: computed as docs/export-format.md says, and from nothing else."""
import math


def scaled(of, x):
    knots, heights = of["knots"], of["heights"]
    if x is None:
        return None if of["missing"] else 0.5
    if not knots:
        return min(max(x, 0.0), 1.0)
    if len(knots) == 1:
        return 0.5
    if x < knots[0] or x > knots[-1]:
        return 0.0 if x < knots[0] else 1.0
    i = max(k for k in range(len(knots)) if knots[k] <= x)
    if i == len(knots) - 1:
        return heights[i]
    return min(heights[i] + (heights[i + 1] - heights[i]) * (x - knots[i]) / (knots[i + 1] - knots[i]), heights[i + 1])


def legendre(degree, t):
    before, value = 1.0, t
    for j in range(2, degree + 1):
        before, value = value, ((2 * j - 1) * t * value - (j - 1) * before) / j
    return value


def hyperbolic(level, y, far):
    if abs(y) <= 1:
        return level["small_scale"] * math.sinh(y)
    return math.copysign(level["scale"] * math.exp(far) * (1 - math.exp(-2 * abs(y))), y)


def chebyshev(pieces, x):
    piece = next((p for p in pieces if x <= p["last"]), pieces[-1])
    t = 2 * (x - piece["first"]) / (piece["last"] - piece["first"]) - 1
    return sum(c * math.cos(j * math.acos(min(1, max(-1, t)))) for j, c in enumerate(piece["terms"]))


def atom_value(level, atom, x, t):
    shape, scale, rate = level["shape"], level.get("scale"), level.get("rate")
    if shape in ("constant", "category", "missing"):
        return scale
    if shape == "line":
        return scale * (x - level["centre"])
    if shape == "hat":
        return scale * t
    if shape == "legendre":
        return scale * legendre(int(level["degree"]), 2 * x - 1)
    if shape == "even":
        return scale * (math.exp(-rate * x) + math.exp(-rate * (1 - x)))
    if shape == "odd":
        return hyperbolic(level, rate * (x - 0.5), -rate * min(x, 1 - x))
    if shape == "sinh_hat":
        return hyperbolic(level, rate * t, rate * (t - 1))
    return chebyshev(atom["pieces"], x)


def scalings(model, row):
    """Each input as each component of the model has it, with its value."""
    for of, value in zip(model["inputs"], row):
        for own in [{}] + of.get("more", []):
            yield {**{key: of[key] for key in of if key != "beyond" or not own}, **own}, value


def slot_values(model, row):
    values = {}
    for of, value in scalings(model, row):
        category = of["type"] == "category"
        x = None if category else scaled(of, value)
        cell = None
        if category and value is None and of["missing"]:
            cell = len(of["categories"])
        elif category and value is not None and 0 <= value < len(of["categories"]):
            cell = int(value)
        for level in of["levels"]:
            shape, number, t = level["shape"], 0, 0
            if shape == "category":
                number = cell
            elif shape == "missing" and x is not None or shape not in ("missing", "constant") and x is None:
                continue
            elif level["depth"] > 0:
                cells = 2 ** (level["depth"] - 1)
                number = min(math.floor(x * cells), cells - 1)
                t = 2 * min(x * cells - number, 1 - (x * cells - number))
            for atom in level["atoms"]:
                if atom["atom"] == number:
                    values[atom["slot"]] = atom_value(level, atom, x, t)
    return values


def outside(of, x):
    """How far outside the knots, in ranges and at most one."""
    knots = of["knots"]
    off = 0 if x is None else min(x - knots[0], 0) + max(x - knots[-1], 0)
    return min(max(off / (knots[-1] - knots[0]), -1), 1)


def place(of, value):
    """Where a component has a value: of a category its cell, -1 of none; -1 of what is missing and has no place."""
    if of["type"] != "category":
        x = scaled(of, value)
        return -1 if x is None else x
    if value is None:
        return len(of["categories"]) if of["missing"] else -1
    return int(value) if 0 <= value < len(of["categories"]) else -1


def kernel_at(kernel, x, y):
    n, low, high = kernel["numbers"], min(x, y), max(x, y)
    off, total, shape = high - low, low + high, kernel["shape"]
    if "missing" in kernel and low < 0:
        return kernel["missing"] if high < 0 else 1.0
    if shape == "kink":
        return n[0] + n[1] * (x - 0.5) * (y - 0.5) - n[2] * off
    if shape == "min":
        return n[0] + n[1] * low
    if shape == "bridge":
        return n[0] * low * (1 - high)
    if shape == "decay":
        return math.exp(-n[0] * off)
    if shape == "exponentials":
        return n[0] * (math.exp(-n[1] * off) + n[2] * math.exp(-n[1] * total) + n[3] * math.exp(-n[1] * (2 - total))
                       + n[4] * math.exp(-n[1] * (2 - off)))
    if shape == "sinh":
        return n[0] * math.exp(-n[1] * off) * math.expm1(-2 * n[1] * low) * math.expm1(-2 * n[1] * (1 - high))
    assert shape == "category"
    return n[0] + (n[1] if x == y else 0)


def products(model, row):
    """(weights, values, means) of each training row that the model contains: of its kernels with a row."""
    for centres in model.get("centres", []):
        number = centres["component"]
        inputs = [{**of, **of["more"][number - 1]} if number else of for of in model["inputs"]]
        at = [place(of, value) for of, value in zip(inputs, row)]
        for centre in centres["rows"]:
            values = [kernel_at(of["kernel"], x, y) for of, x, y in zip(inputs, at, centre["at"])]
            yield centre["weights"], values, centre["means"]


def centre_effects(model, row):
    """What training rows add to the base and to the effects of inputs, for each score: by all subsets of the inputs."""
    count = len(model["inputs"])
    sums = [[0.0] * (1 + count) for _ in model["offsets"]]
    orders = [math.factorial(n) * math.factorial(count - 1 - n) / math.factorial(count) for n in range(count)]
    for weights, values, means in products(model, row):
        of_set = [math.prod(v if bits >> i & 1 else m for i, (v, m) in enumerate(zip(values, means)))
                  for bits in range(1 << count)]
        effects = [of_set[0]] + [sum(orders[bin(bits).count("1")] * (of_set[bits | 1 << i] - of_set[bits])
                                     for bits in range(1 << count) if not bits >> i & 1) for i in range(count)]
        for own, weight in zip(sums, weights):
            for i, effect in enumerate(effects):
                own[i] += weight * effect
    return sums


def json_scores(model, row):
    values, scores = slot_values(model, row), list(model["offsets"])
    for of, value in scalings(model, row):
        if "beyond" in of:
            scores = [s + slope * outside(of, value) for s, slope in zip(scores, of["beyond"])]
    for feature in model["features"]:
        product = math.prod(values.get(slot, 0) for slot in feature["slots"])
        scores = [s + w * product for s, w in zip(scores, feature["weights"])]
    for weights, values, _ in products(model, row):
        scores = [s + w * math.prod(values) for s, w in zip(scores, weights)]
    return scores


def json_prediction(model, scores):
    if model["classes"]:
        best = max(range(len(scores)), key=lambda k: scores[k])
        return [float(scores[0] > 0) if len(model["classes"]) == 2 else float(best)]
    found = []
    for k, s in enumerate(scores):
        if "root" in model:
            s = model["root"]["origin"] + model["root"]["sign"] * (max(s, 0) ** 2 + model["root"]["bias"])
        for lower, upper in model["bounds"][k:k + 1]:
            s = s if lower is None else max(s, lower)
            s = s if upper is None else min(s, upper)
        found.append(s)
    return found


def quantile_level(i):
    return 1 - (1 - (i + 1) / 256) ** 2


def quantile(quantiles, level):
    i = next(i for i in range(256) if quantile_level(i) >= level)
    low, of_low = (quantile_level(i - 1), quantiles[i - 1]) if i else (0, 0)
    return of_low + (level - low) / (quantile_level(i) - low) * (quantiles[i] - of_low)


def spread(model, target, row, score):
    product = 1
    for of in target["spread"]:
        value = score if of["by"] == "score" else row[of["input"]]
        names = None if of["by"] == "score" else model["inputs"][of["input"]].get("categories")
        if value is None or names is not None and not 0 <= value < len(names):
            product *= of["missing"]
            continue
        knots, factors = of["knots"], of["factors"]
        i = sum(k < value for k in knots)
        if 0 < i < len(knots):
            product *= factors[i - 1] + (value - knots[i - 1]) / (knots[i] - knots[i - 1]) * (factors[i] - factors[i - 1])
        else:
            product *= factors[min(i, len(knots) - 1)]
    return product


def json_interval(model, row, scores, level):
    """All lower ends, then all upper ends."""
    root, pairs = model.get("root"), []
    for k, (s, target) in enumerate(zip(scores, model["intervals"]["targets"])):
        prediction = s if root is None else root["origin"] + root["sign"] * (max(s, 0) ** 2 + root["bias"])
        s = s if root is None else max(s, 0)
        half = quantile(target["quantiles"], level) * spread(model, target, row, s)
        ends = [s - half, s + half]
        if root is not None:
            ends = [root["origin"] + root["sign"] * max(end, 0) ** 2 for end in ends]
        pair = [min(ends + [prediction]), max(ends + [prediction])]
        for lower, upper in model["bounds"][k:k + 1]:
            pair = [max(p, lower) if lower is not None else p for p in pair]
            pair = [min(p, upper) if upper is not None else p for p in pair]
        pairs.append(pair)
    return [p[0] for p in pairs] + [p[1] for p in pairs]


def json_probabilities(model, scores):
    if len(model["classes"]) == 2:
        scores = [0, scores[0]]
    sizes = [math.exp(model["inverse_temperature"] * (s - max(scores))) for s in scores]
    return [size / sum(sizes) for size in sizes]


def json_set(model, scores, level):
    q = quantile(model["intervals"]["targets"][0]["quantiles"], level)
    chances, best = json_probabilities(model, scores), json_prediction(model, scores)[0]
    return [float(1 - p <= q or k == best) for k, p in enumerate(chances)]
