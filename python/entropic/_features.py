"""EntropicFeatures: rows as sparse features."""
import ctypes
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union, cast

import numpy as np
import scipy.sparse
from sklearn.base import TransformerMixin

from . import _data
from . import _interface as interface
from ._base import FeatureChecks, not_fitted
from ._library import LIBRARY, Context, Handle, small_context, take_bytes
from ._old_names import renewed, warn_of_old_names
from ._parameters import DESIGN, Parameters, defaults_of
from ._signatures import FeaturesParameters
from ._types import ArrowStream, Numbers, Rows, Self, Values

if TYPE_CHECKING:
    from sklearn.utils import Tags


class Lifter:
    """Scaler and design; pickled as their texts."""

    def __init__(self, scaler: Optional[Handle], design: Handle) -> None:
        self.scaler, self.design = scaler, design
        self.lift = small_context().make("lift", "lift_create", design.pointer)
        self.count: int = LIBRARY.entropic_lift_features(self.lift.pointer)

    @classmethod
    def from_bytes(cls, scaler: Optional[bytes], design: bytes) -> "Lifter":
        context = small_context()
        scaled = None if scaler is None else context.make("scaler", "scaler_load_memory", scaler, len(scaler))
        return cls(scaled, context.make("design", "design_load_memory", design, len(design)))

    def __reduce__(self) -> Tuple[Any, ...]:
        context = small_context()
        scaler = None if self.scaler is None else take_bytes(context, "scaler_save_memory", self.scaler.pointer)
        return Lifter.from_bytes, (scaler, take_bytes(context, "design_save_memory", self.design.pointer))

    def __deepcopy__(self, memo: object) -> "Lifter":
        make, state = self.__reduce__()
        return make(*state)  # type: ignore[no-any-return]

    def scaled(self, X: Numbers) -> Numbers:
        """Rows in [0,1]."""
        if self.scaler is None:
            inside: Numbers = np.clip(X, 0, 1)
            return inside
        out = np.empty(X.shape)
        LIBRARY.entropic_scaler_apply(None, self.scaler.pointer, X.ctypes.data, len(X), X.shape[1], out.ctypes.data)
        return out

    def rows(self, context: Context, X: Numbers) -> scipy.sparse.csr_matrix:
        x = self.scaled(X)
        made = ctypes.c_void_p()
        context.call("lift_csr", self.lift.pointer, x.ctypes.data, len(x), x.shape[1], ctypes.byref(made))
        handle = Handle("csr", made)
        csr = ctypes.cast(made, ctypes.POINTER(interface.Csr)).contents
        starts = _copy(csr.starts, ctypes.c_int64, len(x) + 1)
        count = int(starts[-1])
        values, indices = _copy(csr.values, ctypes.c_double, count), _copy(csr.indices, ctypes.c_int32, count)
        del handle
        if count < 2**31:
            starts = starts.astype(np.int32)
        return scipy.sparse.csr_matrix((values, indices, starts), shape=(len(x), self.count))

    # ---- Names ----

    def names(self, inputs: Sequence[str]) -> List[str]:
        """Each feature as its active inputs with their levels and atoms: `x1:hat2#1 x3:linear`; 1 for the constant."""
        found: List[str] = []
        context, kernel = small_context(), LIBRARY.entropic_design_kernel(self.design.pointer)
        for number in range(LIBRARY.entropic_design_groups(self.design.pointer)):
            group = interface.Group()
            context.call("design_group", self.design.pointer, number, ctypes.byref(group), ctypes.sizeof(group))
            terms = ctypes.cast(group.terms, ctypes.POINTER(interface.Term))
            levels = [_level(context, kernel, terms[t].input, terms[t].level) for t in range(group.terms_count)]
            of = [inputs[terms[t].input] for t in range(group.terms_count)]
            members: Sequence[int] = range(group.atoms) if not group.members else \
                _copy(group.members, ctypes.c_uint64, group.features).tolist()
            for member in members:
                atoms = [LIBRARY.entropic_design_atom(self.design.pointer, ctypes.byref(group), t, member)
                         for t in range(group.terms_count)]
                found.append(_feature_name(of, levels, atoms))
        return found


def _copy(address: Any, kind: Any, count: int) -> Values:
    if not count:
        return np.empty(0, kind)
    return np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(kind)), (count,)).copy()


def _level(context: Context, kernel: Optional[int], number: int, level: int) -> Tuple[str, int]:
    """The name of a level and how many atoms it has."""
    info, name = interface.Level(), ctypes.create_string_buffer(32)
    context.call("kernel_level", kernel, number, level, ctypes.byref(info), ctypes.sizeof(info))
    LIBRARY.entropic_kernel_level_name(kernel, number, level, name, len(name))
    return name.value.decode(), info.atoms


def _feature_name(inputs: List[str], levels: List[Tuple[str, int]], atoms: List[int]) -> str:
    return " ".join("%s:%s" % (name, level) + ("#%d" % (atom + 1) if count > 1 else "")
                    for name, (level, count), atom in zip(inputs, levels, atoms)) or "1"


class EntropicFeatures(TransformerMixin, FeatureChecks, FeaturesParameters):
    lifter_: Lifter

    def fit(self, X: Rows, y: object = None) -> Self:
        """Learns the scaling of each input, and makes the features. Returns self."""
        params = self.get_params(deep=False)
        warn_of_old_names(params, 2)
        values = self._numbers(X, True)
        context = Context(self.n_jobs)
        with context.interruptible(self.verbose):
            parameters = Parameters(context, DESIGN)
            parameters.take(renewed(params), defaults_of(type(self)), lambda name, value: str(value))
            parameters.check()
            self.lifter_ = _make_lifter(context, parameters, values)
        return self

    def _numbers(self, X: Rows, first: bool) -> Numbers:
        """X as rows of doubles."""
        who = type(self).__name__
        names = None
        if hasattr(X, "__arrow_c_stream__") and not _data.is_pandas(X):
            names = _data.arrow_names(cast(ArrowStream, X))
            X = np.asarray(X)
        elif _data.is_pandas(X):
            names = _data.frame_names(X)
        values: Numbers = _data.check_numbers(X, who, dtype=np.float64, order="C", finite=True, input_name="X")
        frame = _data.Frame(values.shape[0], values.shape[1], names, matrix=values)
        if first:
            self._remember_features(frame)
        else:
            self._check_features(frame)
        return values

    def transform(self, X: Rows) -> Union[scipy.sparse.csr_matrix, Numbers]:
        """The features of each row: a sparse matrix (CSR), or an array if sparse_output is False."""
        if not hasattr(self, "lifter_"):
            raise not_fitted(self)
        values = self._numbers(X, False)
        context = Context(self.n_jobs)
        with context.interruptible(self.verbose):
            found = self.lifter_.rows(context, values)
        return found if self.sparse_output else found.toarray()

    def get_feature_names_out(self, input_features: Optional[Sequence[str]] = None) -> Values:
        """The names of the features: their active inputs with levels and atoms."""
        if not hasattr(self, "lifter_"):
            raise not_fitted(self)
        known = getattr(self, "feature_names_in_", None)
        if input_features is None:
            names = list(known) if known is not None else ["x%d" % i for i in range(self.n_features_in_)]
        else:
            names = [str(name) for name in input_features]
            if known is not None and list(known) != names:
                raise ValueError("input_features is not equal to feature_names_in_")
            if len(names) != self.n_features_in_:
                raise ValueError("input_features should have length equal to number of features (%d), got %d"
                                 % (self.n_features_in_, len(names)))
        return np.asarray(self.lifter_.names(names), dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "lifter_")

    def _more_tags(self) -> Dict[str, Any]:
        return {"X_types": ["2darray"], "preserves_dtype": [np.float64]}

    def __sklearn_tags__(self) -> "Tags":
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64"]
        return tags


def _make_lifter(context: Context, parameters: Parameters, values: Numbers) -> Lifter:
    rows, inputs = values.shape
    scaling = parameters.get("scale")
    scaler, sample = None, None
    if scaling != "none":
        number = getattr(interface, "SCALING_" + scaling.upper())
        scaler = context.make("scaler", "scaler_create", number, values.ctypes.data, rows, inputs, inputs)
    if parameters.get("criterion") == "data":
        sample = np.clip(values, 0, 1) if scaler is None else np.empty(values.shape)
        if scaler is not None:
            LIBRARY.entropic_scaler_apply(None, scaler.pointer, values.ctypes.data, rows, inputs, sample.ctypes.data)
    design = context.make("design", "design_make", parameters.pointer, inputs,
                          None if sample is None else sample.ctypes.data, 0 if sample is None else rows)
    return Lifter(scaler, design)


EntropicFeatures.__doc__ = ("Rows as sparse entropic optimal features, chosen by the kernel alone.\n"
                            + (FeaturesParameters.__doc__ or "") + """
    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : ndarray of str, if X has names

    Notes
    -----
    X has numbers, none of them missing. Values outside those of the fit are clamped.
    """)
