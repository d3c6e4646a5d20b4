"""The boosting classifiers, one file per algorithm; `all_boosters` finds them."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from underdog.estimators.support.base import Booster


def all_boosters() -> dict[str, type[Booster]]:
    """Every boosting classifier by name, for documentation, command line and tests.

    Examples
    --------
    >>> from underdog.estimators import all_boosters
    >>> list(all_boosters())[:2]
    ['AdaBoostAClassifier', 'AdaBoostClassifier']
    """
    from underdog.estimators.support.base import Booster

    found: dict[str, type[Booster]] = {}
    for module in pkgutil.iter_modules(__path__):
        contents = vars(importlib.import_module(f"{__name__}.{module.name}"))
        for name, thing in contents.items():
            if isinstance(thing, type) and issubclass(thing, Booster) and "Classifier" in name:
                found[name] = thing
    return dict(sorted(found.items()))
