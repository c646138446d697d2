"""Signals end the command as signals do, at any moment, and leave no partial file.

ENTROPIC_LIMITS=all sends 100 signals at random moments, otherwise a few."""
import filecmp
import os
import random
import shutil
import signal
import subprocess
import sys
import time

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
MOMENTS = 100 if os.environ.get("ENTROPIC_LIMITS") == "all" else 15
ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU]


def as_in_a_terminal():
    """What a shell puts into the background may ignore signals; a core would only be in the way."""
    import resource
    for number in ENDING + [signal.SIGPIPE]:
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def start(*words, prepare=as_in_a_terminal, program=ENTROPIC, **streams):
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **streams}
    return subprocess.Popen([program, *words], preexec_fn=prepare, start_new_session=True, **streams)


def finish(process, seconds=60):
    """The exit status; None if it has to be killed."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None


def fresh_box():
    shutil.rmtree("box", ignore_errors=True)
    os.mkdir("box")


def until(condition, seconds=60):
    since = time.monotonic()
    while not condition() and time.monotonic() - since < seconds:
        time.sleep(0.01)
    return condition()


def at_work():
    """During the fit, and during writing."""
    for number in ENDING:
        name = signal.Signals(number).name
        fresh_box()
        process = start("fit", "long.csv", "--target", "y", "--features", "4000", "-o", "box/m.entropic")
        time.sleep(0.5)
        process.send_signal(number)
        since, status = time.monotonic(), finish(process)
        check("%s while it learns" % name, status == -number and not os.listdir("box"), (status, os.listdir("box")))
        check("%s is obeyed at once" % name, time.monotonic() - since < 5, time.monotonic() - since)
        fresh_box()
        process = start("features", "long.csv", "--features", "2000", "-o", "box/out.libsvm")
        begun = until(lambda: os.listdir("box"))
        process.send_signal(number)
        process.send_signal(number)  # as timeout(1) does, to the process and to its group
        status = finish(process)
        check("%s while it writes" % name, begun and status == -number and not os.listdir("box"),
              (begun, status, os.listdir("box")))


def waiting_for_input():
    fresh_box()
    process = start("predict", "small.entropic", "-", "-o", "box/out.csv", stdin=subprocess.PIPE,
                    stderr=subprocess.PIPE)
    with open("long.csv", "rb") as rows:
        shutil.copyfileobj(rows, process.stdin)
    process.stdin.flush()
    begun = until(lambda: os.listdir("box"))
    process.send_signal(signal.SIGINT)
    status = finish(process, 10)
    said = process.stderr.read()
    check("SIGINT while more input is waited for", begun and status == -signal.SIGINT and not os.listdir("box"),
          (begun, status, os.listdir("box")))
    check("nobody is told of a failed read", b"nterrupted" not in said, said)
    try:
        process.stdin.close()
    except BrokenPipeError:
        pass


def ignored():
    """As under nohup."""
    process = start("fit", "small.csv", "--target", "y", "-o", "kept.entropic", program=ENTROPIC,
                    prepare=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    time.sleep(0.1)
    process.send_signal(signal.SIGHUP)
    check("a signal that is ignored stays so", finish(process) == 0 and os.path.exists("kept.entropic"))


def pipes():
    for prepare, expected in ((as_in_a_terminal, -signal.SIGPIPE),
                              (lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN), 3)):
        process = subprocess.Popen([ENTROPIC, "generate", "friedman1", "--rows", "100000"], preexec_fn=prepare,
                                   restore_signals=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.read(10)
        process.stdout.close()
        said = process.stderr.read()
        status = finish(process)
        check("a reader that goes away: %d" % expected, status == expected and bool(said) == (expected == 3),
              (status, said))


def loops():
    """Ctrl-C goes to the whole group; the shell goes on unless the command dies by it."""
    fresh_box()
    loop = ("for i in 1 2 3; do echo $i >>log; '%s' fit long.csv --target y --features 4000 -o box/m.entropic; done; "
            "echo done >>log" % ENTROPIC)
    process = start("-c", loop, program="bash")
    until(lambda: os.path.exists("log") and os.path.getsize("log") > 0)
    time.sleep(0.5)
    os.killpg(process.pid, signal.SIGINT)
    status = finish(process, 20)
    if status is None:
        os.killpg(process.pid, signal.SIGKILL)
    with open("log") as file:
        log = file.read()
    check("Ctrl-C ends a loop of the shell", status == -signal.SIGINT and log == "1\n" and not os.listdir("box"),
          (status, log, os.listdir("box")))


def moments():
    jobs = [["fit", "small.csv", "--target", "y", "--quiet", "-o"],
            ["fit", "wide.csv", "--target", "y", "--solver", "dual", "--features", "60000", "--omega", "1", "--lambda",
             "1e-3", "--quiet", "-o"],
            ["predict", "small.entropic", "long.csv", "--quiet", "-o"],
            ["generate", "friedman1", "--rows", "50000", "-o"]]
    took = []
    for i, job in enumerate(jobs):
        since = time.monotonic()
        subprocess.run([ENTROPIC, *job, "whole%d" % i], check=True)
        took.append(time.monotonic() - since)
    dice, wrong, stopped = random.Random(7), [], 0
    for moment in range(MOMENTS):
        i = moment % len(jobs)
        number = ENDING[dice.randrange(len(ENDING))]
        fresh_box()
        since = time.monotonic()
        process = start(*jobs[i], "box/out")
        time.sleep(dice.random() * took[i] * 1.1)
        process.send_signal(number)
        status, left = finish(process), os.listdir("box")
        stopped += status == -number
        if status == 0:  # other work on the machine may have made it slower before
            took[i] = min(took[i], time.monotonic() - since)
        whole = left == ["out"] and filecmp.cmp("box/out", "whole%d" % i, shallow=False)
        if status not in (0, -number) or not (whole or (status != 0 and not left)):
            wrong.append((jobs[i][0], signal.Signals(number).name, status, left))
    check("%d signals at random moments leave nothing or all" % MOMENTS, not wrong, wrong)
    check("some of them came in time", stopped > 0, stopped)
    print("# %d of %d ended it, the others came after its end" % (stopped, MOMENTS))


def run():
    subprocess.run([ENTROPIC, "generate", "friedman1", "--rows", "50000", "-o", "long.csv"], check=True)
    subprocess.run([ENTROPIC, "generate", "friedman1", "--rows", "300", "-o", "small.csv"], check=True)
    subprocess.run([ENTROPIC, "generate", "friedman1", "--rows", "50", "-o", "wide.csv"], check=True)
    subprocess.run([ENTROPIC, "fit", "small.csv", "--target", "y", "--quiet", "-o", "small.entropic"], check=True)
    at_work()
    waiting_for_input()
    ignored()
    pipes()
    loops()
    moments()


run()
sys.exit(end())
