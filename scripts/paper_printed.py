"""The tables 1, 2 and 3 of the source paper as Markdown, our figures beside the printed ones: see paper_results.py."""
import math

from paper_parts import digits, find, markdown, marked_best, milliseconds, paragraph, plural, share, sized, with_error

FORMS = ("EOF", "EOF-printed", "EOF-inset")  # of the paper's EOF
BUDGET = "EOF, M non-zeros"
TITLES = {"energy": "Energy Efficiency", "grid": "Electrical Grid Stability", "superconductivity": "Superconductivity",
          "mnist": "MNIST"}


def table_1(printed, sets):
    """The paper's data sets beside what is used."""
    rows = []
    for row in printed["sets"]:
        used = find(sets, name=row["set"])
        rows.append([TITLES[row["set"]]] + ["%d" % row[key] for key in ("inputs", "training_rows", "test_rows")] +
                    (["%d" % used[key] for key in ("inputs", "training_rows", "test_rows")] if used else ["–"] * 3))
    lines = ["### Table 1 of the paper: the data sets", ""] + markdown(
        ["data set", "paper: D", "training rows", "test rows", "here: D", "training rows", "test rows"], rows)
    return lines + paragraph("The 13th input that the paper counts for Electrical Grid Stability is `stab`. It decides "
                             "the class, so it is left out.")


def in_thousands(seconds):
    """Seconds of the paper, as printed, in milliseconds."""
    return "–" if seconds is None else "%g" % round(1000 * seconds, 6)


def power(value):
    """A count of the paper as printed: 6.1e3."""
    if value is None:
        return "–"
    exponent = math.floor(math.log10(value))
    return "%.1fe%d" % (value / 10 ** exponent, exponent)


def printed_cost(printed, name, one_set):
    """The paper's row of a method; its EOF for each of our forms of it."""
    name = "EOF" if name in FORMS else name
    none = {"train_seconds": None, "nnz": None, "candidates": None}
    return find(printed["costs"], name=name, set=one_set["name"]) or none


def ratio_of(value, base):
    return "–" if value is None or base is None else digits(value / base, 3)


def table_2(one_set, printed):
    size = one_set["printed_features"]
    methods = [m for m in sized(one_set, False) if m["features"] == size]
    tuned = [find(sized(one_set, True), name=m["name"], features=size) for m in methods]
    rks, printed_rks = find(methods, name="RKS"), printed_cost(printed, "RKS", one_set)
    times = marked_best([m["train_seconds"] for m in methods], [milliseconds(m["train_seconds"]) for m in methods])
    errors = [marked_best([m["error"] for m in column], [with_error(m) for m in column]) for column in (methods, tuned)]
    rows = []
    for i, m in enumerate(methods):
        paper = printed_cost(printed, m["name"], one_set)
        rows.append([m["name"], errors[0][i], errors[1][i], times[i], ratio_of(m["train_seconds"], rks["train_seconds"]),
                     ratio_of(paper["train_seconds"], printed_rks["train_seconds"]), in_thousands(paper["train_seconds"]),
                     "{:,.0f}".format(m["nonzeros"] * one_set["rows"]), power(paper["nnz"]),
                     share(m["nonzeros"], m["made_features"]),
                     "–" if paper["candidates"] is None else "%d" % paper["candidates"]])
    return ["%s, M = %d, %s:" % (one_set["title"], size, plural(methods[0]["runs"], "run")), ""] + markdown(
        ["method", "error by the rule", "error, tuned", "training, ms", "over RKS", "paper: over RKS",
         "paper: training, ms", "nnz(F)", "paper: nnz(F)", "share", "paper: M0"], rows)


def tables_2(sets, printed):
    lines = ["### Table 2 of the paper: time and non-zeros", ""] + paragraph(
        "With the paper's own numbers of features. Training is all of making the features, lifting the rows and "
        "solving, with the bandwidth of the rule; times are medians on one thread. The paper's are of another machine, "
        "so that only the ratios to RKS compare. nnz(F) is of all lifted training rows, by the rule. M0 is how many "
        "features M are chosen from. EOF, EOF-printed and EOF-inset stand beside the paper's EOF.")
    for one_set in sets:
        if find(sized(one_set, False), features=one_set["printed_features"]):
            lines += table_2(one_set, printed)
    return lines


def given_of(given, form, size):
    """One form with so many features, or non-zeros."""
    name, key = ("EOF", "budget") if form == BUDGET else (form, "features")
    return next((g for g in given if g["name"] == name and g.get(key) == size and ("budget" in g) == (key == "budget")),
                None)


def table_3_rows(given, printed, form):
    rows = []
    for size in sorted({row["features"] for row in printed["given"]}):
        ours, rks = given_of(given, form, size), given_of(given, "RKS", size)
        if ours is None or rks is None:
            continue
        paper = [find(printed["given"], name=name, features=size)["given_seconds"] for name in ("EOF", "RKS")]
        rows.append([form, "%d" % size, "%.0f" % ours["made_features"], "%.1f" % ours["nonzeros"],
                     milliseconds(ours["given_seconds"]), milliseconds(rks["given_seconds"]),
                     ratio_of(ours["given_seconds"], rks["given_seconds"]), in_thousands(paper[0]),
                     in_thousands(paper[1]), ratio_of(*paper), milliseconds(ours["train_seconds"]),
                     ratio_of(ours["train_seconds"], rks["train_seconds"])])
    return rows


def table_3(given, printed):
    title = TITLES[printed["given"][0]["set"]]
    rows = [row for form in FORMS + (BUDGET,) for row in table_3_rows(given, printed, form)]
    return ["### Table 3 of the paper: training with features given", ""] + paragraph(
        "%s, milliseconds on one thread. Given: from lifted rows in memory, compressed where that takes less, to weights. "
        "All: with making and lifting." % title) + markdown(
            ["features", "M", "made", "non-zeros a row", "given", "RKS", "ratio", "paper: EOF", "paper: RKS",
             "paper: ratio", "all", "ratio to RKS"], rows)
