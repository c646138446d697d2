"""A model of the library."""
import ctypes
import json
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import numpy as np

from . import _interface as interface
from ._data import Frame, Table, encode
from ._library import LIBRARY, Context, Handle, small_context, take_bytes
from ._parameters import EXPORT, Parameters
from ._types import Numbers, Values

_BLOCK_VALUES = 1 << 20  # of the rows that are read at a time
_DOUBLE = np.dtype(np.float64)


def take_report(context: Context, name: str, *arguments: Any) -> Dict[str, Any]:
    """The report that entropic_NAME(context, ..., &report) makes."""
    return read_report(context.make("report", name, *arguments))


def read_report(report: Handle) -> Dict[str, Any]:
    text = LIBRARY.entropic_report_json(report.pointer)
    if text is None:
        raise MemoryError("out of memory")
    found: Dict[str, Any] = json.loads(text)
    return found


class Model:
    """A handle, and what is known of its rows. It is pickled and copied as the bytes of its file."""

    def __init__(self, handle: Handle) -> None:
        self.handle = handle
        self.pointer = handle.pointer
        info = interface.ModelInfo()
        context = small_context()
        context.call("model_describe", self.pointer, ctypes.byref(info), ctypes.sizeof(info))
        self.inputs, self.targets, self.classes, self.scores = info.inputs, info.targets, info.classes, info.scores
        self.info = info
        self.names: List[str] = []
        self.columns: List[str] = []  # of each input: the column that it comes from; several parts of a date are of one
        plain = True
        for i in range(info.inputs):
            known = interface.InputInfo()
            context.call("model_input", self.pointer, i, ctypes.byref(known), ctypes.sizeof(known))
            self.names.append(known.name.decode(errors="replace"))
            self.columns.append(self.columns[-1] if known.part else self.names[-1])
            plain = plain and not known.category and not known.date
        self.plain: bool = plain  # every input is a number

    # ---- Bytes ----

    @classmethod
    def from_bytes(cls, data: bytes) -> "Model":
        return cls(small_context().make("model", "model_load_memory", data, len(data)))

    @classmethod
    def load(cls, path: str) -> "Model":
        return cls(small_context().make("model", "model_load", encode(path)))

    def to_bytes(self) -> bytes:
        return take_bytes(small_context(), "model_save_memory", self.pointer)

    def save(self, path: str) -> None:
        small_context().call("model_save", self.pointer, encode(path))

    def __reduce__(self) -> Tuple[Callable[[bytes], "Model"], Tuple[bytes]]:
        return Model.from_bytes, (self.to_bytes(),)

    def __deepcopy__(self, memo: object) -> "Model":
        return Model.from_bytes(self.to_bytes())

    # ---- Names ----

    def class_names(self) -> List[str]:
        return [LIBRARY.entropic_model_class(self.pointer, i).decode(errors="replace") for i in range(self.classes)]

    def target_names(self) -> List[str]:
        return [LIBRARY.entropic_model_target(self.pointer, i).decode(errors="replace") for i in range(self.targets)]

    # ---- Rows ----

    def reader(self, context: Context, table: Table, with_targets: bool) -> Handle:
        return context.make("row_reader", "row_reader_open_table", self.pointer, table.pointer, int(with_targets),
                            keep=table)

    def blocks(self, context: Context, frame: Frame) -> Iterator[Numbers]:
        """The inputs of the model, some rows of the frame at a time; the array is used again for the next ones."""
        table = Table(context, frame, None)
        reader = self.reader(context, table, False)
        capacity = max(16, _BLOCK_VALUES // max(1, self.inputs))
        if frame.rows >= 0:
            capacity = max(1, min(capacity, frame.rows))
        x, rows = np.empty((capacity, self.inputs)), ctypes.c_size_t()
        while True:
            context.call("row_reader_next", reader.pointer, capacity, x.ctypes.data, None, None, ctypes.byref(rows))
            if rows.value == 0:
                return
            yield x[:rows.value]

    def outputs(self, context: Context, x: Numbers, arrays: Dict[str, Values], level: float = 0,
                explanation: Optional[ctypes.c_void_p] = None) -> None:
        """entropic_predict of rows that are doubles side by side: fills arrays by the names of outputs."""
        wanted = interface.Outputs(size=ctypes.sizeof(interface.Outputs), level=level, explanation=explanation)
        for name, array in arrays.items():
            setattr(wanted, name, array.ctypes.data)
        context.call("predict", self.pointer, x.ctypes.data, len(x), x.strides[0] // 8, ctypes.byref(wanted))

    # ---- Other ----

    def report(self) -> Dict[str, Any]:
        return take_report(small_context(), "model_report", self.pointer)

    def receipt(self) -> str:
        text = ctypes.create_string_buffer(interface.RECEIPT_SIZE)
        small_context().call("model_receipt", self.pointer, text)
        return text.value.decode()

    def export(self, lang: str, name: str, single: bool) -> str:
        context = small_context()
        parameters = Parameters(context, EXPORT)
        parameters.set("lang", lang)
        parameters.set("name", name)
        if single:
            parameters.set("float", True)
        return take_bytes(context, "model_export_memory", self.pointer, parameters.pointer).decode()


def is_direct(x: Values) -> bool:
    """Whether rows lie as the library reads them: doubles side by side, rows any whole distance apart."""
    return (x.dtype == _DOUBLE and x.dtype.isnative and (x.strides[1] == 8 or x.shape[1] == 1) and x.strides[0] >= 8
            and x.strides[0] % 8 == 0 and x.strides[0] >= 8 * x.shape[1] or len(x) == 1 and x.dtype == _DOUBLE
            and x.dtype.isnative and x.strides[1] == 8)
