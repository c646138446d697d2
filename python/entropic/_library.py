"""libentropic: where it is, its calls, its errors, and how a long call is interrupted."""
import ctypes
import glob
import os
import signal
import sys
import threading
from types import FrameType, TracebackType
from typing import Any, Callable, Dict, Iterator, List, Optional, Type

from . import _interface as interface


class EntropicError(Exception):
    """What the library says went wrong. `status` is the name of its status, such as BAD_DATA."""

    status = "UNKNOWN"


class EntropicValueError(EntropicError, ValueError):
    """An argument or the data are not valid."""


class EntropicMemoryError(EntropicError, MemoryError):
    """Out of memory."""


class EntropicSystemError(EntropicError, OSError):
    """A file or a system call failed."""


class EntropicWarning(UserWarning):
    """A notice of the library about the data or the fit."""


_ERRORS: Dict[int, Type[EntropicError]] = {
    interface.BAD_ARGUMENT: EntropicValueError,
    interface.BAD_DATA: EntropicValueError,
    interface.TOO_LARGE: EntropicValueError,
    interface.NO_MEMORY: EntropicMemoryError,
    interface.SYSTEM: EntropicSystemError,
}

_SONAME = "libentropic.so.0"
_LEAST = (interface.VERSION_MAJOR, interface.VERSION_MINOR, interface.VERSION_PATCH)


def _places() -> Iterator[str]:
    """Where the library may be: where the environment says, in this package (a wheel), next to it (an installed prefix),
    in the build folder of the sources, and where the system looks."""
    given = os.environ.get("ENTROPIC_LIBRARY")
    if given:
        yield given
        return
    here = os.path.dirname(os.path.abspath(__file__))
    above = os.path.dirname(os.path.dirname(here))
    for pattern in (os.path.join(here, _SONAME), os.path.join(above, _SONAME), os.path.join(above, "*", _SONAME),
                    os.path.join(above, "build", "release", "lib", _SONAME)):
        yield from sorted(glob.glob(pattern))
    yield _SONAME


def _load() -> ctypes.CDLL:
    tried: List[str] = []
    for path in _places():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            tried.append("%s: %s" % (path, error))
            continue
        library.entropic_version.restype = ctypes.c_char_p
        version = library.entropic_version().decode()
        if tuple(map(int, version.split("."))) >= _LEAST:
            for name, (result, arguments) in interface.FUNCTIONS.items():
                function = getattr(library, name)
                function.restype, function.argtypes = result, arguments
            return library
        tried.append("%s: it has version %s, expected %d.%d.%d or newer" % (path, version, *_LEAST))
    raise ImportError("libentropic cannot be loaded; ENTROPIC_LIBRARY may name its file. Tried: " + "; ".join(tried))


LIBRARY = _load()
VERSION: str = LIBRARY.entropic_version().decode()


class Handle:
    """A handle of the library, which is freed with this object. `keep` lives as long."""

    __slots__ = ("pointer", "keep", "_free", "__weakref__")

    def __init__(self, kind: str, pointer: ctypes.c_void_p, keep: object = None) -> None:
        self.pointer = pointer
        self.keep = keep
        self._free: Callable[[ctypes.c_void_p], None] = getattr(LIBRARY, "entropic_%s_free" % kind)

    def __del__(self) -> None:
        self._free(self.pointer)


def thread_count(n_jobs: Optional[int]) -> int:
    """The threads that n_jobs asks for, as scikit-learn counts; 0: one for each processor."""
    if n_jobs is None:
        given = os.environ.get("OMP_NUM_THREADS", "")
        return int(given) if given.isdigit() else 0
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int) and not hasattr(n_jobs, "__index__") or n_jobs == 0:
        raise ValueError("n_jobs is %r, expected None, -1 or a number of threads" % (n_jobs,))
    n_jobs = int(n_jobs)
    return n_jobs if n_jobs > 0 else max(1, len(os.sched_getaffinity(0)) + 1 + n_jobs)


class Context:
    """The library's context: one for each thread at a time. Calls through it raise what goes wrong."""

    __slots__ = ("handle", "pointer", "_interrupts")

    def __init__(self, n_jobs: Optional[int] = 1) -> None:
        made = ctypes.c_void_p()
        if LIBRARY.entropic_context_create(ctypes.byref(made)):
            raise EntropicMemoryError("out of memory")
        self.handle = Handle("context", made)
        self.pointer = made
        self._interrupts: Optional["Interrupts"] = None
        if n_jobs != 1:
            self.call("context_set_threads", thread_count(n_jobs))
        else:
            LIBRARY.entropic_context_set_threads(made, 1)

    def call(self, name: str, *arguments: Any) -> None:
        """Calls entropic_NAME(context, ...)."""
        status = getattr(LIBRARY, "entropic_" + name)(self.pointer, *arguments)
        if status:
            self.fail(status)

    def make(self, kind: str, name: str, *arguments: Any, keep: object = None) -> Handle:
        """The handle that entropic_NAME(context, ..., &handle) makes."""
        made = ctypes.c_void_p()
        self.call(name, *arguments, ctypes.byref(made))
        return Handle(kind, made, keep)

    def fail(self, status: int) -> None:
        if status == interface.CANCELLED and self._interrupts is not None and self._interrupts.error is not None:
            raise self._interrupts.error
        message = LIBRARY.entropic_context_message(self.pointer).decode(errors="replace")
        error = _ERRORS.get(status, EntropicError)(message)
        error.status = LIBRARY.entropic_status_name(status).decode()
        raise error

    def interruptible(self, verbose: int = 0) -> "Interrupts":
        return Interrupts(self, verbose)


class Interrupts:
    """While this lasts, Ctrl-C cancels what the context does, and progress is shown if that is wanted.

    A handler that raises inside a callback of ctypes would raise into nothing. So while the library works, signals only
    leave a note; the progress callback, which runs every 50 ms, cancels the call by its result, and the exception is
    raised after it."""

    def __init__(self, context: Context, verbose: int = 0) -> None:
        self.context, self.verbose = context, verbose
        self.error: Optional[BaseException] = None
        self._before: Optional[Callable[[int, Optional[FrameType]], object]] = None
        self._shown = ""
        self._callback = interface.PROGRESS(self._progress)

    def __enter__(self) -> "Interrupts":
        LIBRARY.entropic_context_set_progress(self.context.pointer, self._callback, None)
        self.context._interrupts = self
        if threading.current_thread() is threading.main_thread():
            before = signal.getsignal(signal.SIGINT)
            if callable(before):
                self._before = before
                signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        LIBRARY.entropic_context_set_progress(self.context.pointer, interface.PROGRESS(), None)
        self.context._interrupts = None
        del self._callback  # which refers to this object
        if self._shown:
            sys.stderr.write("\n")
        if self.error is not None and error is not self.error:
            raise self.error

    def _note(self, number: int, frame: Optional[FrameType]) -> None:
        try:
            if self._before is not None:
                self._before(number, frame)
        except BaseException as error:  # KeyboardInterrupt is one
            self.error = error

    def _progress(self, user: Optional[int], stage: bytes, done: float) -> int:
        try:
            if self.verbose and self.error is None:
                text = "\r%-40s %3.0f %%" % (stage.decode(errors="replace"), 100 * done)
                if text != self._shown:
                    sys.stderr.write(text)
                    sys.stderr.flush()
                    self._shown = text
        except BaseException as error:
            self.error = error
        return self.error is not None


_LOCAL = threading.local()


def small_context() -> Context:
    """This thread's context for short calls, on one thread."""
    try:
        context: Context = _LOCAL.context
    except AttributeError:
        context = _LOCAL.context = Context()
    return context


def texts(name: str, *arguments: Any) -> List[str]:
    """The texts of entropic_NAME(..., i) for i = 0, 1, ... until there is none."""
    found: List[str] = []
    function = getattr(LIBRARY, "entropic_" + name)
    while True:
        text = function(*arguments, len(found))
        if text is None:
            return found
        found.append(text.decode(errors="replace"))


def bytes_at(address: int, count: int) -> bytes:
    """A copy of bytes of the library; string_at of older Pythons takes no more than 2 GB."""
    return ctypes.string_at(address, count) if count < 1 << 31 else bytes((ctypes.c_char * count).from_address(address))


def take_bytes(context: Context, name: str, *arguments: Any) -> bytes:
    """The bytes that entropic_NAME(context, ..., &bytes, &count) makes."""
    pointer, count = ctypes.c_void_p(), ctypes.c_size_t()
    context.call(name, *arguments, ctypes.byref(pointer), ctypes.byref(count))
    try:
        return bytes_at(pointer.value or 0, count.value)
    finally:
        LIBRARY.entropic_bytes_free(pointer)
