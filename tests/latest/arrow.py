"""Tables from pyarrow, polars, DuckDB and NumPy: each type and layout gives columns, notices and model of its CSV."""
import ctypes
import datetime
import decimal
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from _tap import check, end

try:
    import duckdb
    import numpy as np
    import polars as pl
    import pyarrow as pa
    import pyarrow.csv
except ImportError as missing:
    print("1..0 # SKIP %s: scripts/latest makes what `make check-latest` needs" % missing)
    sys.exit(0)
from _library import LIBRARY, ColumnView, Failure, Table, scores_of

ROWS = 90
rng = np.random.default_rng(7)
BASE = {"a": rng.integers(0, 1024, ROWS) / 1024, "b": rng.integers(-512, 512, ROWS) / 256}
TARGET = np.round(BASE["a"] + BASE["b"] ** 2, 6)
NUMBERS = [None if i % 11 == 5 else int(n) for i, n in enumerate(rng.integers(0, 100, ROWS))]
NAMES = ("red", "green", "blue, dark", 'a "quote"', "ünï", "a text of more than twelve bytes")
WORDS = [None if i % 13 == 3 else NAMES[n] for i, n in enumerate(rng.integers(0, 6, ROWS))]
DAYS = [None if i % 17 == 2 else datetime.date(2001, 2, 3) + datetime.timedelta(int(n)) for i, n in
        enumerate(rng.integers(-20000, 9000, ROWS))]
TIMES = [d if d is None else datetime.datetime(d.year, d.month, d.day, i % 24, i * 7 % 60, i * 13 % 60, i * 1000)
         for i, d in enumerate(DAYS)]
MONEY = [None if n is None else decimal.Decimal(n * 1237 - 60000) / 100 for n in NUMBERS]


def pyarrow_columns():
    """Columns of all types that pyarrow has and we read."""
    columns = {}
    for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
        columns[name] = pa.array(NUMBERS, getattr(pa, name)())
    columns["large"] = pa.array([None if n is None else 2**53 + 1 + n * 10**14 for n in NUMBERS], pa.int64())
    columns["huge"] = pa.array([None if n is None else 2**64 - 1 - n * 10**15 for n in NUMBERS], pa.uint64())
    for name, step in (("float16", 8), ("float32", 64), ("float64", 1024)):
        values = np.array([np.nan if n is None else n / step for n in NUMBERS])
        columns[name] = pa.array(values.astype(name), mask=np.isnan(values))
        columns[name + "_nan"] = pa.array(values.astype(name))
    columns["bool"] = pa.array([None if n is None else n % 2 == 0 for n in NUMBERS])
    columns["utf8"], columns["large_utf8"] = pa.array(WORDS), pa.array(WORDS, pa.large_string())
    columns["view"] = pa.array(WORDS, pa.string_view())
    for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
        columns["dictionary_" + name] = pa.array(WORDS).dictionary_encode().cast(
            pa.dictionary(getattr(pa, name)(), pa.string()))
    columns["dictionary_large"] = pa.array(WORDS).dictionary_encode().cast(pa.dictionary(pa.int32(), pa.large_string()))
    columns["dictionary_null"] = pa.DictionaryArray.from_arrays(
        pa.array([None if n is None else n % 4 for n in NUMBERS], pa.int8()), pa.array(["x", None, "y", ""]))
    columns["dictionary_number"] = pa.DictionaryArray.from_arrays(
        pa.array([None if n is None else n % 4 for n in NUMBERS], pa.int8()), pa.array([3, 1, None, 5]))
    columns["text_number"] = pa.array([None if n is None else "%d.5" % n for n in NUMBERS])
    columns["text_marks"] = pa.array(["NA" if n is None else "-" if n < 3 else "%d" % n for n in NUMBERS])
    columns["text_money"] = pa.array([None if n is None else "$%d,%03d.25" % (n + 1, n) for n in NUMBERS])
    columns["text_date"] = pa.array([None if d is None else d.strftime("%d.%m.%Y") for d in DAYS])
    columns["text_blank"] = pa.array([None if w is None else "" if w == "red" else w for w in WORDS])
    columns["date32"], columns["date64"] = pa.array(DAYS, pa.date32()), pa.array(DAYS, pa.date64())
    for unit in ("s", "ms", "us", "ns"):
        times = [None if t is None else t.replace(microsecond=0) if unit == "s" else t for t in TIMES]
        columns["timestamp_" + unit] = pa.array(times, pa.timestamp(unit))
        columns["timestamp_utc_" + unit] = pa.array(times, pa.timestamp(unit, "UTC"))
    for bits, precision in ((32, 7), (64, 12), (128, 30), (256, 60)):
        make = getattr(pa, "decimal%d" % bits, None)
        if make is not None:
            columns["decimal%d" % bits] = pa.array(MONEY, make(precision, 2))
    clock = [None if t is None else t.time().replace(microsecond=0) for t in TIMES]
    columns["time32"] = pa.array(clock, pa.time32("s"))
    columns["null"] = pa.nulls(ROWS)
    columns["constant"], columns["identifier"] = pa.array([5] * ROWS), pa.array(range(ROWS))
    columns["names"] = pa.array(["row %d" % i for i in range(ROWS)])
    columns["copy"] = pa.array(BASE["a"])
    return columns


def pyarrow_table(name, column):
    return pa.table({**BASE, name: column, "y": TARGET})


def chunked(table):
    """The same rows with offsets, empty chunks, and a dictionary for each chunk where there is one."""
    parts = [table.slice(0, 7), table.slice(7, 0), table.slice(7, 60), table.slice(67)]
    batches = []
    for part in parts:
        for batch in part.to_batches() or [pa.RecordBatch.from_pylist([], table.schema)]:
            columns = []
            for column in batch.columns:
                if pa.types.is_dictionary(column.type) and pa.types.is_string(column.type.value_type):
                    column = column.cast(pa.string()).dictionary_encode().cast(column.type)
                columns.append(column)
            batches.append(pa.RecordBatch.from_arrays(columns, schema=table.schema))
    return pa.RecordBatchReader.from_batches(table.schema, batches)


class File:
    """A CSV with all that is compared, found once."""

    def __init__(self, path, **roles):
        self.path, self.roles = path, roles
        table = Table.load(path, **roles)
        self.columns = table.columns()
        self.notices = [n for n in table.notices() if b"times of day" not in n]  # of texts that only a file has
        self.fit = table.fit()
        with open("first.entropic", "wb") as out:
            out.write(self.fit[0])
        self.scores = scores_of("first.entropic", path=path, weights=roles.get("weights"))

    def compare(self, what, memory):
        found = memory.columns()
        check("%s: columns" % what, self.columns == found, "file %s\nArrow %s" % (self.columns, found))
        notices = memory.notices()
        check("%s: notices" % what, self.notices == notices, "file %s\nArrow %s" % (self.notices, notices))
        fit = memory.fit()
        check("%s: model" % what, fit == self.fit, "models differ: %s, %s" % (self.fit[1:], fit[1:]))
        check("%s: scores" % what, scores_of("first.entropic", table=memory) == self.scores)


def compare(what, path, producers, **roles):
    """Producers of Arrow against their CSV; each a name and a function that makes it."""
    try:
        file = File(path, **roles)
        for name, make in producers:
            file.compare(what + name, Table.from_arrow(make(), **roles))
    except Failure as failure:
        check(what, False, failure)


def pyarrow_cases():
    for name, column in pyarrow_columns().items():
        table = pyarrow_table(name, column)
        plain = table
        if name.startswith("float16"):
            plain = table.set_column(2, name, column.cast(pa.float32()))
        if name.startswith("dictionary"):
            plain = table.set_column(2, name, pa.array(column.to_pylist()))
        if name == "view":
            plain = table.set_column(2, name, column.cast(pa.string()))
        pa.csv.write_csv(plain, "t.csv", pa.csv.WriteOptions(quoting_style="needed"))
        producers = (("", lambda: table), (" in chunks", lambda: chunked(table)))
        compare("pyarrow %s" % name, "t.csv", producers, target="y")


def polars_cases():
    series = {name: pl.Series(NUMBERS, dtype=kind) for name, kind in
              {"Int8": pl.Int8, "Int64": pl.Int64, "UInt32": pl.UInt32, "Float64": pl.Float64}.items()}
    series["Float32"] = pl.Series([None if n is None else n / 4 for n in NUMBERS], dtype=pl.Float32)
    series["Boolean"] = pl.Series([None if n is None else n % 3 == 0 for n in NUMBERS])
    series["String"] = pl.Series(WORDS)
    series["Categorical"] = pl.Series(WORDS, dtype=pl.Categorical)
    series["Enum"] = pl.Series(WORDS, dtype=pl.Enum(sorted({w for w in WORDS if w})))
    series["Date"], series["Datetime"] = pl.Series(DAYS), pl.Series(TIMES)
    series["Datetime ms"] = pl.Series(TIMES).cast(pl.Datetime("ms"))
    series["Datetime UTC"] = pl.Series(TIMES).dt.replace_time_zone("UTC")
    series["Decimal"] = pl.Series(MONEY, dtype=pl.Decimal(20, 2))
    series["Null"] = pl.Series([None] * ROWS, dtype=pl.Null)
    for name, column in series.items():
        frame = pl.DataFrame({**BASE, name: column, "y": TARGET})
        frame.write_csv("t.csv")
        parts = pl.concat([frame.slice(0, 50), frame.slice(50)], rechunk=False)
        compare("polars %s" % name, "t.csv", (("", lambda: frame), (" in chunks", lambda: parts)), target="y")


def duckdb_cases():
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    source = pa.table({**BASE, "n": pa.array(NUMBERS, pa.int32()), "w": WORDS, "d": DAYS, "t": TIMES, "y": TARGET})
    connection.register("source", source)
    casts = {name: "n::" + name for name in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "UBIGINT", "DOUBLE",
                                             "REAL", "DECIMAL(4,1)", "DECIMAL(9,2)", "DECIMAL(18,3)", "DECIMAL(38,5)")}
    casts.update({"BOOLEAN": "n > 50", "VARCHAR": "w", "ENUM": "w::colour", "DATE": "d", "TIMESTAMP": "t",
                  "TIMESTAMP_MS": "t::TIMESTAMP_MS", "TIMESTAMP_S": "date_trunc('second', t)::TIMESTAMP_S",
                  "TIMESTAMP_NS": "t::TIMESTAMP_NS", "TIMESTAMPTZ": "t::TIMESTAMPTZ", "TIME": "date_trunc('second', t)::TIME"})
    connection.execute("CREATE TYPE colour AS ENUM (SELECT DISTINCT w FROM source WHERE w IS NOT NULL ORDER BY w)")
    for name, cast in casts.items():
        query = 'SELECT a, b, %s AS "%s", y FROM source' % (cast, name)
        connection.execute("COPY (%s) TO 't.csv' (HEADER)" % query)
        compare("duckdb %s" % name, "t.csv", [("", lambda: connection.sql(query))], target="y")


def role_cases():
    """Other roles, targets of classes, and columns that share a name or have none."""
    words, days = pa.array([w or "none" for w in WORDS]), pa.array([d or DAYS[0] for d in DAYS])
    table = pa.table({**BASE, "kind": pa.array([n or 0 for n in NUMBERS]), "w": pa.array(np.arange(ROWS) % 3 + 0.5),
                      "g": words, "d": days, "flag": pa.array([bool(x > 0.5) for x in BASE["a"]]), "y": TARGET})
    pa.csv.write_csv(table, "t.csv", pa.csv.WriteOptions(quoting_style="needed"))
    for roles in ({"target": "y", "weights": "w", "groups": "g"}, {"target": "y", "time": "d", "ignore": "g,w"},
                  {"target": "y", "categorical": "kind,d"}, {"target": "flag"}, {"target": "g"}, {"target": "kind"},
                  {"target": "y,a", "keep": "w"}, {"target": "d"}, {"target": "1", "groups": "d"}):
        compare("roles %s" % roles, "t.csv", [("", lambda: table)], **roles)
    twice = pa.table([BASE["a"], BASE["b"], TARGET], names=["a", "a", "y"])
    pa.csv.write_csv(twice, "t.csv", pa.csv.WriteOptions(quoting_style="needed"))
    compare("equal names", "t.csv", [("", lambda: twice)], target="y")


def pandas_case():
    """pandas writes True and False: a model of its CSV takes booleans from memory for these."""
    import pandas as pd
    frame = pd.DataFrame({**BASE, "f": [i % 3 == 0 for i in range(ROWS)], "k": pd.Categorical([w or "none" for w in WORDS]),
                          "t": pd.to_datetime([t or TIMES[0] for t in TIMES]).as_unit("us"), "n": pd.array(NUMBERS, "Int64"),
                          "y": TARGET + [i % 3 for i in range(ROWS)]})
    frame.to_csv("t.csv", index=False)
    try:
        file, memory = File("t.csv", target="y"), Table.from_arrow(frame, target="y")
        lower = [column[:5] + ([n.lower() for n in column[5]] if column[0] == b"f" else column[5],) for column in file.columns]
        check("pandas: columns", lower == memory.columns(), "%s\n%s" % (lower, memory.columns()))
        check("pandas: scores", scores_of("first.entropic", table=memory) == file.scores)
    except Failure as failure:
        check("pandas", False, failure)


def refusals():
    for name, column, said in (("list", pa.array([[1]] * ROWS), "'+l'"), ("struct", pa.array([{"x": 1}] * ROWS), "'+s'"),
                               ("binary", pa.array([b"x"] * ROWS), "'z'"),
                               ("duration", pa.array([1] * ROWS, pa.duration("s")), "'tDs'")):
        try:
            Table.from_arrow(pyarrow_table(name, column), target="y")
            check("%s is refused" % name, False)
        except Failure as failure:
            check("%s is refused" % name, name in str(failure) and said in str(failure), failure)
    infinite = pa.array([1.0] * (ROWS - 1) + [float("inf")])
    try:
        Table.from_arrow(pyarrow_table("z", infinite), target="y")
        check("infinity is refused", False)
    except Failure as failure:
        check("infinity is refused", "row 90" in str(failure) and "(z)" in str(failure), failure)


ELEMENTS = {"float64": 0, "float32": 1, "float16": 2, "int8": 3, "int16": 4, "int32": 5, "int64": 6, "uint8": 7,
            "uint16": 8, "uint32": 9, "uint64": 10, "bool": 11}


def view_of(name, values, **more):
    return ColumnView(size=ctypes.sizeof(ColumnView), name=name.encode(), values=values.ctypes.data,
                      stride=values.strides[0], element=ELEMENTS.get(str(values.dtype), 6), **more)


def numpy_cases():
    """Borrowed columns: strides, masks, codes, dates."""
    wide = np.column_stack([BASE["a"], BASE["b"], TARGET])
    for what, matrix in (("row-major", wide), ("column-major", np.asfortranarray(wide)), ("backwards", np.ascontiguousarray(wide[::-1])[::-1]),
                         ("float32", wide.astype("float32"))):
        times = np.array([np.datetime64("NaT") if t is None else np.datetime64(t) for t in TIMES], "datetime64[us]")
        codes = np.array([-1 if w is None else len(w) % 4 for w in WORDS], "int8")
        names = (ctypes.c_char_p * 4)(b"p", b"q", b"r", b"s")
        whole = np.array([n or 0 for n in NUMBERS], "int16")
        mask = np.array([n is None for n in NUMBERS], "uint8")
        flags = np.array([x > 0.5 for x in BASE["a"]])
        views = [view_of("a", matrix[:, 0]), view_of("b", matrix[:, 1]), view_of("t", times, date=4),
                 view_of("c", codes, categories=4, category_names=ctypes.cast(names, ctypes.POINTER(ctypes.c_char_p))),
                 view_of("n", whole, mask=mask.ctypes.data, mask_stride=1), view_of("f", flags),
                 view_of("y", matrix[:, 2])]
        table = pa.table({"a": matrix[:, 0].astype("float64"), "b": matrix[:, 1].astype("float64"), "t": pa.array(TIMES),
                          "c": pa.array([None if c < 0 else "pqrs"[c] for c in codes]), "n": pa.array(NUMBERS),
                          "f": pa.array(flags), "y": matrix[:, 2].astype("float64")})
        pa.csv.write_csv(table, "t.csv", pa.csv.WriteOptions(quoting_style="needed"))
        try:
            memory = Table.borrow(views, ROWS, (matrix, times, codes, names, whole, mask, flags), target="y")
            file = Table.load("t.csv", target="y")
            check("NumPy %s: columns" % what, file.columns() == memory.columns(), "%s\n%s" % (file.columns(), memory.columns()))
            check("NumPy %s: model" % what, file.fit() == memory.fit())
        except Failure as failure:
            check("NumPy %s" % what, False, failure)


for cases in (pyarrow_cases, polars_cases, duckdb_cases, pandas_case, role_cases, refusals, numpy_cases):
    cases()
sys.exit(end())
