"""Models of other libraries, with their defaults, one thread and a seed.

Each function makes an estimator for the frame of a task. What a library takes natively (categories,
missing values, documents) it is given; for the others categories become columns of 0 and 1, missing
numbers the median, and documents TF-IDF.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from experiments.defaults import inputs
from experiments.defaults.kinds import MULTILABEL, NUMBER, QUANTILES
from experiments.defaults.scores import LEVELS
from experiments.defaults.tasks import Task


def random_forest(task: Task) -> Any:
    """scikit-learn's, which takes several labels."""
    kind = RandomForestRegressor if task.kind == NUMBER else RandomForestClassifier
    return make_pipeline(_numbers(task), kind(random_state=0, n_jobs=1))


def extra_trees(task: Task) -> Any:
    """scikit-learn's, which takes several labels."""
    kind = ExtraTreesRegressor if task.kind == NUMBER else ExtraTreesClassifier
    return make_pipeline(_numbers(task), kind(random_state=0, n_jobs=1))


def logistic_regression(task: Task) -> Any:
    """On scaled columns."""
    return make_pipeline(_numbers(task, scaled=True), _each_label(task, LogisticRegression()))


def linear_svm(task: Task) -> Any:
    """On scaled columns, with a Platt line."""
    return make_pipeline(_numbers(task, scaled=True), _each_label(task, PlattSVM()))


def ridge(task: Task) -> Any:
    """On scaled columns."""
    return make_pipeline(_numbers(task, scaled=True), Ridge())


def adaboost(task: Task) -> Any:
    """scikit-learn's, of stumps; for numbers AdaBoost.R2 of trees of depth 3."""
    if task.kind == NUMBER:
        return make_pipeline(_numbers(task), AdaBoostRegressor(random_state=0))
    return make_pipeline(_numbers(task), _each_label(task, AdaBoostClassifier(random_state=0)))


def balanced_forest(task: Task) -> Any:
    """imbalanced-learn's."""
    kind = import_module("imblearn.ensemble").BalancedRandomForestClassifier
    return make_pipeline(_numbers(task), _each_label(task, kind(random_state=0, n_jobs=1)))


def easy_ensemble(task: Task) -> Any:
    """imbalanced-learn's."""
    kind = import_module("imblearn.ensemble").EasyEnsembleClassifier
    return make_pipeline(_numbers(task), _each_label(task, kind(random_state=0, n_jobs=1)))


def hist(task: Task) -> Any:
    """scikit-learn's, which takes categories and missing values."""
    if task.kind == QUANTILES:
        return EachQuantile(
            lambda level: HistGradientBoostingRegressor(
                loss="quantile", quantile=level, random_state=0
            )
        )
    if task.kind == NUMBER:
        return HistGradientBoostingRegressor(random_state=0)
    return _each_label(task, HistGradientBoostingClassifier(random_state=0))


def lightgbm(task: Task) -> Any:
    """Takes categories and missing values."""
    library = import_module("lightgbm")
    own = {"n_jobs": 1, "random_state": 0, "verbosity": -1}
    if task.kind == QUANTILES:
        return EachQuantile(
            lambda level: make_pipeline(
                inputs.plain_names(),
                library.LGBMRegressor(objective="quantile", alpha=level, **own),
            )
        )
    kind = library.LGBMRegressor if task.kind == NUMBER else library.LGBMClassifier
    return make_pipeline(_names(task), _each_label(task, kind(**own)))


def xgboost(task: Task) -> Any:
    """Takes categories and missing values."""
    library = import_module("xgboost")
    own: dict[str, Any] = {"n_jobs": 1, "random_state": 0}
    if task.family != "text":
        own["enable_categorical"] = True
    if task.kind == QUANTILES:
        own |= {"objective": "reg:quantileerror", "quantile_alpha": list(LEVELS)}
    kind = library.XGBRegressor if task.family == "regression" else library.XGBClassifier
    return make_pipeline(_names(task), _each_label(task, kind(**own)))


def catboost(task: Task) -> Any:
    """Takes categories, missing numbers and documents."""
    library = import_module("catboost")
    own: dict[str, Any] = {"thread_count": 1, "random_seed": 0, "verbose": 0}
    own |= {"allow_writing_files": False}
    if task.family == "text":
        return library.CatBoostClassifier(text_features=["text"], **own)
    if names := inputs.categories(task.X):
        own |= {"cat_features": names}
    if task.kind == QUANTILES:
        return EachQuantile(
            lambda level: make_pipeline(
                inputs.strings(),
                library.CatBoostRegressor(loss_function=f"Quantile:alpha={level}", **own),
            )
        )
    kind = library.CatBoostRegressor if task.family == "regression" else library.CatBoostClassifier
    return make_pipeline(inputs.strings(), _each_label(task, kind(**own)))


def ebm(task: Task) -> Any:
    """Takes categories and missing values."""
    library = import_module("interpret.glassbox")
    if task.kind == NUMBER:
        return library.ExplainableBoostingRegressor(random_state=0, n_jobs=1)
    return _each_label(task, library.ExplainableBoostingClassifier(random_state=0, n_jobs=1))


class PlattSVM(ClassifierMixin, BaseEstimator):
    """A linear SVM with a sigmoid fitted to scores of five folds, fewer where a class has fewer."""

    def fit(self, X: Any, y: NDArray[Any]) -> "PlattSVM":
        """Fit both."""
        rarest = int(np.unique(y, return_counts=True)[1].min())
        self.model_ = CalibratedClassifierCV(
            LinearSVC(random_state=0), ensemble=False, cv=min(5, rarest)
        ).fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class."""
        return np.asarray(self.model_.predict(X))

    def predict_proba(self, X: Any) -> NDArray[Any]:
        """By class."""
        return np.asarray(self.model_.predict_proba(X))


class EachQuantile:
    """A model for each quantile."""

    def __init__(self, make: Callable[[float], Any]) -> None:
        self._make = make

    def fit(self, X: Any, y: NDArray[Any]) -> "EachQuantile":
        """Fit all of them."""
        self._models = [self._make(level).fit(X, y) for level in LEVELS]
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """(n, 3) the quantiles."""
        return np.column_stack([model.predict(X) for model in self._models])

    def __getstate__(self) -> dict[str, Any]:
        return {"_models": self._models}


def _numbers(task: Task, *, scaled: bool = False) -> Any:
    return inputs.tf_idf() if task.family == "text" else inputs.numbers(scaled=scaled)


def _names(task: Task) -> Any:
    return inputs.tf_idf() if task.family == "text" else inputs.plain_names()


def _each_label(task: Task, model: Any) -> Any:
    return OneVsRestClassifier(model) if task.kind == MULTILABEL else model
