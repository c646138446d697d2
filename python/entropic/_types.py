"""Types that hints of the package share."""
import os
import sys
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Protocol, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

if sys.version_info >= (3, 11):
    from typing import Self
elif TYPE_CHECKING:
    from typing_extensions import Self
else:
    from typing import TypeVar
    Self = TypeVar("Self")


class ArrowStream(Protocol):
    """What gives its columns as an Arrow stream: frames of polars, tables of pyarrow, relations of DuckDB."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> object: ...


class SparseMatrix(Protocol):
    """A sparse matrix or array of SciPy."""

    def tocsc(self) -> Any: ...


class Executor(Protocol):
    """What has work done elsewhere: the result has result()."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Any: ...


#: Rows: an array, a list of lists, a frame, a sparse matrix, whatever has an Arrow stream.
Rows = Union[ArrayLike, Sequence[Sequence[object]], ArrowStream, SparseMatrix]
#: Numbers and figures of the library.
Numbers = NDArray[np.float64]
#: Values of whatever type the user has: numbers of any width, texts, booleans, dates.
Values = NDArray[Any]
Path = Union[str, "os.PathLike[str]"]
RandomState = Optional[Union[int, np.random.RandomState, np.random.Generator]]
ClassWeight = Optional[Union[str, Mapping[Any, float]]]

__all__ = ["ArrayLike", "ArrowStream", "ClassWeight", "Executor", "Numbers", "Path", "RandomState", "Rows", "Self",
           "SparseMatrix", "Values"]
