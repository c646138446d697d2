"""Tables in several files, folders and patterns give the model of the whole file, byte for byte; what does not go together
is refused by file, line and column. Compression by zstd."""
import gzip
import os
import random
import shutil
import subprocess
import sys
import time

from _tap import check, end, skip

ENTROPIC = os.environ["ENTROPIC"]
CHEAP = ["--select", "entropy", "--features", "20", "--omega", "1", "--lambda", "0.1", "--scale", "quantile"]


def run(*arguments, **more):
    done = subprocess.run([ENTROPIC, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=300, **more)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def model_of(*files, more=(), **keywords):
    """The bytes of a model, or what was said instead."""
    if os.path.exists("model"):
        os.remove("model")
    status, _, errors = run("fit", *files, "--target", "y", *CHEAP, *more, "-o", "model", **keywords)
    if status != 0:
        return errors
    with open("model", "rb") as file:
        return file.read()


def write(name, text):
    if os.path.dirname(name):
        os.makedirs(os.path.dirname(name), exist_ok=True)
    data = text.encode() if isinstance(text, str) else text
    with (gzip.open if name.endswith(".gz") else open)(name, "wb") as file:
        file.write(data)
    return name


def table(rows, seed=1):
    """Numbers, categories, dates, missing values, quotes with line feeds; a column that turns into text late."""
    draw = random.Random(seed)
    lines = []
    for i in range(rows):
        late = "n/k" if i > rows * 0.9 and i % 3 == 0 else str(i % 50)
        words = draw.choice(["red", "green", '"blue, ""dark"""', '"two\nlines"', ""])
        lines.append("%.6g,%s,%s,20%02d-%02d-11,%d" % (draw.gauss(0, 1), late, words, i % 30, i % 12 + 1, i * i % 23))
    return "a,late,words,day,y", lines


def parts_of(lines, count, seed=2):
    places = sorted(random.Random(seed).sample(range(1, len(lines)), count - 1))
    return [lines[a:b] for a, b in zip([0] + places, places + [len(lines)])]


def check_same():
    head, lines = table(9000)
    whole = write("whole.csv", "\n".join([head, *lines]) + "\n")
    expected = model_of(whole)
    check("the whole file is learnt", isinstance(expected, bytes), expected)
    names = []
    for i, part in enumerate(parts_of(lines, 9)):
        text = "\n".join([head, *part]) + "\n"
        if i == 1:
            text = text[:-1]  # no line feed at its end
        elif i == 2:
            text = "\r\n".join([head, *part]).replace("two\r\n", "two\n") + "\r\n"
        elif i == 3:
            text = "\n".join(part) + "\n"  # no header
        elif i == 4:
            text = "\ufeff\n\n" + text
        elif i == 5:
            text = text.replace(head, '"a","late",words,"day", y', 1)
        names.append(write("parts/%d.csv%s" % (i, ".gz" if i in (0, 6) else ""), text))
    for threads in ("1", "2", "5"):
        check("several files, %s threads" % threads, model_of(*names, more=["--threads", threads]) == expected)
    check("a folder", model_of("parts") == expected and model_of("parts/") == expected)
    check("a pattern", model_of("parts/*.csv*") == expected)
    check("a pattern and files", model_of("parts/[0-3].*", *names[4:]) == expected)
    write("parts/4b.csv", "")
    write("parts/5b.csv", head + "\n")
    write("parts/_SUCCESS", "")
    write("parts/.hidden.csv", "1,2\n")
    write("parts/readme.md", "no table")
    check("files without rows, and others", model_of("parts") == expected)
    check("an empty file is mentioned", "4b.csv is empty" in run("fit", "parts", "--target", "y", *CHEAP, "-o", "m")[2])
    order = names[3:] + names[:3]
    check("the order counts as given", model_of(*order[1:], order[0]) != model_of(*names[1:], names[0]))
    status, out, _ = run("predict", "model", *names)
    check("predict", status == 0 and out == run("predict", "model", whole)[1])
    check("score", run("score", "model", "parts")[1] == run("score", "model", whole)[1] != "")
    for files, name in ((names, "parts/0.entropic"), (["parts"], "parts.entropic"), (["parts/*.csv*"], "parts.entropic")):
        if os.path.exists(name):
            os.remove(name)
        run("fit", *files, "--target", "y", *CHEAP)
        check("the name of a model of %s" % files[0], os.path.exists(name))


def check_segments():
    """Files above the size from which threads share one, with line feeds in quotes where they meet."""
    head, lines = table(60000, 3)
    whole = write("large.csv", "\n".join([head, *lines]) + "\n")
    for count in (2, 40):
        folder = "large-%d" % count
        for i, part in enumerate(parts_of(lines, count)):
            write("%s/%03d.csv" % (folder, i), "\n".join([head, *part]) + ("" if i % 3 == 0 else "\n"))
        expected = model_of(whole)
        check("%d files of several segments" % count,
              model_of(folder, more=["--threads", "2"]) == expected == model_of(folder, more=["--threads", "1"]))
    last = "large-40/%03d.csv" % 39
    with open(last) as file:
        rows = file.read().split("\n")
    rows[-3] = "x" + rows[-3]
    write(last, "\n".join(rows))
    found = model_of("large-40", more=["--threads", "2"])
    place = "%s, line %d, column 1 (a)" % (last, len(rows) - 2)
    check("the line of a cell in the last file", isinstance(found, str) and place in found, found)


def check_thousand():
    head, lines = table(5000, 5)
    whole = write("thousand.csv", "\n".join([head, *lines]) + "\n")
    for i, part in enumerate(parts_of(lines, 1000)):
        write("thousand/%04d.csv" % i, "\n".join([head, *part]) + "\n")
    start = time.time()
    expected = model_of(whole)
    middle = time.time()
    check("a thousand files", model_of("thousand") == expected)
    slower = (time.time() - middle) - (middle - start)
    check("they take little longer", slower < 2, "%.2f s more" % slower)
    files = sorted("thousand/" + name for name in os.listdir("thousand"))
    check("a thousand arguments", model_of(*files) == expected)


def refused(what, files, *expected, more=()):
    status, _, errors = run("fit", *files, "--target", "y", *CHEAP, *more, "-o", "refused")
    check(what, status == 2 and all(text in errors for text in expected) and not os.path.exists("refused"),
          "%d: %s" % (status, errors))


def check_refused():
    rows = "".join("%d,%d,%d\n" % (i, i * 7 % 5, i * i % 11) for i in range(40))
    write("r/1.csv", "a,b,y\n" + rows)
    for what, head, expected in (
            ("another name", "a,c,y", ["r/2.csv, line 1, column 2: found 'c', expected 'b' as in r/1.csv"]),
            ("another order", "b,a,y", ["r/2.csv, line 1, column 1: found 'b', expected 'a'", "same order"]),
            ("a column less", "a,y", ["r/2.csv, line 1", "column 2"]),
            ("a column more", "a,b,y,z", ["r/2.csv, line 1: found 4 columns, expected the 3 of r/1.csv",
                                          "column 4 ('z') is too many"]),
            ("other names altogether", "p,q,r", ["r/2.csv, line 1, column 1: found 'p', expected 'a'"])):
        write("r/2.csv", head + "\n" + rows)
        refused(what, ["r"], *expected)
    write("r/2.csv", rows)
    check("rows without a header are rows", isinstance(model_of("r"), bytes))
    refused("but not where headers are required", ["r"], "r/2.csv, line 1, column 1: found '0', expected 'a'",
            more=["--header", "yes"])
    write("r/2.csv", rows + "1,2\n")
    refused("rows of fewer columns", ["r"], "r/2.csv, line 41: found 2 fields, expected 3")
    write("r/2.csv", "a,b,y\n" + rows + '1,"2,3\n')
    write("r/3.csv", "a,b,y\n" + rows + '1,2",3\n')
    refused("quotes that another file closes", ["r"], "r/2.csv, line 42", "quote")
    os.remove("r/3.csv")
    write("r/2.csv", b"\xff\xfe" + "a,b,y\n1,2,3\n".encode("utf-16-le"))
    refused("UTF-16 among others", ["r"], "r/2.csv is UTF-16")
    write("r/2.csv", "a,b,y\n" + rows)
    with gzip.open("r/3.csv.gz", "wb") as file:
        file.write(("a,b,y\n" + rows * 2000).encode())
    with open("r/3.csv.gz", "rb") as file:
        packed = file.read()
    write("r/4.csv.gz.part", b"")
    with open("r/3.csv.gz", "wb") as file:
        file.write(packed[:len(packed) // 2])
    refused("a file that is cut short", ["r"], "r/3.csv.gz, line", "truncated")
    os.remove("r/3.csv.gz")
    refused("a pattern without a match", ["r/*.tsv"], "cannot read 'r/*.tsv': no file matches")
    os.makedirs("bare/inner", exist_ok=True)
    write("bare/readme.md", "")
    refused("a folder without tables", ["bare"], "the folder 'bare' has 2 files and no table")
    write("both/1.csv", "a,b,y\n" + rows)
    write("both/2.parquet", "PAR1")
    refused("a folder of two kinds", ["both"], "1 Parquet file and 1 other table")
    status, _, errors = run("fit", "r/1.csv", "r/none.csv", "--target", "y")
    check("a file that is not there", status == 1 and "unexpected argument r/none.csv" in errors, errors)
    status, _, errors = run("fit", "r/1.csv", "-", "--target", "y", "-o", "refused")
    check("standard input among files", status != 0 and not os.path.exists("refused"), errors)
    status, _, errors = run("fit", "r/1.csv", "r/2.csv", "--target", "y", "-o", "r/2.csv")
    check("a model that would replace a part", status == 1 and "would replace DATA: r/2.csv" in errors, errors)
    if os.getuid() != 0:
        os.chmod("r/2.csv", 0)
        refused("a file that must not be read", ["r"], "cannot read 'r/2.csv': Permission denied")
        os.chmod("r/2.csv", 0o644)
    else:
        skip("a file that must not be read", "root may read all")


def check_libsvm():
    lines = ["%d 1:%d 3:%.3f" % (i % 7, i % 5, i / 9) for i in range(400)]
    whole = write("whole.libsvm", "\n".join(lines) + "\n")
    write("svm/1.libsvm", "\n".join(lines[:150]))
    write("svm/2.libsvm.gz", "\n".join(lines[150:399]) + "\n")
    write("svm/3.libsvm", lines[399] + " 5:1\n")
    write("whole5.libsvm", "\n".join(lines) + " 5:1\n")
    one, other = run("features", "whole5.libsvm", "--features", "9"), run("features", "svm", "--features", "9")
    check("LIBSVM text in several files", one[0] == 0 and one[1] == other[1] != run("features", whole)[1], other[2])
    write("svm/2.libsvm.gz", "1 1:1\n1 1:x\n")
    check("the place of an entry", "svm/2.libsvm.gz, line 2, entry 2: found '1:x'" in run("features", "svm")[2])


def check_zstd():
    if shutil.which("zstd") is None:
        skip("zstd", "there is no zstd")
        return
    expected = model_of("whole.csv")
    subprocess.run(["zstd", "-q", "-f", "whole.csv", "-o", "whole.csv.zst"], check=True)
    with open("whole.csv.zst", "rb") as file:
        packed = file.read()
    check("zstd", model_of("whole.csv.zst") == expected)
    piped = subprocess.run([ENTROPIC, "fit", "-", "--target", "y", *CHEAP, "-o", "piped"], input=packed,
                           capture_output=True)
    check("zstd through a pipe", piped.returncode == 0 and open("piped", "rb").read() == expected, piped.stderr)
    with open("whole.csv") as file:
        text = file.read()
    middle = text.index("\n", len(text) // 2) + 1
    frames = b"".join(subprocess.run(["zstd", "-q"], input=part.encode(), capture_output=True).stdout
                      for part in (text[:middle], "", text[middle:]))
    check("several frames", model_of(write("frames.csv.zst", b"\x50\x2a\x4d\x18\x02\0\0\0ab" + frames)) == expected)
    refused("zstd that is cut short", [write("cut.csv.zst", packed[:-100])], "cut.csv.zst, line", "truncated")
    broken = bytearray(packed)
    broken[len(packed) // 2:len(packed) // 2 + 40] = bytes(40)
    refused("zstd that is corrupt", [write("broken.csv.zst", bytes(broken))], "broken.csv.zst, after line", "corrupt")
    write("zst/1.csv", "\n".join(text.split("\n")[:3]) + "\n")
    found = model_of("whole.csv.zst", env={**os.environ, "ENTROPIC_ZSTD": "/nowhere/libzstd.so.1"})
    check("without the library", isinstance(found, str) and "libzstd.so.1 is needed" in found, found)


def check_line_feeds():
    """A line feed in a name would part it in two: it is refused, not cut."""
    whole = open("whole.csv").read()
    for folder, name in (("feeds", "a\nb.csv"), ("feeds", "c.csv"), ("feeds", "a")):
        write(folder + "/" + name, whole)
    for what, words in (("DATA", ["feeds/a\nb.csv"]), ("one of several", ["whole.csv", "feeds/a\nb.csv"]),
                        ("--valid", ["whole.csv", "--valid", "feeds/a\nb.csv"])):
        status, out, err = run("fit", *words, "--target", "y", "-o", "feeds.entropic")
        check("a line feed in the name of %s" % what, status == 1 and "the name 'feeds/a?b.csv' has a line feed in it" in err and
              not os.path.exists("feeds.entropic"), err)


check_same()
check_line_feeds()
check_segments()
check_thousand()
check_refused()
check_libsvm()
check_zstd()
sys.exit(end())
