"""All models, each with its defaults and on one thread."""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

from experiments.defaults import ours, peers
from experiments.defaults.kinds import BINARY, MULTICLASS, MULTILABEL, NUMBER, QUANTILES
from experiments.defaults.tasks import FOLDS, TASKS, Task

CLASSES = (BINARY, MULTICLASS, MULTILABEL)
NUMBERS = (NUMBER, QUANTILES)
SLOW_FOLDS = 2
MAIN = "underdog"
"""The default model, which is what the experiment judges."""
FIRST = set({(task.family, task.source): task.name for task in reversed(TASKS.values())}.values())
"""The first set of each source."""


@dataclass(frozen=True)
class Model:
    """How a model is made for a task, and which tasks it takes.

    Attributes
    ----------
    title : str
    make : called with a task, gives an estimator that takes its frame
    kinds : of targets
    text : bool
        Whether it takes documents, or the sparse matrix that is made of them.
    needs : str
        The module that must be there.
    slow : tuple of str
        Families in which two folds must do.
    sparing : tuple of str
        Families in which one set of each source must do.
    own : bool
        Whether it is one of this library.
    """

    title: str
    make: Callable[[Task], Any]
    kinds: tuple[str, ...] = (*CLASSES, NUMBER)
    text: bool = True
    needs: str = field(default="sklearn", kw_only=True)
    slow: tuple[str, ...] = field(default=(), kw_only=True)
    sparing: tuple[str, ...] = field(default=(), kw_only=True)
    own: bool = field(default=False, kw_only=True)

    def takes(self, task: Task) -> bool:
        """Whether it can be fitted to this task."""
        if task.family in self.sparing and task.name not in FIRST:
            return False
        return task.kind in self.kinds and (self.text or task.family != "text")

    def folds(self, task: Task) -> range:
        """The folds that it is fitted to."""
        return range(SLOW_FOLDS if task.family in self.slow else FOLDS)

    @property
    def there(self) -> bool:
        """Whether what it needs is installed."""
        return find_spec(self.needs) is not None


MODELS = {
    "random-forest": Model("random forest", peers.random_forest),
    "extra-trees": Model("extra trees", peers.extra_trees),
    "logistic-regression": Model("logistic regression", peers.logistic_regression, CLASSES),
    "linear-svm": Model("linear SVM", peers.linear_svm, CLASSES),
    "ridge": Model("ridge regression", peers.ridge, (NUMBER,), False),
    "lightgbm": Model("LightGBM", peers.lightgbm, (*CLASSES, *NUMBERS), needs="lightgbm"),
    "xgboost": Model("XGBoost", peers.xgboost, (*CLASSES, *NUMBERS), needs="xgboost"),
    "hist": Model("HistGradientBoosting", peers.hist, (*CLASSES, *NUMBERS), False),
    "sklearn-adaboost": Model("scikit-learn's AdaBoost", peers.adaboost),
    "balanced-forest": Model("balanced forest", peers.balanced_forest, CLASSES, needs="imblearn"),
    "catboost": Model(
        "CatBoost",
        peers.catboost,
        (*CLASSES, *NUMBERS),
        needs="catboost",
        slow=("text",),
        sparing=("text",),
    ),
    "easy-ensemble": Model("EasyEnsemble", peers.easy_ensemble, CLASSES, needs="imblearn"),
    "ebm": Model(
        "EBM",
        peers.ebm,
        (BINARY, MULTICLASS, NUMBER),
        False,
        needs="interpret",
        slow=("tables", "regression"),
        sparing=("tables", "regression"),
    ),
    "adaboost": Model("our AdaBoost", ours.adaboost, CLASSES, own=True),
    "gradient-boosting": Model(
        "our GradientBoosting", ours.gradient_boosting, (*CLASSES, *NUMBERS), own=True
    ),
    "underdog": Model("Underdog", ours.underdog, (*CLASSES, *NUMBERS), own=True),
}
"""By the name that the command takes; cheap ones first."""
if not ours.HAS_UNDERDOG:
    del MODELS["underdog"]
