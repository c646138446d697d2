"""The results of `entropic paper` as Markdown: see scripts/paper-tables. Every number comes from its JSON."""
import math

from paper_parts import (EXACT, PAPERS, best_pair, digits, find, has_interval, heads, is_above, is_below,
                         is_ours, is_wide_below, listed, markdown, marked_best, milliseconds, names_of, pair_of, paragraph,
                         plural, share, sized, sizes_of, sizes_of_all_runs, with_error, won)
from paper_printed import table_1, table_3, tables_2
from paper_sparse import sparse_section

LOADED = 0.25  # from this load on times are not to be trusted


# ---- Errors ----------------------------------------------------------------------------------------

def error_table(methods, sizes):
    names = names_of(methods)
    columns = []
    for size in sizes:
        column = [find(methods, name=name, features=size) for name in names]
        columns.append(marked_best([m["error"] for m in column], [with_error(m) for m in column]))
    return markdown(["method"] + heads(sizes), [[name] + [column[i] for column in columns]
                                                for i, name in enumerate(names)])


def error_tables(one_set):
    tuned, rule, sizes = sized(one_set, True), sized(one_set, False), sizes_of_all_runs(one_set)
    large = [size for size in sizes_of(tuned) if size not in sizes]
    lines = ["Test errors, bandwidths tuned:", ""] + error_table(tuned, sizes)
    if large:
        runs = {m["runs"] for m in tuned if m["features"] in large}
        lines += paragraph("More features, %s:" % listed([plural(n, "run") for n in sorted(runs)]))
        lines += error_table([m for m in tuned if m["features"] in large], large)
    exact = find(one_set["methods"], name=EXACT, tuned=True)
    if exact is not None:
        lines += paragraph("Exact kernel ridge, tuned, %s: %s." % (plural(exact["runs"], "run"), with_error(exact)))
    return lines + ["Test errors, bandwidths by the rule:", ""] + error_table(rule, sizes)


# ---- Paired differences ----------------------------------------------------------------------------

def difference(pair):
    """The difference, its interval and the runs won; as many digits as the interval has use for."""
    if pair is None:
        return "–"
    if not has_interval(pair):
        return "%s, %s" % (digits(pair["difference"], 3), won(pair))
    half = (pair["high"] - pair["low"]) / 2
    places = max(0, 1 - math.floor(math.log10(half))) if half > 0 else 4
    return "%.*f [%.*f, %.*f], %s" % (places, pair["difference"], places, pair["low"], places, pair["high"], won(pair))


def difference_table(one_set):
    sizes = sizes_of_all_runs(one_set)
    rows = [["%d" % size] + [difference(pair_of(one_set, "EOF", other, False, size)) for other in PAPERS]
            for size in sizes]
    return markdown(["M"] + list(PAPERS), rows)


def ratio(pair):
    """The ratio and the runs won."""
    return "–" if pair is None else "%s, %s" % (digits(pair["ratio"], 3), won(pair))


def ratio_table(one_set, ours):
    """One of ours over every tuned baseline."""
    sizes = sizes_of(sized(one_set, True))
    others = [name for name in names_of(one_set["pairs"], "other") if not is_ours(name) and
              find(one_set["pairs"], name=ours, other=name, tuned=True)]
    rows = [[other] + [ratio(pair_of(one_set, ours, other, True, size)) for size in sizes] for other in others]
    rows.append(["which is best"] + [best_pair(one_set, ours, True, size)["other"] for size in sizes])
    return markdown(["baseline"] + heads(sizes), rows)


def pair_tables(one_set):
    lines = ["EOF minus each of the paper's baselines by the rule:", ""] + difference_table(one_set)
    for ours in ("EOF", "EOF-select"):
        lines += ["%s over each baseline, tuned:" % ours, ""] + ratio_table(one_set, ours)
    return lines


# ---- Equal time and memory -------------------------------------------------------------------------

def cost(method, memory):
    return method["bytes"] if memory else None if method["train_seconds"] is None else 1000 * method["train_seconds"]


def budgets(costs):
    """1, 3, 10, ... from the least to the largest."""
    costs = [c for c in costs if c]
    made, step = [], math.floor(2 * math.log10(min(costs))) if costs else 0
    while costs and (not made or made[-1] < max(costs)):
        budget = float("%de%d" % (3 if step % 2 else 1, step // 2))
        made += [budget] * (budget >= min(costs))
        step += 1
    return made


def best_within(methods, budget, memory):
    within = [m for m in methods if cost(m, memory) is not None and cost(m, memory) <= budget]
    return min(within, key=lambda m: m["error"], default=None)


def tuned_methods(one_set):
    return [m for m in one_set["methods"] if m["tuned"]]


def named(methods, name):
    return [m for m in methods if m["name"] == name]


def budget_rows(one_set, memory):
    """For each budget the best of EOF, of EOF-select, of the baselines and of all."""
    methods = tuned_methods(one_set)
    baselines = [m for m in methods if not is_ours(m["name"])]
    groups = [named(methods, "EOF"), named(methods, "EOF-select"), baselines, methods]
    return [(budget, [best_within(group, budget, memory) for group in groups])
            for budget in budgets([cost(m, memory) for m in methods])]


def with_size(method):
    if method is None:
        return "–"
    return digits(method["error"], 3) + ("" if method["name"] == EXACT else " (%d)" % method["features"])


def budget_table(one_set, memory):
    rows = [["%g" % budget] + [with_size(m) for m in best[:3]] + [m["name"] if m else "–" for m in best[2:]]
            for budget, best in budget_rows(one_set, memory)]
    return markdown(["bytes, at most" if memory else "ms, at most", "EOF", "EOF-select", "best baseline", "which",
                     "best of all"], rows)


def frontier_tables(one_set):
    return (["Equal time, tuned: the least error (M) of trainings that take no longer:", ""] +
            budget_table(one_set, False) +
            ["Equal memory, tuned: the least error (M) of lifted rows that have no more bytes:", ""] +
            budget_table(one_set, True))


# ---- All sets --------------------------------------------------------------------------------------

def mean_table(means, ours, tuned):
    chosen = [m for m in means if m["name"] == ours and m["tuned"] == tuned]
    sizes = sizes_of(chosen)
    rows = []
    for other in names_of(chosen, "other"):
        cells = [find(chosen, other=other, features=size) for size in sizes]
        rows.append(["best of each set" if other == "best" else other] +
                    ["–" if c is None else "%s, won %d of %d" % (digits(c["ratio"], 3), c["wins"], c["sets"])
                     for c in cells])
    return markdown(["baseline"] + heads(sizes), rows)


def mean_tables(means):
    lines = ["### All data sets", ""] + paragraph(
        "Geometric means, over the data sets with as many features, of the error of ours over that of a baseline on the "
        "same runs. Won: the sets on which the ratio is below 1.")
    for tuned in (False, True):
        for ours in ("EOF", "EOF-select"):
            lines += ["%s, bandwidths %s:" % (ours, "tuned" if tuned else "by the rule"), ""]
            lines += mean_table(means, ours, tuned)
    return lines


# ---- Budgets ---------------------------------------------------------------------------------------

def nonzero_tables(sets):
    lines = ["### Budgets of non-zeros", "", "EOF with at most so many non-zeros in a row:", ""]
    for one_set in sets:
        rows = [["%d" % b["budget"], "tuned" if b["tuned"] else "1", with_error(b), milliseconds(b["train_seconds"]),
                 "%.0f" % b["features"], "%.1f" % b["nonzeros"], share(b["nonzeros"], b["features"])]
                for b in one_set["budgets"]]
        lines += [one_set["title"] + ":", ""]
        lines += markdown(["at most", "omega", "error", "training, ms", "features", "non-zeros", "share"], rows)
    return lines


# ---- In short --------------------------------------------------------------------------------------

def places(found):
    """Sets and sizes in words: "Energy Efficiency M = 20, 40; MNIST M = 80"."""
    titles = list(dict.fromkeys(title for title, _ in found))
    return "; ".join("%s M = %s" % (title, ", ".join("%d" % size for t, size in found if t == title))
                     for title in titles)


def rule_sentence(sets):
    """EOF against the paper's baselines by the rule."""
    everywhere = [(s, size) for s in sets for size in sizes_of_all_runs(s)]

    def where(test):
        return [(s["title"], size) for s, size in everywhere
                if all(test(pair_of(s, "EOF", other, False, size)) for other in PAPERS)]

    below, sure, wide = where(lambda pair: pair["ratio"] < 1), where(is_below), where(is_wide_below)
    others = [(s["title"], size) for s, size in everywhere if (s["title"], size) not in below]
    unsure = [place for place in below if place not in sure]
    text = "By the rule EOF has a smaller error than each of %s at %d of %d sizes of the data sets%s" % (
        listed(list(PAPERS)), len(below), len(everywhere), " (not at %s)" % places(others) if others else "")
    if any(has_interval(pair) for s, _ in everywhere for pair in s["pairs"]):
        text += (". The 95 %% intervals of all four differences are below 0 at %d of them%s; the wider ones, of other "
                 "rows from the same source, at %d" %
                 (len(sure), " (not at %s)" % places(unsure) if unsure else "", len(wide)))
    return text + "."


def tuned_sentence(sets, ours):
    """Against the best tuned baseline at each size."""
    pairs = [(s["title"], size, best_pair(s, ours, True, size)) for s in sets for size in sizes_of(sized(s, True))]
    lost = [(title, size, pair) for title, size, pair in pairs if not pair["ratio"] < 1]
    mean = math.exp(sum(math.log(pair["ratio"]) for _, _, pair in pairs) / len(pairs))
    text = ("Against the best tuned baseline with as many features %s wins %d of %d; the geometric mean of the ratios "
            "is %s" % (ours, len(pairs) - len(lost), len(pairs), digits(mean, 3)))
    if any(has_interval(pair) for _, _, pair in pairs):
        text += ". The interval is below 0 at %d of those, the wider one at %d" % (
            sum(is_below(pair) for _, _, pair in pairs), sum(is_wide_below(pair) for _, _, pair in pairs))
    if lost:
        text += ". It does not win at " + places([place[:2] for place in lost])
        sure = sum(is_above(pair) for _, _, pair in lost)
        text += "; %d of these intervals %s above 0" % (sure, "is" if sure == 1 else "are") if sure else ""
    return text + "."


def time_sentence(sets, ours):
    """On which frontiers of equal time one of ours is."""
    on, off = [], []
    for s in sets:
        points = [p for p in s["frontier"] if p["name"] == ours]
        if points:
            times = list(dict.fromkeys(milliseconds(points[i]["train_seconds"]) for i in (0, -1)))
            on.append("%s (M = %s; %s ms)" % (s["title"], ", ".join("%.0f" % p["features"] for p in points),
                                              " to ".join(times)))
        else:
            off.append(s["title"])
    rows = [best for s in sets for _, best in budget_rows(s, False)]
    best = sum(row[3] is not None and row[3]["name"] == ours for row in rows)
    text = "Within a training time, %s is best of all for %d of the %s of the tables below." % (
        ours, best, plural(len(rows), "budget"))
    if on:
        text += " It is on the frontier of equal time on %s." % "; ".join(on)
    if off:
        text += " It is not on the frontier of equal time on %s." % listed(off)
    return text


def summary(sets):
    lines = ["### In short", ""]
    sentences = [rule_sentence(sets)] + [tuned_sentence(sets, ours) for ours in ("EOF-select", "EOF")] + [
        time_sentence(sets, ours) for ours in ("EOF-select", "EOF")]
    for sentence in sentences:
        wrapped = paragraph("- " + sentence)[:-1]
        lines += wrapped[:1] + ["  " + line for line in wrapped[1:]]
    return lines + [""]


# ---- What needs no data ----------------------------------------------------------------------------

def boundary_table(boundary):
    rows = [["%d" % h, digits(a, 3), digits(b, 3), digits(c, 3), digits(d, 3)] for h, a, b, c, d in
            zip(boundary["hats"], boundary["without"], boundary["worst_without"], boundary["with"],
                boundary["worst_with"])]
    return markdown(["hats", "hats alone: root mean square", "at worst", "with boundary functions: root mean square",
                     "at worst"], rows)


def kernel_table(kernels):
    rows = []
    for kernel in kernels:
        for m in (16, 256, 4096):
            at = kernel["features"].index(m)
            errors = [kernel[key][at] for key in ("eof", "printed", "rks")]
            rows.append(["%d" % kernel["inputs"], "%d" % m] + [digits(e, 3) if e > 1e-12 else "0" for e in errors])
    return markdown(["inputs", "M", "EOF", "EOF as printed", "RKS"], rows)


def slope(found):
    def shown(value):
        return "%.2f" % (round(value, 2) + 0.0)  # no zero below zero

    interval = "" if found["low"] is None else " [%s, %s]" % (shown(found["low"]), shown(found["high"]))
    return shown(found["slope"]) + interval


def slope_tables(rates):
    """Slopes of all rules with their intervals, a row for each number of inputs."""
    rules = names_of(rates, "rule")
    inputs = sorted({rate["inputs"] for rate in rates})
    def table(part):
        return markdown(["inputs"] + rules, [["%d" % d] + [slope(part(find(rates, inputs=d, rule=rule)))
                                                           for rule in rules] for d in inputs])
    first = rates[0]
    lines = paragraph(
        "The excess risk falls as the number of rows, %d to %d, to the power of (95 %% interval, %s):" %
        (first["rows"][0], first["rows"][-1], plural(first["runs"], "run"))) + table(lambda rate: rate)
    return lines + ["Over the last half of the points alone:", ""] + table(lambda rate: rate["late"])


def own_results(numbers):
    """What was run of it."""
    lines = []
    if numbers["kernels"]:
        lines += ["### The kernel", ""] + paragraph(
            "The root of the mean square of z(x).z(y) - k(x,y), laplace kernel, omega 1; 0 where no pair of points shares "
            "a cell of the finest hats:") + kernel_table(numbers["kernels"])
    lines += ["### The boundary functions", ""]
    lines += ["What is missing of 1 + x by least squares, laplace kernel, omega 1:", ""]
    lines += boundary_table(numbers["boundary"])
    if numbers["rates"]:
        lines += ["### The rate", ""] + slope_tables(numbers["rates"])
    return lines + (sparse_section(numbers["sparse"]) if "sparse" in numbers else [])


# ---- All of it -------------------------------------------------------------------------------------

def runs_of(numbers):
    """"50 runs", "10 to 50 runs"."""
    runs = sorted({m["runs"] for one_set in numbers["sets"] for m in one_set["methods"]}) or [numbers["runs"]]
    return plural(runs[0], "run") if runs[0] == runs[-1] else "%d to %d runs" % (runs[0], runs[-1])


def runs_by_size(one_set):
    """"50 runs", or "50 runs (M = 160), 10 (M = 20, 40)"."""
    by_runs = {}
    for method in sized(one_set, True):
        by_runs.setdefault(method["runs"], []).append(method["features"])
    if len(by_runs) == 1:
        return plural(next(iter(by_runs)), "run")
    return "runs: " + ", ".join("%d (M = %s)" % (runs, ", ".join("%d" % size for size in sorted(set(by_runs[runs]))))
                                for runs in sorted(by_runs, reverse=True))


def heading(numbers):
    """What was run, and how to read the tables."""
    text = "Entropic %s on %s, seed %d, %s of each data set%s." % (
        numbers["version"], numbers["processor"], numbers["seed"], runs_of(numbers),
        ", in short (`--quick`)" if numbers["quick"] else "")
    if not numbers["sets"]:
        return paragraph(text + " There were no data sets.")
    lines = paragraph(text)
    if numbers["runs"] > 1:
        lines += paragraph(
            "Errors are means over the runs ± the standard error of the mean. A bold number is the least of its column. "
            "A difference is the mean over the runs%s. A ratio is that of the mean errors of the same runs; below 1, ours "
            "is smaller. Then follow the runs that ours wins.%s" % (
                (", with its 95 % interval in brackets (Student's t)",
                 " Not significant: the interval of the difference includes 0. One or two runs are too few for an "
                 "interval.") if numbers["runs"] > 2 else ("", " Two runs are too few for an interval.")))
    else:
        lines += paragraph("One run has neither standard errors nor intervals. A bold number is the least of its "
                           "column.")
    return lines


def load_sentence(one_set):
    if one_set["load"] is None or one_set["load"] < LOADED:
        return ""
    return (" Times were measured on a busy machine: other work kept %.1f processors busy on average. Do not trust "
            "them." % one_set["load"])


def verdicts(numbers):
    """The head of the document: the verdict on every claim, and how the printed method does, in words."""
    lines = []
    for sentence in numbers["summary"]:
        lines += paragraph(sentence)
    rows = [[v["claim"], v["where"], "**%s**" % v["verdict"], v["evidence"].replace("|", "\\|")]
            for v in numbers["verdicts"]]
    for row in rows:
        row[0] = row[0].replace("|", "\\|")
    lines += ["| what the paper claims | where | verdict | the numbers |", "|---|---|---|---|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows] + [""])


def results(numbers):
    sets, lines = numbers["sets"], heading(numbers)
    if sets:
        lines += summary(sets)
    for one_set in sets:
        lines += ["### %s" % one_set["title"], ""] + paragraph(
            "%d inputs, %d training rows, %d test rows, %s.%s" % (
                one_set["inputs"], one_set["rows"], one_set["test_rows"],
                runs_by_size(one_set), load_sentence(one_set)))
        lines += error_tables(one_set) + pair_tables(one_set) + frontier_tables(one_set)
    if sets:
        lines += mean_tables(numbers["means"])
    lines += table_1(numbers["printed"], sets)
    if sets:
        lines += tables_2(sets, numbers["printed"])
    if numbers["given"]:
        lines += table_3(numbers["given"], numbers["printed"])
    if sets:
        lines += nonzero_tables(sets)
    return "\n".join(lines + own_results(numbers))
