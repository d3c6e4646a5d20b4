"""underdog: weak rules and small classes made strong."""

from underdog.checks import NotConverged, UnderdogWarning
from underdog.data import Table
from underdog.estimators.adaboost import AdaBoostClassifier
from underdog.estimators.adaboost_a import AdaBoostAClassifier
from underdog.estimators.adaboost_mh import AdaBoostMHClassifier
from underdog.estimators.adauboost import AdaUBoostClassifier
from underdog.estimators.boosting import BoostingClassifier
from underdog.estimators.erlpboost import ERLPBoostClassifier
from underdog.estimators.lpboost import LPBoostClassifier
from underdog.estimators.lpuboost import LPUBoostClassifier
from underdog.estimators.softboost import SoftBoostClassifier
from underdog.estimators.totalboost import TotalBoostClassifier

__version__ = "0.1.0"

__all__ = [
    "AdaBoostAClassifier",
    "AdaBoostClassifier",
    "AdaBoostMHClassifier",
    "AdaUBoostClassifier",
    "BoostingClassifier",
    "ERLPBoostClassifier",
    "LPBoostClassifier",
    "LPUBoostClassifier",
    "NotConverged",
    "SoftBoostClassifier",
    "Table",
    "TotalBoostClassifier",
    "UnderdogWarning",
]
