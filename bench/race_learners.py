"""Who takes part in `make race`, with what settings, and how each takes categories and missing cells.

A learner of Python is a function of a Job that gives back an estimator; frames have numbers and pandas categories, with
NaN for what is missing. What an estimator does to them is part of its fit. Libraries are loaded in the functions.
"""

import os
from dataclasses import dataclass, field

ROUNDS = 300
COMPONENTS = 1000
MOST_BINS = 255  # of HistGradientBoosting
SEED = 1
COMMAND, PYTHON, R = "command", "python", "R"
OURS = ("entropic", "entropic-python")

NATIVE = "native"
MEDIAN = "median, and a 0/1 column"
ONE_HOT = "one-hot"


@dataclass
class Job:
    """What a learner's process is asked to do; its fields are those of the JSON it gets."""

    learner: str
    train: str
    test: str
    task: str
    target: str
    categories: list
    threads: int
    out: str
    root: str = ""  # of the source tree
    scratch: str = ""  # a folder that is removed after the run
    parameters: dict = field(default_factory=dict)

    @property
    def classes(self):
        return self.task == "classes"


@dataclass
class Learner:
    title: str
    kind: str
    make: object  # of a job: an estimator; None where the learner is no library of Python
    packages: tuple  # modules whose versions are recorded; the first must be there
    settings: str  # a change of them makes earlier results void
    categories: str
    missing: str
    parallel: bool = True  # does it use several threads?


def either(job, regressor, classifier):
    return classifier if job.classes else regressor


# ---- encodings ----


def encoded(job, learner):
    """Numbers with mean 0 and variance 1, gaps as the median with a 0/1 column; categories one-hot, gaps as one more."""
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numbers = make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler())
    columns = make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_include="category")),
    )
    return make_pipeline(columns, learner)


class HistBoosting:
    """Categories as codes; those of columns with more than its bins by the target's mean, as scikit-learn recommends."""

    def __init__(self, job):
        from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

        self.kind = either(job, HistGradientBoostingRegressor, HistGradientBoostingClassifier)

    def fit(self, rows, target):
        from sklearn.compose import make_column_transformer
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import OrdinalEncoder

        nan = float("nan")
        counts = {c: len(rows[c].cat.categories) for c in rows.select_dtypes("category").columns}
        few = [c for c, count in counts.items() if count <= MOST_BINS]
        many = [c for c in counts if c not in few]
        parts = [(OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=nan), few)]
        if many:
            from sklearn.preprocessing import TargetEncoder

            parts.append((TargetEncoder(random_state=SEED), many))
        learner = self.kind(
            max_iter=ROUNDS, early_stopping=False, categorical_features=list(range(len(few))), random_state=SEED
        )
        self.model = make_pipeline(make_column_transformer(*parts, remainder="passthrough"), learner).fit(rows, target)
        return self

    def predict(self, rows):
        return self.model.predict(rows)

    def predict_proba(self, rows):
        return self.model.predict_proba(rows)


class CatBoost:
    """It takes no NaN for a category: gaps are a category of their own."""

    def __init__(self, job):
        from catboost import CatBoostClassifier, CatBoostRegressor

        self.model = either(job, CatBoostRegressor, CatBoostClassifier)(
            iterations=ROUNDS, thread_count=job.threads, random_seed=SEED, verbose=False, allow_writing_files=False
        )

    @staticmethod
    def filled(rows):
        columns = rows.select_dtypes("category").columns
        return rows.assign(**{c: rows[c].cat.add_categories("(missing)").fillna("(missing)") for c in columns})

    def fit(self, rows, target):
        self.model.fit(self.filled(rows), target, cat_features=list(rows.select_dtypes("category").columns))
        return self

    def predict(self, rows):
        return self.model.predict(self.filled(rows))

    def predict_proba(self, rows):
        return self.model.predict_proba(self.filled(rows))


# ---- estimators ----


def entropic_python(job):
    from entropic import EntropicClassifier, EntropicRegressor

    return either(job, EntropicRegressor, EntropicClassifier)(n_jobs=job.threads)


def on_features(job, features):
    from sklearn.linear_model import LogisticRegression, Ridge

    learner = LogisticRegression(max_iter=1000) if job.classes else Ridge()
    from sklearn.pipeline import make_pipeline

    return encoded(job, make_pipeline(features, learner))


def random_fourier(job):
    from sklearn.kernel_approximation import RBFSampler

    return on_features(job, RBFSampler(gamma="scale", n_components=COMPONENTS, random_state=SEED))


def nystroem(job):
    from sklearn.kernel_approximation import Nystroem

    return on_features(job, Nystroem(n_components=COMPONENTS, random_state=SEED, n_jobs=job.threads))


def xgboost(job):
    from xgboost import XGBClassifier, XGBRegressor

    return either(job, XGBRegressor, XGBClassifier)(
        n_estimators=ROUNDS, tree_method="hist", enable_categorical=True, n_jobs=job.threads, random_state=SEED
    )


def xgboost_external(job):
    from race_external import External

    return External(job, ROUNDS)


def lightgbm(job):
    from lightgbm import LGBMClassifier, LGBMRegressor

    return either(job, LGBMRegressor, LGBMClassifier)(
        n_estimators=ROUNDS, n_jobs=job.threads, random_state=SEED, verbosity=-1
    )


def ebm(job):
    from interpret.glassbox import ExplainableBoostingClassifier, ExplainableBoostingRegressor

    return either(job, ExplainableBoostingRegressor, ExplainableBoostingClassifier)(
        n_jobs=job.threads, random_state=SEED
    )


def liblinear(job):
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVR

    learner = LogisticRegression(solver="liblinear", random_state=SEED) if job.classes else LinearSVR(random_state=SEED)
    return encoded(job, learner)


def libsvm(job):
    from sklearn.svm import SVC, SVR

    return encoded(job, either(job, SVR, SVC)(cache_size=1000))


SKLEARN = ("sklearn", "numpy", "pandas")
LEARNERS = {
    "entropic": Learner("Entropic", COMMAND, None, (), "the command, no options", NATIVE, NATIVE),
    "entropic-python": Learner(
        "Entropic in Python", PYTHON, entropic_python, ("entropic",), "defaults", NATIVE, NATIVE
    ),
    "rff": Learner(
        "RBFSampler + ridge",
        PYTHON,
        random_fourier,
        SKLEARN,
        "%d components, gamma scale; logistic regression for classes" % COMPONENTS,
        ONE_HOT,
        MEDIAN,
    ),
    "nystroem": Learner(
        "Nystroem + ridge",
        PYTHON,
        nystroem,
        SKLEARN,
        "%d components; logistic regression for classes" % COMPONENTS,
        ONE_HOT,
        MEDIAN,
    ),
    "hgb": Learner(
        "HistGradientBoosting",
        PYTHON,
        HistBoosting,
        SKLEARN,
        "%d rounds, learning rate 0.1 (default)" % ROUNDS,
        "native; above %d levels by the mean of the target" % MOST_BINS,
        NATIVE,
    ),
    "xgboost": Learner(
        "XGBoost",
        PYTHON,
        xgboost,
        ("xgboost",),
        "hist, %d rounds, learning rate 0.3 (default)" % ROUNDS,
        NATIVE,
        NATIVE,
    ),
    "xgboost-external": Learner(
        "XGBoost, external memory",
        PYTHON,
        xgboost_external,
        ("xgboost",),
        "hist, %d rounds, learning rate 0.3 (default), batches on disk" % ROUNDS,
        NATIVE,
        NATIVE,
    ),
    "lightgbm": Learner(
        "LightGBM", PYTHON, lightgbm, ("lightgbm",), "%d rounds, learning rate 0.1 (default)" % ROUNDS, NATIVE, NATIVE
    ),
    "catboost": Learner(
        "CatBoost",
        PYTHON,
        CatBoost,
        ("catboost",),
        "%d rounds, learning rate by its own rule (default)" % ROUNDS,
        NATIVE,
        "native; of categories as one more",
    ),
    "ebm": Learner(
        "EBM", PYTHON, ebm, ("interpret",), "defaults: rounds by early stopping, learning rate its own", NATIVE, NATIVE
    ),
    "liblinear": Learner(
        "LIBLINEAR", PYTHON, liblinear, SKLEARN, "LinearSVR, or logistic regression; C 1", ONE_HOT, MEDIAN, False
    ),
    "libsvm": Learner(
        "LIBSVM", PYTHON, libsvm, SKLEARN, "SVR or SVC, RBF, C 1, gamma scale, cache of 1 GB", ONE_HOT, MEDIAN, False
    ),
    "bam": Learner(
        "mgcv bam",
        R,
        None,
        ("mgcv",),
        "a smooth term each number, discrete, fREML",
        "factors; above 10 levels random effects",
        MEDIAN,
    ),
    "earth": Learner(
        "earth (MARS)",
        R,
        None,
        ("earth",),
        "degree 2; of classes a logistic regression on its terms",
        "factors",
        MEDIAN,
        False,
    ),
}


def environment(root, library, threads):
    """For every process of a race: as many threads, and none that spins while it waits."""
    words = dict(os.environ, OMP_WAIT_POLICY="passive", PYTHONDONTWRITEBYTECODE="1", PYTHONWARNINGS="ignore")
    for name in (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "LOKY_MAX_CPU_COUNT",
        "R_DATATABLE_NUM_THREADS",
    ):
        words[name] = str(threads)
    words["PYTHONPATH"] = os.path.join(root, "python")
    words["ENTROPIC_LIBRARY"] = library
    return words
