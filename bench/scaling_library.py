"""The library on arrays in memory, through ctypes, for bench/scaling.py."""
import ctypes
import json

import numpy as np

FIT = 2  # the purpose of parameters
POINTER, SIZE = ctypes.c_void_p, ctypes.c_size_t


class Library:
    """libentropic.so at a path, on so many threads."""

    def __init__(self, path, threads):
        self.calls = ctypes.CDLL(path)
        self.calls.entropic_context_message.restype = ctypes.c_char_p
        self.calls.entropic_report_json.restype = ctypes.c_char_p
        self.context = POINTER()
        self.calls.entropic_context_create(ctypes.byref(self.context))
        self.call("context_set_threads", ctypes.c_int(threads))

    def call(self, name, *arguments):
        if getattr(self.calls, "entropic_" + name)(self.context, *arguments):
            raise SystemExit("scaling: " + self.calls.entropic_context_message(self.context).decode())

    def free(self, kind, handle):
        getattr(self.calls, "entropic_%s_free" % kind)(handle)

    def parameters(self, given):
        made = POINTER()
        self.call("parameters_create", ctypes.c_int(FIT), ctypes.byref(made))
        for name, value in given.items():
            self.call("parameters_set", made, name.encode(), str(value).encode())
        return made

    def fit(self, rows, **given):
        """A model of rows whose last column is the target: a handle, which the caller frees, and its report."""
        table, dataset, report, model = POINTER(), POINTER(), POINTER(), POINTER()
        parameters = self.parameters({"target": rows.shape[1], **given})
        values = np.ascontiguousarray(rows, dtype=np.float64)
        self.call("table_create", values.ctypes.data_as(POINTER), SIZE(len(rows)), SIZE(rows.shape[1]),
                  SIZE(rows.shape[1]), None, parameters, ctypes.byref(table))
        self.call("dataset_create", table, parameters, ctypes.byref(dataset))
        self.call("fit", dataset, None, parameters, ctypes.byref(report), ctypes.byref(model))
        found = json.loads(self.calls.entropic_report_json(report))
        for kind, handle in (("report", report), ("dataset", dataset), ("table", table), ("parameters", parameters)):
            self.free(kind, handle)
        return model, found

    def predict(self, model, rows):
        values = np.ascontiguousarray(rows, dtype=np.float64)
        found = np.empty(len(rows))
        self.call("model_predict", model, values.ctypes.data_as(POINTER), SIZE(len(rows)), SIZE(rows.shape[1]),
                  found.ctypes.data_as(POINTER))
        return found
