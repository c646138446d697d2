"""Old names of parameters, which still work: `lambda_`, and the six expressions of a custom kernel.

A constructor only stores what it is given by an old name, so that `clone` and `get_params` have it; `fit` takes it with
a FutureWarning. `set_params` warns itself and leaves the new names behind. An old pickle gets them without a word."""
import difflib
import functools
import inspect
import warnings
from collections.abc import Mapping
from typing import Any, Callable, Dict, Iterable, List, TypeVar, cast

from sklearn.base import BaseEstimator

from ._library import EntropicValueError
from ._types import Self

#: Old names with the new ones.
RENAMED = {"lambda_": "reg_lambda"}
#: Old names of the expressions of a custom kernel, with their keys in the dict `kernel`.
EXPRESSIONS = {"p": "p", "q": "q", "alpha_": "alpha", "beta_": "beta", "left": "left", "right": "right"}

Initialiser = TypeVar("Initialiser", bound=Callable[..., None])


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the known one that is nearest to it, if one is near."""
    found = difflib.get_close_matches(name, list(known), 1)
    return "; did you mean %r?" % found[0] if found else ""


def old_names(known: Iterable[str]) -> List[str]:
    """The old names that stand for one of the known parameters."""
    listed = set(known)
    found = [old for old, new in RENAMED.items() if new in listed]
    if "kernel" in listed:
        found += EXPRESSIONS
    return [name for name in found if name not in listed]


def takes_old_names(initialiser: Initialiser) -> Initialiser:
    """An __init__ that also stores what is given by an old name. Its signature has the new ones alone."""
    known = [name for name in inspect.signature(initialiser).parameters if name != "self"]
    old = old_names(known)

    @functools.wraps(initialiser)
    def wrapper(self: Any, *arguments: Any, **given: Any) -> None:
        stored = {name: given.pop(name) for name in old if name in given}
        for name in given:
            if name not in known:
                raise TypeError("%s() got an unexpected keyword argument %r%s"
                                % (type(self).__name__, name, nearest(name, known)))
        initialiser(self, *arguments, **given)
        for name, value in stored.items():
            setattr(self, name, value)

    return cast(Initialiser, wrapper)


def settle(values: Dict[str, Any]) -> None:
    """Moves what stands under old names to the new ones, in place, unless it is given twice, or there is no custom
    kernel that it could belong to."""
    for old, new in RENAMED.items():
        if old in values and values.get(new, "auto") in ("auto", values[old]):
            values[new] = values.pop(old)
    for old in EXPRESSIONS:
        if values.get(old, "") is None:
            del values[old]
    kernel = values.get("kernel")
    custom = dict(kernel) if isinstance(kernel, Mapping) else {} if kernel == "custom" else None
    if custom is None:
        return
    for old, key in EXPRESSIONS.items():
        if old in values and custom.get(key) is None:
            custom[key] = values.pop(old)
    if custom:
        values["kernel"] = custom


def renewed(params: Dict[str, Any]) -> Dict[str, Any]:
    """The parameters by their new names."""
    values = dict(params)
    settle(values)
    for old, new in RENAMED.items():
        if old in values:
            raise EntropicValueError("%s is the old name of %s, and both are given" % (old, new))
    for old, key in EXPRESSIONS.items():
        if old in values and isinstance(values["kernel"], Mapping):
            raise EntropicValueError("kernel[%r] is given, and once more as %s, its old name" % (key, old))
        if old in values:
            raise EntropicValueError("%s is of a custom kernel, but kernel is %r; expected kernel={%r: %r, ...}"
                                     % (old, values["kernel"], key, values[old]))
    return values


def warn_of_old_names(names: Iterable[str], level: int) -> None:
    """One warning for all old names among these; `level` as warnings.warn counts."""
    used = [name for name in (*RENAMED, *EXPRESSIONS) if name in names]
    if not used:
        return
    new = [RENAMED[name] for name in used if name in RENAMED]
    keys = [EXPRESSIONS[name] for name in used if name in EXPRESSIONS]
    if keys:
        new.append("kernel={%s}" % ", ".join("%r: ..." % key for key in keys))
    warnings.warn("old names of parameters, which will be removed: %s; write %s" % (", ".join(used), " and ".join(new)),
                  FutureWarning, stacklevel=level + 1)


class OldNames(BaseEstimator):
    """get_params, set_params and pickles with the old names."""

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """The parameters by name, and what the constructor was given by an old name."""
        found: Dict[str, Any] = super().get_params(deep=deep)
        stored = self.__dict__
        found.update((name, stored[name]) for name in old_names(self._get_param_names()) if name in stored)
        return found

    def set_params(self, **params: Any) -> Self:
        """Sets parameters by name. Returns self."""
        given = {name: params.pop(name) for name in old_names(self._get_param_names()) if name in params}
        warn_of_old_names(given, 2)
        super().set_params(**params)
        stored = self.__dict__
        for old, new in RENAMED.items():
            if new in params:
                stored.pop(old, None)
        if isinstance(params.get("kernel"), Mapping):
            for old in EXPRESSIONS:
                stored.pop(old, None)
        for old, value in given.items():
            self._set_by_old_name(old, value)
        if given:
            settle(stored)
        return self

    def _set_by_old_name(self, old: str, value: Any) -> None:
        stored = self.__dict__
        stored.pop(old, None)
        if old in RENAMED:
            stored[RENAMED[old]] = value
        elif isinstance(stored["kernel"], Mapping):
            stored["kernel"] = {**stored["kernel"], EXPRESSIONS[old]: value}
        else:
            stored[old] = value

    def __setstate__(self, state: Dict[str, Any]) -> None:
        """An old pickle has old names, and lacks newer parameters."""
        super().__setstate__(state)
        settle(self.__dict__)
        for name, one in inspect.signature(type(self)).parameters.items():
            if one.default is not one.empty:
                self.__dict__.setdefault(name, one.default)
