from .checks import NotConverged, UnderdogWarning
from .data import Table
from .estimators.adaboost import AdaBoostClassifier
from .estimators.adaboost_a import AdaBoostAClassifier
from .estimators.adaboost_mh import AdaBoostMHClassifier
from .estimators.adauboost import AdaUBoostClassifier
from .estimators.boosting import BoostingClassifier
from .estimators.erlpboost import ERLPBoostClassifier
from .estimators.lpboost import LPBoostClassifier
from .estimators.lpuboost import LPUBoostClassifier
from .estimators.softboost import SoftBoostClassifier
from .estimators.totalboost import TotalBoostClassifier
from .text import TermVectorizer

__version__: str

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
    "TermVectorizer",
    "TotalBoostClassifier",
    "UnderdogWarning",
]
