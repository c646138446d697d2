"""EntropicRegressor and EntropicClassifier."""
import os
import re
import warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, TypeVar, Union

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, MultiOutputMixin, RegressorMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from . import _data
from ._base import Learning, ModelEstimator, Report
from ._data import Column, Frame
from ._library import LIBRARY, Context, EntropicValueError, EntropicWarning, small_context
from ._model import Model
from ._old_names import warn_of_old_names
from ._parameters import is_yes
from ._signatures import ClassifierParameters, RegressorParameters
from ._types import ArrayLike, ClassWeight, Numbers, Path, Rows, Self, Values

if TYPE_CHECKING:
    from sklearn.utils import Tags

_PREDICT, _PROBABILITIES = LIBRARY.entropic_model_predict, LIBRARY.entropic_model_probabilities

_ATTRIBUTES = """
    Attributes
    ----------
    report_ : dict
        what the fit found out: what `entropic fit --json` prints
    n_features_in_ : int
    feature_names_in_ : ndarray of str, if X has names
%s
    Notes
    -----
    Numbers, categories (text, booleans, dtype category), dates and missing values are taken as they are. X may be a
    NumPy array of any order and width, a pandas frame, whatever has `__arrow_c_stream__` (polars, pyarrow, DuckDB), a
    sparse matrix or a list. Numbers are not copied. Fits of the same rows are the same bits on any number of threads,
    and those of the command.
    """


def _keeps_statistics(estimator: "_Fitting") -> bool:
    if not is_yes(estimator.keep_statistics):
        raise AttributeError("partial_fit adds rows exactly, for which the model has to keep statistics of its rows: "
                             "it needs keep_statistics=True")
    return True


if TYPE_CHECKING:
    Method = TypeVar("Method", bound=Callable[..., object])

    def _if_statistics_are_kept(method: Method) -> Method: ...
else:
    _if_statistics_are_kept = available_if(_keeps_statistics)


class _Fitting(ModelEstimator):
    """fit and partial_fit."""

    keep_statistics: bool

    def fit(self, X: Rows, y: ArrayLike, sample_weight: Optional[ArrayLike] = None,
            groups: Optional[ArrayLike] = None) -> Self:
        """Learns from rows X with targets y. Rows of weight 0 do not count; rows with the same value in `groups` stay
        together in validation. Returns self."""
        warn_of_old_names(self._given_parameters(), 2)
        self._fit(self._learn_from(X, y, sample_weight, groups))
        return self

    def _partial_fit(self, X: Rows, y: ArrayLike, sample_weight: Optional[ArrayLike]) -> None:
        loss = self._own_parameters().get("loss", "squared")
        if loss not in ("auto", "squared"):
            raise EntropicValueError("partial_fit adds rows exactly, which the %s loss does not allow: loss must be "
                                     "squared" % loss)
        if hasattr(self, "model_"):
            self.update(X, y, sample_weight)
        else:
            warn_of_old_names(self._given_parameters(), 3)
            self._fit(self._learn_from(X, y, sample_weight))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def _more_tags(self) -> Dict[str, Any]:
        return {"allow_nan": True, "X_types": ["2darray", "sparse", "string"], "requires_y": True,
                "multioutput": self._task == "regression"}

    def __sklearn_tags__(self) -> "Tags":
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.target_tags.required = True
        return tags


class EntropicRegressor(MultiOutputMixin, RegressorMixin, _Fitting, RegressorParameters):
    _task = "regression"

    def _encode_target(self, y: ArrayLike, frame: Frame, first: bool) -> List[Tuple[str, Column]]:
        names = _target_names(y)
        values = _data.check_numbers(y, None, ensure_2d=False, dtype="numeric", finite=True, input_name="y")
        if values.ndim > 2 or values.ndim == 2 and values.shape[1] == 0:
            raise ValueError("y should be a 1d or 2d array, got an array of shape %s instead." % (values.shape,))
        if values.dtype.kind not in "fiu" or values.dtype.itemsize > 8 or not values.dtype.isnative:
            values = values.astype(np.float64)
        if first:
            self._target_shape = values.shape[1:]
        elif values.reshape(len(values), -1).shape[1] != self._fitted().targets:
            raise ValueError("y has %d targets, expected %d" % (values.shape[1] if values.ndim > 1 else 1,
                                                                self._fitted().targets))
        listed = [values] if values.ndim == 1 else [values[:, i] for i in range(values.shape[1])]
        if not first:
            names = self._fitted().target_names()
        elif names is None:
            names = ["y"] if len(listed) == 1 else ["y%d" % (i + 1) for i in range(len(listed))]
        return [(name, Column(column)) for name, column in zip(names, listed)]

    def predict(self, X: Rows) -> Numbers:
        """The predicted numbers: an array like y, one for each row of X."""
        x = self._few(X)
        if x is None:
            return self._shaped(self._apply(X, "predictions", self._fitted().targets))
        model = self.model_
        out = np.empty((len(x), model.targets))
        context = small_context()
        status = _PREDICT(context.pointer, model.pointer, x.ctypes.data, len(x), x.shape[1], out.ctypes.data)
        if status:
            context.fail(status)
        return self._shaped(out)

    def _shaped(self, out: Numbers) -> Numbers:
        return out if self._target_shape else out[:, 0]

    def predict_interval(self, X: Rows, level: float = 0.9) -> Numbers:
        """Intervals that have the target with about this probability: array[row] = lower, upper; of several targets
        array[row, target]. See docs/intervals.md for what that means."""
        model = self._fitted()

        def call(context: Context, x: Numbers, out: Numbers) -> None:
            ends = np.empty((2, len(x), model.targets))
            model.outputs(context, x, {"lower": ends[0], "upper": ends[1]}, float(level))
            out[:, 0::2], out[:, 1::2] = ends

        found = self._apply(X, "lower", 2 * model.targets, call=call)
        return found.reshape(-1, model.targets, 2) if self._target_shape else found

    def predict_std(self, X: Rows) -> Numbers:
        """The standard deviation of the target about the prediction, for each row: an array like y."""
        return self._shaped(self._apply(X, "deviations", self._fitted().targets))

    @_if_statistics_are_kept
    def partial_fit(self, X: Rows, y: ArrayLike, sample_weight: Optional[ArrayLike] = None) -> Self:
        """The first call fits; later ones add rows to that model exactly, with its features and lambda frozen. Returns
        self."""
        self._partial_fit(X, y, sample_weight)
        return self


def _target_names(y: Any) -> Optional[List[str]]:
    """The names of a pandas series or frame of targets, if they are texts."""
    if hasattr(y, "iloc"):
        names = list(y.columns) if hasattr(y, "columns") else [y.name]
        if all(isinstance(name, str) and name for name in names):
            return names
    return None


_MARKS = {"", "?", "na", "n/a", "nan", "null", "none", "nil", "#n/a", "#na", "\\n", "<na>", "nat", "-", "--", "."}


def _number(text: str) -> Optional[float]:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def _class_texts(classes: Values) -> Optional[List[str]]:
    """The names of classes as a file has them; None if some would be the same there, or missing values."""
    try:
        texts = [_data.text_of(one) for one in classes.tolist()]
    except TypeError:
        return None
    if any(text.strip() != text or text.lower() in _MARKS or "\0" in text for text in texts):
        return None
    numbers = [_number(text) for text in texts]
    if None in numbers:
        apart = len({text.casefold() for text in texts}) == len(texts)
        return texts if apart and all(number is None for number in numbers) else None
    return texts if len(set(numbers)) == len(texts) else None


class EntropicClassifier(ClassifierMixin, _Fitting, ClassifierParameters):
    _task = "classification"
    _in_order = False  # the classes of the model are classes_
    classes_: Values
    class_weight: ClassWeight

    def _encode_target(self, y: ArrayLike, frame: Frame, first: bool) -> List[Tuple[str, Column]]:
        names = _target_names(y)
        values = column_or_1d(np.asarray(y) if hasattr(y, "iloc") else y, warn=True)
        values = _data.check_numbers(values, None, ensure_2d=False, dtype=None, finite=True, input_name="y")
        check_classification_targets(values)
        if first:
            self.classes_, codes = np.unique(values, return_inverse=True)
            self._texts = _class_texts(self.classes_)
        else:
            codes = np.searchsorted(self.classes_, values).clip(0, len(self.classes_) - 1)
            unknown = self.classes_[codes] != values
            if np.any(unknown):
                raise ValueError("y has the class %r, which the model does not know" % values[unknown].tolist()[0])
        codes = codes.astype(np.int32)
        column = Column(codes) if self._texts is None else Column(codes, categories=self._texts)
        if not first:
            names = self._fitted().target_names()
        return [(names[0] if names else "y", column)]

    def _learn_from(self, X: Rows, y: ArrayLike, sample_weight: Optional[ArrayLike],
                    groups: Optional[ArrayLike] = None, first: bool = True) -> Learning:
        learning = super()._learn_from(X, y, sample_weight, groups, first)
        wanted = self.class_weight
        if wanted is None or isinstance(wanted, str):
            return learning
        each = np.array([float(wanted.get(one, 1)) for one in self.classes_.tolist()])
        weights = each[learning.targets[0][1].values]
        return learning._replace(weights=weights if learning.weights is None else weights * learning.weights)

    def _own_parameters(self) -> Dict[str, Any]:
        own = super()._own_parameters()
        if not isinstance(own["class_weight"], str):
            own["class_weight"] = None
        return own

    def _take_model(self, model: Model, report: Report) -> None:
        super()._take_model(model, report)
        self._order = np.array(self._places_of_classes(model))
        self._in_order = self._order.tolist() == list(range(len(self.classes_)))

    def _places_of_classes(self, model: Model) -> List[int]:
        """Where the classes of the model stand in classes_."""
        if self._texts is None:
            places = {float(i): i for i in range(len(self.classes_))}
            return [places[float(name)] for name in model.class_names()]
        known: Dict[Union[str, float], int] = {}
        for i, text in enumerate(self._texts):
            number = _number(text)
            known[text if number is None else number] = i
        names = [_number(name) for name in model.class_names()]
        return [known[text if number is None else number] for text, number in zip(model.class_names(), names)]

    def _values(self, X: Rows, name: str, width: int,
                call: Optional[Callable[..., int]] = None) -> Numbers:
        """The output of that name; of few rows by `call`, if there is one that takes less time."""
        x = self._few(X)
        if x is None:
            return self._apply(X, name, width)
        context = small_context()
        out = np.empty((len(x), width))
        if call is None:
            self.model_.outputs(context, x, {name: out})
            return out
        status = call(context.pointer, self.model_.pointer, x.ctypes.data, len(x), x.shape[1], out.ctypes.data)
        if status:
            context.fail(status)
        return out

    def predict(self, X: Rows) -> Values:
        """The predicted class of each row of X."""
        self._fitted()
        codes = self._values(X, "predictions", 1, _PREDICT)[:, 0].astype(np.intp)
        found: Values = self.classes_[self._order[codes]]
        return found

    def _warn_of_names(self) -> None:
        if self._texts is None:
            warnings.warn("the file calls the classes 0 to %d: names that differ by case alone, are numbers and text, or have "
                          "blanks around them or characters of code 0 cannot be written (a pickle keeps them)"
                          % (len(self.classes_) - 1), EntropicWarning, stacklevel=3)

    def _by_class(self, values: Numbers, absent: float) -> Numbers:
        """Columns in the order of classes_, of which the model may lack some."""
        if self._in_order:
            return values
        out = np.full((len(values), len(self.classes_)), absent)
        out[:, self._order] = values
        return out

    def predict_proba(self, X: Rows) -> Numbers:
        """The probability of each class: array[row, class], in the order of classes_."""
        model = self._fitted()
        return self._by_class(self._values(X, "probabilities", model.classes, _PROBABILITIES), 0.0)

    def predict_log_proba(self, X: Rows) -> Numbers:
        """The logarithms of predict_proba."""
        with np.errstate(divide="ignore"):
            found: Numbers = np.log(self.predict_proba(X))
        return found

    def decision_function(self, X: Rows) -> Numbers:
        """The scores: of two classes array[row], above 0 for the second; otherwise array[row, class], where the largest
        is predicted."""
        model = self._fitted()
        scores = self._values(X, "scores", model.scores)
        if model.classes > 2:
            return self._by_class(scores, -np.inf)
        if len(self.classes_) > 2:
            return self._by_class(np.column_stack([-scores[:, 0], scores[:, 0]]), -np.inf)
        return scores[:, 0] if self._order[1] == 1 else -scores[:, 0]

    def predict_set(self, X: Rows, level: float = 0.9) -> NDArray[np.bool_]:
        """Sets that have the right class with about this probability: booleans array[row, class]."""
        model = self._fitted()

        def call(context: Context, x: Numbers, out: Values) -> None:
            model.outputs(context, x, {"class_sets": out}, float(level))

        found = self._apply(X, "class_sets", model.classes, np.uint8, call=call)
        inside: NDArray[np.bool_] = self._by_class(found.astype(float), 0.0) > 0
        return inside

    @_if_statistics_are_kept
    def partial_fit(self, X: Rows, y: ArrayLike, classes: Optional[ArrayLike] = None,
                    sample_weight: Optional[ArrayLike] = None) -> Self:
        """The first call fits, and must have rows of every class; later ones add rows to that model exactly, with its
        features and lambda frozen. Returns self."""
        if classes is not None and not hasattr(self, "model_"):
            absent = set(np.unique(classes).tolist()) - set(np.unique(np.asarray(y)).tolist())
            if absent:
                raise EntropicValueError("the first rows have no row of class %r: a model cannot learn a class later"
                                         % sorted(absent, key=str)[0])
        self._partial_fit(X, y, sample_weight)
        return self


EntropicRegressor.__doc__ = ("Kernel ridge regression on entropic optimal features, tuned by validation.\n"
                             + (RegressorParameters.__doc__ or "") + _ATTRIBUTES % "")
EntropicClassifier.__doc__ = ("Kernel classification on entropic optimal features, tuned by validation.\n"
                              + (ClassifierParameters.__doc__ or "")
                              + _ATTRIBUTES % "    classes_ : ndarray\n        the classes, sorted\n")


def load(path: Path) -> Union[EntropicRegressor, EntropicClassifier]:
    """The estimator of a model file, of the command or of save(). Its features are the columns of the model, by name; if
    these are x1, x2, ... by position."""
    model = Model.load(os.fspath(path))
    return estimator_of(model, model.report())


def estimator_of(model: Model, report: Report) -> Union[EntropicRegressor, EntropicClassifier]:
    """The estimator of a model, with the names of its inputs."""
    estimator: Any = EntropicClassifier() if model.classes else EntropicRegressor()
    columns = list(dict.fromkeys(model.columns))
    numbered = [re.fullmatch("x([1-9][0-9]{0,8})", name) for name in columns]
    if all(numbered):
        estimator.n_features_in_ = max(int(found[1]) for found in numbered if found)
        estimator._open_end = True
    else:
        estimator.n_features_in_ = len(columns)
        estimator.feature_names_in_ = np.asarray(columns, dtype=object)
    if model.classes:
        texts = model.class_names()
        numbers = [_number(text) for text in texts]
        known = np.array(texts if None in numbers else numbers)
        if known.dtype.kind == "f" and np.all(known == np.floor(known)):
            known = known.astype(np.int64)
        estimator.classes_, order = np.unique(known, return_inverse=True)
        estimator._texts = [texts[i] for i in np.argsort(order)]
    else:
        estimator._target_shape = () if model.targets == 1 else (model.targets,)
    estimator._take_model(model, report)
    return estimator  # type: ignore[no-any-return]
