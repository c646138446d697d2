"""Where sparse features pay, from the JSON of `entropic paper`, as Markdown: see scripts/paper_results.py."""
import math

from paper_parts import digits, listed, markdown, milliseconds, paragraph, plural


def nanoseconds(seconds):
    return "–" if seconds is None else digits(1e9 * seconds, 3)


def ratio(equal, key):
    """RKS over EOF; above 1 where EOF takes less."""
    if equal["eof"] is None or equal["rks"] is None:
        return "–"
    return digits(equal["rks"][key] / equal["eof"][key], 3)


def cost_cells(cost, with_nonzeros):
    if cost is None:
        return ["not reached"] + ["–"] * (2 + with_nonzeros)
    return (["{:,.0f}".format(cost["features"])] + ["%.0f" % cost["nonzeros"]] * with_nonzeros +
            [milliseconds(cost["train_seconds"]), nanoseconds(cost["predict_seconds"])])


def equal_rows(case):
    for equal in case["equal"]:
        yield (["%d" % case["inputs"], "{:,}".format(case["rows"]), digits(equal["error"], 3)] +
               cost_cells(equal["eof"], True) + cost_cells(equal["rks"], False) +
               [ratio(equal, "train_seconds"), ratio(equal, "predict_seconds")])


def equal_table(cases):
    return markdown(["D", "N", "error", "EOF: M", "non-zeros", "training, ms", "prediction, ns", "RKS: M",
                     "training, ms", "prediction, ns", "training, RKS / EOF", "prediction, RKS / EOF"],
                    [row for case in cases for row in equal_rows(case)])


def exponent(value):
    return "–" if value is None else "%.2f" % value


def exponent_table(growth):
    rows = [["%d" % g["inputs"], "{:,.0f}".format(g["features"][-1]), "%.0f" % g["nonzeros"][-1],
             "{:,.0f}".format(g["products"][-1]), exponent(g["exponents"]["nonzeros"]), "%d" % g["inputs"],
             exponent(g["exponents"]["products"]), exponent(g["exponents"]["gram_seconds"]), "%d" % (2 * g["inputs"])]
            for g in growth]
    return markdown(["D", "largest M", "its non-zeros a row", "its products a row", "power of log M: non-zeros",
                     "the paper's D", "products", "time of Z'Z", "the paper's 2 D"], rows)


# ---- Sentences -------------------------------------------------------------------------------------

def least_of_rks(case):
    """The comparison at the least error that RKS reaches."""
    return [equal for equal in case["equal"] if equal["rks"] is not None][-1]


def place(case):
    return "D = %d, N = %s" % (case["inputs"], "{:,}".format(case["rows"]))


def faster_sentence(compared, key, start):
    """In how many cases EOF is faster, by how much, and where it is not."""
    ratios = [(equal["rks"][key] / equal["eof"][key], case) for case, equal in compared]
    faster = [r for r, _ in ratios if r > 1]
    slower = [case for r, case in ratios if not r > 1]
    mean = math.exp(sum(math.log(r) for r, _ in ratios) / len(ratios))
    text = " %s faster in %d of %s; RKS takes %s times as long in the geometric mean (%s to %s)" % (
        start, len(faster), plural(len(ratios), "case"), digits(mean, 2), digits(min(ratios, key=lambda r: r[0])[0], 2),
        digits(max(ratios, key=lambda r: r[0])[0], 2))
    if slower:
        text += ". It does not pay with %s" % "; ".join(place(case) for case in slower)
    return text + "."


def verdict(cases, target):
    compared = [(case, least_of_rks(case)) for case in cases]
    missed = [case for case, equal in compared if equal["eof"] is None]
    reached = [(case, equal) for case, equal in compared if equal["eof"] is not None]
    text = "The %s function: EOF reaches the least error of RKS in %d of %s" % (
        target, len(reached), plural(len(cases), "case"))
    text += "%s." % (", not with " + "; ".join(place(case) for case in missed) if missed else "")
    if reached:
        text += faster_sentence(reached, "train_seconds", "There EOF trains")
        text += faster_sentence(reached, "predict_seconds", "EOF predicts")
    further = [case for case in cases if case["equal"][-1]["rks"] is None]
    if further:
        gains = [least_of_rks(case)["error"] / case["equal"][-1]["error"] for case in further]
        text += " In %s EOF has a smaller error than RKS at its largest M: up to %s times smaller." % (
            plural(len(further), "case"), digits(max(gains), 2))
    return text


def exponent_sentence(growth):
    above = ["%d" % g["inputs"] for g in growth if g["exponents"]["products"] > 2 * g["inputs"]]
    text = "The products of a row grow as log M to the power of %s with %s inputs" % (
        listed([exponent(g["exponents"]["products"]) for g in growth]), listed(["%d" % g["inputs"] for g in growth]))
    if above:
        return text + ": more than the paper's 2 D with %s inputs." % listed(above)
    return text + ": no more than the paper's 2 D."


def sparse_section(sparse):
    cases, growth = sparse["cases"], sparse["growth"]
    lines = ["### Where sparse features pay", ""] + paragraph(
        "Known functions of few inputs, learnt from N rows with noise. The aligned function is a sum of laplace "
        "kernels, the oblique one a sum of ridge functions. The error is that of the function on test rows, over its "
        "deviation. Costs are those at the same error, on one thread; a ratio above 1 means that EOF takes less time.")
    for target in dict.fromkeys(case["target"] for case in cases):
        chosen = [case for case in cases if case["target"] == target]
        lines += paragraph(verdict(chosen, target)) + equal_table(chosen)
    if growth:
        lines += paragraph(exponent_sentence(growth)) + exponent_table(growth)
    return lines
