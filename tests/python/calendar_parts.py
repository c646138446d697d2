"""Dates of pandas and NumPy have the parts that those of text have: the models of the command, byte for byte."""
import datetime
import sys
import warnings

import numpy as np
import pandas as pd

from _package import entropic, model_of_command
from _tap import check, end

ROWS = 400
OPTIONS = ["--features", "20", "--lambda", "0.001", "--omega", "1"]
QUICK = {"features": 20, "reg_lambda": 0.001, "omega": 1.0}
NAMES = ["when", "when:yearday", "when:weekday", "when:hour", "x"]


def draw():
    rng = np.random.default_rng(3)
    minutes = rng.integers(0, 900 * 1440, ROWS)
    clock = pd.Series(np.datetime64("2019-02-20T00:00") + minutes.astype("timedelta64[m]")).astype("datetime64[ns]")
    x = rng.random(ROWS).round(3)
    y = np.round(np.abs(clock.dt.hour - 12) + 4 * (clock.dt.dayofweek > 4) + x, 4)
    return clock.where(rng.random(ROWS) > 0.05), x, np.asarray(y)


def fitted(when, x, y):
    """The model's bytes, its names, and the warnings about zones."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = entropic.EntropicRegressor(**QUICK).fit(pd.DataFrame({"when": when, "x": x}), y)
    zones = [str(w.message) for w in caught if "zone" in str(w.message)]
    return found, found.model_.to_bytes(), zones


clock, x, y = draw()
pd.DataFrame({"when": clock, "x": x, "y": y}).to_csv("t.csv", index=False)
expected = model_of_command("t.csv", "--target", "y", *OPTIONS)
found, got, zones = fitted(clock, x, y)
check("dates of pandas: the model of the command", got == expected)
check("no word of zones", zones == [], zones)
fixed = datetime.timezone(datetime.timedelta(hours=2))
_, got, zones = fitted(clock.dt.tz_localize(fixed), x, y)
check("an offset keeps the clock", got == expected and zones == [], zones)
_, got, zones = fitted(clock.dt.tz_localize("UTC"), x, y)
check("UTC is a clock", got == expected and zones == [], zones)
_, got, zones = fitted(clock.dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin"), x, y)
check("a zone by name is read as UTC, with a warning", got == expected and len(zones) == 1 and "when" in zones[0], zones)
texts = clock.dt.strftime("%Y-%m-%dT%H:%M:%S-05:00")
_, got, zones = fitted(texts, x, y)
check("text with an offset", got == expected and zones == [], zones)

frame = pd.DataFrame({"when": clock, "x": x})
check("columns, not inputs, are the features of scikit-learn",
      found.n_features_in_ == 2 and list(found.feature_names_in_) == ["when", "x"])
check("predictions of the frame", bool(np.isfinite(found.predict(frame)).all()))
explained = found.explain()
names = {entry["name"] for entry in explained.inputs}
check("each part is explained", names <= set(NAMES) and any(":" in name for name in names), names)
values = found.shapley_values(frame)
check("Shapley values are those of columns, and add up",
      values.values.shape == (ROWS, 2) and
      float(np.abs(values.values.sum(1) + values.base_values - found.predict(frame)).max()) <= 1e-9)
found.save("saved")
again = entropic.load("saved")
check("a loaded model has columns as features", list(again.feature_names_in_) == ["when", "x"] and
      bool((again.predict(frame) == found.predict(frame)).all()))
sys.exit(end())
