"""Small files given to `entropic fit --json`: the columns it detects, their types, and all its notices.

The cases are in two modules, _tables_layout.py (the layout of files) and _tables_values.py (the values of columns). Each has a list CASES of dicts, and may have a name SKIPPED: why some of its cases cannot be run
here. The keys of a case:

  name      what the case is about; no two cases have the same.
  file      the file's bytes, or its text, which is written as UTF-8.
  options   what follows `fit FILE`, as one text that is cut at blanks or as a list. CHEAP (below) goes with it.
  ending    of the file's name; ".csv" if it is not there.
  pipe      true if the file comes through a pipe, as standard input.
  other     a second file (bytes or text), which options call OTHER, as in "--valid OTHER"; or none.
  predict   a third file, which is given to `predict` with the model; then `rows` is how many predictions there are, and
            notices are those of predict alone.
  status    the exit status; 0 if it is not there.
  columns   what `columns` of the JSON must be: "name:type" or "name:type:role" each, as one text that is cut at blanks
            or as a list (for names with blanks). The role is input if it is not there. Types: number category constant
            identifier date, and - for an ignored column. None (or not there): not checked.
  rows      the number of training rows; None (or not there): not checked.
  classes   the list of class names, in order; None (or not there): not checked.
  json      other keys of the JSON and what they must be, as a dict.
  notices   a list of texts. Each must stand in exactly one notice, each in another, and there is no notice besides.
            The notices that every fit of few rows may give (USUAL below) do not count unless they are listed.
            None (or not there): no notice besides the usual ones.
  message   with a status other than 0: a text that the message must contain; FILE in it is the file's name.
"""
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile

from _tap import check, end, skip

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

ENTROPIC = os.environ["ENTROPIC"]
CHEAP = ["--select", "entropy", "--features", "10", "--omega", "1", "--lambda", "0.1", "--scale", "minmax"]
# Notices about the target and the fit, not about the file.
USUAL = [r"the target is treated as a number;", r"the target is treated as \d+ classes;", r"the target is text: \d+ classes",
         r"the kernel has \d+ features? within these limits", r"\d+ inputs? of categories: ",
         r"\d+ inputs? of dates, ", r"\d+ missing values?: "]
MODULES = ["_tables_layout", "_tables_values"]


def bytes_of(content):
    return content.encode() if isinstance(content, str) else content


def words_of(text):
    return text.split() if isinstance(text, str) else list(text)


def write(folder, name, content):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(bytes_of(content))
    return path


def run(arguments, given=b""):
    done = subprocess.run([ENTROPIC, *arguments], input=given, capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode("utf-8", "backslashreplace")


def notices_of(errors):
    return [line.split("notice: ", 1)[1] for line in errors.splitlines() if "notice: " in line]


def wrong_notices(errors, expected):
    """What is wrong with the notices, or nothing."""
    left = notices_of(errors)
    faults = []
    for text in expected:
        found = [i for i, line in enumerate(left) if text in line]
        if len(found) == 1:
            del left[found[0]]
        else:
            faults.append("%d notices have %r" % (len(found), text))
    faults += ["not expected: %s" % line for line in left if not any(re.match(usual, line) for usual in USUAL)]
    return faults


def column_of(text):
    """name:type:role; the name may have colons."""
    parts = text.rsplit(":", 2)
    if len(parts) == 3 and parts[2] in ("input", "target", "weight", "group", "ignored"):
        name, kind, role = parts
    else:
        (name, kind), role = text.rsplit(":", 1), "input"
    return {"name": name, "role": role, "type": None if kind == "-" else kind}


def wrong_report(case, report):
    faults = []
    expected = dict(case.get("json") or {})
    if case.get("columns") is not None:
        expected["columns"] = [column_of(text) for text in words_of(case["columns"])]
    if case.get("classes") is not None:
        expected["classes"] = case["classes"]
    if case.get("rows") is not None and "predict" not in case:
        expected["rows"] = case["rows"]
    for key, value in expected.items():
        if report.get(key) != value:
            faults.append("%s is %s, expected %s" % (key, json.dumps(report.get(key)), json.dumps(value)))
    return faults


def wrong_failure(case, path, status, errors):
    faults = []
    if status != case["status"]:
        faults.append("exit status %d, expected %d" % (status, case["status"]))
    message = case["message"].replace("FILE", path)
    if message not in errors:
        faults.append("the message should have: %s" % message)
    return faults


def predictions_of(case, folder, model):
    """Status, the number of rows predicted (without the header), and standard error."""
    path = write(folder, "new" + case.get("ending", ".csv"), case["predict"])
    status, out, errors = run(["predict", model, path])
    return status, len(out.splitlines()) - 1, errors


def wrong_prediction(case, folder, model):
    status, rows, errors = predictions_of(case, folder, model)
    faults = wrong_notices(errors, case.get("notices") or [])
    if status != 0:
        faults.append("predict: exit status %d, expected 0\n%s" % (status, errors))
    if case.get("rows") is not None and rows != case["rows"]:
        faults.append("predict: %d rows, expected %d" % (rows, case["rows"]))
    return faults


def wrong(case, folder):
    """All that is wrong with a case, line by line, and what was said."""
    path = write(folder, "table" + case.get("ending", ".csv"), case["file"])
    options = words_of(case.get("options", ""))
    if "other" in case:
        other = write(folder, "other" + case.get("ending", ".csv"), case["other"])
        options = [other if word == "OTHER" else word for word in options]
    model = os.path.join(folder, "table.model")
    arguments = [*options, *CHEAP, "-o", model, "--json"]
    status, out, errors = run(["fit", "-", *arguments], bytes_of(case["file"])) if case.get("pipe") else \
        run(["fit", path, *arguments])
    if case.get("status", 0) != 0:
        faults = wrong_failure(case, path, status, errors)
    elif status != 0:
        faults = ["exit status %d, expected 0" % status]
    else:
        faults = wrong_report(case, json.loads(out))
        faults += wrong_prediction(case, folder, model) if "predict" in case else \
            wrong_notices(errors, case.get("notices") or [])
    return faults + ["it said:", errors] if faults else []


def main():
    names = set()
    for module in MODULES:
        if not os.path.exists(os.path.join(os.path.dirname(os.path.abspath(__file__)), module + ".py")):
            continue
        loaded = importlib.import_module(module)
        for case in loaded.CASES:
            name = "%s: %s" % (module.removeprefix("_tables_"), case["name"])
            if name in names:
                check(name + ": there is one case of that name", False)
            names.add(name)
            with tempfile.TemporaryDirectory() as folder:
                faults = wrong(case, folder)
            check(name, not faults, "\n".join(faults))
        if getattr(loaded, "SKIPPED", None):
            skip(module.removeprefix("_tables_"), loaded.SKIPPED)
    return end()


sys.exit(main())
