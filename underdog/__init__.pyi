from .automatic.classifier import UnderdogClassifier
from .automatic.regressor import UnderdogRegressor
from .checks import UnderdogWarning
from .comparison.compare import compare
from .comparison.compare_rankers import compare_rankers
from .comparison.compare_regressors import compare_regressors
from .comparison.evaluate import evaluate
from .comparison.evaluation import Evaluation
from .comparison.result import Comparison
from .costs import Costs
from .data import Table
from .decisions.calibrated_adamec import CalibratedAdaMECClassifier
from .decisions.cost_sensitive import CostSensitiveClassifier
from .decisions.population import recalibrate, with_prevalence
from .decisions.scoring import cost_scorer
from .decisions.thresholds import ThresholdClassifier
from .displays.alternating_tree import AlternatingTreeDisplay
from .displays.contributions import ContributionDisplay
from .displays.cost_curve import CostCurveDisplay
from .displays.hardest import HardestDisplay
from .displays.importances import ImportanceDisplay
from .displays.intervals import IntervalDisplay
from .displays.margins import MarginDisplay
from .displays.pairs import PairDisplay
from .displays.precision_recall import PrecisionRecallPointDisplay
from .displays.quantile_calibration import QuantileCalibrationDisplay
from .displays.reliability import ReliabilityDisplay
from .displays.residuals import ResidualDisplay
from .displays.rules_needed import RulesNeededDisplay
from .displays.shapes import ShapeDisplay
from .estimators.adaboost import AdaBoostClassifier
from .estimators.adaboost_a import AdaBoostAClassifier
from .estimators.adaboost_ecc import AdaBoostECCClassifier
from .estimators.adaboost_m1 import AdaBoostM1Classifier
from .estimators.adaboost_m2 import AdaBoostM2Classifier
from .estimators.adaboost_mh import AdaBoostMHClassifier
from .estimators.adaboost_mr import AdaBoostMRClassifier
from .estimators.adaboost_oc import AdaBoostOCClassifier
from .estimators.adaboost_r import AdaBoostRRegressor
from .estimators.adaboost_r2 import AdaBoostR2Regressor
from .estimators.adaboost_star import AdaBoostStarClassifier
from .estimators.adauboost import AdaUBoostClassifier
from .estimators.adtree import ADTreeClassifier
from .estimators.arc_gv import ArcGVClassifier
from .estimators.blended_trees import BlendedTreesClassifier
from .estimators.blended_trees_regressor import BlendedTreesRegressor
from .estimators.boost_by_majority import BoostByMajorityClassifier
from .estimators.boosting import BoostingClassifier
from .estimators.boosting_ranker import BoostingRanker
from .estimators.boosting_regressor import BoostingRegressor
from .estimators.brownboost import BrownBoostClassifier
from .estimators.erlpboost import ERLPBoostClassifier
from .estimators.exp_lev import ExpLevRegressor
from .estimators.gentle_adaboost import GentleAdaBoostClassifier
from .estimators.gradient_boosting import GradientBoostingClassifier
from .estimators.gradient_boosting_regressor import GradientBoostingRegressor
from .estimators.hull_boost import HullBoostClassifier
from .estimators.hull_boost_regressor import HullBoostRegressor
from .estimators.ladtree import LADTreeClassifier
from .estimators.logistic_adaboost import LogisticAdaBoostClassifier
from .estimators.logitboost import LogitBoostClassifier
from .estimators.lpboost import LPBoostClassifier
from .estimators.lpuboost import LPUBoostClassifier
from .estimators.output_code_boost import OutputCodeBoostClassifier
from .estimators.rankboost import RankBoostRanker
from .estimators.ridgeway import RidgewayRegressor
from .estimators.robustboost import RobustBoostClassifier
from .estimators.slipper import SlipperClassifier
from .estimators.soft_margin_adaboost import SoftMarginAdaBoostClassifier
from .estimators.softboost import SoftBoostClassifier
from .estimators.square_lev import SquareLevRegressor
from .estimators.support.convergence import NotConverged
from .estimators.totalboost import TotalBoostClassifier
from .files import load, save
from .frames import BadData, FrameEncoder
from .inspection.scorecards import scorecard
from .inspection.shortening import shorten
from .memory import memory_limit
from .scanning import scan
from .text import TermVectorizer
from .versions import show_versions

__version__: str

__all__ = [
    "ADTreeClassifier",
    "AdaBoostAClassifier",
    "AdaBoostClassifier",
    "AdaBoostECCClassifier",
    "AdaBoostM1Classifier",
    "AdaBoostM2Classifier",
    "AdaBoostMHClassifier",
    "AdaBoostMRClassifier",
    "AdaBoostOCClassifier",
    "AdaBoostR2Regressor",
    "AdaBoostRRegressor",
    "AdaBoostStarClassifier",
    "AdaUBoostClassifier",
    "AlternatingTreeDisplay",
    "ArcGVClassifier",
    "BadData",
    "BlendedTreesClassifier",
    "BlendedTreesRegressor",
    "BoostByMajorityClassifier",
    "BoostingClassifier",
    "BoostingRanker",
    "BoostingRegressor",
    "BrownBoostClassifier",
    "CalibratedAdaMECClassifier",
    "Comparison",
    "ContributionDisplay",
    "CostCurveDisplay",
    "CostSensitiveClassifier",
    "Costs",
    "ERLPBoostClassifier",
    "Evaluation",
    "ExpLevRegressor",
    "FrameEncoder",
    "GentleAdaBoostClassifier",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "HardestDisplay",
    "HullBoostClassifier",
    "HullBoostRegressor",
    "ImportanceDisplay",
    "IntervalDisplay",
    "LADTreeClassifier",
    "LPBoostClassifier",
    "LPUBoostClassifier",
    "LogisticAdaBoostClassifier",
    "LogitBoostClassifier",
    "MarginDisplay",
    "NotConverged",
    "OutputCodeBoostClassifier",
    "PairDisplay",
    "PrecisionRecallPointDisplay",
    "QuantileCalibrationDisplay",
    "RankBoostRanker",
    "ReliabilityDisplay",
    "ResidualDisplay",
    "RidgewayRegressor",
    "RobustBoostClassifier",
    "RulesNeededDisplay",
    "ShapeDisplay",
    "SlipperClassifier",
    "SoftBoostClassifier",
    "SoftMarginAdaBoostClassifier",
    "SquareLevRegressor",
    "Table",
    "TermVectorizer",
    "ThresholdClassifier",
    "TotalBoostClassifier",
    "UnderdogClassifier",
    "UnderdogRegressor",
    "UnderdogWarning",
    "compare",
    "compare_rankers",
    "compare_regressors",
    "cost_scorer",
    "evaluate",
    "load",
    "memory_limit",
    "recalibrate",
    "save",
    "scan",
    "scorecard",
    "shorten",
    "show_versions",
    "with_prevalence",
]
