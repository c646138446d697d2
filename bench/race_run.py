"""One run of one learner of `make race`: its process or processes, and the record of what came of it."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict

import numpy as np

import race_watch as watch
from accuracy_run import error_of, probability_errors, read_predictions
from accuracy_tables import CLASSES, Table
from race_learners import COMMAND, LEARNERS, OURS, PYTHON, Job, R, environment

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


class Runner:
    def __init__(self, build, caps, command="entropic"):
        self.caps = caps
        self.command = os.path.abspath(os.path.join(build, "bin", command))
        self.library = os.path.abspath(os.path.join(build, "lib", "libentropic.so"))
        self.environment = environment(ROOT, self.library, caps.threads)

    # ---- versions ----

    def versions(self, names):
        """Of each learner what it is made of, as text; learners that cannot run here are left out."""
        wanted = {kind: [n for n in names if LEARNERS[n].kind == kind] for kind in (COMMAND, PYTHON, R)}
        found = {name: self.said(self.command, "--version").strip() for name in wanted[COMMAND]}
        modules = self.modules(PYTHON, wanted[PYTHON], sys.executable, os.path.join(HERE, "race_child.py"))
        modules.update(self.modules(R, wanted[R], "Rscript", os.path.join(HERE, "race_child.R")))
        for name in wanted[PYTHON] + wanted[R]:
            packages = LEARNERS[name].packages
            if modules.get(packages[0]):
                found[name] = ", ".join("%s %s" % (p, modules[p]) for p in packages if modules.get(p))
        ours = {name: "%s, build %s" % (found[name], self.build()) for name in OURS if found.get(name)}
        return {name: text for name, text in {**found, **ours}.items() if text}

    def build(self):
        """Our versions differ between releases by more than their number: a digest of what is run."""
        digest = hashlib.sha256()
        for path in (self.command, self.library):
            with open(path, "rb") as file:
                digest.update(file.read())
        return digest.hexdigest()[:8]

    def modules(self, kind, names, *program):
        packages = sorted(
            {p for name in names for p in LEARNERS[name].packages} | ({"data.table"} if kind == R else set())
        )
        said = self.said(*program, "--versions", *packages) if names else ""
        if kind == PYTHON:
            return json.loads(said) if said else {}
        return {name: None if text == "-" else text for name, text in (line.split() for line in said.splitlines())}

    def said(self, *words):
        try:
            return subprocess.run(words, capture_output=True, text=True, env=self.environment, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            return ""

    # ---- processes ----

    def words_of(self, job):
        if LEARNERS[job.learner].kind == R:
            return [
                "Rscript",
                "--vanilla",
                os.path.join(HERE, "race_child.R"),
                job.learner,
                job.train,
                job.test,
                job.task,
                job.target,
                ",".join(job.categories),
                job.threads,
                job.out,
            ]
        path = os.path.join(job.scratch, "job.json")
        with open(path, "w") as file:
            json.dump(asdict(job), file)
        return [sys.executable, os.path.join(HERE, "race_child.py"), path]

    def run_child(self, job):
        outcome = watch.run(self.words_of(job), self.caps, self.environment)
        return outcome, outcome.phases

    def run_command(self, job):
        """Two processes: the fit's time without reading is what is left of the whole, predictions are with reading."""
        model, threads = os.path.join(job.scratch, "model.entropic"), ["--threads", job.threads]
        task = "classification" if job.classes else "regression"
        words = ["fit", job.train, "--target", job.target, "--task", task, "-o", model, "--json", "--quiet", *threads]
        outcome = watch.run([self.command, *words], self.caps, self.environment, "fit")
        phases = dict(outcome.phases)
        if outcome.status != watch.FINISHED:
            return outcome, phases
        report = json.loads(outcome.said)
        phases = {"read": report["seconds"]["read"], "fit": phases["fit"] - report["seconds"]["read"]}
        outcome.memory = max(outcome.memory, report["peak_rss_bytes"])
        self.report = {key: report[key] for key in ("seconds", "features", "members", "model_bytes") if key in report}
        words = ["predict", model, job.test, "-o", job.out, "--quiet", *threads, *(["--proba"] if job.classes else [])]
        second = watch.run([self.command, *words], self.caps, self.environment, "predict")
        outcome.status, outcome.message = second.status, second.message
        outcome.memory, outcome.cpu = max(outcome.memory, second.memory), outcome.cpu + second.cpu
        return outcome, {**phases, "predict": second.phases["predict"]}

    # ---- a record ----

    def run(self, learner, table):
        """What a run of a learner on a table came to, without its names."""
        self.report = {}
        with tempfile.TemporaryDirectory(prefix="race-") as scratch:
            # What a process that was ended leaves behind goes with the folder.
            self.environment.update(TMPDIR=scratch, JOBLIB_TEMP_FOLDER=scratch)
            job = Job(
                learner,
                table["train"],
                table["test"],
                table["task"],
                table["target"],
                table["categories"],
                self.caps.threads,
                os.path.join(scratch, "out.csv"),
                ROOT,
                scratch,
            )
            command = LEARNERS[learner].kind == COMMAND
            outcome, phases = self.run_command(job) if command else self.run_child(job)
            record = {
                "status": outcome.status,
                "memory": outcome.memory,
                "cpu_seconds": outcome.cpu,
                "others": outcome.others,
                "load": os.getloadavg()[0],
            }
            for phase, key in (("read", "read_seconds"), ("fit", "fit_seconds"), ("predict", "predict_seconds")):
                if phase in phases:
                    record[key] = phases[phase]
            if "fit" in outcome.cpu_phases:
                record["fit_cpu_seconds"] = outcome.cpu_phases["fit"]
            if self.report:
                record["report"] = self.report
            if outcome.status == watch.FINISHED:
                record.update(errors(table, job.out))
            else:
                record["phase"] = list(phases)[-1] if phases else watch.START
                record["message"] = outcome.message
        return record


def truth_of(table):
    with open(table["test"]) as file:
        place = file.readline().rstrip("\n").split(",").index(table["target"])
        return np.array([line.rstrip("\n").split(",")[place] for line in file], object)


def errors(table, path):
    """The error of predictions in a file: rmse over the deviation of the test rows, or the share of wrong classes."""
    truth = truth_of(table)
    about = Table(table["name"], table["task"], [], np.empty((0, 0), object), truth)
    if table["task"] != CLASSES:
        about.unit = float(truth.astype(float).std())
    with open(path) as file:
        shown = file.readline().count(",") > 0
    prediction, classes, probability = read_predictions(path, about)
    if len(prediction) != len(truth):
        return {"status": watch.FAILED, "message": "%d predictions of %d rows" % (len(prediction), len(truth))}
    found = {"error": error_of(about, truth, prediction)}
    if table["task"] == CLASSES and shown:
        found["logloss"] = probability_errors(truth, classes, probability)["logloss"]
    return (
        found if np.isfinite(found["error"]) else {"status": watch.FAILED, "message": "the predictions are not numbers"}
    )
