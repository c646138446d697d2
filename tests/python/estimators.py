"""The estimators of the Python package beside the command: the same models from the same tables, however they lie in
memory; what a model can say of itself; weights; errors."""
import copy
import csv
import math
import pickle
import sys
import warnings

import numpy as np
import pandas as pd
import scipy.sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from _package import command, entropic, model_of_command, refused
from _tap import check, end

EntropicRegressor, EntropicClassifier = entropic.EntropicRegressor, entropic.EntropicClassifier
QUICK = {"features": 12, "reg_lambda": 0.01, "omega": 1.0}
OPTIONS = ["--features", "12", "--lambda", "0.01", "--omega", "1"]
PINNED = {**QUICK, "select": "entropy"}


def numbers(rows, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.random((rows, 4)).round(3)
    return X, (np.sin(4 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.05 * rng.standard_normal(rows)).round(4)


def written(name):
    """A column of what the command has predicted, as texts: pandas may round numbers."""
    with open("p.csv", newline="") as file:
        return [row[name] for row in csv.DictReader(file)]


def codes_of_zero():
    """C would end a text there: it is refused, not cut."""
    X, y = numbers(60)
    for name, value in (("kernel", "cosh\0junk"), ("features", "5\0"), ("only", "x1\0:x2"),
                        ("kernel", {"p": "1\0", "q": "1"})):
        said = "p is" if isinstance(value, dict) else name
        found = refused(ValueError, lambda: EntropicRegressor(**{**QUICK, name: value}).fit(X, y), said, "code 0")
        check("a character of code 0 in %s %r" % (name, value), not found, found)
    model = EntropicRegressor(**QUICK).fit(X, y)
    for what, call in (("save", lambda: model.save("a\0b")), ("load", lambda: entropic.load("a\0b")),
                       ("to_c", lambda: model.to_c("a\0b")),
                       ("a column", lambda: EntropicRegressor(**QUICK).fit(pd.DataFrame(X, columns=list("abc") + ["d\0"]), y))):
        found = refused(ValueError, call, "code 0")
        check("a character of code 0 in %s" % what, not found, found)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for names, warned in ((["a\0b", "a\0c"], True), (["A", "a"], True), (["no", "yes"], False)):
            caught.clear()
            classes = EntropicClassifier(**QUICK).fit(X, np.array(names)[(y > np.median(y)).astype(int)])
            caught.clear()
            classes.save("names.entropic")
            said = [str(w.message) for w in caught]
            check("a file that cannot hold the classes %r says so" % (names,),
                  len(said) == warned and all("0 to 1" in text for text in said), said)
            check("and has others", (entropic.load("names.entropic").classes_.tolist() == names) != warned)
    found = refused(ValueError, lambda: model.export("cobol"), "lang cobol: expected c|js|json")
    check("a language that there is not", not found, found)
    found = refused(ValueError, lambda: model.to_c("a\nb"), "expected a letter")
    check("a line feed in the name of functions", not found, found)


def same_bytes():
    X, y = numbers(120)
    pd.DataFrame(np.column_stack([X, y]), columns=["x1", "x2", "x3", "x4", "y"]).to_csv("n.csv", index=False)
    expected = model_of_command("n.csv", "--target", "y", *OPTIONS)
    for what, table in (("row-major", X), ("column-major", np.asfortranarray(X)), ("backwards", X[::-1].copy()[::-1]),
                        ("every other column of a wider one", np.repeat(X, 2, axis=1)[:, ::2]), ("a list", X.tolist()),
                        ("big-endian", X.astype(">f8")), ("objects", X.astype(object)),
                        ("sparse", scipy.sparse.csr_matrix(X)),
                        ("a frame", pd.DataFrame(X, columns=["x1", "x2", "x3", "x4"])),
                        ("a frame of two widths", pd.DataFrame(X, columns=["x1", "x2", "x3", "x4"]).astype(
                            {"x2": "Float64"}))):
        found = EntropicRegressor(**QUICK).fit(table, y)
        check("%s: the model of the command" % what, found.model_.to_bytes() == expected)
        out = found.predict(table)
        check("%s: predictions" % what, out.shape == y.shape and np.abs(out - y).max() <= 0.6)
    single = EntropicRegressor(**QUICK).fit(X.astype("float32"), y)
    double = EntropicRegressor(**QUICK).fit(X.astype("float32").astype("float64"), y)
    check("float32 is what it is as double", single.model_.to_bytes() == double.model_.to_bytes())
    check("default fits too",
          EntropicRegressor().fit(X, y).model_.to_bytes() == model_of_command("n.csv", "--target", "y"))
    found.save("saved.entropic")
    command("predict", "saved.entropic", "n.csv", "-o", "p.csv", "--quiet")
    expected_rows = np.array(written("prediction"), dtype=float)
    loaded = entropic.load("saved.entropic")
    frame = pd.DataFrame(X, columns=["x1", "x2", "x3", "x4"])
    check("load, predict: as the command", np.abs(loaded.predict(X) - expected_rows).max() <= 1e-12 and
          np.array_equal(found.predict(frame), expected_rows))


    wide = np.column_stack([np.ones(len(X)), X, np.ones(len(X))])  # x1 and x6 are dropped
    EntropicRegressor(**QUICK).fit(wide, y).save("wide.entropic")
    check("load: inputs x2 to x5 by position", np.array_equal(entropic.load("wide.entropic").predict(wide),
                                                              EntropicRegressor(**QUICK).fit(X, y).predict(X)))
    holes = np.ma.masked_array(X, mask=X < 0.1)
    check("masked values are missing", EntropicRegressor(**QUICK).fit(holes, y).model_.to_bytes() ==
          EntropicRegressor(**QUICK).fit(np.where(X < 0.1, np.nan, X), y).model_.to_bytes())


def mixed_frame(rows):
    """Text, categories, booleans, dates and missing values."""
    rng = np.random.default_rng(7)
    number, kind = rng.random(rows).round(3), rng.integers(0, 3, rows)
    when = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 800, rows), unit="D")
    frame = pd.DataFrame({"number": np.where(rng.random(rows) < 0.1, np.nan, number), "when": when,
                          "kind": pd.Categorical.from_codes(kind, ["red", "green", "blue"]),
                          "word": np.where(rng.random(rows) < 0.1, None, np.array(["a", "b c", 'd"e'])[kind - 1]),
                          "count": pd.array(rng.integers(0, 9, rows), "Int64")})
    frame.loc[::11, "count"] = pd.NA
    frame.loc[::13, "when"] = pd.NaT
    y = number + kind + frame["when"].dt.day_of_year.fillna(0).to_numpy() / 366 + 0.01 * rng.standard_normal(rows)
    return frame, pd.Series(y.round(4), name="amount")


def frames():
    frame, y = mixed_frame(150)
    frame.assign(amount=y).to_csv("m.csv", index=False)
    expected = model_of_command("m.csv", "--target", "amount", *OPTIONS)
    found = EntropicRegressor(**QUICK).fit(frame, y)
    check("a frame of all kinds: the model of the command", found.model_.to_bytes() == expected)
    found.save("m.entropic")
    command("predict", "m.entropic", "m.csv", "-o", "p.csv", "--quiet")
    rows = np.array(written("prediction"), dtype=float)
    check("its predictions too", np.array_equal(found.predict(frame), rows))
    unseen = frame.head(2).assign(kind=["violet", None], word=["new", "b c"])
    check("unseen and missing categories", np.isfinite(found.predict(unseen)).all())
    classes = np.array(["low", "middle", "high"])[np.digitize(y, [1, 2])]
    frame.assign(amount=classes).to_csv("c.csv", index=False)
    expected = model_of_command("c.csv", "--target", "amount", *OPTIONS, "--loss", "logistic")
    found = EntropicClassifier(**QUICK, loss="logistic").fit(frame, pd.Series(classes, name="amount"))
    check("classes: the model of the command", found.model_.to_bytes() == expected)
    command("predict", "of_command.entropic", "c.csv", "-o", "p.csv", "--quiet", "--proba")
    check("classes: predictions", list(found.predict(frame)) == written("prediction"))
    check("classes: probabilities", np.array_equal(
        found.predict_proba(frame), np.array([written("p_" + name) for name in found.classes_], dtype=float).T))
    numbered = frame.assign(kind=pd.Categorical(frame["kind"].cat.codes))
    numbered.assign(amount=y).to_csv("k.csv", index=False)
    found = EntropicRegressor(**QUICK).fit(numbered, y)
    check("categories that are numbers stay categories", found.model_.to_bytes() ==
          model_of_command("k.csv", "--target", "amount", "--categorical", "kind", *OPTIONS))
    by_place = EntropicRegressor(**QUICK, categorical=[2], ignore=["when", -1]).fit(numbered, y)
    check("columns by name and by position", by_place.model_.to_bytes() == model_of_command(
        "k.csv", "--target", "amount", "--categorical", "kind", "--ignore", "when,count", *OPTIONS))


def labels():
    X, y = numbers(90)
    parts = np.digitize(y, [0.6, 1.0])
    plain = EntropicClassifier(**PINNED, loss="logistic").fit(X, parts)
    for what, names in (("texts", np.array(["b", "c", "a"])), ("texts of numbers", np.array(["10", "9", "8"])),
                        ("texts that a file reads as one number", np.array(["10", "9", "1e1"])),
                        ("marks of missing values", np.array(["NA", "", "x"])), ("numbers", np.array([30, -2, 7])),
                        ("floats", np.array([2.0, 1.0, 0.0])), ("objects", np.array(["u", "t", "s"], dtype=object))):
        found = EntropicClassifier(**PINNED, loss="logistic").fit(X, names[parts])
        check("classes that are %s" % what, list(found.classes_) == sorted(names.tolist()) and
              np.array_equal(found.predict(X), names[plain.predict(X)]))
        order = np.argsort(np.argsort(names))
        off = np.abs(found.predict_proba(X)[:, order] - plain.predict_proba(X)).max()
        check("probabilities of %s" % what, off <= 1e-6, off)
    two = EntropicClassifier(**PINNED).fit(X, np.array(["9", "10"])[(y > 0.8).astype(int)])
    check("two classes: scores are those of the second",
          np.array_equal(two.predict(X) == two.classes_[1], two.decision_function(X) > 0))
    check("booleans", EntropicClassifier(**PINNED).fit(X, y > 0.8).predict(X).dtype == bool)
    check("an unknown class is refused", not (said := refused(ValueError, lambda: EntropicClassifier(
        **PINNED, keep_statistics=True).fit(X, parts).update(X, parts + 1), "class 3")), said)


def copies():
    X, y = numbers(80)
    found = EntropicRegressor(**QUICK).fit(X, y)
    for what, other in (("pickle", pickle.loads(pickle.dumps(found))), ("deepcopy", copy.deepcopy(found)),
                        ("clone", clone(found).fit(X, y))):
        check("%s is the same model" % what, other.model_.to_bytes() == found.model_.to_bytes() and
              np.array_equal(other.predict(X), found.predict(X)))
    for options in ({}, {"scale": "minmax", "features": 40}, {"scale": "none", "criterion": "data"},
                    {"select": "paper", "basis": "interior", "random_state": 3}):
        features = entropic.EntropicFeatures(**options).fit(X)
        again = pickle.loads(pickle.dumps(features))
        lifted = features.transform(X)
        check("features %s: pickled" % options, (again.transform(X) != lifted).nnz == 0)
        check("features %s: names" % options, len(set(features.get_feature_names_out())) == lifted.shape[1])
    np.save("x.npy", X)
    command("features", "x.npy", "--features", "40", "--scale", "minmax", "-o", "z.npz", "--quiet")
    lifted = entropic.EntropicFeatures(scale="minmax", features=40).fit_transform(X)
    check("features: those of the command", (lifted != scipy.sparse.load_npz("z.npz")).nnz == 0)
    frame = entropic.EntropicFeatures(sparse_output=False).set_output(transform="pandas").fit_transform(X)
    check("features: set_output", isinstance(frame, pd.DataFrame) and frame.columns[0] == "1")


def weights():
    X, y = numbers(100)
    counts = np.random.default_rng(3).integers(0, 4, len(y))
    repeated = np.random.default_rng(4).permutation(np.repeat(np.arange(len(y)), counts))
    for scale in ("quantile", "blend", "minmax"):
        weighted = EntropicRegressor(**PINNED, scale=scale).fit(X, y, sample_weight=counts)
        found = EntropicRegressor(**PINNED, scale=scale).fit(X[repeated], y[repeated])
        check("%s: a weight of 2 is the row twice, of 0 no row" % scale,
              np.abs(weighted.predict(X) - found.predict(X)).max() <= 1e-9)
    parts = np.digitize(y, [0.6, 1.0])
    pinned = {**PINNED, "reg_lambda": 1.0, "loss": "logistic"}
    weighted = EntropicClassifier(**pinned).fit(X, parts, sample_weight=counts)
    found = EntropicClassifier(**pinned).fit(X[repeated], parts[repeated])
    check("of classes too", np.abs(weighted.predict_proba(X) - found.predict_proba(X)).max() <= 1e-7)
    by_class = EntropicClassifier(**pinned, class_weight={0: 2, 1: 1, 2: 3}).fit(X, parts)
    by_row = EntropicClassifier(**pinned).fit(X, parts, sample_weight=np.array([2, 1, 3])[parts])
    check("class_weight is a weight of rows", by_class.model_.to_bytes() == by_row.model_.to_bytes())
    table = pd.DataFrame(np.column_stack([X, y, counts]), columns=["x1", "x2", "x3", "x4", "y", "w"])
    table.to_csv("w.csv", index=False)
    found = EntropicRegressor(**QUICK).fit(X, y, sample_weight=counts)
    check("weights: the model of the command", found.model_.to_bytes() ==
          model_of_command("w.csv", "--target", "y", "--weights", "w", *OPTIONS))


def statistics():
    X, y = numbers(200)
    keeping = EntropicRegressor(**QUICK, keep_statistics=True)
    found = clone(keeping).fit(X[:150], y[:150])
    first, before = found.receipt(), found.predict(X)
    told = found.update(X[150:], y[150:])
    check("update changes the receipt", told["rows"] == 50 and told["receipt"] == found.receipt() != first)
    check("update changes predictions", np.abs(found.predict(X) - before).max() > 1e-6)
    found.forget(X[150:], y[150:])
    check("forget brings both back", found.receipt() == first and np.array_equal(found.predict(X), before))
    parts = clone(keeping)
    for rows in (slice(0, 150), slice(150, 160), slice(160, 200)):
        parts.partial_fit(X[rows], y[rows])
    found.update(X[150:], y[150:])
    check("partial_fit adds rows exactly", parts.receipt() == found.receipt())
    check("partial_fit needs statistics", not (said := refused(AttributeError, lambda: EntropicRegressor().partial_fit,
                                                               "partial_fit")), said)
    check("partial_fit of another loss says why", not (said := refused(ValueError, lambda: EntropicClassifier(
        keep_statistics=True, loss="logistic").partial_fit(X, y > 1), "logistic", "squared")), said)
    check("without statistics there is no receipt", not (said := refused(
        ValueError, lambda: EntropicRegressor(**QUICK).fit(X, y).receipt(), "statistics")), said)


def explanations():
    X, y = numbers(120)
    found = EntropicRegressor(features=12).fit(np.column_stack([X, np.ones(len(X))]), y)
    table = np.column_stack([X, np.ones(len(X))])
    split = found.shapley_values(table)
    check("Shapley values add up to predictions",
          np.abs(split.values.sum(axis=1) + split.base_values - found.predict(table)).max() <= 1e-9)
    check("a dropped input has none", split.values.shape == table.shape and not split.values[:, 4].any())
    explained = found.explain(table)
    check("explain: shares", math.isclose(sum(one["first"] for one in explained.inputs) + explained.report["higher"] +
                                          sum(one["share"] for one in explained.pairs), 1, abs_tol=1e-9))
    check("explain: frames", list(explained.to_frame().index)[:1] == [explained.inputs[0]["name"]] and
          len(explained.pairs_to_frame()) == len(explained.pairs))
    explained.save_html("page.html", title="a model & more")
    with open("page.html", encoding="utf-8") as file:
        page = file.read()
    check("explain: a page", "a model &amp; more" in page and len(page) > 10000, len(page))
    check("pages of notebooks", "<table" in explained._repr_html_() and "features" in found._repr_html_() and
          "<" in EntropicRegressor()._repr_html_())
    ends = found.predict_interval(table, 0.8)
    inside = ((ends[:, 0] <= y) & (y <= ends[:, 1])).mean()
    check("intervals", ends.shape == (len(y), 2) and 0.6 <= inside <= 1 and
          (ends[:, 0] <= found.predict(table)).all() and (found.predict_std(table) > 0).all())
    both = EntropicRegressor(**QUICK).fit(X, np.column_stack([y, 2 * y]))
    check("two targets", both.predict(X).shape == (len(y), 2) and both.predict_interval(X).shape == (len(y), 2, 2) and
          both.shapley_values(X).values.shape == (len(y), 4, 2) and
          np.abs(both.predict(X)[:, 1] - 2 * both.predict(X)[:, 0]).max() <= 1e-6)
    kinds = EntropicClassifier(features=12).fit(X, np.digitize(y, [0.6, 1.0]))
    inside = kinds.predict_set(X, 0.9)
    check("sets of classes have the predicted one", inside[np.arange(len(X)), kinds.predict(X)].all())
    names = {one["name"] for one in EntropicRegressor(only=[0, "x3"], unrestricted=False).fit(X, y).explain().inputs}
    check("only some terms, by position and by name", names == {"x1", "x3"}, names)
    found.save("e.entropic")
    for lang, text in (("c", found.to_c()), ("js", found.to_js()), ("json", found.to_json())):
        check("export: the %s of the command" % lang,
              text == found.export(lang) == command("export", "e.entropic", "--lang", lang, "-o", "-"))
    compared = entropic.compare(X, y, features=[8], runs=2, random_state=5)
    names = {one["name"] for one in compared.methods}
    check("compare", {"EOF", "RKS"} <= names and all(len(one["errors"]) == 2 for one in compared.methods) and
          compared.constant["error"] > min(one["error"] for one in compared.methods) and
          "EOF" in compared._repr_html_())


def complaints():
    X, y = numbers(60)
    bad = X.copy()
    bad[7, 2] = np.inf
    for what, call, said in (
            ("an unknown choice", lambda: EntropicRegressor(kernel="laplac").fit(X, y), ["kernel", "laplace"]),
            ("a number out of range", lambda: EntropicRegressor(max_level=99).fit(X, y), ["max_level", "30"]),
            ("infinity", lambda: EntropicRegressor().fit(bad, y), ["row 8", "inf"]),
            ("infinity in predictions", lambda: EntropicRegressor(**QUICK).fit(X, y).predict(bad), ["row 8", "inf"]),
            ("a column that is not there", lambda: EntropicRegressor(ignore=["q"]).fit(pd.DataFrame(
                X, columns=list("abcd")), y), ["ignore", "'q'", "a, b, c, d"]),
            ("no numbers for n_jobs", lambda: EntropicRegressor(n_jobs=0).fit(X, y), ["n_jobs"]),
            ("negative weights", lambda: EntropicRegressor().fit(X, y, sample_weight=-np.ones(60)), ["weight"]),
            ("durations", lambda: EntropicRegressor().fit(pd.DataFrame({"a": pd.to_timedelta(range(60), "s")}), y),
             ["'a'"]),
            ("a damaged model", lambda: pickle.loads(pickle.dumps(EntropicRegressor(**QUICK).fit(X, y)).replace(
                b"x1", b"x9")), ["damaged"])):
        message = refused((ValueError, TypeError), call, *said)
        check("%s: refused with the reason" % what, not message, message)
    failed = EntropicRegressor(**QUICK).fit(X, y)
    refused(ValueError, lambda: failed.set_params(kernel="no").fit(X[:, :2], y))
    message = refused(NotFittedError, lambda: failed.predict(X), "not fitted")
    check("a fit that fails leaves no model", not message, message)
    message = refused(OSError, lambda: entropic.load("no.entropic"), "no.entropic")
    check("a file that is not there is an OSError", not message, message)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        EntropicRegressor(**QUICK).fit(np.column_stack([X, np.ones(60), X[:, 0]]), y)
    told = [str(one.message) for one in found if issubclass(one.category, entropic.EntropicWarning)]
    check("dropped inputs are warned of", any("constant: x5" in text for text in told) and
          any("copies" in text and "x6" in text for text in told), told)
    files = {one.filename for one in found}
    check("warnings name the caller's line", files == {__file__}, files)
    check("n_jobs does not change a model", len({EntropicRegressor(features=12, n_jobs=n).fit(X, y).model_.to_bytes()
                                                 for n in (1, 2, 3, -1, None)}) == 1)


def nothing_varies():
    """Inputs that look like constants or identifiers are kept if there are no others; other errors stay."""
    rows = np.arange(60.0)
    y = np.sin(rows)
    for what, X in (("constants", np.ones((60, 2))), ("row numbers", rows[:, None])):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            fitted = EntropicRegressor(**QUICK).fit(X, y)
        said = [str(one.message) for one in found if issubclass(one.category, entropic.EntropicWarning)]
        check("%s: all are kept" % what, any("all are kept" in text for text in said) and
              fitted.model_.inputs == X.shape[1] and np.isfinite(fitted.predict(X)).all(), said)
    for what, X, weights, words in (
            ("a negative weight, of constants", np.ones((60, 2)), -np.ones(60), ["weight"]),
            ("a negative weight, of row numbers", rows[:, None], -np.ones(60), ["weight"]),
            ("columns without any value", np.full((60, 2), np.nan), None, ["no input is left", "x1"])):
        found = refused(ValueError, lambda: EntropicRegressor(**QUICK).fit(X, y, sample_weight=weights), *words)
        check("%s: refused for that" % what, not found, found)


for part in (same_bytes, codes_of_zero, frames, labels, copies, weights, statistics, explanations, nothing_varies,
             complaints):
    part()
sys.exit(end())
