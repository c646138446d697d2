"""Races against other software: the same rows, the same test rows, as many threads; time, memory and error.

    race.py [--rows N,N] [--tables NAMES] [--learners NAMES] [--repeats K] [--cap SECONDS] [--memory GB] ...

Every run is a line of FOLDER/log.jsonl as soon as it is over; what is there is not run again. Writes OUTPUT.json and
OUTPUT.html, and with --docs the tables of a document. docs/races.md says what is measured, and what came of it.
"""

import argparse
import json
import os
import signal
import sys
import time

import openblas_core

openblas_core.tell()

import race_page as page  # noqa: E402
import race_report as report  # noqa: E402
import race_tables as tables  # noqa: E402
import race_watch as watch  # noqa: E402
from accuracy_run import words, write_json  # noqa: E402
from race_learners import LEARNERS  # noqa: E402
from race_run import Runner  # noqa: E402

SKIPPED = "skipped"


def say(text):
    print(text, file=sys.stderr, flush=True)


class Log:
    """Records, one a line; a line that was cut off by an interruption is left out, and so is what a later one replaces."""

    def __init__(self, path):
        self.path, self.records = path, {}
        if os.path.exists(path):
            with open(path) as file:
                for line in file:
                    if line.endswith("\n"):
                        record = json.loads(line)
                        self.records[key_of(record)] = record

    def add(self, record):
        self.records[key_of(record)] = record
        os.makedirs(os.path.dirname(os.path.abspath(self.path)), exist_ok=True)
        with open(self.path, "a") as file:
            file.write(json.dumps(record) + "\n")

    def find(self, table, learner, repeat):
        return self.records.get((table["name"], table["rows"], learner, repeat))


def key_of(record):
    return record["table"], record["rows"], record["learner"], record["repeat"]


def machine():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return {
        "processor": names[0] if names else os.uname().machine,
        "cores": len(os.sched_getaffinity(0)),
        "memory": watch.memory_info("MemTotal"),
    }


class Meeting:
    """All races of one call."""

    def __init__(self, arguments, runner, log, versions):
        self.arguments, self.runner, self.log, self.versions = arguments, runner, log, versions
        self.caps = runner.caps
        self.machine = machine()

    def still_valid(self, record, table, learner):
        """Is a record of these rows, settings, versions and threads, and would it not come out otherwise today?"""
        same = {
            "digest": table["digest"],
            "settings": LEARNERS[learner].settings,
            "version": self.versions[learner],
            "threads": self.caps.threads,
        }
        if record is None or any(record[key] != value for key, value in same.items()):
            return False
        return record["status"] == watch.FINISHED or self.as_hopeless(record)

    def as_hopeless(self, record):
        """It was ended at caps that are no narrower than today's."""
        key, cap = {watch.SLOW: ("cap_seconds", self.caps.seconds), watch.LARGE: ("cap_memory", self.caps.memory)}.get(
            record["status"], (None, 0)
        )
        return key is not None and record[key] >= cap

    def beaten_before(self, learner, table):
        """The fewest rows of this table at which it was ended, if that was fewer than these."""
        found = [
            r["rows"]
            for r in self.log.records.values()
            if (r["table"], r["learner"]) == (table["name"], learner)
            and r["rows"] < table["rows"]
            and r["threads"] == self.caps.threads
            and self.as_hopeless(r)
        ]
        return min(found, default=None)

    def one(self, learner, table, repeat):
        known = self.log.find(table, learner, repeat)
        if self.still_valid(known, table, learner):
            return
        first = self.log.find(table, learner, 0)
        if repeat and self.still_valid(first, table, learner) and first["status"] != watch.FINISHED:
            return  # once is enough
        before = None if self.arguments.all else self.beaten_before(learner, table)
        if before is None:
            record = self.runner.run(learner, table)
        else:
            record = {"status": SKIPPED, "message": "not finished at %d rows" % before}
        record.update(
            table=table["name"],
            rows=table["rows"],
            learner=learner,
            repeat=repeat,
            digest=table["digest"],
            settings=LEARNERS[learner].settings,
            version=self.versions[learner],
            threads=self.caps.threads,
            cap_seconds=self.caps.seconds,
            cap_memory=self.caps.memory,
            machine=self.machine,
            date=time.strftime("%Y-%m-%d", time.gmtime()),
        )
        if before is None or not (repeat or (known and known["status"] == SKIPPED)):
            self.log.add(record)
        say(report.line_of(record))

    def run(self, made):
        names = list(self.versions)
        for table in made():
            for repeat in range(self.arguments.repeats):
                turn = repeat * len(names) // max(1, self.arguments.repeats)  # nobody is always the first
                for learner in names[turn:] + names[:turn]:
                    self.one(learner, table, repeat)


def whole_number(text):
    return int(float(text))


def arguments_of(line):
    parser = argparse.ArgumentParser(prog="race.py", description="Races against other software.")
    add = parser.add_argument
    add("--rows", default="1e4,1e5", help="training rows of generated tables (%(default)s)")
    add(
        "--tables",
        default=",".join(tables.GENERATED),
        help="%(default)s; also real ones: " + " ".join(tables.real.SOURCES),
    )
    add("--learners", default="", help="some of: " + " ".join(LEARNERS))
    add("--repeats", type=int, default=2)
    add("--threads", type=int, default=2)
    add("--cap", type=float, default=120, metavar="SECONDS", help="for each of reading, fit, prediction (%(default)s)")
    add("--memory", type=float, default=0, metavar="GB", help="for each learner (2/3 of the machine's)")
    add("--all", action="store_true", help="runs learners at more rows too that did not finish at fewer")
    add("--build", default="build/release", help="the folder of bin/ and lib/ (%(default)s)")
    add("--folder", default="build/race", help="where tables and the log are kept (%(default)s)")
    add("--output", default="build/race", metavar="PATH", help="PATH.json and PATH.html are written (%(default)s)")
    add(
        "--data",
        default=os.environ.get("ENTROPIC_DATA", "../shared/data"),
        help="the folder of real tables (%(default)s)",
    )
    add("--docs", metavar="FILE", help="puts the results between the marks of FILE, e.g. docs/races.md")
    add("--report", action="store_true", help="runs nothing: writes what the log has")
    return parser.parse_args(line)


def write_all(arguments, log, made):
    summary = report.summarise(list(log.records.values()), made)
    write_json(arguments.output + ".json", {"summary": summary, "records": list(log.records.values())})
    with open(arguments.output + ".html", "w", encoding="utf-8") as file:
        file.write(page.page_of(summary))
    print(report.text_of(summary), end="")
    say("written: %s.json and %s.html" % (arguments.output, arguments.output))
    if arguments.docs:
        report.write_docs(arguments.docs, summary)


def main(line=None):
    arguments = arguments_of(line)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the learner that runs is ended too
    known = [*tables.GENERATED, *tables.real.SOURCES]
    names = words(arguments.tables, known, "table")
    sizes = [whole_number(word) for word in arguments.rows.replace(",", " ").split()]
    maker = tables.Maker(
        os.path.join(arguments.folder, "tables"),
        os.path.abspath(os.path.join(arguments.build, "bin", "entropic")),
        arguments.data,
    )
    caps = watch.Caps(
        arguments.cap, int(arguments.memory * 1e9) or watch.memory_info("MemTotal") * 2 // 3, arguments.threads
    )
    log = Log(os.path.join(arguments.folder, "log.jsonl"))

    def made():
        """Few rows first."""
        for rows in sizes:
            for name in names:
                if name in tables.GENERATED:
                    yield maker.make(name, rows)
        for name in names:
            if name not in tables.GENERATED:
                yield maker.make(name, 0)

    if not arguments.report:
        asked = words(arguments.learners, LEARNERS, "learner") or list(LEARNERS)
        runner = Runner(arguments.build, caps)
        versions = runner.versions(asked)
        for name in asked:
            say("%-17s %s" % (name, versions.get(name) or "left out: it is not installed"))
        Meeting(arguments, runner, log, versions).run(made)
    write_all(arguments, log, maker.kept())


if __name__ == "__main__":
    main()
