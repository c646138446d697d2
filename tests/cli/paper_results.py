"""`entropic paper --only` and `--results`: experiments one by one, put together in one file."""
import gzip
import json
import os
import random
import subprocess
import sys

from _tap import check, end

ENTROPIC = os.environ["ENTROPIC"]


def write_table():
    """A table with the name and the number of rows of the paper's first, but other inputs."""
    draw = random.Random(5)
    lines = ["a,b,Y1,Y2"]
    for _ in range(768):
        x = [draw.random() for _ in range(2)]
        y = x[0] * x[1] + 0.1 * draw.gauss(0, 1)
        lines.append(",".join("%.4f" % value for value in x + [y, y]))
    os.mkdir("data")
    with gzip.open("data/energy_efficiency.csv.gz", "wt") as file:
        file.write("\n".join(lines) + "\n")


def run(*words, data="data"):
    return subprocess.run([ENTROPIC, "paper", "--quick", "--data", data, "--html", "p.html", "--json", "--quiet", *words],
                          capture_output=True, text=True)


def read(path="r.json"):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(text, path="r.json"):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def sizes(numbers):
    return sorted({m["features"] for m in numbers["sets"][0]["methods"]})


def refused(what, status, words, *more):
    before = read()
    done = run("--results", "r.json", *more)
    check(what, done.returncode == status and words in done.stderr and not done.stdout and read() == before,
          "status %d: %s" % (done.returncode, done.stderr))


def main():
    write_table()
    done = run("--only", "table2", "--results", "r.json")
    numbers = json.loads(done.stdout)
    check("table 2 alone: one size, and nothing else", done.returncode == 0 and sizes(numbers) == [60] and
          read() == done.stdout and not numbers["rates"] and not numbers["kernels"] and "claims" not in numbers,
          done.stderr)
    check("what was not run is said", {v["verdict"] for v in numbers["verdicts"] if v["key"] in ("rate-1", "basis", "pays")}
          == {"not measured"})
    done = run("--only", "claims", "--results", "r.json", data="none")
    more = json.loads(done.stdout)
    check("claims are put beside it", more["sets"] == numbers["sets"] and len(more["claims"]) >= 34 and
          next(v for v in more["verdicts"] if v["key"] == "basis")["verdict"] == "holds after completion", done.stderr)
    done = run("--only", "energy", "--most", "20", "--results", "r.json")
    more = json.loads(done.stdout)
    check("another size, and the older one stays", sizes(more) == [20, 60] and "claims" in more, done.stderr)
    check("with its own numbers", [m for m in more["sets"][0]["methods"] if m["features"] == 60] ==
          numbers["sets"][0]["methods"])
    saved, page = read(), read("p.html")
    done = run("--only", "none", "--results", "r.json", data="none")
    check("nothing is run: the same bytes, and the same page but for its foot", done.returncode == 0 and
          done.stdout == saved and read() == saved and read("p.html").count("\n") == page.count("\n"), done.stderr)
    refused("a part that there is not", 1, "'gird' is not an experiment of the paper, did you mean grid?", "--only", "gird")
    refused("results of another seed", 2, "r.json: results of seed 1, expected 2", "--only", "none", "--seed", "2")
    write(saved.replace('"seed": 1,', '"seed": 1', 1))
    refused("a spoilt file, with line and column", 2, "r.json, line 1, column ", "--only", "none")
    write(saved.replace('"name": "RKS"', '"name": "SKR"'))
    refused("a method that there is not", 2, "r.json: 'SKR' is not a method", "--only", "none")
    os.mkdir("folder")
    done = run("--only", "none", "--results", "folder")
    check("a folder", done.returncode in (2, 3) and "folder" in done.stderr and not done.stdout, done.stderr)
    done = run("--only", "none", "--results", "missing/r.json")
    check("a file in no folder", done.returncode == 3 and "missing/r.json" in done.stderr, done.stderr)
    return end()


if __name__ == "__main__":
    sys.exit(main())
