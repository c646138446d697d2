"""Little memory: the command succeeds, or ends with status 3 and a message. It never hangs.

Address space is limited as by ulimit -v. ENTROPIC_LIMITS=all takes 20 sizes and searches for the size of models, otherwise a few with one size."""
import os
import resource
import subprocess
import sys

from _tap import check, end, skip

ENTROPIC = os.environ["ENTROPIC"]
LEAST, MOST = 30 << 20, 1 << 30
ALL = os.environ.get("ENTROPIC_LIMITS") == "all"
SIZES = 20 if ALL else 6
SECONDS = 60
LOADER = 127  # the program itself cannot be loaded: it never runs


def limited(size, *words):
    """Status and standard error; status None if it had to be stopped."""
    try:
        done = subprocess.run([ENTROPIC, *words], capture_output=True, text=True, timeout=SECONDS,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))
    except subprocess.TimeoutExpired:
        return None, "still running after %d seconds" % SECONDS
    return done.returncode, done.stderr


def is_fine(status, said):
    return status == 0 or (status == 3 and "emory" in said) or (status == LOADER and said != "")


def sizes():
    return [int(LEAST * (MOST / LEAST) ** (i / (SIZES - 1))) for i in range(SIZES)]


def matrix():
    jobs = {"fit": ["fit", "t.csv", "--target", "y", "--quiet", "-o", "f.entropic", *([] if ALL else ["--features", "40"])],
            "predict": ["predict", "t.entropic", "t.csv", "--quiet", "-o", "p.csv"],
            "compare": ["compare", "t.csv", "--target", "y", "--runs", "1", "--features", "30", "--quiet", "--json"]}
    for name, words in jobs.items():
        statuses, wrong = [], []
        for size in sizes():
            for threads in ("1", "2"):
                status, said = limited(size, *words, "--threads", threads)
                statuses.append(status)
                if not is_fine(status, said):
                    wrong.append("%d MB, %s threads: status %s: %s" % (size >> 20, threads, status, said))
        check("%s at %d limits from %d to %d MB" % (name, SIZES, LEAST >> 20, MOST >> 20), not wrong, "\n".join(wrong))
        check("%s with much memory works" % name, statuses[-2:] == [0, 0], statuses)
        print("# %s: %s" % (name, " ".join(str(s) for s in statuses)))


def message():
    status, said = limited(120 << 20, "compare", "t.csv", "--target", "y", "--runs", "1", "--features", "30", "--quiet")
    check("what is missing is said, and the limit", status == 3 and "OpenBLAS needs" in said and "120 MB" in said, said)
    status, said = limited(400 << 20, "fit", "t.csv", "--target", "y", "--quiet", "-o", "small.entropic")
    with open("small.entropic", "rb") as one, open("t.entropic", "rb") as other:
        check("the same model with little memory", status == 0 and one.read() == other.read(), said)


def page_faults():
    """Page faults: memory returned to the system and allocated again costs more time than the work itself."""
    subprocess.run([ENTROPIC, "generate", "friedman1", "--rows", "30", "-o", "small.csv", "--quiet"], check=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
    subprocess.run([ENTROPIC, "compare", "small.csv", "--target", "y", "--features", "10,40", "--runs", "2", "--quiet"],
                   stdout=subprocess.DEVNULL, check=True)
    faults = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before
    check("pages are kept while a table is compared", faults < 50000, "%d page faults" % faults)


def run():
    if limited(MOST, "--version")[0] != 0:
        skip("limits of memory", "the command needs more than %d MB to start, as with sanitizers" % (MOST >> 20))
        return
    subprocess.run([ENTROPIC, "generate", "friedman1", "--rows", "300", "-o", "t.csv", "--quiet"], check=True)
    subprocess.run([ENTROPIC, "fit", "t.csv", "--target", "y", "--quiet", "-o", "t.entropic"], check=True)
    matrix()
    message()
    page_faults()


run()
sys.exit(end())
