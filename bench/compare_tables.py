"""Our features compared with others on the tables of classes, through `entropic compare`, as docs/accuracy.md has it.

    compare_tables.py [--only TABLES] [--runs K] [--sizes LIST] [--docs FILE] ...

What was found is kept in OUTPUT, a file of JSON for each table; rows of the documentation whose tables are not run stay.
"""
import argparse
import os
import sys
import time
from types import SimpleNamespace

import accuracy_report as report
import accuracy_run as running
import accuracy_tables as tables
from accuracy_modes import compare_all, tuned_errors

CLASS_TABLES = ["grid", "pendigits", "adult", "a9a", "mnist"]
MARKS = ("<!-- features: written by make compare-tables -->", "<!-- end of features -->")


def say(text):
    print(text, file=sys.stderr, flush=True)


def cells_of(errors):
    """For each number of features: the error of EOF-select over that of the best rival, and which that is."""
    cells = []
    for _, found in sorted(errors.items()):
        best = min((name for name in found if not name.startswith("EOF")), key=found.get)
        cells.append("%.3f %s" % (found["EOF-select"] / found[best], best))
    return cells


def rows_between_marks(text):
    """The table of the documentation: its head and its rows."""
    inside = text.partition(MARKS[0])[2].partition(MARKS[1])[0]
    rows = [[cell.strip() for cell in line.strip("| \n").split("|")] for line in inside.splitlines() if "|" in line]
    return rows[:1] + rows[2:]


def put_rows(text, new):
    """The documentation with other cells of these tables: {table: cells}."""
    rows = rows_between_marks(text)
    rows = [[row[0], *new[row[0]]] if row[0] in new else row for row in rows]
    rows += [[name, *cells] for name, cells in new.items() if name not in {row[0] for row in rows}]
    return report.put_between_marks(text, report.markdown(rows), MARKS)


def arguments_of(line):
    parser = argparse.ArgumentParser(prog="compare_tables.py", description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--entropic", default="build/release/bin/entropic", help="the command (%(default)s)")
    add("--data", default=os.environ.get("ENTROPIC_DATA", "../shared/data"), help="the folder of tables (%(default)s)")
    add("--only", default=",".join(CLASS_TABLES), metavar="TABLES", help="which tables (%(default)s)")
    add("--runs", dest="splits", type=int, default=5, metavar="K", help="of each table (%(default)s)")
    add("--sizes", default="100,300,1000", metavar="LIST", help="numbers of features (%(default)s)")
    add("--output", default="build/compare", metavar="FOLDER", help="where the numbers are kept (%(default)s)")
    add("--docs", metavar="FILE", help="puts the rows between the marks of FILE")
    return parser.parse_args(line)


def main(line=None):
    arguments = arguments_of(line)
    campaign = SimpleNamespace(arguments=arguments, command=running.Command(arguments.entropic, limit=24 * 3600))
    os.makedirs(arguments.output, exist_ok=True)
    for name in arguments.only.split(","):
        if name not in tables.SOURCES:
            raise SystemExit("compare_tables: no table '%s'; there are: %s" % (name, " ".join(tables.SOURCES)))
    for name in arguments.only.split(","):
        start = time.monotonic()
        answer = compare_all(campaign, tables.load(name, arguments.data), arguments.sizes)
        answer["seconds"] = time.monotonic() - start
        running.write_json(os.path.join(arguments.output, name + ".json"), answer)
        cells = cells_of(tuned_errors(answer))
        say("%-18s %s, %.0f s" % (name, ", ".join(cells), answer["seconds"]))
        if arguments.docs:
            with open(arguments.docs, encoding="utf-8") as file:
                text = put_rows(file.read(), {name: cells})
            with open(arguments.docs, "w", encoding="utf-8") as file:
                file.write(text)


if __name__ == "__main__":
    main()
