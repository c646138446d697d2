"""Entropic learns from tables: kernel models on entropic optimal features, with the interface of scikit-learn.

    from entropic import EntropicRegressor
    model = EntropicRegressor().fit(X, y)
    model.predict(X), model.explain()
"""
from ._compare import Comparison, compare
from ._estimators import EntropicClassifier, EntropicRegressor, load
from ._explain import Explanation, ShapleyValues
from ._features import EntropicFeatures
from ._library import (VERSION, EntropicError, EntropicMemoryError, EntropicSystemError, EntropicValueError,
                       EntropicWarning)
from ._shards import fit_shards
from ._signatures import Kernel

__version__ = VERSION
__all__ = ["EntropicRegressor", "EntropicClassifier", "EntropicFeatures", "Kernel", "compare", "load", "fit_shards",
           "Comparison", "Explanation", "ShapleyValues", "EntropicError", "EntropicValueError", "EntropicMemoryError",
           "EntropicSystemError", "EntropicWarning"]
