"""Frames of polars, pyarrow, DuckDB and newer pandas, through __arrow_c_stream__ where they have it: the models and
predictions of the CSV of the same table. What is not installed is skipped."""
import datetime
import importlib.util
import sys

import numpy as np

from _package import command, entropic, model_of_command, refused
from _tap import check, end, skip

ROWS = 160
OPTIONS = ["--features", "12", "--lambda", "0.01", "--omega", "1"]
QUICK = {"features": 12, "reg_lambda": 0.01, "omega": 1.0}

if not importlib.util.find_spec("pyarrow") or not importlib.util.find_spec("polars"):
    skip("frames of polars, pyarrow and DuckDB", "they are not installed")
    sys.exit(end())

import duckdb  # noqa: E402
import polars as pl  # noqa: E402
import pyarrow as pa  # noqa: E402
import pyarrow.csv  # noqa: E402


def content():
    rng = np.random.default_rng(5)
    kind, day = rng.integers(0, 3, ROWS), rng.integers(0, 900, ROWS)
    number = rng.random(ROWS).round(3)
    return {"number": [None if i % 11 == 0 else float(v) for i, v in enumerate(number)],
            "count": [None if i % 13 == 0 else int(v) for i, v in enumerate(day)],
            "word": [None if i % 17 == 0 else ["a", "b c", 'd"e'][v] for i, v in enumerate(kind)],
            "when": [datetime.date(2020, 1, 1) + datetime.timedelta(days=int(v)) for v in day],
            "flag": [bool(v) for v in kind % 2 == 0]}, np.round(number + kind + day / 900, 4)


columns, y = content()
table = pa.table({**columns, "y": y})
pa.csv.write_csv(table, "t.csv", pa.csv.WriteOptions(quoting_style="needed"))
expected = model_of_command("t.csv", "--target", "y", *OPTIONS)
command("predict", "of_command.entropic", "t.csv", "-o", "p.csv", "--quiet")
predictions = np.array([float(line) for line in open("p.csv").read().split()[1:]])
plain, coded = table.drop_columns(["y"]), table.drop_columns(["y"]).set_column(
    2, "word", pa.array(columns["word"]).dictionary_encode())
connection = duckdb.connect()
connection.register("source", plain)
frames = {"pyarrow": lambda: plain, "pyarrow with a dictionary": lambda: coded,
          "pyarrow in chunks": lambda: pa.concat_tables([plain.slice(0, 50), plain.slice(50)]),
          "pyarrow batch reader": lambda: plain.to_reader(max_chunksize=37),
          "polars": lambda: pl.from_arrow(plain), "polars in chunks": lambda: pl.concat(
              [pl.from_arrow(plain.slice(0, 50)), pl.from_arrow(plain.slice(50))], rechunk=False),
          "polars categorical": lambda: pl.from_arrow(plain).with_columns(pl.col("word").cast(pl.Categorical)),
          "DuckDB": lambda: connection.sql("SELECT * FROM source"),
          "pandas of Arrow": lambda: plain.to_pandas(types_mapper=__import__("pandas").ArrowDtype)}
found = None
for what, make in frames.items():
    try:
        found = entropic.EntropicRegressor(**QUICK).fit(make(), y)
        check("%s: the model of the command" % what, found.model_.to_bytes() == expected)
        check("%s: names" % what, list(found.feature_names_in_) == plain.column_names)
        check("%s: predictions" % what, np.array_equal(found.predict(make()), predictions))
        check("%s: intervals and effects" % what, found.shapley_values(make()).values.shape == (ROWS, 5))
    except Exception as error:  # noqa: BLE001
        check(what, False, "%s: %s" % (type(error).__name__, error))

for what, target in (("polars", pl.Series("y", y)), ("pyarrow", pa.chunked_array([y]))):
    found = entropic.EntropicRegressor(**QUICK).fit(plain, target)
    check("targets of %s" % what, found.model_.to_bytes() == expected)
words = entropic.EntropicClassifier(**QUICK).fit(pl.from_arrow(plain), pl.Series(np.where(y > 1.5, "high", "low")))
check("classes of polars", set(words.predict(pl.from_arrow(plain))) == {"high", "low"})
for what, call, said in (
        ("another number of rows", lambda: entropic.EntropicRegressor().fit(plain, y[1:]), ["159", "160"]),
        ("another order of columns", lambda: found.predict(plain.select(plain.column_names[::-1])), ["same order"]),
        ("a column too few", lambda: found.predict(plain.select(["number"])), ["names should match"]),
        ("a stream of constants", lambda: entropic.EntropicRegressor(**QUICK).fit(pa.table({"c": [1.0] * ROWS}), y),
         ["no input is left", "c is constant"]),
        ("a list", lambda: entropic.EntropicRegressor().fit(plain.append_column("l", pa.array([[1]] * ROWS)), y),
         ["(l)", "+l"])):
    message = refused(ValueError, call, *said)
    check("%s is refused" % what, not message, message)
numeric = pl.DataFrame({"a": np.random.default_rng(1).random(50), "b": np.arange(50) % 7})
lifted = entropic.EntropicFeatures().fit(numeric)
check("features of polars", lifted.transform(numeric).shape[0] == 50 and list(lifted.feature_names_in_) == ["a", "b"])
keeping = entropic.EntropicRegressor(**QUICK, keep_statistics=True).fit(pl.from_arrow(plain), y)
first = keeping.receipt()
keeping.update(pl.from_arrow(plain), y)
keeping.forget(plain, y)
check("update and forget", keeping.receipt() == first)
sys.exit(end())
