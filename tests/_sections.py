"""Sections of model files, for tests: one of them, or a file without one.

    _sections.py MODEL TAG OUT      writes MODEL without its section TAG
"""
import struct
import sys
import zlib

HEAD, SUM = 20, 4  # bytes before the sections, and behind them


def sections(data):
    """(tag, start, end) of each, with its head."""
    at = HEAD
    while at < len(data) - SUM:
        length = struct.unpack("<Q", data[at + 4 : at + 12])[0]
        yield data[at : at + 4], at, at + 12 + length
        at += 12 + length


def section(data, tag):
    """What a section holds; None if there is none."""
    for found, start, end in sections(data):
        if found == tag:
            return data[start + 12 : end]
    return None


def without(data, tag):
    """The bytes of a file that lacks the section."""
    kept = b"".join(data[start:end] for found, start, end in sections(data) if found != tag)
    body = data[:12] + struct.pack("<Q", HEAD + len(kept) + SUM) + kept
    return body + struct.pack("<I", zlib.crc32(body))


if __name__ == "__main__":
    model, tag, out = sys.argv[1:]
    with open(model, "rb") as file:
        bytes_of_model = file.read()
    assert section(bytes_of_model, tag.encode()) is not None, "%s has no section %s" % (model, tag)
    with open(out, "wb") as file:
        file.write(without(bytes_of_model, tag.encode()))
