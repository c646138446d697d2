"""Parameters of Python as a set of parameters of the library."""
import inspect
import numbers
from typing import Any, Callable, Dict, Iterable, List, Optional

import numpy as np

from . import _interface as interface
from ._library import LIBRARY, Context, Handle

#: What Python calls otherwise than the library does.
NAMES = {"lambda_": "lambda", "alpha_": "alpha", "beta_": "beta"}
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


def seed_of(random_state: Any) -> Optional[int]:
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


def defaults_of(estimator: Any) -> Dict[str, Any]:
    """The defaults of the parameters of a class of estimators."""
    return {name: one.default for name, one in inspect.signature(estimator.__init__).parameters.items()}


class Parameters:
    """A set for one purpose."""

    def __init__(self, context: Context, purpose: int) -> None:
        self.context, self.purpose = context, purpose
        self.handle: Handle = context.make("parameters", "parameters_create", purpose)
        context.call("parameters_set_name_style", self.pointer, b"", b"_")

    @property
    def pointer(self) -> Any:
        return self.handle.pointer

    def set(self, name: str, value: Any) -> None:
        text = text_of(name, value)
        if "\0" in text or "\0" in name:  # where C would end it
            raise ValueError("%s is %r, which has a character of code 0; expected text without" % (name, text))
        self.context.call("parameters_set", self.pointer, NAMES.get(name, name).encode(), text.encode())

    def take(self, given: Dict[str, Any], defaults: Dict[str, Any], place: Callable[[str, Any], str]) -> None:
        """Sets those that are not their defaults. place(name, value) is a column of X as the library names it."""
        for name, value in given.items():
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


def _same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default)
