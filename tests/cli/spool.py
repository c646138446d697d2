"""Fits whose rows go to a spool on disk: --memory changes no byte of a model, and nothing is left behind.

ENTROPIC_LIMITS=all takes all shared tables, 50 signals and a larger table, otherwise a few."""
import filecmp
import gzip
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

from _tap import check, end, skip

ENTROPIC = os.environ["ENTROPIC"]
ALL = os.environ.get("ENTROPIC_LIMITS") == "all"
DATA = os.environ.get("ENTROPIC_DATA", os.path.join(os.environ.get("ENTROPIC_SOURCE", "."), "../shared/data"))
QUICK = ["--select", "entropy", "--omega", "1", "--lambda", "0.01", "--features", "60"]


def entropic(*words, **more):
    done = subprocess.run([ENTROPIC, *words], capture_output=True, **more)
    return done.returncode, done.stderr.decode(errors="replace")


def same(what, *words, memory="1M", **more):
    """The model and all that is said are the same with a bound and without."""
    fresh("box")
    if "stdin" in more:
        more["stdin"].seek(0)
    plain = entropic("fit", *words, "-o", "plain.entropic", **more)
    if "stdin" in more:
        more["stdin"].seek(0)
    bound = entropic("fit", *words, "-o", "bound.entropic", "--memory", memory, "--spool", "box", **more)
    bound = bound[0], "".join(line for line in bound[1].splitlines(True)
                              if "--memory" not in line and "notice: rows go into a spool" not in line)
    equal = plain[0] != 0 or filecmp.cmp("plain.entropic", "bound.entropic", shallow=False)
    said = [text[1].replace("plain.entropic", "M").replace("bound.entropic", "M") for text in (plain, bound)]
    check(what, plain[0] == bound[0] and equal and strip(said[0]) == strip(said[1]) and not os.listdir("box"),
          "status %d and %d, same model %s\n%s\n%s" % (plain[0], bound[0], equal, said[0], said[1]))
    return plain[0]


def strip(said):
    """Without times."""
    return [line for line in said.splitlines() if " s" not in line and "seconds" not in line]


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)


def table(path, rows, seed=1):
    """Numbers of all widths, categories, dates, copies, gaps, an identifier; weights, groups and times."""
    dice = random.Random(seed)
    with open(path, "w") as file:
        file.write("id,a,b,c,kind,day,copy,gaps,many,w,g,t,y\n")
        for row in range(rows):
            a, b, c = dice.random(), dice.randrange(-300, 70000), dice.choice((0.5, -0.0, 0, 2.25))
            kind, day = dice.choice(("red", "green", "blue", "")), 1 + dice.randrange(28)
            gaps = dice.choice(("NA", "", "1", "2.5", "-"))
            y = a * 3 + (kind == "red") + b * 1e-5 + dice.gauss(0, 0.1)
            file.write("id%d,%r,%d,%r,%s,2021-%02d-%02d,%r,%s,m%d,%d,g%d,%d,%r\n" % (
                row, a, b, c, kind, 1 + row % 12, day, a, gaps, dice.randrange(900), dice.randrange(4),
                dice.randrange(40), row // 3, y))


def made_tables():
    table("t.csv", 12000 if ALL else 4000)
    table("v.csv", 700, seed=2)
    with open("t.csv", "rb") as plain, gzip.open("t.csv.gz", "wb", 1) as packed:
        shutil.copyfileobj(plain, packed)
    roles = ["t.csv", "--target", "y", *QUICK]
    check("it is a table that can be fitted", same("many kinds of columns", *roles) == 0)
    same("with weights and groups", *roles, "--weights", "w", "--groups", "g")
    same("with a time", *roles, "--time", "t")
    same("with a date as the time", *roles, "--time", "day", "--ignore", "t")
    same("columns that are kept, left out or categories", *roles, "--keep", "id,copy", "--ignore", "b",
         "--categorical", "c")
    same("classes", "t.csv", "--target", "kind", *QUICK)
    same("classes written as numbers", "t.csv", "--target", "w", "--task", "classification", "--loss", "squared",
         *QUICK)
    same("several targets", "t.csv", "--target", "y,a", *QUICK)
    same("validation rows of their own", *roles, "--valid", "v.csv")
    same("gzipped", "t.csv.gz", "--target", "y", *QUICK)
    same("one thread", *roles, "--threads", "1")
    same("weights of all rows, all else from a sample", *roles, "--sample", "1000", "--weights", "w")
    same("the same for classes, and dates as categories", "t.csv", "--target", "kind", *QUICK, "--sample", "900",
         "--categorical", "day,c", "--missing", "NA,1,", "--loss", "squared")
    same("from a file as standard input", "-", "--target", "y", *QUICK, stdin=open("t.csv", "rb"))
    with open("t.csv", "rb") as file:
        rows = file.read()
    same("from a pipe", "-", "--target", "y", *QUICK, input=rows)
    same("selected features, a bound that does not matter", "v.csv", "--target", "y", "--features", "100",
         "--ensemble", "1", memory="64M")


def late_texts():
    """Texts after many rows of numbers: all rows are read again, also those of a pipe."""
    with open("late.csv", "w") as file:
        file.write("x,late,y\n")
        for row in range(60000):
            file.write("%d,%s,%d\n" % (row * 7919 % 1000, "word" if row > 50000 and row % 2 else row % 5, row % 11))
    with open("late.csv", "rb") as file:
        rows = file.read()
    same("texts after many numbers", "late.csv", "--target", "y", *QUICK)
    same("the same from a pipe", "-", "--target", "y", *QUICK, input=rows)


def refused():
    with open("bad.csv", "w") as file:
        file.write("x,w,t,y\n1,1,3,2\n2,NA,?,3\n3,2,4,5\n" + "4,1,5,6\n" * 9)
    for words in (["--weights", "w"], ["--groups", "w"], ["--time", "t"], ["--target", "z"]):
        status = same("what is refused: %s" % " ".join(words), "bad.csv", "--target", "y", *words)
        check("it is refused", status != 0, status)


def shared_tables():
    jobs = [["airfoil.csv.gz", "--target", "SPL"], ["heart_scale.libsvm"], ["small/autos.csv.gz", "--target", "1"],
            ["odd/auto_imports_missing.csv", "--target", "1"],
            ["odd/AirQualityUCI_semicolon_decimalcomma_trailing_empty.csv", "--target", "3"],
            ["odd/X_train.npy", "--target", "1"]]
    if ALL:
        names = sorted(os.listdir(DATA)) + [os.path.join(sub, name) for sub in ("small", "odd")
                                            for name in sorted(os.listdir(os.path.join(DATA, sub)))]
        jobs = [[name] + ([] if "libsvm" in name else ["--target", "1"]) for name in names
                if not os.path.isdir(os.path.join(DATA, name)) and "idx" not in name and "README" not in name]
    fitted = 0
    for name, *words in jobs:
        path = os.path.join(DATA, name)
        if os.path.exists(path):
            fitted += same(name, path, *words, *QUICK) == 0
        else:
            skip(name, "the shared tables are not here")
    print("# %d of %d can be fitted" % (fitted, len(jobs)))


def wrong_use():
    for size in ("x", "0", "1k", "-5M", "1e30", "5Q", "5MM", "M", "1.M", "nan"):
        status, said = entropic("fit", "v.csv", "--target", "y", "--memory", size)
        check("--memory %s" % size, status == 1 and "--memory" in said and "from 1M to" in said, said)
    status, said = entropic("fit", "v.csv", "--target", "y", "--spool", "box")
    check("--spool alone", status == 1 and "--memory" in said, said)
    status, said = entropic("fit", "v.csv", "--target", "y", "--memory", "1M", "--spool", "nowhere", "-o", "n.entropic")
    check("a spool nowhere", status == 3 and "'nowhere'" in said and "No such file" in said, said)
    status, said = entropic("fit", "v.csv", "--target", "y", "--memory", "1M", "--spool", "v.csv", "-o", "n.entropic")
    check("a spool in a file", status == 3 and "'v.csv'" in said, said)
    status, said = entropic("fit", "v.csv", "--target", "y", "--memory", "1M", "--spool", "/proc", "-o", "n.entropic")
    check("a spool where nothing can be written", status == 3 and "'/proc'" in said, said)
    check("no model is left", not os.path.exists("n.entropic"))


def full_disks():
    fresh("box")
    status, said = entropic("fit", "t.csv", "--target", "y", "--memory", "1M", "--spool", "box", "-o", "n.entropic",
                            *QUICK, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (60000, 60000)))
    check("a limit on the size of files", status == 3 and "cannot be larger" in said and "needs about" in said, said)
    check("nothing is left", not os.listdir("box") and not os.path.exists("n.entropic"), os.listdir("box"))
    fresh("disk")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "disk"], capture_output=True)
    if mounted.returncode:
        skip("a full disk", "no small disk can be mounted")
        return
    try:
        for words, more in ((["t.csv"], {}), (["-"], {"input": open("t.csv", "rb").read()})):
            status, said = entropic("fit", *words, "--target", "y", "--memory", "1M", "--spool", "disk", "-o",
                                    "n.entropic", *QUICK, **more)
            check("a full disk", status == 3 and "no space left in 'disk'" in said and "so far" in said, said)
            check("nothing is left there", not os.listdir("disk") and not os.path.exists("n.entropic"))
        free = os.statvfs("disk")
        check("the space is free again", free.f_bfree >= free.f_blocks - 1, (free.f_bfree, free.f_blocks))
    finally:
        subprocess.run(["umount", "disk"], check=True)


def memory():
    """The resident size stays within the bound, where the rest of a fit allows for it; otherwise that is said."""
    rows = 2000000 if ALL else 300000
    subprocess.run([ENTROPIC, "generate", "friedman1", "--rows", str(rows), "-o", "large.csv"], check=True)
    fresh("box")
    words = [ENTROPIC, "fit", "large.csv", "--target", "y", "-o", "n.entropic", *QUICK]
    took = []
    for bound in ([], ["--memory", "150M" if ALL else "56M", "--spool", "box"], ["--memory", "2M", "--spool", "box"]):
        process = subprocess.Popen([*words, *bound], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        said = process.stderr.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        took.append((status, usage.ru_maxrss / 1024, said))
    plain, bound, least = took
    print("# %.0f MB, with a bound %.0f MB, at least %.0f MB" % (plain[1], bound[1], least[1]))
    if plain[1] < (150 if ALL else 56) * 1.1 or plain[1] > 2000:
        skip("memory stays within the bound", "%.0f MB without one, as with sanitizers" % plain[1])
    else:
        check("memory stays within the bound", bound[0] == 0 and bound[1] <= 1.1 * (150 if ALL else 56), bound)
    check("a bound that cannot be kept is told", least[0] == 0 and "more than --memory 2M" in least[2], least)
    os.remove("n.entropic")
    os.remove("large.csv")


def signals():
    """At random moments while rows go to the spool."""
    numbers = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]
    table("long.csv", 150000 if ALL else 60000)
    words = [ENTROPIC, "fit", "long.csv", "--target", "y", "--memory", "1M", "--spool", "box", "-o", "n.entropic",
             *QUICK]
    dice, wrong, stopped, moments = random.Random(3), [], 0, 50 if ALL else 9
    for moment in range(moments):
        fresh("box")
        number = numbers[moment % 3]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=lambda: [
            signal.signal(one, signal.SIG_DFL) for one in numbers[:2]])
        time.sleep(0.01 + dice.random() * 0.25)
        process.send_signal(number)
        status = process.wait(60)
        stopped += status == -number
        if status not in (0, -number) or os.listdir("box") or (status != 0 and os.path.exists("n.entropic")):
            wrong.append((number, status, os.listdir("box")))
        if os.path.exists("n.entropic"):
            os.remove("n.entropic")
    check("%d signals while rows are spooled leave nothing" % moments, not wrong, wrong)
    check("they came in time", stopped > moments // 2, stopped)


def main():
    made_tables()
    late_texts()
    refused()
    shared_tables()
    wrong_use()
    full_disks()
    memory()
    signals()
    return end()


sys.exit(main())
