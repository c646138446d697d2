"""Files with one fault each: the exact message of `entropic fit`, and its exit status."""
import gzip
import os
import struct
import subprocess
import sys
import tempfile

from _tap import check, end, skip

ENTROPIC = os.environ["ENTROPIC"]


def among_numbers(row):
    """150 rows of numbers, the second of which is another one."""
    rows = [b"%d,%d" % (i * 7 % 31, i) for i in range(150)]
    return b"\n".join([b"a,y", rows[0], row, *rows[2:], b""])


def npy(descr, order, shape, data=b"\0" * 8, version=1):
    header = ("{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n" % (descr, order, shape)).encode()
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + data


GZIPPED = gzip.compress(b"a,y\n" + b"".join(b"%d,%d\n" % (i * 17 % 101, i) for i in range(400)), mtime=0)
MEGABYTES = 10 << 20


def rare(word, line=3, column="a"):
    """The end of the message after "expected a number", for one word among 149 numbers."""
    mark = "'%s'" % word if "\\" in word else '"%s"' % word if " " in word else word  # as a shell needs it
    return (" as in 99.33 %% of the rows, but these are not: '%s' (1, line %d) (--missing %s: a missing value; --categorical "
            "%s: the column holds categories)" % (word, line, mark, column))


READ = ", expected delimited text, LIBSVM text or .npy, plain or compressed by gzip or zstd"

# The fault, the target, the file, and the message after the file's name.
FAULTS = [
    ("empty", "1", b"", " is empty, expected rows"),
    ("one line feed", "y", b"\n", " is empty, expected rows"),
    ("blank lines", "1", b"\r\n \n\t\n", " is empty, expected rows"),
    ("byte-order mark alone", "1", b"\xef\xbb\xbf", " is empty, expected rows"),
    ("header alone", "y", b"a,y\n", " has a header and no rows, expected some"),
    ("header without end", "y", b"a,y", " has a header and no rows, expected some"),
    ("header and blank lines", "y", b"a,y\n\n  \n", " has a header and no rows, expected some"),
    ("header and empty fields", "y", b"a,y\n,\n,\n", ": none of the 2 rows can be used: 2 have no target (y), 0 have weight 0"),
    ("delimiters alone", "1", b",,\n\n,,\n", " is empty, expected rows"),
    ("too few fields", "y", b"a,b,y\n1,2,3\n4,5\n6,7,8\n",
     ", line 3: found 2 fields, expected 3; column 3 (y) is the first one missing"),
    ("too few, first row", "y", b"a,b,y\n1,2\n3,4,5\n",
     ", line 2: found 2 fields, expected 3; column 3 (y) is the first one missing"),
    ("too few, no header", "1", b"1,2,3\n4\n",
     ", line 2: found 1 field, expected 3; column 2 (x2) is the first one missing"),
    ("too few, last line without end", "y", b"a,y\n1,2\n3,4\n5",
     ", line 4: found 1 field, expected 2; column 2 (y) is the first one missing"),
    ("too few, tabs", "y", b"a\ty\n1\t2\n3\n",
     ", line 3: found 1 field, expected 2; column 2 (y) is the first one missing"),
    ("too few, semicolons", "y", b"a;y\n1,5;2\n3\n",
     ", line 3: found 1 field, expected 2; column 2 (y) is the first one missing"),
    ("too few, blanks", "1", b"1 2 3\n4 5 6\n7 8 9\n1 2 3\n4 5\n",
     ", line 5: found 2 fields, expected 3; column 3 (x3) is the first one missing"),
    ("too many fields", "y", b"a,y\n1,2\n3,4,5,6\n",
     ", line 3: found 4 fields, expected 2; column 3 ('5') is too many"),
    ("too many, delimiter at the end once", "y", b"a,y\n1,2\n3,4,\n5,6\n",
     ", line 3: found 3 fields, expected 2; column 3 ('') is too many"),
    ("too many, blanks", "1", b"1 2\n3 4\n5 6\n7 8\n9 1 2\n",
     ", line 5: found 3 fields, expected 2; column 3 ('2') is too many"),
    ("too many, after crlf lines", "y", b"a,y\r\n1,2\r\n3,4,5\r\n",
     ", line 3: found 3 fields, expected 2; column 3 ('5') is too many"),
    ("quote never closed", "y", b"a,y\n1,\"2\n3,4\n5,6\n", ", line 2, column 2: a quote is opened and never closed"),
    ("quote never closed, header", "y", b"\"a,y\n1,2\n", ", line 1, column 1: a quote is opened and never closed"),
    ("single quote never closed", "y", b"'a','y'\n'1','2\n", ", line 2, column 2: a quote is opened and never closed"),
    ("quote closed in the middle", "y", b"a,y\n1,\"2\"x\n3,4\n",
     ", line 2, column 2: there is text after a closing quote, expected the end of the field"),
    ("quote closed in the middle, header", "y", b"\"a\"b,y\n1,2\n",
     ", line 1, column 1: there is text after a closing quote, expected the end of the field"),
    ("fault after lines within quotes", "y", b"a,y\n\"u\nv\",2\n\"w\n\n\",4\n1\n",
     ", line 7: found 1 field, expected 2; column 2 (y) is the first one missing"),
    ("1e999", "y", b"a,y\n1,2\n1e999,3\n2,5\n", ", line 3, column 1 (a): found '1e999', expected a finite number"),
    ("-1e999", "y", b"a,y\n1,2\n-1e999,3\n2,5\n", ", line 3, column 1 (a): found '-1e999', expected a finite number"),
    ("1e999 in the target", "y", b"a,y\n1,2\n2,1e999\n2,5\n",
     ", line 3, column 2 (y): found '1e999', expected a finite number"),
    ("inf", "y", b"a,y\n1,2\ninf,3\n2,5\n", ", line 3, column 1 (a): found 'inf', expected a finite number"),
    ("an infinity without a header", "1", b"1,2\n-Infinity,3\n",
     ", line 2, column 1 (x1): found '-Infinity', expected a finite number"),
    ("one junk number in 150", "y", among_numbers(b"7x,1"),
     ", line 3, column 1 (a): found '7x', expected a number" + rare("7x")),
    ("one word in 150", "y", among_numbers(b"seven,1"),
     ", line 3, column 1 (a): found 'seven', expected a number" + rare("seven")),
    ("one hexadecimal in 150", "y", among_numbers(b"0x7,1"),
     ", line 3, column 1 (a): found '0x7', expected a number" + rare("0x7")),
    ("one number with two points in 150", "y", among_numbers(b"7.0.0,1"),
     ", line 3, column 1 (a): found '7.0.0', expected a number" + rare("7.0.0")),
    ("one number with a comma in quotes in 150", "y", among_numbers(b"\"7,5\",1"),
     ", line 3, column 1 (a): found '7,5', expected a number" + rare("7,5")),
    ("one percentage in 150", "y", among_numbers(b"7%,1"),
     ", line 3, column 1 (a): found '7%', expected a number" + rare("7%")),
    ("one sign alone in 150", "y", among_numbers(b"+,1"),
     ", line 3, column 1 (a): found '+', expected a number" + rare("+")),
    ("one exponent without digits in 150", "y", among_numbers(b"7e,1"),
     ", line 3, column 1 (a): found '7e', expected a number" + rare("7e")),
    ("one escape sequence in 150", "y", among_numbers(b"\x1b[2J,1"),
     ", line 3, column 1 (a): found '\\x1b[2J', expected a number" + rare("\\x1b[2J")),
    ("one word in the target in 150", "y", among_numbers(b"7,one"),
     ", line 3, column 2 (y): found 'one', expected a number" + rare("one", column="y")),
    ("no target anywhere", "y", b"a,y\n1,\n2,\n3,?\n", ": none of the 3 rows can be used: 3 have no target (y), 0 have weight 0"),
    ("inputs all the same", "y", b"a,y\n1,2\n1,3\n1,4\n",
     ": no input is left, all 1 are constant or identifiers; a is constant"),
    ("NUL byte", "y", b"a,y\n1,2\0\n3,4\n", ", line 2, column 2: found a NUL byte, expected text"),
    ("NUL byte in the header", "y", b"a\0,y\n1,2\n", ", line 1, column 1: found a NUL byte, expected text"),
    ("NUL byte in quotes", "y", b"a,y\n1,\"\0\"\n", ", line 2, column 2: found a NUL byte, expected text"),
    ("carriage return in a line", "y", among_numbers(b"7\r,1"),
     ", line 3, column 1 (a): found '7\\x0d', expected a number" + rare("7\\x0d")),
    ("10 MB line", "y", b"a,y\n1,2\n" + b"7" * MEGABYTES + b",3\n4,5\n",
     ", line 3, column 1 (a): found '7777777777777777777777777777777777777777...', expected a finite number"),
    ("10 MB line, too many fields", "y", b"a,y\n1,2\n" + b"7," * (MEGABYTES // 2) + b"3\n4,5\n",
     ", line 3: found 5242881 fields, expected 2; column 3 ('7') is too many"),
    ("10 MB line, quote never closed", "y", b"a,y\n1,2\n\"" + b"7" * MEGABYTES + b",3\n",
     ", line 3, column 1: a quote is opened and never closed"),
    ("zip archive", "1", b"PK\3\4....", " is a zip archive (a spreadsheet, or .npz)" + READ),
    ("UTF-16, half a character", "y", "a,y\n1,2\n".encode("utf-16") + b"3",
     ", line 3, byte 19: the file ends in the middle of a character, expected UTF-16 text"),
    ("UTF-16, half a pair", "y", "a,y\n1,2\n3,\ud801\n".encode("utf-16", "surrogatepass"),
     ", line 3, byte 23: there is half of a surrogate pair, expected UTF-16 text"),
    ("UTF-16, pair the wrong way round", "y", "a,y\n1,2\n\udc01\ud801,3\n".encode("utf-16", "surrogatepass"),
     ", line 3, byte 19: there is half of a surrogate pair, expected UTF-16 text"),
    ("UTF-16, half a pair at the end", "y", "a,y\n1,2\n3,\ud801".encode("utf-16", "surrogatepass"),
     ", line 3, byte 23: the file ends in the middle of a character, expected UTF-16 text"),
    ("UTF-16 mark alone", "y", b"\xff\xfe", " is empty, expected rows"),
    ("UTF-16 NUL", "y", "a,y\n1,\0\n".encode("utf-16"), ", line 2, column 2: found a NUL byte, expected text"),
    ("picture", "1", b"\x89PNG\r\n\x1a\n....", " is a PNG image" + READ),
    ("program", "1", b"\x7fELF\2\1\1\0", " is a program" + READ),
    ("model", "1", b"\x89ENT\r\n\x1a\n", " is a model of Entropic" + READ),
    ("PDF", "1", b"%PDF-1.4\n", " is a PDF document" + READ),
    ("gzip of nothing", "y", gzip.compress(b"", mtime=0), " is empty, expected rows"),
    ("gzip cut in its last bytes", "y", GZIPPED[:-4], ", line 402: the gzip data end too early; the file is truncated"),
    ("gzip with a wrong sum", "y", GZIPPED[:-6] + bytes([GZIPPED[-6] ^ 255]) + GZIPPED[-5:],
     ", after line 402, byte %d: the gzip data are corrupt: incorrect data check" % (len(GZIPPED) - 3)),
    ("gzip with a damaged second member", "y", GZIPPED + b"\x1f\x0b" + GZIPPED[2:],
     ", after line 402, byte %d: the gzip data are corrupt: neither the end of the file nor another gzip member is here"
     % (len(GZIPPED) + 1)),
    ("gzip with text behind it", "y", GZIPPED + b"\n",
     ", after line 402, byte %d: the gzip data are corrupt: neither the end of the file nor another gzip member is here"
     % (len(GZIPPED) + 1)),
    ("gzip with padding and text behind it", "y", GZIPPED + bytes(512) + b"\n",
     ", after line 402, byte %d: the gzip data are corrupt: zeros follow the data, and then something else"
     % (len(GZIPPED) + 513)),
    ("gzip in name alone", "y", b"\x1f\x8b\x08\0", ", line 1: the gzip data end too early; the file is truncated"),
    ("LIBSVM index 0", None, b"1 0:1 1:2\n2 1:1\n",
     ", line 1, entry 2: found '0:1', expected an index of 1 or more (indices from zero are an option)"),
    ("LIBSVM descending", None, b"1 1:1 2:1\n1 2:1 1:1\n",
     ", line 2, entry 3: found '1:1', expected indices in ascending order (any order is an option)"),
    ("LIBSVM duplicate", None, b"1 1:1 1:2\n",
     ", line 1, entry 3: found '1:2', expected an index that does not appear twice"),
    ("LIBSVM no colon", None, b"1 1:1\n2 3\n", ", line 2, entry 2: found '3', expected index:value"),
    ("LIBSVM no label", None, b"1 1:1\n2:1\n", ", line 2, entry 1: found '2:1', expected a label that is one number"),
    ("LIBSVM two labels", None, b"1 1:1\n1,2 1:1\n",
     ", line 2, entry 1: found '1,2', expected a label that is one number"),
    ("LIBSVM label in words", None, b"1 1:1\nyes 1:1\n",
     ", line 2, entry 1: found 'yes', expected a label that is one number"),
    ("LIBSVM no value", None, b"1 1:\n", ", line 1, entry 2: found '1:', expected a number after the colon"),
    ("LIBSVM junk value", None, b"1 1:x\n", ", line 1, entry 2: found '1:x', expected a number after the colon"),
    ("LIBSVM negative index", None, b"1 1:1\n1 -1:1\n", ", line 2, entry 2: found '-1:1', expected index:value"),
    ("LIBSVM inf", None, b"1 1:inf\n", ", line 1, entry 2: found '1:inf', expected a finite number"),
    ("LIBSVM 1e999", None, b"1 1:1e999\n", ", line 1, entry 2: found '1:1e999', expected a finite number"),
    ("LIBSVM query", None, b"1 qid:3 1:1\n", ", line 1, entry 2: found 'qid:3', expected index:value"),
    ("LIBSVM index too large", None, b"1 1000001:1\n",
     ", line 1, entry 2: found '1000001:1', expected an index of at most 1000000"),
    ("LIBSVM index beyond 64 bits", None, b"1 1:1\n1 99999999999999999999:1\n",
     ", line 2, entry 2: found '99999999999999999999:1', expected index:value"),
    ("npy objects", "1", npy("'|O'", "False", "(1,)"),
     ", header: found '|O', expected numbers (objects are pickled Python, which can run any code and is not read)"),
    ("npy complex", "1", npy("'<c16'", "False", "(1,)"),
     ", header: found '<c16', expected real numbers, not complex ones"),
    ("npy text", "1", npy("'<U3'", "False", "(1,)"), ", header: found '<U3', expected numbers, not texts"),
    ("npy half", "1", npy("'<f2'", "False", "(1,)"), ", header: found '<f2', expected floats of 4 or 8 bytes"),
    ("npy records", "1", npy("[('a', '<f8')]", "False", "(1,)"),
     ", header: found '[('a', '<f8')]', expected one number type (arrays of records with named fields are not read)"),
    ("npy scalar", "1", npy("'<f8'", "False", "()"), ", header: found '()', expected a shape of one or two dimensions"),
    ("npy three dimensions", "1", npy("'<f8'", "False", "(1, 1, 1)"),
     ", header: found '(1, 1, 1)', expected a shape of one or two dimensions"),
    ("npy no rows", "1", npy("'<f8'", "False", "(0, 3)"), ", header: found '(0, 3)', expected rows and columns"),
    ("npy truncated", "1", npy("'<f8'", "False", "(3, 2)"), ": the .npy data end too early; the file is truncated"),
    ("npy truncated, Fortran", "1", npy("'<f8'", "True", "(3, 2)"),
     ": the .npy data end too early; the file is truncated"),
    ("npy too long", "1", npy("'<f4'", "False", "(1,)"),
     ": there are bytes after the array, expected the end of the file"),
    ("npy version 4", "1", npy("'<f8'", "False", "(1,)", version=4), ": found .npy version 4.0, expected 1, 2 or 3"),
    ("npy header cut", "1", npy("'<f8'", "False", "(1,)")[:20], ": the .npy data end too early; the file is truncated"),
    ("npy infinite", "1", npy("'>f8'", "False", "(1, 2)", b"\x7f\xf0\0\0\0\0\0\0" + b"\0"*8),
     ", row 1, column 1 (x1): found 'inf', expected a finite number"),
]


def fit(path, target, **more):
    words = [ENTROPIC, "fit", path, "-o", "model", *(["--target", target] if target else [])]
    return subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, **more)


def check_refused(what, done, message):
    expected = "entropic fit: " + message + "\n"
    check(what, (done.returncode, done.stdout, done.stderr) == (2, "", expected) and not os.path.exists("model"),
          "status %d: %s# expected 2: %s" % (done.returncode, done.stderr, expected))


def faults_are_told():
    for what, target, content, message in FAULTS:
        with open("bad", "wb") as file:
            file.write(content)
        check_refused(what, fit("bad", target), "bad" + message)


def files_that_cannot_be_read():
    check_refused("no such file", fit("missing", "y"), "missing: No such file or directory")
    os.mkdir("folder")
    check_refused("a directory", fit("folder", "y"), "the folder 'folder' has 0 files and no table, expected .csv, .tsv, "
                  ".txt, .libsvm (also with .gz or .zst) or .parquet")
    check_refused("a device without bytes", fit("/dev/null", "y"), "/dev/null is empty, expected rows")


def as_nobody():
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)


def no_permission():
    """Root may read all files, so the command runs as another user, who must be able to execute it."""
    what = "no permission"
    root = os.geteuid() == 0
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # where anybody may go
        os.chmod(folder, 0o777)
        path = os.path.join(folder, "bad")
        with open(path, "w") as file:
            file.write("a,y\n1,2\n")
        os.chmod(path, 0)
        more = {"preexec_fn": as_nobody, "cwd": folder} if root else {"cwd": folder}
        try:
            subprocess.run([ENTROPIC, "--version"], check=True, capture_output=True, **more)
        except (OSError, subprocess.SubprocessError) as problem:
            skip(what, "the command cannot be run as somebody else: %s" % problem)
            return
        check_refused(what, fit("bad", "y", **more), "bad: Permission denied")
        check(what + ": no model", os.listdir(folder) == ["bad"])


faults_are_told()
files_that_cannot_be_read()
check("there are 60 files and more", len(FAULTS) >= 60)
no_permission()
sys.exit(end())
