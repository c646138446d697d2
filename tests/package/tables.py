"""Every shared table through pandas: the same model bytes as the command's.

Default fits would take long: the number of features and lambda are given. ENTROPIC_DATA is the folder."""
import glob
import os
import sys

import pandas as pd

from _package import SOURCE, entropic, model_of_command
from _tap import check, end, skip

DATA = os.environ.get("ENTROPIC_DATA", os.path.join(SOURCE, "..", "shared", "data"))
QUICK = {"features": 30, "reg_lambda": 0.01, "omega": 1.0}
OPTIONS = ["--features", "30", "--lambda", "0.01", "--omega", "1"]

files = sorted(glob.glob(os.path.join(DATA, "*.csv.gz")) + glob.glob(os.path.join(DATA, "small", "*.csv*")))
if not files:
    skip("shared tables", "there are none in %s" % DATA)
for path in files:
    name = os.path.relpath(path, DATA)
    frame = pd.read_csv(path, low_memory=False, skipinitialspace=True)
    if len(frame) > 40000:
        frame = frame.head(40000)
    target = frame.columns[-1]
    frame.to_csv("t.csv", index=False)
    text = frame[target].dtype == object or not pd.api.types.is_numeric_dtype(frame[target])
    kind = entropic.EntropicClassifier(**QUICK, loss="logistic") if text else entropic.EntropicRegressor(**QUICK)
    options = ["--task", "classification", "--loss", "logistic"] if text else ["--task", "regression"]
    try:
        expected = model_of_command("t.csv", "--target", target, *OPTIONS, *options)
    except RuntimeError as error:
        skip(name, str(error).splitlines()[0])
        continue
    kept = frame[target].notna()
    try:
        found = kind.fit(frame.loc[kept].drop(columns=[target]), frame.loc[kept, target])
        check("%s: the model of the command" % name, found.model_.to_bytes() == expected)
    except Exception as error:  # noqa: BLE001
        check("%s: the model of the command" % name, False, "%s: %s" % (type(error).__name__, error))
sys.exit(end())
