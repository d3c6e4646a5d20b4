"""The boosters, one file per algorithm, and functions that find all of a kind."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from underdog.estimators.support.classifier import Classifier
    from underdog.estimators.support.ranker import Ranker
    from underdog.estimators.support.regressor import Regressor


def all_boosters() -> dict[str, type[Classifier]]:
    """Every boosting classifier by name, for documentation, command line and tests.

    Examples
    --------
    >>> from underdog.estimators import all_boosters
    >>> list(all_boosters())[:2]
    ['ADTreeClassifier', 'AdaBoostAClassifier']
    """
    from underdog.estimators.support.classifier import Classifier

    return _all_of(Classifier, "Classifier")


def all_regressors() -> dict[str, type[Regressor]]:
    """Every boosting regressor by name, for documentation, command line and tests.

    Examples
    --------
    >>> from underdog.estimators import all_regressors
    >>> "GradientBoostingRegressor" in all_regressors()
    True
    """
    from underdog.estimators.support.regressor import Regressor

    return _all_of(Regressor, "Regressor")


def all_rankers() -> dict[str, type[Ranker]]:
    """Every boosting ranker by name, for documentation, command line and tests.

    Examples
    --------
    >>> from underdog.estimators import all_rankers
    >>> list(all_rankers())
    ['BoostingRanker', 'RankBoostRanker']
    """
    from underdog.estimators.support.ranker import Ranker

    return _all_of(Ranker, "Ranker")


def _all_of(kind: type[Any], word: str) -> dict[str, Any]:
    """All subclasses of `kind` that modules of this package define and that end with `word`."""
    found: dict[str, Any] = {}
    for module in pkgutil.iter_modules(__path__):
        place = f"{__name__}.{module.name}"
        for name, thing in vars(importlib.import_module(place)).items():
            own = isinstance(thing, type) and thing.__module__ == place
            if own and issubclass(thing, kind) and name.endswith(word):
                found[name] = thing
    return dict(sorted(found.items()))
