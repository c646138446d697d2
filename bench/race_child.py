"""The process of one learner of `make race` in Python: reads, fits, predicts, and says when it begins each.

race_child.py JOB       JOB is a file: the fields of race_learners.Job as JSON
race_child.py --versions NAME...   the versions of modules as JSON; null for what is not there
"""

import csv
import importlib
import importlib.metadata
import json
import sys

from race_learners import LEARNERS, Job


def phase(name):
    print("race: " + name, flush=True)


def read(path, job, known=None):
    """A frame of inputs, and the target; categories are those of the training rows."""
    import pandas

    kinds = {c: "category" for c in job.categories}
    if job.classes:
        kinds[job.target] = str
    rows = pandas.read_csv(path, dtype=kinds, na_values=["?"])
    target = rows.pop(job.target).to_numpy()
    for column in job.categories if known is not None else ():
        rows[column] = rows[column].cat.set_categories(known[column].cat.categories)
    return rows, target


def write(path, prediction, names, probability):
    """As `entropic predict` writes it."""
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        shown = names if probability is not None else ()
        out.writerow(["prediction", *("p_%s" % name for name in shown)])
        for i, value in enumerate(prediction):
            out.writerow([value, *(probability[i] if probability is not None else ())])


def race(job):
    import numpy as np

    learner = LEARNERS[job.learner].make(job)
    reads = getattr(learner, "read", None)
    phase("read")
    rows, target = reads() if reads else read(job.train, job)
    names = None
    if job.classes:
        names, target = np.unique(target, return_inverse=True)
    phase("fit")
    learner.fit(rows, target)
    phase("read-test")
    test, _ = read(job.test, job, None if reads else rows)
    phase("predict")
    probability = learner.predict_proba(test) if names is not None and hasattr(learner, "predict_proba") else None
    found = learner.predict(test) if probability is None else probability.argmax(1)
    phase("write")
    write(job.out, names[np.asarray(found).astype(int)] if names is not None else found, names, probability)
    phase("done")


DISTRIBUTIONS = {"sklearn": "scikit-learn", "interpret": "interpret-core"}  # whose names are not their modules'


def version_of(name):
    """Without loading the module where its installation tells; None if it is not there."""
    try:
        return importlib.metadata.version(DISTRIBUTIONS.get(name, name))
    except importlib.metadata.PackageNotFoundError:
        pass
    try:
        return getattr(importlib.import_module(name), "__version__", "?")
    except ImportError:
        return None


def main():
    if sys.argv[1] == "--versions":
        print(json.dumps({name: version_of(name) for name in sys.argv[2:]}))
    else:
        with open(sys.argv[1]) as file:
            race(Job(**json.load(file)))


if __name__ == "__main__":
    main()
