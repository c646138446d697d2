"""fit_shards: models of shards on threads and processes have the bytes of the command's model of all rows, whatever the
shards are made of; failures of workers, column drift and Ctrl-C."""
import functools
import gc
import multiprocessing
import os
import pickle
import random
import signal
import sys
import threading
import time
import warnings
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pandas as pd

from _package import entropic, model_of_command, refused
from _tap import check, end

from entropic import _shards

QUICK = {"features": 12, "reg_lambda": 0.01, "omega": 1.0, "select": "entropy", "scale": "quantile"}
OPTIONS = ["--features", "12", "--lambda", "0.01", "--omega", "1", "--select", "entropy", "--scale", "quantile",
           "--target", "y"]
ROWS = 600


def write_rows(path, classes):
    """Numbers, text in quotes with line feeds, missing values, a date; categories that come late."""
    draw = random.Random(5)
    with open(path, "w", newline="") as file:
        file.write("a,b,c,when,w,y\n")
        for i in range(ROWS):
            a, b = draw.random(), draw.gauss(0, 1)
            c = draw.choice(["red", '"two\nlines"', "late" if i > 500 else "blue"])
            score = 3 * a * a + b * (c == "blue") + draw.gauss(0, 0.2)
            y = ("high" if score > 1.5 else "middle" if score > 0.7 else "low") if classes else "%.4f" % score
            file.write("%.5f,%s,%s,2024-%02d-%02d,%s,%s\n" % (
                a, "" if i % 11 == 3 else "%.5f" % b, c, draw.randint(1, 12), draw.randint(1, 28),
                draw.choice(["1", "0.5", "2"]), y))


def cut(path, count):
    """The rows of a file in so many files, of unequal sizes; the frames that were written."""
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    ends = [0] + [len(frame) * (i + 1) ** 2 // count ** 2 for i in range(count)]
    pieces = [frame.iloc[ends[i]:ends[i + 1]] for i in range(count)]
    names = ["%s-%d-of-%d.csv" % (path[:-4], i + 1, count) for i in range(count)]
    for name, piece in zip(names, pieces):
        piece.to_csv(name, index=False)
    return names


def bytes_of(model):
    return model.model_.to_bytes()


@functools.lru_cache(maxsize=None)
def of_command(path, *options):
    return model_of_command(path, *OPTIONS, *options)


def the_same_bytes(threads, processes):
    for path, given, options in (("numbers.csv", {}, []), ("numbers.csv", {"weights": "w"}, ["--weights", "w"]),
                                 ("classes.csv", {"loss": "logistic"}, ["--loss", "logistic"])):
        for sample in (150, 5000):
            expected = of_command(path, *options, "--sample", str(sample))
            what = "%s %s, sample %d" % (path, " ".join(options), sample)
            for count in (1, 2, 3, 5):
                executor, where = ((None, "here"), (threads, "threads"), (processes, "processes"))[count % 3]
                call = functools.partial(entropic.fit_shards, target="y", executor=executor, sample=sample, **QUICK,
                                         **given)
                check("%s: %d files, %s" % (what, count, where), bytes_of(call(cut(path, count))) == expected)
                check("%s: %d parts, %s" % (what, count, where), bytes_of(call(path, parts=count)) == expected)
    found = entropic.fit_shards("numbers.csv", "y", threads, parts=3, sample=150)
    check("nothing is given", bytes_of(found) == model_of_command("numbers.csv", "--target", "y", "--sample", "150"))
    several = entropic.fit_shards("numbers-*-of-5.csv", "y", threads, parts=3, sample=150, **QUICK)
    check("five files in three parts", bytes_of(several) == of_command("numbers.csv", "--sample", "150"))
    expected = of_command("numbers.csv", "--sample", "150", "--keep-statistics")
    for executor in (None, threads, processes):
        found = entropic.fit_shards("numbers.csv", "y", executor, parts=4, sample=150, keep_statistics=True, **QUICK)
        check("statistics are kept", bytes_of(found) == expected and len(found.receipt()) == 64)


def tables(threads, processes):
    """Frames and arrays, which stay as they are."""
    frame = pd.read_csv("numbers.csv")
    for sample in (150, 5000):
        expected = of_command("numbers.csv", "--sample", str(sample))
        for executor in (None, threads, processes):
            pieces = [frame.iloc[:70], frame.iloc[70:71], frame.iloc[71:]]
            before = [piece.copy() for piece in pieces]
            for _ in range(2 if executor is None else 1):
                found = entropic.fit_shards(pieces, "y", executor, sample=sample, **QUICK)
                check("frames, sample %d, %s" % (sample, type(executor).__name__), bytes_of(found) == expected)
            check("frames are as before", all(one.equals(other) for one, other in zip(pieces, before)))
    coded = frame.assign(kind=(frame.index * 7 % 3).astype(str)).drop(columns=["when", "c"])
    coded.to_csv("coded.csv", index=False)
    coded["kind"] = coded["kind"].astype("category")
    expected = of_command("coded.csv", "--sample", "150", "--categorical", "kind")
    found = entropic.fit_shards([coded.iloc[:300], coded.iloc[300:]], "y", threads, sample=150, **QUICK)
    check("dtype category", bytes_of(found) == expected)
    gaps = frame.assign(y=frame["y"].where(frame.index % 9 > 0), same=3)
    gaps.to_csv("gaps.csv", index=False)
    with warnings.catch_warnings(record=True) as notices:
        warnings.simplefilter("always")
        found = entropic.fit_shards([gaps.iloc[:100], gaps.iloc[100:]], "y", sample=150, **QUICK)
    check("rows without a target are dropped", bytes_of(found) == of_command("gaps.csv", "--sample", "150"))
    said = [str(one.message) for one in notices]
    check("notices once, at the line of the call", any("constant: same" in one for one in said)
          and len(set(said)) == len(said) and all(one.filename == __file__ for one in notices), said)
    matrix = frame[["a", "b", "y"]].to_numpy()
    np.savetxt("plain.csv", matrix, delimiter=",", fmt="%.17g")
    expected = model_of_command("plain.csv", "--header", "no", *OPTIONS[:-1], "3", "--sample", "150")
    for executor in (None, processes):
        found = entropic.fit_shards(np.array_split(matrix, 3), 3, executor, sample=150, **QUICK)
        check("arrays", bytes_of(found) == expected and found.predict(matrix[:, :2]).shape == (ROWS,))


def estimators(threads):
    """What is returned is as good as fitted here."""
    found = entropic.fit_shards("numbers.csv", "y", threads, parts=2, sample=150, random_state=7, n_jobs=1, **QUICK)
    check("a regressor", isinstance(found, entropic.EntropicRegressor) and found.get_params()["features"] == 12
          and found.random_state == 7)
    check("its report", found.report_["rows"] == ROWS and found.report_["features"] == 12, found.report_)
    check("its inputs", list(found.feature_names_in_) == ["a", "b", "c", "when", "w"])
    frame = pd.read_csv("numbers.csv")
    X, y = frame.drop(columns="y"), frame["y"]
    check("it predicts", found.score(X, y) > 0.5, found.score(X, y))
    check("it is pickled", np.array_equal(pickle.loads(pickle.dumps(found)).predict(X), found.predict(X)))
    check("the seed is a parameter", bytes_of(found) == of_command("numbers.csv", "--sample", "150", "--seed", "7"))
    found = entropic.fit_shards("classes.csv", "y", parts=3, sample=150, loss="logistic", **QUICK)
    frame = pd.read_csv("classes.csv")
    check("a classifier", list(found.classes_) == ["high", "low", "middle"]
          and found.score(frame.drop(columns="y"), frame["y"]) > 0.6)


def failures(threads, processes):
    names = cut("numbers.csv", 3)
    with open("bad.csv", "w") as file:
        file.write("a,b,c,when,w,y\n1,2\n")
    with open("drift.csv", "w") as file:
        file.write("a,b,colour,when,w,y\n0.1,0.2,red,2024-01-01,1,0.5\n0.3,0.1,blue,2024-01-02,1,0.2\n")
    kind = entropic.EntropicValueError
    frame = pd.read_csv("numbers.csv")
    cases = [("a bad row", kind, names[:2] + ["bad.csv"], ["bad.csv", "line 2"]),
             ("other columns", kind, names[:1] + ["drift.csv"], ["colour"]),
             ("no file", entropic.EntropicSystemError, names[:2] + ["none.csv"], ["none.csv"]),
             ("no target", kind, [frame, frame.drop(columns="y")], ["shard 2 of 2", "y"])]
    for what, error, shards, said in cases:
        for executor in (None, threads, processes):
            where = "%s, %s" % (what, type(executor).__name__)
            try:
                entropic.fit_shards(shards, "y", executor, sample=150, **QUICK)
                check(where, False, "nothing was raised")
            except Exception as raised:  # noqa: BLE001
                check(where, type(raised) is error and all(word in str(raised) for word in said), repr(raised))
                check(where + ": once, with its status", str(raised).count(said[0]) == 1 and
                      getattr(raised, "status", "") in ("BAD_DATA", "BAD_ARGUMENT", "SYSTEM"), repr(raised))
    check("executors serve again", bytes_of(entropic.fit_shards(names, "y", processes, sample=150, **QUICK)) ==
          of_command("numbers.csv", "--sample", "150"))
    for what, error, call, said in (
            ("a parameter that is not there", kind, lambda: entropic.fit_shards(names, "y", featurs=3), "featurs"),
            ("no shards", kind, lambda: entropic.fit_shards([], "y"), "no shards"),
            ("parts of a list", kind, lambda: entropic.fit_shards(names, "y", parts=2), "parts"),
            ("no parts", kind, lambda: entropic.fit_shards("numbers.csv", "y", parts=0), "parts"),
            ("a name of two lines", kind, lambda: entropic.fit_shards(["numbers.csv\nnumbers.csv"], "y"), "line feed"),
            ("one of two lines in parts", kind, lambda: entropic.fit_shards("numbers.csv\nmore.csv", "y", parts=2), "line feed"),
            ("a frame alone", TypeError, lambda: entropic.fit_shards(frame, "y"), "expected a list"),
            ("another version", entropic.EntropicError,
             lambda: entropic.fit_shards(names, "y", Answering("0.0.1")), "version 0.0.1")):
        wrong = refused(error, call, said)
        check(what, not wrong, wrong)
    lost = Answering(entropic.__version__, RuntimeError("the worker was lost"))
    wrong = refused(RuntimeError, lambda: entropic.fit_shards(names, "y", lost), "the worker was lost")
    check("other exceptions of an executor come as they are", not wrong, wrong)
    wrong = refused(kind, lambda: entropic.fit_shards(names, "y", Answering(entropic.__version__, b"nonsense")))
    check("bytes that are no answers are refused", not wrong, wrong)


class Answering:
    """An executor whose workers have this version, and answer with this."""

    def __init__(self, version, given=None):
        self.version, self.given = version, given

    def submit(self, function, *arguments):
        future = Future()
        if function.__name__ == "version_of_worker":
            future.set_result(self.version)
        elif isinstance(self.given, BaseException):
            future.set_exception(self.given)
        elif self.given is not None:
            future.set_result(self.given)
        return future  # without an answer it is waited for without end


def interrupts():
    """Ctrl-C while workers are at work: nothing else is raised, soon, and the handler is back."""
    never = Answering(entropic.__version__)
    large = pd.concat([pd.read_csv("numbers.csv")] * 200)
    for what, call in (("while no worker answers", lambda: entropic.fit_shards("numbers.csv", "y", never, parts=2)),
                       ("in this process", lambda: entropic.fit_shards([large] * 3, "y", n_jobs=1))):
        sent = [0.0]

        def send():
            time.sleep(0.3)
            sent[0] = time.perf_counter()
            os.kill(os.getpid(), signal.SIGINT)

        sender = threading.Thread(target=send)
        sender.start()
        try:
            call()
            happened = "nothing was raised"
        except KeyboardInterrupt:
            took = time.perf_counter() - sent[0]
            happened = "" if took <= 1 else "took %.2f s" % took
        except BaseException as error:  # noqa: BLE001
            happened = repr(error)
        sender.join()
        check("Ctrl-C " + what, not happened, happened)
    cancelled_answer()
    check("the handler is back", signal.getsignal(signal.SIGINT) is signal.default_int_handler)


def cancelled_answer():
    """Ctrl-C while a shard of this process answers ends the answer."""
    with open("numbers.csv") as file:
        head, rows = file.readline(), file.read()
    with open("large.csv", "w") as file:
        file.write(head + 300 * rows)
    real, ended = _shards._answer, []

    def interrupted(*arguments):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)  # the main thread takes note of it
        try:
            ended.append(len(real(*arguments)))
        except entropic.EntropicError as error:
            ended.append(error.status)
            raise
        return b""

    class Second(_shards._Exchange):  # the first question needs no rows
        def _here(self, question):
            self.asked = getattr(self, "asked", 0) + 1
            _shards._answer = interrupted if self.asked == 2 else real
            return super()._here(question)

    base, _shards._Exchange = _shards._Exchange, Second
    try:
        entropic.fit_shards("large.csv", "y", n_jobs=1)
        happened = "nothing was raised"
    except KeyboardInterrupt:
        happened = ""
    finally:
        _shards._answer, _shards._Exchange = real, base
    check("Ctrl-C ends an answer", not happened and ended == ["CANCELLED"], "%s %s" % (happened, ended))


def nothing_is_left(threads):
    """Shards are closed when a fit ends, without a run of the collector."""
    gc.collect()
    gc.disable()
    for executor in (None, threads):
        entropic.fit_shards("numbers.csv", "y", executor, parts=2, sample=150, **QUICK)
    left = [one for one in gc.get_objects() if isinstance(one, _shards._Exchange)]
    gc.enable()
    check("nothing is left of a fit", not left, left)


def main():
    write_rows("numbers.csv", False)
    write_rows("classes.csv", True)
    with ThreadPoolExecutor(3) as threads, \
            ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("forkserver")) as processes:
        the_same_bytes(threads, processes)
        tables(threads, processes)
        estimators(threads)
        failures(threads, processes)
        nothing_is_left(threads)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as forked:
        found = entropic.fit_shards("numbers.csv", "y", forked, parts=3, sample=150, **QUICK)
        check("forked workers", bytes_of(found) == of_command("numbers.csv", "--sample", "150"))
    interrupts()
    return end()


if __name__ == "__main__":
    sys.exit(main())
