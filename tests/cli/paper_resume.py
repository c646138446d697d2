"""`entropic paper` goes on where it was: killed at any moment it ends with the same bits, and it takes no log that is
not its own."""
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

from _tap import check, end, skip

ENTROPIC = os.environ["ENTROPIC"]
DATA = os.environ.get("ENTROPIC_DATA") or os.path.join(os.environ["ENTROPIC_SOURCE"], "..", "shared", "data")
FILE = os.path.join(DATA, "energy_efficiency.csv.gz")
LOG = "energy-quick-1.tsv"

# What depends on times; everything else may not differ in a single bit.
TIMES = ("train_seconds", "train_low", "train_high", "make_seconds", "lift_seconds", "trainings", "load", "frontier")


def words(folder, *more):
    return [ENTROPIC, "paper", "--data", "one", "--checkpoint", folder, "--html", folder + ".html", "--json", "--quiet",
            *(more or ("--quick",))]


def run(folder, *more):
    return subprocess.run(words(folder, *more), capture_output=True, text=True)


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def lines_of(folder, log=LOG):
    """Complete lines of the log, without its head."""
    try:
        return read(folder, log).split(b"\n")[1:-1]
    except FileNotFoundError:
        return []


def without_times(value):
    """Numbers as they are written, without those that depend on times."""
    if isinstance(value, dict):
        return {key: without_times(v) for key, v in value.items() if key not in TIMES}
    return [without_times(v) for v in value] if isinstance(value, list) else value


def parse(text):
    """JSON with every number as its digits."""
    return json.loads(text, parse_float=str, parse_int=str)


def start(folder, log, is_time, *more):
    """A process whose log has come to a certain line; None if it was over before."""
    process = subprocess.Popen(words(folder, *more), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not is_time(lines_of(folder, log)):
        time.sleep(0.005)
    return process if process.poll() is None else None


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.wait()


def write_log(folder, text, log=LOG):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, log), "wb") as file:
        file.write(text)


def tear(folder, log=LOG):
    """Cuts the last line anywhere, but leaves a part of it."""
    text = read(folder, log).rstrip(b"\n")
    write_log(folder, text[:-random.randrange(1, len(text) - text.rindex(b"\n"))], log)


def check_refused(what, folder, *expected, more=()):
    """Refused with these words, and the log is left alone."""
    before = sorted((name, read(folder, name)) for name in os.listdir(folder))
    done = run(folder, *more)
    after = sorted((name, read(folder, name)) for name in os.listdir(folder))
    check(what, done.returncode != 0 and not done.stdout and all(text in done.stderr for text in expected) and
          before == after, "status %d: %s" % (done.returncode, done.stderr))


def interrupt(folder, moment):
    """Killed when so many lines are logged; in the meantime nobody else may write there. The last line is torn."""
    process = start(folder, LOG, lambda lines: len(lines) >= moment)
    if process is None:
        return False
    process.send_signal(signal.SIGSTOP)
    try:
        done = run(folder)
    finally:
        kill(process)
    check("a second process on the same folder is refused", done.returncode != 0 and not done.stdout and
          "%s/%s: another process writes to it" % (folder, LOG) in done.stderr, done.stderr)
    tear(folder)
    return True


def check_interrupted(whole, count):
    moment = random.randrange(5, count // 2)
    name = "killed after %d of %d lines" % (moment, count)
    check(name, interrupt("broken", moment))
    kept = lines_of("broken")
    check("and before it was over", moment - 1 <= len(kept) < count, len(kept))
    done = run("broken")
    check("it goes on to the end", done.returncode == 0, done.stderr)
    check("with the same bits", bool(done.stdout) and without_times(parse(done.stdout)) == without_times(whole))
    after = lines_of("broken")
    check("what was logged is taken from there", after[:len(kept)] == kept)
    keys = [line.split(b"\t")[:6] for line in after]
    check("every line is there once", len(after) == count and all(keys.count(key) == 1 for key in keys), len(after))


def runs_of(folder, log, number):
    """The fields of the lines of the run of this number, in order."""
    fields = [line.split(b"\t") for line in lines_of(folder, log)]
    return sorted(line for line in fields if line[0] == b"run" and line[5] == b"%d" % number)


def has_times(lines):
    """Whether all runs are over."""
    return any(line[:5] == b"time\t" for line in lines)


def log_runs(folder, log, is_time, *more):
    process = start(folder, log, is_time, *more)
    if process is not None:
        kill(process)
    return process is not None


def check_second_run():
    """Several runs, killed in the second one. That has the seed 2, as the first run of that seed: the same bits."""
    first, log = "energy-1.tsv", "energy-2.tsv"
    check("one run of seed 2", log_runs("two", log, has_times, "--runs", "1", "--seed", "2"))
    wanted = runs_of("two", log, 2)
    moment = random.randrange(1, len(wanted) // 2)
    check("two runs, killed after %d of %d lines of the second" % (moment, len(wanted)), log_runs(
        "runs", first, lambda lines: len(runs_of("runs", first, 2)) >= moment, "--runs", "2"))
    tear("runs", first)
    kept = lines_of("runs", first)
    check("the first run was over, the second was not", len(runs_of("runs", first, 1)) == len(wanted) and
          len(runs_of("runs", first, 2)) < len(wanted))
    check("they go on", log_runs("runs", first, has_times, "--runs", "2"))
    check("from what there was", lines_of("runs", first)[:len(kept)] == kept)
    check("to the same bits", len(wanted) > 100 and runs_of("runs", first, 2) == wanted)


def check_complete(text):
    """All is in the log: nothing is run or measured again."""
    before = read("whole", LOG)
    done = run("whole")
    check("a complete log gives the same, also the times", parse(done.stdout) == parse(text), done.stderr)
    check("and stays as it is", read("whole", LOG) == before)


def check_foreign():
    log = read("whole", LOG)
    lines = log.split(b"\n")
    write_log("spoilt", b"\n".join(lines[:6] + [lines[6].replace(b"\t", b" ", 1)] + lines[7:]))
    check_refused("a spoilt line is refused by its number", "spoilt", "spoilt/%s:7: " % LOG)
    write_log("number", b"\n".join(lines[:3] + [lines[3].rpartition(b"\t")[0] + b"\t1x"] + lines[4:]))
    check_refused("so is a number that is none", "number", "number/%s:4: " % LOG)
    write_log("short", b"\n".join(lines[:3] + [lines[3].rpartition(b"\t")[0]] + lines[4:]))
    check_refused("so is a line that is too short", "short", "short/%s:4: " % LOG)
    os.mkdir("seed")
    shutil.copy(os.path.join("whole", LOG), os.path.join("seed", "energy-quick-2.tsv"))
    check_refused("a log of another seed is refused", "seed", "seed/energy-quick-2.tsv", "seed 1", "seed 2",
                  more=("--quick", "--seed", "2"))
    write_log("edition", log.replace(b"\tedition ", b"\tedition 9", 1))
    check_refused("so is one of another edition", "edition", "edition/%s" % LOG)


def main():
    if not os.path.exists(FILE):
        skip("runs that go on", "%s is not there; ENTROPIC_DATA is the folder of the data sets" % FILE)
        return end()
    seed = random.randrange(1 << 32)
    random.seed(seed)
    print("# seed %d" % seed)
    os.mkdir("one")
    shutil.copy(FILE, "one")
    done = run("whole")
    check("a run with a log", done.returncode == 0 and bool(lines_of("whole")), done.stderr)
    check_interrupted(parse(done.stdout), len(lines_of("whole")))
    check_complete(done.stdout)
    check_foreign()
    check_second_run()
    return end()


if __name__ == "__main__":
    sys.exit(main())
