from .checks import NotConverged, UnderdogWarning
from .costs import Costs
from .data import Table
from .decisions.calibrated_adamec import CalibratedAdaMECClassifier
from .decisions.cost_sensitive import CostSensitiveClassifier
from .decisions.thresholds import ThresholdClassifier
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
    "CalibratedAdaMECClassifier",
    "CostSensitiveClassifier",
    "Costs",
    "ERLPBoostClassifier",
    "LPBoostClassifier",
    "LPUBoostClassifier",
    "NotConverged",
    "SoftBoostClassifier",
    "Table",
    "TermVectorizer",
    "ThresholdClassifier",
    "TotalBoostClassifier",
    "UnderdogWarning",
]
