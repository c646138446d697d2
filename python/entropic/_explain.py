"""What a model can say of itself: shares of inputs and pairs, Shapley values, and how notebooks show it."""
import html
import os
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Union

import numpy as np
from sklearn.utils import estimator_html_repr

from ._data import Table, encode
from ._library import LIBRARY, Context
from ._model import Model, take_report
from ._types import Numbers, Path, Values

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

_STYLE = "border-collapse:collapse;font:13px sans-serif;margin:4px 0"
_BAR = '<div style="background:#4878a8;height:10px;width:%.0fpx"></div>'


class ShapleyValues(NamedTuple):
    """values[row, feature], of several scores [row, feature, score]; with base_values they add up to the score."""

    values: Numbers
    base_values: Union[float, Numbers]
    feature_names: List[str]


def _cells(values: Sequence[str]) -> str:
    return "<tr>%s</tr>" % "".join('<td style="padding:1px 8px">%s</td>' % value for value in values)


def _table(title: str, rows: Sequence[Sequence[str]]) -> str:
    return '<table style="%s"><caption style="text-align:left"><b>%s</b></caption>%s</table>' % (
        _STYLE, html.escape(title), "".join(_cells(row) for row in rows))


class Explanation:
    """The model taken apart. `report` is what `entropic explain --json` prints; `inputs` and `pairs` are its lists,
    largest share of the variance of the score first."""

    def __init__(self, context: Context, model: Model, table: Optional[Table] = None) -> None:
        reader = None if table is None else model.reader(context, table, False)
        self._taken = context.make("explanation", "explain", model.pointer, None if reader is None else reader.pointer,
                                   keep=model)
        self.report: Dict[str, Any] = take_report(context, "explanation_report", self._taken.pointer)
        self.inputs: List[Dict[str, Any]] = self.report["inputs"]
        self.pairs: List[Dict[str, Any]] = self.report["pairs"]

    def save_html(self, path: Path, title: str = "model") -> None:
        """Writes a page of its own: shares, curves of the inputs, maps of the pairs, and the model to try rows on."""
        context = Context()
        with context.interruptible():
            context.call("explanation_html", self._taken.pointer, None, encode(title), encode(os.fspath(path)))

    def to_frame(self) -> "pandas.DataFrame":
        """The inputs as a pandas frame: what each does alone (first) and with others (total)."""
        import pandas
        return pandas.DataFrame(self.inputs).set_index("name")

    def pairs_to_frame(self) -> "pandas.DataFrame":
        """The pairs of inputs as a pandas frame: what both do together beyond what each does alone."""
        import pandas
        rows = [{"first": pair["names"][0], "second": pair["names"][1],
                 **{key: value for key, value in pair.items() if key != "names"}} for pair in self.pairs]
        return pandas.DataFrame(rows, columns=None if rows else ["first", "second", "share"])

    def plot(self, most: int = 10, ax: "Optional[Axes]" = None) -> "Axes":
        """Draws the shares of the first inputs with matplotlib; returns the axes."""
        if ax is None:
            from matplotlib import pyplot
            _, ax = pyplot.subplots()
        shown = self.inputs[:most][::-1]
        names = [one["name"] for one in shown]
        ax.barh(names, [one["total"] for one in shown], color="#b8cce0", label="with others")
        ax.barh(names, [one["first"] for one in shown], color="#4878a8", label="alone")
        ax.set_xlabel("share of the variance of the score")
        ax.legend()
        return ax

    def __repr__(self) -> str:
        shown = ", ".join("%s %.3f" % (one["name"], one["total"]) for one in self.inputs[:5])
        return "Explanation(%s%s)" % (shown, ", ..." if len(self.inputs) > 5 else "")

    def _repr_html_(self) -> str:
        rows = [[html.escape(one["name"]), "%.3f" % one["first"], "%.3f" % one["total"], _BAR % (200 * one["total"])]
                for one in self.inputs[:20]]
        pairs = [[html.escape(" \u00d7 ".join(one["names"])), "%.3f" % one["share"], _BAR % (200 * one["share"])]
                 for one in self.pairs[:10]]
        return (_table("Inputs: share alone, with others", rows)
                + (_table("Pairs: share beyond both alone", pairs) if pairs else ""))


class Effects:
    """Shapley values of rows."""

    def __init__(self, context: Context, model: Model) -> None:
        self.model = model
        self.taken = context.make("explanation", "explain", model.pointer, None, keep=model)
        count = LIBRARY.entropic_explanation_inputs(self.taken.pointer)
        self.inputs = [LIBRARY.entropic_explanation_input(self.taken.pointer, i) for i in range(count)]

    def of_rows(self, context: Context, x: Numbers, out: Values) -> None:
        self.model.outputs(context, x, {"effects": out}, explanation=self.taken.pointer)

    def spread(self, flat: Numbers, names: List[str], columns: List[str]) -> ShapleyValues:
        """The effects of the model's inputs as those of the features of X, which they come from: those that are no inputs
        have none."""
        scores = self.model.scores
        split = flat.reshape(len(flat), scores, 1 + len(self.inputs))
        values = np.zeros((len(flat), len(names), scores))
        place = {name.strip(" \t"): i for i, name in enumerate(names)}
        for i, number in enumerate(self.inputs):
            values[:, place[columns[number]]] += split[:, :, 1 + i]
        base = split[0, :, 0].copy() if len(flat) else np.full(scores, np.nan)
        if scores == 1:
            return ShapleyValues(values[:, :, 0], float(base[0]), names)
        return ShapleyValues(values, base, names)


_SHOWN = (("rows", "rows"), ("inputs", "inputs"), ("inputs_used", "inputs used"), ("features", "features"),
          ("nonzeros_per_row", "non-zeros a row"), ("kernel", "kernel"), ("lambda", "lambda"), ("task", "task"))


def estimator_html(estimator: object) -> str:
    """scikit-learn's picture of an estimator, and of a fitted one its figures."""
    text: str = estimator_html_repr(estimator)
    report = getattr(estimator, "report_", None)
    if report is None:
        return text
    rows = [[label, html.escape(_figure(report[key]))] for key, label in _SHOWN if key in report]
    validation = report.get("validation")
    if isinstance(validation, dict):
        rows += [["validation " + html.escape(str(key)), html.escape(_figure(value))]
                 for key, value in validation.items() if type(value) in (int, float)]
    return text + _table("Fit", rows)


def _figure(value: object) -> str:
    return "%.4g" % value if isinstance(value, float) else str(value)
