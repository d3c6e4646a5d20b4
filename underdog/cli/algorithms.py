"""The boosters by the names that the command line has for them."""

from __future__ import annotations

import difflib
import inspect
from typing import Any

import typer

from underdog.estimators import all_boosters
from underdog.estimators.adaboost_a import AdaBoostAClassifier
from underdog.estimators.support.base import Booster
from underdog.estimators.support.uneven import Uneven

COMPOSED = "BoostingClassifier"
"""Is put together from parts in Python, which a command line cannot do."""
MANY_ROWS = 20_000
"""Linear programmes of more rows take longer than a first look should."""


def algorithms() -> dict[str, type[Booster]]:
    """Every booster by its name without "Classifier", in lower case.

    Examples
    --------
    >>> from underdog.cli.algorithms import algorithms
    >>> algorithms()["lpuboost"].__name__
    'LPUBoostClassifier'
    """
    return {
        name.removesuffix("Classifier").lower(): kind
        for name, kind in all_boosters().items()
        if name != COMPOSED
    }


def algorithm(name: str) -> type[Booster]:
    """The booster of this name; AdaBoost.A may be written as in its paper."""
    known = algorithms()
    to_python = name.lower().removesuffix("classifier").replace(".", "").replace("-", "")
    if to_python not in known:
        near = difflib.get_close_matches(to_python, known, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
        raise typer.BadParameter(
            f"there is no model {name!r}; {hint} (underdog list tells about each)"
        )
    return known[to_python]


def make(
    name: str, settings: dict[str, Any], positive: Any, costs: Any, always: bool = False
) -> Booster:
    """A booster with these parameters.

    One that treats classes differently learns with the costs; others only if they must, since
    plain boosting with calibrated probabilities decides as well or better.
    """
    kind = algorithm(name)
    known = inspect.signature(kind).parameters
    for setting in settings:
        if setting not in known:
            near = difflib.get_close_matches(setting, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise typer.BadParameter(f"{name} has no parameter {setting!r}; {hint}")
    if positive is not None:
        settings = {"pos_label": positive, **settings}
    if costs is not None and (always or issubclass(kind, Uneven | AdaBoostAClassifier)):
        settings = {"costs": costs, **settings}
    return kind(**settings)


def usual_candidates(n_classes: int, n_rows: int, n_folds: int) -> list[str]:
    """Which are compared where none is named, the plainest first."""
    if n_classes > 2 or not n_folds:
        return ["adaboost"]
    two = ["adaboost", "adauboost"]
    return two if n_rows > MANY_ROWS else [*two, "lpuboost"]


def paper(kind: type[Booster]) -> str:
    """The references in the docstring, as one paragraph."""
    text = inspect.getdoc(kind) or ""
    _, _, rest = text.partition("References\n----------\n")
    paragraph, _, _ = rest.partition("\n\n")
    return " ".join(paragraph.split())


def own_parameters(kind: type[Booster]) -> dict[str, Any]:
    """Parameters with their defaults."""
    return {name: each.default for name, each in inspect.signature(kind).parameters.items()}
