"""Models of many inputs and of extreme units: explaining them takes time in proportion to what is printed, can be
interrupted, or is refused; shares do not depend on units; no export has numbers that are none."""
import json
import os
import random
import resource
import signal
import struct
import subprocess
import time
import zlib

from _sections import sections
from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
WIDE, WIDER, WIDEST, PAIRED = 3000, 12000, 18000, 150


def run(*arguments, seconds=300):
    done = subprocess.run([ENTROPIC, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def processor_seconds(*arguments):
    """What a command prints, and how long the processor worked for it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status, out, err = run(*arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return status, out, err, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write(name, inputs, rows):
    draw = random.Random(1)
    with open(name, "w") as file:
        file.write(",".join("x%d" % i for i in range(inputs)) + ",y\n")
        for _ in range(rows):
            x = [draw.random() for _ in range(inputs)]
            file.write(",".join("%.2f" % value for value in x) + ",%.4f\n" % (x[0] + x[1] * x[2] + draw.gauss(0, 0.1)))


def fit(name, features, kernel):
    status, _, err = run("fit", name + ".csv", "--target", "y", "--kernel", kernel, "--omega", "1", "--lambda", "0.1",
                         "--features", str(features), "--select", "entropy", "--quiet", "-o", name + ".entropic")
    check("a model of " + name, status == 0, err)


def check_many_factors():
    """With laplace each feature has a factor of every input."""
    write("wide.csv", WIDE, 64)
    fit("wide", 20, "laplace")
    status, out, err, seconds = processor_seconds("explain", "wide.entropic", "--json")
    check("features of %d inputs are explained" % WIDE, status == 0 and len(json.loads(out)["inputs"]) == WIDE, err)
    check("within seconds", seconds <= 5, seconds)
    status, out, err = run("explain", "wide.entropic")
    check("pairs that are too many to list are pointed out", status == 0 and "too many pairs of inputs to list" in err, err)
    check("no line is about them", len(out.splitlines()) == 1 + WIDE and "higher" not in out and "nan" not in out, out[-200:])
    status, out, err, seconds = processor_seconds("export", "wide.entropic", "-o", "wide.c", "--quiet")
    check("they are exported", status == 0 and os.path.getsize("wide.c") < 8 << 20, (err, seconds))
    with open("wide.csv") as file:
        lines = file.readlines()
    with open("one.csv", "w") as file:
        file.writelines(lines[:2])
    status, out, err = run("predict", "wide.entropic", "one.csv", "--effects", "--quiet")
    values = [float(value) for value in out.splitlines()[1].split(",")]
    check("effects add up to the score", abs(sum(values[2:]) - values[1]) <= 1e-9 * abs(values[1]), err)
    with open("long.csv", "w") as file:
        file.writelines([lines[0]] + lines[1:] * 20)
    running = subprocess.Popen([ENTROPIC, "predict", "wide.entropic", "long.csv", "--effects", "--quiet", "-o", "long.out"],
                               stderr=subprocess.DEVNULL)
    time.sleep(2)
    running.send_signal(signal.SIGINT)
    start = time.monotonic()
    running.wait(60)
    waited = time.monotonic() - start
    check("splitting scores can be interrupted", running.returncode == -signal.SIGINT and waited <= 3, (running.returncode, waited))


def check_more_factors():
    """Four times the inputs take eight times as long, not sixteen."""
    write("wider.csv", WIDER, 8)
    fit("wider", 10, "laplace")
    with open("wider.csv") as file:
        lines = file.readlines()
    with open("one.csv", "w") as file:
        file.writelines(lines[:2])
    status, out, err, seconds = processor_seconds("predict", "wider.entropic", "one.csv", "--effects", "--quiet")
    check("effects of features of %d inputs" % WIDER, status == 0 and len(out.splitlines()[1].split(",")) == 3 + WIDER, err)
    check("take seconds", seconds <= 3, seconds)


def check_refused():
    write("widest.csv", WIDEST, 4)
    fit("widest", 2, "laplace")
    for words in (("explain", "widest.entropic"), ("export", "widest.entropic", "-o", "widest.c"),
                  ("predict", "widest.entropic", "widest.csv", "--effects", "--quiet")):
        status, _, err = run(*words)
        check("%s of a feature of %d inputs is refused" % (words[0], WIDEST), status != 0 and "at most 16384" in err, err)
    check("such a model predicts", run("predict", "widest.entropic", "widest.csv", "--quiet")[0] == 0)


def check_text():
    """The table takes no longer than the same as JSON, however many pairs there are."""
    write("paired.csv", PAIRED, 100)
    fit("paired", 2 + PAIRED * (PAIRED + 1) // 2, "centred")
    _, out, err, as_json = processor_seconds("explain", "paired.entropic", "--json")
    pairs = json.loads(out)["pairs"]
    check("many pairs", len(pairs) > 5000, len(pairs))
    _, out, err, as_text = processor_seconds("explain", "paired.entropic")
    check("as many lines", len(out.splitlines()) == 1 + PAIRED + len(pairs) + 1, len(out.splitlines()))
    check("in about the same time", as_text <= 2 * as_json + 1, (as_json, as_text))
    last = pairs[-1]
    check("and the same numbers", out.splitlines()[-2].split("\t")[:2] == [" ".join(last["names"]), repr(last["share"])] or
          float(out.splitlines()[-2].split("\t")[1]) == last["share"], out.splitlines()[-2])


def shares(name, factor):
    draw = random.Random(3)
    with open(name + ".csv", "w") as file:
        file.write("a,b,c,y\n")
        for _ in range(200):
            a, b, c = draw.random(), draw.random(), draw.random()
            file.write("%.5f,%.5f,%.5f,%r\n" % (a, b, c, factor * (3 * a + a * b + 0.1 * c)))
    run("fit", name + ".csv", "--target", "y", "--features", "60", "--omega", "1", "--lambda", "1e-4", "--select",
        "entropy", "--quiet", "-o", name + ".entropic")
    found = json.loads(run("explain", name + ".entropic", name + ".csv", "--json", "--quiet")[1])
    return [part[key] for part in found["inputs"] for key in ("first", "total", "own", "covariance")] + [
        part[key] for part in found["pairs"] for key in ("share", "own", "covariance")]


def check_units():
    plain = shares("plain", 1.0)
    check("shares", len(plain) == 21 and 0.9 < plain[0] < 1, plain)
    for name, factor in (("big", 1e160), ("tiny", 1e-170)):
        found = shares(name, factor)
        check("shares of a target times %g are the same" % factor,
              len(found) == len(plain) and all(abs(f - p) <= 1e-9 for f, p in zip(found, plain)), found)
        status, _, err = run("export", name + ".entropic", "--float", "-o", name + ".c")
        check("%s is no float" % name, status != 0 and "beyond the range of float" in err, err)
        status, _, err = run("explain", name + ".entropic", "--html", name + ".html")
        check("its page", status == 0, err)


def check_overflow():
    """Weights that are finite, and scores that are not."""
    with open("plain.entropic", "rb") as file:
        data = bytearray(file.read())
    _, start, stop = next(part for part in sections(bytes(data)) if part[0] == b"WGTS")
    for at in range(stop - 8 * 60, stop, 8):
        data[at : at + 8] = struct.pack("<d", 1.7e308)
    data[-4:] = struct.pack("<I", zlib.crc32(bytes(data[:-4])))
    with open("huge.entropic", "wb") as file:
        file.write(data)
    for language in ("c", "js", "json"):
        status, _, err = run("export", "huge.entropic", "--lang", language, "-o", "huge." + language)
        check("no %s of scores outside the range of a double" % language,
              status != 0 and "outside the range of a double" in err and not os.path.exists("huge." + language), err)


check_many_factors()
check_more_factors()
check_refused()
check_text()
check_units()
check_overflow()
raise SystemExit(end())
