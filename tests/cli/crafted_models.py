"""Model files put together byte by byte from docs/model-format.md: odd ones that work, and bad ones that are refused."""
import os
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
    """Numbers as they are, centred kernels, one feature, x1 - 1/2; target number k is k + that."""
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


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def predict(parts, rows, version=1):
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("crafted.entropic", "x.csv")]
        with open(paths[0], "wb") as file:
            file.write(model(parts, version))
        with open(paths[1], "w") as file:
            file.write(rows)
        return subprocess.run([os.environ["ENTROPIC"], "predict", *paths], capture_output=True, text=True,
                              preexec_fn=limit)


def values(ran):
    return [float(value) for value in ran.stdout.splitlines()[1].split(",")] if ran.returncode == 0 else None


def refused(what, message, version=1, targets=1, **changed):
    parts = sections(targets=targets, inputs=2, levels=30)
    parts.update({tag.encode(): part for tag, part in changed.items()})
    ran = predict(parts, "x1,x2\n0.5,0.5\n", version)
    check(what, ran.returncode == 2 and message in ran.stderr, "status %d, %s" % (ran.returncode, ran.stderr))


def design(*groups, bases=count(2) + count(1)):
    return b"\0\0" + bases + count(len(groups)) + b"".join(groups)


def main():
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
        refused("the %s loss with numbers" % name, "found the %s loss with numbers, expected the squared one" % name,
                INFO=bytes([1, loss]) + sections()[b"INFO"][2:])
    refused("a loss that is none", "found 4, expected a loss", INFO=bytes([1, 4]) + sections()[b"INFO"][2:])
    plain = sections()[b"INFO"]
    for below, found in ((0, 5 + 0.25 ** 2 + 0.5), (1, 5 - 0.25 ** 2 - 0.5)):
        parts = sections()
        parts[b"INFO"] = plain + bytes([below]) + doubles(5, 0.5)
        ran = predict(parts, "x1\n0.75\n", 3)
        check("a root, from end %d" % below, values(ran) == [found], ran.stderr + ran.stdout)
        ran = predict(parts, "x1\n0.25\n", 3)
        check("a negative root, from end %d" % below, values(ran) == [5.5 - below], ran.stderr + ran.stdout)
    refused("a root from nowhere", "found 2, expected the end of the target", 3, INFO=plain + b"\2" + doubles(5, 0.5))
    refused("a rise below 0", "found a rise of -0.5, expected one that is not negative", 3,
            INFO=plain + b"\0" + doubles(5, -0.5))
    refused("a root of classes", "found the root of a target, expected none with classes", 3,
            INFO=b"\2" + plain[1:] + b"\0" + doubles(5, 0.5))
    for origin, rise in ((float("nan"), 0.5), (float("inf"), 0.5), (5, float("nan")), (5, float("inf"))):
        refused("a root with an origin of %g and a rise of %g" % (origin, rise), "a finite number", 3,
                INFO=plain + b"\0" + doubles(origin, rise))
    refused("no root in version 3", "found the end of the section, expected the end of the target", 3)
    refused("a root of two targets", "targets", 3, 2, INFO=plain + b"\0" + doubles(5, 0.5))
    refused("a root before version 3", "found more bytes, expected the end of section INFO", 2,
            INFO=plain + b"\0" + doubles(5, 0.5))
    refused("a custom kernel", "found a custom kernel", KERN=axis(family=6) + axis())
    refused("a number as a category", "found the category kernel for input 2, which is a number",
            KERN=axis() + axis(family=7))
    refused("two inputs of one name", "found 'x' twice, expected inputs of different names",
            SCHM=count(2) + (text("x") + b"\0" + count(0)) * 2 + count(1) + text("y") + count(0))
    refused("a number in more bytes than it takes", "found bytes that are no number, expected the number of inputs",
            SCHM=b"\x82\0" + sections(inputs=2)[b"SCHM"][1:])
    refused("a number above 2^64", "found bytes that are no number, expected the number of inputs",
            SCHM=b"\xff" * 9 + b"\2" + sections(inputs=2)[b"SCHM"][1:])
    raise SystemExit(end())


main()
