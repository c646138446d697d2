"""Hints that can be acted upon: words of a command line that can be pasted, columns and languages there are to choose from."""
import os
import random
import re
import shlex
import subprocess
import sys

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
QUICK = ["--features", "5", "--omega", "1", "--lambda", "1e-3", "--select", "entropy", "-o", "m.entropic"]


def run(*words):
    return subprocess.run([ENTROPIC, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)


def quoted(name):
    return '"%s"' % name.replace('"', '""')


def pasted():
    """What follows --time is one word to a shell: the name of the column."""
    rng = random.Random(1)
    for name in ("when", "Inserat am", "it's $5", 'the "day"', "a;b", "a&b", "$HOME", "(day)", "`date`", "day*", "back\\slash",
                 "Größe", "-x", "wow!", "~", "#1"):
        with open("dates.csv", "w") as file:
            file.write("%s,x,y\n" % quoted(name))
            for i in range(120):
                file.write("2024-%02d-%02d,%r,%r\n" % (1 + i % 12, 1 + i % 28, rng.random(), rng.random()))
        done = run("fit", "dates.csv", "--target", "y", *QUICK)
        found = re.search(r"--time (.*) validates forward", done.stderr)
        shell = subprocess.run(["bash", "-c", "printf %%s %s" % found[1]], capture_output=True, text=True) if found else None
        check("--time %s" % name, found and shell.stdout == name and shlex.split(found[1]) == [name], done.stderr)
        again = run("fit", "dates.csv", "--target", "y", *QUICK, "--time=" + name)
        check("and it is the column", again.returncode == 0 and "--time" not in again.stderr, again.stderr)


def words():
    with open("words.csv", "w") as file:
        file.write("the size,y\n" + "".join("%s,%d\n" % (i if i % 9 else "not known", i % 5) for i in range(150)))
    done = run("fit", "words.csv", "--target", "y", "--task", "regression", *QUICK)
    check("--missing and --categorical", '--missing "not known"' in done.stderr and '--categorical "the size"' in done.stderr,
          done.stderr)


def columns():
    with open("t.csv", "w") as file:
        file.write("a,the size,y\n1,2,3\n2,3,4\n")
    done = run("fit", "t.csv")
    check("fit without a target lists the columns",
          done.returncode == 1 and done.stderr.endswith("the columns of DATA are a, the size, y\n") and not done.stdout, done.stderr)
    with open("wide.csv", "w") as file:
        file.write(",".join("column_%04d" % i for i in range(3000)) + "\n" + ",".join("1" * 3000) + "\n")
    done = run("fit", "wide.csv")
    check("of many the first", done.returncode == 1 and re.search(r"column_0000, .* and \d+ more\n$", done.stderr) and
          len(done.stderr) < 2000, done.stderr[-200:])


def commands():
    done, helped = run(), run("--help")
    listed = [line.split()[0] for line in done.stderr.splitlines()[1:]]
    known = [line.split()[0] for line in helped.stdout.splitlines() if re.match(r"  [a-z]+ {2,}", line)]
    check("entropic alone lists the commands", done.returncode == 1 and not done.stdout and
          listed == [name for name in known if name != "help"] and "predict" in listed, done.stderr)


def languages():
    run("generate", "friedman1", "--rows", "60", "-o", "f.csv")
    run("fit", "f.csv", "--target", "y", "--quiet", *QUICK)
    for name in "m.py", "m.tar.gz", "folder.c/m.sql":
        done = run("export", "m.entropic", "-o", name)
        check("an export to %s names the languages" % name, done.returncode == 1 and all(words in done.stderr for words in ("c (.c .h ", "js (.js .mjs)", "json (.json)")) and
              not os.path.exists(name), done.stderr)
    for name, begins in (("m.c", "/*"), ("m.h", "/*"), ("m", "/*"), (".m", "/*"), ("m.mjs", "/*"), ("m.json", "{")):
        done = run("export", "m.entropic", "-o", name)
        check("an export to %s" % name, done.returncode == 0 and open(name).read().startswith(begins), done.stderr)
    done = run("export", "m.entropic", "--lang", "json", "-o", "m.py")
    check("any name with --lang", done.returncode == 0 and open("m.py").read().startswith("{"), done.stderr)


pasted()
words()
columns()
commands()
languages()
sys.exit(end())
