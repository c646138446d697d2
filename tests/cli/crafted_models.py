"""Model files written byte by byte from docs/model-format.md: unusual ones that load, and invalid ones that are refused."""
import json
import math
import os
import re
import resource
import struct
import subprocess
import tempfile
import zlib

from _tap import check, end

TARGETS = 100000
MOST_BYTES = 2 << 30
NAN = struct.pack("<Q", 0x7ff8 << 48)


def count(value):
    coded = b""
    while value >= 128:
        coded += bytes([value & 127 | 128])
        value >>= 7
    return coded + bytes([value])


def text(name):
    return count(len(name)) + name.encode()


def doubles(*values):
    return struct.pack("<%dd" % len(values), *values)


def axis(family=0, basis=0, level=5):
    return count(1) + bytes([family, basis, level, 0, 0]) + doubles(1)


def group(*terms, members=count(0)):
    coded = b"".join(count(between) + count(level) for between, level in terms)
    return count(0) + count(len(terms)) + coded + members


def sections(targets=1, inputs=1, levels=5):
    """Scaling none, centred kernels, one feature x1 - 1/2; target k is k + that feature."""
    schema = count(inputs) + b"".join(text("x%d" % (i + 1)) + b"\0" + count(0) for i in range(inputs))
    schema += count(targets) + b"".join(text("y%d" % k) for k in range(targets)) + count(0)
    return {b"INFO": bytes([1, 1, 1, 1, 0]) + count(9) + count(0) * 2 + bytes(8) + doubles(0.1, 1, 1) + NAN + NAN,
            b"SCHM": schema,
            b"SCAL": b"\2" + count(0) * inputs,
            b"KERN": axis(level=levels) * inputs,
            b"DSGN": b"\0\0" + count(inputs) + count(1) + count(1) + group((0, 1)),
            b"WGTS": b"".join(doubles(k, 1) for k in range(targets))}


def model(parts, version):
    body = b"".join(tag + struct.pack("<Q", len(part)) + part for tag, part in parts.items())
    head = b"\x89ENT\r\n\x1a\n" + struct.pack("<IQ", version, 20 + len(body) + 4) + body
    return head + struct.pack("<I", zlib.crc32(head))


def newest(used=(True, False), marks=4, bounds=None, target=b"\0", classes=(), groups=None):
    """The same in version 4: inputs x1, x2, ..., some of them unused; the feature is that of x1."""
    schema = count(len(used))
    for i, use in enumerate(used):
        schema += text("x%d" % (i + 1)) + (b"\0" + count(0) if use else bytes([marks]))
    schema += count(1) + text("y") + count(len(classes)) + b"".join(map(text, classes))
    info = bytes([2 if classes else 1, 2 if classes else 1]) + sections()[b"INFO"][2:]
    groups = [group((0, 1))] if groups is None else groups
    runs = count(sum(used)) + count(1) if any(used) else b""
    scores = max(1, len(classes)) if len(classes) != 2 else 1
    weights = b"\0" if bounds is None else b"\1"
    for k in range(scores):
        weights += doubles(k - 1.5) + (b"" if bounds is None else bounds) + doubles(1) * len(groups)
    return {b"INFO": info + target, b"SCHM": schema, b"SCAL": b"\2" + count(0) * sum(used), b"KERN": axis() * sum(used),
            b"DSGN": b"\3\0" + runs + count(len(groups)) + b"".join(groups), b"WGTS": weights}


def run(parts, version, *words, rows="x1,x2\n0.75,0.5\n"):
    """Runs a command on a model of these sections; MODEL and DATA stand for the paths."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {"MODEL": os.path.join(folder, "crafted.entropic"), "DATA": os.path.join(folder, "x.csv")}
        with open(paths["MODEL"], "wb") as file:
            file.write(model(parts, version))
        with open(paths["DATA"], "w") as file:
            file.write(rows)
        return subprocess.run([os.environ["ENTROPIC"], *(paths.get(word, word) for word in words)], capture_output=True,
                              text=True, preexec_fn=limit)


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def predict(parts, rows, version=1):
    return run(parts, version, "predict", "MODEL", "DATA", rows=rows)


def values(ran):
    return [float(value) for value in ran.stdout.splitlines()[1].split(",")] if ran.returncode == 0 else None


def refused(what, message, version=1, targets=1, parts=None, **changed):
    parts = sections(targets=targets, inputs=2, levels=30) if parts is None else parts
    parts.update({tag.encode(): part for tag, part in changed.items()})
    ran = predict(parts, "x1,x2\n0.5,0.5\n", version)
    check(what, ran.returncode == 2 and message in ran.stderr, "status %d, %s" % (ran.returncode, ran.stderr))


def custom_kernels():
    def custom(form, *texts):
        return axis(family=6) + bytes([form]) + b"".join(map(text, texts)) + axis()

    # 1 + w x with w = 1 is sobolev: constant, x, hats; the feature x1 of weight 1
    parts = sections(inputs=2, levels=5)
    parts[b"INFO"] += b"\0"  # version 4 on: no transform of the target
    parts[b"WGTS"] = b"\0" + parts[b"WGTS"]
    for name, form, texts in (("p and q", 1, ("1 + w*x", "1")), ("an equation", 2, ("1/w", "0", "1,-w", "1,0"))):
        parts[b"KERN"] = custom(form, *texts)
        ran = predict(parts, "x1,x2\n0.75,0.5\n", 5)
        check("a custom kernel by " + name, abs(values(ran)[0] - 0.75) <= 1e-15, ran.stderr + ran.stdout)
    good = parts
    for what, message, kernel in (
            ("no texts", "how a custom kernel is written", axis(family=6)),
            ("form 0", "found 0, expected how a custom kernel is written", custom(0, "1+x", "1")),
            ("form 3", "found 3, expected how a custom kernel is written", custom(3, "1+x", "1")),
            ("one text", "", axis(family=6) + b"\1" + text("1+x")),
            ("a text that ends early", "an expression", axis(family=6) + b"\1" + count(50) + b"1+x"),
            ("a text of 2^40 bytes", "an expression", axis(family=6) + b"\1" + count(1 << 40) + b"1+x"),
            ("a 0 in a text", "found a 0 in a text", custom(1, "1\0+x", "1")),
            ("an empty text", "p: the expression is empty", custom(1, "", "1")),
            ("a wrong expression", "q: column 2: expected an operator", custom(1, "1+x", "1$")),
            ("a long text", "has 100001 bytes, expected at most 2000", custom(1, "x" + "+x" * 50000, "1")),
            ("a deep text", "nested more than 60 deep", custom(1, "(" * 900 + "x" + ")" * 900, "1")),
            ("a pair that does not increase", "p/q must increase strictly", custom(1, "2-x", "1")),
            ("a format", "expected a number", custom(1, "%n%n%s", "1")),
            ("an equation without an end", "left: expected 2 expressions", custom(2, "1", "0", "1", "1,0")),
            ("an equation without a solution", "no positive Green's function", custom(2, "1", "0", "1,0", "1,0"))):
        refused("custom kernel: " + what, message, 5, parts=dict(good), KERN=kernel)
    # a thousand different kernels in a short file: refused before they take time and memory
    many = sections(inputs=1000, levels=5)
    many[b"INFO"], many[b"WGTS"] = good[b"INFO"], good[b"WGTS"]
    many[b"KERN"] = b"".join(axis(family=6) + b"\1" + text("1+%d*x" % (i + 1)) + text("1") for i in range(1000))
    refused("custom kernel: a thousand of them", "more than 256 different custom kernels", 5, parts=many)


def marks_of_missing_values():
    def marked(part):
        parts = sections()
        return {tag: parts[tag] if tag in parts else part
                for tag in (b"INFO", b"SCHM", b"miss", b"SCAL", b"KERN", b"DSGN", b"WGTS")}

    ran = predict(marked(text("-999,none")), "x1\n-999\n")
    middle = values(predict(sections(), "x1\nNA\n"))
    check("marks of missing values", middle == [0] and values(ran) == middle, ran.stderr + ran.stdout)
    ran = run(marked(text("-999")), 1, "predict", "MODEL", "DATA", "--missing", "none", rows="x1\n0.75\n")
    check("marks given again", values(ran) == [0.25], ran.stderr + ran.stdout)
    ran = run(marked(text("0.75")), 1, "predict", "MODEL", "DATA", "--missing", "none", rows="x1\n0.75\n")
    check("marks given again are the only ones", values(ran) == [0.25], ran.stderr + ran.stdout)
    ran = predict(marked(text("")), "x1\nNA\n")
    check("no marks at all", ran.returncode == 2 and "found 'NA', expected a number" in ran.stderr, ran.stderr)
    refused("marks that end early", "found 5, expected marks of missing values, for which 4 bytes are left",
            parts=marked(count(5) + b"-999"))
    refused("bytes behind marks", "found more bytes, expected the end of section miss", parts=marked(text("-999") + b"x"))
    refused("a 0 in marks", "found a 0 in a text, expected marks of missing values", parts=marked(text("-9\09")))
    refused("no marks", "found the end of the section, expected marks of missing values", parts=marked(b""))


def design(*groups, bases=count(2) + count(1)):
    return b"\0\0" + bases + count(len(groups)) + b"".join(groups)


def unused_inputs():
    for rows, what in (("x1\n0.75\n", "not there"), ("x2,x1\nword,0.75\n", "a word"), ("0.75,1e999\n", "by place")):
        ran = predict(newest(), rows, 4)
        check("an input without use: " + what, values(ran) == [-1.25] and ran.stderr == "", ran.stderr)
    ran = predict(newest(used=(True, False, True, False), groups=[group((0, 1)), group((2, 1))]), "x3,x1\n1,0.75\n", 4)
    check("a run over an input without use", values(ran) == [-1.5 + 0.25 + 0.5], ran.stderr)
    ran = predict(newest(), "x2\n0.5\n", 4)
    check("what is used is asked for", ran.returncode == 2 and "no column x1, which is an input" in ran.stderr, ran.stderr)
    ran = run(newest(marks=13), 4, "info", "MODEL")
    check("info tells it", ran.returncode == 0 and "inputs       2, 1 used: x1\n" in ran.stdout
          and "x1: number\n" in ran.stdout and "x2: category, sometimes missing, not used\n" in ran.stdout,
          ran.stdout + ran.stderr)
    told = json.loads(run(newest(used=(True,) + (False,) * 30), 4, "info", "MODEL", "--json").stdout)
    check("info --json tells it", told["inputs"] == 31 and told["inputs_used"] == ["x1"] and told["omega"] == 1
          and [c["used"] for c in told["columns"]] == [True] + [False] * 30, told)
    many = newest(used=(True,) * 12 + (False,))
    many[b"KERN"] = count(12) + axis()[1:]
    many[b"DSGN"] = b"\3\0" + count(12) + count(1) + count(12) + b"".join(group((i, 1)) for i in range(12))
    many[b"WGTS"] = b"\0" + doubles(0) + doubles(1) * 12
    ran = run(many, 4, "info", "MODEL")
    check("ten names are enough", "13, 12 used: x1, x2, x3, x4, x5, x6, x7, x8, x9, x10 and 2 more\n" in ran.stdout,
          ran.stdout + ran.stderr)
    refused("a term of an input without use", "found a term of input 2, expected one of an input that is used", 4,
            parts=newest(groups=[group((1, 1))]))
    refused("no use before version 4", "found 4, expected whether values were missing", 3,
            INFO=sections()[b"INFO"] + b"\0" + doubles(5, 0.5), SCHM=newest()[b"SCHM"])
    refused("marks that are none", "found 16, expected whether values were missing", 4, parts=newest(marks=16))
    refused("a date that was a category", "found a date with categories", 4, parts=newest(marks=4 + 2 + 8))
    refused("a category without its names", "found a mark of categories that are not kept", 4,
            parts=newest(), SCHM=newest()[b"SCHM"].replace(text("x1") + b"\0", text("x1") + b"\x08"))
    exact = newest()
    exact[b"INFO"] = exact[b"INFO"][:2] + b"\4" + exact[b"INFO"][3:]
    refused("an input without use in a kernel", "expected none with the exact solver", 4, parts=exact)
    refused("an axis too many", "found 2, expected a number of inputs, 1", 4, parts=newest(),
            KERN=count(2) + axis()[1:])
    refused("axes left over", "found more bytes, expected the end of section KERN", 4, parts=newest(), KERN=axis() * 2)
    refused("knots left over", "found more bytes, expected the end of section SCAL", 4, parts=newest(),
            SCAL=b"\2" + count(0) * 2)
    refused("a base level too many", "found 2, expected a number of inputs, 1", 4, parts=newest(),
            DSGN=newest()[b"DSGN"].replace(b"\3\0" + count(1), b"\3\0" + count(2)))


def bounds():
    for x, found, said in ((0.75, -1.25, ""), (0, -1.9, "1 prediction cut off"), (1, -1.1, "1 prediction cut off")):
        ran = predict(newest(bounds=doubles(-1.9, -1.1)), "x1\n%g\n" % x, 4)
        check("bounds at %g" % x, values(ran) == [found] and said in ran.stderr and (said or not ran.stderr), ran.stderr)
    ran = predict(newest(bounds=doubles(-math.inf, math.inf)), "x1\n0\n", 4)
    check("bounds that are none", values(ran) == [-2] and ran.stderr == "", ran.stderr)
    root = newest(bounds=doubles(-math.inf, 7), target=b"\1" + doubles(5, 0.5))
    root[b"WGTS"] = root[b"WGTS"].replace(doubles(-1.5), doubles(1.5))
    check("bounds of a root", values(predict(root, "x1\n0.5\n", 4)) == [7])
    check("the range of a root", "range        5.5 to 7\n" in run(root, 4, "info", "MODEL").stdout)
    root[b"INFO"] = root[b"INFO"].replace(b"\1" + doubles(5, 0.5), b"\2" + doubles(5, 0.5))
    check("bounds of a root from below", values(predict(root, "x1\n0.5\n", 4)) == [5 - 1.5 ** 2 - 0.5])
    check("the range of a root from below", "range        4.5 or less\n" in run(root, 4, "info", "MODEL").stdout)
    told = json.loads(run(root, 4, "info", "MODEL", "--json").stdout)
    check("the same as JSON", told["range"] == [[None, 4.5]], told)
    free = newest(target=b"\1" + doubles(5, 0.5))
    check("a root without bounds", values(predict(free, "x1\n0.5\n", 4)) == [5.5]
          and "range        5.5 or more\n" in run(free, 4, "info", "MODEL").stdout)
    three = "x1,y\n0,-2\n0.5,-1.5\n1,-1.5\n"
    ran = run(newest(bounds=doubles(-1.9, -1.1)), 4, "score", "MODEL", "DATA", rows=three)
    check("score cuts them off too", "2 predictions cut off at the ends of the model's range" in ran.stderr
          and "mae\t0.166" in ran.stdout, ran.stdout + ran.stderr)
    with tempfile.TemporaryDirectory() as folder:
        ran = run(newest(bounds=doubles(-1.9, -1.1)), 4, "predict", "MODEL", "DATA", "--json", "-o",
                  os.path.join(folder, "out.csv"), rows=three)
    check("and predict --json counts them", json.loads(ran.stdout)["clamped"] == 2, ran.stdout)
    ran = run(newest(bounds=doubles(-1.9, 12.5)), 4, "info", "MODEL")
    check("info tells the range", "range        -1.9 to 12.5\n" in ran.stdout, ran.stdout)
    told = json.loads(run(newest(bounds=doubles(-1.9, math.inf)), 4, "info", "MODEL", "--json").stdout)
    check("info --json tells the range", told["range"] == [[-1.9, None]], told)
    check("and that there is none", json.loads(run(newest(), 4, "info", "MODEL", "--json").stdout)["range"] is None)
    for lower, upper in ((1, 0), (math.nan, 1), (0, math.nan), (math.inf, math.inf), (-math.inf, -math.inf)):
        refused("bounds of %g and %g" % (lower, upper), "expected a lower one that is not above the upper one", 4,
                parts=newest(bounds=doubles(lower, upper)))
    refused("bounds of classes", "found bounds of predictions, expected none with classes", 4,
            parts=newest(bounds=doubles(0, 1), classes=("a", "b")))
    refused("bounds that may be", "found 2, expected whether predictions have bounds", 4, parts=newest(),
            WGTS=b"\2" + newest()[b"WGTS"][1:])
    refused("bounds that are not there", "expected 1 weights and an offset and two bounds for each of 1", 4,
            parts=newest(), WGTS=b"\1" + newest()[b"WGTS"][1:])
    refused("bounds that are not said", "expected 1 weights and an offset for each of 1", 4, parts=newest(),
            WGTS=b"\0" + newest(bounds=doubles(0, 1))[b"WGTS"][1:])
    refused("a target of a third kind", "found 3, expected the end of the target", 4,
            parts=newest(target=b"\3" + doubles(5, 0.5)))
    refused("a root that ends early", "found the end of the section, expected the origin of a root", 4,
            parts=newest(target=b"\1"))
    refused("an origin without a root", "found more bytes, expected the end of section INFO", 4,
            parts=newest(target=b"\0" + doubles(5, 0.5)))


def no_features():
    none = {"used": (False, False), "groups": []}
    ran = predict(newest(**none), "x1,x2\nword,\n,?\n", 4)
    check("no features: the same for all rows", ran.stdout == "prediction\n-1.5\n-1.5\n" and not ran.stderr, ran.stderr)
    ran = predict(newest(**none), "anything\n1\n2\n3\n", 4)
    check("of a file with other columns", ran.stdout == "prediction\n" + 3 * "-1.5\n", ran.stderr)
    ran = predict(newest(**none), "7,1\n8,2\n", 4)
    check("of a file without names", ran.stdout == "prediction\n" + 2 * "-1.5\n", ran.stderr)
    for classes in (("a", "b"), ("a", "b", "c")):
        ran = run(newest(classes=classes, **none), 4, "predict", "MODEL", "DATA", "--proba")
        scores = [0, -1.5] if len(classes) == 2 else [-1.5, -0.5, 0.5]
        chances = [math.exp(s) / sum(map(math.exp, scores)) for s in scores]
        row = ran.stdout.splitlines()[1].split(",") if ran.returncode == 0 else []
        check("%d classes" % len(classes), row[:1] == [classes[chances.index(max(chances))]]
              and all(abs(float(a) - b) <= 1e-15 for a, b in zip(row[1:], chances)), ran.stdout + ran.stderr)
        ran = run(newest(classes=classes, **none), 4, "score", "MODEL", "DATA", rows="y\na\nb\n")
        check("%d classes are scored" % len(classes), ran.returncode == 0 and "auc\t0.5\n" in ran.stdout, ran.stdout)
    ran = run(newest(**none), 4, "info", "MODEL")
    check("info", ran.returncode == 0 and "inputs       2, 0 used\n" in ran.stdout and "kernel       none\n" in ran.stdout
          and "features     none: the same prediction for all rows\n" in ran.stdout, ran.stdout + ran.stderr)
    ran = run(newest(**none), 4, "info", "MODEL", "--list")
    check("info --list", ran.returncode == 0 and ran.stdout == "feature\tweight\tterms\n", ran.stdout + ran.stderr)
    told = json.loads(run(newest(**none), 4, "info", "MODEL", "--list", "--json").stdout)
    check("info --list --json", told["features"] == 0 and told["inputs_used"] == [] and told["list"] == []
          and told["offsets"] == [-1.5] and told["kernel"] == "none" and told["omega"] is None, told)
    ran = predict(newest(used=(True,), groups=[]), "x1\n7\n", 4)
    check("a file may say more than it uses", values(ran) == [-1.5], ran.stderr)
    refused("no features before version 4", "found 0, expected a number of groups", 2, DSGN=design())


def interval_sections():
    """Quantiles 0, 1/255, ..., 1; a spread of 1 at x1 = 0 and 3 at x1 = 1."""
    kept = [i / 255 for i in range(256)]

    def factor(axis=1, at=(0, 1), values=(1, 3), missing=2):
        return count(axis) + count(len(at)) + doubles(*at) + doubles(*values) + doubles(missing)

    def section(rows=1000, deviation=0.5, factors=(factor(),), quantiles=kept):
        return count(rows) + doubles(deviation) + count(len(factors)) + b"".join(factors) + doubles(*quantiles)

    ran = run({**newest(), b"intv": section()}, 4, "predict", "MODEL", "DATA", "--interval", "0.75", "--std")
    q, spread = 127 / 255, 2.5  # 0.75 is the level of quantile 127
    expected = [-1.25, -1.25 - q * spread, -1.25 + q * spread, 0.5 * spread]
    check("intervals of a small model", ran.returncode == 0 and all(
        abs(a - b) <= 1e-12 for a, b in zip(values(ran), expected)), ran.stdout + ran.stderr)
    for what, message, part in (
            ("too few rows of intervals", "expected the number of rows of intervals", section(rows=19)),
            ("a negative deviation", "the deviation of residuals, at least 0", section(deviation=-1)),
            ("four factors", "expected the number of factors of a spread", section(factors=[factor()] * 4)),
            ("a spread by an unused input", "does not use", section(factors=[factor(axis=2)])),
            ("a spread by an input that is not there", "expected an input", section(factors=[factor(axis=3)])),
            ("a single knot", "the number of knots", section(factors=[factor(at=(0,), values=(1,))])),
            ("knots that do not ascend", "a knot of a spread, above 1", section(factors=[factor(at=(1, 1))])),
            ("a spread of 0", "a spread, above 0", section(factors=[factor(values=(0, 1))])),
            ("a spread of missing values of 0", "missing values, above 0", section(factors=[factor(missing=0)])),
            ("quantiles that descend", "a quantile of residuals, at least", section(quantiles=kept[::-1])),
            ("a quantile that is not a number", "a quantile", section(quantiles=kept[:-1] + [math.nan])),
            ("too few quantiles", "expected", section(quantiles=kept[:-1])),
            ("too many quantiles", "expected the end of section intv", section(quantiles=kept + [1]))):
        refused(what, message, 4, parts=newest(), intv=part)
    refused("a spread of classes", "expected the number of factors of a spread", 4, parts=newest(classes=("a", "b")),
            intv=section(deviation=0))


def signed(value):
    return count(2 * value if value >= 0 else -2 * value - 1)


def member_sections():
    """Two members, whose effects of x1 are (x1 - 1/2)/2 and 3 (x1 - 1/2)/2."""
    marginals = doubles(0) + count(1) + doubles(0.1)

    def section(exponent=1, coefficients=(1 << 24, 3 << 24), members=2):
        return count(members) + signed(exponent) + b"".join(map(signed, coefficients))

    def page(part):
        ran = run({**newest(), b"marg": marginals, b"memb": part}, 4, "explain", "MODEL", "--html", "page.html")
        with open("page.html") as file:
            found = re.search(r'id="numbers">(.*?)</script>', file.read(), re.S)[1]
        return ran, json.loads(found)

    for scale in 1, -1, 960, -960:
        ran, found = page(section(exponent=scale))
        (curve,), size = found["inputs"], 2.0 ** (scale - 1)
        low, high = curve["b"][0]
        both = [sorted((x - 0.5) * size * slope for slope in (0.5, 1.5)) for x in curve["x"]]
        error = max(abs(a - b) for ends in zip(low, high, both) for a, b in zip(ends, ends[2]))
        check("effects of two members times %g" % size, ran.returncode == 0 and found["members"] == 2 and
              len(low) == len(high) == len(curve["x"]) > 9 and error <= 1e-5 * size, (ran.stderr, error))
    whole = section()
    for end in range(len(whole)):
        refused("effects of members that end after %d bytes" % end, "expected", 4, parts=newest(), marg=marginals, memb=whole[:end])
    for what, message, part in (
            ("one member", "expected a number of members with their effects", section(members=1, coefficients=(1,))),
            ("more members than any model has", "expected a number of members", section(members=10001, coefficients=[1] * 10001)),
            ("more members than bytes", "for which 9 bytes are left", section(members=10000)),
            ("an exponent that is too large", "found 961, expected the exponent of effects of members, from -960 to 960", section(961)),
            ("an exponent that is too small", "found -961, expected the exponent", section(-961)),
            ("a coefficient that is too large", "found 67108865, expected a coefficient", section(coefficients=(1, (1 << 26) + 1))),
            ("a coefficient that is too small", "found -67108865, expected a coefficient", section(coefficients=(-(1 << 26) - 1, 1))),
            ("a coefficient too many", "expected the end of section memb", section(coefficients=(1, 2, 3)))):
        refused(what, message, 4, parts=newest(), marg=marginals, memb=part)
    refused("effects of members without marginals", "expected none in a model without marginals", 4, parts=newest(), memb=whole)


def very_many_features():
    """All hats of level 20 of two inputs: comparing a million features with each other is refused."""
    hats = 2 ** 19
    parts = sections(inputs=2, levels=20)
    parts[b"DSGN"] = design(group((0, 21)), group((1, 21)))
    parts[b"WGTS"] = doubles(0) + doubles(1) * (2 * hats)
    rows = "x1,x2\n0.25,0.75\n0.5,0.125\n"
    ran = predict(parts, rows)
    check("a model of a million features", values(ran) is not None and len(values(ran)) == 1, ran.stderr)
    ran = run(parts, 1, "explain", "MODEL", "DATA", rows=rows)
    check("is not explained, as that would not end", ran.returncode == 3 and ran.stdout == "" and
          "the shares of 1048576 features would take 1.1e+12 comparisons; at most 1e+12 are made" in ran.stderr,
          "status %d, %s" % (ran.returncode, ran.stderr))


def main():
    interval_sections()
    very_many_features()
    member_sections()
    unused_inputs()
    bounds()
    no_features()
    ran = predict(sections(), "x1\n0.75\n")
    check("a small model", values(ran) == [0.25], ran.stderr)
    ran = predict(sections(targets=TARGETS), "x1\n0.75\n")  # without room for thousands of rows of them
    check("a row of %d targets" % TARGETS, values(ran) == [k + 0.25 for k in range(TARGETS)], ran.stderr)

    parts = sections(inputs=2, levels=30)
    parts[b"DSGN"] = design(group((0, 5), members=count(1) + count(7)))  # levels 0, 1, then hats: this has 8
    ran = predict(parts, "x1,x2\n0.9375,0.5\n")
    check("the last member of a group", values(ran) == [(2 ** -4 / 2) ** 0.5], ran.stderr + ran.stdout)
    refused("a member behind the last", "found a member beyond the 8 atoms of its group",
            DSGN=design(group((0, 5), members=count(1) + count(8))))
    refused("a second member behind the last", "found a member beyond the 8 atoms of its group",
            DSGN=design(group((0, 5), members=count(2) + count(7) + count(0))))
    refused("more members than any design has", "found a group of 2147483648 features, expected at most 2147483647",
            DSGN=design(group((0, 31), (0, 4))))
    refused("more atoms than can be counted", "more than 2^53 atoms", DSGN=design(group((0, 31), (0, 31), members=count(1) + count(0))))
    refused("a level that is not there", "found level 33 of input 1", DSGN=design(group((0, 32))))
    refused("an input that is not there", "found level 2 of input 3", DSGN=design(group((2, 1))))
    refused("a base of many atoms", "found base level 4 for input 1", DSGN=design(group(), bases=count(2) + count(4)))
    refused("the same group twice", "of which the terms stand in another one too", DSGN=design(group(), group()))
    for loss, name in ((2, "logistic"), (3, "hinge")):
        refused("the %s loss with numbers" % name, "found the %s loss with numbers, expected one that is for them" % name,
                INFO=bytes([1, loss]) + sections()[b"INFO"][2:])
    refused("a loss that is none", "found 9, expected a loss", INFO=bytes([1, 9]) + sections()[b"INFO"][2:])
    plain = sections()[b"INFO"]
    for below, found in ((0, 5 + 0.25 ** 2 + 0.5), (1, 5 - 0.25 ** 2 - 0.5)):
        parts = sections()
        parts[b"INFO"] = plain + bytes([below]) + doubles(5, 0.5)
        ran = predict(parts, "x1\n0.75\n", 3)
        check("a root, from end %d" % below, values(ran) == [found], ran.stderr + ran.stdout)
        ran = predict(parts, "x1\n0.25\n", 3)
        check("a negative root, from end %d" % below, values(ran) == [5.5 - below], ran.stderr + ran.stdout)
    refused("a root from nowhere", "found 2, expected the end of the target", 3, INFO=plain + b"\2" + doubles(5, 0.5))
    refused("a retransformation bias below 0", "found a retransformation bias of -0.5, expected one that is not negative", 3,
            INFO=plain + b"\0" + doubles(5, -0.5))
    refused("a root of classes", "found the root of a target, expected none with classes", 3,
            INFO=b"\2" + plain[1:] + b"\0" + doubles(5, 0.5))
    for origin, rise in ((float("nan"), 0.5), (float("inf"), 0.5), (5, float("nan")), (5, float("inf"))):
        refused("a root with an origin of %g and a bias of %g" % (origin, rise), "a finite number", 3,
                INFO=plain + b"\0" + doubles(origin, rise))
    refused("no root in version 3", "found the end of the section, expected the end of the target", 3)
    refused("a root of two targets", "targets", 3, 2, INFO=plain + b"\0" + doubles(5, 0.5))
    refused("a root before version 3", "found more bytes, expected the end of section INFO", 2,
            INFO=plain + b"\0" + doubles(5, 0.5))
    refused("a custom kernel before version 5", "found the custom kernel in format 1, which has none before format 5",
            KERN=axis(family=6) + axis())
    custom_kernels()
    refused("a kernel that the format does not know", "found the neumann kernel in format 1, which has none before format 4",
            KERN=axis(family=8) + axis())
    refused("a number as a category", "found the category kernel for input 2, which is a number",
            KERN=axis() + axis(family=7))
    refused("two inputs of one name", "found 'x' twice, expected inputs of different names",
            SCHM=count(2) + (text("x") + b"\0" + count(0)) * 2 + count(1) + text("y") + count(0))
    refused("a number in more bytes than it takes", "found bytes that are not a number, expected the number of inputs",
            SCHM=b"\x82\0" + sections(inputs=2)[b"SCHM"][1:])
    refused("a number above 2^64", "found bytes that are not a number, expected the number of inputs",
            SCHM=b"\xff" * 9 + b"\2" + sections(inputs=2)[b"SCHM"][1:])
    marks_of_missing_values()
    raise SystemExit(end())


main()
