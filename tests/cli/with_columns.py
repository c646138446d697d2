"""predict --with: columns of DATA go along into the predictions, as they are written, whatever the file and however long."""
import csv
import gzip
import io
import os
import random
import subprocess
import sys

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
NAMES = ["key", "u", "v", "text", "colour"]


def run(*words, data=None):
    return subprocess.run([ENTROPIC, *map(str, words)], input=data, capture_output=True, timeout=300,
                          **({} if data is not None else {"stdin": subprocess.DEVNULL}))


def train():
    rng = random.Random(3)
    with open("train.csv", "w") as file:
        file.write("u,v,colour,y\n")
        for i in range(400):
            u, v = rng.random(), rng.random()
            file.write("%r,%r,%s,%r\n" % (u, v, "red" if i % 3 else "blue", u * v + i % 3))
    done = run("fit", "train.csv", "--target", "y", "--features", "20", "--select", "entropy", "--omega", "1", "--lambda",
               "1e-3", "--quiet", "-o", "m.entropic")
    check("a model", done.returncode == 0, done.stderr)


def rows(count, seed=1):
    rng, found = random.Random(seed), []
    texts = ["plain", "", "a, b", 'say "hi"', "two\nlines", " blanks ", "NA", "x;y", "\u00e4\u00f6\u00fc", "'", "1,5", "#no"]
    for i in range(count):
        found.append(["%06d" % i, "%.*g" % (rng.randrange(1, 17), rng.random()) if i % 7 else "", "%.4e" % rng.random(),
                      rng.choice(texts) * (1 if i % 501 else 300), rng.choice(["red", "blue", "green", "NA"])])
    return found


def text_of(table, **dialect):
    out = io.StringIO()
    writer = csv.writer(out, **{"lineterminator": "\n", **dialect})
    writer.writerow(NAMES)
    writer.writerows([[" blanks " if cell == " blanks " else cell for cell in row] for row in table])
    return out.getvalue()


def parsed(data):
    return list(csv.reader(io.StringIO(data.decode(), newline="")))


def all_files():
    table = rows(40000)
    quoting = {"quoting": csv.QUOTE_ALL}  # blanks count in quotes alone
    text = text_of(table, **quoting)
    with open("rows.csv", "w", newline="") as file:
        file.write(text)
    plain = run("predict", "m.entropic", "rows.csv", "--quiet")
    predictions = [row[0] for row in parsed(plain.stdout)]
    check("the predictions themselves", plain.returncode == 0 and len(predictions) == len(table) + 1, plain.stderr)
    wanted = [row + [predictions[i]] for i, row in enumerate([NAMES] + table)]
    done = run("predict", "m.entropic", "rows.csv", "--with", "all", "--quiet")
    check("all columns", parsed(done.stdout) == wanted, done.stderr)
    for threads in 1, 2, 5:
        again = run("predict", "m.entropic", "rows.csv", "--with", "all", "--quiet", "--threads", threads)
        check("%d threads" % threads, again.stdout == done.stdout, again.stderr)
    some = [[row[3], row[0], row[-1]] for row in wanted]
    for what, list_ in (("names", "text,key"), ("numbers", "4,1"), ("blanks around names", " text , key ")):
        done = run("predict", "m.entropic", "rows.csv", "--with", list_, "--quiet")
        check("some of them, by " + what, parsed(done.stdout) == some, done.stderr)
    with gzip.open("rows.csv.gz", "wt", newline="") as file:
        file.write(text)
    done = run("predict", "m.entropic", "rows.csv.gz", "--with", "all", "--quiet", "-o", "out.csv")
    check("gzip, and -o", done.returncode == 0 and parsed(open("out.csv", "rb").read()) == wanted, done.stderr)
    done = run("predict", "m.entropic", "-", "--with", "all", "--quiet", data=text.encode())
    check("standard input", parsed(done.stdout) == wanted, done.stderr)
    done = run("predict", "m.entropic", "-", "--with", "all", "--quiet", data=text.encode("utf-16"))
    check("UTF-16", parsed(done.stdout) == wanted, done.stderr)
    semicolons = text_of(table, delimiter=";", lineterminator="\r\n", **quoting)
    done = run("predict", "m.entropic", "-", "--with", "all", "--quiet", data=semicolons.encode())
    check("semicolons, CR LF", parsed(done.stdout) == wanted, done.stderr)
    done = run("predict", "m.entropic", "rows.csv", "--with", "key", "--interval", "0.9", "--effects", "--quiet")
    other = run("predict", "m.entropic", "rows.csv", "--interval", "0.9", "--effects", "--quiet")
    check("with intervals and effects", [row[1:] for row in parsed(done.stdout)] == parsed(other.stdout), done.stderr)
    done = run("predict", "m.entropic", "rows.csv", "rows.csv", "--with", "key,text", "--quiet")
    check("two files", [row[:1] for row in parsed(done.stdout)] ==
          [[NAMES[0]]] + [[row[0]] for row in table] * 2, done.stderr)


def small_ones():
    def write(text):
        with open("small.csv", "w") as file:
            file.write(text)
        return "small.csv"
    done = run("predict", "m.entropic", write("u,v,colour,prediction,prediction.1\n.5,.5,red,old,older\n,,,,\n"), "--with",
               "all")
    check("a name that the predictions have is renamed, with a notice",
          done.stdout.split(b"\n")[0] == b"u,v,colour,prediction.2,prediction.1,prediction" and
          b"column prediction of DATA is renamed prediction.2" in done.stderr, done.stdout + done.stderr)
    check("a row of commas goes along", parsed(done.stdout)[2][:5] == [""] * 5 and len(parsed(done.stdout)) == 3)
    done = run("predict", "m.entropic", write("u,v,colour,lower\n.5,.5,red,1\n"), "--with", "lower", "--quiet")
    check("lower is free without intervals", done.stdout.startswith(b"lower,prediction\n1,"), done.stdout)
    done = run("predict", "m.entropic", "small.csv", "--with", "lower", "--quiet", "--interval", "0.9")
    check("and not with them", done.stdout.startswith(b"lower.1,prediction,lower,upper\n1,"), done.stdout)
    done = run("predict", "m.entropic", write('u,v,colour,all,"a,b"\n.5,.5,red,1,2\n'), "--with", "all", "--quiet")
    check("a column that is called all", done.stdout.startswith(b"all,prediction\n1,"), done.stdout)
    done = run("predict", "m.entropic", "small.csv", "--with", "a,b", "--quiet")
    check("a name with a comma", done.stdout.startswith(b'"a,b",prediction\n2,'), done.stdout)
    done = run("predict", "m.entropic", write(".5,.5,red\n"), "--with", "all", "--quiet")
    check("no header", done.stdout.startswith(b"x1,x2,x3,prediction\n.5,.5,red,"), done.stdout + done.stderr)
    for what, words, status, said in (
            ("a column that is not there", ["--with", "colours"], 1, b"did you mean"),
            ("a column twice", ["--with", "1,1"], 1, b"listed twice"), ("nothing", ["--with", ""], 1, b"not empty")):
        done = run("predict", "m.entropic", write("u,v,colour\n.5,.5,red\n"), *words)
        check(what, done.returncode == status and said in done.stderr and not done.stdout, done.stderr)
    with open("m.libsvm", "w") as file:
        file.write("".join("%g 1:%g 2:%g\n" % (i % 5, i % 5 / 5, i % 7 / 7) for i in range(60)))
    run("fit", "m.libsvm", "--task", "regression", "--features", "5", "--quiet", "-o", "l.entropic")
    done = run("predict", "l.entropic", "m.libsvm", "--with", "all")
    check("LIBSVM text has no columns", done.returncode == 2 and b"expected CSV" in done.stderr, done.stderr)


def memory():
    """It does not grow with the file: every text is another one."""
    def peak(count):
        with open("long.csv", "w") as file:
            file.write("key,u,v,colour\n")
            for i in range(count):
                file.write("%d-%s,.5,.25,red\n" % (i, "k" * 200))
        child = os.fork()
        if child == 0:
            os.execv(ENTROPIC, [ENTROPIC, "predict", "m.entropic", "long.csv", "--with", "all", "--quiet", "-o", "long.out"])
        status, usage = os.wait4(child, 0)[1:]
        check("%d rows" % count, status == 0)
        return usage.ru_maxrss * 1024
    small, large = peak(20000), peak(160000)
    check("memory stays the same", large < small + 8e6, "%d bytes of 20,000 rows, %d of 160,000" % (small, large))


train()
all_files()
small_ones()
memory()
sys.exit(end())
