"""The library through ctypes: tables from files, from Arrow and from NumPy, and the models that are fitted to them."""
import ctypes
import os

LIBRARY = ctypes.CDLL(os.path.join(os.environ["ENTROPIC_BUILD"], "lib", "libentropic.so"))
TEXT, SIZE, POINTER = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p
for _name, _result in (("table_rows", SIZE), ("table_columns", SIZE), ("table_notice", TEXT), ("table_category", TEXT),
                       ("dataset_notice", TEXT), ("dataset_dropped", TEXT), ("context_message", TEXT)):
    getattr(LIBRARY, "entropic_" + _name).restype = _result


class Roles(ctypes.Structure):
    _fields_ = [(name, TEXT) for name in ("targets", "weights", "groups", "ignore", "categorical", "keep", "time")]
    _fields_ += [("schema_of", POINTER)]


class ReadOptions(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("format", "delimiter", "quote", "decimal", "comment", "header")]
    _fields_ += [("missing", TEXT), ("numbers_only", ctypes.c_int), ("libsvm_inputs", SIZE),
                 ("libsvm_from_zero", ctypes.c_int), ("libsvm_any_order", ctypes.c_int), ("roles", Roles)]


class Column(ctypes.Structure):
    _fields_ = [("name", TEXT), ("type", ctypes.c_int), ("role", ctypes.c_int), ("text", ctypes.c_int),
                ("categories", SIZE), ("missing", SIZE)]


class ColumnView(ctypes.Structure):
    _fields_ = [("size", SIZE), ("name", TEXT), ("values", POINTER), ("stride", ctypes.c_ssize_t),
                ("element", ctypes.c_int), ("date", ctypes.c_int), ("mask", POINTER), ("mask_stride", ctypes.c_ssize_t),
                ("categories", SIZE), ("category_names", ctypes.POINTER(TEXT))]


class FitOptions(ctypes.Structure):
    """Opaque here, and larger than it is: the default options come through memory, whatever their size."""
    _fields_ = [("bytes", ctypes.c_byte * 4096)]


LIBRARY.entropic_fit_options_default.restype = FitOptions


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


def roles_of(roles):
    return Roles(**{name: value.encode() for name, value in roles.items()})


class Table:
    def __init__(self, handle, keep=None):
        self.handle, self.keep = handle, keep

    def __del__(self):
        LIBRARY.entropic_table_free(self.handle)

    @staticmethod
    def load(path, **roles):
        options = ReadOptions(delimiter=-1, quote=-1, decimal=-1, comment=-1, header=1, roles=roles_of(roles))
        handle = POINTER()
        CONTEXT.call("table_load", str(path).encode(), ctypes.byref(options), ctypes.byref(handle))
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
        handle, given = POINTER(), roles_of(roles)
        CONTEXT.call("table_from_arrow", POINTER(stream), ctypes.byref(given), ctypes.byref(handle))
        return Table(handle)

    @staticmethod
    def borrow(views, rows, keep, **roles):
        handle, given = POINTER(), roles_of(roles)
        array = (ColumnView * len(views))(*views)
        CONTEXT.call("table_borrow", array, SIZE(len(views)), SIZE(rows), ctypes.byref(given), ctypes.byref(handle))
        return Table(handle, keep)

    def columns(self):
        """What is known of each column, with its categories."""
        found = []
        for i in range(LIBRARY.entropic_table_columns(self.handle)):
            info = Column()
            CONTEXT.call("table_column", self.handle, SIZE(i), ctypes.byref(info))
            names = [LIBRARY.entropic_table_category(self.handle, SIZE(i), SIZE(k)) for k in range(info.categories)]
            found.append((info.name, info.type, info.role, info.text, info.missing, names))
        return found

    def notices(self):
        return notices_of(LIBRARY.entropic_table_notice, self.handle)

    def fit(self):
        """The bytes of the model, the notices of the data set and its dropped inputs."""
        dataset, model, path = POINTER(), POINTER(), b"model.entropic"
        CONTEXT.call("dataset_create", self.handle, ctypes.c_int(0), ctypes.byref(dataset))
        try:
            notices = notices_of(LIBRARY.entropic_dataset_notice, dataset)
            dropped = notices_of(lambda d, i: LIBRARY.entropic_dataset_dropped(d, i, None), dataset)
            options = LIBRARY.entropic_fit_options_default()
            CONTEXT.call("fit", dataset, None, ctypes.byref(options), None, ctypes.byref(model))
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
    """The bytes of the scores of a model, on a table or on a file."""
    model, reader, scores = POINTER(), POINTER(), (ctypes.c_double * 16)()
    CONTEXT.call("model_load", str(model_path).encode(), ctypes.byref(model))
    try:
        if table is not None:
            CONTEXT.call("row_reader_open_table", model, table.handle, ctypes.c_int(1), ctypes.byref(reader))
        else:
            options = ReadOptions(delimiter=-1, quote=-1, decimal=-1, comment=-1, header=1,
                                  roles=roles_of({"weights": weights} if weights else {}))
            CONTEXT.call("row_reader_open", model, str(path).encode(), ctypes.byref(options), ctypes.c_int(1),
                         ctypes.byref(reader))
        CONTEXT.call("model_score", model, reader, None, None, None, scores)
    finally:
        LIBRARY.entropic_row_reader_free(reader)
        LIBRARY.entropic_model_free(model)
    return bytes(scores)
