"""Real files with unusual layouts: every cell compared with Python's csv, str.split and numpy.load; or the error."""
import csv
import ctypes
import datetime
import math
import os
import sys

from _tap import check, end

try:
    import numpy as np
except ImportError as missing:
    print("1..0 # SKIP %s" % missing)
    sys.exit(0)

DATA = os.path.join(os.environ.get("ENTROPIC_DATA") or os.path.join(os.environ["ENTROPIC_SOURCE"], "../shared/data"), "odd")
if not os.path.isdir(DATA):
    print("1..0 # SKIP %s is not there" % DATA)
    sys.exit(0)
LIBRARY = ctypes.CDLL(os.path.join(os.environ["ENTROPIC_BUILD"], "lib", "libentropic.so"))
for name, result in (("table_rows", ctypes.c_size_t), ("table_columns", ctypes.c_size_t),
                     ("table_name", ctypes.c_char_p), ("table_category", ctypes.c_char_p),
                     ("table_values", ctypes.POINTER(ctypes.c_double)), ("context_message", ctypes.c_char_p)):
    getattr(LIBRARY, "entropic_" + name).restype = result


def load(name):
    """Names, and rows of numbers, texts and None for missing values; or the message."""
    context, table = ctypes.c_void_p(), ctypes.c_void_p()
    LIBRARY.entropic_context_create(ctypes.byref(context))
    path = os.path.join(DATA, name)
    status = LIBRARY.entropic_table_load(context, (ctypes.c_char_p * 1)(path.encode()), 1, None, ctypes.byref(table))
    if status:
        message = LIBRARY.entropic_context_message(context).decode().replace(path, name)
        LIBRARY.entropic_context_free(context)
        return message
    rows, columns = LIBRARY.entropic_table_rows(table), LIBRARY.entropic_table_columns(table)
    values = np.ctypeslib.as_array(LIBRARY.entropic_table_values(table), (rows, columns)).tolist()
    category, size = LIBRARY.entropic_table_category, ctypes.c_size_t
    texts = [category(table, size(j), size(0)) is not None for j in range(columns)]
    names = [LIBRARY.entropic_table_name(table, size(j)).decode() for j in range(columns)]
    cells = [[None if math.isnan(v) else category(table, size(j), size(int(v))).decode() if texts[j] else v
              for j, v in enumerate(row)] for row in values]
    LIBRARY.entropic_table_free(table)
    LIBRARY.entropic_context_free(context)
    return names, cells


def rows_of(name, cut):
    """Rows of texts, without blank lines; a line of delimiters is a row."""
    with open(os.path.join(DATA, name), encoding="utf-8-sig", newline="") as file:
        return [row for row in cut(file.read().splitlines()) if len(row) > 1 or any(map(str.strip, row))]


def delimited(delimiter=",", quote='"'):
    return lambda lines: csv.reader(lines, delimiter=delimiter, quotechar=quote)


def day_of(text):
    """Days since 1970-01-01 of dates like 31/12/2020, the only date format in these files."""
    return (datetime.datetime.strptime(text, "%d/%m/%Y") - datetime.datetime(1970, 1, 1)).days


def cell_of(text, point):
    for read in lambda: float(text.replace(point, ".")), lambda: float(day_of(text)):
        try:
            return None if text in ("", "?", "nan") else read()
        except ValueError:
            pass
    return text


def typed(rows, point="."):
    """A column with any text is a column of texts."""
    rows = [[text.strip() for text in row] for row in rows]
    cells = [[cell_of(text, point) for text in row] for row in rows]
    for j in range(len(cells[0])):
        if any(isinstance(row[j], str) for row in cells):
            for i, row in enumerate(cells):
                row[j] = None if row[j] is None else rows[i][j]
    return cells


def numbered(count):
    return ["x%d" % (j + 1) for j in range(count)]


# For each text file: the reader to compare with, whether it has a header, the decimal mark, and its known shape.
TEXTS = {
    "AirQualityUCI_semicolon_decimalcomma_trailing_empty.csv": (delimited(";"), True, ",", (9471, 15)),
    "airfoil_tab_with_space_header.dat": (lambda lines: [line.split() for line in lines], True, ".", (1503, 6)),
    "auto_imports_missing.csv": (delimited(), False, ".", (201, 26)),
    "boston_fixedwidth_no_final_newline.data": (lambda lines: [line.split() for line in lines], False, ".", (506, 14)),
    "breast-cancer_single_quotes.csv": (delimited(quote="'"), False, ".", (286, 10)),
    "concrete_bom_crlf_longheader_trailing_space.csv": (delimited(), True, ".", (1030, 9)),
    "energy_bom_noheader_no_final_newline.csv": (delimited(), False, ".", (768, 10)),
    "grid_semicolon_crlf.csv": (delimited(";"), True, ".", (10000, 13)),
}
ARRAYS = {
    "X_train.npy": (50, 2), "y_train.npy": (50, 1), "bivariate_normal.npy": (15, 15),
    "estimate_gradients_hang.npy": (2225, 2), "python3.npy": (2, 1), "win64python2.npy": (2, 1),
    "stable-Z1-cdf-sample-data.npy": (4590, 5), "stable-Z1-pdf-sample-data.npy": (4589, 5),
}
OBJECTS = ", header: found '|O8', expected numbers (objects are pickled Python, which can run any code and is not read)"
RECORDS = ", expected one number type (arrays of records with named fields are not read)"
REFUSED = {"py2-objarr.npy": OBJECTS, "py3-objarr.npy": OBJECTS, "stable-loc-scale-sample-data.npy": RECORDS}


def equal(what, found, names, cells, shape):
    if isinstance(found, str):
        return check(what, False, found)
    check(what + ": shape", (len(found[1]), len(found[0])) == shape == (len(cells), len(cells[0])),
          (len(found[1]), len(found[0]), len(cells), len(cells[0])))
    check(what + ": names", found[0] == names, (found[0], names))
    wrong = [(i, j, a, b) for i, (row, other) in enumerate(zip(found[1], cells))
             for j, (a, b) in enumerate(zip(row, other)) if type(a) is not type(b) or a != b]
    check(what + ": every cell", not wrong, wrong[:3])


for name, (cut, header, point, shape) in TEXTS.items():
    rows = [row[:shape[1]] for row in rows_of(name, cut)]
    names = rows.pop(0) if header else numbered(shape[1])
    equal(name, load(name), names, typed(rows, point), shape)
for name, shape in ARRAYS.items():
    array = np.load(os.path.join(DATA, name))
    array = array.reshape(len(array), -1).astype(float)
    equal(name, load(name), numbered(array.shape[1]), array.tolist(), shape)
for name, message in REFUSED.items():
    found = load(name)
    check(name + " is refused", isinstance(found, str) and found.startswith(name + ", header: found '") and
          found.endswith(message), found)
others = set(os.listdir(DATA)) - set(TEXTS) - set(ARRAYS) - set(REFUSED)
check("no file is left out", not others, others)
sys.exit(end())
