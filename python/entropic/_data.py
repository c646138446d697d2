"""Tables of Python as tables of the library, without a copy of numbers: NumPy arrays of any order and width, pandas
frames, whatever has __arrow_c_stream__ (polars, pyarrow, DuckDB), SciPy's sparse matrices, lists."""
import ctypes
import datetime
import decimal
import inspect
import numbers
import warnings
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
import scipy.sparse
from sklearn.utils import check_array

from . import _interface as interface
from ._library import LIBRARY, Context, EntropicWarning, Handle
from ._types import ArrowStream, Values

_ELEMENTS = {"f8": interface.ELEMENT_FLOAT64, "f4": interface.ELEMENT_FLOAT32, "f2": interface.ELEMENT_FLOAT16,
             "i1": interface.ELEMENT_INT8, "i2": interface.ELEMENT_INT16, "i4": interface.ELEMENT_INT32,
             "i8": interface.ELEMENT_INT64, "u1": interface.ELEMENT_UINT8, "u2": interface.ELEMENT_UINT16,
             "u4": interface.ELEMENT_UINT32, "u8": interface.ELEMENT_UINT64, "b1": interface.ELEMENT_BOOL8}
_DATE_UNITS = {"D": interface.DATE_DAYS, "s": interface.DATE_SECONDS, "ms": interface.DATE_MILLISECONDS,
               "us": interface.DATE_MICROSECONDS, "ns": interface.DATE_NANOSECONDS}


class Column(NamedTuple):
    """One column: values of NumPy, and what they are beyond numbers."""

    values: Values
    date: int = interface.DATE_NONE
    mask: Optional[Values] = None
    categories: Optional[List[str]] = None  # values are codes of them, negative ones are missing
    categorical: bool = False  # its categories are categories even if their names are numbers


class Frame:
    """The columns of X: `matrix` if they are one array of numbers, otherwise `columns` or an Arrow `stream`."""

    def __init__(self, rows: int, count: int, names: Optional[List[str]] = None, matrix: Optional[Values] = None,
                 columns: Optional[List[Column]] = None, stream: object = None) -> None:
        self.rows, self.count, self.names = rows, count, names
        self.matrix, self.columns, self.stream = matrix, columns, stream

    def categorical(self) -> List[int]:
        """The positions of the columns that are categories whatever their names are."""
        return [i for i, column in enumerate(self.columns or ()) if column.categorical]

    def views(self) -> List[interface.ColumnView]:
        """For the library. They point into the memory of this frame."""
        if self.matrix is not None:
            return _matrix_views(self.matrix, self.names)
        names = self.names or [None] * self.count  # type: ignore[list-item]
        return [view_of(column, name) for column, name in zip(self.columns or (), names)]


def encode(text: str) -> bytes:
    if "\0" in text:
        raise ValueError("%r has a character of code 0" % text)
    return text.encode("utf-8", "surrogateescape")


def _address(values: Values) -> int:
    return int(values.__array_interface__["data"][0])


def _matrix_views(matrix: Values, names: Optional[List[str]]) -> List[interface.ColumnView]:
    element, address = _ELEMENTS[matrix.dtype.str[1:]], _address(matrix)
    size, (row, column) = ctypes.sizeof(interface.ColumnView), matrix.strides
    return [interface.ColumnView(size=size, name=None if names is None else encode(names[i]), stride=row,
                                 values=address + i * column, element=element) for i in range(matrix.shape[1])]


def view_of(column: Column, name: Optional[str]) -> interface.ColumnView:
    """A view of a column, which has to outlive it."""
    values = column.values
    view = interface.ColumnView(size=ctypes.sizeof(interface.ColumnView), name=None if name is None else encode(name),
                                values=_address(values), stride=values.strides[0],
                                element=_ELEMENTS[values.dtype.str[1:]], date=column.date)
    if column.mask is not None:
        view.mask, view.mask_stride = _address(column.mask), column.mask.strides[0]
    if column.categories is not None:
        texts = (ctypes.c_char_p * max(1, len(column.categories)))(*[encode(text) for text in column.categories])
        view.categories, view.category_names = max(1, len(column.categories)), ctypes.addressof(texts)
        view._texts = texts
    return view


class Table:
    """A table of the library over the memory of Python objects."""

    def __init__(self, context: Context, frame: Frame, parameters: Optional[ctypes.c_void_p],
                 more: Sequence[interface.ColumnView] = ()) -> None:
        self.frame = frame
        keep: Tuple[object, ...]
        if frame.stream is None:
            views = frame.views() + list(more)
            array = (interface.ColumnView * len(views))(*views)
            keep = (frame, views, array)
            self.handle: Handle = context.make("table", "table_borrow", array, len(views), frame.rows, parameters,
                                               keep=keep)
            return
        stream = _stream_address(frame.stream)
        if more:
            array = (interface.ColumnView * len(more))(*more)
            views_of = interface.ColumnViews(size=ctypes.sizeof(interface.ColumnViews), columns=ctypes.addressof(array),
                                             count=len(more), rows=frame.rows)
            self.handle = context.make("table", "table_from_arrow", stream, ctypes.byref(views_of), parameters,
                                       keep=(frame, more, array))
        else:
            self.handle = context.make("table", "table_from_arrow", stream, None, parameters, keep=frame)

    @property
    def pointer(self) -> ctypes.c_void_p:
        return self.handle.pointer

    def names(self) -> List[str]:
        return [LIBRARY.entropic_table_name(self.pointer, i).decode(errors="replace")
                for i in range(LIBRARY.entropic_table_columns(self.pointer))]


# ---- Arrow -----------------------------------------------------------------------------------------------------------

_capsule = ctypes.pythonapi.PyCapsule_GetPointer
_capsule.restype, _capsule.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def _stream_address(capsule: object) -> int:
    return int(_capsule(capsule, b"arrow_array_stream") or 0)


class _Schema(ctypes.Structure):
    """The head of an ArrowSchema."""


_Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_void_p),
                    ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
                    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))), ("dictionary", ctypes.c_void_p),
                    ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]


class _Stream(ctypes.Structure):
    _fields_ = [("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_Schema)))]


def _arrow_names(capsule: object) -> List[str]:
    """The names of the columns of a stream, which stays as it is."""
    address, schema = _stream_address(capsule), _Schema()
    if _Stream.from_address(address).get_schema(address, ctypes.byref(schema)) or not schema.release:
        return []  # the library says what is wrong with the stream
    try:
        if not schema.children:
            return []
        return [(schema.children[i].contents.name or b"").decode(errors="replace") for i in range(schema.n_children)]
    finally:
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(schema.release)(ctypes.addressof(schema))


def _read_arrow(X: ArrowStream) -> Frame:
    """The rows may be known only when they are read: then their number is -1."""
    stream = X.__arrow_c_stream__()
    names = _arrow_names(stream)
    rows = getattr(X, "num_rows", getattr(X, "height", -1))
    return Frame(rows if isinstance(rows, int) else -1, len(names), names, stream=stream)


# ---- Columns of objects ----------------------------------------------------------------------------------------------


def text_of(value: Any) -> str:
    """A value as it would stand in a text file."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, (numbers.Real, np.floating)):
        return repr(float(value))
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat(" ") if isinstance(value, datetime.datetime) else value.isoformat()
    if isinstance(value, (decimal.Decimal, datetime.time, np.datetime64)):
        return str(value)
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    raise TypeError("argument must be a string or a number, not %s" % type(value).__name__)


def is_missing(value: Any) -> bool:
    """None, NaN, NaT and pandas' NA."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # NA says neither yes nor no
        return type(value).__name__ == "NAType"


def _are_numbers(values: Sequence[Any]) -> bool:
    return all(isinstance(value, (numbers.Real, np.floating)) and not isinstance(value, (bool, np.bool_))
               for value in values)


def _object_column(values: Sequence[Any]) -> Column:
    """A column of objects: numbers if all are, otherwise texts by order of appearance."""
    known: Dict[Any, int] = {}
    codes = np.empty(len(values), np.int32)
    for row, value in enumerate(values):
        if is_missing(value):
            codes[row] = -1
            continue
        try:
            codes[row] = known.setdefault((type(value), value), len(known))
        except TypeError:
            text_of(value)  # says what it is
            raise
    return _coded_column(codes, [value for _, value in known])


def _coded_column(codes: Values, found: Sequence[Any]) -> Column:
    """A column of codes: of numbers it becomes these."""
    if _are_numbers(found):
        table = np.array([float(value) for value in found] + [np.nan])
        return Column(table[codes])
    texts: Dict[str, int] = {}
    again = np.array([texts.setdefault(text_of(value), len(texts)) for value in found] + [-1], np.int32)
    return Column(again[codes], categories=list(texts))


def array_column(values: Values) -> Column:
    """A column of NumPy."""
    kind = values.dtype.kind
    if kind == "M":
        unit = np.datetime_data(values.dtype)[0]
        if unit not in _DATE_UNITS or np.datetime_data(values.dtype)[1] != 1 or not values.dtype.isnative:
            values, unit = values.astype("datetime64[us]"), "us"
        return Column(values.view(np.int64), date=_DATE_UNITS[unit])
    if kind in "fiub":
        return Column(_native(values))
    if kind in "OUS":
        return _object_column(values.tolist())
    raise TypeError("a column of dtype %s cannot be read, expected numbers, texts, booleans or dates" % values.dtype)


def _native(values: Values) -> Values:
    """Numbers as the library reads them; long doubles and foreign byte orders are copied."""
    if values.dtype.isnative and values.dtype.str[1:] in _ELEMENTS:
        return values
    return values.astype(np.float64)


# ---- pandas ----------------------------------------------------------------------------------------------------------


def _clock(series: Any) -> Any:
    """Times as the clock of their zone shows them, as text would have them; that of a zone by its name is UTC, since what
    it shows depends on files of this machine."""
    if series.dt.tz.utcoffset(None) is None:
        warnings.warn("column %s: its times have a named time zone and are read as UTC (times with an offset such "
                      "as +01:00 keep the clock of their zone)" % series.name, EntropicWarning, stacklevel=6)
        series = series.dt.tz_convert("UTC")
    return series.dt.tz_localize(None)


def _pandas_column(series: Any) -> Column:
    kind = series.dtype
    name = type(kind).__name__
    if name == "CategoricalDtype":
        column = _coded_texts(np.asarray(series.cat.codes), list(series.cat.categories))
        return column._replace(categorical=True)
    if isinstance(kind, np.dtype) and kind.kind != "O":
        return array_column(series.to_numpy())
    if name == "DatetimeTZDtype":
        return array_column(_clock(series).to_numpy())
    if name == "SparseDtype":
        return array_column(np.asarray(series.sparse.to_dense()))
    if getattr(kind, "kind", "O") in "iufb" and name != "ArrowDtype" or _is_arrow_number(kind):
        return _masked_column(series, kind)
    codes, found = series.factorize()
    return _coded_column(np.asarray(codes, np.int32), list(found))


def _coded_texts(codes: Values, found: Sequence[Any]) -> Column:
    texts = [text_of(value) for value in found]
    if len(set(texts)) < len(texts):
        raise ValueError("two categories are both written %r" % next(t for t in texts if texts.count(t) > 1))
    return Column(codes, categories=texts)


def _is_arrow_number(kind: Any) -> bool:
    return type(kind).__name__ == "ArrowDtype" and kind.kind in "iufb"


def _masked_column(series: Any, kind: Any) -> Column:
    """pandas' numbers and booleans that may be NA."""
    mask = series.isna().to_numpy(dtype=bool)
    plain = series.fillna(False if kind.kind == "b" else 0) if mask.any() else series
    values = plain.to_numpy(dtype=bool if kind.kind == "b" else kind.kind + str(kind.itemsize))
    return Column(_native(values), mask=mask.view(np.uint8) if mask.any() else None)


def is_pandas(X: Any) -> bool:
    return hasattr(X, "iloc") and hasattr(X, "columns") and hasattr(X, "dtypes")


def _plain_block(X: Any) -> Optional[Values]:
    """The one array that a frame of equal numbers is made of."""
    kinds = set(X.dtypes)
    if len(kinds) != 1:
        return None
    kind = kinds.pop()
    if not isinstance(kind, np.dtype) or kind.kind not in "fiu":
        return None
    values: Values = X.to_numpy()
    return _native(values) if values.ndim == 2 else None


def _read_pandas(X: Any, who: str) -> Frame:
    rows, count = X.shape
    _refuse_empty(rows, count, who)
    names = frame_names(X)
    matrix = _plain_block(X)
    if matrix is not None:
        return Frame(rows, count, names, matrix=matrix)
    columns = []
    for i in range(count):
        try:
            columns.append(_pandas_column(X.iloc[:, i]))
        except (TypeError, ValueError) as error:
            raise type(error)("column %r: %s" % (X.columns[i], error)) from None
    return Frame(rows, count, names, columns=columns)


def frame_names(X: Any) -> Optional[List[str]]:
    """The names of the columns of a frame, if they are texts; None if they are numbers. A mixture is refused."""
    texts = [isinstance(name, str) for name in X.columns]
    if all(texts):
        return [str(name) for name in X.columns]
    if any(texts):
        kinds = sorted({type(name).__name__ for name in X.columns})
        raise TypeError("Feature names are only supported if all input features have string names, but your input has "
                        "%s as feature name / column name types. If you want feature names to be stored and validated, "
                        "you must convert them all to strings, by using X.columns = X.columns.astype(str) for example. "
                        "Otherwise you can remove feature / column names from your input data, or convert them all to "
                        "a non-string data type." % kinds)
    return None


# ---- Any X -----------------------------------------------------------------------------------------------------------


def refuse_empty(frame: Frame, who: str) -> None:
    """An X without rows or columns, as scikit-learn says it."""
    if frame.rows >= 0:
        _refuse_empty(frame.rows, frame.count, who)


def _refuse_empty(rows: int, count: int, who: str) -> None:
    for found, what in ((rows, "sample(s)"), (count, "feature(s)")):
        if found < 1:
            raise ValueError("Found array with %d %s (shape=(%d, %d)) while a minimum of 1 is required by %s."
                             % (found, what, rows, count, who))


# scikit-learn 1.6 renamed it.
_OPTIONS = inspect.signature(check_array).parameters
_FINITE = "ensure_all_finite" if "ensure_all_finite" in _OPTIONS else "force_all_finite"


def check_numbers(X: Any, who: Any, **options: Any) -> Any:
    """scikit-learn's check_array, under the names of any of its versions."""
    if "finite" in options:
        options[_FINITE] = options.pop("finite")
    return check_array(X, estimator=who, **options)


def _read_sparse(X: Any, who: str) -> Frame:
    """Columns with some value become dense, those without stay one zero."""
    matrix = check_numbers(X, who, accept_sparse="csc", dtype=None, finite=False)
    full = np.flatnonzero(np.diff(matrix.indptr))
    dense = np.asfortranarray(matrix[:, full].toarray())
    if dense.dtype.kind not in "fiub":
        raise TypeError("a sparse matrix of dtype %s cannot be read, expected numbers" % dense.dtype)
    dense = _native(dense)
    columns = [Column(np.broadcast_to(np.zeros(1), matrix.shape[:1]))] * matrix.shape[1]
    for place, column in enumerate(full):
        columns[column] = Column(dense[:, place])
    return Frame(matrix.shape[0], matrix.shape[1], columns=columns)


def _read_array(X: Any, who: str) -> Frame:
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(np.float64), np.nan)
    values = check_numbers(X, who, dtype=None, finite=False)
    rows, count = values.shape
    if values.dtype.kind in "fiu":
        return Frame(rows, count, matrix=_native(values))
    return Frame(rows, count, columns=[array_column(values[:, i]) for i in range(count)])


def read(X: Any, who: str) -> Frame:
    """The columns of X, whatever it is. `who` asks, for messages."""
    if type(X) is not np.ndarray:
        if is_pandas(X):
            return _read_pandas(X, who)
        if hasattr(X, "__arrow_c_stream__"):
            return _read_arrow(X)
        if scipy.sparse.issparse(X):
            return _read_sparse(X, who)
    return _read_array(X, who)


def arrow_names(X: ArrowStream) -> List[str]:
    """The names of the columns of something with an Arrow stream."""
    return _arrow_names(X.__arrow_c_stream__())
