"""Models of several components: files of two fits are joined to one here, byte by byte as docs/model-format.md says. The sum
predicts, explains and exports what its components do together; a second reader of the file agrees; damage is refused.

    sums.py FILE     writes the model that tests/golden keeps as v7-sum, from rows of tests/golden
"""
import csv
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from _sections import sections
from _export_json import json_scores
from _exports import GCC
from _tap import check, end, skip
from model_file import Model

ENTROPIC = os.environ["ENTROPIC"]
GOLDEN = os.path.join(os.environ["ENTROPIC_SOURCE"], "tests", "golden")
COMMON = ["--omega", "1.5", "--lambda", "1e-3", "--seed", "7", "--features", "40", "--select", "entropy",
          "--target-scale", "plain"]


def entropic(*words, status=0):
    done = subprocess.run([ENTROPIC, *words, "--quiet"], capture_output=True, text=True)
    assert done.returncode == status, (words, done.stdout, done.stderr)
    return done.stdout if status == 0 else done.stderr


# ---- Joining files ----

def tagged(tag, body):
    return tag + struct.pack("<Q", len(body)) + body


def sealed(body, version=7):
    data = b"\x89ENT\r\n\x1a\n" + struct.pack("<IQ", version, 20 + len(body) + 4) + body
    return data + struct.pack("<I", zlib.crc32(data))


def weights(model, offsets):
    """The section of weights, without bounds."""
    return b"\0" + b"".join(struct.pack("<d", offset) + struct.pack("<%dd" % len(own), *own)
                            for offset, (_, own) in zip(offsets, model.scores))


def joint_marginals(models, rows):
    """Means of the atoms of all components of features, and of products of any two, over rows in data units."""
    body, models = b"", [model for model in models if not model.exact]
    for input in sorted(models[0].base):
        columns = []
        for model in models:
            scaled = [model.scale(input, row[input]) for row in rows]
            for level, atom in model.atoms_in_use()[input]:
                values = [model.axes[input].levels[level][1](x) for x in scaled]
                columns.append([value if found == atom else 0.0 for found, value in values])
        means = [math.fsum(column) / len(rows) for column in columns]
        body += struct.pack("<%dd" % len(means), *means)
        for u, one in enumerate(columns):
            for two in columns[:u + 1]:
                body += struct.pack("<d", math.fsum(a * b for a, b in zip(one, two)) / len(rows))
    return body


def parts_of(path):
    with open(path, "rb") as file:
        data = file.read()
    parts = {tag: data[start + 12:end] for tag, start, end in sections(data)}
    if data[8] < 4:
        parts[b"INFO"] += b"\0"  # later versions say that there is no target transform
    return parts


MAPS = (b"SCAL", b"KERN", b"DSGN", b"BYND", b"PNTS")
HEADS = (b"INFO", b"SCHM", b"note", b"PART", b"miss", b"FULL", b"term")


def joined(paths, rows=None, version=7, offset=0.0):
    """The file of the sum of these models, the first of which has all offsets."""
    models, parts = [Model(path) for path in paths], [parts_of(path) for path in paths]
    assert all(part[b"SCHM"] == parts[0][b"SCHM"] for part in parts)
    offsets = [math.fsum(model.scores[k][0] for model in models) for k in range(len(models[0].scores))]
    body = b"".join(tagged(tag, parts[0][tag]) for tag in HEADS + MAPS if tag in parts[0])
    body += tagged(b"WGTS", weights(models[0], offsets))
    for model, part in zip(models[1:], parts[1:]):
        inner = b"".join(tagged(tag, part[tag]) for tag in MAPS if tag in part)
        body += tagged(b"COMP", inner + tagged(b"WGTS", weights(model, [offset] * len(offsets))))
    if rows is not None:
        body += tagged(b"marg", joint_marginals(models, rows))
    return sealed(body, version)


def write(path, data):
    with open(path, "wb" if isinstance(data, bytes) else "w") as file:
        file.write(data)
    return path


# ---- A table ----

INPUTS = ["length", "colour", "age", "width"]
COLOURS = ["deep blue", "green", "red"]


def table(path, rows):
    """Numbers with gaps, a category, a target."""
    with open(path, "w") as file:
        file.write(",".join(INPUTS + ["weight"]) + "\n")
        for i in range(rows):
            length, width, age = 1 + 80 * (i * 0.618 % 1), 9 * (i * 0.414 % 1) ** 2, 1 + i * 7 % 12
            weight = length * width / 10 + 5 * (i % 3 == 2) + math.sin(length)
            cells = [repr(length), COLOURS[i % 3], age if i % 6 else "", repr(width), repr(weight)]
            file.write(",".join(map(str, cells)) + "\n")
    return path


def numbers(path):
    """Rows as the models see them."""
    with open(path) as file:
        return [[math.nan if cell == "" else float(COLOURS.index(cell)) if name == "colour" else float(cell)
                 for name, cell in zip(INPUTS, row)] for row in list(csv.reader(file))[1:]]


def predicted(model, data, *options):
    return [[float(v) for v in line.split(",")] for line in entropic("predict", model, data, *options).split("\n")[1:] if line]


def furthest(found, expected):
    if len(found) != len(expected):
        return math.inf
    return max(abs(a - b) if a == a and b == b else math.inf for x, y in zip(found, expected) for a, b in zip(x, y))


FITS = {"quantile": ["--scale", "quantile"], "minmax": ["--scale", "minmax", "--kernel", "laplace"],
        "exact": ["--scale", "minmax", "--kernel", "laplace", "--solver", "exact"]}


def fitted(folder, data, name):
    path = os.path.join(folder, name + ".entropic")
    options = FITS[name]
    common = COMMON if name != "exact" else COMMON[:6] + COMMON[10:]
    entropic("fit", data, "--target", "weight", "-o", path, *common, *options)
    return path


def sums(folder, data, fits):
    rows = numbers(data)
    for names in (["quantile", "minmax"], ["minmax", "quantile", "minmax"], ["quantile", "exact"], ["exact", "quantile"]):
        said = " + ".join(names)
        path = write(os.path.join(folder, "sum.entropic"), joined([fits[name] for name in names]))
        alone = [[row[0] for row in predicted(open_bounds(folder, fits[name]), data)] for name in names]
        wanted = [[math.fsum(values)] for values in zip(*alone)]
        found = predicted(path, data)
        size = max(abs(row[0]) for row in wanted)
        check(said + ": predictions are the sums", furthest(found, wanted) <= 1e-12 * size, furthest(found, wanted))
        model = Model(path)
        again = [model.predict(row) for row in rows]
        check(said + ": a second reader agrees", model.whole and furthest(found, again) <= 1e-11 * size,
              furthest(found, again))
        info = json.loads(entropic("info", path, "--json"))
        check(said + ": info counts the features of all", info["features"] == sum(
            json.loads(entropic("info", fits[name], "--json"))["features"] for name in names), info["features"])


def open_bounds(folder, path):
    """The model without bounds: a file of one component."""
    out = os.path.join(folder, "open-" + os.path.basename(path))
    data = joined([path], version=6)
    return write(out, data)


def effects(folder, data, fits):
    rows = numbers(data)
    both = [fits["quantile"], fits["minmax"]]
    plain = write(os.path.join(folder, "plain.entropic"), joined(both))
    kept = write(os.path.join(folder, "kept.entropic"), joined(both, rows))
    found = predicted(kept, data, "--effects")
    scores = predicted(plain, data)
    check("effects add up to the predictions", max(abs(sum(row[2:]) - y[0]) if len(row) == 7 else math.inf
                                                   for row, y in zip(found, scores)) <= 1e-10, found[:2])
    said = json.loads(entropic("explain", kept, "--json"))
    given = json.loads(entropic("explain", plain, data, "--json"))
    shares = lambda of: [[e["first"], e["total"]] for e in of["inputs"]] + [[of["variance"], of["base"]]]  # noqa: E731
    check("shares by the marginals of the file are those by the rows", furthest(shares(said), shares(given)) <= 1e-10,
          (shares(said), shares(given)))
    page = os.path.join(folder, "page.html")
    entropic("explain", kept, data, "--html", page)
    check("a page is drawn", os.path.getsize(page) > 10000)
    message = entropic("explain", plain, status=1)
    check("without marginals rows are asked for", "rows to explain it by" in message, message)


def contained(folder, data, fits):
    """Sums of features and of training rows: their effects are the sums of those of both alone, in any order, with
    marginals of the features in the file; exports predict the same."""
    rows = numbers(data)
    alone = {name: predicted(fits[name], data, "--effects") for name in ("quantile", "exact")}
    bases = {name: json.loads(entropic("explain", fits[name], "--json"))["base"] for name in alone}
    for names in (["quantile", "exact"], ["exact", "quantile"]):
        said = " + ".join(names)
        path = write(os.path.join(folder, "contained.entropic"), joined([fits[name] for name in names], rows))
        found = predicted(path, data, "--effects")
        wanted = [[a + b for a, b in zip(*both)] for both in zip(*alone.values())]
        size = max(abs(value) for row in wanted for value in row)
        of_effects = [row[2:] for row in found], [row[2:] for row in wanted]
        check(said + ": effects are the sums", furthest(*of_effects) <= 1e-9 * size, furthest(*of_effects))
        check(said + ": they add up to the score", max(abs(sum(row[2:]) - row[1]) for row in found) <= 1e-10 * size)
        check(said + ": a second reader reads the marginals", Model(path).whole)
        said_shares = json.loads(entropic("explain", path, "--json"))
        base = said_shares["base"]
        check(said + ": the base is the sum", abs(base - sum(bases.values())) <= 1e-9 * size, base)
        total = sum(e["first"] for e in said_shares["inputs"]) + sum(e["share"] for e in said_shares["pairs"])
        check(said + ": shares add up", abs(total + said_shares["higher"] - 1) <= 1e-9, total)
        info = entropic("info", path)
        check(said + ": info says how many rows it contains", "150 training rows" in info, info)
        exported(folder, said, path, size)


def exported(folder, said, path, size):
    parts = json.loads(entropic("export", path, "--lang", "json"))
    wanted = parts["check"]
    found = [json_scores(parts, row) for row in wanted["rows"]]
    off = furthest(found, wanted["scores"])
    check(said + ": the JSON predicts", parts["format_version"] == 4 and off <= 1e-11 * size, off)
    source, program = os.path.join(folder, "m.c"), os.path.join(folder, "m")
    entropic("export", path, "-o", source)
    if not GCC:
        skip(said + ": C", "there is no gcc")
        return
    made = subprocess.run([GCC, "-std=c99", "-Wall", "-Wextra", "-Werror", "-DENTROPIC_EXPORT_TEST", source, "-o",
                           program, "-lm"], capture_output=True, text=True)
    done = subprocess.run([program], capture_output=True, text=True) if made.returncode == 0 else made
    check(said + ": C predicts and explains as the model does", made.returncode == 0 and done.returncode == 0,
          made.stderr or done.stdout)


def refused(folder, data, fits):
    both = [fits["quantile"], fits["minmax"]]
    path = os.path.join(folder, "bad.entropic")
    wrong = {"offsets": (joined(both, offset=1.0), "offsets or bounds"),
             "an older version": (joined(both, version=6), "COMP"),
             "no weights": (sealed(parted(joined(both), b"WGTS")), "WGTS")}
    for name, (bytes_of_model, word) in wrong.items():
        message = entropic("predict", write(path, bytes_of_model), data, status=2)
        check(name + ": refused", word in message and "bad.entropic" in message, message)
    sum_path = write(os.path.join(folder, "sum.entropic"), joined(both))
    for words in (["update", sum_path, data], ["forget", sum_path, data], ["receipt", sum_path],
                  ["update", sum_path, data, "--rows-only"]):
        done = subprocess.run([ENTROPIC, *words, "--quiet"], capture_output=True, text=True)
        check(words[0] + " names the components", done.returncode == 2 and "a sum of 2 components" in done.stderr,
              (done.returncode, done.stderr))


def parted(data, tag):
    """The sections of a file, where the further component lacks one."""
    body = b""
    for found, start, end in sections(data):
        inner = data[start + 12:end]
        if found == b"COMP":
            kept, at = b"", 0
            while at < len(inner):
                length = struct.unpack("<Q", inner[at + 4:at + 12])[0]
                kept += b"" if inner[at:at + 4] == tag else inner[at:at + 12 + length]
                at += 12 + length
            inner = kept
        body += tagged(found, inner)
    return body


def main():
    with tempfile.TemporaryDirectory() as folder:
        data = table(os.path.join(folder, "rows.csv"), 150)
        fits = {name: fitted(folder, data, name) for name in ("quantile", "minmax", "exact")}
        sums(folder, data, fits)
        effects(folder, data, fits)
        contained(folder, data, fits)
        refused(folder, data, fits)
    return end()


def golden(path):
    with tempfile.TemporaryDirectory() as folder:
        data = table(os.path.join(folder, "rows.csv"), 150)
        write(path, joined([fitted(folder, data, name) for name in ("quantile", "minmax")], numbers(data)))
        table(path.replace("sum.entropic", "rows.csv"), 40)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(golden(sys.argv[1]))
    sys.exit(main())
