"""The library through ctypes: tables from files, from Arrow and from NumPy, and the models that are fitted to them."""
import ctypes
import os

LIBRARY = ctypes.CDLL(os.path.join(os.environ["ENTROPIC_BUILD"], "lib", "libentropic.so"))
TEXT, SIZE, POINTER = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p
for _name, _result in (("table_rows", SIZE), ("table_columns", SIZE), ("table_notice", TEXT), ("table_category", TEXT),
                       ("dataset_notice", TEXT), ("dataset_dropped", TEXT), ("context_message", TEXT),
                       ("report_json", TEXT)):
    getattr(LIBRARY, "entropic_" + _name).restype = _result


class Column(ctypes.Structure):
    _fields_ = [("name", TEXT), ("type", ctypes.c_int), ("role", ctypes.c_int), ("text", ctypes.c_int),
                ("categories", SIZE), ("missing", SIZE)]


class ColumnView(ctypes.Structure):
    _fields_ = [("size", SIZE), ("name", TEXT), ("values", POINTER), ("stride", ctypes.c_ssize_t),
                ("element", ctypes.c_int), ("date", ctypes.c_int), ("mask", POINTER), ("mask_stride", ctypes.c_ssize_t),
                ("categories", SIZE), ("category_names", ctypes.POINTER(TEXT))]


class Failure(Exception):
    """The message of a call that failed."""


class Context:
    def __init__(self):
        self.handle = POINTER()
        LIBRARY.entropic_context_create(ctypes.byref(self.handle))

    def __del__(self):
        LIBRARY.entropic_context_free(self.handle)

    def call(self, name, *arguments):
        if getattr(LIBRARY, "entropic_" + name)(self.handle, *arguments):
            raise Failure(LIBRARY.entropic_context_message(self.handle).decode(errors="replace"))


CONTEXT = Context()


READ, FIT = 1, 2  # purposes


class Parameters:
    """A set of parameters, by name; files are read with a header."""

    def __init__(self, purpose, header=None, **given):
        self.handle = POINTER()
        CONTEXT.call("parameters_create", ctypes.c_int(purpose), ctypes.byref(self.handle))
        for name, value in {**given, **({"header": header} if header else {})}.items():
            CONTEXT.call("parameters_set", self.handle, name.encode(), value.encode())

    def __del__(self):
        LIBRARY.entropic_parameters_free(self.handle)


class Table:
    def __init__(self, handle, keep=None):
        self.handle, self.keep = handle, keep

    def __del__(self):
        LIBRARY.entropic_table_free(self.handle)

    @staticmethod
    def load(path, **roles):
        handle, given = POINTER(), Parameters(FIT, header="yes", **roles)
        CONTEXT.call("table_load", str(path).encode(), given.handle, ctypes.byref(handle))
        return Table(handle)

    @staticmethod
    def from_arrow(producer, **roles):
        """Whatever has __arrow_c_stream__."""
        capsule = producer.__arrow_c_stream__()
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = POINTER, [ctypes.py_object, TEXT]
        return Table.from_stream(get(capsule, b"arrow_array_stream"), **roles)

    @staticmethod
    def from_stream(stream, **roles):
        """The address of an ArrowArrayStream."""
        handle, given = POINTER(), Parameters(FIT, **roles)
        CONTEXT.call("table_from_arrow", POINTER(stream), given.handle, ctypes.byref(handle))
        return Table(handle)

    @staticmethod
    def borrow(views, rows, keep, **roles):
        handle, given = POINTER(), Parameters(FIT, **roles)
        array = (ColumnView * len(views))(*views)
        CONTEXT.call("table_borrow", array, SIZE(len(views)), SIZE(rows), given.handle, ctypes.byref(handle))
        return Table(handle, keep)

    def columns(self):
        """What is known of each column, with its categories."""
        found = []
        for i in range(LIBRARY.entropic_table_columns(self.handle)):
            info = Column()
            CONTEXT.call("table_column", self.handle, SIZE(i), ctypes.byref(info), SIZE(ctypes.sizeof(info)))
            names = [LIBRARY.entropic_table_category(self.handle, SIZE(i), SIZE(k)) for k in range(info.categories)]
            found.append((info.name, info.type, info.role, info.text, info.missing, names))
        return found

    def notices(self):
        return notices_of(LIBRARY.entropic_table_notice, self.handle)

    def fit(self):
        """The bytes of the model, the notices of the data set and its dropped inputs."""
        dataset, model, path = POINTER(), POINTER(), b"model.entropic"
        CONTEXT.call("dataset_create", self.handle, None, ctypes.byref(dataset))
        try:
            notices = notices_of(LIBRARY.entropic_dataset_notice, dataset)
            dropped = notices_of(lambda d, i: LIBRARY.entropic_dataset_dropped(d, i, None), dataset)
            CONTEXT.call("fit", dataset, None, None, None, ctypes.byref(model))
        finally:
            LIBRARY.entropic_dataset_free(dataset)
        try:
            CONTEXT.call("model_save", model, path)
        finally:
            LIBRARY.entropic_model_free(model)
        with open(path, "rb") as file:
            return file.read(), notices, dropped


def notices_of(get, handle):
    found = []
    while (text := get(handle, SIZE(len(found)))) is not None:
        found.append(text)
    return found


def scores_of(model_path, table=None, path=None, weights=None):
    """The report of the scores of a model, on a table or on a file."""
    model, reader, report = POINTER(), POINTER(), POINTER()
    CONTEXT.call("model_load", str(model_path).encode(), ctypes.byref(model))
    try:
        if table is not None:
            CONTEXT.call("row_reader_open_table", model, table.handle, ctypes.c_int(1), ctypes.byref(reader))
        else:
            given = Parameters(READ, header="yes", **({"weights": weights} if weights else {}))
            CONTEXT.call("row_reader_open", model, str(path).encode(), given.handle, ctypes.c_int(1),
                         ctypes.byref(reader))
        CONTEXT.call("model_score", model, reader, ctypes.byref(report))
        return LIBRARY.entropic_report_json(report)
    finally:
        LIBRARY.entropic_report_free(report)
        LIBRARY.entropic_row_reader_free(reader)
        LIBRARY.entropic_model_free(model)
