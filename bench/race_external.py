"""XGBoost with its external memory, for `make race`: batches of the training file on disk, never all rows in memory.

Reading is the conversion of the text to batches; the fit then goes through them as often as it likes.
"""

import os

import numpy as np
import pandas
import xgboost

BATCH = 250000  # rows


class Codes:
    """Categories of a column by the order in which they were met; -1 is missing, or not in the training rows."""

    def __init__(self):
        self.known = {}

    def learn(self, column):
        for name in column.cat.categories:
            self.known.setdefault(name, len(self.known))
        return self.of(column)

    def of(self, column):
        codes = np.array([self.known.get(name, -1) for name in column.cat.categories] + [-1], np.float32)
        found = codes[column.cat.codes.to_numpy()]  # the code -1 takes the last one
        return np.where(found < 0, np.float32(np.nan), found)


class Batches(xgboost.DataIter):
    def __init__(self, paths, kinds, scratch):
        self.paths, self.kinds, self.place = paths, kinds, 0
        super().__init__(cache_prefix=os.path.join(scratch, "cache"))

    def next(self, input_data):
        if self.place == len(self.paths):
            return False
        values = np.load(self.paths[self.place])
        input_data(data=values[:, :-1], label=values[:, -1], feature_types=self.kinds)
        self.place += 1
        return True

    def reset(self):
        self.place = 0


class External:
    def __init__(self, job, rounds):
        self.job, self.rounds = job, rounds
        self.codes = {column: Codes() for column in job.categories}
        self.names = {}  # of classes, by the order in which they were met

    def values(self, rows, code):
        columns = [code(self.codes[c], rows[c]) if c in self.codes else rows[c].to_numpy(np.float32) for c in rows]
        return np.column_stack(columns).astype(np.float32)

    def label(self, target):
        if not self.job.classes:
            return target.to_numpy(np.float32)
        for name in target.unique():
            self.names.setdefault(name, len(self.names))
        return target.map(self.names).to_numpy(np.float32)

    def read(self):
        """Batches as files. As the target it gives back the names of classes, of which np.unique makes their order."""
        job = self.job
        kinds = {**{c: "category" for c in job.categories}, **({job.target: str} if job.classes else {})}
        paths = []
        for rows in pandas.read_csv(job.train, dtype=kinds, na_values=["?"], chunksize=BATCH):
            target = self.label(rows.pop(job.target))
            paths.append(os.path.join(job.scratch, "batch%d.npy" % len(paths)))
            np.save(paths[-1], np.column_stack([self.values(rows, Codes.learn), target]))
        self.kinds = ["c" if c in self.codes else "q" for c in rows]
        return paths, np.array(list(self.names), object)

    def fit(self, paths, target):
        data = xgboost.ExtMemQuantileDMatrix(Batches(paths, self.kinds, self.job.scratch), enable_categorical=True)
        wanted = {"tree_method": "hist", "nthread": self.job.threads, "seed": 1}
        if self.job.classes:
            count = len(self.names)
            wanted.update(
                {"objective": "binary:logistic"} if count == 2 else {"objective": "multi:softprob", "num_class": count}
            )
        self.model = xgboost.train(wanted, data, self.rounds)

    def predict(self, rows):
        values = xgboost.DMatrix(
            self.values(rows, Codes.of), feature_types=self.kinds, enable_categorical=True, nthread=self.job.threads
        )
        return self.model.predict(values)

    def predict_proba(self, rows):
        found = self.predict(rows)
        found = np.column_stack([1 - found, found]) if found.ndim == 1 else found
        return found[:, [self.names[name] for name in sorted(self.names)]]
