"""The boosters under their names on the command line; each is imported when it is used."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from underdog.files.registry import KINDS
from underdog.frames.errors import did_you_mean

if TYPE_CHECKING:
    from underdog.estimators.support.classifier import Classifier

COMPOSED = ("BoostingClassifier", "BoostingRanker", "BoostingRegressor")
"""Are composed of parts in Python, which a command line cannot do."""
MANY_CLASSES = 30
"""With more classes, trees take too long for a default: each class has its value in each leaf."""
BLENDED, BLENDED_REGRESSOR = "blendedtrees", "blendedtreesregressor"
"""The default models."""


def algorithms() -> dict[str, str]:
    """Every classifier by its name without "Classifier", in lower case, and its class.

    Examples
    --------
    >>> from underdog.cli.algorithms import algorithms
    >>> algorithms()["lpuboost"]
    'LPUBoostClassifier'
    """
    return {name.removesuffix("Classifier").lower(): name for name in _boosters("Classifier")}


def regressors() -> dict[str, str]:
    """Every regressor by its name without "Regressor", in lower case, and its class.

    It keeps the ending if there is a classifier of the same name.

    Examples
    --------
    >>> from underdog.cli.algorithms import regressors
    >>> [name for name in regressors() if name.endswith("regressor")]
    ['blendedtreesregressor', 'gradientboostingregressor', 'hullboostregressor']
    """
    taken = algorithms()
    short = {name: name.removesuffix("Regressor").lower() for name in _boosters("Regressor")}
    return {name.lower() if each in taken else each: name for name, each in short.items()}


def rankers() -> dict[str, str]:
    """Every ranker by its name without "Ranker", in lower case, and its class.

    Examples
    --------
    >>> from underdog.cli.algorithms import rankers
    >>> rankers()
    {'rankboost': 'RankBoostRanker'}
    """
    return {name.removesuffix("Ranker").lower(): name for name in _boosters("Ranker")}


def _boosters(ending: str) -> list[str]:
    own = (name for name, module in KINDS.items() if module.startswith("underdog.estimators."))
    return sorted(name for name in own if name.endswith(ending) and name not in COMPOSED)


def algorithm_name(name: str) -> str:
    """The name of a booster on the command line; AdaBoost.A may be written as in its paper."""
    known = {**algorithms(), **regressors(), **rankers()}
    written = name.lower().removesuffix("classifier").replace(".", "").replace("-", "")
    if written not in known:
        written = written.removesuffix("regressor").removesuffix("ranker")
    if written not in known:
        hint = did_you_mean(written, known, "models")
        raise typer.BadParameter(f"there is no model {name!r}: {hint}")
    return written


def class_algorithm(name: str) -> str:
    """The same for a classifier; refuse a regressor."""
    found = algorithm_name(name)
    if found in regressors():
        raise typer.BadParameter(f"--model {name} is for numbers, not for classes")
    if found in rankers():
        raise typer.BadParameter(f"--model {name} is for rankings: give --query COLUMN")
    return found


def algorithm(name: str) -> type[Any]:
    """The class of the booster with this name."""
    kind = {**algorithms(), **regressors(), **rankers()}[algorithm_name(name)]
    found: type[Any] = getattr(import_module(KINDS[kind]), kind)
    return found


def make(
    name: str, settings: dict[str, Any], positive: Any, costs: Any, always: bool = False
) -> Classifier:
    """A booster with these parameters.

    An algorithm that treats classes differently is trained with the costs. Others are trained with
    them only if `always`: plain boosting with calibrated probabilities decides as well or better.
    If an algorithm has no parameter max_depth, its weak rules become trees of this depth.
    """
    from underdog.estimators.adaboost_a import AdaBoostAClassifier
    from underdog.estimators.support.uneven import Uneven

    kind = algorithm(name)
    settings = checked_settings(name, settings)
    if positive is not None:
        settings = {"pos_label": positive, **settings}
    if costs is not None and (always or issubclass(kind, Uneven | AdaBoostAClassifier)):
        settings = {"costs": costs, **settings}
    made: Classifier = kind(**settings)
    return made


def checked_settings(name: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Parameters that this booster has; refuse others."""
    known = parameters_of(algorithm(name))
    settings = _with_trees(settings, known)
    for setting in settings:
        if setting not in known:
            hint = did_you_mean(setting, known, "parameters")
            raise typer.BadParameter(f"--set: {name} has no parameter {setting!r}: {hint}")
    _check_learner(settings.get("learner"))
    return settings


class Default(NamedTuple):
    """The algorithm that is used if none is given, and why; the reason may be empty."""

    name: str
    reason: str = ""


def default_classifier(n_classes: int, learner: Any) -> Default:
    """The default for classes; other weak rules than trees are for AdaBoost."""
    if learner not in (None, "tree"):
        return Default("adaboost", f"--learner {learner}: AdaBoost, which has such weak rules.")
    if n_classes > MANY_CLASSES:
        return Default(
            "adaboost",
            f"{n_classes:,} classes: AdaBoost, because trees with a value for each class in each "
            f"leaf would take long; --model {BLENDED} trains them nevertheless.",
        )
    return Default(BLENDED)


def default_regressor(learner: Any) -> Default:
    """The default for numbers; other weak rules than trees are for gradient boosting."""
    if learner in (None, "tree"):
        return Default(BLENDED_REGRESSOR)
    reason = f"--learner {learner}: gradient boosting, which has such weak rules."
    return Default("gradientboostingregressor", reason)


def settings_by_size(
    name: str, given: dict[str, Any], shape: tuple[int, int], weights: Any = None
) -> tuple[dict[str, Any], list[str]]:
    """The parameters of a booster for data of this shape, and why, in sentences.

    Those that are given come first. Only blended trees depend on the shape, in which rows count as
    often as their weights say.
    """
    if name not in (BLENDED, BLENDED_REGRESSOR):
        return given, []
    from underdog.automatic.examples import repeats_of
    from underdog.automatic.settings import settings_for

    n_rows, n_columns = shape
    n_examples = int(repeats_of(weights, n_rows).sum())
    found = settings_for(n_examples, n_columns, "row" if n_examples == n_rows else "example")
    own = {key: value for key, value in given.items() if key not in ("random_state", "n_jobs")}
    reasons = [found.reason]
    if own:
        changed = ", ".join(f"{key}={value}" for key, value in own.items())
        reasons.append(f"Options change this: {changed}.")
    return found.changed(given), reasons


def parameters_of(kind: type[Any]) -> dict[str, Any]:
    """Parameters with their defaults."""
    return {name: each.default for name, each in inspect.signature(kind).parameters.items()}


def check_classes(name: str, booster: Classifier, n_classes: int) -> None:
    """Refuse an algorithm that is for two classes where there are more."""
    if n_classes > 2 and not booster.__sklearn_tags__().classifier_tags.multi_class:
        raise typer.BadParameter(
            f"{name} is for two classes, but there are {n_classes}: use --model adaboostmh"
        )


def _check_learner(learner: Any) -> None:
    """Refuse a name that no learner has."""
    from underdog.learners.criteria import NAMES

    names = (*NAMES, "c4.5-like", "tree")
    if isinstance(learner, str) and learner not in names:
        raise typer.BadParameter(f"--learner {learner}: give one of {', '.join(names)}")


def _with_trees(settings: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """The same parameters; max_depth, if the algorithm has no such parameter, becomes a learner."""
    if "max_depth" not in settings:
        return settings
    learner = settings.get("learner", "tree")
    if learner != "tree":
        raise typer.BadParameter(
            f"--max-depth is for trees, but the learner is {learner!r}: leave one of them out"
        )
    if "max_depth" in known:
        return settings

    from underdog.learners import TreeLearner

    others = {name: value for name, value in settings.items() if name != "max_depth"}
    return {**others, "learner": TreeLearner(max_depth=settings["max_depth"])}
