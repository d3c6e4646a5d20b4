"""What the paper says: per cent by which each model is worse than the best of three, on average.

Friedman, Annals of Statistics 29, 2001, sections 6.2 and 6.4, over 100 random targets. TreeBoost
had a learning rate of 0.1 in both comparisons of classifiers.
"""

from dataclasses import dataclass

from experiments.friedman.runs import ADABOOST, LOGITBOOST, SHRUNK, TREEBOOST, WHOLE
from experiments.friedman.targets import SIZES, SMALL

Model = tuple[str, object]
"""Errors or booster, and loss or learning rate."""


@dataclass(frozen=True)
class Comparison:
    """Three models on the same targets; `worse` has the published figures, if there are any."""

    title: str
    models: tuple[Model, Model, Model]
    worse: tuple[float | None, float, float]


COMPARISONS = (
    Comparison(
        "Normal errors",
        (("normal", "squared"), ("normal", "absolute"), ("normal", "huber")),
        (0.2, 7.4, 0.9),
    ),
    Comparison(
        "Slash errors",
        (("slash", "squared"), ("slash", "absolute"), ("slash", "huber")),
        (364.6, 4.1, 1.0),
    ),
    Comparison(
        "Five classes, LogitBoost and AdaBoost.MH without shrinkage",
        ((TREEBOOST, SHRUNK), (LOGITBOOST, WHOLE), (ADABOOST, WHOLE)),
        (None, 3.5, 15.0),
    ),
    Comparison(
        "Five classes, all with shrinkage",
        ((TREEBOOST, SHRUNK), (LOGITBOOST, SHRUNK), (ADABOOST, SHRUNK)),
        (2.3, 0.5, 3.9),
    ),
)

SMALL_ERRORS = Comparison(
    f"Slash errors, {SIZES[SMALL]} times as large",
    ((SMALL, "squared"), (SMALL, "absolute"), (SMALL, "huber")),
    COMPARISONS[1].worse,
)
"""Not in the paper, which may have scaled slash errors in another way."""

CLAIMS: tuple[tuple[Model, Model], ...] = (
    (("normal", "squared"), ("normal", "huber")),
    (("normal", "huber"), ("normal", "absolute")),
    (("slash", "huber"), ("slash", "absolute")),
    (("slash", "absolute"), ("slash", "squared")),
    ((TREEBOOST, SHRUNK), (LOGITBOOST, WHOLE)),
    ((LOGITBOOST, WHOLE), (ADABOOST, WHOLE)),
    ((LOGITBOOST, SHRUNK), (LOGITBOOST, WHOLE)),
    ((ADABOOST, SHRUNK), (ADABOOST, WHOLE)),
    ((LOGITBOOST, SHRUNK), (TREEBOOST, SHRUNK)),
    ((TREEBOOST, SHRUNK), (ADABOOST, SHRUNK)),
)
"""The first is better than the second."""
