"""Which classes may be in a model file. Loading imports nothing that is not listed here."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from underdog.files.errors import CannotStore

KINDS = {
    "AbsoluteError": "underdog.losses.quantile",
    "AdaBoostAClassifier": "underdog.estimators.adaboost_a",
    "AdaBoostClassifier": "underdog.estimators.adaboost",
    "AdaBoostECCClassifier": "underdog.estimators.adaboost_ecc",
    "AdaBoostMHClassifier": "underdog.estimators.adaboost_mh",
    "AdaBoostOCClassifier": "underdog.estimators.adaboost_oc",
    "AdaBoostM1Classifier": "underdog.estimators.adaboost_m1",
    "AdaBoostM2Classifier": "underdog.estimators.adaboost_m2",
    "AdaBoostMRClassifier": "underdog.estimators.adaboost_mr",
    "AdaBoostRRegressor": "underdog.estimators.adaboost_r",
    "AdaBoostR2Regressor": "underdog.estimators.adaboost_r2",
    "AdaBoostStarClassifier": "underdog.estimators.adaboost_star",
    "AdaUBoostClassifier": "underdog.estimators.adauboost",
    "ArcGVClassifier": "underdog.estimators.arc_gv",
    "ADTreeClassifier": "underdog.estimators.adtree",
    "AlternatingLearner": "underdog.learners.alternating",
    "Backtracking": "underdog.combiners.backtracking",
    "Barrier": "underdog.combiners.barrier",
    "Binary": "underdog.codes.binary",
    "BinaryLabels": "underdog.codes.binary",
    "BlendedTreesClassifier": "underdog.estimators.blended_trees",
    "BlendedTreesRegressor": "underdog.estimators.blended_trees_regressor",
    "BoostByMajorityClassifier": "underdog.estimators.boost_by_majority",
    "BoostingClassifier": "underdog.estimators.boosting",
    "BoostingRanker": "underdog.estimators.boosting_ranker",
    "BoostingRegressor": "underdog.estimators.boosting_regressor",
    "BrownBoostClassifier": "underdog.estimators.brownboost",
    "BrownPotential": "underdog.losses.potentials",
    "C45LikeLearner": "underdog.learners.c45_like",
    "CalibratedAdaMECClassifier": "underdog.decisions.calibrated_adamec",
    "CodedLabels": "underdog.codes.output_code",
    "ClassVotes": "underdog.losses.class_votes",
    "Clocked": "underdog.combiners.clocked",
    "CoshLoss": "underdog.losses.cosh",
    "CostSensitiveClassifier": "underdog.decisions.cost_sensitive",
    "CostWeighted": "underdog.combiners.cost_weighted",
    "Costs": "underdog.costs.costs",
    "Descent": "underdog.losses.descent",
    "ERLPBoostClassifier": "underdog.estimators.erlpboost",
    "ErrorBelowHalf": "underdog.combiners.error_below_half",
    "Ensemble": "underdog.model.ensemble",
    "EntropyProjection": "underdog.combiners.entropy",
    "EntropyRegularised": "underdog.combiners.entropy",
    "ExpLevRegressor": "underdog.estimators.exp_lev",
    "Exponential": "underdog.losses.exponential",
    "ExponentialCost": "underdog.losses.exponential_cost",
    "Forgiving": "underdog.combiners.forgiving",
    "FrameEncoder": "underdog.frames.encoder",
    "Gentle": "underdog.losses.gentle",
    "GentleAdaBoostClassifier": "underdog.estimators.gentle_adaboost",
    "GradeLabels": "underdog.codes.grades",
    "Grades": "underdog.codes.grades",
    "GradientBoostingClassifier": "underdog.estimators.gradient_boosting",
    "GradientBoostingRegressor": "underdog.estimators.gradient_boosting_regressor",
    "HuberLoss": "underdog.losses.huber",
    "Hull": "underdog.combiners.hull",
    "HullBoostClassifier": "underdog.estimators.hull_boost",
    "HullBoostRegressor": "underdog.estimators.hull_boost_regressor",
    "LPBoostClassifier": "underdog.estimators.lpboost",
    "LPUBoostClassifier": "underdog.estimators.lpuboost",
    "LADTreeClassifier": "underdog.estimators.ladtree",
    "LabelRanking": "underdog.losses.label_ranking",
    "LineSearch": "underdog.combiners.line_search",
    "LinearPenalty": "underdog.combiners.solved_last",
    "LinearProgramme": "underdog.combiners.linear_programme",
    "ListwiseSoftmax": "underdog.losses.listwise",
    "LogLoss": "underdog.losses.log_loss",
    "Logistic": "underdog.losses.logistic",
    "LogisticAdaBoostClassifier": "underdog.estimators.logistic_adaboost",
    "Logit": "underdog.losses.logit",
    "LogitBoostClassifier": "underdog.estimators.logitboost",
    "MajorityVote": "underdog.combiners.majority_vote",
    "MajorityVotes": "underdog.losses.majority",
    "HardMargin": "underdog.combiners.hard_margin",
    "MedianEnsemble": "underdog.model.median",
    "Mislabels": "underdog.estimators.support.colouring",
    "ModifiedHuber": "underdog.losses.modified_huber",
    "MultiLabel": "underdog.codes.multi_label",
    "MultiLabels": "underdog.codes.multi_label",
    "OneOfK": "underdog.codes.one_of_k",
    "OneOfKLabels": "underdog.codes.one_of_k",
    "OutputCode": "underdog.codes.output_code",
    "OutputCodeBoostClassifier": "underdog.estimators.output_code_boost",
    "PairSteps": "underdog.combiners.pair_steps",
    "PairwiseExponential": "underdog.losses.pairwise",
    "PairwisePlus": "underdog.estimators.support.rankboost_plus",
    "Parallel": "underdog.combiners.parallel",
    "Pipeline": "sklearn.pipeline",
    "PoissonLoss": "underdog.losses.poisson",
    "Pool": "underdog.learners.pool",
    "QuadraticPenalty": "underdog.combiners.solved_last",
    "QuantileLoss": "underdog.losses.quantile",
    "Ranked": "underdog.codes.ranked",
    "RankedLabels": "underdog.codes.ranked",
    "RankBoostRanker": "underdog.estimators.rankboost",
    "RealLabels": "underdog.codes.real_values",
    "RealValues": "underdog.codes.real_values",
    "RefittedVotes": "underdog.losses.refitted_votes",
    "ResidualVariance": "underdog.losses.variance",
    "RidgewayRegressor": "underdog.estimators.ridgeway",
    "RobustBoostClassifier": "underdog.estimators.robustboost",
    "RobustPotential": "underdog.losses.potentials",
    "RuleLearner": "underdog.learners.rules",
    "RuleError": "underdog.estimators.support.reweighting",
    "Schema": "underdog.data.schema",
    "SigmoidCost": "underdog.losses.sigmoid",
    "SlipperClassifier": "underdog.estimators.slipper",
    "SoftBoostClassifier": "underdog.estimators.softboost",
    "SoftExponential": "underdog.losses.soft_exponential",
    "SoftMargin": "underdog.losses.soft_margin",
    "SoftMarginAdaBoostClassifier": "underdog.estimators.soft_margin_adaboost",
    "Softmax": "underdog.codes.softmax",
    "SoftmaxLabels": "underdog.codes.softmax",
    "SoftmaxLogit": "underdog.losses.logit",
    "SoftmaxLoss": "underdog.losses.log_loss",
    "SquaredError": "underdog.losses.squared",
    "SquareLevRegressor": "underdog.estimators.square_lev",
    "Stagewise": "underdog.combiners.stagewise",
    "StumpLearner": "underdog.learners.stump",
    "TermVectorizer": "underdog.text.terms",
    "ThresholdClassifier": "underdog.decisions.thresholds",
    "ThresholdColumns": "underdog.codes.thresholds",
    "ThresholdLabels": "underdog.codes.thresholds",
    "TotalBoostClassifier": "underdog.estimators.totalboost",
    "SteepestDescent": "underdog.combiners.steepest",
    "TreeLearner": "underdog.learners.tree",
    "UnderdogClassifier": "underdog.automatic.classifier",
    "UnderdogRegressor": "underdog.automatic.regressor",
    "VotingMargins": "underdog.losses.voting_margins",
}
"""Name of a class and the module that defines it."""

ADAPTERS = {"Pipeline": ("underdog.files.pipelines", "StoredPipeline")}
"""For classes of another library: who writes and reads their state."""


def kind_of(thing: Any) -> str | None:
    """Under which name a thing is stored; None if it is of no class that can be."""
    own = type(thing)
    known = KINDS.get(own.__name__) == own.__module__
    return own.__name__ if known else None


def storer(kind: str) -> Any:
    """The class that has `_to_file` and `_from_file` for this kind."""
    module, name = ADAPTERS.get(kind, (KINDS[kind], kind))
    return getattr(import_module(module), name)


def refusal(thing: Any, place: str) -> CannotStore:
    """What to say of a thing that no file can hold."""
    own = type(thing)
    return CannotStore(
        f"{place} is a {own.__module__}.{own.__qualname__}, which an underdog file cannot hold: "
        "only underdog's own classes and scikit-learn's Pipeline can be stored; skops or pickle "
        "keep the others"
    )
