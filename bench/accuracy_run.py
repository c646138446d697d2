"""Runs one learner on one split for `make accuracy`, and keeps what came of it."""
import csv
import json
import os
import shlex
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

from accuracy_tables import CLASSES, REGRESSION, label, write_csv

ENTROPIC = "entropic"
BINS = 15


def words(text, known, what):
    """The words of an option, all of them known."""
    chosen = [word for word in text.replace(",", " ").split() if word]
    for word in chosen:
        if word not in known:
            program = os.path.splitext(os.path.basename(sys.argv[0]))[0]
            raise SystemExit("%s: no %s '%s'; there are: %s" % (program, what, word, " ".join(known)))
    return chosen


# ---- errors ----


def error_of(table, truth, prediction):
    """Root of the mean square in the table's units, or the share of wrong classes."""
    if table.task == REGRESSION:
        return float(np.sqrt(np.mean((truth.astype(float) - prediction) ** 2)) / table.unit)
    return float(np.mean(truth.astype(str) != prediction.astype(str)))


def largest_residual(table, truth, prediction):
    """In the table's units, of numbers: a mean square does not show a single row that is far off."""
    return float(np.max(np.abs(truth.astype(float) - prediction)) / table.unit)


def calibration_error(probability, happened, bins=BINS):
    """How far probabilities are from shares, a mean over bins with the same number of rows each."""
    order = np.argsort(probability, kind="stable")
    parts = np.array_split(order, min(bins, len(order)))
    return float(sum(len(p) * abs(probability[p].mean() - happened[p].mean()) for p in parts) / len(order))


def probability_errors(truth, classes, probability):
    """Log loss and calibration: of the second of two classes, or of the class predicted where there are more."""
    places = {name: i for i, name in enumerate(classes)}
    own = np.array(
        [probability[i, places[name]] if name in places else 0.0 for i, name in enumerate(truth.astype(str))]
    )
    if len(classes) == 2:
        shown, happened = probability[:, 1], truth.astype(str) == classes[1]
    else:
        shown, happened = probability.max(1), np.array(classes)[probability.argmax(1)] == truth.astype(str)
    return {
        "logloss": float(-np.mean(np.log(np.clip(own, 1e-15, 1)))),
        "calibration": calibration_error(shown, happened.astype(float)),
    }


# ---- the command ----


class Failure(Exception):
    pass


class Command:
    """The command, with what it is given beside its defaults."""

    def __init__(self, path, options="", threads=2, limit=3600):
        self.path, self.options, self.threads, self.limit = os.path.abspath(path), shlex.split(options), threads, limit

    def run(self, *words):
        """Standard output, seconds, seconds of the processors, and the most memory."""
        words = [self.path, *map(str, words)]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            start = time.monotonic()
            child = subprocess.Popen(words, stdout=out, stderr=err)
            late = threading.Timer(self.limit, child.kill)
            late.start()
            _, status, usage = os.wait4(child.pid, 0)
            late.cancel()
            child.returncode = os.waitstatus_to_exitcode(status)
            seconds = time.monotonic() - start
            out.seek(0), err.seek(0)
            if child.returncode:
                said = err.read().decode(errors="replace").strip() or "status %d" % child.returncode
                raise Failure("%s: %s" % (" ".join(words[1:2]), said))
            return out.read().decode(), seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024

    def fit_and_predict(self, split, folder):
        """A record without its names, and the predictions of the test rows."""
        table = split.table
        model, out = os.path.join(folder, "model.entropic"), os.path.join(folder, "out.csv")
        if table.files:
            train, test = table.files
            target = []
        else:
            train, test = os.path.join(folder, "train.csv"), os.path.join(folder, "test.csv")
            write_csv(train, table, split.train, with_target=True)
            write_csv(test, table, split.test, with_target=False)
            target = ["--target", "target", "--task", "regression" if table.task == REGRESSION else "classification"]
        # Where there is only one split, runs differ by the seed of validation.
        seed = ["--seed", split.seed] if table.fixed and "--seed" not in self.options else []
        said, wall, cpu, memory = self.run(
            "fit", train, *target, "-o", model, "--threads", self.threads, "--json", "--quiet", *seed, *self.options
        )
        proba = ["--proba"] if table.task == CLASSES else []
        _, predict_seconds, _, _ = self.run(
            "predict", model, test, "-o", out, "--threads", self.threads, "--quiet", *proba
        )
        prediction, classes, probability = read_predictions(out, table)
        summary = json.loads(said)
        record = {
            "fit_seconds": wall,
            "cpu_seconds": cpu,
            "predict_seconds": predict_seconds,
            "bytes": os.path.getsize(model),
            "memory": memory,
        }
        record.update(
            {key: summary[key] for key in ("inputs", "features", "omega", "lambda", "select") if key in summary}
        )
        return record, prediction, classes, probability


def read_predictions(path, table):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    cells = np.array(rows[1:], object)
    if table.task == REGRESSION:
        return cells[:, 0].astype(float), None, None
    classes = [label(name[2:]) if table.files else name[2:] for name in rows[0][1:]]
    prediction = np.array([label(cell) for cell in cells[:, 0]], object) if table.files else cells[:, 0]
    return prediction, classes, cells[:, 1:].astype(float)


# ---- records ----


class Store:
    """Records in a JSON file, written after each one, so that an interruption loses nothing."""

    def __init__(self, path=None, read_only=False):
        self.path, self.read_only, self.records = path, read_only, {}
        if path and os.path.exists(path):
            with open(path) as file:
                for record in json.load(file)["records"]:
                    self.records[key_of(record)] = record

    def find(self, table, split, method):
        return self.records.get((table, split, method))

    def add(self, record):
        self.records[key_of(record)] = record
        if self.path and not self.read_only:
            write_json(self.path, {"records": list(self.records.values())})


def key_of(record):
    return record["table"], record["split"], record["method"]


def write_json(path, content):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path + ".new", "w") as file:
        json.dump(content, file, indent=1)
        file.write("\n")
    os.replace(path + ".new", path)


def finish(record, split, method, digest, prediction, classes, probability):
    table = split.table
    truth = table.target[split.test]
    record.update(
        table=table.name, split=split.number, method=method, digest=digest, error=error_of(table, truth, prediction)
    )
    if table.task == REGRESSION:
        record["largest"] = largest_residual(table, truth, prediction)
    if probability is not None:
        record.update(probability_errors(truth, classes, probability))
    return record


def measure_entropic(command, split, digest, method=ENTROPIC):
    """The record of a run, and its predictions; a failure is a record too."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            record, prediction, classes, probability = command.fit_and_predict(split, folder)
        except Failure as failure:
            return {
                "table": split.table.name,
                "split": split.number,
                "method": method,
                "digest": digest,
                "failure": str(failure),
            }, None
    return finish(record, split, method, digest, prediction, classes, probability), prediction


def measure_rival(rival, name, split, digest):
    """The record of a rival's run; None if it does not do such tables."""
    fitted = rival.run(split)
    if fitted is None:
        return None
    record = {
        "fit_seconds": fitted.fit_seconds,
        "cpu_seconds": fitted.cpu_seconds,
        "predict_seconds": fitted.predict_seconds,
        "bytes": fitted.bytes,
        "settings": rival.settings,
        "chosen": fitted.settings,
    }
    return finish(record, split, name, digest, fitted.prediction, fitted.classes, fitted.probability)
