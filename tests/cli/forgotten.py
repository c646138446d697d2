"""What forget leaves of rows in a model file: none of their numbers, no marginals, no receipt of before."""
import json
import os
import random
import shutil
import struct
import subprocess

from _sections import section, without
from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]
GOLDEN = os.path.join(os.environ["ENTROPIC_SOURCE"], "tests", "golden")
ROWS, GONE = 430, 29


def run(*arguments):
    done = subprocess.run([ENTROPIC, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def receipt(name):
    return run("receipt", name)[1].strip()


def read(name):
    with open(name, "rb") as file:
        return file.read()


def write(name, rows):
    with open(name, "w") as file:
        file.write("a,b,whole,common,y\n")
        for row in rows:
            file.write(",".join(repr(value) for value in row) + "\n")


def table(skewed):
    """Rows of two continuous inputs, one of whole numbers that few rows share, and one of five values."""
    draw = random.Random(5)
    for _ in range(ROWS):
        a, b, whole, common = draw.random(), draw.expovariate(0.02), float(draw.randrange(3000)), float(draw.randrange(5))
        y = 10 * a + b / 30 + whole / 500 + common + draw.gauss(0, 1)
        yield [a, b, whole, common, 40 + y ** 3 if skewed else y]


def part(model, tag):
    return section(read(model), tag)


def left_over(model, gone, kept):
    """The numbers of forgotten rows, and of no other, whose bytes are in a file: as float64 or float32."""
    data, others = read(model), {value for row in kept for value in row}
    numbers = {value for row in gone for value in row} - others - {0.0}
    found = sorted(v for v in numbers if struct.pack("<d", v) in data)
    narrow = sorted(v for v in numbers if v != int(v) and struct.pack("<f", v) in data)
    return len(numbers), found, narrow


def check_numbers():
    for scale in ("auto", "quantile", "blend", "minmax"):
        for skewed in (False, True):
            rows = sorted(table(skewed), key=lambda row: row[4])
            # The extremes of every column are among the forgotten rows.
            gone = [pick(rows, key=lambda row, c=c: row[c]) for c in range(5) for pick in (min, max)]
            gone += rows[5 :: ROWS // GONE]
            gone = [row for i, row in enumerate(gone) if row not in gone[:i]]
            kept = [row for row in rows if row not in gone]
            name = "%s-%s" % (scale, "root" if skewed else "plain")
            write(name + ".csv", rows)
            write(name + "-gone.csv", gone)
            write(name + "-kept.csv", kept)
            more = ["--target-scale", "root"] if skewed else []
            status, _, err = run("fit", name + ".csv", "--target", "y", "--keep-statistics", "--features", "40", "--scale",
                                 scale, "--quiet", "-o", name + ".entropic", *more)
            check(name + ": a model", status == 0, err)
            total, found, narrow = left_over(name + ".entropic", gone, kept)
            check(name + ": it holds no number of a row", total > 90 and not found and not narrow, (total, found, narrow))
            before = receipt(name + ".entropic")
            status, _, err = run("forget", name + ".entropic", name + "-gone.csv", "--quiet")
            check(name + ": rows are forgotten", status == 0, err)
            total, found, narrow = left_over(name + ".entropic", gone, kept)
            check(name + ": none of their numbers is left", total > 90 and not found and not narrow, (total, found, narrow))
            check(name + ": nor the receipt of before", bytes.fromhex(before) not in read(name + ".entropic"))
            run("collect", name + "-kept.csv", "--design", name + ".entropic", "-o", name + ".stat", "--quiet")
            check(name + ": the receipt is that of the other rows", receipt(name + ".entropic") == receipt(name + ".stat"))
            run("solve", name + ".stat", "-o", name + "-solved.entropic", "--keep-statistics", "--quiet")
            check(name + ": sums behind marginals are those of the other rows",
                  part(name + ".entropic", b"msum") == part(name + "-solved.entropic", b"msum") is not None)
            check(name + ": there are no other marginals", part(name + ".entropic", b"marg") is None)


def explained(model, *data):
    status, out, err = run("explain", model, *data, "--json", "--quiet")
    return json.loads(out) if status == 0 else err


def check_marginals():
    """Explained by its own marginals, a model is explained as by the rows it has."""
    name = "quantile-plain"
    own = explained(name + ".entropic")
    with open("without.entropic", "wb") as file:
        file.write(without(read(name + ".entropic"), b"msum"))
    solved = explained(name + "-solved.entropic")
    check("a model that is solved from statistics is explained alike", own["inputs"] == solved["inputs"], (own, solved))
    rows = explained("without.entropic", name + "-kept.csv")
    near = all(abs(a["total"] - b["total"]) <= 1e-9 for a, b in zip(own["inputs"], rows["inputs"]))
    check("marginals are those of the rows there are", near and len(own["inputs"]) == 4, (own, rows))
    check("the model's own are used", own["marginals"] == "model" and rows["marginals"] == "rows", own)


def check_turns():
    """Update and forget in turn."""
    name = "blend-plain"
    run("fit", name + "-kept.csv", "--target", "y", "--keep-statistics", "--features", "30", "--quiet", "-o", "turn.entropic")
    run("update", "turn.entropic", name + "-gone.csv", "--quiet")
    added = read("turn.entropic")
    run("forget", "turn.entropic", name + "-gone.csv", "--quiet")
    first = read("turn.entropic")
    info = run("info", "turn.entropic")[1]
    check("an update that is forgotten leaves validation current", "not current" not in info, info)
    run("update", "turn.entropic", name + "-gone.csv", "--quiet")
    check("an update gives the same bytes again", read("turn.entropic") == added)
    run("forget", "turn.entropic", name + "-gone.csv", "--quiet")
    check("and its forgetting", read("turn.entropic") == first)
    with open(name + "-kept.csv") as file:
        lines = file.readlines()
    with open("some.csv", "w") as file:
        file.writelines(lines[:21])
    run("forget", "turn.entropic", "some.csv", "--quiet")
    run("update", "turn.entropic", "some.csv", "--quiet")
    info = run("info", "turn.entropic")[1]
    check("rows that are forgotten and added again leave it not current", "not current" in info, info)
    check("the receipt of before stays gone", part("turn.entropic", b"vald") == bytes(32) + b"\1")
    check("all else is as it was", part("turn.entropic", b"stat") == section(first, b"stat") and
          part("turn.entropic", b"msum") == section(first, b"msum"))


def check_old():
    """A model whose statistics have no sums behind marginals, as an older version wrote it."""
    shutil.copy(os.path.join(GOLDEN, "v4-kept.entropic"), "old.entropic")
    rows = os.path.join(GOLDEN, "v4-rows.csv")
    check("an old model has marginals of its fit", part("old.entropic", b"marg") is not None)
    before = receipt("old.entropic")
    status, _, err = run("update", "old.entropic", rows)
    check("an old model is updated, and says that its marginals go", status == 0 and "no longer has marginals" in err, err)
    check("they are gone", part("old.entropic", b"marg") is None and part("old.entropic", b"msum") is None)
    status, _, err = run("forget", "old.entropic", rows)
    check("rows are forgotten again, without a word on marginals", status == 0 and "marginals" not in err, err)
    check("its receipt is what it was", receipt("old.entropic") == before)
    run("collect", rows, "--design", "old.entropic", "-o", "old.stat", "--quiet")
    status, _, err = run("merge", "old.stat", "old.stat", "-o", "twice.stat", "--quiet")
    check("statistics for it go together", status == 0, err)
    status, _, err = run("explain", "old.entropic")
    check("explaining it needs rows", status != 0 and "marginals" in err, err)
    check("with rows it can be", run("explain", "old.entropic", rows)[0] == 0)


check_numbers()
check_marginals()
check_turns()
check_old()
raise SystemExit(end())
