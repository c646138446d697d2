"""What paper_results.py is made of: words and numbers as Markdown, and how to find things in the JSON of
`entropic paper`."""
import math
import textwrap

PAPERS = ("RKS", "ORF", "LKRF", "EERF")  # the baselines of the source paper
EXACT = "kernel ridge"


# ---- Words and numbers -----------------------------------------------------------------------------

def digits(value, count):
    """A number with so many significant digits; never in powers of ten."""
    if value is None:
        return "–"
    place = int(("%.*e" % (count - 1, value)).partition("e")[2])
    return "%.*f" % (max(0, count - 1 - place), value)


def plural(count, word):
    return "%d %s%s" % (count, word, "" if count == 1 else "s")


def listed(words):
    """a, b and c."""
    return " and ".join([", ".join(words[:-1])] * (len(words) > 1) + words[-1:])


def paragraph(text):
    return textwrap.wrap(text, 120, break_long_words=False, break_on_hyphens=False) + [""]


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join(["---"] + ["---:"] * (len(head) - 1)) + "|"]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def with_error(method):
    """The mean ± its standard error."""
    shown = digits(method["error"], 3)
    if method["sd"] is None:
        return shown
    return "%s ± %.*f" % (shown, len(shown.partition(".")[2]), method["sd"] / math.sqrt(method["runs"]))


def marked_best(values, shown):
    """The smallest one in bold."""
    best = min(value for value in values if value is not None)
    return ["**%s**" % text if value == best else text for value, text in zip(values, shown)]


def share(part, whole):
    return "%.0f %%" % (100 * part / whole)


def milliseconds(seconds):
    return "–" if seconds is None else digits(1000 * seconds, 3)


def heads(sizes):
    return ["M = %d" % size for size in sizes]


# ---- What is in the numbers ------------------------------------------------------------------------

def is_ours(name):
    return name.startswith("EOF")


def names_of(rows, key="name"):
    return list(dict.fromkeys(row[key] for row in rows))


def sized(one_set, tuned):
    """All methods but the exact one, which has no number of features."""
    return [m for m in one_set["methods"] if m["tuned"] == tuned and m["name"] != EXACT]


def sizes_of(methods):
    return sorted({m["features"] for m in methods})


def sizes_of_all_runs(one_set):
    return sizes_of(sized(one_set, False))


def find(rows, **wanted):
    """The one row with these values; None if there is none."""
    return next((row for row in rows if all(row[key] == value for key, value in wanted.items())), None)


def pair_of(one_set, ours, other, tuned, size):
    return find(one_set["pairs"], name=ours, other=other, tuned=tuned, features=size)


def best_pair(one_set, ours, tuned, size):
    """Ours against the best baseline with as many features, on the same runs."""
    method = find(sized(one_set, tuned), name=ours, features=size)
    others = [m for m in sized(one_set, tuned) if m["features"] == size and not is_ours(m["name"]) and
              m["runs"] >= method["runs"]]
    best = min(others, key=lambda m: sum(m["errors"][:method["runs"]]))
    return pair_of(one_set, ours, best["name"], tuned, size)


def has_interval(pair):
    """One or two runs are too few for an interval."""
    return pair["low"] is not None and pair["runs"] >= 3


def is_below(pair, end="high"):
    """Whether the interval of the difference, or the wider one, is below 0."""
    return has_interval(pair) and pair[end] < 0


def is_wide_below(pair):
    return is_below(pair, "wide_high")


def is_above(pair):
    return has_interval(pair) and pair["low"] > 0


def is_open(pair):
    """Whether there is an interval and it includes 0."""
    return has_interval(pair) and not is_below(pair) and not is_above(pair)


def won(pair):
    """The runs won; not significant: the interval of the difference includes 0."""
    return "won %d of %d%s" % (pair["won"], pair["runs"], ", not significant" if is_open(pair) else "")
