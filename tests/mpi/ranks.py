"""Fits over ranks of MPI: the same model bytes whatever their number, and as in one process."""
import os
import subprocess
import sys

from _ranks import ENTROPIC_MPI, ENVIRONMENT, read, run, table, there
from _tap import check, end

there()
GIVEN = ["--omega", "1", "--lambda", "1e-4", "--features", "30", "--target", "y"]


def same(what, data, ranks, *options):
    """Models of ranks are those of one process."""
    done = run(0, "fit", data, *GIVEN, "-o", "one.entropic", *options)
    check("%s: one process" % what, done.returncode == 0, done.stderr)
    for count in ranks:
        name = "ranks%d.entropic" % count
        done = run(count, "fit", data, *GIVEN, "-o", name, *options)
        check("%s: %d ranks, the same bytes" % (what, count),
              done.returncode == 0 and read(name) == read("one.entropic"), done.stderr)
        if os.path.exists(name):
            os.remove(name)


table("numbers.csv", 3000, 1)
table("classes.csv", 3000, 2, classes=True)
with open("late.csv", "w") as file:  # a column that turns out to be text in the last part only
    file.write("a,b,y\n")
    for i in range(2000):
        file.write("%.4f,%s,%.4f\n" % (i * .37 % 1, "word" if i > 1900 and i % 3 else i % 5, i * .37 % 1 * 2))

same("numbers", "numbers.csv", [1, 2, 3, 4, 7], "--sample", "800")
same("weights and groups", "numbers.csv", [3], "--sample", "800", "--weights", "w", "--groups", "g")
same("statistics that are kept", "numbers.csv", [2], "--sample", "800", "--keep-statistics")
same("classes by squares", "classes.csv", [2, 5], "--sample", "800", "--loss", "squared")
same("no more rows than the sample", "numbers.csv", [3], "--sample", "5000")
same("a column that is text in the last part", "late.csv", [4], "--sample", "500")
same("more ranks than rows matter to", "numbers.csv", [7], "--sample", "100")

# Many files: each rank has a share of them.
with open("numbers.csv", newline="") as file:
    records, quoted, record = [], False, ""
    for line in file:
        record += line
        quoted ^= line.count('"') % 2 == 1
        if not quoted:
            records.append(record)
            record = ""
os.mkdir("parts")
for i in range(6):
    with open("parts/%d.csv" % i, "w", newline="") as file:
        file.writelines([records[0]] + records[1 + 500 * i:1 + 500 * (i + 1)])
same("a folder of six files", "parts", [1, 2, 4], "--sample", "800")
done = run(7, "fit", "parts", *GIVEN, "-o", "no.entropic")
check("more ranks than files are refused", done.returncode != 0 and "6 files for 7" in done.stderr, done.stderr)

# Nothing is given: all that is searched for is found in the same way.
done = run(0, "fit", "numbers.csv", "--target", "y", "--sample", "300", "-o", "one.entropic")
done = run(2, "fit", "numbers.csv", "--target", "y", "--sample", "300", "-o", "two.entropic")
check("the default fit on two ranks", done.returncode == 0 and read("one.entropic") == read("two.entropic"), done.stderr)

# Failures are agreed upon: one message, the exit status, no model, no hang.
with open("numbers.csv") as file:
    lines = file.read().splitlines(True)
with open("bad.csv", "w") as file:
    file.writelines(lines[:-40])
    file.write("1,2\n")
    file.writelines(lines[-40:])
for count in (1, 3):
    done = run(count, "fit", "bad.csv", *GIVEN, "--sample", "800", "-o", "bad.entropic")
    said = [line for line in done.stderr.splitlines() if line.startswith("entropic fit:") and "notice" not in line]
    check("%d ranks: a bad row is one message and no model" % count,
          done.returncode != 0 and len(said) == 1 and "bad.csv" in said[0] and not os.path.exists("bad.entropic"),
          done.stderr)
for what, arguments in [("a file that is not there", ["fit", "none.csv", *GIVEN, "-o", "no.entropic"]),
                        ("a target that is not there", ["fit", "late.csv", "--target", "q", "-o", "no.entropic"]),
                        ("an option that is not there", ["fit", "late.csv", "--target", "y", "--nonsense"]),
                        ("a command that ranks cannot run", ["predict", "one.entropic", "late.csv"])]:
    done = run(3, *arguments)
    said = [line for line in done.stderr.splitlines() if line.startswith("entropic")]
    check("%s: one message on three ranks" % what,
          done.returncode != 0 and len(said) == 1 and not os.path.exists("no.entropic"), done.stderr)



# Ranks that differ: nobody waits for ever, all end with the status of the one that cannot begin, and rank 0 says why.
def differing(*lines, timeout=60):
    """One rank for each list of arguments."""
    words = ["mpirun"]
    for i, line in enumerate(lines):
        words += ([":"] if i else []) + ["-n", "1", ENTROPIC_MPI, *map(str, line)]
    try:
        return subprocess.run(words, capture_output=True, text=True, env=ENVIRONMENT, timeout=timeout)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(words, -1, "", "it hangs: %s" % late)


for name in "here", "there", "shorter", "other":
    os.mkdir(name)
with open("numbers.csv", "rb") as file:
    whole = file.read()
for name, content in (("here", whole), ("there", whole), ("shorter", b"".join(whole.splitlines(True)[:-500])),
                      ("other", whole[:-3] + bytes([whole[-3] ^ 1]) + whole[-2:])):
    with open(name + "/t.csv", "wb") as file:
        file.write(content)
os.utime("there/t.csv", (1, 1))
FIT = ["fit", "here/t.csv", *GIVEN, "--sample", "800", "-o", "differ.entropic"]


def fit_of(path):
    return ["fit", path, *FIT[2:]]


def one_message(what, done, status, *parts):
    said = [line for line in done.stderr.splitlines() if line.startswith("entropic")]
    check(what, done.returncode == status and len(said) == 1 and all(part in said[0] for part in parts) and
          not os.path.exists("differ.entropic"), "status %d: %s" % (done.returncode, done.stderr))


one_message("a shorter file on one rank", differing(fit_of("here/t.csv"), fit_of("here/t.csv"), fit_of("shorter/t.csv")), 2,
            "ranks see different tables", "rank 0 sees %d bytes" % len(whole), "rank 2 sees")
one_message("other contents of the same size", differing(fit_of("here/t.csv"), fit_of("other/t.csv")), 2,
            "rank 1 sees %d bytes in 1 file, with other contents" % len(whole))
one_message("no file on one rank", differing(fit_of("here/t.csv"), fit_of("none.csv"), FIT), 2, "rank 1 sees no file")
one_message("a wrong option on one rank", differing(FIT, [*FIT, "--nonsense"], FIT), 1, "rank 1 cannot begin", "nonsense")
one_message("a wrong value on one rank", differing(FIT, FIT, [*FIT, "--seed", "many"]), 1, "rank 2 cannot begin", "many")
one_message("a wrong option on rank 0 alone", differing([*FIT, "--nonsense"], FIT, FIT), 1, "nonsense")
for option, left, right in (("seed", "1", "2"), ("features", "20", "30"), ("target", "y", "a"), ("lambda", "1e-3", "auto"),
                            ("missing", "NA", "NA," + "x" * 300)):
    at = FIT.index("--" + option) if "--" + option in FIT else len(FIT)
    lines = [FIT[:at] + ["--" + option, value] + FIT[at + 2:] for value in (left, left, right)]
    one_message("another --%s on one rank" % option, differing(*lines), 1,
                "--%s differs" % option, "rank 0 has %s" % left, "rank 2 has")
one_message("an option on rank 0 alone", differing([*FIT, "--seed", "5"], FIT), 1, "--seed differs", "rank 0 has 5")
one_message("no command on one rank", differing(FIT, []), 1, "rank 1 cannot begin: a command is required", "help COMMAND")
one_message("help on one rank", differing(FIT, ["fit", "--help"]), 1, "rank 1 cannot begin", "the same for every rank")
done = differing(["--version"], ["--version"])
check("the version on all ranks", done.returncode == 0 and done.stdout.count("\n") == 1, done.stdout + done.stderr)
done = differing(fit_of("here/t.csv"), fit_of("there/t.csv"))
run(0, "fit", "here/t.csv", *GIVEN, "--sample", "800", "-o", "one.entropic")
check("a copy of another date is the same table",
      done.returncode == 0 and read("differ.entropic") == read("one.entropic"), done.stderr)
done = differing([*FIT, "--memory", "1G"], [*FIT, "--memory", "2G", "--threads", "1"])
check("ranks have memory and threads of their own", done.returncode == 0, done.stderr)

# A checkpoint: a second run finds the answers of the first, and gives the same model; another table does not.
done = run(2, "fit", "numbers.csv", *GIVEN, "--sample", "800", "--checkpoint", "kept", "-o", "first.entropic")
kept = sorted(os.listdir("kept")) if os.path.isdir("kept") else []
check("answers are kept", done.returncode == 0 and len(kept) >= 6, done.stderr)
done = run(2, "fit", "numbers.csv", *GIVEN, "--sample", "800", "--checkpoint", "kept", "-o", "second.entropic")
check("a second run gives the same model and keeps nothing more",
      done.returncode == 0 and read("first.entropic") == read("second.entropic") and
      sorted(os.listdir("kept")) == kept, done.stderr)
for name in kept:
    with open(os.path.join("kept", name), "r+b") as file:
        file.seek(40)
        file.write(b"damaged")
done = run(2, "fit", "numbers.csv", *GIVEN, "--sample", "800", "--checkpoint", "kept", "-o", "third.entropic")
check("damaged answers are found again", done.returncode == 0 and read("first.entropic") == read("third.entropic"),
      done.stderr)
done = run(0, "fit", "numbers.csv", *GIVEN, "--checkpoint", "kept", "-o", "none.entropic")
check("a checkpoint without ranks is refused", done.returncode == 1 and "entropic-mpi" in done.stderr, done.stderr)

sys.exit(end())
