"""Parameters of the Python package as scikit-learn has them: custom kernels as dicts, booleans, old names, which warn
once, in constructors, set_params, grids and clones; pickles of estimators that had these names."""
import copy
import inspect
import json
import os
import pickle
import sys
import warnings

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from _package import SOURCE, entropic, model_of_command, refused
from _tap import check, end

EntropicRegressor, EntropicClassifier, EntropicFeatures = (entropic.EntropicRegressor, entropic.EntropicClassifier,
                                                           entropic.EntropicFeatures)
QUICK = {"features": 8, "omega": 1.0, "select": "entropy"}
RIDGE = {**QUICK, "reg_lambda": 0.01}
SOBOLEV = {"p": "1 + w*x", "q": "1"}
EQUATION = {"alpha": "1", "beta": "-w^2", "left": "1,-w", "right": "1,w"}
X = np.array([[(7 * i + 3) % 40, (11 * i * i + i) % 37] for i in range(40)]) / 40.0
y = X[:, 0] + X[:, 1] ** 2


def warned(call):
    """What a call gives, and its FutureWarnings."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        made = call()
    return made, [one for one in found if issubclass(one.category, FutureWarning)]


def bytes_of(model):
    return model.model_.to_bytes()


def kernels():
    np.savetxt("n.csv", np.column_stack([X, y]), delimiter=",", header="x1,x2,y", comments="", fmt="%.17g")
    options = ["--target", "y", "--features", "8", "--omega", "1", "--select", "entropy", "--lambda", "0.01"]
    for what, kernel in (("p and q", SOBOLEV), ("an equation", EQUATION)):
        texts = [word for key, text in kernel.items() for word in ("--" + key, text)]
        expected = model_of_command("n.csv", *options, "--kernel", "custom", *texts)
        found = EntropicRegressor(**RIDGE, kernel=dict(kernel)).fit(X, y)
        check("%s: the model of the command" % what, bytes_of(found) == expected)
        check("%s: as entropic.Kernel" % what, entropic.Kernel(**kernel) == kernel and
              bytes_of(clone(found).set_params(kernel=entropic.Kernel(**kernel)).fit(X, y)) == expected)
        check("%s: of a copy" % what, bytes_of(copy.deepcopy(found).fit(X, y)) == expected and
              clone(found).get_params()["kernel"] == kernel)
        check("%s: in the representation" % what, repr(next(iter(kernel.values()))) in repr(found), repr(found))
        lifted = EntropicFeatures(features=8, kernel=kernel).fit_transform(X)
        check("%s: features" % what, lifted.shape == (40, 8) and np.isfinite(lifted.data).all())
        shared = entropic.fit_shards("n.csv", "y", kernel=kernel, **RIDGE)
        check("%s: of shards" % what, bytes_of(shared) == expected and shared.get_params()["kernel"] == kernel)
    number = EntropicRegressor(**RIDGE, kernel={"p": "1 + w*x", "q": 1}).fit(X, y)
    check("a number as an expression",
          bytes_of(number) == bytes_of(EntropicRegressor(**RIDGE, kernel=SOBOLEV).fit(X, y)))
    grid = GridSearchCV(EntropicRegressor(**RIDGE), {"kernel": ["laplace", SOBOLEV, EQUATION]}, cv=2).fit(X, y)
    check("a grid of kernels", grid.best_params_["kernel"] in ("laplace", SOBOLEV, EQUATION) and
          np.isfinite(grid.cv_results_["mean_test_score"]).all())
    compared = entropic.compare(X, y, kernel=SOBOLEV, features=[5], runs=1)
    check("compare", any(one["kernel"] == "custom" for one in compared.methods), compared.methods)
    for what, kernel, said in (("an unknown key", {"p": "1", "qq": "1"}, ["'qq'", "did you mean 'q'"]),
                               ("a missing one", {"p": "1 + x"}, ["p needs q"]), ("none", {}, ["p and q"]),
                               ("both ways", {**SOBOLEV, **EQUATION}, ["not both"]),
                               ("a key that is no text", {1: "1"}, ["kernel", "1"]),
                               ("no expression", {"p": "1 +", "q": "1"}, ["p"]),
                               ("a mistyped name", "custm", ["custom"])):
        found = refused(ValueError, lambda: EntropicRegressor(**RIDGE, kernel=kernel).fit(X, y), *said)
        check("a kernel with %s is refused" % what, not found, found)


def names():
    for estimator in (EntropicRegressor, EntropicClassifier, EntropicFeatures):
        who, known = estimator.__name__, inspect.signature(estimator).parameters
        check("%s: no parameter ends with an underscore" % who, not [name for name in known if name.endswith("_")])
        check("%s: none is of one kernel alone" % who, not set(known) & {"p", "q", "alpha", "beta", "left", "right"})
        check("%s: get_params has those of the signature" % who, set(estimator().get_params()) == set(known))
    check("yes and no are booleans", EntropicRegressor().unrestricted is True and
          EntropicRegressor().keep_statistics is False)
    for value in (False, "no"):
        found = EntropicRegressor(only=[0], unrestricted=value, **RIDGE).fit(X, y)
        check("unrestricted=%r" % value, found.report_["unrestricted"] is None, found.report_["unrestricted"])
    found = EntropicRegressor(only=[0], unrestricted=True, **RIDGE).fit(X, y)
    check("unrestricted=True", found.report_["unrestricted"] is not None)
    keeping = EntropicRegressor(keep_statistics="yes", **RIDGE).partial_fit(X, y)
    check("keep_statistics as text", len(keeping.receipt()) > 9 and
          not hasattr(EntropicRegressor(keep_statistics="no"), "partial_fit"))
    for what, call in (("the constructor", lambda: EntropicRegressor(reg_lamda=1)),
                       ("compare", lambda: entropic.compare(X, y, reg_lamda=1, featurs=[5])),
                       ("a class that has no ridge", lambda: EntropicFeatures(lambda_=1))):
        found = refused(TypeError, call, "unexpected keyword argument")
        check("%s refuses an unknown name" % what, not found, found)
    found = refused(TypeError, lambda: EntropicRegressor(reg_lamda=1), "EntropicRegressor", "did you mean 'reg_lambda'")
    check("and names the nearest one", not found, found)
    found = refused(ValueError, lambda: EntropicRegressor().set_params(reg_lamda=1), "reg_lamda", "reg_lambda")
    check("so does set_params", not found, found)
    found = refused(ValueError, lambda: entropic.fit_shards("n.csv", "y", fetures=5), "features")
    check("and fit_shards", not found, found)
    found = refused(ValueError, lambda: EntropicRegressor(reg_lambda=-1).fit(X, y), "reg_lambda")
    check("a value that is refused is called as it was given", not found, found)


def silence():
    """No old name was used: no warning of them anywhere."""
    def all_of_it():
        model = clone(EntropicRegressor(**RIDGE, kernel=SOBOLEV)).set_params(reg_lambda=0.1, unrestricted=False)
        repr(model.fit(X, y)), model._repr_html_(), copy.deepcopy(model).predict(X)
        pickle.loads(pickle.dumps(model)).get_params()
        GridSearchCV(EntropicRegressor(**QUICK), {"reg_lambda": [0.1, 1]}, cv=2).fit(X, y)
        EntropicFeatures(features=5).fit(X), EntropicClassifier(**RIDGE).fit(X, y > 0.8)
    _, said = warned(all_of_it)
    check("new names do not warn", not said, [str(one.message) for one in said])


def old_names():
    expected = EntropicRegressor(**RIDGE, kernel=SOBOLEV).fit(X, y)
    old = {"lambda_": 0.01, "kernel": "custom", **SOBOLEV}
    made, said = warned(lambda: EntropicRegressor(**QUICK, **old))
    check("a constructor only stores", not said and made.get_params()["lambda_"] == 0.01 and made.lambda_ == 0.01)
    found, said = warned(lambda: made.fit(X, y))
    text = "; ".join(str(one.message) for one in said)
    check("fit warns once", len(said) == 1, text)
    check("and names the new way",
          all(word in text for word in ("lambda_", "reg_lambda", "kernel={'p': ..., 'q': ...}")), text)
    check("at the caller's line", [one.filename for one in said] == [__file__], [one.filename for one in said])
    check("old names: the same model", bytes_of(found) == bytes_of(expected))
    _, said = warned(lambda: found.predict(X))
    check("predict does not warn", not said)
    for what, copied in (("clone", clone(made)), ("a clone of a clone", clone(clone(made)))):
        again, said = warned(lambda: copied.fit(X, y))
        check("%s: the same model, one warning" % what,
              bytes_of(again) == bytes_of(expected) and len(said) == 1, len(said))
    for what, copied in (("pickle", pickle.loads(pickle.dumps(made))), ("deepcopy", copy.deepcopy(made))):
        again, said = warned(lambda: copied.fit(X, y))
        check("%s: the same model, with the new names" % what, bytes_of(again) == bytes_of(expected) and not said and
              copied.get_params()["reg_lambda"] == 0.01 and copied.get_params()["kernel"] == SOBOLEV)
    equation = {"kernel": "custom", "alpha_": "1", "beta_": "-w^2", "left": "1,-w", "right": "1,w"}
    lifted, said = warned(lambda: EntropicFeatures(features=8, **equation).fit_transform(X))
    check("features with old names", len(said) == 1 and
          (lifted != EntropicFeatures(features=8, kernel=EQUATION).fit_transform(X)).nnz == 0)
    found, said = warned(lambda: EntropicRegressor(**RIDGE, keep_statistics=True).set_params(
        reg_lambda="auto").set_params(**old).partial_fit(X, y))
    check("partial_fit with old names", len(said) == 1 and found.get_params()["kernel"] == SOBOLEV, len(said))
    found, said = warned(lambda: EntropicRegressor(**QUICK, keep_statistics=True, **old).partial_fit(X, y))
    check("partial_fit warns at the caller's line", [one.filename for one in said] == [__file__], len(said))
    shared, said = warned(lambda: entropic.fit_shards("n.csv", "y", **QUICK, **old))
    check("fit_shards with old names", len(said) == 1 and bytes_of(shared) == bytes_of(expected) and
          shared.get_params()["reg_lambda"] == 0.01, len(said))
    compared, said = warned(lambda: entropic.compare(X, y, features=[5], runs=1, kernel="custom", **SOBOLEV))
    check("compare with old names",
          len(said) == 1 and any(one["kernel"] == "custom" for one in compared.methods), len(said))


def set_by_old_names():
    model = EntropicRegressor(**RIDGE, kernel=SOBOLEV)
    given, said = warned(lambda: model.set_params(lambda_=0.5, q="2"))
    check("set_params warns once, where it is called", len(said) == 1 and said[0].filename == __file__)
    params = given.get_params()
    check("and leaves the new names", given is model and params["reg_lambda"] == 0.5 and "lambda_" not in params and
          params["kernel"] == {"p": "1 + w*x", "q": "2"} and SOBOLEV["q"] == "1", params["kernel"])
    _, said = warned(lambda: model.fit(X, y))
    check("so that fit does not warn", not said)
    later, said = warned(lambda: EntropicRegressor(**QUICK).set_params(p="1 + w*x", q="1"))
    check("set_params without a custom kernel", len(said) == 1 and later.get_params()["p"] == "1 + w*x")
    _, said = warned(lambda: later.set_params(kernel="custom", reg_lambda=0.01).fit(X, y))
    check("expressions before their kernel", len(said) == 1 and
          bytes_of(later) == bytes_of(EntropicRegressor(**RIDGE, kernel=SOBOLEV).fit(X, y)))
    grid, said = warned(lambda: GridSearchCV(EntropicRegressor(**QUICK), {"lambda_": [1e-3, 10]}, cv=2).fit(X, y))
    new = GridSearchCV(EntropicRegressor(**QUICK), {"reg_lambda": [1e-3, 10]}, cv=2).fit(X, y)
    check("a grid over lambda_: that over reg_lambda",
          grid.best_params_["lambda_"] == new.best_params_["reg_lambda"] and
          np.array_equal(grid.cv_results_["mean_test_score"], new.cv_results_["mean_test_score"]))
    check("with one warning a fit", len(said) == 5, len(said))
    piped = make_pipeline(EntropicFeatures(features=5), EntropicRegressor(**QUICK))
    _, said = warned(lambda: piped.set_params(entropicregressor__lambda_=3.0))
    check("in a pipeline", len(said) == 1 and piped.get_params()["entropicregressor__reg_lambda"] == 3.0)
    newer = EntropicRegressor(lambda_=1.0, **QUICK).set_params(reg_lambda=0.01)
    _, said = warned(lambda: newer.fit(X, y))
    check("the name that is set last counts", not said and
          bytes_of(newer) == bytes_of(EntropicRegressor(**RIDGE).fit(X, y)))
    for what, given, said in (
            ("reg_lambda and lambda_", {"reg_lambda": 0.5, "lambda_": 0.1}, ["reg_lambda", "both"]),
            ("a key and its old name", {"kernel": SOBOLEV, "p": "2"}, ["kernel['p']", "old name"]),
            ("an expression without its kernel", {"kernel": "laplace", "p": "1"}, ["p is", "'laplace'"])):
        found = refused(ValueError, lambda: warned(lambda: EntropicRegressor(**QUICK, **given).fit(X, y)), *said)
        check("%s: refused" % what, not found, found)


def pickles():
    """Made when `lambda_` and the six expressions were parameters: fits to X and y as above, of classes "low" and
    "high" below and above .8. Never made anew."""
    folder = os.path.join(SOURCE, "tests", "golden")
    with open(os.path.join(folder, "python-outputs.json")) as file:
        expected = {name: np.array(values) for name, values in json.load(file).items()}
    changed = {"regressor": {"reg_lambda": 0.01, "unrestricted": "no", "features": 8},
               "classifier": {"reg_lambda": 0.1, "loss": "logistic"},
               "custom": {"reg_lambda": 0.01, "kernel": SOBOLEV}, "equation": {"kernel": EQUATION},
               "features": {"kernel": "centred", "features": 8},
               "unfitted": {"reg_lambda": "theory", "kernel": "laplace"}}
    for name, params in changed.items():
        with open(os.path.join(folder, "python-%s.pickle" % name), "rb") as file:
            data = file.read()
        found, said = warned(lambda: pickle.loads(data))
        known = found.get_params()
        check("%s of 0.2: loads without a word" % name, not said, [str(one.message) for one in said])
        check("%s of 0.2: has the new names" % name, set(known) == set(inspect.signature(type(found)).parameters) and
              all(known[key] == value for key, value in params.items()), known)
        check("%s of 0.2: no old attribute is left" % name,
              not {"lambda_", "p", "q", "alpha_", "beta_", "left", "right"} & set(vars(found)))
        check("%s of 0.2: its representation and clone" % name, clone(found).get_params() == known and
              type(found).__name__ in repr(found))
        if name == "unfitted":
            told = refused(NotFittedError, lambda: found.predict(X), "not fitted")
            check("unfitted of 0.2: is so", not told, told)
            continue
        target = np.where(y > 0.8, "high", "low") if name == "classifier" else y
        again, said = warned(lambda: clone(found).fit(X, target))
        check("%s of 0.2: a clone fits without a word" % name, not said, [str(one.message) for one in said])
        for what, model in (("pickle", found), ("clone that is fitted", again)):
            out = model.predict_proba(X) if name == "classifier" else model.predict(X) if hasattr(
                model, "predict") else model.transform(X).toarray()
            off = np.abs(np.ravel(out)[:200] - expected[name]).max()
            check("%s of 0.2: outputs of the %s" % (name, what), off <= 1e-12, off)


for part in (kernels, names, silence, old_names, set_by_old_names, pickles):
    part()
sys.exit(end())
