"""How good models are on real tables, compared with other learners: the mean error of some splits.

    accuracy.py [--entropic PATH] [--data FOLDER] [--only TABLES] [--methods METHODS] [--splits K] ...

Writes accuracy.txt, accuracy.json and accuracy.html, and rivals.json, where rivals' results are kept for the next time.
docs/accuracy.md says what is measured.
"""
import argparse
import os
import sys

# Read when the libraries below are loaded. Threads that spin while they wait made HistGradientBoosting ten times slower
# wherever another program ran beside it.
for variable, value in (("OMP_NUM_THREADS", "2"), ("OPENBLAS_NUM_THREADS", "2"), ("OMP_WAIT_POLICY", "passive")):
    os.environ.setdefault(variable, value)

import openblas_core  # noqa: E402

openblas_core.tell()

import accuracy_report as report  # noqa: E402
import accuracy_run as running  # noqa: E402
import accuracy_tables as tables  # noqa: E402
from accuracy_modes import MODES  # noqa: E402
from accuracy_rivals import RIVALS  # noqa: E402


BEFORE = "before"


def say(text):
    print(text, file=sys.stderr, flush=True)


class Campaign:
    """Which learners, on which splits, with which earlier results."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.command = running.Command(arguments.entropic, arguments.options, limit=arguments.limit)
        self.run_rivals = not arguments.rivals_from
        path = arguments.rivals_from or arguments.cache or os.path.join(arguments.output, "rivals.json")
        if arguments.rivals_from and not os.path.exists(path):
            raise SystemExit("accuracy: %s is not there" % path)
        self.cache = running.Store(path, read_only=not self.run_rivals)
        self.before = running.Store(arguments.before, read_only=True)
        self.ours = running.Store(arguments.ours_from, read_only=True)
        self.results = running.Store()
        self.core = openblas_core.in_use()
        say("OpenBLAS, of all learners, with its code for %s" % self.core)
        self.tables = {}

    def say(self, text):
        say(text)

    def table(self, name):
        if name not in self.tables:
            table = tables.load(name, self.arguments.data)
            self.tables[name] = tables.as_in_paper(table) if self.arguments.paper else table
        return self.tables[name]

    def splits(self, table):
        rows = table.paper_rows if self.arguments.paper else 0
        return [tables.split(table, number, rows or None) for number in range(self.arguments.splits)]

    def rival(self, name, split, digest):
        """From the cache, or run now; None where it does not do such tables, or nothing new comes of another run."""
        rival = RIVALS[name]
        if split.table.fixed and split.number and not rival.random:
            return None
        known = self.cache.find(split.table.name, split.number, name)
        if known and (known["digest"], known["settings"]) != (digest, rival.settings):
            known = None
        lacks = split.table.task == tables.REGRESSION and "largest" not in (known or {})
        if known and self.run_rivals and (known.get("core") != self.core or lacks):
            known = None  # its times are those of other code, or it was kept before residuals were looked at
        if not self.run_rivals or (known and not self.arguments.retime):
            return known
        try:
            record = running.measure_rival(rival, name, split, digest)
        except ImportError as missing:
            say("%s: left out: %s (Debian: python3-%s)" % (name, missing, name))
            return known
        if record:
            record["core"] = self.core
            if known:
                record.update(
                    {key: min(known[key], record[key]) for key in ("fit_seconds", "cpu_seconds", "predict_seconds")}
                )
            self.cache.add(record)
        return record

    def earlier(self, split, digest):
        known = self.before.find(split.table.name, split.number, running.ENTROPIC)
        return dict(known, method=BEFORE) if known and known["digest"] == digest else None

    def own(self, split, digest):
        """What --ours-from has, or a run."""
        known = self.ours.find(split.table.name, split.number, running.ENTROPIC)
        if known and known["digest"] == digest:
            return known
        return running.measure_entropic(self.command, split, digest)[0]

    def one(self, method, split):
        """Runs or finds one result and says so."""
        digest = split.digest()
        if method == running.ENTROPIC:
            record = self.own(split, digest)
        elif method == BEFORE:
            record = self.earlier(split, digest)
        else:
            record = self.rival(method, split, digest)
        if record:
            self.results.add(record)
            say(report.line_of(record))
        return record

    def run(self, methods, names):
        """Method by method: a rival that takes long does not keep the others waiting."""
        for method in methods:
            for name in names:
                for split in self.splits(self.table(name)):
                    self.one(method, split)

    def summary(self, methods, names):
        about = []
        for table in map(self.table, names):
            split = self.splits(table)[0]
            about.append(
                {
                    "name": table.name,
                    "task": table.task,
                    "unit": table.unit_name,
                    "fixed": table.fixed,
                    "train_rows": len(split.train),
                    "test_rows": len(split.test),
                    "inputs": len(table.names),
                }
            )
        return report.summarise(list(self.results.records.values()), about, methods)


def write_all(arguments, campaign, summary, sections):
    text = report.text_of(summary, sections)
    print(text, end="")
    folder = arguments.output
    os.makedirs(folder, exist_ok=True)
    running.write_json(
        os.path.join(folder, "accuracy.json"),
        {
            "options": arguments.options,
            "splits": arguments.splits,
            "paper": arguments.paper,
            "records": list(campaign.results.records.values()),
            "summary": summary,
            "sections": [{"title": title, "rows": rows, "note": note} for title, rows, note in sections],
        },
    )
    for name, content in (("accuracy.txt", text), ("accuracy.html", report.page_of(summary, sections))):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content)
    say("written: accuracy.txt, accuracy.json and accuracy.html in %s" % folder)
    if arguments.docs and summary:
        with open(arguments.docs, encoding="utf-8") as file:
            old = file.read()
        with open(arguments.docs, "w", encoding="utf-8") as file:
            file.write(report.put_between_marks(old, report.markdown_of(summary)))


def arguments_of(line):
    parser = argparse.ArgumentParser(
        prog="accuracy.py", description="How good models are on real tables, compared with other learners."
    )
    add = parser.add_argument
    add("--entropic", default="build/release/bin/entropic", help="the command (%(default)s)")
    add("--options", default="", help='more options for entropic fit, e.g. "--features 200"')
    add("--data", default=os.environ.get("ENTROPIC_DATA", "../shared/data"), help="the folder of tables (%(default)s)")
    add("--only", default="", metavar="TABLES", help="some tables: " + " ".join(tables.SOURCES))
    add("--methods", default="", help="some of: entropic " + " ".join(RIVALS))
    add("--splits", type=int, default=5, metavar="K", help="how many splits of each table (%(default)s)")
    add("--rivals-from", metavar="FILE", help="rivals' results of an earlier run; no rival is run")
    add(
        "--retime",
        action="store_true",
        help="runs rivals again although they are in the cache; the shorter time is kept",
    )
    add("--cache", metavar="FILE", help="where rivals' results are kept (OUTPUT/rivals.json)")
    add("--before", metavar="FILE", help="accuracy.json of an earlier run: its entropic is shown as one more rival")
    add(
        "--ours-from", metavar="FILE", help="accuracy.json of an earlier run: what entropic did there is not done again"
    )
    add("--output", default="build/accuracy", metavar="FOLDER", help="where results are written (%(default)s)")
    add("--docs", metavar="FILE", help="puts the table between the marks of FILE, e.g. docs/accuracy.md")
    add("--paper", action="store_true", help="splits and units of the source paper; its tables alone")
    add("--limit", type=float, default=3600, metavar="SECONDS", help="a fit that takes longer has failed (%(default)s)")
    modes = parser.add_argument_group("instead of the table of errors")
    for mode in MODES:
        modes.add_argument("--" + mode.key.replace("_", "-"), **mode.option, help=mode.help)
    return parser.parse_args(line)


def main(line=None):
    arguments = arguments_of(line)
    names = running.words(arguments.only, tables.SOURCES, "table")
    known = [running.ENTROPIC, *RIVALS]
    methods = running.words(arguments.methods, known, "method")
    if not os.path.isdir(arguments.data):
        raise SystemExit("accuracy: no tables: %s is not there; set ENTROPIC_DATA" % arguments.data)
    campaign = Campaign(arguments)
    sections = [
        part
        for mode in MODES
        if (value := getattr(arguments, mode.key))
        for part in mode.run(campaign, value, names, methods)
    ]
    summary = None
    if not sections:
        names = names or list(tables.PAPER if arguments.paper else tables.SOURCES)
        methods = (methods or known) + ([BEFORE] if arguments.before else [])
        campaign.run(methods, names)
        summary = campaign.summary(methods, names)
    write_all(arguments, campaign, summary, sections)


if __name__ == "__main__":
    main()
