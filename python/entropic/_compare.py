"""compare: entropic optimal features compared with random features and other baselines, on the user's rows."""
import ctypes
import html
from typing import TYPE_CHECKING, Any, Dict, List, Optional

import numpy as np

from . import _interface as interface
from . import _data
from ._base import Learning, position, positions
from ._data import Column, Table
from ._library import LIBRARY, Context
from ._old_names import nearest, old_names, renewed, warn_of_old_names
from ._parameters import COMPARE, Parameters
from ._signatures import COMPARE_DEFAULTS, COMPARE_HELP
from ._types import ArrayLike, Rows

if TYPE_CHECKING:
    import pandas


class Comparison:
    """`methods` has a dict for each method and number of features, `constant` the error of a constant; experimental."""

    def __init__(self, context: Context, pointer: ctypes.c_void_p) -> None:
        self.methods: List[Dict[str, Any]] = []
        for i in range(LIBRARY.entropic_comparison_count(pointer)):
            result, errors = interface.MethodResult(), ctypes.c_void_p()
            context.call("comparison_get", pointer, i, ctypes.byref(result))
            context.call("comparison_errors", pointer, i, ctypes.byref(errors))
            self.methods.append(_method(result, errors))
        constant, errors = interface.MethodResult(), ctypes.c_void_p()
        context.call("comparison_constant", pointer, ctypes.byref(constant), ctypes.byref(errors))
        known = _method(constant, errors)
        self.constant = {key: known[key] for key in ("error", "sd", "errors")}
        self.load: float = LIBRARY.entropic_comparison_load(pointer)

    def to_frame(self) -> "pandas.DataFrame":
        """The methods as a pandas frame."""
        import pandas
        return pandas.DataFrame(self.methods)

    def __repr__(self) -> str:
        best = min(self.methods, key=lambda one: one["error"])
        return "Comparison(%d methods, best %s with %d features: %.4g)" % (len(self.methods), best["name"],
                                                                            best["features"], best["error"])

    def _repr_html_(self) -> str:
        shown = ("name", "tuned", "features", "error", "sd", "train_seconds", "nonzeros")
        head = "".join("<th>%s</th>" % key for key in shown)
        rows = ["".join("<td>%s</td>" % _cell(one[key]) for key in shown) for one in self.methods]
        body = "".join("<tr>%s</tr>" % row for row in rows)
        return "<table><tr>%s</tr>%s</table>" % (head, body)


def _cell(value: object) -> str:
    return html.escape("%.4g" % value if isinstance(value, float) else str(value))


def _method(result: interface.MethodResult, errors: ctypes.c_void_p) -> Dict[str, Any]:
    known: Dict[str, Any] = {name: getattr(result, name) for name, *_ in result._fields_}
    for name in ("name", "kernel"):
        known[name] = None if known[name] is None else known[name].decode()
    known["tuned"] = bool(known["tuned"])
    scaling = LIBRARY.entropic_scaling_name(known["scaling"])
    known["scaling"] = None if scaling is None else scaling.decode()
    known["errors"] = [] if not result.runs else np.ctypeslib.as_array(
        ctypes.cast(errors, ctypes.POINTER(ctypes.c_double)), (result.runs,)).tolist()
    return known


def compare(X: Rows, y: ArrayLike, *, groups: Optional[ArrayLike] = None, **parameters: Any) -> Comparison:
    for name in parameters:
        if name not in COMPARE_DEFAULTS and name not in old_names(COMPARE_DEFAULTS):
            raise TypeError("compare() got an unexpected keyword argument %r%s"
                            % (name, nearest(name, COMPARE_DEFAULTS)))
    warn_of_old_names(parameters, 2)
    given = renewed({**COMPARE_DEFAULTS, **parameters})
    frame = _data.read(X, "compare")
    target = _data.array_column(np.asarray(y))
    if target.values.ndim != 1:
        raise ValueError("y should be a 1d array, got an array of shape %s instead." % (target.values.shape,))
    if frame.rows < 0:
        frame.rows = len(target.values)
    if len(target.values) != frame.rows:
        raise ValueError("X has %d rows, y has %d" % (frame.rows, len(target.values)))
    kinds = None if groups is None else _data.array_column(np.asarray(groups))
    learning = Learning(frame, [("y", Column(*target))], None, kinds)
    given["categorical"] = sorted({*frame.categorical(), *positions(frame, "categorical", given["categorical"])})
    context = Context(given["n_jobs"])
    with context.interruptible(given["verbose"]):
        taken = Parameters(context, COMPARE)
        taken.take(given, COMPARE_DEFAULTS, lambda name, value: learning.place(position(frame, name, value)))
        learning.set_roles(taken)
        taken.check()
        table = Table(context, frame, taken.pointer, learning.more())
        dataset = context.make("dataset", "dataset_create", table.pointer, taken.pointer, keep=table)
        made = context.make("comparison", "compare", dataset.pointer, taken.pointer)
    return Comparison(context, made.pointer)


compare.__doc__ = """Compares entropic optimal features with random features and other baselines on rows X with targets
y: the same rows, scalings, solver and tuning for all. Experimental: results and their keys may change.

    Parameters
    ----------
    groups : array
        rows with the same value here stay together, in a split and while tuning
""" + COMPARE_HELP
