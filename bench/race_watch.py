"""Runs one learner of `make race` in a process of its own, times its phases, and ends it where it takes too much.

A learner says on its standard output, on lines `race: PHASE`, what it begins to do: read, fit, read-test, predict, write,
done. The times between these lines are measured here, so that they mean the same for every learner. A learner that
prints no such lines has one phase.
"""

import os
import select
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

START, DONE = "start", "done"
START_LIMIT = 300  # seconds to load libraries; not part of a race
SAMPLE = 0.05  # seconds between looks at the memory
SCARCE = 0.04  # of the machine's memory: with less of it left a learner is ended

FINISHED, SLOW, LARGE, FAILED = "finished", "time", "memory", "failed"


@dataclass
class Caps:
    seconds: float  # for each phase
    memory: int  # bytes
    threads: int


@dataclass
class Outcome:
    status: str = FINISHED
    phases: dict = field(default_factory=dict)  # seconds of each, in their order; the last one may be unfinished
    memory: int = 0  # the most of it, bytes
    cpu: float = 0.0  # seconds of processors, of the whole run
    cpu_phases: dict = field(default_factory=dict)  # and of each phase
    others: float = 0.0  # processors that other programs kept busy meanwhile, on average
    said: str = ""  # standard output without the lines of phases
    message: str = ""


# ---- memory ----


def memory_info(key):
    with open("/proc/meminfo") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(key + ":"))


def field_of(process, name, key):
    """A number of /proc in bytes; 0 if the process is gone."""
    try:
        with open("/proc/%d/%s" % (process, name)) as file:
            return next((int(line.split()[1]) * 1024 for line in file if line.startswith(key + ":")), 0)
    except OSError:
        return 0


def children_of(process):
    found = []
    try:
        for task in os.listdir("/proc/%d/task" % process):
            with open("/proc/%d/task/%s/children" % (process, task)) as file:
                found += [int(word) for word in file.read().split()]
    except OSError:
        pass
    return found + [below for child in found for below in children_of(child)]


def peak_of(process):
    """What a process has taken at most so far (not ru_maxrss, which counts its parent's memory before exec too); where
    it has started others, what all take now, pages that they share counted once."""
    most = field_of(process, "status", "VmHWM")
    below = children_of(process)
    if below:
        most = max(most, sum(field_of(p, "smaps_rollup", "Pss") for p in [process, *below]))
    return most


def cpu_of(process):
    """Seconds that processors have worked for a process, those that it has started, and those that these have ended."""
    ticks = 0
    for one in [process, *children_of(process)]:
        try:
            with open("/proc/%d/stat" % one) as file:
                ticks += sum(int(word) for word in file.read().rsplit(")", 1)[1].split()[11:15])
        except OSError:
            pass
    return ticks / os.sysconf("SC_CLK_TCK")


def busy_seconds():
    """Of all processors since they started: everything but idle time and waiting for disks."""
    with open("/proc/stat") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


# ---- a run ----


class Watch:
    """One run from its start to its end."""

    def __init__(self, words, caps, environment, first=START):
        self.caps, self.outcome, self.phase, self.kept = caps, Outcome(), first, b""
        self.scarce = SCARCE * memory_info("MemTotal")
        cpus = sorted(os.sched_getaffinity(0))[: caps.threads]  # nobody gets more processors than threads
        self.errors = tempfile.TemporaryFile()
        self.busy, self.begun = busy_seconds(), time.monotonic()
        self.child = subprocess.Popen(
            [str(word) for word in words],
            stdout=subprocess.PIPE,
            stderr=self.errors,
            stdin=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
            preexec_fn=lambda: os.sched_setaffinity(0, cpus),
        )
        self.since = time.monotonic() if first == START else self.begun
        self.cpu_since = 0.0

    def enter(self, phase, cpu=None):
        now, cpu = time.monotonic(), cpu_of(self.child.pid) if cpu is None else cpu
        self.outcome.phases[self.phase] = now - self.since
        self.outcome.cpu_phases[self.phase] = max(0.0, cpu - self.cpu_since)
        self.phase, self.since, self.cpu_since = phase, now, cpu

    def take(self, data):
        *lines, self.kept = (self.kept + data).split(b"\n")
        for line in lines:
            text = line.decode(errors="replace")
            if text.startswith("race: "):
                self.enter(text[6:])
            else:
                self.outcome.said += text + "\n"

    def over(self):
        """Which cap is passed, if any."""
        limit = START_LIMIT if self.phase in (START, DONE) else self.caps.seconds
        if time.monotonic() - self.since >= limit:
            return SLOW
        self.outcome.memory = max(self.outcome.memory, peak_of(self.child.pid))
        if self.outcome.memory > self.caps.memory or memory_info("MemAvailable") < self.scarce:
            return LARGE
        return None

    def end(self):
        try:
            os.killpg(self.child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def follow(self):
        stream = self.child.stdout.fileno()
        while True:
            ready = select.select([stream], [], [], SAMPLE)[0]
            if ready:
                data = os.read(stream, 1 << 16)
                if not data:
                    return
                self.take(data)
            elif os.waitid(os.P_PID, self.child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                return  # though a process that it has started still holds the pipe
            passed = self.over()
            if passed:
                self.outcome.status = passed
                return

    def run(self):
        ended = True  # if this is interrupted
        try:
            self.follow()
            ended = self.outcome.status != FINISHED
        finally:
            if ended:
                self.end()
            _, status, usage = os.wait4(self.child.pid, 0)
            self.end()  # what it has left behind
            self.child.returncode = os.waitstatus_to_exitcode(status)
            self.child.stdout.close()
        self.outcome.cpu = usage.ru_utime + usage.ru_stime
        self.enter(DONE, self.outcome.cpu)
        return self.judged()

    def judged(self):
        outcome, wall = self.outcome, time.monotonic() - self.begun
        outcome.said += self.kept.decode(errors="replace")
        outcome.others = max(0.0, busy_seconds() - self.busy - outcome.cpu) / wall
        self.errors.seek(0)
        lines = self.errors.read().decode(errors="replace").strip().splitlines()
        self.errors.close()
        if outcome.status == FINISHED and self.child.returncode:
            outcome.status = FAILED
            outcome.message = lines[-1][:300] if lines else "status %d" % self.child.returncode
        return outcome


def run(words, caps, environment, first=START):
    return Watch(words, caps, environment, first).run()
