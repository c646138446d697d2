"""Parquet files, databases of DuckDB and SQL give the model of the same table as CSV, byte for byte; memory does not grow
with the file; what cannot be read is refused with DuckDB's message. Skipped without libduckdb.so."""
import ctypes
import os
import resource
import signal
import subprocess
import sys
import time

from _tap import check, end, skip

ENTROPIC = os.environ["ENTROPIC"]
CHEAP = ["--select", "entropy", "--features", "20", "--omega", "1", "--lambda", "0.1", "--scale", "quantile"]
FETCHED = os.path.join(os.environ["ENTROPIC_SOURCE"], "build", "duckdb", "libduckdb.so")
if "ENTROPIC_DUCKDB" not in os.environ and os.path.exists(FETCHED):
    os.environ["ENTROPIC_DUCKDB"] = FETCHED


def run(*arguments, **more):
    done = subprocess.run([ENTROPIC, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=300, **more)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def model_of(*words, **more):
    """The bytes of a model, or what was said instead."""
    if os.path.exists("model"):
        os.remove("model")
    status, _, errors = run("fit", *words, "--target", "y", *CHEAP, "-o", "model", **more)
    if status != 0:
        return errors
    with open("model", "rb") as file:
        return file.read()


class Database:
    """A database through the library itself."""

    def __init__(self, library, path=None):
        self.library = library
        self.database, self.connection = ctypes.c_void_p(), ctypes.c_void_p()
        assert library.duckdb_open(path.encode() if path else None, ctypes.byref(self.database)) == 0
        assert library.duckdb_connect(self.database, ctypes.byref(self.connection)) == 0

    def __call__(self, *queries):
        for query in queries:
            result = (ctypes.c_uint64 * 6)()
            failed = self.library.duckdb_query(self.connection, query.encode(), ctypes.byref(result))
            said = self.library.duckdb_result_error(ctypes.byref(result)) if failed else b""
            self.library.duckdb_destroy_result(ctypes.byref(result))
            assert not failed, said.decode()

    def close(self):
        self.library.duckdb_disconnect(ctypes.byref(self.connection))
        self.library.duckdb_close(ctypes.byref(self.database))


# Each expression with the row number i; nulls are put in where i is a multiple of 13.
TYPES = {
    "boolean": "i % 3 = 0", "tiny": "(i % 100 - 50)::TINYINT", "small": "(i * 7 % 1000)::SMALLINT",
    "plain": "(i * 104729 % 100003)::INTEGER", "big": "(i * 99991 * 99991 % 1000003)::BIGINT",
    "utiny": "(i % 200)::UTINYINT", "usmall": "(i % 60000)::USMALLINT", "uplain": "(i * 31)::UINTEGER",
    "ubig": "(i * 77)::UBIGINT", "huge": "(i * 123456789 % 100000007)::HUGEINT",
    "single": "((i % 64) / 8)::FLOAT", "double": "sqrt(i)", "decimal": "(i * 0.25)::DECIMAL(9,2)",
    "wide": "(i * 1000.125)::DECIMAL(30,3)", "day": "DATE '2020-01-01' + (i % 900)::INTEGER",
    "stamp": "TIMESTAMP '2021-03-04 05:06:07' + INTERVAL (i) HOUR",
    "zoned": "(TIMESTAMP '2022-03-04 05:06:07' + INTERVAL (i) MINUTE)::TIMESTAMP::VARCHAR::TIMESTAMP",
    "clock": "TIME '00:00:00' + INTERVAL (i % 86400) SECOND", "words": "'w' || (i % 7)",
    "quoted": "CASE i % 3 WHEN 0 THEN 'a, \"b\"' WHEN 1 THEN ' blanks ' ELSE 'two' || chr(10) || 'lines' END",
    "choice": "(CASE i % 3 WHEN 0 THEN 'red' WHEN 1 THEN 'green' ELSE 'blue' END)::ENUM ('blue', 'red', 'green')",
    "numerals": "(i % 5)::VARCHAR", "nothing": "NULL::INTEGER", "same": "5",
}
ROWS = 5000


def make_table(db):
    columns = ", ".join('CASE WHEN i %% 13 = 5 THEN NULL ELSE %s END AS "%s"' % (of, name)
                        for name, of in TYPES.items())
    db("CREATE TABLE t AS SELECT %s, (i * i %% 23)::DOUBLE AS y FROM range(%d) r(i) ORDER BY i" % (columns, ROWS),
       "COPY t TO 'all.csv' (HEADER)", "COPY t TO 'all.parquet' (ROW_GROUP_SIZE 2048)")
    os.makedirs("parts", exist_ok=True)
    for i in range(5):
        db("COPY (SELECT * FROM t LIMIT 1000 OFFSET %d) TO 'parts/%d.parquet'" % (1000 * i, i))


def check_types(db):
    make_table(db)
    expected = model_of("all.csv")
    check("the CSV file is learnt", isinstance(expected, bytes), expected)
    check("Parquet", model_of("all.parquet") == expected, model_of("all.parquet"))
    check("Parquet on one thread", model_of("all.parquet", "--threads", "1") == expected)
    check("a folder of Parquet", model_of("parts") == expected)
    check("a pattern", model_of("parts/*.parquet") == expected)
    check("several files", model_of(*["parts/%d.parquet" % i for i in range(5)]) == expected)
    check("SQL over Parquet", model_of("-", "--sql", "SELECT * FROM 'all.parquet'") == expected)
    check("a database of one table", model_of("one.duckdb") == expected)
    check("SQL in a database", model_of("one.duckdb", "--sql", "SELECT * FROM t") == expected)
    for name in [name for name in TYPES if name not in ("nothing", "same")]:
        more = ["--ignore", ",".join(other for other in TYPES if other != name), "--keep", name]
        one = model_of("all.csv", *more)
        check("the type of %s" % name, isinstance(one, bytes) and one == model_of("all.parquet", *more), one)
    for words in (["predict"], ["score"]):
        found = [run(*words, "model", data) for data in ("all.csv", "all.parquet", "one.duckdb")]
        check(words[0], found[0][0] == 0 and len({out for _, out, _ in found}) == 1, found)
    check("features", run("features", "all.parquet", "--ignore", ",".join(
        ["boolean", "words", "quoted", "choice", "clock", "day", "stamp", "zoned", "nothing"]))[0] == 2)
    numbers = ["-", "--features", "9", "--target", "y", "--sql",
               "SELECT coalesce(plain, 0) AS a, coalesce(single, 0) AS b, y FROM '%s'"]
    one, other = (run("features", *numbers[:-1], numbers[-1] % name) for name in ("all.csv", "all.parquet"))
    check("features of numbers", one[0] == 0 and one[1] == other[1], other)


def check_roles(db):
    db("COPY (SELECT i AS a, i % 7 AS b, [i, i] AS list, {'k': i} AS struct, i * i % 11 AS y FROM range(500) r(i)) TO "
       "'nested.parquet'", "COPY (SELECT i AS a, i % 7 AS b, i * i % 11 AS y FROM range(500) r(i)) TO 'flat.csv'",
       "COPY (SELECT i AS a, '\\x00'::BLOB AS raw, i % 11 AS y FROM range(50) r(i)) TO 'raw.parquet'")
    found = model_of("nested.parquet")
    check("a list is refused", "nested.parquet, column 3 (list): its type is LIST" in str(found), found)
    found = model_of("nested.parquet", "--ignore", "list")
    check("a struct is refused", "column 4 (struct): its type is STRUCT" in str(found), found)
    check("they can be ignored", model_of("nested.parquet", "--ignore", "list,struct") == model_of("flat.csv"))
    check("also of SQL", model_of("-", "--sql", "SELECT * FROM 'nested.parquet'", "--ignore", "list,struct")
          == model_of("flat.csv"))
    model_of("flat.csv")
    check("predict reads the inputs alone",
          run("predict", "model", "nested.parquet")[1] == run("predict", "model", "flat.csv")[1] != "")
    check("roles by number", model_of("nested.parquet", "--ignore", "3,4", "--categorical", "2")
          == model_of("flat.csv", "--categorical", "b"))
    db("COPY (SELECT i % 5 AS a, i % 3 AS a, i % 11 AS y FROM range(50) r(i)) TO 'twice.parquet'")
    check("names that stand twice", isinstance(model_of("twice.parquet"), bytes), model_of("twice.parquet"))
    found = model_of("-", "--sql", "SELECT i AS a, i % 3 AS a, i % 11 AS y FROM range(50) r(i)")
    check("names that stand twice in SQL", isinstance(found, bytes), found)
    found = model_of("-", "--sql", "SELECT i AS a, CASE WHEN i = 40 THEN 1e308 * 10 ELSE i END AS b, i % 7 AS y FROM "
                     "range(50) r(i)")
    check("infinity has its row", "the SQL query, row 41, column 2 (b)" in str(found), found)


def check_refused(db):
    def refused(what, words, *expected):
        found = model_of(*words)
        check(what, isinstance(found, str) and all(text in found for text in expected), found)

    with open("all.parquet", "rb") as file:
        whole = file.read()
    for name, part in (("cut", whole[:len(whole) // 2]), ("head", whole[:10]), ("tail", whole[:-20])):
        with open(name + ".parquet", "wb") as file:
            file.write(part)
        refused("a Parquet file that is cut short: " + name, [name + ".parquet"], name + ".parquet")
    broken = bytearray(whole)
    broken[1000:3000] = bytes(2000)
    with open("broken.parquet", "wb") as file:
        file.write(broken)
    refused("a Parquet file that is corrupt", ["broken.parquet"], "broken.parquet")
    refused("SQL with an error", ["-", "--sql", "SELEKT 1"], "the SQL query: Parser Error", "SELEKT")
    refused("SQL about no table", ["-", "--sql", "SELECT * FROM nowhere"], "the SQL query: Catalog Error", "nowhere")
    refused("SQL that fails late", ["-", "--sql", "SELECT CASE WHEN i = 90000 THEN error('late') ELSE i END AS a, i AS y "
                                    "FROM range(100000) r(i)"], "the SQL query", "late")
    refused("SQL without rows", ["-", "--sql", "SELECT 1 AS a, 2 AS y WHERE false"], "the SQL query has no rows")
    refused("two queries", ["-", "--sql", "SELECT 1 AS y; SELECT 2 AS y"], "the SQL query")
    refused("an empty query", ["-", "--sql", " "], "the SQL query")
    refused("SQL and a file", ["all.csv", "--sql", "SELECT 1 AS y"], "and all.csv is not one")
    refused("a column that is not there", ["all.parquet", "--ignore", "bogus"], "all.parquet: no column bogus")
    refused("the network", ["-", "--sql", "INSTALL httpfs"], "the SQL query")
    two = Database(db.library, "two.duckdb")
    two("CREATE TABLE a AS SELECT 1 AS y", "CREATE TABLE b AS SELECT 1 AS y")
    two.close()
    refused("a database of several tables", ["two.duckdb"], "two.duckdb is a DuckDB database of 2 tables: a, b")
    refused("a database is not written to", ["two.duckdb", "--sql", "DROP TABLE a"], "read-only")
    with open("bad.duckdb", "wb") as file:
        file.write(b"\0" * 8 + b"DUCK" + b"\0" * 5000)
    refused("a database that is corrupt", ["bad.duckdb"], "bad.duckdb")
    for name, query, said in (
            ("b", "SELECT i AS a, i AS z, i AS y FROM range(9) r(i)", ["drift/b.parquet, column 2: found 'z', expected 'b'",
                                                                      "drift/a.parquet"]),
            ("b", "SELECT i AS b, i AS a, i AS y FROM range(9) r(i)", ["drift/b.parquet, column 1: found 'b'"]),
            ("b", "SELECT i AS a, i AS b FROM range(9) r(i)", ["drift/b.parquet: found 2 columns", "(y)"]),
            ("b", "SELECT i AS a, i AS b, i AS y, 1 AS c FROM range(9) r(i)", ["drift/b.parquet", "column 4 (c)"]),
            ("b", "SELECT i AS a, i + 0.5::DOUBLE AS b, i AS y FROM range(9) r(i)",
             ["drift/b.parquet, column 2 (b): found the type DOUBLE", "INT64"])):
        os.makedirs("drift", exist_ok=True)
        db("COPY (SELECT i AS a, i AS b, i AS y FROM range(9) r(i)) TO 'drift/a.parquet'",
           "COPY (%s) TO 'drift/%s.parquet'" % (query, name))
        refused("files of other columns: " + query, ["drift"], *said)
    found = model_of("all.parquet", env={**os.environ, "ENTROPIC_DUCKDB": "/nowhere/libduckdb.so"})
    check("without the library", "libduckdb.so is needed" in str(found), found)
    found = model_of("all.parquet", env={**os.environ, "ENTROPIC_DUCKDB": "/lib/x86_64-linux-gnu/libm.so.6"})
    check("another library", "libduckdb.so is needed" in str(found) and "duckdb_open_ext" in str(found), found)


def peak(*words):
    """The memory that a command needed, in MiB."""
    done = subprocess.Popen([ENTROPIC, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(done.pid, 0)
    return usage.ru_maxrss / 1024 if status == 0 else float("nan")


def check_streamed(db):
    """Ten times the rows take no more memory, and a cancelled query ends soon."""
    for rows in (300000, 3000000):
        db("COPY (SELECT random() AS a, random() AS b, random() AS c, 'w' || (i %% 9) AS d, random() AS y FROM range(%d) "
           "r(i)) TO '%d.parquet'" % (rows, rows))
    db("COPY (SELECT * FROM '300000.parquet' LIMIT 2000) TO 'few.parquet'")
    model_of("few.parquet")
    small, large = peak("predict", "model", "300000.parquet"), peak("predict", "model", "3000000.parquet")
    check("predict does not hold the file", large < small + 64, "%.0f MiB, then %.0f MiB" % (small, large))
    endless = "SELECT sum(a.i * b.i * c.i) AS y FROM range(1000000) a(i), range(1000000) b(i), range(1000) c(i)"
    rare = "SELECT i AS a, i AS y FROM range(1000000000000) r(i) WHERE hash(i) = 5"
    for what, query in (("a query without rows yet", endless), ("one whose rows are rare", rare)):
        started = subprocess.Popen([ENTROPIC, "fit", "-", "--sql", query, "--target", "y", "-o", "x"],
                                   stderr=subprocess.PIPE)
        time.sleep(1)
        started.send_signal(signal.SIGINT)
        start = time.time()
        try:
            started.communicate(timeout=20)
            check("%s: an interrupt ends it" % what, started.returncode == -signal.SIGINT, started.returncode)
            check("%s: soon" % what, time.time() - start < 5, time.time() - start)
        except subprocess.TimeoutExpired:
            started.kill()
            check("%s: an interrupt ends it" % what, False, "it goes on")


def check_order():
    """Queries give their rows in the same order each time, whatever the threads."""
    query = "SELECT i % 1000 AS a, avg(sqrt(i)) AS b, sum(sqrt(i)) AS y FROM range(300000) r(i) GROUP BY 1"
    one = model_of("-", "--sql", query, "--threads", "1")
    check("the order of groups", all(model_of("-", "--sql", query, "--threads", t) == one for t in ("2", "4")), one)


def main():
    try:
        library = ctypes.CDLL(os.environ.get("ENTROPIC_DUCKDB", "libduckdb.so"))
        library.duckdb_open  # Python's own module has the name, but not the functions
    except (OSError, AttributeError):
        skip("Parquet, databases and SQL", "there is no libduckdb.so; make check-duckdb fetches it")
        return
    library.duckdb_result_error.restype = ctypes.c_char_p
    one = Database(library, "one.duckdb")
    make_table(one)
    one.close()
    db = Database(library)
    check_types(db)
    check_roles(db)
    check_refused(db)
    check_streamed(db)
    check_order()
    db.close()


main()
sys.exit(end())
