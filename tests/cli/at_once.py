"""Many processes change one model at once: nobody's rows are lost, and no row that was forgotten comes back. Whoever comes
too late gets status 3, and the model stays as the others left it. Nothing is announced that did not happen."""
import os
import shutil
import subprocess
import sys
import time

from _tap import check, end, skip

ENTROPIC = os.environ["ENTROPIC"]
PARTS = 12


def run(*words):
    return subprocess.run([ENTROPIC, *map(str, words)], capture_output=True, text=True, stdin=subprocess.DEVNULL)


def done(*words):
    found = run(*words)
    if found.returncode:
        raise SystemExit("%s: %s" % (" ".join(map(str, words)), found.stderr))
    return found.stdout


def at_once(jobs):
    """All jobs side by side; those that came too late once more, until none is left. How many failed on the way."""
    late, rounds = 0, 0
    while jobs and rounds < 100:
        running = [(job, subprocess.Popen([ENTROPIC, *job], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
                   for job in jobs]
        jobs, rounds = [], rounds + 1
        for job, process in running:
            out, err = process.communicate()
            if process.returncode == 0:
                check("a receipt: %s" % " ".join(job[::2]), len(out) == 65, out + err)
                continue
            late += 1
            if process.returncode != 3 or out or "changed by another process" not in err or "in the model now" in err:
                check("too late: %s" % " ".join(job), False, "status %d: %s%s" % (process.returncode, out, err))
                return late
            jobs.append(job)
    check("all are done at last", not jobs, jobs)
    return late


def tables():
    done("generate", "friedman1", "--rows", 200, "-o", "base.csv")
    done("fit", "base.csv", "--target", "y", "--features", 20, "--keep-statistics", "--quiet", "-o", "base.entropic")
    for part in range(PARTS):
        done("generate", "friedman1", "--rows", 2000 + part, "--seed", 10 + part, "-o", "part%d.csv" % part)


def updates():
    expected = "one.entropic"
    shutil.copy("base.entropic", expected)
    for part in range(PARTS):
        done("update", expected, "part%d.csv" % part, "--quiet")
    shutil.copy("base.entropic", "m.entropic")
    late = at_once([["update", "m.entropic", "part%d.csv" % part] for part in range(PARTS)])
    check("the receipt of all rows", done("receipt", "m.entropic") == done("receipt", expected))
    print("# %d of them came too late once" % late)
    at_once([["forget" if part % 2 else "update", "m.entropic", "part%d.csv" % part] for part in range(PARTS)])
    for part in range(PARTS):
        done("forget" if part % 2 else "update", expected, "part%d.csv" % part, "--quiet")
    check("the same with rows that are forgotten meanwhile", done("receipt", "m.entropic") == done("receipt", expected))
    check("nothing is left behind", not [name for name in os.listdir(".") if name.startswith(".entropic-")])


def late():
    """A model that changes while DATA come through a pipe."""
    shutil.copy("base.entropic", "slow.entropic")
    with open("part0.csv") as file:
        text = file.read()
    for what, change in (("update", lambda: done("update", "slow.entropic", "part1.csv", "--quiet")),
                         ("fit", lambda: shutil.copy("one.entropic", "slow.entropic")),
                         ("nothing", lambda: os.utime("slow.entropic")), ("removal", lambda: os.remove("slow.entropic"))):
        slow = subprocess.Popen([ENTROPIC, "update", "slow.entropic", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)
        half = text.index("\n", len(text) // 2) + 1
        slow.stdin.write(text[:half])
        slow.stdin.flush()
        wait_for_model(slow)
        change()
        before = open("slow.entropic", "rb").read() if os.path.exists("slow.entropic") else None
        out, err = slow.communicate(text[half:])
        if what == "nothing":
            check("a new date is no change", slow.returncode == 0 and len(out) == 65, err)
            continue
        after = open("slow.entropic", "rb").read() if os.path.exists("slow.entropic") else None
        check("too late after %s: status 3, and it stays" % what,
              slow.returncode == 3 and out == "" and "changed by another process" in err and before == after, err)


def wait_for_model(process):
    """Until the process sleeps, waiting for more of DATA: by then it has read the model."""
    for _ in range(2000):
        try:
            with open("/proc/%d/stat" % process.pid) as file:
                state = file.read().rsplit(")", 1)[1].split()[0]
            with open("/proc/%d/wchan" % process.pid) as file:
                waits = "pipe" in file.read()
        except OSError:
            waits, state = False, "S"
        if state == "S" and waits:
            return
        time.sleep(0.005)


def announced():
    """What could not be written is not announced."""
    if not os.path.exists("/dev/full"):
        skip("a full disk", "there is no /dev/full")
        return
    shutil.copy("base.entropic", "full.entropic")
    done("generate", "friedman1", "--rows", 50, "-o", "first.csv")
    for command in "update", "forget":
        found = run(command, "full.entropic", "first.csv", "-o", "/dev/full")
        check("%s to a full disk says that alone" % command,
              found.returncode == 3 and found.stdout == "" and "No space left" in found.stderr and
              found.stderr.count("\n") == 1, found.stdout + found.stderr)
    check("another file by -o", run("update", "full.entropic", "base.csv", "-o", "other.entropic").returncode == 0)
    os.symlink("full.entropic", "link.entropic")
    found = run("update", "link.entropic", "base.csv", "-o", "full.entropic")
    check("a link to the model is the model", found.returncode == 0 and os.path.islink("link.entropic") and
          done("receipt", "full.entropic") == done("receipt", "other.entropic"), found.stderr)


tables()
updates()
late()
announced()
sys.exit(end())
