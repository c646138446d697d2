"""A rank is killed at random moments: mpirun ends soon and not with success, nothing is left behind, and the run that goes
on from the checkpoint ends with the same model. ENTROPIC_KILLS: how often (4)."""
import os
import random
import signal
import subprocess
import sys
import time

from _ranks import ENTROPIC_MPI, ENVIRONMENT, command, read, run, table, there
from _tap import check, end

there()
KILLS = int(os.environ.get("ENTROPIC_KILLS", "4"))
OPTIONS = ["--target", "y", "--sample", "3000", "--features", "100", "--omega", "1"]


def children(of):
    """The ranks that a mpirun has started."""
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.readlink("/proc/%s/exe" % name) == os.path.realpath(ENTROPIC_MPI):
                with open("/proc/%s/stat" % name) as file:
                    if int(file.read().rsplit(")", 1)[1].split()[1]) == of:
                        found.append(int(name))
        except OSError:
            pass  # it has ended meanwhile
    return found


table("rows.csv", 20000, 3)
done = run(0, "fit", "rows.csv", *OPTIONS, "-o", "whole.entropic")
start = time.monotonic()
done = run(3, "fit", "rows.csv", *OPTIONS, "-o", "ranks.entropic")
took = time.monotonic() - start
check("without a kill the model is that of one process",
      done.returncode == 0 and read("ranks.entropic") == read("whole.entropic"), done.stderr)

draw = random.Random(int(os.environ.get("ENTROPIC_SEED", "1")))
before = set(os.listdir("."))
for kill in range(KILLS):
    for name in os.listdir("kept") if os.path.isdir("kept") else []:
        os.remove(os.path.join("kept", name))
    process = subprocess.Popen(command(3, "fit", "rows.csv", *OPTIONS, "--checkpoint", "kept", "-o", "killed.entropic"),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT)
    wait = draw.uniform(.05, .95) * took
    time.sleep(wait)
    ranks = children(process.pid)
    if ranks:
        os.kill(draw.choice(ranks), signal.SIGKILL)
    since = time.monotonic()
    try:
        status = process.wait(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        status = None
    lasted = time.monotonic() - since
    ended = status == 0 and os.path.exists("killed.entropic")  # it was done before it was killed
    left = [name for name in set(os.listdir(".")) - before if name not in ("kept", "killed.entropic")]
    check("kill %d after %.2f s: ends within 30 s, no half model, nothing left" % (kill + 1, wait),
          status is not None and lasted < 30 and not left and
          (ended or (status != 0 and not os.path.exists("killed.entropic"))),
          "status %s, %.1f s, left %s" % (status, lasted, left))
    if os.path.exists("killed.entropic"):
        os.remove("killed.entropic")
    done = run(3, "fit", "rows.csv", *OPTIONS, "--checkpoint", "kept", "-o", "resumed.entropic")
    check("kill %d: the run that goes on gives the same model" % (kill + 1),
          done.returncode == 0 and read("resumed.entropic") == read("whole.entropic"), done.stderr)
    os.remove("resumed.entropic")

sys.exit(end())
