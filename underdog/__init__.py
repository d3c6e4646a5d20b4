"""underdog: weak rules and small classes made strong."""

from underdog.checks import UnderdogWarning
from underdog.data import Table
from underdog.estimators.adaboost import AdaBoostClassifier
from underdog.estimators.adaboost_a import AdaBoostAClassifier
from underdog.estimators.adaboost_mh import AdaBoostMHClassifier
from underdog.estimators.adauboost import AdaUBoostClassifier
from underdog.estimators.boosting import BoostingClassifier

__version__ = "0.1.0"

__all__ = [
    "AdaBoostAClassifier",
    "AdaBoostClassifier",
    "AdaBoostMHClassifier",
    "AdaUBoostClassifier",
    "BoostingClassifier",
    "Table",
    "UnderdogWarning",
]
