"""fit_shards: a fit to a table in several shards, which workers of any executor read.

The library asks questions; a callback has every shard answer them. Workers keep nothing between questions: each task
opens its shard anew, so it may run anywhere, and again if a worker was lost."""
import ctypes
import os
import queue
import threading
import uuid
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _data
from . import _interface as interface
from ._base import Learning, warn_of_data
from ._data import Table, encode
from ._estimators import EntropicClassifier, EntropicRegressor, estimator_of
from ._library import (LIBRARY, VERSION, Context, EntropicError, EntropicValueError, Handle, Interrupts, bytes_at,
                       take_bytes)
from ._model import Model, read_report
from ._old_names import renewed, warn_of_old_names
from ._parameters import COLUMNS, FIT, Parameters, defaults_of, seed_of, text_of, with_expressions
from ._types import Executor, Path

_POLL = 0.05  # seconds between two looks for Ctrl-C


class Place(NamedTuple):
    """Which shard of how many, and how it is read. It is pickled, as the source is."""

    number: int
    shards: int
    parts: int  # of a file, by bytes; 1: all of it
    parameters: Dict[str, str]
    fit: str  # is another one for every fit: schedulers that know a task again must not give an older answer


# ---- Workers ---------------------------------------------------------------------------------------------------------


def version_of_worker(place: Place) -> str:
    """The library that a worker has."""
    return VERSION


def answer(question: bytes, source: Any, place: Place) -> bytes:
    """What a worker does: it opens a shard and answers."""
    context = Context()
    try:
        return _answer(context, _open(context, source, place), question)
    except EntropicError as error:
        _say_which(error, source, place)
        raise


def _say_which(error: EntropicError, source: Any, place: Place) -> None:
    """Files have names, tables in memory have not."""
    if not isinstance(source, str) and error.args:
        error.args = ("shard %d of %d: %s" % (place.number + 1, place.shards, error.args[0]), *error.args[1:])


def _answer(context: Context, shard: Handle, question: bytes) -> bytes:
    return take_bytes(context, "shard_answer", shard.pointer, question, len(question))


def _open(context: Context, source: Any, place: Place) -> Handle:
    if isinstance(source, str):
        taken = _set_of(context, place.parameters)
        part = place.number if place.parts > 1 else 0
        shard = context.make("shard", "shard_open", encode(source), taken.pointer, part, place.parts)
    else:
        table = _table_of(context, source, place.parameters)
        shard = context.make("shard", "shard_of_table", table.pointer, keep=table)
    context.call("shard_place", shard.pointer, place.number, place.shards)
    return shard


def _table_of(context: Context, source: Any, parameters: Dict[str, str]) -> Table:
    frame = _data.read(source, "fit_shards")
    learning = Learning(frame, [], None, None)
    categorical = [learning.place(i) for i in frame.categorical()]
    if categorical:
        given = parameters.get("categorical")
        parameters = {**parameters, "categorical": ",".join(([given] if given else []) + categorical)}
    taken = _set_of(context, parameters)
    return Table(context, frame, taken.pointer)


def _set_of(context: Context, parameters: Dict[str, str]) -> Parameters:
    made = Parameters(context, FIT)
    for name, text in parameters.items():
        made.set(name, text)
    return made


# ---- The coordinator -------------------------------------------------------------------------------------------------


class _Exchange:
    """Asks all shards and merges their answers. The library calls it on a thread of its own. What goes wrong is kept in
    `interrupts`, cancels the call, and is raised after it."""

    def __init__(self, sources: Sequence[Any], places: List[Place], executor: Optional[Executor], n_jobs: Optional[int],
                 interrupts: Interrupts) -> None:
        self.sources, self.places, self.executor, self.interrupts = sources, places, executor, interrupts
        self.context = Context(n_jobs)
        self._stop = interface.PROGRESS(lambda user, stage, done: int(self.interrupts.error is not None))
        LIBRARY.entropic_context_set_progress(self.context.pointer, self._stop, None)
        self._open: List[Handle] = []
        self.callback = interface.EXCHANGE(self._ask)

    def close(self) -> None:
        """Closes the shards; the callbacks refer to this object."""
        self._open.clear()
        LIBRARY.entropic_context_set_progress(self.context.pointer, interface.PROGRESS(), None)
        del self.callback, self._stop

    def _ask(self, user: Optional[int], question: int, size: int, given: Optional[int]) -> int:
        try:
            asked = bytes_at(question, size)
            merged = self._merge(self._here(asked) if self.executor is None else self._on_workers(self.executor, asked))
            status: int = LIBRARY.entropic_answer_give(given, merged, len(merged))
            return status
        except BaseException as error:  # it would be lost in ctypes
            if self.interrupts.error is None:
                self.interrupts.error = error
            return interface.CANCELLED

    def _here(self, question: bytes) -> Iterator[bytes]:
        """Shards stay open in this process."""
        for source, place in zip(self.sources, self.places):
            try:
                if place.number == len(self._open):
                    self._open.append(_open(self.context, source, place))
                yield _answer(self.context, self._open[place.number], question)
            except EntropicError as error:
                _say_which(error, source, place)
                raise

    def _on_workers(self, executor: Executor, question: bytes) -> Iterator[bytes]:
        """One thread waits for the tasks, this one for that thread or an interrupt."""
        futures = [executor.submit(answer, question, source, place)
                   for source, place in zip(self.sources, self.places)]
        found: "queue.SimpleQueue[Tuple[bytes, Optional[BaseException]]]" = queue.SimpleQueue()
        threading.Thread(target=_wait, args=(futures, found), daemon=True).start()
        try:
            for _ in futures:
                yield self._next(found)
        except BaseException:
            for future in futures:
                if hasattr(future, "cancel"):
                    future.cancel()
            raise

    def _next(self, found: "queue.SimpleQueue[Tuple[bytes, Optional[BaseException]]]") -> bytes:
        while True:
            if self.interrupts.error is not None:
                raise self.interrupts.error
            try:
                given, error = found.get(timeout=_POLL)
            except queue.Empty:
                continue
            if error is not None:
                raise error
            return given

    def _merge(self, answers: Iterator[bytes]) -> bytes:
        """The answers as one, in their order, as they come: neighbours of as many shards are merged first."""
        waiting: List[Tuple[int, bytes]] = []
        for one in answers:
            waiting.append((1, one))
            while len(waiting) > 1 and waiting[-1][0] == waiting[-2][0]:
                self._join(waiting)
        while len(waiting) > 1:
            self._join(waiting)
        return waiting[0][1]

    def _join(self, waiting: List[Tuple[int, bytes]]) -> None:
        (count, second), (more, first) = waiting.pop(), waiting.pop()
        merged = take_bytes(self.context, "answers_merge", first, len(first), second, len(second))
        waiting.append((count + more, merged))


def _wait(futures: Sequence[Any], found: "queue.SimpleQueue[Tuple[bytes, Optional[BaseException]]]") -> None:
    try:
        for future in futures:
            found.put((future.result(), None))
    except BaseException as error:
        found.put((b"", error))


def _start(executor: Executor, places: List[Place]) -> None:
    """Has the workers begin before the library has threads at work, which a fork would lose; and checks them."""
    for future in [executor.submit(version_of_worker, place) for place in places]:
        found = future.result()
        if found != VERSION:
            raise EntropicError("a worker has version %s of libentropic, expected %s" % (found, VERSION))


def _path_of(path: Path) -> str:
    """A line feed would part the name in two: so the library tells several files apart."""
    name = os.fspath(path)
    if "\n" in name:
        raise EntropicValueError("%r has a line feed in it, expected a name of one line" % name)
    return name


def _sources_of(shards: Any, parts: int) -> List[Any]:
    if isinstance(shards, (str, os.PathLike)):
        if isinstance(parts, bool) or not hasattr(parts, "__index__") or parts < 1:
            raise EntropicValueError("parts is %r, expected a whole number from 1 on" % (parts,))
        return [_path_of(shards)] * int(parts)
    if not isinstance(shards, (list, tuple)):
        raise TypeError("shards is a %s, expected a list of paths or tables, or one path" % type(shards).__name__)
    if parts != 1:
        raise EntropicValueError("parts are those of one file, but shards is a list")
    if not shards:
        raise EntropicValueError("there are no shards, expected one at least")
    return [_path_of(one) if isinstance(one, (str, os.PathLike)) else one for one in shards]


def _texts_of(target: Union[str, Sequence[str]], parameters: Dict[str, Any]) -> Dict[str, str]:
    """The parameters as the library reads them."""
    given = with_expressions(renewed({"target": target, **parameters}))
    seed = seed_of(given.pop("random_state", None))
    if seed is not None:
        given["seed"] = seed
    return {name: text_of(name, value) for name, value in given.items() if value is not None}


def _fit(context: Context, exchange: _Exchange, taken: Parameters) -> Tuple[Model, Dict[str, Any]]:
    table = context.make("table", "table_of_shards", exchange.callback, None, len(exchange.places), taken.pointer)
    dataset = context.make("dataset", "dataset_create", table.pointer, taken.pointer, keep=table)
    warn_of_data(table, dataset, 4)
    report = ctypes.c_void_p()
    model = context.make("model", "fit", dataset.pointer, None, taken.pointer, ctypes.byref(report))
    return Model(model), read_report(Handle("report", report))


def fit_shards(shards: Union[Path, Sequence[Any]], target: Union[str, Sequence[str]],
               executor: Optional[Executor] = None, *, parts: int = 1, n_jobs: Optional[int] = None, verbose: int = 0,
               **parameters: Any) -> Union[EntropicRegressor, EntropicClassifier]:
    """Learns from a table in several shards, which the workers of an executor read. Experimental.

    The model has the same bytes as that of `entropic fit` on one table of all rows, however they are cut into shards.
    No process needs all rows: features and validation come from a sample of them (parameter `sample`), the weights
    from sums over all.

    Parameters
    ----------
    shards : list of paths, path, or list of tables
        files of any kind that `entropic fit` reads, as workers name them; one path with `parts`, of one file of plain
        delimited text, which is read in byte ranges, or of several files (a folder, a pattern); or tables: frames,
        arrays, whatever fit takes, or what the executor makes them of, such as futures of Dask. All have the same
        columns, the target among them.
    target : str or list of str
        the column to predict, or several numbers. Columns are names or numbers from 1 here, as those of the command.
    executor : object with submit(function, *arguments), whose results have result()
        such as ThreadPoolExecutor, ProcessPoolExecutor, Dask's Client, MPIPoolExecutor. None: all is done here, and
        shards stay open. Each task uses one thread, opens its shard, answers one question and forgets it.
    parts : int
        how many shards one path has
    n_jobs : int
        threads of this process
    verbose : int
        1 shows progress
    **parameters
        those of `entropic fit`, with `_` for `-`: sample=100000, weights="w", loss="logistic". `random_state` is
        `seed`, `reg_lambda` is `lambda`, and `kernel` may be a dict, as that of the estimators

    Returns
    -------
    EntropicRegressor or EntropicClassifier
        fitted; its features are the inputs of the model, as `load` has them

    Errors of workers are raised here as they are; those of the library name the file or the shard."""
    warn_of_old_names(parameters, 2)
    sources = _sources_of(shards, parts)
    texts = _texts_of(target, parameters)
    context = Context(n_jobs)
    taken = _set_of(context, texts)
    taken.check()
    fit = uuid.uuid4().hex
    places = [Place(i, len(sources), int(parts), texts, fit) for i in range(len(sources))]
    if executor is not None:
        _start(executor, places)
    with context.interruptible(verbose) as interrupts:
        exchange = _Exchange(sources, places, executor, n_jobs, interrupts)
        try:
            model, said = _fit(context, exchange, taken)
        finally:
            exchange.close()
    estimator = estimator_of(model, said)
    known = defaults_of(type(estimator))
    own = {name: value for name, value in renewed(parameters).items() if name in known and name not in COLUMNS}
    estimator.set_params(n_jobs=n_jobs, verbose=verbose, **own)
    return estimator
