"""Parameters of Python as a set of parameters of the library."""
import ctypes
import inspect
import numbers
from collections.abc import Mapping
from typing import Any, Callable, Dict, Iterable, List, Optional

import numpy as np

from . import _interface as interface
from ._library import LIBRARY, Context, EntropicValueError, Handle
from ._old_names import EXPRESSIONS, nearest
from ._types import RandomState

#: What Python calls otherwise than the library does.
NAMES = {"reg_lambda": "lambda"}
#: Those that name columns of X.
COLUMNS = ("ignore", "keep", "categorical", "time")
#: Those that name columns or products of them, "a:b".
TERMS = ("only", "without")
#: Those that are not parameters of the library.
OWN = ("random_state", "n_jobs", "verbose", "sparse_output")
FIT, DESIGN = interface.PURPOSE_FIT, interface.PURPOSE_DESIGN
COMPARE, EXPORT = interface.PURPOSE_COMPARE, interface.PURPOSE_EXPORT


def text_of(name: str, value: Any) -> str:
    """A value as the library reads it."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, Iterable):
        return ",".join(text_of(name, one) for one in value)
    raise TypeError("%s is %r, expected a text, a number or a list of numbers" % (name, value))


def seed_of(random_state: RandomState) -> Optional[int]:
    """The seed that a random state of scikit-learn asks for; None: the default."""
    if random_state is None:
        return None
    if isinstance(random_state, numbers.Integral):
        return int(random_state)
    if hasattr(random_state, "randint"):
        return int(random_state.randint(1, 2**31 - 1))
    if hasattr(random_state, "integers"):
        return int(random_state.integers(1, 2**31 - 1))
    raise ValueError("random_state is %r, expected None, a whole number or a RandomState" % (random_state,))


def is_yes(value: object) -> bool:
    """A boolean, or what a flag of the library may be besides."""
    return value.lower() in ("yes", "true", "1", "on") if isinstance(value, str) else bool(value)


def with_expressions(given: Dict[str, Any]) -> Dict[str, Any]:
    """Parameters with a custom kernel as the library has it: a family, and a parameter for each expression."""
    kernel = given.get("kernel")
    if not isinstance(kernel, Mapping):
        return given
    known = tuple(EXPRESSIONS.values())
    for key in kernel:
        if key not in known:
            raise EntropicValueError("kernel has a key %r, expected p and q, or alpha, beta, left and right%s"
                                     % (key, nearest(str(key), known)))
    return {**given, "kernel": "custom", **kernel}


def defaults_of(estimator: type) -> Dict[str, Any]:
    """The defaults of the parameters of a class of estimators."""
    return {name: one.default for name, one in inspect.signature(estimator).parameters.items()}


class Parameters:
    """A set for one purpose."""

    def __init__(self, context: Context, purpose: int) -> None:
        self.context, self.purpose = context, purpose
        self.handle: Handle = context.make("parameters", "parameters_create", purpose)
        context.call("parameters_spell", self.pointer, b"", b"_")

    @property
    def pointer(self) -> ctypes.c_void_p:
        return self.handle.pointer

    def set(self, name: str, value: Any) -> None:
        text = text_of(name, value)
        if "\0" in text or "\0" in name:  # where C would end it
            raise ValueError("%s is %r, which has a character of code 0; expected text without" % (name, text))
        try:
            self.context.call("parameters_set", self.pointer, NAMES.get(name, name).encode(), text.encode())
        except EntropicValueError as error:  # which has the library's name
            if name in NAMES:
                error.args = ("%s: %s" % (name, error),)
            raise

    def take(self, given: Dict[str, Any], defaults: Dict[str, Any], place: Callable[[str, Any], str]) -> None:
        """Sets those that are not their defaults. place(name, value) is a column of X as the library names it."""
        for name, value in with_expressions(given).items():
            if name in OWN or value is None or _same(value, defaults.get(name)):
                continue
            if name in COLUMNS + TERMS:
                listed: List[Any] = [value] if isinstance(value, (str, numbers.Integral)) else list(value)
                value = ",".join(one if name in TERMS and isinstance(one, str) else place(name, one) for one in listed)
                if not value:
                    continue
            self.set(name, value)
        seed = seed_of(given.get("random_state"))
        if seed is not None and (self.purpose != DESIGN or given.get("select") == "paper"):
            self.set("seed", seed)

    def check(self) -> None:
        self.context.call("parameters_check", self.pointer)

    def get(self, name: str) -> str:
        text: bytes = LIBRARY.entropic_parameters_get(self.pointer, name.encode())
        return text.decode()


def _same(value: object, default: object) -> bool:
    return type(value) is type(default) and bool(value == default)
