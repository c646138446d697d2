"""What else `make accuracy` can look at: what a model does when its table is worse, other or in another order, how far
its probabilities can be trusted, and our features compared with others.

A mode is run(campaign, value of its option, tables, methods) and gives back sections: (title, rows, note).
"""
import json
import tempfile
from dataclasses import dataclass, replace

import numpy as np

import accuracy_run as running
from accuracy_report import OURS, geometric_mean, mean, number, standard_error
from accuracy_tables import CLASSES, MISSING, REGRESSION, SOURCES, Split, Table, with_unit, write_csv


# ---- the same table, changed ----


def with_noise(table, count):
    """More inputs that have nothing to do with the target."""
    random = np.random.RandomState(1)
    noise = np.array(
        [["%.6f" % value for value in row] for row in random.standard_normal((len(table.target), count))], object
    )
    return changed(
        table,
        "%d noise" % count,
        table.names + ["noise%d" % (i + 1) for i in range(count)],
        np.hstack([table.cells, noise]),
    )


def with_duplicates(table):
    return changed(
        table, "twice", table.names + [name + "_again" for name in table.names], np.hstack([table.cells, table.cells])
    )


def with_blanks(table, share):
    """Cells blanked at random."""
    blank = np.random.RandomState(2).random_sample(table.cells.shape) < share
    return changed(table, "%g blank" % share, table.names, np.where(blank, "", table.cells))


def with_columns_shuffled(table):
    order = np.random.RandomState(3).permutation(len(table.names))
    return changed(table, "columns", [table.names[i] for i in order], table.cells[:, order])


def changed(table, how, names, cells):
    return replace(table, name="%s, %s" % (table.name, how), names=names, cells=cells, category=None)


def on_same_rows(split, table):
    return Split(table, split.number, split.train, split.test)


def paired_rows(campaign, names, methods, change):
    """Errors before and after a change, and the standard error of the difference over the splits."""
    rows = [["table", "method", "error", "changed", "ratio", "difference", "its standard error"]]
    for table in map(campaign.table, names):
        other = change(table)
        for method in methods:
            pairs = [
                (campaign.one(method, split), campaign.one(method, on_same_rows(split, other)))
                for split in campaign.splits(table)
            ]
            rows.append([table.name, method] + compared(pairs))
    return rows


def compared(pairs):
    """The cells of pairs of records."""
    pairs = [pair for pair in pairs if all(pair)]
    failed = [record["failure"] for pair in pairs for record in pair if "failure" in record]
    if failed or not pairs:
        return ["failed: " + failed[0] if failed else "-", "-", "-", "-", "-"]
    before, after = ([pair[i]["error"] for pair in pairs] for i in (0, 1))
    difference = [b - a for a, b in zip(before, after)]
    return [
        "%.5f" % mean(before),
        "%.5f" % mean(after),
        "%.3f" % (mean(after) / mean(before)),
        "%+.5f" % mean(difference),
        number(standard_error(difference), "%.5f"),
    ]


SMALL = ("airfoil", "concrete", "bike")
BOTH = (OURS, "hgb")


def noise_columns(campaign, count, names, methods):
    rows = paired_rows(campaign, names or SMALL, methods or BOTH, lambda table: with_noise(table, count))
    return [("%d columns of noise added" % count, rows, "")]


def duplicate_columns(campaign, _, names, methods):
    return [("Every column twice", paired_rows(campaign, names or SMALL, methods or BOTH, with_duplicates), "")]


def blank(campaign, share, names, methods):
    rows = paired_rows(
        campaign, names or ("bike", "concrete"), methods or BOTH, lambda table: with_blanks(table, share)
    )
    return [("%g %% of the cells blanked" % (100 * share), rows, "The same cells for all.")]


# ---- order and units ----


def predictions(campaign, split):
    record, prediction = running.measure_entropic(campaign.command, split, "")
    if prediction is None:
        raise SystemExit("accuracy: %s: %s" % (split.table.name, record["failure"]))
    return prediction, record["error"]


def largest_change(table, one, other):
    """Of a prediction, in standard deviations of the target; of classes the share that is another."""
    if table.task == CLASSES:
        return float(np.mean(one != other))
    return float(np.abs(one - other).max() / table.target.std())


def shuffle(campaign, _, names, __):
    rows = [["table", "what is shuffled", "error", "shuffled", "largest change", "mean change"]]
    for table in map(campaign.table, names or SMALL):
        split = campaign.splits(table)[0]
        order = np.random.RandomState(4).permutation(len(split.train))
        plain, error = predictions(campaign, split)
        for what, other in (
            ("columns", on_same_rows(split, with_columns_shuffled(table))),
            ("rows", replace(split, train=split.train[order])),
        ):
            there, error_there = predictions(campaign, other)
            middle = 0.0 if table.task == CLASSES else float(np.abs(plain - there).mean() / table.target.std())
            rows.append(
                [
                    table.name,
                    what,
                    "%.5f" % error,
                    "%.5f" % error_there,
                    "%.3g" % largest_change(table, plain, there),
                    "%.3g" % middle,
                ]
            )
    return [("Columns and rows in another order", rows, "Changes of predictions in standard deviations of the target.")]


def in_other_units(table, what, factor, plus):
    """The table with one input (that with the most values) or the target in other units."""
    if what == "target":
        return with_unit(replace(table, target=table.target * factor + plus))
    usable = [len(set(column)) if not category else 0 for column, category in zip(table.cells.T, table.category)]
    place = int(np.argmax(usable))
    cells = table.cells.copy()
    cells[:, place] = [cell if cell in MISSING else repr(float(cell) * factor + plus) for cell in cells[:, place]]
    return replace(table, cells=cells)


def shift(campaign, _, names, __):
    rows = [["table", "changed", "how", "error", "changed error", "largest change"]]
    for table in map(campaign.table, names or (*SMALL, "kin8nm")):
        if table.task != REGRESSION:
            raise SystemExit("accuracy: --shift is for tables with a number as target; %s has classes" % table.name)
        split = campaign.splits(table)[0]
        plain, error = predictions(campaign, split)
        for what in ("input", "target"):
            for how, factor, plus in (("times 1e6", 1e6, 0.0), ("plus 1e6", 1.0, 1e6)):
                there, error_there = predictions(
                    campaign, on_same_rows(split, in_other_units(table, what, factor, plus))
                )
                back = (there - plus) / factor if what == "target" else there
                rows.append(
                    [
                        table.name,
                        what,
                        how,
                        "%.5f" % error,
                        "%.5f" % error_there,
                        "%.3g" % largest_change(table, plain, back),
                    ]
                )
    return [("In other units", rows, "Largest change of a prediction, in standard deviations of the target.")]


# ---- probabilities ----


def calibration(campaign, _, names, methods):
    rows = [["table", "method", "error", "log loss", "calibration error"]]
    for table in map(campaign.table, names or ("adult", "grid")):
        for method in methods or (OURS, "hgb", "xgboost", "forest"):
            records = [campaign.one(method, split) for split in campaign.splits(table)]
            records = [record for record in records if record and "calibration" in record]
            if records:
                rows.append(
                    [table.name, method]
                    + [
                        "%.5f" % mean([record[key] for record in records])
                        for key in ("error", "logloss", "calibration")
                    ]
                )
    return [
        (
            "Probabilities",
            rows,
            "Calibration error: the mean distance of a probability from the share that it came true, over "
            "%d bins with as many rows each." % running.BINS,
        )
    ]


# ---- categories with many values ----


def many_categories(count, task, informative, rows=30000):
    """Friedman's function with a category of so many values; if informative, it has a part in the noise."""
    random = np.random.RandomState(5)
    inputs = random.random_sample((rows, 5))
    signal = (
        10 * np.sin(np.pi * inputs[:, 0] * inputs[:, 1])
        + 20 * (inputs[:, 2] - 0.5) ** 2
        + 10 * inputs[:, 3]
        + 5 * inputs[:, 4]
    )
    # Some values are frequent, most are rare: as names of places or products are.
    which = (
        np.minimum((count * random.random_sample(rows) ** 3).astype(int), count - 1)
        if informative
        else random.randint(0, count, rows)
    )
    effect = 2.0 * random.standard_normal(count)[which] if informative else 0.0
    target = signal + effect + 2.0 * random.standard_normal(rows)
    if task == CLASSES:
        target = np.where(target > np.median(target), "high", "low").astype(object)
    cells = np.array(
        [["%.6f" % value for value in row] + ["c%05d" % value] for row, value in zip(inputs, which)], object
    )
    name = "%s category, %s" % ("informative" if informative else "idle", task)
    table = Table(name, task, ["x1", "x2", "x3", "x4", "x5", "category"], cells, target)
    return with_unit(table) if task == REGRESSION else table


def categories(campaign, count, _, methods):
    rows = [["table", "method", "error", "with it", "ratio", "difference", "its standard error", "verdict"]]
    for informative in (False, True):
        for task in (REGRESSION, CLASSES):
            table = many_categories(count, task, informative)
            plain = replace(
                table, name=table.name + ", without", names=table.names[:-1], cells=table.cells[:, :-1], category=None
            )
            for method in methods or (OURS,):
                pairs = [
                    (campaign.one(method, on_same_rows(split, plain)), campaign.one(method, split))
                    for split in campaign.splits(table)
                ]
                rows.append([table.name, method] + compared(pairs) + [verdict(pairs)])
    return [
        (
            "A category of %d values" % count,
            rows,
            "Fine: not worse with the category than twice the standard error of the "
            "difference, or 1 %. A learner that leaks the target through rare values is worse on new rows.",
        )
    ]


def verdict(pairs):
    pairs = [pair for pair in pairs if all(pair)]
    if not pairs or any("failure" in record for pair in pairs for record in pair):
        return "FAILED"
    difference = [after["error"] - before["error"] for before, after in pairs]
    allowed = max(2 * (standard_error(difference) or 0.0), 0.01 * mean([before["error"] for before, _ in pairs]))
    return "fine" if mean(difference) <= allowed else "WORSE"


# ---- our features compared with others ----


def compare(campaign, sizes, names, _):
    """Through `entropic compare`: tuned, same rows and solver for all."""
    rows = [["table", "features", "ours", "error", "best rival", "its error", "ours/best", "EOF/best"]]
    ratios = {}
    for name in names or SOURCES:
        try:
            found = compare_one(campaign, campaign.table(name), sizes)
        except running.Failure as failure:
            rows.append([name, "failed: %s" % failure, *[""] * 6])
            continue
        for features, errors in sorted(found.items()):
            ours = "EOF-select" if "EOF-select" in errors else "EOF"
            best = min((method for method in errors if not method.startswith("EOF")), key=errors.get)
            ratio, data_free = errors[ours] / errors[best], errors["EOF"] / errors[best]
            ratios.setdefault(features, []).append((ratio, data_free))
            cells = ["%.4g" % errors[ours], best, "%.4g" % errors[best], "%.3f" % ratio, "%.3f" % data_free]
            rows.append([name, str(features), ours, *cells])
            campaign.say("%-18s %5d features  %s %s, %s %s: %s" % (name, features, ours, *cells[:4]))
    for features, values in [*sorted(ratios.items()), ("all", [pair for values in ratios.values() for pair in values])]:
        means = [number(geometric_mean([pair[i] for pair in values]), "%.3f") for i in (0, 1)]
        rows.append(["geometric mean", str(features), "", "", "", "", *means])
    note = (
        "Errors are those of entropic compare, with tuned bandwidths and scalings: of each table's training rows "
        "where it has others to test on."
    )
    return [("Features beside other features", rows, note)]


def compare_all(campaign, table, sizes):
    """What `entropic compare` has to say of all methods: its JSON."""
    with tempfile.TemporaryDirectory() as folder:
        path, target = folder + "/table.csv", ["--target", "target"]
        if table.files:
            path, target = table.files[0], []
        else:
            write_csv(path, table, np.arange(table.train_rows or len(table.target)), with_target=True)
            target += ["--task", "regression" if table.task == REGRESSION else "classification"]
        said, *_ = campaign.command.run(
            "compare",
            path,
            *target,
            "--features",
            sizes,
            "--runs",
            campaign.arguments.splits,
            "--threads",
            campaign.command.threads,
            "--json",
            "--quiet"
        )
    return json.loads(said)


def compare_one(campaign, table, sizes):
    """The errors of tuned methods: {features: {method: error}}."""
    return tuned_errors(compare_all(campaign, table, sizes))


def tuned_errors(answer):
    found = {}
    for method in answer["methods"]:
        if method["tuned"] and method["name"] != "kernel ridge":  # which has no features
            found.setdefault(method["features"], {})[method["name"]] = method["error"]
    return found


@dataclass
class Mode:
    key: str
    run: object
    option: dict
    help: str


FLAG = {"action": "store_true"}
MODES = [
    Mode("noise_columns", noise_columns, {"type": int, "metavar": "K"}, "errors with K columns of noise added"),
    Mode("duplicate_columns", duplicate_columns, FLAG, "errors with every column twice"),
    Mode("blank", blank, {"type": float, "metavar": "SHARE"}, "errors with so many cells blanked, e.g. 0.2"),
    Mode("calibration", calibration, FLAG, "how far probabilities are calibrated"),
    Mode("shift", shift, FLAG, "what other units of an input and of the target change"),
    Mode("shuffle", shuffle, FLAG, "what another order of columns and rows changes"),
    Mode("categories", categories, {"type": int, "metavar": "K"}, "errors with a category of K values, e.g. 10000"),
    Mode(
        "compare",
        compare,
        {"nargs": "?", "const": "100,300,1000", "metavar": "SIZES"},
        "our features compared with RKS, ORF, LKRF, EERF and Nystroem at these numbers of features (100,300,1000)",
    ),
]
