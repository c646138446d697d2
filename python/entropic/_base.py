"""What the estimators share: names of features as scikit-learn checks them, rows, fitting, what a model can say."""
import ctypes
import numbers
import os
import re
import warnings
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Type, Union

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.validation import check_consistent_length

from . import _data, _explain
from . import _interface as interface
from ._data import Column, Frame, Table
from ._library import LIBRARY, Context, EntropicValueError, EntropicWarning, Handle, texts
from ._model import Model, is_direct, read_report
from ._old_names import renewed
from ._parameters import FIT, Parameters, defaults_of
from ._types import ArrayLike, Numbers, Path, Rows, Values

#: The JSON of a report.
Report = Dict[str, Any]

_DROPPED = {interface.COLUMN_TYPE_CONSTANT: "constant", interface.COLUMN_TYPE_IDENTIFIER: "identifiers of rows",
            interface.COLUMN_TYPE_COPY: "copies of others"}
_FEW_ROWS = 256  # as many are predicted without a watch for Ctrl-C


class FeatureChecks:
    """n_features_in_ and feature_names_in_, with the words of scikit-learn."""

    n_features_in_: int
    _open_end = False  # further columns are not known of, and not inputs

    def _remember_features(self, frame: Frame) -> None:
        self.n_features_in_ = frame.count
        if frame.names is not None:
            self.feature_names_in_ = np.asarray(frame.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _check_features(self, frame: Frame) -> None:
        fitted, who = getattr(self, "feature_names_in_", None), type(self).__name__
        if fitted is None and frame.names is not None:
            message = "X has feature names, but %s was fitted without feature names"
            warnings.warn(message % who, UserWarning, stacklevel=4)
        elif fitted is not None and frame.names is None:
            message = "X does not have valid feature names, but %s was fitted with feature names"
            warnings.warn(message % who, UserWarning, stacklevel=4)
        elif fitted is not None and frame.names is not None and plain(fitted) != plain(frame.names):
            raise ValueError(_names_differ(list(fitted), frame.names))
        if frame.count != self.n_features_in_ and not (self._open_end and frame.count > self.n_features_in_):
            raise ValueError("X has %d features, but %s is expecting %d features as input"
                             % (frame.count, who, self.n_features_in_))


def plain(names: Sequence[str]) -> List[str]:
    """Names as the library has them: without the blanks around them, as in text files."""
    return [name.strip(" \t") for name in names]


def _names_differ(fitted: List[str], found: List[str]) -> str:
    message = "The feature names should match those that were passed during fit.\n"
    unseen = sorted(name for name in set(found) if name.strip(" \t") not in plain(fitted))
    missing = sorted(name for name in set(fitted) if name.strip(" \t") not in plain(found))
    for names, what in ((unseen, "unseen at fit time"), (missing, "seen at fit time, yet now missing")):
        if names:
            message += "Feature names %s:\n" % what + "".join("- %s\n" % name for name in names[:5])
            message += "- ...\n" if len(names) > 5 else ""
    if not unseen and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message


def not_fitted(estimator: object) -> NotFittedError:
    return NotFittedError("This %s instance is not fitted yet. Call 'fit' with appropriate arguments before using this "
                          "estimator." % type(estimator).__name__)


def check_weights(sample_weight: Optional[ArrayLike], rows: int) -> Optional[Numbers]:
    """Weights of rows as doubles; None if there are none."""
    if sample_weight is None:
        return None
    if isinstance(sample_weight, numbers.Real):
        return np.full(rows, float(sample_weight))
    weights: Numbers = _data.check_numbers(sample_weight, None, ensure_2d=False, dtype=np.float64, finite=True,
                                              input_name="sample_weight")
    if weights.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if weights.shape != (rows,):
        raise ValueError("sample_weight.shape == %s, expected %s!" % (weights.shape, (rows,)))
    if not np.any(weights > 0) and not np.any(weights < 0):
        raise ValueError("sample_weight: every weight is zero, so there is no row to learn from")
    return weights


class Learning(NamedTuple):
    """X with what is learnt from it, as columns behind those of X."""

    frame: Frame
    targets: List[Tuple[str, Column]]
    weights: Optional[Numbers]
    groups: Optional[Column]

    def more(self) -> List[interface.ColumnView]:
        views = [_data.view_of(column, name) for name, column in self.targets]
        if self.weights is not None:
            views.append(_data.view_of(Column(self.weights), "sample_weight"))
        if self.groups is not None:
            views.append(_data.view_of(self.groups, "groups"))
        return views

    def place(self, index: int) -> str:
        """A column as the library names it: its number from 1, unless a column has that for a name."""
        number, names = str(index + 1), plain(self.frame.names or [])
        if number not in names or names.index(number) == index:
            return number
        if index < len(names) and "," not in names[index] and names.count(names[index]) == 1:
            return names[index]
        raise ValueError("a column of X is called %r, which is the number of another one: rename it" % number)

    def set_roles(self, parameters: Parameters) -> None:
        at = self.frame.count
        parameters.set("target", ",".join(self.place(at + i) for i in range(len(self.targets))))
        at += len(self.targets)
        if self.weights is not None:
            parameters.set("weights", self.place(at))
            at += 1
        if self.groups is not None:
            parameters.set("groups", self.place(at))


class ModelEstimator(FeatureChecks):
    """The part of EntropicRegressor and EntropicClassifier that is the same."""

    model_: Model
    report_: Report
    _task = "auto"
    _direct: Union[None, bool, NDArray[np.intp]] = None  # as _input_columns says
    n_jobs: Optional[int]
    verbose: int

    # ---- What the two say ----

    def _encode_target(self, y: ArrayLike, frame: Frame, first: bool) -> List[Tuple[str, Column]]:
        raise NotImplementedError

    # ---- Fitting ----

    def _given_parameters(self) -> Dict[str, Any]:
        found: Dict[str, Any] = self.get_params(deep=False)  # type: ignore[attr-defined]
        return found

    def _own_parameters(self) -> Dict[str, Any]:
        return renewed(self._given_parameters())

    def _learn_from(self, X: Rows, y: ArrayLike, sample_weight: Optional[ArrayLike],
                    groups: Optional[ArrayLike] = None, first: bool = True) -> Learning:
        who = type(self).__name__
        if y is None:
            raise ValueError("This %s estimator requires y to be passed, but the target y is None." % who)
        if first:  # a fit that fails leaves no model
            for name in ("model_", "report_", "_direct"):
                self.__dict__.pop(name, None)
        frame = _data.read(X, who)
        if first:
            _data.refuse_empty(frame, who)
            self._remember_features(frame)
        else:
            self._align(frame)
        frame.rows = frame.rows if frame.rows >= 0 else len(np.asarray(y))
        targets = self._encode_target(y, frame, first)
        if first and frame.rows == 1:
            raise ValueError("n_samples = 1: there is one row to learn from, expected two or more")
        check_consistent_length(np.broadcast_to(0, frame.rows), targets[0][1].values)
        kinds = None
        if groups is not None:
            kinds = _data.array_column(np.asarray(groups))
            check_consistent_length(targets[0][1].values, kinds.values)
        return Learning(frame, targets, check_weights(sample_weight, frame.rows), kinds)

    def _make_parameters(self, context: Context, learning: Learning) -> Parameters:
        parameters = Parameters(context, FIT)
        own = self._own_parameters()
        frame = learning.frame
        own["categorical"] = sorted({*frame.categorical(), *positions(frame, "categorical", own.get("categorical"))})

        def place(name: str, value: Any) -> str:
            return learning.place(position(frame, name, value))

        parameters.take(own, defaults_of(type(self)), place)
        parameters.set("task", self._task)
        learning.set_roles(parameters)
        parameters.check()
        return parameters

    def _fit(self, learning: Learning) -> None:
        context = Context(self.n_jobs)
        with context.interruptible(self.verbose):
            parameters = self._make_parameters(context, learning)
            table = Table(context, learning.frame, parameters.pointer, learning.more())
            dataset = self._make_dataset(context, table, parameters, learning)
            warn_of_data(table, dataset)
            report = ctypes.c_void_p()
            model = context.make("model", "fit", dataset.pointer, None, parameters.pointer, ctypes.byref(report))
            said = read_report(Handle("report", report))
        self._take_model(Model(model), said)

    def _make_dataset(self, context: Context, table: Table, parameters: Parameters, learning: Learning) -> Handle:
        """Inputs that look like constants or identifiers are dropped, unless none would be left."""
        try:
            return context.make("dataset", "dataset_create", table.pointer, parameters.pointer, keep=table)
        except EntropicValueError as error:
            if error.status != "BAD_DATA" or learning.frame.stream is not None:  # which has been read
                raise
            refused = error
        # Nothing but dropped inputs depends on what is kept: if this goes well, they were what is wrong.
        parameters.set("keep", ",".join(learning.place(i) for i in range(learning.frame.count)))
        try:
            again = Table(context, learning.frame, parameters.pointer, learning.more())
            made = context.make("dataset", "dataset_create", again.pointer, parameters.pointer, keep=again)
        except EntropicValueError:
            raise refused from None
        warnings.warn("every input is constant or an identifier of rows: all are kept", EntropicWarning, stacklevel=4)
        return made

    def _take_model(self, model: Model, report: Report) -> None:
        self.model_, self.report_ = model, report
        self._direct = _input_columns(model, getattr(self, "feature_names_in_", None), self.n_features_in_)
        if report.get("converged") is False:
            warnings.warn("the fit did not converge", ConvergenceWarning, stacklevel=4)

    # ---- Rows ----

    def _fitted(self) -> Model:
        try:
            return self.model_
        except AttributeError:
            raise not_fitted(self) from None

    def _few(self, X: Rows) -> Optional[Numbers]:
        """A few rows of doubles as the model takes them, if X is that and nothing has to be checked."""
        if type(X) is not np.ndarray or X.ndim != 2 or X.dtype.char != "d" or "feature_names_in_" in self.__dict__:
            return None
        rows, count = X.shape
        columns = self._direct
        if columns is None or not 0 < rows <= _FEW_ROWS or count != self.n_features_in_ or not X.dtype.isnative:
            return None
        if columns is not True:
            return np.ascontiguousarray(X[:, columns])
        return X if X.flags.c_contiguous else np.ascontiguousarray(X)

    def _align(self, frame: Frame) -> None:
        """Checks the columns of rows for a model, and gives them the names that its inputs have."""
        self._check_features(frame)
        fitted = getattr(self, "feature_names_in_", None)
        frame.names = None if fitted is None else list(fitted)

    def _apply(self, X: Rows, name: str, width: int, kind: Type[np.generic] = np.float64,
               call: Optional[Callable[[Context, Numbers, Values], None]] = None) -> Values:
        """The output of that name of all rows: out[rows, width]. `call`: another way to fill it."""
        model = self._fitted()
        frame = _data.read(X, type(self).__name__)
        self._align(frame)

        def run(context: Context, x: Numbers, out: Values) -> None:
            if call is None:
                model.outputs(context, x, {name: out})
            else:
                call(context, x, out)

        context = Context(self.n_jobs)
        with context.interruptible():
            matrix = frame.matrix
            if matrix is not None and self._direct is True and frame.names is None and is_direct(matrix):
                found = np.empty((len(matrix), width), kind)
                run(context, matrix, found)
                return found
            parts = []
            for block in model.blocks(context, frame):
                part = np.empty((len(block), width), kind)
                run(context, block, part)
                parts.append(part)
            return parts[0] if len(parts) == 1 else np.concatenate(parts) if parts else np.empty((0, width), kind)

    # ---- Rows added and forgotten ----

    def _change(self, name: str, X: Rows, y: ArrayLike, sample_weight: Optional[ArrayLike]) -> Report:
        model = self._fitted()
        learning = self._learn_from(X, y, sample_weight, first=False)
        context = Context(self.n_jobs)
        with context.interruptible(self.verbose):
            parameters = Parameters(context, FIT)
            learning.set_roles(parameters)
            table = Table(context, learning.frame, parameters.pointer, learning.more())
            reader = model.reader(context, table, True)
            return read_report(context.make("report", name, model.pointer, reader.pointer))

    def update(self, X: Rows, y: ArrayLike, sample_weight: Optional[ArrayLike] = None) -> Report:
        """Adds rows to the model exactly, without a refit. Its features and lambda stay; the model must keep its
        statistics (keep_statistics=True). Returns a report with the receipt."""
        return self._change("model_update", X, y, sample_weight)

    def forget(self, X: Rows, y: ArrayLike, sample_weight: Optional[ArrayLike] = None) -> Report:
        """Forgets rows that the model has learnt from, exactly, without a refit. Returns a report with the receipt."""
        return self._change("model_forget", X, y, sample_weight)

    def receipt(self) -> str:
        """The hash of the statistics that the model keeps: the same for the same rows in any order."""
        return self._fitted().receipt()

    # ---- Files ----

    def save(self, path: Path) -> None:
        """Writes the model file, as the command does. `entropic.load` reads it."""
        self._fitted().save(os.fspath(path))
        self._warn_of_names()

    def _warn_of_names(self) -> None:
        """A warning of names that a file cannot hold."""

    def export(self, language: str, name: str = "model", single: bool = False) -> str:
        """The model as text in one of the languages that `entropic export --help` lists. `name` is what the names of C
        begin with; `single` makes numbers of single precision, in a language that has them."""
        return self._fitted().export(language, name, single)

    def to_c(self, name: str = "model", single: bool = False) -> str:
        """The model as one file of C99 without dependencies; names begin with `name`."""
        return self.export("c", name, single)

    def to_js(self) -> str:
        """The model as a module of JavaScript."""
        return self.export("js")

    def to_json(self) -> str:
        """The model as JSON."""
        return self.export("json")

    # ---- Explanations ----

    def explain(self, X: Optional[Rows] = None) -> "_explain.Explanation":
        """What the inputs do to the score: shares of its variance, alone and in pairs. With X also over these rows."""
        model = self._fitted()
        context = Context(self.n_jobs)
        with context.interruptible(self.verbose):
            return _explain.Explanation(context, model, None if X is None else self._table(context, X))

    def shapley_values(self, X: Rows) -> "_explain.ShapleyValues":
        """Splits the score of each row among the features: exact Shapley values, which add up to the score. That
        of a column of dates is the sum of those of the date and its parts."""
        model = self._fitted()
        taken = _explain.Effects(Context(self.n_jobs), model)
        flat = self._apply(X, "effects", model.scores * (1 + len(taken.inputs)), call=taken.of_rows)
        names = getattr(self, "feature_names_in_", None)
        if names is None:
            names = np.asarray(["x%d" % (i + 1) for i in range(self.n_features_in_)], dtype=object)
        return taken.spread(flat, list(names), model.columns)

    def _table(self, context: Context, X: Rows) -> Table:
        frame = _data.read(X, type(self).__name__)
        self._align(frame)
        return Table(context, frame, None)

    def _repr_html_(self) -> str:
        return _explain.estimator_html(self)

    def _repr_mimebundle_(self, **kwargs: object) -> Dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def positions(frame: Frame, name: str, value: Union[None, int, str, Sequence[Union[int, str]]]) -> Sequence[int]:
    if value is None:
        return []
    if isinstance(value, (str, int, np.integer)):
        value = [value]
    return [position(frame, name, one) for one in value]


def position(frame: Frame, parameter: str, value: object) -> int:
    """The position from 0 of a column of X, by its name or position."""
    if isinstance(value, str):
        for names, wanted in ((frame.names or [], value), (plain(frame.names or []), value.strip(" \t"))):
            if wanted in names:
                return names.index(wanted)
        if frame.names is None and value[:1] == "x" and value[1:].isdigit() and 0 < int(value[1:]) <= frame.count:
            return int(value[1:]) - 1
        known = "X has no names of columns" if frame.names is None else "X has " + ", ".join(frame.names[:20])
        raise EntropicValueError("%s: no column %r; %s" % (parameter, value, known))
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        place = int(value) + (frame.count if value < 0 else 0)
        if 0 <= place < frame.count:
            return place
        raise EntropicValueError("%s: no column %d; X has %d" % (parameter, value, frame.count))
    raise EntropicValueError("%s: %r is no column, expected a name or a position from 0" % (parameter, value))


def _input_columns(model: Model, names: Optional[Sequence[str]], count: int) -> Union[None, bool, NDArray[np.intp]]:
    """Which columns of X the inputs of a model are: True if all in order, None if a row reader has to find them."""
    if not model.plain:
        return None
    known = ["x%d" % (i + 1) for i in range(count)] if names is None else plain(names)
    if len(set(known)) < count:
        return None
    places = {name: i for i, name in enumerate(known)}
    try:
        columns = [places[name] for name in model.names]
    except KeyError:
        return None
    return True if columns == list(range(count)) else np.asarray(columns, dtype=np.intp)


def warn_of_data(table: Union[Table, Handle], dataset: Handle, level: int = 4) -> None:
    """The library's notices about a table and its data set; `level` as warnings.warn counts."""
    for text in dict.fromkeys(texts("table_notice", table.pointer) + texts("dataset_notice", dataset.pointer)):
        # tables of Python have NaN where files have marks
        text = re.sub(r"use --missing \S+$", "replace it by NaN", text)
        warnings.warn(text, EntropicWarning, stacklevel=level)
    dropped: Dict[int, List[str]] = {}
    why, index = ctypes.c_int(), 0
    while True:
        name = LIBRARY.entropic_dataset_dropped(dataset.pointer, index, ctypes.byref(why))
        if name is None:
            break
        dropped.setdefault(why.value, []).append(name.decode(errors="replace"))
        index += 1
    for kind, found in dropped.items():
        shown = ", ".join(found[:5]) + (", ..." if len(found) > 5 else "")
        warnings.warn("%d input%s dropped, %s: %s" % (len(found), "s" * (len(found) > 1), _DROPPED.get(kind, "unused"),
                                                      shown), EntropicWarning, stacklevel=level)
