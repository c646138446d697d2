"""Ctrl-C at random moments, threads, forked children, memory, and the time that the package adds to the library.

    manners.py [INTERRUPTS [PART...]]    200, and all parts, unless told otherwise"""
import gc
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
import tracemalloc

import numpy as np

from _package import entropic
from _tap import check, end

from entropic._library import LIBRARY, small_context

INTERRUPTS = int(sys.argv[1]) if len(sys.argv) > 1 else 200


def table(rows, inputs, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((rows, inputs))
    return X, np.sin(5 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.standard_normal(rows)


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def interrupts():
    """A signal after a random time; how long the fit lasts after it."""
    X, y = table(*((3000, 6) if INTERRUPTS > 50 else (300, 4)))
    started = time.perf_counter()
    whole = entropic.EntropicRegressor().fit(X, y).model_.to_bytes()
    lasts = time.perf_counter() - started
    late, missed, odd, before = [], 0, [], 0
    sent = [0.0]

    def send(after):
        time.sleep(after)
        sent[0] = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    for number in range(INTERRUPTS):
        sender = threading.Thread(target=send, args=(random.Random(number).random() * 0.8 * min(lasts, 1.5),))
        try:
            sender.start()
            entropic.EntropicRegressor().fit(X, y)
            missed += 1
            sender.join()
        except KeyboardInterrupt:
            late.append(time.perf_counter() - sent[0])
        except BaseException as error:  # noqa: BLE001
            odd.append(repr(error))
        try:
            sender.join()
            time.sleep(0.001)
        except KeyboardInterrupt:
            pass
        if number == INTERRUPTS // 4:  # what is allocated once is there by now
            gc.collect()
            before = resident()
    gc.collect()
    grown = resident() - before
    check("%d interrupts: nothing but KeyboardInterrupt" % INTERRUPTS, not odd, odd)
    check("most of them interrupt a fit", len(late) >= INTERRUPTS / 2, "%d of %d" % (len(late), INTERRUPTS))
    # Of a busy machine most, not all, are in time.
    late.sort()
    check("a fit ends within 0.1 s of it", late[int(0.75 * len(late))] <= 0.1, late[::max(1, len(late) // 10)])
    check("memory does not grow", grown <= 30e6, grown)
    check("the next fit is as it should be", entropic.EntropicRegressor().fit(X, y).model_.to_bytes() == whole)
    check("the handler is back", signal.getsignal(signal.SIGINT) is signal.default_int_handler)


def handlers():
    """A handler that does not raise does not stop a fit."""
    X, y = table(400, 4)
    seen = []
    signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
        found = entropic.EntropicRegressor().fit(X, y)
        time.sleep(0.2)
        check("a handler that does not raise does not stop a fit",
              bool(seen) and np.isfinite(found.predict(X)).all(), seen)
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def threads():
    X, y = table(2000, 6)
    found = entropic.EntropicRegressor(features=100, reg_lambda=0.01, omega=1.0).fit(X, y)
    expected, wrong = found.predict(X), []

    def predict(number):
        for _ in range(30):
            rows = slice(number * 100, number * 100 + 100)
            if not np.array_equal(found.predict(X[rows]), expected[rows]):
                wrong.append(number)
            if found.predict(X[number:number + 1])[0] != expected[number]:
                wrong.append(number)

    running = [threading.Thread(target=predict, args=(number,)) for number in range(16)]
    for one in running:
        one.start()
    for one in running:
        one.join()
    check("16 threads predict on one model", not wrong, wrong)
    models = []
    running = [threading.Thread(target=lambda: models.append(entropic.EntropicRegressor(
        features=20, reg_lambda=0.01, omega=1.0).fit(X[:400], y[:400]).model_.to_bytes())) for _ in range(4)]
    for one in running:
        one.start()
    for one in running:
        one.join()
    check("4 threads fit at once", len(models) == 4 and len(set(models)) == 1)


def _fit(queue):
    X, y = table(500, 4)
    queue.put(entropic.EntropicRegressor(features=20, omega=1.0).fit(X, y).model_.to_bytes())


def forks():
    X, y = table(500, 4)
    expected = entropic.EntropicRegressor(features=20, omega=1.0).fit(X, y).model_.to_bytes()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_fit, args=(queue,))
    child.start()
    try:
        found = queue.get(timeout=120)
    except Exception as error:  # noqa: BLE001
        found = repr(error)
    child.join()
    check("a forked child fits after its parent did", found == expected, found if isinstance(found, str) else "")


def released():
    """Other threads run while the library works."""
    X, y = table(3000, 6)
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    beside = threading.Thread(target=count)
    beside.start()
    started = time.perf_counter()
    entropic.EntropicRegressor().fit(X, y)
    lasted = time.perf_counter() - started
    stop.set()
    beside.join()
    check("the lock of the interpreter is free during a fit", counted[0] >= 100 * lasted, (counted[0], lasted))


def least(call, repeats):
    best = float("inf")
    for _ in range(60):
        started = time.perf_counter()
        for _ in range(repeats):
            call()
        best = min(best, (time.perf_counter() - started) / repeats)
    return best


def one_row():
    """The time of one row by a small model, a larger one and a classifier, and that of the library's own call."""
    X, y = table(300, 5)
    small = entropic.EntropicRegressor(features=50, reg_lambda=0.01, omega=1.0).fit(X, y)
    W, t = table(3000, 12)
    larger = entropic.EntropicRegressor(features=620, reg_lambda=0.001, omega=1.0).fit(W, t)
    classes = np.digitize(t, np.quantile(t, [0.3, 0.7]))
    chosen = entropic.EntropicClassifier(features=687, reg_lambda=0.001, omega=1.0).fit(W, classes)
    for found, of, call in ((small, X, small.predict), (larger, W, larger.predict), (chosen, W, chosen.predict),
                            (chosen, W, chosen.predict_proba)):
        row, out = of[:1].copy(), np.empty((1, 3))
        whole = least(lambda: call(row), 200)
        context, model = small_context().pointer, found.model_.pointer
        place, to, inputs = row.ctypes.data, out.ctypes.data, of.shape[1]
        alone = least(lambda: LIBRARY.entropic_model_predict(context, model, place, 1, inputs, to), 200)
        what = "%s of %d features" % (call.__name__, found.model_.info.features)
        print("# one row, %s: %.1f us, of which the library takes %.1f" % (what, 1e6 * whole, 1e6 * alone))
        check("one row within 20 us: " + what, whole <= 20e-6, whole)


def whole_fit():
    """1e5 x 20 doubles: time beyond the library's calls, and no second copy of the table."""
    X, y = table(100000, 20)
    options = {"features": 200, "reg_lambda": 0.001, "omega": 1.0, "select": "entropy"}
    found = entropic.EntropicRegressor(**options)
    inner, whole = [], []

    def fit_alone():
        started = time.process_time()
        found.fit(X, y)
        return time.process_time() - started

    from entropic import _library
    original = _library.Context.call
    spent = [0.0]

    def timed(self, name, *arguments):
        started = time.process_time()
        try:
            return original(self, name, *arguments)
        finally:
            spent[0] += time.process_time() - started

    _library.Context.call = timed
    try:
        for _ in range(3):
            spent[0] = 0.0
            whole.append(fit_alone())
            inner.append(spent[0])
    finally:
        _library.Context.call = original
    share = min(w - i for w, i in zip(whole, inner)) / min(inner)
    print("# a fit of 1e5 x 20: %.2f s, the package adds %.2f %%" % (min(whole), 100 * share))
    check("a fit takes at most 3 % beyond the library", share <= 0.03, share)
    for what, rows in (("row-major", X), ("column-major", np.asfortranarray(X)), ("float32", X.astype("float32"))):
        tracemalloc.start()
        found.fit(rows, y)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        check("%s: Python makes no second copy of the table" % what, peak <= 0.1 * rows.nbytes, peak)
    told = subprocess.run([sys.executable, "-c", PEAK], capture_output=True, text=True)
    before, most = (int(line) for line in told.stdout.split() or ("0", "0"))
    print("# a table of %.0f MB: a fit takes %.0f MB besides at its peak" % (X.nbytes / 1e6, (most - before) / 1e3))
    check("the peak of a fit is known", told.returncode == 0 and most > before, told.stderr)


# The resident kilobytes of a process before and at the peak of that fit.
PEAK = """
import numpy, entropic
def status(name):
    return next(line.split()[1] for line in open("/proc/self/status") if line.startswith(name))
rng = numpy.random.default_rng(0)
X, y = rng.random((100000, 20)), rng.random(100000)
entropic.EntropicRegressor(features=200, reg_lambda=0.001, omega=1.0, select="entropy").fit(X[:100], y[:100])
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak is counted from now on
print(status("VmRSS"))
entropic.EntropicRegressor(features=200, reg_lambda=0.001, omega=1.0, select="entropy").fit(X, y)
print(status("VmHWM"))
"""


for part in (one_row, whole_fit, threads, forks, released, handlers, interrupts):
    if part.__name__ in sys.argv[2:] or not sys.argv[2:]:
        part()
sys.exit(end())
