"""`entropic paper --checkpoint`: runs are logged as they are done, and taken from there, whatever cut them off."""
import fcntl
import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
LOG = "runs/energy-quick-1.tsv"


def write_table():
    """A table with the name and the number of rows of the paper's first, but other inputs."""
    draw = random.Random(5)
    lines = ["a,b,c,Y1,Y2"]
    for _ in range(768):
        x = [draw.random() for _ in range(3)]
        y = x[0] + x[1] * x[2] + 0.1 * draw.gauss(0, 1)
        lines.append(",".join("%.4f" % value for value in x + [y, y]))
    os.mkdir("data")
    with gzip.open("data/energy_efficiency.csv.gz", "wt") as file:
        file.write("\n".join(lines) + "\n")


def command(*more):
    return [ENTROPIC, "paper", "--quick", "--only", "energy", "--data", "data", "--html", "p.html", "--json", *more]


def run(*more):
    return subprocess.run(command(*more), capture_output=True, text=True)


def sets(done):
    """The numbers of the data sets, of a run that must have succeeded."""
    if done.returncode:
        raise SystemExit("paper: %s" % done.stderr)
    return json.loads(done.stdout)["sets"]


def without_times(value):
    """All that is not measured."""
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if "seconds" not in k and k not in (
            "train_low", "train_high", "trainings", "makings", "liftings", "load", "frontier")}
    return [without_times(v) for v in value] if isinstance(value, list) else value


def read(path=LOG):
    with open(path, "rb") as file:
        return file.read()


def write(data, path=LOG):
    with open(path, "wb") as file:
        file.write(data)


def keys(log):
    """What the lines of a log are of."""
    return sorted(b"\t".join(line.split(b"\t")[:6]) for line in log.splitlines())


def refused(what, status, words, *more):
    before = read()
    done = run("--checkpoint", "runs", *more)
    check(what, done.returncode == status and words in done.stderr and not done.stdout and read() == before,
          "status %d: %s" % (done.returncode, done.stderr))


def goes_on(plain, whole):
    """From a log of all runs, its last line torn, that has no times."""
    runs = b"".join(line for line in whole.splitlines(keepends=True) if not line.startswith(b"time"))
    write(runs[:-20])
    check("goes on from a torn line", without_times(sets(run("--checkpoint", "runs", "--threads", "2"))) == plain)
    check("and every line is there again", keys(read()) == keys(whole))


def interrupted(plain):
    """A process that is ended while it runs leaves a log that the next one takes up."""
    for sent in (signal.SIGTERM, signal.SIGKILL):
        size = len(read()) if os.path.exists(LOG) else 0
        process = subprocess.Popen(command("--checkpoint", "runs"), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        until = time.time() + 60
        while time.time() < until and process.poll() is None and (
                not os.path.exists(LOG) or os.path.getsize(LOG) < size + 800):
            time.sleep(0.01)
        process.send_signal(sent)
        process.communicate()
        check("%s ends it" % sent.name, process.returncode == -sent, process.returncode)
        check("its log has whole lines or a torn last one", keys(read())[0].startswith(b"entropic paper"))
    check("and the next one goes on", without_times(sets(run("--checkpoint", "runs"))) == plain)


def main():
    write_table()
    plain = without_times(sets(run("--checkpoint", "none")))
    check("none is no folder", sorted(os.listdir()) == ["data", "p.html"], os.listdir())
    interrupted(plain)
    first = sets(run("--checkpoint", "runs"))
    check("logged or not, the numbers are the same", without_times(first) == plain and os.listdir("runs") ==
          [os.path.basename(LOG)], os.listdir("runs"))
    whole = read()
    again = sets(run("--checkpoint", "runs", "--threads", "3"))
    check("all of it is taken from the log, times too", again == first and read() == whole)
    done = subprocess.Popen(command("--checkpoint", "runs", "--seed", "2"), stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)
    until = time.time() + 60
    while time.time() < until and done.poll() is None and not os.path.exists("runs/energy-quick-2.tsv"):
        time.sleep(0.01)
    done.kill()
    done.wait()
    check("another seed has a log of its own", b"\tseed 2\n" in read("runs/energy-quick-2.tsv")[:200] and read() == whole)
    made_up = [b"\t".join([*line.split(b"\t")[:6], b"0.125", *line.split(b"\t")[7:]])
               if line.startswith(b"run\tEOF\t") else line for line in whole.split(b"\n")]
    write(b"\n".join(made_up))
    methods = sets(run("--checkpoint", "runs"))[0]["methods"]
    check("what the log says is what comes out", all((m["error"] == 0.125) == (m["name"] == "EOF") for m in methods))
    goes_on(plain, whole)
    write(whole)
    with open(LOG) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        refused("a log that another process writes to", 3, "another process is writing to it")
    write(whole.replace(b"seed 1", b"seed 7"))
    refused("a log of something else", 2, LOG + ": it begins with")
    write(whole.replace(b"\trule\t", b"\truled\t", 1))
    refused("a spoilt line", 2, "is not a line of a run log")
    write(b"my own notes")
    refused("a file that is no log", 2, "it begins with \"my own notes\"")
    done = run("--checkpoint", "p.html")
    check("a folder that is a file", done.returncode == 3 and "p.html/energy-quick-1.tsv: cannot open" in done.stderr,
          done.stderr)
    done = run("--checkpoint", "missing/runs")
    check("a folder in no folder", done.returncode == 3 and "missing/runs: cannot make the folder" in done.stderr, done.stderr)
    sys.exit(end())


main()
